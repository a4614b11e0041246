//! Games of a source that is read again which are stored already, as an import would find them.

use std::{
    collections::{HashMap, HashSet, hash_map::Entry},
    ops::Range,
};

use super::{RereadDraft, replace::GameRange};
use crate::{
    base::{
        range_map::{RangeEntry, RangeMap},
        record::GameId,
        work,
    },
    identity::{DuplicateFinder, DuplicateIndex, FingerprintIndex, NameMatcher},
    replay::salvage::Salvage,
    store::{DuplicateRun, Store, StoreError},
};

/// Which game one is that was not stored again.
#[derive(Debug, Clone, Copy)]
pub(super) enum RereadMatch {
    /// A game of the database.
    Game(GameId),
    /// A game of the draft of another source that is read again, by its place among those.
    Reread(usize, GameId),
    /// A game of the same source, by its number there.
    Own(u64),
}

impl RereadMatch {
    /// A number for findings of the draft, which are not kept.
    pub(super) const fn number(self) -> u64 {
        match self {
            Self::Game(number) | Self::Reread(_, number) | Self::Own(number) => number,
        }
    }
}

/// Looks among games of a database, up to one.
fn finder<'s>(
    store: &'s Store,
    last: GameId,
    but: &RangeMap,
    judge: &NameMatcher,
) -> Result<DuplicateFinder<'s>, StoreError> {
    let known = FingerprintIndex::default().of_first(store, last, but)?;
    let same = DuplicateIndex::among(store, known, judge.clone()).as_they_came()?;
    Ok(DuplicateFinder::among(store, same, last))
}

/// The same, for games that are the beginning of others. They are added one by one.
fn finder_of_wholes<'s>(
    store: &'s Store,
    judge: &NameMatcher,
) -> Result<DuplicateFinder<'s>, StoreError> {
    let same = DuplicateIndex::among(store, FingerprintIndex::with_parts(), judge.clone())
        .as_they_came()?;
    Ok(DuplicateFinder::among(store, same, 0))
}

/// Searches for the games of a source that are stored already.
pub(super) struct RereadDuplicateFinder<'a> {
    store: &'a Store,
    place: &'a GameRange,
    others: &'a [RereadDraft],
    judge: NameMatcher,
    /// Games that are not there, and also those that are replaced.
    not_there: RangeMap,
    replaced: RangeMap,
    /// Games that stand for those which its import has skipped.
    stand_ins: Vec<GameId>,
    /// Games that its import has skipped others for, in order: elsewhere, and by their numbers in
    /// the source. What is only the beginning of them was skipped, too.
    wholes: Vec<GameId>,
    own_wholes: HashSet<u64>,
}

impl<'a> RereadDuplicateFinder<'a> {
    /// For a source, after others that are read again.
    pub(super) fn new(
        store: &'a Store,
        place: &'a GameRange,
        others: &'a [RereadDraft],
    ) -> Result<Self, StoreError> {
        let own = std::iter::once(place);
        let replaced = others.iter().map(|fresh| &fresh.place).chain(own);
        let replaced = replaced.map(|place| RangeEntry {
            first: place.first,
            end: place.first + place.games,
            mark: 0,
        });
        let replaced = RangeMap::of(replaced);
        let noted = noted(store, place)?;
        let noted = RangeMap::of(noted.iter().map(|&game| RangeEntry {
            first: game,
            end: game + 1,
            mark: 0,
        }));
        let not_there = (store.removed()?.without(&store.deleted()?)).without(&noted);
        let mut stand_ins: Vec<GameId> = (noted.iter())
            .flat_map(|run| run.first..run.end)
            .filter(|&game| game >= place.first && !replaced.contains(game))
            .collect();
        stand_ins.dedup();
        let wholes = noted.iter().flat_map(|run| run.first..run.end);
        let wholes = wholes.filter(|&game| !replaced.contains(game)).collect();
        let own = numbers(store, place)?.into_iter();
        let own = own.filter(|&(_, game)| noted.contains(game));
        Ok(Self {
            store,
            place,
            others,
            judge: NameMatcher::of(store)?,
            not_there,
            replaced,
            stand_ins,
            wholes,
            own_wholes: own.map(|(number, _)| number).collect(),
        })
    }

