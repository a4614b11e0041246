//! The movetext of one game (rules M1 to M12, L3 to L9).

use std::borrow::Cow;

use logos::Lexer;

use super::game::Parser;
use super::item_writer::{ItemWriter, OpenVariation};
use super::lookahead::{
    InterTokenText, game_ends_after, gap, is_first_column, is_line_start, is_tag_start, line_end,
};
use super::null::{self, NullText};
use super::numeric::{self, is_numeric_move};
use super::prose;
use super::word::{
    Spelling, castling_end, glued_result, glued_sign, is_begun_move, is_move_like, is_piece_apart,
    leading_number, number_len, promotion_end, spelling, wide_gap, wide_number,
};
use super::{ItemKind, RawGame, Syntax};
use crate::base::diagnostic::Code;
use crate::pgn::lexer::lexer_at;
use crate::pgn::lexer::pgn::{PgnToken as Token, plain_move_len};

/// Reading the movetext of one game.
pub(super) struct Movetext<'p, 's> {
    common: ItemWriter<'p, 's>,
    bytes: &'s [u8],
    lexer: Lexer<'s, Token>,
}

impl<'p, 's> Movetext<'p, 's> {
    pub(super) fn new(parser: &'p mut Parser<'s>, game: &'p mut RawGame, at: usize) -> Self {
        let bytes = parser.bytes;
        Self {
            common: ItemWriter::new(parser, game),
            bytes,
            lexer: lexer_at(bytes, at),
        }
    }

    /// Reads up to the end of the game: offsets after its last token, and where the next game is to
    /// be searched for.
    pub(super) fn read(mut self) -> (usize, usize) {
        let (end, next) = loop {
            if self.common.pending_result.is_none() {
                self.plain_moves();
            }
            let before = self.lexer.span().end;
            let Some(token) = self.lexer.next() else {
                break (before, self.bytes.len());
            };
            match token {
                Ok(Token::San) => {
                    let span = self.lexer.span();
                    self.san(span.start, span.end);
                    continue;
                }
                Ok(Token::Number) => {
                    let start = self.lexer.span().start;
                    if self.bytes[start] == b'1'
                        && self.common.has_move
                        && let Some(ends) = self.common.end_before(start, Syntax::Pgn)
                    {
                        break ends;
                    }
                    self.number_token();
                    continue;
                }
                Ok(Token::Word) if self.is_wide_first() => {
                    let start = self.lexer.span().start;
                    if let Some(ends) = self.common.end_before(start, Syntax::Pgn) {
                        break ends;
                    }
                    self.rare(token);
                }
                Ok(Token::Sign)
                    if is_tag_start(self.bytes, self.lexer.span().start)
                        && !self.is_bracket_text() =>
                {
                    break (before, self.lexer.span().start);
                }
                token => self.rare(token),
            }
            let read_to = self.lexer.span().end;
            if let Some(next) = self.common.gives_up(read_to) {
                break (next, next);
            }
            if let Some(next) = self
                .common
                .next_game(read_to, || game_ends_after(self.bytes, read_to))
            {
                break (next, next);
            }
        };
        self.finish(end);
        (end, next)
    }

    /// Whether the word that was just read begins with the number 1 as it is written in Chinese
    /// and Japanese, after a move.
    fn is_wide_first(&self) -> bool {
        let text = self.lexer.slice();
        matches!(text, [b'1' | 0xEF, _, ..])
            && self.common.has_move
            && wide_number(text).is_some_and(|number| number.value == 1)
    }

    /// Whether the bracket that was just read is text within a game (M18).
    fn is_bracket_text(&self) -> bool {
        let items = &self.common.game.items;
        items.iter().any(|item| item.kind == ItemKind::Word)
            && prose::is_bracket_text(self.bytes, self.lexer.span().start)
    }

    /// A move in the standard's spelling.
    #[inline]
    fn san(&mut self, start: usize, mut end: usize) {
        if matches!(self.bytes[end - 1], b'1' | b'8' | b'+' | b'#')
            && matches!(self.bytes[start], b'a'..=b'h')
        {
            end = self.promotion(end);
        }
        if self.common.pending_result.is_some() {
            self.common.went_on();
        }
        self.common.word(start, end);
    }

