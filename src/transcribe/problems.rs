//! Collections of chess problems: plain lines, Popeye's input, olive's YAML.

use std::borrow::Cow;

use super::{Hints, Text, Transcript};
use crate::{
    composition::{self, Composition, lines, olive, popeye},
    diagnostic::Code,
    source::chunk::Lines,
};

pub(super) const LINES: Lines = Lines {
    name: "problems",
    begins: |bytes, at| {
        // What stands above is looked at no further than one line.
        const BACK: usize = 2048;
        let from = at.saturating_sub(BACK);
        let above = String::from_utf8_lossy(&bytes[from..at]);
        let text = format!("{above}{}", String::from_utf8_lossy(&bytes[at..]));
        lines::begins_problem(&text, above.len())
    },
};

pub(super) const POPEYE: Lines = Lines {
    name: "Popeye",
    begins: |bytes, at| popeye::begins_problem(&line_at(bytes, at)),
};

pub(super) const OLIVE: Lines = Lines {
    name: "olive",
    begins: |bytes, at| {
        bytes[at..].starts_with(b"---") && olive::begins_document(&line_at(bytes, at))
    },
};

/// The line at an offset.
fn line_at(bytes: &[u8], at: usize) -> Cow<'_, str> {
    let rest = &bytes[at..];
    let end = memchr::memchr2(b'\n', b'\r', rest).unwrap_or(rest.len());
    String::from_utf8_lossy(rest[..end].trim_ascii_end())
}

pub(super) fn sniff_lines(beginning: &[u8]) -> bool {
    lines::is_collection(&String::from_utf8_lossy(beginning))
}

pub(super) fn sniff_popeye(beginning: &[u8]) -> bool {
    popeye::is_input(&String::from_utf8_lossy(
        &beginning[..beginning.len().min(256)],
    ))
}

pub(super) fn sniff_olive(beginning: &[u8]) -> bool {
    olive::is_collection(&String::from_utf8_lossy(beginning))
}

pub(super) fn transcribe_lines(text: &Text<'_>, _: &Hints, out: &mut Transcript) {
    let source = text.decoded();
    let (problems, loose) = lines::read(&source.text);
    if let Some(loose) = loose {
        let detail = source.text[loose.clone()].trim().to_owned();
        out.reject(Code::ProblemSyntax, source.offset(loose.start), detail);
    }
    for (place, problem) in &problems {
        record(problem, source.offset(place.start), out);
    }
    out.end();
}

pub(super) fn transcribe_popeye(text: &Text<'_>, _: &Hints, out: &mut Transcript) {
    let source = text.decoded();
    for (place, problem) in &popeye::read(&source.text) {
        record(problem, source.offset(place.start), out);
    }
    out.end();
}

pub(super) fn transcribe_olive(text: &Text<'_>, _: &Hints, out: &mut Transcript) {
    let source = text.decoded();
    // Settings of other programs are YAML as well.
    if !olive::is_collection(&source.text) {
        return;
    }
    for (place, document) in olive::read(&source.text) {
        let at = source.offset(place.start);
        match document {
            Ok(problem) => record(&problem, at, out),
            Err(why) => out.reject(Code::ProblemSyntax, at, why),
        }
    }
    out.end();
}

fn record(problem: &Composition, at: usize, out: &mut Transcript) {
    let written = composition::to_game(problem);
    out.begin(at);
    for (name, value) in &written.tags {
        out.tag(name, value);
    }
    for (code, detail) in written.findings {
        out.find(code, at, detail);
    }
    if !written.movetext.is_empty() {
        out.movetext(&written.movetext);
    }
}
