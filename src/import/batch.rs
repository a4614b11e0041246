//! A chunk's games, read: everything the writer needs, in a few large buffers,
//! so that a thread can read a chunk and hand it over without an allocation a tag.

use std::{borrow::Cow, collections::HashMap, ops::Range};

use crate::{
    base::{
        diagnostic::{Code, Diagnostic},
        limits::{
            ANNOTATION_BYTES_MAX, ANNOTATIONS_PER_GAME_MAX, BATCH_BYTES_MAX, GAME_BYTES_MAX,
            ITEMS_PER_GAME_MAX, TAGS_BYTES_MAX, TAGS_PER_GAME_MAX,
        },
        observe::CancellationToken,
    },
    blocks::{
        facts::PackedFacts,
        fingerprint::{Fingerprint, FingerprintBuilder, GameContent, StartContent},
    },
    formats::{ChunkProblem, PgnTranscript, RecordsKind},
    games::{
        AnyStart, GameText, NamedOpening,
        notation::letters::Language,
        raw_text::{Reading, TextDecoder},
    },
    input::{
        chunk::{Chunk, SkippedRange},
        encoding::{self, Charset},
    },
    pgn::parser::{
        ItemKind, LimitExceeded, RawGame, RawItem, Syntax, eval_view::EvalEvidence, is_prose,
    },
    problems::StoredProblem,
};

use super::{
    source_profile::SourceProfile,
    start::{BatchStart, USUAL},
};
use play::StartCache;
pub(super) use problem::BatchProblem;
use side_to_move::InferredSideToMove;

mod evals;
mod legal_prefix;
mod not_a_game;
mod play;
mod problem;
mod result;
mod side_to_move;
mod tags;

/// A place in [`Batch::text`].
pub(super) type Span = Range<usize>;

/// A game of a batch.
#[derive(Debug, Default)]
pub(super) struct BatchGame {
    /// Facts; names and start are filled in by the writer.
    pub(super) facts: PackedFacts,
    /// White, Black, event, site.
    pub(super) names: [Option<Span>; 4],
    pub(super) round: Option<Span>,
    pub(super) eco: Option<Span>,
    /// The numbers that FIDE has given to White and Black, 0 for none.
    pub(super) fide_ids: [u32; 2],
    /// The tag layout as JSON.
    pub(super) layout: Span,
    /// The values that no column gives back, in `Batch::extras`.
    pub(super) extras: Range<usize>,
    /// Its packed tree, in `Batch::trees`; empty if there is nothing but the main line.
    pub(super) tree: Range<usize>,
    /// The texts of the tree, in `Batch::texts`; empty if there are none.
    pub(super) texts: Range<usize>,
    /// Index + 1 into `Batch::starts`, 0 for the standard start position of chess.
    pub(super) start: usize,
    /// Packed plies in `Batch::plies`.
    pub(super) plies: Range<usize>,
    /// Keys of its structures in `Batch::structures`.
    pub(super) structures: Range<usize>,
    /// Structure keys inside variations, in `Batch::variations`.
    pub(super) variations: Range<usize>,
    /// In `Batch::diagnostics`.
    pub(super) diagnostics: Range<usize>,
    /// The result after the moves that no tag has, in PDN: a score, or what is not usual there.
    pub(super) score: Option<String>,
    /// Its first byte in the chunk.
    pub(super) offset: u32,
    /// Words that look like moves, if there are any and none was played.
    pub(super) words_unplayed: u32,
    /// Whether its main line ends in a word that is no move.
    pub(super) ends_unread: bool,
    /// Its fingerprint; how its variant is known comes in when it is stored.
    pub(super) print: Fingerprint,
    /// How the variant is known, where no tag names it.
    pub(super) variant_by: Option<Cow<'static, str>>,
    /// The last name that its opening has.
    pub(super) opening: Option<&'static NamedOpening>,
    /// The language of its moves; `None` is English.
    pub(super) language: Option<&'static Language>,
    /// What its comments show of how their evaluations are meant; `None` if there are none, or
    /// enough games of the chunk have shown it.
    pub(super) evals: Option<Box<EvalEvidence>>,
    /// What it also has as a chess problem.
    pub(super) problem: Option<Box<BatchProblem>>,
}

