//! Records in other notations than PGN, with the places where they stood.
//!
//! The beginning of a stream shows what it is, and its name counts something (`recognise`). What
//! is PGN or PDN goes to the parser as it is. Positions become the PGN text of the same
//! records, a [`PgnTranscript`], which is then read as if it had been written so. Chess
//! problems are handed over as they are read ([`ChunkProblem`]).
//!
//! Adding a notation is a module and a row in [`FORMATS`].
//!
//! Invariant: what becomes of a chunk is a function of the chunk and the [`StreamHints`] alone, and
//! every record of it is in the result or among the findings.

mod around;
mod dhtmlxq;
mod epd;
mod file_names;
mod game_values;
mod games;
mod ggf;
mod json_like;
mod move_context;
mod passage;
mod pgn_with_text;
pub mod polyglot;
mod problems;
mod prose;
mod recognise;
mod sentences;
mod table;
mod text;
mod text_diagrams;
mod text_order;
mod transcript;
mod wxf;
mod yaml_like;

use std::{borrow::Cow, path::Path, sync::Arc};

use crate::{
    games::{
        board_shape::BoardShape,
        guess::INFERRED,
        variant::{Variant, VariantDetection},
    },
    input::chunk::{Records, chain_of},
    problems::{ParsedProblem, lines, olive, popeye},
};

use file_names::FileNameGame;
pub use file_names::names_other_game;
pub use problems::ChunkProblem;
pub use recognise::{RecognizedFormat, Sample, is_binary, looks_like, recognise};
pub use table::TableLayout;
pub use text::{ChunkLine, ChunkText};
pub use text_order::TextOrder;
pub use transcript::{PgnTranscript, TranscriptFinding};

/// One row of the table of notations.
#[derive(Debug)]
pub struct Format {
    /// Name as hashes of streams have it.
    pub name: &'static str,
    /// What people call it, the name that is shown first.
    pub names: &'static [&'static str],
    /// Endings of file names, lower case, without the dot.
    pub extensions: &'static [&'static str],
    /// Endings that files of other notations have as well, so that a file is not taken from a
    /// folder for them.
    pub shared_extensions: &'static [&'static str],
    /// How much of the beginning of a stream it explains, of 100.
    pub explains: fn(&Sample<'_>) -> u32,
    /// Where records begin.
    pub records: Records,
    /// What becomes of the records.
    pub kind: RecordsKind,
    /// Whether games may stand between its positions, as PGN has them.
    pub has_games: bool,
    /// Whether nothing of it can be read without its header: a file with its ending may hold
    /// games in another notation then.
    pub needs_header: bool,
}

