//! Positions in lists and in running text: each FEN is a record, and what stands around it
//! its operations. The rules are numbered as in `docs/reading-epd.md`.
//!
//! A text falls into blocks: paragraphs, the items of lists, tables of Markdown. A block of
//! keys and values is a record of YAML; in any other each FEN has the text before it, and the last
//! one the text after it.

use std::ops::Range;

use super::{
    epd, games,
    json_like::{self, FieldRecord, ObjectField, ObjectPosition},
    move_context::{moves_beside, side_of_moves},
    sentences::{
        SENTENCE_BYTES_MAX, first_sentence, last_sentence, sentence_before, sentence_behind,
        sentence_ends,
    },
    table::{self, TableLayout},
    text_order::TextOrder,
    yaml_like::{self, KeyedLine},
};
use crate::{
    base::diagnostic::Code,
    games::{
        notation::epd as notation,
        running_text::{
            fen_scanner, links,
            side_to_move::{self, StatedSide},
        },
    },
};

/// Bytes of a line that are looked at to see what it means to the next one.
pub(super) const LINE_BYTES: usize = 4096;

/// Bytes of a label in front of a position.
const LABEL_BYTES_MAX: usize = 60;

/// Bytes of text beside a position of a list.
const BESIDE_BYTES_MAX: usize = 120;

/// Whether a block is nothing but an item of a list that is a position (L1).
pub(super) fn is_item(block: &str, found: &[Range<usize>]) -> bool {
    let [at] = found else {
        return found.is_empty() && yaml_like::is_game(block);
    };
    let is_listed = is_listed(&block[..at.start], at.len(), &block[at.end..]);
    // Lines that begin with a position are EPD.
    yaml_like::is_record(block) || is_listed && !epd::is_record(block.trim())
}

/// Whether a line says who moves and has no position itself.
pub(super) fn is_statement(line: &str) -> bool {
    line.len() <= LINE_BYTES
        && side_to_move::said(line) != StatedSide::Unstated
        && fen_scanner::all(line).is_empty()
}

/// Whether a line has a position that does not say who moves, nor do words beside it.
pub(super) fn opens(line: &str) -> bool {
    let line = &line[..line.floor_char_boundary(LINE_BYTES)];
    line.bytes().filter(|byte| *byte == b'/').take(3).count() == 3
        && side_to_move::said(line) == StatedSide::Unstated
        && fen_scanner::all(line)
            .last()
            .is_some_and(|at| side_to_move::is_unsaid(&line[at.clone()]))
}

/// Whether a line says who moves in what stands below it: it has a number, or is written as a
/// heading.
pub(super) fn is_heading(line: &str) -> bool {
    let line = line.trim_start();
    let is_marked = line.starts_with('#')
        || line.starts_with("<h")
        || line.starts_with(|c: char| c.is_ascii_digit() || c == '(') && marker_len(line) > 0;
    is_marked && is_statement(line)
}

/// Whether a line with a position has a number or a name before it.
pub(super) fn is_named(line: &str) -> bool {
    let before = fen_scanner::all(line)
        .first()
        .map_or("", |at| &line[..at.start]);
    !name_of(before, true).is_empty()
}

/// Whether a line that begins a block is about the position right below it: it says who moves,
/// or is a number or a name that ends with one.
fn heads(line: &str) -> bool {
    let line = line.trim();
    let name = line.trim_start_matches(['#', '*', ' ']);
    let is_label = name.len() <= LABEL_BYTES_MAX
        && name
            .trim_end_matches(['.', ':', ')', '*'])
            .ends_with(|c: char| c.is_ascii_digit())
        && name.split_whitespace().count() <= 3
        && yaml_like::key_of(line).is_none();
    (is_label && fen_scanner::all(line).is_empty())
        || line.len() <= BESIDE_BYTES_MAX && is_statement(line)
}

/// The heading of a position in the text before it, and what stands after that.
fn headed(before: &str) -> (&str, &str) {
    let text = before.trim_start();
    match text.split_once(['\n', '\r']) {
        Some((heading, rest)) if !rest.trim().contains(['\n', '\r']) && heads(heading) => {
            (heading.trim(), rest)
        }
        _ => ("", before),
    }
}

/// A text without the tags of HTML and the signs of headings.
pub(super) fn without_tags(text: &str) -> String {
    let mut is_tag = false;
    let plain = text.chars().filter(|&c| {
        is_tag |= c == '<';
        let is_text = !is_tag;
        is_tag &= c != '>';
        is_text
    });
    let plain: String = plain.collect();
    let signs = |c: char| matches!(c, '#' | '*' | '.' | ':') || c.is_whitespace();
    plain
        .trim_start_matches(['#', '*', ' '])
        .trim_end_matches(signs)
        .to_owned()
}

