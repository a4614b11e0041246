//! On which boards a query makes sense, and what is wrong with it on the others.

use super::{
    Interpreter, bare_moves, conditions::required_conditions, in_text, signs, typed_position,
};
use crate::games::AnyPosition;
use crate::games::variant::{self, Variant, VariantDetection};
use crate::query::GameCondition;
use crate::query::pattern::{self, BoardSpec, Expr, QueryError, parser};

/// Whether a text makes sense as a query.
pub(super) fn is_query(text: &str, variants: &[u8]) -> bool {
    parser::parse(text).is_ok_and(|expr| fits(&expr, variants))
}

/// The variants that a query or a filter names.
pub(super) fn named_variants(expr: &Expr, variants: &[u8]) -> Vec<u8> {
    let mut named = variants.to_vec();
    for condition in required_conditions(expr) {
        if let GameCondition::Variant(ids) = condition {
            named.extend(ids);
        }
    }
    named
}

/// Whether a query makes sense on a board of the variants that are named; of chess, if none is.
pub(super) fn fits(expr: &Expr, variants: &[u8]) -> bool {
    let named = named_variants(expr, variants);
    if named.is_empty() {
        return is_about(expr, [AnyPosition::initial()]);
    }
    let rows = named.iter().filter_map(|&id| Variant::by_id(id));
    is_about(expr, rows.filter_map(AnyPosition::start))
}

/// Whether a query makes sense in draughts of some kind, where no variant is named.
pub(super) fn fits_draughts(expr: &Expr, variants: &[u8]) -> bool {
    let rows = variant::ALL
        .iter()
        .filter(|row| row.tier() == Some(VariantDetection::Guessed));
    variants.is_empty() && is_about(expr, rows.filter_map(AnyPosition::start))
}

/// Whether a query makes sense on one of some boards.
fn is_about(expr: &Expr, starts: impl IntoIterator<Item = AnyPosition>) -> bool {
    let mut starts = starts.into_iter();
    starts.any(|start| pattern::compile(expr, &BoardSpec::of(&start)).is_ok())
}

/// What is wrong with a query on the board of the first requested variant, else of chess.
fn misfit(expr: &Expr, variants: &[u8]) -> Option<QueryError> {
    let named = named_variants(expr, variants);
    let mut rows = named.iter().filter_map(|&id| Variant::by_id(id));
    let start = rows.find_map(AnyPosition::start);
    let start = start.unwrap_or_else(AnyPosition::initial);
    pattern::compile(expr, &BoardSpec::of(&start)).err()
}

/// Whether a query makes sense on some board, where no variant is named.
fn fits_any(expr: &Expr, variants: &[u8]) -> bool {
    let mut starts = variant::ALL.iter().filter_map(AnyPosition::start);
    variants.is_empty()
        && starts.any(|start| pattern::compile(expr, &BoardSpec::of(&start)).is_ok())
}

/// Whether words are nothing but pieces on squares: the first is no move, and one of them is a letter
/// alone, has a pawn's letter, a list or a count.
pub(super) fn has_pieces(text: &str, variants: &[u8]) -> bool {
    let mut words = text.split_whitespace();
    let is_move = |word: &str| typed_position(word, variants).is_ok();
    let begins = words.clone().next().is_some_and(is_move);
    let is_men = |word: &str| {
        let is_letter = word.len() == 1 && word.starts_with(|c: char| c.is_ascii_alphabetic());
        is_letter || word.starts_with('P') || word.contains([',', '='])
    };
    !begins && words.any(is_men)
}

/// What is wrong with pieces on squares of a requested board, or that they would be no moves
/// either: as moves they would only be none.
pub(super) fn off_board(text: &str, expr: &Expr, variants: &[u8]) -> Option<QueryError> {
    let is_one = matches!(named_variants(expr, variants)[..], [_]);
    let misread = misfit(expr, variants)?;
    let has_piece = text.trim_start().starts_with(char::is_alphabetic);
    let is_told = is_one && has_piece && misread.is_off_board();
    (is_told || has_pieces(text, variants) && !fits_any(expr, variants))
        .then(|| in_text(text, misread))
}

impl Interpreter<'_> {
    /// The error of a text where a position is wanted: of a query, that it is one.
    pub(super) fn no_position_but_query(&self, text: &str, error: QueryError) -> QueryError {
        if let Some(error) = self.instead_of_position(text) {
            error
        } else if is_query(text, &self.variants) {
            error.hint(place_of_query(text))
        } else {
            error
        }
    }

    fn instead_of_position(&self, text: &str) -> Option<QueryError> {
        if !signs::is_query_like(text) {
            return None;
        }
        let variants = &self.variants[..];
        let wrong = |error: QueryError| {
            let line = bare_moves::find(text, variants);
            let other = line.and_then(|line| self.another_word(text, &line));
            Some(other.unwrap_or_else(|| in_text(text, error)))
        };
        let expr = match self.parse(text) {
            Err(error) => return wrong(error),
            Ok(expr) => expr,
        };
        let is_asked = self.fits_some(&expr) || fits_any(&expr, variants);
        if !is_asked && let Some(error) = misfit(&expr, variants) {
            return wrong(error);
        }
        let text = text.trim();
        let error = format!("`{text}` is a query, not a position");
        Some(QueryError::new(error, 0..0).hint(place_of_query(text)))
    }
}

/// Where a query stands if a position is wanted.
fn place_of_query(text: &str) -> String {
    format!("a tree needs a position; conditions come after it: startpos --where '{text}'")
}
