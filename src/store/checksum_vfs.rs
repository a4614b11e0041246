//! A checksum in every page of a database: a file layer of `SQLite` that writes it with the
//! page and compares it whenever a page is read.
//!
//! A page has it in its last eight bytes, which `SQLite` leaves to a program on request
//! (byte 20 of the file says how many); so any `SQLite` reads the file. The number of the database
//! seeds each sum, so that a page of another database is as wrong as a damaged one. The first page
//! has the number in bytes of the header that `SQLite` does not use; this layer writes it there
//! with each first page, for `VACUUM` makes one without. Only the database itself goes
//! through here: journals and logs, which have sums of their own, go to the usual layer
//! (`logs.rs` determines whether they belong to it).
//!
//! `SQLite`'s file layer is a table of C functions, hence `unsafe`. What it rests on: `SQLite`
//! hands back the files that [`open()`] has filled, each with room for a [`ChecksumFile`] and after
//! it for a file of the usual layer (`szOsFile`), none after [`close`]; buffers are as long as it
//! says; and a page that is written lies in memory of its own, which may be changed.
#![expect(unsafe_code, reason = "SQLite's file layer is a table of C functions")]

use std::{
    cell::Cell,
    collections::BTreeMap,
    ffi::{CStr, c_char, c_int, c_void},
    mem::size_of,
    ptr,
    sync::OnceLock,
};

use rusqlite::{
    Connection, MAIN_DB,
    ffi::{self, sqlite3_file, sqlite3_io_methods, sqlite3_vfs},
};
use twox_hash::XxHash3_64;

/// Bytes at the end of each page that have its checksum.
pub(in crate::modules::store) const SUM_BYTES: usize = 8;
/// Bytes at the beginning of a database that say what it is.
pub(super) const HEADER_BYTES: usize = 100;
/// Where the header has the number of the database: `SQLite` reserves these bytes and reads none.
pub(in crate::modules::store) const NUMBER_AT: usize = 72;
/// What the layer is called.
const NAME: &CStr = c"plydex";

/// Asks a file to write sums for a database of that number, a `u64`, whatever its first page says,
/// which may come later than others.
const SUM_ALL: c_int = 0x706c_7901;
/// Asks a file to read pages as they are.
const TRUST_ALL: c_int = 0x706c_7903;
/// Asks a file to read pages that were [lent](replacement_pages) instead of its own.
const LEND: c_int = 0x706c_7904;
/// Asks a file for the counter of its changes and the number of its pages: eight bytes.
const COUNTER: c_int = 0x706c_7905;
/// Asks a file which pages are not as they were written: a [`PageScan`].
const SURVEY: c_int = 0x706c_7902;
/// Says to a file whether its readers may meet empty pages without a sum: a `bool`.
const TAKE_EMPTY: c_int = 0x706c_7906;
/// Locks a file against all others and reads its beginning: a [`FileStart`].
const LOCK: c_int = 0x706c_7907;
/// Gives that lock up.
const UNLOCK: c_int = 0x706c_7908;
/// Reads a page as it stands: a [`PageRead`].
const READ_PAGE: c_int = 0x706c_7909;

/// The usual file layer, and ours.
struct ChecksumVfs {
    usual: *mut sqlite3_vfs,
}

// SAFETY: the pointer is only ever handed to SQLite, whose file layers serve all threads.
unsafe impl Send for ChecksumVfs {}
// SAFETY: as above.
unsafe impl Sync for ChecksumVfs {}

static LAYERS: OnceLock<Option<ChecksumVfs>> = OnceLock::new();

/// Pages of a database that has just been made, by their numbers, for files that have lost theirs.
static LENT_PAGES: OnceLock<BTreeMap<u32, Vec<u8>>> = OnceLock::new();

thread_local! {
    /// The last page that was not as it was written: SQLite has a code for it, and no place.
    static BAD_PAGE: Cell<Option<u32>> = const { Cell::new(None) };
}

/// The page that made the last reading on this thread fail.
pub(super) fn take_bad_page() -> Option<u32> {
    BAD_PAGE.take()
}