/// The blocks of a text, each with its place.
pub(super) fn blocks(text: &str, order: TextOrder) -> impl Iterator<Item = (usize, &str)> {
    let is_first = order.is_position_first;
    let mut from = 0;
    let mut at = 0;
    let (mut above, mut is_apart) = ("", false);
    let mut lines = text.split_inclusive(['\n', '\r']);
    std::iter::from_fn(move || {
        for line in lines.by_ref() {
            let start = at;
            at += line.len();
            let content = line.trim_end();
            // The second half of CRLF is no line.
            if line == "\n" && text[..start].ends_with('\r') {
                continue;
            }
            if content.trim().is_empty() {
                is_apart = true;
                continue;
            }
            let begins = match yaml_like::below(&text[from..start], content, is_apart, is_first) {
                KeyedLine::Begins => true,
                KeyedLine::GoesOn
                    if is_apart || yaml_like::is_in_scalar(&text[from..start], content) =>
                {
                    false
                }
                _ if is_apart => {
                    let first = text[from..].trim_start().lines().next().unwrap_or_default();
                    let item = first.strip_prefix("- ").and_then(yaml_like::key_of);
                    !goes_on(above, content, item.is_some())
                }
                _ if order.is_side_first == Some(true) && opens(above) && is_statement(content) => {
                    true
                }
                _ => begins_block(above, content, text[from..start].trim() == above.trim()),
            };
            let begins = begins && start > from;
            (above, is_apart) = (content, false);
            if begins {
                let block = from..start;
                from = start;
                return Some((block.start, &text[block]));
            }
        }
        let block = from..text.len();
        from = text.len();
        (!block.is_empty()).then(|| (block.start, &text[block]))
    })
}

/// What a line means to the keys right above it, or above the blank lines before it, as far as the
/// paragraph that ends a text shows.
pub(super) fn below_keys(text: &[u8], line: &str, is_apart: bool) -> KeyedLine {
    if !yaml_like::is_key_line(line) {
        return KeyedLine::Other;
    }
    let text = text.trim_ascii_end();
    let from = text.len().saturating_sub(yaml_like::BLOCK_BYTES_MAX);
    let read = |bytes: &[u8]| {
        let text = String::from_utf8_lossy(bytes);
        text.replace("\r\n", "\n").replace('\r', "\n")
    };
    let near = read(&text[from..]);
    let paragraph = match near.rfind("\n\n") {
        Some(at) => &near[at + 2..],
        None if from == 0 => &near[..],
        // The lines right above do not show which key is the first of a record.
        None => {
            let beginning = read(&text[..yaml_like::BLOCK_BYTES_MAX]);
            let whole_lines = near.split_once('\n').map_or("", |(_, lines)| lines);
            return yaml_like::below_many(&beginning, whole_lines, line);
        }
    };
    let order = TextOrder {
        is_position_first: true,
        ..TextOrder::default()
    };
    let block = blocks(paragraph, order).last();
    block.map_or(KeyedLine::Other, |(_, block)| {
        yaml_like::below(block, line, is_apart, true)
    })
}

/// Whether a line belongs to what stands above the blank lines before it: to a table of
/// Markdown, or to an item with keys, whose further ones are indented.
pub(super) fn goes_on(above: &str, line: &str, is_keyed: bool) -> bool {
    let is_row = |line: &str| line.trim_start().starts_with('|');
    let is_indented = |line: &str| line.starts_with([' ', '\t']);
    let is_within = || is_indented(above) || above.starts_with("- ");
    let is_item = || {
        let item = line.trim_start().strip_prefix("- ");
        item.and_then(yaml_like::key_of).is_some()
    };
    is_row(above) && is_row(line) || is_keyed && is_indented(line) && is_within() && !is_item()
}

