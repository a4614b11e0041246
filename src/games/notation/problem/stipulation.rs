//! What a problem asks: how the sides play, for what, in how many moves.
//!
//! The signs are those of Popeye (its file `py-engl.txt`) and of problem journals.

use super::signs::BEGINS;
use std::fmt;

use crate::games::chess::basics::{Color, Square};

/// What a problem asks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stipulation {
    /// How the sides play.
    pub play: Play,
    /// For what.
    pub goal: Goal,
    /// In how many half-moves; a full move is two. Studies have none.
    pub half_moves: Option<u16>,
    /// The other side to move as well: `#3*`.
    pub set_play: bool,
    /// No shorter solution: `exact-h#2`.
    pub exact: bool,
    /// How many solutions, as written: `2.1...`, `2 sol.`.
    pub solutions: Option<String>,
    /// Who moves first where that is said; see [`Stipulation::first`].
    pub begins: Option<Color>,
}

macro_rules! table {
    ($(#[doc = $doc:literal])+ $name:ident, $all:ident: $($row:ident $sign:literal,)*) => {
        $(#[doc = $doc])+
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum $name { $(#[doc = concat!("Its sign is `", $sign, "`.")] $row,)* }

        impl $name {
            /// Every one, longer signs before those that begin them.
            pub(super) const $all: &'static [Self] = &[$(Self::$row,)*];

            /// The sign of problem journals.
            pub const fn sign(self) -> &'static str {
                match self { $(Self::$row => $sign,)* }
            }
        }
    };
}

table! {
    /// How the sides play.
    Play, ALL:
    ParryHelpSeries "phser-",
    ParrySeriesHelp "pser-h",
    ParrySeriesSelf "pser-s",
    ParrySeries "pser-",
    SemiReflex "semi-r",
    SeriesHelpSelf "ser-hs",
    SeriesHelp "ser-h",
    SeriesSelf "ser-s",
    SeriesReflex "ser-r",
    Series "ser-",
    ReciprocalHelp "reci-h",
    HelpSelf "hs",
    HelpReflex "hr",
    Help "h",
    SelfPlay "s",
    Reflex "r",
    ProofGame "PG",
    Direct "",
    // Studies have a sign of their own: `+` or `=` alone.
    Study "",
}

table! {
    /// Goals that are one sign.
    Aim, ALL:
    CounterMate "##!",
    DoubleMate "##",
    MateOrStalemate "#=",
    Mate "#",
    DoubleStalemate "==",
    Exchange "<>",
    Autostalemate "!=",
    Stalemate "=",
    Check "+",
    Castling "00",
    EnPassant "ep",
    Circuit "ct",
    WonMan "%",
    Capture "x",
    AnyMove "~",
}

/// What is played for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Goal {
    /// One of the goals with a sign.
    Aim(Aim),
    /// A square to be reached: `zd4`.
    TargetSquare(Square),
    /// A square to be threatened or touched: `kd4`.
    KissSquare(Square),
    /// The diagram, from the start position (proof games).
    Position,
    /// White wins (studies).
    Win,
    /// White draws (studies).
    Draw,
}

impl Play {
    /// What it is called: `direct`, `series help`.
    pub const fn word(self) -> &'static str {
        match self {
            Self::ParryHelpSeries => "parry help series",
            Self::ParrySeriesHelp => "parry series help",
            Self::ParrySeriesSelf => "parry series self",
            Self::ParrySeries => "parry series",
            Self::SemiReflex => "semi-reflex",
            Self::SeriesHelpSelf => "series help-self",
            Self::SeriesHelp => "series help",
            Self::SeriesSelf => "series self",
            Self::SeriesReflex => "series reflex",
            Self::Series => "series",
            Self::ReciprocalHelp => "reciprocal help",
            Self::HelpSelf => "help-self",
            Self::HelpReflex => "help-reflex",
            Self::Help => "help",
            Self::SelfPlay => "self",
            Self::Reflex => "reflex",
            Self::ProofGame => "proof game",
            Self::Direct => "direct",
            Self::Study => "study",
        }
    }

    /// Whether Black helps White.
    pub const fn is_help(self) -> bool {
        matches!(
            self,
            Self::Help | Self::ReciprocalHelp | Self::SeriesHelp | Self::ParrySeriesHelp
        )
    }
}

impl Goal {
    /// Its sign, with the square if it has one; `PG` for the diagram itself.
    pub fn sign(self) -> String {
        match self {
            Self::Aim(aim) => aim.sign().to_owned(),
            Self::TargetSquare(square) => format!("z{square}"),
            Self::KissSquare(square) => format!("k{square}"),
            Self::Position => Play::ProofGame.sign().to_owned(),
            Self::Win => "+".to_owned(),
            Self::Draw => "=".to_owned(),
        }
    }
}

impl Stipulation {
    /// A stipulation without anything special.
    pub const fn new(play: Play, goal: Goal, half_moves: Option<u16>) -> Self {
        Self {
            play,
            goal,
            half_moves,
            set_play: false,
            exact: false,
            solutions: None,
            begins: None,
        }
    }

    /// Who moves first: who is said to, else Black in help play of full moves, else White.
    pub const fn first(&self) -> Color {
        if let Some(said) = self.begins {
            return said;
        }
        let half_moves = match self.half_moves {
            Some(half) => half % 2,
            None => 0,
        };
        Color::from_white(!(self.play.is_help() && half_moves == 0))
    }

    /// The number of moves as it is written: `3`, `2.5`; proof games always with
    /// a digit after the point.
    pub fn moves(&self) -> Option<String> {
        let half = self.half_moves?;
        Some(match (half % 2, self.play) {
            (0, Play::ProofGame) => format!("{}.0", half / 2),
            (0, _) => (half / 2).to_string(),
            _ => format!("{}.5", half / 2),
        })
    }
}

/// The one spelling in signs, as journals print it.
impl fmt::Display for Stipulation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let moves = self.moves().unwrap_or_default();
        if self.exact {
            f.write_str("exact-")?;
        }
        f.write_str(self.play.sign())?;
        match self.goal {
            Goal::Win => f.write_str("+")?,
            Goal::Draw => f.write_str("=")?,
            Goal::Position => write!(f, " {moves}")?,
            Goal::TargetSquare(square) => write!(f, "z{square} {moves}")?,
            Goal::KissSquare(square) => write!(f, "k{square} {moves}")?,
            Goal::Aim(aim) => write!(f, "{}{moves}", aim.sign())?,
        }
        if self.set_play {
            f.write_str("*")?;
        }
        if let Some(solutions) = &self.solutions {
            write!(f, " {solutions}")?;
        }
        if let Some((mark, _)) = BEGINS.iter().find(|(_, side)| Some(*side) == self.begins) {
            write!(f, " {mark}")?;
        }
        Ok(())
    }
}
