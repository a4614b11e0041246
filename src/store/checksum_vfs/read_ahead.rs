//! Pages that are read one after the other come from the file some at a time.
//!
//! What was read ahead is used as long as no process can have written it since: a reader holds a
//! lock that keeps the pages that `SQLite` reads from the file itself as they are, in a log
//! ("WAL") as well as without one, where pages are copied from the log into the file only as far as
//! all readers look for them in the log. So it is forgotten with every lock that is taken or given
//! up, and with all that this connection writes.

use std::ffi::c_int;

use rusqlite::ffi;

/// This much is read at a time: little enough to stay in the cache of the processor.
const AHEAD_BYTES: usize = 32 << 10;
/// A page is read after another one if it stands no more than this many pages after it.
const NEAR_PAGES: i64 = 4;
/// After this many of them further ones are expected.
const STREAK: u32 = 3;

/// What was read ahead of a file.
#[derive(Debug, Default)]
pub(super) struct ReadAhead {
    bytes: Box<[u8]>,
    /// Where it stands in the file.
    from: i64,
    /// Whether it is as it was read.
    is_valid: bool,
    /// Where the last requested page stands, and how many were before it after each other.
    last: i64,
    streak: u32,
}

impl ReadAhead {
    /// Another process may have written to the file.
    pub(super) const fn forget(&mut self) {
        self.is_valid = false;
        self.streak = 0;
    }

    /// A page of `bytes` bytes at some place, if it was read ahead or now is, by a function that
    /// reads from the file and gives the code of `SQLite` for how that went; `None` if it is to be
    /// read by itself.
    pub(super) fn page(
        &mut self,
        bytes: usize,
        at: i64,
        read: impl FnOnce(&mut [u8], i64) -> c_int,
    ) -> Option<&[u8]> {
        let behind = at - self.last;
        self.last = at;
        let is_near = 0 < behind && behind <= NEAR_PAGES * bytes as i64;
        self.streak = if is_near { self.streak + 1 } else { 0 };
        if self.known(bytes, at).is_none() {
            if self.streak < STREAK || bytes >= AHEAD_BYTES {
                return None;
            }
            if self.bytes.is_empty() {
                self.bytes = vec![0; AHEAD_BYTES].into();
            }
            self.from = at;
            // Where the file ends before that, or cannot be read, the read of the page reports it.
            self.is_valid = read(&mut self.bytes, at) == ffi::SQLITE_OK;
            if !self.is_valid {
                self.streak = 0;
            }
        }
        self.known(bytes, at)
    }

    /// The bytes at some place, as many as `bytes`, if they were read ahead.
    fn known(&self, bytes: usize, at: i64) -> Option<&[u8]> {
        let from = usize::try_from(at.checked_sub(self.from)?).ok()?;
        let known = self.bytes.get(from..from.checked_add(bytes)?);
        known.filter(|_| self.is_valid)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file whose reads are counted.
    struct File {
        bytes: Vec<u8>,
        reads: usize,
    }

    impl File {
        fn read(&mut self, to: &mut [u8], at: i64) -> c_int {
            self.reads += 1;
            let from = (at as usize).min(self.bytes.len());
            let here = (self.bytes.len() - from).min(to.len());
            to[..here].copy_from_slice(&self.bytes[from..from + here]);
            to[here..].fill(0);
            if here == to.len() {
                ffi::SQLITE_OK
            } else {
                ffi::SQLITE_IOERR_SHORT_READ
            }
        }
    }

    const PAGE: usize = 4096;

    fn asked(ahead: &mut ReadAhead, file: &mut File, number: usize) -> (c_int, Vec<u8>) {
        let at = (number * PAGE) as i64;
        if let Some(page) = ahead.page(PAGE, at, |to, at| file.read(to, at)) {
            return (ffi::SQLITE_OK, page.to_vec());
        }
        let mut page = vec![0; PAGE];
        (file.read(&mut page, at), page)
    }

    #[test]
    fn whatever_the_order_pages_are_those_of_the_file() {
        let pages = 100;
        let bytes = (0..pages * PAGE)
            .map(|at| (at / 7 + at / PAGE) as u8)
            .collect();
        let (mut file, mut ahead) = (File { bytes, reads: 0 }, ReadAhead::default());
        let mut number = 1_usize;
        for turn in 0..5000 {
            // Mostly onwards, at times elsewhere, and after the end.
            number = if turn % 37 == 0 {
                turn * 31 % (pages + 9)
            } else {
                number + turn % 3
            };
            let mut expected = vec![0; PAGE];
            let code = file.read(&mut expected, (number * PAGE) as i64);
            assert_eq!(
                asked(&mut ahead, &mut file, number),
                (code, expected),
                "{number}"
            );
            if turn % 11 == 0 {
                ahead.forget();
                let at = (number * PAGE + turn % PAGE) % file.bytes.len();
                file.bytes[at] ^= 0xff;
            }
        }
    }

    #[test]
    fn pages_behind_each_other_are_read_together() {
        let (mut file, mut ahead) = (
            File {
                bytes: vec![7; 99 * PAGE],
                reads: 0,
            },
            ReadAhead::default(),
        );
        for number in 1..=80 {
            asked(&mut ahead, &mut file, number);
        }
        assert!(file.reads < 15, "{}", file.reads);
        for number in [3, 60, 9, 44] {
            file.reads = 0;
            ahead.forget();
            asked(&mut ahead, &mut file, number);
            assert_eq!(file.reads, 1);
        }
    }
}
