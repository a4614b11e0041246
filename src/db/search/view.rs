//! From whose side of the board results and ratings are counted.

use super::{
    filter::{self, IdSet},
    tree::with_colours_swapped,
};
use crate::{
    db::{
        index::facts::PackedFacts,
        query::{Fact, Filter, Query, QueryExpr},
        store::{NameTable, Store, StoreError},
    },
    games::pattern::{self, Expr, GameTerm},
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
        let asked = query.asked.as_ref().and_then(named_in);
        let filters = [Some(&query.filter), asked].into_iter().flatten();
        for filter in filters {
            let side = match (&filter.white, &filter.black, filter.players.first()) {
                (Some(name), ..) => Some((name, PlayerSide::White)),
                (None, Some(name), _) => Some((name, PlayerSide::Black)),
                (None, None, Some(name)) => {
                    let further = &filter.further.players;
                    let rows = filter::names(store, NameTable::Player, name, further)?;
                    Some((name, PlayerSide::Either(rows)))
                }
                (None, None, None) => None,
            };
            if let Some((name, side)) = side {
                let name = name.clone();
                return Ok(Some(Self { name, side }));
            }
        }
        Ok(None)
    }

    /// The facts of a game as if the player had the first side.
    pub(super) fn seen(&self, facts: &PackedFacts) -> PackedFacts {
        let has_second = match &self.side {
            PlayerSide::White => false,
            PlayerSide::Black => true,
            PlayerSide::Either(rows) => !rows.contains(facts.white) && rows.contains(facts.black),
        };
        if has_second {
            with_colours_swapped(*facts)
        } else {
            *facts
        }
    }
}

/// What a query says of the only player that it names, if every game must have them.
fn named_in(asked: &QueryExpr) -> Option<&Filter> {
    let facts = pattern::program::facts(&asked.expr);
    let is_player = |term: &GameTerm| matches!(&term.name[..], "player" | "white" | "black");
    let mut named = facts.iter().zip(&asked.facts);
    let mut named = named.by_ref().filter(|(term, _)| is_player(term));
    let (only, fact) = named.next()?;
    match fact {
        Fact::Games(filters) if named.next().is_none() && must_have(&asked.expr, only) => {
            let [filter] = &filters[..] else {
                return None;
            };
            Some(filter)
        }
        _ => None,
    }
}

/// Whether a fact must hold of every game that fulfils a query.
fn must_have(expr: &Expr, wanted: &GameTerm) -> bool {
    match expr {
        Expr::And(inner) => inner.iter().any(|one| must_have(one, wanted)),
        Expr::Game(term) => term == wanted,
        Expr::Or(_) | Expr::Not(_) | Expr::Seen(..) | Expr::Chain(_) => false,
    }
}
