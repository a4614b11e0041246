//! Members of tar archives that were written with their holes left out: what they are in full.
//! Old archives have the list of what is there in the header, which the reader of tar knows; newer
//! ones have it in extended headers (GNU.sparse 0.0 and 0.1) or before the content (1.0).

use std::{
    collections::VecDeque,
    io::{self, Read},
};

use tar::PaxExtensions;

/// Pieces of one member, so that their list has a bound.
const PIECES_MAX: usize = 1 << 20;
/// Bytes in which the list stands before the content.
const BLOCK_BYTES: u64 = 512;

/// What extended headers say of a member with holes.
#[derive(Debug, Default)]
pub(super) struct SparseHeader {
    /// Its name; the one in the usual place is made up.
    pub(super) name: Option<String>,
    size: Option<u64>,
    pieces: Vec<u64>,
    /// Whether the list stands before the content.
    is_in_content: bool,
}

impl SparseHeader {
    /// What is said, if it is of such a member.
    pub(super) fn of(extensions: PaxExtensions<'_>) -> io::Result<Option<Self>> {
        let mut header = Self::default();
        let mut is_sparse = false;
        for extension in extensions {
            let extension = extension?;
            let Some(key) = extension.key_bytes().strip_prefix(b"GNU.sparse.") else {
                continue;
            };
            is_sparse = true;
            let value = String::from_utf8_lossy(extension.value_bytes());
            match key {
                b"name" => header.name = Some(value.into_owned()),
                b"size" | b"realsize" => header.size = Some(number(&value)?),
                b"major" => header.is_in_content = number(&value)? == 1,
                b"offset" | b"numbytes" => header.pieces.push(number(&value)?),
                b"map" => {
                    let numbers = value.split(',').map(number);
                    header.pieces = numbers.collect::<io::Result<_>>()?;
                }
                _ => {}
            }
        }
        Ok(is_sparse.then_some(header))
    }

    /// The complete member, by the content that was written of it.
    pub(super) fn whole<R: Read>(mut self, mut content: R) -> io::Result<Sparse<R>> {
        if self.is_in_content {
            self.pieces = list_before(&mut content)?;
        }
        let (pairs, rest) = self.pieces.as_chunks::<2>();
        let mut end = 0;
        for &[at, length] in pairs {
            if at < end {
                return Err(bad("the pieces of a sparse file overlap"));
            }
            let next = at.checked_add(length);
            end = next.ok_or_else(|| bad("a sparse file is too large"))?;
        }
        let size = self.size.unwrap_or(end);
        if !rest.is_empty() || size < end {
            return Err(bad("the list of the pieces of a sparse file is damaged"));
        }
        Ok(Sparse {
            pieces: pairs.iter().map(|&[at, length]| (at, length)).collect(),
            content,
            at: 0,
            size,
        })
    }
}

fn bad(why: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, why)
}

fn number(text: &str) -> io::Result<u64> {
    let number = text.trim().parse();
    number.map_err(|_| bad("a number of a sparse file cannot be read"))
}

/// The list that stands before the content: how many pieces there are, and both numbers of each, a
/// number a line, filled to complete blocks.
fn list_before(content: &mut impl Read) -> io::Result<Vec<u64>> {
    let mut read = 0_u64;
    let mut next = || {
        let mut line = Vec::new();
        loop {
            let mut byte = [0];
            content.read_exact(&mut byte)?;
            read += 1;
            match byte[0] {
                b'\n' => return number(&String::from_utf8_lossy(&line)),
                _ if line.len() > 20 => return Err(bad("a sparse file has no list of its pieces")),
                byte => line.push(byte),
            }
        }
    };
    let count = next()? as usize;
    if count > PIECES_MAX {
        return Err(bad("a sparse file has too many pieces"));
    }
    let numbers = (0..2 * count).map(|_| next()).collect::<io::Result<_>>()?;
    let fill = read.next_multiple_of(BLOCK_BYTES) - read;
    io::copy(&mut content.take(fill), &mut io::sink())?;
    Ok(numbers)
}

/// The complete member: its pieces, and zeros between them.
#[derive(Debug)]
pub(super) struct Sparse<R> {
    content: R,
    /// The pieces to come: from where, and how many bytes.
    pieces: VecDeque<(u64, u64)>,
    at: u64,
    /// Bytes of the complete member.
    pub(super) size: u64,
}

impl<R: Read> Read for Sparse<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while let Some(&(from, length)) = self.pieces.front()
            && self.at >= from + length
        {
            self.pieces.pop_front();
        }
        let hole_end = self.pieces.front().map_or(self.size, |&(from, _)| from);
        let most = |bytes: u64| {
            buffer
                .len()
                .min(usize::try_from(bytes).unwrap_or(usize::MAX))
        };
        let count = if self.at < hole_end {
            let count = most(hole_end - self.at);
            buffer[..count].fill(0);
            count
        } else if let Some(&(from, length)) = self.pieces.front() {
            let count = most(from + length - self.at);
            self.content.read(&mut buffer[..count])?
        } else {
            0
        };
        self.at += count as u64;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whole(header: SparseHeader, content: &[u8]) -> io::Result<String> {
        let mut text = String::new();
        header.whole(content)?.read_to_string(&mut text)?;
        Ok(text.replace('\0', "."))
    }

    fn header(records: &str) -> SparseHeader {
        let header = SparseHeader::of(PaxExtensions::new(records.as_bytes()));
        header.expect("numbers").expect("a sparse file")
    }

    #[test]
    fn holes_are_zeros_in_every_version() {
        let old = "21 GNU.sparse.size=9\n23 GNU.sparse.offset=1\n25 GNU.sparse.numbytes=2\n\
                   23 GNU.sparse.offset=6\n25 GNU.sparse.numbytes=1\n";
        assert_eq!(whole(header(old), b"abc").expect("whole"), ".ab...c..");
        let map = "21 GNU.sparse.size=7\n26 GNU.sparse.map=0,2,4,3\n21 GNU.sparse.name=x\n";
        assert_eq!(header(map).name.as_deref(), Some("x"));
        assert_eq!(whole(header(map), b"abcde").expect("whole"), "ab..cde");
        let new = "22 GNU.sparse.major=1\n22 GNU.sparse.minor=0\n25 GNU.sparse.realsize=5\n";
        let mut content = b"1\n3\n2\n".to_vec();
        content.resize(512, 0);
        content.extend(b"ab");
        assert_eq!(whole(header(new), &content).expect("whole"), "...ab");
    }

    #[test]
    fn damaged_lists_are_errors() {
        for (records, content) in [
            ("26 GNU.sparse.map=4,2,0,3\n", &b"abcde"[..]),
            ("24 GNU.sparse.map=4,2,0\n", b"abcde"),
            ("22 GNU.sparse.map=0,9\n21 GNU.sparse.size=2\n", b"abcde"),
            ("22 GNU.sparse.major=1\n", b"99999999\n1\n"),
            ("22 GNU.sparse.major=1\n", b"abcdefghijklmnopqrstuvwxyz"),
            ("22 GNU.sparse.major=1\n", b"2\n1\n"),
        ] {
            assert!(whole(header(records), content).is_err(), "{records}");
        }
    }
}
