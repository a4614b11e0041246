//! Squares and steps of boards of any size, as tables: the core that the games with rules of our
//! own on full boards have in common.
//!
//! Squares are numbers from 0, file by file along the first rank (a1, b1, …),
//! then rank by rank.

/// No such square.
pub const OFF: u8 = 0xff;

/// Squares of the largest board.
pub const SQUARES_MAX: usize = 100;

/// Steps along files and ranks, by direction: 0 is up the board, then clockwise.
const STEPS: [(i8, i8); 8] = [
    (0, 1),
    (1, 1),
    (1, 0),
    (1, -1),
    (0, -1),
    (-1, -1),
    (-1, 0),
    (-1, 1),
];

/// Leaps of a knight, clockwise from up and right.
const LEAPS: [(i8, i8); 8] = [
    (1, 2),
    (2, 1),
    (2, -1),
    (1, -2),
    (-1, -2),
    (-2, -1),
    (-2, 1),
    (-1, 2),
];

/// A board of a number of files and ranks.
#[derive(Debug)]
pub struct Grid {
    /// Files, from 1.
    pub files: u8,
    /// Ranks, from 1.
    pub ranks: u8,
    steps: [[u8; 8]; SQUARES_MAX],
    leaps: [[u8; 8]; SQUARES_MAX],
}

/// Eight files, eight ranks.
pub static EIGHT: Grid = Grid::new(8, 8);
/// Ten files, eight ranks.
pub static TEN: Grid = Grid::new(10, 8);
/// Nine files, ten ranks.
pub static NINE: Grid = Grid::new(9, 10);
/// Ten files, ten ranks.
pub static HUNDRED: Grid = Grid::new(10, 10);
/// Seven files, seven ranks.
pub static SEVEN: Grid = Grid::new(7, 7);
/// Six files, six ranks.
pub static SIX: Grid = Grid::new(6, 6);
/// Five files, five ranks.
pub static FIVE: Grid = Grid::new(5, 5);

impl Grid {
    const fn new(files: u8, ranks: u8) -> Self {
        let mut grid = Self {
            files,
            ranks,
            steps: [[OFF; 8]; SQUARES_MAX],
            leaps: [[OFF; 8]; SQUARES_MAX],
        };
        let mut square = 0;
        while square < files * ranks {
            let mut way = 0;
            while way < 8 {
                grid.steps[square as usize][way] = grid.beside(square, STEPS[way]);
                grid.leaps[square as usize][way] = grid.beside(square, LEAPS[way]);
                way += 1;
            }
            square += 1;
        }
        grid
    }

    const fn beside(&self, square: u8, (files, ranks): (i8, i8)) -> u8 {
        let file = (square % self.files) as i8 + files;
        let rank = (square / self.files) as i8 + ranks;
        if file < 0 || rank < 0 {
            return OFF;
        }
        self.at(file as u8, rank as u8)
    }

    /// The square of a file and a rank, both from 0; [`OFF`] if there is none.
    #[inline]
    pub const fn at(&self, file: u8, rank: u8) -> u8 {
        if file < self.files && rank < self.ranks {
            rank * self.files + file
        } else {
            OFF
        }
    }

    /// How many squares there are.
    #[inline]
    pub const fn squares(&self) -> u8 {
        self.files * self.ranks
    }

    /// The file of a square, from 0.
    #[inline]
    pub const fn file(&self, square: u8) -> u8 {
        square % self.files
    }

    /// The rank of a square, from 0.
    #[inline]
    pub const fn rank(&self, square: u8) -> u8 {
        square / self.files
    }

    /// Whether a square lies on the first or the last rank.
    #[inline]
    pub const fn is_edge_rank(&self, square: u8) -> bool {
        let rank = self.rank(square);
        rank == 0 || rank + 1 == self.ranks
    }

    /// Where a square is seen with left and right exchanged, or top and bottom.
    #[inline]
    pub const fn seen(&self, square: u8, mirrored: bool, flipped: bool) -> u8 {
        let (file, rank) = (self.file(square), self.rank(square));
        self.at(
            if mirrored {
                self.files - 1 - file
            } else {
                file
            },
            if flipped { self.ranks - 1 - rank } else { rank },
        )
    }

    /// The next square in a direction (0 up the board, then clockwise by
    /// eighths of a turn); [`OFF`] beyond the edge.
    #[inline]
    pub const fn step(&self, square: u8, direction: u8) -> u8 {
        if square as usize >= SQUARES_MAX {
            return OFF;
        }
        self.steps[square as usize][(direction & 7) as usize]
    }

    /// The squares a knight's leap away, clockwise from up and right.
    #[inline]
    pub const fn leaps(&self, square: u8) -> &[u8; 8] {
        &self.leaps[square as usize % SQUARES_MAX]
    }

    /// Whether two squares lie on one rank, file or diagonal.
    #[inline]
    pub const fn in_line(&self, a: u8, b: u8) -> bool {
        let files = self.file(a).abs_diff(self.file(b));
        let ranks = self.rank(a).abs_diff(self.rank(b));
        files == 0 || ranks == 0 || files == ranks
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_and_leaps_are_undone_by_their_opposites() {
        for grid in [&EIGHT, &TEN, &NINE, &HUNDRED, &SEVEN, &SIX, &FIVE] {
            let mut edges = 0;
            for square in 0..grid.squares() {
                assert_eq!(grid.at(grid.file(square), grid.rank(square)), square);
                for way in 0..8 {
                    match grid.step(square, way) {
                        OFF => edges += 1,
                        next => assert_eq!(grid.step(next, way ^ 4), square),
                    }
                    let leap = grid.leaps(square)[usize::from(way)];
                    if leap != OFF {
                        assert_eq!(grid.leaps(leap)[usize::from(way ^ 4)], square);
                        assert!(!grid.in_line(square, leap));
                    }
                }
            }
            // Three steps off for each square of an edge, less what corners share.
            assert_eq!(edges, 6 * u32::from(grid.files + grid.ranks) - 4);
        }
    }
}
