//! What the values of tags mean: dates, ratings, results, openings, clocks.
//!
//! The text of a tag is always kept as it was written; what is read here only
//! serves filters, sorting and statistics. Nothing in this module fails: a value
//! that says nothing certain is unknown, not wrong. `docs/values.md` explains the rules to users.

pub mod date;
pub mod eco;
pub mod elo;
pub mod expected;
pub mod game_type;
pub mod heading;
pub mod names;
pub mod person;
pub mod result;
pub mod time_control;

/// The rows of a tab-separated test vector below its heading; short rows are
/// filled up, so that a test can ask for the columns it knows.
#[cfg(test)]
pub(crate) fn rows<const N: usize>(text: &str) -> impl Iterator<Item = [&str; N]> {
    text.lines().skip(1).map(|line| {
        let mut cells = line.split('\t');
        std::array::from_fn(|_| cells.next().unwrap_or(""))
    })
}
