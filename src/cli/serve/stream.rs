//! The bytes of a connection, with the bounds of time that hyper leaves to others.

use std::io;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Waker, ready};
use std::time::{Duration, Instant};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::Sleep;

/// How long a client that has sent all it will send may wait for an answer: it may have gone as well,
/// and only a client that reads can show that it has not.
const HALF_CLOSED_TIME: Duration = Duration::from_secs(3);

/// In this time …
const WINDOW: Duration = Duration::from_secs(20);

/// … a client has to read this many bytes of an answer that it has not read yet.
const WINDOW_BYTES: u64 = 80 << 10;

/// How long an answer may take to be sent.
const SENDING_TIME: Duration = Duration::from_mins(10);

/// What is going on over a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
enum ConnectionPhase {
    /// Nothing, or a request arrives.
    Idle,
    /// An answer is looked up.
    Answering,
    /// It is sent.
    Sending,
}

/// What a connection and the requests on it know of each other.
#[derive(Debug, Default)]
pub(crate) struct ConnectionState {
    phase: AtomicU8,
    /// Answers that were begun to be sent.
    answers: AtomicU32,
    /// Whether the client speaks another version of HTTP.
    is_foreign_version: AtomicBool,
    /// Whether its first request is one of HTTP/1.0.
    is_old_version: AtomicBool,
    /// Who waits for the end of an answer.
    waker: Mutex<Option<Waker>>,
}

impl ConnectionState {
    fn is_in(&self, phase: ConnectionPhase) -> bool {
        self.phase.load(Ordering::Relaxed) == phase as u8
    }

    /// An answer is looked up from now on.
    pub(crate) fn begin(&self) {
        self.phase
            .store(ConnectionPhase::Answering as u8, Ordering::Relaxed);
    }

    /// It is sent from now on.
    pub(crate) fn send(&self) {
        self.answers.fetch_add(1, Ordering::Relaxed);
        self.phase
            .store(ConnectionPhase::Sending as u8, Ordering::Relaxed);
    }

    /// It is sent, or given up.
    pub(crate) fn end(&self) {
        self.phase
            .store(ConnectionPhase::Idle as u8, Ordering::Relaxed);
        let waker = self
            .waker
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        if let Some(waker) = waker {
            waker.wake();
        }
    }

    /// Whether the request at hand is one of HTTP/1.0. `true` once: hyper reads the next ones as they
    /// are.
    pub(crate) fn take_old_version(&self) -> bool {
        self.is_old_version.swap(false, Ordering::Relaxed)
    }

    /// Whether the client speaks a version of HTTP that is neither 1.0 nor 1.1, nor a later 1.x.
    pub(crate) fn is_foreign_version(&self) -> bool {
        self.is_foreign_version.load(Ordering::Relaxed)
    }
}

/// The stream of a client.
#[derive(Debug)]
pub(crate) struct ClientStream {
    stream: TcpStream,
    state: Arc<ConnectionState>,
    has_read: bool,
    is_at_end: bool,
    /// Until when a client that has half closed may wait.
    end_timer: Option<Pin<Box<Sleep>>>,
    /// The answer that is being sent, since when, and the window of time at hand.
    sending: Option<(u32, Instant, RateWindow)>,
    window_timer: Option<Pin<Box<Sleep>>>,
}

/// What was sent in a window of time.
#[derive(Debug, Clone, Copy)]
struct RateWindow {
    since: Instant,
    bytes: u64,
}

impl RateWindow {
    fn new() -> Self {
        Self {
            since: Instant::now(),
            bytes: 0,
        }
    }
}

impl ClientStream {
    /// That of a connection.
    pub(crate) fn new(stream: TcpStream, state: Arc<ConnectionState>) -> Self {
        Self {
            stream,
            state,
            has_read: false,
            is_at_end: false,
            end_timer: None,
            sending: None,
            window_timer: None,
        }
    }

    /// The end of what a client sends: it is not reported to hyper while an answer is under way,
    /// for the client may be waiting for that.
    fn poll_end(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        if self.state.is_in(ConnectionPhase::Idle) {
            return Poll::Ready(Ok(()));
        }
        let waker = Some(cx.waker().clone());
        *self
            .state
            .waker
            .lock()
            .unwrap_or_else(PoisonError::into_inner) = waker;
        if self.state.is_in(ConnectionPhase::Sending) {
            return Poll::Pending;
        }
        let timer = self
            .end_timer
            .get_or_insert_with(|| Box::pin(tokio::time::sleep(HALF_CLOSED_TIME)));
        timer.as_mut().poll(cx).map(Ok)
    }

