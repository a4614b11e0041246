//! The one way of answers into files: completely or not at all.
//!
//! An answer goes to a temporary file, in a folder beside the one that was named, which takes its
//! place when the answer is complete. So an error, a full disk or Ctrl-C leaves what
//! was there. What may be written at all is decided in `place`, before anything is
//! opened.

mod compress;
mod destination;

use std::ffi::OsString;
use std::fs::Permissions;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile};

pub(crate) use self::compress::unpack;
use self::compress::{CompressedWriter, Compression};
use self::destination::OutputKind;
pub(crate) use self::destination::{CheckedDestination, ProtectedFiles};
use super::error::CliError;
use super::render::escape::TerminalEscaper;
use crate::base::cancellable_io::{self, CancellableIo};
use crate::base::display_path;
use crate::base::observe::CancellationToken;
use crate::base::temporary::{ENDING, TemporaryFolder};

/// A file that an answer is to go to, as it was named.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Destination {
    /// The file.
    pub path: PathBuf,
    /// Whether a file that already exists may be replaced.
    pub force: bool,
    /// What to do where it cannot be taken: how another one is named.
    pub other: &'static str,
}

impl Destination {
    /// A file that was named so.
    pub fn new(path: PathBuf, force: bool, other: &'static str) -> Self {
        Self { path, force, other }
    }

    /// Whether its name is that of standard output.
    pub fn is_stdout(&self) -> bool {
        destination::is_stdout(&self.path)
    }

    /// What kept the answer from getting there. A reader that went away is no error, nor is the end
    /// that the user requested.
    fn failure(&self, error: io::Error) -> CliError {
        let name = display_path::path(&self.path);
        match error.kind() {
            io::ErrorKind::BrokenPipe => error.into(),
            _ if cancellable_io::is_stopped(&error) => error.into(),
            io::ErrorKind::AlreadyExists => CliError::new(format!(
                "{name}: another program created it in the meantime; it was left unchanged"
            ))
            .hint(format!("add --force to replace it, or {}", self.other)),
            _ => CliError::new(format!("{name}: cannot be written"))
                .because(&error)
                .hint(format!(
                    "check the free space on the disk and the permissions of the folder, or {}",
                    self.other
                )),
        }
    }
}

/// An answer on its way into a file, a device or standard output. Dropped before it
/// is finished, it leaves files as they were.
pub(crate) struct Output {
    target: Destination,
    out: CompressedWriter<BufWriter<Box<dyn Write + Send>>>,
    file: Option<TemporaryOutput>,
    plain: bool,
    terminal: bool,
}

/// A file that is not there yet.
struct TemporaryOutput {
    /// Vanishes when it is dropped.
    temporary: NamedTempFile,
    /// What it is in: `SQLite` may put files of its own beside it.
    _folder: TemporaryFolder,
    /// What it becomes.
    path: PathBuf,
    /// The rights of the file that it replaces, if there is one.
    old: Option<Permissions>,
}

impl CheckedDestination {
    /// Opens what the answer is written to.
    pub(crate) fn open(&self, stop: &CancellationToken) -> Result<Output, CliError> {
        self.begin(stop).map_err(|error| self.target.failure(error))
    }

    fn begin(&self, stop: &CancellationToken) -> io::Result<Output> {
        let (device, is_terminal): (Box<dyn Write + Send>, bool) = match &self.kind {
            OutputKind::File { path, old } => {
                let file = TemporaryOutput::beside(path, old.as_ref())?;
                let handle = Box::new(file.temporary.as_file().try_clone()?);
                return self.output(handle, Some(file), false);
            }
            OutputKind::Device(path) => {
                let device = CancellableIo::append(path, stop)?;
                let is_terminal = device.is_terminal();
                (Box::new(device), is_terminal)
            }
            // Whichever thread has locked it: nothing may wait in a buffer there.
            OutputKind::Stdout => (cancellable_io::stdout(stop)?, io::stdout().is_terminal()),
        };
        if is_terminal {
            self.output(Box::new(TerminalEscaper::new(device)), None, true)
        } else {
            self.output(device, None, false)
        }
    }

    fn output(
        &self,
        sink: Box<dyn Write + Send>,
        file: Option<TemporaryOutput>,
        terminal: bool,
    ) -> io::Result<Output> {
        Ok(Output {
            target: self.target.clone(),
            out: self
                .packing
                .begin(BufWriter::with_capacity(1 << 16, sink))?,
            file,
            plain: self.packing == Compression::Plain,
            terminal,
        })
    }
}

