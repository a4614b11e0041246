//! What is read of one game, in buffers that serve the next.

use std::borrow::Cow;

use super::language::{Expected, LANGUAGE_KIND};
use crate::{
    base::{
        diagnostic::{Code, Diagnostic},
        limits::{ANNOTATION_BYTES_MAX, ANNOTATIONS_PER_GAME_MAX},
        observe::Stop,
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
    /// The annotations: the inside of a JSON array, empty if there are none.
    pub annotation: Vec<u8>,
    /// How many there are.
    pub annotations: usize,
    /// Whether there were more of them, or larger ones, than a game may have; the rest
    /// is not here.
    pub is_excessive: bool,
    /// Asked by whoever does not want the rest of the game any more.
    pub stop: Stop,
    /// Coarse keys met inside variations, some perhaps several times.
    pub variations: Vec<u64>,
    /// Findings; offsets as in the raw game.
    pub diagnostics: Vec<Diagnostic>,
    /// How many findings were only counted.
    pub diagnostics_dropped: u32,
    /// A result that was glued to the last move, or that only the rules could
    /// tell from castling (`0-0`).
    pub result: Option<String>,
    /// In which language games are expected; stays for the next.
    pub expected: Expected,
    /// The language in which the moves were read; `None` is English.
    pub language: Option<&'static Language>,
}

/// How much was read before a game, to read it once more.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ReadingMark {
    plies: usize,
    structures: usize,
    annotation: usize,
    variations: usize,
    diagnostics: usize,
    dropped: u32,
}

impl Reading {
    /// Makes room for the next game; packed plies stay.
    pub fn clear(&mut self) {
        self.ply_count = 0;
        self.annotation.clear();
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
        self.is_excessive || self.stop.is_asked()
    }

    /// Where a game begins.
    pub(crate) const fn mark(&self) -> ReadingMark {
        ReadingMark {
            plies: self.plies.len(),
            structures: self.structures.len(),
            annotation: self.annotation.len(),
            variations: self.variations.len(),
            diagnostics: self.diagnostics.len(),
            dropped: self.diagnostics_dropped,
        }
    }

    /// Forgets what was read of the game that began there.
    pub(crate) fn forget(&mut self, mark: ReadingMark) {
        self.plies.truncate(mark.plies);
        self.ply_count = 0;
        self.structures.truncate(mark.structures);
        self.annotation.truncate(mark.annotation);
        self.annotations = 0;
        self.is_excessive = false;
        self.variations.truncate(mark.variations);
        self.diagnostics.truncate(mark.diagnostics);
        self.diagnostics_dropped = mark.dropped;
        self.result = None;
    }

    /// Begins a game in a language; what is kept of it as text is read in it later on.
    pub(crate) fn begin_in(&mut self, language: Option<&'static Language>) {
        self.language = language;
        if let Some(language) = language {
            self.annotate(LANGUAGE_KIND, language.code);
        }
    }

    /// Notes the coarse key of a position inside a variation; plies that change
    /// nothing in it follow each other.
    pub(crate) fn note_variation(&mut self, key: u64) {
        if self.variations.last() != Some(&key) {
            self.variations.push(key);
        }
    }

    /// Adds an annotation after the plies so far: its kind and a text.
    pub(crate) fn annotate(&mut self, kind: &str, text: &str) {
        if self.begin_annotation(kind, text.len()) {
            // Writing text to memory cannot fail.
            let _ = serde_json::to_writer(&mut self.annotation, text);
            self.annotation.push(b']');
            self.is_excessive = self.annotation.len() > ANNOTATION_BYTES_MAX;
        }
    }

    pub(crate) fn annotate_number(&mut self, kind: &str, number: u32) {
        if self.begin_annotation(kind, 0) {
            self.annotation
                .extend_from_slice(number.to_string().as_bytes());
            self.annotation.push(b']');
        }
    }

    /// Whether there is room for another annotation of so many bytes.
    fn begin_annotation(&mut self, kind: &str, bytes: usize) -> bool {
        self.annotations += 1;
        self.is_excessive |= self.annotations > ANNOTATIONS_PER_GAME_MAX
            || self.annotation.len() + bytes > ANNOTATION_BYTES_MAX;
        if self.is_excessive {
            return false;
        }
        if !self.annotation.is_empty() {
            self.annotation.push(b',');
        }
        let head = format!("[{},\"{kind}\",", self.ply_count);
        self.annotation.extend_from_slice(head.as_bytes());
        true
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
