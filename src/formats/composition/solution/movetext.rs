//! Solutions as the movetext of PGN: the key and its main line, all else as
//! variations; a pass is a null move.

use std::fmt::Write as _;

use super::{Node, ROOT, Solution};
use crate::{
    base::record::Item,
    pgn::parser::{Kind, Parser, RawGame, Syntax},
};

/// Comments that stand for words of solutions.
const ZUGZWANG: &str = "zugzwang";
const BUT: &str = "but";

/// Before what of a solution is text.
const REST: &str = "Solution: ";

/// Before what is said of the solution as a whole.
const NOTE: &str = "Note: ";

/// The null move.
const PASS: &str = "--";

/// What is still to be written, the next last.
enum DueMove {
    /// A variation: its first move and the answers.
    Open(usize),
    Close,
    /// The answers to a move, the first of them behind a number or not.
    Answers(usize, bool),
}

/// Writes a played solution. `remarks` are comments on the whole problem,
/// `black_begins` tells who moves first.
#[must_use]
pub fn to_movetext(solution: &Solution, remarks: &[String], black_begins: bool) -> String {
    let mut out = String::new();
    for remark in remarks {
        comment(remark, &mut out);
    }
    for note in &solution.nodes[ROOT].comments {
        comment(&format!("{NOTE}{note}"), &mut out);
    }
    if !solution.rest.is_empty() {
        comment(&format!("{REST}{}", solution.rest), &mut out);
    }
    let mut writer = SolutionWriter {
        solution,
        black_begins,
        out: &mut out,
    };
    let mut due = vec![DueMove::Answers(ROOT, true)];
    while let Some(next) = due.pop() {
        match next {
            DueMove::Close => {
                writer.out.truncate(writer.out.trim_end().len());
                writer.out.push_str(") ");
            }
            DueMove::Open(at) => {
                writer.out.push('(');
                let interrupted = writer.node(at, true);
                due.push(DueMove::Answers(at, interrupted));
            }
            DueMove::Answers(parent, numbered) => {
                let Some(main) = solution.main_answer(parent) else {
                    continue;
                };
                let mut others = solution.printed(parent);
                others.retain(|&at| at != main);
                let interrupted = writer.node(main, numbered);
                due.push(DueMove::Answers(main, interrupted || !others.is_empty()));
                for &other in others.iter().rev() {
                    due.push(DueMove::Close);
                    due.push(DueMove::Open(other));
                }
            }
        }
    }
    out.truncate(out.trim_end().len());
    out
}

struct SolutionWriter<'w> {
    solution: &'w Solution,
    black_begins: bool,
    out: &'w mut String,
}

impl SolutionWriter<'_> {
    /// Writes a move with all that is said about it; true if the number of the
    /// next one must be written.
    fn node(&mut self, at: usize, numbered: bool) -> bool {
        let node = &self.solution.nodes[at];
        let ply = node.depth - 1 + u32::from(self.black_begins);
        if ply.is_multiple_of(2) {
            let _ = write!(self.out, "{}. ", ply / 2 + 1);
        } else if numbered {
            let _ = write!(self.out, "{}... ", ply / 2 + 1);
        }
        let word = if node.word.is_empty() {
            PASS
        } else {
            &node.word
        };
        let _ = write!(self.out, "{word} ");
        if node.mark != 0 {
            let _ = write!(self.out, "${} ", node.mark);
        }
        let words = [(node.is_zugzwang, ZUGZWANG), (node.is_refutation, BUT)];
        for (_, word) in words.iter().filter(|(is, _)| *is) {
            comment(word, self.out);
        }
        for text in &node.comments {
            comment(text, self.out);
        }
        self.out.ends_with("} ")
    }
}

