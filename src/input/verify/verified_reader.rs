//! The text of a source that was read before, handed out once more, but only as it was.

use std::{
    io::{self, Read},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use twox_hash::xxhash3_128::Hasher;

use super::{ChunkDigest, SourceVerifier};
use crate::{base::limits::CHUNK_BYTES_MAX, input::chunk::link_of};

/// Reads pieces of a stream once more, decompressed and transcoded. Where the text is another
/// than that of before it ends with an error, of what is larger than a chunk at its end.
pub struct VerifiedReader<R> {
    stream: SourceVerifier<R>,
    /// In the order of their offsets. There may be several ways to cut the same text.
    pieces: Vec<ChunkDigest>,
    /// All that are known of the stream.
    known: Vec<ChunkDigest>,
    /// Up to where the stream was handed out, and compared.
    at: u64,
    compared: u64,
    /// What is too large to be compared before it is handed out: how much of it is left.
    large: Option<(ChunkDigest, Hasher, u64)>,
    has_changed: Arc<AtomicBool>,
}

impl<R: Read> VerifiedReader<R> {
    /// Reads these pieces of a stream, which are in the order of their offsets; all that are
    /// known of it are `known`.
    pub fn new(reader: R, pieces: Vec<ChunkDigest>, known: Vec<ChunkDigest>) -> Self {
        Self {
            stream: SourceVerifier::new(reader),
            pieces,
            known,
            at: 0,
            compared: 0,
            large: None,
            has_changed: Arc::default(),
        }
    }

    /// Set once the text is found to be another one.
    pub fn has_changed(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.has_changed)
    }

    /// What is said of another text.
    fn changed(&self) -> io::Error {
        self.has_changed.store(true, Ordering::Relaxed);
        io::Error::other("has changed since it was imported")
    }

    /// Goes on to the next piece and compares it; whether there is one.
    fn next_piece(&mut self) -> io::Result<bool> {
        let from = self.pieces.partition_point(|p| p.offset_bytes < self.at);
        let Some(&ChunkDigest { offset_bytes, .. }) = self.pieces.get(from) else {
            return Ok(false);
        };
        let begin_here = |piece: &&ChunkDigest| piece.offset_bytes == offset_bytes;
        let begin: Vec<ChunkDigest> = (self.pieces[from..].iter())
            .take_while(begin_here)
            .copied()
            .collect();
        self.at = offset_bytes;
        for piece in &begin {
            if let Some((length, _)) = self.stream.find(piece, &self.known)? {
                self.compared = piece.start() + length as u64;
                return Ok(true);
            }
        }
        let is_large = |piece: &&ChunkDigest| piece.bytes > CHUNK_BYTES_MAX as u64;
        match begin.iter().find(is_large) {
            Some(piece) if piece.split_bytes == 0 => {
                self.stream.pass_to(piece.offset_bytes)?;
                self.large = Some((*piece, Hasher::new(), piece.bytes));
                Ok(true)
            }
            _ => Err(self.changed()),
        }
    }

    /// Hands a part out of what is too large to be kept.
    fn read_large(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let Some((piece, mut hasher, left)) = self.large.take() else {
            return Ok(0);
        };
        // Without NULs there are never more bytes than that.
        let wanted = out.len().min(usize::try_from(left).unwrap_or(usize::MAX));
        let out = &mut out[..wanted];
        let text = &mut self.stream.text;
        let read = if text.is_empty() {
            self.stream.read(out)?
        } else {
            let read = text.len().min(out.len());
            out[..read].copy_from_slice(&text[..read]);
            text.drain(..read);
            read
        };
        let mut found = 0;
        for part in out[..read].split(|&byte| byte == 0) {
            hasher.write(part);
            found += part.len() as u64;
        }
        self.stream.passed += read as u64;
        self.at += read as u64;
        self.compared = self.at;
        if left > found && read > 0 {
            self.large = Some((piece, hasher, left - found));
        } else if link_of(piece.parent, hasher.finish_128()) != piece.chain {
            return Err(self.changed());
        }
        Ok(read)
    }
}

impl<R: Read> Read for VerifiedReader<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if out.is_empty() {
            return Ok(0);
        }
        loop {
            if self.large.is_some() {
                return self.read_large(out);
            }
            if self.at < self.compared {
                let text = &self.stream.text[(self.at - self.stream.passed) as usize..];
                let left = usize::try_from(self.compared - self.at).unwrap_or(usize::MAX);
                let read = out.len().min(left).min(text.len());
                out[..read].copy_from_slice(&text[..read]);
                self.at += read as u64;
                return Ok(read);
            }
            if !self.next_piece()? {
                return Ok(0);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::chunk::chain_of;

    fn pieces(texts: &[&[u8]]) -> Vec<ChunkDigest> {
        let (mut parent, mut offset_bytes) = (7, 0);
        let piece = |text: &&[u8]| {
            let plain: Vec<u8> = text.iter().copied().filter(|&byte| byte != 0).collect();
            let piece = ChunkDigest {
                offset_bytes,
                bytes: plain.len() as u64,
                split_bytes: 0,
                parent,
                chain: chain_of(parent, &plain),
            };
            parent = piece.chain;
            offset_bytes += text.len() as u64;
            piece
        };
        texts.iter().map(piece).collect()
    }

    fn read(text: &[u8], pieces: &[ChunkDigest]) -> Option<Vec<u8>> {
        let mut known = VerifiedReader::new(text, pieces.to_vec(), pieces.to_vec());
        let has_changed = known.has_changed();
        let mut out = Vec::new();
        let read = known.read_to_end(&mut out);
        assert_eq!(read.is_err(), has_changed.load(Ordering::Relaxed));
        read.ok().map(|_| out)
    }

    #[test]
    fn the_text_of_before_and_no_other() {
        let known = pieces(&[b"one\n", b"tw\x00o\n", b"three\n"]);
        let text = b"one\ntw\x00o\nthree\n";
        assert_eq!(read(text, &known).as_deref(), Some(&text[..]));
        // What follows was not read before.
        let longer = [&text[..], b"four\n"].concat();
        assert_eq!(read(&longer, &known).as_deref(), Some(&text[..]));
        assert_eq!(read(&longer, &known[1..]).as_deref(), Some(&text[4..]));
        assert_eq!(read(b"one\nTwo\nthree\n", &known), None);
        assert_eq!(read(&text[..9], &known), None);
        assert_eq!(read(text, &[]).as_deref(), Some(&b""[..]));
    }

    #[test]
    fn another_cut_of_the_same_text_does_no_harm() {
        let mut both = pieces(&[b"one\n", b"two\n"]);
        both.extend(pieces(&[b"one\ntw", b"o\n"]));
        both.sort_by_key(|piece| piece.offset_bytes);
        assert_eq!(
            read(b"one\ntwo\n", &both).as_deref(),
            Some(&b"one\ntwo\n"[..])
        );
        assert_eq!(read(b"one\ntwi\n", &both), None);
    }

    #[test]
    fn what_is_larger_than_a_chunk_is_compared_at_its_end() {
        let mut large = vec![b'x'; CHUNK_BYTES_MAX + 100_000];
        large[5_000] = 0;
        let known = pieces(&[b"one\n", &large, b"two\n"]);
        let mut text = [b"one\n", &large[..], b"two\n"].concat();
        assert!(read(&text, &known).is_some_and(|read| read == text));
        text[CHUNK_BYTES_MAX + 7] = b'y';
        assert_eq!(read(&text, &known), None);
    }
}
