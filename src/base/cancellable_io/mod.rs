//! Waiting for pipes, terminals and sockets that can be cancelled: code that waits for
//! another program looks at its [`CancellationToken`] several times a second.

use std::{fmt, io};

use crate::base::observe::CancellationToken;

/// Between two looks.
#[cfg(unix)]
const LOOK_EVERY_MS: i64 = 100;

/// Why reading or writing ended: the user cancelled it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cancelled;

impl fmt::Display for Cancelled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("interrupted")
    }
}

impl std::error::Error for Cancelled {}

/// Whether an error means that the end was requested.
pub fn is_stopped(error: &io::Error) -> bool {
    error
        .get_ref()
        .is_some_and(<dyn std::error::Error + Send + Sync>::is::<Cancelled>)
}

/// An error if the end was requested.
///
/// # Errors
///
/// [`Cancelled`].
pub fn look_at(stop: &CancellationToken) -> io::Result<()> {
    if stop.is_cancelled() {
        return Err(io::Error::other(Cancelled));
    }
    Ok(())
}

#[cfg(unix)]
mod unix;

#[cfg(unix)]
pub use unix::CancellableIo;

#[cfg(not(unix))]
mod other;

#[cfg(not(unix))]
pub use other::Patient;

/// Standard input, read as [`CancellableIo`] does where the system lets us.
///
/// # Errors
///
/// If there is none.
pub fn stdin(stop: &CancellationToken) -> io::Result<Box<dyn io::Read + Send>> {
    #[cfg(unix)]
    return Ok(Box::new(CancellableIo::again(io::stdin(), stop)?));
    #[cfg(not(unix))]
    {
        let _ = stop;
        Ok(Box::new(io::stdin()))
    }
}

/// Standard output, written as [`CancellableIo`] does where the system lets us, and unbuffered.
///
/// # Errors
///
/// If there is none.
pub fn stdout(stop: &CancellationToken) -> io::Result<Box<dyn io::Write + Send>> {
    #[cfg(unix)]
    return Ok(Box::new(CancellableIo::again(io::stdout(), stop)?));
    #[cfg(not(unix))]
    {
        let _ = stop;
        Ok(Box::new(io::stdout()))
    }
}

#[cfg(all(test, unix))]
mod tests;
