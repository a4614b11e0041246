//! Wires queries to games: search, tree, and what they return.

use serde::Serialize;

use crate::{
    base::record::{GameHeader, GameId, OpeningName},
    games::{
        AnyPosition,
        symmetry::{BoardShift, Symmetry},
    },
    query::{TreeOrder, TreeSort},
};

/// Whether nothing needs to be said about it.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "as serde asks")]
fn is_as_it_stands(symmetry: &Symmetry) -> bool {
    *symmetry == Symmetry::None
}

/// A game that was found.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Hit {
    /// The game's facts.
    #[serde(flatten)]
    pub header: GameHeader,
    /// Where it was read, as `suite.epd #12`, of a position without a name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// Ply at which the position is first reached, 0-based from the start
    /// position; `None` where no position was requested.
    pub ply: Option<u32>,
    /// All plies at which a match of the query begins, where that is not one position.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub plies_found: Vec<u32>,
    /// The move played there in SAN; `None` if the game ends there or no
    /// position was requested.
    pub next_move: Option<String>,
    /// How near the game comes to the position that it was compared to, 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub similarity: Option<f64>,
    /// The position is reached inside a variation, not on the main line.
    pub in_variation: bool,
    /// Which variation that is, as `show --ply` takes it before a ply: `23.1`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub variation: Option<String>,
    /// In which way of looking at the board the position is reached.
    #[serde(skip_serializing_if = "is_as_it_stands")]
    pub symmetry: Symmetry,
    /// How the pieces stand there that were moved over the board.
    #[serde(skip_serializing_if = "BoardShift::is_not")]
    pub moved: BoardShift,
}

/// The answer to a search.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SearchResult {
    /// Games that match, all pages together.
    pub total: u64,
    /// The end was requested before all were found.
    pub interrupted: bool,
    /// Hits left out before the first of this page.
    pub offset: u64,
    /// This page.
    pub hits: Vec<Hit>,
}

/// Results and ratings of a set of games.
#[derive(Debug, Clone, PartialEq, Serialize, Default)]
pub struct ScoreSum {
    /// Games, each counted once.
    pub games: u64,
    /// Games White won.
    pub white_wins: u64,
    /// Drawn games.
    pub draws: u64,
    /// Games Black won.
    pub black_wins: u64,
    /// Games without a known result.
    pub no_result: u64,
    /// Share of the points for the side that moves, 0 to 1, of the games with a result.
    pub score: Option<f64>,
    /// Mean rating of the side that moves, of the games in which it is known.
    pub average_rating: Option<f64>,
    /// Mean rating of its opponents, of the games with a result in which it is known.
    pub average_opponent_rating: Option<f64>,
    /// Performance rating of the side that moves against rated opponents
    /// (formula in `docs/queries.md`).
    pub performance: Option<f64>,
    /// The same as lichess has it, which does not round the score to whole per cents.
    #[serde(skip)]
    pub finer_performance: Option<f64>,
    /// Earliest known year.
    pub first_year: Option<u16>,
    /// Latest known year.
    pub last_year: Option<u16>,
}

/// A move of the tree.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TreeMove {
    /// The move in SAN.
    pub san: String,
    /// The move in UCI.
    pub uci: String,
    /// What the position after it is called.
    pub opening: Option<OpeningName>,
    /// Games in which it was played at the first visit, and how they ended.
    #[serde(flatten)]
    pub score: ScoreSum,
    /// The game in which it was played, if that is only one.
    pub game: Option<SingleGame>,
    /// What was played after it, where a tree goes on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<TreeBranch>,
}

/// What comes after a move of a tree.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum TreeBranch {
    /// The tree of the position, of all games that reach it in whatever way.
    Tree(Box<Tree>),
    /// The tree has the position elsewhere.
    Transposition {
        /// The moves that reach it there.
        transposes_to: String,
    },
}

/// The one game that played a move.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Default)]
pub struct SingleGame {
    /// Its number in the database.
    pub id: GameId,
    /// Tag `White`.
    pub white: String,
    /// Tag `Black`.
    pub black: String,
    /// Tag `Date`, as written.
    pub date: String,
    /// Normalised result.
    pub result: String,
}

impl SingleGame {
    /// The game with a number; nothing else is known of it.
    pub(crate) fn of(id: GameId) -> Self {
        Self {
            id,
            ..Self::default()
        }
    }
}

impl From<GameHeader> for SingleGame {
    fn from(header: GameHeader) -> Self {
        Self {
            id: header.id,
            white: header.white,
            black: header.black,
            date: header.date,
            result: header.result,
        }
    }
}

/// The next moves from a position and how they scored.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Tree {
    /// The position in FEN.
    pub fen: String,
    /// The position.
    #[serde(skip)]
    pub at: AnyPosition,
    /// The number of the next move, and whether it is of the side that moves second. Positions of
    /// draughts have none of their own: in a tree that goes on it is counted.
    #[serde(skip)]
    pub number: (u32, bool),
    /// What it is called.
    pub opening: Option<OpeningName>,
    /// The games that reach it.
    pub total: ScoreSum,
    /// The moves, most played first; ties by UCI.
    pub moves: Vec<TreeMove>,
    /// How many more moves there are that were not wanted.
    pub moves_omitted: u64,
    /// The games that end there.
    pub ends_here: ScoreSum,
}

impl Tree {
    /// Puts the moves in an order, and leaves those out that are not wanted.
    pub fn arrange(&mut self, order: &TreeOrder) {
        let all = self.moves.len();
        self.moves.retain(|line| {
            let is_good = |least| line.score.score.is_some_and(|score| score >= least);
            line.score.games >= order.min_games && order.min_score.is_none_or(is_good)
        });
        let value = |line: &TreeMove| {
            let score = &line.score;
            match order.by {
                TreeSort::Games => Some(score.games as f64),
                TreeSort::Score => score.score,
                TreeSort::Rating => score.average_rating,
                TreeSort::Performance => score.performance,
                TreeSort::Year => score.last_year.map(f64::from),
                TreeSort::Move => None,
            }
        };
        self.moves.sort_by(|one, other| {
            let by_value = match (value(one), value(other)) {
                (Some(one), Some(other)) if order.ascending => one.total_cmp(&other),
                (Some(one), Some(other)) => other.total_cmp(&one),
                // Known values first.
                (one, other) => other.is_some().cmp(&one.is_some()),
            };
            let by_name = || {
                let names = one.san.cmp(&other.san);
                match order.by {
                    TreeSort::Move if !order.ascending => names.reverse(),
                    TreeSort::Move => names,
                    _ => std::cmp::Ordering::Equal,
                }
            };
            by_value
                .then_with(by_name)
                .then_with(|| one.uci.cmp(&other.uci))
        });
        if let Some(limit) = order.limit.and_then(|limit| usize::try_from(limit).ok()) {
            self.moves.truncate(limit);
        }
        self.moves_omitted += (all - self.moves.len()) as u64;
    }
}
