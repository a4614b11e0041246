//! The movetext of one game of draughts (rules of `docs/reading-pdn.md`).
//!
//! Built like the reading of chess movetext, with other tokens and other
//! doubts: a number pair is a move or a result, a star a remark or the end.

use std::borrow::Cow;

use logos::Lexer;

use super::game::{Parser, line_end, push};
use super::movetext::Frame;
use super::place::{TextGap, is_line_start, is_tag_start, text_gap, wrapper_len};
use super::squares::{
    Pair, digit_runs, glue, glued_score, is_compact, is_path, is_plain_move, is_same_score,
    numeric_move_len, pair,
};
use super::word::{Spelling, leading_number, spelling};
use super::{Item, Kind, RawGame};
use crate::diagnostic::Code;
use crate::lex::draughts::MovetextToken as Token;

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

/// Bytes in which the quote that closes a set-up is looked for.
const SETUP_BYTES_MAX: usize = 2048;

/// Whether a word says that the turn passes, as records of Othello have it.
fn is_pass(word: &[u8]) -> bool {
    [&b"pass"[..], b"pas", b"pa", b"ps"]
        .iter()
        .any(|known| word.eq_ignore_ascii_case(known))
}

/// Reading the movetext of one game.
pub(super) struct Movetext<'p, 's> {
    parser: &'p mut Parser<'s>,
    game: &'p mut RawGame,
    bytes: &'s [u8],
    lexer: Lexer<'s, Token>,
    /// The move number that stood last, for the next word.
    number: u32,
    /// The last move number of the main line.
    last_number: u32,
    /// Where the last number or the dots behind it ended.
    number_end: usize,
    /// Where the last word ended.
    word_end: usize,
    /// Whether the current line had a move.
    has_move: bool,
    /// A result of the main line that did not end the game on the spot: it
    /// will be the termination unless a move follows. Its place in the items.
    pending_result: Option<usize>,
    /// Where the next game begins, once the game has ended.
    next: Option<usize>,
}

impl<'p, 's> Movetext<'p, 's> {
    pub(super) fn new(parser: &'p mut Parser<'s>, game: &'p mut RawGame, at: usize) -> Self {
        let bytes = parser.bytes;
        parser.frames.clear();
        Self {
            parser,
            game,
            bytes,
            lexer: Token::lexer_at(bytes, at),
            number: 0,
            last_number: 0,
            number_end: usize::MAX,
            word_end: usize::MAX,
            has_move: false,
            pending_result: None,
            next: None,
        }
    }

    /// Reads up to the end of the game: offsets behind its last token, and
    /// where the next game is to be looked for.
    pub(super) fn read(mut self) -> (usize, usize) {
        let (end, next) = loop {
            let before = self.lexer.span().end;
            let Some(token) = self.lexer.next() else {
                break (before, self.bytes.len());
            };
            let (start, end) = (self.lexer.span().start, self.lexer.span().end);
            match token {
                Ok(Token::Numbers) => self.numbers(start, end),
                Ok(Token::Number) => self.number(start, end),
                Ok(Token::Letters | Token::Square) => self.word(start, end),
                Ok(Token::BracketOpen) if is_tag_start(self.bytes, start) => break (before, start),
                token => self.rare(token, start, end),
            }
            if self.pending_result.is_some()
                && self.next.is_none()
                && self.parser.frames.is_empty()
                && record_ends_after(self.bytes, self.lexer.span().end)
            {
                self.next = Some(self.lexer.span().end);
            }
            if let Some(next) = self.next {
                break (next, next);
            }
        };
        self.finish(end);
        (end, next)
    }

