//! `plydex serve`: answers over HTTP.
//!
//! A question is an `asking::Asking`, an answer a `reply::Reply`, and `desk` makes the one
//! of the other without a socket. Around it are `connection`, a thread for each, and
//! `workers`, as many as there are processors, each with the database open for itself. Sockets
//! are those of the standard library: what is understood of HTTP is little, and everything that
//! comes from outside has a bound.

pub mod args_serve;
mod asking;
mod assets;
mod cache;
mod connection;
mod desk;
mod lichess;
mod openapi;
mod placed;
pub mod plan_serve;
mod reply;
mod v1;
mod workers;

use std::net::{IpAddr, TcpListener};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use self::asking::Asking;
use self::connection::{Arrived, Connection};
use self::desk::Desk;
use self::plan_serve::ServePlan;
use self::reply::Reply;
use self::workers::Workers;
use super::Context;
use super::error::CliError;
use super::exit::Exit;
use crate::base::observe::Stop;
use crate::base::shown;
use crate::db::store::Store;

/// Connections at the same time; more are turned away.
const CONNECTIONS_MAX: usize = 256;

/// How long an answer may take.
const ANSWER_TIME: Duration = Duration::from_secs(20);

/// How often somebody who waits looks around.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// How long those who are being answered are waited for at the end.
const LAST_ANSWERS: Duration = Duration::from_secs(2);

/// What all connections share.
struct Server {
    desk: Arc<Desk>,
    workers: Workers,
    stop: Stop,
    connections: AtomicUsize,
    answering: AtomicUsize,
}

pub(crate) fn run(plan: &ServePlan, context: &mut Context<'_>) -> Result<Exit, CliError> {
    // First, for without a database there is nothing to serve.
    Store::ask(&context.db, &context.stop, |_| Ok::<_, CliError>(()))?;
    let listener = TcpListener::bind(plan.address).map_err(|error| {
        let taken = CliError::new(format!("cannot answer at {}", plan.address)).because(&error);
        taken.hint("name another port with --port; 0 is any that is free")
    })?;
    let address = listener.local_addr()?;
    let mut plan = plan.clone();
    plan.address = address;
    let desk = Arc::new(Desk::new(plan));
    let count = thread::available_parallelism().map_or(2, |count| count.get().max(2));
    let (workers, threads) = Workers::start(count, &context.db, &desk, &context.stop)?;
    let server = Arc::new(Server {
        desk,
        workers,
        stop: context.stop.clone(),
        connections: AtomicUsize::new(0),
        answering: AtomicUsize::new(0),
    });
    let name = shown::path(&context.db);
    context
        .notes
        .note(&format!("serving {name} at http://{address}/"));
    {
        let server = Arc::clone(&server);
        // It waits for connections until the program ends.
        thread::Builder::new().spawn(move || accept(&listener, &server))?;
    }
    while !context.stop.is_asked() {
        thread::sleep(LOOK_EVERY);
    }
    let until = Instant::now() + LAST_ANSWERS;
    while server.answering.load(Ordering::Relaxed) > 0 && Instant::now() < until {
        thread::sleep(LOOK_EVERY / 10);
    }
    for thread in threads {
        // One that failed has nothing left to end.
        let _ = thread.join();
    }
    context.notes.note("ended");
    Ok(Exit::Done)
}

/// Takes connections, each to a thread of its own.
fn accept(listener: &TcpListener, server: &Arc<Server>) {
    for stream in listener.incoming() {
        if server.stop.is_asked() {
            return;
        }
        let Ok(stream) = stream else {
            // Too many files are open, as a rule: some will be closed.
            thread::sleep(LOOK_EVERY);
            continue;
        };
        let Some(mut connection) = Connection::new(stream) else {
            continue;
        };
        let server = Arc::clone(server);
        let count = server.connections.fetch_add(1, Ordering::Relaxed);
        if count >= CONNECTIONS_MAX {
            connection.send(&busy(), None, false);
            server.connections.fetch_sub(1, Ordering::Relaxed);
            continue;
        }
        let work = {
            let server = Arc::clone(&server);
            move || {
                serve(&server, connection);
                server.connections.fetch_sub(1, Ordering::Relaxed);
            }
        };
        if thread::Builder::new().spawn(work).is_err() {
            server.connections.fetch_sub(1, Ordering::Relaxed);
        }
    }
}

/// Answers what comes over a connection, until it ends.
fn serve(server: &Server, mut connection: Connection) {
    loop {
        match connection.next(|| server.stop.is_asked()) {
            Arrived::Asked(asking) => {
                server.answering.fetch_add(1, Ordering::Relaxed);
                // A body would be taken for the next request.
                let keeps = asking.keeps && !asking.has_body;
                let reply = answer(server, &connection, &asking);
                let goes_on =
                    reply.is_some_and(|reply| connection.send(&reply, Some(&asking), keeps));
                server.answering.fetch_sub(1, Ordering::Relaxed);
                if !goes_on {
                    break;
                }
            }
            Arrived::Wrong((status, why)) => {
                connection.send(&Reply::line(status, why), None, false);
                break;
            }
            Arrived::Nothing => break,
        }
    }
    connection.end();
}

fn busy() -> Reply {
    Reply::line(503, "too many questions at the same time").with("Retry-After", "1")
}

/// The answer to a question; `None` if whoever asked has gone.
fn answer(server: &Server, connection: &Connection, asking: &Asking) -> Option<Reply> {
    if let Some(reply) = server.desk.at_once(asking) {
        return Some(reply);
    }
    let Some(handed) = server.workers.hand_in(asking.clone()) else {
        return Some(busy());
    };
    let until = Instant::now() + ANSWER_TIME;
    loop {
        if let Some(reply) = handed.wait(LOOK_EVERY) {
            return Some(reply);
        }
        let is_late = Instant::now() > until || server.stop.is_asked();
        if is_late {
            // It answers at once that it was given up.
            handed.call_off();
            let reply = handed.wait(LOOK_EVERY * 10);
            return Some(reply.unwrap_or_else(busy));
        }
        if connection.is_gone() {
            handed.call_off();
            return None;
        }
    }
}

impl ServePlan {
    /// Whether it answers at an address.
    fn is_address(&self, ip: IpAddr) -> bool {
        self.address.ip().is_unspecified() || self.address.ip() == ip
    }
}
