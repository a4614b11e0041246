//! How a query is answered: by which access paths, and which games each of them leaves.

use serde::Serialize;

use super::{
    pattern,
    select::{self, ResultPage},
};
use crate::{
    db::store::{Store, StoreError},
    query::{Filter, GameCondition, PositionQuery, Query},
};

/// The data that answers a condition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum AccessPath {
    /// Ranges of game numbers.
    Numbers,
    /// Spellings of names, and lists of their games.
    Names,
    /// Packed facts of games, a block at a time.
    Facts,
    /// The index of positions.
    Position,
    /// Summaries of main lines by column.
    Columns,
    /// Rows with the tags of games.
    Tags,
    /// Comments and glyphs.
    Annotations,
    /// The moves of games.
    Replay,
}

impl AccessPath {
    /// Its name in lists and in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Numbers => "numbers",
            Self::Names => "names",
            Self::Facts => "facts",
            Self::Position => "position",
            Self::Columns => "columns",
            Self::Tags => "tags",
            Self::Annotations => "annotations",
            Self::Replay => "replay",
        }
    }

    /// That of a condition on games; `None` if it only says how to search.
    const fn of(condition: &GameCondition) -> Option<Self> {
        Some(match condition {
            GameCondition::Number(_) | GameCondition::File(_) => Self::Numbers,
            GameCondition::Name(..)
            | GameCondition::Score(..)
            | GameCondition::Casual(_)
            | GameCondition::Problem(..)
            | GameCondition::Stipulation { .. } => Self::Names,
            GameCondition::Result(_)
            | GameCondition::Date(_)
            | GameCondition::Month(_)
            | GameCondition::Rating(..)
            | GameCondition::Eco(_)
            | GameCondition::Opening(_)
            | GameCondition::Plies(_)
            | GameCondition::Variant(_)
            | GameCondition::Start(_) => Self::Facts,
            GameCondition::Position(_) => Self::Position,
            GameCondition::TimeClass { .. } | GameCondition::Tag(_) => Self::Tags,
            GameCondition::Comment(_) | GameCondition::Move(_) => Self::Annotations,
            GameCondition::InVariations | GameCondition::Similar(_) => return None,
        })
    }
}

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
    /// How many of these match; `None` if conditions beside an exact position are replayed first.
    pub found_by_replay: Option<u64>,
}

/// The plan of a query that finds `found` games. Conditions that stood beside its position, and were
/// answered first, are those of the query `beside`.
///
/// # Errors
///
/// [`StoreError`] if the database cannot be read or is damaged.
pub fn plan(
    store: &Store,
    query: &Query,
    beside: Option<&Query>,
    found: u64,
) -> Result<QueryPlan, StoreError> {
    if let (Some(beside), Some(position)) = (beside, &query.position) {
        let mut planned = plan(store, beside, None, found)?;
        planned.steps.insert(0, position_step(store, position)?);
        (planned.possible, planned.certain) = (found, found);
        planned.found_by_replay = None;
        return Ok(planned);
    }
    let mut planned = QueryPlan {
        games: count(store, Query::default())?,
        possible: found,
        certain: found,
        ..QueryPlan::default()
    };
    if let Some(position) = &query.position {
        planned.steps.push(position_step(store, position)?);
    }
    for condition in query.game_conditions() {
        planned.steps.extend(game_step(store, query, condition)?);
    }
    let Some(asked) = &query.asked else {
        return Ok(planned);
    };
    // Facts alone are tested in blocks, without a look at single games.
    if query.position.is_none() && pattern::necessary_facts(store, asked)?.is_some() {
        return Ok(planned);
    }
    let columns = pattern::plan(store, asked, &query.filter)?;
    planned.steps.extend(columns.steps);
    planned.certain = columns.certain;
    planned.replayed = columns.replayed;
    planned.possible = columns.certain + columns.replayed;
    planned.found_by_replay = Some(found.saturating_sub(columns.certain));
    Ok(planned)
}

/// How many games a query finds.
fn count(store: &Store, query: Query) -> Result<u64, StoreError> {
    let mut pass = |_| Ok(());
    let query = Query {
        limit: Some(0),
        ..query
    };
    select::each(store, &query, ResultPage::of(store, &query, &mut pass))?.whole(store)
}

fn position_step(store: &Store, position: &PositionQuery) -> Result<QueryPlanStep, StoreError> {
    let reached = count(
        store,
        Query {
            position: Some(position.clone()),
            ..Query::default()
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
    query: &Query,
    condition: &GameCondition,
) -> Result<Option<QueryPlanStep>, StoreError> {
    let Some(path) = AccessPath::of(condition) else {
        return Ok(None);
    };
    // Tags and comments are read of the games alone that the others leave.
    let is_counted = !matches!(path, AccessPath::Tags | AccessPath::Annotations);
    let games = if !is_counted {
        None
    } else if let GameCondition::Position(position) = condition {
        match &position.read {
            Some(position) => position_step(store, position)?.certain,
            None => None,
        }
    } else {
        let mut filter = Filter::of([condition.clone()]);
        filter.names = match &query.asked {
            Some(asked) if !query.filter.all.contains(condition) => asked.names.clone(),
            _ => query.filter.names.clone(),
        };
        Some(count(
            store,
            Query {
                filter,
                ..Query::default()
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
