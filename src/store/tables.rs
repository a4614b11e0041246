//! Tables of what is packed in games, which statements read as if they were stored: their
//! columns, their rows, and what gives the rows.

use std::{
    fmt::Write as _,
    ops::{Range, RangeInclusive},
};

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

    /// Which late column one of its own is.
    pub const fn late_column(self, own: usize) -> Option<LateColumn> {
        match (self, own) {
            (Self::Moves, 0) => Some(LateColumn::Move),
            (Self::Moves, 1) => Some(LateColumn::Uci),
            (Self::Variations, 0) => Some(LateColumn::Variation),
            _ => None,
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

/// A column whose texts cost much: they are made game by game, once one of them is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LateColumn {
    /// Moves as the game writes them.
    Move,
    /// Moves as programs write them.
    Uci,
    /// The texts of variations.
    Variation,
}

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
    /// A part of the texts of the game.
    Text(Range<u32>),
}

/// Where a row stands in its game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RowPlace {
    /// The line, as [`LinePaths`] numbers them.
    pub line: u32,
    /// Plies before it, from the start of the game.
    pub ply: u32,
}

/// The rows that a table has of a game, in the order of the game's text.
#[derive(Debug, Clone, Default)]
pub struct TableRows {
    /// Where each stands.
    pub places: Vec<RowPlace>,
    /// The values of the table's own columns, but for [late](SqlTable::late_column) ones;
    /// none at all of moves.
    pub values: Vec<[RowField; 3]>,
}

/// Values of a late column, for rows from the first on.
#[derive(Debug, Clone, Default)]
pub struct LateTexts {
    /// All of them.
    pub text: String,
    /// The part of each row, which is empty where its ply is not requested.
    pub parts: Vec<Range<usize>>,
}

impl LateTexts {
    /// The text of a row; `None` if there are fewer.
    pub fn get(&self, row: usize) -> Option<&str> {
        self.text.get(self.parts.get(row)?.clone())
    }

    /// Takes all texts out.
    pub fn clear(&mut self) {
        self.text.clear();
        self.parts.clear();
    }
}

/// The plies that are requested.
pub type PlyRange = RangeInclusive<u32>;

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

    /// Appends the path of a line: nothing for the main line, else `23.1/25.2`.
    pub fn write(&self, mut line: u32, out: &mut String) {
        let mut steps = Vec::new();
        while let Some((parent, ply, nth)) = (line as usize).checked_sub(1).map(|at| self.0[at]) {
            steps.push((ply, nth));
            line = parent;
        }
        for (at, (ply, nth)) in steps.iter().rev().enumerate() {
            let slash = if at == 0 { "" } else { "/" };
            let _ = write!(out, "{slash}{ply}.{nth}");
        }
    }

    /// Forgets all lines but the main line.
    pub fn clear(&mut self) {
        self.0.clear();
    }
}

/// The rows of a game.
#[derive(Debug, Clone, Default)]
pub struct GameRows {
    /// Its lines.
    pub paths: LinePaths,
    /// The texts of the values.
    pub texts: String,
    /// The rows of each table that was requested, in the order of [`SqlTable::ALL`].
    pub tables: [TableRows; 7],
}

impl GameRows {
    /// The rows of a table.
    pub const fn of(&self, table: SqlTable) -> &TableRows {
        &self.tables[table as usize]
    }

    /// Adds a text; the value that it is.
    pub fn text(&mut self, text: &str) -> RowField {
        let from = self.texts.len() as u32;
        self.texts.push_str(text);
        RowField::Text(from..self.texts.len() as u32)
    }

    /// A text that is a value.
    pub fn text_of(&self, part: &Range<u32>) -> &str {
        &self.texts[part.start as usize..part.end as usize]
    }

    /// Adds a row.
    pub fn push(&mut self, table: SqlTable, place: RowPlace, values: [RowField; 3]) {
        let rows = &mut self.tables[table as usize];
        rows.places.push(place);
        rows.values.push(values);
    }

    /// Takes all rows out.
    pub fn clear(&mut self) {
        self.paths.clear();
        self.texts.clear();
        for rows in &mut self.tables {
            rows.places.clear();
            rows.values.clear();
        }
    }
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

    /// Adds the rows that some tables have of a game. Of moves, those after a ply may be left
    /// out.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    fn rows(
        &self,
        game: GameId,
        tables: &[SqlTable],
        last_ply: u32,
        rows: &mut GameRows,
    ) -> Result<(), StoreError>;

    /// Adds the values of a late column for all rows of a game, up to the last ply that is
    /// requested. That are at least `count`.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    fn late_texts(
        &self,
        game: GameId,
        column: LateColumn,
        plies: PlyRange,
        count: usize,
        texts: &mut LateTexts,
    ) -> Result<(), StoreError>;

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
        let written = [0, first, nested, second].map(|line| {
            let mut path = String::new();
            paths.write(line, &mut path);
            path
        });
        assert_eq!(written, ["", "23.1", "23.1/25.2", "23.2"]);
    }
}
