//! Every format of `plydex export` reads back as the records it was written of: games,
//! positions and problems of every variant.

use std::{collections::BTreeSet, fmt::Write as _};

use {
    crate::{
        roundtrip::{essence, first_change},
        signature::short_game,
        support::{Base, every_game, root, run, vector},
    },
    plydex::{
        base::record::GameRecord,
        games::{
            draughts::rows::ALL as KINDS,
            variant::{ALL, VariantDetection},
        },
        import::ImportReport,
        pgn::writer as pgn,
    },
};

/// Plies of a game that are enough.
const PLIES: usize = 60;

/// Games of every variant that has vectors, games of every kind of draughts, and a start
/// position of every variant with a remark.
fn games() -> String {
    let mut text = String::new();
    let mut seen = BTreeSet::new();
    let table = vector("random_games.tsv");
    for (number, line) in table.lines().skip(1).enumerate() {
        let columns: Vec<&str> = line.split('\t').collect();
        let [variant, fen, _, moves, ..] = columns[..] else {
            panic!("{line}");
        };
        if seen.insert((variant, number % 2)) {
            let moves: Vec<&str> = moves.split(' ').take(PLIES).collect();
            let _ = write!(
                text,
                "[Event \"{variant}\"]\n[White \"A, {number}\"]\n[Black \"B\"]\n[Result \"*\"]\n\
                 [Variant \"{variant}\"]\n[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n{} {{so far}} *\n\n",
                moves.join(" ")
            );
        }
    }
    let mut state = 5;
    for kind in KINDS {
        let game = short_game(kind, 1, &mut state);
        let _ = write!(text, "[Variant \"{}\"]\n{game}", kind.name);
    }
    for (number, row) in ALL.iter().enumerate() {
        let start = plydex::games::AnyPosition::start(row).map(|start| start.fen());
        if let (Some(fen), true) = (start, row.tier() != Some(VariantDetection::Guessed)) {
            let _ = write!(
                text,
                "[Event \"start {number}\"]\n[Variant \"{}\"]\n[SetUp \"1\"]\n[FEN \"{fen}\"]\n\
                 [EPD_c0 \"a remark\"]\n\n*\n\n",
                row.title
            );
        }
    }
    text + "[GameType \"40\"]\n[FEN \"W:W31,32,K3:B1,2:H4:F12:+0+1\"]\n[Event \"clocks\"]\n\n*\n\n"
}

fn imported(name: &str, text: &str) -> (Base, ImportReport) {
    let base = Base::new();
    let path = base.folder().join(name);
    std::fs::write(&path, text).expect("a file");
    let done = base.import(&[path], every_game());
    assert_eq!(done.seen, done.stored + done.duplicate + done.rejected);
    assert_eq!((done.rejected, done.duplicate), (0, 0), "{name}");
    (base, done)
}

fn exported(base: &Base, args: &[&str]) -> String {
    let ran = run(
        base.store.path(),
        &[&["export", "--limit", "0"], args].concat(),
    );
    assert!(matches!(ran.status, Some(0 | 1)), "{ran:?}");
    ran.out
}

fn starts(base: &Base) -> Vec<(String, Option<String>)> {
    let start = |game: GameRecord| (game.header.variant, game.header.start_fen);
    base.games().into_iter().map(start).collect()
}

/// The records of the samples and of all variants.
fn records() -> Base {
    let base = Base::new();
    let path = base.folder().join("games.pgn");
    std::fs::write(&path, games()).expect("a file");
    let done = base.import(&[path, root().join("sample-data")], every_game());
    assert_eq!((done.rejected, done.duplicate), (0, 0));
    base
}

