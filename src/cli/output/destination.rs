//! Where an output may go: never over a file that its own command works with, and over
//! no other one unasked. Files are known by what they are, not by how they are spelled.

use std::ffi::OsString;
use std::fs::{self, Metadata, Permissions};
use std::io;
use std::path::{Path, PathBuf};

use super::Destination;
use super::compress::Compression;
use crate::base::display_path;
use crate::cli::error::CliError;
use crate::cli::saved_queries;

/// Links to links that are followed before they are taken for a circle.
const LINKS_MAX: usize = 40;

/// What `SQLite`, plydex and its users put after the name of a database.
const COMPANIONS: &[&str] = &["-journal", "-wal", "-shm", "-lock", saved_queries::ENDING];

/// Where an output goes, once it is certain that nothing is lost by it.
pub(crate) struct CheckedDestination {
    pub(super) target: Destination,
    pub(super) packing: Compression,
    pub(super) kind: OutputKind,
}

/// What an output goes to.
pub(super) enum OutputKind {
    Stdout,
    /// A pipe, a terminal, `/dev/null`: written, never replaced.
    Device(PathBuf),
    File {
        /// The name with all links resolved.
        path: PathBuf,
        /// Of the file that is replaced, if there is one.
        old: Option<Permissions>,
    },
}

/// The files that a command itself works with, which no output may replace.
pub(crate) struct ProtectedFiles(Vec<(FileIdentity, &'static str)>);

/// Which file a name means.
#[derive(Debug, PartialEq, Eq)]
enum FileIdentity {
    /// The existing file: its device and number.
    #[cfg(unix)]
    Node(u64, u64),
    /// Its folder, by the one name that it has without links, and the name in it. Capitals are
    /// small letters: where they differ, one of two files that are not there is refused in vain.
    Name(PathBuf),
}

impl ProtectedFiles {
    /// No files.
    pub(crate) fn none() -> Self {
        Self(Vec::new())
    }

    /// The database and what belongs to it, whether it exists yet or not.
    pub(crate) fn database(path: &Path) -> Self {
        let mut kept = Self(Vec::new());
        kept.add(path, "is the database itself");
        // Journals stand beside the file that a link leads to, locks and queries beside the link.
        for path in [Some(path.to_owned()), follow(path).ok()].iter().flatten() {
            for companion in COMPANIONS {
                let mut name = OsString::from(path);
                name.push(companion);
                kept.add(Path::new(&name), "belongs to the database");
            }
        }
        kept
    }

    /// A file that is read.
    pub(crate) fn and_input(mut self, path: &Path) -> Self {
        const READ: &str = "is an input of this command";
        if path.as_os_str() == "-" {
            self.0.extend(stdin_identity().map(|stdin| (stdin, READ)));
        } else {
            self.add(path, READ);
        }
        self
    }

    /// Makes sure that standard output does not go to one of these files.
    pub(crate) fn check_stdout(&self) -> Result<(), CliError> {
        let stdout = Path::new(STDOUT);
        let is_file = fs::metadata(stdout).is_ok_and(|facts| facts.is_file());
        match self.what(stdout).filter(|_| is_file) {
            Some(what) => Err(CliError::new(format!("the file of standard output {what}"))
                .hint("redirect it to another file")),
            None => Ok(()),
        }
    }

    fn add(&mut self, path: &Path, what: &'static str) {
        self.0.extend(identity(path).map(|file| (file, what)));
    }

    /// What speaks against writing there.
    fn what(&self, path: &Path) -> Option<&'static str> {
        let file = identity(path)?;
        let kept = self.0.iter().find(|(kept, _)| *kept == file)?;
        Some(kept.1)
    }
}

impl Destination {
    /// Finds the place of an output, or says why it cannot go there. Nothing is opened.
    pub(crate) fn place(&self, kept: &ProtectedFiles) -> Result<CheckedDestination, CliError> {
        let kind = self.kind(kept)?;
        let packing = match &kind {
            OutputKind::Stdout => Compression::Plain,
            OutputKind::Device(_) => Compression::of(&self.path)?,
            OutputKind::File { path, .. } => match Compression::of(&self.path)? {
                // A file that a link calls otherwise is found by its own name again.
                Compression::Plain => Compression::of(path)?,
                packing => packing,
            },
        };
        Ok(CheckedDestination {
            target: self.clone(),
            packing,
            kind,
        })
    }

    fn kind(&self, kept_files: &ProtectedFiles) -> Result<OutputKind, CliError> {
        let path = follow(&self.path).map_err(|error| self.failure(error))?;
        let kept = |path: &Path| {
            let what = kept_files.what(path);
            what.map_or(Ok(()), |what| Err(self.refused(what, self.other)))
        };
        if is_stdout(&path) {
            kept_files.check_stdout()?;
            return Ok(OutputKind::Stdout);
        }
        let facts = match fs::metadata(&path) {
            Ok(facts) => facts,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                self.check_folder(&path)?;
                kept(&path)?;
                return Ok(OutputKind::File { path, old: None });
            }
            Err(error) => return Err(self.failure(error)),
        };
        if facts.is_dir() {
            return Err(self.refused("is a folder, not a file", self.other));
        }
        if is_descriptor(&path) || takes_bytes(&facts) {
            // Whatever reads from a device takes nothing away from who writes to it.
            if keeps_bytes(&facts) {
                kept(&path)?;
            }
            return Ok(OutputKind::Device(path));
        }
        kept(&path)?;
        if !facts.is_file() {
            return Err(self.refused("is not a file that can be written to", self.other));
        }
        if !self.force {
            let hint = format!("add --force to replace it, or {}", self.other);
            return Err(self.refused("already exists", &hint));
        }
        let old = Some(facts.permissions());
        Ok(OutputKind::File { path, old })
    }

    fn check_folder(&self, path: &Path) -> Result<(), CliError> {
        let folder = folder(path);
        // `folder/new/` means a folder, which it is not.
        let names_folder = path.as_os_str().as_encoded_bytes().ends_with(b"/");
        if names_folder || path.file_name().is_none() {
            return Err(self.refused("does not name a file", self.other));
        }
        if folder.is_dir() {
            return Ok(());
        }
        let what = format!("the folder {} does not exist", display_path::path(folder));
        let hint = format!("create the folder first, or {}", self.other);
        Err(self.refused(&what, &hint))
    }

    fn refused(&self, what: &str, hint: &str) -> CliError {
        let name = display_path::path(&self.path);
        CliError::new(format!("{name}: {what}")).hint(hint)
    }
}

