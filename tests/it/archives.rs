//! Archives and compressed files are imported as the games in them, wherever they stand and
//! whatever else is in them.

use std::{
    io::{Cursor, Write as _},
    path::{Path, PathBuf},
};

use zip::{CompressionMethod, ZipWriter, write::SimpleFileOptions};

use {
    crate::support::{Base, root, run},
    plydex::{
        base::diagnostic::Code,
        import::{ImportOptions, ImportReport},
    },
};

/// A game whose event is a name.
fn game(name: &str) -> String {
    format!("[Event \"{name}\"]\n\n1. e4 e5 2. Nf3 *\n\n")
}

type Files<'f> = &'f [(&'f str, &'f [u8])];

fn zip_of(files: Files<'_>) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in files {
        let method = if bytes.len() % 2 == 0 {
            CompressionMethod::Stored
        } else {
            CompressionMethod::Deflated
        };
        zip.start_file(
            *name,
            SimpleFileOptions::default().compression_method(method),
        )
        .expect("a member");
        zip.write_all(bytes).expect("a member");
    }
    zip.finish().expect("an archive").into_inner()
}

/// As a program writes it that cannot go back: sizes and checksums stand behind the members.
fn streamed_zip_of(files: Files<'_>) -> Vec<u8> {
    let mut zip = ZipWriter::new_stream(Vec::new());
    for (name, bytes) in files {
        let method = CompressionMethod::Deflated;
        let options = SimpleFileOptions::default().compression_method(method);
        zip.start_file(*name, options).expect("a member");
        zip.write_all(bytes).expect("a member");
    }
    zip.finish().expect("an archive").into_inner()
}

fn tar_of(files: Files<'_>) -> Vec<u8> {
    let mut tar = tar::Builder::new(Vec::new());
    for (name, bytes) in files {
        let mut header = tar::Header::new_gnu();
        header.set_size(bytes.len() as u64);
        // The builder refuses names that lead out.
        let place = &mut header.as_old_mut().name;
        place[..name.len()].copy_from_slice(name.as_bytes());
        header.set_cksum();
        tar.append(&header, *bytes).expect("a member");
    }
    tar.into_inner().expect("an archive")
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut out = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    out.write_all(bytes).expect("compressed");
    out.finish().expect("compressed")
}

fn vector(name: &str) -> PathBuf {
    root().join("tests/vectors/archives").join(name)
}

/// The events of the games that come out of a file, what the import says of it, and its name.
struct Imported {
    events: Vec<String>,
    summary: ImportReport,
    base: Base,
}

fn import(name: &str, bytes: &[u8]) -> Imported {
    let base = Base::new();
    let path = base.folder().join(name);
    std::fs::write(&path, bytes).expect("a file");
    imported(base, &path)
}

fn imported(base: Base, path: &Path) -> Imported {
    let summary = base.import(&[path.to_path_buf()], ImportOptions::default());
    let events = base
        .games()
        .into_iter()
        .map(|game| game.header.event)
        .collect();
    base.assert_sound();
    Imported {
        events,
        summary,
        base,
    }
}

impl Imported {
    /// What failed, without the folder.
    fn failed(&self) -> Vec<(String, String)> {
        let folder = format!("{}/", self.base.folder().display());
        let failed = self.summary.sources_failed.iter();
        failed
            .map(|(name, why)| (name.replace(&folder, ""), why.clone()))
            .collect()
    }
}

