//! The tokens of chess movetext.

use logos::{Lexer, Logos};

/// A token of chess movetext; its text is the lexer's span.
#[derive(Logos, Debug, Clone, Copy, PartialEq, Eq)]
#[logos(utf8 = false)]
#[logos(skip b"[ \\t\\r\\n\\x0B\\x0C]+")]
pub enum MovetextToken {
    /// A move in the standard's spelling. Only a quick way for the common
    /// case: any longer run of word bytes is a [`Self::Word`].
    #[regex(
        b"[KQRBN]?[a-h]?[1-8]?x?[a-h][1-8](=[QRBN])?[+#]?|O-O(-O)?[+#]?",
        priority = 30
    )]
    San,
    /// A move in the standard's spelling with its number, `12.Nf3` or
    /// `12. Nf3`: half of all moves, so one token for the two is worth having.
    #[regex(
        b"[0-9]+\\. ?([KQRBN]?[a-h]?[1-8]?x?[a-h][1-8](=[QRBN])?[+#]?|O-O(-O)?[+#]?)",
        priority = 30
    )]
    NumberedSan,
    /// Digits with the dots that follow.
    #[regex(b"[0-9]+(\\.|\\xE2\\x80\\xA6)*", priority = 25)]
    Number,
    /// Dots on their own.
    #[regex(b"(\\.|\\xE2\\x80\\xA6)+", priority = 25)]
    Dots,
    /// A run of other bytes that are neither blank nor have a meaning of their
    /// own. Bytes above ASCII belong to it whatever they encode.
    #[regex(b"[A-Za-z0-9+#=:/@_\\-'&\\\\^`|~\\x80-\\xFF]+", priority = 2)]
    #[token(b"+>", priority = 40)]
    Word,
    /// A pawn's capture with its en passant mark.
    #[regex(b"[a-h][1-8]?[x:-]?[a-h][36]e\\.?p\\.?", priority = 35)]
    EnPassant,
    /// An en passant mark on its own.
    #[regex(b"e\\.p\\.?", priority = 35)]
    EnPassantMark,
    /// A termination marker in one of its spellings.
    #[token(b"*")]
    #[regex(
        b"(1(-|:|\\xE2\\x80[\\x90-\\x95]|\\xE2\\x88\\x92|[\\x96\\x97]| - )0|0(-|:|\\xE2\\x80[\\x90-\\x95]|\\xE2\\x88\\x92|[\\x96\\x97]| - )1)( ff)?",
        priority = 40
    )]
    #[regex(
        b"1/2((-|:|\\xE2\\x80[\\x90-\\x95]|\\xE2\\x88\\x92|[\\x96\\x97]| - )1/2)?|1 / 2 ?- ?1 / 2",
        priority = 40
    )]
    #[regex(
        b"\\xC2?\\xBD((-|:|\\xE2\\x80[\\x90-\\x95]|\\xE2\\x88\\x92|[\\x96\\x97]| - )\\xC2?\\xBD)?|0?\\.5-0?\\.5",
        priority = 40
    )]
    Result,
    /// A forfeit, or the same signs as an evaluation: what follows decides.
    #[regex(b"\\+[/:]-|-[/:]\\+|-/-|=-=", priority = 40)]
    Forfeit,
    /// A numeric annotation glyph.
    #[regex(b"\\$[0-9]*")]
    Nag,
    /// Exclamation and question marks.
    #[regex(b"[!?]+")]
    Suffix,
    /// `(`
    #[token(b"(")]
    VariationOpen,
    /// `)`
    #[token(b")")]
    VariationClose,
    /// `{`; the comment's end is for the parser to find.
    #[token(b"{")]
    CommentOpen,
    /// `}` without a comment.
    #[token(b"}")]
    BraceClose,
    /// `;`
    #[token(b";")]
    Semicolon,
    /// `%`
    #[token(b"%")]
    Percent,
    /// `[`
    #[token(b"[")]
    BracketOpen,
    /// `]`
    #[token(b"]")]
    BracketClose,
    /// `<`
    #[token(b"<")]
    Less,
    /// `>`
    #[token(b">")]
    Greater,
    /// Signs that mean nothing in movetext.
    #[regex(b"[,\"]+")]
    Punctuation,
}

impl MovetextToken {
    /// A lexer that begins at an offset; its spans are those of the whole.
    pub fn lexer_at(bytes: &[u8], offset: usize) -> Lexer<'_, Self> {
        let mut lexer = Self::lexer(bytes);
        lexer.bump(offset);
        lexer
    }
}
