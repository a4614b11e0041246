//! Sets of squares as people write them, and what they are on a board.

use crate::games::diagram::Diagram;

/// Files and ranks between bounds, or squares by their numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Area {
    /// Files by their letters and ranks by their numbers, both ends included; `None` is
    /// all of them.
    Named {
        /// The files.
        files: Option<(char, char)>,
        /// The ranks; on boards whose squares have numbers and no files are named, these.
        ranks: Option<(u8, u8)>,
    },
    /// The squares of a colour.
    Shade {
        /// The light ones.
        is_light: bool,
    },
    /// The same by columns and rows of the board, from 0 at the lower left.
    Placed {
        /// The columns.
        columns: Option<(u8, u8)>,
        /// The rows.
        rows: Option<(u8, u8)>,
    },
}

impl Area {
    /// Reads `d4`, `c`, `7`, `a-d`, `1-4`, `a-d1-4`, `light` or `dark`.
    pub(super) fn read(text: &str) -> Option<Self> {
        if matches!(text, "light" | "dark") {
            return Some(Self::Shade {
                is_light: text == "light",
            });
        }
        let letters = text
            .find(|c: char| c.is_ascii_digit())
            .unwrap_or(text.len());
        let (files, ranks) = text.split_at(letters);
        let files = match files.as_bytes() {
            [] => None,
            [one] => Some((*one, *one)),
            [from, b'-', to] if from <= to => Some((*from, *to)),
            _ => return None,
        };
        // No board has more files; `bn` is two kinds of pieces.
        let is_file = |file: u8| (b'a'..=b'l').contains(&file);
        if files.is_some_and(|(from, to)| !is_file(from) || !is_file(to)) {
            return None;
        }
        let number = |text: &str| text.parse::<u8>().ok().filter(|number| *number > 0);
        let ranks = match ranks.split_once('-') {
            None if ranks.is_empty() => None,
            None => number(ranks).map(|one| (one, one)),
            Some((from, to)) => Some((number(from)?, number(to)?)).filter(|(from, to)| from <= to),
        };
        if ranks.is_none() && letters < text.len() || files.is_none() && ranks.is_none() {
            return None;
        }
        let files = files.map(|(from, to)| (char::from(from), char::from(to)));
        Some(Self::Named { files, ranks })
    }
}

/// A board without its pieces: where squares are and what they are called.
#[derive(Debug, Clone)]
pub struct Geometry {
    /// Columns.
    pub columns: u8,
    /// Rows.
    pub rows: u8,
    files: Vec<char>,
    ranks: Vec<u8>,
    /// The number that the game has for each square, by row from below and column.
    squares: Vec<Vec<Option<u8>>>,
    /// Its number as people have it, likewise.
    numbers: Vec<Vec<Option<u8>>>,
    /// The squares that are played on.
    pub all: u128,
    /// Whether half of the squares are played on only.
    pub is_half: bool,
}

impl Geometry {
    /// That of a board with pieces.
    pub fn of(diagram: &Diagram) -> Self {
        let rows = || diagram.rows.iter().rev();
        let squares: Vec<Vec<Option<u8>>> = rows()
            .map(|row| row.iter().map(|place| place.square).collect())
            .collect();
        let numbers = rows()
            .map(|row| row.iter().map(|place| place.number).collect())
            .collect();
        let played = squares.iter().flatten().flatten();
        let all = played.fold(0, |all, square| all | 1 << square);
        let places: usize = squares.iter().map(Vec::len).sum();
        Self {
            columns: squares.first().map_or(0, Vec::len) as u8,
            rows: squares.len() as u8,
            files: diagram.files.clone(),
            ranks: diagram.ranks.iter().rev().copied().collect(),
            numbers,
            all,
            is_half: (all.count_ones() as usize) < places,
            squares,
        }
    }

    /// Whether squares are known by numbers.
    pub const fn is_numbered(&self) -> bool {
        self.files.is_empty()
    }

