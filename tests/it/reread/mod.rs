//! What was imported and is read again in another way must be as if it had been imported that
//! way at once; or nothing has changed.

mod games;
mod noted;
mod undone;

use std::{
    fmt::Write as _,
    fs,
    io::{Cursor, Write as _},
    ops::ControlFlow,
    path::{Path, PathBuf},
    slice,
    sync::atomic::{AtomicU64, Ordering},
    thread::sleep,
    time::Duration,
};

use zip::{ZipWriter, write::SimpleFileOptions};

use {
    crate::support::{Base, one_in, plydex, root, run},
    plydex::{
        base::{
            observe::{CancellationToken, Event, NullObserver, Observer},
            record::GameRecord,
        },
        changes::{
            self,
            reread::{EvalOverride, RereadError, RereadReport, RereadTarget, reread},
        },
        games::{notation::letters::Language, variant::Variant},
        import::{DuplicateAction, ImportOptions, format_named},
    },
};

/// Russian games that say nothing of themselves; most of their moves are legal in other
/// kinds as well.
const RUSSIAN: &str = "[Event \"one\"]\n\n1. c3-d4 b6-a5 2. d4-c5 d6:b4 3. a3:c5 *\n\n\
    [Event \"two\"]\n\n1. c3-d4 d6-c5 2. b2-c3 f6-g5 3. c3-b4 g5-h4 4. b4:d6 e7:c5 *\n\n\
    [Event \"three\"]\n\n1. c3-b4 b6-a5 2. b4-c5 d6:b4 3. a3:c5 *\n\n";

/// Positions in lines, some of which say more.
const POSITIONS: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4; id \"one\";\n\
    8/8/4k3/8/8/4K3/4P3/8 w - - id \"two\";\n\
    8/8/4k3/8/8/4K3/4P3/8 b - -\n\
    4k3/8/8/8/8/8/8/4K2R w K - bm O-O;\n\
    this is no position\n";

