//! How the games of a player ended: all, and by what they have in common.

use std::collections::BTreeMap;

use super::games::PlayerGame;
use crate::reports::{
    expectation::ExpectedScores,
    figures::{FigureRow, Figures, ScoreRecord},
};

/// The figures of some games.
pub(super) fn figures<'g>(
    games: impl Iterator<Item = &'g PlayerGame>,
    expectation: Option<&ExpectedScores>,
) -> Figures {
    record(games, expectation).figures()
}

/// Some games, summed up.
pub(super) fn record<'g>(
    games: impl Iterator<Item = &'g PlayerGame>,
    expectation: Option<&ExpectedScores>,
) -> ScoreRecord {
    let mut record = ScoreRecord::default();
    for game in games {
        record.add(&game.view, game.expected(expectation));
    }
    record
}

/// The opponents of like strength: steps of 100, of 50 from 2700 on.
fn strength(rating: u16) -> (u16, u16) {
    let step = if rating >= 2700 { 50 } else { 100 };
    let first = rating / step * step;
    (first, first + step - 1)
}

/// The rows: all games, by colour, recent ones, by time class, by the opponents' ratings, by year.
pub(super) fn rows(
    games: &[PlayerGame],
    since: &str,
    expectation: Option<&ExpectedScores>,
) -> Vec<FigureRow> {
    let mut rows = Vec::new();
    let mut add = |by: &'static str, key: &str, games: &mut dyn Iterator<Item = &PlayerGame>| {
        let figures = figures(games, expectation);
        if figures.games > 0 {
            rows.push(FigureRow {
                by,
                key: key.to_owned(),
                figures,
            });
        }
    };
    add("all", "all", &mut games.iter());
    for (side, key) in ["white", "black"].into_iter().enumerate() {
        add(
            "color",
            key,
            &mut games.iter().filter(|game| game.side == side),
        );
    }
    add(
        "since",
        since,
        &mut games.iter().filter(|game| game.is_recent),
    );
    let mut speeds: BTreeMap<&str, u64> = BTreeMap::new();
    for game in games {
        *speeds.entry(game.speed).or_default() += 1;
    }
    // One class is no division; games of which it is not known come last.
    if speeds.len() > 1 {
        let mut speeds: Vec<(&str, u64)> = speeds.into_iter().collect();
        speeds.sort_by_key(|&(speed, games)| (speed.is_empty(), std::cmp::Reverse(games)));
        for (speed, _) in speeds {
            let key = if speed.is_empty() { "unknown" } else { speed };
            add(
                "time",
                key,
                &mut games.iter().filter(|game| game.speed == speed),
            );
        }
    }
    let mut groups: BTreeMap<(u16, u16), Vec<&PlayerGame>> = BTreeMap::new();
    for game in games {
        if let Some(rating) = game.view.opponent_rating {
            groups.entry(strength(rating)).or_default().push(game);
        }
    }
    for ((first, last), games) in groups.into_iter().rev() {
        add(
            "opponents",
            &format!("{first}..{last}"),
            &mut games.into_iter(),
        );
    }
    let mut years: BTreeMap<u32, Vec<&PlayerGame>> = BTreeMap::new();
    for game in games {
        years.entry(game.year()).or_default().push(game);
    }
    let unknown = years.remove(&0);
    for (year, games) in years {
        add("year", &year.to_string(), &mut games.into_iter());
    }
    if let Some(games) = unknown {
        add("year", "unknown", &mut games.into_iter());
    }
    rows
}
