//! The order of players: by points and tie-breaks, and the places that are decided.

use super::{
    EventKind,
    standings::{Standings, is_equal},
    tie_breaks::TieBreak,
};

/// A line of a table.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Rank {
    pub player: usize,
    /// From 1; `None` if it is not decided.
    pub place: Option<u32>,
    /// Whether others have the same place.
    pub is_shared: bool,
    /// The values of the tie-breaks.
    pub ties: Vec<Option<f64>>,
}

impl Standings {
    /// The lines of the table in their order, with all places that are decided.
    pub(super) fn rank(&self, tie_breaks: &[TieBreak]) -> Vec<Rank> {
        let is_complete = self.is_complete();
        let has_value = |of: &TieBreak| is_complete || !of.needs_all_games();
        let mut ranks: Vec<Rank> = (0..self.points.len())
            .map(|player| Rank {
                player,
                place: None,
                is_shared: false,
                ties: (tie_breaks.iter())
                    // A sum of nothing is minus zero.
                    .map(|of| Some(self.tie_break(player, *of).filter(|_| has_value(of))? + 0.0))
                    .collect(),
            })
            .collect();
        ranks.sort_by(|one, other| {
            let points = |rank: &Rank| self.points[rank.player];
            points(other).total_cmp(&points(one))
        });
        if is_complete {
            let by_points = split(&ranks, |rank| Some(self.points[rank.player]));
            let mut place = 1;
            let mut start = 0;
            for length in by_points {
                self.order(&mut ranks[start..start + length], tie_breaks, 0, place);
                start += length;
                place += length as u32;
            }
        } else {
            self.place_decided(&mut ranks);
        }
        ranks
    }

    /// Orders tied players by a tie-break and those after it, and gives them their places.
    fn order(&self, tied: &mut [Rank], tie_breaks: &[TieBreak], nth: usize, place: u32) {
        let Some(&of) = tie_breaks.get(nth).filter(|_| tied.len() > 1) else {
            let is_shared = tied.len() > 1;
            for rank in tied {
                rank.place = Some(place);
                rank.is_shared = is_shared;
            }
            return;
        };
        let mut again = nth + 1;
        let value = |rank: &Rank| rank.ties[nth];
        if of == TieBreak::DirectEncounter {
            let players: Vec<usize> = tied.iter().map(|rank| rank.player).collect();
            let points = self.direct_encounter(&players);
            let Some(points) = points else {
                return self.order(tied, tie_breaks, again, place);
            };
            let is_first = tied.iter().all(|rank| rank.ties[nth].is_none());
            let points: Vec<(usize, f64)> = players.into_iter().zip(points).collect();
            let of_player = |rank: &Rank| {
                let own = points.iter().find(|(player, _)| *player == rank.player);
                own.map(|&(_, points)| points)
            };
            tied.sort_by(|one, other| descending(of_player(one), of_player(other)));
            let groups = split(tied, of_player);
            for rank in tied.iter_mut().filter(|_| is_first) {
                rank.ties[nth] = of_player(rank);
            }
            // Those who are tied again may be separated by the games among them alone.
            if groups.len() > 1 {
                again = nth;
            }
            return self.order_groups(tied, &groups, tie_breaks, again, place);
        }
        tied.sort_by(|one, other| descending(value(one), value(other)));
        let groups = split(tied, value);
        self.order_groups(tied, &groups, tie_breaks, again, place);
    }

    fn order_groups(
        &self,
        tied: &mut [Rank],
        groups: &[usize],
        tie_breaks: &[TieBreak],
        nth: usize,
        place: u32,
    ) {
        let mut start = 0;
        for &length in groups {
            let group = &mut tied[start..start + length];
            self.order(group, tie_breaks, nth, place + start as u32);
            start += length;
        }
    }

    /// Gives places to those whom no missing game can move, while games are missing.
    fn place_decided(&self, ranks: &mut [Rank]) {
        if self.has_unseen || !matches!(self.kind, EventKind::RoundRobin | EventKind::Match) {
            return;
        }
        let least = |player: usize| self.points[player];
        let most = |player: usize| {
            self.points[player] + f64::from(self.missing[player]) * self.game_points
        };
        for rank in ranks {
            let own = rank.player;
            let others = || (0..self.points.len()).filter(|&other| other != own);
            let above = others().filter(|&other| least(other) > most(own)).count();
            let below = others().filter(|&other| most(other) < least(own)).count();
            let has_all = |player: usize| self.missing[player] == 0;
            let equal = others().filter(|&other| {
                has_all(own) && has_all(other) && is_equal(self.points[own], self.points[other])
            });
            let equal = equal.count();
            if above + below + equal + 1 == self.points.len() {
                rank.place = Some(above as u32 + 1);
                rank.is_shared = equal > 0;
            }
        }
    }
}

fn descending(one: Option<f64>, other: Option<f64>) -> std::cmp::Ordering {
    // No value is less than any.
    let value = |value: Option<f64>| value.unwrap_or(f64::NEG_INFINITY);
    value(other).total_cmp(&value(one))
}

/// The lengths of the runs of equal values.
fn split(ranks: &[Rank], value: impl Fn(&Rank) -> Option<f64>) -> Vec<usize> {
    let runs = ranks.chunk_by(|one, other| value(one) == value(other));
    runs.map(<[Rank]>::len).collect()
}
