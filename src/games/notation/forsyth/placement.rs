//! One diagram in one language, letter by letter.

use crate::games::chess::basics::{Board, Color, Piece, Square};

use super::ForsythError;
use crate::games::notation::{
    fen::{CHESS, FenError, read_placement, write_placement},
    letters::{Language, ROLES, lower, upper},
};

/// Reads the ranks. A capital is White's, letter by letter.
pub(super) fn read(text: &str, language: &Language) -> Result<Board, ForsythError> {
    if !text.contains('/') {
        return all_squares(text, language);
    }
    let text = text.trim_end_matches('/');
    // The letters come first: what is no piece shows the language, which
    // miscounted ranks do not.
    let mut rest = text;
    while let Some(at) = rest.find(|c: char| !c.is_ascii_digit() && c != '/') {
        let (_, length) = piece(&rest[at..], language)?;
        rest = &rest[at + length..];
    }
    let mut board = Board::empty();
    // Within slashes a rank has eight squares, so two digits are two numbers.
    let read = read_placement(text, CHESS, &mut Vec::new(), |file, rank, rest| {
        let (piece, length) = piece(rest, language).ok()?;
        board.set_piece_at(Square::new(u32::from(rank) * 8 + u32::from(file)), piece);
        Some(length)
    });
    match read {
        Ok(()) => Ok(board),
        Err(FenError::RankCount { found, .. }) => Err(ForsythError::RankCount { found }),
        Err(FenError::RankWidth {
            rank, found, text, ..
        }) => Err(ForsythError::RankWidth { rank, found, text }),
        // All letters are known by now.
        Err(FenError::BadChar { found, .. }) => Err(ForsythError::BadChar { found }),
        Err(_) => Err(ForsythError::Empty),
    }
}

/// Squares of a board.
pub(super) const SQUARES_MAX: usize = 64;

/// Squares that a diagram without slashes says at least: empty ones at its end may be left out, but
/// not complete ranks.
pub(super) const SQUARES_MIN: usize = 57;

/// A diagram without slashes: numbers run over the ranks.
fn all_squares(text: &str, language: &Language) -> Result<Board, ForsythError> {
    // A hostile text is refused before its numbers can run over.
    const DIGITS_MAX: usize = 9;
    let mut board = Board::empty();
    let (mut found, mut rest) = (0_usize, text);
    while let Some(c) = rest.chars().next() {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        if digits == 0 {
            let (piece, length) = piece(rest, language)?;
            if found < SQUARES_MAX {
                let square = (7 - found / 8) * 8 + found % 8;
                board.set_piece_at(Square::new(square as u32), piece);
            }
            found += 1;
            rest = &rest[length..];
            continue;
        }
        let run = rest[..digits].parse::<usize>().ok();
        let run = run.filter(|_| c != '0' && digits < DIGITS_MAX);
        found += run.ok_or(ForsythError::BadChar { found: c })?;
        rest = &rest[digits..];
    }
    if (SQUARES_MIN..=SQUARES_MAX).contains(&found) && !board.occupied().is_empty() {
        Ok(board)
    } else {
        Err(ForsythError::SquareCount { found })
    }
}

/// The piece that a text begins with, and how many bytes of it; the longest letter wins
/// (`Кр` before `К`).
fn piece(text: &str, language: &Language) -> Result<(Piece, usize), ForsythError> {
    let length_of = |letter: &str| {
        let mut rest = text.chars();
        let fits = letter
            .chars()
            .all(|a| rest.next().is_some_and(|b| upper(a) == upper(b)));
        fits.then(|| text.len() - rest.as_str().len())
    };
    let first = text.chars().next().unwrap_or('\u{FFFD}');
    ROLES
        .into_iter()
        .zip(language.letters.iter())
        .filter_map(|(role, letter)| Some((role, length_of(letter)?)))
        .max_by_key(|(_, length)| *length)
        .map(|(role, length)| {
            let color = Color::from_white(upper(first) == first);
            (Piece { color, role }, length)
        })
        .ok_or(ForsythError::BadChar {
            found: if first.is_control() {
                '\u{FFFD}'
            } else {
                first
            },
        })
}

/// Writes a board in a language. Final sigma is never written: a black pawn in
/// Greek is `σ` wherever it stands.
pub fn write(board: &Board, language: &Language) -> String {
    let at =
        |file: u8, rank: u8| board.piece_at(Square::new(u32::from(rank) * 8 + u32::from(file)));
    write_placement(CHESS.files, CHESS.ranks, at, |piece: Piece, out| {
        let letter = language.letter(piece.role);
        if piece.color == Color::White {
            out.push_str(letter);
        } else {
            out.extend(letter.chars().map(lower));
        }
    })
}
