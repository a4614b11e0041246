//! Which names of players games give which numbers of FIDE. What is here may be more than the games
//! that are left have, and never less.

use rusqlite::params;

use super::{Store, StoreError, row::number, statements as sql};

impl Store {
    /// Adds a number of FIDE to the row of a player.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if it cannot be written.
    pub fn insert_fide_name(&self, player: u32, fide_id: u32) -> Result<(), StoreError> {
        self.run(sql::INSERT_FIDE_NAME, params![player, fide_id])
            .map(drop)
    }

    /// The numbers of the row of a player.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read; likewise below.
    pub fn fide_ids_of(&self, player: u32) -> Result<Vec<u32>, StoreError> {
        self.all(sql::FIDE_IDS_OF, [player], |row| row.get(0))
    }

    /// The rows of players that have a number.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn players_of_fide_id(&self, fide_id: u32) -> Result<Vec<u32>, StoreError> {
        self.all(sql::PLAYERS_OF_FIDE_ID, [fide_id], |row| row.get(0))
    }

    /// Whether it is known that a name has a number.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn has_any_fide_name(&self) -> Result<bool, StoreError> {
        let any = self.one(sql::ANY_FIDE_NAME, [], |row| number(row, 0))?;
        Ok(any.is_some())
    }
}
