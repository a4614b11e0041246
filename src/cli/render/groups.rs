//! Games counted by what they have in common.

use std::io::{self, Write};

use serde::Serialize;

use super::number::{count, counted};
use super::table::{Cell, Column, Table};
use super::{csv, tree};
use crate::cli::terminal::{DIM, STRONG, TerminalInfo};
use crate::database::{GameGroups, NameMatches, OtherVariantGames, ScoreSum, ViewedPlayer};
use crate::query::GroupKey;

/// What is not known of some games.
const UNKNOWN: &str = "(unknown)";

/// The groups that are given.
#[derive(Serialize)]
pub struct GroupList<'f> {
    /// All games, where the groups are parts of them.
    #[serde(rename = "all", skip_serializing_if = "Option::is_none")]
    total: Option<GroupScore<'f>>,
    groups: Vec<GroupScore<'f>>,
    groups_omitted: u64,
    /// Whose scores they are: `player` or `white`; and the player.
    view: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    player: Option<&'f str>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    interrupted: bool,
    /// What names have found that select the games.
    #[serde(skip_serializing_if = "<[NameMatches]>::is_empty")]
    pub names: &'f [NameMatches],
    /// Games that have the position by other rules.
    #[serde(skip_serializing_if = "<[OtherVariantGames]>::is_empty")]
    pub other_variants: &'f [OtherVariantGames],
    /// What is worth saying besides.
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    pub notes: &'f [String],
    /// What the games of a group have in common.
    #[serde(skip)]
    heading: &'static str,
    /// The same of the second key, if there is one.
    #[serde(skip)]
    second_heading: Option<&'static str>,
    /// What those are called that have it not.
    #[serde(skip)]
    nameless: &'static str,
}

/// A group, its games seen from one side.
#[derive(Serialize)]
struct GroupScore<'f> {
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'f str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    second_name: Option<&'f str>,
    games: u64,
    won: u64,
    drawn: u64,
    lost: u64,
    no_result: u64,
    score: Option<f64>,
    average_rating: Option<f64>,
    performance: Option<f64>,
    first_year: Option<u16>,
    last_year: Option<u16>,
    #[serde(skip)]
    sum: &'f ScoreSum,
}

impl<'f> GroupScore<'f> {
    const fn of(name: Option<&'f str>, sum: &'f ScoreSum) -> Self {
        Self {
            name,
            second_name: None,
            games: sum.games,
            won: sum.white_wins,
            drawn: sum.draws,
            lost: sum.black_wins,
            no_result: sum.no_result,
            score: sum.score,
            average_rating: sum.average_rating,
            performance: sum.performance,
            first_year: sum.first_year,
            last_year: sum.last_year,
            sum,
        }
    }
}

impl<'f> GroupList<'f> {
    /// The first of the groups that were found.
    pub fn of(found: &'f GameGroups, by: &[GroupKey], limit: Option<u64>) -> Self {
        let shown = limit.and_then(|limit| usize::try_from(limit).ok());
        let groups = found.groups.iter();
        let groups: Vec<_> = groups
            .take(shown.unwrap_or(usize::MAX))
            .map(|group| GroupScore {
                second_name: group.second.as_deref(),
                ..GroupScore::of(Some(&group.name), &group.score)
            })
            .collect();
        Self {
            total: Some(GroupScore::of(None, &found.total)),
            groups_omitted: (found.groups.len() - groups.len()) as u64,
            groups,
            interrupted: found.tally.interrupted,
            names: &[],
            other_variants: &[],
            notes: &[],
            view: "white",
            player: None,
            heading: by.first().map_or("", heading),
            second_heading: by.get(1).map(heading),
            nameless: match by {
                [GroupKey::Move, ..] => "(game ends)",
                _ => UNKNOWN,
            },
        }
    }

    /// The same as the scores of a player, if there is one.
    pub fn seen_by(mut self, viewed: Option<&'f ViewedPlayer>) -> Self {
        if let Some(viewed) = viewed {
            (self.view, self.player) = ("player", Some(viewed.name.as_str()));
        }
        self
    }

    /// The scores of several queries, by their texts.
    pub fn of_questions(scores: &'f [(String, ScoreSum)], interrupted: bool) -> Self {
        let groups = scores.iter();
        Self {
            total: None,
            groups: groups
                .map(|(text, score)| GroupScore::of(Some(text), score))
                .collect(),
            groups_omitted: 0,
            interrupted,
            names: &[],
            other_variants: &[],
            notes: &[],
            view: "white",
            player: None,
            heading: "Query",
            second_heading: None,
            nameless: UNKNOWN,
        }
    }
}

