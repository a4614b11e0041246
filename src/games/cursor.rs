//! The way through packed lines: as the index and the search see a game in motion.

use std::fmt::Debug;

use super::game::{BoardGame, GamePosition};
use crate::games::key::Structure;

/// What stands where and in hand, whichever side is to move. Two positions that are equal in
/// this are one, up to the side to move and what else makes a position
/// ([`Cursor::state_bits`]).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Placement {
    /// The shape of the board and the meaning of its numbers.
    pub board: String,
    /// What stands on each square, or each kind's squares as bits.
    pub squares: Vec<u8>,
    /// What is in hand, and checks that were given; 0 for none.
    pub besides: u64,
}

/// A place in a packed line.
pub trait Cursor: Clone + Debug {
    /// The game that is played.
    type Game: BoardGame;

    /// What changes at irreversible plies only.
    fn structure(&self) -> Structure;
    /// [`GameKeys::structure_recurs`](crate::games::GameKeys::structure_recurs).
    fn structure_recurs(&self) -> bool {
        false
    }
    /// The key of pieces and side to move.
    fn board_key(&self) -> u64;
    /// The same with the other side to move.
    fn other_side_key(&self) -> u64;
    /// What else makes the position, in twenty bits.
    fn state_bits(&self) -> u32;
    /// The side to move: 0 White, 1 Black.
    fn turn(&self) -> usize;
    /// Plies played so far.
    fn ply(&self) -> u32;
    /// What stands where.
    fn placement(&self) -> Placement;
    /// Whether the same stands on the same squares, whichever side is to move.
    fn has_pieces_of(&self, other: &Self) -> bool {
        self.placement() == other.placement()
    }
    /// The position; `None` for one that cannot be, such as with a king in check while
    /// the other side moves.
    fn position(&self) -> Option<Self::Game>;
    /// Takes the next ply off `bytes` as its code, without playing it; it must
    /// be played next. `None` at the end.
    fn peek(&mut self, bytes: &mut &[u8]) -> Option<u16>;
    /// The ply that was taken off last, where its code does not determine it.
    fn pending(&self) -> Option<<Self::Game as GamePosition>::Move> {
        None
    }
    /// Plays the ply that was taken off.
    fn play(&mut self, code: u16);
}

/// The cursor of games that have no quicker one: it plays on the position itself.
#[derive(Debug, Clone)]
pub struct Stepper<G: BoardGame> {
    at: G,
    slots: G::Slots,
    ply: u32,
    key: u64,
    structure: Structure,
    /// What was taken off the line and is to be played next.
    pending: Option<G::Move>,
}

impl<G: BoardGame> Stepper<G> {
    /// Stands at a position.
    pub fn new(at: &G) -> Self {
        Self {
            at: at.clone(),
            slots: at.slots(),
            ply: 0,
            key: at.key(),
            structure: at.structure(),
            pending: None,
        }
    }

    /// Where it stands.
    pub const fn at(&self) -> &G {
        &self.at
    }
}

impl<G: BoardGame> Cursor for Stepper<G> {
    type Game = G;

    #[inline]
    fn structure(&self) -> Structure {
        self.structure
    }

    fn structure_recurs(&self) -> bool {
        self.at.structure_recurs()
    }

    #[inline]
    fn board_key(&self) -> u64 {
        self.key
    }

    fn other_side_key(&self) -> u64 {
        self.at.other_side_key()
    }

    fn state_bits(&self) -> u32 {
        self.at.state()
    }

    #[inline]
    fn turn(&self) -> usize {
        self.at.turn()
    }

    fn ply(&self) -> u32 {
        self.ply
    }

    fn placement(&self) -> Placement {
        self.at.placement()
    }

    fn position(&self) -> Option<G> {
        Some(self.at.clone())
    }

    #[inline]
    fn peek(&mut self, bytes: &mut &[u8]) -> Option<u16> {
        self.pending = self.at.unpack(&mut self.slots, bytes);
        self.pending.map(|m| self.at.code(m))
    }

    fn pending(&self) -> Option<G::Move> {
        self.pending
    }

    /// A code does not always determine a move: what was taken off is played.
    #[inline]
    fn play(&mut self, _code: u16) {
        if let Some(m) = self.pending.take() {
            self.key = self.at.key_after(self.key, m);
            self.at.advance(m, &mut self.structure);
            self.ply += 1;
        }
    }
}
