//! Tables whose rows are games: one column has their moves or their PGN, the others what tag pairs say.

use std::borrow::Cow;

use super::{
    layout::{self, TableLayout},
    rows,
};
use crate::{
    base::{diagnostic::Code, field_names},
    formats::{
        PgnTranscript, StreamHints, epd,
        game_values::{KeyedGame, has_moves, is_game, tag_of},
        json_like::{FieldRecord, ObjectField, ObjectGame, is_of_moves},
    },
};

/// The columns of a table whose rows are games, if lines below the names of its columns are.
pub(super) fn layout(lines: &[&str]) -> Option<TableLayout> {
    let found = layout::DELIMITERS
        .iter()
        .filter_map(|&sign| with(lines, sign));
    found
        .max_by_key(|&(games, _)| games)
        .map(|(_, layout)| layout)
}

/// The columns between such signs, and how many games they have.
fn with(lines: &[&str], delimiter: char) -> Option<(usize, TableLayout)> {
    // Rows of Markdown have bars around them as well.
    let is_framed = lines.first()?.trim_start().starts_with('|');
    let frame = if is_framed { "|" } else { "" };
    let whole = TableLayout::of_games(delimiter, 0, frame);
    let all = lines.iter().map(|&line| (0, line.into()));
    let mut rows: Vec<(Cow<'_, str>, Vec<Cow<'_, str>>)> = Vec::new();
    for (_, line) in rows::joined(all, whole.quoting()).take(layout::ROWS_MAX + 1) {
        let cells = whole.cells(&line).into_iter();
        let cells = cells.map(|cell| cell.into_owned().into()).collect();
        rows.push((line, cells));
    }
    let has_game = |(_, cells): &(_, Vec<Cow<'_, str>>)| cells.iter().any(|cell| is_game(cell));
    let first = rows.iter().position(has_game)?;
    let width = rows[first].1.len();
    if first == 0 {
        let column = rows[0].1.iter().position(|cell| is_game(cell))?;
        return (!is_framed).then(|| unnamed(lines, delimiter, column, width))?;
    }
    // Above the names may stand a preface, and below them rows without moves.
    let is_header = |&at: &usize| {
        let (line, cells) = &rows[at];
        let named = cells.iter().filter(|name| layout::is_name(name)).count();
        // A column of numbers of rows often has no name.
        let empty = cells.iter().filter(|name| name.is_empty()).count();
        named >= 2 && named + empty == cells.len() && !layout::is_rule(line)
    };
    let known = |&at: &usize| {
        let cells = rows[at].1.iter();
        let is_known = |name: &&Cow<'_, str>| field_names::tag(name).is_some() || is_of_moves(name);
        (cells.filter(is_known).count(), rows[at].1.len() == width)
    };
    let header = (0..first).rev().filter(is_header).max_by_key(known)?;
    let width = rows[header].1.len();
    let mut counts = vec![0; width];
    let below = rows[header + 1..].iter();
    let below = below.filter(|(line, cells)| cells.len() == width && !layout::is_rule(line));
    let mut all = 0;
    for (_, cells) in below {
        all += 1;
        if let Some(at) = cells.iter().position(|cell| is_game(cell)) {
            counts[at] += 1;
        }
    }
    let most = *counts.iter().max()?;
    let column = counts.iter().position(|&count| count == most)?;
    let preface = rows[..header]
        .iter()
        .map(|(line, _)| line.clone().into_owned());
    let layout = || TableLayout::of_games(delimiter, column, &rows[header].0).below(preface);
    (most > 0 && most * 2 >= all).then(|| (most, layout()))
}

/// The columns of a table that begins with a row: all rows have as many cells, a game in one column,
/// and something that is none beside it.
fn unnamed(
    lines: &[&str],
    delimiter: char,
    column: usize,
    width: usize,
) -> Option<(usize, TableLayout)> {
    let layout = TableLayout::of_games(delimiter, column, "");
    let all = lines.iter().map(|&line| (0, line.into()));
    let rows: Vec<_> = rows::joined(all, layout.quoting())
        .take(layout::ROWS_MAX)
        .collect();
    let is_row = |(_, line): &(usize, Cow<'_, str>)| {
        let cells = layout.cells(line);
        let is_beside = |cell: &Cow<'_, str>| !cell.is_empty() && !has_moves(cell);
        cells.len() == width && is_game(&cells[column]) && cells.iter().any(is_beside)
    };
    let is_table = width > 1 && rows.len() > 1 && rows.iter().all(is_row);
    is_table.then_some((rows.len(), layout))
}

/// Whether a line is a row with a game in it, all on one line.
pub(super) fn is_in_row(line: &str) -> bool {
    if !rows::quotes(line).is_multiple_of(2) {
        return false;
    }
    let mut signs = layout::DELIMITERS
        .iter()
        .filter(|&&sign| line.contains(sign));
    signs.any(|&sign| {
        let mut rest = line;
        loop {
            let end = layout::cell_end(rest, sign);
            let cell = rest[..end].trim().trim_matches('"');
            if (end < rest.len() || rest.len() < line.len()) && is_game(cell) {
                return true;
            }
            if end == rest.len() {
                return false;
            }
            rest = &rest[end + 1..];
        }
    })
}

/// The cells of a row, if it has one for moves.
pub(super) fn row<'l>(layout: &TableLayout, line: &'l str) -> Option<Vec<Cow<'l, str>>> {
    let column = layout.games()?;
    let mut cells = layout.cells(line);
    // Tabs at the end of a line are blanks, and gone: empty cells.
    if layout.quoting() == Some('\t') && cells.len() > 1 {
        cells.resize(cells.len().max(column + 1), Cow::Borrowed(""));
    }
    (cells.len() > column).then_some(cells)
}

