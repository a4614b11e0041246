//! One tag pair, however it is written (rules T1 to T3 and T6).

use memchr::{memchr2, memchr3};

use super::TagPair;
use super::lookahead::{
    at_line_end, behind_newline, escaped_blank_len, is_name_byte, is_pair_start, is_wide_name_byte,
    skip_on_line, wide_blank_len, wide_quote_len, wrapper_len,
};
use super::prose::html_len;
use crate::base::limits::{TAG_NAME_BYTES_MAX, TAG_VALUE_BYTES_MAX};
use crate::pgn::tags::names::decode_entities;

/// Lines that are joined in search of a closing quote. A bound, because what
/// is joined in vain is read again.
const JOINED_LINES_MAX: usize = 16;

/// A tag pair as read.
#[derive(Debug)]
pub(super) struct ReadTag {
    pub pair: TagPair,
    /// Offset after it.
    pub end: usize,
    /// Whether it is not written as the standard asks.
    pub odd: bool,
    /// Whether its name or value was cut.
    pub cut: bool,
}

/// Where a value ends and where reading goes on.
struct ReadValue {
    start: usize,
    end: usize,
    next: usize,
    odd: bool,
    joined: bool,
}

impl ReadValue {
    /// One on one line that is not written as the standard asks.
    const fn odd(start: usize, end: usize, next: usize) -> Self {
        Self {
            start,
            end,
            next,
            odd: true,
            joined: false,
        }
    }
}

/// Whether a blank beyond ASCII stands after what is read of a name; after other bytes of a letter,
/// a single byte of one belongs to the letter.
fn wide_blank_behind(bytes: &[u8], at: usize) -> bool {
    match wide_blank_len(&bytes[at..]) {
        0 => false,
        1 => bytes[..at].last().is_some_and(u8::is_ascii),
        _ => true,
    }
}

/// Reads the tag pair whose `[` stands at `open`.
pub(super) fn read_tag(bytes: &[u8], open: usize) -> ReadTag {
    let name_start = skip_on_line(bytes, open + 1);
    let mut name_end = name_start;
    let mut odd = false;
    while let Some(&byte) = bytes.get(name_end) {
        match byte {
            _ if is_name_byte(byte) => {}
            b' ' | b'\t' | b'"' | b'\'' | b'[' | b']' | b'\n' | b'\r' => break,
            b'&' | 0x80.. if wide_quote_len(bytes, name_end) > 0 => break,
            0x80.. if wide_blank_behind(bytes, name_end) => {
                odd = true;
                break;
            }
            // Not a name the standard knows, but surely meant as one.
            _ => odd = true,
        }
        name_end += 1;
    }
    let at = skip_on_line(bytes, name_end);
    let value = match bytes.get(at) {
        Some(b'"') => quoted(bytes, at + 1),
        Some(b']') => ReadValue::odd(at, at, at + 1),
        None | Some(b'[' | b'\n' | b'\r') => ReadValue::odd(at, at, at),
        Some(b'&' | 0x80..) if wide_quote_len(bytes, at) > 0 => wide_quoted(bytes, at),
        Some(_) => {
            let stop = memchr3(b']', b'\n', b'\r', &bytes[at..]).map_or(bytes.len(), |n| at + n);
            let end = trim_end(bytes, at, stop);
            match memchr::memchr(b'"', &bytes[at..end]) {
                // A name of several words: the value is what is quoted.
                Some(n) if at + n + 1 < end => {
                    name_end = trim_end(bytes, name_start, at + n);
                    quoted(bytes, at + n + 1)
                }
                _ => unquoted(bytes, at, end, stop),
            }
        }
    };

    let mut cut = false;
    if name_end - name_start > TAG_NAME_BYTES_MAX {
        name_end = name_start + TAG_NAME_BYTES_MAX;
        cut = true;
    }
    let mut value_unescaped = unescape(&bytes[value.start..value.end], value.joined);
    if bytes[name_start..name_end].contains(&b'&') || bytes.get(at) == Some(&b'&') {
        // What mangled the name or the quotes also mangled the value.
        let text = value_unescaped
            .as_deref()
            .unwrap_or(&bytes[value.start..value.end]);
        value_unescaped = Some(decode_entities(text));
    }
    let stored = value_unescaped
        .as_ref()
        .map_or(value.end - value.start, Vec::len);
    if stored > TAG_VALUE_BYTES_MAX {
        cut = true;
        match &mut value_unescaped {
            Some(text) => text.truncate(TAG_VALUE_BYTES_MAX),
            None => {
                value_unescaped =
                    Some(bytes[value.start..value.start + TAG_VALUE_BYTES_MAX].to_vec());
            }
        }
    }
    ReadTag {
        pair: TagPair {
            name: (name_start as u32, name_end as u32),
            value: (value.start as u32, value.end as u32),
            value_unescaped,
            implied_name: None,
        },
        end: value.next,
        odd: odd || value.odd || name_end == name_start,
        cut,
    }
}

/// A value without double quotes around it: up to the bracket or the line's end.
fn unquoted(bytes: &[u8], start: usize, end: usize, stop: usize) -> ReadValue {
    let next = stop + usize::from(bytes.get(stop) == Some(&b']'));
    let (mut start, mut end) = (start, end);
    if end > start + 1 && bytes[start] == b'\'' && bytes[end - 1] == b'\'' {
        (start, end) = (start + 1, end - 1);
    } else if end > start && bytes[end - 1] == b'"' {
        end -= 1;
    }
    ReadValue::odd(start, end, next)
}

