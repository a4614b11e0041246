//! What is sent back.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Write};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};

use bytes::Bytes;
use http_body::{Frame, SizeHint};
use serde::Serialize;

use super::handler_error::HandlerError;
use crate::cli::error::CliError;

/// Bytes of an answer at most.
pub(crate) const ANSWER_MAX: usize = 64 << 20;

/// Bytes of an answer that are held in memory; what is larger goes to a file without a name.
const HELD_MAX: usize = 256 << 10;

/// Bytes of all answers together that are held in memory; beyond, files are used from the start.
const HELD_TOGETHER_MAX: usize = 16 << 20;

/// Bytes of a file that are read at once.
const PART: usize = 64 << 10;

/// JSON, as all answers but a few are.
pub(crate) const JSON: &str = "application/json; charset=utf-8";

/// Lines for people.
pub(crate) const TEXT: &str = "text/plain; charset=utf-8";

/// What is sent back for a request.
#[derive(Debug, Clone)]
pub(crate) struct Response {
    /// The status of HTTP.
    pub status: u16,
    /// The media type of the body.
    pub kind: &'static str,
    /// The body.
    pub body: Body,
    /// Further headers.
    pub headers: Vec<(&'static str, Cow<'static, str>)>,
}

/// A body.
#[derive(Debug, Clone)]
pub(crate) enum Body {
    /// Bytes that many may send at the same time.
    Held(Bytes),
    /// A file without a name, from its beginning, with its length.
    Filed(Arc<File>, u64),
}

impl Body {
    /// How many bytes it has.
    pub(crate) fn len(&self) -> u64 {
        match self {
            Self::Held(bytes) => bytes.len() as u64,
            Self::Filed(_, length) => *length,
        }
    }

    /// Reads it from the beginning.
    pub(crate) const fn reader(&self) -> BodyReader<'_> {
        BodyReader { body: self, at: 0 }
    }

    /// All of it, if it is held in memory.
    pub(crate) const fn held(&self) -> Option<&Bytes> {
        match self {
            Self::Held(bytes) => Some(bytes),
            Self::Filed(..) => None,
        }
    }
}

/// Reads a body.
#[derive(Debug)]
pub(crate) struct BodyReader<'b> {
    body: &'b Body,
    at: u64,
}

impl io::Read for BodyReader<'_> {
    fn read(&mut self, part: &mut [u8]) -> io::Result<usize> {
        let left = (self.body.len() - self.at).min(part.len() as u64) as usize;
        match self.body {
            Body::Held(bytes) => part[..left].copy_from_slice(&bytes[self.at as usize..][..left]),
            Body::Filed(file, _) => read_at(file, &mut part[..left], self.at)?,
        }
        self.at += left as u64;
        Ok(left)
    }
}

/// The bytes that answers under way hold in memory.
static HELD: AtomicUsize = AtomicUsize::new(0);

/// A part of [`HELD`], given back when it is dropped.
#[derive(Debug, Default)]
struct BufferReservation(usize);

impl BufferReservation {
    fn add(&mut self, bytes: usize) {
        self.0 += bytes;
        HELD.fetch_add(bytes, Ordering::Relaxed);
    }
}

impl Drop for BufferReservation {
    fn drop(&mut self) {
        HELD.fetch_sub(self.0, Ordering::Relaxed);
    }
}

/// A body that is being sent.
#[derive(Debug)]
pub(crate) struct BodyStream<T> {
    body: Body,
    sent: u64,

    _held: BufferReservation,
    /// Dropped when the body is sent, or given up.
    _kept: T,
}

impl<T> BodyStream<T> {
    /// A body to be sent.
    pub(crate) fn new(body: Body, kept: T) -> Self {
        let mut held = BufferReservation::default();
        held.add(body.held().map_or(PART, Bytes::len));
        Self {
            body,
            sent: 0,
            _held: held,
            _kept: kept,
        }
    }
}

impl<T: Unpin> http_body::Body for BodyStream<T> {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, io::Error>>> {
        let (sent, length) = (self.sent, self.body.len());
        if sent == length {
            return Poll::Ready(None);
        }
        let part = match &self.body {
            Body::Held(bytes) => Ok(bytes.clone()),
            // From the cache of the system, as it was written just now.
            Body::Filed(file, _) => {
                let mut part = vec![0; PART.min((length - sent) as usize)];
                read_at(file, &mut part, sent).map(|()| Bytes::from(part))
            }
        };
        if let Ok(part) = &part {
            self.sent += part.len() as u64;
        }
        Poll::Ready(Some(part.map(Frame::data)))
    }

    fn is_end_stream(&self) -> bool {
        self.sent == self.body.len()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.body.len() - self.sent)
    }
}

#[cfg(unix)]
fn read_at(file: &File, part: &mut [u8], at: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, part, at)
}

#[cfg(not(unix))]
fn read_at(mut file: &File, part: &mut [u8], at: u64) -> io::Result<()> {
    use std::io::{Read as _, Seek as _};
    file.seek(io::SeekFrom::Start(at))?;
    file.read_exact(part)
}

/// Takes an answer down, up to [`ANSWER_MAX`].
#[derive(Debug, Default)]
pub(crate) struct AnswerWriter {
    bytes: Vec<u8>,
    held: BufferReservation,
    file: Option<File>,
    length: usize,
    /// There was more than that.
    is_full: bool,
}

