//! Games that fulfil a question about positions, moves and facts: facts first, then a look
//! through those games that they do not decide, on all threads.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    sync::{Arc, Mutex, mpsc},
};

use super::{
    filter::{Compiled, IdSet, Passing},
    locate::Replays,
    select::{self, Page, Selected, SelectionEnd},
};
use crate::{
    base::record::GameId,
    db::{
        index::facts::PackedFacts,
        query::{Fact, Filter, PositionQuery, Query, Question},
        store::{Store, StoreError},
        stored,
    },
    games::{
        AnyPosition, Game as _, Rules,
        pattern::{self, AskedBoard, Misread, Pattern, program::GameSeen},
        variant::{self, Variant},
        with_game,
    },
};

/// Games that are handed to a thread at a time.
const BATCH_GAMES: usize = 2048;

/// What a question turned out to be about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prepared {
    /// The variants whose games are asked.
    pub asked: Vec<&'static Variant>,
    /// Those that the database holds besides.
    pub others: Vec<&'static Variant>,
}

/// Finds out which variants a question is about, and makes it ready for their boards: those
/// that the filter names; else chess, where the database has it and the question fits its
/// board; else the one kind of game that it fits.
///
/// # Errors
///
/// [`StoreError`] if the database cannot be read; within, [`Misread`] if the question fits no
/// board, or several.
pub fn prepare(
    store: &Store,
    filter: &Filter,
    asked: &mut Question,
) -> Result<Result<Prepared, Misread>, StoreError> {
    let mut present = variants(store)?;
    let rows = |ids: &[u8]| ids.iter().filter_map(|&id| Variant::by_id(id)).collect();
    let mut groups: Vec<Vec<&'static Variant>> = Vec::new();
    if filter.variants.is_empty() {
        for &id in &present {
            let Some(row) = Variant::by_id(id).filter(|row| row.rules != Rules::None) else {
                continue;
            };
            match groups.iter_mut().find(|group| group[0].rules == row.rules) {
                Some(group) => group.push(row),
                None => groups.push(vec![row]),
            }
        }
        if groups.is_empty() {
            groups.push(vec![&variant::ALL[0]]);
        }
    } else {
        groups.push(rows(&filter.variants));
    }
    let (mut fitting, mut refused) = (Vec::new(), None);
    for group in groups {
        let is_chess = group[0].rules == variant::ALL[0].rules;
        match boards(store, &group, asked)? {
            Ok(boards) => fitting.push((group, boards)),
            Err(misread) => refused = refused.or(Some(misread)),
        }
        // Chess is what is meant where it can be.
        if is_chess && !fitting.is_empty() {
            break;
        }
    }
    let chosen = fitting.pop();
    Ok(match (chosen, refused) {
        (Some((group, boards)), _) if fitting.is_empty() => {
            asked.boards = boards;
            present.retain(|id| group.iter().all(|row| row.id != *id));
            Ok(Prepared {
                asked: group,
                others: rows(&present.into_iter().collect::<Vec<_>>()),
            })
        }
        (Some((group, _)), _) => {
            fitting.push((group, Vec::new()));
            let names: Vec<&str> = fitting.iter().map(|(group, _)| group[0].name).collect();
            Err(Misread {
                message: "the database has several kinds of games of which this can be asked"
                    .into(),
                hint: Some(format!(
                    "add one of them: variant:{}",
                    names.join(", variant:")
                )),
                span: 0..0,
            })
        }
        (None, Some(misread)) => Err(misread),
        (None, None) => Err(Misread {
            message: "no positions are known of this kind of game".into(),
            hint: Some("ask for another variant".into()),
            span: 0..0,
        }),
    })
}

/// The variants that a database holds games of.
fn variants(store: &Store) -> Result<BTreeSet<u8>, StoreError> {
    let mut present = store.variants_of_starts()?;
    let mut next = 1;
    while let Some((first, block)) = store.facts_from(next)? {
        next = first + block.len().max(1) as u64;
        // The usual start of chess has no row of its own.
        if block.iter().any(|facts| facts.start == 0) {
            present.insert(variant::ALL[0].id);
            break;
        }
    }
    Ok(present)
}

