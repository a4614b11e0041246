//! A document of YAML as values, of any size and shape without harm: no depth that
//! matters, no alias that multiplies.

use std::{collections::HashMap, rc::Rc};

use saphyr_parser::{Event, Parser};

/// A value; mappings keep their order.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum YamlValue {
    Text(String),
    List(Vec<Rc<YamlValue>>),
    Map(Vec<(String, Rc<YamlValue>)>),
}

/// Documents nested deeper are not read.
const DEPTH_MAX: usize = 32;

/// Documents with more values are not read, those that aliases repeat counted.
const VALUES_MAX: usize = 100_000;

/// What is being built.
enum Open {
    List(Vec<Rc<YamlValue>>, usize),
    Map(Vec<(String, Rc<YamlValue>)>, Option<String>, usize),
}

/// Reads one document.
///
/// # Errors
///
/// What is wrong with it, for people.
pub(super) fn read(text: &str) -> Result<YamlValue, String> {
    let mut parser = Parser::new_from_str(text);
    let mut open: Vec<Open> = Vec::new();
    let mut anchors: HashMap<usize, (Rc<YamlValue>, usize)> = HashMap::new();
    // The number of values before each open one, for the size of what is anchored.
    let mut starts: Vec<usize> = Vec::new();
    let mut count = 0;
    while let Some(event) = parser.next_event() {
        let (event, span) = event.map_err(|error| error.to_string())?;
        count += 1;
        if open.len() > DEPTH_MAX || count > VALUES_MAX {
            let line = span.start.line();
            return Err(format!("line {line}: nested too deeply, or too long"));
        }
        let (value, anchor, size) = match event {
            Event::Scalar(text, _, anchor, _) => {
                (Rc::new(YamlValue::Text(text.into_owned())), anchor, 1)
            }
            Event::Alias(anchor) => {
                let Some((value, size)) = anchors.get(&anchor) else {
                    return Err(format!("line {}: unknown alias", span.start.line()));
                };
                count += size;
                (Rc::clone(value), 0, *size)
            }
            Event::SequenceStart(anchor, _) => {
                starts.push(count);
                open.push(Open::List(Vec::new(), anchor));
                continue;
            }
            Event::MappingStart(anchor, _) => {
                starts.push(count);
                open.push(Open::Map(Vec::new(), None, anchor));
                continue;
            }
            Event::SequenceEnd | Event::MappingEnd => {
                let size = count - starts.pop().unwrap_or(count) + 1;
                match open.pop() {
                    Some(Open::List(list, anchor)) => {
                        (Rc::new(YamlValue::List(list)), anchor, size)
                    }
                    Some(Open::Map(map, _, anchor)) => (Rc::new(YamlValue::Map(map)), anchor, size),
                    None => continue,
                }
            }
            _ => continue,
        };
        if anchor > 0 {
            anchors.insert(anchor, (Rc::clone(&value), size));
        }
        match open.last_mut() {
            None => return Ok(Rc::unwrap_or_clone(value)),
            Some(Open::List(list, _)) => list.push(value),
            Some(Open::Map(map, key, _)) => match key.take() {
                None => *key = Some(value.text()),
                Some(name) => map.push((name, value)),
            },
        }
    }
    Err("the document is empty".to_owned())
}

impl YamlValue {
    /// A text as it is, all else as one line.
    pub(super) fn text(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            other => other.json().to_string(),
        }
    }

    /// The texts of a list; one alone is a list of one.
    pub(super) fn texts(&self) -> Vec<String> {
        match self {
            Self::List(list) => list.iter().map(|value| value.text()).collect(),
            Self::Text(text) if is_null(text) => Vec::new(),
            other => vec![other.text()],
        }
    }

    pub(super) fn map(&self) -> &[(String, Rc<Self>)] {
        match self {
            Self::Map(map) => map,
            _ => &[],
        }
    }

    /// As JSON; the depth is bounded by that of documents.
    fn json(&self) -> serde_json::Value {
        match self {
            Self::Text(text) => text.clone().into(),
            Self::List(list) => list.iter().map(|value| value.json()).collect(),
            Self::Map(map) => map
                .iter()
                .map(|(name, value)| (name.clone(), value.json()))
                .collect::<serde_json::Map<_, _>>()
                .into(),
        }
    }
}

fn is_null(text: &str) -> bool {
    matches!(text, "" | "~" | "null" | "Null" | "NULL")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values() {
        let value =
            read("a: &x [1, 'two']\nb: *x\nc:\n  d: |\n    text\n    more\n").expect("YAML");
        let map = value.map();
        assert_eq!(map[0].1.texts(), ["1", "two"]);
        assert_eq!(map[1].1, map[0].1);
        assert_eq!(map[2].1.text(), r#"{"d":"text\nmore\n"}"#);
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
