//! `plydex board`.

use std::path::PathBuf;

use clap::Args as ClapArgs;

use crate::cli::CommandContext;
use crate::cli::args::output::BoardStyleArgs;
use crate::cli::args::position::{PositionInput, PositionInputArgs, given};
use crate::cli::commands::CommandArgs;
use crate::cli::commands::convert::drawing;
use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::cli::output::{Destination, ProtectedFiles};
use crate::draw::board;

/// `plydex board`.
#[derive(Debug, ClapArgs)]
#[command(after_long_help = "Examples:
  plydex board e4 c5 Nf3
  plydex board 'Π7/4ρ3/4Ι3/Ρ2Α4/8/8/8/5Π2'
  plydex board startpos --variant frisian --black-below
  plydex board 960:0 --svg start.svg")]
pub struct BoardArgs {
    /// The position.
    #[command(flatten)]
    pub given: PositionInputArgs,
    /// How the board looks.
    #[command(flatten)]
    pub look: BoardStyleArgs,
    /// Write an SVG drawing to FILE; - is standard output
    #[arg(long, value_name = "FILE", conflicts_with = "ascii")]
    pub svg: Option<PathBuf>,
    /// Replace FILE if it exists
    #[arg(long, requires = "svg")]
    pub force: bool,
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

/// `board`.
pub(crate) fn plan(args: BoardArgs, warnings: &mut Vec<String>) -> Result<BoardOfPlan, CliError> {
    let other = "name another file with --svg";
    Ok(BoardOfPlan {
        given: given(&args.given, warnings)?,
        look: args.look,
        svg: (args.svg).map(|path| Destination::new(path, args.force, other)),
    })
}

pub(crate) fn run(plan: &BoardOfPlan, context: &mut CommandContext<'_>) -> Result<Exit, CliError> {
    match &plan.svg {
        None => {
            let style = context.screen.board_style(plan.look);
            let drawn = board::draw(&plan.given.at.diagram(), style);
            write!(context.out, "{drawn}")?;
        }
        Some(target) if target.is_stdout() => {
            write!(context.out, "{}", drawing(&plan.given, plan.look.flip))?;
        }
        Some(target) => {
            let place = target.place(&ProtectedFiles::database(&context.db))?;
            let mut out = place.open(&context.stop)?;
            out.put(drawing(&plan.given, plan.look.flip).as_bytes())?;
            out.finish()?;
        }
    }
    Ok(Exit::Done)
}

impl CommandArgs for BoardArgs {
    type Plan = BoardOfPlan;

    fn plan(self, warnings: &mut Vec<String>) -> Result<Self::Plan, CliError> {
        plan(self, warnings)
    }

    fn run(plan: &Self::Plan, context: &mut CommandContext<'_>) -> Result<Exit, CliError> {
        run(plan, context)
    }
}
