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
