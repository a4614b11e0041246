//! From written words to plies, where a word can mean more than one.
//!
//! A capture written short can fit several moves. The first is taken; if the
//! rest of the line turns out not to be legal then, the next (depth first, with
//! a bound). Of several that let the whole line be legal, one that agrees with
//! the result is preferred, then the one that takes most, then the first.
//!
//! Everything here is bounded by the words of a line and some constants, and
//! never depends on the clock: the same text gives the same plies.

use std::borrow::Cow;

use super::{Step, opening::Opening, word};
use crate::{
    diagnostic::Code,
    limits::PLIES_MAX,
    notation::{
        draughts_fen,
        draughts_move::{self, MoveError},
    },
    parse::{Item, Kind, RawGame},
    replay::read::Decode,
    rules::draughts::{
        Budget, BudgetExceeded, Move, Position, Promotion, Rules, any_capture, moves_between,
    },
};

/// Jumps that may be looked at for any word. What needs more is charged.
const CHEAP: Budget = Budget(2_000);
/// Jumps for a word of a position that needs more, as often as there is credit.
const DEAR: Budget = Budget(200_000);
/// Jumps of dear positions for one game.
const CREDIT: u32 = 20 * DEAR.0;
/// Words that may be read again for other meanings of words before them.
const AGAIN: u32 = 20_000;
/// The same for a variation.
const AGAIN_IN_VARIATION: u32 = 500;
/// More parts than any capture is written in.
const PARTS_MAX: usize = 12;

/// A ply and the word that it was read from.
#[derive(Debug, Clone, Copy)]
pub(super) struct Played {
    /// Index into the line's words.
    pub(super) word: u32,
    pub(super) step: Step,
}

/// Something to say about a word.
#[derive(Debug, Clone)]
pub(super) struct Finding {
    pub(super) word: u32,
    pub(super) code: Code,
    /// Empty: the word itself.
    pub(super) detail: Cow<'static, str>,
}

/// Where a line could not go on.
#[derive(Debug, Clone)]
pub(super) struct End {
    pub(super) word: u32,
    pub(super) code: Code,
    pub(super) detail: Cow<'static, str>,
    /// The position there.
    pub(super) position: Position,
}

/// A line that was read.
#[derive(Debug, Clone, Default)]
pub(super) struct Line {
    pub(super) steps: Vec<Played>,
    pub(super) found: Vec<Finding>,
    /// Words that are no moves, ascending.
    pub(super) skipped: Vec<u32>,
    /// The last word, if it was a result.
    pub(super) result: Option<u32>,
    /// `None` if the line is whole.
    pub(super) end: Option<End>,
}

impl Line {
    /// Whether any move was played.
    pub(super) fn has_moves(&self) -> bool {
        self.steps
            .iter()
            .any(|played| matches!(played.step, Step::Move(_)))
    }
}

/// How good a line is: whole; how far or how fitting; how much it takes.
type Rank = (bool, u32, u32);

/// A word that can mean several plies.
struct Choice {
    word: usize,
    steps: usize,
    found: usize,
    skipped: usize,
    taken: u32,
    position: Position,
    /// What was not tried yet, the next one last; how many words each takes.
    left: Vec<(Step, u32)>,
}

/// What a word was found to be.
enum Found {
    /// A ply, and how many words it takes.
    One(Step, u32),
    /// Several; they are in the solver's options.
    Many,
    /// No move to be played, and nothing that ends the line.
    Skip,
    /// The result of the game.
    Result,
    /// The line ends.
    End(Code, Cow<'static, str>),
}

/// Reads lines of one game.
pub(super) struct Solver<'a> {
    raw: &'a RawGame,
    bytes: &'a [u8],
    decode: Decode<'a>,
    opening: &'a Opening,
    rules: &'a Rules,
    credit: u32,
    again: u32,
    moves: Vec<Move>,
    options: Vec<(Step, u32)>,
    /// Findings about the word at hand.
    pending: Vec<(Code, Cow<'static, str>)>,
    is_main: bool,
    drawn: bool,
}

impl<'a> Solver<'a> {
    /// For the main line of a game, or for its variations.
    pub(super) fn new(
        raw: &'a RawGame,
        bytes: &'a [u8],
        decode: Decode<'a>,
        opening: &'a Opening,
        is_main: bool,
    ) -> Self {
        let rules = &opening.variant().rules;
        Self {
            raw,
            bytes,
            decode,
            opening,
            rules,
            credit: if is_main { CREDIT } else { 0 },
            again: 0,
            moves: Vec::new(),
            options: Vec::new(),
            pending: Vec::new(),
            is_main,
            drawn: is_main
                && opening.numbering().letters()
                && rules.rows == 3
                && opening.is_usual(),
        }
    }

