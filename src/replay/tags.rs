//! The tags of a stored game: names from its layout, values from columns and lists.

use crate::{
    base::record::Outcome,
    pgn::tags::date::PgnDate,
    store::{GameRow, Store, StoreError},
};

/// The entries of a tag layout; none of a damaged one.
pub fn layout_of(names: &str) -> Vec<String> {
    serde_json::from_str(names).unwrap_or_default()
}

/// Calls `each` with the tag pairs of a row, in order: the name, its own spelling after a
/// `|` if it is another one, and the value.
///
/// # Errors
///
/// [`StoreError`] if the database cannot be read or is damaged.
pub fn each_tag(
    store: &Store,
    row: &GameRow,
    mut each: impl FnMut(&str, String),
) -> Result<(), StoreError> {
    let extra: Vec<serde_json::Value> = match &row.extra {
        Some(extra) => serde_json::from_str(extra)
            .map_err(|error| store.damaged(format!("tags of a game: {error}")))?,
        None => Vec::new(),
    };
    let mut extra = extra.into_iter();
    for entry in layout_of(&row.layout) {
        let value = match entry.strip_prefix('+') {
            None => folded(store, name_of(&entry), row)?,
            Some(_) => match extra.next() {
                Some(serde_json::Value::String(text)) => text,
                Some(number) => {
                    let id = number
                        .as_u64()
                        .and_then(|id| u32::try_from(id).ok())
                        .unwrap_or(0);
                    let text = store.text(id)?;
                    text.ok_or_else(|| store.damaged(format!("text {id} is missing")))?
                }
                None => return Err(store.damaged("a game has fewer tag values than tags")),
            },
        };
        each(entry.strip_prefix('+').unwrap_or(&entry), value);
    }
    Ok(())
}

/// The name of a tag, without its own spelling.
pub fn name_of(name: &str) -> &str {
    name.split('|').next().unwrap_or_default()
}

/// The name of a tag as its file spells it; ours where it is in another language.
pub fn written_name(name: &str) -> &str {
    let (ours, own) = name.split_once('|').unwrap_or((name, name));
    if own.eq_ignore_ascii_case(ours) {
        own
    } else {
        ours
    }
}

/// The value that the columns of a row hold for a tag.
fn folded(store: &Store, name: &str, row: &GameRow) -> Result<String, StoreError> {
    let number = |number: Option<u16>| number.map(|number| number.to_string());
    let value = match name {
        "White" => row.names[0].clone(),
        "Black" => row.names[1].clone(),
        "Event" => row.names[2].clone(),
        "Site" => row.names[3].clone(),
        "Date" => Some(PgnDate::from_packed(row.date.unwrap_or(0)).pgn_text()),
        "Round" => row.round.clone(),
        "Result" => Some(Outcome::from_code(row.outcome).as_pgn().to_owned()),
        "WhiteElo" | "WhiteRating" => number(row.elos[0]),
        "BlackElo" | "BlackRating" => number(row.elos[1]),
        "ECO" => row.eco.clone(),
        "FEN" => match row.start {
            Some(start) => store.start(start)?.map(|start| start.fen),
            None => None,
        },
        _ => None,
    };
    value.ok_or_else(|| store.damaged(format!("a game lacks the value of its tag {name}")))
}

/// Where the values of a tag are in the games of a layout.
#[derive(Debug, Default)]
pub(crate) struct TagPlace {
    /// Its places among the further values.
    pub(crate) extras: Vec<usize>,
    /// Whether a column holds one.
    pub(crate) in_column: bool,
}

impl TagPlace {
    /// Of a tag in a layout (see `docs/file-format.md`); `None` if it is not there.
    pub(crate) fn of(name: &str, layout: &str) -> Option<Self> {
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

/// The values of a flat JSON array as they stand there.
pub(crate) fn tag_values(array: &str) -> impl Iterator<Item = &str> {
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
    fn values_of_an_array_are_told_apart() {
        let found = |array| tag_values(array).collect::<Vec<_>>();
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
