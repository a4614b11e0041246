//! What the first page of a database says of it, and what is known of a damaged one.

use std::ffi::c_int;

use rusqlite::ffi::{self, sqlite3_file};

use super::{HEADER_BYTES, NUMBER_AT, SUM_BYTES, inner, is_as_written};
use crate::store::{
    PAGE_BYTES,
    identity::DatabaseIdentity,
    schema::{APPLICATION_ID, FIRST_SCHEMA},
};

/// Whether the pages of a database with that header end with room for sums.
pub(super) fn has_room(header: &[u8]) -> bool {
    usize::from(header[20]) == SUM_BYTES
}

/// Whether the pages of a database with that header have sums: those of older programs have
/// others, and are refused by their schema.
pub(super) fn has_sums(header: &[u8]) -> bool {
    application_id(header) == Some(APPLICATION_ID)
        && schema(header).is_some_and(|schema| schema >= FIRST_SCHEMA)
}

/// Which program a database with that header belongs to, if it is a database.
pub(in crate::modules::store) fn application_id(header: &[u8]) -> Option<i32> {
    Some(i32::from_be_bytes(*header.get(68..)?.first_chunk()?))
}

/// The schema of a database with that header, if it is one of ours.
pub(in crate::modules::store) fn schema(header: &[u8]) -> Option<u32> {
    Some(u32::from_be_bytes(*header.get(60..)?.first_chunk()?))
}

/// The number of a database with that header; 0 if it has none.
pub(in crate::modules::store) fn number_in(header: &[u8]) -> u64 {
    let number = header.get(NUMBER_AT..).and_then(<[u8]>::first_chunk);
    number.copied().map_or(0, u64::from_be_bytes)
}

/// The size of the pages of a database with that header, if it is one.
pub(super) fn page_bytes(header: &[u8]) -> Option<usize> {
    let bytes = match u16::from_be_bytes(*header.get(16..)?.first_chunk()?) {
        1 => 65_536,
        bytes => usize::from(bytes),
    };
    (bytes >= 512 && bytes.is_power_of_two()).then_some(bytes)
}

/// Pages that are looked at to find out which number their sums have.
const PAGES_TRIED: u32 = 9;

/// The number of the database as its sums show: the one that its header states, or the one in its
/// second page.
pub(super) unsafe fn number_by_sums(file: *mut sqlite3_file, told: u64) -> Option<u64> {
    let bytes = usize::from(PAGE_BYTES);
    let page_of = |number: u32| {
        let mut page = vec![0_u8; bytes];
        let at = i64::from(number - 1) * bytes as i64;
        let buffer = page.as_mut_ptr().cast();
        let done = through!(file, xRead, buffer, bytes as c_int, at);
        (done == ffi::SQLITE_OK).then_some(page)
    };
    let stored = page_of(2).and_then(|page| DatabaseIdentity::in_page(&page));
    let has_sums = |database: &u64| {
        (2..=PAGES_TRIED).any(|number| {
            page_of(number).is_some_and(|page| is_as_written(&page, number, *database))
        })
    };
    let stored = stored.map(|identity| identity.number);
    [Some(told), stored].into_iter().flatten().find(has_sums)
}

/// Gives the first page the bytes that all our databases have, so that one is opened in which
/// they are damaged.
pub(super) fn repair_header(page: &mut [u8], number: impl FnOnce(u64) -> Option<u64>) {
    let Some(header) = page.first_chunk_mut::<HEADER_BYTES>() else {
        return;
    };
    header[..16].copy_from_slice(b"SQLite format 3\0");
    header[16..18].copy_from_slice(&PAGE_BYTES.to_be_bytes());
    if let Some(number) = number(number_in(header)) {
        header[NUMBER_AT..][..8].copy_from_slice(&number.to_be_bytes());
    }
    header[20] = SUM_BYTES as u8;
    for version in &mut header[18..20] {
        *version = (*version).clamp(1, 2);
    }
    header[21..24].copy_from_slice(&[64, 32, 32]);
    // The form of the schema, no pages that move, UTF-8, and whose file it is.
    header[44..48].copy_from_slice(&[0, 0, 0, 4]);
    header[52..56].fill(0);
    header[56..60].copy_from_slice(&[0, 0, 0, 1]);
    header[64..68].fill(0);
    header[68..72].copy_from_slice(&APPLICATION_ID.to_be_bytes());
}
