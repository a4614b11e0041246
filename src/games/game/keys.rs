//! What a database files positions and moves by: keys, structures, codes of moves.

use super::GamePosition;
use crate::games::{cursor::Placement, key::Structure, symmetry::Symmetry};

/// The bits of a state that hold castling rights: of each side, the files of the rooks.
pub const CASTLING: u32 = 0xffff;
/// The bits of a state that hold the file of a legal capture en passant.
pub const EN_PASSANT: u32 = 0xf_0000;

/// What is requested of a position besides what stands where and who moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StateMask {
    /// The castling rights.
    pub castling: bool,
    /// The en passant square.
    pub en_passant: bool,
    /// The variant, where several share their positions.
    pub variant: bool,
}

/// What a database files a position and its moves by. The position type of each rule book
/// implements it.
pub trait GameKeys: GamePosition {
    /// The key of what stands where (in hand, too) and of the side to move. Databases
    /// hold it.
    fn key(&self) -> u64;

    /// The key after a move, from the key here.
    fn key_after(&self, _key: u64, m: Self::Move) -> u64 {
        let mut next = self.clone();
        next.play(m);
        next.key()
    }

    /// The key of the same with the other side to move.
    fn other_side_key(&self) -> u64 {
        let mut other = self.clone();
        other.play(Self::NULL);
        other.key()
    }

    /// The key under which opening books of Polyglot file the position, in games that they know.
    fn book_key(&self) -> Option<u64> {
        None
    }

    /// A move as these books have it.
    fn book_code(_: Self::Move) -> u16 {
        0
    }

    /// What stands where and in hand.
    fn placement(&self) -> Placement;

    /// What changes at irreversible moves only. Databases hold its key.
    fn structure(&self) -> Structure;

    /// Whether a structure that was left can come back: pieces are dropped, or positions
    /// set up in the middle of games.
    fn structure_recurs(&self) -> bool {
        false
    }

    /// What else makes the position, in twenty bits: castling, en passant, the kind of
    /// draughts. Databases hold it.
    fn state(&self) -> u32;

    /// The bits of the [state](Self::state) that a query asks for.
    fn state_mask(asked: StateMask) -> u32 {
        let mask = |asked: bool, bits: u32| if asked { bits } else { 0 };
        mask(asked.castling, CASTLING) | mask(asked.en_passant, EN_PASSANT)
    }

    /// A move in sixteen bits. Databases hold it. Not always to be turned back: in
    /// draughts it hashes what is taken.
    fn code(&self, m: Self::Move) -> u16;

    /// The moves that have a code: the likeliest first, legal ones where the code does not
    /// determine them.
    fn moves_of(&self, code: u16) -> Vec<Self::Move>;

    /// What a code does not say of a move, as a number; 0 for nothing.
    fn detail(_: Self::Move) -> u128 {
        0
    }

    /// The codes that several legal moves share: their [details](Self::detail) distinguish them.
    fn shared_codes(&self) -> Vec<u16> {
        Vec::new()
    }

    /// The square, from 0 by ranks, that a move from here passes over as a double step,
    /// whether or not a capture there is legal.
    fn double_step(&self, _: Self::Move) -> Option<u8> {
        None
    }

    /// A code of a move from here, as it is in the position seen so.
    fn code_transformed(&self, code: u16, symmetry: Symmetry) -> u16 {
        let found = self.moves_of(code);
        let seen = |m: &Self::Move| self.code(self.move_transformed(*m, symmetry));
        found.first().map_or(code, seen)
    }

    /// A [detail](Self::detail), likewise.
    fn detail_transformed(&self, detail: u128, _: Symmetry) -> u128 {
        detail
    }
}