    fn item(&self, words: &[u32], word: usize) -> Option<&'a Item> {
        self.raw.items.get(*words.get(word)? as usize)
    }

    /// Reads a line from a position. `words` are its items; `fits` tells how
    /// well the last position agrees with what is known of the game.
    pub(super) fn solve(
        &mut self,
        start: &Position,
        words: &[u32],
        fits: impl Fn(&Position) -> u32,
    ) -> Line {
        self.again = if self.is_main {
            AGAIN
        } else {
            AGAIN_IN_VARIATION
        };
        let mut best: Option<(Rank, Line)> = None;
        let mut undecided = None;
        let mut went_back = None;
        let mut at = At {
            position: *start,
            word: 0,
            taken: 0,
            line: Line::default(),
        };
        at.line.steps.reserve(words.len());
        let mut choices: Vec<Choice> = Vec::new();
        while self.forward(&mut at, words, &mut choices, went_back.is_some()) {
            while choices.last().is_some_and(|choice| choice.left.is_empty()) {
                choices.pop();
            }
            let rank = match &at.line.end {
                None if choices.is_empty() && best.is_none() => (true, 0, 0),
                None => (true, fits(&at.position), at.taken),
                Some(end) => (false, end.word, 0),
            };
            let known = best.as_ref().map(|(rank, _)| *rank);
            if known == Some(rank) && rank.0 {
                undecided = undecided.or(went_back);
            }
            if known.is_none_or(|known| rank > known) {
                undecided = None;
                let line = if choices.is_empty() {
                    std::mem::take(&mut at.line)
                } else {
                    // Copies of long lines are no cheaper than reading words.
                    self.again = self.again.saturating_sub(at.line.steps.len() as u32 / 16);
                    at.line.clone()
                };
                best = Some((rank, line));
            }
            let Some(choice) = choices.last_mut() else {
                break;
            };
            let Some((step, used)) = choice.left.pop() else {
                break;
            };
            at.go_back_to(choice);
            went_back = Some(choice.word as u32);
            at.play(step, used);
        }
        let mut line = best.map(|(_, line)| line).unwrap_or_default();
        if let Some(word) = undecided {
            line.found.push(Finding {
                word,
                code: Code::AmbiguousCapture,
                detail: Cow::Borrowed(""),
            });
        }
        line
    }

    /// Reads on to the end of the line; false if there is no budget to.
    fn forward(
        &mut self,
        at: &mut At,
        words: &[u32],
        choices: &mut Vec<Choice>,
        is_again: bool,
    ) -> bool {
        while at.word < words.len() {
            if is_again {
                if self.again == 0 {
                    return false;
                }
                self.again -= 1;
            }
            let word = at.word as u32;
            let found = if at.line.steps.len() >= PLIES_MAX {
                Found::End(Code::PliesCut, Cow::Borrowed(""))
            } else {
                self.resolve(&at.position, words, at.word, &at.line.steps)
            };
            for (code, detail) in self.pending.drain(..) {
                at.line.found.push(Finding { word, code, detail });
            }
            match found {
                Found::One(step, used) => at.play(step, used),
                Found::Many => {
                    let mut left = std::mem::take(&mut self.options);
                    left.reverse();
                    let Some((step, used)) = left.pop() else {
                        return false;
                    };
                    choices.push(Choice {
                        word: at.word,
                        steps: at.line.steps.len(),
                        found: at.line.found.len(),
                        skipped: at.line.skipped.len(),
                        taken: at.taken,
                        position: at.position,
                        left,
                    });
                    at.play(step, used);
                }
                Found::Skip => {
                    at.line.skipped.push(word);
                    at.word += 1;
                }
                Found::Result => {
                    at.line.result = Some(word);
                    at.word += 1;
                }
                Found::End(code, detail) => {
                    at.line.end = Some(End {
                        word,
                        code,
                        detail,
                        position: at.position,
                    });
                    return true;
                }
            }
        }
        true
    }

    /// What a word is in a position.
    #[inline]
    fn resolve(
        &mut self,
        position: &Position,
        words: &[u32],
        word: usize,
        steps: &[Played],
    ) -> Found {
        let Some(item) = self.item(words, word) else {
            return Found::Skip;
        };
        let text = self.raw.text(self.bytes, item);
        if item.kind == Kind::Word
            && let Some((from, to)) = self.opening.squares().quick_move(text)
        {
            self.moves.clear();
            let rules = self.rules;
            let moves = &mut self.moves;
            let plenty = moves_between(position, rules, from, to, CHEAP, moves).is_err();
            if let [only] = self.moves[..] {
                return Found::One(Step::Move(only), 1);
            }
            if !plenty && !self.moves.is_empty() {
                return self.several();
            }
            return self.squares(position, words, word, steps, &[from, to], None);
        }
        self.unusual(position, words, word, steps)
    }

