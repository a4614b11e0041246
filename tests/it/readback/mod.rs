//! What is stored can be read: whatever an import takes can be shown and checked, its export
//! reads back as the same games, and the export of these is the same text.

mod damage;
mod hostile;

use plydex::changes;
use std::{
    fmt::Write as _,
    path::{Path, PathBuf},
};

use {
    crate::{
        roundtrip::{exported_essence, first_change},
        support::{Base, beside, every_game, files_below, root, run},
    },
    plydex::{
        base::{
            limits::{TAG_NAME_BYTES_MAX, TAG_VALUE_BYTES_MAX, VARIATION_DEPTH_MAX},
            observe::NullObserver,
            record::GameRecord,
        },
        import,
        pgn::writer as pgn,
        search::GameReader,
    },
};

/// A game as an export has it, without what depends on the database it is in.
fn regular_essence(game: &GameRecord) -> GameRecord {
    exported_essence(&pgn::regular(game).unwrap_or_else(|| game.clone()))
}

fn exported(games: &[GameRecord]) -> String {
    let mut text = String::new();
    for game in games {
        pgn::write_regular(game, &mut text);
    }
    text
}

/// What becomes different on the way from a database to its export and back.
fn difference(first: &Base) -> Result<(), String> {
    let report = changes::check(&first.store, &NullObserver);
    let problems = report.expect("a check").problems;
    if !problems.is_empty() {
        return Err(format!("check: {problems:?}"));
    }
    let mut reader = GameReader::new(&first.store);
    let mut games = Vec::new();
    for id in 1..=first.store.last_game().expect("a number") {
        match reader.game(id) {
            Ok(Some(game)) => games.push(game),
            Ok(None) => return Err(format!("game {id} is not there")),
            Err(error) => return Err(format!("game {id}: {error}")),
        }
    }
    let text = exported(&games);
    let second = Base::new();
    second.import_text(text.as_bytes(), every_game());
    let again = second.games();
    if games.len() != again.len() {
        return Err(format!("{} games became {}", games.len(), again.len()));
    }
    for (one, two) in games.iter().zip(&again) {
        let (bare, bare_again) = (regular_essence(one), regular_essence(two));
        if bare != bare_again {
            let change = first_change(&bare, &bare_again);
            return Err(format!("game {}: {change}", one.header.id));
        }
    }
    let text_again = exported(&again);
    if text_again == text {
        return Ok(());
    }
    let mut lines = text.lines().zip(text_again.lines());
    let line = lines.find(|(one, two)| one != two);
    Err(format!("the second export is another text: {line:?}"))
}

/// The same of large bases; the program exports them as they are written here.
fn difference_by_program(base: &Base) -> Result<(), String> {
    let ran = run(base.store.path(), &["export"]);
    if ran.status != Some(0) || ran.out != exported(&base.games()) {
        return Err(format!("export: {:?} {}", ran.status, ran.err));
    }
    difference(base)
}

/// Every file alone is read back.
fn assert_files(paths: &[PathBuf]) {
    let mut failed = Vec::new();
    for path in paths {
        let base = Base::new();
        let paths = std::slice::from_ref(path);
        let read = import::import(&base.store, paths, every_game(), &NullObserver);
        // What holds no games is no source.
        if read.is_ok()
            && let Err(what) = difference(&base)
        {
            failed.push(format!("{}: {what}", path.display()));
        }
    }
    assert!(
        failed.is_empty(),
        "{} of {}:\n{}",
        failed.len(),
        paths.len(),
        failed.join("\n")
    );
}

/// Games, positions and problems of a folder, at any depth; tables have values, and are below.
fn files(folder: &Path) -> Vec<PathBuf> {
    let endings = [
        "pgn", "pdn", "epd", "fen", "txt", "olv", "inp", "problems", "wxf", "ggf",
    ];
    let files = endings
        .iter()
        .flat_map(|ending| files_below(folder, ending));
    files.collect()
}

