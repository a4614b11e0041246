//! What holds for any game: keys, packing, damaged bytes.

use std::collections::HashSet;

use super::{OthelloPosition, PASS, key};
use crate::{
    base::mix,
    games::{Budget, perft},
};

/// Plays one game, every choice taken from a seed.
fn play(
    mut seed: u64,
    mut each: impl FnMut(&OthelloPosition, u8, &OthelloPosition),
) -> OthelloPosition {
    let mut position = OthelloPosition::START;
    loop {
        let legal: Vec<u8> = position.legal().collect();
        if legal.is_empty() {
            return position;
        }
        seed = mix(seed.wrapping_add(1));
        let ply = legal[(seed % legal.len() as u64) as usize];
        let before = position;
        position.play(ply);
        each(&before, ply, &position);
    }
}

/// Counts of the table, which has them from Fairy-Stockfish.
#[test]
fn counts_are_those_of_engines() {
    let mut rows = 0;
    for line in include_str!("../../../../tests/vectors/chess_perft.csv").lines() {
        let cells: Vec<&str> = line.split(',').collect();
        if cells[0] == "flipello" {
            let depth = cells[2].parse().unwrap();
            let nodes: u64 = cells[3].parse().unwrap();
            let counted = perft(&OthelloPosition::START, depth, Budget::default());
            assert_eq!(counted, Ok(nodes), "{line}");
            rows += 1;
        }
    }
    assert_eq!(rows, 7);
}

#[test]
fn constants_differ() {
    let mut seen = HashSet::from([0, key::WHITE_TO_MOVE]);
    assert!(
        key::DISCS
            .iter()
            .flatten()
            .all(|&number| seen.insert(number))
    );
}

/// Databases hold these: if you change one, raise `KEY_VERSION`.
#[test]
fn keys_of_the_start_position_stay() {
    let start = OthelloPosition::START;
    let (key, structure) = (start.key(), start.structure().key());
    insta::assert_snapshot!(format!("{key:016x} {structure:016x}"));
}

#[test]
fn keys_follow_the_moves_and_structures_never_return() {
    let mut passes = 0;
    for seed in 0..300 {
        let mut left = HashSet::new();
        let end = play(seed, |before, ply, now| {
            assert_eq!(before.key_after(before.key(), ply), now.key());
            assert_eq!(before.structure() == now.structure(), ply == PASS);
            if ply == PASS {
                passes += 1;
            } else {
                left.insert(before.structure().key());
            }
            assert!(!left.contains(&now.structure().key()));
        });
        let outcome = end.outcome().expect("the end");
        assert!(outcome.iter().sum::<u32>() <= 64);
    }
    assert!(passes > 20, "{passes}");
}

proptest::proptest! {
    #[test]
    fn squares_that_may_be_played_are_those_that_turn_discs(black: u64, white: u64) {
        let position = OthelloPosition::new(black, white, 0);
        for square in 0..64 {
            let turns = position.at(square).is_none() && position.flips(square) != 0;
            assert_eq!(position.is_legal(square), turns);
        }
    }
}
