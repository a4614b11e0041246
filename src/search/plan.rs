//! Which data answers which conditions of a query.

use serde::Serialize;

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use crate::{
    base::range_map::RangeMap,
    games::AnyPosition,
    query::{
        self, GameCondition, MoveFilter, Page, PositionQuery, TagQuery,
        pattern::{
            Expr, Pattern,
            facts::{self, FactRef},
        },
    },
};

/// Rows of the names that a text finds, by that text: of those that hold its words, and further
/// spellings of the same people, events and sites. A text that has none here finds those that hold
/// its words.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ResolvedNames {
    /// Of players.
    pub players: BTreeMap<String, Vec<u32>>,
    /// Of events.
    pub events: BTreeMap<String, Vec<u32>>,
    /// Of sites.
    pub sites: BTreeMap<String, Vec<u32>>,
    /// Of composers, as they are spelled.
    pub authors: BTreeMap<String, BTreeSet<String>>,
    /// The games in which these players have the side of a condition (`player`, `white`, `black`), by
    /// that and its text, where they were met on the way.
    pub games: BTreeMap<(&'static str, String), Arc<RangeMap>>,
}

/// Conditions on games that must all hold.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GameConditions {
    /// The conditions.
    pub all: Vec<GameCondition>,
    /// What their names find, where that was looked up.
    pub names: ResolvedNames,
}

impl GameConditions {
    /// Some conditions.
    pub fn of(conditions: impl IntoIterator<Item = GameCondition>) -> Self {
        Self {
            all: conditions.into_iter().collect(),
            names: ResolvedNames::default(),
        }
    }

    /// Whether every game fulfils them.
    pub const fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// The variants that all games have one of, by their numbers; empty if that is any.
    pub fn variants(&self) -> Vec<u8> {
        query::variants_of(&self.all)
    }

    /// Leaves the variants out.
    pub fn remove_variants(&mut self) {
        query::remove_variants(&mut self.all);
    }
}

/// Whether a pattern is answered by columns. The answer is the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ColumnUse {
    /// Where that costs less than to replay the games that are left.
    #[default]
    Worthwhile,
    /// Whatever it costs.
    Always,
    /// Every game is replayed.
    Never,
}

/// Conditions on positions and moves, and what else is joined to them by `or` and `not`.
#[derive(Debug, Clone)]
pub struct PatternQuery {
    /// The text that its places are of.
    pub text: String,
    /// The conditions. Positions in them [are read](crate::query::PositionText::read).
    pub expr: Expr,
    /// What its names find, where that was looked up.
    pub names: ResolvedNames,
    /// What it means on the board of each variant whose games are queried, by the ids of the
    /// registry; [`prepare`](super::prepare) finds them.
    pub boards: Vec<(u8, Arc<Pattern>)>,
    /// Variations are searched as well, each as if it was the game.
    pub in_variations: bool,
    /// Whether columns are read.
    pub columns: ColumnUse,
}

impl PatternQuery {
    /// Conditions whose boards are not known yet, of main lines.
    pub fn of(text: &str, expr: Expr) -> Self {
        Self {
            text: text.to_owned(),
            expr,
            names: ResolvedNames::default(),
            boards: Vec::new(),
            in_variations: false,
            columns: ColumnUse::default(),
        }
    }

    /// What is asked of moves beside other conditions on their plies, by the numbers
    /// of the facts; `None` if there is nothing.
    pub fn facts_of_moves(&self) -> Option<Vec<Option<MoveFilter>>> {
        let of_move = |fact| match fact {
            FactRef::Ply(asked) => Some(asked.clone()),
            FactRef::Game(..) => None,
        };
        let asked: Vec<_> = facts::facts(&self.expr).into_iter().map(of_move).collect();
        asked.iter().any(Option::is_some).then_some(asked)
    }
}

/// A query as it is answered: all of its parts must hold, each of which has its own data.
#[derive(Debug, Clone, Default)]
pub struct AccessPlan {
    /// The position that games reach, which the index has.
    pub position: Option<PositionQuery>,
    /// Games that begin in one of these diagrams, which cannot be played from, are found as
    /// well as those with the position: each in the spelling of
    /// [`typed`](crate::problems::typed).
    pub diagrams: Vec<String>,
    /// Conditions that numbers, names and facts of games decide, and their tags and comments.
    pub conditions: GameConditions,
    /// All others, which columns bound and moves decide.
    pub pattern: Option<PatternQuery>,
    /// A position to which games are compared: ordered by
    /// [`SortKey::Likeness`](crate::query::SortKey::Likeness) they begin with the one that comes
    /// nearest.
    pub like: Option<AnyPosition>,
    /// Which games are given, in which order.
    pub page: Page,
}

impl AccessPlan {
    /// Whether it asks for a position, or for diagrams.
    pub const fn has_position(&self) -> bool {
        self.position.is_some() || !self.diagrams.is_empty()
    }

    /// The conditions on games: those that all games fulfil first.
    pub fn game_conditions(&self) -> impl Iterator<Item = &GameCondition> {
        let others = self
            .pattern
            .iter()
            .flat_map(|pattern| facts::game_conditions(&pattern.expr));
        let all = self.conditions.all.iter();
        all.chain(others.map(|(condition, _)| condition))
    }

    /// The tags that are requested.
    pub fn tags(&self) -> impl Iterator<Item = &TagQuery> {
        self.game_conditions()
            .filter_map(|condition| match condition {
                GameCondition::Tag(tag) => Some(tag),
                _ => None,
            })
    }

    /// The same games in the order of import, from the first on.
    #[must_use]
    pub fn with_limit(&self, limit: Option<u64>) -> Self {
        Self {
            page: Page {
                limit,
                ..Page::default()
            },
            ..self.clone()
        }
    }
}

/// The data that answers a condition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum AccessPath {
    /// Ranges of game numbers.
    Numbers,
    /// Spellings of names, and lists of their games.
    Names,
    /// Packed facts of games, a block at a time.
    Facts,
    /// The index of positions.
    Position,
    /// Summaries of main lines by column.
    Columns,
    /// Postings of what stands in variations.
    Variations,
    /// Rows with the tags of games.
    Tags,
    /// Comments and glyphs.
    Annotations,
    /// The moves of games.
    Replay,
}

impl AccessPath {
    /// Its name in lists and in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Numbers => "numbers",
            Self::Names => "names",
            Self::Facts => "facts",
            Self::Position => "position",
            Self::Columns => "columns",
            Self::Variations => "variations",
            Self::Tags => "tags",
            Self::Annotations => "annotations",
            Self::Replay => "replay",
        }
    }
}
