//! What the movetexts of PGN and of PDN put into a game alike.

use std::borrow::Cow;

use super::game::{Parser, push};
use super::game_start::is_transcript;
use super::lookahead::{
    InterTokenText, gap, is_line_start, is_tag_start, line_end, next_start, wrapper_len,
};
use super::prose;
use super::word::leading_number;
use super::{ItemKind, LimitExceeded, RawGame, RawItem, Syntax};
use crate::base::diagnostic::Code;
use crate::base::limits::{ITEMS_PER_GAME_MAX, NAG_MAX};

/// An open variation. Their depth is the length of a vector: never recursion.
#[derive(Debug, Clone, Copy)]
pub(super) struct OpenVariation {
    /// Its start among the items.
    pub item: u32,
    /// Whether the line it belongs to had a move before it.
    pub outer_has_move: bool,
    /// Whether it is dropped when it ends, as it replaces nothing.
    pub dropped: bool,
}

/// The number of the annotation glyph that `!`, `?` and their pairs stand for; what
/// follows the first two signs says nothing.
pub const fn glyph_of(suffix: &[u8]) -> u32 {
    match suffix {
        [b'!'] => 1,
        [b'?'] => 2,
        [b'!', b'!', ..] => 3,
        [b'?', b'?', ..] => 4,
        [b'!', ..] => 5,
        _ => 6,
    }
}

/// Writes the items of one game, and knows where in its lines it is.
#[derive(Debug)]
pub(super) struct ItemWriter<'p, 's> {
    pub parser: &'p mut Parser<'s>,
    pub game: &'p mut RawGame,
    /// The move number that stood last, for the next word.
    pub number: u32,
    /// Whether the current line had a move.
    pub has_move: bool,
    /// A result of the main line that did not end the game on the spot: it
    /// will be the termination unless a move follows. Its place in the items.
    pub pending_result: Option<usize>,
    /// Where the next game begins, once the game has ended.
    pub next: Option<usize>,
}

impl<'p, 's> ItemWriter<'p, 's> {
    pub(super) fn new(parser: &'p mut Parser<'s>, game: &'p mut RawGame) -> Self {
        parser.frames.clear();
        Self {
            parser,
            game,
            number: 0,
            has_move: false,
            pending_result: None,
            next: None,
        }
    }

    /// Where the next game begins, if this one has ended: with what ended it, or with a result of
    /// the main line after which `ends` says so.
    #[inline]
    pub(super) fn next_game(
        &mut self,
        read_to: usize,
        ends: impl FnOnce() -> bool,
    ) -> Option<usize> {
        if self.pending_result.is_some() && self.next.is_none() && !self.is_in_variation() && ends()
        {
            self.next = Some(read_to);
        }
        self.next
    }

    /// Gives a game up that has too many items; what is left to be read lies from
    /// where the next game may begin.
    #[inline]
    pub(super) fn gives_up(&mut self, read_to: usize) -> Option<usize> {
        (self.game.items.len() > ITEMS_PER_GAME_MAX).then(|| self.give_up(read_to))
    }

    #[cold]
    fn give_up(&mut self, read_to: usize) -> usize {
        self.game.excess.get_or_insert(LimitExceeded::Items);
        self.game.items.clear();
        self.parser.frames.clear();
        self.pending_result = None;
        next_start(self.parser.bytes, read_to)
    }

    pub(super) fn is_in_variation(&self) -> bool {
        !self.parser.frames.is_empty()
    }

    /// A word, with the number that stood before it.
    #[inline]
    pub(super) fn word(&mut self, start: usize, end: usize) {
        self.has_move = true;
        let number = std::mem::take(&mut self.number);
        let word = RawItem::new(ItemKind::Word, start, end, number);
        self.game.items.push(word);
    }

    pub(super) fn nag(&mut self, start: usize, end: usize, value: u32) {
        let nag = RawItem::new(ItemKind::Nag, start, end, value);
        self.game.items.push(nag);
    }

    /// A dollar sign and digits; a number that no glyph has is text.
    pub(super) fn numbered_glyph(&mut self, start: usize, end: usize) {
        let text = &self.parser.bytes[start..end];
        let (_, number) = leading_number(&text[1..]);
        if number <= NAG_MAX {
            return self.nag(start, end, number);
        }
        self.game
            .report(Code::NagRange, start, || super::excerpt(text));
        push(self.game, ItemKind::Text, start, end);
    }

    /// `!` to `?!`, also apart from the move; a third sign is cut.
    pub(super) fn suffix(&mut self, start: usize, end: usize) {
        let text = &self.parser.bytes[start..end];
        if text.len() > 2 {
            self.game
                .report(Code::SuffixLong, start, || super::excerpt(text));
        }
        self.nag(start, end, glyph_of(text));
    }

    /// A comment in braces; returns where reading goes on.
    fn comment(&mut self, start: usize) -> usize {
        let comment = self.parser.comment_end(start);
        if !comment.closed {
            self.game.report(Code::UnclosedComment, start, Cow::default);
        }
        push(self.game, ItemKind::Comment, start + 1, comment.text);
        comment.next
    }

