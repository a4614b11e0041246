//! What a write-ahead log of `SQLite` holds (section 4 of its file format).

use std::{
    collections::HashMap,
    fs::File,
    io::{self, BufReader},
    ops::Range,
    path::Path,
};

use twox_hash::XxHash3_128;

use super::{PAGE, fill, long};
use crate::store::{
    PAGE_BYTES,
    checksum_vfs::{HEADER_BYTES, LockedFile, NUMBER_AT, SUM_BYTES, is_as_written},
    identity::DatabaseIdentity,
};

/// The frames of a write-ahead log (section 4 of `SQLite`'s file format) that `SQLite` would take
/// from it: up to the first that was not written completely, or is left of what was there before.
struct WalFrames {
    file: BufReader<File>,
    is_big_endian: bool,
    salts: [u8; 8],
    sum: [u32; 2],
    frame: Box<[u8]>,
}

/// A page that a transaction has written.
struct WalFrame<'f> {
    number: u32,
    /// Pages of the database after the transaction, if this is the last page of one.
    pages_after: Option<u32>,
    page: &'f [u8],
}

impl WalFrames {
    const HEADER: usize = 32;
    const FRAME_HEADER: usize = 24;

    /// Opens a log; `None` if it has no header that `SQLite` would accept.
    fn open(path: &Path) -> io::Result<Option<Self>> {
        let mut file = BufReader::with_capacity(1 << 18, File::open(path)?);
        let mut header = [0; Self::HEADER];
        if !fill(&mut file, &mut header)? {
            return Ok(None);
        }
        let is_big_endian = match long(&header, 0) {
            Some(0x377f_0682) => false,
            Some(0x377f_0683) => true,
            _ => return Ok(None),
        };
        let sum = log_sum(is_big_endian, &header[..24], [0; 2]);
        if long(&header, 8) != Some(u32::from(PAGE_BYTES))
            || [long(&header, 24), long(&header, 28)] != sum.map(Some)
        {
            return Ok(None);
        }
        let mut salts = [0; 8];
        salts.copy_from_slice(&header[16..24]);
        Ok(Some(Self {
            file,
            is_big_endian,
            salts,
            sum,
            frame: vec![0; Self::FRAME_HEADER + PAGE].into(),
        }))
    }

    fn next(&mut self) -> io::Result<Option<WalFrame<'_>>> {
        if !fill(&mut self.file, &mut self.frame)? {
            return Ok(None);
        }
        let (head, page) = self.frame.split_at(Self::FRAME_HEADER);
        if head[8..16] != self.salts {
            return Ok(None);
        }
        self.sum = log_sum(self.is_big_endian, &head[..8], self.sum);
        self.sum = log_sum(self.is_big_endian, page, self.sum);
        if [long(head, 16), long(head, 20)] != self.sum.map(Some) {
            return Ok(None);
        }
        Ok(Some(WalFrame {
            number: long(head, 0).unwrap_or(0),
            pages_after: long(head, 4).filter(|pages| *pages != 0),
            page,
        }))
    }
}

/// What a write-ahead log holds.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct LogSpan {
    /// Whether a transaction was committed to it.
    pub(super) has_commits: bool,
    /// What the first and the last transaction say.
    pub(super) ends: Option<(DatabaseIdentity, DatabaseIdentity)>,
}

impl LogSpan {
    /// Reads the transactions that `SQLite` would take from a log.
    pub(super) fn read(path: &Path) -> io::Result<Self> {
        let mut span = Self::default();
        let Some(mut frames) = WalFrames::open(path)? else {
            return Ok(span);
        };
        let mut open = None;
        while let Some(frame) = frames.next()? {
            if frame.number == 2 {
                open = DatabaseIdentity::in_page(frame.page).or(open);
            }
            if frame.pages_after.is_some() {
                span.has_commits = true;
                if let Some(last) = open.take() {
                    let first = span.ends.map_or(last, |(first, _)| first);
                    span.ends = Some((first, last));
                }
            }
        }
        Ok(span)
    }
}

/// Whether a database of that number has all that a log would write into it. So it is if the log
/// was folded into the file and could not be removed.
pub(super) fn is_folded(log: &Path, database: &LockedFile<'_>, own: u64) -> io::Result<bool> {
    let Some(mut frames) = WalFrames::open(log)? else {
        return Ok(false);
    };
    // Of each page what is written last, by the sum of its bytes; and what was not committed yet.
    let (mut committed, mut open) = (HashMap::new(), Vec::new());
    let mut pages = 0;
    while let Some(frame) = frames.next()? {
        open.push((frame.number, page_hash(frame.number, frame.page)));
        if let Some(pages_after) = frame.pages_after {
            pages = u64::from(pages_after);
            committed.extend(open.drain(..));
        }
    }
    let mut page = vec![0; PAGE];
    let mut is_equal = |number, hash| {
        database.read_page(number, &mut page)
            && is_as_written(&page, number, own)
            && page_hash(number, &page) == hash
    };
    // Pages that a later transaction has cut off are in no file.
    let mut left = committed
        .into_iter()
        .filter(|(number, _)| (1..=pages).contains(&u64::from(*number)));
    Ok(database.start.bytes == pages * PAGE as u64
        && left.all(|(number, hash)| is_equal(number, hash)))
}

/// The hash of what does not change of a page as it goes from a log into the file.
fn page_hash(number: u32, page: &[u8]) -> u128 {
    if number != 1 {
        return XxHash3_128::oneshot(&page[..PAGE - SUM_BYTES]);
    }
    let parts = FIRST_PAGE_PARTS.map(|part| &page[part]);
    XxHash3_128::oneshot(&parts.concat())
}

/// The bytes of a first page but for those that change with the kind of log (the versions of the
/// format, the counters of changes, the version of `SQLite`, the checksum) and the number, which a
/// log does not have if `VACUUM` has made the page.
pub(super) const FIRST_PAGE_PARTS: [Range<usize>; 5] = [
    0..18,
    20..24,
    28..NUMBER_AT,
    NUMBER_AT + 8..92,
    HEADER_BYTES..PAGE - SUM_BYTES,
];

/// The checksum of a log, continued (section 4.2 of `SQLite`'s file format).
fn log_sum(is_big_endian: bool, bytes: &[u8], [mut one, mut two]: [u32; 2]) -> [u32; 2] {
    let (words, _) = bytes.as_chunks::<4>();
    for pair in words.chunks_exact(2) {
        let [first, second] = [pair[0], pair[1]].map(if is_big_endian {
            u32::from_be_bytes
        } else {
            u32::from_le_bytes
        });
        one = one.wrapping_add(first).wrapping_add(two);
        two = two.wrapping_add(second).wrapping_add(one);
    }
    [one, two]
}
