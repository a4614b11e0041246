//! Putting another file in the place of a database, so that no program loses what it writes and
//! nothing that was there is lost.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use super::{
    Store, StoreError, StoreErrorKind,
    locking::{QueueTicket, queue},
    logs::{LOGS, companion, free_companion},
};
use crate::base::observe::{CancellationToken, Observer};

/// The right to put another file in the place of a database: no program writes it meanwhile, and
/// none reads it, where it can be read at all.
#[derive(Debug)]
pub struct ReplacementLock {
    path: PathBuf,
    /// The database as it was, locked; `None` if there is none or it cannot be read.
    old: Option<Store>,
    _place: Option<QueueTicket>,
}

impl ReplacementLock {
    /// Waits for programs that write the database, and locks it.
    ///
    /// A damaged database can be replaced, a file that is no plydex database cannot.
    ///
    /// # Errors
    ///
    /// [`StoreErrorKind::Foreign`]; [`StoreErrorKind::Busy`] if a program reads it and does not
    /// end; others if the place cannot be written.
    pub fn begin(path: &Path, observer: &dyn Observer) -> Result<Self, StoreError> {
        super::path::file_name(path)?;
        let stop = observer.stop();
        let place = queue(path, &stop, observer)?;
        let is_there = fs::metadata(path).is_ok_and(|file| file.len() > 0);
        let old = if is_there {
            Self::lock(path, &stop)?
        } else {
            None
        };
        Ok(Self {
            path: path.to_path_buf(),
            old,
            _place: place,
        })
    }

    fn lock(path: &Path, stop: &CancellationToken) -> Result<Option<Store>, StoreError> {
        let opened = Store::create_or_open(path, stop).and_then(|store| {
            // Folds a log that a killed program has left, if no program has the file open.
            store.make_plain_alone();
            if store.has_log() {
                return Err(store.error(StoreErrorKind::Busy));
            }
            store.execute("BEGIN EXCLUSIVE")?;
            Ok(store)
        });
        match opened {
            Ok(store) => Ok(Some(store)),
            // What cannot be read is kept as it is, with its logs.
            Err(error) => match error.kind {
                StoreErrorKind::Damaged { .. }
                | StoreErrorKind::TooOld { .. }
                | StoreErrorKind::TooNew { .. }
                | StoreErrorKind::OtherKeys { .. }
                | StoreErrorKind::Sqlite { .. } => Ok(None),
                _ => Err(error),
            },
        }
    }

    /// Gives the old file, and logs that are left beside it, second names under which they stay;
    /// the new name of the file, if there was one.
    ///
    /// # Errors
    ///
    /// Those of the file system. Then everything is as it was.
    pub fn keep_old(&self) -> io::Result<Option<PathBuf>> {
        if fs::metadata(&self.path).is_ok_and(|file| file.len() == 0) || !self.path.exists() {
            return Ok(None);
        }
        let kept = free_companion(&self.path, ".replaced");
        second_name(&self.path, &kept)?;
        for ending in LOGS {
            let log = companion(&self.path, ending);
            if log.symlink_metadata().is_ok() {
                second_name(&log, &companion(&kept, ending))?;
            }
        }
        Ok(Some(kept))
    }

    /// Takes the old logs away from beside the new file; they stay under their second names. Where
    /// that fails, the next program to open the database finds that they are not its own.
    pub fn finish(mut self) {
        // Closes the old file, which is not in this place any more.
        self.old = None;
        for ending in LOGS.into_iter().chain(["-shm"]) {
            let _ = fs::remove_file(companion(&self.path, ending));
        }
    }
}

/// Gives a file a second name; where the file system has no second names, a copy.
fn second_name(file: &Path, name: &Path) -> io::Result<()> {
    match fs::hard_link(file, name) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
            fs::copy(file, name).map(drop)
        }
        done => done,
    }
}
