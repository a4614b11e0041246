//! Which games are one event: one name, one place, no long break; and the same players elsewhere.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::schedule::RoundNumber;
use crate::{
    base::record::GameId,
    people::NameGroups,
    pgn::tags::{date::PgnDate, person::plain_letters},
    query::{GameCondition, NameField},
    search::{self, AccessPlan, GameConditions, NameQuery},
    store::{GameRow, NameTable, Store, StoreError},
};

/// Days without a game after which another event of the same name begins.
const BREAK_DAYS: i64 = 45;

/// Days after which the same players go on with an event that was broken off.
const RESUMED_DAYS: i64 = 500;

/// A game of an event as the database has it.
#[derive(Debug, Clone)]
pub(super) struct EventGame {
    pub id: GameId,
    /// Rows of White and Black.
    pub players: [u32; 2],
    /// Row of the site, 0 for none.
    pub site: u32,
    pub row: GameRow,
    pub round: Option<RoundNumber>,
}

impl EventGame {
    fn date(&self) -> PgnDate {
        PgnDate::from_packed(self.row.date.unwrap_or(0))
    }

    /// The day as `yyyymmdd`, if all of it is known.
    pub(super) fn day(&self) -> Option<u32> {
        self.row.date.filter(|date| date % 100 > 0)
    }

    fn year(&self) -> u32 {
        self.row.date.unwrap_or(0) / 10_000
    }
}

/// The games of an event, in the order of the database.
#[derive(Debug, Clone)]
pub(super) struct EventGames {
    /// What most of its games call it.
    pub name: String,
    pub games: Vec<EventGame>,
}

/// The event that a plan's condition names.
fn event_text(plan: &AccessPlan) -> Option<&str> {
    plan.conditions.all.iter().find_map(|one| match one {
        GameCondition::Name(NameField::Event, text) => Some(&text[..]),
        _ => None,
    })
}

/// The events that the games of a plan belong to, the one with the most games first. If one event is
/// called exactly as the condition on the event says, others with longer names are left out.
pub(super) fn events(
    store: &Store,
    plan: &AccessPlan,
    exact_names: bool,
) -> Result<Vec<EventGames>, StoreError> {
    let mut names = EventNames::read(store, event_text(plan), exact_names)?;
    let mut ids = search::all_games(store, &names.restricted(plan))?;
    if ids.is_empty() && names.groups.len() < names.all.len() {
        // `Olympiad` is the name of another year's.
        names.groups.clone_from(&names.all);
        ids = search::all_games(store, &names.restricted(plan))?;
    }
    let mut by_name: HashMap<u32, Vec<EventGame>> = HashMap::new();
    let mut facts = store.facts();
    for id in ids {
        store.go_on()?;
        let of_game = facts.get(id)?;
        let Some(row) = store.game(id)? else {
            continue;
        };
        let round = row.round.as_deref().and_then(RoundNumber::parse);
        let game = EventGame {
            id,
            players: [of_game.white, of_game.black],
            site: of_game.site,
            row,
            round,
        };
        by_name
            .entry(names.group_of(of_game.event))
            .or_default()
            .push(game);
    }
    let mut events = Vec::new();
    for games in by_name.into_values() {
        events.extend(parts(games));
    }
    events.sort_by_key(|event| (std::cmp::Reverse(event.games.len()), event.games[0].id));
    Ok(events)
}

/// The names of events that a text finds.
struct EventNames {
    text: Option<String>,
    /// Which of the names are one event's, by their rows: of those that are exactly so, if any are.
    groups: HashMap<u32, u32>,
    /// The same of all names that the text finds.
    all: HashMap<u32, u32>,
}

