//! A position of any game, told apart from all text and from every index.

mod kin;

pub use kin::{Kin, KinPly, KinPosition, Over};

use shakmaty::Chess;

use crate::{
    rules::draughts,
    variant::{self, Variant, draughts::DraughtsVariant},
};

/// A position with the rules to go on from it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Position {
    /// Of chess or Chess960.
    Chess(Chess),
    /// Of a chess variant, of xiangqi or of Othello.
    Kin(Kin),
    /// Of one kind of draughts.
    Draughts(Draughts),
}

/// The rules by which shakmaty plays a variant.
pub const fn shakmaty_variant(kin: variant::Kin) -> shakmaty::variant::Variant {
    use shakmaty::variant::Variant as Played;
    match kin {
        variant::Kin::Crazyhouse => Played::Crazyhouse,
        variant::Kin::KingOfTheHill => Played::KingOfTheHill,
        variant::Kin::ThreeCheck => Played::ThreeCheck,
        variant::Kin::Atomic => Played::Atomic,
        variant::Kin::Antichess => Played::Antichess,
        variant::Kin::Horde => Played::Horde,
        variant::Kin::RacingKings => Played::RacingKings,
    }
}

/// A position of one kind of draughts.
#[derive(Debug, Clone, Copy)]
pub struct Draughts {
    /// Which kind.
    pub variant: &'static DraughtsVariant,
    /// What stands where.
    pub position: draughts::Position,
    /// The corner of square 1, as White sees the board, where it is not that of
    /// the variant: some files have their own. Does not make another position.
    pub corner: Option<u8>,
}

impl PartialEq for Draughts {
    fn eq(&self, other: &Self) -> bool {
        self.variant.name == other.variant.name && self.position == other.position
    }
}

impl Eq for Draughts {}

impl Draughts {
    /// The start of a game of this kind.
    pub fn start(variant: &'static DraughtsVariant) -> Self {
        Self {
            variant,
            position: draughts::Position::start(&variant.rules),
            corner: None,
        }
    }

    /// The registry's number of its kind.
    pub fn id(&self) -> u8 {
        Variant::of_draughts(self.variant).id
    }
}

impl Position {
    /// The side to move: 0 White, 1 Black.
    pub fn turn(&self) -> usize {
        match self {
            Self::Chess(position) => usize::from(shakmaty::Position::turn(position).is_black()),
            Self::Kin(at) => at.position.turn(),
            Self::Draughts(at) => usize::from(at.position.turn()),
        }
    }
}

/// A way to look at a board from which the rules are the same.
///
/// In Othello colours are never exchanged, for its start must be the same as well:
/// it is turned by half a circle, mirrored over the diagonal from a1 to h8, or
/// flipped over the other one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Symmetry {
    /// As it stands.
    #[default]
    None,
    /// Turned by half a circle, colours exchanged.
    Rotate,
    /// Left and right exchanged. Half-played boards do not have it.
    Mirror,
    /// Top and bottom exchanged, and the colours: both of the others in turn.
    Flip,
}

impl Symmetry {
    /// Whether colours are exchanged; not so in Othello (see
    /// [`Position::swaps_colours`]).
    pub const fn swaps_colours(self) -> bool {
        matches!(self, Self::Rotate | Self::Flip)
    }

    /// Whether left and right are exchanged.
    pub const fn mirrors(self) -> bool {
        matches!(self, Self::Rotate | Self::Mirror)
    }

    /// What a square of chess (0 = a1) is combined with by exclusive or.
    pub const fn of_squares(self) -> u8 {
        match self {
            Self::None => 0,
            Self::Rotate => 63,
            Self::Mirror => 7,
            Self::Flip => 56,
        }
    }
}

impl Position {
    /// Whether a way of looking at its board exchanges colours.
    pub const fn swaps_colours(&self, symmetry: Symmetry) -> bool {
        let is_othello =
            matches!(self, Self::Kin(at) if matches!(at.position, KinPosition::Othello(_)));
        symmetry.swaps_colours() && !is_othello
    }

    /// The position seen in another way; `None` where the board does not have
    /// that symmetry or what comes out is no position.
    ///
    /// Castling rights go with their rooks, as those of Chess960 do; on ten files,
    /// where that would be another castling, a board with rights has no mirror.
    pub fn seen(&self, symmetry: Symmetry) -> Option<Self> {
        match self {
            Self::Chess(position) => chess_seen(position, symmetry).map(Self::Chess),
            Self::Kin(at) => Some(Self::Kin(Kin {
                position: at.position.seen(symmetry)?,
                ..*at
            })),
            Self::Draughts(at) => {
                let board = at.variant.rules.board;
                let position = match symmetry {
                    Symmetry::None => at.position,
                    Symmetry::Rotate => at.position.rotated(board),
                    Symmetry::Mirror => at.position.mirrored(board)?,
                    Symmetry::Flip => at.position.mirrored(board)?.rotated(board),
                };
                Some(Self::Draughts(Draughts { position, ..*at }))
            }
        }
    }
}

fn chess_seen(position: &Chess, symmetry: Symmetry) -> Option<Chess> {
    use shakmaty::{CastlingMode, EnPassantMode, Position as _, PositionError};
    if symmetry == Symmetry::None {
        return Some(position.clone());
    }
    let mut setup = position.to_setup(EnPassantMode::Legal);
    if matches!(symmetry, Symmetry::Rotate | Symmetry::Flip) {
        // Top to bottom with colours and turn.
        setup.mirror();
    }
    if matches!(symmetry, Symmetry::Rotate | Symmetry::Mirror) {
        setup.board.flip_horizontal();
        setup.castling_rights = setup.castling_rights.flip_horizontal();
        setup.ep_square = setup.ep_square.map(shakmaty::Square::flip_horizontal);
    }
    setup
        .position(CastlingMode::Chess960)
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)
        .ok()
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, fen::Fen};

    use super::*;
    use crate::variant;

    #[test]
    fn each_symmetry_undone_gives_the_position() {
        let fen = "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2P1PN2/PP1NBPPP/R2QK2R w KQ - 0 8";
        let chess: Chess = fen
            .parse::<Fen>()
            .expect("a FEN")
            .into_position(CastlingMode::Standard)
            .expect("a position");
        let all = [Symmetry::Rotate, Symmetry::Mirror, Symmetry::Flip];
        let start = Position::Chess(chess);
        for symmetry in all {
            let seen = start.seen(symmetry).expect("chess has them all");
            assert_ne!(seen, start);
            assert_eq!(seen.turn() == 1, symmetry.swaps_colours());
            let Some(Position::Chess(back)) = seen.seen(symmetry) else {
                panic!("{symmetry:?}");
            };
            assert_eq!(
                Fen::from_position(&back, shakmaty::EnPassantMode::Legal)
                    .to_string()
                    .split(' ')
                    .next(),
                fen.split(' ').next()
            );
        }
        for variant in variant::draughts::ALL {
            let start = Position::Draughts(Draughts::start(variant));
            for symmetry in all {
                let seen = start.seen(symmetry);
                let full = variant.rules.board.is_full();
                assert_eq!(seen.is_some(), full || symmetry == Symmetry::Rotate);
                if let Some(seen) = seen {
                    assert_eq!(seen.seen(symmetry).as_ref(), Some(&start));
                }
            }
        }
    }
}
