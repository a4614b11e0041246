//! Folders for what a run needs only while it lasts, or until it has its own name.
//!
//! A run that is killed cannot remove what it has made. So each of these folders has a file
//! that its run holds locked, and a run that makes another one beside it removes those of the same
//! user that no run holds any more.

use std::ffi::OsStr;
use std::fs::{self, File, Metadata, OpenOptions, TryLockError};
use std::io;
use std::path::Path;

use tempfile::{Builder, TempDir};

/// The file that is locked: the first that is in a folder.
const LOCK: &str = ".lock";
/// How the names of folders in the system's folder for temporary files begin.
const DRAFTS: &str = "plydex-draft-";
/// What stands in the names of those that lie elsewhere …
const MARK: &str = "plydex-";
/// … and how they end. Imports of folders pass over what is in them.
pub(crate) const ENDING: &str = ".tmp";
/// How often the folder may vanish before it is locked.
const TRIES: usize = 16;

/// A folder that vanishes when it is dropped, or after its run was killed.
#[derive(Debug)]
pub(crate) struct TemporaryFolder {
    // Dropped first: elsewhere than on Unix what is open cannot be removed.
    _lock: File,
    folder: TempDir,
}

impl TemporaryFolder {
    /// One in the system's folder for temporary files.
    pub(crate) fn for_drafts() -> io::Result<Self> {
        Self::make(&std::env::temp_dir(), DRAFTS.as_ref(), "")
    }

    /// A hidden one in this folder, its name beginning so.
    pub(crate) fn beside(parent: &Path, beginning: &OsStr) -> io::Result<Self> {
        let mut prefix = beginning.to_owned();
        prefix.push(MARK);
        Self::make(parent, &prefix, ENDING)
    }

    fn make(parent: &Path, prefix: &OsStr, suffix: &str) -> io::Result<Self> {
        let mut builder = Builder::new();
        builder.prefix(prefix).suffix(suffix);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            builder.permissions(fs::Permissions::from_mode(0o700));
        }
        for _ in 0..TRIES {
            let folder = builder.tempdir_in(parent)?;
            let path = folder.path().join(LOCK);
            // Until it is locked, another run may take it for one that was left.
            let lock = match OpenOptions::new().write(true).create_new(true).open(&path) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                lock => lock?,
            };
            match lock.try_lock() {
                Err(TryLockError::WouldBlock) => continue,
                // Where there are no locks, nothing is removed either.
                Err(TryLockError::Error(_)) | Ok(()) => {}
            }
            if path.exists() {
                remove_left(parent, &fs::metadata(folder.path())?);
                return Ok(Self {
                    _lock: lock,
                    folder,
                });
            }
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }

    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }
}

/// Removes the folders that killed runs have left, if they belong to who owns this one. What
/// cannot be removed stays.
fn remove_left(parent: &Path, own: &Metadata) {
    let Ok(entries) = fs::read_dir(parent) else {
        return;
    };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let is_left = name.to_str().is_some_and(is_temporary)
            // Links are not followed.
            && entry.metadata().is_ok_and(|facts| facts.is_dir() && has_same_owner(&facts, own));
        if is_left {
            let _ = remove_unless_held(&entry.path());
        }
    }
}

/// Whether a name is one of those that are given here.
fn is_temporary(name: &str) -> bool {
    name.starts_with(DRAFTS)
        || name.starts_with('.') && name.contains(MARK) && name.ends_with(ENDING)
}

fn remove_unless_held(folder: &Path) -> io::Result<()> {
    // An empty one has no lock yet. If its run is alive, it makes another folder.
    if fs::remove_dir(folder).is_ok() {
        return Ok(());
    }
    // What is not empty has a lock, as long as it is not being removed.
    match File::open(folder.join(LOCK)) {
        Ok(lock) => {
            lock.try_lock()?;
            fs::remove_dir_all(folder)
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => fs::remove_dir_all(folder),
        Err(error) => Err(error),
    }
}

#[cfg(unix)]
fn has_same_owner(a: &Metadata, b: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    a.uid() == b.uid()
}

#[cfg(not(unix))]
fn has_same_owner(_: &Metadata, _: &Metadata) -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_no_run_holds_goes_with_the_next() -> Result<(), Box<dyn std::error::Error>> {
        let parent = tempfile::tempdir()?;
        let make = || TemporaryFolder::beside(parent.path(), OsStr::new(".a.pgn."));
        let held = make()?;
        fs::write(held.path().join("draft.db"), "")?;
        // As kills leave them: in use, being removed, and being made.
        let [used, removed, made] = [".b.plydex-1.tmp", ".plydex-2.tmp", "plydex-draft-3"];
        for (name, files) in [
            (used, &[LOCK, "draft.db"][..]),
            (removed, &["draft.db"]),
            (made, &[]),
        ] {
            let folder = parent.path().join(name);
            fs::create_dir(&folder)?;
            for file in files {
                fs::write(folder.join(file), "")?;
            }
        }
        // Those of others.
        for name in ["plydex-2", ".plydex-2", "a.plydex-2.tmp", ".b.tmp"] {
            fs::create_dir(parent.path().join(name))?;
        }
        fs::write(parent.path().join(".c.plydex-1.tmp"), "a file")?;
        let other = make()?;
        for name in [used, removed, made] {
            assert!(!parent.path().join(name).exists(), "{name}");
        }
        assert!(held.path().join("draft.db").exists() && other.path().exists());
        assert_eq!(parent.path().read_dir()?.count(), 7);
        drop((held, other));
        assert_eq!(parent.path().read_dir()?.count(), 5);
        Ok(())
    }

    /// Runs that begin at once do not take each other's folders.
    #[test]
    fn many_runs_have_their_folders() {
        let parent = tempfile::tempdir().expect("a folder");
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..100 {
                        let folder = TemporaryFolder::beside(parent.path(), OsStr::new(".a."));
                        let folder = folder.expect("a folder");
                        let draft = folder.path().join("draft.db");
                        fs::write(&draft, "").expect("a file");
                        assert!(draft.exists());
                    }
                });
            }
        });
        let left = parent.path().read_dir().expect("a folder").count();
        assert_eq!(left, 0);
    }
}
