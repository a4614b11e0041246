//! Writing moves.

use super::square::Numbering;
use crate::games::draughts::rules::{Move, Position, Rules, first_path, moves};
use crate::games::{Budget, BudgetExceeded};

/// How much of a capture is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Form {
    /// From and to, and the whole way only where these fit several moves (PDN
    /// 3.0's canonical form).
    Short,
    /// The whole way: every square where it turns, and between two jumps
    /// straight on the one directly behind the first captured piece.
    Full,
}

/// The text of a legal move. Letters or numbers are the numbering's choice
/// ([`Numbering::with_letters`]); quiet moves have a hyphen, captures the
/// variant's `separator`.
///
/// # Errors
///
/// [`BudgetExceeded`] if the captures of the position are too many to tell
/// whether the short form is ambiguous.
pub fn write(
    position: &Position,
    rules: &Rules,
    numbering: Numbering,
    written: &Move,
    form: Form,
    separator: char,
    budget: Budget,
) -> Result<String, BudgetExceeded> {
    let mut out = String::with_capacity(8);
    numbering.write(written.from, &mut out);
    if !written.is_capture() {
        out.push('-');
        numbering.write(written.to, &mut out);
        return Ok(out);
    }
    let whole = written.captured.count_ones() > 1
        && (form == Form::Full
            || moves(position, rules, budget)?
                .iter()
                .filter(|other| (other.from, other.to) == (written.from, written.to))
                .count()
                > 1);
    if whole && let Some(path) = first_path(position, rules, written, budget)? {
        for &cell in &path.landings {
            out.push(separator);
            numbering.write(cell, &mut out);
        }
    } else {
        out.push(separator);
        numbering.write(written.to, &mut out);
    }
    Ok(out)
}
