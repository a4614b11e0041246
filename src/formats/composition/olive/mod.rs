//! The YAML of olive and of the database YACPDB: one document a problem.
//!
//! The names of its keys are those of olive's `model.py`. Keys that are not known
//! here are kept in [`Composition::extra`].

mod write;
mod yaml;

use std::ops::Range;

use serde_json::Value;

use super::{Composition, Found, ProblemDiagram, ProblemPiece, Side};
use crate::games::chess::basics::Square;
use crate::{base::diagnostic::Code, games::notation::letters::PROBLEM_ENGLISH};
use yaml::{entries, one_line, texts};

/// The key of a board that could not be read, which olive has not.
const UNREAD: &str = "unread-diagram";

/// Documents that are longer are kept as text, in bytes.
const DOCUMENT_BYTES_MAX: usize = 4 << 20;

/// Whether a line begins a document.
#[must_use]
pub fn begins_document(line: &str) -> bool {
    line.strip_prefix("---")
        .is_some_and(|rest| rest.is_empty() || rest.starts_with(char::is_whitespace))
}

/// Whether a text is a collection of such documents: it has the key that
/// tells what stands on the board.
#[must_use]
pub fn is_collection(text: &str) -> bool {
    text.trim_start_matches('\u{feff}')
        .lines()
        .any(|line| line.trim_start_matches("- ").starts_with("algebraic:"))
}

/// The documents of a text. One that is no YAML though it has a diagram is a problem
/// of which only the text is known. Settings of other programs are YAML as well.
#[must_use]
pub fn read(text: &str) -> Vec<Found> {
    let mut found = Vec::new();
    if !is_collection(text) {
        return found;
    }
    let mut from = 0;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if begins_document(line.trim_end()) && at > from {
            document(text, from..at, &mut found);
            from = at;
        }
        at += line.len();
    }
    document(text, from..at, &mut found);
    found
}

fn document(text: &str, place: Range<usize>, found: &mut Vec<Found>) {
    let part = text[place.clone()].trim_start_matches('\u{feff}');
    let is_content = |line: &str| {
        let line = line.trim();
        !line.is_empty() && !line.starts_with('#') && line != "---" && line != "..."
    };
    if !part.lines().any(is_content) {
        return;
    }
    if part.len() > DOCUMENT_BYTES_MAX {
        let why = format!("the document has more than {DOCUMENT_BYTES_MAX} bytes");
        found.push((place, Err(why)));
        return;
    }
    match yaml::read(part) {
        Ok(Value::Array(list)) => {
            found.extend(list.iter().map(|value| (place.clone(), problem(value))));
        }
        Ok(value) => found.push((place, problem(&value))),
        Err(error) if is_collection(part) => {
            let problem = Composition {
                comments: vec![part.trim_start_matches("---").trim().to_owned()],
                findings: vec![(Code::ProblemSyntax, error)],
                ..Composition::default()
            };
            found.push((place, Ok(problem)));
        }
        Err(error) => found.push((place, Err(error))),
    }
}

fn problem(value: &Value) -> Result<Composition, String> {
    const NEEDED: [&str; 3] = ["algebraic", "stipulation", "authors"];
    if !NEEDED.iter().any(|key| value.get(key).is_some()) {
        return Err("it has neither a diagram nor a stipulation".to_owned());
    }
    let mut problem = Composition {
        language: PROBLEM_ENGLISH,
        ..Composition::default()
    };
    let has_conditions = value.get("conditions").is_some();
    for (key, value) in entries(value) {
        match key {
            "algebraic" => board(value, &mut problem),
            "authors" | "author" => problem.authors = texts(value),
            "source" => source(value, &mut problem),
            "source-id" => problem.number = one_line(value),
            "date" => problem.date = date(value),
            "stipulation" => {
                one_line(value).trim().clone_into(&mut problem.stipulation);
            }
            "solution" => problem.solution = one_line(value),
            "keywords" => problem.keywords = texts(value),
            "comments" | "comment" => problem.comments = texts(value),
            // Where conditions stand apart, options are nothing else.
            "options" if has_conditions => problem.options = texts(value),
            "options" => options(value, &mut problem),
            "conditions" => problem.conditions.extend(texts(value)),
            "award" => award(value, &mut problem),
            "distinction" => problem.award = one_line(value),
            "title" => problem.title = one_line(value),
            "intended-solutions" => problem.solutions = one_line(value),
            "twins" => twins(value, &mut problem),
            UNREAD => problem.unread_diagram = one_line(value),
            _ => problem.extra.push((key.to_owned(), one_line(value))),
        }
    }
    Ok(problem)
}

