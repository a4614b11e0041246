//! tar: one member behind the other.

use std::io;

use tar::Archive;

use super::{super::format::RawStream, Outlet};

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
    Ok(())
}
