//! Positions quoted in JSON and in the source code of programs, with what stands
//! beside them. The rules are numbered as in `docs/reading-epd.md`.
//!
//! One reader does for both: strings, brackets and names are alike in all of them,
//! and a file that was cut still gives the positions it has. Each position becomes
//! a line of EPD, whose operations are the values beside it.

mod markup;
mod moves;
mod played;
mod tree;

use std::fmt::Write as _;

use super::{ChunkLine, ChunkText, PgnTranscript, Sample, StreamHints, epd, text};
use crate::{
    base::diagnostic::Code,
    games::{
        notation::{epd as notation, epd::OperandKind},
        running_text::{
            fen_scanner,
            side_to_move::{self, StatedSide},
        },
        variant::Variant,
    },
    input::chunk::RecordBoundary,
};
pub(super) use moves::{is_line, moves as played_line, unresolved_line, written_line};
pub(super) use played::{ObjectGame, are_game, is_of_moves};
use tree::{ListingContents, is_one_of};
pub(super) use tree::{ObjectField, ObjectPosition, is_name, is_position_key};

/// A line that begins with a brace begins a record: one of many in a file of
/// JSON lines (J2).
pub(super) const LINES: RecordBoundary = RecordBoundary {
    name: "listing",
    begins: |bytes, at| bytes[at] == b'{',
    // An array of objects, or of arrays with positions, that is laid out over lines: what it is in
    // is lost. Moves stand in arrays, too.
    may_begin: |bytes, at| {
        let line = bytes[at..].split(|&byte| byte == b'\n').next();
        match line.unwrap_or_default().trim_ascii_start() {
            [b'{', ..] => true,
            row @ [b'[', ..] => memchr::memchr_iter(b'/', row).count() >= RANKS_LEAST,
            _ => false,
        }
    },
};

/// Slashes between the ranks of a board.
const RANKS_LEAST: usize = 7;

/// Keys whose value is the name of the record, the best one first (J4).
const NAMES: &[&str] = &[
    "id",
    "name",
    "title",
    "event",
    "code",
    "problemid",
    "puzzleid",
];

/// Keys whose value is played from the position, if it is moves (J5).
const LINES_OF_MOVES: &[&str] = &["pv", "moves", "solution", "line"];

/// Keys whose value is the game that the position is of (J6).
const VARIANTS: &[&str] = &["variant", "gametype", "game_type"];

/// How much of a sample is JSON with positions in it, or a program that quotes them (J1).
pub(super) fn explains(sample: &Sample<'_>) -> u32 {
    let is_tag = |line: ChunkLine<'_>| text::is_tag(line.bytes);
    let text = sample.text.trim_start();
    if text::lines(sample.bytes).any(is_tag) {
        return 0;
    }
    let found = tree::read(text);
    let is_certain =
        |game: &ObjectGame| !game.positions.is_empty() || played::is_certain(&game.values);
    if found.positions.is_empty() && !found.games.iter().any(is_certain) {
        return 0;
    }
    if markup::is_markup(text) {
        return 80 * u32::from(markup::is_structured(text, &found));
    }
    if is_quoted(text) {
        return 98;
    }
    // Comments of programs end with their lines.
    let is_code = |line: &str| {
        let code = line.split("//").next().unwrap_or_default();
        let code = code.split(" # ").next().unwrap_or_default().trim_end();
        let is_value = || code.ends_with(['"', '\'']) && code.contains('=');
        code.is_empty() || code.ends_with(['{', '}', '[', ']', '(', ')', ',', ';']) || is_value()
    };
    if sample.share(is_code) >= 50 { 64 } else { 25 }
}

/// A record whose values have names.
#[derive(Debug)]
pub(super) enum FieldRecord {
    /// A position, and what is said of it.
    Position(ObjectPosition),
    /// A game, and what is said of it.
    Game(ObjectGame),
}

impl FieldRecord {
    const fn at(&self) -> usize {
        match self {
            Self::Position(position) => position.at,
            Self::Game(game) => game.at,
        }
    }

