//! What the positions and moves of a game can be queried for, besides one exact position: pieces on
//! squares, material, moves, and steps that follow each other.
//!
//! A [`parse`](parser::parse)d query is the same for every game; a [`Program`](program)
//! is what it means on one board.

mod attack_sets;
mod attack_test;
mod attacks;
mod board;
pub mod bounds;
mod compile;
mod definitions;
mod display;
pub mod facts;
mod fen_pattern;
pub mod game_summary;
mod geometry;
mod lexer;
mod line_history;
mod line_test;
pub mod matcher;
mod material;
mod move_test;
mod moves;
mod parse_error;
pub mod parser;
pub mod ply_set;
mod prefilter;
pub mod program;
mod required_material;
mod respell;
pub mod scoutfish;
mod sequence_facts;
mod set_compiler;
mod set_test;
mod shapes;
mod shift_test;
pub mod similarity;
mod simplify;
mod square_set;
mod terms;
mod transform;
mod value;

use std::ops::Range;

use super::{GameCondition, MoveFilter, PositionText, Ranges, ValueError};
use crate::games::position_input::PositionError;

pub use board::BoardSpec;
pub use compile::compile;
pub use fen_pattern::SquareWildcard;
pub use geometry::{Area, Geometry};
pub use line_test::SacrificeTerm;
pub use material::written as written_material;
pub use program::Pattern;
pub use respell::in_english;
pub use sequence_facts::{of_lines, on_line};
pub use set_test::SetCount;
pub use square_set::{SetFunction, SquareExpr};

/// The names of functions of square sets, and of words that are defined by others.
pub(in crate::modules::query) fn function_names() -> impl Iterator<Item = &'static str> {
    square_set::names().chain(definitions::names())
}

/// Whether a word is a condition that has no name before a colon: a set that depends on the
/// position, or a word that others define.
pub fn is_derived_word(word: &str) -> bool {
    square_set::is_derived(word) || definitions::read(word).is_some() || terms::is_relative(word)
}

/// Where a part of a query stands in its text, in bytes.
pub type TextSpan = Range<usize>;

/// A query that cannot be understood, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct QueryError {
    /// What is wrong, without a full stop.
    pub message: String,
    /// What could be written instead.
    pub hint: Option<String>,
    /// Where, in bytes of the text; nowhere if it is `0..0`.
    pub span: TextSpan,
    /// The text that has the place, where that is not the one which was given.
    pub text: Option<String>,
}

impl QueryError {
    /// An error at a place.
    pub fn new(message: impl Into<String>, span: TextSpan) -> Self {
        Self {
            message: message.into(),
            hint: None,
            span,
            text: None,
        }
    }

    /// What is wrong with a position, where it stands.
    pub fn of_position(error: PositionError, span: TextSpan) -> Self {
        Self::new(error.message, span).hint(error.hint)
    }

    /// What is wrong with a value, where it stands.
    pub fn of_value(error: ValueError, span: TextSpan) -> Self {
        let hint = error.hint.or_else(|| {
            let meant = error.suggestion.as_ref();
            meant.map(|meant| format!("did you mean {meant}?"))
        });
        Self {
            hint,
            ..Self::new(error.message, span)
        }
    }

    /// Whether squares are named that the board does not have.
    pub fn is_off_board(&self) -> bool {
        self.message.ends_with(OFF_BOARD)
    }

    /// The same with a hint, where it is one.
    pub(super) fn hint_if(self, is_one: bool, hint: &str) -> Self {
        if is_one { self.hint(hint) } else { self }
    }

