//! Games of draughts in motion: plies packed and unpacked, games read, the
//! variant of a file inferred.
//!
//! A packed ply says which piece went where and what it took, never which
//! entry of a list of legal moves it was: facts of a variant can be corrected
//! later and old games still replay ([`pack`]).

pub mod code;
pub mod infer;
mod opening;
pub mod pack;
pub(crate) mod word;

#[cfg(test)]
mod tests;

pub use opening::DraughtsOpening;
pub use pack::Step;

use super::rules::{Board, Position, Rules, key};
use crate::games::key::Structure;

/// The structure of a position, as games of draughts are filed by it.
pub fn structure(position: &Position, board: Board) -> Structure {
    Structure::from_number(key::structure(position, board))
}

/// A position in a replay.
#[derive(Debug, Clone)]
pub struct DraughtsReplay {
    position: Position,
    rules: &'static Rules,
    variant_id: u8,
    ply: u32,
    key: u64,
    structure: Structure,
}

impl DraughtsReplay {
    /// A replay from any position. `variant_id` is the number of the variant in
    /// the registry: the same pieces under other rules are another state.
    pub fn new(variant_id: u8, rules: &'static Rules, position: Position) -> Self {
        Self {
            position,
            rules,
            variant_id,
            ply: 0,
            key: key::of(&position, rules.board),
            structure: structure(&position, rules.board),
        }
    }

    /// What stands where, and whose turn it is.
    #[inline]
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// The rules of the game.
    #[inline]
    pub const fn rules(&self) -> &'static Rules {
        self.rules
    }

    /// The number of the variant in the registry.
    #[inline]
    pub const fn variant_id(&self) -> u8 {
        self.variant_id
    }

    /// Plies played so far.
    #[inline]
    pub const fn ply(&self) -> u32 {
        self.ply
    }

    /// The key of pieces and side to move.
    #[inline]
    pub const fn board_key(&self) -> u64 {
        self.key
    }

    /// White's men and the numbers of everything else.
    #[inline]
    pub const fn structure(&self) -> Structure {
        self.structure
    }

    /// The code of a ply from here, as the index has it.
    pub fn code(&self, step: &Step) -> u16 {
        code::of_step(self.rules.board, step)
    }

    /// Takes the next ply off `bytes` without playing it; `None` at the end and
    /// where the bytes are damaged.
    #[inline]
    pub fn peek_step(&self, bytes: &mut &[u8]) -> Option<Step> {
        pack::unpack(&self.position, self.rules.board, bytes)
    }

    /// Plays the next ply of `bytes` and returns it.
    #[inline]
    pub fn next_step(&mut self, bytes: &mut &[u8]) -> Option<Step> {
        let step = self.peek_step(bytes)?;
        self.play_step(&step);
        Some(step)
    }

    /// Plays a ply.
    #[inline]
    pub fn play_step(&mut self, step: &Step) {
        let board = self.rules.board;
        let changes = step.may_change_structure(&self.position);
        if let Step::Move(played) = step {
            self.key = key::after(self.key, &self.position, board, played);
            self.position.play(played);
        } else {
            step.play(&mut self.position);
            self.key = key::of(&self.position, board);
        }
        self.ply += 1;
        if changes {
            self.structure = structure(&self.position, board);
        }
    }
}
