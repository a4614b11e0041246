//! What of a name is compared.

use super::stats::NameSimilarity;
use crate::{
    blocks::name_block::NameBlockKey,
    pgn::tags::person::{NameKey, PackedName, PlayerName, plain_letters},
};

/// A name as it is compared with others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NameForm {
    /// No particular person: never joined.
    Unknown,
    /// One word that may be an account on a server, or several people: joined by its case
    /// alone. It is compared with complete names if it looks like a family name.
    Account(Box<str>, Option<PackedName>),
    /// Of a person.
    Whole(PackedName),
    /// Of an event or a site, by what counts in it.
    Title(Box<str>),
}

impl NameForm {
    /// That of a name.
    pub fn of(name: &str) -> Self {
        let name = name.trim();
        // Consultation games, and accounts of several people.
        let is_team = name.contains([':', ';', '/', '&', '+']) || name.matches(',').count() > 1;
        let is_word = is_team || !name.contains([' ', ',', '.', '\t']);
        let is_family = || {
            let mut letters = name.chars().filter(|c| !matches!(c, '-' | '\'' | '`'));
            let is_capital = letters.next().is_some_and(char::is_uppercase);
            is_capital && letters.all(char::is_alphabetic)
        };
        if is_word && !is_family() {
            let is_told = name.chars().any(char::is_alphanumeric);
            return if is_told && PlayerName::read(name).is_known() {
                Self::Account(name.to_lowercase().into(), None)
            } else {
                Self::Unknown
            };
        }
        let read = PlayerName::read(name);
        if !read.is_known() {
            return Self::Unknown;
        }
        let packed = PackedName::of(&read);
        if is_word {
            let family = packed.is_bare().then_some(packed);
            return Self::Account(name.to_lowercase().into(), family);
        }
        Self::Whole(packed)
    }

    /// That of the name of an event or a site: case, accents, blanks and punctuation do not count,
    /// but in addresses all does.
    pub fn of_title(name: &str) -> Self {
        if name.contains("://") {
            return Self::Unknown;
        }
        let folded = plain_letters(name);
        let words = folded.split(|c: char| !c.is_ascii_alphanumeric());
        let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
        match words[..] {
            [] => Self::Unknown,
            _ => Self::Title(words.join(" ").into()),
        }
    }

    const fn packed(&self) -> Option<&PackedName> {
        match self {
            Self::Whole(packed) | Self::Account(_, Some(packed)) => Some(packed),
            Self::Account(_, None) | Self::Title(_) | Self::Unknown => None,
        }
    }

    /// How many letters it has; names with fewer are shorter forms of those with more.
    pub fn letters(&self) -> usize {
        self.packed().map_or(0, PackedName::letters)
    }

    /// Whether it is a family name alone, which may fit any with that family name.
    pub fn is_bare(&self) -> bool {
        self.packed().is_some_and(PackedName::is_bare)
    }

    /// Whether it is known which of its words are the family name.
    pub fn is_told(&self) -> bool {
        self.packed().is_some_and(PackedName::is_told)
    }

    /// Names that fit have a key in common, or one is [bare](Self::is_bare) and they have the
    /// family name of a key in common.
    pub fn keys(&self) -> Vec<NameKey> {
        match self {
            Self::Unknown => Vec::new(),
            Self::Title(text) => vec![NameKey::of_word(text)],
            Self::Whole(packed) => packed.keys(),
            Self::Account(word, family) => {
                let mut keys = family.as_ref().map_or_else(Vec::new, PackedName::keys);
                keys.push(NameKey::of_word(word));
                keys
            }
        }
    }

    /// The same [keys](Self::keys) as they are filed.
    pub fn filed_keys(&self) -> Vec<NameBlockKey> {
        let keys = self.keys().into_iter();
        let filed = keys.map(|key| NameBlockKey::new(key.family, key.initial, self.is_bare()));
        filed.collect()
    }

    /// How much two names have in common, if they can be one person's.
    pub fn fit(&self, other: &Self) -> Option<NameSimilarity> {
        match (self, other) {
            (Self::Account(one, _), Self::Account(another, _)) => {
                return (one == another).then_some(NameSimilarity::Whole);
            }
            (Self::Title(one), Self::Title(another)) => {
                return (one == another).then_some(NameSimilarity::Title);
            }
            _ => {}
        }
        let (one, another) = (self.packed()?, other.packed()?);
        if self.is_bare() || other.is_bare() {
            let both = self.is_bare() && other.is_bare();
            return if both {
                one.fits(another).then_some(NameSimilarity::Whole)
            } else {
                one.fits_barely(another).then_some(NameSimilarity::Bare)
            };
        }
        let is_whole = one.has_letters_of(another);
        let form = if is_whole {
            NameSimilarity::Whole
        } else {
            NameSimilarity::Short
        };
        one.fits(another).then_some(form)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blocks::name_block::NAME_KEY_VERSION;

    /// The names of the pairs that a person has judged.
    fn judged_names() -> impl Iterator<Item = &'static str> {
        let vectors = include_str!("../../tests/vectors/players.tsv");
        let pairs = vectors.lines().skip(1);
        pairs.flat_map(|line| line.split('\t').take(2))
    }

    #[test]
    fn names_of_people_and_of_accounts() {
        let fit = |one, other| NameForm::of(one).fit(&NameForm::of(other));
        for (one, other, form) in [
            ("Carlsen,M", "Carlsen, Magnus", Some(NameSimilarity::Short)),
            (
                "Magnus CARLSEN",
                "Carlsen, Magnus",
                Some(NameSimilarity::Whole),
            ),
            ("Carlsen", "Carlsen, Magnus", Some(NameSimilarity::Bare)),
            (
                "Müller, Karsten",
                "Mueller, Karsten",
                Some(NameSimilarity::Whole),
            ),
            (
                "drnykterstein",
                "DrNykterstein",
                Some(NameSimilarity::Whole),
            ),
            ("Müller", "MÜLLER", Some(NameSimilarity::Whole)),
            // Accounts are others.
            ("Muller", "Mueller", None),
            ("carlsen", "Carlsen, Magnus", None),
            ("Carlsen77", "Carlsen, Magnus", None),
            ("NN", "nn", None),
            ("?", "?", None),
        ] {
            assert_eq!(fit(one, other), form, "{one} {other}");
            assert_eq!(fit(other, one), form, "{other} {one}");
        }
    }

    /// Keys are filed in databases: rules that give a name others need another number.
    #[test]
    fn rules_of_keys_change_with_their_number() {
        // Pairs that are added after these change nothing.
        let keys = judged_names()
            .take(600)
            .chain(["Volkov,Sergey1", "Sergey1 Volkov", "Le Quang Liem"])
            .flat_map(|name| NameForm::of(name).filed_keys());
        let told = keys.fold(0_u64, |told, key| {
            let key = u64::from(key.family()) << 8
                | u64::from(key.initial()) << 1
                | u64::from(key.is_bare());
            crate::base::mix(told ^ key)
        });
        assert_eq!((NAME_KEY_VERSION, told), (3, 3_937_552_201_946_044_299));
    }

    #[test]
    fn names_that_fit_have_a_key_in_common() {
        let forms: Vec<NameForm> = judged_names().map(NameForm::of).collect();
        for one in &forms {
            for other in &forms {
                let (keys, others) = (one.keys(), other.keys());
                let is_near = keys.iter().any(|key| {
                    others.iter().any(|other_key| {
                        key == other_key
                            || (one.is_bare() || other.is_bare()) && key.family == other_key.family
                    })
                });
                assert!(is_near || one.fit(other).is_none(), "{one:?} {other:?}");
            }
        }
    }
}
