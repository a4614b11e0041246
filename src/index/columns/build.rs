//! Builds the columns of a segment from its main lines.

use std::{
    collections::{BTreeMap, HashMap},
    ops::Range,
    sync::{Mutex, PoisonError},
};

use foldhash::fast::FixedState;

use super::{Stream, page_key, set};
use crate::{
    base::varint::{put_bytes, put_varint},
    blocks::{BLOCK_BYTES, bits::BitWriter},
    games::AnyPosition,
    index::{
        Block,
        build::{BuildContext, SegmentGames, pieces},
    },
    query::pattern::game_summary::{GameEvent, GameSummarizer, GameSummary, PieceIndex},
};

/// Different numbers of pieces whose sets a thread writes at a time.
const COUNTS_AT_ONCE: usize = 2048;

/// The traces of the games of a variant; the games are numbered from 0.
#[derive(Debug, Default)]
struct ColumnBuilder {
    /// Their numbers in the segment.
    games: Vec<u32>,
    /// By the codes of pieces.
    stood: Vec<PieceSquareColumn>,
    happened: HashMap<u16, Vec<u32>, FixedState>,
    counts: GameCounts,
}

/// Of each game, the squares on which a piece stood.
#[derive(Debug, Default)]
struct PieceSquareColumn {
    /// Those below 64, and those above; games after the last have none.
    low: Vec<u64>,
    high: Vec<u64>,
}

impl PieceSquareColumn {
    fn put(&mut self, game: usize, squares: u128, games_max: usize) {
        for (words, squares) in [
            (&mut self.low, squares as u64),
            (&mut self.high, (squares >> 64) as u64),
        ] {
            if squares != 0 {
                reserve_once(words, games_max);
                words.resize(game, 0);
                words.push(squares);
            }
        }
    }

    fn append(&mut self, games: usize, mut other: Self, games_max: usize) {
        for (words, others) in [
            (&mut self.low, &mut other.low),
            (&mut self.high, &mut other.high),
        ] {
            if !others.is_empty() {
                reserve_once(words, games_max);
                words.resize(games, 0);
                words.append(others);
            }
        }
    }

    /// Whether it never stood anywhere.
    fn is_empty(&self) -> bool {
        self.low.is_empty() && self.high.is_empty()
    }

    /// The set of each square, up to the last on which it stood, with how many games it has.
    fn written(&self, games: usize) -> Vec<(Vec<u8>, usize)> {
        let mut sets = Vec::new();
        for (of_games, first) in [(&self.low, 0), (&self.high, 64)] {
            let all = of_games.iter().fold(0, |all, word| all | word);
            let squares = 64 - all.leading_zeros() as usize;
            if squares == 0 {
                continue;
            }
            let mut of_squares = vec![Vec::new(); squares];
            for some in of_games.chunks(64) {
                let mut block = [0; 64];
                block[..some.len()].copy_from_slice(some);
                transpose(&mut block);
                for (words, word) in of_squares.iter_mut().zip(block) {
                    words.push(word);
                }
            }
            sets.resize(first, (Vec::new(), 0));
            let written = of_squares
                .iter()
                .map(|words| set::write_words(games, words));
            sets.extend(written);
        }
        sets
    }
}

/// Makes room for `count` words where there is none: they are not moved again as they become
/// more, and take no more than they are.
fn reserve_once(words: &mut Vec<u64>, count: usize) {
    if words.capacity() == 0 {
        words.reserve_exact(count);
    }
}

/// Turns a square of bits: bit `i` of word `j` becomes bit `j` of word `i`.
fn transpose(block: &mut [u64; 64]) {
    let (mut width, mut mask) = (32, u64::MAX >> 32);
    while width != 0 {
        let mut at = 0;
        while at < 64 {
            let moved = (block[at] >> width ^ block[at + width]) & mask;
            block[at] ^= moved << width;
            block[at + width] ^= moved;
            // The next word without that bit of its number.
            at = (at + width + 1) & !width;
        }
        width >>= 1;
        mask ^= mask << width;
    }
}

/// The numbers of pieces that there were at a time, each numbered when it is first met.
#[derive(Debug, Default)]
struct CountDictionary {
    /// By the codes of pieces and how many of each, in ascending order.
    numbers: HashMap<Box<[(u8, u8)]>, u32, FixedState>,
    /// Those of one [`GameSummarizer`]'s that were packed: found without a look at lists that lie
    /// elsewhere, in half the time.
    packed: HashMap<u128, u32, FixedState>,
}

