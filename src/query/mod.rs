//! What is wanted: a position, filters, an order. Free of text, terminal and SQL.

mod condition;
pub mod free_words;
pub mod game_conditions;
mod group_key;
pub mod interpret;
pub mod pattern;
pub mod position;
pub mod range;
pub mod read;
pub mod saved;
pub mod suggest;
mod value_error;
pub mod words;

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

pub use condition::{
    GameCondition, MoveFilter, NameField, PlayerScore, PositionText, ProblemField, RatingField,
    TagQuery,
};
pub use group_key::{GROUP_KEYS_MAX, GroupKey};
pub use range::Ranges;
pub use saved::SavedQueries;
pub use value_error::ValueError;

use crate::query::pattern::{
    Expr, Pattern,
    facts::{self, FactRef},
};
use crate::{
    base::range_map::RangeMap,
    games::{AnyPosition, symmetry::Symmetry},
};

/// How alike two positions must be to count as one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Identity {
    /// Pieces, side to move, castling rights, and the en passant square where
    /// such a capture is legal.
    #[default]
    Legal,
    /// Pieces and side to move.
    Board,
    /// Pieces alone.
    Placement,
}

/// A position to search for. Fields that are not requested match anything.
#[derive(Debug, Clone, PartialEq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a field of a FEN or an option of its own"
)]
pub struct PositionQuery {
    /// The position.
    pub position: AnyPosition,
    /// In which other ways of looking at the board it counts as well.
    pub symmetries: Vec<Symmetry>,
    /// It counts as well with all its pieces moved over the board alike; see
    /// [`AnyPosition::shifts`].
    pub shift: bool,
    /// It counts as well with the board laid down in another of the eight ways; see
    /// [`AnyPosition::orientations`].
    pub turn: bool,
    /// The side to move must agree.
    pub ask_turn: bool,
    /// The castling rights must agree.
    pub ask_castling: bool,
    /// The en passant square must agree (where a capture is legal).
    pub ask_en_passant: bool,
    /// The variant must be that of the position, not only its board. Of no
    /// meaning in chess, whose variants differ by more than this.
    pub ask_variant: bool,
    /// Only games of variants that are played by its rules count, not all that have it on
    /// their boards.
    pub own_rules: bool,
    /// Games count as well when only one of their variations reaches it.
    pub in_variations: bool,
    /// The words that were read as the position, where they may be meant as one of another game if
    /// a database has none by its rules.
    pub words: Option<String>,
}

impl PositionQuery {
    /// The position without what is not requested, which so hinders no way of looking
    /// at it.
    pub fn bare(&self) -> AnyPosition {
        self.position
            .without_rights(!self.ask_castling, !self.ask_en_passant)
    }

    /// Requires all of a position as it stands, on main lines, in any variant of
    /// its board.
    pub const fn of(position: AnyPosition) -> Self {
        Self {
            position,
            symmetries: Vec::new(),
            shift: false,
            turn: false,
            ask_turn: true,
            ask_castling: true,
            ask_en_passant: true,
            ask_variant: false,
            own_rules: false,
            in_variations: false,
            words: None,
        }
    }
}

// A position that is compared is equal to itself.
impl Eq for PositionQuery {}

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
    /// The games in which these players have the side of a filter (`player`, `white`, `black`), by
    /// that and its text, where they were met on the way.
    pub games: BTreeMap<(&'static str, String), Arc<RangeMap>>,
}

/// What the games must be like: all of some conditions must hold.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filter {
    /// The conditions.
    pub all: Vec<GameCondition>,
    /// What their names find, where that was looked up.
    pub names: ResolvedNames,
}

impl Filter {
    /// The filter of some conditions.
    pub fn of(conditions: impl IntoIterator<Item = GameCondition>) -> Self {
        Self {
            all: conditions.into_iter().collect(),
            names: ResolvedNames::default(),
        }
    }

    /// Whether every game passes.
    pub const fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// The variants that all games have one of, by their numbers; empty if that is any.
    pub fn variants(&self) -> Vec<u8> {
        variants_of(&self.all)
    }

    /// Leaves the variants out.
    pub fn remove_variants(&mut self) {
        let is_other = |condition: &GameCondition| !matches!(condition, GameCondition::Variant(_));
        self.all.retain(is_other);
    }
}

/// The variants that games have that fulfil all of some conditions; empty if that is any.
pub fn variants_of<'c>(conditions: impl IntoIterator<Item = &'c GameCondition>) -> Vec<u8> {
    let named = conditions
        .into_iter()
        .filter_map(|condition| match condition {
            GameCondition::Variant(ids) => Some(ids),
            _ => None,
        });
    let both = named.fold(None, |before: Option<Vec<u8>>, ids| {
        Some(match before {
            None => ids.clone(),
            Some(mut both) => {
                both.retain(|id| ids.contains(id));
                both
            }
        })
    });
    both.unwrap_or_default()
}

