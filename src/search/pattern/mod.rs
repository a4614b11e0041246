//! Games that fulfil a query about positions, moves and facts: columns and facts first,
//! then a look through those games that they do not decide, on all threads.

mod bind;
mod candidates;
mod explain;
mod facts;
mod rulesets;

use std::{
    collections::{BTreeMap, HashMap},
    ops::Range,
    sync::{Arc, Mutex, mpsc},
};

use super::{
    filter::CompiledFilter,
    locate::Replays,
    plan::PatternQuery,
    select::{ResultPage, SelectedGame, SelectionStop},
    values,
};
use crate::{
    base::{observe::CancellationToken, record::GameId},
    games::{
        AnyPosition,
        variation_tree::{self, CorruptTree, VariationPath, VariationTree},
    },
    index::columns::set::GameSet,
    query::{
        MoveFilter,
        pattern::{
            Pattern,
            matcher::{GameMatch, MatchMode},
            ply_set::PlySet,
            program::QueryPart,
        },
    },
    replay::{self, Annotations},
    store::{LineReader, RecordKind, RecordReader, Store, StoreError},
};
use candidates::{Candidates, GameBounds, VariationGames};
pub(super) use explain::plan;
pub(super) use facts::{CompiledFact, facts_of_hits, reaching};
use facts::{FactEvaluator, GameFacts};

pub use bind::{BoundQuery, prepare, variants};

/// Games that are handed to a thread at a time, to be looked through and in all.
const BATCH_GAMES: [usize; 2] = [2048, 16_384];

/// A game that is to be looked through.
struct GameCandidate {
    /// Its main line in the bytes of the batch, and the number of its start there.
    line: Range<usize>,
    /// The tree of its variations likewise, if these are searched.
    tree: Range<usize>,
    start: usize,
    facts: u64,
    /// Where facts of its moves hold, by their numbers, if such are requested.
    given: Vec<PlySet>,
    /// How far its main line is to be looked through; `None` if that cannot fulfil the query.
    until: Option<MatchMode>,
}

/// Games for a thread.
#[derive(Default)]
struct GameBatch {
    /// Where games start, by the numbers of their starts in the database, and the patterns for
    /// them: counting them for each game would keep threads waiting for each other.
    starts: Vec<(u32, Arc<AnyPosition>, Arc<Pattern>)>,
    /// The games, and which of the candidates each is; none if it was found without a look at it.
    games: Vec<(GameId, Option<u32>)>,
    candidates: Vec<GameCandidate>,
    bytes: Vec<u8>,
}

impl GameBatch {
    /// Those of its games that fulfil their queries, or the one that is damaged. Once the end
    /// is requested no further game is replayed.
    fn found(&self, is_stopped: impl Fn() -> bool) -> Result<Vec<SelectedGame>, GameId> {
        let (mut seen, mut found) = (GameMatch::default(), Vec::new());
        for &(game, candidate) in &self.games {
            let of_game = |in_variation| SelectedGame { game, in_variation };
            let Some(candidate) = candidate.map(|at| &self.candidates[at as usize]) else {
                found.push(of_game(false));
                continue;
            };
            if is_stopped() {
                break;
            }
            let (_, start, pattern) = &self.starts[candidate.start];
            let plies = &self.bytes[candidate.line.clone()];
            let mut fulfils = |line: &[u8], given, until| {
                seen.give(given);
                let mut fact = |at| candidate.facts >> at & 1 == 1;
                pattern.is_fulfilled((start, line), &mut seen, until, &mut fact)
            };
            let main_line = candidate.until;
            if main_line.is_some_and(|until| fulfils(plies, candidate.given.clone(), until)) {
                found.push(of_game(false));
            } else if !candidate.tree.is_empty() {
                let mut is_found = false;
                let tree = VariationTree::of(&self.bytes[candidate.tree.clone()]).ok_or(game)?;
                let look = |path: &VariationPath, line: &[u8]| {
                    let given = of_variation(&candidate.given, path);
                    is_found = fulfils(line, given, MatchMode::Decided);
                    !is_found
                };
                variation_tree::each_variation(start, plies, tree, look)
                    .map_err(|CorruptTree| game)?;
                found.extend(is_found.then(|| of_game(true)));
            }
        }
        Ok(found)
    }
}

