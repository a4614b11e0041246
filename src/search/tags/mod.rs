//! Games that have a tag, with words in its value. No index knows the values of all
//! tags: facts say what is in a column, and rows are read for the rest, those of the
//! candidate games whose layouts do not decide.

mod reader;

use std::collections::BTreeSet;

use strsim::osa_distance;

pub(super) use reader::TagReader;

use super::filter::ids;
use crate::{
    base::{id_set::IdSet, record::Outcome},
    blocks::facts::FactColumn as Is,
    pgn::tags::{
        date::PgnDate,
        eco,
        time_control::{self, SpeedClass},
    },
    problems::{Composition, pgn},
    query::TagQuery,
    replay,
    replay::{TagPlace, tag_values},
    store::{Layouts, NameTable, Store, StoreError, TagColumns},
};

/// Bytes of a value that is folded without room of its own.
const SHORT_BYTES: usize = 64;

/// The words of a text; a value must hold all of them.
#[derive(Debug)]
pub(crate) struct WordCondition(Vec<String>);

impl WordCondition {
    pub(crate) fn of(text: &str) -> Self {
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
    pub(crate) fn are_in(&self, value: &str) -> bool {
        let are_in = |value: &str| self.0.iter().all(|word| value.contains(word));
        // Most values are short and plain, and there are millions of them.
        let mut short = [0; SHORT_BYTES];
        if value.is_ascii()
            && let Some(short) = short.get_mut(..value.len())
        {
            short.copy_from_slice(value.as_bytes());
            short.make_ascii_lowercase();
            if let Ok(value) = std::str::from_utf8(short) {
                return are_in(value);
            }
        }
        are_in(&value.to_lowercase())
    }
}

/// A tag that no game of a database has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownTag {
    /// Its name as it was requested.
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
    let mut known: BTreeSet<String> = pgn::TAGS.map(str::to_owned).into();
    store.for_each_name(NameTable::Layout, |_, layout| {
        let entries = replay::layout_of(layout);
        known.extend(entries.iter().map(|entry| {
            let own = entry.strip_prefix('+').unwrap_or(entry);
            replay::name_of(own).to_owned()
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

/// Whether a text has words to search for; one without fits every name.
pub fn has_words(text: &str) -> bool {
    !WordCondition::of(text).0.is_empty()
}

/// What a value must be like.
#[derive(Debug)]
enum ValueCondition {
    /// It holds words, perhaps none.
    Words(WordCondition),
    /// It is a text, in small letters.
    Whole(String),
    /// It is a time control of one of these classes; perhaps of none that is known.
    Classes(Vec<SpeedClass>, bool),
}

/// A tag, and what its value must be like.
#[derive(Debug)]
pub(super) struct ValueTest {
    name: String,
    wanted: ValueCondition,
}

impl ValueTest {
    /// What a query requires of a tag.
    pub(super) fn of(asked: &TagQuery) -> Self {
        let wanted = if asked.is_whole {
            ValueCondition::Whole(asked.text.to_lowercase())
        } else {
            ValueCondition::Words(WordCondition::of(&asked.text))
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
            wanted: ValueCondition::Classes(classes.to_vec(), or_unknown),
        }
    }

    /// Whether any value will do.
    fn is_any(&self) -> bool {
        matches!(&self.wanted, ValueCondition::Words(words) if words.0.is_empty())
    }

    fn fits(&self, value: &str) -> bool {
        match &self.wanted {
            ValueCondition::Words(words) => words.are_in(value),
            ValueCondition::Whole(whole) if value.is_ascii() => value.eq_ignore_ascii_case(whole),
            ValueCondition::Whole(whole) => value.to_lowercase() == *whole,
            ValueCondition::Classes(classes, or_unknown) => {
                let class = time_control::parse(value.as_bytes()).class();
                class.map_or(*or_unknown, |class| classes.contains(&class))
            }
        }
    }

    /// Texts, one of which a `Round` holds if it fits, as far as that shows without folding it.
    fn of_round(&self) -> Option<Vec<String>> {
        let texts = match &self.wanted {
            ValueCondition::Words(words) => &words.0[..],
            ValueCondition::Whole(whole) => std::slice::from_ref(whole),
            ValueCondition::Classes(..) => return None,
        };
        // Nothing that is folded becomes anything else of ASCII than a letter.
        let is_letter = |letter: char| letter.is_ascii_alphabetic() || !letter.is_ascii();
        let plain = texts.iter().flat_map(|text| text.split(is_letter));
        if let Some(longest) = plain.max_by_key(|text| text.len())
            && !longest.is_empty()
        {
            return Some(vec![longest.to_owned()]);
        }
        let mut letters = texts.iter().flat_map(|text| text.chars());
        let letter = letters.find(char::is_ascii_alphabetic)?;
        let cases = [letter, letter.to_ascii_uppercase()];
        // The Turkish capital I and the sign for kelvins become small letters of ASCII.
        let others = match letter {
            'i' => Some('İ'),
            'k' => Some('\u{212a}'),
            _ => None,
        };
        Some(cases.into_iter().chain(others).map(String::from).collect())
    }

    /// What a game is that has no such tag.
    const fn without(&self) -> RowTag {
        match self.wanted {
            ValueCondition::Classes(_, true) => RowTag::Fits,
            _ => RowTag::Fails,
        }
    }
}

/// The column that has the values of a tag, and which of them fit.
#[derive(Debug)]
enum TagColumn {
    /// An id of one of these.
    Ids(Is, IdSet),
    /// A number that the tag is written from.
    Number(Is, fn(u32) -> Option<String>),
    /// Nothing but the row has it.
    Round,
}

/// The column of a tag.
fn column(store: &Store, asked: &ValueTest) -> Result<Option<TagColumn>, StoreError> {
    let named = |table, column| {
        let fitting = ids(store, table, |name| asked.fits(name))?;
        Ok(Some(TagColumn::Ids(column, fitting)))
    };
    let elo = |elo: u32| Some(elo.to_string());
    Ok(Some(match asked.name.to_ascii_lowercase().as_str() {
        "white" => return named(NameTable::Player, Is::White),
        "black" => return named(NameTable::Player, Is::Black),
        "event" => return named(NameTable::Event, Is::Event),
        "site" => return named(NameTable::Site, Is::Site),
        "fen" => return named(NameTable::Start, Is::Start),
        "date" => TagColumn::Number(Is::Date, |date| Some(PgnDate::from_packed(date).pgn_text())),
        "result" => TagColumn::Number(Is::Outcome, |code| {
            Some(Outcome::from_code(code as u8).as_pgn().to_owned())
        }),
        "whiteelo" | "whiterating" => TagColumn::Number(Is::WhiteElo, elo),
        "blackelo" | "blackrating" => TagColumn::Number(Is::BlackElo, elo),
        "eco" => TagColumn::Number(Is::Eco, |code| {
            eco::text(u16::try_from(code.checked_sub(1)?).ok()?)
        }),
        "round" => TagColumn::Round,
        _ => return Ok(None),
    }))
}

/// What games of a layout say about a tag.
#[derive(Debug)]
struct LayoutTag {
    place: TagPlace,
    /// What must be read of their rows.
    columns: TagColumns,
}

/// A tag that is requested, ready to be searched for.
#[derive(Debug)]
pub(super) struct TagCondition {
    asked: ValueTest,
    /// Where the games have it, by the numbers of their layouts; none where they have it not.
    layouts: Vec<Option<LayoutTag>>,
    /// Whether any have it.
    is_there: bool,
    column: Option<TagColumn>,
    /// The rows of `text` that fit.
    texts: IdSet,
    /// The layout of games without tags, as problems are.
    untagged: Option<u32>,
    /// The layouts of games that all fit, that all fail, and whose facts decide.
    decided: [Layouts; 3],
    /// The layouts of games that fail unless their `Round` fits, and texts; it holds one of these.
    rounds: Option<(Layouts, Vec<String>)>,
    /// What all games say, where their layouts alone decide.
    all: Option<RowTag>,
}

impl TagCondition {
    pub(super) fn new(store: &Store, asked: ValueTest) -> Result<Self, StoreError> {
        let mut places: Vec<(u32, Option<TagPlace>)> = Vec::new();
        let mut untagged = None;
        store.for_each_name(NameTable::Layout, |id, names| {
            if names == "[]" {
                untagged = Some(id);
            }
            places.push((id, TagPlace::of(&asked.name, names)));
        })?;
        let mut held = places.iter().filter_map(|(_, place)| place.as_ref());
        let is_there = held.clone().next().is_some();
        let column = if held.clone().any(|place| place.in_column) {
            column(store, &asked)?
        } else {
            None
        };
        let texts = if held.any(|place| !place.extras.is_empty()) {
            ids(store, NameTable::Text, |text| asked.fits(text))?
        } else {
            IdSet::default()
        };
        let mut tag = Self {
            asked,
            layouts: Vec::new(),
            is_there,
            column,
            texts,
            untagged,
            decided: Default::default(),
            rounds: None,
            all: None,
        };
        tag.place(places);
        Ok(tag)
    }

    /// Takes down what the layouts say.
    fn place(&mut self, places: Vec<(u32, Option<TagPlace>)>) {
        let has_round = matches!(self.column, Some(TagColumn::Round));
        let (mut by_round, mut are_all_by_round) = (Layouts::default(), true);
        let mut said: Vec<Option<RowTag>> = Vec::new();
        for (id, place) in places {
            let columns =
                (place.as_ref()).map_or(TagColumns::Layout, |place| self.columns_of(place));
            let row = match &place {
                _ if self.untagged == Some(id) => None,
                None => Some(self.asked.without()),
                Some(_) if self.asked.is_any() => Some(RowTag::Fits),
                Some(_) if columns == TagColumns::Layout => Some(RowTag::AsFacts),
                Some(_) => None,
            };
            if let Some(row) = row {
                self.decided[row as usize].insert(id);
            }
            if columns == TagColumns::Round || row == Some(RowTag::Fails) {
                by_round.insert(id);
            } else {
                are_all_by_round = false;
            }
            said.push(row);
            let at = id as usize;
            if self.layouts.len() <= at {
                self.layouts.resize_with(at + 1, || None);
            }
            self.layouts[at] = place.map(|place| LayoutTag { place, columns });
        }
        if has_round && !self.asked.is_any() {
            if are_all_by_round {
                by_round = Layouts::ALL;
            }
            self.rounds = self.asked.of_round().map(|texts| (by_round, texts));
        }
        said.dedup();
        self.all = match said[..] {
            [only] => only,
            _ => None,
        };
    }

    /// What must be read of the rows of games that have it at some place.
    fn columns_of(&self, place: &TagPlace) -> TagColumns {
        let in_round = place.in_column && matches!(self.column, Some(TagColumn::Round));
        match (in_round, place.extras.is_empty()) {
            _ if self.asked.is_any() => TagColumns::Layout,
            (false, true) => TagColumns::Layout,
            (false, false) => TagColumns::Values,
            (true, true) => TagColumns::Round,
            (true, false) => TagColumns::ValuesAndRound,
        }
    }

    /// Whether it is known that no game fits.
    pub(super) const fn takes_none(&self) -> bool {
        !self.is_there && self.untagged.is_none() && matches!(self.asked.without(), RowTag::Fails)
    }

    /// The column of facts that matters to it.
    pub(super) const fn reads(&self) -> Option<Is> {
        match self.column {
            Some(TagColumn::Ids(column, _) | TagColumn::Number(column, _)) => Some(column),
            Some(TagColumn::Round) | None => None,
        }
    }

    /// Whether a problem has the tag as PGN.
    fn is_in(&self, problem: &Composition) -> bool {
        let tags = pgn::plain_tags(problem);
        let mut its = tags
            .iter()
            .filter(|(name, _)| name.eq_ignore_ascii_case(&self.asked.name));
        its.any(|(_, value)| self.asked.fits(value))
    }

    fn layout(&self, layout: u32) -> Option<&LayoutTag> {
        self.layouts.get(layout as usize)?.as_ref()
    }

    /// What must be read of the rows of any layout.
    fn wanted(&self) -> TagColumns {
        match self.column {
            _ if self.asked.is_any() => TagColumns::Layout,
            Some(TagColumn::Round) => TagColumns::ValuesAndRound,
            _ => TagColumns::Values,
        }
    }

    /// What a row says.
    fn look(&self, layout: u32, extra: Option<&str>, round: Option<&str>) -> RowTag {
        let Some(LayoutTag { place, .. }) = self.layout(layout) else {
            return self.asked.without();
        };
        if self.asked.is_any() {
            return RowTag::Fits;
        }
        if place.in_column && round.is_some_and(|round| self.asked.fits(round)) {
            return RowTag::Fits;
        }
        let mut wanted = place.extras.iter().peekable();
        for (at, value) in tag_values(extra.unwrap_or_default()).enumerate() {
            match wanted.next_if_eq(&&at) {
                Some(_) if self.has_value(value) => return RowTag::Fits,
                None if wanted.peek().is_none() => break,
                _ => {}
            }
        }
        if place.in_column {
            RowTag::AsFacts
        } else {
            RowTag::Fails
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

/// What the row of a game says about a tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RowTag {
    Fits,
    Fails,
    /// Its value is in the column.
    AsFacts,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_must_be_held() {
        let words = WordCondition::of("MATE, white");
        assert!(words.are_in("White to mate"));
        assert!(!words.are_in("Black to mate"));
        assert!(WordCondition::of(" ").are_in(""));
    }
}
