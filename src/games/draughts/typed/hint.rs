//! What to write instead of a text that is no position of draughts.

use crate::games::draughts::{
    notation::fen::DraughtsFenError, rows::DraughtsVariant, rules::Board,
};

/// What a position can be written as.
pub(super) const ANY: &str = "give a draughts FEN (`W:W28,31,K40:B5,12`), moves (`32-28 19-23`, \
                              `c3-d4 f6-g5`) or `startpos` with --variant";

/// How moves are written.
pub(super) const MOVES: &str = "moves can be written as `32-28`, `28x19`, `a3b4` or with every square of a capture, `11x18x25`; name the variant with --variant if it is another one";

const SHAPE: &str = "a draughts FEN is the side to move, White's squares and Black's squares, separated by `:`: `W:W28,31-35,K40:B5,K14`";

/// What to do about a FEN of a kind that cannot be read.
pub(super) fn of_fen(error: &DraughtsFenError, kind: &DraughtsVariant) -> String {
    match error {
        DraughtsFenError::NoSuchSquare(_) => {
            format!("{} is played on {}", kind.title, squares(kind.rules.board))
        }
        DraughtsFenError::Twice(_) => {
            "name each square once; `K` before a square makes the piece a king".to_owned()
        }
        DraughtsFenError::Empty | DraughtsFenError::Unreadable(_) => SHAPE.to_owned(),
    }
}

/// The squares of a board in words.
fn squares(board: Board) -> String {
    let last = char::from(b'a' + board.width() - 1);
    format!(
        "{}x{}: squares 1 to {}, or a1 to {last}{}",
        board.width(),
        board.height(),
        board.square_count(),
        board.height(),
    )
}
