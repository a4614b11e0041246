//! Where things stand in a text: blanks, line starts, tag pairs to come.
//!
//! All of these look at bytes that no token has been made of yet, or back to
//! the end of the token before, so that reading stays linear.

use memchr::memchr_iter;

use super::word::wide_number_at;
use crate::base::limits::TAG_NAME_BYTES_MAX;

/// What lies between two tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct InterTokenText {
    /// Offset of the next byte that is not blank.
    pub next: usize,
    /// Line ends in between; two mean a blank line.
    pub newlines: usize,
    /// Whether a mail prefix `>` stood at a line's start (M17).
    pub quoted: bool,
}

/// Bytes of the blank at an offset, 0 if there is none (L2).
#[inline]
fn blank_len(bytes: &[u8], at: usize) -> usize {
    match bytes.get(at) {
        Some(b' ' | b'\t' | b'\n' | b'\r' | 0x0B | 0x0C) => 1,
        Some(0x80..) => wide_blank_len(&bytes[at..]),
        _ => 0,
    }
}

/// A word up to an ideographic space within it, as Chinese texts have them between moves.
pub(super) fn before_wide_blank(word: &[u8]) -> &[u8] {
    let end = memchr::memmem::find(word, "\u{3000}".as_bytes());
    &word[..end.unwrap_or(word.len())]
}

/// Bytes of the blank beyond ASCII that a text begins with, 0 if there is none.
pub(super) fn wide_blank_len(text: &[u8]) -> usize {
    match text {
        [0xC2, 0xA0, ..] => 2,
        [0xE2, 0x80, 0x80..=0x8B | 0xA8 | 0xA9 | 0xAF, ..]
        | [0xE3, 0x80, 0x80, ..]
        | [0xEF, 0xBB, 0xBF, ..] => 3,
        // The no-break space of the 8-bit encodings; after a blank or a delimiter it cannot be the
        // middle of a UTF-8 character.
        [0xA0, ..] => 1,
        _ => 0,
    }
}

/// Offset of the first byte from `at` on that is no blank or that ends the line.
pub(super) fn skip_on_line(bytes: &[u8], mut at: usize) -> usize {
    loop {
        match bytes.get(at) {
            Some(b'\n' | b'\r') | None => return at,
            Some(_) => match blank_len(bytes, at) {
                0 => return at,
                len => at += len,
            },
        }
    }
}

/// Whether a line ends at this offset.
pub(super) fn at_line_end(bytes: &[u8], at: usize) -> bool {
    matches!(bytes.get(at), None | Some(b'\n' | b'\r'))
}

/// Offset after the line end at or after `at`.
pub(super) fn next_line(bytes: &[u8], at: usize) -> usize {
    match memchr::memchr2(b'\n', b'\r', &bytes[at..]) {
        Some(n) => behind_newline(bytes, at + n),
        None => bytes.len(),
    }
}

/// Offset after the one line end (LF, CRLF or CR) that stands at `at`.
pub(super) fn behind_newline(bytes: &[u8], at: usize) -> usize {
    at + if bytes[at] == b'\r' && bytes.get(at + 1) == Some(&b'\n') {
        2
    } else {
        1
    }
}

/// The brace that closes the comment which `open` opens, whose `first` one stands after a
/// backslash: that is the comment's own if another closes it before the next opens in the game
/// (L4).
pub(super) fn closing_brace(bytes: &[u8], open: usize, first: usize) -> usize {
    let is_escaped = |at: usize| {
        let before = bytes[open..at].iter().rev();
        before.take_while(|byte| **byte == b'\\').count() % 2 == 1
    };
    let mut close = first;
    while is_escaped(close)
        && let Some(behind) = memchr::memchr2(b'{', b'}', &bytes[close + 1..])
    {
        let next = close + 1 + behind;
        if bytes[next] == b'{' || section_in(bytes, close, next).is_some() {
            break;
        }
        close = next;
    }
    close
}

/// What follows from `at` on up to the next byte that is not blank.
pub(super) fn gap(bytes: &[u8], at: usize) -> InterTokenText {
    let mut gap = InterTokenText {
        next: at,
        newlines: 0,
        quoted: false,
    };
    loop {
        match bytes.get(gap.next) {
            Some(b'\n' | b'\r') => {
                gap.newlines += 1;
                gap.next = behind_newline(bytes, gap.next);
            }
            Some(b'>') if gap.newlines > 0 || gap.next == 0 => {
                gap.quoted = true;
                gap.next += 1;
            }
            _ => match blank_len(bytes, gap.next) {
                0 => return gap,
                len => gap.next += len,
            },
        }
    }
}

