//! Which database a file is, and which state of it.
//!
//! A database has a random number for life, and a generation that each transaction raises before
//! it writes anything else. The table `identity` has both in its one row. It is the first table of
//! the schema, so its row is on the second page of the file, where it can be read without `SQLite`:
//! of a file, of a log, of a journal.

use super::{Store, StoreError, statements as sql};

/// The number of a database, and the number of transactions that were begun on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct DatabaseIdentity {
    pub(super) number: u64,
    pub(super) generation: u64,
}

/// A variable-length integer of `SQLite` (section 1.6 of its file format), and what follows it.
fn varint(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let mut value = 0;
    for (at, byte) in bytes.iter().enumerate().take(9) {
        if at == 8 {
            return Some(((value << 8) | u64::from(*byte), &bytes[9..]));
        }
        value = (value << 7) | u64::from(byte & 0x7f);
        if byte & 0x80 == 0 {
            return Some((value, &bytes[at + 1..]));
        }
    }
    None
}

/// A whole number of a record, by its serial type (section 2.1 of the file format), and what
/// follows it.
fn whole_number(serial_type: u64, bytes: &[u8]) -> Option<(i64, &[u8])> {
    let size = match serial_type {
        0 | 8 => return Some((0, bytes)),
        9 => return Some((1, bytes)),
        1..=4 => serial_type as usize,
        5 => 6,
        6 => 8,
        _ => return None,
    };
    let (value, rest) = bytes.split_at_checked(size)?;
    let sign = if value[0] & 0x80 == 0 { 0 } else { -1 };
    let number = value
        .iter()
        .fold(sign, |number: i64, byte| (number << 8) | i64::from(*byte));
    Some((number, rest))
}

impl DatabaseIdentity {
    /// The identity in the second page of a database; `None` if it is not there.
    pub(super) fn in_page(page: &[u8]) -> Option<Self> {
        const LEAF_OF_TABLE: u8 = 13;
        let short = |at: usize| {
            let bytes = page.get(at..)?.first_chunk()?;
            Some(usize::from(u16::from_be_bytes(*bytes)))
        };
        if *page.first()? != LEAF_OF_TABLE || short(3)? != 1 {
            return None;
        }
        let (_size, cell) = varint(page.get(short(8)?..)?)?;
        let (_rowid, record) = varint(cell)?;
        let (header_bytes, types) = varint(record)?;
        let mut types = types;
        let mut values = record.get(usize::try_from(header_bytes).ok()?..)?;
        let mut columns = [0; 3];
        for column in &mut columns {
            let (serial_type, more_types) = varint(types)?;
            (*column, values) = whole_number(serial_type, values)?;
            types = more_types;
        }
        let [_id, number, generation] = columns;
        Some(Self {
            number: number.cast_unsigned(),
            generation: generation.cast_unsigned(),
        })
    }
}

impl Store {
    /// A number for a new database.
    pub(super) fn random_number(&self) -> Result<u64, StoreError> {
        let random = self.one(sql::RANDOM, [], |row| row.get::<_, i64>(0))?;
        // 0 stands for a number that is not known.
        Ok(random.unwrap_or(1).cast_unsigned().max(1))
    }

    /// The number of this database: another database has another one, a copy made by the system's
    /// means has the same.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if it cannot be read.
    pub fn identity_number(&self) -> Result<u64, StoreError> {
        let number = self.one(sql::IDENTITY, [], |row| row.get::<_, i64>(0))?;
        let number = number.ok_or_else(|| self.damaged("table identity is empty"))?;
        Ok(number.cast_unsigned())
    }

    /// The number of this database and that of its state, which each transaction raises: two reads
    /// that give the same see the same.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if it cannot be read.
    pub fn state(&self) -> Result<[u64; 2], StoreError> {
        let state = self.one(sql::STATE, [], |row| {
            Ok([row.get::<_, i64>(0)?, row.get::<_, i64>(1)?])
        })?;
        let state = state.ok_or_else(|| self.damaged("table identity is empty"))?;
        Ok(state.map(i64::cast_unsigned))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{base::observe::CancellationToken, store::PAGE_BYTES};

    #[test]
    fn the_second_page_has_it_whatever_the_numbers() {
        let folder = tempfile::tempdir().expect("a folder");
        for (at, number) in [1, 0x7f, 0x80, 0xffff, 0x1234_5678_9abc, 1 << 63, u64::MAX]
            .into_iter()
            .enumerate()
        {
            let path = folder.path().join(format!("{at}.db"));
            let store =
                Store::create_numbered(&path, number, &CancellationToken::default()).expect("new");
            assert_eq!(store.identity_number().expect("a number"), number);
            for generation in [0, 1, 127, 128, 32_768, 1 << 23, 1 << 31, 1 << 47, 1 << 62] {
                let set = format!("UPDATE identity SET generation = {generation}");
                store.connection.execute_batch(&set).expect("a change");
                let file = std::fs::read(&path).expect("a file");
                let page = &file[usize::from(PAGE_BYTES)..][..usize::from(PAGE_BYTES)];
                let expected = Some(DatabaseIdentity { number, generation });
                assert_eq!(DatabaseIdentity::in_page(page), expected);
                // Whatever is cut or turned, it does not panic.
                for end in 0..64 {
                    let _ = DatabaseIdentity::in_page(&page[..end]);
                    let mut turned = page.to_vec();
                    turned[end] ^= 0xff;
                    let _ = DatabaseIdentity::in_page(&turned);
                }
            }
        }
    }
}
