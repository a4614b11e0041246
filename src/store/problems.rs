//! The tables of chess problems: what is queried for many at once. All of a problem is in its
//! record ([`RecordKind::Problem`](super::RecordKind)).

use rusqlite::{Row, params, types::Value};

use super::{
    Store, StoreError,
    row::{self, number},
    statements as sql,
};
use crate::{
    base::record::GameId,
    problems::{Composition, StoredProblem},
};

/// What lists show of a problem.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ProblemRow {
    /// Who composed it, in the order printed.
    pub authors: Vec<String>,
    /// The stipulation, as written.
    pub stipulation: String,
    /// When it was printed, as far as that is known.
    pub date: String,
    /// Its number in its source.
    pub number: String,
}

/// A text of problems; some have several.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProblemText {
    /// Who composed it.
    Author,
    /// The stipulation.
    Stipulation,
    /// Where it was printed.
    Source,
    /// A fairy condition.
    Condition,
    /// A theme.
    Keyword,
}

impl ProblemText {
    const fn all(self) -> &'static str {
        match self {
            Self::Author => sql::PROBLEMS_BY_AUTHOR,
            Self::Stipulation => sql::PROBLEMS_BY_STIPULATION,
            Self::Source => sql::PROBLEMS_BY_SOURCE,
            Self::Condition => sql::PROBLEMS_BY_CONDITION,
            Self::Keyword => sql::PROBLEMS_BY_KEYWORD,
        }
    }
}

impl Store {
    /// What lists show of a game if it is a problem.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read or is damaged; likewise below.
    pub fn problem(&self, game: GameId) -> Result<Option<ProblemRow>, StoreError> {
        let found = self.one(sql::PROBLEM_BY_GAME, [game as i64], |row| {
            let text = |at| row::text_or_null(row, at).map(Option::unwrap_or_default);
            Ok(ProblemRow {
                authors: Vec::new(),
                stipulation: text(0)?.to_owned(),
                date: text(1)?.to_owned(),
                number: text(2)?.to_owned(),
            })
        })?;
        let Some(mut problem) = found else {
            return Ok(None);
        };
        problem.authors = self.all(sql::AUTHORS_OF_PROBLEM, [game as i64], |row| row.get(0))?;
        Ok(Some(problem))
    }

    /// Calls `each` with every problem and each of its texts of a kind.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn for_each_problem(
        &self,
        what: ProblemText,
        mut each: impl FnMut(GameId, &str),
    ) -> Result<(), StoreError> {
        self.each_row(what.all(), [], |row| {
            each(number(row, 0)?, row::text(row, 1)?);
            Ok(())
        })
    }

    /// The row of the first composer of a problem, if it has one and the game is one.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn first_author(&self, game: GameId) -> Result<Option<u32>, StoreError> {
        self.one(sql::FIRST_AUTHOR, [game as i64], |row| row.get(0))
    }

    /// The start positions with that on the board which cannot be played.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn starts_by_diagram(&self, diagram: &str) -> Result<Vec<u32>, StoreError> {
        self.all(sql::STARTS_BY_DIAGRAM, [diagram], |row| row.get(0))
    }

    /// Adds the rows of a problem; its composers are rows of `author`.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn insert_problem(
        &self,
        game: GameId,
        filed: &Composition,
        authors: &[u32],
        format: Option<&str>,
    ) -> Result<(), StoreError> {
        self.run(sql::INSERT_PROBLEM, columns(game, filed, format))?;
        for (nth, author) in (1_u32..).zip(authors) {
            self.run(
                sql::INSERT_PROBLEM_AUTHOR,
                params![game as i64, nth, author],
            )?;
        }
        for part in parts(game, filed) {
            self.run(sql::INSERT_PROBLEM_PART, part)?;
        }
        Ok(())
    }

    /// Whether the rows of a problem say what its record does.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn problem_agrees(&self, game: GameId, filed: &StoredProblem) -> Result<bool, StoreError> {
        fn row<const N: usize>(row: &Row<'_>) -> rusqlite::Result<[Value; N]> {
            let mut values = std::array::from_fn(|_| Value::Null);
            for (at, value) in values.iter_mut().enumerate() {
                *value = row.get(at)?;
            }
            Ok(values)
        }
        let problem = &filed.problem;
        let format = filed.source.as_ref().map(|source| source.format.as_str());
        let own = self.one(sql::COLUMNS_OF_PROBLEM, [game as i64], row)?;
        let authors = self.all(sql::AUTHORS_OF_PROBLEM, [game as i64], row::<1>)?;
        let printed = problem.authors.iter().cloned();
        let authors_agree = printed.map(|author| [Value::Text(author)]).eq(authors);
        let mut expected = parts(game, problem);
        let key = |part: &[Value; 5]| match (&part[1], &part[2]) {
            (Value::Text(kind), Value::Integer(nth)) => (kind.clone(), *nth),
            _ => Default::default(),
        };
        expected.sort_by_key(key);
        Ok(own == Some(columns(game, problem, format))
            && authors_agree
            && self.all(sql::PARTS_OF_PROBLEM, [game as i64], row)? == expected)
    }
}

/// The columns of `problem`.
fn columns(game: GameId, problem: &Composition, format: Option<&str>) -> [Value; 13] {
    let asked = problem.asked();
    let asked = asked.as_ref();
    let known = |text: &String| Some(text.clone()).filter(|text| !text.is_empty()).into();
    [
        (game as i64).into(),
        problem.stipulation.clone().into(),
        asked.map(|asked| asked.play.word().to_owned()).into(),
        asked.map(|asked| asked.goal.sign()).into(),
        asked.and_then(|asked| asked.half_moves).into(),
        known(&problem.date),
        known(&problem.volume),
        known(&problem.issue),
        known(&problem.number),
        known(&problem.title),
        known(&problem.award),
        known(&problem.solutions),
        format.map(str::to_owned).into(),
    ]
}

/// The rows of `problem_part`.
fn parts(game: GameId, problem: &Composition) -> Vec<[Value; 5]> {
    let lists = [
        ("condition", &problem.conditions),
        ("option", &problem.options),
        ("keyword", &problem.keywords),
    ];
    let lists = lists.into_iter().flat_map(|(kind, values)| {
        let values = values.iter().map(|value| (None, value));
        (1_i64..).zip(values).map(move |part| (kind, part))
    });
    let twins = problem
        .twins
        .iter()
        .map(|(name, change)| (Some(name), change));
    let twins = (1_i64..).zip(twins).map(|part| ("twin", part));
    let rows = lists.chain(twins).map(|(kind, (nth, (name, value)))| {
        [
            (game as i64).into(),
            kind.to_owned().into(),
            nth.into(),
            name.cloned().into(),
            value.clone().into(),
        ]
    });
    rows.collect()
}
