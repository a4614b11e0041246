//! The text of a chunk, line by line.

use std::borrow::Cow;

use encoding_rs::Encoding;

use crate::source::encoding;

/// The text of a chunk.
#[derive(Debug, Clone, Copy)]
pub struct Text<'a> {
    /// As it was read.
    pub bytes: &'a [u8],
    /// The encoding of what is not UTF-8.
    pub fallback: &'static Encoding,
}

/// A line of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Line<'a> {
    /// Offset of its first byte.
    pub at: usize,
    /// Without its end and the blanks around it, and without a byte order mark.
    pub bytes: &'a [u8],
}

impl<'a> Text<'a> {
    /// Its lines, which end with LF, CRLF or CR.
    pub fn lines(&self) -> impl Iterator<Item = Line<'a>> + use<'a> {
        lines(self.bytes)
    }

    /// Bytes as text, and whether the encoding was guessed.
    pub fn decode<'b>(&self, bytes: &'b [u8]) -> (Cow<'b, str>, bool) {
        encoding::decode(bytes, self.fallback)
    }
}

/// See [`Text::lines`].
pub(super) fn lines(bytes: &[u8]) -> impl Iterator<Item = Line<'_>> {
    const MARK: &[u8] = "\u{feff}".as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        let rest = bytes.get(at..).filter(|rest| !rest.is_empty())?;
        let end = memchr::memchr2(b'\n', b'\r', rest).unwrap_or(rest.len());
        let from = at;
        at += end + 1 + usize::from(rest[end..].starts_with(b"\r\n"));
        let line = &rest[..end];
        let unmarked = line.strip_prefix(MARK).unwrap_or(line);
        let text = unmarked.trim_ascii_start();
        Some(Line {
            at: from + (line.len() - text.len()),
            bytes: text.trim_ascii_end(),
        })
    })
}

/// The first line that says something: neither empty nor a comment, which begins
/// with one of these bytes.
pub(super) fn first_line<'a>(bytes: &'a [u8], comments: &[u8]) -> Option<&'a [u8]> {
    let says = |line: &Line<'_>| line.bytes.first().is_some_and(|b| !comments.contains(b));
    lines(bytes).find(says).map(|line| line.bytes)
}

/// Whether a text begins with a tag pair of PGN.
pub(super) fn begins_with_tag(beginning: &[u8]) -> bool {
    let line = first_line(beginning, b"%;").unwrap_or_default();
    let Some(name) = line.strip_prefix(b"[").map(<[u8]>::trim_ascii_start) else {
        return false;
    };
    let len = name
        .iter()
        .take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-'))
        .count();
    len > 0 && name[len..].trim_ascii_start().starts_with(b"\"")
}
