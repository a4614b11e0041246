//! Games that are written again under their numbers: their rows and blocks make room.

use rusqlite::params;

use super::{RecordKind, Store, StoreError, row::number, statements as sql};
use crate::{
    base::record::GameId,
    blocks::{facts::PackedFacts, fingerprint::Fingerprint, moves::MainLine},
};

/// Tables whose rows have the number of a game, with that column. The table of games is the
/// last, for others refer to it.
const NUMBERED: [(&str, &str); 4] = [
    ("problem_part", "problem"),
    ("problem_author", "problem"),
    ("problem", "game"),
    ("game_row", "id"),
];

/// Tables of blocks in which the games of a block are counted on from its first.
const COUNTED_ON: [&str; 3] = ["move_block", "fact_block", "print_block"];

/// The records of a game by the kind, as they are in blocks.
type GameRecords = [Vec<u8>; 3];

/// What blocks have of games that stand beside those that go.
#[derive(Debug, Default)]
struct BlockEdge {
    first: GameId,
    lines: Vec<(u32, Vec<u8>)>,
    facts: Vec<PackedFacts>,
    sums: Vec<Fingerprint>,
}

/// What blocks have of the games before some games, and after them.
#[derive(Debug, Default)]
pub struct BlockEdges {
    counted: Vec<(usize, BlockEdge)>,
    records: [Vec<(GameId, GameRecords)>; 3],
    end: GameId,
}

impl Store {
    /// Takes games away, from one up to another, so that others can be written under their numbers.
    /// What blocks had of their neighbours is to be [put back](Self::insert_edge_blocks) then.
    ///
    /// # Errors
    ///
    /// [`StoreError`]; the transaction is then to be given up.
    pub fn make_room(&self, first: GameId, end: GameId) -> Result<BlockEdges, StoreError> {
        let mut rims = BlockEdges {
            end,
            ..BlockEdges::default()
        };
        let last = self.last_game()?;
        self.take_counted(&mut rims, (first, end), last)?;
        self.take_records(&mut rims, (first, end))?;
        for (table, column) in NUMBERED {
            self.run(
                &sql::delete_between(table, column),
                params![first as i64, end as i64],
            )?;
        }
        Ok(rims)
    }

    /// Takes away the blocks that have some games, and keeps what they have of others.
    fn take_counted(
        &self,
        rims: &mut BlockEdges,
        (first, end): (GameId, GameId),
        last: GameId,
    ) -> Result<(), StoreError> {
        for (at, table) in COUNTED_ON.into_iter().enumerate() {
            let (from, to) = self.blocks_over(table, first, end)?;
            let to = to.unwrap_or(last + 1);
            let (mut lines, mut facts, mut sums) = (self.lines(), self.facts(), self.sums());
            for (from, to) in [(from.unwrap_or(first), first), (end, to)] {
                let mut rim = BlockEdge {
                    first: from,
                    ..BlockEdge::default()
                };
                for game in from..to {
                    match at {
                        0 => {
                            let line = lines.get(game)?;
                            rim.lines.push((line.start, line.plies.to_vec()));
                        }
                        1 => rim.facts.push(facts.get(game)?),
                        _ => rim.sums.push(sums.get(game)?),
                    }
                }
                if from < to {
                    rims.counted.push((at, rim));
                }
            }
            let from = from.unwrap_or(first);
            let range = params![from as i64, to as i64];
            self.run(&sql::delete_between(table, "first_game"), range)?;
        }
        Ok(())
    }

    /// The same of records, which not every game has.
    fn take_records(
        &self,
        rims: &mut BlockEdges,
        (first, end): (GameId, GameId),
    ) -> Result<(), StoreError> {
        let mut readers = RecordKind::ALL.map(|kind| self.records(kind));
        let mut ranges = Vec::new();
        for kind in RecordKind::ALL {
            let (from, to) = self.blocks_over(kind.table(), first, end)?;
            let range = from.unwrap_or(first)..to.unwrap_or(GameId::MAX >> 1);
            let mut row = range.start;
            while let Some((block_first, block)) = self.records_from(kind, row)? {
                if !range.contains(&block_first) {
                    break;
                }
                row = block_first + 1;
                let damaged = || self.damaged(kind.damage(block_first));
                let games: Vec<GameId> = (block.ok_or_else(damaged)?.records())
                    .map(|(game, _)| game)
                    .filter(|game| !(first..end).contains(game))
                    .collect();
                for game in games {
                    let mut records: GameRecords = Default::default();
                    for (record, reader) in records.iter_mut().zip(&mut readers) {
                        *record = reader.get(game)?.unwrap_or_default().to_vec();
                    }
                    rims.records[kind as usize].push((game, records));
                }
            }
            ranges.push((kind, range));
        }
        for (kind, range) in ranges {
            let range = params![range.start as i64, range.end as i64];
            self.run(&sql::delete_between(kind.table(), "first_game"), range)?;
        }
        Ok(())
    }

    /// The first game of the block that has a game, and that of the first block that begins with
    /// another game or after it.
    fn blocks_over(
        &self,
        table: &str,
        first: GameId,
        end: GameId,
    ) -> Result<(Option<GameId>, Option<GameId>), StoreError> {
        let values = params![first as i64, end as i64];
        let found = self.one(&sql::blocks_over(table), values, |row| {
            let game = |at| {
                let game: Option<i64> = row.get(at)?;
                game.map(|_| number(row, at)).transpose()
            };
            Ok((game(0)?, game(1)?))
        })?;
        Ok(found.unwrap_or_default())
    }

    /// Puts back what blocks had of games beside those that went.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn insert_edge_blocks(&self, rims: &BlockEdges) -> Result<(), StoreError> {
        for (at, rim) in &rims.counted {
            match at {
                0 => {
                    let lines = rim.lines.iter().map(|(start, plies)| MainLine {
                        start: *start,
                        plies,
                    });
                    self.insert_lines(rim.first, lines)?;
                }
                1 => self.insert_facts(rim.first, &rim.facts)?,
                _ => self.insert_sums(rim.first, &rim.sums)?,
            }
        }
        for (kind, games) in RecordKind::ALL.into_iter().zip(&rims.records) {
            let (before, behind) =
                games.split_at(games.partition_point(|(game, _)| *game < rims.end));
            for games in [before, behind] {
                let mut writer = self.record_writer(kind);
                for (game, records) in games {
                    let records = records.each_ref().map(Vec::as_slice);
                    let parts = RecordKind::parted(records)[kind as usize];
                    writer.push(*game, parts, |block| self.insert_records(kind, &block))?;
                }
                writer.finish(|block| self.insert_records(kind, &block))?;
            }
        }
        Ok(())
    }

    /// Takes away what no game has any more: names, texts, start positions.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn forget_idle(&self) -> Result<(), StoreError> {
        self.delete_idle_names()?;
        self.delete_idle("start_position", sql::IDLE_STARTS)
    }
}
