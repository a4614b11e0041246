//! Wires queries to games: search, count, tree, whole games, and the check of
//! the index against its games.

mod answer;
mod check;
mod filter;
mod games;
mod items;
mod locate;
mod material;
mod moves;
mod select;
mod sort;
mod tagged;
mod tree;

pub use answer::{Found, Hit, ScoreSum, Tree, TreeMove};
pub use check::{CheckReport, check};
pub use games::{BoardAt, Games, Writing};
pub use tagged::has_words;
pub use tree::tree;

use std::ops::ControlFlow;

use crate::{
    base::record::{Game, GameId},
    db::{
        query::{Query, SortKey},
        store::{Store, StoreError},
    },
};
use locate::Sought;
use select::{Page, Selected, SelectionEnd};

/// How many games a query finds.
///
/// # Errors
///
/// [`StoreError`] if the database cannot be read or is damaged.
pub fn count(store: &Store, query: &Query) -> Result<u64, StoreError> {
    let query = Query {
        sort: SortKey::Id,
        descending: false,
        offset: 0,
        limit: Some(0),
        ..query.clone()
    };
    select::each(store, &query, Page::of(&query, &mut |_| Ok(())))
}

/// Finds games, with their next moves written in some way.
///
/// # Errors
///
/// [`StoreError`] if the database cannot be read or is damaged.
pub fn search(store: &Store, query: &Query, writing: Writing) -> Result<Found, StoreError> {
    let mut hits = Vec::new();
    let total = each_hit(store, query, writing, &mut |hit| {
        hits.push(hit);
        ControlFlow::Continue(())
    })?;
    Ok(Found {
        total,
        offset: query.offset,
        hits,
    })
}

/// Gives the hits of a query's page one by one, in its order, each as soon as it is
/// found, until the visitor breaks. Returns how many games match, all pages together;
/// after a break, how many were met until then.
///
/// # Errors
///
/// [`StoreError`] if the database cannot be read or is damaged.
pub fn each_hit(
    store: &Store,
    query: &Query,
    writing: Writing,
    visit: &mut dyn FnMut(Hit) -> ControlFlow<()>,
) -> Result<u64, StoreError> {
    let targets = query.position.as_ref().map(Sought::all);
    let mut games = Games::new(store).with_writing(writing);
    let mut dress = |found: Selected| -> Result<(), SelectionEnd> {
        let header = games.header(found.game)?;
        let header = header.ok_or_else(|| missing(store, found.game))?;
        let hit = match (&targets, query.material) {
            (Some(targets), _) => games.hit(header, found, targets)?,
            (None, Some(pieces)) => games.hit_by_material(header, pieces)?,
            (None, None) => games.plain_hit(header)?,
        };
        SelectionEnd::of(visit(hit))
    };
    select::each(store, query, Page::of(query, &mut dress))
}

/// Gives the whole games of a query's page one by one, in its order, until the visitor
/// breaks.
///
/// # Errors
///
/// [`StoreError`] if the database cannot be read or is damaged.
pub fn each_game(
    store: &Store,
    query: &Query,
    writing: Writing,
    visit: &mut dyn FnMut(&Game) -> ControlFlow<()>,
) -> Result<(), StoreError> {
    let mut games = Games::new(store).with_writing(writing);
    let mut read = |found: Selected| -> Result<(), SelectionEnd> {
        let game = games.game(found.game)?;
        SelectionEnd::of(visit(&game.ok_or_else(|| missing(store, found.game))?))
    };
    let page = Page::of(query, &mut read).without_total();
    select::each(store, query, page).map(|_| ())
}

fn missing(store: &Store, game: GameId) -> StoreError {
    store.damaged(format!("game {game} is missing"))
}
