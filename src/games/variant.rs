//! What the registry says of a variant, and how one is found by its names and numbers.
//!
//! A row may come without rules: its games are kept with their tags and text
//! and can be found by them, but have no positions yet.

use std::{collections::HashMap, sync::LazyLock};

pub use super::{Rules, registry::ALL};

use crate::games;

/// How a record becomes known to be of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VariantDetection {
    /// It is taken for that where nothing is said.
    Assumed,
    /// Records leave open which game of a group they are of: their moves decide
    /// ([`guess`](super::guess)).
    Guessed,
    /// It is named.
    Named,
}

/// The facts of one variant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Variant {
    /// Stable number of the variant in databases, from 1. Part of the file
    /// format (see [`ALL`]): never changed, never given twice.
    pub id: u8,
    /// Stable word of queries and output: lower case letters and digits.
    pub name: &'static str,
    /// Name for people.
    pub title: &'static str,
    /// Further spellings in `Variant` tags. Case, spaces, hyphens, slashes and
    /// underscores do not count, nor need `name` and `title` be repeated.
    pub aliases: &'static [&'static str],
    /// Files of the board.
    pub files: u8,
    /// Ranks of the board.
    pub ranks: u8,
    /// The start position of a game without a `FEN` tag; `None` where a game
    /// without one cannot be played, and for draughts, whose facts have it.
    /// Chess960 has that of chess, its no. 518.
    pub start_fen: Option<&'static str>,
    /// Where the rules are laid down.
    pub source: &'static str,
    /// Which rules play it.
    pub rules: Rules,
    /// `id` of the variant with which it shares its position keys: equal
    /// placement means equal key within a family.
    pub key_family: u8,
    /// PDN `GameType`, where that standard gives one.
    pub game_type: Option<u8>,
    /// When a text that names no game is taken for it.
    pub guess: DetectionRule,
}

/// When a text that names no game is taken for a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DetectionRule {
    /// How likely the game is before anything is read: 0 what everybody plays, 1 what is
    /// guessed, 2 what is not, but for its start position.
    pub tier: u8,
    /// Its place among those that a position fits as well, the least first.
    pub by_position: u8,
    /// Its place among those that moves from the start fit as well. Of twins the stricter
    /// one comes first, which says more.
    pub by_moves: u8,
}

impl DetectionRule {
    /// What everybody plays.
    pub const FIRST: Self = Self {
        tier: 0,
        by_position: 0,
        by_moves: 0,
    };
    /// Only if it is requested, and at its start position.
    pub const NOT: Self = Self {
        tier: 2,
        by_position: u8::MAX,
        by_moves: u8::MAX,
    };

    /// Guessed, at these places.
    pub const fn at(by_position: u8, by_moves: u8) -> Self {
        Self {
            tier: 1,
            by_position,
            by_moves,
        }
    }
}

impl Variant {
    /// The tag of problems with pieces or boards that no variant has: they are kept as
    /// text, which is no finding about the variant.
    pub const FAIRY: &str = "Fairy";

    /// The number of chess.
    pub const CHESS: u8 = 1;
    /// The number of Chess960.
    pub const CHESS960: u8 = 2;

    /// The variant of the value of a `Variant` tag; an empty value is chess,
    /// as a missing tag is. `None`: not known.
    ///
    /// ```
    /// use plydex::games::variant::Variant;
    /// assert_eq!(Variant::from_tag(b"Fischer-Random").unwrap().name, "chess960");
    /// assert_eq!(Variant::from_tag(b"From Position").unwrap().name, "chess");
    /// assert!(Variant::from_tag(b"Hexagonal").is_none());
    /// ```
    pub fn from_tag(value: &[u8]) -> Option<&'static Self> {
        // What lichess writes into each of its billions of games.
        if value.is_empty() || value == b"Standard" {
            return Some(&ALL[0]);
        }
        if !value.iter().any(|&byte| counts(byte)) {
            return value.iter().all(u8::is_ascii_whitespace).then_some(&ALL[0]);
        }
        let spelt = |value: &[u8]| BY_SPELLING.get(&folded(value)).copied();
        // Drawn starts do not make other moves: `Atomic960`.
        let drawn = || {
            let name = value.trim_ascii_end().strip_suffix(b"960")?;
            spelt(name).filter(|row| row.tier() == Some(VariantDetection::Named) && row.ranks == 8)
        };
        spelt(value).or_else(drawn)
    }

    /// The variant of a word of queries: its exact name.
    pub fn by_name(name: &str) -> Option<&'static Self> {
        ALL.iter().find(|variant| variant.name == name)
    }

    /// The variant of a stored number.
    pub fn by_id(id: u8) -> Option<&'static Self> {
        ALL.iter().find(|variant| variant.id == id)
    }

    /// The variant of a PDN `GameType`.
    pub fn by_game_type(game_type: u8) -> Option<&'static Self> {
        ALL.iter()
            .find(|variant| variant.game_type == Some(game_type))
    }

    /// The variant that a text names: any spelling of its name, or the number
    /// of a PDN `GameType`.
    ///
    /// ```
    /// use plydex::games::variant::Variant;
    /// assert_eq!(Variant::named("Checkers").unwrap().name, "english");
    /// assert_eq!(Variant::named("25,W,8,8,A0,0").unwrap().name, "russian");
    /// assert_eq!(Variant::named("standard").unwrap().name, "chess");
    /// ```
    pub fn named(text: &str) -> Option<&'static Self> {
        let text = text.trim();
        if text.is_empty() {
            return None;
        }
        let number = text.split(',').next().unwrap_or_default();
        if number.bytes().all(|byte| byte.is_ascii_digit()) {
            let number = number.parse().ok()?;
            return Self::by_game_type(number).or_else(|| games::by_game_type(number));
        }
        Self::from_tag(text.as_bytes()).or_else(|| games::named(text))
    }

    /// Whether its moves are known.
    pub const fn has_rules(&self) -> bool {
        !matches!(self.rules, Rules::None)
    }

    /// All spellings under which it is known, its name first.
    fn spellings(&self) -> impl Iterator<Item = &'static str> {
        [self.name, self.title]
            .into_iter()
            .chain(self.aliases.iter().copied())
    }
}

