//! What was typed, read: positions.

use crate::cli::error::CliError;
use crate::games::position_input::TypedPosition;
use crate::games::variant::Variant;
use crate::query::position;

/// Reads a position as people type it, of one of the requested games; of any, if none is requested.
/// What is worth a look is added to the warnings.
pub fn read_typed(
    text: &str,
    rows: &[&'static Variant],
    warnings: &mut Vec<String>,
) -> Result<TypedPosition, CliError> {
    let variants: Vec<u8> = rows.iter().map(|row| row.id).collect();
    position::read(text, &variants, warnings)
        .map_err(|error| CliError::from_error(&error).hint(error.hint.as_ref()))
}