    /// Writes it; `place` gives the offset in the source of an offset in the text.
    pub(super) fn write(
        self,
        place: impl Fn(usize) -> usize,
        hints: &StreamHints,
        out: &mut PgnTranscript,
    ) {
        let at = place(self.at());
        match self {
            Self::Position(position) => record(at, position, hints, out),
            Self::Game(game) => played::record(at, game, hints, out),
        }
    }
}

pub(super) fn transcribe(text: &ChunkText<'_>, hints: &StreamHints, out: &mut PgnTranscript) {
    let source = text.decoded();
    if hints.has_json_lines {
        for line in text::lines(source.text.as_bytes()) {
            let written = &source.text[line.at..line.at + line.bytes.len()];
            json_line(written, |at| source.offset(line.at + at), hints, out);
        }
    } else {
        let text = &source.text[..];
        let mut found = tree::read(text);
        let unparted = std::mem::take(&mut found.unparted);
        let mut breaks = unparted.into_iter().filter(|_| is_quoted(text)).peekable();
        let mut records = in_order(found).into_iter().peekable();
        while let Some(record) = records.next() {
            record.write(|at| source.offset(at), hints, out);
            // Of several breaks in a record the first is said.
            let next = records.peek().map_or(text.len(), FieldRecord::at);
            if let Some(at) = breaks.next_if(|&at| at < next) {
                let line = text[at..].lines().next().unwrap_or_default();
                out.find(Code::BrokenJson, source.offset(at), epd::excerpt(line));
            }
            while breaks.next_if(|&at| at < next).is_some() {}
        }
    }
    out.guessed(source.guessed, text.fallback.name());
    out.end();
}

/// The records of a text, in order.
fn records(text: &str) -> Vec<FieldRecord> {
    in_order(tree::read(text))
}

/// Whether a text is a list or an object of JSON: quotes stand after its brackets, or another
/// value and a comma.
fn is_quoted(text: &str) -> bool {
    let text = text.trim_start();
    let opens = |c: char| matches!(c, '{' | '[');
    let behind = text.trim_start_matches(|c: char| opens(c) || c.is_whitespace());
    let is_value = || {
        behind
            .split_once(',')
            .is_some_and(|(value, _)| is_json(value))
    };
    text.starts_with(opens) && (behind.starts_with('"') || is_value())
}

fn in_order(found: ListingContents) -> Vec<FieldRecord> {
    let positions = found.positions.into_iter().map(|mut found| {
        name_line(&mut found);
        FieldRecord::Position(found)
    });
    let games = found.games.into_iter().map(FieldRecord::Game);
    let mut records: Vec<FieldRecord> = positions.chain(games).collect();
    records.sort_by_key(FieldRecord::at);
    records
}

/// Whether each line of a text is JSON of its own: half of its lines are.
pub(super) fn has_json_lines(sample: &Sample<'_>) -> bool {
    let (mut all, mut whole, mut objects) = (0_usize, 0, 0);
    for line in sample.lines() {
        let is_whole = is_json(line);
        all += 1;
        whole += usize::from(is_whole);
        objects += usize::from(is_whole && line.starts_with(['{', '[']));
    }
    objects > 1 && whole * 2 >= all
}

fn is_json(text: &str) -> bool {
    serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok()
}

/// Writes the records of a line of JSON lines, or says that it has none.
fn json_line(
    line: &str,
    place: impl Fn(usize) -> usize,
    hints: &StreamHints,
    out: &mut PgnTranscript,
) {
    let records = records(line);
    let is_whole = line.is_empty() || is_json(line);
    match (is_whole, records.is_empty()) {
        (false, true) => out.reject(Code::BrokenJson, place(0), epd::excerpt(line)),
        // What says nothing of a game (`null`, the end of a list) is no record.
        (true, true) if line.starts_with('{') => {
            out.reject(Code::NoPosition, place(0), epd::excerpt(line));
        }
        _ => {}
    }
    for (nth, record) in records.into_iter().enumerate() {
        record.write(&place, hints, out);
        if nth == 0 && !is_whole {
            out.find(Code::BrokenJson, place(0), epd::excerpt(line));
        }
    }
}

