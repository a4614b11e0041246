//! `plydex players`, `plydex events` and `plydex sites`; and what the names that are filters find.

use std::cmp::Ordering;

use super::CommandContext;
use super::args_names::NameOrder;
use super::args_output::TableFormat;
use super::error::CliError;
use super::exit::Exit;
use super::plan::{NamesPlan, NamesTask};
use super::plan_said;
use super::progress::Progress;
use super::render::names::{self, NameList, NameListItem, kind};
use crate::db::changes;
use crate::db::people::{self, NameGroups, NameMatches, NameQuery, NameSelection};
use crate::db::search::{self, GameTally, OtherVariantGames};
use crate::db::store::{NameRule, NameTable, NoInterruptGuard, Store};
use crate::games::AnyPosition;
use crate::games::position_input::{self, ExpectedVariants};
use crate::games::variant::Variant;
use crate::query::{Filter, GameCondition, PositionQuery, Query, interpret, pattern::facts};

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

/// Adds to a filter the spellings that the names in it mean besides.
pub(crate) fn spell_out(
    store: &Store,
    filter: &Filter,
    is_exact: bool,
) -> Result<(Filter, Vec<NameMatches>), CliError> {
    let mut filter = filter.clone();
    let taken = people::spell_out(store, &filter.all, &mut filter.names, is_exact)?;
    Ok((filter, taken))
}

/// A query made ready for a database.
pub(crate) struct ResolvedQuery {
    /// Its names with all their spellings, its conditions for the existing boards; beside a
    /// position the games that fulfil the conditions instead of them.
    pub query: Query,
    /// The conditions beside a position, which were answered first.
    pub beside: Option<Query>,
    /// What the names are.
    pub taken: Vec<NameMatches>,
    /// Games that have its position by other rules.
    pub other_variants: Vec<OtherVariantGames>,
    /// What is worth saying besides.
    pub notes: Vec<String>,
    /// The end was requested during the search for games that fulfil its conditions: it has those
    /// found until then, and these are still searched for its position.
    cut: Option<NoInterruptGuard>,
}

impl ResolvedQuery {
    /// Whether it searches only those games that were found when the end was requested.
    pub(crate) const fn is_cut(&self) -> bool {
        self.cut.is_some()
    }

    /// What it found, or a part of that if it asks a part of the games.
    pub(crate) fn tally(&self, found: GameTally) -> GameTally {
        GameTally {
            interrupted: found.interrupted || self.is_cut(),
            ..found
        }
    }
}

/// Makes a query ready for a database, to do something with all of its games.
pub(crate) fn ready(
    store: &Store,
    query: &Query,
    is_exact: bool,
) -> Result<ResolvedQuery, CliError> {
    let ready = ready_until_stopped(store, query, is_exact)?;
    if ready.is_cut() {
        return Err(CliError::interrupted());
    }
    Ok(ready)
}

/// Makes a query ready for a database, to show what it finds, or has found when the end comes.
pub(crate) fn ready_until_stopped(
    store: &Store,
    query: &Query,
    is_exact: bool,
) -> Result<ResolvedQuery, CliError> {
    let (filter, mut taken) = spell_out(store, &query.filter, is_exact)?;
    let mut query = Query {
        filter,
        ..query.clone()
    };
    let (note, is_foreign) = in_a_game_that_is_there(store, &mut query)?;
    if let Some(asked) = &mut query.asked {
        let conditions = facts::game_conditions(&asked.expr).map(|(condition, _)| condition);
        let found = people::spell_out(store, conditions, &mut asked.names, is_exact)?;
        for names in found {
            if taken.iter().all(|known| known.typed != names.typed) {
                taken.push(names);
            }
        }
    }
    let elsewhere = search::elsewhere(store, &query)?;
    let mut note = note
        .or_else(|| plan_said::elsewhere(&elsewhere))
        .or_else(|| is_foreign.map(|row| plan_said::foreign(None, row)));
    if let Some(asked) = &mut query.asked {
        let around = (&query.filter, query.position.as_ref());
        let prepared = search::prepare(store, around, asked)?;
        let prepared =
            prepared.map_err(|misread| plan_said::misread_error(&asked.text, &misread))?;
        note = note.or(plan_said::others(&prepared));
    }
    let unknown = search::unknown_tags(store, query.tags().map(|tag| &tag.name[..]))?;
    let (mut cut, mut beside) = (None, None);
    if query.position.is_some() && query.asked.is_some() {
        let fulfilling = Query {
            position: None,
            diagrams: Vec::new(),
            ..query.clone()
        };
        let (games, tally) = search::games_until_stopped(store, &fulfilling)?;
        query.filter.all.push(GameCondition::games(&games));
        query.asked = None;
        beside = Some(fulfilling);
        cut = tally.interrupted.then(|| store.fetching());
    }
    let mut notes: Vec<String> = note.into_iter().collect();
    notes.extend(unknown.into_iter().map(|tag| match tag.nearest {
        Some(nearest) => format!("no game has a tag `{}`; did you mean {nearest}?", tag.name),
        None => format!("no game has a tag `{}`", tag.name),
    }));
    Ok(ResolvedQuery {
        query,
        beside,
        taken,
        other_variants: elsewhere,
        notes,
        cut,
    })
}

/// Asks for a position in a game that the database has, if it has none of its own; what is to be said of
/// that, and which game it is of where nothing can be found.
fn in_a_game_that_is_there(
    store: &Store,
    query: &mut Query,
) -> Result<(Option<String>, Option<&'static Variant>), CliError> {
    let (mut note, mut is_foreign) = (None, None);
    if let Some(asked) = &mut query.position
        && asked.own_rules
    {
        let row = asked.position.variant();
        let otherwise = query.otherwise.take();
        if search::is_played(store, &asked.position)? {
            note = otherwise.map(|question| interpret::read_as_position(&question.text));
        } else if let Some(read) = other_reading(store, asked)? {
            let rows = search::instead(store, asked)?;
            note = Some(match &rows[..] {
                [] => plan_said::instead(row, &[read.variant()]),
                _ => plan_said::instead(row, &rows),
            });
            // On a board that several kinds have, any of them may be meant.
            asked.own_rules = rows.is_empty();
            asked.ask_variant = false;
            asked.position = read;
        } else if let Some(question) = otherwise {
            note = Some(plan_said::foreign(Some(&question.text), row));
            query.asked = Some(question);
            query.position = None;
        } else {
            is_foreign = Some(row);
        }
    }
    Ok((note, is_foreign))
}

/// What the words of a position are in the first game that a database has, if they are anything.
fn other_reading(store: &Store, asked: &PositionQuery) -> Result<Option<AnyPosition>, CliError> {
    let Some(words) = &asked.words else {
        return Ok(None);
    };
    let own = asked.position.variant().rules;
    let present = search::variants(store)?.into_iter();
    let rows = present.filter_map(Variant::by_id);
    let others = rows.filter(|row| row.has_rules() && row.rules != own);
    let mut read = others.map(|row| {
        position_input::requested_position(words, &ExpectedVariants { rows: vec![row] })
    });
    Ok(read.find_map(|read| Some(read.ok()?.at)))
}

/// Says what the names in a filter mean, where that is more than one name, or nothing.
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
