//! Games that have a tag, with words in its value. No index knows the values of all
//! tags: facts tell what is in a column, and rows are read for the rest, those of the
//! games that are asked about.

use std::collections::{BTreeSet, HashMap};

use foldhash::fast::FixedState;
use strsim::osa_distance;

use super::filter::{IdSet, ids};
use crate::{
    base::record::{GameId, Outcome},
    db::{
        index::facts::PackedFacts,
        query::TagQuery,
        store::{NameTable, RecordKind, RecordReader, Store, StoreError, TagColumns},
        stored,
    },
    formats::composition::{Composition, FiledProblem, pgn},
    pgn::tags::{
        date::PgnDate,
        eco,
        time_control::{self, SpeedClass},
    },
};

/// Rows that are read at a time where many are asked for.
const ROWS_MAX: u64 = 1024;

/// Where the values of a tag are in the games of a layout.
#[derive(Debug, Default)]
pub(in crate::db) struct TagPlace {
    /// Its places among the further values.
    pub(in crate::db) extras: Vec<usize>,
    /// Whether a column holds one.
    in_column: bool,
}

impl TagPlace {
    /// Of a tag in a layout (see `docs/file-format.md`); `None` if it is not there.
    pub(in crate::db) fn of(name: &str, layout: &str) -> Option<Self> {
        let entries: Vec<String> = serde_json::from_str(layout).ok()?;
        let mut place = Self::default();
        let mut extras = 0;
        for entry in &entries {
            let in_extras = entry.strip_prefix('+');
            let own = in_extras.unwrap_or(entry).split('|').next();
            let is_it = own.is_some_and(|own| own.eq_ignore_ascii_case(name));
            match in_extras {
                Some(_) if is_it => place.extras.push(extras),
                None if is_it => place.in_column = true,
                _ => {}
            }
            extras += usize::from(in_extras.is_some());
        }
        (place.in_column || !place.extras.is_empty()).then_some(place)
    }
}

/// The words of a text, all of which a value must hold.
#[derive(Debug)]
pub(in crate::db) struct Words(Vec<String>);

impl Words {
    pub(in crate::db) fn of(text: &str) -> Self {
        let folded = text.to_lowercase();
        let words = folded.split(|c: char| c.is_whitespace() || c == ',');
        Self(
            words
                .filter(|word| !word.is_empty())
                .map(str::to_owned)
                .collect(),
        )
    }

    /// Whether a value holds them, whatever the case.
    pub(in crate::db) fn are_in(&self, value: &str) -> bool {
        let value = value.to_lowercase();
        self.0.iter().all(|word| value.contains(word))
    }
}

/// A tag that no game of a database has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownTag {
    /// Its name as it was asked for.
    pub name: String,
    /// The name that comes nearest to it, if one comes near.
    pub nearest: Option<String>,
}

/// Those of some names of tags that no game of a database has.
///
/// # Errors
///
/// [`StoreError`] if the database cannot be read or is damaged.
pub fn unknown_tags<'n>(
    store: &Store,
    names: impl Iterator<Item = &'n str>,
) -> Result<Vec<UnknownTag>, StoreError> {
    let asked: BTreeSet<&str> = names.collect();
    if asked.is_empty() {
        return Ok(Vec::new());
    }
    let mut known = BTreeSet::new();
    if store.has_problems() {
        known.extend(pgn::TAGS.map(str::to_owned));
    }
    store.for_each_name(NameTable::Layout, |_, layout| {
        let entries = stored::layout_of(layout);
        known.extend(entries.iter().map(|entry| {
            let own = entry.strip_prefix('+').unwrap_or(entry);
            stored::name_of(own).to_owned()
        }));
    })?;
    let unknown = asked.into_iter().filter(|name| {
        let mut known = known.iter();
        !known.any(|own| own.eq_ignore_ascii_case(name))
    });
    let unknown = unknown.map(|name| {
        let distance = |own: &String| osa_distance(&own.to_lowercase(), &name.to_lowercase());
        let near = known.iter().map(|own| (distance(own), own)).min();
        let nearest = near.filter(|(distance, _)| *distance <= name.chars().count() / 3);
        UnknownTag {
            name: name.to_owned(),
            nearest: nearest.map(|(_, own)| own.clone()),
        }
    });
    Ok(unknown.collect())
}

/// Whether a text has words to look for; one without fits every name.
pub fn has_words(text: &str) -> bool {
    !Words::of(text).0.is_empty()
}

