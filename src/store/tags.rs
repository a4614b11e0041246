//! What games have of their tags that is no fact. Millions of rows are passed over within `SQLite`,
//! which costs a fraction of looking at them here.

use rusqlite::{params_from_iter, types::Value};

use super::{
    Store, StoreError,
    row::{self, number},
    statements as sql,
};
use crate::base::record::GameId;

/// What is read of the tags of games; the less, the faster.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TagColumns {
    /// Which tags there are.
    Layout,
    /// Also the values that have no column.
    Values,
    /// Instead of those the tag `Round`.
    Round,
    /// All of it.
    ValuesAndRound,
}

/// Some layouts, of those with small numbers; the usual ones come first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Layouts(i64);

impl Layouts {
    /// All that there are.
    pub const ALL: Self = Self(-1);

    /// Adds a layout if there is room for it.
    pub fn insert(&mut self, layout: u32) {
        // The last bit would make the number negative, and shifted to the right it stays so.
        if layout < i64::BITS - 1 {
            self.0 |= 1 << layout;
        }
    }
}

/// The rows of games that are read for their tags.
#[derive(Debug, Clone, Copy)]
pub struct TagRows<'r> {
    /// All that is read of any.
    pub columns: TagColumns,
    /// Games of these layouts are passed over …
    pub passed_over: Layouts,
    /// … but for those whose tag `Round` holds one of these texts.
    pub unless_round: &'r [String],
}

impl TagRows<'_> {
    fn statement(&self) -> String {
        let columns = match self.columns {
            TagColumns::Layout => "",
            TagColumns::Values => ", extra",
            TagColumns::Round | TagColumns::ValuesAndRound => ", extra, round",
        };
        // Where all are treated alike, the layout of each row is not read.
        let are_told_apart = !matches!(self.passed_over, Layouts(0) | Layouts::ALL);
        sql::tags_between(columns, self.unless_round.len(), are_told_apart)
    }
}

impl Store {
    /// Calls `each` with what the games from `first` to `last` have of their tags that
    /// is no fact, in order: number, layout, further values as a JSON array, and tag
    /// `Round`. What is not requested is none: `of` says what is wanted of the games of a layout.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn for_each_tags(
        &self,
        (first, last): (GameId, GameId),
        rows: TagRows<'_>,
        of: impl Fn(u32) -> TagColumns,
        mut each: impl FnMut(GameId, u32, Option<&str>, Option<&str>),
    ) -> Result<(), StoreError> {
        let numbers = [first as i64, last as i64, rows.passed_over.0];
        let mut values = numbers.map(Value::from).to_vec();
        let texts = rows.unless_round.iter().cloned();
        values.extend(texts.map(Value::from));
        self.each_row(&rows.statement(), params_from_iter(values), |row| {
            let text = |is_wanted: bool, at| {
                let text = is_wanted.then(|| row::text_or_null(row, at));
                text.transpose().map(Option::flatten)
            };
            let layout = row.get(1)?;
            let of_row = of(layout);
            let is_one = |two: [TagColumns; 2]| two.contains(&of_row);
            let extra = text(is_one([TagColumns::Values, TagColumns::ValuesAndRound]), 2)?;
            let round = text(is_one([TagColumns::Round, TagColumns::ValuesAndRound]), 3)?;
            each(number(row, 0)?, layout, extra, round);
            Ok(())
        })
    }
}
