//! What was decided by hand about names: which are one person's, and which are not.

use std::collections::HashMap;

use rusqlite::params;

use super::{NameTable, Store, StoreError, statements as sql};

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
    /// The decisions about names of a table that stand and whose names there are, the oldest
    /// first.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read or is damaged.
    pub fn name_rules(&self, table: NameTable) -> Result<Vec<NameRule>, StoreError> {
        let rules: Vec<(String, String, bool)> =
            self.all(sql::RULES_OF, [table.place().0], |row| {
                Ok((row.get(0)?, row.get(1)?, row.get(2)?))
            })?;
        if rules.is_empty() {
            return Ok(Vec::new());
        }
        let mut rows: HashMap<&str, Option<u32>> = HashMap::new();
        for (one, other, _) in &rules {
            rows.insert(one, None);
            rows.insert(other, None);
        }
        self.for_each_name(table, |id, name| {
            if let Some(row) = rows.get_mut(name) {
                *row = Some(id);
            }
        })?;
        let known = rules.iter().filter_map(|(one, other, is_same)| {
            Some(NameRule {
                table,
                one: rows[one.as_str()]?,
                other: rows[other.as_str()]?,
                is_same: *is_same,
            })
        });
        Ok(known.collect())
    }

    /// Keeps a decision, by a change that is under way.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if it cannot be written.
    pub fn put_name_rule(&self, change: i64, rule: NameRule) -> Result<(), StoreError> {
        let name = |id| -> Result<String, StoreError> {
            let name = self.name(rule.table, id)?;
            name.ok_or_else(|| self.damaged(format!("name {id} is missing")))
        };
        let (table, _) = rule.table.place();
        let values = params![
            change,
            table,
            name(rule.one)?,
            name(rule.other)?,
            rule.is_same
        ];
        self.run(sql::INSERT_RULE, values).map(drop)
    }
}
