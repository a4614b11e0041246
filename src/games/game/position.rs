//! The rules: what a position is, whose move it is, which moves are legal and what they lead to.

use std::fmt::Debug;

use crate::games::{
    Budget, BudgetExceeded, GameEnd, ResultOrder,
    symmetry::{BoardShift, Symmetry},
    variant::Variant,
};

/// Why a board cannot be looked at in another way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SymmetryError {
    /// A side may castle, and would castle otherwise.
    Castling,
    /// Other squares would be played.
    Squares,
    /// The rules know up, down, left and right.
    Rules,
}

/// A position, and what the rules make of it. The position type of each rule book
/// implements it.
pub trait GamePosition: Clone + PartialEq + Debug + Sized + 'static {
    /// A move, or whatever else takes a ply: a pass, a drop, a placement.
    type Move: Copy + PartialEq + Debug;
    /// The move that only passes the turn, legal or not. In check it does nothing where
    /// the rules have no such position.
    const NULL: Self::Move;

    /// Whether a ply is such a position, or puts a piece elsewhere without asking the rules.
    fn is_by_hand(_: Self::Move) -> bool {
        false
    }

    /// The row of the registry.
    fn variant(&self) -> &'static Variant;

    /// The side to move: 0 White (red in xiangqi), 1 Black.
    fn turn(&self) -> usize;

    /// The number of the next move, from 1, and whether it is of the side that moves
    /// second in the standard start position.
    fn number(&self) -> (u32, bool);

    /// Adds the legal moves; none from a position that cannot be.
    ///
    /// # Errors
    ///
    /// [`BudgetExceeded`] if there are too many ways to look at (captures in draughts).
    fn legal(&self, budget: Budget, out: &mut Vec<Self::Move>) -> Result<(), BudgetExceeded>;

    /// Plays a move, without checking whether it is legal.
    fn play(&mut self, m: Self::Move);

    /// Whose points a result names first, where results are points or scores and not
    /// those of PGN.
    fn result_order(&self) -> Option<ResultOrder> {
        None
    }

    /// Who has won by the goal of the game, in games whose records do not always say so
    /// in the same way: the position proves it.
    fn winner(&self) -> Option<usize> {
        None
    }

    /// Whether and how the game is over here, as far as the position proves it.
    fn outcome(&self) -> Option<GameEnd>;
    /// Whether a move can go several ways, so that [`Counting`](crate::games::Counting) makes a
    /// difference.
    const HAS_WAYS: bool = false;

    /// The ways that a legal move can go.
    ///
    /// # Errors
    ///
    /// As [`legal`](Self::legal).
    fn ways(&self, _: Self::Move, _: Budget) -> Result<u64, BudgetExceeded> {
        Ok(1)
    }

    /// The same with a side to move.
    fn with_turn(&self, side: usize) -> Self {
        let mut at = self.clone();
        if at.turn() != side {
            at.play(Self::NULL);
        }
        at
    }
    /// Whether men become kings, so that they can be counted in queries.
    const CROWNS: bool = false;
    /// Whether pieces move as those of chess do, on a board of its 64 squares.
    const MOVES_AS_CHESS: bool = false;
    /// Whether what takes can leave the board with what it takes.
    const CAPTURES_EXPLODE: bool = false;

    /// Whether a side (0 the first) has a king in all positions of a variant.
    fn always_has_king(_row: &Variant, _side: usize) -> bool {
        true
    }

    /// Whether the side to move is in check.
    fn is_check(&self) -> bool {
        false
    }

    /// The position seen in another way; `None` where the rules are not the same from
    /// there.
    fn transformed(&self, symmetry: Symmetry) -> Option<Self>;
    /// What stands in the way where the position is [none seen so](Self::transformed).
    const OBSTACLE: SymmetryError = SymmetryError::Rules;

    /// The position at every place of the board where all its pieces still stand on it, as
    /// it stands first; none where they cannot be moved so.
    fn shifts(&self) -> Vec<(BoardShift, Self)> {
        Vec::new()
    }

    /// The position in all eight ways to lay the board down, as it stands first; none
    /// where it means something else then.
    fn orientations(&self) -> Vec<(BoardShift, Self)> {
        Vec::new()
    }

    /// The same without castling rights and en passant, where these are not requested.
    fn without_rights(&self, _castling: bool, _en_passant: bool) -> Self {
        self.clone()
    }

    /// A move from here, as it is in the position seen so.
    fn move_transformed(&self, m: Self::Move, symmetry: Symmetry) -> Self::Move;

    /// Whether a way of looking exchanges the colours.
    fn swaps_sides(symmetry: Symmetry) -> bool {
        symmetry.swaps_colours()
    }
}
