//! Names of players as people write them: two spellings of one person, and two persons.
//!
//! Case, accents, punctuation and the order of names do not count: `Müller, Karsten`,
//! `Karsten Mueller` and `MULLER K` are read alike. Only a comma shows which of the words is the
//! family name; without one every reading is tried.

mod packed;

use deunicode::deunicode;

pub use packed::{NameKey, PackedName};

/// A name, ready to be compared with others.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PlayerName {
    /// The words before the comma; all where there is none.
    family: Vec<String>,
    /// Those after it.
    given: Vec<String>,
    /// Whether a comma separates the two.
    has_comma: bool,
    /// Words with digits, sorted: versions of programs, numbers of accounts.
    numbered: Vec<String>,
    /// What distinguishes people of one name in some collections: the 2 of `Fridman,D2`, `j` and
    /// `s` of juniors and seniors.
    namesake: Option<char>,
}

/// How two names go together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum NameRelation {
    /// They contradict each other.
    Different,
    /// A slip of the pen, another transliteration or a missing first name is between them.
    Possible,
    /// They are spellings of one name, as far as they show it.
    Same,
}

/// What stands where the player is unknown.
const UNKNOWN: &[&str] = &[
    "anon",
    "anonymous",
    "black",
    "chapter",
    "guest",
    "nn",
    "n n",
    "no name",
    "noname",
    "player",
    // Who has the dark men in draughts.
    "red",
    "unknown",
    "white",
];

/// Words that are of no name.
const TITLES: &[&str] = &[
    "cm", "dr", "fm", "gm", "im", "prof", "wcm", "wfm", "wgm", "wim",
];

/// Words that stand now before a family name and now after the first names.
const PARTICLES: &[&str] = &[
    "al", "da", "das", "de", "del", "den", "der", "di", "do", "dos", "du", "el", "la", "le", "ten",
    "ter", "van", "von", "vom", "zu",
];

/// Letters that are written now so and now otherwise, the longest first.
const SOUNDS: &[(&str, &str)] = &[
    ("tsch", "c"),
    ("dzha", "a"),
    ("dzhe", "e"),
    ("dzhu", "u"),
    ("dzh", "i"),
    ("tch", "c"),
    ("sch", "s"),
    ("sh", "s"),
    ("ch", "c"),
    ("cz", "c"),
    ("kh", "h"),
    ("ph", "f"),
    ("th", "t"),
    ("ck", "k"),
    ("ks", "x"),
    ("ts", "c"),
    ("tz", "c"),
    ("zh", "z"),
    ("sz", "s"),
    ("yu", "u"),
    ("ju", "u"),
    ("ya", "a"),
    ("ja", "a"),
    ("ye", "e"),
    ("je", "e"),
    ("iu", "u"),
    ("ia", "a"),
    ("ie", "e"),
    ("ou", "u"),
    ("iy", "i"),
    ("ij", "i"),
    ("w", "v"),
    ("y", "i"),
    ("j", "i"),
];

/// First names that one person is called in several languages, but for those that
/// sound alike.
const FIRST_NAMES: &[&[&str]] = &[
    &["alexander", "alexandr", "aleksandr", "oleksandr"],
    &["andrei", "andrey", "andrii", "andriy"],
    &["dmitri", "dmitry", "dmitriy", "dmytro"],
    &["evgeni", "evgeny", "evgeniy", "yevgeny", "eugene", "yevhen"],
    &[
        "michael", "mikhail", "michail", "mihail", "mykhailo", "mykhaylo",
    ],
    &["nikolai", "nikolay", "nicolai", "mykola"],
    &["paul", "pavel", "pavlo"],
    &["peter", "petr", "petro", "piotr", "pyotr", "pjotr"],
    &["sergei", "sergey", "serhii", "serhiy"],
    &["vasily", "vassily", "vasiliy", "vassili", "vasyl", "vasil"],
    &["vladimir", "wladimir", "volodymyr"],
];

