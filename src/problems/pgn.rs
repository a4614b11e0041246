//! Problems as PGN has them, for programs that know nothing else: composers stand where
//! White's name does, the stipulation where Black's does. The tag `Stipulation` with the same text
//! shows that a game is a problem. Whatever tags and moves do not give back as it was stands in the
//! tag `Exact`, so that the same problem is read again.

use serde_json::{Map, Value};

use super::{
    BETWEEN, Composition, ProblemDiagram, ProblemStart,
    solution::{self, Solution, SolutionStyle},
};
use crate::{
    base::{limits::TAG_VALUE_BYTES_MAX, record::MovetextItem},
    games::{chess::notation::fen, notation::letters::PROBLEM_ENGLISH, variant::Variant},
};

/// The tag that every problem has.
pub const STIPULATION: &str = "Stipulation";

/// What the other tags and the moves do not say as it was, as JSON.
const EXACT: &str = "Exact";

/// Between composers, as the PGN standard has it for several players.
const BETWEEN_NAMES: &str = ":";

/// The tags of a problem whose movetext is written from these items.
#[must_use]
pub fn tags(problem: &Composition, items: &[MovetextItem]) -> Vec<(String, String)> {
    let mut tags = plain_tags(problem);
    let again = of_tags(&tags, solution::from_movetext(items));
    let exact = again.and_then(|again| difference(problem, &again));
    tags.extend(exact.map(|exact| (EXACT.to_owned(), exact)));
    tags
}

/// The names of tags that problems may have so.
pub const TAGS: [&str; 23] = [
    "Event",
    "Site",
    "Date",
    "Round",
    "White",
    "Black",
    "Result",
    "Variant",
    "SetUp",
    "FEN",
    "Pieces",
    STIPULATION,
    "Condition",
    "Option",
    "Twins",
    "Target",
    "Volume",
    "Issue",
    "Title",
    "Award",
    "Keywords",
    "Solutions",
    "Extra",
];

/// The same tags without `Exact`, which no user searches for.
#[must_use]
pub fn plain_tags(problem: &Composition) -> Vec<(String, String)> {
    let or_else =
        |text: &str, unknown: &str| if text.is_empty() { unknown } else { text }.to_owned();
    let known = |text: &str| or_else(text, "?");
    let mut tags = vec![
        ("Event", known(&problem.source)),
        ("Site", known("")),
        ("Date", or_else(&problem.date, "????.??.??")),
        ("Round", known(&problem.number)),
        ("White", known(&problem.authors.join(BETWEEN_NAMES))),
        ("Black", known(&problem.stipulation)),
        ("Result", "*".to_owned()),
    ];
    let fairy = ("Variant", Variant::FAIRY.to_owned());
    match problem.beginning().0 {
        ProblemStart::Playable { fen } => tags.extend([("SetUp", "1".to_owned()), ("FEN", fen)]),
        ProblemStart::Diagram { fen, .. } if !fen.is_empty() => {
            tags.extend([fairy, ("SetUp", "1".to_owned()), ("FEN", fen)]);
        }
        ProblemStart::Diagram { .. } => {
            let text = match problem.unread_diagram.as_str() {
                "" => problem.diagram.text(),
                unread => unread.to_owned(),
            };
            tags.extend([fairy, ("Pieces", text)]);
        }
    }
    tags.push((STIPULATION, problem.stipulation.clone()));
    let twins = problem.twins.iter();
    let twins: Vec<String> = twins
        .map(|(name, change)| format!("{name}) {change}"))
        .collect();
    let target = problem.target.as_ref().map(ProblemDiagram::text);
    let others = [
        ("Condition", problem.conditions.join(BETWEEN)),
        ("Option", problem.options.join(BETWEEN)),
        ("Twins", twins.join(BETWEEN)),
        ("Target", target.unwrap_or_default()),
        ("Volume", problem.volume.clone()),
        ("Issue", problem.issue.clone()),
        ("Title", problem.title.clone()),
        ("Award", problem.award.clone()),
        ("Keywords", problem.keywords.join(BETWEEN)),
        ("Solutions", problem.solutions.clone()),
        ("Extra", extra(&problem.extra)),
    ];
    tags.extend(others.into_iter().filter(|(_, value)| !value.is_empty()));
    debug_assert!(tags.iter().all(|(name, _)| TAGS.contains(name)));
    let in_lines = tags.into_iter();
    in_lines
        .map(|(name, value)| (name.to_owned(), in_a_line(value)))
        .collect()
}

/// Names and values as JSON, for these have no names of their own here.
fn extra(values: &[(String, String)]) -> String {
    let values = values.iter().cloned();
    let map: Map<String, Value> = values.map(|(name, value)| (name, value.into())).collect();
    if map.is_empty() {
        return String::new();
    }
    Value::Object(map).to_string()
}

/// A value of a tag is one line.
fn in_a_line(value: String) -> String {
    if value.contains(|c: char| c.is_control() || c == '\u{a0}') || value.trim() != value {
        return value.split_whitespace().collect::<Vec<_>>().join(" ");
    }
    value
}

