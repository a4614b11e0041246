//! What is known of a source before its games are read: whether it is a file of
//! chess or of draughts, and of which draughts.

use crate::{
    parse::{Family, Parser, RawGame, habit},
    replay::{
        draughts::infer::{Poll, Verdict},
        read::Decode,
    },
    source::{chunk::Chunk, encoding},
    tags::names,
    variant::Variant,
};

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
}

impl Habits {
    /// The habits that the first chunk of a source shows.
    pub(super) fn of(chunk: &Chunk, forced: Option<&'static Variant>) -> Self {
        let family = habit(&chunk.bytes);
        let is_forced = forced.is_some_and(|variant| variant.draughts().is_some());
        let verdict = (family == Family::Draughts && !is_forced).then(|| vote(chunk, family));
        Self {
            family,
            verdict,
            forced,
        }
    }
}

/// Asks the games without a `GameType` under which rules they are legal.
fn vote(chunk: &Chunk, family: Family) -> Verdict {
    let decode: Decode<'_> = &|text| encoding::decode(text, chunk.fallback).0;
    let mut parser = Parser::with_hint(&chunk.bytes, family);
    let mut raw = RawGame::default();
    let mut poll = Poll::new();
    while parser.next_game(&mut raw) {
        let declared = raw.tags.iter().any(|tag| {
            names::canonical(tag.name_bytes(&chunk.bytes)) == Some("GameType")
                && !tag.value_bytes(&chunk.bytes).is_empty()
        });
        if raw.family == Family::Draughts && !declared {
            poll.add(&raw, &chunk.bytes, decode);
        }
    }
    poll.result()
}