impl PlayerName {
    /// Reads a name as it stands in a tag.
    pub fn read(name: &str) -> Self {
        // What programs add to a name.
        let (name, added) = name.split_once(['(', '[']).unwrap_or((name, ""));
        let folded = plain_letters(name);
        let (family, given) = match folded.split_once(',') {
            Some((family, given)) => (family, Some(given)),
            None => (&folded[..], None),
        };
        let added = plain_letters(added.trim_end_matches([')', ']', ' ']));
        let (mut numbered, mut namesake) = (Vec::new(), generation(&added));
        // `Ivanov,Sergey1` and `Sergey1 Ivanov`; `Comp Fritz5` and `Anand,V / FRITZ7` are programs.
        let first_of = if given.is_some() { 0 } else { 2 };
        let mut words = |text: &str, first_of: usize| -> Vec<String> {
            let text = text.replace(['\'', '`'], "");
            let words = text.split(|c: char| !c.is_ascii_alphanumeric());
            let words = words.filter(|word| !word.is_empty() && !TITLES.contains(word));
            let is_first_name = words.clone().count() == first_of;
            let mut named = Vec::new();
            for (nth, word) in words.enumerate() {
                let letters_max = if nth == 0 && is_first_name {
                    word.len()
                } else {
                    ABBREVIATED_MAX
                };
                // `Jun` and `Sen` are names where they stand without brackets.
                if matches!(word, "jr" | "sr") && !named.is_empty() {
                    namesake = generation(word);
                } else if let Some((name, number)) = numbered_name(word, letters_max) {
                    named.push(name.to_owned());
                    namesake = Some(number);
                } else if word.bytes().any(|byte| byte.is_ascii_digit()) {
                    numbered.push(word.to_owned());
                } else {
                    named.push(without_umlauts(word));
                }
            }
            named
        };
        let family = words(family, first_of);
        let has_comma = given.is_some() && !family.is_empty();
        let given = given.map(|given| words(given, 1)).unwrap_or_default();
        numbered.sort_unstable();
        let (family, given) = if family.is_empty() {
            (given, Vec::new())
        } else {
            (family, given)
        };
        Self {
            family,
            given,
            has_comma,
            numbered,
            namesake,
        }
    }

    /// Whether it says who played.
    pub fn is_known(&self) -> bool {
        let whole = self.family.join(" ");
        let is_named = !whole.is_empty() || !self.numbered.is_empty();
        let is_alone = self.numbered.is_empty() && self.given.is_empty();
        is_named && !(is_alone && UNKNOWN.contains(&&whole[..]))
    }

    /// Takes over what another spelling of the name knows besides: longer names, and what
    /// distinguishes a person from others of that name.
    pub fn learn(&mut self, other: &Self) {
        let letters = |name: &Self| -> usize {
            let words = name.family.iter().chain(&name.given);
            words.map(String::len).sum()
        };
        if letters(other) > letters(self) && other.has_comma >= self.has_comma {
            self.family.clone_from(&other.family);
            self.given.clone_from(&other.given);
            self.has_comma = other.has_comma;
        }
        self.namesake = self.namesake.or(other.namesake);
    }

    /// How it goes together with another name.
    pub fn likeness(&self, other: &Self) -> NameRelation {
        let namesakes = self.namesake.zip(other.namesake);
        if self.numbered != other.numbered || namesakes.is_some_and(|(one, other)| one != other) {
            return NameRelation::Different;
        }
        if self.family == other.family && self.given == other.given {
            return NameRelation::Same;
        }
        let readings = other.readings();
        let pairs = self.readings();
        let pairs = pairs
            .iter()
            .flat_map(|one| readings.iter().map(move |other| (one, other)));
        let likeness = pairs.map(|([family, given], [others, its])| {
            families(family, others).min(given_names(given, its))
        });
        likeness.max().unwrap_or(NameRelation::Different)
    }