/// The order of the hits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SortKey {
    /// As imported.
    #[default]
    Id,
    /// By date; unknown dates last.
    Date,
    /// By the mean of the known ratings; unrated games last.
    Elo,
    /// By White's name.
    White,
    /// By Black's name.
    Black,
    /// By event name.
    Event,
    /// By ECO code; none last.
    Eco,
    /// By the first composer of problems.
    Author,
    /// By the number of plies.
    Plies,
    /// By outcome.
    Result,
    /// By how near it comes to the position that a query compares games to.
    Likeness,
}

/// By what the moves of a tree are ordered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TreeSort {
    /// How often they were played.
    #[default]
    Games,
    /// Their share of the points.
    Score,
    /// The mean rating of those who played them.
    Rating,
    /// Their performance.
    Performance,
    /// The last year in which they were played.
    Year,
    /// Their names.
    Move,
}

/// Which moves of a tree are given, in which order.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct TreeOrder {
    /// By this, ties by UCI; what is not known comes last.
    pub by: TreeSort,
    /// Smallest first.
    pub ascending: bool,
    /// Only moves of this many games.
    pub min_games: u64,
    /// Only moves with this share of the points, 0 to 1.
    pub min_score: Option<f64>,
    /// This many moves at most.
    pub limit: Option<u64>,
}

/// Conditions on positions, moves and games, joined by `and`, `or` and `not`.
#[derive(Debug, Clone)]
pub struct QueryExpr {
    /// As it was written.
    pub text: String,
    /// The conditions. Positions in them [are read](PositionText::read).
    pub expr: Expr,
    /// What its names find, where that was looked up.
    pub names: ResolvedNames,
    /// What it means on the board of each variant whose games are queried, by the ids of the
    /// registry; [`prepare`](crate::db::search::prepare) finds them.
    pub boards: Vec<(u8, Arc<Pattern>)>,
    /// A position to which games are compared: ordered by [`SortKey::Likeness`] they begin with
    /// the one that comes nearest.
    pub like: Option<AnyPosition>,
    /// Variations are searched as well, each as if it was the game.
    pub in_variations: bool,
    /// Every game is replayed, whatever columns say of it.
    pub without_columns: bool,
}

impl QueryExpr {
    /// Conditions whose boards are not known yet, of main lines.
    pub fn of(text: &str, expr: Expr) -> Self {
        Self {
            text: text.to_owned(),
            expr,
            names: ResolvedNames::default(),
            boards: Vec::new(),
            like: None,
            in_variations: false,
            without_columns: false,
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

    /// What is required of single moves or comments of every game found, if that is one condition.
    pub fn condition_of_annotations(&self) -> Option<&GameCondition> {
        let required = facts::required(&self.expr);
        let mut facts = facts::facts(&self.expr).into_iter().zip(required);
        facts.find_map(|(fact, is_required)| match fact {
            FactRef::Game(condition, _) if is_required && condition.is_of_annotations() => {
                Some(condition)
            }
            _ => None,
        })
    }
}

/// A search for games.
#[derive(Debug, Clone, Default)]
pub struct Query {
    /// The position, if one is requested.
    pub position: Option<PositionQuery>,
    /// Games that begin in one of these diagrams, which cannot be played from, are found as
    /// well as those with the position: each in the spelling of
    /// [`typed`](crate::formats::composition::typed).
    pub diagrams: Vec<String>,
    /// What else is requested of its positions and moves; instead of a position.
    pub asked: Option<QueryExpr>,
    /// What is requested instead of the position where a database has no game of its kind.
    pub otherwise: Option<QueryExpr>,
    /// The filters.
    pub filter: Filter,
    /// The order; ties are in the order of import, so paging is stable.
    pub sort: SortKey,
    /// Largest first.
    pub descending: bool,
    /// The order of games that are equal in that, each with whether the largest comes first; two
    /// at most.
    pub then: Vec<(SortKey, bool)>,
    /// Hits to leave out at the beginning.
    pub offset: u64,
    /// Hits to give at most.
    pub limit: Option<u64>,
}

impl Query {
    /// The conditions on games, those of the filter first.
    pub fn game_conditions(&self) -> impl Iterator<Item = &GameCondition> {
        let asked = self
            .asked
            .iter()
            .flat_map(|asked| facts::game_conditions(&asked.expr));
        self.filter
            .all
            .iter()
            .chain(asked.map(|(condition, _)| condition))
    }

    /// The tags that are requested.
    pub fn tags(&self) -> impl Iterator<Item = &TagQuery> {
        self.game_conditions()
            .filter_map(|condition| match condition {
                GameCondition::Tag(tag) => Some(tag),
                _ => None,
            })
    }
}
