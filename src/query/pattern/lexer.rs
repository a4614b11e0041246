//! The tokens of a query.

use super::{QueryError, TextSpan, square_set::SquareExpr};
use crate::pgn::lexer::query;
pub(super) use crate::pgn::lexer::query::QueryToken;

/// The tokens of a text with their places. A set of squares with brackets is one word.
pub(super) fn tokens(text: &str) -> Result<Vec<(QueryToken, TextSpan)>, QueryError> {
    let read = query::tokens(text).map(|(token, span)| match token {
        Ok(token) => Ok((token, span)),
        Err(()) => Err(QueryError::new("a quote is not closed", span)
            .hint("write a second `\"` after the value")),
    });
    let read: Vec<_> = read.collect::<Result<_, _>>()?;
    let mut joined: Vec<(QueryToken, TextSpan)> = Vec::with_capacity(read.len());
    let mut at = 0;
    while let Some((token, span)) = read.get(at) {
        if *token == QueryToken::Open
            && let Some((end, last)) = set_in_brackets(text, &read[at..], joined.last())
        {
            let before = joined.pop_if(|last| is_beside(last, span.start));
            let (last_token, close) = &read[at + end - 1];
            let is_group = before.is_none() && *last_token == QueryToken::Close;
            if is_group && is_seen(joined.last()) {
                // The brackets say how far the symmetry goes.
                joined.push((QueryToken::Open, span.clone()));
                let inner = &text[span.end..close.start];
                let start = span.end + inner.len() - inner.trim_start().len();
                joined.push((QueryToken::Word, start..start + inner.trim().len()));
                joined.push((QueryToken::Close, close.clone()));
            } else {
                let start = before.map_or(span.start, |(_, before)| before.start);
                joined.push((QueryToken::Word, start..last));
            }
            at += end;
        } else {
            joined.push((*token, span.clone()));
            at += 1;
        }
    }
    Ok(joined)
}

/// How many tokens from a bracket on are part of a set of squares, and where its word ends; `None` if
/// the bracket is one of conditions.
fn set_in_brackets(
    text: &str,
    tokens: &[(QueryToken, TextSpan)],
    before: Option<&(QueryToken, TextSpan)>,
) -> Option<(usize, usize)> {
    let open = tokens[0].1.start;
    let before = before.filter(|last| is_beside(last, open));
    let (mut depth, mut count) = (0, 0);
    let mut end = open;
    for (token, span) in tokens {
        // The set ends with a blank outside brackets.
        if depth == 0 && count > 0 && span.start > end {
            break;
        }
        match token {
            QueryToken::Open => depth += 1,
            QueryToken::Close if depth == 0 => break,
            QueryToken::Close => depth -= 1,
            QueryToken::Word => {}
            _ => return None,
        }
        (count, end) = (count + 1, span.end);
    }
    if depth > 0 {
        return None;
    }
    let inner = &text[open..end];
    if before.is_none() && !inner.contains(['|', '&']) {
        return None;
    }
    let word = &text[before.map_or(open, |(_, span)| span.start)..end];
    let set = word.split_once('=').map_or(word, |(set, _)| set);
    SquareExpr::read(set).map(|_| (count, end))
}

/// Whether a token says in which other ways the board is looked at.
const fn is_seen(token: Option<&(QueryToken, TextSpan)>) -> bool {
    matches!(
        token,
        Some((
            QueryToken::Either
                | QueryToken::Mirror
                | QueryToken::Rotate
                | QueryToken::Shift
                | QueryToken::ShiftX
                | QueryToken::ShiftY,
            _
        ))
    )
}

/// Whether a token is a word that ends there.
const fn is_beside((token, span): &(QueryToken, TextSpan), at: usize) -> bool {
    matches!(token, QueryToken::Word) && span.end == at
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<&str> {
        let read = tokens(text).expect(text);
        read.into_iter().map(|(_, span)| &text[span]).collect()
    }

    #[test]
    fn a_set_with_brackets_is_one_word() {
        for (text, expected) in [
            (
                "(passed:P | passed:p)=1 Q",
                &["(passed:P | passed:p)=1", "Q"][..],
            ),
            ("Q R:(open & files:k)", &["Q", "R:(open & files:k)"]),
            ("ray(R, a, q) mate", &["ray(R, a, q)", "mate"]),
            ("P=(R|N)+2..", &["P=(R|N)+2.."]),
            ("(mate or check)", &["(", "mate", "or", "check", ")"]),
            ("(passed:P&b to:e4)", &["(", "passed:P&b", "to:e4", ")"]),
            ("not(R|Q)", &["not", "(R|Q)"]),
            ("((R|Q)=2 or q)", &["(", "(R|Q)=2", "or", "q", ")"]),
            // The symmetry is of the bracket, not of what follows.
            ("rotate (R | Q) q", &["rotate", "(", "R | Q", ")", "q"]),
            ("rotate (R|Q)=2 q", &["rotate", "(R|Q)=2", "q"]),
        ] {
            assert_eq!(words(text), expected, "{text}");
        }
    }
}
