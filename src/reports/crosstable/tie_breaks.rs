//! The tie-breaks of the FIDE Handbook, C.07, of 2024.

use std::{collections::BTreeMap, str::FromStr};

use super::{
    EventKind,
    standings::{PlayerRound, Standings},
};

/// A tie-break, by its name in the Handbook.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TieBreak {
    /// `DE`: points in the games of the tied players, if all of them met.
    DirectEncounter,
    /// `WIN`: rounds with as many points as a win has.
    Wins,
    /// `WON`: games won over the board.
    GamesWon,
    /// `BPG`: games played with Black.
    BlackGames,
    /// `BWG`: games won with Black.
    BlackWins,
    /// `PS`: the sum of the points after each round.
    ProgressiveScore,
    /// `KS`: points against opponents with half of the points or more.
    Koya,
    /// `SB`: the points of each opponent times the score against them.
    SonnebornBerger,
    /// `BH`: the points of all opponents.
    Buchholz,
    /// `BH/C1`: without the opponent with the fewest.
    BuchholzCut1,
    /// `BH/C2`: without the two with the fewest.
    BuchholzCut2,
    /// `BH/M1`: without those with the fewest and the most.
    BuchholzMedian1,
    /// `ARO`: mean rating of the opponents.
    OpponentRating,
    /// `TPR`: performance rating.
    Performance,
    /// `PTP`: perfect tournament performance.
    PerfectPerformance,
    /// `MPvGP`: points of a team's games.
    BoardPoints,
}

impl TieBreak {
    /// Those of players.
    pub const ALL: [Self; 15] = [
        Self::DirectEncounter,
        Self::Wins,
        Self::GamesWon,
        Self::BlackGames,
        Self::BlackWins,
        Self::ProgressiveScore,
        Self::Koya,
        Self::SonnebornBerger,
        Self::Buchholz,
        Self::BuchholzCut1,
        Self::BuchholzCut2,
        Self::BuchholzMedian1,
        Self::OpponentRating,
        Self::Performance,
        Self::PerfectPerformance,
    ];

    /// Its name in the Handbook.
    pub const fn name(self) -> &'static str {
        match self {
            Self::DirectEncounter => "DE",
            Self::Wins => "WIN",
            Self::GamesWon => "WON",
            Self::BlackGames => "BPG",
            Self::BlackWins => "BWG",
            Self::ProgressiveScore => "PS",
            Self::Koya => "KS",
            Self::SonnebornBerger => "SB",
            Self::Buchholz => "BH",
            Self::BuchholzCut1 => "BH/C1",
            Self::BuchholzCut2 => "BH/C2",
            Self::BuchholzMedian1 => "BH/M1",
            Self::OpponentRating => "ARO",
            Self::Performance => "TPR",
            Self::PerfectPerformance => "PTP",
            Self::BoardPoints => "MPvGP",
        }
    }

    /// Those of a kind of event, in their order.
    pub const fn usual(kind: EventKind) -> &'static [Self] {
        match kind {
            EventKind::RoundRobin => &[
                Self::DirectEncounter,
                Self::SonnebornBerger,
                Self::Wins,
                Self::Koya,
            ],
            EventKind::Swiss => &[
                Self::BuchholzCut1,
                Self::Buchholz,
                Self::DirectEncounter,
                Self::Wins,
                Self::BlackGames,
            ],
            EventKind::Match
            | EventKind::KnockOut
            | EventKind::Simultaneous
            | EventKind::Unknown => &[],
        }
    }

    /// Whether it depends on the final points of opponents, so that it is wrong while games are
    /// missing.
    pub(super) const fn needs_all_games(self) -> bool {
        matches!(
            self,
            Self::Koya
                | Self::SonnebornBerger
                | Self::Buchholz
                | Self::BuchholzCut1
                | Self::BuchholzCut2
                | Self::BuchholzMedian1
        )
    }
}

impl FromStr for TieBreak {
    type Err = String;