/// Whether a byte of a spelling says anything.
const fn counts(byte: u8) -> bool {
    !matches!(byte, b' ' | b'\t' | b'-' | b'_' | b'/')
}

/// What a spelling says.
fn folded(spelling: &[u8]) -> Vec<u8> {
    let said = spelling.iter().filter(|&&byte| counts(byte));
    said.map(u8::to_ascii_lowercase).collect()
}

/// The variant of each spelling; of several the first.
static BY_SPELLING: LazyLock<HashMap<Vec<u8>, &Variant>> = LazyLock::new(|| {
    let mut variants = HashMap::new();
    for variant in &ALL {
        for spelling in variant.spellings() {
            let spelling = folded(spelling.as_bytes());
            variants.entry(spelling).or_insert(variant);
        }
    }
    variants
});

/// Numbers of games by the numbers of their variants (0: not known), as a list by name, the
/// largest first.
pub fn counts_by_name(games: &[u64; 256]) -> Vec<(String, u64)> {
    let name = |id| Variant::by_id(id).map_or("unknown", |variant| variant.name);
    let counts = (0..=u8::MAX).zip(games).filter(|&(_, &games)| games > 0);
    let mut named: Vec<_> = counts
        .map(|(id, &games)| (name(id).to_owned(), games))
        .collect();
    named.sort_by_key(|&(_, games)| std::cmp::Reverse(games));
    named
}

#[cfg(test)]
mod tests {
    use std::collections::{HashMap, HashSet};

    use super::*;
    use crate::pgn::parser::Syntax;

