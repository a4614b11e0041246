//! How a player's games go by the clock: who is in time trouble first, and who has more time left
//! after the opening.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{games::PlayerGame, results};
use crate::{
    pgn::tags::time_control::{TimeControl, TimeControlKind},
    reports::{
        expectation::ExpectedScores,
        figures::{DIFF_MIN, FigureRow},
    },
    search::MoveAnnotation,
};

/// Time trouble: less than this part of the base time is left, at most this number of milliseconds, and not
/// less than this number of increments.
const TROUBLE_PART: i64 = 10;
const TROUBLE_MAX: i64 = 300_000;
const TROUBLE_INCREMENTS: i64 = 10;

/// The ply after which clocks are compared: the twentieth move of both.
const COMPARED_PLY: u32 = 40;

/// Clocks differ if they do by this part of the base time.
const MARGIN_PART: i64 = 10;

/// The base time and the increment of a game, in milliseconds; `None` without a clock.
pub(super) fn base_of(control: &TimeControl) -> Option<(i64, i64)> {
    let period = control.periods.first()?;
    let is_timed = control.kind == TimeControlKind::Periods && period.seconds > 0;
    is_timed.then(|| {
        (
            1000 * i64::from(period.seconds),
            1000 * i64::from(period.increment),
        )
    })
}

/// Games of a time class by the clock.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ClockClass {
    /// The time class.
    pub time: &'static str,
    /// Its games with the clocks of both players that last twenty moves.
    pub games: u64,
    /// Their figures by `trouble`: `none` in either clock, the `player` in time trouble first, the `opponent`
    /// first; and by `move-20`: the player has `less` time by a tenth of the base time or more, as much
    /// (`level`), or `more`.
    pub rows: Vec<FigureRow>,
}

/// Games by the clock.
#[derive(Debug, Clone, PartialEq, Serialize, Default)]
pub struct PlayerClock {
    /// Games with the clocks of both players that last twenty moves.
    pub games: u64,
    /// The time classes with twenty such games or more.
    pub classes: Vec<ClockClass>,
}

/// What the clocks of a game say.
#[derive(Debug, Clone, Copy)]
struct ClockFacts {
    trouble: &'static str,
    at_20: &'static str,
}

/// Gathers games by the clock.
#[derive(Debug, Default)]
pub(super) struct ClockTally<'g> {
    games: BTreeMap<&'static str, Vec<(ClockFacts, &'g PlayerGame)>>,
}

impl<'g> ClockTally<'g> {
    /// Adds a game with its annotated moves.
    pub(super) fn add(
        &mut self,
        game: &'g PlayerGame,
        moves: &[MoveAnnotation],
        (base, increment): (i64, i64),
    ) {
        let clocks = |side: usize| {
            let of_side = moves.iter().filter(move |own| own.side == side);
            of_side.filter_map(|own| Some((own.ply, own.time_left_ms?)))
        };
        // The last clock of each side by the twentieth move.
        let at_20 = |side: usize| {
            let mut early = clocks(side).filter(|&(ply, _)| ply <= COMPARED_PLY);
            early.next_back().filter(|&(ply, _)| ply + 2 > COMPARED_PLY)
        };
        let (Some((_, own)), Some((_, other))) = (at_20(game.side), at_20(game.side ^ 1)) else {
            return;
        };
        let limit = (base / TROUBLE_PART)
            .min(TROUBLE_MAX)
            .max(TROUBLE_INCREMENTS * increment);
        let trouble = |side: usize| {
            let mut short = clocks(side).filter(|&(_, left)| left < limit);
            short.next().map_or(u32::MAX, |(ply, _)| ply)
        };
        let (first, opponents) = (trouble(game.side), trouble(game.side ^ 1));
        let facts = ClockFacts {
            trouble: match first.cmp(&opponents) {
                std::cmp::Ordering::Equal => "none",
                std::cmp::Ordering::Less => "player",
                std::cmp::Ordering::Greater => "opponent",
            },
            at_20: match MARGIN_PART * (own - other) {
                more if more > base => "more",
                less if -less > base => "less",
                _ => "level",
            },
        };
        self.games
            .entry(game.speed)
            .or_default()
            .push((facts, game));
    }

    /// The figures.
    pub(super) fn figures(self, expectation: Option<&ExpectedScores>) -> PlayerClock {
        let mut clock = PlayerClock::default();
        for (time, games) in self.games {
            clock.games += games.len() as u64;
            if (games.len() as u64) < DIFF_MIN {
                continue;
            }
            let row = |by: &'static str, key: &'static str| {
                let own = games.iter().filter(|(facts, _)| match by {
                    "trouble" => facts.trouble == key,
                    _ => facts.at_20 == key,
                });
                FigureRow {
                    by,
                    key: key.to_owned(),
                    figures: results::figures(own.map(|&(_, game)| game), expectation),
                }
            };
            let rows = [
                ("trouble", "none"),
                ("trouble", "player"),
                ("trouble", "opponent"),
                ("move-20", "less"),
                ("move-20", "level"),
                ("move-20", "more"),
            ];
            let rows = rows.into_iter().map(|(by, key)| row(by, key));
            clock.classes.push(ClockClass {
                time,
                games: games.len() as u64,
                rows: rows.filter(|row| row.figures.games > 0).collect(),
            });
        }
        clock
            .classes
            .sort_by_key(|class| std::cmp::Reverse(class.games));
        clock
    }
}
