//! Plies of chess variants as sixteen bits: those of chess, and drops and
//! promotions to a king besides.
//!
//! From (6 bits), to (6 bits), kind (4 bits) as in
//! [`Ply`], so that equal moves have equal codes in chess
//! and in its variants. Kind 9 promotes to a king; 10 to 14 drop a pawn, knight,
//! bishop, rook or queen on `to`, which `from` repeats.

use crate::games::chess::basics::{Move, Role};

use crate::games::chess::rules::Ply;

/// The turn passes.
pub const NULL: u16 = Ply::NULL.bits();

const PROMOTE_KING: u16 = 9;
const DROP: u16 = 9;

/// The code of a move.
pub fn of_move(m: Move) -> u16 {
    match m {
        Move::Put { role, to } => {
            let to = u16::from(u8::from(to));
            // Pawn is 1: the first of the drops is 10.
            to | to << 6 | (DROP + role as u16) << 12
        }
        Move::Normal {
            from,
            to,
            promotion: Some(Role::King),
            ..
        } => u16::from(u8::from(from)) | u16::from(u8::from(to)) << 6 | PROMOTE_KING << 12,
        other => Ply::from_move(&other).map_or(NULL, Ply::bits),
    }
}
