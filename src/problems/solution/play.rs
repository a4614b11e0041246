//! Playing a solution on the board: moves become legal moves, or text.

use super::{ROOT, Solution, text};
use crate::games::{
    chess::{
        basics::{Chess, Color, Position as _},
        notation::{lenient_move, san},
    },
    notation::letters::{Language, PROBLEM_ENGLISH},
};

/// How the words of a solution are to be read.
#[derive(Debug, Clone, Copy)]
pub struct SolutionRules {
    /// The language of the letters.
    pub language: &'static Language,
    /// The depth of the first move: 2, or 3 where it is numbered as the second of
    /// a pair.
    pub first_depth: u32,
}

/// Plays a solution from its diagram: words become SAN, depths plies. What is not
/// legal becomes, with all its answers, a comment of the move before it; the moves
/// that were refused are returned.
#[must_use]
pub fn play(
    mut solution: Solution,
    start: &Chess,
    rules: SolutionRules,
) -> (Solution, Vec<String>) {
    /// Answers that are still to be played, in a position.
    struct Open {
        position: Chess,
        parent: usize,
        answers: std::vec::IntoIter<usize>,
    }
    let mut refused = Vec::new();
    solution.nodes[ROOT].depth = 0;
    let mut open = vec![Open {
        position: start.clone(),
        parent: ROOT,
        answers: std::mem::take(&mut solution.nodes[ROOT].children).into_iter(),
    }];
    // No deeper than the tree.
    while let Some(level) = open.last_mut() {
        let Some(at) = level.answers.next() else {
            open.pop();
            continue;
        };
        let parent = level.parent;
        let word = &solution.nodes[at].word;
        let Some((word, position)) = play_word(&level.position, word, rules.language) else {
            solution.lose(at, parent, &mut refused);
            continue;
        };
        let depth = solution.nodes[parent].depth + 1;
        solution.nodes[parent].children.push(at);
        let node = &mut solution.nodes[at];
        (node.word, node.depth) = (word, depth);
        let answers = std::mem::take(&mut node.children).into_iter();
        open.push(Open {
            position,
            parent: at,
            answers,
        });
    }
    solution.drop_idle_passes();
    (solution, refused)
}

impl Solution {
    /// Passes that nothing follows any more say nothing.
    fn drop_idle_passes(&mut self) {
        for at in 0..self.nodes.len() {
            let mut children = std::mem::take(&mut self.nodes[at].children);
            children.retain(|&child| {
                let node = &self.nodes[child];
                !(node.word.is_empty() && node.children.is_empty() && node.comments.is_empty())
            });
            self.nodes[at].children = children;
        }
    }

    /// Keeps a move and its answers as a comment.
    fn lose(&mut self, at: usize, mut parent: usize, refused: &mut Vec<String>) {
        let node = &self.nodes[at];
        if !node.word.is_empty() {
            refused.push(node.word.clone());
        }
        let line = text::branch_in_a_line(self, at);
        // A pass is not printed, and could be dropped.
        while parent != ROOT && self.nodes[parent].word.is_empty() {
            parent = self.nodes[parent].parent;
        }
        self.nodes[parent].comments.push(line);
    }
}

/// Plays a word, empty for a pass; the move in SAN and what comes out.
fn play_word(position: &Chess, word: &str, language: &'static Language) -> Option<(String, Chess)> {
    if word.is_empty() {
        return Some((String::new(), lenient_move::pass(position)?));
    }
    let word = plain(word);
    let ply = [language, PROBLEM_ENGLISH]
        .into_iter()
        .find_map(|language| lenient_move::resolve_strictly_in(position, &word, language).ok())
        .or_else(|| {
            let resolved = lenient_move::resolve_in(position, &word, Some(language)).ok()?;
            <[_; 1]>::try_from(resolved.moves).ok().map(|[ply]| ply)
        });
    let m = ply.flatten()?;
    let san = san::write(position, &m);
    let mut next = position.clone();
    next.play_unchecked(m);
    Some((san, next))
}

/// A move without what Popeye and journals write otherwise than PGN.
fn plain(word: &str) -> String {
    let word = word.trim_end_matches('=');
    let word = word.strip_suffix("ep.").unwrap_or(word);
    let word = word.strip_suffix("ep").unwrap_or(word);
    word.replace('*', "x")
}

/// The depth of the first move where the side of even depths moves first.
pub(super) const FIRST: u32 = 2;

impl SolutionRules {
    /// The rules for a language where `even` is the side whose moves follow a plain
    /// number, and `turn` the side that begins.
    #[must_use]
    pub fn new(language: &'static Language, even: Color, turn: Color) -> Self {
        Self {
            language,
            first_depth: FIRST + u32::from(even != turn),
        }
    }
}
