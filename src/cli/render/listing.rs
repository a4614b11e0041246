//! A list of games, written while it is found.

use std::io::Write;
use std::time::{Duration, Instant};

use serde::Serialize;

use super::hits::HitTable;
use super::{csv, json};
use crate::base::record::GameId;
use crate::cli::commands::search::SearchFormat;
use crate::cli::error::CliError;
use crate::cli::terminal::TerminalInfo;
use crate::database::{GameTally, Hit};

/// Games that determine the columns of a table.
pub const SAMPLE_GAMES: usize = 1000;

/// Who reads along waits no longer than this for what has been found.
const PATIENCE: Duration = Duration::from_millis(100);

/// Writes games one by one.
pub struct GameListWriter<'o> {
    out: Box<dyn Write + 'o>,
    screen: TerminalInfo,
    format: SearchFormat,
    offset: u64,
    /// What else is said of the games in JSON: fields by their names.
    lists: Vec<(&'static str, String)>,
    /// The greatest number that a game can have.
    last_game: GameId,
    /// How many games are listed at most, if that is known.
    wanted: Option<u64>,
    taken: u64,
    flushed: Option<Instant>,
    /// The first games of a table, until its columns are made.
    sample: Vec<Hit>,
    table: Option<HitTable>,
}

impl<'o> GameListWriter<'o> {
    /// A list from the hit after `offset` on, in a database of that many games.
    pub fn new(
        out: Box<dyn Write + 'o>,
        screen: TerminalInfo,
        format: SearchFormat,
        offset: u64,
        last_game: GameId,
    ) -> Self {
        Self {
            out,
            screen,
            format,
            offset,
            lists: Vec::new(),
            last_game,
            wanted: None,
            taken: 0,
            flushed: None,
            sample: Vec::new(),
            table: None,
        }
    }

    /// The same list with one more field in JSON, unless there is nothing to say.
    pub fn with_list(mut self, name: &'static str, told: &[impl Serialize]) -> Self {
        if !told.is_empty() {
            // Texts and numbers can always be written.
            let told = serde_json::to_string_pretty(told).unwrap_or_default();
            self.lists.push((name, told));
        }
        self
    }

    /// The same list of at most that many games: it is shown as soon as these are found, however
    /// long the others are counted.
    pub const fn of_at_most(mut self, wanted: Option<u64>) -> Self {
        self.wanted = wanted;
        self
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
        let is_full = self.wanted == Some(self.taken);
        if is_full && !self.sample.is_empty() {
            let sample = std::mem::take(&mut self.sample);
            self.table = Some(HitTable::begin(
                &mut *self.out,
                &self.screen,
                &sample,
                None,
            )?);
        }
        if is_full
            || self
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
            SearchFormat::Json => json::begin_hits(&mut *self.out, self.offset, &self.lists)?,
            SearchFormat::Csv => csv::hit_names(&mut *self.out)?,
            _ => {}
        }
        Ok(())
    }

    /// Ends the list, now that it is known how many games match. Returns how many were taken.
    pub fn end(mut self, tally: GameTally) -> Result<u64, CliError> {
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

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::io;

    use super::*;
    use crate::cli::render::hits::tests::found;

    /// What has been written, and how much of it a waiting reader can see.
    #[derive(Default)]
    struct Seen {
        written: Vec<u8>,
        flushed: usize,
    }

    struct Shared<'s>(&'s RefCell<Seen>);

    impl Write for Shared<'_> {
        fn write(&mut self, text: &[u8]) -> io::Result<usize> {
            self.0.borrow_mut().written.extend_from_slice(text);
            Ok(text.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            let mut seen = self.0.borrow_mut();
            seen.flushed = seen.written.len();
            Ok(())
        }
    }

    #[test]
    fn a_full_page_is_seen_before_all_games_are_counted() {
        for format in [SearchFormat::Table, SearchFormat::Json, SearchFormat::Csv] {
            let seen = RefCell::new(Seen::default());
            let out = Box::new(Shared(&seen));
            let listing = GameListWriter::new(out, TerminalInfo::plain(100), format, 0, 2000);
            let mut listing = listing.of_at_most(Some(2));
            let [first, second] = found();
            let names = [&first, &second].map(|hit| hit.header.white[..4].to_owned());
            listing.push(first).expect("a game");
            listing.push(second).expect("a game");
            let text =
                |seen: &Seen| String::from_utf8_lossy(&seen.written[..seen.flushed]).into_owned();
            let early = text(&seen.borrow());
            assert!(
                names.iter().all(|name| early.contains(name)),
                "{format:?} {early}"
            );
            let games = 2000;
            let interrupted = false;
            let taken = listing
                .end(GameTally { games, interrupted })
                .expect("an end");
            assert_eq!(taken, 2);
            let all = text(&seen.borrow());
            assert_eq!(all.matches(&names[0]).count(), 1, "{all}");
            assert!(all.starts_with(&early), "{all}");
        }
    }
}
