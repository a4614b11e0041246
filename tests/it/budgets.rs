//! What a game may have at most, and what memory it may take: whatever is past that is
//! left out as a whole, named and counted, and its neighbours are stored.

use std::{ops::ControlFlow, process::Stdio, sync::Mutex};

use {
    crate::support::{Base, plydex, skip},
    plydex::{
        base::{
            diagnostic::LocatedDiagnostic,
            limits::{
                ANNOTATION_BYTES_MAX, ANNOTATIONS_PER_GAME_MAX, GAME_BYTES_MAX, PLIES_MAX,
                TAGS_BYTES_MAX, TAGS_PER_GAME_MAX,
            },
            observe::{Event, Observer},
        },
        import::{self, ImportOptions, ImportReport},
    },
};

/// Keeps what was left out.
#[derive(Default)]
struct LeftOut(Mutex<Vec<LocatedDiagnostic>>);

impl Observer for LeftOut {
    fn on(&self, event: Event<'_>) -> ControlFlow<()> {
        if let Event::Diagnostic(report) = event
            && report.code == "game-too-large"
        {
            let mut reports = self.0.lock().expect("no panic");
            reports.push(report.clone());
        }
        ControlFlow::Continue(())
    }
}

const NEIGHBOUR: &str = "[Event \"neighbour\"]\n\n1. e4 e5 *\n\n";

/// Imports games between two neighbours.
fn imported(base: &Base, ending: &str, text: &str) -> (ImportReport, Vec<LocatedDiagnostic>) {
    let path = base.folder().join(format!("games.{ending}"));
    std::fs::write(&path, text).expect("a file");
    let observer = LeftOut::default();
    let summary = import::import(&base.store, &[path], ImportOptions::default(), &observer);
    let summary = summary.expect("an import");
    let accounted = summary.stored + summary.duplicate + summary.rejected;
    assert_eq!(summary.seen, accounted);
    (summary, observer.0.into_inner().expect("no panic"))
}

/// Asserts that a game at the edge is stored, and that one past it is left out with what
/// it has too much of, the first time and when it is met again.
fn edge(at: &str, past: &str, why: &str) {
    let base = Base::new();
    let between = |game: &str| format!("{NEIGHBOUR}{game}\n\n{NEIGHBOUR}");
    let (summary, found) = imported(&base, "pgn", &between(at));
    assert_eq!(
        (summary.stored, summary.rejected),
        (3, 0),
        "{why}: {found:?}"
    );
    let base = Base::new();
    let (summary, found) = imported(&base, "pgn", &between(past));
    assert_eq!((summary.stored, summary.rejected), (2, 1), "{why}");
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].detail.contains(why), "{found:?}");
    assert_eq!(found[0].offset_bytes, NEIGHBOUR.len() as u64);
    assert_eq!(found[0].line, Some(5));
    let games = base.games();
    assert!(games.iter().all(|game| game.header.event == "neighbour"));
    base.assert_sound();
    let (again, found) = imported(&base, "pgn", &between(past));
    assert_eq!((again.seen, again.duplicate, again.rejected), (3, 2, 1));
    assert_eq!((again.stored, found.len()), (0, 0), "{why}");
}

#[test]
fn bytes_of_a_game() {
    let game = |bytes: usize| {
        let head = "[Event \"large\"]\n\n1. e4 {";
        let tail = "} *";
        let filler = "x".repeat(bytes - head.len() - tail.len());
        format!("{head}{filler}{tail}")
    };
    edge(&game(GAME_BYTES_MAX), &game(GAME_BYTES_MAX + 1), "bytes");
    // So large that it is never in memory as a whole.
    edge(&game(GAME_BYTES_MAX), &game(2 * GAME_BYTES_MAX), "bytes");
}

#[test]
fn tags_of_a_game() {
    let game = |tags: usize| {
        let tags: Vec<String> = (0..tags).map(|n| format!("[T{n} \"x\"]\n")).collect();
        let tags = tags.concat();
        format!("{tags}\n1. e4 *")
    };
    let (at, past) = (game(TAGS_PER_GAME_MAX), game(TAGS_PER_GAME_MAX + 1));
    edge(&at, &past, "tag pairs");
    let game = |bytes: usize| {
        const VALUE: usize = 50_000;
        let values = (0..bytes / VALUE).map(|n| (n, VALUE));
        let rest = (bytes / VALUE, bytes % VALUE);
        let tags = values.chain([rest]);
        let tags = tags.map(|(n, bytes)| format!("[T{n} \"{}\"]\n", "x".repeat(bytes)));
        let tags = tags.collect::<Vec<String>>().concat();
        format!("{tags}\n1. e4 *")
    };
    edge(
        &game(TAGS_BYTES_MAX),
        &game(TAGS_BYTES_MAX + 1),
        "tag values",
    );
}

