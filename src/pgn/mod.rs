//! The text of games: bytes become tokens, tokens become parsed games, and stored games
//! become text again. Nothing here knows the rules of a game.
//!
//! - [`lexer`] tokenises tag pairs, comments, variations and movetext;
//! - [`parser`] makes a [`parser::RawGame`] of the tokens, whatever is wrong with them;
//! - [`tags`] knows what the values of tag pairs mean;
//! - [`writer`] writes games as PGN and PDN.

pub mod lexer;
pub mod parser;
pub mod tags;
pub mod writer;
