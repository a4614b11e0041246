//! Games that a query finds, counted by what they have in common.

use std::collections::{HashMap, HashSet};

use super::{
    GameReader, GameTally, Hit, MoveNotation, ScoreSum, each_hit,
    plan::AccessPlan,
    select::{self, ResultPage, SelectedGame},
    tree::ScoreAccumulator,
    view::ViewedPlayer,
    view::with_colours_swapped,
};
use crate::{
    base::record::{GameId, Outcome},
    blocks::facts::PackedFacts,
    games::{opening_names, variant::Variant, variation_tree::PlyRef},
    index::popular::Tally,
    people::{FideIds, NameGroups, NameSelection},
    pgn::tags::time_control,
    query::{self, GROUP_KEYS_MAX, GroupKey, Page, pattern::written_material},
    store::{NameTable, Store, StoreError},
};

/// Games that have something in common.
#[derive(Debug, Clone, PartialEq)]
pub struct GameGroup {
    /// What that is; empty where it is not known.
    pub name: String,
    /// What they have in common besides, where they are counted by two keys.
    pub second: Option<String>,
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

/// How names are joined that are one player's, event's or site's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NameJoining {
    /// They are not: names stay as written.
    None,
    /// All of them.
    All,
    /// Those alone that so many written names with the most games belong to; other groups are left
    /// out. This is much faster than joining all names of a database.
    Most(usize),
}

/// What the games of a group have in common.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum GroupId {
    Number(u32),
    /// The row of a name that several players have, and the number that FIDE has given to one.
    Namesake(u32, u32),
    Text(String),
}

