//! Points, what is missing, and the places that are decided in spite of it.

use super::{EventKind, schedule::Schedule};
use crate::reports::figures::ScoreRecord;

/// A game of a player.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct PlayerRound {
    /// The opponent's number, from 0.
    pub opponent: usize,
    /// The first number of the round.
    pub round: Option<u32>,
    pub has_white: bool,
    /// The player's points; `None` without a result.
    pub points: Option<f64>,
    /// Whether it was played over the board.
    pub is_played: bool,
    /// Its number in the list of games, from 0.
    pub game: usize,
}

/// What the players of an event have after some rounds. Players have numbers from 0.
#[derive(Debug, Clone)]
pub(super) struct Standings {
    pub kind: EventKind,
    /// How often two players of a round robin meet.
    pub games_each: u32,
    /// Rounds so far.
    pub rounds: Option<u32>,
    /// Whether there may have been players all of whose games are missing.
    pub has_unseen: bool,
    /// Points of a win.
    pub game_points: f64,
    /// Points of a round without a game, if that is assumed.
    pub bye: Option<f64>,
    /// The games of each player, in the order of rounds.
    pub rounds_of: Vec<Vec<PlayerRound>>,
    /// Points of each player, of byes among them.
    pub points: Vec<f64>,
    /// The rounds of a Swiss tournament in which a player has no game.
    pub holes: Vec<Vec<u32>>,
    /// Games of each player that were played and are not here, or have no result.
    pub missing: Vec<u32>,
    /// The games of each player against rated opponents.
    pub records: Vec<ScoreRecord>,
    /// Points of a team's games.
    pub board_points: Option<Vec<f64>>,
}

impl Standings {
    /// Finds the points, and what is missing after some rounds, or after all.
    pub(super) fn of(
        schedule: &Schedule,
        rounds_of: Vec<Vec<PlayerRound>>,
        records: Vec<ScoreRecord>,
        (until, game_points, bye): (Option<u32>, f64, Option<f64>),
    ) -> Self {
        let players = rounds_of.len();
        let rounds = match until {
            Some(until) => schedule.rounds.map(|rounds| rounds.min(until)),
            None => schedule.rounds,
        };
        let is_part = until.is_some() && rounds < schedule.rounds;
        let is_swiss = schedule.kind == EventKind::Swiss;
        let bye = bye.filter(|_| is_swiss);
        let holes: Vec<Vec<u32>> = (rounds_of.iter())
            .map(|games| {
                let has = |round: u32| games.iter().any(|game| game.round == Some(round));
                let all = if is_swiss { rounds.unwrap_or(0) } else { 0 };
                (1..=all).filter(|&round| !has(round)).collect()
            })
            .collect();
        let decided = |player: usize| -> u32 {
            let games = rounds_of[player]
                .iter()
                .filter(|game| game.points.is_some());
            games.count() as u32
        };
        let all: u32 = (0..players).map(decided).sum();
        let due = match schedule.kind {
            EventKind::RoundRobin if is_part => {
                // With an odd number of players one is free in each round.
                let rounds = rounds.unwrap_or(0);
                let is_whole = all / 2 == rounds * (players as u32 / 2);
                (!is_whole).then_some(rounds)
            }
            EventKind::RoundRobin => Some(schedule.games_each * (players as u32 - 1)),
            EventKind::Match => rounds,
            _ => None,
        };
        let missing = (0..players).map(|player| match due {
            Some(due) => due.saturating_sub(decided(player)),
            None => rounds_of[player].len() as u32 - decided(player),
        });
        let missing = missing.collect();
        let points = (rounds_of.iter().zip(&holes))
            .map(|(games, holes)| {
                let of_games: f64 = games.iter().filter_map(|game| game.points).sum();
                of_games + bye.unwrap_or(0.0) * holes.len() as f64
            })
            .collect();
        Self {
            kind: schedule.kind,
            games_each: schedule.games_each,
            rounds,
            has_unseen: schedule.has_unseen,
            game_points,
            bye,
            rounds_of,
            points,
            holes,
            missing,
            records,
            board_points: None,
        }
    }

    /// Whether all results are here, or are assumed.
    pub(super) fn is_complete(&self) -> bool {
        let has_all = match self.kind {
            EventKind::RoundRobin => true,
            EventKind::Match => self.rounds.is_some(),
            EventKind::Swiss => self.bye.is_some() || self.holes.iter().all(Vec::is_empty),
            EventKind::KnockOut | EventKind::Simultaneous | EventKind::Unknown => false,
        };
        has_all && !self.has_unseen && self.missing.iter().all(|&missing| missing == 0)
    }
}

/// Whether two sums of points are equal: points are multiples of a half, or whole.
pub(super) fn is_equal(one: f64, other: f64) -> bool {
    (one - other).abs() < 1e-9
}

