//! Text of positions, moves and tag values; asks the rules, never moves a man itself.

pub mod quick_san;
