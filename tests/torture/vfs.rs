//! A file layer of SQLite that asks the [`Disk`](super::disk::Disk) before it lets the
//! usual one do its work. It is the default of this process; files that are on no disk
//! go straight through.
//!
//! SQLite's file layer is a table of C functions, hence `unsafe`. What it rests on:
//! SQLite hands back the files that `open` has filled, each with room for a [`File`] and
//! behind it for a file of the usual layer (`szOsFile`), none after `close`, and buffers
//! as long as it says.

use std::{
    ffi::{CStr, OsStr, c_char, c_int, c_void},
    mem::size_of,
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
    ptr,
    sync::{
        Arc, Once,
        atomic::{AtomicPtr, Ordering},
    },
};

use rusqlite::ffi::{self, sqlite3_file, sqlite3_io_methods, sqlite3_vfs};

use super::disk::{self, Disk, Op, Verdict};

/// The usual file layer.
static USUAL: AtomicPtr<sqlite3_vfs> = AtomicPtr::new(ptr::null_mut());

/// An open file; that of the usual layer stands behind it.
#[repr(C)]
struct File {
    base: sqlite3_file,
    watched: *mut Watched,
}

/// What is known of a file on a disk.
struct Watched {
    disk: Arc<Disk>,
    path: PathBuf,
    content: usize,
}

/// Makes it the default.
pub(crate) fn install() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| unsafe {
        let usual = ffi::sqlite3_vfs_find(ptr::null());
        assert!(!usual.is_null(), "SQLite has a file layer");
        USUAL.store(usual, Ordering::SeqCst);
        // The functions that are not replaced take all they need from these fields.
        let mut own = *usual;
        own.zName = c"torture".as_ptr();
        own.szOsFile += size_of::<File>() as c_int;
        own.xOpen = Some(open);
        own.xDelete = Some(delete);
        let registered = ffi::sqlite3_vfs_register(Box::leak(Box::new(own)), 1);
        assert_eq!(registered, ffi::SQLITE_OK);
    });
}

static METHODS: sqlite3_io_methods = sqlite3_io_methods {
    // Without mapped pages, which could not be watched.
    iVersion: 2,
    xClose: Some(close),
    xRead: Some(read),
    xWrite: Some(write),
    xTruncate: Some(truncate),
    xSync: Some(sync),
    xFileSize: Some(file_size),
    xLock: Some(lock),
    xUnlock: Some(unlock),
    xCheckReservedLock: Some(check_reserved_lock),
    xFileControl: Some(file_control),
    xSectorSize: Some(sector_size),
    xDeviceCharacteristics: Some(device_characteristics),
    xShmMap: Some(shm_map),
    xShmLock: Some(shm_lock),
    xShmBarrier: Some(shm_barrier),
    xShmUnmap: Some(shm_unmap),
    xFetch: None,
    xUnfetch: None,
};

/// The usual layer's file behind ours.
unsafe fn inner(file: *mut sqlite3_file) -> *mut sqlite3_file {
    unsafe { file.cast::<u8>().add(size_of::<File>()).cast() }
}

/// Calls the usual layer's method.
macro_rules! through {
    ($file:expr, $method:ident $(, $argument:expr)*) => {{
        let inner = inner($file);
        match (*(*inner).pMethods).$method {
            Some(method) => method(inner $(, $argument)*),
            None => ffi::SQLITE_IOERR,
        }
    }};
}

unsafe fn watched<'f>(file: *mut sqlite3_file) -> Option<&'f Watched> {
    unsafe { (*file.cast::<File>()).watched.as_ref() }
}

unsafe fn ask(file: *mut sqlite3_file, op: Op) -> Verdict {
    unsafe { watched(file) }.map_or(Verdict::Go, |watched| watched.disk.ask(op))
}

unsafe fn path_of<'n>(name: *const c_char) -> Option<&'n Path> {
    if name.is_null() {
        return None;
    }
    let name = unsafe { CStr::from_ptr(name) };
    Some(Path::new(OsStr::from_bytes(name.to_bytes())))
}