    /// The words before the comma and those after it, without particles where others are left:
    /// `Li, Di` has none. Nor has `Quang Liem Le`: particles stand before a name, or after a comma.
    fn named(&self) -> [Vec<&str>; 2] {
        [(&self.family, !self.has_comma), (&self.given, false)].map(|(words, is_all)| {
            let last = words.len().saturating_sub(1);
            let words = words.iter().map(String::as_str);
            let named = words
                .clone()
                .enumerate()
                .filter(|&(nth, word)| !PARTICLES.contains(&word) || is_all && nth == last);
            let named: Vec<&str> = named.map(|(_, word)| word).collect();
            if named.len() < 1 + usize::from(is_all) {
                return words.collect();
            }
            named
        })
    }

    /// The particle that stands before all other words, where no comma decides: it may be the
    /// family name as well, as in `Le Quang Liem`.
    fn first_particle(&self) -> Option<&str> {
        let [first, .., _] = &self.family[..] else {
            return None;
        };
        let is_left_out = !self.has_comma && self.named()[0].len() < self.family.len();
        (is_left_out && PARTICLES.contains(&&first[..])).then_some(first)
    }

    /// What may be family name and given names.
    fn readings(&self) -> Vec<[Vec<&str>; 2]> {
        let [words, given] = self.named();
        if self.has_comma || words.len() < 2 {
            return vec![[words, given]];
        }
        let words = &words[..words.len().min(WORDS_MAX)];
        let mut readings = vec![[words.to_vec(), Vec::new()]];
        if let Some(particle) = self.first_particle() {
            readings.push([vec![particle], words.to_vec()]);
        }
        for at in 1..words.len() {
            let (first, last) = words.split_at(at);
            let is_name = |family: &[&str]| family.iter().any(|word| word.len() > 1);
            for [family, given] in [[first, last], [last, first]] {
                if is_name(family) {
                    readings.push([family.to_vec(), given.to_vec()]);
                }
            }
        }
        readings
    }
}

/// The tags with the numbers that FIDE has given to the players, White's first.
pub const FIDE_ID_TAGS: [&str; 2] = ["WhiteFideId", "BlackFideId"];

/// Smaller numbers are marks for none.
const FIDE_ID_MIN: u32 = 1000;

/// The number that FIDE has given to a player, as a tag has it; `None` for what is none.
///
/// ```
/// use plydex::pgn::tags::person::fide_id;
/// assert_eq!(fide_id(" 1503014 "), Some(1_503_014));
/// assert_eq!(fide_id("0"), None);
/// ```
pub fn fide_id(text: &str) -> Option<u32> {
    text.trim().parse().ok().filter(|&id| id >= FIDE_ID_MIN)
}

/// What distinguishes a son from his father, or one of several from the others: a word, or a digit.
fn generation(word: &str) -> Option<char> {
    match word.trim_end_matches('.') {
        "jr" | "jun" | "junior" => Some('j'),
        "sr" | "sen" | "senior" => Some('s'),
        word if word.len() == 1 => word.chars().next().filter(char::is_ascii_digit),
        _ => None,
    }
}

/// Words of a name that are looked at.
const WORDS_MAX: usize = 6;

/// Letters of a first name that is cut short: programs with a number have longer names.
const ABBREVIATED_MAX: usize = 4;

/// A first name, or its beginning, of at most that many letters with a digit, taken apart.
fn numbered_name(word: &str, letters_max: usize) -> Option<(&str, char)> {
    let number = word.chars().last().filter(char::is_ascii_digit)?;
    let name = &word[..word.len() - 1];
    let is_short = (1..=letters_max).contains(&name.len());
    (is_short && name.bytes().all(|byte| byte.is_ascii_alphabetic())).then_some((name, number))
}

