//! How alike two boards are.

use std::cmp::Ordering;

use crate::games::AnyPosition;
use crate::games::view::{ANY, PieceSets, PositionView, PositionVisitor};

/// The squares on which the same piece stands on both of two boards, of those on which a piece stands
/// on either.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct BoardSimilarity {
    same: u32,
    all: u32,
}

impl BoardSimilarity {
    /// Its share, 0 to 1; two empty boards are alike.
    pub fn share(self) -> f64 {
        if self.all == 0 {
            1.0
        } else {
            f64::from(self.same) / f64::from(self.all)
        }
    }
}

impl PartialOrd for BoardSimilarity {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for BoardSimilarity {
    fn cmp(&self, other: &Self) -> Ordering {
        (self.same * other.all).cmp(&(other.same * self.all))
    }
}

/// A board to which others are compared.
#[derive(Debug, Clone)]
pub struct ModelBoard {
    sets: PieceSets,
    pieces: u128,
}

impl ModelBoard {
    /// That of a position.
    pub fn of(position: &AnyPosition) -> Self {
        let sets = PieceSets::of(&position.diagram());
        Self {
            pieces: sets.pieces(ANY[0]) | sets.pieces(ANY[1]),
            sets,
        }
    }

    /// The first ply at which a main line is most like it, and how much.
    pub fn most_alike(&self, start: &AnyPosition, plies: &[u8]) -> (u32, BoardSimilarity) {
        let mut watcher = SimilarityTest {
            model: self,
            best: None,
        };
        start.show(plies, &mut watcher);
        watcher.best.unwrap_or_default()
    }
}

struct SimilarityTest<'m> {
    model: &'m ModelBoard,
    best: Option<(u32, BoardSimilarity)>,
}

impl PositionVisitor for SimilarityTest<'_> {
    #[inline]
    fn see<S: PositionView>(&mut self, sight: &S) -> bool {
        let same = (self.model.sets.codes())
            .map(|code| (sight.pieces(code) & self.model.sets.pieces(code)).count_ones())
            .sum();
        let pieces = sight.pieces(ANY[0]) | sight.pieces(ANY[1]);
        let likeness = BoardSimilarity {
            same,
            all: (pieces | self.model.pieces).count_ones(),
        };
        if self.best.is_none_or(|(_, best)| likeness > best) {
            self.best = Some((sight.ply(), likeness));
        }
        true
    }
}