    /// Reads the name that it has in the Handbook, in letters of any size.
    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL
            .into_iter()
            .find(|one| one.name().eq_ignore_ascii_case(text.trim()));
        found.ok_or_else(|| {
            let names = Self::ALL.map(Self::name).join(", ");
            format!("`{text}` is not a tie-break; those of the FIDE Handbook are {names}")
        })
    }
}

/// A round of a player, as tie-breaks see it.
#[derive(Debug, Clone, Copy)]
struct Contribution {
    /// Points of the opponent, or of a dummy instead of one.
    opponent: f64,
    /// What is missing by the player's own wish: cut first.
    is_absence: bool,
}

impl Standings {
    /// The value of a tie-break for a player; `None` if it cannot be computed. Values of
    /// [`TieBreak::DirectEncounter`] are set by [`rank`](Self::rank).
    pub(super) fn tie_break(&self, player: usize, of: TieBreak) -> Option<f64> {
        let rounds = &self.rounds_of[player];
        let played = || rounds.iter().filter(|round| round.is_played);
        let win = self.game_points;
        let is_won = |points: Option<f64>| points == Some(win);
        match of {
            TieBreak::DirectEncounter => None,
            TieBreak::Wins => {
                let byes = if self.bye == Some(win) {
                    self.holes[player].len()
                } else {
                    0
                };
                let won = rounds.iter().filter(|round| is_won(round.points)).count();
                Some((won + byes) as f64)
            }
            TieBreak::GamesWon => {
                Some(played().filter(|round| is_won(round.points)).count() as f64)
            }
            TieBreak::BlackGames => Some(played().filter(|round| !round.has_white).count() as f64),
            TieBreak::BlackWins => {
                let won = played().filter(|round| !round.has_white && is_won(round.points));
                Some(won.count() as f64)
            }
            TieBreak::ProgressiveScore => self.progressive_score(player),
            TieBreak::Koya => Some(self.koya(player)),
            TieBreak::SonnebornBerger => Some(self.sonneborn_berger(player)),
            TieBreak::Buchholz => Some(self.buchholz(player, 0, 0)),
            TieBreak::BuchholzCut1 => Some(self.buchholz(player, 1, 0)),
            TieBreak::BuchholzCut2 => Some(self.buchholz(player, 2, 0)),
            TieBreak::BuchholzMedian1 => Some(self.buchholz(player, 1, 1)),
            TieBreak::OpponentRating => {
                let mean = self.records[player].opponents();
                mean.map(|mean| (mean + 0.5).floor())
            }
            TieBreak::Performance => self.records[player].performance().map(f64::from),
            TieBreak::PerfectPerformance => {
                self.records[player].perfect_performance().map(f64::from)
            }
            TieBreak::BoardPoints => Some(*self.board_points.as_ref()?.get(player)?),
        }
    }

    /// The points of an opponent as they count for others: a player who has left is taken to draw
    /// the rest (16.3).
    fn adjusted(&self, player: usize) -> f64 {
        let Some(bye) = self.bye.filter(|_| self.kind == EventKind::Swiss) else {
            return self.points[player];
        };
        let last = self.rounds_of[player]
            .iter()
            .filter_map(|round| round.round)
            .max();
        let later = self.holes[player]
            .iter()
            .filter(|&&hole| Some(hole) > last)
            .count() as f64;
        let draw = self.game_points / 2.0;
        self.points[player] + later * (draw - bye).max(0.0)
    }

    /// The rounds that a player of a Swiss tournament did not play, as shares of a win that they
    /// brought: the opponent is a dummy with the player's own points (16.4).
    fn absences(&self, player: usize) -> impl Iterator<Item = f64> {
        let is_swiss = self.kind == EventKind::Swiss;
        let byes = self
            .bye
            .filter(|_| is_swiss)
            .map_or(0, |_| self.holes[player].len());
        let share = self.bye.unwrap_or(0.0) / self.game_points;
        let forfeits = (self.rounds_of[player].iter())
            .filter(move |round| is_swiss && !round.is_played)
            .map(|round| round.points.unwrap_or(0.0) / self.game_points);
        std::iter::repeat_n(share, byes).chain(forfeits)
    }

