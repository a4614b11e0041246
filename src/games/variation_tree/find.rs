//! Positions inside variations, of whichever game.

use super::{Annotation, CorruptTree, TreeEvent, TreeIter, VariationPath, VariationTree};
use crate::games::{AnyCursor, AnyPosition, BoardGame, Cursor, Stepper, with_game};

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
    with_game!(AnyPosition of start, start => each_variation_of(start, main_line, tree, each))
}

fn each_variation_of<G: BoardGame>(
    start: &G,
    main_line: &[u8],
    tree: VariationTree<'_>,
    mut each: impl FnMut(&VariationPath, &[u8]) -> bool,
) -> Result<(), CorruptTree> {
    let mut walk = TreeIter::new(Stepper::new(start), main_line, tree);
    let mut main_line = Vec::new();
    // Those that began since the main line was left, each with all moves from the start of the
    // game, and which of them are open.
    let mut lines: Vec<(VariationPath, Vec<G::Move>)> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    let mut packed = Vec::new();
    loop {
        let mut next = None;
        let step = walk.step_from(|cursor| next = cursor.pending())?;
        let line = match open.last() {
            Some(&at) => &mut lines[at].1,
            None => &mut main_line,
        };
        match step {
            None => return Ok(()),
            Some(TreeEvent::Ply(_)) => line.push(next.ok_or(CorruptTree)?),
            Some(TreeEvent::Mark(Annotation::VariationStart)) => {
                let before = line.split_last().map_or(&[][..], |(_, before)| before);
                let before = before.to_vec();
                open.push(lines.len());
                lines.push((walk.path(), before));
            }
            Some(TreeEvent::Mark(Annotation::VariationEnd)) => {
                open.pop().ok_or(CorruptTree)?;
                if !open.is_empty() {
                    continue;
                }
                for (path, line) in lines.drain(..) {
                    packed.clear();
                    let (mut at, mut slots) = (start.clone(), start.slots());
                    for m in line {
                        at.pack(m, &mut slots, &mut packed);
                        at.play(m);
                    }
                    if !each(&path, &packed) {
                        return Ok(());
                    }
                }
            }
            Some(_) => {}
        }
    }
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
