//! Looking at a database file while no other connection has it open.

use std::{ffi::c_int, ptr};

use rusqlite::{
    Connection,
    ffi::{self, sqlite3_file},
};

use super::{LOCK, READ_PAGE, UNLOCK, control, inner};
use crate::store::PAGE_BYTES;

/// The beginning of a database file, read while no other process has it open.
#[derive(Debug, Default)]
pub(in crate::modules::store) struct FileStart {
    /// Bytes of the entire file.
    pub(in crate::modules::store) bytes: u64,
    /// Its first two pages, as far as they are there.
    pub(in crate::modules::store) pages: Vec<u8>,
}

/// A database file that is locked against all other connections.
///
/// It is read by way of its connection: a second file that is closed would take the lock away
/// (POSIX has one lock of a file for the entire process).
pub(in crate::modules::store) struct LockedFile<'c> {
    connection: &'c Connection,
    pub(in crate::modules::store) start: FileStart,
}

impl LockedFile<'_> {
    /// Reads a page, numbered from 1, as it stands; whether the file has it.
    pub(in crate::modules::store) fn read_page(&self, number: u32, page: &mut [u8]) -> bool {
        let mut asked = PageRead { number, page };
        control(self.connection, READ_PAGE, (&raw mut asked).cast()) == ffi::SQLITE_OK
    }
}

/// A page that is requested with [`READ_PAGE`].
pub(super) struct PageRead<'p> {
    number: u32,
    page: &'p mut [u8],
}

/// Reads a page into its buffer.
pub(super) unsafe fn read_page(file: *mut sqlite3_file, asked: &mut PageRead<'_>) -> c_int {
    let at = (i64::from(asked.number) - 1) * asked.page.len() as i64;
    let buffer = asked.page.as_mut_ptr().cast();
    through!(file, xRead, buffer, asked.page.len() as c_int, at)
}

/// Looks at a file while no other connection has it open, and does something before one can; the
/// code of `SQLite` where that cannot be.
pub(in crate::modules::store) fn alone<T>(
    connection: &Connection,
    work: impl FnOnce(&LockedFile<'_>) -> T,
) -> Result<T, c_int> {
    let mut start = FileStart::default();
    match control(connection, LOCK, (&raw mut start).cast()) {
        ffi::SQLITE_OK => {
            let done = work(&LockedFile { connection, start });
            control(connection, UNLOCK, ptr::null_mut());
            Ok(done)
        }
        code => Err(code),
    }
}

/// Whether the file of a connection is not the one any more that its name means.
pub(in crate::modules::store) fn has_moved(connection: &Connection) -> bool {
    let mut moved: c_int = 0;
    let asked = ffi::SQLITE_FCNTL_HAS_MOVED;
    control(connection, asked, (&raw mut moved).cast()) == ffi::SQLITE_OK && moved != 0
}

/// Locks a file on which its connection has no lock against all others, and reads its beginning.
pub(super) unsafe fn lock_alone(file: *mut sqlite3_file, beginning: &mut FileStart) -> c_int {
    let (shared, exclusive) = (ffi::SQLITE_LOCK_SHARED, ffi::SQLITE_LOCK_EXCLUSIVE);
    let mut done = through!(file, xLock, shared);
    if done == ffi::SQLITE_OK {
        done = through!(file, xLock, exclusive);
    }
    let mut size = 0_i64;
    if done == ffi::SQLITE_OK {
        done = through!(file, xFileSize, &raw mut size);
    }
    if done == ffi::SQLITE_OK {
        beginning.bytes = size.unsigned_abs();
        let wanted = (2 * u64::from(PAGE_BYTES)).min(beginning.bytes);
        beginning.pages.resize(wanted as usize, 0);
        let buffer = beginning.pages.as_mut_ptr().cast();
        done = through!(file, xRead, buffer, wanted as c_int, 0);
    }
    if done != ffi::SQLITE_OK {
        through!(file, xUnlock, ffi::SQLITE_LOCK_NONE);
    }
    done
}
