//! Games of sources that are stored already: found, skipped, and noted with their sources.

use std::{
    collections::{HashMap, HashSet},
    ops::{ControlFlow, Range},
};

use super::{NAMED, Writer, deleted::DeletedGames};
use crate::{
    base::{
        diagnostic::{Code, Diagnostic},
        record::GameId,
    },
    blocks::fingerprint::Fingerprint,
    identity::{
        ALL_KNOWN_MAX, Completeness, DuplicateIndex, DuplicateProbe, FingerprintIndex,
        GameMetadata, MatchedRecords, NameMatcher, PrefixMatch, RecordLookup, hash_annotations,
        is_same_problem,
    },
    import::{
        DuplicateAction, DuplicateGame, ImportOptions,
        batch::{Batch, BatchGame, Span},
        pipeline::ChunkPart,
    },
    input::chunk::Chunk,
    pgn::tags::person::PlayerName,
    replay,
    store::{ChunkRow, DuplicateRun, RecordKind, RecordReader, SourceRow, Store, StoreError},
};

/// What an import knows of stored games to recognise those that come again.
pub(super) struct DuplicateTracker<'s> {
    /// None where all games are stored, again or not.
    same: Option<DuplicateIndex<'s>>,
    /// Whether the better one of two records of a game stays.
    keeps_best: bool,
    /// Games that were deleted, which are not stored again.
    pub(super) deleted: DeletedGames,
    /// The first game of the current source that is not stored.
    source_from: GameId,
    /// Stored games that are the same as games of the current source that do not say who played, or
    /// have no moves.
    taken: MatchedRecords,
    /// Games of the beginning of the current source that was read before, from one up to another.
    read_before: Vec<(GameId, GameId)>,
    /// The parts of sources that were read: their games, and the part before each in the same
    /// chunk.
    parts: HashMap<u128, (Range<GameId>, Option<u128>)>,
    /// Where they end, by their parents.
    ends: HashMap<(u128, u64), u128>,
    /// What games have in addition to their main lines that cannot be read yet.
    pending: HashMap<GameId, QueuedGame>,
    records: [RecordReader<'s>; 3],
    /// Those of the current part.
    runs: Vec<DuplicateRun>,
}

impl<'s> DuplicateTracker<'s> {
    pub(super) fn new(store: &'s Store, options: &ImportOptions) -> Result<Self, StoreError> {
        let deleted = store.deleted()?;
        let stand_ins = store.stand_ins()?;
        let not_there = store.forgotten(&deleted, &stand_ins)?;
        let all_max = options.known_games_max.unwrap_or(ALL_KNOWN_MAX);
        let known = match options.duplicates {
            DuplicateAction::Skip => Some(FingerprintIndex::default()),
            DuplicateAction::Best => Some(FingerprintIndex::with_parts()),
            DuplicateAction::Keep => None,
        };
        let known = known
            .map(|known| known.as_asked(store, not_there, all_max))
            .transpose()?;
        Ok(Self {
            deleted: DeletedGames::of(deleted, &stand_ins),
            same: known
                .map(|known| {
                    let same = DuplicateIndex::among(store, known, NameMatcher::of(store)?);
                    same.with_stand_ins(stand_ins).as_they_came()
                })
                .transpose()?,
            keeps_best: options.duplicates == DuplicateAction::Best,
            source_from: 0,
            taken: MatchedRecords::default(),
            read_before: Vec::new(),
            parts: HashMap::new(),
            ends: HashMap::new(),
            pending: HashMap::new(),
            records: RecordKind::ALL.map(|kind| store.records(kind)),
            runs: Vec::new(),
        })
    }

    /// Whether games are read as they are [requested](Self::read_alike), best by many at once.
    pub(super) fn looks_ahead(&self) -> bool {
        (self.same.as_ref()).is_some_and(|same| same.known.is_partly_read())
    }

