//! Against the tables: games of an oracle, positions as people write them.

use super::{MoveError, fen, resolve, write};
use crate::games::othello::rules::{OthelloPosition, PASS};

fn position(text: &str) -> OthelloPosition {
    fen::read(text)
        .unwrap_or_else(|error| panic!("{text}: {error}"))
        .0
}

#[test]
fn games_of_the_oracle_are_replayed() {
    let (mut games, mut passes) = (0, 0);
    for line in include_str!("../../../../tests/vectors/random_games.tsv").lines() {
        let cells: Vec<&str> = line.split('\t').collect();
        if cells[0] != "flipello" {
            continue;
        }
        let mut now = position(cells[1]);
        assert_eq!(now, OthelloPosition::START);
        for (uci, san) in cells[2].split(' ').zip(cells[3].split(' ')) {
            let ply = resolve(&now, uci);
            let ply = ply.unwrap_or_else(|error| panic!("{uci}: {error} in {line}"));
            assert_eq!(resolve(&now, san), Ok(ply), "{san}");
            assert_eq!(resolve(&now, &write(ply)), Ok(ply));
            passes += u32::from(ply == PASS);
            now.play(ply);
        }
        assert_eq!(now, position(cells[4]), "{line}");
        games += 1;
    }
    assert_eq!((games, passes), (6, 2));
}

#[test]
fn positions_are_read_in_many_forms() {
    for line in include_str!("../../../../tests/vectors/variant_fen.tsv").lines() {
        let cells: Vec<&str> = line.split('\t').collect();
        if cells[0] == "othello" {
            assert_eq!(fen::write(&position(cells[1])), cells[2]);
        }
    }
    let row = "---------------------------O*------*O---------------------------";
    for text in [
        "8/8/8/3OX3/3XO3/8/8/8 b",
        "8/8/8/3WB3/3BW3/8/8/8 B",
        "......../8/8/...OX.../---XO---/8/8/8 black",
        "B:Wd4,e5:Bd5,e4",
        "b:bE4,D5:wd4,e5.",
        &format!("{row} *"),
        &format!("{row} X"),
        row,
        &row.replace('*', "X").replace('-', "."),
    ] {
        assert_eq!(position(text), OthelloPosition::START, "{text}");
    }
    for (text, word) in [
        ("", "empty"),
        ("8/8/8 b", "rank-count"),
        ("8/8/8/8/8/8/8/9 b", "bad-char"),
        ("8/8/8/8/8/8/8/7 b", "rank-width"),
        ("8/8/8/8/8/8/8/Z7 b", "bad-char"),
        ("8/8/8/8/8/8/8/8 z", "turn"),
        ("8/8/8/8/8/8/8/8 b 0 1", "extra-fields"),
        ("B:Wz9", "bad-char"),
        ("B:é", "bad-char"),
        ("XXO", "rank-count"),
    ] {
        assert_eq!(fen::read(text).unwrap_err().word(), word, "{text}");
    }
}

#[test]
fn moves_are_read_in_many_spellings() {
    let start = OthelloPosition::START;
    for text in ["f5", "F5", "f5!", "P@f4", "p@f4", "@f4", "@F4"] {
        assert_eq!(resolve(&start, text).map(write).as_deref(), Ok("f5"));
    }
    for text in ["e3", "--", "pass", "a1a1"] {
        assert_eq!(resolve(&start, text), Err(MoveError::Illegal), "{text}");
    }
    for text in ["", "f9", "i1", "é", "éé", "f5f6", "O-O"] {
        assert_eq!(resolve(&start, text), Err(MoveError::Unreadable), "{text}");
    }
    let stuck = position("X7/8/8/8/8/8/8/XXXXXXO1 w");
    assert!(stuck.must_pass());
    for text in ["--", "pass", "pa", "PASS", "b1b1"] {
        assert_eq!(resolve(&stuck, text), Ok(PASS), "{text}");
    }
}

#[test]
fn every_legal_move_and_position_is_read_back() {
    for seed in 0..200_u64 {
        let mut now = OthelloPosition::START;
        for turn in 0..64 {
            let legal: Vec<u8> = now.legal().collect();
            for &ply in &legal {
                assert_eq!(resolve(&now, &write(ply)), Ok(ply));
            }
            assert_eq!(position(&fen::write(&now)), now);
            if legal.is_empty() {
                break;
            }
            let choice = crate::base::mix(seed << 8 | turn) % legal.len() as u64;
            now.play(legal[choice as usize]);
        }
    }
}
