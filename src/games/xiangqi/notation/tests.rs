//! Against the tables: perft of engines, games of an oracle, FEN as people write it.

use super::{MoveError, Ranks, fen, resolve, write_iccs, write_san, write_uci, write_wxf};
use crate::{
    base::diagnostic::Code,
    games::xiangqi::rules::{Ply, Position, perft},
};

fn position(text: &str) -> Position {
    fen::read(text)
        .unwrap_or_else(|error| panic!("{text}: {error}"))
        .position
}

fn counts(nodes_max: u64) -> u32 {
    let mut rows = 0;
    for line in include_str!("../../../../tests/vectors/chess_perft.csv").lines() {
        let cells: Vec<&str> = line.split(',').collect();
        if cells[0] != "xiangqi" {
            continue;
        }
        let nodes: u64 = cells[3].parse().unwrap();
        if nodes <= nodes_max {
            let depth = cells[2].parse().unwrap();
            assert_eq!(perft(&position(cells[1]), depth), nodes, "{line}");
            rows += 1;
        }
    }
    rows
}

#[test]
fn quick_depths_count_as_engines_do() {
    assert!(counts(110_000) >= 12);
}

#[test]
#[ignore = "long: part of `just full`"]
fn all_depths_count_as_engines_do() {
    assert_eq!(counts(u64::MAX), 17);
}

#[test]
fn games_of_the_oracle_are_replayed_and_written() {
    let mut games = 0;
    for line in include_str!("../../../../tests/vectors/random_games.tsv").lines() {
        let cells: Vec<&str> = line.split('\t').collect();
        if cells[0] != "xiangqi" {
            continue;
        }
        let mut now = position(cells[1]);
        for (uci, san) in cells[2].split(' ').zip(cells[3].split(' ')) {
            let ply = resolve(&now, san, Ranks::Either);
            let ply = ply.unwrap_or_else(|error| panic!("{san}: {error} in {line}"));
            assert_eq!(resolve(&now, uci, Ranks::FromOne), Ok(ply), "{uci}");
            assert_eq!(write_san(&now, ply), san);
            assert_eq!(write_uci(ply), uci);
            now.play(ply);
        }
        assert_eq!(fen::write(&now), cells[4]);
        games += 1;
    }
    assert_eq!(games, 5);
}

#[test]
fn fens_are_read_as_the_table_says() {
    let mut rows = 0;
    for line in include_str!("../../../../tests/vectors/variant_fen.tsv").lines() {
        let cells: Vec<&str> = line.split('\t').collect();
        if cells[0] == "xiangqi" {
            assert_eq!(fen::write(&position(cells[1])), cells[2]);
            rows += 1;
        }
    }
    assert_eq!(rows, 2);
    for (text, word) in [
        ("9/9/9/9/9/9/9/9/9/4K4 w", "kings"),
        ("4k4/9/9/9/9/9/9/9/9/K8 w", "kings"),
        ("4k4/9/9/9/9/9/9/9/9/3QK4 w", "bad-char"),
        ("4k4/9/9/9/9/9/9/9/9/3K4 w", "rank-width"),
        ("4k4/9/9/9/9/9/9/9/3K5 w", "rank-count"),
        ("4k4/9/9/9/9/9/9/9/9/3K5 w KQkq - 0 1", "halfmove"),
    ] {
        assert_eq!(fen::read(text).unwrap_err().word(), word, "{text}");
    }
    let facing = fen::read("4k4/9/9/9/9/9/9/9/9/4K4 w - - 0 1").unwrap();
    assert_eq!(facing.warnings, [Code::ImpossibleCheck]);
}

