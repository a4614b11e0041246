//! From the words of a solution to its tree, by the move numbers.

use std::collections::HashMap;

use super::{
    DEPTH_MAX, NODES_MAX, ROOT, Solution, SolutionNode, TEXT_BYTES_MAX,
    lex::{Lexer, SolutionToken},
};
use crate::pgn::parser::glyph_of;

/// Bytes of answers copied for alternatives, for each byte of the text; and bytes that
/// a copied move counts for besides its word and comments.
const COPIED_MAX: usize = 4;

/// Reads a solution. What cannot be put into the tree is kept: words become
/// comments of the move before them, the solutions of other twins the
/// [`Solution::rest`].
///
/// `first_depth` is the depth of the first move from the diagram: 2, or 3 where
/// it is numbered as the second of a pair (`h#2.5`).
#[must_use]
pub fn read(text: &str, first_depth: u32) -> Solution {
    if text.len() > TEXT_BYTES_MAX {
        return Solution::text(text);
    }
    let mut builder = SolutionBuilder {
        solution: Solution::default(),
        top: ROOT,
        due: None,
        pending: None,
        brackets: Vec::new(),
        but: false,
        refuted: ROOT,
        passes: HashMap::new(),
        groups: Vec::new(),
        words: String::new(),
    };
    builder.solution.nodes[ROOT].depth = first_depth - 1;
    let mut rest_from = text.len();
    for (at, token) in Lexer::new(text) {
        if let SolutionToken::Twin(twin) = token {
            builder.flush();
            if twin == "a)" && builder.solution.is_empty() {
                continue;
            }
            rest_from = at;
            break;
        }
        if builder.solution.nodes.len() > NODES_MAX {
            return Solution::text(text);
        }
        builder.take(token);
    }
    builder.flush();
    let mut solution = builder.solution;
    // Alternatives of alternatives multiply, and so do the comments on what answers
    // them: what becomes longer than the text in this way was not meant.
    let mut left = COPIED_MAX * text.len();
    // Groups within groups come later, and must be complete when they are copied.
    for (others, last) in builder.groups.into_iter().rev() {
        for other in others {
            if !solution.copy_answers(last, other, &mut left) {
                return Solution::text(text);
            }
        }
    }
    text[rest_from..].trim_end().clone_into(&mut solution.rest);
    solution
}

impl Solution {
    /// Gives one move the answers and signs of another; false if that takes more
    /// bytes than are left.
    fn copy_answers(&mut self, from: usize, to: usize, left: &mut usize) -> bool {
        self.nodes[to].mark = self.nodes[from].mark;
        self.nodes[to].is_zugzwang = self.nodes[from].is_zugzwang;
        let mut open = vec![(from, to)];
        while let Some((from, to)) = open.pop() {
            for child in self.nodes[from].children.clone() {
                let node = &self.nodes[child];
                let comments: usize = node.comments.iter().map(String::len).sum();
                let Some(rest) = left.checked_sub(COPIED_MAX + node.word.len() + comments) else {
                    return false;
                };
                *left = rest;
                if self.nodes.len() > NODES_MAX {
                    return false;
                }
                let node = SolutionNode {
                    children: Vec::new(),
                    ..self.nodes[child].clone()
                };
                let copy = self.push(to, node);
                open.push((child, copy));
            }
        }
        true
    }
}

struct SolutionBuilder {
    solution: Solution,
    /// The last move.
    top: usize,
    /// The depth of the next move.
    due: Option<u32>,
    /// A number whose move has not come, as text.
    pending: Option<String>,
    /// The last move and the next depth before each open bracket.
    brackets: Vec<(usize, Option<u32>)>,
    /// The next move is a refutation; those beside it after that are, too.
    but: bool,
    /// The move that was refuted last.
    refuted: usize,
    /// The passes among the answers to moves.
    passes: HashMap<usize, usize>,
    /// Moves that are answered as the last of them is (`1...Rb7/Ra7`).
    groups: Vec<(Vec<usize>, usize)>,
    /// Words that are no moves.
    words: String,
}