impl CountDictionary {
    fn number(&mut self, counts: &[(u8, u8)]) -> u32 {
        if let Some(&known) = self.numbers.get(counts) {
            return known;
        }
        let number = self.numbers.len() as u32;
        self.numbers.insert(counts.into(), number);
        number
    }

    #[inline]
    fn packed_number(&mut self, packed: u128, places: &PieceIndex) -> u32 {
        if let Some(&known) = self.packed.get(&packed) {
            return known;
        }
        let number = self.number(&places.pieces(packed));
        self.packed.insert(packed, number);
        number
    }

    /// In the order of their numbers.
    fn ordered(&self) -> Vec<&[(u8, u8)]> {
        let mut all = vec![&[][..]; self.numbers.len()];
        for (counts, number) in &self.numbers {
            all[*number as usize] = counts;
        }
        all
    }

    /// Adds those of another, and returns their numbers here.
    fn add(&mut self, other: &Self) -> Vec<u32> {
        let counts = other.ordered().into_iter();
        counts.map(|counts| self.number(counts)).collect()
    }
}

/// The numbers of pieces that games had, by their numbers in a table.
#[derive(Debug, Default)]
struct GameCounts {
    /// Those of each game, one after the other, and where they end.
    of: Vec<u32>,
    ends: Vec<usize>,
}

impl GameCounts {
    fn push(&mut self, trace: &GameSummary, places: &PieceIndex, table: &mut CountDictionary) {
        let begin = self.of.len();
        let mut add = |number: u32| {
            if !self.of[begin..].contains(&number) {
                self.of.push(number);
            }
        };
        for packed in &trace.counts {
            add(table.packed_number(*packed, places));
        }
        for counts in &trace.other_counts {
            add(table.number(counts));
        }
        self.ends.push(self.of.len());
    }

    /// Adds those of the next games, which have other numbers in the table of all.
    fn append(&mut self, other: &Self, numbers: &[u32]) {
        let shift = self.of.len();
        self.of
            .extend(other.of.iter().map(|number| numbers[*number as usize]));
        self.ends.extend(other.ends.iter().map(|end| end + shift));
    }

    /// Those that games had, in ascending order: of each the numbers of these kinds of pieces, and
    /// the games.
    fn sorted(&self, table: &[&[(u8, u8)]], kinds: &[u8]) -> DistinctCounts {
        let mut games_of = vec![0; table.len()];
        for number in &self.of {
            games_of[*number as usize] += 1;
        }
        let width = kinds.len();
        let mut rows = Vec::new();
        let mut order = Vec::new();
        for (number, _) in games_of.iter().enumerate().filter(|(_, games)| **games > 0) {
            order.push((number, rows.len()..rows.len() + width));
            let mut counts = table[number].iter().peekable();
            rows.extend(kinds.iter().map(|kind| {
                let here = counts.next_if(|(code, _)| code == kind);
                here.map_or(0, |(_, count)| *count)
            }));
        }
        order.sort_unstable_by(|(_, one), (_, other)| rows[one.clone()].cmp(&rows[other.clone()]));
        // Where the games of each begin; once they are there, where they end.
        let mut places = games_of;
        let mut begin = 0;
        for (number, _) in &order {
            begin += std::mem::replace(&mut places[*number], begin);
        }
        let mut games = vec![0; self.of.len()];
        let mut of = self.of.iter();
        let mut before = 0;
        for (game, &end) in (0..).zip(&self.ends) {
            for number in of.by_ref().take(end - before) {
                let place = &mut places[*number as usize];
                games[*place] = game;
                *place += 1;
            }
            before = end;
        }
        DistinctCounts {
            ends: order.iter().map(|(number, _)| places[*number]).collect(),
            rows: order.into_iter().map(|(_, row)| row).collect(),
            counts: rows,
            games,
        }
    }
}

/// Different numbers of pieces, in ascending order.
struct DistinctCounts {
    /// The numbers of each kind of piece, and where those are that belong together.
    counts: Vec<u8>,
    rows: Vec<Range<usize>>,
    /// The games that had them, one list after the other, and where these end.
    games: Vec<u32>,
    ends: Vec<usize>,
}

impl DistinctCounts {
    fn of_kind(&self, kind: usize) -> impl Iterator<Item = u8> + Clone {
        self.rows
            .iter()
            .map(move |row| self.counts[row.start + kind])
    }

    fn games(&self, row: usize) -> &[u32] {
        let begin = row.checked_sub(1).map_or(0, |last| self.ends[last]);
        &self.games[begin..self.ends[row]]
    }
}