/// Whether a line begins a block right below another: as an item of a list whose position it
/// has, or a heading; `is_first` says whether the line above begins its block.
pub(super) fn begins_block(above: &str, line: &str, is_first: bool) -> bool {
    let (above, text) = (above.trim(), line.trim());
    if is_heading(text) {
        return true;
    }
    if text.starts_with('|') || above.starts_with('|') {
        return text.starts_with('|') != above.starts_with('|');
    }
    let (marker, rest) = text.split_at(marker_len(text));
    if marker.is_empty() {
        // Below keys without a position it is the next one of theirs.
        let is_indented = line.starts_with([' ', '\t']);
        let goes_on = || yaml_like::is_key_line(above) && fen_scanner::all(above).is_empty();
        // A sentence may have its position at the beginning of a line.
        let is_cut = |at: Range<usize>| {
            let word = above.rsplit(char::is_whitespace).next().unwrap_or_default();
            // Castling and promotions end in letters as well.
            let ends_in_words = above.ends_with(|c: char| c.is_alphabetic() || c == ',')
                && games::moves_in(word) == 0;
            at.start == 0 && ends_in_words && fen_scanner::all(above).is_empty()
        };
        let is_headed = || is_first && heads(above);
        let begins = !is_indented && !goes_on();
        return begins && item(text).is_some_and(|at| !is_cut(at)) && !is_headed();
    }
    yaml_like::key_of(rest).is_some() && marker.starts_with('-') || item(text).is_some()
}

/// The position of a line that is an item of a list.
pub(super) fn item(line: &str) -> Option<Range<usize>> {
    let found = fen_scanner::all(&line[..line.floor_char_boundary(LINE_BYTES)]);
    found
        .into_iter()
        .next()
        .filter(|at| is_listed(&line[..at.start], at.len(), &line[at.end..]))
}

/// Whether what stands around a position is no sentence; the position has this many bytes.
fn is_listed(before: &str, bytes: usize, behind: &str) -> bool {
    let (_, before) = headed(before);
    let label = label(before);
    // As the binary formats of engines are written out.
    let is_word = || !label.contains(' ') && json_like::is_position_key(label);
    let is_label = label.is_empty()
        || is_word()
        || label.len() <= LABEL_BYTES_MAX
            && !label.contains('\n')
            && before
                .trim_end_matches(is_opening)
                .ends_with([':', '=', '.', ')', ']', '>', '-', '*', '+', '•', '|']);
    let behind = behind.trim();
    let is_short = behind.len() <= BESIDE_BYTES_MAX.max(bytes);
    is_label && is_short && sentence_ends(behind).next().is_none()
        || is_label && is_operations(behind)
}

/// Whether what follows a position is operations of EPD.
fn is_operations(behind: &str) -> bool {
    let behind = behind.trim_start();
    let word = behind.split_ascii_whitespace().next().unwrap_or_default();
    let is_one = notation::looks_like_opcode(word, &behind[word.len()..]);
    // Words of a sentence may have a semicolon after them.
    let is_known = notation::kind(word) != notation::OperandKind::Any;
    !word.is_empty() && is_one && (is_known || behind.trim_end().ends_with(';'))
}

/// Signs that stand between a label and what it names.
fn is_opening(c: char) -> bool {
    c.is_whitespace() || matches!(c, '"' | '\'' | '`' | '„' | '“' | '«' | '(' | '<')
}

/// Bytes of what marks an item of a list: `-`, `*`, `7.`, `7)`, `(7)`, with the blanks after it.
fn marker_len(line: &str) -> usize {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let len = match line.as_bytes().first() {
        Some(b'-' | b'*' | b'+') => 1,
        Some(b'(') => match digits(&line[1..]) {
            0 => 0,
            digits if line[1 + digits..].starts_with(')') => digits + 2,
            _ => 0,
        },
        Some(b'0'..=b'9') => {
            let digits = digits(line);
            usize::from(line[digits..].starts_with(['.', ')', ':'])) * (digits + 1)
        }
        _ if line.starts_with('•') => '•'.len_utf8(),
        _ => 0,
    };
    let rest = &line[len..];
    let blanks = rest.len() - rest.trim_start().len();
    if len == 0 || blanks == 0 {
        0
    } else {
        len + blanks
    }
}

/// What names a position, of the text before it.
fn label(before: &str) -> &str {
    let is_around = |c: char| is_opening(c) || matches!(c, ':' | '=' | ',' | ';' | '|' | '–' | '—');
    let mut label = before.trim();
    // Tags of forums and of Markdown.
    for tag in ["[fen]", "[FEN]", "<fen>", "<code>", "```"] {
        label = label.strip_suffix(tag).unwrap_or(label);
    }
    label.trim_end_matches(is_around).trim_start()
}

