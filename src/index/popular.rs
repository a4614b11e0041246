//! Hot positions: those met in [`popular_min`](super::SegmentThresholds) games or
//! more, each with its games and the move each game played there first.
//!
//! A block holds entries in ascending order of the board key:
//!
//! ```text
//! u16 little endian   number of entries
//! for each entry:
//!   u64 little endian board key
//!   varint            bytes of the body
//!   body, bits:
//!     gamma           number of states (castling, en passant)
//!     for each state:
//!       20 bits       the state
//!       gamma         games
//!       gamma         distinct next moves, "the game ends" included
//!       16 bits each  the moves, most played first (0xffff: the game ends)
//!       1 bit         whether sums follow; then for each move its sums
//!       5 bits        shift
//!       for each game rice(shift) of the game less the one before less 1,
//!                     and, if there are several moves, its move in unary
//! ```
//!
//! Games are numbered from 0 within the segment. Entries whose keys agree in
//! the top 48 bits share a block, because the block is filed under those.

use super::{
    Block,
    build::RANGE_BITS,
    top_games::{self, TopGamesWriter},
};
use crate::{
    base::varint::{put_varint, take_varint},
    blocks::{
        bits::{BitReader, BitWriter, rice_shift},
        facts::PackedFacts,
    },
};

/// How many of the low bits of a key a block's first key is without.
const KEY_SHIFT: u32 = 16;

/// Stands for "the game ends here" among next moves.
pub const ENDS: u16 = u16::MAX;

/// Results and ratings of some games, summed up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tally {
    /// Games.
    pub games: u64,
    /// Games by outcome code: unknown, first side won, second side won, drawn.
    pub outcomes: [u64; 4],
    /// Games in which the rating of the side that moves is known.
    pub rated: u64,
    /// Sum of those ratings.
    pub rating_sum: u64,
    /// Games with a result whose opponent is rated.
    pub opposed: u64,
    /// Sum of those opponents' ratings.
    pub opponent_sum: u64,
    /// Half points of the side that moves in those games.
    pub opposed_half_points: u64,
    /// First known year, 0 for none.
    pub first_year: u64,
    /// Last known year, 0 for none.
    pub last_year: u64,
}

impl Tally {
    /// Counts a game; `turn` is the side that moves in the position (0 the first).
    pub fn add(&mut self, facts: &PackedFacts, turn: usize) {
        self.games += 1;
        self.outcomes[facts.outcome as usize & 3] += 1;
        let (own, opponent) = match turn {
            0 => (facts.white_elo, facts.black_elo),
            _ => (facts.black_elo, facts.white_elo),
        };
        if own > 0 {
            self.rated += 1;
            self.rating_sum += u64::from(own);
        }
        if opponent > 0 && facts.outcome != 0 {
            self.opposed += 1;
            self.opponent_sum += u64::from(opponent);
            self.opposed_half_points += match (facts.outcome, turn) {
                (3, _) => 1,
                (1, 0) | (2, 1) => 2,
                _ => 0,
            };
        }
        let year = facts.year().map_or(0, u64::from);
        self.add_years(year, year);
    }

    fn add_years(&mut self, first: u64, last: u64) {
        if first > 0 && (self.first_year == 0 || first < self.first_year) {
            self.first_year = first;
        }
        self.last_year = self.last_year.max(last);
    }

    /// Adds another tally's games.
    pub fn merge(&mut self, other: &Self) {
        self.games += other.games;
        for (own, others) in self.outcomes.iter_mut().zip(other.outcomes) {
            *own += others;
        }
        self.rated += other.rated;
        self.rating_sum += other.rating_sum;
        self.opposed += other.opposed;
        self.opponent_sum += other.opponent_sum;
        self.opposed_half_points += other.opposed_half_points;
        self.add_years(other.first_year, other.last_year);
    }

    /// The same without a game that was counted, as [`add`](Self::add) has it; `None` if it cannot
    /// have been. The years may still be those of the game.
    pub fn without(mut self, facts: &PackedFacts, turn: usize) -> Option<Self> {
        let mut its = Self::default();
        its.add(facts, turn);
        self.games = self.games.checked_sub(its.games)?;
        let [sums @ .., _, _] = self.numbers();
        let [its_sums @ .., _, _] = its.numbers();
        for (sum, its) in sums.into_iter().zip(its_sums) {
            *sum = sum.checked_sub(*its)?;
        }
        Some(self)
    }

