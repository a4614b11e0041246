//! Othello.

pub mod notation;
pub mod rules;

use super::{
    cursor::{Placement, Stepper},
    game::{Fen, Game, MoveStyle},
    line_move::LineMove,
    text::{self, Effort, Text, WordReading},
    written::{Fit, Refusal, Score, Written},
};
use super::{
    draughts::{
        rows::ResultOrder,
        rules::{Budget, BudgetExceeded},
    },
    language::Expected,
    variant::{ALL, Variant},
    xiangqi::notation::Ranks,
};
use crate::{
    key::Structure,
    notation::{kin, letters::Language},
    parse::Family,
    position::{KinPly, KinPosition, Symmetry},
};
use rules::{self as othello, PASS, Position};

fn own(ply: KinPly) -> u8 {
    match ply {
        KinPly::Othello(m) => m,
        _ => PASS,
    }
}

impl Game for Position {
    /// A square, or the pass, which is also legal where it is forced.
    type Move = u8;
    type Slots = ();
    type Convention = ();
    type Context<'a> = Text<'a>;
    type Cursor = Stepper<Self>;

    const NULL: u8 = PASS;
    const FAMILY: Family = Family::Draughts;
    const STRUCTURE_RECURS: bool = false;

    fn variant(&self) -> &'static Variant {
        Variant::by_name("othello").unwrap_or(&ALL[0])
    }

    /// Its rules count the side that begins first, and that is Black.
    fn turn(&self) -> usize {
        usize::from(Self::turn(self) ^ 1)
    }

    fn number(&self) -> (u32, bool) {
        (1, Self::turn(self) == 1)
    }

    fn legal(&self, _: Budget, out: &mut Vec<u8>) -> Result<(), BudgetExceeded> {
        out.extend(Self::legal(self));
        Ok(())
    }

    fn play(&mut self, m: u8) {
        Self::play(self, m);
    }

    fn perft(&self, depth: u32, _: Budget) -> Result<u64, BudgetExceeded> {
        Ok(othello::perft(self, depth))
    }

    fn key(&self) -> u64 {
        Self::key(self)
    }

    fn key_after(&self, key: u64, m: u8) -> u64 {
        Self::key_after(self, key, m)
    }

    fn placement(&self) -> Placement {
        let discs = [self.discs(0), self.discs(1)];
        Placement {
            board: "othello".to_owned(),
            squares: discs.into_iter().flat_map(u64::to_le_bytes).collect(),
            besides: 0,
        }
    }

    fn structure(&self) -> Structure {
        Self::structure(self)
    }

    fn state(&self) -> u32 {
        0
    }

    fn code(&self, m: u8) -> u16 {
        u16::from(m)
    }

    fn moves_of(&self, code: u16) -> Vec<u8> {
        let square = u8::try_from(code).ok();
        square.filter(|&m| m <= PASS).into_iter().collect()
    }

    fn played(&self, m: u8) -> LineMove {
        if m < PASS {
            LineMove::Squares(m, m)
        } else {
            LineMove::Null
        }
    }

    fn slots(&self) {}

    fn pack(&self, m: u8, (): &mut (), out: &mut Vec<u8>) {
        othello::pack(m, out);
    }

    fn unpack(&self, (): &mut (), bytes: &mut &[u8]) -> Option<u8> {
        othello::unpack(self, bytes)
    }

    fn cursor(&self) -> Stepper<Self> {
        Stepper::new(self)
    }

    fn fen(&self) -> String {
        notation::fen::write(self)
    }

    fn read_fen(row: &'static Variant, text: &str) -> Result<Fen<Self>, String> {
        text::read_fen(row, text, |position| match position {
            KinPosition::Othello(at) => Some(at),
            _ => None,
        })
    }

    /// Lists of squares look like those of draughts, and boards of `b` and `p` alone like
    /// those of chess: only with signs of its own is a board surely one of Othello.
    fn read_written(row: &'static Variant, text: &str) -> Result<Written<Self>, Refusal> {
        let is_list = text.contains(':');
        let own = |position| match position {
            KinPosition::Othello(at) => Some(at),
            _ => None,
        };
        match text::read_written(row, text, own) {
            Ok(read) => {
                let fit = if is_list {
                    Fit::Foreign
                } else if text.contains(['X', 'x', 'O', 'o', '*', '[']) {
                    Fit::Own
                } else {
                    Fit::Asked
                };
                Ok(Written { fit, ..read })
            }
            Err(refusal) if is_list => Err(Refusal {
                reached: refusal.reached.min(1),
                ..refusal
            }),
            Err(refusal) => Err(refusal),
        }
    }

    fn refusal(&self, word: &str, (): &()) -> Refusal {
        let at = KinPosition::Othello(*self);
        let read = kin::resolve_all(&at, word, Ranks::Either, None);
        text::refusal(&read, word, "moves are written as `f5`, a pass as `--`")
    }

    const SCORE: Score = Score::Single;

    fn result_order(&self) -> Option<ResultOrder> {
        Some(ResultOrder::BlackFirst)
    }

    fn winner(&self) -> Option<usize> {
        let winner = self.outcome().and_then(othello::Outcome::winner);
        winner.map(|side| usize::from(side ^ 1))
    }

    fn write(&self, m: u8, _: MoveStyle, _: &Language) -> String {
        notation::write(m)
    }

    fn convention(&self, _: Expected) {}

    fn context<'a>(&'a self, text: Text<'a>, (): &'a (), _: Effort) -> Text<'a> {
        text
    }

    fn word(&self, text: &mut Text<'_>, item: usize, _: &[u8]) -> WordReading<u8> {
        let word = text.of(&text.raw.items[item]);
        let at = KinPosition::Othello(*self);
        let read = kin::resolve_all(&at, &word, Ranks::Either, None);
        text::of_resolved(read, &word, own, is_score)
    }

    fn transformed(&self, symmetry: Symmetry) -> Option<Self> {
        match KinPosition::Othello(*self).seen(symmetry)? {
            KinPosition::Othello(at) => Some(at),
            _ => None,
        }
    }

    fn move_transformed(&self, m: u8, symmetry: Symmetry) -> u8 {
        own(KinPosition::Othello(*self).ply_seen(KinPly::Othello(m), symmetry))
    }

    /// The start must stay the same.
    fn swaps_sides(_: Symmetry) -> bool {
        false
    }
}

/// Whether a word is the result in discs (`38-26`).
fn is_score(word: &str) -> bool {
    let is_number = |text: &str| {
        let text = text.trim();
        (1..=2).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
    };
    word.split_once(['-', ':'])
        .is_some_and(|(one, other)| is_number(one) && is_number(other))
}