impl BatchGame {
    /// Its fingerprint as it is stored.
    pub(super) fn print_as_stored(&self) -> Fingerprint {
        let by = self.variant_by.as_deref();
        by.map_or(self.print, |by| self.print.with_variant_by(by))
    }
}

/// The games of a chunk.
#[derive(Debug, Default)]
pub(super) struct Batch {
    pub(super) text: String,
    pub(super) extras: Vec<Span>,
    pub(super) plies: Vec<u8>,
    pub(super) trees: Vec<u8>,
    pub(super) texts: Vec<u8>,
    /// Records of problems.
    pub(super) records: Vec<u8>,
    /// Top 32 bits of the keys of all main lines' structures.
    pub(super) structures: Vec<u32>,
    pub(super) variations: Vec<u64>,
    pub(super) starts: Vec<BatchStart>,
    pub(super) games: Vec<BatchGame>,
    /// Findings; offsets are into the chunk's bytes.
    pub(super) diagnostics: Vec<Diagnostic>,
    /// Findings about what became no game, likewise.
    pub(super) loose: Vec<Diagnostic>,
    /// What became no game.
    pub(super) rejected: u64,
}

/// Reads a chunk's games. `grown` is called now and then with the bytes they take. Once
/// `stop` is requested, nothing that comes back is of use.
pub(super) fn read_chunk(
    chunk: &Chunk,
    profile: &SourceProfile,
    stop: &CancellationToken,
    grown: &mut dyn FnMut(usize),
) -> Batch {
    if let Some(problems) = profile.problems(chunk) {
        return read_problems(problems, chunk.fallback, profile, stop, grown);
    }
    match profile.transcript(chunk) {
        None => read_text(&chunk.bytes, chunk.fallback, profile, stop, grown),
        Some(transcript) => {
            let text = transcript.text().as_bytes();
            let mut batch = read_text(text, chunk.fallback, profile, stop, grown);
            batch.came_from(&transcript);
            batch
        }
    }
}

/// Reads the games of a PGN or PDN text.
fn read_text(
    bytes: &[u8],
    fallback: Charset,
    profile: &SourceProfile,
    stop: &CancellationToken,
    grown: &mut dyn FnMut(usize),
) -> Batch {
    let mut reader = ChunkParser::new(profile, fallback, stop);
    // Tags are about half of what a bare game score has.
    reader.batch.text.reserve(bytes.len() / 2);
    let mut parser = profile.parser(bytes);
    let mut raw = RawGame::default();
    let is_source = matches!(profile.format.kind, RecordsKind::Games);
    let is_doubted = is_source && !profile.is_told;
    while !stop.is_cancelled() && parser.next_game(&mut raw) {
        let other = is_doubted.then(|| not_a_game::none_of_games(&raw, bytes));
        if let Some(what) = other.flatten() {
            reader.batch.pass_over(raw.span.0, what);
        } else {
            raw.take_heading(bytes, |text| encoding::decode(text, fallback).0);
            reader.game(&raw, bytes);
        }
        if reader.batch.games.len().is_multiple_of(GAMES_A_LOOK) {
            grown(reader.bytes());
            if reader.bytes() > BATCH_BYTES_MAX && parser.next_game(&mut raw) {
                let count = reader.batch.games.len();
                let detail = format!("the rest of a section of text with more than {count} games");
                reader.batch.reject(raw.span.0, detail);
                break;
            }
        }
    }
    if let Some(at) = parser.left_over().filter(|_| is_source) {
        reader.batch.pass_over(at as u32, String::new());
    }
    grown(reader.bytes());
    reader.done()
}

/// Whether anything in a text of games is read as one, or left out because it has too much of
/// something.
pub(super) fn has_games(bytes: &[u8], profile: &SourceProfile, stop: &CancellationToken) -> bool {
    let batch = read_text(bytes, Charset::WINDOWS_1252, profile, stop, &mut |_| {});
    !batch.games.is_empty() || batch.rejected > 0
}

