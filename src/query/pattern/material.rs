//! Material: the number of each piece.

use super::{
    QueryError, TextSpan,
    compile::Compiler,
    program::{ANYBODY, PlyTest},
};
use crate::games::view::{PieceSets, cased, code_of};
use crate::games::{self, AnyPosition};

/// The letters of pieces in the order of their worth, as far as there is one; others follow.
const BY_WORTH: &str = "KQRBNP";

/// What is on a board, as queries ask for it: `KRPvKR`, White first, or `men:3v2 kings:1v0`.
pub fn written(position: &AnyPosition) -> String {
    let sets = PieceSets::of(&position.diagram());
    let number = |letter: char, side| {
        let code = code_of(cased(letter, side));
        sets.pieces(code).count_ones()
    };
    if games::crowns(position.variant()) {
        let counts = [("men", 'M'), ("kings", 'K')].map(|(name, letter)| {
            let [white, black] = [0, 1].map(|side| number(letter, side));
            format!("{name}:{white}v{black}")
        });
        return counts.join(" ");
    }
    let others = ('A'..='Z').filter(|letter| !BY_WORTH.contains(*letter));
    let mut text = String::new();
    for side in 0..2 {
        if side == 1 {
            text.push('v');
        }
        for letter in BY_WORTH.chars().chain(others.clone()) {
            for _ in 0..number(letter, side) {
                text.push(letter);
            }
        }
    }
    text
}

impl Compiler<'_> {
    /// The pieces of both sides; the first is White (0) or Black.
    pub(super) fn material(
        &self,
        sides: &[String; 2],
        first: usize,
        at_least: bool,
        span: &TextSpan,
    ) -> Result<PlyTest, QueryError> {
        let mut nodes = Vec::new();
        let kinds = self.kinds(&sides.concat(), span)?;
        let always_has_king = |side: usize| self.board.always_has_king(first ^ side);
        let is_none = |side: usize| sides[side].is_empty() && always_has_king(side);
        if is_none(0) || is_none(1) {
            let message = "write the pieces of both sides, such as KRPvKR";
            return Err(QueryError::new(message, span.clone()));
        }
        let sides = &self.own_letters(sides);
        let names_king = |side: usize| sides[side].contains('K');
        // A king that is not written counts all the same where there always is one.
        let unwritten = [0, 1].map(|side| u32::from(!names_king(side) && always_has_king(side)));
        let total = sides.concat().len() as u32 + unwritten.iter().sum::<u32>();
        let are_written = names_king(0) && names_king(1);
        if are_written || !(always_has_king(0) && always_has_king(1)) {
            let most = if at_least { u32::MAX } else { total };
            nodes.push(PlyTest::pieces(
                ANYBODY.to_vec(),
                self.board.ground.all,
                (total, most),
            ));
        }
        for (side, pieces) in sides.iter().enumerate() {
            for &kind in &kinds {
                let wanted = pieces.matches(kind).count() as u32;
                if kind == 'K' && always_has_king(side) && wanted < 2 {
                    continue;
                }
                let codes = vec![code_of(cased(kind, first ^ side))];
                let most = if at_least { u32::MAX } else { wanted };
                nodes.push(PlyTest::pieces(
                    codes,
                    self.board.ground.all,
                    (wanted, most),
                ));
            }
        }
        nodes.retain(|node| {
            !matches!(
                node,
                PlyTest::Pieces {
                    least: 0,
                    most: u32::MAX,
                    ..
                }
            )
        });
        Ok(PlyTest::all(nodes))
    }

    /// By how much more pieces the first side has of each kind; where both sides name pieces of a kind,
    /// how many each side has of the kinds that are named.
    pub(super) fn imbalance(
        &self,
        sides: &[String; 2],
        first: usize,
        span: &TextSpan,
    ) -> Result<PlyTest, QueryError> {
        let mut nodes = Vec::new();
        let kinds = self.kinds(&sides.concat(), span)?;
        let sides = &self.own_letters(sides);
        let is_counted = kinds
            .iter()
            .any(|&kind| sides.iter().all(|pieces| pieces.contains(kind)));
        for kind in kinds {
            let [more, less] = [0, 1].map(|side: usize| sides[side].matches(kind).count() as i32);
            if more == 0 && less == 0 && matches!(kind, 'P' | 'K') {
                continue;
            }
            if is_counted && more + less > 0 {
                for (side, count) in [(first, more), (first ^ 1, less)] {
                    let codes = vec![code_of(cased(kind, side))];
                    let count = count.unsigned_abs();
                    nodes.push(PlyTest::pieces(
                        codes,
                        self.board.ground.all,
                        (count, count),
                    ));
                }
                continue;
            }
            nodes.push(PlyTest::Balance {
                codes: [first, first ^ 1].map(|side| vec![code_of(cased(kind, side))]),
                on: self.board.ground.all,
                least: more - less,
                most: more - less,
            });
        }
        Ok(PlyTest::all(nodes))
    }

    /// The pieces of both sides by the letters that they have on the board.
    fn own_letters(&self, sides: &[String; 2]) -> [String; 2] {
        [0, 1].map(|side: usize| {
            let letters = sides[side].chars();
            letters.map(|letter| self.board.own(letter)).collect()
        })
    }

    /// The kinds of pieces of the board, in capitals; those of a text are among them.
    pub(super) fn kinds(&self, text: &str, span: &TextSpan) -> Result<Vec<char>, QueryError> {
        let mut letters = text.chars();
        let missing = letters.find(|&letter| !self.board.has(self.board.own(letter)));
        match missing {
            Some(letter) => Err(QueryError::new(
                format!("{} has no piece `{letter}`", self.board.title),
                span.clone(),
            )
            .hint(self.board.letters_hint())),
            None => Ok(('A'..='Z')
                .filter(|&letter| self.board.has(letter))
                .collect()),
        }
    }
}
