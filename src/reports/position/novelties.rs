//! New moves after a position that other games have followed.

use std::collections::HashMap;

use serde::Serialize;

use super::game::ReportGame;
use crate::{
    games::{BoardGame, Cursor, notation::letters::Language, with_game},
    pgn::tags::date::PgnDate,
    reports::figures::{Figures, ScoreRecord, SideResult},
    search::{self, GameReader, LineVisit, SingleGame},
    store::{Store, StoreError},
};

/// Plies after the position at which a move can be new.
const PLIES: u32 = 24;

/// Games that have followed a new move, at least.
const FOLLOWERS_MIN: usize = 3;

/// New moves in the list.
const LISTED: usize = 12;

/// A move that led to a position which no earlier game with the position had reached.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct NoveltyOfYear {
    /// The year of the game.
    pub year: u16,
    /// The new move.
    pub san: String,
    /// Its number, and whether it is of the side that moves second.
    pub number: u32,
    /// Who played it: `white` or `black`.
    pub side: &'static str,
    /// The game.
    pub game: SingleGame,
    /// Later games that reach the position after the move, from the view of that side.
    pub followed: Figures,
}

/// The positions that games with the position have reached after it.
#[derive(Debug, Default)]
pub(super) struct SeenPositions {
    /// The key of a position, the place of the game among all, and the ply.
    visits: Vec<(u64, u32, u32)>,
    games: u32,
}

/// The keys of the first positions of a line after a ply.
fn keys<G: BoardGame>(start: &G, plies: &[u8], from: u32, mut each: impl FnMut(u64, u32)) {
    let (mut at, mut rest) = (start.cursor(), plies);
    for ply in 1..=from + PLIES {
        let Some(code) = at.peek(&mut rest) else {
            return;
        };
        at.play(code);
        if ply > from {
            each(at.board_key(), ply);
        }
    }
}

impl SeenPositions {
    pub(super) fn add(&mut self, visit: &LineVisit<'_>) {
        let (game, visits) = (self.games, &mut self.visits);
        with_game!(AnyPosition of visit.start, at => {
            keys(at, visit.plies, visit.ply, |key, ply| visits.push((key, game, ply)));
        });
        self.games += 1;
    }

    /// The new moves that most games have followed, in the order of their years.
    pub(super) fn novelties(
        mut self,
        store: &Store,
        all: &[ReportGame],
        language: &Language,
    ) -> Result<Vec<NoveltyOfYear>, StoreError> {
        let days: Vec<Option<(u32, u32)>> = (all.iter())
            .map(|game| {
                let date = PgnDate::from_packed(game.facts.date);
                let is_known = date != PgnDate::UNKNOWN;
                is_known.then(|| (date.first_day().to_packed(), date.last_day().to_packed()))
            })
            .collect();
        let of = |game: u32| days.get(game as usize).copied().flatten();
        self.visits.sort_unstable();
        // By which day each position had certainly been reached.
        let groups = || self.visits.chunk_by(|one, other| one.0 == other.0);
        let mut known_by: HashMap<u64, u32> = HashMap::new();
        for visits in groups() {
            let last_days = visits.iter().filter_map(|&(_, game, _)| Some(of(game)?.1));
            known_by.insert(visits[0].0, last_days.min().unwrap_or(u32::MAX));
        }
        // The first new position of each game.
        let mut first_new: HashMap<u32, (u32, u64)> = HashMap::new();
        for &(key, game, ply) in &self.visits {
            let is_new = of(game).is_some_and(|(first_day, _)| known_by[&key] >= first_day);
            let first = first_new.entry(game).or_insert((u32::MAX, 0));
            if is_new && ply < first.0 {
                *first = (ply, key);
            }
        }
        let mut found = Vec::new();
        for visits in groups() {
            let key = visits[0].0;
            let own = visits
                .iter()
                .filter(|&&(_, game, ply)| first_new.get(&game) == Some(&(ply, key)));
            let Some(&(_, owner, ply)) = own.min_by_key(|&&(_, game, _)| (of(game), game)) else {
                continue;
            };
            let Some((_, last_day)) = of(owner) else {
                continue;
            };
            let is_later =
                |game: &u32| of(*game).is_some_and(|(first_day, _)| first_day > last_day);
            let mut followers: Vec<u32> = visits
                .iter()
                .map(|&(_, game, _)| game)
                .filter(is_later)
                .collect();
            followers.dedup();
            if followers.len() >= FOLLOWERS_MIN {
                found.push((followers, owner, ply));
            }
        }
        found.sort_by_key(|(followers, owner, _)| (std::cmp::Reverse(followers.len()), *owner));
        found.truncate(LISTED);
        found.sort_by_key(|(_, owner, _)| (of(*owner), *owner));
        let mut reader = GameReader::new(store);
        let mut novelties = Vec::new();
        for (followers, owner, ply) in found {
            let game = &all[owner as usize];
            let Some((start, plies)) = reader.main_line(game.id)? else {
                continue;
            };
            let moves = search::line_moves(&start, &plies, language);
            let Some(san) = moves.get(ply as usize - 1) else {
                continue;
            };
            let side = (start.turn() + ply as usize - 1) & 1;
            let mut followed = ScoreRecord::default();
            for follower in followers {
                followed.add(&SideResult::of(&all[follower as usize].facts, side), None);
            }
            let first = start.turn() as u32 & 1;
            novelties.push(NoveltyOfYear {
                year: u16::try_from(game.facts.date / 10_000).unwrap_or_default(),
                san: san.clone(),
                number: start.number().0 + u32::midpoint(ply - 1, first),
                side: ["white", "black"][side],
                game: SingleGame {
                    id: game.id,
                    ..SingleGame::default()
                },
                followed: followed.figures(),
            });
        }
        Ok(novelties)
    }
}