/// Files the problems of a chunk.
fn read_problems(
    problems: Vec<ChunkProblem>,
    fallback: Charset,
    profile: &SourceProfile,
    stop: &CancellationToken,
    grown: &mut dyn FnMut(usize),
) -> Batch {
    let mut reader = ChunkParser::new(profile, fallback, stop);
    for problem in problems {
        if stop.is_cancelled() {
            break;
        }
        reader.placed(problem);
        grown(reader.bytes());
    }
    reader.done()
}

impl Batch {
    /// What is left of a game that was passed over.
    pub(super) fn of_skipped(skipped: SkippedRange) -> Self {
        let mut batch = Self::default();
        batch.reject(0, too_many_bytes(skipped.bytes));
        batch
    }

    /// Leaves a game out that has too much of something.
    fn reject(&mut self, offset: u32, detail: String) {
        let finding = Diagnostic::with(Code::GameTooLarge, u64::from(offset), detail);
        self.loose.push(finding);
        self.rejected += 1;
    }

    /// Says that text is no game.
    fn pass_over(&mut self, offset: u32, what: String) {
        let finding = Diagnostic::with(Code::Prelude, u64::from(offset), what);
        self.loose.push(finding);
    }

    /// About how many bytes it takes.
    fn bytes(&self) -> usize {
        /// Of the detail of a finding.
        const DETAIL: usize = 48;
        /// Of the text of a start position.
        const START: usize = 256;
        let of_diagnostics = size_of::<Diagnostic>() + DETAIL;
        self.text.len()
            + self.trees.len()
            + self.texts.len()
            // A record, and the problem that it was written from.
            + 2 * self.records.len()
            + size_of_val(&self.extras[..])
            + size_of_val(&self.variations[..])
            + self.starts.len() * (size_of::<BatchStart>() + START)
            + size_of_val(&self.games[..])
            + (self.diagnostics.len() + self.loose.len()) * of_diagnostics
    }

    /// Turns what was read of a transcript into what was read of its source.
    fn came_from(&mut self, transcript: &PgnTranscript) {
        let found = std::mem::take(&mut self.diagnostics);
        let at_source = |mut diagnostic: Diagnostic| {
            let at = transcript.source_offset(diagnostic.offset_bytes as usize);
            diagnostic.offset_bytes = at as u64;
            diagnostic
        };
        let refused = std::mem::take(&mut self.loose);
        let refused_records: Vec<usize> = refused
            .iter()
            .map(|finding| transcript.record_at(finding.offset_bytes as usize))
            .collect();
        self.loose.extend(refused.into_iter().map(at_source));
        let is_kept = |record: Option<usize>| {
            record.is_none_or(|record| refused_records.binary_search(&record).is_err())
        };
        let findings = transcript.findings().iter();
        let mut added = findings
            .filter(|finding| is_kept(finding.record))
            .peekable();
        for game in &mut self.games {
            let record = transcript.record_at(game.offset as usize);
            game.offset = transcript.source_offset(game.offset as usize) as u32;
            let first = self.diagnostics.len();
            while let Some(finding) =
                added.next_if(|finding| finding.record.is_none_or(|of| of <= record))
            {
                let is_its = finding.record.is_some();
                let into = if is_its {
                    &mut self.diagnostics
                } else {
                    &mut self.loose
                };
                into.push(finding.diagnostic.clone());
            }
            let its = found[game.diagnostics.clone()].iter().cloned();
            self.diagnostics.extend(its.map(at_source));
            game.diagnostics = first..self.diagnostics.len();
            if game.variant_by.is_none() {
                game.variant_by = transcript.variant_by(record).cloned();
            }
        }
        self.loose
            .extend(added.map(|finding| finding.diagnostic.clone()));
        self.rejected += transcript.rejected();
    }
}

