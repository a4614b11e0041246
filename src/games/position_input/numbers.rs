//! Numbers among moves that were typed: most are those of the moves, and some are meant as a part
//! of a query.

use std::ops::Range;

use super::{PositionError, TypedPosition, Warning};
use crate::{
    games::{AnyPosition, variant::VariantDetection},
    pgn::parser::{ItemKind, RawGame, RawItem},
};

/// No game has as many moves as the number of the first year with games.
const MOVES_MAX: u32 = 1000;
/// Years that games are from.
const YEARS: Range<u32> = 1400..2200;
/// Ratings that cannot be taken for a year.
const RATINGS: Range<u32> = 2200..4000;

/// A number that stands among moves and is not that of one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StrayNumber {
    /// As it is written, without the dots after it.
    text: String,
    /// Numbers are copied with moves from somewhere; this one is meant to ask something.
    is_meant: bool,
}

/// A number as it stands in a line.
struct NumberInLine<'t> {
    text: &'t str,
    value: u32,
    /// Whether nothing says that it is the number of a move: no dot, nor what some write for it.
    is_bare: bool,
    /// Whether a move stands after it.
    has_move: bool,
}

impl NumberInLine<'_> {
    fn bare(&self) -> &str {
        self.text.trim_end_matches(['.', '…'])
    }

    /// `1972.08.03`, `1970..1975`, `1970..`: no number of a move is written so.
    fn is_date_or_range(&self) -> bool {
        let bare = self.bare();
        let dots = &self.text[bare.len()..];
        !bare.bytes().all(|byte| byte.is_ascii_digit())
            || dots == ".." && (!self.has_move || self.value >= MOVES_MAX)
    }
}

/// The first number that is not that of a move, if there is one; `due` says which numbers the moves
/// have by the rules.
pub(super) fn stray(raw: &RawGame, text: &str, due: &dyn Fn(u32) -> bool) -> Option<StrayNumber> {
    let numbers = numbers(raw, text);
    let is_wrong = |(at, number): (usize, &NumberInLine<'_>)| {
        let is_meant = number.is_date_or_range() || number.value >= MOVES_MAX && !due(number.value);
        let before = at.checked_sub(1).map(|at| numbers[at].value);
        let follows = before.is_some_and(|before| {
            number.value == before || before.checked_add(1) == Some(number.value)
        });
        let is_right = due(number.value)
            || follows
            // Moves copied from the middle of a game keep their numbers.
            || number.has_move && (!number.is_bare || numbers.len() > 1);
        (is_meant || !is_right).then(|| StrayNumber {
            text: if number.is_date_or_range() {
                number.text.to_owned()
            } else {
                number.bare().to_owned()
            },
            is_meant: is_meant || number.is_bare && !number.has_move,
        })
    };
    let mut wrong: Vec<StrayNumber> = numbers.iter().enumerate().filter_map(is_wrong).collect();
    wrong.sort_by_key(|number| !number.is_meant);
    wrong.into_iter().next()
}

/// The numbers between the words of a line, without those of its variations and comments.
fn numbers<'t>(raw: &RawGame, text: &'t str) -> Vec<NumberInLine<'t>> {
    let span = |item: &RawItem| item.offset as usize..(item.offset + item.len) as usize;
    let end = raw.termination.map(|(from, to)| from as usize..to as usize);
    let mut spans: Vec<Range<usize>> = raw.items.iter().map(span).chain(end).collect();
    spans.sort_by_key(|span| span.start);
    let is_word = |item: &&RawItem| item.kind == ItemKind::Word;
    let last_word = raw
        .items
        .iter()
        .filter(is_word)
        .map(|item| item.offset as usize);
    let last_word = last_word.max();
    let (mut found, mut at) = (Vec::new(), 0);
    for span in spans
        .into_iter()
        .chain(std::iter::once(text.len()..text.len()))
    {
        let gap = text.get(at..span.start).unwrap_or_default();
        found.extend(in_gap(gap).map(|(from, text)| NumberInLine {
            text,
            value: leading(text),
            is_bare: text.ends_with(|c: char| c.is_ascii_digit())
                && !gap[from + text.len()..].starts_with([')', ':']),
            has_move: last_word.is_some_and(|word| word >= at + from + text.len()),
        }));
        at = at.max(span.end);
    }
    found
}

/// The numbers in a text without words, with the dots after them, and where each begins.
fn in_gap(gap: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_part = |c: char| c.is_ascii_digit() || matches!(c, '.' | '…');
    let parts = gap.split(move |c: char| !is_part(c));
    let numbers = parts.filter(|part| part.starts_with(|c: char| c.is_ascii_digit()));
    numbers.map(move |part| (part.as_ptr() as usize - gap.as_ptr() as usize, part))
}

fn leading(text: &str) -> u32 {
    let digits = text
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(text.len());
    text[..digits].parse().unwrap_or(u32::MAX)
}

/// The fact that is meant by a number, a date or a range: a year or a rating.
pub fn fact_meant(text: &str) -> Option<String> {
    let is_part = |c: char| c.is_ascii_digit() || c == '.';
    if !text.chars().all(is_part) {
        return None;
    }
    match leading(text) {
        year if YEARS.contains(&year) => Some(format!("date:{text}")),
        rating if !RATINGS.contains(&rating) => None,
        _ if text.contains('.') => Some(format!("elo:{text}")),
        _ => Some(format!("elo:{text}..")),
    }
}

/// Whether the position of a query may be taken as it was read, where a number among its moves may
/// be left over; what only looks wrong is said.
pub(super) fn checked(mut read: TypedPosition) -> Result<TypedPosition, PositionError> {
    let Some(StrayNumber { text, is_meant }) = read.stray.clone() else {
        return Ok(read);
    };
    if !is_meant {
        let what = format!("`{text}` among the moves is not a move number, and is skipped");
        read.warnings.push(Warning::Said(what));
        return Ok(read);
    }
    let Some(fact) = fact_meant(&text) else {
        return Err(PositionError {
            message: format!("`{text}` among the moves is not a move number"),
            hint: "leave it out; moves have their numbers before them, as in `1.e4 c5 2.Nf3`"
                .into(),
            row: Some(read.row),
        });
    };
    let is_start =
        AnyPosition::start(read.row).is_some_and(|start| start.fen() == read.start.fen());
    // What moves of other games are called is not what was typed.
    let is_usual = read.row.tier() == Some(VariantDetection::Assumed);
    let hint = if is_start && is_usual && !read.moves.is_empty() {
        let moves = read.moves.join(" ");
        format!(
            "filters are written name:value, and so are moves beside them: 'moves:\"{moves}\" and {fact}'"
        )
    } else {
        format!("filters are written name:value: {fact}")
    };
    Err(PositionError {
        message: format!("`{text}` among the moves is not a move number"),
        hint: hint.into(),
        row: Some(read.row),
    })
}