    fn sonneborn_berger(&self, player: usize) -> f64 {
        let counted = self.rounds_of[player]
            .iter()
            .filter(|round| self.counts(round));
        let of_games = counted.map(|round| {
            self.adjusted(round.opponent) * round.points.unwrap_or(0.0) / self.game_points
        });
        let of_absences = self
            .absences(player)
            .map(|share| share * self.points[player]);
        of_games.chain(of_absences).sum()
    }

    /// Whether a game counts for the tie-breaks of results: in a round robin also one that was not
    /// played, for the opponents are given from the start (15).
    fn counts(&self, round: &PlayerRound) -> bool {
        round.is_played || self.kind == EventKind::RoundRobin
    }

    fn buchholz(&self, player: usize, cut_low: usize, cut_high: usize) -> f64 {
        let played = self.rounds_of[player]
            .iter()
            .filter(|round| round.is_played);
        let mut all: Vec<Contribution> = played
            .map(|round| Contribution {
                opponent: self.adjusted(round.opponent),
                is_absence: false,
            })
            .collect();
        all.extend(self.absences(player).map(|share| Contribution {
            opponent: self.points[player],
            is_absence: share < 1.0,
        }));
        for _ in 0..cut_low.min(all.len()) {
            // Rounds that were not played by one's own wish go first (16.5).
            let order = |one: &Contribution| (!one.is_absence, one.opponent);
            let least = (0..all.len()).min_by(|&one, &other| {
                let (one, other) = (order(&all[one]), order(&all[other]));
                one.0.cmp(&other.0).then(one.1.total_cmp(&other.1))
            });
            least.map(|at| all.remove(at));
        }
        for _ in 0..cut_high.min(all.len()) {
            let most = (0..all.len())
                .max_by(|&one, &other| all[one].opponent.total_cmp(&all[other].opponent));
            most.map(|at| all.remove(at));
        }
        all.iter().map(|one| one.opponent).sum()
    }

    fn koya(&self, player: usize) -> f64 {
        let rounds = self.rounds.unwrap_or(u32::MAX);
        let opponents = (self.points.len() as u32 - 1) * self.games_each;
        // With an odd number of players each has a round without a game.
        let rounds = match self.kind {
            EventKind::RoundRobin => rounds.min(opponents),
            _ => rounds,
        };
        let limit = self.game_points * f64::from(rounds) / 2.0;
        let strong =
            (self.rounds_of[player].iter()).filter(|round| self.points[round.opponent] >= limit);
        strong.filter_map(|round| round.points).sum()
    }

    fn progressive_score(&self, player: usize) -> Option<f64> {
        let mut by_round: BTreeMap<u32, f64> = BTreeMap::new();
        for round in &self.rounds_of[player] {
            *by_round.entry(round.round?).or_default() += round.points.unwrap_or(0.0);
        }
        for &hole in &self.holes[player] {
            *by_round.entry(hole).or_default() += self.bye.unwrap_or(0.0);
        }
        let last = self.rounds?;
        let worth = |(round, points): (u32, f64)| f64::from(last + 1 - round) * points;
        Some(by_round.into_iter().map(worth).sum())
    }

    /// The points of each of some tied players in the games among them, on average if two met more
    /// than once; `None` if not all of them met.
    pub(super) fn direct_encounter(&self, tied: &[usize]) -> Option<Vec<f64>> {
        let mut points = Vec::with_capacity(tied.len());
        for &player in tied {
            let mut sum = 0.0;
            for &other in tied.iter().filter(|&&other| other != player) {
                let met = self.rounds_of[player]
                    .iter()
                    .filter(|round| round.opponent == other);
                let of_games = met
                    .filter(|round| self.counts(round))
                    .filter_map(|round| round.points);
                let of_games: Vec<f64> = of_games.collect();
                if of_games.is_empty() {
                    return None;
                }
                sum += of_games.iter().sum::<f64>() / of_games.len() as f64;
            }
            points.push(sum);
        }
        Some(points)
    }
}
