//! Exit statuses, as grep has them.

use std::process::ExitCode;

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// Something was found, or the work is done (0).
    Done,
    /// Nothing was found (1).
    NothingFound,
    /// Something went wrong (2).
    Trouble,
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

    /// The number that the shell sees.
    pub const fn code(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::NothingFound => 1,
            Self::Trouble => 2,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}

/// The status after a second Ctrl-C: 128 + SIGINT, as shells have it.
pub const INTERRUPTED_TWICE: i32 = 130;
