//! Openings in filters, in trees and of games that are shown.

use super::{Tree, filter};
use crate::{
    base::{id_set::IdSet, record::OpeningName},
    games::{
        AnyPosition, Budget,
        opening_names::{self, OpeningQuery},
    },
    store::{GameRow, NameTable, Store, StoreError},
};

/// The openings of a database that are requested.
pub(super) fn ids(store: &Store, asked: &OpeningQuery) -> Result<IdSet, StoreError> {
    let fits = asked.test();
    filter::ids(store, NameTable::Opening, |text| {
        let (eco, name) = opening_names::parted(text);
        fits(eco, name)
    })
}

/// The opening of a game that is shown.
pub(super) fn shown(row: &GameRow) -> Option<OpeningName> {
    row.opening.as_deref().map(|text| {
        let (eco, name) = opening_names::parted(text);
        OpeningName {
            eco: eco.to_owned(),
            name: name.to_owned(),
        }
    })
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