/// Games won, drawn and lost.
pub(super) fn results(games: &[PlayerRound], win: f64) -> [u32; 3] {
    let mut results = [0; 3];
    for points in games.iter().filter_map(|game| game.points) {
        let at = if points * 2.0 > win {
            0
        } else if points * 2.0 < win {
            2
        } else {
            1
        };
        results[at] += 1;
    }
    results
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reports::crosstable::{
        schedule::{Pairing, tests::circle},
        tie_breaks::TieBreak,
    };

    /// Numbers that look random, the same in every run.
    struct Numbers(u64);

    impl Numbers {
        fn below(&mut self, end: u64) -> u64 {
            self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut x = self.0;
            x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            (x ^ (x >> 31)) % end
        }
    }

    fn table(players: usize, games: &[(Pairing, f64)], until: Option<u32>) -> Standings {
        let pairings: Vec<Pairing> = games.iter().map(|(pairing, _)| *pairing).collect();
        let schedule = Schedule::of(players, &pairings);
        let mut rounds_of = vec![Vec::new(); players];
        for (nth, (pairing, points)) in games.iter().enumerate() {
            if until.is_some_and(|until| pairing.round > Some(until)) {
                continue;
            }
            for side in 0..2 {
                rounds_of[pairing.players[side]].push(PlayerRound {
                    opponent: pairing.players[1 - side],
                    round: pairing.round,
                    has_white: side == 0,
                    points: Some(if side == 0 { *points } else { 1.0 - points }),
                    is_played: true,
                    game: nth,
                });
            }
        }
        let records = vec![ScoreRecord::default(); players];
        Standings::of(&schedule, rounds_of, records, (until, 1.0, None))
    }

    /// Whatever games are missing, a place that is given is the one in the complete table.
    #[test]
    fn tables_with_missing_games_give_no_place_that_could_be_another() {
        let mut numbers = Numbers(7);
        let (mut given, mut withheld) = (0, 0);
        for nth in 0..3000 {
            let players = 3 + numbers.below(10) as usize;
            let games_each = 1 + numbers.below(3) as u32;
            let all: Vec<(Pairing, f64)> = (circle(players, games_each).into_iter())
                // Some are much stronger, so that places are decided early.
                .map(|pairing| {
                    let [white, black] = pairing.players;
                    let luck = numbers.below(players as u64 / 2 + 2) as usize;
                    let points = match (white + luck).cmp(&(black + players / 4)) {
                        std::cmp::Ordering::Less => 1.0,
                        std::cmp::Ordering::Equal => 0.5,
                        std::cmp::Ordering::Greater => 0.0,
                    };
                    (pairing, points)
                })
                .collect();
            let complete = table(players, &all, None);
            assert!(complete.is_complete(), "{players} {games_each}");
            let some: Vec<(Pairing, f64)> = if nth % 2 == 0 {
                let share = numbers.below(60);
                all.iter()
                    .filter(|_| numbers.below(100) >= share)
                    .copied()
                    .collect()
            } else {
                // The games of one player alone are missing, but for one.
                let away = numbers.below(players as u64) as usize;
                let mut seen = 0;
                let keep = |(pairing, _): &&(Pairing, f64)| {
                    let is_own = pairing.players.contains(&away);
                    seen += usize::from(is_own);
                    !is_own || seen == 1
                };
                all.iter().filter(keep).copied().collect()
            };
            // Without any game of the last rounds nothing shows that there were more.
            let last = |games: &[(Pairing, f64)]| games.iter().map(|(game, _)| game.round).max();
            if some.len() == all.len() || last(&some) < last(&all) {
                continue;
            }
            let standings = table(players, &some, None);
            for rank in standings.rank(TieBreak::usual(EventKind::RoundRobin)) {
                let Some(place) = rank.place else {
                    withheld += 1;
                    continue;
                };
                given += 1;
                let own = complete.points[rank.player];
                let above = complete
                    .points
                    .iter()
                    .filter(|&&points| points > own)
                    .count();
                let equal = complete
                    .points
                    .iter()
                    .filter(|&&points| is_equal(points, own))
                    .count();
                assert_eq!(
                    place as usize,
                    above + 1,
                    "{players} players, {games_each} each: {some:?}"
                );
                assert_eq!(rank.is_shared, equal > 1);
                let has_all = standings.missing[rank.player] == 0;
                assert!(!has_all || is_equal(standings.points[rank.player], own));
            }
            assert!(!standings.is_complete());
        }
        assert!(given > 500 && withheld > 5000, "{given} {withheld}");
    }

    #[test]
    fn a_part_of_the_rounds_is_complete_for_itself() {
        for players in [6, 7] {
            let all: Vec<(Pairing, f64)> = (circle(players, 1).into_iter())
                .map(|pairing| (pairing, 0.5))
                .collect();
            for until in 1..=5 {
                let standings = table(players, &all, Some(until));
                assert!(standings.is_complete(), "{players} {until}");
                assert_eq!(standings.rounds, Some(until));
            }
            // One game of the last round is missing.
            let standings = table(players, &all[..all.len() - 1], Some(3));
            assert!(standings.is_complete());
            let standings = table(players, &all[1..], Some(3));
            assert!(!standings.is_complete());
        }
    }

    #[test]
    fn those_who_are_tied_again_are_separated_by_their_own_games() {
        // Three are tied; the first has more among them, the others their own game.
        let game = |white, black, round, points| {
            let pairing = Pairing {
                players: [white, black],
                round: Some(round),
                day: None,
            };
            (pairing, points)
        };
        let games = [
            game(0, 1, 1, 1.0),
            game(2, 3, 1, 1.0),
            game(0, 2, 2, 0.5),
            game(1, 3, 2, 1.0),
            game(3, 0, 3, 1.0),
            game(1, 2, 3, 0.5),
        ];
        let standings = table(4, &games, None);
        assert_eq!(standings.points, [1.5, 1.5, 2.0, 1.0]);
        let ranks = standings.rank(&[TieBreak::DirectEncounter]);
        let order: Vec<usize> = ranks.iter().map(|rank| rank.player).collect();
        assert_eq!(order, [2, 0, 1, 3]);
        let places: Vec<Option<u32>> = ranks.iter().map(|rank| rank.place).collect();
        assert_eq!(places, [Some(1), Some(2), Some(3), Some(4)]);
        assert_eq!(ranks[1].ties, [Some(1.0)]);
        let shared = standings.rank(&[TieBreak::Wins]);
        assert_eq!((shared[1].place, shared[1].is_shared), (Some(2), true));
        assert_eq!((shared[2].place, shared[2].is_shared), (Some(2), true));
    }
}
