//! Makes a new database of what can be read of a damaged one: what is built of the games is
//! built again, games that are whole are copied, and of others what is left.

mod salvage;

use serde::Serialize;

use crate::{
    base::{
        observe::{Event, Observer},
        record::GameId,
    },
    db::{
        import::{intern::Interner, merge_segments},
        index::{
            facts::PackedFacts,
            moves::MainLine,
            pages::RecordBlockWriter,
            sums::{GameSummer, SummedGame, SummedStart, with_variant_by},
        },
        store::{NameTable, NewGame, RecordKind, Store, StoreError},
        stored::rebuilt_segment,
    },
    games::{AnyCursor, variant},
};
use salvage::{Salvage, Salvaged};

/// What became of a damaged database.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct RepairReport {
    /// Games of the new database, under their old numbers.
    pub games: u64,
    /// Those that are as they were stored.
    pub intact: u64,
    /// Those of which something is lost or has changed.
    pub damaged: Vec<DamagedGames>,
    /// Games of which nothing is left; empty ones have their numbers.
    pub lost: u64,
    /// Tables of where games came from of which rows are lost.
    pub tables: Vec<&'static str>,
    /// It was stopped before the end; there is no new database.
    pub interrupted: bool,
}

/// Neighbouring games with the same damage.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DamagedGames {
    /// The first.
    pub first: GameId,
    /// The last.
    pub last: GameId,
    /// What is lost.
    pub what: String,
}

impl RepairReport {
    /// Whether nothing is lost.
    pub const fn is_intact(&self) -> bool {
        self.damaged.is_empty() && self.tables.is_empty() && !self.interrupted
    }

    fn take(&mut self, game: GameId, salvaged: &Salvaged) {
        self.games += 1;
        if salvaged.damage.is_empty() {
            self.intact += 1;
            return;
        }
        self.lost += u64::from(salvaged.is_lost());
        let what = salvaged.damage.join(", ");
        match self.damaged.last_mut() {
            Some(run) if run.last + 1 == game && run.what == what => run.last = game,
            _ => self.damaged.push(DamagedGames {
                first: game,
                last: game,
                what,
            }),
        }
    }
}

/// Games of a segment: as few as can be looked at between two commits.
const SEGMENT_GAMES: usize = 50_000;
/// Bytes of plies of a segment.
const SEGMENT_BYTES: usize = 8 << 20;
/// Games between two looks at the observer.
const GAMES_A_STEP: u64 = 256;

/// Fills a new database with what can be read of another one, which was opened to be
/// repaired. Tables of where games came from are read of `strict`, the same database opened
/// as usual, if that is possible.
///
/// # Errors
///
/// [`StoreError`] of the new database, or if nothing can be read of the old one.
pub fn repair(
    from: &Store,
    strict: Option<&Store>,
    to: &Store,
    observer: &dyn Observer,
) -> Result<RepairReport, StoreError> {
    let mut report = RepairReport::default();
    let mut salvage = Salvage::new(from);
    let last = salvage.last_game()?;
    let phase = Event::Phase {
        name: "copying games",
        steps: Some(last),
    };
    report.interrupted = observer.on(phase).is_break();
    let names = variant::ALL
        .iter()
        .map(|variant| (variant.id, variant.name));
    to.at_once(|| to.insert_variants(names.chain([(0, "unknown")])))?;
    let mut copy = Copy::new(to, observer)?;
    for game in 1..=last {
        if report.interrupted {
            return Ok(report);
        }
        let salvaged = salvage.game(game)?;
        report.take(game, &salvaged);
        copy.game(game, &salvaged)?;
        if game.is_multiple_of(GAMES_A_STEP) {
            let steps = GAMES_A_STEP;
            report.interrupted =
                observer.on(Event::Steps { steps }).is_break() || observer.stop().is_asked();
        }
    }
    copy.write()?;
    merge_segments(to, copy.threads, observer)?;
    let program = concat!("plydex ", env!("CARGO_PKG_VERSION"), " check --repair");
    to.at_once(|| {
        report.tables = strict.unwrap_or(from).copy_provenance(to, program, last)?;
        Ok(())
    })?;
    report.interrupted = observer.stop().is_asked();
    Ok(report)
}

