//! Guesses the 8-bit encoding of what is not valid UTF-8 (rule L1).

use std::borrow::Cow;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{
    Encoding, IBM866, KOI8_R, KOI8_U, WINDOWS_1250, WINDOWS_1251, WINDOWS_1252, WINDOWS_1253,
    WINDOWS_1254,
};
use memchr::memchr2;

use super::{Charset, east_asia, words::likeness};

/// The piece letters that are not Latin, as bytes of the encodings that have
/// them: a word such as `Кf3` or `Сxc6` says more than a statistic.
static PIECE_LETTERS: [(&Encoding, &[u8]); ROWS] = [
    // Russian Крр (the king's first letter is the knight's), Ф, Л, С.
    (WINDOWS_1251, b"\xca\xd4\xcb\xd1"),
    (KOI8_R, b"\xeb\xe6\xec\xf3"),
    (IBM866, b"\x8a\x94\x8b\x91"),
    // Greek Ρ, Β, Π, Α, Ι.
    (WINDOWS_1253, b"\xd1\xc2\xd0\xc1\xc9"),
];

/// The row of Greek.
const GREEK: usize = 3;

/// Rows of piece letters.
const ROWS: usize = 4;

/// The guess of one file: windows-1252 until the first text that is not valid
/// UTF-8 was seen, then what that text says, for the complete file.
#[derive(Debug, Clone, Default)]
pub struct EncodingGuess {
    decided: Option<Charset>,
}

impl EncodingGuess {
    /// Begins without a decision.
    pub const fn new() -> Self {
        Self { decided: None }
    }

    /// Looks at the next text of the file; decides if it is the first that is
    /// not valid UTF-8.
    pub fn look_at(&mut self, text: &[u8]) {
        if self.decided.is_none() && Encoding::utf8_valid_up_to(text) < text.len() {
            self.decided = Some(guess(text));
        }
    }

    /// The encoding of what is not valid UTF-8.
    pub fn encoding(&self) -> Charset {
        self.decided.unwrap_or(Charset::WINDOWS_1252)
    }
}

/// Guesses the encoding of those lines of `text` that are not valid UTF-8:
/// windows-1252 unless piece letters, [`chardetng`] or the letters of words suggest another
/// one.
pub fn guess(text: &[u8]) -> Charset {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    let mut votes = [0_u32; ROWS];
    let mut foreign = 0_u32;
    let mut counts = [0_u64; 256];
    let mut words = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        // Most of the text is ASCII: jump to the line that is in doubt.
        let invalid = Encoding::utf8_valid_up_to(rest);
        if invalid == rest.len() {
            break;
        }
        let from = memchr::memrchr2(b'\n', b'\r', &rest[..invalid]).map_or(0, |at| at + 1);
        let to = memchr2(b'\n', b'\r', &rest[invalid..]).map_or(rest.len(), |at| invalid + at + 1);
        detector.feed(&rest[from..to], false);
        for byte in &rest[from..to] {
            counts[*byte as usize] += 1;
        }
        count_piece_letters(&rest[from..to], &mut votes, &mut foreign);
        if words.len() < WORD_BYTES_MAX {
            words.extend_from_slice(&rest[from..to]);
        }
        rest = &rest[to..];
    }
    if let Some(found) = east_asia::of_text(&words) {
        return Charset::listed(found);
    }
    detector.feed(b"", true);
    let detected = match detector.guess(None, Utf8Detection::Deny) {
        // The detector knows KOI8-R only as the part of KOI8-U it is.
        found if found == KOI8_U => KOI8_R,
        found
            if [
                WINDOWS_1250,
                WINDOWS_1251,
                WINDOWS_1253,
                WINDOWS_1254,
                KOI8_R,
                IBM866,
            ]
            .contains(&found) =>
        {
            found
        }
        _ => WINDOWS_1252,
    };
    // László is the same in windows-1250: no reason to read ½ as a double acute
    // further down.
    let detected = if read_alike(&counts, detected) {
        WINDOWS_1252
    } else {
        detected
    };
    if let Some(found) = by_piece_letters(votes, foreign, detected) {
        return Charset::listed(found);
    }
    of_older_machines(&words).unwrap_or_else(|| Charset::listed(detected))
}

