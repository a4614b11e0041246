//! The tokens of the movetext of PDN.
//!
//! Squares, results and numbers are made of the same signs, so a run of numbers
//! with separators is one token whatever it means: `2-0`, `4-6` and `32-28` are distinguished by
//! the parser, which sees what follows.

use logos::Logos;

/// A token of the movetext of PDN; its text is the lexer's span.
///
/// A dash is `-` or one of the typographic dashes in UTF-8 or windows-1252. A
/// separator is a dash, `x`, `X`, `:`, `×` or the Cyrillic letter that looks like it.
/// The letter of a file may be the Cyrillic one that looks or sounds like it, in UTF-8
/// or windows-1251.
#[derive(Logos, Debug, Clone, Copy, PartialEq, Eq)]
#[logos(utf8 = false)]
#[logos(skip b"[ \\t\\r\\n\\x0B\\x0C]+")]
#[logos(subpattern dash = b"(-|\\xE2\\x80[\\x90-\\x95]|\\xE2\\x88\\x92|[\\x96\\x97])")]
#[logos(subpattern sep = b"([-xX:]|\\xE2\\x80[\\x90-\\x95]|\\xE2\\x88\\x92|\\xC3\\x97|\\xD1\\x85|\\xD0\\xA5|[\\x96\\x97])")]
#[logos(subpattern file = b"([a-lA-L]|\\xD0[\\x90-\\x96\\x9D\\xA1\\xA4-\\xA6\\xB0-\\xB6\\xBD]|\\xD1[\\x81\\x84-\\x86]|[\\xC0-\\xC6\\xCD\\xD1\\xD4-\\xD6\\xE0-\\xE6\\xED\\xF1\\xF4-\\xF6])")]
#[logos(subpattern cell = b"(?&file)[0-9]{1,2}")]
#[logos(subpattern half = b"(1/2|1 / 2|(\\xC2)?\\xBD|&frac12;)")]
pub enum PdnToken {
    /// Numbers with separators between them; blanks around the first separator
    /// only where squares are complete. A move, several that stick together, or a result.
    #[regex(b"[0-9]+((?&sep)[0-9]+)+", priority = 30)]
    #[regex(
        b"[0-9]{1,2}( {1,2}(?&sep) {0,2}|(?&sep) {1,2})[0-9]{1,2}((?&sep)[0-9]{1,2})*",
        priority = 30
    )]
    Numbers,
    /// Squares with letters, with or without separators between them: a move.
    #[regex(b"(?&cell)((?&sep)?(?&cell))+", priority = 30)]
    #[regex(
        b"(?&cell)( {1,2}(?&sep) {0,2}|(?&sep) {1,2})(?&cell)((?&sep)?(?&cell))*",
        priority = 30
    )]
    Letters,
    /// The file from which and the squares to which, as Russian records have it: `cd4`, `e:g5`.
    #[regex(
        b"([a-hA-H]|\\xD0[\\x90-\\x96\\x9D\\xA1\\xA4-\\xA6\\xB0-\\xB6\\xBD]|\\xD1[\\x81\\x84-\\x86])((?&sep)?(?&cell))+",
        priority = 28
    )]
    Short,
    /// A square with a letter on its own, also as programs write what is put on it.
    #[regex(b"([Pp]?@)?(?&cell)", priority = 20)]
    Square,
    /// Digits with the dots or commas that follow, those of Chinese and Japanese as well.
    #[regex(
        b"[0-9]+([.,]|\\xE2\\x80\\xA6|\\xE3\\x80[\\x81\\x82]|\\xEF\\xBC[\\x8C\\x8E\\x9A]|\\xEF\\xBD\\xA1)*",
        priority = 25
    )]
    Number,
    /// Dots on their own.
    #[regex(b"(\\.|\\xE2\\x80\\xA6)+", priority = 25)]
    Dots,
    /// Dashes on their own, also with blanks between: a move that is not known.
    #[regex(b"(?&dash)( {0,2}(?&dash))*", priority = 26)]
    Dashes,
    /// A result that no move can be: halves, hundredths, plus draws, forfeits.
    #[regex(
        b"(?&half)|((1 ?)?(?&half)|1) ?(?&dash) ?(1 ?)?(?&half)|(1 ?)?(?&half) ?(?&dash) ?1",
        priority = 40
    )]
    #[regex(b"[0-9]?[.,][0-9]{1,2} ?(?&dash) ?[0-9]?[.,][0-9]{1,2}", priority = 40)]
    #[regex(b"1[+=-] ?(?&dash) ?1[+=-]", priority = 40)]
    #[regex(b"\\+[/:]-|-[/:]\\+", priority = 40)]
    Result,
    /// A star: a mark of strength or the end of the game.
    #[token(b"*")]
    Star,
    /// Exclamation and question marks.
    #[regex(b"[!?]+")]
    Suffix,
    /// The same in parentheses.
    #[regex(b"\\([!?]+\\)", priority = 30)]
    SuffixInParentheses,
    /// A numeric annotation glyph.
    #[regex(b"\\$[0-9]*")]
    Nag,
    /// `/FEN "`, with which a position is set up; its end is for the parser to find.
    #[regex(b"/[Ff][Ee][Nn][ \\t]*\"", priority = 50)]
    SetupOpen,
    /// A run of other bytes that have no meaning here. Bytes above ASCII belong
    /// to it whatever they encode; digits, dashes and dots that begin something
    /// of their own do not.
    #[regex(
        b"[A-Za-z_'#@/^`|~=+&\\x80-\\xFF][A-Za-z_'#@/^`|~=+&.\\x80-\\xFF]*",
        priority = 2
    )]
    Text,
    /// A blank in another dress: beyond ASCII, escaped, or as an entity.
    #[regex(
        b"\\xC2\\xA0|\\xA0|\\xE2\\x80[\\x8B\\xA8\\xA9]|\\xEF\\xBB\\xBF|\\\\[nrt]|&(nbsp|#160|#xa0|#xA0);",
        priority = 45
    )]
    Blank,
    /// Any other entity; a semicolon within it begins no comment.
    #[regex(b"&#?[A-Za-z0-9]+;", priority = 35)]
    Entity,
    /// A sign of comments, variations, tags or escapes: which one is its byte. Where
    /// comments and escapes end is for the parser to find.
    #[regex(b"[(){};%\\[\\]<>]")]
    Sign,
    /// Signs that mean nothing in movetext.
    #[regex(b"[,\"\\\\:]+")]
    Punctuation,
}

