//! One word of movetext from the letters of one language to those of another,
//! without a board: only words in the plain form of the standard.

use crate::games::chess::basics::Role;

use super::{Alphabet, FIGURINES, Language, figurine, lower};

/// Characters of the longest plain move with its check sign (`Крa1xb2+`).
const CHARS_MAX: usize = 12;

/// A move as the standard writes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EnglishWord {
    bytes: [u8; CHARS_MAX],
    length: usize,
}

impl EnglishWord {
    /// Its letters.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.length]
    }

    /// The same as text.
    pub fn as_str(&self) -> &str {
        // Only ASCII is pushed.
        std::str::from_utf8(self.as_bytes()).unwrap_or_default()
    }

    fn push(&mut self, letter: u8) -> Option<()> {
        *self.bytes.get_mut(self.length)? = letter;
        self.length += 1;
        Some(())
    }
}

fn english_letter(role: Role) -> Option<u8> {
    (role != Role::Pawn).then_some(role.upper_char() as u8)
}

impl Language {
    /// A plain move in this language's letters as the standard writes it; `None`
    /// for what is spelled otherwise, which is for the lenient reader.
    pub fn to_english(&self, word: &str) -> Option<EnglishWord> {
        let mut buffer = ['\0'; CHARS_MAX];
        let mut length = 0;
        for c in word.chars() {
            *buffer.get_mut(length)? = c;
            length += 1;
        }
        let mut rest = &buffer[..length];
        let mut out = EnglishWord {
            bytes: [0; CHARS_MAX],
            length: 0,
        };
        let is_o = |c: &char| matches!(c, 'O' | '0' | 'Ο' | 'О');
        if let [first, '-', ..] = rest
            && is_o(first)
        {
            for c in rest {
                out.push(match c {
                    '-' | '+' | '#' => *c as u8,
                    _ if is_o(c) => b'O',
                    _ => return None,
                })?;
            }
            return Some(out);
        }
        if let Some((role, length)) = self.piece(rest) {
            out.push(english_letter(role)?)?;
            rest = &rest[length..];
        }
        while let [c, behind @ ..] = rest {
            rest = behind;
            if let Some(file) = self.file(*c) {
                out.push(file)?;
                continue;
            }
            match c {
                '1'..='8' | '+' | '#' | '-' | '@' => out.push(*c as u8)?,
                'x' | ':' | '×' | 'х' | 'χ' => out.push(b'x')?,
                _ => {
                    // A promotion, with its sign or without.
                    let letter = if *c == '=' { rest } else { &[*c] };
                    let (role, length) = self.piece(letter)?;
                    out.push(b'=')?;
                    out.push(english_letter(role)?)?;
                    rest = if *c == '=' { &rest[length..] } else { rest };
                }
            }
        }
        Some(out)
    }

    /// The piece some characters begin with, look-alikes put right.
    fn piece(&self, word: &[char]) -> Option<(Role, usize)> {
        if let Some(role) = word.first().copied().and_then(figurine) {
            return Some((role, 1));
        }
        let mut two = ['\0'; 2];
        let length = word.len().min(2);
        two[..length].copy_from_slice(&word[..length]);
        self.put_right(&mut two[..length]);
        self.piece_at_start(&two[..length])
    }

    /// Puts right the letters of another alphabet with which the name of a piece
    /// may have been typed: the first, and the second of a name of two.
    pub(crate) fn put_right(&self, word: &mut [char]) {
        if let Some(first) = word.first_mut() {
            // Figures of either colour are the same letters.
            let sign = figurine(*first).filter(|_| self.code == FIGURINES.code);
            *first = sign
                .and_then(|role| self.letter(role).chars().next())
                .or_else(|| self.look_alike(*first))
                .unwrap_or(*first);
        }
        if let [first, second, ..] = word
            && let Some(own) = self.script().look_alike(*second)
        {
            let is_name = |letters: &&str| letters.chars().eq([*first, own]);
            if self.letters.iter().any(is_name) {
                *second = own;
            }
        }
    }

    fn file(&self, c: char) -> Option<u8> {
        let at = self.files.chars().position(|file| file == c)?;
        Some(b'a' + at as u8)
    }

    /// A move of the standard in the letters of this language: those of the pieces,
    /// and of the files where it has its own (`Ιδ4`).
    pub fn of_english(&self, san: &str) -> String {
        let mut out = String::with_capacity(san.len() + 4);
        for c in san.chars() {
            match c {
                'A'..='Z' if let Some(role) = Role::from_char(c) => out.push_str(self.letter(role)),
                'a'..='h' => out.extend(self.files.chars().nth(c as usize - 'a' as usize)),
                // A Greek keyboard has an omicron; elsewhere the Latin letter is usual.
                'O' if self.script() == Alphabet::Greek => out.push('Ο'),
                _ => out.push(c),
            }
        }
        out
    }

    /// The capital of a small letter with which one of its pieces was written.
    pub(crate) fn capital_of(&self, c: char) -> Option<char> {
        let mut firsts = self.letters.iter().filter_map(|word| word.chars().next());
        firsts.find(|&capital| capital != c && lower(capital) == c)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_moves_become_english() {
        for (code, word, english) in [
            ("de", "Sf3", Some("Nf3")),
            ("de", "Tfxe1+", Some("Rfxe1+")),
            ("de", "e8=D#", Some("e8=Q#")),
            ("de", "e8D", Some("e8=Q")),
            ("de", "O-O-O+", Some("O-O-O+")),
            ("de", "exd5", Some("exd5")),
            ("de", "Nf3", None),
            ("de", "Be4", None),
            ("fr", "Rxe1", Some("Kxe1")),
            ("ru", "Крe7", Some("Ke7")),
            ("ru", "Кe7", Some("Ne7")),
            ("ru", "С:c6", Some("Bxc6")),
            ("ru", "Kpe7", Some("Ke7")),
            ("ru", "e8Ф+", Some("e8=Q+")),
            ("el", "Ιδ4", Some("Nd4")),
            ("el", "Πδ8+", Some("Rd8+")),
            ("el", "Αxγ6", Some("Bxc6")),
            ("el", "Ο-Ο", Some("O-O")),
            ("el", "ε8=Β", Some("e8=Q")),
            ("el", "δxε5", Some("dxe5")),
            ("et", "Oe3", Some("Be3")),
            ("figurine", "♘f3", Some("Nf3")),
            ("de", "♞xf3+", Some("Nxf3+")),
            ("de", "Sg1-f3", Some("Ng1-f3")),
            ("de", "S@f3", Some("N@f3")),
            ("de", "hallo", None),
        ] {
            let language = Language::for_moves(code).expect(code);
            let read = language.to_english(word);
            assert_eq!(read.as_ref().map(EnglishWord::as_str), english, "{word}");
        }
    }

    #[test]
    fn there_and_back() {
        let moves = ["Nf3", "Qa1xb2+", "O-O", "exd8=R#", "Kxe2", "Bb5", "h4"];
        for language in crate::games::notation::letters::LANGUAGES {
            for san in moves {
                let own = language.of_english(san);
                let back = language
                    .to_english(&own)
                    .map(|word| word.as_str().to_owned());
                assert_eq!(back.as_deref(), Some(san), "{own} {}", language.code);
            }
        }
    }
}
