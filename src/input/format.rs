//! The one table of file formats. Adding a compression or a kind of archive is one row in
//! `FORMATS`.
//! Which endings game files have is said by the modules that know the notations.

use std::ffi::OsStr;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use bzip2::bufread::MultiBzDecoder;
use flate2::bufread::GzDecoder;
use lzma_rust2::XzReader;

use super::{
    archive::{self, ArchiveWalker},
    encoding::MailText,
};

/// Largest zstd window that is accepted, as a power of two: twice what `--ultra -22`
/// and `--long` make. It is held in memory.
const ZSTD_WINDOW_LOG_MAX: u32 = 28;

/// Memory that unpacking xz may take, in KiB: twelve times what `xz -9` makes.
const XZ_MEMORY_KIB_MAX: u32 = 800 << 10;

/// Compressed bytes fetched at a time.
const COMPRESSED_READ_BYTES: usize = 256 << 10;

/// First bytes of a stream that suffice to recognise every format.
pub const MAGIC_BYTES_MAX: usize = 262;

/// A raw stream, as it comes from disk or standard input.
pub type RawStream = Box<dyn Read + Send>;

/// Makes a decompressing stream of a raw one.
pub(super) type OpenFn = fn(RawStream) -> io::Result<RawStream>;

/// How a format is read.
#[derive(Debug, Clone, Copy)]
pub(super) enum FormatHandling {
    /// As it is.
    Plain,
    /// Through a decompressor.
    Compressed(OpenFn),
    /// Member by member.
    Archive(ArchiveWalker),
    /// Not at all: this build has no reader of it.
    #[cfg_attr(
        all(feature = "parquet", feature = "sevenz"),
        expect(dead_code, reason = "every format has a reader")
    )]
    Unsupported,
}

/// One row of the table of file formats.
#[derive(Debug)]
pub(super) struct FileFormat {
    /// Name as it is shown.
    pub name: &'static str,
    /// Byte strings; every file of the format begins with one of them.
    pub magic: &'static [&'static [u8]],
    /// Where they stand, in bytes from the beginning.
    pub magic_at: usize,
    /// Name endings, lower case, without the dot.
    pub extensions: &'static [&'static str],
    /// How it is read.
    pub handling: FormatHandling,
}

impl FileFormat {
    const fn new(
        name: &'static str,
        magic: &'static [&'static [u8]],
        extensions: &'static [&'static str],
        handling: FormatHandling,
    ) -> Self {
        Self {
            name,
            magic,
            magic_at: 0,
            extensions,
            handling,
        }
    }
}

/// Text as it is: what no other row claims.
pub(super) static PLAIN: FileFormat = FileFormat::new("plain", &[], &[], FormatHandling::Plain);

/// Formats that only some builds read.
#[cfg(not(feature = "parquet"))]
const PARQUET: FormatHandling = FormatHandling::Unsupported;
#[cfg(feature = "parquet")]
const PARQUET: FormatHandling =
    FormatHandling::Archive(ArchiveWalker::ByTable(archive::walk_parquet));
#[cfg(not(feature = "sevenz"))]
const SEVENZ: FormatHandling = FormatHandling::Unsupported;
#[cfg(feature = "sevenz")]
const SEVENZ: FormatHandling = FormatHandling::Archive(ArchiveWalker::ByTable(archive::walk_7z));

/// Every other format there is.
pub(super) static FORMATS: &[FileFormat] = &[
    FileFormat::new(
        "zstd",
        &[b"\x28\xb5\x2f\xfd"],
        &["zst", "zstd"],
        FormatHandling::Compressed(open_zstd),
    ),
    FileFormat::new(
        "gzip",
        &[b"\x1f\x8b"],
        &["gz", "tgz"],
        FormatHandling::Compressed(open_gzip),
    ),
    FileFormat {
        // After the size of its blocks: the first block, or the end of an empty file.
        magic_at: 4,
        ..FileFormat::new(
            "bzip2",
            &[b"1AY&SY", b"\x17rE8P\x90"],
            &["bz2", "tbz2"],
            FormatHandling::Compressed(open_bzip2),
        )
    },
    FileFormat::new(
        "xz",
        &[b"\xfd7zXZ\0"],
        &["xz", "txz"],
        FormatHandling::Compressed(open_xz),
    ),
    FileFormat::new(
        "zip",
        // A member, or the end of an empty archive.
        &[b"PK\x03\x04", b"PK\x05\x06"],
        &["zip"],
        FormatHandling::Archive(ArchiveWalker::ByTable(archive::walk_zip)),
    ),
    FileFormat::new("7z", &[b"7z\xbc\xaf\x27\x1c"], &["7z"], SEVENZ),
    // A table, which becomes one member.
    FileFormat::new("Parquet", &[b"PAR1"], &["parquet"], PARQUET),
    FileFormat {
        magic_at: 257,
        ..FileFormat::new(
            "tar",
            &[b"ustar"],
            &["tar"],
            FormatHandling::Archive(ArchiveWalker::InTurn(archive::walk_tar)),
        )
    },
    // By content alone, too: text that is called so is text.
    // Headers of a mail; what is none comes out as it is.
    FileFormat::new(
        MAIL,
        &[
            b"From ",
            b"From:",
            b"Return-Path:",
            b"Delivered-To:",
            b"Received:",
            b"MIME-Version:",
            b"Mime-Version:",
            b"Message-ID:",
            b"Message-Id:",
            b"Date:",
            b"Subject:",
            b"To:",
            b"Content-",
            b"X-",
        ],
        &[],
        FormatHandling::Compressed(open_mail),
    ),
];

