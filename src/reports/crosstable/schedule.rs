//! What the games of an event show about its schedule: the rounds, and what kind of event it was.

use std::collections::{HashMap, HashSet};

use serde::Serialize;

/// The number of a round as the tag `Round` has it: `1.10` is 1 and 10, after 1 and 9.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct RoundNumber(Vec<u32>);

impl RoundNumber {
    /// Reads it; `None` if the round is not known, whatever is known of the board.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        if text.starts_with(['?', '-']) {
            return None;
        }
        let numbers = text.split(|c: char| !c.is_ascii_digit());
        let numbers = numbers.filter(|number| !number.is_empty());
        let numbers: Option<Vec<u32>> = numbers.map(|number| number.parse().ok()).collect();
        numbers.filter(|numbers| !numbers.is_empty()).map(Self)
    }

    /// The first number: of the round, or of the match.
    pub(super) fn first(&self) -> u32 {
        self.0[0]
    }
}

/// What kind of event some games are of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum EventKind {
    /// Two players.
    Match,
    /// Each plays each of the others as often as any other.
    RoundRobin,
    /// Matches, after which the losers leave.
    KnockOut,
    /// One player against all others at once.
    Simultaneous,
    /// Fewer rounds than opponents, and everybody may play in each.
    Swiss,
    /// The games do not show it.
    Unknown,
}

/// A meeting of two players as far as the schedule is concerned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Pairing {
    /// Places of White and Black in the list of players.
    pub players: [usize; 2],
    /// The first number of the round.
    pub round: Option<u32>,
    /// The day as `yyyymmdd`, if it is known.
    pub day: Option<u32>,
}

/// The schedule of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Schedule {
    pub kind: EventKind,
    /// How often two players of a round robin meet; 1 of other kinds.
    pub games_each: u32,
    /// Rounds, or games of a match; `None` if games do not have their numbers.
    pub rounds: Option<u32>,
    /// Games that were played, if the schedule shows it.
    pub games: Option<u64>,
    /// Whether a round robin has more rounds than its players need: other players may have been
    /// there, all of whose games are missing.
    pub has_unseen: bool,
}

/// Players of a round robin that is recognised by its rounds alone, at most.
const ROUND_ROBIN_MAX: usize = 32;

/// How often players meet at most.
const GAMES_EACH_MAX: usize = 6;

impl Schedule {
    /// The schedule of all games of some players, numbered from 0.
    pub(super) fn of(players: usize, pairings: &[Pairing]) -> Self {
        let counts = Counts::of(players, pairings);
        let rounds = counts.rounds;
        let mut schedule = Self {
            kind: EventKind::Unknown,
            games_each: 1,
            rounds,
            games: None,
            has_unseen: false,
        };
        if players == 2 {
            schedule.kind = EventKind::Match;
            schedule.games = rounds
                .map(u64::from)
                .map(|rounds| rounds.max(pairings.len() as u64));
        } else if players > 2 && counts.is_simultaneous(pairings) {
            schedule.kind = EventKind::Simultaneous;
        } else if let Some(games_each) = counts.round_robin(players, pairings) {
            schedule.kind = EventKind::RoundRobin;
            schedule.games_each = games_each as u32;
            schedule.games = Some((players * (players - 1) / 2 * games_each) as u64);
            let needed = rounds_needed(players, games_each);
            schedule.has_unseen = rounds.is_some_and(|rounds| rounds as usize > needed);
        } else if counts.several > 0.5 {
            schedule.kind = EventKind::KnockOut;
        } else if let Some(rounds) = rounds.filter(|&rounds| (rounds as usize) < players - 1)
            && counts.meetings_max == 1
            && counts.several < 0.1
            && rounds > 1
        {
            schedule.kind = EventKind::Swiss;
            schedule.games = Some(u64::from(rounds) * (players as u64 / 2));
        }
        schedule
    }
}

/// The rounds that players of a round robin need; of an odd number one is free in each.
const fn rounds_needed(players: usize, games_each: usize) -> usize {
    games_each * (players - 1 + players % 2)
}

