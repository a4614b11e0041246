//! What is exported and imported again is the same: games and bytes.

use std::path::{Path, PathBuf};

use {
    crate::support::{Base, corpora, root},
    plydex::{
        base::record::{GameRecord, PdnFacts},
        import::ImportOptions,
        pgn::writer as pgn,
    },
};

/// A game without what depends on the database it is in.
pub(crate) fn essence(game: &GameRecord) -> GameRecord {
    let mut game = game.clone();
    game.header.id = 0;
    game
}

/// The same with the tags that an export writes, which declare what was inferred.
pub(crate) fn exported_essence(game: &GameRecord) -> GameRecord {
    let mut game = essence(game);
    game.header.variant_by = None;
    let PdnFacts { tags, .. } = std::mem::take(&mut game.pdn);
    for (name, value) in tags {
        match game.tags.iter_mut().rev().find(|(other, _)| *other == name) {
            Some(tag) => tag.1 = value,
            None => game.tags.push((name, value)),
        }
    }
    game
}

/// Games as an export writes them.
pub(crate) fn exported(games: &[GameRecord]) -> String {
    let mut text = String::new();
    for game in games {
        pgn::write(game, &mut text);
    }
    text
}

/// Imports a file, exports it, imports that, and says what became different.
fn difference(path: &Path) -> Option<String> {
    let first = Base::new();
    first.import(&[path.to_path_buf()], ImportOptions::default());
    let games = first.games();
    let text = exported(&games);
    let second = Base::of(text.as_bytes());
    let again = second.games();
    let name = path
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    if games.len() != again.len() {
        return Some(format!(
            "{name}: {} games became {}",
            games.len(),
            again.len()
        ));
    }
    for (one, two) in games.iter().zip(&again) {
        let (one, two) = (essence(one), essence(two));
        if one != two {
            return Some(format!(
                "{name}: game {}:\n{}",
                one.header.id,
                first_change(&one, &two)
            ));
        }
    }
    (exported(&again) != text).then(|| format!("{name}: the second export is another text"))
}

pub(crate) fn first_change(one: &GameRecord, two: &GameRecord) -> String {
    if one.header != two.header {
        return format!("{:?}\n{:?}", one.header, two.header);
    }
    if one.tags != two.tags {
        return format!("{:?}\n{:?}", one.tags, two.tags);
    }
    let at = one.items.iter().zip(&two.items).position(|(a, b)| a != b);
    let at = at.unwrap_or(one.items.len().min(two.items.len()));
    let near = |game: &GameRecord| {
        let text = format!(
            "{:?}",
            game.items
                .iter()
                .skip(at.saturating_sub(1))
                .take(3)
                .collect::<Vec<_>>()
        );
        text.chars().take(300).collect::<String>()
    };
    format!(
        "white {}, item {at}:\n{}\n{}",
        one.header.white,
        near(one),
        near(two)
    )
}

fn assert_same(paths: &[PathBuf]) {
    assert!(!paths.is_empty());
    let changed: Vec<String> = paths.iter().filter_map(|path| difference(path)).collect();
    assert!(
        changed.is_empty(),
        "{} of {} files changed:\n{}",
        changed.len(),
        paths.len(),
        changed.join("\n")
    );
}

/// The files of a folder, in order.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "pgn"))
        .collect();
    paths.sort();
    paths
}

#[test]
fn sample_data_come_back_the_same() {
    assert_same(&files(&root().join("sample-data/pgn")));
}

#[test]
fn deviant_files_come_back_the_same() {
    assert_same(&files(&root().join("tests/vectors/pgn_cases")));
}

#[test]
fn annotated_archives_come_back_the_same() {
    if let Some(folder) = corpora("annotated_archives_come_back_the_same") {
        assert_same(&[folder.join("annotated.pgn"), folder.join("setup-fen.pgn")]);
    }
}

#[test]
fn malformed_archives_come_back_the_same() {
    if let Some(folder) = corpora("malformed_archives_come_back_the_same") {
        assert_same(&files(&folder.join("malformed")));
    }
}
