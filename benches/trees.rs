//! How fast variations are walked, and how long one game takes to be read whole.
//!
//! See `benches/README.md`.

// A benchmark is a small program: it prints, and it stops at the first surprise.
#![allow(clippy::print_stdout, clippy::unwrap_used, missing_docs)]

mod support;

use std::{hint::black_box, time::Instant};

use plydex::{
    base::observe::{CancellationToken, NullObserver},
    games::{
        AnyCursor, AnyPosition,
        variation_tree::{self, VariationTree},
    },
    import::{self, DuplicateAction, ImportOptions},
    replay,
    search::GameReader,
    store::{RecordKind, Store},
};
use support::{Input, median};

/// How often everything is walked.
const ROUNDS: usize = 15;

/// A game in memory.
struct Walked {
    start: AnyPosition,
    plies: Vec<u8>,
    tree: Vec<u8>,
}

fn main() {
    let scratch = tempfile::tempdir().unwrap();
    let input = Input::choose(scratch.path(), "annotated.pgn").unwrap();
    let store = Store::create_or_open(
        &scratch.path().join("bench.db"),
        &CancellationToken::default(),
    )
    .unwrap();
    let paths = [input.path.clone()];
    import::import(
        &store,
        &paths,
        ImportOptions {
            duplicates: DuplicateAction::Keep,
            ..ImportOptions::default()
        },
        &NullObserver,
    )
    .unwrap();

    let games = games(&store);
    let main_line: usize = games
        .iter()
        .map(|game| plies(&game.start, &game.plies))
        .sum();
    let variations: usize = games.iter().map(variation_plies).sum();
    println!(
        "{}: {} games, {main_line} plies of main lines, {variations} of variations",
        input.name(),
        games.len()
    );
    let speed = |name: &str, plies: usize, walk: &dyn Fn(&Walked)| {
        let times = (0..ROUNDS).map(|_| {
            let since = Instant::now();
            games.iter().for_each(walk);
            since.elapsed().as_secs_f64()
        });
        let millions = plies as f64 / median(times.collect()) / 1e6;
        println!("{name:28} {millions:6.1} M plies/s");
    };
    speed("main lines", main_line, &|game| {
        black_box(plies(&game.start, &game.plies));
    });
    speed(
        "main lines with variations",
        main_line + variations,
        &|game| {
            black_box(variation_plies(game));
        },
    );

    let mut reader = GameReader::new(&store);
    let mut times: Vec<f64> = (1..=store.last_game().unwrap())
        .map(|game| {
            // A game out of the blue: no block is at hand.
            let mut first = GameReader::new(&store);
            let since = Instant::now();
            black_box(first.game(game).unwrap().unwrap());
            since.elapsed().as_secs_f64() * 1e3
        })
        .collect();
    times.sort_by(f64::total_cmp);
    let all = Instant::now();
    for game in 1..=store.last_game().unwrap() {
        black_box(reader.game(game).unwrap().unwrap());
    }
    println!(
        "one game read: {:.3} ms (median), {:.3} ms (of a hundred the slowest); all in order: {:.3} ms each",
        times[times.len() / 2],
        times[times.len() * 99 / 100],
        all.elapsed().as_secs_f64() * 1e3 / times.len() as f64
    );
}

/// The games that can be played.
fn games(store: &Store) -> Vec<Walked> {
    let mut lines = store.lines();
    let mut trees = store.records(RecordKind::Tree);
    let mut games = Vec::new();
    for game in 1..=store.last_game().unwrap() {
        let line = lines.get(game).unwrap();
        let Some(start) = replay::start_position(store, line.start).unwrap() else {
            continue;
        };
        let tree = trees.get(game).unwrap();
        games.push(Walked {
            tree: tree.unwrap_or_default().to_vec(),
            plies: line.plies.to_vec(),
            start,
        });
    }
    games
}

/// Plays a main line, with the board key of each position; its plies.
fn plies(start: &AnyPosition, mut plies: &[u8]) -> usize {
    let mut cursor = AnyCursor::new(start);
    let mut count = 0;
    while let Some(code) = cursor.peek(&mut plies) {
        cursor.play(code);
        black_box(cursor.board_key());
        count += 1;
    }
    count
}

/// Walks a game with its variations, with the board key of each position in them; their
/// plies.
fn variation_plies(game: &Walked) -> usize {
    let Some(tree) = VariationTree::of(&game.tree) else {
        return 0;
    };
    let mut count = 0;
    let cursor = AnyCursor::new(&game.start);
    let _ = variation_tree::structures(&cursor, &game.plies, tree, |key| {
        black_box(key);
        count += 1;
    });
    count
}
