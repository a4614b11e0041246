//! Why a written move is none: for the games whose texts are matched against
//! their legal moves.

/// Why a text is no move of the position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum MoveError {
    /// It does not look like a move.
    #[error("this is not a move")]
    Unreadable,
    /// No legal move is meant by it.
    #[error("the move is not legal here")]
    Illegal,
    /// It fits more than one piece.
    #[error("the move fits more than one piece")]
    Ambiguous,
}
