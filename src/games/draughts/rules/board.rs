//! The boards and how their squares are numbered.
//!
//! Where half of the squares are played, a cell's number is
//! `row / 2 * (width + 1) + row % 2 * width / 2 + column / 2`, rows from the
//! top, columns from White's left, both from 0. The number left out after each
//! pair of rows stands for what lies beside the board: every diagonal step is
//! then the same difference from everywhere, and one that leaves the board ends
//! on a number that no piece ever has. Full boards count `row * width + column`.

/// A board: its size and which of its squares are played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DraughtsBoard {
    /// 8x8, half of the squares.
    Half8,
    /// 10 wide, 8 high, half of the squares.
    Half10x8,
    /// 10x10, half of the squares.
    Half10,
    /// 12x12, half of the squares.
    Half12,
    /// 8x8, all squares.
    Full8,
}

impl DraughtsBoard {
    /// Every board, in the order of their stable numbers.
    pub const ALL: [Self; 5] = [
        Self::Half8,
        Self::Half10x8,
        Self::Half10,
        Self::Half12,
        Self::Full8,
    ];

    /// Squares in a row, unplayed ones included, and rows.
    #[inline]
    const fn size(self) -> (u8, u8) {
        match self {
            Self::Half8 | Self::Full8 => (8, 8),
            Self::Half10x8 => (10, 8),
            Self::Half10 => (10, 10),
            Self::Half12 => (12, 12),
        }
    }

    /// Squares in a row, unplayed ones included.
    #[inline]
    pub const fn width(self) -> u8 {
        self.size().0
    }

    /// Rows.
    #[inline]
    pub const fn height(self) -> u8 {
        self.size().1
    }

    /// Whether all squares are played.
    #[inline]
    pub const fn is_full(self) -> bool {
        matches!(self, Self::Full8)
    }

    /// Played squares in a row.
    #[inline]
    pub const fn per_row(self) -> u8 {
        if self.is_full() {
            self.width()
        } else {
            self.width() / 2
        }
    }

    /// Played squares.
    #[inline]
    pub const fn square_count(self) -> u8 {
        self.per_row() * self.height()
    }

    /// The cell of a row (from the top) and a column (from White's left), both
    /// from 0; `None` off the board and where nothing is played.
    pub const fn cell(self, row: u8, column: u8) -> Option<u8> {
        if row >= self.height() || column >= self.width() {
            return None;
        }
        if self.is_full() {
            return Some(row * self.width() + column);
        }
        if !(column + self.height() - 1 - row).is_multiple_of(2) {
            return None;
        }
        Some(row / 2 * (self.width() + 1) + row % 2 * (self.width() / 2) + column / 2)
    }

    /// The row (from the top) of a cell.
    #[inline]
    pub const fn row(self, cell: u8) -> u8 {
        if self.is_full() {
            return cell / self.width();
        }
        let pair = self.width() + 1;
        cell / pair * 2 + (cell % pair >= self.width() / 2) as u8
    }

    /// The column (from White's left) of a cell.
    #[inline]
    pub const fn column(self, cell: u8) -> u8 {
        if self.is_full() {
            return cell % self.width();
        }
        let half = self.width() / 2;
        let in_pair = cell % (self.width() + 1);
        // Even rows start with an unplayed square.
        if in_pair < half {
            in_pair * 2 + 1
        } else {
            (in_pair - half) * 2
        }
    }

    /// How many played squares come before this one, reading from the top left.
    #[inline]
    pub const fn index(self, cell: u8) -> u8 {
        if self.is_full() {
            cell
        } else {
            cell - cell / (self.width() + 1)
        }
    }

    /// The cell of an [`index`](Self::index); `None` past the board.
    #[inline]
    pub const fn cell_at(self, index: u8) -> Option<u8> {
        if index >= self.square_count() {
            None
        } else if self.is_full() {
            Some(index)
        } else {
            Some(index + index / self.width())
        }
    }

