//! The one player that a name means.

use std::sync::Arc;

use serde::Serialize;

use super::{AccessPlan, names::NameQuery, suggestions};
use crate::{
    base::{range_map::RangeMap, record::GameId},
    blocks::facts::PackedFacts,
    people::{
        NameGroups, NameSelection,
        cluster::{NameGroup, NameSpelling},
    },
    pgn::tags::person::{PlayerName, plain_letters},
    query::{GameCondition, NameField},
    store::{NameTable, Store, StoreError},
};

/// Of several players of a name, one is meant without a word if no other has more games than this
/// share of that one's.
const OTHERS_SHARE: u32 = 10;

/// Players that are listed at most.
const LISTED_MAX: usize = 20;

/// A spelling of a player, with its games.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SpellingGames {
    /// The spelling.
    pub name: String,
    /// The games.
    pub games: u64,
}

/// Whom a name means.
#[derive(Debug, Clone)]
pub enum PlayerMatch {
    /// One player.
    One(Box<MatchedPlayer>),
    /// Several players, most games first.
    Several(Vec<SpellingGames>),
    /// No player; similar names.
    NotFound(Vec<String>),
}

/// A player of a database.
#[derive(Debug, Clone)]
pub struct MatchedPlayer {
    /// The spelling that most games have, with the FIDE ID if others are called so too.
    pub name: String,
    /// All spellings, most games first.
    pub spellings: Vec<SpellingGames>,
    /// The FIDE IDs in the games.
    pub fide_ids: Vec<u32>,
    /// Other players whose names fit as well.
    pub others: Vec<SpellingGames>,
    rows: Vec<u32>,
    /// Games as either side, and as White; `None` if they are very many.
    games: Option<(Arc<RangeMap>, RangeMap)>,
}

impl MatchedPlayer {
    /// Requires of the games of a plan that this player has one of the sides.
    pub fn require(&self, plan: &mut AccessPlan) {
        let (conditions, name) = (&mut plan.conditions, self.name.clone());
        let names = &mut conditions.names;
        names.players.insert(name.clone(), self.rows.clone());
        let place = (NameField::Player.word(), name.clone());
        match &self.games {
            Some((games, _)) => names.games.insert(place, Arc::clone(games)),
            None => names.games.remove(&place),
        };
        conditions
            .all
            .push(GameCondition::Name(NameField::Player, name));
    }

    /// The side of the player in a game: 0 White, 1 Black.
    pub(crate) fn side(&self, game: GameId, facts: &PackedFacts) -> usize {
        let has_white = match &self.games {
            Some((_, white)) => white.contains(game),
            None => self.rows.contains(&facts.white),
        };
        usize::from(!has_white)
    }

    /// The rows of the names.
    pub(crate) fn rows(&self) -> &[u32] {
        &self.rows
    }
}

/// A name without case, accents, blanks and punctuation.
fn bare(name: &str) -> String {
    let letters = plain_letters(name);
    let letters = letters.chars().filter(|c| c.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

/// Whom a name means: the only player that it finds, the only one who is written so, or the one who
/// has many times the games of the others. With `is_exact`, spellings are not joined.
///
/// # Errors
///
/// [`StoreError`] if the database cannot be read or is damaged.
pub fn one_player(store: &Store, text: &str, is_exact: bool) -> Result<PlayerMatch, StoreError> {
    let is_anybody = |name: &str| PlayerName::read(name).is_known();
    if bare(text).is_empty() {
        return Ok(PlayerMatch::NotFound(Vec::new()));
    }
    let typed = NameQuery::of(text);
    let wanted = NameSelection {
        name: &|name| is_anybody(name) && typed.finds(name),
        fide_id: typed.fide_id,
    };
    let mut found = NameGroups::read(store, NameTable::Player, Some(wanted))?;
    if is_exact {
        part(&mut found, &|name| typed.finds(name));
    }
    let listed = |group: &NameGroup| SpellingGames {
        name: found.own_title(group).into_owned(),
        games: u64::from(group.career.games),
    };
    let spelling = |place: usize| -> &NameSpelling { &found.names[place] };
    let (exact, groups) = (bare(text), &found.groups);
    let is_written_so = |group: &&NameGroup| {
        let mut spellings = group.spellings.iter();
        spellings.any(|&(place, _)| bare(&spelling(place).name) == exact)
    };
    let mut written: Vec<&NameGroup> = groups.iter().filter(is_written_so).collect();
    if written.is_empty() {
        written = groups.iter().collect();
    }
    let chosen = match written[..] {
        [] => {
            let mut similar = suggestions(store, NameTable::Player, text)?;
            similar.retain(|name| is_anybody(name));
            return Ok(PlayerMatch::NotFound(similar));
        }
        [one] => one,
        [first, second, ..]
            if first.career.games / OTHERS_SHARE >= second.career.games
                && bare(&found.own_title(first)) != bare(&found.own_title(second)) =>
        {
            first
        }
        _ => {
            let all = written.iter().take(LISTED_MAX).map(|group| listed(group));
            return Ok(PlayerMatch::Several(all.collect()));
        }
    };
    let others = groups.iter().filter(|group| !std::ptr::eq(*group, chosen));
    let one = [chosen.clone()];
    let mut rows: Vec<u32> = (chosen.spellings.iter())
        .map(|&(place, _)| spelling(place).id)
        .collect();
    rows.sort_unstable();
    let games = found.games_of(&one, 0..2);
    let games = games.zip(found.games_of(&one, 0..1));
    Ok(PlayerMatch::One(Box::new(MatchedPlayer {
        name: found.own_title(chosen).into_owned(),
        spellings: (chosen.spellings.iter())
            .map(|&(place, _)| SpellingGames {
                name: spelling(place).name.to_string(),
                games: u64::from(spelling(place).career.games),
            })
            .collect(),
        fide_ids: chosen.career.fide_ids().to_vec(),
        others: others.take(LISTED_MAX).map(listed).collect(),
        rows,
        games: games.map(|(all, white)| (Arc::new(all), white)),
    })))
}

/// Makes a player of each spelling.
fn part(found: &mut NameGroups, is_wanted: &dyn Fn(&str) -> bool) {
    let mut parted = Vec::new();
    for group in std::mem::take(&mut found.groups) {
        for spelling in &group.spellings {
            let entry = &found.names[spelling.0];
            if is_wanted(&entry.name) {
                parted.push(NameGroup {
                    spellings: vec![*spelling],
                    career: entry.career.clone(),
                    apart: Vec::new(),
                });
            }
        }
    }
    parted.sort_by_key(|group| std::cmp::Reverse(group.career.games));
    found.groups = parted;
}
