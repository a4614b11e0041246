//! Top games: of a position that thousands of games reach, what an explorer shows of them, so that
//! it need not look at each: its games of the highest ratings and its newest ones, the sums of the
//! games with a result, and the one game of a move that was played once.
//!
//! They are packed like [popular positions](super::popular), each entry with its board key and the bytes of
//! its body, in blocks that are filed under the top 40 bits of their first keys. A body is bits:
//!
//! ```text
//! gamma           number of states
//! for each state that at least `TOP_GAMES_MIN` games have:
//!   20 bits       the state
//!   gamma         distinct next moves, in the order of the popular position
//!   for each of them:
//!     1 bit       whether some of its games have no result; then the sums of those that have
//!     1 bit       whether it has one game, or one with a result; then
//!     24 bits     that game
//!   gamma         number of top games, and 1
//!   for each of them, ascending:
//!     24 bits     the game
//!     gamma       the number of its move, from 1
//! ```
//!
//! A segment has a block at least, if an empty one.

use std::cmp::Reverse;

use super::{
    Block,
    popular::{self, ENDS, EntryWriter, PopularState, Tally},
};
use crate::blocks::{
    BLOCK_BYTES,
    bits::{BitReader, BitWriter},
    facts::PackedFacts,
};

/// A position met in this many games of a segment has top games.
pub const TOP_GAMES_MIN: usize = 2048;

/// This many games of the highest ratings are among the top games, as many of the last days, and as
/// many of those that were imported first of the last day of these.
pub const TOP_GAMES: usize = 16;

const GAME_BITS: u32 = 24;
/// How many of the low bits of a key a block's first key is without.
pub(super) const KEY_SHIFT: u32 = 24;

/// What the top games of a position in one state say of a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MoveTopGames {
    /// The sums of its games with a result, where others have none.
    pub decided: Option<Tally>,
    /// Its only game; if it has several, the only one with a result.
    pub single: Option<u32>,
}

/// The top games of a position in one state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TopGames {
    state: u32,
    /// What is said of each move, in the order of the popular position.
    pub moves: Vec<MoveTopGames>,
    /// The games, ascending, with the index of their move. All have a result, and go on.
    pub games: Vec<(u32, u16)>,
}

/// What the greatest of games are ranked by.
type TopGameRank = (u32, u32, Reverse<u32>);

/// The greatest of games, the greatest first: few of thousands come among them.
struct TopRanks(Vec<(TopGameRank, (u32, u16))>);

impl TopRanks {
    #[inline]
    fn offer(&mut self, rank: TopGameRank, game: (u32, u16)) {
        if self.0.len() == TOP_GAMES {
            if self.0[TOP_GAMES - 1].0 >= rank {
                return;
            }
            self.0.pop();
        }
        let place = self.0.partition_point(|(other, _)| *other > rank);
        self.0.insert(place, (rank, game));
    }
}

impl TopGames {
    /// Whether there are still `most` of the highest ratings, and of the newest, once some games
    /// are left out.
    pub fn are_enough(&self, most: usize, mut is_out: impl FnMut(u32) -> bool) -> bool {
        let gone = self.games.iter().filter(|(game, _)| is_out(*game));
        gone.count() + most <= TOP_GAMES
    }

    /// Those of a popular position, whose games are all read; `facts` are those of a segment's game,
    /// `turn` is the side that moves (0 the first).
    fn of(list: &PopularState, facts: impl Fn(u32) -> PackedFacts, turn: usize) -> Self {
        // Of each move: how many games, those with a result, and the last of either.
        let mut told = vec![(0, Tally::default(), [0; 2]); list.moves.len()];
        for &(game, next) in &list.games {
            let (count, decided, last) = &mut told[usize::from(next)];
            let facts = facts(game);
            *count += 1;
            last[0] = game;
            if facts.outcome != 0 {
                decided.add(&facts, turn);
                last[1] = game;
            }
        }
        let of_move =
            |(count, decided, [last, last_decided]): (u64, Tally, [u32; 2])| MoveTopGames {
                decided: (decided.games != count).then_some(decided),
                single: match (count, decided.games) {
                    (1, _) => Some(last),
                    (_, 1) => Some(last_decided),
                    _ => None,
                },
            };
        let mut greatest = [const { TopRanks(Vec::new()) }; 3];
        for &(game, next) in &list.games {
            let facts = facts(game);
            if facts.outcome == 0 || list.moves[usize::from(next)] == ENDS {
                continue;
            }
            // The last imported of equal ones, and of days the first as well.
            let last = Reverse(u32::MAX - game);
            let ranks = [
                (facts.white_elo + facts.black_elo, facts.date, last),
                (facts.date, 0, last),
                (facts.date, 0, Reverse(game)),
            ];
            for (greatest, rank) in greatest.iter_mut().zip(ranks) {
                greatest.offer(rank, (game, next));
            }
        }
        let greatest = greatest.into_iter().flat_map(|greatest| greatest.0);
        let mut games: Vec<(u32, u16)> = greatest.map(|(_, game)| game).collect();
        games.sort_unstable();
        games.dedup();
        Self {
            state: list.state,
            moves: told.into_iter().map(of_move).collect(),
            games,
        }
    }

