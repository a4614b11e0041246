//! `plydex edit`.

use clap::Args as ClapArgs;

use crate::base::record::GameId;
use crate::cli::CommandContext;
use crate::cli::args::output::{AnswerArgs, TextFormat};
use crate::cli::args::value_parsers;
use crate::cli::commands::CommandArgs;
use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::cli::render::changes as render;
use crate::database::TagEdit;

/// `plydex edit`.
#[derive(Debug, Clone, ClapArgs)]
#[command(
    after_long_help = "An existing tag gets the new value; a new tag is added. The moves, the
comments and the number of the game stay as they are. `plydex undo` undoes it.
Values of tags with a meaning are checked: a date must be a date, a rating a number.

Examples:
  plydex edit 17 --tag 'White=Carlsen, Magnus'
  plydex edit 17 --tag Date=2024.05.01 --tag Round=3
  plydex edit 17 --remove Annotator"
)]
pub struct EditArgs {
    /// Number of the game, from the first column of search
    #[arg(value_name = "GAME", value_parser = value_parsers::whole::<u64>(1, u64::MAX))]
    pub game: u64,
    /// The tag and its new value
    ///
    /// You can give it several times.
    #[arg(long, value_name = "NAME=VALUE", required_unless_present = "remove")]
    pub tag: Vec<String>,
    /// Remove the tag
    #[arg(long, value_name = "NAME")]
    pub remove: Vec<String>,
    /// Accept a text that is not a valid value of the tag
    ///
    /// Otherwise dates, results, ratings and so on must be valid.
    #[arg(long)]
    pub force: bool,
    /// How the answer is given.
    #[command(flatten)]
    pub answer: AnswerArgs,
}

/// `edit`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EditPlan {
    /// Which game.
    pub game: GameId,
    /// Its tags as they are to be.
    pub edits: Vec<TagEdit>,
    /// Whether any text is written, whatever its tag means.
    pub force: bool,
    /// Of the answer.
    pub format: TextFormat,
}

pub(crate) fn plan(args: EditArgs) -> Result<EditPlan, CliError> {
    let mut edits = Vec::new();
    for text in args.tag {
        let Some((name, value)) = text.split_once('=') else {
            return Err(CliError::new(format!("--tag: `{text}` has no value"))
                .hint("write NAME=VALUE, such as Round=3; --remove NAME takes a tag away"));
        };
        edits.push(TagEdit {
            name: name.trim().to_owned(),
            value: Some(value.to_owned()),
        });
    }
    edits.extend(
        args.remove
            .into_iter()
            .map(|name| TagEdit { name, value: None }),
    );
    for (at, edit) in edits.iter().enumerate() {
        let is_twice = |other: &TagEdit| other.name.eq_ignore_ascii_case(&edit.name);
        if edits[..at].iter().any(is_twice) {
            return Err(
                CliError::new(format!("[{}] is to be changed twice", edit.name))
                    .hint("name each tag once"),
            );
        }
    }
    Ok(EditPlan {
        game: args.game,
        edits,
        force: args.force,
        format: args.answer.format,
    })
}

pub(crate) fn run(plan: &EditPlan, context: &mut CommandContext<'_>) -> Result<Exit, CliError> {
    let progress = context.progress();
    let edited = context
        .observed(&progress)
        .edit(plan.game, &plan.edits, plan.force);
    progress.clear();
    let report = edited?;
    match plan.format {
        TextFormat::Text => render::edited(context.out, &context.screen, &report)?,
        TextFormat::Json => context.json(&report)?,
    }
    Ok(Exit::Done)
}

impl CommandArgs for EditArgs {
    type Plan = EditPlan;

    fn plan(self, _: &mut Vec<String>) -> Result<Self::Plan, CliError> {
        plan(self)
    }

    fn run(plan: &Self::Plan, context: &mut CommandContext<'_>) -> Result<Exit, CliError> {
        run(plan, context)
    }
}
