//! What stands in movetext and is none of it: sentences, brackets, entities of web
//! pages, signatures of mails; and where another game begins without tags.
//!
//! Called only where something unusual stands, and each call looks a bounded way ahead.

use memchr::{memchr, memchr2, memchr3_iter};

use super::lookahead::{
    InterTokenText, before_wide_blank, behind_newline, gap, is_pair_start, line_end,
};
use super::numeric::{self, is_numeric_move};
use super::square_pairs::{file, numeric_move_len};
use super::word::{is_move_like, leading_number, wide_number_at};
use super::{ItemKind, RawGame, RawItem, Syntax};

/// Bytes that are searched for the end of a bracket or of a comment.
const NEAR_BYTES: usize = 1024;

/// Brackets within brackets, and steps on the way to a second move number.
const DEPTH_MAX: usize = 8;
const STEPS_MAX: usize = 32;

/// Items that are looked back at.
const ITEMS_BACK_MAX: usize = 64;

/// Whether a word is one of a sentence: letters alone, as no move is written.
pub fn is_prose(word: &[u8]) -> bool {
    let is_capture = |word: &[u8]| {
        let is_file = |byte: &u8| matches!(byte, b'a'..=b'h');
        matches!(word, [a, b] | [a, b'x', b] if is_file(a) && is_file(b))
    };
    let mut letters = 0;
    let is_letter = |byte: &u8| {
        letters += usize::from(byte.is_ascii_alphabetic());
        byte.is_ascii_alphabetic() || matches!(byte, b'\'' | b'-' | b'/')
    };
    word.iter().all(is_letter) && letters > 1 && !is_capture(word) && !is_move_like(word)
}

/// Whether a text ends with a word of a sentence, to which signs that touch it belong.
pub(super) fn ends_in_prose(text: &[u8]) -> bool {
    let is_sign = |byte: &u8| matches!(byte, b'.' | b',' | b':' | b'!' | b'?' | b'"' | b'%');
    let end = text.iter().rposition(|byte| !is_sign(byte));
    let bare = &text[..end.map_or(0, |last| last + 1)];
    let start = bare.iter().rposition(|byte| *byte <= b' ');
    is_prose(&bare[start.map_or(0, |blank| blank + 1)..])
}

/// Whether a word of a variation cannot be a move: a word of a sentence, or a time.
fn is_text(word: &[u8]) -> bool {
    let has_letters = || word.iter().any(|&b| b.is_ascii_alphabetic() || b >= 0x80);
    let is_move = is_move_like(word) || is_numeric_move(word);
    word.len() == 1 || !is_move && (!has_letters() || ends_in_prose(word))
}

/// Whether what stands in parentheses is a sentence or a time and has no moves; `items`
/// are those after the parenthesis, `text` is what it holds.
pub(super) fn is_remark(bytes: &[u8], items: &[RawItem], text: &[u8]) -> bool {
    let is_said = |item: &RawItem| match item.kind {
        ItemKind::Word => is_text(&bytes[item.offset as usize..][..item.len as usize]),
        ItemKind::Comment | ItemKind::LineComment => true,
        _ => false,
    };
    let has_words = items.is_empty() || items.iter().any(|item| item.kind == ItemKind::Word);
    has_words && text.iter().any(u8::is_ascii_alphanumeric) && items.iter().all(is_said)
}

/// Where the number begins that stands before a word of a sentence and belongs to it
/// (`2 pawns`, `1.5 apples`); not before `floor`.
pub(super) fn number_start(bytes: &[u8], floor: usize, word: usize) -> usize {
    let before = &bytes[floor.min(word)..word];
    let text = before.trim_ascii_end();
    let is_sign = |byte: &u8| byte.is_ascii_digit() || matches!(byte, b'.' | b',' | b':');
    let len = text.iter().rev().take_while(|byte| is_sign(byte)).count();
    let start = text.len() - len;
    if text[start..].first().is_some_and(u8::is_ascii_digit) {
        word - before.len() + start
    } else {
        word
    }
}