/// What mails are called here.
pub(super) const MAIL: &str = "mail";

fn open_zstd(raw: RawStream) -> io::Result<RawStream> {
    let buffered = BufReader::with_capacity(COMPRESSED_READ_BYTES, raw);
    // Frame after frame is decoded, as `zstd -d` does.
    let mut decoder = zstd::stream::read::Decoder::with_buffer(buffered)?;
    decoder.window_log_max(ZSTD_WINDOW_LOG_MAX)?;
    Ok(Box::new(decoder))
}

#[expect(clippy::unnecessary_wraps, reason = "an opener like the others")]
fn open_gzip(raw: RawStream) -> io::Result<RawStream> {
    let buffered = BufReader::with_capacity(COMPRESSED_READ_BYTES, raw);
    let member = Some(GzDecoder::new(buffered));
    Ok(Box::new(GzipMembers { member }))
}

/// The members of a gzip file, one after the other, as `gzip -d` reads them: NUL bytes after
/// them, which fill tapes and blocks, are nothing.
struct GzipMembers<R> {
    /// The current member; `None` after the last.
    member: Option<GzDecoder<R>>,
}

impl<R: BufRead> Read for GzipMembers<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while let Some(member) = &mut self.member {
            let count = member.read(buffer)?;
            if count > 0 || buffer.is_empty() {
                return Ok(count);
            }
            let rest = member.get_mut();
            let next = loop {
                let ahead = rest.fill_buf()?;
                let nuls = ahead.iter().take_while(|byte| **byte == 0).count();
                match (ahead.get(nuls).copied(), nuls) {
                    (None, 0) => break None,
                    (None, nuls) => rest.consume(nuls),
                    (first, nuls) => {
                        rest.consume(nuls);
                        break first;
                    }
                }
            };
            let ended = self.member.take().map(GzDecoder::into_inner);
            self.member = match next {
                None => None,
                Some(GZIP_FIRST) => ended.map(GzDecoder::new),
                Some(_) => {
                    let why = "what follows them is not compressed, and was left out";
                    return Err(io::Error::new(io::ErrorKind::InvalidData, why));
                }
            };
        }
        Ok(0)
    }
}

/// The first byte of a member of gzip.
const GZIP_FIRST: u8 = 0x1f;

#[expect(clippy::unnecessary_wraps, reason = "an opener like the others")]
fn open_bzip2(raw: RawStream) -> io::Result<RawStream> {
    let buffered = BufReader::with_capacity(COMPRESSED_READ_BYTES, raw);
    Ok(Box::new(MultiBzDecoder::new(buffered)))
}

#[expect(clippy::unnecessary_wraps, reason = "an opener like the others")]
fn open_xz(raw: RawStream) -> io::Result<RawStream> {
    let buffered = BufReader::with_capacity(COMPRESSED_READ_BYTES, raw);
    Ok(Box::new(XzReader::new_mem_limit(
        buffered,
        true,
        XZ_MEMORY_KIB_MAX,
    )))
}

#[expect(clippy::unnecessary_wraps, reason = "an opener like the others")]
fn open_mail(raw: RawStream) -> io::Result<RawStream> {
    Ok(Box::new(MailText::new(raw)))
}

/// Determines the format of a stream: by its first bytes (up to
/// [`MAGIC_BYTES_MAX`]), else by the ending of its name.
pub(super) fn recognise(start: &[u8], path: &Path) -> &'static FileFormat {
    by_content(start)
        .or_else(|| by_extension(path))
        .unwrap_or(&PLAIN)
}

/// The same by the first bytes alone.
pub(super) fn recognise_content(start: &[u8]) -> &'static FileFormat {
    by_content(start).unwrap_or(&PLAIN)
}

