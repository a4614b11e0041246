//! What one word can mean in a position.

use std::borrow::Cow;

use super::{CHEAP, DEAR, Found, Played, Solver};
use crate::{
    diagnostic::Code,
    games::replay::draughts::{Step, word},
    notation::{
        draughts_fen,
        draughts_move::{self, MoveError},
    },
    parse::Kind,
    rules::draughts::{
        BudgetExceeded, Move, Position, Promotion, Rules, any_capture, moves_between,
    },
};

/// More parts than any capture is written in.
const PARTS_MAX: usize = 12;

impl Solver<'_> {
    /// What a word is in a position.
    #[inline]
    pub(super) fn resolve(
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
            Err(MoveError::Budget(_)) if self.spend() => resolve(DEAR),
            other => other,
        }
    }

    /// Takes a dear look off the credit, if there is enough of it.
    const fn spend(&mut self) -> bool {
        let can = self.credit >= DEAR.0;
        if can {
            self.credit -= DEAR.0;
        }
        can
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
                let budget = if self.spend() { DEAR } else { CHEAP };
                return match any_capture(position, self.rules, cells, taken, budget) {
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
