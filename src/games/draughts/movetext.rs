//! What one word of a game of draughts can mean.
//!
//! A capture written short can fit several moves; all of them are given, and the code that reads
//! the line looks at what follows.

use std::borrow::Cow;

use super::{
    Draughts,
    notation::{
        fen as draughts_fen, moves as draughts_move,
        moves::{DraughtsMoveError, DraughtsMoveText},
    },
    replay::{DraughtsPly, DraughtsStart, word},
    rules::{
        DraughtsMove, DraughtsPosition, DraughtsRules, Promotion, any_capture, moves, moves_between,
    },
    write,
};
use crate::games::text::{GameText, ParseBudget, WordReading, WordRemainder};
use crate::games::{Budget, BudgetExceeded};
use crate::{
    base::diagnostic::Code,
    pgn::parser::{ItemKind, RawItem},
};

/// Jumps that may be looked at for any word. What needs more is charged.
pub(super) const CHEAP: Budget = Budget(2_000);
/// Jumps for a word of a position that needs more, as often as there is credit.
const DEAR: Budget = Budget(50_000);
/// Jumps of dear positions for one game at most, and for each byte of its record:
/// many small games must not cost more than a large one.
const CREDIT: u32 = 80 * DEAR.0;
const CREDIT_PER_BYTE: u32 = 1_000;

/// More parts than any capture is written in.
const PARTS_MAX: usize = 12;

/// Places at which a word is cut in two: more than two moves written short have.
const GLUED_CUTS_MAX: usize = 12;

/// Legal moves that are named where a move is not one of them.
const NAMED_MOVES_MAX: usize = 8;
/// Jumps that are looked at to name them.
const NAMING: Budget = Budget(2_000);

/// What reading a text of draughts keeps in mind.
pub struct DraughtsContext<'a> {
    pub(super) text: GameText<'a>,
    pub(super) opening: &'a DraughtsStart,
    /// The places of the words of the main line; none of a variation that stands alone.
    main: Vec<u32>,
    /// What may still be spent on dear positions of the main line.
    credit: u32,
    /// Whether the game may begin with men that are put elsewhere.
    is_drawn: bool,
    pub(super) moves: Vec<DraughtsMove>,
}

impl<'a> DraughtsContext<'a> {
    pub(super) fn new(text: GameText<'a>, opening: &'a DraughtsStart, effort: ParseBudget) -> Self {
        let is_game = effort != ParseBudget::Variation;
        let credit = (text.raw.span.1 - text.raw.span.0)
            .saturating_mul(CREDIT_PER_BYTE)
            .clamp(2 * DEAR.0, CREDIT);
        let mut main = Vec::new();
        if is_game {
            main.reserve(text.raw.items.len());
            main.extend(text.words_of_line(0).map(|at| at as u32));
        }
        Self {
            text,
            opening,
            main,
            credit: if effort == ParseBudget::Game {
                credit
            } else {
                0
            },
            is_drawn: is_game
                && opening.numbering().letters()
                && opening.at.variant.rules.rows == 3
                && opening.is_usual(),
            moves: Vec::new(),
        }
    }

    /// What a word means in a position.
    pub(super) fn word(
        &mut self,
        at: &DraughtsPosition,
        item: usize,
        before: &[DraughtsPly],
    ) -> WordReading<DraughtsPly> {
        let place = self.main.binary_search(&(item as u32)).ok();
        let mut word = DraughtsWord {
            rules: &self.opening.at.variant.rules,
            context: self,
            at,
            item,
            place,
            before,
            findings: Vec::new(),
        };
        let mut reading = word.read();
        reading.findings.append(&mut word.findings);
        reading
    }
}

/// A word in a position.
struct DraughtsWord<'c, 'a> {
    context: &'c mut DraughtsContext<'a>,
    rules: &'a DraughtsRules,
    at: &'c DraughtsPosition,
    /// Its place among the items.
    item: usize,
    /// Its place among the words of the main line, if it is one of them.
    place: Option<usize>,
    /// The plies of its line before it.
    before: &'c [DraughtsPly],
    findings: Vec<(Code, Cow<'static, str>)>,
}

fn one(step: DraughtsPly, words: u32) -> WordReading<DraughtsPly> {
    WordReading {
        options: vec![(vec![step], words)],
        ..WordReading::default()
    }
}

fn of_moves(moves: &[DraughtsMove], words: u32) -> WordReading<DraughtsPly> {
    WordReading {
        options: moves
            .iter()
            .map(|m| (vec![DraughtsPly::Move(*m)], words))
            .collect(),
        ..WordReading::default()
    }
}

impl<'a> DraughtsWord<'_, 'a> {
    fn said(&mut self, code: Code) {
        self.findings.push((code, Cow::Borrowed("")));
    }

