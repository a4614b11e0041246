//! Which legal move a text means.

use super::{MoveError, role, wxf};
use crate::games::{
    grid::{NINE, OFF},
    xiangqi::rules::{Ply, Position, man},
};

/// How the ranks of coordinates are numbered. One file has one way: the first
/// move of a game tells, since the reading of the other way is not legal then.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Ranks {
    /// From 0, as ICCS has them: `H2-E2`.
    FromZero,
    /// From 1, as UCI has them: `h3e3`.
    FromOne,
    /// Not known: capital letters with a hyphen are ICCS; otherwise what is legal
    /// in one way only.
    #[default]
    Either,
}

/// The legal move of a text: coordinates, WXF, or in the manner of SAN (its
/// ranks are from 1). Signs of check and strength are ignored; `--` and its like
/// are null moves.
///
/// # Errors
///
/// [`MoveError`].
pub fn resolve(position: &Position, text: &str, ranks: Ranks) -> Result<Ply, MoveError> {
    let text = text.trim_end_matches(['+', '#', '!', '?']);
    if matches!(text, "-" | "--" | "Z0" | "null" | "pass" | "@@@@" | "0000") {
        return if position.is_check() {
            Err(MoveError::Illegal)
        } else {
            Ok(Ply::NULL)
        };
    }
    if let Some(squares) = coordinates(text) {
        return by_squares(position, text, squares, ranks);
    }
    if let Some(said) = wxf::parse(text) {
        return only(position, |ply| wxf::fits(position, ply, &said));
    }
    san(position, text)
}

fn only(position: &Position, mut fits: impl FnMut(Ply) -> bool) -> Result<Ply, MoveError> {
    let mut found = position.legal().into_iter().filter(|&ply| fits(ply));
    let first = found.next().ok_or(MoveError::Illegal)?;
    if found.next().is_some() {
        return Err(MoveError::Ambiguous);
    }
    Ok(first)
}

/// File from 0 and rank as written, and what follows.
fn square(text: &str) -> Option<((u8, u8), &str)> {
    let file = text.bytes().next()?.to_ascii_lowercase().wrapping_sub(b'a');
    let rest = text.get(1..)?;
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let rank = rest[..digits].parse().ok()?;
    (file < NINE.files && rank <= 10).then(|| ((file, rank), &rest[digits..]))
}

/// Whether a text is two squares, whose ranks may be numbered in either way.
pub fn is_coordinates(text: &str) -> bool {
    coordinates(text.trim_end_matches(['+', '#', '!', '?'])).is_some()
}

fn coordinates(text: &str) -> Option<[(u8, u8); 2]> {
    let (from, rest) = square(text)?;
    let bare = rest.trim_start_matches(['-', 'x', ':']);
    let (to, rest) = square(bare)?;
    // `C2e3` is a cannon of the second rank.
    let same_case =
        text.as_bytes()[0].is_ascii_uppercase() == bare.as_bytes()[0].is_ascii_uppercase();
    (rest.is_empty() && same_case).then_some([from, to])
}

fn by_squares(
    position: &Position,
    text: &str,
    squares: [(u8, u8); 2],
    ranks: Ranks,
) -> Result<Ply, MoveError> {
    let find = |first_rank: u8| {
        let [from, to] = squares.map(|(file, rank)| NINE.at(file, rank.wrapping_sub(first_rank)));
        let ply = Ply { from, to };
        (from != OFF && to != OFF && position.is_legal(ply)).then_some(ply)
    };
    let is_iccs = text.contains('-') && text.starts_with(|c: char| c.is_ascii_uppercase());
    let (zero, one) = match ranks {
        Ranks::FromZero => (find(0), None),
        Ranks::FromOne => (None, find(1)),
        Ranks::Either if is_iccs => (find(0), None),
        Ranks::Either => (find(0), find(1)),
    };
    match (zero, one) {
        (Some(_), Some(_)) => Err(MoveError::Ambiguous),
        (zero, one) => zero.or(one).ok_or(MoveError::Illegal),
    }
}

/// Reads `Che3`, `R1xb10`, `Pg6`.
fn san(position: &Position, text: &str) -> Result<Ply, MoveError> {
    let mut chars = text.chars();
    let role = chars.next().and_then(role).ok_or(MoveError::Unreadable)?;
    let rest = chars.as_str();
    let at = rest
        .rfind(|c: char| ('a'..='i').contains(&c))
        .ok_or(MoveError::Unreadable)?;
    let ((file, rank), after) = square(&rest[at..]).ok_or(MoveError::Unreadable)?;
    let before = rest[..at].trim_end_matches(['x', ':', '-']);
    if !after.is_empty() || before.len() > 3 {
        return Err(MoveError::Unreadable);
    }
    let from_file = before
        .bytes()
        .next()
        .filter(u8::is_ascii_alphabetic)
        .map(|c| c.wrapping_sub(b'a'));
    let digits = before.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    let from_rank: Option<u8> = match digits {
        "" => None,
        digits => Some(digits.parse().map_err(|_| MoveError::Unreadable)?),
    };
    let to = NINE.at(file, rank.wrapping_sub(1));
    only(position, |ply| {
        ply.to == to
            && man::role(position.at(ply.from)) == role
            && from_file.is_none_or(|file| file == NINE.file(ply.from))
            && from_rank.is_none_or(|rank| rank == NINE.rank(ply.from) + 1)
    })
}

/// How the ranks of coordinates are numbered in a line: the way in which
/// more of it is legal.
pub fn ranks_of<'w>(start: &Position, words: impl Iterator<Item = &'w str> + Clone) -> Ranks {
    if !words.clone().any(is_coordinates) {
        return Ranks::Either;
    }
    let (mut from_zero, mut from_one) = (*start, *start);
    let mut is_iccs = false;
    for word in words {
        let zero = resolve(&from_zero, word, Ranks::FromZero);
        let one = resolve(&from_one, word, Ranks::FromOne);
        match (zero, one) {
            (Ok(zero), Ok(one)) => {
                from_zero.play(zero);
                from_one.play(one);
            }
            (Ok(_), Err(_)) => return Ranks::FromZero,
            (Err(_), Ok(_)) => return Ranks::FromOne,
            (Err(MoveError::Unreadable), Err(MoveError::Unreadable)) => {}
            (Err(_), Err(_)) => break,
        }
        is_iccs |= word.contains('-') && word.starts_with(|c: char| ('A'..='I').contains(&c));
    }
    // Legal in both ways: as it looks.
    if is_iccs && from_zero != from_one {
        Ranks::FromZero
    } else {
        Ranks::FromOne
    }
}
