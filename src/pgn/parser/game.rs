//! The parser: finds where games begin and reads their tag sections.

use std::borrow::Cow;
use std::ops::Range;

use super::game_start::{is_movetext_start, prelude_line_end};
use super::lookahead::{
    InterTokenText, at_line_end, closing_brace, escaped_blank_len, gap, is_first_column,
    is_line_start, is_numbered, is_pair_start, is_tag_start, line_end, next_line, section_in,
    skip_on_line, trim_blank_end, wrapper_len,
};
use super::movetext::Movetext;
use super::pdn;
use super::prose;
use super::tags::{ReadTag, read_tag};
use super::{ItemKind, LimitExceeded, RawGame, RawItem, Syntax, TagPair};
use crate::base::diagnostic::Code;
use crate::base::limits::{
    ITEMS_PER_GAME_MAX, TAG_NAME_BYTES_MAX, TAG_VALUE_BYTES_MAX, TAGS_PER_GAME_MAX,
};
use crate::pgn::lexer::{lexer_at, tag::TagToken};

/// The syntax that games of a variant are written in, by the value of their `Variant` tag; `None`
/// if it does not say.
pub type VariantSyntax = fn(&[u8]) -> Option<Syntax>;

/// Whether each line of a movetext without numbers is a game of its own, by the rules.
pub type LineGameTest = fn(&[u8]) -> bool;

/// Reads games from a text, one after the other; see the [module](super).
#[derive(Debug)]
pub struct Parser<'s> {
    pub(super) bytes: &'s [u8],
    /// Where the next game is searched for.
    at: usize,
    /// The syntax of a game that does not show its own.
    hint: Syntax,
    /// The syntax of all games, if that is known beforehand.
    told: Option<Syntax>,
    /// What the value of a `Variant` tag says.
    pub(super) of_variant: VariantSyntax,
    /// Whether lines without numbers are games.
    are_games: LineGameTest,
    /// Up to where they are, as was found.
    games_to: usize,
    /// A part of a line up to its end, so that this is searched for once.
    pub(super) comment_line: Range<usize>,
    /// What the last game showed of its syntax.
    pub(super) evidence: Option<Syntax>,
    /// The next `}` that is known of; valid for all offsets from where it was searched for up to
    /// it. Keeps unclosed comments linear.
    next_brace_close: Option<SearchOffset>,
    /// The same for `>`.
    next_greater: Option<SearchOffset>,
    /// See [`left_over`](Self::left_over).
    left_over: Option<usize>,
    /// The open variations; kept here so that its memory is used again.
    pub(super) frames: Vec<super::item_writer::OpenVariation>,
}

/// What a search from `from` on found: an offset, or the text's length for nothing.
#[derive(Debug, Clone, Copy)]
struct SearchOffset {
    from: usize,
    at: usize,
}

/// How a comment ends.
#[derive(Debug, Clone, Copy)]
pub(super) struct CommentEnd {
    /// After the comment's text.
    pub text: usize,
    /// Where reading goes on.
    pub next: usize,
    /// Whether it had a brace to close it.
    pub closed: bool,
}

/// What a tag section ended with.
enum SectionEnd {
    /// Movetext, or what passes for it, from here on.
    Movetext(usize),
    /// The tag section of another game (T5), from here on.
    Section(usize),
}

/// A text without the end of file of DOS (L2), which may fill a block.
fn without_dos_end(bytes: &[u8]) -> &[u8] {
    const DOS_END: u8 = 0x1a;
    let said = |byte: &u8| !byte.is_ascii_whitespace() && *byte != DOS_END;
    match bytes.trim_ascii_end().last() {
        Some(&DOS_END) => &bytes[..bytes.iter().rposition(said).map_or(0, |last| last + 1)],
        _ => bytes,
    }
}