    /// Reads stored games that those of some parts can be.
    pub(super) fn read_alike<'p>(
        &mut self,
        store: &Store,
        parts: impl Iterator<Item = &'p ChunkPart>,
    ) -> Result<(), StoreError> {
        let Some(same) = &mut self.same else {
            return Ok(());
        };
        let games = parts.flat_map(|part| &part.batch.games);
        let prints = games.map(BatchGame::print_as_stored);
        same.known.read_alike(store, prints)
    }

    /// Stored games that begin like those of the import, if these alone were read.
    pub(super) fn candidates_by_beginning(&self) -> Option<Vec<(u32, u32)>> {
        self.same.as_ref()?.known.candidates_by_beginning()
    }

    /// A source begins whose first game that is stored has that number.
    pub(super) fn next_source(&mut self, from: GameId) {
        self.source_from = from;
        self.taken = MatchedRecords::up_to(from - 1);
        self.read_before.clear();
    }

    /// A part of a source was read; these of its games were stored.
    pub(super) fn add_part(&mut self, part: &ChunkRow) {
        let ChunkRow {
            parent,
            split_bytes,
            first_game,
            ..
        } = *part;
        let before = self.ends.get(&(parent, split_bytes)).copied();
        // Each ends before the one that goes on from it, whatever a damaged row says.
        let before = before.filter(|_| 0 < split_bytes && split_bytes < part.bytes);
        let games = first_game..first_game + part.stored;
        self.parts.insert(part.chain, (games, before));
        self.ends.insert((parent, part.bytes), part.chain);
    }

    /// The source begins with all that was read up to the end of a part: its chunk is known.
    pub(super) fn begins_with(&mut self, chain: u128) {
        let mut next = Some(chain);
        while let Some((games, before)) = next.and_then(|chain| self.parts.get(&chain)) {
            match self.read_before.last_mut() {
                Some((_, end)) if *end == games.start => *end = games.end,
                _ => self.read_before.push((games.start, games.end)),
            }
            next = *before;
        }
    }

    /// The parts that chunks consist of up to the ends that are known of them.
    pub(super) fn parts_up_to(&self, chunks: &[u128]) -> HashSet<u128> {
        let mut parts = HashSet::new();
        for &chain in chunks {
            let mut next = Some(chain);
            while let Some(chain) = next {
                parts.insert(chain);
                next = self.parts.get(&chain).and_then(|(_, before)| *before);
            }
        }
        parts
    }

    /// The next stored game that can be the record that is searched for.
    fn next_record(&mut self, look: &mut RecordLookup) -> Option<GameId> {
        let same = self.same.as_mut()?;
        self.taken.next(look, &mut same.known)
    }

    /// Whether a stored game is none that a further game of the source can be, whatever was taken.
    fn is_gone(&self, game: GameId) -> bool {
        let is_among = |&(from, end): &(GameId, GameId)| from <= game && game < end;
        (self.same.as_ref()).is_some_and(|same| same.has_stand_in(game))
            || self.read_before.iter().any(is_among)
    }

    /// A game was stored, with these records; the names of its players, if all is known that
    /// distinguishes it from others.
    pub(super) fn add(
        &mut self,
        game: GameId,
        print: Fingerprint,
        [tree, texts, problem]: [&[u8]; 3],
        players: Option<[&str; 2]>,
    ) {
        let Some(same) = &mut self.same else {
            return;
        };
        same.known.add(game, print);
        if tree.is_empty() && problem.is_empty() {
            return;
        }
        // Only for those that do not say who played, and when, is it needed what else they say.
        let say_who_played = players.is_some_and(|names| {
            names
                .into_iter()
                .all(|name| PlayerName::read(name).is_known())
        });
        let told = (!say_who_played).then(|| hash_annotations([tree, texts]));
        let besides = QueuedGame {
            told,
            bytes: tree.len() + texts.len(),
            problem: problem.to_vec(),
        };
        self.pending.insert(game, besides);
    }

    /// All that was stored can be read.
    pub(super) fn have_stored(&mut self) {
        self.pending.clear();
    }

    /// In how many bytes a stored game has what it has in addition to its main line.
    fn bytes_besides(&mut self, game: GameId) -> Result<usize, StoreError> {
        if let Some(known) = self.pending.get(&game) {
            return Ok(known.bytes);
        }
        let [trees, texts, _] = &mut self.records;
        let records = [trees.get(game)?, texts.get(game)?].map(Option::unwrap_or_default);
        Ok(records.iter().map(|record| record.len()).sum())
    }

    /// Whether a stored game says the same in addition to its main line.
    fn tells_besides(&mut self, game: GameId, own: [&[u8]; 2]) -> Result<bool, StoreError> {
        if let Some(known) = self.pending.get(&game) {
            return Ok(known.told == Some(hash_annotations(own)));
        }
        let [trees, texts, _] = &mut self.records;
        let its = [trees.get(game)?, texts.get(game)?].map(Option::unwrap_or_default);
        Ok(its == own || hash_annotations(its) == hash_annotations(own))
    }

    /// Whether a stored game is a problem that this is a record of, too.
    fn is_problem(&mut self, game: GameId, record: &[u8]) -> Result<bool, StoreError> {
        if let Some(known) = self.pending.get(&game) {
            return Ok(is_same_problem(&known.problem, record));
        }
        let its = self.records[RecordKind::Problem as usize].get(game)?;
        Ok(its.is_some_and(|its| is_same_problem(its, record)))
    }

    /// Notes that a game of the source is a stored one.
    pub(super) fn note(&mut self, number: u64, game: GameId) {
        DuplicateRun::push(&mut self.runs, number, game);
    }

    /// Stores what was noted of a source.
    pub(super) fn store(&mut self, store: &Store, source: i64) -> Result<(), StoreError> {
        (self.runs.drain(..)).try_for_each(|run| store.insert_repeated(source, run))
    }
}

