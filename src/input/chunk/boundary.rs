//! Where a game or another record can begin.

use memchr::{memchr2, memrchr_iter, memrchr2};

/// Bytes from a `[` on that decide whether a tag pair begins there: a name of
/// up to 255 bytes and blanks up to the quote.
pub(super) const TAG_LOOKAHEAD_BYTES: usize = 512;

/// Bytes from the beginning of a line on that [`RecordBoundary::begins`] is shown.
pub const RECORD_LOOKAHEAD_BYTES: usize = 1024;

/// How far back the last record of a stream is searched for.
const LAST_RECORD_BYTES_MAX: usize = 1 << 20;

/// The byte order mark in UTF-8; some archives have one before every game.
pub(super) const MARK: &[u8] = "\u{feff}".as_bytes();

/// What a stream is a sequence of, and so where it may be cut.
#[derive(Debug, Clone, Copy, Default)]
pub enum Records {
    /// Games of PGN or PDN (see [`is_game_boundary`]).
    #[default]
    Games,
    /// Records that begin with a line of their own.
    Lines(RecordBoundary),
}

/// How to determine where records begin that are no games.
#[derive(Debug, Clone, Copy)]
pub struct RecordBoundary {
    /// Distinguishes these records from others, for the hashes of chunks.
    pub name: &'static str,
    /// Whether a record can begin at an offset of a text, which is the beginning
    /// of a line. The text begins with a record (or the stream) and ends
    /// [`RECORD_LOOKAHEAD_BYTES`] after the offset at most. Called for line after
    /// line, so it must not look back further than a few lines.
    pub begins: fn(&[u8], usize) -> bool,
    /// Likewise, whether one may begin there: called only where nothing begins for
    /// longer than any record is.
    pub may_begin: fn(&[u8], usize) -> bool,
}

impl PartialEq for Records {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}

impl Eq for Records {}

impl Records {
    const fn name(&self) -> Option<&'static str> {
        match self {
            Self::Games => None,
            Self::Lines(lines) => Some(lines.name),
        }
    }

    /// Whether a record can begin at `at`, seen from the beginning of `bytes`. The
    /// first record of `bytes` does not begin at a boundary.
    pub fn is_boundary(&self, bytes: &[u8], at: usize) -> bool {
        match self {
            Self::Games => is_game_boundary(bytes, at),
            Self::Lines(lines) => begins_line(bytes, at) && lines.begins_at(bytes, at),
        }
    }

    /// The first place in `from..to`, a beginning of a line, where a record may begin,
    /// though less surely than at a boundary, or in a comment.
    pub(super) fn next_likely(&self, bytes: &[u8], from: usize, to: usize) -> Option<usize> {
        let mut from = from;
        while let Some(at) = next_line(bytes, from, to) {
            if self.is_likely(bytes, at) {
                return Some(at);
            }
            from = at + 1;
        }
        None
    }

    /// The last such place up to `max` that is in no comment.
    pub(super) fn last_likely(&self, bytes: &[u8], max: usize) -> Option<usize> {
        let (mut from, mut last) = (1, None);
        let (mut open, mut braces_to) = (false, 0);
        while let Some(at) = self.next_likely(bytes, from, max + 1) {
            if matches!(self, Self::Games) {
                open = ends_in_comment(&bytes[braces_to..at], open);
                braces_to = at;
            }
            if !open {
                last = Some(at);
            }
            from = at + 1;
        }
        last
    }

    fn is_likely(&self, bytes: &[u8], at: usize) -> bool {
        match self {
            // Nothing begins with a blank, and there may be millions; for each, the
            // search would go past it to what stands before it.
            Self::Games if bytes.get(at).is_none_or(u8::is_ascii_whitespace) => false,
            Self::Games => {
                let (before, line) = (&bytes[..at], &bytes[at..]);
                let tag = line.strip_prefix(MARK).unwrap_or(line);
                begins_tag_pair(tag) && !follows_tag_line(before)
                    || follows_result(before)
                        && (begins_first_move(line) || follows_blank_line(before))
            }
            Self::Lines(lines) => lines.begins_at(bytes, at) || shown(bytes, at, lines.may_begin),
        }
    }

    /// Where the last record of `bytes` begins; `None` if it is the only one, or
    /// too far back.
    pub fn last(&self, bytes: &[u8]) -> Option<usize> {
        let from = bytes.len().saturating_sub(LAST_RECORD_BYTES_MAX);
        match self {
            Self::Games => memrchr_iter(b'[', &bytes[from..])
                .map(|at| at + from)
                .filter(|&at| at == 0 || matches!(bytes[at - 1], b'\n' | b'\r' | 0xbf))
                .map(|at| {
                    if bytes[..at].ends_with(MARK) {
                        at - MARK.len()
                    } else {
                        at
                    }
                })
                .find(|&at| is_game_boundary(bytes, at)),
            Self::Lines(lines) => {
                let mut end = bytes.trim_ascii_end().len();
                while end > from {
                    let at = from + memrchr2(b'\n', b'\r', &bytes[from..end])? + 1;
                    if begins_line(bytes, at) && lines.begins_at(bytes, at) {
                        return Some(at);
                    }
                    end = at - 1;
                }
                None
            }
        }
    }
}

