//! What a source may cost that a user has named: one account for all that is packed in it, however
//! deep. It counts bytes and members, never time, so that a source is read alike every time.

use std::{
    io::{self, Read, Seek, SeekFrom},
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
};

use super::error::SourceErrorKind as Kind;
use crate::base::limits::{
    ARCHIVE_BOMBS_MAX, EXPANSION_FREE_BYTES, EXPANSION_MAX, MEMBER_BYTES_MIN, MEMBERS_FREE,
};

/// What passed between the disk and the decompressor.
#[derive(Debug, Default)]
pub(super) struct ByteCounter {
    bytes: AtomicU64,
    failed: AtomicBool,
}

impl ByteCounter {
    /// Bytes that passed.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }

    /// Whether the disk could not be read.
    pub(super) fn has_failed(&self) -> bool {
        self.failed.load(Ordering::Relaxed)
    }

    /// Begins again.
    pub(super) fn reset(&self) {
        self.bytes.store(0, Ordering::Relaxed);
    }
}

/// Counts what is read.
#[derive(Debug)]
pub(super) struct CountingReader<R> {
    reader: R,
    meter: Arc<ByteCounter>,
}

impl<R> CountingReader<R> {
    pub(super) const fn new(reader: R, meter: Arc<ByteCounter>) -> Self {
        Self { reader, meter }
    }
}

impl<R: Read> Read for CountingReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.reader.read(buffer);
        match &read {
            Ok(count) => _ = self.meter.bytes.fetch_add(*count as u64, Ordering::Relaxed),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => self.meter.failed.store(true, Ordering::Relaxed),
        }
        read
    }
}

impl<R: Seek> Seek for CountingReader<R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.reader.seek(to)
    }
}

/// What unpacks bytes. Each is counted apart: one runs ahead of the other.
#[derive(Debug, Clone, Copy)]
pub(super) enum Unpacker {
    /// The walker of an archive.
    Archive,
    /// A decompressor.
    Stream,
}

/// The account of a source, as seen from inside `depth` archives.
#[derive(Debug, Clone, Default)]
pub(super) struct SourceBudget {
    account: Arc<BudgetAccount>,
    depth: u64,
}

#[derive(Debug, Default)]
struct BudgetAccount {
    meter: Arc<ByteCounter>,
    /// Bytes of the source on disk, if it is a file.
    size: Option<u64>,
    /// Bytes that were unpacked, by [`Unpacker`], without those of members that were rejected.
    unpacked: [AtomicU64; 2],
    /// Entries of archives.
    members: AtomicU64,
    /// Members that expand as no text of games does.
    bombs: AtomicU64,
    /// Whether it is exhausted for archives in archives, and for all.
    is_over: [AtomicBool; 2],
}

impl SourceBudget {
    /// The budget of a source, with its size on disk in bytes.
    pub(super) fn new(size: Option<u64>) -> Self {
        let account = BudgetAccount {
            size,
            ..BudgetAccount::default()
        };
        Self {
            account: Arc::new(account),
            depth: 0,
        }
    }

    /// The same account for the members of an archive.
    pub(super) fn within(&self) -> Self {
        Self {
            account: Arc::clone(&self.account),
            depth: self.depth + 1,
        }
    }

    /// What was taken from the disk.
    pub(super) fn meter(&self) -> &Arc<ByteCounter> {
        &self.account.meter
    }

    /// Bytes of the source on disk, if it is a file.
    pub(super) fn size_on_disk(&self) -> Option<u64> {
        self.account.size
    }

    /// Archives in archives may take half of what there is, so that those members of the
    /// outermost that stand after them are still read.
    fn share(&self, whole: u64) -> u64 {
        if self.depth > 1 { whole / 2 } else { whole }
    }

