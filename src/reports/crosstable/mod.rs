//! Crosstables: which games are one event, what kind of event it was, and who came where.
//!
//! Games of a collection are hardly ever all games of their event. So what is missing is counted,
//! and a place is given only where no missing game can change it.

mod event;
mod game;
mod notes;
mod order;
mod players;
mod points;
mod ranking;
mod schedule;
mod standings;
mod teams;
mod tie_breaks;
mod trf;

use serde::{Serialize, Serializer, ser::SerializeMap as _};

pub use schedule::EventKind;
pub use tie_breaks::TieBreak;

use crate::{
    base::record::GameId,
    search::AccessPlan,
    store::{Store, StoreError},
};

/// Events that are listed at most where several have the name.
pub const EVENTS_MAX: usize = 100;

/// How a crosstable is made.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CrosstableOptions {
    /// The last round that counts; `None` counts all.
    pub until_round: Option<u32>,
    /// The tie-breaks in their order; `None` takes those that are usual for the kind of event.
    pub tie_breaks: Option<Vec<TieBreak>>,
    /// What a round without a game is worth in a Swiss tournament, as a share of a win: 0, 0.5 or
    /// 1. Without it, a tournament in which players miss rounds has no places.
    pub bye: Option<f64>,
    /// Names stand for themselves: other spellings are other players.
    pub exact_names: bool,
}

/// What the games of a name are.
#[derive(Debug, Clone, PartialEq)]
pub enum CrosstableAnswer {
    /// One event.
    One(Box<Crosstable>),
    /// Several, the one with the most games first; none if there are no games.
    Several {
        /// The first of them, at most [`EVENTS_MAX`].
        events: Vec<EventSummary>,
        /// How many there are.
        total: usize,
    },
}

/// An event in a list.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EventSummary {
    /// Its name.
    pub event: String,
    /// Where it took place.
    pub site: String,
    /// Its first day, as tags have it; empty if no date is known.
    pub first_date: String,
    /// Its last day.
    pub last_date: String,
    /// What kind of event it was.
    pub kind: EventKind,
    /// How often two players of a round robin met.
    pub games_each: Option<u32>,
    /// How many players there are.
    pub players: u64,
    /// How many games there are.
    pub games: u64,
    /// Conditions that select it alone, as options of the command: `--year 1988 --site Belfort`.
    pub options: Vec<String>,
}

/// The table of an event.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Crosstable {
    /// The name of the event.
    pub event: String,
    /// Where it took place, if all games say the same.
    pub site: String,
    /// Its first day, as tags have it; empty if no date is known.
    pub first_date: String,
    /// Its last day.
    pub last_date: String,
    /// What kind of event it was.
    pub kind: EventKind,
    /// How often two players of a round robin met.
    pub games_each: Option<u32>,
    /// Rounds, or games of a match; `None` if the games do not have their numbers.
    pub rounds: Option<u32>,
    /// The round after which the table stands, if that is not the last.
    pub until_round: Option<u32>,
    /// Games that count.
    pub games: u64,
    /// Games that the event had until then, if its schedule shows it. Of a Swiss tournament it is
    /// the most that there can be.
    pub expected_games: Option<u64>,
    /// Games that are missing, or have no result, of those that were expected.
    pub missing_games: Option<u64>,
    /// Games that were found more than once, and count once.
    pub duplicates: u64,
    /// Games without a result.
    pub no_result: u64,
    /// Games that are left out, because a player has no name.
    pub unnamed: u64,
    /// Whether all results are here, so that everybody has a place.
    pub is_complete: bool,
    /// What a round without a game counts for, if that was requested and happens.
    pub bye: Option<f64>,
    /// Points of a win.
    pub win: f64,
    /// Whether games have written points, such as 12-8, by which players are ranked.
    pub is_by_written_points: bool,
    /// The tie-breaks in their order.
    #[serde(serialize_with = "names_of")]
    pub tie_breaks: Vec<TieBreak>,
    /// What to know before you trust the table.
    pub notes: Vec<String>,
    /// The players in the order of the table.
    pub players: Vec<TableRow>,
    /// The teams in the order of their table; empty where individuals play.
    pub teams: Vec<TableRow>,
}

/// A player of a table, or a team.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TableRow {
    /// The place, from 1; `None` if it is not decided by the games that are here.
    pub place: Option<u32>,
    /// Whether others have the same place.
    pub is_shared: bool,
    /// The name.
    pub name: String,
    /// The player's team.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub team: Option<String>,
    /// The rating in the first game that has one.
    pub rating: Option<u16>,
    /// Points; of a team those of matches.
    pub points: f64,
    /// Points of a team's games.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub board_points: Option<f64>,
    /// Games with a result, or matches of a team.
    pub games: u32,
    /// Games won.
    pub won: u32,
    /// Games drawn.
    pub drawn: u32,
    /// Games lost.
    pub lost: u32,
    /// Games that were played and are not here, if the schedule shows it.
    pub missing: u32,
    /// Performance rating: mean rating of the opponents, plus the rating difference that FIDE gives
    /// for the score.
    pub performance: Option<i32>,
    /// The games in the order of rounds.
    pub cells: Vec<TableCell>,
    /// The values of the tie-breaks, in their order.
    #[serde(serialize_with = "values_by_name")]
    pub ties: Vec<(TieBreak, Option<f64>)>,
}

/// A game of a player, or a match of a team.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TableCell {
    /// The opponent: number of the row, from 1.
    pub opponent: usize,
    /// The first number of the tag `Round`.
    pub round: Option<u32>,
    /// `white` or `black`; `None` for a match of teams.
    pub color: Option<&'static str>,
    /// Points; `None` without a result.
    pub result: Option<f64>,
    /// Points of a team's games.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub board_points: Option<f64>,
    /// Whether it was decided without play.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_forfeit: bool,
    /// The number of the game in the database; 0 for a match.
    #[serde(skip_serializing_if = "is_none")]
    pub game: GameId,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
const fn is_none(game: &GameId) -> bool {
    *game == 0
}

fn names_of<S: Serializer>(names: &[TieBreak], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(names.iter().map(|one| one.name()))
}

fn values_by_name<S: Serializer>(
    values: &[(TieBreak, Option<f64>)],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(Some(values.len()))?;
    for (of, value) in values {
        map.serialize_entry(of.name(), value)?;
    }
    map.end()
}

impl Crosstable {
    /// The table as a tournament report of FIDE (TRF-16), which pairing programs and FIDE's
    /// tie-break server read. Games without a round number are not in it.
    pub fn trf(&self) -> String {
        trf::write(self)
    }
}

/// The table of the event that the games of a plan belong to, or the events if they are several.
///
/// # Errors
///
/// [`StoreError`] if the database cannot be read or is damaged.
pub fn crosstable(
    store: &Store,
    plan: &AccessPlan,
    options: &CrosstableOptions,
) -> Result<CrosstableAnswer, StoreError> {
    let mut events = event::events(store, plan, options.exact_names)?;
    if events.len() == 1 {
        let table = ranking::table(store, &events.remove(0), options)?;
        return Ok(CrosstableAnswer::One(Box::new(table)));
    }
    let total = events.len();
    let shown = &events[..total.min(EVENTS_MAX)];
    let summaries = shown.iter().map(|event| ranking::summary(event, &events));
    Ok(CrosstableAnswer::Several {
        events: summaries.collect(),
        total,
    })
}
