//! Which legal moves a written one can mean.

use crate::games::draughts::rules::{
    DraughtsMove, DraughtsPosition, DraughtsRules, each_path, moves_between,
};
use crate::games::{Budget, BudgetExceeded};

/// Why a text is no move of the position.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DraughtsMoveError {
    /// These are no squares.
    #[error("`{0}` is not a draughts move")]
    Unreadable(String),
    /// A square that the board does not have, or that is not played.
    #[error("`{0}` is not a square that this board uses")]
    NoSuchSquare(String),
    /// No legal move has these squares.
    #[error("there is no legal move along these squares")]
    Illegal,
    /// The captures are too many to look at.
    #[error(transparent)]
    Budget(#[from] BudgetExceeded),
}

/// The legal moves that the cells of a text can mean: one as a rule, several if a capture
/// written short can go over different pieces. What follows in the game shows which was meant; the
/// caller tries them in this order. The first and the last cell are where the move begins and ends,
/// those between lie on its way. `taken` are the cells of what it captures, if that is known.
///
/// ```
/// use plydex::games::draughts::notation::moves::{parse, resolve};
/// use plydex::games::{Budget, draughts::rules::DraughtsPosition};
/// use plydex::games::draughts::rows::DraughtsVariant;
///
/// let russian = DraughtsVariant::by_name("russian").unwrap();
/// let mut position = DraughtsPosition::start(&russian.rules);
/// for text in ["c3-d4", "f6-g5", "b2c3", "G5:H4"] {
///     let read = parse(text, russian.numbering()).unwrap();
///     let budget = Budget::default();
///     let found = resolve(&position, &russian.rules, read.cells(), read.taken, budget);
///     match found.as_deref() {
///         Ok([only]) => position.play(only),
///         other => assert!(other.is_ok(), "{text}: {other:?}"),
///     }
/// }
/// assert_eq!(position.turn(), 0);
/// ```
///
/// A way that lands on just these cells is preferred. Failing that, cells may be
/// in any order and any that the piece touches: writers name squares it passes
/// over, or those of captured pieces. Failing that too, the cells are read as
/// Hub has them: from, to, captured pieces.
///
/// # Errors
///
/// [`DraughtsMoveError::Illegal`] and [`DraughtsMoveError::Budget`].
pub fn resolve(
    position: &DraughtsPosition,
    rules: &DraughtsRules,
    cells: &[u8],
    taken: Option<u128>,
    budget: Budget,
) -> Result<Vec<DraughtsMove>, DraughtsMoveError> {
    let (&[from, ref between @ ..], Some(&to)) = (
        cells.split_last().map_or(cells, |(_, rest)| rest),
        cells.last(),
    ) else {
        return Err(DraughtsMoveError::Illegal);
    };
    let mut found = Vec::new();
    moves_between(position, rules, from, to, budget, &mut found)?;
    if let Some(taken) = taken {
        found.retain(|m| m.captured == taken);
    }
    if !between.is_empty() {
        found = on_the_way(position, rules, found, between, budget)?;
        if found.is_empty() {
            let captured = cells[2..].iter().fold(0, |set, &cell| set | 1_u128 << cell);
            moves_between(position, rules, from, cells[1], budget, &mut found)?;
            found.retain(|m| m.captured == captured);
        }
    }
    if found.is_empty() {
        return Err(DraughtsMoveError::Illegal);
    }
    Ok(found)
}

/// Those moves that go over all the cells, only those that land on them in this
/// order if there are any.
fn on_the_way(
    position: &DraughtsPosition,
    rules: &DraughtsRules,
    found: Vec<DraughtsMove>,
    between: &[u8],
    budget: Budget,
) -> Result<Vec<DraughtsMove>, DraughtsMoveError> {
    let wanted = between.iter().fold(0, |set, &cell| set | 1_u128 << cell);
    let mut exact = Vec::new();
    let mut loose = Vec::new();
    for candidate in found {
        let mut over = false;
        let lands = each_path(position, rules, &candidate, budget, |path| {
            over |= wanted & !path.touched(rules.board) == 0;
            path.landings
                .split_last()
                .is_some_and(|(_, rest)| rest == between)
        })?;
        if lands {
            exact.push(candidate);
        } else if over {
            loose.push(candidate);
        }
    }
    Ok(if exact.is_empty() { loose } else { exact })
}
