//! zip: by its table of contents; where that is missing, as in a file that was cut, one member
//! behind the other.

use std::{
    borrow::Cow,
    io::{self, Seek, SeekFrom},
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
            break;
        }
    }
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
