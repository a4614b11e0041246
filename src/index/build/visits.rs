//! The positions of frequent structures: which are popular, which are rare but in a crowd.

use std::{
    collections::HashSet,
    ops::Range,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
};

use foldhash::fast::FixedState;

use super::{
    BuildContext, GAME_BITS, RANGE_BITS, RANGES, SegmentGames, Structures, pieces, posting,
    roomy_ranges,
    structures::{StructureFrequency, cuts},
};
use crate::{
    blocks::{BLOCK_BYTES, facts::PackedFacts},
    games::{Cursor, key::Structure, with_game},
    index::{
        Block, SUMMED_GAMES_MIN, SegmentThresholds,
        popular::{self, EntryWriter, PopularState, Tally},
        sort,
        top_games::TopGamesWriter,
    },
};

/// A visit of a position of a frequent structure: the board key, and packed
/// from the top: game (24 bits), state (20), next move (16), two bits that are 0, side to
/// move (1), whether the structure is crowded (1).
pub type Visit = (u64, u64);

/// Where the game stands in it.
const GAME_AT: u32 = 64 - GAME_BITS;
/// Where the state stands, and its mask.
const STATE_AT: u32 = 20;
const STATE: u64 = 0xf_ffff;
/// Where the next move stands.
const NEXT_AT: u32 = 4;

/// Second replay: the popular positions with their top games, and the postings of the rare positions
/// in crowded structures; `None` if the build was stopped.
pub(super) fn popular_positions(
    games: &SegmentGames<'_>,
    structures: &Structures,
    coarse: &StructureFrequency,
    crew: BuildContext<'_>,
    visits_max: usize,
) -> Option<IndexedVisits> {
    let mut at_once = RANGES;
    loop {
        // Where there are more than that, some ranges are taken at a time.
        let mut found = IndexedVisits::default();
        let mut is_over = false;
        for from in (0..RANGES).step_by(at_once) {
            let wanted = from..from + at_once;
            match popular_in(games, structures, coarse, &wanted, crew, visits_max)? {
                VisitList::Filed(part) => found.add(part),
                VisitList::TooMany => {
                    is_over = true;
                    break;
                }
            }
        }
        if !is_over {
            return Some(found);
        }
        at_once /= 2;
    }
}

/// What the visits of some ranges of keys have become.
enum VisitList {
    /// As they are filed.
    Filed(IndexedVisits),
    /// More than may be in memory.
    TooMany,
}

/// The same of some ranges of keys.
fn popular_in(
    games: &SegmentGames<'_>,
    structures: &Structures,
    coarse: &StructureFrequency,
    wanted: &Range<usize>,
    crew: BuildContext<'_>,
    visits_max: usize,
) -> Option<VisitList> {
    let (count, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let all = games.lines.len() as u64;
    // Once it is, it stays: some games are left out then.
    let over = AtomicBool::new(false);
    // Seen from an eighth of them on, so that little is done in vain.
    let is_over = || {
        let (count, done) = (count.load(Ordering::Relaxed), done.load(Ordering::Relaxed));
        let expected = count as u64 * all / done.max(1) as u64;
        let is_clear = count > visits_max / 8 && expected > visits_max as u64 * 5 / 4;
        if wanted.len() > 1 && (count > visits_max || is_clear) {
            over.store(true, Ordering::Relaxed);
        }
        over.load(Ordering::Relaxed)
    };
    let goes_on = |visits: usize| {
        done.fetch_add(1, Ordering::Relaxed);
        count.fetch_add(visits, Ordering::Relaxed);
        !is_over()
    };
    let ranges = KeyRanges {
        bits: RANGE_BITS,
        wanted: wanted.clone(),
    };
    let results = visits(games, 0, Some(structures), coarse, &ranges, crew, &goes_on)?;
    if is_over() {
        return Some(VisitList::TooMany);
    }
    let mut by_range: Vec<Vec<Vec<Visit>>> = vec![Vec::new(); wanted.len()];
    for ranges in results {
        for (range, part) in by_range.iter_mut().zip(ranges) {
            range.push(part);
        }
    }
    let visits: usize = by_range.iter().flatten().map(Vec::len).sum();
    let by_range: Vec<_> = by_range.into_iter().map(Mutex::new).collect();
    // Of some ranges alone there are more.
    let ranges_a_cut = if wanted.len() == RANGES {
        RANGES / cuts(visits)
    } else {
        1
    };
    let of_cuts: Vec<&[Mutex<Vec<Vec<Visit>>>]> = by_range.chunks(ranges_a_cut).collect();
    let parts = crew.share(of_cuts.len(), |cut| {
        let mut part = PopularShard::new(SegmentThresholds::SMALL.popular_min);
        for range in of_cuts[cut] {
            let mut range = range.lock().unwrap_or_else(PoisonError::into_inner);
            let parts = std::mem::take(&mut *range);
            drop(range);
            let visits = parts.concat();
            drop(parts);
            part.push(&|game| games.facts[game as usize], visits);
        }
        part.finish()
    })?;
    let mut all = IndexedVisits::default();
    for part in parts {
        all.add(part);
    }
    Some(VisitList::Filed(all))
}

/// A part of the popular positions, by a range of keys, as it is written.
pub struct PopularShard {
    popular_min: usize,
    writer: EntryWriter,
    top_games: TopGamesWriter,
    rare: Vec<u64>,
}

/// What a part of the popular positions comes to.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct IndexedVisits {
    /// The blocks of popular positions.
    pub popular: Vec<Block>,
    /// The blocks of top games.
    pub top_games: Vec<Block>,
    /// The postings of rare positions of crowded structures.
    pub rare: Vec<u64>,
}

