//! The result of a game: what its marker and its tag say, and what its end proves.

use super::{BatchGame, ChunkParser, ParsedGame};
use crate::{
    base::{diagnostic::Code, record::Outcome},
    games::{GameText, ResultOrder, export, outcome, variant::Variant},
    pgn::tags::result,
};

impl ChunkParser<'_> {
    /// The result as a winner. The marker wins over the tag unless it is `*` (rule M2).
    /// Points mean the sides in the order given, and where the last position proves a winner, they
    /// may have been written the other way round.
    pub(super) fn outcome(
        &mut self,
        parsed: &ParsedGame<'_>,
        (order, winner): (Option<ResultOrder>, Option<usize>),
        game: &mut BatchGame,
    ) {
        let GameText { raw, bytes, .. } = parsed.text;
        let marker = match (&self.reading.result, raw.termination) {
            (Some(result), _) => Some(result.as_bytes()),
            (None, Some((from, to))) => Some(&bytes[from as usize..to as usize]),
            (None, None) => None,
        };
        let tagged = || {
            let tags = raw.tags.iter().zip(&self.names);
            let results = tags.filter(|(_, name)| **name == Some("Result"));
            results.map(|(tag, _)| tag.value_bytes(bytes))
        };
        let is_untold = |score: &&[u8]| {
            result::is_score(score) && !tagged().any(|value| result::is_same(value, score))
        };
        let told = marker.filter(|_| order.is_some());
        let text = |mark| (parsed.text.decode)(mark).trim().to_owned();
        game.score = told.filter(is_untold).map(text);
        // A tag that says who won is what an export has, or what it contradicts.
        let is_told = |mark: &[u8]| {
            let said = result::parse_pdn(mark);
            let mut tagged = tagged().filter_map(result::parse_pdn);
            tagged.any(|tag| tag != Outcome::Unknown || said == Some(tag))
        };
        let mark = told
            .filter(|mark| !self.profile.is_own_text && !is_told(mark))
            .and_then(result::pdn_mark);
        let marker = marker.and_then(|text| match order {
            None => result::parse_marker(text).or_else(|| result::parse_xiangqi(text)),
            Some(_) => result::parse_pdn(text),
        });
        let tag = outcome::read_tag(parsed.result, order);
        let written = match (marker, tag) {
            (Some(Outcome::Unknown) | None, Some(tag)) => tag,
            (Some(marker), tag) => {
                // A tag that is missing says nothing else.
                if let Some(tag) = tag.filter(|_| !parsed.result.trim_ascii().is_empty())
                    && tag != marker
                    && (tag != Outcome::Unknown || order.is_none())
                {
                    let detail = format!("tag `{}`", String::from_utf8_lossy(parsed.result));
                    let offset = raw.termination.map_or(raw.span.0, |(from, _)| from);
                    self.report(Code::ResultMismatch, offset, detail);
                }
                marker
            }
            (None, None) => Outcome::Unknown,
        };
        let outcome = outcome::meant(written, order, winner);
        game.facts.outcome = outcome as u32;
        // In another style than is usual there, it stands nowhere else.
        if let Some((mark, order)) = mark.zip(order) {
            let row = u8::try_from(game.facts.variant);
            let row = row.ok().and_then(Variant::by_id);
            let is_usual = mark == export::usual_result(row, order, outcome);
            game.score = (!is_usual).then(|| mark.to_owned());
        }
    }
}
