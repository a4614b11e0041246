//! What is in a database, and where its games were read.

use serde::Serialize;

use super::{Result, Snapshot, SourcePlace};
use crate::{
    base::{diagnostic::Code, display_path, record::GameId},
    blocks::facts::FactColumn as Is,
    games::variant,
    pgn::{parser::eval_view::SourceEvals, tags::date::PgnDate},
    store::SCHEMA_VERSION,
};

/// What is in a database.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Info {
    /// The file.
    pub path: String,
    /// Its size.
    pub bytes: u64,
    /// Version of its schema.
    pub schema_version: u32,
    /// Games.
    pub games: u64,
    /// Games that were removed and can be brought back.
    pub removed: u64,
    /// Plies of all main lines.
    pub plies: u64,
    /// Positions in the index.
    pub positions: u64,
    /// Different players.
    pub players: u64,
    /// Different events.
    pub events: u64,
    /// Different sites.
    pub sites: u64,
    /// Imported sources of different names.
    pub sources: u64,
    /// Segments of the position index.
    pub segments: u64,
    /// Earliest known date, as `yyyy-mm-dd` or the known beginning of it.
    pub first_date: Option<String>,
    /// Latest known date, likewise.
    pub last_date: Option<String>,
    /// Bytes by part of the database.
    pub parts: Vec<(String, u64)>,
    /// Games by variant.
    pub variants: Vec<(String, u64)>,
}

/// Where a game was read, and what is wrong with its text.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Provenance {
    /// The source as it was named; none if it is not on record.
    pub source: Option<String>,
    /// 1-based number of the game in it.
    pub number: Option<u64>,
    /// Sources that had it again.
    pub repeats: Vec<SourcePlace>,
    /// Warnings and errors, in the order of the text.
    #[serde(rename = "findings")]
    pub diagnostics: Vec<GameDiagnostic>,
    /// How the evaluations of the source are read.
    #[serde(skip)]
    pub evals: SourceEvals,
}

/// A stored warning or error about a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct GameDiagnostic {
    /// Its code word.
    pub code: String,
    /// What it means; empty for a code of another version.
    pub message: &'static str,
    /// 0-based byte offset in the decompressed source.
    pub offset_bytes: u64,
    /// What exactly.
    pub detail: String,
}

impl Snapshot<'_> {
    /// What is in the database.
    ///
    /// # Errors
    ///
    /// If the database cannot be read or is damaged.
    pub fn info(&self) -> Result<Info> {
        let store = self.store();
        let segments = store.segments()?;
        let [players, events, sites, sources] = store.counts()?;
        let mut info = Info {
            path: display_path::path(store.path()).into_owned(),
            bytes: store.bytes(),
            schema_version: SCHEMA_VERSION,
            positions: segments.iter().map(|segment| segment.positions).sum(),
            segments: segments.len() as u64,
            players,
            events,
            sites,
            sources,
            parts: store.sizes()?,
            ..Info::default()
        };
        let (mut first, mut last) = (u32::MAX, 0);
        let mut variants = [0u64; 256];
        let removed = store.removed()?;
        info.removed = removed.without(&store.purged()?).count();
        store.for_each_facts(&[Is::Plies, Is::Variant, Is::Date], |game, facts| {
            if removed.contains(game) {
                return;
            }
            info.games += 1;
            info.plies += u64::from(facts.plies);
            variants[facts.variant as usize & 255] += 1;
            if facts.date > 0 {
                first = first.min(facts.date);
                last = last.max(facts.date);
            }
        })?;
        let text = |packed| Some(PgnDate::from_packed(packed).iso_prefix());
        if last > 0 {
            (info.first_date, info.last_date) = (text(first), text(last));
        }
        info.variants = variant::counts_by_name(&variants);
        Ok(info)
    }

    /// Where a game was read.
    ///
    /// # Errors
    ///
    /// If the database cannot be read or is damaged.
    pub fn provenance(&self, game: GameId) -> Result<Provenance> {
        let store = self.store();
        let mut places = store.places(game)?.into_iter();
        let first = places.next();
        let (source, number) = first.map(|place| (place.source, place.number)).unzip();
        let diagnostics =
            store
                .diagnostics(game)?
                .into_iter()
                .map(|(code, offset_bytes, detail)| GameDiagnostic {
                    message: Code::named(&code).map_or("", Code::message),
                    code,
                    offset_bytes,
                    detail,
                });
        Ok(Provenance {
            source,
            number,
            repeats: places.collect(),
            diagnostics: diagnostics.collect(),
            evals: store.eval_readings()?.of_game(game),
        })
    }
}