impl CheckedDestination {
    /// The file that the answer will be in; none for a device.
    pub(crate) fn file(&self) -> Option<&Path> {
        match &self.kind {
            OutputKind::File { path, .. } => Some(path),
            OutputKind::Device(_) | OutputKind::Stdout => None,
        }
    }
}

/// The file that standard output goes to, where there is such a name.
const STDOUT: &str = "/dev/stdout";

/// Whether a name is one of standard output.
pub(super) fn is_stdout(path: &Path) -> bool {
    ["-", STDOUT, "/dev/fd/1", "/proc/self/fd/1"]
        .iter()
        .any(|name| path.as_os_str() == *name)
}

/// Whether a name means a file that this program was started with, which others
/// may be writing to as well, even if it is a file like any other.
fn is_descriptor(path: &Path) -> bool {
    ["/dev/fd", "/proc/self/fd"]
        .iter()
        .any(|folder| path.parent() == Some(Path::new(folder)))
        || ["/dev/stdin", "/dev/stderr"]
            .iter()
            .any(|name| path.as_os_str() == *name)
}

/// The folder of a file; the current one of a bare name.
pub(super) fn folder(path: &Path) -> &Path {
    path.parent()
        .filter(|folder| !folder.as_os_str().is_empty())
        .unwrap_or(Path::new("."))
}

/// The name with all links resolved, whether a file exists or not.
fn follow(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..LINKS_MAX {
        if is_stdout(&path) || is_descriptor(&path) {
            return Ok(path);
        }
        match fs::read_link(&path) {
            Ok(next) => path = folder(&path).join(next),
            Err(_) => return Ok(path),
        }
    }
    Err(io::Error::other("it is a symbolic link to itself"))
}

/// Which file a name means; none if not even its folder exists.
fn identity(path: &Path) -> Option<FileIdentity> {
    #[cfg(unix)]
    if let Ok(facts) = fs::metadata(path) {
        return Some(node(&facts));
    }
    #[cfg(not(unix))]
    if let Ok(path) = fs::canonicalize(path) {
        return Some(FileIdentity::Name(path));
    }
    let path = follow(path).ok()?;
    let folder = fs::canonicalize(folder(&path)).ok()?;
    let name = path.file_name()?;
    let name = name
        .to_str()
        .map_or_else(|| name.to_owned(), |name| name.to_lowercase().into());
    Some(FileIdentity::Name(folder.join(name)))
}

#[cfg(unix)]
fn node(facts: &Metadata) -> FileIdentity {
    use std::os::unix::fs::MetadataExt;
    FileIdentity::Node(facts.dev(), facts.ino())
}

/// The file that standard input comes from.
#[cfg(unix)]
fn stdin_identity() -> Option<FileIdentity> {
    use std::os::fd::AsFd;
    let stdin = io::stdin().as_fd().try_clone_to_owned().ok()?;
    Some(node(&fs::File::from(stdin).metadata().ok()?))
}

#[cfg(not(unix))]
fn stdin_identity() -> Option<FileIdentity> {
    None
}

/// Whether what is written there can be read again: a file or a pipe.
#[cfg(unix)]
fn keeps_bytes(facts: &Metadata) -> bool {
    facts.is_file() || is_pipe(facts)
}

/// Whether what stands there is a pipe.
#[cfg(unix)]
fn is_pipe(facts: &Metadata) -> bool {
    use std::os::unix::fs::FileTypeExt;
    facts.file_type().is_fifo()
}

/// Whether what stands there takes bytes and keeps none: a pipe, a terminal, a device.
#[cfg(unix)]
fn takes_bytes(facts: &Metadata) -> bool {
    use std::os::unix::fs::FileTypeExt;
    facts.file_type().is_char_device() || is_pipe(facts)
}

#[cfg(not(unix))]
fn keeps_bytes(facts: &Metadata) -> bool {
    facts.is_file()
}

#[cfg(not(unix))]
fn takes_bytes(facts: &Metadata) -> bool {
    !facts.is_file()
}