impl<'s> Parser<'s> {
    /// A parser of a text of less than 4 GiB that begins where a game begins.
    /// Games that do not show their syntax are in that of PGN.
    ///
    /// # Panics
    ///
    /// Panics if the text has 4 GiB or more: offsets have 32 bits.
    pub fn new(bytes: &'s [u8]) -> Self {
        Self::with_hint(bytes, Syntax::Pgn)
    }

    /// A parser of a text from a source whose [`detect_syntax`](super::detect_syntax) is known:
    /// games are of that syntax where neither tags nor moves show it (R4).
    ///
    /// # Panics
    ///
    /// As [`Self::new`].
    pub fn with_hint(bytes: &'s [u8], hint: Syntax) -> Self {
        assert!(
            u32::try_from(bytes.len()).is_ok(),
            "a chunk is smaller than 4 GiB"
        );
        Self {
            bytes: without_dos_end(bytes),
            at: 0,
            hint,
            told: None,
            of_variant: |_| None,
            are_games: |_| false,
            games_to: 0,
            comment_line: 0..0,
            evidence: None,
            next_brace_close: None,
            next_greater: None,
            left_over: None,
            frames: Vec::new(),
        }
    }

    /// The same where `Variant` tags, or the user, say which signs games are written in.
    #[must_use]
    pub const fn reading(mut self, told: Option<Syntax>, of_variant: VariantSyntax) -> Self {
        self.told = told;
        self.of_variant = of_variant;
        self
    }

    /// The same where the rules can decide whether lines are games (M1b).
    #[must_use]
    pub const fn parting(mut self, are_games: LineGameTest) -> Self {
        self.are_games = are_games;
        self
    }

    /// Reads the next game; `false` at the end of the text.
    pub fn next_game(&mut self, game: &mut RawGame) -> bool {
        game.clear();
        self.evidence = None;
        let Some(start) = self.find_start(game) else {
            return false;
        };
        let movetext = match self.tag_section(start, game) {
            SectionEnd::Movetext(at) => at,
            SectionEnd::Section(at) => {
                self.at = at;
                self.evidence = self.told.or_else(|| self.syntax_of_tags(game));
                game.syntax = self.evidence.unwrap_or(self.hint);
                self.finish_without_moves(start, game);
                return true;
            }
        };
        let text_start = if game.items.is_empty() {
            start
        } else {
            start.min(movetext)
        };
        let first = gap(self.bytes, movetext).next.min(self.bytes.len());
        game.movetext_span = (first as u32, first as u32);
        self.evidence = match self.told.or_else(|| self.syntax_of_tags(game)) {
            None => self.syntax_of_words(first),
            told => told,
        };
        game.syntax = self.evidence.unwrap_or(self.hint);
        let whole = self.bytes;
        let is_bare = game.tags.is_empty();
        if is_bare && first < self.games_to {
            // That each line is a game is known, and nothing is read twice.
            self.bytes = &whole[..line_end(whole, first)];
        }
        let (mut end, mut next) = self.movetext(game, movetext);
        self.bytes = whole;
        if is_bare && let Some(first_line) = self.first_line(game, first, end) {
            (end, next) = first_line;
        }
        self.at = next;
        let end = end.max(movetext.min(first));
        game.movetext_span.1 = (end as u32).max(game.movetext_span.0);
        if end <= first {
            game.movetext_span = (end as u32, end as u32);
        }
        game.span = (text_start as u32, end as u32);
        game.non_ascii = !self.bytes[text_start..end].is_ascii();
        true
    }

    /// Leaves a game the first of its lines, if none has a number and each is a game
    /// (M1b): where that ends and the next begins.
    fn first_line(&mut self, game: &mut RawGame, from: usize, to: usize) -> Option<(usize, usize)> {
        let is_bare = |item: &RawItem| item.kind == ItemKind::Word && item.value == 0;
        if !game.items.iter().take(2).all(is_bare) {
            return None;
        }
        let kept = prose::second_line(self.bytes, &game.items)?;
        if !game.items.iter().all(is_bare) || !(self.are_games)(&self.bytes[from..to]) {
            return None;
        }
        self.games_to = to;
        let next = game.items[kept].offset as usize;
        game.items.truncate(kept);
        let end = game.items[kept - 1].offset + game.items[kept - 1].len;
        game.diagnostics
            .retain(|found| found.offset_bytes < u64::from(end));
        game.termination = None;
        game.report(Code::ResultMissing, end as usize, Cow::default);
        Some((end as usize, next))
    }

