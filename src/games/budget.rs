//! How much may be looked at for the legal moves of a position.

/// How many jumps may be looked at for the captures of one position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget(pub u32);

impl Default for Budget {
    /// 200,000 jumps: some hundredths of a second. The richest capture of the
    /// problem collections takes a few thousand.
    fn default() -> Self {
        Self(200_000)
    }
}

/// The captures of a position are too many to look at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the captures of this position branch too often to be listed")]
pub struct BudgetExceeded;
