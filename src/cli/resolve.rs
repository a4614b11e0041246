//! A query made ready for a database, with what is to be said of that.

use super::error::CliError;
use crate::cli::CommandContext;
use crate::cli::commands::names;
use crate::cli::query_notes;
use crate::database::{
    AccessPlan, Error, NameMatches, OtherVariantGames, QueryReading, Resolution, Snapshot,
};
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
pub(crate) fn resolve(snapshot: &Snapshot<'_>, query: &Query) -> Result<ResolvedQuery, CliError> {
    let found = snapshot.plan(query);
    Ok(in_words(found.map_err(|error| misread(error, query))?))
}

/// Why a query has no answer, with the place in its text if that is what is wrong.
pub(crate) fn misread(error: Error, query: &Query) -> CliError {
    match error.query() {
        Some(misread) => query_notes::misread_error(&query.text, misread),
        None => error.into(),
    }
}

/// What a query means, in words.
pub(crate) fn in_words(found: Resolution) -> ResolvedQuery {
    let elsewhere = query_notes::elsewhere(&found.other_variants);
    let reading = match found.reading {
        Some(QueryReading::Moves(words)) => Some(interpret::read_as_position(&words)),
        Some(QueryReading::Instead(row, rows)) => Some(query_notes::instead(row, &rows)),
        Some(QueryReading::Pieces(words, row)) => Some(query_notes::foreign(Some(&words), row)),
        Some(QueryReading::NotStored(row)) => elsewhere
            .clone()
            .or_else(|| Some(query_notes::foreign(None, row))),
        Some(QueryReading::Variants(bound)) => {
            elsewhere.clone().or_else(|| query_notes::others(&bound))
        }
        None => None,
    };
    let mut notes: Vec<String> = reading.or(elsewhere).into_iter().collect();
    notes.extend(found.unknown_tags.into_iter().map(|tag| match tag.nearest {
        Some(nearest) => format!("no game has a tag `{}`; did you mean {nearest}?", tag.name),
        None => format!("no game has a tag `{}`", tag.name),
    }));
    ResolvedQuery {
        plan: found.plan,
        names: found.names,
        other_variants: found.other_variants,
        notes,
    }
}

impl ResolvedQuery {
    /// Says what its names find, unless they are to be as they are written, and what else there is
    /// to say.
    pub(crate) fn explain(&self, is_exact: bool, context: &mut CommandContext<'_>) {
        names::explain(&self.names, is_exact, context);
        for note in &self.notes {
            context.notes.note(note);
        }
    }
}
