//! Results of draughts, distinguished from moves, from marks of strength, and from the end of the
//! record (D4, D5, R3).

use super::PdnMovetext;
use crate::pgn::parser::lookahead::line_end;
use crate::pgn::parser::lookahead::{InterTokenText, is_tag_start, text_gap, wrapper_len};
use crate::pgn::parser::square_pairs::{
    NumberPair, draw_tail_len, file, is_same_score, numeric_move_len, pair,
};
use crate::pgn::parser::word::{leading_number, wide_number_at};
use crate::pgn::parser::{RawGame, Syntax};

/// Names of the tag that has the result, in the languages of known files.
const RESULT_NAMES: [&str; 8] = [
    "Result",
    "Risultato",
    "Результат",
    "Résultat",
    "Ergebnis",
    "Uitslag",
    "Resultado",
    "Wynik",
];

/// Bytes of a score, blanks and all.
const SCORE_BYTES_MAX: usize = 32;

/// The values of tags as spans.
pub(super) type TagSpans = [Option<(u32, u32)>; 2];

impl PdnMovetext<'_, '_> {
    /// Takes a move with a draw stuck to it, of whose first half the `1` seems to
    /// belong to a square (D4); whether it is one.
    pub(super) fn glued_draw(&mut self, start: usize, end: usize) -> bool {
        if self.bytes[end - 1] != b'1' || !matches!(self.bytes.get(end), Some(b'/' | b' ')) {
            return false;
        }
        let len = draw_tail_len(&self.bytes[end..]);
        if len > 0 {
            self.lexer.bump(len);
            self.word(start, end - 1);
            self.result(end - 1, end + len);
        }
        len > 0
    }

    /// Whether numbers are what the Result tag says, at the end of the record;
    /// comments may follow.
    pub(super) fn is_tagged_end(&mut self, start: usize, end: usize) -> bool {
        let bytes = self.bytes;
        if self.has_more_behind(end) {
            return false;
        }
        let tagged = *self
            .tagged
            .get_or_insert_with(|| tagged_results(self.common.game, bytes));
        let text = &bytes[start..end];
        if !tagged
            .into_iter()
            .flatten()
            .any(|(from, to)| is_same_score(text, &bytes[from as usize..to as usize]))
        {
            return false;
        }
        let mut at = end;
        for _ in 0..4 {
            if record_ends_after(bytes, at) {
                return true;
            }
            let next = text_gap(bytes, at).next;
            match bytes[next] {
                b'{' => at = self.common.parser.comment_end(next).next,
                b';' => at = line_end(bytes, next),
                _ => return false,
            }
        }
        false
    }

    /// A star is a mark of strength or the end of the game (D5).
    pub(super) fn star(&mut self, at: usize) {
        let is_mark = if at == self.word_end {
            true
        } else if self.common.is_in_variation() {
            let next = text_gap(self.bytes, at + 1).next;
            next < self.bytes.len() && !is_tag_start(self.bytes, next)
        } else {
            self.common.has_move && self.goes_on_after(at + 1)
        };
        if is_mark {
            self.common.nag(at, at + 1, 7);
        } else {
            self.result(at, at + 1);
        }
    }

    /// Whether moves or a result follow, after comments and glyphs. Few of
    /// them are passed over, as every star asks this.
    fn goes_on_after(&mut self, mut at: usize) -> bool {
        let bytes = self.bytes;
        let mut newlines = 0;
        for _ in 0..8 {
            let InterTokenText {
                next, newlines: n, ..
            } = text_gap(bytes, at);
            newlines = newlines.max(n);
            let Some(&byte) = bytes.get(next) else {
                return false;
            };
            let rest = &bytes[next..];
            if let Some(number) = wide_number_at(bytes, next) {
                return number.value != 1;
            }
            match byte {
                b'{' => at = self.common.parser.comment_end(next).next,
                b';' | b'%' => at = line_end(bytes, next),
                b'!' | b'?' | b'$' => at = next + 1 + leading_number(&rest[1..]).0,
                b'*' | b'(' | b')' => return true,
                b'0'..=b'9' => {
                    let (digits, number) = leading_number(rest);
                    let dots = &rest[digits..];
                    if dots.starts_with(b".") {
                        return number != 1 || dots.starts_with(b"..");
                    }
                    let is_result = rest.starts_with(b"1/2")
                        || rest.starts_with(b"1 / 2")
                        || pair(&rest[..rest.len().min(3)]) == NumberPair::Score;
                    return newlines < 2 || is_result;
                }
                0xBD | 0xC2 => return rest.starts_with("½".as_bytes()) || byte == 0xBD,
                _ => {
                    let square = file(rest).and_then(|(_, len)| rest.get(len));
                    return newlines < 2 && square.is_some_and(u8::is_ascii_digit);
                }
            }
        }
        false
    }

    /// A result (D4).
    pub(super) fn result(&mut self, start: usize, end: usize) {
        if (self.common).ends_before_heading((start, end), Syntax::Pdn) {
            return;
        }
        if !self.common.is_in_variation() {
            self.common.number = 0;
        }
        self.common
            .result((start, end), text_gap, record_ends_after);
    }
}

/// The first results among the tags of a game: more of them say nothing new, and
/// what is longer than any score is none.
fn tagged_results(game: &RawGame, bytes: &[u8]) -> TagSpans {
    let mut values = game.tags.iter().filter_map(|tag| {
        let name = tag.name_bytes(bytes);
        let is_result = RESULT_NAMES
            .iter()
            .any(|known| known.as_bytes().eq_ignore_ascii_case(name));
        (is_result && tag.value_bytes(bytes).len() <= SCORE_BYTES_MAX).then_some(tag.value)
    });
    [values.next(), values.next()]
}

/// Whether the record is over if a result ends at `at` (R3): its end, a blank
/// line, a tag, or the number of a first move follow.
pub(super) fn record_ends_after(bytes: &[u8], at: usize) -> bool {
    let InterTokenText { next, newlines, .. } = text_gap(bytes, at);
    if next >= bytes.len() || newlines >= 2 || is_tag_start(bytes, next) {
        return true;
    }
    if wide_number_at(bytes, next).is_some_and(|number| number.value == 1) {
        return true;
    }
    match bytes[next..] {
        [b'[', ..] => wrapper_len(bytes, next) > 0,
        [b'<', b'/', ..] => true,
        [b'1', b'.', b'.', ..] => false,
        // `1. 32-28`, but also `1.32-28`.
        [b'1', b'.', ..] => {
            numeric_move_len(bytes, text_gap(bytes, next + 2).next) > 0
                || !bytes.get(next + 2).is_some_and(u8::is_ascii_digit)
        }
        _ => false,
    }
}
