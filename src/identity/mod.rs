//! Which games are the same game: by the moves first, then by what their tags say of who
//! played, when, and in which round. `docs/identity.md` has the rules for people.
//!
//! Spelling, order and number of tags, comments and variations make no other game. What is known of
//! one and not of the other does not count; what contradicts does.

mod contained;
mod duplicates;
mod finder;
mod fingerprints;
mod groups;
mod key_table;
mod matched_records;
mod names;
mod record;

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    blocks::{facts::PackedFacts, fingerprint::without_counters},
    pgn::tags::{
        date::{self, PgnDate},
        eco, elo,
        person::{NameRelation, PlayerName, plain_letters},
        result,
    },
    replay,
    store::{GameRow, StartRow, Store, StoreError, TagValues},
};

pub use contained::{ContainedGame, contained_games};
pub use duplicates::{
    Completeness, DuplicateIndex, DuplicateMatch, DuplicateProbe, PendingPlies, PrefixMatch,
};
pub use finder::DuplicateFinder;
pub use fingerprints::{ALL_KNOWN_MAX, FingerprintIndex, LOOKED_AT};
pub use groups::{
    CompletenessReader, DedupeOptions, DedupePolicy, DedupeReport, DuplicateGroup, same_games,
};
pub use matched_records::{MatchedRecords, RecordLookup};
pub use names::NameMatcher;
pub use record::{StoredRecord, StoredRecords, hash_annotations, is_same_problem};

/// Plies from which on two games with the same moves are hardly two: shorter draws, and lines out
/// of a book, are played again.
pub const TELLING_PLIES: u32 = 20;
/// The same where the year, and the day, the event or the round are known, or one says no more.
const TELLING_PLIES_WITH_ROUND: u32 = 10;
/// The same where it is not known when one of them was played, and the events have other names.
const TELLING_PLIES_UNDATED: u32 = 50;

/// What a game says of itself in addition to its moves.
#[derive(Debug, Clone, Default)]
pub struct GameMetadata {
    players: [PlayerName; 2],
    /// FIDE's numbers of the players.
    fide_ids: [Option<u32>; 2],
    /// As `yyyymmdd`, unknown parts 0.
    date: u32,
    outcome: u8,
    plies: u32,
    /// ECO code and ratings, which have columns of their own; 0 where there are none.
    figures: [u32; 3],
    /// The parts of the round, without zeros in front.
    round: Vec<String>,
    /// The words of the event.
    event: Vec<String>,
    /// What no other game has, by the lower-case name of the tag.
    ids: BTreeMap<String, String>,
    /// Times of day and boards, likewise, which the same game can have only one of.
    places: BTreeMap<String, String>,
    /// White, Black, event, site and round as written.
    written: [String; 5],
    /// All other tags that say something, by their lower-case names.
    others: BTreeMap<String, String>,
}

/// Tags whose values belong to one game alone.
const ID_TAGS: &[&str] = &[
    "gameid",
    "gameurl",
    "link",
    "ficsgamesdbgameno",
    "lichessid",
    "chesscomid",
    "url",
];

/// Tags of the players' numbers at FIDE, White's first.
const FIDE_TAGS: [&str; 2] = ["whitefideid", "blackfideid"];

/// Tags in which two games differ that one event, round and pair of players may have.
const PLACE_TAGS: &[&str] = &["utctime", "time", "starttime", "board", "table", "subround"];

/// Tags that repeat what the game itself says, or what columns have.
const TOLD_TAGS: &[&str] = &[
    "black",
    "blackelo",
    "blackrating",
    "date",
    "eco",
    "event",
    "fen",
    "gametype",
    "plycount",
    "result",
    "round",
    "setup",
    "site",
    "variant",
    "variantby",
    "white",
    "whiteelo",
    "whiterating",
];

impl GameMetadata {
    /// Those of a row of a game.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read or is damaged.
    pub fn of(store: &Store, row: &GameRow) -> Result<Self, StoreError> {
        let names = row.names.each_ref().map(Option::as_deref);
        let mut its = Self::told(names, row.round.as_deref(), &row.facts());
        replay::each_tag(store, row, |name, value| its.tag(name, &value))?;
        Ok(its)
    }

