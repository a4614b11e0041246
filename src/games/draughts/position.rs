//! A position of one kind of draughts.

use super::{notation::moves::square::Numbering, rows::DraughtsVariant, rules};
use crate::{
    base::record::MoveForm,
    games::{symmetry::Symmetry, variant::Variant},
};

/// A position of one kind of draughts.
#[derive(Debug, Clone, Copy)]
pub struct Draughts {
    /// Which kind.
    pub variant: &'static DraughtsVariant,
    /// What stands where.
    pub position: rules::DraughtsPosition,
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
            position: rules::DraughtsPosition::start(&variant.rules),
            corner: None,
        }
    }

    /// How the squares have numbers or letters in the texts of the game.
    pub const fn numbering(&self) -> Numbering {
        let numbering = self.variant.numbering();
        match self.corner {
            Some(corner) => numbering.with_number_corner(corner),
            None => numbering,
        }
    }

    /// How its squares are written in a form of moves.
    pub(super) const fn numbering_in(&self, form: MoveForm) -> Numbering {
        match form {
            MoveForm::Algebraic => self.numbering().with_letters(true),
            MoveForm::Short | MoveForm::Full => self.numbering(),
        }
    }

    /// The registry's number of its kind.
    pub fn id(&self) -> u8 {
        Variant::of_draughts(self.variant).id
    }

    /// The position seen in another way; `None` where the board does not have that
    /// symmetry.
    pub(super) fn seen(&self, symmetry: Symmetry) -> Option<Self> {
        let board = self.variant.rules.board;
        let position = match symmetry {
            Symmetry::None => self.position,
            Symmetry::Rotate => self.position.rotated(board),
            Symmetry::Mirror => self.position.mirrored(board)?,
            Symmetry::Flip => self.position.mirrored(board)?.rotated(board),
        };
        Some(Self { position, ..*self })
    }
}
