//! From whose side of the board results and ratings are counted.

use super::{filter, plan::AccessPlan};
use crate::{
    base::{id_set::IdSet, record::Outcome},
    blocks::facts::PackedFacts,
    query::{GameCondition, NameField},
    store::{NameTable, Store, StoreError},
};

/// The player whose games are counted as they ended for them.
#[derive(Debug)]
pub struct ViewedPlayer {
    /// The name as it was typed.
    pub name: String,
    side: PlayerSide,
}

/// The side that a player has.
#[derive(Debug)]
enum PlayerSide {
    White,
    Black,
    /// That of one of these names; White if both are.
    Either(IdSet),
}

impl ViewedPlayer {
    /// The player whose view a query takes, of those that all of its games have: White or Black by
    /// name, else the first player. `None` if it names none.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn of(store: &Store, plan: &AccessPlan) -> Result<Option<Self>, StoreError> {
        let conditions = &plan.conditions;
        let named = |wanted| {
            conditions.all.iter().find_map(|one| match one {
                GameCondition::Name(field, name) if *field == wanted => Some((wanted, name)),
                _ => None,
            })
        };
        let sides = [NameField::White, NameField::Black, NameField::Player];
        let Some((field, name)) = sides.into_iter().find_map(named) else {
            return Ok(None);
        };
        let side = match field {
            NameField::White => PlayerSide::White,
            NameField::Black => PlayerSide::Black,
            _ => {
                let rows =
                    filter::names(store, NameTable::Player, name, &conditions.names.players)?;
                PlayerSide::Either(rows)
            }
        };
        let name = name.clone();
        Ok(Some(Self { name, side }))
    }

    /// Whether the player may have either side.
    pub(crate) const fn has_either(&self) -> bool {
        matches!(self.side, PlayerSide::Either(_))
    }

    /// Whether the player has the second side in a game.
    pub(crate) fn has_second(&self, facts: &PackedFacts) -> bool {
        match &self.side {
            PlayerSide::White => false,
            PlayerSide::Black => true,
            PlayerSide::Either(rows) => !rows.contains(facts.white) && rows.contains(facts.black),
        }
    }

    /// The facts of a game as if the player had the first side.
    pub(super) fn seen(&self, facts: &PackedFacts) -> PackedFacts {
        if self.has_second(facts) {
            with_colours_swapped(*facts)
        } else {
            *facts
        }
    }
}

/// The facts of a game as seen from the other side of the board.
pub(super) fn with_colours_swapped(facts: PackedFacts) -> PackedFacts {
    PackedFacts {
        white: facts.black,
        black: facts.white,
        white_elo: facts.black_elo,
        black_elo: facts.white_elo,
        outcome: Outcome::from_code(facts.outcome as u8).with_colours_swapped() as u32,
        ..facts
    }
}