    /// Reads movetext in the game's syntax.
    fn movetext(&mut self, game: &mut RawGame, at: usize) -> (usize, usize) {
        match game.syntax {
            Syntax::Pgn => Movetext::new(self, game, at).read(),
            Syntax::Pdn => pdn::PdnMovetext::new(self, game, at).read(),
        }
    }

    /// Where text begins that stands after the last game and is not a game, once there are no more
    /// games.
    pub const fn left_over(&self) -> Option<usize> {
        self.left_over
    }

    /// Reads the inside of a variation: movetext alone, without tags or prelude,
    /// in the signs of the game it belongs to.
    ///
    /// # Panics
    ///
    /// As [`Self::new`].
    pub fn variation(bytes: &'s [u8], syntax: Syntax, game: &mut RawGame) {
        game.clear();
        game.syntax = syntax;
        let (end, _) = Self::with_hint(bytes, syntax).movetext(game, 0);
        game.movetext_span = (0, end as u32);
        game.span = game.movetext_span;
    }

    /// A game that is nothing but its tags (T5).
    fn finish_without_moves(&mut self, start: usize, game: &mut RawGame) {
        let end = trim_blank_end(self.bytes, start, self.at);
        game.span = (start as u32, end as u32);
        game.movetext_span = (end as u32, end as u32);
        game.non_ascii = !self.bytes[start..end].is_ascii();
        game.report(Code::ResultMissing, end, Cow::default);
    }

    /// Skips what stands before a game (M17) and returns where it begins: at a
    /// tag, at a comment or at a move's number.
    fn find_start(&mut self, game: &mut RawGame) -> Option<usize> {
        let bytes = self.bytes;
        let mut prelude = None;
        let mut first_comment = None;
        loop {
            let InterTokenText {
                next: at, quoted, ..
            } = gap(bytes, self.at);
            if quoted {
                game.report_wrapper(at);
            }
            let Some(&byte) = bytes.get(at) else {
                self.at = at;
                // A comment without a game is not a game.
                self.left_over = prelude.or(first_comment);
                game.clear();
                return None;
            };
            let starts = match byte {
                b'[' => match wrapper_len(bytes, at) {
                    0 => is_tag_start(bytes, at),
                    len => {
                        game.report_wrapper(at);
                        self.at = at + len;
                        continue;
                    }
                },
                b'{' => {
                    first_comment.get_or_insert(at);
                    self.comment(at, game);
                    continue;
                }
                b';' => {
                    first_comment.get_or_insert(at);
                    self.line_comment(at, game);
                    continue;
                }
                b'%' if is_first_column(bytes, at) => {
                    self.at = next_line(bytes, at);
                    continue;
                }
                b'<' => match self.angle_end(at) {
                    Some(end) => {
                        game.report_wrapper(at);
                        self.at = end;
                        continue;
                    }
                    None => false,
                },
                b'\\' if escaped_blank_len(bytes, at) > 0 => {
                    self.at = at + 2;
                    continue;
                }
                _ => is_movetext_start(bytes, at, self.hint),
            };
            if starts {
                let heading = match prelude {
                    Some(prelude) if byte != b'[' => prose::heading(bytes, prelude, at),
                    _ => None,
                };
                let bare = prelude.filter(|_| byte != b'[');
                let preface = bare.and_then(|prelude| prose::preface(bytes, prelude, at));
                if let Some(prelude) = prelude
                    && preface.or(heading).is_none_or(|(start, _)| start > prelude)
                {
                    game.report(Code::Prelude, prelude, Cow::default);
                }
                game.heading = heading.map(|(start, end)| (start as u32, end as u32));
                if let Some((start, end)) = preface.or(heading) {
                    game.report(Code::LooseText, start, || {
                        super::excerpt(&bytes[start..end])
                    });
                    let text = RawItem::new(ItemKind::Comment, start, end, 0);
                    game.items.insert(0, text);
                    self.at = at;
                    return Some(start);
                }
                return Some(first_comment.unwrap_or(at));
            }
            prelude.get_or_insert(at);
            // Comments in front of prose belong to the prose.
            game.items.clear();
            first_comment = None;
            self.at = prelude_line_end(bytes, at, self.hint);
        }
    }

