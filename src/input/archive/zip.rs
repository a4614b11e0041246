//! zip: by its table of contents; where that is missing, as in a file that was cut, one member
//! after the other.

use std::{
    borrow::Cow,
    collections::{HashMap, HashSet},
    io::{self, Read, Seek, SeekFrom},
};

use zip::{ZipArchive, read::read_zipfile_from_stream, result::ZipError};

use super::{
    super::error::SourceErrorKind as Kind, MemberSink, SeekableArchive, WalkControl, zip_streamed,
};

/// Hands out the members of a zip archive.
pub(in super::super) fn walk(mut file: SeekableArchive, outlet: &mut MemberSink) -> io::Result<()> {
    let size = file.seek(SeekFrom::End(0))?;
    let failed = match ZipArchive::new(&mut file) {
        Ok(archive) => {
            by_table(archive, size, outlet);
            return Ok(());
        }
        Err(ZipError::Io(error)) => error,
        Err(error) => io::Error::new(io::ErrorKind::UnexpectedEof, error),
    };
    file.rewind()?;
    loop {
        match member_here(&mut file, outlet) {
            Some(WalkControl::Continue(())) => {}
            Some(WalkControl::Break(())) => return Ok(()),
            None => return Err(failed),
        }
    }
}

/// Hands out the member that begins at the current place, which is after it then; none where no
/// member begins there that says what it is.
fn member_here(file: &mut SeekableArchive, outlet: &mut MemberSink) -> Option<WalkControl> {
    let at = file.stream_position().ok()?;
    if let Ok(Some((name, mut member))) = zip_streamed::next(file) {
        let flow = outlet.member(&name, &mut member);
        // What was not wanted stands before the next member.
        if flow.is_continue() {
            io::copy(&mut member, &mut io::sink()).ok()?;
        }
        return Some(flow);
    }
    file.seek(SeekFrom::Start(at)).ok()?;
    let mut member = read_zipfile_from_stream(file).ok()??;
    let name = member.name().map(Cow::into_owned).ok()?;
    Some(outlet.member(&name, &mut member))
}

fn by_table(mut archive: ZipArchive<&mut SeekableArchive>, size: u64, outlet: &mut MemberSink) {
    // Members that lie apart from each other are no larger than the archive; if
    // several are in one place, they may be any number.
    let mut left = size;
    for number in 0..archive.len() {
        let name = match archive.by_index_raw(number) {
            Ok(member) => member
                .name()
                .map_or_else(|_| format!("member {}", number + 1), Cow::into_owned),
            Err(_) => format!("member {}", number + 1),
        };
        let flow = match archive.by_index(number) {
            Ok(mut member) => match left.checked_sub(member.compressed_size()) {
                Some(less) => {
                    left = less;
                    outlet.member(&name, &mut member)
                }
                None => outlet.exhaust(&name),
            },
            Err(error) => outlet.trouble(&name, trouble(error)),
        };
        if flow.is_break() {
            return;
        }
    }
    let (before, table) = (archive.offset(), archive.central_directory_start());
    let file = archive.into_inner();
    let mut seen = HashSet::new();
    for (name, place) in covered(file, table).unwrap_or_default() {
        // One that has several entries is there once.
        if !seen.insert(place) {
            continue;
        }
        let flow = match file.seek(SeekFrom::Start(before + place)) {
            Ok(_) => member_here(file, outlet),
            Err(_) => None,
        };
        let flow = flow.unwrap_or_else(|| outlet.trouble(&name, Kind::Repeated));
        if flow.is_break() {
            return;
        }
    }
}

/// Names and places of the members that a later one of the same name covers: by the table of
/// contents only the last is found.
fn covered(file: &mut SeekableArchive, table: u64) -> io::Result<Vec<(String, u64)>> {
    const ENTRY: &[u8] = b"PK\x01\x02";
    file.seek(SeekFrom::Start(table))?;
    let (mut last, mut covered) = (HashMap::new(), Vec::new());
    let mut entry = [0; 46];
    while file.read_exact(&mut entry).is_ok() && entry.starts_with(ENTRY) {
        let number = |at: usize| u16::from_le_bytes([entry[at], entry[at + 1]]);
        let place = u64::from(number(42)) | u64::from(number(44)) << 16;
        let mut name = vec![0; usize::from(number(28))];
        file.read_exact(&mut name)?;
        file.seek_relative(i64::from(number(30)) + i64::from(number(32)))?;
        let name = zip_streamed::name_of(&name, number(8));
        if let Some(before) = last.insert(name.clone(), place)
            && before != place
        {
            covered.push((name, before));
        }
    }
    Ok(covered)
}

/// Why a member cannot be unpacked.
fn trouble(error: ZipError) -> Kind {
    match error {
        ZipError::UnsupportedArchive(ZipError::PASSWORD_REQUIRED) => Kind::Encrypted,
        ZipError::CompressionMethodNotSupported(method) => Kind::Method {
            format: "zip",
            method: format!("method {method}"),
        },
        ZipError::UnsupportedArchive(why) => Kind::Method {
            format: "zip",
            method: why.to_owned(),
        },
        ZipError::Io(source) => Kind::Corrupt {
            format: "zip",
            offset_bytes: 0,
            source,
        },
        other => Kind::Corrupt {
            format: "zip",
            offset_bytes: 0,
            source: io::Error::other(other),
        },
    }
}
