//! The tokens that JSON and programming languages have in common: what is needed to
//! find strings and what stands beside them.

use std::ops::Range;

use logos::Logos;

/// A token. What is none is passed over.
#[derive(Logos, Debug, Clone, Copy, PartialEq, Eq)]
#[logos(skip r"[ \t\r\n\f]+")]
// Comments of programs, to the end of their line; JSON has none.
#[logos(skip(r"//[^\n\r]*", allow_greedy = true))]
pub enum ListingToken {
    /// A string in quotes; one that is never closed ends with its line, so that
    /// nothing is read twice.
    #[regex(r#""([^"\\\n\r]|\\[^\n\r])*"?"#)]
    #[regex(r"'([^'\\\n\r]|\\[^\n\r])*'?")]
    Text,
    /// A number, or one of the three words that are values in JSON.
    #[regex(r"-?[0-9][0-9A-Za-z_.]*([eE][-+][0-9]+)?")]
    #[token("true", priority = 9)]
    #[token("false", priority = 9)]
    Value,
    /// Any other name.
    #[regex(r"[A-Za-z_][A-Za-z0-9_]*")]
    Word,
    /// An opening bracket.
    #[regex(r"[\[({]")]
    Open,
    /// A closing bracket.
    #[regex(r"[\])}]")]
    Close,
    /// Between a name and its value.
    #[regex("[:=]")]
    Is,
    /// Between values.
    #[regex("[,;]")]
    Comma,
}

/// The tokens of a text, in order, each with its place in bytes.
pub fn tokens(text: &str) -> impl Iterator<Item = (ListingToken, Range<usize>)> {
    let tokens = ListingToken::lexer(text).spanned();
    tokens.filter_map(|(token, span)| Some((token.ok()?, span)))
}

#[cfg(test)]
mod tests {
    use logos::Logos as _;

    use super::ListingToken::{self, *};

    #[test]
    fn tokens() {
        let text = r#"{"a\"b": 1, fen = FEN('x'), // "no"
            true -2.5e-3 "open"#;
        let found: Vec<(ListingToken, &str)> = ListingToken::lexer(text)
            .spanned()
            .filter_map(|(token, span)| Some((token.ok()?, &text[span])))
            .collect();
        assert_eq!(
            found,
            [
                (Open, "{"),
                (Text, r#""a\"b""#),
                (Is, ":"),
                (Value, "1"),
                (Comma, ","),
                (Word, "fen"),
                (Is, "="),
                (Word, "FEN"),
                (Open, "("),
                (Text, "'x'"),
                (Close, ")"),
                (Comma, ","),
                (Value, "true"),
                (Value, "-2.5e-3"),
                (Text, "\"open"),
            ]
        );
    }
}
