//! From whose side of the board results and ratings are counted.

use super::{
    filter::{self, IdSet},
    tree::with_colours_swapped,
};
use crate::db::{
    index::facts::PackedFacts,
    store::{NameTable, Store, StoreError},
};
use crate::query::{
    GameCondition, NameField, Query, QueryExpr, ResolvedNames,
    pattern::{self, facts::FactRef},
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
    /// The player whose view a query takes: White or Black by name, else the first of its players,
    /// else the only one that its conditions name. `None` if it names none.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn of(store: &Store, query: &Query) -> Result<Option<Self>, StoreError> {
        let filter = (&query.filter.all, &query.filter.names);
        let named = |wanted| {
            filter.0.iter().find_map(|one| match one {
                GameCondition::Name(field, name) if *field == wanted => Some(name),
                _ => None,
            })
        };
        let sides = [NameField::White, NameField::Black, NameField::Player];
        let of_filter = sides
            .into_iter()
            .find_map(|field| Some((field, named(field)?)));
        let asked = query.asked.as_ref();
        let (field, name, names) = match (of_filter, asked.and_then(named_in)) {
            (Some((field, name)), _) => (field, name, filter.1),
            (None, Some((field, name, names))) => (field, name, names),
            (None, None) => return Ok(None),
        };
        let side = match field {
            NameField::White => PlayerSide::White,
            NameField::Black => PlayerSide::Black,
            _ => {
                let rows = filter::names(store, NameTable::Player, name, &names.players)?;
                PlayerSide::Either(rows)
            }
        };
        let name = name.clone();
        Ok(Some(Self { name, side }))
    }

    /// Whether the player has the second side in a game.
    pub(super) fn has_second(&self, facts: &PackedFacts) -> bool {
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

/// The only player that a query names, if every game must have them.
fn named_in(asked: &QueryExpr) -> Option<(NameField, &String, &ResolvedNames)> {
    let players = pattern::facts::facts(&asked.expr).into_iter();
    let required = pattern::facts::required(&asked.expr);
    let mut named = players
        .zip(required)
        .filter_map(|(fact, is_required)| match fact {
            FactRef::Game(GameCondition::Name(field, name), _) => match field {
                NameField::Player | NameField::White | NameField::Black => {
                    Some((*field, name, is_required))
                }
                _ => None,
            },
            _ => None,
        });
    match (named.next()?, named.next()) {
        ((field, name, true), None) => Some((field, name, &asked.names)),
        _ => None,
    }
}
