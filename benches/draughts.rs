//! What draughts costs: counted leaves against the crate kish, plies read from
//! text, and imported plies against those of chess.
//!
//! All sides run in one sitting, in turn. See `benches/README.md`.

// A benchmark is a small program: it prints, and it stops at the first surprise.
#![allow(clippy::print_stdout, clippy::unwrap_used, missing_docs)]

#[path = "support/run.rs"]
mod run;
mod support;

use std::{
    fmt::Write as _,
    fs,
    hint::black_box,
    path::{Path, PathBuf},
    process::Command,
    time::Instant,
};

use plydex::{
    base::{observe::NullObserver, record::MoveForm},
    games::{
        self, Budget, Counting, GameCodec, GamePosition, GameText,
        draughts::{
            Draughts,
            replay::{DraughtsPly, DraughtsStart},
            rows::DraughtsVariant,
            rules::{DraughtsPosition, moves, perft},
            write,
        },
        raw_text::{Reading, TextDecoder},
    },
    import::{self, DuplicateAction, ImportOptions},
    pgn::parser::{Parser, RawGame},
    replay,
    store::Store,
};
use support::{Input, median};

/// Games of the archive that is made.
const GAMES: u32 = 30_000;
/// Plies of a game at most, about those of a game of masters.
const PLIES_MAX: u32 = 110;
const ROUNDS: usize = 5;

fn main() {
    count_leaves();
    let scratch = tempfile::tempdir().unwrap();
    let archive = scratch.path().join("draughts.pdn");
    fs::write(&archive, make_archive(scratch.path())).unwrap();
    read_plies(&archive);
    import_both(&archive, scratch.path());
}

fn variant(name: &str) -> &'static DraughtsVariant {
    DraughtsVariant::by_name(name).unwrap()
}

/// Bulk-counted leaves a second on one thread: international draughts here, and
/// Turkish draughts here and by kish.
fn count_leaves() {
    let ours = |name: &str, depth, leaves| {
        let rules = &variant(name).rules;
        let start = Instant::now();
        let found = perft(
            &DraughtsPosition::start(rules),
            rules,
            depth,
            Counting::Drop,
            Budget::default(),
        );
        assert_eq!(found.unwrap(), leaves, "{name}");
        leaves as f64 / start.elapsed().as_secs_f64() / 1e6
    };
    let kish = || {
        let start = Instant::now();
        let leaves = kish::Board::new_default().perft(8);
        // It counts some captures of equal pieces more than once.
        assert_eq!(leaves, 123_290_300);
        leaves as f64 / start.elapsed().as_secs_f64() / 1e6
    };
    let (mut international, mut turkish, mut of_kish) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        international.push(ours("international", 10, 258_895_763));
        of_kish.push(kish());
        turkish.push(ours("turkish", 8, 123_285_642));
    }
    let [international, turkish, of_kish] = [international, turkish, of_kish].map(median);
    println!("perft, million leaves a second on one thread, medians of {ROUNDS} rounds");
    println!(
        "international (10)  {international:>7.1}   {:.2} x kish",
        international / of_kish
    );
    println!(
        "turkish (8)         {turkish:>7.1}   {:.2} x kish",
        turkish / of_kish
    );
    println!("kish, turkish (8)   {of_kish:>7.1}");
}

/// Numbers by chance, the same each time.
struct Dice(u64);

impl Dice {
    fn below(&mut self, below: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % below
    }
}

/// The main lines of real games of international draughts, where they are at
/// hand, else of the samples.
fn real_lines(scratch: &Path) -> Vec<Vec<DraughtsPly>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let corpora = root.join("../shared/corpora/draughts");
    let mut sources: Vec<PathBuf> = ["international-10x10", "international-10x10-no-gametype"]
        .map(|folder| corpora.join(folder))
        .into_iter()
        .filter(|folder| folder.is_dir())
        .collect();
    if sources.is_empty() {
        sources.push(root.join("sample-data/pdn"));
    }
    let store = Store::create_or_open(
        &scratch.join("lines.db"),
        &plydex::base::observe::CancellationToken::default(),
    )
    .unwrap();
    import::import(
        &store,
        &sources,
        ImportOptions {
            duplicates: DuplicateAction::Keep,
            ..ImportOptions::default()
        },
        &NullObserver,
    )
    .unwrap();
    let wanted = variant("international");
    let mut lines = store.lines();
    let mut found = Vec::new();
    for game in 1..=store.last_game().unwrap() {
        let line = lines.get(game).unwrap();
        let Ok(Some(plydex::games::AnyPosition::Draughts(start))) =
            replay::start_position(&store, line.start)
        else {
            continue;
        };
        if start.variant.name != wanted.name || start != Draughts::start(wanted) {
            continue;
        }
        let (mut at, mut plies) = (start, line.plies);
        let next = || {
            let step = at.unpack(&mut (), &mut plies)?;
            at.play(step);
            Some(step)
        };
        let steps: Vec<DraughtsPly> = std::iter::from_fn(next).collect();
        if steps
            .iter()
            .all(|step| matches!(step, DraughtsPly::Move(_)))
        {
            found.push(steps);
        }
    }
    found
}