    fn several(&mut self) -> Found {
        if let [only] = self.moves[..] {
            return Found::One(Step::Move(only), 1);
        }
        self.options.clear();
        self.options
            .extend(self.moves.iter().map(|played| (Step::Move(*played), 1)));
        Found::Many
    }

    /// A word that is not plainly two squares.
    #[cold]
    fn unusual(
        &mut self,
        position: &Position,
        words: &[u32],
        word: usize,
        steps: &[Played],
    ) -> Found {
        let Some(item) = self.item(words, word) else {
            return Found::Skip;
        };
        let text = (self.decode)(self.raw.text(self.bytes, item));
        if item.kind == Kind::Setup {
            return self.setup(position, &text);
        }
        if word::is_unknown_move(&text) {
            self.pending.push((Code::NullMove, Cow::Borrowed("")));
            return Found::One(Step::Null, 1);
        }
        if text.trim() == "-"
            && let Some(next) = self.item(words, word + 1)
            && next.kind == Kind::Word
            && self.raw.text(self.bytes, next) == b"-"
        {
            self.pending.push((Code::NullMove, Cow::Borrowed("")));
            return Found::One(Step::Null, 2);
        }
        match draughts_move::parse(&text, self.opening.numbering()) {
            Ok(read) => self.squares(position, words, word, steps, read.cells(), read.taken),
            Err(MoveError::NoSuchSquare(_)) if self.is_last_result(words, word, &text) => {
                Found::Result
            }
            Err(error @ MoveError::NoSuchSquare(_)) => {
                Found::End(Code::IllegalMove, error.to_string().into())
            }
            Err(_) => {
                self.pending.push((Code::UnknownWord, Cow::Borrowed("")));
                Found::Skip
            }
        }
    }

    fn setup(&mut self, position: &Position, text: &str) -> Found {
        match draughts_fen::parse(text, self.opening.numbering()) {
            Ok(read) if read.turn_only => {
                if read.position.turn() == position.turn() {
                    // Says what is so already.
                    return Found::Skip;
                }
                self.pending.push((Code::NullMove, Cow::Borrowed("")));
                Found::One(Step::Null, 1)
            }
            Ok(read) => Found::One(Step::Setup(read.position), 1),
            Err(error) => Found::End(Code::IllegalMove, format!("set-up: {error}").into()),
        }
    }

    /// The moves of some squares, with a budget that grows where it must.
    fn candidates(
        &mut self,
        position: &Position,
        rules: &Rules,
        cells: &[u8],
        taken: Option<u128>,
    ) -> Result<Vec<Move>, MoveError> {
        let resolve = |budget| draughts_move::resolve(position, rules, cells, taken, budget);
        match resolve(CHEAP) {
            Err(MoveError::Budget(_)) if self.credit >= DEAR.0 => {
                self.credit -= DEAR.0;
                resolve(DEAR)
            }
            other => other,
        }
    }

    /// The meaning of a word by its squares.
    #[cold]
    fn squares(
        &mut self,
        position: &Position,
        words: &[u32],
        word: usize,
        steps: &[Played],
        cells: &[u8],
        taken: Option<u128>,
    ) -> Found {
        match self.candidates(position, self.rules, cells, taken) {
            Ok(moves) => {
                self.moves = moves;
                return self.several();
            }
            Err(MoveError::Budget(BudgetExceeded)) => {
                return match any_capture(position, self.rules, cells, taken, DEAR) {
                    Some(played) => {
                        self.pending.push((Code::UnverifiedMove, Cow::Borrowed("")));
                        Found::One(Step::Move(played), 1)
                    }
                    None => Found::End(Code::IllegalMove, Cow::Borrowed("")),
                };
            }
            Err(_) => {}
        }
        if let Some(found) = self.split_jumps(position, words, word, cells) {
            return found;
        }
        if let Some(found) = self.other_promotion(position, cells, taken) {
            return found;
        }
        if steps.is_empty() && self.is_main && self.is_behind_dots(words, word) {
            let mut other = *position;
            other.set_turn(position.turn() ^ 1);
            if self.candidates(&other, self.rules, cells, taken).is_ok() {
                self.pending.push((Code::NullMove, Cow::Borrowed("")));
                return Found::One(Step::Null, 0);
            }
        }
        if let [from, to] = *cells
            && let Some(step) = self.placement(position, words, word, steps, (from, to))
        {
            self.pending.push((Code::Placement, Cow::Borrowed("")));
            return Found::One(step, 1);
        }
        let text = self.item(words, word);
        let text = text.map(|item| (self.decode)(self.raw.text(self.bytes, item)));
        if text.is_some_and(|text| self.is_last_result(words, word, &text)) {
            return Found::Result;
        }
        Found::End(Code::IllegalMove, Cow::Borrowed(""))
    }

