//! Positions of draughts as people write them out, and what is wrong with a move.

use super::{
    Draughts,
    notation::{
        fen::{self as draughts_fen, DraughtsFenError, FenNote, SquareNames},
        moves::{self as draughts_move, DraughtsMoveError},
    },
    replay::DraughtsStart,
    rows::{ALL, DraughtsVariant},
    rules::{BLACK, moves, must_capture},
    write,
};
use crate::games::{
    Budget, ParsedPosition, ReadConfidence, ReadFailure, chess::notation::fen::Fields,
    notation::clip, text, variant::Variant,
};

/// What a position can be written as.
const ANY: &str = "give a draughts FEN (`W:W28,31,K40:B5,12`), moves (`32-28 19-23`, \
                   `c3-d4 f6-g5`) or `startpos` with --variant";

/// How moves are written.
const MOVES: &str = "moves can be written as `32-28`, `28x19`, `a3b4` or with every square of a capture, `11x18x25`; name the variant with --variant if it is another one";

const SHAPE: &str = "a draughts FEN is the side to move, White's squares and Black's squares, separated by `:`: `W:W28,31-35,K40:B5,K14`";

/// Legal moves that are named where a move is not one of them.
const NAMED_MOVES_MAX: usize = 4;

/// Reads a FEN, or the string of an engine.
pub(super) fn read(
    row: &'static Variant,
    text: &str,
) -> Result<ParsedPosition<Draughts>, ReadFailure> {
    let Some(variant) = row.draughts() else {
        return Err(text::another_game(row));
    };
    let own = variant.numbering();
    let refused = |what: String, hint: String, reached| {
        let reached = if text.contains(':') { reached } else { 0 };
        ReadFailure::at(reached, format!("not a valid draughts FEN: {what}"), hint)
    };
    let read = draughts_fen::parse(text, own).map_err(|error| {
        let reached = match error {
            DraughtsFenError::Empty => 0,
            DraughtsFenError::Unreadable(_) => begins_with_side(text),
            DraughtsFenError::NoSuchSquare(_) | DraughtsFenError::Twice(_) => 2,
        };
        refused(error.to_string(), hint(&error, variant), reached)
    })?;
    // Bare squares and words that say who moves are no FEN: `b4` is a move of chess.
    if !text.contains(':') && read.names != SquareNames::Order {
        let error = DraughtsFenError::Unreadable(clip(text));
        return Err(refused(error.to_string(), hint(&error, variant), 0));
    }
    if read.turn_only {
        return Err(refused("it names no squares".to_owned(), ANY.to_owned(), 2));
    }
    let corner = read.number_corner;
    let at = Draughts {
        variant,
        position: read.position,
        corner: (corner != own.number_corner()).then_some(corner),
    };
    let fields = Fields {
        turn: !read.notes.contains(&FenNote::NoSide),
        ..Fields::default()
    };
    let fit = if read.notes.contains(&FenNote::TextBefore) {
        ReadConfidence::Loose
    } else if is_own(variant, text, read.names) {
        ReadConfidence::Own
    } else {
        ReadConfidence::Foreign
    };
    Ok(ParsedPosition {
        fit,
        notes: read.notes.iter().map(ToString::to_string).collect(),
        ..ParsedPosition::new(at, fields)
    })
}

/// 1 if a text begins with who moves, as a FEN does.
fn begins_with_side(text: &str) -> u32 {
    let first = text.split(':').next().unwrap_or_default().trim();
    let sides = ["w", "b", "z", "white", "black", "?", ""];
    u32::from(sides.iter().any(|side| first.eq_ignore_ascii_case(side)))
}

/// Whether a text names squares as a variant does, and no smaller board has all of them.
fn is_own(own: &DraughtsVariant, text: &str, names: SquareNames) -> bool {
    let letters = names == SquareNames::Letters;
    if own.tag.letters != letters || names == SquareNames::Order {
        return own.tag.letters == letters;
    }
    let size = |row: &DraughtsVariant| row.rules.board.square_count();
    let smaller = ALL.iter().filter(|row| size(row) < size(own));
    let mut smaller = smaller.filter(|row| row.tag.letters == letters);
    !smaller.any(|row| draughts_fen::parse(text, row.numbering()).is_ok())
}

/// What to do about a FEN of a kind that cannot be read.
fn hint(error: &DraughtsFenError, kind: &DraughtsVariant) -> String {
    match error {
        DraughtsFenError::NoSuchSquare(_) => {
            let board = kind.rules.board;
            let (width, height) = (board.width(), board.height());
            let last = char::from(b'a' + width - 1);
            format!(
                "{} is played on {width}x{height}: squares 1 to {}, or a1 to {last}{height}",
                kind.title,
                board.square_count(),
            )
        }
        DraughtsFenError::Twice(_) => {
            "name each square once; `K` before a square makes the piece a king".to_owned()
        }
        DraughtsFenError::Empty | DraughtsFenError::Unreadable(_) => SHAPE.to_owned(),
    }
}

/// What is wrong with a word.
pub(super) fn refusal(at: &Draughts, opening: &DraughtsStart, word: &str) -> ReadFailure {
    let shown = clip(word);
    let at = Draughts {
        corner: opening.at.corner,
        ..*at
    };
    let why = match draughts_move::parse(word, at.numbering()) {
        Err(DraughtsMoveError::Unreadable(_)) => {
            return ReadFailure::nothing(format!("`{shown}` is not a move"), ANY);
        }
        Err(error) => error.to_string(),
        Ok(text) => reason(&at, text.cells()[0]),
    };
    ReadFailure::at(1, format!("`{shown}` cannot be played: {why}"), MOVES)
}

/// Why a move from a cell cannot be played, as a player would put it.
fn reason(at: &Draughts, from: u8) -> String {
    let (position, rules) = (&at.position, &at.variant.rules);
    let (side, other) = if position.turn() == BLACK {
        ("Black", "White")
    } else {
        ("White", "Black")
    };
    let square = at.numbering().name(from);
    match position.at(from) {
        None => return format!("{square} is empty"),
        Some(piece) if piece.side != position.turn() => {
            return format!("the piece on {square} is {other}'s, and it is {side}'s move");
        }
        Some(_) => {}
    }
    let Ok(mut legal) = moves(position, rules, Budget::default()) else {
        return DraughtsMoveError::Illegal.to_string();
    };
    let must_capture = must_capture(position, rules);
    if !must_capture {
        legal.retain(|m| m.from == from);
    }
    let names = write::names(at, &legal, NAMED_MOVES_MAX, Budget::default());
    if must_capture {
        format!("{side} must capture: {names}")
    } else if legal.is_empty() {
        format!("the piece on {square} cannot move")
    } else {
        format!("the piece on {square} can only play {names}")
    }
}
