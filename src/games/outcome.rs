//! How games end, and how that is written.

use std::fmt;

/// Who is meant by the first number of a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ResultOrder {
    /// White.
    WhiteFirst,
    /// The side that moves first, which is Black (the PDN 2.0 draft, and the
    /// archives of English draughts).
    BlackFirst,
}

/// How results are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Results {
    /// `1-0`, `1/2-1/2`, `0-1`.
    Default,
    /// `2-0`, `1-1`, `0-2`.
    International,
}

/// How a game is over by a position of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GameEnd {
    /// The side to move is in check and has no move.
    Checkmate,
    /// It has no move and is not in check.
    Stalemate,
    /// The same, which loses.
    LosingStalemate,
    /// The goal of the variant is reached.
    Goal,
    /// A side has won: 0 White, 1 Black.
    Won(usize),
    /// Neither side can move: the discs of Black and of White.
    Discs(u32, u32),
}

impl fmt::Display for GameEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Checkmate => f.write_str("checkmate"),
            Self::Stalemate => f.write_str("stalemate"),
            Self::LosingStalemate => f.write_str("stalemate; the side to move loses"),
            Self::Goal => f.write_str("the game is over by the rules of the variant"),
            Self::Won(0) => f.write_str("White has won"),
            Self::Won(_) => f.write_str("Black has won"),
            Self::Discs(black, white) => {
                write!(f, "the game is over, {black}-{white} (Black-White)")
            }
        }
    }
}
