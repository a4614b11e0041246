//! Records of keys and values, as YAML, TOML and letters of forms have them (L3): a position is
//! one of the values, or the moves of a game are.

mod reader;

use std::collections::HashSet;

use super::{
    json_like::{self, FieldRecord},
    text,
};
use crate::games::running_text::fen_scanner;
pub(super) use reader::record;

/// Bytes of a key at most.
const KEY_BYTES_MAX: usize = 60;

/// Bytes of a record whose keys separate it from the next one.
pub(super) const BLOCK_BYTES_MAX: usize = 4096;

/// The key and the value of a line of YAML or TOML.
pub(super) fn key_of(line: &str) -> Option<(&str, &str)> {
    let at = line.find([':', '='])?;
    let (key, value) = (&line[..at], &line[at + 1..]);
    let is_key = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | ' ');
    // As files of settings have it.
    let is_bare = !value.starts_with('=') && at > 1 && !line[..at].contains([' ', '\t']);
    let is_ended = value.is_empty()
        || value.starts_with([' ', '\t'])
        || line[at..].starts_with('=') && (value.starts_with(['"', '\'']) || is_bare);
    let key = key.trim().trim_matches(['"', '\'']);
    let is_named = !key.is_empty() && key.len() <= KEY_BYTES_MAX && key.chars().all(is_key);
    let is_key = is_ended && is_named && key.starts_with(char::is_alphabetic);
    (is_key && !is_promotion(line.trim())).then(|| (key, value.trim()))
}

/// Whether a line is a move that makes a pawn something else: `gxh1=Q`.
fn is_promotion(line: &str) -> bool {
    let Some((pawn, piece)) = line.split_once('=') else {
        return false;
    };
    let is_square = |square: &str| matches!(square.as_bytes(), [b'a'..=b'h', b'1' | b'8']);
    let is_square_before = |square: &str| matches!(square.as_bytes(), [b'a'..=b'h', b'2' | b'7']);
    let (from, to) = pawn
        .split_at_checked(pawn.len().saturating_sub(2))
        .unwrap_or_default();
    let from = from.trim_end_matches(['x', ':', '-']);
    let is_from =
        from.is_empty() || is_square_before(from) || matches!(from.as_bytes(), [b'a'..=b'h']);
    let piece = piece.trim_end_matches(['+', '#', '!', '?']);
    is_from && is_square(to) && piece.chars().count() == 1 && piece.chars().all(char::is_uppercase)
}

/// Whether a line is a key with its value, or names a section.
pub(super) fn is_key_line(line: &str) -> bool {
    key_of(line).is_some() || section_of(line).is_some()
}

/// The name of a section of TOML; empty for one of a list.
fn section_of(line: &str) -> Option<&str> {
    let name = line.trim().strip_prefix('[')?.strip_suffix(']')?;
    let is_name = |name: &str| {
        let of_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
        name.starts_with(char::is_alphabetic) && name.chars().all(of_name)
    };
    match name
        .strip_prefix('[')
        .and_then(|name| name.strip_suffix(']'))
    {
        Some(listed) => is_name(listed).then_some(""),
        None => is_name(name).then_some(name),
    }
}

fn indent_of(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

fn lines(block: &str) -> impl DoubleEndedIterator<Item = &str> {
    // The first key of a file may stand after a byte order mark.
    let block = block.strip_prefix('\u{feff}').unwrap_or(block);
    let lines = block.split(['\n', '\r']);
    lines.filter(|line| !line.trim().is_empty())
}

/// A line without the dash of an item.
fn undashed(line: &str) -> &str {
    let text = line.trim();
    text.strip_prefix("- ").unwrap_or(text).trim_start()
}

fn has_position(line: &str) -> bool {
    !fen_scanner::all(line).is_empty()
}

/// Whether a block has what its record is about: a position, or the moves of a game.
fn is_about_something(block: &str) -> bool {
    has_position(block) || is_game(block)
}

/// Whether a block is the keys and values of a game.
pub(super) fn is_game(block: &str) -> bool {
    let is_of_moves =
        |line| key_of(undashed(line)).is_some_and(|(key, _)| json_like::is_of_moves(key));
    lines(block).any(is_of_moves) && matches!(record(0, block), Some(FieldRecord::Game(_)))
}

/// What keys of one kind have in common: those of chapters have numbers.
fn kind_of(key: &str) -> String {
    let letters = key.chars().filter(|c| !c.is_ascii_digit());
    letters.collect::<String>().trim().to_lowercase()
}

/// What a line below a record means to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum KeyedLine {
    /// It can only begin another one.
    Begins,
    /// It says more of it, also after empty lines.
    GoesOn,
    /// It is no key below others.
    Other,
}

