//! Games that are known completely, written as an import does.

use crate::{
    base::record::GameId,
    blocks::{
        facts::PackedFacts,
        fingerprint::{Fingerprint, FingerprintBuilder, GameContent, StartContent},
        moves::MainLine,
        pages::RecordBlockWriter,
    },
    games::{AnyCursor, AnyPosition},
    import::intern::Interner,
    people,
    pgn::tags::person::{FIDE_ID_TAGS, fide_id},
    replay::{self, salvage::SalvagedGame},
    store::{NameTable, NewGame, RecordKind, Store, StoreError},
};

/// Games that are written at once: as few as can be looked at between two commits.
const GAMES: usize = 50_000;
/// Bytes of plies likewise.
const BYTES: usize = 8 << 20;

/// Writes games into a database, all but their index.
pub(crate) struct GameCopier<'s> {
    to: &'s Store,
    interner: Interner<'s>,
    summer: FingerprintBuilder,
    records: [RecordBlockWriter; 3],
    first: GameId,
    lines: Vec<(u32, Vec<u8>)>,
    bytes: usize,
    facts: Vec<PackedFacts>,
    sums: Vec<Fingerprint>,
}

impl<'s> GameCopier<'s> {
    /// A writer into a database.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if its names cannot be read.
    pub(crate) fn new(to: &'s Store) -> Result<Self, StoreError> {
        Ok(Self {
            to,
            interner: Interner::new(to)?,
            summer: FingerprintBuilder::default(),
            records: RecordKind::ALL.map(|kind| to.record_writer(kind)),
            first: 1,
            lines: Vec::new(),
            bytes: 0,
            facts: Vec::new(),
            sums: Vec::new(),
        })
    }

    /// Whether no game waits for its blocks.
    pub(crate) const fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// Whether enough games wait for their blocks.
    pub(crate) const fn is_full(&self) -> bool {
        self.lines.len() >= GAMES || self.bytes >= BYTES
    }

    /// Writes a game; those between two calls of [`write_blocks`](Self::write_blocks) follow
    /// each other.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if it cannot be written; likewise below.
    pub(crate) fn game(&mut self, id: GameId, game: &SalvagedGame) -> Result<(), StoreError> {
        if self.lines.is_empty() {
            self.first = id;
        }
        let row = &game.row;
        let mut facts = game.facts;
        let names = [0, 1, 2, 3].map(|name| row.names[name].as_deref());
        self.interner.names(names, &mut facts)?;
        let fide_ids = FIDE_ID_TAGS.map(|name| {
            let mut tags = game.tags.iter();
            let tag = tags.find(|tag| replay::name_of(&tag.name).eq_ignore_ascii_case(name));
            tag.and_then(|tag| fide_id(&tag.value)).unwrap_or(0)
        });
        self.interner.fide_ids(&facts, fide_ids)?;
        facts.start = match &game.start {
            Some((start, position)) => {
                let cursor = position.as_ref().map(AnyCursor::new);
                self.interner.start(start, cursor.as_ref())?
            }
            None => 0,
        };
        let opening = match &game.start {
            Some((_, position)) => position.as_ref().and_then(|at| at.last_named(&game.plies)),
            None => AnyPosition::initial().last_named(&game.plies),
        };
        facts.opening = self.interner.opening(opening)?;
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
        let print = self.print(game);
        self.sums.push(print);
        self.bytes += game.plies.len();
        self.lines.push((facts.start, game.plies.clone()));
        self.facts.push(facts);
        Ok(())
    }

    /// The fingerprint of a game.
    pub(crate) fn print(&mut self, game: &SalvagedGame) -> Fingerprint {
        let [tree, texts] = game.annotations.records();
        let record = game.problem.as_ref().map_or(&[][..], |(record, _)| record);
        for tag in &game.tags {
            self.summer.tag(&tag.name, &tag.value);
        }
        let print = self.summer.sum(&GameContent {
            facts: &game.facts,
            start: game.start.as_ref().map(|(start, _)| StartContent {
                variant: start.variant,
                fen: &start.fen,
                canonical: start.canonical.as_deref(),
                corner: start.corner,
            }),
            plies: &game.plies,
            records: [tree, texts, record],
        });
        let by = game.row.variant_by.as_deref();
        by.map_or(print, |by| print.with_variant_by(by))
    }

    /// Writes the blocks of the current games: the first of them, and how many they are.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub(crate) fn write_blocks(&mut self) -> Result<(GameId, u64), StoreError> {
        let to = self.to;
        let lines = self.lines.iter().map(|(start, plies)| MainLine {
            start: *start,
            plies,
        });
        if !self.lines.is_empty() {
            to.insert_lines(self.first, lines)?;
        }
        to.insert_facts(self.first, &self.facts)?;
        to.insert_sums(self.first, &self.sums)?;
        for (kind, writer) in RecordKind::ALL.into_iter().zip(&mut self.records) {
            writer.finish(|block| to.insert_records(kind, &block))?;
        }
        people::file_names(to)?;
        let games = self.lines.len() as u64;
        self.lines.clear();
        self.facts.clear();
        self.sums.clear();
        self.bytes = 0;
        Ok((self.first, games))
    }
}
