//! The threads that look things up. Each has the database open for itself.

use std::path::Path;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, TrySendError, bounded};

use super::asking::Asking;
use super::desk::Desk;
use super::reply::Reply;
use crate::base::observe::Stop;

/// Questions that wait at most; more are refused.
const WAITING_MAX: usize = 64;

/// Without work for so long, a thread lets go of the database if that was written.
const REST_AFTER: Duration = Duration::from_secs(1);

/// How often a thread looks whether the end was asked for.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// Who works on a question, so that it can be given up.
#[derive(Debug, Default)]
struct HandedQuestion {
    /// The worker's own stop, while it works on the question.
    stop: Option<Stop>,
    /// Nobody waits any longer.
    is_off: bool,
}

/// A question that was handed in.
#[derive(Debug)]
pub(crate) struct Handed {
    given: Arc<Mutex<HandedQuestion>>,
    answer: Receiver<Reply>,
}

impl Handed {
    /// Waits for the answer; `None` if it is not there yet.
    pub(crate) fn wait(&self, patience: Duration) -> Option<Reply> {
        match self.answer.recv_timeout(patience) {
            Ok(reply) => Some(reply),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => {
                Some(Reply::line(500, "the question could not be answered"))
            }
        }
    }

    /// Gives the question up.
    pub(crate) fn call_off(&self) {
        let mut given = locked(&self.given);
        given.is_off = true;
        if let Some(stop) = &given.stop {
            stop.ask();
        }
    }
}

fn locked(given: &Mutex<HandedQuestion>) -> std::sync::MutexGuard<'_, HandedQuestion> {
    given.lock().unwrap_or_else(PoisonError::into_inner)
}

struct DeskJob {
    asking: Asking,
    given: Arc<Mutex<HandedQuestion>>,
    answer: Sender<Reply>,
}

/// The threads, and the way to them.
pub(crate) struct Workers {
    jobs: Sender<DeskJob>,
}

impl Workers {
    /// Starts so many threads, which end when the end is asked for and nobody waits any longer.
    pub(crate) fn start(
        count: usize,
        db: &Path,
        desk: &Arc<Desk>,
        stop: &Stop,
    ) -> std::io::Result<(Self, Vec<JoinHandle<()>>)> {
        let (jobs, waiting) = bounded(WAITING_MAX);
        let mut threads = Vec::new();
        for number in 0..count {
            let (db, desk) = (db.to_path_buf(), Arc::clone(desk));
            let (waiting, stop) = (waiting.clone(), stop.clone());
            let work = move || work(&db, &desk, &waiting, &stop);
            let builder = thread::Builder::new().name(format!("answers {number}"));
            threads.push(builder.spawn(work)?);
        }
        Ok((Self { jobs }, threads))
    }

    /// Hands a question in; `None` if too many wait.
    pub(crate) fn hand_in(&self, asking: Asking) -> Option<Handed> {
        let (answer, receiver) = bounded(1);
        let given = Arc::new(Mutex::new(HandedQuestion::default()));
        let job = DeskJob {
            asking,
            given: Arc::clone(&given),
            answer,
        };
        match self.jobs.try_send(job) {
            Ok(()) => Some(Handed {
                given,
                answer: receiver,
            }),
            Err(TrySendError::Full(_) | TrySendError::Disconnected(_)) => None,
        }
    }
}

fn work(db: &Path, desk: &Desk, waiting: &Receiver<DeskJob>, end: &Stop) {
    // Its own, for what is given up is one question alone.
    let stop = Stop::default();
    let mut clerk = desk.clerk(db, &stop);
    let mut idle = Duration::ZERO;
    loop {
        match waiting.recv_timeout(LOOK_EVERY) {
            Ok(DeskJob {
                asking,
                given,
                answer,
            }) => {
                idle = Duration::ZERO;
                {
                    let mut given = locked(&given);
                    if given.is_off {
                        continue;
                    }
                    stop.flag().store(false, Ordering::Relaxed);
                    given.stop = Some(stop.clone());
                }
                let reply = clerk.answer(&asking);
                locked(&given).stop = None;
                // Whoever asked may have gone.
                let _ = answer.send(reply);
            }
            Err(RecvTimeoutError::Timeout) if end.is_asked() => break,
            Err(RecvTimeoutError::Timeout) => {
                idle += LOOK_EVERY;
                if idle >= REST_AFTER {
                    clerk.rest();
                    idle = Duration::ZERO;
                }
            }
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
}
