//! Positions of chess that are written out: a FEN in any spelling, a line of EPD, a
//! Chess960 number, a diagram in any language, a problem, lists of pieces.

mod diagram;
mod pieces;

use crate::games::chess::basics::{Bitboard, Board, Chess, Setup};

pub use diagram::DiagramText;

use super::fen::{self, FenError, Fields};
use crate::base::diagnostic::Code;
use crate::games::{
    ParsedPosition, ReadConfidence, ReadFailure,
    notation::{clip, epd},
};

/// Why a text is no FEN, and what to do about it.
fn no_fen(error: &FenError) -> ReadFailure {
    let hint = if error.is_of_pieces() {
        "check the pieces and the side to move"
    } else {
        "a FEN is eight ranks separated by `/`, the side to move, castling rights, en passant \
         square and two counters; only the ranks are required"
    };
    ReadFailure::at(error.reached(), format!("not a valid FEN: {error}"), hint)
}

/// Reads a position that is written out: a FEN with one to six fields, EPD, `960:518`, a
/// diagram with the piece letters of any language, alone, with the other fields of a FEN
/// or in the line of a problem, `Ke1 Qd1 / Ke8`. Moves after a FEN are ignored.
///
/// # Errors
///
/// What it was understood as and where that broke.
pub fn read(text: &str) -> Result<ParsedPosition<Chess>, ReadFailure> {
    if let Some(number) = chess960_number(text) {
        return chess960(number);
    }
    let mut read = read_fen(text).or_else(|error| {
        let other = diagram::read(text)
            .or_else(|| pieces::read(text))
            .or_else(|| diagram::described(text));
        other.unwrap_or(Err(error))
    })?;
    // Letters and numbers without slashes may be anything.
    if read.aside.diagram.is_some() && !text.contains('/') {
        read.fit = ReadConfidence::Loose;
    }
    Ok(read)
}

/// Reads a FEN or a line of EPD. Whatever is wrong with an operation is a warning, and its
/// text is kept.
fn read_fen(text: &str) -> Result<ParsedPosition<Chess>, ReadFailure> {
    let reading = fen::read(text).map_err(|error| no_fen(&error))?;
    let mut read = set_up(reading.setup, reading.fields, reading.warnings)?;
    read.aside.double_step = reading.double_step.map(u8::from);
    if let Some(operations) = reading.operations {
        let found = epd::operations(&operations, Some(&read.at.clone().into()));
        // Four fields are all that EPD has.
        read.codes
            .retain(|&code| !(read.fields.ep && code == Code::MissingFields));
        read.note(&found.warnings);
        read.aside.operations = found.list;
    }
    Ok(read)
}

/// Sets up a position. Where no side to move is given and it cannot be White, since Black is in
/// check, it is Black.
fn set_up(
    mut setup: Setup,
    fields: Fields,
    mut codes: Vec<Code>,
) -> Result<ParsedPosition<Chess>, ReadFailure> {
    let before = codes.len();
    let mut position = fen::set_up(&setup, &mut codes);
    if matches!(&position, Err(error) if error.word() == "opposite-check") && !fields.turn {
        setup.turn = !setup.turn;
        codes.truncate(before);
        position = fen::set_up(&setup, &mut codes);
    }
    let position = position.map_err(|error| no_fen(&error))?;
    Ok(ParsedPosition {
        codes,
        ..ParsedPosition::new(position, fields)
    })
}

/// The text after `960:` and the like.
fn chess960_number(text: &str) -> Option<&str> {
    let behind = |prefix: &str| {
        let (head, rest) = text.split_at_checked(prefix.len())?;
        let rest = rest.trim_start().strip_prefix([':', '#', '='])?;
        head.eq_ignore_ascii_case(prefix).then(|| rest.trim())
    };
    ["chess960", "fischerandom", "frc", "960", "sp"]
        .into_iter()
        .find_map(behind)
}

fn chess960(text: &str) -> Result<ParsedPosition<Chess>, ReadFailure> {
    let number = text.parse::<u32>().ok().filter(|&number| number < 960);
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
    let Some(number) = number.filter(|_| is_number) else {
        let message = format!(
            "not a valid Chess960 start: `{}` is not a number from 0 to 959",
            clip(text)
        );
        return Err(ReadFailure::at(
            ReadFailure::BOARD,
            message,
            "518 is the standard start position",
        ));
    };
    let board = Board::chess960(number);
    let setup = Setup {
        castling_rights: board.rooks() & Bitboard::BACKRANKS,
        board,
        ..Setup::initial()
    };
    set_up(setup, Fields::ALL, Vec::new())
}