    /// The games of the draft, by their numbers in it, that are not to be stored. What was stored
    /// although it already existed stays.
    pub(super) fn find(&self, draft: &Store) -> Result<HashMap<u64, RereadMatch>, StoreError> {
        let removed = self.store.removed()?;
        let (gone, stored): (Vec<_>, Vec<_>) = numbers(self.store, self.place)?
            .into_iter()
            .partition(|&(_, game)| removed.contains(game));
        let kept = self.found((self.store, &stored), &[], &self.not_there, true)?;
        let runs = self.not_there.iter().chain(self.replaced.iter());
        let not_known = RangeMap::of(runs.copied());
        let all = numbered(draft, &HashMap::new())?;
        // Only where they are as many do their numbers say which of them is which.
        let rows = self.place.rows.iter();
        let read: u64 = rows.map(|row| row.games + row.repeated).sum();
        let are_as_many = read == all.len() as u64;
        let mut found = self.found((draft, &all), self.others, &not_known, are_as_many)?;
        found.retain(|number, _| !kept.contains_key(number));
        if are_as_many && !gone.is_empty() {
            let stand_ins: HashMap<GameId, GameId> = self.store.stand_ins()?.into_iter().collect();
            let numbers: HashMap<GameId, u64> = stored
                .iter()
                .map(|&(number, game)| (game, number))
                .collect();
            // Those that are passed over for each of the source itself.
            let mut own: HashMap<u64, Vec<u64>> = HashMap::new();
            for (&number, stored) in &found {
                if let RereadMatch::Own(first) = stored {
                    own.entry(*first).or_default().push(number);
                }
            }
            for (number, game) in gone {
                let stand_in = stand_ins.get(&game).and_then(|game| numbers.get(game));
                if let Some(&stand_in) = stand_in {
                    exchange((&mut found, &mut own), number, stand_in);
                }
            }
        }
        Ok(found)
    }

    /// Which of some games of a database, in order and with their numbers in the source, are stored
    /// before it, or are others among them; or the beginnings of others, if these are requested.
    fn found(
        &self,
        (of, games): (&Store, &[(u64, GameId)]),
        others: &[RereadDraft],
        not_known: &RangeMap,
        with_parts: bool,
    ) -> Result<HashMap<u64, RereadMatch>, StoreError> {
        let mut found = HashMap::new();
        let last = self.place.first - 1;
        let mut finders = vec![finder(self.store, last, not_known, &self.judge)?];
        let mut prints = self.store.sums();
        for &game in &self.stand_ins {
            finders[0].same.known.add(game, prints.get(game)?);
        }
        for RereadDraft { draft, .. } in others {
            let (last, none) = (draft.last_game()?, RangeMap::default());
            finders.push(finder(draft, last, &none, &self.judge)?);
        }
        // Those of the source itself come one by one.
        finders.push(finder(of, 0, &RangeMap::default(), &self.judge)?);
        let own = finders.len() - 1;
        let mut elsewhere = finder_of_wholes(self.store, &self.judge)?;
        let mut here = finder_of_wholes(of, &self.judge)?;
        for &game in self.wholes.iter().filter(|_| with_parts) {
            elsewhere.same.known.add(game, prints.get(game)?);
        }
        let mut numbers = HashMap::new();
        let (mut prints, mut salvage) = (of.sums(), Salvage::new(of));
        for &(number, game) in games {
            self.store.go_on()?;
            let print = prints.get(game)?;
            let mut stored = None;
            for (nth, finder) in finders.iter_mut().enumerate() {
                if stored.is_some() || finder.has_none_like(print) {
                    continue;
                }
                let same = finder.find(&salvage.game(game)?, print, &|_| None)?;
                stored = same.and_then(|same| match nth {
                    0 => Some(RereadMatch::Game(same)),
                    _ if nth == own => numbers.get(&same).copied().map(RereadMatch::Own),
                    _ => Some(RereadMatch::Reread(nth - 1, same)),
                });
            }
            if stored.is_none() && with_parts && print.beginning > 0 {
                let game = salvage.game(game)?;
                stored = elsewhere.find_whole(&game, print)?.map(RereadMatch::Game);
                if stored.is_none() {
                    let whole = here.find_whole(&game, print)?;
                    stored =
                        whole.and_then(|whole| numbers.get(&whole).copied().map(RereadMatch::Own));
                }
            }
            if let Some(stored) = stored {
                found.insert(number, stored);
            } else {
                finders[own].same.known.add(game, print);
                if with_parts && self.own_wholes.contains(&number) {
                    here.same.known.add(game, print);
                }
                numbers.insert(game, number);
            }
        }
        Ok(found)
    }
}