impl EventNames {
    fn read(store: &Store, text: Option<&str>, exact_names: bool) -> Result<Self, StoreError> {
        let Some(text) = text else {
            return Ok(Self {
                text: None,
                groups: HashMap::new(),
                all: HashMap::new(),
            });
        };
        let typed = NameQuery::of(text);
        let mut groups: Vec<Vec<(u32, String)>> = Vec::new();
        if exact_names {
            store.for_each_name(NameTable::Event, |id, name| {
                if typed.finds(name) {
                    groups.push(vec![(id, name.to_owned())]);
                }
            })?;
        } else {
            let wanted = crate::people::NameSelection {
                name: &|name| typed.finds(name),
                fide_id: None,
            };
            let found = NameGroups::read(store, NameTable::Event, Some(wanted))?;
            groups.extend(found.groups.iter().map(|group| {
                let names = group.spellings.iter().map(|&(name, _)| &found.names[name]);
                names
                    .map(|entry| (entry.id, entry.name.to_string()))
                    .collect()
            }));
        }
        let folded = folded(text);
        let is_called_so =
            |group: &Vec<(u32, String)>| group.iter().any(|(_, name)| self::folded(name) == folded);
        let is_exact: Vec<bool> = groups.iter().map(is_called_so).collect();
        let has_exact = is_exact.contains(&true);
        let mut names = Self {
            text: Some(text.to_owned()),
            groups: HashMap::new(),
            all: HashMap::new(),
        };
        for ((nth, group), is_exact) in (0..).zip(groups).zip(is_exact) {
            let rows = || group.iter().map(|(id, _)| (*id, nth));
            names.all.extend(rows());
            if is_exact || !has_exact {
                names.groups.extend(rows());
            }
        }
        Ok(names)
    }

    /// The plan with these names alone.
    fn restricted(&self, plan: &AccessPlan) -> AccessPlan {
        let mut plan = plan.clone();
        if let Some(text) = &self.text {
            let mut rows: Vec<u32> = self.groups.keys().copied().collect();
            rows.sort_unstable();
            let conditions: &mut GameConditions = &mut plan.conditions;
            conditions.names.events.insert(text.clone(), rows);
        }
        plan
    }

    fn group_of(&self, row: u32) -> u32 {
        self.groups.get(&row).copied().unwrap_or(u32::MAX - row)
    }
}

/// A name without accents, capitals and punctuation.
fn folded(name: &str) -> String {
    let plain = plain_letters(name).to_lowercase();
    let words = plain.split(|c: char| !c.is_alphanumeric());
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    words.join(" ")
}

/// Days since a day long ago; that of an unknown month or day is the first it can be.
fn day_number(date: PgnDate) -> i64 {
    let packed = date.first_day().to_packed();
    let (year, month, day) = (
        i64::from(packed / 10_000),
        i64::from(packed / 100 % 100).max(1),
        i64::from(packed % 100).max(1),
    );
    // Days from the civil calendar: March is the first month, so that leap days end a year.
    let year = if month <= 2 { year - 1 } else { year };
    let month = (month + 9) % 12;
    365 * year + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + day
}

/// Games of one name at one place, without a long break between them.
struct Part {
    games: Vec<EventGame>,
    first: i64,
    last: i64,
    players: BTreeSet<u32>,
}

impl Part {
    fn of(games: Vec<EventGame>) -> Self {
        let dated = || games.iter().filter(|game| game.year() > 0);
        Self {
            first: dated()
                .map(|game| day_number(game.date()))
                .min()
                .unwrap_or(0),
            last: dated()
                .map(|game| day_number(game.date().last_day()))
                .max()
                .unwrap_or(0),
            players: games.iter().flat_map(|game| game.players).collect(),
            games,
        }
    }

    /// Days between two parts, 0 if they overlap.
    fn days_to(&self, other: &Self) -> i64 {
        (other.first - self.last)
            .max(self.first - other.last)
            .max(0)
    }

    fn rounds(&self) -> HashSet<&RoundNumber> {
        self.games
            .iter()
            .filter_map(|game| game.round.as_ref())
            .collect()
    }

