//! Games summed up from one side's view, and the figures that every report shows of them:
//! score, expected score and performance, each with its error or what it is based on.

use std::collections::BTreeMap;

use serde::Serialize;

use super::expectation::{ExpectedScores, FAR_APART};
use crate::{base::record::Outcome, blocks::facts::PackedFacts, search::rating_difference};

/// Of fewer games no score is shown: a report lists them.
pub const SCORE_MIN: u64 = 6;

/// Of fewer games no difference from the expected score is shown.
pub const DIFF_MIN: u64 = 20;

/// The least standard deviation of a game's result: thirteen games that were won alike would prove
/// anything.
const DEVIATION_MIN: f64 = 0.30;

/// The standard normal deviate of 95 %.
const Z: f64 = 1.96;

/// Above this number of games, or this standard deviation of the opponents' ratings, the
/// performance by their mean is wrong.
const PERFORMANCE_GAMES: u64 = 30;
const PERFORMANCE_DEVIATION: f64 = 100.0;

/// A game from the view of one of its sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SideResult {
    /// Half points of the side, 0 to 2; `None` without a result.
    pub half_points: Option<u8>,
    /// Whether the side is White.
    pub has_white: bool,
    /// Its rating.
    pub rating: Option<u16>,
    /// The opponent's rating.
    pub opponent_rating: Option<u16>,
}

impl SideResult {
    /// A game from the view of White (0) or Black (1).
    pub fn of(facts: &PackedFacts, side: usize) -> Self {
        let rating = |elo: u32| u16::try_from(elo).ok().filter(|&elo| elo > 0);
        let [white, black] = [facts.white_elo, facts.black_elo].map(rating);
        let of_white = match Outcome::from_code(facts.outcome as u8) {
            Outcome::Unknown => None,
            Outcome::First => Some(2),
            Outcome::Draw => Some(1),
            Outcome::Second => Some(0),
        };
        if side == 0 {
            Self {
                half_points: of_white,
                has_white: true,
                rating: white,
                opponent_rating: black,
            }
        } else {
            Self {
                half_points: of_white.map(|half_points| 2 - half_points),
                has_white: false,
                rating: black,
                opponent_rating: white,
            }
        }
    }

    /// Score less expected score, from -1 to 1, if both ratings and the result are known.
    pub fn residual(&self, expectation: &ExpectedScores) -> Option<f64> {
        let score = f64::from(self.half_points?) / 2.0;
        Some(score - expectation.score(self.rating?, self.opponent_rating?, self.has_white))
    }
}

/// Scores less expected scores, summed up.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Residuals {
    /// Games with both ratings and a result.
    pub games: u64,
    sum: f64,
    squares: f64,
}

/// A difference of scores, from -1 to 1, with its standard error.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Difference {
    /// The difference.
    pub value: f64,
    /// Its standard error.
    pub error: f64,
}

impl Residuals {
    /// Adds a game.
    pub fn add(&mut self, residual: f64) {
        self.games += 1;
        self.sum += residual;
        self.squares += residual * residual;
    }

    /// Adds the games of another sum.
    pub fn merge(&mut self, other: &Self) {
        self.games += other.games;
        self.sum += other.sum;
        self.squares += other.squares;
    }

    /// Their mean with its standard error; `None` of no games.
    pub fn mean(&self) -> Option<Difference> {
        if self.games == 0 {
            return None;
        }
        let games = self.games as f64;
        let value = self.sum / games;
        let spread = (self.squares - games * value * value).max(0.0);
        let deviation = (spread / (games - 1.0).max(1.0)).sqrt().max(DEVIATION_MIN);
        Some(Difference {
            value,
            error: deviation / games.sqrt(),
        })
    }

    /// How much better these games went than others; `None` if either are none.
    pub fn minus(&self, other: &Self) -> Option<Difference> {
        let (own, other) = (self.mean()?, other.mean()?);
        Some(Difference {
            value: own.value - other.value,
            error: own.error.hypot(other.error),
        })
    }
}

impl Difference {
    /// Standard errors that it is away from zero.
    pub fn z(&self) -> f64 {
        self.value / self.error
    }

    /// How probable a difference at least as large is by chance, in either direction.
    pub fn probability(&self) -> f64 {
        normal_tails(self.z().abs())
    }
}

/// The probability that a normal deviate is at least `z` away from its mean (Abramowitz and Stegun
/// 7.1.26 of the error function, which is right to 1.5e-7).
fn normal_tails(z: f64) -> f64 {
    let x = z / std::f64::consts::SQRT_2;
    let t = 1.0 / (1.0 + 0.327_591_1 * x);
    let factors = [
        1.061_405_429,
        -1.453_152_027,
        1.421_413_741,
        -0.284_496_736,
        0.254_829_592,
    ];
    let sum = factors.iter().fold(0.0, |sum, factor| (sum + factor) * t);
    sum * (-x * x).exp()
}

