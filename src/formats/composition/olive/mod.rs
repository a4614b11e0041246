//! The YAML of olive and of the database YACPDB: one document a problem.
//!
//! The names of its keys are those of olive's `model.py`. Keys that are not known
//! here are kept in [`Composition::extra`].

mod write;
mod yaml;

use std::{ops::Range, rc::Rc};

use super::{Composition, ProblemDiagram, ProblemPiece, Side};
use crate::games::chess::basics::Square;
use crate::{base::diagnostic::Code, games::notation::letters::PROBLEM_ENGLISH};
use yaml::YamlValue;

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

/// What a document of a text is: its place there in bytes and the problem, or why
/// it is none.
pub type Document = (Range<usize>, Result<Composition, String>);

/// The documents of a text. One that is no YAML though it has a diagram is a problem
/// of which only the text is known.
#[must_use]
pub fn read(text: &str) -> Vec<Document> {
    let mut found = Vec::new();
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

fn document(text: &str, place: Range<usize>, found: &mut Vec<Document>) {
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
        Ok(YamlValue::List(list)) => {
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

fn problem(value: &YamlValue) -> Result<Composition, String> {
    const NEEDED: [&str; 3] = ["algebraic", "stipulation", "authors"];
    let mut keys = value.map().iter().map(|(key, _)| key.as_str());
    if !keys.any(|key| NEEDED.contains(&key)) {
        return Err("it has neither a diagram nor a stipulation".to_owned());
    }
    let mut problem = Composition {
        language: PROBLEM_ENGLISH,
        ..Composition::default()
    };
    let value_of = |name: &str| value.map().iter().any(|(key, _)| key == name);
    for (key, value) in value.map() {
        match key.as_str() {
            "algebraic" => board(value, &mut problem),
            "authors" | "author" => problem.authors = value.texts(),
            "source" => source(value, &mut problem),
            "source-id" => problem.number = value.text(),
            "date" => problem.date = date(value),
            "stipulation" => {
                value.text().trim().clone_into(&mut problem.stipulation);
            }
            "solution" => problem.solution = value.text(),
            "keywords" => problem.keywords = value.texts(),
            "comments" | "comment" => problem.comments = value.texts(),
            // Where conditions stand apart, options are nothing else.
            "options" if value_of("conditions") => problem.options = value.texts(),
            "options" => options(value, &mut problem),
            "conditions" => problem.conditions.extend(value.texts()),
            "award" => award(value, &mut problem),
            "distinction" => problem.award = value.text(),
            "title" => problem.title = value.text(),
            "intended-solutions" => problem.solutions = value.text(),
            "twins" => twins(value, &mut problem),
            _ => problem.extra.push((key.clone(), value.text())),
        }
    }
    Ok(problem)
}

/// The pieces: `white: [Kf6, EHa2, Royal Pb7]`.
fn board(value: &YamlValue, problem: &mut Composition) {
    let mut diagram = ProblemDiagram::default();
    for (side, pieces) in value.map() {
        let Some(side) = Side::called(side) else {
            problem
                .extra
                .push((format!("algebraic.{side}"), pieces.text()));
            continue;
        };
        for text in pieces.texts() {
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
fn source(value: &YamlValue, problem: &mut Composition) {
    if let YamlValue::Text(name) = value {
        name.clone_into(&mut problem.source);
        return;
    }
    for (key, value) in value.map() {
        match key.as_str() {
            "name" => problem.source = value.text(),
            "volume" => problem.volume = value.text(),
            "issue" => problem.issue = value.text(),
            "problemid" => problem.number = value.text(),
            "date" => problem.date = date(value),
            _ => problem.extra.push((format!("source.{key}"), value.text())),
        }
    }
}

/// `1962`, `1963-01-06`, or year, month and day by name; as PGN has it.
fn date(value: &YamlValue) -> String {
    let mut parts = [String::new(), String::new(), String::new()];
    match value {
        YamlValue::Text(text) => {
            for (part, text) in parts.iter_mut().zip(text.split(['-', '.', '/'])) {
                text.trim().clone_into(part);
            }
        }
        _ => {
            for (key, value) in value.map() {
                if let Some(at) = ["year", "month", "day"].iter().position(|name| name == key) {
                    parts[at] = value.text();
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
fn options(value: &YamlValue, problem: &mut Composition) {
    for option in value.texts() {
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

fn award(value: &YamlValue, problem: &mut Composition) {
    if let YamlValue::Text(text) = value {
        text.clone_into(&mut problem.award);
        return;
    }
    let mut parts = Vec::new();
    for (key, value) in value.map() {
        match key.as_str() {
            "distinction" => parts.insert(0, value.text()),
            "tourney" => {
                let name = value.map().iter().find(|(key, _)| key == "name");
                parts.push(name.map_or_else(|| value.text(), |(_, name)| name.text()));
                for (key, value) in value.map().iter().filter(|(key, _)| key != "name") {
                    problem
                        .extra
                        .push((format!("award.tourney.{key}"), value.text()));
                }
            }
            _ => problem.extra.push((format!("award.{key}"), value.text())),
        }
    }
    problem.award = parts.join(", ");
}

fn twins(value: &YamlValue, problem: &mut Composition) {
    let entries: Vec<(String, Rc<YamlValue>)> = match value {
        YamlValue::List(list) => list
            .iter()
            .zip('b'..='z')
            .map(|(value, name)| (name.to_string(), Rc::clone(value)))
            .collect(),
        other => other.map().to_vec(),
    };
    problem.twins = entries
        .into_iter()
        .map(|(name, change)| (name, change.text()))
        .collect();
}
