//! Ways to look at a board from which the rules are the same, and pieces moved over it all
//! alike.

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
    /// [`GamePosition::swaps_sides`](super::Game::swaps_sides)).
    pub const fn swaps_colours(self) -> bool {
        matches!(self, Self::Rotate | Self::Flip)
    }

    /// Whether left and right are exchanged.
    pub const fn mirrors(self) -> bool {
        matches!(self, Self::Rotate | Self::Mirror)
    }

    /// Its name, as answers have it; empty as it stands.
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "",
            Self::Rotate => "rotate",
            Self::Mirror => "mirror",
            Self::Flip => "flip",
        }
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

/// How pieces were moved over the board, all alike and of one colour as before: what
/// problemists do with a diagram.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, serde::Serialize)]
pub struct BoardShift {
    /// Which of the eight ways to lay the board down, 0 as it stands: 1 to 3
    /// quarters turned clockwise; with 4 added, left and right exchanged before that.
    pub turned: u8,
    /// Files to the right, after that.
    pub files: i8,
    /// Ranks up.
    pub ranks: i8,
}

impl BoardShift {
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
