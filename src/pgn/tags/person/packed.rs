//! Names of players in a few bytes, for those who compare very many.

use super::{NameRelation, PlayerName, WORDS_MAX, given_names};

/// A name as [`PlayerName`] has read it, packed: without particles.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackedName {
    /// Family name, then given names, with blanks between them.
    words: Box<str>,
    /// How many of the words are the family name; 0 where no comma shows it.
    family: u8,
    /// The particle before all words, if that may be the family name.
    particle: Box<str>,
    numbered: Box<str>,
    namesake: Option<char>,
}

/// Where a reading of a name has its family name and its given names.
type NameSplit = (std::ops::Range<usize>, std::ops::Range<usize>);

/// The words of a name that are looked at, and how many they are; the particle stands after them.
type WordList<'n> = ([&'n str; WORDS_MAX + 1], usize);

/// What may be the family name of a name, and how the given names begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NameKey {
    /// A hash of the family name.
    pub family: u64,
    /// The first letter of the given names; 0 where there are none.
    pub initial: u8,
}

impl NameKey {
    /// That of a name of one word, as it stands.
    pub fn of_word(word: &str) -> Self {
        Self {
            family: hash(&[word]),
            initial: 0,
        }
    }
}

impl PackedName {
    /// Packs a name.
    pub fn of(name: &PlayerName) -> Self {
        let [mut words, given] = name.named();
        let is_told = name.has_comma || words.len() < 2;
        let family = if is_told {
            words.len().min(WORDS_MAX)
        } else {
            0
        };
        words.truncate(WORDS_MAX);
        words.extend(given);
        words.truncate(WORDS_MAX);
        Self {
            words: words.join(" ").into(),
            family: family as u8,
            particle: name.first_particle().unwrap_or_default().into(),
            numbered: name.numbered.join(" ").into(),
            namesake: name.namesake,
        }
    }

    /// How many letters it has: of two names that fit, the one with fewer is the shorter form.
    pub fn letters(&self) -> usize {
        self.words.bytes().filter(|&byte| byte != b' ').count()
    }

    /// Whether it has the letters of another, in whichever order its words are.
    pub fn has_letters_of(&self, other: &Self) -> bool {
        let letters = |name: &Self| {
            let mut letters: Vec<u8> = name.words.bytes().filter(|&byte| byte != b' ').collect();
            letters.sort_unstable();
            letters
        };
        letters(self) == letters(other)
    }

    /// Whether it is known which of its words are the family name.
    pub const fn is_told(&self) -> bool {
        self.family > 0
    }

    /// Whether it is a family name alone.
    pub fn is_bare(&self) -> bool {
        self.family > 0 && self.list().1 == usize::from(self.family)
    }

    /// The keys of all its readings; names that fit have one in common, but for
    /// the initial of [bare](Self::is_bare) ones.
    pub fn keys(&self) -> Vec<NameKey> {
        let (words, count) = self.list();
        let mut keys: Vec<NameKey> = self
            .readings(count)
            .map(|(family, given)| NameKey {
                family: hash(&words[family]),
                initial: words[given].first().map_or(0, |word| word.as_bytes()[0]),
            })
            .collect();
        keys.sort_unstable();
        keys.dedup();
        keys
    }

    /// Whether two names are spellings of one, as far as they show it: as
    /// [`PlayerName::likeness`] has it where that is [`NameRelation::Same`].
    pub fn fits(&self, other: &Self) -> bool {
        self.agree(other, |given, its| {
            given_names(given, its) == NameRelation::Same
        })
    }

    /// Whether one of them is a family name that the other has, with given names.
    pub fn fits_barely(&self, other: &Self) -> bool {
        self.agree(other, |given, its| given.is_empty() != its.is_empty())
    }

