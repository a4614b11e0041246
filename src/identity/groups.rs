//! Games that are stored more than once, in groups.

use std::collections::{BTreeMap, HashMap, HashSet};

use serde::Serialize;

use super::contained::begun_alike;
use crate::{
    base::{
        observe::{Event, Observer},
        record::GameId,
        work,
    },
    blocks::fingerprint::Fingerprint,
    identity::{
        Completeness, DuplicateIndex, DuplicateProbe, FingerprintIndex, GameMetadata, LOOKED_AT,
        NameMatcher, StoredRecord, StoredRecords,
    },
    replay,
    store::{LineReader, PlaceReader, RecordKind, RecordReader, Store, StoreError},
};

/// Which record of a game stays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum DedupePolicy {
    /// The longest, then the one that was edited, then the one with most annotations, then the one
    /// with most tags; of equal ones the first. What was edited stays as well.
    #[default]
    Best,
    /// The first that was imported.
    First,
    /// The last that was imported.
    Last,
}

/// What is searched for, and what stays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct DedupeOptions {
    /// Which record stays of those that are the same.
    pub policy: DedupePolicy,
    /// Games that are only the beginning of another one, with the same people, date and event, are
    /// the same; the longest stays.
    pub with_parts: bool,
}

/// Records of one game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DuplicateGroup {
    /// The one that stays.
    pub kept: GameId,
    /// The others, in order.
    pub others: Vec<GameId>,
    /// Whether some have fewer moves than others.
    pub has_parts: bool,
}

/// What was found, and what became of it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct DedupeReport {
    /// Its change; none if nothing was removed.
    pub change: Option<i64>,
    /// Games that were looked at.
    pub games: u64,
    /// Games that are not there any more, or would not be.
    pub removed: u64,
    /// The records of each game that has several, by the one that stays.
    pub groups: Vec<DuplicateGroup>,
    /// Groups of games that only begin alike and have not been counted.
    pub parts: u64,
}

/// Games between two looks at the observer.
const GAMES_A_STEP: u64 = 256;

/// Finds games that are stored more than once. Nothing is changed.
///
/// # Errors
///
/// [`StoreError`] if the database cannot be read or is damaged; or if the end was requested.
pub fn same_games(
    store: &Store,
    options: DedupeOptions,
    observer: &dyn Observer,
) -> Result<DedupeReport, StoreError> {
    let removed = store.removed()?;
    let mut prints: HashMap<GameId, Fingerprint> = HashMap::new();
    let mut alike = FingerprintIndex::default().of(store, &removed)?.repeated();
    alike.sort_unstable();
    let begun = begun_alike(store, 1, None, &removed)?;
    let mut asked: Vec<u32> = alike.iter().chain(&begun).flatten().copied().collect();
    asked.sort_unstable();
    asked.dedup();
    store.for_each_print(|game, print| {
        if u32::try_from(game).is_ok_and(|game| asked.binary_search(&game).is_ok()) {
            prints.insert(game, print);
        }
    })?;
    // Of games that begin alike the moves are looked at first.
    let steps = alike.iter().chain(&begun).chain(&begun);
    let steps = steps.map(Vec::len).sum::<usize>() as u64;
    let phase = Event::Phase {
        name: "comparing games",
        steps: Some(steps),
    };
    let judge = NameMatcher::of(store)?;
    let mut finder = GroupFinder {
        store,
        prints,
        same: BTreeMap::new(),
        lines: store.lines(),
        records: StoredRecords::new(store),
        places: store.place_reader(),
        done: 0,
        observer,
    };
    if observer.on(phase).is_break() {
        return Err(store.interrupted());
    }
    let mut among = DuplicateIndex::among(store, FingerprintIndex::default(), judge.clone());
    for games in &alike {
        finder.group(&mut among, games, false)?;
    }
    let of_whole = finder.same.clone();
    among = DuplicateIndex::among(store, FingerprintIndex::with_parts(), judge);
    for games in &begun {
        if finder.has_parts(games.iter().map(|&game| GameId::from(game)))? {
            finder.group(&mut among, games, true)?;
        }
    }
    drop(among);
    let completeness = finder.completeness()?;
    let edited = store.told_before_edits()?.into_keys().collect();
    let parts = finder.groups(options.policy, &completeness, &edited)?;
    finder.same = of_whole;
    let whole = finder.groups(options.policy, &completeness, &edited)?;
    let is_new = |group: &&DuplicateGroup| group.has_parts;
    let mut report = DedupeReport {
        games: store.last_game()? - removed.count(),
        parts: parts.iter().filter(is_new).count() as u64,
        groups: whole,
        ..DedupeReport::default()
    };
    if options.with_parts {
        (report.groups, report.parts) = (parts, 0);
    }
    report.removed = (report.groups.iter())
        .map(|group| group.others.len() as u64)
        .sum();
    Ok(report)
}

