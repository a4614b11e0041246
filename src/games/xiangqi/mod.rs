//! Xiangqi.

pub mod notation;
pub mod rules;

use std::borrow::Cow;

use super::{
    cursor::{Placement, Stepper},
    game::{Fen, Game, MoveStyle},
    line_move::LineMove,
    text::{self, Effort, Text, WordReading},
    written::{Refusal, Written},
};
use super::{
    draughts::rules::{Budget, BudgetExceeded},
    language::Expected,
    variant::{ALL, Variant},
};
use crate::{
    key::Structure,
    notation::{kin, letters::Language},
    parse::{Family, Item},
    position::{KinPly, KinPosition, Symmetry},
};
use notation::Ranks;
use rules::{self as xiangqi, Ply, Position};

/// What reading a text of xiangqi keeps in mind.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    text: Text<'a>,
    /// Whether its ranks are counted from 0 or 1.
    ranks: Ranks,
}

fn own(ply: KinPly) -> Ply {
    match ply {
        KinPly::Xiangqi(m) => m,
        _ => Ply::NULL,
    }
}

impl Game for Position {
    type Move = Ply;
    type Slots = ();
    type Convention = ();
    type Context<'a> = Context<'a>;
    type Cursor = Stepper<Self>;

    const NULL: Ply = Ply::NULL;
    const FAMILY: Family = Family::Chess;
    const STRUCTURE_RECURS: bool = false;

    fn variant(&self) -> &'static Variant {
        Variant::by_name("xiangqi").unwrap_or(&ALL[0])
    }

    fn turn(&self) -> usize {
        usize::from(Self::turn(self))
    }

    fn number(&self) -> (u32, bool) {
        (self.counters().1, Self::turn(self) == 1)
    }

    fn legal(&self, _: Budget, out: &mut Vec<Ply>) -> Result<(), BudgetExceeded> {
        out.extend(Self::legal(self));
        Ok(())
    }

    fn play(&mut self, m: Ply) {
        Self::play(self, m);
    }

    fn perft(&self, depth: u32, _: Budget) -> Result<u64, BudgetExceeded> {
        Ok(xiangqi::perft(self, depth))
    }

    fn key(&self) -> u64 {
        Self::key(self)
    }

    fn placement(&self) -> Placement {
        Placement {
            board: "xiangqi".to_owned(),
            squares: self.men().to_vec(),
            besides: 0,
        }
    }

    fn structure(&self) -> Structure {
        Self::structure(self)
    }

    fn state(&self) -> u32 {
        0
    }

    fn code(&self, m: Ply) -> u16 {
        m.code()
    }

    fn moves_of(&self, code: u16) -> Vec<Ply> {
        Ply::of_code(code).into_iter().collect()
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
        xiangqi::pack::pack(m, self, out);
    }

    fn unpack(&self, (): &mut (), bytes: &mut &[u8]) -> Option<Ply> {
        xiangqi::pack::unpack(self, bytes)
    }

    fn cursor(&self) -> Stepper<Self> {
        Stepper::new(self)
    }

    fn fen(&self) -> String {
        notation::fen::write(self)
    }

    fn read_fen(row: &'static Variant, text: &str) -> Result<Fen<Self>, String> {
        text::read_fen(row, text, |position| match position {
            KinPosition::Xiangqi(at) => Some(at),
            _ => None,
        })
    }

    fn read_written(row: &'static Variant, text: &str) -> Result<Written<Self>, Refusal> {
        text::read_written(row, text, |position| match position {
            KinPosition::Xiangqi(at) => Some(at),
            _ => None,
        })
    }

    fn refusal(&self, word: &str, (): &()) -> Refusal {
        let at = KinPosition::Xiangqi(*self);
        let read = kin::resolve_all(&at, word, Ranks::Either, None);
        text::refusal(
            &read,
            word,
            "moves are written as `h3e3` (or `h2e2`), `C2=5` or `Che3`",
        )
    }

    fn write(&self, m: Ply, style: MoveStyle, _: &Language) -> String {
        match style {
            MoveStyle::Usual => notation::write_san(self, m),
            MoveStyle::Squares => notation::write_uci(m),
        }
    }

    fn convention(&self, _: Expected) {}

    fn context<'a>(&'a self, text: Text<'a>, (): &'a (), _: Effort) -> Context<'a> {
        let items = text.words_of_line(0);
        let words: Vec<Cow<'_, str>> = items.map(|at| word_of(text, &text.raw.items[at])).collect();
        let at = KinPosition::Xiangqi(*self);
        let ranks = kin::ranks_of(&at, words.iter().map(AsRef::as_ref));
        Context { text, ranks }
    }

    fn word(&self, context: &mut Context<'_>, item: usize, _: &[Ply]) -> WordReading<Ply> {
        let Context { text, ranks } = *context;
        let word = word_of(text, &text.raw.items[item]);
        let read = kin::resolve_all(&KinPosition::Xiangqi(*self), &word, ranks, None);
        text::of_resolved(read, &word, own, |_| false)
    }

    fn transformed(&self, symmetry: Symmetry) -> Option<Self> {
        self.seen(symmetry.mirrors(), symmetry.swaps_colours())
    }

    fn move_transformed(&self, m: Ply, symmetry: Symmetry) -> Ply {
        own(KinPosition::Xiangqi(*self).ply_seen(KinPly::Xiangqi(m), symmetry))
    }
}

/// The text of a word. A dot that is the sign of a move to the side (`C2.5`) makes two
/// words of one.
fn word_of<'a>(text: Text<'a>, item: &Item) -> Cow<'a, str> {
    let word = text.bytes_of(item);
    let from = item.offset as usize;
    let behind = text.bytes.get(from + word.len()..);
    if word.len() == 2
        && let Some([b'.', b'1'..=b'9', rest @ ..]) = behind
        && !rest.first().is_some_and(u8::is_ascii_alphanumeric)
    {
        return (text.decode)(&text.bytes[from..from + 4]);
    }
    (text.decode)(word)
}
