//! What only databases of the first schema have: comments and variations as text.

use super::{Store, StoreError, row};
use crate::base::record::GameId;

const ANNOTATION_BY_GAME: &str = "SELECT items FROM annotation WHERE game = ?1";

impl Store {
    /// What `read` makes of a game's annotations, which are JSON, if it has any.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn annotation<T>(
        &self,
        game: GameId,
        read: impl FnOnce(&str) -> T,
    ) -> Result<Option<T>, StoreError> {
        self.one(ANNOTATION_BY_GAME, [game as i64], |row| {
            Ok(read(row::text(row, 0)?))
        })
    }
}
