//! Tokens to [`RawGame`]s; never fails, never judges legality, never recurses.
//!
//! The rules are numbered as in `docs/reading-pgn.md` (L lexing, T tags,
//! M movetext, K comments), and for PDN in `docs/reading-pdn.md` (R records,
//! D movetext).

pub mod comment;
mod engine_comment;
pub mod eval_view;
mod game;
mod game_start;
mod item_writer;
mod lookahead;
mod movetext;
mod null;
mod numeric;
mod pdn;
mod prose;
mod square_pairs;
mod syntax;
mod tags;
mod word;

#[cfg(test)]
mod tests;

use std::borrow::Cow;

use crate::base::diagnostic::{Code, Diagnostic};
use crate::base::limits::DIAGNOSTICS_PER_GAME_MAX;
use crate::pgn::tags::heading;

pub use game::{LineGameTest, Parser, VariantSyntax};
pub use item_writer::glyph_of;
pub use numeric::is_numeric_move;
pub use prose::is_prose;
pub use prose::looks_like_move;
pub use syntax::detect_syntax;

/// The syntax of a movetext: which signs make its words. Several games share one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Syntax {
    /// Of PGN: pieces have letters.
    #[default]
    Pgn,
    /// Of PDN: moves are squares alone.
    Pdn,
}

/// What an [`RawItem`] of the movetext is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ItemKind {
    /// A word that may be a move: the game's rules decide. Suffixes (`!?`),
    /// check marks that stand apart, move numbers and dots are not part of it,
    /// but moves may be glued to each other or to a result (`e4e5`, `a6*` is split).
    Word,
    /// A brace comment; the text is what stands between the braces.
    Comment,
    /// A `;` comment; the text is what follows the semicolon up to the line's end.
    LineComment,
    /// A NAG; `value` is its number. A suffix such as `!?` is one, too.
    Nag,
    /// A variation begins; the text is the entire variation from after its `(`
    /// to before its `)` (or to where the game ended, if it was never closed).
    VariationStart,
    /// A variation ends.
    VariationEnd,
    /// A result word that did not end the game (rule M2), kept as text.
    Result,
    /// What stands for nothing and is kept as it stands: a glyph whose number is above
    /// [`NAG_MAX`](crate::base::limits::NAG_MAX).
    Text,
    /// A position set up inside a game, PDN's `/FEN "…"/`; the text is
    /// what stands between the quotes.
    Setup,
}

/// One thing in the movetext; offsets are into the bytes given to the parser.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RawItem {
    /// What it is.
    pub kind: ItemKind,
    /// 0-based offset of the first byte of its text.
    pub offset: u32,
    /// Bytes of its text.
    pub len: u32,
    /// For a [`ItemKind::Word`]: the move number that stood directly before it
    /// (`12` in `12.` or `12...`), 0 if none did; saturates at `u32::MAX`.
    /// For a [`ItemKind::Nag`]: its number, [`NAG_MAX`](crate::base::limits::NAG_MAX) at most.
    /// Otherwise 0.
    pub value: u32,
}

impl RawItem {
    #[inline]
    const fn new(kind: ItemKind, start: usize, end: usize, value: u32) -> Self {
        Self {
            kind,
            offset: start as u32,
            len: (end - start) as u32,
            value,
        }
    }
}

/// A tag pair; offsets are into the bytes given to the parser.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TagPair {
    /// Where the name stands.
    pub name: (u32, u32),
    /// Where the value stands: the bytes between the quotes, as written.
    pub value: (u32, u32),
    /// The value where it is not simply those bytes: escapes undone, lines joined, cut.
    pub value_unescaped: Option<Vec<u8>>,
    /// The name of a pair that is written as no pair, but said by the heading of the game;
    /// [`name`](Self::name) is empty then.
    pub implied_name: Option<&'static str>,
}

impl TagPair {
    /// The name as written; which well-known name it is, is not decided here.
    pub fn name_bytes<'s>(&self, bytes: &'s [u8]) -> &'s [u8] {
        match self.implied_name {
            Some(name) => name.as_bytes(),
            None => &bytes[self.name.0 as usize..self.name.1 as usize],
        }
    }

    /// The value as meant: escapes undone, lines joined, cut to its limit.
    pub fn value_bytes<'a>(&'a self, bytes: &'a [u8]) -> &'a [u8] {
        match &self.value_unescaped {
            Some(value) => value,
            None => &bytes[self.value.0 as usize..self.value.1 as usize],
        }
    }
}

/// What a game has more of than any real one ([`limits`](crate::base::limits)).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LimitExceeded {
    /// Tag pairs.
    Tags,
    /// Words and annotations.
    Items,
}