    /// Those of a game as its tags stated it before they were edited.
    pub fn before_edits(row: &GameRow, told: &TagValues) -> Self {
        let value = |name: &str| {
            let mut tags = told.tags.iter();
            let tag = tags.find(|(own, _)| replay::name_of(own) == name);
            tag.map(|(_, value)| value.as_str())
        };
        let date = |name: &str| {
            let value = value(name).unwrap_or_default();
            date::parse(value.as_bytes()).0.to_packed()
        };
        let rating = |names: [&str; 2]| {
            let rating = names.into_iter().find_map(value)?;
            elo::parse(rating.as_bytes()).map(u32::from)
        };
        let code = value("ECO").and_then(|code| eco::parse(code.as_bytes()));
        let facts = PackedFacts {
            eco: code.map_or(0, |code| u32::from(code) + 1),
            white_elo: rating(["WhiteElo", "WhiteRating"]).unwrap_or(0),
            black_elo: rating(["BlackElo", "BlackRating"]).unwrap_or(0),
            date: Some(date("Date"))
                .filter(|&date| date > 0)
                .unwrap_or_else(|| date("UTCDate")),
            outcome: told.outcome.into(),
            ..row.facts()
        };
        let names = ["White", "Black", "Event", "Site"].map(value);
        let mut its = Self::told(names, value("Round"), &facts);
        for (name, value) in &told.tags {
            its.tag(name, value);
        }
        its
    }

    /// Those that columns give: White, Black, event, site; round; date, outcome and plies. Other
    /// tags are [added](Self::tag).
    pub fn told(names: [Option<&str>; 4], round: Option<&str>, facts: &PackedFacts) -> Self {
        let [white, black, event, site] = names.map(Option::unwrap_or_default);
        let mut its = Self {
            players: [PlayerName::read(white), PlayerName::read(black)],
            date: facts.date,
            outcome: facts.outcome as u8,
            plies: facts.plies,
            figures: [facts.eco, facts.white_elo, facts.black_elo],
            round: round_of(round.unwrap_or_default()),
            event: words_of(event),
            written: [white, black, event, site, round.unwrap_or_default()].map(told_text),
            ..Self::default()
        };
        // Servers name the page of the game for its site.
        if site.contains("://") {
            let page = without_scheme(site.trim());
            if page.contains('/') {
                its.ids.insert("site".to_owned(), page.to_owned());
            }
        }
        its
    }

    /// Adds a tag by its name, with its own spelling after a `|` or without.
    pub fn tag(&mut self, name: &str, value: &str) {
        let name = replay::name_of(name).to_ascii_lowercase();
        let value = value.trim();
        if is_unknown(value) {
            return;
        }
        if ID_TAGS.contains(&&name[..]) {
            self.ids.insert(name, without_scheme(value).to_owned());
            return;
        }
        if let Some(side) = FIDE_TAGS.iter().position(|own| *own == name) {
            self.fide_ids[side] = value.parse().ok().filter(|&id| id > 0);
        }
        if PLACE_TAGS.contains(&&name[..]) {
            self.places.insert(name, value.to_owned());
        } else if !TOLD_TAGS.contains(&&name[..]) || says_more(&name, value.as_bytes()) {
            self.others.insert(name, told_text(value));
        }
    }

    /// Whether they say who played; of other games only equal texts are one.
    pub fn say_who_played(&self) -> bool {
        self.players.iter().all(PlayerName::is_known)
    }

    /// Whether they say which game it is, whatever others have its moves: by who played, or by what
    /// belongs to one game alone.
    pub fn say_which_game(&self) -> bool {
        self.say_who_played() || !self.ids.is_empty()
    }

    /// Whether they do not say in which year the game was played.
    pub const fn is_undated(&self) -> bool {
        self.date < 10_000
    }

    /// Whether they, and those of another game with the same moves, are of one game.
    pub fn agree(&self, other: &Self, judge: &NameMatcher) -> bool {
        if self.outcomes_differ(other) || self.contradict(other, judge) {
            return false;
        }
        if self.share_id(other) {
            return true;
        }
        let is_one_day = self.date == other.date && !self.date.is_multiple_of(100);
        let is_one_event = self.event == other.event && !self.event.is_empty();
        if self.plies < TELLING_PLIES {
            let is_one_year = self.date > 0 && self.date / 10_000 == other.date / 10_000;
            let is_one_round = self.round == other.round && !self.round.is_empty();
            let is_enough = match self.plies {
                TELLING_PLIES_WITH_ROUND.. => {
                    let is_within = self.is_within(other) || other.is_within(self);
                    is_one_day || is_one_year && (is_one_event || is_one_round || is_within)
                }
                _ => is_one_day && is_one_event,
            };
            return is_enough || self.equal(other);
        }
        let is_dated = self.date > 0 && other.date > 0;
        let is_long = self.plies >= TELLING_PLIES_UNDATED;
        is_dated || is_one_event || is_long && !self.event_numbers_differ(other)
    }

