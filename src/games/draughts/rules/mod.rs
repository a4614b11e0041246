//! Draughts: one engine for every variant, driven by a row of facts ([`DraughtsRules`]).
//!
//! Squares are *cells* throughout: numbers from 0 in the order of reading, White
//! at the bottom, with one number left out after every second row of boards with half of their
//! squares played ([`DraughtsBoard`] says why and converts). Sets of squares are `u128` at the
//! border of this module; inside, boards of up to 64 cells run on `u64`.
//!
//! Boards whose bottom left corner is not played (Italian, Spanish, Portuguese,
//! Jamaican) are kept mirrored left to right: the rules are the same in the
//! mirror, and only the notation needs to know.
//!
//! A capture is the set of what it takes: two paths with the same beginning,
//! end and captured pieces are one [`DraughtsMove`]. [`each_path`] finds the ways it can go.
//!
//! King captures can branch beyond all measure (thirty pieces standing apart on
//! a Frisian board). Every search has a [`Budget`](crate::games::Budget) and says
//! [`BudgetExceeded`](crate::games::BudgetExceeded)
//! instead of returning a part of the truth.

pub mod board;
mod captures;
pub mod facts;
mod generate;
pub(in crate::modules::games::draughts) mod grid;
pub mod key;
pub mod moves;
pub mod paths;
pub mod perft;
pub mod position;
mod unverified;

#[cfg(test)]
mod tests;

pub use board::DraughtsBoard;
pub use facts::{
    Directions, DraughtsGoal, DraughtsRules, Landing, Priority, Promotion, Reach, Removal,
};
pub(in crate::modules::games::draughts) use generate::EngineMove;
pub use moves::{DraughtsMove, moves, moves_between, must_capture};
pub use paths::{CapturePath, each_path, first_path};
pub use perft::perft;
pub(in crate::modules::games::draughts) use position::DraughtsState;
pub use position::{BLACK, DraughtsPiece, DraughtsPosition, WHITE};
pub use unverified::any_capture;
