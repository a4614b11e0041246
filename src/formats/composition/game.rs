//! Problems as games: tags and movetext in PGN, and back from what was stored.
//!
//! Composers stand where White's name does, the stipulation where Black's does: so
//! lists, name searches and other programs show both. The tag `Stipulation` that says the
//! same tells that a game is a problem.

use serde_json::{Map, Value};

use super::{
    Composition, ProblemDiagram,
    solution::{self, Print},
};
use crate::{
    base::{
        diagnostic::Code,
        record::{Game, Item},
    },
    formats::Transcript,
    games::{chess::notation::fen, notation::letters::Language, variant::Variant},
};

/// Between composers, as the PGN standard has it for several players.
const BETWEEN_NAMES: &str = ":";

/// Between the values of other tags.
const BETWEEN: &str = "; ";

/// Writes the record of a problem that stands at an offset of the source.
pub(in crate::formats) fn write_record(problem: &Composition, at: usize, out: &mut Transcript) {
    let mut findings = problem.findings.clone();
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
    match problem.diagram.setup(problem.turn()) {
        Some(setup) if problem.unread_diagram.is_empty() => {
            if let Some(Err(why)) = problem.start() {
                // Kings are missing, or too many: nothing is wrong with that.
                tags.push(("Variant", Variant::FAIRY.to_owned()));
                findings.push((Code::Fairy, why.to_string()));
            }
            tags.push(("SetUp", "1".to_owned()));
            tags.push(("FEN", fen::write(&setup)));
            if !problem.conditions.is_empty() {
                findings.push((Code::Fairy, problem.conditions.join(BETWEEN)));
            }
        }
        _ => {
            let text = match problem.unread_diagram.as_str() {
                "" => problem.diagram.text(),
                unread => unread.to_owned(),
            };
            findings.push((Code::Fairy, text.clone()));
            tags.push(("Variant", Variant::FAIRY.to_owned()));
            tags.push(("Pieces", text));
        }
    }
    tags.push(("Stipulation", problem.stipulation.clone()));
    let twins = problem.twins.iter();
    let twins: Vec<String> = twins
        .map(|(name, change)| format!("{name}) {change}"))
        .collect();
    let target = problem.target.as_ref().map(ProblemDiagram::text);
    let others = [
        ("Condition", joined(&problem.conditions)),
        ("Option", joined(&problem.options)),
        ("Twins", joined(&twins)),
        ("Target", target.unwrap_or_default()),
        ("Volume", problem.volume.clone()),
        ("Issue", problem.issue.clone()),
        ("Title", problem.title.clone()),
        ("Award", problem.award.clone()),
        ("Keywords", joined(&problem.keywords)),
        ("Solutions", problem.solutions.clone()),
        ("Extra", extra(&problem.extra)),
    ];
    tags.extend(others.into_iter().filter(|(_, value)| !value.is_empty()));
    let (tree, refused) = problem.tree();
    if let Some(first) = refused.first() {
        let detail = match refused.len() - 1 {
            0 => first.clone(),
            more => format!("{first}, and {more} more"),
        };
        findings.push((Code::SolutionMove, detail));
    }
    out.begin(at);
    for (name, value) in &mut tags {
        in_a_line(value);
        out.tag(name, value);
    }
    for (code, detail) in findings {
        out.find(code, at, detail);
    }
    let black_begins = problem.turn().is_black();
    let movetext = solution::to_movetext(&tree, &problem.comments, black_begins);
    if !movetext.is_empty() {
        out.movetext(&movetext);
    }
}

fn joined(values: &[String]) -> String {
    let plain: Vec<String> = values.iter().map(|value| value.replace(';', ",")).collect();
    plain.join(BETWEEN)
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
fn in_a_line(value: &mut String) {
    if value.contains(|c: char| c.is_control() || c == '\u{a0}') || value.trim() != value {
        *value = value.split_whitespace().collect::<Vec<_>>().join(" ");
    }
}

/// Whether a game is a problem: a study of another program may have that tag, but not
/// what is asked in Black's place.
#[must_use]
pub fn is_problem(game: &Game) -> bool {
    let asked = value(game, "Stipulation");
    let black = value(game, "Black").unwrap_or("?");
    asked.is_some_and(|asked| asked.is_empty() || asked == black)
}

fn value<'g>(game: &'g Game, name: &str) -> Option<&'g str> {
    let found = game.tags.iter().rfind(|(other, _)| other == name);
    found.map(|(_, value)| value.as_str())
}

/// The problem that a stored game is, its solution written in the letters of a
/// language; `None` for a game that is none.
pub fn of_game(game: &Game, language: &'static Language) -> Option<Composition> {
    let stipulation = value(game, "Stipulation").filter(|_| is_problem(game))?;
    let text = |name| match value(game, name) {
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
        target: value(game, "Target").and_then(ProblemDiagram::from_text),
        twins: list("Twins", BETWEEN).iter().map(twin).collect(),
        language,
        ..Composition::default()
    };
    let extra: Option<Map<String, Value>> =
        value(game, "Extra").and_then(|extra| serde_json::from_str(extra).ok());
    for (name, value) in extra.iter().flatten() {
        let value = value.as_str().map(str::to_owned);
        problem
            .extra
            .extend(value.map(|value| (name.clone(), value)));
    }
    match (value(game, "Pieces"), value(game, "FEN")) {
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
    let (mut tree, comments) = solution::from_movetext(&game.items);
    problem.comments = comments;
    // What could not be played from the diagram was kept as one text.
    if tree.is_empty()
        && tree.rest.is_empty()
        && let Some(Item::Rest(rest)) = game.items.last()
    {
        tree.rest.clone_from(rest);
    }
    let letter = |word: &str| language.of_english(word);
    problem.solution = solution::write(
        &tree,
        Print {
            first_depth: problem.rules().first_depth,
            is_series: problem.is_series(),
            letter: &letter,
        },
    );
    Some(problem)
}
