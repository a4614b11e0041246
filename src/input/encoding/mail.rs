//! Text out of mails: what was encoded for the way (quoted-printable and base64, RFC 2045) is
//! as it was written; all else, headers included, stays as it is.
//!
//! Invariant: memory does not grow with the text; any bytes give some text.

use std::io::{self, BufRead, BufReader, Read};

use super::PendingText;

/// Bytes of a line that are looked at as one.
const LINE_BYTES: u64 = 64 << 10;

/// Boundaries of parts that are known at a time; of more the first ones are forgotten.
const BOUNDARIES_MAX: usize = 16;

/// Bytes of the headers of a part that are looked at.
const HEADER_BYTES_MAX: usize = 16 << 10;

/// Blanks after the `=` at the end of a line that is none.
const BLANKS_MAX: usize = 8;

/// Undoes quoted-printable, piece by piece.
#[derive(Debug, Default)]
pub(super) struct QuotedPrintable {
    /// A `=` and what follows it, until it is known what that is.
    held: Vec<u8>,
}

impl QuotedPrintable {
    /// Whether the beginning of a stream is nothing but text that was encoded so: every `=` of it
    /// stands before two digits or the end of a line, and there are several of both or of signs
    /// that no text has so by chance.
    pub(super) fn is_in(sample: &[u8]) -> bool {
        let (mut signs, mut soft) = (0, 0);
        for at in memchr::memchr_iter(b'=', sample) {
            match &sample[at + 1..] {
                // Ends of lines and the sign `=` itself.
                [b'0', b'A' | b'D', ..] | [b'3', b'D', ..] => signs += 1,
                [b'\n', ..] | [b'\r', b'\n', ..] => soft += 1,
                // The sample is cut.
                [_] | [] => {}
                // Numbers go on, as those of links: `?game=8412`.
                [_, _, b'0'..=b'9', ..] => return false,
                [b'8'..=b'9' | b'A'..=b'F', low, ..] if is_capital(*low) => signs += 1,
                [b'2'..=b'7', low, ..] if is_capital(*low) => {}
                _ => return false,
            }
        }
        signs > 0 && signs + soft > 2
    }

    /// Appends what bytes stand for; `is_last` are the last ones.
    pub(super) fn push(&mut self, bytes: &[u8], is_last: bool, out: &mut Vec<u8>) {
        for &byte in bytes {
            if self.held.is_empty() && byte != b'=' {
                out.push(byte);
                continue;
            }
            self.held.push(byte);
            match &self.held[1..] {
                [high, low] if is_digit(*high) && is_digit(*low) => {
                    out.push(value(*high) << 4 | value(*low));
                    self.held.clear();
                }
                [blanks @ .., b'\n'] if blanks.iter().all(|b| b" \t\r".contains(b)) => {
                    self.held.clear();
                }
                [] | [b'0'..=b'9' | b'A'..=b'F' | b'a'..=b'f'] => {}
                blanks
                    if blanks.len() < BLANKS_MAX && blanks.iter().all(|b| b" \t\r".contains(b)) => {
                }
                _ => {
                    // A sign like others; another one may begin after it.
                    let held = std::mem::take(&mut self.held);
                    out.push(held[0]);
                    self.push(&held[1..], false, out);
                }
            }
        }
        if is_last {
            out.append(&mut self.held);
        }
    }
}

const fn is_digit(byte: u8) -> bool {
    byte.is_ascii_hexdigit()
}

const fn is_capital(digit: u8) -> bool {
    is_digit(digit) && !digit.is_ascii_lowercase()
}

const fn value(digit: u8) -> u8 {
    match digit {
        b'0'..=b'9' => digit - b'0',
        _ => (digit | 0x20) - b'a' + 10,
    }
}

/// Undoes base64, piece by piece.
#[derive(Debug, Default)]
struct Base64 {
    bits: u32,
    count: u32,
}

impl Base64 {
    /// Appends what bytes stand for; ends of lines and padding are nothing.
    fn push(&mut self, bytes: &[u8], out: &mut Vec<u8>) {
        for &byte in bytes {
            let digit = match byte {
                b'A'..=b'Z' => byte - b'A',
                b'a'..=b'z' => byte - b'a' + 26,
                b'0'..=b'9' => byte - b'0' + 52,
                b'+' | b'-' => 62,
                b'/' | b'_' => 63,
                _ => continue,
            };
            self.bits = self.bits << 6 | u32::from(digit);
            self.count += 6;
            if self.count >= 8 {
                self.count -= 8;
                out.push((self.bits >> self.count) as u8);
            }
        }
    }
}

