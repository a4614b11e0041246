//! What an import costs, against merely reading and validating the same file.
//!
//! Both sides run as processes of their own, in turn, in one sitting: absolute
//! times mean little on a shared machine, ratios of one run mean something.
//! See `benches/README.md`.

// A benchmark is a small program: it prints, and it stops at the first surprise.
#![allow(clippy::print_stdout, clippy::unwrap_used, missing_docs)]

#[path = "support/run.rs"]
mod run;
mod support;

use std::{
    fs,
    io::{self, Read},
    ops::ControlFlow,
    path::Path,
    process::Command,
};

use pgn_reader::{RawTag, Reader, SanPlus, Visitor};
use run::{Run, measure};
use shakmaty::{CastlingMode, Chess, Position, fen::Fen};
use support::{Input, median};

/// Games of `otb.pgn.zst`.
const OTB_GAMES: u64 = 279_090;
/// Legal plies of `otb.pgn.zst` up to each game's first word that is no legal move.
const OTB_PLIES: u64 = 23_256_520;
/// plydex plays a null move in one game and finds three more plies behind it, and
/// one game is of crazyhouse: 25 plies from its first drop on.
const OTB_PLIES_STORED: u64 = OTB_PLIES + 3 + 25;

/// Says to this program that it is to validate a file and nothing else.
const VALIDATE: &str = "validate-only";

fn main() {
    let args: Vec<_> = std::env::args_os().collect();
    if args.len() == 3 && args[1] == VALIDATE {
        let (games, plies) = validate(Path::new(&args[2])).unwrap();
        println!("{games} {plies}");
        return;
    }
    let scratch = tempfile::tempdir().unwrap();
    let input = Input::choose(scratch.path(), "otb.pgn.zst").unwrap();
    let rounds = std::env::var("PLYDEX_BENCH_ROUNDS")
        .ok()
        .and_then(|rounds| rounds.parse().ok())
        .unwrap_or(5);
    compare(&input, scratch.path(), rounds);
}

/// Measures both in turn and prints the medians.
fn compare(input: &Input, scratch: &Path, rounds: usize) {
    let database = scratch.join("bench.db");
    let (mut validations, mut imports) = (Vec::new(), Vec::new());
    let mut games = 0;
    let mut database_bytes = 0;
    for round in 0..rounds {
        let validation = measure(
            Command::new(std::env::current_exe().unwrap())
                .arg(VALIDATE)
                .arg(&input.path),
        );
        let mut counts = validation
            .output
            .split_whitespace()
            .map(|number| number.parse::<u64>().unwrap());
        let validated = [counts.next().unwrap(), counts.next().unwrap()];

        let _ = fs::remove_file(&database);
        let import = measure(
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
                .arg(&input.path),
        );
        let summary: serde_json::Value = serde_json::from_str(&import.output).unwrap();
        let number = |field: &str| summary[field].as_u64().unwrap();
        games = number("stored");
        database_bytes = number("database_bytes");
        assert_eq!(number("seen"), games, "nothing is lost");
        assert_eq!(number("rejected"), 0);
        if input.is_otb {
            assert_eq!(validated, [OTB_GAMES, OTB_PLIES]);
            assert_eq!([games, number("plies")], [OTB_GAMES, OTB_PLIES_STORED]);
        } else if input.name() == "samples.pgn" {
            assert_eq!(validated, [games, number("plies")]);
        }
        println!(
            "round {}: validate {validation}; import {import}",
            round + 1
        );
        validations.push(validation);
        imports.push(import);
    }
    let [validate, import] = [&validations, &imports].map(|runs| Medians::of(runs));
    println!();
    println!(
        "{}: {games} games, medians of {rounds} rounds",
        input.name()
    );
    println!("                    CPU s   wall s   peak MiB");
    println!("validate          {validate}");
    println!("plydex import     {import}");
    println!(
        "ratio             {:>7.2} {:>8.2}",
        import.cpu / validate.cpu,
        import.wall / validate.wall
    );
    println!(
        "database          {database_bytes} bytes, {:.1} a game",
        database_bytes as f64 / games as f64
    );
}

struct Medians {
    cpu: f64,
    wall: f64,
    peak_mib: f64,
}

impl Medians {
    fn of(runs: &[Run]) -> Self {
        let of = |value: &dyn Fn(&Run) -> Option<f64>| {
            median(
                runs.iter()
                    .map(|run| value(run).unwrap_or(f64::NAN))
                    .collect(),
            )
        };
        Self {
            cpu: of(&|run| run.cpu),
            wall: of(&|run| Some(run.wall)),
            peak_mib: of(&|run| run.peak_mib),
        }
    }
}

impl std::fmt::Display for Medians {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self {
            cpu,
            wall,
            peak_mib,
        } = self;
        write!(f, "{cpu:>7.2} {wall:>8.2} {peak_mib:>10.0}")
    }
}

/// Counts the games and legal plies of a file.
fn validate(path: &Path) -> io::Result<(u64, u64)> {
    let file = fs::File::open(path)?;
    let compressed = path.extension().is_some_and(|extension| extension == "zst");
    let stream: Box<dyn Read> = if compressed {
        Box::new(zstd::Decoder::new(file)?)
    } else {
        Box::new(file)
    };
    let mut reader = Reader::new(stream);
    let mut validator = Validator::default();
    while reader.read_game(&mut validator)?.is_some() {}
    Ok((validator.games, validator.plies))
}

/// Plays every move of every main line, as far as it is legal.
#[derive(Default)]
struct Validator {
    games: u64,
    plies: u64,
}

impl Visitor for Validator {
    type Tags = Option<Chess>;
    type Movetext = Chess;
    type Output = ();

    fn begin_tags(&mut self) -> ControlFlow<Self::Output, Self::Tags> {
        self.games += 1;
        ControlFlow::Continue(None)
    }

    fn tag(
        &mut self,
        start: &mut Self::Tags,
        name: &[u8],
        value: RawTag<'_>,
    ) -> ControlFlow<Self::Output> {
        if name == b"FEN" {
            let fen = Fen::from_ascii(value.as_bytes()).ok();
            match fen.and_then(|fen| fen.into_position(CastlingMode::Chess960).ok()) {
                Some(position) => *start = Some(position),
                None => return ControlFlow::Break(()),
            }
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, start: Self::Tags) -> ControlFlow<Self::Output, Self::Movetext> {
        ControlFlow::Continue(start.unwrap_or_default())
    }

    fn san(
        &mut self,
        position: &mut Self::Movetext,
        san_plus: SanPlus,
    ) -> ControlFlow<Self::Output> {
        match san_plus.san.to_move(position) {
            Ok(m) => {
                position.play_unchecked(m);
                self.plies += 1;
                ControlFlow::Continue(())
            }
            Err(_) => ControlFlow::Break(()),
        }
    }

    fn end_game(&mut self, _position: Self::Movetext) -> Self::Output {}
}