/// What a question means on boards, by the ids of their variants.
type Boards = Vec<(u8, Arc<Pattern>)>;

/// What a question means on the boards of some variants.
fn boards(
    store: &Store,
    rows: &[&'static Variant],
    asked: &Question,
) -> Result<Result<Boards, Misread>, StoreError> {
    let mut boards = Vec::new();
    for &row in rows {
        let start = match AnyPosition::start(row) {
            Some(start) => Some(start),
            None if row.rules == variant::ALL[0].rules => Some(AnyPosition::initial()),
            None => some_start(store, row)?,
        };
        let Some(start) = start else {
            continue;
        };
        match pattern::compile(&asked.expr, &AskedBoard::of(&start)) {
            Ok(pattern) => boards.push((row.id, Arc::new(pattern))),
            Err(misread) => return Ok(Err(misread)),
        }
    }
    Ok(Ok(boards))
}

/// A start position of a variant that a database has.
fn some_start(store: &Store, row: &Variant) -> Result<Option<AnyPosition>, StoreError> {
    let mut found = None;
    store.for_each_start(|start| {
        if found.is_none() && start.variant == row.id && start.canonical.is_some() {
            found = Some(start.id);
        }
    })?;
    found.map_or(Ok(None), |id| stored::start_position(store, id))
}

/// A fact made ready to be asked of games.
pub(super) enum ReadyFact {
    Games(Vec<Compiled>),
    Position(IdSet),
}

impl ReadyFact {
    fn all(store: &Store, asked: &Question) -> Result<Vec<Self>, StoreError> {
        let ready = asked.facts.iter().map(|fact| match fact {
            Fact::Games(filters) => {
                let filters = filters.iter().map(|filter| Compiled::new(store, filter));
                Ok(Self::Games(filters.collect::<Result<_, _>>()?))
            }
            Fact::Position(position) => Ok(Self::Position(reaching(store, position)?)),
        });
        ready.collect()
    }
}

/// The games that reach a position.
fn reaching(store: &Store, position: &PositionQuery) -> Result<IdSet, StoreError> {
    let mut games = IdSet::default();
    let query = Query {
        position: Some(position.clone()),
        ..Query::default()
    };
    let mut take = |found: Selected| {
        games.insert(u32::try_from(found.game).unwrap_or(u32::MAX));
        Ok(())
    };
    select::each(store, &query, Page::of(&query, &mut take))?;
    Ok(games)
}

/// Asks facts of games.
enum AskedFact<'a> {
    Games(Vec<Passing<'a>>),
    Position(&'a IdSet),
}

impl<'a> AskedFact<'a> {
    fn all(store: &'a Store, ready: &'a [ReadyFact]) -> Vec<Self> {
        let asked = ready.iter().map(|fact| match fact {
            ReadyFact::Games(filters) => {
                Self::Games(filters.iter().map(|filter| filter.reader(store)).collect())
            }
            ReadyFact::Position(games) => Self::Position(games),
        });
        asked.collect()
    }

    fn holds(&mut self, game: GameId, facts: &PackedFacts) -> Result<bool, StoreError> {
        match self {
            Self::Games(filters) => {
                for filter in filters {
                    if filter.passes_with(game, facts)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            Self::Position(games) => Ok(games.contains(u32::try_from(game).unwrap_or(u32::MAX))),
        }
    }
}

/// The facts of a game, each asked once and only when it matters.
struct GameFacts<'f, 'a> {
    asked: &'f mut [AskedFact<'a>],
    game: GameId,
    facts: &'f PackedFacts,
    /// What is known, and what it is, as bits.
    known: (u64, u64),
    failed: Option<StoreError>,
}

impl<'f, 'a> GameFacts<'f, 'a> {
    fn new(asked: &'f mut [AskedFact<'a>], game: GameId, facts: &'f PackedFacts) -> Self {
        Self {
            asked,
            game,
            facts,
            known: (0, 0),
            failed: None,
        }
    }

    fn get(&mut self, at: usize) -> bool {
        let bit = 1 << at;
        if self.known.0 & bit == 0 {
            let holds = match self.asked.get_mut(at) {
                Some(fact) => fact.holds(self.game, self.facts),
                None => Ok(false),
            };
            let holds = holds.unwrap_or_else(|error| {
                self.failed = Some(error);
                false
            });
            self.known.0 |= bit;
            self.known.1 |= u64::from(holds) << at;
        }
        self.known.1 & bit != 0
    }

    /// All of them as bits.
    fn bits(mut self) -> Result<u64, StoreError> {
        for at in 0..self.asked.len() {
            self.get(at);
        }
        self.failed.map_or(Ok(self.known.1), Err)
    }
}

/// A game that is to be looked through, or was found by its facts alone.
struct GameInQuestion {
    game: GameId,
    /// Its main line in the bytes of the batch, and where it starts.
    line: std::ops::Range<usize>,
    start: Option<(Arc<AnyPosition>, Arc<Pattern>)>,
    facts: u64,
}

/// Games for a thread.
#[derive(Default)]
struct GameBatch {
    candidates: Vec<GameInQuestion>,
    plies: Vec<u8>,
}

impl GameBatch {
    /// Those of its games that fulfil their questions.
    fn found(&self) -> Vec<GameId> {
        let mut seen = GameSeen::default();
        let found = self.candidates.iter().filter(|candidate| {
            let Some((start, pattern)) = &candidate.start else {
                return true;
            };
            let plies = &self.plies[candidate.line.clone()];
            look(start, plies, pattern, &mut seen, true);
            pattern.holds(&seen, &mut |at| candidate.facts >> at & 1 == 1)
        });
        found.map(|candidate| candidate.game).collect()
    }
}

fn look(
    start: &AnyPosition,
    plies: &[u8],
    pattern: &Pattern,
    seen: &mut GameSeen,
    is_enough: bool,
) {
    let mut watcher = pattern.watcher(seen, is_enough);
    with_game!(AnyPosition of start, at => at.show(plies, &mut watcher));
    watcher.finish();
}

/// Gives a page the games that fulfil a question and pass a filter.
pub(super) fn select(
    store: &Store,
    asked: &Question,
    filter: &Compiled,
    page: &mut Page<'_>,
) -> Result<(), SelectionEnd> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let (give, take) = mpsc::sync_channel::<(usize, GameBatch)>(threads);
    let (tell, hear) = mpsc::channel::<(usize, Vec<GameId>)>();
    // Only the threads hold it, so that nothing waits for threads that are gone.
    let take = Arc::new(Mutex::new(take));
    std::thread::scope(|scope| {
        for _ in 0..threads {
            let (take, tell) = (Arc::clone(&take), tell.clone());
            scope.spawn(move || {
                loop {
                    let batch = take.lock().map(|take| take.recv());
                    let Ok(Ok((number, batch))) = batch else {
                        return;
                    };
                    if tell.send((number, batch.found())).is_err() {
                        return;
                    }
                }
            });
        }
        drop((take, tell));
        let mut ordered = InOrder {
            hear,
            waiting: BTreeMap::new(),
            next: 0,
        };
        let mut sent = 0;
        let gathered = gather(store, asked, filter, &mut |batch| {
            // Nobody to take it: a thread has panicked, which the scope reports.
            let _ = give.send((sent, batch));
            sent += 1;
            ordered.hand_on(page, false)
        });
        drop(give);
        gathered?;
        ordered.hand_on(page, true)
    })
}

/// What threads have found, in the order of the games.
struct InOrder {
    hear: mpsc::Receiver<(usize, Vec<GameId>)>,
    waiting: BTreeMap<usize, Vec<GameId>>,
    next: usize,
}

impl InOrder {
    /// Hands on what has been found so far, or all of it.
    fn hand_on(&mut self, page: &mut Page<'_>, all: bool) -> Result<(), SelectionEnd> {
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
                for game in games {
                    page.push(Selected::plain(game))?;
                }
            }
        }
    }
}