/// Values that say that the text of a key stands in the lines below it.
const SCALARS: [&str; 6] = ["|", ">", "|-", ">-", "|+", ">+"];

/// The key whose text a line is a part of, as far as the text above it shows, with its place.
fn scalar_above<'t>(text: &'t str, line: &str) -> Option<(usize, &'t str)> {
    let from = text.ceil_char_boundary(text.len().saturating_sub(BLOCK_BYTES_MAX));
    let indent = indent_of(line);
    let above = lines(&text[from..]).rfind(|above| text_indent(above) < indent)?;
    let (key, value) = key_of(undashed(above))?;
    let place = above.as_ptr() as usize - text.as_ptr() as usize;
    SCALARS.contains(&value).then_some((place, key))
}

/// Whether a line is a part of the text of a key above it.
pub(super) fn is_in_scalar(text: &str, line: &str) -> bool {
    line.starts_with([' ', '\t']) && scalar_above(text, line).is_some()
}

/// Whether a text has keys with the PGN of games below them, and no games besides.
pub(super) fn quotes_games(text: &str) -> bool {
    // Hardly a text has any sign that such a key ends with.
    if memchr::memchr2(b'|', b'>', text.as_bytes()).is_none() {
        return false;
    }
    let is_quoting = |line: &str| {
        let key = key_of(undashed(line));
        key.is_some_and(|(key, value)| SCALARS.contains(&value) && json_like::is_of_moves(key))
    };
    lines(text).any(is_quoting) && !lines(text).any(|line| text::is_tag(line.as_bytes()))
}

/// Whether what stands at a place of a text is in a note of a record that has a position of its own.
pub(super) fn is_quoted(text: &str, place: usize) -> bool {
    let start = text[..place].rfind(['\n', '\r']).map_or(0, |end| end + 1);
    let line = text[start..].split(['\n', '\r']).next().unwrap_or_default();
    let Some((key_at, key)) =
        scalar_above(&text[..start], line).filter(|_| is_in_scalar(&text[..start], line))
    else {
        return false;
    };
    let is_position = json_like::is_position_key(key) || key.to_lowercase().contains("diagram");
    let key_line = text[key_at..]
        .split(['\n', '\r'])
        .next()
        .unwrap_or_default();
    let depth = text_indent(key_line);
    let is_own = |line: &&str| text_indent(line) >= depth;
    let is_item = |line: &str| line.trim_start().starts_with("- ");
    let above = lines(&text[..key_at]).rev();
    let mut is_over = is_item(key_line);
    let above = above.take_while(is_own).take_while(|line| {
        let was_over = is_over;
        is_over |= is_item(line);
        !was_over
    });
    let near = &text[place..text.floor_char_boundary((place + BLOCK_BYTES_MAX).min(text.len()))];
    let below = lines(near)
        .skip(1)
        .take_while(is_own)
        .take_while(|line| !is_item(line) || text_indent(line) > depth);
    !is_position && above.chain(below).any(has_position)
}

/// Blanks before the text of a line, that of an item after its dash.
fn text_indent(line: &str) -> usize {
    line.len()
        - line
            .trim_start()
            .trim_start_matches("- ")
            .trim_start()
            .len()
}

