//! The tables of chess problems: what is asked of many at once. All of a problem is in its
//! record ([`RecordKind::Problem`](super::RecordKind)).

use rusqlite::params;

use super::{
    Store, StoreError,
    row::{self, number},
    statements as sql,
};
use crate::{base::record::GameId, formats::composition::Composition};

/// What lists show of a problem.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ProblemRow {
    /// Who composed it, in the order printed.
    pub authors: Vec<String>,
    /// What is asked, as written.
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
    /// What is asked.
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
        if !self.has_problems() {
            return Ok(None);
        }
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
    /// [`StoreError`]; a database of an older schema knows of none.
    pub fn for_each_problem(
        &self,
        what: ProblemText,
        mut each: impl FnMut(GameId, &str),
    ) -> Result<(), StoreError> {
        if !self.has_problems() {
            return Err(self.too_old());
        }
        self.each_row(what.all(), [], |row| {
            each(number(row, 0)?, row::text(row, 1)?);
            Ok(())
        })
    }

    /// The start positions of which that stands on the board, and which cannot be played.
    ///
    /// # Errors
    ///
    /// [`StoreError`]; a database of an older schema knows of none.
    pub fn starts_by_diagram(&self, diagram: &str) -> Result<Vec<u32>, StoreError> {
        if !self.has_problems() {
            return Err(self.too_old());
        }
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
        problem: &Composition,
        authors: &[u32],
        format: Option<&str>,
    ) -> Result<(), StoreError> {
        let asked = problem.asked();
        let known = |text: &'_ str| Some(text.to_owned()).filter(|text| !text.is_empty());
        let values = params![
            game as i64,
            problem.stipulation,
            asked.as_ref().map(|asked| asked.play.word()),
            asked.as_ref().map(|asked| asked.goal.sign()),
            asked.as_ref().and_then(|asked| asked.half_moves),
            known(&problem.date),
            known(&problem.volume),
            known(&problem.issue),
            known(&problem.number),
            known(&problem.title),
            known(&problem.award),
            known(&problem.solutions),
            format,
        ];
        self.run(sql::INSERT_PROBLEM, values)?;
        for (nth, author) in (1_u32..).zip(authors) {
            self.run(
                sql::INSERT_PROBLEM_AUTHOR,
                params![game as i64, nth, author],
            )?;
        }
        let lists = [
            ("condition", &problem.conditions),
            ("option", &problem.options),
            ("keyword", &problem.keywords),
        ];
        let lists = lists.into_iter().flat_map(|(kind, values)| {
            let values = values.iter().map(|value| (None, value));
            (1_u32..).zip(values).map(move |part| (kind, part))
        });
        let twins = problem
            .twins
            .iter()
            .map(|(name, change)| (Some(name), change));
        let twins = (1_u32..).zip(twins).map(|part| ("twin", part));
        for (kind, (nth, (name, value))) in lists.chain(twins) {
            let values = params![game as i64, kind, nth, name, value];
            self.run(sql::INSERT_PROBLEM_PART, values)?;
        }
        Ok(())
    }
}
