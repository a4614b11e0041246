//! The main lines that reach a position, with the ply at which they do.

use super::{
    locate::{Replays, SearchTarget},
    moves,
};
use crate::{
    base::record::{GameId, MoveForm},
    games::{AnyCursor, AnyPosition, notation::letters::Language, symmetry::Symmetry},
    query::PositionQuery,
    store::{Store, StoreError},
};

/// A main line, and the ply of its first visit of a position.
#[derive(Debug)]
pub struct LineVisit<'v> {
    /// The game.
    pub game: GameId,
    /// Where its main line begins.
    pub start: &'v AnyPosition,
    /// Its packed plies.
    pub plies: &'v [u8],
    /// Plies before the position; 0 is the start of the game.
    pub ply: u32,
    /// The bytes of the plies before the position.
    pub before: usize,
    /// The move that leaves the position; `None` if the game ends there.
    pub next: Option<MoveCode>,
}

/// A move of a position: the code of its ply and, where several captures share that, what it takes.
pub type MoveCode = (u16, u128);

/// The names of a move in a position: in the notation of its game, with the letters of a language,
/// and for programs.
pub fn move_names(
    position: &AnyPosition,
    (code, taken): MoveCode,
    language: &Language,
) -> [String; 2] {
    let [san, uci] = moves::names(position, position.turn(), code, taken);
    [
        moves::in_language(position.has_letters(), san, language),
        uci,
    ]
}

/// The moves of a packed line, as its game writes them, with the letters of a language.
pub fn line_moves(start: &AnyPosition, plies: &[u8], language: &Language) -> Vec<String> {
    line_with_end(start, plies, language).0
}

/// The same moves, and the position after them.
pub fn line_with_end(
    start: &AnyPosition,
    plies: &[u8],
    language: &Language,
) -> (Vec<String>, AnyPosition) {
    let mut all = Vec::new();
    let end = moves::play(start, plies, MoveForm::default(), |san| {
        all.push(moves::in_language(start.has_letters(), san, language));
        true
    });
    (all, end)
}

/// The bytes of the first plies of a packed line.
fn bytes_before(start: &AnyCursor, line: &[u8], plies: u32) -> usize {
    let (mut at, mut rest) = (start.clone(), line);
    for _ in 0..plies {
        match at.peek(&mut rest) {
            Some(code) => at.play(code),
            None => break,
        }
    }
    line.len() - rest.len()
}

/// Calls `visit` with every main line among some games that reaches a position, in the order of
/// the games.
///
/// # Errors
///
/// [`StoreError`] if the database cannot be read or is damaged, or the end was requested; and that
/// of `visit`.
pub fn each_visit(
    store: &Store,
    position: &PositionQuery,
    games: &[GameId],
    visit: &mut dyn FnMut(&LineVisit<'_>) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    let targets = SearchTarget::all(position);
    let mut replays = Replays::new(store);
    let asked = &position.position;
    let shared = moves::shared_codes(asked, asked.turn());
    for &game in games {
        store.go_on()?;
        let Some((reached, _)) = replays.visit(game, false, &targets)? else {
            continue;
        };
        let ply = reached.ply;
        let is_asked = reached.at.turn() == asked.turn();
        let next = reached.next.filter(|_| is_asked).map(|code| {
            let detail = if shared.contains(&code) {
                reached.at.detail()
            } else {
                0
            };
            (code, moves::taken_seen(asked, detail, Symmetry::None))
        });
        if let Some((start, cursor, plies)) = replays.game(game)? {
            visit(&LineVisit {
                game,
                start,
                plies,
                ply,
                before: bytes_before(cursor, plies, ply),
                next,
            })?;
        }
    }
    Ok(())
}

/// Calls `visit` with the main lines of some games from their starts on.
///
/// # Errors
///
/// As [`each_visit`].
pub fn each_line(
    store: &Store,
    games: &[GameId],
    visit: &mut dyn FnMut(&LineVisit<'_>) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    let mut replays = Replays::new(store);
    for &game in games {
        store.go_on()?;
        if let Some((start, _, plies)) = replays.game(game)? {
            visit(&LineVisit {
                game,
                start,
                plies,
                ply: 0,
                before: 0,
                next: None,
            })?;
        }
    }
    Ok(())
}
