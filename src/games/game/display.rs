//! How positions and moves are shown: diagrams, highlights, lists, the names of the sides.

use super::{GameCodec, MoveStyle};
use crate::{
    base::record::MoveForm,
    games::{
        BudgetExceeded,
        diagram::{Diagram, Highlights},
        legal_moves::{ListStyle, ListedMove},
        view::PieceSets,
    },
};

/// What is shown of a position and its moves. The position type of each rule book
/// implements it.
pub trait GameDisplay: GameCodec {
    /// What a list says of a legal move.
    ///
    /// # Errors
    ///
    /// As [`GamePosition::legal`](crate::games::GamePosition::legal).
    fn listed(&self, m: Self::Move, style: ListStyle) -> Result<ListedMove, BudgetExceeded> {
        Ok(ListedMove {
            text: self.write(m, MoveStyle::Usual, style.language),
            uci: Some(self.write(m, MoveStyle::Squares, style.language)),
            ..ListedMove::default()
        })
    }

    /// The legal moves as a list, sorted.
    ///
    /// # Errors
    ///
    /// As [`GamePosition::legal`](crate::games::GamePosition::legal).
    fn list(&self, style: ListStyle) -> Result<Vec<ListedMove>, BudgetExceeded> {
        let mut moves = Vec::new();
        self.legal(style.budget, &mut moves)?;
        let listed = moves.into_iter().map(|m| self.listed(m, style));
        let mut list = listed.collect::<Result<Vec<_>, _>>()?;
        list.sort_by(|one, other| one.text.cmp(&other.text));
        Ok(list)
    }

    /// What the sides are called.
    fn sides(&self) -> [&'static str; 2] {
        ["white", "black"]
    }

    /// What stands where, for queries about positions.
    fn sets(&self) -> PieceSets {
        PieceSets::of(&self.diagram())
    }

    /// The position as something to draw.
    fn diagram(&self) -> Diagram;

    /// The same with the names that squares have in a form of moves.
    fn diagram_in(&self, _: MoveForm) -> Diagram {
        self.diagram()
    }

    /// What to highlight of a move from here on the board after it.
    fn marks(&self, m: Self::Move) -> Highlights;
}
