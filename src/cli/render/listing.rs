//! A list of games, written while it is found.

use std::io::Write;
use std::time::{Duration, Instant};

use super::hits::HitTable;
use super::{csv, json};
use crate::base::record::GameId;
use crate::cli::args::SearchFormat;
use crate::cli::error::CliError;
use crate::cli::terminal::Screen;
use crate::db::people::NamesTaken;
use crate::db::search::{Hit, Tally};

/// Games by which the columns of a table are made.
pub const SAMPLE_GAMES: usize = 1000;

/// Who reads along waits no longer than this for what has been found.
const PATIENCE: Duration = Duration::from_millis(100);

/// Writes games one by one.
pub struct Listing<'o> {
    out: Box<dyn Write + 'o>,
    screen: Screen,
    format: SearchFormat,
    offset: u64,
    /// What names that select games find, as JSON; empty if there are none.
    names: String,
    /// The greatest number that a game can have.
    last_game: GameId,
    taken: u64,
    flushed: Option<Instant>,
    /// The first games of a table, until its columns are made.
    sample: Vec<Hit>,
    table: Option<HitTable>,
}

impl<'o> Listing<'o> {
    /// A list from the hit behind `offset` on, in a database of so many games.
    pub fn new(
        out: Box<dyn Write + 'o>,
        screen: Screen,
        format: SearchFormat,
        offset: u64,
        last_game: GameId,
    ) -> Self {
        Self {
            out,
            screen,
            format,
            offset,
            names: String::new(),
            last_game,
            taken: 0,
            flushed: None,
            sample: Vec::new(),
            table: None,
        }
    }

    /// The same list, which says in JSON what names that select games find.
    pub fn with_names(self, taken: &[NamesTaken]) -> Self {
        let names = match taken {
            [] => String::new(),
            // Texts and numbers can always be written.
            _ => serde_json::to_string_pretty(taken).unwrap_or_default(),
        };
        Self { names, ..self }
    }

    /// Takes the next game.
    pub fn push(&mut self, hit: Hit) -> Result<(), CliError> {
        if self.taken == 0 {
            self.begin()?;
        }
        let out = &mut *self.out;
        match (self.format, &self.table) {
            (SearchFormat::Json, _) => json::hit(out, &hit, self.taken == 0)?,
            (SearchFormat::Ndjson, _) => json::line(out, &hit)?,
            (SearchFormat::Csv, _) => csv::hit(out, &hit)?,
            (SearchFormat::Table, Some(table)) => table.go_on(out, &self.screen, &hit)?,
            (SearchFormat::Table, None) => {
                self.sample.push(hit);
                if self.sample.len() > SAMPLE_GAMES {
                    let last = Some(self.last_game);
                    let sample = std::mem::take(&mut self.sample);
                    self.table = Some(HitTable::begin(out, &self.screen, &sample, last)?);
                }
            }
            // These are no lists of hits.
            (SearchFormat::Pgn | SearchFormat::Fen | SearchFormat::Epd, _) => {}
        }
        self.taken += 1;
        if self
            .flushed
            .is_none_or(|flushed| flushed.elapsed() >= PATIENCE)
        {
            self.out.flush()?;
            self.flushed = Some(Instant::now());
        }
        Ok(())
    }

    fn begin(&mut self) -> Result<(), CliError> {
        match self.format {
            SearchFormat::Json => json::begin_hits(&mut *self.out, self.offset, &self.names)?,
            SearchFormat::Csv => csv::hit_names(&mut *self.out)?,
            _ => {}
        }
        Ok(())
    }

    /// Ends the list, now that it is known how many games match. Returns how many were taken.
    pub fn end(mut self, tally: Tally) -> Result<u64, CliError> {
        if self.taken == 0 {
            self.begin()?;
        }
        if !self.sample.is_empty() {
            HitTable::begin(&mut *self.out, &self.screen, &self.sample, None)?;
        }
        if self.format == SearchFormat::Json {
            json::end_hits(&mut *self.out, tally, self.taken == 0)?;
        }
        self.out.flush()?;
        Ok(self.taken)
    }
}
