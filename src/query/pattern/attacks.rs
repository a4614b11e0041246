//! Conditions on what pieces of chess attack, defend and pin, as tests of a position.

use super::{
    Area, AttackTarget, QueryError, TextSpan,
    attack_sets::{AttackCodes, PIECES},
    attack_test::AttackTest,
    compile::{Compiler, IfOnBoard},
    program::PlyTest,
    transform::Transform,
};
use crate::games::view::ANY;

/// Targets that a query can have pieces attack at once: more than a queen sees.
const TARGETS_MAX: usize = 27;

/// The codes of single pieces that a code stands for.
fn single(code: u8) -> Vec<u8> {
    match ANY.iter().position(|any| *any == code) {
        Some(side) => PIECES[side].to_vec(),
        None => vec![code],
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
