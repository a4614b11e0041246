//! Games whose moves and tag pairs stand in cells or between brackets, each with a name: a row of a
//! table, an object of JSON.

use std::borrow::Cow;

use super::{PgnTranscript, StreamHints, games, text};
use crate::{
    base::field_names,
    games::{guess::INFERRED, variant::VariantDetection},
    pgn::parser::{Parser, RawGame, detect_syntax},
};

/// Plies of a cell that is a game beyond doubt.
const PLIES_MIN: usize = 4;

/// A game as its moves, or its PGN, with values that have names.
pub(super) struct KeyedGame<'g> {
    /// Offset of the record in the source.
    pub(super) at: usize,
    /// Its moves, perhaps with tag pairs before them, which count for more than the values.
    pub(super) moves: &'g str,
    /// Names of tags and their values, in order.
    pub(super) values: Vec<(String, String)>,
    /// The FEN that it is played from, where that is known.
    pub(super) start: Option<String>,
}

/// Whether a cell is a game beyond doubt.
pub(super) fn is_game(cell: &str) -> bool {
    let (tags, moves) = pgn_of(cell);
    // Another game may begin after it.
    let moves = plain(moves.split("\n[").next().unwrap_or(moves));
    // The last move may be cut.
    let whole = || moves.trim().rsplit_once(char::is_whitespace);
    let plies = match games::moves_in(&moves) {
        0 => whole().map_or(0, |(whole, _)| games::moves_in(whole)),
        plies => plies,
    };
    plies >= PLIES_MIN || !tags.is_empty() && plies > 0
}

/// Whether a cell has nothing but moves in it.
pub(super) fn has_moves(cell: &str) -> bool {
    games::moves_in(cell) > 0
}

/// The games of a cell, each with its tag pairs.
fn games_of(cell: &str) -> Vec<&str> {
    let (_, moves) = pgn_of(cell);
    if let Cow::Owned(_) = plain(moves) {
        // A list of moves.
        return vec![cell];
    }
    let bytes = cell.as_bytes();
    let mut parser = Parser::with_hint(bytes, detect_syntax(bytes));
    let (mut game, mut ends) = (RawGame::default(), Vec::new());
    while parser.next_game(&mut game) {
        ends.push(game.span.0 as usize);
    }
    ends.push(cell.len());
    // What stands before the first belongs to it.
    ends.remove(0);
    let mut from = 0;
    let games = ends.into_iter().map(|end| {
        let game = cell.get(from..end);
        from = end;
        game
    });
    let games: Option<Vec<&str>> = games.collect();
    games.filter(|games| games.len() > 1).unwrap_or(vec![cell])
}

impl KeyedGame<'_> {
    /// Writes it as a game, or as several if its text has more; what is said beside it is said of
    /// the first. Moves that are none stay as text.
    pub(super) fn write(self, hints: &StreamHints, out: &mut PgnTranscript) {
        let (at, games) = (self.at, games_of(self.moves));
        let first = Self {
            moves: games[0],
            ..self
        };
        first.write_one(hints, out);
        for moves in &games[1..] {
            let further = KeyedGame {
                at,
                moves,
                values: Vec::new(),
                start: None,
            };
            further.write_one(hints, out);
        }
    }

    fn write_one(self, hints: &StreamHints, out: &mut PgnTranscript) {
        out.begin(self.at);
        let (mut tags, moves) = pgn_of(self.moves);
        let (moves, own_result) = without_result(moves);
        for (tag, mut value) in self.values {
            if tags.iter().any(|(own, _)| own.eq_ignore_ascii_case(&tag)) {
                continue;
            }
            if tag == "Result" {
                let Some(result) = field_names::result(&value) else {
                    // Who has won, another value says better.
                    tags.push(("Termination".to_owned(), value));
                    continue;
                };
                result.clone_into(&mut value);
            }
            tags.push((tag, value));
        }
        let said = |name: &str| tags.iter().find(|(tag, _)| tag.eq_ignore_ascii_case(name));
        let result =
            own_result.or_else(|| said("Result").and_then(|(_, value)| field_names::result(value)));
        if let Some(result) = result {
            out.result(result);
        }
        // What the user said is not repeated, and a file named after draughts may be of any kind.
        let variant = (hints.variant).filter(|variant| {
            !hints.is_forced && variant.tier() != Some(VariantDetection::Guessed)
        });
        if let Some(variant) = variant.filter(|_| said("Variant").is_none()) {
            out.variant(variant.title, Some(INFERRED.into()));
        }
        if let Some(start) = self.start.filter(|_| said("FEN").is_none()) {
            out.tag("FEN", &start);
            out.tag("SetUp", "1");
        }
        for (name, value) in &tags {
            out.tag(name, value);
        }
        let moves = plain(moves);
        if !moves.trim().is_empty() {
            out.movetext(&tags_as_comments(moves.trim()));
        }
    }
}