/// Bytes of lines whose words are looked at.
const WORD_BYTES_MAX: usize = 64 << 10;

/// The encoding of DOS or the Macintosh in which text is made of words, if it is so
/// in none of Windows.
fn of_older_machines(text: &[u8]) -> Option<Charset> {
    let windows = [
        WINDOWS_1252,
        WINDOWS_1250,
        WINDOWS_1254,
        WINDOWS_1251,
        WINDOWS_1253,
        KOI8_R,
    ];
    let windows = windows
        .into_iter()
        .map(|own| likeness(&own.decode_without_bom_handling(text).0));
    let best = windows.max().unwrap_or(0).max(0);
    let older = [
        Charset::CP850,
        Charset::CP437,
        Charset::listed(IBM866),
        Charset::MAC_ROMAN,
    ];
    let older = older.map(|own| (likeness(&own.decode(text)), own));
    // Of equal ones the first.
    let found = older
        .into_iter()
        .rev()
        .max_by_key(|(likeness, _)| *likeness);
    found
        .filter(|(likeness, _)| *likeness > best)
        .map(|(_, own)| own)
}

/// Whether `encoding` reads nearly all (99 %) of the non-ASCII bytes counted as
/// windows-1252 does: single ones are as likely to be rubbish.
fn read_alike(counts: &[u64; 256], encoding: &'static Encoding) -> bool {
    let (mut all, mut different) = (0, 0);
    for byte in 0x80..=u8::MAX {
        let bytes = [byte];
        let text = |e: &'static Encoding| e.decode_without_bom_handling(&bytes).0;
        let count = counts[byte as usize];
        all += count;
        if text(encoding) != text(WINDOWS_1252) {
            different += count;
        }
    }
    different * 100 < all.max(1)
}

/// Whether moves in a text have piece letters of an alphabet of one byte a letter.
pub(super) fn has_piece_letters(text: &[u8]) -> bool {
    let (mut votes, mut foreign) = ([0; ROWS], 0);
    count_piece_letters(text, &mut votes, &mut foreign);
    votes.iter().any(|&vote| vote > 1)
}

/// Counts words of the form letter, perhaps a file or rank, perhaps `x`, square.
fn count_piece_letters(line: &[u8], votes: &mut [u32; ROWS], foreign: &mut u32) {
    let mut before = b' ';
    for (at, &byte) in line.iter().enumerate() {
        let begins = !before.is_ascii_alphanumeric() && before < 0x80;
        before = byte;
        if byte < 0x80 || !begins {
            continue;
        }
        let rest = &line[at + 1..];
        if !move_follows(rest, |b| (b'a'..=b'h').contains(&b)) {
            // Only Greek has files of its own: α to θ.
            let is_greek = PIECE_LETTERS[GREEK].1.contains(&byte)
                && move_follows(rest, |b| (0xe1..=0xe8).contains(&b));
            votes[GREEK] += u32::from(is_greek);
            continue;
        }
        let mut known = false;
        for (vote, (_, letters)) in votes.iter_mut().zip(&PIECE_LETTERS) {
            if letters.contains(&byte) {
                *vote += 1;
                known = true;
            }
        }
        *foreign += u32::from(!known);
    }
}

fn move_follows(rest: &[u8], file: impl Fn(u8) -> bool) -> bool {
    let is_file = |b: &u8| file(*b);
    let is_rank = |b: &u8| (b'1'..=b'8').contains(b);
    let square = |s: &[u8]| matches!(s, [f, r, ..] if is_file(f) && is_rank(r));
    let capture = |s: &[u8]| square(s) || matches!(s, [b'x' | b':', s @ ..] if square(s));
    capture(rest) || matches!(rest, [b, s @ ..] if (is_file(b) || is_rank(b)) && capture(s))
}

