//! What `plydex players`, `plydex events` and `plydex sites` share, and what the names in a query find.

use std::cmp::Ordering;
use std::io::Write;

use clap::Args as ClapArgs;

use crate::cli::CommandContext;
use crate::cli::args::output::TableFormat;
use crate::cli::args::query::SEARCH_LIMIT_DEFAULT;
use crate::cli::args::query_builder::at;
use crate::cli::args::value_parsers;
use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::cli::render;
use crate::cli::render::names::{self, NameList, NameListItem};
use crate::database::{
    self, NameDecision, NameGroups, NameMatches, NameQuery, NameSelection, NameTable, Snapshot,
};

/// Which names are listed, or what is decided about two of them.
#[derive(Debug, Clone, Default, ClapArgs)]
pub struct NamesArgs {
    /// Only names that contain all these words
    #[arg(value_name = "TEXT")]
    pub text: Vec<String>,
    /// Show all spellings, and those that were kept apart, with reasons
    #[arg(long)]
    pub spellings: bool,
    /// At most N names, 0 for all [default: 20]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    #[arg(value_parser = value_parsers::whole::<u64>(0, u64::MAX))]
    pub limit: Option<u64>,
    /// Sort by games, name, year … or name:desc [default: games:desc]
    ///
    /// The keys are games, name, spellings (how many), year (the last), rating (the highest)
    /// and score; with :desc in descending order.
    #[arg(long, value_name = "KEY[:desc]")]
    pub sort: Option<String>,
    /// table, json or csv
    #[arg(long, value_name = "FORMAT", default_value = "table")]
    pub format: TableFormat,
    /// Treat two spellings as one name
    ///
    /// Write the names as they are in the games. Later decisions override
    /// earlier ones.
    #[arg(long, value_names = ["NAME", "NAME"])]
    #[arg(conflicts_with_all = ["text", "different", "spellings", "limit", "sort"])]
    pub same: Vec<String>,
    /// Treat two spellings as two names
    #[arg(long, value_names = ["NAME", "NAME"])]
    #[arg(conflicts_with_all = ["text", "spellings", "limit", "sort"])]
    pub different: Vec<String>,
}

/// In which order names are listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NameOrder {
    /// By games.
    Games,
    /// By the name.
    Name,
    /// By the number of spellings.
    Spellings,
    /// By the last year.
    Year,
    /// By the highest rating.
    Rating,
    /// By the share of points.
    Score,
}

/// The words for them.
pub const NAME_ORDERS: &[(&str, NameOrder)] = &[
    ("games", NameOrder::Games),
    ("name", NameOrder::Name),
    ("spellings", NameOrder::Spellings),
    ("year", NameOrder::Year),
    ("rating", NameOrder::Rating),
    ("score", NameOrder::Score),
];

/// `players`, `events`, `sites`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamesPlan {
    /// Which names.
    pub table: NameTable,
    /// What is done with them.
    pub task: NamesTask,
    /// The words that they hold.
    pub text: Option<String>,
    /// Whether all spellings are shown.
    pub spellings: bool,
    /// How many at most; `None` is all.
    pub limit: Option<u64>,
    /// Their order.
    pub order: NameOrder,
    /// Largest first.
    pub descending: bool,
    /// How they are given.
    pub format: TableFormat,
}

/// What is done with names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NamesTask {
    /// They are listed.
    List,
    /// Two of them are joined, or parted.
    Decide {
        /// The names.
        names: [String; 2],
        /// Whether they are one's.
        is_same: bool,
    },
}

pub(crate) fn plan(table: NameTable, args: NamesArgs) -> Result<NamesPlan, CliError> {
    let pair = |names: Vec<String>| <[String; 2]>::try_from(names).ok();
    let task = match (pair(args.same), pair(args.different)) {
        (Some(names), _) => NamesTask::Decide {
            names,
            is_same: true,
        },
        (None, Some(names)) => NamesTask::Decide {
            names,
            is_same: false,
        },
        (None, None) => NamesTask::List,
    };
    let text = args.text.join(" ");
    if !args.text.is_empty() && !database::has_words(&text) {
        return Err(
            CliError::new(format!("`{text}` contains no word to search for"))
                .hint("write a part of a name, or leave it out"),
        );
    }
    let sort = args
        .sort
        .as_deref()
        .map(|text| value_parsers::order_of(text, NAME_ORDERS));
    let sort = sort.transpose().map_err(at("--sort"))?;
    let (order, descending) = sort.unwrap_or((NameOrder::Games, true));
    let limit = args.limit.unwrap_or(SEARCH_LIMIT_DEFAULT);
    Ok(NamesPlan {
        table,
        task,
        text: (!args.text.is_empty()).then_some(text),
        spellings: args.spellings,
        limit: (limit > 0).then_some(limit),
        order,
        descending,
        format: args.format,
    })
}

pub(crate) fn run(plan: &NamesPlan, context: &mut CommandContext<'_>) -> Result<Exit, CliError> {
    match &plan.task {
        NamesTask::List => list(plan, context),
        NamesTask::Decide { names, is_same } => decide(plan.table, names, *is_same, context),
    }
}

