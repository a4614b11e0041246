//! A game gone through with the texts of what stands besides its main line. All code that shows,
//! exports or checks an entire game reads it here, so that what a check passes can be shown.

use std::{borrow::Cow, fmt};

use super::{CorruptTree, LineSource, Texts, TreeEvent, TreeIter, VariationTree};
use crate::games::Cursor;

/// What is wrong with the tree of a game or with its texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TreeFault {
    /// The bytes are no tree.
    Places,
    /// Its plies cannot be played, or its marks are not those of a tree.
    Moves,
    /// Something is left over at its end, or a variation is open there.
    End,
    /// The texts are damaged, or not as many as the tree has places for them.
    Texts,
}

impl fmt::Display for TreeFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Places => "its comments and variations have no places",
            Self::Moves => "its variations do not fit its moves",
            Self::End => "its variations do not end",
            Self::Texts => "its texts are not those of its comments and words",
        })
    }
}

impl From<TreeFault> for CorruptTree {
    fn from(_: TreeFault) -> Self {
        Self
    }
}

/// Goes through a game and its texts.
#[derive(Debug, Clone)]
pub struct TreeReader<'b, C, L> {
    walk: TreeIter<'b, C>,
    texts: Texts<'b, L>,
}

impl<'b, C: Cursor, L: LineSource> TreeReader<'b, C, L> {
    /// Begins where the game does, with its packed main line, its packed tree and the texts of
    /// that, which are empty where it has none. `source` is called if these name lines.
    ///
    /// # Errors
    ///
    /// [`TreeFault`].
    pub fn new(
        start: C,
        main_line: &'b [u8],
        tree: &'b [u8],
        texts: &'b [u8],
        source: impl FnOnce() -> L,
    ) -> Result<Self, TreeFault> {
        let tree = VariationTree::of(tree).ok_or(TreeFault::Places)?;
        let texts = match texts {
            [] => Texts::none(),
            texts => Texts::of(texts, &tree, source).ok_or(TreeFault::Texts)?,
        };
        let walk = TreeIter::new(start, main_line, tree);
        Ok(Self { walk, texts })
    }

    /// Begins a game that has nothing besides its main line.
    pub fn plain(start: C, main_line: &'b [u8]) -> Self {
        Self {
            walk: TreeIter::new(start, main_line, VariationTree::default()),
            texts: Texts::none(),
        }
    }

    /// Where it is.
    pub const fn walk(&self) -> &TreeIter<'b, C> {
        &self.walk
    }

    /// Goes on, and gives the text of a mark that has one; `None` at the end of the game.
    /// `before` is called where a ply is about to be played, which [`Cursor::pending`] has.
    ///
    /// # Errors
    ///
    /// [`TreeFault`]; nothing can be said of what follows then.
    #[inline]
    pub fn step(
        &mut self,
        before: impl FnOnce(&C),
    ) -> Result<Option<(TreeEvent, Cow<'b, str>)>, TreeFault> {
        let step = self.walk.step_from(before);
        let Some(step) = step.map_err(|CorruptTree| TreeFault::Moves)? else {
            return match (self.walk.is_used_up(), self.texts.is_used_up()) {
                (true, true) => Ok(None),
                (false, _) => Err(TreeFault::End),
                (true, false) => Err(TreeFault::Texts),
            };
        };
        let text = match step {
            TreeEvent::Mark(mark) if mark.is_comment() || mark.is_word() => {
                self.texts.next(mark).ok_or(TreeFault::Texts)?
            }
            _ => Cow::Borrowed(""),
        };
        Ok(Some((step, text)))
    }
}