    /// A move of a pawn to the last rank, with a promotion that may stand apart or after the check
    /// sign (M8).
    #[cold]
    fn promotion(&mut self, at: usize) -> usize {
        let sign = usize::from(matches!(self.bytes[at - 1], b'+' | b'#'));
        if !matches!(self.bytes[at - 1 - sign], b'1' | b'8') {
            return at;
        }
        let end = promotion_end(self.bytes, at);
        self.lexer.bump(end - at);
        end
    }

    /// Takes moves and their numbers as long as they are plain; the lexer then
    /// stands after the last of them.
    #[inline]
    fn plain_moves(&mut self) {
        let bytes = self.bytes;
        let begin = self.lexer.span().end;
        let mut end = begin;
        loop {
            let mut at = end;
            while let Some(b' ' | b'\n' | b'\r') = bytes.get(at) {
                at += 1;
            }
            let (digits, number) = leading_number(&bytes[at..]);
            if digits > 0 {
                at += digits;
                if bytes.get(at) != Some(&b'.') {
                    break;
                }
                at += 1;
                at += usize::from(bytes.get(at) == Some(&b' '));
                if number == 1 && self.common.has_move {
                    break;
                }
            }
            let len = plain_move_len(bytes, at);
            if len == 0 {
                break;
            }
            if digits > 0 {
                self.common.number = number;
            }
            end = at + len;
            self.common.word(at, end);
        }
        self.lexer.bump(end - begin);
    }

    /// A number; the word that follows gets it.
    #[inline]
    fn number_token(&mut self) {
        let text = self.lexer.slice();
        let (_, number) = leading_number(text);
        // Only alone are four zeros a null move (L6, M4): `10000.` is a number.
        if number == 0
            && text == b"0"
            && let Some(end) = castling_end(self.bytes, self.lexer.span().start)
        {
            let span = self.lexer.span();
            self.lexer.bump(end - span.end);
            self.move_word(span.start, end);
        } else if number == 0 && text == b"0000" {
            let span = self.lexer.span();
            self.move_word(span.start, span.end);
        } else if matches!(text.len(), 4 | 5) && is_numeric_move(text) {
            self.numeric_move(number);
        } else if text.last().is_some_and(u8::is_ascii_digit) {
            self.bare_number(number);
        } else {
            self.common.number = number;
        }
    }

    /// Digits that no dot follows: the number of a move that is due, or text (M10b).
    #[cold]
    fn bare_number(&mut self, number: u32) {
        let span = self.lexer.span();
        let next = gap(self.bytes, span.end).next;
        let behind = &self.bytes[next..];
        let is_sign = |byte: &u8| matches!(byte, b'(' | b')' | b'{' | b'}');
        let is_blank_or_sign = |byte: &u8| byte.is_ascii_whitespace() || is_sign(byte);
        let before = self.bytes[..span.start].last();
        let is_joined = next == span.end && behind.first().is_some_and(|byte| !is_sign(byte))
            || before.is_some_and(|byte| !is_blank_or_sign(byte));
        let is_text = self.common.has_move
            && !self.common.is_due(number)
            && !is_joined
            && !matches!(behind, [b'.' | 0xE2, ..])
            && !prose::is_prose(prose::word_at(behind, 0));
        if is_text {
            self.common.word(span.start, span.end);
        } else {
            self.common.number = number;
        }
    }

    /// A number that is perhaps a move (M5b).
    #[cold]
    fn numeric_move(&mut self, number: u32) {
        let span = self.lexer.span();
        let place = (span.start, span.end);
        let numbers = (self.common.number, self.common.last_number());
        if numeric::is_move_at(self.common.game, self.bytes, place, numbers) {
            self.move_word(span.start, span.end);
        } else {
            self.bare_number(number);
        }
    }

    /// A word that may be a move.
    fn move_word(&mut self, start: usize, end: usize) {
        if null::is_null(&self.bytes[start..end]) && self.null_as_text(start, end) {
            return;
        }
        // Prose after a result does not make it any less the end.
        if self.common.pending_result.is_some()
            && (is_move_like(&self.bytes[start..end]) || is_numeric_move(&self.bytes[start..end]))
        {
            self.common.went_on();
        }
        if prose::is_prose(&self.bytes[start..end]) && !is_begun_move(self.bytes, start, end) {
            return self.prose(start, end);
        }
        self.common.word(start, end);
    }

