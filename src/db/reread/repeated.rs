//! Games of a source that is read again which are stored already, as an import would find them.

use std::collections::HashMap;

use super::{Fresh, splice::Stretch};
use crate::{
    base::{
        record::GameId,
        runs::{MarkedRun, MarkedRuns},
    },
    db::{
        identity::{GameFinder, KnownGames, NameJudge, SameGames},
        repair::salvage::Salvage,
        store::{RepeatedRun, Store, StoreError},
    },
};

/// Which game one is that was not stored again.
#[derive(Debug, Clone, Copy)]
pub(super) enum StoredAs {
    /// A game of the database that stands before the source.
    Game(GameId),
    /// A game of the draft of another source that is read again, by its place among those.
    Reread(usize, GameId),
}

impl StoredAs {
    /// A number of the game, for findings of the draft.
    pub(super) const fn game(self) -> GameId {
        match self {
            Self::Game(game) | Self::Reread(_, game) => game,
        }
    }
}

/// Looks among games of a database, up to one.
fn finder<'s>(
    store: &'s Store,
    last: GameId,
    but: &MarkedRuns,
    judge: &NameJudge,
) -> Result<GameFinder<'s>, StoreError> {
    let known = KnownGames::default().of_first(store, last, but)?;
    let same = SameGames::among(store, known, judge.clone()).as_they_came()?;
    Ok(GameFinder::among(store, same, last))
}

/// Whether the import that has read a source has skipped games that were stored already. It has not
/// if there are such games in the source, and none was skipped.
pub(super) fn were_skipped(store: &Store, place: &Stretch) -> Result<bool, StoreError> {
    if !(store.repeats_between(place.source.id, 0, None)?).is_empty() {
        return Ok(true);
    }
    let not_there = store.removed()?.without(&store.deleted()?);
    let judge = NameJudge::of(store)?;
    let mut finder = finder(store, place.first - 1, &not_there, &judge)?;
    let (mut prints, mut salvage) = (store.sums(), Salvage::new(store));
    for game in place.first..place.first + place.games {
        store.go_on()?;
        let Some(print) = prints.get(game)? else {
            continue;
        };
        if !finder.has_none_like(print) {
            let found = finder.find(&salvage.game(game)?, print, &|_| None)?;
            if found.is_some() {
                return Ok(false);
            }
        }
        finder.same.known.add(game, print);
    }
    Ok(true)
}

/// The games of a draft, by their numbers in the source, that stand before the source already, or
/// in the drafts of others that are read again.
pub(super) fn find(
    store: &Store,
    place: &Stretch,
    draft: &Store,
    others: &[Fresh],
) -> Result<HashMap<u64, StoredAs>, StoreError> {
    let judge = NameJudge::of(store)?;
    let not_there = store.removed()?.without(&store.deleted()?);
    let replaced = others.iter().map(|Fresh { place, .. }| MarkedRun {
        first: place.first,
        end: place.first + place.games,
        mark: 0,
    });
    let but = MarkedRuns::of(not_there.iter().copied().chain(replaced));
    let mut finders = vec![finder(store, place.first - 1, &but, &judge)?];
    for Fresh { draft, .. } in others {
        let last = draft.last_game()?;
        finders.push(finder(draft, last, &MarkedRuns::default(), &judge)?);
    }
    let (mut prints, mut salvage) = (draft.sums(), Salvage::new(draft));
    let (mut found, mut by_game) = (HashMap::new(), HashMap::new());
    // The only source of a draft.
    for row in draft.piece_rows(1)? {
        for (game, number) in (row.first_game..).zip(draft.numbers_in_piece(1, &row)?) {
            store.go_on()?;
            let Some(print) = prints.get(game)? else {
                continue;
            };
            for (nth, finder) in finders.iter_mut().enumerate() {
                if finder.has_none_like(print) {
                    continue;
                }
                let same = finder.find(&salvage.game(game)?, print, &|_| None)?;
                if let Some(same) = same {
                    let stored = match nth.checked_sub(1) {
                        None => StoredAs::Game(same),
                        Some(other) => StoredAs::Reread(other, same),
                    };
                    by_game.insert(game, stored);
                    found.insert(number, stored);
                    break;
                }
            }
        }
    }
    // What the source has twice is the same, too.
    for run in draft.repeats_between(1, 0, None)? {
        for nth in 0..run.games {
            if let Some(stored) = by_game.get(&(run.game + nth)) {
                found.insert(run.number + nth, *stored);
            }
        }
    }
    Ok(found)
}

/// Notes games of a source, by their numbers in it, as stored ones.
pub(super) fn note(
    store: &Store,
    source: i64,
    mut games: Vec<(u64, GameId)>,
) -> Result<(), StoreError> {
    games.sort_unstable();
    let mut runs: Vec<RepeatedRun> = Vec::new();
    for (number, game) in games {
        match runs.last_mut() {
            Some(run) if run.is_followed_by(number, game) => run.games += 1,
            _ => runs.push(RepeatedRun {
                number,
                games: 1,
                game,
            }),
        }
    }
    runs.into_iter()
        .try_for_each(|run| store.insert_repeated(source, run))
}

/// Games that were skipped as such of drafts, by their numbers and those of the database, once it is
/// known where these stand.
pub(super) fn of_drafts(fresh: &[Fresh], at: usize) -> Result<Vec<(u64, GameId)>, StoreError> {
    let own = &fresh[at];
    let before = own.place.numbers_before;
    let stands = |source: usize, game: GameId| fresh[source].report.first_game + game - 1;
    let mut games = Vec::new();
    for run in own.draft.repeats_between(1, 0, None)? {
        games.extend(
            (0..run.games).map(|nth| (before + run.number + nth, stands(at, run.game + nth))),
        );
    }
    for (&number, stored) in &own.repeated {
        if let StoredAs::Reread(source, game) = *stored {
            games.push((before + number, stands(source, game)));
        }
    }
    Ok(games)
}