    /// The rows without that of the game which is for tests.
    fn real() -> impl Iterator<Item = &'static Variant> {
        ALL.iter().filter(|variant| variant.id != 255)
    }

    /// Tag value, name and board of each known spelling.
    fn rows() -> impl Iterator<Item = [&'static str; 3]> {
        include_str!("../../tests/vectors/variant_names.tsv")
            .lines()
            .skip(1)
            .map(|line| {
                let mut cells = line.split('\t');
                std::array::from_fn(|_| cells.next().unwrap_or_default())
            })
    }

    #[test]
    fn every_known_spelling_resolves() {
        for [value, name, board] in rows() {
            let variant = Variant::from_tag(value.as_bytes());
            let variant = variant.unwrap_or_else(|| panic!("{value} is not known"));
            assert_eq!(variant.name, name, "{value}");
            assert_eq!(
                format!("{}x{}", variant.files, variant.ranks),
                board,
                "{value}"
            );
        }
    }

    #[test]
    fn every_name_of_the_vectors_has_its_row_and_no_other() {
        let named: HashSet<_> = rows().map(|[_, name, _]| name).collect();
        let registered = real().filter(|variant| variant.draughts().is_none());
        let registered: HashSet<_> = registered.map(|variant| variant.name).collect();
        assert_eq!(named, registered);
    }

    #[test]
    fn numbers_names_and_spellings_are_unique() {
        let mut ids = HashSet::new();
        let mut said: HashMap<String, u8> = HashMap::new();
        for variant in &ALL {
            assert!(variant.id > 0);
            assert!(
                ids.insert(variant.id),
                "{} has the number of another",
                variant.name
            );
            assert_eq!(Variant::by_id(variant.id), Some(variant));
            assert_eq!(Variant::by_name(variant.name), Some(variant));
            assert!(
                variant
                    .name
                    .bytes()
                    .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
            );
            for spelling in variant.spellings() {
                let bytes = spelling.bytes().filter(|&byte| counts(byte));
                let word: String = bytes
                    .map(|byte| byte.to_ascii_lowercase() as char)
                    .collect();
                let owner = *said.entry(word).or_insert(variant.id);
                assert_eq!(owner, variant.id, "{spelling} belongs to two variants");
            }
        }
    }

    /// The numbers are in databases: a change here is a change of the format.
    #[test]
    fn numbers_stay() {
        let numbers: Vec<_> = real().map(|variant| (variant.id, variant.name)).collect();
        assert_eq!(
            numbers,
            [
                (1, "chess"),
                (2, "chess960"),
                (3, "crazyhouse"),
                (4, "bughouse"),
                (5, "threecheck"),
                (6, "fivecheck"),
                (7, "kingofthehill"),
                (8, "atomic"),
                (9, "antichess"),
                (10, "suicide"),
                (11, "losers"),
                (12, "horde"),
                (13, "racingkings"),
                (14, "capablanca"),
                (15, "caparandom"),
                (16, "gothic"),
                (17, "embassy"),
                (18, "janus"),
                (19, "capahouse"),
                (20, "grand"),
                (21, "seirawan"),
                (22, "xiangqi"),
                (23, "othello"),
                (45, "minixiangqi"),
                (46, "gardner"),
                (47, "losalamos"),
                (24, "international"),
                (25, "english"),
                (26, "italian"),
                (27, "pool"),
                (28, "poolunified"),
                (29, "jamaican"),
                (30, "spanish"),
                (31, "russian"),
                (32, "brazilian"),
                (33, "canadian"),
                (34, "portuguese"),
                (35, "czech"),
                (36, "turkish"),
                (37, "thai"),
                (38, "frisian"),
                (39, "spantsiretti"),
                (40, "breakthrough"),
                (41, "frysk"),
                (42, "antidraughts"),
                (43, "killer"),
                (44, "armenian"),
            ]
        );
    }

    #[test]
    fn start_positions_fill_their_boards() {
        for variant in &ALL {
            let Some(fen) = variant.start_fen else {
                continue;
            };
            let placement = fen.split([' ', '[']).next().unwrap_or_default();
            let ranks: Vec<_> = placement.split('/').collect();
            assert_eq!(ranks.len(), usize::from(variant.ranks), "{}", variant.name);
            for rank in ranks {
                let (mut files, mut number) = (0, 0);
                for letter in rank.chars() {
                    if let Some(digit) = letter.to_digit(10) {
                        number = number * 10 + digit;
                    } else {
                        files += std::mem::take(&mut number) + 1;
                    }
                }
                assert_eq!(
                    files + number,
                    u32::from(variant.files),
                    "{} {rank}",
                    variant.name
                );
            }
        }
    }

    #[test]
    fn families_are_led_by_one_of_their_own() {
        for variant in &ALL {
            let head = Variant::by_id(variant.key_family).map(|head| head.key_family);
            assert_eq!(head, Some(variant.key_family), "{}", variant.name);
        }
        assert_eq!(
            Variant::by_name("chess960").map(|variant| variant.key_family),
            Some(1)
        );
    }

    #[test]
    fn a_name_decides_where_moves_do_not_tell() {
        let decided = |name| {
            let row = Variant::by_name(name).unwrap();
            (row.tier(), row.decided_syntax(), row.first_player())
        };
        let named = Some(VariantDetection::Named);
        assert_eq!(
            decided("chess960"),
            (Some(VariantDetection::Assumed), None, None)
        );
        assert_eq!(decided("atomic"), (named, None, None));
        assert_eq!(decided("bughouse"), (None, None, None));
        assert_eq!(decided("grand"), (named, Some(Syntax::Pgn), None));
        assert_eq!(decided("gothic"), (named, Some(Syntax::Pgn), None));
        assert_eq!(decided("xiangqi"), (named, Some(Syntax::Pgn), Some("Red")));
        assert_eq!(decided("othello"), (named, Some(Syntax::Pdn), None));
        assert_eq!(
            decided("russian"),
            (Some(VariantDetection::Guessed), None, None)
        );
    }

    #[test]
    fn other_values_are_not_known() {
        for value in ["Hexagonal", "chess 9600", "ches", "-", "?", "\u{e9}"] {
            assert_eq!(Variant::from_tag(value.as_bytes()), None, "{value}");
        }
        assert_eq!(
            Variant::from_tag(b"  ").map(|variant| variant.name),
            Some("chess")
        );
        assert_eq!(
            Variant::by_game_type(50).map(|variant| variant.name),
            Some("othello")
        );
        assert_eq!(Variant::by_id(0), None);
    }

    #[test]
    fn names_are_unique_over_both_families_and_found() {
        let mut names = HashSet::new();
        for variant in &ALL {
            assert!(names.insert(variant.name), "{}", variant.name);
            assert_eq!(Variant::named(variant.name), Some(variant));
            assert_eq!(Variant::named(&variant.name.to_uppercase()), Some(variant));
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
            assert_eq!(Variant::named(text).unwrap().name, name);
        }
        for text in ["", " ", "7", "300", "hexagonal"] {
            assert_eq!(Variant::named(text), None, "{text}");
        }
    }
}
