//! The tokens of a tag section.

use logos::Logos;

/// A token of the tag section; its text is the lexer's span.
#[derive(Logos, Debug, Clone, Copy, PartialEq, Eq)]
#[logos(utf8 = false)]
#[logos(skip b"[ \\t\\r\\n\\x0B\\x0C]+")]
pub enum TagToken {
    /// A complete tag pair in its plain form, `[Name "value"]`, without escapes
    /// and on one line: practically all there are.
    #[regex(b"\\[[A-Za-z0-9_][A-Za-z0-9_-]* +\"[^\"\\\\\\r\\n]*\"\\]")]
    Pair,
    /// `[`, where the pair is not in its plain form.
    #[token(b"[")]
    Open,
    /// `{`; the comment's end is for the parser to find.
    #[token(b"{")]
    CommentOpen,
    /// `;`
    #[token(b";")]
    Semicolon,
    /// `%`
    #[token(b"%")]
    Percent,
    /// `>`, as mail programs put it before each line.
    #[token(b">")]
    Greater,
    /// A blank beyond ASCII, as UTF-8: no-break and zero-width space, byte
    /// order mark, line and paragraph separator (rule L2); or a blank that was
    /// escaped, as two bytes.
    #[regex(b"\\xC2\\xA0|\\xE2\\x80[\\x8B\\xA8\\xA9]|\\xEF\\xBB\\xBF|\\\\[nrt]")]
    WideBlank,
}
