//! Why the value of a condition cannot be read.

/// What is wrong with a value, and what could be written instead.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ValueError {
    /// What is wrong, without a full stop.
    pub message: String,
    /// What to do.
    pub hint: Option<String>,
    /// A value that can be read and was probably meant.
    pub suggestion: Option<String>,
}

impl ValueError {
    /// An error without advice.
    pub fn new(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            hint: None,
            suggestion: None,
        }
    }

    /// The same with what to do.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// The same with the value that was probably meant.
    #[must_use]
    pub fn suggest(mut self, value: impl Into<String>) -> Self {
        self.suggestion = Some(value.into());
        self
    }
}
