//! Names of openings: of one position, or as a list.

use std::io::{self, Write};

use serde::Serialize;

use super::table::{Column, Table};
use crate::cli::terminal::{DIM, HEADING, TerminalInfo};
use crate::games::NamedOpening;
use crate::games::position_input::TypedPosition;

/// A line of the table of names.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct OpeningLine {
    /// Its code in the Encyclopaedia of Chess Openings.
    pub eco: &'static str,
    /// What it is called.
    pub name: &'static str,
    /// Moves that lead there.
    pub moves: &'static str,
}

impl From<&NamedOpening> for OpeningLine {
    fn from(opening: &NamedOpening) -> Self {
        Self {
            eco: opening.eco,
            name: opening.name,
            moves: opening.moves,
        }
    }
}

/// What a position is called.
#[derive(Debug, Serialize)]
pub struct PositionOpening {
    /// Word of the variant.
    pub variant: &'static str,
    /// The position.
    pub fen: String,
    /// Its name; null if it has none.
    pub opening: Option<OpeningLine>,
    /// The last name on the way there; null if there is none, or no way was given.
    pub last: Option<LastOpening>,
    /// The game as which it was read, if its positions have no names.
    #[serde(skip)]
    nameless: Option<&'static str>,
}

/// A name on the way to a position.
#[derive(Debug, Serialize)]
pub struct LastOpening {
    /// The name.
    #[serde(flatten)]
    pub line: OpeningLine,
    /// After how many plies of the given moves.
    pub ply: usize,
    /// These moves.
    #[serde(skip)]
    played: String,
}

impl PositionOpening {
    /// Looks a position up.
    pub fn of(typed: &TypedPosition) -> Self {
        let last = typed.last_named().map(|(opening, ply)| LastOpening {
            line: opening.into(),
            ply,
            played: typed.moves[..ply].join(" "),
        });
        Self {
            variant: typed.row.name,
            fen: typed.at.fen(),
            opening: typed.named_opening().map(OpeningLine::from),
            last,
            nameless: (typed.at.opening_names().is_none()).then_some(typed.row.title),
        }
    }

    /// Whether there is any name to show.
    pub const fn is_named(&self) -> bool {
        self.opening.is_some() || self.last.is_some()
    }

    /// Writes it for people.
    pub fn write(&self, out: &mut dyn Write, screen: &TerminalInfo) -> io::Result<()> {
        let mut line = |line: &OpeningLine| {
            writeln!(out, "{}  {}", screen.paint(HEADING, line.eco), line.name)?;
            writeln!(out, "{}", screen.paint(DIM, line.moves))
        };
        if let Some(opening) = &self.opening {
            return line(opening);
        }
        let Some(last) = &self.last else {
            return match self.nameless {
                Some(game) => writeln!(
                    out,
                    "read as a position of {game}, whose positions have no names here"
                ),
                None => writeln!(out, "the position has no name"),
            };
        };
        line(&last.line)?;
        let behind = match last.played.as_str() {
            "" => "the start".to_owned(),
            played => played.to_owned(),
        };
        writeln!(
            out,
            "the last named position, after {behind}; the position itself has no name"
        )
    }
}

/// Openings in the order of the table.
#[derive(Debug, Serialize)]
pub struct OpeningList {
    /// All that were requested.
    pub openings: Vec<OpeningLine>,
}

impl OpeningList {
    /// Of some openings.
    pub fn of(openings: &[&NamedOpening]) -> Self {
        Self {
            openings: openings
                .iter()
                .map(|opening| OpeningLine::from(*opening))
                .collect(),
        }
    }

    /// Whether there are none.
    pub const fn is_empty(&self) -> bool {
        self.openings.is_empty()
    }

    /// Writes them for people.
    pub fn write(&self, out: &mut dyn Write, screen: &TerminalInfo) -> io::Result<()> {
        if self.is_empty() {
            return Ok(());
        }
        let columns = [
            Column::left("ECO"),
            Column::left("Opening").shrinks_to(48),
            Column::left("Moves").wraps(),
        ];
        let mut table = Table::new(columns);
        for line in &self.openings {
            table.row(vec![line.eco.into(), line.name.into(), line.moves.into()]);
        }
        table.write(out, screen)
    }
}
