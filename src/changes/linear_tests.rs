//! However alike records are, work grows with their number and not with its square. It is counted
//! in steps (instructions of statements, games that others are compared with), never in time.

use std::path::{Path, PathBuf};

use super::reread::{self, EvalOverride, RereadTarget};
use crate::{
    base::{
        long_tests::one_in,
        observe::{CancellationToken, NullObserver},
        work::steps_of,
    },
    changes,
    identity::{DedupeOptions, DedupePolicy},
    import::{self, DuplicateAction, ImportOptions},
    query::{GameCondition, Ranges},
    search::{AccessPlan, GameConditions},
    store::Store,
};

/// Records in the smaller of two tries: more than are looked at one by one.
const FEW: usize = 400;
/// How many times as many the larger one has.
const TIMES: usize = 4;
/// Linear work is that many times as much, quadratic work sixteen times.
const STEPS_TIMES_MAX: u64 = 6;
/// What a few steps more or less do not count.
const SMALL: u64 = 20_000;

const LONG: &str = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O \
    9. h3 Na5 10. Bc2 c5 11. d4 Qc7 12. Nbd2 cxd4 13. cxd4 Nc6";
const TAGS: &str = "[White \"A, B\"]\n[Black \"C, D\"]\n[Event \"x\"]\n[Date \"2020.01.02\"]\n";

/// A kind of record: its name, its format and its text.
type Kind = (&'static str, &'static str, String);

fn pgn(name: &'static str, text: String) -> Kind {
    (name, "pgn", text)
}

/// Records without moves that could be played.
fn without_moves() -> Vec<Kind> {
    let fen = |fen: &str| format!("[FEN \"{fen} w - - 0 1\"]\n\n*\n\n");
    vec![
        pgn(
            "moves that are none",
            "[Event \"x\"]\n\n1. Qh9 Kk *\n\n".into(),
        ),
        pgn("the same of players", format!("{TAGS}\n1. Qh9 Kk *\n\n")),
        pgn("a FEN", fen("8/8/8/4k3/8/8/4P3/4K3")),
        pgn("a FEN that is none", fen("9/8/8/4k3/8/8/4P3/4K3")),
        pgn("tags", format!("{TAGS}\n1-0\n\n")),
        pgn("a comment", "[Event \"x\"]\n\n{ hello world } *\n\n".into()),
    ]
}

/// Games.
fn with_moves() -> Vec<Kind> {
    vec![
        pgn("a move", "1. e4 *\n\n".into()),
        pgn(
            "a move and one that is none",
            format!("{TAGS}\n1. e4 Zz9 *\n\n"),
        ),
        pgn("a short game", format!("{TAGS}\n1. e4 e5 1-0\n\n")),
        pgn("a long game", format!("{TAGS}\n{LONG} 1-0\n\n")),
        pgn(
            "a game without a date",
            format!("[White \"A, B\"]\n[Black \"C, D\"]\n\n{LONG} 1-0\n\n"),
        ),
        pgn(
            "a game of nobody",
            format!("[Event \"x\"]\n\n{LONG} 1-0\n\n"),
        ),
    ]
}

/// Records in other formats.
fn of_other_formats() -> Vec<Kind> {
    let problem =
        "Plydex, Samples 2026, 8/8/8/8/8/5K2/R7/7k (2+1) #2 1.Kg3! zugzwang. 1...Kg1 2.Ra1#\n\n";
    vec![
        (
            "lines of EPD",
            "epd",
            "8/8/8/4k3/8/8/4P3/4K3 w - - bm e4; id \"x\";\n".into(),
        ),
        (
            "lines of FEN",
            "epd",
            "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1\n".into(),
        ),
        ("problems", "problems", problem.into()),
    ]
}

/// What was done, and in how many steps.
type Steps = (String, u64);

/// A database with sources beside it.
struct Base {
    folder: tempfile::TempDir,
    store: Store,
    format: &'static str,
}

impl Base {
    fn new(format: &'static str) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let store =
            Store::create_or_open(&folder.path().join("a.db"), &CancellationToken::default());
        Self {
            store: store.expect("a database"),
            folder,
            format,
        }
    }

    fn file(&self, name: &str, text: &str) -> PathBuf {
        let path = self.folder.path().join(name);
        std::fs::write(&path, text).expect("a file");
        path
    }

    fn drafts(&self) -> PathBuf {
        let drafts = self.folder.path().join("drafts");
        let _ = std::fs::remove_dir_all(&drafts);
        std::fs::create_dir(&drafts).expect("a folder");
        drafts
    }

    fn import(&self, file: &Path, duplicates: DuplicateAction) -> import::ImportReport {
        let options = ImportOptions {
            threads: Some(1),
            format: import::format_named(self.format).ok(),
            duplicates,
            ..ImportOptions::default()
        };
        import::import(&self.store, &[file.to_path_buf()], options, &NullObserver)
            .expect("an import")
    }

    fn undo(&self, change: i64) {
        changes::undo(&self.store, change, &self.drafts(), &NullObserver).expect("an undo");
    }

    fn reread(&self, file: &Path) {
        let name = file.to_path_buf();
        let target = RereadTarget::Source { name, import: None };
        let options = ImportOptions {
            threads: Some(1),
            format: import::format_named(self.format).ok(),
            ..ImportOptions::default()
        };
        reread::reread(
            &self.store,
            &target,
            (options, EvalOverride::default()),
            &self.drafts(),
            &NullObserver,
        )
        .expect("a reread");
    }

    fn dedupe(&self, with_parts: bool) -> Option<i64> {
        let options = DedupeOptions {
            policy: DedupePolicy::Best,
            with_parts,
        };
        changes::dedupe(&self.store, options, "", &NullObserver)
            .expect("a dedupe")
            .change
    }
}

