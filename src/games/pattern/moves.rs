//! Moves as a question writes them.

use super::{Area, Geometry};

/// A move as far as it is written.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a mark of its own")]
pub(super) struct WrittenMove {
    /// The letter of the man, in capitals; none where the notation has none.
    pub(super) man: Option<char>,
    pub(super) from: Option<Area>,
    pub(super) to: Option<Area>,
    pub(super) takes: bool,
    pub(super) promotes: Option<char>,
    /// A man in hand is set down.
    pub(super) is_drop: bool,
    /// 1 the h-side, 2 the a-side, 0 neither.
    pub(super) castles: u8,
    pub(super) check: bool,
    pub(super) mate: bool,
}

/// Reads a move in the notation of a board; `None` where it is none.
pub(super) fn written(text: &str, ground: &Geometry, crowns: bool) -> Option<WrittenMove> {
    let text = text.trim_end_matches(['!', '?']);
    if crowns || ground.is_numbered() {
        return between_squares(text);
    }
    let mut read = WrittenMove::default();
    let bare = text.trim_end_matches(['+', '#']);
    read.mate = text[bare.len()..].contains('#');
    read.check = bare.len() < text.len();
    read.castles = match bare {
        "O-O" | "0-0" => 1,
        "O-O-O" | "0-0-0" => 2,
        _ => 0,
    };
    if read.castles != 0 {
        return Some(read);
    }
    if let Some((man, to)) = bare.split_once('@') {
        return dropped(man, to);
    }
    let (body, promotes) = match bare.split_once('=') {
        Some((body, letter)) => (body, Some(only(letter)?)),
        None => match bare.char_indices().last()? {
            (at, letter) if letter.is_ascii_uppercase() && at > 0 => (&bare[..at], Some(letter)),
            _ => (bare, None),
        },
    };
    read.promotes = promotes.map(|letter| letter.to_ascii_uppercase());
    let first = body.chars().next()?;
    let body = if first.is_ascii_uppercase() {
        read.man = Some(first);
        &body[1..]
    } else {
        read.man = Some('P');
        body
    };
    let at = body.rfind(|c: char| c.is_ascii_lowercase() && c != 'x')?;
    let (before, to) = body.split_at(at);
    read.to = Some(square(to)?);
    let before = match before.strip_suffix('x') {
        Some(before) => {
            read.takes = true;
            before
        }
        None => before,
    };
    if !before.is_empty() {
        read.from = Some(Area::read(before).filter(|_| !before.contains(['-', ',']))?);
    }
    Some(read)
}

/// `32-28`, `28x19`, `c3:e5`.
fn between_squares(text: &str) -> Option<WrittenMove> {
    let takes = text.contains(['x', ':']);
    let mut squares = text.split(['-', 'x', ':']);
    let (from, to) = (squares.next()?, squares.next_back()?);
    let area =
        |text: &str| Area::read(text).filter(|_| text.contains(|c: char| c.is_ascii_digit()));
    Some(WrittenMove {
        from: Some(area(from)?),
        to: Some(area(to)?),
        takes,
        ..WrittenMove::default()
    })
}

/// `N@f3`, `@e4` of a pawn.
fn dropped(man: &str, to: &str) -> Option<WrittenMove> {
    let man = if man.is_empty() { 'P' } else { only(man)? };
    Some(WrittenMove {
        man: Some(man.to_ascii_uppercase()),
        to: Some(square(to)?),
        is_drop: true,
        ..WrittenMove::default()
    })
}

/// Reads `b1d2`, `e7e8q`, `N@f3`.
pub(super) fn by_squares(text: &str) -> Option<WrittenMove> {
    if let Some((man, to)) = text.split_once('@') {
        return dropped(man, to);
    }
    let (body, promotes) = match text.char_indices().last()? {
        (at, letter) if letter.is_ascii_alphabetic() => (&text[..at], Some(letter)),
        _ => (text, None),
    };
    let at = 1 + body.get(1..)?.find(|c: char| c.is_ascii_lowercase())?;
    Some(WrittenMove {
        from: Some(square(&body[..at])?),
        to: Some(square(&body[at..])?),
        promotes: promotes.map(|letter| letter.to_ascii_uppercase()),
        ..WrittenMove::default()
    })
}

fn only(text: &str) -> Option<char> {
    let mut letters = text.chars();
    letters
        .next()
        .filter(|letter| letters.next().is_none() && letter.is_ascii_alphabetic())
}

/// A single square.
fn square(text: &str) -> Option<Area> {
    let area = Area::read(text)?;
    match area {
        Area::Named {
            files: Some((file, other)),
            ranks: Some((rank, last)),
        } if file == other && rank == last => Some(area),
        _ => None,
    }
}
