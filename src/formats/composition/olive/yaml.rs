//! A document of YAML as values of JSON, whose scalars are all texts: of any size and
//! shape without harm, with no depth that matters and no alias that multiplies.

use std::collections::HashMap;

use saphyr_parser::{Event, Parser};
use serde_json::{Map, Value};

/// Documents nested deeper are not read.
const DEPTH_MAX: usize = 32;

/// Documents with more values are not read, those that aliases repeat counted.
const VALUES_MAX: usize = 200_000;

/// Bytes of a text that count as one more value, as aliases repeat them, too.
const VALUE_BYTES: usize = 64;

/// A list or a mapping that is being built.
struct Open {
    value: Value,
    /// What the next value of a mapping is called.
    key: Option<String>,
    anchor: usize,
    /// The number of values before it, for the size of what is anchored.
    start: usize,
}

/// Reads one document.
///
/// # Errors
///
/// What is wrong with it, for people.
pub(super) fn read(text: &str) -> Result<Value, String> {
    let mut parser = Parser::new_from_str(text);
    let mut open: Vec<Open> = Vec::new();
    let mut anchors: HashMap<usize, (Value, usize)> = HashMap::new();
    let mut count = 0;
    while let Some(event) = parser.next_event() {
        let (event, span) = event.map_err(|error| error.to_string())?;
        let start = count;
        count += match &event {
            Event::Scalar(text, ..) => 1 + text.len() / VALUE_BYTES,
            Event::Alias(anchor) => 1 + anchors.get(anchor).map_or(0, |(_, size)| *size),
            _ => 1,
        };
        if open.len() > DEPTH_MAX || count > VALUES_MAX {
            let line = span.start.line();
            return Err(format!("line {line}: nested too deeply, or too long"));
        }
        let (value, anchor, start) = match event {
            Event::Scalar(text, _, anchor, _) => (text.into_owned().into(), anchor, start),
            Event::Alias(anchor) => match anchors.get(&anchor) {
                Some((value, _)) => (value.clone(), 0, start),
                None => return Err(format!("line {}: unknown alias", span.start.line())),
            },
            Event::SequenceStart(anchor, _) | Event::MappingStart(anchor, _) => {
                let value = match event {
                    Event::SequenceStart(..) => Value::Array(Vec::new()),
                    _ => Value::Object(Map::new()),
                };
                open.push(Open {
                    value,
                    key: None,
                    anchor,
                    start,
                });
                continue;
            }
            Event::SequenceEnd | Event::MappingEnd => match open.pop() {
                Some(ended) => (ended.value, ended.anchor, ended.start),
                None => continue,
            },
            _ => continue,
        };
        if anchor > 0 {
            anchors.insert(anchor, (value.clone(), count - start));
        }
        let Some(outer) = open.last_mut() else {
            return Ok(value);
        };
        match (&mut outer.value, outer.key.take()) {
            (Value::Array(list), _) => list.push(value),
            (Value::Object(map), Some(name)) => _ = map.insert(name, value),
            _ => outer.key = Some(one_line(&value)),
        }
    }
    Err("the document is empty".to_owned())
}

/// A text as it is, all else as one line.
pub(super) fn one_line(value: &Value) -> String {
    value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned)
}

/// The texts of a list; one alone is a list of one.
pub(super) fn texts(value: &Value) -> Vec<String> {
    match value {
        Value::Array(list) => list.iter().map(one_line).collect(),
        Value::String(text) if matches!(&text[..], "" | "~" | "null" | "Null" | "NULL") => {
            Vec::new()
        }
        other => vec![one_line(other)],
    }
}

/// The names and values of a mapping.
pub(super) fn entries(value: &Value) -> impl Iterator<Item = (&str, &Value)> {
    let map = value.as_object().into_iter().flatten();
    map.map(|(name, value)| (name.as_str(), value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values() {
        let value =
            read("a: &x [1, 'two']\nb: *x\nc:\n  d: |\n    text\n    more\n").expect("YAML");
        assert_eq!(texts(&value["a"]), ["1", "two"]);
        assert_eq!(value["b"], value["a"]);
        assert_eq!(one_line(&value["c"]), r#"{"d":"text\nmore\n"}"#);
        assert!(read("a: *y").is_err());
        assert!(read("").is_err());
        assert!(read("a: [").is_err());
    }

    #[test]
    fn bombs_are_refused() {
        use std::fmt::Write as _;

        let mut bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
        for at in 1..20 {
            let uses = format!("*a{},", at - 1).repeat(10);
            let _ = writeln!(bomb, "a{at}: &a{at} [{uses}]");
        }
        assert!(read(&bomb).is_err());
        assert!(read(&"[".repeat(1_000_000)).is_err());
        assert!(read(&"- ".repeat(1_000_000)).is_err());
        assert!(read(&"? ".repeat(100_000)).is_err());
        assert!(read(&"{a: ".repeat(100_000)).is_err());
    }
}
