//! Where the games of a source stand, and the text that they were read from.

use std::collections::{HashMap, HashSet};

use super::{RereadDraft, RereadError};
use crate::{
    base::{
        display_path,
        range_map::{RangeEntry, RangeMap},
        record::GameId,
    },
    input::verify::ChunkDigest,
    store::{ChunkGames, SourceRow, Store, StoreError},
};

/// A text that is read again, and the games that were read from it.
#[derive(Debug, Clone)]
pub(super) struct SourceText {
    pub(super) source: SourceRow,
    /// All of the source.
    pub(super) rows: Vec<ChunkGames>,
    /// All parts of the source, and those whose text is read.
    pub(super) known: Vec<ChunkDigest>,
    pub(super) parts: Vec<ChunkDigest>,
    /// Where this text begins in the stream.
    pub(super) from: u64,
    /// How many games stand before it there.
    pub(super) numbers_before: u64,
    /// The games that are replaced, with their numbers in this text, in order.
    pub(super) games: Vec<(u64, GameId)>,
    /// The number of the one that is replaced, if it is one.
    pub(super) only: Option<u64>,
    /// How many games the text has then.
    pub(super) games_read: u64,
}

/// The parts whose texts are known.
fn parts_of(rows: &[ChunkGames]) -> Vec<ChunkDigest> {
    let digests = rows.iter().map(|row| row.digest);
    digests.filter(|digest| digest.bytes > 0).collect()
}

impl SourceText {
    /// All of a source; `None` if it is not known which text it has.
    pub(super) fn of_source(store: &Store, source: SourceRow) -> Result<Option<Self>, StoreError> {
        let rows = store.part_rows(source.id)?;
        // A source that was lost is remembered without its text.
        let known = parts_of(&rows);
        let Some(first) = known.first() else {
            return Ok(None);
        };
        let from = first.offset_bytes;
        let told = rows.iter().filter(|row| row.games + row.repeated > 0);
        let first_number = told.map(|row| row.first_number).min();
        let numbers_before = first_number.unwrap_or(1) - 1;
        let mut games = Vec::new();
        for row in &rows {
            let numbers = store.numbers_in_part(source.id, row)?.into_iter();
            games.extend(numbers.zip(row.first_game..));
        }
        games.extend(games_of_predecessors(store, &source)?);
        games.sort_unstable();
        // Later ones are the same game once more.
        let mut seen = HashSet::new();
        games.retain(|&(_, game)| seen.insert(game));
        for (number, _) in &mut games {
            *number = number.saturating_sub(numbers_before);
        }
        Ok(Some(Self {
            parts: known.clone(),
            known,
            from,
            numbers_before,
            games_read: 0,
            only: None,
            games,
            source,
            rows,
        }))
    }

    /// The text of a part, of whose games one is replaced.
    pub(super) fn of_game(
        store: &Store,
        (source, rows, row): (SourceRow, Vec<ChunkGames>, ChunkGames),
        (game, origin): (GameId, GameId),
    ) -> Result<Self, StoreError> {
        let nth = origin - row.first_game;
        let numbers = store.numbers_in_part(source.id, &row)?;
        let number = numbers.get(nth as usize).copied();
        let number = number.map_or(nth + 1, |number| number - row.first_number + 1);
        Ok(Self {
            known: parts_of(&rows),
            parts: vec![row.digest],
            from: row.digest.offset_bytes,
            numbers_before: row.first_number - 1,
            games: vec![(number, game)],
            only: Some(number),
            games_read: row.games + row.repeated,
            source,
            rows,
        })
    }

    /// The same of a text that has this game alone.
    pub(super) fn of_stored_text(self) -> Self {
        let numbers_before = self.numbers_before + self.only.unwrap_or(1) - 1;
        Self {
            games: self.games.iter().map(|&(_, game)| (1, game)).collect(),
            only: Some(1),
            games_read: 1,
            numbers_before,
            ..self
        }
    }

    /// The games of a draft that take part, with their numbers in its text.
    pub(super) fn in_draft(&self, draft: &Store) -> Result<Vec<(u64, GameId)>, StoreError> {
        let mut games = Vec::new();
        for row in draft.part_rows(1)? {
            games.extend((row.first_number..row.first_number + row.games).zip(row.first_game..));
        }
        games.sort_unstable();
        games.retain(|&(number, _)| self.only.is_none_or(|only| only == number));
        Ok(games)
    }

    /// A part of the text as it was read again, as a part of the stream, and whether its text is known
    /// by its hash: what stands before goes into that. A part that another source has as well
    /// (`is_shared`) is filed under a hash of its own.
    pub(super) fn in_stream(&self, row: &ChunkGames, is_shared: bool) -> (ChunkGames, bool) {
        let mut row = ChunkGames {
            first_number: row.first_number + self.numbers_before,
            ..*row
        };
        row.digest.offset_bytes += self.from;
        let same = |known: &&ChunkGames| {
            let (known, own) = (&known.digest, &row.digest);
            known.offset_bytes == own.offset_bytes
                && known.bytes == own.bytes
                && known.split_bytes == own.split_bytes
        };
        if self.from == 0 && !is_shared {
            return (row, true);
        }
        let known = self.rows.iter().find(same);
        if let Some(known) = known {
            row.digest = known.digest;
        }
        (row, self.from == 0 || known.is_some())
    }

