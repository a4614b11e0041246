//! What the columns of a table are: which one has the positions, which ones complete them,
//! and what the others are called.

use std::borrow::Cow;

use super::{fen_scanner, games, json_like, rows, value};
use crate::{
    formats::{
        Sample,
        json_like::{ObjectField, ObjectPosition},
    },
    games::{
        notation::epd,
        running_text::side_to_move::{self, StatedSide},
    },
};

/// The columns of a table.
#[derive(Debug, Clone, Default)]
pub struct TableLayout {
    /// What stands between cells; `None` where a row is one cell.
    delimiter: Option<char>,
    /// Rows begin and end with bars, as those of Markdown.
    is_framed: bool,
    /// The column of positions, or of games.
    position: usize,
    /// Whether its rows are games.
    has_games: bool,
    /// The columns of the fields that a position may lack: side to move, castling, en
    /// passant, both counters.
    fields: [Option<usize>; FIELDS],
    /// Whether a `b` in the column of the side to move is White, as beside `n` and the like.
    is_b_white: bool,
    /// What the columns are called; empty where nothing says it.
    names: Vec<String>,
    /// The line of these names.
    header: Option<String>,
    /// The lines above that.
    preface: Vec<String>,
    /// Numbers of cells that a row has, from and to.
    width: (usize, usize),
}

/// Fields of a FEN after its board.
const FIELDS: usize = 5;

/// What separates cells, the most certain first.
pub(super) const DELIMITERS: [char; 4] = ['\t', '|', ';', ','];

/// Rows that are looked at.
pub(super) const ROWS_MAX: usize = 200;

/// Lines above the names of columns that are known as such.
const PREFACE_LINES_MAX: usize = 32;

/// Cells of a row that are distinguished.
const CELLS_MAX: usize = 256;

/// Columns that say who moves, among several that could.
const SIDES: [&str; 6] = ["side", "stm", "turn", "move", "color", "colour"];

/// The columns of lichess's puzzles as operations (Z2). Older tables end before the last.
const PUZZLES: [&str; 10] = [
    "id",
    "fen",
    "moves",
    "rating",
    "deviation",
    "popularity",
    "plays",
    "themes",
    "url",
    "openings",
];

impl TableLayout {
    /// The columns of the table of puzzles of lichess.
    pub(super) fn of_puzzles() -> Self {
        Self {
            delimiter: Some(','),
            position: 1,
            names: PUZZLES.map(str::to_owned).into(),
            width: (9, 10),
            ..Self::default()
        }
    }

    /// The columns of the table that a sample is, if one of them has positions.
    pub(in crate::modules::formats) fn of(sample: &Sample<'_>) -> Option<Self> {
        let lines: Vec<&str> = sample.rows().collect();
        // A table of Markdown may stand below text.
        let rule = |line: &&str| line.trim_start().starts_with('|') && is_rule(line);
        let from = lines.iter().position(rule).unwrap_or(0).saturating_sub(1);
        let to = lines.len().min(from + ROWS_MAX);
        let of_games = || games::layout(&lines[from..]);
        Self::of_lines(&lines[from..to]).or_else(of_games)
    }

    /// The columns of a table with games in one of them, which has these names.
    pub(super) fn of_games(delimiter: char, column: usize, header: &str) -> Self {
        let mut layout = Self {
            delimiter: Some(delimiter),
            is_framed: delimiter == '|' && header.trim_start().starts_with('|'),
            position: column,
            has_games: true,
            header: Some(header.to_owned()),
            ..Self::default()
        };
        layout.names = layout
            .cells(header)
            .iter()
            .map(|name| named(name))
            .collect();
        layout.width = (layout.names.len().min(column + 1), CELLS_MAX);
        layout
    }

    /// The same below these lines.
    pub(super) fn below(mut self, preface: impl Iterator<Item = String>) -> Self {
        self.preface = preface.take(PREFACE_LINES_MAX).collect();
        self
    }

    /// Whether a line is one of those above the names of the columns.
    pub(super) fn is_preface(&self, line: &str) -> bool {
        self.preface.iter().any(|known| known == line)
    }

    /// Whether its rows are games, and which column has their moves.
    pub(super) fn games(&self) -> Option<usize> {
        self.has_games.then_some(self.position)
    }