#[test]
fn annotations_of_a_game() {
    for one in ["{}", "$1 ", "(d4) "] {
        let game = |count: usize| format!("[Event \"large\"]\n\n1. e4 {} *", one.repeat(count));
        let max = ANNOTATIONS_PER_GAME_MAX;
        edge(&game(max), &game(max + 1), "annotations");
    }
    // Inside variations as many as there is room for: each of these takes twenty bytes.
    let inside = |count: usize| {
        format!(
            "[Event \"large\"]\n\n1. e4 (1. d4 {}) *",
            "{}".repeat(count)
        )
    };
    let max = ANNOTATION_BYTES_MAX / 20;
    edge(&inside(max - 100), &inside(max + 100), "annotations");
}

/// Records of other notations are bounded by the same bytes.
#[test]
fn records_of_other_notations() {
    let line = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - id \"a\";\n";
    let long = line.replace("\"a\"", &format!("\"{}\"", "a".repeat(2 * GAME_BYTES_MAX)));
    let base = Base::new();
    let (summary, found) = imported(&base, "epd", &format!("{line}{long}{line}"));
    assert_eq!((summary.stored, summary.rejected), (2, 1), "{found:?}");
    assert_eq!(found[0].offset_bytes, line.len() as u64);
}

/// Runs the program with so much memory; `false` where that cannot be done.
fn within(
    mebibytes: u64,
    db: &std::path::Path,
    args: &[&str],
    input: &mut dyn FnMut(&mut dyn std::io::Write),
) -> Option<std::process::Output> {
    if !cfg!(target_os = "linux") {
        skip("budgets", "memory is bounded on Linux only");
        return None;
    }
    let program = plydex(db, args);
    let mut command = std::process::Command::new("sh");
    command
        .arg("-c")
        .arg(format!("ulimit -v {}; exec \"$0\" \"$@\"", mebibytes << 10))
        .arg(program.get_program())
        .args(program.get_args())
        // Otherwise every thread keeps a part of the address space for itself.
        .env("MALLOC_ARENA_MAX", "1")
        .env("LC_ALL", "C.UTF-8")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().expect("a shell");
    let mut stdin = child.stdin.take().expect("a pipe");
    input(&mut stdin);
    drop(stdin);
    Some(child.wait_with_output().expect("the program runs"))
}

#[test]
fn a_game_without_end_takes_no_memory() {
    let folder = tempfile::tempdir().expect("a folder");
    for (at, (head, unit)) in [
        ("", "[Event \"?\"]\n"),
        ("[Event \"", "x"),
        ("[Event \"x\"]\n\n1. e4 {", "ab "),
        ("[Event \"x\"]\n\n1. e4 ", "("),
        ("[Event \"x\"]\n\n1. e4 ", "{"),
        ("[Event \"x\"]\n\n", "Nf3 Nf6 Ng1 Ng8 "),
    ]
    .into_iter()
    .enumerate()
    {
        let db = folder.path().join(format!("{at}.db"));
        let many = unit.repeat((1 << 20) / unit.len());
        let ran = within(200, &db, &["import", "-", "--threads", "1"], &mut |input| {
            let mut write = |text: &str| input.write_all(text.as_bytes()).expect("a reader");
            write(NEIGHBOUR);
            write(head);
            (0..100).for_each(|_| write(&many));
            write("\n\n");
            write(NEIGHBOUR);
        });
        let Some(ran) = ran else { return };
        let out = String::from_utf8_lossy(&ran.stdout);
        assert!(ran.status.success(), "{unit}: {out}");
        assert!(
            out.contains("2 games stored") && out.contains("game-too-large"),
            "{unit}: {out}"
        );
    }
}

/// The games that are largest in one way or another are shown within bounds.
#[test]
fn the_largest_games_are_shown_within_bounds() {
    let folder = tempfile::tempdir().expect("a folder");
    let db = folder.path().join("games.db");
    let max = ANNOTATIONS_PER_GAME_MAX;
    let games = [
        format!("1. e4 {{{}}} *", "\u{1}".repeat(GAME_BYTES_MAX / 3 - 100)),
        format!(
            "{} {} *",
            "Nf3 Nf6 Ng1 Ng8 ".repeat(PLIES_MAX / 4),
            "{some words}".repeat(max / 2)
        ),
        format!("1. e4 ({}) *", "d4 d5 ".repeat(GAME_BYTES_MAX / 10)),
    ];
    let texts = games.iter();
    let texts = texts.map(|game| format!("[Event \"large\"]\n\n{game}\n\n"));
    let text = texts.collect::<Vec<String>>().concat();
    let ran = within(1024, &db, &["import", "-"], &mut |input| {
        input.write_all(text.as_bytes()).expect("a reader");
    });
    let Some(ran) = ran else { return };
    assert!(ran.status.success(), "{ran:?}");
    for args in [
        &["show", "1"][..],
        &["show", "2", "--format", "json"],
        &["show", "2", "--ply", "1"],
        &["show", "3", "--format", "pgn", "--language", "de"],
        &["export"],
    ] {
        // The program itself and its stacks are some 60 MiB of that.
        let ran = within(320, &db, args, &mut |_| {}).expect("Linux");
        let err = String::from_utf8_lossy(&ran.stderr);
        assert!(ran.status.success(), "{args:?}: {err}");
    }
}
