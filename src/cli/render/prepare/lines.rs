//! The lines of a player as they are shown: moves without an alternative stand on one row.

use super::{COLORS, numbered};
use crate::database::{PlayerLine, PlayerReport};

/// Lines of which each continues the one before in all games.
#[derive(Debug, Clone, Copy)]
pub(super) struct LineRow<'r> {
    /// The first: where the player had the choice.
    pub(super) first: &'r PlayerLine,
    /// The last one.
    pub(super) last: &'r PlayerLine,
    /// How many rows it is below others.
    indent: usize,
}

impl LineRow<'_> {
    /// The moves from where they leave the rows above, indented by `blank`.
    pub(super) fn text(&self, blank: &str) -> String {
        let from = self.first.common.min(self.last.moves.len());
        let moves = numbered(&self.last.moves[from..], from as u32 / 2 + 1, from % 2 == 1);
        format!("{}{moves}", blank.repeat(self.indent))
    }

    /// What the last line with a name is called.
    pub(super) fn opening(&self) -> &str {
        let named = self.last.opening.as_ref().or(self.first.opening.as_ref());
        named.map_or("", |opening| &opening.name)
    }
}

/// Whether a line only continues the one before it.
fn only_continues(line: &PlayerLine, before: &PlayerLine) -> bool {
    line.level == before.level + 1
        && line.results.games == line.chances
        && line.results.games == before.results.games
        && line.moves.starts_with(&before.moves)
}

/// The rows of a side, 0 White.
pub(super) fn rows(report: &PlayerReport, side: usize) -> Vec<LineRow<'_>> {
    let own = (report.lines.iter()).filter(|line| line.color == COLORS[side]);
    let mut rows: Vec<LineRow<'_>> = Vec::new();
    // How far the lines of each level are indented.
    let mut indents: Vec<usize> = Vec::new();
    for line in own {
        indents.truncate(line.level);
        match rows.last_mut() {
            Some(row) if only_continues(line, row.last) => {
                indents.push(row.indent);
                row.last = line;
            }
            _ => {
                let indent = indents.last().map_or(0, |above| above + 1);
                indents.push(indent);
                rows.push(LineRow {
                    first: line,
                    last: line,
                    indent,
                });
            }
        }
    }
    rows
}
