//! A position as openings are explored: its moves, its best and its newest games, and how many
//! games there were each month.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BinaryHeap, HashMap},
    sync::Arc,
};

use super::{
    GameReader, Tree, moves, openings,
    plan::GameConditions,
    tree::{MoveKey, PositionTrees, TreeGameVisitor, TreeScope},
};
use crate::{
    base::record::{GameHeader, GameId},
    blocks::facts::PackedFacts,
    games::notation::letters::ENGLISH,
    index::{popular::ENDS, top_games::TOP_GAMES},
    query::PositionQuery,
    store::{Store, StoreError},
};

/// What is wanted of a position.
#[derive(Debug, Clone, Copy, Default)]
pub struct SummaryParts {
    /// This many of the moves, the most played ones; of those that one game played, that game.
    pub moves: usize,
    /// This many games of the highest ratings …
    pub top: usize,
    /// … whose mean is at least this high.
    pub top_mean: u32,
    /// This many of the newest games that are not among those.
    pub recent: usize,
    /// The games of each month.
    pub months: bool,
    /// Single games are named.
    pub singles: bool,
    /// The side (0 the first) whose results and opponents are summed up; the side that moves, if
    /// none.
    pub side: Option<usize>,
}

/// A game that reaches the position.
#[derive(Debug, Clone, PartialEq)]
pub struct SampleGame {
    /// What lists show of it.
    pub header: GameHeader,
    /// Its tag pairs.
    pub tags: Vec<(String, String)>,
    /// Its facts in numbers.
    pub facts: PackedFacts,
    /// The move that it went on with, as [`TreeMove`](super::TreeMove) has it: how the game
    /// writes it, and for programs.
    pub played: [String; 2],
}

/// A position that was explored. Games without a result are in none of its lists.
#[derive(Debug, Clone, PartialEq)]
pub struct PositionSummary {
    /// The moves, not those that were not wanted, and all sums.
    pub tree: Tree,
    /// The games of moves that were played once, in the order of the moves.
    pub singles: Vec<Option<Arc<SampleGame>>>,
    /// The games of the highest ratings, highest first.
    pub top: Vec<Arc<SampleGame>>,
    /// The newest games, newest first.
    pub recent: Vec<Arc<SampleGame>>,
    /// White's wins, draws and Black's wins by month, packed as `yyyymm`.
    pub months: BTreeMap<u32, [u64; 3]>,
}

/// The greatest of many.
struct TopK<K> {
    most: usize,
    heap: BinaryHeap<Reverse<(K, GameId, MoveKey)>>,
}

impl<K: Ord + Copy> TopK<K> {
    const fn of(most: usize) -> Self {
        Self {
            most,
            heap: BinaryHeap::new(),
        }
    }

    #[inline]
    fn push(&mut self, key: K, game: GameId, played: MoveKey) {
        if self.heap.len() < self.most {
            self.heap.push(Reverse((key, game, played)));
        } else if let Some(mut least) = self.heap.peek_mut()
            && (key, game) > (least.0.0, least.0.1)
        {
            *least = Reverse((key, game, played));
        }
    }

    /// Greatest first, each with its key; of equal ones the last one imported.
    fn sorted(self) -> impl Iterator<Item = (K, (GameId, MoveKey))> {
        let sorted = self.heap.into_sorted_vec().into_iter();
        sorted.map(|Reverse((key, game, played))| (key, (game, played)))
    }
}

/// How new a game is: its date, its time of that day where tags give it, and when it was imported.
fn newness(game: &SampleGame) -> (u32, &str, GameId) {
    let times = ["UTCTime", "Time"];
    let time = times.iter().find_map(|name| {
        let mut tags = game.tags.iter();
        tags.find(|(own, _)| own == name)
    });
    let time = time.map_or("", |(_, time)| time.as_str());
    (game.facts.date, time, game.header.id)
}

