//! Arguments that select games: positions, filters, pages.

use clap::Args as ClapArgs;

use crate::cli::args::conditions::ConditionArgs;
use crate::cli::args::output::{LanguageArgs, NotationArgs};
use crate::cli::args::value_parsers;
use crate::cli::commands::SavedTexts;
use crate::query::{Identity, SavedQueries};

/// What selects games, besides a position. Each option is the condition of its name in a query.
#[derive(Debug, Clone, Default, ClapArgs)]
#[command(next_help_heading = "Filters (a game must meet all of them)")]
pub struct FilterArgs {
    /// Conditions of the language by their names.
    #[command(flatten)]
    pub conditions: ConditionArgs,
    /// Do not add other spellings of the names
    ///
    /// Otherwise a name finds all spellings of matching players, events and sites:
    /// `plydex players` lists them.
    #[arg(long)]
    pub exact_names: bool,
    /// Earliest date: 2019, 2019-05 or 2019-05-31
    #[arg(long, alias = "from", value_name = "DATE")]
    pub since: Option<String>,
    /// Latest date
    #[arg(long, alias = "to", value_name = "DATE")]
    pub until: Option<String>,
    /// Both players rated this or higher
    #[arg(long, value_name = "ELO", value_parser = value_parsers::whole::<u16>(0, 9999))]
    pub min_elo: Option<u16>,
    /// Both players rated this or lower
    #[arg(long, value_name = "ELO", value_parser = value_parsers::whole::<u16>(0, 9999))]
    pub max_elo: Option<u16>,
    /// Value of any tag, or part of it: Annotator=blom
    ///
    /// With == the complete value must agree; the name alone finds games that have the
    /// tag. If you give the option several times, a game must match all of them.
    #[arg(long, value_name = "NAME=TEXT")]
    pub tag: Vec<String>,
    /// What `@name` stands for in queries.
    #[arg(skip)]
    pub saved: SavedQueries,
}

/// How positions are compared.
#[derive(Debug, Clone, Default, ClapArgs)]
#[command(next_help_heading = "Position")]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is an option of its own"
)]
pub struct PositionArgs {
    /// Moves (e4 c5 Nf3, 32-28 19-23), a FEN or a diagram
    ///
    /// Moves begin at the start position. A FEN has 1 to 6 fields, or is that of PDN. A
    /// diagram may be in any language. `startpos` is the start position. To search, export and
    /// delete, also a query such as `Pd4 q and player:karpov`, `material:KRPvKR` or `move:Bxh7
    /// next move:Kxh7`: docs/query-language.md describes the language.
    #[arg(value_name = "POSITION", help_heading = None)]
    pub position: Vec<String>,
    /// How strictly to match: legal, board, placement [default: legal]
    ///
    /// legal compares pieces, side to move, castling rights and en passant; board
    /// compares pieces and side to move; placement compares only pieces.
    #[arg(long, value_name = "HOW", value_parser = value_parsers::one_of(IDENTITIES))]
    pub identity: Option<Identity>,
    /// Search variations too, not only the moves played
    #[arg(long)]
    pub in_variations: bool,
    /// Also variants that use the same board under other rules
    ///
    /// Without it, plydex finds only games that are played by the rules of the position: those of
    /// chess and Chess960, or of one kind of draughts. A note says how many others there are.
    #[arg(long, conflicts_with = "variant")]
    pub any_variant: bool,
    /// Also rotated by 180 degrees, colours exchanged
    ///
    /// Finds the position as given, and with the sides of White and Black
    /// exchanged.
    #[arg(long)]
    pub rotate: bool,
    /// Also mirrored left to right
    ///
    /// For chess, and for draughts on all squares of the board.
    #[arg(long)]
    pub mirror: bool,
    /// Also flipped top to bottom, colours exchanged
    ///
    /// For the variants that --mirror works with.
    #[arg(long)]
    pub flip: bool,
    /// Also shifted to any other place on the board
    ///
    /// All pieces are shifted together. For chess without castling rights. Combined
    /// with the options above, their positions are shifted as well.
    #[arg(long)]
    pub shift: bool,
    /// Also in all eight orientations, colours kept
    ///
    /// These are the rotations and reflections of the board. For chess without pawns
    /// and castling rights.
    #[arg(long = "orientations", alias = "turn")]
    pub turn: bool,
    /// English draughts: three-move ballot, by number or name
    #[arg(long, value_name = "BALLOT", conflicts_with = "position")]
    pub ballot: Option<String>,
    /// Chess: kind of ending, such as rook, pawn or `RvR`
    ///
    /// Besides kings and pawns, exactly these pieces are left, on either side.
    #[arg(long, value_name = "ENDING")]
    pub ending: Option<String>,
    /// Chess: White's material less Black's, in pawns: 3.., ..-2
    ///
    /// Pawns count 1, knights and bishops 3, rooks 5, queens 9. w: before the range is White's
    /// material alone, b: Black's.
    #[arg(long, value_name = "RANGE", allow_hyphen_values = true)]
    pub value: Option<String>,
    /// Draughts: number of men, White v Black: 3v2
    ///
    /// Both numbers at any one point of the game.
    #[arg(long, value_name = "WvB")]
    pub men: Option<String>,
    /// Draughts: number of kings, White v Black: 1v0
    ///
    /// With --men, both must hold at the same point of the game; so do --ending and --value.
    #[arg(long, value_name = "WvB")]
    pub kings: Option<String>,
}