/// Writes games of which all is known, as an import does.
struct Copy<'s> {
    to: &'s Store,
    observer: &'s dyn Observer,
    threads: usize,
    interner: Interner<'s>,
    summer: GameSummer,
    records: [RecordBlockWriter; 3],
    first: GameId,
    lines: Vec<(u32, Vec<u8>)>,
    bytes: usize,
    facts: Vec<PackedFacts>,
    sums: Vec<u32>,
}

impl<'s> Copy<'s> {
    fn new(to: &'s Store, observer: &'s dyn Observer) -> Result<Self, StoreError> {
        Ok(Self {
            to,
            observer,
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            interner: Interner::new(to)?,
            summer: GameSummer::default(),
            records: RecordKind::ALL.map(RecordKind::writer),
            first: 1,
            lines: Vec::new(),
            bytes: 0,
            facts: Vec::new(),
            sums: Vec::new(),
        })
    }

    fn game(&mut self, id: GameId, game: &Salvaged) -> Result<(), StoreError> {
        if self.lines.is_empty() {
            self.to.begin()?;
            self.first = id;
        }
        let row = &game.row;
        let mut facts = game.facts;
        let names = [0, 1, 2, 3].map(|name| row.names[name].as_deref());
        self.interner.names(names, &mut facts)?;
        facts.start = match &game.start {
            Some((start, position)) => {
                let cursor = position.as_ref().map(AnyCursor::new);
                self.interner.start(start, cursor.as_ref())?
            }
            None => 0,
        };
        let layout = self.interner.text(NameTable::Layout, &row.layout)?;
        let kept = game.tags.iter().filter(|tag| !tag.is_folded);
        let extra = self.interner.extra(kept.map(|tag| &tag.value[..]))?;
        self.to.insert_game(&NewGame {
            id,
            facts,
            round: row.round.as_deref(),
            eco: row.eco.as_deref(),
            layout,
            extra: extra.as_deref(),
            variant_by: row.variant_by.as_deref(),
        })?;
        let [tree, texts] = game.annotations.records();
        let mut records = [tree, texts, &[]];
        if let Some((record, filed)) = &game.problem {
            let mut authors = Vec::new();
            for author in &filed.problem.authors {
                authors.push(self.interner.text(NameTable::Author, author)?);
            }
            let format = filed.source.as_ref().map(|source| source.format.as_str());
            self.to
                .insert_problem(id, &filed.problem, &authors, format)?;
            records[RecordKind::Problem as usize] = record;
        }
        let (to, writers) = (self.to, RecordKind::ALL.into_iter().zip(&mut self.records));
        for ((kind, writer), parts) in writers.zip(RecordKind::parted(records)) {
            writer.push(id, parts, |block| to.insert_records(kind, &block))?;
        }
        for tag in &game.tags {
            self.summer.tag(&tag.name, &tag.value);
        }
        let sum = self.summer.sum(&SummedGame {
            facts: &facts,
            start: game.start.as_ref().map(|(start, _)| SummedStart {
                variant: start.variant,
                fen: &start.fen,
                canonical: start.canonical.as_deref(),
                corner: start.corner,
            }),
            plies: &game.plies,
            records,
        });
        let by = row.variant_by.as_deref();
        self.sums
            .push(by.map_or(sum, |by| with_variant_by(sum, by)));
        self.bytes += game.plies.len();
        self.lines.push((facts.start, game.plies.clone()));
        self.facts.push(facts);
        if self.lines.len() >= SEGMENT_GAMES || self.bytes >= SEGMENT_BYTES {
            self.write()?;
        }
        Ok(())
    }

    /// Writes the games at hand and their segment, and commits them.
    fn write(&mut self) -> Result<(), StoreError> {
        if self.lines.is_empty() {
            return Ok(());
        }
        let _ = self.observer.on(Event::Phase {
            name: "indexing",
            steps: None,
        });
        let to = self.to;
        let lines = self.lines.iter().map(|(start, plies)| MainLine {
            start: *start,
            plies,
        });
        to.insert_lines(self.first, lines)?;
        to.insert_facts(self.first, &self.facts)?;
        to.insert_sums(self.first, &self.sums)?;
        for (kind, writer) in RecordKind::ALL.into_iter().zip(&mut self.records) {
            writer.finish(|block| to.insert_records(kind, &block))?;
        }
        let games = self.lines.len();
        let segment = rebuilt_segment(to, self.first, games as u64, self.threads)?;
        to.insert_segment(self.first, games, &segment)?;
        to.commit()?;
        self.lines.clear();
        self.facts.clear();
        self.sums.clear();
        self.bytes = 0;
        Ok(())
    }
}