/// What is counted in the games of an event.
struct Counts {
    /// Games of the player with the most of them.
    fullest: usize,
    /// Games of the two who met most often.
    meetings_max: usize,
    /// The share of all pairs that met.
    coverage: f64,
    /// The share of the appearances in a round that have more than one game.
    several: f64,
    /// The last round.
    rounds: Option<u32>,
    /// The player with the most games.
    busiest: usize,
}

impl Counts {
    fn of(players: usize, pairings: &[Pairing]) -> Self {
        let mut games = vec![0_usize; players];
        let mut met: HashMap<[usize; 2], usize> = HashMap::new();
        let mut in_round: HashMap<(usize, u32), usize> = HashMap::new();
        for pairing in pairings {
            let mut pair = pairing.players;
            pair.sort_unstable();
            *met.entry(pair).or_default() += 1;
            for player in pairing.players {
                games[player] += 1;
                if let Some(round) = pairing.round {
                    *in_round.entry((player, round)).or_default() += 1;
                }
            }
        }
        let pairs = players * players.saturating_sub(1) / 2;
        let repeated = in_round.values().filter(|&&games| games > 1).count();
        let busiest = (0..players).max_by_key(|&player| (games[player], std::cmp::Reverse(player)));
        let busiest = busiest.unwrap_or(0);
        Self {
            fullest: games.get(busiest).copied().unwrap_or(0),
            meetings_max: met.values().copied().max().unwrap_or(0),
            coverage: met.len() as f64 / pairs.max(1) as f64,
            several: repeated as f64 / in_round.len().max(1) as f64,
            rounds: pairings.iter().filter_map(|pairing| pairing.round).max(),
            busiest,
        }
    }

    /// How often each plays each, if that is how they play: the player with the most games has all
    /// of a schedule, or there are as many rounds as one has, and no two meet more often.
    fn round_robin(&self, players: usize, pairings: &[Pairing]) -> Option<usize> {
        if players < 3 || self.several > 0.35 || self.is_of_one_player(pairings) {
            return None;
        }
        let is_whole = |games_each: usize| {
            self.fullest == games_each * (players - 1)
                // All of a schedule of few games in a large field is one of a player's own games.
                && (games_each > 1 || self.coverage >= 0.35 || players <= 24)
        };
        let rounds = self.rounds.map_or(0, |rounds| rounds as usize);
        let has_rounds = |games_each: usize| {
            let free = players % 2 == 1 && rounds == games_each * players;
            players <= ROUND_ROBIN_MAX
                && self.coverage >= 0.6
                && (free || rounds == games_each * (players - 1))
        };
        let fits = |&games_each: &usize| {
            self.meetings_max <= games_each && (is_whole(games_each) || has_rounds(games_each))
        };
        let ends = |games_each: &usize| rounds <= rounds_needed(players, *games_each);
        let all = 1..=GAMES_EACH_MAX;
        let with_rounds = all
            .clone()
            .find(|games_each| fits(games_each) && ends(games_each));
        with_rounds.or_else(|| all.clone().find(fits))
    }

    /// Whether one plays against all others, and not one round after the other.
    fn is_simultaneous(&self, pairings: &[Pairing]) -> bool {
        let own = || {
            let is_own = |pairing: &&Pairing| pairing.players.contains(&self.busiest);
            pairings.iter().filter(is_own)
        };
        let rounds: HashSet<u32> = own().filter_map(|pairing| pairing.round).collect();
        let days: HashSet<Option<u32>> = own().map(|pairing| pairing.day).collect();
        let is_one_day = days.len() == 1 && !days.contains(&None);
        pairings.len() > 3 && self.is_of_one_player(pairings) && (rounds.len() <= 1 || is_one_day)
    }

