//! What people type for a position of draughts: a FEN, an engine's string of
//! squares, `startpos`, or moves from the start; with the kind of draughts told or
//! to be found out.
//!
//! Where nobody says which kind it is, the squares tell the board and the start
//! position or the moves tell the rest, as far as they do; what then remains is
//! decided by the order of [`BY_POSITION`] and [`BY_MOVES`] and said in a warning.
//! All variants of a board share their position keys, so a search for a position
//! loses nothing by the choice.

mod error;
mod guess;
mod line;

#[cfg(test)]
mod tests;

use std::fmt;

pub use error::DraughtsTextError;
pub use guess::looks_like_draughts;

use super::{
    fen as draughts_fen,
    fen::{FenNote, FenText},
    moves::square::Numbering,
};
use crate::games::draughts::{
    rows::{ALL, DraughtsVariant},
    rules::{Board, Move, Position},
};
use line::Line;
pub(in crate::games::draughts) use line::reason;

/// A position of draughts as a user gave it.
#[derive(Debug, Clone)]
pub struct Reading {
    /// The kind of draughts: the one named, or the one taken for it.
    pub variant: &'static DraughtsVariant,
    /// Where none was named: the other kinds on the same board in which the text
    /// says the same position. Their games are filed under the same keys.
    pub others: Vec<&'static DraughtsVariant>,
    /// The position after the moves, if any.
    pub position: Position,
    /// How its squares are named in this variant.
    pub numbering: Numbering,
    /// Whether it was said who moves: a search does not ask for what was not.
    pub turn_given: bool,
    /// The moves that were played, from the position given or the start.
    pub moves: Vec<Move>,
    /// What to look at twice, each once.
    pub warnings: Vec<Warning>,
}

/// What to look at twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Warning {
    /// No variant was named, and this one was taken where others fit as well.
    Guessed(&'static str),
    /// A capture was written short and fits several; the first is taken.
    Ambiguous,
    /// What is odd about the FEN.
    Fen(FenNote),
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Guessed(name) => {
                return write!(
                    f,
                    "read as {name}; other kinds of draughts fit as well: name one with --variant"
                );
            }
            Self::Ambiguous => {
                "a capture can go several ways; the first is taken: write all its squares"
            }
            Self::Fen(note) => return note.fmt(f),
        })
    }
}

/// The order in which kinds of draughts are taken for a position that fits
/// several; the others of a board follow in the order of the registry.
pub const BY_POSITION: [&str; 9] = [
    "international",
    "frisian",
    "canadian",
    "spantsiretti",
    "russian",
    "brazilian",
    "czech",
    "english",
    "turkish",
];

/// The order in which they are taken for moves that fit several: of twins the
/// stricter one, which says more. Variants of which the games cannot be told from
/// those of their twins are not taken. English draughts precede Spanish, whose
/// board is seen from the other side: short lines of one are lines of the other.
pub const BY_MOVES: [&str; 13] = [
    "international",
    "frisian",
    "canadian",
    "brazilian",
    "czech",
    "russian",
    "spantsiretti",
    "turkish",
    "italian",
    "english",
    "spanish",
    "pool",
    "thai",
];

/// Reads a position as users type it, of a variant or, without one, of that which
/// the text fits best:
///
/// - a FEN in any spelling (`W:W28,31-35:B5,K14`), also with moves behind it
///   (`… moves 32-28`),
/// - the strings of the Hub and DXP protocols,
/// - `startpos`, for which the variant must be named,
/// - moves from the start: `32-28 19-23`, `1. 11-15 23-19`, `c3d4 b6:d4`.
///
/// ```
/// use plydex::games::draughts::notation::typed::read;
///
/// let read = |text| read(text, None).unwrap();
/// assert_eq!(read("1. 32-28 19-23 2. 28x19 14x23").variant.name, "international");
/// assert_eq!(read("11-15 23-19").variant.name, "english");
/// assert_eq!(read("W:Wa3:Bh8").variant.name, "russian");
/// ```
///
/// # Errors
///
/// [`DraughtsTextError`]; print its hint below it.
pub fn read(
    text: &str,
    variant: Option<&'static DraughtsVariant>,
) -> Result<Reading, DraughtsTextError> {
    let text =
        text.trim_matches(|c: char| c.is_whitespace() || matches!(c, '\u{FEFF}' | '"' | '“' | '”'));
    if text.is_empty() {
        return Err(DraughtsTextError::Empty);
    }
    let (head, moves) = split_moves(text);
    if guess::is_start(head) {
        if variant.is_none() && moves.trim().is_empty() {
            return Err(DraughtsTextError::VariantNeeded);
        }
        return read_line(moves, variant);
    }
    if guess::looks_like_position(head) {
        return read_position(head, moves, variant);
    }
    match read_line(text, variant) {
        // Numbers and results alone: the start is not what was meant.
        Ok(read) if read.moves.is_empty() => Err(DraughtsTextError::Empty),
        read => read,
    }
}

/// What stands before and behind the word `moves`; all of it before where that
/// is no position.
fn split_moves(text: &str) -> (&str, &str) {
    let at = text.to_ascii_lowercase().find("moves");
    match at.and_then(|at| text.split_at_checked(at)) {
        Some((head, tail))
            if head.ends_with(char::is_whitespace)
                && (guess::is_start(head) || guess::looks_like_position(head.trim_end())) =>
        {
            (head.trim_end(), &tail[5..])
        }
        _ => (text, ""),
    }
}

fn numbering_of(variant: &DraughtsVariant) -> Numbering {
    Numbering::of(&variant.tag, variant.rules.board)
}

/// One variant's reading of a FEN or of a string of squares.
struct Candidate {
    variant: &'static DraughtsVariant,
    numbering: Numbering,
    fen: FenText,
}

