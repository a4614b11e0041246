//! zip: by its table of contents; where that is missing, as in a file that was cut, one member
//! behind the other.

use std::{
    borrow::Cow,
    collections::HashSet,
    io::{self, Read, Seek, SeekFrom},
};

use zip::{ZipArchive, read::read_zipfile_from_stream, result::ZipError};

use super::{super::error::SourceErrorKind as Kind, Outlet, Seekable, zip_streamed};

/// Hands out the members of a zip archive.
pub(in super::super) fn walk(mut file: Seekable, outlet: &mut Outlet) -> io::Result<()> {
    let failed = match ZipArchive::new(&mut file) {
        Ok(archive) => {
            by_table(archive, outlet);
            return Ok(());
        }
        Err(ZipError::Io(error)) => error,
        Err(error) => io::Error::new(io::ErrorKind::UnexpectedEof, error),
    };
    file.rewind()?;
    loop {
        let at = file.stream_position()?;
        if let Ok(Some((name, mut member))) = zip_streamed::next(&mut file) {
            if outlet.member(&name, &mut member).is_break() {
                return Ok(());
            }
            // What nobody wanted stands before the next member.
            match io::copy(&mut member, &mut io::sink()) {
                Ok(_) => continue,
                Err(_) => return Err(failed),
            }
        }
        file.seek(SeekFrom::Start(at))?;
        match read_zipfile_from_stream(&mut file) {
            Ok(Some(mut member)) => {
                let name = member.name().map(Cow::into_owned);
                let Ok(name) = name else { return Err(failed) };
                if outlet.member(&name, &mut member).is_break() {
                    return Ok(());
                }
            }
            Ok(None) | Err(_) => return Err(failed),
        }
    }
}

fn by_table(mut archive: ZipArchive<&mut Seekable>, outlet: &mut Outlet) {
    for number in 0..archive.len() {
        let name = match archive.by_index_raw(number) {
            Ok(member) => member
                .name()
                .map_or_else(|_| format!("member {}", number + 1), Cow::into_owned),
            Err(_) => format!("member {}", number + 1),
        };
        let flow = match archive.by_index(number) {
            Ok(mut member) => outlet.member(&name, &mut member),
            Err(error) => outlet.trouble(&name, trouble(error)),
        };
        if flow.is_break() {
            return;
        }
    }
    let table = archive.central_directory_start();
    for name in repeated(archive.into_inner(), table).unwrap_or_default() {
        if outlet.trouble(&name, Kind::Repeated).is_break() {
            return;
        }
    }
}

/// Names that stand again in a table of contents, where only the last member of a name is found.
fn repeated(file: &mut Seekable, table: u64) -> io::Result<Vec<String>> {
    const ENTRY: &[u8] = b"PK\x01\x02";
    file.seek(SeekFrom::Start(table))?;
    let (mut known, mut again) = (HashSet::new(), Vec::new());
    let mut entry = [0; 46];
    while file.read_exact(&mut entry).is_ok() && entry.starts_with(ENTRY) {
        let number = |at: usize| u16::from_le_bytes([entry[at], entry[at + 1]]);
        let mut name = vec![0; usize::from(number(28))];
        file.read_exact(&mut name)?;
        file.seek_relative(i64::from(number(30)) + i64::from(number(32)))?;
        let name = zip_streamed::name_of(&name, number(8));
        if !known.insert(name.clone()) {
            again.push(name);
        }
    }
    Ok(again)
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
