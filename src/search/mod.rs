//! Wires queries to games: search, count, tree, whole games, and the check of
//! the index against its games.

mod answer;
mod check;
mod filter;
mod games;
mod locate;
mod material;
mod moves;
mod pdn;
mod tagged;
mod tree;

pub use answer::{Found, Hit, Score, Tree, TreeMove};
pub use check::{CheckReport, check};
pub use games::{BoardAt, Games, Writing};
pub use moves::Played;
pub use tree::{tree, tree_in};

use crate::{
    position::{Moved, Symmetry},
    query::{PositionQuery, Query, SortKey},
    record::{GameHeader, GameId},
    store::{NameTable, Store, StoreError},
};
use filter::Compiled;
use locate::Target;

/// A game that was selected, and whether only a variation of it reaches the position.
#[derive(Debug, Clone, Copy)]
struct Selected {
    game: GameId,
    in_variation: bool,
}

/// The games a query asks for, before they are dressed up.
struct Selection {
    /// All of them, or as many as were asked for.
    games: Vec<Selected>,
    /// How many there are.
    total: u64,
}

/// Selects the games of a query; `page` is the (offset, limit) that matters,
/// none for all of them.
fn select(store: &Store, query: &Query, page: Option<(u64, u64)>) -> Result<Selection, StoreError> {
    let filter = Compiled::new(store, &query.filter)?;
    let sorted = query.sort != SortKey::Id || query.descending;
    let page = if sorted { None } else { page };
    let mut selection = match (&query.position, &query.material) {
        (Some(position), _) => by_position(store, position, &filter, page)?,
        (None, Some(pieces)) => material::select(store, *pieces, &filter, page)?,
        (None, None) => by_filter(store, &filter, page)?,
    };
    if sorted {
        sort(store, &mut selection.games, query.sort, query.descending)?;
    }
    Ok(selection)
}

/// Keeps the part of a stream of matches that is on the page, counting all.
struct Page {
    skip: u64,
    room: u64,
    selection: Selection,
}

impl Page {
    fn new(page: Option<(u64, u64)>) -> Self {
        let (skip, room) = page.unwrap_or((0, u64::MAX));
        Self {
            skip,
            room,
            selection: Selection {
                games: Vec::new(),
                total: 0,
            },
        }
    }

    fn push(&mut self, found: Selected) {
        self.selection.total += 1;
        if self.skip > 0 {
            self.skip -= 1;
        } else if self.room > 0 {
            self.room -= 1;
            self.selection.games.push(found);
        }
    }

    /// Whether more matches would only be counted.
    const fn is_full(&self) -> bool {
        self.room == 0
    }
}

fn by_position(
    store: &Store,
    position: &PositionQuery,
    filter: &Compiled,
    page: Option<(u64, u64)>,
) -> Result<Selection, StoreError> {
    let targets = Target::all(position);
    let mut page = Page::new(page);
    let mut passing = filter.reader(store);
    for segment in store.segments()? {
        let select = |found: &locate::Match| Selected {
            game: segment.first_game + u64::from(found.game),
            in_variation: found.in_variation,
        };
        // Unfiltered, a list is counted by its head and read as far as the page goes.
        if filter.is_empty() {
            let wanted = page.skip.saturating_add(page.room);
            let games_max = if page.is_full() { 0 } else { wanted };
            if let Some((state, turn)) = locate::single_list(store, &segment, &targets, games_max)?
            {
                let total = page.selection.total + state.count;
                locate::listed(&state, turn, 0).for_each(|found| page.push(select(&found)));
                page.selection.total = total;
                continue;
            }
        }
        for found in locate::matches(store, &segment, &targets)? {
            let found = select(&found);
            if passing.passes(found.game)? {
                page.push(found);
            }
        }
    }
    Ok(page.selection)
}

/// A game selected without a position.
const fn plain(game: GameId) -> Selected {
    Selected {
        game,
        in_variation: false,
    }
}

fn by_filter(
    store: &Store,
    filter: &Compiled,
    page: Option<(u64, u64)>,
) -> Result<Selection, StoreError> {
    let mut page = Page::new(page);
    if filter.is_empty() {
        let last = store.last_game()?;
        let first = page.skip.saturating_add(1);
        let end = first.saturating_add(page.room).min(last + 1);
        page.selection.games = (first..end).map(plain).collect();
        page.selection.total = last;
    } else {
        store.for_each_facts(1, |game, facts| {
            if filter.passes(game, facts) {
                page.push(plain(game));
            }
        })?;
    }
    Ok(page.selection)
}

