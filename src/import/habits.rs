//! What is known of a source before its games are read: whether it is a file of
//! chess or of draughts, and of which draughts.

use crate::{
    notation::letters::Language,
    parse::{Family, Parser, RawGame, habit},
    replay::{
        draughts::infer::{Poll, Verdict},
        read::Decode,
        tongue::Expected,
    },
    source::{chunk::Chunk, encoding},
    tags::{game_type, names},
    variant::{Variant, draughts::DraughtsVariant},
};

use super::tongue;

/// What somebody said of all games, against their tags and letters.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Forced {
    pub(super) variant: Option<&'static Variant>,
    pub(super) language: Option<&'static Language>,
}

/// The habits of a source. One vote for each: what most of the games of its
/// first chunk are decides about those that do not tell themselves.
#[derive(Debug, Default)]
pub(super) struct Habits {
    /// What a record without moves is taken for.
    pub(super) family: Family,
    /// Which draughts the games are that do not say so.
    pub(super) verdict: Option<Verdict>,
    /// The variant that all games are to be read as.
    pub(super) forced: Option<&'static Variant>,
    /// The language of the moves of games of chess.
    pub(super) expected: Expected,
}

impl Habits {
    /// The habits that the first chunk of a source shows.
    pub(super) fn of(
        chunk: &Chunk,
        Forced {
            variant: forced,
            language,
        }: Forced,
    ) -> Self {
        let family = habit(&chunk.bytes);
        let is_forced = forced.is_some_and(|variant| variant.draughts().is_some());
        let verdict = (family == Family::Draughts && !is_forced).then(|| vote(chunk, family));
        let expected = match language {
            Some(language) => Expected {
                language: (!language.is_english()).then_some(language),
                certain: true,
            },
            None if family == Family::Chess => tongue::of(chunk),
            None => Expected::default(),
        };
        Self {
            family,
            verdict,
            forced,
            expected,
        }
    }
}

/// Asks the games under which rules they are legal; those that say what they are
/// speak for that.
fn vote(chunk: &Chunk, family: Family) -> Verdict {
    let decode: Decode<'_> = &|text| encoding::decode(text, chunk.fallback).0;
    let mut parser = Parser::with_hint(&chunk.bytes, family);
    let mut raw = RawGame::default();
    let mut poll = Poll::new();
    while parser.next_game(&mut raw) {
        if raw.family != Family::Draughts {
            continue;
        }
        let (mut game_type, mut variant): (&[u8], &[u8]) = (&[], &[]);
        for tag in &raw.tags {
            match names::canonical(tag.name_bytes(&chunk.bytes)) {
                Some("GameType") => game_type = tag.value_bytes(&chunk.bytes),
                Some("Variant") => variant = tag.value_bytes(&chunk.bytes),
                _ => {}
            }
        }
        let declared = declared(game_type, &decode(variant));
        // What says that it is something unknown does not speak for what is known.
        if declared.is_some() || game_type.is_empty() {
            poll.add(&raw, &chunk.bytes, decode, declared);
        }
    }
    poll.result()
}

/// The kind of draughts that a game's tags `GameType` and `Variant` say.
pub(super) fn declared(game_type: &[u8], variant: &str) -> Option<&'static DraughtsVariant> {
    let named = DraughtsVariant::from_tag(variant);
    let typed = game_type::parse(game_type).and_then(|read| of_type(&read));
    match (typed, named) {
        // The name may be more precise: programs write the number of the usual
        // game of that board with the name of another.
        (Some(typed), Some(named))
            if typed.rules.board == named.rules.board && named.name != "international" =>
        {
            Some(named)
        }
        (typed, named) => typed.or(named),
    }
}

/// The row of a `GameType`: of several with one number the one whose squares and
/// first side it names.
fn of_type(read: &game_type::GameType) -> Option<&'static DraughtsVariant> {
    let fits = |row: &&DraughtsVariant| {
        read.letters
            .is_none_or(|letters| letters == row.tag.letters)
            && read.corner.is_none_or(|corner| corner == row.tag.corner)
            && read.first.is_none_or(|first| first == row.tag.first)
    };
    let mut rows = DraughtsVariant::by_game_type(read.number);
    let first = rows.next()?;
    std::iter::once(first)
        .chain(rows)
        .find(fits)
        .or(Some(first))
}
