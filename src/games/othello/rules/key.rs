//! Numbers under which positions are filed. The constants are a promise: databases hold keys made
//! of them.

use crate::base::mix;

/// Mixed in when White is to move.
pub(super) const WHITE_TO_MOVE: u64 = mix(0x1f83_d9ab_fb41_bd6b);

/// Where the constants begin (the bits of the square root of 7).
const SEED: u64 = 0xa54f_f53a_5f1d_36f1;

/// By side (0 Black, 1 White), then square.
pub(super) static DISCS: [[u64; 64]; 2] = {
    let mut table = [[0; 64]; 2];
    let mut side = 0;
    while side < 2 {
        let mut square = 0;
        while square < 64 {
            let number = (side as u64) << 8 | square as u64;
            table[side][square] =
                mix(SEED.wrapping_add(number.wrapping_mul(0x9e37_79b9_7f4a_7c15)));
            square += 1;
        }
        side += 1;
    }
    table
};

/// What a set of occupied squares is filed under.
///
/// Discs never leave the board, so the occupied squares only grow: every move
/// but a pass changes them. All of them would be nearly as fine as the position,
/// their number as coarse as the ply. The discs of the edge (corners included)
/// by their squares and the number of the others stand between: in openings,
/// where edges are empty, games of one length share a structure, and those are distinguished as popular
/// positions; later structures are rare.
pub(super) const fn structure(occupied: u64) -> u64 {
    const EDGE: u64 = 0xff81_8181_8181_81ff;
    let inner = (occupied & !EDGE).count_ones() as u64;
    mix(SEED ^ mix(occupied & EDGE) ^ inner.wrapping_mul(0x9e37_79b9_7f4a_7c15))
}
