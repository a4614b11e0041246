//! Counting the positions that can be reached: the test of any rules.

use super::{Ply, Position};

/// Leaves of the tree of all legal moves of this depth; the last moves are
/// counted, not played.
pub fn perft(position: &Position, depth: u32) -> u64 {
    let mut plies = Vec::with_capacity(512);
    count(position, depth, &mut plies)
}

/// `plies` holds the moves of all positions on the way, one after the other.
fn count(position: &Position, depth: u32, plies: &mut Vec<Ply>) -> u64 {
    if depth == 0 {
        return 1;
    }
    let start = plies.len();
    position.legal_into(plies);
    let end = plies.len();
    let mut nodes = (end - start) as u64;
    if depth > 1 {
        nodes = 0;
        for index in start..end {
            let mut next = *position;
            next.play(plies[index]);
            nodes += count(&next, depth - 1, plies);
        }
    }
    plies.truncate(start);
    nodes
}
