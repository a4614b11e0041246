//! Problems as games: tags and movetext in PGN, and back from what was stored.
//!
//! Composers stand where White's name does, the stipulation where Black's does: so
//! lists, name searches and other programs show both. The tag `Stipulation` tells
//! that a game is a problem.

use std::fmt::Write as _;

use super::{
    Composition, Diagram,
    solution::{self, Print},
};
use crate::{
    diagnostic::Code,
    notation::{fen, letters::Language, san},
    record::{Game, Item},
};

/// The value of `Variant` where men or board are not those of chess.
pub(super) const FAIRY: &str = "Fairy";

/// Between composers, as the PGN standard has it for several players.
const BETWEEN_NAMES: &str = ":";

/// Between the values of other tags.
const BETWEEN: &str = "; ";

/// Appends a problem as a game in PGN; what was found on the way is returned.
pub fn to_pgn(problem: &Composition, out: &mut String) -> Vec<(Code, String)> {
    let mut findings = problem.findings.clone();
    let known = |text: &str| if text.is_empty() { "?".to_owned() } else { text.to_owned() };
    let authors = problem.authors.join(BETWEEN_NAMES);
    let date = if problem.date.is_empty() { "????.??.??" } else { &problem.date };
    for (name, value) in [
        ("Event", known(&problem.source)),
        ("Site", "?".to_owned()),
        ("Date", date.to_owned()),
        ("Round", known(&problem.number)),
        ("White", known(&authors)),
        ("Black", known(&problem.stipulation)),
        ("Result", "*".to_owned()),
    ] {
        tag(name, &value, out);
    }
    match problem.diagram.setup(problem.turn()) {
        Some(setup) if problem.unread_diagram.is_empty() => {
            tag("SetUp", "1", out);
            tag("FEN", &fen::write(&setup), out);
            if !problem.conditions.is_empty() {
                findings.push((Code::Fairy, problem.conditions.join(BETWEEN)));
            }
        }
        _ => {
            tag("Variant", FAIRY, out);
            let text = problem.diagram.text();
            let text = if problem.unread_diagram.is_empty() { &text } else { &problem.unread_diagram };
            tag("Pieces", text, out);
            findings.push((Code::Fairy, text.clone()));
        }
    }
    tag("Stipulation", &problem.stipulation, out);
    let twins: Vec<String> = problem
        .twins
        .iter()
        .map(|(name, change)| format!("{name}) {}", change.replace(';', ",")))
        .collect();
    for (name, value) in [
        ("Condition", joined(&problem.conditions)),
        ("Option", joined(&problem.options)),
        ("Twins", twins.join(BETWEEN)),
        ("Target", problem.target.as_ref().map_or_else(String::new, Diagram::text)),
        ("Volume", problem.volume.clone()),
        ("Issue", problem.issue.clone()),
        ("Title", problem.title.clone()),
        ("Award", problem.award.clone()),
        ("Keywords", joined(&problem.keywords)),
        ("Solutions", problem.solutions.clone()),
        ("Extra", extra(&problem.extra)),
    ] {
        if !value.is_empty() {
            tag(name, &value, out);
        }
    }
    out.push('\n');
    let (tree, refused) = problem.tree();
    if let Some(first) = refused.first() {
        let more = refused.len() - 1;
        let detail = match more {
            0 => first.clone(),
            _ => format!("{first}, and {more} more"),
        };
        findings.push((Code::SolutionMove, detail));
    }
    let text = solution::to_movetext(&tree, &problem.comments, problem.turn().is_black());
    out.push_str(&text);
    out.push_str(if text.is_empty() { "*\n\n" } else { " *\n\n" });
    findings
}

fn joined(values: &[String]) -> String {
    let plain: Vec<String> = values.iter().map(|value| value.replace(';', ",")).collect();
    plain.join(BETWEEN)
}

/// Names and values as JSON, for these have no names of their own here.
fn extra(values: &[(String, String)]) -> String {
    if values.is_empty() {
        return String::new();
    }
    let map: serde_json::Map<String, serde_json::Value> = values
        .iter()
        .map(|(name, value)| (name.clone(), value.clone().into()))
        .collect();
    serde_json::Value::Object(map).to_string()
}

/// A tag pair is one line.
fn tag(name: &str, value: &str, out: &mut String) {
    let _ = write!(out, "[{name} \"");
    let mut blank = false;
    for c in value.trim().chars() {
        if c.is_whitespace() || c.is_control() {
            blank = true;
            continue;
        }
        if std::mem::take(&mut blank) {
            out.push(' ');
        }
        if matches!(c, '"' | '\\') {
            out.push('\\');
        }
        out.push(c);
    }
    out.push_str("\"]\n");
}

/// Whether a game is a problem.
pub fn is_problem(game: &Game) -> bool {
    value(game, "Stipulation").is_some()
}

fn value<'g>(game: &'g Game, name: &str) -> Option<&'g str> {
    let found = game.tags.iter().rfind(|(other, _)| other == name);
    found.map(|(_, value)| value.as_str())
}

/// The problem that a stored game is, its solution written in the letters of a
/// language; `None` for a game that is none.
pub fn of_game(game: &Game, language: &'static Language) -> Option<Composition> {
    let stipulation = value(game, "Stipulation")?;
    let text = |name| match value(game, name) {
        None | Some("?" | "????.??.??") => String::new(),
        Some(text) => text.to_owned(),
    };
    let list = |name| -> Vec<String> {
        let parts = value(game, name).unwrap_or_default().split(BETWEEN);
        parts.filter(|part| !part.is_empty()).map(str::to_owned).collect()
    };
    let mut problem = Composition {
        authors: text("White")
            .split(BETWEEN_NAMES)
            .filter(|name| !name.is_empty())
            .map(str::to_owned)
            .collect(),
        source: text("Event"),
        date: text("Date"),
        number: text("Round"),
        stipulation: stipulation.to_owned(),
        volume: text("Volume"),
        issue: text("Issue"),
        title: text("Title"),
        award: text("Award"),
        conditions: list("Condition"),
        options: list("Option"),
        keywords: list("Keywords"),
        solutions: text("Solutions"),
        target: value(game, "Target").and_then(Diagram::from_text),
        twins: list("Twins")
            .iter()
            .map(|twin| match twin.split_once(") ") {
                Some((name, change)) => (name.to_owned(), change.to_owned()),
                None => (twin.trim_end_matches(')').to_owned(), String::new()),
            })
            .collect(),
        language,
        ..Composition::default()
    };
    if let Some(extra) = value(game, "Extra")
        && let Ok(serde_json::Value::Object(map)) = serde_json::from_str(extra)
    {
        problem.extra = map
            .into_iter()
            .filter_map(|(name, value)| Some((name, value.as_str()?.to_owned())))
            .collect();
    }
    match (value(game, "Pieces"), value(game, "FEN")) {
        (Some(pieces), _) => match Diagram::from_text(pieces) {
            Some(diagram) => problem.diagram = diagram,
            None => pieces.clone_into(&mut problem.unread_diagram),
        },
        (None, Some(text)) => match fen::read(text) {
            Ok(read) => problem.diagram = Diagram::of(&read.setup.board),
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
    let letter = |word: &str| san::in_language(word, language);
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