#[test]
fn every_container_gives_the_games_in_it() {
    let (a, b) = (game("a"), game("b"));
    let files: Files<'_> = &[
        ("weekly/a.pgn", a.as_bytes()),
        ("readme.txt", b"Thank you for downloading."),
        ("__MACOSX/weekly/._a.pgn", b"\0\x05\x16\x07 of no use"),
        ("weekly/no-ending", b.as_bytes()),
    ];
    let (zip, tar) = (zip_of(files), tar_of(files));
    for (name, bytes) in [
        ("a.zip", zip.clone()),
        ("named-wrongly.pgn", zip.clone()),
        ("a.tar", tar.clone()),
        ("a.tgz", gzip(&tar)),
        (
            "a.tar.zst",
            zstd::encode_all(&tar[..], 1).expect("compressed"),
        ),
        ("a.zip.gz", gzip(&zip)),
    ] {
        let imported = import(name, &bytes);
        assert_eq!(imported.events, ["a", "b"], "{name}");
        let summary = &imported.summary;
        assert!(summary.sources_failed.is_empty(), "{name}: {summary:?}");
        assert_eq!((summary.sources, summary.files_skipped), (2, 1), "{name}");
        assert!(summary.files_skipped_named[0].ends_with(&format!("{name}/readme.txt")));
        assert!(
            summary.formats[0]
                .0
                .ends_with(&format!("{name}/weekly/a.pgn")),
            "{summary:?}"
        );
    }
    for name in ["games.7z", "games.pgn.xz", "games.pgn.bz2"] {
        let imported = imported(Base::new(), &vector(name));
        assert_eq!(imported.events, ["In 7z", "Second"], "{name}");
        assert!(imported.summary.sources_failed.is_empty(), "{name}");
    }
}

#[test]
fn archives_in_archives_and_in_folders_are_read() {
    let inner = zip_of(&[("c.pgn.gz", &gzip(game("c").as_bytes()))]);
    let middle = gzip(&tar_of(&[
        ("inner.zip", &inner),
        ("b.pgn", game("b").as_bytes()),
    ]));
    let outer = zip_of(&[("a.pgn", game("a").as_bytes()), ("middle.tgz", &middle)]);
    let all = import("outer.zip", &outer);
    assert_eq!(all.events, ["a", "c", "b"]);
    let names: Vec<_> = all
        .summary
        .formats
        .iter()
        .map(|(name, _)| name.as_str())
        .collect();
    assert!(
        names[1].ends_with("outer.zip/middle.tgz/inner.zip/c.pgn.gz"),
        "{names:?}"
    );

    let base = Base::new();
    let folder = base.folder().join("archives");
    std::fs::create_dir(&folder).expect("a folder");
    std::fs::write(folder.join("b.pgn"), game("plain")).expect("a file");
    std::fs::write(folder.join("a.zip"), &outer).expect("a file");
    std::fs::write(folder.join("c.zip"), zip_of(&[("notes.txt", b"no games")])).expect("a file");
    let all = imported(base, &folder);
    assert_eq!(all.events, ["a", "c", "b", "plain"]);
    assert!(all.summary.sources_failed.is_empty());
    assert_eq!(all.summary.sources_empty.len(), 1);

    // As deep as nobody packs.
    let mut deep = zip_of(&[("a.pgn", game("a").as_bytes())]);
    for level in 0..8 {
        let own = game(&format!("level {level}"));
        deep = zip_of(&[("a.zip", &deep), ("b.pgn", own.as_bytes())]);
    }
    let all = import("deep.zip", &deep);
    assert_eq!(all.events.len(), 6);
    assert!(all.failed()[0].1.contains("nested"), "{:?}", all.failed());
}