    /// Which squares there are.
    pub(super) fn squares_hint(&self) -> String {
        if let ([first, .., last], Some(rank)) = (&self.files[..], self.ranks.iter().max()) {
            return format!("its files are {first} to {last}, its ranks 1 to {rank}");
        }
        let last = self.numbers.iter().flatten().flatten().max();
        format!("its squares are 1 to {}", last.copied().unwrap_or_default())
    }

    /// An area by columns and rows; several where its squares have numbers. `None` where the
    /// board has no such squares.
    pub(super) fn placed(&self, area: Area) -> Option<Vec<Area>> {
        let Area::Named { files, ranks } = area else {
            return Some(vec![area]);
        };
        if self.is_numbered() {
            let (from, to) = ranks.filter(|_| files.is_none())?;
            let mut found = Vec::new();
            for (row, numbers) in self.numbers.iter().enumerate() {
                for (column, number) in numbers.iter().enumerate() {
                    if number.is_some_and(|number| (from..=to).contains(&number)) {
                        found.push(Area::Placed {
                            columns: Some((column as u8, column as u8)),
                            rows: Some((row as u8, row as u8)),
                        });
                    }
                }
            }
            return Some(found).filter(|found| found.len() == usize::from(to - from) + 1);
        }
        let file = |file| self.files.iter().position(|&named| named == file);
        let rank = |rank| self.ranks.iter().position(|&named| named == rank);
        let range = |one: usize, other: usize| (one.min(other) as u8, one.max(other) as u8);
        let columns = match files {
            None => None,
            Some((from, to)) => Some(range(file(from)?, file(to)?)),
        };
        let rows = match ranks {
            None => None,
            Some((from, to)) => Some(range(rank(from)?, rank(to)?)),
        };
        Some(vec![Area::Placed { columns, rows }])
    }

    /// Each square with those around it.
    pub(super) fn neighbours(&self) -> Vec<(u128, u128)> {
        let mut all = Vec::new();
        for row in 0..self.rows {
            for column in 0..self.columns {
                let around = |at: u8, by: u8| Some((at.saturating_sub(by), at + by));
                let [own, block] = [0, 1].map(|by| {
                    self.mask(Area::Placed {
                        columns: around(column, by),
                        rows: around(row, by),
                    })
                });
                all.push((own, block & !own));
            }
        }
        all
    }

    /// The squares of a placed area, by the numbers that the game has for them.
    pub(super) fn mask(&self, area: Area) -> u128 {
        let (columns, rows, shade) = match area {
            Area::Placed { columns, rows } => (columns, rows, None),
            Area::Shade { is_light } => (None, None, Some(is_light)),
            Area::Named { .. } => return 0,
        };
        let within = |bounds: Option<(u8, u8)>, at: usize| {
            bounds.is_none_or(|(from, to)| (from..=to).contains(&(at as u8)))
        };
        let mut mask = 0;
        for (row, squares) in self.squares.iter().enumerate() {
            for (column, square) in squares.iter().enumerate() {
                if let Some(square) = square
                    && within(columns, column)
                    && within(rows, row)
                    && shade.is_none_or(|is_light| is_light == ((row + column) % 2 == 1))
                {
                    mask |= 1 << square;
                }
            }
        }
        mask
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn areas_are_files_ranks_or_both() {
        let named = |files, ranks| Some(Area::Named { files, ranks });
        assert_eq!(Area::read("d4"), named(Some(('d', 'd')), Some((4, 4))));
        assert_eq!(Area::read("c"), named(Some(('c', 'c')), None));
        assert_eq!(Area::read("10"), named(None, Some((10, 10))));
        assert_eq!(Area::read("a-d1-4"), named(Some(('a', 'd')), Some((1, 4))));
        assert_eq!(Area::read("1-20"), named(None, Some((1, 20))));
        for text in ["", "d-a", "4-1", "dd4", "d4x", "-4", "d-", "D4", "300", "0"] {
            assert_eq!(Area::read(text), None, "{text}");
        }
    }
}
