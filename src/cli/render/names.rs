//! Lists of players, events and sites, with their spellings.

use std::io::{self, Write};

use serde::Serialize;

use super::csv as values;
use super::number::{count, counted};
use super::table::{Cell, Column, Table};
use crate::cli::error::CliError;
use crate::cli::terminal::{DIM, STRONG, TerminalInfo};
use crate::database::{
    JoinReason, NameGroup, NameGroups, NameMatches, NameTable, OUTWEIGHING, SplitReason,
};

/// Names as they are listed.
#[derive(Debug, Serialize)]
pub struct NameList<'n> {
    /// How many there are, the ones that are not shown included.
    pub total: u64,
    /// The names.
    pub names: Vec<NameListItem<'n>>,
}

/// A player, event or site.
#[derive(Debug, Serialize)]
pub struct NameListItem<'n> {
    /// The most used spelling.
    pub name: &'n str,
    /// Games.
    pub games: u32,
    /// The first known year.
    pub first_year: Option<u16>,
    /// The last known year.
    pub last_year: Option<u16>,
    /// The highest rating; none of events and sites.
    pub rating_top: Option<u16>,
    /// What else is known of players.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub results: Option<PlayerResults>,
    /// The share of points.
    #[serde(skip)]
    pub score: Option<f64>,
    /// The spellings, the most used first.
    pub spellings: Vec<SpellingListItem<'n>>,
    /// Names that fit, but were not joined.
    pub kept_apart: Vec<SplitName<'n>>,
}

/// How a player has scored.
#[derive(Debug, Serialize)]
pub struct PlayerResults {
    /// Games that were won.
    pub wins: u32,
    /// Games that were drawn.
    pub draws: u32,
    /// Games that were lost.
    pub losses: u32,
    /// The share of the points, 0 to 1, of the games with a result.
    pub score: Option<f64>,
    /// The number that FIDE has given, if it is known.
    pub fide_id: Option<u32>,
}

/// A spelling.
#[derive(Debug, Serialize)]
pub struct SpellingListItem<'n> {
    /// As it is written.
    pub name: &'n str,
    /// Its games.
    pub games: u32,
    /// The first known year.
    pub first_year: Option<u16>,
    /// The last known year.
    pub last_year: Option<u16>,
    /// The number that FIDE has given, if it is known; none of events and sites.
    pub fide_id: Option<u32>,
    /// Why it was joined; empty of the one that the others were compared with.
    pub joined: &'static str,
}

/// A name that was not joined.
#[derive(Debug, Serialize)]
pub struct SplitName<'n> {
    /// As it is written.
    pub name: &'n str,
    /// Its games.
    pub games: u32,
    /// The number that FIDE has given, if it is known; none of events and sites.
    pub fide_id: Option<u32>,
    /// Why not.
    pub reason: String,
}

fn year(year: u16) -> Option<u16> {
    (year > 0).then_some(year)
}

impl<'n> NameListItem<'n> {
    /// A group of some names.
    pub fn of(table: NameTable, found: &'n NameGroups, group: &'n NameGroup) -> Self {
        let career = &group.career;
        let spellings = group.spellings.iter().map(|&(name, joined)| {
            let entry = &found.names[name];
            SpellingListItem {
                name: &entry.name,
                games: entry.career.games,
                first_year: year(entry.career.years.0),
                last_year: year(entry.career.years.1),
                fide_id: entry.career.fide_id(),
                joined: joined_by(joined),
            }
        });
        let apart = group.apart.iter().map(|(name, why)| SplitName {
            name: &found.names[*name].name,
            games: found.names[*name].career.games,
            fide_id: found.names[*name].career.fide_id(),
            reason: doubt(table, why),
        });
        let [wins, draws, losses] = career.score;
        Self {
            name: found.title(group),
            games: career.games,
            first_year: year(career.years.0),
            last_year: year(career.years.1),
            rating_top: career.rating_top(),
            score: career.share(),
            results: (table == NameTable::Player).then(|| PlayerResults {
                wins,
                draws,
                losses,
                score: career.share(),
                fide_id: career.fide_id(),
            }),
            spellings: spellings.collect(),
            kept_apart: apart.collect(),
        }
    }
}

