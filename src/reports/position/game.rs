//! A game with the position of a report.

use crate::{base::record::GameId, blocks::facts::PackedFacts, search::MoveCode};

/// A game with the position.
#[derive(Debug, Clone, Copy)]
pub(super) struct ReportGame {
    pub(super) id: GameId,
    pub(super) facts: PackedFacts,
    /// The move that leaves the position.
    pub(super) next: Option<MoveCode>,
}
