//! Games that have a tag, with words in its value. No index knows the values of all
//! tags, so the rows of the games whose layouts name it are read.

use std::collections::HashMap;

use super::{filter::IdSet, games::Games};
use crate::{
    query::TagQuery,
    record::GameId,
    store::{Store, StoreError},
};

/// Where the values of a tag are in the games of a layout.
#[derive(Debug, Default)]
struct Place {
    /// Its places among the further values.
    extras: Vec<usize>,
    /// Whether a column holds one.
    in_column: bool,
}

impl Place {
    /// Of a tag in a layout (see `docs/file-format.md`); `None` if it is not there.
    fn of(name: &str, layout: &str) -> Option<Self> {
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
pub(super) struct Words(Vec<String>);

impl Words {
    pub(super) fn of(text: &str) -> Self {
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
    pub(super) fn are_in(&self, value: &str) -> bool {
        let value = value.to_lowercase();
        self.0.iter().all(|word| value.contains(word))
    }
}

/// What a value must be like.
struct Asked {
    words: Words,
    whole: Option<String>,
}

impl Asked {
    fn of(wanted: &TagQuery) -> Self {
        Self {
            words: Words::of(&wanted.text),
            whole: wanted.is_whole.then(|| wanted.text.to_lowercase()),
        }
    }

    fn fits(&self, value: &str) -> bool {
        match &self.whole {
            Some(whole) => value.to_lowercase() == *whole,
            None => self.words.are_in(value),
        }
    }
}

/// The games with a tag.
pub(super) fn games(store: &Store, wanted: &TagQuery) -> Result<IdSet, StoreError> {
    let asked = Asked::of(wanted);
    let mut places: HashMap<u32, Place> = HashMap::new();
    store.for_each_layout(|id, names| {
        places.extend(Place::of(&wanted.name, names).map(|place| (id, place)));
    })?;
    let layouts = places.keys().copied().collect::<serde_json::Value>();
    let layouts = layouts.to_string();
    let mut found = IdSet::default();
    // What the rows alone do not tell: a value in a column, or in a row of its own.
    let mut in_columns: Vec<GameId> = Vec::new();
    let mut in_texts: HashMap<u32, Vec<GameId>> = HashMap::new();
    store.for_each_of_layouts(&layouts, |game, layout, extra| {
        let Some(place) = places.get(&layout) else {
            return;
        };
        if place.in_column {
            in_columns.push(game);
        }
        let extra = extra.and_then(|extra| serde_json::from_str(extra).ok());
        let extra: Vec<serde_json::Value> = extra.unwrap_or_default();
        for value in place.extras.iter().filter_map(|&at| extra.get(at)) {
            match value {
                serde_json::Value::String(text) if asked.fits(text) => found.insert(game),
                serde_json::Value::Number(id) => {
                    let id = id.as_u64().and_then(|id| u32::try_from(id).ok());
                    in_texts.entry(id.unwrap_or(0)).or_default().push(game);
                }
                _ => {}
            }
        }
    })?;
    for (id, games) in in_texts {
        if store.text(id)?.is_some_and(|text| asked.fits(&text)) {
            for game in games {
                found.insert(game);
            }
        }
    }
    let reader = Games::new(store);
    for game in in_columns {
        let tags = match store.game(game)? {
            Some(row) => reader.tags_of(&row)?,
            None => Vec::new(),
        };
        let is_it = |(name, value): &(String, String)| {
            name.eq_ignore_ascii_case(&wanted.name) && asked.fits(value)
        };
        if tags.iter().any(is_it) {
            found.insert(game);
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_those_of_the_layout() {
        let layout = r#"["Event","+Source","Date","+Opening","+Source|SOURCE"]"#;
        let place = Place::of("source", layout).expect("it is there");
        assert_eq!((place.extras, place.in_column), (vec![0, 2], false));
        let place = Place::of("Event", layout).expect("it is there");
        assert_eq!((place.extras, place.in_column), (vec![], true));
        assert!(Place::of("Eve", layout).is_none());
    }

    #[test]
    fn every_word_must_be_held() {
        let words = Words::of("MATE, white");
        assert!(words.are_in("White to mate"));
        assert!(!words.are_in("Black to mate"));
        assert!(Words::of(" ").are_in(""));
    }
}
