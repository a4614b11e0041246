//! Tables of what is packed in games, which statements read as if they were stored: their
//! columns, their rows, and what gives the rows.

use std::{ops::Range, rc::Rc};

use super::{SqlError, StoreError};
use crate::base::record::GameId;

/// A table of what is in games.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SqlTable {
    /// Comments.
    Comments,
    /// Numeric annotation glyphs.
    Nags,
    /// Variations.
    Variations,
    /// Moves, those of variations included.
    Moves,
    /// Times in comments.
    Clocks,
    /// Evaluations in comments.
    Evals,
    /// Results, one a game.
    Results,
}

/// A column: its name and its type.
pub type TableColumn = (&'static str, &'static str);

impl SqlTable {
    /// All, in the order of declaration.
    pub const ALL: [Self; 7] = [
        Self::Comments,
        Self::Nags,
        Self::Variations,
        Self::Moves,
        Self::Clocks,
        Self::Evals,
        Self::Results,
    ];

    /// The columns that all begin with.
    pub const SHARED: [TableColumn; 3] =
        [("game", "INTEGER"), ("path", "TEXT"), ("ply", "INTEGER")];

    /// What it is called.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Comments => "comments",
            Self::Nags => "nags",
            Self::Variations => "variations",
            Self::Moves => "moves",
            Self::Clocks => "clocks",
            Self::Evals => "evals",
            Self::Results => "results",
        }
    }

    /// Its own columns, which follow those that all have.
    pub const fn own_columns(self) -> &'static [TableColumn] {
        match self {
            Self::Comments => &[("text", "TEXT"), ("kind", "TEXT")],
            Self::Nags => &[("nag", "INTEGER")],
            Self::Variations => &[("text", "TEXT"), ("depth", "INTEGER")],
            Self::Moves => &[("move", "TEXT"), ("uci", "TEXT")],
            Self::Clocks => &[("seconds", "REAL"), ("kind", "TEXT")],
            Self::Evals => &[("pawns", "REAL"), ("mate", "INTEGER"), ("depth", "INTEGER")],
            Self::Results => &[("result", "TEXT"), ("result_written", "TEXT")],
        }
    }

    /// All its columns.
    pub fn columns(self) -> impl Iterator<Item = &'static TableColumn> {
        Self::SHARED.iter().chain(self.own_columns())
    }
}

/// The columns of the table of positions; its argument is hidden.
pub(super) const POSITION_COLUMNS: [TableColumn; 5] = [
    ("game", "INTEGER"),
    ("ply", "INTEGER"),
    ("next_move", "TEXT"),
    ("in_variation", "INTEGER"),
    ("fen", "TEXT HIDDEN"),
];

/// A value of a row.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum RowField {
    /// Nothing.
    #[default]
    Null,
    /// A number.
    Integer(i64),
    /// A number with a fraction.
    Real(f64),
    /// A word that is always the same.
    Word(&'static str),
    /// A text, which may be a part of a greater one.
    Text(Rc<str>, Range<usize>),
}

impl RowField {
    /// A text of its own.
    pub fn text(text: &str) -> Self {
        Self::Text(text.into(), 0..text.len())
    }
}

/// A row of a table, without its game.
#[derive(Debug, Clone, PartialEq)]
pub struct TableRow {
    /// The line that it stands on, as [`LinePaths`] numbers them.
    pub line: u32,
    /// Plies before it, from the start of the game.
    pub ply: u32,
    /// The values of the table's own columns.
    pub values: [RowField; 3],
}

/// The lines of a game: how each is reached from the main line, which is number 0. Written
/// out on request, because lines can be nested deeply.
#[derive(Debug, Clone, Default)]
pub struct LinePaths(Vec<(u32, u32, u32)>);

impl LinePaths {
    /// Adds the nth variation, from 1, of the ply of a line; the number of the new line.
    pub fn add(&mut self, parent: u32, ply: u32, nth: u32) -> u32 {
        self.0.push((parent, ply, nth));
        self.0.len() as u32
    }

    /// The path of a line: empty for the main line, else `23.1/25.2`.
    pub fn of(&self, mut line: u32) -> String {
        let mut steps = Vec::new();
        while let Some((parent, ply, nth)) = (line as usize).checked_sub(1).map(|at| self.0[at]) {
            steps.push(format!("{ply}.{nth}"));
            line = parent;
        }
        steps.reverse();
        steps.join("/")
    }
}

/// The rows of a game.
#[derive(Debug, Clone, Default)]
pub struct GameRows {
    /// Its lines.
    pub paths: LinePaths,
    /// The rows of each table that was requested, in the order of [`SqlTable::ALL`].
    pub tables: [Vec<TableRow>; 7],
}

/// A game that reaches a position, and whether only a variation of it does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PositionRow {
    /// The game.
    pub game: GameId,
    /// Whether its main line does not reach it.
    pub in_variation: bool,
}

/// What gives the rows: a reader of games.
pub trait TableSource {
    /// The number of the last game, 0 if there is none.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read or is damaged; likewise below.
    fn last_game(&self) -> Result<GameId, StoreError>;

    /// Compares a game with its checksum.
    ///
    /// # Errors
    ///
    /// [`StoreError`]: damaged, where they differ.
    fn verify_checksum(&self, game: GameId) -> Result<(), StoreError>;

    /// The rows that some tables have of a game.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    fn rows(&self, game: GameId, tables: &[SqlTable]) -> Result<GameRows, StoreError>;

    /// The games of a part of the database, from 0, that reach a position, in the order of
    /// import; `None` after the last part. The position is given as people type it.
    ///
    /// # Errors
    ///
    /// [`SqlError`], also where the text is no position.
    fn positions(&self, text: &str, part: usize) -> Result<Option<Vec<PositionRow>>, SqlError>;

    /// Whether and how a single game reaches it.
    ///
    /// # Errors
    ///
    /// [`SqlError`], as for the list.
    fn position_in(&self, text: &str, game: GameId) -> Result<Option<PositionRow>, SqlError>;

    /// Where one of these games reaches the position, and the move that it plays there.
    ///
    /// # Errors
    ///
    /// [`SqlError`], as for the list.
    fn place(&self, text: &str, row: PositionRow) -> Result<(u32, Option<String>), SqlError>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_name_the_way_from_the_main_line() {
        let mut paths = LinePaths::default();
        let first = paths.add(0, 23, 1);
        let nested = paths.add(first, 25, 2);
        let second = paths.add(0, 23, 2);
        let written = [0, first, nested, second].map(|line| paths.of(line));
        assert_eq!(written, ["", "23.1", "23.1/25.2", "23.2"]);
    }
}