/// Games summed up from one side's view.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ScoreRecord {
    /// Games, with or without a result.
    pub games: u64,
    /// Games won.
    pub won: u64,
    /// Games drawn.
    pub drawn: u64,
    /// Games lost.
    pub lost: u64,
    /// Scores less expected scores.
    pub residuals: Residuals,
    expected: f64,
    far_apart: u64,
    /// The ratings of the opponents in the games with a result, with how many of these there are.
    opponents: BTreeMap<u16, u64>,
    /// Half points against opponents with a rating.
    opposed_half_points: u64,
}

impl ScoreRecord {
    /// Adds a game; without an expectation nothing is expected of it.
    pub fn add(&mut self, game: &SideResult, expectation: Option<&ExpectedScores>) {
        self.games += 1;
        match game.half_points {
            None => return,
            Some(0) => self.lost += 1,
            Some(1) => self.drawn += 1,
            Some(_) => self.won += 1,
        }
        let half_points = game.half_points.unwrap_or_default();
        if let Some(rating) = game.opponent_rating {
            *self.opponents.entry(rating).or_default() += 1;
            self.opposed_half_points += u64::from(half_points);
        }
        if let Some(residual) = expectation.and_then(|expected| game.residual(expected)) {
            self.residuals.add(residual);
            self.expected += f64::from(half_points) / 2.0 - residual;
            let ratings = game.rating.zip(game.opponent_rating);
            let is_far = |(own, other): (u16, u16)| i32::from(own.abs_diff(other)) >= FAR_APART;
            self.far_apart += u64::from(ratings.is_some_and(is_far));
        }
    }

    /// Adds the games of another record.
    pub fn merge(&mut self, other: &Self) {
        self.games += other.games;
        self.won += other.won;
        self.drawn += other.drawn;
        self.lost += other.lost;
        self.residuals.merge(&other.residuals);
        self.expected += other.expected;
        self.far_apart += other.far_apart;
        for (&rating, &games) in &other.opponents {
            *self.opponents.entry(rating).or_default() += games;
        }
        self.opposed_half_points += other.opposed_half_points;
    }

    /// Games with a result.
    pub const fn decided(&self) -> u64 {
        self.won + self.drawn + self.lost
    }

    /// Points per game with a result, from 0 to 1.
    pub fn score(&self) -> Option<f64> {
        let half_points = 2 * self.won + self.drawn;
        let decided = self.decided();
        (decided > 0).then(|| half_points as f64 / (2 * decided) as f64)
    }

    /// The interval that covers the player's true score in 95 of 100 cases: Wilson's, with the
    /// spread of the games themselves. Draws make it narrower than wins and losses do.
    pub fn interval(&self) -> Option<(f64, f64)> {
        let score = self.score()?;
        let games = self.decided() as f64;
        let counts = [self.won, self.drawn, self.lost].map(|count| count as f64 + 1.0 / 3.0);
        let points = [1.0, 0.5, 0.0];
        let mean = (counts[0] + counts[1] / 2.0) / (games + 1.0);
        let squares = counts
            .iter()
            .zip(points)
            .map(|(count, points): (_, f64)| count * (points - mean).powi(2));
        let variance = squares.sum::<f64>() / (games + 1.0);
        // As many games without draws would have this spread.
        let games = games * mean * (1.0 - mean) / variance;
        let shrunk = 1.0 + Z * Z / games;
        let centre = (score + Z * Z / (2.0 * games)) / shrunk;
        let spread = score * (1.0 - score) / games + Z * Z / (4.0 * games * games);
        let half = Z * spread.max(0.0).sqrt() / shrunk;
        Some(((centre - half).max(0.0), (centre + half).min(1.0)))
    }

    /// Mean rating of the opponents, of games with a result.
    pub fn opponents(&self) -> Option<f64> {
        let games = self.opposed();
        let sum: u64 = (self.opponents.iter())
            .map(|(&rating, &games)| u64::from(rating) * games)
            .sum();
        (games > 0).then(|| sum as f64 / games as f64)
    }

    /// Games with a result and the opponent's rating.
    fn opposed(&self) -> u64 {
        self.opponents.values().sum()
    }

    fn opponents_deviation(&self) -> f64 {
        let Some(mean) = self.opponents() else {
            return 0.0;
        };
        let squares = (self.opponents.iter())
            .map(|(&rating, &games)| games as f64 * (f64::from(rating) - mean).powi(2));
        (squares.sum::<f64>() / self.opposed() as f64).sqrt()
    }

    /// The performance that organisers publish: mean of the opponents' ratings, rounded, plus the
    /// rating difference for the score (FIDE Handbook B.02, 8.1.1).
    pub fn performance(&self) -> Option<i32> {
        let opposed = self.opposed();
        let mean = self.opponents()?;
        let percent = 100.0 * self.opposed_half_points as f64 / (2 * opposed) as f64;
        let rounded = |value: f64| (value + 0.5).floor();
        Some((rounded(mean) + rating_difference(rounded(percent))) as i32)
    }