    /// The columns of the table that lines are.
    pub(super) fn of_lines(lines: &[&str]) -> Option<Self> {
        let layouts = DELIMITERS.map(|delimiter| Self::with(lines, delimiter));
        let best = layouts.into_iter().flatten().rev();
        let best = best.max_by_key(|&(positions, _)| positions);
        best.map(|(_, layout)| layout)
            .or_else(|| Self::of_one_column(lines))
    }

    /// Lines that are positions below the name of their only column.
    fn of_one_column(lines: &[&str]) -> Option<Self> {
        let (first, others) = lines.split_first()?;
        let has_position =
            |line: &&str| !line.contains(';') && fen_scanner::is_position(&unquoted(line));
        let is_word = !first.contains(char::is_whitespace);
        let is_named = is_word && json_like::is_position_key(first) && is_name(first);
        (is_named && others.iter().any(has_position)).then(|| Self {
            header: Some((*first).to_owned()),
            names: vec![named(first)],
            width: (1, 1),
            ..Self::default()
        })
    }

    /// The columns between such signs, and in how many rows the column of positions has one.
    fn with(lines: &[&str], delimiter: char) -> Option<(usize, Self)> {
        let is_framed = |line: &&&str| line.trim_start().starts_with('|');
        let framed = lines.iter().filter(is_framed).count();
        // Below a table may stand more text than it has rows.
        let barred = match framed {
            0 | 1 => lines.len(),
            _ => lines.iter().filter(|line| line.contains('|')).count(),
        };
        let mut layout = Self {
            delimiter: Some(delimiter),
            is_framed: delimiter == '|' && framed * 2 > barred,
            width: (2, CELLS_MAX),
            ..Self::default()
        };
        if layout.is_framed {
            layout.width.0 = 1;
        }
        let lines = lines.iter().map(|&line| (0, line.into()));
        let lines: Vec<Cow<'_, str>> = rows::joined(lines, layout.quoting())
            .map(|(_, line)| line)
            .collect();
        let rows: Vec<Vec<Cow<'_, str>>> = lines.iter().map(|line| layout.cells(line)).collect();
        let mut counts: Vec<usize> = Vec::new();
        for row in rows.iter().filter(|row| row.len() >= layout.width.0) {
            counts.resize(counts.len().max(row.len()), 0);
            for (at, _) in row
                .iter()
                .enumerate()
                .filter(|(_, c)| fen_scanner::is_cell(c))
            {
                counts[at] += 1;
            }
        }
        let most = *counts.iter().max().filter(|&&most| most > 0)?;
        layout.position = counts.iter().position(|&count| count == most)?;
        let is_position = |row: &&Vec<Cow<'_, str>>| {
            (row.get(layout.position)).is_some_and(|cell| fen_scanner::is_cell(cell))
        };
        let first = rows.iter().position(|row| is_position(&row))?;
        // The row of names is the first, above a rule in Markdown.
        let is_header = |&at: &usize| {
            let is_row = rows[at].len() >= layout.width.0 && !is_rule(&lines[at]);
            is_row && !is_mark(&lines[at]) && fen_scanner::all(&lines[at]).is_empty()
        };
        // Above it may stand a preface, which has other cells.
        let told = |&at: &usize| {
            let name = rows[at].get(layout.position);
            let is_key = name.is_some_and(|name| json_like::is_position_key(name));
            (is_key, rows[at].len() == rows[first].len())
        };
        let header = (0..first).rev().filter(is_header).max_by_key(told);
        if let Some(at) = header
            && let name = rows[at].get(layout.position)?
            && is_name(name)
            // Lines of EPD have semicolons after their positions.
            && (delimiter != ';' || layout.position > 0 || json_like::is_position_key(name))
        {
            let above = lines[..at].iter().filter(|line| !is_mark(line));
            let above = above.take(PREFACE_LINES_MAX);
            layout.preface = above.map(|line| line.clone().into_owned()).collect();
            layout.header = Some(lines[at].clone().into_owned());
            layout.names = rows[at].iter().map(|name| named(name)).collect();
        }
        let rows: Vec<_> = rows.iter().filter(is_position).collect();
        // One row alone can be a sentence with a comma.
        if rows.len() < 2 && layout.header.is_none() && !layout.is_framed {
            return None;
        }
        // Nothing but positions with a sign after each is a list, as programs have them.
        let is_beside =
            |(at, cell): (usize, &Cow<'_, str>)| at != layout.position && !cell.is_empty();
        let is_alone = |row: &&&Vec<Cow<'_, str>>| !row.iter().enumerate().any(is_beside);
        let alone = rows.iter().filter(is_alone).count();
        let is_named = (layout.names.iter().enumerate())
            .any(|(at, name)| at != layout.position && !name.is_empty());
        if !is_named && !layout.is_framed && alone * 2 > rows.len() {
            return None;
        }
        // Operations of EPD have semicolons after them.
        let is_operation = |cell: &Cow<'_, str>| {
            let (word, operand) = cell.split_once(' ').unwrap_or((cell, ""));
            !operand.is_empty() && epd::looks_like_opcode(word, operand)
        };
        let is_epd = |row: &&Vec<Cow<'_, str>>| {
            let mut others = row
                .iter()
                .filter(|cell| !cell.is_empty())
                .skip(1)
                .peekable();
            others.peek().is_some() && others.all(is_operation)
        };
        if delimiter == ';' && layout.position == 0 && rows.iter().all(is_epd) {
            return None;
        }
        layout.find_fields(&rows);
        Some((most, layout))
    }

    /// Finds the columns that say what positions lack: who moves by what they say, the others
    /// by their names.
    fn find_fields(&mut self, rows: &[&Vec<Cow<'_, str>>]) {
        let column = |at: usize| rows.iter().filter_map(move |row| Some(&row.get(at)?[..]));
        let is_b_white = |at: usize| column(at).any(side_to_move::is_beside_white);
        let says_side = |&at: &usize| {
            let mut cells = rows.iter().map(|row| row.get(at));
            let is_b_white = is_b_white(at);
            let says = |cell: &Cow<'_, str>| side(self.name(at), cell, is_b_white);
            at != self.position
                && !["win", "result"]
                    .iter()
                    .any(|word| self.name(at).contains(word))
                && cells.all(|cell| cell.is_some_and(|cell| says(cell) != StatedSide::Unstated))
        };
        let width = rows.iter().map(|row| row.len()).max().unwrap_or(0);
        let sides: Vec<usize> = (0..width).filter(says_side).collect();
        let is_named = |&&at: &&usize| SIDES.iter().any(|word| self.name(at).contains(word));
        let named: Vec<usize> = sides.iter().filter(is_named).copied().collect();
        // Of several that could be, none is taken.
        let found = match (&named[..], &sides[..]) {
            (&[at], _) | ([], &[at]) => Some(at),
            _ => None,
        };
        self.is_b_white = found.is_some_and(is_b_white);
        let begins = |words: &[&str]| {
            let is_one = |name: &String| words.iter().any(|word| name.starts_with(word));
            self.names.iter().position(is_one)
        };
        let ep = self.names.iter().position(|name| name == "ep");
        self.fields = [
            found,
            begins(&["castl"]),
            ep.or_else(|| begins(&["enpassant", "en_passant", "en passant"])),
            begins(&["half", "hmvc"]),
            begins(&["full", "fmvn"]),
        ];
    }

    pub(super) fn name(&self, column: usize) -> &str {
        self.names.get(column).map_or("", String::as_str)
    }

    /// Whether a line belongs to a table and is none of its rows: names, a rule, a comment.
    pub(super) fn is_beside(&self, line: &str) -> bool {
        let is_of_puzzles = self.width.0 == 9 && line.starts_with(super::HEADER);
        self.is_header(line)
            || is_of_puzzles
            || is_rule(line)
            || is_mark(line)
            || line.starts_with('#')
    }

    /// Whether a line is the names of its columns.
    pub(super) fn is_header(&self, line: &str) -> bool {
        self.header.as_deref() == Some(line)
    }

    /// Whether a line says what its columns are called.
    pub(super) const fn has_names(&self) -> bool {
        self.header.is_some()
    }

    /// What separates cells that may stand in quotes with ends of lines between them.
    pub(super) fn quoting(&self) -> Option<char> {
        self.delimiter.filter(|_| !self.is_framed)
    }

    /// Whether a line of Markdown has as many cells as there are names of columns.
    pub(super) fn is_framed_as(&self, line: &str) -> bool {
        self.is_framed && self.has_names() && self.cells(line).len() == self.names.len()
    }

    /// Whether a line must be a row.
    pub(super) fn is_row(&self, line: &str) -> bool {
        !self.is_framed || line.trim_start().starts_with('|')
    }

    /// The position of a row and what stands beside it.
    pub(super) fn row(&self, at: usize, line: &str) -> Option<ObjectPosition> {
        let cells = self.cells(line);
        let position = cells.get(self.position).filter(|_| !self.has_games)?;
        if !self.is_row(line)
            || !(self.width.0..=self.width.1).contains(&cells.len())
            || !fen_scanner::is_cell(position)
        {
            return None;
        }
        let (position, taken) = self.completed(position, &cells);
        let mut values: Vec<ObjectField> = Vec::new();
        for (column, cell) in cells.iter().enumerate() {
            if column == self.position || taken.contains(&Some(column)) || cell.is_empty() {
                continue;
            }
            let key = Some(self.name(column)).filter(|name| !name.is_empty());
            values.push(value(key, cell));
        }
        let mut found = ObjectPosition {
            at,
            position,
            values,
            ..ObjectPosition::default()
        };
        json_like::name_line(&mut found);
        // A number is no name of a record.
        let numbers = found.values.iter_mut().filter(|value| value.is_bare);
        for value in numbers.filter(|value| value.key.is_none()) {
            value.key = Some("c0".to_owned());
            value.is_bare = false;
        }
        Some(found)
    }

    /// A position with the fields that other columns have of it, and which columns these are.
    fn completed(&self, cell: &str, cells: &[Cow<'_, str>]) -> (String, [Option<usize>; FIELDS]) {
        let mut position = cell.to_owned();
        let mut taken = [None; FIELDS];
        if cell.contains(char::is_whitespace) || cell.contains([':', ';']) {
            return (position, taken);
        }
        for (nth, column) in self.fields.into_iter().enumerate() {
            let found = column.and_then(|column| cells.get(column));
            let Some(found) = found else {
                break;
            };
            let field = match nth {
                0 => match side(
                    column.map_or("", |at| self.name(at)),
                    found,
                    self.is_b_white,
                ) {
                    StatedSide::One(side) => side,
                    StatedSide::Unstated | StatedSide::Both => break,
                },
                _ if found.contains(char::is_whitespace) => break,
                _ if found.is_empty() => "-",
                _ => found,
            };
            position.push(' ');
            position.push_str(field);
            // What says more than that stays beside the position.
            taken[nth] = column.filter(|_| nth > 0 || side_to_move::cell(found).is_some());
        }
        (position, taken)
    }

    /// The cells of a line, without the blanks and quotes around them.
    pub(super) fn cells<'l>(&self, line: &'l str) -> Vec<Cow<'l, str>> {
        let Some(delimiter) = self.delimiter else {
            return vec![unquoted(line)];
        };
        // A tab before a row is the end of an empty cell only where tabs are between cells.
        let mut rest = if delimiter == '\t' {
            line
        } else {
            line.trim_start()
        };
        if self.is_framed {
            rest = rest.strip_prefix('|').unwrap_or(rest);
            rest = rest.trim_end().strip_suffix('|').unwrap_or(rest);
        }
        let mut cells = Vec::new();
        loop {
            let end = cell_end(rest, delimiter);
            let is_last = end == rest.len() || cells.len() + 1 == CELLS_MAX;
            let cell = if is_last { rest } else { &rest[..end] };
            cells.push(unquoted(cell));
            if is_last {
                return cells;
            }
            rest = &rest[end + delimiter.len_utf8()..];
        }
    }
}

