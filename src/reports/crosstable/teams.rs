//! Matches of teams, made of the games of their players.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::{
    TableCell, TableRow, TieBreak,
    game::TableGame,
    schedule::{Pairing, Schedule},
    standings::{PlayerRound, Standings, results},
};
use crate::reports::figures::ScoreRecord;

/// A match: the first number of its round, and the numbers of its teams.
type TeamMatch = (Option<u32>, [usize; 2]);

/// Points of a match that is won; a draw is half of it.
const MATCH_WIN: f64 = 2.0;

/// The table of the teams, by points of matches, then of games; empty if games name no teams.
pub(super) fn table(games: &[TableGame<'_>], until: Option<u32>) -> Vec<TableRow> {
    let of_teams = || {
        games
            .iter()
            .filter_map(|game| Some((game, game.teams.as_ref()?)))
    };
    if games.is_empty() || 10 * of_teams().count() < 9 * games.len() {
        return Vec::new();
    }
    let names: BTreeSet<&str> = of_teams()
        .flat_map(|(_, teams)| teams.iter().map(|team| &team[..]))
        .collect();
    let names: Vec<&str> = names.into_iter().collect();
    let number = |team: &str| names.binary_search(&team).unwrap_or(0);
    // The points of the boards of a match; the first team is that with the smaller number.
    let mut matches: BTreeMap<TeamMatch, Vec<Option<[f64; 2]>>> = BTreeMap::new();
    for (game, teams) in of_teams() {
        let mut pair = [number(&teams[0]), number(&teams[1])];
        let mut points = game
            .points
            .map(|points| points.map(|own| own / game_total(points)));
        if pair[0] == pair[1] {
            continue;
        }
        if pair[0] > pair[1] {
            pair.reverse();
            points = points.map(|[white, black]| [black, white]);
        }
        matches
            .entry((game.round(), pair))
            .or_default()
            .push(points);
    }
    let mut sizes: HashMap<usize, usize> = HashMap::new();
    for boards in matches.values() {
        *sizes.entry(boards.len()).or_default() += 1;
    }
    let boards = sizes
        .into_iter()
        .max_by_key(|&(boards, matches)| (matches, boards));
    let boards = boards.map_or(0, |(boards, _)| boards);
    let pairings: Vec<Pairing> = (matches.keys())
        .map(|&(round, players)| Pairing {
            players,
            round,
            day: None,
        })
        .collect();
    let schedule = Schedule::of(names.len(), &pairings);
    let mut rounds_of: Vec<Vec<PlayerRound>> = vec![Vec::new(); names.len()];
    let mut board_points = vec![0.0; names.len()];
    let mut of_boards: Vec<[f64; 2]> = Vec::new();
    for ((round, pair), games) in &matches {
        if until.is_some_and(|until| round.is_none_or(|round| round > until)) {
            continue;
        }
        let sum = |side: usize| {
            games
                .iter()
                .flatten()
                .map(|points| points[side])
                .sum::<f64>()
        };
        let sums = [sum(0), sum(1)];
        let is_whole = games.len() == boards && games.iter().all(Option::is_some);
        for side in 0..2 {
            let team = pair[side];
            board_points[team] += sums[side];
            let points = match sums[side].total_cmp(&sums[1 - side]) {
                std::cmp::Ordering::Greater => MATCH_WIN,
                std::cmp::Ordering::Equal => MATCH_WIN / 2.0,
                std::cmp::Ordering::Less => 0.0,
            };
            rounds_of[team].push(PlayerRound {
                opponent: pair[1 - side],
                round: *round,
                has_white: side == 0,
                points: is_whole.then_some(points),
                is_played: true,
                game: of_boards.len(),
            });
        }
        of_boards.push(sums);
    }
    let records = vec![ScoreRecord::default(); names.len()];
    let mut standings = Standings::of(&schedule, rounds_of, records, (until, MATCH_WIN, None));
    standings.board_points = Some(board_points.clone());
    let ranks = standings.rank(&[TieBreak::BoardPoints, TieBreak::DirectEncounter]);
    let mut place = vec![0; names.len()];
    for (nth, rank) in ranks.iter().enumerate() {
        place[rank.player] = nth + 1;
    }
    let rows = ranks.iter().map(|rank| {
        let own = &standings.rounds_of[rank.player];
        let cells = own.iter().map(|round| TableCell {
            opponent: place[round.opponent],
            round: round.round,
            color: None,
            result: round.points,
            board_points: Some(of_boards[round.game][usize::from(!round.has_white)]),
            is_forfeit: false,
            game: 0,
        });
        let [won, drawn, lost] = results(own, MATCH_WIN);
        TableRow {
            place: rank.place,
            is_shared: rank.is_shared,
            name: names[rank.player].to_owned(),
            team: None,
            rating: None,
            points: standings.points[rank.player],
            board_points: Some(board_points[rank.player]),
            games: won + drawn + lost,
            won,
            drawn,
            lost,
            missing: standings.missing[rank.player],
            performance: None,
            cells: cells.collect(),
            ties: Vec::new(),
        }
    });
    rows.collect()
}

/// Points that a game has in all: those of a board are shares of it.
fn game_total(points: [f64; 2]) -> f64 {
    let total = points[0] + points[1];
    if total > 0.0 { total } else { 1.0 }
}
