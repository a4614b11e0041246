//! Which games of a segment can fulfil a query, by the traces that they left.

use std::ops::Range;

use super::{
    ColumnSource, Stream, VariantColumns,
    read::{CountColumns, StoredSet},
    set::GameSet,
};
use crate::query::pattern::{
    bounds::{CountTest, SequenceBounds, SummaryBound},
    game_summary::GameEvent,
};

/// What a game costs that is replayed, in nanoseconds: fetched from a block and looked
/// through (measured, see docs/benchmarks.md).
const GAME_COST: usize = 3000;
/// What an entry of a set costs, and a byte of it, together.
const ENTRY_COST: usize = 4;
/// What finding out costs which numbers of pieces fulfil a condition, for each of them.
const ROW_COST: usize = 8;

/// What is known of the games of a variant in a segment, numbered as its columns have them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ColumnAnswer {
    /// Those that may fulfil a condition.
    pub possible: GameSet,
    /// Those that do.
    pub certain: GameSet,
}

impl VariantColumns {
    /// Which games can fulfil a condition, and which do, where `matter` games are of interest.
    ///
    /// # Errors
    ///
    /// Those of the source.
    pub fn answer<S: ColumnSource>(
        &self,
        asked: &SequenceBounds,
        matter: usize,
        source: &mut S,
    ) -> Result<ColumnAnswer, S::Error> {
        let is_exact = asked.is_exact
            && self.knows(&asked.bound)
            && matter * GAME_COST > ENTRY_COST * self.entries(asked);
        let mut reader = ColumnReader {
            columns: self,
            // What is exact spares every replay.
            reads_all: is_exact,
            source,
        };
        let found = reader.games(&asked.bound, matter)?;
        let mut possible = found.unwrap_or_else(|| GameSet::all(self.games));
        let blurred = reader.happened(&[GameEvent::Blurred.key()])?;
        let mut certain = GameSet::none(self.games);
        if is_exact {
            certain = blurred.clone().complement();
            certain.keep(&possible);
        }
        possible.add(&blurred);
        Ok(ColumnAnswer { possible, certain })
    }

    /// How many entries of sets are read to answer a condition, at most.
    pub fn entries(&self, asked: &SequenceBounds) -> usize {
        self.most(&asked.bound)
    }

    /// The games in which something is promoted, or may be.
    ///
    /// # Errors
    ///
    /// Those of the source.
    pub fn promoted<S: ColumnSource>(&self, source: &mut S) -> Result<GameSet, S::Error> {
        let keys = self.happened.iter().map(|(key, _)| *key);
        let keys: Vec<u16> = keys
            .filter(|key| GameEvent::is_promotion(*key) || *key == GameEvent::Blurred.key())
            .collect();
        let mut reader = ColumnReader {
            columns: self,
            reads_all: true,
            source,
        };
        reader.happened(&keys)
    }
}

impl VariantColumns {
    /// How many games fulfil a condition at most.
    fn most(&self, bound: &SummaryBound) -> usize {
        let most = match bound {
            SummaryBound::Open | SummaryBound::Counted(_) => usize::MAX,
            SummaryBound::Happened(_) if !self.knows(bound) => usize::MAX,
            SummaryBound::All(inner) => inner
                .iter()
                .map(|one| self.most(one))
                .min()
                .unwrap_or(usize::MAX),
            SummaryBound::Any(inner) => {
                (inner.iter()).fold(0, |sum, one| self.most(one).saturating_add(sum))
            }
            SummaryBound::Stood { pieces, on } => {
                self.stood(*pieces, *on).map(|set| set.games).sum()
            }
            SummaryBound::Happened(keys) => (self.happened.iter())
                .filter(|(key, _)| keys.contains(key))
                .map(|(_, set)| set.games)
                .sum(),
        };
        most.min(self.games)
    }