/// The names that were found, or those that are similar to what was typed.
fn find(plan: &NamesPlan, snapshot: &Snapshot<'_>) -> Result<(NameGroups, Vec<String>), CliError> {
    let typed = plan.text.as_deref().map(NameQuery::of);
    let finds = |name: &str| typed.iter().all(|typed| typed.finds(name));
    let wanted = typed.as_ref().map(|typed| NameSelection {
        name: &finds,
        fide_id: typed.fide_id,
    });
    let found = snapshot.names(plan.table, wanted)?;
    let nearest = match &plan.text {
        Some(text) if found.groups.is_empty() => snapshot.similar_names(plan.table, text)?,
        _ => Vec::new(),
    };
    Ok((found, nearest))
}

/// The names of a list, in its order.
fn listed<'f>(plan: &NamesPlan, found: &'f NameGroups) -> NameList<'f> {
    let mut listed: Vec<NameListItem<'_>> = found
        .groups
        .iter()
        .filter(|group| group.career.games > 0)
        .map(|group| NameListItem::of(plan.table, found, group))
        .collect();
    // Those with the most games come first already.
    if (plan.order, plan.descending) != (NameOrder::Games, true) {
        listed.sort_by(|one, other| {
            let order = order(plan.order, one, other);
            if plan.descending {
                order.reverse()
            } else {
                order
            }
        });
    }
    let total = listed.len() as u64;
    listed.truncate(plan.limit.map_or(usize::MAX, |limit| limit as usize));
    NameList {
        total,
        names: listed,
    }
}

/// The names as JSON.
pub(crate) fn json(
    plan: &NamesPlan,
    snapshot: &Snapshot<'_>,
    out: &mut dyn Write,
) -> Result<(), CliError> {
    let (found, _) = find(plan, snapshot)?;
    Ok(render::json::line(out, &listed(plan, &found))?)
}

fn list(plan: &NamesPlan, context: &mut CommandContext<'_>) -> Result<Exit, CliError> {
    let (found, nearest) = context.ask(|snapshot| find(plan, snapshot))?;
    let list = listed(plan, &found);
    let total = list.total;
    match plan.format {
        TableFormat::Table => {
            names::write(
                context.out,
                &context.screen,
                plan.table,
                &list,
                plan.spellings,
            )?;
        }
        TableFormat::Json => context.json(&list)?,
        TableFormat::Csv => {
            names::csv(&mut *context.data(), plan.table, &list, plan.spellings)?;
        }
    }
    // The names stand before the note about them.
    context.out.flush()?;
    let note = match &plan.text {
        Some(text) if total == 0 => database::no_such_name(plan.table, text, &nearest),
        _ => names::page(plan.table, &list),
    };
    context.notes.note(&note);
    Ok(Exit::found(total))
}

/// What is unknown stands after all else, whichever way the order goes.
fn order(key: NameOrder, one: &NameListItem<'_>, other: &NameListItem<'_>) -> Ordering {
    let by_name = || one.name.to_lowercase().cmp(&other.name.to_lowercase());
    match key {
        NameOrder::Games => one.games.cmp(&other.games),
        NameOrder::Name => by_name(),
        NameOrder::Spellings => one.spellings.len().cmp(&other.spellings.len()),
        NameOrder::Year => one.last_year.cmp(&other.last_year),
        NameOrder::Rating => one.rating_top.cmp(&other.rating_top),
        NameOrder::Score => {
            let score = |name: &NameListItem<'_>| name.score.unwrap_or(-1.0);
            score(one).total_cmp(&score(other))
        }
    }
}

/// Keeps what was decided about two names.
fn decide(
    table: NameTable,
    names: &[String; 2],
    is_same: bool,
    context: &mut CommandContext<'_>,
) -> Result<Exit, CliError> {
    let progress = context.progress();
    let decided = context
        .observed(&progress)
        .decide_names(table, names, is_same);
    progress.clear();
    let NameDecision {
        change,
        description,
    } = decided?;
    let note = format!("{description} from now on; `plydex undo {change}` undoes it");
    context.notes.note(&note);
    Ok(Exit::Done)
}

/// Says what the names in a query mean, where that is more than one name, or nothing.
pub(crate) fn explain(taken: &[NameMatches], is_exact: bool, context: &mut CommandContext<'_>) {
    for names in taken {
        if names.spellings.is_empty() {
            let table = table_of(names.filter);
            let note = database::no_such_name(table, &names.typed, &names.similar_names);
            context.notes.note(&note);
        } else if names.games > 0 && !is_exact {
            context
                .notes
                .note(&names::taken(names, table_of(names.filter)));
        }
    }
}

fn table_of(filter: &str) -> NameTable {
    match filter {
        "event" => NameTable::Event,
        "site" => NameTable::Site,
        "author" => NameTable::Author,
        _ => NameTable::Player,
    }
}
