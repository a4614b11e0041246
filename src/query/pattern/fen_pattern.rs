//! Boards drawn rank by rank, as `pgn-extract` has them (`FENPattern`): `*/*/p??p?n*/*/???NP*`.
//!
//! | sign | meaning |
//! |---|---|
//! | a letter of a piece | that piece |
//! | `A`, `a` | any of White, of Black |
//! | `!` | any |
//! | `?` | any or none |
//! | a digit | that many empty squares |
//! | `*` | any number of squares, whatever stands there |
//! | `[NB]`, `[^NB]` | one of these; none of these |

use super::{
    Area, QueryError, TextSpan, compile::Compiler, program::PlyTest, transform::Transform,
};

/// The most ways that the squares of a rank may be meant in.
const WAYS_MAX: usize = 2048;

/// What stands on a square, or on several.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SquareWildcard {
    /// One of these pieces, or none of them.
    Pieces {
        /// Letters; `_` is an empty square, `x` any piece.
        letters: String,
        /// None of them.
        is_none: bool,
    },
    /// Whatever there is.
    Any,
    /// Any number of squares.
    Some,
}

/// Reads the ranks of a board, the uppermost first; `None` if they are not drawn so.
pub(super) fn read(text: &str) -> Option<Vec<Vec<SquareWildcard>>> {
    text.split('/').map(read_rank).collect()
}

fn read_rank(text: &str) -> Option<Vec<SquareWildcard>> {
    let pieces = |letters: &str, is_none| SquareWildcard::Pieces {
        letters: letters.to_owned(),
        is_none,
    };
    let mut squares = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        rest = &rest[first.len_utf8()..];
        match first {
            '?' => squares.push(SquareWildcard::Any),
            '!' => squares.push(pieces("x", false)),
            '*' if squares.last() == Some(&SquareWildcard::Some) => {}
            '*' => squares.push(SquareWildcard::Some),
            '1'..='9' => {
                let empty = first.to_digit(10)? as usize;
                squares.extend(std::iter::repeat_n(pieces("_", false), empty));
            }
            '[' => {
                let (inner, behind) = rest.split_once(']')?;
                let (is_none, letters) = match inner.strip_prefix('^') {
                    Some(letters) => (true, letters),
                    None => (false, inner),
                };
                let are_letters = letters.chars().all(|c| c.is_ascii_alphabetic());
                if letters.is_empty() || !are_letters {
                    return None;
                }
                squares.push(pieces(letters, is_none));
                rest = behind;
            }
            letter if letter.is_ascii_alphabetic() => {
                squares.push(pieces(&letter.to_string(), false));
            }
            _ => return None,
        }
    }
    (!squares.is_empty()).then_some(squares)
}

impl Compiler<'_> {
    /// A drawn board.
    pub(super) fn drawn(
        &self,
        ranks: &[Vec<SquareWildcard>],
        span: &TextSpan,
        views: &[Transform],
    ) -> Result<PlyTest, QueryError> {
        let ground = &self.board.ground;
        let wrong = |message: String| QueryError::new(message, span.clone());
        if ranks.len() != usize::from(ground.rows) {
            return Err(wrong(format!(
                "{} ranks are drawn, and the board of {} has {}",
                ranks.len(),
                self.board.title,
                ground.rows
            ))
            .hint("write all ranks with / between them; * matches any rank"));
        }
        let mut all = Vec::new();
        for (squares, row) in ranks.iter().zip((0..ground.rows).rev()) {
            let ways = ways(squares, usize::from(ground.columns));
            if ways.is_empty() {
                return Err(wrong(format!(
                    "a rank is drawn with another number of squares than {}",
                    ground.columns
                ))
                .hint("write * for any number of squares"));
            }
            if ways.len() > WAYS_MAX {
                return Err(
                    wrong("a rank can be read in too many ways".to_owned()).hint("write fewer *")
                );
            }
            let mut any = Vec::new();
            'ways: for way in ways {
                let mut tests = Vec::new();
                for (letters, is_none, column) in way {
                    let codes = self.letters(letters, span, views)?;
                    let area = Area::Placed {
                        columns: Some((column, column)),
                        rows: Some((row, row)),
                    };
                    let (on, _) = self.mask(&[area], span, views)?;
                    match (on, is_none) {
                        // Nothing stands beside the board.
                        (0, true) => continue,
                        (0, false) => continue 'ways,
                        _ => {}
                    }
                    let numbers = if is_none { (0, 0) } else { (1, u32::MAX) };
                    tests.push(PlyTest::pieces(codes, on, numbers));
                }
                any.push(PlyTest::all(tests));
            }
            // A way that asks nothing is enough.
            all.push(PlyTest::any(any));
        }
        Ok(PlyTest::all(all))
    }
}

/// A piece, or none, on the square of a column.
type OnColumn<'r> = (&'r str, bool, u8);

/// The ways that a rank of that many columns may be meant in.
fn ways(squares: &[SquareWildcard], columns: usize) -> Vec<Vec<OnColumn<'_>>> {
    let single = |square: &&SquareWildcard| **square != SquareWildcard::Some;
    let Some(free) = columns.checked_sub(squares.iter().filter(single).count()) else {
        return Vec::new();
    };
    let mut found: Vec<(Vec<OnColumn<'_>>, usize, usize)> = vec![(Vec::new(), 0, free)];
    for square in squares {
        let mut next = Vec::new();
        for (way, column, free) in found {
            match square {
                SquareWildcard::Any => next.push((way, column + 1, free)),
                SquareWildcard::Pieces { letters, is_none } => {
                    let mut way = way;
                    way.push((letters, *is_none, column as u8));
                    next.push((way, column + 1, free));
                }
                SquareWildcard::Some => {
                    for taken in 0..=free {
                        next.push((way.clone(), column + taken, free - taken));
                    }
                }
            }
        }
        found = next;
        found.truncate(WAYS_MAX + 1);
    }
    let mut ways: Vec<_> = (found.into_iter())
        .filter(|(_, column, _)| *column == columns)
        .map(|(way, ..)| way)
        .collect();
    ways.sort_unstable();
    ways.dedup();
    ways
}