/// How the body of a part is encoded.
#[derive(Debug)]
enum TransferEncoding {
    Plain,
    Quoted(QuotedPrintable),
    Base64(Base64),
}

/// What a line of a mail belongs to.
#[derive(Debug)]
enum MailPlace {
    /// Headers, as far as they were read, in lower case.
    Headers(String),
    Body(TransferEncoding),
}

/// Reads the text of a mail, or of several after each other.
pub struct MailText<R: Read> {
    source: BufReader<R>,
    place: MailPlace,
    boundaries: Vec<String>,
    /// Whether the line above is empty, so that another mail may begin.
    is_apart: bool,
    made: PendingText,
}

impl<R: Read> MailText<R> {
    /// The text of a mail that begins here.
    pub fn new(source: R) -> Self {
        Self {
            source: BufReader::new(source),
            place: MailPlace::Headers(String::new()),
            boundaries: Vec::new(),
            is_apart: false,
            made: PendingText::default(),
        }
    }

    /// Takes the next line; whether there is one.
    fn line(&mut self) -> io::Result<bool> {
        let mut line = Vec::new();
        let mut limited = self.source.by_ref().take(LINE_BYTES);
        if limited.read_until(b'\n', &mut line)? == 0 {
            if let MailPlace::Body(TransferEncoding::Quoted(quoted)) = &mut self.place {
                quoted.push(b"", true, &mut self.made.text);
            }
            return Ok(false);
        }
        self.made.take(line.len())?;
        let said = line.trim_ascii_end();
        let is_boundary = said.strip_prefix(b"--").is_some_and(|rest| {
            let mut known = self.boundaries.iter();
            known.any(|known| {
                rest.strip_suffix(b"--").unwrap_or(rest) == known.as_bytes()
                    || rest == known.as_bytes()
            })
        });
        if is_boundary || self.is_apart && line.starts_with(b"From ") {
            if let MailPlace::Body(TransferEncoding::Quoted(quoted)) = &mut self.place {
                quoted.push(b"", true, &mut self.made.text);
            }
            if let MailPlace::Body(TransferEncoding::Base64(_)) = &self.place {
                self.made.text.push(b'\n');
            }
            self.place = MailPlace::Headers(String::new());
            self.made.text.extend_from_slice(&line);
            return Ok(true);
        }
        self.is_apart = said.is_empty();
        match &mut self.place {
            MailPlace::Headers(headers) if said.is_empty() => {
                let headers = std::mem::take(headers);
                self.boundaries.extend(boundary(&headers));
                if self.boundaries.len() > BOUNDARIES_MAX {
                    self.boundaries.remove(0);
                }
                self.place = MailPlace::Body(encoding(&headers.to_ascii_lowercase()));
                self.made.text.extend_from_slice(&line);
            }
            MailPlace::Headers(headers) => {
                if headers.len() < HEADER_BYTES_MAX {
                    headers.push_str(&String::from_utf8_lossy(&line));
                }
                self.made.text.extend_from_slice(&line);
            }
            MailPlace::Body(TransferEncoding::Plain) => self.made.text.extend_from_slice(&line),
            MailPlace::Body(TransferEncoding::Quoted(quoted)) => {
                quoted.push(&line, false, &mut self.made.text);
            }
            MailPlace::Body(TransferEncoding::Base64(base64)) => {
                base64.push(&line, &mut self.made.text);
            }
        }
        Ok(true)
    }
}

/// The boundary that headers name.
fn boundary(headers: &str) -> Option<String> {
    const NAME: &str = "boundary=";
    let at = headers.to_ascii_lowercase().find(NAME)? + NAME.len();
    let rest = &headers[at..];
    let found = match rest.strip_prefix('"') {
        Some(quoted) => quoted.split('"').next(),
        None => rest.split([';', ' ', '\t', '\r', '\n']).next(),
    };
    found.filter(|found| !found.is_empty()).map(str::to_owned)
}