/// How the variant is known: the user who imported the game said so.
pub(super) const FORCED: &str = "forced";

struct ChunkParser<'h> {
    profile: &'h SourceProfile,
    batch: Batch,
    usual: AnyStart,
    beginnings: StartCache,
    reading: Reading,
    /// The well-known names of the tags of the current game.
    names: Vec<Option<&'static str>>,
    summer: FingerprintBuilder,
    fallback: Charset,
    /// Games whose evaluations are still looked at.
    evals_left: u32,
}

/// A parsed game, and the values of its tags that matter; of several of one name the last,
/// in PDN the first.
struct ParsedGame<'a> {
    text: GameText<'a>,
    variant: &'a [u8],
    game_type: &'a [u8],
    fen: &'a [u8],
    result: &'a [u8],
}

/// After this many games the bytes of a batch are measured.
const GAMES_A_LOOK: usize = 64;

fn too_many_bytes(bytes: u64) -> String {
    format!("{bytes} bytes of text, more than {GAME_BYTES_MAX}")
}

/// What a game has too much of to be kept, if its text alone shows it.
fn excess(raw: &RawGame, text: &[u8]) -> Option<String> {
    match raw.excess {
        Some(LimitExceeded::Tags) => Some(format!("more than {TAGS_PER_GAME_MAX} tag pairs")),
        Some(LimitExceeded::Items) => Some(format!(
            "more than {ITEMS_PER_GAME_MAX} words and annotations"
        )),
        None => {
            let bytes = raw.span.1 - raw.span.0;
            if bytes as usize > GAME_BYTES_MAX {
                return Some(too_many_bytes(bytes.into()));
            }
            let of_tags = raw.tags.iter().map(|tag| tag.value_bytes(text).len());
            (bytes as usize > TAGS_BYTES_MAX && of_tags.sum::<usize>() > TAGS_BYTES_MAX)
                .then(|| format!("tag values of more than {TAGS_BYTES_MAX} bytes"))
        }
    }
}

/// Words of a main line that look like moves: short, with a digit and something else.
fn moves_written(raw: &RawGame, bytes: &[u8]) -> u32 {
    let looks_so = |word: &[u8]| {
        let digits = word.iter().filter(|byte| byte.is_ascii_digit()).count();
        (2..=16).contains(&word.len()) && (1..word.len()).contains(&digits)
    };
    let (mut depth, mut words) = (0_u32, 0);
    for item in &raw.items {
        match item.kind {
            ItemKind::VariationStart => depth += 1,
            ItemKind::VariationEnd => depth = depth.saturating_sub(1),
            ItemKind::Word if depth == 0 => words += u32::from(looks_so(raw.text(bytes, item))),
            _ => {}
        }
    }
    words
}

/// Words that alone say how a game ended.
const END_WORDS: &[&str] = &[
    "mate",
    "checkmate",
    "mat",
    "matt",
    "schachmatt",
    "matte",
    "mata",
    "mato",
    "matto",
    "мат",
    "resigns",
    "resigned",
    "aufgegeben",
    "abandon",
    "abandonne",
    "abandona",
    "abbandona",
    "сдался",
    "сдались",
    "сдаются",
    "сдалась",
    "opgegeven",
    "draw",
    "drawn",
    "remis",
    "remise",
    "tablas",
    "nulle",
    "patta",
    "ничья",
    "stalemate",
    "patt",
    "pat",
];