/// Why a spelling was joined.
const fn joined_by(joined: JoinReason) -> &'static str {
    match joined {
        JoinReason::ByRating => "shorter form, same ratings",
        JoinReason::First => "",
        JoinReason::Whole => "same name",
        JoinReason::Short => "shorter form",
        JoinReason::Bare => "family name alone",
        JoinReason::FideId => "same FIDE ID",
        JoinReason::ByHand => "by hand",
    }
}

/// Why it was not.
fn doubt(table: NameTable, why: &SplitReason) -> String {
    match why {
        SplitReason::ByHand => "parted by hand".to_owned(),
        SplitReason::Opponents => "they played each other".to_owned(),
        SplitReason::FideIds(one, other) => format!("FIDE IDs {one} and {other}"),
        SplitReason::Span(years) => format!("{years} years from first to last game"),
        SplitReason::Gap(years) => format!("{years} years between their games"),
        SplitReason::Undated => "without dates".to_owned(),
        SplitReason::Ratings(year, below, above) => format!("rated {below} and {above} in {year}"),
        SplitReason::Outweighed => format!("{OUTWEIGHING} times the games decide"),
        SplitReason::Several => format!("fits several {}", table.nouns()[1]),
    }
}

/// Names that were not joined and are shown of one.
const APART_MAX: usize = 10;

/// Draws a list.
pub fn write(
    out: &mut dyn Write,
    screen: &TerminalInfo,
    table: NameTable,
    list: &NameList<'_>,
    with_spellings: bool,
) -> io::Result<()> {
    if list.names.is_empty() {
        return Ok(());
    }
    let title = match table {
        NameTable::Event => "Event",
        NameTable::Site => "Site",
        _ => "Player",
    };
    let mut drawn = Table::new([
        Column::right("Games"),
        Column::left(title).shrinks_to(20),
        Column::right("Spellings").drops(1),
        Column::left("Years"),
        Column::right("Top").drops(2),
        Column::right("Score").drops(0),
        Column::right("FIDE ID").drops(3),
        Column::left(if with_spellings { "Joined" } else { "" }).shrinks_to(16),
    ]);
    let number = |value: Option<u32>| value.map_or_else(String::new, |value| value.to_string());
    for name in &list.names {
        let spellings = name.spellings.len() as u64;
        let score = name.score.map(|score| format!("{:.1}%", 100.0 * score));
        let strong = if with_spellings {
            STRONG
        } else {
            clap::builder::styling::Style::new()
        };
        drawn.row(vec![
            count(name.games.into()).into(),
            Cell::styled(screen.safe(name.name), strong),
            if spellings > 1 {
                count(spellings)
            } else {
                String::new()
            }
            .into(),
            years(screen, name.first_year, name.last_year).into(),
            number(name.rating_top.map(u32::from)).into(),
            score
                .filter(|_| name.results.is_some())
                .unwrap_or_default()
                .into(),
            number(name.results.as_ref().and_then(|results| results.fide_id)).into(),
        ]);
        if !with_spellings {
            continue;
        }
        let dim = |text: String| Cell::styled(text, DIM);
        for spelling in name.spellings.iter().filter(|_| spellings > 1) {
            drawn.row(vec![
                dim(count(spelling.games.into())),
                Cell::from(format!("  {}", screen.safe(spelling.name))),
                Cell::default(),
                dim(years(screen, spelling.first_year, spelling.last_year)),
                Cell::default(),
                Cell::default(),
                dim(number(spelling.fide_id)),
                dim(spelling.joined.to_owned()),
            ]);
        }
        let row = |games: String, text: String, fide_id: String, why: String| {
            let mut row = vec![dim(games), dim(format!("  {text}"))];
            row.resize(6, Cell::default());
            row.extend([dim(fide_id), dim(why)]);
            row
        };
        for apart in name.kept_apart.iter().take(APART_MAX) {
            let text = format!("not: {}", screen.safe(apart.name));
            let fide_id = number(apart.fide_id);
            drawn.row(row(
                count(apart.games.into()),
                text,
                fide_id,
                apart.reason.clone(),
            ));
        }
        if let Some(more @ 1..) = name.kept_apart.len().checked_sub(APART_MAX) {
            let text = format!("not: {} more", count(more as u64));
            drawn.row(row(String::new(), text, String::new(), String::new()));
        }
    }
    drawn.write(out, screen)
}

