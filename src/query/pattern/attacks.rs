//! What pieces of chess attack, defend and pin: the last test of a position.

use crate::games::chess::basics::{Bitboard, Color, Piece, Role, attacks};

use super::{
    Area, AttackTarget, QueryError, TextSpan,
    compile::{Compiler, IfOnBoard},
    program::PlyTest,
    transform::Transform,
};
use crate::games::view::{ANY, PositionView, code_of};

/// Targets that a query can have pieces attack at once: more than a queen sees.
const TARGETS_MAX: usize = 27;

/// What some pieces of chess attack, or whom they pin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum AttackTest {
    /// N of some pieces attack something of each of these: pieces by their codes, or squares.
    Attacks {
        by: Vec<u8>,
        each: Vec<(Vec<u8>, u64)>,
        least: u32,
        most: u32,
    },
    /// One of the first stands on a line with one of the last, and between them nothing but one
    /// of the second.
    Pins([Vec<u8>; 3]),
}

/// The piece that a code stands for; none where it stands for several.
pub(super) const fn piece(code: u8) -> Option<Piece> {
    let letter = (code & 31 | 64) as char;
    match Role::from_char(letter) {
        Some(role) => Some(Piece {
            color: Color::from_white(code < 32),
            role,
        }),
        None => None,
    }
}

/// The codes of single pieces that a code stands for.
pub(super) fn single(code: u8) -> Vec<u8> {
    match ANY.iter().position(|any| *any == code) {
        Some(side) => "PNBRQK"
            .chars()
            .map(|letter| code_of(letter) + 32 * side as u8)
            .collect(),
        None => vec![code],
    }
}

fn standing<S: PositionView>(sight: &S, codes: &[u8]) -> u64 {
    codes
        .iter()
        .fold(0, |all, code| all | sight.pieces(*code) as u64)
}

impl AttackTest {
    /// Whether it is so.
    pub(super) fn holds<S: PositionView>(&self, sight: &S) -> bool {
        let occupied = Bitboard(standing(sight, &ANY));
        let pieces = |codes: &[u8]| {
            let kinds = codes
                .iter()
                .filter_map(|code| Some((piece(*code)?, sight.pieces(*code) as u64)));
            let each =
                kinds.flat_map(|(piece, on)| Bitboard(on).into_iter().map(move |at| (piece, at)));
            each.collect::<Vec<_>>()
        };
        match self {
            Self::Attacks {
                by,
                each,
                least,
                most,
            } => {
                let targets: Vec<u64> = (each.iter())
                    .map(|(codes, squares)| standing(sight, codes) | squares)
                    .collect();
                let pieces = pieces(by).into_iter().filter(|(piece, at)| {
                    let seen = attacks::attacks(*at, *piece, occupied).0;
                    targets.iter().all(|target| seen & target != 0)
                });
                (*least..=*most).contains(&(pieces.count() as u32))
            }
            Self::Pins([by, pinned, behind]) => {
                let (pinned, behind) = (standing(sight, pinned), standing(sight, behind));
                pieces(by).into_iter().any(|(piece, at)| {
                    let lines = attacks::attacks(at, piece, Bitboard(0)).0;
                    Bitboard(lines & behind).into_iter().any(|king| {
                        let between = attacks::between(at, king).0 & occupied.0;
                        between.is_power_of_two() && between & pinned != 0
                    })
                })
            }
        }
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
            by,
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
        tests.push(PlyTest::Attack(Box::new(AttackTest::Pins(codes))));
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
