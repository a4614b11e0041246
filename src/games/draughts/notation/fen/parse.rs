//! Reading.

use std::fmt;

use crate::games::{
    draughts::{
        notation::moves::square::{BOTTOM_LEFT, Numbering, TOP_LEFT, in_latin},
        rules::{BLACK, DraughtsPiece, DraughtsPosition, WHITE},
    },
    notation::clip,
};

/// What is odd about a text that could be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FenNote {
    /// The side to move is `?` or missing; White was given the move.
    NoSide,
    /// There is text before the side to move.
    TextBefore,
    /// A man stands on the row where it should have become a king.
    Uncrowned,
    /// The variant writes letters, the text numbers; they were read from the top left.
    NumbersFromTopLeft,
    /// As before, but only from the bottom left do no men stand on their last row.
    NumbersFromBottomLeft,
    /// Pieces captured but not yet removed (lidraughts) were left out.
    CapturedLeftOut,
}

impl fmt::Display for FenNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoSide => "the FEN does not name the side to move",
            Self::TextBefore => "there is text before the FEN; it is skipped",
            Self::Uncrowned => "a man stands on the row where it should have become a king",
            Self::NumbersFromTopLeft => {
                "the variant writes letters; the numbers are read from the top left"
            }
            Self::NumbersFromBottomLeft => {
                "the variant writes letters; the numbers are read from the bottom left"
            }
            Self::CapturedLeftOut => "pieces captured but not yet removed are left out",
        })
    }
}

/// A position that was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FenText {
    /// The position; empty if only the side to move is given.
    pub position: DraughtsPosition,
    /// Whether the text gives the side to move and no squares, as `B::` does: a
    /// null move inside a game.
    pub turn_only: bool,
    /// What was odd, each once, in no particular order.
    pub notes: Vec<FenNote>,
    /// The corner from which numbers were read, as White sees it.
    pub number_corner: u8,
    /// How its squares are named.
    pub names: SquareNames,
}

impl FenText {
    fn new(numbering: Numbering, position: DraughtsPosition, names: SquareNames) -> Self {
        Self {
            position,
            turn_only: false,
            notes: Vec::new(),
            number_corner: numbering.number_corner(),
            names,
        }
    }

    fn note(&mut self, note: FenNote) {
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }
}

/// How a text names squares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SquareNames {
    /// By file and rank.
    Letters,
    /// By numbers, some of them at least.
    Numbers,
    /// By their place in a string of all.
    Order,
}

/// Why a text is no position.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DraughtsFenError {
    /// There is nothing.
    #[error("it contains no position")]
    Empty,
    /// Something that is neither colour, square nor counter.
    #[error("`{0}` is not part of a draughts position")]
    Unreadable(String),
    /// A square that the board does not have.
    #[error("`{0}` is not a square that this board uses")]
    NoSuchSquare(String),
    /// Two pieces on one square.
    #[error("square `{0}` is occupied twice")]
    Twice(String),
}

/// Reads a position. Numbers are tried as the numbering has them; where it
/// prefers letters, from the top left, and from the bottom left if only so no
/// man stands on its last row.
///
/// ```
/// use plydex::games::draughts::{notation::fen, rows::DraughtsVariant};
///
/// let variant = DraughtsVariant::by_name("international").unwrap();
/// let numbering = variant.numbering();
/// let read = fen::parse("W: W 28, K31-32 : B5.", numbering).unwrap();
/// assert_eq!(fen::write(&read.position, numbering), "W:W28,K31,K32:B5");
/// ```
///
/// # Errors
///
/// [`DraughtsFenError`] if the text is not understood; nothing is guessed.
pub fn parse(text: &str, numbering: Numbering) -> Result<FenText, DraughtsFenError> {
    let text = text
        .trim()
        .trim_matches(|c| matches!(c, '"' | '“' | '”' | '/'))
        .trim();
    if text.is_empty() {
        return Err(DraughtsFenError::Empty);
    }
    let has_uncrowned = |read: &FenText| read.position.uncrowned(numbering.board()) != 0;
    let mut read = match board_string(text, numbering) {
        Some(position) => FenText::new(numbering, position, SquareNames::Order),
        None => groups(text, numbering, has_uncrowned)?,
    };
    if has_uncrowned(&read) {
        read.note(FenNote::Uncrowned);
    }
    Ok(read)
}