/// What a table has in a tag of its own.
fn tag_of(table: &str) -> &'static str {
    match table {
        "dates.tsv" => "Date",
        "elo.tsv" => "WhiteElo",
        "timecontrol.tsv" => "TimeControl",
        "results.tsv" => "Result",
        "fen.tsv" | "variant_fen.tsv" | "chess960_start.tsv" | "draughts_vectors.csv" => "FEN",
        "variant_names.tsv" => "Variant",
        "players.tsv" => "White",
        _ => "Note",
    }
}

/// Games with the values of a table in a tag and in a comment.
fn games_of_table(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let text = std::fs::read_to_string(path).expect("a table");
    let separator = if name.ends_with(".csv") { ',' } else { '\t' };
    let mut games = String::new();
    for (number, row) in (1..).zip(text.lines()) {
        for cell in row.split(separator).take(5) {
            let value = cell.replace('\\', r"\\").replace('"', "\\\"");
            let comment = cell.replace('}', ")");
            let _ = write!(
                games,
                "[Event \"{number}\"]\n[{} \"{value}\"]\n\n1. e4 {{{comment}}} e5 {{ {comment} {comment}}} *\n\n",
                tag_of(&name)
            );
        }
    }
    games
}

#[test]
fn values_of_tables_read_back() {
    let folder = root().join("tests/vectors");
    let tables = ["tsv", "csv"]
        .map(|ending| files_below(&folder, ending))
        .concat();
    assert!(tables.len() > 20);
    let mut failed = Vec::new();
    for table in tables {
        let base = Base::new();
        base.import_text(games_of_table(&table).as_bytes(), every_game());
        assert!(base.store.last_game().expect("a number") > 0);
        if let Err(what) = difference(&base) {
            failed.push(format!("{}: {what}", table.display()));
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
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

/// Games with as much as they may have of something, a little less and a little more.
#[test]
fn games_at_the_limits_read_back() {
    let mut games = String::new();
    for less in -2..=2_isize {
        let about = |limit: usize| limit.saturating_add_signed(less);
        let depth = about(VARIATION_DEPTH_MAX);
        let (open, close) = ("(1. d4 {a} ".repeat(depth), ")".repeat(depth));
        let _ = write!(
            games,
            "[Event \"deep\"]\n\n1. e4 {open}{close} 1... e5 *\n\n"
        );
        for letter in ["x", "\\\"", "é"] {
            let value = letter.repeat(about(TAG_VALUE_BYTES_MAX) / letter.len());
            let _ = write!(games, "[Event \"{value}\"]\n\n1. d4 *\n\n");
        }
        let name = "N".repeat(about(TAG_NAME_BYTES_MAX));
        let _ = write!(games, "[{name} \"a\"]\n\n1. c4 *\n\n");
        // What has the shape of other comments, or is too long for that.
        for comment in [
            "1 ".repeat(about(64)),
            "[%clk 0:01]".repeat(about(4096) / 11),
            "7".repeat(about(15)),
        ] {
            let _ = write!(
                games,
                "[Event \"long\"]\n\n1. Nf3 {{{comment}}} d5 {{{comment}}} *\n\n"
            );
        }
    }
    let base = Base::new();
    let done = base.import_text(games.as_bytes(), every_game());
    assert_eq!(done.stored, 40);
    assert_eq!(difference_by_program(&base), Ok(()));
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
        let games: Vec<String> = (0..GAMES)
            .map(|_| hostile::game(&mut dice, &lines))
            .collect();
        let base = Base::new();
        let done = base.import_text(games.concat().as_bytes(), every_game());
        // Few run into each other, and most are played to some length.
        assert!(
            done.stored as usize > GAMES * 9 / 10,
            "seed {seed}: {done:?}"
        );
        assert!(done.plies as usize > GAMES * 5, "seed {seed}: {done:?}");
        if let Err(what) = difference_by_program(&base) {
            // A game that fails for itself says more.
            let alone = games.iter().find_map(|game| {
                let base = Base::new();
                base.import_text(game.as_bytes(), every_game());
                let what = difference(&base).err()?;
                Some(format!("{what}\n{game}"))
            });
            failed.push(format!("seed {seed}: {}", alone.unwrap_or(what)));
        }
    }
    assert!(
        failed.is_empty(),
        "{} seeds:\n{}",
        failed.len(),
        failed.join("\n\n")
    );
}