/// Explores a position.
///
/// # Errors
///
/// [`StoreError`] if the database cannot be read or is damaged.
pub fn explore(
    store: &Store,
    (position, filter): (&PositionQuery, &GameConditions),
    wanted: SummaryParts,
) -> Result<PositionSummary, StoreError> {
    let trees = PositionTrees::new(store, position, filter, ENGLISH)?.counting(TreeScope {
        only_decided: true,
        no_years: true,
        side: wanted.side,
    });
    let mut top = TopK::of(wanted.top);
    // Of the games of one day the first and the last that were imported are looked at: files begin
    // with the newest or with the oldest.
    let recent_most = if wanted.recent == 0 {
        0
    } else {
        wanted.recent + wanted.top
    };
    let mut recent = TopK::of(recent_most);
    let mut recent_first = TopK::of(recent_most);
    let mut months = BTreeMap::new();
    let mut look = |game: GameId, facts: &PackedFacts, played: MoveKey| {
        if facts.outcome == 0 || played.1 == ENDS {
            return;
        }
        let sum = facts.white_elo + facts.black_elo;
        if wanted.top > 0 && sum / 2 >= wanted.top_mean {
            top.push((sum, facts.date), game, played);
        }
        recent.push(facts.date, game, played);
        recent_first.push((facts.date, Reverse(game)), game, played);
        let month = facts.date / 100;
        if wanted.months && !month.is_multiple_of(100) {
            let counts: &mut [u64; 3] = months.entry(month).or_default();
            // First side won, second side won, drawn.
            counts[[0, 2, 1][facts.outcome as usize % 4 - 1]] += 1;
        }
    };
    let shown = if wanted.months || wanted.top.max(recent_most) > TOP_GAMES {
        TreeGameVisitor::All(&mut look)
    } else if wanted.top + wanted.recent > 0 {
        TreeGameVisitor::Greatest(wanted.top.max(recent_most), &mut look)
    } else {
        TreeGameVisitor::None
    };
    let mut tree = trees.counted(position, shown)?;
    tree.moves.truncate(wanted.moves);
    let mut reader = GameReader::new(store);
    // The one game of a rare position is in all lists.
    let mut known: HashMap<GameId, Option<Arc<SampleGame>>> = HashMap::new();
    let mut read = |game, played: [String; 2]| -> Result<Option<Arc<SampleGame>>, StoreError> {
        if let Some(found) = known.get(&game) {
            return Ok(found.clone());
        }
        let found = reader.explored(game, played)?.map(Arc::new);
        known.insert(game, found.clone());
        Ok(found)
    };
    let mut singles = Vec::new();
    if wanted.singles {
        for line in &tree.moves {
            let single = line.game.as_ref();
            let played = || [line.san.clone(), line.uci.clone()];
            let found = single.map(|single| read(single.id, played())).transpose()?;
            singles.push(found.flatten());
        }
    }
    let at = &position.position;
    let mut list = |games: Vec<(GameId, MoveKey)>| -> Result<Vec<_>, StoreError> {
        let mut list = Vec::with_capacity(games.len());
        for (game, (turn, code, taken)) in games {
            list.extend(read(game, moves::names(at, turn, code, taken))?);
        }
        Ok(list)
    };
    let top: Vec<_> = top.sorted().map(|(_, found)| found).collect();
    let mut newest: Vec<_> = recent.sorted().collect();
    newest.extend(
        recent_first
            .sorted()
            .map(|((date, _), found)| (date, found)),
    );
    newest.sort_by_key(|(date, found)| Reverse((*date, found.0)));
    newest.dedup();
    newest.retain(|(_, found)| !top.contains(found));
    // Times of the day matter among games of one day alone.
    let last = wanted
        .recent
        .checked_sub(1)
        .and_then(|last| newest.get(last));
    if let Some(&(bound, _)) = last {
        newest.retain(|(date, _)| *date >= bound);
        if !store.may_have_times()? {
            newest.truncate(wanted.recent);
        }
    }
    let mut recent = list(newest.into_iter().map(|(_, found)| found).collect())?;
    recent.sort_by(|one, other| newness(other).cmp(&newness(one)));
    recent.truncate(wanted.recent);
    Ok(PositionSummary {
        top: list(top)?,
        recent,
        months,
        singles,
        tree: openings::named(tree, at),
    })
}
