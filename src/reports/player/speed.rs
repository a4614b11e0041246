//! How fast games are: by the tag `TimeControl`, else by words in the name of the event.

use std::collections::HashMap;

use crate::{
    base::record::GameId,
    pgn::tags::time_control,
    query::read::word_of,
    replay::{TagPlace, tag_values},
    store::{Layouts, NameTable, Store, StoreError, TagColumns, TagRows},
};

/// Games that stand so near each other are read in one go.
const GAP: u64 = 16;

/// Words of events that say how fast games are; the first that occurs.
const WORDS: [&str; 4] = ["blindfold", "bullet", "blitz", "rapid"];

/// What expected scores are not computed for: the ratings are of slower games, or of games with
/// sight of the board.
pub(super) const NOT_EXPECTED: [&str; 3] = ["ultrabullet", "bullet", "blindfold"];

/// The time classes of games, which are in order, each with the row of its event; a class is empty
/// where it is not known.
pub(super) fn read(
    store: &Store,
    games: &[(GameId, u32)],
) -> Result<Vec<&'static str>, StoreError> {
    let mut events: HashMap<u32, &'static str> = HashMap::new();
    store.for_each_name(NameTable::Event, |id, name| {
        let name = name.to_lowercase();
        if let Some(word) = WORDS.into_iter().find(|word| name.contains(word)) {
            events.insert(id, word);
        }
    })?;
    let of_event = |&(_, event): &(GameId, u32)| events.get(&event).copied().unwrap_or_default();
    let mut classes: Vec<&'static str> = games.iter().map(of_event).collect();
    let ids: Vec<GameId> = games.iter().map(|&(id, _)| id).collect();
    read_tags(store, &ids, &mut classes)?;
    Ok(classes)
}

fn read_tags(
    store: &Store,
    games: &[GameId],
    classes: &mut [&'static str],
) -> Result<(), StoreError> {
    let mut places: HashMap<u32, usize> = HashMap::new();
    store.for_each_name(NameTable::Layout, |id, layout| {
        let place = TagPlace::of("TimeControl", layout);
        if let Some(&at) = place.as_ref().and_then(|place| place.extras.first()) {
            places.insert(id, at);
        }
    })?;
    if places.is_empty() {
        return Ok(());
    }
    let rows = TagRows {
        columns: TagColumns::Values,
        passed_over: Layouts::default(),
        unless_round: &[],
    };
    let mut texts: HashMap<String, &'static str> = HashMap::new();
    let mut from = 0;
    while from < games.len() {
        let is_near = |pair: &[GameId]| pair[1] - pair[0] <= GAP;
        let near = games[from..].windows(2).take_while(|pair| is_near(pair));
        let to = from + near.count();
        let mut values = Vec::new();
        store.for_each_tags(
            (games[from], games[to]),
            rows,
            |layout| {
                if places.contains_key(&layout) {
                    TagColumns::Values
                } else {
                    TagColumns::Layout
                }
            },
            |game, layout, extra, _| {
                let Some(&at) = places.get(&layout) else {
                    return;
                };
                if let Some(value) = tag_values(extra.unwrap_or_default()).nth(at) {
                    values.push((game, value.to_owned()));
                }
            },
        )?;
        for (id, value) in values {
            let Ok(at) = games[from..=to].binary_search(&id) else {
                continue;
            };
            let class = if let Some(class) = texts.get(&value) {
                class
            } else {
                let text = match value.parse() {
                    Ok(row) => store.text(row)?.unwrap_or_default(),
                    Err(_) => value.trim_matches('"').to_owned(),
                };
                let class = time_control::parse(text.as_bytes()).class();
                let class = class.map_or("", word_of);
                texts.insert(value, class);
                class
            };
            if !class.is_empty() {
                classes[from + at] = class;
            }
        }
        from = to + 1;
    }
    Ok(())
}
