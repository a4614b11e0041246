//! Queries about positions and moves: words, parentheses and braces.

use logos::Logos;

/// A token of a query.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Logos)]
#[logos(skip r"\s+")]
pub enum QueryToken {
    /// A parenthesis.
    #[token("(")]
    Open,
    /// The end of it.
    #[token(")")]
    Close,
    /// A brace.
    #[token("{")]
    BraceOpen,
    /// The end of it.
    #[token("}")]
    BraceClose,
    /// `and`
    #[token("and", ignore(case))]
    And,
    /// `or`
    #[token("or", ignore(case))]
    Or,
    /// `not`
    #[token("not", ignore(case))]
    Not,
    /// `then`
    #[token("then", ignore(case))]
    Then,
    /// `next`
    #[token("next", ignore(case))]
    Next,
    /// `within`
    #[token("within", ignore(case))]
    Within,
    /// `for`
    #[token("for", ignore(case))]
    For,
    /// `step`
    #[token("step", ignore(case))]
    Step,
    /// `either`
    #[token("either", ignore(case))]
    Either,
    /// `mirror`
    #[token("mirror", ignore(case))]
    Mirror,
    /// `rotate`
    #[token("rotate", ignore(case))]
    Rotate,
    /// `shift`
    #[token("shift", ignore(case))]
    Shift,
    /// `shiftx`
    #[token("shiftx", ignore(case))]
    ShiftX,
    /// `shifty`
    #[token("shifty", ignore(case))]
    ShiftY,
    /// Anything else up to white space or a bracket; in quotes, these as well, and a quote
    /// after a backslash.
    #[regex(r#"([^\s(){}"]|"([^"\\]|\\[^\n])*")+"#)]
    Word,
}

/// The tokens of a text with their places; an error where a quote is not closed.
pub fn tokens(
    text: &str,
) -> impl Iterator<Item = (Result<QueryToken, ()>, std::ops::Range<usize>)> {
    QueryToken::lexer(text).spanned()
}
