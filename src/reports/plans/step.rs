//! What a side does in a game, apart from the order in which it does it.

use crate::games::{diagram::Diagram, symmetry::Symmetry, view::code_of};

/// Where squares are under a symmetry of the board.
#[derive(Debug, Clone)]
pub struct SquareSymmetry {
    /// Whether the sides are exchanged.
    pub swaps_sides: bool,
    /// Whether left and right are.
    pub mirrors: bool,
    squares: [u8; 128],
}

impl SquareSymmetry {
    /// Those of a board.
    pub fn new(diagram: &Diagram, symmetry: Symmetry) -> Self {
        let mut squares = [0; 128];
        let rows = diagram.rows.len();
        for (at, row) in diagram.rows.iter().enumerate() {
            for (column, place) in row.iter().enumerate() {
                let row = if symmetry.swaps_colours() {
                    rows - 1 - at
                } else {
                    at
                };
                let seen = diagram.rows.get(row).and_then(|row| {
                    let mirrored = row.len().checked_sub(column + 1)?;
                    row.get(if symmetry.mirrors() { mirrored } else { column })
                });
                if let (Some(square), Some(seen)) = (place.square, seen.and_then(|at| at.square)) {
                    squares[usize::from(square & 127)] = seen;
                }
            }
        }
        Self {
            swaps_sides: symmetry.swaps_colours(),
            mirrors: symmetry.mirrors(),
            squares,
        }
    }

    const fn square(&self, square: u8) -> u8 {
        self.squares[(square & 127) as usize]
    }

    /// Where some squares are.
    pub fn squares(&self, set: u128) -> u128 {
        let (mut rest, mut seen) = (set, 0);
        while rest != 0 {
            seen |= 1 << self.square(rest.trailing_zeros() as u8);
            rest &= rest - 1;
        }
        seen
    }

    const fn file(&self, file: u8) -> u8 {
        if self.mirrors { 7 - file } else { file }
    }
}

/// Something that a game does once or not at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PlanStep {
    /// Whose step it is: 0 White, 1 Black; `None` of an exchange of like pieces.
    pub side: Option<u8>,
    /// What is done.
    pub kind: StepKind,
}

/// What is done. Pieces have the capital letters of White's, squares the numbers of the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum StepKind {
    /// A piece stops on a square. In draughts, a man goes there.
    Piece {
        /// The letter of the piece.
        piece: char,
        /// The square.
        square: u8,
    },
    /// A pawn is pushed to a square.
    Push {
        /// The square.
        square: u8,
    },
    /// A pawn captures, and not to recapture.
    PawnCapture {
        /// The file that it comes from, 0 for the a-file.
        file: u8,
        /// The square that it goes to.
        square: u8,
    },
    /// The king castles.
    Castling {
        /// On the a-side.
        is_long: bool,
    },
    /// A rook comes to a file, other than by castling.
    RookFile {
        /// 0 for the a-file.
        file: u8,
    },
    /// A rook stops on the third, fourth or fifth rank of its side.
    RookLift {
        /// The square.
        square: u8,
    },
    /// A rook stops on the seventh rank of its side.
    SeventhRank,
    /// Pieces of the same kind take each other on a square.
    Exchange {
        /// The letter of the piece.
        piece: char,
        /// Of bishops, whether they are those of the light squares.
        is_light: Option<bool>,
    },
    /// A piece takes one of another kind, and is taken at once.
    UnequalExchange {
        /// The letter of what took first.
        gives: char,
        /// The letter of what it took.
        takes: char,
        /// Where.
        square: u8,
    },
    /// Draughts: a side lets the other take, and takes back.
    Shots {
        /// The pieces that it gives.
        gives: u8,
        /// The pieces that it takes.
        takes: u8,
    },
    /// Draughts: a man becomes a king.
    Crowning,
}