/// Whether the last word of a main line is none that could be read. A sentence says how the game
/// ended.
fn ends_unread(raw: &RawGame, bytes: &[u8], findings: &[Diagnostic]) -> bool {
    let is_unknown = |item: &RawItem| {
        let found = findings.iter().rev();
        let mut unknown = found.filter(|found| found.code == Code::UnknownWord);
        unknown.any(|found| found.offset_bytes == u64::from(item.offset))
    };
    let mut depth = 0_u32;
    let main = raw.items.iter().rev().filter(|item| {
        match item.kind {
            ItemKind::VariationEnd => depth += 1,
            ItemKind::VariationStart => depth = depth.saturating_sub(1),
            ItemKind::Word => return depth == 0,
            _ => {}
        }
        false
    });
    let mut last = main.take(2);
    let is_said = |item: &RawItem| is_prose(raw.text(bytes, item));
    let is_end = |item: &RawItem| {
        let text = String::from_utf8_lossy(raw.text(bytes, item)).to_lowercase();
        END_WORDS.contains(&text.trim_matches(|c: char| !c.is_alphabetic()))
    };
    match (last.next(), last.next()) {
        (Some(last), before) if is_unknown(last) => {
            let is_sentence = || {
                let is_word = |before: &RawItem| is_unknown(before) && is_said(before);
                is_said(last) && before.is_some_and(is_word)
            };
            !is_end(last) && !is_sentence()
        }
        _ => false,
    }
}

fn too_many_annotations(reading: &Reading) -> String {
    if reading.annotations > ANNOTATIONS_PER_GAME_MAX {
        format!("more than {ANNOTATIONS_PER_GAME_MAX} annotations")
    } else {
        format!("annotations of more than {ANNOTATION_BYTES_MAX} bytes")
    }
}

impl<'h> ChunkParser<'h> {
    fn new(profile: &'h SourceProfile, fallback: Charset, stop: &CancellationToken) -> Self {
        Self {
            profile,
            batch: Batch::default(),
            usual: USUAL.clone().into_start(profile.expected),
            beginnings: HashMap::default(),
            reading: Reading {
                stop: stop.clone(),
                ..Reading::default()
            },
            names: Vec::new(),
            summer: FingerprintBuilder::default(),
            fallback,
            evals_left: evals::GAMES_MAX,
        }
    }

    /// What was read.
    fn done(mut self) -> Batch {
        self.batch.plies = self.reading.plies;
        self.batch.structures = self.reading.structures;
        self.batch
    }
}

