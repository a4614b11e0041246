//! Answers as JSON; the fields are documented in `docs/json.md`.

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use super::findings;
use crate::{
    base::record::{GameHeader, GameRecord, MovetextItem},
    database::{BoardAt, GameTally, ImportReport, Provenance, StoredGame},
    games::variant::Variant,
    pgn::parser::{
        comment::{self, CommandValue, CommentValue},
        eval_view::{EvalViews, SourceEvals},
    },
    problems::{Composition, SourceText},
};

/// Writes one object over several lines.
pub fn pretty(out: &mut dyn Write, value: &impl Serialize) -> Result<(), serde_json::Error> {
    serde_json::to_writer_pretty(&mut *out, value)?;
    out.write_all(b"\n").map_err(serde_json::Error::io)
}

/// Writes one object on one line.
pub fn line(out: &mut dyn Write, value: &impl Serialize) -> Result<(), serde_json::Error> {
    serde_json::to_writer(&mut *out, value)?;
    out.write_all(b"\n").map_err(serde_json::Error::io)
}

/// The beginning of a page of games, up to the first; with further fields, as JSON.
pub fn begin_hits(
    out: &mut dyn Write,
    offset: u64,
    lists: &[(&'static str, String)],
) -> io::Result<()> {
    write!(out, "{{\n  \"offset\": {offset},\n")?;
    for (name, told) in lists {
        writeln!(out, "  \"{name}\": {},", told.replace('\n', "\n  "))?;
    }
    write!(out, "  \"hits\": [")
}

/// A game of a page, or what else a list has, with what parts it from the one before.
pub fn hit(
    out: &mut dyn Write,
    hit: &impl Serialize,
    is_first: bool,
) -> Result<(), serde_json::Error> {
    let text = serde_json::to_string_pretty(hit)?.replace('\n', "\n    ");
    let comma = if is_first { "" } else { "," };
    write!(out, "{comma}\n    {text}").map_err(serde_json::Error::io)
}

/// The end of a page of games. How many there are in all is known only now.
pub fn end_hits(out: &mut dyn Write, tally: GameTally, is_empty: bool) -> io::Result<()> {
    let indent = if is_empty { "" } else { "\n  " };
    let stopped = if tally.interrupted {
        ",\n  \"interrupted\": true"
    } else {
        ""
    };
    writeln!(out, "{indent}],\n  \"total\": {}{stopped}\n}}", tally.games)
}

/// A complete game.
#[derive(Serialize)]
struct GameJson<'g> {
    header: &'g GameHeader,
    tags: &'g [(String, String)],
    first_move: FirstMove,
    items: JsonArray<'g>,
    result: &'static str,
    result_written: &'g str,
    provenance: &'g Provenance,
    #[serde(skip_serializing_if = "Option::is_none")]
    position: Option<PositionAt<'g>>,
    /// Everything that is known of a problem, and the text of its record.
    #[serde(skip_serializing_if = "Option::is_none")]
    composition: Option<&'g Composition>,
    #[serde(skip_serializing_if = "Option::is_none")]
    source_text: Option<&'g SourceText>,
}

/// The number of the first move, and whether the side makes it that usually moves second.
#[derive(Serialize)]
pub(super) struct FirstMove {
    number: u32,
    black: bool,
}

impl FirstMove {
    pub(super) const fn of(game: &GameRecord) -> Self {
        let (number, black) = game.first_move;
        Self { number, black }
    }
}

#[derive(Serialize)]
struct PositionAt<'g> {
    ply: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    variation: Option<String>,
    fen: &'g str,
    last_move: Option<&'g str>,
}

/// Written one after the other: there may be hundreds of thousands.
struct JsonArray<'g> {
    all: &'g [MovetextItem],
    /// Whether the first move is of the side that usually moves second.
    second_begins: bool,
    /// How the evaluations of the source are read.
    evals: SourceEvals,
}

impl Serialize for JsonArray<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut second_moved = !self.second_begins;
        let mut plies = 0;
        let comments = self.all.iter().filter_map(|item| {
            plies += u32::from(matches!(item, MovetextItem::Move(_)));
            match item {
                MovetextItem::Comment(text) => Some((plies, &**text)),
                _ => None,
            }
        });
        let views = EvalViews::of(self.evals, comments);
        serializer.collect_seq(self.all.iter().map(move |item| {
            second_moved ^= matches!(item, MovetextItem::Move(_));
            JsonArrayItem {
                item,
                second_moved,
                evals: (self.evals, views),
            }
        }))
    }
}

struct JsonArrayItem<'g> {
    item: &'g MovetextItem,
    second_moved: bool,
    evals: (SourceEvals, EvalViews),
}

impl Serialize for JsonArrayItem<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        match self.item {
            MovetextItem::Move(text) => map.serialize_entry("move", text),
            MovetextItem::Comment(text) => {
                map.serialize_entry("comment", text)?;
                comment_values(text, (self.second_moved, self.evals), &mut map)
            }
            MovetextItem::LineComment(text) => map.serialize_entry("line_comment", text),
            MovetextItem::Nag(number) => map.serialize_entry("nag", number),
            MovetextItem::Variation(text) => map.serialize_entry("variation", text),
            MovetextItem::Word(text) => map.serialize_entry("word", text),
            MovetextItem::Rest(text) => map.serialize_entry("rest", text),
        }?;
        map.end()
    }
}