/// Offset of the bracket that closes the one at `open`, within a paragraph.
pub(super) fn bracket_end(bytes: &[u8], open: usize) -> Option<usize> {
    let near = &bytes[open..bytes.len().min(open + NEAR_BYTES)];
    let mut depth = 0;
    let close = memchr3_iter(b'[', b']', b'\n', near).find(|&at| {
        match near[at] {
            b'[' => depth += 1,
            b']' => depth -= 1,
            _ if gap(bytes, open + at).newlines > 1 => depth = 0,
            _ => return false,
        }
        depth == 0 || depth > DEPTH_MAX
    })?;
    (depth == 0 && near[close] == b']').then_some(open + close)
}

/// Whether the bracket at `at`, which begins a line of movetext, is text (`[Diagram]`,
/// `[White adjourned here]`) and no tag: what follows goes on with the game.
pub(super) fn is_bracket_text(bytes: &[u8], at: usize) -> bool {
    let Some(close) = bracket_end(bytes, at) else {
        return false;
    };
    let inner = bytes[at + 1..close].trim_ascii();
    if inner
        .iter()
        .any(|byte| matches!(byte, b'"' | b'\n' | b'\r'))
        || is_pair_start(bytes, at)
    {
        return false;
    }
    let is_lone = !inner.iter().any(u8::is_ascii_whitespace);
    let InterTokenText { next, newlines, .. } = gap(bytes, close + 1);
    let rest = &bytes[next..];
    match rest {
        [b'*', ..] => true,
        [b'0'..=b'9', ..] => {
            let (digits, number) = leading_number(rest);
            let behind = &rest[digits..];
            let is_first = number == 1 && !matches!(behind, [b'-' | b'/' | b':', ..]);
            !is_first || behind.starts_with(b"..")
        }
        // Without a blank line between them both are tags.
        [b'[', ..] => is_lone && newlines > 1 && is_pair_start(bytes, next),
        _ => is_lone || is_move_like(word_at(bytes, next)),
    }
}

/// Whether no word of a text looks like a move.
pub(super) fn has_no_moves(text: &[u8]) -> bool {
    let mut words = text.split(|byte| matches!(byte, 0..=b' ' | b'[' | b']' | b'(' | b')'));
    !words.any(is_move_like)
}

/// Whether the bracket from `open` to `close`, which begins with a move number, stands for
/// a variation: its moves come again, or stand at a number that is past (`last`).
pub(super) fn is_variation(bytes: &[u8], (open, close): (usize, usize), last: u32) -> bool {
    let first = gap(bytes, open + 1).next;
    let (digits, number) = leading_number(&bytes[first..close]);
    let behind = gap(bytes, close + 1).next;
    let (_, next) = leading_number(&bytes[behind..]);
    digits > 0
        && bytes[first + digits..].starts_with(b".")
        && !has_no_moves(&bytes[open..close])
        && (number <= last || number == next)
}

/// Where the entity of HTML begins whose semicolon stands at `semicolon`: `&#8211;`.
pub(super) fn entity_start(bytes: &[u8], semicolon: usize) -> Option<usize> {
    const ENTITY_BYTES_MAX: usize = 10;
    let near = &bytes[semicolon.saturating_sub(ENTITY_BYTES_MAX)..semicolon];
    let at = near.iter().rposition(|&byte| byte == b'&')?;
    let name = &near[at + 1..];
    let is_entity = match name {
        [b'#', b'x' | b'X', hex @ ..] => !hex.is_empty() && hex.iter().all(u8::is_ascii_hexdigit),
        [b'#', digits @ ..] => !digits.is_empty() && digits.iter().all(u8::is_ascii_digit),
        _ => name.len() > 1 && name.iter().all(u8::is_ascii_alphanumeric),
    };
    is_entity.then(|| semicolon - near.len() + at)
}