    /// How often the two that met most often did.
    fn meetings<'g>(games: impl Iterator<Item = &'g EventGame>) -> usize {
        let mut met: HashMap<[u32; 2], usize> = HashMap::new();
        for game in games {
            let mut pair = game.players;
            pair.sort_unstable();
            *met.entry(pair).or_default() += 1;
        }
        met.into_values().max().unwrap_or(0)
    }

    /// Whether both are parts of one event: those who play in the smaller play in the larger, and
    /// either their rounds differ, or no two meet more often than in the larger.
    fn belongs_to(&self, larger: &Self) -> bool {
        let common = self.players.intersection(&larger.players).count();
        let is_subset = common == self.players.len();
        let are_same = is_subset && 5 * common >= 4 * larger.players.len();
        if is_of_another_year(&self.games[0], &larger.games[0]) {
            return false;
        }
        let rounds = larger.rounds();
        let have_rounds = !rounds.is_empty() && self.games.iter().all(|game| game.round.is_some());
        let own = self.rounds();
        let differ = have_rounds && own.iter().all(|round| !rounds.contains(*round));
        let days = self.days_to(larger);
        if days > BREAK_DAYS {
            return are_same && differ && days <= RESUMED_DAYS;
        }
        let together = self.games.iter().chain(&larger.games);
        is_subset && (differ || Self::meetings(together) <= Self::meetings(larger.games.iter()))
    }
}

/// Whether two games are of different years as far as their dates show: without months, the end of
/// one year is not near the beginning of the next.
fn is_of_another_year(one: &EventGame, other: &EventGame) -> bool {
    let has_month = |game: &EventGame| !(game.row.date.unwrap_or(0) / 100).is_multiple_of(100);
    one.year() != other.year() && !(has_month(one) && has_month(other))
}

/// Cuts games of one name where the place changes or a break is long, and joins what belongs
/// together nevertheless.
fn parts(games: Vec<EventGame>) -> Vec<EventGames> {
    let mut by_site: HashMap<u32, Vec<EventGame>> = HashMap::new();
    for game in games {
        by_site.entry(game.site).or_default().push(game);
    }
    let mut parts = Vec::new();
    for mut games in by_site.into_values() {
        games.sort_by_key(|game| (day_number(game.date()), game.id));
        let mut open: Vec<EventGame> = Vec::new();
        let mut last = 0;
        for game in games {
            let (first, end) = (day_number(game.date()), day_number(game.date().last_day()));
            let is_break = first - last > BREAK_DAYS
                || open
                    .last()
                    .is_some_and(|before| is_of_another_year(before, &game));
            if is_break && !open.is_empty() {
                parts.push(Part::of(std::mem::take(&mut open)));
                last = 0;
            }
            last = end.max(last);
            open.push(game);
        }
        parts.push(Part::of(open));
    }
    // Smaller ones join the largest that they belong to, until none does.
    parts.sort_by_key(|part| (std::cmp::Reverse(part.games.len()), part.games[0].id));
    let mut at = 1;
    while at < parts.len() {
        match (0..at).find(|&larger| parts[at].belongs_to(&parts[larger])) {
            Some(larger) => {
                let mut games = parts.remove(at).games;
                games.append(&mut parts[larger].games);
                parts[larger] = Part::of(games);
                at = larger + 1;
            }
            None => at += 1,
        }
    }
    let events = parts.into_iter().map(|part| {
        let mut games = part.games;
        games.sort_by_key(|game| game.id);
        EventGames {
            name: usual(games.iter().filter_map(|game| game.row.names[2].as_deref())),
            games,
        }
    });
    events.collect()
}

/// The text that occurs most often, of several the first by letters.
pub(super) fn usual<'t>(texts: impl Iterator<Item = &'t str>) -> String {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for text in texts {
        *counts.entry(text).or_default() += 1;
    }
    let most = counts
        .into_iter()
        .max_by(|one, other| one.1.cmp(&other.1).then_with(|| other.0.cmp(one.0)));
    most.map_or_else(String::new, |(text, _)| text.to_owned())
}
