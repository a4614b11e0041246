//! The table of puzzles that lichess publishes. The rules are numbered as in
//! `docs/reading-epd.md`.

use super::{
    ChunkText, Hints, Transcript, epd,
    listing::{self, ListedPosition, ListedValue},
    text::first_line,
};
use crate::{base::diagnostic::Code, games::board_shape::BoardShape, input::chunk::Lines};

/// Every line is a puzzle (Z1).
pub(super) const LINES: Lines = Lines {
    name: "puzzles",
    begins: |_, _| true,
    may_begin: |_, _| false,
};

/// What the columns are called as operations, without that of the position (Z2). Older tables
/// end before the last one.
const COLUMNS: [&str; 9] = [
    "id",
    "moves",
    "rating",
    "deviation",
    "popularity",
    "plays",
    "themes",
    "url",
    "openings",
];

/// How the line of the names of columns begins.
const HEADER: &str = "PuzzleId,FEN,";

/// What the link to the game of a puzzle has in it.
const SITE: &str = "//lichess.org/";

/// Whether the first line is the names of the columns, or a puzzle (Z1).
pub(super) fn sniff(beginning: &[u8]) -> bool {
    let line = first_line(beginning, b"").map(String::from_utf8_lossy);
    // Other tables have positions in their second cells, too.
    let is_puzzle = |line: &str| line.contains(SITE) && puzzle(0, line).is_some();
    line.is_some_and(|line| line.starts_with(HEADER) || is_puzzle(&line))
}

pub(super) fn transcribe(text: &ChunkText<'_>, hints: &Hints, out: &mut Transcript) {
    for line in text.lines() {
        let (written, _) = text.decode(line.bytes);
        if written.is_empty() || written.starts_with(HEADER) {
            continue;
        }
        match puzzle(line.at, &written) {
            Some(found) => {
                let line = listing::line(&found);
                epd::record(found.at, &line, hints, epd::Wording::Ours, out);
            }
            None => out.reject(Code::NoPosition, line.at, epd::excerpt(&written)),
        }
    }
    out.end();
}

/// The puzzle of a line: no cell of these tables has a comma or quotes in it.
fn puzzle(at: usize, line: &str) -> Option<ListedPosition> {
    let mut cells: Vec<&str> = line.split(',').collect();
    if !(COLUMNS.len()..=COLUMNS.len() + 1).contains(&cells.len()) {
        return None;
    }
    let position = cells.remove(1);
    BoardShape::of(position.as_bytes()).filter(BoardShape::is_board)?;
    let value = |(key, text): (&str, &str)| ListedValue {
        key: Some(key.to_owned()),
        text: text.to_owned(),
        is_bare: text.parse::<i64>().is_ok(),
    };
    Some(ListedPosition {
        at,
        position: position.to_owned(),
        name: None,
        values: COLUMNS.into_iter().zip(cells).map(value).collect(),
    })
}
