//! Games that a query finds, counted by what they have in common.

use std::collections::HashMap;

use super::{
    GameReader, GameTally, Hit, MoveNotation, ScoreSum, each_hit,
    select::{self, ResultPage, SelectedGame},
    tree::{ScoreAccumulator, with_colours_swapped},
    view::ViewedPlayer,
};
use crate::{
    base::record::{GameId, Outcome},
    db::{
        index::{facts::PackedFacts, popular::Tally},
        people::{FideIds, NameGroups},
        query::{GroupKey, Query},
        store::{NameTable, Store, StoreError},
    },
    games::{opening_names, pattern::written_material, variant::Variant, variation_tree::PlyRef},
};

/// Games that have something in common.
#[derive(Debug, Clone, PartialEq)]
pub struct GameGroup {
    /// What that is; empty where it is not known.
    pub name: String,
    /// How they ended, as seen by White, or by the player whose games they are.
    pub score: ScoreSum,
}

/// The games of a query in groups.
#[derive(Debug, Clone, PartialEq)]
pub struct GameGroups {
    /// All games, each counted once.
    pub total: ScoreSum,
    /// How many that are.
    pub tally: GameTally,
    /// Years in their order; all others the one with the most games first.
    pub groups: Vec<GameGroup>,
}

/// What the games of a group have in common.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum GroupId {
    Number(u32),
    /// The row of a name that several players have, and the number that FIDE has given to one.
    Namesake(u32, u32),
    Text(String),
}

/// Counts the games of a query by what they have in common. The query's page is not used.
/// Names are joined as they are one player's or event's, unless they are wanted as written.
/// Scores are those of the viewed player, else of White, of the players if these are counted.
///
/// # Errors
///
/// [`StoreError`] if the database cannot be read or is damaged.
pub fn groups(
    store: &Store,
    query: &Query,
    by: GroupKey,
    exact_names: bool,
    viewed: Option<&ViewedPlayer>,
) -> Result<GameGroups, StoreError> {
    let query = Query {
        offset: 0,
        limit: None,
        ..query.clone()
    };
    let fide_ids = match table(by) {
        Some(NameTable::Player) if !exact_names => FideIds::read(store)?,
        _ => FideIds::default(),
    };
    let mut counted = GroupCounts::new(by, &fide_ids, viewed);
    let tally = match by {
        GroupKey::Move | GroupKey::Material => by_hits(store, &query, by, &mut counted)?,
        _ => by_facts(store, &query, by, &mut counted)?,
    };
    let _fetching = store.fetching();
    let names = match table(by) {
        // Without the names nothing of what was counted can be shown.
        Some(table) => Some(NameLabels::read(
            store,
            by,
            table,
            (!exact_names).then_some(&fide_ids),
        )?),
        None => None,
    };
    let mut named: HashMap<String, ScoreAccumulator> = HashMap::new();
    for (common, tally) in counted.groups {
        let name = match (common, &names) {
            (GroupId::Text(text), _) => text,
            (GroupId::Number(id), Some(names)) => names.of(id, None),
            (GroupId::Namesake(id, number), Some(names)) => names.of(id, Some(number)),
            (GroupId::Number(number) | GroupId::Namesake(number, _), None) => written(by, number),
        };
        named.entry(name).or_default().add(&tally, 0);
    }
    let mut total = ScoreAccumulator::default();
    total.add(&counted.total, 0);
    let mut groups: Vec<GameGroup> = (named.into_iter())
        .map(|(name, sum)| GameGroup {
            name,
            score: sum.score(),
        })
        .collect();
    groups.sort_by(|one, other| {
        let by_games = other.score.games.cmp(&one.score.games);
        let by_name = one.name.cmp(&other.name);
        match by {
            GroupKey::Year => by_name,
            _ => by_games.then(by_name),
        }
    });
    Ok(GameGroups {
        total: total.score(),
        tally,
        groups,
    })
}

/// Games counted so far.
struct GroupCounts<'i> {
    by: GroupKey,
    fide_ids: &'i FideIds,
    viewed: Option<&'i ViewedPlayer>,
    groups: HashMap<GroupId, Tally>,
    total: Tally,
}

impl<'i> GroupCounts<'i> {
    fn new(by: GroupKey, fide_ids: &'i FideIds, viewed: Option<&'i ViewedPlayer>) -> Self {
        Self {
            by,
            fide_ids,
            viewed,
            groups: HashMap::new(),
            total: Tally::default(),
        }
    }

    /// Counts a game; of what it has in common with others, once.
    fn add(&mut self, common: GroupId, facts: &PackedFacts) {
        self.groups.entry(common).or_default().add(facts, 0);
    }