/// Games that begin where others end, and a position in passing.
const SET_UP: &str = "[Event \"one\"]\n[FEN \"8/8/4k3/8/8/4K3/4P3/8 w - - 0 1\"]\n\n\
    1. Kd4 Kd6 {not \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"} 2. e4 *\n\n\
    [Event \"two\"]\n[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n\n1. O-O Kd7 *\n\n";

/// Games in German; a knight is a Springer.
const GERMAN: &str = "[Event \"Eins\"]\n[White \"Müller\"]\n\n\
    1. e4 e5 2. Sf3 {der Springer} Sc6 3. Lb5 (3. Lc4 Lc5) a6 4. La4 Sf6 1-0\n\n\
    [Event \"Zwei\"]\n\n1. d4 d5 2. Sf3 Dd6 3. Te1 *\n\n";

/// Games that stand before and behind, with comments and variations.
fn others(event: &str) -> String {
    let mut text = String::new();
    for round in 1..=12 {
        let _ = write!(
            text,
            "[Event \"{event}\"]\n[Round \"{round}\"]\n\n\
             1. e4 {{a comment}} e5 (1... c5 2. Nf3) 2. Nf3 Nc6 3. Bb5 $1 a6 1-0\n\n"
        );
    }
    text
}

fn variant(name: &str) -> ImportOptions {
    ImportOptions {
        variant: Some(Variant::by_name(name).expect("a variant").id),
        ..ImportOptions::default()
    }
}

fn language(name: &str) -> ImportOptions {
    ImportOptions {
        language: Some(Language::for_moves(name).expect("a language")),
        ..ImportOptions::default()
    }
}

fn read_as(name: &str) -> ImportOptions {
    ImportOptions {
        format: Some(format_named(name).expect("a format")),
        ..ImportOptions::default()
    }
}

/// A base with three sources, of which the second was read in some way.
fn imported(folder: &Path, name: &str, text: &[u8], options: ImportOptions) -> Base {
    let base = Base::new();
    for (name, text, options) in [
        (
            "a.pgn",
            others("before").as_bytes(),
            ImportOptions::default(),
        ),
        (name, text, options),
        (
            "z.pgn",
            others("behind").as_bytes(),
            ImportOptions::default(),
        ),
    ] {
        let path = folder.join(name);
        fs::write(&path, text).expect("a file");
        // Several segments.
        let segment_plies_max = Some(20);
        base.import(
            &[path],
            ImportOptions {
                segment_plies_max,
                ..options
            },
        );
    }
    base
}

fn again(
    base: &Base,
    target: &RereadTarget,
    options: ImportOptions,
) -> Result<RereadReport, RereadError> {
    let drafts = tempfile::tempdir().expect("a folder");
    reread(
        &base.store,
        target,
        (options, EvalOverride::default()),
        drafts.path(),
        &NullObserver,
    )
}

fn source(path: PathBuf) -> RereadTarget {
    RereadTarget::Source {
        name: path,
        import: None,
    }
}

/// Games without their numbers, in an order of their own.
fn without_numbers(games: Vec<GameRecord>) -> Vec<String> {
    let games = games.into_iter().map(|mut game| {
        game.header.id = 0;
        format!("{game:?}")
    });
    let mut games: Vec<String> = games.collect();
    games.sort_unstable();
    games
}

/// The games of a database so.
fn contents(base: &Base) -> Vec<String> {
    without_numbers(base.games())
}

/// What the program answers about all games, and some positions, whatever their numbers are.
fn answers(base: &Base) -> Vec<String> {
    base.assert_sound();
    let db = base.store.path();
    let asked: [&[&str]; 8] = [
        &["export", "--format", "epd"],
        &["search", "--limit", "0"],
        &["search", "e4 e5 Nf3", "--limit", "0"],
        &["search", "d4 d5 Nf3 Qd6", "--limit", "0"],
        &["search", "c3-d4 d6-c5", "--variant", "russian"],
        &["search", "8/8/4k3/8/8/4K3/4P3/8 w"],
        &["tree", "--format", "json"],
        &["sql", "SELECT * FROM game_list", "--limit", "0"],
    ];
    let answer = |args: &&[&str]| {
        let listed = [*args, &["--format", "csv"]].concat();
        let ran = match args[0] {
            "search" | "sql" => run(db, &listed),
            _ => run(db, args),
        };
        let rows = ran.out.lines().map(|row| match args[0] {
            // The first column has the number.
            "search" | "sql" => row.split_once(',').map_or(row, |(_, rest)| rest),
            _ => row,
        });
        let rows = rows.filter(|row| !row.trim_start().starts_with("\"id\":"));
        let mut rows: Vec<&str> = rows.collect();
        if args[0] != "tree" {
            rows.sort_unstable();
        }
        format!("{args:?} {:?}\n{}", ran.status, rows.join("\n"))
    };
    asked.iter().map(answer).collect()
}

/// Findings as they are shown, by source and place.
fn findings(base: &Base) -> String {
    let args = [
        "diagnostics",
        "--import",
        "all",
        "--limit",
        "0",
        "--format",
        "json",
    ];
    let shown: serde_json::Value =
        serde_json::from_str(&run(base.store.path(), &args).out).expect("JSON");
    let found = shown["findings"].as_array().expect("a list").iter();
    let mut found: Vec<String> = found
        .map(|found| {
            let named = ["source", "game_number", "code", "offset_bytes", "detail"];
            named.map(|name| found[name].to_string()).join(" ")
        })
        .collect();
    found.sort_unstable();
    // Of notes no more is kept than how many there were.
    let counts = shown["counts"].as_array().expect("a list").iter();
    let counts = counts.filter(|count| count["severity"] != "note");
    let counts: Vec<String> = counts.map(ToString::to_string).collect();
    format!("{}\n{}", found.join("\n"), counts.join("\n"))
}

fn assert_same_games(one: &Base, other: &Base) {
    assert_eq!(contents(one), contents(other));
}

fn assert_same(one: &Base, other: &Base) {
    for (one, other) in answers(one).iter().zip(answers(other)) {
        assert_eq!(*one, other);
    }
    assert_same_games(one, other);
    assert_eq!(findings(one), findings(other));
}

/// Asserts that undoing a change, and undoing that, leads there and back.
fn assert_undone(base: &Base, change: Option<i64>, before: &[String]) {
    let after = contents(base);
    let undo = |change: i64| {
        let drafts = tempfile::tempdir().expect("a folder");
        changes::undo(&base.store, change, drafts.path(), &NullObserver).expect("an undo")
    };
    let undone = undo(change.expect("a change")).change;
    assert_eq!(contents(base), before);
    base.assert_sound();
    undo(undone);
    assert_eq!(contents(base), after);
    base.assert_sound();
}

#[test]
fn what_is_read_again_is_as_if_it_had_been_imported_so() {
    let cases = [
        ("m.pdn", RUSSIAN, variant("pool"), variant("russian")),
        (
            "m.pdn",
            RUSSIAN,
            variant("international"),
            ImportOptions::default(),
        ),
        ("m.pgn", GERMAN, language("en"), language("de")),
        ("m.pgn", GERMAN, variant("atomic"), ImportOptions::default()),
        ("m.txt", POSITIONS, read_as("pgn"), read_as("epd")),
        ("m.txt", POSITIONS, read_as("epd"), ImportOptions::default()),
        ("m.epd", POSITIONS, variant("antichess"), variant("chess")),
        ("m.pgn", SET_UP, read_as("json"), ImportOptions::default()),
        ("m.pgn", SET_UP, ImportOptions::default(), read_as("json")),
    ];
    for (at, (name, text, wrong, right)) in cases.into_iter().enumerate().step_by(one_in(2)) {
        let folder = tempfile::tempdir().expect("a folder");
        let base = imported(folder.path(), name, text.as_bytes(), wrong);
        let fresh = imported(folder.path(), name, text.as_bytes(), right);
        let before = contents(&base);
        let target = source(folder.path().join(name));
        let report = again(&base, &target, right).unwrap_or_else(|error| panic!("{at}: {error}"));
        assert_undone(&base, report.change, &before);
        let [told] = &report.sources[..] else {
            panic!("{report:?}");
        };
        assert_eq!(told.games_before + 24, before.len() as u64, "{at}");
        assert_eq!(told.games + 24, fresh.games().len() as u64, "{at}");
        assert_same(&base, &fresh);
        // Once more changes nothing, and back again is possible.
        let numbers = |base: &Base| {
            base.games()
                .iter()
                .map(|game| game.header.id)
                .collect::<Vec<_>>()
        };
        let own = numbers(&base);
        let report = again(&base, &target, right).expect("as before");
        assert_eq!(report.sources[0].unchanged, report.sources[0].games, "{at}");
        assert_eq!(numbers(&base), own, "{at}");
        assert_same(&base, &fresh);
        let back = again(&base, &target, wrong);
        // What has no games that way had none.
        assert_eq!(back.is_ok(), told.games_before > 0, "{at}: {back:?}");
        again(&base, &target, right).expect("and forth");
        assert_same(&base, &fresh);
        // It is recognised in whatever way it is read.
        for options in [wrong, right] {
            let summary = base.import(&[folder.path().join(name)], options);
            assert_eq!(summary.stored, 0, "{at}");
        }
        assert_same(&base, &fresh);
    }
}

/// Whether a base is as it was is asked of its games alone: these are the costly ones.
fn assert_unchanged(base: &Base, games: &[GameRecord], findings_before: &str) {
    assert_eq!(base.games(), games);
    assert_eq!(findings(base), findings_before);
    base.assert_sound();
}

#[test]
fn what_cannot_be_read_again_stays_as_it_is() {
    let folder = tempfile::tempdir().expect("a folder");
    let base = imported(folder.path(), "m.pdn", RUSSIAN.as_bytes(), variant("pool"));
    let (games, found) = (base.games(), findings(&base));
    let path = folder.path().join("m.pdn");
    let failed = |options| again(&base, &source(path.clone()), options).expect_err("no reread");

    let error = failed(read_as("epd"));
    assert!(matches!(error, RereadError::Nothing { .. }), "{error}");
    assert_unchanged(&base, &games, &found);

    fs::write(&path, RUSSIAN.replace("f6-g5", "f6-e5")).expect("a file");
    let error = failed(variant("russian"));
    assert!(matches!(error, RereadError::Changed(_)), "{error}");
    assert!(error.to_string().contains("m.pdn"), "{error}");
    assert_unchanged(&base, &games, &found);

    fs::write(&path, &RUSSIAN[..RUSSIAN.len() / 2]).expect("a file");
    let error = failed(variant("russian"));
    assert!(matches!(error, RereadError::Changed(_)), "{error}");

    fs::remove_file(&path).expect("a file");
    let error = failed(variant("russian"));
    assert!(matches!(error, RereadError::Gone { .. }), "{error}");
    assert!(error.to_string().contains("m.pdn"), "{error}");
    assert_unchanged(&base, &games, &found);

    let none = again(&base, &source("none".into()), ImportOptions::default());
    assert!(matches!(none, Err(RereadError::NoSource(_))), "{none:?}");
    for game in [0, 28] {
        let none = again(&base, &RereadTarget::Game(game), ImportOptions::default());
        assert!(matches!(none, Err(RereadError::NoGame(_))), "{none:?}");
    }
    assert_unchanged(&base, &games, &found);
}

/// What follows was not of the source when it was imported, or is of another import.
#[test]
fn a_source_that_has_grown_is_read_as_far_as_it_was() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("m.pdn");
    let more = "[Event \"four\"]\n\n1. c3-d4 h6-g5 2. d4-c5 d6:b4 3. a3:c5 *\n\n";
    let grown = RUSSIAN.to_owned() + more;
    let base_of = |options: ImportOptions| {
        let base = imported(folder.path(), "m.pdn", RUSSIAN.as_bytes(), options);
        fs::write(&path, &grown).expect("a file");
        base
    };
    let base = base_of(variant("pool"));
    let report = again(&base, &source(path.clone()), variant("russian")).expect("a reread");
    assert_eq!(report.sources[0].games, 3);
    assert_same(&base, &base_of(variant("russian")));
    // What has come since is a source of its own under the same name.
    assert_eq!(
        base.import(slice::from_ref(&path), variant("pool")).stored,
        1
    );
    let report = again(&base, &source(path.clone()), variant("russian")).expect("a reread");
    let games: Vec<u64> = report.sources.iter().map(|source| source.games).collect();
    assert_eq!(games, [3, 1]);
    let fresh = base_of(variant("russian"));
    fresh.import(slice::from_ref(&path), variant("russian"));
    assert_same(&base, &fresh);
    assert_eq!(
        base.import(slice::from_ref(&path), ImportOptions::default())
            .stored,
        0
    );

    // Another file of that name: only one of the two can be read.
    fs::write(&path, GERMAN).expect("a file");
    let number = base.import(slice::from_ref(&path), language("en"));
    assert_eq!(number.stored, 2);
    let both = again(&base, &source(path.clone()), language("de"));
    assert!(matches!(both, Err(RereadError::Changed(_))), "{both:?}");
    let last = base.store.last_import().expect("a number");
    let target = RereadTarget::Source {
        name: path,
        import: last,
    };
    let report = again(&base, &target, language("de")).expect("a reread");
    assert_eq!(report.sources[0].games, 2);
    base.assert_sound();
}

