//! Builds the columns of a segment from its main lines.

use std::{
    collections::{BTreeMap, HashMap},
    mem::take,
};

use foldhash::fast::FixedState;

use super::{Stream, page_key, set};
use crate::{
    base::varint::{put_bytes, put_varint},
    db::index::{
        Block,
        bits::BitWriter,
        build::{Crew, SegmentGames, pieces},
    },
    games::{
        AnyPosition,
        pattern::trace::{GameTrace, Happening, Tracer},
    },
};

/// Different numbers of men whose sets a thread writes at a time.
const COUNTS_AT_ONCE: usize = 2048;

/// What the games of a variant left behind; they are numbered from 0.
#[derive(Debug, Default)]
struct Traces {
    /// Their numbers in the segment.
    games: Vec<u32>,
    stood: BTreeMap<u8, SquaresOfMan>,
    happened: BTreeMap<u16, Vec<u32>>,
    counts: CountsOfGames,
}

/// Of each game, the squares on which a man stood.
#[derive(Debug, Default)]
struct SquaresOfMan {
    /// Those below 64, and those above; games behind the last have none.
    low: Vec<u64>,
    high: Vec<u64>,
}

impl SquaresOfMan {
    fn put(&mut self, game: usize, squares: u128) {
        for (words, squares) in [
            (&mut self.low, squares as u64),
            (&mut self.high, (squares >> 64) as u64),
        ] {
            if squares != 0 {
                words.resize(game, 0);
                words.push(squares);
            }
        }
    }

    fn append(&mut self, games: usize, mut other: Self) {
        for (words, others) in [
            (&mut self.low, &mut other.low),
            (&mut self.high, &mut other.high),
        ] {
            if !others.is_empty() {
                words.resize(games, 0);
                words.append(others);
            }
        }
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

/// The numbers of men that games had, each numbered when it is first met.
#[derive(Debug, Default)]
struct CountsOfGames {
    numbers: HashMap<Box<[u8]>, u32, FixedState>,
    /// Those of each game, one behind the other, and where they end.
    of: Vec<u32>,
    ends: Vec<usize>,
}

impl CountsOfGames {
    fn number(&mut self, counts: &[u8]) -> u32 {
        if let Some(&known) = self.numbers.get(counts) {
            return known;
        }
        let number = self.numbers.len() as u32;
        self.numbers.insert(counts.into(), number);
        number
    }

    fn push<'a>(&mut self, counts: impl Iterator<Item = &'a [u8]>) {
        let begin = self.of.len();
        for counts in counts {
            let number = self.number(counts);
            if !self.of[begin..].contains(&number) {
                self.of.push(number);
            }
        }
        self.ends.push(self.of.len());
    }

    fn append(&mut self, other: Self) {
        let mut numbers = vec![0; other.numbers.len()];
        for (counts, number) in other.numbers {
            numbers[number as usize] = self.number(&counts);
        }
        let shift = self.of.len();
        self.of
            .extend(other.of.iter().map(|number| numbers[*number as usize]));
        self.ends.extend(other.ends.iter().map(|end| end + shift));
    }

    /// Those of each kind of man, in ascending order, and the games that had them.
    fn sorted(self, kinds: &[u8]) -> (Vec<Vec<u8>>, Vec<Vec<u32>>) {
        let mut all: Vec<(Vec<u8>, u32)> = Vec::with_capacity(self.numbers.len());
        for (counts, number) in self.numbers {
            let mut row = vec![0; kinds.len()];
            for pair in counts.chunks_exact(2) {
                if let Ok(at) = kinds.binary_search(&pair[0]) {
                    row[at] = pair[1];
                }
            }
            all.push((row, number));
        }
        all.sort_unstable();
        let mut games = vec![Vec::new(); all.len()];
        let mut place = vec![0; all.len()];
        for (at, (_, number)) in all.iter().enumerate() {
            place[*number as usize] = at;
        }
        let mut begin = 0;
        for (game, &end) in self.ends.iter().enumerate() {
            for number in &self.of[begin..end] {
                games[place[*number as usize]].push(game as u32);
            }
            begin = end;
        }
        (all.into_iter().map(|(row, _)| row).collect(), games)
    }
}

impl Traces {
    fn push(&mut self, game: u32, trace: &GameTrace) {
        let number = self.games.len();
        self.games.push(game);
        for (code, squares) in &trace.stood {
            self.stood.entry(*code).or_default().put(number, *squares);
        }
        for key in &trace.happened {
            self.happened.entry(*key).or_default().push(number as u32);
        }
        self.counts.push(trace.each_count());
    }