impl IndexedVisits {
    /// Adds the next part.
    fn add(&mut self, part: Self) {
        self.popular.extend(part.popular);
        self.top_games.extend(part.top_games);
        self.rare.extend(part.rare);
    }
}

impl PopularShard {
    /// An empty one, where positions are popular that `popular_min` games reach.
    pub fn new(popular_min: usize) -> Self {
        Self {
            popular_min,
            writer: EntryWriter::popular(BLOCK_BYTES),
            top_games: TopGamesWriter::default(),
            rare: Vec::new(),
        }
    }

    /// Adds the visits of the next keys; `facts` are those of a game.
    pub fn push(&mut self, facts: &impl Fn(u32) -> PackedFacts, mut visits: Vec<Visit>) {
        sort::pairs(&mut visits);
        for same in visits.chunk_by(|a, b| a.0 == b.0) {
            self.file_position(facts, same);
        }
    }

    /// What it has come to.
    pub fn finish(self) -> IndexedVisits {
        IndexedVisits {
            popular: self.writer.finish(),
            top_games: self.top_games.finish(),
            rare: self.rare,
        }
    }

    /// Files all visits of one board, sorted by game: as popular, as rare, or not at all.
    fn file_position(&mut self, facts: &impl Fn(u32) -> PackedFacts, visits: &[Visit]) {
        let key = visits[0].0;
        // A game visits a board twice only in different states, so comparing neighbours is enough.
        let games = visits.chunk_by(|a, b| game_of(a.1) == game_of(b.1)).count();
        if games < self.popular_min {
            if visits[0].1 & 1 == 1 {
                self.rare
                    .extend(visits.iter().map(|visit| posting(key, game_of(visit.1))));
            }
            return;
        }
        let turn = (visits[0].1 >> 1 & 1) as usize;
        let mut states: Vec<u32> = visits.iter().map(state_of).collect();
        states.sort_unstable();
        states.dedup();
        let states: Vec<PopularState> = states
            .into_iter()
            .map(|state| {
                let here = || visits.iter().filter(move |visit| state_of(visit) == state);
                let next = |visit: &Visit| (visit.1 >> NEXT_AT) as u16;
                let mut moves: Vec<(u16, Tally)> = Vec::new();
                let mut list = Vec::new();
                for visit in here() {
                    let at = moves
                        .iter()
                        .position(|(code, _)| *code == next(visit))
                        .unwrap_or_else(|| {
                            moves.push((next(visit), Tally::default()));
                            moves.len() - 1
                        });
                    moves[at].1.games += 1;
                    list.push((game_of(visit.1), at as u16));
                }
                let mut order: Vec<usize> = (0..moves.len()).collect();
                order.sort_by_key(|&at| (std::cmp::Reverse(moves[at].1.games), moves[at].0));
                let mut rank = vec![0; moves.len()];
                for (new, &old) in order.iter().enumerate() {
                    rank[old] = new as u16;
                }
                for (_, at) in &mut list {
                    *at = rank[usize::from(*at)];
                }
                let mut found = PopularState {
                    state,
                    moves: order.iter().map(|&at| moves[at].0).collect(),
                    sums: None,
                    count: list.len() as u64,
                    games: list,
                };
                if found.games.len() >= SUMMED_GAMES_MIN {
                    found.sums = Some(found.sum_up(facts, turn));
                }
                found
            })
            .collect();
        self.writer.push(key, &popular::write_entry(key, &states));
        self.top_games.push(key, &states, facts, turn);
    }
}

