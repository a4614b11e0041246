//! Bytes to tokens, with [`logos`]; no rules, no UTF-8, no files.
//!
//! For games there are two modes, each an enum: [`tag::TagToken`] for the tag section,
//! which all games share, and one enum per syntax of movetext, because a quote or
//! a `]` means nothing there and `0-0` castles in chess but not in draughts.
//! Bodies without a bound (comments, escaped lines) are not matched here: the
//! opening byte is a token, and the parser finds the end with `memchr` and
//! bumps the lexer, so that an unclosed brace never makes bytes be read twice.

pub mod listing;
pub mod pdn;
pub mod pgn;
pub mod query;
pub mod tag;

use logos::{Lexer, Logos};

/// A lexer that begins at an offset; its spans are those of the entire text.
///
/// # Panics
///
/// Panics if the offset lies after the end.
pub fn lexer_at<'s, T>(bytes: &'s [u8], offset: usize) -> Lexer<'s, T>
where
    T: Logos<'s, Source = [u8]>,
    T::Extras: Default,
{
    let mut lexer = T::lexer(bytes);
    lexer.bump(offset);
    lexer
}
