//! The position index as plain bytes: how postings, popular positions, facts and
//! moves are laid out in blocks, and how a segment of them is built. Pure
//! functions of the games; never sees tokens, SQL or files.
//!
//! The design and the measurements for it are in `docs/position-index.md`.

pub mod build;
pub mod columns;
pub mod merge;
pub mod popular;
pub mod posting;
pub mod signatures;
pub mod sort;
pub mod top_games;

/// What is filed of the positions of a segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SegmentThresholds {
    /// A position that at least this many games reach has a list of its own: it is popular.
    pub popular_min: usize,
    /// A structure that more games have is crowded: rare positions within it are filed by their own
    /// key, so that a look-up never replays more games than this.
    pub replays_max: usize,
}

impl SegmentThresholds {
    /// Those of a segment of up to [`SEGMENT_GAMES_MAX`] games.
    pub const SMALL: Self = Self {
        popular_min: 8,
        replays_max: 512,
    };

    /// Those of a segment of a number of games. In a large one more positions are met in a few games: a
    /// list of each would make the index larger, so lists begin with twice as many for each four times
    /// as many games. Fewer are replayed, for they stand further from each other, and fine postings are
    /// a smaller part of it.
    pub const fn of(games: u64) -> Self {
        match (games / SEGMENT_GAMES_MAX as u64).checked_ilog2() {
            None => Self::SMALL,
            Some(doublings) => Self {
                popular_min: Self::SMALL.popular_min << (doublings / 2),
                replays_max: 128,
            },
        }
    }
}

/// A popular position met in this many games carries its results summed up.
pub const SUMMED_GAMES_MIN: usize = 256;

/// Games a segment holds at most (twenty bits of a record).
pub const SEGMENT_GAMES_MAX: usize = 1 << 19;

/// Plies a segment holds at most; bounds the memory of building one.
pub const SEGMENT_PLIES_MAX: usize = 48 << 20;

/// Structures of its main lines beyond which a segment takes no further games, likewise;
/// games as people play them reach the bounds above first.
pub const SEGMENT_STRUCTURES_MAX: usize = 32 << 20;

/// The same for structures met inside variations, game by game.
pub const SEGMENT_VARIATIONS_MAX: usize = 12 << 20;

/// A finished block of postings or of popular positions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// What it is filed under: its first key, as far as it is kept.
    pub first_key: u64,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

impl Block {
    /// A block of `count` entries.
    fn of(first_key: u64, count: u16, entries: &[u8]) -> Self {
        let bytes = [&count.to_le_bytes(), entries].concat();
        Self { first_key, bytes }
    }
}