    /// Reads the comment whose brace stands at `open`.
    fn comment(&mut self, open: usize, game: &mut RawGame) {
        let end = self.comment_end(open);
        if !end.closed {
            game.report(Code::UnclosedComment, open, Cow::default);
        }
        note_before(game, ItemKind::Comment, open + 1, end.text);
        self.at = end.next;
    }

    /// Reads the comment whose semicolon stands at `open` (L5).
    fn line_comment(&mut self, open: usize, game: &mut RawGame) {
        let end = line_end(self.bytes, open);
        note_before(game, ItemKind::LineComment, open + 1, end);
        self.at = end;
    }

    /// Where the comment that is opened at `open` ends (L4).
    pub(super) fn comment_end(&mut self, open: usize) -> CommentEnd {
        let end = self.comment_end_at_brace(open);
        if end.closed && end.text > open + 1 && self.bytes[end.text - 1] == b'\\' {
            let text = closing_brace(self.bytes, open, end.text);
            let next = text + 1;
            return CommentEnd { text, next, ..end };
        }
        end
    }

    fn comment_end_at_brace(&mut self, open: usize) -> CommentEnd {
        let bytes = self.bytes;
        let start = open + 1;
        // The usual case first: no other brace opens before this one closes.
        let hit = match self.next_brace_close {
            Some(found) if found.from <= start && start <= found.at => None,
            _ => memchr::memchr2(b'}', b'{', &bytes[start..]).map(|n| start + n),
        };
        let ended = |text, closed| CommentEnd {
            text,
            next: text + usize::from(closed),
            closed,
        };
        if let Some(hit) = hit
            && bytes[hit] == b'}'
        {
            return ended(hit, true);
        }
        let close = self.next_brace_close(hit.unwrap_or(start));
        match section_in(bytes, start, close) {
            // Another comment opens in another game before the brace that
            // would close this one: that brace is the other comment's.
            Some((text, section))
                if close == bytes.len()
                    || memchr::memchr(b'{', &bytes[section..close]).is_some() =>
            {
                ended(text, false)
            }
            _ => ended(close, close < bytes.len()),
        }
    }

    /// Offset of the first `}` from `from` on, or the text's length.
    fn next_brace_close(&mut self, from: usize) -> usize {
        search(&mut self.next_brace_close, self.bytes, b'}', from)
    }

    /// Offset after the `>` that closes the `<` at `open` on the same line (L8).
    pub(super) fn angle_end(&mut self, open: usize) -> Option<usize> {
        let close = search(&mut self.next_greater, self.bytes, b'>', open);
        let text = &self.bytes[open..close];
        // Whatever precedes the next `>` is looked through once per `<`, so
        // what stands between angles is bounded.
        (close < self.bytes.len()
            && text.len() <= 4096
            && memchr::memchr2(b'\n', b'\r', text).is_none())
        .then_some(close + 1)
    }

