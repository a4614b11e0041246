//! Chess variants by shakmaty's rules: crazyhouse, king of the hill, three- and
//! five-check, atomic, antichess, horde, racing kings.

pub mod played;

use shakmaty::{Move, Position as _};

use super::{
    chess::{replay::State, rules::man},
    draughts::rules::{Budget, BudgetExceeded},
    language as tongue,
    language::Expected,
    variant::Variant,
    xiangqi::notation::Ranks,
};
use super::{
    cursor::{Placement, Stepper},
    game::{Fen, Game, MoveStyle},
    line_move::LineMove,
    text::{self, Attempt, Effort, Text, WordReading},
    written::{Refusal, Written},
};
use crate::{
    games::replay::kin::{besides, code},
    key::{self, Structure},
    notation::{
        kin,
        letters::{ENGLISH, Language, Tally, is_foreign},
    },
    parse::Family,
    position::{KinPly, KinPosition, Played, Symmetry},
};

/// A position of a chess variant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChessVariant {
    /// Which variant.
    pub row: &'static Variant,
    /// The position with its pockets or checks.
    pub at: Played,
}

fn own(ply: KinPly) -> Option<Move> {
    match ply {
        KinPly::Shakmaty(m) => Some(m),
        _ => None,
    }
}

impl ChessVariant {
    fn as_kin(&self) -> KinPosition {
        KinPosition::Shakmaty(self.at.clone())
    }
}

impl Game for ChessVariant {
    /// `None` passes the turn: shakmaty has no such move.
    type Move = Option<Move>;
    type Slots = ();
    type Convention = Expected;
    type Context<'a> = (Text<'a>, &'a Expected);
    type Cursor = Stepper<Self>;

    const NULL: Option<Move> = None;
    const FAMILY: Family = Family::Chess;
    const STRUCTURE_RECURS: bool = true;
    const HAS_LETTERS: bool = true;