    /// Takes a word that is written as a null move for text, if it is that (M4b).
    #[cold]
    fn null_as_text(&mut self, start: usize, end: usize) -> bool {
        let is_over = self.common.pending_result.is_some() && !self.common.is_in_variation();
        let around = (self.common.number > 0, is_over);
        let found = null::text_of(self.common.game, self.bytes, (start, end), around);
        let read_to = self.lexer.span().end;
        match (found, self.common.game.items.last_mut()) {
            (None, _) => return false,
            (Some(NullText::Behind), Some(item)) if item.kind == ItemKind::Word => {
                item.len = end as u32 - item.offset;
            }
            (Some(NullText::UpTo(next)), _) if read_to == end => {
                self.lexer.bump(next - end);
                self.prose(start, next);
            }
            _ => self.common.unknown(start, end),
        }
        true
    }

    /// A word of a sentence; a number before it belongs to it (M18).
    #[cold]
    fn prose(&mut self, mut start: usize, end: usize) {
        // The first number of all is that of a move, whatever follows.
        if let Some(last) = self.common.game.items.last()
            && std::mem::take(&mut self.common.number) > 0
        {
            let floor = (last.offset + last.len) as usize;
            start = prose::number_start(self.bytes, floor, start);
        }
        self.common.word(start, end);
    }

    /// Signs that touch a word of a sentence, which they belong to, or marks that stand after a
    /// blank as French has them (`Trop tôt !`); `false` if they belong to none.
    fn sign_of_prose(&mut self, start: usize, end: usize) -> bool {
        let Some(item) = self.common.game.items.last_mut() else {
            return false;
        };
        let text = &self.bytes[item.offset as usize..][..item.len as usize];
        let word_end = (item.offset + item.len) as usize;
        let is_apart = || {
            let InterTokenText { next, newlines, .. } = gap(self.bytes, word_end);
            next == start && newlines == 0 && matches!(self.bytes[start], b'!' | b'?')
        };
        let belongs = item.kind == ItemKind::Word
            && if word_end == start {
                prose::ends_in_prose(text) || null::is_joined(text)
            } else {
                null::is_sentence(text) && is_apart()
            };
        if belongs {
            item.len = end as u32 - item.offset;
        }
        belongs
    }

    /// Everything that is not a plain move, number or tag.
    fn rare(&mut self, token: Result<Token, ()>) {
        let span = self.lexer.span();
        let (start, end) = (span.start, span.end);
        match token {
            Ok(Token::Word) => self.run(start, end),
            Ok(Token::Suffix | Token::Dots | Token::Punctuation)
                if self.sign_of_prose(start, end) => {}
            Ok(Token::EnPassant) => {
                // The mark says nothing that the move does not (M9, M11).
                let len = self.bytes[start..end]
                    .iter()
                    .rposition(u8::is_ascii_digit)
                    .map_or(end - start, |digit| digit + 1);
                self.move_word(start, start + len);
            }
            Ok(Token::Result) => self.result(start, end),
            Ok(Token::Forfeit) => self.forfeit(start, end),
            Ok(Token::Nag) => self.nag(start, end),
            Ok(Token::Suffix) => self.common.suffix(start, end),
            Ok(Token::Sign) => self.sign(start),
            Ok(Token::Dots | Token::EnPassantMark) => {}
            _ => self.common.unknown(start, end),
        }
    }

    fn sign(&mut self, at: usize) {
        let next = match self.bytes[at] {
            b'(' => return self.open_variation(at),
            b')' => return self.close_variation(at),
            b']' if self.common.is_in_bracket() => return self.close_variation(at),
            b';' => {
                if self.entity(at) {
                    return;
                }
                self.common.sign(at)
            }
            b'<' => return self.angle(at),
            b'>' if !is_line_start(self.bytes, at) => return,
            b'%' if is_first_column(self.bytes, at) => line_end(self.bytes, at),
            b'%' => return self.common.unknown(at, at + 1),
            _ => self.common.sign(at),
        };
        self.lexer.bump(next - at - 1);
    }

