//! What is wanted: a position, filters, an order. Free of text, terminal and SQL.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use crate::{
    base::range_map::RangeMap,
    base::record::GameId,
    games::{
        AnyPosition,
        notation::problem::StipulationPattern,
        opening_names::OpeningQuery,
        pattern::{Expr, Pattern, program},
        symmetry::Symmetry,
    },
    pgn::tags::time_control::SpeedClass,
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

/// How many pieces of draughts each side has, White's first; what is `None`
/// matches any number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Material {
    /// Men.
    pub men: Option<(u8, u8)>,
    /// Kings.
    pub kings: Option<(u8, u8)>,
    /// The sides may be exchanged.
    pub either_side: bool,
}

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

/// What the games must be like. All given conditions must hold.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filter {
    /// Numbers of games, inclusive; empty is any.
    pub games: Vec<(GameId, GameId)>,
    /// Part of the name of a source that had the game.
    pub file: Option<String>,
    /// Either player's name holds one of these texts (each occurrence of the
    /// option is a further condition: both players can be given).
    pub players: Vec<String>,
    /// White's name.
    pub white: Option<String>,
    /// Black's name.
    pub black: Option<String>,
    /// Event name.
    pub event: Option<String>,
    /// Site name.
    pub site: Option<String>,
    /// What these names find, where that was looked up.
    pub further: ResolvedNames,
    /// One of a problem's composers (each is a further condition: joint compositions).
    pub authors: Vec<String>,
    /// The stipulation of a problem.
    pub stipulation: Option<StipulationPattern>,
    /// Where a problem was printed.
    pub source: Option<String>,
    /// One of a problem's fairy conditions (each is a further one).
    pub conditions: Vec<String>,
    /// One of a problem's themes (each is a further one).
    pub keywords: Vec<String>,
    /// Any of these outcomes; empty is any.
    pub results: Vec<crate::base::record::Outcome>,
    /// Earliest date, packed as `yyyymmdd` with zeros for unknown parts.
    pub date_from: Option<u32>,
    /// Latest date, packed likewise.
    pub date_to: Option<u32>,
    /// Both ratings known and at least this.
    pub min_elo: Option<u16>,
    /// Both ratings known and at most this.
    pub max_elo: Option<u16>,
    /// White's rating, inclusive.
    pub white_elo: Option<(u32, u32)>,
    /// Black's rating, inclusive.
    pub black_elo: Option<(u32, u32)>,
    /// The mean of both ratings, rounded down, lies in one of these ranges, inclusive; empty is
    /// any.
    pub mean_elo: Vec<(u32, u32)>,
    /// How far the ratings lie apart, inclusive.
    pub elo_difference: Option<(u32, u32)>,
    /// What the opening must be, as the positions of the main line show it.
    pub opening: OpeningQuery,
    /// Variant ids of the registry; empty is any.
    pub variants: Vec<u8>,
    /// Any of these classes of time controls; empty is any.
    pub time_classes: Vec<SpeedClass>,
    /// Games whose time control is not known pass as well.
    pub or_unclocked: bool,
    /// Whether the event must be called casual, or must not.
    pub is_casual: Option<bool>,
    /// The month must be known.
    pub has_month: bool,
    /// Plies of the main line, inclusive.
    pub plies: Option<(u32, u32)>,
    /// Only games that start from this position.
    pub start: Option<Box<PositionQuery>>,
    /// Only games with such a move.
    pub a_move: Option<MoveFilter>,
    /// Only games with a comment for each of these texts, which holds every word of it, whatever
    /// the case.
    pub comments: Vec<String>,
    /// Only games with all of these tags.
    pub tags: Vec<TagQuery>,
}

impl Filter {
    /// Only games of a list, which is in ascending order. If the list is empty, no game passes.
    pub fn only(games: &[GameId]) -> Self {
        let runs = games.chunk_by(|one, next| one + 1 == *next);
        let mut runs: Vec<_> = runs.map(|run| (run[0], run[run.len() - 1])).collect();
        if runs.is_empty() {
            // A number that no game has.
            runs.push((0, 0));
        }
        Self {
            games: runs,
            ..Self::default()
        }
    }
}

