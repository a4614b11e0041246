//! Moves as rows: where each stands in its game, and how it is written.

use super::OpenLines;
use crate::{
    games::{
        BoardGame, Cursor, Stepper,
        variation_tree::{CorruptTree, TreeEvent, TreeIter, VariationTree},
    },
    store::{GameRows, LateTexts, LinePaths, PlyRange, SqlTable},
};

/// Adds where the moves of a game stand. None is left out up to a ply of the main line and in
/// the variations before it.
pub(super) fn places<C: Cursor>(
    start: &C,
    mut main_line: &[u8],
    tree: Option<&[u8]>,
    last_ply: u32,
    rows: &mut GameRows,
) -> Result<(), CorruptTree> {
    let mut lines = OpenLines::default();
    let places = &mut rows.tables[SqlTable::Moves as usize].places;
    let Some(tree) = tree else {
        let mut at = start.clone();
        while lines.at().place.ply < last_ply
            && let Some(code) = at.peek(&mut main_line)
        {
            at.play(code);
            places.push(lines.go_on());
        }
        return Ok(());
    };
    let mut walk = walk(start.clone(), main_line, tree)?;
    while !lines.is_past(last_ply) {
        let Some(event) = walk.step()? else {
            return ended(&walk);
        };
        let place = lines.follow(event, &mut rows.paths)?;
        if let (TreeEvent::Ply(_), Some(place)) = (event, place) {
            places.push(place);
        }
    }
    Ok(())
}

fn walk<'b, C: Cursor>(
    start: C,
    main_line: &'b [u8],
    tree: &'b [u8],
) -> Result<TreeIter<'b, C>, CorruptTree> {
    let tree = VariationTree::of(tree).ok_or(CorruptTree)?;
    Ok(TreeIter::new(start, main_line, tree))
}

/// How moves are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Notation {
    /// As the game writes them.
    Usual,
    /// For programs.
    Squares,
}

/// Adds the texts of the moves of a game, up to the last ply that is requested.
pub(super) fn texts<G: BoardGame>(
    start: &G,
    mut main_line: &[u8],
    tree: Option<&[u8]>,
    (notation, plies): (Notation, PlyRange),
    texts: &mut LateTexts,
) -> Result<(), CorruptTree> {
    let mut write = |at: &mut G, m: G::Move| {
        let from = texts.text.len();
        match notation {
            Notation::Usual => at.write_onto(m, &mut texts.text),
            Notation::Squares => {
                at.write_squares_onto(m, &mut texts.text);
                at.play(m);
            }
        }
        from..texts.text.len()
    };
    let last_ply = *plies.end();
    let Some(tree) = tree else {
        let (mut at, mut slots) = (start.clone(), start.slots());
        for ply in 1..=last_ply {
            let Some(m) = at.unpack(&mut slots, &mut main_line) else {
                break;
            };
            let part = if plies.contains(&ply) {
                write(&mut at, m)
            } else {
                at.play(m);
                0..0
            };
            texts.parts.push(part);
        }
        return Ok(());
    };
    let (mut lines, mut paths) = (OpenLines::default(), LinePaths::default());
    let mut walk = walk(Stepper::new(start), main_line, tree)?;
    while !lines.is_past(last_ply) {
        let is_asked = plies.contains(&(lines.at().place.ply + 1));
        let mut part = 0..0;
        let event = walk.step_from(|cursor| {
            if is_asked && let Some(m) = cursor.pending() {
                part = write(&mut cursor.at().clone(), m);
            }
        })?;
        let Some(event) = event else {
            return ended(&walk);
        };
        lines.follow(event, &mut paths)?;
        if matches!(event, TreeEvent::Ply(_)) {
            texts.parts.push(part);
        }
    }
    Ok(())
}

/// The end of a game, where nothing may be left over.
const fn ended<C: Cursor>(walk: &TreeIter<'_, C>) -> Result<(), CorruptTree> {
    if walk.is_used_up() {
        Ok(())
    } else {
        Err(CorruptTree)
    }
}