/// A game as text: spans of the bytes it was read from, nothing decoded,
/// nothing replayed. Made to be used again for the next game, so that reading
/// a million games allocates a handful of times.
#[derive(Debug, Default)]
pub struct RawGame {
    /// The syntax that the movetext is written in.
    pub syntax: Syntax,
    /// First byte of the game and the first byte after it.
    pub span: (u32, u32),
    /// First byte of the movetext and the first byte after it.
    pub movetext_span: (u32, u32),
    /// The tag pairs in order.
    pub tags: Vec<TagPair>,
    /// The movetext in order, variations flat between their start and end.
    pub items: Vec<RawItem>,
    /// The termination marker: where its text stands, if there is one.
    pub termination: Option<(u32, u32)>,
    /// What was found wanting; offsets as above. At most
    /// [`DIAGNOSTICS_PER_GAME_MAX`],
    /// the rest in `diagnostics_dropped`.
    pub diagnostics: Vec<Diagnostic>,
    /// How many findings were only counted.
    pub diagnostics_dropped: u32,
    /// Where the text stands that was above the first move of a game without tags; it is a
    /// comment of the game as well.
    pub heading: Option<(u32, u32)>,
    /// Whether any byte of the game is not ASCII.
    pub non_ascii: bool,
    /// What it has too much of: the rest of that was not collected.
    pub excess: Option<LimitExceeded>,
}

impl RawGame {
    /// Empties the game, keeping its buffers.
    pub fn clear(&mut self) {
        self.tags.clear();
        self.items.clear();
        self.diagnostics.clear();
        *self = Self {
            tags: std::mem::take(&mut self.tags),
            items: std::mem::take(&mut self.items),
            diagnostics: std::mem::take(&mut self.diagnostics),
            ..Self::default()
        };
    }

    /// The text of an item.
    pub fn text<'s>(&self, bytes: &'s [u8], item: &RawItem) -> &'s [u8] {
        &bytes[item.offset as usize..][..item.len as usize]
    }

    /// The value of a tag by its name, in any case. If the name occurs twice it
    /// is the last one (rule T4), but the first in PDN (rule R3).
    pub fn tag<'a>(&'a self, bytes: &'a [u8], name: &str) -> Option<&'a [u8]> {
        let is_it = |tag: &&TagPair| tag.name_bytes(bytes).eq_ignore_ascii_case(name.as_bytes());
        let found = match self.syntax {
            Syntax::Pgn => self.tags.iter().rev().find(is_it),
            Syntax::Pdn => self.tags.iter().find(is_it),
        };
        found.map(|tag| tag.value_bytes(bytes))
    }

    /// Notes that web or mail wrapping was removed, once for a game (rule M17).
    fn report_wrapper(&mut self, offset: usize) {
        if !self
            .diagnostics
            .iter()
            .any(|found| found.code == Code::Wrapper)
        {
            self.report(Code::Wrapper, offset, Cow::default);
        }
    }

    /// Adds the tags that the heading of a game without tags says, as `decode` reads it.
    pub fn take_heading(&mut self, bytes: &[u8], decode: impl FnOnce(&[u8]) -> Cow<'_, str>) {
        let Some((start, end)) = self.heading.filter(|_| self.tags.is_empty()) else {
            return;
        };
        let tags = heading::read(&decode(&bytes[start as usize..end as usize]));
        let side = |name| tags.iter().find(|tag| tag.name == name);
        let players = ["White", "Black"].map(|name| side(name).map_or("?", |tag| &tag.value));
        match players {
            ["?", "?"] => self.report(Code::PlayersUnnamed, start as usize, Cow::default),
            [white, black] => {
                let detail = format!("White {white}, Black {black}");
                self.report(Code::PlayersRead, start as usize, || detail.into());
            }
        }
        self.tags.extend(tags.into_iter().map(|tag| TagPair {
            name: (start, start),
            value: (start, end),
            value_unescaped: Some(tag.value.into_bytes()),
            implied_name: Some(tag.name),
        }));
    }

    /// Notes a finding; beyond the limit of a game it is only counted.
    pub(crate) fn report(
        &mut self,
        code: Code,
        offset: usize,
        detail: impl FnOnce() -> Cow<'static, str>,
    ) {
        if self.diagnostics.len() < DIAGNOSTICS_PER_GAME_MAX {
            self.diagnostics
                .push(Diagnostic::with(code, offset as u64, detail()));
        } else {
            self.diagnostics_dropped = self.diagnostics_dropped.saturating_add(1);
        }
    }
}

/// The beginning of a text as a person may read it, for a diagnostic's detail.
fn excerpt(text: &[u8]) -> Cow<'static, str> {
    const BYTES_MAX: usize = 40;
    let cut = &text[..text.len().min(BYTES_MAX)];
    let mut excerpt = String::from_utf8_lossy(cut).into_owned();
    if cut.len() < text.len() {
        excerpt.push('…');
    }
    Cow::Owned(excerpt)
}
