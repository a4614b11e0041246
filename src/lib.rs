//! plydex indexes archives of chess games so that any position in them is
//! found at once, and answers from one file that any `SQLite` client can open.
//!
//! The modules, each of which sees only those above it:
//!
//! - [`base`] is what all may use: findings, limits, events, the record of a game;
//! - [`input`] opens files, undoes compression and encodings, cuts chunks;
//! - [`pgn`] turns bytes into tokens and parsed games, and games into text again;
//! - [`games`] says what a game is, has the rules and the notation of each, reads a parsed
//!   one into legal plies, and gives positions their keys;
//! - [`formats`] reads records in other notations, chess problems among them;
//! - [`draw`] makes pictures of boards;
//! - [`query`] has the query language: conditions, their texts, and their meaning on a board;
//! - [`db`] imports games, files their positions, stores them and finds them again;
//! - `cli` (feature `cli`) is the only module that sees the terminal.
//!
//! `ARCHITECTURE.md` walks through them with their invariants.

pub mod base;
pub mod db;
pub mod draw;
pub mod formats;
pub mod games;
pub mod input;
pub mod pgn;
pub mod query;

#[cfg(feature = "cli")]
pub mod cli;
