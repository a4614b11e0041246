//! `plydex novelty`.

use std::io::Write;
use std::path::PathBuf;

use clap::Args as ClapArgs;
use serde::Serialize;

use crate::base::observe::{Event, NullObserver, Observer};
use crate::base::record::GameId;
use crate::cli::CommandContext;
use crate::cli::args::output::TableFormat;
use crate::cli::args::query::ListArgs;
use crate::cli::args::query_builder::{query, writing};
use crate::cli::commands::export::{self, ExportFormat, ExportPlan};
use crate::cli::commands::{CommandArgs, SavedTexts, names};
use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::cli::output::Destination;
use crate::cli::render::{self, hits, novelty};
use crate::cli::resolve::{ResolvedQuery, resolve};
use crate::database::{MoveNotation, NameMatches, Novelty, Snapshot};
use crate::query::Query;

/// `plydex novelty`.
#[derive(Debug, Default, ClapArgs)]
#[command(
    after_long_help = "A position is new if no earlier game reached it, by any order of moves. A game is earlier
if the last day of its date is before the first day of the other date (1972 is from 1 January
to 31 December). If a game has no date, all
other games count as earlier.

With --annotate, plydex writes the games as PGN or PDN, as `plydex export` does, and notes each
novelty: the glyph $146 and a comment with what was played there before.

Examples:
  plydex novelty 17
  plydex novelty --event candidates --annotate --output new.pgn
  plydex novelty --player carlsen --since 2024 --sort date:desc
  plydex novelty e4 c5 Nf3 d6 --limit 0 --format csv"
)]
pub struct NoveltyArgs {
    /// The games: the number of one, or what selects them.
    #[command(flatten)]
    pub list: ListArgs,
    /// table, json or csv
    #[arg(long, value_name = "FORMAT", default_value = "table")]
    pub format: TableFormat,
    /// Write the games with their novelties as comments
    #[arg(long, conflicts_with = "format", help_heading = "Output")]
    pub annotate: bool,
    /// With --annotate: write to FILE; .zst and .gz are compressed
    #[arg(
        short,
        long,
        value_name = "FILE",
        requires = "annotate",
        help_heading = "Output"
    )]
    pub output: Option<PathBuf>,
    /// Replace FILE if it exists
    #[arg(long, requires = "output", help_heading = "Output")]
    pub force: bool,
}

/// `novelty`.
#[derive(Debug, Clone)]
pub struct NoveltyPlan {
    /// The games.
    pub query: Query,
    /// How moves are written.
    pub writing: MoveNotation,
    /// Of the answer.
    pub format: TableFormat,
    /// The annotated games, instead of a list.
    pub annotated: Option<ExportPlan>,
}

/// Lines of a table: a screenful.
pub(super) const LINES_DEFAULT: u64 = 20;

pub(crate) fn plan(
    args: &NoveltyArgs,
    warnings: &mut Vec<String>,
) -> Result<NoveltyPlan, CliError> {
    let mut list = args.list.clone();
    if let Some(word) = game_and_position(&list.position.position) {
        let number = word.trim_start_matches('#');
        let error = format!("`{word}` names a game, and what follows a position");
        return Err(CliError::new(error).hint(format!(
            "write one of them, or --games {number} for that game if it reaches the position"
        )));
    }
    if let Some(game) = game_number(&list) {
        list.position.position.clear();
        list.filter.conditions.add("games", &game.to_string());
    }
    let lines = Some(LINES_DEFAULT).filter(|_| !args.annotate);
    let query = query(&list, lines, warnings)?;
    let writing = writing(list.notation, &list.language)?;
    let other = "name another file with --output";
    let output = (args.output.clone()).map(|path| Destination::new(path, args.force, other));
    let annotated = args.annotate.then(|| ExportPlan {
        query: query.clone(),
        writing,
        format: ExportFormat::Pgn,
        annotates: true,
        output: output.filter(|target| !target.is_stdout()),
    });
    Ok(NoveltyPlan {
        query,
        writing,
        format: args.format,
        annotated,
    })
}

/// The game, if nothing but a number was typed for a position.
fn game_number(list: &ListArgs) -> Option<GameId> {
    let [word] = &list.position.position[..] else {
        return None;
    };
    let number = word.strip_prefix('#').unwrap_or(word);
    let is_number = number.bytes().all(|byte| byte.is_ascii_digit());
    number.parse().ok().filter(|_| is_number)
}

