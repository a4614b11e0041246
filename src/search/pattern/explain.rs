//! What columns say of the conditions of a query on positions and moves, and which games are left to be
//! replayed.

use super::{
    super::{
        explain::QueryPlanStep,
        plan::AccessPath,
        plan::{AccessPlan, PatternQuery},
        select::{self, SelectionStop},
    },
    candidates::Candidates,
    gather,
};
use crate::store::{Store, StoreError};

/// The part of a plan that is about positions and moves.
#[derive(Debug, Default)]
pub(in crate::modules::search) struct SequencePlan {
    /// A step for each sequence.
    pub(in crate::modules::search) steps: Vec<QueryPlanStep>,
    /// Games that columns and conditions on games decide.
    pub(in crate::modules::search) certain: u64,
    /// Games that are replayed.
    pub(in crate::modules::search) replayed: u64,
}

/// How the pattern of a plan is answered among the games that fulfil the rest of it, without replaying
/// any.
pub(in crate::modules::search) fn plan(
    store: &Store,
    plan: &AccessPlan,
    asked: &PatternQuery,
) -> Result<SequencePlan, StoreError> {
    let (filter, _) = select::around_pattern(store, plan)?;
    let mut planned = SequencePlan::default();
    let mut steps = Vec::new();
    let mut varied = None;
    let mut tell = |candidates: &Candidates| {
        candidates.tell(&asked.text, &mut steps);
        if let Some(games) = candidates.varied() {
            *varied.get_or_insert(0) += games as u64;
        }
    };
    let done = gather(store, asked, &filter, &mut tell, &mut |batch| {
        let replayed = batch.candidates.len();
        planned.replayed += replayed as u64;
        planned.certain += (batch.games.len() - replayed) as u64;
        Ok(())
    });
    if let Err(SelectionStop::Failed(error)) = done {
        return Err(error);
    }
    if steps.is_empty() && asked.boards.iter().any(|(_, pattern)| pattern.has_steps()) {
        // Columns are not used: every game may match.
        steps.push(QueryPlanStep {
            condition: asked.expr.to_string(),
            path: AccessPath::Replay,
            read_bytes: None,
            possible: None,
            certain: None,
        });
    }
    if let Some(games) = varied {
        steps.push(QueryPlanStep {
            condition: "in:variations".to_owned(),
            path: AccessPath::Variations,
            read_bytes: None,
            possible: Some(games),
            certain: Some(0),
        });
    }
    planned.steps = steps;
    Ok(planned)
}
