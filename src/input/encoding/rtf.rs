//! Text out of RTF (Rich Text Format 1.9.1), as word processors save games: what it looks like is
//! left out, and so is what is no text, as fonts and pictures.
//!
//! Invariant: memory does not grow with the text, and nothing recurses; any bytes give some text.

use std::io::{self, BufReader, Read};

use encoding_rs::Encoding;

use super::{Charset, PendingText};
use crate::base::limits::GAMELESS_BYTES_MAX;

/// Bytes of text that are made at a time.
const TEXT_BYTES: usize = 64 << 10;

/// Nested groups that are kept apart; deeper ones are as the last of these.
const DEPTH_MAX: usize = 256;

/// Letters and digits of a control word.
const WORD_BYTES_MAX: usize = 32;

/// Groups that are no text, apart from all that begin with `\*`.
const NO_TEXT: [&str; 17] = [
    "fonttbl",
    "colortbl",
    "stylesheet",
    "info",
    "pict",
    "object",
    "header",
    "headerl",
    "headerr",
    "headerf",
    "footer",
    "footerl",
    "footerr",
    "footerf",
    "listtable",
    "listoverridetable",
    "filetbl",
];

/// What counts within a group.
#[derive(Debug, Clone, Copy)]
struct RtfGroup {
    /// Whether it is text.
    is_text: bool,
    /// How many signs after one in Unicode stand for it where that is not known.
    stand_ins: usize,
}

/// Reads the text of a document.
pub struct RtfText<R: Read> {
    source: BufReader<R>,
    charset: Charset,
    groups: Vec<RtfGroup>,
    /// Groups that are open beyond those.
    deeper: usize,
    /// Signs that are still passed over.
    passed_over: usize,
    /// The first half of a sign beyond 16 bits.
    half: Option<u16>,
    made: PendingText,
    /// A byte that was looked at.
    ahead: Option<u8>,
}

impl<R: Read> RtfText<R> {
    /// The text of a document that begins here.
    pub fn new(source: R) -> Self {
        Self {
            source: BufReader::new(source),
            charset: Charset::WINDOWS_1252,
            groups: vec![RtfGroup {
                is_text: true,
                stand_ins: 1,
            }],
            deeper: 0,
            passed_over: 0,
            half: None,
            made: PendingText::default(),
            ahead: None,
        }
    }

    fn byte(&mut self) -> io::Result<Option<u8>> {
        if let Some(byte) = self.ahead.take() {
            return Ok(Some(byte));
        }
        self.made.take(1)?;
        let mut byte = [0];
        Ok((self.source.read(&mut byte)? > 0).then_some(byte[0]))
    }

    fn group(&mut self) -> &mut RtfGroup {
        self.groups.last_mut().expect("the last group stays")
    }

    /// Makes text until there is enough of it; whether there may be more.
    fn fill(&mut self) -> io::Result<bool> {
        let is_enough = |made: &PendingText| {
            // What there is comes before the error of what has no text.
            let is_silent = made.silent > GAMELESS_BYTES_MAX / 2;
            made.text.len() >= TEXT_BYTES || is_silent && !made.text.is_empty()
        };
        while !is_enough(&self.made) {
            let Some(byte) = self.byte()? else {
                return Ok(false);
            };
            match byte {
                b'{' if self.groups.len() < DEPTH_MAX => {
                    let group = *self.group();
                    self.groups.push(group);
                    self.passed_over = 0;
                }
                b'{' => self.deeper += 1,
                b'}' if self.deeper > 0 => self.deeper -= 1,
                b'}' => {
                    if self.groups.len() > 1 {
                        self.groups.pop();
                    }
                    self.passed_over = 0;
                }
                b'\\' => self.control()?,
                // Lines of the file are none of the text.
                b'\r' | b'\n' | 0 => {}
                byte => self.letter(byte),
            }
        }
        Ok(true)
    }

    /// Reads what stands after a backslash.
    fn control(&mut self) -> io::Result<()> {
        let Some(first) = self.byte()? else {
            return Ok(());
        };
        match first {
            b'\'' => {
                let mut code = 0;
                for _ in 0..2 {
                    let digit = self.byte()?;
                    let Some(value) = digit.and_then(|digit| char::from(digit).to_digit(16)) else {
                        self.ahead = digit;
                        return Ok(());
                    };
                    code = code * 16 + value as u8;
                }
                self.letter(code);
            }
            b'*' => self.group().is_text = false,
            b'~' => self.put(" "),
            b'_' => self.put("-"),
            b'\r' | b'\n' => self.put("\n"),
            b'\\' | b'{' | b'}' => self.letter(first),
            b if b.is_ascii_alphabetic() => self.word(b)?,
            _ => {}
        }
        Ok(())
    }