/// The records of a block that stands at an offset; rows of Markdown without names of
/// columns have those of a table.
pub(super) fn records(at: usize, block: &str, above: Option<&TableLayout>) -> Vec<FieldRecord> {
    if block.trim_start().starts_with('|') {
        return table::markdown(at, block, above);
    }
    let found = fen_scanner::all(block);
    // Where a record has a position of its own, its other values may quote some.
    let is_record = !found.is_empty() || yaml_like::is_game(block);
    if is_record && let Some(record) = yaml_like::record(at, block) {
        return vec![record];
    }
    let positions = positions(at, block, &found).into_iter();
    positions.map(FieldRecord::Position).collect()
}

/// The positions of a block, each with what stands around it.
fn positions(at: usize, block: &str, found: &[Range<usize>]) -> Vec<ObjectPosition> {
    let mut positions = Vec::with_capacity(found.len());
    let mut from = 0;
    for (nth, place) in found.iter().enumerate() {
        let next = found.get(nth + 1).map_or(block.len(), |next| next.start);
        let end = block[place.end..next].find(['\n', '\r']);
        // What stands in further lines is about the next one.
        let to = match end.filter(|_| nth + 1 < found.len()) {
            Some(end) => place.end + end,
            None if nth + 1 < found.len() => place.end,
            None => next,
        };
        let around = [&block[from..place.start], &block[place.end..to]];
        positions.push(quoted(
            at + place.start,
            &fen_scanner::written(&block[place.clone()]),
            around,
        ));
        from = to;
    }
    positions
}

/// A position in running text, with the text before and after it.
pub(super) fn quoted(at: usize, position: &str, [before, behind]: [&str; 2]) -> ObjectPosition {
    let side = match side_around(before, closing(behind)) {
        StatedSide::Unstated if side_to_move::is_unsaid(position) => {
            side_of_moves(position, behind)
        }
        said => said,
    };
    let mut found = ObjectPosition {
        at,
        position: position.to_owned(),
        side,
        ..ObjectPosition::default()
    };
    side_to_move::complete(&mut found.position, found.side);
    let position = &found.position.clone()[..];
    let mut put = |key: Option<&str>, text: &str| {
        found.values.push(ObjectField {
            key: key.map(str::to_owned),
            text: text.split_whitespace().collect::<Vec<_>>().join(" "),
            is_bare: false,
        });
    };
    if let Some(variant) = links::variant([before, behind]) {
        put(Some("variant"), variant);
    }
    let is_behind = |c: char| c.is_whitespace() || "\"'`,;|)]>”»".contains(c);
    let is_closing = |c: char| is_behind(c) && !matches!(c, ')' | ']');
    let rest = closing(behind).trim_start_matches(is_behind);
    let rest = rest.trim_end_matches(is_closing);
    if is_listed(before, position.len(), behind) {
        let moves = moves_beside(position, rest).filter(|_| !behind.contains('"'));
        let own = moves.is_none() && is_operations(rest);
        let rest = uncommented(rest);
        let (heading, before) = headed(before);
        match name_of(before, !own) {
            name if name.is_empty() => put(Some("id"), &without_tags(heading)),
            name => {
                put(Some("id"), &name);
                put(Some("c0"), &without_tags(heading));
            }
        }
        if own {
            let operations = notation::operations(behind.trim(), None);
            found.is_odd = operations.warnings.contains(&Code::EpdSpelling);
            found.position = format!("{position} {}", behind.trim());
        } else if let Some(moves) = moves {
            found.values.extend(moves);
        } else if !without_tags(&format!("{rest}>")).is_empty() {
            put(Some("c0"), rest);
        }
        return found;
    }
    let (begin, is_cut) = sentence_before(before);
    let (end, is_cut_behind) = sentence_behind(closing(behind));
    let cut = |is_cut: bool| if is_cut { "…" } else { "" };
    let sentence = [cut(is_cut), begin, "…", end, cut(is_cut_behind)];
    put(Some("c0"), &sentence.join(" "));
    let (line, below) = behind.split_once(['\n', '\r']).unwrap_or((behind, ""));
    // What stands in the line of the position may be anything else that looks like moves.
    let own = moves_beside(position, line.trim_matches(is_behind));
    let own = own.filter(|said| said.iter().any(|value| value.key.as_deref() == Some("pv")));
    let mut lines = below.lines().filter(|line| !line.trim().is_empty());
    let moves = own.or_else(|| lines.find_map(|line| moves_beside(position, line)));
    found.values.extend(moves.into_iter().flatten());
    found
}

/// A text without the sign of a comment before it.
fn uncommented(text: &str) -> &str {
    let behind = text.strip_prefix("//").or(text.strip_prefix("# "));
    behind.map_or(text, str::trim_start)
}