    fn write(&self, bits: &mut BitWriter) {
        bits.put(u64::from(self.state), 20);
        bits.put_gamma(self.moves.len() as u64);
        for led in &self.moves {
            bits.put(u64::from(led.decided.is_some()), 1);
            if let Some(sum) = led.decided {
                sum.write(bits);
            }
            bits.put(u64::from(led.single.is_some()), 1);
            if let Some(game) = led.single {
                bits.put(u64::from(game), GAME_BITS);
            }
        }
        bits.put_gamma(self.games.len() as u64 + 1);
        for &(game, next) in &self.games {
            bits.put(u64::from(game), GAME_BITS);
            bits.put_gamma(u64::from(next) + 1);
        }
    }

    /// `None`: the body is damaged.
    fn read(bits: &mut BitReader<'_>) -> Option<Self> {
        let state = bits.take(20) as u32;
        let count = bits.take_gamma();
        if count > 1 << 16 {
            return None;
        }
        let mut moves = Vec::new();
        for _ in 0..count {
            let decided = (bits.take(1) == 1).then(|| Tally::read(bits));
            let single = (bits.take(1) == 1).then(|| bits.take(GAME_BITS) as u32);
            if bits.is_past_end() {
                return None;
            }
            moves.push(MoveTopGames { decided, single });
        }
        let count = bits.take_gamma() - 1;
        if count > 3 * TOP_GAMES as u64 {
            return None;
        }
        let mut games = Vec::new();
        for _ in 0..count {
            let game = bits.take(GAME_BITS) as u32;
            let next = u16::try_from(bits.take_gamma() - 1).ok()?;
            if usize::from(next) >= moves.len() {
                return None;
            }
            games.push((game, next));
        }
        (!bits.is_past_end()).then_some(Self {
            state,
            moves,
            games,
        })
    }
}

/// Gathers the top games of a segment.
#[derive(Debug)]
pub struct TopGamesWriter(EntryWriter);

impl Default for TopGamesWriter {
    fn default() -> Self {
        Self(EntryWriter::top_games(BLOCK_BYTES))
    }
}

impl TopGamesWriter {
    /// Adds those of a popular position that has some; keys must ascend.
    pub fn push(
        &mut self,
        key: u64,
        states: &[PopularState],
        facts: impl Fn(u32) -> PackedFacts,
        turn: usize,
    ) {
        if let Some(entry) = entry(key, states, facts, turn) {
            self.0.push(key, &entry);
        }
    }

    /// Ends the block that is being filled, if one is.
    pub(super) fn close(&mut self) {
        self.0.close();
    }

    /// The blocks.
    pub fn finish(self) -> Vec<Block> {
        self.0.finish()
    }
}

/// The entry of a popular position that has top games; all games of its states are read.
pub(super) fn entry(
    key: u64,
    states: &[PopularState],
    facts: impl Fn(u32) -> PackedFacts,
    turn: usize,
) -> Option<Vec<u8>> {
    let led = states
        .iter()
        .filter(|list| list.count >= TOP_GAMES_MIN as u64);
    let led: Vec<TopGames> = led.map(|list| TopGames::of(list, &facts, turn)).collect();
    if led.is_empty() {
        return None;
    }
    let mut bits = BitWriter::default();
    bits.put_gamma(led.len() as u64);
    for top_games in &led {
        top_games.write(&mut bits);
    }
    Some(popular::entry(key, &bits.finish()))
}

