//! Bytes to tokens, with [`logos`]; no rules, no UTF-8, no files.
//!
//! There are two modes, each an enum: [`tag::TagToken`] for the tag section,
//! which all games share, and one enum per kind of movetext, because a quote or
//! a `]` means nothing there and `0-0` castles in chess but not in draughts.
//! Bodies without a bound (comments, escaped lines) are not matched here: the
//! opening byte is a token, and the parser finds the end with `memchr` and
//! bumps the lexer, so that an unclosed brace never makes bytes be read twice.

pub mod chess;
pub mod draughts;
pub mod tag;
