//! A copy of the database while others read and write it.

use std::ops::ControlFlow;
use std::path::Path;
use std::time::Duration;

use rusqlite::backup::{Backup, StepResult};
use rusqlite::{Connection, OpenFlags};

use super::{Store, StoreError, checksum_vfs, path, statements as sql};
use crate::base::observe::{Event, Observer};

/// Pages that are copied before the user may stop it: some megabytes.
const STEP_PAGES: i32 = 512;
/// How long to wait before a step that was kept from the database is tried again.
const TRY_AGAIN: Duration = Duration::from_millis(50);

impl Store {
    /// Copies the database into an empty file: one state of it, even if others write
    /// meanwhile, as a single file that needs no other beside it. Whether it was
    /// copied to the end or the observer broke it off.
    ///
    /// # Errors
    ///
    /// [`StoreError`] of this database or, with its name, of the copy.
    pub fn back_up(
        &self,
        to: &Path,
        observer: &dyn Observer,
    ) -> Result<ControlFlow<()>, StoreError> {
        let failed = |source| StoreError::sqlite(to, source);
        let name = path::file_name(to)?;
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
            | OpenFlags::SQLITE_OPEN_CREATE
            | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let open = || Connection::open_with_flags_and_vfs(&name, flags, checksum_vfs::layer());
        let mut copy = open().map_err(failed)?;
        // It is a database of its own from now on: a log of this one never fits it.
        let number = self.random_number()?;
        checksum_vfs::sum_all(&copy, number);
        // What a crash leaves of it is of no use; the caller that requested it makes it durable.
        for (name, value) in [("journal_mode", "OFF"), ("synchronous", "OFF")] {
            copy.pragma_update(None, name, value).map_err(failed)?;
        }
        checksum_vfs::take_empty(&self.connection, true);
        let copied = self.copy_pages(&mut copy, observer);
        checksum_vfs::take_empty(&self.connection, false);
        if copied?.is_break() {
            return Ok(ControlFlow::Break(()));
        }
        copy.execute(sql::RENUMBER, [number.cast_signed()])
            .map_err(failed)?;
        drop(copy);
        // The copy says of itself that it has a write-ahead log if this database has
        // one; a file in a folder that cannot be written must not. A connection that
        // finds it said takes it back.
        let copy = open().map_err(failed)?;
        copy.pragma_update(None, "journal_mode", "DELETE")
            .map_err(failed)?;
        copy.close().map_err(|(_, source)| failed(source))?;
        Ok(ControlFlow::Continue(()))
    }

    fn copy_pages(
        &self,
        copy: &mut Connection,
        observer: &dyn Observer,
    ) -> Result<ControlFlow<()>, StoreError> {
        let failed = |source| self.failed(source);
        let stop = observer.stop();
        let backup = Backup::new(&self.connection, copy).map_err(failed)?;
        let mut copied = 0;
        loop {
            let step = backup.step(STEP_PAGES).map_err(failed)?;
            let progress = backup.progress();
            let (pages, done) = (
                u64::try_from(progress.pagecount).unwrap_or(0),
                u64::try_from(progress.pagecount - progress.remaining).unwrap_or(0),
            );
            if copied == 0 {
                let phase = Event::Phase {
                    name: "copying",
                    steps: Some(pages),
                };
                let _ = observer.on(phase);
            }
            let told = observer.on(Event::Steps {
                steps: done.saturating_sub(copied),
            });
            copied = done;
            match step {
                StepResult::Done => return Ok(ControlFlow::Continue(())),
                _ if told.is_break() || stop.is_cancelled() => return Ok(ControlFlow::Break(())),
                StepResult::More => {}
                _ => std::thread::sleep(TRY_AGAIN),
            }
        }
    }
}
