//! What makes one variant differ from another, as plain facts.

use super::{
    key::BoardKeys,
    piece::{self, PAWN, ROLES},
};
use crate::games::grid::{self, Grid};

/// A board with the numbers that databases hold of what stands on it.
#[derive(Debug)]
pub struct FairyBoard {
    /// Its squares and steps.
    pub grid: &'static Grid,
    /// The numbers that keys are made of.
    pub keys: BoardKeys,
    /// How many ways of a ply its code distinguishes for every pair of squares.
    pub ways: u16,
}

/// The first bits of the square root of 3, from which the keys of chess pieces are made.
const CHESS_SEED: u64 = 0xbb67_ae85_84ca_a73b;
/// Those of the square root of 5, for the pieces of xiangqi.
const EASTERN_SEED: u64 = 0x3c6e_f372_fe94_f82b;

const fn chess_board(number: u64, grid: &'static Grid, ways: u16) -> FairyBoard {
    // The places after the squares of ten files and eight ranks stood first.
    let reserve = if grid.squares() > 80 {
        grid.squares()
    } else {
        80
    };
    FairyBoard {
        grid,
        keys: BoardKeys::new(CHESS_SEED, number, 4, reserve, 0xbf71_5880_9cf4_f3c7),
        ways,
    }
}

const fn eastern_board(number: u64, grid: &'static Grid) -> FairyBoard {
    FairyBoard {
        grid,
        keys: BoardKeys::new(EASTERN_SEED, number, 3, 99, 0x93c4_67e3_7db0_c7a4),
        ways: 1,
    }
}

/// Eight files and ranks.
pub(crate) static EIGHT: FairyBoard = chess_board(0, &grid::EIGHT, 14);
/// Ten files, eight ranks.
pub(crate) static TEN: FairyBoard = chess_board(1, &grid::TEN, 8);
/// Ten files and ranks.
pub(crate) static HUNDRED: FairyBoard = chess_board(2, &grid::HUNDRED, 1);
/// Six files and ranks.
pub(crate) static SIX: FairyBoard = chess_board(3, &grid::SIX, 8);
/// Five files and ranks.
pub(crate) static FIVE: FairyBoard = chess_board(4, &grid::FIVE, 8);
/// The board of xiangqi: nine files, ten ranks.
pub(crate) static NINE: FairyBoard = eastern_board(0, &grid::NINE);
/// Seven files and ranks, for the pieces of xiangqi.
pub(crate) static SEVEN: FairyBoard = eastern_board(1, &grid::SEVEN);

/// Whether and how a piece leaps as a knight.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KnightLeap {
    /// It does not.
    None,
    /// Over whatever stands between.
    Free,
    /// Not over a piece beside it, as a horse of xiangqi.
    Hobbled,
}

/// Where a piece may go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PieceRegion {
    /// Everywhere.
    Board,
    /// To the nine squares in the middle of its own edge.
    Palace,
    /// To its own half.
    Half,
}

/// How a piece goes and takes. Directions are bits, bit 0 up the board, then clockwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Movement {
    /// Where it goes by one square.
    pub steps: u8,
    /// Where it goes as far as squares are empty.
    pub slides: u8,
    /// Where it goes as far as squares are empty, and takes what stands behind the next
    /// piece.
    pub hops: u8,
    /// Where it goes by two squares; the first must be empty.
    pub springs: u8,
    /// Where it gives check from afar, though it cannot go there.
    pub faces: u8,
    /// Whether it leaps.
    pub leap: KnightLeap,
    /// Where all this may lead.
    pub zone: PieceRegion,
}

/// Along ranks and files.
const STRAIGHT: u8 = 0b0101_0101;
/// Along diagonals.
const DIAGONAL: u8 = 0b1010_1010;

const STILL: Movement = Movement {
    steps: 0,
    slides: 0,
    hops: 0,
    springs: 0,
    faces: 0,
    leap: KnightLeap::None,
    zone: PieceRegion::Board,
};

const fn rider(slides: u8, leap: KnightLeap) -> Movement {
    Movement {
        slides,
        leap,
        ..STILL
    }
}

const fn stepper(steps: u8, faces: u8, zone: PieceRegion) -> Movement {
    Movement {
        steps,
        faces,
        zone,
        ..STILL
    }
}

/// How pieces go, by role: as many as a role has bits for, so that every role has a place.
pub(crate) type Movements = [Movement; 16];

const fn by_role(known: [Movement; ROLES]) -> Movements {
    let mut all = [STILL; 16];
    let mut role = 0;
    while role < ROLES {
        all[role] = known[role];
        role += 1;
    }
    all
}

/// The pieces of chess and the two compound ones, by role; pawns have [`Pawns`].
pub(crate) static CHESS_MOVEMENTS: Movements = by_role([
    STILL,
    STILL,
    rider(0, KnightLeap::Free),
    rider(DIAGONAL, KnightLeap::None),
    rider(STRAIGHT, KnightLeap::None),
    rider(STRAIGHT | DIAGONAL, KnightLeap::None),
    stepper(STRAIGHT | DIAGONAL, 0, PieceRegion::Board),
    rider(DIAGONAL, KnightLeap::Free),
    rider(STRAIGHT, KnightLeap::Free),
]);

