//! Games that are only the beginning of another one, and games of one day that begin alike.

use std::collections::{BTreeMap, HashMap, HashSet};

use serde::Serialize;

use super::{
    DedupePolicy, DuplicateGroup, DuplicateIndex, FingerprintIndex, NameMatcher, StoredRecords,
    groups::GroupFinder,
};
use crate::{
    base::{observe::Observer, range_map::RangeMap, record::GameId},
    blocks::fingerprint::{BEGINNING_BITS, Fingerprint},
    store::{Store, StoreError},
};

/// A game that is only the beginning of another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct ContainedGame {
    /// The game.
    pub game: GameId,
    /// The one that goes on from it.
    pub whole: GameId,
}

/// Where fewer than this part of all games begin alike, their rows are read, each for itself.
const FEW_PART: GameId = 100;

/// Beginnings that fingerprints distinguish.
const BEGINNINGS: usize = 1 << BEGINNING_BITS;

/// Finds the games that are only the beginning of another one, if one of the two is among those
/// from some game on. Where all games that begin like those are known, with their beginnings, no
/// others are looked at.
///
/// # Errors
///
/// [`StoreError`] if the database cannot be read or is damaged; or if the end was requested.
pub fn contained_games(
    store: &Store,
    from: GameId,
    known_begun: Option<Vec<(u32, u32)>>,
    observer: &dyn Observer,
) -> Result<Vec<ContainedGame>, StoreError> {
    let removed = store.removed()?;
    let begun = begun_alike(store, from, known_begun, &removed)?;
    let mut finder = GroupFinder {
        store,
        prints: HashMap::new(),
        same: BTreeMap::new(),
        lines: store.lines(),
        records: StoredRecords::new(store),
        places: store.place_reader(),
        done: 0,
        observer,
    };
    let known = FingerprintIndex::with_parts().few_up_to(store.last_game()?);
    let mut among = DuplicateIndex::among(store, known, NameMatcher::of(store)?);
    let mut prints = store.sums();
    for games in &begun {
        let numbers = games.iter().map(|&game| GameId::from(game));
        if !finder.has_parts(numbers.clone())? {
            continue;
        }
        for game in numbers {
            finder.prints.insert(game, prints.get(game)?);
        }
        finder.group(&mut among, games, true)?;
    }
    drop(among);
    let completeness = finder.completeness()?;
    let groups = finder.groups(DedupePolicy::Best, &completeness, &HashSet::new())?;
    let of_group = |group: &DuplicateGroup| {
        let whole = group.kept;
        let parts = group.others.clone().into_iter();
        parts.map(move |game| ContainedGame { game, whole })
    };
    let mut found: Vec<ContainedGame> = groups.iter().flat_map(of_group).collect();
    found.retain(|found| {
        let is_shorter = completeness[&found.game].plies < completeness[&found.whole].plies;
        is_shorter && found.game.max(found.whole) >= from
    });
    found.sort_unstable_by_key(|found| found.game);
    Ok(found)
}

/// Games of one day that begin alike, those of each beginning in order, if one of them is among
/// those from some game on.
pub(super) fn begun_alike(
    store: &Store,
    from: GameId,
    known_begun: Option<Vec<(u32, u32)>>,
    removed: &RangeMap,
) -> Result<Vec<Vec<u32>>, StoreError> {
    let last = store.last_game()?;
    if from > last {
        return Ok(Vec::new());
    }
    let begins = |game, print: Fingerprint| print.beginning > 0 && !removed.contains(game);
    // How those begin: all beginnings have a bit, for few games of many are searched for.
    let mut wanted = vec![0_u64; BEGINNINGS / 64];
    let mut prints = store.sums();
    for game in from..=last {
        let print = prints.get(game)?;
        if begins(game, print) {
            wanted[print.beginning as usize / 64] |= 1 << (print.beginning % 64);
        }
    }
    let is_wanted = |beginning: u32| {
        let bits = wanted[beginning as usize % BEGINNINGS / 64];
        bits >> (beginning % 64) & 1 == 1
    };
    let mut begun = Vec::new();
    if let Some(known) = known_begun {
        begun = known;
        begun.retain(|&(beginning, game)| {
            is_wanted(beginning) && !removed.contains(GameId::from(game))
        });
    } else {
        store.for_each_print(|game, print| {
            if is_wanted(print.beginning) && begins(game, print) {
                begun.extend(u32::try_from(game).map(|game| (print.beginning, game)));
            }
        })?;
    }
    drop(wanted);
    begun.sort_unstable();
    let several = |of: &[(u32, u32)]| {
        let has_new = of
            .last()
            .is_some_and(|&(_, game)| GameId::from(game) >= from);
        of.len() > 1 && has_new
    };
    let groups = begun.chunk_by(|one, other| one.0 == other.0);
    let mut alike: Vec<u32> = groups
        .filter(|games| several(games))
        .flat_map(|games| games.iter().map(|&(_, game)| game))
        .collect();
    alike.sort_unstable();
    // In a large database many that have nothing else in common share a beginning of 24 bits.
    // Single rows cost less than their blocks of facts, all of them more.
    let are_few = (alike.len() as GameId) < last / FEW_PART;
    let filed = store.segments()?;
    let filed = filed
        .last()
        .map_or(0, |last| last.first_game + last.games - 1);
    let mut facts = store.facts();
    let mut dates: Vec<u32> = Vec::with_capacity(alike.len());
    for &game in &alike {
        let game = GameId::from(game);
        dates.push(if are_few || game > filed {
            store.date_of(game)?
        } else {
            facts.get(game)?.date
        });
    }
    let dated = begun.into_iter().filter_map(|(beginning, game)| {
        let at = alike.binary_search(&game).ok()?;
        Some((beginning, dates[at], game))
    });
    let mut dated: Vec<(u32, u32, u32)> = dated.collect();
    dated.sort_unstable();
    let groups = dated.chunk_by(|one, other| (one.0, one.1) == (other.0, other.1));
    let groups = groups.map(|games| games.iter().map(|&(.., game)| game).collect::<Vec<u32>>());
    let has_new = |games: &Vec<u32>| games.last().is_some_and(|&game| GameId::from(game) >= from);
    let mut groups: Vec<Vec<u32>> = groups
        .filter(|games| games.len() > 1 && has_new(games))
        .collect();
    groups.sort_unstable();
    Ok(groups)
}
