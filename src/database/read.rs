//! Games of a text, without a database of one's own.

use std::{
    fmt,
    io::Read,
    ops::ControlFlow,
    panic,
    path::Path,
    sync::mpsc::{Receiver, SyncSender, sync_channel},
    thread::{self, JoinHandle},
};

use super::{
    Database, DuplicateAction, Error, Game, GameDiagnostic, ImportOptions, ImportReport, Result,
    Snapshot,
};
use crate::base::{
    observe::{CancellationToken, Event, Observer},
    record::GameId,
    temporary::TemporaryFolder,
};

/// Games that are read before the first of them is given.
const BATCH_GAMES: usize = 1000;

/// Reads the games of a text or a file in any format that plydex reads, compressed or not, with the
/// warnings and errors about each: moves that cannot be played, brackets that stay open, bytes that are
/// no text. A broken game is given as far as it can be understood, and what cannot be is kept as text.
/// The [number](Game::id) of a game is its place in the text, from 1, but for games that cannot be kept
/// in any form.
///
/// A thread reads ahead into a temporary file, which takes about a third of the room of the text and
/// is removed with the iterator.
///
/// # Errors
///
/// If no temporary file can be written. If nothing in the text is a game, the only item is an error.
pub fn read_games(reader: impl Read + Send + 'static) -> Result<ReadGames> {
    let folder = TemporaryFolder::for_drafts().map_err(Error::temporary)?;
    let stop = CancellationToken::default();
    let (sender, news) = sync_channel(1);
    let database = Database::create(folder.path().join("games.db"))?.with_observer(Signal {
        stop: stop.clone(),
        sender,
    });
    let writer = database.clone();
    let options = ImportOptions {
        duplicates: DuplicateAction::Keep,
        commit_games_max: Some(BATCH_GAMES),
        ..ImportOptions::default()
    };
    let worker = thread::spawn(move || writer.import_reader(Path::new("games"), reader, &options));
    Ok(ReadGames {
        database: Database::at(database.path()),
        _folder: folder,
        news,
        stop,
        worker: Some(worker),
        snapshot: None,
        next: 1,
        last: 0,
    })
}

/// Reports that games were stored.
struct Signal {
    stop: CancellationToken,
    sender: SyncSender<()>,
}

impl Observer for Signal {
    fn on(&self, event: Event<'_>) -> ControlFlow<()> {
        if matches!(event, Event::GamesHandled { .. }) {
            // One that was not looked at yet says as much.
            let _ = self.sender.try_send(());
        }
        if self.stop.is_cancelled() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }

    fn stop(&self) -> CancellationToken {
        self.stop.clone()
    }
}

/// The games of a text, each with what is wrong with it: made by [`read_games`].
pub struct ReadGames {
    database: Database,
    news: Receiver<()>,
    stop: CancellationToken,
    worker: Option<JoinHandle<Result<ImportReport>>>,
    snapshot: Option<Snapshot<'static>>,
    next: GameId,
    last: GameId,
    // Last, for what is open in it must be closed before.
    _folder: TemporaryFolder,
}

impl ReadGames {
    fn read(&mut self) -> Result<Option<(Game, Vec<GameDiagnostic>)>> {
        while self.next > self.last {
            let Some(worker) = &self.worker else {
                return Ok(None);
            };
            // Fails when the worker has ended.
            let _ = self.news.recv();
            if worker.is_finished() {
                self.end()?;
            }
            let snapshot = self.database.snapshot()?;
            self.last = snapshot.last_game()?;
            self.snapshot = Some(snapshot);
        }
        let Some(snapshot) = &self.snapshot else {
            return Ok(None);
        };
        let id = self.next;
        self.next += 1;
        let Some(game) = snapshot.game(id)? else {
            return self.read();
        };
        let mut diagnostics = snapshot.provenance(id)?.diagnostics;
        diagnostics.sort_by_key(|diagnostic| diagnostic.offset_bytes);
        Ok(Some((game, diagnostics)))
    }

    /// What the worker says at its end.
    fn end(&mut self) -> Result<()> {
        match self.worker.take().map(JoinHandle::join) {
            Some(Ok(done)) => done.map(drop),
            Some(Err(cause)) => panic::resume_unwind(cause),
            None => Ok(()),
        }
    }
}

impl Iterator for ReadGames {
    type Item = Result<(Game, Vec<GameDiagnostic>)>;

    fn next(&mut self) -> Option<Self::Item> {
        self.read().transpose()
    }
}

impl Drop for ReadGames {
    fn drop(&mut self) {
        self.stop.cancel();
        self.snapshot = None;
        if let Some(worker) = self.worker.take() {
            let _ = worker.join();
        }
    }
}

impl fmt::Debug for ReadGames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ReadGames").finish_non_exhaustive()
    }
}
