//! Chess with archbishop and chancellor: Capablanca chess and its kin on ten files, and
//! Seirawan chess, each by a row of facts.

pub mod notation;
pub mod rows;
pub mod rules;

use super::{
    Budget, BudgetExceeded, Counting, Outcome,
    cursor::{Placement, Stepper},
    game::{Game, MoveStyle, Obstacle},
    language::{Expected, main_words},
    position_form::{Besides, PositionForm},
    symmetry::Symmetry,
    text::{self, Attempt, Effort, Resolved, Text, WordReading},
    variant::{ALL, Variant},
    written::{Fit, Refusal, Written},
};
use crate::{
    games::{
        diagram::{Diagram, Ground, Marks},
        key::Structure,
        notation::letters::{Language, Tally},
    },
    pgn::parser::Syntax,
};
use rows::Compound;
use rules::{self as compound, Ply, Position, man};

/// A position with the row whose rules it has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Capablanca {
    /// Which game.
    pub row: &'static Compound,
    /// What stands where.
    pub at: Position,
}

impl Capablanca {
    /// A word in the letters of a language, or else in English ones.
    fn resolve(&self, word: &str, language: Option<&Language>) -> Resolved<Ply> {
        let english = language.and_then(|own| notation::to_english(self.row, word, own));
        let read = english.map(|word| notation::resolve(self.row, &self.at, &word));
        let read = read.filter(Result::is_ok);
        Resolved::from_result(read.unwrap_or_else(|| notation::resolve(self.row, &self.at, word)))
    }
}

impl Game for Capablanca {
    type Move = Ply;
    type Slots = ();
    type Convention = Expected;
    type Context<'a> = (Text<'a>, Option<&'static Language>);
    type Cursor = Stepper<Self>;

    const NULL: Ply = Ply::NULL;
    const SYNTAX: Syntax = Syntax::Pgn;
    const NAME_DECIDES: bool = true;
    const STRUCTURE_RECURS: bool = false;
    const OBSTACLE: Obstacle = Obstacle::Castling;