/// The encoding whose piece letters explain most moves, if they are enough to
/// outvote the detector: more than any other's and more than what none explains.
fn by_piece_letters(
    votes: [u32; ROWS],
    foreign: u32,
    detected: &'static Encoding,
) -> Option<&'static Encoding> {
    let best = votes.into_iter().max()?;
    if best == 0 || best <= foreign {
        return None;
    }
    let mut leaders = votes
        .iter()
        .zip(&PIECE_LETTERS)
        .filter(|(vote, _)| **vote == best)
        .map(|(_, row)| row.0);
    let first = leaders.next()?;
    // A letter may be one of two alphabets: then the detector chooses.
    if leaders.any(|other| other == detected) {
        Some(detected)
    } else {
        Some(first)
    }
}

/// Decodes the bytes of one game or a part of it: valid UTF-8 is borrowed as
/// it is, anything else is read in `fallback`; the second value says whether
/// it was. Only bytes that mean nothing in `fallback` become U+FFFD.
pub fn decode(bytes: &[u8], fallback: Charset) -> (Cow<'_, str>, bool) {
    match std::str::from_utf8(bytes) {
        Ok(text) => (Cow::Borrowed(text), false),
        Err(_) => (fallback.decode(bytes), true),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn cases_of_the_vectors() {
        let russian = include_bytes!("../../../tests/vectors/pgn_cases/russian_cp1251.pgn");
        assert_eq!(guess(russian).name(), "windows-1251");
        assert!(
            decode(russian, guess(russian))
                .0
                .contains("2. Кf3 Кc6 3. Сb5")
        );
        let latin = include_bytes!("../../../tests/vectors/pgn_cases/latin1.pgn");
        assert_eq!(guess(latin), Charset::WINDOWS_1252);
        assert!(
            decode(latin, Charset::WINDOWS_1252)
                .0
                .contains("Müller, Jörg")
        );
    }

    #[test]
    fn names_speak() {
        let cases: &[(&str, &'static Encoding)] = &[
            ("[White \"Hübner, Robert\"]", WINDOWS_1252),
            (
                "[White \"Lautier, Joël\"]\n[Site \"Besançon\"]",
                WINDOWS_1252,
            ),
            ("[White \"Muñoz, José\"]\n[Site \"Málaga\"]", WINDOWS_1252),
            (
                "[White \"Håkansson\"]\n[Black \"Sørensen\"]\n{Þröstur}",
                WINDOWS_1252,
            ),
            (
                "{Weiß gewinnt – die Stellung ist völlig überlegen}",
                WINDOWS_1252,
            ),
            (
                "[White \"Ботвинник, Михаил\"]\n[Black \"Таль, Михаил\"]",
                WINDOWS_1251,
            ),
            (
                "[White \"Ботвинник, Михаил\"]\n[Black \"Таль, Михаил\"]",
                KOI8_R,
            ),
            ("1. e4 e5 2. Кf3 Кc6 3. Сc4 Фh4", KOI8_R),
            ("1. e4 e5 2. Ιf3 Ιc6 3. Αc4 Βh4", WINDOWS_1253),
            // Czech or Hungarian, but alike in both.
            (
                "[White \"Ludvík\"]\n[Black \"Polgár, László\"]",
                WINDOWS_1252,
            ),
            ("[White \"Κοτρωνιάς, Βασίλειος\"]", WINDOWS_1253),
            (
                "[White \"Dvořák, Jiří\"]\n[Site \"Třinec\"]\n{Příliš žluťoučký kůň}",
                WINDOWS_1250,
            ),
            (
                "{Beyaz kazandı, çünkü şah güçlüydü; ağır taşlar değişti}",
                WINDOWS_1254,
            ),
        ];
        for (text, wanted) in cases {
            let (bytes, _, lost) = wanted.encode(text);
            assert!(!lost);
            assert_eq!(guess(&bytes).name(), wanted.name(), "{text}");
        }
    }

    /// Text in an encoding, if that has all its letters. The WHATWG's encoders omit those of DOS.
    fn encoded(text: &str, charset: Charset) -> Option<Vec<u8>> {
        let byte =
            |letter: char| (0..=255).find(|byte| charset.decode(&[*byte]).starts_with(letter));
        text.chars().map(byte).collect()
    }

    #[test]
    fn names_of_older_machines_speak() {
        let texts = [
            "[White \"Hübner, Robert\"]",
            "[White \"Sørensen, Åge\"]\n[Black \"Håkansson\"]",
            "[White \"Muñoz, José\"]\n[Site \"Málaga\"]",
            "{Weiß gewinnt, die Stellung ist völlig überlegen}",
            "[Event \"Test\"]\n1. e4 {Weiß zieht}",
            "[White \"Groß\"]\n[Site \"Straße\"]",
            "[White \"Szabó\"]\n[Black \"Sárdy, Diáz, Juárez, Polgár\"]",
            "[White \"Joël Lautier\"]\n[Site \"Besançon\"]",
            "[White \"Müller\"]",
            "{Weiß}",
            "[White \"Guðmundur Sigurðsson\"]",
        ];
        for charset in [
            Charset::CP850,
            Charset::CP437,
            Charset::MAC_ROMAN,
            Charset::WINDOWS_1252,
        ] {
            for text in texts {
                let Some(bytes) = encoded(text, charset) else {
                    continue;
                };
                let read = decode(&bytes, guess(&bytes)).0;
                assert_eq!(read, text, "{}", charset.name());
            }
        }
    }

    #[test]
    fn russian_of_dos_is_told_from_the_west() {
        let russian = Charset::listed(IBM866);
        for name in [
            "Чемпионат",
            "Иванов",
            "Петров",
            "Смыслов Василий",
            "Таль",
            "ТАЛЬ М.",
            "Первенство СССР",
            "Москва",
            "Обычное продолжение. Чёрные уравнивают игру.",
            "лучше",
        ] {
            let text = format!("[Event \"{name}\"]\r\n\r\n1. e4 e5 1-0\r\n");
            let bytes = encoded(&text, russian).expect("letters of IBM866");
            assert_eq!(decode(&bytes, guess(&bytes)).0, text);
        }
    }

    #[test]
    fn marks_of_punctuation_are_no_letters() {
        for text in [
            "{White’s attack; it’s mate, they don’t see it}",
            "{l’attaque est gagnante}",
            "[White \"O’Kelly\"]",
            "{a “sharp” move}",
            "{don’t take—it loses}",
            "{better is the knight – of course}",
            "{a passed pawn…}",
            "{the\u{a0}best move}",
            "[Event \"Smith–Jones\"]",
        ] {
            let bytes = encoded(text, Charset::WINDOWS_1252).expect("letters of windows-1252");
            assert_eq!(decode(&bytes, guess(&bytes)).0, text);
        }
    }

    #[test]
    fn the_first_text_that_needs_a_guess_decides() {
        let mut guess = EncodingGuess::new();
        guess.look_at("[White \"Ботвинник\"]".as_bytes());
        assert_eq!(guess.encoding(), Charset::WINDOWS_1252);
        // Lines of valid UTF-8 beside it have no say.
        let mut mixed = "{Müller spielt schön}\n".repeat(50).into_bytes();
        mixed.extend_from_slice(&WINDOWS_1251.encode("[White \"Ботвинник, Михаил\"]\n").0);
        guess.look_at(&mixed);
        assert_eq!(guess.encoding(), Charset::listed(WINDOWS_1251));
        guess.look_at(b"[White \"M\xfcller\"]");
        assert_eq!(guess.encoding(), Charset::listed(WINDOWS_1251));
    }

    proptest! {
        #[test]
        fn decoding_borrows_or_falls_back(bytes: Vec<u8>) {
            let (text, guessed) = decode(&bytes, Charset::WINDOWS_1252);
            prop_assert_eq!(guessed, std::str::from_utf8(&bytes).is_err());
            prop_assert_eq!(matches!(text, Cow::Owned(_)), guessed);
            if guessed {
                // windows-1252 gives every byte a meaning.
                prop_assert_eq!(text.chars().count(), bytes.len());
                prop_assert!(!text.contains(char::REPLACEMENT_CHARACTER));
            }
            guess(&bytes);
        }
    }
}
