//! The tags of a chunk's games: values that have a column go there, the others
//! are kept as text.

use super::{BatchGame, ChunkParser, Span};
use crate::{
    games::variant::{Variant, VariantDetection},
    input::encoding,
    pgn::{
        parser::{RawGame, Syntax},
        tags::{
            date, eco, elo, names,
            person::{FIDE_ID_TAGS, fide_id},
        },
    },
};

/// The value of a `Game` tag that names a game known by its name alone: records of xiangqi
/// have `[Game "Chinese Chess"]`.
pub(super) fn named_game<'b>(raw: &'b RawGame, bytes: &'b [u8]) -> Option<&'b [u8]> {
    let name = raw.tag(bytes, "Game")?;
    let tier = Variant::from_tag(name).and_then(Variant::tier);
    (tier == Some(VariantDetection::Named)).then_some(name)
}

impl ChunkParser<'_> {
    /// Finds out which well-known names the tags of a game have.
    pub(super) fn name_tags(&mut self, raw: &RawGame, bytes: &[u8]) {
        self.names.clear();
        for tag in &raw.tags {
            let written = tag.name_bytes(bytes);
            let is_foreign =
                || raw.syntax == Syntax::Pdn || !written.is_ascii() || written.contains(&b'&');
            let name = names::canonical(written).or_else(|| {
                is_foreign()
                    .then(|| {
                        let decoded = encoding::decode(written, self.fallback).0;
                        names::localised(&decoded).or_else(|| names::side_of(&decoded))
                    })
                    .flatten()
            });
            self.names.push(name);
        }
        // Some sites number their players.
        for (numbered, side) in [("P1", "White"), ("P2", "Black")] {
            if !self.names.contains(&Some(side)) {
                let mut tags = raw.tags.iter().zip(&mut self.names);
                let is_player = |written: &[u8]| written.eq_ignore_ascii_case(numbered.as_bytes());
                if let Some((_, name)) = tags.find(|(tag, _)| is_player(tag.name_bytes(bytes))) {
                    *name = Some(side);
                }
            }
        }
    }

    /// Takes the tags: what has a column goes there, the rest stays text.
    pub(super) fn tags(&mut self, raw: &RawGame, bytes: &[u8], game: &mut BatchGame) {
        const FOLDED: usize = 10;
        let first_extra = self.batch.extras.len();
        // Only one of several tags of one name fills its column: the last (rule
        // T4), in PDN the first.
        let mut filling = [usize::MAX; FOLDED];
        let mut doubled = false;
        for (at, name) in self.names.iter().enumerate() {
            if let Some(column) = name.and_then(column) {
                let is_again = filling[column] != usize::MAX;
                doubled |= is_again;
                if !is_again || raw.syntax == Syntax::Pgn {
                    filling[column] = at;
                }
            }
        }
        // What lichess writes where it writes no date.
        let named = |wanted| self.names.iter().position(|name| *name == Some(wanted));
        if named("Date").is_none_or(|at| date_of(raw, bytes, at) == 0)
            && let Some(at) = named("UTCDate")
        {
            game.facts.date = date_of(raw, bytes, at);
        }
        let mut layout = std::mem::take(&mut self.batch.text);
        let mut values = String::new();
        let from = layout.len();
        let mut pending: Vec<Span> = Vec::new();
        layout.push('[');
        for (at, tag) in raw.tags.iter().enumerate() {
            let written = tag.name_bytes(bytes);
            let (value, _) = encoding::decode(tag.value_bytes(bytes), self.fallback);
            let canonical = self.names[at];
            let side = FIDE_ID_TAGS.iter().position(|name| canonical == Some(name));
            if let Some(id) = side.map(|side| &mut game.fide_ids[side])
                && *id == 0
            {
                *id = fide_id(&value).unwrap_or(0);
            }
            let folded = match canonical.and_then(column) {
                Some(column) if !doubled || filling[column] == at => {
                    self.fold(column, &value, tag.value.0, game, &mut values)
                }
                _ => {
                    canonical == Some("FEN")
                        && game.start > 0
                        && self.batch.starts[game.start - 1].row.fen == *value
                }
            };
            if at > 0 {
                layout.push(',');
            }
            layout.push('"');
            let plus = usize::from(!folded);
            let from = layout.len();
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
                        push_name(&mut layout, &encoding::decode(written, self.fallback).0);
                    }
                }
                None => push_name(&mut layout, &encoding::decode(written, self.fallback).0),
            }
            self.summer.tag(&layout[from + plus..], &value);
            layout.push('"');
        }
        // What the mark after the moves says of the winner is the result; a score would be lost.
        if let Some(score) = game.score.take() {
            let written = "+Result";
            layout.push_str(if raw.tags.is_empty() { "\"" } else { ",\"" });
            layout.push_str(written);
            layout.push('"');
            pending.push(values.len()..values.len() + score.len());
            values.push_str(&score);
            self.summer.tag(&written[1..], &score);
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
                let is_known_otherwise = parsed.to_packed() == 0 && facts.date > 0;
                if !is_known_otherwise {
                    facts.date = parsed.to_packed();
                }
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
                    _ => !is_known_otherwise && parsed.pgn_text() == value,
                }
            }
            5 => {
                game.round = keep(value);
                true
            }
            6 => crate::base::record::Outcome::from_code(facts.outcome as u8).as_pgn() == value,
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

/// The date that a tag says, packed; 0 if it says none.
fn date_of(raw: &RawGame, bytes: &[u8], tag: usize) -> u32 {
    date::parse(raw.tags[tag].value_bytes(bytes)).0.to_packed()
}

/// The column that holds a tag's value, if there is one; see `fold`.
#[inline]
fn column(name: &str) -> Option<usize> {
    Some(match name {
        "White" => 0,
        "Black" => 1,
        "Event" => 2,
        "Site" => 3,
        "Date" => 4,
        "Round" => 5,
        "Result" => 6,
        "WhiteElo" | "WhiteRating" => 7,
        "BlackElo" | "BlackRating" => 8,
        "ECO" => 9,
        _ => return None,
    })
}

/// Adds a tag name to a JSON string. Names are letters of any script, digits,
/// `_` and `-`; whatever else slips in is replaced.
fn push_name(out: &mut String, name: &str) {
    out.extend(name.chars().map(|c| match c {
        '_' | '-' => c,
        _ if c.is_alphanumeric() => c,
        _ => '_',
    }));
}
