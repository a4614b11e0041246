//! The squares of a written move.

use super::{
    DraughtsMoveError,
    square::{Numbering, in_latin},
};
use crate::games::notation::clip;

/// More squares than any capture has: 72 squares bear no longer path worth
/// writing.
const SQUARES_MAX: usize = 48;

/// A move as it was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DraughtsMoveText {
    cells: [u8; SQUARES_MAX],
    count: u8,
    /// The cells of a list of captured pieces, where one was given.
    pub taken: Option<u128>,
}

impl DraughtsMoveText {
    const EMPTY: Self = Self {
        cells: [0; SQUARES_MAX],
        count: 0,
        taken: None,
    };

    /// The cells in the order they were written in; two at least.
    pub fn cells(&self) -> &[u8] {
        &self.cells[..usize::from(self.count)]
    }

    fn push(&mut self, cell: u8) -> Option<()> {
        *self.cells.get_mut(usize::from(self.count))? = cell;
        self.count += 1;
        Some(())
    }
}

/// Reads the squares of a move.
///
/// # Errors
///
/// [`DraughtsMoveError::Unreadable`] and [`DraughtsMoveError::NoSuchSquare`].
pub fn parse(text: &str, numbering: Numbering) -> Result<DraughtsMoveText, DraughtsMoveError> {
    let unreadable = || DraughtsMoveError::Unreadable(clip(text));
    let mut read = DraughtsMoveText::EMPTY;
    let latin = in_latin(text);
    let mut rest = latin.as_bytes();
    let mut in_list = false;
    while let [byte, tail @ ..] = rest {
        match byte {
            b'<' if !in_list && read.count >= 2 => {
                in_list = true;
                read.taken = Some(0);
                rest = tail;
            }
            b'>' if in_list => {
                in_list = false;
                rest = tail;
            }
            b'0'..=b'9' => {
                let digits = leading_digits(rest);
                // Without separators, squares have two digits each.
                let size = match digits {
                    1 | 2 => digits,
                    _ if digits.is_multiple_of(2) => 2,
                    _ => return Err(unreadable()),
                };
                for pair in rest[..digits].chunks(size) {
                    let cell = numbering
                        .cell_of_number(value(pair))
                        .ok_or_else(|| no_square(pair))?;
                    add(&mut read, in_list, cell).ok_or_else(unreadable)?;
                }
                rest = &rest[digits..];
            }
            b'a'..=b'l' | b'A'..=b'L' if tail.first().is_some_and(u8::is_ascii_digit) => {
                let digits = leading_digits(tail).min(2);
                // `a10` is a square of a high board only; elsewhere ranks have one digit.
                let digits = if numbering.board().height() < 10 {
                    1
                } else {
                    digits
                };
                let file = byte.to_ascii_lowercase() - b'a';
                let cell = numbering
                    .cell_of_file_and_rank(file, value(&tail[..digits]))
                    .ok_or_else(|| no_square(&rest[..=digits]))?;
                add(&mut read, in_list, cell).ok_or_else(unreadable)?;
                rest = &tail[digits..];
            }
            b'x' | b'X' | b'*' | b'+' | b'#' | b'~' => rest = tail,
            byte if byte.is_ascii_alphanumeric() => return Err(unreadable()),
            // Punctuation, spaces, typographic dashes and crosses in UTF-8.
            _ => rest = tail,
        }
    }
    if read.count < 2 {
        return Err(unreadable());
    }
    Ok(read)
}

fn add(read: &mut DraughtsMoveText, in_list: bool, cell: u8) -> Option<()> {
    match &mut read.taken {
        Some(taken) if in_list => {
            *taken |= 1 << cell;
            Some(())
        }
        _ => read.push(cell),
    }
}

fn leading_digits(text: &[u8]) -> usize {
    text.iter().take_while(|byte| byte.is_ascii_digit()).count()
}

/// The value of one or two digits.
fn value(digits: &[u8]) -> u8 {
    digits
        .iter()
        .fold(0, |value, digit| value * 10 + (digit - b'0'))
}

fn no_square(name: &[u8]) -> DraughtsMoveError {
    DraughtsMoveError::NoSuchSquare(clip(&String::from_utf8_lossy(name)))
}