/// The steps of all that can be done to a database with this many records, by what was done.
fn steps(format: &'static str, text: &str) -> Vec<Steps> {
    let mut all = Vec::new();
    let mut note = |what: &str, work: &mut dyn FnMut()| all.push((what.to_owned(), steps_of(work)));
    let base = Base::new(format);
    let first = base.file("first", text);
    let again = base.file("again", &format!("\n{text}"));
    let third = base.file("third", &format!("\n\n{text}"));
    note("import and keep", &mut || {
        drop(base.import(&first, DuplicateAction::Keep));
    });
    note("known", &mut || {
        drop(base.import(&first, DuplicateAction::Skip));
    });
    for (name, how) in [
        ("skip", DuplicateAction::Skip),
        ("best", DuplicateAction::Best),
    ] {
        let own = Base::new(format);
        note(&format!("import and {name}"), &mut || {
            drop(own.import(&first, how));
        });
        note(&format!("import again and {name}"), &mut || {
            drop(own.import(&again, how));
        });
        note("reread", &mut || own.reread(&first));
    }
    note("keep again", &mut || {
        drop(base.import(&again, DuplicateAction::Keep));
    });
    for with_parts in [false, true] {
        let mut change = None;
        note("dedupe", &mut || change = base.dedupe(with_parts));
        note("import what was removed", &mut || {
            drop(base.import(&third, DuplicateAction::Skip));
        });
        if let Some(change) = change {
            note("undo of it", &mut || base.undo(change));
        }
    }
    for duplicates in [
        DuplicateAction::Skip,
        DuplicateAction::Best,
        DuplicateAction::Keep,
    ] {
        let own = Base::new(format);
        own.import(&third, DuplicateAction::Keep);
        let mut change = None;
        note("merge", &mut || {
            let merged = changes::merge(&own.store, &base.store, duplicates, &NullObserver);
            change = merged.expect("a merge").change;
        });
        if let Some(change) = change {
            note("undo of it", &mut || own.undo(change));
        }
    }
    let every = AccessPlan {
        conditions: GameConditions::of([GameCondition::Number(Ranges::of(1, u64::MAX >> 2))]),
        ..AccessPlan::default()
    };
    note("delete", &mut || {
        drop(changes::delete(&base.store, &every, "", &NullObserver));
    });
    note("import what was deleted", &mut || {
        drop(base.import(
            &base.file("fourth", &format!("\n\n\n{text}")),
            DuplicateAction::Skip,
        ));
    });
    note("places", &mut || {
        for game in 1..=FEW as u64 / 4 {
            base.store.places(game).expect("places");
        }
    });
    all
}

fn assert_linear(name: &str, few: &[Steps], many: &[Steps]) {
    assert_eq!(few.len(), many.len(), "{name}");
    for ((what, few), (_, many)) in few.iter().zip(many) {
        assert!(
            *many <= STEPS_TIMES_MAX * few + SMALL,
            "{name}: {what} takes {few} steps, and {many} of {TIMES} times as many records"
        );
    }
}

fn assert_all_linear(kinds: Vec<Kind>) {
    for (name, format, text) in kinds.into_iter().step_by(one_in(3)) {
        let [few, many] =
            [FEW / 2, FEW / 2 * TIMES].map(|times| steps(format, &text.repeat(times)));
        assert_linear(name, &few, &many);
    }
}

#[test]
fn equal_records_without_moves_are_told_apart_in_linear_work() {
    assert_all_linear(without_moves());
}

#[test]
fn equal_games_are_told_apart_in_linear_work() {
    assert_all_linear(with_moves());
}

#[test]
fn equal_records_of_other_formats_are_told_apart_in_linear_work() {
    assert_all_linear(of_other_formats());
}

/// What imports, undos and rereads take where records stand for others.
fn replaced_steps(text: &str) -> Vec<Steps> {
    let base = Base::new("pgn");
    let first = base.file("first", text);
    let again = base.file("again", &format!("\n{text}"));
    let mut all = Vec::new();
    let mut note = |what: &str, work: &mut dyn FnMut()| all.push((what.to_owned(), steps_of(work)));
    note("import and best", &mut || {
        assert!(base.import(&first, DuplicateAction::Best).replaced > 0);
    });
    note("undo", &mut || base.undo(1));
    note("undo of it", &mut || base.undo(2));
    note("import again", &mut || {
        // However many stand for each other, one of them is there.
        assert_eq!(base.import(&again, DuplicateAction::Best).stored, 0);
    });
    note("undo of the first", &mut || base.undo(1));
    note("reread", &mut || base.reread(&again));
    note("dedupe", &mut || _ = base.dedupe(true));
    all
}

/// Each record of a game is better than the one before, so that one stands for the other.
#[test]
fn a_chain_of_better_records_takes_linear_work() {
    let [few, many] = [FEW / 4, FEW / 4 * TIMES].map(|times| {
        let record = |nth: usize| format!("{TAGS}\n{LONG} {{{}}} 1-0\n\n", "x".repeat(nth + 1));
        replaced_steps(&(0..times).map(record).collect::<String>())
    });
    assert_linear("a chain", &few, &many);
}

/// Each of many games has a better record after it.
#[test]
fn pairs_of_records_take_linear_work() {
    let [few, many] = [FEW, FEW * TIMES].map(|times| {
        let game = |nth: usize| {
            let game = format!("[Round \"{nth}\"]\n{TAGS}\n{LONG}");
            format!("{game} 1-0\n\n{game} {{better}} 1-0\n\n")
        };
        replaced_steps(&(0..times / 4).map(game).collect::<String>())
    });
    assert_linear("pairs", &few, &many);
}
