//! Compression of what is written, by the ending of its name. All of it can be read
//! as a source.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;
use zstd::stream::read::Decoder as ZstdDecoder;
use zstd::stream::write::Encoder as ZstdEncoder;

use crate::base::shown;
use crate::cli::error::CliError;

/// How an output is compressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Packing {
    Plain,
    Zstd,
    Gzip,
}

/// Endings of compressions that are written.
const WRITTEN: &[(&str, Packing)] = &[
    ("zst", Packing::Zstd),
    ("zstd", Packing::Zstd),
    ("gz", Packing::Gzip),
];

/// Endings that promise a compression which is not.
const NOT_WRITTEN: &[&str] = &[
    "7z", "br", "bz2", "lz4", "lzma", "parquet", "rar", "tar", "tbz2", "tgz", "txz", "xz", "z",
    "zip",
];

impl Packing {
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
                shown::path(path)
            ))
            .hint("use a name that ends in .zst (zstd) or .gz (gzip), or write it uncompressed"));
        }
        let written = WRITTEN
            .iter()
            .find(|(known, _)| ending.eq_ignore_ascii_case(known));
        Ok(written.map_or(Self::Plain, |&(_, packing)| packing))
    }

    /// Begins to compress into a writer.
    pub(super) fn begin<W: Write>(self, out: W) -> io::Result<Packed<W>> {
        Ok(match self {
            Self::Plain => Packed::Plain(out),
            Self::Zstd => {
                let mut encoder = ZstdEncoder::new(out, zstd::DEFAULT_COMPRESSION_LEVEL)?;
                encoder.include_checksum(true)?;
                Packed::Zstd(encoder)
            }
            Self::Gzip => Packed::Gzip(GzEncoder::new(out, flate2::Compression::default())),
        })
    }
}

/// What a file that was written so holds, decompressed; `None` if it is not compressed. Its first
/// bytes tell.
pub(crate) fn unpack(path: &Path) -> io::Result<Option<Box<dyn Read>>> {
    let mut start = [0; 4];
    let read = File::open(path)?.read(&mut start)?;
    Ok(match &start[..read] {
        [0x28, 0xb5, 0x2f, 0xfd] => Some(Box::new(ZstdDecoder::new(File::open(path)?)?)),
        [0x1f, 0x8b, ..] => Some(Box::new(MultiGzDecoder::new(File::open(path)?))),
        _ => None,
    })
}

/// A writer behind a compression.
pub(super) enum Packed<W: Write> {
    Plain(W),
    Zstd(ZstdEncoder<'static, W>),
    Gzip(GzEncoder<W>),
}

impl<W: Write> Packed<W> {
    /// Writes the end of the compressed data.
    pub(super) fn finish(self) -> io::Result<W> {
        match self {
            Self::Plain(out) => Ok(out),
            Self::Zstd(encoder) => encoder.finish(),
            Self::Gzip(encoder) => encoder.finish(),
        }
    }
}

impl<W: Write> Write for Packed<W> {
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
            match Packing::of(Path::new(&name)) {
                Ok(packing) => assert_ne!(packing, Packing::Plain, "{name}"),
                Err(error) => assert!(error.to_string().contains(ending), "{error}"),
            }
        }
        let is_read = |ending: &str| packed_endings().any(|known| known == ending);
        assert!(WRITTEN.iter().all(|(ending, _)| is_read(ending)));
        for name in ["games.pgn", "games", ".zst", "gz", "games.zst.pgn"] {
            assert_eq!(Packing::of(Path::new(name)), Ok(Packing::Plain), "{name}");
        }
    }
}
