//! Pawn structures and endings: where games keep them, and how they are played from there.

mod candidates;
mod endings;
mod pattern;
mod pawns;
mod reached;
mod report;
mod stays;

pub use endings::{EndingFamily, EndingSpec};
pub use pawns::{NAMED_STRUCTURES, NamedStructure, named as structure_named};
pub use reached::{ReachedFigures, Reaching};
pub use report::{
    PawnDifference, SkeletonWidth, StructureOpening, StructureOptions, StructureQuery,
    StructureReport, report,
};
pub use stays::{ReachScan, ReachedEnding, SkeletonTarget, Stay, StayFinder, StayTest};

#[cfg(test)]
mod tests;
