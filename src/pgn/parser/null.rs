//! Null moves, and what is written like one within sentences: dashes, and words that mean more
//! than to pass.

use memchr::{memchr2, memrchr};

use super::lookahead::gap;
use super::prose;
use super::word::{Spelling, spelling};
use super::{ItemKind, RawGame, RawItem};

/// Bytes between a word and what stands beside it in a line.
const NEAR_BYTES: usize = 256;

/// Items that are looked back at.
const ITEMS_BACK_MAX: usize = 16;

/// Whether a word is a null move (M4).
pub(super) fn is_null(word: &[u8]) -> bool {
    let is = |name: &[u8]| word.eq_ignore_ascii_case(name);
    matches!(word, b"--" | b"---" | b"@@@@" | b"0000") || is(b"Z0") || is(b"null") || is(b"pass")
}

/// Whether a text is words of a sentence that end with what would be a null move.
pub(super) fn is_joined(text: &[u8]) -> bool {
    let blank = memrchr(b' ', text);
    blank.is_some_and(|blank| is_null(&text[blank + 1..]))
}

/// How a word that is written as a null move is text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NullText {
    /// It belongs to the word of a sentence that was read last.
    Behind,
    /// It belongs to the word that ends there.
    UpTo(usize),
    /// It stands by itself.
    Alone,
}

/// How the word in `bytes[start..end]`, written as a null move, is text: in a line with words of
/// a sentence beside it, alone between empty lines, or after the result (`is_over`). `None` if
/// it is a move. A move number before it (`is_due`) asks for one, but what follows counts more.
pub(super) fn text_of(
    game: &RawGame,
    bytes: &[u8],
    (start, end): (usize, usize),
    (is_due, is_over): (bool, bool),
) -> Option<NullText> {
    let in_line = |item: &&RawItem| {
        let behind = (item.offset + item.len) as usize;
        behind <= start
            && start - behind <= NEAR_BYTES
            && memchr2(b'\n', b'\r', &bytes[behind..start]).is_none()
    };
    let is_said = |item: &&RawItem| item.kind == ItemKind::Word && is_sentence(text(bytes, item));
    let last = game.items.last().filter(in_line);
    if !is_due && last.as_ref().is_some_and(is_said) {
        return Some(NullText::Behind);
    }
    let behind = gap(bytes, end);
    let next = prose::word_at(bytes, behind.next);
    if behind.newlines == 0 && is_word(next) {
        return Some(NullText::UpTo(behind.next + next.len()));
    }
    let is_aside = |item: &&RawItem| matches!(item.kind, ItemKind::Word | ItemKind::VariationEnd);
    let items = game.items.iter().rev().take(ITEMS_BACK_MAX);
    let before = { items }.find(is_aside).filter(in_line);
    let is_beside = !is_due && before.as_ref().is_some_and(is_said);
    (is_over || is_beside || !is_due && is_rule(bytes, start, end)).then_some(NullText::Alone)
}

fn text<'t>(bytes: &'t [u8], item: &RawItem) -> &'t [u8] {
    &bytes[item.offset as usize..][..item.len as usize]
}

/// Whether a text ends with a word of a sentence, perhaps with dashes after it.
pub(super) fn is_sentence(text: &[u8]) -> bool {
    let is_dash = |byte: &u8| matches!(byte, b'-' | b' ');
    let end = text.iter().rposition(|byte| !is_dash(byte));
    let bare = &text[..end.map_or(0, |last| last + 1)];
    let start = bare.iter().rposition(|byte| *byte <= b' ');
    prose::ends_in_prose(bare) || is_word(&bare[start.map_or(0, |blank| blank + 1)..])
}

/// Whether a word is one of a sentence, in the letters of whatever language, and no sign that
/// annotates a move.
fn is_word(word: &[u8]) -> bool {
    (prose::is_prose(word) || prose::is_foreign_word(word))
        && spelling(word) == Spelling::Move
        && !is_null(word)
}

/// Whether dashes stand alone between empty lines: they part what is above from what is below.
fn is_rule(bytes: &[u8], start: usize, end: usize) -> bool {
    let above = &bytes[..start];
    let blanks = &above[above.trim_ascii_end().len()..];
    let ends = |sign| memchr::memchr_iter(sign, blanks).count();
    bytes[start..end].iter().all(|byte| *byte == b'-')
        && ends(b'\n').max(ends(b'\r')) > 1
        && gap(bytes, end).newlines > 1
}