/// Gives a page the games that fulfil a query and pass a filter.
pub(super) fn select(
    store: &Store,
    asked: &PatternQuery,
    filter: &CompiledFilter,
    page: &mut ResultPage<'_>,
) -> Result<(), SelectionStop> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let (give, take) = mpsc::sync_channel::<(usize, GameBatch)>(threads);
    let (tell, hear) = mpsc::channel::<(usize, BatchMatches)>();
    // Only the threads hold it, so that nothing waits for threads that are gone.
    let take = Arc::new(Mutex::new(take));
    // A query that comes after the end was requested is to be answered in full.
    let stop = (!store.stop().is_cancelled()).then(|| store.stop());
    std::thread::scope(|scope| {
        for _ in 0..threads {
            let (take, tell) = (Arc::clone(&take), tell.clone());
            scope.spawn(move || {
                loop {
                    let batch = take.lock().map(|take| take.recv());
                    let Ok(Ok((number, batch))) = batch else {
                        return;
                    };
                    let is_stopped = || stop.is_some_and(CancellationToken::is_cancelled);
                    if tell.send((number, batch.found(is_stopped))).is_err() {
                        return;
                    }
                }
            });
        }
        drop((take, tell));
        let mut ordered = OrderedResults {
            store,
            hear,
            waiting: BTreeMap::new(),
            next: 0,
        };
        let mut sent = 0;
        let gathered = gather(store, asked, filter, &mut |_| {}, &mut |batch| {
            // No thread to take it: one has panicked, which the scope reports.
            let _ = give.send((sent, batch));
            sent += 1;
            ordered.hand_on(page, false)
        });
        drop(give);
        // What the threads have found is handed on even if no more is to be gathered.
        match gathered {
            Err(SelectionStop::Enough) => gathered,
            _ => ordered.hand_on(page, true).and(gathered),
        }?;
        // They may have been stopped when all was gathered.
        if stop.is_some_and(CancellationToken::is_cancelled) {
            store.go_on()?;
        }
        Ok(())
    })
}

/// Where facts of the moves of a main line hold in a variation: as far as it has these moves.
fn of_variation(given: &[PlySet], path: &VariationPath) -> Vec<PlySet> {
    // A variation begins in the place of a ply, counted from 1.
    let own = path.0.first().map_or(0, |(ply, _)| ply.saturating_sub(1));
    given.iter().map(|plies| plies.before_ply(own)).collect()
}

/// What was found among the games of a batch.
type BatchMatches = Result<Vec<SelectedGame>, GameId>;

/// What threads have found, in the order of the games.
struct OrderedResults<'s> {
    store: &'s Store,
    hear: mpsc::Receiver<(usize, BatchMatches)>,
    waiting: BTreeMap<usize, BatchMatches>,
    next: usize,
}

impl OrderedResults<'_> {
    /// Hands on what has been found so far, or all of it.
    fn hand_on(&mut self, page: &mut ResultPage<'_>, all: bool) -> Result<(), SelectionStop> {
        loop {
            let heard = if all {
                self.hear.recv().ok()
            } else {
                self.hear.try_recv().ok()
            };
            let Some((number, games)) = heard else {
                return Ok(());
            };
            self.waiting.insert(number, games);
            while let Some(games) = self.waiting.remove(&self.next) {
                self.next += 1;
                let games = games.map_err(|game| damaged_tree(self.store, game))?;
                for game in games {
                    page.push(game)?;
                }
            }
        }
    }
}

