//! Makes the table of an event of its games.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::{
    Crosstable, CrosstableOptions, EventKind, EventSummary, TableCell, TableRow, TieBreak,
    event::{EventGame, EventGames, usual},
    game::TableGame,
    notes::notes,
    order::Rank,
    players::{Players, is_name},
    points::GamePoints,
    schedule::{Pairing, Schedule},
    standings::{PlayerRound, Standings, results},
    teams,
};
use crate::{
    pgn::tags::date::PgnDate,
    reports::figures::{ScoreRecord, SideResult},
    store::{Store, StoreError},
};

/// What is said of an event in a list of several.
pub(super) fn summary(event: &EventGames, all: &[EventGames]) -> EventSummary {
    let rows: BTreeSet<u32> = event.games.iter().flat_map(|game| game.players).collect();
    let number: HashMap<u32, usize> = rows.iter().copied().zip(0..).collect();
    let pairings: Vec<Pairing> = (event.games.iter())
        .map(|game| Pairing {
            players: game.players.map(|row| number[&row]),
            round: game.round.as_ref().map(super::schedule::RoundNumber::first),
            day: game.day(),
        })
        .collect();
    let schedule = Schedule::of(rows.len(), &pairings);
    let (first_date, last_date) = dates(&event.games);
    EventSummary {
        event: event.name.clone(),
        site: usual(
            event
                .games
                .iter()
                .filter_map(|game| game.row.names[3].as_deref()),
        ),
        kind: schedule.kind,
        games_each: games_each(&schedule),
        players: rows.len() as u64,
        games: event.games.len() as u64,
        options: options(event, all, [&first_date, &last_date]),
        first_date,
        last_date,
    }
}

fn games_each(schedule: &Schedule) -> Option<u32> {
    (schedule.kind == EventKind::RoundRobin).then_some(schedule.games_each)
}

/// What selects an event among others: as little as does.
fn options(event: &EventGames, all: &[EventGames], dates: [&str; 2]) -> Vec<String> {
    let mut options = Vec::new();
    let mut others: Vec<&EventGames> = all
        .iter()
        .filter(|other| other.games[0].id != event.games[0].id)
        .collect();
    let own_names: HashSet<&str> = (event.games.iter())
        .filter_map(|game| game.row.names[2].as_deref())
        .collect();
    let has_name = |other: &&EventGames| {
        other.games.iter().any(|game| {
            game.row.names[2]
                .as_deref()
                .is_some_and(|name| own_names.contains(name))
        })
    };
    let before = others.len();
    others.retain(has_name);
    if others.len() < before {
        options.push(event.name.clone());
    }
    let years = |event: &EventGames| -> BTreeSet<u32> {
        event
            .games
            .iter()
            .map(|game| game.row.date.unwrap_or(0) / 10_000)
            .collect()
    };
    let own = years(event);
    if let (Some(&year), 1) = (own.first().filter(|&&year| year > 0), own.len()) {
        let before = others.len();
        others.retain(|other| years(other).contains(&year));
        if others.len() < before {
            options.extend(["--year".to_owned(), year.to_string()]);
        }
    }
    let sites = |event: &EventGames| -> BTreeSet<u32> {
        event.games.iter().map(|game| game.site).collect()
    };
    let own = sites(event);
    let site = event.games[0].row.names[3].as_deref().unwrap_or_default();
    if own.len() == 1 && is_name(site) && !others.is_empty() {
        let before = others.len();
        others.retain(|other| !sites(other).is_disjoint(&own));
        if others.len() < before {
            options.extend(["--site".to_owned(), site.to_owned()]);
        }
    }
    if !others.is_empty() && !dates[0].is_empty() {
        let iso = |date: &str| {
            date.replace('.', "-")
                .trim_end_matches(['?', '-'])
                .to_owned()
        };
        for (option, date) in [("--since", dates[0]), ("--until", dates[1])] {
            options.extend([option.to_owned(), iso(date)]);
        }
    }
    options
}