unsafe extern "C" fn open(
    _: *mut sqlite3_vfs,
    name: *const c_char,
    file: *mut sqlite3_file,
    flags: c_int,
    out_flags: *mut c_int,
) -> c_int {
    unsafe {
        let own = file.cast::<File>();
        (*own).base.pMethods = ptr::null();
        (*own).watched = ptr::null_mut();
        let on_disk = path_of(name).and_then(|path| Some((path, disk::of(path)?)));
        if let Some((_, disk)) = &on_disk
            && disk.ask(Op::Open) != Verdict::Go
        {
            return ffi::SQLITE_CANTOPEN;
        }
        let usual = USUAL.load(Ordering::SeqCst);
        let Some(usual_open) = (*usual).xOpen else {
            return ffi::SQLITE_CANTOPEN;
        };
        let opened = usual_open(usual, name, inner(file), flags, out_flags);
        if opened != ffi::SQLITE_OK {
            return opened;
        }
        if let Some((path, disk)) = on_disk {
            let content = disk.opened(path);
            let path = path.to_path_buf();
            (*own).watched = Box::into_raw(Box::new(Watched {
                disk,
                path,
                content,
            }));
        }
        (*own).base.pMethods = &raw const METHODS;
        ffi::SQLITE_OK
    }
}

unsafe extern "C" fn delete(_: *mut sqlite3_vfs, name: *const c_char, sync_folder: c_int) -> c_int {
    unsafe {
        let on_disk = path_of(name).and_then(|path| Some((path, disk::of(path)?)));
        if let Some((path, disk)) = &on_disk {
            let verdict = disk.ask(Op::Delete);
            if verdict == Verdict::Lost {
                disk.deleted(path, false);
            }
            if verdict != Verdict::Go {
                return ffi::SQLITE_IOERR_DELETE;
            }
        }
        let usual = USUAL.load(Ordering::SeqCst);
        let Some(usual_delete) = (*usual).xDelete else {
            return ffi::SQLITE_IOERR_DELETE;
        };
        let deleted = usual_delete(usual, name, sync_folder);
        if let Some((path, disk)) = on_disk
            && deleted == ffi::SQLITE_OK
        {
            disk.deleted(path, sync_folder != 0);
        }
        deleted
    }
}

unsafe extern "C" fn close(file: *mut sqlite3_file) -> c_int {
    unsafe {
        let own = file.cast::<File>();
        if !(*own).watched.is_null() {
            drop(Box::from_raw((*own).watched));
            (*own).watched = ptr::null_mut();
        }
        through!(file, xClose)
    }
}

unsafe extern "C" fn read(
    file: *mut sqlite3_file,
    buffer: *mut c_void,
    amount: c_int,
    at: i64,
) -> c_int {
    unsafe {
        match ask(file, Op::Read) {
            Verdict::Go => through!(file, xRead, buffer, amount, at),
            _ => ffi::SQLITE_IOERR_READ,
        }
    }
}

unsafe extern "C" fn write(
    file: *mut sqlite3_file,
    bytes: *const c_void,
    amount: c_int,
    at: i64,
) -> c_int {
    unsafe {
        let note = |amount: c_int| {
            if let Some(watched) = watched(file) {
                let bytes = std::slice::from_raw_parts(bytes.cast(), amount as usize);
                watched.disk.wrote(watched.content, at as usize, bytes);
            }
        };
        match ask(file, Op::Write) {
            Verdict::Go => {
                let written = through!(file, xWrite, bytes, amount, at);
                if written == ffi::SQLITE_OK {
                    note(amount);
                }
                written
            }
            Verdict::Half => {
                let written = through!(file, xWrite, bytes, amount / 2, at);
                if written == ffi::SQLITE_OK {
                    note(amount / 2);
                }
                ffi::SQLITE_IOERR_WRITE
            }
            Verdict::Lost => {
                note(amount);
                ffi::SQLITE_IOERR_WRITE
            }
            Verdict::Full => ffi::SQLITE_FULL,
            Verdict::Fail => ffi::SQLITE_IOERR_WRITE,
        }
    }
}