    fn word(&mut self, first: u8) -> io::Result<()> {
        let mut word = String::from(char::from(first));
        let mut number = String::new();
        loop {
            let byte = self.byte()?;
            match byte {
                Some(b) if b.is_ascii_alphabetic() && number.is_empty() => {
                    word.push(char::from(b));
                }
                Some(b'-') if number.is_empty() => number.push('-'),
                Some(b) if b.is_ascii_digit() => number.push(char::from(b)),
                // The blank belongs to the word.
                Some(b' ') => break,
                other => {
                    self.ahead = other;
                    break;
                }
            }
            if word.len() + number.len() > WORD_BYTES_MAX {
                break;
            }
        }
        // A sign without digits is text.
        let is_sign = number == "-";
        let number: Option<i64> = number.parse().ok();
        match (&word[..], number) {
            ("par" | "line" | "sect" | "page" | "row", _) => self.put("\n"),
            ("tab" | "cell", _) => self.put("\t"),
            ("emdash", _) => self.put("—"),
            ("endash", _) => self.put("–"),
            ("lquote", _) => self.put("‘"),
            ("rquote", _) => self.put("’"),
            ("ldblquote", _) => self.put("“"),
            ("rdblquote", _) => self.put("”"),
            ("bullet", _) => self.put("•"),
            ("emspace" | "enspace" | "qmspace", _) => self.put(" "),
            ("uc", Some(signs)) => self.group().stand_ins = signs.clamp(0, 8) as usize,
            ("u", Some(code)) => self.unicode(code),
            ("ansicpg", Some(page)) => self.charset = of_page(page).unwrap_or(self.charset),
            ("mac", _) => self.charset = Charset::MAC_ROMAN,
            ("pc", _) => self.charset = Charset::CP437,
            ("pca", _) => self.charset = Charset::CP850,
            ("bin", Some(bytes @ 1..)) => {
                for _ in 0..bytes {
                    if self.byte()?.is_none() {
                        break;
                    }
                }
            }
            (word, _) if NO_TEXT.contains(&word) => self.group().is_text = false,
            _ => {}
        }
        if is_sign {
            self.letter(b'-');
        }
        Ok(())
    }

    /// A sign by its number, which is negative beyond 32767 and may be half of one.
    fn unicode(&mut self, code: i64) {
        self.passed_over = 0;
        let unit = (code & 0xffff) as u16;
        let units = match self.half.take() {
            Some(half) => vec![half, unit],
            None if (0xd800..0xdc00).contains(&unit) => {
                self.half = Some(unit);
                vec![]
            }
            None => vec![unit],
        };
        for sign in char::decode_utf16(units) {
            let sign = sign.unwrap_or(char::REPLACEMENT_CHARACTER);
            self.put(sign.encode_utf8(&mut [0; 4]));
        }
        self.passed_over = self.group().stand_ins;
    }

    /// A sign in the encoding of the document.
    fn letter(&mut self, byte: u8) {
        if self.passed_over > 0 {
            self.passed_over -= 1;
        } else if byte.is_ascii() {
            self.put(char::from(byte).encode_utf8(&mut [0; 4]));
        } else {
            let text = self.charset.decode(&[byte]).into_owned();
            self.put(&text);
        }
    }

    fn put(&mut self, text: &str) {
        if self.group().is_text {
            self.made.text.extend_from_slice(text.as_bytes());
        }
    }
}

/// The encoding of a code page of Windows or DOS.
fn of_page(page: i64) -> Option<Charset> {
    match page {
        437 => Some(Charset::CP437),
        850 => Some(Charset::CP850),
        10000 => Some(Charset::MAC_ROMAN),
        _ => {
            let names = [format!("windows-{page}"), format!("ibm{page}")];
            let mut known = names
                .iter()
                .filter_map(|name| Encoding::for_label(name.as_bytes()));
            known.next().map(Charset::listed)
        }
    }
}

impl<R: Read> Read for RtfText<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        while self.made.is_read() {
            if !self.fill()? && self.made.text.is_empty() {
                return Ok(0);
            }
        }
        Ok(self.made.hand_over(into))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(rtf: &[u8]) -> String {
        let mut text = String::new();
        RtfText::new(rtf).read_to_string(&mut text).expect("text");
        text
    }

    #[test]
    fn documents_have_their_text() {
        let rtf = b"{\\rtf1\\ansi\\ansicpg1250{\\fonttbl{\\f0 Arial;}}{\\*\\generator x;}\r\n\
            [Event \"\\'8aari\\'e6\"]\\par\r\n{\\b 1. e4} e5\\line{} \\{a \\u9812?\\'20comment\\}\\tab 2. \
            \\uc0\\u-10179\\u-8704 Nf3{\\pict\\bin4 {{}}00ff}\\par 1\\endash 0}";
        assert_eq!(
            text(rtf),
            "[Event \"Šarić\"]\n1. e4 e5\n {a ♔ comment}\t2. \u{1f600}Nf3\n1–0"
        );
    }

    #[test]
    fn any_bytes_come_to_an_end() {
        let deep = [b"{\\rtf1 ".to_vec(), b"{".repeat(100_000), b"a}b".to_vec()].concat();
        assert_eq!(text(&deep), "ab");
        for rtf in [
            &b"{\\rtf1 a\\"[..],
            b"{\\rtf1 a\\'",
            b"{\\rtf1 a\\'4",
            b"{\\rtf1 a\\u",
            b"{\\rtf1 a}}}}",
        ] {
            assert_eq!(text(rtf), "a", "{rtf:?}");
        }
        assert_eq!(text(b"{\\rtf1 \\bin9999999999999 x"), "");
    }
}
