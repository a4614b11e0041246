//! The encodings of text that is not UTF-8: those of the WHATWG's list, and the code pages of
//! DOS that are not on it.

use std::borrow::Cow;

use encoding_rs::Encoding;

/// How the bytes of a text are read that are not UTF-8.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Charset(LetterTable);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LetterTable {
    Listed(&'static Encoding),
    /// Its name, and the letters of the bytes from 128 on.
    Page(&'static str, &'static str),
}

impl Charset {
    /// That of most files of the West.
    pub const WINDOWS_1252: Self = Self::listed(encoding_rs::WINDOWS_1252);
    /// DOS in western Europe.
    pub const CP850: Self = Self(LetterTable::Page("CP850", CP850));
    /// DOS in America.
    pub const CP437: Self = Self(LetterTable::Page("CP437", CP437));
    /// The Macintosh before Unicode.
    pub const MAC_ROMAN: Self = Self::listed(encoding_rs::MACINTOSH);

    /// One of the WHATWG's list.
    pub const fn listed(encoding: &'static Encoding) -> Self {
        Self(LetterTable::Listed(encoding))
    }

    /// What it is called.
    pub fn name(self) -> &'static str {
        match self.0 {
            LetterTable::Listed(encoding) => encoding.name(),
            LetterTable::Page(name, _) => name,
        }
    }

    /// Bytes as text. Those that mean nothing become U+FFFD; byte order marks are letters.
    pub fn decode(self, bytes: &[u8]) -> Cow<'_, str> {
        match self.0 {
            LetterTable::Listed(encoding) => encoding.decode_without_bom_handling(bytes).0,
            LetterTable::Page(_, upper) => {
                let upper: Vec<char> = upper.chars().collect();
                let letter = |&byte: &u8| match byte.checked_sub(128) {
                    None => char::from(byte),
                    Some(at) => upper[usize::from(at)],
                };
                bytes.iter().map(letter).collect()
            }
        }
    }
}

const CP437: &str = "\
    ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒ\
    áíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐\
    └┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀\
    αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{a0}\
";

const CP850: &str = "\
    ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒ\
    áíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐\
    └┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀\
    ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u{ad}±‗¾¶§÷¸°¨·¹³²■\u{a0}\
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_have_a_letter_for_every_byte() {
        let all: Vec<u8> = (0..=255).collect();
        for page in [Charset::CP437, Charset::CP850] {
            let text = page.decode(&all);
            assert_eq!(text.chars().count(), 256);
            assert!(text.is_char_boundary(128) && !text.contains(char::REPLACEMENT_CHARACTER));
        }
        assert_eq!(
            Charset::CP850.decode(b"M\x81ller, J\x94rg; S\x9brensen"),
            "Müller, Jörg; Sørensen"
        );
        assert_eq!(Charset::CP437.decode(b"\xab\xe1\xb3\xff"), "½ß│\u{a0}");
    }
}
