//! What was decided by hand about names: which are one person's, and which are not.

use super::{NameTable, Store, StoreError};

/// A decision about two names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NameRule {
    /// The table that has them.
    pub table: NameTable,
    /// The row of one.
    pub one: u32,
    /// That of the other.
    pub other: u32,
    /// Whether they are one person's, or else two people's.
    pub is_same: bool,
}

impl Store {
    /// The decisions about names of a table, the oldest first. Databases of this schema have none.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn name_rules(&self, _table: NameTable) -> Result<Vec<NameRule>, StoreError> {
        Ok(Vec::new())
    }

    /// Keeps a decision.
    ///
    /// # Errors
    ///
    /// [`StoreError`]; that the schema is too old where it has no place for decisions.
    pub fn put_name_rule(&self, _rule: NameRule) -> Result<(), StoreError> {
        Err(self.too_old())
    }
}
