//! Writes batches in order: interns names, inserts games, gathers the segment, and
//! sums up.

use std::{
    collections::{BTreeMap, HashMap},
    ops::ControlFlow,
    time::Instant,
};

mod deleted;
mod diagnostics;
mod duplicates;
mod gameless;
mod segment;
mod strict;

use super::{
    AmbiguousFormat, DetectedLanguage, DuplicateAction, EmptySources, EvalsOfSource, ImportOptions,
    ImportReport, IncompleteGame, NAMED, UnplayableSource, VariantCount,
    batch::{Batch, BatchGame, FORCED, Span},
    imported_chunks::{self, ChunkStats},
    intern::Interner,
    line_counter::{LineCounter, failure},
    merge,
    pending::is_blank,
    pipeline::{ChunkPart, WriterMessage},
    start::BatchStart,
};
use crate::{
    base::{
        diagnostic::{Code, Diagnostic, Severity},
        limits::GAMELESS_BYTES_MAX,
        observe::{Event, Observer},
        record::GameId,
    },
    games::{AnyCursor, guess, variant},
    index::{SEGMENT_GAMES_MAX, SEGMENT_PLIES_MAX},
    pgn::parser::eval_view::{EvalEvidence, EvalReading},
    replay::usual_starts,
    store::{
        ChangeKind, ChunkRow, GAMES_A_COMMIT, NameTable, NewGame, RecordKind, Store, StoreError,
    },
};
use duplicates::{DuplicateTracker, StoredMatch};
use gameless::NonGameText;
use segment::{RecordRows, SegmentBuilder};

/// What is known of the current source.
#[derive(Default)]
struct CurrentSource {
    /// The text since the last game, and whether it was too long.
    gameless: NonGameText,
    is_given_up: bool,
    /// As it was named, byte for byte.
    path: Vec<u8>,
    /// As it is shown.
    name: String,
    /// Row of `source`, once something of it is stored.
    row: Option<i64>,
    /// Games seen in it so far.
    games: u64,
    stored: u64,
    /// Games of it that other sources have brought.
    repeated: u64,
    /// Stored games that have moves, but none that could be played.
    unplayed: u64,
    /// What the comments of its stored games show.
    evals: EvalEvidence,
    rejected: u64,
    /// What earlier imports of it have rejected.
    known_rejected: u64,
    /// The hashes of its chunks that were read before.
    known: Vec<u128>,
    /// Whether it is text with nothing but blanks so far.
    is_blank: bool,
}

/// What is said by one and the other: to go on only where both do.
const fn both(one: ControlFlow<()>, other: ControlFlow<()>) -> ControlFlow<()> {
    match one {
        ControlFlow::Continue(()) => other,
        ControlFlow::Break(()) => one,
    }
}

pub(super) struct Writer<'s> {
    store: &'s Store,
    observer: &'s dyn Observer,
    threads: usize,
    segment_plies_max: usize,
    interner: Interner<'s>,
    /// The start positions that the current segment uses.
    playable: HashMap<u32, AnyCursor>,
    /// Games up to the end of each chunk that was read, by this import or before.
    chunks: HashMap<u128, ChunkStats>,
    known: Vec<ChunkRow>,
    /// The chunk before: parts of one chunk count on from it.
    previous: u128,
    next_game: GameId,
    gathered: SegmentBuilder,
    /// Records of games, in the order of [`RecordKind::ALL`].
    records: [RecordRows; 3],
    source: CurrentSource,
    import: i64,
    /// What it is in the log of changes.
    change: Option<i64>,
    counts: BTreeMap<Code, u64>,
    /// Stored games by variant, and those among them whose tags do not name it.
    variants: BTreeMap<u8, VariantCount>,
    /// Languages of games, with the number of the last source that has any.
    languages: BTreeMap<&'static str, (u64, DetectedLanguage)>,
    summary: ImportReport,
    /// Since when a transaction is under way.
    since: Option<Instant>,
    commit_games_max: usize,
    is_strict: bool,
    /// Whether deleted games that come again are brought back.
    restores: bool,
    /// How evaluations are read, as a person has said.
    evals_by_hand: EvalReading,
    /// Whether games that are only the beginning of others are named at the end.
    names_contained: bool,
    repeats: DuplicateTracker<'s>,
    gameless_bytes_max: u64,
    /// Sources that were blank, which is as good as having games: a day without games.
    blank_sources: u64,
    /// How many sources were opened, and which of them was given up last.
    opened: u64,
    given_up: u64,
}