impl ChunkParser<'_> {
    /// About how many bytes the batch takes.
    fn bytes(&self) -> usize {
        let reading = &self.reading;
        self.batch.bytes()
            + reading.plies.len()
            + size_of_val(&reading.structures[..])
            + reading.tree.bytes()
    }

    fn game(&mut self, raw: &RawGame, bytes: &[u8]) {
        if let Some(detail) = excess(raw, bytes) {
            return self.batch.reject(raw.span.0, detail);
        }
        self.name_tags(raw, bytes);
        let fallback = self.fallback;
        let decode: TextDecoder<'_> = &|text| encoding::decode(text, fallback).0;
        let mut parsed = ParsedGame {
            text: GameText { raw, bytes, decode },
            variant: &[],
            game_type: &[],
            fen: &[],
            result: &[],
        };
        for (tag, name) in raw.tags.iter().zip(&self.names) {
            let value = match name {
                Some("Variant") => &mut parsed.variant,
                Some("GameType") => &mut parsed.game_type,
                Some("FEN") => &mut parsed.fen,
                Some("Result") => &mut parsed.result,
                _ => continue,
            };
            if value.is_empty() || raw.syntax == Syntax::Pgn {
                *value = tag.value_bytes(bytes);
            }
        }
        if parsed.fen.trim_ascii() == b"?" {
            parsed.fen = &[];
        }
        let with_side = side_to_move::of_moves(&parsed);
        if let Some(InferredSideToMove::Told(fen)) = &with_side {
            parsed.fen = fen;
        }
        if parsed.variant.is_empty() {
            parsed.variant = tags::named_game(raw, bytes).unwrap_or_default();
        }
        if let Some(problem) = self.problem_of(&parsed) {
            let filed = StoredProblem {
                problem,
                source: None,
            };
            return self.problem(filed, raw.span.0);
        }
        let mut game = BatchGame {
            offset: raw.span.0,
            ..BatchGame::default()
        };
        let first_diagnostic = self.batch.diagnostics.len();
        let first_ply = self.reading.plies.len();
        let first_structure = self.reading.structures.len();
        self.reading.clear();
        let (from, to) = (raw.span.0 as usize, raw.span.1 as usize);
        if let Err(found) = std::str::from_utf8(&bytes[from..to]) {
            let at = raw.span.0 + found.valid_up_to() as u32;
            self.report(Code::EncodingGuess, at, fallback.name());
        }
        self.movetext(&parsed, &mut game);
        if let Some(InferredSideToMove::Doubtful(at)) = with_side {
            self.report(
                Code::SideUnclear,
                at,
                "only White can play the move that is Black's by its number",
            );
        }
        if self.reading.ply_count == 0 {
            game.words_unplayed = moves_written(raw, bytes);
        }
        let findings = &self.reading.diagnostics;
        game.ends_unread = !findings.is_empty() && ends_unread(raw, bytes, findings);
        if self.reading.is_excessive {
            self.reading.plies.truncate(first_ply);
            self.reading.structures.truncate(first_structure);
            self.batch.diagnostics.truncate(first_diagnostic);
            let detail = too_many_annotations(&self.reading);
            return self.batch.reject(raw.span.0, detail);
        }
        self.tags(raw, bytes, &mut game);
        self.keep((first_ply, first_structure), &mut game);
        // The last word may have been a result, as only the rules can determine.
        let is_told = self.reading.result.is_some();
        let found = raw.diagnostics.iter().cloned();
        (self.batch.diagnostics)
            .extend(found.filter(|found| !(is_told && found.code == Code::ResultMissing)));
        self.batch.diagnostics.append(&mut self.reading.diagnostics);
        let dropped =
            u64::from(raw.diagnostics_dropped) + u64::from(self.reading.diagnostics_dropped);
        if dropped > 0 {
            self.report(Code::MoreFindings, raw.span.0, dropped.to_string());
        }
        game.diagnostics = first_diagnostic..self.batch.diagnostics.len();
        self.batch.games.push(game);
    }

    /// Keeps what was read of the moves of a game: plies and structures from these on, its
    /// tree and the positions inside its variations.
    fn keep(&mut self, (first_ply, first_structure): (usize, usize), game: &mut BatchGame) {
        game.plies = first_ply..self.reading.plies.len();
        game.structures = first_structure..self.reading.structures.len();
        game.facts.plies = self.reading.ply_count;
        game.language = self.reading.language;
        let (first_tree, first_text) = (self.batch.trees.len(), self.batch.texts.len());
        if !self.reading.tree.is_empty() {
            self.reading.tree.write_tree(&mut self.batch.trees);
        }
        self.batch.texts.extend_from_slice(&self.reading.texts);
        if self.reading.texts.is_empty() && self.reading.tree.has_texts() {
            self.reading.tree.write_texts(&mut self.batch.texts);
        }
        game.tree = first_tree..self.batch.trees.len();
        game.texts = first_text..self.batch.texts.len();
        self.look_at_evals(game);
        let start = game
            .start
            .checked_sub(1)
            .map(|at| &self.batch.starts[at].row);
        game.print = self.summer.sum(&GameContent {
            facts: &game.facts,
            start: start.map(|row| StartContent {
                variant: row.variant,
                fen: &row.fen,
                canonical: row.canonical.as_deref(),
                corner: row.corner,
            }),
            plies: &self.reading.plies[game.plies.clone()],
            records: [
                &self.batch.trees[game.tree.clone()],
                &self.batch.texts[game.texts.clone()],
                match &game.problem {
                    Some(problem) => &self.batch.records[problem.record.clone()],
                    None => &[],
                },
            ],
        });
        // Once each, whatever is met again and again.
        self.reading.variations.sort_unstable();
        self.reading.variations.dedup();
        let first_variation = self.batch.variations.len();
        self.batch.variations.append(&mut self.reading.variations);
        game.variations = first_variation..self.batch.variations.len();
    }

    fn report(&mut self, code: Code, offset: u32, detail: impl Into<Cow<'static, str>>) {
        self.batch
            .diagnostics
            .push(Diagnostic::with(code, u64::from(offset), detail));
    }
}
