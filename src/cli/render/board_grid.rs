//! Boards side by side, each below the game that it is from.

use std::io::{self, Write};

use unicode_width::UnicodeWidthChar;

use super::hits;
use crate::cli::terminal::{DIM, STRONG, TerminalInfo};
use crate::database::{BoardAt, Hit};
use crate::draw::board::{self, BoardStyle};

/// Columns between two boards.
const GAP: usize = 3;
/// The minimum width of the text above a board, in columns.
const TEXT: usize = 30;

/// A board as lines, each with what is seen of it.
struct BoardBlock {
    lines: Vec<(String, usize)>,
    width: usize,
}

/// Draws boards as they come, as many in a row as the screen has room for.
pub struct BoardGrid<'o> {
    out: &'o mut dyn Write,
    screen: TerminalInfo,
    style: BoardStyle,
    /// Those of the row that is not full.
    row: Vec<BoardBlock>,
}

impl<'o> BoardGrid<'o> {
    /// An empty one.
    pub fn new(out: &'o mut dyn Write, screen: TerminalInfo, style: BoardStyle) -> Self {
        Self {
            out,
            screen,
            style,
            row: Vec::new(),
        }
    }

    /// Takes the next board, where a game was found.
    pub fn push(&mut self, hit: &Hit, board: &BoardAt) -> io::Result<()> {
        let mut diagram = board.position.diagram();
        diagram.marks.clone_from(&board.marks);
        let drawn = board::draw(&diagram, self.style);
        let drawn = drawn
            .trim_end()
            .lines()
            .map(|line| (line.to_owned(), columns(line)));
        let mut lines: Vec<(String, usize)> = drawn.collect();
        let width = lines
            .iter()
            .map(|(_, width)| *width)
            .max()
            .unwrap_or(0)
            .max(TEXT);
        let text = hits::caption(&self.screen, hit);
        let captions = text.iter().zip([STRONG, DIM, DIM]).map(|(text, style)| {
            let text = shortened(&self.screen.safe(text), width, self.screen.unicode);
            (self.screen.paint(style, &text), columns(&text))
        });
        lines.splice(0..0, captions.collect::<Vec<_>>());
        let taken: usize = self.row.iter().map(|block| block.width + GAP).sum();
        if !self.row.is_empty() && taken + width > self.screen.columns {
            self.end()?;
        }
        self.row.push(BoardBlock { lines, width });
        Ok(())
    }

    /// Writes a line instead of a board.
    pub fn line(&mut self, line: &str) -> io::Result<()> {
        writeln!(self.out, "{line}")
    }

    /// Writes the row that is not full.
    pub fn end(&mut self) -> io::Result<()> {
        let height = self.row.iter().map(|block| block.lines.len()).max();
        for at in 0..height.unwrap_or(0) {
            let (mut text, mut due) = (String::new(), 0);
            for block in &self.row {
                if let Some((line, width)) = block.lines.get(at) {
                    text.push_str(&" ".repeat(due));
                    text.push_str(line);
                    due = block.width - width + GAP;
                } else {
                    due += block.width + GAP;
                }
            }
            writeln!(self.out, "{text}")?;
        }
        if height.is_some() {
            writeln!(self.out)?;
        }
        self.row.clear();
        Ok(())
    }
}

/// Columns that a line takes on a terminal, colours left out.
fn columns(line: &str) -> usize {
    let seen = anstream::adapter::strip_str(line).to_string();
    seen.chars().filter_map(UnicodeWidthChar::width).sum()
}

/// The beginning of a text that fits some columns.
fn shortened(text: &str, width: usize, unicode: bool) -> String {
    if columns(text) <= width {
        return text.to_owned();
    }
    let sign = if unicode { "…" } else { "..." };
    let (mut short, mut left) = (String::new(), width - columns(sign));
    for c in text.chars() {
        let own = c.width().unwrap_or(0);
        if own > left {
            break;
        }
        left -= own;
        short.push(c);
    }
    short.push_str(sign);
    short
}
