//! `plydex variants`: what the registry has.

use clap::Args as ClapArgs;

use crate::cli::CommandContext;
use crate::cli::args::output::{AnswerArgs, BoardStyleArgs, TextFormat};
use crate::cli::args::position::variant;
use crate::cli::commands::CommandArgs;
use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::cli::render::variants;
use crate::draw::board;
use crate::games::AnyPosition;
use crate::games::variant::{ALL, Variant};

/// `plydex variants`.
#[derive(Debug, ClapArgs)]
#[command(after_long_help = "Examples:
  plydex variants                         all variants
  plydex variants frisian                 the rules of one in brief, and its start position
  plydex variants 25                      by its GameType in PDN")]
pub struct VariantsArgs {
    /// A variant, by any of its names or its `GameType` number
    #[arg(value_name = "NAME")]
    pub name: Vec<String>,
    /// How the answer is given.
    #[command(flatten)]
    pub answer: AnswerArgs,
}

/// `variants`: which one, if one is named. Names may have blanks.
pub fn plan(args: &VariantsArgs) -> Result<Option<&'static Variant>, CliError> {
    let name = args.name.join(" ");
    (!name.is_empty()).then(|| variant(&name)).transpose()
}

pub(crate) fn run(
    variant: Option<&'static Variant>,
    format: TextFormat,
    context: &mut CommandContext<'_>,
) -> Result<Exit, CliError> {
    let (out, screen) = (&mut *context.out, &context.screen);
    match (variant, format) {
        (None, TextFormat::Text) => variants::list(out, screen)?,
        (None, TextFormat::Json) => {
            let rows = ALL.iter();
            let all: Vec<_> = rows.map(|row| AnyPosition::facts(row).json).collect();
            context.json(&all)?;
        }
        (Some(row), TextFormat::Text) => {
            let start = AnyPosition::start(row);
            let drawn = start.map(|at| {
                board::draw(&at.diagram(), screen.board_style(BoardStyleArgs::default()))
            });
            variants::one(out, screen, row, drawn.as_deref())?;
        }
        (Some(row), TextFormat::Json) => context.json(&AnyPosition::facts(row).json)?,
    }
    Ok(Exit::Done)
}

impl CommandArgs for VariantsArgs {
    const IS_PAGED: bool = true;
    type Plan = (Option<&'static Variant>, TextFormat);

    fn plan(self, _: &mut Vec<String>) -> Result<Self::Plan, CliError> {
        Ok((plan(&self)?, self.answer.format))
    }

    fn run(plan: &Self::Plan, context: &mut CommandContext<'_>) -> Result<Exit, CliError> {
        run(plan.0, plan.1, context)
    }
}
