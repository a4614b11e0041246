//! Records that do not say who played, or have no moves: all that is stored of two must be equal,
//! but for how their texts are spaced and wrapped.

use twox_hash::XxHash3_64;

use crate::{formats::composition::FiledProblem, games::tree};

/// What a game has besides its main line: its records of tree and texts.
pub fn told_besides([tree, texts]: [&[u8]; 2]) -> u64 {
    let mut told = Vec::new();
    if !tree.is_empty() {
        tree::put_told(tree, texts, &mut told);
    }
    XxHash3_64::oneshot(&told)
}

/// Whether two records are of one chess problem.
pub fn is_same_problem(one: &[u8], other: &[u8]) -> bool {
    one == other
        || FiledProblem::read(one)
            .zip(FiledProblem::read(other))
            .is_some_and(|(one, other)| one.problem.is_same(&other.problem))
}
