//! A chunk's games, read: everything the writer needs, in a few large buffers,
//! so that a thread can read a chunk and hand it over without an allocation a tag.

use std::{
    borrow::Cow,
    collections::{HashMap, hash_map::Entry},
    ops::Range,
};

use encoding_rs::Encoding;
use foldhash::fast::FixedState;
use shakmaty::Chess;

use crate::{
    diagnostic::{Code, Diagnostic},
    index::facts::Facts,
    parse::{Parser, RawGame},
    replay::read::{self, Opening, Reading},
    source::encoding,
    tags::{date, eco, elo, game_type, names, result},
    variant::Variant,
};

use super::{
    habits::Habits,
    start::{self, BatchStart, Beginning, From},
};

mod draughts;

/// A place in [`Batch::text`].
pub(super) type Span = Range<usize>;

/// A game of a batch.
#[derive(Debug, Default)]
pub(super) struct BatchGame {
    /// Facts; names and start are filled in by the writer.
    pub(super) facts: Facts,
    /// White, Black, event, site.
    pub(super) names: [Option<Span>; 4],
    pub(super) round: Option<Span>,
    pub(super) eco: Option<Span>,
    /// The tag layout as JSON.
    pub(super) layout: Span,
    /// The values that no column gives back, in `Batch::extras`.
    pub(super) extras: Range<usize>,
    /// JSON array of annotations.
    pub(super) annotation: Option<Span>,
    /// Index + 1 into `Batch::starts`, 0 for the usual start of chess.
    pub(super) start: usize,
    /// Packed plies in `Batch::plies`.
    pub(super) plies: Range<usize>,
    /// Keys of its structures in `Batch::structures`.
    pub(super) structures: Range<usize>,
    /// Coarse keys inside variations, in `Batch::variations`.
    pub(super) variations: Range<usize>,
    /// In `Batch::diagnostics`.
    pub(super) diagnostics: Range<usize>,
    /// How the variant is known, where no tag tells it.
    pub(super) variant_by: Option<Cow<'static, str>>,
}

/// The games of a chunk.
#[derive(Debug, Default)]
pub(super) struct Batch {
    pub(super) text: String,
    pub(super) extras: Vec<Span>,
    pub(super) plies: Vec<u8>,
    /// Top 32 bits of the keys of all main lines' structures.
    pub(super) structures: Vec<u32>,
    pub(super) variations: Vec<u64>,
    pub(super) starts: Vec<BatchStart>,
    pub(super) games: Vec<BatchGame>,
    /// Findings; offsets are into the chunk's bytes.
    pub(super) diagnostics: Vec<Diagnostic>,
}

/// Reads a chunk's games.
pub(super) fn read_chunk(bytes: &[u8], fallback: &'static Encoding, habits: &Habits) -> Batch {
    let mut reader = Reader {
        habits,
        draughts: draughts::Openings::default(),
        batch: Batch::default(),
        usual: Opening::new(&Chess::default()),
        beginnings: HashMap::default(),
        reading: Reading::default(),
        fallback,
        guessed: false,
    };
    // Tags are about half of what a bare game score has.
    reader.batch.text.reserve(bytes.len() / 2);
    let mut parser = Parser::with_hint(bytes, habits.family);
    let mut raw = RawGame::default();
    while parser.next_game(&mut raw) {
        reader.game(&raw, bytes);
    }
    reader.batch.plies = reader.reading.plies;
    reader.batch.structures = reader.reading.structures;
    reader.batch
}

/// Beginnings by forced or typed variant (0 for none), Variant and FEN tag.
type Beginnings = HashMap<(u8, Vec<u8>, Vec<u8>), (Beginning, usize), FixedState>;

/// How the variant is known: whoever imported the game said so.
const FORCED: &str = "forced";

struct Reader<'h> {
    habits: &'h Habits,
    draughts: draughts::Openings,
    batch: Batch,
    usual: Opening,
    /// With the index + 1 into `Batch::starts`, 0 for none.
    beginnings: Beginnings,
    reading: Reading,
    fallback: &'static Encoding,
    guessed: bool,
}

/// The values of tags that matter, last occurrence each.
#[derive(Default)]
struct Known<'a> {
    variant: &'a [u8],
    game_type: &'a [u8],
    fen: &'a [u8],
    result: &'a [u8],
}

