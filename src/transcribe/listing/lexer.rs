//! The tokens that JSON and programming languages have in common.

use std::borrow::Cow;

use logos::Logos;

/// A token. What is none is passed over.
#[derive(Logos, Debug, Clone, Copy, PartialEq, Eq)]
#[logos(skip r"[ \t\r\n\f]+")]
// Comments of programs, to the end of their line; JSON has none.
#[logos(skip(r"//[^\n\r]*", allow_greedy = true))]
pub(super) enum Token {
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

/// What a string says, without its quotes and escapes.
pub(super) fn unquoted(token: &str) -> Cow<'_, str> {
    let inner = |quote: char| {
        let inner = token.strip_prefix(quote).unwrap_or(token);
        inner.strip_suffix(quote).unwrap_or(inner)
    };
    if token.starts_with('\'') {
        return inner('\'').into();
    }
    if token.contains('\\')
        && let Ok(text) = serde_json::from_str::<String>(token)
    {
        return text.into();
    }
    inner('"').into()
}

#[cfg(test)]
mod tests {
    use super::{Token::*, *};

    #[test]
    fn tokens() {
        let text = r#"{"a\"b": 1, fen = FEN('x'), // "no"
            true -2.5e-3 "open"#;
        let found: Vec<(Token, &str)> = Token::lexer(text)
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
        assert_eq!(unquoted(r#""a\"b\u00e9""#), "a\"bé");
        assert_eq!(unquoted("'x'"), "x");
        assert_eq!(unquoted("\"open"), "open");
        assert_eq!(unquoted("\""), "");
    }
}