/// Orders matches; ties stay in the order of import.
fn sort(
    store: &Store,
    games: &mut [Selected],
    key: SortKey,
    descending: bool,
) -> Result<(), StoreError> {
    // Unknown values come last in either direction.
    let table = match key {
        SortKey::White | SortKey::Black => Some(NameTable::Player),
        SortKey::Event => Some(NameTable::Event),
        _ => None,
    };
    let ranks = match table {
        Some(table) => filter::name_ranks(store, table)?,
        None => Vec::new(),
    };
    let rank = |id: u32| ranks.get(id as usize).copied().unwrap_or(0);
    let mut facts = store.facts();
    let mut keyed = Vec::with_capacity(games.len());
    for (at, found) in games.iter().enumerate() {
        let facts = facts.get(found.game)?;
        let value = match key {
            SortKey::Id => Some(found.game),
            SortKey::Date => Some(u64::from(facts.date)).filter(|&date| date > 0),
            // One rating alone says nothing about the other player, as with
            // `--min-elo`.
            SortKey::Elo => match (facts.white_elo, facts.black_elo) {
                (0, _) | (_, 0) => None,
                (white, black) => Some(u64::from(white) + u64::from(black)),
            },
            SortKey::White => Some(rank(facts.white)).filter(|&rank| rank > 0),
            SortKey::Black => Some(rank(facts.black)).filter(|&rank| rank > 0),
            SortKey::Event => Some(rank(facts.event)).filter(|&rank| rank > 0),
            SortKey::Eco => Some(u64::from(facts.eco)).filter(|&eco| eco > 0),
            SortKey::Plies => Some(u64::from(facts.plies)),
            SortKey::Result => Some(u64::from(facts.outcome)),
        };
        let value = value.map(|value| if descending { u64::MAX - value } else { value });
        keyed.push((value.is_none(), value, at));
    }
    keyed.sort_unstable();
    let ordered: Vec<Selected> = keyed.into_iter().map(|(_, _, at)| games[at]).collect();
    games.copy_from_slice(&ordered);
    Ok(())
}

/// How many games a query finds.
///
/// # Errors
///
/// [`StoreError`] if the database cannot be read or is damaged.
pub fn count(store: &Store, query: &Query) -> Result<u64, StoreError> {
    let query = Query {
        sort: SortKey::Id,
        descending: false,
        ..query.clone()
    };
    Ok(select(store, &query, Some((0, 0)))?.total)
}

/// Finds games.
///
/// # Errors
///
/// [`StoreError`] if the database cannot be read or is damaged.
pub fn search(store: &Store, query: &Query) -> Result<Found, StoreError> {
    search_written(store, query, Writing::default())
}

/// Finds games, with their next moves written in some way.
///
/// # Errors
///
/// [`StoreError`] if the database cannot be read or is damaged.
pub fn search_written(store: &Store, query: &Query, writing: Writing) -> Result<Found, StoreError> {
    let limit = query.limit.unwrap_or(u64::MAX);
    let selection = select(store, query, Some((query.offset, limit)))?;
    let page = page_of(&selection, query, limit);
    let targets = query.position.as_ref().map(Target::all);
    let mut games = Games::new(store).with_writing(writing);
    let mut hits = Vec::with_capacity(page.len());
    for found in page {
        let header = games
            .header(found.game)?
            .ok_or_else(|| store.damaged(format!("game {} is missing", found.game)))?;
        hits.push(match (&targets, &query.material) {
            (Some(targets), _) => games.hit(header, found, targets)?,
            (None, Some(pieces)) => games.hit_by_material(header, *pieces)?,
            (None, None) => {
                let place = games.place_of(&header)?;
                plain_hit(header, place)
            }
        });
    }
    Ok(Found {
        total: selection.total,
        offset: query.offset,
        hits,
    })
}

fn plain_hit(header: GameHeader, place: Option<String>) -> Hit {
    Hit {
        header,
        place,
        ply: None,
        next_move: None,
        in_variation: false,
        symmetry: Symmetry::None,
        moved: Moved::NOT,
    }
}

/// The page of a selection: cut already, unless it had to be sorted first.
fn page_of<'m>(selection: &'m Selection, query: &Query, limit: u64) -> &'m [Selected] {
    let games = selection.games.as_slice();
    if query.sort == SortKey::Id && !query.descending {
        return games;
    }
    let from = usize::try_from(query.offset)
        .unwrap_or(usize::MAX)
        .min(games.len());
    let rest = &games[from..];
    &rest[..usize::try_from(limit).unwrap_or(usize::MAX).min(rest.len())]
}

/// The numbers of a query's games, in its order, its page alone.
///
/// # Errors
///
/// [`StoreError`] if the database cannot be read or is damaged.
pub fn game_ids(store: &Store, query: &Query) -> Result<Vec<GameId>, StoreError> {
    let limit = query.limit.unwrap_or(u64::MAX);
    let selection = select(store, query, Some((query.offset, limit)))?;
    Ok(page_of(&selection, query, limit)
        .iter()
        .map(|found| found.game)
        .collect())
}
