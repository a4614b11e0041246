//! Answers as comma-separated values; columns as the JSON fields.

use std::borrow::Cow;
use std::cell::RefCell;
use std::io::{self, Write};
use std::rc::Rc;

use crate::database::{Hit, Tree, TreeMove};

/// Text as spreadsheets show it: what they would take for a formula begins with an
/// apostrophe, which they hide.
pub fn safe(text: &str) -> Cow<'_, str> {
    if text.starts_with(['=', '+', '-', '@', '\t', '\r']) {
        format!("'{text}").into()
    } else {
        text.into()
    }
}

fn text<T: ToString>(value: Option<T>) -> Cow<'static, str> {
    value
        .map_or_else(String::new, |value| value.to_string())
        .into()
}

/// Writes a line.
pub fn line(out: &mut dyn Write, values: &[impl AsRef<str>]) -> Result<(), csv::Error> {
    let mut line = LineWriter::default();
    for value in values {
        line.field(value.as_ref())?;
    }
    line.end(out)
}

/// Writes lines field by field.
pub struct LineWriter {
    csv: csv::Writer<LineBuffer>,
    line: LineBuffer,
}

/// The current line: the csv crate would flush a writer of its own after each.
#[derive(Default, Clone)]
struct LineBuffer(Rc<RefCell<Vec<u8>>>);

impl Write for LineBuffer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Default for LineWriter {
    fn default() -> Self {
        let line = LineBuffer::default();
        let mut csv = csv::WriterBuilder::new();
        let csv = csv.buffer_capacity(1 << 10).from_writer(line.clone());
        Self { csv, line }
    }
}

impl LineWriter {
    /// Adds a field.
    pub fn field(&mut self, text: &str) -> Result<(), csv::Error> {
        self.csv.write_field(text)
    }

    /// Ends the line.
    pub fn end(&mut self, out: &mut dyn Write) -> Result<(), csv::Error> {
        self.csv.write_record(None::<&[u8]>)?;
        self.csv.flush()?;
        let mut line = self.line.0.borrow_mut();
        out.write_all(&line)?;
        line.clear();
        Ok(())
    }
}

/// A column: its name, and its text in a row.
pub type CsvColumn<T> = (&'static str, fn(&T) -> Cow<'_, str>);

/// The columns of games.
const HIT_COLUMNS: [CsvColumn<Hit>; 28] = [
    ("id", |hit| hit.header.id.to_string().into()),
    ("white", |hit| safe(&hit.header.white)),
    ("black", |hit| safe(&hit.header.black)),
    ("white_elo", |hit| text(hit.header.white_elo)),
    ("black_elo", |hit| text(hit.header.black_elo)),
    ("event", |hit| safe(&hit.header.event)),
    ("site", |hit| safe(&hit.header.site)),
    ("date", |hit| safe(&hit.header.date)),
    ("round", |hit| safe(&hit.header.round)),
    ("result", |hit| safe(&hit.header.result)),
    ("eco", |hit| safe(&hit.header.eco)),
    ("variant", |hit| safe(&hit.header.variant)),
    ("plies", |hit| hit.header.plies.to_string().into()),
    ("start_fen", |hit| {
        safe(hit.header.start_fen.as_deref().unwrap_or_default())
    }),
    ("ply", |hit| text(hit.ply)),
    ("next_move", |hit| {
        safe(hit.next_move.as_deref().unwrap_or_default())
    }),
    ("in_variation", |hit| hit.in_variation.to_string().into()),
    ("variation", |hit| {
        hit.variation.as_deref().unwrap_or_default().into()
    }),
    ("authors", |hit| {
        let problem = hit.header.problem.as_ref();
        let authors = problem.map(|problem| problem.authors.join(" & "));
        safe(&authors.unwrap_or_default()).into_owned().into()
    }),
    ("stipulation", |hit| {
        let problem = hit.header.problem.as_ref();
        safe(problem.map_or("", |problem| &problem.stipulation))
    }),
    ("result_written", |hit| safe(&hit.header.result_written)),
    ("opening_eco", |hit| {
        let opening = hit.header.opening.as_ref();
        safe(opening.map_or("", |opening| &opening.eco))
    }),
    ("opening_name", |hit| {
        let opening = hit.header.opening.as_ref();
        safe(opening.map_or("", |opening| &opening.name))
    }),
    ("similarity", |hit| text(hit.similarity)),
    ("variant_by", |hit| {
        safe(hit.header.variant_by.as_deref().unwrap_or_default())
    }),
    ("place", |hit| {
        safe(hit.place.as_deref().unwrap_or_default())
    }),
    ("plies_found", |hit| {
        let plies: Vec<String> = hit.plies_found.iter().map(u32::to_string).collect();
        plies.join(" ").into()
    }),
    ("symmetry", |hit| hit.symmetry.name().into()),
];

