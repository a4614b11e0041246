//! Tables of positions and of games: cells between commas, semicolons, tabs or bars. The rules are
//! numbered as in `docs/reading-epd.md`.

mod games;
mod layout;
mod rows;

use std::cell::Cell;

use super::{
    ChunkText, PgnTranscript, Sample, StreamHints, epd,
    json_like::{self, FieldRecord, ObjectField},
    prose,
    recognise::percent,
    text::first_line,
};
use crate::{
    base::diagnostic::Code, games::running_text::fen_scanner, input::chunk::RecordBoundary,
};
pub use layout::TableLayout;

/// Every line is a row (T1), but for those within quotes.
pub(super) const LINES: RecordBoundary = RecordBoundary {
    name: "table",
    begins: rows::begins,
    may_begin: |_, _| true,
};

/// Every line is a puzzle (Z1).
pub(super) const PUZZLES: RecordBoundary = RecordBoundary {
    name: "puzzles",
    begins: |_, _| true,
    may_begin: |_, _| false,
};

/// How the line of the names of columns of lichess's puzzles begins.
const HEADER: &str = "PuzzleId,FEN,";

/// What the link to the game of a puzzle has in it.
const SITE: &str = "//lichess.org/";

/// Whether the first line is the names of the columns, or a puzzle (Z1).
pub(super) fn is_puzzles(sample: &Sample<'_>) -> bool {
    let line = first_line(sample.bytes, b"").map(String::from_utf8_lossy);
    // Extracts of fewer columns are tables like others.
    let is_header = |line: &str| line.starts_with(HEADER) && line.split(',').count() >= 9;
    // Other tables have positions in their second cells, too.
    let is_puzzle =
        |line: &str| line.contains(SITE) && TableLayout::of_puzzles().row(0, line).is_some();
    line.is_some_and(|line| is_header(&line) || is_puzzle(&line))
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
    let is_row = |line: &str| match layout.games() {
        Some(_) => games::row(&layout, line).is_some(),
        None => layout.row(0, line).is_some() && (layout.has_names() || !epd::is_record(line)),
    };
    let lines = sample.rows().map(|line| (0, line.into()));
    let (mut all, mut explained) = (0, 0);
    let is_told = |line: &str| !line.starts_with('#') && !layout.is_preface(line);
    for (_, line) in rows::joined(lines, layout.quoting()).filter(|(_, line)| is_told(line)) {
        all += line.len();
        explained += line.len() * usize::from(layout.is_beside(&line) || is_row(&line));
    }
    let points = percent(explained, all);
    // Tables with names of their own are parts of a text.
    if has_several(&sample.text) {
        points.min(SEVERAL)
    } else {
        points
    }
}

/// What a text with several tables is worth as one table.
const SEVERAL: u32 = 30;

/// Whether a text has several tables of Markdown.
pub(super) fn has_several(text: &str) -> bool {
    let rules = text.lines().map(str::trim);
    rules
        .filter(|line| line.starts_with('|') && layout::is_rule(line))
        .nth(1)
        .is_some()
}

pub(super) fn transcribe_puzzles(
    text: &ChunkText<'_>,
    hints: &StreamHints,
    out: &mut PgnTranscript,
) {
    rows(text, &TableLayout::of_puzzles(), hints, out);
}

pub(super) fn transcribe(text: &ChunkText<'_>, hints: &StreamHints, out: &mut PgnTranscript) {
    let own = || TableLayout::of(&Sample::of(text.bytes));
    match hints.table.as_deref().cloned().or_else(own) {
        Some(layout) => rows(text, &layout, hints, out),
        // Nothing in it is a position.
        None => rows(text, &TableLayout::default(), hints, out),
    }
}

fn rows(text: &ChunkText<'_>, layout: &TableLayout, hints: &StreamHints, out: &mut PgnTranscript) {
    let guessed = Cell::new(None);
    let mut is_headed = false;
    let lines = text.rows().map(|line| {
        let (written, is_guessed) = text.decode(line.bytes);
        guessed.set(guessed.get().or(is_guessed.then_some(line.at)));
        (line.at, written)
    });
    for (at, written) in rows::joined(lines, layout.quoting()) {
        if written.is_empty() || layout.is_beside(&written) {
            is_headed |= layout.is_header(&written);
            continue;
        }
        if !is_headed && layout.is_preface(&written) {
            out.find(Code::Prelude, at, epd::excerpt(&written));
            continue;
        }
        is_headed = true;
        if layout.games().is_some() && layout.is_row(&written) {
            games::record(at, &written, layout, hints, out);
            continue;
        }
        match layout.row(at, &written) {
            Some(found) => json_like::record(at, found, hints, out),
            None if layout.is_row(&written) => {
                out.reject(Code::NoPosition, at, epd::excerpt(&written));
            }
            // Text above and below a table of Markdown.
            None => {
                for found in prose::records(at, &written, None) {
                    found.write(|_| at, hints, out);
                }
            }
        }
    }
    out.guessed(guessed.get(), text.fallback.name());
    out.end();
}

/// The records of the rows of Markdown tables, whose first line stands at an offset;
/// rows without names of columns go on with a table `above`, if they have as many cells.
pub(super) fn markdown(at: usize, block: &str, above: Option<&TableLayout>) -> Vec<FieldRecord> {
    let mut tables: Vec<Vec<&str>> = vec![Vec::new()];
    for line in block.split(['\n', '\r']).map(str::trim) {
        if line.is_empty() {
            continue;
        }
        let last = tables.last_mut().expect("there is always one");
        // The line above a rule names the columns of a table that begins there.
        if layout::is_rule(line)
            && last.len() > 1
            && let Some(names) = last.pop()
        {
            tables.push(vec![names]);
        }
        tables.last_mut().expect("there is always one").push(line);
    }
    let mut found = Vec::new();
    for lines in tables {
        let own = TableLayout::of_lines(&lines[..lines.len().min(layout::ROWS_MAX)])
            .or_else(|| games::layout(&lines));
        let above = above.filter(|above| above.is_framed_as(lines[0]));
        let layout = match (&own, above) {
            (Some(own), Some(above)) if !own.has_names() => above,
            (Some(own), _) => own,
            (None, _) => continue,
        };
        let rows = lines.iter().filter(|line| !layout.is_beside(line));
        found.extend(rows.filter_map(|line| {
            let place = line.as_ptr() as usize - block.as_ptr() as usize;
            let position = layout.row(at + place, line);
            let game = || games::listed(at + place, line, layout);
            position.map(FieldRecord::Position).or_else(game)
        }));
    }
    found
}

/// A value of a column.
fn value(key: Option<&str>, text: &str) -> ObjectField {
    let is_number = text.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '+' | '-' | '.'));
    ObjectField {
        key: key.map(str::to_owned),
        text: text.to_owned(),
        is_bare: is_number && text.parse::<f64>().is_ok(),
    }
}
