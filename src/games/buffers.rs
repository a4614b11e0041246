//! What is read of one game, in buffers that serve the next.

use std::borrow::Cow;

use super::{
    game::BoardGame,
    variation_tree::{Annotation, TreeWriter},
};
use crate::{
    base::{
        diagnostic::{Code, Diagnostic},
        limits::{ANNOTATION_BYTES_MAX, ANNOTATIONS_PER_GAME_MAX},
        observe::CancellationToken,
    },
    games::notation::letters::Language,
};

/// What was read of a game; used again for the next.
#[derive(Debug, Default)]
pub struct Reading {
    /// The packed plies; new ones are appended.
    pub plies: Vec<u8>,
    /// How many plies were appended for this game.
    pub ply_count: u32,
    /// The top 32 bits of the keys of the main line's structures, from the start
    /// on; new ones are appended.
    pub structures: Vec<u32>,
    /// What the game has besides its main line.
    pub tree: TreeWriter,
    /// The packed texts of that, where the game can be played.
    pub texts: Vec<u8>,
    /// How many comments, glyphs, variations and odd words the main line has.
    pub annotations: usize,
    /// Variations are kept as they stand, and played for the index only.
    pub keeps_variations_as_text: bool,
    /// Whether there were more of them, or larger ones, than a game may have; the rest
    /// is not here.
    pub is_excessive: bool,
    /// Stops when the caller does not want the rest of the game any more.
    pub stop: CancellationToken,
    /// Structure keys met inside variations, some perhaps several times.
    pub variations: Vec<u64>,
    /// Findings; offsets as in the raw game.
    pub diagnostics: Vec<Diagnostic>,
    /// How many findings were only counted.
    pub diagnostics_dropped: u32,
    /// A result that was glued to the last move, or that only the rules could distinguish from
    /// castling (`0-0`).
    pub result: Option<String>,
    /// The language that the moves were read in; `None` is English.
    pub language: Option<&'static Language>,
}

/// How much was read before a game, to read it once more.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ReadingMark {
    plies: usize,
    structures: usize,
    variations: usize,
    diagnostics: usize,
    dropped: u32,
}

impl Reading {
    /// Makes room for the next game; packed plies stay.
    pub fn clear(&mut self) {
        self.ply_count = 0;
        self.tree.clear();
        self.texts.clear();
        self.annotations = 0;
        self.is_excessive = false;
        self.variations.clear();
        self.diagnostics.clear();
        self.diagnostics_dropped = 0;
        self.result = None;
        self.language = None;
    }

    /// Whether nothing more of the game is wanted.
    pub(crate) fn is_over(&self) -> bool {
        self.is_excessive || self.stop.is_cancelled()
    }

    /// Where a game begins.
    pub(crate) const fn mark(&self) -> ReadingMark {
        ReadingMark {
            plies: self.plies.len(),
            structures: self.structures.len(),
            variations: self.variations.len(),
            diagnostics: self.diagnostics.len(),
            dropped: self.diagnostics_dropped,
        }
    }

    /// The packed plies of the game that began there.
    pub(crate) fn plies_from(&self, mark: ReadingMark) -> &[u8] {
        &self.plies[mark.plies..]
    }

    /// The structures of its main line.
    pub(crate) fn structures_from(&self, mark: ReadingMark) -> &[u32] {
        &self.structures[mark.structures..]
    }

    /// Forgets what was read of the game that began there.
    pub(crate) fn forget(&mut self, mark: ReadingMark) {
        self.plies.truncate(mark.plies);
        self.ply_count = 0;
        self.structures.truncate(mark.structures);
        self.tree.clear();
        self.annotations = 0;
        self.is_excessive = false;
        self.variations.truncate(mark.variations);
        self.diagnostics.truncate(mark.diagnostics);
        self.diagnostics_dropped = mark.dropped;
        self.result = None;
    }

    /// Packs the texts of the game that began there, at a position.
    pub(crate) fn write_texts<G: BoardGame>(&mut self, start: &G, mark: ReadingMark) {
        self.texts.clear();
        if !self.is_over() && self.tree.has_texts() {
            let main_line = &self.plies[mark.plies..];
            self.tree.write_texts_of(start, main_line, &mut self.texts);
        }
    }

    /// Forgets the positions inside variations of the game that began there.
    pub(crate) fn forget_variations(&mut self, mark: ReadingMark) {
        self.variations.truncate(mark.variations);
    }

    /// Begins a game in a language.
    pub(crate) const fn begin_in(&mut self, language: Option<&'static Language>) {
        self.language = language;
    }

    /// Notes the coarse key of a position inside a variation; plies that change
    /// nothing in it follow each other.
    pub(crate) fn note_variation(&mut self, key: u64) {
        if self.variations.last() != Some(&key) {
            self.variations.push(key);
        }
    }

    /// Notes a text after the plies so far: a comment, or what is kept as it stands.
    pub(crate) fn text(&mut self, mark: Annotation, text: &str) {
        if self.has_room(text.len()) {
            self.tree.text(mark, text, self.ply_count);
        }
    }

    /// Notes what stands between moves and is none, likewise. A lone dash, which says of a result
    /// that it is not known, would make one move of its neighbours.
    pub(crate) fn aside(&mut self, text: &str) {
        let mark = match text {
            "-" => Annotation::Comment,
            _ => Annotation::Word,
        };
        self.text(mark, text);
    }

    /// Notes a numeric annotation glyph, likewise.
    pub(crate) fn nag(&mut self, number: u32) {
        if self.has_room(0) {
            self.tree.nag(number, self.ply_count);
        }
    }

    /// Notes a word of a variation that is no move.
    pub(crate) fn word_of_variation(&mut self, word: &str) {
        if !self.keeps_variations_as_text {
            self.aside(word);
        }
    }

    /// A variation begins.
    pub(crate) fn open_variation(&mut self) {
        if self.has_room(0) {
            self.tree.open(self.ply_count);
        }
    }

    /// Whether there is room for one more annotation of that many bytes.
    fn has_room(&mut self, bytes: usize) -> bool {
        self.annotations += usize::from(self.tree.is_on_main_line());
        self.is_excessive |= self.annotations > ANNOTATIONS_PER_GAME_MAX
            || self.tree.bytes() + bytes > ANNOTATION_BYTES_MAX;
        !self.is_excessive
    }

    pub(crate) fn report(&mut self, code: Code, offset: u32, detail: impl Into<Cow<'static, str>>) {
        if self.diagnostics.len() < crate::base::limits::DIAGNOSTICS_PER_GAME_MAX {
            self.diagnostics
                .push(Diagnostic::with(code, u64::from(offset), detail));
        } else {
            self.diagnostics_dropped = self.diagnostics_dropped.saturating_add(1);
        }
    }
}