/// Puts games that are the same together.
pub(super) struct GroupFinder<'s> {
    pub(super) store: &'s Store,
    pub(super) prints: HashMap<GameId, Fingerprint>,
    /// Games that are the same as an earlier one.
    pub(super) same: BTreeMap<GameId, GameId>,
    pub(super) lines: LineReader<'s>,
    pub(super) records: StoredRecords<'s>,
    pub(super) places: PlaceReader<'s>,
    pub(super) done: u64,
    pub(super) observer: &'s dyn Observer,
}

impl GroupFinder<'_> {
    /// Finds which of some games are the same, in the order in which they were imported; they have
    /// nothing to do with those of other groups.
    pub(super) fn group(
        &mut self,
        among: &mut DuplicateIndex<'_>,
        games: &[u32],
        is_begun: bool,
    ) -> Result<(), StoreError> {
        let store = self.store;
        among.part();
        let (mut records, mut equal, mut joined) = (Vec::new(), Vec::new(), HashSet::new());
        // The first of those that are equal in all.
        let mut firsts: HashMap<Fingerprint, GameId> = HashMap::new();
        for (nth, &number) in games.iter().enumerate() {
            self.step()?;
            let game = GameId::from(number);
            let Some(&print) = self.prints.get(&game) else {
                continue;
            };
            if is_begun {
                // What one of them is a part of, all are.
                let first = *firsts.entry(print).or_insert(game);
                if first != game {
                    equal.push((first, game));
                    continue;
                }
            }
            // Blocks of the first ones and of the others are far from each other, so that each
            // reader keeps to its own.
            if nth == 0 {
                among.known.add(game, print);
                continue;
            }
            let Some(row) = store.game(game)? else {
                continue;
            };
            let particulars = GameMetadata::of(store, &row)?;
            if row.plies == 0 || !particulars.say_who_played() {
                records.push((game, print.sum));
            }
            if row.plies > 0 && particulars.say_which_game() {
                let start = row.start.map(|id| store.start(id)).transpose()?.flatten();
                let line = self.lines.get(game)?.plies.to_vec();
                let asked = DuplicateProbe {
                    print,
                    facts: &row.facts(),
                    plies: &line,
                    start: start.as_ref(),
                    particulars: &particulars,
                };
                let found = if is_begun {
                    among.find_part(&asked, &|_| None)?.map(|part| part.game)
                } else {
                    among.find(&asked, &|_| None)?.map(|found| found.game)
                };
                if let Some(found) = found {
                    joined.extend([found, game]);
                    self.join(found, game);
                }
            }
            among.known.add(game, print);
        }
        for (first, game) in equal {
            if joined.contains(&first) && self.has_equal_plies(first, game)? {
                self.join(first, game);
            }
        }
        if is_begun || records.is_empty() {
            return Ok(());
        }
        // What is equal to one that does not say who played does not say it either.
        let first = games.iter().map(|&game| GameId::from(game)).take(1);
        records.extend(first.filter_map(|game| Some((game, self.prints.get(&game)?.sum))));
        if records.len() <= LOOKED_AT {
            // Of few each is looked at, however its texts are spaced.
            for (_, sum) in &mut records {
                *sum = 0;
            }
        }
        records.sort_unstable_by_key(|&(game, sum)| (sum, game));
        self.join_records(&records)
    }

    /// Joins records that do not say who played, or have no moves, and agree in everything: those
    /// of a source are as many as it lists, and the first of one source is the first of another.
    /// They are in order of their checksums.
    fn join_records(&mut self, records: &[(GameId, u32)]) -> Result<(), StoreError> {
        for alike in records.chunk_by(|one, other| one.1 == other.1) {
            let mut equal: Vec<(StoredRecord, Vec<GameId>)> = Vec::new();
            for &(game, _) in alike.iter().filter(|_| alike.len() > 1) {
                self.step()?;
                let Some(record) = self.records.read(game)? else {
                    continue;
                };
                match equal.iter_mut().find(|(first, _)| first.equals(&record)) {
                    Some((_, games)) => games.push(game),
                    None => equal.push((record, vec![game])),
                }
            }
            for (_, games) in equal.iter().filter(|(_, games)| games.len() > 1) {
                // Those that stay, and of each source which of them is the first that none of its
                // records has been joined to.
                let (mut staying, mut free) = (Vec::new(), HashMap::new());
                for &game in games {
                    self.step()?;
                    let places = self.places.by_import(game)?.into_iter();
                    let mut own: Vec<Option<(String, i64)>> = places
                        .map(|(place, import)| Some((place.source, import)))
                        .collect();
                    if own.is_empty() {
                        own.push(None);
                    }
                    let at = own.iter().filter_map(|source| free.get(source)).max();
                    let at = at.copied().unwrap_or(0);
                    match staying.get(at) {
                        Some(&earlier) => self.join(earlier, game),
                        None => staying.push(game),
                    }
                    free.extend(own.into_iter().map(|source| (source, at + 1)));
                }
            }
        }
        Ok(())
    }

    fn has_equal_plies(&mut self, one: GameId, other: GameId) -> Result<bool, StoreError> {
        let plies = self.lines.get(one)?.plies.to_vec();
        Ok(plies == self.lines.get(other)?.plies)
    }

    /// Whether the moves of one of these games are the beginning of those of another.
    pub(super) fn has_parts(
        &mut self,
        games: impl Iterator<Item = GameId>,
    ) -> Result<bool, StoreError> {
        let mut lines: Vec<Vec<u8>> = Vec::new();
        for game in games {
            self.step()?;
            lines.push(self.lines.get(game)?.plies.to_vec());
        }
        // Those that begin like a line stand directly after it.
        lines.sort_unstable();
        let mut pairs = lines.windows(2);
        Ok(pairs.any(|pair| pair[0] != pair[1] && pair[1].starts_with(&pair[0])))
    }

    /// The first of the games that a game is the same as; the next search for it finds it at once.
    fn first_of(&mut self, game: GameId) -> GameId {
        let (mut first, mut way) = (game, Vec::new());
        while let Some(&earlier) = self.same.get(&first) {
            work::done(1);
            way.push(first);
            first = earlier;
        }
        self.same.extend(way.into_iter().map(|game| (game, first)));
        first
    }

    fn join(&mut self, one: GameId, other: GameId) {
        let (one, other) = (self.first_of(one), self.first_of(other));
        if one != other {
            self.same.insert(one.max(other), one.min(other));
        }
    }

    fn step(&mut self) -> Result<(), StoreError> {
        self.done += 1;
        if self.done.is_multiple_of(GAMES_A_STEP) {
            self.store.go_on()?;
            let steps = GAMES_A_STEP;
            if self.observer.on(Event::Steps { steps }).is_break() {
                return Err(self.store.interrupted());
            }
        }
        Ok(())
    }

    /// How much each record has that is the same as another one: read in their order, for blocks
    /// of neighbours are the same.
    pub(super) fn completeness(&self) -> Result<HashMap<GameId, Completeness>, StoreError> {
        let pairs = self.same.iter();
        let mut games: Vec<GameId> = pairs.flat_map(|(one, other)| [*one, *other]).collect();
        games.sort_unstable();
        games.dedup();
        let mut reader = CompletenessReader::new(self.store);
        let completeness = games.into_iter().enumerate().map(|(nth, game)| {
            if (nth as u64).is_multiple_of(GAMES_A_STEP) {
                self.store.go_on()?;
            }
            Ok((game, reader.of(game)?))
        });
        completeness.collect()
    }

    /// The groups that were found, with games that were corrected by hand. Where games are parts of
    /// others, some go on in one way from a part that they share, and some in another: each group
    /// has those alone whose moves the one that stays has, too.
    pub(super) fn groups(
        &mut self,
        policy: DedupePolicy,
        completeness: &HashMap<GameId, Completeness>,
        edited: &HashSet<GameId>,
    ) -> Result<Vec<DuplicateGroup>, StoreError> {
        let mut members: BTreeMap<GameId, Vec<GameId>> = BTreeMap::new();
        let games: Vec<GameId> = self.same.keys().copied().collect();
        for game in games {
            let first = self.first_of(game);
            members
                .entry(first)
                .or_insert_with(|| vec![first])
                .push(game);
        }
        let mut groups = Vec::new();
        for (_, mut left) in members {
            left.sort_unstable();
            // Those that are of one length have the same moves, unless parts have joined them.
            let has_parts = (left.windows(2))
                .any(|two| completeness[&two[0]].plies != completeness[&two[1]].plies);
            while !left.is_empty() {
                let kept = left.remove(kept_of(&left, policy, completeness, edited));
                let mut others = std::mem::take(&mut left);
                if has_parts {
                    let line = self.lines.get(kept)?.plies.to_vec();
                    for game in std::mem::take(&mut others) {
                        let is_part = line.starts_with(self.lines.get(game)?.plies);
                        if is_part { &mut others } else { &mut left }.push(game);
                    }
                }
                if policy == DedupePolicy::Best {
                    others.retain(|game| !edited.contains(game));
                }
                if others.is_empty() {
                    continue;
                }
                let most = completeness[&kept].plies;
                groups.push(DuplicateGroup {
                    kept,
                    has_parts: others.iter().any(|game| completeness[game].plies < most),
                    others,
                });
            }
        }
        groups.sort_unstable_by_key(|group| group.kept);
        Ok(groups)
    }
}

