//! Scores, mean ratings and performances of games that are summed up.

use super::super::ScoreSum;
use crate::index::popular::Tally;

fn known_year(year: u64) -> Option<u16> {
    u16::try_from(year).ok().filter(|&year| year > 0)
}

/// Games of one or both sides to move, on the way to a score.
#[derive(Default)]
pub(in crate::modules::search) struct ScoreAccumulator {
    tally: Tally,
    /// Half points of the side that moves, of games with a result.
    half_points: u64,
}

impl ScoreAccumulator {
    pub(in crate::modules::search) fn add(&mut self, tally: &Tally, turn: usize) {
        self.tally.merge(tally);
        self.half_points += 2 * tally.outcomes[1 + turn] + tally.outcomes[3];
    }

    pub(in crate::modules::search) fn score(&self) -> ScoreSum {
        let Tally {
            games,
            outcomes: [unknown, white, black, draws],
            ..
        } = self.tally;
        let mean = |sum: u64, count: u64| (count > 0).then(|| sum as f64 / count as f64);
        let decided = games - unknown;
        ScoreSum {
            games,
            white_wins: white,
            draws,
            black_wins: black,
            no_result: unknown,
            score: mean(self.half_points, 2 * decided),
            average_rating: mean(self.tally.rating_sum, self.tally.rated),
            average_opponent_rating: mean(self.tally.opponent_sum, self.tally.opposed),
            performance: self.performance(f64::round),
            finer_performance: self.performance(|percent| percent),
            first_year: known_year(self.tally.first_year),
            last_year: known_year(self.tally.last_year),
        }
    }

    /// Mean rating of the opponents plus the rating difference that FIDE gives
    /// for the score against them (FIDE Handbook B.02, 8.1.1), in per cent as `rounded` has it;
    /// between the rows of the table it is interpolated.
    fn performance(&self, rounded: impl Fn(f64) -> f64) -> Option<f64> {
        let Tally {
            opposed,
            opponent_sum,
            opposed_half_points,
            ..
        } = self.tally;
        if opposed == 0 {
            return None;
        }
        // No more than all points, whatever a damaged block says.
        let points = opposed_half_points.min(opposed.saturating_mul(2)) as f64 / 2.0;
        let share = rounded(points * 100.0 / opposed as f64);
        Some(opponent_sum as f64 / opposed as f64 + rating_difference(share))
    }
}

/// The rating difference that FIDE gives for a score in per cent, from 0 to 100 (FIDE Handbook
/// B.02, 8.1.1); between the rows of the table it is interpolated.
pub fn rating_difference(percent: f64) -> f64 {
    let above = (percent - 50.0).abs();
    let row = |at: f64| f64::from(RATING_DIFFERENCE[at as usize]);
    let difference = row(above.floor()) + (row(above.ceil()) - row(above.floor())) * above.fract();
    difference * (percent - 50.0).signum()
}

/// FIDE Handbook B.02, table 8.1.1: rating difference by score from 50 % to 100 %.
const RATING_DIFFERENCE: [u16; 51] = [
    0, 7, 14, 21, 29, 36, 43, 50, 57, 65, 72, 80, 87, 95, 102, 110, 117, 125, 133, 141, 149, 158,
    166, 175, 184, 193, 202, 211, 220, 230, 240, 251, 262, 273, 284, 296, 309, 322, 336, 351, 366,
    383, 401, 422, 444, 470, 501, 538, 589, 677, 800,
];
