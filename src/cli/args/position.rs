//! A position that is typed for a command without a database.

use clap::Args as ClapArgs;

use crate::cli::error::CliError;
use crate::games::chess::notation::position_text::DiagramText;
use crate::games::position_input::TypedPosition;
use crate::games::variant::{self, Variant};
use crate::games::{AnyPosition, FormExtras};
use crate::query::{position, suggest};

/// A position to ask the rules about, and the game that it is of.
#[derive(Debug, Clone, Default, ClapArgs)]
pub struct PositionInputArgs {
    /// Moves, a FEN, a diagram or `startpos` [default: startpos]
    ///
    /// Moves begin at the start position. A diagram may be in any language. A line of
    /// EPD and a chess problem are read as well.
    #[arg(value_name = "POSITION")]
    pub position: Vec<String>,
    /// Variant [default: the one that POSITION fits]
    ///
    /// Any of its names, or its `GameType` number.
    #[arg(long, value_name = "NAME")]
    pub variant: Option<String>,
}

/// The variant of a name that was typed.
pub fn variant(name: &str) -> Result<&'static Variant, CliError> {
    Variant::named(name).ok_or_else(|| {
        CliError::new(format!("`{}` is not a known variant", name.trim())).hint(
            match suggest::nearest(name, variant::ALL.iter().map(|row| row.name)) {
                Some(meant) => {
                    format!("did you mean {meant}? `plydex variants` lists all variants")
                }
                None => "`plydex variants` lists all variants".to_owned(),
            },
        )
    })
}

/// What was typed for a position, with all that it says.
#[derive(Debug, Clone)]
pub struct PositionInput {
    /// The position.
    pub at: AnyPosition,
    /// What was said that the position does not keep.
    pub besides: FormExtras,
    /// What was said that a FEN does not say.
    pub diagram: Option<DiagramText>,
}

/// Reads what was typed, of the game that was named or that it looks like.
pub(crate) fn given(
    args: &PositionInputArgs,
    warnings: &mut Vec<String>,
) -> Result<PositionInput, CliError> {
    let text = args.position.join(" ");
    let text = if text.trim().is_empty() {
        "startpos"
    } else {
        text.as_str()
    };
    let named = args.variant.as_deref().map(variant).transpose()?;
    let read = read_typed(text, named.as_slice(), warnings)?;
    Ok(PositionInput {
        at: read.at,
        besides: FormExtras {
            fields: read.fields,
            double_step: read.aside.double_step,
            operations: read.aside.operations,
            ..FormExtras::default()
        },
        diagram: read.aside.diagram,
    })
}

/// Reads a position as people type it, of one of the requested games; of any, if none is requested.
/// What is worth a look is added to the warnings.
pub(crate) fn read_typed(
    text: &str,
    rows: &[&'static Variant],
    warnings: &mut Vec<String>,
) -> Result<TypedPosition, CliError> {
    let variants: Vec<u8> = rows.iter().map(|row| row.id).collect();
    position::read(text, &variants, warnings)
        .map_err(|error| CliError::from_error(&error).hint(error.hint.as_ref()))
}
