//! Rereads are undone, stopped and killed.

use super::*;

/// Stops at an event.
struct StopAt(AtomicU64, CancellationToken);

impl Observer for StopAt {
    fn on(&self, _: Event<'_>) -> ControlFlow<()> {
        if self.0.fetch_sub(1, Ordering::SeqCst) <= 1 {
            self.1.cancel();
        }
        ControlFlow::Continue(())
    }

    fn stop(&self) -> CancellationToken {
        self.1.clone()
    }
}

/// What is undone does not depend on the order.
#[test]
fn imports_and_rereads_are_undone_in_any_order() {
    for order in [[1, 2], [2, 1]] {
        let base = Base::of(GERMAN.as_bytes());
        let file = base.folder().join("games.pgn");
        let read = again(&base, &source(file.clone()), variant("atomic")).expect("a reread");
        assert_eq!(read.change, Some(2));
        assert_eq!(base.games().len(), 2);
        let undo = |change: i64| run(base.store.path(), &["undo", &change.to_string()]);
        assert_eq!(undo(order[0]).status, Some(0));
        assert_eq!(base.games().len(), 2);
        base.assert_sound();
        assert_eq!(undo(order[1]).status, Some(0));
        assert_eq!(base.games().len(), 0);
        base.assert_sound();
        // Then an import reads the file again, and neither change can be done again.
        let again = base.import(slice::from_ref(&file), ImportOptions::default());
        assert_eq!(again.stored, 2);
        for change in [3, 4] {
            let done = undo(change);
            let is_refused = done.err.contains("since");
            assert!(is_refused, "{order:?} {change}: {done:?}");
        }
        base.assert_sound();
    }
}

/// A reread of a reread is undone first.
#[test]
fn rereads_of_one_source_are_undone_from_the_last() {
    let folder = tempfile::tempdir().expect("a folder");
    let base = imported(folder.path(), "m.pdn", RUSSIAN.as_bytes(), variant("pool"));
    let target = source(folder.path().join("m.pdn"));
    let mut states = vec![contents(&base)];
    for name in ["russian", "international"] {
        again(&base, &target, variant(name)).expect("a reread");
        states.push(contents(&base));
    }
    let undo = |change: i64| run(base.store.path(), &["undo", &change.to_string()]);
    let refused = undo(4);
    assert!(refused.err.contains("change 5 has read"), "{refused:?}");
    for (change, state) in [(5, 1), (4, 0)] {
        let done = undo(change);
        assert_eq!(done.status, Some(0), "{done:?}");
        assert_eq!(contents(&base), states[state]);
        base.assert_sound();
    }
    // And back, from the first.
    for (change, state) in [(7, 1), (6, 2)] {
        let done = undo(change);
        assert_eq!(done.status, Some(0), "{done:?}");
        assert_eq!(contents(&base), states[state]);
        base.assert_sound();
    }
}

#[test]
fn a_reread_that_is_stopped_changes_all_or_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = POSITIONS.as_bytes();
    let target = source(folder.path().join("m.txt"));
    let fresh = imported(folder.path(), "m.txt", text, read_as("epd"));
    let base = imported(folder.path(), "m.txt", text, read_as("pgn"));
    let (before, after) = (base.games(), fresh.games());
    let mut stopped = 0;
    for events in 1.. {
        let stop = CancellationToken::default();
        let store = plydex::store::Store::create_or_open(base.store.path(), &stop);
        let store = store.expect("the database opens");
        let drafts = tempfile::tempdir().expect("a folder");
        let observer = StopAt(AtomicU64::new(events), stop);
        let read = reread(
            &store,
            &target,
            (read_as("epd"), EvalOverride::default()),
            drafts.path(),
            &observer,
        );
        drop(store);
        base.assert_sound();
        if read.is_ok() {
            break;
        }
        stopped += 1;
        assert_eq!(base.games(), before);
    }
    assert!(stopped > 2, "{stopped}");
    assert_eq!(without_numbers(base.games()), without_numbers(after));
}

#[test]
fn a_reread_that_is_killed_changes_all_or_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = RUSSIAN.repeat(400);
    let base = imported(folder.path(), "m.pdn", text.as_bytes(), variant("pool"));
    let path = folder.path().join("m.pdn");
    let db = base.store.path().to_path_buf();
    let (mut before, mut kinds) = (0, 0);
    for pause in 0..12 {
        let kind = ["russian", "pool"][pause % 2];
        let name = path.to_str().expect("a name");
        let mut child = plydex(&db, &["reread", name, "--variant", kind])
            .spawn()
            .expect("the program runs");
        sleep(Duration::from_millis(25 * pause as u64));
        child.kill().expect("a kill");
        child.wait().expect("an end");
        base.assert_sound();
        let now = base.games();
        assert_eq!(now.len(), 24 + 1200);
        let russian = now.iter().filter(|game| game.header.variant == "russian");
        match russian.count() {
            0 => kinds += 1,
            1200 => before += 1,
            some => panic!("{some} games are Russian"),
        }
    }
    assert_eq!(kinds + before, 12);
}
