//! One diagram in one language, letter by letter.

use crate::games::chess::basics::{Board, Color, Piece, Square};

use super::ForsythError;
use crate::games::notation::{
    clip,
    letters::{Language, ROLES, lower, upper},
};

/// A piece or a run of empty squares.
enum Item {
    Piece(Piece),
    Empty(usize),
}

/// Reads the ranks. A capital is White's, letter by letter.
pub(super) fn read(text: &str, language: &Language) -> Result<Board, ForsythError> {
    // The letters come first: what is no piece tells the language, which
    // miscounted ranks do not.
    let capitals: Vec<Vec<char>> = language
        .letters
        .iter()
        .map(|l| l.chars().collect())
        .collect();
    if text.contains('/') {
        ranks(text.trim_end_matches('/'), &capitals)
    } else {
        all_squares(text, &capitals)
    }
}

fn ranks(text: &str, letters: &[Vec<char>]) -> Result<Board, ForsythError> {
    let mut lines = Vec::with_capacity(8);
    for line in text.split('/') {
        lines.push(items(line, letters)?);
    }
    if lines.len() != 8 {
        return Err(ForsythError::RankCount { found: lines.len() });
    }
    let mut board = Board::empty();
    for ((rank, line), text) in (0_u8..8).rev().zip(lines).zip(text.split('/')) {
        // Within slashes a rank has eight squares, so two digits are two numbers.
        let width: usize = line.iter().map(|item| squares(item, true)).sum();
        if width != 8 {
            return Err(ForsythError::RankWidth {
                rank: rank + 1,
                found: width,
                text: clip(text),
            });
        }
        let mut file = 0;
        for item in &line {
            if let &Item::Piece(piece) = item {
                put(&mut board, rank, file, piece);
            }
            file += squares(item, true);
        }
    }
    Ok(board)
}

/// A diagram without slashes: numbers run over the ranks.
fn all_squares(text: &str, letters: &[Vec<char>]) -> Result<Board, ForsythError> {
    let items = items(text, letters)?;
    let found: usize = items.iter().map(|item| squares(item, false)).sum();
    // Empty squares at the end may be left out, but not whole boards.
    let pieces = items.iter().any(|item| matches!(item, Item::Piece(_)));
    if !(57..=64).contains(&found) || !pieces {
        return Err(ForsythError::SquareCount { found });
    }
    let mut board = Board::empty();
    let mut place = 0_usize;
    for item in &items {
        if let &Item::Piece(piece) = item {
            put(&mut board, 7 - (place / 8) as u8, place % 8, piece);
        }
        place += squares(item, false);
    }
    Ok(board)
}

fn put(board: &mut Board, rank: u8, file: usize, piece: Piece) {
    let square = Square::new(u32::from(rank) * 8 + file as u32);
    board.set_piece_at(square, piece);
}

/// How many squares an item takes; digits added up, or read as one number.
fn squares(item: &Item, digit_sum: bool) -> usize {
    match item {
        Item::Piece(_) => 1,
        Item::Empty(run) if !digit_sum => *run,
        Item::Empty(run) => {
            let (mut rest, mut sum) = (*run, 0);
            while rest > 0 {
                sum += rest % 10;
                rest /= 10;
            }
            sum
        }
    }
}

/// The pieces and runs of a rank; the longest letter wins (`Кр` before `К`).
fn items(line: &str, letters: &[Vec<char>]) -> Result<Vec<Item>, ForsythError> {
    // A hostile text is refused before its numbers can run over.
    const RUN_MAX: usize = 100_000_000;
    let chars: Vec<char> = line.chars().collect();
    let (mut items, mut at) = (Vec::new(), 0);
    while let Some(&c) = chars.get(at) {
        if let Some(digit) = c.to_digit(10) {
            let digit = digit as usize;
            match items.last_mut() {
                Some(Item::Empty(run)) if *run < RUN_MAX => *run = *run * 10 + digit,
                Some(Item::Empty(_)) => return Err(ForsythError::BadChar { found: c }),
                _ if digit == 0 => return Err(ForsythError::BadChar { found: c }),
                _ => items.push(Item::Empty(digit)),
            }
            at += 1;
            continue;
        }
        let fits = |letter: &[char]| {
            chars.len() - at >= letter.len()
                && letter
                    .iter()
                    .zip(&chars[at..])
                    .all(|(a, &b)| upper(*a) == upper(b))
        };
        let longest = ROLES
            .into_iter()
            .zip(letters)
            .filter(|(_, letter)| fits(letter))
            .max_by_key(|(_, letter)| letter.len());
        let Some((role, letter)) = longest else {
            let found = if c.is_control() { '\u{FFFD}' } else { c };
            return Err(ForsythError::BadChar { found });
        };
        let color = Color::from_white(upper(c) == c);
        items.push(Item::Piece(Piece { color, role }));
        at += letter.len();
    }
    Ok(items)
}

/// Writes the ranks from the eighth down.
pub(super) fn write(board: &Board, language: &Language) -> String {
    let mut out = String::with_capacity(80);
    for rank in (0_u32..8).rev() {
        let mut empty = 0;
        for file in 0..8 {
            let Some(piece) = board.piece_at(Square::new(rank * 8 + file)) else {
                empty += 1;
                continue;
            };
            run(empty, &mut out);
            empty = 0;
            let letter = language.letter(piece.role);
            if piece.color == Color::White {
                out.push_str(letter);
            } else {
                out.extend(letter.chars().map(lower));
            }
        }
        run(empty, &mut out);
        if rank > 0 {
            out.push('/');
        }
    }
    out
}

fn run(empty: u32, out: &mut String) {
    if let Some(digit) = char::from_digit(empty, 10).filter(|_| empty > 0) {
        out.push(digit);
    }
}