/// A row as a game with what its columns are called.
pub(super) fn listed(at: usize, line: &str, layout: &TableLayout) -> Option<FieldRecord> {
    let column = layout.games()?;
    let cells = row(layout, line)?.into_iter().enumerate();
    let values = cells
        .filter(|(_, cell)| !cell.is_empty())
        .map(|(place, cell)| {
            let name = if place == column {
                "moves"
            } else {
                layout.name(place)
            };
            ObjectField {
                key: Some(name.to_owned()).filter(|name| !name.is_empty()),
                text: cell.into_owned(),
                is_bare: false,
            }
        });
    Some(FieldRecord::Game(ObjectGame {
        at,
        values: values.collect(),
        positions: Vec::new(),
    }))
}

/// Writes a row as a game; moves that are none stay as text.
pub(super) fn record(
    at: usize,
    line: &str,
    layout: &TableLayout,
    hints: &StreamHints,
    out: &mut PgnTranscript,
) {
    let (Some(column), Some(cells)) = (layout.games(), row(layout, line)) else {
        out.reject(Code::NoPosition, at, epd::excerpt(line));
        return;
    };
    let names = cells.iter().enumerate();
    let others = names.filter(|(place, cell)| *place != column && !cell.is_empty());
    let values = others.map(|(place, cell)| {
        let is_result = layout.name(place).is_empty() && field_names::RESULTS.contains(&&cell[..]);
        let tag = tag_of(layout.name(place), place);
        (
            if is_result { "Result".to_owned() } else { tag },
            cell.to_string(),
        )
    });
    KeyedGame {
        at,
        moves: &cells[column],
        values: values.collect(),
        start: None,
    }
    .write(hints, out);
}

#[cfg(test)]
mod tests {
    use super::super::{Sample, explains, transcribe};
    use super::*;
    use crate::{formats::ChunkText, input::encoding::Charset};

    /// How much of a table is read, and what becomes of it.
    fn told(text: &str) -> (u32, String, u64) {
        let sample = Sample::of(text.as_bytes());
        let hints = StreamHints {
            table: TableLayout::of(&sample).map(Into::into),
            ..StreamHints::default()
        };
        let mut out = PgnTranscript::default();
        let chunk = ChunkText {
            bytes: text.as_bytes(),
            fallback: Charset::WINDOWS_1252,
        };
        transcribe(&chunk, &hints, &mut out);
        (explains(&sample), out.text().to_owned(), out.rejected())
    }

    #[test]
    fn rows_are_games() {
        let text = "id,rated,winner,white_id,white_rating,black_id,moves,opening_eco\n\
            a1,True,white,Ann,1500,Bob,d4 d5 c4 c6 cxd5,D10\n\
            a2,False,draw,\"Cy, \"\"C\"\"\",1400,Di,e4 e5 Nf3 Nc6,C44\n\
            a3,False,mate,Cy,1400,Di,,\n\
            cut\n";
        let (share, games, rejected) = told(text);
        assert!(share > 90, "{share}");
        assert_eq!(rejected, 1);
        let games: Vec<&str> = games.split_inclusive("\n\n").collect();
        assert_eq!(
            games[0],
            "[GameId \"a1\"]\n[rated \"True\"]\n[Result \"1-0\"]\n[White \"Ann\"]\n\
             [WhiteElo \"1500\"]\n[Black \"Bob\"]\n[ECO \"D10\"]\n\n"
        );
        assert_eq!(games[1], "d4 d5 c4 c6 cxd5\n1-0\n\n");
        assert!(
            games[2].contains("[White \"Cy, \\\"C\\\"\"]"),
            "{}",
            games[2]
        );
        assert_eq!(games[3], "e4 e5 Nf3 Nc6\n1/2-1/2\n\n");
        assert!(games[4].contains("[Termination \"mate\"]"), "{}", games[4]);
    }

    #[test]
    fn cells_are_pgn() {
        let text = "pgn;note\n\
            \"[White \"\"A\"\"]\n[Result \"\"0-1\"\"]\n\n1. e4 {[%clk 0:01:00]} e5 0-1\";x\n\
            \"['d4', 'd5', 'c4', 'e6']\";y\n";
        let (share, games, rejected) = told(text);
        assert_eq!((share, rejected), (100, 0));
        assert_eq!(
            games,
            "[White \"A\"]\n[Result \"0-1\"]\n[note \"x\"]\n\n1. e4 {[%clk 0:01:00]} e5\n0-1\n\n\
             [note \"y\"]\n\nd4 d5 c4 e6\n*\n\n"
        );
    }

    #[test]
    fn other_tables_have_no_games() {
        for text in [
            "square,piece\ne4,Nf3\nd4,Nc6\n",
            "name,text\na,the game went e4 e5 Nf3 Nc6\nb,c\nd,e\n",
            "1. e4 e5, 2. Nf3 Nc6\n3. Bb5 a6, 4. Ba4 Nf6\n",
        ] {
            assert_eq!(told(text).0, 0, "{text}");
        }
    }

    #[test]
    fn rows_begin_below_rows() {
        let text = "a,moves\n1,e4 e5 d4 d5\n2,\"e4 e5\nd4 d5 c4 c6\"\n3,e4 c5 d4 d5\n";
        let begins: Vec<&str> = text
            .match_indices('\n')
            .filter(|(at, _)| at + 1 < text.len() && rows::begins(text.as_bytes(), at + 1))
            .map(|(at, _)| &text[at + 1..at + 3])
            .collect();
        assert_eq!(begins, [] as [&str; 0]);
        let text = "a,moves\n1,e4 e5 d4 d5\n2,e4 e5 d4 d5\n";
        assert!(rows::begins(text.as_bytes(), text.find("2,").unwrap_or(0)));
    }
}
