//! Those who look things up, each with the database open for itself.
//!
//! A question is answered on the thread of its connection, by the clerk who answered last and has
//! most at hand. Handing it to another thread and back would take a tenth of what an answer takes.
//! Whoever waits for the end of the program looks meanwhile whose time is over and who has gone;
//! a thread of its own lets those rest who have nothing to do, for closing a database may take long.

use std::net::TcpStream;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::asking::Asking;
use super::connection::{self, Connection};
use super::desk::{self, Clerk, Desk};
use super::reply::Reply;
use super::{ANSWER_TIME, LOOK_EVERY};
use crate::base::observe::Stop;

/// Questions that wait at most; more are refused.
const WAITING_MAX: usize = 64;

/// Without work for so long, a clerk lets go of the database if that was written.
const REST_AFTER: Duration = Duration::from_secs(1);

/// Why somebody is turned away.
pub(crate) const BUSY: &str = "too many questions at the same time";

/// Why a question was given up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum GivenUp {
    /// Its time is over.
    Late,
    /// Whoever asked has gone.
    Gone,
    /// The program ends.
    Hurried,
}

/// A question that is being answered.
#[derive(Debug)]
struct Working {
    stop: Stop,
    until: Instant,
    asker: Arc<TcpStream>,
    given_up: Option<GivenUp>,
}

/// A clerk's place.
struct Seat {
    number: usize,
    clerk: Clerk,
    /// The clerk's own, for what is given up is one question alone.
    stop: Stop,
    used: Instant,
}

/// Those who have nothing to do, and how many wait for one of them.
#[derive(Default)]
struct WaitingRoom {
    /// Who answered last is the last.
    free: Vec<Seat>,
    askers: usize,
}

/// All clerks.
pub(crate) struct Clerks {
    desk: Arc<Desk>,
    db: PathBuf,
    waiting: Mutex<WaitingRoom>,
    /// Somebody is free again.
    came: Condvar,
    /// What each of them works on.
    working: Vec<Mutex<Option<Working>>>,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn ending(asking: &Asking) -> Reply {
    desk::refuse(&asking.path, (503, "the server is ending", None))
}

fn busy(asking: &Asking) -> Reply {
    desk::refuse(&asking.path, (503, BUSY, None)).with("Retry-After", "1")
}

impl Clerks {
    /// So many at a desk, for a database.
    pub(crate) fn new(count: usize, db: &Path, desk: &Arc<Desk>) -> Self {
        let clerks = Self {
            desk: Arc::clone(desk),
            db: db.to_path_buf(),
            waiting: Mutex::default(),
            came: Condvar::new(),
            working: (0..count).map(|_| Mutex::default()).collect(),
        };
        locked(&clerks.waiting).free = (0..count).map(|number| clerks.seat(number)).collect();
        clerks
    }

    fn seat(&self, number: usize) -> Seat {
        let stop = Stop::default();
        Seat {
            number,
            clerk: self.desk.clerk(&self.db, &stop),
            stop,
            used: Instant::now(),
        }
    }

    /// The answer to a question; `None` if whoever asked has gone. It comes when the clerk has done
    /// with it, who looks at the stop of the question as all queries do.
    pub(crate) fn answer(
        &self,
        asking: &Asking,
        connection: &Connection,
        hurry: &Stop,
    ) -> Option<Reply> {
        let until = Instant::now() + ANSWER_TIME;
        let mut seat = match self.take(asking, connection, hurry, until) {
            Ok(seat) => seat,
            Err(reply) => return reply,
        };
        seat.stop.flag().store(false, Ordering::Relaxed);
        *locked(&self.working[seat.number]) = Some(Working {
            stop: seat.stop.clone(),
            until,
            asker: connection.line(),
            given_up: None,
        });
        let answered = catch_unwind(AssertUnwindSafe(|| seat.clerk.answer(asking)));
        // From here on nobody looks at the connection.
        let working = locked(&self.working[seat.number]).take();
        let reply = answered.unwrap_or_else(|_| {
            // Whatever the clerk had in hand may be half done.
            seat = self.seat(seat.number);
            Reply::line(500, "the question could not be answered")
        });
        seat.used = Instant::now();
        locked(&self.waiting).free.push(seat);
        self.came.notify_one();
        match working.and_then(|working| working.given_up) {
            Some(GivenUp::Gone) => None,
            // Unless it was done before.
            Some(GivenUp::Hurried) if reply.status == 503 => Some(ending(asking)),
            Some(GivenUp::Hurried | GivenUp::Late) | None => Some(reply),
        }
    }

    /// Waits for a clerk; what is said if none comes.
    fn take(
        &self,
        asking: &Asking,
        connection: &Connection,
        hurry: &Stop,
        until: Instant,
    ) -> Result<Seat, Option<Reply>> {
        let mut waiting = locked(&self.waiting);
        // Nobody who comes overtakes those who wait.
        if waiting.free.len() > waiting.askers
            && let Some(seat) = waiting.free.pop()
        {
            return Ok(seat);
        }
        if waiting.askers == WAITING_MAX {
            return Err(Some(busy(asking)));
        }
        waiting.askers += 1;
        let given_up = loop {
            let woken = self.came.wait_timeout(waiting, LOOK_EVERY);
            drop(woken);
            if hurry.is_asked() {
                break Err(Some(ending(asking)));
            }
            if Instant::now() > until {
                break Err(Some(busy(asking)));
            }
            if connection::is_gone(&connection.line()) {
                break Err(None);
            }
            waiting = locked(&self.waiting);
            if let Some(seat) = waiting.free.pop() {
                waiting.askers -= 1;
                return Ok(seat);
            }
        };
        locked(&self.waiting).askers -= 1;
        // Who was woken for a clerk and goes leaves the clerk to another one.
        self.came.notify_one();
        given_up
    }

    /// Gives up what takes too long or is waited for by nobody. To be called now and then.
    pub(crate) fn look_after(&self, hurry: &Stop) {
        for working in &self.working {
            let mut working = locked(working);
            let Some(working) = working.as_mut().filter(|one| one.given_up.is_none()) else {
                continue;
            };
            working.given_up = if hurry.is_asked() {
                Some(GivenUp::Hurried)
            } else if Instant::now() > working.until {
                Some(GivenUp::Late)
            } else if connection::is_gone(&working.asker) {
                Some(GivenUp::Gone)
            } else {
                None
            };
            if working.given_up.is_some() {
                working.stop.ask();
            }
        }
    }

    /// Lets those rest who have had nothing to do for a while, one after the other. To be called now
    /// and then.
    pub(crate) fn let_rest(&self) {
        for number in 0..self.working.len() {
            let is_idle =
                |seat: &mut Seat| seat.number == number && seat.used.elapsed() > REST_AFTER;
            let idle = locked(&self.waiting).free.extract_if(.., is_idle).next();
            let Some(mut seat) = idle else {
                continue;
            };
            if catch_unwind(AssertUnwindSafe(|| seat.clerk.rest())).is_err() {
                seat = self.seat(number);
            }
            seat.used = Instant::now();
            // Those who answered last stay behind the others.
            locked(&self.waiting).free.insert(0, seat);
            self.came.notify_one();
        }
    }

    /// Lets those go who have nothing to do, with the database.
    pub(crate) fn dismiss(&self) {
        locked(&self.waiting).free.clear();
    }
}
