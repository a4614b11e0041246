//! What every game's positions have in common as text.

use super::{fen, kin};
use crate::games::draughts::notation::fen as draughts_fen;
use crate::{
    games::{
        draughts::Draughts,
        variant::{Rules, Variant},
    },
    position::Position,
};

/// The usual start of a game of a variant; `None` where its moves are not known to
/// this program, and where it has none.
pub fn start(variant: &'static Variant) -> Option<Position> {
    match variant.rules {
        Rules::Chess => Some(Position::Chess(shakmaty::Chess::default())),
        Rules::Draughts(row) => Some(Position::Draughts(Draughts::start(row))),
        Rules::Kin(_) | Rules::Compound(_) | Rules::Xiangqi | Rules::Othello => {
            kin::start(variant).map(Position::Kin)
        }
        Rules::None => None,
    }
}

/// The position as its game writes it: FEN, or the FEN of PDN.
pub fn fen(position: &Position) -> String {
    match position {
        Position::Chess(position) => {
            let setup = shakmaty::Position::to_setup(position, shakmaty::EnPassantMode::Legal);
            fen::write(&setup)
        }
        Position::Kin(at) => kin::write_fen(&at.position),
        Position::Draughts(at) => draughts_fen::write(&at.position, at.numbering()),
    }
}
