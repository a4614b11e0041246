//! `plydex moves`: the legal moves of a position.

use clap::Args as ClapArgs;

use crate::cli::CommandContext;
use crate::cli::args::output::{
    AnswerArgs, BoardStyleArgs, LanguageArgs, NotationArgs, TextFormat,
};
use crate::cli::args::position::{PositionInput, PositionInputArgs, given};
use crate::cli::args::query_builder::writing;
use crate::cli::commands::CommandArgs;
use crate::cli::commands::perft::{BUDGET, incomplete};
use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::cli::render::moves;
use crate::database::MoveNotation;
use crate::draw::board;
use crate::games::{AnyPosition, ListStyle};

/// `plydex moves`.
#[derive(Debug, ClapArgs)]
#[command(
    after_long_help = "Without --variant the position decides: a FEN with colons and moves from number
to number are draughts, and the squares and moves show which variant.

Examples:
  plydex moves e4 c5
  plydex moves 32-28 19-23
  plydex moves W:WK46:B37,K11,20 --notation full
  plydex moves startpos --variant turkish"
)]
pub struct MovesArgs {
    /// The position.
    #[command(flatten)]
    pub given: PositionInputArgs,
    /// How draughts moves are written.
    #[command(flatten)]
    pub notation: NotationArgs,
    /// The language of the moves.
    #[command(flatten)]
    pub language: LanguageArgs,
    /// How the answer is given.
    #[command(flatten)]
    pub answer: AnswerArgs,
}

/// `moves`: the position, and how they are written.
pub fn plan(
    args: &MovesArgs,
    warnings: &mut Vec<String>,
) -> Result<(AnyPosition, MoveNotation), CliError> {
    let PositionInput { at, .. } = given(&args.given, warnings)?;
    if args.notation.notation.is_some() && !at.has_forms() {
        return Err(CliError::new("--notation applies only to draughts")
            .hint("leave out --notation, or name the variant with --variant"));
    }
    Ok((at, writing(args.notation, &args.language)?))
}

pub(crate) fn run(
    at: &AnyPosition,
    MoveNotation { form, language }: MoveNotation,
    format: TextFormat,
    context: &mut CommandContext<'_>,
) -> Result<Exit, CliError> {
    let row = at.variant();
    let style = ListStyle {
        form,
        language,
        budget: BUDGET,
    };
    let answer = moves::MovesAnswer {
        variant: row.name,
        title: row.title,
        turn: at.side_to_move(),
        fen: at.fen_in(form),
        end: at.outcome().map(|outcome| outcome.to_string()),
        moves: at.list(style).map_err(incomplete)?,
        board: board::draw(
            &at.diagram_in(form),
            context.screen.board_style(BoardStyleArgs::default()),
        ),
    };
    match format {
        TextFormat::Text => moves::write(context.out, &context.screen, &answer)?,
        TextFormat::Json => context.json(&answer)?,
    }
    Ok(Exit::Done)
}

impl CommandArgs for MovesArgs {
    const IS_PAGED: bool = true;
    type Plan = (AnyPosition, MoveNotation, TextFormat);

    fn plan(self, warnings: &mut Vec<String>) -> Result<Self::Plan, CliError> {
        let (at, notation) = plan(&self, warnings)?;
        Ok((at, notation, self.answer.format))
    }

    fn run(plan: &Self::Plan, context: &mut CommandContext<'_>) -> Result<Exit, CliError> {
        let (at, notation, format) = plan;
        run(at, *notation, *format, context)
    }
}