#[cfg(test)]
mod tests {
    use logos::Logos as _;

    use super::PdnToken::{self, *};

    fn tokens(text: &str) -> Vec<(PdnToken, &str)> {
        let mut lexer = PdnToken::lexer(text.as_bytes());
        let mut found = Vec::new();
        while let Some(token) = lexer.next() {
            found.push((token.expect(text), &text[lexer.span()]));
        }
        found
    }

    #[test]
    fn one_token_each() {
        for text in [
            "32-28", "32x23", "32:23", "06-11", "1 - 5", "5- 1", "21 -27", "11x18x25", "9-18-27",
            "18:27:38", "32X23", "32‑28", "32–28", "32−28", "2-0", "0-0", "38-26", "4-822-17",
            "17x81-0", "32х23", "1 - 0",
        ] {
            assert_eq!(tokens(text), [(Numbers, text)]);
        }
        for text in [
            "a3b4", "A3-B4", "a1:e5:h8", "c3 - d4", "f6:d4:b6", "a12-b11", "e3xg5xe7", "с3-d4",
            "Ц3:Е5", "г3х4", "г3хх4", "б2хд4",
        ] {
            assert_eq!(tokens(text), [(Letters, text)]);
        }
        for text in [
            "1/2-1/2",
            "½-½",
            "½",
            "1/2",
            "1 / 2-1 / 2",
            "1/2 -1/2",
            "1+ - 1-",
            "1- - 1+",
            "1 1/2 - 1/2",
            "1/2 - 1 1/2",
            "1.01-0.99",
            "0.99 - 1.01",
            "0.5-0.5",
            ".5-.5",
            "+/-",
            "1½-½",
            "&frac12;-&frac12;",
        ] {
            assert_eq!(tokens(text), [(Result, text)]);
        }
        for text in ["- -", "-", "--", "–"] {
            assert_eq!(tokens(text), [(Dashes, text)]);
        }
        assert_eq!(tokens("(!?!)"), [(SuffixInParentheses, "(!?!)")]);
        assert_eq!(tokens("/FEN \""), [(SetupOpen, "/FEN \"")]);
        assert_eq!(tokens("e5"), [(Square, "e5")]);
        for text in ["cd4", "e:g5", "c:e5:g7", "цд4"] {
            assert_eq!(tokens(text), [(Short, text)]);
        }
    }

    #[test]
    fn what_touches_is_told_apart() {
        assert_eq!(tokens("9.37-32"), [(Number, "9."), (Numbers, "37-32")]);
        assert_eq!(tokens("21,44-39"), [(Number, "21,"), (Numbers, "44-39")]);
        assert_eq!(tokens("1... 7-12"), [(Number, "1..."), (Numbers, "7-12")]);
        assert_eq!(
            tokens("8-11Redover."),
            [(Numbers, "8-11"), (Text, "Redover.")]
        );
        assert_eq!(
            tokens("Это d4 х"),
            [(Text, "Это"), (Square, "d4"), (Text, "х")]
        );
        assert_eq!(tokens("a3b4Red"), [(Letters, "a3b4"), (Text, "Red")]);
        assert_eq!(tokens("27-20*"), [(Numbers, "27-20"), (Star, "*")]);
        assert_eq!(
            tokens("2-0\\r\\n1. "),
            [
                (Numbers, "2-0"),
                (Blank, "\\r"),
                (Blank, "\\n"),
                (Number, "1.")
            ]
        );
        assert_eq!(tokens("&nbsp;x"), [(Blank, "&nbsp;"), (Text, "x")]);
        assert_eq!(tokens("32-28 19-23").len(), 2);
        assert_eq!(
            tokens("17x8 1/2-1/2"),
            [(Numbers, "17x8"), (Result, "1/2-1/2")]
        );
        assert_eq!(tokens("8.8-12"), [(Number, "8."), (Numbers, "8-12")]);
        assert_eq!(tokens("17- 10 10.7-14").len(), 3);
    }

    #[test]
    fn tokens_are_one_byte() {
        assert_eq!(size_of::<PdnToken>(), 1);
    }
}