/// A name in small letters of the Latin alphabet without accents. `ё` is `е`, as it is printed
/// nearly everywhere.
///
/// ```
/// use plydex::pgn::tags::person::plain_letters;
/// assert_eq!(plain_letters("Šarić"), "saric");
/// assert_eq!(plain_letters("Алёхин"), plain_letters("Алехин"));
/// ```
pub fn plain_letters(name: &str) -> String {
    if !name.contains(['ё', 'Ё']) {
        return deunicode(name).to_lowercase();
    }
    deunicode(&name.replace('ё', "е").replace('Ё', "Е")).to_lowercase()
}

/// `mueller` as `muller`; what stands after a vowel is none, as in `bauer`.
pub fn without_umlauts(word: &str) -> String {
    let mut folded = String::with_capacity(word.len());
    let is_vowel = |letter: char| "aeiouy".contains(letter);
    let mut letters = word.chars().peekable();
    while let Some(letter) = letters.next() {
        let is_behind_vowel = folded.chars().last().is_some_and(is_vowel);
        folded.push(letter);
        if "aou".contains(letter) && !is_behind_vowel {
            letters.next_if_eq(&'e');
        }
    }
    folded
}

/// A word as it sounds, however it came into our letters.
fn sound(word: &str) -> String {
    let (mut heard, mut rest) = (String::new(), word);
    let is_vowel = |letter: char| "aeiouy".contains(letter);
    while let Some(letter) = rest.chars().next() {
        // Between a vowel and a consonant it is silent.
        let is_silent = letter == 'h'
            && heard.ends_with(is_vowel)
            && rest[1..].chars().next().is_some_and(|next| !is_vowel(next));
        if is_silent {
            rest = &rest[1..];
            continue;
        }
        let spelled = SOUNDS.iter().find(|(written, _)| rest.starts_with(written));
        let (bytes, sound) = match spelled {
            Some((written, sound)) => (written.len(), *sound),
            None => (letter.len_utf8(), &rest[..letter.len_utf8()]),
        };
        if !heard.ends_with(sound) {
            heard.push_str(sound);
        }
        rest = &rest[bytes..];
    }
    heard
}

/// Whether two words of some length differ in one letter, or have two of them exchanged.
fn is_slip(one: &str, other: &str) -> bool {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    let (short, long) = if one.len() <= other.len() {
        (one, other)
    } else {
        (other, one)
    };
    if short.len() < SLIP_LETTERS_MIN || long.len() - short.len() > 1 {
        return false;
    }
    let same = short
        .iter()
        .zip(long)
        .take_while(|(one, other)| one == other)
        .count();
    let (short, long) = (&short[same..], &long[same..]);
    match (short, long) {
        ([], _) => true,
        _ if long.len() > short.len() => short == &long[1..],
        ([a, b, rest @ ..], [c, d, others @ ..]) if (a, b) == (d, c) => rest == others,
        _ => short[1..] == long[1..],
    }
}

/// In shorter words one letter makes another name.
const SLIP_LETTERS_MIN: usize = 6;

fn word_likeness(one: &str, other: &str) -> NameRelation {
    if one == other {
        NameRelation::Same
    } else if sound(one) == sound(other) || is_slip(one, other) {
        NameRelation::Possible
    } else {
        NameRelation::Different
    }
}

fn families(one: &[&str], other: &[&str]) -> NameRelation {
    let whole = word_likeness(&one.concat(), &other.concat());
    if whole > NameRelation::Different || one.is_empty() || other.is_empty() {
        return whole;
    }
    // Of a double name one half is often left out.
    let (short, long) = if one.len() < other.len() {
        (one, other)
    } else {
        (other, one)
    };
    if short.len() < long.len() && (long.starts_with(short) || long.ends_with(short)) {
        return NameRelation::Possible;
    }
    NameRelation::Different
}