/// What becomes of the records of a chunk.
#[derive(Debug, Clone, Copy)]
pub enum RecordsKind {
    /// They are PGN or PDN: the parser reads them.
    Games,
    /// They are positions, which this writes as PGN.
    Positions(fn(&ChunkText<'_>, &StreamHints, &mut PgnTranscript)),
    /// They are chess problems, which this reads.
    Problems(fn(&str) -> Vec<ParsedProblem>),
}

/// Every notation there is; of two that explain as much, the first one is taken.
pub static FORMATS: &[Format] = &[
    Format {
        name: "PGN",
        names: &["pgn"],
        extensions: &["pgn"],
        shared_extensions: &[],
        explains: games::explains,
        records: Records::Games,
        kind: RecordsKind::Games,
        has_games: false,
        needs_header: false,
    },
    Format {
        name: "PDN",
        names: &["pdn"],
        extensions: &["pdn"],
        shared_extensions: &[],
        // The parser distinguishes the two, game by game.
        explains: games::explains,
        records: Records::Games,
        kind: RecordsKind::Games,
        has_games: false,
        needs_header: false,
    },
    Format {
        name: "GGF",
        names: &["ggf"],
        extensions: &["ggf"],
        shared_extensions: &[],
        explains: ggf::explains,
        records: Records::Lines(ggf::LINES),
        kind: RecordsKind::Positions(ggf::transcribe),
        has_games: false,
        needs_header: true,
    },
    Format {
        name: "DhtmlXQ",
        names: &["dhtmlxq"],
        extensions: &["dhtmlxq"],
        shared_extensions: &[],
        explains: dhtmlxq::explains,
        records: Records::Lines(dhtmlxq::LINES),
        kind: RecordsKind::Positions(dhtmlxq::transcribe),
        has_games: false,
        needs_header: true,
    },
    Format {
        name: "WXF",
        names: &["wxf"],
        extensions: &["wxf"],
        shared_extensions: &[],
        explains: wxf::explains,
        records: Records::Lines(wxf::LINES),
        kind: RecordsKind::Positions(wxf::transcribe),
        has_games: false,
        needs_header: true,
    },
    Format {
        name: "puzzles",
        names: &["puzzles"],
        extensions: &[],
        shared_extensions: &["csv"],
        explains: |sample| 100 * u32::from(table::is_puzzles(sample)),
        records: Records::Lines(table::PUZZLES),
        kind: RecordsKind::Positions(table::transcribe_puzzles),
        has_games: false,
        needs_header: false,
    },
    Format {
        name: "listing",
        names: &["json", "listing"],
        extensions: &[],
        shared_extensions: &["json", "jsonl", "ndjson"],
        explains: json_like::explains,
        records: Records::Lines(json_like::LINES),
        kind: RecordsKind::Positions(json_like::transcribe),
        has_games: false,
        needs_header: false,
    },
    Format {
        name: "problems",
        names: &["problems"],
        extensions: &["problems"],
        shared_extensions: &[],
        explains: problems::explains,
        records: Records::Lines(problems::LINES),
        kind: RecordsKind::Problems(lines::read),
        has_games: false,
        needs_header: false,
    },
    Format {
        name: "Popeye",
        names: &["popeye"],
        extensions: &["inp"],
        shared_extensions: &[],
        explains: |sample| popeye::explains(&sample.text),
        records: Records::Lines(problems::POPEYE),
        kind: RecordsKind::Problems(popeye::read),
        has_games: false,
        needs_header: false,
    },
    Format {
        name: "Popeye's answers",
        names: &["popeye-output"],
        extensions: &[],
        shared_extensions: &[],
        explains: |sample| popeye::output::explains(&sample.text),
        records: Records::Lines(problems::ANSWERS),
        kind: RecordsKind::Problems(popeye::output::read),
        has_games: false,
        needs_header: false,
    },
    Format {
        name: "olive",
        names: &["olive", "yaml"],
        extensions: &["olv", "yaml", "yml"],
        shared_extensions: &[],
        explains: |sample| 95 * u32::from(olive::is_collection(&sample.text)),
        records: Records::Lines(problems::OLIVE),
        kind: RecordsKind::Problems(olive::read),
        has_games: false,
        needs_header: false,
    },
    Format {
        name: "EPD",
        names: &["epd", "fen"],
        extensions: &["epd", "fen"],
        shared_extensions: &[],
        explains: epd::explains,
        records: Records::Lines(epd::LINES),
        kind: RecordsKind::Positions(epd::transcribe),
        has_games: true,
        needs_header: false,
    },
    Format {
        name: "table",
        names: &["table", "csv", "tsv"],
        extensions: &[],
        shared_extensions: &["csv", "tsv"],
        explains: table::explains,
        records: Records::Lines(table::LINES),
        kind: RecordsKind::Positions(table::transcribe),
        has_games: true,
        needs_header: false,
    },
    Format {
        name: "text",
        names: &["text", "list"],
        extensions: &[],
        shared_extensions: &[],
        explains: passage::explains,
        records: Records::Lines(passage::LINES),
        kind: RecordsKind::Positions(passage::transcribe),
        has_games: true,
        needs_header: false,
    },
];

/// What is known of a stream besides its text.
#[derive(Debug, Clone, Default)]
pub struct StreamHints {
    /// The variant that its records are of, where they do not say so.
    pub variant: Option<&'static Variant>,
    /// Whether the user gave that variant; else the name of the file does.
    pub is_forced: bool,
    /// How that variant is known, where it is not said directly.
    pub by: Option<Cow<'static, str>>,
    /// The game that the name of the file says, if it is none of the variants.
    pub foreign: Option<&'static str>,
    /// The columns of a table, which the beginning of the stream shows.
    pub table: Option<Arc<TableLayout>>,
    /// What its beginning shows of the order of its parts.
    pub order: TextOrder,
    /// Whether each of its lines is JSON.
    pub has_json_lines: bool,
    /// What may stand between its records.
    pub others: OtherRecords,
}

/// What a stream may have besides the records of its own notation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OtherRecords {
    /// Positions, between games.
    #[default]
    Positions,
    /// Games, between positions.
    Games,
    /// Nothing: the user gave the notation.
    Nothing,
}

impl StreamHints {
    /// The variant of a FEN's board: the one that was said, the one that the name of the file says
    /// if it has such a board, the one that the pieces themselves show; `None` for chess and for
    /// unknown games.
    fn variant_of(&self, shape: &BoardShape) -> Option<&'static Variant> {
        let hint = self.variant.filter(|variant| {
            let has_board =
                (u32::from(variant.files), u32::from(variant.ranks)) == (shape.files, shape.ranks);
            let is_chess = variant.tier() == Some(VariantDetection::Assumed);
            let is_guessed = variant.tier() == Some(VariantDetection::Guessed);
            self.is_forced || (has_board && !is_guessed && (!is_chess || shape.is_plain()))
        });
        hint.or_else(|| shape.variant())
    }

