//! Remembers where NUL bytes were deleted, so that offsets can be mapped back.

/// Runs that are remembered exactly for one chunk; beyond, those within one
/// block of [`BLOCK_BYTES`] are taken together, so that a file full of NULs
/// does not cost more than its text.
const EXACT_RUNS_MAX: usize = 1 << 20;

/// Width of such a block, a power of two.
const BLOCK_BYTES: u32 = 64;

/// The runs of deleted NULs of a chunk, in order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct NulRuns {
    runs: Vec<NulRun>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct NulRun {
    /// Position of the byte that follows the run in the text without NULs.
    before: u32,
    /// NULs up to and with this run.
    total: u64,
}

impl NulRuns {
    /// This many NULs after all that has a place.
    pub(super) fn behind_all(count: u64) -> Self {
        let run = NulRun {
            before: u32::MAX,
            total: count,
        };
        Self {
            runs: if count > 0 { vec![run] } else { Vec::new() },
        }
    }

    /// How many NULs were deleted.
    pub(super) fn total(&self) -> u64 {
        self.runs.last().map_or(0, |run| run.total)
    }

    /// How many NULs stood before the byte at `pos`.
    pub(super) fn up_to(&self, pos: usize) -> u64 {
        let count = self.runs.partition_point(|run| run.before as usize <= pos);
        count.checked_sub(1).map_or(0, |last| self.runs[last].total)
    }

    /// Deletes the NULs of `bytes` from position `from` on; returns the length
    /// of what is left.
    pub(super) fn delete(&mut self, bytes: &mut [u8], from: usize) -> usize {
        let mut to = from;
        let mut at = from;
        while at < bytes.len() {
            if bytes[at] == 0 {
                let run = bytes[at..].iter().take_while(|b| **b == 0).count();
                self.add(to as u32, run as u64);
                at += run;
                continue;
            }
            let end = memchr::memchr(0, &bytes[at..]).map_or(bytes.len(), |len| at + len);
            bytes.copy_within(at..end, to);
            to += end - at;
            at = end;
        }
        to
    }

    fn add(&mut self, before: u32, count: u64) {
        let total = self.total() + count;
        let crowded = self.runs.len() >= EXACT_RUNS_MAX;
        match self.runs.last_mut() {
            Some(run)
                if run.before == before
                    || (crowded && run.before / BLOCK_BYTES == before / BLOCK_BYTES) =>
            {
                run.total = total;
            }
            _ => self.runs.push(NulRun { before, total }),
        }
    }

    /// Takes away the runs at `pos` and after it, as seen from there.
    pub(super) fn split_off(&mut self, pos: usize) -> Self {
        let kept = self.runs.partition_point(|run| (run.before as usize) < pos);
        let mut runs = self.runs.split_off(kept);
        let before = self.total();
        for run in &mut runs {
            run.before -= pos as u32;
            run.total -= before;
        }
        Self { runs }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_counted_before_the_byte_that_follows() {
        let mut nuls = NulRuns::default();
        let mut bytes = *b"ab\0\0c\0d\0";
        let len = nuls.delete(&mut bytes, 2);
        assert_eq!(&bytes[..len], b"abcd");
        assert_eq!([0, 1, 2, 3, 4].map(|pos| nuls.up_to(pos)), [0, 0, 2, 3, 4]);
        let rest = nuls.split_off(3);
        assert_eq!((nuls.total(), rest.total()), (2, 2));
        assert_eq!([0, 1].map(|pos| rest.up_to(pos)), [1, 2]);
    }

    #[test]
    fn crowds_are_taken_together() {
        let mut nuls = NulRuns::default();
        let count = 2 * EXACT_RUNS_MAX;
        for before in 0..count {
            nuls.add(before as u32, 1);
        }
        assert_eq!(nuls.total(), count as u64);
        assert!(nuls.runs.len() <= EXACT_RUNS_MAX + EXACT_RUNS_MAX / BLOCK_BYTES as usize + 1);
    }
}
