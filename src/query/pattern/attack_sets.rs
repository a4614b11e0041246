//! Attacks of pieces of chess from all squares of a set at once.
//!
//! Pawns aside, a piece attacks a square if it would be attacked from there by a piece of its kind.
//! So the same steps and lines lead from pieces to what they attack, and from squares to the pieces
//! that attack them.

use crate::games::chess::basics::{Bitboard, Square, attacks};
use crate::games::view::{PositionView, code_of};

/// The a-file and the h-file.
pub(super) const EDGES: [u64; 2] = [0x0101_0101_0101_0101, 0x8080_8080_8080_8080];

/// The pieces of each side, by their codes.
pub(super) const PIECES: [[u8; 6]; 2] = [
    codes_of(['P', 'N', 'B', 'R', 'Q', 'K']),
    codes_of(['p', 'n', 'b', 'r', 'q', 'k']),
];

const fn codes_of(letters: [char; 6]) -> [u8; 6] {
    let mut codes = [0; 6];
    let mut at = 0;
    while at < 6 {
        codes[at] = code_of(letters[at]);
        at += 1;
    }
    codes
}

/// The letters of the pieces that attack in each of the ways of [`AttackSets`].
const WAYS: [&str; 6] = ["P", "p", "Nn", "Kk", "RQrq", "BQbq"];

/// Codes of pieces, each with the number of a way in which these attack.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct AttackCodes(Vec<(usize, u8)>);

/// Pieces on a board, by the ways in which they attack: as a pawn of White or of Black, by steps of
/// knights or kings, along ranks and files, and diagonally. Queens attack in two ways.
#[derive(Debug, Clone, Copy)]
pub(super) struct AttackSets([u64; 6]);

/// Squares next to these on their ranks.
pub(super) const fn sideways(set: u64) -> u64 {
    (set & !EDGES[0]) >> 1 | (set & !EDGES[1]) << 1
}

/// Squares one rank ahead of a side.
pub(super) const fn ahead(set: u64, side: usize) -> u64 {
    if side == 0 { set << 8 } else { set >> 8 }
}

/// Squares that pawns of a side attack.
pub(super) const fn pawn_attacks(pawns: u64, side: usize) -> u64 {
    sideways(ahead(pawns, side))
}

const fn knight_attacks(knights: u64) -> u64 {
    let near = sideways(knights);
    let far =
        (knights & !(EDGES[0] | EDGES[0] << 1)) >> 2 | (knights & !(EDGES[1] | EDGES[1] >> 1)) << 2;
    near << 16 | near >> 16 | far << 8 | far >> 8
}

const fn king_attacks(kings: u64) -> u64 {
    let row = sideways(kings);
    let rows = row | kings;
    row | rows << 8 | rows >> 8
}

/// The squares up to the first piece that are so many numbers higher, or lower, than some squares or
/// one step further; `open` are those that no step enters from the other edge of the board.
// The numbers are constants then.
#[inline(always)]
const fn line(from: u64, empty: u64, (by, is_up): (u32, bool), open: u64) -> u64 {
    const fn moved(set: u64, by: u32, is_up: bool) -> u64 {
        if is_up { set << by } else { set >> by }
    }
    let (mut reached, mut free) = (from, empty & open);
    // After one, two and four further steps.
    reached |= free & moved(reached, by, is_up);
    free &= moved(free, by, is_up);
    reached |= free & moved(reached, 2 * by, is_up);
    free &= moved(free, 2 * by, is_up);
    reached |= free & moved(reached, 4 * by, is_up);
    moved(reached, by, is_up) & open
}

/// What rooks on some squares attack.
pub(super) fn rook_attacks(rooks: u64, occupied: u64) -> u64 {
    if let Some(at) = only(rooks) {
        return attacks::rook_attacks(at, Bitboard(occupied)).0;
    }
    let empty = !occupied;
    line(rooks, empty, (8, true), u64::MAX)
        | line(rooks, empty, (8, false), u64::MAX)
        | line(rooks, empty, (1, true), !EDGES[0])
        | line(rooks, empty, (1, false), !EDGES[1])
}

/// What bishops on some squares attack.
pub(super) fn bishop_attacks(bishops: u64, occupied: u64) -> u64 {
    if let Some(at) = only(bishops) {
        return attacks::bishop_attacks(at, Bitboard(occupied)).0;
    }
    let empty = !occupied;
    line(bishops, empty, (9, true), !EDGES[0])
        | line(bishops, empty, (7, false), !EDGES[0])
        | line(bishops, empty, (7, true), !EDGES[1])
        | line(bishops, empty, (9, false), !EDGES[1])
}