/// The blocks of a segment: those of its parts, or an empty one.
pub fn whole(blocks: Vec<Block>) -> Vec<Block> {
    if blocks.is_empty() {
        return vec![Block::of(0, 0, &[])];
    }
    blocks
}

/// The greatest key that the block that should hold a board key can be filed under.
pub const fn row_key(key: u64) -> u64 {
    key >> KEY_SHIFT
}

/// Finds the top games of a position in a state in the block that should hold it; `Some(None)`: it
/// has none. `None`: the block is damaged.
pub fn find(block: &[u8], key: u64, state: u32) -> Option<Option<TopGames>> {
    let Some(body) = popular::find_body(block, key).ok()? else {
        return Some(None);
    };
    let mut bits = BitReader::new(body);
    for _ in 0..bits.take_gamma() {
        let top_games = TopGames::read(&mut bits)?;
        if top_games.state == state {
            return Some(Some(top_games));
        }
    }
    Some(None)
}

#[cfg(test)]
mod tests {
    use fastrand::Rng;
    use proptest::prelude::*;

    use super::*;

    /// Facts of games, and lists of all of them in two states.
    fn made(games: u32) -> (Vec<PackedFacts>, Vec<PopularState>) {
        let mut random = Rng::with_seed(5);
        let facts = (0..games).map(|_| PackedFacts {
            date: 20_200_101 + random.u32(0..9),
            outcome: random.u32(0..4),
            white_elo: random.u32(2000..2020),
            black_elo: random.u32(2000..2020),
            ..PackedFacts::default()
        });
        let facts = facts.collect();
        let list = |state, from| {
            let games: Vec<(u32, u16)> = (from..games)
                .map(|game| {
                    (
                        game,
                        if game == from + 7 {
                            2
                        } else {
                            (game % 2) as u16
                        },
                    )
                })
                .collect();
            PopularState {
                state,
                moves: vec![796, ENDS, 405],
                sums: None,
                count: games.len() as u64,
                games,
            }
        };
        (facts, vec![list(3, 0), list(9, 3000)])
    }

    #[test]
    fn leaders_are_the_greatest_and_tell_the_sums() {
        let (facts, states) = made(4000);
        let mut writer = TopGamesWriter::default();
        writer.push(1 << 60, &states, |game| facts[game as usize], 1);
        let blocks = writer.finish();
        assert_eq!(blocks[0].first_key, row_key(1 << 60));
        let found = |key, state| find(&blocks[0].bytes, key, state).unwrap();
        assert_eq!(found(1 << 60, 9), None, "only 1000 games");
        assert_eq!(found(1 << 61, 3), None);
        let led = found(1 << 60, 3).unwrap();
        // By sorting all.
        let mut all: Vec<u32> = (0..4000)
            .filter(|&game| facts[game as usize].outcome != 0)
            .filter(|&game| game % 2 == 0 || game == 7)
            .collect();
        let mut expected = Vec::new();
        let elos = |facts: &PackedFacts| facts.white_elo + facts.black_elo;
        let of = |game: &u32| facts[*game as usize];
        all.sort_by_key(|game| Reverse((elos(&of(game)), of(game).date, *game)));
        expected.extend_from_slice(&all[..TOP_GAMES]);
        all.sort_by_key(|game| Reverse((of(game).date, *game)));
        expected.extend_from_slice(&all[..TOP_GAMES]);
        all.sort_by_key(|game| (Reverse(of(game).date), *game));
        expected.extend_from_slice(&all[..TOP_GAMES]);
        expected.sort_unstable();
        expected.dedup();
        let games: Vec<u32> = led.games.iter().map(|(game, _)| *game).collect();
        assert_eq!(games, expected);
        let mut sum = Tally::default();
        for game in (0..4000).step_by(2).filter(|game| of(game).outcome != 0) {
            sum.add(&of(&game), 1);
        }
        assert_eq!(led.moves[0].decided, Some(sum));
        assert_eq!(led.moves[2].single, Some(7));
        assert_eq!(led.moves[0].single, None);
    }

    proptest! {
        #[test]
        fn damaged_blocks_do_no_harm(block in prop::collection::vec(any::<u8>(), 0..200), key: u64) {
            let _ = find(&block, key, 0);
        }
    }
}