    /// Whether nearly all games are one player's: of a collection they may be a part of anything.
    const fn is_of_one_player(&self, pairings: &[Pairing]) -> bool {
        10 * self.fullest >= 9 * pairings.len()
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// The pairings of a round robin by circles: player 0 stands, the others go round.
    pub(in crate::modules::reports::crosstable) fn circle(
        players: usize,
        games_each: u32,
    ) -> Vec<Pairing> {
        let even = players + players % 2;
        let mut pairings = Vec::new();
        for leg in 0..games_each {
            for round in 0..even - 1 {
                let place = |at: usize| {
                    if at == 0 {
                        0
                    } else {
                        1 + (at - 1 + round) % (even - 1)
                    }
                };
                for board in 0..even / 2 {
                    let mut pair = [place(board), place(even - 1 - board)];
                    if pair.iter().all(|&player| player < players) {
                        if leg % 2 == 1 {
                            pair.reverse();
                        }
                        pairings.push(Pairing {
                            day: None,
                            players: pair,
                            round: Some(leg * (even as u32 - 1) + round as u32 + 1),
                        });
                    }
                }
            }
        }
        pairings
    }

    #[test]
    fn rounds_are_ordered_as_lists_of_numbers() {
        let round = |text| RoundNumber::parse(text);
        assert!(round("1.9") < round("1.10"));
        assert!(round("2") > round("1.10"));
        assert_eq!(round("3.1"), Some(RoundNumber(vec![3, 1])));
        assert_eq!(round("Round 12"), Some(RoundNumber(vec![12])));
        for unknown in ["?", "-", "", "?.4", "final", "99999999999"] {
            assert_eq!(round(unknown), None, "{unknown}");
        }
    }

    #[test]
    fn round_robins_are_found_by_their_schedule() {
        for players in 3..=20 {
            for games_each in 1..=4 {
                let all = circle(players, games_each);
                assert_eq!(all.len(), players * (players - 1) / 2 * games_each as usize);
                let schedule = Schedule::of(players, &all);
                assert_eq!(
                    schedule.kind,
                    EventKind::RoundRobin,
                    "{players} {games_each}"
                );
                assert_eq!(schedule.games_each, games_each);
                assert_eq!(schedule.games, Some(all.len() as u64));
            }
        }
        // Every fifth game is missing.
        let mut some = circle(8, 2);
        let mut nth = 0;
        some.retain(|_| {
            nth += 1;
            nth % 5 > 0
        });
        let schedule = Schedule::of(8, &some);
        assert_eq!(
            (schedule.kind, schedule.games_each),
            (EventKind::RoundRobin, 2)
        );
        assert_eq!(schedule.games, Some(56));
    }

    #[test]
    fn other_kinds_are_found_by_their_schedules() {
        let game = |white, black, round| Pairing {
            players: [white, black],
            round,
            day: None,
        };
        let kind = |players, pairings: &[Pairing]| Schedule::of(players, pairings).kind;
        let of_match: Vec<Pairing> = (1..=6).map(|round| game(0, 1, Some(round))).collect();
        let schedule = Schedule::of(2, &of_match[2..]);
        assert_eq!((schedule.kind, schedule.games), (EventKind::Match, Some(6)));
        let simul: Vec<Pairing> = (1..20).map(|other| game(0, other, None)).collect();
        assert_eq!(kind(20, &simul), EventKind::Simultaneous);
        let simul: Vec<Pairing> = (1..20).map(|other| game(0, other, Some(1))).collect();
        assert_eq!(kind(20, &simul), EventKind::Simultaneous);
        // The games of one player may be those of any tournament, unless they are of one day.
        let mut own: Vec<Pairing> = (1..14)
            .map(|other| game(0, other, Some(other as u32)))
            .collect();
        assert_eq!(kind(14, &own), EventKind::Unknown);
        for game in &mut own {
            game.day = Some(20_010_311);
        }
        assert_eq!(kind(14, &own), EventKind::Simultaneous);
        let mut cup = Vec::new();
        for (round, players) in [(1, 8), (2, 4), (3, 2)] {
            for first in (0..players).step_by(2) {
                cup.push(game(first, first + 1, Some(round)));
                cup.push(game(first + 1, first, Some(round)));
            }
        }
        assert_eq!(kind(8, &cup), EventKind::KnockOut);
        let swiss: Vec<Pairing> = circle(20, 1)
            .into_iter()
            .filter(|pairing| pairing.round <= Some(9))
            .collect();
        let schedule = Schedule::of(20, &swiss);
        assert_eq!(
            (schedule.kind, schedule.games),
            (EventKind::Swiss, Some(90))
        );
        let unknown = [game(0, 1, None), game(2, 3, None), game(4, 5, None)];
        assert_eq!(kind(6, &unknown), EventKind::Unknown);
    }
}