    /// A move, several that stick together, or a result (D1, D4).
    fn numbers(&mut self, start: usize, end: usize) {
        let text = &self.bytes[start..end];
        if is_plain_move(text) && self.has_more_behind(end) {
            return self.word(start, end);
        }
        match pair(text) {
            Pair::Score => return self.result(start, end),
            Pair::Either if self.parser.frames.is_empty() && self.is_tagged_end(start, end) => {
                return self.result(start, end);
            }
            _ => {}
        }
        if is_path(text) {
            return self.word(start, end);
        }
        if let Some(at) = glued_score(text) {
            self.word(start, start + at);
            return self.result(start + at, end);
        }
        let mut from = 0;
        for (left, right) in digit_runs(text) {
            if left > 0
                && right < text.len()
                && matches!(right - left, 3 | 4)
                && let Some(at) = glue(text, left, right)
            {
                self.word(start + from, start + at);
                from = at;
            }
        }
        self.word(start + from, end);
    }

    /// Whether another word follows at once, as one does behind nearly all: then
    /// there is no need to look whether the record ends.
    #[inline]
    fn has_more_behind(&self, end: usize) -> bool {
        matches!(self.bytes.get(end..), Some([b' ', next, ..]) if next.is_ascii_alphanumeric())
    }

    /// Whether numbers are what the Result tag says, at the end of the record;
    /// comments may follow.
    fn is_tagged_end(&mut self, start: usize, end: usize) -> bool {
        let bytes = self.bytes;
        if self.has_more_behind(end) {
            return false;
        }
        let text = &bytes[start..end];
        let is_tagged = self.game.tags.iter().any(|tag| {
            let name = tag.name_bytes(bytes);
            is_same_score(text, tag.value_bytes(bytes))
                && RESULT_NAMES
                    .iter()
                    .any(|known| known.as_bytes().eq_ignore_ascii_case(name))
        });
        if !is_tagged {
            return false;
        }
        let mut at = end;
        for _ in 0..4 {
            if record_ends_after(bytes, at) {
                return true;
            }
            let next = text_gap(bytes, at).next;
            match bytes[next] {
                b'{' => at = self.parser.comment_end(next).next,
                b';' => at = line_end(bytes, next),
                _ => return false,
            }
        }
        false
    }

    fn number(&mut self, start: usize, end: usize) {
        let text = &self.bytes[start..end];
        if is_compact(text) {
            return self.word(start, end);
        }
        self.number = leading_number(text).1;
        self.number_end = end;
        if self.parser.frames.is_empty() {
            self.last_number = self.number;
        }
    }

    fn word(&mut self, start: usize, end: usize) {
        if self.pending_result.is_some() {
            self.went_on();
        }
        self.has_move = true;
        self.word_end = end;
        self.game.items.push(Item {
            kind: Kind::Word,
            offset: start as u32,
            len: (end - start) as u32,
            value: std::mem::take(&mut self.number),
        });
    }

    fn went_on(&mut self) {
        if self.parser.frames.is_empty()
            && let Some(item) = self.pending_result.take()
        {
            let offset = self.game.items[item].offset as usize;
            self.game.report(Code::ResultMid, offset, Cow::default);
        }
    }

    /// Everything that is neither move, number nor tag.
    fn rare(&mut self, token: Result<Token, ()>, start: usize, end: usize) {
        match token {
            Ok(Token::Result) => self.result(start, end),
            Ok(Token::GluedDraw) => self.glued_draw(start, end),
            Ok(Token::Star) => self.star(start),
            Ok(Token::Dots) => self.dots(start, end),
            Ok(Token::Dashes) => self.dashes(start, end),
            Ok(Token::Nag) if end - start > 1 => {
                let (_, value) = leading_number(&self.bytes[start + 1..end]);
                self.push_nag(start, end, value);
            }
            Ok(Token::Suffix) => self.suffix(start, end),
            Ok(Token::SuffixInParentheses) => self.suffix(start + 1, end - 1),
            Ok(Token::SetupOpen) => self.setup(start, end),
            Ok(Token::Text) => self.text(start, end),
            Ok(Token::VariationOpen) => self.open_variation(start),
            Ok(Token::VariationClose) => match self.parser.frames.pop() {
                Some(frame) => self.end_variation(frame, start),
                // `1)` is a number, too.
                None if self.number_end == start => {}
                None => self.stray(start),
            },
            Ok(Token::CommentOpen) => {
                let comment = self.parser.comment_end(start);
                if !comment.closed {
                    self.game.report(Code::UnclosedComment, start, Cow::default);
                }
                push(self.game, Kind::Comment, start + 1, comment.text);
                self.lexer.bump(comment.next - end);
            }
            Ok(Token::Semicolon | Token::Percent) => {
                let line = line_end(self.bytes, start);
                push(self.game, Kind::LineComment, start + 1, line);
                self.lexer.bump(line - end);
            }
            Ok(Token::Less) => self.angle(start),
            Ok(Token::Greater) if is_line_start(self.bytes, start) => {
                self.game.report_wrapper(start);
            }
            Ok(Token::BracketOpen) if wrapper_len(self.bytes, start) > 0 => {
                self.game.report_wrapper(start);
                self.lexer.bump(wrapper_len(self.bytes, start) - 1);
            }
            Ok(Token::BraceClose | Token::BracketClose | Token::BracketOpen | Token::Greater) => {
                self.stray(start);
            }
            Ok(Token::Blank) => {}
            _ => self.unknown(start, end),
        }
    }

