//! How long it takes to read a FEN, and a line of a file of positions.
//!
//! The positions are those of games played by chance, so that all stages of the
//! game are among them. What is read is compared with what was written. See
//! `benches/README.md`.

// A benchmark is a small program: it prints, and it stops at the first surprise.
#![allow(clippy::print_stdout, clippy::unwrap_used, missing_docs)]

use std::{fmt::Write as _, fs, hint::black_box, time::Instant};

use plydex::{
    base::observe::NullObserver,
    games::chess::notation::fen,
    import::{self, DuplicateAction, ImportOptions},
    store::Store,
};
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position as _, fen::Fen};

/// FENs, and how often each is read.
const FENS: usize = 20_000;
const ROUNDS: usize = 15;

fn main() {
    let fens = fens();
    let bytes: usize = fens.iter().map(String::len).sum();
    println!("{FENS} FENs, {} bytes each", bytes / FENS);
    for fen in &fens {
        let (position, reading) = fen::read_position(fen).unwrap();
        assert_eq!(fen::write(&reading.setup), *fen);
        let known: Fen = fen.parse().unwrap();
        assert_eq!(
            position,
            known
                .into_position::<Chess>(CastlingMode::Standard)
                .unwrap()
        );
    }
    best("fen::read", &fens, |fen| {
        black_box(fen::read(fen).unwrap());
    });
    best("fen::read_position", &fens, |fen| {
        black_box(fen::read_position(fen).unwrap());
    });
    best("shakmaty Fen::from_ascii", &fens, |fen| {
        black_box(Fen::from_ascii(fen.as_bytes()).unwrap());
    });
    best("shakmaty, with its position", &fens, |fen| {
        let known = Fen::from_ascii(fen.as_bytes()).unwrap();
        black_box(
            known
                .into_position::<Chess>(CastlingMode::Standard)
                .unwrap(),
        );
    });
    import_lines(&fens);
}

/// Prints the best time of a round, a FEN.
fn best(name: &str, fens: &[String], mut read: impl FnMut(&str)) {
    let mut best = f64::INFINITY;
    for _ in 0..ROUNDS {
        let start = Instant::now();
        for fen in fens {
            read(black_box(fen));
        }
        best = best.min(start.elapsed().as_nanos() as f64 / fens.len() as f64);
    }
    println!("{name:28} {best:7.0} ns");
}

/// Imports a file of them, with and without operations.
fn import_lines(fens: &[String]) {
    let dir = tempfile::tempdir().unwrap();
    for (name, operations) in [("positions", ""), ("suite", " id \"test\"; ce 12;")] {
        let mut text = String::new();
        for fen in fens {
            writeln!(text, "{fen}{operations}").unwrap();
        }
        let path = dir.path().join(format!("{name}.epd"));
        fs::write(&path, text).unwrap();
        let mut best = f64::INFINITY;
        for round in 0..5 {
            let store = Store::create_or_open(
                &dir.path().join(format!("{name}{round}.db")),
                &plydex::base::observe::CancellationToken::default(),
            )
            .unwrap();
            let start = Instant::now();
            let options = ImportOptions {
                threads: Some(1),
                duplicates: DuplicateAction::Keep,
                ..ImportOptions::default()
            };
            let done = import::import(&store, std::slice::from_ref(&path), options, &NullObserver)
                .unwrap();
            assert_eq!(
                (done.stored, done.positions),
                (fens.len() as u64, fens.len() as u64)
            );
            best = best.min(start.elapsed().as_secs_f64());
        }
        println!(
            "import of {name:18} {:7.0} lines/s",
            fens.len() as f64 / best
        );
    }
}

fn fens() -> Vec<String> {
    let mut state = 1_u64;
    let mut next = move || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 33) as usize
    };
    let mut fens = Vec::with_capacity(FENS);
    let mut at = Chess::default();
    while fens.len() < FENS {
        let moves = at.legal_moves();
        if moves.is_empty() || at.halfmoves() > 50 {
            at = Chess::default();
            continue;
        }
        at.play_unchecked(moves[next() % moves.len()]);
        fens.push(Fen::from_position(&at, EnPassantMode::Legal).to_string());
    }
    fens
}
