//! Names of openings: which positions have one, and which was the last that a game reached.

use std::{
    borrow::Cow,
    collections::{HashMap, HashSet},
    hash::Hasher as _,
    sync::LazyLock,
};

use deunicode::deunicode;
use foldhash::fast::FixedState;
use strsim::osa_distance;
use twox_hash::XxHash3_64;

use super::{
    AnyPosition, BoardGame, Budget, Cursor, GameKeys, MoveStyle, notation::letters::ENGLISH,
    opening_names, variant::ALL, with_game,
};
use crate::{base::record::OpeningName, pgn::tags::eco};

/// A position that has a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NamedOpening {
    /// Its number in the table, from 0.
    pub number: u16,
    /// Its code in the Encyclopaedia of Chess Openings.
    pub eco: &'static str,
    /// What it is called.
    pub name: &'static str,
    /// Moves that lead there, with their numbers.
    pub moves: &'static str,
}

impl From<&NamedOpening> for OpeningName {
    fn from(opening: &NamedOpening) -> Self {
        Self {
            eco: opening.eco.to_owned(),
            name: opening.name.to_owned(),
        }
    }
}

/// Code and name of a text as databases hold it.
pub fn parted(text: &str) -> (&str, &str) {
    text.split_once(' ').unwrap_or((text, ""))
}

impl NamedOpening {
    /// Code and name as databases hold them.
    pub fn text(&self) -> String {
        format!("{} {}", self.eco, self.name)
    }
}

/// What makes a position, without counters: its key, and what else does
/// ([`GameKeys::state`]).
type PositionKey = (u64, u32);

/// A position of a table of openings.
pub(super) struct OpeningPosition {
    /// What it is called.
    pub(super) opening: NamedOpening,
    /// Its key.
    pub(super) key: PositionKey,
    /// The top 32 bits of the key of its structure.
    pub(super) structure: u32,
    /// After how many plies it is reached.
    pub(super) plies: u32,
}

/// Bits of a key that show for most positions that they have no name.
const LIKELY_BITS: u32 = 16;

/// The names of a game's openings.
#[derive(Debug)]
pub struct OpeningNames {
    all: Vec<NamedOpening>,
    by_position: HashMap<PositionKey, u16, FixedState>,
    /// One bit for the topmost bits of each key, and of each structure's.
    likely: Vec<u64>,
    likely_structures: Vec<u64>,
    structures: HashSet<u32, FixedState>,
    plies_max: u32,
    hash: u32,
}

const fn likely_at(key: u64) -> (usize, u64) {
    let top = key >> (64 - LIKELY_BITS);
    (top as usize / 64, 1 << (top % 64))
}

impl OpeningNames {
    /// The table of openings in their order. Of two names for a position the first counts.
    pub(super) fn of(openings: impl Iterator<Item = OpeningPosition>) -> Self {
        let mut names = Self {
            all: Vec::new(),
            by_position: HashMap::default(),
            likely: vec![0; 1 << (LIKELY_BITS - 6)],
            likely_structures: vec![0; 1 << (LIKELY_BITS - 6)],
            structures: HashSet::default(),
            plies_max: 0,
            hash: 0,
        };
        let mut hasher = XxHash3_64::new();
        for position in openings {
            let number = names.all.len() as u16;
            let (opening, key) = (position.opening, position.key);
            names.by_position.entry(key).or_insert(number);
            let (word, bit) = likely_at(key.0);
            names.likely[word] |= bit;
            let (word, bit) = likely_at(u64::from(position.structure) << 32);
            names.likely_structures[word] |= bit;
            names.structures.insert(position.structure);
            names.plies_max = names.plies_max.max(position.plies);
            for text in [opening.eco, opening.name, opening.moves] {
                hasher.write(text.as_bytes());
                hasher.write(b"\n");
            }
            names.all.push(NamedOpening { number, ..opening });
        }
        names.hash = hasher.finish() as u32;
        names
    }

    /// All of them.
    pub fn all(&self) -> &[NamedOpening] {
        &self.all
    }

    /// Distinguishes the table from others.
    const fn hash(&self) -> u32 {
        self.hash
    }

    /// How many plies of a game are looked at: those of the longest line.
    pub const fn plies_max(&self) -> u32 {
        self.plies_max
    }

    /// Whether a position with this key may have a name.
    #[inline]
    pub(in crate::modules::games) fn is_likely(&self, key: u64) -> bool {
        let (word, bit) = likely_at(key);
        self.likely[word] & bit != 0
    }

    /// The name of a position by its key and what else makes it.
    #[inline]
    pub(in crate::modules::games) fn at(
        &self,
        key: u64,
        state: impl FnOnce() -> u32,
    ) -> Option<&NamedOpening> {
        if !self.is_likely(key) {
            return None;
        }
        let number = self.by_position.get(&(key, state()))?;
        self.all.get(usize::from(*number))
    }

