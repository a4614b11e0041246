//! Why a text is no position of any game that it may be of.

use std::borrow::Cow;

use crate::games::variant::Variant;

/// Why a text is no position. The message says what it was understood as and where that
/// broke; print the hint below it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct PositionError {
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub hint: Cow<'static, str>,
    /// The game as which most of the text was understood; `None` if nothing was.
    pub row: Option<&'static Variant>,
}
