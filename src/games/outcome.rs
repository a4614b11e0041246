//! How games end, and how that is written.

use std::fmt;

use crate::{base::record::Outcome, pgn::tags::result};

/// Who is meant by the first number of a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ResultOrder {
    /// White.
    WhiteFirst,
    /// The side that moves first, which is Black (the PDN 2.0 draft, and the
    /// archives of English draughts).
    BlackFirst,
}

/// What a result means that was written: points mean whom an order says, and where the last position
/// proves a winner (0 White, 1 Black), they may have been written the other way round.
pub fn meant(written: Outcome, order: Option<ResultOrder>, winner: Option<usize>) -> Outcome {
    let meant = match order {
        Some(ResultOrder::BlackFirst) => written.with_colours_swapped(),
        Some(ResultOrder::WhiteFirst) | None => written,
    };
    let proven = winner.map(|side| [Outcome::First, Outcome::Second][side]);
    match proven {
        Some(proven) if order.is_some() && meant == proven.with_colours_swapped() => proven,
        _ => meant,
    }
}

/// What the value of a Result tag says; `None` if it is no result. With an order it is one of PDN.
pub fn read_tag(value: &[u8], order: Option<ResultOrder>) -> Option<Outcome> {
    match order {
        None => result::parse_tag(value),
        Some(_) => result::parse_pdn(value),
    }
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
