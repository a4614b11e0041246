//! Both families of the registry under one roof, for those who name a variant.

use super::{Variant, draughts::DraughtsVariant};

/// A variant of chess or a kind of draughts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnyVariant {
    /// Of the chess family.
    Chess(&'static Variant),
    /// A kind of draughts.
    Draughts(&'static DraughtsVariant),
}

impl AnyVariant {
    /// All of them, the chess family first, each in the order of its registry.
    pub fn all() -> impl Iterator<Item = Self> {
        let chess = super::ALL.iter().map(Self::Chess);
        chess.chain(super::draughts::ALL.iter().map(Self::Draughts))
    }

    /// The variant of a name that someone typed: any spelling that the registry
    /// has (case, blanks, hyphens and underscores do not count), or a PDN
    /// `GameType`, of which only the number is looked at. Spellings that both
    /// families have (`Anti`) mean the one of chess.
    ///
    /// ```
    /// use plydex::variant::AnyVariant;
    ///
    /// for text in ["frisian", "Fries dammen", "40", "40,W,10,10,N2,0"] {
    ///     assert_eq!(AnyVariant::find(text).unwrap().name(), "frisian");
    /// }
    /// assert_eq!(AnyVariant::find("Fischer-Random").unwrap().name(), "chess960");
    /// assert!(AnyVariant::find("").is_none());
    /// ```
    pub fn find(text: &str) -> Option<Self> {
        let text = text.trim();
        if text.is_empty() {
            return None;
        }
        let number = text.split(',').next().unwrap_or_default();
        if number.bytes().all(|byte| byte.is_ascii_digit()) {
            let number = number.parse().ok()?;
            let chess = Variant::by_game_type(number).map(Self::Chess);
            return chess.or_else(|| {
                DraughtsVariant::by_game_type(number)
                    .next()
                    .map(Self::Draughts)
            });
        }
        Variant::from_tag(text.as_bytes())
            .map(Self::Chess)
            .or_else(|| DraughtsVariant::from_tag(text).map(Self::Draughts))
    }

    /// Its word in queries and output.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Chess(variant) => variant.name,
            Self::Draughts(variant) => variant.name,
        }
    }

    /// Its name for people.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Chess(variant) => variant.title,
            Self::Draughts(variant) => variant.title,
        }
    }

    /// Its PDN `GameType`.
    pub const fn game_type(self) -> Option<u8> {
        match self {
            Self::Chess(variant) => variant.game_type,
            Self::Draughts(variant) => variant.game_type,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn names_are_unique_over_both_families_and_found() {
        let mut names = HashSet::new();
        for variant in AnyVariant::all() {
            assert!(names.insert(variant.name()), "{}", variant.name());
            assert_eq!(AnyVariant::find(variant.name()), Some(variant));
            assert_eq!(
                AnyVariant::find(&variant.name().to_uppercase()),
                Some(variant)
            );
        }
    }

    #[test]
    fn numbers_are_game_types() {
        for (text, name) in [
            ("0", "chess"),
            ("21", "english"),
            ("23", "pool"),
            ("99", "international"),
        ] {
            assert_eq!(AnyVariant::find(text).unwrap().name(), name);
        }
        for text in ["", " ", "7", "300", "hexagonal"] {
            assert_eq!(AnyVariant::find(text), None, "{text}");
        }
    }
}
