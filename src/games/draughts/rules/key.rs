//! Numbers under which positions are filed.
//!
//! The constants are a promise: databases hold keys made of them. They depend
//! on the board, the piece and the place of the square in the order of reading,
//! on nothing of how cells are numbered; variants of one board share them, so
//! equal pieces and side to move have one key in all of them.

use super::{DraughtsBoard, DraughtsMove, DraughtsPiece, DraughtsPosition, board::cells_of};
use crate::base::mix;

/// Black is to move (the first 64 bits of the fraction of e, mixed).
const BLACK_TO_MOVE: u64 = mix(0xb7e1_5162_8aed_2a6a);

/// Where the constants of pieces begin (the bits of the square root of 2).
const SEED: u64 = 0x6a09_e667_f3bc_c908;

const BOARDS: usize = DraughtsBoard::ALL.len();

/// By board, then kind (White's man, White's king, Black's man, Black's king),
/// then cell.
static PIECES: [[[u64; 128]; 4]; BOARDS] = {
    let mut table = [[[0; 128]; 4]; BOARDS];
    let mut number = 0;
    while number < BOARDS {
        let board = DraughtsBoard::ALL[number];
        let mut kind = 0;
        while kind < 4 {
            let mut index = 0;
            while let Some(cell) = board.cell_at(index) {
                let place = (number as u64) << 16 | (kind as u64) << 8 | index as u64;
                table[number][kind][cell as usize] =
                    mix(SEED.wrapping_add(place.wrapping_mul(0x9e37_79b9_7f4a_7c15)));
                index += 1;
            }
            kind += 1;
        }
        number += 1;
    }
    table
};

/// What one piece adds to a key.
#[inline]
pub fn piece(board: DraughtsBoard, cell: u8, piece: DraughtsPiece) -> u64 {
    let kind = usize::from(piece.side & 1) << 1 | usize::from(piece.king);
    PIECES[board as usize][kind][usize::from(cell & 127)]
}

/// The key of a position: its pieces and the side to move, joined by exclusive or.
pub fn of(position: &DraughtsPosition, board: DraughtsBoard) -> u64 {
    let turn = if position.turn() == 0 {
        0
    } else {
        BLACK_TO_MOVE
    };
    position
        .iter()
        .fold(turn, |key, (cell, on_it)| key ^ piece(board, cell, on_it))
}

/// The key after a legal move, from that of the position before it.
pub fn after(
    key: u64,
    position: &DraughtsPosition,
    board: DraughtsBoard,
    played: &DraughtsMove,
) -> u64 {
    let side = position.turn();
    let was_king = position.kings(side) >> (played.from & 127) & 1 == 1;
    let moved = |king| DraughtsPiece { side, king };
    let mut key = key
        ^ BLACK_TO_MOVE
        ^ piece(board, played.from, moved(was_king))
        ^ piece(board, played.to, moved(was_king || played.promotes));
    for cell in cells_of(played.captured) {
        let king = position.kings(side ^ 1) >> cell & 1 == 1;
        let side = side ^ 1;
        key ^= piece(board, cell, DraughtsPiece { side, king });
    }
    key
}

/// A coarse key that changes at irreversible moves only and, once left, never
/// comes back: White's men by their squares, and how many men Black and how many
/// kings each side has. Sides to move are not distinguished.
///
/// Taking Black's men by their squares too would change it at nearly every ply
/// of an opening and make it as fine as the position; the count of pieces alone
/// would put every opening into one heap. Of full boards only the rows of
/// White's men count, since there men move sideways and back.
pub fn structure(position: &DraughtsPosition, board: DraughtsBoard) -> u64 {
    let men = if board.is_full() {
        (0..board.height()).fold(0, |rows, row| {
            let count = (position.men(0) & board.row_cells(row)).count_ones();
            rows << 8 | u128::from(count)
        })
    } else {
        // By the order of reading: cells leave a number out after two rows.
        let width = board.width();
        let two_rows = (1 << width) - 1;
        (0..board.height() / 2).fold(0, |set, pair| {
            set | (position.men(0) >> (pair * (width + 1)) & two_rows) << (pair * width)
        })
    };
    let counts = [position.men(1), position.kings(0), position.kings(1)]
        .iter()
        .fold(board as u64, |counts, set| {
            counts << 8 | u64::from(set.count_ones())
        });
    mix(mix(mix(SEED ^ counts) ^ men as u64) ^ (men >> 64) as u64)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::games::{
        Budget,
        draughts::{
            rows::ALL,
            rules::{DraughtsRules, moves},
        },
    };

    #[test]
    fn constants_differ() {
        let mut seen = HashSet::from([0, BLACK_TO_MOVE]);
        for (number, board) in DraughtsBoard::ALL.into_iter().enumerate() {
            assert_eq!(board as usize, number);
            for cell in cells_of(board.cells()) {
                for kind in &PIECES[number] {
                    assert!(seen.insert(kind[usize::from(cell)]));
                }
            }
        }
    }

    /// Databases hold these: if you change one, raise `KEY_VERSION`.
    #[test]
    fn keys_of_start_positions_stay() {
        let lines: Vec<String> = ALL
            .iter()
            .map(|variant| {
                let start = DraughtsPosition::start(&variant.rules);
                let board = variant.rules.board;
                let (key, structure) = (of(&start, board), structure(&start, board));
                format!("{} {key:016x} {structure:016x}", variant.name)
            })
            .collect();
        insta::assert_snapshot!(lines.join("\n"));
    }

    /// Plays one game, every choice taken from a seed.
    fn play(
        rules: &DraughtsRules,
        mut seed: u64,
        mut each: impl FnMut(&DraughtsPosition, &DraughtsMove, &DraughtsPosition),
    ) {
        let mut position = DraughtsPosition::start(rules);
        for _ in 0..150 {
            let legal = moves(&position, rules, Budget::default()).unwrap();
            if legal.is_empty() {
                return;
            }
            seed = mix(seed.wrapping_add(1));
            let chosen = legal[(seed % legal.len() as u64) as usize];
            let before = position;
            position.play(&chosen);
            each(&before, &chosen, &position);
        }
    }

    #[test]
    fn keys_of_played_moves_are_those_of_positions_and_structures_never_return() {
        for variant in ALL {
            let (rules, board) = (&variant.rules, variant.rules.board);
            for seed in 0..40 {
                let mut left = HashSet::new();
                play(rules, seed, |before, played, now| {
                    let key = after(of(before, board), before, board, played);
                    assert_eq!(key, of(now, board), "{} {seed}", variant.name);
                    let (old, new) = (structure(before, board), structure(now, board));
                    if old != new {
                        assert!(left.insert(old));
                        assert!(!left.contains(&new), "{} {seed}", variant.name);
                    }
                });
            }
        }
    }

    #[test]
    fn a_position_turned_around_has_as_many_moves() {
        for variant in ALL {
            let (rules, board) = (&variant.rules, variant.rules.board);
            play(rules, 7, |_, _, now| {
                let turned = now.rotated(board);
                assert_eq!(turned.rotated(board), *now);
                let count = |p| moves(p, rules, Budget::default()).unwrap().len();
                assert_eq!(count(now), count(&turned), "{}", variant.name);
            });
        }
    }
}
