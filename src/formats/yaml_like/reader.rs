//! Reads the keys and values of a record, line by line.

use super::{SCALARS, indent_of, is_end, key_of, lines, section_of};
use crate::{
    formats::json_like::{self, FieldRecord, ObjectField, ObjectGame, ObjectPosition},
    games::running_text::fen_scanner,
};

/// A key with the keys above it, and what it says.
type KeyedValue = (Vec<String>, String, bool);

/// Keys and values as they are read.
#[derive(Debug, Default)]
struct KeyedReader {
    section: Option<String>,
    /// Keys whose values are the lines below them, each with its indentation.
    above: Vec<(usize, String)>,
    values: Vec<KeyedValue>,
    found: Option<(Vec<String>, ObjectPosition)>,
    /// Offset of the first key.
    at: Option<usize>,
    /// Indentation of the key before, and whether lines below can be text of it.
    open: Option<usize>,
    /// Indentation of a key whose text stands below it, line by line.
    scalar: Option<usize>,
    /// The key before has nothing after it.
    is_parent: bool,
}

/// The record of a block of YAML: keys and values, lists and texts below their keys.
pub(in crate::modules::formats) fn record(at: usize, block: &str) -> Option<FieldRecord> {
    let mut reader = KeyedReader::default();
    for line in lines(block).filter(|line| !is_end(line)) {
        reader.take(line, &|text| {
            at + (text.as_ptr() as usize - block.as_ptr() as usize)
        })?;
    }
    let (path, position) = reader.found.unzip();
    // A game is about what all of its keys stand below.
    let path = path.unwrap_or_else(|| common_keys(&reader.values));
    let values = reader.values.into_iter().map(|(keys, text, is_bare)| {
        let common = keys.iter().zip(&path).take_while(|(a, b)| a == b).count();
        let key = keys[common.min(keys.len().saturating_sub(1))..].join(".");
        ObjectField {
            key: Some(key.to_lowercase()).filter(|key| !key.is_empty()),
            text,
            is_bare,
        }
    });
    let mut values: Vec<ObjectField> = values.collect();
    if json_like::are_game(&values, position.is_some()) {
        let key = path.last().cloned();
        let is_number = |key: &&String| key.contains(|c: char| c.is_ascii_digit());
        if let Some(number) = key
            .as_ref()
            .filter(is_number)
            .filter(|_| position.is_none())
        {
            values.push(ObjectField {
                key: Some("gameid".to_owned()),
                text: number.clone(),
                is_bare: false,
            });
        }
        return Some(FieldRecord::Game(ObjectGame {
            at: reader.at?,
            values,
            positions: position
                .map(|position| (key, position))
                .into_iter()
                .collect(),
        }));
    }
    let mut found = position?;
    for value in &mut values {
        // A text below its key is one line of a position.
        value.text = value.text.replace('\n', " ");
    }
    found.values = values;
    found.name = path
        .iter()
        .rev()
        .find(|key| json_like::is_name(key))
        .cloned();
    // A label alone is no record.
    let is_record = !found.values.is_empty() || block.trim_start().starts_with("- ");
    let is_record = is_record || found.name.is_some() && path.len() > 1;
    is_record.then_some(FieldRecord::Position(found))
}

/// The keys that all values stand below.
fn common_keys(values: &[KeyedValue]) -> Vec<String> {
    let mut all = values
        .iter()
        .map(|(keys, ..)| &keys[..keys.len().saturating_sub(1)]);
    let first = all.next().unwrap_or_default();
    let common = all.fold(first.len(), |common, keys| {
        let alike = first.iter().zip(keys).take_while(|(a, b)| a == b);
        common.min(alike.count())
    });
    first[..common].to_vec()
}

