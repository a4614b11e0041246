//! 7z: by its table of contents, block by block.

use std::{collections::HashSet, io};

use sevenz_rust2::{ArchiveReader, EntryDecision, Error, Password};

use super::{super::error::SourceErrorKind as Kind, MemberSink, SeekableArchive, WalkControl};

/// What a block may take to be unpacked, in KiB.
const MEMORY_KIB_MAX: usize = 256 << 10;

/// Hands out the members of a 7z archive.
pub(in super::super) fn walk(file: SeekableArchive, outlet: &mut MemberSink) -> io::Result<()> {
    let opened = ArchiveReader::new_with_memory_limit(file, Password::empty(), MEMORY_KIB_MAX);
    let mut archive = opened.map_err(|error| of_archive(error, outlet))?;
    archive.set_thread_count(1);
    let names = archive.archive().files.iter();
    let names = names.filter(|entry| !entry.is_directory() && entry.has_stream());
    let names: Vec<String> = names.map(|entry| entry.name().to_owned()).collect();
    let mut met = HashSet::new();
    let walked = archive.for_each_entries_with_decision(|entry, content| {
        if entry.is_directory() || !entry.has_stream() {
            return Ok(EntryDecision::Continue);
        }
        met.insert(entry.name().to_owned());
        let flow = outlet.member(entry.name(), content);
        Ok(match flow {
            WalkControl::Break(()) => EntryDecision::Stop,
            // What follows damage in a block cannot be unpacked either.
            WalkControl::Continue(()) if outlet.is_damaged() => EntryDecision::SkipBlock,
            WalkControl::Continue(()) => EntryDecision::Continue,
        })
    });
    let is_encrypted = matches!(
        walked,
        Err(Error::PasswordRequired | Error::MaybeBadPassword(_))
    );
    let left: Vec<&String> = names.iter().filter(|name| !met.contains(*name)).collect();
    for name in &left {
        let kind = match (&walked, is_encrypted) {
            (_, true) => Kind::Encrypted,
            (Err(Error::UnsupportedCompressionMethod(method)), _) if method.starts_with("AES") => {
                Kind::Encrypted
            }
            (Err(Error::UnsupportedCompressionMethod(method)), _) => Kind::Method {
                format: "7z",
                method: method.clone(),
            },
            _ => Kind::BehindDamage,
        };
        if outlet.trouble(name, kind).is_break() {
            break;
        }
    }
    match walked {
        Err(error) if left.is_empty() => Err(of_archive(error, outlet)),
        _ => Ok(()),
    }
}

fn of_archive(error: Error, outlet: &MemberSink) -> io::Error {
    match error {
        Error::Io(error, _) => error,
        Error::PasswordRequired | Error::MaybeBadPassword(_) => outlet.cannot(Kind::Encrypted),
        error => io::Error::new(io::ErrorKind::InvalidData, error.to_string()),
    }
}