/// A value between typographic quotes, whose first stands at `open`: up to
/// the bracket or the line's end.
fn wide_quoted(bytes: &[u8], open: usize) -> ReadValue {
    let start = open + wide_quote_len(bytes, open);
    let stop = memchr3(b']', b'\n', b'\r', &bytes[start..]).map_or(bytes.len(), |n| start + n);
    let mut end = trim_end(bytes, start, stop);
    for len in [6, 5, 3, 2] {
        if end >= start + len && wide_quote_len(bytes, end - len) == len {
            end -= len;
            break;
        }
    }
    if end > start && bytes[end - 1] == b'"' {
        end -= 1;
    }
    let next = stop + usize::from(bytes.get(stop) == Some(&b']'));
    ReadValue::odd(start, end, next)
}

/// A value that begins at `start` after its quote (T3). It reaches up to the
/// last quote that is followed by `]` and the line's end or the next pair. The
/// search stops at the quote that opens another pair, so no byte is searched
/// twice for two tags of one line.
fn quoted(bytes: &[u8], start: usize) -> ReadValue {
    let mut at = start;
    let mut lines = 0;
    let mut inner_quotes = false;
    let mut escaped_close = None;
    let mut other_close = None;
    let mut first_line_end = None;
    loop {
        let hit = memchr3(b'"', b'\n', b'\r', &bytes[at..]).map_or(bytes.len(), |n| at + n);
        let value = |end: usize, next: usize, odd: bool| ReadValue {
            start,
            end,
            next,
            odd: odd || lines > 0,
            joined: lines > 0,
        };
        if bytes.get(hit) == Some(&b'"') {
            let backslashes = bytes[start..hit]
                .iter()
                .rev()
                .take_while(|&&byte| byte == b'\\')
                .count();
            let escaped = backslashes % 2 == 1;
            let after = skip_on_line(bytes, hit + 1);
            if bytes.get(after) == Some(&b']') {
                let next = skip_on_line(bytes, after + 1);
                let closes = at_line_end(bytes, next)
                    || is_pair_start(bytes, next)
                    || escaped_blank_len(bytes, next) > 0
                    || html_len(bytes, next) > 0
                    || wrapper_len(bytes, next) > 0;
                match (escaped, closes) {
                    (false, true) => return value(hit, after + 1, inner_quotes),
                    (true, true) => escaped_close = Some((hit, after + 1)),
                    (false, false) if other_close.is_none() => {
                        other_close = Some((hit, after + 1, inner_quotes));
                    }
                    _ => {}
                }
            } else if let Some(open) = pair_opened_by(bytes, start, hit) {
                return match other_close {
                    Some((end, next, odd)) => value(end, next, odd),
                    None => value(trim_end(bytes, start, open), open, true),
                };
            } else if !escaped && other_close.is_none() && at_line_end(bytes, after) {
                // The closing bracket is missing.
                return value(hit, hit + 1, true);
            }
            inner_quotes |= !escaped;
            at = hit + 1;
            continue;
        }

        // The line has ended without a closing quote.
        if let Some((end, next, odd)) = other_close {
            return value(end, next, odd);
        }
        if let Some((end, next)) = escaped_close {
            return value(end, next, false);
        }
        let end = trim_end(bytes, start, hit);
        if end > start && bytes[end - 1] == b']' {
            return value(trim_end(bytes, start, end - 1), end, true);
        }
        let first = *first_line_end.get_or_insert(hit);
        if hit < bytes.len() && lines < JOINED_LINES_MAX {
            let line = behind_newline(bytes, hit);
            let text = skip_on_line(bytes, line);
            if !at_line_end(bytes, text) && bytes[text] != b'[' {
                lines += 1;
                at = line;
                continue;
            }
        }
        let end = trim_end(bytes, start, first);
        return ReadValue::odd(start, end, first);
    }
}

/// The `[` of the pair `[Name "` whose quote stands at `quote`, if it is one.
fn pair_opened_by(bytes: &[u8], from: usize, quote: usize) -> Option<usize> {
    let name_end = trim_end(bytes, from, quote);
    let name_len = bytes[from..name_end]
        .iter()
        .rev()
        .take(TAG_NAME_BYTES_MAX + 1)
        .take_while(|&&byte| is_wide_name_byte(byte))
        .count();
    let open = trim_end(bytes, from, name_end - name_len).checked_sub(1)?;
    (open >= from && is_pair_start(bytes, open)).then_some(open)
}

/// `end` without the blanks before it.
fn trim_end(bytes: &[u8], start: usize, mut end: usize) -> usize {
    while end > start && matches!(bytes[end - 1], b' ' | b'\t' | 0x0B | 0x0C) {
        end -= 1;
    }
    end
}

/// The value with `\"` and `\\` undone and lines joined by a space; `None` if
/// that changes nothing. Any other backslash is one (`C:\temp`).
fn unescape(text: &[u8], joined: bool) -> Option<Vec<u8>> {
    if !joined && memchr2(b'\\', b'\n', text).is_none() {
        return None;
    }
    let mut plain = Vec::with_capacity(text.len());
    let mut at = 0;
    while at < text.len() {
        match text[at..] {
            [b'\\', next @ (b'\\' | b'"'), ..] => {
                plain.push(next);
                at += 2;
            }
            [b'\n' | b'\r', ..] => {
                while plain.last().is_some_and(u8::is_ascii_whitespace) {
                    plain.pop();
                }
                while text.get(at).is_some_and(u8::is_ascii_whitespace) {
                    at += 1;
                }
                plain.push(b' ');
            }
            _ => {
                plain.push(text[at]);
                at += 1;
            }
        }
    }
    (plain != text).then_some(plain)
}