/// How alike positions must be.
pub(crate) const IDENTITIES: &[(&str, Identity)] = &[
    ("legal", Identity::Legal),
    ("board", Identity::Board),
    ("placement", Identity::Placement),
];

/// Which of the games found are given, and in which order.
#[derive(Debug, Clone, Default, ClapArgs)]
#[command(next_help_heading = "Order and paging")]
pub struct PageArgs {
    /// At most N games, 0 for all [default: 20; export: all]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    #[arg(value_parser = value_parsers::whole::<u64>(0, u64::MAX))]
    pub limit: Option<u64>,
    /// Games to skip at the beginning
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    #[arg(value_parser = value_parsers::whole::<u64>(0, u64::MAX))]
    pub offset: Option<u64>,
    /// Sort by date, elo … or date:desc,white [default: id]
    ///
    /// Up to three keys with commas: games that are equal in the first are sorted by the second.
    /// The keys are id (the order of import), date, elo, white, black, event,
    /// author (the first of a problem), eco, plies and result; with :desc in descending order.
    #[arg(long, value_name = "KEY[:desc]")]
    pub sort: Option<String>,
}

/// Which games are given, and how their moves are written.
#[derive(Debug, Clone, Default, ClapArgs)]
pub struct ListArgs {
    /// The position.
    #[command(flatten)]
    pub position: PositionArgs,
    /// Only games that also match this query
    #[arg(long = "where", value_name = "QUERY", help_heading = "Position")]
    pub question: Option<String>,
    /// The filters.
    #[command(flatten)]
    pub filter: FilterArgs,
    /// Order and paging.
    #[command(flatten)]
    pub page: PageArgs,
    /// How draughts moves are written.
    #[command(flatten)]
    pub notation: NotationArgs,
    /// The language of the moves.
    #[command(flatten)]
    pub language: LanguageArgs,
}

/// Hits of a search where no `--limit` is given: a screenful.
pub(crate) const SEARCH_LIMIT_DEFAULT: u64 = 20;

/// What `--limit` says where it is left out, or is 0 for all.
pub(crate) fn limit(given: Option<u64>, default: u64) -> Option<u64> {
    match given {
        Some(0) => None,
        given => Some(given.unwrap_or(default)),
    }
}

impl ListArgs {
    /// The texts that may name saved queries.
    pub(crate) fn saved(&mut self) -> SavedTexts<'_> {
        saved_texts(&self.position, self.question.as_ref(), &mut self.filter)
    }
}

/// The texts of a position and a query that may name saved queries, and where what these are is kept.
pub(crate) fn saved_texts<'a>(
    position: &'a PositionArgs,
    question: Option<&'a String>,
    filter: &'a mut FilterArgs,
) -> SavedTexts<'a> {
    let texts = position.position.iter().chain(question);
    (texts.collect(), &mut filter.saved)
}