/// Where nothing was found, there may be games.
#[test]
fn a_source_without_games_has_some_when_it_is_read_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("m.txt");
    let begun = "[Event \"one\"]\n\n1. d4 d5 *\n\n";
    let grown = "[Event \"two\"]\n\n1. c4 {\n4k3/8/8/8/8/8/8/4K2R w K -\n} e5 *\n\n";
    let base_of = |options| {
        let base = imported(folder.path(), "m.txt", begun.as_bytes(), options);
        fs::write(&path, begun.to_owned() + grown).expect("a file");
        base.import(slice::from_ref(&path), options);
        base
    };
    let base = base_of(read_as("epd"));
    assert_eq!(base.games().len(), 24 + 1);
    let read = again(&base, &source(path.clone()), read_as("pgn")).expect("a reread");
    let games = |at: usize| (read.sources[at].first_game, read.sources[at].games);
    assert_eq!((games(0), games(1)), ((Some(26), 1), (Some(27), 1)));
    assert_same(&base, &base_of(read_as("pgn")));

    // Now one right behind the other.
    let base = Base::new();
    for (text, options) in [
        (begun.to_owned(), read_as("epd")),
        (begun.to_owned() + grown, read_as("epd")),
    ] {
        fs::write(&path, text).expect("a file");
        base.import(slice::from_ref(&path), options);
    }
    let read = again(&base, &source(path.clone()), read_as("pgn")).expect("a reread");
    let firsts = read.sources.iter().map(|read| read.first_game);
    assert_eq!(firsts.collect::<Vec<_>>(), [Some(2), Some(3)]);
    let events: Vec<String> = (base.games().into_iter())
        .map(|game| game.header.event)
        .collect();
    assert_eq!(events, ["one", "two"]);
    base.assert_sound();
}