/// The fields of a problem that another has not alike, as JSON: null where only the other
/// has one. `None` if there are none, or more than a tag can hold.
fn difference(problem: &Composition, other: &Composition) -> Option<String> {
    let (Value::Object(own), Value::Object(other)) = (
        serde_json::to_value(problem).ok()?,
        serde_json::to_value(other).ok()?,
    ) else {
        return None;
    };
    let missing = other.keys().filter(|name| !own.contains_key(*name));
    let mut exact: Map<String, Value> = missing.map(|name| (name.clone(), Value::Null)).collect();
    exact.extend(
        own.into_iter()
            .filter(|(name, value)| other.get(name) != Some(value)),
    );
    let text = Value::Object(exact.clone()).to_string();
    (!exact.is_empty() && text.len() <= TAG_VALUE_BYTES_MAX / 2).then_some(text)
}

/// The problem with the fields of a difference.
fn with_exact(problem: Composition, exact: &str) -> Composition {
    let read = || {
        let Value::Object(exact) = serde_json::from_str(exact).ok()? else {
            return None;
        };
        let Value::Object(mut fields) = serde_json::to_value(&problem).ok()? else {
            return None;
        };
        for (name, value) in exact {
            match value {
                Value::Null => _ = fields.shift_remove(&name),
                value => _ = fields.insert(name, value),
            }
        }
        serde_json::from_value(Value::Object(fields)).ok()
    };
    read().unwrap_or(problem)
}

/// Whether tags are those of a problem: a study of another program may have the tag of the
/// stipulation, but not the stipulation in Black's place.
#[must_use]
pub fn is_problem(tags: &[(String, String)]) -> bool {
    let asked = value(tags, STIPULATION);
    let black = value(tags, "Black").unwrap_or("?");
    asked.is_some_and(|asked| asked.is_empty() || asked == black)
}

fn value<'t>(tags: &'t [(String, String)], name: &str) -> Option<&'t str> {
    let found = tags.iter().rfind(|(other, _)| other == name);
    found.map(|(_, value)| value.as_str())
}

/// The problem that tags describe, with its solution and comments ([`solution::from_movetext`]);
/// `None` if they describe none.
#[must_use]
pub fn of_tags(
    tags: &[(String, String)],
    (tree, comments): (Solution, Vec<String>),
) -> Option<Composition> {
    let stipulation = value(tags, STIPULATION).filter(|_| is_problem(tags))?;
    let text = |name| match value(tags, name) {
        None | Some("?" | "????.??.??") => String::new(),
        Some(text) => text.to_owned(),
    };
    let list = |name, between| -> Vec<String> {
        let text = text(name);
        let parts = text.split(between).filter(|part| !part.is_empty());
        parts.map(str::to_owned).collect()
    };
    let twin = |twin: &String| match twin.split_once(") ") {
        Some((name, change)) => (name.to_owned(), change.to_owned()),
        None => (twin.trim_end_matches(')').to_owned(), String::new()),
    };
    let mut problem = Composition {
        authors: list("White", BETWEEN_NAMES),
        source: text("Event"),
        date: text("Date"),
        number: text("Round"),
        stipulation: stipulation.to_owned(),
        volume: text("Volume"),
        issue: text("Issue"),
        title: text("Title"),
        award: text("Award"),
        conditions: list("Condition", BETWEEN),
        options: list("Option", BETWEEN),
        keywords: list("Keywords", BETWEEN),
        solutions: text("Solutions"),
        target: value(tags, "Target").and_then(ProblemDiagram::from_text),
        twins: list("Twins", BETWEEN).iter().map(twin).collect(),
        comments,
        language: PROBLEM_ENGLISH,
        ..Composition::default()
    };
    let extra: Option<Map<String, Value>> =
        value(tags, "Extra").and_then(|extra| serde_json::from_str(extra).ok());
    for (name, value) in extra.iter().flatten() {
        let value = value.as_str().map(str::to_owned);
        problem
            .extra
            .extend(value.map(|value| (name.clone(), value)));
    }
    match (value(tags, "Pieces"), value(tags, "FEN")) {
        (Some(pieces), _) => match ProblemDiagram::from_text(pieces) {
            Some(diagram) => problem.diagram = diagram,
            None => pieces.clone_into(&mut problem.unread_diagram),
        },
        (None, Some(text)) => match fen::read(text) {
            Ok(read) => problem.diagram = ProblemDiagram::of(&read.setup.board),
            Err(_) => text.clone_into(&mut problem.unread_diagram),
        },
        (None, None) => {}
    }
    let letter = |word: &str| PROBLEM_ENGLISH.of_english(word);
    problem.solution = solution::write(
        &tree,
        SolutionStyle {
            first_depth: problem.rules().first_depth,
            is_series: problem.is_series(),
            letter: &letter,
        },
    );
    Some(match value(tags, EXACT) {
        Some(exact) => with_exact(problem, exact),
        None => problem,
    })
}
