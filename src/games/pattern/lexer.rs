//! Cuts a question into words, parentheses and braces.

use logos::Logos;

use super::{Misread, Span};

/// A token of a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Logos)]
#[logos(skip r"[ \t\r\n\f]+")]
pub(super) enum Token {
    #[token("(")]
    Open,
    #[token(")")]
    Close,
    #[token("{")]
    BraceOpen,
    #[token("}")]
    BraceClose,
    #[token("and", ignore(case))]
    And,
    #[token("or", ignore(case))]
    Or,
    #[token("not", ignore(case))]
    Not,
    #[token("then", ignore(case))]
    Then,
    #[token("next", ignore(case))]
    Next,
    #[token("within", ignore(case))]
    Within,
    #[token("for", ignore(case))]
    For,
    #[token("step", ignore(case))]
    Step,
    #[token("either", ignore(case))]
    Either,
    #[token("mirror", ignore(case))]
    Mirror,
    #[token("rotate", ignore(case))]
    Rotate,
    #[token("shift", ignore(case))]
    Shift,
    #[token("shiftx", ignore(case))]
    ShiftX,
    #[token("shifty", ignore(case))]
    ShiftY,
    /// Anything else up to white space or a bracket; in quotes, these as well.
    #[regex(r#"([^ \t\r\n\f(){}"]|"[^"]*")+"#)]
    Word,
}

/// The tokens of a text with their places.
pub(super) fn tokens(text: &str) -> Result<Vec<(Token, Span)>, Misread> {
    Token::lexer(text)
        .spanned()
        .map(|(token, span)| match token {
            Ok(token) => Ok((token, span)),
            Err(()) => Err(Misread::new("a quote is not closed", span)
                .hint("write a second `\"` behind the value")),
        })
        .collect()
}