    /// Counts unpacked bytes; whether they are still within the budget. Bytes of the source that
    /// are read twice count once.
    pub(super) fn unpack(&self, by: Unpacker, bytes: u64) -> bool {
        let unpacked = self.account.unpacked[by as usize].fetch_add(bytes, Ordering::Relaxed);
        let taken = self.account.meter.bytes();
        let taken = self.account.size.map_or(taken, |size| taken.min(size));
        let most = EXPANSION_FREE_BYTES.max(taken.saturating_mul(EXPANSION_MAX));
        unpacked + bytes <= self.share(most)
    }

    /// Rejects a member that was unpacked up to `offset_bytes`, gives these bytes back and says
    /// why; the last rejection that is allowed exhausts the budget.
    pub(super) fn reject(&self, by: Unpacker, offset_bytes: u64) -> Kind {
        self.account.unpacked[by as usize].fetch_sub(offset_bytes, Ordering::Relaxed);
        let bombs = self.account.bombs.fetch_add(1, Ordering::Relaxed);
        if bombs < self.share(ARCHIVE_BOMBS_MAX) {
            return Kind::Bomb { offset_bytes };
        }
        self.exhaust();
        Kind::Exhausted
    }

    /// Entries of archives that there may be.
    pub(super) fn members_max(&self) -> u64 {
        let bytes = self.account.size.unwrap_or_else(|| self.meter().bytes());
        self.share(MEMBERS_FREE.max(bytes / MEMBER_BYTES_MIN))
    }

    /// Counts entries of an archive; whether they are still within the budget.
    pub(super) fn count(&self, entries: u64) -> bool {
        let before = self.account.members.fetch_add(entries, Ordering::Relaxed);
        before + entries <= self.members_max()
    }

    /// Ends the reading of archives within archives, or of all there is.
    pub(super) fn exhaust(&self) {
        let over = &self.account.is_over;
        over[0].store(true, Ordering::Relaxed);
        over[1].fetch_or(self.depth <= 1, Ordering::Relaxed);
    }

    /// Whether nothing more may be unpacked here.
    pub(super) fn is_exhausted(&self) -> bool {
        self.account.is_over[usize::from(self.depth <= 1)].load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_account_for_all_that_is_within() {
        let source = SourceBudget::new(Some(1000));
        let (outer, other) = (source.within(), source.within());
        assert!(outer.count(MEMBERS_FREE) && !other.count(1));
        assert!(source.unpack(Unpacker::Stream, EXPANSION_FREE_BYTES));
        assert!(!other.unpack(Unpacker::Stream, 1));
        // The one that runs ahead does not take from the other.
        assert!(other.unpack(Unpacker::Archive, EXPANSION_FREE_BYTES));
        assert!(matches!(
            other.reject(Unpacker::Archive, EXPANSION_FREE_BYTES),
            Kind::Bomb { .. }
        ));
        assert!(outer.unpack(Unpacker::Archive, 1));
    }

    #[test]
    fn archives_in_archives_leave_half_to_the_outermost() {
        let outer = SourceBudget::new(Some(1000)).within();
        let inner = outer.within();
        let whole = MEMBERS_FREE / 2;
        assert!(inner.count(whole) && !inner.count(1) && outer.count(1));
        inner.exhaust();
        assert!(inner.is_exhausted() && inner.within().is_exhausted());
        assert!(!outer.is_exhausted());
        for _ in 0..ARCHIVE_BOMBS_MAX {
            outer.reject(Unpacker::Archive, 0);
        }
        assert!(!outer.is_exhausted());
        assert!(matches!(
            outer.reject(Unpacker::Archive, 0),
            Kind::Exhausted
        ));
        assert!(outer.is_exhausted());
    }

    #[test]
    fn large_sources_may_have_many_members() {
        let archive = SourceBudget::new(Some(100_000 * 200)).within();
        assert!(archive.count(100_000));
        // What comes by a pipe is not known before.
        let piped = SourceBudget::new(None).within();
        assert_eq!(piped.members_max(), MEMBERS_FREE);
    }
}
