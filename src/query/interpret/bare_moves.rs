//! Moves that stand in a query without their name.

use std::ops::Range;

use super::{Interpreter, in_text, typed_position};
use crate::games::variant::VariantDetection;
use crate::query::pattern::{self, BoardSpec, QueryError};
use crate::query::{position, words};

/// The first words of a query that stand side by side and can be played from the start.
pub(super) fn find(text: &str, variants: &[u8]) -> Option<String> {
    let is_condition = |word: &&str| {
        words::KEYWORDS.contains(&word.to_lowercase().as_str())
            || word.contains([':', '{', '}', '(', ')'])
            || word.starts_with('@')
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
            && typed_position(line, variants).is_ok_and(|typed| {
                // Words of chess can also be squares of another game.
                typed.at.variant().tier() == Some(VariantDetection::Assumed)
                    || line.contains(['-', 'x'])
            })
    };
    lines.find(is_line)
}

/// That moves in a query are written with a name before them.
pub(super) fn advice(text: &str, line: &str) -> String {
    let named = with_name(text, line);
    format!("beside other conditions, moves have a name: '{named}'")
}

/// A query that has moves in it with their name.
pub(super) fn with_name(text: &str, line: &str) -> String {
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

impl Interpreter<'_> {
    /// What is wrong with a query even if moves in it are given their name; `None` if nothing is.
    pub(super) fn another_word(&self, text: &str, line: &str) -> Option<QueryError> {
        let named = with_name(text, line);
        let wrong = |error: QueryError| {
            let span = place_in(text, &named, &error.span)?;
            Some(in_text(text, QueryError { span, ..error }))
        };
        let mut expr = match self.parse(&named) {
            Err(error) => return wrong(error),
            Ok(expr) => expr,
        };
        let at = typed_position(line, &self.variants).ok()?.at;
        if let Err(error) = pattern::compile(&expr, &BoardSpec::of(&at)) {
            return wrong(error);
        }
        let read = position::each_condition(&mut expr, &mut |condition, span| {
            position::resolve(condition, &self.variants, &mut Vec::new())
                .map_err(|error| QueryError::of_position(error, span.clone()))
        });
        read.err().and_then(wrong)
    }
}

/// Where a text has a word that stands somewhere in the same text with other words added.
fn place_in(text: &str, longer: &str, span: &Range<usize>) -> Option<Range<usize>> {
    let word = longer.get(span.clone())?;
    if word.is_empty() {
        let end = text.trim_end().len();
        return Some(end..end);
    }
    let begins = |text: &str, at: usize| {
        let before = text[..at].chars().next_back();
        before.is_none_or(|c| c.is_whitespace() || matches!(c, '(' | '{'))
    };
    let places = |text: &'_ str| -> Vec<usize> {
        let all = text.match_indices(word).map(|(at, _)| at);
        all.filter(|at| begins(text, *at)).collect()
    };
    let number = places(longer).iter().position(|at| *at == span.start)?;
    let at = *places(text).get(number)?;
    Some(at..at + word.len())
}