/// Bytes of a tag of HTML that breaks lines or says how text looks, at an offset.
pub(super) fn html_len(bytes: &[u8], at: usize) -> usize {
    const HTML_BYTES_MAX: usize = 64;
    let near = &bytes[at..bytes.len().min(at + HTML_BYTES_MAX)];
    let Some(end) = memchr(b'>', near) else {
        return 0;
    };
    let is_html = near.first() == Some(&b'<')
        && near[1..end]
            .first()
            .is_some_and(|&b| b.is_ascii_alphabetic() || b == b'/')
        && memchr2(b'\n', b'"', &near[..end]).is_none();
    if is_html { end + 1 } else { 0 }
}

/// Where a comment ends that begins with `;` within a variation: with its line (`line`), unless
/// that would leave the variation open to the end of the game.
pub(super) fn comment_in_parentheses(bytes: &[u8], open: usize, line: usize) -> usize {
    let Some(close) = closing_parenthesis(bytes, open, line) else {
        return line;
    };
    let near = bytes.len().min(line + NEAR_BYTES);
    match closing_parenthesis(bytes, line, near) {
        Some(_) => line,
        None => close,
    }
}

/// The parenthesis that closes more than was opened, before the next tag.
fn closing_parenthesis(bytes: &[u8], from: usize, to: usize) -> Option<usize> {
    let mut depth = 0;
    for at in memchr3_iter(b'(', b')', b'[', &bytes[from..to]) {
        match bytes[from + at] {
            b'(' => depth += 1,
            b')' if depth == 0 => return Some(from + at),
            b')' => depth -= 1,
            _ if is_pair_start(bytes, from + at) => return None,
            _ => {}
        }
    }
    None
}

/// Whether the dashes at `at` are what parts a mail from the signature below it: they
/// stand alone on their line, and no move follows.
pub(super) fn is_signature(bytes: &[u8], at: usize) -> bool {
    let is_alone =
        matches!(&bytes[..at], [] | [.., b'\n' | b'\r']) || bytes[..at].ends_with(b"\n> ");
    let behind = at + 2;
    let has_blank = bytes.get(behind) == Some(&b' ');
    let InterTokenText { next, newlines, .. } = gap(bytes, behind);
    let word = word_at(bytes, next);
    is_alone
        && newlines > 0
        && !is_move_like(word)
        && match word.first() {
            None => has_blank,
            Some(b'0'..=b'9') => has_blank && !bytes[next + word.len()..].starts_with(b"."),
            Some(_) => true,
        }
}

/// The word at an offset, without the signs after it.
pub(super) fn word_at(bytes: &[u8], at: usize) -> &[u8] {
    const SIGNS: &[u8] = b"{}()[];$!?.,*";
    let rest = &bytes[at.min(bytes.len())..];
    let len = rest
        .iter()
        .take(32)
        .take_while(|byte| **byte > b' ' && !SIGNS.contains(byte))
        .count();
    before_wide_blank(&rest[..len])
}

/// Whether a word is one of the moves with which White begins a game of chess, in the
/// letters of whatever language.
fn is_first_move(word: &[u8]) -> bool {
    let lower = word.to_ascii_lowercase();
    match lower[..] {
        [b'1'..=b'8', ..] => numeric::is_first_move(word),
        [b'a'..=b'h', b'3' | b'4'] => true,
        [from @ b'a'..=b'h', b'2', to, b'3' | b'4']
        | [from @ b'a'..=b'h', b'2', b'-', to, b'3' | b'4'] => from == to,
        [.., b'b' | b'g', b'1', b'a' | b'c' | b'f' | b'h', b'3']
        | [.., b'b' | b'g', b'1', b'-', b'a' | b'c' | b'f' | b'h', b'3'] => lower.len() < 7,
        [ref piece @ .., b'a' | b'c' | b'f' | b'h', b'3'] => {
            let is_letter = |byte: &u8| byte.is_ascii_alphabetic() || *byte >= 0x80;
            piece.len() == 1 && is_letter(&piece[0])
                || piece.len() < 5 && piece.iter().all(|b| *b >= 0x80)
        }
        _ => false,
    }
}

