//! What a name that the user has typed finds: all spellings of the people who are called so, or
//! names that are nearly written so.

use std::{
    collections::{BTreeMap, BTreeSet, HashSet},
    sync::Arc,
};

use serde::{Serialize, Serializer, ser::SerializeStruct as _};
use strsim::osa_distance;

use crate::{
    base::range_map::RangeMap,
    people::{NameGroups, NameSelection},
    pgn::tags::person::{fide_id, plain_letters, without_umlauts},
    query::{GameCondition, NameField},
    search::{self, AccessPlan, GameConditions, ResolvedNames, tags::WordCondition},
    store::{NameTable, ProblemText, Store, StoreError},
};

/// That no name is so, and which are nearly.
pub fn no_such_name(table: NameTable, typed: &str, nearest: &[String]) -> String {
    let [noun, _] = table.nouns();
    let nothing = format!("no {noun} is called `{typed}`");
    match nearest {
        [] => nothing,
        [name] => format!("{nothing}; did you mean {name}?"),
        [names @ .., last] => {
            format!("{nothing}; did you mean {} or {last}?", names.join("; "))
        }
    }
}

/// Names that are proposed at most.
const NEAREST_MAX: usize = 3;

/// Names of a list that JSON has at most: the letter `a` finds tens of thousands.
const LISTED_MAX: usize = 100;

/// What a name in a filter finds. JSON has the first names of each list, and how many there are.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct NameMatches {
    /// Which filter: `player`, `white`, `black`, `event`, `site` or `author`.
    pub filter: &'static str,
    /// The name as it was typed.
    pub typed: String,
    /// The spellings that it finds, those of most games first.
    pub spellings: Vec<String>,
    /// What most of the games of each person, event or site call it.
    pub groups: Vec<String>,
    /// The games with these names, whatever other filters there are.
    pub games: u64,
    /// Where it finds nothing, names that are nearly so, at most three.
    pub similar_names: Vec<String>,
}

impl Serialize for NameMatches {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        fn first(names: &[String]) -> &[String] {
            &names[..names.len().min(LISTED_MAX)]
        }
        let mut fields = serializer.serialize_struct("NameMatches", 8)?;
        fields.serialize_field("filter", self.filter)?;
        fields.serialize_field("typed", &self.typed)?;
        fields.serialize_field("spellings", first(&self.spellings))?;
        fields.serialize_field("spelling_count", &self.spellings.len())?;
        fields.serialize_field("groups", first(&self.groups))?;
        fields.serialize_field("group_count", &self.groups.len())?;
        fields.serialize_field("games", &self.games)?;
        fields.serialize_field("similar_names", &self.similar_names)?;
        fields.end()
    }
}

/// The names of a table.
const fn table_of(field: NameField) -> NameTable {
    match field {
        NameField::Player | NameField::White | NameField::Black => NameTable::Player,
        NameField::Event => NameTable::Event,
        NameField::Site => NameTable::Site,
        NameField::Composer => NameTable::Author,
    }
}

/// Where a filter has what the names of a table find.
const fn found_in(
    further: &mut ResolvedNames,
    table: NameTable,
) -> &mut BTreeMap<String, Vec<u32>> {
    match table {
        NameTable::Event => &mut further.events,
        NameTable::Site => &mut further.sites,
        _ => &mut further.players,
    }
}

/// Looks up the names of some conditions, further spellings among them unless
/// names are to be as they are written; what each of them finds.
///
/// # Errors
///
/// [`StoreError`] if the database cannot be read or is damaged.
pub fn spell_out<'c>(
    store: &Store,
    conditions: impl IntoIterator<Item = &'c GameCondition>,
    found: &mut ResolvedNames,
    is_exact: bool,
) -> Result<Vec<NameMatches>, StoreError> {
    let mut all: Vec<NameMatches> = Vec::new();
    for condition in conditions {
        // A player who won as White or as Black is one player of either side.
        let (field, text) = match condition {
            GameCondition::Name(field, text) => (*field, text),
            GameCondition::Score(_, text) => (NameField::Player, text),
            _ => continue,
        };
        if field == NameField::Composer {
            let told = composers(store, text, is_exact)?;
            let spellings = told.spellings.iter().cloned().collect();
            found.authors.insert(text.clone(), spellings);
            all.push(told);
            continue;
        }
        let (told, ids, games) = taken(store, field, text, is_exact)?;
        found_in(found, table_of(field)).insert(text.clone(), ids);
        if let Some(games) = games {
            let games = Arc::new(games);
            found.games.insert((told.filter, text.clone()), games);
        }
        all.push(told);
    }
    Ok(all)
}

