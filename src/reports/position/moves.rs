//! What is played next, and what has come up or gone out of use.

use std::collections::HashMap;

use serde::Serialize;

use super::game::ReportGame;
use crate::{
    base::record::OpeningName,
    games::{AnyPosition, Budget, notation::letters::Language},
    reports::{
        expectation::ExpectedScores,
        figures::{Figures, ScoreRecord, SideResult},
        significance::{discoveries, fisher_exact},
    },
    search::{self, MoveCode},
};

/// The months before the last dated game that are recent.
const RECENT_MONTHS: u32 = 24;

/// Recent games of a move that has a trend, at least.
const RECENT_MIN: u64 = 3;

const FALSE_RATE: f64 = 0.10;

/// A move that is played in the position.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MoveFigures {
    /// The move as its game writes it.
    pub san: String,
    /// The move for programs.
    pub uci: String,
    /// What the position after it is called.
    pub opening: Option<OpeningName>,
    /// Its share of all games that go on, 0 to 1.
    pub share: f64,
    /// The games, from the view of the side to move.
    #[serde(flatten)]
    pub results: Figures,
    /// How often it was played in the last two years and before.
    pub trend: Trend,
}

/// How often a move was played in the last 24 months before the last dated game, and before.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Default)]
pub struct Trend {
    /// Recent games with the move.
    pub recent: u64,
    /// Recent games in which it could be played.
    pub recent_chances: u64,
    /// Earlier games with the move.
    pub before: u64,
    /// Earlier games in which it could be played.
    pub before_chances: u64,
    /// How probable such a change is by chance (Fisher's exact test).
    pub p: f64,
    /// `up` or `down` if it is more than chance among all moves of the position.
    pub sign: Option<&'static str>,
}

impl Trend {
    /// How often something was done, and could be: recently and before.
    pub(crate) fn of(recent: (u64, u64), before: (u64, u64)) -> Self {
        Self {
            recent: recent.0,
            recent_chances: recent.1,
            before: before.0,
            before_chances: before.1,
            p: fisher_exact([recent, before]),
            sign: None,
        }
    }
}

/// The first day that is recent, and 0 of undated games.
fn recent_from(games: &[ReportGame]) -> u32 {
    let last = games
        .iter()
        .map(|game| game.facts.date)
        .max()
        .unwrap_or_default();
    last.saturating_sub(RECENT_MONTHS / 12 * 10_000)
}

/// The moves of the games, most played first, and how many games end in the position.
pub(super) fn next(
    games: &[ReportGame],
    (at, view): (&AnyPosition, usize),
    expectation: Option<&ExpectedScores>,
    language: &Language,
) -> (Vec<MoveFigures>, u64) {
    let from = recent_from(games);
    let mut chances = [0, 0];
    let mut records: HashMap<MoveCode, (ScoreRecord, [u64; 2])> = HashMap::new();
    let mut ends_here = 0;
    for game in games {
        let Some(code) = game.next else {
            ends_here += 1;
            continue;
        };
        let (record, played) = records.entry(code).or_default();
        record.add(&SideResult::of(&game.facts, view), expectation);
        if game.facts.date >= 10_000 {
            let is_recent = usize::from(game.facts.date > from);
            chances[is_recent] += 1;
            played[is_recent] += 1;
        }
    }
    let total: u64 = records.values().map(|(record, _)| record.games).sum();
    let named = at.named_moves(Budget::default());
    let mut moves: Vec<MoveFigures> = records
        .into_iter()
        .map(|(code, (record, [before, recent]))| {
            let [san, uci] = search::move_names(at, code, language);
            let opening = named.iter().find(|(move_of, _)| *move_of == uci);
            MoveFigures {
                opening: opening.map(|(_, opening)| OpeningName::from(*opening)),
                san,
                uci,
                share: record.games as f64 / total as f64,
                results: record.figures(),
                trend: Trend::of((recent, chances[1]), (before, chances[0])),
            }
        })
        .collect();
    moves.sort_by(|one, other| {
        let by_games = other.results.games.cmp(&one.results.games);
        by_games.then_with(|| one.uci.cmp(&other.uci))
    });
    mark_trends(moves.iter_mut().map(|played| &mut played.trend));
    (moves, ends_here)
}

/// Marks what came up or went out of use by more than chance, among all that are given.
pub(crate) fn mark_trends<'t>(trends: impl Iterator<Item = &'t mut Trend>) {
    let mut tested: Vec<&mut Trend> = trends
        .filter(|trend| trend.recent >= RECENT_MIN || trend.before >= RECENT_MIN)
        .collect();
    let probabilities: Vec<f64> = tested.iter().map(|trend| trend.p).collect();
    let found = discoveries(&probabilities, FALSE_RATE);
    for (trend, _) in tested
        .iter_mut()
        .zip(found)
        .filter(|(_, is_found)| *is_found)
    {
        let rate = |taken: u64, chances: u64| taken as f64 / chances.max(1) as f64;
        let rises =
            rate(trend.recent, trend.recent_chances) > rate(trend.before, trend.before_chances);
        // A move that came up needs a few games of its own.
        if !rises || trend.recent >= RECENT_MIN {
            trend.sign = Some(if rises { "up" } else { "down" });
        }
    }
}