    /// Counts bytes that were sent, or that none could be; an error where the client reads too slowly.
    fn count(
        &mut self,
        cx: &mut Context<'_>,
        sent: Poll<io::Result<usize>>,
    ) -> Poll<io::Result<usize>> {
        let answer = self.state.answers.load(Ordering::Relaxed);
        let now = Instant::now();
        if self.sending.is_none_or(|(known, ..)| known != answer) {
            self.sending = Some((answer, now, RateWindow::new()));
            self.window_timer = None;
        }
        let Some((_, since, window)) = &mut self.sending else {
            return sent;
        };
        if let Poll::Ready(Ok(bytes)) = sent {
            window.bytes += bytes as u64;
        }
        let is_over = now - window.since >= WINDOW;
        if now - *since > SENDING_TIME || is_over && window.bytes < WINDOW_BYTES {
            return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
        }
        if is_over {
            *window = RateWindow::new();
            self.window_timer = None;
        }
        if sent.is_pending() {
            let until = window.since + WINDOW;
            let timer = self
                .window_timer
                .get_or_insert_with(|| Box::pin(tokio::time::sleep_until(until.into())));
            if timer.as_mut().poll(cx).is_ready() {
                // Once more, to see what has become of it.
                self.window_timer = None;
                cx.waker().wake_by_ref();
            }
        }
        sent
    }
}

impl AsyncRead for ClientStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = &mut *self;
        if this.is_at_end {
            return this.poll_end(cx);
        }
        let before = buffer.filled().len();
        ready!(Pin::new(&mut this.stream).poll_read(cx, buffer))?;
        let read = &mut buffer.filled_mut()[before..];
        if read.is_empty() {
            this.is_at_end = true;
            return this.poll_end(cx);
        }
        if !std::mem::replace(&mut this.has_read, true) {
            let version = take_version(read);
            let set = |flag: &AtomicBool, own| flag.store(version == own, Ordering::Relaxed);
            set(&this.state.is_foreign_version, ClientVersion::Foreign);
            set(&this.state.is_old_version, ClientVersion::Old);
        }
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for ClientStream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let sent = Pin::new(&mut self.stream).poll_write(cx, bytes);
        self.count(cx, sent)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let sent = Pin::new(&mut self.stream).poll_write_vectored(cx, bytes);
        self.count(cx, sent)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

/// The version of HTTP that a client speaks, by the first line of its connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ClientVersion {
    /// 1.1, a later 1.x, or no version at all.
    New,
    /// 1.0.
    Old,
    /// One that is not answered.
    Foreign,
}

/// Writes any version in the first line of a connection as 1.1: hyper answers 1.0 as 1.0, although a
/// server says which version is its own, and does not read a later 1.x, which is answered as 1.1
/// (RFC 9110, 2.5).
fn take_version(first: &mut [u8]) -> ClientVersion {
    let end = memchr::memchr(b'\n', first).unwrap_or(first.len());
    let line = first[..end].strip_suffix(b"\r").unwrap_or(&first[..end]);
    let at = line.len().saturating_sub(3);
    let is_version = line[..at].ends_with(b" HTTP/");
    let [major, b'.', minor] = line[at..] else {
        return ClientVersion::New;
    };
    if !is_version || !major.is_ascii_digit() || !minor.is_ascii_digit() {
        return ClientVersion::New;
    }
    first[at..at + 3].copy_from_slice(b"1.1");
    match (major, minor) {
        (b'1', b'0') => ClientVersion::Old,
        (b'1', _) => ClientVersion::New,
        _ => ClientVersion::Foreign,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_known() {
        use ClientVersion::{Foreign, New, Old};
        for (line, written, version) in [
            ("GET / HTTP/1.1\r\n", "GET / HTTP/1.1\r\n", New),
            ("GET / HTTP/1.0\n", "GET / HTTP/1.1\n", Old),
            (
                "GET / HTTP/1.2\r\nHost: a",
                "GET / HTTP/1.1\r\nHost: a",
                New,
            ),
            ("PRI * HTTP/2.0\r\n", "PRI * HTTP/1.1\r\n", Foreign),
            ("GET / HTTP/9.9\r\n", "GET / HTTP/1.1\r\n", Foreign),
            ("GET / HTTP/x.y\r\n", "GET / HTTP/x.y\r\n", New),
            ("GET /\r\n", "GET /\r\n", New),
            ("\r\n", "\r\n", New),
            ("", "", New),
        ] {
            let mut bytes = line.as_bytes().to_vec();
            assert_eq!(take_version(&mut bytes), version, "{line}");
            assert_eq!(bytes, written.as_bytes());
        }
    }
}
