//! Solutions as people print them: set play and tries before the key, answers
//! moved to the right below what they answer.

use std::fmt::Write as _;

use super::{ROOT, Solution, SolutionNode};
use crate::base::record::suffix_of;

/// Columns that an answer is moved to the right.
const INDENT: usize = 2;

/// Deeper answers are not moved further to the right.
const INDENTS_MAX: usize = 20;

/// How a solution is printed.
#[derive(Clone, Copy)]
pub struct SolutionStyle<'p> {
    /// The depth of the first move, as [`super::read`] takes it.
    pub first_depth: u32,
    /// One side moves alone: passes are not worth a word.
    pub is_series: bool,
    /// Writes a move in SAN with the letters that are wanted.
    pub letter: &'p dyn Fn(&str) -> String,
}

/// Writes a played solution and what of it is text. What comes out reads back
/// as the same solution.
#[must_use]
pub fn write(solution: &Solution, print: SolutionStyle<'_>) -> String {
    let mut out = String::new();
    for comment in &solution.nodes[ROOT].comments {
        let _ = writeln!(out, "{{{comment}}}");
    }
    if !solution.rest.is_empty() && !solution.is_empty() {
        out.push_str("a)\n");
    }
    let mut writer = TextWriter {
        solution,
        shift: print.first_depth - 1,
        print,
        out: &mut out,
    };
    for (at, root) in solution.printed(ROOT).into_iter().enumerate() {
        // A pass is no move of its own: its answers are the blocks.
        if at > 0 {
            writer.out.push('\n');
        }
        writer.branch(root);
    }
    if !solution.rest.is_empty() {
        if !out.is_empty() {
            out.push('\n');
        }
        out.push_str(&solution.rest);
    }
    out.truncate(out.trim_end().len());
    out
}

/// Writes a move that was not played, and its answers, in one line.
pub(super) fn branch_in_a_line(solution: &Solution, at: usize) -> String {
    let mut out = String::new();
    TextWriter {
        solution,
        shift: 0,
        print: SolutionStyle {
            first_depth: 1,
            is_series: true,
            letter: &str::to_owned,
        },
        out: &mut out,
    }
    .branch(at);
    let mut line = String::with_capacity(out.len());
    for word in out.split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    // It becomes a comment.
    line.replace(['{', '}'], "")
}

impl Solution {
    /// The answers to a move in print order: passes,
    /// tries, the others, refutations.
    pub(super) fn printed(&self, parent: usize) -> Vec<usize> {
        let mut answers = self.nodes[parent].children.clone();
        answers.sort_by_key(|&at| {
            let node = &self.nodes[at];
            match node.mark {
                _ if node.word.is_empty() => 0,
                2 | 4 | 5 | 6 if parent == ROOT => 1,
                _ if node.is_refutation => 3,
                _ => 2,
            }
        });
        answers
    }
}

struct TextWriter<'a> {
    solution: &'a Solution,
    /// From depths to twice the move numbers.
    shift: u32,
    print: SolutionStyle<'a>,
    out: &'a mut String,
}

/// What is still to be written, the next last.
enum DueText {
    /// A move, on a line of its own moved to the right by this many steps.
    Fresh(usize, usize),
    /// A move after the one before, its number written.
    Along(usize, usize, bool),
    /// `but` on a line of its own.
    But(usize),
}

impl TextWriter<'_> {
    fn branch(&mut self, root: usize) {
        let mut due = vec![DueText::Fresh(root, 0)];
        while let Some(next) = due.pop() {
            match next {
                DueText::But(indent) => {
                    self.end_line();
                    let _ = writeln!(self.out, "{:1$}but", "", indent * INDENT);
                }
                DueText::Fresh(at, indent) => {
                    let node = &self.solution.nodes[at];
                    if !node.word.is_empty() {
                        self.end_line();
                        let _ = write!(self.out, "{:1$}", "", indent * INDENT);
                        self.word(node, true);
                    }
                    self.answers(at, indent, &mut due);
                }
                DueText::Along(at, indent, numbered) => {
                    let node = &self.solution.nodes[at];
                    if !node.word.is_empty() {
                        self.out.push(' ');
                        self.word(node, numbered);
                    }
                    self.answers(at, indent, &mut due);
                }
            }
        }
        self.end_line();
    }

    fn end_line(&mut self) {
        if !self.out.is_empty() && !self.out.ends_with('\n') {
            self.out.push('\n');
        }
    }

    fn word(&mut self, node: &SolutionNode, numbered: bool) {
        let depth = node.depth + self.shift;
        if depth.is_multiple_of(2) {
            let _ = write!(self.out, "{}.", depth / 2);
        } else if numbered {
            let _ = write!(self.out, "{}...", depth / 2);
        }
        self.out.push_str(&(self.print.letter)(&node.word));
        self.out.push_str(suffix_of(node.mark));
        for comment in &node.comments {
            let _ = write!(self.out, " {{{comment}}}");
        }
        if node.is_zugzwang {
            self.out.push_str(" zugzwang.");
        }
    }

    fn answers(&mut self, at: usize, indent: usize, due: &mut Vec<DueText>) {
        let nodes = &self.solution.nodes;
        let node = &nodes[at];
        let answers = self.solution.printed(at);
        let is_pass = node.word.is_empty();
        if let [only] = answers[..]
            && !is_pass
            && !nodes[only].is_refutation
            && !is_key(node)
        {
            if !nodes[only].word.is_empty() {
                let numbered = !node.comments.is_empty() || node.is_zugzwang;
                due.push(DueText::Along(only, indent, numbered));
                return;
            }
            // One side moves alone.
            if let ([next], true) = (&nodes[only].children[..], self.print.is_series) {
                due.push(DueText::Along(*next, indent, true));
                return;
            }
        }
        let deeper = if is_pass && node.depth == 1 {
            indent
        } else {
            (indent + 1).min(INDENTS_MAX)
        };
        let threatens = answers
            .iter()
            .any(|&at| nodes[at].word.is_empty() && !nodes[at].children.is_empty());
        if threatens && !is_pass {
            self.out.push_str(" threat:");
        }
        let refutations = answers.iter().position(|&at| nodes[at].is_refutation);
        for (place, &answer) in answers.iter().enumerate().rev() {
            due.push(DueText::Fresh(answer, deeper));
            if refutations == Some(place) {
                due.push(DueText::But(indent));
            }
        }
    }
}

/// Keys and tries stand alone on their lines.
const fn is_key(node: &SolutionNode) -> bool {
    node.depth == 1 && (node.mark != 0 || node.is_zugzwang)
}