    /// Adds what another record of the same game knows.
    pub fn learn(&mut self, other: &Self) {
        let date = |date: u32| PgnDate::from_packed(date);
        let (mut its, others) = (date(self.date), date(other.date));
        for (part, other) in [(&mut its.month, others.month), (&mut its.day, others.day)] {
            *part = if *part == 0 { other } else { *part };
        }
        its.year = if its.year == 0 { others.year } else { its.year };
        self.date = its.to_packed();
        if self.outcome == 0 {
            self.outcome = other.outcome;
        }
        if self.round.len() < other.round.len() {
            self.round.clone_from(&other.round);
        }
        if self.event.is_empty() {
            self.event.clone_from(&other.event);
        }
        // `Smith, J` is not John for one and Jack for another.
        for (own, others) in self.players.iter_mut().zip(&other.players) {
            own.learn(others);
        }
        for (own, others) in self.fide_ids.iter_mut().zip(other.fide_ids) {
            *own = own.or(others);
        }
        for (known, others) in [
            (&mut self.ids, &other.ids),
            (&mut self.places, &other.places),
        ] {
            for (name, value) in others {
                let entry = known.entry(name.clone());
                entry.or_insert_with(|| value.clone());
            }
        }
    }

    /// Whether they say of who played, when, and in which round what cannot be of one game with
    /// what another record says.
    pub fn contradict(&self, other: &Self, judge: &NameMatcher) -> bool {
        let is_other = || {
            !self.people_agree(other, judge)
                || !dates_agree(self.date, other.date)
                || self.rounds_differ(other)
        };
        self.tags_differ(other) || !self.share_id(other) && is_other()
    }

    /// Whether both have something that belongs to one game alone.
    fn share_id(&self, other: &Self) -> bool {
        self.ids.keys().any(|name| other.ids.contains_key(name))
    }

    /// Whether they say nothing of the day, the event and the round that those of the other do not
    /// say: `Open` is within `Open of Riga`.
    fn is_within(&self, other: &Self) -> bool {
        known_parts(self.date) <= known_parts(other.date)
            && self.event.iter().all(|word| other.event.contains(word))
            && self.round.len() <= other.round.len()
            && !self.rounds_differ(other)
    }

    /// Whether they say more than another record of the same game which of several games with the
    /// same moves it is, and nothing less: by its day, round, time, or what belongs to it alone.
    pub fn tell_more(&self, other: &Self) -> bool {
        let told = |its: &Self| {
            [
                known_parts(its.date),
                its.round.len(),
                its.ids.len(),
                its.places.len(),
            ]
        };
        let (own, others) = (told(self), told(other));
        own != others && own.iter().zip(others).all(|(&own, other)| own >= other)
    }

    /// Whether they are equal in all but what a game says twice, blanks, and marks for what is not
    /// known.
    pub fn equal(&self, other: &Self) -> bool {
        self.written == other.written
            && (self.date, self.outcome, self.plies) == (other.date, other.outcome, other.plies)
            && self.figures == other.figures
            && (&self.ids, &self.places, &self.others) == (&other.ids, &other.places, &other.others)
    }

    /// Whether one is the record of a game up to some ply and the other goes on, their moves
    /// allowing that: then people, date and event agree, and nothing contradicts but the result.
    pub fn agree_in_part(&self, other: &Self, judge: &NameMatcher) -> bool {
        !self.tags_differ(other)
            && self.people_agree(other, judge)
            && !self.rounds_differ(other)
            && self.date == other.date
            && self.event == other.event
    }

    fn people_agree(&self, other: &Self, judge: &NameMatcher) -> bool {
        self.say_who_played()
            && other.say_who_played()
            && (0..2).all(|side| {
                let are_same = judge.are_same(&self.written[side], &other.written[side]);
                let ids = self.fide_ids[side].zip(other.fide_ids[side]);
                let are_same = are_same.or_else(|| ids.map(|(one, other)| one == other));
                are_same.unwrap_or_else(|| {
                    let likeness = self.players[side].likeness(&other.players[side]);
                    likeness > NameRelation::Different
                })
            })
    }

