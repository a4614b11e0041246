//! What is no file of games is named, and leaves nothing behind; what is exported is PGN.

use std::{
    fmt::Write as _,
    fs,
    io::{Cursor, Write as _},
    path::Path,
};

use serde_json::Value;
use zip::{ZipWriter, write::SimpleFileOptions};

use {
    crate::support::{Base, run},
    plydex::{
        base::observe::NullObserver,
        import::{self, ImportError, ImportOptions, ImportReport},
    },
};

/// The beginnings of files that have no games, and what they are called.
const BEGINNINGS: &[(&str, &[u8], &str)] = &[
    ("a.png", b"\x89PNG\r\n\x1a\n", "PNG image"),
    ("a.pgn", b"\x7fELF\x02\x01\x01", "program (ELF)"),
    ("a.wasm", b"\0asm\x01\0\0\0", "WebAssembly module"),
    ("a.si4", b"Scid.si\0\x01\x90", "Scid database"),
    ("a.cbh", b"\0\0\x2c\0\x2e\x01", "ChessBase database"),
    ("a.cbv", b"\x01\x02\x07", "ChessBase archive"),
    ("a.sg4", b"\x01\x02\x07", "part of a Scid database"),
    ("a.ctg", b"\x01\x02\x07", "ChessBase opening book"),
    ("a.xqf", b"XQ\x0a\x01", "XQF game of xiangqi"),
    ("a.wtb", b"\x14\x05\x01\x02", "WTHOR database of Othello"),
    ("a.doc", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "Microsoft Office document"),
    ("a.docx", b"PK\x03\x04\x14\0\x06\0\x08\0\0\0\x21\0\x01\x02\x03\x04\0\0\0\0\0\0\0\0\x13\0\0\0[Content_Types].xml", "Microsoft Office document"),
    ("a.rtbw", b"\x71\xe8\x23\x5d", "Syzygy tablebase"),
    ("noise.pgn", b"", "binary data"),
    ("noise", b"", "binary data"),
];

/// Random bytes behind a beginning.
fn noise(beginning: &[u8], bytes: usize, seed: u64) -> Vec<u8> {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut content = beginning.to_vec();
    content.extend((0..bytes).map(|_| random.u8(..)));
    content
}

/// Why a file cannot be imported; no database was made.
fn refused(folder: &Path, name: &str, content: &[u8]) -> String {
    let (path, db) = (folder.join(name), folder.join("new.db"));
    fs::write(&path, content).expect("a file");
    let ran = run(&db, &["import", path.to_str().expect("a name")]);
    assert_eq!(ran.status, Some(2), "{name}: {}{}", ran.out, ran.err);
    assert!(!db.exists(), "{name}");
    ran.err
}

#[test]
fn binary_files_are_named_and_leave_no_database() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, beginning, what) in BEGINNINGS {
        for (seed, bytes) in [300, 5_000, 200_000].into_iter().enumerate() {
            let content = noise(beginning, bytes, seed as u64);
            let why = refused(folder.path(), name, &content);
            let said = format!("{name}: not a file of games (detected: {what})");
            assert!(why.contains(&said), "{bytes}: {why}");
        }
    }
}

#[test]
fn text_without_a_record_is_no_file_of_games() {
    let folder = tempfile::tempdir().expect("a folder");
    for text in [
        "Hello world, this is text.\nNothing more here.\n",
        "{a comment}\n",
    ] {
        let why = refused(folder.path(), "a.txt", text.as_bytes());
        assert!(
            why.contains("a.txt: not a file of games: it has no"),
            "{why}"
        );
    }
    // Nothing at all is a day without games.
    for blank in ["", "\n \r\n"] {
        let (_base, done) = imported(blank.as_bytes());
        assert_eq!((done.seen, done.sources_empty.len()), (0, 1));
    }
    // With `--as` it is read nevertheless.
    let path = folder.path().join("noise");
    fs::write(&path, noise(b"", 5_000, 1)).expect("a file");
    let db = folder.path().join("said.db");
    let ran = run(
        &db,
        &["import", "--as", "pgn", path.to_str().expect("a name")],
    );
    assert_eq!(ran.status, Some(0), "{}", ran.err);
}

