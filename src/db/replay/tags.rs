//! The tags of a stored game: names from its layout, values from columns and lists.

use crate::{
    base::record::Outcome,
    db::store::{GameRow, Store, StoreError},
    pgn::tags::date::PgnDate,
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
