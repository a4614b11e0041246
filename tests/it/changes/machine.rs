//! Changes in random order against a model that knows nothing of how they are stored.

use std::{
    collections::BTreeSet,
    fmt::Write as _,
    path::{Path, PathBuf},
};

use plydex::{
    base::observe::{CancellationToken, NullObserver},
    changes::{
        self, TagEdit,
        reread::{EvalOverride, RereadError, RereadTarget, reread},
    },
    games::{AnyPosition, notation::letters::ENGLISH},
    identity::{DedupeOptions, DedupePolicy},
    import::{self, DuplicateAction, ImportOptions},
    people::{NameGroups, NameSelection},
    query::{GameCondition, PositionQuery},
    search::{self, AccessPlan, GameConditions, GameReader},
    store::{NameTable, Store},
};
use proptest::prelude::*;

use super::model::{Entry, Model, PAWNS, Role, What};
use crate::support::one_in;

#[derive(Debug, Clone)]
enum Step {
    Import(DuplicateAction, Vec<Entry>),
    /// One of the files of before.
    ImportAgain(usize, DuplicateAction),
    Merge(DuplicateAction, BTreeSet<Entry>),
    Delete(usize),
    Edit(usize, u8),
    Dedupe(DedupePolicy),
    /// One of the files of before is read again as it was.
    Reread(usize),
    Optimize,
    Purge,
    Undo(usize),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let entries = || prop::collection::vec((0..PAWNS.len(), any::<bool>()), 1..5);
    let how = prop_oneof![
        4 => Just(DuplicateAction::Skip),
        2 => Just(DuplicateAction::Best),
        1 => Just(DuplicateAction::Keep),
    ];
    let policy = prop_oneof![
        Just(DedupePolicy::Best),
        Just(DedupePolicy::First),
        Just(DedupePolicy::Last),
    ];
    let one_each = entries().prop_map(|entries| {
        let mut seen = BTreeSet::new();
        entries
            .into_iter()
            .filter(|(game, _)| seen.insert(*game))
            .collect()
    });
    let step = prop_oneof![
        6 => (how.clone(), entries()).prop_map(|(how, entries)| Step::Import(how, entries)),
        2 => (0..9_usize, how.clone()).prop_map(|(file, how)| Step::ImportAgain(file, how)),
        2 => (how, one_each).prop_map(|(how, entries)| Step::Merge(how, entries)),
        2 => (0..PAWNS.len()).prop_map(Step::Delete),
        2 => (0..9_usize, 0..3_u8).prop_map(|(game, note)| Step::Edit(game, note)),
        2 => policy.prop_map(Step::Dedupe),
        2 => (0..9_usize).prop_map(Step::Reread),
        1 => Just(Step::Optimize),
        1 => Just(Step::Purge),
        7 => (0..12_usize).prop_map(Step::Undo),
    ];
    prop::collection::vec(step, 3..14)
}

fn pgn(entries: &[Entry]) -> String {
    let written = entries.iter().map(|&(game, has_comment)| {
        let comment = if has_comment { " {comment}" } else { "" };
        let mut moves = format!("1. {}{comment} a6", PAWNS[game]);
        for number in 1..=6 {
            let number = 2 * number;
            let _ = write!(moves, " {number}. Nh3 Nh6 {}. Ng1 Ng8", number + 1);
        }
        format!(
            "[Event \"Open\"]\n[Date \"2001.02.0{}\"]\n[White \"Aa, {game}\"]\n[Black \"Bb, B\"]\n\
             [WhiteFideId \"{}\"]\n\n{moves} *\n\n",
            game + 1,
            4_600_000 + game
        )
    });
    written.collect()
}

/// A database, and the files that were imported into it.
struct Real {
    folder: tempfile::TempDir,
    db: PathBuf,
    files: Vec<(PathBuf, Vec<Entry>)>,
    texts: u32,
    /// Whether games were stored again because that was asked for.
    has_kept: bool,
}

impl Real {
    fn store(&self) -> Store {
        Store::create_or_open(&self.db, &CancellationToken::default()).expect("a database")
    }

    /// A text that is no other's beginning.
    fn text(&mut self, entries: &[Entry]) -> String {
        self.texts += 1;
        format!("% {}\n\n{}", self.texts, pgn(entries))
    }

