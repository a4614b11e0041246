//! Those who look things up, each with the database open for itself.
//!
//! A question is answered on the thread of its connection, by the clerk who answered last and has
//! most at hand. Handing it to another thread and back would take a tenth of what an answer takes.
//! Whoever waits for the end of the program looks meanwhile whose time is over and who has gone;
//! a thread of its own lets those rest who have nothing to do, for closing a database may take long.

use std::net::TcpStream;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::asking::Asking;
use super::connection::{self, Connection};
use super::desk::{self, Clerk};
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

/// Who can be asked.
pub(crate) trait Answers: Send {
    /// Answers a question.
    fn answer(&mut self, asking: &Asking) -> Reply;

    /// Lets go of the database while there is nothing to do.
    fn rest(&mut self);
}

/// A clerk's place.
struct Seat<C> {
    number: usize,
    clerk: C,
    /// The clerk's own, for what is given up is one question alone.
    stop: Stop,
    used: Instant,
}

/// Those who have nothing to do, and how many wait for one of them.
struct WaitingRoom<C> {
    /// Who answered last is the last.
    free: Vec<Seat<C>>,
    askers: usize,
}

/// All clerks.
pub(crate) struct Clerks<C = Clerk> {
    /// Makes a new one, who looks at a stop.
    hire: Box<dyn Fn(&Stop) -> C + Send + Sync>,
    /// How long a question may take, the waiting for a clerk included.
    patience: Duration,
    waiting: Mutex<WaitingRoom<C>>,
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

impl<C: Answers> Clerks<C> {
    /// So many, each of whom is made by `hire`.
    pub(crate) fn new(count: usize, hire: impl Fn(&Stop) -> C + Send + Sync + 'static) -> Self {
        let clerks = Self {
            hire: Box::new(hire),
            patience: ANSWER_TIME,
            waiting: Mutex::new(WaitingRoom {
                free: Vec::new(),
                askers: 0,
            }),
            came: Condvar::new(),
            working: (0..count).map(|_| Mutex::default()).collect(),
        };
        locked(&clerks.waiting).free = (0..count).map(|number| clerks.seat(number)).collect();
        clerks
    }

    fn seat(&self, number: usize) -> Seat<C> {
        let stop = Stop::default();
        Seat {
            number,
            clerk: (self.hire)(&stop),
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
        let until = Instant::now() + self.patience;
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
    ) -> Result<Seat<C>, Option<Reply>> {
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
                |seat: &mut Seat<C>| seat.number == number && seat.used.elapsed() > REST_AFTER;
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

#[cfg(test)]
mod tests {
    use std::net::TcpListener;
    use std::sync::atomic::AtomicUsize;
    use std::thread;

    use super::*;

    /// Does what the path says, and knows its number.
    struct Trial {
        number: usize,
        stop: Stop,
    }

    impl Answers for Trial {
        fn answer(&mut self, asking: &Asking) -> Reply {
            match asking.path.as_str() {
                "/panic" => panic!("as was asked"),
                "/slow" => {
                    let since = Instant::now();
                    while !self.stop.is_asked() {
                        assert!(
                            since.elapsed() < Duration::from_secs(20),
                            "nobody looks after"
                        );
                        thread::sleep(Duration::from_millis(5));
                    }
                    Reply::line(503, "the answer takes too long")
                }
                _ => Reply::line(200, &self.number.to_string()),
            }
        }

        fn rest(&mut self) {}
    }

    /// So many clerks, how many were hired, and a connection with its other end.
    fn trial(count: usize) -> (Clerks<Trial>, Arc<AtomicUsize>, Connection, TcpStream) {
        let hired = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&hired);
        let clerks = Clerks::new(count, move |stop| Trial {
            number: counter.fetch_add(1, Ordering::Relaxed),
            stop: stop.clone(),
        });
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let asker = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let (stream, _) = listener.accept().unwrap();
        (clerks, hired, Connection::new(stream).unwrap(), asker)
    }

    fn said(reply: Option<Reply>) -> (u16, String) {
        let reply = reply.expect("an answer");
        (
            reply.status,
            String::from_utf8_lossy(reply.body.get()).into_owned(),
        )
    }

    #[test]
    fn who_panics_is_replaced() {
        let (clerks, hired, connection, _asker) = trial(1);
        let ask = |path| {
            let asking = Asking::of(path).unwrap();
            said(clerks.answer(&asking, &connection, &Stop::default()))
        };
        assert_eq!(ask("/").1.trim(), "0");
        assert_eq!(ask("/panic").0, 500);
        assert_eq!(ask("/").1.trim(), "1");
        assert_eq!(hired.load(Ordering::Relaxed), 2);
    }

    #[test]
    fn what_takes_too_long_is_given_up() {
        let (mut clerks, hired, connection, _asker) = trial(1);
        clerks.patience = Duration::from_millis(50);
        let never = Stop::default();
        let ask = |path| {
            let asking = Asking::of(path).unwrap();
            said(clerks.answer(&asking, &connection, &never))
        };
        let is_done = Stop::default();
        thread::scope(|scope| {
            scope.spawn(|| {
                while !is_done.is_asked() {
                    thread::sleep(Duration::from_millis(5));
                    clerks.look_after(&never);
                }
            });
            assert_eq!(ask("/slow").0, 503);
            // The same clerk answers the next question: what was given up is one alone.
            assert_eq!(ask("/").1.trim(), "0");
            is_done.ask();
        });
        assert_eq!(hired.load(Ordering::Relaxed), 1);
    }
}
