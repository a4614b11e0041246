//! Games of draughts in a chunk: which variant, from where, with which result.

use std::{borrow::Cow, collections::HashMap};

use super::{BatchGame, FORCED, Known, Reader};
use crate::games::ResultOrder;
use crate::{
    diagnostic::Code,
    games::{
        self, AnyOpening, AnyPosition, Text,
        draughts::{
            Draughts,
            replay::{
                Opening,
                infer::{Inferred, Poll},
            },
            rows::DraughtsVariant,
        },
        keep as read,
        keep::Decode,
        variant::Variant,
    },
    import::{habits, start::BatchStart},
    parse::{Kind, RawGame, Syntax},
    record::Outcome,
    source::encoding,
    tags::{game_type, result},
};

/// The usual start of each variant met so far, and its place in `Batch::starts`
/// once a game begins there.
#[derive(Default)]
pub(super) struct Openings {
    usual: HashMap<u8, Opening>,
    /// Indices + 1 into `Batch::starts` by variant, corner and FEN as written.
    starts: HashMap<(u8, Option<u8>, String), usize>,
}

/// What the moves are played by, and how that is known.
struct Told {
    variant: &'static DraughtsVariant,
    by: Option<Cow<'static, str>>,
}

/// The variant was told by the moves.
const INFERRED: &str = "inferred";

