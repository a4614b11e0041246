//! Opening books in the format of Polyglot: entries of 16 bytes, big endian, in ascending order
//! of their keys (the description of the format by Michel Van den Bergh,
//! <http://hgm.nubati.net/book_format.html>).
//!
//! ```text
//! u64  key of the position
//! u16  move: to file, to rank, from file, from rank, promotion (3 bits each)
//! u16  weight
//! u32  for learning: 0
//! ```

use crate::games::BookMove;

/// Bytes of an entry.
pub const ENTRY_BYTES: usize = 16;

/// A move of a book and how good it is, in points of its own measure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BookEntry {
    /// The position and its move.
    pub played: BookMove,
    /// More is better; 0 is never played.
    pub points: u64,
}

/// The bytes of a book. The points of each position are scaled to the sixteen bits of a weight;
/// a move that has any keeps one at least.
pub fn write(mut entries: Vec<BookEntry>) -> Vec<u8> {
    entries.sort_unstable_by_key(|entry| {
        let BookMove { key, code } = entry.played;
        (key, std::cmp::Reverse(entry.points), code)
    });
    let mut book = Vec::with_capacity(entries.len() * ENTRY_BYTES);
    for moves in entries.chunk_by(|one, next| one.played.key == next.played.key) {
        let most = moves[0].points.max(u64::from(u16::MAX));
        for BookEntry { played, points } in moves {
            let scaled = u128::from(*points) * u128::from(u16::MAX) / u128::from(most);
            let weight = (scaled as u16).max(u16::from(*points > 0));
            book.extend_from_slice(&played.key.to_be_bytes());
            book.extend_from_slice(&played.code.to_be_bytes());
            book.extend_from_slice(&weight.to_be_bytes());
            book.extend_from_slice(&[0; 4]);
        }
    }
    book
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(key: u64, code: u16, points: u64) -> BookEntry {
        BookEntry {
            played: BookMove { key, code },
            points,
        }
    }

    #[test]
    fn entries_are_in_order_and_weights_fit() {
        let book = write(vec![
            entry(2, 7, 0),
            entry(1, 5, 3),
            entry(2, 6, 1),
            entry(2, 8, 1 << 20),
            entry(1, 4, 9),
        ]);
        let rows: Vec<(u64, u16, u16)> = (book.chunks_exact(ENTRY_BYTES))
            .map(|row| {
                let key = u64::from_be_bytes(row[..8].try_into().expect("8 bytes"));
                let at = |at: usize| u16::from_be_bytes([row[at], row[at + 1]]);
                assert_eq!(row[12..], [0; 4]);
                (key, at(8), at(10))
            })
            .collect();
        // Small numbers stay as they are; large ones are scaled, and none is lost.
        let expected = [(1, 4, 9), (1, 5, 3), (2, 8, u16::MAX), (2, 6, 1), (2, 7, 0)];
        assert_eq!(rows, expected);
    }
}
