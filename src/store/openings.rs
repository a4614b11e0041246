//! Openings that games have reached, and which table of names they are from.

use std::collections::HashMap;

use rusqlite::params;

use super::{NameRows, NameTable, Store, StoreError, row::number, statements as sql};
use crate::{
    base::record::GameId,
    blocks::facts::{self, PackedFacts},
    games::{NamedOpening, opening_names},
};

impl Store {
    /// Whether the openings are from the table of names that this program has.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read; likewise below.
    pub fn has_own_openings(&self) -> Result<bool, StoreError> {
        let stored = self.one(sql::OPENING_TABLE, [], |row| number(row, 0))?;
        Ok(stored == Some(opening_names::hash()))
    }

    /// Says that the openings are from this program's table of names.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if it cannot be written; likewise below.
    pub fn note_opening_table(&self) -> Result<(), StoreError> {
        self.run(sql::FORGET_OPENING_TABLE, [])?;
        let hash = opening_names::hash() as i64;
        self.run(sql::NOTE_OPENING_TABLE, [hash]).map(drop)
    }

    /// Gives all games the openings that they have by this program's table, in their rows and in
    /// their facts; how many have others than before. `each` is given how many were looked at.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn name_openings(
        &self,
        mut of: impl FnMut(GameId) -> Result<Option<&'static NamedOpening>, StoreError>,
        mut each: impl FnMut(u64) -> Result<(), StoreError>,
    ) -> Result<u64, StoreError> {
        let mut names = self.dictionary(NameTable::Opening)?;
        let mut ids: HashMap<u16, u32> = HashMap::new();
        let (mut next, mut changed) = (1, 0);
        while let Some((first, mut block)) = self.facts_from(next)? {
            next = first + block.len().max(1) as u64;
            for (game, facts) in (first..).zip(&mut block) {
                let id = match of(game)? {
                    None => 0,
                    Some(opening) => self.opening_id(opening, &mut names, &mut ids)?,
                };
                if facts.opening != id {
                    let value = (id > 0).then_some(id);
                    self.run(sql::UPDATE_OPENING, params![game as i64, value])?;
                    changed += 1;
                }
                *facts = PackedFacts {
                    opening: id,
                    ..*facts
                };
            }
            let values = params![first as i64, facts::write(&block)];
            self.run(sql::INSERT_FACTS, values)?;
            each(block.len() as u64)?;
        }
        self.delete_idle("opening", sql::IDLE_OPENINGS)?;
        self.note_opening_table()?;
        Ok(changed)
    }

    /// The row of an opening, which is made if there is none.
    fn opening_id(
        &self,
        opening: &NamedOpening,
        names: &mut NameRows,
        ids: &mut HashMap<u16, u32>,
    ) -> Result<u32, StoreError> {
        if let Some(id) = ids.get(&opening.number) {
            return Ok(*id);
        }
        let name = opening.text();
        let id = if let Some(id) = names.get(&name) {
            id
        } else {
            let id = names.add(&name);
            self.insert_name(NameTable::Opening, id, &name)?;
            id
        };
        ids.insert(opening.number, id);
        Ok(id)
    }
}