/// Gathers the games that columns and facts do not rule out, batch by batch; `tell` is given
/// what columns know.
fn gather(
    store: &Store,
    asked: &PatternQuery,
    filter: &CompiledFilter,
    tell: &mut dyn FnMut(&Candidates),
    give: &mut dyn FnMut(GameBatch) -> Result<(), SelectionStop>,
) -> Result<(), SelectionStop> {
    let ready = CompiledFact::all(store, asked)?;
    let mut facts = FactEvaluator::all(store, &ready);
    let (mut passing, mut sieve) = (filter.reader(store), filter.sieve(store));
    let mut rows = store.facts();
    let mut gathering = GameQueue {
        store,
        lines: store.lines(),
        trees: (asked.in_variations).then(|| store.records(RecordKind::Tree)),
        of_moves: asked
            .facts_of_moves()
            .map(|of_moves| (of_moves, Replays::new(store))),
        starts: HashMap::new(),
        batch: GameBatch::default(),
        until: None,
        give,
    };
    let mut segments = store.segments()?;
    segments.extend(store.tail(&segments)?);
    for segment in &segments {
        let left_out = if facts.is_empty() {
            filter.left_out(store, segment)?
        } else {
            None
        };
        let mut variations = VariationGames::of(segment);
        for stretch in store.column_ranges(segment)? {
            store.go_on()?;
            let left = sieve.leave(stretch.first_game, stretch.games as usize)?;
            if left.as_ref().is_some_and(GameSet::is_empty) {
                continue;
            }
            let of_stretch = (&stretch, &mut variations);
            let candidates = Candidates::of(store, of_stretch, asked, left.as_ref())?;
            tell(&candidates);
            for number in candidates.possible() {
                let game = stretch.first_game + number as u64;
                let known = candidates.known(number);
                if let (Some(left_out), Some(known)) = (&left_out, &known) {
                    if !left_out.is_empty() && left_out.binary_search(&game).is_ok() {
                        continue;
                    }
                    if known.is_certain() {
                        gathering.take_found(game)?;
                    } else {
                        gathering.until = known.until();
                        gathering.take(game, known.pattern, 0)?;
                    }
                    continue;
                }
                let row = rows.get(game)?;
                let board = (asked.boards.iter()).find(|(id, _)| u32::from(*id) == row.variant);
                let Some((_, pattern)) = board else {
                    continue;
                };
                if !passing.passes_with(game, &row)? {
                    continue;
                }
                let mut of_game = GameFacts::new(&mut facts, game, &row);
                let mut decide = |is_main_line| {
                    pattern.known(&mut |part| match (part, &known) {
                        (QueryPart::Fact(at), _) => Some(of_game.get(at)),
                        (QueryPart::Chain(_), None) => None,
                        (QueryPart::Chain(at), Some(known)) if is_main_line => known.chain(at),
                        (QueryPart::Chain(at), Some(known)) => known.chain_of_variation(at),
                    })
                };
                let mut decided = decide(true);
                let until = known
                    .as_ref()
                    .map_or(Some(MatchMode::Decided), GameBounds::until);
                gathering.until = until.filter(|_| decided.is_none());
                if decided == Some(false) && asked.in_variations {
                    decided = decide(false);
                }
                if let Some(error) = of_game.failed {
                    return Err(error.into());
                }
                match decided {
                    Some(false) => {}
                    Some(true) => gathering.take_found(game)?,
                    None => gathering.take(game, pattern, of_game.bits()?)?,
                }
            }
        }
    }
    let batch = std::mem::take(&mut gathering.batch);
    (gathering.give)(batch)
}

/// Games on their way to the threads.
struct GameQueue<'a, 's> {
    store: &'s Store,
    lines: LineReader<'s>,
    /// Where variations are searched.
    trees: Option<RecordReader<'s>>,
    /// Where facts of moves are requested: these, by their numbers.
    of_moves: Option<(Vec<Option<MoveFilter>>, Replays<'s>)>,
    starts: HashMap<u32, Option<Arc<AnyPosition>>>,
    batch: GameBatch,
    /// How far the main line of the next game is to be looked through, if it is.
    until: Option<MatchMode>,
    give: &'a mut dyn FnMut(GameBatch) -> Result<(), SelectionStop>,
}

impl GameQueue<'_, '_> {
    /// Takes a game that is found.
    fn take_found(&mut self, game: GameId) -> Result<(), SelectionStop> {
        self.batch.games.push((game, None));
        self.hand_over()
    }

    /// Takes a game that is to be looked through with these facts.
    fn take(
        &mut self,
        game: GameId,
        pattern: &Arc<Pattern>,
        facts: u64,
    ) -> Result<(), SelectionStop> {
        if self.until.is_none() && !self.has_variations(game)? {
            return Ok(());
        }
        let mut given = Vec::new();
        if let Some((of_moves, replays)) = &mut self.of_moves {
            given = values::moves(replays, game, of_moves)?;
        }
        let read = self.lines.get(game)?;
        let starts = &mut self.batch.starts;
        let is_same = |known: &(u32, Arc<AnyPosition>, Arc<Pattern>)| {
            known.0 == read.start && Arc::ptr_eq(&known.2, pattern)
        };
        // Nearly all games start as the one before.
        if !starts.last().is_some_and(is_same) {
            let Some(at) = known_start(self.store, &mut self.starts, read.start)? else {
                return Ok(());
            };
            starts.push((read.start, at, Arc::clone(pattern)));
        }
        let bytes = &mut self.batch.bytes;
        let mut take = |part: &[u8]| {
            let begin = bytes.len();
            bytes.extend_from_slice(part);
            begin..bytes.len()
        };
        let (line, mut tree) = (take(read.plies), 0..0);
        let start = self.batch.starts.len() - 1;
        if let Some(trees) = &mut self.trees {
            tree = take(trees.get(game)?.unwrap_or_default());
        }
        let candidate = self.batch.candidates.len() as u32;
        self.batch.games.push((game, Some(candidate)));
        self.batch.candidates.push(GameCandidate {
            line,
            tree,
            start,
            facts,
            given,
            until: self.until,
        });
        self.hand_over()
    }

