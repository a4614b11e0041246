//! What a source may cost that a user has named: one budget for all that is packed in it. Where it
//! is spent, the member is named and what was read before is kept.

use std::io::{Cursor, Write as _};

use zip::{ZipWriter, write::SimpleFileOptions};

use {
    crate::support::{Base, root, run},
    plydex::import::{ImportOptions, ImportReport},
};

fn game(name: &str) -> Vec<u8> {
    format!("[Event \"{name}\"]\n\n1. e4 e5 2. Nf3 *\n\n").into_bytes()
}

fn zip_of<'f>(files: impl IntoIterator<Item = (String, &'f [u8])>) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in files {
        if name.ends_with('/') {
            zip.add_directory(name, SimpleFileOptions::default())
                .expect("a folder");
            continue;
        }
        zip.start_file(name, SimpleFileOptions::default())
            .expect("a member");
        zip.write_all(bytes).expect("a member");
    }
    zip.finish().expect("an archive").into_inner()
}

fn import(name: &str, bytes: &[u8]) -> (Base, ImportReport) {
    let base = Base::new();
    let path = base.folder().join(name);
    std::fs::write(&path, bytes).expect("a file");
    let done = base.import(&[path], ImportOptions::default());
    base.assert_sound();
    (base, done)
}

fn events(base: &Base) -> Vec<String> {
    let games = base.games().into_iter();
    games.map(|game| game.header.event).collect()
}

/// The names of what was not read further, behind that of the file.
fn unread(done: &ImportReport, file: &str) -> Vec<String> {
    let failed = done.sources_failed.iter();
    let unread = failed.filter(|(_, why)| why.contains("not read further"));
    let behind = |name: &str| name.rsplit_once(file).map(|(_, name)| name.to_owned());
    unread.filter_map(|(name, _)| behind(name)).collect()
}

/// 15 kB that unfold to a million members of 4 MiB each.
#[test]
fn a_zip_of_zips_of_zips_ends_where_its_budget_does() {
    let path = root().join("tests/data/field/zip_of_zips.zip");
    let base = Base::new();
    let ran = run(
        base.store.path(),
        &["import", path.to_str().expect("UTF-8")],
    );
    assert_eq!(ran.status, Some(2), "{ran:?}");
    let done = base.import(&[path], ImportOptions::default());
    assert!(done.sources < 60, "{done:?}");
    let unread = unread(&done, "zip_of_zips.zip/");
    assert!(unread[0].starts_with("z0.zip/z0.zip/"), "{unread:?}");
    let ending = unread[0].rsplit_once('.').map(|(_, ending)| ending);
    assert_eq!(ending, Some("pgn"), "{unread:?}");
    // Of the others none is opened, and each is named.
    let others: Vec<String> = (1..10).map(|number| format!("z{number}.zip")).collect();
    assert_eq!(unread[1..], others);
}

#[test]
fn what_stands_beside_archives_in_archives_is_read() {
    let blanks = vec![b' '; 8 << 20];
    let mut level = zip_of((0..6).map(|number| (format!("{number}.pgn"), &blanks[..])));
    for _ in 0..3 {
        level = zip_of((0..6).map(|number| (format!("{number}.zip"), &level[..])));
    }
    let (a, z) = (game("a"), game("z"));
    let outer = zip_of([
        ("a.pgn".to_owned(), &a[..]),
        ("b.zip".to_owned(), &level[..]),
        ("c.zip".to_owned(), &level[..]),
        ("z.pgn".to_owned(), &z[..]),
    ]);
    let (base, done) = import("o.zip", &outer);
    assert_eq!(events(&base), ["a", "z"]);
    let unread = unread(&done, "o.zip/");
    assert!(
        unread.len() == 2 && unread[0].starts_with("b.zip/"),
        "{unread:?}"
    );
    assert_eq!(unread[1], "c.zip");
}

#[test]
fn archives_in_archives_with_games_are_read() {
    let games: Vec<Vec<u8>> = (0..60).map(|number| game(&number.to_string())).collect();
    let inner: Vec<Vec<u8>> = games
        .chunks(6)
        .map(|games| {
            zip_of(
                games
                    .iter()
                    .enumerate()
                    .map(|(at, game)| (format!("{at}.pgn"), &game[..])),
            )
        })
        .collect();
    let zips = inner.iter().enumerate();
    let outer = zip_of(zips.map(|(at, zip)| (format!("{at}.zip"), &zip[..])));
    let (base, done) = import("o.zip", &zip_of([("o.zip".to_owned(), &outer[..])]));
    assert_eq!(events(&base).len(), 60);
    assert!(done.sources_failed.is_empty(), "{done:?}");
}

