//! What a person decides about two spellings of a name.

use crate::{
    base::observe::Observer,
    people, search,
    store::{ChangeKind, NameRule, NameTable, Store, StoreError},
};

/// What was decided, and kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NameDecision {
    /// The change that it is.
    pub change: i64,
    /// What was decided, as the log has it.
    pub description: String,
}

/// Why nothing can be decided about two names. The database is as it was.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NameDecisionError {
    /// No game has the name.
    #[error("{}", search::no_such_name(*table, name, nearest))]
    NoName {
        /// Of what it would be a name.
        table: NameTable,
        /// As it was typed.
        name: String,
        /// Names that are nearly so.
        nearest: Vec<String>,
    },
    /// They are spellings of one name already.
    #[error("these are already spellings of the same {}", .0.nouns()[0])]
    AlreadySame(NameTable),
    /// The database cannot be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl NameDecisionError {
    /// What to do about it, for a person.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::NoName { table, .. } => match table {
                NameTable::Event => "write the name as `plydex events --spellings` shows it",
                NameTable::Site => "write the name as `plydex sites --spellings` shows it",
                _ => "write the name as `plydex players --spellings` shows it",
            },
            Self::AlreadySame(_) => "name two spellings as they are in the games",
            Self::Store(error) => error.hint(),
        }
    }
}

/// Keeps that two names are the same person's, event's or site's, or that they are not.
///
/// # Errors
///
/// [`NameDecisionError`]; then nothing has changed.
pub fn decide(
    store: &Store,
    table: NameTable,
    names: &[String; 2],
    is_same: bool,
    observer: &dyn Observer,
) -> Result<NameDecision, NameDecisionError> {
    let _alone = store.write_alone(observer)?;
    let [one, other] = names;
    let rows = [row_of(store, table, one)?, row_of(store, table, other)?];
    // FIDE may have given several numbers to one player, or a game may have a wrong one.
    let is_parted =
        || people::has_namesakes(store, rows[0]).map(|has| has && table == NameTable::Player);
    if rows[0] == rows[1] && !(is_same && is_parted()?) {
        return Err(NameDecisionError::AlreadySame(table));
    }
    let [noun, nouns] = table.nouns();
    let description = if one == other {
        format!("all games of `{one}` are of one {noun}")
    } else if is_same {
        format!("`{one}` and `{other}` are one {noun}")
    } else {
        format!("`{one}` and `{other}` are two {nouns}")
    };
    let rule = NameRule {
        table,
        one: rows[0],
        other: rows[1],
        is_same,
    };
    let mut change = 0;
    store.at_once(|| {
        change = store.insert_change(ChangeKind::Names, &description, None, None)?;
        store.put_name_rule(change, rule)
    })?;
    Ok(NameDecision {
        change,
        description,
    })
}

/// The row of a name: written as it is, or the only one that differs in case alone.
fn row_of(store: &Store, table: NameTable, name: &str) -> Result<u32, NameDecisionError> {
    let (mut exact, mut alike) = (None, Vec::new());
    store.for_each_name(table, |id, stored| {
        if stored == name {
            exact = Some(id);
        } else if stored.to_lowercase() == name.to_lowercase() {
            alike.push(id);
        }
    })?;
    match (exact, &alike[..]) {
        (Some(id), _) | (None, &[id]) => Ok(id),
        _ => Err(NameDecisionError::NoName {
            table,
            name: name.to_owned(),
            nearest: search::suggestions(store, table, name)?,
        }),
    }
}