/// Passes over a game of a source for a later one that is the same, as its import has done, and not
/// the later one for it.
fn exchange(
    (found, own): (&mut HashMap<u64, RereadMatch>, &mut HashMap<u64, Vec<u64>>),
    game: u64,
    stand_in: u64,
) {
    let is_for = |stored: &RereadMatch| matches!(stored, RereadMatch::Own(first) if *first == game);
    if !found.get(&stand_in).is_some_and(is_for) {
        return;
    }
    found.remove(&stand_in);
    let mut numbers = own.remove(&game).unwrap_or_default();
    numbers.retain(|&number| number != stand_in);
    numbers.push(game);
    work::done(numbers.len());
    found.extend(
        numbers
            .iter()
            .map(|&number| (number, RereadMatch::Own(stand_in))),
    );
    own.entry(stand_in).or_default().extend(numbers);
}

/// The games of a source by their numbers among those that are read again.
pub(super) fn numbers(store: &Store, place: &GameRange) -> Result<Vec<(u64, GameId)>, StoreError> {
    let mut stored = Vec::new();
    for row in &place.rows {
        let numbers = store.numbers_in_part(place.source.id, row)?;
        let numbers = numbers.into_iter();
        let numbers = numbers.map(|number| number.saturating_sub(place.numbers_before));
        stored.extend(numbers.zip(row.first_game..));
    }
    Ok(stored)
}

/// The games that the import of a source has skipped as, and those that stand for them now.
fn noted(store: &Store, place: &GameRange) -> Result<HashSet<GameId>, StoreError> {
    let runs = store.repeats_between(place.source.id, place.numbers_before + 1, None)?;
    let games = runs.iter().flat_map(|run| run.game..run.game + run.games);
    let mut noted: HashSet<GameId> = games.collect();
    if noted.is_empty() {
        return Ok(noted);
    }
    let mut standing = Vec::new();
    for change in store.changes()?.iter().filter(|change| change.is_done) {
        standing.extend(store.removals(change.id)?);
    }
    let kept = standing.iter().filter_map(|run| Some((run, run.kept?)));
    let kept = kept.flat_map(|(run, kept)| (run.first..run.first + run.games).zip(kept..));
    let mut pairs: Vec<(GameId, GameId)> = kept.collect();
    pairs.sort_unstable();
    let mut waiting: Vec<GameId> = noted.iter().copied().collect();
    while let Some(game) = waiting.pop() {
        work::done(1);
        let from = pairs.partition_point(|&(its, _)| its < game);
        let own = pairs[from..].iter().take_while(|&&(its, _)| its == game);
        let new = own.filter(|&&(_, kept)| noted.insert(kept));
        waiting.extend(new.map(|&(_, kept)| kept));
    }
    let purged = store.purged()?;
    noted.retain(|game| !purged.contains(*game));
    Ok(noted)
}

/// The games of a draft with their numbers in its only source; some of these were passed over.
fn numbered(
    draft: &Store,
    passed_over: &HashMap<u64, RereadMatch>,
) -> Result<Vec<(u64, GameId)>, StoreError> {
    let mut games = Vec::new();
    for row in draft.part_rows(1)? {
        let numbers = row.first_number..row.first_number + row.games + row.repeated;
        let numbers = numbers.filter(|number| !passed_over.contains_key(number));
        games.extend(numbers.zip(row.first_game..));
    }
    games.sort_unstable();
    Ok(games)
}

/// Where a game stands, once all that was read stands in the place of what was there before.
fn stands(fresh: &[RereadDraft], stored: RereadMatch) -> Option<GameId> {
    match stored {
        RereadMatch::Game(game) => {
            let before = fresh.iter().map(|fresh| (&fresh.place, &fresh.report));
            let before = before.filter(|(place, _)| place.first + place.games <= game);
            Some(before.fold(game, |game, (place, report)| {
                game + report.games - place.games
            }))
        }
        RereadMatch::Reread(source, game) => Some(fresh[source].report.first_game + game - 1),
        RereadMatch::Own(_) => None,
    }
}