const fn heading(by: &GroupKey) -> &'static str {
    match by {
        GroupKey::Month => "Month",
        GroupKey::Opponent => "Opponent",
        GroupKey::Colour => "Colour",
        GroupKey::Rating => "Rating",
        GroupKey::Time => "Time",
        GroupKey::Plies => "Plies",
        GroupKey::Ending => "Ending",
        GroupKey::Tag(_) => "Tag",
        GroupKey::Result => "Result",
        GroupKey::Year => "Year",
        GroupKey::Eco => "ECO",
        GroupKey::Opening => "Opening",
        GroupKey::Player => "Player",
        GroupKey::White => "White",
        GroupKey::Black => "Black",
        GroupKey::Event => "Event",
        GroupKey::Site => "Site",
        GroupKey::Variant => "Variant",
        GroupKey::Move => "Move",
        GroupKey::Material => "Material",
    }
}

/// Draws the groups.
pub fn write(out: &mut dyn Write, screen: &TerminalInfo, list: &GroupList<'_>) -> io::Result<()> {
    let all = list.total.as_ref().map_or(0, |total| total.games);
    if all == 0 && list.total.is_some() {
        return Ok(());
    }
    if let Some(player) = list.player {
        writeln!(out, "{}\n", tree::scorer(screen, player))?;
    }
    let name = Column::left(list.heading).shrinks_to(if list.second_heading.is_some() {
        20
    } else {
        30
    });
    let (ends, score) = match list.player {
        Some(_) => (["Won", "Drawn", "Lost"], "Score"),
        None => (["White", "Draw", "Black"], "Score (W)"),
    };
    let mut columns = Vec::from(tree::columns(name, ends, score));
    if let Some(heading) = list.second_heading {
        columns.insert(1, Column::left(heading).shrinks_to(12));
    }
    let mut table = Table::new(columns);
    let shown = |name: Option<&str>| match name {
        Some(name) if !name.is_empty() => Cell::styled(name, STRONG),
        _ => Cell::styled(list.nameless, DIM),
    };
    for group in &list.groups {
        let mut cells = row(screen, shown(group.name), group.sum, all);
        if list.second_heading.is_some() {
            cells.insert(1, shown(group.second_name));
        }
        table.row(cells);
    }
    if let Some(total) = &list.total {
        let mut cells = row(screen, "Total".into(), total.sum, all);
        if list.second_heading.is_some() {
            cells.insert(1, "".into());
        }
        table.row(cells);
    }
    table.write(out, screen)
}

/// A score beside a name; without a share where all games are not known.
fn row(screen: &TerminalInfo, name: Cell, score: &ScoreSum, all: u64) -> Vec<Cell> {
    let mut cells = tree::row(screen, name, score, all);
    if all == 0 {
        cells[2] = "".into();
    }
    cells
}

/// Writes them as comma-separated values.
pub fn csv(out: &mut dyn Write, list: &GroupList<'_>) -> Result<(), ::csv::Error> {
    let has_second = list.groups.iter().any(|group| group.second_name.is_some());
    let mut columns = vec![
        "name",
        "games",
        "won",
        "drawn",
        "lost",
        "no_result",
        "score",
        "average_rating",
        "performance",
        "first_year",
        "last_year",
    ];
    if has_second {
        columns.insert(1, "second_name");
    }
    csv::line(out, &columns)?;
    for group in &list.groups {
        let number = |value: Option<f64>| value.map_or_else(String::new, |value| value.to_string());
        let year = |value: Option<u16>| value.map_or_else(String::new, |value| value.to_string());
        let mut cells = vec![
            csv::safe(group.name.unwrap_or_default()).into_owned(),
            group.games.to_string(),
            group.won.to_string(),
            group.drawn.to_string(),
            group.lost.to_string(),
            group.no_result.to_string(),
            number(group.score),
            number(group.average_rating),
            number(group.performance),
            year(group.first_year),
            year(group.last_year),
        ];
        if has_second {
            let second = group.second_name.unwrap_or_default();
            cells.insert(1, csv::safe(second).into_owned());
        }
        csv::line(out, &cells)?;
    }
    Ok(())
}

/// How many there are.
pub fn note(list: &GroupList<'_>) -> String {
    let Some(total) = &list.total else {
        return counted(list.groups.len() as u64, "query", "queries");
    };
    let games = counted(total.games, "game", "games");
    let (shown, left_out) = (list.groups.len() as u64, list.groups_omitted);
    if left_out == 0 {
        let groups = counted(shown, "group", "groups");
        return format!("{games} in {groups}");
    }
    format!(
        "{games}; {} of {} groups; --limit 0 shows all",
        count(shown),
        count(shown + left_out)
    )
}
