//! How a query is answered: what columns spare, and which games are left to be replayed.

use serde::Serialize;

use super::{
    super::{filter::CompiledFilter, select::SelectionStop},
    candidates::Candidates,
    gather,
};
use crate::db::store::{Store, StoreError};
use crate::query::Query;

/// A part of a query, and what columns say of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct QueryPlanPart {
    /// The part, as it was written.
    pub text: String,
    /// Bytes of columns that were read for it.
    pub read_bytes: u64,
    /// Games that may have it.
    pub possible: u64,
    /// Games that have it for sure.
    pub certain: u64,
}

/// How a query is answered.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct QueryPlan {
    /// Games of the database, removed ones left out.
    pub games: u64,
    /// The parts about positions and moves, in the order of the text; one that is seen in
    /// several ways comes once for each.
    pub parts: Vec<QueryPlanPart>,
    /// Games that may fulfil the entire query, as far as columns show.
    pub possible: u64,
    /// Games that filters leave of these and that fulfil it for sure.
    pub certain_matches: u64,
    /// Games that are left to be looked through.
    pub scanned: u64,
}

/// How a query's conditions are answered, without replaying games; `None` if it has none.
///
/// # Errors
///
/// [`StoreError`] if the database cannot be read or is damaged.
pub fn plan(store: &Store, query: &Query) -> Result<Option<QueryPlan>, StoreError> {
    let Some(asked) = &query.asked else {
        return Ok(None);
    };
    let filter = CompiledFilter::new(store, &query.filter)?;
    let mut planned = QueryPlan {
        games: store.last_game()? - filter.removed().count(),
        ..QueryPlan::default()
    };
    let (mut parts, mut possible) = (Vec::new(), 0);
    let mut tell = |candidates: &Candidates| {
        possible += candidates.possible().count() as u64;
        candidates.tell(&asked.text, &mut parts);
    };
    let done = gather(store, asked, &filter, &mut tell, &mut |batch| {
        let looked_through = batch.candidates.len();
        planned.scanned += looked_through as u64;
        planned.certain_matches += (batch.games.len() - looked_through) as u64;
        Ok(())
    });
    (planned.parts, planned.possible) = (parts, possible);
    match done {
        Err(SelectionStop::Failed(error)) => Err(error),
        Ok(()) | Err(SelectionStop::Enough) => Ok(Some(planned)),
    }
}