    /// The played cells.
    #[inline]
    pub const fn cells(self) -> u128 {
        const CELLS: [u128; DraughtsBoard::ALL.len()] = {
            let mut cells = [0; DraughtsBoard::ALL.len()];
            let mut number = 0;
            while number < cells.len() {
                cells[number] = DraughtsBoard::ALL[number].counted_cells();
                number += 1;
            }
            cells
        };
        CELLS[self as usize]
    }

    const fn counted_cells(self) -> u128 {
        let mut set = 0;
        let mut index = 0;
        while let Some(cell) = self.cell_at(index) {
            set |= 1 << cell;
            index += 1;
        }
        set
    }

    /// The cells of a row, from the top.
    pub const fn row_cells(self, row: u8) -> u128 {
        let mut set = 0;
        let mut column = 0;
        while column < self.width() {
            if let Some(cell) = self.cell(row, column) {
                set |= 1 << cell;
            }
            column += 1;
        }
        set
    }

    /// The greatest cell, the bottom right one.
    const fn last_cell(self) -> u8 {
        127 - self.cells().leading_zeros() as u8
    }

    /// The set seen after half a turn of the board.
    #[inline]
    pub const fn rotated(self, set: u128) -> u128 {
        set.reverse_bits() >> (127 - self.last_cell())
    }

    /// The cell mirrored left to right, which is a played square of full boards
    /// only: elsewhere the mirror changes which squares are played.
    pub const fn mirrored(self, cell: u8) -> Option<u8> {
        self.cell(self.row(cell), self.width() - 1 - self.column(cell))
    }

    /// The cell one step away; orthogonal steps of half boards go to the next
    /// played square of the row or column. Directions as in
    /// [`Directions`](super::Directions).
    pub(crate) const fn step(self, cell: u8, direction: usize) -> Option<u8> {
        let down = [-1, -1, 0, 1, 1, 1, 0, -1][direction];
        let right = [0, 1, 1, 1, 0, -1, -1, -1][direction];
        let stride = if self.is_full() || direction % 2 == 1 {
            1
        } else {
            2
        };
        let row = self.row(cell) as i8 + stride * down;
        let column = self.column(cell) as i8 + stride * right;
        if row < 0 || column < 0 {
            return None;
        }
        self.cell(row as u8, column as u8)
    }
}

/// The numbers of a set's members, lowest first.
pub fn cells_of(mut set: u128) -> impl Iterator<Item = u8> + Clone {
    std::iter::from_fn(move || {
        let cell = set.trailing_zeros() as u8;
        set &= set.wrapping_sub(1);
        (cell < 128).then_some(cell)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_rows_columns_and_indices_agree() {
        for board in DraughtsBoard::ALL {
            let mut seen = 0;
            for index in 0..board.square_count() {
                let cell = board.cell_at(index).unwrap();
                assert_eq!(board.index(cell), index);
                assert_eq!(board.cell(board.row(cell), board.column(cell)), Some(cell));
                seen |= 1_u128 << cell;
            }
            assert_eq!(seen, board.cells());
            assert_eq!(cells_of(seen).count(), usize::from(board.square_count()));
            assert_eq!(board.cell_at(board.square_count()), None);
            assert_eq!(board.rotated(seen), seen);
            // The bottom left corner is played (PDN 3.0, GameType, invert flag 0).
            assert!(board.cell(board.height() - 1, 0).is_some());
        }
    }

    #[test]
    fn half_a_turn_is_half_a_turn() {
        for board in DraughtsBoard::ALL {
            for cell in cells_of(board.cells()) {
                let turned = board.rotated(1 << cell).trailing_zeros() as u8;
                assert_eq!(board.row(turned), board.height() - 1 - board.row(cell));
                assert_eq!(board.column(turned), board.width() - 1 - board.column(cell));
            }
        }
    }
}