fn given_names(one: &[&str], other: &[&str]) -> NameRelation {
    if one.is_empty() || other.is_empty() {
        return match one.len() + other.len() {
            0 => NameRelation::Same,
            _ => NameRelation::Possible,
        };
    }
    let initials = |words: &[&str]| -> String {
        words
            .iter()
            .filter_map(|word| word.chars().next())
            .collect()
    };
    let is_initials = |word: &[&str], words: &[&str]| matches!(word, [word] if words.len() > 1 && word.len() > 1 && initials(words).starts_with(word));
    if is_initials(one, other) || is_initials(other, one) {
        return NameRelation::Same;
    }
    // `MM` is not `M D`.
    let are_letters = |words: &[&str]| words.len() > 1 && words.iter().all(|word| word.len() == 1);
    let is_other = |word: &[&str], words: &[&str]| {
        matches!(word, [word] if (2..=3).contains(&word.len())) && are_letters(words)
    };
    if is_other(one, other) || is_other(other, one) {
        return NameRelation::Different;
    }
    let pairs = one
        .iter()
        .zip(other)
        .map(|(one, other)| given_name(one, other));
    pairs.min().unwrap_or(NameRelation::Same)
}

/// Longer beginnings of a name are names of their own: Dan and Daniel.
const ABBREVIATION_MAX: usize = 2;

