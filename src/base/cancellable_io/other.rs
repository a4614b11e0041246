//! Waiting where nothing better is known.

use std::{
    fs::{File, Metadata},
    io::{self, IsTerminal, Read, Write},
    path::Path,
};

use super::look_at;
use crate::base::observe::Stop;

/// A file whose reader and writer stop on request. Here a wait for
/// another program is not interrupted.
#[derive(Debug)]
pub struct CancellableIo {
    file: File,
    stop: Stop,
}

impl CancellableIo {
    /// Opens a file for reading.
    ///
    /// # Errors
    ///
    /// As [`File::open`].
    pub fn open(path: &Path, stop: &Stop) -> io::Result<Self> {
        let (file, stop) = (File::open(path)?, stop.clone());
        Ok(Self { file, stop })
    }

    /// Opens an existing file for writing at its end.
    ///
    /// # Errors
    ///
    /// As [`File::open`].
    pub fn append(path: &Path, stop: &Stop) -> io::Result<Self> {
        let (file, stop) = (File::options().append(true).open(path)?, stop.clone());
        Ok(Self { file, stop })
    }

    /// Whether a person is looking at it.
    pub fn is_terminal(&self) -> bool {
        self.file.is_terminal()
    }

    /// What is known of it.
    ///
    /// # Errors
    ///
    /// As [`File::metadata`].
    pub fn metadata(&self) -> io::Result<Metadata> {
        self.file.metadata()
    }
}

impl Write for CancellableIo {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        self.file.write(buffer)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Read for CancellableIo {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        look_at(&self.stop)?;
        self.file.read(buffer)
    }
}
