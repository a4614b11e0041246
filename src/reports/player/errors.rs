//! The errors of a player and of the opponents, by the evaluations in the games.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{games::PlayerGame, results};
use crate::{
    reports::{
        expectation::ExpectedScores,
        figures::{DIFF_MIN, Figures},
    },
    search::MoveAnnotation,
};

/// By how much the winning chance falls, at least: blunder, mistake, inaccuracy.
const FALLS: [f64; 3] = [0.3, 0.2, 0.1];

/// The winning chance of a won position, and how many plies it lasts.
const WON_CHANCE: f64 = 0.6;
const WON_PLIES: usize = 4;

/// The last ply of the opening.
const OPENING_PLIES: u32 = 20;

/// The winning chance of an evaluation in hundredths of a pawn, from -1 to 1.
fn chance(evaluation: i64) -> f64 {
    2.0 / (1.0 + (-0.003_68 * evaluation as f64).exp()) - 1.0
}

/// Moves, and how many of them were errors.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct ErrorCounts {
    /// Moves with evaluations before and after them.
    pub moves: u64,
    /// After which the winning chance (-1 to 1) is lower by 0.3 or more.
    pub blunders: u64,
    /// By 0.2 or more.
    pub mistakes: u64,
    /// By 0.1 or more.
    pub inaccuracies: u64,
}

impl ErrorCounts {
    fn add(&mut self, fall: f64) {
        self.moves += 1;
        let counts = [
            &mut self.blunders,
            &mut self.mistakes,
            &mut self.inaccuracies,
        ];
        if let Some(at) = FALLS.iter().position(|&least| fall >= least) {
            *counts[at] += 1;
        }
    }
}

/// The errors in a part of the games.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ErrorRow {
    /// What moves are counted by: `all`, `phase`, or `clock`.
    pub by: &'static str,
    /// Which: `opening` (ten moves), `middlegame`, `ending`; the quarter of the base time that was left
    /// before the move: `75..100`, `50..75`, `25..50`, `0..25`.
    pub key: &'static str,
    /// Of the player.
    pub own_errors: ErrorCounts,
    /// Of the opponents in the same games.
    pub opponent_errors: ErrorCounts,
}

/// The errors of a player.
#[derive(Debug, Clone, PartialEq, Serialize, Default)]
pub struct PlayerErrors {
    /// Games with evaluations of both players' moves.
    pub games: u64,
    /// The errors, of twenty such games or more.
    pub rows: Vec<ErrorRow>,
    /// The games in which the player had a won position: a winning chance of 0.6 or more for four
    /// plies.
    pub won_positions: Option<Figures>,
}

/// Counts errors.
#[derive(Debug, Default)]
pub(super) struct ErrorTally<'g> {
    games: u64,
    counts: BTreeMap<(&'static str, &'static str), [ErrorCounts; 2]>,
    won: Vec<&'g PlayerGame>,
}

/// The rows in their order.
const ROWS: [(&str, &str); 8] = [
    ("all", "all"),
    ("phase", "opening"),
    ("phase", "middlegame"),
    ("phase", "ending"),
    ("clock", "75..100"),
    ("clock", "50..75"),
    ("clock", "25..50"),
    ("clock", "0..25"),
];

impl<'g> ErrorTally<'g> {
    /// Adds a game with its annotated moves, the ply at which its ending begins and the base time in
    /// milliseconds.
    pub(super) fn add(
        &mut self,
        game: &'g PlayerGame,
        moves: &[MoveAnnotation],
        (ending, base): (Option<u32>, Option<i64>),
    ) {
        let sign = |side: usize| if side == 0 { 1 } else { -1 };
        let mut of_game = [0, 0];
        let mut clocks: [Option<(u32, i64)>; 2] = [None; 2];
        let (mut before, mut lasts): (Option<(u32, i64)>, usize) = (None, 0);
        let mut is_won = false;
        for own in moves {
            let clock = clocks[own.side].filter(|&(ply, _)| ply + 2 == own.ply);
            if let Some(left) = own.time_left_ms {
                clocks[own.side] = Some((own.ply, left));
            }
            let Some(after) = own.evaluation else {
                (before, lasts) = (None, 0);
                continue;
            };
            let last = before.filter(|&(ply, _)| ply + 1 == own.ply);
            before = Some((own.ply, after));
            let players = chance(sign(game.side) * after);
            lasts = match (players >= WON_CHANCE, last) {
                (true, Some(_)) => lasts + 1,
                (true, None) => 1,
                (false, _) => 0,
            };
            is_won |= lasts >= WON_PLIES;
            let Some((_, evaluation)) = last else {
                continue;
            };
            let sign = sign(own.side);
            let fall = chance(sign * evaluation) - chance(sign * after);
            let phase = match ending {
                Some(ending) if own.ply > ending => "ending",
                _ if own.ply <= OPENING_PLIES => "opening",
                _ => "middlegame",
            };
            let quarter = clock.zip(base).map(|((_, left), base)| match 4 * left {
                left if left >= 3 * base => "75..100",
                left if left >= 2 * base => "50..75",
                left if left >= base => "25..50",
                _ => "0..25",
            });
            let whose = usize::from(own.side != game.side);
            of_game[whose] += 1;
            let places = [("all", "all"), ("phase", phase)];
            for place in places.into_iter().chain(quarter.map(|key| ("clock", key))) {
                self.counts.entry(place).or_default()[whose].add(fall);
            }
        }
        self.games += u64::from(of_game[0] > 0 && of_game[1] > 0);
        if is_won {
            self.won.push(game);
        }
    }

    /// The counts; of fewer than twenty games only how many there are.
    pub(super) fn figures(self, expectation: Option<&ExpectedScores>) -> PlayerErrors {
        let is_enough = self.games >= DIFF_MIN;
        let row = |(by, key)| {
            let &[own_errors, opponent_errors] = self.counts.get(&(by, key))?;
            Some(ErrorRow {
                by,
                key,
                own_errors,
                opponent_errors,
            })
        };
        let rows = ROWS.into_iter().filter_map(row);
        let won = results::figures(self.won.iter().copied(), expectation);
        PlayerErrors {
            games: self.games,
            rows: rows.filter(|_| is_enough).collect(),
            won_positions: Some(won).filter(|won| is_enough && won.games > 0),
        }
    }
}
