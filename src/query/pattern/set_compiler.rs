//! Sets of squares made ready for a board.

use super::{
    QueryError, SetCount, SetFunction, SquareExpr, TextSpan,
    compile::{Compiler, IfOnBoard},
    line_history::LabelUse,
    program::PlyTest,
    set_test::{MoveSetTest, SetNode, SetTest},
    transform::Transform,
};
use crate::games::view::{ANY, EMPTY};

impl Compiler<'_> {
    /// N squares of a set, or as many as of another.
    pub(super) fn set(
        &self,
        (set, count): (&SquareExpr, &SetCount),
        span: &TextSpan,
        views: &[Transform],
    ) -> IfOnBoard<PlyTest> {
        self.has_sets(set, span)?;
        let node = self.set_node(set, span, views)?;
        let (less, (least, most)) = match count {
            SetCount::In((least, most)) => (None, (i64::from(*least), i64::from(*most))),
            SetCount::Relative { to, plus } => {
                let to = self.set_node(to, span, views)?;
                (Some(to), (i64::from(plus.0), i64::from(plus.1)))
            }
        };
        let mut tests = Vec::new();
        if less.is_none() && least > 0 {
            // No more of them than there are pieces which they are chosen from.
            if let Some((codes, on)) = node.chosen_from() {
                if on == 0 {
                    return Ok(None);
                }
                let least = u32::try_from(least).unwrap_or(u32::MAX);
                tests.push(PlyTest::pieces(codes.clone(), on.into(), (least, u32::MAX)));
            }
        }
        tests.push(PlyTest::Set(Box::new(SetTest {
            set: node,
            less,
            least,
            most,
        })));
        Ok(Some(PlyTest::all(tests)))
    }

    fn has_sets(&self, set: &SquareExpr, span: &TextSpan) -> Result<(), QueryError> {
        if self.board.moves_as_chess {
            return Ok(());
        }
        let what = format!("`{set}` is not known in {}", self.board.title);
        Err(QueryError::new(what, span.clone())
            .hint("sets of squares are for chess and its variants on 64 squares"))
    }

    /// A move from a square of a set, or to one.
    pub(super) fn move_set(
        &self,
        set: &SquareExpr,
        is_from: bool,
        span: &TextSpan,
        views: &[Transform],
    ) -> Result<PlyTest, QueryError> {
        self.has_sets(set, span)?;
        let set = self.set_node(set, span, views)?;
        Ok(PlyTest::MoveSet(Box::new(MoveSetTest { set, is_from })))
    }

    fn set_node(
        &self,
        set: &SquareExpr,
        span: &TextSpan,
        views: &[Transform],
    ) -> Result<SetNode, QueryError> {
        let both = |one: &SquareExpr, other: &SquareExpr| {
            Ok::<_, QueryError>((
                Box::new(self.set_node(one, span, views)?),
                Box::new(self.set_node(other, span, views)?),
            ))
        };
        Ok(match set {
            SquareExpr::Pieces { pieces, on } => {
                let on = match &on[..] {
                    [] => u64::MAX,
                    on => self.mask(on, span, views)?.0 as u64,
                };
                let codes = self.set_codes(pieces, span, views).map_err(|error| {
                    let is_square = pieces.chars().all(|c| ('a'..='h').contains(&c));
                    let hint = format!("write the pieces before the squares, such as P{set}");
                    if is_square { error.hint(hint) } else { error }
                })?;
                SetNode::Pieces { codes, on }
            }
            SquareExpr::Labelled { pieces, label, on } => SetNode::Labelled(LabelUse {
                label: usize::from(label - 1),
                codes: self.letters(pieces, span, views)?,
                on: match &on[..] {
                    [] => u64::MAX,
                    on => self.mask(on, span, views)?.0 as u64,
                },
            }),
            SquareExpr::On(pieces, inner)
                if **inner == SquareExpr::Function(SetFunction::HalfOpen, Vec::new()) =>
            {
                let codes = self.set_codes(pieces, span, views)?;
                let of = |side: usize| {
                    let own = codes.iter().copied();
                    let codes: Vec<u8> =
                        own.filter(|code| usize::from(*code > 32) == side).collect();
                    let pieces = SetNode::Pieces {
                        codes,
                        on: u64::MAX,
                    };
                    SetNode::And(Box::new(pieces), Box::new(SetNode::HalfOpen(side)))
                };
                SetNode::Or(Box::new(of(0)), Box::new(of(1)))
            }
            SquareExpr::Function(SetFunction::HalfOpen, _) => {
                return Err(QueryError::new("`halfopen` is of pieces", span.clone())
                    .hint("write whose: R:halfopen"));
            }
            SquareExpr::On(pieces, inner) => {
                let pieces = SetNode::Pieces {
                    codes: self.set_codes(pieces, span, views)?,
                    on: u64::MAX,
                };
                let inner = self.set_node(inner, span, views)?;
                SetNode::And(Box::new(pieces), Box::new(inner))
            }
            SquareExpr::Function(function, sets) => {
                let sets = sets.iter().map(|set| self.set_node(set, span, views));
                SetNode::Function(*function, sets.collect::<Result<_, _>>()?)
            }
            SquareExpr::And(one, other) => {
                let (one, other) = both(one, other)?;
                SetNode::And(one, other)
            }
            SquareExpr::Without(one, other) => {
                let (one, other) = both(one, other)?;
                SetNode::Without(one, other)
            }
            SquareExpr::Or(one, other) => {
                let (one, other) = both(one, other)?;
                SetNode::Or(one, other)
            }
        })
    }

    fn set_codes(
        &self,
        pieces: &str,
        span: &TextSpan,
        views: &[Transform],
    ) -> Result<Vec<u8>, QueryError> {
        if pieces == "." {
            return Ok(vec![EMPTY, ANY[0], ANY[1]]);
        }
        self.letters(pieces, span, views)
    }
}