/// Whether a word is written as a move in any notation.
pub fn looks_like_move(word: &[u8]) -> bool {
    !word.is_empty() && (is_move_like(word) || is_numeric_move(word) || is_step(word, 0))
}

/// Whether a word is a move of draughts.
fn is_step(bytes: &[u8], at: usize) -> bool {
    let letter = file(&bytes[at..]).and_then(|(_, len)| bytes.get(at + len));
    numeric_move_len(bytes, at) > 0 || letter.is_some_and(u8::is_ascii_digit)
}

/// Whether the number 1 at `at` is the first of a game: a first move follows, and after it the
/// number 2, a result, a blank line or the end. So a number that is only typed wrong begins
/// nothing: those after it go on from the ones before it.
pub(super) fn begins_again(bytes: &[u8], at: usize, syntax: Syntax) -> bool {
    let number = match (wide_number_at(bytes, at), bytes.get(at + 1..)) {
        (Some(number), _) => number.len,
        (None, Some([b'.' | b')', b'.', ..]) | None) => return false,
        (None, Some([b'.' | b')', ..])) => 2,
        (None, Some([b' ', ..])) => 1,
        (None, Some(_)) => return false,
    };
    let mut at = gap(bytes, at + number).next;
    let word = word_at(bytes, at);
    let is_first = match syntax {
        Syntax::Pgn => is_first_move(word),
        Syntax::Pdn => is_step(bytes, at),
    };
    if !is_first {
        return false;
    }
    at += word.len();
    let mut words = 1;
    for _ in 0..STEPS_MAX {
        let InterTokenText { next, newlines, .. } = gap(bytes, at);
        let Some(&byte) = bytes.get(next).filter(|_| newlines < 2) else {
            return true;
        };
        if newlines > 0 && is_named_game(bytes, next, syntax) {
            return true;
        }
        let near = bytes.len().min(next + NEAR_BYTES);
        let rest = &bytes[next..near];
        let closed_by = |close: u8| memchr(close, rest).map(|len| next + len + 1);
        at = match byte {
            b'*' | b'[' => return true,
            b'{' | b'(' => match closed_by(if byte == b'{' { b'}' } else { b')' }) {
                Some(end) => end,
                None => return false,
            },
            b';' => line_end(bytes, next),
            b'0'..=b'9' if syntax == Syntax::Pdn && numeric_move_len(bytes, next) > 0 => {
                words += 1;
                next + word_at(bytes, next).len()
            }
            b'1'..=b'8' if is_numeric_move(numeric::digits_at(bytes, next)) => {
                words += 1;
                next + numeric::digits_at(bytes, next).len()
            }
            b'0'..=b'9' => {
                let (digits, number) = leading_number(rest);
                match (number, &rest[digits..]) {
                    (0..=2, [b'-' | b':' | b'/', ..]) | (2, _) => return true,
                    (1, [b'.', b'.', ..]) => next + digits + 1,
                    (1, _) => return newlines > 0,
                    _ => return false,
                }
            }
            0xEF if wide_number_at(bytes, next).is_some_and(|number| number.value == 2) => {
                return true;
            }
            byte if byte.is_ascii_alphabetic() || byte >= 0x80 => {
                words += 1;
                next + word_at(bytes, next).len()
            }
            _ => next + 1,
        };
        if words > 2 {
            return false;
        }
    }
    false
}

/// Whether a text is a dash alone, as it stands between the names of players.
fn is_dash(text: &[u8]) -> bool {
    [&b"-"[..], "–".as_bytes(), "—".as_bytes()].contains(&text)
}

/// Whether a word has letters beyond ASCII and is no move: a name, perhaps.
pub(super) fn is_foreign_word(word: &[u8]) -> bool {
    const BYTES_MIN: usize = 4;
    word.len() >= BYTES_MIN
        && word.iter().any(|byte| *byte >= 0x80)
        && !word.iter().any(u8::is_ascii_digit)
        && !is_move_like(word)
}

/// Whether a word is the code of an opening: `C60`.
const fn is_code(word: &[u8]) -> bool {
    matches!(word, [b'A'..=b'E', b'0'..=b'9', b'0'..=b'9'])
}

