//! What is known of a source before its games are read: its notation, the syntax of
//! its movetext, its language, and which games they are that do not say so.

use std::path::Path;

use crate::{
    formats::{
        self, ChunkProblem, ChunkText, Format, OtherRecords, PgnTranscript, RecordsKind,
        StreamHints,
    },
    games::{
        cited_lines::are_games,
        guess::{self, SourceVariant, VariantInference},
        language::ExpectedNotation,
        notation::letters::Language,
        raw_text::TextDecoder,
        variant::{Variant, VariantDetection},
    },
    input::{
        chunk::Chunk,
        encoding::{self, Charset},
        format::has_extension,
    },
    pgn::{
        parser::{Parser, RawGame, Syntax, detect_syntax},
        tags::names,
    },
};

use super::movetext_language;

/// What the user said of all games, against their tags and letters.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ReadingOverrides {
    pub(super) format: Option<&'static Format>,
    pub(super) variant: Option<&'static Variant>,
    pub(super) language: Option<&'static Language>,
    /// Whether it is text that was written from a database.
    pub(super) is_own_text: bool,
}

/// What is known of a source. One vote for each: what most of the games of its
/// first chunk are decides about those that do not say it themselves.
#[derive(Debug)]
pub(super) struct SourceProfile {
    /// In which notation its records are.
    pub(super) format: &'static Format,
    /// Whether the user said that it is games, or its name does.
    pub(super) is_told: bool,
    /// What else is known of them.
    pub(super) hints: StreamHints,
    /// What a record without moves is taken for.
    pub(super) syntax: Syntax,
    /// Which games they are that do not say so.
    pub(super) verdict: Option<SourceVariant>,
    /// The game that the name of the source names.
    pub(super) named: Option<&'static Variant>,
    /// The variant that all games are to be read as.
    pub(super) forced: Option<&'static Variant>,
    /// Whether it is text that was written from a database.
    pub(super) is_own_text: bool,
    /// The language of movetext in the syntax of PGN.
    pub(super) expected: ExpectedNotation,
}

impl SourceProfile {
    /// A parser of a text of this source.
    pub(super) fn parser<'s>(&self, bytes: &'s [u8]) -> Parser<'s> {
        let of_variant = |value: &[u8]| Variant::from_tag(value)?.decided_syntax();
        Parser::with_hint(bytes, self.syntax)
            .reading(self.forced_syntax(), of_variant)
            .parting(are_games)
    }

    /// The profile of a source in a notation, by its name and its beginning.
    pub(super) fn new(
        format: &'static Format,
        ReadingOverrides {
            format: said_format,
            variant: forced,
            language,
            is_own_text,
        }: ReadingOverrides,
        (path, beginning): (&Path, &[u8]),
    ) -> Self {
        let said = language.map(|language| ExpectedNotation {
            language: (!language.is_english()).then_some(language),
            certain: true,
            squares: None,
        });
        let mut hints = format.hints(forced, path, beginning);
        if said_format.is_some() {
            hints.others = OtherRecords::Nothing;
        }
        Self {
            format,
            is_told: said_format.is_some() || has_extension(path, format.extensions),
            hints,
            syntax: Syntax::default(),
            verdict: None,
            named: formats::game_of_file(path),
            forced,
            is_own_text,
            expected: said.unwrap_or_default(),
        }
    }

    fn forced_syntax(&self) -> Option<Syntax> {
        self.forced?.decided_syntax()
    }

    /// Adds what the first chunk of the source shows.
    pub(super) fn look_at(&mut self, chunk: &Chunk) {
        if matches!(self.format.kind, RecordsKind::Problems(_)) {
            return;
        }
        let transcript = self.transcript(chunk);
        let bytes = transcript
            .as_ref()
            .map_or(&chunk.bytes[..], |transcript| transcript.text().as_bytes());
        self.syntax = self.forced_syntax().unwrap_or_else(|| detect_syntax(bytes));
        let is_known = matches!(
            self.forced.and_then(Variant::tier),
            Some(VariantDetection::Guessed | VariantDetection::Named)
        );
        if self.syntax == Syntax::Pdn && !is_known {
            self.verdict = Some(vote(bytes, chunk.fallback, self.syntax));
        }
        if self.syntax == Syntax::Pgn && !self.expected.certain {
            self.expected = movetext_language::of(bytes, chunk.fallback);
        }
    }

    /// The positions of a chunk as PGN; `None` if its records are no positions.
    pub(super) fn transcript(&self, chunk: &Chunk) -> Option<PgnTranscript> {
        self.format.transcript(&text_of(chunk), &self.hints)
    }

    /// The problems of a chunk; `None` if its records are none.
    pub(super) fn problems(&self, chunk: &Chunk) -> Option<Vec<ChunkProblem>> {
        self.format.problems(&text_of(chunk))
    }
}

fn text_of(chunk: &Chunk) -> ChunkText<'_> {
    ChunkText {
        bytes: &chunk.bytes,
        fallback: chunk.fallback,
    }
}

/// Tries the rules under which the games are legal; those that say what they are
/// count for that.
fn vote(bytes: &[u8], fallback: Charset, syntax: Syntax) -> SourceVariant {
    let decode: TextDecoder<'_> = &|text| encoding::decode(text, fallback).0;
    let mut parser = Parser::with_hint(bytes, syntax);
    let mut raw = RawGame::default();
    let mut poll = VariantInference::new();
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
        let declared = guess::declared(game_type, &decode(variant));
        // What says that it is something unknown does not count for what is known.
        if declared.is_some() || game_type.is_empty() {
            poll.add(&raw, bytes, decode, declared);
        }
    }
    poll.result()
}
