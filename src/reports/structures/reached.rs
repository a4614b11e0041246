//! The structures and endings that games reach after a position, and how these games went.

use std::collections::HashMap;

use serde::Serialize;

use super::{endings::EndingFamily, pawns::NAMED_STRUCTURES, stays::ReachedEnding};
use crate::{
    index::columns::set::GameSet,
    reports::plans::{PlanMiner, StepResult},
};

/// The share of games with a structure or an ending in a list, and their number, at least.
const SHARE_MIN: f64 = 0.02;
const GAMES_MIN: usize = 8;

/// Endings in the list.
const ENDINGS: usize = 8;

/// A structure or an ending that games reach.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ReachedFigures {
    /// What `plydex structure` takes: `iqp`, `RvR`.
    pub key: String,
    /// What players call it.
    pub title: String,
    /// Which side has it: `white` or `black`; `None` of endings, whose first pieces are those of the
    /// side whose scores these are.
    pub side: Option<&'static str>,
    /// The games.
    pub games: u64,
    /// Their share of the games that were followed, 0 to 1.
    pub share: f64,
    /// How they went, from the view of the report; `diff` is against all other games.
    #[serde(flatten)]
    pub result: StepResult,
}

/// Which games have reached what.
#[derive(Debug, Default)]
pub struct Reaching {
    structures: HashMap<(usize, usize), Vec<usize>>,
    endings: HashMap<EndingFamily, Vec<usize>>,
}

impl Reaching {
    /// Adds a game by its place among those that are followed.
    pub fn add(
        &mut self,
        game: usize,
        structures: &[u8; NAMED_STRUCTURES.len()],
        endings: &[ReachedEnding],
        view: usize,
    ) {
        for (at, sides) in structures.iter().enumerate() {
            for side in (0..2).filter(|side| sides >> side & 1 == 1) {
                self.structures.entry((at, side)).or_default().push(game);
            }
        }
        for ending in endings {
            let family = if view == 0 {
                ending.family
            } else {
                ending.family.flipped()
            };
            self.endings.entry(family).or_default().push(game);
        }
    }

    /// The structures that enough games reach, most games first.
    pub fn structures(&self, miner: &PlanMiner, view: usize) -> Vec<ReachedFigures> {
        let rows = self.structures.iter().map(|(&(at, side), games)| {
            let named = &NAMED_STRUCTURES[at];
            let title = named.title.to_owned();
            let row = (named.key.to_owned(), title, Some(["white", "black"][side]));
            (row, games)
        });
        listed(rows, (miner, view))
    }

    /// The endings that enough games reach.
    pub fn endings(&self, miner: &PlanMiner, view: usize) -> Vec<ReachedFigures> {
        let rows = self
            .endings
            .iter()
            .map(|(family, games)| ((family.letters(), family.title(), None), games));
        let mut rows = listed(rows, (miner, view));
        rows.truncate(ENDINGS);
        rows
    }
}

type Row<'g> = ((String, String, Option<&'static str>), &'g Vec<usize>);

fn listed<'g>(
    rows: impl Iterator<Item = Row<'g>>,
    (miner, view): (&PlanMiner, usize),
) -> Vec<ReachedFigures> {
    let total = miner.games();
    let enough = GAMES_MIN.max((SHARE_MIN * total as f64).ceil() as usize);
    let mut found: Vec<ReachedFigures> = rows
        .filter(|(_, games)| games.len() >= enough)
        .map(|((key, title, side), games)| {
            let mut set = GameSet::none(total);
            for game in games {
                set.insert(*game);
            }
            ReachedFigures {
                key,
                title,
                side,
                games: games.len() as u64,
                share: games.len() as f64 / total as f64,
                result: miner.result(&set, 0, view),
            }
        })
        .collect();
    found.sort_by(|one, other| {
        other
            .games
            .cmp(&one.games)
            .then_with(|| one.title.cmp(&other.title))
    });
    StepResult::mark(found.iter_mut().map(|row| &mut row.result));
    found
}