/// Where the first cell of a line ends: what stands in quotes has delimiters in it.
pub(super) fn cell_end(line: &str, delimiter: char) -> usize {
    let blanks = line.len() - line.trim_start_matches(' ').len();
    let mut from = 0;
    if line[blanks..].starts_with('"') {
        let mut at = blanks + 1;
        // A quote is written twice; one that is never closed is a sign like others.
        while let Some(quote) = line[at..].find('"') {
            at += quote + 1;
            if !line[at..].starts_with('"') {
                let behind = line[at..].trim_start_matches(' ');
                let is_closed = behind.is_empty() || behind.starts_with(delimiter);
                from = if is_closed { at } else { 0 };
                break;
            }
            at += 1;
        }
    }
    line[from..]
        .find(delimiter)
        .map_or(line.len(), |at| from + at)
}

/// A cell without the blanks and quotes around it.
fn unquoted(cell: &str) -> Cow<'_, str> {
    let cell = cell.trim();
    let inner = |quote| cell.strip_prefix(quote)?.strip_suffix(quote);
    match inner('"') {
        Some(inner) if inner.contains("\"\"") => inner.replace("\"\"", "\"").into(),
        Some(inner) => inner.trim().into(),
        None => inner('`').unwrap_or(cell).into(),
    }
}

