//! What the columns of a table mean.

use std::fmt::Write as _;

use parquet::record::{Field, Row};

use super::game;
use crate::base::field_names;

/// Columns that hold the moves of a game, the best first.
const MOVES: [&str; 4] = ["movedata", "movetext", "moves", "pgn"];
/// Columns that hold a position, which makes the row one of a list.
const POSITIONS: [&str; 3] = ["fen", "epd", "position"];

/// What is made of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RowKind {
    /// A game, whose moves are in this column.
    Game { moves: usize },
    /// A line of a table.
    Line,
}

/// The columns of a table.
#[derive(Debug)]
pub(super) struct ParquetColumns {
    names: Vec<String>,
    kind: RowKind,
}

impl ParquetColumns {
    /// What these columns are, if they have moves or positions.
    pub(super) fn of(names: &[String]) -> Option<Self> {
        let find = |known: &[&str]| {
            let mut known = known.iter();
            known.find_map(|name| names.iter().position(|own| own.eq_ignore_ascii_case(name)))
        };
        let kind = match (find(&POSITIONS), find(&MOVES)) {
            (Some(_), _) => RowKind::Line,
            (None, Some(moves)) => RowKind::Game { moves },
            (None, None) => return None,
        };
        Some(Self {
            names: names.to_vec(),
            kind,
        })
    }

    /// What the text is called.
    pub(super) const fn member(&self) -> &'static str {
        match self.kind {
            RowKind::Game { .. } => "games.pgn",
            RowKind::Line => "table.csv",
        }
    }

    /// What stands before the first row.
    pub(super) fn head(&self) -> String {
        match self.kind {
            RowKind::Game { .. } => String::new(),
            RowKind::Line => line(self.names.iter().map(String::as_str)),
        }
    }

    /// The text of a row.
    pub(super) fn text(&self, row: &Row) -> String {
        let values = || row.get_column_iter().map(|(_, value)| value);
        match self.kind {
            RowKind::Line => {
                let cells: Vec<String> = values().map(shown).collect();
                line(cells.iter().map(String::as_str))
            }
            RowKind::Game { moves } => {
                let at = |name: &str| {
                    let is_it = |own: &String| own.eq_ignore_ascii_case(name);
                    let at = self.names.iter().position(is_it)?;
                    values().nth(at).filter(|value| **value != Field::Null)
                };
                let moves = values().nth(moves).unwrap_or(&Field::Null);
                let mut text = String::new();
                // A game with its tags is one already.
                if let Field::Str(game) = moves
                    && game.trim_start().starts_with('[')
                {
                    return format!("{}\n\n", game.trim());
                }
                self.tags(row, &mut text);
                text.push('\n');
                game::movetext(moves, &at, &mut text);
                let result = at("result").map(shown).unwrap_or_default();
                let is_ended = text
                    .trim_ascii_end()
                    .rsplit([' ', '\n'])
                    .next()
                    .is_some_and(|last| matches!(last, "1-0" | "0-1" | "1/2-1/2" | "*"));
                if !is_ended {
                    text.push_str(match &result[..] {
                        result @ ("1-0" | "0-1" | "1/2-1/2") => result,
                        _ => "*",
                    });
                }
                text.push_str("\n\n");
                text
            }
        }
    }

    /// Writes the tags of a game: those of columns that are known, and all other columns that
    /// have a value, by their own names.
    fn tags(&self, row: &Row, text: &mut String) {
        let is_of_moves = |at| self.kind == RowKind::Game { moves: at };
        let mut seconds = [None, None];
        for (at, (name, value)) in row.get_column_iter().enumerate() {
            let lower = name.to_ascii_lowercase();
            if is_of_moves(at) || *value == Field::Null || game::PER_PLY.contains(&&lower[..]) {
                continue;
            }
            let said = shown(value);
            match &lower[..] {
                "time_initial" => seconds[0] = Some(said),
                "time_increment" => seconds[1] = Some(said),
                "lichess_id" => tag("Site", &format!("https://lichess.org/{said}"), text),
                "tournament" => {
                    let link = format!("https://lichess.org/tournament/{said}");
                    tag("Event", &link, text);
                }
                "white_rating_diff" | "black_rating_diff" if !said.starts_with('-') => {
                    tag(
                        field_names::tag(name).unwrap_or(name),
                        &format!("+{said}"),
                        text,
                    );
                }
                "utc_timestamp" => {
                    // `2026-02-01 18:00:03 +00:00`
                    let mut parts = said.split(' ');
                    let mut part = || parts.next().unwrap_or_default();
                    tag("UTCDate", &part().replace('-', "."), text);
                    let time = part();
                    tag("UTCTime", time.split('.').next().unwrap_or_default(), text);
                }
                _ => match (field_names::tag(name), field_names::result(&said)) {
                    (Some("Result"), Some(result)) => tag("Result", result, text),
                    (Some("Result"), None) | (None, _) => tag(name, &said, text),
                    (Some(known), _) => tag(known, &said, text),
                },
            }
        }
        match seconds {
            [Some(initial), Some(increment)] => {
                tag("TimeControl", &format!("{initial}+{increment}"), text);
            }
            [Some(initial), None] => tag("TimeControl", &initial, text),
            _ => {}
        }
    }
}

/// Writes a tag pair; what is no name of a tag loses the signs that make it none.
fn tag(name: &str, value: &str, text: &mut String) {
    let is_of_name = |c: &char| c.is_alphanumeric() || matches!(c, '_' | '-');
    let name: String = name.chars().filter(is_of_name).collect();
    let mut escaped = String::with_capacity(value.len());
    for c in value.chars() {
        match c {
            '"' | '\\' => escaped.extend(['\\', c]),
            c if c.is_control() => escaped.push(' '),
            c => escaped.push(c),
        }
    }
    let _ = writeln!(text, "[{name} \"{escaped}\"]");
}

/// A line of a table with commas.
fn line<'c>(cells: impl Iterator<Item = &'c str>) -> String {
    let cells: Vec<String> = cells
        .map(|cell| {
            let cell = cell.replace(['\r', '\n'], " ");
            if cell.contains(['"', ',', ';', '|']) {
                format!("\"{}\"", cell.replace('"', "\"\""))
            } else {
                cell
            }
        })
        .collect();
    cells.join(",") + "\n"
}

/// A value as people write it: nothing for none, blanks between those of a list.
pub(super) fn shown(value: &Field) -> String {
    match value {
        Field::Null => String::new(),
        Field::Str(text) => text.clone(),
        Field::ListInternal(list) => {
            let values: Vec<String> = list.elements().iter().map(shown).collect();
            values.join(" ")
        }
        Field::Bytes(bytes) => match bytes.as_utf8() {
            Ok(text) => text.to_owned(),
            Err(_) => hexadecimal(bytes.data()),
        },
        value => value.to_string(),
    }
}

/// Bytes as digits.
pub(super) fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}