    /// Takes an entity of HTML off the word that it was read as a part of, if the
    /// semicolon at `at` ends one (L10): `Nf3&nbsp;`.
    fn entity(&mut self, at: usize) -> bool {
        let Some(start) = prose::entity_start(self.bytes, at) else {
            return false;
        };
        if let Some(item) = self.common.game.items.last_mut()
            && item.kind == ItemKind::Word
            && (item.offset + item.len) as usize == at
            && item.offset as usize <= start
        {
            item.len = start as u32 - item.offset;
            if item.len == 0 {
                self.common.number = item.value;
                self.common.game.items.pop();
            }
        }
        if !self.bytes[start..at].eq_ignore_ascii_case(b"&nbsp") {
            self.common.unknown(start, at + 1);
        }
        true
    }

    /// A run of word bytes: a word, or several that stick to each other.
    fn run(&mut self, start: usize, end: usize) {
        let text = &self.bytes[start..end];
        if text.len() < 5
            && matches!(text[0], b'O' | b'o' | b'0' | b'-')
            && let Some(behind) = self.castling(start, end)
        {
            self.lexer.bump(behind - end);
            return;
        }
        if text.ends_with(b"-")
            && let Some(behind) = prose::rejoined(self.bytes, start, end)
        {
            self.lexer.bump(behind - end);
            return self.common.word(start, behind);
        }
        if text.is_ascii() {
            return self.piece(start, end);
        }
        let utf8 = std::str::from_utf8(text).is_ok();
        let mut from = 0;
        while let Some((at, len)) = wide_gap(text, from, utf8) {
            self.piece(start + from, start + at);
            from = at + len;
        }
        self.piece(start + from, end);
    }

    /// Takes castling whose signs stand apart (M4) and with which the run of word bytes ends, or
    /// goes on; where it ends. Two letters of three may have been read before.
    #[cold]
    fn castling(&mut self, start: usize, run_end: usize) -> Option<usize> {
        let castling_end = |from| castling_end(self.bytes, from).filter(|&end| end >= run_end);
        if self.bytes[start] != b'-' {
            let end = castling_end(start)?;
            self.move_word(start, end);
            return Some(end);
        }
        let item = self.common.game.items.last_mut()?;
        let (from, to) = (item.offset as usize, (item.offset + item.len) as usize);
        let is_apart = self.bytes[to..start].iter().all(|&byte| byte == b' ') && to < start;
        let castles = item.kind == ItemKind::Word && &self.bytes[from..to] == b"O-O" && is_apart;
        let end = castles.then(|| castling_end(from))??;
        item.len = (end - from) as u32;
        Some(end)
    }

    fn piece(&mut self, mut start: usize, mut end: usize) {
        let bytes = self.bytes;
        // `1e4`, `1:`: the number's dot is missing (L6).
        if let Some(number) = wide_number(&bytes[start..end]) {
            if number.is_bare && number.len == self.lexer.span().len() {
                return self.bare_number(number.value);
            }
            self.common.number = number.value;
            start += number.len;
        } else {
            let digits = number_len(&bytes[start..end]);
            if digits > 0 {
                self.common.number = leading_number(&bytes[start..]).1;
                start += digits;
            }
        }
        if start == end {
            return;
        }
        let result = glued_result(&bytes[start..end]);
        end -= result;
        let mut sign = None;
        match spelling(&bytes[start..end]) {
            Spelling::Move if &bytes[start..end] == b"--" && prose::is_signature(bytes, start) => {
                self.common.next = Some(start);
            }
            Spelling::Move => {
                if let Some((len, nag)) = glued_sign(&bytes[start..end]) {
                    end -= len;
                    sign = Some((end, len, nag));
                }
                let mut word_end = end;
                if matches!(bytes[end - 1], b'1' | b'8' | b'=')
                    && self.lexer.span().end == end
                    && bytes[start..end].iter().all(|b| !b.is_ascii_uppercase())
                {
                    let pawn = end - usize::from(bytes[end - 1] == b'=');
                    if matches!(bytes[start..pawn].last(), Some(b'1' | b'8')) {
                        word_end = promotion_end(bytes, pawn).max(end);
                        self.lexer.bump(word_end - end);
                    }
                }
                self.move_word(start, word_end);
            }
            // Only followed by a blank are letters a sign (M5 has the others).
            Spelling::Nag(_)
                if bytes[start].is_ascii_alphabetic()
                    && (!bytes.get(end).is_none_or(u8::is_ascii_whitespace)
                        || end == start + 1
                            && is_piece_apart(bytes, end, self.common.number > 0)) =>
            {
                self.move_word(start, end);
            }
            Spelling::Nag(nag) => sign = Some((start, end - start, nag)),
            Spelling::Remark => {}
            Spelling::Nothing => self.common.unknown(start, end),
        }
        if let Some((at, len, nag)) = sign {
            self.common.nag(at, at + len, nag);
        }
        if result > 0 {
            let at = end
                + sign
                    .filter(|&(at, ..)| at == end)
                    .map_or(0, |(_, len, _)| len);
            self.result(at, at + result);
        }
    }

