//! A fixed number of threads that look things up, each with the databases open for itself.
//!
//! One of them takes nothing but look-ups that are expected to be cheap, so that expensive queries
//! never delay them. While nothing else is under way, the thread of the connections answers these
//! itself. A look-up that turns out to be expensive is given up there and sent to the others.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, TrySendError};
use tokio::sync::oneshot;

use super::request::Request;
use super::response::Response;
use super::router;
use crate::base::observe::CancellationToken;

/// How long an answer may take.
pub(crate) const ANSWER_TIME: Duration = Duration::from_secs(20);

/// How long a look-up may take that is expected to be cheap.
const CHEAP_TIME: Duration = Duration::from_secs(1);

/// The same on the thread of the connections, where all others wait.
const CHEAP_TIME_HERE: Duration = Duration::from_millis(50);

/// Requests that wait for a worker at most.
const WAITING_MAX: usize = 64;

/// Requests for cheap look-ups that wait at most.
const CHEAP_WAITING_MAX: usize = 256;

/// How long a worker keeps a database open without queries.
const REST_AFTER: Duration = Duration::from_secs(2);

/// What is said where too many requests come at once.
pub(crate) const BUSY: &str = "too many requests at the same time";

/// Answers requests.
pub(crate) trait RequestHandler: Send + 'static {
    /// The answer. It comes soon once the stop that the worker was made with is requested.
    fn answer(&mut self, request: &Request) -> Response;

    /// Closes what is open, until the next request.
    fn rest(&mut self);
}

/// Why the answer to a request is not waited for any more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CancelReason {
    /// It takes too long.
    Late,
    /// It takes too long for a cheap look-up.
    NotCheap,
    /// The client has gone.
    Gone,
    /// The program ends.
    Ending,
}

/// A request that waits for its answer.
struct RequestJob {
    request: Arc<Request>,
    until: Instant,
    is_gone: Arc<AtomicBool>,
    answered: oneshot::Sender<Response>,
}

/// What a worker works on.
struct CurrentJob {
    stop: CancellationToken,
    bounds: TimeLimits,
    given_up: Option<CancelReason>,
}

/// A worker and what ends its work.
struct WorkerSlot<A> {
    /// Its place among those that are looked after.
    number: usize,
    worker: A,
    stop: CancellationToken,
}

/// The worker on the thread of the connections.
struct InlineWorker<A> {
    seat: WorkerSlot<A>,
    used: Instant,
    is_resting: bool,
}

/// What all threads share.
struct PoolState<A> {
    make: Box<dyn Fn(&CancellationToken) -> A + Send + Sync>,
    working: Vec<Mutex<Option<CurrentJob>>>,
    /// Look-ups that turned out to be expensive go here.
    expensive: Sender<RequestJob>,
}

/// The threads.
pub(crate) struct WorkerPool<A> {
    shared: Arc<PoolState<A>>,
    own: Mutex<InlineWorker<A>>,
    cheap: Sender<RequestJob>,
    patience: Duration,
    threads: Vec<JoinHandle<()>>,
}

/// An answer that will come.
pub(crate) struct PendingAnswer {
    answer: oneshot::Receiver<Response>,
    is_gone: Arc<AtomicBool>,
}

impl PendingAnswer {
    /// The answer; `None` if there will be none.
    pub(crate) async fn wait(mut self) -> Option<Response> {
        (&mut self.answer).await.ok()
    }
}

