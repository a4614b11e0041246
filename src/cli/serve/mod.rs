//! `plydex serve`: answers over HTTP.
//!
//! A question is an `asking::Asking`, an answer a `reply::Reply`, and `desk` makes the one
//! of the other without a socket. Around it are `connection`, a thread for each, and
//! `clerks`, as many as there are processors, each with the database open for itself. Sockets
//! are those of the standard library: what is understood of HTTP is little, and everything that
//! comes from outside has a bound.

pub mod args_serve;
mod asking;
mod assets;
mod cache;
mod clerks;
mod connection;
mod desk;
mod lichess;
mod openapi;
mod placed;
pub mod plan_serve;
mod reply;
mod v1;

use std::net::{IpAddr, TcpListener};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use self::asking::Asking;
use self::clerks::{BUSY, Clerks};
use self::connection::{Arrived, Connection};
use self::desk::Desk;
use self::plan_serve::ServePlan;
use self::reply::Reply;
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

/// How long those are waited for at the end to whom an answer is being sent.
const LAST_ANSWERS: Duration = Duration::from_secs(2);

/// What all connections share.
struct Server {
    desk: Arc<Desk>,
    clerks: Clerks,
    /// Nothing new is answered.
    ending: Stop,
    /// Nor is what was begun.
    hurry: Stop,
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
    let server = Arc::new(Server {
        clerks: {
            let (desk, db) = (Arc::clone(&desk), context.db.clone());
            Clerks::new(count, move |stop| desk.clerk(&db, stop))
        },
        desk,
        ending: Stop::default(),
        hurry: Stop::default(),
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
    let resting = {
        let server = Arc::clone(&server);
        let rest = move || {
            while !server.ending.is_asked() {
                thread::sleep(LOOK_EVERY);
                server.clerks.let_rest();
            }
        };
        thread::Builder::new().spawn(rest)?
    };
    while !context.stop.is_asked() {
        thread::sleep(LOOK_EVERY);
        server.clerks.look_after(&server.hurry);
    }
    let is_patient = server.end(context);
    // One that failed has nothing left to end.
    let _ = resting.join();
    server.clerks.dismiss();
    context.notes.note("ended");
    Ok(if is_patient {
        Exit::Done
    } else {
        Exit::InterruptedTwice
    })
}

impl Server {
    /// Waits for the answers that are under way, which have their time; whether nobody has asked
    /// for the end again meanwhile.
    fn end(&self, context: &mut Context<'_>) -> bool {
        self.ending.ask();
        // The next signal is seen again, and the one after it ends the program where it stands.
        context.stop.flag().store(false, Ordering::Relaxed);
        let answering = || self.answering.load(Ordering::Relaxed);
        if answering() > 0 {
            let note = "ending after the answers under way; Ctrl-C again ends at once";
            context.notes.note(note);
        }
        let wait = |patience: Duration| {
            let until = Instant::now() + patience;
            while answering() > 0 && Instant::now() < until && !context.stop.is_asked() {
                thread::sleep(LOOK_EVERY / 10);
                self.clerks.look_after(&self.hurry);
            }
        };
        wait(ANSWER_TIME + LAST_ANSWERS);
        let is_patient = !context.stop.is_asked();
        context.stop.flag().store(false, Ordering::Relaxed);
        self.hurry.ask();
        wait(LAST_ANSWERS);
        is_patient
    }
}

/// Takes connections, each to a thread of its own.
fn accept(listener: &TcpListener, server: &Arc<Server>) {
    for stream in listener.incoming() {
        if server.ending.is_asked() {
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
            let reply = Reply::line(503, BUSY).with("Retry-After", "1");
            connection.send(&reply, None, false);
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
        match connection.next(|| server.ending.is_asked()) {
            Arrived::Asked(asking) => {
                server.answering.fetch_add(1, Ordering::Relaxed);
                // A body would be taken for the next request.
                let keeps = asking.keeps && !asking.has_body;
                let reply = answer(server, &connection, &asking);
                let keeps = keeps && !server.ending.is_asked();
                let goes_on =
                    reply.is_some_and(|reply| connection.send(&reply, Some(&asking), keeps));
                server.answering.fetch_sub(1, Ordering::Relaxed);
                if !goes_on {
                    break;
                }
            }
            Arrived::Wrong(why, path) => {
                connection.send(&desk::misasked(&path, why), None, false);
                break;
            }
            Arrived::Nothing => break,
        }
    }
    connection.end();
}

/// The answer to a question; `None` if whoever asked has gone.
fn answer(server: &Server, connection: &Connection, asking: &Asking) -> Option<Reply> {
    let reply = server.desk.at_once(asking);
    reply.or_else(|| server.clerks.answer(asking, connection, &server.hurry))
}

impl ServePlan {
    /// Whether it answers at an address.
    fn is_address(&self, ip: IpAddr) -> bool {
        self.address.ip().is_unspecified() || self.address.ip() == ip
    }
}
