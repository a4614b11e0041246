//! Counts lines of legal moves against a table that several engines agree on,
//! and walks the same positions with the import's own board.

use std::collections::BTreeSet;

use plydex::games::{
    AnyPosition, Budget, Counting,
    chess::{
        notation::{fen, quick_san},
        rules::{ChessBoard, Ply},
    },
    registry::ALL,
    variant::Variant,
};
use shakmaty::{Chess, Position, san::SanPlus};

use crate::support::vector;

/// Nodes that a test without patience counts at most, row by row.
const QUICK_NODES_MAX: u64 = 300_000;

struct Row {
    fen: String,
    depth: u32,
    nodes: u64,
}

/// The rows of chess and Chess960.
fn rows() -> Vec<Row> {
    vector("chess_perft.csv")
        .lines()
        .skip(1)
        .filter_map(|line| {
            let mut fields = line.split(',');
            let variant = fields.next()?;
            matches!(variant, "chess" | "chess960").then(|| Row {
                fen: fields.next().expect("a FEN").to_owned(),
                depth: fields.next().expect("a depth").parse().expect("a depth"),
                nodes: fields.next().expect("nodes").parse().expect("nodes"),
            })
        })
        .collect()
}

fn position(text: &str) -> Chess {
    let (position, _) = fen::read_position(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    position
}

fn assert_perft(rows: impl Iterator<Item = Row>) {
    let mut counted = 0;
    for row in rows {
        let nodes = shakmaty::perft(&position(&row.fen), row.depth);
        assert_eq!(nodes, row.nodes, "{} to depth {}", row.fen, row.depth);
        counted += 1;
    }
    assert!(counted > 50, "the table is there");
}

#[test]
fn quick_depths_count_as_engines_do() {
    assert_perft(
        rows()
            .into_iter()
            .filter(|row| row.nodes <= QUICK_NODES_MAX),
    );
}

#[test]
#[ignore = "long: part of `just full`"]
fn deep_depths_count_as_engines_do() {
    assert_perft(rows().into_iter().filter(|row| row.nodes > QUICK_NODES_MAX));
}

/// All starts of Chess960, read in both spellings.
#[test]
fn chess960_starts_count_as_engines_do() {
    let mut arrays = 0;
    for row in vector("chess960_start.tsv").lines().skip(1) {
        let fields: Vec<&str> = row.split('\t').collect();
        let start = position(fields[2]);
        assert_eq!(position(fields[3]), start, "{row}");
        for depth in 1..=4 {
            let nodes: u64 = fields[3 + depth].parse().expect("nodes");
            let counted = shakmaty::perft(&start, depth as u32);
            assert_eq!(counted, nodes, "{row} to depth {depth}");
        }
        arrays += 1;
    }
    assert_eq!(arrays, 960);
}

/// Every legal move, written by shakmaty, is read, played and written by our
/// board as shakmaty does it.
fn walk(position: &Chess, board: &ChessBoard, depth: u32) -> u64 {
    let mut walked = 0;
    for m in position.legal_moves() {
        let san = SanPlus::from_move(position.clone(), m).to_string();
        let place = || {
            format!(
                "{san} in {}",
                shakmaty::fen::Fen::from_position(position, shakmaty::EnPassantMode::Legal)
            )
        };
        let ply = quick_san::resolve(board, san.as_bytes());
        assert_eq!(ply, Ply::from_move(&m), "{}", place());
        let ply = ply.unwrap_or_else(|| panic!("{}", place()));
        let mut next = position.clone();
        next.play_unchecked(m);
        let mut played = board.clone();
        played.play(ply);
        assert_eq!(played.to_position().as_ref(), Some(&next), "{}", place());
        assert_eq!(played.is_check(), next.is_check(), "{}", place());
        let mut written = String::new();
        quick_san::write_and_play(&mut board.clone(), ply, &mut written);
        assert_eq!(written, san, "{}", place());
        walked += 1;
        if depth > 1 {
            walked += walk(&next, &played, depth - 1);
        }
    }
    walked
}

fn assert_walks(depth: u32) {
    let fens: BTreeSet<String> = rows().into_iter().map(|row| row.fen).collect();
    assert!(fens.len() > 50);
    let mut walked = 0;
    for fen in fens {
        let position = position(&fen);
        walked += walk(&position, &ChessBoard::from_position(&position), depth);
    }
    assert!(walked > 40_000, "only {walked} moves were played");
}

#[test]
fn our_board_plays_every_move_as_shakmaty_does() {
    assert_walks(2);
}

#[test]
#[ignore = "long: part of `just full`"]
fn our_board_plays_every_move_as_shakmaty_does_deeper() {
    assert_walks(3);
}

/// Moves that are not legal are not read, whatever they look like: every SAN of
/// a position is tried in every other.
#[test]
fn our_board_refuses_what_shakmaty_refuses() {
    let fens: BTreeSet<String> = rows().into_iter().map(|row| row.fen).collect();
    let positions: Vec<Chess> = fens.iter().map(|fen| position(fen)).collect();
    let mut words = BTreeSet::new();
    for position in &positions {
        for m in position.legal_moves() {
            words.insert(SanPlus::from_move(position.clone(), m).san.to_string());
        }
    }
    for position in &positions {
        let board = ChessBoard::from_position(position);
        for word in &words {
            let san: shakmaty::san::San = word.parse().expect("a SAN");
            let theirs = san.to_move(position).ok().and_then(|m| Ply::from_move(&m));
            let ours = quick_san::resolve(&board, word.as_bytes());
            assert_eq!(ours, theirs, "{word} in {:?}", position.board());
        }
    }
}

/// Every game of the table, read and counted by the one way for all.
#[test]
fn variants_count_as_engines_do() {
    let mut counted = BTreeSet::new();
    for line in vector("chess_perft.csv").lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let [name, fen, depth, nodes, ..] = fields[..] else {
            panic!("{line}: too few fields");
        };
        let Some(variant) = Variant::from_tag(name.as_bytes()) else {
            continue;
        };
        let nodes: u64 = nodes.parse().expect("nodes");
        if variant.tier().is_none() || nodes > QUICK_NODES_MAX {
            continue;
        }
        let at = AnyPosition::read_fen(variant, fen)
            .unwrap_or_else(|error| panic!("{line}: {error}"))
            .at;
        let depth = depth.parse().expect("a depth");
        let counted_here = at.perft(depth, Counting::Drop, Budget::default());
        assert_eq!(counted_here, Ok(nodes), "{line}");
        counted.insert(variant.name);
    }
    for row in ALL.iter().filter(|row| row.fairy().is_some()) {
        assert!(counted.contains(row.name), "nothing of {}", row.name);
    }
    assert!(counted.len() >= 22, "{counted:?}");
}