    /// `17x81 / 2-1 / 2`: the move, then the draw, whose `1` is its last digit.
    fn glued_draw(&mut self, start: usize, end: usize) {
        let text = &self.bytes[start..end];
        let cut = memchr::memchr(b'/', text).map_or(0, |slash| {
            text[..slash]
                .iter()
                .rposition(u8::is_ascii_digit)
                .unwrap_or(0)
        });
        self.word(start, start + cut);
        self.result(start + cut, end);
    }

    /// Dots that belong to no number stand for a move that is not known, unless
    /// a comment or variation parted them from their number (D7).
    fn dots(&mut self, start: usize, end: usize) {
        let after_word = self
            .game
            .items
            .last()
            .is_some_and(|item| item.kind == Kind::Word);
        if self.number > 0 || self.number_end <= start && !after_word || end - start < 2 {
            self.number_end = end;
        } else if after_word {
            self.word(start, end);
        }
    }

    /// A lone dash is a result that is not known; behind a number, or in a row,
    /// dashes are a move that is not known (D7).
    fn dashes(&mut self, start: usize, end: usize) {
        let is_single = memchr::memchr(b' ', &self.bytes[start..end]).is_none()
            && std::str::from_utf8(&self.bytes[start..end])
                .map_or(end - start, |text| text.chars().count())
                == 1;
        if is_single && self.number == 0 {
            self.result(start, end);
        } else {
            self.word(start, end);
        }
    }

    fn push_nag(&mut self, start: usize, end: usize, value: u32) {
        self.game.items.push(Item {
            kind: Kind::Nag,
            offset: start as u32,
            len: (end - start) as u32,
            value,
        });
    }

    fn suffix(&mut self, start: usize, end: usize) {
        let bytes = self.bytes;
        if end - start > 2 {
            self.game.report(Code::SuffixLong, start, || {
                super::excerpt(&bytes[start..end])
            });
        }
        let value = match bytes[start..end] {
            [b'!'] => 1,
            [b'?'] => 2,
            [b'!', b'!', ..] => 3,
            [b'?', b'?', ..] => 4,
            [b'!', ..] => 5,
            _ => 6,
        };
        self.push_nag(start, end, value);
    }

    /// A position that replaces the one on the board (D8).
    fn setup(&mut self, start: usize, end: usize) {
        let bytes = self.bytes;
        let near = &bytes[end..bytes.len().min(end + SETUP_BYTES_MAX)];
        let Some(quote) = memchr::memchr(b'"', near) else {
            return self.unknown(start, end);
        };
        self.went_on();
        push(self.game, Kind::Setup, end, end + quote);
        let behind = text_gap(bytes, end + quote + 1);
        let next = if bytes.get(behind.next) == Some(&b'/') {
            behind.next + 1
        } else {
            end + quote + 1
        };
        self.lexer.bump(next - end);
    }

