//! A connection: requests are read off it, answers written to it, one after the other.
//! Nobody who sends slowly, never reads or goes away holds more than a thread for some seconds.

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::asking::{Asking, Misasked};
use super::reply::Reply;

/// Bytes of a request at most.
const HEAD_MAX: usize = 16 * 1024;

/// How long a connection may be idle, and how long a request may take to arrive.
const IDLE: Duration = Duration::from_secs(15);

/// How long somebody may take to read a part of an answer.
const READING: Duration = Duration::from_secs(15);

/// How often somebody who waits looks whether the end was asked for.
const LOOK_EVERY: Duration = Duration::from_millis(250);

/// A connection and what was read of it ahead.
#[derive(Debug)]
pub(crate) struct Connection {
    stream: Arc<TcpStream>,
    ahead: Vec<u8>,
}

/// What came over a connection.
pub(crate) enum Arrived {
    /// A request.
    Asked(Box<Asking>),
    /// Something else, and the path that it may have meant.
    Wrong(Misasked, String),
    /// Nothing more.
    Nothing,
}

impl Connection {
    /// A new one; `None` if it is gone already.
    pub(crate) fn new(stream: TcpStream) -> Option<Self> {
        stream.set_nodelay(true).ok()?;
        stream.set_read_timeout(Some(LOOK_EVERY)).ok()?;
        stream.set_write_timeout(Some(READING)).ok()?;
        Some(Self {
            stream: Arc::new(stream),
            ahead: Vec::new(),
        })
    }

    /// Waits for the next request.
    pub(crate) fn next(&mut self, is_over: impl Fn() -> bool) -> Arrived {
        let until = Instant::now() + IDLE;
        let mut looked = 0;
        let wrong = |status, why| Arrived::Wrong((status, why), String::new());
        loop {
            if let Some(end) = head_end(&self.ahead, looked).filter(|&end| end <= HEAD_MAX) {
                let head: Vec<u8> = self.ahead.drain(..end).collect();
                return match std::str::from_utf8(&head) {
                    Ok(head) => match Asking::read(head) {
                        Ok(asking) => Arrived::Asked(Box::new(asking)),
                        Err(wrong) => Arrived::Wrong(wrong, meant_path(head)),
                    },
                    Err(_) => wrong(400, "the request is not text"),
                };
            }
            looked = self.ahead.len().saturating_sub(3);
            if self.ahead.len() > HEAD_MAX {
                return wrong(431, "the request is too long");
            }
            let mut part = [0; 4096];
            match self.stream.as_ref().read(&mut part) {
                Ok(0) => return Arrived::Nothing,
                Ok(read) => self.ahead.extend_from_slice(&part[..read]),
                Err(error) => match error.kind() {
                    ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted => {}
                    _ => return Arrived::Nothing,
                },
            }
            if is_over() {
                return Arrived::Nothing;
            }
            if Instant::now() > until {
                return if self.ahead.is_empty() {
                    Arrived::Nothing
                } else {
                    wrong(408, "the request did not arrive in time")
                };
            }
        }
    }

    /// The line that it goes over.
    pub(crate) fn line(&self) -> Arc<TcpStream> {
        Arc::clone(&self.stream)
    }

    /// Sends an answer; whether the connection can go on.
    pub(crate) fn send(&mut self, reply: &Reply, asking: Option<&Asking>, keeps: bool) -> bool {
        let wire = reply.wire(asking, keeps);
        self.stream.as_ref().write_all(&wire).is_ok() && keeps
    }

    /// Ends it so that the last answer arrives, even if something was sent that nobody reads.
    pub(crate) fn end(self) {
        if self.stream.shutdown(std::net::Shutdown::Write).is_err() {
            return;
        }
        let until = Instant::now() + LOOK_EVERY;
        let mut part = [0; 4096];
        while Instant::now() < until
            && self
                .stream
                .as_ref()
                .read(&mut part)
                .is_ok_and(|read| read > 0)
        {}
    }
}

/// Whether whoever asked over a line has gone away. Nobody may read it or write to it meanwhile.
pub(crate) fn is_gone(line: &TcpStream) -> bool {
    if line.set_nonblocking(true).is_err() {
        return true;
    }
    let gone = match line.peek(&mut [0]) {
        Ok(read) => read == 0,
        Err(error) => error.kind() != ErrorKind::WouldBlock,
    };
    gone || line.set_nonblocking(false).is_err()
}

/// The path of a request that cannot be understood, as it stands there: it tells in which form the
/// refusal is expected.
fn meant_path(head: &str) -> String {
    let path = head.split([' ', '\r', '\n']).nth(1).unwrap_or_default();
    path.split('?').next().unwrap_or_default().to_owned()
}

/// Where the empty line ends that ends a request.
fn head_end(bytes: &[u8], from: usize) -> Option<usize> {
    let lines = memchr::memchr_iter(b'\n', bytes.get(from..)?);
    lines.map(|at| from + at).find_map(|at| {
        let before = bytes[..at].strip_suffix(b"\r").unwrap_or(&bytes[..at]);
        before.ends_with(b"\n").then_some(at + 1)
    })
}
