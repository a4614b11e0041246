//! What was typed, read: positions, dates, names of variants.

use crate::cli::error::CliError;
use crate::cli::suggest;
use crate::formats::composition;
use crate::games::position_input::{self, ExpectedVariants, TypedPosition, Warning};
use crate::games::variant::{self, Variant};
use crate::pgn::tags::date::{self, PgnDate};

/// Reads a position as people type it, of one of the requested games; of any, if none is requested.
/// What is worth a look is added to the warnings.
pub fn read_typed(
    text: &str,
    rows: Vec<&'static Variant>,
    warnings: &mut Vec<String>,
) -> Result<TypedPosition, CliError> {
    let hint = ExpectedVariants { rows };
    let read = position_input::requested_position(text, &hint)
        .or_else(|error| match composition::listed_board(text) {
            // Pieces of chess as problems list them are the bare board with them.
            Some(board) => position_input::read_position(&board, &hint).map_err(|of_board| {
                // Other games see no board in its text.
                if hint.rows.is_empty() {
                    of_board
                } else {
                    error
                }
            }),
            None => Err(error),
        })
        .map_err(|error| CliError::from_error(&error).hint(error.hint.as_ref()))?;
    let news = read.warnings.iter().filter(|warning| !warning.is_usual());
    warnings.extend(news.map(Warning::to_string));
    Ok(read)
}

/// Reads `--from` or `--to`, packed as [`crate::db::query::Filter::date_from`] has it.
pub fn parse_date(text: &str) -> Result<u32, String> {
    match date::parse(text.trim().as_bytes()) {
        (date, None) if date != PgnDate::UNKNOWN => Ok(date.to_packed()),
        _ => Err(format!(
            "`{text}` is not a date; write 2019, 2019-05 or 2019-05-31"
        )),
    }
}

/// The registry number of a variant, by any of its spellings.
pub fn variant_id(name: &str) -> Result<u8, String> {
    Variant::named(name)
        .map(|variant| variant.id)
        .ok_or_else(|| {
            let known: Vec<_> = variant::ALL.iter().map(|variant| variant.name).collect();
            match suggest::nearest(name, known.iter().copied()) {
                Some(meant) => format!(
                    "`{name}` is not a known variant; did you mean {meant}? `plydex variants` lists all"
                ),
                None => format!(
                    "`{name}` is not a known variant; the known ones are {}",
                    known.join(", ")
                ),
            }
        })
}
