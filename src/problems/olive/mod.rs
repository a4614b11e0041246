//! The YAML of olive and of the database YACPDB: one document a problem.
//!
//! The names of its keys are those of olive's `model.py`. Keys that are not known
//! here are kept in [`Composition::extra`].

mod write;
mod yaml;

use std::ops::Range;

use super::{
    BETWEEN, Composition, ParsedProblem, ProblemDiagram, ProblemPiece, ProblemSide, popeye,
};
use crate::{
    base::diagnostic::Code,
    games::{chess::basics::Square, notation::letters::PROBLEM_ENGLISH},
};
use yaml::YamlValue;

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

/// Whether a text is a collection of such documents: it has the key that says what stands on the
/// board.
#[must_use]
pub fn is_collection(text: &str) -> bool {
    text.trim_start_matches('\u{feff}')
        .lines()
        .any(|line| line.trim_start_matches("- ").starts_with("algebraic:"))
}

/// The documents of a text. One that is no YAML though it has a diagram is a problem with only its
/// text known. Settings of other programs are YAML as well.
#[must_use]
pub fn read(text: &str) -> Vec<ParsedProblem> {
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

fn document(text: &str, place: Range<usize>, found: &mut Vec<ParsedProblem>) {
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
    if !NEEDED.iter().any(|key| value.get(key).is_some()) {
        return Err("it has neither a diagram nor a stipulation".to_owned());
    }
    let mut problem = Composition {
        language: PROBLEM_ENGLISH,
        ..Composition::default()
    };
    let has_conditions = value.get("conditions").is_some();
    for (key, value) in value.entries() {
        let mut text = |field| single(&mut problem, key, field, value.one_line());
        match key {
            "algebraic" => board(value, &mut problem),
            "authors" | "author" => problem.authors.extend(value.texts()),
            "source" => source(value, &mut problem),
            "source-id" => text(|problem| &mut problem.number),
            "date" => date(key, value, &mut problem),
            "stipulation" => {
                let asked = value.one_line().trim().to_owned();
                single(&mut problem, key, |problem| &mut problem.stipulation, asked);
            }
            "solution" => text(|problem| &mut problem.solution),
            "keywords" => problem.keywords.extend(value.texts()),
            "comments" | "comment" => problem.comments.extend(value.texts()),
            // Where conditions stand apart, options are nothing else.
            "options" if has_conditions => problem.options.extend(value.texts()),
            "options" => options(value, &mut problem),
            "conditions" => problem.conditions.extend(value.texts()),
            "award" | "distinction" => award(value, &mut problem),
            "title" => text(|problem| &mut problem.title),
            "intended-solutions" => text(|problem| &mut problem.solutions),
            "twins" => twins(value, &mut problem),
            UNREAD => text(|problem| &mut problem.unread_diagram),
            _ => problem.extra.push((key.to_owned(), value.one_line())),
        }
    }
    Ok(problem)
}

/// Sets what a problem has one of. Of several the last counts, as for Python's readers of YAML,
/// and olive is written in Python; the others are kept beside it.
fn single(
    problem: &mut Composition,
    key: &str,
    field: fn(&mut Composition) -> &mut String,
    text: String,
) {
    if text.is_empty() {
        return;
    }
    let before = std::mem::replace(field(problem), text);
    if !before.is_empty() && before != *field(problem) {
        twice(problem, key, before);
    }
}

/// Keeps what another value of the same key has replaced.
fn twice(problem: &mut Composition, key: &str, before: String) {
    let finding = (Code::ProblemSyntax, format!("{key} is given twice"));
    problem.findings.push(finding);
    problem.extra.push((format!("earlier-{key}"), before));
}

/// The pieces: `white: [Kf6, EHa2, Royal Pb7]`.
fn board(value: &YamlValue, problem: &mut Composition) {
    let mut diagram = ProblemDiagram::default();
    for (side, pieces) in value.entries() {
        let Some(side) = ProblemSide::called(side) else {
            problem
                .extra
                .push((format!("algebraic.{side}"), pieces.one_line()));
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
            // No square has room for two.
            let piece = piece.filter(|(_, square)| diagram.at(*square).is_none());
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
    let before = std::mem::replace(&mut problem.diagram, diagram);
    if !before.is_empty() && before != problem.diagram {
        twice(problem, "algebraic", before.text());
    }
}

/// A name alone, or a mapping of name, date, volume, issue and number.
fn source(value: &YamlValue, problem: &mut Composition) {
    let YamlValue::Map(_) = value else {
        let name = value.texts().join(BETWEEN);
        return single(problem, "source", |problem| &mut problem.source, name);
    };
    for (key, value) in value.entries() {
        let mut text = |field| single(problem, key, field, value.one_line());
        match key {
            "name" => text(|problem| &mut problem.source),
            "volume" => text(|problem| &mut problem.volume),
            "issue" => text(|problem| &mut problem.issue),
            "problemid" => text(|problem| &mut problem.number),
            "date" => date("source.date", value, problem),
            _ => problem
                .extra
                .push((format!("source.{key}"), value.one_line())),
        }
    }
}

/// `1962`, `1963-01-06`, or year, month and day by name; as PGN has it.
fn date(key: &str, value: &YamlValue, problem: &mut Composition) {
    let mut parts = [String::new(), String::new(), String::new()];
    match value {
        YamlValue::Map(_) => {
            for (name, value) in value.entries() {
                match ["year", "month", "day"].iter().position(|own| *own == name) {
                    Some(at) => parts[at] = value.one_line(),
                    None => problem
                        .extra
                        .push((format!("{key}.{name}"), value.one_line())),
                }
            }
        }
        other => {
            let text = other.one_line();
            for (part, text) in parts.iter_mut().zip(text.split(['-', '.', '/'])) {
                text.trim().clone_into(part);
            }
        }
    }
    let date = dated(&parts);
    single(problem, key, |problem| &mut problem.date, date);
}

/// A date of PGN from its year, month and day; empty without a year.
fn dated(parts: &[String; 3]) -> String {
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

/// A text, or a mapping of distinction and tourney.
fn award(value: &YamlValue, problem: &mut Composition) {
    let mut parts = Vec::new();
    match value {
        YamlValue::Map(_) => {}
        other => parts = other.texts(),
    }
    for (key, value) in value.entries() {
        match key {
            "distinction" => parts.insert(0, value.one_line()),
            "tourney" => {
                parts.push(value.get("name").unwrap_or(value).one_line());
                for (key, value) in value.entries().filter(|(key, _)| *key != "name") {
                    let extra = (format!("award.tourney.{key}"), value.one_line());
                    problem.extra.push(extra);
                }
            }
            _ => problem
                .extra
                .push((format!("award.{key}"), value.one_line())),
        }
    }
    parts.insert(0, std::mem::take(&mut problem.award));
    parts.retain(|part| !part.is_empty());
    problem.award = parts.join(", ");
}

/// Changes by the names of twins, or those of b), c) and so on.
fn twins(value: &YamlValue, problem: &mut Composition) {
    let twins = &mut problem.twins;
    if let YamlValue::Map(_) = value {
        let named = value.entries();
        return twins.extend(named.map(|(name, change)| (name.to_owned(), change.one_line())));
    }
    for change in value.texts() {
        let name = popeye::next_name(twins.last().map(|(name, _)| name.as_str()));
        twins.push((name, change));
    }
}