/// An archive, of files or of nothing.
fn zip_of(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in files {
        zip.start_file(*name, SimpleFileOptions::default())
            .expect("a member");
        zip.write_all(bytes).expect("a member");
    }
    zip.finish().expect("an archive").into_inner()
}

#[test]
fn archives_without_a_game_leave_no_database() {
    let folder = tempfile::tempdir().expect("a folder");
    let (png, readme) = (noise(BEGINNINGS[0].1, 300, 1), &b"Thank you.\n"[..]);
    let pictures = zip_of(&[("a.png", &png), ("b.png", &png)]);
    let rows: [(Vec<u8>, &str); 4] = [
        (zip_of(&[]), "an archive without files"),
        (
            pictures.clone(),
            "no file of games in it; it has a.png, b.png",
        ),
        (zip_of(&[("README.md", readme)]), "it has README.md"),
        (
            zip_of(&[("in.zip", &pictures), ("none.zip", &zip_of(&[]))]),
            "it has in.zip/a.png, in.zip/b.png",
        ),
    ];
    for (archive, why) in rows {
        let said = refused(folder.path(), "a.zip", &archive);
        assert!(said.contains(why), "{said}");
    }
    // A database that is there stays as it is.
    let db = folder.path().join("old.db");
    let (games, archive) = (folder.path().join("a.pgn"), folder.path().join("b.zip"));
    fs::write(&games, "[Event \"x\"]\n\n1. e4 e5 *\n").expect("a file");
    fs::write(&archive, &pictures).expect("a file");
    let import = |paths: &[&Path]| {
        let paths = paths.iter().map(|path| path.to_str().expect("a name"));
        run(
            &db,
            &["import"].into_iter().chain(paths).collect::<Vec<_>>(),
        )
    };
    assert_eq!(import(&[&games]).status, Some(0));
    let log = || run(&db, &["log"]).out;
    let before = log();
    assert_eq!(import(&[&archive]).status, Some(2));
    assert_eq!(log(), before);
    // Beside games it is passed over, and a day without games is none to blame.
    assert_eq!(import(&[&archive, &games]).status, Some(0));
    fs::write(&games, "\n").expect("a file");
    assert_eq!(import(&[&archive, &games]).status, Some(0));
    let blank = zip_of(&[("today.pgn", b"\n")]);
    fs::write(&archive, blank).expect("a file");
    assert_eq!(import(&[&archive]).status, Some(0));
}

#[test]
fn other_files_of_a_folder_are_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let files = folder.path().join("files");
    fs::create_dir(&files).expect("a folder");
    for (name, beginning, _) in BEGINNINGS {
        fs::write(files.join(name), noise(beginning, 5_000, 3)).expect("a file");
    }
    fs::write(files.join("notes.txt"), "Hello world.\n").expect("a file");
    fs::write(files.join("games.pgn"), "[Event \"x\"]\n\n1. e4 e5 *\n").expect("a file");
    let db = folder.path().join("new.db");
    let asked = [
        "import",
        "--format",
        "json",
        files.to_str().expect("a name"),
    ];
    let ran = run(&db, &asked);
    let done: Value = serde_json::from_str(&ran.out).expect("JSON");
    assert_eq!(
        (&done["seen"], &done["stored"]),
        (&1.into(), &1.into()),
        "{done}"
    );
    // Those with the name of games are errors, the others are passed over.
    let failed = BEGINNINGS
        .iter()
        .filter(|(name, ..)| *name == "a.pgn" || *name == "noise.pgn")
        .count();
    assert_eq!(
        done["sources_failed"].as_array().map(Vec::len),
        Some(failed),
        "{done}"
    );
    let others = BEGINNINGS.len() - failed + 1;
    assert_eq!(done["files_skipped"], others, "{done}");
    assert_eq!(ran.status, Some(2));
}

