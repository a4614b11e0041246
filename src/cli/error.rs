//! Errors as a person reads them: what, because of what, what to do now.

use std::error::Error;
use std::fmt;
use std::io;

use clap::builder::styling::Style;

use super::terminal::{BAD, DIM, HELP};
use crate::base::cancellable_io;
use crate::database;
use crate::query::ValueError;

/// An error that ends the run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CliError {
    message: String,
    causes: Vec<String>,
    hint: Option<String>,
    closed_pipe: bool,
    stopped: bool,
    of_store: bool,
}

impl CliError {
    /// An error with a message: lower case, no final stop.
    pub fn new(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            causes: Vec::new(),
            hint: None,
            closed_pipe: false,
            stopped: false,
            of_store: false,
        }
    }

    /// The end that the user requested.
    pub fn interrupted() -> Self {
        Self {
            stopped: true,
            ..Self::new("interrupted")
        }
    }

    /// An error of a lower layer, with the chain of its causes.
    pub fn from_error(error: &(dyn Error + 'static)) -> Self {
        Self::new(error.to_string()).with_causes_of(error)
    }

    /// What is wrong with a value of a condition.
    pub fn of_value(error: ValueError) -> Self {
        let meant = error
            .suggestion
            .map(|meant| format!("did you mean {meant}?"));
        let own = Self::new(error.message);
        match error.hint.or(meant) {
            Some(hint) => own.hint(hint),
            None => own,
        }
    }

    /// The same error with the place where it is before it.
    pub fn at(mut self, place: &str) -> Self {
        self.message = format!("{place}: {}", self.message);
        self
    }

    /// What is wrong.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The same, known to be about the database and not about the query.
    pub fn of_store(mut self) -> Self {
        self.of_store = true;
        self
    }

    /// Whether it is about the database.
    pub fn is_of_store(&self) -> bool {
        self.of_store || self.stopped
    }

    /// What to do about it.
    pub fn hint_text(&self) -> Option<&str> {
        self.hint.as_deref()
    }

    /// Adds an error as the cause, with the chain of its own causes.
    pub fn because(mut self, error: &(dyn Error + 'static)) -> Self {
        self.causes.push(error.to_string());
        self.with_causes_of(error)
    }

    /// Adds what to do about it.
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Whether the reader of our output went away, which is no error.
    pub fn is_closed_pipe(&self) -> bool {
        self.closed_pipe
    }

    /// Whether it is only that the user requested the end.
    pub fn is_stopped(&self) -> bool {
        self.stopped
    }

    /// Its lines: how the word before each looks, that word, and what it says.
    pub(super) fn lines(&self) -> impl Iterator<Item = (Style, &'static str, &str)> {
        let because = |cause| (DIM, "  because:", cause);
        let causes = self.causes.iter().map(String::as_str).map(because);
        let hint = self.hint.as_deref().map(|hint| (HELP, "hint:", hint));
        let message = (BAD, "error:", self.message.as_str());
        std::iter::once(message).chain(causes).chain(hint)
    }

    fn with_causes_of(mut self, error: &(dyn Error + 'static)) -> Self {
        let mut cause = error.source();
        while let Some(error) = cause {
            self.closed_pipe |= is_broken_pipe(error);
            let text = error.to_string();
            // Some layers repeat their cause in their own text.
            let repeated = self.causes.last().unwrap_or(&self.message).ends_with(&text);
            if !repeated {
                self.causes.push(text);
            }
            cause = error.source();
        }
        self
    }
}

fn is_broken_pipe(error: &(dyn Error + 'static)) -> bool {
    error
        .downcast_ref::<io::Error>()
        .is_some_and(|e| e.kind() == io::ErrorKind::BrokenPipe)
}

/// Plain text, as [`super::terminal::Messages::error`] writes it without colour.
impl fmt::Display for CliError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines = self.lines().map(|(_, word, text)| format!("{word} {text}"));
        f.write_str(&lines.collect::<Vec<_>>().join("\n"))
    }
}

impl Error for CliError {}

impl From<database::Error> for CliError {
    fn from(error: database::Error) -> Self {
        if error.is_interrupted() {
            return Self::interrupted();
        }
        let failures = error.failures().iter().take(database::NAMED);
        let own = failures.fold(Self::from_error(&error), |own, why| own.because(why));
        let own = match error.hint() {
            "" => own,
            hint => own.hint(hint),
        };
        if error.is_of_database() {
            own.of_store()
        } else {
            own
        }
    }
}

/// Errors while writing to standard output.
impl From<io::Error> for CliError {
    fn from(error: io::Error) -> Self {
        let closed_pipe = error.kind() == io::ErrorKind::BrokenPipe;
        let stopped = cancellable_io::is_stopped(&error);
        Self {
            closed_pipe,
            stopped,
            ..Self::new("cannot write the output").because(&error)
        }
    }
}

/// serde wraps the writer's error; a closed pipe must be seen through it.
impl From<serde_json::Error> for CliError {
    fn from(error: serde_json::Error) -> Self {
        Self::from(io::Error::from(error))
    }
}

/// The csv crate wraps the writer's error as well.
impl From<csv::Error> for CliError {
    fn from(error: csv::Error) -> Self {
        match error.into_kind() {
            csv::ErrorKind::Io(error) => error.into(),
            kind => Self::from(io::Error::other(format!("{kind:?}"))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_read_from_what_to_why_to_what_now() {
        let io = io::Error::new(io::ErrorKind::PermissionDenied, "permission denied");
        let error = CliError::new("a.db: cannot open the database")
            .because(&io)
            .hint("choose another file with --db");
        insta::assert_snapshot!(error, @r"
        error: a.db: cannot open the database
          because: permission denied
        hint: choose another file with --db
        ");
    }

    #[test]
    fn a_closed_pipe_is_seen_through_every_wrapper() {
        let pipe = || io::Error::from(io::ErrorKind::BrokenPipe);
        assert!(CliError::from(pipe()).is_closed_pipe());
        assert!(CliError::from(serde_json::Error::io(pipe())).is_closed_pipe());
        assert!(CliError::from(csv::Error::from(pipe())).is_closed_pipe());
        assert!(!CliError::from(io::Error::from(io::ErrorKind::StorageFull)).is_closed_pipe());
    }
}
