//! The value of the pieces of both sides.

use super::{QueryError, TextSpan, compile::Compiler, program::PlyTest};
use crate::games::view::{cased, code_of};
use crate::query::Ranges;

/// The pieces of chess and their values in pawns.
pub(super) const VALUES: [(char, i64); 5] = [('P', 1), ('N', 3), ('B', 3), ('R', 5), ('Q', 9)];

impl Compiler<'_> {
    /// An error where the value of pieces is not known.
    pub(super) fn has_values(&self, span: &TextSpan) -> Result<(), QueryError> {
        if self.board.moves_as_chess {
            return Ok(());
        }
        let what = format!("the value of pieces is not known in {}", self.board.title);
        Err(QueryError::new(what, span.clone())
            .hint("`value:` and `sacrifice:` are for chess and its variants on 64 squares"))
    }

    /// The material of one side, or of White less Black's; as Black's less White's where the colours
    /// are exchanged.
    pub(super) fn value(
        &self,
        side: Option<usize>,
        ranges: &Ranges<i64>,
        swaps: bool,
        span: &TextSpan,
    ) -> Result<PlyTest, QueryError> {
        self.has_values(span)?;
        let of = |side| {
            VALUES
                .map(|(letter, value)| (code_of(cased(letter, side)), value))
                .to_vec()
        };
        let first = usize::from(swaps);
        let sides = match side {
            Some(side) => [of(side), Vec::new()],
            None => [of(first), of(first ^ 1)],
        };
        Ok(PlyTest::Value(sides, ranges.clone()))
    }
}
