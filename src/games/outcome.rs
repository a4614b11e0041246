//! How games end, and how that is written.

/// Who is meant by the first number of a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ResultOrder {
    /// White.
    WhiteFirst,
    /// The side that moves first, which is Black (the PDN 2.0 draft, and the
    /// archives of English draughts).
    BlackFirst,
}

/// How results are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Results {
    /// `1-0`, `1/2-1/2`, `0-1`.
    Default,
    /// `2-0`, `1-1`, `0-2`.
    International,
}