    /// The same with what to do.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

/// What is wrong with squares that are not on a board, after its name.
pub(super) const OFF_BOARD: &str = "has no such squares";

/// What to do about a letter that no piece has.
const LETTERS: &str = "letters of another language are read with --language, such as --language de";

/// A query about games. Places in a text do not matter where two are compared.
#[derive(Debug, Clone)]
pub enum Expr {
    /// All of these, each at some ply of its own.
    And(Vec<Self>),
    /// At least one of these.
    Or(Vec<Self>),
    /// Not this: a step at no ply.
    Not(Box<Self>),
    /// Looked at in other ways as well.
    Seen(Symmetries, Box<Self>),
    /// Steps that follow each other.
    Chain(Sequence),
    /// A condition on the game, and where it stands.
    Game(GameCondition, TextSpan),
    /// What a name stands for, until it is [resolved](crate::query::saved::resolve).
    Saved(String, TextSpan),
}

/// One step, and those that come after it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sequence {
    /// The first step, whose plies are reported.
    pub first: Step,
    /// The others, with how far after the one before each is.
    pub rest: Vec<(StepGap, Step)>,
}

/// How a step follows another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StepGap {
    /// At any later ply.
    Then,
    /// One to that many plies later.
    Within(u32),
}

/// Something that holds at a ply, or at several in equal steps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// What holds.
    pub holds: PlyCondition,
    /// The other ways in which the board is looked at.
    pub looks: Symmetries,
    /// At how many plies, from 1.
    pub times: u32,
    /// The plies from one to the next, from 1.
    pub step: u32,
}

/// The ways in which a board is looked at besides the one that is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a word of the language"
)]
pub struct Symmetries {
    /// The colours exchanged and the board turned round.
    pub either: bool,
    /// Left and right exchanged.
    pub mirror: bool,
    /// By half a turn, the colours exchanged.
    pub rotate: bool,
    /// Moved along the ranks.
    pub shift_x: bool,
    /// Moved along the files.
    pub shift_y: bool,
}

/// What holds of one position and the move that leaves it. Places in a text do not matter where two
/// are compared.
#[derive(Debug, Clone)]
pub enum PlyCondition {
    /// All of these.
    And(Vec<Self>),
    /// One of these.
    Or(Vec<Self>),
    /// Not this.
    Not(Box<Self>),
    /// Looked at in other ways as well.
    Seen(Symmetries, Box<Self>),
    /// A single condition, and where it stands.
    Term(Term, TextSpan),
}

impl PartialEq for Expr {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::And(own), Self::And(other)) | (Self::Or(own), Self::Or(other)) => own == other,
            (Self::Not(own), Self::Not(other)) => own == other,
            (Self::Seen(looks, own), Self::Seen(others, other)) => looks == others && own == other,
            (Self::Chain(own), Self::Chain(other)) => own == other,
            (Self::Game(own, _), Self::Game(other, _)) => own == other,
            (Self::Saved(own, _), Self::Saved(other, _)) => own == other,
            _ => false,
        }
    }
}

impl Eq for Expr {}

impl PartialEq for PlyCondition {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::And(own), Self::And(other)) | (Self::Or(own), Self::Or(other)) => own == other,
            (Self::Not(own), Self::Not(other)) => own == other,
            (Self::Seen(looks, own), Self::Seen(others, other)) => looks == others && own == other,
            (Self::Term(own, _), Self::Term(other, _)) => own == other,
            _ => false,
        }
    }
}

impl Eq for PlyCondition {}

impl std::str::FromStr for Expr {
    type Err = QueryError;

    /// Reads a query in the language of `docs/query-language.md`. What is no query is not guessed.
    fn from_str(text: &str) -> Result<Self, QueryError> {
        parser::parse(text)
    }
}

/// A range of numbers, both ends included.
pub type Numbers = (u32, u32);

