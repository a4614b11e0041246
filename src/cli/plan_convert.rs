//! What the arguments of `convert` and `board` mean.

use crate::games::chess::notation::fen::EnPassant;
use crate::games::notation::letters::{ENGLISH, Language};
use crate::games::{AnyPosition, FormExtras, PositionForm};

use super::args_output::BoardStyleArgs;
use super::args_output::TextFormat;
use super::args_rules::{BoardArgs, ConvertArgs};
use super::error::CliError;
use super::output::Destination;
use super::plan_query::unknown_language;
use super::plan_rules::{PositionInput, given};

/// What a position is turned into.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConvertTarget {
    /// A notation.
    Text(PositionForm),
    /// A board of letters or figurines.
    Board,
    /// A drawing.
    Svg,
}

/// `convert`.
#[derive(Debug, Clone)]
pub struct ConvertPlan {
    /// What was typed.
    pub given: PositionInput,
    /// What it becomes.
    pub to: ConvertTarget,
    /// Its name, as typed.
    pub name: String,
    /// Of the answer.
    pub format: TextFormat,
}

/// `board`.
#[derive(Debug, Clone)]
pub struct BoardOfPlan {
    /// What was typed.
    pub given: PositionInput,
    /// How the board looks.
    pub look: BoardStyleArgs,
    /// Where an SVG drawing goes; `None` is a board of text.
    pub svg: Option<Destination>,
}

/// `convert`.
pub(super) fn convert(
    args: &ConvertArgs,
    warnings: &mut Vec<String>,
) -> Result<ConvertPlan, CliError> {
    let to = target(&args.to, args.language.as_deref())?;
    let mut given = given(&args.given, warnings)?;
    if let ConvertTarget::Text(form) = to
        && given.at.write_as(form, &FormExtras::default()).is_none()
    {
        let (family, own) = (form.family(), AnyPosition::facts(given.at.variant()).family);
        let itself = if family == own { " itself" } else { "" };
        let wrong = format!("--to {} is only for {family}{itself}", args.to);
        return Err(CliError::new(wrong).hint(
            "fen, board and svg work for every variant; name the variant with --variant if the wrong one was chosen",
        ));
    }
    let has_field = matches!(to, ConvertTarget::Text(form) if form.has_en_passant());
    if args.ep.is_some() && !(has_field && given.at.has_en_passant()) {
        return Err(CliError::new(format!(
            "--ep has no effect on --to {} for this position",
            args.to
        ))
        .hint("it applies to fen, xfen and shredder of chess positions; leave it out"));
    }
    given.besides.en_passant = match args.ep {
        Some(written) => written,
        None if to == ConvertTarget::Text(PositionForm::XFen) => EnPassant::XFen,
        None => EnPassant::Legal,
    };
    Ok(ConvertPlan {
        given,
        to,
        name: args.to.to_ascii_lowercase(),
        format: args.answer.format,
    })
}

/// `board`.
pub(super) fn board(args: BoardArgs, warnings: &mut Vec<String>) -> Result<BoardOfPlan, CliError> {
    let other = "name another file with --svg";
    Ok(BoardOfPlan {
        given: given(&args.given, warnings)?,
        look: args.look,
        svg: (args.svg).map(|path| Destination::new(path, args.force, other)),
    })
}

fn target(text: &str, in_language: Option<&str>) -> Result<ConvertTarget, CliError> {
    let lower = text.trim().to_lowercase();
    if in_language.is_some() && lower != "forsyth" {
        return Err(
            CliError::new(format!("--language has no effect on --to {}", text.trim()))
                .hint("it applies to --to forsyth, which can also be written as forsyth:LANG"),
        );
    }
    let form = match lower.as_str() {
        "board" => return Ok(ConvertTarget::Board),
        "svg" => return Ok(ConvertTarget::Svg),
        "fen" => PositionForm::Fen,
        "xfen" | "x-fen" => PositionForm::XFen,
        "shredder" | "shredder-fen" => PositionForm::Shredder,
        "epd" => PositionForm::Epd,
        "hub" => PositionForm::Hub,
        "forsyth" => {
            PositionForm::Forsyth(in_language.map_or(Ok(ENGLISH), of_diagrams("--language"))?)
        }
        _ => match lower.strip_prefix("forsyth:") {
            Some(name) => PositionForm::Forsyth(of_diagrams("--to")(name)?),
            None => {
                return Err(
                    CliError::new(format!("--to: `{text}` is not a known notation"))
                        .hint("use fen, xfen, shredder, epd, forsyth:LANG, hub, board or svg"),
                );
            }
        },
    };
    Ok(ConvertTarget::Text(form))
}

/// The language of diagrams that an option names, by its code or its English name.
fn of_diagrams(option: &str) -> impl Fn(&str) -> Result<&'static Language, CliError> {
    move |name| Language::by_code(name.trim()).ok_or_else(|| unknown_language(option, name))
}

#[cfg(test)]
#[path = "plan_convert_tests.rs"]
mod tests;