/// Movetext with comments in place of lines that look like tag pairs: another game would begin with
/// them.
fn tags_as_comments(moves: &str) -> String {
    let mut out = String::with_capacity(moves.len());
    let mut in_comment = false;
    for line in moves.split_inclusive(['\n', '\r']) {
        let was_in_comment = in_comment;
        let bare = games::without_comments(line.as_bytes(), &mut in_comment);
        let mut brackets = memchr::memchr_iter(b'[', &bare);
        if !was_in_comment && brackets.any(|at| text::is_tag(&bare[at..])) {
            out.push(';');
        }
        out.push_str(line);
    }
    out
}

/// The tag pairs that a cell begins with, and what stands after them.
fn pgn_of(cell: &str) -> (Vec<(String, String)>, &str) {
    let mut tags = Vec::new();
    let mut rest = cell.trim();
    while let Some((pair, behind)) = rest.strip_prefix('[').and_then(|inner| {
        let (name, value) = inner.split_once('"')?;
        let name = name.trim();
        let is_name =
            !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
        let mut end = 0;
        loop {
            end += value[end..].find('"')?;
            if !value[..end].ends_with('\\') {
                break;
            }
            end += 1;
        }
        let behind = value[end + 1..].trim_start().strip_prefix(']')?;
        let value = value[..end].replace("\\\"", "\"").replace("\\\\", "\\");
        is_name.then(|| ((name.to_owned(), value), behind))
    }) {
        tags.push(pair);
        rest = behind.trim_start();
    }
    (tags, rest)
}

/// Moves without what lists have between them; a comment up to the end of its line has no place in a
/// cell.
fn plain(moves: &str) -> Cow<'_, str> {
    let is_list = |inner: &str| !inner.starts_with(char::is_alphabetic) || inner.contains(',');
    let listed = moves.strip_prefix('[').filter(|inner| is_list(inner));
    let separated = moves.contains([',', ';', '|']) && !moves.contains('{');
    if listed.is_some() || separated && games::moves_in(&moves.replace('|', " ")) > 0 {
        let words = moves.split(|c: char| c.is_whitespace() || "[]'\",;|".contains(c));
        let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
        words.join(" ").into()
    } else {
        moves.into()
    }
}

/// Moves without the result after them, and that.
fn without_result(moves: &str) -> (&str, Option<&'static str>) {
    let moves = moves.trim();
    let (before, last) = moves
        .rsplit_once(char::is_whitespace)
        .unwrap_or(("", moves));
    match field_names::RESULTS.iter().find(|&&result| result == last) {
        Some(result) => (before, Some(*result)),
        None => (moves, None),
    }
}

/// The tag that a column is.
pub(super) fn tag_of(name: &str, column: usize) -> String {
    if let Some(tag) = field_names::tag(name) {
        return tag.to_owned();
    }
    let letters = name
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' });
    let tag: String = letters.collect();
    match tag.chars().next() {
        Some(first) if first.is_ascii_alphabetic() => tag,
        _ => format!("column_{}_{tag}", column + 1)
            .trim_end_matches('_')
            .to_owned(),
    }
}
