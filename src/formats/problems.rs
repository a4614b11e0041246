//! Collections of chess problems: plain lines, Popeye's input, olive's YAML.

use std::borrow::Cow;

use super::{ChunkText, Transcript};
use crate::{
    base::diagnostic::Code,
    formats::composition::{self, Found, lines, olive, popeye},
    input::chunk::Lines,
};

pub(super) const LINES: Lines = Lines {
    name: "problems",
    begins: |bytes, at| {
        let (above, below) = (line_above(&bytes[..at]), &bytes[at..]);
        // Right below a line there is only that line to look at, so that a text of
        // short lines costs its length.
        let is_below =
            memchr::memchr_iter(b'\n', above).count() == 1 && !above.trim_ascii().is_empty();
        let end = below.iter().position(|&byte| byte == b'\n');
        let below = &below[..end.filter(|_| is_below).unwrap_or(below.len())];
        let above = String::from_utf8_lossy(above);
        let text = format!("{above}{}", String::from_utf8_lossy(below));
        lines::begins_problem(&text, above.len())
    },
    may_begin: |_, _| false,
};

/// The last line that says something, with all ends of lines behind it; no more than
/// its last 2 KiB.
fn line_above(bytes: &[u8]) -> &[u8] {
    const BACK: usize = 2048;
    let is_end = |byte: &u8| matches!(byte, b'\n' | b'\r');
    let bytes = &bytes[bytes.len().saturating_sub(BACK)..];
    let text = bytes.iter().rposition(|byte| !is_end(byte)).unwrap_or(0);
    let from = bytes[..text]
        .iter()
        .rposition(is_end)
        .map_or(0, |at| at + 1);
    &bytes[from..]
}

pub(super) const POPEYE: Lines = Lines {
    name: "Popeye",
    begins: |bytes, at| popeye::begins_problem(&line_at(bytes, at)),
    may_begin: |_, _| false,
};

pub(super) const OLIVE: Lines = Lines {
    name: "olive",
    begins: |bytes, at| {
        bytes[at..].starts_with(b"---") && olive::begins_document(&line_at(bytes, at))
    },
    may_begin: |_, _| false,
};

/// The line at an offset.
fn line_at(bytes: &[u8], at: usize) -> Cow<'_, str> {
    let rest = &bytes[at..];
    let end = memchr::memchr2(b'\n', b'\r', rest).unwrap_or(rest.len());
    String::from_utf8_lossy(rest[..end].trim_ascii_end())
}

pub(super) fn transcribe(text: &ChunkText<'_>, read: fn(&str) -> Vec<Found>, out: &mut Transcript) {
    let source = text.decoded();
    for (place, problem) in read(&source.text) {
        let at = source.offset(place.start);
        match problem {
            Ok(problem) => composition::write_record(&problem, at, out),
            Err(why) => out.reject(Code::ProblemSyntax, at, why),
        }
    }
    out.end();
}