    /// What is stored of it, in order: all but the number of games, which the outcomes give.
    const fn numbers(&mut self) -> [&mut u64; 11] {
        let [unknown, first, second, drawn] = &mut self.outcomes;
        [
            unknown,
            first,
            second,
            drawn,
            &mut self.rated,
            &mut self.rating_sum,
            &mut self.opposed,
            &mut self.opponent_sum,
            &mut self.opposed_half_points,
            &mut self.first_year,
            &mut self.last_year,
        ]
    }

    pub(super) fn write(mut self, bits: &mut BitWriter) {
        for number in self.numbers() {
            bits.put_gamma(*number + 1);
        }
    }

    pub(super) fn read(bits: &mut BitReader<'_>) -> Self {
        let mut tally = Self::default();
        for number in tally.numbers() {
            *number = bits.take_gamma() - 1;
        }
        let games = tally.outcomes.iter();
        tally.games = games.fold(0, |sum, n| sum.saturating_add(*n));
        tally
    }
}

/// A popular position in one state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PopularState {
    /// Castling rights and en passant, as the family of rules packs them (20 bits).
    pub state: u32,
    /// The next moves, most played first; [`ENDS`] where games end.
    pub moves: Vec<u16>,
    /// The sums of each of those moves, where the position has them.
    pub sums: Option<Vec<Tally>>,
    /// How many games.
    pub count: u64,
    /// The games, ascending, with the index of their move in `moves`; empty if
    /// they were not requested.
    pub games: Vec<(u32, u16)>,
}

/// Encodes the body of an entry.
pub fn write_entry(key: u64, states: &[PopularState]) -> Vec<u8> {
    let mut bits = BitWriter::default();
    bits.put_gamma(states.len() as u64);
    for state in states {
        bits.put(u64::from(state.state), 20);
        bits.put_gamma(state.games.len() as u64);
        bits.put_gamma(state.moves.len() as u64);
        for &next in &state.moves {
            bits.put(u64::from(next), 16);
        }
        bits.put(u64::from(state.sums.is_some()), 1);
        for sum in state.sums.iter().flatten() {
            sum.write(&mut bits);
        }
        let (count, last) = (
            state.games.len() as u64,
            state.games.last().map_or(0, |game| game.0),
        );
        let shift = rice_shift(u64::from(last) + 1 - count, count);
        bits.put(u64::from(shift), 5);
        let mut following = 0;
        for &(game, next) in &state.games {
            bits.put_rice(u64::from(game - following), shift);
            following = game + 1;
            if state.moves.len() > 1 {
                bits.put_unary(u64::from(next));
            }
        }
    }
    entry(key, &bits.finish())
}

/// An entry with a board key and a body.
pub(super) fn entry(key: u64, body: &[u8]) -> Vec<u8> {
    let mut entry = key.to_le_bytes().to_vec();
    put_varint(body.len() as u64, &mut entry);
    entry.extend_from_slice(body);
    entry
}

/// The greatest key that the block that should hold a board key can be filed under.
pub const fn row_key(key: u64) -> u64 {
    key >> KEY_SHIFT
}

/// Finds the entry of a board key in the block that should hold it; an empty
/// list if it is not there. At most `games_max` games of each state are read.
/// `None`: the block is damaged.
pub fn find(block: &[u8], key: u64, games_max: u64) -> Option<Vec<PopularState>> {
    match find_body(block, key).ok()? {
        Some(body) => read_body(body, games_max),
        None => Some(Vec::new()),
    }
}

/// Calls `each` with the games of the entry of a board key, if it is in the block, one state after the
/// other: with that state, the game, and the index of its move. `None`: the block is damaged.
pub fn each_game(block: &[u8], key: u64, each: impl FnMut(u32, u32, u16)) -> Option<()> {
    match find_body(block, key).ok()? {
        Some(body) => read_lists(body, 0, true, each).map(drop),
        None => Some(()),
    }
}

/// A block is not as it was written.
pub(super) struct DamagedBlock;

/// The body of the entry of a board key, if it is there.
pub(super) fn find_body(block: &[u8], key: u64) -> Result<Option<&[u8]>, DamagedBlock> {
    for entry in entries(block) {
        let entry = entry.ok_or(DamagedBlock)?;
        if entry.key == key {
            return Ok(Some(entry.body));
        }
    }
    Ok(None)
}

/// An entry of a block.
pub(super) struct PopularEntry<'b> {
    /// Its board key.
    pub(super) key: u64,
    /// All of it, as [`entry`] makes it.
    pub(super) bytes: &'b [u8],
    /// Its body.
    body: &'b [u8],
}

