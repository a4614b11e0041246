//! What is sent back.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io;
use std::sync::Arc;

use serde::Serialize;

use super::asking::{Asking, Verb};
use super::desk::NotAnswered;
use crate::cli::error::CliError;

/// Bytes of an answer at most.
pub(crate) const ANSWER_MAX: usize = 64 << 20;

/// JSON, as all answers but a few are.
pub(crate) const JSON: &str = "application/json; charset=utf-8";

/// Lines for people.
pub(crate) const TEXT: &str = "text/plain; charset=utf-8";

/// What is sent back for a request.
#[derive(Debug, Clone)]
pub(crate) struct Reply {
    /// The status of HTTP.
    pub status: u16,
    /// The media type of the body.
    pub kind: &'static str,
    /// The body.
    pub body: Bytes,
    /// Further headers.
    pub headers: Vec<(&'static str, Cow<'static, str>)>,
}

/// A body that many may send at the same time.
#[derive(Debug, Clone)]
pub(crate) enum Bytes {
    /// Part of the program.
    Static(&'static [u8]),
    /// Made for a question.
    Shared(Arc<[u8]>),
}

impl Bytes {
    /// The bytes themselves.
    pub(crate) fn get(&self) -> &[u8] {
        match self {
            Self::Static(bytes) => bytes,
            Self::Shared(bytes) => bytes,
        }
    }
}

/// Takes an answer down, up to [`ANSWER_MAX`].
#[derive(Debug, Default)]
pub(crate) struct AnswerBytes {
    bytes: Vec<u8>,
    /// There was more than that.
    is_full: bool,
}

impl AnswerBytes {
    /// The answer, if all of it was taken down; why not, if whoever wrote it does not know better.
    fn reply(
        self,
        kind: &'static str,
        written: Result<(), CliError>,
        why_not: fn(CliError) -> NotAnswered,
    ) -> Result<Reply, NotAnswered> {
        if self.is_full {
            return Err(NotAnswered::TooLarge);
        }
        written.map_err(why_not)?;
        Ok(Reply::new(200, kind, self.bytes))
    }
}

impl io::Write for AnswerBytes {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.bytes.len() + bytes.len() > ANSWER_MAX {
            self.is_full = true;
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Reply {
    /// An answer of some kind.
    pub(crate) fn new(status: u16, kind: &'static str, body: impl Into<Arc<[u8]>>) -> Self {
        Self {
            status,
            kind,
            body: Bytes::Shared(body.into()),
            headers: Vec::new(),
        }
    }

    /// A line for people.
    pub(crate) fn line(status: u16, text: &str) -> Self {
        Self::new(status, TEXT, format!("{text}\n").into_bytes())
    }

    /// An object of JSON.
    ///
    /// # Errors
    ///
    /// [`NotAnswered`] if it is too large.
    pub(crate) fn json(value: &impl Serialize) -> Result<Self, NotAnswered> {
        let mut sheet = AnswerBytes::default();
        let written = serde_json::to_writer(&mut sheet, value);
        sheet.reply(JSON, written.map_err(CliError::from), NotAnswered::Failed)
    }

    /// What was written by a command.
    ///
    /// # Errors
    ///
    /// [`NotAnswered`] if it is too large, or of the error of whoever writes.
    pub(crate) fn written(
        kind: &'static str,
        write: impl FnOnce(&mut AnswerBytes) -> Result<(), CliError>,
        why_not: fn(CliError) -> NotAnswered,
    ) -> Result<Self, NotAnswered> {
        let mut sheet = AnswerBytes::default();
        let written = write(&mut sheet);
        sheet.reply(kind, written, why_not)
    }

    /// The same with a header.
    pub(crate) fn with(mut self, name: &'static str, value: impl Into<Cow<'static, str>>) -> Self {
        self.headers.push((name, value.into()));
        self
    }

    /// The status with its usual words.
    const fn reason(&self) -> &'static str {
        match self.status {
            200 => "OK",
            204 => "No Content",
            304 => "Not Modified",
            400 => "Bad Request",
            403 => "Forbidden",
            404 => "Not Found",
            405 => "Method Not Allowed",
            408 => "Request Timeout",
            413 => "Content Too Large",
            414 => "URI Too Long",
            431 => "Request Header Fields Too Large",
            503 => "Service Unavailable",
            505 => "HTTP Version Not Supported",
            _ => "Internal Server Error",
        }
    }

    /// Everything as it goes over the wire.
    pub(crate) fn wire(&self, asking: Option<&Asking>, keeps: bool) -> Vec<u8> {
        let body = self.body.get();
        let mut head = format!("HTTP/1.1 {} {}\r\n", self.status, self.reason());
        // Writing into text cannot fail.
        if !matches!(self.status, 204 | 304) {
            let _ = write!(
                head,
                "Content-Type: {}\r\nContent-Length: {}\r\n",
                self.kind,
                body.len()
            );
        }
        for (name, value) in &self.headers {
            let _ = write!(head, "{name}: {value}\r\n");
        }
        let connection = if keeps { "keep-alive" } else { "close" };
        let _ = write!(
            head,
            "X-Content-Type-Options: nosniff\r\nConnection: {connection}\r\n\r\n"
        );
        let mut wire = head.into_bytes();
        let is_bare = asking.is_some_and(|asking| asking.verb == Verb::Head)
            || matches!(self.status, 204 | 304);
        if !is_bare {
            wire.extend_from_slice(body);
        }
        wire
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    #[test]
    fn what_is_too_large_is_told_so() {
        let mebibyte = vec![0; 1 << 20];
        let written = |mebibytes: usize| {
            let write = |out: &mut AnswerBytes| {
                for _ in 0..mebibytes {
                    out.write_all(&mebibyte)?;
                }
                Ok(())
            };
            Reply::written(TEXT, write, NotAnswered::Wrong)
        };
        let whole = written(64).expect("as much as an answer may have");
        assert_eq!(whole.body.get().len(), ANSWER_MAX);
        let refused = written(65).expect_err("too large");
        let (status, message, hint) = refused.told();
        assert_eq!(status, 413);
        assert_eq!(message, "the answer would have more than 64 MiB");
        assert!(
            hint.is_some_and(|hint| hint.contains("limit=") && hint.contains("the command line"))
        );
        // Other errors stay what they are.
        let failed = Reply::written(TEXT, |_| Err(CliError::new("x")), NotAnswered::Wrong);
        assert_eq!(failed.expect_err("an error").told().0, 400);
    }
}
