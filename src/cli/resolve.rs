//! A query made ready for a database, with what is to be said of that.

use super::error::CliError;
use super::plan_said;
use crate::db::people::NameMatches;
use crate::db::planner::{self, PlanError, QueryReading};
use crate::db::search::{AccessPlan, OtherVariantGames};
use crate::db::store::Store;
use crate::query::{Query, interpret};

/// A query made ready for a database.
pub(crate) struct ResolvedQuery {
    /// How it is answered.
    pub plan: AccessPlan,
    /// What its names are.
    pub names: Vec<NameMatches>,
    /// Games that have its position by other rules.
    pub other_variants: Vec<OtherVariantGames>,
    /// What is worth saying besides.
    pub notes: Vec<String>,
}

/// Makes a query ready for a database.
pub(crate) fn resolve(store: &Store, query: &Query) -> Result<ResolvedQuery, CliError> {
    let found = planner::plan(store, query).map_err(|error| match error {
        PlanError::Store(error) => error.into(),
        PlanError::Query(error) => plan_said::misread_error(&query.text, &error),
    })?;
    let elsewhere = plan_said::elsewhere(&found.other_variants);
    let reading = match found.reading {
        Some(QueryReading::Moves(words)) => Some(interpret::read_as_position(&words)),
        Some(QueryReading::Instead(row, rows)) => Some(plan_said::instead(row, &rows)),
        Some(QueryReading::Pieces(words, row)) => Some(plan_said::foreign(Some(&words), row)),
        Some(QueryReading::NotStored(row)) => elsewhere
            .clone()
            .or_else(|| Some(plan_said::foreign(None, row))),
        Some(QueryReading::Variants(bound)) => {
            elsewhere.clone().or_else(|| plan_said::others(&bound))
        }
        None => None,
    };
    let mut notes: Vec<String> = reading.or(elsewhere).into_iter().collect();
    notes.extend(found.unknown_tags.into_iter().map(|tag| match tag.nearest {
        Some(nearest) => format!("no game has a tag `{}`; did you mean {nearest}?", tag.name),
        None => format!("no game has a tag `{}`", tag.name),
    }));
    Ok(ResolvedQuery {
        plan: found.plan,
        names: found.names,
        other_variants: found.other_variants,
        notes,
    })
}
