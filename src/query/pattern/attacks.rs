//! What pieces of chess attack, defend and pin: the last test of a position.

use crate::games::chess::basics::{Bitboard, attacks};
use crate::games::view::{ANY, PositionView};

use super::{
    Area, AttackTarget, QueryError, TextSpan,
    attack_sets::{AttackCodes, PIECES, bishop_attacks, rook_attacks},
    compile::{Compiler, IfOnBoard},
    program::PlyTest,
    transform::Transform,
};

/// Targets that a query can have pieces attack at once: more than a queen sees.
const TARGETS_MAX: usize = 27;

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

/// The codes of single pieces that a code stands for.
fn single(code: u8) -> Vec<u8> {
    match ANY.iter().position(|any| *any == code) {
        Some(side) => PIECES[side].to_vec(),
        None => vec![code],
    }
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

impl Compiler<'_> {
    fn checked(&self, span: &TextSpan) -> Result<(), QueryError> {
        if self.board.moves_as_chess {
            return Ok(());
        }
        let what = format!("what attacks what is not known in {}", self.board.title);
        Err(QueryError::new(what, span.clone()).hint(
            "`attacks:` and `pins:` are about boards of chess and its variants of 64 squares",
        ))
    }

    fn pieces_of(
        &self,
        letters: &str,
        span: &TextSpan,
        views: &[Transform],
    ) -> Result<Vec<u8>, QueryError> {
        let codes = self.letters(letters, span, views)?;
        let mut codes: Vec<u8> = codes.into_iter().flat_map(single).collect();
        codes.sort_unstable();
        codes.dedup();
        Ok(codes)
    }

    /// N pieces attack something of each of some targets.
    pub(super) fn attacks(
        &self,
        (pieces, targets): (&str, &[Vec<AttackTarget>]),
        (least, most): (u32, u32),
        span: &TextSpan,
        views: &[Transform],
    ) -> IfOnBoard<PlyTest> {
        self.checked(span)?;
        if targets.len() > TARGETS_MAX {
            let what = format!(
                "`attacks:` names {} targets; the maximum is {TARGETS_MAX}",
                targets.len()
            );
            return Err(QueryError::new(what, span.clone()));
        }
        let by = self.pieces_of(pieces, span, views)?;
        let all = self.board.ground.all;
        // The attackers must be on the board, and so must what they attack.
        let mut tests = vec![PlyTest::pieces(by.clone(), all, (least, u32::MAX))];
        let mut each = Vec::new();
        for any in targets {
            let (mut codes, mut areas) = (Vec::new(), Vec::new());
            for target in any {
                match target {
                    AttackTarget::Pieces(letters) => {
                        codes.extend(self.pieces_of(letters, span, views)?);
                    }
                    AttackTarget::On(area) => areas.push(*area),
                }
            }
            let (squares, _) = self.mask(&areas, span, views)?;
            if least > 0 && squares == 0 && codes.is_empty() {
                return Ok(None);
            }
            if areas.is_empty() && least > 0 {
                tests.push(PlyTest::pieces(codes.clone(), all, (1, u32::MAX)));
            }
            each.push((codes, squares as u64));
        }
        each.sort_unstable();
        each.dedup();
        tests.push(PlyTest::Attack(Box::new(AttackTest::Attacks {
            by: AttackCodes::of(&by),
            each,
            least,
            most,
        })));
        Ok(Some(PlyTest::all(tests)))
    }

    /// A piece pins another to a third.
    pub(super) fn pins(
        &self,
        pieces: &[String; 3],
        span: &TextSpan,
        views: &[Transform],
    ) -> Result<PlyTest, QueryError> {
        self.checked(span)?;
        let mut codes = [const { Vec::new() }; 3];
        for (codes, letters) in codes.iter_mut().zip(pieces) {
            *codes = self.pieces_of(letters, span, views)?;
        }
        let all = self.board.ground.all;
        let there = |codes: &Vec<u8>| PlyTest::pieces(codes.clone(), all, (1, u32::MAX));
        let mut tests: Vec<PlyTest> = codes.iter().map(there).collect();
        let [by, pinned, behind] = codes;
        let by = AttackCodes::of(&by);
        tests.push(PlyTest::Attack(Box::new(AttackTest::Pins {
            by,
            pinned,
            behind,
        })));
        Ok(PlyTest::all(tests))
    }

    /// Some pieces stand nowhere but on some squares.
    pub(super) fn only(
        &self,
        pieces: &str,
        areas: &[Area],
        span: &TextSpan,
        views: &[Transform],
    ) -> Result<PlyTest, QueryError> {
        let codes = self.letters(pieces, span, views)?;
        let (on, _) = self.mask(areas, span, views)?;
        let elsewhere = self.board.ground.all & !on;
        Ok(PlyTest::pieces(codes, elsewhere, (0, 0)))
    }
}
