//! A game as an export has it: its tag section is one that every reader of PGN accepts.
//!
//! Stored games keep their tags as they were read. An export differs from them where
//! they are no PGN:
//!
//! - A tag whose name is no symbol of the standard (no name, blanks, letters that are not
//!   ASCII) becomes a comment before the moves: `{[Time Control "60"]}`.
//! - The tag `Result` of PGN says what the movetext ends with. A value that says something else is
//!   kept as a comment; another spelling of it (`0.5-0.5`, `½-½`), or one of an unknown result
//!   (`?`), is not.
//!
//! - `GameType` belongs to PDN. A game of PGN whose variant is known has a `Variant` instead.
//!
//! PDN has results in points, and keeps its own.

use crate::{
    base::record::{GameFormat, GameRecord, MovetextItem, Outcome},
    pgn::tags::result,
};

/// The game as it is exported; `None` if it is so already.
pub fn regular(game: &GameRecord) -> Option<GameRecord> {
    let marker = (game.script == GameFormat::Pgn).then_some(game.outcome.as_pgn());
    let variant = &game.header.variant[..];
    let is_known = marker.is_some() && !matches!(variant, "" | "unknown");
    let is_regular = |(name, value): &(String, String)| match &name[..] {
        "Result" => marker.is_none_or(|marker| marker == value),
        "GameType" => !is_known,
        _ => is_symbol(name),
    };
    if game.tags.iter().all(is_regular) {
        return None;
    }
    let mut regular = game.clone();
    let mut comments = Vec::new();
    let mut keep = |name: &str, value: &str| {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        let pair = format!("[{name} \"{value}\"]").replace(['\r', '\n'], " ");
        // As the writer writes it, so that it comes back as it is here.
        comments.push(if pair.contains('}') {
            MovetextItem::LineComment(pair)
        } else {
            MovetextItem::Comment(pair)
        });
    };
    regular.tags.retain_mut(|(name, value)| {
        if !is_symbol(name) {
            // An empty pair says nothing.
            if !(name.trim().is_empty() && value.trim().is_empty()) {
                keep(name, value);
            }
            return false;
        }
        if is_known && name == "GameType" {
            return false;
        }
        if let Some(marker) = marker.filter(|marker| name == "Result" && marker != value) {
            if !says(value, game.outcome) {
                keep(name, value);
            }
            marker.clone_into(value);
        }
        true
    });
    let has_type = game.tags.iter().any(|(name, _)| name == "GameType");
    let mut names = (regular.tags.iter().chain(&game.pdn.tags)).map(|(name, _)| name);
    if is_known && has_type && variant != "chess" && !names.any(|name| name == "Variant") {
        let named = ("Variant".to_owned(), variant.to_owned());
        regular.tags.push(named);
    }
    comments.append(&mut regular.items);
    regular.items = comments;
    Some(regular)
}

/// Whether a name is a symbol of PGN (7): letters and digits of ASCII, and some signs after the
/// first of them.
fn is_symbol(name: &str) -> bool {
    let mut bytes = name.bytes();
    bytes
        .next()
        .is_some_and(|first| first.is_ascii_alphanumeric())
        && bytes.all(|byte| {
            byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'+' | b'#' | b'=' | b':' | b'-')
        })
}

/// Whether the value of a result tag says no more than a result does.
fn says(value: &str, outcome: Outcome) -> bool {
    let value = value.trim();
    let value = value.replace("0.5", "1/2").replace("0,5", "1/2");
    matches!(&value[..], "" | "?" | "-" | "*")
        || result::parse_tag(value.as_bytes()) == Some(outcome)
        || result::parse_pdn(value.as_bytes()) == Some(outcome)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exported(tags: &[(&str, &str)], outcome: Outcome) -> String {
        let game = GameRecord {
            tags: (tags.iter())
                .map(|&(name, value)| (name.to_owned(), value.to_owned()))
                .collect(),
            items: vec![MovetextItem::Move("e4".to_owned())],
            first_move: (1, false),
            outcome,
            ..GameRecord::default()
        };
        let mut text = String::new();
        super::super::write_regular(&game, &mut text);
        text
    }

    #[test]
    fn a_result_says_what_the_moves_end_with() {
        for (value, outcome, kept) in [
            ("0.5-0.5", Outcome::Draw, ""),
            ("?", Outcome::Unknown, ""),
            ("", Outcome::First, ""),
            ("1-0", Outcome::First, ""),
            ("0-1", Outcome::First, "{[Result \"0-1\"]} "),
            (
                "won on time",
                Outcome::Unknown,
                "{[Result \"won on time\"]} ",
            ),
        ] {
            let marker = outcome.as_pgn();
            assert_eq!(
                exported(&[("Result", value)], outcome),
                format!("[Result \"{marker}\"]\n\n{kept}1. e4 {marker}\n\n"),
                "{value}"
            );
        }
    }

    #[test]
    fn what_is_no_tag_is_a_comment() {
        let tags = [
            ("", ""),
            ("White", "a"),
            ("", "x"),
            ("Игра", "\"y\""),
            ("Time Control", "60"),
            ("-a", "b"),
        ];
        insta::assert_snapshot!(exported(&tags, Outcome::First), @r#"
        [White "a"]

        {[ "x"]} {[Игра "\"y\""]} {[Time Control "60"]} {[-a "b"]} 1. e4 1-0
        "#);
    }
}