impl Reader<'_> {
    /// Whether the rules of draughts are to play a game.
    pub(super) fn is_draughts(&self, raw: &RawGame, known: &Known<'_>) -> bool {
        if self.habits.forced.is_some_and(Variant::is_kin) {
            return false;
        }
        if raw.syntax != Syntax::Pdn {
            // A bare record has nothing but its tags to tell what it is of.
            return known.fen.is_empty()
                && raw.items.iter().all(|item| item.kind != Kind::Word)
                && Variant::from_tag(known.variant)
                    .is_some_and(|named| named.draughts().is_some());
        }
        match game_type::parse(known.game_type).and_then(|read| Variant::by_game_type(read.number))
        {
            Some(variant) => variant.draughts().is_some(),
            None => !Variant::from_tag(known.variant).is_some_and(Variant::is_kin),
        }
    }

    /// Plays a game of draughts and settles its result.
    pub(super) fn play_draughts(
        &mut self,
        raw: &RawGame,
        bytes: &[u8],
        known: &Known<'_>,
        game: &mut BatchGame,
    ) {
        let Some(told) = self.told(raw, bytes, known) else {
            self.keep_unknown(raw, bytes, known, game);
            return;
        };
        let (plies, structures) = (self.reading.plies.len(), self.reading.structures.len());
        let findings = self.batch.diagnostics.len();
        let is_declared = told.by.is_none();
        let declared = told.variant;
        self.play_as(told, raw, bytes, known, game);
        // Tags lie: some programs write one GameType for everything.
        let is_lost = self.reading.ply_count == 0
            && self
                .reading
                .diagnostics
                .iter()
                .any(|found| found.code == Code::IllegalMove);
        if is_declared
            && is_lost
            && let Some(other) = self.of_itself(raw, bytes)
            && other.variant != declared
        {
            self.reading.plies.truncate(plies);
            self.reading.structures.truncate(structures);
            self.reading.clear();
            self.batch.diagnostics.truncate(findings);
            let detail = format!(
                "{} by its tags, {} by its moves",
                declared.name, other.variant.name
            );
            self.report(Code::VariantMismatch, raw.span.0, detail);
            self.play_as(other, raw, bytes, known, game);
        }
    }

    /// What a game's own moves say, where it is whole under some rules.
    fn of_itself(&self, raw: &RawGame, bytes: &[u8]) -> Option<Told> {
        let fallback = self.fallback;
        let decode: Decode<'_> = &|text| encoding::decode(text, fallback).0;
        let mut poll = Poll::new();
        poll.add(raw, bytes, decode, None);
        let inferred = poll.result().of(raw, bytes)?;
        (!inferred.weak).then(|| inferred.into())
    }

    /// Plays a game by the rules of a variant.
    fn play_as(
        &mut self,
        told: Told,
        raw: &RawGame,
        bytes: &[u8],
        known: &Known<'_>,
        game: &mut BatchGame,
    ) {
        let fallback = self.fallback;
        let decode: Decode<'_> = &|text| encoding::decode(text, fallback).0;
        let variant = told.variant;
        let id = Variant::of_draughts(variant).id;
        game.facts.variant = u32::from(id);
        game.variant_by = told.by;
        let numbering = variant.numbering();
        let fen = decode(known.fen);
        let opening = if fen.trim().is_empty() {
            let usual = self.draughts.usual.entry(id);
            usual
                .or_insert_with(|| Opening::new(variant, id, numbering))
                .clone()
        } else {
            match Opening::from_fen(variant, id, numbering, &fen) {
                Ok((opening, notes)) => {
                    for note in notes {
                        let code = Code::PdnFen;
                        self.report(code, raw.span.0, format!("{note}: {fen}"));
                    }
                    opening
                }
                Err(error) => {
                    self.report(Code::BadFen, raw.span.0, error.to_string());
                    game.start = self.draughts_start(id, fen.into_owned(), None);
                    read::keep_text(raw, bytes, decode, &mut self.reading);
                    let order = variant.result_order;
                    self.outcome_of_points(raw, bytes, known, order, None, game);
                    return;
                }
            }
        };
        let opening = games::Opening::from(opening);
        let given = opening.at;
        let opening = AnyOpening::from(opening);
        let text = Text { raw, bytes, decode };
        let finished = opening.read(text, &mut self.reading);
        let at = match finished.start {
            Some(AnyPosition::Draughts(at)) => at,
            _ => given,
        };
        // The usual start has one row, whether it is written out or not.
        let text = if Draughts::start(variant) == at {
            String::new()
        } else {
            fen.into_owned()
        };
        game.start = self.draughts_start(id, text, Some(at));
        let (order, winner) = (variant.result_order, finished.winner);
        self.outcome_of_points(raw, bytes, known, order, winner, game);
    }

    /// Keeps a game as text of which nothing tells the variant.
    fn keep_unknown(
        &mut self,
        raw: &RawGame,
        bytes: &[u8],
        known: &Known<'_>,
        game: &mut BatchGame,
    ) {
        let fallback = self.fallback;
        let decode: Decode<'_> = &|text| encoding::decode(text, fallback).0;
        game.facts.variant = 0;
        self.report(Code::BadVariant, raw.span.0, "draughts of some kind");
        let fen = decode(known.fen).into_owned();
        game.start = self.draughts_start(0, fen, None);
        read::keep_text(raw, bytes, decode, &mut self.reading);
        let written = result::parse_pdn(known.result);
        game.facts.outcome = written.unwrap_or_default() as u32;
    }

    /// Which variant a game is of: what the importer says, the `GameType`, the
    /// `Variant` tag, what the moves of the file say, in this order. `None`: its
    /// squares are of no draughts that is known.
    fn told(&self, raw: &RawGame, bytes: &[u8], known: &Known<'_>) -> Option<Told> {
        let forced = self.habits.forced.and_then(Variant::draughts);
        if let Some(variant) = forced {
            let by = Some(FORCED.into());
            return Some(Told { variant, by });
        }
        let named = encoding::decode(known.variant, self.fallback).0;
        let declared = habits::declared(known.game_type, &named);
        // An export has handed on what was a guess, or that there was none.
        let doubt = raw.tag(bytes, game_type::DOUBT_TAG).unwrap_or_default();
        let doubt = encoding::decode(doubt, self.fallback).0;
        if doubt == game_type::UNKNOWN {
            return None;
        }
        if let Some(variant) = declared {
            let by = doubt
                .starts_with(INFERRED)
                .then(|| doubt.into_owned().into());
            return Some(Told { variant, by });
        }
        let fallback = self.fallback;
        let decode: Decode<'_> = &|text| encoding::decode(text, fallback).0;
        let alone;
        let verdict = if let Some(verdict) = &self.habits.verdict {
            verdict
        } else {
            // A stray game of draughts in a file of chess votes for itself.
            let mut poll = Poll::new();
            poll.add(raw, bytes, decode, None);
            alone = poll.result();
            &alone
        };
        let says_nothing = raw.items.is_empty() && known.fen.trim_ascii().is_empty();
        let inferred = match verdict.of(raw, bytes) {
            None if says_nothing => verdict.of_most()?,
            inferred => inferred?,
        };
        Some(inferred.into())
    }

    /// The place of a start position in the batch, from 1.
    fn draughts_start(&mut self, id: u8, fen: String, at: Option<Draughts>) -> usize {
        let key = (id, at.and_then(|at| at.corner), fen);
        if let Some(&place) = self.draughts.starts.get(&key) {
            return place;
        }
        let mut start = BatchStart::unknown(id, key.2.clone());
        start.corner = key.1;
        if let Some(at) = at {
            start = start.at(&at.into());
        }
        self.batch.starts.push(start);
        let place = self.batch.starts.len();
        self.draughts.starts.insert(key, place);
        place
    }

    /// The result as a winner: what the last position proves if somebody won,
    /// else what is written, read as the variant's archives mean it.
    pub(super) fn outcome_of_points(
        &mut self,
        raw: &RawGame,
        bytes: &[u8],
        known: &Known<'_>,
        order: ResultOrder,
        winner: Option<usize>,
        game: &mut BatchGame,
    ) {
        let marker = match (&self.reading.result, raw.termination) {
            (Some(result), _) => result::parse_pdn(result.as_bytes()),
            (None, Some((from, to))) => result::parse_pdn(&bytes[from as usize..to as usize]),
            (None, None) => None,
        };
        let tag = result::parse_pdn(known.result);
        let written = match (marker, tag) {
            (Some(Outcome::Unknown) | None, Some(tag)) => tag,
            (Some(marker), tag) => {
                if let Some(tag) = tag
                    && marker != tag
                    && tag != Outcome::Unknown
                {
                    let detail = format!("tag `{}`", String::from_utf8_lossy(known.result));
                    let offset = raw.termination.map_or(raw.span.0, |(from, _)| from);
                    self.report(Code::ResultMismatch, offset, detail);
                }
                marker
            }
            (None, None) => Outcome::Unknown,
        };
        let meant = match order {
            ResultOrder::WhiteFirst => written,
            ResultOrder::BlackFirst => written.with_colours_swapped(),
        };
        let proven = winner.map(|side| [Outcome::First, Outcome::Second][side]);
        let outcome = match proven {
            Some(proven) if meant == proven.with_colours_swapped() => proven,
            _ => meant,
        };
        game.facts.outcome = outcome as u32;
    }
}

impl From<Inferred> for Told {
    fn from(inferred: Inferred) -> Self {
        let mut by = Cow::Borrowed(INFERRED);
        if inferred.weak {
            by.to_mut().push_str(", weakly");
        }
        if !inferred.ties.is_empty() {
            let names: Vec<&str> = inferred.ties.iter().map(|tie| tie.name).collect();
            by.to_mut().push_str("; or ");
            by.to_mut().push_str(&names.join(", "));
        }
        Self {
            variant: inferred.variant,
            by: Some(by),
        }
    }
}