/// Writes the record of a position that stands at an offset of the source; who moves on a
/// board alone, the values beside it say.
///
/// Where several positions stand in one place, all that is beside them is said of each.
pub(super) fn record(
    at: usize,
    mut found: ObjectPosition,
    hints: &StreamHints,
    out: &mut PgnTranscript,
) {
    if let Some(all) = fen_scanner::listed(&found.position) {
        let text = std::mem::take(&mut found.position);
        for place in all {
            let one = ObjectPosition {
                position: fen_scanner::written(&text[place]).into_owned(),
                ..found.clone()
            };
            record(at, one, hints, out);
        }
        return;
    }
    if is_behind_moves(&found) {
        let key = found.name.take().unwrap_or_else(|| "fen".to_owned());
        let game = ObjectGame {
            at,
            values: std::mem::take(&mut found.values),
            positions: vec![(Some(key), found)],
        };
        return played::record(at, game, hints, out);
    }
    let is_unclear = side_to_move::is_unsaid(&found.position) && {
        let side = found.stated_side().and(found.side);
        side_to_move::complete(&mut found.position, side);
        side == StatedSide::Both
    };
    let found = &found;
    let inferred = found.inferred.as_ref();
    let taken = inferred.map(|taken| (taken.variant, Some(taken.by())));
    let said = variant(found).map(|variant| (variant, None)).or(taken);
    // It knows better than the name of the file.
    let said = said.filter(|_| !hints.is_forced);
    let said = said.map(|(variant, by)| StreamHints {
        variant: Some(variant),
        by,
        ..StreamHints::default()
    });
    let hints = said.as_ref().unwrap_or(hints);
    epd::record(at, &line(found), hints, epd::OperationSource::Ours, out);
    if found.is_odd {
        out.find(Code::EpdSpelling, at, found.position.clone());
    }
    if is_unclear {
        out.find(Code::SideUnclear, at, found.position.clone());
    }
}

/// Names the value that nothing names and that is moves: the first that can be played from the
/// position, else, since it must be reported, the first that is nothing but moves. The name of
/// a square may be that of the record: it is a move only where nothing else can be the name.
pub(super) fn name_line(found: &mut ObjectPosition) {
    let ObjectPosition {
        position, values, ..
    } = found;
    let is_unnamed = |value: &ObjectField| value.key.is_none() && !value.is_bare;
    let is_square = |text: &str| {
        let letters = text.trim().to_ascii_lowercase();
        matches!(letters.as_bytes(), [b'a'..=b'h', b'1'..=b'8'])
    };
    let is_move = |word: &str| word.bytes().any(|b| matches!(b, b'1'..=b'8' | b'O' | b'0'));
    let begins = |text: &str| text.split_ascii_whitespace().next().is_some_and(is_move);
    let is_played = |text: &str| begins(text) && is_line(position, text);
    let is_said = |text: &str| {
        let is_of_piece = text.starts_with(|c: char| c.is_ascii_uppercase());
        moves::unplayed(text).is_some_and(|line| is_of_piece || line.contains(' '))
    };
    let is_told = |value: &ObjectField| value.key.as_deref().is_some_and(played::is_of_moves);
    let find = |of: &dyn Fn(&str) -> bool| {
        let mut values = values.iter();
        values.position(|value| is_unnamed(value) && of(&value.text))
    };
    let is_open = !values.iter().any(is_told);
    let others = values.iter().filter(|value| is_unnamed(value)).count() > 1;
    let own = find(&|text| !is_square(text) && is_played(text))
        .or_else(|| find(&|text| is_open && !is_square(text) && is_said(text)))
        .or_else(|| find(&|text| others && is_square(text) && is_played(text)));
    if let Some(own) = own {
        values[own].key = Some("pv".to_owned());
    }
}

/// The variant that a value beside a position names.
fn variant(found: &ObjectPosition) -> Option<&'static Variant> {
    let value = found.values.iter().find(|value| is_one_of(value, VARIANTS));
    Variant::named(&value?.text)
}