/// A game of another source, by its number there, that is one of those which are replaced, or
/// stands beside one; and which one it is afterwards.
pub(super) type LaterDuplicate = (i64, u64, RereadMatch);

/// What other sources have noted of games that get other numbers, to be noted [again](note_later).
pub(super) fn noted_later(
    store: &Store,
    fresh: &[RereadDraft],
) -> Result<Vec<LaterDuplicate>, StoreError> {
    let moved = |fresh: &&RereadDraft| fresh.report.games != fresh.place.games;
    if !fresh.iter().any(|fresh| moved(&fresh)) {
        return Ok(Vec::new());
    }
    let judge = NameMatcher::of(store)?;
    let mut finders = Vec::new();
    for RereadDraft { draft, .. } in fresh {
        let last = draft.last_game()?;
        finders.push(finder(draft, last, &RangeMap::default(), &judge)?);
    }
    let is_own = |source: i64| fresh.iter().any(|fresh| fresh.place.source.id == source);
    let (mut prints, mut salvage) = (store.sums(), Salvage::new(store));
    let mut found: HashMap<GameId, Option<RereadMatch>> = HashMap::new();
    let mut placed: HashMap<usize, HashMap<GameId, RereadMatch>> = HashMap::new();
    let mut noted = Vec::new();
    for (source, run) in store.repeats_by_source()? {
        let touches = |place: &GameRange| {
            run.game < place.first + place.games && place.first < run.game + run.games
        };
        let moved = fresh.iter().filter(moved);
        if is_own(source) || !moved.clone().any(|fresh| touches(&fresh.place)) {
            continue;
        }
        for (number, game) in (run.number..).zip(run.game..run.game + run.games) {
            let has = |fresh: &RereadDraft| {
                (fresh.place.first..fresh.place.first + fresh.place.games).contains(&game)
            };
            let stored = match (found.get(&game), fresh.iter().position(has)) {
                (Some(&known), _) => known,
                (None, None) => Some(RereadMatch::Game(game)),
                // What reads as it did is found by that, all else by where it stands.
                (None, Some(at)) => {
                    finders[at].next_source();
                    let print = prints.get(game)?;
                    let same = finders[at].find(&salvage.game(game)?, print, &|_| None)?;
                    if let Some(same) = same {
                        Some(RereadMatch::Reread(at, same))
                    } else {
                        let same = match placed.entry(at) {
                            Entry::Occupied(known) => known.into_mut(),
                            Entry::Vacant(free) => {
                                free.insert(counterparts(store, fresh, at, &mut finders[at])?)
                            }
                        };
                        same.get(&game).copied()
                    }
                }
            };
            found.insert(game, stored);
            noted.extend(stored.map(|stored| (source, number, stored)));
        }
    }
    Ok(noted)
}

/// Which games of a draft those are that it replaces, by their numbers in the source, if these
/// are as many as before; else by the games around them that read as they did, or by who played.
fn counterparts(
    store: &Store,
    fresh: &[RereadDraft],
    at: usize,
    finder: &mut DuplicateFinder<'_>,
) -> Result<HashMap<GameId, RereadMatch>, StoreError> {
    let own = &fresh[at];
    let before = numbers(store, &own.place)?;
    let now = numbered(&own.draft, &own.repeated)?;
    let rows = own.place.rows.iter();
    let read: u64 = rows.map(|row| row.games + row.repeated).sum();
    if read == (now.len() + own.repeated.len()) as u64 {
        let by_number: HashMap<u64, GameId> = now.into_iter().collect();
        let stored = |number: u64| {
            by_number
                .get(&number)
                .map(|&game| RereadMatch::Reread(at, game))
        };
        let same = before.into_iter().filter_map(|(number, game)| {
            let elsewhere = || match own.repeated.get(&number)? {
                RereadMatch::Own(first) => stored(*first),
                elsewhere => Some(*elsewhere),
            };
            Some((game, stored(number).or_else(elsewhere)?))
        });
        return Ok(same.collect());
    }
    let places: HashMap<GameId, usize> = now.iter().map(|&(_, game)| game).zip(0..).collect();
    let (mut prints, mut salvage) = (store.sums(), Salvage::new(store));
    let (mut as_before, mut next) = (Vec::new(), 0);
    for (nth, &(_, game)) in before.iter().enumerate() {
        store.go_on()?;
        finder.next_source();
        let print = prints.get(game)?;
        let same = finder.find(&salvage.game(game)?, print, &|_| None)?;
        if let Some(&place) = same.and_then(|same| places.get(&same))
            && place >= next
        {
            as_before.push((nth, place));
            next = place + 1;
        }
    }
    let mut same = HashMap::new();
    for (gone, new) in between(&as_before, (before.len(), now.len())) {
        let (gone, new) = (&before[gone], &now[new]);
        if gone.len() == new.len() {
            let pairs = gone.iter().zip(new);
            same.extend(pairs.map(|(gone, new)| (gone.1, RereadMatch::Reread(at, new.1))));
            continue;
        }
        let told = |of: &Store, games: &[(u64, GameId)]| {
            let told = games.iter().map(|&(_, game)| {
                let row = of.game(game)?.unwrap_or_default();
                let [white, black, ..] = row.names;
                Ok((white.zip(black), row.date, row.round))
            });
            told.collect::<Result<Vec<_>, StoreError>>()
        };
        let (of_gone, of_new) = (told(store, gone)?, told(&own.draft, new)?);
        for (of_one, gone) in of_gone.iter().zip(gone) {
            let mut such = of_new.iter().zip(new).filter(|(its, _)| *its == of_one);
            let is_only = of_gone.iter().filter(|its| *its == of_one).count() == 1;
            if let (Some((_, new)), None) = (such.next(), such.next())
                && is_only
                && of_one.0.is_some()
            {
                same.insert(gone.1, RereadMatch::Reread(at, new.1));
            }
        }
    }
    Ok(same)
}

