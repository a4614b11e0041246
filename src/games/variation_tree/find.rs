//! Positions inside variations, of whichever game.

use super::{Annotation, CorruptTree, TreeEvent, TreeIter, VariationPath, VariationTree};
use crate::games::{AnyCursor, AnyPosition, Cursor, with_game};

/// A position inside a variation.
#[derive(Debug, Clone)]
pub struct InVariation {
    /// The position, with the next ply of its line taken off.
    pub at: AnyCursor,
    /// Its line.
    pub line: VariationPath,
    /// The code of the ply that continues that line; none if it ends.
    pub next: Option<u16>,
}

/// The first position inside the variations of a game, in the order of the text, that
/// `is_it` takes; it is called only for those whose board keys `may_be`.
///
/// # Errors
///
/// [`CorruptTree`].
pub fn find(
    start: &AnyCursor,
    main_line: &[u8],
    tree: VariationTree<'_>,
    may_be: impl Fn(u64) -> bool,
    is_it: impl FnMut(&AnyCursor) -> bool,
) -> Result<Option<InVariation>, CorruptTree> {
    with_game!(AnyCursor of start, start => find_on((**start).clone(), main_line, tree, may_be, is_it))
}

fn find_on<C: Cursor>(
    start: C,
    main_line: &[u8],
    tree: VariationTree<'_>,
    may_be: impl Fn(u64) -> bool,
    mut is_it: impl FnMut(&AnyCursor) -> bool,
) -> Result<Option<InVariation>, CorruptTree>
where
    AnyCursor: From<C>,
{
    let mut walk = TreeIter::new(start, main_line, tree);
    let found = loop {
        match walk.step()? {
            None => return Ok(None),
            Some(TreeEvent::Ply(_)) if walk.depth() > 0 && may_be(walk.at().board_key()) => {
                let at = AnyCursor::from(walk.at().clone());
                if is_it(&at) {
                    break at;
                }
            }
            Some(_) => {}
        }
    };
    let (depth, line) = (walk.depth(), walk.path());
    loop {
        let is_there = walk.depth() == depth;
        let mut at = None;
        let step = walk.step_from(|cursor| {
            if is_there {
                at = Some(cursor.clone());
            }
        })?;
        match (step, at) {
            (Some(TreeEvent::Ply(next)), Some(at)) => {
                return Ok(Some(InVariation {
                    at: at.into(),
                    line,
                    next: Some(next),
                }));
            }
            (Some(TreeEvent::Mark(Annotation::VariationEnd)), _) if is_there => {}
            (None, _) => {}
            _ => continue,
        }
        return Ok(Some(InVariation {
            at: found,
            line,
            next: None,
        }));
    }
}

/// Calls `each` with every variation as a packed line from the start of the game, in the order of
/// the text, until it does not want more.
///
/// # Errors
///
/// [`CorruptTree`].
pub fn each_variation(
    start: &AnyPosition,
    main_line: &[u8],
    tree: VariationTree<'_>,
    each: impl FnMut(&VariationPath, &[u8]) -> bool,
) -> Result<(), CorruptTree> {
    let start = AnyCursor::new(start);
    with_game!(AnyCursor of &start, start => each_variation_on((**start).clone(), main_line, tree, each))
}

/// A line from the start of the game, packed.
#[derive(Default)]
struct PackedLine {
    bytes: Vec<u8>,
    /// Where each ply begins in them.
    plies: Vec<usize>,
}

impl PackedLine {
    fn push(&mut self, ply: &[u8]) {
        self.plies.push(self.bytes.len());
        self.bytes.extend_from_slice(ply);
    }

    /// The same without its last ply.
    fn before_last(&self) -> Self {
        let (&last, plies) = self.plies.split_last().unwrap_or((&0, &[]));
        Self {
            bytes: self.bytes[..last].to_vec(),
            plies: plies.to_vec(),
        }
    }
}

fn each_variation_on<C: Cursor>(
    start: C,
    main_line: &[u8],
    tree: VariationTree<'_>,
    mut each: impl FnMut(&VariationPath, &[u8]) -> bool,
) -> Result<(), CorruptTree> {
    let mut walk = TreeIter::new(start, main_line, tree);
    let mut main_line = PackedLine::default();
    // Those that began since the main line was left, and which of them are open. A variation is
    // packed as if the line that it branches off went on with it.
    let mut lines: Vec<(VariationPath, PackedLine)> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    while let Some(step) = walk.step()? {
        let line = match open.last() {
            Some(&at) => &mut lines[at].1,
            None => &mut main_line,
        };
        match step {
            TreeEvent::Ply(_) => line.push(walk.packed_ply()),
            TreeEvent::Mark(Annotation::VariationStart) => {
                let before = line.before_last();
                open.push(lines.len());
                lines.push((walk.path(), before));
            }
            TreeEvent::Mark(Annotation::VariationEnd) => {
                open.pop().ok_or(CorruptTree)?;
                if open.is_empty() {
                    for (path, line) in lines.drain(..) {
                        if !each(&path, &line.bytes) {
                            return Ok(());
                        }
                    }
                }
            }
            _ => {}
        }
    }
    Ok(())
}

/// Calls `each` with the key of the structure of every position inside the variations of
/// a game.
///
/// # Errors
///
/// [`CorruptTree`].
pub fn structures(
    start: &AnyCursor,
    main_line: &[u8],
    tree: VariationTree<'_>,
    each: impl FnMut(u64),
) -> Result<(), CorruptTree> {
    with_game!(AnyCursor of start, start => structures_on((**start).clone(), main_line, tree, each))
}

fn structures_on<C: Cursor>(
    start: C,
    main_line: &[u8],
    tree: VariationTree<'_>,
    mut each: impl FnMut(u64),
) -> Result<(), CorruptTree> {
    let mut walk = TreeIter::new(start, main_line, tree);
    while let Some(step) = walk.step()? {
        if matches!(step, TreeEvent::Ply(_)) && walk.depth() > 0 {
            each(walk.at().structure().key());
        }
    }
    Ok(())
}