/// The pieces: `white: [Kf6, EHa2, Royal Pb7]`.
fn board(value: &Value, problem: &mut Composition) {
    let mut diagram = ProblemDiagram::default();
    for (side, pieces) in entries(value) {
        let Some(side) = Side::called(side) else {
            problem
                .extra
                .push((format!("algebraic.{side}"), one_line(pieces)));
            continue;
        };
        for text in texts(pieces) {
            let mut words: Vec<&str> = text.split_whitespace().collect();
            let piece = words.pop().and_then(|word| {
                let (name, square) = word.split_at_checked(word.len().checked_sub(2)?)?;
                let square = Square::from_ascii(square.to_ascii_lowercase().as_bytes()).ok()?;
                let named =
                    !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '/');
                named.then(|| (name.to_uppercase(), square))
            });
            let Some((name, square)) = piece else {
                problem.findings.push((Code::ProblemSyntax, text.clone()));
                problem
                    .extra
                    .push((format!("algebraic.{}", side.word()), text));
                continue;
            };
            let kinds = words.iter().map(|word| word.to_lowercase()).collect();
            diagram.put(square, Some(ProblemPiece { side, name, kinds }));
        }
    }
    problem.diagram = diagram;
}

/// A name alone, or a mapping of name, date, volume, issue and number.
fn source(value: &Value, problem: &mut Composition) {
    if let Value::String(name) = value {
        name.clone_into(&mut problem.source);
        return;
    }
    for (key, value) in entries(value) {
        match key {
            "name" => problem.source = one_line(value),
            "volume" => problem.volume = one_line(value),
            "issue" => problem.issue = one_line(value),
            "problemid" => problem.number = one_line(value),
            "date" => problem.date = date(value),
            _ => problem
                .extra
                .push((format!("source.{key}"), one_line(value))),
        }
    }
}

/// `1962`, `1963-01-06`, or year, month and day by name; as PGN has it.
fn date(value: &Value) -> String {
    let mut parts = [String::new(), String::new(), String::new()];
    match value {
        Value::String(text) => {
            for (part, text) in parts.iter_mut().zip(text.split(['-', '.', '/'])) {
                text.trim().clone_into(part);
            }
        }
        _ => {
            for (key, value) in entries(value) {
                if let Some(at) = ["year", "month", "day"]
                    .iter()
                    .position(|name| *name == key)
                {
                    parts[at] = one_line(value);
                }
            }
        }
    }
    if parts[0].is_empty() {
        return String::new();
    }
    let part = |text: &str, width: usize| match text.parse::<u32>() {
        Ok(number) if number > 0 => format!("{number:0width$}"),
        _ if text.is_empty() => "?".repeat(width),
        _ => text.to_owned(),
    };
    format!(
        "{}.{}.{}",
        part(&parts[0], 4),
        part(&parts[1], 2),
        part(&parts[2], 2)
    )
}

/// Popeye's options, among which olive has the fairy conditions.
fn options(value: &Value, problem: &mut Composition) {
    for option in texts(value) {
        let list = if is_option(&option) {
            &mut problem.options
        } else {
            &mut problem.conditions
        };
        list.push(option);
    }
}

/// Beginnings of options of solving (olive's `conf/py-options.txt`, Popeye's
/// `py-engl.txt`).
const OPTIONS: &str = "\
    beep defence duplex enpassant goalisend halfduplex intelligent keepmatingpiece keeptries \
    lastcapture maxflights maxsolutions maxtime maxthreats maxflightsquares movenumbers \
    noblackking noboard nocastling nontrivial noshort nothreat nowhiteking nullmoves \
    postkeyplay quodlibet setplay startmovenumber stoponshort try variation";

/// Options that others begin with.
const WHOLE_OPTIONS: [&str; 5] = ["whitetoplay", "uptomovenumber", "nobk", "nowk", "threat"];

fn is_option(text: &str) -> bool {
    let word = text.split_whitespace().next().unwrap_or_default();
    let word = word.to_ascii_lowercase();
    OPTIONS.split(' ').any(|option| word.starts_with(option)) || WHOLE_OPTIONS.contains(&&word[..])
}

fn award(value: &Value, problem: &mut Composition) {
    if let Value::String(text) = value {
        text.clone_into(&mut problem.award);
        return;
    }
    let mut parts = Vec::new();
    for (key, value) in entries(value) {
        match key {
            "distinction" => parts.insert(0, one_line(value)),
            "tourney" => {
                parts.push(one_line(value.get("name").unwrap_or(value)));
                for (key, value) in entries(value).filter(|(key, _)| *key != "name") {
                    problem
                        .extra
                        .push((format!("award.tourney.{key}"), one_line(value)));
                }
            }
            _ => problem
                .extra
                .push((format!("award.{key}"), one_line(value))),
        }
    }
    problem.award = parts.join(", ");
}

fn twins(value: &Value, problem: &mut Composition) {
    let twin = |name: &str, change| (name.to_owned(), one_line(change));
    problem.twins = match value {
        Value::Array(list) => {
            let named = ('b'..='z').zip(list);
            named
                .map(|(name, change)| twin(&name.to_string(), change))
                .collect()
        }
        other => entries(other)
            .map(|(name, change)| twin(name, change))
            .collect(),
    };
}
