//! Chess problems, which older schemas keep as games of their composers against what is
//! asked, become records of their own.

use std::{
    collections::{BTreeMap, HashMap},
    convert::Infallible,
    time::Instant,
};

use super::{GAMES_A_LIST, ReindexOptions, ReindexReport, step, tell};
use crate::{
    base::{observe::Observer, record::GameId},
    db::{
        index::pages::RecordBlock,
        search::Games,
        store::{COMMIT_AFTER, NameTable, RecordKind, StartRow, Store, StoreError},
        stored::WholeGames,
    },
    formats::composition::{self, FiledProblem, ProblemStart},
    games::variant::{Tier, Variant},
};

/// Files the problems that are not filed yet, each compared with what was read of it. They
/// stay the games that they are until [`separate`].
pub(super) fn file(
    store: &Store,
    options: ReindexOptions,
    observer: &dyn Observer,
    report: &mut ReindexReport,
) -> Result<(), StoreError> {
    let mut last = store.last_problem()?;
    let mut authors = store.dictionary(NameTable::Author)?;
    let mut games = Games::new(store);
    let left = store.last_game()?.saturating_sub(last);
    tell(store, observer, "filing problems", Some(left))?;
    loop {
        let (since, before) = (Instant::now(), last);
        let mut writer = store.record_writer(RecordKind::Problem);
        let mut blocks: Vec<RecordBlock> = Vec::new();
        let mut filed_now: Vec<(GameId, FiledProblem)> = Vec::new();
        let mut keep = |block| {
            blocks.push(block);
            Ok::<_, Infallible>(())
        };
        'commit: loop {
            let stipulated = store.stipulated_after(last, GAMES_A_LIST)?;
            if stipulated.is_empty() {
                break;
            }
            for game in stipulated {
                store.go_on()?;
                last = game;
                let Some(filed) = games.problem(game)? else {
                    continue;
                };
                let record = filed.write();
                if FiledProblem::read(&record).as_ref() != Some(&filed) {
                    let what = format!("game {game}: its problem is not the same when filed");
                    return Err(store.damaged(what));
                }
                let Ok(()) = writer.push(game, [&record, &[], &[]], &mut keep);
                filed_now.push((game, filed));
                let is_long = since.elapsed() >= COMMIT_AFTER;
                if filed_now.len() == options.games_per_commit || is_long {
                    break 'commit;
                }
            }
        }
        if filed_now.is_empty() {
            return Ok(());
        }
        let Ok(()) = writer.finish(&mut keep);
        store.at_once(|| {
            for block in &blocks {
                store.insert_records(RecordKind::Problem, block)?;
            }
            for (game, filed) in &filed_now {
                let mut ids = Vec::new();
                for author in &filed.problem.authors {
                    let id = if let Some(known) = authors.get(author) {
                        known
                    } else {
                        let new = authors.add(author);
                        store.insert_name(NameTable::Author, new, author)?;
                        new
                    };
                    ids.push(id);
                }
                store.insert_problem(*game, &filed.problem, &ids, None)?;
            }
            Ok(())
        })?;
        report.problems += filed_now.len() as u64;
        step(store, observer, last - before)?;
    }
}

/// Takes from the games of all filed problems what these say themselves, gives boards that
/// cannot be played from their diagrams, and sums the games up as they are then. To be done in the last step, all at once.
pub(super) fn separate(store: &Store) -> Result<(), StoreError> {
    let mut diagrams = Vec::new();
    let mut next_start = 1;
    store.for_each_start(|start| {
        next_start = next_start.max(start.id.saturating_add(1));
        let variant = Variant::by_id(start.variant);
        let is_chess = variant.is_none_or(|row| row.tier() == Some(Tier::Assumed));
        if start.canonical.is_none() && is_chess {
            let diagram = composition::diagram_of_fen(&start.fen);
            diagrams.extend(diagram.map(|diagram| (start.id, diagram)));
        }
    })?;
    for (id, diagram) in diagrams {
        store.update_diagram(id, &diagram)?;
    }
    // Of those with fairy pieces nothing is there yet.
    let mut known: HashMap<String, u32> = HashMap::new();
    let mut starts: BTreeMap<GameId, Option<u32>> = BTreeMap::new();
    let mut row = 0;
    while let Some((first, block)) = store.records_from(RecordKind::Problem, row)? {
        store.go_on()?;
        row = first + 1;
        let damaged = || store.damaged(RecordKind::Problem.damage(first));
        for (game, record) in block.ok_or_else(damaged)?.records() {
            let filed = FiledProblem::read(record).ok_or_else(damaged)?;
            let start = match filed.problem.beginning().0 {
                ProblemStart::Diagram { fen, diagram } if fen.is_empty() => {
                    let id = *known.entry(diagram.clone()).or_insert(next_start);
                    if id == next_start {
                        next_start += 1;
                        let start = StartRow {
                            id,
                            variant: 0,
                            fen,
                            canonical: None,
                            corner: None,
                            diagram: Some(diagram),
                        };
                        store.insert_start(id, &start, None)?;
                    }
                    Some(id)
                }
                _ => None,
            };
            starts.insert(game, start);
        }
    }
    store.separate_problems(&starts)?;
    let mut games = WholeGames::new(store);
    let sums: Result<_, _> = starts
        .keys()
        .map(|&game| Ok((game, games.sum(game)?)))
        .collect();
    store.update_sums(&sums?)
}
