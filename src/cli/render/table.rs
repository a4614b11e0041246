//! Aligned columns that adapt to the width of the screen.

use std::io::{self, Write};

use clap::builder::styling::Style;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::cli::terminal::{DIM, TerminalInfo};

/// Blanks between two columns.
const GAP: usize = 2;

/// Narrower than this words cannot be wrapped well.
const WRAP_MIN: usize = 20;

/// Where a text stands in its column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Align {
    /// Words.
    Left,
    /// Numbers.
    Right,
}

/// A column.
#[derive(Debug, Clone, Copy)]
pub struct Column {
    /// What stands above it.
    pub title: &'static str,
    /// Where its texts stand.
    pub align: Align,
    /// Its texts may be cut down to this many columns; `None` is not at all.
    pub shrinks_to: Option<usize>,
    /// It is left out where the screen is too narrow, the lowest rank first.
    pub drops: Option<u8>,
    /// What does not fit goes on below. Only for one column of a table.
    pub wraps: bool,
    /// It is so wide for rows that are not known yet, even if it is empty so far.
    pub at_least: usize,
}

impl Column {
    /// A column of words.
    pub const fn left(title: &'static str) -> Self {
        Self {
            title,
            align: Align::Left,
            shrinks_to: None,
            drops: None,
            wraps: false,
            at_least: 0,
        }
    }

    /// A column of numbers.
    pub const fn right(title: &'static str) -> Self {
        Self {
            align: Align::Right,
            ..Self::left(title)
        }
    }

    /// The same column, but it gives way where the screen is narrow.
    pub const fn shrinks_to(self, columns: usize) -> Self {
        Self {
            shrinks_to: Some(columns),
            ..self
        }
    }

    /// The same column, but left out where the screen is too narrow.
    pub const fn drops(self, rank: u8) -> Self {
        Self {
            drops: Some(rank),
            ..self
        }
    }

    /// The same column, but so wide for rows that are not known yet.
    pub const fn at_least(self, columns: usize) -> Self {
        Self {
            at_least: columns,
            ..self
        }
    }

    /// The same column, but with long texts over several lines.
    pub const fn wraps(self) -> Self {
        Self {
            wraps: true,
            shrinks_to: Some(WRAP_MIN),
            ..self
        }
    }
}

/// A text in a table, possibly in a style. The text holds no escape codes.
#[derive(Debug, Clone, Default)]
pub struct Cell {
    text: String,
    style: Option<Style>,
    /// Coloured form of the same width, for cells of several colours.
    painted: Option<String>,
}

impl Cell {
    /// A text in a style.
    pub fn styled(text: impl Into<String>, style: Style) -> Self {
        Self {
            text: text.into(),
            style: Some(style),
            painted: None,
        }
    }

    /// A text and how it looks with escape codes, which must not be cut.
    pub fn painted(text: impl Into<String>, painted: String) -> Self {
        Self {
            text: text.into(),
            style: None,
            painted: Some(painted),
        }
    }
}

impl<T: Into<String>> From<T> for Cell {
    fn from(text: T) -> Self {
        Self {
            text: text.into(),
            style: None,
            painted: None,
        }
    }
}

/// Rows below headings.
#[derive(Debug, Clone)]
pub struct Table {
    columns: Vec<Column>,
    rows: Vec<Vec<Cell>>,
    indent: usize,
    /// Of the columns, once it is drawn; 0 leaves one out.
    widths: Vec<usize>,
}

impl Table {
    /// A table without rows.
    pub fn new(columns: impl Into<Vec<Column>>) -> Self {
        Self {
            columns: columns.into(),
            rows: Vec::new(),
            indent: 0,
            widths: Vec::new(),
        }
    }

    /// Moves the table to the right.
    pub fn indent(self, columns: usize) -> Self {
        Self {
            indent: columns,
            ..self
        }
    }

    /// Adds a row; missing cells are empty.
    pub fn row(&mut self, cells: Vec<Cell>) {
        debug_assert!(cells.len() <= self.columns.len());
        self.rows.push(cells);
    }

