//! Positions in and out.

use crate::{
    base::diagnostic::Code,
    games::{
        notation::grid_fen::{self, GridFenError},
        othello::rules::Position,
    },
};

/// The start of a game.
pub const START: &str = "8/8/8/3OX3/3XO3/8/8/8 b";

/// A position as it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reading {
    /// The position; Black moves where nothing is said.
    pub position: Position,
    /// Whether the side to move was said.
    pub has_turn: bool,
    /// What was repaired.
    pub warnings: Vec<Code>,
}

/// Reads a position: rows as [`write()`] has them (also with `*`, `B`, `W`, `.`,
/// `-`); sixty-four letters; lists of squares (`B:Wd4,e5:Be4,d5`); the FEN of
/// Fairy-Stockfish, where `P` and `w` are Black's.
///
/// ```
/// use plydex::games::othello::notation::fen;
/// for text in ["B:Wd4,e5:Be4,d5", "8/8/8/3pP3/3Pp3/8/8/8[PPpp] w - - 0 1"] {
///     assert_eq!(fen::write(&fen::read(text).unwrap().position), fen::START);
/// }
/// ```
///
/// # Errors
///
/// [`GridFenError`] where a field cannot be read.
pub fn read(text: &str) -> Result<Reading, GridFenError> {
    let mut warnings = Vec::new();
    let words = grid_fen::words(text, &mut warnings);
    let (&first, rest) = words.split_first().ok_or(GridFenError::Empty)?;
    if first.contains(':') {
        let (discs, turn) = list(&words.concat())?;
        let position = Position::new(discs[0], discs[1], turn);
        let has_turn = true;
        return Ok(Reading {
            position,
            has_turn,
            warnings,
        });
    }
    let placed = first.split('[').next().unwrap_or_default();
    let is_fairy = first.contains('[') || placed.contains(['P', 'p']);
    let mut discs = [0_u64; 2];
    let mut put = |square: u8, c: char| {
        let side = match (is_fairy, c) {
            (true, 'P') | (false, 'X' | 'x' | '*' | 'B' | 'b') => 0,
            (true, 'p') | (false, 'O' | 'o' | 'W' | 'w') => 1,
            (false, '.' | '-') => return true,
            _ => return false,
        };
        discs[side] |= 1 << (square & 63);
        true
    };
    if placed.contains('/') {
        let at = |file, rank, c| put((7 - rank) * 8 + file, c);
        grid_fen::placement(placed, 8, 8, &mut warnings, at)?;
    } else {
        letters(placed, put)?;
    }
    let turn = match rest.first() {
        None => {
            warnings.push(Code::MissingFields);
            0
        }
        Some(word) => side(word, is_fairy)?,
    };
    let extra = rest.get(1..).unwrap_or_default();
    let is_counter = |word: &&str| word.bytes().all(|c| c == b'-' || c.is_ascii_digit());
    if !(is_fairy && extra.iter().all(is_counter) || extra.is_empty()) {
        let text = crate::games::notation::clip(&extra.join(" "));
        return Err(GridFenError::ExtraFields { text });
    }
    Ok(Reading {
        position: Position::new(discs[0], discs[1], turn),
        has_turn: !rest.is_empty(),
        warnings,
    })
}

/// The side to move: 0 Black, 1 White.
fn side(text: &str, is_fairy: bool) -> Result<u8, GridFenError> {
    match text.to_ascii_lowercase().as_str() {
        "w" if is_fairy => Ok(0),
        "b" if is_fairy => Ok(1),
        "b" | "black" | "x" | "*" => Ok(0),
        "w" | "white" | "o" => Ok(1),
        _ => Err(GridFenError::field("side to move", "turn", text)),
    }
}

/// Sixty-four letters in the order of reading.
fn letters(text: &str, mut put: impl FnMut(u8, char) -> bool) -> Result<(), GridFenError> {
    let found = text.chars().count();
    if found != 64 {
        return Err(GridFenError::RankCount {
            found: 1,
            expected: 8,
        });
    }
    for (square, c) in (0..).zip(text.chars()) {
        if !put(square, c) {
            let found = if c.is_control() { '\u{FFFD}' } else { c };
            let rank = square / 8 + 1;
            return Err(GridFenError::BadChar { rank, found });
        }
    }
    Ok(())
}

/// Squares listed by colour, as PDN has pieces of draughts.
fn list(text: &str) -> Result<([u64; 2], u8), GridFenError> {
    let text = text.trim_end_matches('.');
    let bad = || GridFenError::field("list of squares", "bad-char", text);
    let mut parts = text.split(':');
    let turn = side(parts.next().unwrap_or_default(), false)?;
    let mut discs = [0; 2];
    for part in parts {
        let side = match part.chars().next() {
            Some('B' | 'b') => 0,
            Some('W' | 'w') => 1,
            _ => return Err(bad()),
        };
        for square in part[1..].split(',').filter(|square| !square.is_empty()) {
            discs[side] |= 1 << super::moves::square(square).ok_or_else(bad)?;
        }
    }
    Ok((discs, turn))
}

/// The position as rows from the top, then the side to move.
pub fn write(position: &Position) -> String {
    let mut out = grid_fen::write_placement(8, 8, |file, rank| {
        let side = position.at((7 - rank) * 8 + file)?;
        Some(if side == 0 { 'X' } else { 'O' })
    });
    out.push_str(if position.turn() == 0 { " b" } else { " w" });
    out
}