/// Counts the games of a query by what they have in common: one key or two. The query's page is not
/// used.
/// Scores are those of the viewed player, else of White, of the players if these are counted.
///
/// # Errors
///
/// [`StoreError`] if the database cannot be read or is damaged.
pub fn groups(
    store: &Store,
    plan: &AccessPlan,
    by: &[GroupKey],
    joining: NameJoining,
    viewed: Option<&ViewedPlayer>,
) -> Result<GameGroups, StoreError> {
    let plan = AccessPlan {
        page: Page {
            offset: 0,
            limit: None,
            ..plan.page.clone()
        },
        ..plan.clone()
    };
    let is_of_players = by.iter().any(|key| table(key) == Some(NameTable::Player));
    let fide_ids = if is_of_players && joining != NameJoining::None {
        FideIds::read(store)?
    } else {
        FideIds::default()
    };
    let mut counted = GroupCounts {
        by,
        fide_ids: &fide_ids,
        viewed,
        groups: HashMap::new(),
        total: Tally::default(),
    };
    let tally = if by.iter().any(GroupKey::is_of_place) {
        by_hits(store, &plan, &mut counted)?
    } else {
        by_facts(store, &plan, &mut counted)?
    };
    let _fetching = store.fetching();
    // Without the names nothing of what was counted can be shown.
    let labels = by.iter().enumerate().map(|(at, key)| {
        let Some(table) = table(key) else {
            return Ok(None);
        };
        let labels = match joining {
            _ if table == NameTable::Opening => NameLabels::written(store, key, table),
            NameJoining::None => NameLabels::written(store, key, table),
            NameJoining::All => {
                NameGroups::all(store, table, &fide_ids).map(|names| NameLabels::of_groups(&names))
            }
            NameJoining::Most(most) => {
                let names = counted.most_played(at, most);
                NameLabels::of_names(store, table, &names)
            }
        };
        labels.map(Some)
    });
    let labels: Vec<Option<NameLabels>> = labels.collect::<Result<_, _>>()?;
    let name = |common: GroupId, at: usize| match (common, &labels[at]) {
        (GroupId::Text(text), _) => text,
        (GroupId::Number(id), Some(names)) => names.of(id, None),
        (GroupId::Namesake(id, number), Some(names)) => names.of(id, Some(number)),
        (GroupId::Number(number) | GroupId::Namesake(number, _), None) => written(&by[at], number),
    };
    let mut named: HashMap<(String, Option<String>), ScoreAccumulator> = HashMap::new();
    for ((first, second), tally) in counted.groups {
        let names = (name(first, 0), second.map(|second| name(second, 1)));
        named.entry(names).or_default().add(&tally, 0);
    }
    let mut total = ScoreAccumulator::default();
    total.add(&counted.total, 0);
    let mut groups: Vec<GameGroup> = (named.into_iter())
        .map(|((name, second), sum)| GameGroup {
            name,
            second,
            score: sum.score(),
        })
        .collect();
    // 2 before 10, and 80..99 before 100..119.
    let in_order = |name: &String| {
        let first = name.split('.').next().unwrap_or_default();
        (first.len(), name.clone())
    };
    groups.sort_by(|one, other| {
        let by_games = other.score.games.cmp(&one.score.games);
        let by_name = match by.first() {
            Some(GroupKey::Month | GroupKey::Rating | GroupKey::Plies) => {
                in_order(&one.name).cmp(&in_order(&other.name))
            }
            _ => one.name.cmp(&other.name),
        };
        let by_second = one.second.cmp(&other.second);
        match by.first() {
            Some(GroupKey::Year | GroupKey::Month | GroupKey::Rating | GroupKey::Plies) => {
                by_name.then(by_games).then(by_second)
            }
            _ => by_games.then(by_name).then(by_second),
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
    by: &'i [GroupKey],
    fide_ids: &'i FideIds,
    viewed: Option<&'i ViewedPlayer>,
    groups: HashMap<(GroupId, Option<GroupId>), Tally>,
    total: Tally,
}

/// Texts of a game by which it is counted, by the places of their keys.
type GroupTexts = [String; GROUP_KEYS_MAX];

impl GroupCounts<'_> {
    /// Of the names at the place of a key those with the most games.
    fn most_played(&self, at: usize, most: usize) -> Vec<u32> {
        let mut games: HashMap<u32, u64> = HashMap::new();
        for ((first, second), tally) in &self.groups {
            let id = if at == 0 {
                Some(first)
            } else {
                second.as_ref()
            };
            if let Some(&(GroupId::Number(id) | GroupId::Namesake(id, _))) = id {
                *games.entry(id).or_default() += tally.games;
            }
        }
        let mut names: Vec<(u64, u32)> = games.into_iter().map(|(id, games)| (games, id)).collect();
        names.sort_unstable_by_key(|&(games, id)| (std::cmp::Reverse(games), id));
        names.into_iter().take(most).map(|(_, id)| id).collect()
    }

    /// Counts a game: once, or once for each player.
    fn add(&mut self, game: GameId, facts: &PackedFacts, mut texts: GroupTexts) {
        let swapped = with_colours_swapped(*facts);
        let is_by_player = self.by.contains(&GroupKey::Player);
        // All games are seen as those of the groups are, if these are of one side.
        let seen = match self.viewed {
            Some(viewed) => viewed.seen(facts),
            None if *self.by == [GroupKey::Black] => swapped,
            None => *facts,
        };
        self.total.add(&seen, 0);
        if !is_by_player {
            let side = usize::from(self.viewed.is_some_and(|viewed| viewed.has_second(facts)));
            let mut ids = (0..self.by.len()).map(|at| {
                self.id(
                    &self.by[at],
                    game,
                    facts,
                    side,
                    std::mem::take(&mut texts[at]),
                )
            });
            if let Some(first) = ids.next() {
                let common = (first, ids.next());
                self.groups.entry(common).or_default().add(&seen, 0);
            }
            return;
        }
        // A player's games are counted as they ended for that player.
        let of_side = |side: usize| {
            let mut ids = (self.by.iter().zip(&texts))
                .map(|(key, text)| self.id(key, game, facts, side, text.clone()));
            ids.next().map(|first| (first, ids.next()))
        };
        let [own, opponent] = [0, 1].map(of_side);
        // Both may be one name.
        let opponent = if own == opponent { None } else { opponent };
        for (common, facts) in [(own, facts), (opponent, &swapped)] {
            if let Some(common) = common {
                self.groups.entry(common).or_default().add(facts, 0);
            }
        }
    }

    /// What a game has of a key, of the player with a side.
    fn id(
        &self,
        key: &GroupKey,
        game: GameId,
        facts: &PackedFacts,
        side: usize,
        text: String,
    ) -> GroupId {
        let rows = [facts.white, facts.black];
        let player = |side: usize| match self.fide_ids.of_namesake(rows[side & 1], game, side) {
            Some(id) => GroupId::Namesake(rows[side & 1], id),
            None => GroupId::Number(rows[side & 1]),
        };
        match key {
            GroupKey::Result => GroupId::Number(facts.outcome),
            GroupKey::Year => GroupId::Number(facts.year().map_or(0, u32::from)),
            GroupKey::Month => GroupId::Number(facts.date / 100 % 100),
            GroupKey::Eco | GroupKey::Opening => GroupId::Number(facts.opening),
            GroupKey::Variant => GroupId::Number(facts.variant),
            GroupKey::White => player(0),
            GroupKey::Black => player(1),
            GroupKey::Player => player(side),
            GroupKey::Opponent => player(side ^ 1),
            GroupKey::Colour => GroupId::Number(side as u32 + 1),
            GroupKey::Event => GroupId::Number(facts.event),
            GroupKey::Site => GroupId::Number(facts.site),
            GroupKey::Rating => match (facts.white_elo, facts.black_elo) {
                (0, _) | (_, 0) => GroupId::Number(0),
                (white, black) => GroupId::Number(u32::midpoint(white, black) / 100 + 1),
            },
            GroupKey::Plies => GroupId::Number(facts.plies / PLIES_STEP + 1),
            GroupKey::Move
            | GroupKey::Material
            | GroupKey::Ending
            | GroupKey::Time
            | GroupKey::Tag(_) => GroupId::Text(text),
        }
    }

    /// The texts that the tags of a game have of the keys.
    fn texts_of_tags(
        &self,
        games: &mut GameReader<'_>,
        game: GameId,
    ) -> Result<GroupTexts, StoreError> {
        let mut texts = GroupTexts::default();
        let is_tag = |key: &GroupKey| matches!(key, GroupKey::Tag(_) | GroupKey::Time);
        if !self.by.iter().any(is_tag) {
            return Ok(texts);
        }
        let tags = games.game(game)?.map(|game| game.tags).unwrap_or_default();
        let value = |name: &str| {
            let tag = tags.iter().find(|(own, _)| own.eq_ignore_ascii_case(name));
            tag.map_or("", |(_, value)| value.as_str())
        };
        for (key, text) in self.by.iter().zip(&mut texts) {
            match key {
                GroupKey::Tag(name) => value(name).clone_into(text),
                GroupKey::Time => {
                    let class = time_control::parse(value("TimeControl").as_bytes()).class();
                    class.map_or("", query::read::word_of).clone_into(text);
                }
                _ => {}
            }
        }
        Ok(texts)
    }
}

/// Plies of a step of [`GroupKey::Plies`].
const PLIES_STEP: u32 = 20;

fn by_facts(
    store: &Store,
    plan: &AccessPlan,
    counted: &mut GroupCounts<'_>,
) -> Result<GameTally, StoreError> {
    let (mut facts, mut games) = (store.facts(), GameReader::new(store));
    let mut count = |found: SelectedGame| {
        let texts = counted.texts_of_tags(&mut games, found.game)?;
        counted.add(found.game, &facts.get(found.game)?, texts);
        Ok(())
    };
    select::each(store, plan, ResultPage::of(store, plan, &mut count))
}

fn by_hits(
    store: &Store,
    plan: &AccessPlan,
    counted: &mut GroupCounts<'_>,
) -> Result<GameTally, StoreError> {
    let mut facts = store.facts();
    let mut games = GameReader::new(store);
    each_hit::<StoreError>(store, plan, MoveNotation::default(), &mut |hit| {
        let of_game = facts.get(hit.header.id)?;
        let mut texts = counted.texts_of_tags(&mut games, hit.header.id)?;
        for (key, text) in counted.by.iter().zip(&mut texts) {
            match key {
                GroupKey::Move => *text = hit.next_move.clone().unwrap_or_default(),
                GroupKey::Material => *text = material_of(&mut games, &hit)?.unwrap_or_default(),
                GroupKey::Ending => {
                    // Without a match it is the end of the game.
                    let mut hit = hit.clone();
                    hit.ply = hit.ply.or(Some(of_game.plies));
                    let material = material_of(&mut games, &hit)?.unwrap_or_default();
                    *text = ending_of(&material);
                }
                _ => {}
            }
        }
        counted.add(hit.header.id, &of_game, texts);
        Ok(())
    })
}

/// The pieces of a material besides kings and pawns, the side with more of them first.
fn ending_of(material: &str) -> String {
    let bare: String = material.chars().filter(|c| !"KP".contains(*c)).collect();
    // Of draughts men and kings are all there is.
    let Some((white, black)) = bare.split_once('v').filter(|_| !material.contains(':')) else {
        return material.to_owned();
    };
    let strength = |side: &str| {
        let worth = side.bytes().map(|piece| match piece {
            b'Q' => 9,
            b'R' => 5,
            _ => 3,
        });
        (worth.sum::<u32>(), side.len())
    };
    if strength(white) < strength(black) {
        format!("{black}v{white}")
    } else {
        format!("{white}v{black}")
    }
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
const fn table(by: &GroupKey) -> Option<NameTable> {
    match by {
        GroupKey::Eco | GroupKey::Opening => Some(NameTable::Opening),
        GroupKey::White | GroupKey::Black | GroupKey::Player | GroupKey::Opponent => {
            Some(NameTable::Player)
        }
        GroupKey::Event => Some(NameTable::Event),
        GroupKey::Site => Some(NameTable::Site),
        _ => None,
    }
}

/// How a number of facts is written.
fn written(by: &GroupKey, number: u32) -> String {
    let unknown = String::new;
    match by {
        GroupKey::Result => Outcome::from_code(number as u8).as_pgn().to_owned(),
        GroupKey::Variant => (u8::try_from(number).ok())
            .and_then(Variant::by_id)
            .map_or_else(unknown, |row| row.title.to_owned()),
        _ if number == 0 => unknown(),
        GroupKey::Colour => if number == 1 { "white" } else { "black" }.to_owned(),
        GroupKey::Rating => format!("{}..{}", (number - 1) * 100, (number - 1) * 100 + 99),
        GroupKey::Plies => {
            let first = (number - 1) * PLIES_STEP;
            format!("{first}..{}", first + PLIES_STEP - 1)
        }
        _ => number.to_string(),
    }
}

/// The names by their ids, and where several players have one by the number of FIDE.
struct NameLabels(HashMap<(u32, Option<u32>), String>);

impl NameLabels {
    fn written(store: &Store, by: &GroupKey, table: NameTable) -> Result<Self, StoreError> {
        let mut titles = HashMap::new();
        store.for_each_name(table, |id, text| {
            let title = match by {
                GroupKey::Eco => opening_names::parted(text).0,
                GroupKey::Opening => opening_names::parted(text).1,
                _ => text,
            };
            titles.insert((id, None), title.to_owned());
        })?;
        Ok(Self(titles))
    }

    /// The groups that some names belong to.
    fn of_names(store: &Store, table: NameTable, ids: &[u32]) -> Result<Self, StoreError> {
        let names = ids.iter().map(|&id| store.name(table, id));
        let names: HashSet<String> = names
            .filter_map(Result::transpose)
            .collect::<Result<_, _>>()?;
        let wanted = NameSelection {
            name: &|name| names.contains(name),
            fide_id: None,
        };
        let groups = NameGroups::read(store, table, Some(wanted))?;
        Ok(Self::of_groups(&groups))
    }

    fn of_groups(names: &NameGroups) -> Self {
        let mut titles = HashMap::new();
        for group in &names.groups {
            let title = names.own_title(group);
            for &(name, _) in &group.spellings {
                titles.insert((names.names[name].id, None), title.to_string());
            }
        }
        let namesakes = names.namesakes();
        titles.extend(namesakes.map(|(of, group)| (of, names.own_title(group).into_owned())));
        Self(titles)
    }

    fn of(&self, id: u32, fide_id: Option<u32>) -> String {
        let title = self.0.get(&(id, fide_id));
        let title = title.or_else(|| self.0.get(&(id, None)));
        title.cloned().unwrap_or_default()
    }
}