impl StepKind {
    fn seen(self, by: &SquareSymmetry) -> Self {
        match self {
            Self::Piece { piece, square } => Self::Piece {
                piece,
                square: by.square(square),
            },
            Self::Push { square } => Self::Push {
                square: by.square(square),
            },
            Self::PawnCapture { file, square } => Self::PawnCapture {
                file: by.file(file),
                square: by.square(square),
            },
            Self::RookFile { file } => Self::RookFile {
                file: by.file(file),
            },
            Self::RookLift { square } => Self::RookLift {
                square: by.square(square),
            },
            Self::UnequalExchange {
                gives,
                takes,
                square,
            } => Self::UnequalExchange {
                gives,
                takes,
                square: by.square(square),
            },
            // Each symmetry but a half turn exchanges light and dark squares.
            Self::Exchange { piece, is_light } => Self::Exchange {
                piece,
                is_light: is_light.map(|is_light| is_light ^ (by.mirrors != by.swaps_sides)),
            },
            Self::Castling { .. } | Self::SeventhRank | Self::Shots { .. } | Self::Crowning => self,
        }
    }

    /// Its name in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Piece { .. } => "piece",
            Self::Push { .. } => "push",
            Self::PawnCapture { .. } => "pawn-capture",
            Self::Castling { .. } => "castling",
            Self::RookFile { .. } => "rook-file",
            Self::RookLift { .. } => "rook-lift",
            Self::SeventhRank => "seventh-rank",
            Self::Exchange { .. } | Self::UnequalExchange { .. } | Self::Shots { .. } => "exchange",
            Self::Crowning => "crowning",
        }
    }

    /// Whether pieces leave the board by it on both sides.
    pub const fn is_exchange(self) -> bool {
        matches!(
            self,
            Self::Exchange { .. } | Self::UnequalExchange { .. } | Self::Shots { .. }
        )
    }

    /// The square at which it ends, if it has one.
    pub const fn square(self) -> Option<u8> {
        match self {
            Self::Piece { square, .. }
            | Self::Push { square }
            | Self::PawnCapture { square, .. }
            | Self::RookLift { square }
            | Self::UnequalExchange { square, .. } => Some(square),
            _ => None,
        }
    }
}

/// Squares that a piece went over since its last stop, both included: at most eight, else the first
/// and the last seven.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct PieceRoute(u64);

impl PieceRoute {
    const SQUARES: usize = 8;

    /// A route over some squares.
    pub fn new(squares: impl IntoIterator<Item = u8>) -> Self {
        let mut all: Vec<u8> = squares.into_iter().collect();
        if all.len() > Self::SQUARES {
            all.drain(1..=all.len() - Self::SQUARES);
        }
        let packed = all.iter().rev();
        Self(packed.fold(0, |packed, square| {
            packed << 8 | (u64::from(square & 127) + 1)
        }))
    }

    /// Its squares; none if it is not known.
    pub fn squares(self) -> Vec<u8> {
        let mut rest = self.0;
        let mut squares = Vec::new();
        while rest != 0 {
            squares.push((rest & 255) as u8 - 1);
            rest >>= 8;
        }
        squares
    }
}

/// What a game played, once for each step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StepPlace {
    /// The step.
    pub step: PlanStep,
    /// Plies before it since the position.
    pub ply: u32,
    /// How a piece got there.
    pub route: PieceRoute,
    /// A pushed pawn that then attacks an enemy pawn.
    pub is_break: bool,
}

impl StepPlace {
    /// The same under a symmetry of the board.
    #[must_use]
    pub fn seen(self, by: &SquareSymmetry) -> Self {
        let side = self.step.side.map(|side| side ^ u8::from(by.swaps_sides));
        let route = self
            .route
            .squares()
            .into_iter()
            .map(|square| by.square(square));
        Self {
            step: PlanStep {
                side,
                kind: self.step.kind.seen(by),
            },
            route: PieceRoute::new(route),
            ..self
        }
    }
}

/// The letter of a piece of either side, by its code in queries.
pub(super) const fn letter_of(code: u8) -> char {
    ((code & 31) + 64) as char
}

/// The value of a piece in pawns, or of draughts in men.
pub(super) const fn value_of(code: u8, is_draughts: bool) -> i32 {
    const fn is(code: u8, letter: char) -> bool {
        code & 31 == code_of(letter) & 31
    }
    match () {
        () if is_draughts && is(code, 'K') => 3,
        () if is(code, 'P') || is(code, 'M') => 1,
        () if is(code, 'N') || is(code, 'B') => 3,
        () if is(code, 'R') => 5,
        () if is(code, 'Q') => 9,
        () => 0,
    }
}