/// The number of a game before the words of a position. With 1, and before another number, it is
/// one of a move or a square.
fn game_and_position(words: &[String]) -> Option<&str> {
    let mut words = words.iter().flat_map(|word| word.split_whitespace());
    let (word, next) = (words.next()?, words.next()?);
    let number = word.strip_prefix('#').unwrap_or(word);
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    let is_of_moves = number == "1" || next.starts_with(|c: char| c.is_ascii_digit());
    (is_number && (number != word || !is_of_moves)).then_some(word)
}

/// What is printed as JSON.
#[derive(Serialize)]
struct NoveltyList<'n> {
    offset: u64,
    novelties: &'n [Novelty],
    total: u64,
    #[serde(skip_serializing_if = "<[NameMatches]>::is_empty")]
    names: &'n [NameMatches],
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    interrupted: bool,
}

/// What the names and notes of a query are, the novelties of its page, how many games it has, and
/// whether the end was requested before.
type FoundNovelties = (ResolvedQuery, Vec<Novelty>, u64, bool);

fn find(
    plan: &NoveltyPlan,
    snapshot: &Snapshot<'_>,
    progress: &dyn Observer,
) -> Result<FoundNovelties, CliError> {
    let ready = resolve(snapshot, &plan.query)?;
    let page = snapshot.search(&ready.plan, plan.writing)?;
    let _ = progress.on(Event::Phase {
        name: "looking for new positions",
        steps: Some(page.hits.len() as u64),
    });
    let mut novelties = snapshot.novelties(plan.writing)?;
    let (mut list, mut is_cut) = (Vec::new(), page.interrupted);
    for hit in &page.hits {
        match novelties.of(hit.header.id) {
            Err(error) if error.is_interrupted() => {
                is_cut = true;
                break;
            }
            found => list.extend(found?),
        }
        let _ = progress.on(Event::Steps { steps: 1 });
    }
    Ok((ready, list, page.total, is_cut))
}

/// The novelties of a page as JSON.
pub(crate) fn json(
    plan: &NoveltyPlan,
    snapshot: &Snapshot<'_>,
    out: &mut dyn Write,
) -> Result<(), CliError> {
    let (ready, list, total, is_cut) = find(plan, snapshot, &NullObserver)?;
    if is_cut {
        return Err(CliError::interrupted());
    }
    let list = NoveltyList {
        offset: plan.query.page.offset,
        novelties: &list,
        total,
        names: &ready.names,
        interrupted: false,
    };
    Ok(render::json::line(out, &list)?)
}

pub(crate) fn run(plan: &NoveltyPlan, context: &mut CommandContext<'_>) -> Result<Exit, CliError> {
    if let Some(annotated) = &plan.annotated {
        return export::run(annotated, context);
    }
    let progress = context.progress();
    let found = context.ask(|snapshot| find(plan, snapshot, &progress));
    progress.clear();
    let (ready, list, total, is_cut) = found?;
    let offset = plan.query.page.offset;
    match plan.format {
        TableFormat::Table => novelty::write(context.out, &context.screen, &list)?,
        TableFormat::Json => context.json(&NoveltyList {
            offset,
            novelties: &list,
            total,
            names: &ready.names,
            interrupted: is_cut,
        })?,
        TableFormat::Csv => novelty::csv(&mut *context.data(), &list)?,
    }
    context.out.flush()?;
    names::explain(&ready.names, plan.query.scope.exact_names, context);
    if is_cut {
        return crate::cli::commands::search::interrupted(list.len() as u64, context);
    }
    let note = hits::page(&context.screen, total, offset, list.len() as u64);
    context.notes.note(&note);
    crate::cli::commands::search::say(ready.notes, context);
    Ok(Exit::found(list.len() as u64))
}

impl CommandArgs for NoveltyArgs {
    const IS_PAGED: bool = true;
    type Plan = NoveltyPlan;

    fn plan(self, warnings: &mut Vec<String>) -> Result<Self::Plan, CliError> {
        plan(&self, warnings)
    }

    fn run(plan: &Self::Plan, context: &mut CommandContext<'_>) -> Result<Exit, CliError> {
        run(plan, context)
    }

    fn saved(&mut self) -> Option<SavedTexts<'_>> {
        Some(self.list.saved())
    }
}
