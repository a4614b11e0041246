//! Queries whose games come one by one.

use std::{
    fmt, panic,
    sync::mpsc::{Receiver, SyncSender, sync_channel},
    thread::{self, JoinHandle},
};

use super::{Database, Error, Game, Hit, MoveNotation, Result, Snapshot};
use crate::{
    base::observe::CancellationToken,
    query::{Query, SortKey},
    search::{self, AccessPlan},
};

/// Games that are found ahead of the program that takes them.
const AHEAD: usize = 64;

/// A query and the page of its answer, before it runs: made by [`Database::search`].
#[derive(Debug, Clone)]
pub struct Search {
    database: Database,
    query: Query,
    notation: MoveNotation,
}

impl Search {
    pub(super) fn of(database: &Database, query: &Query) -> Self {
        Self {
            database: database.clone(),
            query: query.clone(),
            notation: MoveNotation::default(),
        }
    }

    /// Orders the games by a key, the smallest first; equal ones stand as they were imported.
    #[must_use]
    pub const fn sort(mut self, key: SortKey) -> Self {
        self.query.page.sort = key;
        self.query.page.descending = false;
        self
    }

    /// Orders the games by a key, the largest first: the newest, the highest rated.
    #[must_use]
    pub const fn sort_descending(mut self, key: SortKey) -> Self {
        self.query.page.sort = key;
        self.query.page.descending = true;
        self
    }

    /// Leaves out the first games.
    #[must_use]
    pub const fn offset(mut self, games: u64) -> Self {
        self.query.page.offset = games;
        self
    }

    /// Gives at most that number of games.
    #[must_use]
    pub const fn limit(mut self, games: u64) -> Self {
        self.query.page.limit = Some(games);
        self
    }

    /// Writes moves so.
    #[must_use]
    pub const fn notation(mut self, notation: MoveNotation) -> Self {
        self.notation = notation;
        self
    }

    /// Runs the query in a thread of its own, and gives its games as they are found: each with the
    /// facts that lists show and the ply at which it matches. Dropping the iterator ends the query.
    ///
    /// # Errors
    ///
    /// If the database cannot be read, or has no board that the query fits. An error that occurs
    /// later is the last item.
    pub fn hits(&self) -> Result<Hits> {
        let notation = self.notation;
        let each = move |snapshot: &Snapshot<'_>, plan: &AccessPlan, visit: Visitor<'_, Hit>| {
            let tally = snapshot.each_hit(plan, notation, visit)?;
            Ok(tally.interrupted)
        };
        Ok(Hits(Answer::start(self, each)?))
    }

    /// The same, and gives complete games.
    ///
    /// # Errors
    ///
    /// As [`hits`](Self::hits).
    pub fn games(&self) -> Result<Games> {
        let notation = self.notation;
        let each = move |snapshot: &Snapshot<'_>, plan: &AccessPlan, visit: Visitor<'_, Game>| {
            search::each_with_reader(snapshot.store(), plan, notation, &mut |reader, game| {
                match Game::read(reader, game)? {
                    Some(game) => visit(game),
                    None => Ok(()),
                }
            })
        };
        Ok(Games(Answer::start(self, each)?))
    }

    /// How many games the query finds, all pages together.
    ///
    /// # Errors
    ///
    /// As [`hits`](Self::hits).
    pub fn count(&self) -> Result<u64> {
        self.database.count(&self.query)
    }
}

/// Takes the items of an answer.
type Visitor<'v, T> = &'v mut dyn FnMut(T) -> Result<(), AnswerEnd>;

/// Why an answer ends before its last item.
enum AnswerEnd {
    /// The iterator was dropped.
    Dropped,
    Failed(Error),
}

impl<E: Into<Error>> From<E> for AnswerEnd {
    fn from(error: E) -> Self {
        Self::Failed(error.into())
    }
}

enum Message<T> {
    /// The query fits the database.
    Planned,
    Item(T),
    Failed(Error),
}

/// The items of a query, which a thread finds.
struct Answer<T> {
    items: Option<Receiver<Message<T>>>,
    stop: CancellationToken,
    worker: Option<JoinHandle<()>>,
}

impl<T: Send + 'static> Answer<T> {
    fn start(
        search: &Search,
        each: impl FnOnce(&Snapshot<'_>, &AccessPlan, Visitor<'_, T>) -> Result<bool, AnswerEnd>
        + Send
        + 'static,
    ) -> Result<Self> {
        let (sender, items) = sync_channel(AHEAD);
        let stop = search.database.stop.child();
        let database = Database {
            stop: stop.clone(),
            ..search.database.clone()
        };
        let query = search.query.clone();
        let worker = thread::spawn(move || {
            if let Err(AnswerEnd::Failed(error)) = run(&database, &query, &sender, each) {
                // Fails if the iterator was dropped meanwhile, which needs no error.
                let _ = sender.send(Message::Failed(error));
            }
        });
        let mut answer = Self {
            items: Some(items),
            stop,
            worker: Some(worker),
        };
        match answer.receive() {
            Some(Message::Failed(error)) => Err(error),
            _ => Ok(answer),
        }
    }
}

fn run<T>(
    database: &Database,
    query: &Query,
    sender: &SyncSender<Message<T>>,
    each: impl FnOnce(&Snapshot<'_>, &AccessPlan, Visitor<'_, T>) -> Result<bool, AnswerEnd>,
) -> Result<(), AnswerEnd> {
    let send = |message| sender.send(message).map_err(|_| AnswerEnd::Dropped);
    let snapshot = database.snapshot()?;
    let plan = snapshot.plan(query)?.plan;
    send(Message::Planned)?;
    let is_cut = each(&snapshot, &plan, &mut |item| send(Message::Item(item)))?;
    if is_cut {
        return Err(snapshot.store().interrupted().into());
    }
    Ok(())
}

impl<T> Answer<T> {
    /// The next message; `None` at the end.
    fn receive(&mut self) -> Option<Message<T>> {
        if let Ok(message) = self.items.as_ref()?.recv() {
            return Some(message);
        }
        self.items = None;
        if let Some(Err(cause)) = self.worker.take().map(JoinHandle::join) {
            // A panic of the thread is one of the program, not the end of the answer.
            panic::resume_unwind(cause);
        }
        None
    }

    fn next(&mut self) -> Option<Result<T>> {
        match self.receive()? {
            Message::Item(item) => Some(Ok(item)),
            Message::Failed(error) => {
                self.items = None;
                Some(Err(error))
            }
            Message::Planned => self.next(),
        }
    }
}

impl<T> Drop for Answer<T> {
    fn drop(&mut self) {
        self.stop.cancel();
        // A thread that waits until an item is taken finds that none will be.
        self.items = None;
        if let Some(worker) = self.worker.take() {
            let _ = worker.join();
        }
    }
}

/// The games that a query finds, with the ply at which each matches; the end of the iterator is the
/// last game or an error. Dropping it ends the query.
pub struct Hits(Answer<Hit>);

impl Iterator for Hits {
    type Item = Result<Hit>;

    fn next(&mut self) -> Option<Self::Item> {
        self.0.next()
    }
}

impl fmt::Debug for Hits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Hits").finish_non_exhaustive()
    }
}

/// The complete games that a query finds. Dropping it ends the query.
pub struct Games(Answer<Game>);

impl Iterator for Games {
    type Item = Result<Game>;

    fn next(&mut self) -> Option<Self::Item> {
        self.0.next()
    }
}

impl fmt::Debug for Games {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Games").finish_non_exhaustive()
    }
}
