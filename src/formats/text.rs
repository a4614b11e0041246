//! The text of a chunk, line by line.

use std::borrow::Cow;

use memchr::memmem;

use crate::{
    games::running_text::fen_scanner,
    input::encoding::{self, Charset},
};

/// The text of a chunk.
#[derive(Debug, Clone, Copy)]
pub struct ChunkText<'a> {
    /// As it was read.
    pub bytes: &'a [u8],
    /// The encoding of what is not UTF-8.
    pub fallback: Charset,
}

/// The byte order mark in UTF-8.
const MARK: &[u8] = "\u{feff}".as_bytes();

/// A line of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChunkLine<'a> {
    /// Offset of its first byte.
    pub at: usize,
    /// Without its end and the blanks around it, and without a byte order mark.
    pub bytes: &'a [u8],
}

impl<'a> ChunkText<'a> {
    /// Its lines, which end with LF, CRLF or CR.
    pub fn lines(&self) -> impl Iterator<Item = ChunkLine<'a>> + use<'a> {
        lines(self.bytes)
    }

    /// Its lines with the tabs before them: those of a table may have cells there.
    pub(super) fn rows(&self) -> impl Iterator<Item = ChunkLine<'a>> + use<'a> {
        trimmed(self.bytes, |c| c != '\t' && fen_scanner::is_between(c))
    }

    /// All of it as text, with the way back.
    pub(super) fn decoded(&self) -> DecodedText<'a> {
        DecodedText::of(self)
    }

    /// Bytes as text, and whether the encoding was guessed.
    pub fn decode<'b>(&self, bytes: &'b [u8]) -> (Cow<'b, str>, bool) {
        encoding::decode(bytes, self.fallback)
    }
}

/// See [`ChunkText::lines`].
pub(super) fn lines(bytes: &[u8]) -> impl Iterator<Item = ChunkLine<'_>> {
    trimmed(bytes, fen_scanner::is_between)
}

/// Lines without their ends, the blanks after them, and those before them.
fn trimmed(bytes: &[u8], is_blank: fn(char) -> bool) -> impl Iterator<Item = ChunkLine<'_>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let rest = bytes.get(at..).filter(|rest| !rest.is_empty())?;
        let line = &rest[..memchr::memchr2(b'\n', b'\r', rest).unwrap_or(rest.len())];
        let (end, mut sign) = separator(line).unwrap_or((line.len(), 1));
        let from = at;
        if end == line.len() {
            sign += usize::from(rest[end..].starts_with(b"\r\n"));
        }
        at += end + sign;
        let line = &line[..end];
        // Bytes of another encoding have no blanks but those of ASCII for certain.
        let text = if let Ok(text) = std::str::from_utf8(line) {
            let text = text.trim_start_matches(is_blank);
            text.trim_end_matches(fen_scanner::is_between).as_bytes()
        } else {
            let unmarked = line.strip_prefix(MARK).unwrap_or(line);
            let of_ascii = |b: &u8| b.is_ascii() && is_blank(char::from(*b));
            unmarked[unmarked.iter().take_while(|b| of_ascii(b)).count()..].trim_ascii_end()
        };
        Some(ChunkLine {
            at: from + (text.as_ptr() as usize - line.as_ptr() as usize),
            bytes: text,
        })
    })
}

/// The first sign within a line that ends lines as well, and its bytes: those of Unicode, and the
/// ends of pages.
fn separator(line: &[u8]) -> Option<(usize, usize)> {
    if line.is_ascii() {
        return memchr::memchr2(b'\x0b', b'\x0c', line).map(|at| (at, 1));
    }
    let text = std::str::from_utf8(line).ok()?;
    let at = text.find(['\u{b}', '\u{c}', '\u{85}', '\u{2028}', '\u{2029}'])?;
    Some((at, text[at..].chars().next().map_or(1, char::len_utf8)))
}

/// Blanks of web pages, of Unicode and of DOS, and what else ends lines, each with what stands for
/// it here: as many bytes, so that places stay.
const BLANKS: [(&str, &str); 15] = [
    ("&nbsp;", "      "),
    ("&#160;", "      "),
    ("&#xa0;", "      "),
    ("&#xA0;", "      "),
    ("\u{a0}", "  "),
    ("\u{202f}", "   "),
    ("\u{2007}", "   "),
    ("\u{3000}", "   "),
    ("\u{200b}", "   "),
    ("\u{2028}", "  \n"),
    ("\u{2029}", "  \n"),
    ("\u{85}", " \n"),
    ("\u{b}", "\n"),
    ("\u{c}", "\n"),
    ("\u{1a}", " "),
];

/// A text with plain blanks and ends of lines for those of other kinds.
pub(super) fn blanked(text: Cow<'_, str>) -> Cow<'_, str> {
    let text = with_plain_ends(text);
    let is_in = |sign: &str| memmem::find(text.as_bytes(), sign.as_bytes()).is_some();
    let found: Vec<_> = BLANKS.iter().filter(|(sign, _)| is_in(sign)).collect();
    found
        .into_iter()
        .fold(text, |text, (sign, plain)| text.replace(sign, plain).into())
}

/// A text with LF for each CR that is no half of CRLF.
fn with_plain_ends(text: Cow<'_, str>) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    let is_lone = |at: usize| bytes.get(at + 1) != Some(&b'\n');
    if !memchr::memchr_iter(b'\r', bytes).any(is_lone) {
        return text;
    }
    let mut signs = text.chars().peekable();
    let mut plain = String::with_capacity(text.len());
    while let Some(sign) = signs.next() {
        let is_end = sign == '\r' && signs.peek() != Some(&'\n');
        plain.push(if is_end { '\n' } else { sign });
    }
    plain.into()
}

/// The first line that says something: neither empty nor a comment, which begins
/// with one of these bytes.
pub(super) fn first_line<'a>(bytes: &'a [u8], comments: &[u8]) -> Option<&'a [u8]> {
    let says = |line: &ChunkLine<'_>| line.bytes.first().is_some_and(|b| !comments.contains(b));
    lines(bytes).find(says).map(|line| line.bytes)
}