/// Which of some games, in order, stays: one that has all moves.
fn kept_of(
    games: &[GameId],
    policy: DedupePolicy,
    completeness: &HashMap<GameId, Completeness>,
    edited: &HashSet<GameId>,
) -> usize {
    let plies = |at: &usize| completeness[&games[*at]].plies;
    let most = (0..games.len()).map(|at| plies(&at)).max();
    let whole = (0..games.len()).filter(|at| Some(plies(at)) == most);
    let kept = match policy {
        // Of equal ones the first.
        DedupePolicy::Best => {
            let rank = |at: &usize| (edited.contains(&games[*at]), completeness[&games[*at]]);
            whole.rev().max_by_key(rank)
        }
        DedupePolicy::First => whole.min(),
        DedupePolicy::Last => whole.max(),
    };
    kept.unwrap_or(0)
}

/// Determines how much the records of games have.
pub struct CompletenessReader<'s> {
    store: &'s Store,
    records: [RecordReader<'s>; 2],
}

impl<'s> CompletenessReader<'s> {
    /// A reader of a database.
    pub fn new(store: &'s Store) -> Self {
        Self {
            store,
            records: [RecordKind::Tree, RecordKind::Texts].map(|kind| store.records(kind)),
        }
    }

    /// What a game has.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read, or there is no such game.
    pub fn of(&mut self, game: GameId) -> Result<Completeness, StoreError> {
        let row = self.store.game(game)?;
        let row = row.ok_or_else(|| self.store.damaged(format!("game {game} is missing")))?;
        let mut annotations = 0;
        for records in &mut self.records {
            annotations += records.get(game)?.map_or(0, <[u8]>::len);
        }
        Ok(Completeness {
            plies: row.plies,
            annotation_bytes: annotations,
            tags: replay::layout_of(&row.layout).len(),
        })
    }
}