    /// How the variant of a record is known, where its text alone does not determine it for sure.
    fn by(&self) -> Option<Cow<'static, str>> {
        let by = || self.by.clone().unwrap_or(INFERRED.into());
        (!self.is_forced).then(by)
    }
}

/// The notation that people call so.
///
/// # Errors
///
/// [`UnknownFormat`], which lists the names there are.
pub fn named(name: &str) -> Result<&'static Format, UnknownFormat> {
    let has = |row: &&Format| row.names.iter().any(|own| own.eq_ignore_ascii_case(name));
    let found = FORMATS.iter().find(has);
    found.ok_or_else(|| UnknownFormat {
        name: name.to_owned(),
    })
}

/// No notation is called so. Say one of the names that the message lists.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{name}` is not a known format; the known ones are {}", names_of_all().join(", "))]
pub struct UnknownFormat {
    name: String,
}

fn names_of_all() -> Vec<&'static str> {
    let rows = FORMATS.iter();
    rows.flat_map(|row| row.names.iter().copied()).collect()
}

/// The endings of the files that are taken from folders.
pub fn extensions() -> Vec<&'static str> {
    let rows = FORMATS.iter();
    rows.flat_map(|row| row.extensions.iter().copied())
        .collect()
}

/// The game that the name of a file names, or that its ending stands for.
pub fn game_of_file(path: &Path) -> Option<&'static Variant> {
    match file_names::named(path) {
        Some(FileNameGame::Variant(variant)) => Some(variant),
        Some(FileNameGame::Foreign(_)) => None,
        None => file_names::by_ending(path),
    }
}

impl PartialEq for Format {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Format {}

impl Format {
    /// What it is called where one name is shown.
    pub fn shown(&self) -> &'static str {
        self.names[0]
    }

    /// Whether its records are games as the parser reads them.
    pub const fn is_games(&self) -> bool {
        matches!(self.kind, RecordsKind::Games)
    }

    /// The problems of a chunk, if it has such records.
    pub fn problems(&self, text: &ChunkText<'_>) -> Option<Vec<ChunkProblem>> {
        match self.kind {
            RecordsKind::Problems(read) => Some(problems::placed(text, read, self.shown())),
            RecordsKind::Games | RecordsKind::Positions(_) => None,
        }
    }

    /// The positions of a chunk as PGN, if it has such records, with the games between them.
    pub fn transcript(
        &'static self,
        text: &ChunkText<'_>,
        hints: &StreamHints,
    ) -> Option<PgnTranscript> {
        let parts = match self.kind {
            _ if hints.others == OtherRecords::Nothing => None,
            RecordsKind::Games => pgn_with_text::of_games(text),
            RecordsKind::Positions(_) if self.has_games => pgn_with_text::of_positions(text, self),
            RecordsKind::Positions(_) | RecordsKind::Problems(_) => None,
        };
        let mut transcript = PgnTranscript::default();
        match (parts, self.kind) {
            (Some(parts), _) => pgn_with_text::transcribe(parts, text, hints, &mut transcript),
            (None, RecordsKind::Positions(read)) => read(text, hints, &mut transcript),
            (None, _) => return None,
        }
        Some(transcript)
    }

