//! Puts games of a draft in the place of stored ones.

use std::{
    collections::{HashMap, HashSet},
    ops::Range,
};

use super::{RereadDraft, RereadError, duplicates, is_rejection};
use crate::{
    base::{
        display_path,
        observe::{Event, Observer},
        record::GameId,
    },
    changes::repair::copy::GameCopier,
    import::build_segments,
    input::verify::ChunkDigest,
    replay::salvage::Salvage,
    store::{ChangeKind, ChunkGames, FindingEntry, SegmentRow, SourceRow, Store, StoreError},
};

/// Where games stand, and the text that they were read from.
#[derive(Debug, Clone)]
pub(super) struct GameRange {
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
    /// The first game that is replaced.
    pub(super) first: GameId,
    /// How many are.
    pub(super) games: u64,
    /// Of those that are read: which one, if it is one.
    only: Option<u64>,
    /// How many that must be then.
    pub(super) games_read: u64,
}

fn parts_of(rows: &[ChunkGames]) -> Vec<ChunkDigest> {
    rows.iter().map(|row| row.digest).collect()
}

impl GameRange {
    /// All games of a source; `None` if it is not known where they are.
    pub(super) fn of_source(source: SourceRow, rows: Vec<ChunkGames>) -> Option<Self> {
        let first = rows.iter().map(|row| row.first_game).min()?;
        let games = rows.iter().map(|row| row.games).sum();
        let mut filled: Vec<&ChunkGames> = rows.iter().filter(|row| row.games > 0).collect();
        filled.sort_by_key(|row| row.first_game);
        let first = filled.first().map_or(first, |row| row.first_game);
        let mut next = first;
        for row in &filled {
            if row.first_game != next {
                return None;
            }
            next += row.games;
        }
        // A source that was lost is remembered without its text.
        let told = rows.iter().filter(|row| row.games + row.repeated > 0);
        let first_number = told.map(|row| row.first_number).min();
        let is_known = rows.iter().any(|row| row.digest.bytes > 0);
        is_known.then(|| Self {
            known: parts_of(&rows),
            parts: parts_of(&rows),
            from: rows[0].digest.offset_bytes,
            numbers_before: first_number.unwrap_or(1) - 1,
            source,
            rows,
            first,
            games,
            only: None,
            games_read: games,
        })
    }

    /// A game of a part whose games have these numbers in the source.
    pub(super) fn of_game(
        source: SourceRow,
        rows: Vec<ChunkGames>,
        row: ChunkGames,
        (game, numbers): (GameId, &[u64]),
    ) -> Self {
        let nth = (game - row.first_game) as usize;
        let number = numbers.get(nth).copied();
        Self {
            source,
            known: parts_of(&rows),
            rows,
            parts: vec![row.digest],
            from: row.digest.offset_bytes,
            numbers_before: 0,
            first: game,
            games: 1,
            only: Some(number.map_or(nth as u64, |number| number - row.first_number)),
            games_read: row.games + row.repeated,
        }
    }

    /// The same of a text that has this game alone.
    pub(super) fn of_stored_text(self) -> Self {
        Self {
            only: Some(0),
            games_read: 1,
            ..self
        }
    }

    /// The first game in a draft of `stored` games that comes here, and how many do.
    pub(super) fn in_draft(&self, stored: u64) -> (GameId, u64) {
        match self.only {
            Some(at) if at < stored => (at + 1, 1),
            Some(_) => (1, 0),
            None => (1, stored),
        }
    }

    /// The parts of the source as they were read again, which hold the games, and those of
    /// before, so that the source is recognised however it is read.
    fn rows_now(&self, draft: &[ChunkGames]) -> Vec<ChunkGames> {
        let mut rows: Vec<ChunkGames> = draft
            .iter()
            .map(|row| {
                let mut row = ChunkGames {
                    first_game: row.first_game + self.first - 1,
                    first_number: row.first_number + self.numbers_before,
                    ..*row
                };
                row.digest.offset_bytes += self.from;
                // What stands before is known, and goes into the hash.
                let same = |known: &&ChunkGames| {
                    let (known, own) = (&known.digest, &row.digest);
                    known.offset_bytes == own.offset_bytes
                        && known.bytes == own.bytes
                        && known.split_bytes == own.split_bytes
                };
                if self.from > 0
                    && let Some(known) = self.rows.iter().find(same)
                {
                    row.digest = known.digest;
                }
                row
            })
            .collect();
        for known in &self.rows {
            if rows
                .iter()
                .all(|row| row.digest.chain != known.digest.chain)
            {
                rows.push(ChunkGames {
                    first_number: 1,
                    first_game: self.first,
                    games: 0,
                    repeated: 0,
                    ..*known
                });
            }
        }
        rows
    }
}

