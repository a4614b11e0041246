//! How a query is answered: by which access paths, and which games each of them leaves.

use serde::Serialize;

use super::{
    filter::CompiledFilter,
    pattern,
    plan::{AccessPath, AccessPlan, GameConditions},
    select::{self, ResultPage},
};
use crate::{
    query::{GameCondition, PositionQuery},
    store::{Store, StoreError},
};

/// A condition of a query, and what its access path says of games.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct QueryPlanStep {
    /// The condition.
    pub condition: String,
    /// Where the answer is.
    pub path: AccessPath,
    /// Bytes of columns that were read for it.
    pub read_bytes: Option<u64>,
    /// Games that may fulfil it; `None` if it is only asked of games that the others leave.
    pub possible: Option<u64>,
    /// Games that fulfil it for sure; `None` if none can be named.
    pub certain: Option<u64>,
}

/// How a query is answered.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct QueryPlan {
    /// Games of the database, removed ones left out.
    pub games: u64,
    /// The conditions on games, then those on positions and moves, in the order of the text; one that
    /// is looked at in several ways comes once for each.
    pub steps: Vec<QueryPlanStep>,
    /// Games that all steps together leave.
    pub possible: u64,
    /// Those of them that match for sure.
    pub certain: u64,
    /// The others, which are replayed.
    pub replayed: u64,
    /// How many of these match; `None` if none is replayed.
    pub found_by_replay: Option<u64>,
}

/// How a plan that finds `found` games is carried out.
///
/// # Errors
///
/// [`StoreError`] if the database cannot be read or is damaged.
pub fn explain(store: &Store, plan: &AccessPlan, found: u64) -> Result<QueryPlan, StoreError> {
    let mut planned = QueryPlan {
        games: count(store, &AccessPlan::default())?,
        possible: found,
        certain: found,
        ..QueryPlan::default()
    };
    if let Some(position) = &plan.position {
        planned.steps.push(position_step(store, position)?);
    }
    for condition in plan.game_conditions() {
        planned.steps.extend(game_step(store, plan, condition)?);
    }
    let Some(pattern) = &plan.pattern else {
        return Ok(planned);
    };
    let columns = pattern::plan(store, plan, pattern)?;
    planned.steps.extend(columns.steps);
    planned.certain = columns.certain;
    planned.replayed = columns.replayed;
    planned.possible = columns.certain + columns.replayed;
    planned.found_by_replay = Some(found.saturating_sub(columns.certain));
    Ok(planned)
}

/// How many games a query finds.
fn count(store: &Store, plan: &AccessPlan) -> Result<u64, StoreError> {
    let mut pass = |_| Ok(());
    let plan = plan.with_limit(Some(0));
    select::each(store, &plan, ResultPage::of(store, &plan, &mut pass))?.whole(store)
}

fn position_step(store: &Store, position: &PositionQuery) -> Result<QueryPlanStep, StoreError> {
    let reached = count(
        store,
        &AccessPlan {
            position: Some(position.clone()),
            ..AccessPlan::default()
        },
    )?;
    Ok(QueryPlanStep {
        condition: format!("fen:\"{}\"", position.position.fen()),
        path: AccessPath::Position,
        read_bytes: None,
        possible: Some(reached),
        certain: Some(reached),
    })
}

fn game_step(
    store: &Store,
    plan: &AccessPlan,
    condition: &GameCondition,
) -> Result<Option<QueryPlanStep>, StoreError> {
    if let GameCondition::Position(position) = condition {
        let read = position.read.as_deref();
        return read.map(|read| position_step(store, read)).transpose();
    }
    let mut conditions = GameConditions::of([condition.clone()]);
    conditions.names = match &plan.pattern {
        Some(asked) if !plan.conditions.all.contains(condition) => asked.names.clone(),
        _ => plan.conditions.names.clone(),
    };
    let Some(path) = CompiledFilter::new(store, &conditions)?.path() else {
        return Ok(None);
    };
    // Tags and comments are read of the games alone that the others leave.
    let games = if matches!(path, AccessPath::Tags | AccessPath::Annotations) {
        None
    } else {
        Some(count(
            store,
            &AccessPlan {
                conditions,
                ..AccessPlan::default()
            },
        )?)
    };
    Ok(Some(QueryPlanStep {
        condition: condition.to_string(),
        path,
        read_bytes: None,
        possible: games,
        certain: games,
    }))
}
