//! The tokens of a query.

use super::{QueryError, TextSpan};
use crate::pgn::lexer::question;
pub(super) use crate::pgn::lexer::question::QueryToken;

/// The tokens of a text with their places.
pub(super) fn tokens(text: &str) -> Result<Vec<(QueryToken, TextSpan)>, QueryError> {
    question::tokens(text)
        .map(|(token, span)| match token {
            Ok(token) => Ok((token, span)),
            Err(()) => Err(QueryError::new("a quote is not closed", span)
                .hint("write a second `\"` after the value")),
        })
        .collect()
}
