//! The same pieces at many places of a board, all places at once: what `shift` asks for.
//!
//! Conditions that are seen at several places differ in the numbers of their squares alone. The
//! squares of a piece, moved down by what its number is above the lowest of a condition, have a bit
//! at each place where the piece stands as it should. What the squares of all pieces have in common
//! are the places where the condition holds.

use std::ops::{BitAnd, BitOr, Not, Shr};

use super::program::PlyTest;
use crate::games::view::PositionView;

/// The fewest places that are tested at once.
const PLACES_MIN: usize = 4;
/// The most squares of a test that are moved: others are those of files or of all the board.
const SQUARES_MAX: u32 = 4;

/// Conditions that differ in the places of the same pieces alone; one of them holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ShiftTest {
    /// The conditions, one by one.
    pub(super) each: Vec<PlyTest>,
    /// The lowest square of each.
    places: u128,
    shape: Shape,
    /// What else each of them asks.
    pub(super) rest: PlyTest,
}

/// Pieces wherever the lowest of their squares is.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Shape(Vec<PiecesAbove>);

/// Pieces by their codes, and how much higher than that square the numbers of theirs are.
#[derive(Debug, Clone, PartialEq, Eq)]
struct PiecesAbove {
    codes: Vec<u8>,
    above: Vec<u8>,
    on: SquareQuantifier,
}

/// On how many of the squares something stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SquareQuantifier {
    All,
    One,
    None,
}

/// The pieces of a condition with their squares, if there are few.
fn placed(test: &PlyTest) -> Option<(&Vec<u8>, u128, SquareQuantifier)> {
    let PlyTest::Pieces {
        codes,
        on,
        least,
        most,
        is_all,
    } = test
    else {
        return None;
    };
    let needed = match (least, most) {
        (_, &u32::MAX) if *is_all => SquareQuantifier::All,
        (1, &u32::MAX) => SquareQuantifier::One,
        (0, 0) => SquareQuantifier::None,
        _ => return None,
    };
    (1..=SQUARES_MAX)
        .contains(&on.count_ones())
        .then_some((codes, *on, needed))
}

/// The lowest square of a condition, the pieces around it, and what else it asks.
fn shape_of(node: &PlyTest) -> Option<(u32, Shape, PlyTest)> {
    let tests = match node {
        PlyTest::All(tests) => &tests[..],
        single => std::slice::from_ref(single),
    };
    if !node.label_uses().is_empty() {
        return None;
    }
    let lowest = tests.iter().filter_map(placed);
    let lowest = lowest.map(|(_, on, _)| on.trailing_zeros()).min()?;
    let mut shape = Vec::new();
    let mut rest = Vec::new();
    for test in tests {
        match placed(test) {
            Some((codes, on, needed)) => shape.push(PiecesAbove {
                codes: codes.clone(),
                above: (0..128)
                    .filter(|above| on >> lowest >> above & 1 == 1)
                    .collect(),
                on: needed,
            }),
            None => rest.push(test.clone()),
        }
    }
    Some((lowest, Shape(shape), PlyTest::all(rest)))
}

impl Shape {
    /// Which of some places have it.
    #[inline]
    fn places<T>(&self, places: T, pieces: impl Fn(u8) -> T) -> T
    where
        T: Copy + Shr<u8, Output = T>,
        T: BitAnd<Output = T> + BitOr<Output = T> + Not<Output = T>,
    {
        let none = places & !places;
        self.0.iter().fold(places, |places, around| {
            let codes = around.codes.iter();
            let standing = codes.fold(none, |all, code| all | pieces(*code));
            let moved = around.above.iter().map(|above| standing >> *above);
            match around.on {
                SquareQuantifier::All => moved.fold(places, |places, one| places & one),
                SquareQuantifier::One => places & moved.fold(none, |any, one| any | one),
                SquareQuantifier::None => moved.fold(places, |places, one| places & !one),
            }
        })
    }
}

impl ShiftTest {
    /// Conditions of which one holds; those of the same shape as one.
    pub(super) fn joined(nodes: Vec<PlyTest>) -> Vec<PlyTest> {
        let mut all: Vec<Self> = Vec::new();
        let mut others = Vec::new();
        for node in nodes {
            let Some((lowest, shape, rest)) = shape_of(&node) else {
                others.push(node);
                continue;
            };
            let place = 1 << lowest;
            let same = (all.iter_mut()).find(|known| known.shape == shape && known.rest == rest);
            if let Some(known) = same {
                known.each.push(node);
                known.places |= place;
            } else {
                all.push(Self {
                    each: vec![node],
                    places: place,
                    shape,
                    rest,
                });
            }
        }
        let joined = all.into_iter().flat_map(|test| {
            if test.each.len() < PLACES_MIN {
                test.each
            } else {
                vec![PlyTest::Shifted(Box::new(test))]
            }
        });
        joined.chain(others).collect()
    }

    /// Whether some place has the pieces.
    #[inline]
    pub(super) fn has_place<S: PositionView>(&self, sight: &S) -> bool {
        if S::IS_WIDE {
            self.shape.places(self.places, |code| sight.pieces(code)) != 0
        } else {
            let pieces = |code| sight.pieces(code) as u64;
            self.shape.places(self.places as u64, pieces) != 0
        }
    }
}