    /// Whether a tag that belongs to one game alone is another one.
    fn tags_differ(&self, other: &Self) -> bool {
        [(&self.ids, &other.ids), (&self.places, &other.places)]
            .into_iter()
            .any(|(one, other)| {
                let mut both = one
                    .iter()
                    .filter_map(|(name, value)| Some((value, other.get(name)?)));
                both.any(|(one, other)| one != other)
            })
    }

    const fn outcomes_differ(&self, other: &Self) -> bool {
        self.outcome != other.outcome && self.outcome > 0 && other.outcome > 0
    }

    /// `Match, game 3` is not `Match, game 12`, but may be `Match`.
    fn event_numbers_differ(&self, other: &Self) -> bool {
        let numbers = |event: &[String]| -> BTreeSet<String> {
            let is_number = |word: &&String| word.bytes().all(|byte| byte.is_ascii_digit());
            event.iter().filter(is_number).cloned().collect()
        };
        let (one, other) = (numbers(&self.event), numbers(&other.event));
        !one.is_subset(&other) && !other.is_subset(&one)
    }

    /// A round that also has the number of the board is the same.
    fn rounds_differ(&self, other: &Self) -> bool {
        let mut parts = self.round.iter().zip(&other.round);
        parts.any(|(one, other)| one != other)
    }
}

/// Whether two start positions are one, whatever their moves are counted from.
pub fn starts_agree(one: Option<&StartRow>, other: Option<&StartRow>) -> bool {
    fn told(start: &StartRow) -> (u8, &str, Option<u8>, Option<&str>) {
        let fen = start.canonical.as_deref().unwrap_or(&start.fen);
        (
            start.variant,
            without_counters(fen),
            start.corner,
            start.diagram.as_deref(),
        )
    }
    match (one, other) {
        (None, None) => true,
        (Some(one), Some(other)) => told(one) == told(other),
        // The standard start position, which one of them spells out; their moves have one key.
        (Some(start), None) | (None, Some(start)) => start.canonical.is_some(),
    }
}

/// Whether the value of a tag that has a column says something that the column has not.
fn says_more(name: &str, value: &[u8]) -> bool {
    match name {
        "date" => date::parse(value).0.to_packed() == 0,
        "eco" => value.len() > 3 || eco::parse(value).is_none(),
        "whiteelo" | "blackelo" | "whiterating" | "blackrating" => {
            value != b"0" && elo::parse(value).is_none()
        }
        "result" => {
            result::is_score(value)
                || result::parse_tag(value).is_none() && result::parse_pdn(value).is_none()
        }
        _ => false,
    }
}

/// A text without what does not count in it; empty where it says nothing.
fn told_text(text: &str) -> String {
    if is_unknown(text) {
        return String::new();
    }
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ")
}

fn is_unknown(value: &str) -> bool {
    value
        .chars()
        .all(|c| matches!(c, '?' | '-' | '.' | ':' | ' '))
}

fn without_scheme(url: &str) -> &str {
    let url = url.split_once("://").map_or(url, |(_, rest)| rest);
    url.trim_start_matches("www.").trim_end_matches('/')
}

/// Whether two dates can be one: what is known of both is equal.
fn dates_agree(one: u32, other: u32) -> bool {
    let parts = |date: u32| {
        let PgnDate { year, month, day } = PgnDate::from_packed(date);
        [year, month.into(), day.into()]
    };
    let mut pairs = parts(one).into_iter().zip(parts(other));
    pairs.all(|(one, other)| one == 0 || other == 0 || one == other)
}

/// How much of a date is known: nothing, the year, the month, the day.
fn known_parts(date: u32) -> usize {
    let PgnDate { year, month, day } = PgnDate::from_packed(date);
    usize::from(year > 0) + usize::from(month > 0) + usize::from(day > 0)
}

fn round_of(round: &str) -> Vec<String> {
    if is_unknown(round.trim()) {
        return Vec::new();
    }
    let parts = round.split(|c: char| !c.is_alphanumeric());
    let parts = parts.filter(|part| !part.is_empty());
    parts
        .map(|part| part.trim_start_matches('0').to_lowercase())
        .collect()
}

fn words_of(text: &str) -> Vec<String> {
    let folded = plain_letters(text);
    let words = folded.split(|c: char| !c.is_ascii_alphanumeric());
    words
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}
