//! Writes games as PGN, so that reading them again gives the same games; those
//! of draughts as PDN ([`pdn`]).
//!
//! The form is the export format of the standard (PGN 3.2): one tag pair a
//! line, a blank line, movetext of at most [`COLUMNS_MAX`] columns, a blank
//! line. Deviations, all for the promise above: tags stay in their stored order
//! unless [`Options::roster_first`] is set; comments, variations and what could
//! not be played are written as they were read and never broken at new places.

pub mod pdn;
mod text;

use std::fmt::Write as _;

use crate::{
    base::record::{Game, Item, Script},
    pgn::tags::result,
};
use text::Shape;

/// Columns of a line of movetext, where its words are short enough.
pub const COLUMNS_MAX: usize = 79;

/// How games are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Options {
    /// Tags in the order of the standard: the seven of the roster first, made
    /// up for with `?` where they are missing, then the others by ASCII. By
    /// default tags are written in their stored order, and only these.
    pub roster_first: bool,
}

/// The seven tag roster, in its order (PGN 8.1.1).
const ROSTER: [&str; 7] = ["Event", "Site", "Date", "Round", "White", "Black", "Result"];

/// Appends a game and the blank line that follows it, in the format of its kind.
pub fn write(game: &Game, out: &mut String, options: Options) {
    if game.script == Script::Pdn {
        return pdn::write(
            game,
            out,
            pdn::Options {
                result: &game.pdn.result,
                black_begins: game.pdn.black_begins,
            },
        );
    }
    write_tags(game, out, options);
    let mut movetext = Movetext { out, column: 0 };
    let (mut number, mut black) = game.first_move;
    let mut interrupted = true;
    let mut after_result = false;
    let mut ended = false;
    for item in &game.items {
        match item {
            Item::Move(san) => {
                let mut word = String::with_capacity(san.len() + 6);
                // Behind a result a first move would begin the next game.
                let is_numbered = !(after_result && number == 1);
                if !black && is_numbered {
                    let _ = write!(word, "{number}. ");
                } else if interrupted && is_numbered {
                    let _ = write!(word, "{number}... ");
                }
                word.push_str(san);
                movetext.word(&word);
                if black {
                    number = number.saturating_add(1);
                }
                black = !black;
            }
            Item::Nag(value) => movetext.word(&format!("${value}")),
            Item::Comment(text) => movetext.comment(text),
            Item::LineComment(text) => movetext.line_comments(text),
            Item::Variation(text) => {
                let closing = Shape::of(text).closing();
                movetext.word(&format!("({text}{closing})"));
            }
            Item::Word(text) => movetext.word(text),
            Item::Rest(text) => ended = movetext.rest(text),
        }
        interrupted = !matches!(item, Item::Move(_) | Item::Nag(_));
        after_result = is_after_result(item, after_result);
    }
    if !ended {
        movetext.word(game.outcome.as_pgn());
    }
    if movetext.column > 0 {
        out.push('\n');
    }
    out.push('\n');
}

/// Whether what stands behind an item stands behind a result that did not end the
/// game, with no move in between.
fn is_after_result(item: &Item, before: bool) -> bool {
    match item {
        Item::Word(word) => {
            before
                || result::PDN_RESULTS.contains(&word.as_str())
                || result::parse_marker(word.as_bytes()).is_some()
        }
        Item::Move(_) => false,
        _ => before,
    }
}

/// The tags of a game: what [`PdnFacts::tags`](crate::base::record::PdnFacts::tags) says
/// otherwise stands in place of the last tag of its name, or behind all.
fn tags_of(game: &Game) -> Vec<(&str, &str)> {
    let facts = &game.pdn.tags;
    let mut tags: Vec<(&str, &str)> = Vec::with_capacity(game.tags.len() + facts.len());
    for (at, (name, value)) in game.tags.iter().enumerate() {
        let instead = facts.iter().find(|(other, _)| other == name);
        let is_last = || game.tags[at + 1..].iter().all(|(other, _)| other != name);
        let value = match instead {
            Some((_, other)) if is_last() => other,
            _ => value,
        };
        tags.push((name, value));
    }
    let is_there = |name: &String| game.tags.iter().any(|(other, _)| other == name);
    let new = facts.iter().filter(|(name, _)| !is_there(name));
    tags.extend(new.map(|(name, value)| (name.as_str(), value.as_str())));
    tags
}

fn write_tags(game: &Game, out: &mut String, options: Options) {
    let tags = tags_of(game);
    if options.roster_first {
        for name in ROSTER {
            let mut written = false;
            for (_, value) in tags.iter().filter(|(other, _)| *other == name) {
                write_tag(name, value, out);
                written = true;
            }
            if !written {
                let value = match name {
                    "Date" => "????.??.??",
                    "Result" => game.outcome.as_pgn(),
                    _ => "?",
                };
                write_tag(name, value, out);
            }
        }
        let mut others: Vec<_> = tags
            .iter()
            .filter(|(name, _)| !ROSTER.contains(name))
            .collect();
        // Stable: of equal names the last one counts, and must stay the last.
        others.sort_by_key(|(name, _)| name);
        for (name, value) in others {
            write_tag(name, value, out);
        }
        out.push('\n');
    } else if !tags.is_empty() {
        for (name, value) in tags {
            write_tag(name, value, out);
        }
        out.push('\n');
    }
}

fn write_tag(name: &str, value: &str, out: &mut String) {
    out.push('[');
    out.push_str(name);
    out.push_str(" \"");
    let mut letters = value.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\r' if letters.peek() == Some(&'\n') => {}
            '\n' | '\r' => out.push(' '),
            _ => out.push(letter),
        }
    }
    out.push_str("\"]\n");
}

/// The movetext of one game as it grows.
struct Movetext<'a> {
    out: &'a mut String,
    /// Letters in the last line.
    column: usize,
}

impl Movetext<'_> {
    /// Writes something that must not be broken, on a new line if it needs one.
    fn word(&mut self, word: &str) {
        let width = word.lines().next().unwrap_or_default().chars().count();
        // At the beginning of a line `[` would open a tag and `%` hide the line.
        let sticky = word.starts_with(['[', '%']);
        if self.column == 0 {
            if sticky {
                self.push(" ");
            }
        } else if self.column + 1 + width <= COLUMNS_MAX || sticky {
            self.push(" ");
        } else {
            self.push("\n");
        }
        self.push(word);
    }

    fn comment(&mut self, text: &str) {
        if text.contains('}') {
            // Read from a line comment, and only there it is whole.
            self.line_comments(text);
        } else {
            self.word(&format!("{{{text}}}"));
        }
    }

    /// One comment to the end of its line for each line of the text.
    fn line_comments(&mut self, text: &str) {
        for line in text.split('\n') {
            self.word(&format!(";{}", line.strip_suffix('\r').unwrap_or(line)));
            self.push("\n");
        }
    }

    /// Writes what could not be played; whether it brought its own result.
    fn rest(&mut self, text: &str) -> bool {
        let shape = Shape::of(text);
        if text.starts_with(char::is_whitespace) {
            self.push(text);
        } else if !text.is_empty() {
            self.word(text);
        }
        // The next game must not drown in a comment that is open here.
        self.push(&shape.closing());
        shape.ends_with_marker()
    }

    fn push(&mut self, text: &str) {
        self.out.push_str(text);
        match text.rsplit_once('\n') {
            Some((_, line)) => self.column = line.chars().count(),
            None => self.column += text.chars().count(),
        }
    }
}

#[cfg(test)]
mod tests;
