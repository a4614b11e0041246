//! Numbers that databases hold, and how small games are packed; what holds for any game is
//! in the suite for all of them.

use std::collections::HashSet;

use super::{Ply, Position, key, man, pack};
use crate::{base::mix, games::xiangqi::notation::fen};

fn start() -> Position {
    fen::read(fen::START).unwrap().position
}

/// Plays one game, every choice taken from a seed.
fn play(mut seed: u64, mut each: impl FnMut(&Position, Ply, &Position)) {
    let mut position = start();
    for _ in 0..200 {
        let legal = position.legal();
        if legal.is_empty() {
            return;
        }
        seed = mix(seed.wrapping_add(1));
        let ply = legal[(seed % legal.len() as u64) as usize];
        let before = position;
        position.play(ply);
        each(&before, ply, &position);
    }
}

#[test]
fn constants_differ() {
    let mut seen = HashSet::from([0, key::BLACK_TO_MOVE]);
    for side in 0..2 {
        for role in man::SOLDIER..=man::ADVISOR {
            for square in 0..90 {
                assert!(seen.insert(key::man(man::of(side, role), square)));
            }
        }
    }
}

/// Databases hold these: whoever changes one must raise `KEY_VERSION`.
#[test]
fn keys_of_the_start_position_stay() {
    let start = start();
    let (key, structure) = (start.key(), start.structure().key());
    insta::assert_snapshot!(format!("{key:016x} {structure:016x}"));
}

#[test]
fn packed_games_are_replayed_at_hardly_more_than_a_byte_a_ply() {
    let (mut bytes, mut plies) = (0, 0);
    for seed in 0..100 {
        let mut packed = Vec::new();
        let mut after = Vec::new();
        play(seed, |before, ply, now| {
            pack::pack(ply, before, &mut packed);
            assert_eq!(Ply::of_code(ply.code()), Some(ply));
            after.push(*now);
        });
        let mut rest = &packed[..];
        let mut position = start();
        for now in &after {
            position.play(pack::unpack(&position, &mut rest).expect("a ply"));
            assert_eq!(position, *now);
        }
        assert!(rest.is_empty());
        bytes += packed.len();
        plies += after.len();
    }
    assert!(bytes * 10 < plies * 12, "{bytes} for {plies}");
}