unsafe extern "C" fn truncate(file: *mut sqlite3_file, size: i64) -> c_int {
    unsafe {
        let verdict = ask(file, Op::Truncate);
        let truncated = match verdict {
            Verdict::Go => through!(file, xTruncate, size),
            _ => ffi::SQLITE_IOERR_TRUNCATE,
        };
        if let Some(watched) = watched(file)
            && (truncated == ffi::SQLITE_OK || verdict == Verdict::Lost)
        {
            watched.disk.truncated(watched.content, size as usize);
        }
        truncated
    }
}

unsafe extern "C" fn sync(file: *mut sqlite3_file, flags: c_int) -> c_int {
    unsafe {
        let verdict = ask(file, Op::Sync);
        let synced = match verdict {
            Verdict::Go => through!(file, xSync, flags),
            _ => ffi::SQLITE_IOERR_FSYNC,
        };
        if let Some(watched) = watched(file) {
            match verdict {
                Verdict::Go => watched.disk.synced(&watched.path, watched.content),
                Verdict::Fail => watched.disk.sync_failed(watched.content),
                _ => {}
            }
        }
        synced
    }
}

unsafe extern "C" fn file_size(file: *mut sqlite3_file, size: *mut i64) -> c_int {
    unsafe {
        match ask(file, Op::Size) {
            Verdict::Go => through!(file, xFileSize, size),
            _ => ffi::SQLITE_IOERR_FSTAT,
        }
    }
}

unsafe extern "C" fn lock(file: *mut sqlite3_file, level: c_int) -> c_int {
    unsafe {
        match ask(file, Op::Lock) {
            Verdict::Go => through!(file, xLock, level),
            _ => ffi::SQLITE_IOERR_LOCK,
        }
    }
}

unsafe extern "C" fn unlock(file: *mut sqlite3_file, level: c_int) -> c_int {
    unsafe { through!(file, xUnlock, level) }
}

unsafe extern "C" fn check_reserved_lock(file: *mut sqlite3_file, is_held: *mut c_int) -> c_int {
    unsafe { through!(file, xCheckReservedLock, is_held) }
}

unsafe extern "C" fn file_control(
    file: *mut sqlite3_file,
    what: c_int,
    argument: *mut c_void,
) -> c_int {
    unsafe { through!(file, xFileControl, what, argument) }
}

unsafe extern "C" fn sector_size(file: *mut sqlite3_file) -> c_int {
    unsafe { through!(file, xSectorSize) }
}

unsafe extern "C" fn device_characteristics(file: *mut sqlite3_file) -> c_int {
    unsafe { through!(file, xDeviceCharacteristics) }
}

unsafe extern "C" fn shm_map(
    file: *mut sqlite3_file,
    region: c_int,
    size: c_int,
    extend: c_int,
    mapped: *mut *mut c_void,
) -> c_int {
    unsafe {
        match ask(file, Op::Share) {
            Verdict::Go => through!(file, xShmMap, region, size, extend, mapped),
            _ => ffi::SQLITE_IOERR_SHMMAP,
        }
    }
}

unsafe extern "C" fn shm_lock(
    file: *mut sqlite3_file,
    offset: c_int,
    count: c_int,
    flags: c_int,
) -> c_int {
    unsafe { through!(file, xShmLock, offset, count, flags) }
}

unsafe extern "C" fn shm_barrier(file: *mut sqlite3_file) {
    unsafe {
        let inner = inner(file);
        if let Some(barrier) = (*(*inner).pMethods).xShmBarrier {
            barrier(inner);
        }
    }
}

unsafe extern "C" fn shm_unmap(file: *mut sqlite3_file, delete: c_int) -> c_int {
    unsafe { through!(file, xShmUnmap, delete) }
}