#[test]
fn games_of_every_variant_read_back_from_pgn() {
    let base = records();
    let games: Vec<GameRecord> = base.games().iter().map(essence).collect();
    let variants: BTreeSet<&str> = games.iter().map(|game| &game.header.variant[..]).collect();
    let missing: Vec<&str> = ALL
        .iter()
        .map(|row| row.name)
        .filter(|name| !variants.contains(name))
        .collect();
    assert_eq!(missing, NOT_TOLD);
    let text = exported(&base, &["--format", "pgn"]);
    let (again, _) = imported("again.pgn", &text);
    let read: Vec<GameRecord> = again.games().iter().map(essence).collect();
    assert_eq!(read.len(), games.len());
    for (game, read) in games.iter().zip(&read) {
        // What was inferred is said by the GameType or the Variant that is written.
        let told = |one: &GameRecord| {
            let is_written = |name: &str| matches!(name, "GameType" | "VariantBy");
            // What the Result says is what is exported.
            let mut one = pgn::regular(one).unwrap_or_else(|| one.clone());
            one.header.variant_by = None;
            let variant = one.header.variant.clone();
            one.tags.retain(|(name, value)| {
                let is_named = name == "Variant" && value.to_lowercase() == variant;
                !is_written(name) && !is_named
            });
            (one.header, one.tags, one.items, one.outcome)
        };
        assert!(told(game) == told(read), "{}", first_change(game, read));
    }
    assert!(exported(&again, &["--format", "pgn"]) == text);
}

/// What plydex knows by name alone.
const NOT_TOLD: [&str; 2] = ["bughouse", "losers"];

/// A line of EPD does not say its variant: the name of the file does.
#[test]
fn positions_of_every_variant_read_back_from_epd() {
    let base = records();
    let variants: BTreeSet<String> = starts(&base).into_iter().map(|(name, _)| name).collect();
    // Games of what nobody knows have no start position.
    for variant in variants.iter().filter(|name| *name != "unknown") {
        let args = ["--variant", variant, "--format", "epd"];
        let text = exported(&base, &args);
        if text.is_empty() {
            continue;
        }
        // Whoever gives such a line as a position gets it back.
        // Counters behind colons are no part of it.
        let lines = text.lines().filter(|line| !line.contains(":H"));
        for line in lines.take(20) {
            let args = ["convert", "--variant", variant, "--to", "epd", line];
            let ran = run(base.store.path(), &args);
            assert_eq!(ran.out.trim_end(), line, "{variant}: {}", ran.err);
        }
        let (again, done) = imported(&format!("{variant}.epd"), &text);
        assert_eq!(done.stored as usize, text.lines().count(), "{variant}");
        assert_eq!(exported(&again, &["--format", "epd"]), text, "{variant}");
        let has_moves =
            |game: &GameRecord| game.header.start_fen.is_some() || game.header.plies > 0;
        let same = base
            .games()
            .into_iter()
            .filter(|game| game.header.variant == *variant);
        let same = same.filter(has_moves).count();
        assert!(done.stored as usize >= same, "{variant}");
        for (name, _) in starts(&again) {
            assert_eq!(name, *variant);
        }
    }
}

#[test]
fn problems_read_back_from_every_format_of_theirs() {
    let base = records();
    for (format, name) in [
        ("problem", "again.problems"),
        ("popeye", "again.inp"),
        ("olive", "again.olv"),
    ] {
        let text = exported(&base, &["--format", format]);
        assert!(!text.is_empty());
        let (again, done) = imported(name, &text);
        assert_eq!(done.formats[0].1, format.replace("problem", "problems"));
        assert_eq!(exported(&again, &["--format", format]), text, "{format}");
        // And from there as PGN, which has the problem, but not how its text was laid out.
        let pgn = exported(&again, &["--format", "pgn"]);
        let (last, _) = imported("again.pgn", &pgn);
        assert_eq!(exported(&last, &["--format", "pgn"]), pgn, "{format}");
        let other = if format == "olive" { "popeye" } else { "olive" };
        let asked = ["--format", other];
        assert_eq!(
            exported(&last, &asked),
            exported(&again, &asked),
            "{format}"
        );
    }
}