/// The values of a comment, beside its text.
fn comment_values<M: SerializeMap>(
    comment: &str,
    (second_moved, (source, views)): (bool, (SourceEvals, EvalViews)),
    map: &mut M,
) -> Result<(), M::Error> {
    let mut values = serde_json::Map::new();
    for CommentValue { name, value } in comment::values(comment, second_moved, source, || views) {
        let mut add = |name: String, value: serde_json::Value| {
            values.insert(name, value);
        };
        if let CommandValue::Centipawns { depth, .. } | CommandValue::Mate { depth, .. } = value
            && let Some(depth) = depth
        {
            add("eval_depth".to_owned(), depth.into());
        }
        match value {
            CommandValue::Time { milliseconds } => {
                let seconds = milliseconds as f64 / 1000.0;
                add(format!("{name}_seconds"), seconds.into());
            }
            CommandValue::Centipawns { centipawns, .. } => {
                add(
                    "eval_pawns".to_owned(),
                    (f64::from(centipawns) / 100.0).into(),
                );
            }
            CommandValue::Mate { moves, .. } => {
                add("eval_mate".to_owned(), moves.into());
            }
            CommandValue::Squares(squares) => {
                let squares = squares.iter().map(|(colour, at)| format!("{colour}{at}"));
                add("squares".to_owned(), squares.collect());
            }
            CommandValue::Arrows(arrows) => {
                let arrow = |(colour, from, to): &(char, _, _)| format!("{colour}{from}{to}");
                add("arrows".to_owned(), arrows.iter().map(arrow).collect());
            }
            CommandValue::Unknown => {}
        }
    }
    if values.is_empty() {
        return Ok(());
    }
    map.serialize_entry("values", &values)
}

/// A complete game; with `board`, the position after that ply as well.
pub fn game<'g>(
    record: &'g StoredGame,
    board: Option<&'g BoardAt>,
    provenance: &'g Provenance,
) -> impl Serialize + 'g {
    let StoredGame { game, problem } = record;
    GameJson {
        header: &game.header,
        tags: &game.tags,
        first_move: FirstMove::of(game),
        items: JsonArray {
            all: &game.items,
            second_begins: game.first_move.1,
            evals: provenance.evals,
        },
        result: game.outcome.as_pgn(),
        result_written: &game.header.result_written,
        provenance,
        position: board.map(|board| PositionAt {
            ply: board.place.ply,
            variation: (!board.place.line.is_main()).then(|| board.place.line.to_string()),
            fen: &board.fen,
            last_move: board.last_move.as_deref(),
        }),
        composition: problem.as_ref().map(|filed| &filed.problem),
        source_text: problem.as_ref().and_then(|filed| filed.source.as_ref()),
    }
}

/// The summary of an import.
pub fn import(out: &mut dyn Write, summary: &ImportReport, seconds: f64) -> io::Result<()> {
    let diagnostics: Vec<_> = summary
        .diagnostics
        .iter()
        .map(|(code, count)| findings::counted_code(&(code.as_str().to_owned(), *count)))
        .collect();
    let failed: Vec<_> = summary
        .sources_failed
        .iter()
        .map(|(source, error)| serde_json::json!({ "source": source, "error": error }))
        .collect();
    let variants: Vec<_> = summary
        .variants
        .iter()
        .map(|count| {
            let name = Variant::by_id(count.variant).map_or("unknown", |row| row.name);
            serde_json::json!({
                "variant": name,
                "games": count.games,
                "not_by_tags": count.inferred,
                "ambiguous": count.ambiguous,
            })
        })
        .collect();
    let mut formats = BTreeMap::<_, u64>::new();
    for (_, format) in &summary.formats {
        *formats.entry(*format).or_default() += 1;
    }
    let read_as: Vec<_> = summary
        .formats
        .iter()
        .map(|(source, format)| serde_json::json!({ "source": source, "format": format }))
        .collect();
    let value = serde_json::json!({
        "sources": summary.sources,
        "formats": formats,
        "read_as": read_as,
        "close_calls": summary.close_calls,
        "seen": summary.seen,
        "stored": summary.stored,
        "duplicate": summary.duplicate,
        "repeated": summary.repeated,
        "repeated_named": summary.repeated_named,
        "deleted": summary.deleted,
        "deletions": summary.deletions,
        "restored": summary.restored,
        "restored_by": summary.restored_by,
        "replaced": summary.replaced,
        "contained": summary.contained,
        "contained_named": summary.contained_named,
        "rejected": summary.rejected,
        "plies": summary.plies,
        "variants": variants,
        "languages": summary.languages,
        "evaluations": summary.evaluations,
        "incomplete": summary.incomplete,
        "incomplete_named": summary.incomplete_named,
        "positions": summary.positions,
        "database_bytes": summary.database_bytes,
        "seconds": seconds,
        "interrupted": summary.interrupted,
        "refused": summary.refused,
        "sources_unplayable": summary.unplayed,
        "unchanged_sources": summary.unchanged_sources,
        "sources_repeated": summary.sources_repeated,
        "sources_empty": summary.sources_empty,
        "files_skipped": summary.files_skipped,
        "files_skipped_named": summary.files_skipped_named,
        "sources_failed": failed,
        "sources_missing": summary.sources_missing,
        "diagnostics": diagnostics,
    });
    pretty(out, &value).map_err(Into::into)
}
