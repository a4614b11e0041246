//! The power goes while an import is under way: what was committed is found, and the next import
//! goes on from there.

use plydex::changes;
use std::{
    ops::ControlFlow,
    path::{Path, PathBuf},
    sync::Mutex,
};

use tempfile::TempDir;

use super::text;
use {
    crate::{
        reindex,
        support::{Base, one_in, run, sqlite},
    },
    plydex::{
        base::observe::{CancellationToken, Event, NullObserver, Observer},
        changes::CheckReport,
        import::{self, ImportOptions},
        store::Store,
    },
};

/// Takes the files of a database away as they stand whenever games were handled.
struct PowerCuts {
    db: PathBuf,
    taken: Mutex<Vec<TempDir>>,
}

impl Observer for PowerCuts {
    fn on(&self, event: Event<'_>) -> ControlFlow<()> {
        if let Event::GamesHandled { .. } = event {
            let copy = tempfile::tempdir().expect("a folder");
            for ending in ["", "-wal"] {
                let from = format!("{}{ending}", text(&self.db));
                if Path::new(&from).exists() {
                    let to = copy.path().join(format!("games.db{ending}"));
                    std::fs::copy(from, to).expect("a copy");
                }
            }
            self.taken.lock().expect("no panic").push(copy);
        }
        ControlFlow::Continue(())
    }
}

fn checked(db: &Path) -> CheckReport {
    let store = Store::open(db, &CancellationToken::default()).expect("a database");
    let report = changes::check(&store, &NullObserver).expect("a check");
    assert_eq!(report.problems, Vec::<String>::new());
    report
}

#[test]
fn what_no_segment_has_yet_is_found() {
    let base = Base::new();
    let options = ImportOptions {
        threads: Some(2),
        commit_games_max: Some(1),
        ..ImportOptions::default()
    };
    let paths: Vec<PathBuf> = vec![reindex::games()];
    let cuts = PowerCuts {
        db: base.store.path().to_path_buf(),
        taken: Mutex::default(),
    };
    let summary = import::import(&base.store, &paths, options, &cuts).expect("an import");
    assert_eq!(checked(base.store.path()).unindexed, 0);
    let whole = run(base.store.path(), &["export"]);
    let copies = cuts.taken.into_inner().expect("no panic");
    assert!(copies.len() >= 10, "{} cuts", copies.len());
    let mut most = 0;
    for copy in copies.iter().rev().step_by(one_in(3)) {
        let db = copy.path().join("games.db");
        let report = checked(&db);
        assert_eq!(
            report.games, report.unindexed,
            "one segment has all, at the end"
        );
        most = most.max(report.unindexed);
        let found = reindex::found(&db);
        if report.games > 0 {
            let said = run(&db, &["check"]);
            assert_eq!(said.status, Some(0));
            assert!(said.out.contains("import that was broken off"), "{said:?}");
            // One with other bits hides its game.
            let spoiled = copy.path().join("spoiled.db");
            assert_eq!(run(&db, &["backup", text(&spoiled)]).status, Some(0));
            sqlite(&spoiled)
                .execute_batch("UPDATE tail_block SET data = randomblob(length(data))")
                .expect("an update");
            let said = run(&spoiled, &["check"]);
            assert_eq!(said.status, Some(2), "{said:?}");
            assert!(said.out.contains("signatures"), "{said:?}");
        }
        assert_eq!(run(&db, &["reindex"]).status, Some(0));
        let after = checked(&db);
        assert_eq!((after.games, after.unindexed), (report.games, 0));
        assert_eq!(reindex::found(&db), found);
        // Whoever goes on makes the same of it.
        let again = run(&db, &["import", text(&paths[0])]);
        assert_eq!(again.status, Some(0), "{again:?}");
        assert_eq!(run(&db, &["export"]).out, whole.out);
        assert_eq!(checked(&db).games, summary.stored);
    }
    assert!(most > summary.stored / 2, "{most} of {}", summary.stored);
}
