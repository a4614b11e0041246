//! Reports made of games: the figures that all of them show, and what each is made of.
//!
//! [`figures`] sums up games from one side's view, [`expectation`] computes what the ratings let
//! expect, [`significance`] tests whether a difference is more than chance; [`crosstable`] makes the table of an
//! event.

pub mod crosstable;
pub mod departures;
pub mod expectation;
pub mod figures;
pub mod plans;
pub mod player;
pub mod position;
mod sample;
pub mod significance;
pub mod structures;
pub mod timeline;
