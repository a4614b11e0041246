//! The positions of frequent structures: which are hot, which are rare but in a crowd.

use std::{
    collections::HashSet,
    ops::Range,
    sync::atomic::{AtomicBool, AtomicUsize, Ordering},
};

use foldhash::fast::FixedState;

use super::{
    CUT_MIN, Crew, GAME_BITS, RANGE_BITS, SegmentGames, Structures, pieces, roomy_ranges,
    structures::{Coarse, is_set},
};
use crate::db::index::{
    Block, HOT_GAMES_MIN, SUMMED_GAMES_MIN,
    facts::PackedFacts,
    hot::{self, HotState, HotWriter, Tally},
};
use crate::games::{Cursor, with_game};

/// A visit of a position of a frequent structure: the board key, and packed
/// from the top: game (20 bits), state (20), next move (16), side to move (1),
/// whether the structure is crowded (1).
type Visit = (u64, u64);

/// Second replay: the hot positions, and the postings of the rare positions in
/// crowded structures; `None` if the crew was stopped.
pub(super) fn hot_positions(
    games: &SegmentGames<'_>,
    structures: &Structures,
    coarse: &Coarse,
    crew: Crew<'_>,
    visits_max: usize,
) -> Option<(Vec<Block>, Vec<u64>)> {
    const RANGES: usize = 1 << RANGE_BITS;
    let mut at_once = RANGES;
    loop {
        // Where there are more than that, some ranges are taken at a time.
        let mut found = (Vec::new(), Vec::new());
        let mut is_over = false;
        for from in (0..RANGES).step_by(at_once) {
            let wanted = from..from + at_once;
            match hot_in(games, structures, coarse, &wanted, crew, visits_max)? {
                Visits::Filed(blocks, rare) => {
                    found.0.extend(blocks);
                    found.1.extend(rare);
                }
                Visits::TooMany => {
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
enum Visits {
    /// Hot positions, and the postings of the rare.
    Filed(Vec<Block>, Vec<u64>),
    /// More than may be in memory.
    TooMany,
}

/// The same of some ranges of keys.
fn hot_in(
    games: &SegmentGames<'_>,
    structures: &Structures,
    coarse: &Coarse,
    wanted: &Range<usize>,
    crew: Crew<'_>,
    visits_max: usize,
) -> Option<Visits> {
    let pieces = pieces(games.lines.len());
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
    let results = crew.share(pieces.len(), |piece| {
        let mut ranges = roomy_ranges(wanted.len());
        let mut seen = SeenPositions::default();
        for game in pieces[piece].clone() {
            if is_over() {
                break;
            }
            done.fetch_add(1, Ordering::Relaxed);
            // Only as far as the last frequent structure: mostly the opening.
            let keys = structures.of(game);
            let frequent = |key: &u32| is_set(&coarse.frequent, coarse.truncate(*key));
            let Some(last) = keys.iter().rposition(frequent) else {
                continue;
            };
            let line = games.lines[game];
            let keys = &keys[..=last];
            let mut emitted = 0;
            let emit = |key: u64, visit| {
                let range = ((key >> (64 - RANGE_BITS)) as usize).wrapping_sub(wanted.start);
                if let Some(range) = ranges.get_mut(range) {
                    range.push((key, (game as u64) << 44 | visit));
                    emitted += 1;
                }
            };
            if let Some(start) = games.starts.get(&line.start) {
                with_game!(AnyCursor of start, start => {
                    visits_of(&**start, line.plies, keys, coarse, &mut seen, emit);
                });
            }
            count.fetch_add(emitted, Ordering::Relaxed);
        }
        ranges.iter_mut().for_each(Vec::shrink_to_fit);
        ranges
    })?;
    if is_over() {
        return Some(Visits::TooMany);
    }
    let mut by_range: Vec<Vec<Vec<Visit>>> = vec![Vec::new(); wanted.len()];
    for ranges in results {
        for (range, part) in by_range.iter_mut().zip(ranges) {
            range.push(part);
        }
    }
    let visits: usize = by_range.iter().flatten().map(Vec::len).sum();
    let by_range: Vec<_> = by_range.into_iter().map(std::sync::Mutex::new).collect();
    let cuts: Vec<Range<usize>> = if visits < CUT_MIN && wanted.len() == 1 << RANGE_BITS {
        std::iter::once(0..by_range.len()).collect()
    } else {
        (0..by_range.len()).map(|i| i..i + 1).collect()
    };
    let parts = crew.share(cuts.len(), |cut| {
        let mut writer = HotWriter::new(games.block_bytes);
        let mut rare = Vec::new();
        for range in &by_range[cuts[cut].clone()] {
            let parts = std::mem::take(
                &mut *range
                    .lock()
                    .unwrap_or_else(std::sync::PoisonError::into_inner),
            );
            let mut visits = parts.concat();
            drop(parts);
            visits.sort_unstable();
            for same in visits.chunk_by(|a, b| a.0 == b.0) {
                file_position(games.facts, same, &mut writer, &mut rare);
            }
        }
        (writer.finish(), rare)
    })?;
    let (mut blocks, mut rare) = (Vec::new(), Vec::new());
    for (part, postings) in parts {
        blocks.extend(part);
        rare.extend(postings);
    }
    Some(Visits::Filed(blocks, rare))
}

/// The positions that a game has visited: board key and state.
#[derive(Default)]
struct SeenPositions {
    few: Vec<(u64, u32)>,
    /// Beyond so many that looking through them is quicker.
    many: HashSet<(u64, u32), FixedState>,
}

impl SeenPositions {
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

/// The first visit of each position of a game's frequent structures; `keys` are
/// its structures up to the last that is looked at.
#[inline]
fn visits_of<C: Cursor>(
    start: &C,
    mut plies: &[u8],
    keys: &[u32],
    coarse: &Coarse,
    seen: &mut SeenPositions,
    mut emit: impl FnMut(u64, u64),
) {
    let mut walk = start.clone();
    let recurs = walk.structure_recurs();
    let mut structure = walk.structure();
    let mut keys = keys.iter().map(|key| {
        let key = coarse.truncate(*key);
        (is_set(&coarse.frequent, key), is_set(&coarse.crowded, key))
    });
    let Some((mut frequent, mut crowded)) = keys.next() else {
        return;
    };
    seen.clear();
    loop {
        let here = frequent.then(|| (walk.board_key(), walk.state_bits(), walk.turn()));
        let next = walk.peek(&mut plies);
        if let Some((key, state, turn)) = here
            && seen.insert((key, state))
        {
            let next = next.unwrap_or(hot::ENDS);
            emit(
                key,
                u64::from(state) << 24
                    | u64::from(next) << 8
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
            match keys.next() {
                Some(class) => (frequent, crowded) = class,
                None => return,
            }
        }
    }
}

const fn game_of(visit: u64) -> u32 {
    (visit >> 44) as u32
}

/// Files all visits of one board, sorted by game: as hot, as rare, or not at all.
fn file_position(
    facts: &[PackedFacts],
    visits: &[Visit],
    writer: &mut HotWriter,
    rare: &mut Vec<u64>,
) {
    let key = visits[0].0;
    // A game visits a board twice only in different states, so neighbours tell.
    let games = visits.chunk_by(|a, b| game_of(a.1) == game_of(b.1)).count();
    if games < HOT_GAMES_MIN {
        if visits[0].1 & 1 == 1 {
            rare.extend(
                visits
                    .iter()
                    .map(|visit| key >> GAME_BITS << GAME_BITS | u64::from(game_of(visit.1))),
            );
        }
        return;
    }
    let turn = (visits[0].1 >> 1 & 1) as usize;
    let mut states: Vec<u32> = visits
        .iter()
        .map(|visit| (visit.1 >> 24 & 0xf_ffff) as u32)
        .collect();
    states.sort_unstable();
    states.dedup();
    let states: Vec<HotState> = states
        .into_iter()
        .map(|state| {
            let here = || {
                visits
                    .iter()
                    .filter(move |visit| (visit.1 >> 24 & 0xf_ffff) as u32 == state)
            };
            let next = |visit: &Visit| (visit.1 >> 8) as u16;
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
            let mut found = HotState {
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
    writer.push(key, &hot::write_entry(key, &states));
}