/// An archive whose table names one member again and again.
fn aliased(content: &[u8], count: u16) -> Vec<u8> {
    let one = zip_of([("0000.pgn".to_owned(), content)]);
    let find = |sign: &[u8]| {
        let mut windows = one.windows(4);
        windows.position(|window| window == sign).expect("there")
    };
    let (table, end) = (find(b"PK\x01\x02"), find(b"PK\x05\x06"));
    let mut zip = one[..table].to_vec();
    for number in 0..count {
        let mut entry = one[table..end].to_vec();
        entry[46..50].copy_from_slice(format!("{number:04}").as_bytes());
        zip.extend(entry);
    }
    let size = (zip.len() - table) as u32;
    let mut last = one[end..].to_vec();
    last[8..10].copy_from_slice(&count.to_le_bytes());
    last[10..12].copy_from_slice(&count.to_le_bytes());
    last[12..16].copy_from_slice(&size.to_le_bytes());
    zip.extend(last);
    zip
}

#[test]
fn one_member_under_many_names_is_read_as_often_as_the_archive_is_large() {
    let mut random = fastrand::Rng::with_seed(1);
    let noise: String = (0..20_000).map(|_| random.alphanumeric()).collect();
    let text = format!("[Event \"a\"]\n\n1. e4 {{{noise}}} *\n\n");
    let zip = aliased(text.as_bytes(), 2000);
    let (base, done) = import("a.zip", &zip);
    assert_eq!(events(&base), ["a"]);
    let unread = unread(&done, "a.zip/");
    assert_eq!(unread.len(), 1, "{unread:?}");
    let most = zip.len() / 10_000;
    assert!(done.sources < most as u64, "{} sources", done.sources);
}

/// Entries that say nothing count as well.
#[test]
fn archives_of_folders_end_where_the_budget_does() {
    let folders = (0..3_000).map(|number| (format!("{number}/"), &b""[..]));
    let text = game("a");
    let inner = zip_of(folders.chain([("a.pgn".to_owned(), &text[..])]));
    let outer = zip_of(["a", "b", "c"].map(|name| (format!("{name}.zip"), &inner[..])));
    // Packed again, it has few bytes.
    let (base, done) = import("o.zip", &zip_of([("o.zip".to_owned(), &outer[..])]));
    assert_eq!(events(&base), ["a"]);
    let unread = unread(&done, "o.zip/o.zip/");
    assert_eq!(unread.len(), 1, "{unread:?}");
    assert!(unread[0].starts_with("b.zip/"), "{unread:?}");
}

#[test]
fn members_of_tar_with_holes_are_read() {
    for version in ["gnu", "0.0", "0.1", "1.0"] {
        let name = format!("tests/vectors/archives/sparse-{version}.tar.gz");
        let base = Base::new();
        let done = base.import(&[root().join(&name)], ImportOptions::default());
        assert_eq!(events(&base), ["one", "two"], "{name}: {done:?}");
        assert!(done.sources_failed.is_empty(), "{done:?}");
        assert!(done.formats[0].0.ends_with("/a.pgn"), "{:?}", done.formats);
    }
}

/// Links and hidden files of an archive are named with what was passed over.
#[test]
fn entries_without_content_are_named() {
    let mut tar = tar::Builder::new(Vec::new());
    let text = game("a");
    let mut header = tar::Header::new_gnu();
    header.set_size(text.len() as u64);
    tar.append_data(&mut header, "a.pgn", &text[..])
        .expect("a member");
    tar.append_data(&mut header, ".hidden.pgn", &text[..])
        .expect("a member");
    let mut link = tar::Header::new_gnu();
    link.set_entry_type(tar::EntryType::Symlink);
    link.set_size(0);
    tar.append_link(&mut link, "b.pgn", "a.pgn")
        .expect("a link");
    let (base, done) = import("a.tar", &tar.into_inner().expect("an archive"));
    assert_eq!(events(&base), ["a"]);
    let named: Vec<&str> = done
        .files_skipped_named
        .iter()
        .filter_map(|name| name.rsplit('/').next())
        .collect();
    assert_eq!(named, [".hidden.pgn", "b.pgn"]);
}