/// The names of the columns of games.
pub fn hit_names(out: &mut dyn Write) -> Result<(), csv::Error> {
    line(out, &HIT_COLUMNS.map(|(name, _)| name))
}

/// The line of a game found.
pub fn hit(out: &mut dyn Write, hit: &Hit) -> Result<(), csv::Error> {
    line(out, &HIT_COLUMNS.map(|(_, of)| of(hit)))
}

/// The columns of moves.
const TREE_COLUMNS: [CsvColumn<TreeMove>; 16] = [
    ("san", |line| safe(&line.san)),
    ("uci", |line| safe(&line.uci)),
    ("games", |line| line.score.games.to_string().into()),
    ("white_wins", |line| {
        line.score.white_wins.to_string().into()
    }),
    ("draws", |line| line.score.draws.to_string().into()),
    ("black_wins", |line| {
        line.score.black_wins.to_string().into()
    }),
    ("no_result", |line| line.score.no_result.to_string().into()),
    ("score", |line| text(line.score.score)),
    ("average_rating", |line| text(line.score.average_rating)),
    ("performance", |line| text(line.score.performance)),
    ("first_year", |line| text(line.score.first_year)),
    ("last_year", |line| text(line.score.last_year)),
    ("opening_eco", |line| {
        let opening = line.opening.as_ref();
        safe(opening.map_or("", |opening| &opening.eco))
    }),
    ("opening_name", |line| {
        let opening = line.opening.as_ref();
        safe(opening.map_or("", |opening| &opening.name))
    }),
    ("average_opponent_rating", |line| {
        text(line.score.average_opponent_rating)
    }),
    ("game", |line| text(line.game.as_ref().map(|game| game.id))),
];

/// One line for each move, then `(game ends)` and `(total)` without UCI.
pub fn tree(out: &mut dyn Write, tree: &Tree, is_of_player: bool) -> Result<(), csv::Error> {
    let name = |name| super::tree::name_of_count(name, is_of_player);
    let mut names = TREE_COLUMNS.map(|(column, _)| name(column)).to_vec();
    names.push("line");
    line(out, &names)?;
    let mut rows: Vec<(String, &TreeMove)> = Vec::new();
    tree.each(&mut |way, tree| rows.extend(tree.moves.iter().map(|row| (way.to_owned(), row))));
    let rest = [("(game ends)", &tree.ends_here), ("(total)", &tree.total)];
    let rest = rest.map(|(name, score)| TreeMove {
        opening: None,
        san: name.to_owned(),
        uci: String::new(),
        score: score.clone(),
        game: None,
        after: None,
    });
    rows.extend(rest.iter().map(|row| (String::new(), row)));
    for (way, row) in rows {
        let mut cells = TREE_COLUMNS.map(|(_, of)| of(row)).to_vec();
        cells.push(safe(&way));
        line(out, &cells)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::record::GameHeader;

    #[test]
    fn no_text_is_a_formula() {
        for text in ["=1+1", "+49", "-", "@SUM(A1)", "\t=1", "\r=1"] {
            assert_eq!(safe(text), format!("'{text}"));
        }
        for text in ["", "Réti", "1-0", "?", "'=1", " =1"] {
            assert_eq!(safe(text), text);
        }
    }

    #[test]
    fn values_are_quoted_where_they_must_be() {
        let header = GameHeader {
            id: 3,
            white: "Réti, \"R\"".into(),
            ..GameHeader::default()
        };
        let found = Hit {
            place: None,
            header,
            ply: Some(4),
            next_move: None,
            plies_found: Vec::new(),
            similarity: None,
            in_variation: false,
            variation: None,
            symmetry: crate::games::symmetry::Symmetry::None,
            moved: crate::games::symmetry::BoardShift::NOT,
        };
        let mut out = Vec::new();
        hit_names(&mut out).expect("writes");
        hit(&mut out, &found).expect("writes");
        insta::assert_snapshot!(String::from_utf8_lossy(&out), @r#"
        id,white,black,white_elo,black_elo,event,site,date,round,result,eco,variant,plies,start_fen,ply,next_move,in_variation,variation,authors,stipulation,result_written,opening_eco,opening_name,similarity,variant_by,place,plies_found,symmetry
        3,"Réti, ""R""",,,,,,,,,,,0,,4,,false,,,,,,,,,,,
        "#);
    }
}