impl Writer<'_> {
    /// The stored game that a game is, if any.
    pub(super) fn find_stored_duplicate(
        &mut self,
        batch: &Batch,
        game: &BatchGame,
    ) -> Result<Option<StoredMatch>, StoreError> {
        let Some(same) = &mut self.repeats.same else {
            return Ok(None);
        };
        let print = game.print_as_stored();
        let has_alike = same.known.has_alike(print);
        if !has_alike && (!self.repeats.keeps_best || print.beginning == 0) {
            return Ok(None);
        }
        let particulars = particulars_of(batch, game);
        let asked = DuplicateProbe {
            print,
            facts: &game.facts,
            plies: &batch.plies[game.plies.clone()],
            start: (game.start.checked_sub(1)).map(|at| &batch.starts[at].row),
            particulars: &particulars,
        };
        let gathered = &self.gathered;
        let unwritten = |game| gathered.plies_of(game);
        let (mut found, mut is_reported_better) = (None, false);
        if game.facts.plies > 0 && particulars.say_which_game() {
            let known = same.find(&asked, &unwritten)?;
            is_reported_better = known.is_some_and(|known| known.is_reported_better);
            found = known.map(|known| known.game);
        }
        if game.facts.plies == 0 || !particulars.say_who_played() {
            if found.is_none() && has_alike {
                found = self.stored_record(batch, game, &particulars)?;
            }
            return Ok(found.map(StoredMatch::KeepStored));
        }
        if found.is_none() && has_alike && particulars.is_undated() {
            let equal = self.equal_game(batch, game, &particulars)?;
            let same = self.repeats.same.as_mut();
            found = equal.map(|own| same.and_then(|same| same.stand_in(own)).unwrap_or(own));
        }
        if !self.repeats.keeps_best {
            // Of records from one source, the one stays that distinguishes this game from others.
            return Ok(match found {
                Some(stored)
                    if is_reported_better
                        && stored >= self.repeats.source_from
                        && !completeness_of(batch, game)
                            .has_less_than(self.completeness(stored)?) =>
                {
                    Some(StoredMatch::ReplaceStored(stored))
                }
                _ => found.map(StoredMatch::KeepStored),
            });
        }
        let Some(stored) = found else {
            let gathered = &self.gathered;
            let Some(same) = &mut self.repeats.same else {
                return Ok(None);
            };
            let part = same.find_part(&asked, &|game| gathered.plies_of(game))?;
            let Some(PrefixMatch { game, is_shorter }) = part else {
                return Ok(None);
            };
            let is_edited = same.is_edited(game);
            let may_go = is_shorter && self.repeats.deleted.deleted_by(game).is_none();
            return Ok(match (may_go, is_edited) {
                (false, _) => Some(StoredMatch::KeepStored(game)),
                // Neither the further moves nor what was corrected is given up.
                (true, true) => None,
                (true, false) => Some(StoredMatch::ReplaceStored(game)),
            });
        };
        if (self.repeats.same.as_ref()).is_some_and(|same| same.is_edited(stored)) {
            return Ok(Some(StoredMatch::KeepStored(stored)));
        }
        let (own, its) = (completeness_of(batch, game), self.completeness(stored)?);
        if own <= its || self.repeats.deleted.deleted_by(stored).is_some() {
            return Ok(Some(StoredMatch::KeepStored(stored)));
        }
        // A longer record is better than both.
        let gathered = &self.gathered;
        let same = self.repeats.same.as_mut();
        let part = same.map(|same| same.find_part(&asked, &|game| gathered.plies_of(game)));
        let part = part.transpose()?.flatten();
        let longer = part.filter(|part| !part.is_shorter && part.game != stored);
        Ok(Some(match longer {
            Some(longer) => StoredMatch::KeepStored(longer.game),
            None => StoredMatch::ReplaceStored(stored),
        }))
    }

    /// What a stored game has.
    fn completeness(&mut self, game: GameId) -> Result<Completeness, StoreError> {
        let row = self.store.game(game)?;
        let row = row.ok_or_else(|| self.store.damaged(format!("game {game} is missing")))?;
        Ok(Completeness {
            plies: row.plies,
            annotation_bytes: self.repeats.bytes_besides(game)?,
            tags: replay::layout_of(&row.layout).len(),
        })
    }

    /// Puts a game that was stored just now in the place of another one.
    pub(super) fn replace(
        &mut self,
        stored: GameId,
        (by, game): (GameId, &BatchGame),
    ) -> Result<(), StoreError> {
        self.summary.replaced += 1;
        if let Some(same) = &mut self.repeats.same {
            let told = (by, game.print_as_stored(), game.facts.plies);
            same.replace(stored, told);
        }
        let change = self.change()?;
        self.store.remove_for(change, stored, by)
    }

    /// The same of a game that does not say who played, or has no moves. A position that is listed
    /// twice, or moves that are played twice, mean two: each is one of those that were there before
    /// this source, and is equal in all.
    fn stored_record(
        &mut self,
        batch: &Batch,
        game: &BatchGame,
        particulars: &GameMetadata,
    ) -> Result<Option<GameId>, StoreError> {
        let plies = &batch.plies[game.plies.clone()];
        let mut look = MatchedRecords::look_for(game.print_as_stored());
        while let Some(stored) = self.repeats.next_record(&mut look) {
            if !self.repeats.is_gone(stored)
                && self.is_equal(batch, game, particulars, stored)?
                && self.has_plies(stored, plies)?
            {
                self.repeats.taken.take(stored);
                return Ok(Some(stored));
            }
        }
        Ok(None)
    }

    /// The stored game that is equal to a game in all: of one that does not say when it was played,
    /// more is not known.
    fn equal_game(
        &mut self,
        batch: &Batch,
        game: &BatchGame,
        particulars: &GameMetadata,
    ) -> Result<Option<GameId>, StoreError> {
        let same = self.repeats.same.as_mut();
        let alike = same.map(|same| same.known.alike(game.print_as_stored()));
        for stored in alike.into_iter().flatten() {
            if self.is_equal(batch, game, particulars, stored)?
                && self.has_plies(stored, &batch.plies[game.plies.clone()])?
            {
                return Ok(Some(stored));
            }
        }
        Ok(None)
    }

    /// Whether all that is stored of a game but its moves is what one has that comes in, however
    /// its texts are spaced and wrapped.
    fn is_equal(
        &mut self,
        batch: &Batch,
        game: &BatchGame,
        particulars: &GameMetadata,
        stored: GameId,
    ) -> Result<bool, StoreError> {
        let same = self.repeats.same.as_ref();
        if same.is_some_and(|same| same.known.sum(stored) == game.print_as_stored().sum) {
            return Ok(true);
        }
        if let Some(problem) = &game.problem {
            let record = &batch.records[problem.record.clone()];
            return self.repeats.is_problem(stored, record);
        }
        let Some(row) = self.store.game(stored)? else {
            return Ok(false);
        };
        let before = same.and_then(|same| same.before_edits(stored, &row));
        let records = [
            &batch.trees[game.tree.clone()],
            &batch.texts[game.texts.clone()],
        ];
        Ok((before.is_some_and(|its| its.equal(particulars))
            || GameMetadata::of(self.store, &row)?.equal(particulars))
            && self.repeats.tells_besides(stored, records)?)
    }

    /// Whether a game has these packed plies, stored or about to be.
    fn has_plies(&mut self, game: GameId, plies: &[u8]) -> Result<bool, StoreError> {
        let gathered = &self.gathered;
        match &mut self.repeats.same {
            Some(same) => same.has_plies(game, plies, &|game| gathered.plies_of(game)),
            None => Ok(false),
        }
    }

    /// Notes a source that was read before under another name, all of it or its beginning, as one
    /// that has those games, too.
    pub(super) fn note_known_source(&mut self) -> Result<(), StoreError> {
        let known = std::mem::take(&mut self.source.known);
        let store = self.store;
        if known.is_empty() {
            return Ok(());
        }
        let own = self.source.row;
        let named = store.sources_named(&self.source.path, None)?;
        if named.iter().any(|source| Some(source.id) != own) {
            return Ok(());
        }
        let parts = self.repeats.parts_up_to(&known);
        let mut sources: Vec<SourceRow> = Vec::new();
        for &chain in &parts {
            let source = store.source_of_part(chain)?;
            sources.extend(source.filter(|source| !sources.contains(source)));
        }
        let mut runs = Vec::new();
        for source in &sources {
            let rows = store.part_rows(source.id)?;
            let begins: Vec<u64> = rows.iter().map(|row| row.first_number).collect();
            for row in rows.iter().filter(|row| parts.contains(&row.digest.chain)) {
                let first = row.first_number;
                let next = begins.iter().copied().filter(|&begin| begin > first).min();
                let again = store.repeats_between(source.id, first, next)?;
                let numbers = store.numbers_in_part(source.id, row)?;
                let own = (row.first_game..).zip(numbers);
                let own = own.map(|(game, number)| (number, game));
                let again = again
                    .iter()
                    .flat_map(|run| (0..run.games).map(|nth| (run.number + nth, run.game + nth)));
                runs.extend(own.chain(again));
            }
        }
        runs.sort_unstable();
        for (number, game) in runs {
            self.repeats.note(number, game);
        }
        self.begin()?;
        let row = match own {
            Some(row) => row,
            None => self.add_source()?,
        };
        self.repeats.store(store, row)
    }

    /// Passes over a game that is a stored one, and says so.
    pub(super) fn skip(
        &mut self,
        chunk: &Chunk,
        game: &BatchGame,
        stored: GameId,
        line: u64,
    ) -> ControlFlow<()> {
        let number = self.source.games;
        let deleted_by = self.repeats.deleted.deleted_by(stored);
        self.repeats.deleted.meet(stored, stored + 1);
        if self.summary.repeated_named.len() < NAMED {
            self.summary.repeated_named.push(DuplicateGame {
                source: self.source.name.clone(),
                number,
                game: stored,
                deleted_by,
            });
        }
        let detail = match deleted_by {
            None => format!("it is game {stored}"),
            Some(change) => format!("it is game {stored}, which change {change} has deleted"),
        };
        let finding = Diagnostic::with(Code::RepeatedGame, game.offset.into(), detail);
        self.report(chunk, &finding, Some(stored), line)
    }
}

