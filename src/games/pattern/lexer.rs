//! The tokens of a question.

use super::{Misread, TextSpan};
use crate::pgn::lexer::question;
pub(super) use crate::pgn::lexer::question::QuestionToken;

/// The tokens of a text with their places.
pub(super) fn tokens(text: &str) -> Result<Vec<(QuestionToken, TextSpan)>, Misread> {
    question::tokens(text)
        .map(|(token, span)| match token {
            Ok(token) => Ok((token, span)),
            Err(()) => Err(Misread::new("a quote is not closed", span)
                .hint("write a second `\"` behind the value")),
        })
        .collect()
}
