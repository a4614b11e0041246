//! What is searched for: conditions, where they are searched for, and which page is wanted. Free of text,
//! terminal and SQL.

mod builder;
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

pub use condition::{
    GameCondition, MoveFilter, NameField, PlayerScore, PositionText, ProblemField, RatingField,
    TagQuery,
};
pub use group_key::{GROUP_KEYS_MAX, GroupKey};
pub use range::Ranges;
pub use saved::SavedQueries;
pub use value_error::ValueError;

use std::fmt;

use crate::games::{AnyPosition, symmetry::Symmetry};
use crate::query::pattern::{Expr, facts};

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
    /// The words that were read as the position, where it is no condition of a query: they may be
    /// meant as one of another game, if a database has none by its rules.
    pub words: Option<String>,
    /// What these words mean as pieces on squares, where they may be meant so if a database has no
    /// game in which they are moves.
    pub pieces: Option<Box<Expr>>,
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
            pieces: None,
        }
    }
}

// A position that is compared is equal to itself.
impl Eq for PositionQuery {}

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

/// The expression that all of some hold.
pub(crate) fn all_of(mut all: Vec<Expr>) -> Expr {
    if all.len() == 1 {
        all.remove(0)
    } else {
        Expr::And(all)
    }
}

/// Leaves the variants out of some conditions.
pub fn remove_variants(conditions: &mut Vec<GameCondition>) {
    let is_other = |condition: &GameCondition| !matches!(condition, GameCondition::Variant(_));
    conditions.retain(is_other);
}

/// The order of the hits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SortKey {
    /// As imported.
    #[default]
    Id,
    /// By date; unknown dates last, also with the newest first.
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

/// Which of the games that are found are given, in which order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Page {
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

/// In which lines and under which names a query is searched for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Scope {
    /// Variations are searched as well, each as if it was the game.
    pub in_variations: bool,
    /// Names are as they are written: further spellings of the same people, events and sites are
    /// not looked up.
    pub exact_names: bool,
}

/// A search for games.
#[derive(Debug, Clone)]
pub struct Query {
    /// What games fulfil; all of them an empty `and`. Positions in it [are read](PositionText::read).
    pub expr: Expr,
    /// The text that its places are of; empty if it was made without one.
    pub text: String,
    /// Where it is searched for.
    pub scope: Scope,
    /// A position to which games are compared: ordered by [`SortKey::Likeness`] they begin with
    /// the one that comes nearest.
    pub like: Option<PositionText>,
    /// The page that is wanted.
    pub page: Page,
}

impl Default for Query {
    /// All games.
    fn default() -> Self {
        Self::of("", Expr::And(Vec::new()))
    }
}

impl From<GameCondition> for Query {
    fn from(condition: GameCondition) -> Self {
        Self::of("", Expr::Game(condition, 0..0))
    }
}

impl fmt::Display for Query {
    /// Writes what is read as a query that finds the same games; of the settings those that the
    /// language has.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut settings = Vec::new();
        if self.scope.in_variations {
            settings.push(GameCondition::InVariations);
        }
        settings.extend(self.like.clone().map(GameCondition::Similar));
        let settings = settings.into_iter().map(|one| Expr::Game(one, 0..0));
        let conditions = self.conjuncts().into_iter().cloned();
        let all: Vec<Expr> = settings.chain(conditions).collect();
        if all.is_empty() {
            return f.write_str("games:1..");
        }
        all_of(all).fmt(f)
    }
}

impl Query {
    /// A query that was read from a text, of main lines and all spellings.
    #[doc(hidden)]
    pub fn of(text: &str, expr: Expr) -> Self {
        Self {
            expr,
            text: text.to_owned(),
            scope: Scope::default(),
            like: None,
            page: Page::default(),
        }
    }

    /// Whether every game is found.
    pub fn is_everything(&self) -> bool {
        self.conjuncts().is_empty()
    }

    /// Whether games are found at positions or moves.
    #[doc(hidden)]
    pub fn has_places(&self) -> bool {
        self.like.is_some()
            || self.conjuncts().into_iter().any(|one| match one {
                Expr::Game(condition, _) => {
                    matches!(
                        condition,
                        GameCondition::Position(_) | GameCondition::Move(_)
                    )
                }
                _ => true,
            })
    }

    /// Whether it has more than conditions on games that must all hold.
    #[doc(hidden)]
    pub fn has_pattern(&self) -> bool {
        let is_of_game = |one: &&Expr| matches!(one, Expr::Game(..));
        !self.conjuncts().iter().all(is_of_game)
    }

    /// The conditions that all games fulfil, in the order in which they were added.
    #[doc(hidden)]
    pub fn conjuncts(&self) -> Vec<&Expr> {
        facts::conjuncts(&self.expr)
    }

    /// Those of them that are about games.
    #[doc(hidden)]
    pub fn required(&self) -> impl Iterator<Item = &GameCondition> {
        let all = self.conjuncts().into_iter();
        all.filter_map(|one| match one {
            Expr::Game(condition, _) => Some(condition),
            _ => None,
        })
    }

    /// The same, to be changed.
    #[doc(hidden)]
    pub fn required_mut(&mut self) -> Vec<&mut GameCondition> {
        let (mut found, mut open) = (Vec::new(), vec![&mut self.expr]);
        while let Some(expr) = open.pop() {
            match expr {
                Expr::And(all) => open.extend(all.iter_mut().rev()),
                Expr::Game(condition, _) => found.push(condition),
                _ => {}
            }
        }
        found
    }

    /// The games that another query finds as well. The page is that of this one.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        self.with(other, |one, other| {
            let mut all = Vec::new();
            for expr in [one, other] {
                match expr {
                    Expr::And(own) => all.extend(own),
                    own => all.push(own),
                }
            }
            all_of(all)
        })
    }

    /// This query with an expression joined of those of both, and what both need beside it.
    fn with(mut self, other: Self, join: impl FnOnce(Expr, Expr) -> Expr) -> Self {
        // Places in two texts are places in neither.
        if self.text.is_empty() {
            self.text = other.text;
        } else if !other.text.is_empty() {
            self.text.clear();
        }
        self.scope.in_variations |= other.scope.in_variations;
        self.like = self.like.or(other.like);
        self.expr = join(self.expr, other.expr);
        self
    }

    /// Asks for conditions besides, which come first.
    #[doc(hidden)]
    pub fn require(&mut self, conditions: impl IntoIterator<Item = GameCondition>) {
        let conditions = conditions.into_iter();
        let mut all: Vec<Expr> = conditions.map(|one| Expr::Game(one, 0..0)).collect();
        match std::mem::replace(&mut self.expr, Expr::And(Vec::new())) {
            Expr::And(own) => all.extend(own),
            own => all.push(own),
        }
        self.expr = all_of(all);
    }

    /// The only position of the query, if all games reach it.
    #[doc(hidden)]
    pub fn position(&self) -> Option<&PositionText> {
        let mut all = facts::game_conditions(&self.expr).filter_map(|(one, _)| match one {
            GameCondition::Position(position) => Some(position),
            _ => None,
        });
        let only = all.next().filter(|_| all.next().is_none())?;
        let mut required = self.required();
        required
            .any(|one| matches!(one, GameCondition::Position(own) if std::ptr::eq(own, only)))
            .then_some(only)
    }
}