#[test]
fn damaged_text_and_text_that_comes_late_is_read() {
    let games = "[Event \"x\"]\n[White \"a\"]\n\n1. e4 e5 2. Nf3 *\n\n";
    let damaged = games.replace("e5", "e5 \x01\x02\x03\x04\x05\x06");
    assert_eq!(imported(damaged.as_bytes()).1.stored, 1);
    let late = [&noise(b"", 100_000, 5)[..], b"\n\n", games.as_bytes()].concat();
    assert!(imported(&late).1.stored >= 1);
    let preface = format!("{}\n\n{games}", "A preface of words.\n".repeat(9_000));
    assert!(imported(preface.as_bytes()).1.stored >= 1);
}

#[test]
fn the_library_refuses_the_same() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.png");
    fs::write(&path, noise(b"\x89PNG\r\n\x1a\n", 500, 1)).expect("a file");
    let base = Base::of(b"[Event \"x\"]\n\n1. e4 *\n");
    let before = export(&base);
    let done = import::import(
        &base.store,
        &[path],
        ImportOptions::default(),
        &NullObserver,
    );
    assert!(matches!(done, Err(ImportError::Source(_))), "{done:?}");
    assert_eq!(export(&base), before);
}

/// Whether the tag section of a game is one of the standard, and its result that of the movetext.
fn assert_pgn(text: &str) {
    // Behind it a line may begin so within a comment.
    for pair in text.lines().take_while(|line| line.starts_with('[')) {
        let (name, value) = pair[1..].split_once(" \"").expect("a blank");
        let value = value.strip_suffix("\"]").expect("a closed pair");
        let first = name.bytes().next().expect("a name");
        assert!(first.is_ascii_alphanumeric(), "{text}");
        let is_sign = |byte: u8| byte.is_ascii_alphanumeric() || b"_+#=:-".contains(&byte);
        assert!(name.bytes().all(is_sign), "{text}");
        let bare = value.replace("\\\\", "").replace("\\\"", "");
        assert!(!bare.contains(['"', '\\']), "{text}");
        if name == "Result" {
            assert!(["1-0", "0-1", "1/2-1/2", "*"].contains(&value), "{text}");
            assert!(text.trim_end().ends_with(value), "{text}");
        }
    }
}

/// What a database exports.
fn export(base: &Base) -> String {
    run(&base.folder().join("test.db"), &["export"]).out
}

/// A database of the games of a text.
fn imported(text: &[u8]) -> (Base, ImportReport) {
    let base = Base::new();
    let done = base.import_text(text, ImportOptions::default());
    (base, done)
}

#[test]
fn exports_are_pgn() {
    let given = include_bytes!("../data/field/export_must_be_pgn.pgn");
    let text = export(&Base::of(given));
    assert_pgn(&text);
    assert!(text.contains("[Result \"1/2-1/2\"]"), "{text}");
    let names = [
        "Event",
        "Result",
        "",
        "Игра",
        "Time Control",
        "GameType",
        "-x",
        "Variant",
        "1st",
    ];
    let values = [
        "", "?", "0.5-0.5", "1-0", "0-1", "a \"b\"", "c\\", "½-½", "}", "xiangqi", "1 : 0",
    ];
    let mut random = fastrand::Rng::with_seed(7);
    for _ in 0..60 {
        let mut given = String::new();
        for _ in 0..random.usize(1..5) {
            let name = names[random.usize(0..names.len())];
            let value = values[random.usize(0..values.len())];
            let value = value.replace('\\', "\\\\").replace('"', "\\\"");
            let _ = writeln!(given, "[{name} \"{value}\"]");
        }
        given += "\n1. e4 e5 1-0\n";
        let (first, done) = imported(given.as_bytes());
        let text = export(&first);
        assert_pgn(&text);
        let (again, done_again) = imported(text.as_bytes());
        assert_eq!(done_again.plies, done.plies, "{given}\n{text}");
        assert_eq!(export(&again), text, "{given}");
    }
}