/// Gathers the games that facts do not rule out, batch by batch.
fn gather(
    store: &Store,
    asked: &Question,
    filter: &Compiled,
    give: &mut dyn FnMut(GameBatch) -> Result<(), SelectionEnd>,
) -> Result<(), SelectionEnd> {
    let ready = ReadyFact::all(store, asked)?;
    let mut facts = AskedFact::all(store, &ready);
    let mut passing = filter.reader(store);
    let mut lines = store.lines();
    let mut starts: HashMap<u32, Option<Arc<AnyPosition>>> = HashMap::new();
    let mut batch = GameBatch::default();
    let mut next = 1;
    while let Some((first, block)) = store.facts_from(next)? {
        next = first + block.len().max(1) as u64;
        store.go_on()?;
        for (game, row) in (first..).zip(&block) {
            let board = asked
                .boards
                .iter()
                .find(|(id, _)| u32::from(*id) == row.variant);
            let Some((_, pattern)) = board else {
                continue;
            };
            if !passing.passes_with(game, row)? {
                continue;
            }
            let mut known = GameFacts::new(&mut facts, game, row);
            let decided = pattern.by_facts(&mut |at| known.get(at));
            if let Some(error) = known.failed {
                return Err(error.into());
            }
            let mut candidate = GameInQuestion {
                game,
                line: 0..0,
                start: None,
                facts: 0,
            };
            match decided {
                Some(false) => continue,
                Some(true) => {}
                None => {
                    candidate.facts = known.bits()?;
                    let line = lines.get(game)?;
                    let start = if let Some(start) = starts.get(&line.start) {
                        start.clone()
                    } else {
                        let start = stored::start_position(store, line.start)?.map(Arc::new);
                        if starts.len() == STARTS_MAX {
                            starts.clear();
                        }
                        starts.insert(line.start, start.clone());
                        start
                    };
                    let Some(start) = start else {
                        continue;
                    };
                    let begin = batch.plies.len();
                    batch.plies.extend_from_slice(line.plies);
                    candidate.line = begin..batch.plies.len();
                    candidate.start = Some((start, Arc::clone(pattern)));
                }
            }
            batch.candidates.push(candidate);
            if batch.candidates.len() == BATCH_GAMES {
                give(std::mem::take(&mut batch))?;
            }
        }
    }
    give(batch)
}

