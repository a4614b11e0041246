//! Positions in and out.

use crate::{
    base::diagnostic::Code,
    games::{
        chess::notation::fen::Fields,
        notation::{
            clip,
            fen::{self, FenError, FenField, PlacementFacts},
        },
        othello::rules::OthelloPosition,
        text::FenReading,
    },
};

/// Reads a position: rows as [`write()`] has them (also with `*`, `B`, `W`, `.`,
/// `-`); sixty-four letters; lists of squares (`B:Wd4,e5:Be4,d5`); the FEN of
/// Fairy-Stockfish, where `P` and `w` are Black's. Black moves where nothing is said.
///
/// ```
/// use plydex::games::othello::notation::fen;
/// for text in ["B:Wd4,e5:Be4,d5", "8/8/8/3pP3/3Pp3/8/8/8[PPpp] w - - 0 1"] {
///     assert_eq!(fen::write(&fen::read(text).unwrap().0), "8/8/8/3OX3/3XO3/8/8/8 b");
/// }
/// ```
///
/// # Errors
///
/// [`FenError`] where a field cannot be read.
pub fn read(text: &str) -> FenReading<OthelloPosition> {
    let said = |turn| Fields {
        turn,
        ..Fields::default()
    };
    let mut warnings = Vec::new();
    let words = fen::words(text, &mut warnings);
    let (&first, rest) = words.split_first().ok_or(FenError::Empty)?;
    if first.contains(':') {
        let (discs, turn) = list(&words.concat())?;
        return Ok((
            OthelloPosition::new(discs[0], discs[1], turn),
            said(true),
            warnings,
        ));
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
        fen::read_placement(placed, SHAPE, &mut warnings, |file, rank, rest| {
            let c = rest.chars().next()?;
            put((7 - rank) * 8 + file, c).then_some(c.len_utf8())
        })?;
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
        let text = clip(&extra.join(" "));
        let text = format!("after the side to move stands `{text}`; nothing more is allowed");
        return Err(FenError::impossible("extra-fields", text));
    }
    let position = OthelloPosition::new(discs[0], discs[1], turn);
    Ok((position, said(!rest.is_empty()), warnings))
}

/// The board, with the letters of Black and White.
const SHAPE: PlacementFacts = PlacementFacts {
    files: 8,
    ranks: 8,
    letters: "XO",
};

/// A list of squares, as PDN has pieces of draughts.
const LIST: FenField = FenField {
    word: "bad-char",
    name: "list of squares is",
    allowed: "are the side to move and squares of both, as in B:Wd4,e5:Be4,d5",
};

/// The side to move, 0 Black and 1 White, whose full name is as good as a letter. In
/// the FEN of Fairy-Stockfish the first side is always `w`.
fn side(text: &str, is_fairy: bool) -> Result<u8, FenError> {
    let sides = [
        ("b", u8::from(is_fairy)),
        ("w", u8::from(!is_fairy)),
        ("black", 0),
        ("white", 1),
        ("x", 0),
        ("o", 1),
        ("*", 0),
    ];
    fen::turn(text, &sides, &fen::TURN, &mut Vec::new())
}

/// Sixty-four letters in the order of reading.
fn letters(text: &str, mut put: impl FnMut(u8, char) -> bool) -> Result<(), FenError> {
    let found = text.chars().count();
    if found != 64 {
        return Err(FenError::RankCount {
            found: 1,
            expected: SHAPE.ranks,
        });
    }
    for (square, c) in (0..).zip(text.chars()) {
        if !put(square, c) {
            let found = if c.is_control() { '\u{FFFD}' } else { c };
            return Err(FenError::BadChar {
                rank: square / 8 + 1,
                found,
                letters: SHAPE.letters,
                files: SHAPE.files,
            });
        }
    }
    Ok(())
}

/// Squares listed by colour, as PDN has pieces of draughts.
fn list(text: &str) -> Result<([u64; 2], u8), FenError> {
    let text = text.trim_end_matches('.');
    let bad = || FenError::field(&LIST, text);
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
pub fn write(position: &OthelloPosition) -> String {
    let at = |file, rank| position.at((7 - rank) * 8 + file);
    let mut out = fen::write_placement(SHAPE.files, SHAPE.ranks, at, |side, out| {
        out.push(['X', 'O'][usize::from(side)]);
    });
    out.push_str(if position.turn() == 0 { " b" } else { " w" });
    out
}