    fn import(store: &Store, file: &Path, duplicates: DuplicateAction) {
        let options = ImportOptions {
            duplicates,
            threads: Some(1),
            // Every other time games are read as they are asked for.
            known_games_max: store
                .last_game()
                .ok()
                .filter(|last| last.is_multiple_of(2))
                .map(|_| 0),
            ..ImportOptions::default()
        };
        let read = import::import(store, &[file.to_path_buf()], options, &NullObserver);
        let read = read.expect("an import");
        assert_eq!(read.seen, read.stored + read.duplicate + read.rejected);
    }

    fn shown(store: &Store) -> Vec<String> {
        let games = search::all_games(store, &AccessPlan::default()).expect("games");
        let mut reader = GameReader::new(store);
        let shown = games.into_iter().map(|id| {
            let game = reader.game(id).expect("a game").expect("a game");
            let white = &game.header.white;
            let game_of: usize = white[4..].parse().expect("a number");
            let has_comment = format!("{:?}", game.items).contains("comment");
            let comment = if has_comment { " {comment}" } else { "" };
            let note = game.tags.iter().find(|(name, _)| name == "Note");
            let note = note.map_or(String::new(), |(_, value)| format!(" note {value}"));
            format!("{id}: {}{comment}{note}", PAWNS[game_of])
        });
        shown.collect()
    }

    /// Compares all ways to ask.
    fn compare(&self, model: &Model) {
        let store = self.store();
        let shown = model.shown();
        assert_eq!(Self::shown(&store), shown);
        let records: Vec<usize> = model.visible();
        let games = records.iter().map(|record| model.records[record - 1].game);
        let games: BTreeSet<usize> = games.collect();
        assert!(self.has_kept || games.len() == records.len(), "{shown:?}");
        let position = PositionQuery::of(AnyPosition::initial());
        let tree =
            search::tree(&store, &position, &GameConditions::default(), ENGLISH).expect("a tree");
        for (nth, pawn) in PAWNS.iter().enumerate() {
            let games = tree.moves.iter().find(|played| played.san == *pawn);
            let wanted = shown
                .iter()
                .filter(|text| text.contains(PAWNS[nth]))
                .count() as u64;
            assert_eq!(
                games.map_or(0, |played| played.score.games),
                wanted,
                "{pawn}"
            );
        }
        // By the filed numbers the same are found as by those of the games.
        for game in 0..PAWNS.len() {
            let fide_id = 4_600_000 + game as u32;
            let wanted = NameSelection {
                name: &|_| false,
                fide_id: Some(fide_id),
            };
            let found = NameGroups::read(&store, NameTable::Player, Some(wanted)).expect("names");
            let found = found.groups.iter().map(|group| group.career.games as usize);
            let records = model.visible().into_iter();
            let records = records.filter(|record| model.records[record - 1].game == game);
            assert_eq!(found.sum::<usize>(), records.count(), "{fide_id}");
        }
        let report = changes::check(&store, &NullObserver).expect("a check");
        assert!(report.problems.is_empty(), "{:?}", report.problems);
        let log = changes::log(&store).expect("a log");
        assert_eq!(log.len(), model.changes.len());
    }