/// A tag that a game must have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TagQuery {
    /// Its name; case does not matter.
    pub name: String,
    /// Its value holds every word of this text, whatever the case; without words
    /// any value will do.
    pub text: String,
    /// Whether its value must be this text and nothing else, whatever the case.
    pub is_whole: bool,
}

/// What some move of a main line must be like, according to the comments after it and after the
/// move before. All that is given must hold of the same move; ranges are inclusive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MoveFilter {
    /// Milliseconds left on the clock of the player who moved.
    pub time_left_ms: Option<(i64, i64)>,
    /// The evaluation after the move in hundredths of a pawn, from White's view; a mate that was
    /// found is as much as any number of pawns.
    pub evaluation: Option<(i64, i64)>,
    /// By how much the evaluation fell for the side that moved, in hundredths of a pawn; more than
    /// ten pawns counts as ten.
    pub loss: Option<(i64, i64)>,
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

/// What games are counted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GroupKey {
    /// How they ended.
    Result,
    /// The year.
    Year,
    /// The ECO code of the opening.
    Eco,
    /// The name of the opening.
    Opening,
    /// Each player, of either side.
    Player,
    /// White.
    White,
    /// Black.
    Black,
    /// The event.
    Event,
    /// The site.
    Site,
    /// The variant.
    Variant,
    /// The move that was played where a game was found.
    Move,
    /// What was on the board there.
    Material,
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

/// Conditions on positions, moves and facts of games, joined by `and`, `or` and `not`.
#[derive(Debug, Clone)]
pub struct QueryExpr {
    /// As it was written.
    pub text: String,
    /// The conditions.
    pub expr: Expr,
    /// What its facts mean, in the order in which
    /// [`facts`](crate::games::pattern::program::facts) has them.
    pub facts: Vec<Fact>,
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
    /// The facts that are requested of moves beside other conditions on their plies, by the numbers
    /// of the facts; `None` if there is none.
    pub fn facts_of_moves(&self) -> Option<Vec<Option<MoveFilter>>> {
        let of_move = |fact: &Fact| match fact {
            Fact::Move(asked) => Some(*asked),
            Fact::Games(_) | Fact::Position(_) => None,
        };
        let asked: Vec<_> = self.facts.iter().map(of_move).collect();
        asked.iter().any(Option::is_some).then_some(asked)
    }

    /// What is requested of single moves or comments of every game found, if that is one fact.
    pub fn filter_of_moves(&self) -> Option<&Filter> {
        let required = program::required(&self.expr);
        let mut filters = self
            .facts
            .iter()
            .zip(required)
            .filter_map(|(fact, is_required)| {
                let Fact::Games(filters) = fact else {
                    return None;
                };
                let [filter] = &filters[..] else {
                    return None;
                };
                let is_of_moves = filter.a_move.is_some() || !filter.comments.is_empty();
                (is_required && is_of_moves).then_some(filter)
            });
        filters.next()
    }
}

/// A fact about a game.
#[derive(Debug, Clone)]
pub enum Fact {
    /// It passes one of these filters.
    Games(Vec<Filter>),
    /// It reaches a position.
    Position(Box<PositionQuery>),
    /// A move of the main line is such a one; tested beside other conditions on its ply.
    Move(MoveFilter),
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
    /// Pieces that must be on the board at some point of the game, if they are
    /// requested; instead of a position.
    pub material: Option<Material>,
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
    /// The tags that are requested, as filters and as facts of a query.
    pub fn tags(&self) -> impl Iterator<Item = &TagQuery> {
        let facts = self.asked.iter().flat_map(|asked| &asked.facts);
        let of_facts = facts.flat_map(|fact| match fact {
            Fact::Games(filters) => &filters[..],
            Fact::Position(_) | Fact::Move(_) => &[],
        });
        let filters = std::iter::once(&self.filter).chain(of_facts);
        filters.flat_map(|filter| &filter.tags)
    }
}