impl ColumnBuilder {
    /// Adds a game of a piece of `games_max` games.
    fn push(
        &mut self,
        game: u32,
        (trace, places): (&GameSummary, &PieceIndex),
        table: &mut CountDictionary,
        games_max: usize,
    ) {
        let number = self.games.len();
        self.games.push(game);
        for (code, squares) in &trace.stood {
            squares_of(&mut self.stood, *code).put(number, *squares, games_max);
        }
        for key in &trace.happened {
            self.happened.entry(*key).or_default().push(number as u32);
        }
        self.counts.push(trace, places, table);
    }

    /// Adds the next games, of `games_max` in all.
    fn append(&mut self, mut other: Self, numbers: &[u32], games_max: usize) {
        let before = self.games.len();
        self.games.append(&mut other.games);
        for (code, squares) in (0..).zip(other.stood) {
            squares_of(&mut self.stood, code).append(before, squares, games_max);
        }
        for (key, games) in other.happened {
            let games = games.into_iter().map(|game| game + before as u32);
            self.happened.entry(key).or_default().extend(games);
        }
        self.counts.append(&other.counts, numbers);
    }
}

/// The squares of a piece by its code.
fn squares_of(stood: &mut Vec<PieceSquareColumn>, code: u8) -> &mut PieceSquareColumn {
    let code = usize::from(code);
    if stood.len() <= code {
        stood.resize_with(code + 1, PieceSquareColumn::default);
    }
    &mut stood[code]
}

/// Builds the columns of a segment; `None` if the build was stopped.
pub fn build(games: &SegmentGames<'_>, crew: BuildContext<'_>) -> Option<Vec<Block>> {
    let mut written = ColumnStreams::default();
    let (traces, table) = traced(games, crew)?;
    let table = table.ordered();
    put_varint(traces.len() as u64, &mut written.heads);
    for (variant, traces) in traces {
        written.variant(variant, traces, &table, games.lines.len(), crew)?;
    }
    let streams = [
        (Stream::Heads, written.heads),
        (Stream::Counts, written.counts),
        (Stream::Sets, written.sets),
    ];
    let pages = |(stream, bytes): (Stream, Vec<u8>)| {
        let pages: Vec<Block> = (bytes.chunks(BLOCK_BYTES).enumerate())
            .map(|(page, bytes)| Block {
                first_key: page_key(stream, page),
                bytes: bytes.to_vec(),
            })
            .collect();
        pages
    };
    Some(streams.into_iter().flat_map(pages).collect())
}

/// The traces of all games that can be played, by variant, and the numbers of pieces that they had.
fn traced(
    games: &SegmentGames<'_>,
    crew: BuildContext<'_>,
) -> Option<(BTreeMap<u32, ColumnBuilder>, CountDictionary)> {
    let starts: HashMap<u32, AnyPosition> = (games.starts.iter())
        .filter_map(|(id, start)| Some((*id, start.position()?)))
        .collect();
    let pieces = pieces(games.lines.len());
    let tables = (0..crew.threads.max(1)).map(|thread| {
        (
            thread,
            GameSummarizer::default(),
            CountDictionary::default(),
        )
    });
    let idle = Mutex::new(tables.collect::<Vec<_>>());
    let idle_tables = || idle.lock().unwrap_or_else(PoisonError::into_inner);
    let parts = crew.share(pieces.len(), |piece| {
        let table = idle_tables().pop();
        let (thread, mut tracer, mut table) = table.expect("each thread has one at a time");
        let mut traces: BTreeMap<u32, ColumnBuilder> = BTreeMap::new();
        let games_max = pieces[piece].len();
        for game in pieces[piece].clone() {
            let line = &games.lines[game];
            if let Some(start) = starts.get(&line.start) {
                tracer.clear();
                start.show(line.plies, &mut tracer);
                let traces = traces.entry(games.facts[game].variant).or_default();
                traces.push(game as u32, tracer.finish(), &mut table, games_max);
            }
        }
        idle_tables().push((thread, tracer, table));
        (thread, traces)
    })?;
    let mut tables = std::mem::take(&mut *idle_tables());
    tables.sort_unstable_by_key(|(thread, ..)| *thread);
    let mut tables = tables.into_iter().map(|(.., table)| table);
    let mut all_counts = tables.next().unwrap_or_default();
    let mut numbers = vec![(0..all_counts.numbers.len() as u32).collect()];
    numbers.extend(tables.map(|table| all_counts.add(&table)));
    let mut of_variants: BTreeMap<u32, Vec<(usize, ColumnBuilder)>> = BTreeMap::new();
    for (thread, traces) in parts {
        for (variant, traces) in traces {
            of_variants
                .entry(variant)
                .or_default()
                .push((thread, traces));
        }
    }
    let joined = of_variants.into_iter().map(|(variant, parts)| {
        let games = parts.iter().map(|(_, part)| part.games.len()).sum();
        let mut all = ColumnBuilder::default();
        for (thread, part) in parts {
            all.append(part, &numbers[thread], games);
        }
        (variant, all)
    });
    Some((joined.collect(), all_counts))
}

