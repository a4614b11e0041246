//! Which word of a text is wrong that is neither a position nor a query as it stands.

use std::ops::Range;

use super::error::CliError;
use super::plan_asked::{fits, fits_draughts, named_variants};
use super::plan_meant::{moves_in, with_named_moves};
use super::plan_query::typed_position;
use super::plan_said::misread_error;
use crate::games::AnyPosition;
use crate::games::variant::{self, Variant};
use crate::query::pattern::{self, BoardSpec, Expr, QueryError};
use crate::query::words::KEYWORDS;
use crate::query::{Filter, position};

/// Whether a text has words, names or brackets that only queries have.
pub(super) fn is_query_like(text: &str) -> bool {
    let words: Vec<String> = text.split_whitespace().map(str::to_lowercase).collect();
    let counts = |word: &String| {
        let behind = word.split_once('=').map(|(_, count)| count);
        word.contains("..")
            || behind.is_some_and(|count| count.starts_with(|c: char| c.is_ascii_digit()))
    };
    words.iter().any(|word| KEYWORDS.contains(&word.as_str()))
        || text.trim().starts_with(['(', '{', '!'])
        || has_named(text)
        || words.iter().any(counts)
        || text.split_whitespace().any(pattern::is_derived_word)
}

/// Whether a word of a text has a name that a query knows.
pub(super) fn has_named(text: &str) -> bool {
    names(text).next().is_some()
}

/// Whether a word of a text has a name that stands in no position: sides and what a board is called
/// may stand there.
pub(super) fn has_fact(text: &str) -> bool {
    const LABELS: [&str; 7] = [
        "black", "board", "fen", "moves", "position", "start", "white",
    ];
    names(text).any(|name| !LABELS.contains(&name))
}

/// The names of words in a text.
fn names(text: &str) -> impl Iterator<Item = &str> {
    text.split_whitespace().filter_map(name)
}

/// The name of a word.
fn name(word: &str) -> Option<&str> {
    let (name, _) = word.split_once(':')?;
    let is_name = name.len() > 1
        && name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '.');
    is_name.then_some(name)
}

/// What is wrong with a query even if moves in it are given their name; `None` if nothing is.
pub(super) fn another_word(text: &str, line: &str, filter: &Filter) -> Option<CliError> {
    let named = with_named_moves(text, line);
    let wrong = |misread: QueryError| {
        let span = place_in(text, &named, &misread.span)?;
        Some(misread_error(text, &QueryError { span, ..misread }))
    };
    let expr = match pattern::parser::parse(&named) {
        Err(misread) => return wrong(misread),
        Ok(expr) => expr,
    };
    let at = typed_position(line, filter, &mut Vec::new()).ok()?.at;
    if let Err(misread) = pattern::compile(&expr, &BoardSpec::of(&at)) {
        return wrong(misread);
    }
    let (mut expr, variants) = (expr, filter.variants());
    let wrong = position::each_condition(&mut expr, &mut |condition, span| {
        position::resolve(condition, &variants, &mut Vec::new()).map_err(|error| QueryError {
            message: error.message,
            hint: Some(error.hint.into_owned()),
            span: span.clone(),
        })
    });
    let misread = wrong.err()?;
    let span = place_in(text, &named, &misread.span)?;
    Some(misread_error(text, &QueryError { span, ..misread }))
}

/// Where a text has a word that stands somewhere in the same text with other words added.
fn place_in(text: &str, longer: &str, span: &Range<usize>) -> Option<Range<usize>> {
    let word = longer.get(span.clone())?;
    if word.is_empty() {
        let end = text.trim_end().len();
        return Some(end..end);
    }
    let begins = |text: &str, at: usize| {
        let before = text[..at].chars().next_back();
        before.is_none_or(|c| c.is_whitespace() || matches!(c, '(' | '{'))
    };
    let places = |text: &'_ str| -> Vec<usize> {
        let all = text.match_indices(word).map(|(at, _)| at);
        all.filter(|at| begins(text, *at)).collect()
    };
    let number = places(longer).iter().position(|at| *at == span.start)?;
    let at = *places(text).get(number)?;
    Some(at..at + word.len())
}

/// What is wrong with a query on the board of the first requested variant, else of chess.
fn misfit(expr: &Expr, filter: &Filter) -> Option<QueryError> {
    let named = named_variants(expr, filter);
    let mut rows = named.iter().filter_map(|&id| Variant::by_id(id));
    let start = rows.find_map(AnyPosition::start);
    let start = start.unwrap_or_else(AnyPosition::initial);
    pattern::compile(expr, &BoardSpec::of(&start)).err()
}

/// Whether a query makes sense on some board, where no variant is named.
fn fits_any(expr: &Expr, filter: &Filter) -> bool {
    let mut starts = variant::ALL.iter().filter_map(AnyPosition::start);
    filter.variants().is_empty()
        && starts.any(|start| pattern::compile(expr, &BoardSpec::of(&start)).is_ok())
}

/// Whether words are nothing but pieces on squares: the first is no move, and one of them is a letter
/// alone, has a pawn's letter, a list or a count.
pub(super) fn has_pieces(text: &str, filter: &Filter) -> bool {
    let mut words = text.split_whitespace();
    let is_move = |word: &str| typed_position(word, filter, &mut Vec::new()).is_ok();
    let begins = words.clone().next().is_some_and(is_move);
    let is_men = |word: &str| {
        let is_letter = word.len() == 1 && word.starts_with(|c: char| c.is_ascii_alphabetic());
        is_letter || word.starts_with('P') || word.contains([',', '='])
    };
    !begins && words.any(is_men)
}

/// What is wrong with pieces on squares of a requested board, or that they would be no moves
/// either: as moves they would only be none.
pub(super) fn off_board(text: &str, expr: &Expr, filter: &Filter) -> Option<CliError> {
    let is_one = matches!(named_variants(expr, filter)[..], [_]);
    let misread = misfit(expr, filter)?;
    let has_piece = text.trim_start().starts_with(char::is_alphabetic);
    let is_told = is_one && has_piece && misread.is_off_board();
    (is_told || has_pieces(text, filter) && !fits_any(expr, filter))
        .then(|| misread_error(text, &misread))
}

/// What is said of a query where a position is wanted; `None` if a text is none.
pub(super) fn instead_of_position(text: &str, filter: &Filter) -> Option<CliError> {
    if !is_query_like(text) {
        return None;
    }
    let wrong = |misread: &QueryError| {
        let line = moves_in(text, filter);
        let other = line.and_then(|line| another_word(text, &line, filter));
        Some(other.unwrap_or_else(|| misread_error(text, misread)))
    };
    let expr = match pattern::parser::parse(text) {
        Err(misread) => return wrong(&misread),
        Ok(expr) => expr,
    };
    let is_asked = fits(&expr, filter) || fits_draughts(&expr, filter) || fits_any(&expr, filter);
    if !is_asked && let Some(misread) = misfit(&expr, filter) {
        return wrong(&misread);
    }
    let text = text.trim();
    let error = CliError::new(format!("`{text}` is a query, not a position"));
    Some(error.hint(format!(
        "a tree needs a position; conditions come after it: startpos --where '{text}'"
    )))
}
