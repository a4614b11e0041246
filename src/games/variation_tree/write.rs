//! Taking down a tree while movetext is read.

use super::{
    Annotation, BRANCHES, Lines, PLIES, Texts, VariationHash, VariationTree,
    comments::Comments,
    lines::{KnownLines, NoLines},
};
use crate::{
    base::varint::{put_bytes, put_varint},
    games::BoardGame,
};

/// A tree that grows with the text; used again for the next game.
#[derive(Debug, Default)]
pub struct TreeWriter {
    ops: Vec<u32>,
    nags: Vec<u8>,
    plies: Vec<u8>,
    comments: Comments,
    words: Vec<u8>,
    main: BranchPlies,
    /// The open variations, each within the one before it.
    open: Vec<BranchPlies>,
    trace: VariationHash,
}

/// A line that ops are written on.
#[derive(Debug, Default, Clone, Copy)]
struct BranchPlies {
    /// Plies from the start of the game to the line's first.
    from: u32,
    /// Plies of the line.
    plies: u32,
    /// How many of them the ops so far cover.
    told: u32,
    /// The op that covered its last ply.
    last: Option<usize>,
}

impl TreeWriter {
    /// Forgets the game.
    pub fn clear(&mut self) {
        self.ops.clear();
        self.nags.clear();
        self.plies.clear();
        self.comments.clear();
        self.words.clear();
        self.main = BranchPlies::default();
        self.open.clear();
        self.trace = VariationHash::default();
    }

    /// Whether the game has nothing besides its main line.
    pub const fn is_empty(&self) -> bool {
        self.ops.is_empty()
    }

    /// Whether no variation is open.
    pub const fn is_on_main_line(&self) -> bool {
        self.open.is_empty()
    }

    /// Bytes of what was written down.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.ops[..])
            + self.nags.len()
            + self.plies.len()
            + self.comments.bytes()
            + self.words.len()
    }

    /// Whether there are plies of variations.
    pub const fn has_plies(&self) -> bool {
        !self.plies.is_empty()
    }

    /// What the plies of the variations come to.
    pub const fn trace(&self) -> VariationHash {
        self.trace
    }

    /// A mark; `main_plies` is how many plies the main line has.
    fn mark(&mut self, mark: Annotation, main_plies: u32) {
        let at = self.ops.len();
        self.main.plies = main_plies;
        let line = self.open.last_mut().unwrap_or(&mut self.main);
        // As many as a game has plies at most, so that an op can hold them.
        let plies = line.plies - line.told;
        let mut op = plies * PLIES as u32 + mark as u32;
        if plies > 0 {
            line.last = Some(at);
        }
        line.told = line.plies;
        if mark == Annotation::VariationStart {
            match line.last {
                Some(last) if last == at => op |= BRANCHES as u32,
                Some(last) => self.ops[last] |= BRANCHES as u32,
                None => {}
            }
        }
        self.ops.push(op);
        match mark {
            Annotation::VariationStart => {
                let from = (line.from + line.plies).saturating_sub(1);
                self.open.push(BranchPlies {
                    from,
                    ..BranchPlies::default()
                });
            }
            Annotation::VariationEnd => {
                self.open.pop();
            }
            _ => {}
        }
    }

    /// A mark with a text: a comment, or what is kept as it stands.
    pub fn text(&mut self, mark: Annotation, text: &str, main_plies: u32) {
        self.mark(mark, main_plies);
        if mark.is_comment() {
            let line = self.open.last().unwrap_or(&self.main);
            let is_main = self.open.is_empty();
            self.comments.push(text, line.from + line.plies, is_main);
        } else {
            put_bytes(text.as_bytes(), &mut self.words);
        }
    }

    /// A numeric annotation glyph.
    pub fn nag(&mut self, number: u32, main_plies: u32) {
        self.mark(Annotation::Nag, main_plies);
        put_varint(number.into(), &mut self.nags);
    }

    /// A variation of the last ply begins.
    pub fn open(&mut self, main_plies: u32) {
        self.mark(Annotation::VariationStart, main_plies);
    }

    /// The variation at hand ends.
    pub fn close(&mut self) {
        if !self.open.is_empty() {
            self.mark(Annotation::VariationEnd, self.main.plies);
        }
    }

    /// A ply of the variation at hand, by its code; `pack` appends it to those before it.
    pub fn ply(&mut self, code: u16, pack: impl FnOnce(&mut Vec<u8>)) {
        pack(&mut self.plies);
        self.trace.add(code);
        if let Some(line) = self.open.last_mut() {
            line.plies += 1;
        }
    }

    /// Appends the tree, all of whose variations are closed.
    pub fn write_tree(&self, out: &mut Vec<u8>) {
        let mut ops = Vec::with_capacity(2 * self.ops.len());
        for &op in &self.ops {
            put_varint(op.into(), &mut ops);
        }
        for part in [&ops, &self.nags, &self.plies] {
            put_bytes(part, out);
        }
    }

    /// Appends the texts of a game that begins at a position and has that main line.
    /// Comments that would not come back letter by letter stand as they are, all of them.
    pub fn write_texts_of<G: BoardGame>(&self, start: &G, main_line: &[u8], out: &mut Vec<u8>) {
        let from = out.len();
        let lines = Lines::new(start, main_line);
        let lines = self.comments.write(&self.words, true, lines, out);
        if !self.gives_back(&out[from..], &lines) {
            out.truncate(from);
            self.comments.write(&self.words, false, NoLines, out);
        }
    }

    /// The same of a game whose moves cannot be played.
    pub fn write_texts(&self, out: &mut Vec<u8>) {
        let from = out.len();
        self.comments.write(&self.words, true, NoLines, out);
        if !self.gives_back(&out[from..], &[]) {
            out.truncate(from);
            self.comments.write(&self.words, false, NoLines, out);
        }
    }

    /// Whether the comments are read as they were written, with lines that were read when
    /// they were packed.
    fn gives_back(&self, texts: &[u8], lines: &[&str]) -> bool {
        let mut tree = Vec::new();
        self.write_tree(&mut tree);
        let Some(tree) = VariationTree::of(&tree) else {
            return false;
        };
        let Some(mut texts) = Texts::of(texts, &tree, || KnownLines(lines.iter())) else {
            return false;
        };
        let places = tree.marks().filter(|mark| mark.is_comment());
        let mut scratch = Vec::new();
        let are_all = (places.zip(self.comments.iter()))
            .all(|(_, (comment, ..))| texts.has_next(comment, &mut scratch));
        are_all && texts.is_used_up()
    }

    /// Whether there are texts.
    pub const fn has_texts(&self) -> bool {
        !self.comments.is_empty() || !self.words.is_empty()
    }
}