    fn stood(&self, pieces: u64, on: u128) -> impl Iterator<Item = &StoredSet> {
        let codes = self.stood.iter();
        let codes = codes.filter(move |(code, _)| pieces >> (code & 63) & 1 == 1);
        codes.flat_map(move |(_, sets)| {
            let squares = sets.iter().enumerate();
            let squares = squares.filter(move |(square, _)| on >> (square & 127) & 1 == 1);
            squares.map(|(_, set)| set)
        })
    }

    /// Whether its traces show all that a condition needs.
    fn knows(&self, bound: &SummaryBound) -> bool {
        match bound {
            SummaryBound::All(inner) | SummaryBound::Any(inner) => {
                inner.iter().all(|one| self.knows(one))
            }
            SummaryBound::Happened(keys) => {
                self.is_detailed() || !keys.iter().any(|key| GameEvent::is_detail(*key))
            }
            SummaryBound::Open | SummaryBound::Stood { .. } | SummaryBound::Counted(_) => true,
        }
    }
}

struct ColumnReader<'a, S> {
    columns: &'a VariantColumns,
    /// Whether all is read, whatever it costs.
    reads_all: bool,
    source: &'a mut S,
}

impl<S: ColumnSource> ColumnReader<'_, S> {
    /// The games that fulfil a condition, where `matter` games are of interest; `None` if not worth
    /// knowing.
    fn games(&mut self, bound: &SummaryBound, matter: usize) -> Result<Option<GameSet>, S::Error> {
        match bound {
            SummaryBound::Open => Ok(None),
            SummaryBound::All(inner) => self.all(inner, matter),
            SummaryBound::Any(inner) => {
                let mut any = GameSet::none(self.columns.games);
                for one in inner {
                    match self.games(one, matter)? {
                        Some(games) => any.add(&games),
                        None => return Ok(None),
                    }
                }
                Ok(Some(any))
            }
            SummaryBound::Stood { pieces, on } => {
                let mut any = GameSet::none(self.columns.games);
                let sets = self
                    .columns
                    .stood(*pieces, *on)
                    .map(|set| set.bytes.clone());
                for bytes in sets.collect::<Vec<_>>() {
                    self.add(&mut any, bytes)?;
                }
                Ok(Some(any))
            }
            SummaryBound::Happened(_) if !self.columns.knows(bound) => Ok(None),
            SummaryBound::Happened(keys) => self.happened(keys).map(Some),
            SummaryBound::Counted(test) => self.counted(test, matter),
        }
    }

    /// The rarest first, as long as it is worth it.
    fn all(&mut self, inner: &[SummaryBound], matter: usize) -> Result<Option<GameSet>, S::Error> {
        let mut order: Vec<(usize, &SummaryBound)> = inner
            .iter()
            .map(|one| (self.columns.most(one), one))
            .collect();
        order.sort_by_key(|(most, _)| *most);
        let mut all: Option<GameSet> = None;
        let mut left = matter;
        for (most, one) in order {
            let others = self.columns.games.saturating_sub(most);
            let spared = left * others / self.columns.games.max(1);
            let cost = ENTRY_COST * most.min(others);
            let is_known = !matches!(one, SummaryBound::Counted(_));
            let is_worth_it = spared * GAME_COST > cost || !is_known;
            if !self.reads_all && !is_worth_it {
                continue;
            }
            if let Some(games) = self.games(one, left)? {
                match &mut all {
                    Some(all) => all.keep(&games),
                    None => all = Some(games),
                }
                left = all.as_ref().map_or(left, GameSet::count);
            }
            if left == 0 {
                break;
            }
        }
        Ok(all)
    }

    fn add(&mut self, to: &mut GameSet, bytes: Range<usize>) -> Result<(), S::Error> {
        if bytes.is_empty() {
            return Ok(());
        }
        let read = self.source.bytes(Stream::Sets, bytes)?;
        to.add_written(&read).ok_or_else(|| self.source.damaged())
    }

    fn happened(&mut self, keys: &[u16]) -> Result<GameSet, S::Error> {
        let mut any = GameSet::none(self.columns.games);
        for (key, set) in &self.columns.happened {
            if keys.contains(key) {
                self.add(&mut any, set.bytes.clone())?;
            }
        }
        Ok(any)
    }

    fn counted(&mut self, test: &CountTest, matter: usize) -> Result<Option<GameSet>, S::Error> {
        let is_worth_it = |entries: usize| matter * GAME_COST / 2 > entries * ENTRY_COST;
        let columns = self.columns;
        if !self.reads_all && matter * GAME_COST < columns.rows * ROW_COST {
            return Ok(None);
        }
        let bytes = self.source.bytes(Stream::Counts, columns.counts.clone())?;
        let counts = columns.counts(&bytes, &test.codes());
        let counts = counts.ok_or_else(|| self.source.damaged())?;
        let sets = counts.sets(&counts.fulfilling(test));
        let sets = sets.ok_or_else(|| self.source.damaged())?;
        let total: usize = sets.iter().map(Range::len).sum();
        // What most games fulfil spares nothing.
        let is_common = total * 3 > columns.count_sets.len();
        if !self.reads_all && (is_common || !is_worth_it(total)) {
            return Ok(None);
        }
        let mut any = GameSet::none(columns.games);
        // Sets that follow each other are read together.
        let mut runs: Vec<Vec<Range<usize>>> = Vec::new();
        for set in sets {
            match runs.last_mut() {
                Some(run) if run.last().is_some_and(|last| set.start - last.end < 4096) => {
                    run.push(set);
                }
                _ => runs.push(vec![set]),
            }
        }
        for run in runs {
            let (begin, end) = (run[0].start, run[run.len() - 1].end);
            let bytes = self.source.bytes(Stream::Sets, begin..end)?;
            for set in run {
                let set = bytes.get(set.start - begin..set.end - begin);
                let read = set.and_then(|set| any.add_written(set));
                read.ok_or_else(|| self.source.damaged())?;
            }
        }
        Ok(Some(any))
    }
}