/// As [`gap`], with the escapes `\\n`, `\\r` and `\\t` as blanks: files that went
/// through a program's quotes have them. Both of a `\\r\\n` and the line end after them are one.
pub(super) fn text_gap(bytes: &[u8], at: usize) -> InterTokenText {
    let mut found = gap(bytes, at);
    loop {
        let len = escaped_blank_len(bytes, found.next);
        if len == 0 {
            return found;
        }
        // Escaped ends count where they are the only ones.
        let is_lone = bytes[found.next + 1] == b'n' && !at_line_end(bytes, found.next + len);
        let more = gap(bytes, found.next + len);
        found.newlines += usize::from(is_lone) + more.newlines;
        found.next = more.next;
    }
}

/// Bytes of an escaped blank (`\\n` as two bytes) at an offset, 0 if there is none.
pub(super) fn escaped_blank_len(bytes: &[u8], at: usize) -> usize {
    match bytes.get(at..) {
        Some([b'\\', b'n' | b'r' | b't', ..]) => 2,
        _ => 0,
    }
}

/// Whether nothing but blanks and mail prefixes stands before `at` on its
/// line. Looks back a bounded way: a line of a million `>` asks this for each.
pub(super) fn is_line_start(bytes: &[u8], mut at: usize) -> bool {
    const INDENT_BYTES_MAX: usize = 128;
    let floor = at.saturating_sub(INDENT_BYTES_MAX);
    loop {
        if at < floor {
            return false;
        }
        match &bytes[..at] {
            [] | [.., b'\n' | b'\r'] => return true,
            [.., b' ' | b'\t' | b'>' | 0x0B | 0x0C] => at -= 1,
            [.., 0xC2, 0xA0] => at -= 2,
            [.., 0xE2, 0x80, 0x8B] | [.., 0xEF, 0xBB, 0xBF] => at -= 3,
            _ => return false,
        }
    }
}

/// Whether `at` is the first byte of its line, as an escape needs (L3).
pub(super) fn is_first_column(bytes: &[u8], at: usize) -> bool {
    at == 0 || matches!(bytes[at - 1], b'\n' | b'\r') || bytes[..at].ends_with(b"\xEF\xBB\xBF")
}

/// Whether a byte may stand in a tag's name (T2).
pub(super) fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')
}

/// Whether a byte may stand in a name that is written in letters beyond ASCII
/// or in entities (`[Событие`, `[&#x00c9;v&#x00e9;nement`).
pub(super) fn is_wide_name_byte(byte: u8) -> bool {
    is_name_byte(byte) || byte >= 0x80 || matches!(byte, b'&' | b'#' | b';' | b'/')
}

/// Bytes of a typographic double quote, or one as HTML has it, at an offset; 0 if there is none.
pub(super) fn wide_quote_len(bytes: &[u8], at: usize) -> usize {
    match bytes.get(at..) {
        Some([0xE2, 0x80, 0x9C..=0x9F, ..]) => 3,
        Some([0xC2, 0xAB | 0xBB, ..]) => 2,
        Some([b'&', b'q', b'u', b'o', b't', b';', ..]) => 6,
        Some([b'&', b'#', b'3', b'4', b';', ..]) => 5,
        _ => 0,
    }
}

/// Whether `[Name "` stands at `at` (T1): a tag pair wherever it is.
pub(super) fn is_pair_start(bytes: &[u8], at: usize) -> bool {
    if bytes.get(at) != Some(&b'[') {
        return false;
    }
    let name = skip_on_line(bytes, at + 1);
    let len = bytes[name..]
        .iter()
        .take(TAG_NAME_BYTES_MAX + 1)
        .take_while(|&&byte| is_name_byte(byte))
        .count();
    if len > 0 && len <= TAG_NAME_BYTES_MAX && bytes[name] != b'-' {
        let quote = skip_on_line(bytes, name + len);
        if bytes.get(quote) == Some(&b'"') {
            return true;
        }
    }
    // A name in other letters, or a quote of another form.
    matches!(bytes.get(name + len), Some(0x80..|b'&'| b' ')) && is_wide_pair_start(bytes, name)
}

#[cold]
fn is_wide_pair_start(bytes: &[u8], name: usize) -> bool {
    let mut at = name;
    while at - name <= TAG_NAME_BYTES_MAX
        && bytes.get(at).is_some_and(|&byte| is_wide_name_byte(byte))
        && wide_quote_len(bytes, at) == 0
    {
        at += 1;
    }
    let is_named = at > name
        && at - name <= TAG_NAME_BYTES_MAX
        && (bytes[name].is_ascii_alphabetic() || bytes[name] >= 0x80 || bytes[name] == b'&');
    let quote = skip_on_line(bytes, at);
    is_named && (bytes.get(quote) == Some(&b'"') || wide_quote_len(bytes, quote) > 0)
}