    /// Text outside of a comment: kept as one, up to what may be a move (D6).
    fn text(&mut self, start: usize, end: usize) {
        let bytes = self.bytes;
        if is_pass(&bytes[start..end]) && self.follows_square() {
            return self.word(start, end);
        }
        if !bytes[start..end]
            .iter()
            .any(|&byte| byte.is_ascii_alphanumeric() || byte >= 0x80)
        {
            return match spelling(&bytes[start..end]) {
                Spelling::Nag(nag) => self.push_nag(start, end, nag),
                _ => self.unknown(start, end),
            };
        }
        let mut at = end;
        loop {
            at += bytes[at..]
                .iter()
                .take_while(|byte| {
                    !matches!(
                        byte,
                        0..=b' '
                            | b'{'
                            | b'}'
                            | b'('
                            | b')'
                            | b'['
                            | b']'
                            | b'*'
                            | b'"'
                            | b';'
                            | b'$'
                    )
                })
                .count();
            let next = at + usize::from(bytes.get(at) == Some(&b' '));
            let goes_on = next > at
                && bytes
                    .get(next)
                    .is_some_and(|&byte| byte.is_ascii_alphabetic() || byte >= 0x80)
                && !bytes.get(next + 1).is_some_and(u8::is_ascii_digit);
            if !goes_on {
                break;
            }
            at = next;
        }
        self.game
            .report(Code::LooseText, start, || super::excerpt(&bytes[start..at]));
        push(self.game, Kind::Comment, start, at);
        self.lexer.bump(at - end);
    }

    /// Whether the word before is a single square or several without a sign
    /// between them, as moves of Othello are.
    fn follows_square(&self) -> bool {
        let word = self.game.items.iter().rfind(|item| item.kind == Kind::Word);
        word.is_some_and(|item| {
            let text = self.game.text(self.bytes, item);
            let is_square = |two: &[u8]| matches!(two, [b'a'..=b'h' | b'A'..=b'H', b'1'..=b'8']);
            text.chunks(2).all(is_square)
        })
    }

    /// A star is a mark of strength or the end of the game (D5).
    fn star(&mut self, at: usize) {
        let is_mark = if at == self.word_end {
            true
        } else if !self.parser.frames.is_empty() {
            let next = text_gap(self.bytes, at + 1).next;
            next < self.bytes.len() && !is_tag_start(self.bytes, next)
        } else {
            self.has_move && self.goes_on_after(at + 1)
        };
        if is_mark {
            self.push_nag(at, at + 1, 7);
        } else {
            self.result(at, at + 1);
        }
    }

