//! The way through a packed line for games that have no quicker one.

use super::game::Game;
use super::replay::Walk;
use crate::key::Structure;

/// Unpacks moves and plays them on the position itself.
#[derive(Debug, Clone)]
pub struct Stepper<G: Game> {
    at: G,
    slots: G::Slots,
    key: u64,
    structure: Structure,
    /// What was taken off the line and is to be played next.
    pending: Option<G::Move>,
}

impl<G: Game> Stepper<G> {
    /// Stands at a position.
    pub fn new(at: &G) -> Self {
        Self {
            at: at.clone(),
            slots: at.slots(),
            key: at.key(),
            structure: at.structure(),
            pending: None,
        }
    }
}

impl<G: Game> Walk for Stepper<G> {
    #[inline]
    fn structure(&self) -> Structure {
        self.structure
    }

    #[inline]
    fn board_key(&self) -> u64 {
        self.key
    }

    fn state_bits(&self) -> u32 {
        self.at.state()
    }

    #[inline]
    fn turn(&self) -> usize {
        self.at.turn()
    }

    #[inline]
    fn peek(&mut self, bytes: &mut &[u8]) -> Option<u16> {
        self.pending = self.at.unpack(&mut self.slots, bytes);
        self.pending.map(|m| self.at.code(m))
    }

    /// A code does not always tell all of a move: what was taken off is played.
    #[inline]
    fn play(&mut self, _code: u16) {
        if let Some(m) = self.pending.take() {
            self.key = self.at.key_after(self.key, m);
            self.at.advance(m, &mut self.structure);
        }
    }

    fn may_go_back(&self) -> bool {
        G::STRUCTURE_RECURS
    }
}