    /// The perfect tournament performance (FIDE Handbook C.07, 10.3): the lowest rating with which
    /// the expected scores against all opponents add up to the score.
    pub fn perfect_performance(&self) -> Option<i32> {
        let (&lowest, &highest) = (
            self.opponents.keys().next()?,
            self.opponents.keys().next_back()?,
        );
        let (mut low, mut high) = (i32::from(lowest) - 800, i32::from(highest) + 800);
        if self.opposed_half_points == 0 {
            return Some(low);
        }
        let expected = |rating: i32| -> u64 {
            let percents = (self.opponents.iter()).map(|(&opponent, &games)| {
                games * u64::from(expected_percent(rating - i32::from(opponent)))
            });
            percents.sum()
        };
        while high - low > 1 {
            let middle = i32::midpoint(low, high);
            if expected(middle) >= 50 * self.opposed_half_points {
                high = middle;
            } else {
                low = middle;
            }
        }
        Some(high)
    }

    /// All figures. Those of which there are too few games are missing, and `why` says so.
    pub fn figures(&self) -> Figures {
        let decided = self.decided();
        let has_score = decided >= SCORE_MIN;
        let diff = self
            .residuals
            .mean()
            .filter(|_| self.residuals.games >= DIFF_MIN);
        let rated = self.residuals.games;
        let interval = self.interval().filter(|_| has_score);
        let is_mixed = self.opposed() > PERFORMANCE_GAMES
            || self.opponents_deviation() > PERFORMANCE_DEVIATION;
        let performance = self.performance().filter(|_| has_score);
        Figures {
            games: self.games,
            won: self.won,
            drawn: self.drawn,
            lost: self.lost,
            no_result: self.games - decided,
            score: self.score().filter(|_| has_score),
            low: interval.map(|(low, _)| low),
            high: interval.map(|(_, high)| high),
            rated,
            expected: (rated >= SCORE_MIN).then(|| self.expected / rated as f64),
            diff: diff.map(|diff| diff.value),
            diff_2se: diff.map(|diff| 2.0 * diff.error),
            far_apart: self.far_apart,
            opponents: self.opponents(),
            performance,
            performance_by: performance.map(|_| "fide-8.1.1"),
            perfect_performance: self.perfect_performance().filter(|_| has_score && is_mixed),
            why: match (decided, rated) {
                (..SCORE_MIN, _) => Some("fewer than 6 games with a result"),
                (_, 0) => Some("no game with both ratings"),
                (_, ..SCORE_MIN) => Some("fewer than 6 games with both ratings"),
                (_, ..DIFF_MIN) => Some("fewer than 20 games with both ratings"),
                _ => None,
            },
        }
    }
}

/// What a report shows of some games, from one side's view.
#[derive(Debug, Clone, PartialEq, Serialize, Default)]
pub struct Figures {
    /// Games, with or without a result.
    pub games: u64,
    /// Games won.
    pub won: u64,
    /// Games drawn.
    pub drawn: u64,
    /// Games lost.
    pub lost: u64,
    /// Games without a result, which count in no other figure.
    pub no_result: u64,
    /// Points per game with a result, from 0 to 1.
    pub score: Option<f64>,
    /// The lower end of the 95 % interval of the score.
    pub low: Option<f64>,
    /// The upper end.
    pub high: Option<f64>,
    /// Games with a result and both ratings: those of `expected` and `diff`.
    pub rated: u64,
    /// Points per game that the ratings let expect, from 0 to 1.
    pub expected: Option<f64>,
    /// Score less expected score, from -1 to 1, of the games that have both.
    pub diff: Option<f64>,
    /// Two standard errors of `diff`.
    pub diff_2se: Option<f64>,
    /// Games whose ratings differ by 300 or more, of which the curve expects too much.
    pub far_apart: u64,
    /// Mean rating of the opponents.
    pub opponents: Option<f64>,
    /// Performance rating.
    pub performance: Option<i32>,
    /// What the performance is computed by: `fide-8.1.1`.
    pub performance_by: Option<&'static str>,
    /// The perfect tournament performance of more than 30 games, or of opponents of very
    /// different strength, for whom `performance` is wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub perfect_performance: Option<i32>,
    /// Why figures are missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<&'static str>,
}

/// Figures of the games that have something in common.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FigureRow {
    /// What they are counted by, such as `color`.
    pub by: &'static str,
    /// What they have in common, such as `white`.
    pub key: String,
    /// The figures.
    #[serde(flatten)]
    pub figures: Figures,
}

/// The score that FIDE expects for a rating that is higher by a difference, in per cent (FIDE
/// Handbook B.02, 8.1.2).
pub fn expected_percent(difference: i32) -> u8 {
    let rows = EXPECTED_FROM.partition_point(|&from| u32::from(from) <= difference.unsigned_abs());
    let above = rows as u8 + 50;
    if difference < 0 { 100 - above } else { above }
}

/// The least differences of 51 %, 52 % … 100 %.
const EXPECTED_FROM: [u16; 50] = [
    4, 11, 18, 26, 33, 40, 47, 54, 62, 69, 77, 84, 92, 99, 107, 114, 122, 130, 138, 146, 154, 163,
    171, 180, 189, 198, 207, 216, 226, 236, 246, 257, 268, 279, 291, 303, 316, 329, 345, 358, 375,
    392, 412, 433, 457, 485, 518, 560, 620, 736,
];

#[cfg(test)]
mod tests;
