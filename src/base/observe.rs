//! The core reports, the shell draws: events of a long run and the trait that
//! receives them.

#[cfg(test)]
use std::sync::atomic::AtomicU64;
use std::{
    ops::ControlFlow,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use crate::base::diagnostic::LocatedDiagnostic;

/// Asks a run to end in good order, from another thread or a signal handler. Code that
/// waits (for a lock, a pipe, a person) or goes through many games looks here often.
#[derive(Debug, Clone, Default)]
pub struct CancellationToken {
    asked: Arc<AtomicBool>,
    /// Tokens that end this as well.
    parents: Arc<[Self]>,
    /// After this many looks it requests the end by itself.
    #[cfg(test)]
    looks: Option<Arc<AtomicU64>>,
}

impl CancellationToken {
    /// Requests the end.
    pub fn cancel(&self) {
        self.asked.store(true, Ordering::Relaxed);
    }

    /// Whether the end was requested.
    pub fn is_cancelled(&self) -> bool {
        #[cfg(test)]
        if let Some(looks) = &self.looks {
            let less = |looks: u64| looks.checked_sub(1);
            if looks
                .fetch_update(Ordering::Relaxed, Ordering::Relaxed, less)
                .is_err()
            {
                self.cancel();
            }
        }
        self.asked.load(Ordering::Relaxed) || self.parents.iter().any(Self::is_cancelled)
    }

    /// A token of its own, which asks when this one does.
    #[must_use]
    pub fn child(&self) -> Self {
        Self {
            parents: [self.clone()].into(),
            ..Self::default()
        }
    }

    /// A token of its own, which asks when one of two does.
    #[must_use]
    pub fn either(&self, other: &Self) -> Self {
        Self {
            parents: [self.clone(), other.clone()].into(),
            ..Self::default()
        }
    }

    /// The flag itself, for a signal handler.
    pub fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.asked)
    }

    /// Requests the end after this number of looks: at a time that does not depend on
    /// how fast the machine is.
    #[cfg(test)]
    pub(crate) fn at_look(looks: u64) -> Self {
        Self {
            looks: Some(Arc::new(AtomicU64::new(looks))),
            ..Self::default()
        }
    }

    /// How many looks there are left until then.
    #[cfg(test)]
    pub(crate) fn looks_left(&self) -> u64 {
        let looks = self.looks.as_ref();
        looks.map_or(u64::MAX, |looks| looks.load(Ordering::Relaxed))
    }
}

/// Something that happened during an import or another long run.
#[derive(Debug)]
#[non_exhaustive]
pub enum Event<'a> {
    /// A source was opened; `bytes` is its size on disk where it is known.
    SourceOpened {
        /// Name as it is shown: a path, or `-` for standard input.
        name: &'a str,
        /// Size on disk, before decompression.
        bytes: Option<u64>,
    },
    /// That many bytes more of the current source, as on disk, were taken in.
    BytesRead {
        /// Bytes since the last event of this kind.
        bytes: u64,
    },
    /// That many games more were handled (stored, duplicate or rejected).
    GamesHandled {
        /// Games since the last event of this kind.
        games: u64,
    },
    /// Something in the data was found wanting.
    Diagnostic(&'a LocatedDiagnostic),
    /// A phase of work began (`"indexing"`, …) with that many steps, if known.
    Phase {
        /// What is being done, a present participle.
        name: &'a str,
        /// Steps of the phase.
        steps: Option<u64>,
    },
    /// Another process is at work where this one wants to go on; reported repeatedly.
    Waiting {
        /// What it waits for, for a person to read.
        for_whom: &'a str,
    },
    /// That many steps more of the current phase are done.
    Steps {
        /// Steps since the last event of this kind.
        steps: u64,
    },
}

/// Receives events; [`ControlFlow::Break`] asks the run to stop in good order.
pub trait Observer: Sync {
    /// Takes one event. Called per chunk or batch, never per move.
    fn on(&self, event: Event<'_>) -> ControlFlow<()> {
        let _ = event;
        ControlFlow::Continue(())
    }

    /// What a run looks at where it waits and has no event to report.
    fn stop(&self) -> CancellationToken {
        CancellationToken::default()
    }
}

/// The observer that takes no notice of anything, and ends nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct NullObserver;

impl Observer for NullObserver {}

impl<O: Observer + Send + ?Sized> Observer for Arc<O> {
    fn on(&self, event: Event<'_>) -> ControlFlow<()> {
        (**self).on(event)
    }

    fn stop(&self) -> CancellationToken {
        (**self).stop()
    }
}