    fn variant(&self) -> &'static Variant {
        self.row
    }

    fn turn(&self) -> usize {
        usize::from(self.at.turn().is_black())
    }

    fn number(&self) -> (u32, bool) {
        (self.at.fullmoves().get(), self.at.turn().is_black())
    }

    fn legal(&self, _: Budget, out: &mut Vec<Self::Move>) -> Result<(), BudgetExceeded> {
        out.extend(self.at.legal_moves().into_iter().map(Some));
        Ok(())
    }

    fn play(&mut self, m: Self::Move) {
        match m {
            Some(m) => self.at.play_unchecked(m),
            None => {
                if let Some(at) = self.at.passed() {
                    self.at = at;
                }
            }
        }
    }

    fn perft(&self, depth: u32, _: Budget) -> Result<u64, BudgetExceeded> {
        Ok(self.at.perft(depth))
    }

    fn key(&self) -> u64 {
        key::board_key(&man::codes(self.at.board()), self.turn()) ^ besides(&self.at)
    }

    /// A side in check cannot pass.
    fn other_side_key(&self) -> u64 {
        self.key() ^ key::polyglot::WHITE_TO_MOVE
    }

    /// Without anything in hand or any check given it is one of chess.
    fn placement(&self) -> Placement {
        Placement {
            besides: besides(&self.at),
            ..super::chess::placement(&man::codes(self.at.board()))
        }
    }

    fn structure(&self) -> Structure {
        Structure::of(&man::codes(self.at.board()))
    }

    fn state(&self) -> u32 {
        State::of(&self.at).bits()
    }

    fn code(&self, m: Self::Move) -> u16 {
        m.map_or(code::NULL, code::of_move)
    }

    fn moves_of(&self, code: u16) -> Vec<Self::Move> {
        if code == code::NULL {
            return vec![None];
        }
        let legal = self.at.legal_moves().into_iter();
        let found = legal.filter(|&m| code::of_move(m) == code);
        found.map(Some).collect()
    }

    fn played(&self, m: Self::Move) -> LineMove {
        m.map_or(LineMove::Null, |m| {
            let to = m.to();
            LineMove::Squares(u8::from(m.from().unwrap_or(to)), u8::from(to))
        })
    }

    fn slots(&self) {}

    fn pack(&self, m: Self::Move, (): &mut (), out: &mut Vec<u8>) {
        out.extend(self.code(m).to_le_bytes());
    }

    fn unpack(&self, (): &mut (), bytes: &mut &[u8]) -> Option<Self::Move> {
        let (head, rest) = bytes.split_first_chunk::<2>()?;
        let m = *self.moves_of(u16::from_le_bytes(*head)).first()?;
        *bytes = rest;
        Some(m)
    }

    fn cursor(&self) -> Stepper<Self> {
        Stepper::new(self)
    }

    fn fen(&self) -> String {
        kin::write_fen(&self.as_kin())
    }

    fn read_fen(row: &'static Variant, text: &str) -> Result<Fen<Self>, String> {
        text::read_fen(row, text, |position| match position {
            KinPosition::Shakmaty(at) => Some(Self { row, at }),
            _ => None,
        })
    }

    fn read_written(row: &'static Variant, text: &str) -> Result<Written<Self>, Refusal> {
        text::read_written(row, text, |position| match position {
            KinPosition::Shakmaty(at) => Some(Self { row, at }),
            _ => None,
        })
    }

    fn refusal(&self, word: &str, convention: &Expected) -> Refusal {
        let language = convention.language;
        let read = kin::resolve_all(&self.as_kin(), word, Ranks::Either, language);
        text::refusal(
            &read,
            word,
            "moves are written as `e4`, `Nf3`, drops as `N@f3`",
        )
    }

    fn write(&self, m: Self::Move, style: MoveStyle, language: &Language) -> String {
        let ply = m.map_or(KinPly::Null, KinPly::Shakmaty);
        match style {
            MoveStyle::Usual => kin::san_in(&self.as_kin(), ply, language),
            MoveStyle::Squares => kin::uci(&self.as_kin(), ply),
        }
    }

    fn convention(&self, expected: Expected) -> Expected {
        expected
    }

    fn in_language(&self, language: &'static Language) -> Option<Expected> {
        Some(Expected::certainly(language))
    }

    fn language(convention: &Expected) -> Option<&'static Language> {
        convention.language
    }

    fn context<'a>(
        &'a self,
        text: Text<'a>,
        convention: &'a Expected,
        _: Effort,
    ) -> Self::Context<'a> {
        (text, convention)
    }

    fn word(
        &self,
        (text, convention): &mut Self::Context<'_>,
        item: usize,
        _: &[Self::Move],
    ) -> WordReading<Self::Move> {
        let word = text.of(&text.raw.items[item]);
        let language = convention.language;
        let read = kin::resolve_all(&self.as_kin(), &word, Ranks::Either, language);
        WordReading {
            is_foreign: is_foreign(&word, language.unwrap_or(ENGLISH)),
            ..text::of_resolved(read, &word, own, |_| false)
        }
    }

    /// The languages that have the letters of the text, where the one that was
    /// expected did not come to its end, or has letters of others in it.
    fn others(
        &self,
        text: Text<'_>,
        convention: &Expected,
        _: &Attempt<Self::Move>,
    ) -> Vec<Expected> {
        if convention.certain {
            return Vec::new();
        }
        let expected = convention.language.unwrap_or(ENGLISH);
        let others = tally(text).best();
        let others = others
            .into_iter()
            .filter(|other| !other.moves_as(expected))
            .map(|other| Expected {
                language: (!other.is_english()).then_some(other),
                certain: convention.certain,
            });
        others.collect()
    }

    fn rank(
        text: Text<'_>,
        convention: &Expected,
        attempt: &Attempt<Self::Move>,
    ) -> Option<(u32, u32)> {
        let explained = tally(text).explained_by(convention.language.unwrap_or(ENGLISH));
        Some((attempt.plies, explained as u32))
    }

    /// Not all of these games are the same in a mirror.
    fn transformed(&self, symmetry: Symmetry) -> Option<Self> {
        (symmetry == Symmetry::None).then(|| self.clone())
    }

    fn move_transformed(&self, m: Self::Move, _: Symmetry) -> Self::Move {
        m
    }
}

/// The letters of a text's moves.
fn tally(text: Text<'_>) -> Tally {
    let words = tongue::main_words(text.raw, text.bytes, text.decode);
    Tally::of(words.iter().map(AsRef::as_ref))
}
