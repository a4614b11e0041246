//! Numbers put aside in piles, more of them than memory has room for.

use std::{
    fs::File,
    io::{self, Read, Seek, SeekFrom, Write},
    path::Path,
    sync::{Mutex, PoisonError},
};

/// Bytes of a pile that are in memory before they go to the file.
const AT_HAND: usize = 1 << 16;

/// Piles of numbers of 64 bits in a temporary file without a name.
pub(super) struct SpillBuckets {
    file: Mutex<File>,
    end: u64,
    all: Vec<SpillBucket>,
}

#[derive(Default)]
struct SpillBucket {
    /// Where its bytes stand in the file.
    written: Vec<(u64, usize)>,
    at_hand: Vec<u8>,
}

impl SpillBuckets {
    /// `count` empty piles, with a file in a folder.
    pub(super) fn new(folder: &Path, count: usize) -> io::Result<Self> {
        Ok(Self {
            file: Mutex::new(tempfile::tempfile_in(folder)?),
            end: 0,
            all: (0..count).map(|_| SpillBucket::default()).collect(),
        })
    }

    /// Puts numbers on a pile.
    pub(super) fn add(&mut self, pile: usize, numbers: &[u64]) -> io::Result<()> {
        let SpillBucket { written, at_hand } = &mut self.all[pile];
        for number in numbers {
            at_hand.extend_from_slice(&number.to_le_bytes());
        }
        if at_hand.len() >= AT_HAND {
            let file = self.file.get_mut().unwrap_or_else(PoisonError::into_inner);
            file.seek(SeekFrom::Start(self.end))?;
            file.write_all(at_hand)?;
            written.push((self.end, at_hand.len()));
            self.end += at_hand.len() as u64;
            at_hand.clear();
        }
        Ok(())
    }

    /// The numbers of a pile in the order in which they came.
    pub(super) fn read(&self, pile: usize) -> io::Result<Vec<u64>> {
        let SpillBucket { written, at_hand } = &self.all[pile];
        let bytes: usize = written.iter().map(|(_, bytes)| bytes).sum();
        let mut numbers = Vec::with_capacity((bytes + at_hand.len()) / 8);
        let mut take = |bytes: &[u8]| {
            let (words, _) = bytes.as_chunks();
            numbers.extend(words.iter().map(|word| u64::from_le_bytes(*word)));
        };
        let mut part = Vec::new();
        for &(at, bytes) in written {
            part.resize(bytes, 0);
            let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
            file.seek(SeekFrom::Start(at))?;
            file.read_exact(&mut part)?;
            drop(file);
            take(&part);
        }
        take(at_hand);
        Ok(numbers)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn piles_keep_their_order() {
        let folder = tempfile::tempdir().unwrap();
        let mut piles = SpillBuckets::new(folder.path(), 3).unwrap();
        let numbers = |pile: u64| (0..20_000 * pile).map(move |n| n * 3 + pile);
        for pile in 0..3 {
            for pair in numbers(pile).collect::<Vec<_>>().chunks(2) {
                piles.add(pile as usize, pair).unwrap();
            }
        }
        for pile in (0..3).rev() {
            assert!(numbers(pile).eq(piles.read(pile as usize).unwrap()));
        }
    }
}