impl AnswerWriter {
    /// The answer, if all of it was taken down; else why not.
    fn response(
        self,
        kind: &'static str,
        written: Result<(), CliError>,
        why_not: fn(CliError) -> HandlerError,
    ) -> Result<Response, HandlerError> {
        if self.is_full {
            return Err(HandlerError::TooLarge);
        }
        written.map_err(why_not)?;
        let body = self
            .body()
            .map_err(|error| HandlerError::Failed(error.into()))?;
        Ok(Response {
            status: 200,
            kind,
            body,
            headers: Vec::new(),
        })
    }

    /// What was taken down.
    pub(crate) fn body(mut self) -> io::Result<Body> {
        self.flush_to_file()?;
        Ok(match self.file {
            Some(file) => Body::Filed(Arc::new(file), self.length as u64),
            None => Body::Held(std::mem::take(&mut self.bytes).into()),
        })
    }

    fn flush_to_file(&mut self) -> io::Result<()> {
        if let Some(file) = &mut self.file {
            file.write_all(&self.bytes)?;
            self.bytes.clear();
        }
        Ok(())
    }
}

impl Write for AnswerWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.length + bytes.len() > ANSWER_MAX {
            self.is_full = true;
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        self.length += bytes.len();
        self.bytes.extend_from_slice(bytes);
        if self.bytes.capacity() > self.held.0 {
            self.held.add(self.bytes.capacity() - self.held.0);
        }
        let is_crowded = HELD.load(Ordering::Relaxed) > HELD_TOGETHER_MAX;
        let bytes_max = if is_crowded { PART } else { HELD_MAX };
        if self.bytes.len() > bytes_max {
            if self.file.is_none() {
                self.file = Some(tempfile::tempfile()?);
            }
            self.flush_to_file()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Response {
    /// An answer of some kind.
    pub(crate) fn new(status: u16, kind: &'static str, body: impl Into<Bytes>) -> Self {
        Self {
            status,
            kind,
            body: Body::Held(body.into()),
            headers: Vec::new(),
        }
    }

    /// A line for people.
    pub(crate) fn line(status: u16, text: &str) -> Self {
        Self::new(status, TEXT, format!("{text}\n"))
    }

    /// Nothing but a status and headers.
    pub(crate) fn empty(status: u16) -> Self {
        Self::new(status, TEXT, Bytes::new())
    }

    /// An object of JSON.
    ///
    /// # Errors
    ///
    /// [`HandlerError`] if it is too large.
    pub(crate) fn json(value: &impl Serialize) -> Result<Self, HandlerError> {
        let mut out = AnswerWriter::default();
        let written = serde_json::to_writer(&mut out, value);
        out.response(JSON, written.map_err(CliError::from), HandlerError::Failed)
    }

    /// What was written by a command.
    ///
    /// # Errors
    ///
    /// [`HandlerError`] if it is too large, or of the error of the command.
    pub(crate) fn written(
        kind: &'static str,
        write: impl FnOnce(&mut AnswerWriter) -> Result<(), CliError>,
        why_not: fn(CliError) -> HandlerError,
    ) -> Result<Self, HandlerError> {
        let mut out = AnswerWriter::default();
        let written = write(&mut out);
        out.response(kind, written, why_not)
    }

    /// The same with a header.
    pub(crate) fn with(mut self, name: &'static str, value: impl Into<Cow<'static, str>>) -> Self {
        self.headers.push((name, value.into()));
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(body: &Body) -> Vec<u8> {
        let mut all = Vec::new();
        io::Read::read_to_end(&mut body.reader(), &mut all).expect("memory or a file");
        all
    }

    #[test]
    fn what_is_too_large_is_refused_with_what_to_do() {
        let mebibyte = vec![7; 1 << 20];
        let written = |mebibytes: usize| {
            let write = |out: &mut AnswerWriter| {
                for _ in 0..mebibytes {
                    out.write_all(&mebibyte)?;
                }
                Ok(())
            };
            Response::written(TEXT, write, HandlerError::Wrong)
        };
        let whole = written(64).expect("as much as an answer may have");
        assert_eq!(whole.body.len(), ANSWER_MAX as u64);
        assert!(whole.body.held().is_none() && all(&whole.body).iter().all(|byte| *byte == 7));
        let refused = written(65).expect_err("too large");
        let (status, message, hint) = refused.message();
        assert_eq!(status, 413);
        assert_eq!(message, "the answer would have more than 64 MiB");
        assert!(
            hint.is_some_and(|hint| hint.contains("limit=") && hint.contains("the command line"))
        );
        // Other errors stay what they are.
        let failed = Response::written(TEXT, |_| Err(CliError::new("x")), HandlerError::Wrong);
        assert_eq!(failed.expect_err("an error").message().0, 400);
    }

    #[test]
    fn answers_are_filed_as_they_were_written() {
        for bytes in [0, 1, HELD_MAX, HELD_MAX + 1, 3 * HELD_MAX + 5] {
            let text: Vec<u8> = (0..bytes).map(|at| (at % 251) as u8).collect();
            let mut out = AnswerWriter::default();
            for part in text.chunks(1000) {
                out.write_all(part).expect("memory or a file");
            }
            let body = out.body().expect("a body");
            assert_eq!(body.held().is_some(), bytes <= HELD_MAX, "{bytes}");
            assert!(all(&body) == text, "{bytes}");
        }
    }
}
