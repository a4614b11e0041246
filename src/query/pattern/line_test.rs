//! Conditions of a ply that follow from the line as a whole: how often the position has stood, what is
//! given up and not regained, which moves could be played.

use super::{
    MoveTerm, Numbers, QueryError, TextSpan,
    compile::{Compiler, IfOnBoard},
    move_test::MoveTest,
    ply_set::PlySet,
    program::PlyTest,
    transform::Transform,
    value::VALUES,
};
use crate::games::{
    BoardGame, Budget, GameEnd, MoveStyle,
    notation::letters::ENGLISH,
    view::{MoveInfo, PieceSets, cased, code_of},
};

/// A condition whose plies follow from a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum LineTest {
    /// The position stands for this time, counted from 1.
    Repetition(Numbers),
    /// This many plies ago a piece was captured or a pawn moved.
    Fifty(Numbers),
    /// Some legal move is such a one.
    Legal(Box<MoveTest>),
    /// The side to move gives material.
    Sacrifice(SacrificeTerm),
}

/// Material that the side to move gives and does not regain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SacrificeTerm {
    /// How many pawns it is worth at least; `None` is an exchange: a rook for a minor piece.
    pub pawns: Option<u32>,
    /// How many plies it stays so, or to the end of the line.
    pub plies: u32,
}

impl SacrificeTerm {
    /// The pawns and the plies of `sacrifice`.
    pub(super) const USUAL: Self = Self {
        pawns: Some(2),
        plies: 8,
    };

    /// Reads `2`, `8,6` or `exchange`.
    pub(super) fn read(text: &str) -> Option<Self> {
        let (what, plies) = match text.split_once(',') {
            Some((what, plies)) => (what, plies.parse().ok().filter(|plies| *plies >= 2)?),
            None => (text, Self::USUAL.plies),
        };
        let pawns = if what.eq_ignore_ascii_case("exchange") {
            None
        } else {
            Some(what.parse().ok().filter(|pawns| *pawns > 0)?)
        };
        Some(Self { pawns, plies })
    }

    /// The plies at which it is so.
    ///
    /// Let b be the value of the pieces of the side to move at ply p less that of the other side. Its
    /// least value at p and at p − 2 is the base. At p + 2, p + 4 … up to p + [`plies`](Self::plies) or
    /// to the end of the line, at least once, b is below the base by the pawns.
    pub(super) fn plies(self, steps: &[LineStep]) -> PlySet {
        let mut found = PlySet::default();
        for (ply, step) in steps.iter().enumerate() {
            let end = (ply + self.plies as usize).min(steps.len() - 1);
            let before = ply.checked_sub(2).map(|before| &steps[before]);
            let mut later = steps[..=end].iter().skip(ply + 2).step_by(2).peekable();
            let side = step.turn;
            let more = |step: &LineStep| step.value(side) - step.value(side ^ 1);
            let (now, then) = (more(step), before.map_or(i64::MAX, more));
            let is_given = |later: &LineStep| match self.pawns {
                Some(pawns) => more(later) <= now.min(then) - i64::from(pawns),
                None => now <= then && step.has_lost_exchange(later),
            };
            if later.peek().is_some() && later.all(is_given) {
                found.insert(ply as u32);
            }
        }
        found
    }
}

/// The material of a position of a line.
#[derive(Debug, Clone, Copy)]
pub(super) struct LineStep {
    turn: usize,
    /// How many of each kind of [`VALUES`] each side has.
    counts: [[u8; VALUES.len()]; 2],
}

impl LineStep {
    pub(super) fn of(turn: usize, sets: &PieceSets) -> Self {
        let count =
            |side, (letter, _)| sets.pieces(code_of(cased(letter, side))).count_ones() as u8;
        Self {
            turn: turn & 1,
            counts: [0, 1].map(|side| VALUES.map(|kind| count(side, kind))),
        }
    }

    fn value(&self, side: usize) -> i64 {
        let kinds = self.counts[side & 1].iter().zip(VALUES);
        kinds
            .map(|(count, (_, value))| i64::from(*count) * value)
            .sum()
    }

    /// Whether later the side to move here has a rook fewer and a minor piece more than the other,
    /// compared with now, and queens as now.
    fn has_lost_exchange(&self, later: &Self) -> bool {
        let more = |step: &Self, letters: &[char]| -> i32 {
            let kinds = VALUES.iter().enumerate();
            let kinds = kinds.filter(|(_, (letter, _))| letters.contains(letter));
            let of = |kind: usize, side: usize| i32::from(step.counts[side & 1][kind]);
            kinds
                .map(|(kind, _)| of(kind, self.turn) - of(kind, self.turn ^ 1))
                .sum()
        };
        let change = |letters: &[char]| more(later, letters) - more(self, letters);
        change(&['R']) == -1 && change(&['N', 'B']) == 1 && change(&['Q']) == 0
    }
}

impl MoveTest {
    /// Whether some legal move of a position is such a one.
    pub(super) fn is_legal<G: BoardGame>(
        &self,
        at: &G,
        before: &PieceSets,
        budget: Budget,
    ) -> bool {
        let mut moves = Vec::new();
        // What cannot be listed is not known to be there.
        if at.legal(budget, &mut moves).is_err() {
            return false;
        }
        moves.into_iter().any(|m| {
            let mut next = at.clone();
            next.play(m);
            if (self.check || self.mate) && !next.is_check() {
                return false;
            }
            let mut info = MoveInfo::of_move(at, m, [before, &next.sets()]);
            // Boards do not show castling in which one of both stays where it is.
            if self.castles != 0 && info.castles == 0 {
                info.castles = match at.write(m, MoveStyle::Usual, ENGLISH) {
                    long if long.starts_with("O-O-O") => 2,
                    short if short.starts_with("O-O") => 1,
                    _ => 0,
                };
            }
            let gives = || (next.is_check(), next.outcome() == Some(GameEnd::Checkmate));
            self.fits(&info, gives)
        })
    }
}

impl Compiler<'_> {
    /// A test on the line, as a condition of a ply.
    pub(super) fn line_test(&self, test: LineTest) -> PlyTest {
        let mut tests = self.line_tests.borrow_mut();
        let known = tests.iter().position(|known| *known == test);
        let at = known.unwrap_or_else(|| {
            tests.push(test);
            tests.len() - 1
        });
        PlyTest::Fact(self.facts.len() + at)
    }

    /// Some legal move is such a one.
    pub(super) fn legal(
        &self,
        asked: &MoveTerm,
        span: &TextSpan,
        views: &[Transform],
    ) -> IfOnBoard<PlyTest> {
        let test = self.a_move(asked, span, views)?;
        Ok(test.map(|test| self.line_test(LineTest::Legal(test))))
    }

    /// The side to move gives material.
    pub(super) fn sacrifice(
        &self,
        asked: SacrificeTerm,
        span: &TextSpan,
    ) -> Result<PlyTest, QueryError> {
        self.has_values(span)?;
        Ok(self.line_test(LineTest::Sacrifice(asked)))
    }
}
