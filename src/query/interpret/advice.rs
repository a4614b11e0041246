//! Advice on conditions that are written in another way, as it is typed in a shell.

use crate::query::pattern::TextSpan;
use crate::query::read;
use crate::query::words;
use crate::query::words::KEYWORDS;

/// How a fact is written that was typed with another sign than a colon: `elo>2600`, `player=karpov`.
pub(super) fn with_colon(question: &str) -> Option<String> {
    question.split_whitespace().find_map(|word| {
        let (name, rest) = word.split_at(word.find(['=', '<', '>'])?);
        let value = rest.trim_start_matches(['=', '<', '>']);
        let typed = name.to_lowercase();
        let name = match words::synonym(&typed) {
            Some(known) => known,
            None if words::is_game_condition(&typed) => name,
            None => return None,
        };
        if name.len() < 3 || value.is_empty() {
            return None;
        }
        Some(match (rest.starts_with('>'), rest.starts_with('<')) {
            (true, _) => format!("{name}:{value}.."),
            (_, true) => format!("{name}:..{value}"),
            _ => format!("{name}:{value}"),
        })
    })
}

/// How a fact is written whose value was typed with blanks and no quotes, where a word that is not
/// understood stands after it.
pub(super) fn quoted(question: &str, wrong: &TextSpan) -> Option<String> {
    const TEXTS: [&str; 13] = [
        "player", "white", "black", "won", "lost", "event", "site", "opening", "comment", "author",
        "source", "moves", "fen",
    ];
    if question.contains('"') {
        return None;
    }
    let before = question.get(..wrong.start)?.trim_end();
    let fact = before.rsplit([' ', '(', '{']).next()?;
    let (name, first) = fact.split_once(':')?;
    if !TEXTS.contains(&&name.to_lowercase()[..]) || first.is_empty() {
        return None;
    }
    let behind = question.get(wrong.start..)?.split_whitespace();
    let is_word = |word: &&str| {
        !KEYWORDS.contains(&&word.to_lowercase()[..]) && !word.contains([':', '(', ')', '{', '}'])
    };
    let rest: Vec<&str> = behind.take_while(is_word).collect();
    // A result is no part of a name.
    if rest.is_empty() || read::outcome(rest[0]).is_ok() {
        return None;
    }
    let rest = rest.join(" ");
    let fact = in_shell(&format!("{name}:\"{first} {rest}\""));
    Some(format!(
        "quote values that contain spaces, and the complete query for the shell: {fact}"
    ))
}

/// The same of a query that can be read otherwise, but makes no sense.
pub(super) fn unquoted(question: &str) -> Option<String> {
    let begin = question.as_ptr() as usize;
    let words = question.split_whitespace();
    let mut starts = words.skip(1).map(|word| word.as_ptr() as usize - begin);
    starts.find_map(|at| quoted(question, &(at..at)))
}

/// A condition with a name as it is typed in a shell.
pub fn condition_in_shell(condition: &str, name: &str) -> String {
    if name.contains(char::is_whitespace) {
        in_shell(&format!("{condition}:\"{name}\""))
    } else {
        in_shell(&format!("{condition}:{name}"))
    }
}

/// A text as it is typed in a shell, as one word.
pub fn in_shell(text: &str) -> String {
    let is_plain = |c: char| !c.is_whitespace() && !matches!(c, '\'' | '"');
    if text.chars().all(is_plain) {
        text.to_owned()
    } else if text.contains('\'') {
        format!("\"{}\"", text.replace('"', "\\\""))
    } else {
        format!("'{text}'")
    }
}
