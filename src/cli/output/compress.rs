//! Compression of what is written, by the ending of its name. All of it can be read
//! as a source.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;
use zstd::stream::read::Decoder as ZstdDecoder;
use zstd::stream::write::Encoder as ZstdEncoder;

use crate::base::{display_path, observe::CancellationToken};
use crate::cli::error::CliError;

/// Bytes that are decompressed at a time.
const UNPACK_BYTES: usize = 1 << 18;

/// How an output is compressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Compression {
    Plain,
    Zstd,
    Gzip,
}

/// Endings of compressions that are written.
const WRITTEN: &[(&str, Compression)] = &[
    ("zst", Compression::Zstd),
    ("zstd", Compression::Zstd),
    ("gz", Compression::Gzip),
];

/// Endings that promise a compression which is not.
const NOT_WRITTEN: &[&str] = &[
    "7z", "br", "bz2", "lz4", "lzma", "parquet", "rar", "tar", "tbz2", "tgz", "txz", "xz", "z",
    "zip",
];

impl Compression {
    /// What the ending of a name asks for.
    pub(super) fn of(path: &Path) -> Result<Self, CliError> {
        let Some(ending) = path.extension() else {
            return Ok(Self::Plain);
        };
        if let Some(ending) = NOT_WRITTEN
            .iter()
            .find(|&known| ending.eq_ignore_ascii_case(known))
        {
            return Err(CliError::new(format!(
                "{}: writing .{ending} files is not supported",
                display_path::path(path)
            ))
            .hint("use a name that ends in .zst (zstd) or .gz (gzip), or write it uncompressed"));
        }
        let written = WRITTEN
            .iter()
            .find(|(known, _)| ending.eq_ignore_ascii_case(known));
        Ok(written.map_or(Self::Plain, |&(_, packing)| packing))
    }

    /// Begins to compress into a writer.
    pub(super) fn begin<W: Write>(self, out: W) -> io::Result<CompressedWriter<W>> {
        Ok(match self {
            Self::Plain => CompressedWriter::Plain(out),
            Self::Zstd => {
                let mut encoder = ZstdEncoder::new(out, zstd::DEFAULT_COMPRESSION_LEVEL)?;
                encoder.include_checksum(true)?;
                CompressedWriter::Zstd(encoder)
            }
            Self::Gzip => {
                CompressedWriter::Gzip(GzEncoder::new(out, flate2::Compression::default()))
            }
        })
    }
}

/// What is compressed in a file that was written so, as a reader; `None` if it is not compressed.
/// Its first bytes decide.
fn unpacked(path: &Path) -> io::Result<Option<Box<dyn Read>>> {
    let mut start = [0; 4];
    let read = File::open(path)?.read(&mut start)?;
    Ok(match &start[..read] {
        [0x28, 0xb5, 0x2f, 0xfd] => Some(Box::new(ZstdDecoder::new(File::open(path)?)?)),
        [0x1f, 0x8b, ..] => Some(Box::new(MultiGzDecoder::new(File::open(path)?))),
        _ => None,
    })
}

/// Decompresses a file into a new one of a folder of drafts; the new one, or `None` if the file is
/// not compressed.
pub(crate) fn unpack(
    path: &Path,
    drafts: &Path,
    stop: &CancellationToken,
) -> Result<Option<PathBuf>, CliError> {
    let failed = |error: io::Error| {
        CliError::new(format!("{}: cannot be read", display_path::path(path))).because(&error)
    };
    let no_room = |error: io::Error| {
        CliError::new("no room for the decompressed file")
            .because(&error)
            .hint("set TMPDIR to a folder with more room")
    };
    let Some(mut packed) = unpacked(path).map_err(failed)? else {
        return Ok(None);
    };
    let draft = drafts.join("unpacked");
    let mut file = File::create(&draft).map_err(no_room)?;
    let mut bytes = vec![0; UNPACK_BYTES];
    loop {
        let count = packed.read(&mut bytes).map_err(failed)?;
        if count == 0 {
            return Ok(Some(draft));
        }
        if stop.is_cancelled() {
            return Err(CliError::interrupted());
        }
        file.write_all(&bytes[..count]).map_err(no_room)?;
    }
}

/// A writer that compresses.
pub(super) enum CompressedWriter<W: Write> {
    Plain(W),
    Zstd(ZstdEncoder<'static, W>),
    Gzip(GzEncoder<W>),
}

impl<W: Write> CompressedWriter<W> {
    /// Writes the end of the compressed data.
    pub(super) fn finish(self) -> io::Result<W> {
        match self {
            Self::Plain(out) => Ok(out),
            Self::Zstd(encoder) => encoder.finish(),
            Self::Gzip(encoder) => encoder.finish(),
        }
    }
}

impl<W: Write> Write for CompressedWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Plain(out) => out.write(bytes),
            Self::Zstd(encoder) => encoder.write(bytes),
            Self::Gzip(encoder) => encoder.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Plain(out) => out.flush(),
            Self::Zstd(encoder) => encoder.flush(),
            Self::Gzip(encoder) => encoder.flush(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::format::packed_endings;

    #[test]
    fn what_is_written_can_be_read_and_what_cannot_is_refused() {
        for ending in packed_endings() {
            let name = format!("games.pgn.{}", ending.to_uppercase());
            match Compression::of(Path::new(&name)) {
                Ok(packing) => assert_ne!(packing, Compression::Plain, "{name}"),
                Err(error) => assert!(error.to_string().contains(ending), "{error}"),
            }
        }
        let is_read = |ending: &str| packed_endings().any(|known| known == ending);
        assert!(WRITTEN.iter().all(|(ending, _)| is_read(ending)));
        for name in ["games.pgn", "games", ".zst", "gz", "games.zst.pgn"] {
            assert_eq!(
                Compression::of(Path::new(name)),
                Ok(Compression::Plain),
                "{name}"
            );
        }
    }
}
