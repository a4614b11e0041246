//! tar: one member after the other.

use std::io::{self, Read};

use tar::Archive;

use super::{
    super::{error::SourceErrorKind as Kind, format::RawStream},
    MemberSink,
    sparse::SparseHeader,
};

/// Bytes that are read after the last member: blanks as a rule, but after them stands the
/// checksum of a compressed archive.
const TRAILER_BYTES_MAX: u64 = 1 << 20;

/// Hands out the members of a tar archive.
pub(in super::super) fn walk(stream: RawStream, outlet: &mut MemberSink) -> io::Result<()> {
    let mut archive = Archive::new(stream);
    for entry in archive.entries()? {
        let mut entry = entry?;
        let name = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
        let kind = entry.header().entry_type();
        // What says something of others, and folders.
        if kind.is_pax_global_extensions() || kind.is_dir() {
            continue;
        }
        // After one that is cut the next cannot be found, which is said of the archive: perhaps
        // this one was not read at all.
        let flow = if kind.is_gnu_sparse() || kind.is_file() || kind.is_contiguous() {
            let header = entry.pax_extensions()?.map(SparseHeader::of).transpose()?;
            match header.flatten() {
                Some(mut header) => {
                    let name = header.name.take().unwrap_or(name);
                    match header.whole(&mut entry) {
                        Ok(whole) => {
                            outlet.member(&name, &mut CompleteMember::new(whole.size, whole))
                        }
                        Err(error) => outlet.trouble(&name, damaged(error)),
                    }
                }
                None => outlet.member(&name, &mut CompleteMember::new(entry.size(), &mut entry)),
            }
        } else {
            // Links and devices have no content.
            outlet.trouble(&name, Kind::NoContent)
        };
        if flow.is_break() {
            return Ok(());
        }
    }
    let mut trailer = archive.into_inner().take(TRAILER_BYTES_MAX);
    io::copy(&mut trailer, &mut io::sink()).map(drop)
}

const fn damaged(source: io::Error) -> Kind {
    Kind::Corrupt {
        format: "tar",
        offset_bytes: 0,
        source,
    }
}

/// A member that is damaged where the archive ends before it does.
struct CompleteMember<R> {
    content: R,
    /// Bytes that are still to come.
    left: u64,
}

impl<R> CompleteMember<R> {
    const fn new(left: u64, content: R) -> Self {
        Self { content, left }
    }
}

impl<R: Read> Read for CompleteMember<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.content.read(buffer)?;
        self.left = self.left.saturating_sub(count as u64);
        if count == 0 && !buffer.is_empty() && self.left > 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Ok(count)
    }
}