/// The side to move and the squares of each.
fn groups(
    text: &str,
    numbering: Numbering,
    has_uncrowned: impl Fn(&FenText) -> bool,
) -> Result<FenText, DraughtsFenError> {
    let latin = in_latin(text);
    let text = latin.as_ref();
    let mut read = FenReader::new(text, numbering).read(text)?;
    if numbering.letters() && read.names == SquareNames::Numbers {
        let mut note = FenNote::NumbersFromTopLeft;
        if has_uncrowned(&read) && numbering.number_corner() == TOP_LEFT {
            let other = numbering.with_number_corner(BOTTOM_LEFT);
            let again = FenReader::new(text, other).read(text)?;
            if !has_uncrowned(&again) {
                read = again;
                note = FenNote::NumbersFromBottomLeft;
            }
        }
        read.note(note);
    }
    Ok(read)
}

/// Hub (`W` or `B`, then `w W b B e` for each square) and DXP (`W` or `Z`, then
/// `w W z Z e`), squares in the order of reading, capitals for kings.
fn board_string(text: &str, numbering: Numbering) -> Option<DraughtsPosition> {
    let (&side, squares) = text.as_bytes().split_first()?;
    if squares.len() != usize::from(numbering.board().square_count()) {
        return None;
    }
    let mut position = DraughtsPosition::empty(side_of(side)?);
    for (place, &code) in squares.iter().enumerate() {
        let side = match code {
            b'w' | b'W' => WHITE,
            b'b' | b'B' | b'z' | b'Z' => BLACK,
            b'e' | b'E' | b'.' => continue,
            _ => return None,
        };
        let king = code.is_ascii_uppercase();
        position.put(
            numbering.cell_in_reading_order(place as u8)?,
            DraughtsPiece { side, king },
        );
    }
    Some(position)
}

const fn side_of(letter: u8) -> Option<u8> {
    match letter {
        b'W' | b'w' => Some(WHITE),
        b'B' | b'b' | b'Z' | b'z' => Some(BLACK),
        _ => None,
    }
}

struct FenReader {
    numbering: Numbering,
    /// Whether a `G` or `P` before digits is lidraughts' mark and not a file.
    marks: bool,
    fen: FenText,
}

impl FenReader {
    fn new(text: &str, numbering: Numbering) -> Self {
        // Only texts that name squares by letters can mean a file by `G1`.
        let named = text.as_bytes().windows(2).any(|pair| {
            pair[1].is_ascii_digit()
                && matches!(
                    pair[0].to_ascii_lowercase(),
                    b'a' | b'c'..=b'e' | b'i' | b'j' | b'g'
                )
                && pair[0] != b'G'
        });
        Self {
            numbering,
            marks: !named,
            fen: FenText::new(
                numbering,
                DraughtsPosition::empty(WHITE),
                SquareNames::Letters,
            ),
        }
    }

    fn read(mut self, text: &str) -> Result<FenText, DraughtsFenError> {
        let text = text.replace('_', " ");
        let text = text.trim_end_matches(|c: char| c == '.' || c.is_whitespace());
        let mut fields = text.split(':').map(str::trim).peekable();
        let mut has_groups = false;
        let first = fields.peek().copied().unwrap_or_default();
        if let Some(turn) = self.side(first) {
            self.fen.position.set_turn(turn);
            fields.next();
        } else {
            self.fen.note(FenNote::NoSide);
        }
        for field in fields {
            has_groups |= self.field(field)?;
        }
        self.fen.turn_only = !has_groups;
        if self.fen.turn_only && self.fen.notes.contains(&FenNote::NoSide) {
            return Err(DraughtsFenError::Unreadable(clip(text)));
        }
        Ok(self.fen)
    }

    /// The side to move of the first field, which may end a line of other text.
    fn side(&mut self, field: &str) -> Option<u8> {
        let word = field.split_whitespace().next_back().unwrap_or_default();
        let turn = match word.as_bytes() {
            [letter] => side_of(*letter)?,
            _ if word.eq_ignore_ascii_case("white") => WHITE,
            _ if word.eq_ignore_ascii_case("black") => BLACK,
            _ => return None,
        };
        if word.len() != field.len() {
            self.fen.note(FenNote::TextBefore);
        }
        Some(turn)
    }

