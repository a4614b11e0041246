//! Numbers that databases hold, and how small games are packed; what holds for any game is
//! in the suite for all of them.

use std::collections::HashSet;

use super::{FairyPly, FairyPosition, facts::FairyBoard, pack, piece};
use crate::{
    base::mix,
    games::{
        fairy::{notation::fen, rows::FairyVariant},
        registry::ALL,
        variant::Variant,
    },
};

/// Every row that this engine plays.
fn rows() -> impl Iterator<Item = &'static FairyVariant> {
    ALL.iter().filter_map(Variant::fairy)
}

/// The board of each of them, once, with the first row that has it.
pub(super) fn boards() -> Vec<(&'static FairyBoard, &'static FairyVariant)> {
    let mut boards: Vec<(&FairyBoard, _)> = Vec::new();
    for row in rows() {
        if boards
            .iter()
            .all(|(board, _)| !std::ptr::eq(*board, row.facts.board))
        {
            boards.push((row.facts.board, row));
        }
    }
    boards
}

fn start(variant: &'static FairyVariant) -> FairyPosition {
    fen::read(variant, variant.start_fen).unwrap().0
}

/// Plays one game, every choice taken from a seed.
fn play(
    from: &FairyPosition,
    mut seed: u64,
    mut each: impl FnMut(&FairyPosition, FairyPly, &FairyPosition),
) {
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
    let mut seen = HashSet::from([0]);
    for (board, row) in boards() {
        let roles = if row.is_eastern() { 7 } else { 8 };
        let keys = &board.keys;
        // Boards with the same pieces have the same.
        seen.insert(keys.black_to_move);
        for side in 0..2 {
            for role in piece::PAWN..=roles {
                let piece = piece::of(side, role);
                for square in 0..board.grid.squares() {
                    assert!(seen.insert(keys.on(piece, square)));
                }
                assert!(seen.insert(keys.anywhere(piece)));
                if roles == 8 {
                    assert!(seen.insert(keys.reserved(piece, 0)));
                    assert!(seen.insert(keys.reserved(piece, 1)));
                } else {
                    assert!(
                        (0..board.grid.ranks).all(|rank| seen.insert(keys.on_rank(piece, rank)))
                    );
                }
            }
        }
    }
}

/// Databases hold these: if you change one, raise `KEY_VERSION`.
#[test]
fn keys_of_start_positions_stay() {
    let lines: Vec<String> = rows()
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
    for variant in rows() {
        let board = variant.facts.board;
        let (mut bytes, mut plies) = (0, 0);
        for seed in 0..30 {
            let mut packed = Vec::new();
            let mut after = Vec::new();
            play(&start(variant), seed, |before, ply, now| {
                pack::pack(ply, before, &mut packed);
                assert_eq!(FairyPly::of_code(board, ply.code(board)), Some(ply));
                after.push(*now);
            });
            let mut rest = &packed[..];
            let mut position = start(variant);
            for now in &after {
                position.play(pack::unpack(&position, &mut rest).expect("a ply"));
                assert_eq!(position, *now);
                assert_eq!(position.counters, now.counters);
            }
            assert!(rest.is_empty());
            bytes += packed.len();
            plies += after.len();
        }
        // A drop takes three bytes, and most legal moves of these random games are drops.
        let most = match variant.name {
            "capahouse" => 30,
            _ if variant.is_eastern() => 12,
            _ => 16,
        };
        assert!(
            bytes * 10 < plies * most,
            "{}: {bytes} for {plies}",
            variant.name
        );
    }
}