    fn step(&mut self, step: &Step, model: &mut Model) {
        let store = self.store();
        self.has_kept |= matches!(
            step,
            Step::Import(DuplicateAction::Keep, _)
                | Step::ImportAgain(_, DuplicateAction::Keep)
                | Step::Merge(DuplicateAction::Keep, _)
        );
        match step {
            Step::Import(how, entries) => {
                let file = self.folder.path().join(format!("{}.pgn", self.files.len()));
                std::fs::write(&file, self.text(entries)).expect("a file");
                self.files.push((file.clone(), entries.clone()));
                Self::import(&store, &file, *how);
                model.take(entries, *how, Some(self.files.len()));
            }
            Step::ImportAgain(file, how) => {
                let Some((path, entries)) = self.files.get(*file) else {
                    return;
                };
                Self::import(&store, path, *how);
                model.take(entries, *how, Some(file + 1));
            }
            Step::Merge(how, entries) => {
                let entries: Vec<Entry> = entries.iter().copied().collect();
                let folder = tempfile::tempdir().expect("a folder");
                let file = folder.path().join("other.pgn");
                std::fs::write(&file, self.text(&entries)).expect("a file");
                let db = folder.path().join("other.db");
                let other =
                    Store::create_or_open(&db, &CancellationToken::default()).expect("a database");
                Self::import(&other, &file, DuplicateAction::Keep);
                changes::merge(&store, &other, *how, &NullObserver).expect("a merge");
                model.take(&entries, *how, None);
            }
            Step::Delete(game) => {
                let query = AccessPlan {
                    conditions: GameConditions::of([GameCondition::white(&format!("Aa {game}"))]),
                    ..AccessPlan::default()
                };
                changes::delete(&store, &query, "", &NullObserver).expect("a deletion");
                let visible = model.visible().into_iter();
                let gone = visible.filter(|record| model.records[record - 1].game == *game);
                let gone: Vec<(usize, Option<usize>)> = gone.map(|record| (record, None)).collect();
                if !gone.is_empty() {
                    let change = model.change(What::Remove);
                    model.changes[change - 1].removed = gone;
                    model.changes[change - 1].role = Role::Delete;
                }
            }
            Step::Edit(nth, note) => {
                let Some(&record) = model.visible().get(*nth) else {
                    return;
                };
                let after = (*note > 0).then_some(*note);
                let edit = TagEdit {
                    name: "Note".into(),
                    value: after.map(|note| note.to_string()),
                };
                changes::edit(
                    &store,
                    record as u64,
                    (&[edit], false),
                    self.folder.path(),
                    &NullObserver,
                )
                .expect("an edit");
                let before = model.records[record - 1].note;
                if before != after {
                    model.records[record - 1].note = after;
                    model.change(What::Edit(record, before, after));
                }
            }
            Step::Dedupe(policy) => {
                let options = DedupeOptions {
                    policy: *policy,
                    with_parts: true,
                };
                changes::dedupe(&store, options, "", &NullObserver).expect("a dedupe");
                model.dedupe(*policy);
            }
            Step::Reread(file) => {
                let Some((path, entries)) = self.files.get(*file) else {
                    return;
                };
                let target = RereadTarget::Source {
                    name: path.clone(),
                    import: None,
                };
                let drafts = tempfile::tempdir().expect("a folder");
                let options = ImportOptions {
                    threads: Some(1),
                    ..ImportOptions::default()
                };
                let read = reread(
                    &store,
                    &target,
                    (options, EvalOverride::default()),
                    drafts.path(),
                    &NullObserver,
                );
                let text = file + 1;
                let reading = model.reading_of(text);
                if let Err(error) = &read {
                    let is_touched = matches!(error, RereadError::Touched { .. });
                    assert!(is_touched, "{error}");
                    let is_right = reading.is_none_or(|reading| !model.is_untouched(reading));
                    assert!(is_right, "{error}");
                } else {
                    let reading = reading.expect("it is known");
                    assert!(model.is_untouched(reading), "{read:?}");
                    model.reread(entries, text);
                }
            }
            Step::Optimize | Step::Purge => {
                let options = changes::OptimizeOptions {
                    purge: matches!(step, Step::Purge),
                    in_place: false,
                };
                changes::optimize(&store, options, &NullObserver).expect("an optimized file");
                if options.purge {
                    model.purge();
                }
            }
            Step::Undo(back) => {
                let change = model.changes.len().saturating_sub(*back);
                let done = changes::undo(&store, change as i64, self.folder.path(), &NullObserver);
                assert_eq!(done.is_ok(), model.undo(change), "undo {change}: {done:?}");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(
        std::env::var("PLYDEX_MACHINE_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(20 / one_in(2) as u32)
    ))]

    #[test]
    fn changes_are_as_a_model_has_them(steps in steps()) {
        let folder = tempfile::tempdir().expect("a folder");
        let db = folder.path().join("games.db");
        let mut real = Real { folder, db, files: Vec::new(), texts: 0, has_kept: false };
        let mut model = Model::default();
        for step in &steps {
            // Who reads meanwhile sees what was there.
            let reader = real.store();
            drop(reader);
            let reader = Store::open(&real.db, &CancellationToken::default()).expect("a database");
            let before = Real::shown(&reader);
            let is_vacuum = matches!(step, Step::Optimize | Step::Purge);
            let reader = (!is_vacuum).then_some(reader);
            real.step(step, &mut model);
            if let Some(reader) = reader {
                prop_assert_eq!(Real::shown(&reader), before);
            }
            real.compare(&model);
        }
    }
}