    /// A capture of which each jump is a word of its own (Sage, 1995).
    fn split_jumps(
        &mut self,
        position: &Position,
        words: &[u32],
        word: usize,
        cells: &[u8],
    ) -> Option<Found> {
        let mut joined = cells.to_vec();
        for used in 1..PARTS_MAX {
            let item = self.item(words, word + used)?;
            if item.kind != Kind::Word {
                return None;
            }
            let text = (self.decode)(self.raw.text(self.bytes, item));
            let next = draughts_move::parse(&text, self.opening.numbering()).ok()?;
            let (first, rest) = next.cells().split_first()?;
            if joined.last() != Some(first) {
                return None;
            }
            joined.extend(rest);
            if let Ok(moves) = self.candidates(position, self.rules, &joined, None) {
                self.pending.push((Code::SplitCapture, Cow::Borrowed("")));
                self.options.clear();
                self.options.extend(
                    moves
                        .iter()
                        .map(|played| (Step::Move(*played), used as u32 + 1)),
                );
                return Some(match self.options[..] {
                    [(step, used)] => Found::One(step, used),
                    _ => Found::Many,
                });
            }
        }
        None
    }

    /// Turkish men on the last row: rule books disagree about what becomes of
    /// one that goes on capturing.
    fn other_promotion(
        &mut self,
        position: &Position,
        cells: &[u8],
        taken: Option<u128>,
    ) -> Option<Found> {
        if self.opening.variant().game_type != Some(30) {
            return None;
        }
        for promotion in [Promotion::Continue, Promotion::Stop] {
            let rules = Rules {
                promotion,
                ..*self.rules
            };
            if let Ok(moves) = self.candidates(position, &rules, cells, taken) {
                self.pending.push((Code::OtherPromotion, Cow::Borrowed("")));
                self.moves = moves;
                return Some(self.several());
            }
        }
        None
    }

    /// Drawn openings: the first two words put a man of either side on an empty
    /// square each. They are written as if at once: the first may go where the
    /// second comes from (`b2-h6 h6-a5`), and is then the second ply.
    fn placement(
        &self,
        position: &Position,
        words: &[u32],
        word: usize,
        steps: &[Played],
        (from, to): (u8, u8),
    ) -> Option<Step> {
        if !self.drawn || word > 1 || steps.len() != word {
            return None;
        }
        let occupied = |cell: u8| position.occupied() >> cell & 1 == 1;
        let squares = |word| {
            let text = (self.decode)(self.raw.text(self.bytes, self.item(words, word)?));
            match *draughts_move::parse(&text, self.opening.numbering())
                .ok()?
                .cells()
            {
                [from, to] => Some((from, to)),
                _ => None,
            }
        };
        let (from, to) = match steps {
            [] if occupied(to) => squares(1).filter(|&(next, _)| next == to)?,
            [
                Played {
                    step:
                        Step::Placement {
                            from: first,
                            to: last,
                        },
                    ..
                },
            ] if (*first, *last) == (from, to) => squares(0)?,
            []
            | [
                Played {
                    step: Step::Move(_) | Step::Placement { .. },
                    ..
                },
            ] => (from, to),
            _ => return None,
        };
        (occupied(from) && !occupied(to)).then_some(Step::Placement { from, to })
    }

    /// Whether a word is the last one and a result, and no other ends the game.
    fn is_last_result(&self, words: &[u32], word: usize, text: &str) -> bool {
        self.is_main
            && word + 1 == words.len()
            && self.raw.termination.is_none()
            && word::is_result(text)
    }

    /// Whether dots before a word say that the other side has moved (`1... 7-12`).
    fn is_behind_dots(&self, words: &[u32], word: usize) -> bool {
        self.item(words, word).is_some_and(|item| {
            self.bytes
                .get(..item.offset as usize)
                .unwrap_or_default()
                .trim_ascii_end()
                .ends_with(b"..")
        })
    }
}

/// Where the reading of a line stands.
struct At {
    position: Position,
    word: usize,
    taken: u32,
    line: Line,
}

impl At {
    #[inline]
    fn play(&mut self, step: Step, used: u32) {
        self.line.steps.push(Played {
            word: self.word as u32,
            step,
        });
        if let Step::Move(played) = &step {
            self.taken += played.captured.count_ones();
        }
        step.play(&mut self.position);
        self.word += used as usize;
    }

    fn go_back_to(&mut self, choice: &Choice) {
        self.position = choice.position;
        self.word = choice.word;
        self.taken = choice.taken;
        self.line.steps.truncate(choice.steps);
        self.line.found.truncate(choice.found);
        self.line.skipped.truncate(choice.skipped);
        self.line.result = None;
        self.line.end = None;
    }
}