impl KeyedReader {
    /// Takes a line; `None` if it is no part of such a record.
    fn take(&mut self, line: &str, place: &dyn Fn(&str) -> usize) -> Option<()> {
        let text = line.trim();
        let indent = indent_of(line);
        if self.scalar.is_some_and(|key| indent > key) {
            return self.add(text, '\n');
        }
        self.scalar = None;
        if let Some(section) = section_of(line) {
            self.section = Some(section.to_owned()).filter(|name| !name.is_empty());
            self.above.clear();
            (self.open, self.is_parent) = (None, false);
            return Some(());
        }
        if let Some(comment) = text.strip_prefix('#') {
            let comment = comment.trim_start_matches('#').trim();
            self.values.push((Vec::new(), comment.to_owned(), false));
            self.open = None;
            return Some(());
        }
        let item = text.strip_prefix("- ").map(str::trim_start);
        if let Some(map) = flow_of(item.unwrap_or(text), ['{', '}']) {
            return flow_items(map).try_for_each(|field| {
                let (key, value) = key_of(field)?;
                self.key(indent, key, value, place)
            });
        }
        let is_new = item.is_none() || self.values.is_empty() && self.found.is_none();
        if let (Some((key, value)), true) = (key_of(item.unwrap_or(text)), is_new) {
            if item.is_some() {
                // What a list is called names none of its items.
                self.above.clear();
            }
            let indent = place(item.unwrap_or(text)) - place(line);
            return self.key(indent, key, value, place);
        }
        match item {
            Some(item) => self.item(unquoted(item).0),
            None if self.open.is_some_and(|key| indent > key) => self.add(text, ' '),
            None => None,
        }
    }

    /// Takes a key with its value; `None` if that is a second position.
    fn key(
        &mut self,
        indent: usize,
        key: &str,
        value: &str,
        place: &dyn Fn(&str) -> usize,
    ) -> Option<()> {
        self.at.get_or_insert_with(|| place(key));
        self.above.retain(|(of, _)| *of < indent);
        let mut path = self.path();
        path.push(key.to_owned());
        (self.open, self.is_parent) = (None, value.is_empty());
        let (plain, is_quoted) = unquoted(value);
        if value.is_empty() {
            self.above.push((indent, key.to_owned()));
        } else if SCALARS.contains(&value) {
            self.values.push((path, String::new(), false));
            self.scalar = Some(indent);
        } else if fen_scanner::is_cell(plain) || fen_scanner::listed(plain).is_some() {
            if self.found.is_some() {
                return None;
            }
            let found = ObjectPosition {
                at: place(plain),
                position: plain.to_owned(),
                ..ObjectPosition::default()
            };
            self.found = Some((path, found));
        } else {
            let is_number =
                plain.parse::<f64>().is_ok() && plain.ends_with(|c: char| c.is_ascii_digit());
            self.values
                .push((path, flow_list(plain), !is_quoted && is_number));
            self.open = Some(indent);
        }
        Some(())
    }

    /// The keys above the lines below.
    fn path(&self) -> Vec<String> {
        let above = self.above.iter().map(|(_, key)| key);
        self.section.iter().chain(above).cloned().collect()
    }

    /// Takes an item of a list below a key.
    fn item(&mut self, text: &str) -> Option<()> {
        if self.is_parent {
            self.values.push((self.path(), text.to_owned(), false));
            self.is_parent = false;
            Some(())
        } else {
            self.add(text, ' ')
        }
    }

    /// Adds to the last value, if there is one, after a sign that parts the two.
    fn add(&mut self, text: &str, sign: char) -> Option<()> {
        let (_, last, _) = self.values.last_mut()?;
        if !last.is_empty() {
            last.push(sign);
        }
        last.push_str(text);
        Some(())
    }
}

/// A value without its quotes, and whether it had any.
fn unquoted(value: &str) -> (&str, bool) {
    let inner = |quote| value.strip_prefix(quote)?.strip_suffix(quote);
    match inner('"').or_else(|| inner('\'')) {
        Some(inner) => (inner, true),
        None => (value, false),
    }
}

/// What stands between brackets.
fn flow_of(value: &str, [open, close]: [char; 2]) -> Option<&str> {
    value.trim().strip_prefix(open)?.strip_suffix(close)
}

/// The parts of a list or map between brackets: commas in quotes or further brackets part
/// nothing.
fn flow_items(inner: &str) -> impl Iterator<Item = &str> {
    let (mut depth, mut quote) = (0_usize, None);
    inner
        .split(move |c: char| {
            match c {
                '"' | '\'' if quote.is_none() => quote = Some(c),
                c if quote == Some(c) => quote = None,
                '[' | '{' if quote.is_none() => depth += 1,
                ']' | '}' if quote.is_none() => depth = depth.saturating_sub(1),
                _ => {}
            }
            c == ',' && depth == 0 && quote.is_none()
        })
        .map(str::trim)
}

/// A list in brackets as its words.
fn flow_list(value: &str) -> String {
    match flow_of(value, ['[', ']']) {
        Some(inner) => {
            let items = flow_items(inner).map(|item| unquoted(item).0);
            items.collect::<Vec<_>>().join(" ")
        }
        None => value.to_owned(),
    }
}