    /// Counts a game by its facts.
    fn add_facts(&mut self, game: GameId, facts: &PackedFacts) {
        let swapped = || with_colours_swapped(*facts);
        // All games are seen as those of the groups are, if these are of one side.
        let seen = match self.viewed {
            Some(viewed) => viewed.seen(facts),
            None if self.by == GroupKey::Black => swapped(),
            None => *facts,
        };
        self.total.add(&seen, 0);
        let player = |row, side| match self.fide_ids.of_namesake(row, game, side) {
            Some(id) => GroupId::Namesake(row, id),
            None => GroupId::Number(row),
        };
        let common = match self.by {
            GroupKey::Result => GroupId::Number(facts.outcome),
            GroupKey::Year => GroupId::Number(facts.year().map_or(0, u32::from)),
            GroupKey::Eco | GroupKey::Opening => GroupId::Number(facts.opening),
            GroupKey::Variant => GroupId::Number(facts.variant),
            GroupKey::White | GroupKey::Player => player(facts.white, 0),
            GroupKey::Black => player(facts.black, 1),
            GroupKey::Event => GroupId::Number(facts.event),
            GroupKey::Site => GroupId::Number(facts.site),
            // Their names come with the hits.
            GroupKey::Move | GroupKey::Material => return,
        };
        let opponent = (self.by == GroupKey::Player).then(|| player(facts.black, 1));
        let opponent = opponent.filter(|opponent| *opponent != common);
        // A player's games are counted as they ended for that player.
        let own = if self.by == GroupKey::Player {
            facts
        } else {
            &seen
        };
        self.add(common, own);
        if let Some(opponent) = opponent {
            self.add(opponent, &swapped());
        }
    }
}

fn by_facts(
    store: &Store,
    query: &Query,
    by: GroupKey,
    counted: &mut GroupCounts<'_>,
) -> Result<GameTally, StoreError> {
    debug_assert_eq!(by, counted.by);
    let mut facts = store.facts();
    let mut count = |found: SelectedGame| {
        counted.add_facts(found.game, &facts.get(found.game)?);
        Ok(())
    };
    select::each(store, query, ResultPage::of(store, query, &mut count))
}

fn by_hits(
    store: &Store,
    query: &Query,
    by: GroupKey,
    counted: &mut GroupCounts<'_>,
) -> Result<GameTally, StoreError> {
    let mut facts = store.facts();
    let mut games = GameReader::new(store);
    each_hit::<StoreError>(store, query, MoveNotation::default(), &mut |hit| {
        let of_game = facts.get(hit.header.id)?;
        counted.add_facts(hit.header.id, &of_game);
        let name = match by {
            GroupKey::Move => hit.next_move,
            _ => material_of(&mut games, &hit)?,
        };
        let seen = (counted.viewed).map_or(of_game, |viewed| viewed.seen(&of_game));
        counted.add(GroupId::Text(name.unwrap_or_default()), &seen);
        Ok(())
    })
}

/// What is on the board where a game was found.
fn material_of(games: &mut GameReader<'_>, hit: &Hit) -> Result<Option<String>, StoreError> {
    let ply = hit.ply.unwrap_or(0);
    let place = match &hit.variation {
        Some(line) => format!("{line}/{ply}"),
        None => ply.to_string(),
    };
    let place: Option<PlyRef> = place.parse().ok();
    let board = games.board_at(hit.header.id, place.as_ref())?;
    Ok(board.map(|board| written_material(&board.position)))
}

/// The names that games are grouped by.
const fn table(by: GroupKey) -> Option<NameTable> {
    match by {
        GroupKey::Eco | GroupKey::Opening => Some(NameTable::Opening),
        GroupKey::White | GroupKey::Black | GroupKey::Player => Some(NameTable::Player),
        GroupKey::Event => Some(NameTable::Event),
        GroupKey::Site => Some(NameTable::Site),
        _ => None,
    }
}

/// How a number of facts is written.
fn written(by: GroupKey, number: u32) -> String {
    let unknown = String::new;
    match by {
        GroupKey::Result => Outcome::from_code(number as u8).as_pgn().to_owned(),
        GroupKey::Variant => (u8::try_from(number).ok())
            .and_then(Variant::by_id)
            .map_or_else(unknown, |row| row.title.to_owned()),
        _ if number == 0 => unknown(),
        _ => number.to_string(),
    }
}

/// The names by their ids, and where several players have one by the number of FIDE.
struct NameLabels(HashMap<(u32, Option<u32>), String>);

impl NameLabels {
    fn read(
        store: &Store,
        by: GroupKey,
        table: NameTable,
        joined_by: Option<&FideIds>,
    ) -> Result<Self, StoreError> {
        let mut titles = HashMap::new();
        let joined_by = joined_by.filter(|_| table != NameTable::Opening);
        let Some(fide_ids) = joined_by else {
            store.for_each_name(table, |id, text| {
                let title = match by {
                    GroupKey::Eco => opening_names::parted(text).0,
                    GroupKey::Opening => opening_names::parted(text).1,
                    _ => text,
                };
                titles.insert((id, None), title.to_owned());
            })?;
            return Ok(Self(titles));
        };
        let names = NameGroups::all(store, table, fide_ids)?;
        for group in &names.groups {
            let title = names.own_title(group);
            for &(name, _) in &group.spellings {
                titles.insert((names.names[name].id, None), title.to_string());
            }
        }
        let namesakes = names.namesakes();
        titles.extend(namesakes.map(|(of, group)| (of, names.own_title(group).into_owned())));
        Ok(Self(titles))
    }

    fn of(&self, id: u32, fide_id: Option<u32>) -> String {
        let title = self.0.get(&(id, fide_id));
        let title = title.or_else(|| self.0.get(&(id, None)));
        title.cloned().unwrap_or_default()
    }
}
