//! What is packed comes back, and codes say what was played.

use std::collections::HashMap;

use proptest::prelude::*;

use super::*;
use crate::games::{
    Cursor, Stepper,
    draughts::{
        replay::{code, pack},
        rules::key,
    },
};

/// Packs steps, replays them with every way of a replay, compares everything.
fn round_trip(
    variant: &'static DraughtsVariant,
    start: DraughtsPosition,
    steps: &[DraughtsPly],
) -> usize {
    let board = variant.rules.board;
    let mut bytes = Vec::new();
    let mut positions = vec![start];
    for step in steps {
        let mut position = *positions.last().unwrap();
        pack::pack(step, &position, board, &mut bytes);
        step.play(&mut position);
        positions.push(position);
    }
    let mut cursor = Stepper::new(&placed(variant, start));
    let mut rest = bytes.as_slice();
    for (at, position) in positions.iter().enumerate() {
        let fresh = crate::games::draughts::replay::structure(position, board);
        assert_eq!(&cursor.at().position, position, "{} {at}", variant.name);
        assert_eq!(cursor.board_key(), key::of(position, board));
        assert_eq!(cursor.structure(), fresh, "{} {at}", variant.name);
        assert_eq!(cursor.ply() as usize, at);
        let wanted = steps.get(at);
        let code = cursor.peek(&mut rest);
        assert_eq!(cursor.pending().as_ref(), wanted);
        assert_eq!(code, wanted.map(|step| code::of_step(board, step)));
        if let Some(code) = code {
            assert_ne!(code, u16::MAX);
            cursor.play(code);
        }
    }
    bytes.len()
}

#[test]
fn packed_games_replay_to_the_same_positions_and_keys() {
    let mut dice = Dice(1);
    let (mut plies, mut bytes) = (0, 0);
    for variant in ALL {
        for round in 0..30 {
            let start = if round % 3 == 2 {
                random_position(&variant.rules, &mut dice)
            } else {
                DraughtsPosition::start(&variant.rules)
            };
            let mut steps = Vec::new();
            random_game(start, &variant.rules, &mut dice, |_, _, played| {
                steps.push(DraughtsPly::Move(*played));
            });
            let size = round_trip(variant, start, &steps);
            if round % 3 != 2 {
                plies += steps.len();
                bytes += size;
            }
        }
    }
    // Games by chance have far more kings than games of people.
    assert!(bytes < plies * 2, "{bytes} bytes for {plies} plies");
}

#[test]
fn turns_set_ups_and_placements_are_plies() {
    let mut dice = Dice(3);
    for variant in ALL {
        let start = DraughtsPosition::start(&variant.rules);
        let set_up = random_position(&variant.rules, &mut dice);
        let from = start.occupied().trailing_zeros() as u8;
        let board = variant.rules.board;
        let to = (board.cells() & !start.occupied()).trailing_zeros() as u8;
        let steps = [
            DraughtsPly::Placement { from, to },
            DraughtsPly::Null,
            DraughtsPly::Placement { from: to, to: from },
            DraughtsPly::Setup(set_up),
            DraughtsPly::Null,
            DraughtsPly::Setup(DraughtsPosition::empty(1)),
            DraughtsPly::Null,
        ];
        round_trip(variant, start, &steps);
    }
}

#[test]
fn pieces_beyond_the_thirty_first_are_packed() {
    let canadian = variant("canadian");
    let board = canadian.rules.board;
    let mut start = DraughtsPosition::empty(0);
    for cell in cells_of(board.cells()).skip(12) {
        let king = cell % 5 == 0;
        start.put(cell, DraughtsPiece { side: 0, king });
    }
    let legal = moves(&start, &canadian.rules, Budget::default()).unwrap();
    assert!(start.occupied().count_ones() > 40);
    for played in legal {
        round_trip(canadian, start, &[DraughtsPly::Move(played)]);
    }
}

