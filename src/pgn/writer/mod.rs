//! Writes games as PGN, so that reading them again gives the same games; those
//! of draughts as PDN 3.0.
//!
//! The form is the export format of the standard (PGN 3.2): one tag pair a
//! line, a blank line, movetext of at most [`COLUMNS_MAX`] columns, a blank
//! line. Deviations, all for the promise above: tags stay in their stored order;
//! comments and what could not be played are written as they were read and never broken
//! at new places.
//!
//! What differs in PDN:
//!
//! - Numbers belong to the side that begins, which is Black in some variants:
//!   `1. 11-15 23-19`; where only the other side's move follows, `1... 23-19`. A position
//!   that is set up among the moves says who moves.
//! - A result that a reader could take for a move (`4-6`), or not know, stands in
//!   its tag alone, and the movetext ends with `*`, PDN's mark for the end of a game.
//! - A `%` opens a comment wherever there may be a blank, not only where a line
//!   begins.
//! - Comments that contain `}` can only be written to the end of their line, after
//!   a `;`, which is not PDN 3.0, but its readers' common ground.

mod regular;
mod text;
mod variation;

use std::borrow::Cow;

use crate::{
    base::record::{GameFormat, GameRecord, MovetextItem},
    pgn::tags::result::{self, PDN_RESULTS},
};
pub use regular::regular;
use text::TextShape;
pub use variation::VariationText;

/// Columns of a line of movetext, where its words are short enough.
pub const COLUMNS_MAX: usize = 79;

/// Whether a result of PDN is one that ends movetext.
fn is_pdn_marker(result: &str) -> bool {
    result == "*" || PDN_RESULTS.contains(&result)
}

/// Appends a game and the blank line that follows it, in the format of its kind.
///
/// Of [`GameRecord::first_move`], the number is that of the first pair, and the flag
/// says that its second side begins.
pub fn write(game: &GameRecord, out: &mut String) {
    let is_pdn = game.script == GameFormat::Pdn;
    let pdn_result = game.pdn.result.as_str();
    let marker = match () {
        () if !is_pdn || is_pdn_marker(pdn_result) => game.result_written(),
        () => "*",
    };
    write_tags(game, out);
    let mut movetext = MovetextWriter {
        out,
        is_pdn,
        column: 0,
    };
    let (mut number, mut is_second) = game.first_move;
    let mut interrupted = true;
    let mut after_result = false;
    let mut ended = false;
    for item in &game.items {
        match item {
            MovetextItem::Move(setup) if setup.starts_with('/') => {
                movetext.word(setup);
                // A new position says who moves, perhaps the same side again.
                if let Some(black) = black_moves(setup) {
                    let now_second = black != game.pdn.black_begins;
                    if is_second && !now_second {
                        number = number.saturating_add(1);
                    }
                    is_second = now_second;
                }
            }
            MovetextItem::Move(text) => {
                // After a result a first move would begin the next game.
                let is_numbered = !(after_result && number == 1);
                let before = match (is_second, interrupted) {
                    (false, _) if is_numbered => format!("{number}. "),
                    (true, true) if is_numbered => format!("{number}... "),
                    _ => String::new(),
                };
                movetext.word(&(before + text));
                if is_second {
                    number = number.saturating_add(1);
                }
                is_second = !is_second;
            }
            MovetextItem::Nag(value) => movetext.word(&format!("${value}")),
            MovetextItem::Comment(text) => movetext.comment(text),
            MovetextItem::LineComment(text) => movetext.line_comments(text),
            MovetextItem::Variation(text) => {
                let closing = TextShape::of(text).closing();
                let text = format!("({}{closing})", movetext.harmless(text));
                for piece in variation::pieces(&text) {
                    movetext.word(piece);
                }
            }
            // The rest of the line would be gone with it.
            MovetextItem::Word(text) if is_pdn && text.starts_with('%') => movetext.comment(text),
            MovetextItem::Word(text) => movetext.word(text),
            MovetextItem::Rest(text) => {
                let shape = movetext.rest(text);
                // It may have brought the result of the game, or another.
                ended = if is_pdn {
                    let last = shape.last_word();
                    !last.is_empty() && (last == marker || last == pdn_result)
                } else {
                    shape.last_marker() == Some(game.outcome)
                };
            }
        }
        interrupted = match item {
            MovetextItem::Move(text) => text.starts_with('/'),
            MovetextItem::Nag(_) => false,
            _ => true,
        };
        after_result = is_after_result(item, after_result);
    }
    if !ended {
        movetext.word(marker);
    }
    if movetext.column > 0 {
        out.push('\n');
    }
    out.push('\n');
}