/// The square of a set that has one.
const fn only(set: u64) -> Option<Square> {
    if set.is_power_of_two() {
        Some(first(set))
    } else {
        None
    }
}

/// The lowest square of a set that has one.
pub(super) const fn first(set: u64) -> Square {
    Square::new(set.trailing_zeros() & 63)
}

impl AttackCodes {
    /// Some codes of single pieces.
    pub(super) fn of(codes: &[u8]) -> Self {
        let of_way = |(way, letters): (usize, &'static str)| {
            let codes_of_way = letters.chars().map(code_of);
            codes_of_way.map(move |code| (way, code))
        };
        let all = WAYS.into_iter().enumerate().flat_map(of_way);
        Self(all.filter(|(_, code)| codes.contains(code)).collect())
    }

    /// Each of the codes.
    pub(super) fn codes(&self) -> impl Iterator<Item = u8> {
        let has = |code: &u8| self.0.iter().any(|(_, own)| own == code);
        PIECES.into_iter().flatten().filter(has)
    }

    /// The pieces of a board.
    pub(super) fn on<S: PositionView>(&self, sight: &S) -> AttackSets {
        self.sets(|code| sight.pieces(code) as u64)
    }

    /// These pieces, where they are.
    pub(super) fn sets(&self, of: impl Fn(u8) -> u64) -> AttackSets {
        let mut sets = [0; 6];
        for (way, code) in &self.0 {
            sets[*way] |= of(*code);
        }
        AttackSets(sets)
    }
}

impl AttackSets {
    /// Only those on some squares.
    pub(super) fn within(self, squares: u64) -> Self {
        Self(self.0.map(|set| set & squares))
    }

    /// The squares of all.
    pub(super) fn all(self) -> u64 {
        self.0.iter().fold(0, |all, set| all | set)
    }

    /// Those that go along ranks and files, and diagonally.
    pub(super) const fn lines(self) -> [u64; 2] {
        [self.0[4], self.0[5]]
    }

    /// The squares of those that attack one of some squares.
    pub(super) fn attackers(self, targets: u64, occupied: u64) -> u64 {
        let [white, black, knights, kings, straight, diagonal] = self.0;
        let mut found = white & pawn_attacks(targets, 1) | black & pawn_attacks(targets, 0);
        if knights != 0 {
            found |= knights & knight_attacks(targets);
        }
        if kings != 0 {
            found |= kings & king_attacks(targets);
        }
        if straight & !found != 0 {
            found |= straight & rook_attacks(targets, occupied);
        }
        if diagonal & !found != 0 {
            found |= diagonal & bishop_attacks(targets, occupied);
        }
        found
    }

    /// The squares that one of these attacks.
    pub(super) fn attacked(self, occupied: u64) -> u64 {
        let [white, black, knights, kings, straight, diagonal] = self.0;
        let mut found = pawn_attacks(white, 0) | pawn_attacks(black, 1);
        found |= knight_attacks(knights) | king_attacks(kings);
        if straight != 0 {
            found |= rook_attacks(straight, occupied);
        }
        if diagonal != 0 {
            found |= bishop_attacks(diagonal, occupied);
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::chess::basics::{Color, Piece, Role};

    /// A set of about one of so many squares.
    fn some(random: &mut fastrand::Rng, of: u64) -> u64 {
        (0..64)
            .filter(|_| random.u64(..of) == 0)
            .fold(0, |set, square| set | 1 << square)
    }

    #[test]
    fn sets_attack_what_each_of_their_pieces_does() {
        let mut random = fastrand::Rng::with_seed(1);
        for codes in PIECES.as_flattened() {
            let letter = char::from(codes & 31 | 64);
            let piece = Piece {
                role: Role::from_char(letter).expect("a piece"),
                color: Color::from_white(*codes < 32),
            };
            for density in [2, 5, 20, 40] {
                for _ in 0..200 {
                    let occupied = some(&mut random, density);
                    let pieces = some(&mut random, density * 2);
                    let targets = some(&mut random, density * 2);
                    let seen = |at| attacks::attacks(at, piece, Bitboard(occupied)).0;
                    let squares = Bitboard(pieces).into_iter();
                    let attacked = squares.clone().fold(0, |all, at| all | seen(at));
                    let attacking = squares.filter(|at| seen(*at) & targets != 0);
                    let attacking = attacking.fold(0, |all, at| all | 1 << u32::from(at));
                    let sets = AttackCodes::of(&[*codes]).sets(|_| pieces);
                    let case = format!("{letter} {pieces:x} {targets:x} {occupied:x}");
                    assert_eq!(sets.attacked(occupied), attacked, "{case}");
                    assert_eq!(sets.attackers(targets, occupied), attacking, "{case}");
                }
            }
        }
    }
}