    fn nag(&mut self, start: usize, end: usize) {
        if end - start == 1 {
            return self.common.unknown(start, end);
        }
        self.common.numbered_glyph(start, end);
    }

    /// A termination marker (M2, M2b).
    fn result(&mut self, start: usize, end: usize) {
        if self.common.ends_before_heading((start, end), Syntax::Pgn) {
            return;
        }
        self.common.result((start, end), gap, game_ends_after);
    }

    /// `+/-` ends a game by forfeit where nothing follows, else it judges the position.
    fn forfeit(&mut self, start: usize, end: usize) {
        if !self.common.is_in_variation() && game_ends_after(self.bytes, end) {
            return self.result(start, end);
        }
        match spelling(&self.bytes[start..end]) {
            Spelling::Nag(nag) => self.common.nag(start, end, nag),
            _ => self.common.unknown(start, end),
        }
    }

    fn open_variation(&mut self, start: usize) {
        let had_move = self.common.has_move;
        if self.common.open_variation(start) && !had_move {
            self.common.game.report(Code::RavFirst, start, Cow::default);
        }
    }

    fn close_variation(&mut self, at: usize) {
        let Some(frame) = self.common.parser.frames.pop() else {
            // `1)` is a number, too (L6).
            if at == 0 || !self.bytes[at - 1].is_ascii_digit() || self.common.number == 0 {
                self.common.stray(at);
            }
            return;
        };
        self.end_variation(frame, at);
    }

    fn end_variation(&mut self, frame: OpenVariation, at: usize) {
        self.common.leave_variation(frame);
        let start = frame.item as usize;
        let inner = &self.common.game.items[start + 1..];
        let is_empty = inner.is_empty();
        let text = self.common.game.items[start].offset as usize;
        if !frame.dropped && prose::is_remark(self.bytes, inner, &self.bytes[text..at]) {
            self.common.game.items.truncate(start);
            return self.common.loose_text(text, at);
        }
        if frame.dropped || is_empty {
            self.common.game.items.truncate(start);
        } else {
            self.common.keep_variation(frame, at);
        }
    }

    /// `<...>` on one line is skipped (L8); `<>` stays as the word it was
    /// meant to be, or the moves after it would change sides unseen (M10).
    fn angle(&mut self, start: usize) {
        match self.common.parser.angle_end(start) {
            Some(end) if end == start + 2 => self.move_word(start, end),
            Some(end) => {
                let text = &self.bytes[start..end];
                if text.len() > 4 && text.to_ascii_lowercase().ends_with(b"pre>") {
                    self.common.game.report_wrapper(start);
                }
                self.lexer.bump(end - start - 1);
                return;
            }
            None => return,
        }
        self.lexer.bump(1);
    }

    /// Closes what is open (M12) and settles the result (M2, M3).
    fn finish(&mut self, end: usize) {
        self.common.report_unclosed();
        while let Some((frame, at)) = self.common.unclosed(end) {
            self.end_variation(frame, at);
        }
        self.common.settle(end);
    }
}