/// What lies between pairs of places in two lists that end at `ends`, in order: the places in both.
fn between(pairs: &[(usize, usize)], ends: (usize, usize)) -> Vec<(Range<usize>, Range<usize>)> {
    let mut from = (0, 0);
    let mut all = Vec::new();
    for &(one, other) in pairs.iter().chain([&ends]) {
        all.push((from.0..one, from.1..other));
        from = (one + 1, other + 1);
    }
    all.retain(|(one, other)| !one.is_empty() && !other.is_empty());
    all
}

/// Notes again what other sources had noted, once it is known where all games stand.
pub(super) fn note_later(
    store: &Store,
    fresh: &[RereadDraft],
    noted: &[LaterDuplicate],
) -> Result<(), StoreError> {
    for &(source, number, stored) in noted {
        if let Some(game) = stands(fresh, stored) {
            let run = DuplicateRun {
                number,
                games: 1,
                game,
            };
            store.insert_repeated(source, run)?;
        }
    }
    Ok(())
}

/// Notes the games of a source that were not stored again, once it is known where all of those
/// stand that were read.
pub(super) fn note(store: &Store, fresh: &[RereadDraft], at: usize) -> Result<(), StoreError> {
    let own = &fresh[at];
    let by_number: HashMap<u64, GameId> =
        numbered(&own.draft, &own.repeated)?.into_iter().collect();
    let game_of = |stored: &RereadMatch| match *stored {
        RereadMatch::Own(number) => {
            let game = by_number.get(&number)?;
            stands(fresh, RereadMatch::Reread(at, *game))
        }
        elsewhere => stands(fresh, elsewhere),
    };
    let games = own.repeated.iter();
    let games = games
        .filter_map(|(number, stored)| Some((number + own.place.numbers_before, game_of(stored)?)));
    let mut games: Vec<(u64, GameId)> = games.collect();
    games.sort_unstable();
    let mut runs: Vec<DuplicateRun> = Vec::new();
    for (number, game) in games {
        match runs.last_mut() {
            Some(run) if run.is_followed_by(number, game) => run.games += 1,
            _ => runs.push(DuplicateRun {
                number,
                games: 1,
                game,
            }),
        }
    }
    runs.into_iter()
        .try_for_each(|run| store.insert_repeated(own.place.source.id, run))
}

#[cfg(test)]
mod tests {
    use super::between;

    #[test]
    fn what_is_between_pairs_is_what_is_no_pair() {
        assert_eq!(between(&[], (2, 3)), [(0..2, 0..3)]);
        assert_eq!(
            between(&[(1, 0), (3, 4), (4, 5)], (7, 7)),
            [(2..3, 1..4), (5..7, 6..7)]
        );
        assert_eq!(between(&[(0, 0), (1, 1)], (2, 2)), []);
    }
}