/// Whether no source but those that are replaced has what was read: each text is stored once.
///
/// # Errors
///
/// [`RereadError::Twice`].
pub(super) fn is_new(store: &Store, fresh: &[RereadDraft]) -> Result<(), RereadError> {
    let mut owners: HashMap<u128, &SourceRow> = HashMap::new();
    for RereadDraft { place, draft, .. } in fresh.iter().filter(|fresh| fresh.place.only.is_none())
    {
        let source = &place.source;
        for row in place.rows_now(&draft.part_rows(1)?) {
            let chain = row.digest.chain;
            let stored = store.source_of_part(chain)?;
            let other = match owners.insert(chain, source) {
                Some(other) => Some(other.clone()),
                None => stored.filter(|stored| stored.id != source.id),
            };
            if let Some(other) = other {
                return Err(RereadError::Twice {
                    source_name: display_path::bytes(&source.name).into_owned(),
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
/// has removed for another game of the source is passed over again.
///
/// # Errors
///
/// [`RereadError::Touched`].
pub(super) fn is_untouched(store: &Store, fresh: &[RereadDraft]) -> Result<(), RereadError> {
    let (removed, changes) = (store.removed()?, store.changes()?);
    for own in fresh {
        let RereadDraft { place, summary, .. } = own;
        let (first, end) = (place.first, place.first + place.games);
        let is_moved = place.in_draft(summary.stored).1 != place.games;
        let mut imports = changes
            .iter()
            .filter(|change| change.import == Some(place.source.import));
        let import = imports.next().map(|import| import.id);
        let exchanged = import
            .map(|import| exchanged(store, own, import))
            .transpose()?;
        let exchanged = exchanged.unwrap_or_default();
        let mut games = (first..end).filter(|game| !exchanged.gone.contains(game));
        let gone = games.find_map(|game| removed.mark_of(game));
        let edited = store.edited_between(first, end)?.first().copied();
        let undone = store.undoing(place.source.import)?;
        let mut kept = Vec::new();
        if is_moved {
            kept = store.kept_between(first, end)?;
            kept.retain(|&change| import != Some(change) || exchanged.has_others);
        }
        let kept = kept.first().copied();
        let touched = [
            (gone, "removed games"),
            (edited, "edited games"),
            (undone, "undone the import"),
            (kept, "kept games, in the place of others,"),
        ];
        let mut touched = touched.into_iter();
        if let Some((change, done)) = touched.find_map(|(change, done)| Some((change?, done))) {
            let what = match place.only {
                Some(_) => format!("game {first}"),
                None => display_path::bytes(&place.source.name).into_owned(),
            };
            return Err(RereadError::Touched { what, change, done });
        }
    }
    Ok(())
}

/// Games of a source that its import has removed for later ones of the source.
#[derive(Default)]
struct ReplacedGames {
    /// Those that are passed over again.
    gone: HashSet<GameId>,
    /// Whether games of the source stand for others as well.
    has_others: bool,
}

fn exchanged(store: &Store, own: &RereadDraft, import: i64) -> Result<ReplacedGames, StoreError> {
    let mut exchanged = ReplacedGames::default();
    let removals = store.removals(import)?;
    if removals.is_empty() {
        return Ok(exchanged);
    }
    let place = &own.place;
    let numbers = duplicates::numbers(store, place)?.into_iter();
    let numbers: HashMap<GameId, u64> = numbers.map(|(number, game)| (game, number)).collect();
    for run in removals {
        let kept = run.kept.filter(|kept| numbers.contains_key(kept));
        for game in (run.first..run.first + run.games).filter(|_| kept.is_some()) {
            let number = numbers.get(&game).filter(|_| place.only.is_none());
            if number.is_some_and(|number| own.repeated.contains_key(number)) {
                exchanged.gone.insert(game);
            } else {
                exchanged.has_others = true;
            }
        }
    }
    Ok(exchanged)
}

/// Puts what was read in place of what was there: all of it or nothing.
pub(super) fn replace(
    store: &Store,
    fresh: &mut [RereadDraft],
    (threads, what): (usize, &str),
    observer: &dyn Observer,
) -> Result<(), StoreError> {
    let _ = observer.on(Event::Phase {
        name: "replacing games",
        steps: None,
    });
    store.at_once(|| {
        let is_of_source = fresh.iter().any(|fresh| fresh.place.only.is_none());
        let program = concat!("plydex ", env!("CARGO_PKG_VERSION"), " reread");
        let import = is_of_source
            .then(|| store.insert_import(program))
            .transpose()?;
        store.insert_change(ChangeKind::Reread, what, import, None)?;
        let noted = duplicates::noted_later(store, fresh)?;
        // From the end, so that numbers are as they were found. A source without games begins
        // where the next one does.
        let mut order: Vec<usize> = (0..fresh.len()).collect();
        order.sort_by_key(|&at| std::cmp::Reverse((fresh[at].place.first, at)));
        for (done, &at) in order.iter().enumerate() {
            let moved = put(store, &fresh[at], import, threads)?;
            for &behind in &order[..done] {
                let now = fresh[behind].report.first_game as i64 + moved;
                fresh[behind].report.first_game = now as GameId;
            }
        }
        for at in 0..fresh.len() {
            if fresh[at].place.only.is_none() {
                duplicates::note(store, fresh, at)?;
            }
        }
        duplicates::note_later(store, fresh, &noted)?;
        if let Some(import) = import {
            sum_up(store, fresh, import)?;
        }
        store.forget_idle()
    })
}

/// Puts the games of one draft in their place; by how much those after them have moved.
fn put(
    store: &Store,
    fresh: &RereadDraft,
    import: Option<i64>,
    threads: usize,
) -> Result<i64, StoreError> {
    let RereadDraft {
        place,
        draft,
        summary,
        report,
        ..
    } = fresh;
    let (first, end) = (place.first, place.first + place.games);
    let (draft_first, games) = place.in_draft(summary.stored);
    let moved = games as i64 - place.games as i64;
    let findings = store.findings_of(place.source.id, None)?;
    store.forget_findings(&place.source, place.only.map(|_| first))?;
    let unindexed = without_segments(store, first..end)?;
    store.end_changes_of(first, end)?;
    store.forget_removals(first, end)?;
    let rims = store.make_room(first, end, games)?;
    let mut copied = GameCopier::new(store)?;
    let mut salvage = Salvage::new(draft);
    for (id, game) in (first..).zip(draft_first..draft_first + games) {
        let salvaged = salvage.game(game)?;
        if let Some(what) = salvaged.damage.first() {
            return Err(draft.damaged(format!("game {game}: {what}")));
        }
        copied.game(id, &salvaged)?;
        if copied.is_full() {
            copied.write_blocks()?;
        }
    }
    copied.write_blocks()?;
    store.insert_edge_blocks(&rims)?;
    let unindexed = unindexed.start..(unindexed.end as i64 + moved) as GameId;
    build_segments(store, unindexed, threads)?;
    // The only source of a draft.
    let entries = draft.finding_entries(1)?;
    let is_here = |entry: &&FindingEntry| match place.only {
        None => true,
        Some(_) => entry.game == Some(draft_first) && games > 0,
    };
    for entry in entries.iter().filter(is_here) {
        let own = FindingEntry {
            game: entry.game.map(|game| game - draft_first + first),
            offset_bytes: match report.stored_text {
                None => entry.offset_bytes + place.from,
                // Where it stood in the source is not known.
                Some(_) => place.from,
            },
            ..entry.clone()
        };
        store.put_finding(place.source.id, &own)?;
        if import.is_none() {
            store.count_diagnostics(place.source.import, &own.code, 1)?;
        }
    }
    let Some(import) = import else {
        return Ok(moved);
    };
    let rows = place.rows_now(&draft.part_rows(1)?);
    store.put_parts(place.source.id, &rows)?;
    store.forget_repeated(place.source.id, place.numbers_before)?;
    let rejected = findings.iter().filter(|(code, ..)| is_rejection(code));
    let rejected: u64 = rejected.map(|(_, _, without_game)| without_game).sum();
    let ([.., skipped, counted], _) = store.import_counts(place.source.import)?;
    let repeated: u64 = place.rows.iter().map(|row| row.repeated).sum();
    let had = [place.games, repeated.min(skipped), rejected.min(counted)];
    store.give_source(&place.source, import, had)?;
    Ok(moved)
}

/// Takes the segments away that have some games, or between whose games some are to come; the
/// games that have no segment now.
fn without_segments(store: &Store, games: Range<GameId>) -> Result<Range<GameId>, StoreError> {
    let end = |segment: &SegmentRow| segment.first_game + segment.games;
    // Where none goes, some are to come before the first.
    let last = games.end - u64::from(!games.is_empty());
    let has_some = |segment: &SegmentRow| match games.clone().next() {
        None => segment.first_game < last && last < end(segment),
        Some(first) => segment.first_game <= last && first < end(segment),
    };
    let mut without = games.clone();
    for segment in store.segments()?.iter().filter(|segment| has_some(segment)) {
        without.start = without.start.min(segment.first_game);
        without.end = without.end.max(end(segment));
        store.delete_segment(segment.id)?;
    }
    Ok(without)
}

/// Counts what the drafts have counted as what this import has.
fn sum_up(store: &Store, fresh: &[RereadDraft], import: i64) -> Result<(), StoreError> {
    let mut counts = [0; 4];
    for RereadDraft { summary, .. } in fresh {
        let of_draft = [
            summary.seen,
            summary.stored,
            summary.duplicate,
            summary.rejected,
        ];
        for (all, of_draft) in counts.iter_mut().zip(of_draft) {
            *all += of_draft;
        }
        for (code, count) in &summary.diagnostics {
            store.count_diagnostics(import, code.as_str(), *count)?;
        }
    }
    store.update_import(import, counts, true)
}