/// A single condition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Term {
    /// N of these pieces on each of some sets of squares; without sets, on the board.
    PiecesOn {
        /// Letters; `_` is an empty square, `x` any piece.
        pieces: String,
        /// Sets of squares; each is joined of areas.
        on: Vec<Vec<Area>>,
        /// How many.
        count: Count,
    },
    /// N of some pieces attack something of each of these; to attack one's own is to defend.
    Attacks {
        /// Letters.
        pieces: String,
        /// What each of them attacks, one of several.
        targets: Vec<Vec<AttackTarget>>,
        /// How many.
        count: Numbers,
    },
    /// A set of squares that depends on the position has this many.
    Set(SquareExpr, SetCount),
    /// White's material less Black's, or that of one side (0 White, 1 Black), in pawns.
    Value {
        /// The side.
        side: Option<usize>,
        /// Ranges, both ends included.
        ranges: Ranges<i64>,
    },
    /// A word that stands for other conditions.
    Defined {
        /// The word with its value.
        text: String,
        /// What it means.
        meaning: Box<PlyCondition>,
    },
    /// A piece of the first kinds stands on a line with one of the last, and between them one of the
    /// second and nothing else. Letters.
    Pins([String; 3]),
    /// These pieces stand nowhere else.
    Only {
        /// Letters.
        pieces: String,
        /// The squares.
        on: Vec<Area>,
    },
    /// This position, and nothing else, stands on the board: a FEN or moves, as people type it.
    Position(PositionText),
    /// A board drawn rank by rank, the uppermost first.
    Drawn(Vec<Vec<SquareWildcard>>),
    /// The pieces of both sides, as `KRPvKR`.
    Material {
        /// The letters of each side, in capitals.
        sides: [String; 2],
        /// There may be more.
        at_least: bool,
        /// The first is White; otherwise either.
        is_white_first: bool,
    },
    /// By how much more a side has of each of some pieces, as `QvRB`; of the other pieces both
    /// have as many, pawns apart.
    Imbalance {
        /// The letters of each side, in capitals.
        sides: [String; 2],
        /// The first is White; otherwise either.
        is_white_first: bool,
    },
    /// The men, or the kings, of both sides in games in which men become kings.
    Counts {
        /// Kings instead of men.
        kings: bool,
        /// White's and Black's.
        sides: [Numbers; 2],
    },
    /// The side to move: 0 White, 1 Black.
    Turn(usize),
    /// The ply, 0 for the start position.
    Ply(Numbers),
    /// The pieces on the board, kings included.
    Pieces(Numbers),
    /// The side to move is in check.
    Check,
    /// It is checkmate.
    Mate,
    /// It is checkmate by a knight, and the king's own pieces stand on all squares around it.
    Smothered,
    /// It is stalemate.
    Stalemate,
    /// The game ends here.
    End,
    /// The position stands for this time in the line, counted from 1.
    Repetition(Numbers),
    /// This many plies ago a piece was captured or a pawn moved.
    Fifty(Numbers),
    /// The side to move gives material.
    Sacrifice(SacrificeTerm),
    /// Some legal move is such a one.
    Legal(MoveTerm),
    /// The move that leaves the position comes from a square of a set, or goes to one.
    MoveSet(SquareExpr, bool),
    /// The move that leaves the position.
    Move(MoveTerm),
    /// The move that led to it.
    Last(MoveTerm),
    /// What the comments say of the move that leaves the position.
    Annotation(MoveFilter),
    /// The step that a name stands for, until it is [resolved](crate::query::saved::resolve).
    Saved(String),
}

/// What is attacked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AttackTarget {
    /// A piece, by letters.
    Pieces(String),
    /// A square, empty or not.
    On(Area),
}

/// How many pieces there are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Count {
    /// A number in this range.
    In(Numbers),
    /// As many as of other pieces.
    AsMany(String),
}

/// What a query asks of a move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MoveTerm {
    /// As it is written, whichever side plays it: `Bxh7`, `O-O`, `32-28`.
    Written(String),
    /// By its squares: `b1d2`, `e7e8q`.
    Squares(String),
    /// A piece of one of these kinds moves.
    Moved(String),
    /// A piece of one of these kinds is taken.
    Captured(String),
    /// A pawn becomes one of these.
    Promotes(String),
    /// It comes from a square of one of these areas.
    From(Vec<Area>),
    /// It goes to one.
    To(Vec<Area>),
    /// It castles, on a certain side: 1 the h-side, 2 the a-side.
    Castles(Option<u8>),
    /// It takes in passing.
    EnPassant,
    /// It takes something.
    Capture,
    /// There is one, which takes nothing and promotes nothing.
    Quiet,
    /// It takes this many.
    Jumps(Numbers),
    /// It gives check.
    Checks,
    /// It gives checkmate.
    Mates,
}
