//! Whether games can be read that are about to stand for others.

use crate::{
    base::{
        observe::{Event, Observer},
        record::GameId,
    },
    search::GameReader,
    store::{Store, StoreError},
};

/// Reads games as they are shown: the records that go may be all that is left of them.
///
/// # Errors
///
/// [`StoreError`], damage of one of them among others; or if the end was requested.
pub(super) fn are_readable(
    store: &Store,
    kept: impl ExactSizeIterator<Item = GameId>,
    observer: &dyn Observer,
) -> Result<(), StoreError> {
    let phase = Event::Phase {
        name: "reading what stays",
        steps: Some(kept.len() as u64),
    };
    if observer.on(phase).is_break() {
        return Err(store.interrupted());
    }
    let mut games = GameReader::new(store);
    for game in kept {
        store.go_on()?;
        games.record(game)?;
        if observer.on(Event::Steps { steps: 1 }).is_break() {
            return Err(store.interrupted());
        }
    }
    Ok(())
}