/// The first and the last day of some games, as tags have them.
fn dates(games: &[EventGame]) -> (String, String) {
    let known = || {
        games
            .iter()
            .filter_map(|game| game.row.date.filter(|&date| date > 0))
    };
    let last = |date: &u32| PgnDate::from_packed(*date).last_day().to_packed();
    let text = |date: Option<u32>| {
        date.map_or_else(String::new, |date| PgnDate::from_packed(date).pgn_text())
    };
    (text(known().min()), text(known().max_by_key(last)))
}

/// Makes the table of an event.
pub(super) fn table(
    store: &Store,
    event: &EventGames,
    options: &CrosstableOptions,
) -> Result<Crosstable, StoreError> {
    let named: Vec<&EventGame> = (event.games.iter())
        .filter(|game| {
            let names = game.row.names[..2].iter();
            names
                .map(|name| name.as_deref().unwrap_or_default())
                .all(is_name)
                && game.players[0] != game.players[1]
        })
        .collect();
    let unnamed = (event.games.len() - named.len()) as u64;
    let players = Players::read(store, &named, options.exact_names)?;
    let (mut all, duplicates) = without_duplicates(named, &players);
    let points = GamePoints::read(store, &mut all)?;
    let pairings: Vec<Pairing> = all.iter().map(TableGame::pairing).collect();
    let schedule = Schedule::of(players.names.len(), &pairings);
    let until = options.until_round;
    let counted: Vec<&TableGame<'_>> = (all.iter())
        .filter(|game| until.is_none_or(|until| game.round().is_some_and(|round| round <= until)))
        .collect();
    let bye = options.bye.map(|share| share * points.win);
    let standings = standings(
        &schedule,
        &counted,
        players.names.len(),
        (until, points.win, bye),
    );
    let tie_breaks = options.tie_breaks.clone();
    let tie_breaks = tie_breaks.unwrap_or_else(|| TieBreak::usual(schedule.kind).to_vec());
    let ranks = standings.rank(&tie_breaks);
    let teams = teams::table(&all, until);
    let (first_date, last_date) = dates(&event.games);
    let is_part = until.is_some() && standings.rounds < schedule.rounds;
    let expected_games = match standings.rounds {
        Some(rounds) if is_part && schedule.games.is_some() => {
            let boards = if schedule.kind == EventKind::Match {
                1
            } else {
                players.names.len() / 2
            };
            Some(u64::from(rounds) * boards as u64)
        }
        _ => schedule.games,
    };
    let no_result = counted.iter().filter(|game| game.points.is_none()).count() as u64;
    let mut table = Crosstable {
        event: event.name.clone(),
        site: usual(
            event
                .games
                .iter()
                .filter_map(|game| game.row.names[3].as_deref()),
        ),
        first_date,
        last_date,
        kind: schedule.kind,
        games_each: games_each(&schedule),
        rounds: schedule.rounds,
        until_round: until.filter(|_| is_part),
        games: counted.len() as u64,
        expected_games,
        missing_games: expected_games
            .map(|games| games.saturating_sub(counted.len() as u64 - no_result)),
        duplicates,
        no_result,
        unnamed,
        is_complete: standings.is_complete(),
        bye: standings
            .bye
            .filter(|_| standings.holes.iter().any(|holes| !holes.is_empty())),
        win: points.win,
        is_by_written_points: points.are_written,
        players: rows(&players, &standings, &ranks, &counted, &tie_breaks),
        tie_breaks,
        notes: Vec::new(),
        teams,
    };
    if table.players.iter().all(|player| player.cells.is_empty()) {
        table.is_complete = false;
    }
    table.notes = notes(&table, &standings);
    Ok(table)
}