    /// The parts that a source had before and has not now, so that it is recognised however it is
    /// read.
    pub(super) fn rows_before<'r>(
        &'r self,
        now: &'r [(ChunkGames, bool)],
    ) -> impl Iterator<Item = ChunkGames> + 'r {
        let is_gone = |known: &&ChunkGames| {
            let is_it = |(row, is_known): &(ChunkGames, bool)| {
                *is_known && row.digest.chain == known.digest.chain
            };
            known.digest.bytes > 0 && !now.iter().any(is_it)
        };
        self.rows.iter().filter(is_gone).map(|known| ChunkGames {
            first_number: 1,
            games: 0,
            repeated: 0,
            ..*known
        })
    }

    /// How the source is called.
    pub(super) fn name(&self) -> String {
        display_path::bytes(&self.source.name).into_owned()
    }
}

/// The games of a source that it has of those which it has replaced, with their numbers: they read
/// as before.
fn games_of_predecessors(
    store: &Store,
    source: &SourceRow,
) -> Result<Vec<(u64, GameId)>, StoreError> {
    let replaced = store.replaced_sources()?;
    let mut before = HashSet::new();
    let mut waiting = vec![source.id];
    while let Some(successor) = waiting.pop() {
        let own = replaced.iter().filter(|(_, its)| **its == successor);
        waiting.extend(
            own.map(|(source, _)| *source)
                .filter(|its| before.insert(*its)),
        );
    }
    let mut runs = Vec::new();
    for source in before {
        runs.extend(store.part_rows(source)?.iter().map(|row| RangeEntry {
            first: row.first_game,
            end: row.first_game + row.games,
            mark: 0,
        }));
    }
    let own = RangeMap::of(runs);
    let repeats = store.repeats_between(source.id, 1, None)?.into_iter();
    let games = repeats.flat_map(|run| (run.number..).zip(run.game..run.game + run.games));
    Ok(games.filter(|&(_, game)| own.contains(game)).collect())
}

/// Whether no source but those that are replaced has what was read: each text is stored once.
///
/// # Errors
///
/// [`RereadError::Twice`].
pub(super) fn is_new(store: &Store, fresh: &[RereadDraft]) -> Result<(), RereadError> {
    let mut owners: HashMap<u128, &SourceRow> = HashMap::new();
    let is_own = |source: &SourceRow| fresh.iter().any(|its| its.text.source.id == source.id);
    for RereadDraft { text, draft, .. } in fresh.iter().filter(|fresh| fresh.text.only.is_none()) {
        let mut now = Vec::new();
        for row in draft.part_rows(1)? {
            let owner = store.source_of_part(row.digest.chain)?;
            now.push(text.in_stream(&row, owner.is_some_and(|owner| !is_own(&owner))));
        }
        let known = now.iter().filter(|(_, is_known)| *is_known);
        for row in known.map(|(row, _)| *row).chain(text.rows_before(&now)) {
            let chain = row.digest.chain;
            let stored = store.source_of_part(chain)?;
            let other = match owners.insert(chain, &text.source) {
                Some(other) => Some(other.clone()),
                None => stored.filter(|stored| !is_own(stored)),
            };
            if let Some(other) = other {
                return Err(RereadError::Twice {
                    source_name: text.name(),
                    other: format!(
                        "{} of import {}",
                        display_path::bytes(&other.name),
                        other.import
                    ),
                });
            }
        }
    }
    Ok(())
}

/// Whether no game that is replaced was removed or edited: that would be lost. What its own import
/// has removed for another game is passed over again.
///
/// # Errors
///
/// [`RereadError::Touched`].
pub(super) fn is_untouched(store: &Store, text: &SourceText) -> Result<(), RereadError> {
    let (removed, changes) = (store.removed()?, store.changes()?);
    let mut imports = changes
        .iter()
        .filter(|change| change.import == Some(text.source.import));
    let own = imports.next().map(|change| change.id);
    let games = text.games.iter().map(|&(_, game)| game);
    let mut marks = games.clone().filter_map(|game| removed.mark_of(game));
    let gone = marks.find(|&mark| text.only.is_some() || Some(mark) != own);
    let undone = match text.only {
        Some(_) => None,
        None => store.undoing(text.source.import)?,
    };
    let edited = store.edited_games()?;
    let edited = games.clone().find_map(|game| edited.get(&game).copied());
    let touched = [
        (undone, "undone the import"),
        (gone, "removed games"),
        (edited, "edited games"),
    ];
    let mut touched = touched.into_iter();
    match touched.find_map(|(change, done)| Some((change?, done))) {
        None => Ok(()),
        Some((change, done)) => Err(RereadError::Touched {
            what: match text.games.first() {
                Some((_, game)) if text.only.is_some() => format!("game {game}"),
                _ => text.name(),
            },
            change,
            done,
        }),
    }
}
