//! A position of any game, told apart from all text and from every index.

mod kin;

pub use crate::games::chess_variant::played::Played;
pub use kin::{Kin, KinPly, KinPosition, Over};

use shakmaty::Chess;

use crate::games::{
    draughts::{rows::DraughtsVariant, rules as draughts},
    variant::Variant,
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
    /// A board on which somebody may castle has no mirror: there it would be another
    /// castling.
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

/// How men were moved over the board, all alike and of one colour as before: what
/// problemists do with a diagram.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, serde::Serialize)]
pub struct Moved {
    /// Which of the eight ways to lay the board down, 0 as it stands: 1 to 3
    /// quarters turned clockwise; with 4 added, left and right exchanged before that.
    pub turned: u8,
    /// Files to the right, after that.
    pub files: i8,
    /// Ranks up.
    pub ranks: i8,
}

impl Moved {
    /// As it stands.
    pub const NOT: Self = Self {
        turned: 0,
        files: 0,
        ranks: 0,
    };

    /// Whether it is as it stands.
    pub fn is_not(&self) -> bool {
        *self == Self::NOT
    }
}

impl Position {
    /// Whether its men can be moved alike without another meaning: it is one of
    /// chess without castling rights and en passant.
    pub fn can_shift(&self) -> bool {
        use shakmaty::{EnPassantMode, Position as _};
        match self {
            Self::Chess(at) => {
                at.castles().is_empty() && at.ep_square(EnPassantMode::Legal).is_none()
            }
            _ => false,
        }
    }

    /// Whether it means the same however the board is laid down: it can be shifted,
    /// and has no pawns.
    pub fn can_turn(&self) -> bool {
        match self {
            Self::Chess(at) => self.can_shift() && shakmaty::Position::board(at).pawns().is_empty(),
            _ => false,
        }
    }

    /// The same without castling rights and en passant, where these are not asked
    /// for.
    #[must_use]
    pub fn without_rights(&self, castling: bool, en_passant: bool) -> Self {
        use shakmaty::{CastlingMode, EnPassantMode, Position as _};
        let Self::Chess(at) = self else {
            return self.clone();
        };
        let mut setup = at.to_setup(EnPassantMode::Legal);
        if castling {
            setup.castling_rights = shakmaty::Bitboard::EMPTY;
        }
        if en_passant {
            setup.ep_square = None;
        }
        leniently(setup.position(CastlingMode::Chess960)).map_or_else(|| self.clone(), Self::Chess)
    }

    /// The position in all eight ways to lay the board down, as it stands first.
    pub fn turnings(&self) -> Vec<(Moved, Self)> {
        use shakmaty::{CastlingMode, EnPassantMode, Position as _};
        let Self::Chess(at) = self else {
            return Vec::new();
        };
        let setup = at.to_setup(EnPassantMode::Legal);
        (0..8_u8)
            .filter_map(|turned| {
                let mut setup = setup.clone();
                if turned & 4 != 0 {
                    setup.board.flip_horizontal();
                }
                match turned & 3 {
                    1 => setup.board.rotate_90(),
                    2 => setup.board.rotate_180(),
                    3 => setup.board.rotate_270(),
                    _ => {}
                }
                let position = leniently(setup.position(CastlingMode::Chess960))?;
                let moved = Moved {
                    turned,
                    ..Moved::NOT
                };
                Some((moved, Self::Chess(position)))
            })
            .collect()
    }

    /// The position at every place of the board where all its men still stand on
    /// it, and no pawn on the first or last rank; as it stands first.
    pub fn shifts(&self) -> Vec<(Moved, Self)> {
        use shakmaty::{Board, CastlingMode, EnPassantMode, Position as _, Role, Square};
        let Self::Chess(at) = self else {
            return Vec::new();
        };
        let setup = at.to_setup(EnPassantMode::Legal);
        let shifted = |files: i8, ranks: i8| {
            let mut board = Board::empty();
            for (square, piece) in setup.board.clone() {
                let file = square.file().offset(i32::from(files))?;
                let rank = square.rank().offset(i32::from(ranks))?;
                let goal = Square::from_coords(file, rank);
                let on_edge = shakmaty::Bitboard::BACKRANKS.contains(goal);
                if piece.role == Role::Pawn && on_edge {
                    return None;
                }
                board.set_piece_at(goal, piece);
            }
            let setup = shakmaty::Setup {
                board,
                ..setup.clone()
            };
            leniently(setup.position(CastlingMode::Chess960)).map(Self::Chess)
        };
        let near = |n: &i8| n.unsigned_abs();
        let mut steps: Vec<(i8, i8)> = (-7..=7)
            .flat_map(|ranks| (-7..=7).map(move |files| (files, ranks)))
            .collect();
        steps.sort_by_key(|(files, ranks)| near(files) + near(ranks));
        steps
            .into_iter()
            .filter_map(|(files, ranks)| {
                let moved = Moved {
                    turned: 0,
                    files,
                    ranks,
                };
                Some((moved, shifted(files, ranks)?))
            })
            .collect()
    }
}

/// A position, however it came about.
fn leniently(position: Result<Chess, shakmaty::PositionError<Chess>>) -> Option<Chess> {
    use shakmaty::PositionError;
    position
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)
        .ok()
}

pub(crate) fn chess_seen(position: &Chess, symmetry: Symmetry) -> Option<Chess> {
    use shakmaty::{CastlingMode, EnPassantMode, Position as _};
    if symmetry == Symmetry::None {
        return Some(position.clone());
    }
    let mut setup = position.to_setup(EnPassantMode::Legal);
    if symmetry.swaps_colours() {
        // Top to bottom with colours and turn.
        setup.mirror();
    }
    if symmetry.mirrors() {
        // A king castles to the g-file; in the mirror it would have to go to the b-file.
        if setup.castling_rights.any() {
            return None;
        }
        setup.board.flip_horizontal();
        setup.ep_square = setup.ep_square.map(shakmaty::Square::flip_horizontal);
    }
    leniently(setup.position(CastlingMode::Chess960))
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, fen::Fen};

    use super::*;

    #[test]
    fn each_symmetry_undone_gives_the_position() {
        let fen = "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2P1PN2/PP1NBPPP/R2QK2R w - - 0 8";
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
        for variant in crate::games::draughts::rows::ALL {
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
