//! What a game has besides its main line, packed: where its comments, glyphs, variations and
//! odd words stand, and the plies of the variations, so that no text is read again.
//!
//! [`TreeWriter`] takes it down while movetext is read, [`TreeIter`] goes through it with a
//! cursor. The bytes of a tree and of its texts are two things: a search for positions needs no
//! texts.
//!
//! ```text
//! tree   ops, NAGs, plies: each a varint of its bytes, then these
//!   op   varint: plies of this line since the last op × 16
//!        + 8 if a variation takes the place of the last of these plies + a `Annotation`
//!   NAG  varint
//!   ply  as on a main line, the lists of pieces being those of the line branched off
//! ```
//!
//! `texts.rs` has the layout of the texts.

mod audit;
mod comment_template;
mod comments;
mod find;
mod lines;
mod normalise;
mod path;
mod read;
mod texts;
mod walk;
mod write;

pub use audit::{audit, legal_part};
pub use find::{InVariation, each_variation, find, structures};
pub use lines::{LineHead, LineSource, Lines, NoLines};
pub use normalise::{append_content, respaced, rest_words};
pub use path::{ParsePlyRefError, PlyRef, VariationPath};
pub use read::{TreeFault, TreeReader};
#[cfg(test)]
pub(crate) use texts::without_lines;
pub use texts::{Texts, with_lines};
pub use walk::{CorruptTree, TreeEvent, TreeIter};
pub use write::TreeWriter;

use crate::base::{mix, varint};

/// What stands somewhere in movetext that is no ply.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Annotation {
    /// A comment in braces.
    Comment = 0,
    /// A numeric annotation glyph.
    Nag = 1,
    /// A variation begins. It takes the place of the ply before it.
    VariationStart = 2,
    /// The variation ends.
    VariationEnd = 3,
    /// A comment to the end of its line.
    LineComment = 4,
    /// A word that is no move.
    Word = 5,
    /// What follows an illegal move of the main line, as it stands.
    Rest = 6,
    /// A variation that is kept as it stands.
    VariationText = 7,
}

impl Annotation {
    const ALL: [Self; 8] = [
        Self::Comment,
        Self::Nag,
        Self::VariationStart,
        Self::VariationEnd,
        Self::LineComment,
        Self::Word,
        Self::Rest,
        Self::VariationText,
    ];

    /// How many variations are open after it, if that many are before it.
    const fn depth_after(self, depth: usize) -> usize {
        match self {
            Self::VariationStart => depth + 1,
            Self::VariationEnd => depth.saturating_sub(1),
            _ => depth,
        }
    }

    /// Whether it has a text among the comments.
    pub const fn is_comment(self) -> bool {
        matches!(self, Self::Comment | Self::LineComment)
    }

    /// Whether it has a text among the words.
    pub const fn is_word(self) -> bool {
        matches!(self, Self::Word | Self::Rest | Self::VariationText)
    }
}

/// The bit of an op that says that a variation takes the place of its last ply.
const BRANCHES: u64 = 8;
/// What an op multiplies its plies by.
const PLIES: u64 = 16;

/// The packed tree of a game, taken apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct VariationTree<'b> {
    ops: &'b [u8],
    nags: &'b [u8],
    plies: &'b [u8],
}

impl<'b> VariationTree<'b> {
    /// Takes a tree apart; `None` where the bytes are no tree.
    pub fn of(mut bytes: &'b [u8]) -> Option<Self> {
        let mut part = || varint::take_bytes(&mut bytes);
        let (ops, nags, plies) = (part()?, part()?, part()?);
        bytes.is_empty().then_some(Self { ops, nags, plies })
    }