impl CountColumns<'_> {
    /// Which of the numbers of pieces fulfil a condition.
    fn fulfilling(&self, test: &CountTest) -> Vec<bool> {
        let mut all = vec![true; self.rows];
        self.keep(test, &mut all);
        all
    }

    /// Leaves out those of some rows that do not fulfil a condition.
    fn keep(&self, test: &CountTest, rows: &mut [bool]) {
        match test {
            CountTest::All(inner) => inner.iter().for_each(|one| self.keep(one, rows)),
            CountTest::Any(inner) => {
                let mut any = vec![false; self.rows];
                for one in inner {
                    let one = self.fulfilling(one);
                    any.iter_mut().zip(one).for_each(|(any, one)| *any |= one);
                }
                rows.iter_mut().zip(any).for_each(|(row, any)| *row &= any);
            }
            CountTest::Not(inner) => {
                let inner = self.fulfilling(inner);
                (rows.iter_mut().zip(inner)).for_each(|(row, inner)| *row &= !inner);
            }
            CountTest::Sum(codes, least, most) => {
                let mut columns = self.of(codes);
                if let (Some(column), None) = (columns.next(), columns.next())
                    && let Ok(least) = u8::try_from(*least)
                {
                    let most = u8::try_from(*most).unwrap_or(u8::MAX);
                    for (row, number) in rows.iter_mut().zip(column) {
                        *row &= least <= *number && *number <= most;
                    }
                    return;
                }
                for (row, sum) in rows.iter_mut().zip(self.sums(codes)) {
                    *row &= (*least..=*most).contains(&u32::from(sum));
                }
            }
            CountTest::More([one, other], least, most) => {
                let more = self.sums(one).into_iter().zip(self.sums(other));
                for (row, (one, other)) in rows.iter_mut().zip(more) {
                    *row &= (*least..=*most).contains(&(i32::from(one) - i32::from(other)));
                }
            }
        }
    }

    /// How many of some pieces there are together.
    fn sums(&self, codes: &[u8]) -> Vec<u16> {
        let mut sums = vec![0; self.rows];
        for column in self.of(codes) {
            for (sum, number) in sums.iter_mut().zip(column) {
                *sum += u16::from(*number);
            }
        }
        sums
    }
}