/// How the body after headers (in lower case) is encoded; what is no text stays as it is.
fn encoding(headers: &str) -> TransferEncoding {
    const NAME: &str = "content-transfer-encoding:";
    let said = headers
        .find(NAME)
        .map_or("", |at| headers[at + NAME.len()..].trim_start());
    let is_text = !headers.contains("content-type:")
        || [
            "text/", "pgn", ".pdn", ".epd", ".fen", ".txt", ".csv", "json",
        ]
        .iter()
        .any(|sign| headers.contains(sign));
    if said.starts_with("quoted-printable") {
        TransferEncoding::Quoted(QuotedPrintable::default())
    } else if said.starts_with("base64") && is_text {
        TransferEncoding::Base64(Base64::default())
    } else {
        TransferEncoding::Plain
    }
}

impl<R: Read> Read for MailText<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.made.is_read() {
            if !self.line()? && self.made.text.is_empty() {
                return Ok(0);
            }
        }
        Ok(self.made.hand_over(buffer))
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use super::*;
    use proptest::prelude::*;

    fn text(mail: &[u8]) -> String {
        let mut out = Vec::new();
        MailText::new(mail).read_to_end(&mut out).expect("text");
        String::from_utf8_lossy(&out).into_owned()
    }

    fn unquoted(text: &[u8], step: usize) -> Vec<u8> {
        let (mut out, mut quoted) = (Vec::new(), QuotedPrintable::default());
        for piece in text.chunks(step) {
            quoted.push(piece, false, &mut out);
        }
        quoted.push(b"", true, &mut out);
        out
    }

    #[test]
    fn parts_are_as_they_were_written() {
        let mail = "From: a@b.org\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed;\r\n boundary=\"x=1\"\r\n\r\n\
            --x=1\r\nContent-Transfer-Encoding: Quoted-Printable\r\n\r\n1. e4 =\r\ne5=0A2. d4 e8=3DQ =C3=A9\r\n\
            --x=1\r\nContent-Type: application/x-chess-pgn\r\nContent-Transfer-Encoding: base64\r\n\r\nMS4gZTQg\r\nZTUgKg==\r\n\
            --x=1\r\nContent-Type: image/png\r\nContent-Transfer-Encoding: base64\r\n\r\nMS4gZTQg\r\n--x=1--\r\n";
        let found = text(mail.as_bytes());
        assert!(
            found.contains("\r\n\r\n1. e4 e5\n2. d4 e8=Q é\r\n--x=1\r\n"),
            "{found}"
        );
        assert!(found.contains("\r\n\r\n1. e4 e5 *\n--x=1\r\n"), "{found}");
        assert!(found.contains("MS4gZTQg\r\n--x=1--"), "{found}");
    }

    #[test]
    fn what_is_no_mail_stays_as_it_is() {
        let plain = "From: a\n\nContent-Transfer-Encoding: base64\n\n1. e8=Q =20 =\nx\n";
        assert_eq!(text(plain.as_bytes()), plain);
        for (sample, is_quoted) in [
            ("[White \"Andr=E9\"]=0D=0A\n1. e4 =\ne5", true),
            ("1. e8=Q a1=R+ 2. e4 = e5 =", false),
            ("a=DEAD b=3Dx c=3Dy d=20 e=20", true),
            ("a=1 b=22 c=33", false),
            ("=\n=\n=\n", false),
            ("?id=84123 ?id=90123 ?id=81234 ?id=95012", false),
        ] {
            assert_eq!(
                QuotedPrintable::is_in(sample.as_bytes()),
                is_quoted,
                "{sample}"
            );
        }
        assert_eq!(unquoted(b"a=3Gb==3Dc=4", 3), b"a=3Gb==c=4");
        assert_eq!(unquoted(b"a= \r\nb=\nc", 1), b"abc");
    }

    proptest! {
        #[test]
        fn what_was_quoted_comes_back(bytes: Vec<u8>, every in 1_usize..40, step in 1_usize..9) {
            let mut quoted = String::new();
            for (at, byte) in bytes.iter().enumerate() {
                if at % every == every - 1 {
                    quoted.push_str("=\r\n");
                }
                let _ = write!(quoted, "={byte:02X}");
            }
            prop_assert_eq!(unquoted(quoted.as_bytes(), step), bytes);
        }

        #[test]
        fn any_bytes_give_some_text(bytes: Vec<u8>) {
            let mut out = Vec::new();
            MailText::new(&bytes[..]).read_to_end(&mut out).expect("text");
            prop_assert!(out.len() <= bytes.len() + 64);
        }
    }
}