    /// Reads the tag section that begins at `start` (T1, T5).
    fn tag_section(&mut self, start: usize, game: &mut RawGame) -> SectionEnd {
        let bytes = self.bytes;
        let mut lexer = lexer_at::<TagToken>(bytes, start);
        // Comments that `find_start` has read already are items by now.
        if !game.items.is_empty() {
            lexer.bump(self.at - start);
        }
        loop {
            let before = lexer.span().end;
            let Some(token) = lexer.next() else {
                return SectionEnd::Movetext(bytes.len());
            };
            let at = lexer.span().start;
            let is_plain = token == Ok(TagToken::Pair) && is_plain_end(bytes, lexer.span().end);
            if is_plain && let Some(pair) = plain_pair(bytes, lexer.span()) {
                if is_dup(bytes, game, &pair)
                    && let Some(section) = self.dup(game, before, at, &pair)
                {
                    return SectionEnd::Section(section);
                }
                push_tag(game, pair);
                continue;
            }
            match token {
                Ok(TagToken::Pair | TagToken::Open)
                    if is_plain
                        || wrapper_len(bytes, at) == 0
                            && !is_numbered(bytes, at + 1)
                            && (is_line_start(bytes, at) || is_pair_start(bytes, at)) =>
                {
                    let read = read_tag(bytes, at);
                    // Going on after it; in the plain case the token ends there.
                    let end = read.end;
                    if let Some(section) = self.tag(game, before, at, read) {
                        return SectionEnd::Section(section);
                    }
                    lexer = lexer_at(bytes, end);
                }
                Ok(TagToken::CommentOpen) => {
                    self.comment(at, game);
                    lexer = lexer_at(bytes, self.at);
                }
                Ok(TagToken::Semicolon) => {
                    self.line_comment(at, game);
                    lexer = lexer_at(bytes, self.at);
                }
                Ok(TagToken::Percent) if is_first_column(bytes, at) => {
                    lexer = lexer_at(bytes, next_line(bytes, at));
                }
                Ok(TagToken::Greater) if is_line_start(bytes, at) => game.report_wrapper(at),
                Ok(TagToken::WideBlank) => {}
                Err(()) if prose::html_len(bytes, at) > 0 => {
                    game.report_wrapper(at);
                    lexer = lexer_at(bytes, at + prose::html_len(bytes, at));
                }
                _ => return SectionEnd::Movetext(at),
            }
        }
    }

    /// Adds a tag that is not plain; where another section begins, if one does.
    fn tag(
        &mut self,
        game: &mut RawGame,
        before: usize,
        at: usize,
        read: ReadTag,
    ) -> Option<usize> {
        let bytes = self.bytes;
        if is_dup(bytes, game, &read.pair)
            && let Some(section) = self.dup(game, before, at, &read.pair)
        {
            return Some(section);
        }
        let name = || super::excerpt(read.pair.name_bytes(bytes));
        if read.odd {
            game.report(Code::TagSyntax, at, name);
        }
        if read.cut {
            game.report(Code::TagTruncated, at, name);
        }
        push_tag(game, read.pair);
        None
    }

    /// A name that already exists: where another game has begun with it or before it
    /// (T5); else it is only noted (T4).
    fn dup(
        &mut self,
        game: &mut RawGame,
        before: usize,
        at: usize,
        pair: &TagPair,
    ) -> Option<usize> {
        if gap(self.bytes, before).newlines >= 2 {
            return Some(at);
        }
        let begun = self.begun_again(game, at, pair);
        if let Some(section) = begun {
            let is_before = |offset: u32| (offset as usize) < section;
            game.tags.retain(|tag| is_before(tag.name.0));
            game.items.retain(|item| is_before(item.offset));
            game.diagnostics
                .retain(|found| found.offset_bytes < section as u64);
        } else {
            game.report(Code::DupTag, at, Cow::default);
        }
        begun
    }

