//! A position of a game that is kin to chess: its variants, by shakmaty's rules or
//! by our own, and xiangqi; Othello is kept in the same way.
//!
//! Each of them has one board, plies that are numbers, and hardly more in common:
//! so this is a choice of four, and whoever asks sees none of them.

use shakmaty::{Move, Position as _};

use crate::games::chess_variant::played::Played;
use crate::games::{
    capablanca::{rows::Compound, rules as compound},
    othello::rules as othello,
    variant::Variant,
    xiangqi::rules as xiangqi,
};

/// A position of one of these games.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kin {
    /// Which game.
    pub variant: &'static Variant,
    /// What stands where, the men in hand and the checks given.
    pub position: KinPosition,
}

/// What stands where, and by which rules it moves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KinPosition {
    /// Those of shakmaty.
    Shakmaty(Played),
    /// Chess with archbishop and chancellor.
    Compound(&'static Compound, compound::Position),
    /// Xiangqi.
    Xiangqi(xiangqi::Position),
    /// Othello.
    Othello(othello::Position),
}

/// A ply of one of these games; played in another, it does nothing but pass the turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KinPly {
    /// The turn passes, where shakmaty's rules play.
    Null,
    /// A move of a chess variant.
    Shakmaty(Move),
    /// A move, or a passing turn, of chess with archbishop and chancellor.
    Compound(compound::Ply),
    /// The same of xiangqi.
    Xiangqi(xiangqi::Ply),
    /// A square, or [`othello::PASS`].
    Othello(u8),
}

/// How a game has ended by the rules of movement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Over {
    /// The side to move is in check and has no move.
    Checkmate,
    /// It has no move and is not in check.
    Stalemate,
    /// By the goal of the variant.
    Goal,
    /// Neither side can move: the discs of Black and of White.
    Discs(u32, u32),
}

impl KinPosition {
    /// The side to move: 0 White (Red in xiangqi), 1 Black.
    pub fn turn(&self) -> usize {
        match self {
            Self::Shakmaty(position) => usize::from(position.turn().is_black()),
            Self::Compound(_, position) => usize::from(position.turn()),
            Self::Xiangqi(position) => usize::from(position.turn()),
            // Its rules count the side that begins first, and that is Black.
            Self::Othello(position) => usize::from(position.turn() ^ 1),
        }
    }

    /// The number of the next move, and whether it is made by the side that does
    /// not begin games.
    pub fn number(&self) -> (u32, bool) {
        match self {
            Self::Shakmaty(position) => (position.fullmoves().get(), position.turn().is_black()),
            Self::Compound(_, position) => (position.counters().1, position.turn() == 1),
            Self::Xiangqi(position) => (position.counters().1, position.turn() == 1),
            Self::Othello(position) => (1, position.turn() == 1),
        }
    }

    /// All legal moves, forced passes among them.
    pub fn legal(&self) -> Vec<KinPly> {
        match self {
            Self::Shakmaty(position) => {
                let moves = position.legal_moves();
                moves.into_iter().map(KinPly::Shakmaty).collect()
            }
            Self::Compound(_, position) => {
                let plies = position.legal();
                plies.into_iter().map(KinPly::Compound).collect()
            }
            Self::Xiangqi(position) => position.legal().into_iter().map(KinPly::Xiangqi).collect(),
            Self::Othello(position) => position.legal().map(KinPly::Othello).collect(),
        }
    }

    /// Plays a ply; its legality is not asked for.
    pub fn play(&mut self, ply: KinPly) {
        match (&mut *self, ply) {
            (Self::Shakmaty(position), KinPly::Shakmaty(played)) => position.play_unchecked(played),
            (Self::Compound(_, position), KinPly::Compound(played)) => position.play(played),
            (Self::Xiangqi(position), KinPly::Xiangqi(played)) => position.play(played),
            (Self::Othello(position), KinPly::Othello(played)) => position.play(played),
            _ => *self = self.passed(),
        }
    }

    /// The same with the other side to move; where a king would be left in check,
    /// with the same.
    #[must_use]
    pub fn passed(&self) -> Self {
        let mut passed = self.clone();
        match &mut passed {
            Self::Shakmaty(position) => {
                if let Some(other) = position.passed() {
                    *position = other;
                }
            }
            Self::Compound(_, position) => position.play(compound::Ply::NULL),
            Self::Xiangqi(position) => position.play(xiangqi::Ply::NULL),
            Self::Othello(position) => *position = position.passed(),
        }
        passed
    }

    /// Leaves of the tree of all legal moves of this depth.
    pub fn perft(&self, depth: u32) -> u64 {
        match self {
            Self::Shakmaty(position) => position.perft(depth),
            Self::Compound(_, position) => compound::perft(position, depth),
            Self::Xiangqi(position) => xiangqi::perft(position, depth),
            Self::Othello(position) => othello::perft(position, depth),
        }
    }

    /// Whether and how the game is over.
    pub fn over(&self) -> Option<Over> {
        let without_moves = |is_check| {
            Some(if is_check {
                Over::Checkmate
            } else {
                Over::Stalemate
            })
        };
        match self {
            Self::Shakmaty(position) => {
                // First, for such a position has no moves, and may be one in check.
                if position.is_variant_end() {
                    Some(Over::Goal)
                } else if position.is_checkmate() {
                    Some(Over::Checkmate)
                } else {
                    position.is_stalemate().then_some(Over::Stalemate)
                }
            }
            Self::Compound(_, position) if position.legal().is_empty() => {
                without_moves(position.is_check())
            }
            Self::Xiangqi(position) if position.legal().is_empty() => {
                without_moves(position.is_check())
            }
            Self::Compound(..) | Self::Xiangqi(_) => None,
            Self::Othello(position) => {
                let outcome = position.outcome()?;
                Some(Over::Discs(outcome.black, outcome.white))
            }
        }
    }
}

impl KinPly {
    /// The squares that it leaves and reaches as the board of its game numbers
    /// them, castling with those of king and rook; none where the turn passes.
    pub fn squares(self) -> Option<(u8, u8)> {
        match self {
            Self::Null => None,
            Self::Shakmaty(played) => {
                let to = played.to();
                Some((u8::from(played.from().unwrap_or(to)), u8::from(to)))
            }
            Self::Compound(ply) => (!ply.is_null()).then_some((ply.from, ply.to)),
            Self::Xiangqi(ply) => (!ply.is_null()).then_some((ply.from, ply.to)),
            Self::Othello(square) => (square < othello::PASS).then_some((square, square)),
        }
    }
}
