//! Records of keys and values, as YAML has them (L3): a position is one of the values.

use super::{
    fens,
    listing::{ListedPosition, ListedValue},
    sides::SideSaid,
};

/// Bytes of a key at most.
const KEY_BYTES_MAX: usize = 60;

/// The key and the value of a line of YAML.
pub(super) fn key_of(line: &str) -> Option<(&str, &str)> {
    let (key, value) = line.split_once(':')?;
    let is_key = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | ' ');
    let is_ended = value.is_empty() || value.starts_with([' ', '\t']);
    let key = key.trim().trim_matches(['"', '\'']);
    let is_named = !key.is_empty() && key.len() <= KEY_BYTES_MAX && key.chars().all(is_key);
    (is_ended && is_named && key.starts_with(char::is_alphabetic)).then(|| (key, value.trim()))
}

/// Whether a block is keys with values, one of them a position, and more than that.
pub(super) fn is_record(block: &str) -> bool {
    record(0, block).is_some()
}

/// The record of a block of YAML: keys and values, lists below their keys.
pub(super) fn record(at: usize, block: &str) -> Option<ListedPosition> {
    let mut found: Option<ListedPosition> = None;
    let mut values: Vec<ListedValue> = Vec::new();
    for line in block.lines() {
        let text = line.trim();
        if text.is_empty() || text == "---" {
            continue;
        }
        let item = text.strip_prefix("- ").map(str::trim_start);
        if let (Some((key, value)), true) = (
            key_of(item.unwrap_or(text)),
            item.is_none() || values.is_empty() && found.is_none(),
        ) {
            let (plain, is_quoted) = unquoted(value);
            if let [position] = &fens::all(plain)[..]
                && position.start == 0
                && found.is_none()
            {
                found = Some(ListedPosition {
                    at: at + (plain.as_ptr() as usize - block.as_ptr() as usize),
                    position: plain.to_owned(),
                    name: None,
                    values: Vec::new(),
                    side: SideSaid::Nobody,
                });
                continue;
            }
            let is_number =
                plain.parse::<f64>().is_ok() && plain.ends_with(|c: char| c.is_ascii_digit());
            values.push(ListedValue {
                key: Some(key.to_lowercase()),
                text: flow_list(plain),
                is_bare: !is_quoted && is_number,
            });
        } else if let (Some(item), Some(last)) = (item, values.last_mut()) {
            if !last.text.is_empty() {
                last.text.push(' ');
            }
            last.text.push_str(unquoted(item).0);
        } else {
            return None;
        }
    }
    // A label alone is no record.
    let mut found = found?;
    found.values = values;
    Some(found).filter(|found| !found.values.is_empty() || block.trim_start().starts_with("- "))
}

/// A value without its quotes, and whether it had any.
fn unquoted(value: &str) -> (&str, bool) {
    let inner = |quote| value.strip_prefix(quote)?.strip_suffix(quote);
    match inner('"').or_else(|| inner('\'')) {
        Some(inner) => (inner, true),
        None => (value, false),
    }
}

/// A list in brackets as its words.
fn flow_list(value: &str) -> String {
    let inner = value
        .strip_prefix('[')
        .and_then(|rest| rest.strip_suffix(']'));
    match inner {
        Some(inner) => {
            let items = inner.split(',').map(|item| unquoted(item.trim()).0);
            items.collect::<Vec<_>>().join(" ")
        }
        None => value.to_owned(),
    }
}
