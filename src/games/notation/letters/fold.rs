//! Alphabets of piece letters: letters with marks, and letters that look alike.
//!
//! A typist who lacks an alphabet takes letters that look the same from another.
//! They are put right only where the text has a letter that one alphabet alone
//! has, so that nothing is folded in a text that is all in one.

use std::borrow::Cow;

/// An alphabet of piece letters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Alphabet {
    /// Of English and most others.
    Latin,
    /// Of Greek.
    Greek,
    /// Of Russian, Ukrainian, Bulgarian, Serbian.
    Cyrillic,
}

/// Capitals that look alike, one above the other: Latin, Greek, Cyrillic; a blank where
/// one has none.
const LOOK_ALIKES: [[char; 15]; 3] = [
    [
        'A', 'B', 'C', 'E', 'H', 'I', 'K', 'M', 'N', 'O', 'P', 'T', 'X', 'Y', 'Z',
    ],
    [
        'Α', 'Β', ' ', 'Ε', 'Η', 'Ι', 'Κ', 'Μ', 'Ν', 'Ο', 'Ρ', 'Τ', 'Χ', 'Υ', 'Ζ',
    ],
    [
        'А', 'В', 'С', 'Е', 'Н', ' ', 'К', 'М', ' ', 'О', 'Р', 'Т', 'Х', ' ', ' ',
    ],
];

/// Greek small letters that could be taken for Latin or Cyrillic ones.
const GREEK_SMALL_SHARED: &str = "οκνυχ";

impl Alphabet {
    /// Every alphabet, in the order of the table above.
    pub const ALL: [Self; 3] = [Self::Latin, Self::Greek, Self::Cyrillic];

    /// The alphabet of a letter.
    pub const fn of(c: char) -> Option<Self> {
        match c {
            'A'..='Z' | 'a'..='z' | 'À'..='ɏ' => Some(Self::Latin),
            'Ͱ'..='Ͽ' | 'ἀ'..='῾' => Some(Self::Greek),
            'Ѐ'..='ӿ' => Some(Self::Cyrillic),
            _ => None,
        }
    }

    /// Its code in ISO 15924.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Latin => "Latn",
            Self::Greek => "Grek",
            Self::Cyrillic => "Cyrl",
        }
    }

    /// The letter of this alphabet that looks like one of another; case is kept.
    pub fn look_alike(self, c: char) -> Option<char> {
        if Self::of(c)? == self {
            return None;
        }
        let upper = upper(c);
        let place = |row: &[char; 15]| row.iter().position(|&c| c == upper);
        let own = LOOK_ALIKES[self as usize][LOOK_ALIKES.iter().find_map(place)?];
        let small = upper != c;
        (own != ' ').then(|| if small { lower(own) } else { own })
    }

    /// Whether a letter of this alphabet looks like none of another.
    fn alone_has(self, c: char) -> bool {
        let shared = LOOK_ALIKES.iter().any(|row| row.contains(&upper(c)));
        Self::of(c) == Some(self)
            && match self {
                // ρ, α, ι, β look like themselves; only capitals mislead.
                Self::Greek if upper(c) != c => !GREEK_SMALL_SHARED.contains(c),
                _ => !shared,
            }
    }
}

/// The capital of a letter, letter by letter: final sigma is a sigma.
pub(crate) fn upper(c: char) -> char {
    if c.is_ascii() {
        return c.to_ascii_uppercase();
    }
    one_for(c, c.to_uppercase())
}

/// The small letter of a capital.
pub(crate) fn lower(c: char) -> char {
    if c.is_ascii() {
        return c.to_ascii_lowercase();
    }
    one_for(c, c.to_lowercase())
}

/// A letter in another case, if that is one letter.
fn one_for(c: char, mut all: impl ExactSizeIterator<Item = char>) -> char {
    let is_one = all.len() == 1;
    all.next().filter(|_| is_one).unwrap_or(c)
}

