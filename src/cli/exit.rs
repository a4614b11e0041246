//! Exit statuses, as grep has them.

use std::process::ExitCode;

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// Something was found, or the work is done (0).
    Done = 0,
    /// Nothing was found (1).
    NothingFound = 1,
    /// Something went wrong (2).
    Trouble = 2,
    /// The user has requested the end a second time (130): 128 + SIGINT, as shells have it.
    InterruptedTwice = 130,
}

impl Exit {
    /// [`Exit::Done`] if there was anything, else [`Exit::NothingFound`].
    pub const fn found(count: u64) -> Self {
        if count == 0 {
            Self::NothingFound
        } else {
            Self::Done
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}
