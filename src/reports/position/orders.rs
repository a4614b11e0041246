//! The orders of moves that lead to a position.

use std::collections::HashMap;

use serde::Serialize;

use super::game::ReportGame;
use crate::{
    base::record::OpeningName,
    games::{AnyPosition, notation::letters::Language},
    search::{self, LineVisit},
};

/// Orders in the list.
const ORDERS: usize = 6;

/// An order of moves that leads to the position.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MoveOrder {
    /// The moves.
    pub moves: Vec<String>,
    /// How many these are.
    pub plies: u32,
    /// Games with this order.
    pub games: u64,
    /// Their share of all games with the position, 0 to 1.
    pub share: f64,
    /// The plies that it has in common with the first order.
    pub common: u32,
    /// The last name of an opening on the way.
    pub opening: Option<OpeningName>,
}

/// How many games take each order.
#[derive(Debug, Default)]
pub(super) struct OrderCounts {
    games: HashMap<Vec<u8>, (u64, AnyPosition, u32)>,
    others: u64,
}

/// Orders that are counted: of more, only the first ones.
const COUNTED: usize = 20_000;

impl OrderCounts {
    pub(super) fn add(&mut self, visit: &LineVisit<'_>) {
        let line = &visit.plies[..visit.before];
        if let Some((games, ..)) = self.games.get_mut(line) {
            *games += 1;
        } else if self.games.len() < COUNTED {
            let order = (1, visit.start.clone(), visit.ply);
            self.games.insert(line.to_vec(), order);
        } else {
            self.others += 1;
        }
    }

    /// The most frequent orders.
    pub(super) fn most(&self, all: &[ReportGame], language: &Language) -> Vec<MoveOrder> {
        let mut orders: Vec<_> = self.games.iter().collect();
        orders.sort_by(|(line, (games, ..)), (other_line, (other, ..))| {
            other.cmp(games).then_with(|| line.cmp(other_line))
        });
        let mut found: Vec<MoveOrder> = Vec::new();
        for (line, (games, start, plies)) in orders.into_iter().take(ORDERS) {
            let moves = search::line_moves(start, line, language);
            let common = found.first().map_or(moves.len(), |first| {
                let pairs = first.moves.iter().zip(&moves);
                pairs.take_while(|(own, other)| own == other).count()
            });
            found.push(MoveOrder {
                opening: start.last_named(line).map(OpeningName::from),
                moves,
                plies: *plies,
                games: *games,
                share: *games as f64 / all.len() as f64,
                common: common as u32,
            });
        }
        found
    }
}
