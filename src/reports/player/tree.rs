//! The lines of a player, as a tree of the player's own moves.

use std::collections::HashSet;

use serde::Serialize;

use super::{
    games::PlayerGame,
    lines::{LineKey, LinePlace, PlayerLines},
    results,
};
use crate::{
    base::record::OpeningName,
    games::{AnyPosition, notation::letters::Language},
    reports::{
        expectation::ExpectedScores,
        figures::Figures,
        position::{Trend, mark_trends},
    },
};

/// What one game did is no line.
const LINE_GAMES: usize = 2;

/// A move of the player, with the moves that lead there.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PlayerLine {
    /// The player's side: `white` or `black`.
    pub color: &'static str,
    /// The moves by which most games came; the last is the player's.
    pub moves: Vec<String>,
    /// How many of the moves stand in the lines above.
    pub common: usize,
    /// How deep the line is below others, from 0.
    pub level: usize,
    /// Games in which the player could choose.
    pub chances: u64,
    /// The share of the chances that were taken, 0 to 1.
    pub share: f64,
    /// The games with the move.
    #[serde(flatten)]
    pub results: Figures,
    /// How often it was played lately and before.
    pub trend: Trend,
    /// The last year in which it was played.
    pub last_year: Option<u32>,
    /// What the line is called.
    pub opening: Option<OpeningName>,
    /// The position in FEN after the move.
    pub fen: String,
    /// The position.
    #[serde(skip)]
    pub at: AnyPosition,
    /// The games.
    #[serde(skip)]
    pub(super) places: Vec<LinePlace>,
}

/// How often a move was played lately and before, of the games that could.
pub(super) fn trend(games: &[PlayerGame], taken: &[LinePlace], chances: &[LinePlace]) -> Trend {
    let count = |places: &[LinePlace], is_recent: bool| {
        let of_time = |&&(game, _): &&LinePlace| {
            let game = &games[game as usize];
            game.is_recent == is_recent && (is_recent || game.facts.date > 0)
        };
        places.iter().filter(of_time).count() as u64
    };
    let of = |is_recent| (count(taken, is_recent), count(chances, is_recent));
    Trend::of(of(true), of(false))
}

/// All games that went on from a position.
pub(super) fn chances_of(node: &super::lines::LineNode) -> Vec<LinePlace> {
    let all = node.moves.values().flat_map(|played| &played.visits);
    all.copied().collect()
}

struct TreeWalk<'w> {
    lines: &'w PlayerLines,
    games: &'w [PlayerGame],
    side: usize,
    games_min: usize,
    expectation: Option<&'w ExpectedScores>,
    language: &'w Language,
    seen: HashSet<LineKey>,
    rows: Vec<PlayerLine>,
}

/// The lines of a side, most played first: as deep as at least `games_min` games go, and
/// [`LINE_GAMES`].
pub(super) fn of_side(
    lines: &PlayerLines,
    (games, side): (&[PlayerGame], usize),
    games_min: usize,
    (expectation, language): (Option<&ExpectedScores>, &Language),
) -> Vec<PlayerLine> {
    let mut walk = TreeWalk {
        lines,
        games,
        side,
        games_min: games_min.max(LINE_GAMES),
        expectation,
        language,
        seen: HashSet::new(),
        rows: Vec::new(),
    };
    let first_turn = lines.start.turn() & 1;
    if first_turn == side {
        walk.own(lines.root, (0, 0));
    } else {
        walk.opponent(lines.root, (0, 0));
    }
    let mut rows = walk.rows;
    mark_trends(rows.iter_mut().map(|row| &mut row.trend));
    rows
}

impl TreeWalk<'_> {
    /// Adds the moves of the player in a position, each with what follows.
    fn own(&mut self, key: LineKey, (level, common): (usize, usize)) {
        let Some(node) = self.lines.sides[self.side].get(&key) else {
            return;
        };
        if !self.seen.insert(key) {
            return;
        }
        let chances = chances_of(node);
        for (_, played) in node.sorted() {
            if played.visits.len() < self.games_min {
                break;
            }
            let (moves, at) = self.lines.line(&played.visits, 1, self.language);
            let own = || {
                let places = played.visits.iter();
                places.map(|&(game, _)| &self.games[game as usize])
            };
            let depth = moves.len();
            self.rows.push(PlayerLine {
                color: ["white", "black"][self.side],
                common: common.min(depth.saturating_sub(1)),
                level,
                chances: chances.len() as u64,
                share: played.visits.len() as f64 / chances.len() as f64,
                results: results::figures(own(), self.expectation),
                trend: trend(self.games, &played.visits, &chances),
                last_year: own().map(PlayerGame::year).max().filter(|&year| year > 0),
                opening: at.named_opening().map(OpeningName::from),
                fen: at.fen(),
                at,
                places: played.visits.clone(),
                moves,
            });
            self.opponent(played.to, (level + 1, depth));
        }
    }

    /// Follows the moves of the opponent in a position.
    fn opponent(&mut self, key: LineKey, below: (usize, usize)) {
        let Some(node) = self.lines.sides[self.side].get(&key) else {
            return;
        };
        for (_, played) in node.sorted() {
            if played.visits.len() < self.games_min {
                break;
            }
            self.own(played.to, below);
        }
    }
}
