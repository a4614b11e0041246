//! What ends the statements of a store before they are done, and what does not.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use super::{Store, StoreError};
use crate::base::observe::CancellationToken;

/// Whether the end was requested, and whether that ends what is being read.
#[derive(Debug, Clone)]
pub(super) struct Interrupt {
    pub(super) stop: CancellationToken,
    /// How many are fetching what was found.
    fetching: Arc<AtomicUsize>,
}

impl Interrupt {
    pub(super) fn new(stop: &CancellationToken) -> Self {
        Self {
            stop: stop.clone(),
            fetching: Arc::default(),
        }
    }

    /// Whether a statement is to end now.
    pub(super) fn is_due(&self) -> bool {
        self.stop.is_cancelled() && self.fetching.load(Ordering::Relaxed) == 0
    }
}

/// While it is held, reads of a store go on although the end was requested: a user who has waited
/// for a search wants to see what it has found. Only for reads that are soon done.
#[derive(Debug)]
#[must_use]
pub struct NoInterruptGuard(Arc<AtomicUsize>);

impl Drop for NoInterruptGuard {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Store {
    /// Looked at by code that goes through much without querying the database.
    pub const fn stop(&self) -> &CancellationToken {
        &self.ending.stop
    }

    /// Fetches what was found, even after the end was requested.
    pub fn fetching(&self) -> NoInterruptGuard {
        let fetching = &self.ending.fetching;
        fetching.fetch_add(1, Ordering::Relaxed);
        NoInterruptGuard(Arc::clone(fetching))
    }

    /// An error if the end was requested.
    ///
    /// # Errors
    ///
    /// [`StoreErrorKind::Interrupted`](super::StoreErrorKind::Interrupted), but not while a caller
    /// is [fetching](Self::fetching) what was found.
    pub fn go_on(&self) -> Result<(), StoreError> {
        if self.ending.is_due() {
            return Err(self.interrupted());
        }
        Ok(())
    }
}
