//! `plydex players`, `plydex events` and `plydex sites`; and what the names in a query find.

use std::cmp::Ordering;

use super::CommandContext;
use super::args_names::NameOrder;
use super::args_output::TableFormat;
use super::error::CliError;
use super::exit::Exit;
use super::plan::{NamesPlan, NamesTask};
use super::progress::Progress;
use super::render::names::{self, NameList, NameListItem, kind};
use crate::db::changes;
use crate::db::people::{self, NameGroups, NameMatches, NameQuery, NameSelection};
use crate::db::store::{NameRule, NameTable, Store};

pub(crate) fn run(plan: &NamesPlan, context: &mut CommandContext<'_>) -> Result<Exit, CliError> {
    match &plan.task {
        NamesTask::List => list(plan, context),
        NamesTask::Decide { names, is_same } => decide(plan.table, names, *is_same, context),
    }
}

fn list(plan: &NamesPlan, context: &mut CommandContext<'_>) -> Result<Exit, CliError> {
    let typed = plan.text.as_deref().map(NameQuery::of);
    let (found, nearest) = context.ask(|store| {
        let finds = |name: &str| typed.iter().all(|typed| typed.finds(name));
        let wanted = typed.as_ref().map(|typed| NameSelection {
            name: &finds,
            fide_id: typed.fide_id,
        });
        let found = NameGroups::read(store, plan.table, wanted)?;
        let nearest = match &plan.text {
            Some(text) if found.groups.is_empty() => people::suggestions(store, plan.table, text)?,
            _ => Vec::new(),
        };
        Ok::<_, CliError>((found, nearest))
    })?;
    let mut listed: Vec<NameListItem<'_>> = found
        .groups
        .iter()
        .filter(|group| group.career.games > 0)
        .map(|group| NameListItem::of(plan.table, &found, group))
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
    let list = NameList {
        total,
        names: listed,
    };
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
        Some(text) if total == 0 => nothing_found(plan.table, text, &nearest),
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

/// Says that no name is so, and which are nearly.
fn nothing_found(table: NameTable, typed: &str, nearest: &[String]) -> String {
    let (one, _) = kind(table);
    let nothing = format!("no {one} is called `{typed}`");
    match nearest {
        [] => nothing,
        [name] => format!("{nothing}; did you mean {name}?"),
        [names @ .., last] => {
            format!("{nothing}; did you mean {} or {last}?", names.join("; "))
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
    // A database that is not there must not be made.
    if !context.db.exists() {
        let missing = context.ask(|_| Ok(()));
        missing?;
    }
    let store = Store::create_or_open(&context.db, &context.stop)?;
    let progress = Progress::new(&context.notes, &context.stop, None);
    let alone = store.write_alone(&progress);
    progress.clear();
    let _alone = alone?;
    let [one, other] = [&names[0], &names[1]].map(|name| row_of(&store, table, name));
    let (one, other) = (one?, other?);
    // FIDE may have given several numbers to one player, or a game may have a wrong one.
    let is_parted =
        || people::has_namesakes(&store, one).map(|has| has && table == NameTable::Player);
    if one == other && !(is_same && is_parted()?) {
        let (kind, _) = kind(table);
        return Err(
            CliError::new(format!("these are already spellings of the same {kind}"))
                .hint("name two spellings as they are in the games"),
        );
    }
    let rule = NameRule {
        table,
        one,
        other,
        is_same,
    };
    let (kind, kinds) = kind(table);
    let [one, other] = names;
    let what = if one == other {
        format!("all games of `{one}` are of one {kind}")
    } else if is_same {
        format!("`{one}` and `{other}` are one {kind}")
    } else {
        format!("`{one}` and `{other}` are two {kinds}")
    };
    let change = changes::decide(&store, rule, &what)?;
    let note = format!("{what} from now on; `plydex undo {change}` undoes it");
    context.notes.note(&note);
    Ok(Exit::Done)
}

/// The row of a name: written as it is, or the only one that differs in case alone.
fn row_of(store: &Store, table: NameTable, name: &str) -> Result<u32, CliError> {
    let (mut exact, mut alike) = (None, Vec::new());
    store.for_each_name(table, |id, stored| {
        if stored == name {
            exact = Some(id);
        } else if stored.to_lowercase() == name.to_lowercase() {
            alike.push(id);
        }
    })?;
    match (exact, &alike[..]) {
        (Some(id), _) | (None, &[id]) => Ok(id),
        _ => {
            let nearest = people::suggestions(store, table, name)?;
            let (_, kinds) = kind(table);
            Err(
                CliError::new(nothing_found(table, name, &nearest)).hint(format!(
                    "write the name as `plydex {kinds} --spellings` shows it"
                )),
            )
        }
    }
}

/// Says what the names in a query mean, where that is more than one name, or nothing.
pub(crate) fn explain(taken: &[NameMatches], is_exact: bool, context: &mut CommandContext<'_>) {
    for names in taken {
        if names.spellings.is_empty() {
            let table = table_of(names.filter);
            let note = nothing_found(table, &names.typed, &names.similar_names);
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