    fn variant(&self) -> &'static Variant {
        Variant::by_name(self.row.name).unwrap_or(&ALL[0])
    }

    fn turn(&self) -> usize {
        usize::from(self.at.turn())
    }

    fn number(&self) -> (u32, bool) {
        (self.at.counters().1, self.at.turn() == 1)
    }

    fn legal(&self, _: Budget, out: &mut Vec<Ply>) -> Result<(), BudgetExceeded> {
        self.at.legal_into(out);
        Ok(())
    }

    fn play(&mut self, m: Ply) {
        self.at.play(m);
    }

    fn perft(&self, depth: u32, _: Counting, _: Budget) -> Result<u64, BudgetExceeded> {
        Ok(compound::perft(&self.at, depth))
    }

    fn key(&self) -> u64 {
        self.at.key()
    }

    fn placement(&self) -> Placement {
        let reserve = |side| {
            [man::ARCHBISHOP, man::CHANCELLOR].map(|role| self.at.has_in_reserve(side, role))
        };
        let held = [reserve(0), reserve(1)].into_iter().flatten();
        Placement {
            board: format!("{:?}", self.at.board()),
            squares: self.at.men().to_vec(),
            besides: held.fold(0, |bits, has| bits << 1 | u64::from(has)),
        }
    }

    fn structure(&self) -> Structure {
        self.at.structure()
    }

    fn state(&self) -> u32 {
        self.at.state_bits()
    }

    fn code(&self, m: Ply) -> u16 {
        m.code(self.at.board())
    }

    fn moves_of(&self, code: u16) -> Vec<Ply> {
        let found = Ply::of_code(self.at.board(), code);
        found.into_iter().collect()
    }

    fn marks(&self, m: Ply) -> Marks {
        if m.is_null() {
            Marks::default()
        } else {
            Marks::ends(m.from, m.to)
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        let is_over = self.at.legal().is_empty();
        is_over.then(|| {
            if self.at.is_check() {
                Outcome::Checkmate
            } else {
                Outcome::Stalemate
            }
        })
    }

    fn diagram(&self) -> Diagram {
        let grid = self.at.board().grid();
        let size = (grid.files, grid.ranks);
        Diagram::of_grid(size, Ground::Squares, Game::fen(self), |square| {
            let man = self.at.at(square);
            (man != man::NONE).then(|| notation::drawn(self.row, man))
        })
    }

    /// Castling can be written in two ways where arrays differ.
    fn write_as(&self, form: PositionForm, _: &Besides) -> Option<String> {
        match form {
            PositionForm::Fen | PositionForm::XFen => Some(self.fen()),
            PositionForm::Shredder => Some(notation::fen::write_shredder(self.row, &self.at)),
            _ => None,
        }
    }

    fn slots(&self) {}

    fn pack(&self, m: Ply, (): &mut (), out: &mut Vec<u8>) {
        compound::pack::pack(m, &self.at, out);
    }

    fn unpack(&self, (): &mut (), bytes: &mut &[u8]) -> Option<Ply> {
        compound::pack::unpack(&self.at, bytes)
    }

    fn cursor(&self) -> Stepper<Self> {
        Stepper::new(self)
    }

    fn fen(&self) -> String {
        notation::fen::write(self.row, &self.at)
    }

    fn read_written(row: &'static Variant, text: &str) -> Result<Written<Self>, Refusal> {
        let facts = row.compound().ok_or_else(|| text::another_game(row))?;
        let read = notation::fen::read(facts, text).map(|read| {
            let at = Self {
                row: facts,
                at: read.position,
            };
            (at, read.fields, read.warnings)
        });
        let read = text::written(row, text, read)?;
        // The compound men have other letters in each of these games.
        let own = [facts.archbishop, facts.chancellor];
        let board = text.split_whitespace().next().unwrap_or_default();
        let mut letters = board.chars().map(|c| c.to_ascii_uppercase());
        let is_own = letters.all(|c| own.contains(&c) || !notation::is_compound(c));
        Ok(Written {
            fit: if is_own { Fit::Own } else { Fit::Foreign },
            ..read
        })
    }

    fn refusal(&self, word: &str, convention: &Expected) -> Refusal {
        let hint = "moves are written as `e4`, `Ci3` or `h1i3`, gated pieces as `Nf3/H`";
        text::refusal(&self.resolve(word, convention.language), word, hint)
    }

    fn write(&self, m: Ply, style: MoveStyle, _: &Language) -> String {
        match style {
            MoveStyle::Usual => notation::write_san(self.row, &self.at, m),
            MoveStyle::Squares => notation::write_uci(self.row, &self.at, m),
        }
    }

    fn convention(&self, expected: Expected) -> Expected {
        expected
    }

    fn language(convention: &Expected) -> Option<&'static Language> {
        convention.language
    }

    fn in_language(&self, language: &'static Language) -> Option<Expected> {
        Some(Expected::certainly(language))
    }

    /// The languages that have the letters of a text that cannot be read to its end.
    fn others(&self, text: Text<'_>, convention: &Expected, _: &Attempt<Ply>) -> Vec<Expected> {
        if convention.certain {
            return Vec::new();
        }
        let words = main_words(text.raw, text.bytes, text.decode);
        let best = Tally::of(words.iter().map(AsRef::as_ref)).best();
        best.into_iter().map(Expected::certainly).collect()
    }

    fn context<'a>(
        &'a self,
        text: Text<'a>,
        convention: &'a Self::Convention,
        _: Effort,
    ) -> Self::Context<'a> {
        (text, convention.language)
    }

    fn word(
        &self,
        (text, language): &mut Self::Context<'_>,
        item: usize,
        _: &[Ply],
    ) -> WordReading<Ply> {
        let word = text.of(&text.raw.items[item]);
        let read = self.resolve(&word, *language);
        text::of_resolved(read, &word, |_| false)
    }

    fn read_alone(&self, word: &str) -> Option<(Vec<(String, Self)>, bool)> {
        let m = notation::resolve(self.row, &self.at, word).ok()?;
        (!m.is_null()).then(|| text::alone(self, m, word))
    }

    fn transformed(&self, symmetry: Symmetry) -> Option<Self> {
        if symmetry == Symmetry::None {
            return Some(self.clone());
        }
        let at = self.at.seen(symmetry.mirrors(), symmetry.swaps_colours())?;
        Some(Self { at, ..*self })
    }

    fn move_transformed(&self, m: Ply, symmetry: Symmetry) -> Ply {
        if symmetry == Symmetry::None || m.is_null() {
            return m;
        }
        let grid = self.at.board().grid();
        let seen = |square| grid.seen(square, symmetry.mirrors(), symmetry.swaps_colours());
        Ply {
            from: seen(m.from),
            to: seen(m.to),
            way: m.way,
        }
    }
}
