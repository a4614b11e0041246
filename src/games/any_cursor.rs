//! A place in a packed line of any game.

use super::{AnyCursor, AnyPosition, Cursor, GameKeys, GameNotation, GamePosition, with_game};
use crate::{base::record::MoveForm, games::key::Structure};

impl AnyCursor {
    /// The standard start position of chess.
    pub fn initial() -> Self {
        Self::new(&AnyPosition::initial())
    }

    /// The position; `None` for one that cannot be.
    pub fn position(&self) -> Option<AnyPosition> {
        with_game!(AnyCursor of self, at => at.position().map(AnyPosition::from))
    }

    /// Plies played so far.
    pub fn ply(&self) -> u32 {
        with_game!(AnyCursor of self, at => at.ply())
    }

    /// [`Cursor::structure`].
    #[inline]
    pub fn structure(&self) -> Structure {
        with_game!(AnyCursor of self, at => at.structure())
    }

    /// [`Cursor::board_key`].
    #[inline]
    pub fn board_key(&self) -> u64 {
        with_game!(AnyCursor of self, at => at.board_key())
    }

    /// [`Cursor::other_side_key`].
    pub fn other_side_key(&self) -> u64 {
        with_game!(AnyCursor of self, at => at.other_side_key())
    }

    /// [`Cursor::state_bits`].
    pub fn state_bits(&self) -> u32 {
        with_game!(AnyCursor of self, at => at.state_bits())
    }

    /// The side to move: 0 White, 1 Black.
    pub fn turn(&self) -> usize {
        with_game!(AnyCursor of self, at => at.turn())
    }

    /// [`Cursor::peek`].
    #[inline]
    pub fn peek(&mut self, bytes: &mut &[u8]) -> Option<u16> {
        with_game!(AnyCursor of self, at => Cursor::peek(&mut **at, bytes))
    }

    /// [`Cursor::play`].
    #[inline]
    pub fn play(&mut self, code: u16) {
        with_game!(AnyCursor of self, at => Cursor::play(&mut **at, code));
    }

    /// Whether a structure that was left can come back.
    pub fn may_go_back(&self) -> bool {
        with_game!(AnyCursor of self, at => at.structure_recurs())
    }

    /// Whether pieces have letters in movetext, so that languages matter.
    pub fn has_letters(&self) -> bool {
        with_game!(AnyCursor of self, at => spells(&**at))
    }

    /// What the code of the ply that was taken off last does not say of it.
    pub fn detail(&self) -> u128 {
        with_game!(AnyCursor of self, at => at.pending().map_or(0, |m| detail(&**at, m)))
    }

    /// The name of the ply that was taken off last, whose code is given; squares are
    /// numbered from a corner. `None` in an impossible position.
    pub fn next_name(&self, code: u16, form: MoveForm, corner: Option<u8>) -> Option<String> {
        with_game!(AnyCursor of self, cursor => {
            let mut at = cursor.position()?;
            at.set_corner(corner);
            Some(at.next_name(code, cursor.pending(), form))
        })
    }
}

fn detail<C: Cursor>(_: &C, m: <C::Game as GamePosition>::Move) -> u128 {
    C::Game::detail(m)
}

const fn spells<C: Cursor>(_: &C) -> bool {
    <C::Game as GameNotation>::HAS_LETTERS
}