    /// One field after the side; whether it is a group of squares.
    fn field(&mut self, field: &str) -> Result<bool, DraughtsFenError> {
        let unreadable = || DraughtsFenError::Unreadable(clip(field));
        let Some(&letter) = field.as_bytes().first() else {
            return Ok(false);
        };
        match letter {
            b'?' if field.len() == 1 => {
                self.fen.note(FenNote::NoSide);
                return Ok(false);
            }
            b'H' | b'F' | b'h' | b'f' => {
                // Half moves without capture or man move, the number of the next move.
                field[1..].trim().parse::<u32>().map_err(|_| unreadable())?;
                return Ok(false);
            }
            // Frisian counters of king moves: no two programs agree on their order.
            b'+' => return Ok(false),
            _ => {}
        }
        let side = side_of(letter).ok_or_else(unreadable)?;
        self.squares(side, &field[1..])?;
        Ok(true)
    }

    fn squares(&mut self, side: u8, list: &str) -> Result<(), DraughtsFenError> {
        let mut rest = list.as_bytes();
        loop {
            rest = skip(rest);
            if rest.is_empty() {
                return Ok(());
            }
            let item = rest;
            let shown = || DraughtsFenError::Unreadable(clip(&String::from_utf8_lossy(item)));
            let mut captured = false;
            let mut king = false;
            match rest {
                // A lower case k before digits could be a file of a wide board.
                [b'K' | b'k', next, ..]
                    if rest[0] == b'K'
                        || !next.is_ascii_digit()
                        || self.numbering.board().width() < 11 =>
                {
                    king = true;
                    rest = skip(&rest[1..]);
                }
                [b'G' | b'P', b'0'..=b'9', ..] if self.marks => {
                    captured = true;
                    rest = &rest[1..];
                }
                _ => {}
            }
            let (first, after) = self.square(rest).ok_or_else(shown)??;
            rest = after.trim_ascii_start();
            let mut last = first;
            if let [b'-', tail @ ..] = rest {
                let tail = tail.trim_ascii_start();
                let tail = tail.strip_prefix(b"K").unwrap_or(tail);
                let (end, after) = self.square(tail).ok_or_else(shown)??;
                last = end;
                rest = after;
            }
            let range = first.number.zip(last.number);
            match range {
                _ if captured => self.fen.note(FenNote::CapturedLeftOut),
                Some((low, high)) => {
                    for number in low.min(high)..=low.max(high) {
                        let cell = self.numbering.cell_of_number(number);
                        self.put(cell.ok_or_else(shown)?, DraughtsPiece { side, king })?;
                    }
                }
                None if first.cell == last.cell => {
                    self.put(first.cell, DraughtsPiece { side, king })?;
                }
                // A range of named squares: their order is undefined.
                None => return Err(shown()),
            }
        }
    }

    fn put(&mut self, cell: u8, piece: DraughtsPiece) -> Result<(), DraughtsFenError> {
        if self.fen.position.at(cell).is_some() {
            return Err(DraughtsFenError::Twice(self.numbering.name(cell)));
        }
        self.fen.position.put(cell, piece);
        Ok(())
    }

    /// The square at the beginning of the text; `None` if there is none, an
    /// error if the board does not have it.
    #[allow(clippy::type_complexity)]
    fn square<'t>(
        &mut self,
        text: &'t [u8],
    ) -> Option<Result<(SquareText, &'t [u8]), DraughtsFenError>> {
        let letters = usize::from(text.first()?.is_ascii_alphabetic());
        let digits = text[letters..]
            .iter()
            .take_while(|byte| byte.is_ascii_digit())
            .count();
        let (square, rest) = text.split_at(letters + digits);
        let value = std::str::from_utf8(&square[letters..]).ok()?;
        if value.is_empty() {
            return None;
        }
        let value = value.parse::<u8>().unwrap_or(u8::MAX);
        let cell = if letters == 1 {
            let file = square[0].to_ascii_lowercase() - b'a';
            self.numbering.cell_of_file_and_rank(file, value)
        } else {
            self.fen.names = SquareNames::Numbers;
            self.numbering.cell_of_number(value)
        };
        Some(match cell {
            Some(cell) => Ok((
                SquareText {
                    cell,
                    number: (letters == 0).then_some(value),
                },
                rest,
            )),
            None => Err(DraughtsFenError::NoSuchSquare(clip(
                &String::from_utf8_lossy(square),
            ))),
        })
    }
}

#[derive(Clone, Copy)]
struct SquareText {
    cell: u8,
    /// If it was named by one.
    number: Option<u8>,
}

fn skip(text: &[u8]) -> &[u8] {
    let count = text
        .iter()
        .take_while(|byte| byte.is_ascii_whitespace() || matches!(byte, b',' | b';'))
        .count();
    &text[count..]
}