/// The games that a name finds, whatever other filters there are.
fn games_with(
    store: &Store,
    field: NameField,
    text: &str,
    rows: &[u32],
) -> Result<u64, StoreError> {
    let mut conditions = GameConditions::of([GameCondition::Name(field, text.to_owned())]);
    found_in(&mut conditions.names, table_of(field)).insert(text.to_owned(), rows.to_vec());
    search::count(
        store,
        &AccessPlan {
            conditions,
            ..AccessPlan::default()
        },
    )
}

/// The composers that a name finds. Nothing shows which of them are one person: each spelling
/// stands for itself.
fn composers(store: &Store, text: &str, is_exact: bool) -> Result<NameMatches, StoreError> {
    let typed = NameQuery::of(text);
    let removed = store.removed()?;
    let mut problems: BTreeMap<String, u64> = BTreeMap::new();
    let mut games = BTreeSet::new();
    let finds = |name: &str| typed.words.are_in(name) || !is_exact && typed.finds(name);
    let mut near = FuzzyMatches::default();
    store.for_each_problem(ProblemText::Author, |game, name| {
        if removed.contains(game) {
            return;
        }
        if finds(name) {
            *problems.entry(name.to_owned()).or_default() += 1;
            games.insert(game);
        } else {
            near.add(&typed, name);
        }
    })?;
    let mut spellings: Vec<String> = problems.keys().cloned().collect();
    spellings.sort_by_key(|name| std::cmp::Reverse(problems[name]));
    let nearest = if spellings.is_empty() {
        near.names.into_iter().take(NEAREST_MAX).collect()
    } else {
        Vec::new()
    };
    Ok(NameMatches {
        filter: "author",
        typed: text.to_owned(),
        groups: spellings.clone(),
        spellings,
        games: if problems.len() > 1 {
            games.len() as u64
        } else {
            0
        },
        similar_names: nearest,
    })
}

/// The names that are most nearly written as one is, of those seen.
#[derive(Debug, Default)]
struct FuzzyMatches {
    distance: usize,
    names: BTreeSet<String>,
}

impl FuzzyMatches {
    fn add(&mut self, typed: &NameQuery, name: &str) {
        let Some(distance) = typed.distance(name) else {
            return;
        };
        if self.names.is_empty() || distance < self.distance {
            self.names.clear();
            self.distance = distance;
        }
        if distance == self.distance {
            self.names.insert(name.to_owned());
        }
    }
}

/// The spellings that a name finds, their rows in order, and its games, if these are known.
fn taken(
    store: &Store,
    field: NameField,
    text: &str,
    is_exact: bool,
) -> Result<(NameMatches, Vec<u32>, Option<RangeMap>), StoreError> {
    let table = table_of(field);
    let mut told = NameMatches {
        filter: field.word(),
        typed: text.to_owned(),
        ..NameMatches::default()
    };
    let typed = NameQuery::of(text);
    if is_exact {
        let mut found = Vec::new();
        store.for_each_name(table, |id, name| {
            if typed.words.are_in(name) {
                found.push((name.to_owned(), id));
            }
        })?;
        found.sort_unstable();
        if found.is_empty() {
            told.similar_names = suggestions(store, table, text)?;
        }
        let (names, ids): (Vec<String>, Vec<u32>) = found.into_iter().unzip();
        told.groups.clone_from(&names);
        told.spellings = names;
        if ids.len() > 1 {
            told.games = games_with(store, field, text, &ids)?;
        }
        return Ok((told, sorted(ids), None));
    }
    let wanted = NameSelection {
        name: &|name| typed.finds(name),
        fide_id: typed.fide_id,
    };
    let found = NameGroups::read(store, table, Some(wanted))?;
    let mut ids = Vec::new();
    let mut spellings = Vec::new();
    for group in &found.groups {
        told.groups.push(found.own_title(group).into_owned());
        for &(name, _) in &group.spellings {
            ids.push(found.names[name].id);
            spellings.push(&found.names[name]);
        }
    }
    let is_number = typed.fide_id.is_some();
    // Namesakes have a spelling in common.
    ids.sort_unstable();
    ids.dedup();
    spellings.sort_by_key(|entry| (std::cmp::Reverse(entry.career.games), &entry.name));
    let mut seen = HashSet::new();
    spellings.retain(|entry| seen.insert(entry.id));
    told.spellings = spellings
        .iter()
        .map(|entry| entry.name.to_string())
        .collect();
    if ids.is_empty() {
        told.similar_names = suggestions(store, table, text)?;
    }
    let sides = match field {
        NameField::White => 0..1,
        NameField::Black => 1..2,
        _ => 0..2,
    };
    let games = found.games_of(&found.groups, sides);
    told.games = match &games {
        _ if told.groups.len() < 2 && ids.len() < 2 && !is_number => 0,
        Some(games) => games.count(),
        None => games_with(store, field, text, &ids)?,
    };
    Ok((told, ids, games))
}

