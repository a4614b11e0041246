//! Which pages of a database are not as they were written, even if they are never requested.

use std::{collections::HashSet, ffi::c_int};

use rusqlite::{
    Connection,
    ffi::{self, sqlite3_file},
};

use super::{
    HEADER_BYTES, SURVEY, control, has_sums, header, inner, is_as_written, is_empty,
    number_by_sums, number_in, page_bytes,
};

/// Which pages of a part of the file are not as they were written.
pub(super) struct PageScan {
    first: u32,
    pages: u32,
    bad: Vec<u32>,
    /// Whether there are pages after these.
    has_more: bool,
}

/// The pages of a part of the file that are not as they were written, and whether there are
/// pages after it; none of a file without sums.
pub(in crate::modules::store) fn bad_pages(
    connection: &Connection,
    first: u32,
    pages: u32,
) -> (Vec<u32>, bool) {
    let mut survey = PageScan {
        first,
        pages,
        bad: Vec::new(),
        has_more: false,
    };
    control(connection, SURVEY, (&raw mut survey).cast());
    (survey.bad, survey.has_more)
}

/// Reads pages that were not requested. Where there is a log, a page that is just being
/// written may be met half: it is read again.
pub(super) unsafe fn survey(file: *mut sqlite3_file, survey: &mut PageScan) {
    let mut size = 0_i64;
    let is_known = through!(file, xFileSize, &raw mut size) == ffi::SQLITE_OK;
    // SAFETY: SQLite's file, as here.
    let header = unsafe { header(file) };
    let Some(header) = header.filter(|header| is_known && has_sums(header)) else {
        return;
    };
    let Some(bytes) = page_bytes(&header) else {
        return;
    };
    let told = number_in(&header);
    // SAFETY: SQLite's file, as here.
    let database = unsafe { number_by_sums(file, told) }.unwrap_or(told);
    let has_log = header[18] != 1;
    let tries = if has_log { 5 } else { 1 };
    // The last one may have lost its end.
    let last = u64::try_from(size).map_or(0, |size| size.div_ceil(bytes as u64));
    let last = u32::try_from(last).unwrap_or(u32::MAX);
    let end = survey.first.saturating_add(survey.pages);
    survey.has_more = end <= last;
    let mut page = vec![0_u8; bytes];
    let mut read = |number: u32, page: &mut [u8]| {
        let at = i64::from(number - 1) * bytes as i64;
        through!(file, xRead, page.as_mut_ptr().cast(), bytes as c_int, at) == ffi::SQLITE_OK
    };
    let mut unused: Option<HashSet<u32>> = None;
    for number in survey.first..end.min(last.saturating_add(1)) {
        let mut is_good = (0..tries).any(|tried| {
            if tried > 0 {
                std::thread::sleep(std::time::Duration::from_millis(5));
            }
            let is_there = read(number, &mut page);
            is_there
                && (is_as_written(&page, number, database) || (has_log && is_empty(&page, number)))
        });
        if !is_good && is_empty(&page, number) {
            let unused = unused.get_or_insert_with(|| unused_pages(&header, &mut read, bytes));
            is_good = unused.contains(&number);
        }
        if !is_good {
            survey.bad.push(number);
        }
    }
}

/// The free pages, which were perhaps never written: those in the list of free pages
/// (section 1.5 of `SQLite`'s file format), and the one that file locks take (section 1.4).
fn unused_pages(
    header: &[u8; HEADER_BYTES],
    read: &mut impl FnMut(u32, &mut [u8]) -> bool,
    bytes: usize,
) -> HashSet<u32> {
    const LOCKED: usize = 1 << 30;
    let number = |bytes: &[u8], at: usize| {
        let word = bytes.get(at..).and_then(<[u8]>::first_chunk);
        word.copied().map_or(0, u32::from_be_bytes)
    };
    let mut unused = HashSet::from([(LOCKED / bytes + 1) as u32]);
    let mut trunks = HashSet::new();
    let mut page = vec![0_u8; bytes];
    let mut trunk = number(header, 32);
    while trunk > 0 && trunks.insert(trunk) && read(trunk, &mut page) {
        let count = (number(&page, 4) as usize).min(bytes / 4);
        unused.extend((0..count).map(|at| number(&page, 8 + 4 * at)));
        trunk = number(&page, 0);
    }
    unused
}