impl RecordBoundary {
    /// As [`Self::begins`], which sees no more of `bytes` than is always there, and no
    /// empty lines, nor any of blanks: with these nothing begins, and there may be millions.
    pub(super) fn begins_at(&self, bytes: &[u8], at: usize) -> bool {
        shown(bytes, at, self.begins)
    }
}

/// Whether a record begins at the line at `at`, of what is always there.
fn shown(bytes: &[u8], at: usize, begins: fn(&[u8], usize) -> bool) -> bool {
    let end = bytes.len().min(at.saturating_add(RECORD_LOOKAHEAD_BYTES));
    let line = bytes.get(at..end).unwrap_or_default();
    let said = line.trim_ascii_start();
    let blanks = &line[..line.len() - said.len()];
    if said.is_empty() || memchr2(b'\n', b'\r', blanks).is_some() {
        return false;
    }
    begins(&bytes[..end], at)
}

/// Whether `at` stands after the end of a line.
fn begins_line(bytes: &[u8], at: usize) -> bool {
    at > 0
        && at <= bytes.len()
        && (bytes[at - 1] == b'\n' || (bytes[at - 1] == b'\r' && bytes.get(at) != Some(&b'\n')))
}

/// The first beginning of a line in `from..limit`, which is not the first of all.
pub(super) fn next_line(bytes: &[u8], from: usize, limit: usize) -> Option<usize> {
    let mut at = from.max(1) - 1;
    while at < limit {
        at += memchr2(b'\n', b'\r', &bytes[at..limit])? + 1;
        if begins_line(bytes, at) {
            return (at < limit).then_some(at);
        }
    }
    None
}

/// Says whether a game can begin at `at`, seen from the beginning of `bytes`:
/// a line there begins as a tag pair, directly after a blank line; the last
/// line before that is no tag line; and no brace comment is open.
///
/// A quoted or escaped brace counts as a brace: that misses a boundary at
/// most. The first game of `bytes` does not begin at a boundary.
///
/// ```
/// use plydex::input::chunk::is_game_boundary;
/// let text = b"[Event \"a\"]\n\n1. e4 *\n\n[Event \"b\"]\n\n*\n";
/// assert!(is_game_boundary(text, 22));
/// assert!(!is_game_boundary(text, 0));
/// ```
pub fn is_game_boundary(bytes: &[u8], at: usize) -> bool {
    let Some(before) = bytes.get(..at) else {
        return false;
    };
    let tag = bytes[at..].strip_prefix(MARK).unwrap_or(&bytes[at..]);
    begins_tag_pair(tag) && follows_movetext(before) && !ends_in_comment(before, false)
}

/// Whether a brace is open after `bytes`; `open` says whether one is before them.
pub(super) fn ends_in_comment(bytes: &[u8], open: bool) -> bool {
    memrchr2(b'{', b'}', bytes).map_or(open, |at| bytes[at] == b'{')
}

/// Whether `bytes` begins with `[`, a name that begins with a letter, perhaps
/// blanks, and `"`.
pub(super) fn begins_tag_pair(bytes: &[u8]) -> bool {
    let [b'[', rest @ ..] = &bytes[..bytes.len().min(TAG_LOOKAHEAD_BYTES)] else {
        return false;
    };
    let is_name = |b: &&u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-');
    let name = rest.iter().take_while(is_name).count();
    if !rest.first().is_some_and(u8::is_ascii_alphabetic) {
        return false;
    }
    let blanks = rest[name..]
        .iter()
        .take_while(|b| matches!(b, b' ' | b'\t'))
        .count();
    rest.get(name + blanks) == Some(&b'"')
}

/// Whether `before` ends with a blank line, and the last line before that which
/// is not blank is there and no tag line. Looks back no further than that line,
/// so that a call at every candidate costs no more than one pass.
pub(super) fn follows_movetext(before: &[u8]) -> bool {
    let Some(mut rest) = strip_newline(before) else {
        return false;
    };
    let mut blank_lines = 0;
    loop {
        rest = trim_blanks(rest);
        let Some(shorter) = strip_newline(rest) else {
            break;
        };
        blank_lines += 1;
        rest = shorter;
    }
    if blank_lines == 0 || rest.is_empty() {
        return false;
    }
    let line = &rest[memrchr2(b'\n', b'\r', rest).map_or(0, |at| at + 1)..];
    !is_tag_line(line)
}

/// Whether the line before, if it is not blank, is a tag line.
fn follows_tag_line(before: &[u8]) -> bool {
    let Some(rest) = strip_newline(before) else {
        return false;
    };
    let line = &rest[memrchr2(b'\n', b'\r', rest).map_or(0, |at| at + 1)..];
    is_tag_line(trim_blanks(line))
}

fn follows_blank_line(before: &[u8]) -> bool {
    let rest = strip_newline(before).map(trim_blanks);
    rest.is_some_and(|rest| strip_newline(rest).is_some())
}