/// Who moves by the sentences before and after a position, else by the text around them.
fn side_around(before: &str, behind: &str) -> StatedSide {
    let near =
        side_to_move::said(last_sentence(before)).and(side_to_move::said(first_sentence(behind)));
    let from = before.ceil_char_boundary(before.len().saturating_sub(SENTENCE_BYTES_MAX));
    let to = behind.floor_char_boundary(SENTENCE_BYTES_MAX);
    let around = || side_to_move::said(&before[from..]).and(side_to_move::said(&behind[..to]));
    match near {
        StatedSide::Unstated => around(),
        said => said,
    }
}

/// What an item of a list is called: its number, if it has no other name, and if that is
/// wanted.
fn name_of(before: &str, with_number: bool) -> String {
    let before = before.trim_start();
    let (marker, name) = before.split_at(marker_len(before));
    let number = marker.trim_matches(|c: char| !c.is_ascii_digit());
    // Tags of HTML alone are no name.
    let name = Some(label(name)).filter(|name| !without_tags(name).is_empty());
    let name = name.unwrap_or_default();
    match (number, name) {
        _ if !json_like::is_name(name) => {
            let number = Some(number).filter(|_| with_number);
            number.unwrap_or_default().to_owned()
        }
        ("", name) => name.to_owned(),
        (number, name) => format!("{number}. {name}"),
    }
}

/// What stands after a position without what closes its quotation.
fn closing(behind: &str) -> &str {
    let mut rest = behind;
    for tag in ["[/fen]", "[/FEN]", "</fen>", "</code>", "```"] {
        rest = rest.strip_prefix(tag).unwrap_or(rest);
    }
    rest.trim_start_matches(['"', '\'', '`', '”', '»'])
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: &str = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";

    /// Position and values of each that is found.
    fn told(text: &str) -> Vec<String> {
        let told = |found: FieldRecord| {
            let FieldRecord::Position(found) = found else {
                panic!("a game");
            };
            let values = found.values.iter().filter(|value| !value.text.is_empty());
            let values = values.map(|value| {
                let key = value.key.as_deref().unwrap_or("-");
                format!(" {key}={}", value.text)
            });
            assert!(text[found.at..].starts_with(&found.position[..4]), "{text}");
            format!(
                "{}{}",
                found.position.replace(A, "A"),
                values.collect::<String>()
            )
        };
        let found =
            blocks(text, TextOrder::default()).flat_map(|(at, block)| records(at, block, None));
        found.map(told).collect()
    }

    #[test]
    fn items_of_lists_have_their_labels() {
        for (text, wanted) in [
            (format!("1. {A}\n2. {A}"), &["A id=1", "A id=2"][..]),
            (format!("1) {A}\r\n(2) {A}\r\n"), &["A id=1", "A id=2"]),
            (format!("- {A}\n* `{A}`"), &["A", "A"]),
            (
                format!("FEN: {A}\n\nPosition 3: {A}"),
                &["A", "A id=Position 3"],
            ),
            (format!("7. Lasker: {A}"), &["A id=7. Lasker"]),
            (
                format!("{A} [0.5]\n{A} [1.0]"),
                &["A c0=[0.5]", "A c0=[1.0]"],
            ),
            (format!("\"{A}\",\n\"{A}\""), &["A", "A"]),
            (format!("1. {A} bm e4; id \"x\";"), &["A bm e4; id \"x\";"]),
            (format!("1. {A} 1. e4 Ke7 2. e5"), &["A id=1 pv=e4 Ke7 e5"]),
            (
                format!(
                    "- fen: \"{A}\"\n  id: one\n  moves:\n    - e4\n    - Ke7\n- id: 2\n  fen: {A}\n"
                ),
                &["A id=one moves=e4 Ke7", "A id=2"],
            ),
            (
                format!("name: x\nfen: {A}\n\nname: y\nfen: {A}\n"),
                &["A name=x", "A name=y"],
            ),
        ] {
            let expected: &[&str] = wanted;
            assert_eq!(told(&text), expected, "{text}");
        }
    }

    #[test]
    fn sentences_are_comments() {
        let text = format!("It began. We saw\n{A}, a draw, then\nmore. The end.\n\nAlso {A}.");
        assert_eq!(
            told(&text),
            ["A c0=We saw … , a draw, then more.", "A c0=Also … ."]
        );
        let text = format!("Look: [fen]{A}[/fen] is nice. Or not.");
        assert_eq!(told(&text), ["A c0=Look: [fen] … is nice."]);
    }
}