/// An open database; the file of the usual layer stands after it.
#[repr(C)]
struct ChecksumFile {
    base: sqlite3_file,
    /// Whether its pages are compared with their sums.
    is_summed: bool,
    /// Whether there is room for sums in pages that are written.
    has_room: bool,
    /// Whether they have, whatever its first page says.
    is_forced: bool,
    /// Whether they are read as they are.
    is_trusted: bool,
    /// Whether those are read that were lent.
    is_lent: bool,
    /// Whether a page that is empty and has no sum is taken for one that was never written.
    takes_empty: bool,
    /// Pages that were read before they are requested.
    ahead: ReadAhead,
    /// The number of the database, which seeds the sums; 0 as long as it is not known.
    number: u64,
}

impl ChecksumFile {
    /// The pages that are read instead of its own.
    fn lent(&self) -> Option<&'static BTreeMap<u32, Vec<u8>>> {
        LENT_PAGES.get().filter(|_| self.is_lent && self.is_trusted)
    }
}

/// The checksum of a page of a database, and where it stands.
fn sum_of(page: &[u8], number: u32, database: u64) -> (u64, usize) {
    let end = page.len() - SUM_BYTES;
    // Spread over all bits, so that two databases do not share a seed at neighbouring pages.
    let seed = database ^ u64::from(number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (XxHash3_64::oneshot_with_seed(seed, &page[..end]), end)
}

/// Whether a page is as it was written into a database.
pub(in crate::modules::store) fn is_as_written(page: &[u8], number: u32, database: u64) -> bool {
    let (sum, at) = sum_of(page, number, database);
    page[at..] == sum.to_le_bytes()
}

/// Whether a page may be one that was never written: the file has grown past it, and nothing is in
/// it. Only a writer reads such pages, of what it has allocated and given up, and a program that
/// copies a file page by page; for a query, such a page has lost what was in it.
fn is_empty(page: &[u8], number: u32) -> bool {
    number > 1 && page.iter().all(|&byte| byte == 0)
}

/// The number of the page that `bytes` bytes at some place are, if they are a page.
fn page_number(bytes: usize, at: i64) -> Option<u32> {
    let at = usize::try_from(at).ok()?;
    let is_page = bytes >= 512 && bytes.is_power_of_two() && at.is_multiple_of(bytes);
    is_page.then(|| u32::try_from(at / bytes + 1).ok())?
}

/// The name of `SQLite`'s file layer that compares pages with their checksums and writes
/// them; it is registered at the first call. A program that opens a database without it, to write
/// to it, leaves pages whose checksums are wrong.
pub fn layer() -> &'static CStr {
    let layers = LAYERS.get_or_init(|| {
        // SQLite would count all bytes that it has, which takes a lock of all threads whenever it
        // asks for some; only a limit of them needs the count.
        let counts = c_int::from(super::sql::counts_memory());
        // SAFETY: the first word says what the second is. No thread may be in SQLite meanwhile: the
        // program opens nothing before it asks for this layer, and once SQLite is at work, as for
        // tests that have opened databases without it, it looks no further and refuses.
        unsafe { ffi::sqlite3_config(ffi::SQLITE_CONFIG_MEMSTATUS, counts) };
        // SAFETY: a null name asks for the default layer, which lives as long as the process.
        let usual = unsafe { ffi::sqlite3_vfs_find(ptr::null()) };
        if usual.is_null() {
            return None;
        }
        // SAFETY: not null, so it points to the layer, which is never changed any more. The
        // functions that are not replaced take all they need from these fields.
        let mut own = unsafe { *usual };
        own.zName = NAME.as_ptr();
        own.pNext = ptr::null_mut();
        own.szOsFile += size_of::<ChecksumFile>() as c_int;
        own.xOpen = Some(open);
        // SAFETY: the layer is leaked, so it outlives all connections.
        let registered = unsafe { ffi::sqlite3_vfs_register(Box::leak(Box::new(own)), 0) };
        (registered == ffi::SQLITE_OK).then_some(ChecksumVfs { usual })
    });
    // Without it SQLite says that it has no such layer.
    debug_assert!(layers.is_some(), "a file layer can be registered");
    NAME
}