/// The pieces of xiangqi. Generals may not face each other on an open file.
pub(crate) static EASTERN_MOVEMENTS: Movements = by_role([
    STILL,
    STILL,
    rider(0, KnightLeap::Hobbled),
    Movement {
        springs: DIAGONAL,
        zone: PieceRegion::Half,
        ..STILL
    },
    rider(STRAIGHT, KnightLeap::None),
    Movement {
        hops: STRAIGHT,
        ..STILL
    },
    stepper(STRAIGHT, 0b0001_0001, PieceRegion::Palace),
    stepper(DIAGONAL, 0, PieceRegion::Palace),
    STILL,
]);

/// How pawns go. Ranks are counted from 0 at their own side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pawns {
    /// As in chess, with a double step from a rank, and promotion.
    Promoting {
        /// The rank of the double step, where there is one.
        second: Option<u8>,
        /// The first rank on which they may promote; on the last one they must.
        promotes_from: u8,
    },
    /// As soldiers of xiangqi: they take as they go.
    Soldiers {
        /// The first rank on which they go to the side as well.
        sideways_from: u8,
    },
}

/// What is kept beside the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reserve {
    /// Nothing.
    None,
    /// An archbishop and a chancellor; each comes in on the square that a piece
    /// of the first rank leaves by its first move.
    Gates,
    /// What was taken, to be dropped on an empty square; promoted pieces are pawns again.
    Hand,
}

/// The facts of one variant, as far as its moves go.
#[derive(Debug, Clone, Copy)]
pub struct FairyRules {
    /// The squares.
    pub board: &'static FairyBoard,
    /// How pieces go, by role.
    pub movements: &'static Movements,
    /// How pawns go.
    pub pawns: Pawns,
    /// What a pawn may become, as roles.
    pub promotions: &'static [u8],
    /// How many of each role a side may have after a promotion: as many as it began with,
    /// where pawns become what was taken.
    pub promotes_up_to: Option<[u8; ROLES]>,
    /// The files (0 = a) where the king stands after castling with the rook on its h-side
    /// and on its a-side, the rook beside it towards the middle; `None` where there is no castling.
    pub castled_king: Option<[u8; 2]>,
    /// Whether kings and rooks castle from wherever an array has put them.
    pub free_array: bool,
    /// What is kept beside the board.
    pub reserve: Reserve,
    /// Whether the side that has just moved may be in check, as in studies of how pieces
    /// move: then taking the king is a move.
    pub lets_kings_hang: bool,
}

impl FairyRules {
    /// How a role goes.
    #[inline]
    pub fn movement(&self, role: u8) -> &'static Movement {
        &self.movements[usize::from(role & 15)]
    }

    /// Whether some piece takes over another one.
    #[inline]
    pub fn has_cannons(&self) -> bool {
        self.movements[usize::from(piece::CANNON)].hops != 0
    }

    /// The rank of a square as its side counts it, from 0.
    #[inline]
    pub const fn rank_of(&self, side: u8, square: u8) -> u8 {
        let rank = self.board.grid.rank(square);
        if side == 0 {
            rank
        } else {
            (self.board.grid.ranks - 1).saturating_sub(rank)
        }
    }

    /// The directions in which a piece goes or takes by one step; a chess pawn takes so.
    #[inline]
    pub fn steps(&self, side: u8, role: u8, from: u8) -> u8 {
        if role != PAWN {
            return self.movement(role).steps;
        }
        match (self.pawns, side) {
            (Pawns::Promoting { .. }, 0) => 0b1000_0010,
            (Pawns::Promoting { .. }, _) => 0b0010_1000,
            (Pawns::Soldiers { .. }, _) => {
                let ahead = if side == 0 { 1 } else { 0b0001_0000 };
                let aside = if self.goes_sideways(side, from) {
                    0b0100_0100
                } else {
                    0
                };
                ahead | aside
            }
        }
    }

    /// Whether a soldier goes to the side from a square.
    #[inline]
    const fn goes_sideways(&self, side: u8, square: u8) -> bool {
        match self.pawns {
            Pawns::Soldiers { sideways_from } => self.rank_of(side, square) >= sideways_from,
            Pawns::Promoting { .. } => false,
        }
    }

    /// Whether a square belongs to a zone of a side.
    #[inline]
    pub fn is_in(&self, zone: PieceRegion, side: u8, square: u8) -> bool {
        let grid = self.board.grid;
        match zone {
            PieceRegion::Board => true,
            PieceRegion::Half => self.rank_of(side, square) < grid.ranks / 2,
            PieceRegion::Palace => {
                self.rank_of(side, square) < 3 && grid.file(square).abs_diff(grid.files / 2) < 2
            }
        }
    }

    /// The number that a piece adds to the structure, which changes at irreversible plies
    /// only: chess pawns count by their squares; soldiers too as long as they only go
    /// ahead, then by their ranks, for they may go to the side and back; other pieces by
    /// their number.
    #[inline]
    pub fn part(&self, code: u8, square: u8) -> u64 {
        let keys = &self.board.keys;
        if piece::role(code) != PAWN {
            keys.anywhere(code)
        } else if self.goes_sideways(piece::side(code), square) {
            keys.on_rank(code, self.board.grid.rank(square))
        } else {
            keys.on(code, square)
        }
    }
}
