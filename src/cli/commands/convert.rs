//! `plydex convert`: one position in another notation.

use clap::Args as ClapArgs;
use serde::Serialize;

use crate::cli::CommandContext;
use crate::cli::args::output::{AnswerArgs, BoardStyleArgs, TextFormat};
use crate::cli::args::position::{PositionInput, PositionInputArgs, given};
use crate::cli::args::query_builder::unknown_language;
use crate::cli::args::value_parsers;
use crate::cli::commands::CommandArgs;
use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::draw::{board, svg};
use crate::games::chess::notation::fen::EnPassant;
use crate::games::notation::letters::{ENGLISH, Language};
use crate::games::{AnyPosition, FormExtras, PositionForm};

/// `plydex convert`.
#[derive(Debug, ClapArgs)]
#[command(after_long_help = "FORMAT is one of
  fen           the standard FEN; for draughts, the FEN of PDN
  xfen          with the en passant square wherever a pawn could capture by its move
  shredder      castling rights as the files of the rooks: HAha
  epd           four fields and the operations, sorted
  forsyth:LANG  the diagram with the piece letters of a language: forsyth:de
  hub           the position string of draughts engines
  board, svg    a drawing

Examples:
  plydex convert 'T7/4k3/4S3/K2L4/8/8/8/5T2'
  plydex convert e4 c5 --to forsyth:ru
  plydex convert 960:518 --to shredder
  plydex convert '4k3/8/8/8/8/8/4P3/4K3 w - - id \"x\"; bm e2e4' --to epd
  plydex convert W:W31,32:B19,K20 --to hub")]
pub struct ConvertArgs {
    /// The position.
    #[command(flatten)]
    pub given: PositionInputArgs,
    /// fen, xfen, shredder, epd, forsyth:LANG, hub, board or svg
    #[arg(long, value_name = "FORMAT", default_value = "fen")]
    pub to: String,
    /// Language of --to forsyth: de, fr, ru … [default: en]
    #[arg(long, value_name = "LANG")]
    pub language: Option<String>,
    /// En passant square: legal, xfen or fen [default: legal]
    ///
    /// It is written with legal if the capture is legal, with xfen if a pawn stands
    /// next to the one that moved, with fen after every double step. With --to xfen the
    /// default is xfen.
    #[arg(long, value_name = "WHEN", value_parser = value_parsers::one_of(EN_PASSANT))]
    pub ep: Option<EnPassant>,
    /// How the answer is given.
    #[command(flatten)]
    pub answer: AnswerArgs,
}

/// When the en passant square of a FEN is written: where a capture is legal, where a
/// pawn stands beside, or after every double step.
const EN_PASSANT: &[(&str, EnPassant)] = &[
    ("legal", EnPassant::Legal),
    ("xfen", EnPassant::XFen),
    ("fen", EnPassant::Always),
];

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

/// `convert`.
pub(crate) fn plan(
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

/// A position in another notation, for programs.
#[derive(Debug, Serialize)]
struct ConvertedPosition<'a> {
    variant: &'a str,
    to: &'a str,
    text: &'a str,
    fen: String,
    /// The language that a diagram was read in.
    language: Option<&'static str>,
    /// What the problem asks, if it was one.
    stipulation: Option<String>,
}

pub(crate) fn run(plan: &ConvertPlan, context: &mut CommandContext<'_>) -> Result<Exit, CliError> {
    let text = match plan.to {
        ConvertTarget::Board => board::draw(
            &plan.given.at.diagram(),
            context.screen.board_style(BoardStyleArgs::default()),
        ),
        ConvertTarget::Svg => drawing(&plan.given, false),
        ConvertTarget::Text(form) => {
            let mut line = written(&plan.given, form);
            if plan.format == TextFormat::Text {
                line.push('\n');
            }
            line
        }
    };
    match plan.format {
        TextFormat::Text => write!(context.out, "{text}")?,
        TextFormat::Json => {
            let diagram = plan.given.diagram.as_ref();
            let asked = diagram.and_then(|diagram| diagram.stipulation.as_ref());
            let answer = ConvertedPosition {
                variant: plan.given.at.variant().name,
                to: &plan.name,
                text: &text,
                fen: fen_of(&plan.given),
                language: diagram.map(|diagram| diagram.language.code),
                stipulation: asked.map(ToString::to_string),
            };
            context.json(&answer)?;
        }
    }
    Ok(Exit::Done)
}

/// The SVG; the side to move stands at the edge if it was given.
pub(super) fn drawing(given: &PositionInput, flipped: bool) -> String {
    let is_known = given.besides.fields.turn;
    let style = svg::Style {
        flipped,
        turn: is_known.then_some(given.at.turn() as u8),
        has_squares: false,
    };
    svg::draw(&given.at.diagram(), style)
}

/// The FEN in its one spelling.
fn fen_of(given: &PositionInput) -> String {
    let besides = FormExtras {
        en_passant: EnPassant::default(),
        ..given.besides.clone()
    };
    given
        .at
        .write_as(PositionForm::Fen, &besides)
        .unwrap_or_else(|| given.at.fen())
}

/// The position in a notation that its game has, as the plan made sure.
fn written(given: &PositionInput, form: PositionForm) -> String {
    let written = given.at.write_as(form, &given.besides);
    written.unwrap_or_else(|| fen_of(given))
}

impl CommandArgs for ConvertArgs {
    type Plan = ConvertPlan;

    fn plan(self, warnings: &mut Vec<String>) -> Result<Self::Plan, CliError> {
        plan(&self, warnings)
    }

    fn run(plan: &Self::Plan, context: &mut CommandContext<'_>) -> Result<Exit, CliError> {
        run(plan, context)
    }
}

#[cfg(test)]
#[path = "convert_tests.rs"]
mod tests;
