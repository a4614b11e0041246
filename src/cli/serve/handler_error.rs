//! Why a request is not answered.

use std::borrow::Cow;

use super::response::{ANSWER_MAX, Response};
use crate::cli::error::CliError;
use crate::database::Error;

/// Why there is no answer.
#[derive(Debug)]
pub(crate) enum HandlerError {
    /// There is nothing of that name: a status 404.
    Nothing(String),
    /// What was there is at another path now: a status 404.
    Moved(&'static str),
    /// The query makes no sense: a status 400.
    Wrong(CliError),
    /// The database cannot be read, or not in time.
    Failed(CliError),
    /// The answer would have more bytes than any may have: a status 413.
    TooLarge,
}

impl From<Error> for HandlerError {
    fn from(error: Error) -> Self {
        Self::Failed(error.into())
    }
}

/// An answer, or why there is none.
pub(crate) type HandlerResult = Result<Response, HandlerError>;

impl HandlerError {
    /// The status, what is wrong, and what to do about it.
    pub(crate) fn message(&self) -> (u16, Cow<'_, str>, Option<&str>) {
        match self {
            Self::Nothing(message) => (404, message.into(), None),
            Self::Moved(hint) => (404, "there is nothing at this path".into(), Some(hint)),
            Self::Wrong(error) => (400, error.message().into(), error.hint_text()),
            Self::Failed(error) if error.is_stopped() => (
                503,
                "the answer takes too long".into(),
                Some("ask for less, or use the command line"),
            ),
            Self::Failed(error) => (500, error.message().into(), error.hint_text()),
            Self::TooLarge => (
                413,
                format!("the answer would have more than {} MiB", ANSWER_MAX >> 20).into(),
                Some(
                    "ask for less, with limit=, depth= or more filters, or use the command line, \
                     which has no bound",
                ),
            ),
        }
    }
}