/// Whether a text begins with a tag pair of PGN.
pub(super) fn begins_with_tag(beginning: &[u8]) -> bool {
    first_line(beginning, b"%;").is_some_and(is_tag)
}

/// What stands after the comments of PGN that a text begins with; nothing where one is open
/// to its end.
pub(super) fn behind_comments(beginning: &[u8]) -> &[u8] {
    let mut rest = beginning.strip_prefix(MARK).unwrap_or(beginning);
    loop {
        rest = rest.trim_ascii_start();
        let end = match rest {
            [b';' | b'%', ..] => memchr::memchr2(b'\n', b'\r', rest),
            // Braces of JSON have strings in them.
            [b'{', inner @ ..] if !inner.trim_ascii_start().starts_with(b"\"") => {
                memchr::memchr(b'}', rest)
            }
            _ => return rest,
        };
        rest = end.map_or(&[], |end| &rest[end + 1..]);
    }
}

/// Whether a line begins as a tag pair of PGN does.
pub(super) fn is_tag(line: &[u8]) -> bool {
    tag_name(line).is_some()
}

/// The name of the tag pair that a line begins with.
pub(super) fn tag_name(line: &[u8]) -> Option<&[u8]> {
    let name = line.strip_prefix(b"[")?.trim_ascii_start();
    let len = name
        .iter()
        .take_while(|b| b.is_ascii_alphanumeric() || !b.is_ascii() || matches!(b, b'_' | b'-'))
        .count();
    let is_tag = len > 0 && name[len..].trim_ascii_start().starts_with(b"\"");
    is_tag.then_some(&name[..len])
}

/// The text of a chunk, each line decoded as it asks for, and the way back.
pub(super) struct DecodedText<'t> {
    /// The text.
    pub(super) text: Cow<'t, str>,
    /// Where lines begin in the text and in the bytes, and the end of both; empty
    /// where these are one.
    lines: Vec<(usize, usize)>,
    /// Bytes of the mark before the text.
    skipped: usize,
    /// Offset in the bytes of the first line whose encoding was guessed.
    pub(super) guessed: Option<usize>,
}

impl<'t> DecodedText<'t> {
    fn of(text: &ChunkText<'t>) -> Self {
        let unmarked = text.bytes.strip_prefix(MARK).unwrap_or(text.bytes);
        let skipped = text.bytes.len() - unmarked.len();
        if let Ok(text) = std::str::from_utf8(unmarked) {
            return Self {
                text: text.into(),
                lines: Vec::new(),
                skipped,
                guessed: None,
            };
        }
        let mut decoded = String::with_capacity(unmarked.len());
        let mut lines = Vec::new();
        let (mut at, mut guessed) = (0, None);
        for line in unmarked.split_inclusive(|&byte| byte == b'\n') {
            lines.push((decoded.len(), at));
            let (line_text, is_guessed) = text.decode(line);
            decoded.push_str(&line_text);
            guessed = guessed.or(is_guessed.then_some(skipped + at));
            at += line.len();
        }
        lines.push((decoded.len(), at));
        Self {
            text: decoded.into(),
            lines,
            skipped,
            guessed,
        }
    }

    /// The offset in the bytes of what stands at an offset of the text: the line is
    /// right, the place in it as near as a line in another encoding lets.
    pub(super) fn offset(&self, at: usize) -> usize {
        let next = self.lines.partition_point(|&(from, _)| from <= at);
        let Some(line) = next.checked_sub(1) else {
            return self.skipped + at;
        };
        let (from, source) = self.lines[line];
        let end = self.lines.get(next).map_or(usize::MAX, |&(_, end)| end - 1);
        self.skipped + (source + (at - from)).min(end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_with_signs_of_every_kind() {
        let text = "\u{feff}a\u{2028} \u{a0}b\u{200b}\u{85}c\x0b\x0cd\r\n\u{200b}e\x1a";
        let found: Vec<(usize, &[u8])> = lines(text.as_bytes())
            .map(|line| (line.at, line.bytes))
            .filter(|(_, bytes)| !bytes.is_empty())
            .collect();
        let places = ["a", "b", "c", "d", "e"].map(|word| {
            let at = text.find(word).expect("a word");
            (at, word.as_bytes())
        });
        assert_eq!(found, places);
        let plain = blanked(text.into());
        assert_eq!(plain.len(), text.len());
        let words: Vec<&str> = plain
            .lines()
            .map(|line| line.trim_matches(['\u{feff}', ' ']))
            .collect();
        assert_eq!(
            words.join(" ").split_whitespace().collect::<String>(),
            "abcde"
        );
        // In windows-1251 these are letters.
        assert_eq!(
            lines(b"\xc2\x85\xc2\xa0\xff")
                .next()
                .map(|line| line.bytes.len()),
            Some(5)
        );
    }

    #[test]
    fn places_stay_in_their_lines_in_any_encoding() {
        let bytes = b"ab\n\xe4\xe4\xe4\xe4\"x\nc\xff\xffd";
        let text = ChunkText {
            bytes,
            fallback: Charset::WINDOWS_1252,
        };
        let decoded = text.decoded();
        let places: Vec<usize> = ["ab", "\"x", "c", "d"]
            .map(|word| decoded.offset(decoded.text.find(word).expect("a word")))
            .into();
        assert_eq!(places, [0, 9, 10, 13]);
        assert_eq!(decoded.offset(decoded.text.len()), bytes.len());
    }
}