/// What a line means to the keys above it, right below them or after empty lines. `is_first`
/// says whether positions are the first keys of their records.
pub(super) fn below(block: &str, line: &str, is_apart: bool, is_first: bool) -> KeyedLine {
    let key = key_of(line);
    if block.len() <= BLOCK_BYTES_MAX && is_in_scalar(block, line) {
        return KeyedLine::GoesOn;
    }
    if !is_key_line(line) || block.len() > BLOCK_BYTES_MAX {
        return KeyedLine::Other;
    }
    let is_again = |above: &str| match (key, key_of(undashed(above))) {
        (Some((key, _)), Some((known, _))) => {
            indent_of(above) == indent_of(line) && kind_of(known) == kind_of(key)
        }
        _ => false,
    };
    let mut own = lines(block).filter(|line| !is_end(line));
    let Some(first) = own.next() else {
        return KeyedLine::Other;
    };
    let is_item =
        |line: &&str| line.trim_start().starts_with("- ") && key_of(undashed(line)).is_some();
    let item = lines(block).rfind(is_item);
    if item.is_some_and(|item| indent_of(item) < indent_of(line)) {
        return KeyedLine::GoesOn;
    }
    let is_ended = lines(block).next_back().is_some_and(is_end);
    // What follows nothing but a position can be about the next.
    let mut is_bare = || !is_first && own.next().is_none() && has_position(first);
    let is_said = || lines(block).any(is_again) || has_position(line);
    let begins = is_ended
        || is_sibling(block, line)
        // Some keys occur several times in a record, but not the first one.
        || is_again(first)
        || is_apart && (is_bare() || is_said());
    if !is_keyed(block) {
        KeyedLine::Other
    } else if begins && is_about_something(block) {
        KeyedLine::Begins
    } else {
        KeyedLine::GoesOn
    }
}

/// The same where the keys begin further up than is looked at: `near` is the end of what stands
/// above the line. A text begins with a record, whose first key that comes again begins the others.
pub(super) fn below_many(beginning: &str, near: &str, line: &str) -> KeyedLine {
    let known: HashSet<KeyMark> = lines(near).filter_map(mark_of).collect();
    let mut marks = lines(beginning).filter_map(mark_of);
    let first = marks.find(|mark| known.contains(mark));
    let is_first = |line: &&str| first.is_some() && mark_of(line) == first;
    let last = lines(near).rfind(is_first);
    let block = last.map_or(near, |last| {
        &near[last.as_ptr() as usize - near.as_ptr() as usize..]
    });
    if !is_keyed(block) {
        KeyedLine::Other
    } else if is_first(&line) && is_about_something(block) {
        KeyedLine::Begins
    } else {
        KeyedLine::GoesOn
    }
}

/// What a key has in common with those of other records: its indentation and its kind, which a
/// section has none of.
type KeyMark = (usize, Option<String>);

fn mark_of(line: &str) -> Option<KeyMark> {
    let kind = match key_of(undashed(line)) {
        Some((key, _)) => Some(kind_of(key)),
        None => section_of(line).map(|_| None)?,
    };
    Some((indent_of(line), kind))
}

/// Whether a text begins with a key whose value is a position.
pub(super) fn begins_with_position(text: &str) -> bool {
    let mut lines = lines(text).filter(|line| !is_end(line));
    let first = lines.next().map(undashed);
    first.is_some_and(|line| key_of(line).is_some() && has_position(line))
}

/// Whether a line ends a document of YAML.
fn is_end(line: &str) -> bool {
    matches!(line.trim(), "---" | "...")
}

/// Whether a block is keys and what belongs to them.
fn is_keyed(block: &str) -> bool {
    let mut has_key = false;
    lines(block).all(|line| {
        let is_key = is_key_line(undashed(line));
        has_key |= is_key;
        let belongs = has_key && (line.starts_with([' ', '\t']) || line.starts_with("- "));
        is_key || belongs || is_end(line) || line.trim().starts_with('#')
    }) && has_key
}

/// Whether a line names what follows as another line names the position above it: as a
/// section of TOML, or with a key whose value stands in the lines below.
fn is_sibling(block: &str, line: &str) -> bool {
    if section_of(line).is_some() {
        return has_position(block);
    }
    let is_parent = |line: &str| key_of(line).is_some_and(|(_, value)| value.is_empty());
    let indent = indent_of(line);
    let mut above = lines(block).rev();
    let mut has_any = false;
    let parent = above.find(|above| {
        has_any |= has_position(above);
        indent_of(above) <= indent
    });
    has_any
        && is_parent(line)
        && parent.is_some_and(|parent| indent_of(parent) == indent && is_parent(parent))
}

/// Whether a block is keys with values, one of them a position, and more than that.
pub(super) fn is_record(block: &str) -> bool {
    record(0, block).is_some()
}
