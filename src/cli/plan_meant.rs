//! What words are meant as that are no query as they stand: moves beside conditions, facts
//! without their names.

use super::plan_query::typed_position;
use crate::games::variant::VariantDetection;
use crate::query::{Filter, words};

/// The first words of a query that stand side by side and can be played from the start.
pub(super) fn moves_in(text: &str, filter: &Filter) -> Option<String> {
    let is_condition = |word: &&str| {
        words::KEYWORDS.contains(&word.to_lowercase().as_str())
            || word.contains([':', '{', '}', '(', ')'])
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
