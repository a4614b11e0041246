//! Which variants a query is about, and what it means on their boards.

use std::{collections::BTreeSet, sync::Arc};

use super::super::plan::{GameConditions, PatternQuery};

use super::rulesets::RuleSets;
use crate::{
    games::{
        AnyPosition, Rules,
        variant::{self, Variant},
    },
    query::{
        PositionQuery,
        pattern::{self, BoardSpec, Pattern, QueryError, facts},
    },
    replay,
    store::{Store, StoreError},
};

/// What a query turned out to be about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BoundQuery {
    /// The variants whose games are searched.
    pub asked: Vec<&'static Variant>,
    /// The others that the database holds.
    pub others: Vec<&'static Variant>,
}

/// Finds out which variants a query is about, and makes it ready for their boards: those
/// that the filter names; else, for facts alone, all; else chess, where the database has
/// it and the query fits its board; else the one kind of game that it fits. For a position, in the
/// query or beside it, only games are searched that are played by its rules.
///
/// # Errors
///
/// [`StoreError`] if the database cannot be read; within, [`QueryError`] if the query fits no
/// board, or several, or has positions of several games that no game can have.
pub fn prepare(
    store: &Store,
    (filter, beside): (&GameConditions, Option<&PositionQuery>),
    asked: &mut PatternQuery,
) -> Result<Result<BoundQuery, QueryError>, StoreError> {
    let mut present = variants(store)?;
    let rows = |ids: &[u8]| ids.iter().filter_map(|&id| Variant::by_id(id)).collect();
    let mut groups: Vec<Vec<&'static Variant>> = Vec::new();
    let worlds = RuleSets::of(store, asked, beside)?;
    let (is_of_facts, mut with_unknown) = (facts::is_of_facts(&asked.expr), false);
    let named = filter.variants();
    if named.is_empty() {
        for row in present.iter().filter_map(|&id| Variant::by_id(id)) {
            match groups.iter_mut().find(|group| group[0].rules == row.rules) {
                Some(group) => group.push(row),
                None => groups.push(vec![row]),
            }
        }
        let limit = match worlds.variants(&asked.expr) {
            Ok(limit) => limit,
            Err(misread) => return Ok(Err(misread)),
        };
        if let Some(limit) = &limit {
            groups.retain(|group| limit.contains(&group[0].id));
        }
        groups.retain(|group| is_of_facts || group[0].rules != Rules::None);
        if groups.is_empty() {
            groups.push(vec![&variant::ALL[0]]);
        }
        // Games whose variant is not known have facts as well.
        with_unknown = limit.is_none();
    } else {
        groups.push(rows(&named));
    }
    if is_of_facts {
        // No board is looked at.
        let board = BoardSpec::of(&AnyPosition::initial());
        return Ok(pattern::compile(&asked.expr, &board).map(|pattern| {
            let (pattern, all) = (Arc::new(pattern), groups.concat());
            let ids = all.iter().map(|row| row.id);
            let ids = ids.chain(with_unknown.then_some(0));
            asked.boards = ids.map(|id| (id, Arc::clone(&pattern))).collect();
            BoundQuery {
                asked: all,
                others: Vec::new(),
            }
        }));
    }
    let (mut fitting, mut refused) = (Vec::new(), None);
    for group in groups {
        let is_chess = group[0].rules == variant::ALL[0].rules;
        match boards(store, &group, asked)? {
            Ok(boards) => fitting.push((group, boards)),
            Err(misread) => refused = refused.or(Some(misread)),
        }
        // Chess is what is meant where it can be.
        if is_chess && !fitting.is_empty() {
            break;
        }
    }
    // Numbers of men and kings mean the same in every kind of draughts.
    if fitting.len() > 1 && facts::is_of_any_board(&asked.expr) {
        let (rows, boards): (Vec<_>, Vec<_>) = fitting.drain(..).unzip();
        fitting.push((rows.concat(), boards.concat()));
    }
    let chosen = fitting.pop();
    Ok(match (chosen, refused) {
        (Some((group, boards)), _) if fitting.is_empty() => {
            if let Some(misread) = worlds.left_out(&group, &present) {
                return Ok(Err(misread));
            }
            asked.boards = boards;
            present.retain(|id| group.iter().all(|row| row.id != *id));
            Ok(BoundQuery {
                asked: group,
                others: rows(&present.into_iter().collect::<Vec<_>>()),
            })
        }
        (Some((group, _)), _) => {
            fitting.push((group, Vec::new()));
            let names: Vec<&str> = fitting.iter().map(|(group, _)| group[0].name).collect();
            let message = "the query fits several variants in this database";
            Err(QueryError::new(message, 0..0).hint(format!(
                "add one of them: variant:{}",
                names.join(", variant:")
            )))
        }
        (None, Some(misread)) => Err(misread),
        (None, None) => {
            let message = "no positions are known of this kind of game";
            Err(QueryError::new(message, 0..0).hint("ask for another variant"))
        }
    })
}

/// The variants that a database holds games of, by their ids.
///
/// # Errors
///
/// [`StoreError`] if the database cannot be read or is damaged.
pub fn variants(store: &Store) -> Result<BTreeSet<u8>, StoreError> {
    let mut present = store.variants_of_starts()?;
    // The standard start position of chess has no row: the columns show which variants begin there;
    // where there are none, the first game that begins there shows its own.
    for segment in store.index()? {
        if let Some(variants) = store.variants_of(&segment)? {
            present.extend(variants.iter().filter_map(|(id, _)| u8::try_from(*id).ok()));
            continue;
        }
        let (mut facts, end) = (store.facts(), segment.first_game + segment.games);
        for game in segment.first_game..end {
            if !segment.is_tail() && present.contains(&variant::ALL[0].id) {
                break;
            }
            let facts = facts.get(game)?;
            present.extend((facts.start == 0).then_some(facts.variant as u8));
        }
    }
    Ok(present)
}

/// What a query means on boards, by the ids of their variants.
type Boards = Vec<(u8, Arc<Pattern>)>;

/// What a query means on the boards of some variants.
fn boards(
    store: &Store,
    rows: &[&'static Variant],
    asked: &PatternQuery,
) -> Result<Result<Boards, QueryError>, StoreError> {
    let mut boards = Vec::new();
    for &row in rows {
        let start = match AnyPosition::start(row) {
            Some(start) => Some(start),
            None if row.rules == variant::ALL[0].rules => Some(AnyPosition::initial()),
            None => some_start(store, row)?,
        };
        let Some(start) = start else {
            continue;
        };
        match pattern::compile(&asked.expr, &BoardSpec::of(&start)) {
            Ok(pattern) => boards.push((row.id, Arc::new(pattern))),
            Err(misread) => return Ok(Err(misread)),
        }
    }
    Ok(Ok(boards))
}

/// A start position of a variant that a database has.
fn some_start(store: &Store, row: &Variant) -> Result<Option<AnyPosition>, StoreError> {
    let mut found = None;
    store.for_each_start(|start| {
        if found.is_none() && start.variant == row.id && start.canonical.is_some() {
            found = Some(start.id);
        }
    })?;
    found.map_or(Ok(None), |id| replay::start_position(store, id))
}