/// Asks something of the file of a connection; whether it answers.
fn control(connection: &Connection, what: c_int, argument: *mut c_void) -> c_int {
    // SAFETY: the connection is open, and each caller passes the argument that its request takes.
    unsafe { ffi::sqlite3_file_control(connection.handle(), MAIN_DB.as_ptr(), what, argument) }
}

/// Leaves room for sums in all pages that will be written, once the file is made or written
/// again.
pub(super) fn make_room(connection: &Connection) {
    let mut bytes = SUM_BYTES as c_int;
    control(
        connection,
        ffi::SQLITE_FCNTL_RESERVE_BYTES,
        (&raw mut bytes).cast(),
    );
}

/// Writes sums for a database of that number from now on: the first page, which says that there
/// are any, may come last.
pub(super) fn sum_all(connection: &Connection, mut number: u64) {
    control(connection, SUM_ALL, (&raw mut number).cast());
}

/// Reads pages as they are, from the beginning on.
pub(super) fn skip_checksums(connection: &Connection) {
    control(connection, TRUST_ALL, ptr::null_mut());
}

/// Reads these pages, the first and others, in a file that has lost its own: those of a database
/// which was just made say where the same tables are in the same places.
pub(super) fn replacement_pages(connection: &Connection, mut pages: BTreeMap<u32, Vec<u8>>) {
    if let Some(first) = pages.get_mut(&1) {
        // Otherwise the number of pages that it names would count, not the size of the file.
        first[24] = !first[92];
    }
    LENT_PAGES.get_or_init(|| pages);
    control(connection, LEND, ptr::null_mut());
}

/// The counter of changes and the number of pages that the file's first page has, big endian both:
/// as long as it has no log and no process may write it, they distinguish one state from another.
pub(super) fn counter(connection: &Connection) -> Option<[u8; 8]> {
    let mut counter = [0_u8; 8];
    let answer = control(connection, COUNTER, counter.as_mut_ptr().cast());
    (answer == ffi::SQLITE_OK).then_some(counter)
}

/// Says whether empty pages without a sum are read as such; without it they are.
pub(super) fn take_empty(connection: &Connection, mut takes: bool) {
    control(connection, TAKE_EMPTY, (&raw mut takes).cast());
}