impl TemporaryOutput {
    fn beside(path: &Path, old: Option<&Permissions>) -> io::Result<Self> {
        // Errors would name the temporary file, which the user does not know.
        let unnamed = |error: io::Error| io::Error::from(error.kind());
        let parent = destination::folder(path);
        let folder = TemporaryFolder::beside(parent, &beginning(path)).map_err(unnamed)?;
        let mut builder = Builder::new();
        builder.prefix(".").suffix(ENDING);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            // What a new file is given, and never more than the old one, not even before it takes its place.
            let mode = old.map_or(0o666, |old| old.mode() & 0o777 | 0o600);
            builder.permissions(Permissions::from_mode(mode));
        }
        let temporary = builder.tempfile_in(folder.path());
        Ok(Self {
            temporary: temporary.map_err(unnamed)?,
            _folder: folder,
            path: path.to_owned(),
            old: old.cloned(),
        })
    }

    /// Puts the file in its place.
    fn settle(self) -> io::Result<()> {
        let file = self.temporary.as_file();
        // Otherwise a power cut could leave the new name with nothing behind it.
        file.sync_all()?;
        let Some(old) = self.old else {
            // A file that came into being meanwhile belongs to another program.
            return match self.temporary.persist_noclobber(&self.path) {
                // Not every file system can rename so.
                Err(failed)
                    if failed.error.kind() != io::ErrorKind::AlreadyExists
                        && !self.path.exists() =>
                {
                    failed.file.persist(&self.path)?;
                    Ok(())
                }
                settled => Ok(settled.map(drop)?),
            };
        };
        file.set_permissions(old)?;
        self.temporary.persist(&self.path)?;
        Ok(())
    }
}

/// How the name of the folder of an unfinished file begins: hidden, and showing whose it is.
fn beginning(path: &Path) -> OsString {
    /// Names may have 255 bytes on most systems.
    const NAME_MAX: usize = 220;
    let name = path.file_name().unwrap_or_default();
    let mut beginning = OsString::from(".");
    if name.len() <= NAME_MAX {
        beginning.push(name);
        beginning.push(".");
    }
    beginning
}

impl Output {
    /// The file to be filled, where it is one and what it gets is not compressed: for
    /// those who write by name.
    pub(crate) fn path(&self) -> Option<&Path> {
        let file = self.file.as_ref().filter(|_| self.plain)?;
        Some(file.temporary.path())
    }

    /// Whether a person would look at it.
    pub(crate) const fn is_terminal(&self) -> bool {
        self.terminal
    }

    /// As it was named.
    pub(crate) fn name(&self) -> &Path {
        &self.target.path
    }

    /// Writes a part of the answer.
    pub(crate) fn put(&mut self, bytes: &[u8]) -> Result<(), CliError> {
        self.write_all(bytes)
            .map_err(|error| self.target.failure(error))
    }

    /// Ends the answer: only now is it in its place.
    pub(crate) fn finish(self) -> Result<(), CliError> {
        let Self {
            target, out, file, ..
        } = self;
        out.finish()
            .and_then(|mut out| out.flush())
            .and_then(|()| file.map_or(Ok(()), TemporaryOutput::settle))
            .map_err(|error| target.failure(error))
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn output(path: &Path, force: bool) -> Result<Output, CliError> {
        let destination = Destination {
            path: path.to_owned(),
            force,
            other: "name another file",
        };
        let kept = ProtectedFiles::database(Path::new("none.db"));
        destination
            .place(&kept)?
            .open(&CancellationToken::default())
    }

    #[test]
    fn what_is_not_finished_leaves_no_trace() -> Result<(), Box<dyn std::error::Error>> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("old.pgn.gz");
        std::fs::write(&path, "old")?;
        let mut out = output(&path, true)?;
        out.put(&vec![b'a'; 1 << 20])?;
        assert_eq!(folder.path().read_dir()?.count(), 2);
        drop(out);
        assert_eq!(folder.path().read_dir()?.count(), 1);
        assert_eq!(std::fs::read(&path)?, b"old");
        Ok(())
    }

    #[test]
    fn a_file_that_comes_into_being_meanwhile_is_left() -> Result<(), Box<dyn std::error::Error>> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("new.pgn");
        let out = output(&path, false)?;
        std::fs::write(&path, "other data")?;
        let error = out.finish().expect_err("it is there");
        assert!(error.to_string().contains("in the meantime"), "{error}");
        assert_eq!(std::fs::read(&path)?, b"other data");
        assert_eq!(folder.path().read_dir()?.count(), 1);
        Ok(())
    }

    #[test]
    fn names_of_unfinished_files_are_hidden_and_never_too_long() {
        assert_eq!(beginning(Path::new("a/b.pgn")), ".b.pgn.");
        assert_eq!(beginning(Path::new(&"x".repeat(250))), ".");
    }
}