#[test]
fn a_member_that_cannot_be_read_is_named_and_the_rest_goes_on() {
    let (a, b, c) = (game("a"), game("b"), game("c"));
    let out = tar_of(&[
        ("a.pgn", a.as_bytes()),
        ("../../b.pgn", b.as_bytes()),
        ("/c.pgn", c.as_bytes()),
    ]);
    let all = import("out.tar", &out);
    assert_eq!(all.events, ["a"]);
    let failed = all.failed();
    assert_eq!(failed.len(), 2, "{failed:?}");
    assert!(
        failed.iter().all(|(_, why)| why.contains("leads out")),
        "{failed:?}"
    );

    // One bit within a member: its checksum is wrong.
    let mut zip = zip_of(&[("a.pgn", a.as_bytes()), ("b.pgn", b.as_bytes())]);
    let at = zip
        .windows(8)
        .position(|bytes| bytes == b"[Event \"")
        .expect("stored");
    zip[at + 8] ^= 1;
    let all = import("a.zip", &zip);
    assert_eq!(all.events.last().map(String::as_str), Some("b"));
    assert!(
        all.failed()[0].0.ends_with("a.zip/a.pgn"),
        "{:?}",
        all.failed()
    );

    // The checksum of a compressed tar stands behind its last member.
    let mut tgz = gzip(&tar_of(&[("a.pgn", a.as_bytes()), ("b.pgn", b.as_bytes())]));
    let at = tgz.len() - 6;
    tgz[at] ^= 1;
    let all = import("a.tgz", &tgz);
    assert_eq!(all.events, ["a", "b"]);
    assert!(all.failed()[0].0.ends_with("a.tgz"), "{:?}", all.failed());

    for (name, events) in [
        ("encrypted.zip", &["Second"][..]),
        ("encrypted.7z", &[]),
        ("encrypted_content.7z", &[]),
    ] {
        let base = Base::new();
        let path = vector(name);
        let ran = run(
            &base.folder().join("test.db"),
            &["import", path.to_str().expect("UTF-8")],
        );
        assert_ne!(ran.status, Some(0), "{ran:?}");
        let said = format!("{}{}", ran.out, ran.err);
        assert!(
            said.contains("a.pgn") && said.contains("encrypted"),
            "{said}"
        );
        let all = imported(base, &path);
        assert_eq!(all.events, events, "{name}");
    }
}

/// 7-Zip and pyarrow made them, each with another method.
#[test]
fn members_are_unpacked_whatever_packed_them() {
    for name in [
        "deflate64.zip",
        "lzma.zip",
        "ppmd.zip",
        "xz.zip",
        "bzip2.7z",
        "deflate.7z",
        "ppmd.7z",
        "zstd.7z",
    ] {
        let all = imported(Base::new(), &vector(name));
        assert_eq!(all.events.len(), 20, "{name} {:?}", all.failed());
        assert_eq!(all.events[19], "E19", "{name}");
    }
    for name in ["gzip.parquet", "lz4.parquet"] {
        let all = imported(Base::new(), &vector(name));
        assert_eq!(all.events, ["a", "b"], "{name} {:?}", all.failed());
    }
    for (name, method) in [("brotli.parquet", "BROTLI"), ("deflate64.7z", "DEFLATE64")] {
        let base = Base::new();
        let path = vector(name);
        let path = path.to_str().expect("UTF-8");
        let ran = run(&base.folder().join("test.db"), &["import", path]);
        let said = format!("{}{}", ran.out, ran.err);
        assert_ne!(ran.status, Some(0), "{said}");
        assert!(
            said.contains("not supported") && said.contains(method),
            "{said}"
        );
    }
}

/// The member in which an archive ends is named, and that nothing behind it can be read, whatever
/// the member is.
#[test]
fn the_member_that_is_cut_is_named() {
    let (a, b) = (game("a"), game("b").repeat(40));
    for name in ["b.pgn", "b.jpg"] {
        let tar = tar_of(&[
            ("a.pgn", a.as_bytes()),
            (name, b.as_bytes()),
            ("c.pgn", a.as_bytes()),
        ]);
        let all = import("a.tar", &tar[..3 * 512 + b.len() / 2]);
        assert_eq!(all.events[0], "a");
        let failed: Vec<String> = all.failed().into_iter().map(|(name, _)| name).collect();
        assert_eq!(
            failed.last().map(String::as_str),
            Some("a.tar"),
            "{failed:?}"
        );
        let is_named = failed.contains(&"a.tar/b.pgn".to_owned());
        assert_eq!(is_named, name == "b.pgn", "{failed:?}");
    }
}