    fn append(&mut self, mut other: Self) {
        let before = self.games.len();
        self.games.append(&mut other.games);
        for (code, squares) in other.stood {
            self.stood.entry(code).or_default().append(before, squares);
        }
        for (key, games) in other.happened {
            let games = games.into_iter().map(|game| game + before as u32);
            self.happened.entry(key).or_default().extend(games);
        }
        self.counts.append(other.counts);
    }
}

/// Builds the columns of a segment; `None` if the crew was stopped.
pub fn build(games: &SegmentGames<'_>, crew: Crew<'_>) -> Option<Vec<Block>> {
    let mut written = ColumnStreams::default();
    let traces = traced(games, crew)?;
    put_varint(traces.len() as u64, &mut written.heads);
    for (variant, traces) in traces {
        written.variant(variant, traces, games.lines.len(), crew)?;
    }
    let streams = [
        (Stream::Heads, written.heads),
        (Stream::Counts, written.counts),
        (Stream::Sets, written.sets),
    ];
    let pages = |(stream, bytes): (Stream, Vec<u8>)| {
        let pages: Vec<Block> = (bytes.chunks(games.block_bytes).enumerate())
            .map(|(page, bytes)| Block {
                first_key: page_key(stream, page),
                bytes: bytes.to_vec(),
            })
            .collect();
        pages
    };
    Some(streams.into_iter().flat_map(pages).collect())
}

/// The traces of all games that can be played, by variant.
fn traced(games: &SegmentGames<'_>, crew: Crew<'_>) -> Option<BTreeMap<u32, Traces>> {
    let starts: HashMap<u32, AnyPosition> = (games.starts.iter())
        .filter_map(|(id, start)| Some((*id, start.position()?)))
        .collect();
    let pieces = pieces(games.lines.len());
    let parts = crew.share(pieces.len(), |piece| {
        let mut traces: BTreeMap<u32, Traces> = BTreeMap::new();
        let mut tracer = Tracer::default();
        for game in pieces[piece].clone() {
            let line = &games.lines[game];
            if let Some(start) = starts.get(&line.start) {
                tracer.clear();
                start.show(line.plies, &mut tracer);
                let traces = traces.entry(games.facts[game].variant).or_default();
                traces.push(game as u32, tracer.finish());
            }
        }
        traces
    })?;
    let mut all: BTreeMap<u32, Traces> = BTreeMap::new();
    for (variant, traces) in parts.into_iter().flatten() {
        all.entry(variant).or_default().append(traces);
    }
    Some(all)
}

/// The streams, as far as they are written.
#[derive(Debug, Default)]
struct ColumnStreams {
    heads: Vec<u8>,
    counts: Vec<u8>,
    sets: Vec<u8>,
}

impl ColumnStreams {
    /// Adds a set, and what is told of it.
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
        mut traces: Traces,
        segment_games: usize,
        crew: Crew<'_>,
    ) -> Option<()> {
        let games = traces.games.len();
        put_varint(variant.into(), &mut self.heads);
        put_varint(games as u64, &mut self.heads);
        put_bytes(&set::write(segment_games, &traces.games), &mut self.heads);
        let stood: Vec<(u8, SquaresOfMan)> = take(&mut traces.stood).into_iter().collect();
        let sets = crew.share(stood.len(), |man| stood[man].1.written(games))?;
        put_varint(stood.len() as u64, &mut self.heads);
        for ((code, _), sets) in stood.iter().zip(&sets) {
            self.heads.push(*code);
            put_varint(sets.len() as u64, &mut self.heads);
            for set in sets {
                self.set(set);
            }
        }
        let all = (0..games as u32).collect();
        (traces.happened).insert(Happening::Detailed.key(), all);
        put_varint(traces.happened.len() as u64, &mut self.heads);
        for (key, set) in take(&mut traces.happened) {
            put_varint(key.into(), &mut self.heads);
            self.set(&(set::write(games, &set), set.len()));
        }
        let kinds: Vec<u8> = stood.into_iter().map(|(code, _)| code).collect();
        let (rows, lists) = take(&mut traces.counts).sorted(&kinds);
        let before = self.counts.len();
        for kind in 0..kinds.len() {
            put_bytes(&column(rows.iter().map(|row| row[kind])), &mut self.counts);
        }
        let parts: Vec<_> = lists.chunks(COUNTS_AT_ONCE).collect();
        let sets = crew.share(parts.len(), |part| {
            let sets = parts[part].iter().map(|list| set::write(games, list));
            sets.collect::<Vec<_>>()
        })?;
        let sets_before = self.sets.len();
        for set in sets.into_iter().flatten() {
            put_varint(set.len() as u64, &mut self.counts);
            self.sets.extend(set);
        }
        let bytes = [
            rows.len(),
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