/// Start positions that are kept at most.
const STARTS_MAX: usize = 4096;

/// The facts of a question, as far as hits need them: where each is necessary, it is true of all.
pub(super) fn facts_of_hits(store: &Store, asked: &Question) -> Result<Vec<ReadyFact>, StoreError> {
    if asked
        .boards
        .iter()
        .any(|(_, pattern)| pattern.has_choices())
    {
        ReadyFact::all(store, asked)
    } else {
        Ok(Vec::new())
    }
}

/// The plies at which a question begins to hold in a game that fulfils it.
pub(super) fn plies(
    store: &Store,
    replays: &mut Replays<'_>,
    game: GameId,
    (asked, ready): (&Question, &[ReadyFact]),
) -> Result<Vec<u32>, StoreError> {
    let row = store.facts().get(game)?;
    let board = (asked.boards.iter()).find(|(id, _)| u32::from(*id) == row.variant);
    let Some((_, pattern)) = board.filter(|(_, pattern)| pattern.has_moments()) else {
        return Ok(Vec::new());
    };
    let Some((start, _, plies)) = replays.game(game)? else {
        return Ok(Vec::new());
    };
    let mut seen = GameSeen::default();
    start.look(plies, pattern, &mut seen, false);
    let bits = if ready.is_empty() {
        u64::MAX
    } else {
        GameFacts::new(&mut AskedFact::all(store, ready), game, &row).bits()?
    };
    let found = pattern.plies(&seen, &mut |at| bits >> at & 1 == 1);
    Ok(found.iter().collect())
}