impl Drop for PendingAnswer {
    /// The client has gone, or has the answer.
    fn drop(&mut self) {
        self.is_gone.store(true, Ordering::Relaxed);
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn ending(request: &Request) -> Response {
    router::refuse(&request.path, (503, "the server is ending", None)).with("Retry-After", "1")
}

fn busy(request: &Request) -> Response {
    router::refuse(&request.path, (503, BUSY, None)).with("Retry-After", "1")
}

impl<A: RequestHandler> WorkerPool<A> {
    /// That many workers and one for cheap look-ups, each made by `make`.
    ///
    /// # Errors
    ///
    /// If a thread cannot be started.
    pub(crate) fn new(
        count: usize,
        make: impl Fn(&CancellationToken) -> A + Send + Sync + 'static,
    ) -> std::io::Result<Self> {
        let (cheap, cheap_jobs) = crossbeam_channel::bounded(CHEAP_WAITING_MAX);
        let (expensive, jobs) = crossbeam_channel::bounded(WAITING_MAX);
        let shared = Arc::new(PoolState {
            make: Box::new(make),
            working: (0..count + 2).map(|_| Mutex::default()).collect(),
            expensive,
        });
        let own = Mutex::new(InlineWorker {
            seat: shared.seat(count + 1),
            used: Instant::now(),
            is_resting: true,
        });
        let mut threads = Vec::new();
        for number in 0..=count {
            let shared = Arc::clone(&shared);
            let cheap = cheap_jobs.clone();
            // The last one takes nothing else.
            let jobs = (number < count).then(|| jobs.clone());
            let work = move || work(&shared, number, &cheap, jobs.as_ref());
            threads.push(thread::Builder::new().spawn(work)?);
        }
        Ok(Self {
            shared,
            own,
            cheap,
            patience: ANSWER_TIME,
            threads,
        })
    }

    /// Requests an answer; if there are too many requests, at once the one that says so.
    pub(crate) fn ask(
        &self,
        request: &Arc<Request>,
        is_cheap: bool,
    ) -> Result<PendingAnswer, Response> {
        let (answered, answer) = oneshot::channel();
        let is_gone = Arc::new(AtomicBool::new(false));
        let job = RequestJob {
            request: Arc::clone(request),
            until: Instant::now() + self.patience,
            is_gone: Arc::clone(&is_gone),
            answered,
        };
        let lane = if is_cheap {
            &self.cheap
        } else {
            &self.shared.expensive
        };
        match lane.try_send(job) {
            Ok(()) => Ok(PendingAnswer { answer, is_gone }),
            Err(TrySendError::Full(_)) => Err(busy(request)),
            Err(TrySendError::Disconnected(_)) => Err(ending(request)),
        }
    }

    /// The answer to a request for a cheap look-up, found on this thread: to hand it to another one and
    /// back would take half of what it takes. `None` if it turns out not to be cheap.
    pub(crate) fn answer_here(&self, request: &Request) -> Option<Response> {
        let mut own = self.own.try_lock().ok()?;
        let now = Instant::now();
        let bounds = TimeLimits {
            until: now + self.patience,
            cheap_until: Some(now + CHEAP_TIME_HERE),
            is_gone: Arc::default(),
        };
        let response = self.shared.perform(&mut own.seat, request, bounds);
        own.used = Instant::now();
        own.is_resting = false;
        response
    }

    /// Closes what the worker of this thread has open, if it had no requests for a while.
    fn let_rest(&self) {
        if let Ok(mut own) = self.own.try_lock()
            && !own.is_resting
            && own.used.elapsed() > REST_AFTER
        {
            own.is_resting = true;
            self.shared.let_rest(&mut own.seat);
        }
    }

    /// Gives up what takes too long or is has no client any more; everything, if the program ends. To
    /// be called now and then.
    pub(crate) fn look_after(&self, is_ending: bool) {
        self.let_rest();
        let now = Instant::now();
        for working in &self.shared.working {
            let mut working = locked(working);
            let Some(working) = working.as_mut().filter(|one| one.given_up.is_none()) else {
                continue;
            };
            working.given_up = if is_ending {
                Some(CancelReason::Ending)
            } else if working.bounds.is_gone.load(Ordering::Relaxed) {
                Some(CancelReason::Gone)
            } else if now > working.bounds.until {
                Some(CancelReason::Late)
            } else if working.bounds.cheap_until.is_some_and(|until| now > until) {
                Some(CancelReason::NotCheap)
            } else {
                None
            };
            if working.given_up.is_some() {
                working.stop.cancel();
            }
        }
    }

    /// Ends the threads, once nothing is under way.
    pub(crate) fn end(self) {
        let Self {
            shared,
            own,
            cheap,
            threads,
            ..
        } = self;
        stop_all(&shared);
        drop(own);
        drop(cheap);
        drop(shared);
        for thread in threads {
            // One that failed has nothing left to end.
            let _ = thread.join();
        }
    }
}

/// Asks all that is under way to stop.
fn stop_all<A>(shared: &PoolState<A>) {
    for working in &shared.working {
        if let Some(working) = locked(working).as_mut() {
            working.given_up = Some(CancelReason::Ending);
            working.stop.cancel();
        }
    }
}

/// Takes the next job; `None` where there will be none.
fn next(
    cheap: &Receiver<RequestJob>,
    jobs: Option<&Receiver<RequestJob>>,
    mut rest: impl FnMut(),
) -> Option<RequestJob> {
    let mut is_resting = false;
    loop {
        // Cheap ones first.
        if let Ok(job) = cheap.try_recv() {
            return Some(job);
        }
        let patience = if is_resting {
            Duration::from_hours(1)
        } else {
            REST_AFTER
        };
        let received = match jobs {
            None => match cheap.recv_timeout(patience) {
                Ok(job) => return Some(job),
                Err(error) => error,
            },
            Some(jobs) => {
                crossbeam_channel::select! {
                    recv(cheap) -> job => match job {
                        Ok(job) => return Some(job),
                        Err(_) => RecvTimeoutError::Disconnected,
                    },
                    recv(jobs) -> job => match job {
                        Ok(job) => return Some(job),
                        Err(_) => RecvTimeoutError::Disconnected,
                    },
                    default(patience) => RecvTimeoutError::Timeout,
                }
            }
        };
        match received {
            RecvTimeoutError::Disconnected => return None,
            RecvTimeoutError::Timeout if !is_resting => {
                rest();
                is_resting = true;
            }
            RecvTimeoutError::Timeout => {}
        }
    }
}

/// How long an answer may take.
struct TimeLimits {
    until: Instant,
    cheap_until: Option<Instant>,
    is_gone: Arc<AtomicBool>,
}

impl<A: RequestHandler> PoolState<A> {
    fn seat(&self, number: usize) -> WorkerSlot<A> {
        let stop = CancellationToken::default();
        WorkerSlot {
            number,
            worker: (self.make)(&stop),
            stop,
        }
    }

    fn let_rest(&self, seat: &mut WorkerSlot<A>) {
        if catch_unwind(AssertUnwindSafe(|| seat.worker.rest())).is_err() {
            seat.worker = (self.make)(&seat.stop);
        }
    }

    /// The answer to a request; `None` if it takes too long for a cheap look-up.
    fn perform(
        &self,
        seat: &mut WorkerSlot<A>,
        request: &Request,
        bounds: TimeLimits,
    ) -> Option<Response> {
        seat.stop.flag().store(false, Ordering::Relaxed);
        *locked(&self.working[seat.number]) = Some(CurrentJob {
            stop: seat.stop.clone(),
            bounds,
            given_up: None,
        });
        let answered = catch_unwind(AssertUnwindSafe(|| seat.worker.answer(request)));
        let working = locked(&self.working[seat.number]).take();
        let response = answered.unwrap_or_else(|_| {
            // Whatever the worker had in hand may be half done.
            seat.worker = (self.make)(&seat.stop);
            Response::line(500, "the request could not be answered")
        });
        match working.and_then(|working| working.given_up) {
            // Unless it was done before.
            Some(CancelReason::Ending) if response.status == 503 => Some(ending(request)),
            Some(CancelReason::NotCheap) if response.status == 503 => None,
            Some(_) | None => Some(response),
        }
    }
}

/// What a thread does.
fn work<A: RequestHandler>(
    shared: &PoolState<A>,
    number: usize,
    cheap: &Receiver<RequestJob>,
    jobs: Option<&Receiver<RequestJob>>,
) {
    let mut seat = shared.seat(number);
    loop {
        let Some(job) = next(cheap, jobs, || shared.let_rest(&mut seat)) else {
            return;
        };
        if job.is_gone.load(Ordering::Relaxed) {
            continue;
        }
        let now = Instant::now();
        if now > job.until {
            let _ = job.answered.send(busy(&job.request));
            continue;
        }
        let bounds = TimeLimits {
            until: job.until,
            cheap_until: jobs.is_none().then(|| now + CHEAP_TIME),
            is_gone: Arc::clone(&job.is_gone),
        };
        if let Some(response) = shared.perform(&mut seat, &job.request, bounds) {
            // A client that has gone has no use for it.
            let _ = job.answered.send(response);
        } else if let Err(job) = shared.expensive.try_send(job) {
            let job = job.into_inner();
            let busy = busy(&job.request);
            let _ = job.answered.send(busy);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;

    use super::*;

    /// Does what the path says, and knows its number.
    struct Trial {
        number: usize,
        stop: CancellationToken,
    }

    impl RequestHandler for Trial {
        fn answer(&mut self, request: &Request) -> Response {
            match request.path.as_str() {
                "/panic" => panic!("as was asked"),
                "/slow" => {
                    let since = Instant::now();
                    while !self.stop.is_cancelled() {
                        assert!(since.elapsed() < ANSWER_TIME, "the watch is missing");
                        thread::sleep(Duration::from_millis(5));
                    }
                    Response::line(503, "the answer takes too long")
                }
                _ => Response::line(200, &self.number.to_string()),
            }
        }

        fn rest(&mut self) {}
    }

    struct Pool {
        workers: Arc<WorkerPool<Trial>>,
        made: Arc<AtomicUsize>,
        watch: CancellationToken,
    }

    impl Pool {
        fn new(count: usize, patience: Duration) -> Self {
            let made = Arc::new(AtomicUsize::new(0));
            let counter = Arc::clone(&made);
            let make = move |stop: &CancellationToken| Trial {
                number: counter.fetch_add(1, Ordering::Relaxed),
                stop: stop.clone(),
            };
            let mut pool = WorkerPool::new(count, make).expect("threads");
            pool.patience = patience;
            let (pool, watch) = (Arc::new(pool), CancellationToken::default());
            let (own, end) = (Arc::clone(&pool), watch.clone());
            thread::spawn(move || {
                while !end.is_cancelled() {
                    thread::sleep(Duration::from_millis(5));
                    own.look_after(false);
                }
            });
            Self {
                workers: pool,
                made,
                watch,
            }
        }

        fn pending(&self, path: &str, is_cheap: bool) -> Result<PendingAnswer, Response> {
            let request = Arc::new(Request::of(path).expect("a request"));
            self.workers.ask(&request, is_cheap)
        }

        fn ask(&self, path: &str, is_cheap: bool) -> Response {
            match self.pending(path, is_cheap) {
                Ok(mut pending) => loop {
                    match pending.answer.try_recv() {
                        Ok(response) => break response,
                        Err(oneshot::error::TryRecvError::Empty) => {
                            thread::sleep(Duration::from_millis(1));
                        }
                        Err(error) => panic!("{error}"),
                    }
                },
                Err(response) => response,
            }
        }
    }

    impl Drop for Pool {
        fn drop(&mut self) {
            self.watch.cancel();
        }
    }

    #[test]
    fn a_worker_that_panics_is_replaced() {
        let pool = Pool::new(1, ANSWER_TIME);
        assert_eq!(pool.ask("/panic", false).status, 500);
        assert_eq!(pool.ask("/", false).status, 200);
        // The worker, the one for cheap look-ups, that of this thread, and the one in the place of the first.
        assert_eq!(pool.made.load(Ordering::Relaxed), 4);
    }

    #[test]
    fn what_takes_too_long_is_given_up() {
        let pool = Pool::new(1, Duration::from_millis(50));
        assert_eq!(pool.ask("/slow", false).status, 503);
        assert_eq!(pool.ask("/", false).status, 200);
        assert_eq!(pool.made.load(Ordering::Relaxed), 3);
    }

    #[test]
    fn expensive_queries_do_not_delay_cheap_look_ups() {
        let pool = Pool::new(2, ANSWER_TIME);
        let slow: Vec<_> = (0..6).map(|_| pool.pending("/slow", false)).collect();
        assert_eq!(pool.ask("/", true).status, 200);
        // One that is not as cheap as was expected makes way.
        let misjudged = pool.pending("/slow", true);
        assert_eq!(pool.ask("/", true).status, 200);
        let is_open = |pending: Result<PendingAnswer, Response>| {
            pending.is_ok_and(|mut pending| pending.answer.try_recv().is_err())
        };
        assert!(slow.into_iter().all(is_open) && is_open(misjudged));
    }

    #[test]
    fn cheap_look_ups_are_answered_here_unless_they_are_not() {
        let pool = Pool::new(1, ANSWER_TIME);
        let here = |path: &str| {
            let request = Request::of(path).expect("a request");
            let response = pool.workers.answer_here(&request);
            response.map(|response| response.status)
        };
        assert_eq!(here("/"), Some(200));
        assert_eq!(here("/slow"), None);
        assert_eq!(here("/panic"), Some(500));
        assert_eq!(here("/"), Some(200));
    }

    #[test]
    fn who_goes_away_leaves_the_worker_to_others() {
        let pool = Pool::new(1, ANSWER_TIME);
        drop(pool.pending("/slow", false));
        drop(pool.pending("/slow", false));
        assert_eq!(pool.ask("/", false).status, 200);
    }

    #[test]
    fn too_many_are_refused() {
        let pool = Pool::new(1, ANSWER_TIME);
        let waiting: Vec<_> = (0..WAITING_MAX + 2)
            .map(|_| pool.pending("/slow", false))
            .collect();
        let refused = waiting.iter().filter(|one| one.is_err()).count();
        assert!((1..=2).contains(&refused), "{refused}");
        assert_eq!(pool.ask("/", true).status, 200);
    }
}