/// Takes accents and breathings off Greek letters, joins the marks of Ş, Ž and Ĉ
/// to their letters and drops all other marks, so that every spelling of a letter
/// is one character.
pub fn fold(text: &str) -> Cow<'_, str> {
    let plain = |c: char| !is_mark(c) && greek_base(c) == c;
    if text.is_ascii() || text.chars().all(plain) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if !is_mark(c) {
            out.push(greek_base(c));
            continue;
        }
        let joined = out.chars().last().and_then(|base| match (base, c) {
            ('S', '\u{327}') => Some('Ş'),
            ('s', '\u{327}') => Some('ş'),
            ('Z', '\u{30C}') => Some('Ž'),
            ('z', '\u{30C}') => Some('ž'),
            ('C', '\u{302}') => Some('Ĉ'),
            ('c', '\u{302}') => Some('ĉ'),
            _ => None,
        });
        if let Some(joined) = joined {
            out.pop();
            out.push(joined);
        }
    }
    Cow::Owned(out)
}

const fn is_mark(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36F}')
}

/// A Greek letter without its accents; every other character as it is.
fn greek_base(c: char) -> char {
    let cased = |small: char, is_small: bool| if is_small { small } else { upper(small) };
    match c {
        'ά' | '\u{1FB0}'..='\u{1FB7}' => 'α',
        'έ' => 'ε',
        'ή' => 'η',
        'ί' | 'ϊ' | 'ΐ' | '\u{1FD0}'..='\u{1FD7}' => 'ι',
        'ό' => 'ο',
        'ύ' | 'ϋ' | 'ΰ' => 'υ',
        'ώ' => 'ω',
        'Ά' | '\u{1FB8}'..='\u{1FBC}' => 'Α',
        'Έ' => 'Ε',
        'Ή' => 'Η',
        'Ί' | 'Ϊ' | '\u{1FD8}'..='\u{1FDB}' => 'Ι',
        'Ό' => 'Ο',
        'Ύ' | 'Ϋ' => 'Υ',
        'Ώ' => 'Ω',
        // The block of letters with breathings: eight small ones, then their capitals.
        '\u{1F00}'..='\u{1F6F}' => {
            let code = c as usize - 0x1F00;
            let base = ['α', 'ε', 'η', 'ι', 'ο', 'υ', 'ω'][code / 16];
            cased(base, code % 16 < 8)
        }
        '\u{1F70}'..='\u{1F7D}' => ['α', 'ε', 'η', 'ι', 'ο', 'υ', 'ω'][(c as usize - 0x1F70) / 2],
        '\u{1FE4}' | '\u{1FE5}' => 'ρ',
        '\u{1FEC}' => 'Ρ',
        _ => c,
    }
}

/// Puts look-alikes into the alphabet that the text is in for certain. `None`
/// where there is nothing to put right, or no letter shows the alphabet.
pub fn fold_look_alikes(text: &str) -> Option<String> {
    if text.is_ascii() {
        return None;
    }
    let mut certain = Alphabet::ALL
        .into_iter()
        .filter(|script| text.chars().any(|c| script.alone_has(c)));
    let (Some(script), None) = (certain.next(), certain.next()) else {
        return None;
    };
    let mut changed = false;
    let folded = text
        .chars()
        .map(|c| match script.look_alike(c) {
            Some(own) => {
                changed = true;
                own
            }
            None => c,
        })
        .collect();
    changed.then_some(folded)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accents_go_and_cedillas_stay() {
        assert_eq!(fold("Ίά/Ρ\u{301}8"), "Ια/Ρ8");
        assert_eq!(fold("ἸῬᾴ"), "ΙΡα");
        assert_eq!(fold("S\u{327}ŞZ\u{30C}e\u{301}"), "ŞŞŽe");
        assert!(matches!(fold("ΣΣσς"), Cow::Borrowed(_)));
    }

    #[test]
    fn look_alikes_are_folded_where_the_alphabet_is_certain() {
        // Latin P, A and p among Greek letters.
        assert_eq!(
            fold_look_alikes("Π7/4p3/4Ι3/P2A4").as_deref(),
            Some("Π7/4ρ3/4Ι3/Ρ2Α4")
        );
        assert_eq!(fold_look_alikes("Kр1Ф/kp").as_deref(), Some("Кр1Ф/кр"));
        // All of one alphabet, or of none for certain, or of two.
        assert_eq!(fold_look_alikes("T7/4k3"), None);
        assert_eq!(fold_look_alikes("Ρ7/8"), None);
        assert_eq!(fold_look_alikes("Р7/P7"), None);
        assert_eq!(fold_look_alikes("Π7/Ф7"), None);
        // An English text with one Cyrillic letter in it.
        assert_eq!(fold_look_alikes("Q7/К7").as_deref(), Some("Q7/K7"));
    }
}
