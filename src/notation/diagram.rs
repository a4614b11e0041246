//! A board with its men as something to draw, whatever the game: for terminals
//! ([`super::board`]) and as SVG ([`super::svg`]).

use shakmaty::{Board, Color, Position as _, Role};

use super::{forsyth, kin, letters::ENGLISH};
use crate::games::{capablanca::notation as compound, xiangqi::notation as xiangqi};
use crate::{
    games::{
        capablanca::rules::man as compound_man,
        grid::{Grid, NINE},
        xiangqi::rules::man as xiangqi_man,
    },
    position::{Kin, KinPosition, Position},
};

/// A board with its men.
#[derive(Debug, Clone)]
pub struct Diagram {
    /// Files.
    pub files: u8,
    /// Ranks.
    pub ranks: u8,
    /// What they stand on.
    pub ground: Ground,
    /// What the drawing says to whoever cannot see it.
    pub title: String,
    men: Vec<Option<Man>>,
}

/// What men stand on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ground {
    /// Squares of two colours.
    Chequered,
    /// Where the lines cross, with a river between the halves.
    Points,
    /// Squares of one colour, whose rows are counted from the top.
    Cells,
}

/// A man.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Man {
    /// 0 White or Red, 1 Black.
    pub side: u8,
    /// What it is.
    pub sort: Sort,
}

/// What a man is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sort {
    /// A man of chess.
    Chess(Role),
    /// An archbishop, with its letter.
    Archbishop(char),
    /// A chancellor, with its letter.
    Chancellor(char),
    /// A man of xiangqi: its letter, and its sign for Red and for Black.
    Xiangqi(char, [char; 2]),
    /// A disc.
    Disc,
}

impl Man {
    /// Its letter, a capital for the first side; `X` for Black's discs, `O` for
    /// White's.
    pub const fn letter(self) -> char {
        let capital = match self.sort {
            Sort::Chess(role) => role.upper_char(),
            Sort::Archbishop(letter) | Sort::Chancellor(letter) | Sort::Xiangqi(letter, _) => {
                letter
            }
            Sort::Disc => return if self.side == 0 { 'O' } else { 'X' },
        };
        if self.side == 0 {
            capital
        } else {
            capital.to_ascii_lowercase()
        }
    }

    /// Its figure. Archbishops and chancellors have none that fonts know, so they
    /// are letters.
    pub const fn figure(self) -> char {
        match self.sort {
            Sort::Chess(role) => role.of(Color::from_white(self.side == 0)).unicode_char(),
            Sort::Archbishop(_) | Sort::Chancellor(_) => self.letter(),
            Sort::Xiangqi(_, signs) => signs[(self.side & 1) as usize],
            Sort::Disc => ['○', '●'][(self.side & 1) as usize],
        }
    }

    /// The figure where colours tell the sides apart: filled for both, for
    /// outlines are hard to see.
    pub const fn filled(self) -> char {
        match self.sort {
            Sort::Chess(_) | Sort::Disc => Self { side: 1, ..self }.figure(),
            _ => self.figure(),
        }
    }
}

impl Diagram {
    /// A position of a game whose boards are drawn so; `None` for draughts.
    pub fn of(position: &Position) -> Option<Self> {
        match position {
            Position::Chess(position) => Some(Self::of_chess(position.board())),
            Position::Kin(at) => Some(Self::of_kin(at)),
            Position::Draughts(_) => None,
        }
    }

    /// A board of chess.
    pub fn of_chess(board: &Board) -> Self {
        let man = |square: u8| {
            let piece = board.piece_at(shakmaty::Square::new(u32::from(square)))?;
            Some(Man {
                side: u8::from(piece.color.is_black()),
                sort: Sort::Chess(piece.role),
            })
        };
        Self {
            files: 8,
            ranks: 8,
            ground: Ground::Chequered,
            title: forsyth::write(board, ENGLISH),
            men: (0..64).map(man).collect(),
        }
    }

    /// A board of chess's kin.
    pub fn of_kin(at: &Kin) -> Self {
        let on = |grid: &Grid, ground, man: &dyn Fn(u8) -> Option<Man>| Self {
            files: grid.files,
            ranks: grid.ranks,
            ground,
            title: kin::write_fen(&at.position),
            men: (0..grid.squares()).map(man).collect(),
        };
        match &at.position {
            KinPosition::Shakmaty(position) => Self::of_chess(position.board()),
            KinPosition::Compound(row, position) => {
                on(position.board().grid(), Ground::Chequered, &|square| {
                    let man = position.at(square);
                    (man != compound_man::NONE).then(|| Man {
                        side: compound_man::side(man),
                        sort: compound::sort(row, compound_man::role(man)),
                    })
                })
            }
            KinPosition::Xiangqi(position) => on(&NINE, Ground::Points, &|square| {
                let man = position.at(square);
                (man != xiangqi_man::NONE).then(|| Man {
                    side: xiangqi_man::side(man),
                    sort: xiangqi::sort(xiangqi_man::role(man)),
                })
            }),
            KinPosition::Othello(position) => {
                on(&crate::games::grid::EIGHT, Ground::Cells, &|square| {
                    let side = position.at(square)? ^ 1;
                    let sort = Sort::Disc;
                    Some(Man { side, sort })
                })
            }
        }
    }

    /// The man on a square, numbered as its game does: file by file, rank by rank.
    pub fn at(&self, square: u8) -> Option<Man> {
        self.men.get(usize::from(square)).copied().flatten()
    }

    /// How many men there are.
    pub fn count(&self) -> usize {
        self.men.iter().flatten().count()
    }

    /// The ranks from top to bottom, from 0 as they are named.
    pub fn rows(&self, flipped: bool) -> Vec<u8> {
        let mut rows: Vec<u8> = (0..self.ranks).collect();
        if flipped == (self.ground == Ground::Cells) {
            rows.reverse();
        }
        rows
    }

    /// The files from left to right, from 0 for a.
    pub fn columns(&self, flipped: bool) -> Vec<u8> {
        let mut columns: Vec<u8> = (0..self.files).collect();
        if flipped {
            columns.reverse();
        }
        columns
    }

    /// Whether the river follows below a row.
    pub const fn has_river_below(&self, rank: u8, flipped: bool) -> bool {
        let above = if flipped { 4 } else { 5 };
        matches!(self.ground, Ground::Points) && rank == above
    }
}
