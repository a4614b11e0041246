//! plydex indexes archives of chess games so that any position in them is
//! found at once, and answers from one file that any `SQLite` client can open.
//!
//! The rooms, in the order in which data flows through them:
//!
//! - [`source`] opens files, undoes compression and encodings, cuts chunks;
//! - [`transcribe`] makes PGN of records in other notations;
//! - [`lex`] and [`parse`] turn bytes into [`parse::RawGame`]s;
//! - [`notation`] knows what the words mean;
//! - [`tags`] knows what the values of tags mean, [`pgn`] writes games as PGN;
//! - [`games`] says what a game is, has the rules of each, and turns a parsed one into legal
//!   plies;
//! - [`typed`] reads positions as people type them, of whichever game;
//! - [`key`] and [`index`] make the position index;
//! - [`store`] is the only room that speaks SQL;
//! - [`import`] and [`search`] wire the rooms together;
//! - `cli` (feature `cli`) is the only room that sees the terminal.
//!
//! `ARCHITECTURE.md` walks through them with their invariants.

pub mod composition;
pub mod diagnostic;
pub mod games;
pub mod import;
pub mod index;
pub mod key;
pub mod lex;
pub mod limits;
pub mod mix;
pub mod notation;
pub mod observe;
pub mod parse;
pub mod pgn;
pub mod query;
pub mod record;
pub mod search;
pub mod shown;
pub mod source;
pub mod store;
pub mod stored;
pub mod tags;
pub mod transcribe;
pub mod typed;
pub mod wait;

#[cfg(feature = "cli")]
pub mod cli;