#[test]
fn no_text_becomes_that_of_two_sources() {
    let folder = tempfile::tempdir().expect("a folder");
    let base = imported(folder.path(), "m.pgn", SET_UP.as_bytes(), read_as("json"));
    let path = folder.path().join("m.pgn");
    base.import(slice::from_ref(&path), read_as("pgn"));
    let (games, found) = (base.games(), findings(&base));
    let of_import = |import| RereadTarget::Source {
        name: path.clone(),
        import,
    };
    for (import, options) in [
        (Some(2), read_as("pgn")),
        (Some(4), read_as("json")),
        (None, read_as("pgn")),
        (None, read_as("text")),
    ] {
        let twice = again(&base, &of_import(import), options);
        assert!(
            matches!(twice, Err(RereadError::Twice { .. })),
            "{import:?} {twice:?}"
        );
        assert_unchanged(&base, &games, &found);
    }
    again(&base, &of_import(Some(2)), read_as("json")).expect("as it is");
    again(&base, &of_import(Some(4)), read_as("pgn")).expect("as it is");
    assert_eq!(base.games(), games);
    base.assert_sound();
}

/// Chess problems are games with records of their own.
#[test]
fn problems_are_read_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = fs::read(root().join("sample-data/problems").join(first_problems()));
    let text = text.expect("a sample");
    let name = first_problems();
    let right = ImportOptions::default();
    let fresh = imported(folder.path(), &name, &text, right);
    let base = imported(folder.path(), &name, &text, read_as("epd"));
    again(&base, &source(folder.path().join(&name)), right).expect("a reread");
    assert_same(&base, &fresh);
    let last = base.games().last().expect("a problem").header.id;
    again(&base, &RereadTarget::Game(last), right).expect("a reread");
    assert_same(&base, &fresh);
    fs::remove_file(folder.path().join(&name)).expect("a file");
    again(&base, &RereadTarget::Game(last), right).expect("a reread");
    assert_same_games(&base, &fresh);
    base.assert_sound();
}

