//! A game gone through with its variations, in the order of its text.

use super::{
    Annotation, BRANCHES, PLIES, PlyRef, VariationHash, VariationPath, VariationTree, mark_of,
};
use crate::{
    base::{limits::VARIATION_DEPTH_MAX, varint::take_varint},
    games::Cursor,
};

/// The bytes are no tree of this game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CorruptTree;

/// What comes next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TreeEvent {
    /// The line at hand has gone on by a ply of that code.
    Ply(u16),
    /// A glyph.
    Nag(u32),
    /// A variation has begun, has ended, or a text stands here.
    Mark(Annotation),
}

/// A line that is walked on.
#[derive(Debug, Clone)]
struct TreeLevel<C> {
    at: C,
    /// Where it stood before the ply that variations take the place of.
    before: Option<C>,
    /// Plies of this line alone.
    plies: u32,
    /// Plies from the start of the game to its first.
    from: u32,
    /// Variations of its last ply so far.
    branches: u32,
}

impl<C> TreeLevel<C> {
    const fn new(at: C, from: u32) -> Self {
        Self {
            at,
            before: None,
            plies: 0,
            from,
            branches: 0,
        }
    }
}

/// Goes through a game.
#[derive(Debug, Clone)]
pub struct TreeIter<'b, C> {
    tree: VariationTree<'b>,
    main_line: &'b [u8],
    main: TreeLevel<C>,
    open: Vec<TreeLevel<C>>,
    /// Plies to be played before the mark that was read.
    plies: u64,
    /// That mark, and whether a variation takes the place of the last of these plies;
    /// `None` before it is read and after the last.
    op: Option<(Annotation, bool)>,
    packed: &'b [u8],
}

impl<'b, C: Cursor> TreeIter<'b, C> {
    /// Begins where the game does.
    pub const fn new(start: C, main_line: &'b [u8], tree: VariationTree<'b>) -> Self {
        Self {
            tree,
            main_line,
            main: TreeLevel::new(start, 0),
            open: Vec::new(),
            plies: 0,
            op: None,
            packed: &[],
        }
    }

    /// The ply that was played last, as it is packed.
    pub const fn packed_ply(&self) -> &'b [u8] {
        self.packed
    }

    /// Where the line at hand stands.
    pub fn at(&self) -> &C {
        &self.open.last().unwrap_or(&self.main).at
    }

    /// How many variations are open: 0 on the main line.
    pub const fn depth(&self) -> usize {
        self.open.len()
    }

    /// Plies from the start of the game to where the line at hand stands.
    pub fn ply(&self) -> u32 {
        let level = self.open.last().unwrap_or(&self.main);
        level.from + level.plies
    }

    /// Which line is at hand.
    pub fn path(&self) -> VariationPath {
        let outer = std::iter::once(&self.main).chain(&self.open);
        let branched =
            |(outer, inner): (&TreeLevel<C>, &TreeLevel<C>)| (inner.from + 1, outer.branches);
        VariationPath(outer.zip(&self.open).map(branched).collect())
    }

    /// Whether it stands at a place.
    pub fn is_at(&self, place: &PlyRef) -> bool {
        let is_on_line = self.depth() == place.line.0.len();
        is_on_line && self.ply() == place.ply && self.path() == place.line
    }

    /// Goes on; `None` at the end of the game.
    ///
    /// # Errors
    ///
    /// [`CorruptTree`]; nothing can be said of what follows then.
    pub fn step(&mut self) -> Result<Option<TreeEvent>, CorruptTree> {
        self.step_from(|_| ())
    }

    /// The same; `before` is called where a ply is about to be played, as
    /// [`Cursor::pending`] has it.
    ///
    /// # Errors
    ///
    /// [`CorruptTree`].
    #[inline]
    pub fn step_from(&mut self, before: impl FnOnce(&C)) -> Result<Option<TreeEvent>, CorruptTree> {
        if self.op.is_none() {
            if self.tree.ops.is_empty() {
                return Ok(self.play(false, before).map(TreeEvent::Ply));
            }
            let op = take_varint(&mut self.tree.ops).ok_or(CorruptTree)?;
            self.plies = op / PLIES;
            self.op = Some((mark_of(op), op & BRANCHES != 0));
        }
        let Some((mark, branches)) = self.op else {
            return Err(CorruptTree);
        };
        if self.plies > 0 {
            self.plies -= 1;
            let code = self.play(branches && self.plies == 0, before);
            return code.map(TreeEvent::Ply).map(Some).ok_or(CorruptTree);
        }
        self.op = None;
        if matches!(mark, Annotation::VariationStart | Annotation::VariationText) {
            self.open.last_mut().unwrap_or(&mut self.main).branches += 1;
        }
        match mark {
            Annotation::VariationStart => self.branch()?,
            Annotation::VariationEnd => {
                self.open.pop().ok_or(CorruptTree)?;
            }
            Annotation::Nag => {
                let number = take_varint(&mut self.tree.nags).ok_or(CorruptTree)?;
                let number = u32::try_from(number).map_err(|_| CorruptTree)?;
                return Ok(Some(TreeEvent::Nag(number)));
            }
            _ => {}
        }
        Ok(Some(TreeEvent::Mark(mark)))
    }

    /// Plays the next ply of the line at hand.
    #[inline]
    fn play(&mut self, branches: bool, before: impl FnOnce(&C)) -> Option<u16> {
        let (level, bytes) = match self.open.last_mut() {
            Some(level) => (level, &mut self.tree.plies),
            None => (&mut self.main, &mut self.main_line),
        };
        if branches {
            level.before = Some(level.at.clone());
        }
        let from = *bytes;
        let code = level.at.peek(bytes)?;
        self.packed = &from[..from.len() - bytes.len()];
        before(&level.at);
        level.at.play(code);
        level.plies += 1;
        level.branches = 0;
        Some(code)
    }

    fn branch(&mut self) -> Result<(), CorruptTree> {
        if self.open.len() >= VARIATION_DEPTH_MAX {
            return Err(CorruptTree);
        }
        let level = self.open.last().unwrap_or(&self.main);
        // Before the first ply there is nothing to be replaced: such a variation has words only.
        let at = level.before.as_ref().unwrap_or(&level.at).clone();
        let from = (level.from + level.plies).saturating_sub(1);
        self.open.push(TreeLevel::new(at, from));
        Ok(())
    }

    /// Goes to the end; what the plies of the variations come to.
    ///
    /// # Errors
    ///
    /// [`CorruptTree`], also if something is left over.
    pub fn trace(mut self) -> Result<VariationHash, CorruptTree> {
        let mut trace = VariationHash::default();
        while let Some(step) = self.step()? {
            if let (TreeEvent::Ply(code), true) = (step, self.depth() > 0) {
                trace.add(code);
            }
        }
        self.is_used_up().then_some(trace).ok_or(CorruptTree)
    }

    /// Whether, at the end, nothing is left over and every variation has ended.
    pub const fn is_used_up(&self) -> bool {
        let VariationTree { ops, nags, plies } = self.tree;
        ops.is_empty() && nags.is_empty() && plies.is_empty() && self.open.is_empty()
    }
}
