//! Xiangqi.

pub mod notation;
pub mod rules;

use std::borrow::Cow;

use super::{
    Budget, BudgetExceeded, Counting, Outcome,
    cursor::{Placement, Stepper},
    game::{Game, MoveStyle},
    grid::NINE,
    language::Expected,
    symmetry::Symmetry,
    text::{self, Effort, Resolved, Text, WordReading},
    variant::{ALL, Variant},
    written::{Refusal, Written},
};
use crate::{
    games::{
        diagram::{Diagram, Ground, Marks},
        key::Structure,
        notation::letters::Language,
    },
    pgn::parser::{Item, Syntax},
};
use notation::Ranks;
use rules::{self as xiangqi, Ply, Position, man};

/// What reading a text of xiangqi keeps in mind.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    text: Text<'a>,
    /// Whether its ranks are counted from 0 or 1.
    ranks: Ranks,
}

impl Game for Position {
    type Move = Ply;
    type Slots = ();
    type Convention = ();
    type Context<'a> = Context<'a>;
    type Cursor = Stepper<Self>;

    const NULL: Ply = Ply::NULL;
    const SYNTAX: Syntax = Syntax::Pgn;
    const NAME_DECIDES: bool = true;
    const FIRST_PLAYER: Option<&'static str> = Some("Red");
    const STRUCTURE_RECURS: bool = false;
    const SIDES: [&'static str; 2] = ["red", "black"];

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

    fn perft(&self, depth: u32, _: Counting, _: Budget) -> Result<u64, BudgetExceeded> {
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

    fn marks(&self, m: Ply) -> Marks {
        if m.is_null() {
            Marks::default()
        } else {
            Marks::ends(m.from, m.to)
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        let is_over = Self::legal(self).is_empty();
        is_over.then(|| {
            if self.is_check() {
                Outcome::Checkmate
            } else {
                Outcome::LosingStalemate
            }
        })
    }

    fn diagram(&self) -> Diagram {
        let size = (NINE.files, NINE.ranks);
        Diagram::of_grid(size, Ground::Points, Game::fen(self), |square| {
            let man = self.at(square);
            (man != man::NONE).then(|| notation::drawn(man))
        })
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

    fn read_written(row: &'static Variant, text: &str) -> Result<Written<Self>, Refusal> {
        let read = notation::fen::read(text);
        let read = read.map(|read| (read.position, read.fields, read.warnings));
        text::written(row, text, read)
    }

    fn refusal(&self, word: &str, (): &()) -> Refusal {
        let read = Resolved::from_result(notation::resolve(self, word, Ranks::Either));
        let hint = "moves are written as `h3e3` (or `h2e2`), `C2=5` or `Che3`";
        text::refusal(&read, word, hint)
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
        let ranks = notation::ranks_of(self, words.iter().map(AsRef::as_ref));
        Context { text, ranks }
    }

    fn word(&self, context: &mut Context<'_>, item: usize, _: &[Ply]) -> WordReading<Ply> {
        let Context { text, ranks } = *context;
        let word = word_of(text, &text.raw.items[item]);
        let read = Resolved::from_result(notation::resolve(self, &word, ranks));
        text::of_resolved(read, &word, |_| false)
    }

    fn read_alone(&self, word: &str) -> Option<(Vec<(String, Self)>, bool)> {
        let m = notation::resolve(self, word, Ranks::Either).ok()?;
        (!m.is_null()).then(|| text::alone(self, m, word))
    }

    fn transformed(&self, symmetry: Symmetry) -> Option<Self> {
        if symmetry == Symmetry::None {
            return Some(*self);
        }
        self.seen(symmetry.mirrors(), symmetry.swaps_colours())
    }

    fn move_transformed(&self, m: Ply, symmetry: Symmetry) -> Ply {
        if symmetry == Symmetry::None || m.is_null() {
            return m;
        }
        let seen = |square| NINE.seen(square, symmetry.mirrors(), symmetry.swaps_colours());
        Ply {
            from: seen(m.from),
            to: seen(m.to),
        }
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