    /// Its marks in the order of the text; ends where the bytes are damaged.
    pub fn marks(&self) -> impl Iterator<Item = Annotation> + use<'b> {
        let mut ops = self.ops;
        std::iter::from_fn(move || Some(mark_of(varint::take_varint(&mut ops)?)))
    }

    /// The glyphs of the main line, each with the plies up to its move; ends where the bytes are
    /// damaged.
    pub fn main_line_glyphs(&self) -> impl Iterator<Item = (u32, u32)> + use<'b> {
        let (mut nags, mut depth) = (self.nags, 0);
        texts::places(self.ops).filter_map(move |(mark, plies)| {
            depth = mark.depth_after(depth);
            let glyph = match mark {
                Annotation::Nag => u32::try_from(varint::take_varint(&mut nags)?).ok()?,
                _ => return None,
            };
            (depth == 0).then_some((plies, glyph))
        })
    }

    /// Whether there are variations, of whatever can be read.
    pub fn has_variations(&self) -> bool {
        self.marks().any(|mark| mark == Annotation::VariationStart)
    }

    /// Whether there are variations whose plies are known.
    pub const fn has_plies(&self) -> bool {
        !self.plies.is_empty()
    }
}

/// A packed tree and its texts, each in the parts that blocks of many games keep apart. One after
/// the other they are all of it, damaged or not.
pub fn parts<'b>(tree: &'b [u8], texts: &'b [u8]) -> [[&'b [u8]; 3]; 2] {
    let Some(VariationTree { ops, plies, .. }) = VariationTree::of(tree) else {
        return [[tree, &[], &[]], [&[], &[], texts]];
    };
    // Each stands after the number of its bytes, which goes with what is before it.
    let (marks, rest) = tree.split_at(tree.len() - plies.len());
    [[marks, rest, &[]], texts::parts(texts, ops)]
}

const fn mark_of(op: u64) -> Annotation {
    Annotation::ALL[(op % BRANCHES) as usize]
}

/// A number that depends on every ply of the variations, in order: two readings that agree
/// in it have played the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct VariationHash(u64);

impl VariationHash {
    /// Adds a ply by its code.
    #[inline]
    pub const fn add(&mut self, code: u16) {
        self.0 = mix(self.0.wrapping_add(code as u64 + 1));
    }
}

/// What a tree has, for tests to compare: plies before each mark, the mark and its text.
#[cfg(test)]
pub(crate) fn listed(writer: &TreeWriter) -> String {
    let (mut tree, mut texts) = (Vec::new(), Vec::new());
    writer.write_tree(&mut tree);
    writer.write_texts(&mut texts);
    let tree = VariationTree::of(&tree).expect("a tree");
    let mut texts = Texts::of(&texts, &tree, || NoLines).expect("texts");
    let list = texts::places(tree.ops).map(|(mark, plies)| match texts.next(mark) {
        Some(text) => format!("{plies} {mark:?} {text}"),
        None => format!("{plies} {mark:?}"),
    });
    list.collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        games::{AnyPosition, GameText, buffers::Reading, language::ExpectedNotation},
        pgn::parser::{Parser, RawGame, Syntax},
    };

    fn read(text: &str) -> String {
        let mut raw = RawGame::default();
        Parser::variation(text.as_bytes(), Syntax::Pgn, &mut raw);
        let mut out = Reading::default();
        let opening = AnyPosition::initial().into_start(ExpectedNotation::default());
        let decode: crate::games::raw_text::TextDecoder<'_> =
            &|bytes| String::from_utf8_lossy(bytes);
        let text = GameText {
            raw: &raw,
            bytes: text.as_bytes(),
            decode,
        };
        opening.read(text, &mut out);
        listed(&out.tree)
    }

    #[test]
    fn passes_are_plies_of_variations_too() {
        assert_eq!(
            read("1. e4 e5 2. Nf3 (2. --- Nc6 3. d4) 2... Nc6 {good}"),
            "2 VariationStart; 3 VariationEnd; 4 Comment good"
        );
        assert_eq!(
            read("1. e4 e5 (1... -- 2. d4 (2. f4) d5) *"),
            "1 VariationStart; 2 VariationStart; 3 VariationEnd; 2 VariationEnd"
        );
    }

    #[test]
    fn what_is_no_move_stays_as_it_stands() {
        assert_eq!(
            read("1. e4 (1. d4 d5 2. Qx9 $1 {odd} (2. c4) Nf6) e5 (1... novelty c5) *"),
            "0 VariationStart; 2 Word Qx9; 2 Nag; 2 Comment odd; 1 VariationStart; \
             1 Word 2. c4; 2 VariationEnd; 2 Word Nf6; 1 VariationEnd; 1 VariationStart; \
             1 Word 1... novelty; 2 VariationEnd"
        );
    }
}
