//! What a text was probably meant as that is neither a position nor a query: a misspelt word, moves
//! with commas, the name of a file, the number of a game.

use std::path::Path;

use super::{
    advice::{condition_in_shell, in_shell},
    board_fit::is_query,
    typed_position,
};
use crate::games::opening_names;
use crate::query::{pattern::QueryError, suggest, words::KEYWORDS};

/// The error with a better hint, if the text looks like a mistake that is known.
pub(super) fn advise(error: QueryError, text: &str) -> QueryError {
    let text = text.trim();
    let own = error.hint.as_deref().unwrap_or_default();
    if own.starts_with("filters are written") {
        return error;
    }
    if let Some(number) = number(text) {
        return QueryError::new(format!("`{text}` is neither a position nor a query"), 0..0).hint(format!(
            "games:{number} stands for game {number} in a query; `plydex show {number}` shows it"
        ));
    }
    if let Some(hint) = hint(text) {
        return error.hint(hint);
    }
    match misspelt(text) {
        // A name may be meant as well.
        Some(word) if own.starts_with("a name is") => {
            let own = own.replacen('a', "A", 1);
            error.hint(format!("did you mean `{word}`? {own}"))
        }
        Some(word) => error.hint(format!("did you mean `{word}`?")),
        None => error,
    }
}

/// Whether a text that has letters only is something other than names: a file, or pieces.
pub(super) fn is_known(text: &str) -> bool {
    text.split_whitespace().any(is_file) || material(text).is_some()
}

/// What is wrong with moves that have commas between them; `None` if a text makes sense otherwise:
/// `Nc3,f3` is a piece on one of two squares.
pub(super) fn moves_with_commas(text: &str, variants: &[u8]) -> Option<QueryError> {
    if !text.contains(',') || is_query(text, variants) {
        return None;
    }
    let parts = text.split([',', ' ']).filter(|part| !part.is_empty());
    let spaced = parts.collect::<Vec<_>>().join(" ");
    let typed = typed_position(&spaced, variants).ok()?;
    (!typed.moves.is_empty()).then(|| {
        let error = format!("`{}` is not a position: moves have no commas", text.trim());
        QueryError::new(error, 0..0).hint(format!("separate moves by blanks: {spaced}"))
    })
}

fn hint(text: &str) -> Option<String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    if let Some(file) = words.iter().find(|word| is_file(word)) {
        return Some(format!(
            "`{file}` looks like a file: `plydex import {file}` reads its games, `export -o {file}` writes it"
        ));
    }
    if text.matches(')').count() > text.matches('(').count() {
        return Some("`)` closes a bracket that was not opened: remove it".to_owned());
    }
    if let Some(material) = material(text) {
        return Some(format!(
            "material:{material} finds games with exactly these pieces on the board"
        ));
    }
    if let ["mate", "in", moves] = words[..]
        && moves.parse::<u32>().is_ok()
    {
        return Some(format!(
            "stipulation:#{moves} finds problems with that task, `mate` games that end so"
        ));
    }
    if let [san] = words[..]
        && is_piece_move(san)
    {
        return Some(format!(
            "{} finds games in which the move is played at any time",
            in_shell(&format!("move:{san}"))
        ));
    }
    let is_name = text.chars().all(|c| c.is_alphabetic() || " '-".contains(c));
    if is_name
        && misspelt(text).is_none()
        && let Some(opening) = opening_names::nearest(text)
        && !opening.eq_ignore_ascii_case(text)
    {
        return Some(format!(
            "did you mean {}? A player is written {}",
            condition_in_shell("opening", &opening),
            condition_in_shell("player", text),
        ));
    }
    None
}

/// The number of a game.
fn number(text: &str) -> Option<u64> {
    let number = text.trim_start_matches('#').parse().ok();
    number.filter(|number| *number > 0)
}

/// The word of a query that a word of a text is nearly.
fn misspelt(text: &str) -> Option<&'static str> {
    let words = text.split_whitespace();
    let words = words.map(|word| word.trim_matches(['(', ')', '{', '}']));
    let is_plain = |word: &&str| word.len() > 2 && word.chars().all(char::is_alphabetic);
    let mut words = words.filter(|word| is_plain(word) && !KEYWORDS.contains(word));
    words.find_map(|word| suggest::nearest(word, KEYWORDS))
}

/// Whether a word is the name of a file of games.
fn is_file(word: &str) -> bool {
    const ENDINGS: [&str; 14] = [
        "pgn", "pdn", "epd", "fen", "json", "ndjson", "csv", "tsv", "txt", "zip", "gz", "zst",
        "bz2", "db",
    ];
    let ending = Path::new(word)
        .extension()
        .and_then(|ending| ending.to_str());
    ending.is_some_and(|ending| ENDINGS.contains(&ending.to_ascii_lowercase().as_str()))
}

/// Whether a word is a move of a piece of chess in SAN that can be played later in a game.
fn is_piece_move(word: &str) -> bool {
    let bare = word.trim_end_matches(['+', '#', '!', '?']);
    let mut letters = bare.chars();
    let is_piece = letters.next().is_some_and(|c| "KQRBN".contains(c));
    let square = bare.as_bytes().last_chunk::<2>();
    is_piece
        && square
            .is_some_and(|[file, rank]| matches!(file, b'a'..=b'h') && matches!(rank, b'1'..=b'8'))
        && bare.len() <= 6
        && bare[1..]
            .chars()
            .all(|c| c == 'x' || ('a'..='h').contains(&c) || c.is_ascii_digit())
}

/// The pieces of both sides as the condition `material` has them, if a text is nothing else:
/// `K+R v K`, `KR-K`, `KRK`.
fn material(text: &str) -> Option<String> {
    let text = text.replace(" vs. ", "v").replace(" vs ", "v");
    let is_part = |c: char| "KQRBNPv-+ ".contains(c);
    let pieces: String = text.chars().filter(|c| !" +v-".contains(*c)).collect();
    if !text.chars().all(is_part) || !pieces.starts_with('K') || pieces.len() < 3 {
        return None;
    }
    let second = pieces[1..].find('K')? + 1;
    let (own, other) = pieces.split_at(second);
    (!other[1..].contains('K')).then(|| format!("{own}v{other}"))
}