fn first_problems() -> String {
    let folder = fs::read_dir(root().join("sample-data/problems")).expect("samples");
    let names = folder.map(|entry| entry.expect("a sample").file_name());
    let mut names: Vec<String> = names.filter_map(|name| name.into_string().ok()).collect();
    names.retain(|name| name.ends_with(".problems"));
    names.sort();
    names.remove(0)
}

#[test]
fn members_of_archives_are_read_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in [
        ("a.pgn", others("zipped").as_bytes()),
        ("sub/m.pdn", RUSSIAN.as_bytes()),
        ("z.pgn", GERMAN.as_bytes()),
    ] {
        zip.start_file(name, SimpleFileOptions::default())
            .expect("a member");
        zip.write_all(text).expect("a member");
    }
    let path = folder.path().join("all.zip");
    fs::write(&path, zip.finish().expect("an archive").into_inner()).expect("a file");
    let base = Base::new();
    base.import(slice::from_ref(&path), variant("pool"));
    let fresh = Base::new();
    fresh.import(slice::from_ref(&path), ImportOptions::default());
    let read = again(&base, &RereadTarget::Game(14), variant("russian")).expect("a reread");
    let last = base.games().pop().expect("a game");
    assert_eq!(last.header.variant, "russian");
    let drafts = tempfile::tempdir().expect("a folder");
    let change = read.change.expect("a change");
    changes::undo(&base.store, change, drafts.path(), &NullObserver).expect("an undo");
    for member in ["a.pgn", "sub/m.pdn", "z.pgn"] {
        again(&base, &source(path.join(member)), ImportOptions::default()).expect("a reread");
    }
    assert_same(&base, &fresh);
}

#[test]
fn the_program_says_what_has_become_of_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let base = imported(
        folder.path(),
        "m.pdn",
        RUSSIAN.as_bytes(),
        variant("international"),
    );
    let (db, path) = (base.store.path(), folder.path().join("m.pdn"));
    let name = path.to_str().expect("a name");
    let ran = run(db, &["reread", name, "--variant", "russian"]);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    let told = ran.out.replace(name, "m.pdn");
    insta::assert_snapshot!(told, @r"
    m.pdn: 3 games, now #28-#30: 3 complete, 0 before; 18 plies, 0 before; russian 3
    `plydex undo 4` undoes it
    ");
    let ran = run(db, &["reread", "#29", "--format", "json"]);
    assert!(ran.out.contains("\"game\": 29"), "{ran:?}");
    let read: serde_json::Value = serde_json::from_str(&ran.out).expect("JSON");
    let now = format!("#{}", read["sources"][0]["first_game"]);
    let ran = run(db, &["reread", "29", "--import", "1"]);
    assert_eq!(ran.status, Some(2), "{ran:?}");
    fs::remove_file(&path).expect("a file");
    let ran = run(db, &["reread", name]);
    assert_eq!(ran.status, Some(2), "{ran:?}");
    assert!(
        ran.err.contains("m.pdn") && ran.err.contains("hint:"),
        "{ran:?}"
    );
    let ran = run(db, &["reread", &now]);
    assert!(ran.err.contains("stored text"), "{ran:?}");
}

/// Which sources a game was read in.
fn sources(base: &Base, game: u64) -> Vec<(String, u64)> {
    let places = base.store.places(game).expect("places");
    let mut places: Vec<(String, u64)> = (places.into_iter())
        .map(|place| (place.file, place.number))
        .collect();
    places.sort_unstable();
    places
}