    /// Whether moves or a result follow, behind comments and glyphs. Few of
    /// them are passed over, as every star asks this.
    fn goes_on_after(&mut self, mut at: usize) -> bool {
        let bytes = self.bytes;
        let mut newlines = 0;
        for _ in 0..8 {
            let TextGap { next, newlines: n } = text_gap(bytes, at);
            newlines = newlines.max(n);
            let Some(&byte) = bytes.get(next) else {
                return false;
            };
            let rest = &bytes[next..];
            match byte {
                b'{' => at = self.parser.comment_end(next).next,
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
                        || pair(&rest[..rest.len().min(3)]) == Pair::Score;
                    return newlines < 2 || is_result;
                }
                0xBD | 0xC2 => return rest.starts_with("½".as_bytes()) || byte == 0xBD,
                _ => {
                    return newlines < 2
                        && byte.is_ascii_alphabetic()
                        && rest.get(1).is_some_and(u8::is_ascii_digit);
                }
            }
        }
        false
    }

    /// A result (D4): it ends the game where the record ends.
    fn result(&mut self, start: usize, end: usize) {
        if !self.parser.frames.is_empty() {
            // In a variation it is text, unless nothing follows but a game's end.
            let next = text_gap(self.bytes, end).next;
            if next >= self.bytes.len() || is_tag_start(self.bytes, next) {
                self.game.termination = Some((start as u32, end as u32));
                self.next = Some(end);
            } else {
                push(self.game, Kind::Result, start, end);
            }
            return;
        }
        self.went_on();
        self.number = 0;
        if record_ends_after(self.bytes, end) {
            self.game.termination = Some((start as u32, end as u32));
            self.next = Some(end);
        } else {
            self.pending_result = Some(self.game.items.len());
            push(self.game, Kind::Result, start, end);
        }
    }

    fn open_variation(&mut self, start: usize) {
        let outer = self.parser.frames.last().is_some_and(|frame| frame.dropped);
        self.parser.frames.push(Frame {
            item: self.game.items.len() as u32,
            outer_has_word: self.has_move,
            dropped: outer || !self.has_move,
        });
        self.has_move = false;
        self.number = 0;
        push(self.game, Kind::VariationStart, start + 1, start + 1);
    }

    /// Ends a variation. One that replaces nothing or has no move is a comment (D9).
    fn end_variation(&mut self, frame: Frame, at: usize) {
        let has_move = std::mem::replace(&mut self.has_move, frame.outer_has_word);
        self.number = 0;
        let start = frame.item as usize;
        let text = self.game.items[start].offset as usize;
        let items = &mut self.game.items;
        if has_move && !frame.dropped {
            items[start].len = (at - text) as u32;
            return push(self.game, Kind::VariationEnd, at, at);
        }
        let inner = &items[start + 1..];
        let only = (inner.len() == 1 && inner[0].kind == Kind::Comment).then(|| inner[0]);
        items.truncate(start);
        if let Some(comment) = only {
            items.push(comment);
        } else if !self.bytes[text..at].trim_ascii().is_empty() {
            let bytes = self.bytes;
            self.game
                .report(Code::LooseText, text, || super::excerpt(&bytes[text..at]));
            push(self.game, Kind::Comment, text, at);
        }
    }

    /// `<42,29>` behind a capture lists what it takes and stays with it (D2);
    /// other text in angles is passed over.
    fn angle(&mut self, start: usize) {
        let Some(end) = self.parser.angle_end(start) else {
            return self.stray(start);
        };
        let text = &self.bytes[start + 1..end - 1];
        let is_list = text
            .iter()
            .all(|byte| byte.is_ascii_digit() || matches!(byte, b',' | b' ' | b'a'..=b'l'));
        match self.game.items.last_mut() {
            Some(item)
                if is_list
                    && item.kind == Kind::Word
                    && self.bytes[self.word_end..start].trim_ascii().is_empty() =>
            {
                item.len = end as u32 - item.offset;
                self.word_end = end;
            }
            _ if text.to_ascii_lowercase().ends_with(b"pre") => self.game.report_wrapper(start),
            _ => self.unknown(start, end),
        }
        self.lexer.bump(end - start - 1);
    }

    fn stray(&mut self, at: usize) {
        self.game.report(Code::StrayCloser, at, Cow::default);
    }

    fn unknown(&mut self, start: usize, end: usize) {
        let bytes = self.bytes;
        self.game.report(Code::UnknownWord, start, || {
            super::excerpt(&bytes[start..end])
        });
    }

    /// Closes what is open and settles the result.
    fn finish(&mut self, end: usize) {
        let inner = self
            .game
            .termination
            .map_or(end, |(start, _)| start as usize);
        if let Some(frame) = self.parser.frames.first() {
            let offset = self.game.items[frame.item as usize].offset as usize;
            self.game
                .report(Code::UnclosedRav, offset - 1, Cow::default);
        }
        while let Some(frame) = self.parser.frames.pop() {
            self.end_variation(frame, inner);
        }
        if let Some(item) = self.pending_result {
            let item = self.game.items.remove(item);
            self.game.termination = Some((item.offset, item.offset + item.len));
        }
        if self.game.termination.is_none() {
            self.game.report(Code::ResultMissing, end, Cow::default);
        }
    }
}

/// Whether the record is over if a result ends at `at` (R3): its end, a blank
/// line, a tag, or the number of a first move follow.
fn record_ends_after(bytes: &[u8], at: usize) -> bool {
    let TextGap { next, newlines } = text_gap(bytes, at);
    if next >= bytes.len() || newlines >= 2 || is_tag_start(bytes, next) {
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
