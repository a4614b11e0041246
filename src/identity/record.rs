//! Records that do not say who played, or have no moves: all that is stored of two must be equal,
//! but for how their texts are spaced and wrapped.

use twox_hash::XxHash3_64;

use super::GameMetadata;
use crate::{
    base::record::GameId,
    games::variation_tree,
    problems::StoredProblem,
    store::{LineReader, RecordKind, RecordReader, Store, StoreError},
};

/// What a game has in addition to its main line: its records of tree and texts.
pub fn hash_annotations([tree, texts]: [&[u8]; 2]) -> u64 {
    let mut told = Vec::new();
    if !tree.is_empty() {
        variation_tree::append_content(tree, texts, &mut told);
    }
    XxHash3_64::oneshot(&told)
}

/// Whether two records are of one chess problem.
pub fn is_same_problem(one: &[u8], other: &[u8]) -> bool {
    one == other
        || StoredProblem::read(one)
            .zip(StoredProblem::read(other))
            .is_some_and(|(one, other)| one.problem.is_same(&other.problem))
}

/// All that is stored of a record, as it is compared with others.
#[derive(Debug)]
pub struct StoredRecord {
    /// Number of the variant, and the row of the start position.
    game: (u8, Option<u32>),
    its: GameMetadata,
    /// What it [says in addition](hash_annotations) to its main line.
    besides: u64,
    plies: Vec<u8>,
    problem: Option<Vec<u8>>,
}

impl StoredRecord {
    /// Whether all that is stored of two records is equal.
    pub fn equals(&self, other: &Self) -> bool {
        if let (Some(own), Some(others)) = (&self.problem, &other.problem) {
            return is_same_problem(own, others);
        }
        self.game == other.game
            && self.besides == other.besides
            && self.plies == other.plies
            && self.its.equal(&other.its)
    }
}

/// Reads records, best in the order of their numbers.
pub struct StoredRecords<'s> {
    store: &'s Store,
    lines: LineReader<'s>,
    records: [RecordReader<'s>; 3],
}

impl<'s> StoredRecords<'s> {
    /// Those of a database.
    pub fn new(store: &'s Store) -> Self {
        Self {
            store,
            lines: store.lines(),
            records: RecordKind::ALL.map(|kind| store.records(kind)),
        }
    }

    /// One of them; `None` if there is none of that number.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read or is damaged.
    pub fn read(&mut self, game: GameId) -> Result<Option<StoredRecord>, StoreError> {
        let Some(row) = self.store.game(game)? else {
            return Ok(None);
        };
        let [trees, texts, problems] = &mut self.records;
        let besides = [trees.get(game)?, texts.get(game)?].map(Option::unwrap_or_default);
        Ok(Some(StoredRecord {
            game: (row.variant, row.start),
            its: GameMetadata::of(self.store, &row)?,
            besides: hash_annotations(besides),
            plies: self.lines.get(game)?.plies.to_vec(),
            problem: problems.get(game)?.map(<[u8]>::to_vec),
        }))
    }
}