impl<'s> Writer<'s> {
    pub(super) fn new(
        store: &'s Store,
        threads: usize,
        options: ImportOptions,
        observer: &'s dyn Observer,
    ) -> Result<Self, StoreError> {
        merge::index_tail(store, threads, observer)?;
        let mut known = store.chunks(Code::GameTooLarge.as_str())?;
        // A part goes on from one of its own source, or of the last one before that.
        known.sort_unstable_by_key(|part| (part.source, part.parent, part.bytes));
        let mut repeats = DuplicateTracker::new(store, &options)?;
        for part in &known {
            repeats.add_part(part);
        }
        let mut writer = Self {
            store,
            observer,
            threads,
            segment_plies_max: options
                .segment_plies_max
                .unwrap_or(SEGMENT_PLIES_MAX)
                .max(1),
            interner: Interner::new(store)?,
            playable: usual_starts(),
            chunks: imported_chunks::games_up_to(&known),
            known,
            previous: 0,
            next_game: store.last_game()? + 1,
            gathered: SegmentBuilder::default(),
            records: RecordKind::ALL.map(|kind| RecordRows::new(store, kind)),
            source: CurrentSource::default(),
            import: 0,
            change: None,
            counts: BTreeMap::new(),
            variants: BTreeMap::new(),
            languages: BTreeMap::new(),
            summary: ImportReport::default(),
            since: None,
            commit_games_max: options.commit_games_max.unwrap_or(GAMES_A_COMMIT).max(1),
            is_strict: options.strict,
            restores: options.restore,
            evals_by_hand: options.evals,
            names_contained: options.duplicates == DuplicateAction::Skip,
            repeats,
            gameless_bytes_max: options.gameless_bytes_max.unwrap_or(GAMELESS_BYTES_MAX),
            blank_sources: 0,
            opened: 0,
            given_up: 0,
        };
        writer.begin()?;
        let program = concat!("plydex ", env!("CARGO_PKG_VERSION"));
        writer.import = store.insert_import(program)?;
        let names = variant::ALL
            .iter()
            .map(|variant| (variant.id, variant.name));
        store.insert_variants(names.chain([(0, "unknown")]))?;
        writer.commit()?;
        Ok(writer)
    }

    /// The chunks that earlier imports have read.
    pub(super) fn known_chunks(&self) -> &[ChunkRow] {
        &self.known
    }

    fn begin(&mut self) -> Result<(), StoreError> {
        if self.since.is_none() {
            self.store.begin()?;
            self.since = Some(Instant::now());
        }
        Ok(())
    }

    fn commit(&mut self) -> Result<(), StoreError> {
        self.since = None;
        self.store.commit()
    }

    /// Whether it is worth while to show it what comes [ahead](Self::look_ahead).
    pub(super) fn looks_ahead(&self) -> bool {
        self.repeats.looks_ahead() || self.interner.is_partly_read()
    }

