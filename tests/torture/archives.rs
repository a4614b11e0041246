//! Archives and compressed files that were cut or changed: what is wrong is named, and the rest
//! is there.

use std::{
    collections::HashSet,
    fs,
    io::{Cursor, Write as _},
    path::{Path, PathBuf},
};

use bzip2::write::BzEncoder;
use fastrand::Rng;
use flate2::{Compression, write::GzEncoder};
use lzma_rust2::{XzOptions, XzWriter};
use plydex::import::{ImportError, ImportOptions, ImportReport};
use sevenz_rust2::{ArchiveEntry, ArchiveWriter};
use zip::{ZipArchive, ZipWriter, write::SimpleFileOptions};

use super::support::{Base, games, import_with, sound};

/// A file and its content.
pub(crate) type Packed = (String, Vec<u8>);

/// What one stream is packed in.
const STREAMS: [&str; 4] = [".gz", ".xz", ".zst", ".bz2"];
/// What several are.
pub(crate) const ARCHIVES: [&str; 7] = [
    ".zip", ".tar", ".7z", ".tar.gz", ".tar.xz", ".tar.zst", ".tar.bz2",
];

pub(crate) fn compressed(ending: &str, bytes: &[u8]) -> Vec<u8> {
    let packed = match ending {
        ".gz" => {
            let mut out = GzEncoder::new(Vec::new(), Compression::fast());
            out.write_all(bytes).and_then(|()| out.finish())
        }
        ".bz2" => {
            let mut out = BzEncoder::new(Vec::new(), bzip2::Compression::fast());
            out.write_all(bytes).and_then(|()| out.finish())
        }
        ".xz" => XzWriter::new(Vec::new(), XzOptions::with_preset(0)).and_then(|mut out| {
            out.write_all(bytes)?;
            out.finish()
        }),
        ".zst" => zstd::Encoder::new(Vec::new(), 1).and_then(|mut out| {
            out.include_checksum(true)?;
            out.write_all(bytes)?;
            out.finish()
        }),
        _ => panic!("{ending}"),
    };
    packed.expect("compressed")
}

pub(crate) fn zip_of(files: &[Packed]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in files {
        zip.start_file(name.as_str(), SimpleFileOptions::default())
            .expect("a member");
        zip.write_all(bytes).expect("a member");
    }
    zip.finish().expect("an archive").into_inner()
}

fn tar_of(files: &[Packed]) -> Vec<u8> {
    let mut tar = tar::Builder::new(Vec::new());
    for (name, bytes) in files {
        let mut header = tar::Header::new_gnu();
        header.set_size(bytes.len() as u64);
        header.set_mode(0o644);
        tar.append_data(&mut header, name, &bytes[..])
            .expect("a member");
    }
    tar.into_inner().expect("an archive")
}

fn seven_of(files: &[Packed]) -> Vec<u8> {
    let mut seven = ArchiveWriter::new(Cursor::new(Vec::new())).expect("an archive");
    for (name, bytes) in files {
        seven
            .push_archive_entry(ArchiveEntry::new_file(name), Some(&bytes[..]))
            .expect("a member");
    }
    seven.finish().expect("an archive").into_inner()
}

pub(crate) fn archive_of(ending: &str, files: &[Packed]) -> Vec<u8> {
    match ending {
        ".zip" => zip_of(files),
        ".7z" => seven_of(files),
        ".tar" => tar_of(files),
        _ => compressed(&ending[".tar".len()..], &tar_of(files)),
    }
}

/// How many members stand whole in the first bytes of an archive, as far as that can be told.
fn whole_members(ending: &str, files: &[Packed], bytes: usize) -> usize {
    let end = |count: usize| match ending {
        // Two empty blocks follow.
        ".tar" => tar_of(&files[..count]).len() - 1024,
        ".zip" => {
            let zip = ZipArchive::new(Cursor::new(zip_of(&files[..count])));
            zip.expect("an archive").central_directory_start() as usize
        }
        _ => usize::MAX,
    };
    (1..=files.len())
        .take_while(|&count| end(count) <= bytes)
        .count()
}

/// The games that each of some files has, as they are exported.
fn games_of(files: &[Packed]) -> Vec<Vec<String>> {
    let base = Base::new();
    let folder = base.path.with_file_name("plain");
    fs::create_dir(&folder).expect("a folder");
    let mut all = Vec::new();
    let mut before = 0;
    for (name, bytes) in files {
        let path = folder.join(name);
        fs::write(&path, bytes).expect("a file");
        import_with(&base.path, &[path], ImportOptions::default()).expect("an import");
        let found = sound(&base.path).expect("games");
        all.push(found[before..].to_vec());
        before = found.len();
    }
    all
}

/// Cuts a file, or changes a byte of it; whether it was cut.
fn spoil(bytes: &mut Vec<u8>, rng: &mut Rng) -> bool {
    let at = rng.usize(1..bytes.len());
    let is_cut = rng.u8(0..3) > 0;
    if is_cut {
        bytes.truncate(at);
    } else {
        bytes[at] ^= rng.u8(1..=255);
    }
    is_cut
}

/// What an import gave: its games, and the sources that it names because they have failed, or
/// have no games.
fn imported(base: &Base, path: &Path) -> (Vec<String>, Vec<String>) {
    let failed = match import_with(&base.path, &[path.to_path_buf()], ImportOptions::default()) {
        Ok(ImportReport {
            seen,
            stored,
            duplicate,
            rejected,
            sources_failed,
            sources_empty,
            files_skipped_named: passed_over_named,
            ..
        }) => {
            assert_eq!(seen, stored + duplicate + rejected);
            let failed = sources_failed.into_iter();
            let failed = failed.map(|(name, why)| format!("{name}: {why}"));
            let rest = sources_empty.into_iter().chain(passed_over_named);
            failed.chain(rest).collect()
        }
        Err(error @ ImportError::Store(_)) => panic!("{error}"),
        Err(error) => vec![error.to_string()],
    };
    let found = sound(&base.path).expect("a database");
    (found, failed)
}