/// The value that is played from a position, as the moves of its line: of several with such names
/// the first that can be played completely, else the first that is nothing but moves.
fn line_beside(found: &ObjectPosition) -> Option<(usize, String)> {
    let is_of_line = |key: &str| {
        let own = key.rsplit('.').next().unwrap_or(key);
        LINES_OF_MOVES
            .iter()
            .any(|known| own.eq_ignore_ascii_case(known))
    };
    let values = found.values.iter().enumerate();
    let mut lines: Vec<(usize, &ObjectField)> = values
        .filter(|(_, value)| value.key.as_deref().is_some_and(is_of_line))
        .collect();
    // Those of the position itself come before those of what is said of it.
    lines.sort_by_key(|(_, value)| value.key.as_deref().is_some_and(|key| key.contains('.')));
    let read = |with: &dyn Fn(&str) -> Option<String>| {
        let mut lines = lines.iter();
        lines.find_map(|(at, value)| Some((*at, with(&value.text)?)))
    };
    read(&|text| played_line(&found.position, text)).or_else(|| read(&moves::unplayed))
}

/// Whether the moves beside a position are those that led to it from the beginning.
fn is_behind_moves(found: &ObjectPosition) -> bool {
    let Some((at, moves)) = line_beside(found) else {
        return false;
    };
    played_line(&found.position, &found.values[at].text).is_none()
        && moves::leads_to(&found.position, &moves)
}

/// The line of EPD that says of a position what the listing does.
pub(super) fn line(found: &ObjectPosition) -> String {
    let mut operations: Vec<(String, String)> = Vec::new();
    let named = NAMES.iter().find_map(|name| {
        let mut values = found.values.iter();
        values.position(|value| is_one_of(value, &[name]) && !value.text.is_empty())
    });
    let unnamed = || {
        let mut values = found.values.iter();
        values.position(|value| value.key.is_none() && !value.text.is_empty())
    };
    // Where the place has a name, texts without one are comments.
    let named = named.or_else(|| unnamed().filter(|_| found.name.is_none()));
    let name = named.map(|at| found.values[at].text.as_str());
    if let Some(name) = name.or(found.name.as_deref()) {
        operations.push(("id".to_owned(), notation::quoted(name)));
    }
    let own_line = line_beside(found);
    let mut comments = (0..=8).map(|number| format!("c{number}"));
    // What has no opcode of its own, the last comment has.
    let mut last: Vec<String> = Vec::new();
    if let (Some(_), Some(place)) = (name, &found.name) {
        operations.extend(comments.next().map(|c| (c, notation::quoted(place))));
    }
    for (at, value) in found.values.iter().enumerate() {
        if Some(at) == named || value.text.is_empty() {
            continue;
        }
        let Some(key) = &value.key else {
            match comments.next() {
                Some(comment) => operations.push((comment, notation::quoted(&value.text))),
                None => last.push(value.text.clone()),
            }
            continue;
        };
        if let Some((own, moves)) = &own_line
            && *own == at
        {
            operations.push(("pv".to_owned(), moves.clone()));
        } else if let Some(key) = opcode(key, &operations) {
            let operand = operand(&key, value);
            operations.push((key, operand));
        } else {
            last.push(format!("{key}: {}", value.text));
        }
    }
    if !last.is_empty() {
        operations.push(("c9".to_owned(), notation::quoted(&last.join("; "))));
    }
    let mut line = found.position.trim().trim_end_matches(';').to_owned();
    for (opcode, operands) in operations {
        let _ = write!(line, ";{opcode} {operands}");
    }
    line
}

/// A key as a new opcode: fifteen letters, digits and underscores.
fn opcode(key: &str, taken: &[(String, String)]) -> Option<String> {
    let mut name: String = key
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
        .skip_while(|c| !c.is_ascii_alphabetic())
        .take(15)
        .collect();
    name.make_ascii_lowercase();
    // Counters of the position are its own.
    let is_taken = taken.iter().any(|(known, _)| *known == name);
    (!name.is_empty() && !is_taken && !matches!(&name[..], "hmvc" | "fmvn")).then_some(name)
}

fn operand(opcode: &str, value: &ObjectField) -> String {
    match notation::kind(opcode) {
        OperandKind::Moves | OperandKind::Line => value.text.replace([',', ';', '"'], " "),
        // A number that begins with a zero is a name, and would lose it.
        _ if value.is_bare && !begins_with_zero(&value.text) => value.text.clone(),
        _ => notation::quoted(&value.text),
    }
}

fn begins_with_zero(number: &str) -> bool {
    matches!(number.as_bytes(), [b'0', b'0'..=b'9', ..])
}
