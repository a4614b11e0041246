//! `plydex delete`.

use clap::Args as ClapArgs;
use serde::Serialize;

use crate::cli::CommandContext;
use crate::cli::args::output::{AnswerArgs, TextFormat};
use crate::cli::args::query::{
    FilterArgs, ListArgs, PositionArgs, SEARCH_LIMIT_DEFAULT, saved_texts,
};
use crate::cli::args::query_builder::query;
use crate::cli::args::value_parsers;
use crate::cli::commands::{CommandArgs, SavedTexts};
use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::cli::render::changes as render;
use crate::cli::render::hits::HitTable;
use crate::cli::resolve::{in_words, misread, resolve};
use crate::database::{MoveNotation, NameMatches, OtherVariantGames};
use crate::query::Query;
use crate::query::interpret::in_shell;

/// `plydex delete`.
#[derive(Debug, Default, ClapArgs)]
#[command(
    after_long_help = "Takes every option that selects games in search. Without --yes the games are only
listed. Deleted games keep their numbers, and `plydex undo` brings them back.
Importing the same file again does not; `import --restore-deleted` does, and another file with
`--duplicates keep` adds them as new games.

Examples:
  plydex delete --games 17,20-25          list these games
  plydex delete --games 17,20-25 --yes    delete them
  plydex delete --from-file old.pgn       all that was read from old.pgn
  plydex delete --variant bughouse --yes
  plydex undo 3                           take the deletion back"
)]
pub struct DeleteArgs {
    /// The position.
    #[command(flatten)]
    pub position: PositionArgs,
    /// The filters.
    #[command(flatten)]
    pub filter: FilterArgs,
    /// Only games that also match this query
    #[arg(long = "where", value_name = "QUERY", help_heading = "Position")]
    pub question: Option<String>,
    /// Delete them; without it they are only listed
    #[arg(long)]
    pub yes: bool,
    /// How the answer is given.
    #[command(flatten)]
    pub answer: AnswerArgs,
}

/// `delete`.
#[derive(Debug, Clone)]
pub struct DeletePlan {
    /// The games; as many are listed as it asks for.
    pub query: Query,
    /// How moves of the listed games are written.
    pub writing: MoveNotation,
    /// What was typed.
    pub what: String,
    /// Whether they are deleted.
    pub yes: bool,
    /// Of the answer.
    pub format: TextFormat,
}

pub(crate) fn plan(args: DeleteArgs, warnings: &mut Vec<String>) -> Result<DeletePlan, CliError> {
    let list = ListArgs {
        position: args.position,
        filter: args.filter,
        question: args.question,
        ..ListArgs::default()
    };
    let query = query(&list, Some(SEARCH_LIMIT_DEFAULT), warnings)?;
    let guess = warnings
        .iter()
        .find_map(|note| note.strip_prefix("read as: "));
    if let (true, Some(guess)) = (args.yes, guess) {
        return Err(
            CliError::new("nothing is deleted by a query that had to be interpreted")
                .hint(format!("write the query as {}", in_shell(guess))),
        );
    }
    if query.is_everything() {
        return Err(CliError::new("delete needs to know which games")
            .hint("name them as in search, or with --games 1-100; for an empty database use another file with --db"));
    }
    Ok(DeletePlan {
        query,
        writing: MoveNotation::default(),
        what: value_parsers::typed_behind("delete", &["--yes"]),
        yes: args.yes,
        format: args.answer.format,
    })
}

/// What was deleted, or would be.
#[derive(Serialize)]
struct DeletionSummary<'r> {
    change: Option<i64>,
    removed: u64,
    found: u64,
    #[serde(skip_serializing_if = "<[OtherVariantGames]>::is_empty")]
    other_variants: &'r [OtherVariantGames],
    #[serde(skip_serializing_if = "<[NameMatches]>::is_empty")]
    names: &'r [NameMatches],
}

pub(crate) fn run(plan: &DeletePlan, context: &mut CommandContext<'_>) -> Result<Exit, CliError> {
    if !plan.yes {
        let (ready, found) = context.ask(|snapshot| {
            let ready = resolve(snapshot, &plan.query)?;
            let found = snapshot.search(&ready.plan, plan.writing)?;
            Ok((ready, found))
        })?;
        if found.interrupted {
            return Err(CliError::interrupted());
        }
        match plan.format {
            TextFormat::Text => {
                if found.total > 0 {
                    HitTable::begin(context.out, &context.screen, &found.hits, None)?;
                }
                render::would_delete(context.out, found.total, found.hits.len() as u64)?;
            }
            TextFormat::Json => {
                context.json(&DeletionSummary {
                    change: None,
                    removed: 0,
                    found: found.total,
                    other_variants: &ready.other_variants,
                    names: &ready.names,
                })?;
            }
        }
        ready.explain(plan.query.scope.exact_names, context);
        return Ok(Exit::found(found.total));
    }
    let progress = context.progress();
    let deleted = context
        .observed(&progress)
        .delete_as(&plan.query, &plan.what);
    progress.clear();
    let (report, found) = deleted.map_err(|error| misread(error, &plan.query))?;
    let ready = in_words(found);
    match plan.format {
        TextFormat::Text => render::deleted(context.out, &report)?,
        TextFormat::Json => context.json(&DeletionSummary {
            change: report.change,
            removed: report.removed,
            found: report.removed,
            other_variants: &ready.other_variants,
            names: &ready.names,
        })?,
    }
    ready.explain(plan.query.scope.exact_names, context);
    Ok(Exit::found(report.removed))
}

impl CommandArgs for DeleteArgs {
    type Plan = DeletePlan;

    fn plan(self, warnings: &mut Vec<String>) -> Result<Self::Plan, CliError> {
        plan(self, warnings)
    }

    fn run(plan: &Self::Plan, context: &mut CommandContext<'_>) -> Result<Exit, CliError> {
        run(plan, context)
    }

    fn saved(&mut self) -> Option<SavedTexts<'_>> {
        let question = self.question.as_ref();
        Some(saved_texts(&self.position, question, &mut self.filter))
    }
}