/// Whether a line begins with words, as the name of an opening, and goes on with the first move of
/// a game: `Ruy Lopez: 1.e4`.
fn is_named_game(bytes: &[u8], at: usize, syntax: Syntax) -> bool {
    const NAME_BYTES_MAX: usize = 80;
    let near = &bytes[at..bytes.len().min(at + NAME_BYTES_MAX)];
    let line = &near[..memchr2(b'\n', b'\r', near).unwrap_or(near.len())];
    let is_named = |&n: &usize| n > 0 && line[n - 1].is_ascii_whitespace();
    let Some(n) = memchr::memmem::find_iter(line, b"1.").find(is_named) else {
        return false;
    };
    let next = gap(bytes, at + n + 2).next;
    let mut words = line[..n].split(u8::is_ascii_whitespace);
    let is_word = |word: &[u8]| word.is_empty() || is_code(word) || !is_move_like(word);
    words.all(is_word)
        && match syntax {
            Syntax::Pgn => is_first_move(word_at(bytes, next)),
            Syntax::Pdn => is_step(bytes, next),
        }
}

/// Where the game ends before another that begins with the number at `at`: how many of
/// its items are left to it, and from where on the other is to be searched for. Text and
/// comments above the number that stand in a paragraph of their own belong to the other;
/// before any move they belong to the game itself.
pub(super) fn end_before(game: &RawGame, bytes: &[u8], at: usize) -> Option<(usize, usize)> {
    let items = &game.items;
    let (mut kept, mut cut) = (items.len(), at);
    let floor = items.len().saturating_sub(ITEMS_BACK_MAX);
    let mut line = None;
    while kept > floor {
        let item = &items[kept - 1];
        let (start, end) = (item.offset as usize, (item.offset + item.len) as usize);
        let between = &bytes[end.min(cut)..cut];
        let ends = memchr(b'\n', between).or_else(|| memchr(b'\r', between));
        let blank_line = ends.is_some_and(|first| {
            let gap = gap(bytes, end + first);
            gap.newlines > 1 && gap.next <= cut
        });
        let is_behind = matches!(item.kind, ItemKind::Result) || kept == items.len();
        if ends.is_some() && is_behind {
            line = Some((kept, cut));
        }
        if blank_line {
            line = Some((kept, cut));
            break;
        }
        // The name of a game may stand before its first move, in the same line.
        let is_name = game.tags.is_empty() && kept < items.len();
        if ends.is_some() && is_name && !bytes[cut..at].contains(&b'\n') {
            line = Some((kept, cut));
        }
        let text = &bytes[start..end];
        cut = match item.kind {
            ItemKind::Word if is_prose(text) || ends_in_prose(text) || is_code(text) => start,
            ItemKind::Word if is_foreign_word(text) => start,
            ItemKind::Word | ItemKind::Result if is_dash(text) => start,
            ItemKind::Comment | ItemKind::LineComment => {
                let is_sign = start > 0 && matches!(bytes[start - 1], b'{' | b';');
                start - usize::from(is_sign)
            }
            _ => break,
        };
        kept -= 1;
    }
    let is_move = |item: &RawItem| {
        let text = &bytes[item.offset as usize..(item.offset + item.len) as usize];
        let is_of_chess = is_move_like(text) || is_numeric_move(text);
        item.kind == ItemKind::Word && (is_of_chess || is_step(bytes, item.offset as usize))
    };
    line.filter(|&(kept, _)| items[..kept].iter().any(is_move))
}

/// The text above a game without tags, if all of it can be a comment of the game at `at`:
/// it has words, and is no longer than a few paragraphs. It begins at `from`.
pub(super) fn preface(bytes: &[u8], from: usize, at: usize) -> Option<(usize, usize)> {
    const PREFACE_BYTES_MAX: usize = 4096;
    let is_blank = |byte: &u8| byte.is_ascii_whitespace() || *byte == b'>';
    let text = bytes.get(from..at.min(from + PREFACE_BYTES_MAX + 1))?;
    let end = text.iter().rposition(|byte| !is_blank(byte))? + 1;
    let text = &text[..end];
    let is_said = text.iter().any(|&b| b.is_ascii_alphabetic() || b >= 0x80);
    let fits = end <= PREFACE_BYTES_MAX && at - from - end <= PREFACE_BYTES_MAX;
    (fits && is_said && memchr2(b'{', b'}', text).is_none()).then_some((from, from + end))
}

