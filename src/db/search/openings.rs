//! Openings in filters, in trees and of games that are shown.

use super::{Tree, filter, filter::IdSet};
use crate::{
    base::{
        record::OpeningName,
        runs::{MarkedRun, MarkedRuns},
    },
    db::{
        store::{GameRow, NameTable, Store, StoreError},
        stored::OpeningReader,
    },
    games::{
        AnyPosition, Budget, opening_names,
        opening_names::{AskedOpening, OpeningNames},
    },
};

/// The openings of a database that are asked for.
pub(super) fn ids(store: &Store, asked: &AskedOpening) -> Result<IdSet, StoreError> {
    let fits = asked.test();
    filter::ids(store, NameTable::Opening, |text| {
        let (eco, name) = opening_names::parted(text);
        fits(eco, name)
    })
}

/// The games of a database of an older schema whose openings are asked for.
pub(super) fn games(store: &Store, asked: &AskedOpening) -> Result<MarkedRuns, StoreError> {
    let wanted: Vec<u16> = (asked.openings().iter())
        .map(|opening| opening.number)
        .collect();
    let mut openings = OpeningReader::new(store);
    let mut found = Vec::new();
    for game in 1..=store.last_game()? {
        store.go_on()?;
        let opening = openings.of(game)?;
        if opening.is_some_and(|opening| wanted.binary_search(&opening.number).is_ok()) {
            found.push(MarkedRun {
                first: game,
                end: game + 1,
                mark: 0,
            });
        }
    }
    Ok(MarkedRuns::of(found))
}

/// Code and name of every opening there is, in lower case, in the order by which games are sorted.
pub(super) fn in_order() -> Vec<String> {
    let tables = opening_names::tables().into_iter();
    let openings = tables.flat_map(OpeningNames::all);
    let mut texts: Vec<String> = openings.map(|one| one.text().to_lowercase()).collect();
    texts.sort_unstable();
    texts.dedup();
    texts
}

/// The opening of a game that is shown.
pub(super) fn shown(
    reader: &mut OpeningReader<'_>,
    store: &Store,
    (game, row): (u64, &GameRow),
) -> Result<Option<OpeningName>, StoreError> {
    if !store.has_openings() {
        return Ok(reader.of(game)?.map(OpeningName::from));
    }
    Ok(row.opening.as_deref().map(|text| {
        let (eco, name) = opening_names::parted(text);
        OpeningName {
            eco: eco.to_owned(),
            name: name.to_owned(),
        }
    }))
}

/// Says what the positions of a tree are called.
pub(super) fn named(mut tree: Tree, at: &AnyPosition) -> Tree {
    if at.opening_names().is_none() {
        return tree;
    }
    tree.opening = at.named_opening().map(OpeningName::from);
    for (uci, opening) in at.named_moves(Budget::default()) {
        if let Some(played) = tree.moves.iter_mut().find(|played| played.uci == uci) {
            played.opening = Some(opening.into());
        }
    }
    tree
}