const METHODS: sqlite3_io_methods = sqlite3_io_methods {
    // Without mapped pages, which would not be compared.
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

static WITH_SHARED_MEMORY: sqlite3_io_methods = METHODS;
static WITHOUT: sqlite3_io_methods = sqlite3_io_methods {
    iVersion: 1,
    ..METHODS
};

/// The usual layer's file after ours.
unsafe fn inner(file: *mut sqlite3_file) -> *mut sqlite3_file {
    // SAFETY: each file that SQLite hands us has room for both.
    unsafe { file.cast::<ChecksumFile>().add(1).cast() }
}

/// Calls the usual layer's method.
macro_rules! through {
    ($file:expr, $method:ident $(, $argument:expr)*) => {{
        // SAFETY: the file is open, so the one after it is, with its methods, which take
        // what SQLite has given us for them.
        unsafe {
            let inner = inner($file);
            match (*(*inner).pMethods).$method {
                Some(method) => method(inner $(, $argument)*),
                None => ffi::SQLITE_IOERR,
            }
        }
    }};
}

/// Methods after which pages may not be as they were read: they forget what was read ahead, and
/// call the usual layer's.
macro_rules! handed_through_afresh {
    ($($name:ident, $method:ident ($($argument:ident: $type:ty),*);)*) => {$(
        unsafe extern "C" fn $name(file: *mut sqlite3_file $(, $argument: $type)*) -> c_int {
            // SAFETY: as in `look`.
            unsafe { (*file.cast::<ChecksumFile>()).ahead.forget() };
            through!(file, $method $(, $argument)*)
        }
    )*};
}

mod exclusive;
mod header;
mod read_ahead;
mod scan;

pub(super) use exclusive::{FileStart, LockedFile, alone, has_moved};
use exclusive::{PageRead, lock_alone, read_page};
pub(super) use header::{application_id, number_in, schema};
use header::{has_room, has_sums, number_by_sums, page_bytes, repair_header};
use read_ahead::ReadAhead;
pub(super) use scan::bad_pages;
use scan::{PageScan, survey};

/// Methods that do nothing but call the usual layer's.
macro_rules! handed_through {
    ($($name:ident, $method:ident ($($argument:ident: $type:ty),*);)*) => {$(
        unsafe extern "C" fn $name(file: *mut sqlite3_file $(, $argument: $type)*) -> c_int {
            through!(file, $method $(, $argument)*)
        }
    )*};
}

handed_through_afresh! {
    truncate, xTruncate(size: i64);
    lock, xLock(level: c_int);
    unlock, xUnlock(level: c_int);
    shm_lock, xShmLock(offset: c_int, count: c_int, flags: c_int);
}

handed_through! {
    sync, xSync(flags: c_int);
    check_reserved_lock, xCheckReservedLock(is_held: *mut c_int);
    sector_size, xSectorSize();
    shm_map, xShmMap(region: c_int, size: c_int, extend: c_int, mapped: *mut *mut c_void);
    shm_unmap, xShmUnmap(delete: c_int);
}

unsafe extern "C" fn close(file: *mut sqlite3_file) -> c_int {
    // SAFETY: as in `look`; it is not read any more.
    unsafe { (*file.cast::<ChecksumFile>()).ahead = ReadAhead::default() };
    through!(file, xClose)
}

/// The size of the file; one with pages that were lent is as large as these need.
unsafe extern "C" fn file_size(file: *mut sqlite3_file, size: *mut i64) -> c_int {
    let done = through!(file, xFileSize, size);
    // SAFETY: as in `look`.
    let lent = unsafe { (*file.cast::<ChecksumFile>()).lent() };
    if let Some((number, page)) = lent.and_then(BTreeMap::last_key_value)
        && done == ffi::SQLITE_OK
    {
        let least = i64::from(*number) * page.len() as i64;
        // SAFETY: SQLite hands room for the size, which has just been filled.
        unsafe { *size = (*size).max(least) };
    }
    done
}

unsafe extern "C" fn shm_barrier(file: *mut sqlite3_file) {
    // SAFETY: as in `through`.
    unsafe {
        let inner = inner(file);
        if let Some(barrier) = (*(*inner).pMethods).xShmBarrier {
            barrier(inner);
        }
    }
}

unsafe extern "C" fn device_characteristics(file: *mut sqlite3_file) -> c_int {
    // Parts of pages could not be compared.
    through!(file, xDeviceCharacteristics) & !ffi::SQLITE_IOCAP_SUBPAGE_READ
}

unsafe extern "C" fn open(
    _: *mut sqlite3_vfs,
    name: *const c_char,
    file: *mut sqlite3_file,
    flags: c_int,
    out_flags: *mut c_int,
) -> c_int {
    let Some(ChecksumVfs { usual }) = LAYERS.get().and_then(Option::as_ref) else {
        return ffi::SQLITE_CANTOPEN;
    };
    let usual = *usual;
    // SAFETY: the layer lives as long as the process.
    let Some(usual_open) = (unsafe { (*usual).xOpen }) else {
        return ffi::SQLITE_CANTOPEN;
    };
    if flags & ffi::SQLITE_OPEN_MAIN_DB == 0 {
        // SAFETY: there is room for more than the usual layer asks for.
        return unsafe { usual_open(usual, name, file, flags, out_flags) };
    }
    // SAFETY: SQLite has made room for both files; the one after it is complete before ours is.
    unsafe {
        (*file).pMethods = ptr::null();
        let behind = inner(file);
        (*behind).pMethods = ptr::null();
        let opened = usual_open(usual, name, behind, flags, out_flags);
        if opened != ffi::SQLITE_OK {
            // One that was half opened is to be closed.
            if let Some(close) = (*behind).pMethods.as_ref().and_then(|own| own.xClose) {
                close(behind);
            }
            return opened;
        }
        let methods = if (*(*behind).pMethods).iVersion >= 2 {
            &raw const WITH_SHARED_MEMORY
        } else {
            &raw const WITHOUT
        };
        file.cast::<ChecksumFile>().write(ChecksumFile {
            base: sqlite3_file { pMethods: methods },
            is_summed: false,
            has_room: false,
            is_forced: false,
            is_trusted: false,
            is_lent: false,
            takes_empty: true,
            ahead: ReadAhead::default(),
            number: 0,
        });
    }
    ffi::SQLITE_OK
}

/// Takes what the first page says of sums.
unsafe fn look(file: *mut sqlite3_file, header: &[u8]) {
    // SAFETY: `open` has filled it, and a connection uses it on one thread at a time.
    let own = unsafe { &mut *file.cast::<ChecksumFile>() };
    own.is_summed = own.is_forced || (!own.is_trusted && has_sums(header));
    own.has_room = own.is_forced || (has_sums(header) && has_room(header));
    // Another program may have made the database meanwhile, with a number of its own.
    if !own.is_forced || has_sums(header) {
        own.number = number_in(header);
    }
}

/// Reads what the file says about itself, of a part of the usual layer's file.
unsafe fn header(file: *mut sqlite3_file) -> Option<[u8; HEADER_BYTES]> {
    let mut header = [0_u8; HEADER_BYTES];
    let buffer = header.as_mut_ptr().cast();
    let is_read = through!(file, xRead, buffer, HEADER_BYTES as c_int, 0) == ffi::SQLITE_OK;
    is_read.then_some(header)
}

unsafe extern "C" fn read(
    file: *mut sqlite3_file,
    buffer: *mut c_void,
    amount: c_int,
    at: i64,
) -> c_int {
    let size = amount.unsigned_abs() as usize;
    let is_page = at > 0 && page_number(size, at).is_some();
    // SAFETY: as in `look`.
    let ahead = unsafe { &mut (*file.cast::<ChecksumFile>()).ahead };
    let from_file = |to: &mut [u8], at| {
        let buffer = to.as_mut_ptr().cast();
        through!(file, xRead, buffer, to.len() as c_int, at)
    };
    let known = if is_page {
        ahead.page(size, at, from_file)
    } else {
        None
    };
    let done = if let Some(known) = known {
        // SAFETY: SQLite hands room for `size` bytes, as many as a page has.
        unsafe { ptr::copy_nonoverlapping(known.as_ptr(), buffer.cast(), size) };
        ffi::SQLITE_OK
    } else {
        through!(file, xRead, buffer, amount, at)
    };
    if done != ffi::SQLITE_OK && done != ffi::SQLITE_IOERR_SHORT_READ {
        return done;
    }
    // SAFETY: it has just been filled, after the end of the file with zeros.
    let bytes = unsafe { std::slice::from_raw_parts_mut(buffer.cast::<u8>(), size) };
    // SAFETY: as in `look`.
    let lent = unsafe { (*file.cast::<ChecksumFile>()).lent() };
    // Of the first one parts are read before the size of pages is known.
    let number = if at == 0 {
        Some(1)
    } else {
        page_number(bytes.len(), at)
    };
    let lent = lent
        .zip(number)
        .and_then(|(pages, number)| pages.get(&number));
    if let Some(page) = lent.and_then(|page| page.get(..bytes.len())) {
        bytes.copy_from_slice(page);
        return ffi::SQLITE_OK;
    }
    if done != ffi::SQLITE_OK && bytes.iter().all(|&byte| byte == 0) {
        return done;
    }
    // SAFETY: as in `look`.
    if at == 0 && unsafe { (*file.cast::<ChecksumFile>()).is_trusted } {
        // SAFETY: SQLite's file, as here.
        repair_header(bytes, |told| unsafe { number_by_sums(file, told) });
    }
    if at == 0 && bytes.len() >= HEADER_BYTES {
        // SAFETY: SQLite's file, as here.
        unsafe { look(file, bytes) };
    }
    // SAFETY: as in `look`.
    let own = unsafe { &*file.cast::<ChecksumFile>() };
    let is_good = |number| {
        is_as_written(bytes, number, own.number) || (own.takes_empty && is_empty(bytes, number))
    };
    // Before it knows the size of the pages, SQLite may take the first for another one.
    let is_guess = at == 0 && page_bytes(bytes).is_some_and(|own| own != bytes.len());
    match page_number(bytes.len(), at) {
        Some(number) if own.is_summed && !is_guess && !is_good(number) => {
            BAD_PAGE.set(Some(number));
            ffi::SQLITE_IOERR_DATA
        }
        _ => done,
    }
}

unsafe extern "C" fn write(
    file: *mut sqlite3_file,
    bytes: *const c_void,
    amount: c_int,
    at: i64,
) -> c_int {
    // In place, so that what the cache holds is what the file holds: what goes into a journal
    // has its sum, whichever program rolls it back.
    // SAFETY: the module says why it may be changed.
    let page =
        unsafe { std::slice::from_raw_parts_mut(bytes.cast_mut().cast::<u8>(), amount as usize) };
    // SAFETY: as in `look`.
    let known = unsafe { (*file.cast::<ChecksumFile>()).number };
    if at == 0 && page.len() >= HEADER_BYTES {
        if known != 0 {
            page[NUMBER_AT..][..8].copy_from_slice(&known.to_be_bytes());
        }
        // SAFETY: SQLite's file, as here.
        unsafe { look(file, page) };
    }
    // SAFETY: as in `look`.
    let own = unsafe { &*file.cast::<ChecksumFile>() };
    if own.has_room
        && let Some(number) = page_number(page.len(), at)
    {
        let (sum, at) = sum_of(page, number, own.number);
        page[at..].copy_from_slice(&sum.to_le_bytes());
    }
    // SAFETY: as in `look`.
    unsafe { (*file.cast::<ChecksumFile>()).ahead.forget() };
    through!(file, xWrite, bytes, amount, at)
}

unsafe extern "C" fn file_control(
    file: *mut sqlite3_file,
    what: c_int,
    argument: *mut c_void,
) -> c_int {
    match what {
        SUM_ALL => {
            // SAFETY: as in `look`.
            let own = unsafe { &mut *file.cast::<ChecksumFile>() };
            (own.is_summed, own.has_room, own.is_forced) = (true, true, true);
            // SAFETY: `sum_all` hands one, and waits.
            own.number = unsafe { *argument.cast::<u64>() };
            return ffi::SQLITE_OK;
        }
        TRUST_ALL => {
            // SAFETY: as in `look`.
            let own = unsafe { &mut *file.cast::<ChecksumFile>() };
            own.is_trusted = true;
            return ffi::SQLITE_OK;
        }
        LEND => {
            // SAFETY: as in `look`.
            let own = unsafe { &mut *file.cast::<ChecksumFile>() };
            own.is_lent = true;
            return ffi::SQLITE_OK;
        }
        COUNTER => {
            // SAFETY: SQLite's file, as here.
            let Some(header) = (unsafe { header(file) }) else {
                return ffi::SQLITE_IOERR_READ;
            };
            // SAFETY: `counter` hands room for eight bytes, and waits.
            unsafe { ptr::copy_nonoverlapping(header[24..].as_ptr(), argument.cast::<u8>(), 8) };
            return ffi::SQLITE_OK;
        }
        SURVEY => {
            // SAFETY: `bad_pages` hands one, and waits.
            unsafe { survey(file, &mut *argument.cast::<PageScan>()) };
            return ffi::SQLITE_OK;
        }
        LOCK => {
            // SAFETY: SQLite's file, as here; `alone` hands room for a beginning, and waits.
            return unsafe { lock_alone(file, &mut *argument.cast::<FileStart>()) };
        }
        READ_PAGE => {
            // SAFETY: SQLite's file, as here; `read_page` hands a page and its number, and waits.
            return unsafe { read_page(file, &mut *argument.cast::<PageRead<'_>>()) };
        }
        UNLOCK => return through!(file, xUnlock, ffi::SQLITE_LOCK_NONE),
        TAKE_EMPTY => {
            // SAFETY: as in `look`; `take_empty` hands one, and waits.
            unsafe { (*file.cast::<ChecksumFile>()).takes_empty = *argument.cast::<bool>() };
            return ffi::SQLITE_OK;
        }
        // Others may have given the file sums since its first page was read here.
        ffi::SQLITE_FCNTL_CKPT_START => {
            // SAFETY: SQLite's file, as here.
            unsafe {
                if let Some(header) = header(file) {
                    look(file, &header);
                }
            }
        }
        _ => {}
    }
    through!(file, xFileControl, what, argument)
}
