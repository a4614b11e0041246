//! Solutions as the movetext of PGN: the key and its main line, all else as
//! variations; a pass is a null move.

use std::{borrow::Cow, fmt::Write as _};

use super::{ROOT, Solution, SolutionNode};
use crate::{
    base::record::MovetextItem,
    pgn::parser::{ItemKind, Parser, RawGame, RawItem, Syntax},
};

/// Comments that stand for words of solutions.
const ZUGZWANG: &str = "zugzwang";
const BUT: &str = "but";

/// Before what of a solution is text.
const REST: &str = "Solution: ";

/// Before what is said of the entire solution.
const NOTE: &str = "Note: ";

/// The null move.
const PASS: &str = "--";

/// What is still to be written, the next last.
enum DueMove {
    /// A variation: its first move and the answers.
    Open(usize),
    Close,
    /// The answers to a move, the first of them after a number or not.
    Answers(usize, bool),
}

/// A solution as movetext: its words, and what each of them is, as the parser would say it.
#[derive(Debug, Default)]
pub struct SolutionText {
    /// The movetext.
    pub text: String,
    /// The same as items whose spans point into it.
    pub raw: RawGame,
}

/// Writes a played solution. `remarks` are comments on the entire problem, `black_begins` says who
/// moves first.
#[must_use]
pub fn to_movetext(solution: &Solution, remarks: &[String], black_begins: bool) -> SolutionText {
    let mut out = SolutionText::default();
    for remark in remarks {
        out.comment(remark);
    }
    for note in &solution.nodes[ROOT].comments {
        out.comment(&format!("{NOTE}{note}"));
    }
    if !solution.rest.is_empty() {
        out.comment(&format!("{REST}{}", solution.rest));
    }
    let mut writer = SolutionWriter {
        solution,
        black_begins,
        out: &mut out,
    };
    // Where the items of open variations are.
    let mut open = Vec::new();
    let mut due = vec![DueMove::Answers(ROOT, true)];
    while let Some(next) = due.pop() {
        match next {
            DueMove::Close => {
                let out = &mut *writer.out;
                out.text.truncate(out.text.trim_end().len());
                let end = out.text.len();
                if let Some(start) = open.pop() {
                    let item: &mut RawItem = &mut out.raw.items[start];
                    item.len = end as u32 - item.offset;
                }
                out.text.push(')');
                out.item(ItemKind::VariationEnd, end, 0);
                out.text.push(' ');
            }
            DueMove::Open(at) => {
                let out = &mut *writer.out;
                out.text.push('(');
                open.push(out.raw.items.len());
                out.item(ItemKind::VariationStart, out.text.len(), 0);
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
    out.text.truncate(out.text.trim_end().len());
    out.raw.movetext_span = (0, out.text.len() as u32);
    out.raw.span = out.raw.movetext_span;
    out
}

impl SolutionText {
    /// Notes an item that begins at an offset and ends with the text.
    fn item(&mut self, kind: ItemKind, from: usize, value: u32) {
        self.raw.items.push(RawItem {
            kind,
            offset: from as u32,
            len: (self.text.len() - from) as u32,
            value,
        });
    }

    /// Writes a comment. It cannot hold a closing brace, nor blank lines, for as PGN these
    /// could end it.
    fn comment(&mut self, text: &str) {
        let out = &mut self.text;
        out.push('{');
        let from = out.len();
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            if out.len() > from {
                out.push('\n');
            }
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
        self.item(ItemKind::Comment, from, 0);
        self.text.push_str("} ");
    }
}

struct SolutionWriter<'w> {
    solution: &'w Solution,
    black_begins: bool,
    out: &'w mut SolutionText,
}

impl SolutionWriter<'_> {
    /// Writes a move with all that is said about it; true if the number of the
    /// next one must be written.
    fn node(&mut self, at: usize, numbered: bool) -> bool {
        let node = &self.solution.nodes[at];
        let ply = node.depth - 1 + u32::from(self.black_begins);
        let text = &mut self.out.text;
        let number = ply / 2 + 1;
        let is_first = ply.is_multiple_of(2);
        if is_first || numbered {
            let _ = write!(text, "{number}{} ", if is_first { "." } else { "..." });
        }
        let number = if is_first || numbered { number } else { 0 };
        let word = if node.word.is_empty() {
            PASS
        } else {
            &node.word
        };
        let from = text.len();
        text.push_str(word);
        self.out.item(ItemKind::Word, from, number);
        self.out.text.push(' ');
        if node.mark != 0 {
            let from = self.out.text.len();
            let _ = write!(self.out.text, "${}", node.mark);
            self.out.item(ItemKind::Nag, from, node.mark);
            self.out.text.push(' ');
        }
        let words = [(node.is_zugzwang, ZUGZWANG), (node.is_refutation, BUT)];
        for (_, word) in words.iter().filter(|(is, _)| *is) {
            self.out.comment(word);
        }
        for text in &node.comments {
            self.out.comment(text);
        }
        self.out.text.ends_with("} ")
    }
}

/// Reads the movetext of a stored game back into a solution, and the comments on the entire
/// problem.
#[must_use]
pub fn from_movetext(items: &[MovetextItem]) -> (Solution, Vec<String>) {
    let mut reader = SolutionReader::default();
    for item in items {
        match item {
            MovetextItem::Move(word) | MovetextItem::Word(word) => reader.word(word),
            MovetextItem::Comment(text) | MovetextItem::LineComment(text) => reader.comment(text),
            MovetextItem::Nag(nag) => reader.nag(*nag),
            MovetextItem::Variation(text) => reader.variation(text),
            MovetextItem::Rest(text) => reader.solution.rest.push_str(text),
        }
    }
    (reader.solution, reader.remarks)
}

/// The same of movetext as it was parsed, which `decode` makes text.
pub fn from_parsed<'b>(
    raw: &RawGame,
    bytes: &'b [u8],
    decode: impl Fn(&'b [u8]) -> Cow<'b, str>,
) -> (Solution, Vec<String>) {
    let mut reader = SolutionReader::default();
    let text = |item: &RawItem| decode(raw.text(bytes, item));
    reader.items(&raw.items, text, &mut Vec::new());
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
        let node = SolutionNode {
            word: if word == PASS { "" } else { word }.to_owned(),
            depth,
            comments: std::mem::take(&mut self.said),
            ..SolutionNode::default()
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

    fn nag(&mut self, nag: u32) {
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
        let text = |item: &RawItem| String::from_utf8_lossy(raw.text(bytes, item));
        self.items(&raw.items, text, &mut open);
    }

    /// Takes items inside of variations that are open, and closes all in the end.
    fn items<'b>(
        &mut self,
        items: &[RawItem],
        text: impl Fn(&RawItem) -> Cow<'b, str>,
        open: &mut Vec<usize>,
    ) {
        let outer = open.len();
        for item in items {
            match item.kind {
                ItemKind::Word => self.word(&text(item)),
                ItemKind::Comment | ItemKind::LineComment | ItemKind::Text => {
                    self.comment(&text(item));
                }
                ItemKind::Nag => self.nag(item.value),
                ItemKind::VariationStart => self.open(open),
                ItemKind::VariationEnd if open.len() > outer => self.close(open),
                _ => {}
            }
        }
        while !open.is_empty() {
            self.close(open);
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
