//! Games of draughts in motion: plies packed and unpacked, games read, the
//! variant of a file inferred, lines shown to queries.
//!
//! A packed ply says which piece went where and what it took, never which
//! entry of a list of legal moves it was: facts of a variant can be corrected
//! later and old games still replay ([`pack`]).

pub mod code;
pub mod infer;
pub mod pack;
mod start;
pub(super) mod view;
pub(crate) mod word;

#[cfg(test)]
mod tests;

pub use pack::DraughtsPly;
pub use start::{Corner, DraughtsStart};

use super::rules::{DraughtsBoard, DraughtsPosition, key};
use crate::games::key::Structure;

/// The structure of a position, as games of draughts are filed by it.
pub fn structure(position: &DraughtsPosition, board: DraughtsBoard) -> Structure {
    Structure::from_number(key::structure(position, board))
}