#[test]
fn files_of_one_name_in_an_archive_are_all_read() {
    let (a, b) = (game("a"), game("b"));
    let files: Files<'_> = &[
        ("a.pgn", a.as_bytes()),
        ("b.pgn", b.as_bytes()),
        ("a.jpg", b"\xff\xd8"),
        ("b.jpg", b"\xff\xd8\xff"),
    ];
    for mut zip in [zip_of(files), streamed_zip_of(files)] {
        for (name, other) in [(b"b.pgn", b'a'), (b"b.jpg", b'a')] {
            while let Some(at) = zip.windows(5).position(|here| here == name) {
                zip[at] = other;
            }
        }
        let found = import("a.zip", &zip);
        assert_eq!(found.events, ["b", "a"]);
        assert!(found.failed().is_empty(), "{:?}", found.failed());
        // What covers another is read, and the other said, where its beginning is overwritten.
        zip[..2].fill(0);
        zip.splice(..0, *b"PK\x03\x04");
        let found = import("a.zip", &zip);
        assert_eq!(found.events, ["b"]);
        let failed = found.failed();
        assert_eq!(failed.len(), 1, "{failed:?}");
        assert_eq!(failed[0].0, "a.zip/a.pgn");
        assert!(failed[0].1.contains("several files"), "{failed:?}");
    }
}

#[test]
fn what_is_left_of_a_cut_archive_is_read() {
    let long: String = (0..2000).map(|n| game(&n.to_string())).collect();
    let first = game("first");
    let files: Files<'_> = &[("a.pgn", first.as_bytes()), ("b.pgn", long.as_bytes())];
    let (zip, tar) = (zip_of(files), tar_of(files));
    for (name, bytes) in [
        ("a.zip", zip),
        ("streamed.zip", streamed_zip_of(files)),
        ("a.tar", tar.clone()),
        ("a.tgz", gzip(&tar)),
    ] {
        let whole = import(name, &bytes);
        assert_eq!(whole.events.len(), 2001, "{name}");
        for part in [9, 6, 3] {
            let all = import(name, &bytes[..bytes.len() * part / 10]);
            assert_eq!(
                all.events.first().map(String::as_str),
                Some("first"),
                "{name} {part}"
            );
            assert!(all.events.len() < 2001, "{name} {part}");
            let failed = all.failed();
            assert!(!failed.is_empty(), "{name} {part}");
            // What could be read is not said to be nothing.
            assert!(
                !failed
                    .iter()
                    .any(|(name, why)| name.ends_with("zip") && why.contains(" 0 decompressed")),
                "{failed:?}"
            );
            let ImportReport {
                seen,
                stored,
                duplicate,
                rejected,
                ..
            } = all.summary;
            assert_eq!(seen, stored + duplicate + rejected);
        }
    }
    let seven = std::fs::read(vector("games.7z")).expect("a file");
    for cut in [8, 40, seven.len() - 1] {
        let base = Base::new();
        let path = base.folder().join("cut.7z");
        std::fs::write(&path, &seven[..cut]).expect("a file");
        let ran = run(
            &base.folder().join("test.db"),
            &["import", path.to_str().expect("UTF-8")],
        );
        assert_ne!(ran.status, Some(0), "{cut}: {ran:?}");
        assert!(ran.err.contains("cut.7z"), "{cut}: {ran:?}");
    }
}

/// Members of a zip that was written as a stream and has lost its table: those that are whole,
/// and the one that is damaged, by its checksum.
#[test]
fn members_of_a_cut_stream_of_zip_tell_their_ends() {
    let [a, b, c] = ["a", "b", "c"].map(game);
    let (readme, empty) = ("no games in here\n".repeat(9), "");
    let files: Files<'_> = &[
        ("a.pgn", a.as_bytes()),
        ("readme", readme.as_bytes()),
        ("empty.pgn", empty.as_bytes()),
        ("b.pgn", b.as_bytes()),
        ("c.pgn", c.as_bytes()),
    ];
    let zip = streamed_zip_of(files);
    let table = zip
        .windows(4)
        .position(|four| four == b"PK\x01\x02")
        .expect("a table");
    let all = import("cut.zip", &zip[..table]);
    assert_eq!(all.events, ["a", "b", "c"]);
    let failed = all.failed();
    assert_eq!(failed.len(), 1, "{failed:?}");
    assert!(failed[0].0.ends_with("cut.zip"), "{failed:?}");
    // The checksum behind the first member.
    let mut damaged = zip[..table].to_vec();
    let sum = damaged
        .windows(4)
        .position(|four| four == b"PK\x07\x08")
        .expect("numbers");
    damaged[sum + 4] ^= 1;
    let all = import("cut.zip", &damaged);
    let failed = all.failed();
    assert!(failed[0].0.ends_with("a.pgn"), "{failed:?}");
}

