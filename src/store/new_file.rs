//! The file of a database that is begun: it goes again if nothing comes of it.

use std::{
    fs::{self, Metadata, OpenOptions},
    path::{Path, PathBuf},
};

use super::{
    Store, StoreError, StoreErrorKind,
    locking::{QueueTicket, lock_path},
};
use crate::base::observe::CancellationToken;

/// A file that this program has made for a new database.
#[derive(Debug)]
pub struct NewFile {
    path: PathBuf,
    /// Of the file itself. It is closed: closing it later would take the locks of `SQLite` away.
    facts: Metadata,
}

impl NewFile {
    /// Makes an empty file, which [`Store::create_or_open`] then takes for a new database.
    /// `None` if something has the name, or no file can be made: that function says why.
    pub fn make(path: &Path) -> Option<Self> {
        super::path::file_name(path).ok()?;
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        {
            use std::os::unix::fs::OpenOptionsExt;
            // As SQLite makes it.
            options.mode(0o644);
        }
        let facts = options.open(path).ok()?.metadata().ok()?;
        Some(Self {
            path: path.to_path_buf(),
            facts,
        })
    }

    /// Removes the file and what stands beside it, unless it has a game, or another program is
    /// writing it. Every [`Store`] of this program that has it open must be closed.
    pub fn discard(self) {
        // The next process finds no file, or waits until it is gone.
        // Where there can be no lock file, for the name is too long, no other comes.
        let _place = match QueueTicket::take(&lock_path(&self.path)) {
            Ok(None) => return,
            place => place.ok().flatten(),
        };
        if !self.is_still_there() || !self.is_blank() {
            return;
        }
        for ending in ["", "-journal", "-wal", "-shm"] {
            let mut name = self.path.as_os_str().to_owned();
            name.push(ending);
            let _ = fs::remove_file(name);
        }
    }

    /// Whether its name still means the file that was made.
    fn is_still_there(&self) -> bool {
        let Ok(facts) = fs::symlink_metadata(&self.path) else {
            return false;
        };
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt;
            (facts.dev(), facts.ino()) == (self.facts.dev(), self.facts.ino())
        }
        #[cfg(not(unix))]
        {
            facts.created().ok() == self.facts.created().ok()
        }
    }

    /// Whether no game is stored in it.
    fn is_blank(&self) -> bool {
        // The user who requested the end wants this to be done.
        let asked = Store::ask(&self.path, &CancellationToken::default(), Store::last_game);
        match asked {
            Ok(last) => last == 0,
            Err(StoreError { kind, .. }) => matches!(kind, StoreErrorKind::Empty),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::observe::NullObserver;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).expect("a folder");
        let name = |entry: std::io::Result<fs::DirEntry>| entry.expect("an entry").file_name();
        let names = entries.map(|entry| name(entry).to_string_lossy().into_owned());
        names.collect()
    }

    #[test]
    fn a_file_of_which_nothing_came_goes() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("new.db");
        let new = NewFile::make(&path).expect("a file");
        assert!(NewFile::make(&path).is_none(), "it was there before");
        new.discard();
        assert_eq!(names(folder.path()), Vec::<String>::new());
        let new = NewFile::make(&path).expect("a file");
        let store =
            Store::create_or_open(&path, &CancellationToken::default()).expect("a database");
        drop(
            store
                .write_alone(&NullObserver)
                .expect("the right to write"),
        );
        drop(store);
        new.discard();
        assert_eq!(names(folder.path()), Vec::<String>::new());
    }

    #[test]
    fn a_file_that_others_use_stays() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("new.db");
        let new = NewFile::make(&path).expect("a file");
        let store =
            Store::create_or_open(&path, &CancellationToken::default()).expect("a database");
        let writing = store
            .write_alone(&NullObserver)
            .expect("the right to write");
        new.discard();
        assert!(path.exists(), "another one is writing it");
        drop(writing);
        drop(store);
        fs::remove_file(&path).expect("a file");
        // Another file of that name.
        let new = NewFile::make(&path).expect("a file");
        let moved = folder.path().join("moved.db");
        fs::rename(&path, &moved).expect("a file");
        fs::write(&path, "").expect("a file");
        new.discard();
        assert_eq!(names(folder.path()).len(), 2);
    }

    /// A writer that waited for another one that gave up has a file without a name.
    #[test]
    fn who_waited_for_a_file_that_is_gone_writes_nothing() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("new.db");
        let new = NewFile::make(&path).expect("a file");
        let other =
            Store::create_or_open(&path, &CancellationToken::default()).expect("a database");
        new.discard();
        assert_eq!(names(folder.path()), Vec::<String>::new());
        let error = other.write_alone(&NullObserver).expect_err("it is gone");
        assert!(matches!(error.kind, StoreErrorKind::Replaced), "{error}");
    }
}