/// What a value must be like.
#[derive(Debug)]
enum WantedValue {
    /// It holds words, perhaps none.
    Words(Words),
    /// It is a text, in small letters.
    Whole(String),
    /// It is a time control of one of these classes; perhaps of none that is known.
    Classes(Vec<SpeedClass>, bool),
}

/// A tag, and what its value must be like.
#[derive(Debug)]
pub(super) struct ValueTest {
    name: String,
    wanted: WantedValue,
}

impl ValueTest {
    /// What a query asks of a tag.
    pub(super) fn of(asked: &TagQuery) -> Self {
        let wanted = if asked.is_whole {
            WantedValue::Whole(asked.text.to_lowercase())
        } else {
            WantedValue::Words(Words::of(&asked.text))
        };
        Self {
            name: asked.name.clone(),
            wanted,
        }
    }

    /// A time control of one of some classes, or of none that is known.
    pub(super) fn of_classes(classes: &[SpeedClass], or_unknown: bool) -> Self {
        Self {
            name: "TimeControl".to_owned(),
            wanted: WantedValue::Classes(classes.to_vec(), or_unknown),
        }
    }

    /// Whether any value will do.
    fn is_any(&self) -> bool {
        matches!(&self.wanted, WantedValue::Words(words) if words.0.is_empty())
    }

    fn fits(&self, value: &str) -> bool {
        match &self.wanted {
            WantedValue::Words(words) => words.are_in(value),
            WantedValue::Whole(whole) => value.to_lowercase() == *whole,
            WantedValue::Classes(classes, or_unknown) => {
                let class = time_control::parse(value.as_bytes()).class();
                class.map_or(*or_unknown, |class| classes.contains(&class))
            }
        }
    }

    /// What a game is that has no such tag.
    const fn without(&self) -> Row {
        match self.wanted {
            WantedValue::Classes(_, true) => Row::Fits,
            _ => Row::Fails,
        }
    }
}

/// The column that has the values of a tag, and which of them fit.
#[derive(Debug)]
enum TagColumn {
    /// An id of one of these.
    Ids(fn(&PackedFacts) -> u32, IdSet),
    /// A number that the tag is written from.
    Number(fn(&PackedFacts) -> u32, fn(u32) -> Option<String>),
    /// Nothing but the row has it.
    Round,
}

/// The column of a tag.
fn column(store: &Store, asked: &ValueTest) -> Result<Option<TagColumn>, StoreError> {
    let named = |table, id: fn(&PackedFacts) -> u32| {
        let fitting = ids(store, table, |name| asked.fits(name))?;
        Ok(Some(TagColumn::Ids(id, fitting)))
    };
    let elo = |elo: u32| Some(elo.to_string());
    Ok(Some(match asked.name.to_ascii_lowercase().as_str() {
        "white" => return named(NameTable::Player, |facts| facts.white),
        "black" => return named(NameTable::Player, |facts| facts.black),
        "event" => return named(NameTable::Event, |facts| facts.event),
        "site" => return named(NameTable::Site, |facts| facts.site),
        "fen" => return named(NameTable::Start, |facts| facts.start),
        "date" => TagColumn::Number(
            |facts| facts.date,
            |date| Some(PgnDate::from_packed(date).pgn_text()),
        ),
        "result" => TagColumn::Number(
            |facts| facts.outcome,
            |code| Some(Outcome::from_code(code as u8).as_pgn().to_owned()),
        ),
        "whiteelo" | "whiterating" => TagColumn::Number(|facts| facts.white_elo, elo),
        "blackelo" | "blackrating" => TagColumn::Number(|facts| facts.black_elo, elo),
        "eco" => TagColumn::Number(
            |facts| facts.eco,
            |code| eco::text(u16::try_from(code.checked_sub(1)?).ok()?),
        ),
        "round" => TagColumn::Round,
        _ => return Ok(None),
    }))
}

/// A tag that is asked for, ready to be looked for.
#[derive(Debug)]
pub(super) struct Tag {
    asked: ValueTest,
    /// Where the games have it, by the numbers of their layouts.
    places: HashMap<u32, TagPlace, FixedState>,
    /// Whether all games have it in its column and nowhere else.
    is_fact: bool,
    column: Option<TagColumn>,
    /// The rows of `text` that fit.
    texts: IdSet,
    /// The layout of games without tags, as problems are.
    untagged: Option<u32>,
}

