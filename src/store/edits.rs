//! Edits of tags in the log of changes.

use std::collections::HashMap;

use rusqlite::params;

use super::{Store, StoreError, read::GAPS_MAX, row::number, statements as sql};
use crate::base::record::GameId;

/// Tags, as a list of names and values.
pub type TagList = Vec<(String, String)>;

/// What tags say of a game, and its outcome, which its moves may show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TagValues {
    /// The code of the outcome.
    pub outcome: u8,
    /// The tags, in order.
    pub tags: TagList,
}

/// The tags of a game before a change and after it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EditRow {
    /// The game.
    pub game: GameId,
    /// Its tags before.
    pub before: TagValues,
    /// Its tags after.
    pub after: TagValues,
}

/// Tables that games have rows of, in the order in which a statement gives them.
const HAD_TABLES: [&str; 6] = [
    "player",
    "event",
    "site",
    "start_position",
    "tag_layout",
    "text",
];

/// The place of one of these tables, and a row of it.
pub type PreviousRow = (usize, Option<i64>);

impl Store {
    /// Which names, texts and start position a game has.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn rows_of_game(&self, game: GameId) -> Result<Vec<PreviousRow>, StoreError> {
        self.all(sql::ROWS_OF_GAME, [game as i64], |row| {
            Ok((number(row, 0)? as usize, row.get(1)?))
        })
    }

    /// Takes away what a game had, and has no longer, if no other has it.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn forget_idle_of(&self, game: GameId, had: &[PreviousRow]) -> Result<(), StoreError> {
        let has = self.rows_of_game(game)?;
        for (table, row) in had.iter().filter(|row| !has.contains(row)) {
            let (Some(&table), Some(row)) = (HAD_TABLES.get(*table), row) else {
                continue;
            };
            let gaps = self.one(&sql::gaps_of(table), [], |row| number(row, 0))?;
            // Numbers may be left out, but not too many.
            if gaps.unwrap_or(0) < u64::from(GAPS_MAX)
                && self.run(&sql::delete_unless_had(table), [row])? > 0
                && table == "tag_layout"
            {
                self.delete_idle("tag_name", sql::IDLE_TAG_NAMES)?;
                self.layouts.borrow_mut().clear();
            }
        }
        Ok(())
    }

    /// Notes what a change made of the tags of a game.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn insert_edit(&self, change: i64, edit: &EditRow) -> Result<(), StoreError> {
        let json = |tagged: &TagValues| {
            let texts = tagged.tags.iter();
            let texts = texts.flat_map(|(name, value)| [name.clone(), value.clone()]);
            let all = [tagged.outcome.to_string()].into_iter().chain(texts);
            serde_json::Value::from(all.collect::<Vec<String>>()).to_string()
        };
        let values = params![
            change,
            edit.game as i64,
            json(&edit.before),
            json(&edit.after)
        ];
        self.run(sql::INSERT_EDIT, values).map(drop)
    }

    /// What a change made of the tags of games, in their order.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn edits(&self, change: i64) -> Result<Vec<EditRow>, StoreError> {
        let rows = self.all(sql::EDITS_OF, [change], |row| {
            Ok((number(row, 0)?, [row.get::<_, String>(1)?, row.get(2)?]))
        })?;
        rows.into_iter()
            .map(|(game, texts)| {
                let [before, after] = texts.map(|json| tagged_as(&json));
                match (before, after) {
                    (Some(before), Some(after)) => Ok(EditRow {
                        game,
                        before,
                        after,
                    }),
                    _ => Err(self.damaged(format!("table edit: game {game} of change {change}"))),
                }
            })
            .collect()
    }

    /// What games said of themselves as they came from their sources, if an edit that stands has
    /// changed it.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn told_before_edits(&self) -> Result<HashMap<GameId, TagValues>, StoreError> {
        let mut told = HashMap::new();
        // The oldest edit of a game comes last.
        for (game, json) in self.all(sql::TOLD_BEFORE, [], |row| {
            Ok((number(row, 0)?, row.get::<_, String>(1)?))
        })? {
            let damaged = || self.damaged(format!("table edit: game {game}"));
            told.insert(game, tagged_as(&json).ok_or_else(damaged)?);
        }
        Ok(told)
    }

    /// The games that changes which stand have edited, each with the first of these.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn edited_games(&self) -> Result<HashMap<GameId, i64>, StoreError> {
        let edited = self.all(sql::EDITED_GAMES, [], |row| {
            Ok((number(row, 0)?, row.get(1)?))
        })?;
        // The last of a game stays.
        Ok(edited.into_iter().collect())
    }
}

fn tagged_as(json: &str) -> Option<TagValues> {
    let texts: Vec<String> = serde_json::from_str(json).ok()?;
    let (outcome, texts) = texts.split_first()?;
    let pairs = texts.chunks_exact(2);
    if !pairs.remainder().is_empty() {
        return None;
    }
    Some(TagValues {
        outcome: outcome.parse().ok()?,
        tags: pairs
            .map(|pair| (pair[0].clone(), pair[1].clone()))
            .collect(),
    })
}