fn given_name(one: &str, other: &str) -> NameRelation {
    let (short, long) = if one.len() <= other.len() {
        (one, other)
    } else {
        (other, one)
    };
    // A single letter is never left out: Yu is not Yue.
    let left_out = long.len() - short.len();
    let is_abbreviation = short.len() == 1 || short.len() <= ABBREVIATION_MAX && left_out > 1;
    match long.starts_with(short) {
        true if left_out == 0 || is_abbreviation => NameRelation::Same,
        true => NameRelation::Possible,
        false
            if FIRST_NAMES
                .iter()
                .any(|names| names.contains(&one) && names.contains(&other)) =>
        {
            NameRelation::Possible
        }
        false => word_likeness(one, other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn likeness(one: &str, other: &str) -> NameRelation {
        let (one, other) = (PlayerName::read(one), PlayerName::read(other));
        let likeness = one.likeness(&other);
        assert_eq!(other.likeness(&one), likeness, "either way");
        likeness
    }

    #[test]
    fn spellings_of_one_name() {
        for (one, other) in [
            ("Müller, Karsten", "Mueller, Karsten"),
            ("Müller, Karsten", "MULLER K"),
            ("Šarić, Ivan", "Saric,I"),
            ("O'Kelly de Galway, Alberic", "OKelly de Galway, A"),
            ("Carlsen,M", "Carlsen, Magnus"),
            ("Carlsen, Magnus", "M. Carlsen"),
            ("Carlsen, Magnus (2850)", "GM Magnus Carlsen"),
            ("Bu Xiangzhi", "Xiangzhi Bu"),
            ("Capablanca,JR", "Capablanca, José Raúl"),
            ("Polgar,Zs", "Polgár, Zsuzsa"),
            ("van der Wiel, John", "Wiel, John van der"),
            ("Vachier-Lagrave, Maxime", "Vachier Lagrave,M"),
            ("Stockfish 15", "stockfish 15"),
            ("Le, Quang Liem", "Quang Liem Le"),
            ("Le, Quang Liem", "Le Quang Liem"),
            ("Le, QL", "Le Quang Liem"),
            ("Van Wely Loek", "Van Wely, Loek"),
            ("Van Wely Loek", "Wely, L van"),
            ("Sokolov,An", "Sokolov, Andrei"),
            ("Fridman,D2", "Fridman, D."),
            ("Volkov,Sergey1", "S. Volkov"),
            ("Volkov,Sergey1", "Sergey1 Volkov"),
        ] {
            assert_eq!(likeness(one, other), NameRelation::Same, "{one} {other}");
        }
    }

    #[test]
    fn what_is_learned_of_a_name_tells_others() {
        let mut name = PlayerName::read("Smith, J (jun)");
        name.learn(&PlayerName::read("John Smith"));
        name.learn(&PlayerName::read("Smith, John"));
        for (other, likeness) in [
            ("Smith, John (sen)", NameRelation::Different),
            ("Smith, Jack", NameRelation::Different),
            ("Smith, J", NameRelation::Same),
            ("Smith, John Jr", NameRelation::Same),
        ] {
            assert_eq!(name.likeness(&PlayerName::read(other)), likeness, "{other}");
        }
    }

    #[test]
    fn names_that_may_be_one() {
        for (one, other) in [
            ("Carlsen", "Carlsen, Magnus"),
            ("Karjakin, Sergey", "Kariakin, Sergei"),
            ("Korchnoi, Viktor", "Kortschnoj, V"),
            ("Lagrave, M", "Vachier-Lagrave, Maxime"),
            ("Kasparov, Gary", "Kaspraov, Garry"),
            ("Naiditsch, Dan", "Naiditsch, Daniel"),
            ("Wang, Yu", "Wang, Yue"),
        ] {
            assert_eq!(
                likeness(one, other),
                NameRelation::Possible,
                "{one} {other}"
            );
        }
    }

    #[test]
    fn other_names() {
        for (one, other) in [
            ("Polgar, Judit", "Polgar, Zsuzsa"),
            ("Carlsen, Magnus", "Carlsen, Ingrid"),
            ("M Carlsen", "M Kramnik"),
            ("Bauer, C", "Baur, C"),
            ("Fridman,D1", "Fridman,D2"),
            ("Ivanov,Sergey1", "Ivanov,Sergey2"),
            ("Anand,V / FRITZ7", "Anand,V"),
            ("Comp Fritz4", "Comp Fritz5"),
            ("Comp Fritz", "Comp Fritz5"),
            ("Smith, John (sen)", "Smith, John (jun.)"),
            ("Smith, John Jr.", "Smith, John sr"),
            ("Wang, Rui (1)", "Wang, Rui (2)"),
            ("Ivanov, MM", "Ivanov, M D"),
            ("Lerner, Al", "Lerner, Konstantin"),
            ("Stockfish 15", "Stockfish 16"),
            ("Stockfish", "Stockfish 16"),
            ("Lee", "Li, Chao"),
            ("Le, Quang Liem", "Le Tuan Minh"),
            ("Le Roux Jean", "Le, Paul"),
            ("Anna M", "Bernd M"),
        ] {
            assert_eq!(
                likeness(one, other),
                NameRelation::Different,
                "{one} {other}"
            );
        }
    }

    #[test]
    fn nobody_in_particular() {
        for name in [
            "",
            "?",
            "NN",
            "N.N.",
            "-",
            "Anonymous",
            "White",
            "Red",
            "CHAPTER",
        ] {
            assert!(!PlayerName::read(name).is_known(), "{name}");
        }
        for name in [
            "Nn, A",
            "White, Peter",
            "Карлсен",
            "柯洁",
            "1234",
            "Anonymous7",
        ] {
            assert!(PlayerName::read(name).is_known(), "{name}");
        }
    }

    /// Pairs of names as a person has judged them: one person's, or not.
    #[test]
    fn names_are_judged_as_people_judge_them() {
        let vectors = include_str!("../../../tests/vectors/players.tsv");
        let (mut missed, mut joined) = (Vec::new(), Vec::new());
        for [one, other, judged] in super::super::rows::<3>(vectors) {
            match (judged, likeness(one, other)) {
                ("same", NameRelation::Different) => missed.push((one, other)),
                ("other", NameRelation::Same) => joined.push((one, other)),
                _ => {}
            }
        }
        assert_eq!(joined, []);
        // A name that is another word than what everybody calls him.
        let beyond = ["Euwe, Machgielis"];
        let missed: Vec<&str> = missed.into_iter().map(|(_, other)| other).collect();
        assert_eq!(missed, beyond);
    }
}
