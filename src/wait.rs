//! Waiting for pipes, terminals and sockets without becoming deaf: whoever waits for
//! another program looks at its [`Stop`] several times a second.

use std::{fmt, io};

use crate::observe::Stop;

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
    error.get_ref().is_some_and(|inner| inner.is::<Stopped>())
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
mod unix {
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
    use crate::observe::Stop;

    /// Waits until something can be read or written.
    fn ready(file: &File, wanted: PollFlags, stop: &Stop) -> io::Result<()> {
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

    /// A file, pipe or terminal whose reader and writer stop when they are asked to.
    #[derive(Debug)]
    pub struct Patient {
        file: File,
        waits: bool,
        stop: Stop,
    }

    impl Patient {
        /// Wraps what is open.
        ///
        /// # Errors
        ///
        /// If its kind cannot be told.
        pub fn new(file: File, stop: &Stop) -> io::Result<Self> {
            let waits = may_wait(&file.metadata()?);
            let stop = stop.clone();
            Ok(Self { file, waits, stop })
        }

        /// A second handle to what is open already, such as standard input.
        ///
        /// # Errors
        ///
        /// If there is no such thing.
        pub fn again(open: impl AsFd, stop: &Stop) -> io::Result<Self> {
            Self::new(File::from(open.as_fd().try_clone_to_owned()?), stop)
        }

        /// Opens a file for reading. A named pipe that nobody writes to is waited for
        /// where it is read.
        ///
        /// # Errors
        ///
        /// As [`File::open`].
        pub fn open(path: &Path, stop: &Stop) -> io::Result<Self> {
            let mut options = OpenOptions::new();
            if std::fs::metadata(path)?.file_type().is_fifo() {
                options.custom_flags(OFlags::NONBLOCK.bits().cast_signed());
            }
            Self::new(options.read(true).open(path)?, stop)
        }

        /// Opens what is there already for writing at its end. Somebody who reads a named
        /// pipe is waited for.
        ///
        /// # Errors
        ///
        /// As [`OpenOptions::open`].
        pub fn append(path: &Path, stop: &Stop) -> io::Result<Self> {
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

    impl Read for Patient {
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

    impl Write for Patient {
        fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
            if !self.waits {
                return self.file.write(buffer);
            }
            loop {
                ready(&self.file, PollFlags::OUT, &self.stop)?;
                // So much a pipe that is ready takes without waiting.
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
}

#[cfg(unix)]
pub use unix::Patient;

#[cfg(not(unix))]
mod other {
    use std::{
        fs::{File, Metadata},
        io::{self, IsTerminal, Read, Write},
        path::Path,
    };

    use super::look_at;
    use crate::observe::Stop;

    /// A file whose reader and writer stop when they are asked to. Here a wait for
    /// another program is not broken off.
    #[derive(Debug)]
    pub struct Patient {
        file: File,
        stop: Stop,
    }

    impl Patient {
        /// Opens a file for reading.
        ///
        /// # Errors
        ///
        /// As [`File::open`].
        pub fn open(path: &Path, stop: &Stop) -> io::Result<Self> {
            let (file, stop) = (File::open(path)?, stop.clone());
            Ok(Self { file, stop })
        }

        /// Opens what is there already for writing at its end.
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

    impl Write for Patient {
        fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
            self.file.write(buffer)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    impl Read for Patient {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            look_at(&self.stop)?;
            self.file.read(buffer)
        }
    }
}

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
mod tests {
    use std::io::{Read as _, Write as _};

    use super::*;

    #[test]
    fn a_pipe_is_left_when_the_end_is_asked_for() {
        let (reader, writer) = rustix::pipe::pipe().expect("a pipe");
        let stop = Stop::default();
        let mut reader = Patient::new(reader.into(), &stop).expect("a pipe");
        let mut writer = Patient::new(writer.into(), &stop).expect("a pipe");
        let asked = stop.clone();
        let asker = std::thread::spawn(move || {
            std::thread::sleep(std::time::Duration::from_millis(150));
            asked.ask();
        });
        // Nobody takes it out, so it is full some time.
        let full = writer.write_all(&[0; 1 << 20]).expect_err("nobody reads");
        assert!(is_stopped(&full), "{full}");
        asker.join().expect("an end");
        let unread = reader.read(&mut [0; 8]).expect_err("asked to stop");
        assert!(is_stopped(&unread), "{unread}");
    }

    #[test]
    fn a_pipe_without_a_reader_is_waited_for_or_left() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("fifo");
        let mode = rustix::fs::Mode::from(0o600);
        rustix::fs::mkfifoat(rustix::fs::CWD, &path, mode).expect("a pipe");
        let asked = Stop::default();
        asked.ask();
        let left = Patient::append(&path, &asked).expect_err("nobody reads");
        assert!(is_stopped(&left), "{left}");
        let pipe = path.clone();
        let reader = std::thread::spawn(move || std::fs::read_to_string(pipe));
        let mut writer = Patient::append(&path, &Stop::default()).expect("somebody reads");
        writer.write_all(b"1. e4 *").expect("it is read");
        drop(writer);
        let text = reader.join().expect("an end").expect("it is written");
        assert_eq!(text, "1. e4 *");
    }

    #[test]
    fn a_pipe_without_a_writer_is_waited_for() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("fifo");
        let mode = rustix::fs::Mode::from(0o600);
        rustix::fs::mkfifoat(rustix::fs::CWD, &path, mode).expect("a pipe");
        let mut reader = Patient::open(&path, &Stop::default()).expect("it opens at once");
        let writer = std::thread::spawn(move || std::fs::write(path, "1. e4 *"));
        let mut text = String::new();
        reader.read_to_string(&mut text).expect("it is written");
        writer.join().expect("an end").expect("it is read");
        assert_eq!(text, "1. e4 *");
    }
}
