//! `plydex serve`: answers over HTTP.
//!
//! `http` is hyper on one thread: it reads requests and sends answers. A `request::Request` becomes a
//! `response::Response` in `router`, which knows no connection; what needs a database is done by
//! `workers`, as many threads as there are processors and one for cheap look-ups, each with the databases
//! open for itself. Everything that comes from outside has a bound.

mod assets;
mod cache;
mod encoding;
mod handler_error;
mod http;
mod lichess;
pub(super) mod log;
pub(super) mod openapi;
pub(super) mod origin;
mod params;
mod position;
mod reports;
mod request;
mod response;
mod router;
mod stream;
mod v1;
mod workers;

use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::{Duration, Instant};

use tokio::sync::watch;

use self::http::Server;
use self::router::Router;
use self::workers::{ANSWER_TIME, WorkerPool};
use super::CommandContext;
use super::error::CliError;
use super::exit::Exit;
use crate::base::display_path;
use crate::cli::commands::serve::ServePlan;
use crate::database::Database;

/// How often the main thread looks around.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// How long those are waited for at the end to whom an answer is being sent.
const LAST_ANSWERS: Duration = Duration::from_secs(2);

/// Lines of the log that wait to be written.
const LOG_LINES_MAX: usize = 4096;

pub(crate) fn run(plan: &ServePlan, context: &mut CommandContext<'_>) -> Result<Exit, CliError> {
    // First, for without a database there is nothing to serve.
    for (_, db) in &plan.databases {
        let database = Database::at(db).with_cancellation(&context.stop);
        database.ask(|_| Ok::<_, CliError>(()))?;
    }
    let cannot = |error: &std::io::Error| {
        let taken = CliError::new(format!("cannot answer at {}", plan.address)).because(error);
        taken.hint("name another port with --port; 0 is any that is free")
    };
    let listener = std::net::TcpListener::bind(plan.address).map_err(|error| cannot(&error))?;
    listener.set_nonblocking(true)?;
    let address = listener.local_addr()?;
    let mut plan = plan.clone();
    plan.address = address;
    let databases = plan.databases.clone();
    let (format, opens) = (plan.log, plan.opens);
    let router = Arc::new(Router::new(plan, databases.clone()));
    let count = thread::available_parallelism().map_or(2, |count| count.get().max(2));
    let workers = {
        let router = Arc::clone(&router);
        WorkerPool::new(count, move |stop| router.worker(stop))?
    };
    let (lines, log) = crossbeam_channel::bounded::<String>(LOG_LINES_MAX);
    let server = Arc::new(Server::new(
        router,
        workers,
        format.map(|form| (form, lines)),
    ));
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_io()
        .enable_time()
        .build()?;
    let (end, ending) = watch::channel(false);
    let serving = {
        let server = Arc::clone(&server);
        let serve = move || {
            runtime.block_on(async {
                // The listener is bound; only the system can refuse to watch it.
                if let Ok(listener) = tokio::net::TcpListener::from_std(listener) {
                    http::serve(listener, server, ending).await;
                }
            });
        };
        thread::Builder::new().spawn(serve)?
    };
    let names: Vec<_> = databases
        .iter()
        .map(|(_, path)| display_path::path(path))
        .collect();
    let url = format!("http://{address}/");
    context
        .notes
        .note(&format!("serving {} at {url}", names.join(", ")));
    if opens && let Err(error) = open::that_detached(&url) {
        let note = format!("no browser could be started ({error}): open {url}");
        context.notes.warning(&note);
    }
    // The server goes on where what reads the lines has gone.
    let mut is_read = true;
    let mut write_log = |context: &mut CommandContext<'_>| {
        let mut lines = log.try_iter().filter(|_| is_read).peekable();
        if lines.peek().is_none() {
            return;
        }
        let written = lines.try_for_each(|line| writeln!(context.out, "{line}"));
        if let Err(error) = written.and_then(|()| context.out.flush()) {
            let warning = format!("requests are not logged any more: {error}");
            context.notes.warning(&warning);
            is_read = false;
        }
    };
    while !context.stop.is_cancelled() && !serving.is_finished() {
        thread::sleep(LOOK_EVERY);
        server.workers.look_after(false);
        write_log(context);
    }
    let is_patient = finish(&server, &end, context);
    write_log(context);
    let until = Instant::now() + LAST_ANSWERS;
    while !serving.is_finished() && Instant::now() < until {
        thread::sleep(LOOK_EVERY / 10);
    }
    if serving.is_finished() {
        // One that failed has nothing left to end.
        let _ = serving.join();
        if let Some(server) = Arc::into_inner(server) {
            server.workers.end();
        }
    }
    context.notes.note("ended");
    Ok(if is_patient {
        Exit::Done
    } else {
        Exit::InterruptedTwice
    })
}

/// Waits for the answers that are under way, which have their time; `false` if the end was
/// requested again meanwhile.
fn finish(server: &Server, end: &watch::Sender<bool>, context: &mut CommandContext<'_>) -> bool {
    end.send_replace(true);
    // The next signal is seen again, and the one after it ends the program where it stands.
    context.stop.flag().store(false, Ordering::Relaxed);
    let answering = || server.answering.load(Ordering::Relaxed);
    if answering() > 0 {
        let note = "ending after the answers under way; Ctrl-C again ends at once";
        context.notes.note(note);
    }
    let wait = |patience: Duration, is_ending: bool| {
        let until = Instant::now() + patience;
        while answering() > 0 && Instant::now() < until && !context.stop.is_cancelled() {
            thread::sleep(LOOK_EVERY / 10);
            server.workers.look_after(is_ending);
        }
    };
    wait(ANSWER_TIME + LAST_ANSWERS, false);
    let is_patient = !context.stop.is_cancelled();
    context.stop.flag().store(false, Ordering::Relaxed);
    wait(LAST_ANSWERS, true);
    is_patient
}

impl ServePlan {
    /// Whether it answers at an address.
    fn is_address(&self, ip: IpAddr) -> bool {
        self.address.ip().is_unspecified() || self.address.ip() == ip
    }
}