/// The entries of a block, in order; `None` where it is damaged.
pub(super) fn entries(block: &[u8]) -> impl Iterator<Item = Option<PopularEntry<'_>>> {
    let (count, mut rest) = match block.split_first_chunk::<2>() {
        Some((count, rest)) => (u16::from_le_bytes(*count), rest),
        // One entry that cannot be read.
        None => (1, block),
    };
    (0..count).map(move |_| {
        let (key, mut body) = rest.split_first_chunk::<8>()?;
        let length = usize::try_from(take_varint(&mut body)?).ok()?;
        let (body, behind) = body.split_at_checked(length)?;
        let entry = PopularEntry {
            key: u64::from_le_bytes(*key),
            bytes: &rest[..rest.len() - behind.len()],
            body,
        };
        rest = behind;
        Some(entry)
    })
}

/// The part of the popular positions of a segment that a build looks at: large segments are cut by
/// ranges of keys, and no block has entries of two.
#[derive(Debug, Clone, Copy)]
pub struct PopularKeyRange {
    is_cut: bool,
    now: u64,
}

impl PopularKeyRange {
    /// Before the first of a segment's blocks; it needs those that [ends](Self::ends) of parts may
    /// be in. `None`: one is damaged.
    pub fn of(blocks: &[Block]) -> Option<Self> {
        let mut is_cut = true;
        for block in blocks {
            let mut keys = entries(&block.bytes).map(|entry| entry.map(|entry| entry.key));
            let (first, last) = (keys.next().unwrap_or(Some(0))?, keys.last());
            is_cut &=
                last.is_none_or(|last| last.is_some_and(|last| part_of(first) == part_of(last)));
        }
        Some(Self { is_cut, now: 0 })
    }

    /// The keys with which all parts but the first begin.
    pub fn ends() -> impl Iterator<Item = u64> {
        (1..1 << RANGE_BITS).map(|part| part << (64 - RANGE_BITS))
    }

    /// The same at the part that has a key.
    pub(super) const fn at(self, key: u64) -> Self {
        Self {
            now: part_of(key),
            ..self
        }
    }

    /// Whether it ends before a key, so that the next begins.
    pub(super) fn ends_before(&mut self, key: u64) -> bool {
        let before = std::mem::replace(&mut self.now, part_of(key));
        self.is_cut && before != self.now
    }
}

const fn part_of(key: u64) -> u64 {
    key >> (64 - RANGE_BITS)
}

/// The blocks of [`top_games`] of a segment, made of those of its popular positions; `facts` are
/// those of its games, in order, and `turn_of` says which side moves (0 the first) where a game is
/// when it has a board key. `None`: a block is damaged.
pub fn top_games_of<E>(
    blocks: &[Block],
    facts: &[PackedFacts],
    mut turn_of: impl FnMut(u32, u64) -> Result<usize, E>,
) -> Result<Option<Vec<Block>>, E> {
    let mut writer = TopGamesWriter::default();
    let Some(mut part) = PopularKeyRange::of(blocks) else {
        return Ok(None);
    };
    for entry in blocks.iter().flat_map(|block| entries(&block.bytes)) {
        let Some(PopularEntry { key, body, .. }) = entry else {
            return Ok(None);
        };
        if part.ends_before(key) {
            writer.close();
        }
        // Long ones alone are read.
        if body.len() * 8 < top_games::TOP_GAMES_MIN {
            continue;
        }
        let Some(states) = read_body(body, u64::MAX) else {
            return Ok(None);
        };
        let first = states.first().and_then(|list| list.games.first());
        if let Some(&(game, _)) = first {
            let last = states.iter().filter_map(|list| list.games.last());
            if last.clone().any(|(game, _)| *game as usize >= facts.len()) {
                return Ok(None);
            }
            let turn = turn_of(game, key)?;
            writer.push(key, &states, |game| facts[game as usize], turn);
        }
    }
    Ok(Some(top_games::whole(writer.finish())))
}

impl PopularState {
    /// The sums of its moves; `facts` are those of a game of the segment, `turn` is the side that
    /// moves (0 the first).
    pub fn sum_up(&self, facts: impl Fn(u32) -> PackedFacts, turn: usize) -> Vec<Tally> {
        let mut sums = vec![Tally::default(); self.moves.len()];
        for &(game, at) in &self.games {
            sums[usize::from(at)].add(&facts(game), turn);
        }
        sums
    }
}

