//! The ways of looking at a board: the same query about other squares and sides.

use super::{Area, Geometry, Symmetries};

/// One way of looking at a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Transform {
    /// The colours are exchanged.
    pub(super) swaps: bool,
    /// Top and bottom are.
    flips: bool,
    /// Left and right are.
    pub(super) mirrors: bool,
    /// Columns to the right, rows up, after that.
    pub(super) by: (i8, i8),
}

impl Transform {
    /// What the board has of an area as it is seen: its edge cuts what goes beyond.
    pub(super) fn area(self, area: Area, ground: &Geometry) -> Option<Area> {
        let (columns, rows) = match area {
            Area::Placed { columns, rows } => (columns, rows),
            Area::Shade { is_light } => return Some(self.shade(is_light, ground)),
            Area::Named { .. } => return Some(area),
        };
        let turned = |bounds: Option<(u8, u8)>, count: u8, turns: bool| {
            bounds.map(|(from, to)| {
                if turns {
                    (count - 1 - to, count - 1 - from)
                } else {
                    (from, to)
                }
            })
        };
        // What is not bounded is everywhere, wherever it is moved.
        let moved = |bounds: Option<(u8, u8)>, count: u8, by: i8| {
            let Some(bounds) = bounds else {
                return Some(None);
            };
            let [from, to] = [bounds.0, bounds.1].map(|at| i16::from(at) + i16::from(by));
            let last = i16::from(count) - 1;
            let is_beside = to < 0 || from > last;
            (!is_beside).then_some(Some((from.max(0) as u8, to.min(last) as u8)))
        };
        let columns = turned(columns, ground.columns, self.mirrors);
        let rows = turned(rows, ground.rows, self.flips);
        Some(Area::Placed {
            columns: moved(columns, ground.columns, self.by.0)?,
            rows: moved(rows, ground.rows, self.by.1)?,
        })
    }

    /// The squares of a colour as they are seen.
    fn shade(self, is_light: bool, ground: &Geometry) -> Area {
        let turned = [(self.mirrors, ground.columns), (self.flips, ground.rows)];
        let changes = turned
            .iter()
            .filter(|(turns, count)| *turns && count % 2 == 0);
        let moves = i32::from(self.by.0) + i32::from(self.by.1);
        let is_other = (changes.count() as i32 + moves).rem_euclid(2) == 1;
        Area::Shade {
            is_light: is_light ^ is_other,
        }
    }

    /// A side as it is seen: 0 White, 1 Black.
    pub(super) const fn side(self, side: usize) -> usize {
        side ^ self.swaps as usize
    }

    /// A letter as it is seen.
    pub(super) const fn letter(self, letter: char) -> char {
        match (self.swaps, letter.is_ascii_uppercase()) {
            (false, _) => letter,
            (true, true) => letter.to_ascii_lowercase(),
            (true, false) => letter.to_ascii_uppercase(),
        }
    }
}

/// The ways that are requested, the one as it is written first.
///
/// # Errors
///
/// Why the board cannot be looked at so.
pub(super) fn views(looks: Symmetries, ground: &Geometry) -> Result<Vec<Transform>, &'static str> {
    if looks.mirror && ground.is_half {
        return Err("a board that uses half of its squares has no mirror image: write `rotate`");
    }
    let generators = [
        (looks.either, (true, true, ground.is_half)),
        (looks.mirror, (false, false, true)),
        (looks.rotate, (true, true, true)),
    ];
    let mut turned = vec![Transform::default()];
    for (_, (swaps, flips, mirrors)) in generators.iter().filter(|(is_asked, _)| *is_asked) {
        for at in 0..turned.len() {
            let seen: Transform = turned[at];
            let other = Transform {
                swaps: seen.swaps ^ swaps,
                flips: seen.flips ^ flips,
                mirrors: seen.mirrors ^ mirrors,
                ..seen
            };
            if !turned.contains(&other) {
                turned.push(other);
            }
        }
    }
    let range = |is_asked: bool, count: u8| {
        let most = if is_asked { count as i8 - 1 } else { 0 };
        let ways = -most..=most;
        // As it is written first.
        let mut ways: Vec<i8> = ways.collect();
        ways.sort_by_key(|by| by.abs());
        ways
    };
    let mut views = Vec::new();
    for seen in turned {
        for &columns in &range(looks.shift_x, ground.columns) {
            for &rows in &range(looks.shift_y, ground.rows) {
                views.push(Transform {
                    by: (columns, rows),
                    ..seen
                });
            }
        }
    }
    Ok(views)
}