/// Some files of games, each of them in a way that can be told from the others.
fn files(rng: &mut Rng) -> Vec<Packed> {
    let mut before = 0;
    (0..rng.usize(2..=5))
        .map(|number| {
            let count = if rng.u8(0..10) == 0 {
                700
            } else {
                rng.usize(1..40)
            };
            before += count;
            let text = games(before - count, count).into_bytes();
            (format!("{number}.pgn"), text)
        })
        .collect()
}

/// The text of a game without its comments, its glyphs and its line breaks.
fn without_annotations(game: &str) -> String {
    let parts = game.split('{').enumerate();
    let kept = parts.map(|(at, part)| match part.split_once('}') {
        Some((_, rest)) if at > 0 => rest,
        _ => part,
    });
    let kept = kept.collect::<String>();
    let words = kept
        .split_whitespace()
        .filter(|word| !word.starts_with('$'));
    words.collect::<Vec<_>>().join(" ")
}

fn assert_has(found: &HashSet<&String>, wanted: &[String], what: &str) {
    let missing = wanted.iter().filter(|game| !found.contains(game)).count();
    assert_eq!(missing, 0, "{what}: of {} games", wanted.len());
}

/// A compressed file, or an archive, is spoiled, alone or within a sound archive: it is named
/// unless nothing is missing, and all others are there.
pub(crate) fn spoiled_member(rng: &mut Rng) {
    let plain = files(rng);
    let games = games_of(&plain);
    let mut packed = plain.clone();
    let victim = rng.usize(0..plain.len());
    let ending = if rng.bool() {
        let ending = STREAMS[rng.usize(0..STREAMS.len())];
        packed[victim].1 = compressed(ending, &plain[victim].1);
        ending
    } else {
        let ending = ARCHIVES[rng.usize(0..ARCHIVES.len())];
        packed[victim].1 = archive_of(ending, &plain[victim..=victim]);
        ending
    };
    packed[victim].0.push_str(ending);
    let is_cut = spoil(&mut packed[victim].1, rng);
    let base = Base::new();
    let folder = base.path.with_file_name("packed");
    fs::create_dir(&folder).expect("a folder");
    let within = rng
        .choice([".zip", ".tar", ".7z", ".tar.zst", ""])
        .expect("one");
    let path = if within.is_empty() {
        for (name, bytes) in &packed {
            fs::write(folder.join(name), bytes).expect("a file");
        }
        folder
    } else {
        let path = folder.join(format!("all{within}"));
        fs::write(&path, archive_of(within, &packed)).expect("a file");
        path
    };
    let (found, failed) = imported(&base, &path);
    let found: HashSet<&String> = found.iter().collect();
    let what = format!(
        "{} in `{within}`, cut {is_cut}: {failed:?}",
        packed[victim].0
    );
    for (number, games) in games.iter().enumerate() {
        if number != victim {
            assert_has(&found, games, &what);
        }
    }
    // What stands in a tar has no checksum.
    let is_seen = is_cut || ending != ".tar";
    let named = failed.iter().any(|told| told.contains(&packed[victim].0));
    if is_seen && !named {
        assert_has(&found, &games[victim], &what);
    }
    if is_cut {
        let of_others: usize = games.iter().map(Vec::len).sum::<usize>() - games[victim].len();
        let whole = games[victim].iter().filter(|game| found.contains(game));
        // The last one may have been cut.
        assert!(found.len() <= of_others + whole.count() + 1, "{what}");
    }
}

/// An archive is cut: what stands before is there, what is missing is named, and the whole
/// archive brings the rest.
pub(crate) fn cut_archive(rng: &mut Rng) {
    let plain = files(rng);
    let games = games_of(&plain);
    let ending = ARCHIVES[rng.usize(0..ARCHIVES.len())];
    let whole = archive_of(ending, &plain);
    let cut = rng.usize(1..whole.len());
    let base = Base::new();
    let path: PathBuf = base.path.with_file_name(format!("all{ending}"));
    fs::write(&path, &whole[..cut]).expect("a file");
    let what = format!("all{ending} cut at {cut} of {}", whole.len());
    let (found, failed) = imported(&base, &path);
    let least = whole_members(ending, &plain, cut);
    let found: HashSet<&String> = found.iter().collect();
    for games in &games[..least] {
        assert_has(&found, games, &what);
    }
    let all: usize = games.iter().map(Vec::len).sum();
    let exact = games.iter().flatten().filter(|game| found.contains(game));
    let exact = exact.count();
    assert!(
        found.len() <= exact + 1,
        "{what}: {} of {exact}",
        found.len()
    );
    if exact < all {
        assert!(
            failed.iter().any(|told| told.contains("all.")),
            "{what}: {failed:?}"
        );
    }
    fs::write(&path, &whole).expect("a file");
    let (found, failed) = imported(&base, &path);
    assert_eq!(failed, Vec::<String>::new(), "{what}");
    let found: HashSet<&String> = found.iter().collect();
    // Of a game that was cut within its last annotations the first record stays: it is the same game.
    let bare: HashSet<String> = found.iter().map(|game| without_annotations(game)).collect();
    let missing = games.iter().flatten().filter(|game| !found.contains(game));
    let missing: Vec<&String> = missing.collect();
    assert!(missing.len() <= 1, "{what}: {missing:?}");
    for game in missing {
        assert!(bare.contains(&without_annotations(game)), "{what}: {game}");
    }
    assert!(found.len() <= all + 1, "{what}");
}