impl Reader<'_> {
    fn game(&mut self, raw: &RawGame, bytes: &[u8]) {
        let mut known = Known::default();
        for tag in &raw.tags {
            match names::canonical(tag.name_bytes(bytes)) {
                Some("Variant") => known.variant = tag.value_bytes(bytes),
                Some("GameType") => known.game_type = tag.value_bytes(bytes),
                Some("FEN") => known.fen = tag.value_bytes(bytes),
                Some("Result") => known.result = tag.value_bytes(bytes),
                _ => {}
            }
        }
        let mut game = BatchGame::default();
        let first_diagnostic = self.batch.diagnostics.len();
        let first_ply = self.reading.plies.len();
        let first_structure = self.reading.structures.len();
        self.reading.clear();
        let is_draughts = self.is_draughts(raw, &known);
        if is_draughts {
            self.play_draughts(raw, bytes, &known, &mut game);
        } else {
            self.movetext(raw, bytes, &known, &mut game);
        }
        game.plies = first_ply..self.reading.plies.len();
        game.structures = first_structure..self.reading.structures.len();
        game.facts.plies = self.reading.ply_count;
        if !is_draughts {
            self.outcome(raw, bytes, &known, &mut game);
        }
        self.tags(raw, bytes, &mut game);
        if !self.reading.annotation.is_empty() {
            let from = self.batch.text.len();
            self.batch.text.push('[');
            // The writer of the JSON made it from text.
            self.batch
                .text
                .push_str(&String::from_utf8_lossy(&self.reading.annotation));
            self.batch.text.push(']');
            game.annotation = Some(from..self.batch.text.len());
        }
        let first_variation = self.batch.variations.len();
        self.batch.variations.append(&mut self.reading.variations);
        game.variations = first_variation..self.batch.variations.len();
        self.batch
            .diagnostics
            .extend(raw.diagnostics.iter().cloned());
        self.batch.diagnostics.append(&mut self.reading.diagnostics);
        let dropped =
            u64::from(raw.diagnostics_dropped) + u64::from(self.reading.diagnostics_dropped);
        if dropped > 0 {
            self.report(Code::MoreFindings, raw.span.0, dropped.to_string());
        }
        game.diagnostics = first_diagnostic..self.batch.diagnostics.len();
        self.batch.games.push(game);
    }

    fn report(&mut self, code: Code, offset: u32, detail: impl Into<Cow<'static, str>>) {
        self.batch
            .diagnostics
            .push(Diagnostic::with(code, u64::from(offset), detail));
    }

    /// Plays the moves, or keeps them as text.
    fn movetext(&mut self, raw: &RawGame, bytes: &[u8], known: &Known<'_>, game: &mut BatchGame) {
        let fallback = self.fallback;
        let decode: read::Decode<'_> = &|text| encoding::decode(text, fallback).0;
        game.facts.variant = u32::from(Variant::CHESS);
        if known.variant.is_empty()
            && known.fen.is_empty()
            && known.game_type.is_empty()
            && self.habits.forced.is_none()
        {
            read::read(raw, bytes, &self.usual, decode, &mut self.reading);
            return;
        }
        let forced = self.habits.forced;
        if forced.is_some() {
            game.variant_by = Some(FORCED.into());
        }
        // A GameType that is not chess (xiangqi, Othello) outranks the other tag.
        let typed = || {
            let number = game_type::parse(known.game_type)?.number;
            Variant::by_game_type(number).filter(|variant| variant.id != Variant::CHESS)
        };
        let variant = forced.or_else(typed);
        let key = (
            variant.map_or(0, |variant| variant.id),
            known.variant.to_vec(),
            known.fen.to_vec(),
        );
        let (beginning, start) = match self.beginnings.entry(key) {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => {
                let variant = variant.or_else(|| Variant::from_tag(known.variant));
                let (beginning, start) = start::begin(variant, known.variant, known.fen, fallback);
                let at = match start {
                    Some(start) => {
                        self.batch.starts.push(start);
                        self.batch.starts.len()
                    }
                    None => 0,
                };
                entry.insert((beginning, at))
            }
        };
        game.start = *start;
        game.facts.variant = u32::from(beginning.variant);
        match &beginning.from {
            From::Usual => read::read(raw, bytes, &self.usual, decode, &mut self.reading),
            From::Position(opening) => read::read(raw, bytes, opening, decode, &mut self.reading),
            From::Nowhere => read::keep_text(raw, bytes, decode, &mut self.reading),
        }
        let offset = u64::from(raw.span.0);
        let findings = beginning.findings.iter();
        self.batch
            .diagnostics
            .extend(findings.map(|(code, detail)| Diagnostic::with(*code, offset, detail.clone())));
    }

    /// The marker wins over the tag unless it is `*` (rule M2).
    fn outcome(&mut self, raw: &RawGame, bytes: &[u8], known: &Known<'_>, game: &mut BatchGame) {
        let marker = match (&self.reading.result, raw.termination) {
            (Some(result), _) => result::parse_marker(result.as_bytes()),
            (None, Some((from, to))) => result::parse_marker(&bytes[from as usize..to as usize]),
            (None, None) => None,
        };
        let tag = result::parse_tag(known.result);
        let outcome = |value: result::ResultValue| value.outcome as u32;
        game.facts.outcome = match (marker.map(outcome), tag.map(outcome)) {
            (Some(0) | None, Some(tag)) => tag,
            (Some(marker), tag) => {
                if let (1.., Some(tag)) = (marker, tag)
                    && tag != marker
                {
                    let detail = format!("tag `{}`", String::from_utf8_lossy(known.result));
                    let offset = raw.termination.map_or(raw.span.0, |(from, _)| from);
                    self.report(Code::ResultMismatch, offset, detail);
                }
                marker
            }
            (None, None) => 0,
        };
    }

    /// Takes the tags: what has a column goes there, the rest stays text.
    fn tags(&mut self, raw: &RawGame, bytes: &[u8], game: &mut BatchGame) {
        const FOLDED: usize = 10;
        let first_extra = self.batch.extras.len();
        // Only the last of several tags of one name fills its column (rule T4).
        let mut last = [usize::MAX; FOLDED];
        let mut doubled = false;
        for (at, tag) in raw.tags.iter().enumerate() {
            if let Some(column) = column(tag.name_bytes(bytes)) {
                doubled |= last[column] != usize::MAX;
                last[column] = at;
            }
        }
        let mut layout = std::mem::take(&mut self.batch.text);
        let mut values = String::new();
        let from = layout.len();
        let mut pending: Vec<Span> = Vec::new();
        layout.push('[');
        for (at, tag) in raw.tags.iter().enumerate() {
            let written = tag.name_bytes(bytes);
            let (value, guessed) = encoding::decode(tag.value_bytes(bytes), self.fallback);
            if guessed && !self.guessed {
                self.guessed = true;
                self.report(Code::EncodingGuess, tag.value.0, self.fallback.name());
            }
            let canonical = names::canonical(written);
            let folded = match column(written) {
                Some(column) if !doubled || last[column] == at => {
                    self.fold(column, &value, tag.value.0, game, &mut values)
                }
                _ => {
                    canonical == Some("FEN")
                        && game.start > 0
                        && self.batch.starts[game.start - 1].fen == *value
                }
            };
            if at > 0 {
                layout.push(',');
            }
            layout.push('"');
            if !folded {
                layout.push('+');
                pending.push(values.len()..values.len() + value.len());
                values.push_str(&value);
            }
            match canonical {
                Some(name) => {
                    layout.push_str(name);
                    if name.as_bytes() != written {
                        layout.push('|');
                        push_name(&mut layout, written);
                    }
                }
                None => push_name(&mut layout, written),
            }
            layout.push('"');
        }
        layout.push(']');
        game.layout = from..layout.len();
        let shift = layout.len();
        layout.push_str(&values);
        let moved = |span: Span| span.start + shift..span.end + shift;
        self.batch.extras.extend(pending.into_iter().map(moved));
        game.extras = first_extra..self.batch.extras.len();
        for name in game
            .names
            .iter_mut()
            .chain([&mut game.round, &mut game.eco])
        {
            *name = name.take().map(moved);
        }
        self.batch.text = layout;
    }

    /// Puts a value into its column. Whether the column gives it back to the letter.
    fn fold(
        &mut self,
        column: usize,
        value: &str,
        offset: u32,
        game: &mut BatchGame,
        values: &mut String,
    ) -> bool {
        let mut keep = |text: &str| {
            let from = values.len();
            values.push_str(text);
            Some(from..values.len())
        };
        let facts = &mut game.facts;
        match column {
            0..4 => {
                game.names[column] = keep(value);
                true
            }
            4 => {
                let (parsed, code) = date::parse(value.as_bytes());
                facts.date = parsed.to_packed();
                if let Some(code) = code {
                    self.report(code, offset, value.to_owned());
                }
                match value.as_bytes() {
                    // The usual form, spelled out to save the comparison.
                    [_, _, _, _, b'.', _, _, b'.', d1, d2]
                        if d1.is_ascii_digit() && d2.is_ascii_digit() && code.is_none() =>
                    {
                        !facts.date.is_multiple_of(100) && facts.date > 10_000_000
                    }
                    _ => parsed.pgn_text() == value,
                }
            }
            5 => {
                game.round = keep(value);
                true
            }
            6 => crate::record::Outcome::from_code(facts.outcome as u8).as_pgn() == value,
            7 | 8 => {
                let parsed = elo::parse(value.as_bytes()).map_or(0, u32::from);
                *(if column == 7 {
                    &mut facts.white_elo
                } else {
                    &mut facts.black_elo
                }) = parsed;
                parsed > 0
                    && value.len() <= 4
                    && !value.starts_with('0')
                    && value.bytes().all(|b| b.is_ascii_digit())
            }
            _ => {
                let Some(code) = eco::parse(value.as_bytes()) else {
                    return false;
                };
                facts.eco = u32::from(code) + 1;
                if value.len() == 3 && value.as_bytes()[0].is_ascii_uppercase() {
                    game.eco = keep(value);
                    return true;
                }
                game.eco = eco::text(code).and_then(|text| keep(&text));
                false
            }
        }
    }
}

/// The column that holds a tag's value, if there is one; see `fold`.
#[inline]
fn column(name: &[u8]) -> Option<usize> {
    Some(match names::canonical(name)? {
        "White" => 0,
        "Black" => 1,
        "Event" => 2,
        "Site" => 3,
        "Date" => 4,
        "Round" => 5,
        "Result" => 6,
        "WhiteElo" => 7,
        "BlackElo" => 8,
        "ECO" => 9,
        _ => return None,
    })
}

/// Adds a tag name to a JSON string; names are letters, digits, `_` and `-`
/// (rule T2), and whatever else slips in is replaced.
fn push_name(out: &mut String, name: &[u8]) {
    out.extend(name.iter().map(|&byte| match byte {
        b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' | b'_' | b'-' => char::from(byte),
        _ => '_',
    }));
}
