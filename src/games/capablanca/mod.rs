//! Chess with archbishop and chancellor: Capablanca chess and its kin on ten files, and
//! Seirawan chess, each by a row of facts.

pub mod notation;
pub mod rows;
pub mod rules;

use super::{
    cursor::{Placement, Stepper},
    game::{Fen, Game, MoveStyle},
    line_move::LineMove,
    text::{self, Effort, Text, WordReading},
    written::{Fit, Refusal, Written},
};
use super::{
    draughts::rules::{Budget, BudgetExceeded},
    language::Expected,
    variant::{ALL, Variant},
    xiangqi::notation::Ranks,
};
use crate::{
    key::Structure,
    notation::{kin, kin::Resolved, letters::Language},
    parse::Family,
    position::{KinPly, KinPosition, Symmetry},
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

fn own(ply: KinPly) -> Ply {
    match ply {
        KinPly::Compound(m) => m,
        _ => Ply::NULL,
    }
}

impl Capablanca {
    const fn as_kin(&self) -> KinPosition {
        KinPosition::Compound(self.row, self.at)
    }

    /// A word in the letters of a language, or else in English ones.
    fn resolve(&self, word: &str, language: Option<&Language>) -> Resolved {
        let at = self.as_kin();
        let english = language.and_then(|own| notation::to_english(self.row, word, own));
        let read = english.map(|word| kin::resolve_all(&at, &word, Ranks::Either, None));
        match read.filter(|read| read.stop.is_none()) {
            Some(read) => read,
            None => kin::resolve_all(&at, word, Ranks::Either, None),
        }
    }
}

impl Game for Capablanca {
    type Move = Ply;
    type Slots = ();
    /// A language, where somebody says that the text is in one.
    type Convention = Option<&'static Language>;
    type Context<'a> = (Text<'a>, Option<&'static Language>);
    type Cursor = Stepper<Self>;

    const NULL: Ply = Ply::NULL;
    const FAMILY: Family = Family::Chess;
    const STRUCTURE_RECURS: bool = false;

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

    fn perft(&self, depth: u32, _: Budget) -> Result<u64, BudgetExceeded> {
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

    fn played(&self, m: Ply) -> LineMove {
        if m.is_null() {
            LineMove::Null
        } else {
            LineMove::Squares(m.from, m.to)
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

    fn read_fen(row: &'static Variant, text: &str) -> Result<Fen<Self>, String> {
        text::read_fen(row, text, |position| match position {
            KinPosition::Compound(row, at) => Some(Self { row, at }),
            _ => None,
        })
    }

    fn read_written(row: &'static Variant, text: &str) -> Result<Written<Self>, Refusal> {
        let read = text::read_written(row, text, |position| match position {
            KinPosition::Compound(row, at) => Some(Self { row, at }),
            _ => None,
        })?;
        // The compound men have other letters in each of these games.
        let own = [read.at.row.archbishop, read.at.row.chancellor];
        let board = text.split_whitespace().next().unwrap_or_default();
        let mut letters = board.chars().map(|c| c.to_ascii_uppercase());
        let is_own = letters.all(|c| own.contains(&c) || !notation::is_compound(c));
        Ok(Written {
            fit: if is_own { Fit::Own } else { Fit::Foreign },
            ..read
        })
    }

    fn refusal(&self, word: &str, language: &Option<&'static Language>) -> Refusal {
        let read = self.resolve(word, *language);
        text::refusal(
            &read,
            word,
            "moves are written as `e4`, `Ci3` or `h1i3`, what comes in as `Nf3/H`",
        )
    }

    fn write(&self, m: Ply, style: MoveStyle, _: &Language) -> String {
        match style {
            MoveStyle::Usual => notation::write_san(self.row, &self.at, m),
            MoveStyle::Squares => notation::write_uci(self.row, &self.at, m),
        }
    }

    fn convention(&self, _: Expected) -> Self::Convention {
        None
    }

    fn in_language(&self, language: &'static Language) -> Option<Self::Convention> {
        Some((!language.is_english()).then_some(language))
    }

    fn context<'a>(
        &'a self,
        text: Text<'a>,
        convention: &'a Self::Convention,
        _: Effort,
    ) -> Self::Context<'a> {
        (text, *convention)
    }

    fn word(
        &self,
        (text, language): &mut Self::Context<'_>,
        item: usize,
        _: &[Ply],
    ) -> WordReading<Ply> {
        let word = text.of(&text.raw.items[item]);
        let read = self.resolve(&word, *language);
        text::of_resolved(read, &word, own, |_| false)
    }

    fn transformed(&self, symmetry: Symmetry) -> Option<Self> {
        let at = self.at.seen(symmetry.mirrors(), symmetry.swaps_colours())?;
        Some(Self { at, ..*self })
    }

    fn move_transformed(&self, m: Ply, symmetry: Symmetry) -> Ply {
        own(self.as_kin().ply_seen(KinPly::Compound(m), symmetry))
    }
}
