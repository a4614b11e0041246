//! What a game must be able to do to be read, stored, indexed, searched and written.
//!
//! Six traits have the rules ([`GamePosition`]), keys, notation, packing, display and movetext, each
//! on top of those before it; [`BoardGame`] needs all six. What has a default is only for games that
//! are not like most: the folder `tests/tic_tac_toe` shows the least that a game needs.

mod codec;
mod display;
mod keys;
mod movetext;
mod notation;
mod position;

use super::{
    Budget, BudgetExceeded,
    cursor::Cursor,
    language::ExpectedNotation,
    legal_moves::{Counting, perft},
    opening_names::{self, NamedOpening},
    reader::StartContext,
    text::GameText,
    variant::Variant,
    view::{self, PositionVisitor},
};
use crate::base::diagnostic::Code;

pub use codec::GameCodec;
pub use display::GameDisplay;
pub use keys::{CASTLING, EN_PASSANT, GameKeys, StateMask};
pub use movetext::MovetextRules;
pub use notation::{GameNotation, MoveStyle};
pub use position::{GamePosition, SymmetryError};

/// An opening made of a FEN, with what was odd about the text; or why that cannot be
/// read.
pub type FromFen<O> = Result<(O, Vec<(Code, String)>), String>;

/// Where a game begins by what its text says of its FEN, with findings; `None` if it says nothing.
pub type FromText<O> = Option<(O, Vec<(Code, String)>)>;

/// A game that databases can hold: all six traits, and what needs several of them. The position
/// type of each rule book implements it.
pub trait BoardGame: MovetextRules {
    /// The quickest way through a packed line.
    type Cursor: Cursor<Game = Self>;

    /// How many lines of legal moves of that length there are.
    ///
    /// # Errors
    ///
    /// As [`legal`](GamePosition::legal).
    fn perft(&self, depth: u32, _: Counting, budget: Budget) -> Result<u64, BudgetExceeded> {
        perft(self, depth, budget)
    }

    /// A cursor that stands here.
    fn cursor(&self) -> Self::Cursor;

    /// The name of the last position of a packed line from here that has one; the line's structures,
    /// by the top 32 bits of their keys, spare some of the way.
    fn last_named(
        &self,
        plies: &[u8],
        structures: Option<&[u32]>,
    ) -> Option<&'static NamedOpening> {
        opening_names::last_named(self, plies, structures)
    }

    /// Shows every position of a packed line from here to a visitor, with the move that leaves
    /// it.
    fn show(&self, plies: &[u8], watch: &mut impl PositionVisitor) {
        view::show(self, plies, watch);
    }

    /// Makes the position of a FEN ready for reading games, whose texts are expected to be
    /// meant so. What is odd about the FEN is worded for the user.
    ///
    /// # Errors
    ///
    /// As [`read_fen`](GameNotation::read_fen).
    fn start_of_fen(
        row: &'static Variant,
        fen: &str,
        expected: ExpectedNotation,
    ) -> FromFen<StartContext<Self>> {
        let read = Self::read_fen(row, fen)?;
        let findings = read.codes.iter().map(|code| (*code, fen.to_owned()));
        let opening = StartContext::expected(read.at, expected);
        Ok((opening, findings.collect()))
    }

    /// The position of a FEN that cannot be read as it usually is, or whose castling rights are
    /// in doubt, where its squares or the moves after it leave only one other way; with what is to
    /// be said of that.
    fn start_of_text(
        _: &'static Variant,
        _fen: &str,
        _: GameText<'_>,
        _: ExpectedNotation,
    ) -> FromText<StartContext<Self>> {
        None
    }
}