    /// Looks at steps that come.
    pub(super) fn look_ahead<'p>(
        &mut self,
        steps: impl Iterator<Item = &'p WriterMessage>,
    ) -> Result<(), StoreError> {
        let parts = steps.filter_map(|step| match step {
            WriterMessage::Games { parts, .. } => Some(parts),
            _ => None,
        });
        let parts: Vec<&ChunkPart> = parts.flatten().collect();
        self.read_asked(&parts)
    }

    /// Reads what the database has of the games and the players of some parts, where it was not
    /// read before.
    fn read_asked(&mut self, parts: &[&ChunkPart]) -> Result<(), StoreError> {
        if self.interner.is_partly_read() {
            let names = parts.iter().flat_map(|part| {
                let players = part.batch.games.iter().flat_map(|game| &game.names[..2]);
                let text = |span: &Span| &part.batch.text[span.clone()];
                players.flatten().map(text)
            });
            self.interner.ask_players(names)?;
        }
        self.repeats.read_alike(self.store, parts.iter().copied())
    }

    /// Takes the next step; breaks if the observer asks to stop.
    pub(super) fn step(&mut self, step: WriterMessage) -> Result<ControlFlow<()>, StoreError> {
        match step {
            WriterMessage::Open { source, found } => {
                self.summary.sources += 1;
                self.opened += 1;
                let name = source.to_string();
                let shown = found.map(|found| (name.clone(), found.format.shown()));
                self.summary.formats.extend(shown);
                let close = found.and_then(|found| {
                    Some(AmbiguousFormat {
                        source: name.clone(),
                        format: found.format.shown(),
                        could_be: found.rival?.shown(),
                    })
                });
                self.summary.close_calls.extend(close);
                self.repeats.next_source(self.next_game);
                self.source = CurrentSource {
                    path: source.path().as_os_str().as_encoded_bytes().to_vec(),
                    name,
                    is_blank: found.is_some(),
                    ..CurrentSource::default()
                };
            }
            WriterMessage::PassedOver(path) => self.summary.pass_over(&path),
            WriterMessage::Known(..) | WriterMessage::Games { .. } if self.source.is_given_up => {}
            WriterMessage::Known(chain, bytes) => {
                let counted = self.chunks.get(&chain).copied().unwrap_or_default();
                let ChunkStats { games, rejected } = counted;
                self.previous = chain;
                self.repeats.begins_with(chain);
                self.meet_known(chain)?;
                self.source.known.push(chain);
                self.source.games += games;
                self.source.known_rejected += rejected;
                self.summary.seen += games + rejected;
                self.summary.duplicate += games;
                self.summary.rejected += rejected;
                self.add_gameless((games == 0).then_some(NonGameText::of(bytes)));
                return Ok(self.observer.on(Event::GamesHandled { games }));
            }
            WriterMessage::Games { mut parts, .. } => {
                if self.is_strict {
                    self.keep_what_is_sound(&mut parts);
                }
                let games = parts.iter().map(|part| part.batch.games.len()).sum();
                self.commit_before(games)?;
                let asked: Vec<&ChunkPart> = parts.iter().collect();
                self.read_asked(&asked)?;
                let mut flow = match self.summary.refused {
                    Some(_) => ControlFlow::Break(()),
                    None => ControlFlow::Continue(()),
                };
                for part in &parts {
                    self.source.is_blank &= is_blank(&part.chunk.bytes);
                    flow = both(flow, self.games(part)?);
                    self.add_gameless(gameless::gameless(part));
                }
                self.close_full_segment()?;
                self.commit_in_time()?;
                return Ok(flow);
            }
            WriterMessage::Close(result) => {
                let result = self.gameless_failure().map_or(result, Err);
                self.note_known_source()?;
                self.note_evals()?;
                if 2 * self.source.unplayed > self.source.stored {
                    self.summary.unplayed.push(UnplayableSource {
                        source: self.source.name.clone(),
                        unplayed: self.source.unplayed,
                        games: self.source.stored,
                    });
                }
                if let Err(error) = result {
                    self.summary
                        .sources_failed
                        .push((self.source.name.clone(), failure(&error)));
                } else if self.source.games + self.source.rejected + self.source.known_rejected == 0
                {
                    self.summary.sources_empty.push(self.source.name.clone());
                    self.blank_sources += u64::from(self.source.is_blank);
                } else if self.source.stored + self.source.rejected == 0 {
                    let known = match self.source.repeated {
                        0 => &mut self.summary.unchanged_sources,
                        _ => &mut self.summary.sources_repeated,
                    };
                    known.push(self.source.name.clone());
                }
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    fn games(&mut self, part: &ChunkPart) -> Result<ControlFlow<()>, StoreError> {
        let ChunkPart { chunk, batch, .. } = part;
        let mut lines = LineCounter::new(&chunk.bytes, part.lines_before);
        self.begin()?;
        let source = match self.source.row {
            Some(row) => row,
            None => self.add_source()?,
        };
        let (first_game, first_number) = (self.next_game, self.source.games + 1);
        // Those of games that are stored.
        let mut starts = vec![None; batch.starts.len()];
        let mut flow = ControlFlow::Continue(());
        if chunk.nul_bytes > 0 {
            // One finding for all of a chunk, however many bytes.
            let detail = format!("{} bytes", chunk.nul_bytes);
            let finding = Diagnostic::with(Code::NulBytes, 0, detail);
            flow = both(flow, self.report(chunk, &finding, None, lines.line_of(0)));
        }
        let encoding = (chunk.transcoded_from)
            .map(|encoding| Diagnostic::with(Code::EncodingGuess, 0, encoding));
        for finding in encoding.iter().chain(&batch.loose) {
            let line = lines.line_of(finding.offset_bytes as usize);
            let at = chunk.source_offset(finding.offset_bytes as usize);
            self.store.insert_diagnostic(source, None, at, finding)?;
            flow = both(flow, self.report(chunk, finding, None, line));
        }
        let mut repeated = 0;
        for game in &batch.games {
            self.source.games += 1;
            let already = self.find_stored_duplicate(batch, game)?;
            if let Some(StoredMatch::KeepStored(stored)) = already {
                self.repeats.note(self.source.games, stored);
                repeated += 1;
                let line = lines.line_of(game.offset as usize);
                flow = both(flow, self.skip(chunk, game, stored, line));
                continue;
            }
            let id = self.game(batch, game, &mut starts)?;
            if let Some(StoredMatch::ReplaceStored(stored)) = already {
                self.replace(stored, (id, game))?;
            }
            let mut is_whole = true;
            if game.words_unplayed > 0 {
                self.source.unplayed += 1;
            }
            for diagnostic in &batch.diagnostics[game.diagnostics.clone()] {
                let line = lines.line_of(diagnostic.offset_bytes as usize);
                if diagnostic.code.severity() == Severity::Error && is_whole {
                    is_whole = false;
                    self.note_incomplete(Some(diagnostic), game.words_unplayed);
                }
                // Notes are counted and reported, but not worth a row each.
                if diagnostic.code.severity() > Severity::Note {
                    let at = chunk.source_offset(diagnostic.offset_bytes as usize);
                    self.store
                        .insert_diagnostic(source, Some(id), at, diagnostic)?;
                }
                flow = both(flow, self.report(chunk, diagnostic, Some(id), line));
            }
            if is_whole && game.words_unplayed > 0 {
                let first = batch.diagnostics[game.diagnostics.clone()].first();
                self.note_incomplete(first, game.words_unplayed);
            } else if is_whole && game.ends_unread {
                let found = batch.diagnostics[game.diagnostics.clone()].iter();
                let last = found.rev().find(|found| found.code == Code::UnknownWord);
                self.note_incomplete(last, 0);
            }
        }
        let seen = batch.games.len() as u64;
        let games = seen - repeated;
        let is_too_large = |finding: &&Diagnostic| finding.code == Code::GameTooLarge;
        let too_large = batch.loose.iter().filter(is_too_large).count() as u64;
        self.store
            .insert_chunk(chunk, source, (first_number, repeated), first_game, games)?;
        self.repeats.store(self.store, source)?;
        self.repeats.add_part(&ChunkRow {
            chain: chunk.chain,
            parent: chunk.parent,
            bytes: chunk.chained_bytes(),
            split_bytes: chunk.split_bytes,
            first_game,
            stored: games,
            ..ChunkRow::default()
        });
        let before = match chunk.split_bytes {
            0 => ChunkStats::default(),
            _ => (self.chunks.get(&self.previous).copied()).unwrap_or_default(),
        };
        (self.chunks).insert(chunk.chain, before.with(seen, too_large));
        self.previous = chunk.chain;
        self.source.stored += games;
        self.source.repeated += repeated;
        self.source.rejected += batch.rejected;
        self.summary.seen += seen + batch.rejected;
        self.summary.stored += games;
        self.summary.rejected += batch.rejected;
        self.summary.duplicate += repeated;
        self.summary.repeated += repeated;
        let handled = Event::GamesHandled { games: seen };
        Ok(both(flow, self.observer.on(handled)))
    }

    /// The row of the current source, and of the change that the import is.
    fn add_source(&mut self) -> Result<i64, StoreError> {
        self.change()?;
        let row = self.store.insert_source(self.import, &self.source.path)?;
        Ok(*self.source.row.insert(row))
    }

    /// The change that the import is; it is in the log once anything was read.
    fn change(&mut self) -> Result<i64, StoreError> {
        if let Some(known) = self.change {
            return Ok(known);
        }
        let kind = ChangeKind::Import;
        let new = self
            .store
            .insert_change(kind, "", Some(self.import), None)?;
        Ok(*self.change.insert(new))
    }

    fn game(
        &mut self,
        batch: &Batch,
        game: &BatchGame,
        starts: &mut [Option<u32>],
    ) -> Result<GameId, StoreError> {
        let text = |span: &Span| &batch.text[span.clone()];
        let id = self.next_game;
        self.next_game += 1;
        let mut facts = game.facts;
        let names = [0, 1, 2, 3].map(|name| game.names[name].as_ref().map(text));
        self.interner.names(names, &mut facts)?;
        self.interner.fide_ids(&facts, game.fide_ids)?;
        if let Some(at) = game.start.checked_sub(1) {
            facts.start = match starts[at] {
                Some(id) => id,
                None => *starts[at].insert(self.start(&batch.starts[at])?),
            };
        }
        facts.opening = self.interner.opening(game.opening)?;
        let layout = self.interner.text(NameTable::Layout, text(&game.layout))?;
        let extras = batch.extras[game.extras.clone()].iter();
        let extra = self.interner.extra(extras.map(text))?;
        self.store.insert_game(&NewGame {
            id,
            facts,
            round: game.round.as_ref().map(text),
            eco: game.eco.as_ref().map(text),
            layout,
            extra: extra.as_deref(),
            variant_by: game.variant_by.as_deref(),
        })?;
        let mut records = [
            &batch.trees[game.tree.clone()],
            &batch.texts[game.texts.clone()],
            &[],
        ];
        if let Some(problem) = &game.problem {
            let authors: Result<Vec<u32>, StoreError> = problem
                .problem
                .authors
                .iter()
                .map(|author| self.interner.text(NameTable::Author, author))
                .collect();
            let format = problem.format.as_deref();
            self.store
                .insert_problem(id, &problem.problem, &authors?, format)?;
            records[RecordKind::Problem as usize] = &batch.records[problem.record.clone()];
        }
        for (rows, parts) in self.records.iter_mut().zip(RecordKind::parted(records)) {
            rows.push(self.store, id, parts)?;
        }
        if self.gathered.lines.is_empty() {
            self.gathered.begin(id);
        }
        let gathered = &mut self.gathered;
        let number = gathered.lines.len() as u32;
        let from = gathered.plies.len();
        gathered
            .plies
            .extend_from_slice(&batch.plies[game.plies.clone()]);
        gathered
            .lines
            .push((facts.start, from..gathered.plies.len()));
        gathered.facts.push(facts);
        let print = game.print_as_stored();
        gathered.sums.push(print);
        let players = [0, 1].map(|side| game.names[side].as_ref().map_or("", text));
        let is_dated = facts.date >= 10_000;
        let players = Some(players).filter(|_| facts.plies > 0 && is_dated);
        self.repeats.add(id, print, records, players);
        gathered
            .structures
            .push(&batch.structures[game.structures.clone()]);
        let variations = batch.variations[game.variations.clone()].iter();
        gathered
            .variations
            .extend(variations.map(|&key| (key, number)));
        self.summary.plies += u64::from(facts.plies);
        let variant = facts.variant as u8;
        let counted = self.variants.entry(variant).or_default();
        counted.variant = variant;
        counted.games += 1;
        if let Some(by) = game.variant_by.as_ref().filter(|by| *by != FORCED) {
            counted.inferred += 1;
            counted.ambiguous += u64::from(by.contains(guess::OR));
        }
        if let Some(language) = game.language.filter(|_| facts.plies > 0) {
            self.note_language(language);
        }
        if let Some(evals) = &game.evals {
            self.source.evals.merge(evals);
        }
        if self.gathered.lines.len() == SEGMENT_GAMES_MAX {
            // Not committed yet: the chunk's row belongs to the same transaction.
            self.write_segment()?;
        }
        Ok(id)
    }

    /// The number of a start position.
    fn start(&mut self, start: &BatchStart) -> Result<u32, StoreError> {
        let id = self.interner.start(&start.row, start.cursor.as_ref())?;
        if let Some(cursor) = &start.cursor {
            let entry = self.playable.entry(id);
            entry.or_insert_with(|| cursor.clone());
        }
        Ok(id)
    }

    fn update_import(&self, finished: bool) -> Result<(), StoreError> {
        let summary = &self.summary;
        let games = [
            summary.seen,
            summary.stored,
            summary.duplicate,
            summary.rejected,
        ];
        self.store.update_import(self.import, games, finished)
    }

    /// Commits what is gathered, merges small segments, sums up.
    /// The sources that were read, and why some could not be, if nothing in them is of any use.
    pub(super) fn nothing_found(&self) -> Option<EmptySources> {
        let summary = &self.summary;
        let is_nothing = summary.seen == 0
            && summary.sources > 0
            && summary.refused.is_none()
            && self.blank_sources == 0;
        is_nothing.then(|| EmptySources {
            sources: summary.sources,
            texts: summary.formats.len(),
            failed: summary.sources_failed.clone(),
            empty: summary.sources_empty.clone(),
            files_skipped: summary.files_skipped,
            files_skipped_named: summary.files_skipped_named.clone(),
        })
    }

    pub(super) fn finish(mut self, interrupted: bool) -> Result<ImportReport, StoreError> {
        self.close_segment()?;
        merge::merge_segments(self.store, self.threads, self.observer)?;
        let most = merge::SIZABLE_SEGMENTS_MAX;
        merge::limit_segments(self.store, most, self.threads, self.observer)?;
        self.begin()?;
        for (code, count) in &self.counts {
            self.store
                .count_diagnostics(self.import, code.as_str(), *count)?;
        }
        self.update_import(!interrupted)?;
        self.commit()?;
        self.sum_up_deleted()?;
        self.summary.interrupted = interrupted && self.summary.refused.is_none();
        self.summary.diagnostics = self.counts.into_iter().collect();
        self.summary.variants = self.variants.into_values().collect();
        let languages = self.languages.into_values();
        self.summary.languages = languages.map(|(_, found)| found).collect();
        if self.names_contained {
            let begun = self.repeats.candidates_by_beginning();
            self.summary
                .name_contained(self.store, begun, self.observer)?;
        }
        self.summary.database_bytes = self.store.bytes();
        Ok(self.summary)
    }
}