    /// Whether a game has variations that are to be searched, or a damaged tree.
    fn has_variations(&mut self, game: GameId) -> Result<bool, StoreError> {
        let Some(trees) = &mut self.trees else {
            return Ok(false);
        };
        let tree = trees.get(game)?.map(VariationTree::of);
        Ok(tree.is_some_and(|tree| tree.is_none_or(|tree| tree.has_variations())))
    }

    /// Gives a batch away that is full.
    fn hand_over(&mut self) -> Result<(), SelectionStop> {
        let [candidates_max, games_max] = BATCH_GAMES;
        if self.batch.candidates.len() < candidates_max && self.batch.games.len() < games_max {
            return Ok(());
        }
        self.store.go_on()?;
        (self.give)(std::mem::take(&mut self.batch))
    }
}

/// Start positions that are kept at most.
const STARTS_MAX: usize = 4096;

fn known_start(
    store: &Store,
    starts: &mut HashMap<u32, Option<Arc<AnyPosition>>>,
    id: u32,
) -> Result<Option<Arc<AnyPosition>>, StoreError> {
    if let Some(start) = starts.get(&id) {
        return Ok(start.clone());
    }
    let start = replay::start_position(store, id)?.map(Arc::new);
    if starts.len() == STARTS_MAX {
        starts.clear();
    }
    starts.insert(id, start.clone());
    Ok(start)
}

fn damaged_tree(store: &Store, game: GameId) -> StoreError {
    store.damaged(format!("variations of game {game}"))
}

/// Where a query is fulfilled in a game.
#[derive(Debug, Default)]
pub(super) struct MatchPlace {
    /// The line, where that is not the main one: its path, and all its plies.
    pub(super) line: Option<(VariationPath, Vec<u8>)>,
    /// The plies of that line at which it begins to hold; none where facts alone decide.
    pub(super) plies: Vec<u32>,
}

/// The first line of a game that fulfils a query.
pub(super) fn place(
    store: &Store,
    replays: &mut Replays<'_>,
    found: SelectedGame,
    (asked, ready): (&PatternQuery, &[CompiledFact]),
) -> Result<MatchPlace, StoreError> {
    let game = found.game;
    let row = store.facts().get(game)?;
    let board = (asked.boards.iter()).find(|(id, _)| u32::from(*id) == row.variant);
    let Some((_, pattern)) = board.filter(|(_, pattern)| pattern.has_steps()) else {
        return Ok(MatchPlace::default());
    };
    let bits = if ready.is_empty() {
        u64::MAX
    } else {
        GameFacts::new(&mut FactEvaluator::all(store, ready), game, &row).bits()?
    };
    let of_moves = asked.facts_of_moves();
    let given = of_moves.map(|of_moves| values::moves(replays, game, &of_moves));
    let given = given.transpose()?.unwrap_or_default();
    let mut seen = GameMatch::default();
    let mut plies = |start: &AnyPosition, line: &[u8], given| -> Vec<u32> {
        seen.give(given);
        let mut fact = |at| bits >> at & 1 == 1;
        let found = pattern.fulfilled_plies((start, line), &mut seen, &mut fact);
        found.iter().collect()
    };
    if !found.in_variation {
        let Some((start, _, line)) = replays.game(game)? else {
            return Ok(MatchPlace::default());
        };
        return Ok(MatchPlace {
            line: None,
            plies: plies(start, line, given),
        });
    }
    let mut place = MatchPlace::default();
    let walked = replays.with_annotations(game, |start, main_line, annotations| {
        let tree = annotations.map_or(Some(VariationTree::default()), Annotations::tree);
        variation_tree::each_variation(start, main_line, tree.ok_or(CorruptTree)?, |path, line| {
            place.plies = plies(start, line, of_variation(&given, path));
            let is_found = !place.plies.is_empty();
            if is_found {
                place.line = Some((path.clone(), line.to_vec()));
            }
            !is_found
        })
    })?;
    walked.map_err(|CorruptTree| damaged_tree(store, game))?;
    Ok(place)
}
