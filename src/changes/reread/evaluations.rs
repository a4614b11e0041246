//! How the evaluations of a source are read, as a person says: no game is read again for it.

use std::path::Path;

use serde::Serialize;

use super::{RereadError, sources_of};
use crate::{
    base::{display_path, observe::Observer},
    pgn::parser::eval_view::{EvalReading, EvalSide, EvalUnit, SourceEvals},
    store::{Store, StoreError},
};

/// What a person says of evaluations: the outer `None` leaves it as it is, the inner one to what
/// the games show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct EvalOverride {
    /// Of the unit.
    pub unit: Option<Option<EvalUnit>>,
    /// Of whose view they have.
    pub side: Option<Option<EvalSide>>,
}

impl EvalOverride {
    /// What is by hand of a source after that.
    pub fn put_in(self, by_hand: EvalReading) -> EvalReading {
        let side = |known| self.side.unwrap_or(known);
        EvalReading {
            unit: self.unit.unwrap_or(by_hand.unit),
            command: side(by_hand.command),
            short: side(by_hand.short),
        }
    }
}

/// How the evaluations of a source are read from now on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct EvalChange {
    /// The source as it was named.
    pub source: String,
    /// `pawns` or `centipawns`; `None` is as the form and the games show.
    pub unit: Option<&'static str>,
    /// Whose view they have: `white` or `mover`; likewise.
    pub side: Option<&'static str>,
}

/// Says how the evaluations of the sources of a name are read; of all imports, or of one.
///
/// # Errors
///
/// [`RereadError`] if there is no such source, or the database cannot be written.
pub fn set_evaluations(
    store: &Store,
    (name, import): (&Path, Option<u64>),
    given: EvalOverride,
    observer: &dyn Observer,
) -> Result<Vec<EvalChange>, RereadError> {
    let _alone = store.write_alone(observer)?;
    let sources = sources_of(store, name, import)?;
    store.begin()?;
    let mut all = Vec::new();
    for source in sources {
        let from = GivenEvals {
            before: source.id,
            draft: None,
            given,
        };
        let evals = keep(store, source.id, from)?;
        all.push(EvalChange {
            source: display_path::bytes(&source.name).into_owned(),
            unit: evals.by_hand.unit.map(EvalUnit::name),
            side: evals.by_hand.command.map(EvalSide::name),
        });
    }
    store.commit()?;
    Ok(all)
}

/// What is known of the evaluations of a source.
#[derive(Clone, Copy)]
pub(super) struct GivenEvals<'a> {
    /// The source of which it was known.
    pub(super) before: i64,
    /// The draft with its games, if they were read again.
    pub(super) draft: Option<&'a Store>,
    /// What is given now.
    pub(super) given: EvalOverride,
}

/// Keeps what was given of a source, and what its games show if they were read again.
pub(super) fn keep(
    store: &Store,
    source: i64,
    from: GivenEvals<'_>,
) -> Result<SourceEvals, StoreError> {
    let known = store.source_evals(from.before)?;
    let by_evidence = match from.draft {
        // The only source of a draft.
        Some(draft) => draft.source_evals(1)?.by_evidence,
        None => known.by_evidence,
    };
    let evals = SourceEvals {
        by_hand: from.given.put_in(known.by_hand),
        by_evidence,
    };
    store.put_source_evals(source, evals)?;
    Ok(evals)
}