/// Bytes behind the last member of gzip: padding is nothing, anything else is said.
#[test]
fn gzip_may_be_padded() {
    let [a, b] = ["a", "b"].map(|name| gzip(game(name).as_bytes()));
    let nuls = vec![0; 700_000];
    for padded in [
        [&a[..], &nuls[..512]].concat(),
        [&a[..], &nuls].concat(),
        [&a[..], &b, &nuls[..1]].concat(),
        [&a[..], &nuls[..3], &b].concat(),
    ] {
        let all = import("a.pgn.gz", &padded);
        assert_eq!(all.failed(), [], "{}", padded.len());
        let both = padded.windows(b.len()).any(|part| part == b);
        assert_eq!(all.events.len(), 1 + usize::from(both));
    }
    for garbage in [&b"garbage"[..], b"\0\0garbage"] {
        let all = import("a.pgn.gz", &[&a[..], garbage].concat());
        assert_eq!(all.events, ["a"]);
        let failed = all.failed();
        assert!(failed[0].1.contains("was left out"), "{failed:?}");
    }
}

#[test]
fn a_bomb_is_named_and_the_rest_goes_on() {
    let zeros = vec![b' '; 80 << 20];
    let bomb = gzip(&zeros);
    // Compressed twice it is small enough to expand more than a thousand times.
    let zip = zip_of(&[
        ("a.pgn", game("a").as_bytes()),
        ("bomb.pgn.gz", &bomb),
        ("b.pgn", game("b").as_bytes()),
    ]);
    let all = import("a.zip", &zip);
    assert_eq!(all.events, ["a", "b"]);
    let failed = all.failed();
    assert!(
        failed.is_empty() || failed[0].1.contains("times its size"),
        "{failed:?}"
    );
    let double = zip_of(&[
        ("a.pgn", game("a").as_bytes()),
        ("bomb.pgn.gz", &gzip(&bomb)),
        ("b.pgn", game("b").as_bytes()),
    ]);
    let all = import("b.zip", &double);
    assert_eq!(all.events, ["a", "b"]);
    let failed = all.failed();
    assert!(
        failed.len() == 1 && failed[0].1.contains("times its size"),
        "{failed:?}"
    );
}

#[test]
fn a_member_is_known_again_wherever_it_stands() {
    let text = game("a") + &game("b");
    let zip = import("a.zip", &zip_of(&[("a.pgn", text.as_bytes())]));
    let tar = zip.base.folder().join("b.tar");
    std::fs::write(&tar, tar_of(&[("b.pgn", text.as_bytes())])).expect("a file");
    let summary = zip.base.import(&[tar], ImportOptions::default());
    assert_eq!((summary.stored, summary.duplicate), (0, 2));
}

