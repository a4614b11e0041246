//! Which games can have a structure at all, as the columns of the index know it: a query finds them
//! many times faster than a look at every position.

use crate::{
    base::record::GameId,
    query::Query,
    search::{
        self, AccessPlan,
        planner::{self, PlanError},
    },
    store::{Store, StoreError},
};

/// The pieces of an ending by their letters: those of endings, of the side itself and of the other.
const PIECES: [(char, char); 4] = [('Q', 'q'), ('R', 'r'), ('B', 'b'), ('N', 'n')];

/// A query that holds wherever a side has these numbers of queens, rooks, bishops and knights, and
/// the other side those.
pub(super) fn of_pieces(own: [u8; 4], other: [u8; 4]) -> String {
    let counts = PIECES.iter().zip(own.into_iter().zip(other));
    let words = counts
        .map(|((letter, of_other), (own, other))| format!("{letter}={own} {of_other}={other}"));
    either(&words.collect::<Vec<String>>().join(" "))
}

/// A query that holds wherever a side has just these pawns, and the other side those, or either with
/// left and right exchanged. Squares are names.
pub(super) fn of_pawns([own, other]: &[Vec<String>; 2]) -> String {
    let placed = |own: &[String], other: &[String]| {
        let side = |letter: char, squares: &[String]| match squares {
            [] => format!("{letter}=0"),
            squares => format!("{letter}{} {letter}={}", squares.join(","), squares.len()),
        };
        either(&format!("{} {}", side('P', own), side('p', other)))
    };
    let mirrored = |squares: &[String]| -> Vec<String> {
        let name = |square: &String| {
            let mirrored = square.chars().map(|c| match c {
                'a'..='h' => char::from(b'a' + b'h' - c as u8),
                rank => rank,
            });
            mirrored.collect()
        };
        squares.iter().map(name).collect()
    };
    let [one, two] = [placed(own, other), placed(&mirrored(own), &mirrored(other))];
    format!("{one} or {two}")
}

/// A query that holds where a pattern does with either colours.
pub(super) fn either(pattern: &str) -> String {
    format!("either {{ {pattern} }}")
}

/// Of some games, which are in order, those in which a query may hold.
pub(super) fn keep(store: &Store, text: &str, games: &mut Vec<GameId>) -> Result<(), StoreError> {
    let query: Result<Query, _> = text.parse();
    let Ok(plan) = query.map(|query| planner::plan(store, &query)) else {
        debug_assert!(false, "not a query: {text}");
        return Ok(());
    };
    let plan: AccessPlan = match plan {
        Ok(resolution) => resolution.plan,
        Err(PlanError::Store(error)) => return Err(error),
        // No game has a board for it; those that remain are looked at.
        Err(PlanError::Query(_)) => return Ok(()),
    };
    let mut found = search::all_games(store, &plan)?;
    found.sort_unstable();
    games.retain(|game| found.binary_search(game).is_ok());
    Ok(())
}
