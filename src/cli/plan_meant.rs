//! What words are meant as that are no query as they stand: moves beside conditions, facts
//! without their names.

use super::plan_query::typed_position;
use super::value_parsers;
use crate::db::query::Filter;
use crate::games::opening_names::OpeningQuery;
use crate::games::variant::VariantDetection;

/// Words that no list of moves has.
pub(super) const WORDS: [&str; 22] = [
    "and",
    "or",
    "not",
    "then",
    "next",
    "within",
    "for",
    "step",
    "either",
    "mirror",
    "rotate",
    "shift",
    "shiftx",
    "shifty",
    "check",
    "mate",
    "stalemate",
    "end",
    "capture",
    "quiet",
    "ep",
    "smothered",
];

/// The first words of a query that stand side by side and can be played from the start.
pub(super) fn moves_in(text: &str, filter: &Filter) -> Option<String> {
    let is_condition = |word: &&str| {
        WORDS.contains(&word.to_lowercase().as_str()) || word.contains([':', '{', '}', '(', ')'])
    };
    // What is quoted is the value of a fact.
    let unquoted: String = text.split('"').step_by(2).collect();
    let words: Vec<&str> = unquoted.split_whitespace().collect();
    let mut lines = words.split(is_condition).map(|line| line.join(" "));
    // Moves are not written with a pawn's letter.
    let is_number = |word: &str| word.chars().all(|c| c.is_ascii_digit());
    let is_line = |line: &String| {
        !line.is_empty()
            && !line.starts_with('P')
            && !line.contains('_')
            && !line.split(' ').any(is_number)
            && typed_position(line, filter, &mut Vec::new()).is_ok_and(|typed| {
                // Words of chess can also be squares of another game.
                typed.at.variant().tier() == Some(VariantDetection::Assumed)
                    || line.contains(['-', 'x'])
            })
    };
    lines.find(is_line)
}

/// That moves in a query are written with a name before them.
pub(super) fn named_moves(text: &str, line: &str) -> String {
    let named = with_named_moves(text, line);
    format!("beside other conditions, moves have a name: '{named}'")
}

/// A query that has moves in it with their name.
pub(super) fn with_named_moves(text: &str, line: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let (before, behind) = text.split_once(line).unwrap_or_default();
    let (before, behind) = (before.trim(), behind.trim());
    let is_joined = |word: &str| ["and", "or", "not", "(", "then", "next"].contains(&word);
    let mut whole = before.to_owned();
    if !before.is_empty() {
        let last = before.rsplit(' ').next().unwrap_or_default();
        whole += if is_joined(last) { " " } else { " and " };
    }
    whole = format!("{whole}moves:\"{line}\"");
    if !behind.is_empty() {
        let first = behind.split(' ').next().unwrap_or_default();
        whole += if ["and", "or", ")", "then", "next", "within"].contains(&first) {
            " "
        } else {
            " and "
        };
    }
    whole + behind
}

/// Words as the facts that they are meant as, where one of them is a year, a result or a code of an
/// opening, and the others can be names.
pub(super) fn facts_meant(words: &[String]) -> Option<String> {
    let mut is_fact = false;
    let mut name = Vec::new();
    let mut facts = Vec::new();
    for word in words {
        let year = word
            .parse()
            .is_ok_and(|year: u16| (1400..2200).contains(&year));
        let fact = match &word[..] {
            "1-0" | "0-1" | "1/2-1/2" => format!("result:{word}"),
            "draw" | "drawn" => "result:1/2-1/2".to_owned(),
            _ if year && word.len() == 4 => format!("date:{word}"),
            _ if words.len() > 1 && value_parsers::is_eco(word) => {
                format!("eco:{}", word.to_uppercase())
            }
            _ if word
                .chars()
                .all(|c| c.is_alphabetic() || matches!(c, '\'' | '-' | '.' | ',')) =>
            {
                name.push(&word[..]);
                continue;
            }
            _ => return None,
        };
        is_fact = true;
        facts.push(fact);
    }
    // A comma stands within one name.
    if name.iter().any(|name| name.ends_with(',')) {
        facts.insert(0, format!("player:\"{}\"", name.join(" ")));
    } else {
        facts.splice(0..0, players(name.into_iter()));
    }
    is_fact.then(|| facts.join(" and "))
}

/// A fact for each of some names: it is unknown whether they are one player's or those of two, and
/// both are found so.
pub(super) fn players<'w>(names: impl Iterator<Item = &'w str>) -> impl Iterator<Item = String> {
    names.map(|name| in_shell(&format!("player:{name}")))
}

/// A condition with a name as it is typed in a shell.
pub(super) fn of_name(condition: &str, name: &str) -> String {
    if name.contains(char::is_whitespace) {
        in_shell(&format!("{condition}:\"{name}\""))
    } else {
        in_shell(&format!("{condition}:{name}"))
    }
}

/// A text as it is typed in a shell, as one word.
pub(super) fn in_shell(text: &str) -> String {
    let is_plain = |c: char| !c.is_whitespace() && !matches!(c, '\'' | '"');
    if text.chars().all(is_plain) {
        text.to_owned()
    } else if text.contains('\'') {
        format!("\"{}\"", text.replace('"', "\\\""))
    } else {
        format!("'{text}'")
    }
}

/// Whether a text is a name with the family name before a comma.
pub(super) fn is_person(text: &str) -> bool {
    let is_name = |c: char| c.is_alphabetic() || matches!(c, ' ' | ',' | '.' | '\'' | '’' | '-');
    let family = text.split_once(',').map(|(family, _)| family);
    text.chars().all(is_name) && family.is_some_and(|family| family.trim().chars().count() > 2)
}

/// Whether a text is nothing but words that the name of an opening has.
pub(super) fn is_opening(text: &str) -> bool {
    let is_name = |c: char| c.is_alphabetic() || matches!(c, ' ' | '\'' | '’' | '-');
    let asked = OpeningQuery {
        codes: Vec::new(),
        texts: vec![text.to_owned()],
    };
    text.chars().all(is_name) && text.trim().chars().count() > 2 && !asked.openings().is_empty()
}
