//! Numbers that databases hold, and how small games are packed; what holds for any game is
//! in the suite for all of them.

use std::collections::HashSet;

use super::{Position, key, man, pack};
use crate::{
    base::mix,
    games::capablanca::{
        notation::fen,
        rows::{ALL, Compound},
    },
};

fn start(variant: &'static Compound) -> Position {
    fen::read(variant, variant.start_fen).unwrap().position
}

/// Plays one game, every choice taken from a seed.
fn play(from: &Position, mut seed: u64, mut each: impl FnMut(&Position, super::Ply, &Position)) {
    let mut position = *from;
    for _ in 0..160 {
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
    for board in [super::Board::Eight, super::Board::Ten] {
        for side in 0..2 {
            for role in man::PAWN..=man::CHANCELLOR {
                let man = man::of(side, role);
                for square in 0..80 {
                    assert!(seen.insert(key::man(board, man, square)));
                }
                assert!(seen.insert(key::reserved(board, man)));
                assert!(role == man::PAWN || seen.insert(key::part(board, man, 0)));
            }
        }
    }
}

/// Databases hold these: whoever changes one must raise `KEY_VERSION`.
#[test]
fn keys_of_start_positions_stay() {
    let lines: Vec<String> = ALL
        .iter()
        .map(|variant| {
            let start = start(variant);
            let structure = start.structure().key();
            let state = start.state_bits();
            format!(
                "{} {:016x} {structure:016x} {state:05x}",
                variant.name,
                start.key()
            )
        })
        .collect();
    insta::assert_snapshot!(lines.join("\n"));
}

#[test]
fn packed_games_are_replayed_at_little_more_than_a_byte_a_ply() {
    for variant in ALL {
        let (mut bytes, mut plies) = (0, 0);
        for seed in 0..30 {
            let mut packed = Vec::new();
            let mut after = Vec::new();
            play(&start(variant), seed, |before, ply, now| {
                pack::pack(ply, before, &mut packed);
                let code = ply.code(before.board());
                assert_eq!(super::Ply::of_code(before.board(), code), Some(ply));
                after.push(*now);
            });
            let mut rest = &packed[..];
            let mut position = start(variant);
            for now in &after {
                position.play(pack::unpack(&position, &mut rest).expect("a ply"));
                assert_eq!(position, *now);
                assert_eq!(position.counters(), now.counters());
            }
            assert!(rest.is_empty());
            bytes += packed.len();
            plies += after.len();
        }
        assert!(
            bytes * 10 < plies * 16,
            "{}: {bytes} for {plies}",
            variant.name
        );
    }
}