    /// Draws the table, whose rows it gives away. Columns without any text are left out, headings with
    /// them; no line ends in blanks.
    pub fn write(&mut self, out: &mut dyn Write, screen: &TerminalInfo) -> io::Result<()> {
        self.widths = self.widths(screen.columns);
        if self.columns.iter().any(|column| !column.title.is_empty()) {
            let titles: Vec<Cell> = self
                .columns
                .iter()
                .map(|column| Cell::styled(column.title, DIM))
                .collect();
            self.write_row(out, screen, &titles)?;
        }
        for row in std::mem::take(&mut self.rows) {
            self.go_on(out, screen, row)?;
        }
        Ok(())
    }

    /// Draws one more row below a table that was drawn.
    pub fn go_on(
        &self,
        out: &mut dyn Write,
        screen: &TerminalInfo,
        mut cells: Vec<Cell>,
    ) -> io::Result<()> {
        let wrapping = self.columns.iter().position(|column| column.wraps);
        let below = wrapping.map_or_else(Vec::new, |index| self.wrap(&mut cells, index));
        self.write_row(out, screen, &cells)?;
        for text in below {
            cells = vec![Cell::default(); wrapping.unwrap_or_default()];
            cells.push(text);
            self.write_row(out, screen, &cells)?;
        }
        Ok(())
    }

    /// Leaves in a cell what fits, and gives what goes below it, indented as the cell is.
    fn wrap(&self, cells: &mut [Cell], index: usize) -> Vec<Cell> {
        let (Some(cell), Some(&width)) = (cells.get_mut(index), self.widths.get(index)) else {
            return Vec::new();
        };
        if cell.text.width() <= width {
            return Vec::new();
        }
        let indent = cell.text.len() - cell.text.trim_start().len();
        let mut lines: Vec<String> = Vec::new();
        for word in cell.text.split_whitespace() {
            match lines.last_mut() {
                Some(line) if line.width() + 1 + word.width() <= width => {
                    line.push(' ');
                    line.push_str(word);
                }
                _ => lines.push(" ".repeat(indent) + word),
            }
        }
        let mut lines = lines.into_iter();
        cell.text = lines.next().unwrap_or_default();
        let style = cell.style;
        lines
            .map(|text| Cell {
                text,
                style,
                painted: None,
            })
            .collect()
    }

    /// Whether it was written without its last column.
    pub fn leaves_out_the_last(&self) -> bool {
        self.widths.last() == Some(&0)
    }

    /// The width of each column; 0 leaves it out.
    fn widths(&self, screen_columns: usize) -> Vec<usize> {
        let mut widths: Vec<usize> = Vec::with_capacity(self.columns.len());
        for (index, column) in self.columns.iter().enumerate() {
            let texts = self.rows.iter().filter_map(|row| row.get(index));
            let width = texts.map(|cell| cell.text.width()).max().unwrap_or(0);
            let width = width.max(column.at_least);
            widths.push(if width == 0 {
                0
            } else {
                width.max(column.title.width())
            });
        }
        let mut natural = widths.clone();
        loop {
            let used = widths.iter().filter(|&&width| width > 0);
            let total = used.clone().sum::<usize>() + GAP * used.count().saturating_sub(1);
            if total + self.indent <= screen_columns {
                return widths;
            }
            // The widest of those that may give way loses one, so that in the
            // end they are alike; ties take from the last.
            let widest = (0..widths.len())
                .filter(|&index| {
                    self.columns[index]
                        .shrinks_to
                        .is_some_and(|least| widths[index] > least)
                })
                .max_by_key(|&index| widths[index]);
            if let Some(index) = widest {
                widths[index] -= 1;
                continue;
            }
            let dropped = (0..widths.len())
                .filter(|&index| widths[index] > 0)
                .filter_map(|index| Some((self.columns[index].drops?, index)))
                .min();
            let Some((_, index)) = dropped else {
                return widths;
            };
            // The others get their width back before they shrink again.
            natural[index] = 0;
            widths.clone_from(&natural);
        }
    }

