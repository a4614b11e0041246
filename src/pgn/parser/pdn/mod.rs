//! The movetext of one game of draughts (rules of `docs/reading-pdn.md`).
//!
//! Built like the reading of chess movetext, with other tokens and other
//! doubts: a number pair is a move or a result, a star a remark or the end.

mod results;

use logos::Lexer;

use super::game::{Parser, push};
use super::item_writer::{ItemWriter, OpenVariation};
use super::lookahead::{is_first_column, is_tag_start, text_gap};
use super::prose;
use super::square_pairs::{
    NumberPair, digit_runs, file, glue, glued_score, is_compact, is_path, is_plain_move, pair,
};
use super::word::{Spelling, leading_number, spelling, wide_number};
use super::{ItemKind, RawGame, Syntax};
use crate::pgn::lexer::lexer_at;
use crate::pgn::lexer::pdn::PdnToken as Token;
use results::{TagSpans, record_ends_after};

/// Bytes that are searched for the quote that closes a set-up.
const SETUP_BYTES_MAX: usize = 2048;

/// The bytes of the letter of a file, which may be Cyrillic.
const FILE_BYTES_MAX: usize = 2;

/// Whether a word says that the turn passes, as records of Othello have it.
fn is_pass(word: &[u8]) -> bool {
    [&b"pass"[..], b"pas", b"pa", b"ps"]
        .iter()
        .any(|known| word.eq_ignore_ascii_case(known))
}

/// Reading the movetext of one game.
pub(super) struct PdnMovetext<'p, 's> {
    common: ItemWriter<'p, 's>,
    bytes: &'s [u8],
    lexer: Lexer<'s, Token>,
    /// The last move number of the main line.
    last_number: u32,
    /// Where the last number or the dots after it ended.
    number_end: usize,
    /// Where the last word began and ended.
    word_start: usize,
    word_end: usize,
    /// The results that its tags give, once they were needed.
    tagged: Option<TagSpans>,
}

impl<'p, 's> PdnMovetext<'p, 's> {
    pub(super) fn new(parser: &'p mut Parser<'s>, game: &'p mut RawGame, at: usize) -> Self {
        let bytes = parser.bytes;
        Self {
            common: ItemWriter::new(parser, game),
            bytes,
            lexer: lexer_at(bytes, at),
            last_number: 0,
            number_end: usize::MAX,
            word_start: usize::MAX,
            word_end: usize::MAX,
            tagged: None,
        }
    }

