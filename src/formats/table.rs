//! Tables of positions: cells between commas, semicolons, tabs or bars. The rules are
//! numbered as in `docs/reading-epd.md`.

mod layout;

use super::{
    ChunkText, Hints, Sample, Transcript, epd, fens,
    listing::{self, ListedPosition, ListedValue},
    prose,
    text::first_line,
};
use crate::{base::diagnostic::Code, input::chunk::Lines};
pub use layout::TableLayout;

/// Every line is a row (T1).
pub(super) const LINES: Lines = Lines {
    name: "table",
    begins: |_, _| true,
    may_begin: |_, _| false,
};

/// Every line is a puzzle (Z1).
pub(super) const PUZZLES: Lines = Lines {
    name: "puzzles",
    ..LINES
};

/// How the line of the names of columns of lichess's puzzles begins.
const HEADER: &str = "PuzzleId,FEN,";

/// What the link to the game of a puzzle has in it.
const SITE: &str = "//lichess.org/";

/// Whether the first line is the names of the columns, or a puzzle (Z1).
pub(super) fn is_puzzles(sample: &Sample<'_>) -> bool {
    let line = first_line(sample.bytes, b"").map(String::from_utf8_lossy);
    // Other tables have positions in their second cells, too.
    let is_puzzle =
        |line: &str| line.contains(SITE) && TableLayout::of_puzzles().row(0, line).is_some();
    line.is_some_and(|line| line.starts_with(HEADER) || is_puzzle(&line))
}

/// How much of a sample is rows with a position in one column (T1).
pub(super) fn explains(sample: &Sample<'_>) -> u32 {
    if is_puzzles(sample) {
        return 0;
    }
    let Some(layout) = TableLayout::of(sample) else {
        return 0;
    };
    // What is EPD is not a table for the commas and semicolons in it.
    let is_row =
        |line: &str| layout.row(0, line).is_some() && (layout.has_names() || !epd::is_record(line));
    sample.share(|line| layout.is_beside(line) || is_row(line))
}

pub(super) fn transcribe_puzzles(text: &ChunkText<'_>, hints: &Hints, out: &mut Transcript) {
    rows(text, &TableLayout::of_puzzles(), hints, out);
}

pub(super) fn transcribe(text: &ChunkText<'_>, hints: &Hints, out: &mut Transcript) {
    let own = || TableLayout::of(&Sample::of(text.bytes));
    match hints.table.as_deref().cloned().or_else(own) {
        Some(layout) => rows(text, &layout, hints, out),
        // Nothing in it is a position.
        None => rows(text, &TableLayout::default(), hints, out),
    }
}

fn rows(text: &ChunkText<'_>, layout: &TableLayout, hints: &Hints, out: &mut Transcript) {
    for line in text.lines() {
        let (written, _) = text.decode(line.bytes);
        if written.is_empty() || layout.is_beside(&written) {
            continue;
        }
        match layout.row(line.at, &written) {
            Some(found) => listing::record(line.at, found, hints, out),
            None if layout.is_row(&written) => {
                out.reject(Code::NoPosition, line.at, epd::excerpt(&written));
            }
            // Text above and below a table of Markdown.
            None => {
                for found in prose::positions(line.at, &written) {
                    listing::record(line.at, found, hints, out);
                }
            }
        }
    }
    out.end();
}

/// The positions of the rows of a Markdown table, whose first line stands at an offset.
pub(super) fn markdown(at: usize, block: &str) -> Vec<ListedPosition> {
    let sample = Sample::of(block.as_bytes());
    let Some(layout) = TableLayout::of(&sample) else {
        return Vec::new();
    };
    let row = |line: &str| {
        let place = line.as_ptr() as usize - block.as_ptr() as usize;
        layout.row(at + place, line.trim())
    };
    let lines = block.split(['\n', '\r']).map(str::trim);
    lines
        .filter(|line| !layout.is_beside(line))
        .filter_map(row)
        .collect()
}

/// A value of a column.
fn value(key: Option<&str>, text: &str) -> ListedValue {
    let is_number = text.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '+' | '-' | '.'));
    ListedValue {
        key: key.map(str::to_owned),
        text: text.to_owned(),
        is_bare: is_number && text.parse::<f64>().is_ok(),
    }
}