impl SolutionBuilder {
    fn take(&mut self, token: SolutionToken<'_>) {
        match token {
            SolutionToken::Number(number, second) => {
                self.unplaced_number();
                self.due = number
                    .checked_mul(2)
                    .map(|depth| depth + u32::from(second))
                    .filter(|&depth| depth <= DEPTH_MAX);
                self.pending = Some(format!("{number}{}", if second { "..." } else { "." }));
            }
            SolutionToken::Move(word) => self.place(word),
            SolutionToken::Mark(mark) => match self.bare() {
                Some(node) => node.mark = glyph_of(mark.as_bytes()),
                _ => self.say(mark),
            },
            SolutionToken::Sign(sign) => match self.bare() {
                Some(node) => {
                    if sign.starts_with('e') {
                        // Nothing else moves so.
                    } else if !node.word.ends_with(['+', '#', '=']) {
                        node.word.push_str(sign.trim_end_matches('.'));
                    }
                }
                _ => self.say(sign),
            },
            // A missing reply says the same.
            SolutionToken::Threat => self.flush(),
            SolutionToken::Zugzwang => {
                self.flush();
                match self.last() {
                    Some(node) => node.is_zugzwang = true,
                    None => self.say("zugzwang"),
                }
            }
            SolutionToken::But => {
                self.flush();
                self.but = true;
            }
            SolutionToken::Open => {
                self.flush();
                self.brackets.push((self.top, self.due));
            }
            SolutionToken::Close => {
                self.flush();
                if let Some((top, due)) = self.brackets.pop() {
                    (self.top, self.due) = (top, due);
                }
            }
            SolutionToken::Comment(text) => {
                self.flush();
                self.comment(text.trim().to_owned());
            }
            SolutionToken::Twin(_) => {}
            SolutionToken::Text(word) => {
                self.unplaced_number();
                // Signs between moves.
                if !matches!(word, ">" | "," | "." | "-" | ";" | "/") {
                    self.say(word);
                }
            }
        }
    }

    fn last(&mut self) -> Option<&mut SolutionNode> {
        (self.top != ROOT).then(|| &mut self.solution.nodes[self.top])
    }

    /// The last move, if nothing was said since.
    fn bare(&mut self) -> Option<&mut SolutionNode> {
        self.words.is_empty().then(|| self.last()).flatten()
    }

    /// A number that no move followed is a word.
    fn unplaced_number(&mut self) {
        if let Some(number) = self.pending.take() {
            self.say(&number);
        }
    }

    fn say(&mut self, word: &str) {
        if !self.words.is_empty() {
            self.words.push(' ');
        }
        self.words.push_str(word);
    }

    /// Words that were said go to the last move.
    fn flush(&mut self) {
        self.unplaced_number();
        if self.words.is_empty() {
            return;
        }
        let words = std::mem::take(&mut self.words);
        self.comment(words);
    }

    fn comment(&mut self, text: String) {
        self.solution.nodes[self.top].comments.push(text);
    }

    /// Puts a move where its number says.
    fn place(&mut self, word: &str) {
        let Some(depth) = self.due else {
            self.unplaced_number();
            return self.say(word);
        };
        let number = self.pending.take();
        self.flush();
        let nodes = &self.solution.nodes;
        let mut parent = self.top;
        while parent != ROOT && nodes[parent].depth >= depth {
            parent = nodes[parent].parent;
        }
        let above = nodes[parent].depth;
        if depth <= above || depth > above + 2 {
            self.pending = number;
            self.unplaced_number();
            return self.say(word);
        }
        if depth == above + 2 {
            parent = self.passing(parent, above + 1);
        }
        let word = word.trim_end_matches([',', ';', '.']);
        let mut names = alternatives(word).into_iter();
        let first = names.next().unwrap_or_default();
        let mut at = self.node(parent, &first, depth);
        let mut others = Vec::new();
        for other in names {
            others.push(at);
            at = self.node(parent, &other, depth);
        }
        if !others.is_empty() {
            self.groups.push((others, at));
        }
        if std::mem::take(&mut self.but) {
            self.refuted = parent;
        }
        self.top = at;
        self.due = Some(depth + 1);
    }

    fn node(&mut self, parent: usize, word: &str, depth: u32) -> usize {
        // Any move will do: as if it passed.
        let any = matches!(word, "~" | "-" | "any");
        let node = SolutionNode {
            word: if any { String::new() } else { word.to_owned() },
            depth,
            is_refutation: self.but || (parent != ROOT && parent == self.refuted),
            ..SolutionNode::default()
        };
        let at = self.solution.push(parent, node);
        if self.solution.nodes[at].word.is_empty() {
            self.passes.entry(parent).or_insert(at);
        }
        at
    }

    /// The pass before a move whose predecessor is missing.
    fn passing(&mut self, parent: usize, depth: u32) -> usize {
        *self.passes.entry(parent).or_insert_with(|| {
            let node = SolutionNode {
                depth,
                ..SolutionNode::default()
            };
            self.solution.push(parent, node)
        })
    }
}

/// The moves of `Rb7/Ra7` or `e7-e8=S/N`; one move is itself.
fn alternatives(word: &str) -> Vec<String> {
    let mut parts = word.split('/');
    let Some(first) = parts.next() else {
        return Vec::new();
    };
    let mut found = vec![first.to_owned()];
    for part in parts {
        match first.split_once('=') {
            Some((pushed, _)) if part.len() <= 2 && !part.is_empty() => {
                found.push(format!("{pushed}={part}"));
            }
            _ => found.push(part.to_owned()),
        }
    }
    found
}
