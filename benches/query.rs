//! How long questions take: within a process, and as whole commands.
//!
//! Every answer is compared with `tests/vectors/otb_positions.tsv` where the
//! file is the one of that table, so that no speed is bought with a wrong
//! count. See `benches/README.md`.

// A benchmark is a small program: it prints, and it stops at the first surprise.
#![allow(clippy::print_stdout, clippy::unwrap_used, missing_docs)]

mod support;

use std::{
    path::Path,
    process::{Command, Stdio},
    time::Instant,
};

use plydex::{
    base::observe::NullObserver,
    games::{AnyPosition, chess::notation::fen, notation::letters::ENGLISH},
    import::{self, DuplicateAction, ImportOptions},
    query::{Page, PositionQuery},
    search::{self, AccessPlan, GameConditions, MoveNotation, Tree},
    store::Store,
};
use support::{Input, median};

/// How often each question is asked.
const ROUNDS: usize = 20;
/// Games of a page, as `plydex search` gives them.
const PAGE: u64 = 20;

/// A row of `otb_positions.tsv`.
struct Known {
    fen: &'static str,
    board: u64,
    legal: u64,
    /// White won, drawn, Black won.
    results: [u64; 3],
    next: Vec<(&'static str, u64)>,
}

fn known() -> Vec<Known> {
    include_str!("../tests/vectors/otb_positions.tsv")
        .lines()
        .skip(1)
        .map(|line| {
            let cells: Vec<&str> = line.split('\t').collect();
            let number = |at: usize| cells[at].parse().unwrap();
            Known {
                fen: cells[0],
                board: number(1),
                legal: number(2),
                results: [3, 4, 5].map(number),
                next: cells
                    .get(6)
                    .into_iter()
                    .flat_map(|moves| moves.split_whitespace())
                    .map(|entry| {
                        let (san, games) = entry.split_once(':').unwrap();
                        (san, games.parse().unwrap())
                    })
                    .collect(),
            }
        })
        .collect()
}

fn main() {
    let scratch = tempfile::tempdir().unwrap();
    let input = Input::choose(scratch.path(), "otb.pgn.zst").unwrap();
    let database = scratch.path().join("bench.db");
    {
        let store = Store::create_or_open(
            &database,
            &plydex::base::observe::CancellationToken::default(),
        )
        .unwrap();
        import::import(
            &store,
            std::slice::from_ref(&input.path),
            ImportOptions {
                duplicates: DuplicateAction::Keep,
                ..ImportOptions::default()
            },
            &NullObserver,
        )
        .unwrap();
    }
    let store = Store::open(
        &database,
        &plydex::base::observe::CancellationToken::default(),
    )
    .unwrap();
    println!(
        "{}, medians of {ROUNDS} rounds, in milliseconds",
        input.name()
    );
    println!("   games |  count  first {PAGE}    tree | search command  tree command | position");
    let mut worst = [0.0f64; 5];
    for known in known() {
        let legal = query(known.fen, true);
        let position = legal.position.as_ref().unwrap();
        let games = search::count(&store, &legal).unwrap();
        let tree = search::tree(&store, position, &GameConditions::default(), ENGLISH).unwrap();
        let found = search::search(&store, &legal, MoveNotation::default()).unwrap();
        assert_eq!(found.total, games);
        assert_eq!(found.hits.len() as u64, games.min(PAGE));
        assert_eq!(tree.total.games, games);
        if input.is_otb {
            let board = search::count(&store, &query(known.fen, false)).unwrap();
            assert_eq!(board, known.board, "board {}", known.fen);
            assert_eq!(games, known.legal, "legal {}", known.fen);
            compare(&tree, &known);
        }
        let times = [
            time(|| assert_eq!(search::count(&store, &legal).unwrap(), games)),
            time(|| {
                let found = search::search(&store, &legal, MoveNotation::default()).unwrap();
                assert_eq!(found.total, games);
            }),
            time(|| {
                let tree =
                    search::tree(&store, position, &GameConditions::default(), ENGLISH).unwrap();
                assert_eq!(tree.total.games, games);
            }),
            time(|| command(&database, "search", known.fen, games)),
            time(|| command(&database, "tree", known.fen, games)),
        ];
        for (worst, time) in worst.iter_mut().zip(times) {
            *worst = worst.max(time);
        }
        row(&games.to_string(), times, known.fen);
    }
    row("worst", worst, "");
}

fn row(games: &str, times: [f64; 5], position: &str) {
    let [count, page, tree, search_command, tree_command] = times;
    println!(
        "{games:>8} | {count:>6.2} {page:>9.2} {tree:>7.2} | {search_command:>14.1} {tree_command:>13.1} | {position}"
    );
}

/// A search for a position: all of a FEN, or pieces and side to move alone.
fn query(text: &str, all: bool) -> AccessPlan {
    let (position, _) = fen::read_position(text).unwrap();
    AccessPlan {
        position: Some(PositionQuery {
            ask_castling: all,
            ask_en_passant: all,
            ..PositionQuery::of(AnyPosition::from(position))
        }),
        page: Page {
            limit: Some(PAGE),
            ..Page::default()
        },
        ..AccessPlan::default()
    }
}

/// The table names the most frequent moves only; games that end are not among them.
fn compare(tree: &Tree, known: &Known) {
    let results = [
        tree.total.white_wins,
        tree.total.draws,
        tree.total.black_wins,
    ];
    assert_eq!(results, known.results, "results {}", known.fen);
    for &(san, games) in &known.next {
        let found = tree.moves.iter().find(|next| next.san == san);
        let found = found.map_or(0, |next| next.score.games);
        assert_eq!(found, games, "{san} in {}", known.fen);
    }
    let named: u64 = known.next.iter().map(|(_, games)| games).sum();
    assert!(named <= tree.total.games);
    let fewest = known.next.iter().map(|(_, games)| *games).min();
    let left_out = tree
        .moves
        .iter()
        .filter(|next| known.next.iter().all(|(san, _)| *san != next.san));
    for next in left_out {
        assert!(
            known.next.len() == 8 && Some(next.score.games) <= fewest,
            "{} in {}",
            next.san,
            known.fen
        );
    }
}

/// Runs a command; nothing found is told by its exit status.
fn command(database: &Path, name: &str, position: &str, games: u64) {
    let status = Command::new(env!("CARGO_BIN_EXE_plydex"))
        .arg("--db")
        .arg(database)
        .args(["--quiet", name, position])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .status()
        .unwrap();
    assert_eq!(status.code(), Some(i32::from(games == 0)));
}

/// The median time of some runs in milliseconds.
fn time(mut run: impl FnMut()) -> f64 {
    let times = (0..ROUNDS).map(|_| {
        let start = Instant::now();
        run();
        start.elapsed().as_secs_f64() * 1000.0
    });
    median(times.collect())
}
