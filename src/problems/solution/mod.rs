//! Solutions of problems as trees: set play, tries, key, threats, variations.
//!
//! A solution is numbered text. Its move numbers alone show what answers what,
//! whether it is indented, in brackets or in one line: a move of depth n answers
//! the last one of depth n - 1 above it. Where one is missing, the other side has
//! passed: so a threat follows the key, a set play the diagram, and the moves of
//! series play each other.

mod build;
mod lex;
mod movetext;
mod play;
#[cfg(test)]
mod tests;
mod text;

pub use build::read;
pub use movetext::{SolutionText, from_movetext, from_parsed, to_movetext};
pub use play::{SolutionRules, play};
pub use text::{SolutionStyle, write};

/// Longer solutions stay text, in bytes.
pub const TEXT_BYTES_MAX: usize = 1 << 20;

/// Deeper lines stay text, in plies.
const DEPTH_MAX: u32 = 1000;

/// Wider trees stay text, in moves.
const NODES_MAX: usize = 100_000;

/// A move of a solution and all that answers it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SolutionNode {
    /// The move: as written until it is played, then in SAN. Empty: the side to
    /// move passes, or does not matter.
    pub word: String,
    /// Plies from the diagram, 1-based; before it is played twice the move number,
    /// and one more for the second move of a pair.
    pub depth: u32,
    /// `!`, `?`, `!?`, … as a numeric annotation glyph; 0 for none.
    pub mark: u32,
    /// Black answers it because Black must: `zugzwang`.
    pub is_zugzwang: bool,
    /// It is what refutes a try: `but`.
    pub is_refutation: bool,
    /// What is said about it.
    pub comments: Vec<String>,
    /// Its answers, as indices into [`Solution::nodes`].
    pub children: Vec<usize>,
    parent: usize,
}

/// The node that stands for the diagram: what is said before the first move is said of it.
const ROOT: usize = 0;

/// A solution, read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Solution {
    /// The diagram and all moves after it.
    pub nodes: Vec<SolutionNode>,
    /// What is no tree of moves of the diagram: that of other twins, or moves that
    /// could not be played. Kept as written.
    pub rest: String,
}

impl Default for Solution {
    fn default() -> Self {
        Self {
            nodes: vec![SolutionNode::default()],
            rest: String::new(),
        }
    }
}

impl Solution {
    /// Whether there are no moves.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nodes[ROOT].children.is_empty()
    }

    /// A solution that is text alone.
    #[must_use]
    pub fn text(text: &str) -> Self {
        Self {
            rest: text.to_owned(),
            ..Self::default()
        }
    }

    /// The move that the main line goes on with: the key, else the first that is
    /// neither a try nor a pass.
    #[must_use]
    pub fn main_answer(&self, node: usize) -> Option<usize> {
        let answers = &self.nodes[node].children;
        let find = |fits: &dyn Fn(&SolutionNode) -> bool| {
            answers.iter().copied().find(|&at| fits(&self.nodes[at]))
        };
        let is_key = |node: &SolutionNode| matches!(node.mark, 1 | 3);
        let is_try = |node: &SolutionNode| matches!(node.mark, 2 | 4 | 5 | 6);
        let key = (node == ROOT)
            .then(|| find(&|node| is_key(node) && !node.word.is_empty()))
            .flatten();
        key.or_else(|| find(&|node| !is_try(node) && !node.word.is_empty()))
            .or_else(|| find(&|node| !node.word.is_empty()))
            .or_else(|| answers.first().copied())
    }

    fn push(&mut self, parent: usize, mut node: SolutionNode) -> usize {
        let at = self.nodes.len();
        node.parent = parent;
        self.nodes.push(node);
        self.nodes[parent].children.push(at);
        at
    }
}
