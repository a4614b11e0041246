//! What to know of a table before you trust it.

use super::{Crosstable, EventKind, standings::Standings};

/// What a reader has to know before trusting a table.
pub(super) fn notes(table: &Crosstable, standings: &Standings) -> Vec<String> {
    let mut notes = Vec::new();
    let players = table.players.len();
    let games = |games: u64| {
        if games == 1 {
            "1 game".to_owned()
        } else {
            format!("{games} games")
        }
    };
    let missing = table.missing_games.unwrap_or(0);
    match table.kind {
        EventKind::RoundRobin | EventKind::Match if missing > 0 => {
            let is = if missing == 1 { "is" } else { "are" };
            notes.push(format!(
                "{} {is} missing: places are given only where they cannot change it, and ties are not broken",
                games(missing)
            ));
        }
        EventKind::Swiss if !standings.is_complete() => {
            let holes: usize = standings.holes.iter().map(Vec::len).sum();
            notes.push(format!(
                "games that are here, not the standings: {holes} times a player has no game in a round. \
                 Byes are not in games; --assume-bye 1/2, 0 or 1 counts them and gives places"
            ));
        }
        EventKind::Unknown if players > 0 => {
            notes.push("the games do not show what kind of event this was: no places".to_owned());
        }
        _ => {}
    }
    if let Some(bye) = table.bye {
        let holes: usize = standings.holes.iter().map(Vec::len).sum();
        notes.push(format!(
            "{holes} times a player has no game in a round; each counts {bye} points, which is assumed"
        ));
    }
    if table.kind == EventKind::RoundRobin && players % 2 == 1 {
        let each = table.games_each.unwrap_or(1);
        let rounds = if each == 1 {
            "a free round".to_owned()
        } else {
            format!("{each} free rounds")
        };
        notes.push(format!(
            "{players} players are an odd number: each had {rounds}, or one player is missing with all games"
        ));
    }
    if let (EventKind::RoundRobin, Some(rounds), Some(each)) =
        (table.kind, table.rounds, table.games_each)
    {
        let needed = each * (players as u32 - 1 + players as u32 % 2);
        if rounds > needed {
            notes.push(format!(
                "the last round is {rounds}, but {players} players need only {needed}: others may be missing with all games, so there are no places"
            ));
        }
    }
    if table.no_result > 0 {
        notes.push(format!("{} without a result", games(table.no_result)));
    }
    if table.duplicates > 0 {
        notes.push(format!(
            "{} found more than once, counted once",
            games(table.duplicates)
        ));
    }
    if table.unnamed > 0 {
        notes.push(format!(
            "{} left out: a player has no name",
            games(table.unnamed)
        ));
    }
    if table.is_by_written_points {
        notes.push(format!(
            "points as they are written, {} a game: players are ranked by them",
            table.win
        ));
    }
    let shows_byes = table.players.iter().flat_map(|player| &player.cells);
    let forfeits = shows_byes.filter(|cell| cell.is_forfeit).count() as u64 / 2;
    if forfeits > 0 {
        notes.push(format!(
            "{} decided without play, which counts for points and not for performances",
            games(forfeits)
        ));
    }
    notes
}