/// Tables of games: packed as Aix packs moves in each of its three ways, with clocks and
/// evaluations, the last row damaged; and moves as text.
#[test]
fn tables_in_parquet_are_the_games_in_them() {
    let aix = imported(Base::new(), &vector("aix.parquet"));
    assert_eq!((aix.summary.seen, aix.summary.stored), (4, 4));
    let text = run(aix.base.store.path(), &["export"]).out;
    let moves = |number: usize| {
        let game = text.split("\n\n").nth(2 * number + 1).expect("movetext");
        game.replace('\n', " ")
    };
    assert_eq!(
        moves(0),
        "1. e4 { [%eval 0.36] [%clk 0:03:00] } 1... e5 { [%eval 0.40] [%clk 0:03:00] } \
         2. Nf3 { [%eval 0.33] [%clk 0:03:01] } 2... d6 { [%eval 0.75] [%clk 0:03:02] } \
         3. d4 { [%eval 0.64] [%clk 0:02:59] } 3... Bg4 { [%eval 1.49] [%clk 0:02:48] } \
         4. dxe5 { [%eval 1.34] [%clk 0:02:58] } 4... Bxf3 \
         { [%eval 1.15] [%clk 0:02:50] } 1-0"
    );
    assert_eq!(
        moves(1),
        "1. e4 { [%eval #-2] } 1... e5 { [%eval #1] } 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0"
    );
    assert_eq!(
        moves(2),
        "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O Nf6 5. d3 O-O 6. h3 h6 1/2-1/2"
    );
    // What cannot be unpacked is kept, and reported.
    assert_eq!(moves(3), "1. e4 e5 movedata:0c1c342405000000 0-1");
    assert!(
        aix.summary
            .diagnostics
            .iter()
            .any(|&(code, count)| (code, count) == (Code::UnknownWord, 1))
    );
    for tag in [
        "[Site \"https://lichess.org/opera001\"]",
        "[White \"Morphy\"]",
        "[WhiteElo \"2700\"]",
        "[WhiteRatingDiff \"+2\"]",
        "[BlackRatingDiff \"-3\"]",
        "[UTCDate \"2026.02.01\"]",
        "[UTCTime \"18:00:03\"]",
        "[TimeControl \"180+2\"]",
        "[ECO \"C41\"]",
    ] {
        assert!(text.contains(tag), "{tag}: {text}");
    }
    let written = imported(Base::new(), &vector("movetext.parquet"));
    assert_eq!(
        run(written.base.store.path(), &["export"]).out,
        "[White \"Tal\"]\n[Result \"1-0\"]\n[ECO \"B20\"]\n\n1. e4 c5 { sharp } 2. Nf3 1-0\n\n"
    );
}

#[test]
fn what_is_wrong_with_a_table_is_said() {
    let base = Base::new();
    let path = vector("neither.parquet");
    let ran = run(
        base.store.path(),
        &["import", path.to_str().expect("a path")],
    );
    assert_eq!(ran.status, Some(2));
    assert!(
        ran.err
            .contains("a table without moves or positions; its columns are name, number"),
        "{}",
        ran.err
    );
    // Cut, or with any byte changed, it gives what can be read, and never ends the program.
    let whole = std::fs::read(vector("aix.parquet")).expect("a file");
    let mut random = fastrand::Rng::with_seed(11);
    for trial in 0..60 {
        let mut bytes = whole.clone();
        if trial % 3 == 0 {
            bytes.truncate(random.usize(4..whole.len()));
        } else {
            for _ in 0..trial % 5 {
                let at = random.usize(4..whole.len());
                bytes[at] = random.u8(..);
            }
        }
        let base = Base::new();
        let path = base.folder().join("a.parquet");
        std::fs::write(&path, bytes).expect("a file");
        let ran = run(
            base.store.path(),
            &["import", path.to_str().expect("a path")],
        );
        assert!(matches!(ran.status, Some(0..=2)), "{ran:?}");
        assert!(!ran.err.contains("panicked"), "{ran:?}");
    }
}

/// A column with FENs makes a table of positions, whose other columns are operations.
#[test]
fn positions_in_parquet_are_a_table_of_positions() {
    let Imported { base, summary, .. } = imported(Base::new(), &vector("positions.parquet"));
    assert_eq!((summary.seen, summary.stored), (2, 2));
    let lines = run(base.store.path(), &["export", "--format", "epd"]).out;
    assert_eq!(
        lines,
        "4k3/8/8/8/8/8/4P3/4K3 w - - best \"e4\"; cp 31;\n\
         4k3/4p3/8/8/8/8/8/4K3 b - - best \"e5\"; fmvn 7; hmvc 3;\n"
    );
}
