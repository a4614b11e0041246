//! Positions and moves as opening books of Polyglot have them.

use super::{
    AnyPosition, BoardGame, Budget, GameKeys, MoveStyle, notation::letters::ENGLISH, with_game,
};

/// A move of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BookMove {
    /// The key of the position.
    pub key: u64,
    /// The move: where to (6 bits), where from (6 bits), what a pawn becomes (knight 1 to queen
    /// 4). A king that castles goes to the square of its rook.
    pub code: u16,
}

impl AnyPosition {
    /// [`GameKeys::book_key`].
    pub fn book_key(&self) -> Option<u64> {
        with_game!(AnyPosition of self, at => at.book_key())
    }

    /// A legal move by its name for programs; `None` if there is no such move, or books do not
    /// know the game.
    pub fn book_move(&self, name: &str) -> Option<BookMove> {
        with_game!(AnyPosition of self, at => book_move(at, name))
    }
}

fn book_move<G: BoardGame>(at: &G, name: &str) -> Option<BookMove> {
    let key = at.book_key()?;
    let mut legal = Vec::new();
    at.legal(Budget::default(), &mut legal).ok()?;
    let is_it = |m: &G::Move| at.write(*m, MoveStyle::Squares, ENGLISH) == name;
    let found = legal.into_iter().find(is_it)?;
    let code = G::book_code(found);
    Some(BookMove { key, code })
}
