//! The names of chess openings (facts of lichess-org/chess-openings, CC0-1.0).

mod follow;
#[cfg(test)]
mod tests;

use std::sync::OnceLock;

use follow::FollowedLine;

use super::{notation::quick_san, rules::ChessBoard, view};
use crate::games::{
    BoardGame, GameKeys,
    opening_names::{NamedOpening, OpeningNames, OpeningPosition},
};

/// Code, name and moves in the order of the code.
const TABLES: [&str; 5] = [
    include_str!("a.tsv"),
    include_str!("b.tsv"),
    include_str!("c.tsv"),
    include_str!("d.tsv"),
    include_str!("e.tsv"),
];

/// Lines of the tables, without their heads.
fn lines() -> impl Iterator<Item = NamedOpening> {
    let rows = TABLES.iter().flat_map(|table| table.lines().skip(1));
    rows.filter_map(|row| {
        let mut cells = row.split('\t');
        Some(NamedOpening {
            number: 0,
            eco: cells.next()?,
            name: cells.next()?,
            moves: cells.next()?,
        })
    })
}

/// The last name that a main line has, whose structures may be known.
pub(super) fn last_named(
    start: &ChessBoard,
    plies: &[u8],
    structures: Option<&[u32]>,
) -> Option<&'static NamedOpening> {
    let names = names();
    let behind = names.structures_behind(structures)?;
    if view::is_usual(start)
        && let FollowedLine::Last(name) = follow::last_named(start, plies, behind)
    {
        return name;
    }
    names.last_of(start.cursor(), plies, behind)
}

/// The names, built when they are first needed.
pub(in crate::modules::games) fn names() -> &'static OpeningNames {
    static NAMES: OnceLock<OpeningNames> = OnceLock::new();
    NAMES.get_or_init(|| {
        // Lines that stand side by side have much in common.
        let mut line: Vec<(&str, ChessBoard)> = Vec::new();
        let start = ChessBoard::initial();
        OpeningNames::of(lines().filter_map(|opening| {
            let words = opening.moves.split(' ');
            let mut plies = 0;
            for word in words.filter(|word| !word.ends_with('.')) {
                if line.get(plies).is_none_or(|(known, _)| *known != word) {
                    line.truncate(plies);
                    let mut at = line.last().map_or(&start, |(_, at)| at).clone();
                    let ply = quick_san::resolve(&at, word.as_bytes())?;
                    ChessBoard::play(&mut at, ply);
                    line.push((word, at));
                }
                plies += 1;
            }
            line.truncate(plies);
            let at = line.last().map_or(&start, |(_, at)| at);
            Some(OpeningPosition {
                opening,
                key: (GameKeys::key(at), GameKeys::state(at)),
                structure: (GameKeys::structure(at).key() >> 32) as u32,
                plies: plies as u32,
            })
        }))
    })
}
