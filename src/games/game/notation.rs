//! Positions and moves as text: FEN and other notations, the names of moves and openings.

use super::GameKeys;
use crate::{
    base::record::{MoveForm, PdnFacts},
    games::{
        ascii_board::{AsciiBoard, AsciiPosition},
        ballot::Ballot,
        export::StoredGameInfo,
        facts::VariantDescription,
        notation::letters::{ENGLISH, Language},
        opening_names::OpeningNames,
        parsed_position::{NumberStyle, ParsedPosition, ReadFailure},
        position_form::{FormExtras, PositionForm},
        variant::{Variant, VariantDetection},
    },
};

/// How a move is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MoveStyle {
    /// As the game writes its moves: SAN, WXF, squares.
    Usual,
    /// By all its squares: UCI, a capture with those between.
    Squares,
}

/// Positions and moves as text. The position type of each rule book
/// implements it.
pub trait GameNotation: GameKeys {
    /// The row that a name stands for only where the user names a game: in a tag it may be a word
    /// of another.
    fn row_named(_: &str) -> Option<&'static Variant> {
        None
    }

    /// The row of a number of PDN's `GameType` that is none of the standard.
    fn by_game_type(_: u8) -> Option<&'static Variant> {
        None
    }

    /// The openings of a row that are drawn by ballot, by number.
    fn ballots(_: &'static Variant) -> Vec<Ballot> {
        Vec::new()
    }

    /// The names that positions of a row have; `None` where there are none.
    fn opening_names(_: &'static Variant) -> Option<&'static OpeningNames> {
        None
    }

    /// The standard start position of a row; `None` where it is drawn by lot.
    fn start(row: &'static Variant) -> Option<Self> {
        let read = Self::read_fen(row, row.start_fen?).ok()?;
        Some(read.at)
    }

    /// The FEN; of positions that cannot be, too.
    fn fen(&self) -> String;

    /// Reads a FEN of a row that this type plays.
    ///
    /// # Errors
    ///
    /// Why it cannot be read.
    fn read_fen(row: &'static Variant, text: &str) -> Result<ParsedPosition<Self>, String> {
        Self::read_written(row, text).map_err(|refusal| refusal.message)
    }

    /// What an export writes of a game of a row beside its tags and moves, so that it is
    /// read as the same game.
    fn export(row: &'static Variant, game: &StoredGameInfo<'_>) -> PdnFacts {
        PdnFacts {
            tags: game.variant_tag(row).into_iter().collect(),
            ..PdnFacts::default()
        }
    }

    /// Reads the FEN of a start position as databases hold it; its squares are numbered
    /// from a corner, where that is not the usual one.
    ///
    /// # Errors
    ///
    /// Why it cannot be read.
    fn read_stored(row: &'static Variant, text: &str, _: Option<u8>) -> Result<Self, String> {
        Self::read_fen(row, text).map(|read| read.at)
    }

    /// Reads a position that was written out, in any notation of a row that this type
    /// plays: its FEN, and what it alone has. Moves from there are not read.
    ///
    /// # Errors
    ///
    /// Why it cannot be read, and how much of it was understood.
    fn read_written(row: &'static Variant, text: &str)
    -> Result<ParsedPosition<Self>, ReadFailure>;

    /// Reads a board drawn in a text, sign by sign; `None` if it is none of the row, and in games
    /// whose drawings have the letters of their FEN.
    fn read_drawing(_: &'static Variant, _: &AsciiBoard) -> Option<AsciiPosition> {
        None
    }
    /// How moves are numbered where a line is shown to the user.
    const SCORE: NumberStyle = NumberStyle::Pairs;

    /// Writes a legal move; where pieces have letters, in those of a language.
    fn write(&self, m: Self::Move, style: MoveStyle, language: &Language) -> String;

    /// Writes a legal move, as much of it as a form asks for, and plays it.
    fn write_and_play(&mut self, m: Self::Move, _: MoveForm) -> String {
        let text = self.write(m, MoveStyle::Usual, ENGLISH);
        self.play(m);
        text
    }

    /// Appends a legal move as [`write_and_play`](Self::write_and_play) writes it in the usual
    /// form, and plays it.
    fn write_onto(&mut self, m: Self::Move, out: &mut String) {
        out.push_str(&self.write_and_play(m, MoveForm::default()));
    }

    /// Appends a legal move as programs write it: the second of its [names](Self::named).
    fn write_squares_onto(&self, m: Self::Move, out: &mut String) {
        let [_, squares] = self.named(self.code(m), Self::detail(m));
        out.push_str(&squares);
    }

    /// The name of a move by its code and [detail](GameKeys::detail), in the notation of the
    /// game and in one for programs.
    fn named(&self, code: u16, _detail: u128) -> [String; 2] {
        let name = |m, style| self.write(m, style, ENGLISH);
        match self.moves_of(code)[..] {
            [m, ..] => [name(m, MoveStyle::Usual), name(m, MoveStyle::Squares)],
            [] => ["--".to_owned(), "0000".to_owned()],
        }
    }

    /// The name of the move that comes next in a line: its code, and all of it where that
    /// is known.
    fn next_name(&self, code: u16, _: Option<Self::Move>, _: MoveForm) -> String {
        let [name, _] = self.named(code, 0);
        name
    }
    /// Whether moves are written in several forms.
    const HAS_FORMS: bool = false;

    /// The FEN, likewise.
    fn fen_in(&self, _: MoveForm) -> String {
        self.fen()
    }

    /// Writes the position in a notation; `None` where the game has it not.
    fn write_as(&self, form: PositionForm, besides: &FormExtras) -> Option<String> {
        match form {
            PositionForm::Fen => Some(self.fen()),
            PositionForm::Epd => Some(besides.epd(&self.fen())),
            _ => None,
        }
    }
    /// Whether its FEN has a field for en passant that can be written by several customs.
    const HAS_EN_PASSANT: bool = false;

    /// What there is to say of a row that this type plays.
    fn facts(row: &'static Variant) -> VariantDescription {
        VariantDescription::of(row)
    }

    /// The corner of square 1, where it is not that of the game's usual one.
    fn corner(&self) -> Option<u8> {
        None
    }

    /// Numbers the squares from a corner, where squares have numbers.
    fn set_corner(&mut self, _: Option<u8>) {}
    /// Whether pieces have letters in movetext, so that languages matter.
    const HAS_LETTERS: bool = false;
    /// How a record becomes known to be of one of these games.
    const TIER: VariantDetection = VariantDetection::Named;
    /// Whether the name of the game decides on the syntax, against what the words look
    /// like: moves on greater boards look like those of others.
    const NAME_DECIDES: bool = false;

    /// The tag that names who has the first move in a row, where that is not `White`.
    fn first_player(_: &Variant) -> Option<&'static str> {
        None
    }
}
