//! Collections of chess problems: plain lines, Popeye's input, olive's YAML.

use std::borrow::Cow;

use super::{ChunkText, Sample, games, text};
use crate::{
    input::chunk::RecordBoundary,
    problems::{ParsedProblem, SourceText, StoredProblem, lines, olive, page, popeye},
};

/// What a text explains that would be one problem longer than any.
const ENDLESS: u32 = 85;

/// How much of a sample is problems in lines. An input of Popeye has diagrams after its keywords,
/// and games may quote one.
pub(super) fn explains(sample: &Sample<'_>) -> u32 {
    let is_other = || popeye::is_input(&sample.text) || !games::are_none(sample.bytes);
    let lines = sample.whole_lines();
    match lines::explains(lines).max(page::explains_foreign(lines)) {
        0 => explains_lists(sample),
        _ if is_other() => 0,
        // Only the name of the file can make one problem of it.
        share if games::are_endless(sample.bytes) => share.min(ENDLESS),
        share => share,
    }
}

/// How much of a sample is problems whose boards words describe.
fn explains_lists(sample: &Sample<'_>) -> u32 {
    let share = || page::explains_lists(sample.whole_lines());
    let is_other = || {
        let others = [popeye::explains, popeye::output::explains];
        others.iter().any(|explains| explains(&sample.text) > 0)
            || olive::is_collection(&sample.text)
    };
    if text::begins_with_tag(sample.bytes) || games::have_tags(sample.bytes) {
        return 0;
    }
    match share() {
        0 => 0,
        _ if is_other() => 0,
        share => share,
    }
}

pub(super) const LINES: RecordBoundary = RecordBoundary {
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
        let has_diagram = lines::begins_problem(&text, above.len());
        if is_below {
            return has_diagram;
        }
        // What stands apart above a diagram may belong to it.
        let before = bytes[..at].trim_ascii_end();
        let near = &before[before.len().saturating_sub(BACK)..];
        let near = String::from_utf8_lossy(near);
        let is_all = before.len() <= BACK;
        page::begins(&near, is_all, &text[above.len()..], has_diagram)
    },
    may_begin: |_, _| false,
};

/// Bytes above a line that are looked at.
const BACK: usize = 2048;

/// The last line that says something, with all ends of lines after it; no more than
/// its last 2 KiB.
fn line_above(bytes: &[u8]) -> &[u8] {
    let is_end = |byte: &u8| matches!(byte, b'\n' | b'\r');
    let bytes = &bytes[bytes.len().saturating_sub(BACK)..];
    let text = bytes.iter().rposition(|byte| !is_end(byte)).unwrap_or(0);
    let from = bytes[..text]
        .iter()
        .rposition(is_end)
        .map_or(0, |at| at + 1);
    &bytes[from..]
}

pub(super) const POPEYE: RecordBoundary = RecordBoundary {
    name: "Popeye",
    begins: |bytes, at| popeye::begins_problem(&line_at(bytes, at)),
    may_begin: |_, _| false,
};

pub(super) const ANSWERS: RecordBoundary = RecordBoundary {
    name: "Popeye's answers",
    begins: |bytes, at| {
        let above = String::from_utf8_lossy(line_above(&bytes[..at]));
        popeye::output::ends_answer(&above)
    },
    may_begin: |bytes, at| bytes[at..].starts_with(b"+---a---b"),
};

pub(super) const OLIVE: RecordBoundary = RecordBoundary {
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

/// A problem of a chunk, or why something there is none.
#[derive(Debug)]
pub struct ChunkProblem {
    /// Where in the chunk it begins.
    pub at: usize,
    /// The problem.
    pub problem: Result<StoredProblem, String>,
}

/// The problems of a chunk, each with its text: that to where the next begins, and above
/// the first what says nothing.
pub(super) fn placed(
    text: &ChunkText<'_>,
    read: fn(&str) -> Vec<ParsedProblem>,
    format: &str,
) -> Vec<ChunkProblem> {
    let source = text.decoded();
    let found = read(&source.text);
    let starts: Vec<usize> = found.iter().map(|(place, _)| place.start).collect();
    let with_text = |(nth, (place, problem)): (usize, ParsedProblem)| {
        let from = if nth == 0 { 0 } else { place.start };
        let to = *starts.get(nth + 1).unwrap_or(&source.text.len());
        // Of several problems that are one document none has a text of its own.
        let is_alone = |other: Option<&usize>| other != Some(&place.start);
        let is_alone = is_alone(starts.get(nth + 1))
            && is_alone(nth.checked_sub(1).and_then(|before| starts.get(before)));
        let source_text = source.text.get(from..to).filter(|_| is_alone);
        ChunkProblem {
            at: source.offset(place.start),
            problem: problem.map(|problem| StoredProblem {
                problem,
                source: source_text.map(|text| SourceText {
                    format: format.to_owned(),
                    text: text.trim_start_matches('\u{feff}').to_owned(),
                }),
            }),
        }
    };
    found.into_iter().enumerate().map(with_text).collect()
}