    /// Where tags begin again as they did before, if another position comes with them: lines
    /// of tags may be a list of positions.
    fn begun_again(&self, game: &RawGame, at: usize, pair: &TagPair) -> Option<usize> {
        const POSITION: &[u8] = b"FEN";
        let bytes = self.bytes;
        let is = |tag: &TagPair, name: &[u8]| tag.name_bytes(bytes).eq_ignore_ascii_case(name);
        if !is(pair, POSITION) {
            return None;
        }
        let before = game.tags.iter().rposition(|tag| is(tag, POSITION))?;
        let may_be = |tag: &TagPair| memchr::memchr2(b'/', b':', tag.value_bytes(bytes)).is_some();
        if !may_be(pair) || !may_be(&game.tags[before]) {
            return None;
        }
        let first = game.tags[0].name_bytes(bytes);
        let again = game.tags[before + 1..].iter().find(|tag| is(tag, first));
        if let Some(again) = again {
            return memchr::memrchr(b'[', &bytes[..again.name.0 as usize]);
        }
        let is_other = game.tags[before].value_bytes(bytes) != pair.value_bytes(bytes);
        (is(pair, first) && is_other).then_some(at)
    }
}

/// Whether the game has a tag of this name; among very many tags only the first
/// and the last are looked at, so that a million of them take no longer than they must.
#[inline]
fn is_dup(bytes: &[u8], game: &RawGame, pair: &TagPair) -> bool {
    const LOOKED_AT: usize = 128;
    let name = pair.name_bytes(bytes);
    let (first, rest) = game.tags.split_at(game.tags.len().min(LOOKED_AT));
    let last = &rest[rest.len().saturating_sub(LOOKED_AT)..];
    first.iter().chain(last).any(|tag| {
        tag.name.1 - tag.name.0 == name.len() as u32
            && tag.name_bytes(bytes).eq_ignore_ascii_case(name)
    })
}

/// A tag pair in plain form; `None` if its name or value must be cut.
#[inline]
fn plain_pair(bytes: &[u8], span: Range<usize>) -> Option<TagPair> {
    let (name, end) = (span.start + 1, span.end);
    let blank = |byte: &&u8| **byte != b' ';
    let name_len = bytes[name..end].iter().take_while(blank).count();
    let quote = memchr::memchr(b'"', &bytes[name + name_len..end])?;
    let value = name + name_len + quote + 1;
    let is_short = name_len <= TAG_NAME_BYTES_MAX && end - 2 - value <= TAG_VALUE_BYTES_MAX;
    is_short.then(|| TagPair {
        name: (name as u32, (name + name_len) as u32),
        value: (value as u32, (end - 2) as u32),
        value_unescaped: None,
        implied_name: None,
    })
}

/// Whether a tag pair in plain form may end here: a `]` within a value must
/// not be taken for the last.
#[inline]
fn is_plain_end(bytes: &[u8], at: usize) -> bool {
    at_line_end(bytes, at) || {
        let next = skip_on_line(bytes, at);
        is_pair_start(bytes, next)
            || escaped_blank_len(bytes, next) > 0
            || prose::html_len(bytes, next) > 0
    }
}

/// Remembers the last search for a byte, so that a search from a later offset
/// that the answer still covers costs nothing.
fn search(last: &mut Option<SearchOffset>, bytes: &[u8], wanted: u8, from: usize) -> usize {
    if let Some(found) = last
        && found.from <= from
        && from <= found.at
    {
        return found.at;
    }
    let at = memchr::memchr(wanted, &bytes[from..]).map_or(bytes.len(), |n| from + n);
    *last = Some(SearchOffset { from, at });
    at
}

/// Adds a tag pair, unless the game has too many.
#[inline]
fn push_tag(game: &mut RawGame, pair: TagPair) {
    if game.tags.len() < TAGS_PER_GAME_MAX {
        game.tags.push(pair);
    } else {
        game.excess.get_or_insert(LimitExceeded::Tags);
    }
}

/// Adds a comment before the movetext, unless the game has too many.
fn note_before(game: &mut RawGame, kind: ItemKind, start: usize, end: usize) {
    if game.items.len() < ITEMS_PER_GAME_MAX {
        push(game, kind, start, end);
    } else {
        game.excess.get_or_insert(LimitExceeded::Items);
    }
}

pub(super) fn push(game: &mut RawGame, kind: ItemKind, start: usize, end: usize) {
    game.items.push(RawItem::new(kind, start, end, 0));
}