    /// Reads up to the end of the game: offsets after its last token, and where the next game is to
    /// be searched for.
    pub(super) fn read(mut self) -> (usize, usize) {
        let (end, next) = loop {
            let before = self.lexer.span().end;
            let Some(token) = self.lexer.next() else {
                break (before, self.bytes.len());
            };
            let (start, end) = (self.lexer.span().start, self.lexer.span().end);
            match token {
                Ok(Token::Numbers | Token::Letters) if self.glued_draw(start, end) => {}
                Ok(Token::Numbers) => self.numbers(start, end),
                Ok(Token::Number) => {
                    if self.bytes[start] == b'1'
                        && self.common.has_move
                        && let Some(ends) = self.common.end_before(start, Syntax::Pdn)
                    {
                        break ends;
                    }
                    self.number(start, end);
                }
                Ok(Token::Letters | Token::Square) => self.word(start, end),
                Ok(Token::Short) if self.stands_alone(start, end) => self.word(start, end),
                Ok(Token::Sign)
                    if is_tag_start(self.bytes, start)
                        && !(self.last_word_end() > 0
                            && prose::is_bracket_text(self.bytes, start)) =>
                {
                    break (before, start);
                }
                token => self.rare(token, start, end),
            }
            let read_to = self.lexer.span().end;
            if let Some(next) = self.common.gives_up(read_to) {
                break (next, next);
            }
            if let Some(next) = self
                .common
                .next_game(read_to, || record_ends_after(self.bytes, read_to))
            {
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
            NumberPair::Score => return self.result(start, end),
            NumberPair::Either
                if !self.common.is_in_variation() && self.is_tagged_end(start, end) =>
            {
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

    /// Whether another word follows at once, as one does after nearly all: then
    /// there is no need to look whether the record ends.
    #[inline]
    fn has_more_behind(&self, end: usize) -> bool {
        matches!(self.bytes.get(end..), Some([b' ', next, ..]) if next.is_ascii_alphanumeric())
    }

    fn number(&mut self, start: usize, end: usize) {
        let text = &self.bytes[start..end];
        if is_compact(text) {
            return self.word(start, end);
        }
        self.took_number(leading_number(text).1, end);
    }

    fn took_number(&mut self, number: u32, end: usize) {
        self.common.number = number;
        self.number_end = end;
        if !self.common.is_in_variation() {
            self.last_number = number;
        }
    }

    fn word(&mut self, start: usize, end: usize) {
        if self.common.pending_result.is_some() {
            self.common.went_on();
        }
        (self.word_start, self.word_end) = (start, end);
        self.common.word(start, end);
    }

    /// Everything that is neither move, number nor tag.
    fn rare(&mut self, token: Result<Token, ()>, start: usize, end: usize) {
        match token {
            Ok(Token::Result) => self.result(start, end),
            Ok(Token::Star) => self.star(start),
            Ok(Token::Dots) => self.dots(start, end),
            Ok(Token::Dashes) => self.dashes(start, end),
            Ok(Token::Nag) if end - start > 1 => self.common.numbered_glyph(start, end),
            Ok(Token::Suffix) => self.common.suffix(start, end),
            Ok(Token::SuffixInParentheses) => self.common.suffix(start + 1, end - 1),
            Ok(Token::SetupOpen) => self.setup(start, end),
            Ok(Token::Text | Token::Short) => self.text(start, end),
            Ok(Token::Sign) => self.sign(start),
            Ok(Token::Blank) => {}
            _ => self.common.unknown(start, end),
        }
    }

    fn sign(&mut self, at: usize) {
        let next = match self.bytes[at] {
            b'(' => {
                self.common.open_variation(at);
                return;
            }
            b')' => match self.common.parser.frames.pop() {
                Some(frame) => return self.end_variation(frame, at),
                // `1)` is a number, too.
                None if self.number_end == at => return,
                None => self.common.sign(at),
            },
            b'<' => return self.angle(at),
            b']' if self.common.is_in_bracket() => {
                if let Some(frame) = self.common.parser.frames.pop() {
                    self.end_variation(frame, at);
                }
                return;
            }
            b'%' if self.number_end == at && !is_first_column(self.bytes, at) => {
                return self.percentage(at);
            }
            b'%' => self.common.line_comment(at),
            _ => self.common.sign(at),
        };
        self.lexer.bump(next - at - 1);
    }

    /// Whether no letter or digit touches what was read.
    fn stands_alone(&self, start: usize, end: usize) -> bool {
        let is_of_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte >= 0x80;
        !self.bytes[..start].last().is_some_and(is_of_word)
            && !self.bytes.get(end).is_some_and(is_of_word)
    }

    /// `50% of the games`: text that begins with its number (D6).
    fn percentage(&mut self, at: usize) {
        self.common.number = 0;
        let digits = self.bytes[..at]
            .iter()
            .rev()
            .take_while(|b| b.is_ascii_digit());
        self.text(at - digits.count(), at + 1);
    }

    /// Where the last move ended; 0 if there is none.
    const fn last_word_end(&self) -> usize {
        if self.word_end == usize::MAX {
            0
        } else {
            self.word_end
        }
    }

    /// Dots that belong to no number stand for a move that is not known, unless
    /// a comment or variation parted them from their number (D7).
    fn dots(&mut self, start: usize, end: usize) {
        let after_word = self
            .common
            .game
            .items
            .last()
            .is_some_and(|item| item.kind == ItemKind::Word);
        if self.common.number > 0 || self.number_end <= start && !after_word || end - start < 2 {
            self.number_end = end;
        } else if after_word {
            self.word(start, end);
        }
    }

    /// A lone dash is a result that is not known; after a number, or in a row,
    /// dashes are a move that is not known (D7).
    fn dashes(&mut self, start: usize, end: usize) {
        let is_single = memchr::memchr(b' ', &self.bytes[start..end]).is_none()
            && std::str::from_utf8(&self.bytes[start..end])
                .map_or(end - start, |text| text.chars().count())
                == 1;
        if is_single && self.common.number == 0 {
            self.result(start, end);
        } else {
            self.word(start, end);
        }
    }

    /// A position that replaces the one on the board (D8).
    fn setup(&mut self, start: usize, end: usize) {
        let bytes = self.bytes;
        let near = &bytes[end..bytes.len().min(end + SETUP_BYTES_MAX)];
        let Some(quote) = memchr::memchr(b'"', near) else {
            return self.common.unknown(start, end);
        };
        self.common.went_on();
        push(self.common.game, ItemKind::Setup, end, end + quote);
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
        if let Some(number) = wide_number(&bytes[start..end])
            && end - start - number.len <= FILE_BYTES_MAX
        {
            self.took_number(number.value, start + number.len);
            // What touches it is the file of a move, and little enough to be read again.
            self.lexer = lexer_at(bytes, start + number.len);
            return;
        }
        if is_pass(&bytes[start..end]) && self.follows_square() {
            return self.word(start, end);
        }
        if !bytes[start..end]
            .iter()
            .any(|&byte| byte.is_ascii_alphanumeric() || byte >= 0x80)
        {
            return match spelling(&bytes[start..end]) {
                Spelling::Nag(nag) => self.common.nag(start, end, nag),
                _ => self.common.unknown(start, end),
            };
        }
        let mut at = end;
        loop {
            at += bytes[at..]
                .iter()
                .take_while(|&&byte| byte > b' ' && !b"{}()[]*\";$".contains(&byte))
                .count();
            let next = at + usize::from(bytes.get(at) == Some(&b' '));
            let is_square = || {
                let behind = |at: usize| Some(at + file(&bytes[at..])?.1);
                let rank = |at: Option<usize>| bytes.get(at?);
                let first = behind(next);
                rank(first).is_some_and(u8::is_ascii_digit)
                    || rank(first.and_then(behind)).is_some_and(u8::is_ascii_digit)
            };
            let goes_on = next > at
                && bytes
                    .get(next)
                    .is_some_and(|&byte| byte.is_ascii_alphabetic() || byte >= 0x80)
                && !bytes.get(next + 1).is_some_and(u8::is_ascii_digit)
                && !is_square();
            if !goes_on {
                break;
            }
            at = next;
        }
        self.common.loose_text(start, at);
        self.lexer.bump(at - end);
    }

    /// Whether the word before is a single square or several without a sign
    /// between them, as moves of Othello are. It is known by its place: looking for it
    /// among the items would take ever longer where one text follows another.
    fn follows_square(&self) -> bool {
        let word = self.bytes.get(self.word_start..self.word_end);
        let is_square = |two: &[u8]| matches!(two, [b'a'..=b'h' | b'A'..=b'H', b'1'..=b'8']);
        word.is_some_and(|word| word.chunks(2).all(is_square))
    }

    /// Ends a variation. One that replaces nothing or has no move is a comment (D9).
    fn end_variation(&mut self, frame: OpenVariation, at: usize) {
        let has_move = self.common.leave_variation(frame);
        if has_move && !frame.dropped {
            return self.common.keep_variation(frame, at);
        }
        let start = frame.item as usize;
        let items = &mut self.common.game.items;
        let text = items[start].offset as usize;
        let inner = &items[start + 1..];
        let only = (inner.len() == 1 && inner[0].kind == ItemKind::Comment).then(|| inner[0]);
        items.truncate(start);
        if let Some(comment) = only {
            items.push(comment);
        } else if !self.bytes[text..at].trim_ascii().is_empty() {
            self.common.loose_text(text, at);
        }
    }

    /// `<42,29>` after a capture lists what it takes and stays with it (D2);
    /// other text in angles is passed over.
    fn angle(&mut self, start: usize) {
        let Some(end) = self.common.parser.angle_end(start) else {
            return self.common.stray(start);
        };
        let text = &self.bytes[start + 1..end - 1];
        let is_list = text
            .iter()
            .all(|byte| byte.is_ascii_digit() || matches!(byte, b',' | b' ' | b'a'..=b'l'));
        match self.common.game.items.last_mut() {
            Some(item)
                if is_list
                    && item.kind == ItemKind::Word
                    && self.bytes[self.word_end..start].trim_ascii().is_empty() =>
            {
                item.len = end as u32 - item.offset;
                self.word_end = end;
            }
            _ if text.to_ascii_lowercase().ends_with(b"pre") => {
                self.common.game.report_wrapper(start);
            }
            _ => self.common.unknown(start, end),
        }
        self.lexer.bump(end - start - 1);
    }

    /// Closes what is open and settles the result.
    fn finish(&mut self, end: usize) {
        self.common.report_unclosed();
        while let Some((frame, at)) = self.common.unclosed(end) {
            self.end_variation(frame, at);
        }
        self.common.settle(end);
    }
}
