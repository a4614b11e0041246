//! Positions as the rooms that do not ask the games yet have them.

use super::{AnyCursor, AnyPosition, Capablanca, ChessVariant};
use super::{chess::rules::Board, variant::Variant};
use crate::position::{Kin, KinPosition, Position};

impl From<&Position> for AnyPosition {
    fn from(position: &Position) -> Self {
        match position {
            Position::Chess(at) => Board::from_position(at).into(),
            Position::Kin(Kin { variant, position }) => match position {
                KinPosition::Shakmaty(at) => ChessVariant {
                    row: variant,
                    at: at.clone(),
                }
                .into(),
                KinPosition::Compound(row, at) => Capablanca { row, at: *at }.into(),
                KinPosition::Xiangqi(at) => (*at).into(),
                KinPosition::Othello(at) => (*at).into(),
            },
            Position::Draughts(at) => (*at).into(),
        }
    }
}

impl AnyPosition {
    /// The position; `None` for one of chess that cannot be.
    pub fn to_position(&self) -> Option<Position> {
        let kin = |variant: &'static Variant, position| Position::Kin(Kin { variant, position });
        Some(match self {
            Self::Chess(at) => Position::Chess(at.to_position()?),
            Self::ChessVariant(at) => kin(at.row, KinPosition::Shakmaty(at.at.clone())),
            Self::Capablanca(at) => kin(self.variant(), KinPosition::Compound(at.row, at.at)),
            Self::Xiangqi(at) => kin(self.variant(), KinPosition::Xiangqi(*at)),
            Self::Othello(at) => kin(self.variant(), KinPosition::Othello(*at)),
            Self::Draughts(at) => Position::Draughts(*at),
        })
    }
}

impl From<&Position> for AnyCursor {
    fn from(position: &Position) -> Self {
        Self::new(&AnyPosition::from(position))
    }
}
