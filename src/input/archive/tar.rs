//! tar: one member behind the other.

use std::io::{self, Read};

use tar::Archive;

use super::{super::format::RawStream, Outlet};

/// Bytes that are read behind the last member: blanks as a rule, but behind them stands the
/// checksum of a compressed archive.
const TRAILER_BYTES_MAX: u64 = 1 << 20;

/// Hands out the members of a tar archive.
pub(in super::super) fn walk(stream: RawStream, outlet: &mut Outlet) -> io::Result<()> {
    let mut archive = Archive::new(stream);
    for entry in archive.entries()? {
        let mut entry = entry?;
        if !entry.header().entry_type().is_file() {
            continue;
        }
        let name = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
        let left = entry.size();
        let mut member = WholeMember {
            content: &mut entry,
            left,
        };
        // Behind one that is cut the next cannot be found, which is said of the archive: perhaps
        // nobody has read this one.
        if outlet.member(&name, &mut member).is_break() {
            return Ok(());
        }
    }
    let mut trailer = archive.into_inner().take(TRAILER_BYTES_MAX);
    io::copy(&mut trailer, &mut io::sink()).map(drop)
}

/// A member that is damaged where the archive ends before it does.
struct WholeMember<R> {
    content: R,
    /// Bytes that are still to come.
    left: u64,
}

impl<R: Read> Read for WholeMember<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.content.read(buffer)?;
        self.left = self.left.saturating_sub(count as u64);
        if count == 0 && !buffer.is_empty() && self.left > 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Ok(count)
    }
}