    fn agree(&self, other: &Self, given_agree: impl Fn(&[&str], &[&str]) -> bool) -> bool {
        let namesakes = self.namesake.zip(other.namesake);
        if self.numbered != other.numbered || namesakes.is_some_and(|(one, other)| one != other) {
            return false;
        }
        let ((words, count), (others, other_count)) = (self.list(), other.list());
        self.readings(count).any(|(family, given)| {
            other
                .readings(other_count)
                .any(|(others_family, others_given)| {
                    is_one(&words[family.clone()], &others[others_family])
                        && given_agree(&words[given.clone()], &others[others_given])
                })
        })
    }

    fn list(&self) -> WordList<'_> {
        let mut list = [""; WORDS_MAX + 1];
        let mut count = 0;
        for (place, word) in list.iter_mut().zip(self.words.split_terminator(' ')) {
            *place = word;
            count += 1;
        }
        list[count] = &self.particle;
        (list, count)
    }

    /// What may be family name and given names, of that many words.
    fn readings(&self, count: usize) -> impl Iterator<Item = NameSplit> {
        let (told, splits) = match usize::from(self.family) {
            0 => ((0..count, count..count), 1..count),
            family => ((0..family, family..count), 0..0),
        };
        let (words, _) = self.list();
        let is_name = move |family: &std::ops::Range<usize>| {
            words[family.clone()].iter().any(|word| word.len() > 1)
        };
        let split = splits.flat_map(move |at| [(0..at, at..count), (at..count, 0..at)]);
        let particle = (!self.particle.is_empty()).then_some((count..count + 1, 0..count));
        let further = split.filter(move |(family, _)| is_name(family));
        std::iter::once(told).chain(particle).chain(further)
    }
}

/// Whether two family names are one, however their words are written together.
fn is_one(one: &[&str], other: &[&str]) -> bool {
    let letters = |words: &[&str]| words.iter().map(|word| word.len()).sum::<usize>();
    letters(one) == letters(other)
        && one
            .iter()
            .flat_map(|word| word.bytes())
            .eq(other.iter().flat_map(|word| word.bytes()))
}

/// A hash of a family name, however its words are written together.
fn hash(words: &[&str]) -> u64 {
    let bytes = words.iter().flat_map(|word| word.bytes());
    // FNV-1a: names are short.
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Packed names fit where plain ones are the same, and have a key in common.
    #[test]
    fn packed_names_are_compared_as_plain_ones() {
        let vectors = include_str!("../../../../tests/vectors/players.tsv");
        let rows = super::super::super::rows::<3>(vectors);
        let names: Vec<PlayerName> = rows
            .flat_map(|[one, other, _]| [one, other])
            .map(PlayerName::read)
            .collect();
        let packed: Vec<PackedName> = names.iter().map(PackedName::of).collect();
        let mut same = 0;
        for (one, plain) in packed.iter().zip(&names) {
            for (other, others) in packed.iter().zip(&names) {
                let is_same = plain.likeness(others) == NameRelation::Same;
                assert_eq!(one.fits(other), is_same, "{plain:?} {others:?}");
                let keys = other.keys();
                assert!(
                    !is_same || one.keys().iter().any(|key| keys.contains(key)),
                    "{plain:?} {others:?}"
                );
                same += usize::from(is_same);
            }
        }
        assert!(same > 2 * names.len());
    }

    #[test]
    fn bare_family_names() {
        let packed = |name: &str| PackedName::of(&PlayerName::read(name));
        assert!(packed("Carlsen").is_bare());
        assert!(!packed("Carlsen,M").is_bare());
        assert!(!packed("Van Wely Loek").is_bare());
        assert!(packed("Carlsen").fits_barely(&packed("Carlsen, Magnus")));
        assert!(packed("Carlsen").fits_barely(&packed("Magnus Carlsen")));
        assert!(packed("Carlsen, Magnus").is_told() && !packed("Magnus Carlsen").is_told());
        assert!(!packed("Carlsen").fits_barely(&packed("carlsen")));
        assert!(!packed("Carlsen").fits_barely(&packed("Kramnik, V")));
        assert!(!packed("Li, Di").is_bare());
        assert!(!packed("Li Di").is_bare());
        assert_eq!(packed("Ivanisevic, Ivan").letters(), 14);
    }
}
