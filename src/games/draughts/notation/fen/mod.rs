//! Positions of draughts as text: PDN FEN, Hub and DXP strings; read with all
//! that files do to them, written one way.
//!
//! A FEN is `side ':' group (':' group)*`, a group a colour and squares. Read
//! beyond PDN 3.0: either case, spaces anywhere and `_` for them, a trailing
//! dot, ranges (`K` before a range makes all of it kings), groups empty, missing
//! or repeated, letters or numbers whatever the variant uses, the side token
//! written twice, text before the side (the clipboard of `CheckerBoard`), no side at
//! all, and lidraughts' further fields (`H0`, `F1`, `+0+0`) and items (`G24`,
//! `P24`: captured but not yet removed, so not on the board).

mod parse;
mod write;

#[cfg(test)]
mod tests;

pub use parse::{DraughtsFenError, FenNote, FenText, SquareNames, parse};
pub use write::{write, write_hub};