pub(super) fn read_body(body: &[u8], games_max: u64) -> Option<Vec<PopularState>> {
    read_lists(body, games_max, false, |_, _, _| ())
}

/// The lists of an entry, each with its first `games_max` games. `each` is called with the games of
/// every list that is not the last, and of the last as far as it is kept, unless `reads_all`.
fn read_lists(
    body: &[u8],
    games_max: u64,
    reads_all: bool,
    mut each: impl FnMut(u32, u32, u16),
) -> Option<Vec<PopularState>> {
    let mut bits = BitReader::new(body);
    let count = bits.take_gamma();
    let mut states = Vec::new();
    for _ in 0..count {
        let state = bits.take(20) as u32;
        let games = bits.take_gamma();
        let moves = bits.take_gamma();
        if bits.is_past_end() || moves > 1 << 16 {
            return None;
        }
        let moves: Vec<u16> = (0..moves).map(|_| bits.take(16) as u16).collect();
        let sums =
            (bits.take(1) == 1).then(|| moves.iter().map(|_| Tally::read(&mut bits)).collect());
        let shift = bits.take(5) as u32;
        // All but the last list must be read to get at what follows them.
        let is_last = states.len() as u64 + 1 == count;
        let kept = games.min(games_max);
        let read = if is_last && !reads_all { kept } else { games };
        let mut list = Vec::with_capacity(kept.min(body.len() as u64 * 8) as usize);
        let mut following = 0u32;
        for at in 0..read {
            let game = following.wrapping_add(bits.take_rice(shift) as u32);
            following = game.wrapping_add(1);
            let next = if moves.len() > 1 {
                bits.take_unary() as u16
            } else {
                0
            };
            if bits.is_past_end() || usize::from(next) >= moves.len() {
                return None;
            }
            each(state, game, next);
            if at < kept {
                list.push((game, next));
            }
        }
        states.push(PopularState {
            state,
            moves,
            sums,
            count: games,
            games: list,
        });
    }
    Some(states)
}

/// Gathers entries into blocks, which are filed under the top bits of their first keys.
#[derive(Debug)]
pub struct EntryWriter {
    block_bytes: usize,
    /// How many of the low bits of a key they are filed without.
    key_shift: u32,
    entries: Vec<u8>,
    count: u16,
    first_key: u64,
    last_key: u64,
    blocks: Vec<Block>,
}

impl EntryWriter {
    /// A writer of popular positions, in blocks of `block_bytes` bytes.
    pub const fn popular(block_bytes: usize) -> Self {
        Self::new(block_bytes, KEY_SHIFT)
    }

    /// A writer of [`top_games`].
    pub const fn top_games(block_bytes: usize) -> Self {
        Self::new(block_bytes, top_games::KEY_SHIFT)
    }

    /// The greatest key that a block with a key can be filed under.
    pub(super) const fn row_key(&self, key: u64) -> u64 {
        key >> self.key_shift
    }

    /// A writer of blocks of `block_bytes` bytes, filed under keys without `key_shift` bits.
    const fn new(block_bytes: usize, key_shift: u32) -> Self {
        Self {
            block_bytes,
            key_shift,
            entries: Vec::new(),
            count: 0,
            first_key: 0,
            last_key: 0,
            blocks: Vec::new(),
        }
    }

    /// Adds an entry; keys must ascend.
    pub fn push(&mut self, key: u64, entry: &[u8]) {
        let full =
            self.entries.len() + entry.len() + 2 > self.block_bytes || self.count == u16::MAX;
        let is_other = key >> self.key_shift != self.last_key >> self.key_shift;
        if self.count > 0 && full && is_other {
            self.close();
        }
        if self.count == 0 {
            self.first_key = key >> self.key_shift;
        }
        self.entries.extend_from_slice(entry);
        self.count += 1;
        self.last_key = key;
    }

    /// Ends the block that is being filled, if one is.
    pub(super) fn close(&mut self) {
        if self.count == 0 {
            return;
        }
        let entries = std::mem::take(&mut self.entries);
        let block = Block::of(self.first_key, self.count, &entries);
        self.blocks.push(block);
        self.count = 0;
    }

    /// Whether the block that is being filled ends where another one ends.
    pub(super) fn is_in_step_with(&self, other: &Block) -> bool {
        let bytes = size_of_val(&self.count) + self.entries.len();
        self.count > 0 && self.first_key == other.first_key && bytes == other.bytes.len()
    }

    /// The blocks.
    pub fn finish(mut self) -> Vec<Block> {
        self.close();
        self.blocks
    }
}
