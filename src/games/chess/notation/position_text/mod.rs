//! Positions of chess that are written out: a FEN in any spelling, a line of EPD, a
//! Chess960 number, a diagram in any language, a problem, lists of pieces.

mod diagram;
mod pieces;

use crate::games::chess::basics::{Bitboard, Board, Chess, Setup, Square};

pub use diagram::Told;

use super::{
    fen::{self, FenError, Fields},
    lenient_move::MoveError,
};
use crate::base::diagnostic::Code;
use crate::games::notation::{clip, epd, forsyth::ForsythError};

/// A position as a user gave it.
#[derive(Debug, Clone)]
pub struct PositionText {
    /// The position.
    pub position: Chess,
    /// What was said about it: a search does not ask for the rest.
    pub fields: Fields,
    /// What was repaired, each code once.
    pub warnings: Vec<Code>,
    /// The square that a double step has just passed over, whether or not a capture
    /// there is legal: for FENs of older customs.
    pub double_step: Option<Square>,
    /// The operations of a line of EPD.
    pub operations: Vec<epd::Operation>,
    /// What was said that a FEN does not say: the language of a diagram, a problem.
    pub told: Option<Told>,
}

/// Why a text is no position. The message says what it was understood as and
/// where that broke; [`PositionTextError::hint`] says what to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PositionTextError {
    /// Read as a FEN, but it is none.
    #[error("not a valid FEN: {0}")]
    Fen(FenError),
    /// Read as a diagram with letters of another language, but it is none.
    #[error("not a valid diagram: {0}")]
    Diagram(ForsythError),
    /// Read as the number of a Chess960 start.
    #[error("not a valid Chess960 start: `{text}` is not a number from 0 to 959")]
    Chess960Number {
        /// What stands for the number.
        text: String,
    },
}

/// What is wrong with a word, as a person is told, and what to do about it.
pub(crate) fn describe(error: &MoveError) -> (String, &'static str) {
    let what = match error {
        MoveError::NotAMove { word } => format!("`{word}` is not a move"),
        MoveError::Illegal { word, reason } => format!("`{word}` cannot be played: {reason}"),
        MoveError::Ambiguous { word, reason } => format!("`{word}` is ambiguous: {reason}"),
    };
    let hint = match error {
        MoveError::Ambiguous { .. } => {
            "name the file or rank that the piece comes from, as in Nbd2 or R1e2"
        }
        MoveError::Illegal { .. } => "`plydex moves` lists the legal moves of a position",
        MoveError::NotAMove { .. } => {
            "moves can be written in SAN (Nf3), long (Ng1-f3) or UCI (g1f3) notation"
        }
    };
    (what, hint)
}

impl PositionTextError {
    /// What the user can do about it.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Fen(error) if error.is_of_pieces() => "check the pieces and the side to move",
            Self::Diagram(_) => {
                "a diagram is eight ranks from the top, separated by `/`, with the piece letters of one language"
            }
            Self::Fen(_) => {
                "a FEN is eight ranks separated by `/`, the side to move, castling rights, en passant square and two counters; only the ranks are required"
            }
            Self::Chess960Number { .. } => "518 is the standard start position",
        }
    }
}

/// Reads a position that is written out: a FEN with one to six fields, EPD, `960:518`, a
/// diagram with the piece letters of any language, alone, with the other fields of a FEN
/// or in the line of a problem, `Ke1 Qd1 / Ke8`. Moves behind a FEN are not looked at.
///
/// # Errors
///
/// [`PositionTextError`]; print its hint below it.
pub fn read(text: &str) -> Result<PositionText, PositionTextError> {
    if let Some(number) = chess960_number(text) {
        return chess960(number);
    }
    read_fen(text).or_else(|error| {
        let other = diagram::read(text).or_else(|| pieces::read(text));
        other.unwrap_or(Err(error))
    })
}

/// Reads a FEN or a line of EPD.
fn read_fen(text: &str) -> Result<PositionText, PositionTextError> {
    let mut reading = fen::read(text).map_err(PositionTextError::Fen)?;
    let position = set_up(&mut reading.setup, reading.fields, &mut reading.warnings)
        .map_err(PositionTextError::Fen)?;
    let mut warnings = reading.warnings;
    let mut operations = Vec::new();
    if reading.operations.is_some()
        && let Ok(epd) = epd::read(text)
    {
        operations = epd.operations;
        warnings = epd.warnings;
    }
    Ok(PositionText {
        position,
        fields: reading.fields,
        warnings,
        double_step: reading.double_step,
        operations,
        told: None,
    })
}

/// Sets up a position. Where nobody said who moves and it cannot be White,
/// since Black is in check, it is Black.
fn set_up(setup: &mut Setup, fields: Fields, warnings: &mut Vec<Code>) -> Result<Chess, FenError> {
    let before = warnings.len();
    match fen::set_up(setup, warnings) {
        Err(error) if error.word() == "opposite-check" && !fields.turn => {
            setup.turn = !setup.turn;
            warnings.truncate(before);
            fen::set_up(setup, warnings)
        }
        done => done,
    }
}

/// The text after `960:` and its kin.
fn chess960_number(text: &str) -> Option<&str> {
    let lower = text.to_ascii_lowercase();
    for prefix in ["chess960", "fischerandom", "frc", "960", "sp"] {
        if lower.starts_with(prefix) {
            let rest = text[prefix.len()..].trim_start();
            if let Some(number) = rest.strip_prefix([':', '#', '=']) {
                return Some(number.trim());
            }
        }
    }
    None
}

fn chess960(text: &str) -> Result<PositionText, PositionTextError> {
    let wrong = || PositionTextError::Chess960Number { text: clip(text) };
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    let number = text
        .parse::<u32>()
        .ok()
        .filter(|&n| n < 960 && digits)
        .ok_or_else(wrong)?;
    let board = Board::chess960(number);
    let castling_rights = board.rooks() & Bitboard::BACKRANKS;
    let setup = Setup {
        board,
        castling_rights,
        ..Setup::initial()
    };
    let mut warnings = Vec::new();
    let position = fen::set_up(&setup, &mut warnings).map_err(PositionTextError::Fen)?;
    Ok(PositionText {
        position,
        fields: Fields::ALL,
        warnings,
        double_step: None,
        operations: Vec::new(),
        told: None,
    })
}