/// The streams, as far as they are written.
#[derive(Debug, Default)]
struct ColumnStreams {
    heads: Vec<u8>,
    counts: Vec<u8>,
    sets: Vec<u8>,
}

impl ColumnStreams {
    /// Adds a set, and what is said of it.
    fn set(&mut self, (set, games): &(Vec<u8>, usize)) {
        put_varint(set.len() as u64, &mut self.heads);
        if !set.is_empty() {
            put_varint(*games as u64, &mut self.heads);
        }
        self.sets.extend_from_slice(set);
    }

    fn variant(
        &mut self,
        variant: u32,
        mut traces: ColumnBuilder,
        table: &[&[(u8, u8)]],
        segment_games: usize,
        crew: BuildContext<'_>,
    ) -> Option<()> {
        let games = traces.games.len();
        put_varint(variant.into(), &mut self.heads);
        put_varint(games as u64, &mut self.heads);
        put_bytes(&set::write(segment_games, &traces.games), &mut self.heads);
        let stood = (0..)
            .zip(traces.stood)
            .filter(|(_, squares)| !squares.is_empty());
        let stood: Vec<(u8, PieceSquareColumn)> = stood.collect();
        let sets = crew.share(stood.len(), |piece| stood[piece].1.written(games))?;
        put_varint(stood.len() as u64, &mut self.heads);
        for ((code, _), sets) in stood.iter().zip(&sets) {
            self.heads.push(*code);
            put_varint(sets.len() as u64, &mut self.heads);
            for set in sets {
                self.set(set);
            }
        }
        let all = (0..games as u32).collect();
        (traces.happened).insert(GameEvent::Detailed.key(), all);
        put_varint(traces.happened.len() as u64, &mut self.heads);
        let mut happened: Vec<(u16, Vec<u32>)> = traces.happened.into_iter().collect();
        happened.sort_unstable_by_key(|(key, _)| *key);
        for (key, set) in happened {
            put_varint(key.into(), &mut self.heads);
            self.set(&(set::write(games, &set), set.len()));
        }
        let kinds: Vec<u8> = stood.into_iter().map(|(code, _)| code).collect();
        let counts = traces.counts.sorted(table, &kinds);
        let before = self.counts.len();
        for kind in 0..kinds.len() {
            put_bytes(&column(counts.of_kind(kind)), &mut self.counts);
        }
        let rows = counts.rows.len();
        let sets = crew.share(rows.div_ceil(COUNTS_AT_ONCE), |part| {
            let from = part * COUNTS_AT_ONCE;
            let rows = from..(from + COUNTS_AT_ONCE).min(rows);
            let sets = rows.map(|row| set::write(games, counts.games(row)));
            sets.collect::<Vec<_>>()
        })?;
        let sets_before = self.sets.len();
        for set in sets.into_iter().flatten() {
            put_varint(set.len() as u64, &mut self.counts);
            self.sets.extend(set);
        }
        let bytes = [
            rows,
            self.counts.len() - before,
            self.sets.len() - sets_before,
        ];
        for bytes in bytes {
            put_varint(bytes as u64, &mut self.heads);
        }
        Some(())
    }
}

/// A column of numbers: their width, then runs of equal ones.
fn column(mut numbers: impl Iterator<Item = u8> + Clone) -> Vec<u8> {
    let width = 8 - numbers.clone().max().unwrap_or(0).leading_zeros();
    let mut bits = BitWriter::default();
    bits.put(width.into(), 8);
    let mut next = numbers.next();
    while let Some(number) = next {
        let mut run = 1;
        next = numbers.next();
        while next == Some(number) {
            run += 1;
            next = numbers.next();
        }
        bits.put(number.into(), width);
        bits.put_gamma(run);
    }
    bits.finish()
}

#[cfg(test)]
mod tests {
    use super::transpose;

    #[test]
    fn every_bit_finds_its_place() {
        let mut state = 1_u64;
        let block: [u64; 64] = std::array::from_fn(|_| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            state ^ state >> 29
        });
        let mut turned = block;
        transpose(&mut turned);
        for (row, word) in block.iter().enumerate() {
            for (column, other) in turned.iter().enumerate() {
                assert_eq!(word >> column & 1, other >> row & 1, "{row} {column}");
            }
        }
    }
}