    /// What to know of a stream of this notation: `forced` is the variant that the user gave,
    /// `path` how the stream is named, `beginning` how it begins.
    pub fn hints(
        &self,
        forced: Option<&'static Variant>,
        path: &Path,
        beginning: &[u8],
    ) -> StreamHints {
        if self.is_games() {
            return StreamHints::default();
        }
        let sample = Sample::of(beginning);
        let set = || sample.text.lines().find_map(epd::variant_set);
        let (variant, foreign) = match (forced.or_else(set), file_names::named(path)) {
            (Some(variant), _) | (None, Some(FileNameGame::Variant(variant))) => {
                (Some(variant), None)
            }
            (None, Some(FileNameGame::Foreign(name))) => (None, Some(name)),
            (None, None) => (None, None),
        };
        StreamHints {
            variant,
            is_forced: forced.is_some(),
            by: None,
            foreign,
            table: TableLayout::of(&sample).map(Arc::new),
            order: TextOrder::of(&sample.text, sample.is_cut()),
            has_json_lines: json_like::has_json_lines(&sample),
            others: OtherRecords::Games,
        }
    }

    /// The hash before the first chunk of such a stream, so that the same bytes
    /// read in another way are not taken for known: 0 for PGN and PDN.
    ///
    /// Part of the file format of the index.
    pub fn seed(&self, hints: &StreamHints) -> u128 {
        if self.is_games() {
            return 0;
        }
        let game = hints.variant.map(|variant| variant.name).or(hints.foreign);
        let named = format!("{} {}", self.name, game.unwrap_or_default());
        chain_of(0, named.trim_end().as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn variant(line: &str, hint: Option<&str>) -> &'static str {
        let hints = StreamHints {
            variant: hint.and_then(Variant::named),
            ..StreamHints::default()
        };
        let shape = BoardShape::of(line.as_bytes()).expect("a position");
        hints.variant_of(&shape).map_or("", |variant| variant.name)
    }

    #[test]
    fn lines_tell_their_variant() {
        let pieces = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
        let ten = "rnabqkbcnr/pppppppppp/10/55/91/19/PPPPPPPPPP/RNABQKBCNR";
        for (line, hint, wanted) in [
            (format!("{pieces} w KQkq -"), None, ""),
            (format!("{pieces}[Qp] w KQkq -"), None, "crazyhouse"),
            (format!("{pieces}[] w KQkq -"), Some("chess"), "crazyhouse"),
            (format!("{pieces}[] w KQkq -"), Some("bughouse"), "bughouse"),
            (format!("{pieces}[HE] w KQkq -"), None, ""),
            (format!("{pieces}/Qp w KQkq -"), None, "crazyhouse"),
            (format!("{pieces} w KQkq - 3+3 0 1"), None, "threecheck"),
            (format!("{pieces} w KQkq - 0 1 +1+0"), None, "threecheck"),
            (format!("{pieces} w KQkq - 5+4 0 1"), None, "fivecheck"),
            (format!("{pieces} w KQkq - id \"a\"; c0 3+3"), None, ""),
            (format!("{pieces} w KQkq -"), Some("atomic"), "atomic"),
            // The name of the file is not that of this board.
            (format!("{pieces} w KQkq -"), Some("capablanca"), ""),
            (format!("{pieces} w KQkq -"), Some("english"), ""),
            (format!("{ten} w KQkq -"), None, "capablanca"),
            (format!("{ten} w KQkq -"), Some("gothic"), "gothic"),
            (
                "rnbqkbnr/pppppppp/8/1PP2PP1/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP w kq -".into(),
                None,
                "horde",
            ),
        ] {
            assert_eq!(variant(&line, hint), wanted, "{line}");
        }
    }
}
