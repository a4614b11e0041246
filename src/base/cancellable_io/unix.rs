//! Waiting by `poll`.

use std::{
    fs::{File, Metadata, OpenOptions},
    io::{self, IsTerminal, Read, Write},
    os::{
        fd::AsFd,
        unix::fs::{FileTypeExt, OpenOptionsExt},
    },
    path::Path,
    time::Duration,
};

use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    fs::OFlags,
    pipe::PIPE_BUF,
};

use super::{LOOK_EVERY_MS, look_at};
use crate::base::observe::CancellationToken;

/// Waits until something can be read or written. What can be written without waiting is, even
/// if the end was requested: an answer is written to its end.
fn ready(file: &File, wanted: PollFlags, stop: &CancellationToken) -> io::Result<()> {
    let at_once = Timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    if wanted == PollFlags::OUT
        && poll(&mut [PollFd::new(file, wanted)], Some(&at_once)).is_ok_and(|ready| ready > 0)
    {
        return Ok(());
    }
    let pause = Timespec {
        tv_sec: 0,
        tv_nsec: LOOK_EVERY_MS * 1_000_000,
    };
    loop {
        look_at(stop)?;
        match poll(&mut [PollFd::new(file, wanted)], Some(&pause)) {
            Ok(0) | Err(rustix::io::Errno::INTR) => {}
            Ok(_) => return Ok(()),
            Err(error) => return Err(error.into()),
        }
    }
}

/// Whether reading or writing may have to wait for another program or a person.
fn may_wait(metadata: &Metadata) -> bool {
    let kind = metadata.file_type();
    kind.is_fifo() || kind.is_socket() || kind.is_char_device()
}

/// A file, pipe or terminal whose reader and writer stop on request.
#[derive(Debug)]
pub struct CancellableIo {
    file: File,
    waits: bool,
    stop: CancellationToken,
}

impl CancellableIo {
    /// Wraps what is open.
    ///
    /// # Errors
    ///
    /// If its kind cannot be determined.
    pub fn new(file: File, stop: &CancellationToken) -> io::Result<Self> {
        let waits = may_wait(&file.metadata()?);
        let stop = stop.clone();
        Ok(Self { file, waits, stop })
    }

    /// A second handle to what is open already, such as standard input.
    ///
    /// # Errors
    ///
    /// If there is no such thing.
    pub fn again(open: impl AsFd, stop: &CancellationToken) -> io::Result<Self> {
        Self::new(File::from(open.as_fd().try_clone_to_owned()?), stop)
    }

    /// Opens a file for reading. If no process writes to a named pipe, the reader waits
    /// for one when it reads.
    ///
    /// # Errors
    ///
    /// As [`File::open`].
    pub fn open(path: &Path, stop: &CancellationToken) -> io::Result<Self> {
        let mut options = OpenOptions::new();
        if std::fs::metadata(path)?.file_type().is_fifo() {
            options.custom_flags(OFlags::NONBLOCK.bits().cast_signed());
        }
        Self::new(options.read(true).open(path)?, stop)
    }

    /// Opens an existing file for writing at its end. For a named pipe it waits
    /// until another process reads.
    ///
    /// # Errors
    ///
    /// As [`OpenOptions::open`].
    pub fn append(path: &Path, stop: &CancellationToken) -> io::Result<Self> {
        let mut options = OpenOptions::new();
        let is_pipe = std::fs::metadata(path)?.file_type().is_fifo();
        if is_pipe {
            options.custom_flags(OFlags::NONBLOCK.bits().cast_signed());
        }
        let no_reader = Some(rustix::io::Errno::NXIO.raw_os_error());
        loop {
            match options.append(true).open(path) {
                Err(error) if is_pipe && error.raw_os_error() == no_reader => {
                    look_at(stop)?;
                    std::thread::sleep(Duration::from_millis(LOOK_EVERY_MS as u64));
                }
                opened => return Self::new(opened?, stop),
            }
        }
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

impl Read for CancellableIo {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            if self.waits {
                ready(&self.file, PollFlags::IN, &self.stop)?;
            } else {
                look_at(&self.stop)?;
            }
            match self.file.read(buffer) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                read => return read,
            }
        }
    }
}

impl Write for CancellableIo {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        if !self.waits {
            return self.file.write(buffer);
        }
        loop {
            ready(&self.file, PollFlags::OUT, &self.stop)?;
            // A pipe that is ready takes this much without waiting.
            let length = buffer.len().min(PIPE_BUF);
            match self.file.write(&buffer[..length]) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                written => return written,
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
