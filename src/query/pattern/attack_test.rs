//! The test of what pieces of chess attack and pin: the last one of a position.

use super::attack_sets::{AttackCodes, bishop_attacks, rook_attacks};
use crate::games::chess::basics::{Bitboard, attacks};
use crate::games::view::{ANY, PositionView};

/// What some pieces of chess attack, or whom they pin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum AttackTest {
    /// N of some pieces attack something of each of these: pieces by their codes, or squares.
    Attacks {
        by: AttackCodes,
        each: Vec<(Vec<u8>, u64)>,
        least: u32,
        most: u32,
    },
    /// One of the first stands on a line with one of the last, and between them nothing but one
    /// of the second.
    Pins {
        by: AttackCodes,
        pinned: Vec<u8>,
        behind: Vec<u8>,
    },
}

fn standing<S: PositionView>(sight: &S, codes: &[u8]) -> u64 {
    codes
        .iter()
        .fold(0, |all, code| all | sight.pieces(*code) as u64)
}

/// Whether between one of some squares and one of others, which it sees on an empty board, there is
/// nothing but one of a third kind.
fn is_pinned(
    (ones, others): (u64, u64),
    sees: fn(u64, u64) -> u64,
    (pinned, occupied): (u64, u64),
) -> bool {
    // Lines lead both ways: the fewer squares are where to begin.
    let (fewer, more) = if ones.count_ones() < others.count_ones() {
        (ones, others)
    } else {
        (others, ones)
    };
    Bitboard(fewer).into_iter().any(|one| {
        let ends = sees(1 << u32::from(one), 0) & more;
        Bitboard(ends).into_iter().any(|other| {
            let between = attacks::between(one, other).0 & occupied;
            between.is_power_of_two() && between & pinned != 0
        })
    })
}

impl AttackTest {
    /// Whether it is so.
    pub(super) fn holds<S: PositionView>(&self, sight: &S) -> bool {
        let occupied = standing(sight, &ANY);
        match self {
            Self::Attacks {
                by,
                each,
                least,
                most,
            } => {
                let by = by.on(sight);
                let mut found = by;
                for (codes, squares) in each {
                    let targets = standing(sight, codes) | squares;
                    found = found.within(found.attackers(targets, occupied));
                }
                (*least..=*most).contains(&found.all().count_ones())
            }
            Self::Pins { by, pinned, behind } => {
                let [straight, diagonal] = by.on(sight).lines();
                let behind = standing(sight, behind);
                let between = (standing(sight, pinned), occupied);
                is_pinned((straight, behind), rook_attacks, between)
                    || is_pinned((diagonal, behind), bishop_attacks, between)
            }
        }
    }

    /// Pieces by their codes and the squares to which they are bound, if a number of them is needed
    /// and squares are attacked: from others they see none of these, whatever stands between.
    pub(super) fn needed(&self) -> Option<(Vec<(u8, u64)>, u32)> {
        let Self::Attacks {
            by, each, least, ..
        } = self
        else {
            return None;
        };
        let seen_from = |code: u8| {
            let everywhere = AttackCodes::of(&[code]).sets(|_| u64::MAX);
            let of_squares = each.iter().filter(|(codes, _)| codes.is_empty());
            of_squares.fold(u64::MAX, |from, (_, squares)| {
                from & everywhere.attackers(*squares, 0)
            })
        };
        let bound: Vec<(u8, u64)> = by.codes().map(|code| (code, seen_from(code))).collect();
        let is_bound = bound.iter().any(|(_, from)| *from != u64::MAX);
        (is_bound && *least > 0).then_some((bound, *least))
    }
}
