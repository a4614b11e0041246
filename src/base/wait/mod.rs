//! Waiting for pipes, terminals and sockets without becoming deaf: whoever waits for
//! another program looks at its [`Stop`] several times a second.

use std::{fmt, io};

use crate::base::observe::Stop;

/// Between two looks.
#[cfg(unix)]
const LOOK_EVERY_MS: i64 = 100;

/// Why reading or writing ended: somebody asked for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stopped;

impl fmt::Display for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("interrupted")
    }
}

impl std::error::Error for Stopped {}

/// Whether an error means that the end was asked for.
pub fn is_stopped(error: &io::Error) -> bool {
    error
        .get_ref()
        .is_some_and(<dyn std::error::Error + Send + Sync>::is::<Stopped>)
}

/// An error if the end was asked for.
///
/// # Errors
///
/// [`Stopped`].
pub fn look_at(stop: &Stop) -> io::Result<()> {
    if stop.is_asked() {
        return Err(io::Error::other(Stopped));
    }
    Ok(())
}

#[cfg(unix)]
mod unix;

#[cfg(unix)]
pub use unix::Patient;

#[cfg(not(unix))]
mod other;

#[cfg(not(unix))]
pub use other::Patient;

/// Standard input, read as [`Patient`] does where the system lets us.
///
/// # Errors
///
/// If there is none.
pub fn stdin(stop: &Stop) -> io::Result<Box<dyn io::Read + Send>> {
    #[cfg(unix)]
    return Ok(Box::new(Patient::again(io::stdin(), stop)?));
    #[cfg(not(unix))]
    {
        let _ = stop;
        Ok(Box::new(io::stdin()))
    }
}

/// Standard output, written as [`Patient`] does where the system lets us, and unbuffered.
///
/// # Errors
///
/// If there is none.
pub fn stdout(stop: &Stop) -> io::Result<Box<dyn io::Write + Send>> {
    #[cfg(unix)]
    return Ok(Box::new(Patient::again(io::stdout(), stop)?));
    #[cfg(not(unix))]
    {
        let _ = stop;
        Ok(Box::new(io::stdout()))
    }
}

#[cfg(all(test, unix))]
mod tests;