/// Whether `text` begins with the first move of a game that has no tags.
fn begins_first_move(text: &[u8]) -> bool {
    match text {
        [b'1', b'.' | b')', ..] => true,
        [b'1', b' ' | b'\t', next, ..] => next.is_ascii_alphabetic(),
        _ => false,
    }
}

/// Whether `before` ends with the result of a game, perhaps with blank lines after it.
fn follows_result(before: &[u8]) -> bool {
    const RESULTS: [&[u8]; 9] = [
        b"1-0", b"0-1", b"1/2-1/2", b"*", b"1/2", b"2-0", b"0-2", b"1-1", b"0-0",
    ];
    let text = before.trim_ascii_end();
    RESULTS.iter().any(|result| text.ends_with(result))
}

/// Whether a line belongs to a tag section, generously: a value may lack its
/// quotes, or have begun on the line before.
fn is_tag_line(line: &[u8]) -> bool {
    let text = line.strip_prefix(MARK).unwrap_or(line).trim_ascii_start();
    let opens = text.strip_prefix(b"[").map(<[u8]>::trim_ascii_start);
    opens
        .and_then(<[u8]>::first)
        .is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_')
        || line.ends_with(b"\"]")
}

/// Takes one newline (LF, CRLF or CR) off the end.
fn strip_newline(bytes: &[u8]) -> Option<&[u8]> {
    match bytes {
        [rest @ .., b'\r', b'\n'] | [rest @ .., b'\n' | b'\r'] => Some(rest),
        _ => None,
    }
}

/// Takes blanks, but no newlines, off the end.
fn trim_blanks(mut bytes: &[u8]) -> &[u8] {
    while let [shorter @ .., b' ' | b'\t' | 0x0b | 0x0c] = bytes {
        bytes = shorter;
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The places where a game can begin, `|` marking them in the text.
    fn check(marked: &str) {
        let text = marked.replace('|', "");
        let found: Vec<_> = (0..=text.len())
            .filter(|at| is_game_boundary(text.as_bytes(), *at))
            .collect();
        let wanted: Vec<_> = marked
            .match_indices('|')
            .enumerate()
            .map(|(n, (at, _))| at - n)
            .collect();
        assert_eq!(found, wanted, "{marked:?}");
    }

    #[test]
    fn boundaries() {
        check("");
        check("[A \"\"]\n\n*\n\n|[A \"\"]\n\n*\n\n|[A \"\"]");
        check("*\r\n\r\n|[A \"\"]\r\n\r\n*\r\r|[A \"\"]\r\r*\n\r|[A \"\"]\n");
        check("*\n \t\x0b\x0c\n\n|[Event\t  \"");
        check("*\n\n|\u{feff}[A \"x\"]\n\n*\n\n\u{feff}\u{feff}[A \"x\"]");
        // No blank line, not at the line's start, no tag pair.
        check("*\n[A \"\"]");
        check("*\n\n [A \"\"]");
        check("*\n\n[%clk 1]\n\n[A]\n\n[A x]\n\n[1 \"\"]\n\n[ A \"\"]\n\n[A");
        // A tag section with blank lines; two in a row.
        check("*\n\n|[A \"\"]\n\n[B \"\"]\n\n\n[C ?]\n\n[D \"\"]\n\n*");
        check("[A \"x\ny\"]\n\n[B \"\"]");
        check(" [ A \"\"]\n\n[B \"\"]\n\n[pgn]\n\n[B \"\"]");
        // Nothing before.
        check("\n\n[A \"\"]");
        check("   \n[A \"\"]");
        // Inside comments, and after them.
        check("1. e4 {x\n\n[A \"\"]\n\n} *\n\n|[A \"\"]");
        check("{ { }\n\n|[A \"\"] } {\n\n[A \"\"]");
        check("; {\n\n[A \"\"]\n\n}\n\n|[A \"\"]");
    }

    /// The places where a game may begin if no boundary is found.
    #[test]
    fn likely_beginnings() {
        for marked in [
            "[A \"\"]\n[B \"\"]\n\n|[A \"\"]\n1. e4 *\n|[A \"\"]\n*\n\u{feff}",
            "1. e4 {\n1. d4} 1-0\n|1. d4 1/2-1/2\r\n\r\n|1 e4 e5 *\n",
            "1. e4 e5\n1. d4 0-1\n2. e4 *\n \n|prose\n\nprose\n[%clk]\n\n[A ?]",
            "{\n\n|[A \"\"]\n*\n|\u{feff}[A \"\"] }",
        ] {
            let text = marked.replace('|', "");
            let mut found = Vec::new();
            let mut from = 1;
            while let Some(at) = Records::Games.next_likely(text.as_bytes(), from, text.len()) {
                found.push(at);
                from = at + 1;
            }
            let wanted = marked.match_indices('|').enumerate();
            let wanted: Vec<_> = wanted.map(|(n, (at, _))| at - n).collect();
            assert_eq!(found, wanted, "{marked:?}");
        }
    }

    #[test]
    fn names_have_an_end() {
        let tag = |name: usize| format!("*\n\n[{}\"\"]", "a".repeat(name));
        assert!(is_game_boundary(tag(255).as_bytes(), 3));
        assert!(!is_game_boundary(tag(600).as_bytes(), 3));
    }
}
