//! A game in motion whatever its rules: each call goes to those of the game.

use super::{Start, Walk, chess, draughts, kin};
use crate::{
    games::AnyPosition,
    key::{self, Structure},
    position::{Draughts, Position},
    rules::{self, chess::Board},
    variant::Variant,
};

impl Start {
    /// A replay that begins with a position.
    pub fn new(position: &Position) -> Self {
        match position {
            Position::Chess(position) => Self::Chess(Box::new(chess::Replay::new(position))),
            Position::Kin(at) => Self::Kin(Box::new(kin::Replay::new(at.clone()))),
            Position::Draughts(at) => {
                let replay = draughts::Replay::new(at.id(), &at.variant.rules, at.position);
                Self::Draughts(Box::new(replay))
            }
        }
    }

    /// A replay that begins with a position of any game.
    pub fn of(position: &AnyPosition) -> Option<Self> {
        match position {
            AnyPosition::Chess(board) => Some(Self::of_board(board)),
            other => Some(Self::new(&other.to_position()?)),
        }
    }

    /// A replay that begins where an import's board stands.
    pub fn of_board(board: &Board) -> Self {
        Self::Chess(Box::new(chess::Replay::of_board(board)))
    }

    /// The position; `None` for one of chess that cannot be, such as with a king
    /// in check while the other side moves.
    pub fn position(&self) -> Option<Position> {
        match self {
            Self::Chess(replay) => replay.to_position().map(Position::Chess),
            Self::Kin(replay) => Some(Position::Kin(replay.at().clone())),
            Self::Draughts(replay) => {
                let variant = Variant::by_id(replay.variant_id()).and_then(Variant::draughts)?;
                let position = *replay.position();
                Some(Position::Draughts(Draughts {
                    variant,
                    position,
                    corner: None,
                }))
            }
        }
    }

    /// Plies played so far.
    pub fn ply(&self) -> u32 {
        match self {
            Self::Chess(replay) => replay.ply(),
            Self::Kin(replay) => replay.ply(),
            Self::Draughts(replay) => replay.ply(),
        }
    }

    /// The board key of the same men with the other side to move.
    pub fn other_side_key(&self) -> u64 {
        match self {
            Self::Chess(replay) => replay.board_key() ^ key::polyglot::WHITE_TO_MOVE,
            Self::Kin(replay) => replay.other_side_key(),
            Self::Draughts(replay) => {
                let mut turned = *replay.position();
                turned.set_turn(turned.turn() ^ 1);
                rules::draughts::key::of(&turned, replay.rules().board)
            }
        }
    }

    /// The ply that was taken off last, if it is one of draughts, of which a code
    /// does not tell everything.
    pub const fn pending(&self) -> Option<&draughts::Step> {
        match self {
            Self::Chess(_) | Self::Kin(_) => None,
            Self::Draughts(replay) => replay.pending(),
        }
    }

    /// Whether the same men stand on the same squares of the same board,
    /// whoever is to move.
    pub fn has_men_of(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Chess(own), Self::Chess(other)) => own.men() == other.men(),
            (Self::Kin(own), Self::Kin(other)) => own.has_men_of(other),
            (Self::Chess(chess), Self::Kin(kin)) | (Self::Kin(kin), Self::Chess(chess)) => {
                kin.has_men_of_chess(chess.men())
            }
            (Self::Draughts(own), Self::Draughts(other)) => {
                let mut turned = *other.position();
                turned.set_turn(own.position().turn());
                own.rules().board == other.rules().board && *own.position() == turned
            }
            _ => false,
        }
    }
}

impl Walk for Start {
    #[inline]
    fn structure(&self) -> Structure {
        match self {
            Self::Chess(replay) => replay.structure(),
            Self::Kin(replay) => replay.structure(),
            Self::Draughts(replay) => replay.structure(),
        }
    }

    #[inline]
    fn board_key(&self) -> u64 {
        match self {
            Self::Chess(replay) => replay.board_key(),
            Self::Kin(replay) => replay.board_key(),
            Self::Draughts(replay) => replay.board_key(),
        }
    }

    fn state_bits(&self) -> u32 {
        match self {
            Self::Chess(replay) => replay.state_bits(),
            Self::Kin(replay) => replay.state_bits(),
            Self::Draughts(replay) => replay.state_bits(),
        }
    }

    #[inline]
    fn turn(&self) -> usize {
        match self {
            Self::Chess(replay) => replay.turn(),
            Self::Kin(replay) => replay.turn(),
            Self::Draughts(replay) => Walk::turn(&**replay),
        }
    }

    #[inline]
    fn peek(&mut self, bytes: &mut &[u8]) -> Option<u16> {
        match self {
            Self::Chess(replay) => Walk::peek(&mut **replay, bytes),
            Self::Kin(replay) => replay.peek(bytes),
            Self::Draughts(replay) => Walk::peek(&mut **replay, bytes),
        }
    }

    #[inline]
    fn play(&mut self, code: u16) {
        match self {
            Self::Chess(replay) => Walk::play(&mut **replay, code),
            Self::Kin(replay) => replay.play(code),
            Self::Draughts(replay) => Walk::play(&mut **replay, code),
        }
    }

    fn may_go_back(&self) -> bool {
        match self {
            Self::Chess(replay) => replay.may_go_back(),
            Self::Kin(replay) => replay.may_go_back(),
            Self::Draughts(replay) => replay.may_go_back(),
        }
    }
}