    fn own(&self) -> &'a RawItem {
        &self.context.text.raw.items[self.item]
    }

    fn text(&self) -> Cow<'a, str> {
        self.context.text.of(self.own())
    }

    /// The words after it on its line.
    fn next(&self) -> impl Iterator<Item = &'a RawItem> + use<'a> {
        let raw = self.context.text.raw;
        let behind = self.context.text.words_of_line(self.item).skip(1);
        behind.map(move |at| &raw.items[at])
    }

    fn read(&mut self) -> WordReading<DraughtsPly> {
        let item = self.own();
        let bytes = self.context.text.bytes_of(item);
        if item.kind == ItemKind::Word
            && let Some((from, to)) = self.context.opening.squares().quick_move(bytes)
        {
            let moves = &mut self.context.moves;
            moves.clear();
            let plenty = moves_between(self.at, self.rules, from, to, CHEAP, moves).is_err();
            if moves.len() == 1 || !plenty && !moves.is_empty() {
                return of_moves(moves, 1);
            }
            return self.squares(&[from, to], None);
        }
        let text = self.text();
        if item.kind == ItemKind::Setup {
            return self.setup(&text);
        }
        if word::is_unknown_move(&text) {
            self.said(Code::NullMove);
            return one(DraughtsPly::Null, 1);
        }
        if text.trim() == "-"
            && let Some(next) = self.next().next()
            && next.kind == ItemKind::Word
            && self.context.text.bytes_of(next) == b"-"
        {
            self.said(Code::NullMove);
            return one(DraughtsPly::Null, 2);
        }
        match draughts_move::parse(&text, self.context.opening.numbering()) {
            Ok(read) => self.squares(read.cells(), read.taken),
            Err(DraughtsMoveError::NoSuchSquare(_)) if self.is_last_result(&text) => {
                Self::result(&text)
            }
            Err(error @ DraughtsMoveError::NoSuchSquare(_)) => self
                .glued_moves(&text)
                .unwrap_or_else(|| WordReading::stop(Code::IllegalMove, error.to_string())),
            Err(_) => self
                .glued_moves(&text)
                .or_else(|| self.short(&text))
                .unwrap_or_else(|| {
                    self.said(Code::UnknownWord);
                    Self::unread()
                }),
        }
    }

    fn unread() -> WordReading<DraughtsPly> {
        WordReading {
            rest: WordRemainder::Unread(0),
            ..WordReading::default()
        }
    }

    fn result(text: &str) -> WordReading<DraughtsPly> {
        WordReading {
            result: Some(text.trim().to_owned()),
            ..WordReading::default()
        }
    }

    fn setup(&mut self, text: &str) -> WordReading<DraughtsPly> {
        match draughts_fen::parse(text, self.context.opening.numbering()) {
            Ok(read) if read.turn_only => {
                if read.position.turn() == self.at.turn() {
                    // Says what is so already.
                    return Self::unread();
                }
                self.said(Code::NullMove);
                one(DraughtsPly::Null, 1)
            }
            Ok(read) => one(DraughtsPly::Setup(read.position), 1),
            Err(error) => WordReading::stop(Code::IllegalMove, format!("set-up: {error}")),
        }
    }

    /// The moves of some squares in a position, with a budget that grows where it must.
    fn candidates(
        &mut self,
        at: &DraughtsPosition,
        rules: &DraughtsRules,
        cells: &[u8],
        taken: Option<u128>,
    ) -> Result<Vec<DraughtsMove>, DraughtsMoveError> {
        let resolve = |budget| draughts_move::resolve(at, rules, cells, taken, budget);
        match resolve(CHEAP) {
            Err(DraughtsMoveError::Budget(_)) if self.spend() => resolve(DEAR),
            other => other,
        }
    }

    /// Takes a dear look off the credit, if there is enough of it.
    const fn spend(&mut self) -> bool {
        let can = self.place.is_some() && self.context.credit >= DEAR.0;
        if can {
            self.context.credit -= DEAR.0;
        }
        can
    }

    /// The meaning of a word by its squares.
    #[cold]
    fn squares(&mut self, cells: &[u8], taken: Option<u128>) -> WordReading<DraughtsPly> {
        let (at, rules) = (self.at, self.rules);
        match self.candidates(at, rules, cells, taken) {
            Ok(moves) => return of_moves(&moves, 1),
            Err(DraughtsMoveError::Budget(BudgetExceeded)) => {
                let budget = if self.spend() { DEAR } else { CHEAP };
                return match any_capture(at, rules, cells, taken, budget) {
                    Some(played) => {
                        self.said(Code::UnverifiedMove);
                        one(DraughtsPly::Move(played), 1)
                    }
                    None => WordReading::stop(Code::IllegalMove, ""),
                };
            }
            Err(_) => {}
        }
        if let Some(reading) = self.split_jumps(cells) {
            return reading;
        }
        if let Some(reading) = self.other_promotion(cells, taken) {
            return reading;
        }
        if self.before.is_empty() && self.place.is_some() && self.is_behind_dots() {
            let mut other = *at;
            other.set_turn(at.turn() ^ 1);
            if self.candidates(&other, rules, cells, taken).is_ok() {
                self.said(Code::NullMove);
                return one(DraughtsPly::Null, 0);
            }
        }
        if let [from, to] = *cells
            && let Some(step) = self.placement((from, to))
        {
            self.said(Code::Placement);
            return one(step, 1);
        }
        let text = self.text();
        if self.is_last_result(&text) {
            return Self::result(&text);
        }
        self.glued_moves(&text)
            .unwrap_or_else(|| WordReading::stop(Code::IllegalMove, ""))
    }

    /// A move with only the file of its first square written: `cd4`, `e:g5`.
    fn short(&mut self, text: &str) -> Option<WordReading<DraughtsPly>> {
        let numbering = self.context.opening.numbering();
        let file = text.chars().next()?;
        let rest = &text[file.len_utf8()..];
        let parsed = |rank: u8| draughts_move::parse(&format!("{file}{rank}{rest}"), numbering);
        let texts: Vec<DraughtsMoveText> = (1..=8).filter_map(|rank| parsed(rank).ok()).collect();
        if texts.is_empty() || !numbering.letters() {
            return None;
        }
        let (at, rules) = (self.at, self.rules);
        let look = |read: &DraughtsMoveText| {
            draughts_move::resolve(at, rules, read.cells(), read.taken, CHEAP).unwrap_or_default()
        };
        let moves: Vec<DraughtsMove> = texts.iter().flat_map(look).collect();
        Some(if moves.is_empty() {
            WordReading::stop(Code::IllegalMove, "")
        } else {
            of_moves(&moves, 1)
        })
    }

    /// Two moves without a space between them, that only the board can distinguish:
    /// `1-52x9` is `1-5` and `2x9`.
    fn glued_moves(&mut self, text: &str) -> Option<WordReading<DraughtsPly>> {
        let numbering = self.context.opening.numbering();
        let mut options = Vec::new();
        for (end, _) in text.char_indices().skip(3).take(GLUED_CUTS_MAX) {
            let (first, second) = text.split_at(end);
            let parse = |text: &str| draughts_move::parse(text, numbering).ok();
            let (Some(first), Some(second)) = (parse(first), parse(second)) else {
                continue;
            };
            let look = |at: &DraughtsPosition, read: &DraughtsMoveText| {
                draughts_move::resolve(at, self.rules, read.cells(), read.taken, CHEAP)
            };
            for m in look(self.at, &first).unwrap_or_default() {
                let mut behind = *self.at;
                behind.play(&m);
                let answers = look(&behind, &second).unwrap_or_default();
                options.extend(answers.iter().map(|&answer| {
                    let plies = vec![DraughtsPly::Move(m), DraughtsPly::Move(answer)];
                    (plies, 1)
                }));
            }
        }
        (!options.is_empty()).then(|| {
            self.said(Code::MoveGlued);
            WordReading {
                options,
                ..WordReading::default()
            }
        })
    }

    /// A capture with each jump as a word of its own (Sage, 1995).
    fn split_jumps(&mut self, cells: &[u8]) -> Option<WordReading<DraughtsPly>> {
        let mut joined = cells.to_vec();
        for (used, item) in (2..).zip(self.next().take(PARTS_MAX - 1)) {
            if item.kind != ItemKind::Word {
                return None;
            }
            let text = self.context.text.of(item);
            let next = draughts_move::parse(&text, self.context.opening.numbering()).ok()?;
            let (first, rest) = next.cells().split_first()?;
            if joined.last() != Some(first) {
                return None;
            }
            joined.extend(rest);
            if let Ok(moves) = self.candidates(self.at, self.rules, &joined, None) {
                self.said(Code::SplitCapture);
                return Some(of_moves(&moves, used));
            }
        }
        None
    }

    /// Turkish men on the last row: rule books disagree about what becomes of
    /// one that goes on capturing.
    fn other_promotion(
        &mut self,
        cells: &[u8],
        taken: Option<u128>,
    ) -> Option<WordReading<DraughtsPly>> {
        if self.context.opening.at.variant.game_type != Some(30) {
            return None;
        }
        for promotion in [Promotion::Continue, Promotion::Stop] {
            let rules = DraughtsRules {
                promotion,
                ..*self.rules
            };
            if let Ok(moves) = self.candidates(self.at, &rules, cells, taken) {
                self.said(Code::OtherPromotion);
                return Some(of_moves(&moves, 1));
            }
        }
        None
    }

    /// Drawn openings: the first two words put a man of either side on an empty
    /// square each. They are written as if at once: the first may go where the
    /// second comes from (`b2-h6 h6-a5`), and is then the second ply.
    fn placement(&self, (from, to): (u8, u8)) -> Option<DraughtsPly> {
        let place = self.place?;
        if !self.context.is_drawn || place > 1 || self.before.len() != place {
            return None;
        }
        let occupied = |cell: u8| self.at.occupied() >> cell & 1 == 1;
        let squares = |place: usize| {
            let item = &self.context.text.raw.items[*self.context.main.get(place)? as usize];
            let text = self.context.text.of(item);
            match *draughts_move::parse(&text, self.context.opening.numbering())
                .ok()?
                .cells()
            {
                [from, to] => Some((from, to)),
                _ => None,
            }
        };
        let (from, to) = match *self.before {
            [] if occupied(to) => squares(1).filter(|&(next, _)| next == to)?,
            [
                DraughtsPly::Placement {
                    from: first,
                    to: last,
                },
            ] if (first, last) == (from, to) => squares(0)?,
            [] | [DraughtsPly::Move(_) | DraughtsPly::Placement { .. }] => (from, to),
            _ => return None,
        };
        (occupied(from) && !occupied(to)).then_some(DraughtsPly::Placement { from, to })
    }

    /// Whether a word is the last one and a result, and neither a tag nor the end of the game
    /// gives another. A move with a wrong square looks like one.
    fn is_last_result(&self, text: &str) -> bool {
        let is_last = (self.place).is_some_and(|place| place + 1 == self.context.main.len());
        is_last
            && self.context.text.raw.termination.is_none()
            && word::is_result(text)
            && word::is_decisive(&self.context.text.result()).is_none()
    }

    /// Whether dots before a word say that the other side has moved (`1... 7-12`).
    fn is_behind_dots(&self) -> bool {
        let bytes = self.context.text.bytes;
        let before = bytes.get(..self.own().offset as usize).unwrap_or_default();
        before.trim_ascii_end().ends_with(b"..")
    }
}

/// What is wrong with a move, and what would be right.
pub(super) fn complaint(
    at: &Draughts,
    context: &DraughtsContext<'_>,
    item: usize,
    played: u32,
    why: &str,
) -> String {
    let word = context.text.of(&context.text.raw.items[item]);
    let mut detail = format!("{word} at ply {}", played + 1);
    if !why.is_empty() {
        detail.push_str(": ");
        detail.push_str(why);
    }
    let rules = &at.variant.rules;
    let Ok(legal) = moves(&at.position, rules, NAMING) else {
        return detail;
    };
    if legal.is_empty() {
        detail.push_str("; no move is legal");
        return detail;
    }
    detail.push_str("; legal: ");
    let here = Draughts {
        corner: context.opening.at.corner,
        ..*at
    };
    detail.push_str(&write::names(&here, &legal, NAMED_MOVES_MAX, NAMING));
    detail
}
