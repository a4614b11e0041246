//! What is stored can be read: whatever an import takes can be shown and checked, its export
//! reads back as the same games, and the export of these is the same text.

mod damage;
mod hostile;

use std::path::{Path, PathBuf};

use plydex::base::record::{Game, PdnFacts};

use crate::{
    roundtrip::first_change,
    support::{Base, beside, every_game, files_below, root, run},
};

/// A game without what depends on the database it is in, with the tags that an export writes.
/// What was inferred is declared by an export.
fn essence(game: &Game) -> Game {
    let mut game = game.clone();
    game.header.id = 0;
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

/// All games by way of the program.
fn exported(base: &Base) -> Result<String, String> {
    let ran = run(base.store.path(), &["export", "--limit", "0"]);
    match ran.status {
        Some(0 | 1) => Ok(ran.out),
        _ => Err(format!("export: {}", ran.err)),
    }
}

/// What becomes different on the way from a database to its export and back.
fn difference(first: &Base) -> Result<(), String> {
    let report = plydex::db::search::check(&first.store, &plydex::base::observe::Silent);
    let problems = report.expect("a check").problems;
    if !problems.is_empty() {
        return Err(format!("check: {problems:?}"));
    }
    let mut reader = plydex::db::search::Games::new(&first.store);
    let mut games = Vec::new();
    for id in 1..=first.store.last_game().expect("a number") {
        match reader.game(id) {
            Ok(Some(game)) => games.push(game),
            Ok(None) => return Err(format!("game {id} is not there")),
            Err(error) => return Err(format!("game {id}: {error}")),
        }
    }
    let text = exported(first)?;
    let second = Base::new();
    second.import_text(text.as_bytes(), every_game());
    let again = second.games();
    if games.len() != again.len() {
        return Err(format!("{} games became {}", games.len(), again.len()));
    }
    for (one, two) in games.iter().zip(&again) {
        let (bare, bare_again) = (essence(one), essence(two));
        if bare != bare_again {
            let change = first_change(&bare, &bare_again);
            return Err(format!("game {}: {change}", one.header.id));
        }
    }
    let text_again = exported(&second)?;
    if text_again == text {
        return Ok(());
    }
    let mut lines = text.lines().zip(text_again.lines());
    let line = lines.find(|(one, two)| one != two);
    Err(format!("the second export is another text: {line:?}"))
}

/// The files of a folder that an import takes, at any depth.
fn assert_files(paths: &[PathBuf]) {
    let mut failed = Vec::new();
    for path in paths {
        let base = Base::new();
        let read = plydex::db::import::import(
            &base.store,
            std::slice::from_ref(path),
            every_game(),
            &plydex::base::observe::Silent,
        );
        // What holds no games is no source.
        if read.is_ok()
            && let Err(what) = difference(&base)
        {
            failed.push(format!("{}: {what}", path.display()));
        }
    }
    assert!(failed.is_empty(), "{} of {}:\n{}", failed.len(), paths.len(), failed.join("\n"));
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let endings = ["pgn", "pdn", "epd", "fen", "txt", "olv", "inp", "problems", "wxf", "ggf", "tsv", "csv"];
    endings.iter().flat_map(|ending| files_below(folder, ending)).collect()
}

#[test]
fn vectors_and_samples_read_back() {
    let mut paths = files(&root().join("tests/vectors"));
    paths.extend(files(&root().join("sample-data")));
    assert_files(&paths);
}

#[test]
fn vectors_beside_the_repository_read_back() {
    for folder in ["vectors/field", "vectors/pgn_cases"] {
        if let Some(folder) = beside(folder, "vectors_beside_the_repository_read_back") {
            assert_files(&files(&folder));
        }
    }
}

/// Games of a seed.
const GAMES: usize = 60;

/// Seeds that are tried; `PLYDEX_READBACK_SEEDS` asks for others: `40`, or `1000..1400`.
fn seeds() -> std::ops::Range<u64> {
    let asked = std::env::var("PLYDEX_READBACK_SEEDS").unwrap_or_default();
    let (from, to) = asked.split_once("..").unwrap_or(("0", &asked));
    from.parse().unwrap_or(0)..to.parse().unwrap_or(4)
}

#[test]
fn hostile_games_read_back() {
    let lines = hostile::lines();
    let mut failed = Vec::new();
    for seed in seeds() {
        let mut dice = hostile::Dice::new(seed);
        let games: Vec<String> = (0..GAMES).map(|_| hostile::game(&mut dice, &lines)).collect();
        let base = Base::new();
        base.import_text(games.concat().as_bytes(), every_game());
        if let Err(what) = difference(&base) {
            // The smallest game that fails for itself says more.
            let alone = games.iter().filter_map(|game| {
                let base = Base::new();
                base.import_text(game.as_bytes(), every_game());
                Some((game, difference(&base).err()?))
            });
            let smallest = alone.min_by_key(|(game, _)| game.len());
            failed.push(format!("seed {seed}: {what}\n{smallest:?}"));
        }
    }
    assert!(failed.is_empty(), "{} seeds:\n{}", failed.len(), failed.join("\n\n"));
}
