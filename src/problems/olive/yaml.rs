//! A document of YAML, whose scalars are all texts: of any size and shape without harm, with
//! no depth that matters and no alias that multiplies.

use std::collections::HashMap;

use saphyr_parser::{Event, Parser, ScalarStyle};
use serde::{Serialize, Serializer};

/// Documents nested deeper are not read.
const DEPTH_MAX: usize = 32;

/// Documents with more values are not read, those that aliases repeat counted.
const VALUES_MAX: usize = 200_000;

/// Bytes of a text that count as one more value, as aliases repeat them, too.
const VALUE_BYTES: usize = 64;

/// A value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum YamlValue {
    /// A scalar that says that there is none: `~`, `null`, or nothing at all.
    Nothing,
    Text(String),
    List(Vec<YamlValue>),
    /// Names and values as they stand: a name that is given twice is here twice.
    Map(Vec<(String, YamlValue)>),
}

/// A list or a mapping that is being built.
struct OpenCollection {
    value: YamlValue,
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
pub(super) fn read(text: &str) -> Result<YamlValue, String> {
    let mut parser = Parser::new_from_str(text);
    let mut open: Vec<OpenCollection> = Vec::new();
    let mut anchors: HashMap<usize, (YamlValue, usize)> = HashMap::new();
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
            Event::Scalar(text, style, anchor, _) => {
                let is_nothing = style == ScalarStyle::Plain
                    && matches!(&text[..], "" | "~" | "null" | "Null" | "NULL");
                let value = if is_nothing {
                    YamlValue::Nothing
                } else {
                    YamlValue::Text(text.into_owned())
                };
                (value, anchor, start)
            }
            Event::Alias(anchor) => match anchors.get(&anchor) {
                Some((value, _)) => (value.clone(), 0, start),
                None => return Err(format!("line {}: unknown alias", span.start.line())),
            },
            Event::SequenceStart(anchor, _) | Event::MappingStart(anchor, _) => {
                let value = match event {
                    Event::SequenceStart(..) => YamlValue::List(Vec::new()),
                    _ => YamlValue::Map(Vec::new()),
                };
                open.push(OpenCollection {
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
            (YamlValue::List(list), _) => list.push(value),
            (YamlValue::Map(map), Some(name)) => map.push((name, value)),
            _ => outer.key = Some(value.one_line()),
        }
    }
    Err("the document is empty".to_owned())
}

impl YamlValue {
    /// A text as it is, all else as one line.
    pub(super) fn one_line(&self) -> String {
        match self {
            Self::Nothing => String::new(),
            Self::Text(text) => text.clone(),
            other => serde_json::to_string(other).unwrap_or_default(),
        }
    }

    /// The texts of a list; one alone is a list of one.
    pub(super) fn texts(&self) -> Vec<String> {
        match self {
            Self::Nothing => Vec::new(),
            Self::List(list) => list.iter().map(Self::one_line).collect(),
            other => vec![other.one_line()],
        }
    }

    /// The names and values of a mapping.
    pub(super) fn entries(&self) -> impl Iterator<Item = (&str, &Self)> {
        let map = match self {
            Self::Map(map) => &map[..],
            _ => &[],
        };
        map.iter().map(|(name, value)| (name.as_str(), value))
    }

    /// The first value of a name in a mapping.
    pub(super) fn get(&self, name: &str) -> Option<&Self> {
        let mut entries = self.entries();
        entries.find_map(|(other, value)| (other == name).then_some(value))
    }
}

/// As JSON.
impl Serialize for YamlValue {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Nothing => to.serialize_unit(),
            Self::Text(text) => to.serialize_str(text),
            Self::List(list) => to.collect_seq(list),
            Self::Map(_) => to.collect_map(self.entries()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values() {
        let value = read("a: &x [1, 'two']\nb: *x\nc:\n  d: |\n    text\n    more\na: ['~', ~]\n")
            .expect("YAML");
        let get = |name| value.get(name).expect("a value");
        assert_eq!(get("a").texts(), ["1", "two"]);
        assert_eq!(get("b"), get("a"));
        assert_eq!(get("c").one_line(), r#"{"d":"text\nmore\n"}"#);
        let all: String = value.entries().map(|(name, _)| name).collect();
        assert_eq!(all, "abca");
        assert_eq!(
            value
                .one_line()
                .split_once(r#","a":"#)
                .map(|(_, last)| last),
            Some(r#"["~",null]}"#)
        );
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
