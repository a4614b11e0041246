//! What is known of a source before its games are read: its notation, whether it
//! is a file of chess or of draughts, and of which draughts.

use std::path::Path;

use encoding_rs::Encoding;

use crate::{
    games::{
        draughts::{
            replay::infer::{Poll, Verdict},
            rows::DraughtsVariant,
        },
        keep::Decode,
        language::Expected,
        variant::{Rules, Variant},
    },
    notation::letters::Language,
    parse::{Parser, RawGame, Syntax, habit},
    source::{chunk::Chunk, encoding},
    tags::{game_type, names},
    transcribe::{Format, Hints, Text, Transcript},
};

use super::tongue;

/// What somebody said of all games, against their tags and letters.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Forced {
    pub(super) format: Option<&'static Format>,
    pub(super) variant: Option<&'static Variant>,
    pub(super) language: Option<&'static Language>,
}

/// The habits of a source. One vote for each: what most of the games of its
/// first chunk are decides about those that do not tell themselves.
#[derive(Debug)]
pub(super) struct Habits {
    /// In which notation its records are.
    pub(super) format: &'static Format,
    /// What is known of them besides.
    pub(super) hints: Hints,
    /// What a record without moves is taken for.
    pub(super) syntax: Syntax,
    /// Which draughts the games are that do not say so.
    pub(super) verdict: Option<Verdict>,
    /// The variant that all games are to be read as.
    pub(super) forced: Option<&'static Variant>,
    /// The language of the moves of games of chess.
    pub(super) expected: Expected,
}

impl Habits {
    /// A parser of a text of this source.
    pub(super) fn parser<'s>(&self, bytes: &'s [u8]) -> Parser<'s> {
        let of_variant = |value: &[u8]| Variant::from_tag(value).and_then(syntax_of);
        Parser::with_hint(bytes, self.syntax).reading(self.forced.and_then(syntax_of), of_variant)
    }

    /// The habits of a source in a notation, of which nothing else was read yet.
    pub(super) fn new(
        format: &'static Format,
        Forced {
            variant: forced,
            language,
            ..
        }: Forced,
        path: &Path,
    ) -> Self {
        let said = language.map(|language| Expected {
            language: (!language.is_english()).then_some(language),
            certain: true,
        });
        Self {
            format,
            hints: format.hints(forced, path),
            syntax: Syntax::default(),
            verdict: None,
            forced,
            expected: said.unwrap_or_default(),
        }
    }

    /// Adds the habits that the first chunk of the source shows.
    pub(super) fn look_at(&mut self, chunk: &Chunk) {
        let transcript = self.transcript(chunk);
        let bytes = transcript
            .as_ref()
            .map_or(&chunk.bytes[..], |transcript| transcript.text().as_bytes());
        self.syntax = (self.forced)
            .and_then(syntax_of)
            .unwrap_or_else(|| habit(bytes));
        let is_forced =
            (self.forced).is_some_and(|variant| variant.draughts().is_some() || variant.is_kin());
        if self.syntax == Syntax::Pdn && !is_forced {
            self.verdict = Some(vote(bytes, chunk.fallback, self.syntax));
        }
        if self.syntax == Syntax::Pgn && !self.expected.certain {
            self.expected = tongue::of(bytes, chunk.fallback);
        }
    }

    /// The records of a chunk as PGN; `None` if they are that as they stand.
    pub(super) fn transcript(&self, chunk: &Chunk) -> Option<Transcript> {
        let transcribe = self.format.transcribe?;
        let text = Text {
            bytes: &chunk.bytes,
            fallback: chunk.fallback,
        };
        let mut transcript = Transcript::default();
        transcribe(&text, &self.hints, &mut transcript);
        Some(transcript)
    }
}

/// In which signs games of a variant are written, where that is not what their
/// moves look like at first.
fn syntax_of(variant: &Variant) -> Option<Syntax> {
    match variant.rules {
        Rules::Compound(_) | Rules::Xiangqi => Some(Syntax::Pgn),
        Rules::Othello => Some(Syntax::Pdn),
        _ => None,
    }
}

/// Asks the games under which rules they are legal; those that say what they are
/// speak for that.
fn vote(bytes: &[u8], fallback: &'static Encoding, syntax: Syntax) -> Verdict {
    let decode: Decode<'_> = &|text| encoding::decode(text, fallback).0;
    let mut parser = Parser::with_hint(bytes, syntax);
    let mut raw = RawGame::default();
    let mut poll = Poll::new();
    while parser.next_game(&mut raw) {
        if raw.syntax != Syntax::Pdn {
            continue;
        }
        let (mut game_type, mut variant): (&[u8], &[u8]) = (&[], &[]);
        for tag in &raw.tags {
            match names::canonical(tag.name_bytes(bytes)) {
                Some("GameType") => game_type = tag.value_bytes(bytes),
                Some("Variant") => variant = tag.value_bytes(bytes),
                _ => {}
            }
        }
        let declared = declared(game_type, &decode(variant));
        // What says that it is something unknown does not speak for what is known.
        if declared.is_some() || game_type.is_empty() {
            poll.add(&raw, bytes, decode, declared);
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
