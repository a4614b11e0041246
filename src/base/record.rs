//! A game as it is stored and shown: owned, decoded, free of any one game's rules.

use serde::Serialize;

/// The number of a game in a database, 1-based, in the order of import.
pub type GameId = u64;

/// The normalised outcome of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
#[repr(u8)]
pub enum Outcome {
    /// `*`: unknown, unfinished, or without a winner that is named.
    #[default]
    Unknown = 0,
    /// White won.
    First = 1,
    /// Black won.
    Second = 2,
    /// Drawn.
    Draw = 3,
}

impl Outcome {
    /// The PGN termination marker.
    pub const fn as_pgn(self) -> &'static str {
        match self {
            Self::Unknown => "*",
            Self::First => "1-0",
            Self::Second => "0-1",
            Self::Draw => "1/2-1/2",
        }
    }

    /// The outcome as seen from the other side of the board.
    #[must_use]
    pub const fn with_colours_swapped(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
            same => same,
        }
    }

    /// The outcome of a stored code (0 to 3).
    pub const fn from_code(code: u8) -> Self {
        match code {
            1 => Self::First,
            2 => Self::Second,
            3 => Self::Draw,
            _ => Self::Unknown,
        }
    }
}

/// The marks after a move that an annotation glyph stands for: `!` to `?!` for 1 to 6,
/// nothing for all others.
pub const fn suffix_of(glyph: u32) -> &'static str {
    match glyph {
        1 => "!",
        2 => "?",
        3 => "!!",
        4 => "??",
        5 => "!?",
        6 => "?!",
        _ => "",
    }
}

/// The facts of a game that lists show; texts are as in its tags.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Default)]
pub struct GameHeader {
    /// Number of the game in the database.
    pub id: GameId,
    /// Tag `White`.
    pub white: String,
    /// Tag `Black`.
    pub black: String,
    /// Tag `WhiteElo` as a number, where it is one.
    pub white_elo: Option<u16>,
    /// Tag `BlackElo` as a number, where it is one.
    pub black_elo: Option<u16>,
    /// Tag `Event`.
    pub event: String,
    /// Tag `Site`.
    pub site: String,
    /// Tag `Date`, as written.
    pub date: String,
    /// Tag `Round`.
    pub round: String,
    /// Normalised result: `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub result: String,
    /// The result as it stands after the moves: of draughts as it was written or as is usual in
    /// the variant (`2-0`), else the normalised one.
    pub result_written: String,
    /// Tag `ECO`, as written; [`opening`](Self::opening) has the code by the moves.
    pub eco: String,
    /// The name of the last position of the main line that has one.
    pub opening: Option<OpeningName>,
    /// Variant id as in the registry (`chess`, `chess960`, …).
    pub variant: String,
    /// How the variant is known where no tag names it: `inferred` from the moves,
    /// `forced` by the user who imported it; with the variants that fit as well.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub variant_by: Option<String>,
    /// Plies of the indexed main line.
    pub plies: u32,
    /// FEN of the start position where it is not the usual one.
    pub start_fen: Option<String>,
    /// What lists show of it if it is a chess problem: it has no players, its event is where
    /// it was printed, its round its number there.
    #[serde(flatten)]
    pub problem: Option<ProblemFacts>,
}

/// What an opening is called.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Default)]
pub struct OpeningName {
    /// Its code in the Encyclopaedia of Chess Openings.
    pub eco: String,
    /// Its name.
    pub name: String,
}

/// What lists show of a chess problem.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Default)]
pub struct ProblemFacts {
    /// Who composed it, in the order printed.
    pub authors: Vec<String>,
    /// The stipulation, as written.
    pub stipulation: String,
}

impl GameHeader {
    /// Whether it is a position rather than a game: one from which no game was played.
    pub fn is_record(&self) -> bool {
        let known = |name: &str| !matches!(name, "" | "?");
        self.start_fen.is_some()
            && self.problem.is_none()
            && !known(&self.white)
            && !known(&self.black)
    }
}

/// One thing in the movetext of a game, in the order of the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MovetextItem {
    /// A move of the main line: SAN (`--` for a null move); in draughts its
    /// squares, `...` for a null move, `/FEN "…"/` for a position set up.
    Move(String),
    /// A brace comment: its content without the braces, otherwise as written.
    Comment(String),
    /// A comment to the end of the line: its content without the semicolon.
    LineComment(String),
    /// A numeric annotation glyph (`$5`, or a suffix such as `!?`).
    Nag(u32),
    /// A variation: its text without the outer parentheses, otherwise as written.
    Variation(String),
    /// A word that is no move, kept as written.
    Word(String),
    /// What follows an illegal move, or all movetext of a game whose start
    /// position or variant cannot be played: kept as written. Always last.
    Rest(String),
}

/// In which format a game is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum GameFormat {
    /// PGN: chess and its variants.
    #[default]
    Pgn,
    /// PDN: draughts.
    Pdn,
}

/// How much of a draughts move is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum MoveForm {
    /// From and to, the complete way only where these fit several captures.
    #[default]
    Short,
    /// Every square where a capture turns.
    Full,
    /// As `Short`, squares by letter and number whatever the variant uses.
    Algebraic,
}

/// A complete game, as it is exported.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct GameRecord {
    /// In which format it is written.
    pub script: GameFormat,
    /// The facts that lists show.
    pub header: GameHeader,
    /// Every tag pair, in order, as written (names in canonical case where known).
    pub tags: Vec<(String, String)>,
    /// The first move's number and whether it is of the side that moves second
    /// in the standard start position (Black in chess).
    pub first_move: (u32, bool),
    /// The movetext.
    pub items: Vec<MovetextItem>,
    /// The normalised result.
    pub outcome: Outcome,
    /// What else the format of draughts needs; default for other games.
    pub pdn: PdnFacts,
}

impl GameRecord {
    /// The result as it stands after the moves: of draughts in points or with the player who begins
    /// first, as the game was written or as is usual in the variant. Who won is
    /// [`outcome`](Self::outcome).
    pub const fn result_written(&self) -> &str {
        match self.script {
            GameFormat::Pgn => self.outcome.as_pgn(),
            GameFormat::Pdn => self.pdn.result.as_str(),
        }
    }
}

/// What a game of draughts needs to be written as PDN.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PdnFacts {
    /// The result as it stands after the moves, in the style of the variant.
    pub result: String,
    /// The result as it was written, points as well that nothing but a tag may say.
    pub result_written: String,
    /// Whether Black has the first move of the standard start position.
    pub black_begins: bool,
    /// Tags that an export writes with these values, or adds: what was read from
    /// the game's own FEN and squares, in the squares in which its moves are written.
    pub tags: Vec<(String, String)>,
}