    fn write_row(
        &self,
        out: &mut dyn Write,
        screen: &TerminalInfo,
        cells: &[Cell],
    ) -> io::Result<()> {
        // Blanks are owed, and paid only before more text: no trailing ones.
        let mut owed = self.indent;
        for (index, cell) in cells.iter().enumerate() {
            let width = self.widths[index];
            if width == 0 {
                continue;
            }
            let text = if self.columns[index].wraps || self.columns[index].shrinks_to.is_none() {
                // Wrapped already; a word without a blank may stand out, and so may a
                // number that came after the widths were settled.
                cell.text.clone()
            } else {
                fit(&cell.text, width, screen.ellipsis())
            };
            let blanks = width.saturating_sub(text.width());
            let before = if self.columns[index].align == Align::Right {
                blanks
            } else {
                0
            };
            if text.is_empty() {
                owed += width + GAP;
                continue;
            }
            let painted = match (&cell.painted, cell.style) {
                (Some(painted), _) if screen.colour && text == cell.text => painted.clone(),
                (_, Some(style)) => screen.paint(style, &text),
                _ => text,
            };
            write!(out, "{:1$}{painted}", "", owed + before)?;
            owed = blanks - before + GAP;
        }
        writeln!(out)
    }
}

/// Cuts a text to a width; an ellipsis shows what was cut.
fn fit(text: &str, columns: usize, ellipsis: &str) -> String {
    if text.width() <= columns {
        return text.to_owned();
    }
    let room = columns.saturating_sub(ellipsis.width());
    let mut width = 0;
    let mut cut = String::new();
    for c in text.chars() {
        width += c.width().unwrap_or(0);
        if width > room {
            break;
        }
        cut.push(c);
    }
    cut.truncate(cut.trim_end().len());
    cut + ellipsis
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draw(mut table: Table, screen: &TerminalInfo) -> String {
        let mut out = Vec::new();
        table
            .write(&mut out, screen)
            .expect("a vector takes everything");
        String::from_utf8(out).expect("tables are text")
    }

    fn players() -> Table {
        let mut table = Table::new([
            Column::right("Game"),
            Column::left("White").shrinks_to(8),
            Column::left("Event").shrinks_to(6),
            Column::left("Nothing"),
            Column::right("Plies"),
        ]);
        table.row(vec![
            "7".into(),
            "Réti, Richárd".into(),
            "Wien".into(),
            "".into(),
            "80".into(),
        ]);
        table.row(vec![
            "1234".into(),
            "王皓".into(),
            "".into(),
            "".into(),
            "101".into(),
        ]);
        table
    }

    #[test]
    fn columns_are_aligned_and_empty_ones_left_out() {
        insta::assert_snapshot!(draw(players(), &TerminalInfo::plain(80)), @r"
        Game  White          Event  Plies
           7  Réti, Richárd  Wien      80
        1234  王皓                    101
        ");
    }

    #[test]
    fn a_column_before_others_goes_on_below_its_own_cell() {
        let mut table = Table::new([Column::left("Line").wraps(), Column::right("Games")]);
        table.row(vec!["1.e4".into(), "40".into()]);
        table.row(vec![" 1...e5 2.Nf3 Nc6 3.Bb5 a6".into(), "21".into()]);
        insta::assert_snapshot!(draw(table, &TerminalInfo::plain(28)), @r"
        Line                   Games
        1.e4                      40
         1...e5 2.Nf3 Nc6         21
         3.Bb5 a6
        ");
    }

    #[test]
    fn narrow_screens_cut_what_may_give_way() {
        insta::assert_snapshot!(draw(players(), &TerminalInfo::plain(28)), @r"
        Game  White     Event  Plies
           7  Réti, R…  Wien      80
        1234  王皓               101
        ");
    }

    #[test]
    fn cutting_respects_wide_characters_and_blanks() {
        assert_eq!(fit("abc", 3, "…"), "abc");
        assert_eq!(fit("abcd", 3, "…"), "ab…");
        assert_eq!(fit("ab cd", 4, "…"), "ab…");
        assert_eq!(fit("王王王", 4, "…"), "王…");
        assert_eq!(fit("abcd", 0, "…"), "…");
    }
}
