//! The tokens of the movetext of PGN.

use logos::Logos;

/// A token of the movetext of PGN; its text is the lexer's span.
#[derive(Logos, Debug, Clone, Copy, PartialEq, Eq)]
#[logos(utf8 = false)]
#[logos(skip b"[ \\t\\r\\n\\x0B\\x0C]+")]
pub enum PgnToken {
    /// A move in the standard's spelling. Only a quick way for the common
    /// case: any longer run of word bytes is a [`Self::Word`].
    #[regex(
        b"[KQRBN]?[a-h]?[1-8]?x?[a-h][1-8](=[QRBN])?[+#]?|O-O(-O)?[+#]?",
        priority = 30
    )]
    San,
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
        b"(1(-|:|\\xE2\\x80[\\x90-\\x95]|\\xE2\\x88\\x92|[\\x96\\x97]| [:-] )0|0(-|:|\\xE2\\x80[\\x90-\\x95]|\\xE2\\x88\\x92|[\\x96\\x97]| [:-] )1)( ff)?",
        priority = 40
    )]
    #[regex(
        b"1/2((-|:|\\xE2\\x80[\\x90-\\x95]|\\xE2\\x88\\x92|[\\x96\\x97]| [:-] )1/2)?|1 / 2 ?- ?1 / 2",
        priority = 40
    )]
    #[regex(
        b"\\xC2?\\xBD((-|:|\\xE2\\x80[\\x90-\\x95]|\\xE2\\x88\\x92|[\\x96\\x97]| [:-] )\\xC2?\\xBD)?|0?\\.5-0?\\.5",
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
    /// A sign of comments, variations, tags or escapes: which one is its byte. Where
    /// comments and escapes end is for the parser to find.
    #[regex(b"[(){};%\\[\\]<>]")]
    Sign,
    /// Signs that mean nothing in movetext.
    #[regex(b"[,\"]+")]
    Punctuation,
}

/// Bytes of a plain move at an offset, 0 if none is seen at once.
///
/// A shortcut past the automaton, which branches on every byte: nearly all
/// words of nearly all files are two to seven bytes of the standard's alphabet
/// with a blank after them. What it finds is a [`PgnToken::San`] or a
/// [`PgnToken::Word`] that is no annotation sign, no result and not in
/// want of a promotion; what it does not find is left to the automaton.
#[inline]
pub fn plain_move_len(bytes: &[u8], at: usize) -> usize {
    const WIDTH: usize = 8;
    const ONES: u64 = u64::from_le_bytes([1; WIDTH]);
    let Some(window) = bytes.get(at..).and_then(|rest| rest.first_chunk::<WIDTH>()) else {
        return 0;
    };
    // The first byte below `!`: subtracting carries only after it.
    let word = u64::from_le_bytes(*window);
    let blanks = word.wrapping_sub(ONES * u64::from(b'!')) & !word & (ONES * 0x80);
    let len = (blanks.trailing_zeros() / 8) as usize;
    if !(2..WIDTH).contains(&len) {
        return 0;
    }
    let inner = window.iter().enumerate().fold(0_u32, |inner, (i, &byte)| {
        inner | (u32::from(PLACES[byte as usize] & INNER) << i)
    });
    let first = window[0];
    let last = window[len - 1];
    let is_pawn_on_last_rank = first.is_ascii_lowercase() && matches!(last, b'1' | b'8');
    // `=+` and `-+` judge the position.
    let ends_in_sign = last == b'+' && matches!(window[len - 2], b'=' | b'-');
    let needed = (1_u32 << len) - 1;
    if inner & needed == needed
        && PLACES[first as usize] & FIRST != 0
        && PLACES[last as usize] & LAST != 0
        && !is_pawn_on_last_rank
        && !ends_in_sign
    {
        len
    } else {
        0
    }
}

const INNER: u8 = 1;
const FIRST: u8 = 2;
const LAST: u8 = 4;

/// Which places in a plain move a byte may take.
static PLACES: [u8; 256] = {
    let mut places = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        places[byte] = match byte as u8 {
            b'a'..=b'h' | b'K' | b'Q' | b'R' | b'B' | b'N' => INNER | FIRST,
            b'O' => INNER | FIRST | LAST,
            b'1'..=b'8' | b'+' | b'#' => INNER | LAST,
            b'x' | b'=' | b'-' => INNER,
            _ => 0,
        };
        byte += 1;
    }
    places
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shortcut_agrees_with_the_automaton() {
        let words = [
            "e4", "Nf3", "exd5", "O-O", "O-O-O+", "Qxf7#", "R1a3", "Ng1xf3", "e4e5", "Nf3+",
            "b8=Q", "a1=N+", "e8", "ed", "N", "D", "a61-0", "Nc6*", "Nf3!", "e4(", "e4{", "exd6ep",
            "dis", "mate", "ch", "+-", "=+", "--", "Z0", "null", "0-0", "1-0", "P@e4", "Kf2;",
            "Ng1-f3",
        ];
        let mut plain = Vec::new();
        for word in words {
            for blank in [" ", "\n", "\r\n", "\t"] {
                let text = format!("{word}{blank}xxxxxxxx");
                let len = plain_move_len(text.as_bytes(), 0);
                if len == 0 {
                    continue;
                }
                plain.push(word);
                assert_eq!(len, word.len(), "{word}");
                let mut lexer = PgnToken::lexer(text.as_bytes());
                let token = lexer.next();
                assert!(
                    matches!(token, Some(Ok(PgnToken::San | PgnToken::Word))),
                    "{word}: {token:?}"
                );
                assert_eq!(lexer.span(), 0..len, "{word}");
            }
        }
        plain.dedup();
        assert_eq!(
            plain,
            [
                "e4", "Nf3", "exd5", "O-O", "O-O-O+", "Qxf7#", "R1a3", "Ng1xf3", "e4e5", "Nf3+",
                "a1=N+", "Ng1-f3"
            ]
        );
    }

    #[test]
    fn tokens_are_one_byte() {
        assert_eq!(size_of::<PgnToken>(), 1);
        assert_eq!(size_of::<crate::pgn::lexer::tag::TagToken>(), 1);
    }
}