    /// The name of a position without knowing what else makes it.
    fn at_any(&self, key: u64) -> Option<&NamedOpening> {
        let known = self.by_position.iter().filter(|((own, _), _)| *own == key);
        let number = known.map(|(_, number)| *number).min()?;
        self.all.get(usize::from(number))
    }

    /// How many structures of a line there are after its first, up to the last that some position
    /// with a name has, if its structures are known; `None` if no position of it has a name.
    pub(in crate::modules::games) fn structures_behind(
        &self,
        structures: Option<&[u32]>,
    ) -> Option<usize> {
        let is_of_a_name = |structure: &u32| {
            let (word, bit) = likely_at(u64::from(*structure) << 32);
            // The bit alone would be set for some structure of many games that no name has.
            self.likely_structures[word] & bit != 0 && self.structures.contains(structure)
        };
        match structures {
            Some(structures) => structures.iter().rposition(is_of_a_name),
            None => Some(usize::MAX),
        }
    }

    /// The last name that a packed line has from where a cursor stands, up to that many structures
    /// after the first.
    pub(in crate::modules::games) fn last_of(
        &self,
        mut at: impl Cursor,
        mut plies: &[u8],
        mut left: usize,
    ) -> Option<&NamedOpening> {
        let mut structure = at.structure();
        let mut last = self.at(at.board_key(), || at.state_bits());
        for _ in 0..self.plies_max {
            let Some(code) = at.peek(&mut plies) else {
                break;
            };
            at.play(code);
            if at.structure() != structure {
                let Some(others) = left.checked_sub(1) else {
                    break;
                };
                (left, structure) = (others, at.structure());
            }
            last = self.at(at.board_key(), || at.state_bits()).or(last);
        }
        last
    }
}

/// Every table of names there is.
pub fn tables() -> Vec<&'static OpeningNames> {
    let mut tables: Vec<&'static OpeningNames> = Vec::new();
    for table in ALL.iter().filter_map(opening_names) {
        if !tables.iter().any(|known| std::ptr::eq(*known, table)) {
            tables.push(table);
        }
    }
    tables
}

/// Distinguishes all tables from earlier and later ones.
pub fn hash() -> u64 {
    let hashes = tables().into_iter().map(|table| u64::from(table.hash()));
    hashes.fold(0, |all, hash| all ^ hash)
}

/// What is required of a name: one of these codes, and these words.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct OpeningQuery {
    /// Codes from one to another, as [numbers](eco); any if there are none.
    pub codes: Vec<(u16, u16)>,
    /// Texts; it must hold all words of one of them; any if there are none.
    pub texts: Vec<String>,
}

impl OpeningQuery {
    /// Whether nothing is required.
    pub const fn is_nothing(&self) -> bool {
        self.codes.is_empty() && self.texts.is_empty()
    }

    /// Prepares it for testing many names.
    pub fn test(&self) -> impl Fn(&str, &str) -> bool + use<> {
        let query = FoldedQuery::of(self);
        move |code, name| query.fits(code, || Cow::Owned(folded(name)))
    }

    /// The openings that fulfil it.
    pub fn openings(&self) -> Vec<&'static NamedOpening> {
        let query = FoldedQuery::of(self);
        let all = FOLDED.iter();
        let fits = all.filter(|(opening, words)| query.fits(opening.eco, || Cow::Borrowed(words)));
        fits.map(|(opening, _)| *opening).collect()
    }
}

/// All openings, each with the words of its name.
static FOLDED: LazyLock<Vec<(&'static NamedOpening, Vec<String>)>> = LazyLock::new(|| {
    let all = tables().into_iter().flat_map(OpeningNames::all);
    all.map(|opening| (opening, folded(opening.name))).collect()
});

/// The words of all names as they are compared, each as the first name writes it.
static KNOWN_WORDS: LazyLock<HashMap<String, &'static str>> = LazyLock::new(|| {
    let mut known = HashMap::new();
    let names = tables().into_iter().flat_map(OpeningNames::all);
    for word in names.flat_map(|opening| opening.name.split([' ', ':', ',', '/', '-'])) {
        if let [folded] = &folded(word)[..] {
            known.entry(folded.clone()).or_insert(word);
        }
    }
    known
});

/// An [`OpeningQuery`] whose words are as they are compared.
struct FoldedQuery {
    codes: Vec<(u16, u16)>,
    texts: Vec<Vec<String>>,
}

impl FoldedQuery {
    fn of(query: &OpeningQuery) -> Self {
        Self {
            codes: query.codes.clone(),
            texts: query.texts.iter().map(|text| folded(text)).collect(),
        }
    }