/// Some of the ranges of the keys of boards.
pub struct KeyRanges {
    /// How many of their top bits number a range.
    pub bits: u32,
    /// Those that are wanted.
    pub wanted: Range<usize>,
}

/// The first visits of positions of frequent structures: of each piece of the games in turn,
/// and of each range of keys that is wanted. The games have these structures, if they are known, and are
/// numbered from `first` on. If `goes_on` is false for the number of visits of a game, some games after it
/// are left out. `None` if the build was stopped.
pub fn visits(
    games: &SegmentGames<'_>,
    first: usize,
    structures: Option<&Structures>,
    coarse: &StructureFrequency,
    ranges: &KeyRanges,
    crew: BuildContext<'_>,
    goes_on: &(dyn Fn(usize) -> bool + Sync),
) -> Option<Vec<Vec<Vec<Visit>>>> {
    let wanted = &ranges.wanted;
    let pieces = pieces(games.lines.len());
    crew.share(pieces.len(), |piece| {
        let mut found = roomy_ranges(wanted.len(), 1 << ranges.bits);
        let mut seen = VisitedPositions::default();
        for game in pieces[piece].clone() {
            // Only as far as the last frequent structure: mostly the opening.
            let last = structures.map(|structures| {
                let keys = structures.of(game).iter();
                keys.rev()
                    .skip_while(|key| !coarse.is_frequent(**key))
                    .count()
            });
            let line = games.lines[game];
            let mut emitted = 0;
            let emit = |key: u64, visit| {
                let range = ((key >> (64 - ranges.bits)) as usize).wrapping_sub(wanted.start);
                if let Some(range) = found.get_mut(range) {
                    range.push((key, ((first + game) as u64) << GAME_AT | visit));
                    emitted += 1;
                }
            };
            if let Some(start) = games.starts.get(&line.start) {
                with_game!(AnyCursor of start, start => {
                    let most = last.unwrap_or(usize::MAX);
                    visits_of(&**start, line.plies, most, coarse, &mut seen, emit);
                });
            }
            if !goes_on(emitted) {
                break;
            }
        }
        found.iter_mut().for_each(Vec::shrink_to_fit);
        found
    })
}

/// The positions that a game has visited: board key and state.
#[derive(Default)]
struct VisitedPositions {
    few: Vec<(u64, u32)>,
    /// Beyond the number up to which looking through them is quicker.
    many: HashSet<(u64, u32), FixedState>,
}

impl VisitedPositions {
    const FEW: usize = 64;

    fn clear(&mut self) {
        self.few.clear();
        self.many.clear();
    }

    /// Whether it is new.
    #[inline]
    fn insert(&mut self, position: (u64, u32)) -> bool {
        if self.few.contains(&position) {
            return false;
        }
        if self.few.len() < Self::FEW {
            self.few.push(position);
            return true;
        }
        self.many.insert(position)
    }
}

/// The first visit of each position of a game's frequent structures, among the first `most` of its
/// structures.
#[inline]
fn visits_of<C: Cursor>(
    start: &C,
    mut plies: &[u8],
    most: usize,
    coarse: &StructureFrequency,
    seen: &mut VisitedPositions,
    mut emit: impl FnMut(u64, u64),
) {
    let mut walk = start.clone();
    let recurs = walk.structure_recurs();
    let mut structure = walk.structure();
    let class = |structure: &Structure| {
        let key = (structure.key() >> 32) as u32;
        let is_frequent = coarse.is_frequent(key);
        (is_frequent, is_frequent && coarse.is_crowded(key))
    };
    if most == 0 {
        return;
    }
    let (mut frequent, mut crowded) = class(&structure);
    let mut left = most - 1;
    seen.clear();
    loop {
        let here = frequent.then(|| (walk.board_key(), walk.state_bits(), walk.turn()));
        let next = walk.peek(&mut plies);
        if let Some((key, state, turn)) = here
            && seen.insert((key, state))
        {
            let next = next.unwrap_or(popular::ENDS);
            emit(
                key,
                u64::from(state) << STATE_AT
                    | u64::from(next) << NEXT_AT
                    | (turn as u64) << 1
                    | u64::from(crowded),
            );
        }
        let Some(next) = next else { return };
        walk.play(next);
        if walk.structure() != structure {
            structure = walk.structure();
            // Else a position can only come back while the structure stands.
            if !recurs {
                seen.clear();
            }
            if left == 0 {
                return;
            }
            left -= 1;
            (frequent, crowded) = class(&structure);
        }
    }
}

const fn game_of(visit: u64) -> u32 {
    (visit >> GAME_AT) as u32
}

const fn state_of(visit: &Visit) -> u32 {
    (visit.1 >> STATE_AT & STATE) as u32
}
