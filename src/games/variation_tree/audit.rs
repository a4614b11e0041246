//! Whether a stored tree is one that a reader of movetext writes: more than [`TreeReader`] asks.

use super::{Annotation, Lines, TreeEvent, TreeReader, TreeWriter, VariationTree};
use crate::games::{AnyPosition, BoardGame, Budget, Cursor, Stepper, with_game};

/// Goes through a tree and its texts, which are empty where it has none, to their ends: every ply
/// of a variation must be legal, every text in use, and the places of all marks written as
/// [`TreeWriter`] writes them.
///
/// # Errors
///
/// What is wrong, for a person.
pub fn audit(
    start: &AnyPosition,
    main_line: &[u8],
    tree: &[u8],
    texts: &[u8],
) -> Result<(), String> {
    with_game!(AnyPosition of start, start => audit_of(start, main_line, tree, texts))
}

fn audit_of<G: BoardGame>(
    start: &G,
    main_line: &[u8],
    tree: &[u8],
    texts: &[u8],
) -> Result<(), String> {
    let lines = || Lines::of_legal(start, main_line);
    let reader = TreeReader::new(Stepper::new(start), main_line, tree, texts, lines);
    let mut reader = reader.map_err(|fault| fault.to_string())?;
    let mut again = TreeWriter::default();
    let (mut plies, mut legal) = (0, Vec::new());
    loop {
        let is_main = reader.walk().depth() == 0;
        let mut can_be = true;
        let step = reader.step(|line| can_be = is_main || is_legal(line, &mut legal));
        let Some((step, text)) = step.map_err(|fault| fault.to_string())? else {
            break;
        };
        match step {
            TreeEvent::Ply(_) if !can_be => {
                return Err("a move of one of its variations is illegal".to_owned());
            }
            TreeEvent::Ply(_) if is_main => plies += 1,
            TreeEvent::Ply(code) => again.ply(code, |_| ()),
            TreeEvent::Nag(number) => again.nag(number, plies),
            TreeEvent::Mark(Annotation::VariationStart) => again.open(plies),
            TreeEvent::Mark(Annotation::VariationEnd) => again.close(),
            TreeEvent::Mark(mark) => again.text(mark, &text, plies),
        }
    }
    let mut bytes = Vec::new();
    again.write_tree(&mut bytes);
    let [again, tree] = [&bytes, tree].map(|tree| VariationTree::of(tree).unwrap_or_default());
    if (again.ops, again.nags) != (tree.ops, tree.nags) {
        return Err(
            "the places of its comments and variations are not written as usual".to_owned(),
        );
    }
    Ok(())
}

/// Whether the ply that was taken off last is legal. Passing the turn and whatever is done by
/// hand always are; of captures that are too many to be listed, none is not.
fn is_legal<G: BoardGame>(line: &Stepper<G>, legal: &mut Vec<G::Move>) -> bool {
    line.pending()
        .is_some_and(|m| is_legal_at(line.at(), m, legal))
}

pub(super) fn is_legal_at<G: BoardGame>(at: &G, m: G::Move, legal: &mut Vec<G::Move>) -> bool {
    if m == G::NULL || G::is_by_hand(m) {
        return true;
    }
    legal.clear();
    at.legal(Budget::default(), legal).is_err() || legal.contains(&m)
}

/// How many bytes of a main line are legal moves, and how many moves these are: of a line that
/// may be damaged.
pub fn legal_part(start: &AnyPosition, main_line: &[u8]) -> (usize, u32) {
    with_game!(AnyPosition of start, start => legal_part_of(start, main_line))
}

fn legal_part_of<G: BoardGame>(start: &G, main_line: &[u8]) -> (usize, u32) {
    let mut at = start.clone();
    let (mut slots, mut rest, mut legal) = (at.slots(), main_line, Vec::new());
    let (mut bytes, mut plies) = (0, 0);
    while let Some(m) = at.unpack(&mut slots, &mut rest) {
        if !is_legal_at(&at, m, &mut legal) {
            break;
        }
        at.play(m);
        (bytes, plies) = (main_line.len() - rest.len(), plies + 1);
    }
    (bytes, plies)
}
