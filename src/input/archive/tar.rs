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
        if outlet.member(&name, &mut entry).is_break() {
            return Ok(());
        }
    }
    let mut trailer = archive.into_inner().take(TRAILER_BYTES_MAX);
    io::copy(&mut trailer, &mut io::sink()).map(drop)
}
