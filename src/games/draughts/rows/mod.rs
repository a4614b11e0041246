//! The kinds of draughts: one row of facts each, and how one is found by its name.

mod table;

pub use table::ALL;

use super::notation::moves::square::Numbering;
use super::rules::DraughtsRules;
use crate::games::variant::{DetectionRule, Variant};
use crate::games::{ResultOrder, Results};
use crate::games::{Rules as Played, registry};

/// Which numbers or letters squares have: what the value of a PDN `GameType` tag says
/// that the rules do not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct GameTypeTag {
    /// Letters and digits (`A`), or numbers (`N`).
    pub letters: bool,
    /// Where square 1 or A1 is, seen by the side that moves first: 0 bottom
    /// left, 1 bottom right, 2 top left, 3 top right.
    pub corner: u8,
    /// Whether the bottom left corner is *not* played (PDN 3.0).
    pub inverted: bool,
}

/// The facts of one kind of draughts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DraughtsVariant {
    /// Stable word of queries and output: lower case letters and digits.
    pub name: &'static str,
    /// Name for people.
    pub title: &'static str,
    /// Further spellings in `Variant` tags and elsewhere. Case, spaces, hyphens
    /// and underscores do not count.
    pub aliases: &'static [&'static str],
    /// PDN `GameType`; 96 to 98 are lidraughts'.
    pub game_type: Option<u8>,
    /// Whether the bare type number means this row.
    pub is_default_of_type: bool,
    /// What the bare type number stands for (PDN 3.0, `GameType`).
    pub tag: GameTypeTag,
    /// What is written between the squares of a capture.
    pub capture_separator: char,
    /// Which results are written.
    pub results: Results,
    /// Whom the first number of a result means.
    pub result_order: ResultOrder,
    /// The moves.
    pub rules: DraughtsRules,
    /// Where the rules are laid down.
    pub source: &'static str,
    /// When a text that names no game is taken for it. All variants of a board share
    /// their keys, so that a search loses nothing by the choice. English draughts precede
    /// Spanish, whose board is seen from the other side: short lines of one are lines of
    /// the other.
    pub guess: DetectionRule,
}

impl DraughtsVariant {
    /// The row of a word of queries: its exact name.
    pub fn by_name(name: &str) -> Option<&'static Self> {
        ALL.iter().find(|variant| variant.name == name)
    }

    /// How it names its squares.
    pub const fn numbering(&self) -> Numbering {
        Numbering::of(self)
    }

    /// The rows of a PDN `GameType` number, the one that the bare number means
    /// first; several for 23 only. 99 is lidraughts' "from position", which is
    /// international draughts.
    pub fn by_game_type(game_type: u8) -> impl Iterator<Item = &'static Self> {
        let game_type = if game_type == 99 { 20 } else { game_type };
        ALL.iter()
            .filter(move |variant| variant.game_type == Some(game_type))
    }

    /// The row of the value of a `Variant` tag or a name that the user typed.
    pub fn from_tag(value: &str) -> Option<&'static Self> {
        // Called for every game of an import, nearly always in vain.
        fn plain(text: &str) -> impl Iterator<Item = char> {
            text.chars()
                .filter(|c| !matches!(c, ' ' | '\t' | '-' | '_' | '!'))
                .flat_map(char::to_lowercase)
        }
        plain(value).next()?;
        ALL.iter().find(|variant| {
            [variant.name, variant.title]
                .into_iter()
                .chain(variant.aliases.iter().copied())
                .any(|known| plain(known).eq(plain(value)))
        })
    }
}

impl Variant {
    /// The row of a kind of draughts.
    pub fn of_draughts(row: &DraughtsVariant) -> &'static Self {
        // Every row of draughts has one here.
        Self::by_name(row.name).unwrap_or(&registry::ALL[0])
    }

    /// The facts of a kind of draughts; `None` for other games.
    pub const fn draughts(&self) -> Option<&'static DraughtsVariant> {
        match self.rules {
            Played::Draughts(row) => Some(row),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn rows_are_sound() {
        let mut names = HashSet::new();
        let mut default_types = HashSet::new();
        for variant in ALL {
            assert!(names.insert(variant.name));
            assert!(
                variant
                    .name
                    .bytes()
                    .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
            );
            assert!(variant.tag.corner < 4);
            if let Some(game_type) = variant.game_type {
                let first = DraughtsVariant::by_game_type(game_type).next().unwrap();
                assert!(first.is_default_of_type);
                if variant.is_default_of_type {
                    assert!(default_types.insert(game_type));
                }
            }
        }
        let wanted = (20..=31).chain([40, 41, 96, 97, 98]).collect();
        assert_eq!(default_types, wanted);
    }

    #[test]
    fn every_spelling_means_its_row_only() {
        let mut seen = HashSet::new();
        for variant in ALL {
            for spelling in [variant.name, variant.title]
                .into_iter()
                .chain(variant.aliases.iter().copied())
            {
                let found = DraughtsVariant::from_tag(spelling).unwrap();
                assert_eq!(found.name, variant.name, "{spelling}");
            }
            assert!(seen.insert(variant.title));
        }
        assert_eq!(DraughtsVariant::from_tag("FRYSK!").unwrap().name, "frysk");
        assert!(DraughtsVariant::from_tag("chess").is_none());
    }
}