/// A comment cannot hold a closing brace, nor blank lines: these could end it.
fn comment(text: &str, out: &mut String) {
    out.push('{');
    let mut first = true;
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        if !first {
            out.push('\n');
        }
        first = false;
        // A line that begins as a tag could be taken for one.
        if line.starts_with('[') {
            out.push(' ');
        }
        out.extend(line.trim_end().chars().map(|c| match c {
            '{' => '(',
            '}' => ')',
            c => c,
        }));
    }
    out.push_str("} ");
}

/// Reads the movetext of a stored game back into a solution, and the comments on
/// the problem as a whole.
#[must_use]
pub fn from_movetext(items: &[Item]) -> (Solution, Vec<String>) {
    let mut reader = SolutionReader::default();
    for item in items {
        match item {
            Item::Move(word) | Item::Word(word) => reader.word(word),
            Item::Comment(text) | Item::LineComment(text) => reader.comment(text),
            Item::Nag(nag) => reader.nag(*nag),
            Item::Variation(text) => reader.variation(text),
            Item::Rest(text) => reader.solution.rest.push_str(text),
        }
    }
    (reader.solution, reader.remarks)
}

#[derive(Default)]
struct SolutionReader {
    solution: Solution,
    remarks: Vec<String>,
    /// The last move.
    top: usize,
    /// A variation was opened, and no move of it has come.
    is_fresh: bool,
    /// What was said there.
    said: Vec<String>,
}

impl SolutionReader {
    fn word(&mut self, word: &str) {
        let depth = self.solution.nodes[self.top].depth + 1;
        let node = Node {
            word: if word == PASS { "" } else { word }.to_owned(),
            depth,
            comments: std::mem::take(&mut self.said),
            ..Node::default()
        };
        self.is_fresh = false;
        self.top = self.solution.push(self.top, node);
    }

    fn comment(&mut self, text: &str) {
        let text = text.trim().to_owned();
        if self.is_fresh {
            self.said.push(text);
            return;
        }
        if self.top == ROOT {
            if let Some(rest) = text.strip_prefix(REST) {
                rest.clone_into(&mut self.solution.rest);
            } else if let Some(note) = text.strip_prefix(NOTE) {
                self.solution.nodes[ROOT].comments.push(note.to_owned());
            } else {
                self.remarks.push(text);
            }
            return;
        }
        let node = &mut self.solution.nodes[self.top];
        match text.as_str() {
            ZUGZWANG => node.is_zugzwang = true,
            BUT => node.is_refutation = true,
            _ => node.comments.push(text),
        }
    }

    fn nag(&mut self, nag: u16) {
        let node = &mut self.solution.nodes[self.top];
        match nag {
            _ if self.top == ROOT => {}
            1..=6 => node.mark = nag,
            _ => node.comments.push(format!("${nag}")),
        }
    }

    /// Takes a variation, those inside it included, without recursion.
    fn variation(&mut self, text: &str) {
        let bytes = text.as_bytes();
        let mut raw = RawGame::default();
        Parser::variation(bytes, Syntax::Pgn, &mut raw);
        let mut open = Vec::new();
        self.open(&mut open);
        for item in &raw.items {
            let text = String::from_utf8_lossy(raw.text(bytes, item));
            match item.kind {
                Kind::Word => self.word(&text),
                Kind::Comment | Kind::LineComment => self.comment(&text),
                Kind::Nag => self.nag(u16::try_from(item.value).unwrap_or(0)),
                Kind::VariationStart => self.open(&mut open),
                Kind::VariationEnd if open.len() > 1 => self.close(&mut open),
                _ => {}
            }
        }
        while !open.is_empty() {
            self.close(&mut open);
        }
    }

    fn open(&mut self, open: &mut Vec<usize>) {
        open.push(self.top);
        self.top = self.solution.nodes[self.top].parent;
        self.is_fresh = true;
    }

    fn close(&mut self, open: &mut Vec<usize>) {
        if let Some(top) = open.pop() {
            self.top = top;
        }
        self.is_fresh = false;
        self.said.clear();
    }
}