    /// Whether an opening is one that is meant, by its code and the words of its name.
    fn fits<'w>(&self, code: &str, words: impl FnOnce() -> Cow<'w, [String]>) -> bool {
        let number = || eco::parse(code.as_bytes());
        let is_in = |n: u16| self.codes.iter().any(|&(from, to)| from <= n && n <= to);
        if !self.codes.is_empty() && !number().is_some_and(is_in) {
            return false;
        }
        if self.texts.is_empty() {
            return true;
        }
        let words = words();
        self.texts.iter().any(|typed| {
            let has = |typed: &String| words.iter().any(|word| word.starts_with(typed));
            !typed.is_empty() && typed.iter().all(has)
        })
    }
}

/// The words of a name, however they are spelled: without accents, apostrophes and capitals.
fn folded(text: &str) -> Vec<String> {
    let plain = deunicode(text).to_lowercase().replace(['\'', '`'], "");
    let words = plain.split(|c: char| !c.is_ascii_alphanumeric());
    let words = words.filter(|word| !word.is_empty());
    let spelled = [
        ("ae", "a"),
        ("oe", "o"),
        ("ue", "u"),
        ("defence", "defense"),
        ("centre", "center"),
    ];
    words
        .map(|word| {
            let word = word.to_owned();
            spelled
                .iter()
                .fold(word, |word, (one, other)| word.replace(one, other))
        })
        .collect()
}

/// Whether a text has words that the name of an opening could hold.
pub fn has_words(text: &str) -> bool {
    !folded(text).is_empty()
}

/// A text that names hold all words of, where those of another are nearly it.
pub fn nearest(text: &str) -> Option<String> {
    /// Letters that may be wrong.
    const DISTANCE_MAX: usize = 2;
    let known = &*KNOWN_WORDS;
    let mut better = Vec::new();
    for typed in folded(text) {
        if let Some(word) = known.get(&typed) {
            better.push((*word).to_owned());
            continue;
        }
        if known.keys().any(|word| word.starts_with(&typed)) {
            better.push(typed);
            continue;
        }
        let near = known
            .iter()
            .map(|(folded, word)| (osa_distance(folded, &typed), *word));
        let (distance, word) = near.min()?;
        if distance > DISTANCE_MAX || distance * 2 >= typed.len() {
            return None;
        }
        better.push(word.to_owned());
    }
    let better = better.join(" ");
    let asked = OpeningQuery {
        codes: Vec::new(),
        texts: vec![better.clone()],
    };
    (!asked.openings().is_empty()).then_some(better)
}

/// The name of the last position of a packed line that has one; the line's structures, by the
/// top 32 bits of their keys, spare some of the way.
pub(super) fn last_named<G: BoardGame>(
    start: &G,
    plies: &[u8],
    structures: Option<&[u32]>,
) -> Option<&'static NamedOpening> {
    let names = G::opening_names(start.variant())?;
    let behind = names.structures_behind(structures)?;
    names.last_of(start.cursor(), plies, behind)
}

impl AnyPosition {
    /// The names of the openings of its game.
    pub fn opening_names(&self) -> Option<&'static OpeningNames> {
        with_game!(AnyPosition of self, at => names_of(at))
    }

    /// What the position is called.
    pub fn named_opening(&self) -> Option<&'static NamedOpening> {
        with_game!(AnyPosition of self, at => names_of(at)?.at(at.key(), || at.state()))
    }

    /// The same, whatever the castling rights and whatever may be taken en passant.
    pub fn named_board(&self) -> Option<&'static NamedOpening> {
        with_game!(AnyPosition of self, at => names_of(at)?.at_any(at.key()))
    }

    /// The legal moves to positions that have a name: as programs write them, and the names. None
    /// if there are too many moves to look at.
    pub fn named_moves(&self, budget: Budget) -> Vec<(String, &'static NamedOpening)> {
        with_game!(AnyPosition of self, at => named_moves(at, budget).unwrap_or_default())
    }

    /// The last name that a packed line has from here.
    pub fn last_named(&self, plies: &[u8]) -> Option<&'static NamedOpening> {
        with_game!(AnyPosition of self, at => at.last_named(plies, None))
    }
}

fn named_moves<G: BoardGame>(
    at: &G,
    budget: Budget,
) -> Option<Vec<(String, &'static NamedOpening)>> {
    let names = names_of(at)?;
    let (key, mut legal) = (at.key(), Vec::new());
    at.legal(budget, &mut legal).ok()?;
    let named = |m| {
        let state = || {
            let mut behind = at.clone();
            behind.play(m);
            behind.state()
        };
        let opening = names.at(at.key_after(key, m), state)?;
        Some((at.write(m, MoveStyle::Squares, ENGLISH), opening))
    };
    Some(legal.into_iter().filter_map(named).collect())
}

fn names_of<G: BoardGame>(at: &G) -> Option<&'static OpeningNames> {
    G::opening_names(at.variant())
}