/// Whether a tag line begins at `at` (T1): `[Name "` anywhere, or `[` and a
/// name at the start of a line.
pub(super) fn is_tag_start(bytes: &[u8], at: usize) -> bool {
    if is_pair_start(bytes, at) {
        return true;
    }
    bytes.get(at) == Some(&b'[')
        && bytes.get(skip_on_line(bytes, at + 1)).is_some_and(|&byte| {
            byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'&' | 0x80..)
        })
        && !is_numbered(bytes, at + 1)
        && wrapper_len(bytes, at) == 0
        && is_line_start(bytes, at)
        && !is_link(bytes, at)
}

/// Whether a link of Markdown begins at `at`: `[text](address)`.
fn is_link(bytes: &[u8], at: usize) -> bool {
    const LINK_BYTES_MAX: usize = 512;
    let near = &bytes[at..bytes.len().min(at + LINK_BYTES_MAX)];
    let end = memchr::memchr3(b']', b'\n', b'\r', near);
    end.is_some_and(|end| near[end..].starts_with(b"]("))
}

/// Whether a move number and its dot stand at `at`: `[3. Bc4` is no tag.
pub(super) fn is_numbered(bytes: &[u8], at: usize) -> bool {
    let text = &bytes[at..bytes.len().min(at + 8)];
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    digits > 0 && text.get(digits) == Some(&b'.')
}

/// Bytes of `[pgn]` or `[/pgn]` at `at`, 0 if there is none (M17).
pub(super) fn wrapper_len(bytes: &[u8], at: usize) -> usize {
    let is = |word: &&[u8]| {
        let text = bytes.get(at..at + word.len());
        text.is_some_and(|text| text.eq_ignore_ascii_case(word))
    };
    let words = [&b"[pgn]"[..], b"[/pgn]"].into_iter();
    words.filter(is).map(<[u8]>::len).next().unwrap_or(0)
}

/// Where a blank line begins that is followed by a tag pair's line (L4), in
/// `bytes[from..to]`: the end of the text before, and the `[`.
pub(super) fn section_in(bytes: &[u8], from: usize, to: usize) -> Option<(usize, usize)> {
    memchr_iter(b'[', &bytes[from..to])
        .map(|n| from + n)
        .find_map(|open| {
            // Two line ends with only blanks around them, right before the bracket.
            let mut at = open;
            let mut newlines = 0;
            while at > from {
                match bytes[at - 1] {
                    b'\n' => {
                        newlines += 1;
                        at -= 1 + usize::from(at > from + 1 && bytes[at - 2] == b'\r');
                    }
                    b'\r' => {
                        newlines += 1;
                        at -= 1;
                    }
                    b' ' | b'\t' | b'>' | 0x0B | 0x0C => at -= 1,
                    _ => break,
                }
            }
            (newlines >= 2 && is_pair_start(bytes, open)).then_some((at, open))
        })
}

/// Where the next game may begin at or after `from`, whatever the text before it is: at
/// a line that begins with a tag pair, or with move 1 after a result.
pub(super) fn next_start(bytes: &[u8], from: usize) -> usize {
    let is_start = |&at: &usize| {
        is_pair_start(bytes, at)
            || bytes[at..].starts_with(b"1.") && {
                let before = bytes[from..at].trim_ascii_end();
                [
                    &b"1-0"[..],
                    b"0-1",
                    b"1/2-1/2",
                    b"*",
                    b"2-0",
                    b"0-2",
                    b"1-1",
                ]
                .iter()
                .any(|result| before.ends_with(result))
            }
    };
    memchr::memchr2_iter(b'\n', b'\r', &bytes[from..])
        .map(|n| from + n + 1)
        .find(is_start)
        .unwrap_or(bytes.len())
}

/// Whether the game is over if a result ends at `at` (M2, M2b).
pub(super) fn game_ends_after(bytes: &[u8], at: usize) -> bool {
    let gap = gap(bytes, at);
    let next = gap.next;
    if next >= bytes.len() || gap.newlines >= 2 || is_tag_start(bytes, next) {
        return true;
    }
    if gap.newlines == 1 && wide_number_at(bytes, next).is_some_and(|number| number.value == 1) {
        return true;
    }
    match bytes[next] {
        b'[' => wrapper_len(bytes, next) > 0,
        b'<' => bytes[next..].len() > 1 && bytes[next + 1] == b'/',
        b'1' if gap.newlines == 1 => {
            let behind = skip_on_line(bytes, next + 1);
            match bytes.get(behind) {
                Some(b'.' | b')') => true,
                Some(byte) => behind > next + 1 && byte.is_ascii_alphabetic(),
                None => false,
            }
        }
        _ => false,
    }
}

pub(super) fn trim_blank_end(bytes: &[u8], start: usize, mut end: usize) -> usize {
    while end > start && matches!(bytes[end - 1], b' ' | b'\t' | b'\r' | b'\n' | b'>') {
        end -= 1;
    }
    end
}

/// Offset of the line end at or after `at`.
pub(super) fn line_end(bytes: &[u8], at: usize) -> usize {
    memchr::memchr2(b'\n', b'\r', &bytes[at..]).map_or(bytes.len(), |n| at + n)
}
