//! What is said of a query: where it is wrong, what it was read as, which games were searched.

use crate::cli::error::CliError;
use crate::cli::render::number;
use crate::database::{BoundQuery, OtherVariantGames};
use crate::games::variant::Variant;
use crate::query::interpret;
use crate::query::pattern::QueryError;

/// Variants that a note names.
const NAMES_SHOWN: usize = 4;

/// Characters of a query that are shown before a place in it, and from there on.
const SHOWN: [usize; 2] = [80, 120];

/// What is shown of a query around a place: the text, the characters before the place, and
/// those that are marked.
fn around(text: &str, span: &std::ops::Range<usize>) -> (String, usize, usize) {
    let before = text.get(..span.start).unwrap_or(text);
    let marked = text.get(span.clone()).unwrap_or_default();
    let (before, marked) = (before.chars().count(), marked.chars().count());
    let left_out = before.saturating_sub(SHOWN[0]);
    let mut shown: String = if left_out > 0 { "…" } else { "" }.into();
    let mut rest = text.chars().skip(left_out);
    shown.extend(rest.by_ref().take(before - left_out + SHOWN[1]));
    if rest.next().is_some() {
        shown.push('…');
    }
    let before = before - left_out + usize::from(left_out > 0);
    (shown, before, marked.min(SHOWN[1]))
}

/// An error with its place in the query.
pub(crate) fn misread_error(text: &str, error: &QueryError) -> CliError {
    let error = match &error.text {
        Some(_) => error.clone(),
        None => interpret::in_text(text, error.clone()),
    };
    let (span, message) = (error.span, error.message);
    let shown = error.text.as_deref().unwrap_or(text);
    let own = if span.start == 0 && span.end == 0 || shown.is_empty() {
        CliError::new(message)
    } else {
        let (shown, before, marked) = around(shown, &span);
        CliError::new(format!(
            "{message}\n  {shown}\n  {}{}",
            " ".repeat(before),
            "^".repeat(marked.max(1)),
        ))
    };
    match error.hint {
        Some(hint) => own.hint(hint),
        None => own,
    }
}

/// What else is to be said of a search in some games only.
pub(crate) fn others(prepared: &BoundQuery) -> Option<String> {
    let names = |rows: &[&Variant]| listed(rows.iter().map(|row| row.name));
    if prepared.others.is_empty() {
        return None;
    }
    Some(format!(
        "only games of {} were searched; for others add variant:NAME ({})",
        names(&prepared.asked),
        names(&prepared.others)
    ))
}

/// What is said of words that are moves of a game that a database does not have: they are searched
/// for as pieces on squares, if they can be these, or nothing can be found.
pub(crate) fn foreign(text: Option<&str>, row: &Variant) -> String {
    let title = row.title;
    match text {
        Some(text) => format!(
            "`{text}` is read as pieces on squares, for no game of {title} is stored, in which it is a move"
        ),
        None => format!("this is read as a position of {title}, and no game of it is stored"),
    }
}

/// What is said where a database has no games by the rules of a position, but others.
pub(crate) fn instead(own: &Variant, rows: &[&Variant]) -> String {
    let titles = listed(rows.iter().map(|row| row.title));
    format!("no game of {} is stored: searched in {titles}", own.title)
}

/// What is said of games that hold an exact position by other rules.
pub(crate) fn elsewhere(found: &[OtherVariantGames]) -> Option<String> {
    let games: u64 = found.iter().map(|found| found.games).sum();
    let titles = found.iter().map(|found| {
        let row = Variant::by_name(found.variant);
        row.map_or(found.variant, |row| row.title)
    });
    (games > 0).then(|| {
        let (games, titles) = (number::count(games), listed(titles));
        format!("{games} more in {titles}: --any-variant")
    })
}

/// The first names of a list, and how many more there are.
fn listed<'n>(names: impl Iterator<Item = &'n str>) -> String {
    let names: Vec<&str> = names.collect();
    let shown = names[..NAMES_SHOWN.min(names.len())].join(", ");
    match names.len().saturating_sub(NAMES_SHOWN) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}
