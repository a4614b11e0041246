//! The game whose rules allow the longest beginning of moves that no tag explains.

use std::ops::RangeInclusive;

use super::{ChunkParser, ParsedGame};
use crate::{
    base::diagnostic::{Code, Diagnostic, Severity},
    formats,
    games::{
        AnyPosition, AnyStart,
        buffers::Reading,
        fairy::{notation::is_wxf, xiangqi_word},
        guess::GameVariant,
        variant::{self, Variant, VariantDetection},
    },
    pgn::parser::{ItemKind, RawItem},
};

/// Plies of chess that a game of something else may begin with: `d3 c3` of Othello.
const OTHER_PLAYED_MAX: u32 = 2;

/// Plies that a game has to be legal for if it is incomplete.
const PREFIX_MIN: u32 = 8;

/// Words of a game that show what it is a game of.
const OTHER_WORDS: RangeInclusive<usize> = 6..=2_000;

/// How far moves are legal by the rules of a game; more is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum LegalPrefix {
    /// Not far enough to show anything.
    None,
    /// The plies before the first move that is not legal.
    Prefix(u32),
    /// All but the last word, which may say in any language how the game ended.
    NearlyWhole,
    /// To their end.
    Whole,
}

impl ChunkParser<'_> {
    /// The game of moves that say nothing of it and are none of chess: the one whose rules allow
    /// all of them to be played, or else the most of them. `chess_plies` of them can
    /// be played as chess.
    pub(super) fn other_game(
        &self,
        parsed: &ParsedGame<'_>,
        chess_plies: u32,
    ) -> Option<GameVariant> {
        let is_word = |item: &&RawItem| item.kind == ItemKind::Word;
        let words = || parsed.text.raw.items.iter().filter(is_word);
        // Moves of Othello may stick together.
        let is_transcript = || words().any(|item| item.len as usize > 2 * *OTHER_WORDS.start());
        let count = words().count();
        let named = self.profile.named.filter(|_| count > 0);
        let named = named.or_else(|| written_as_xiangqi(parsed));
        let is_enough = OTHER_WORDS.contains(&count)
            || count < *OTHER_WORDS.start() && (named.is_some() || is_transcript());
        // A drop is no move of chess, however many stand before it.
        let is_drop = |item: &RawItem| {
            let word = parsed.text.bytes_of(item);
            word.contains(&b'@') && word.iter().any(u8::is_ascii_digit)
        };
        let is_chess = chess_plies > OTHER_PLAYED_MAX;
        if !is_enough || is_chess && !words().any(is_drop) {
            return None;
        }
        let (mut best, mut fitting) = (LegalPrefix::Prefix(chess_plies), Vec::new());
        let mut reading = self.trial_reading();
        let rows = variant::ALL.iter();
        for row in rows.filter(|row| row.tier() == Some(VariantDetection::Named)) {
            let Some(start) = AnyPosition::start(row) else {
                continue;
            };
            let opening = start.into_start(self.profile.expected);
            let mut fit = fit(&opening, parsed, &mut reading);
            let is_named = named == Some(row) && reading.ply_count > chess_plies;
            if is_named {
                fit = fit.max(LegalPrefix::Prefix(reading.ply_count));
            } else if (reading.ply_count as usize) < *OTHER_WORDS.start() {
                continue;
            }
            if fit < best {
                continue;
            }
            if fit > best {
                best = fit;
                fitting.clear();
            }
            if fit != LegalPrefix::Prefix(chess_plies) {
                fitting.push(row);
            }
        }
        // Of those that fit as well the one after which the source is called is meant.
        if let Some(named) = named.filter(|named| fitting.contains(named)) {
            fitting = vec![named];
        }
        let mut fitting = fitting.into_iter();
        Some(GameVariant {
            variant: fitting.next()?,
            ties: fitting.collect(),
            weak: best < LegalPrefix::NearlyWhole,
            is_turned: false,
        })
    }

    /// What a game is of whose `Variant` no row of the registry has: chess where that allows its
    /// moves, else the game that does.
    pub(super) fn of_unknown_tag(&self, parsed: &ParsedGame<'_>) -> Option<GameVariant> {
        let tag = parsed.variant.trim_ascii();
        let is_unknown = self.profile.forced.is_none()
            && !tag.is_empty()
            && parsed.game_type.is_empty()
            && tag != Variant::FAIRY.as_bytes()
            && Variant::from_tag(tag).is_none()
            && !formats::names_other_game(&String::from_utf8_lossy(tag));
        if !is_unknown {
            return None;
        }
        let fen = (parsed.text.decode)(parsed.fen);
        let chess = &variant::ALL[0];
        let opening = if fen.trim().is_empty() {
            AnyPosition::initial().into_start(self.profile.expected)
        } else {
            AnyStart::read_fen(chess, &fen, self.profile.expected)
                .ok()?
                .0
        };
        let mut reading = self.trial_reading();
        let as_chess = fit(&opening, parsed, &mut reading);
        if as_chess > LegalPrefix::None && reading.ply_count > 0 {
            return Some(GameVariant {
                variant: chess,
                ties: Vec::new(),
                weak: as_chess < LegalPrefix::NearlyWhole,
                is_turned: false,
            });
        }
        let is_usual = fen.trim().is_empty();
        is_usual.then(|| self.other_game(parsed, reading.ply_count))?
    }

    fn trial_reading(&self) -> Reading {
        Reading {
            stop: self.reading.stop.clone(),
            ..Reading::default()
        }
    }
}

/// Xiangqi, if all moves are in its own notation; the last word may be how the game ended.
fn written_as_xiangqi(parsed: &ParsedGame<'_>) -> Option<&'static Variant> {
    let row = Variant::by_name("xiangqi")?;
    let rules = row.fairy()?;
    let items = parsed.text.raw.items.iter();
    let words = items.filter(|item| item.kind == ItemKind::Word);
    let mut words = words.map(|item| is_wxf(rules, &xiangqi_word(parsed.text, item)));
    let is_last_move = words.next_back()?;
    let is_move = words.next().unwrap_or(is_last_move);
    (is_move && words.all(|is_move| is_move)).then_some(row)
}

/// How far the moves of a game can be read from where it would begin.
fn fit(opening: &AnyStart, parsed: &ParsedGame<'_>, reading: &mut Reading) -> LegalPrefix {
    let text = parsed.text;
    reading.clear();
    opening.read(text, reading);
    let is_word = |item: &&RawItem| item.kind == ItemKind::Word;
    let words = || text.raw.items.iter().filter(is_word);
    let last = words().next_back().map_or(0, |item| u64::from(item.offset));
    let mut doubts = (reading.diagnostics.iter())
        .filter(|found| found.code.severity() > Severity::Note)
        .peekable();
    let is_closing =
        |found: &Diagnostic| found.code == Code::UnknownWord && found.offset_bytes >= last;
    if doubts.peek().is_none() {
        LegalPrefix::Whole
    } else if doubts.all(is_closing) {
        LegalPrefix::NearlyWhole
    } else if reading.ply_count >= PREFIX_MIN && reading.ply_count as usize * 2 >= words().count() {
        LegalPrefix::Prefix(reading.ply_count)
    } else {
        LegalPrefix::None
    }
}
