//! What ratings let expect of a game: the curve of Elo, with the advantage of the first move as
//! the games of the database show it.

use crate::{
    base::record::Outcome,
    blocks::facts::{FactColumn, PackedFacts},
    games::variant::Variant,
    store::{Store, StoreError},
};

/// A larger difference of two ratings counts as this (FIDE Handbook B.02, 8.3.1).
pub const DIFFERENCE_MAX: i32 = 400;

/// From this difference on players score less than the curve lets expect.
pub const FAR_APART: i32 = 300;

/// The advantage of White in most collections of games, in rating points.
const USUAL_ADVANTAGE: f64 = 35.0;

/// How many games of equal players the usual advantage counts for: of fewer games than these, chance
/// alone would make an advantage of twenty points and more.
const USUAL_GAMES: f64 = 200.0;

/// What ratings let expect.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ExpectedScores {
    /// What the first move is worth, in rating points of White.
    pub advantage: f64,
    /// The games with both ratings and a result that it was fitted to.
    pub games: u64,
}

/// Games counted by the difference of their ratings.
#[derive(Debug, Clone)]
pub struct RatingDifferences {
    /// Games and half points of White, by White's rating less Black's.
    counts: Vec<(u64, u64)>,
}

impl Default for RatingDifferences {
    fn default() -> Self {
        Self {
            counts: vec![(0, 0); 2 * DIFFERENCE_MAX as usize + 1],
        }
    }
}

impl RatingDifferences {
    /// Counts a game, if both ratings and the result are known.
    pub fn add(&mut self, facts: &PackedFacts) {
        let half_points = match Outcome::from_code(facts.outcome as u8) {
            Outcome::Unknown => return,
            Outcome::First => 2,
            Outcome::Draw => 1,
            Outcome::Second => 0,
        };
        if facts.white_elo == 0 || facts.black_elo == 0 {
            return;
        }
        let difference = limited(facts.white_elo as i32 - facts.black_elo as i32);
        let count = &mut self.counts[(difference + DIFFERENCE_MAX) as usize];
        count.0 += 1;
        count.1 += half_points;
    }

    /// The advantage of White with which the mean of score less expected score is zero.
    pub fn fit(&self) -> ExpectedScores {
        let rows = || (-DIFFERENCE_MAX..).zip(&self.counts);
        let surplus = |advantage: f64| {
            let expected: f64 = rows()
                .map(|(difference, &(games, _))| {
                    games as f64 * curve(f64::from(difference) + advantage)
                })
                .sum();
            expected + USUAL_GAMES * (curve(advantage) - curve(USUAL_ADVANTAGE))
        };
        let games = self.counts.iter().map(|&(games, _)| games).sum();
        let half_points: u64 = self
            .counts
            .iter()
            .map(|&(_, half_points)| half_points)
            .sum();
        let score = half_points as f64 / 2.0;
        let (mut low, mut high) = (f64::from(-DIFFERENCE_MAX), f64::from(DIFFERENCE_MAX));
        // The expected score rises with the advantage: 50 halvings leave a difference of 1e-12.
        for _ in 0..50 {
            let middle = f64::midpoint(low, high);
            if surplus(middle) < score {
                low = middle;
            } else {
                high = middle;
            }
        }
        ExpectedScores {
            advantage: f64::midpoint(low, high),
            games,
        }
    }
}

impl Default for ExpectedScores {
    /// What is usual, where no games are known.
    fn default() -> Self {
        Self {
            advantage: USUAL_ADVANTAGE,
            games: 0,
        }
    }
}

impl ExpectedScores {
    /// Fits White's advantage to all games of chess.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read or is damaged.
    pub fn read(store: &Store) -> Result<Self, StoreError> {
        let chess = Variant::by_name("chess").map(|chess| u32::from(chess.id));
        let removed = store.removed()?;
        let columns = [
            FactColumn::WhiteElo,
            FactColumn::BlackElo,
            FactColumn::Outcome,
            FactColumn::Variant,
        ];
        let mut differences = RatingDifferences::default();
        store.for_each_facts(&columns, |game, facts| {
            if Some(facts.variant) == chess && !removed.contains(game) {
                differences.add(facts);
            }
        })?;
        Ok(differences.fit())
    }

    /// The expected score of a player, from 0 to 1.
    pub fn score(&self, own: u16, opponent: u16, has_white: bool) -> f64 {
        let advantage = if has_white {
            self.advantage
        } else {
            -self.advantage
        };
        curve(f64::from(limited(i32::from(own) - i32::from(opponent))) + advantage)
    }
}

fn limited(difference: i32) -> i32 {
    difference.clamp(-DIFFERENCE_MAX, DIFFERENCE_MAX)
}

/// The expected score of a player whose rating is higher by a difference.
fn curve(difference: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-difference / 400.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(white_elo: u32, black_elo: u32, outcome: Outcome) -> PackedFacts {
        PackedFacts {
            white_elo,
            black_elo,
            outcome: outcome as u32,
            ..PackedFacts::default()
        }
    }

    #[test]
    fn the_fitted_advantage_leaves_no_mean_difference() {
        let mut differences = RatingDifferences::default();
        // 57 % for White among equals is an advantage of 48.96; ten thousand of them outweigh the usual.
        for nth in 0..10_000_000 {
            let outcome = match nth % 100 {
                0..30 => Outcome::First,
                30..84 => Outcome::Draw,
                _ => Outcome::Second,
            };
            differences.add(&game(2500, 2500, outcome));
        }
        differences.add(&game(0, 2500, Outcome::First));
        differences.add(&game(2500, 2500, Outcome::Unknown));
        let fitted = differences.fit();
        assert_eq!(fitted.games, 10_000_000);
        assert!(
            (fitted.advantage - 48.96).abs() < 0.01,
            "{}",
            fitted.advantage
        );
        let both = fitted.score(2500, 2500, true) + fitted.score(2500, 2500, false);
        assert!((both - 1.0).abs() < 1e-12);
        assert!((fitted.score(2500, 2500, true) - 0.57).abs() < 1e-4);
    }

    #[test]
    fn few_games_keep_the_usual_advantage_and_large_differences_count_as_400() {
        let mut differences = RatingDifferences::default();
        assert!((differences.fit().advantage - 35.0).abs() < 1e-9);
        for _ in 0..3 {
            differences.add(&game(2500, 2500, Outcome::First));
        }
        let fitted = differences.fit();
        assert!(
            (35.0..40.0).contains(&fitted.advantage),
            "{}",
            fitted.advantage
        );
        let none = ExpectedScores {
            advantage: 0.0,
            games: 0,
        };
        for (own, opponent) in [(2400, 2000), (2800, 1000)] {
            assert!((none.score(own, opponent, true) - 10.0 / 11.0).abs() < 1e-12);
            assert!((none.score(opponent, own, true) - 1.0 / 11.0).abs() < 1e-12);
        }
    }
}