impl Tag {
    pub(super) fn new(store: &Store, asked: ValueTest) -> Result<Self, StoreError> {
        let mut places: HashMap<u32, TagPlace, FixedState> = HashMap::default();
        let (mut layouts, mut untagged) = (0, None);
        store.for_each_name(NameTable::Layout, |id, names| {
            layouts += 1;
            if names == "[]" {
                untagged = Some(id);
            }
            places.extend(TagPlace::of(&asked.name, names).map(|place| (id, place)));
        })?;
        let mut held = places.values();
        let column = if held.clone().any(|place| place.in_column) {
            column(store, &asked)?
        } else {
            None
        };
        let texts = if held.clone().any(|place| !place.extras.is_empty()) {
            ids(store, NameTable::Text, |text| asked.fits(text))?
        } else {
            IdSet::default()
        };
        Ok(Self {
            is_fact: places.len() == layouts
                && held.all(|place| place.in_column && place.extras.is_empty())
                && !matches!(column, Some(TagColumn::Round)),
            asked,
            places,
            column,
            texts,
            untagged: untagged.filter(|_| store.has_problems()),
        })
    }

    /// Whether the facts of games matter to it.
    pub(super) const fn asks_facts(&self) -> bool {
        matches!(
            self.column,
            Some(TagColumn::Ids(..) | TagColumn::Number(..))
        )
    }

    /// Whether a problem has the tag as PGN.
    fn is_in(&self, problem: &Composition) -> bool {
        let tags = pgn::plain_tags(problem);
        let mut its = tags
            .iter()
            .filter(|(name, _)| name.eq_ignore_ascii_case(&self.asked.name));
        its.any(|(_, value)| self.asked.fits(value))
    }

    /// Asks games of a database, best in order.
    pub(super) fn reader<'a>(&'a self, store: &'a Store) -> TagReader<'a> {
        TagReader {
            tag: self,
            store,
            problems: store.records(RecordKind::Problem),
            first: 0,
            rows: Vec::new(),
            known: HashMap::new(),
        }
    }

    /// What must be read of the rows of a layout.
    fn wanted_of(&self, layout: u32) -> TagColumns {
        let place = self.places.get(&layout).filter(|_| !self.asked.is_any());
        let has_round = matches!(self.column, Some(TagColumn::Round));
        match place {
            None => TagColumns::Layout,
            Some(place) if !place.in_column || !has_round => TagColumns::Values,
            Some(place) if place.extras.is_empty() => TagColumns::Round,
            Some(_) => TagColumns::ValuesAndRound,
        }
    }

    /// What must be read of rows.
    fn wanted(&self) -> TagColumns {
        match self.column {
            _ if self.asked.is_any() => TagColumns::Layout,
            Some(TagColumn::Round) => TagColumns::ValuesAndRound,
            _ => TagColumns::Values,
        }
    }

    /// What a row says.
    fn look(&self, layout: u32, extra: Option<&str>, round: Option<&str>) -> Row {
        let Some(place) = self.places.get(&layout) else {
            return self.asked.without();
        };
        if self.asked.is_any() {
            return Row::Fits;
        }
        if place.in_column && round.is_some_and(|round| self.asked.fits(round)) {
            return Row::Fits;
        }
        let mut wanted = place.extras.iter().peekable();
        for (at, value) in values(extra.unwrap_or_default()).enumerate() {
            match wanted.next_if_eq(&&at) {
                Some(_) if self.has_value(value) => return Row::Fits,
                None if wanted.peek().is_none() => break,
                _ => {}
            }
        }
        if place.in_column {
            Row::AsFacts
        } else {
            Row::Fails
        }
    }

    /// Whether a further value fits: a text or the number of one, as JSON.
    fn has_value(&self, value: &str) -> bool {
        let inner = value
            .strip_prefix('"')
            .and_then(|rest| rest.strip_suffix('"'));
        match inner {
            Some(text) if !text.contains('\\') => self.asked.fits(text),
            Some(_) => {
                let text: Option<String> = serde_json::from_str(value).ok();
                text.is_some_and(|text| self.asked.fits(&text))
            }
            None => value.parse().is_ok_and(|id| self.texts.contains(id)),
        }
    }
}

/// The values of a flat JSON array as they stand there.
pub(in crate::db) fn values(array: &str) -> impl Iterator<Item = &str> {
    let mut rest = array.trim().strip_prefix('[').unwrap_or_default();
    std::iter::from_fn(move || {
        rest = rest.trim_start();
        let mut is_text = false;
        let mut is_escaped = false;
        let end = rest.bytes().position(|byte| {
            let ends = !is_text && matches!(byte, b',' | b']');
            is_text ^= byte == b'"' && !is_escaped;
            is_escaped = byte == b'\\' && !is_escaped;
            ends
        })?;
        let value = rest[..end].trim_end();
        rest = &rest[end + 1..];
        (!value.is_empty()).then_some(value)
    })
}