fn by_content(start: &[u8]) -> Option<&'static FileFormat> {
    // Parallel compressors begin with one of sixteen skippable frames.
    if matches!(start, [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..]) {
        return FORMATS.first();
    }
    let begins = |format: &&FileFormat| {
        let there = start.get(format.magic_at..).unwrap_or_default();
        format.magic.iter().any(|magic| there.starts_with(magic))
    };
    FORMATS.iter().find(begins)
}

/// Whether a file is an archive, by its first bytes or its name.
pub fn is_archive(start: &[u8], path: &Path) -> bool {
    matches!(recognise(start, path).handling, FormatHandling::Archive(_))
}

fn by_extension(path: &Path) -> Option<&'static FileFormat> {
    let extension = path.extension()?;
    FORMATS
        .iter()
        .find(|format| format.extensions.iter().any(|known| same(extension, known)))
}

/// The ending of a file's name, after taking off that of a compression that can
/// be read: `pgn` of `a.pgn` and of `A.pgn.zst`.
fn bare_extension(path: &Path) -> Option<&OsStr> {
    match by_extension(path) {
        Some(FileFormat {
            handling: FormatHandling::Compressed(_),
            ..
        }) => Path::new(path.file_stem()?).extension(),
        _ => path.extension(),
    }
}

/// Whether a file's name has one of these endings (lower case, without the dot),
/// compressed or not.
pub fn has_extension(path: &Path, known: &[&str]) -> bool {
    bare_extension(path).is_some_and(|found| known.iter().any(|known| same(found, known)))
}

/// The endings of compressed files and archives that are read.
pub fn packed_endings() -> impl Iterator<Item = &'static str> {
    let is_read = |format: &&FileFormat| !matches!(format.handling, FormatHandling::Unsupported);
    let formats = FORMATS.iter().filter(is_read);
    formats.flat_map(|format| format.extensions.iter().copied())
}

/// The endings of files that are found in folders, for messages.
pub fn endings(known: &[&str]) -> String {
    let list = |endings: Vec<&str>| {
        let endings: Vec<_> = endings.iter().map(|end| format!(".{end}")).collect();
        endings.join(", ")
    };
    let (known, packed) = (list(known.to_vec()), list(packed_endings().collect()));
    format!("{known}, also packed: {packed}")
}

fn same(extension: &OsStr, known: &str) -> bool {
    extension.eq_ignore_ascii_case(known)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_goes_before_name() {
        let zstd = b"\x28\xb5\x2f\xfdxxxx";
        assert_eq!(recognise(zstd, Path::new("a.pgn")).name, "zstd");
        assert_eq!(recognise(zstd, Path::new("a.gz")).name, "zstd");
        assert_eq!(recognise(b"[Event", Path::new("a.pgn.zst")).name, "zstd");
        assert_eq!(recognise(b"[Event", Path::new("a")).name, "plain");
        assert_eq!(recognise(b"\x1f\x8b\x08", Path::new("-")).name, "gzip");
        assert_eq!(recognise(b"BZh31AY&SY", Path::new("-")).name, "bzip2");
        assert_eq!(recognise(b"\x5e\x2a\x4d\x18", Path::new("-")).name, "zstd");
    }

    #[test]
    fn names_of_game_files() {
        let known = ["pgn", "pdn"];
        for name in [
            "a.pgn",
            "A.PGN",
            "x/a.pgn.zst",
            "a.b.Pgn.ZST",
            "a.pgn.zstd",
            "a.pdn",
            "A.PDN.zst",
            "a.pgn.gz",
            "a.pgn.bz2",
            "a.pgn.xz",
        ] {
            assert!(has_extension(Path::new(name), &known), "{name}");
        }
        for name in [
            "pgn",
            "a.pgn.txt",
            "a.zst",
            "a.pgn.zip",
            "a.zst.pgnx",
            ".zst",
            "zst",
        ] {
            assert!(!has_extension(Path::new(name), &known), "{name}");
        }
        assert_eq!(
            endings(&known),
            ".pgn, .pdn, also packed: .zst, .zstd, .gz, .tgz, .bz2, .tbz2, .xz, .txz, .zip, .7z, .parquet, .tar"
        );
    }

    #[test]
    fn rows_are_distinct_and_short() {
        let shown = |format: &FileFormat| format.magic_at..=MAGIC_BYTES_MAX;
        let is_shown = |format: &FileFormat| {
            let mut ends = format
                .magic
                .iter()
                .map(|magic| format.magic_at + magic.len());
            ends.all(|end| shown(format).contains(&end))
        };
        assert!(FORMATS.iter().all(is_shown));
        let mut magic: Vec<_> = FORMATS.iter().flat_map(|format| format.magic).collect();
        let count = magic.len();
        magic.sort();
        magic.dedup();
        assert_eq!(magic.len(), count);
    }
}
