//! The one table of file formats. Adding a compression is one row in [`FORMATS`].
//! Which endings game files have is told by who knows the notations.

use std::ffi::OsStr;
use std::io::{self, BufReader, Read};
use std::path::Path;

use flate2::bufread::MultiGzDecoder;

/// Largest zstd window that is accepted, as a power of two: twice what `--ultra -22`
/// and `--long` make. It is held in memory.
const ZSTD_WINDOW_LOG_MAX: u32 = 28;

/// Compressed bytes fetched at a time.
const COMPRESSED_READ_BYTES: usize = 256 << 10;

/// First bytes of a stream that suffice to recognise every format.
pub const MAGIC_BYTES_MAX: usize = 16;

/// A raw stream, as it comes from disk or standard input.
pub type RawStream = Box<dyn Read + Send>;

/// Makes a decompressing stream of a raw one.
pub type Opener = fn(RawStream) -> io::Result<RawStream>;

/// One row of the table of file formats.
#[derive(Debug)]
pub struct FileFormat {
    /// Name as it is shown.
    pub name: &'static str,
    /// Byte strings, one of which begins every file of the format.
    pub magic: &'static [&'static [u8]],
    /// Name endings, lower case, without the dot.
    pub extensions: &'static [&'static str],
    /// How it is read; `None` where it is only recognised, so that the bytes
    /// are not taken for text.
    pub opener: Option<Opener>,
    /// Whether it is text in another dress; else nobody gains by unpacking it.
    pub holds_text: bool,
}

impl FileFormat {
    /// One that is recognised, so that it is not taken for text, and cannot be read.
    const fn refused(
        name: &'static str,
        magic: &'static [&'static [u8]],
        extensions: &'static [&'static str],
    ) -> Self {
        Self {
            name,
            magic,
            extensions,
            opener: None,
            holds_text: true,
        }
    }
}

/// Text as it is: what no other row claims.
pub static PLAIN: FileFormat = FileFormat {
    name: "plain",
    magic: &[],
    extensions: &[],
    opener: Some(Ok),
    holds_text: true,
};

/// Every other format there is.
pub static FORMATS: &[FileFormat] = &[
    FileFormat {
        name: "zstd",
        magic: &[b"\x28\xb5\x2f\xfd"],
        extensions: &["zst", "zstd"],
        opener: Some(open_zstd),
        holds_text: true,
    },
    FileFormat {
        name: "gzip",
        magic: &[b"\x1f\x8b"],
        extensions: &["gz"],
        opener: Some(open_gzip),
        holds_text: true,
    },
    FileFormat::refused("bzip2", &[b"BZh91AY&SY"], &["bz2"]),
    FileFormat::refused("xz", &[b"\xfd7zXZ\0"], &["xz"]),
    FileFormat::refused("zip", &[b"PK\x03\x04"], &["zip"]),
    FileFormat::refused("7z", &[b"7z\xbc\xaf\x27\x1c"], &["7z"]),
    // Our own databases among others, which are easily named in the wrong place.
    // By content alone: their names end in anything.
    FileFormat {
        holds_text: false,
        ..FileFormat::refused("SQLite database", &[b"SQLite format 3\0"], &[])
    },
];

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
    // Member after member is decoded, as `gzip -d` does.
    Ok(Box::new(MultiGzDecoder::new(buffered)))
}

/// Tells the format of a stream: by its first bytes (up to
/// [`MAGIC_BYTES_MAX`]), else by the ending of its name.
pub fn recognise(start: &[u8], path: &Path) -> &'static FileFormat {
    // Parallel compressors begin with one of sixteen skippable frames.
    if matches!(start, [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..]) {
        return &FORMATS[0];
    }
    let by_content = FORMATS
        .iter()
        .find(|format| format.magic.iter().any(|magic| start.starts_with(magic)));
    by_content.or_else(|| by_extension(path)).unwrap_or(&PLAIN)
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
        Some(format) if format.opener.is_some() => Path::new(path.file_stem()?).extension(),
        _ => path.extension(),
    }
}

/// Whether a file's name has one of these endings (lower case, without the dot),
/// compressed or not.
pub fn has_extension(path: &Path, known: &[&str]) -> bool {
    bare_extension(path).is_some_and(|found| known.iter().any(|known| same(found, known)))
}

/// The endings that [`has_extension`] finds, for messages.
pub fn endings(known: &[&str]) -> String {
    let compressed = FORMATS.iter().filter(|format| format.opener.is_some());
    let list = |endings: Vec<&str>| {
        let endings: Vec<_> = endings.iter().map(|end| format!(".{end}")).collect();
        endings.join(", ")
    };
    let suffixes = compressed.flat_map(|format| format.extensions.iter().copied());
    let (known, suffixes) = (list(known.to_vec()), list(suffixes.collect()));
    format!("{known}, also compressed: {suffixes}")
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
        assert_eq!(recognise(b"\x5e\x2a\x4d\x18", Path::new("-")).name, "zstd");
        let database = recognise(b"SQLite format 3\0", Path::new("a.pgn"));
        assert_eq!(database.name, "SQLite database");
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
        ] {
            assert!(has_extension(Path::new(name), &known), "{name}");
        }
        for name in [
            "pgn",
            "a.pgn.txt",
            "a.zst",
            "a.pgn.bz2",
            "a.zst.pgnx",
            ".zst",
            "zst",
        ] {
            assert!(!has_extension(Path::new(name), &known), "{name}");
        }
        assert_eq!(
            endings(&known),
            ".pgn, .pdn, also compressed: .zst, .zstd, .gz"
        );
    }

    #[test]
    fn rows_are_distinct_and_short() {
        let mut magic: Vec<_> = FORMATS.iter().flat_map(|format| format.magic).collect();
        assert!(magic.iter().all(|magic| magic.len() <= MAGIC_BYTES_MAX));
        let count = magic.len();
        magic.sort();
        magic.dedup();
        assert_eq!(magic.len(), count);
    }
}
