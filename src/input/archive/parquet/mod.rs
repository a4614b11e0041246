//! Parquet: a table of games or of positions. It becomes the text that people write of
//! such, PGN or a table with commas: a row is a game if a column has moves, packed as Aix does
//! or as text.

mod columns;
mod game;

use std::{
    io::{self, Read, Seek, SeekFrom},
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use bytes::Bytes;
use parquet::{
    basic::Compression,
    errors::{ParquetError, Result as ParquetResult},
    file::{
        metadata::ColumnChunkMetaData,
        reader::{ChunkReader, FileReader, Length},
        serialized_reader::SerializedFileReader,
    },
    record::{Row, reader::RowIter},
};

use super::{super::error::SourceErrorKind as Kind, MemberSink, SeekableArchive};
use columns::ParquetColumns;

/// Hands out what the table of a Parquet file says, as one member.
pub(in super::super) fn walk(mut file: SeekableArchive, outlet: &mut MemberSink) -> io::Result<()> {
    let bytes = file.seek(SeekFrom::End(0))?;
    let table = SharedFile {
        file: Arc::new(Mutex::new(file)),
        bytes,
    };
    // The crate trusts what it has not checked.
    let opened = catch_unwind(AssertUnwindSafe(|| SerializedFileReader::new(table)));
    let reader = opened.map_err(|_| damaged())?.map_err(of_table)?;
    let schema = reader.metadata().file_metadata().schema_descr();
    let names = schema.root_schema().get_fields().iter();
    let names: Vec<String> = names.map(|field| field.name().to_owned()).collect();
    let Some(columns) = ParquetColumns::of(&names) else {
        let names = names.join(", ");
        return Err(outlet.cannot(Kind::Columns { names }));
    };
    let groups = reader.metadata().row_groups().iter();
    let mut codecs = groups.flat_map(|group| {
        let columns = group.columns().iter();
        columns.map(ColumnChunkMetaData::compression)
    });
    let is_unknown =
        |codec: &Compression| matches!(codec, Compression::BROTLI(_) | Compression::LZO);
    if let Some(method) = codecs.find(is_unknown) {
        return Err(outlet.cannot(Kind::Method {
            format: "Parquet",
            method: format!("{method:?}").split('(').take(1).collect(),
        }));
    }
    let mut rows = RowText {
        rows: RowIter::from_file_into(Box::new(reader)),
        text: io::Cursor::new(columns.head().into_bytes()),
        columns: &columns,
    };
    let _ = outlet.member(columns.member(), &mut rows);
    Ok(())
}

/// What the text of a table is read from: made row by row.
struct RowText<'c> {
    rows: RowIter<'static>,
    /// What was made and not read yet.
    text: io::Cursor<Vec<u8>>,
    columns: &'c ParquetColumns,
}

impl Read for RowText<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let count = self.text.read(buffer)?;
            if count > 0 || buffer.is_empty() {
                return Ok(count);
            }
            let next = catch_unwind(AssertUnwindSafe(|| self.rows.next()));
            let row: Row = match next.map_err(|_| damaged())? {
                Some(row) => row.map_err(of_table)?,
                None => return Ok(0),
            };
            self.text = io::Cursor::new(self.columns.text(&row).into_bytes());
        }
    }
}

fn damaged() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "the table contradicts itself")
}

fn of_table(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(source) => match source.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(source) => io::Error::new(io::ErrorKind::InvalidData, source),
        },
        error => io::Error::new(io::ErrorKind::InvalidData, error),
    }
}

/// A file that several columns are read from, now here, now there.
#[derive(Clone)]
struct SharedFile {
    file: Arc<Mutex<SeekableArchive>>,
    bytes: u64,
}

impl SharedFile {
    fn file(&self) -> MutexGuard<'_, SeekableArchive> {
        self.file.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Length for SharedFile {
    fn len(&self) -> u64 {
        self.bytes
    }
}

impl ChunkReader for SharedFile {
    type T = SharedPart;

    fn get_read(&self, start: u64) -> ParquetResult<SharedPart> {
        let file = self.clone();
        Ok(SharedPart { file, at: start })
    }

    fn get_bytes(&self, start: u64, length: usize) -> ParquetResult<Bytes> {
        let mut bytes = Vec::new();
        let part = self.get_read(start)?;
        let read = part.take(length as u64).read_to_end(&mut bytes)?;
        if read < length {
            let end = io::Error::from(io::ErrorKind::UnexpectedEof);
            return Err(end.into());
        }
        Ok(bytes.into())
    }
}

/// Such a file from one place on.
struct SharedPart {
    file: SharedFile,
    at: u64,
}

impl Read for SharedPart {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut file = self.file.file();
        let here = file.stream_position()?;
        let way = self.at.checked_signed_diff(here);
        // What was fetched already is not fetched again.
        file.seek_relative(way.ok_or(io::ErrorKind::InvalidInput)?)?;
        let count = file.read(buffer)?;
        self.at += count as u64;
        Ok(count)
    }
}
