//! The encodings of East Asia, in which a character has two bytes or more. Their second bytes may
//! be brackets, braces and backslashes, so a stream in one of them must be undone before it is cut.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{BIG5, DecoderResult, EUC_JP, EUC_KR, Encoding, GB18030, GBK, SHIFT_JIS};

use super::guess::has_piece_letters;

/// An encoding, and which of its characters are frequent.
struct EastAsianEncoding {
    /// As the detector calls it.
    detected: &'static Encoding,
    /// As it is read: with all that was added to it.
    read: &'static Encoding,
    /// Least and greatest first bytes of frequent characters and of punctuation.
    frequent: &'static [(u8, u8)],
    /// The least second byte of them.
    second: u8,
}

const ENCODINGS: [EastAsianEncoding; 5] = [
    // GB/T 2312: symbols, letters of full width, and its first level of characters.
    EastAsianEncoding {
        detected: GBK,
        read: GB18030,
        frequent: &[(0xa1, 0xa3), (0xb0, 0xd7)],
        second: 0xa1,
    },
    TRADITIONAL,
    // JIS X 0208: symbols, letters of full width, kana, and its first level.
    EastAsianEncoding {
        detected: EUC_JP,
        read: EUC_JP,
        frequent: &[(0xa1, 0xa1), (0xa3, 0xa5), (0xb0, 0xcf)],
        second: 0xa1,
    },
    EastAsianEncoding {
        detected: SHIFT_JIS,
        read: SHIFT_JIS,
        frequent: &[(0x81, 0x83), (0x88, 0x98)],
        second: 0x40,
    },
    // KS X 1001: symbols, letters of full width, and Hangul.
    EastAsianEncoding {
        detected: EUC_KR,
        read: EUC_KR,
        frequent: &[(0xa1, 0xa1), (0xa3, 0xa3), (0xb0, 0xc8)],
        second: 0xa1,
    },
];

/// Big5: symbols and the first level.
const TRADITIONAL: EastAsianEncoding = EastAsianEncoding {
    detected: BIG5,
    read: BIG5,
    frequent: &[(0xa1, 0xa3), (0xa4, 0xc6)],
    second: 0x40,
};

/// Wide characters that a text has at least.
const WIDE_MIN: usize = 4;

/// At least this many wide characters for each rare one.
const RARE_SHARE: usize = 5;

/// The encoding of a text that is made of East Asian characters, nearly all of them frequent
/// ones. Its last character may be cut.
pub(super) fn of_text(text: &[u8]) -> Option<&'static Encoding> {
    if std::str::from_utf8(text).map_or_else(|error| error.error_len().is_none(), |_| true) {
        return None;
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(text, false);
    let detected = detector.guess(None, Utf8Detection::Deny);
    let row = ENCODINGS.iter().find(|row| row.detected == detected)?;
    (row.explains(text) && !has_piece_letters(text)).then_some(row.read)
}

impl EastAsianEncoding {
    fn explains(&self, text: &[u8]) -> bool {
        let mut decoder = self.read.new_decoder_without_bom_handling();
        let Some(room) = decoder.max_utf8_buffer_length_without_replacement(text.len()) else {
            return false;
        };
        let mut decoded = String::with_capacity(room);
        let (result, _) = decoder.decode_to_string_without_replacement(text, &mut decoded, false);
        if result != DecoderResult::InputEmpty {
            return false;
        }
        let (mut wide, mut rare) = (0, 0);
        for letter in decoded.chars().filter(|letter| !letter.is_ascii()) {
            // The encodings of the mainland have the traditional characters as well.
            let is_frequent = self.has_frequent(letter)
                || self.read == GB18030 && TRADITIONAL.has_frequent(letter);
            wide += 1;
            rare += usize::from(!is_frequent);
        }
        wide >= WIDE_MIN && rare * RARE_SHARE <= wide
    }

    fn has_frequent(&self, letter: char) -> bool {
        let mut utf8 = [0; 4];
        let (bytes, _, _) = self.read.encode(letter.encode_utf8(&mut utf8));
        let [first, second] = *bytes else {
            return false;
        };
        let is_within = |&(from, to): &(u8, u8)| (from..=to).contains(&first);
        second >= self.second && self.frequent.iter().any(is_within)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use encoding_rs::{KOI8_R, WINDOWS_1250, WINDOWS_1251, WINDOWS_1252, WINDOWS_1253};

    const TEXTS: [(&[&Encoding], &str); 5] = [
        (
            &[GB18030],
            "[Red \"胡荣华\"]\r\n[Black \"许银川\"]\r\n\r\n1. 炮二平五 马8进7\r\n",
        ),
        (
            &[GB18030],
            "[Event \"全国象棋个人赛\"]\n[RedTeam \"上海\"]\n\n1. C2.5 H8+7\n",
        ),
        (
            &[BIG5, GB18030],
            "[Red \"許功蓋\"]\r\n[Black \"吳貴臨\"]\r\n{紅方先勝，黑方認輸。}\r\n1. C2.5 H8+7 1-0\r\n",
        ),
        (
            &[SHIFT_JIS, EUC_JP],
            "[White \"羽生善治\"]\n[Event \"東京選手権\"]\n{白の勝ちです。}\n1. e4 e5 *\n",
        ),
        (
            &[EUC_KR],
            "[White \"이상훈\"]\n[Event \"서울 국제 체스 대회\"]\n{백이 이겼다.}\n1. e4 e5 *\n",
        ),
    ];

    #[test]
    fn texts_of_east_asia() {
        for (encodings, text) in TEXTS {
            for encoding in encodings {
                let (bytes, _, lost) = encoding.encode(text);
                assert!(!lost);
                let found = of_text(&bytes).map(Encoding::name);
                assert_eq!(found, Some(encoding.name()), "{text}");
            }
            assert_eq!(of_text(text.as_bytes()), None);
        }
    }

    /// Letters of one byte may make pairs that are characters by accident.
    #[test]
    fn texts_of_europe_are_none() {
        let texts: [(&[&Encoding], &str); 6] = [
            (
                &[WINDOWS_1251, KOI8_R],
                "[White \"Ботвинник, Михаил\"]\n[Black \"Таль, Михаил\"]\n1. Кf3 Кf6\n",
            ),
            (
                &[WINDOWS_1251, KOI8_R],
                "Белые начинают и дают мат в два хода. Чёрные защищаются.\n",
            ),
            (
                &[WINDOWS_1251, KOI8_R],
                "[White \"Таль\"]\n[Black \"Геллер\"]\n",
            ),
            (
                &[WINDOWS_1253],
                "[White \"Κοτρωνιάς, Βασίλειος\"]\n1. Ιf3 Ιc6\n",
            ),
            (
                &[WINDOWS_1252],
                "[White \"Müller\"]\n{Weiß gewinnt – völlig überlegen; größer}\n",
            ),
            (
                &[WINDOWS_1250],
                "[White \"Dvořák, Jiří\"]\n{Příliš žluťoučký kůň úpěl ďábelské ódy}\n",
            ),
        ];
        for (encodings, text) in texts {
            for encoding in encodings {
                let (bytes, ..) = encoding.encode(text);
                assert_eq!(of_text(&bytes).map(Encoding::name), None, "{text}");
            }
        }
    }

    #[test]
    fn cut_anywhere_it_is_the_same() {
        let (text, ..) = GB18030.encode(TEXTS[0].1);
        for end in 40..text.len() {
            assert_eq!(of_text(&text[..end]), Some(GB18030), "{end}");
        }
    }
}
