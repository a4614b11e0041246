//! `plydex eco`: what a position is called, and which positions have a name.

use super::CommandContext;
use super::args_output::TextFormat;
use super::error::CliError;
use super::exit::Exit;
use super::render::openings;
use crate::games::opening_names::{OpeningQuery, nearest};
use crate::games::position_input::TypedPosition;

/// The query about openings.
#[derive(Debug, Clone)]
pub enum EcoPlan {
    /// What a position is called.
    Position(Box<TypedPosition>),
    /// Which openings have a code, or words in their names.
    List(OpeningQuery),
}

pub(crate) fn run(
    plan: &EcoPlan,
    format: TextFormat,
    context: &mut CommandContext<'_>,
) -> Result<Exit, CliError> {
    match plan {
        EcoPlan::Position(typed) => {
            let answer = openings::PositionOpening::of(typed);
            match format {
                TextFormat::Text => answer.write(context.out, &context.screen)?,
                TextFormat::Json => context.json(&answer)?,
            }
            Ok(Exit::found(answer.is_named().into()))
        }
        EcoPlan::List(asked) => {
            let list = openings::OpeningList::of(&asked.openings());
            if let (true, [text, ..]) = (list.is_empty(), &asked.texts[..]) {
                context.notes.note(&nothing_found(text));
            }
            match format {
                TextFormat::Text => list.write(context.out, &context.screen)?,
                TextFormat::Json => context.json(&list)?,
            }
            Ok(Exit::found(list.openings.len() as u64))
        }
    }
}

/// Says that no name has some words, and which nearly have.
pub(super) fn nothing_found(text: &str) -> String {
    let meant = nearest(text).map(|near| format!("; did you mean {near}?"));
    format!("no opening is called `{text}`{}", meant.unwrap_or_default())
}