/// The games of a table, each once: those of the same two with the same colours in the same round,
/// on one day and with one result are one game.
fn without_duplicates<'e>(
    games: Vec<&'e EventGame>,
    players: &Players,
) -> (Vec<TableGame<'e>>, u64) {
    let mut seen: HashMap<_, usize> = HashMap::new();
    let mut all: Vec<TableGame<'e>> = Vec::new();
    let mut duplicates = 0;
    for game in games {
        let table_game = TableGame {
            game,
            players: game.players.map(|row| players.by_row[&row]),
            points: None,
            is_played: true,
            teams: None,
        };
        if let Some(round) = &game.round {
            let same = (table_game.players, round, game.row.date, game.row.outcome);
            if let Some(&before) = seen.get(&same) {
                duplicates += 1;
                // Of two, the one with more moves is the game.
                if game.row.plies > all[before].game.row.plies {
                    all[before] = table_game;
                }
                continue;
            }
            seen.insert(same, all.len());
        }
        all.push(table_game);
    }
    all.sort_by_key(|game| {
        (
            game.round().is_none(),
            game.game.round.clone(),
            game.game.row.date,
            game.game.id,
        )
    });
    (all, duplicates)
}

fn standings(
    schedule: &Schedule,
    games: &[&TableGame<'_>],
    players: usize,
    how: (Option<u32>, f64, Option<f64>),
) -> Standings {
    let mut rounds_of: Vec<Vec<PlayerRound>> = vec![Vec::new(); players];
    let ratings = ratings(games, players);
    let mut records = vec![ScoreRecord::default(); players];
    for (nth, game) in games.iter().enumerate() {
        for side in 0..2 {
            let (player, opponent) = (game.players[side], game.players[1 - side]);
            let points = game.points.map(|points| points[side]);
            rounds_of[player].push(PlayerRound {
                opponent,
                round: game.round(),
                has_white: side == 0,
                points,
                is_played: game.is_played,
                game: nth,
            });
            let half_points = points.map(|points| (2.0 * points / how.1).round() as u8);
            let view = SideResult {
                half_points: half_points.filter(|_| game.is_played),
                has_white: side == 0,
                rating: ratings[player],
                opponent_rating: ratings[opponent],
            };
            records[player].add(&view, None);
        }
    }
    Standings::of(schedule, rounds_of, records, how)
}

/// The rating of each player in the first game that has one.
fn ratings(games: &[&TableGame<'_>], players: usize) -> Vec<Option<u16>> {
    let mut ratings = vec![None; players];
    for game in games {
        for side in 0..2 {
            let rating = game.game.row.elos[side].filter(|&rating| rating > 0);
            let own: &mut Option<u16> = &mut ratings[game.players[side]];
            *own = own.or(rating);
        }
    }
    ratings
}

fn rows(
    players: &Players,
    standings: &Standings,
    ranks: &[Rank],
    games: &[&TableGame<'_>],
    tie_breaks: &[TieBreak],
) -> Vec<TableRow> {
    let ratings = ratings(games, players.names.len());
    let mut number = vec![0; players.names.len()];
    for (nth, rank) in ranks.iter().enumerate() {
        number[rank.player] = nth + 1;
    }
    let row = |rank: &Rank| {
        let own = &standings.rounds_of[rank.player];
        let cells = own.iter().map(|round| TableCell {
            opponent: number[round.opponent],
            round: round.round,
            color: Some(if round.has_white { "white" } else { "black" }),
            result: round.points,
            board_points: None,
            is_forfeit: !round.is_played,
            game: games[round.game].game.id,
        });
        let [won, drawn, lost] = results(own, standings.game_points);
        let team = own.iter().find_map(|round| {
            let teams = games[round.game].teams.as_ref()?;
            Some(teams[usize::from(!round.has_white)].clone())
        });
        TableRow {
            place: rank.place,
            is_shared: rank.is_shared,
            name: players.names[rank.player].clone(),
            team,
            rating: ratings[rank.player],
            points: standings.points[rank.player],
            board_points: None,
            games: won + drawn + lost,
            won,
            drawn,
            lost,
            missing: standings.missing[rank.player],
            performance: standings.records[rank.player].performance(),
            cells: cells.collect(),
            ties: tie_breaks
                .iter()
                .copied()
                .zip(rank.ties.iter().copied())
                .collect(),
        }
    };
    ranks.iter().map(row).collect()
}
