//! Members of a zip archive that was written as a stream: what stands before a member says
//! neither its size nor its checksum, which follow it.

use std::io::{self, Read};

use flate2::{CrcReader, bufread::DeflateDecoder};

use super::{super::encoding::Charset, SeekableArchive};

/// What a member begins with, and what may begin the numbers after it.
const MEMBER: &[u8] = b"PK\x03\x04";
const NUMBERS: &[u8] = b"PK\x07\x08";

/// Bytes before the name of a member.
const HEADER_BYTES: usize = 30;

/// Flags: encrypted, with its numbers after it, with a name in UTF-8.
const ENCRYPTED: u16 = 1;
const STREAMED: u16 = 1 << 3;
const UTF8: u16 = 1 << 11;

/// The number of deflate.
const DEFLATE: u16 = 8;

/// The content of such a member. It marks its own end.
pub(super) struct StreamedEntry<'f> {
    content: CrcReader<DeflateDecoder<&'f mut SeekableArchive>>,
    is_over: bool,
}

/// The member that begins at the current place and its name, if it was written as a stream and
/// marks its end; else the place is another one afterwards.
pub(super) fn next(file: &mut SeekableArchive) -> io::Result<Option<(String, StreamedEntry<'_>)>> {
    let mut header = [0; HEADER_BYTES];
    file.read_exact(&mut header)?;
    let number = |at: usize| u16::from_le_bytes([header[at], header[at + 1]]);
    let (flags, method) = (number(6), number(8));
    let is_streamed = flags & (STREAMED | ENCRYPTED) == STREAMED;
    if !header.starts_with(MEMBER) || !is_streamed || method != DEFLATE {
        return Ok(None);
    }
    let mut name = vec![0; usize::from(number(26))];
    file.read_exact(&mut name)?;
    let more = i64::from(number(28));
    file.seek_relative(more)?;
    let name = name_of(&name, flags);
    let content = CrcReader::new(DeflateDecoder::new(file));
    let is_over = false;
    Ok(Some((name, StreamedEntry { content, is_over })))
}

/// The name of a member, whose flags say how it is written.
pub(super) fn name_of(name: &[u8], flags: u16) -> String {
    let name = if flags & UTF8 == 0 {
        Charset::CP437.decode(name)
    } else {
        String::from_utf8_lossy(name)
    };
    name.into_owned()
}

impl StreamedEntry<'_> {
    /// Reads over the numbers after the content and compares the checksum. Where the archive
    /// ends before them, nothing says that the content is incomplete.
    fn end(&mut self) -> io::Result<()> {
        let sum = self.content.crc().sum();
        let decoder = self.content.get_mut();
        let (packed, unpacked) = (decoder.total_in(), decoder.total_out());
        let file = decoder.get_mut();
        let mut numbers = Vec::new();
        file.by_ref().take(4).read_to_end(&mut numbers)?;
        if numbers == NUMBERS {
            numbers.clear();
            file.by_ref().take(4).read_to_end(&mut numbers)?;
        }
        let is_right = numbers.len() < 4 || numbers == sum.to_le_bytes();
        // Both sizes have four bytes, or eight where a member may be as large.
        let mut sizes = Vec::new();
        file.by_ref().take(8).read_to_end(&mut sizes)?;
        let short = [packed, unpacked].map(|size| (size as u32).to_le_bytes());
        if sizes != short.concat() && sizes == packed.to_le_bytes() {
            file.seek_relative(8)?;
        }
        if is_right {
            Ok(())
        } else {
            Err(io::Error::new(
                io::ErrorKind::InvalidData,
                "invalid checksum",
            ))
        }
    }
}

impl Read for StreamedEntry<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.content.read(buffer)?;
        if count == 0 && !buffer.is_empty() && !self.is_over {
            self.is_over = true;
            self.end()?;
        }
        Ok(count)
    }
}