impl Candidate {
    fn read(text: &str, variant: &'static DraughtsVariant) -> Result<Self, draughts_fen::FenError> {
        let numbering = numbering_of(variant);
        let fen = draughts_fen::parse(text, numbering)?;
        Ok(Self {
            variant,
            numbering: numbering.with_number_corner(fen.number_corner),
            fen,
        })
    }

    /// How badly the variant fits: not at all for its own start position.
    fn misfit(&self) -> u8 {
        if self.fen.position == Position::start(&self.variant.rules) {
            return 0;
        }
        1 + u8::from(self.fen.notes.contains(&FenNote::Uncrowned))
    }
}

fn read_position(
    text: &str,
    moves: &str,
    named: Option<&'static DraughtsVariant>,
) -> Result<Reading, DraughtsTextError> {
    let mut candidates = Vec::new();
    let mut first_error = None;
    let of_board = named.map_or_else(|| fitting(text), |variant| vec![variant]);
    for variant in of_board {
        match Candidate::read(text, variant) {
            Ok(candidate) => candidates.push(candidate),
            Err(error) => {
                first_error.get_or_insert(DraughtsTextError::fen(error, named));
            }
        }
    }
    // The first of those that fit best.
    let best = candidates.iter().map(Candidate::misfit).min();
    let Some(place) = candidates
        .iter()
        .position(|candidate| Some(candidate.misfit()) == best)
    else {
        return Err(first_error.unwrap_or(DraughtsTextError::Empty));
    };
    let Candidate {
        variant,
        numbering,
        fen,
    } = candidates.remove(place);
    if fen.turn_only {
        return Err(DraughtsTextError::NoSquares);
    }
    let board = variant.rules.board;
    let others = candidates
        .iter()
        .filter(|other| other.variant.rules.board == board && other.fen.position == fen.position)
        .map(|other| other.variant)
        .collect();
    let mut warnings: Vec<_> = fen.notes.iter().copied().map(Warning::Fen).collect();
    // Numbers up to 32 are read from different corners: another variant would
    // make another position of them.
    let differs = candidates.iter().any(|other| {
        other.variant.rules.board == board
            && other.variant.is_default_of_type
            && other.fen.position != fen.position
            && Some(other.misfit()) == best
    });
    if named.is_none() && differs {
        warnings.push(Warning::Guessed(variant.name));
    }
    let turn_given = !fen.notes.contains(&FenNote::NoSide);
    let mut line = Line::new(variant, numbering, fen.position, false);
    line.read(moves)?;
    let (moves, position, ambiguous) = line.finish();
    warnings.extend(ambiguous.then_some(Warning::Ambiguous));
    Ok(Reading {
        variant,
        others,
        position,
        numbering,
        turn_given: turn_given || !moves.is_empty(),
        moves,
        warnings,
    })
}

/// The variants as which a FEN or a string of squares can be meant, by its squares
/// alone, the likeliest first.
fn fitting(text: &str) -> Vec<&'static DraughtsVariant> {
    let (boards, letters) = guess::boards(text);
    let mut fitting = Vec::new();
    for board in boards {
        let mut variants: Vec<_> = on_board(board, &BY_POSITION).collect();
        // Of two, rather the one that names squares in this way.
        variants.sort_by_key(|variant| variant.tag.letters != letters);
        fitting.append(&mut variants);
    }
    fitting
}

/// Moves from the start.
fn read_line(
    text: &str,
    named: Option<&'static DraughtsVariant>,
) -> Result<Reading, DraughtsTextError> {
    let play = |variant: &'static DraughtsVariant| {
        let start = Position::start(&variant.rules);
        let mut line = Line::new(variant, numbering_of(variant), start, true);
        line.read(text).map(|()| line)
    };
    let mut furthest: Option<DraughtsTextError> = None;
    let mut lines = Vec::new();
    let variants: Vec<&'static DraughtsVariant> = match named {
        Some(variant) => vec![variant],
        None => BY_MOVES
            .iter()
            .filter_map(|name| DraughtsVariant::by_name(name))
            .collect(),
    };
    for variant in variants {
        match play(variant) {
            Ok(line) => lines.push(line),
            Err(error) => {
                if furthest
                    .as_ref()
                    .is_none_or(|other| error.plies() > other.plies())
                {
                    furthest = Some(error);
                }
            }
        }
    }
    if lines.is_empty() {
        return Err(furthest.unwrap_or(DraughtsTextError::Empty));
    }
    let line = lines.remove(0);
    let (variant, numbering) = (line.variant, line.numbering);
    let differs = lines
        .iter()
        .any(|other| other.variant.rules.board != variant.rules.board || !other.agrees(&line));
    let others = if named.is_some() {
        Vec::new()
    } else {
        on_board(variant.rules.board, &[])
            .filter(|other| other.name != variant.name)
            .filter(|other| play(other).is_ok_and(|other| other.agrees(&line)))
            .collect()
    };
    let (moves, position, ambiguous) = line.finish();
    let mut warnings = Vec::new();
    if named.is_none() && differs {
        warnings.push(Warning::Guessed(variant.name));
    }
    warnings.extend(ambiguous.then_some(Warning::Ambiguous));
    Ok(Reading {
        variant,
        others,
        position,
        numbering,
        turn_given: true,
        moves,
        warnings,
    })
}

/// The variants of a board: those named here in this order, then the others.
fn on_board(
    board: Board,
    order: &'static [&'static str],
) -> impl Iterator<Item = &'static DraughtsVariant> {
    let first = order
        .iter()
        .filter_map(|name| DraughtsVariant::by_name(name));
    let rest = ALL
        .iter()
        .filter(move |variant| !order.contains(&variant.name));
    first
        .chain(rest)
        .filter(move |variant| variant.rules.board == board)
}