/// How a game is stored already.
#[derive(Debug, Clone, Copy)]
pub(super) enum StoredMatch {
    /// As this game, which stays.
    KeepStored(GameId),
    /// As this game, which is the worse record of it.
    ReplaceStored(GameId),
}

/// What a game that comes in has.
fn completeness_of(batch: &Batch, game: &BatchGame) -> Completeness {
    Completeness {
        plies: game.facts.plies,
        annotation_bytes: game.tree.len() + game.texts.len(),
        tags: replay::layout_of(&batch.text[game.layout.clone()]).len(),
    }
}

/// What a game has in addition to its main line.
#[derive(Debug)]
struct QueuedGame {
    /// What its texts say, if it does not say who played.
    told: Option<u64>,
    /// In how many bytes.
    bytes: usize,
    /// Its record, if it is a problem.
    problem: Vec<u8>,
}

/// What a game says of itself; a problem says nothing.
fn particulars_of(batch: &Batch, game: &BatchGame) -> GameMetadata {
    if game.problem.is_some() {
        return GameMetadata::default();
    }
    let text = |span: &Span| &batch.text[span.clone()];
    let names = [0, 1, 2, 3].map(|name| game.names[name].as_ref().map(text));
    let mut its = GameMetadata::told(names, game.round.as_ref().map(text), &game.facts);
    let layout = replay::layout_of(text(&game.layout));
    let others = layout.iter().filter_map(|name| name.strip_prefix('+'));
    for (name, value) in others.zip(&batch.extras[game.extras.clone()]) {
        its.tag(name, text(value));
    }
    its
}