/// The text above the first move of a game without tags that belongs to it: what stands
/// right above it, or a few short lines by themselves. It lies in `bytes[from..at]`.
pub(super) fn heading(bytes: &[u8], from: usize, at: usize) -> Option<(usize, usize)> {
    const LINES_MAX: usize = 8;
    const LINE_CHARS_MAX: usize = 60;
    let is_blank = |byte: &u8| byte.is_ascii_whitespace() || *byte == b'>';
    let blanks = bytes[from..at]
        .iter()
        .rev()
        .take_while(|byte| is_blank(byte));
    let end = at - blanks.count();
    let is_apart = gap(bytes, end).newlines > 1;
    let mut start = end;
    let mut is_short = true;
    let mut lines = 0;
    while start > from {
        let near = &bytes[from.max(start.saturating_sub(NEAR_BYTES))..start];
        let text = near.trim_ascii_end();
        let feeds = near[text.len()..].iter().filter(|byte| **byte == b'\n');
        if lines > 0 && (feeds.count() > 1 || text.is_empty()) {
            break;
        }
        let line = memchr::memrchr2(b'\n', b'\r', text).map_or(0, |feed| feed + 1);
        // The continuation bytes of a character of UTF-8 take no space.
        let is_begun = |byte: &&u8| !matches!(byte, 0x80..=0xBF);
        is_short &= text[line..].iter().filter(is_begun).count() <= LINE_CHARS_MAX;
        lines += 1;
        start = start - near.len() + line;
    }
    let text = &bytes[start..end];
    let fits = lines <= LINES_MAX && text.len() <= NEAR_BYTES && (is_short || !is_apart);
    let is_said = text
        .iter()
        .any(|&byte| byte.is_ascii_alphanumeric() || byte >= 0x80);
    (fits && is_said && memchr2(b'{', b'}', text).is_none()).then_some((start, end))
}

/// Where the rest of a word ends that begins it at the end of a line and was parted there
/// (`9.Qx-` and `h6`), if `end` is the end of such a beginning.
pub(super) fn rejoined(bytes: &[u8], start: usize, end: usize) -> Option<usize> {
    let begun = &bytes[start..end];
    if !matches!(bytes.get(end), Some(b'\n' | b'\r'))
        || !matches!(begun, [b'A'..=b'Z' | b'a'..=b'h' | b'0', .., b'-'])
        || begun.len() > 6
    {
        return None;
    }
    let next = behind_newline(bytes, end);
    let rest = word_at(bytes, next);
    let bare = &rest[..=rest.iter().rposition(|b| !matches!(b, b'+' | b'#'))?];
    let fits = match begun {
        [b'0' | b'O', b'-', ..] => matches!(bare, b"0" | b"O" | b"0-0" | b"O-O"),
        _ => matches!(
            bare,
            [b'1'..=b'8'] | [b'a'..=b'h', b'1'..=b'8'] | [b'a'..=b'h', b'1' | b'8', b'=', _]
        ),
    };
    fits.then_some(next + rest.len())
}

/// Where the second line of a text begins, if a line ends between these items.
pub(super) fn second_line(bytes: &[u8], items: &[RawItem]) -> Option<usize> {
    // A variation ends after what stands in it.
    let between =
        |two: &[RawItem]| bytes.get((two[0].offset + two[0].len) as usize..two[1].offset as usize);
    let ends_between =
        |two: &[RawItem]| between(two).is_some_and(|text| memchr2(b'\n', b'\r', text).is_some());
    items.windows(2).position(ends_between).map(|at| at + 1)
}