/// An archive whose games open as real ones do and go on by chance, so that
/// openings are shared and later positions are not.
fn make_archive(scratch: &Path) -> String {
    let lines = real_lines(scratch);
    let international = variant("international");
    let rules = &international.rules;
    let mut dice = Dice(0x2545_f491_4f6c_dd1d);
    let mut text = String::new();
    for game in 0..GAMES {
        let line = &lines[dice.below(lines.len() as u64) as usize];
        let kept = 8 + dice.below(40) as usize;
        let _ = write!(
            text,
            "[Event \"Made {}\"]\n[White \"Player {}\"]\n[Black \"Player {}\"]\n[Date \"{}.01.02\"]\n\
             [Result \"1-1\"]\n[GameType \"20\"]\n\n",
            game / 100,
            dice.below(1000),
            dice.below(1000),
            1950 + dice.below(70)
        );
        let mut position = DraughtsPosition::start(rules);
        for ply in 0..PLIES_MAX {
            let played = match line.get(ply as usize) {
                Some(DraughtsPly::Move(played)) if (ply as usize) < kept => *played,
                _ => {
                    let all = moves(&position, rules, Budget::default()).unwrap();
                    if all.is_empty() {
                        break;
                    }
                    all[dice.below(all.len() as u64) as usize]
                }
            };
            if ply % 2 == 0 {
                let _ = write!(text, "{}. ", ply / 2 + 1);
            }
            let at = Draughts {
                position,
                ..Draughts::start(international)
            };
            let word = write(&at, &played, MoveForm::Short, Budget::default());
            text.push_str(&word.unwrap());
            text.push(if ply % 16 == 15 { '\n' } else { ' ' });
            position.play(&played);
        }
        text.push_str("1-1\n\n");
    }
    text
}

/// Words to packed plies, each move proved legal: what an import does with
/// movetext between the parser and the index.
fn read_plies(archive: &Path) {
    let text = fs::read(archive).unwrap();
    let international = variant("international");
    let opening = DraughtsStart::new(Draughts::start(international)).into();
    let decode: TextDecoder<'_> = &|bytes| String::from_utf8_lossy(bytes);
    let mut records = Vec::new();
    let mut parser = Parser::new(&text);
    let mut raw = RawGame::default();
    while parser.next_game(&mut raw) {
        records.push(std::mem::take(&mut raw));
    }
    assert_eq!(records.len() as u32, GAMES);
    let mut speeds = Vec::new();
    let mut plies = 0;
    for _ in 0..ROUNDS {
        let start = Instant::now();
        let mut reading = Reading::default();
        plies = 0;
        for raw in &records {
            reading.clear();
            let bytes = &text;
            games::read(&opening, GameText { raw, bytes, decode }, &mut reading);
            assert!(reading.diagnostics.is_empty(), "{:?}", reading.diagnostics);
            plies += u64::from(reading.ply_count);
        }
        black_box(&reading);
        speeds.push(plies as f64 / start.elapsed().as_secs_f64() / 1e6);
    }
    let speed = median(speeds);
    println!("\nstrict replay of {plies} plies: {speed:.1} million a second on one thread");
}

/// CPU time of importing a ply of draughts and one of chess.
fn import_both(archive: &Path, scratch: &Path) {
    let chess = Input::choose(scratch, "otb.pgn.zst").unwrap();
    let import = |file: &Path| {
        let database = scratch.join("bench.db");
        let _ = fs::remove_file(&database);
        let run = run::measure(
            Command::new(env!("CARGO_BIN_EXE_plydex"))
                .arg("--db")
                .arg(&database)
                .args([
                    "--quiet",
                    "import",
                    "--duplicates",
                    "keep",
                    "--format",
                    "json",
                ])
                .arg(file),
        );
        let summary: serde_json::Value = serde_json::from_str(&run.output).unwrap();
        let number = |field: &str| summary[field].as_u64().unwrap();
        assert_eq!(number("seen"), number("stored"));
        let plies = number("plies");
        let per_ply = run.cpu.unwrap_or(f64::NAN) * 1e9 / plies as f64;
        println!("{}: {run}, {plies} plies", file.display());
        if let Some(peak) = run.peak_mib {
            println!(
                "    {per_ply:.0} ns a ply, {peak:.0} MiB, {:.2} s",
                run.wall
            );
        }
        per_ply
    };
    println!();
    let (mut draughts, mut of_chess) = (Vec::new(), Vec::new());
    for _ in 0..3 {
        draughts.push(import(archive));
        of_chess.push(import(&chess.path));
    }
    let (draughts, of_chess) = (median(draughts), median(of_chess));
    println!(
        "import, CPU ns a ply: draughts {draughts:.0}, chess ({}) {of_chess:.0}, ratio {:.2}",
        chess.name(),
        draughts / of_chess
    );
}