    /// A comment up to the end of the line, or of the variation that nothing else would
    /// close (L5); returns where that is.
    pub(super) fn line_comment(&mut self, start: usize) -> usize {
        let bytes = self.parser.bytes;
        if !self.parser.comment_line.contains(&start) {
            self.parser.comment_line = start..line_end(bytes, start);
        }
        let line = self.parser.comment_line.end.min(bytes.len());
        let line = if self.is_in_variation() {
            prose::comment_in_parentheses(bytes, start, line)
        } else {
            line
        };
        push(self.game, ItemKind::LineComment, start + 1, line);
        line
    }

    /// A sign that means the same in both syntaxes; returns where reading goes on.
    pub(super) fn sign(&mut self, at: usize) -> usize {
        let bytes = self.parser.bytes;
        match bytes[at] {
            b'{' => return self.comment(at),
            b';' => return self.line_comment(at),
            b'[' if wrapper_len(bytes, at) > 0 => {
                self.game.report_wrapper(at);
                return at + wrapper_len(bytes, at);
            }
            b'[' => return self.bracket(at),
            b'>' if is_line_start(bytes, at) => self.game.report_wrapper(at),
            _ => self.stray(at),
        }
        at + 1
    }

    /// A bracket that is no tag: a variation, or text (M18); returns where reading
    /// goes on.
    fn bracket(&mut self, open: usize) -> usize {
        let bytes = self.parser.bytes;
        let Some(close) = prose::bracket_end(bytes, open) else {
            self.stray(open);
            return open + 1;
        };
        let text = &bytes[open + 1..close];
        if prose::is_variation(bytes, (open, close), self.last_number()) {
            self.open_variation(open);
        } else if text.starts_with(b"%") || prose::has_no_moves(text) {
            self.loose_text(open, close + 1);
            return close + 1;
        } else {
            self.stray(open);
        }
        open + 1
    }

    /// Whether the innermost variation began with a bracket.
    pub(super) fn is_in_bracket(&self) -> bool {
        let frame = self.parser.frames.last();
        let open = frame.map(|frame| self.game.items[frame.item as usize].offset as usize - 1);
        open.is_some_and(|open| self.parser.bytes[open] == b'[')
    }

    /// The last move number that stands nearby.
    pub(super) fn last_number(&self) -> u32 {
        self.numbers_nearby().next().unwrap_or(0)
    }

    /// Whether a move can be due that has a number: nearby there is a move with it or with the one
    /// before, or none with any.
    pub(super) fn is_due(&self, number: u32) -> bool {
        let mut numbers = self.numbers_nearby().peekable();
        numbers.peek().is_none()
            || numbers.any(|near| near == number || near.checked_add(1) == Some(number))
    }

    /// The move numbers that stand nearby, the last first.
    fn numbers_nearby(&self) -> impl Iterator<Item = u32> {
        const NEAR: usize = 64;
        let words = self.game.items.iter().rev().take(NEAR);
        let is_numbered = |item: &&RawItem| item.kind == ItemKind::Word && item.value > 0;
        words.filter(is_numbered).map(|word| word.value)
    }

    /// Where the game ends, if the number 1 at `at` begins another (M1b).
    #[cold]
    pub(super) fn end_before(&mut self, at: usize, syntax: Syntax) -> Option<(usize, usize)> {
        let bytes = self.parser.bytes;
        // Problems and studies have several lines that begin at one position.
        let fen = self.game.tag(bytes, "FEN").unwrap_or_default();
        if self.is_in_variation()
            || !matches!(fen.trim_ascii(), b"" | b"?")
            || !prose::begins_again(bytes, at, syntax)
        {
            return None;
        }
        let (kept, cut) = prose::end_before(self.game, bytes, at)?;
        self.game.items.truncate(kept);
        self.pending_result = self.pending_result.filter(|&item| item < kept);
        let is_blank = |byte: &u8| byte.is_ascii_whitespace() || *byte == b'>';
        let blanks = bytes[..cut].iter().rev().take_while(|byte| is_blank(byte));
        Some((cut - blanks.count(), cut))
    }

