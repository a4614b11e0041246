//! Databases: how games get in, how they are kept, how they are found.
//!
//! - [`changes`] takes back what was done, deletes and edits;
//! - [`import`] brings sources into a database;
//! - [`index`] files every position of every game;
//! - [`store`] is the only place that uses SQL;
//! - [`replay`] sets stored games in motion;
//! - [`identity`] determines which games are the same;
//! - [`people`] determines which names are the same person's;
//! - [`findings`] shows what imports found wanting where it stands;
//! - [`planner`] decides which data answers a query;
//! - [`search`] answers queries;
//! - [`reindex`] makes again what an older program has derived from the games;
//! - [`repair`] copies what is intact in a damaged one;
//! - [`reread`] reads sources again in another way.

pub mod changes;
pub mod findings;
pub mod identity;
pub mod import;
pub mod index;
#[cfg(test)]
mod linear_tests;
pub mod people;
pub mod planner;
pub mod reindex;
pub mod repair;
pub mod replay;
pub mod reread;
pub mod search;
pub mod store;