/// The examples are of Fairy-Stockfish.
#[test]
fn wxf_is_read_and_written() {
    let tandems = "4k4/9/9/4C4/9/4C4/9/2P6/2P3P2/3K2P2 w - - 0 1";
    let soldiers = "4k4/9/2P1P4/2P1P4/2P6/9/9/4B4/4A4/2BAK4 w - - 0 1";
    for (text, uci, wxf) in [
        (fen::START, "h3e3", "C2=5"),
        (fen::START, "b1c3", "H8+7"),
        (fen::START, "a4a5", "P9+1"),
        (fen::START, "b3b10", "C8+7"),
        (fen::START, "e1e2", "K5+1"),
        (fen::START, "c1e3", "E7+5"),
        (tandems, "e5e1", "C--4"),
        (tandems, "e5a5", "C-=9"),
        (tandems, "e7a7", "C+=9"),
        (tandems, "e7e9", "C++2"),
        (tandems, "g2g3", "13+1"),
        (tandems, "c3c4", "17+1"),
        (soldiers, "c6b6", "37=8"),
        (soldiers, "e7f7", "25=4"),
        (soldiers, "e2f1", "A5-4"),
        (soldiers, "e3g1", "E5-3"),
    ] {
        let now = position(text);
        let ply = resolve(&now, uci, Ranks::FromOne).expect(uci);
        assert_eq!(write_wxf(&now, ply), wxf, "{uci}");
        assert_eq!(resolve(&now, wxf, Ranks::Either), Ok(ply), "{wxf}");
    }
    let black = position("4k4/9/1c5c1/9/9/9/9/9/9/3K5 b");
    for text in ["C2=5", "c2=5", "C2.5", "b8e8", "B7-E7", "b7e7"] {
        let ranks = if text == "b7e7" {
            Ranks::FromZero
        } else {
            Ranks::Either
        };
        let ply = resolve(&black, text, ranks);
        assert_eq!(ply.map(write_uci).as_deref(), Ok("b8e8"), "{text}");
    }
    let front = position(tandems);
    let ply = resolve(&front, "+C=9", Ranks::Either);
    assert_eq!(ply.map(write_uci).as_deref(), Ok("e7a7"));
    assert_eq!(
        resolve(&front, "C5=9", Ranks::Either),
        Err(MoveError::Ambiguous)
    );
    assert_eq!(
        resolve(&front, "R5=9", Ranks::Either),
        Err(MoveError::Illegal)
    );
    for text in ["", "x", "C", "Cz9", "17", "é3e4", "Cé", "C2=0"] {
        let read = resolve(&front, text, Ranks::Either);
        assert_eq!(read, Err(MoveError::Unreadable), "{text}");
    }
}

#[test]
fn stalemate_loses() {
    // The general may neither face the other nor leave its palace.
    let stalemate = position("3k5/4P4/9/9/9/9/9/9/9/4K4 b");
    assert!(!stalemate.is_check());
    assert_eq!(stalemate.winner(), Some(0));
    assert_eq!(position(fen::START).winner(), None);
}

#[test]
fn every_legal_move_is_read_back_from_each_spelling() {
    for seed in 0..60_u64 {
        let mut now = position(fen::START);
        for turn in 0..200 {
            let legal = now.legal();
            for &ply in &legal {
                let (san, wxf) = (write_san(&now, ply), write_wxf(&now, ply));
                let (uci, iccs) = (write_uci(ply), write_iccs(ply));
                for (text, ranks) in [
                    (&san, Ranks::Either),
                    (&wxf, Ranks::Either),
                    (&iccs, Ranks::Either),
                    (&iccs.to_lowercase(), Ranks::FromZero),
                    (&uci, Ranks::FromOne),
                ] {
                    assert_eq!(resolve(&now, text, ranks), Ok(ply), "{text}");
                }
            }
            if legal.is_empty() {
                break;
            }
            let choice = crate::base::mix(seed << 8 | turn) % legal.len() as u64;
            now.play(legal[choice as usize]);
        }
    }
    let start = position(fen::START);
    assert_eq!(resolve(&start, "--", Ranks::Either), Ok(Ply::NULL));
}