    /// Whether a result is that of the heading of another game, which begins in the next line:
    /// words stand before it in a paragraph of their own (M1b). This game ends above it then.
    pub(super) fn ends_before_heading(
        &mut self,
        (start, end): (usize, usize),
        syntax: Syntax,
    ) -> bool {
        let bytes = self.parser.bytes;
        let InterTokenText { next, newlines, .. } = gap(bytes, end);
        let is_before_first = newlines == 1 && self.has_move && next < bytes.len();
        if !is_before_first || self.is_in_variation() {
            return false;
        }
        let begins = match bytes[next] {
            b'1' => prose::begins_again(bytes, next, syntax),
            _ => is_transcript(bytes, next),
        };
        let found = prose::end_before(self.game, bytes, start).filter(|_| begins);
        let Some((kept, cut)) = found.filter(|&(kept, cut)| {
            let last = kept.checked_sub(1).map(|last| self.game.items[last]);
            let behind = last.map_or(0, |last| (last.offset + last.len) as usize);
            let lines = memchr::memchr(b'\n', &bytes[behind..cut]);
            let is_braced = |item: &RawItem| {
                let before = (item.offset as usize).checked_sub(1);
                before.is_some_and(|at| matches!(bytes[at], b'{' | b';'))
            };
            // `{White resigns} 1-0` is the end of its own game.
            kept < self.game.items.len()
                && !self.game.items[kept..].iter().any(is_braced)
                && lines.is_some_and(|at| gap(bytes, behind + at).newlines > 1)
        }) else {
            return false;
        };
        self.game.items.truncate(kept);
        self.pending_result = self.pending_result.filter(|&item| item < kept);
        self.next = Some(cut);
        true
    }

    /// A move follows: the result that was seen did not end the game.
    #[cold]
    pub(super) fn went_on(&mut self) {
        if !self.is_in_variation()
            && let Some(item) = self.pending_result.take()
        {
            let offset = self.game.items[item].offset as usize;
            self.game.report(Code::ResultMid, offset, Cow::default);
        }
    }

    /// A result (M2, D4). It ends the game where the record is over after it; else it
    /// is text, of the main line until nothing follows.
    pub(super) fn result(
        &mut self,
        (start, end): (usize, usize),
        gap: fn(&[u8], usize) -> InterTokenText,
        ends_after: fn(&[u8], usize) -> bool,
    ) {
        let bytes = self.parser.bytes;
        let is_in_variation = self.is_in_variation();
        let ends = if is_in_variation {
            let next = gap(bytes, end).next;
            next >= bytes.len() || is_tag_start(bytes, next)
        } else {
            self.went_on();
            ends_after(bytes, end)
        };
        if ends {
            self.game.termination = Some((start as u32, end as u32));
            self.next = Some(end);
        } else {
            if !is_in_variation {
                self.pending_result = Some(self.game.items.len());
            }
            push(self.game, ItemKind::Result, start, end);
        }
    }

    /// Text outside of a comment, which becomes one.
    pub(super) fn loose_text(&mut self, start: usize, end: usize) {
        let text = &self.parser.bytes[start..end];
        self.game
            .report(Code::LooseText, start, || super::excerpt(text));
        push(self.game, ItemKind::Comment, start, end);
    }

    /// Opens a variation; returns whether it is not within a dropped one.
    pub(super) fn open_variation(&mut self, start: usize) -> bool {
        let is_outer_dropped = self.parser.frames.last().is_some_and(|frame| frame.dropped);
        self.parser.frames.push(OpenVariation {
            item: self.game.items.len() as u32,
            outer_has_move: self.has_move,
            dropped: is_outer_dropped || !self.has_move,
        });
        self.has_move = false;
        self.number = 0;
        push(self.game, ItemKind::VariationStart, start + 1, start + 1);
        !is_outer_dropped
    }

    /// Goes back to the line that a variation belongs to; returns whether the
    /// variation had a move.
    pub(super) const fn leave_variation(&mut self, frame: OpenVariation) -> bool {
        self.number = 0;
        std::mem::replace(&mut self.has_move, frame.outer_has_move)
    }

    /// Ends a variation that is kept.
    pub(super) fn keep_variation(&mut self, frame: OpenVariation, at: usize) {
        let item = &mut self.game.items[frame.item as usize];
        item.len = at as u32 - item.offset;
        push(self.game, ItemKind::VariationEnd, at, at);
    }

    pub(super) fn stray(&mut self, at: usize) {
        self.game.report(Code::StrayCloser, at, Cow::default);
    }

    pub(super) fn unknown(&mut self, start: usize, end: usize) {
        let text = &self.parser.bytes[start..end];
        self.game
            .report(Code::UnknownWord, start, || super::excerpt(text));
    }

    /// The next variation that nothing closed (M12), the innermost first, with
    /// where it ends in a text that is over at `end`.
    pub(super) fn unclosed(&mut self, end: usize) -> Option<(OpenVariation, usize)> {
        let inner = self
            .game
            .termination
            .map_or(end, |(start, _)| start as usize);
        Some((self.parser.frames.pop()?, inner))
    }

    /// Reports that variations are open at the end, if any is.
    pub(super) fn report_unclosed(&mut self) {
        if let Some(frame) = self.parser.frames.first() {
            let offset = self.game.items[frame.item as usize].offset as usize;
            self.game
                .report(Code::UnclosedRav, offset - 1, Cow::default);
        }
    }

    /// Settles the result of a game that is over at `end` (M2, M3).
    pub(super) fn settle(&mut self, end: usize) {
        if let Some(item) = self.pending_result {
            let item = self.game.items.remove(item);
            self.game.termination = Some((item.offset, item.offset + item.len));
        }
        if self.game.termination.is_none() {
            self.game.report(Code::ResultMissing, end, Cow::default);
        }
    }
}