/// Whether a line is the rule below the names of a Markdown table, or a frame.
pub(super) fn is_rule(line: &str) -> bool {
    line.contains('-') && line.chars().all(|c| "|-:+= \t".contains(c))
}

/// Whether a line says what separates cells, as Excel reads it: `sep=;`.
fn is_mark(line: &str) -> bool {
    line.strip_prefix("sep=")
        .is_some_and(|sign| sign.chars().count() <= 1)
}

/// Whether a cell can be the name of a column.
pub(super) fn is_name(cell: &str) -> bool {
    cell.len() <= 40 && cell.contains(char::is_alphabetic) && !cell.contains('/')
}

/// A name as it is compared.
fn named(cell: &str) -> String {
    cell.trim_matches(['*', '#', '"']).trim().to_lowercase()
}

/// Who moves, as a cell of a column with a name says it.
fn side(name: &str, cell: &str, is_b_white: bool) -> StatedSide {
    let said = match side_to_move::value(name, cell) {
        StatedSide::Unstated => {
            side_to_move::cell(cell).map_or(StatedSide::Unstated, StatedSide::One)
        }
        said => said,
    };
    let is_b = is_b_white && cell.eq_ignore_ascii_case("b");
    if is_b { StatedSide::One("w") } else { said }
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: &str = "4k3/8/8/8/8/8/4P3/4K3";

    /// Position and values of each row, the ones that are none counted.
    fn told(text: &str) -> Vec<String> {
        let sample = Sample::of(text.as_bytes());
        let Some(layout) = TableLayout::of(&sample) else {
            return Vec::new();
        };
        let lines = sample.lines().filter(|line| !layout.is_beside(line));
        let told = |line: &str| match layout.row(0, line) {
            Some(row) => {
                let values = row.values.iter().map(|value| {
                    let key = value.key.as_deref().unwrap_or("-");
                    format!(" {key}={}", value.text)
                });
                let position = row.position.replace(A, "A");
                format!("{position}{}", values.collect::<String>())
            }
            None => "none".to_owned(),
        };
        lines.map(told).collect()
    }

    #[test]
    fn columns_are_found_by_what_they_say() {
        for (text, wanted) in [
            (
                format!("fen,eval\n{A} w - - 0 1,+0.5\n"),
                &["A w - - 0 1 eval=+0.5"][..],
            ),
            (
                format!("{A} w - - 0 1,0.5\n{A} b - - 0 1,-1\n"),
                &["A w - - 0 1 c0=0.5", "A b - - 0 1 c0=-1"],
            ),
            (
                format!("id\tfen\ttext\n1\t{A} w - -\t\"a, \"\"b\"\"\"\nx\n"),
                &["A w - - id=1 text=a, \"b\"", "none"],
            ),
            (
                format!("# list\n| Nr | FEN | side |\n|---|:-:|---|\n| 1 | `{A}` | black |\n"),
                &["A b nr=1"],
            ),
            (
                format!("board;stm;castling;ep;winner\n{A};White;-;;black\n"),
                &["A w - - winner=black"],
            ),
            (
                format!("one;winner;board\nwhite;black;{A}\n"),
                &["A w winner=black"],
            ),
            (
                format!("1;{A};white;black\n2;{A};black;white\n"),
                &["A c0=1 -=white -=black", "A c0=2 -=black -=white"],
            ),
            (format!("FEN\n\"{A} w - -\"\n"), &["A w - -"]),
            (
                "id,fen\n1,\"W:W31,K32:B1\"\n".to_owned(),
                &["W:W31,K32:B1 id=1"],
            ),
            (
                // One row alone can be a sentence with a comma.
                format!("{A} w - -,e2e4 e8e7\n{A} b - -,\"a nice, quiet move\"\n"),
                &["A w - - pv=e2e4 e8e7", "A b - - -=a nice, quiet move"],
            ),
        ] {
            let expected: &[&str] = wanted;
            assert_eq!(told(&text), expected, "{text}");
        }
    }

    #[test]
    fn what_has_no_positions_is_no_table() {
        for text in [
            "fen,moves\n",
            "date,result\n2020/01/02,1/2-1/2\n",
            "a/b/c/d,e/f/g/h\n",
            "",
            "|---|---|\n",
        ] {
            assert_eq!(told(text), [] as [&str; 0], "{text}");
        }
    }
}