fn sorted(mut ids: Vec<u32>) -> Vec<u32> {
    ids.sort_unstable();
    ids
}

/// A name that the user has typed.
#[derive(Debug)]
pub struct NameQuery {
    words: WordCondition,
    folded: Vec<String>,
    /// The number of FIDE that it may be instead.
    pub fide_id: Option<u32>,
}

impl NameQuery {
    /// Reads it.
    pub fn of(text: &str) -> Self {
        Self {
            words: WordCondition::of(text),
            folded: folded_words(text),
            fide_id: fide_id(text),
        }
    }

    /// Whether a name holds all its words, whatever the case, or has words that begin so, whatever
    /// the accents.
    pub fn finds(&self, name: &str) -> bool {
        (!name.is_ascii() || self.can_be_in(name)) && self.finds_by_words(name)
    }

    /// The same without a quick look before.
    pub(super) fn finds_by_words(&self, name: &str) -> bool {
        if self.words.are_in(name) {
            return true;
        }
        if self.folded.is_empty() {
            return false;
        }
        let words = folded_words(name);
        let begins = |typed: &String| words.iter().any(|word| word.starts_with(&typed[..]));
        self.folded.iter().all(begins)
    }

    /// Whether a name without accents has the letters of each word in their order. Most have not,
    /// and need no second look: folding takes letters away, but never changes their order.
    fn can_be_in(&self, name: &str) -> bool {
        let has = |word: &String| {
            let mut letters = name.bytes();
            let mut has = |own: u8| letters.any(|letter| letter.eq_ignore_ascii_case(&own));
            !word.is_ascii() || word.bytes().all(&mut has)
        };
        self.folded.iter().all(has)
    }

    /// In how many letters a name differs from it, word by word, if in few.
    fn distance(&self, name: &str) -> Option<usize> {
        let words = folded_words(name);
        let each = self.folded.iter().map(|typed| {
            let letters = typed.chars().count();
            let near = words
                .iter()
                .filter(|word| word.len().abs_diff(typed.len()) <= 3);
            let least = near.map(|word| osa_distance(typed, word)).min()?;
            (least <= letters / 3).then_some(least)
        });
        each.sum()
    }
}

/// The words of a name in small letters without accents, umlauts however they are written.
fn folded_words(name: &str) -> Vec<String> {
    let folded = plain_letters(name).replace(['\'', '`'], "");
    let words = folded.split(|c: char| !c.is_ascii_alphanumeric());
    let words = words.filter(|word| !word.is_empty());
    words
        .map(|word| match word.len() {
            // With this few letters it is a part of a word that cannot be determined.
            ..=3 => word.to_owned(),
            _ => without_umlauts(word),
        })
        .collect()
}

/// Names that are nearly written so, those with the most games first.
///
/// # Errors
///
/// [`StoreError`] if the database cannot be read or is damaged.
pub fn suggestions(store: &Store, table: NameTable, text: &str) -> Result<Vec<String>, StoreError> {
    let typed = NameQuery::of(text);
    let mut near = FuzzyMatches::default();
    store.for_each_name(table, |_, name| near.add(&typed, name))?;
    if near.names.is_empty() {
        return Ok(Vec::new());
    }
    let wanted = NameSelection {
        name: &|name| near.names.contains(name),
        fide_id: None,
    };
    let found = NameGroups::read(store, table, Some(wanted))?;
    let groups = found.groups.iter().take(NEAREST_MAX);
    let mut titles: Vec<String> = groups.map(|group| found.title(group).to_owned()).collect();
    titles.dedup();
    Ok(titles)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quick_look_at_names_misses_none() {
        let vectors = include_str!("../../tests/vectors/players.tsv");
        let names = vectors.lines().flat_map(|line| line.split('\t').take(2));
        let names: Vec<&str> = names
            .chain(["O'Kelly, A", "MUELLER", "Goetz,Aue", "?"])
            .collect();
        let mut found = 0;
        for typed in names
            .iter()
            .chain(&["okelly", "müll", "Sar", "ue", "", ",", "de la"])
        {
            let typed = NameQuery::of(typed);
            for name in &names {
                assert_eq!(
                    typed.finds(name),
                    typed.finds_by_words(name),
                    "{typed:?} {name}"
                );
                found += usize::from(typed.finds(name));
            }
        }
        assert!(found > names.len());
    }
}
