//! The tests of plydex as a whole: one binary, a module for each kind of promise.

mod architecture;
mod archives;
mod budgets;
mod cli;
mod documents;
mod draughts;
mod draughts_samples;
mod english;
mod faults;
mod findings;
mod frozen;
mod languages;
mod listings;
mod lists;
mod naive;
mod notations;
mod outputs;
mod passages;
mod perft;
mod problems;
mod recognition;
mod records;
mod regressions;
mod reread;
mod roundtrip;
mod sharing;
#[path = "../common/signals.rs"]
mod signals;
mod signature;
mod spellings;
mod sql;
mod support;
mod tagged;
mod values;
mod variants;
mod vectors;
