//! From written words to plies, where a word can mean more than one.
//!
//! A capture written short can fit several moves. The first is taken; if the
//! rest of the line turns out not to be legal then, the next (depth first, with
//! a bound). Of several that let the whole line be legal, one that agrees with
//! the result is preferred, then the one that takes most, then the first.
//!
//! Everything here is bounded by the words of a line and some constants, and
//! never depends on the clock: the same text gives the same plies.

mod meaning;

use std::borrow::Cow;

use super::{Step, opening::Opening};
use crate::{
    diagnostic::Code,
    games::replay::read::Decode,
    limits::PLIES_MAX,
    parse::{Item, RawGame},
    rules::draughts::{Budget, Move, Position, Rules},
};

/// Jumps that may be looked at for any word. What needs more is charged.
const CHEAP: Budget = Budget(2_000);
/// Jumps for a word of a position that needs more, as often as there is credit.
const DEAR: Budget = Budget(50_000);
/// Jumps of dear positions for one game at most, and for each byte of its record:
/// many small games must not cost more than a large one.
const CREDIT: u32 = 80 * DEAR.0;
const CREDIT_PER_BYTE: u32 = 1_000;
/// Words that may be read again for other meanings of words before them.
const AGAIN: u32 = 20_000;
/// The same for a variation.
const AGAIN_IN_VARIATION: u32 = 500;

/// What may be spent on the main line of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Effort {
    /// No more than any word may cost: it is only looked whether the game fits.
    Cheap,
    /// Also a look at positions with very many captures.
    Dear,
}

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
    /// For the main line of a game and how much may be spent on it, or for its
    /// variations.
    pub(super) fn new(
        raw: &'a RawGame,
        bytes: &'a [u8],
        decode: Decode<'a>,
        opening: &'a Opening,
        main: Option<Effort>,
    ) -> Self {
        let is_main = main.is_some();
        let rules = &opening.variant().rules;
        let credit = (raw.span.1 - raw.span.0)
            .saturating_mul(CREDIT_PER_BYTE)
            .clamp(2 * DEAR.0, CREDIT);
        Self {
            raw,
            bytes,
            decode,
            opening,
            rules,
            credit: if main == Some(Effort::Dear) {
                credit
            } else {
                0
            },
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
