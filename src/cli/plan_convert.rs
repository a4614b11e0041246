//! What the arguments of `convert` and `board` mean.

use crate::notation::fen::EnPassant;
use crate::notation::kin;
use crate::notation::letters::{ENGLISH, Language};

use super::args_output::TextFormat;
use super::args_rules::{BoardArgs, ConvertArgs, EpArg};
use super::error::CliError;
use super::output::Destination;
use super::plan_draughts::{Given, given};
use super::plan_query::unknown_language;

/// What a position is turned into.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// FEN; that of PDN for draughts.
    Fen,
    /// X-FEN.
    XFen,
    /// Shredder-FEN.
    Shredder,
    /// A line of EPD.
    Epd,
    /// A diagram with the letters of a language.
    Forsyth(&'static Language),
    /// The string of draughts engines.
    Hub,
    /// A board of letters or figurines.
    Board,
    /// A drawing.
    Svg,
}

/// `convert`.
#[derive(Debug, Clone)]
pub struct ConvertPlan {
    /// What was typed.
    pub given: Given,
    /// What it becomes.
    pub to: Target,
    /// Its name, as typed.
    pub name: String,
    /// When the en passant square is written.
    pub en_passant: EnPassant,
    /// Of the answer.
    pub format: TextFormat,
}

/// `board`.
#[derive(Debug, Clone)]
pub struct BoardOfPlan {
    /// What was typed.
    pub given: Given,
    /// Letters, whatever the screen can show.
    pub ascii: bool,
    /// Black below.
    pub flip: bool,
    /// Where an SVG drawing goes; `None` is a board of text.
    pub svg: Option<Destination>,
}

/// `convert`.
pub(super) fn convert(
    args: &ConvertArgs,
    warnings: &mut Vec<String>,
) -> Result<ConvertPlan, CliError> {
    let to = target(&args.to, args.language.as_deref())?;
    let given = given(&args.given, warnings)?;
    let for_both = matches!(to, Target::Fen | Target::Board | Target::Svg);
    let draughts = matches!(given, Given::Draughts(_));
    // Castling can be written in two ways where arrays differ.
    let for_kin = |read: &kin::Reading, to| {
        let castles = read.at.variant.compound().is_some();
        for_both || castles && matches!(to, Target::XFen | Target::Shredder)
    };
    let wrong = match (draughts, to == Target::Hub) {
        _ if matches!(&given, Given::Kin(read) if !for_kin(read, to)) => {
            Some("is for chess itself")
        }
        (false, true) => Some("is for draughts"),
        (true, false) if !for_both => Some("is for chess"),
        _ => None,
    };
    if let Some(wrong) = wrong {
        return Err(CliError::new(format!("--to {} {wrong}", args.to)).hint(
            "fen, board and svg are for both; name the game with --variant if it was taken \
             for another",
        ));
    }
    let has_field = matches!(to, Target::Fen | Target::XFen | Target::Shredder);
    if args.ep.is_some() && (!has_field || !matches!(given, Given::Chess(_))) {
        return Err(CliError::new(format!(
            "--ep says nothing about --to {} of this position",
            args.to
        ))
        .hint("it is for fen, xfen and shredder, in chess; leave it out"));
    }
    let en_passant = match args.ep {
        Some(EpArg::Xfen) => EnPassant::XFen,
        Some(EpArg::Fen) => EnPassant::Always,
        None if to == Target::XFen => EnPassant::XFen,
        Some(EpArg::Legal) | None => EnPassant::Legal,
    };
    Ok(ConvertPlan {
        given,
        to,
        name: args.to.to_ascii_lowercase(),
        en_passant,
        format: args.answer.format,
    })
}

/// `board`.
pub(super) fn board(args: BoardArgs, warnings: &mut Vec<String>) -> Result<BoardOfPlan, CliError> {
    Ok(BoardOfPlan {
        given: given(&args.given, warnings)?,
        ascii: args.ascii,
        flip: args.flip,
        svg: args.svg.map(|path| Destination {
            path,
            force: args.force,
            other: "name another file with --svg",
        }),
    })
}

fn target(text: &str, in_language: Option<&str>) -> Result<Target, CliError> {
    let lower = text.trim().to_lowercase();
    if in_language.is_some() && lower != "forsyth" {
        return Err(CliError::new(format!(
            "--language says nothing about --to {}",
            text.trim()
        ))
        .hint("it is for --to forsyth, which takes the language as forsyth:LANG as well"));
    }
    Ok(match lower.as_str() {
        "fen" => Target::Fen,
        "xfen" | "x-fen" => Target::XFen,
        "shredder" | "shredder-fen" => Target::Shredder,
        "epd" => Target::Epd,
        "hub" => Target::Hub,
        "board" => Target::Board,
        "svg" => Target::Svg,
        "forsyth" => Target::Forsyth(in_language.map_or(Ok(ENGLISH), of_diagrams("--language"))?),
        _ => match lower.strip_prefix("forsyth:") {
            Some(name) => Target::Forsyth(of_diagrams("--to")(name)?),
            None => {
                return Err(CliError::new(format!("--to: `{text}` is no notation"))
                    .hint("fen, xfen, shredder, epd, forsyth:LANG, hub, board or svg"));
            }
        },
    })
}

/// The language of diagrams that an option names, by its code or its English name.
fn of_diagrams(option: &str) -> impl Fn(&str) -> Result<&'static Language, CliError> {
    move |name| Language::by_code(name.trim()).ok_or_else(|| unknown_language(option, name))
}

#[cfg(test)]
#[path = "plan_convert_tests.rs"]
mod tests;