fn years(screen: &TerminalInfo, first: Option<u16>, last: Option<u16>) -> String {
    match (first, last) {
        (Some(first), Some(last)) if first != last => format!("{first}{}{last}", screen.dash()),
        (Some(year), _) | (_, Some(year)) => year.to_string(),
        (None, None) => String::new(),
    }
}

/// Writes a list as comma-separated values: a line for each name, or for each spelling.
pub fn csv(
    out: &mut dyn Write,
    table: NameTable,
    list: &NameList<'_>,
    with_spellings: bool,
) -> Result<(), CliError> {
    fn text<T: ToString>(value: Option<T>) -> String {
        value.map_or_else(String::new, |value| value.to_string())
    }
    if with_spellings {
        let is_player = table == NameTable::Player;
        let mut names = vec![
            "name",
            "spelling",
            "games",
            "first_year",
            "last_year",
            "joined",
        ];
        names.extend(is_player.then_some("fide_id"));
        values::line(out, &names)?;
        for name in &list.names {
            for spelling in &name.spellings {
                let mut line = vec![
                    values::safe(name.name).into_owned(),
                    values::safe(spelling.name).into_owned(),
                    spelling.games.to_string(),
                    text(spelling.first_year),
                    text(spelling.last_year),
                    spelling.joined.to_owned(),
                ];
                line.extend(is_player.then(|| text(spelling.fide_id)));
                values::line(out, &line)?;
            }
        }
        return Ok(());
    }
    let mut names = vec!["name", "games", "spellings", "first_year", "last_year"];
    if table == NameTable::Player {
        names.extend(["rating_top", "wins", "draws", "losses", "score", "fide_id"]);
    }
    values::line(out, &names)?;
    for name in &list.names {
        let mut line = vec![
            values::safe(name.name).into_owned(),
            name.games.to_string(),
            name.spellings.len().to_string(),
            text(name.first_year),
            text(name.last_year),
        ];
        if let Some(results) = &name.results {
            line.push(text(name.rating_top));
            line.extend(
                [results.wins, results.draws, results.losses].map(|games| games.to_string()),
            );
            line.push(text(results.score));
            line.push(text(results.fide_id));
        }
        values::line(out, &line)?;
    }
    Ok(())
}

/// Which of how many are shown, and how to see more.
pub fn page(table: NameTable, list: &NameList<'_>) -> String {
    let [one, many] = table.nouns();
    let shown = list.names.len() as u64;
    if shown == list.total {
        return counted(shown, one, many);
    }
    format!(
        "{} of {} {many}; --limit 0 shows all",
        count(shown),
        count(list.total)
    )
}

/// What a name that is a filter finds: `carlsen: 5 spellings of 2 players, 424 games`.
pub fn taken(names: &NameMatches, table: NameTable) -> String {
    let [_, many] = table.nouns();
    let spellings = count(names.spellings.len() as u64);
    let groups = count(names.groups.len() as u64);
    let of = match &names.groups[..] {
        [only] if names.spellings.len() == 1 => only.clone(),
        [only] => format!("{spellings} spellings of {only}"),
        all if names.spellings.len() < all.len() => format!("{groups} {many}"),
        all if all.len() == names.spellings.len() => format!("{groups} {many}"),
        _ => format!("{spellings} spellings of {groups} {many}"),
    };
    format!(
        "{}: {of}, {}",
        names.typed,
        counted(names.games, "game", "games")
    )
}