/// Codes of the legal moves of a position are different, but for captures of
/// several pieces with one hash.
#[test]
fn codes_tell_moves_apart_and_turn_with_the_board() {
    let mut dice = Dice(5);
    let (mut shared, mut all) = (0, 0);
    for variant in ALL {
        let (rules, board) = (&variant.rules, variant.rules.board);
        for round in 0..20 {
            let start = if round % 2 == 0 {
                random_position(rules, &mut dice)
            } else {
                DraughtsPosition::start(rules)
            };
            random_game(start, rules, &mut dice, |position, legal, _| {
                let mut seen: HashMap<u16, DraughtsMove> = HashMap::new();
                let turned = position.rotated(board);
                let turned: Vec<u16> = moves(&turned, rules, Budget::default())
                    .unwrap()
                    .iter()
                    .map(|played| code::of_move(board, played))
                    .collect();
                for played in legal {
                    let code = code::of_move(board, played);
                    assert!(turned.contains(&code::rotated(board, code)));
                    assert_eq!(code::rotated(board, code::rotated(board, code)), code);
                    let many = played.captured.count_ones() > 1;
                    let (from, to) = (played.from, played.to);
                    assert_eq!(code::ends(board, code), Some((from, to)));
                    all += usize::from(many);
                    if let Some(other) = seen.insert(code, *played) {
                        let both = (other.from, other.to);
                        assert!(many && both == (from, to), "{played:?} {other:?}");
                        if other.captured != played.captured {
                            shared += 1;
                        }
                    }
                }
                if let Some(mirror) = position.mirrored(board) {
                    let mirrored: Vec<u16> = moves(&mirror, rules, Budget::default())
                        .unwrap()
                        .iter()
                        .map(|played| code::of_move(board, played))
                        .collect();
                    for played in legal {
                        let code = code::mirrored(board, code::of_move(board, played));
                        assert!(mirrored.contains(&code.unwrap()));
                    }
                }
            });
        }
    }
    assert!(shared * 20 < all, "{shared} of {all} share a code");
}

#[test]
fn codes_of_other_plies_are_above_those_of_moves() {
    for variant in ALL {
        let board = variant.rules.board;
        let last = board.cells().ilog2() as u8;
        let greatest = code::of_move(
            board,
            &DraughtsMove {
                from: last,
                to: last,
                promotes: false,
                captured: 0,
            },
        );
        assert!(greatest + 11 < code::NULL);
        let placed = DraughtsPly::Placement { from: 0, to: last };
        let code = code::of_step(board, &placed);
        let turned = DraughtsPly::Placement { from: last, to: 0 };
        assert_eq!(code::rotated(board, code), code::of_step(board, &turned));
        let cells = (board.square_count() <= code::PLACED_SQUARES_MAX).then_some((0, last));
        assert_eq!(code::ends(board, code), cells);
        for (step, said) in [
            (DraughtsPly::Null, code::NULL),
            (DraughtsPly::Setup(DraughtsPosition::empty(0)), code::SETUP),
        ] {
            let code = code::of_step(board, &step);
            assert_eq!((code, code::ends(board, code)), (said, None));
            assert_eq!(code::rotated(board, code), code);
        }
        for code in 0..=u16::MAX {
            let _ = (code::ends(board, code), code::rotated(board, code));
        }
    }
}

proptest! {
    #[test]
    fn damaged_plies_never_panic(number in 0..ALL.len(), bytes: Vec<u8>, seed: u64) {
        let variant = &ALL[number];
        let mut dice = Dice(seed);
        let start = random_position(&variant.rules, &mut dice);
        for start in [start, DraughtsPosition::start(&variant.rules)] {
            let mut cursor = Stepper::new(&placed(variant, start));
            let mut rest = bytes.as_slice();
            while let Some(code) = cursor.peek(&mut rest) {
                cursor.play(code);
                let position = &cursor.at().position;
                prop_assert_eq!(cursor.board_key(), key::of(position, variant.rules.board));
                prop_assert_eq!(position.occupied() & !variant.rules.board.cells(), 0);
            }
        }
    }
}