/// The same for other programs: the tag section is one that they accept (see `regular`).
pub fn write_regular(game: &GameRecord, out: &mut String) {
    write(regular(game).as_ref().unwrap_or(game), out);
}

/// Whether Black moves in the position of `/FEN "B:…"/`, if it says.
fn black_moves(setup: &str) -> Option<bool> {
    let fen = setup.split('"').nth(1)?;
    match fen.trim_start().as_bytes().first()? {
        b'W' | b'w' => Some(false),
        b'B' | b'b' => Some(true),
        _ => None,
    }
}

/// Whether what stands after an item stands after a result that did not end the
/// game, with no move in between.
fn is_after_result(item: &MovetextItem, before: bool) -> bool {
    match item {
        MovetextItem::Word(word) => {
            before
                || PDN_RESULTS.contains(&word.as_str())
                || result::parse_marker(word.as_bytes()).is_some()
        }
        MovetextItem::Move(_) => false,
        _ => before,
    }
}

/// The tags of a game: what [`PdnFacts::tags`](crate::base::record::PdnFacts::tags) says
/// otherwise stands in place of the last tag of its name, or after all.
fn tags_of(game: &GameRecord) -> Vec<(&str, &str)> {
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

fn write_tags(game: &GameRecord, out: &mut String) {
    let tags = tags_of(game);
    for (name, value) in &tags {
        write_tag(name, value, out);
    }
    if !tags.is_empty() {
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
struct MovetextWriter<'a> {
    out: &'a mut String,
    is_pdn: bool,
    /// Letters in the last line.
    column: usize,
}

impl MovetextWriter<'_> {
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
        if text.contains('}') && !has_own_braces(text) {
            // Read from a line comment, and only there it is complete.
            self.line_comments(text);
        } else {
            self.word(&format!("{{{}}}", self.harmless(text)));
        }
    }

    /// In PDN, the text with a blank before what would begin a tag section at the beginning
    /// of a line: a reader that has lost its way takes heart from such lines. Commands
    /// (`[%clk …]`) are none, and nothing that was read from a file has others.
    fn harmless<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let opens = |line: &str| line.starts_with('[') && !line.starts_with("[%");
        if !self.is_pdn || !text.split('\n').skip(1).any(opens) {
            return text.into();
        }
        let mut lines = String::with_capacity(text.len() + text.len() / 8);
        for (place, line) in text.split('\n').enumerate() {
            if place > 0 {
                lines.push_str(if opens(line) { "\n " } else { "\n" });
            }
            lines.push_str(line);
        }
        lines.into()
    }

    /// One comment to the end of its line for each line of the text.
    fn line_comments(&mut self, text: &str) {
        for line in text.split('\n') {
            self.word(&format!(";{}", line.strip_suffix('\r').unwrap_or(line)));
            self.push("\n");
        }
    }

    /// Writes what could not be played.
    fn rest(&mut self, text: &str) -> TextShape {
        let shape = TextShape::of(text);
        if text.starts_with(char::is_whitespace) {
            self.push(text);
        } else if !text.is_empty() {
            self.word(text);
        }
        // The next game must not drown in a comment that is open here.
        self.push(&shape.closing());
        shape
    }

    fn push(&mut self, text: &str) {
        self.out.push_str(text);
        match text.rsplit_once('\n') {
            Some((_, line)) => self.column = line.chars().count(),
            None => self.column += text.chars().count(),
        }
    }
}

/// Whether the closing braces of a comment are all its own, as they are read after a backslash.
fn has_own_braces(text: &str) -> bool {
    let mut parts = text.split('}');
    let is_escaped = |part: &str| (part.len() - part.trim_end_matches('\\').len()) % 2 == 1;
    let last = parts.next_back().unwrap_or_default();
    let opens_again = text.rfind('{') > text.find('}');
    !opens_again && !is_escaped(last) && parts.all(is_escaped)
}

#[cfg(test)]
mod pdn_tests;
#[cfg(test)]
mod tests;