/// What the row of a game says about a tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Row {
    Fits,
    Fails,
    /// Its value is in the column.
    AsFacts,
}

/// Looks for a tag in games, reading the rows of neighbours together.
#[derive(Debug)]
pub(super) struct TagReader<'s> {
    tag: &'s Tag,
    store: &'s Store,
    problems: RecordReader<'s>,
    /// The game of the first row at hand.
    first: GameId,
    rows: Vec<Row>,
    /// Which numbers of the column fit.
    known: HashMap<u32, bool>,
}

impl TagReader<'_> {
    /// Whether a game of these facts has the tag.
    pub(super) fn has(&mut self, game: GameId, facts: &PackedFacts) -> Result<bool, StoreError> {
        let row = if self.tag.is_fact {
            Row::AsFacts
        } else if self.tag.places.is_empty() && self.tag.untagged.is_none() {
            Row::Fails
        } else {
            self.row(game)?
        };
        Ok(match row {
            Row::Fits => true,
            Row::Fails => false,
            Row::AsFacts => match &self.tag.column {
                Some(TagColumn::Ids(id, fitting)) => fitting.contains(id(facts)),
                Some(TagColumn::Number(number, text)) => {
                    let number = number(facts);
                    let fits = || text(number).is_some_and(|text| self.tag.asked.fits(&text));
                    *self.known.entry(number).or_insert_with(fits)
                }
                Some(TagColumn::Round) | None => false,
            },
        })
    }

    fn row(&mut self, game: GameId) -> Result<Row, StoreError> {
        let end = self.first + self.rows.len() as u64;
        if !(self.first..end).contains(&game) {
            // Twice as many as before where they follow each other.
            let is_near = game >= end && game - end <= self.rows.len() as u64;
            let rows = if is_near {
                2 * self.rows.len() as u64
            } else {
                1
            };
            let rows = rows.clamp(1, ROWS_MAX);
            self.first = game;
            self.rows.clear();
            self.rows.resize(rows as usize, Row::Fails);
            let (tag, rows) = (self.tag, &mut self.rows);
            let mut untagged = Vec::new();
            let last = game.saturating_add(rows.len() as u64 - 1);
            let take = |found: GameId, layout, extra: Option<&str>, round: Option<&str>| {
                if tag.untagged == Some(layout) {
                    untagged.push(found);
                }
                if let Some(row) = rows.get_mut((found - game) as usize) {
                    *row = tag.look(layout, extra, round);
                }
            };
            let of = |layout| tag.wanted_of(layout);
            self.store
                .for_each_tags(game, last, tag.wanted(), of, take)?;
            for found in untagged {
                let filed = self.problems.get(found)?.and_then(FiledProblem::read);
                if let Some(row) = rows.get_mut((found - game) as usize)
                    && filed.is_some_and(|filed| tag.is_in(&filed.problem))
                {
                    *row = Row::Fits;
                }
            }
        }
        Ok(self.rows[(game - self.first) as usize])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_those_of_the_layout() {
        let layout = r#"["Event","+Source","Date","+Opening","+Source|SOURCE"]"#;
        let place = TagPlace::of("source", layout).expect("it is there");
        assert_eq!((place.extras, place.in_column), (vec![0, 2], false));
        let place = TagPlace::of("Event", layout).expect("it is there");
        assert_eq!((place.extras, place.in_column), (vec![], true));
        assert!(TagPlace::of("Eve", layout).is_none());
    }

    #[test]
    fn every_word_must_be_held() {
        let words = Words::of("MATE, white");
        assert!(words.are_in("White to mate"));
        assert!(!words.are_in("Black to mate"));
        assert!(Words::of(" ").are_in(""));
    }

    #[test]
    fn values_of_an_array_are_told_apart() {
        let found = |array| values(array).collect::<Vec<_>>();
        assert_eq!(found("[]"), [""; 0]);
        assert_eq!(
            found(r#"["a, [b]",12,"c\"]d","e\\"]"#),
            [r#""a, [b]""#, "12", r#""c\"]d""#, r#""e\\""#]
        );
        assert_eq!(found(" [ 1 , \"\" ] "), ["1", "\"\""]);
        assert_eq!(found("[1,\"cut"), ["1"]);
        assert_eq!(found("nonsense"), [""; 0]);
    }
}
