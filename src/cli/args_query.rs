//! What was typed to select games: a position, filters, and which of the games
//! found are given.

use clap::Args as ClapArgs;

use super::value_parsers;
use crate::query::{Identity, SavedQueries, words};

/// What selects games, besides a position. Each option is the condition of its name in a query.
#[derive(Debug, Clone, Default, ClapArgs)]
#[command(next_help_heading = "Filters (a game must meet all of them)")]
pub struct FilterArgs {
    /// Numbers of games: 17, 20..25, 100..; several with commas
    #[arg(long, value_name = "RANGE", allow_hyphen_values = true)]
    pub games: Vec<String>,
    /// Source file name, or part of it
    #[arg(long, value_name = "NAME", alias = "from-file")]
    pub file: Vec<String>,
    /// Name or FIDE ID of either player; repeat to require both
    #[arg(long, value_name = "NAME")]
    pub player: Vec<String>,
    /// Name of White, part of it, or FIDE ID
    #[arg(long, value_name = "NAME")]
    pub white: Vec<String>,
    /// Name of Black, part of it, or FIDE ID
    #[arg(long, value_name = "NAME")]
    pub black: Vec<String>,
    /// Name of the player who won, part of it, or FIDE ID
    #[arg(long, value_name = "NAME")]
    pub won: Vec<String>,
    /// Name of the player who lost, part of it, or FIDE ID
    #[arg(long, value_name = "NAME")]
    pub lost: Vec<String>,
    /// Name of the event, or part of it
    #[arg(long, value_name = "NAME")]
    pub event: Vec<String>,
    /// Name of the site, or part of it
    #[arg(long, value_name = "NAME")]
    pub site: Vec<String>,
    /// Do not add other spellings of the names
    ///
    /// Otherwise a name finds all spellings of matching players, events and sites:
    /// `plydex players` lists them.
    #[arg(long)]
    pub exact_names: bool,
    /// Chess problems: name of a composer; twice for a joint problem
    #[arg(long, value_name = "NAME", alias = "author")]
    pub composer: Vec<String>,
    /// Chess problems: #2, h#3.5, `mate in 3` …; h# for any number
    ///
    /// All its spellings match. A text that is not a stipulation finds those that
    /// contain it.
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub stipulation: Vec<String>,
    /// Chess problems: where printed, or part of it
    #[arg(long, value_name = "NAME")]
    pub source: Vec<String>,
    /// Chess problems: a fairy condition, or part of it
    #[arg(long, value_name = "NAME")]
    pub condition: Vec<String>,
    /// Chess problems: a theme, or part of it
    #[arg(long, value_name = "NAME")]
    pub keyword: Vec<String>,
    /// 1-0, 0-1, 1/2-1/2, *, or several
    ///
    /// The words white, black and draw mean 1-0, 0-1 and 1/2-1/2. Several results are
    /// separated by commas.
    #[arg(long, value_name = "RESULT", alias = "winner")]
    pub result: Vec<String>,
    /// Date: 2019, 2019-05, 2010..2019 or 2010..
    #[arg(long, value_name = "RANGE", allow_hyphen_values = true)]
    pub date: Vec<String>,
    /// Month, if it is known: 12 or 6..8
    #[arg(long, value_name = "RANGE", allow_hyphen_values = true)]
    pub month: Vec<String>,
    /// Earliest date: 2019, 2019-05 or 2019-05-31
    #[arg(long, alias = "from", value_name = "DATE")]
    pub since: Option<String>,
    /// Latest date
    #[arg(long, alias = "to", value_name = "DATE")]
    pub until: Option<String>,
    /// Ratings of both players: 2600.. or 2400..2500
    #[arg(long, value_name = "RANGE", allow_hyphen_values = true)]
    pub elo: Vec<String>,
    /// Rating of White
    #[arg(long, value_name = "RANGE", allow_hyphen_values = true)]
    pub welo: Vec<String>,
    /// Rating of Black
    #[arg(long, value_name = "RANGE", allow_hyphen_values = true)]
    pub belo: Vec<String>,
    /// Mean rating of both players
    #[arg(long, value_name = "RANGE", allow_hyphen_values = true)]
    pub melo: Vec<String>,
    /// Difference of the ratings, in either direction
    #[arg(long, value_name = "RANGE", allow_hyphen_values = true)]
    pub diff: Vec<String>,
    /// Both players rated this or higher
    #[arg(long, value_name = "ELO", value_parser = value_parsers::whole::<u16>(0, 9999))]
    pub min_elo: Option<u16>,
    /// Both players rated this or lower
    #[arg(long, value_name = "ELO", value_parser = value_parsers::whole::<u16>(0, 9999))]
    pub max_elo: Option<u16>,
    /// ECO codes: C42, B20..B99 or B; several with commas
    ///
    /// The opening is that of the game's positions, whatever its tag ECO says;
    /// --tag ECO=C42 searches the tag.
    #[arg(long, value_name = "ECO")]
    pub eco: Vec<String>,
    /// Words of an opening's name; with several, any of them
    ///
    /// As in `plydex eco`: najdorf, "king's indian". Accents and case do not matter.
    #[arg(long, value_name = "NAME")]
    pub opening: Vec<String>,
    /// Variant: chess, russian …; several with commas
    ///
    /// `plydex variants` lists all of them.
    #[arg(long, value_name = "NAME")]
    pub variant: Vec<String>,
    /// Time control: bullet, blitz, rapid …; several with commas
    ///
    /// ultrabullet is less than half a minute for 40 moves, bullet less than 3 minutes, blitz
    /// less than 8, rapid less than 25, classical is slower, and correspondence has half a day or more for a move, by the
    /// tag `TimeControl`; unknown is a time control that is not known.
    #[arg(long, value_name = "CLASS", alias = "time-class")]
    pub time: Vec<String>,
    /// rated or casual, as the event is called
    #[arg(long, value_name = "MODE")]
    pub mode: Vec<String>,
    /// Seconds left after some move: ..30, 30.. or 10..30
    ///
    /// By the clock of the side that moved, from the comments ([%clk 0:00:29], or tl of engines).
    /// If you combine it with the next four options, one move must meet all of them.
    #[arg(
        long,
        value_name = "RANGE",
        allow_hyphen_values = true,
        alias = "time-left"
    )]
    pub clock: Vec<String>,
    /// Evaluation after a move, in pawns: 2.., ..-2 or -0.3..0.3
    ///
    /// By the evaluations in the comments ([%eval 0.31], or those of engines), from White's
    /// point of view. A mate is more than any number of pawns.
    #[arg(
        long,
        value_name = "RANGE",
        allow_hyphen_values = true,
        alias = "evaluation"
    )]
    pub eval: Vec<String>,
    /// Evaluation that a move lost, in pawns: 3.. or 1.5..3
    ///
    /// How far the evaluation fell for the side that moved, compared with the move before.
    /// Evaluations beyond ten pawns, and mates, count as ten.
    #[arg(long, value_name = "RANGE", allow_hyphen_values = true)]
    pub loss: Vec<String>,
    /// Seconds spent on a move: 60.., ..5 or 10..30
    ///
    /// By the comment [%emt], or by the clock of the side that moved before and after the move and
    /// the increment in the tag `TimeControl`.
    #[arg(long, value_name = "RANGE", allow_hyphen_values = true)]
    pub spent: Vec<String>,
    /// Glyph at a move: ??, 4 or !?,5; several with commas
    ///
    /// Numbers are those of numeric annotation glyphs (NAG), from 1 to 255.
    #[arg(long, value_name = "GLYPH")]
    pub nag: Vec<String>,
    /// Words of a comment, also inside variations
    ///
    /// One comment must contain all of them, in any order and case. If you give the option
    /// several times, a game must have a comment for each.
    #[arg(long, value_name = "TEXT")]
    pub comment: Vec<String>,
    /// Name of the annotator, or part of it
    #[arg(long, value_name = "NAME")]
    pub annotator: Vec<String>,
    /// Round, as the tag has it
    #[arg(long, value_name = "TEXT")]
    pub round: Vec<String>,
    /// Length in plies: 40, 40.., ..40 or 40..80
    #[arg(long, value_name = "RANGE", allow_hyphen_values = true)]
    pub plies: Vec<String>,
    /// Start position of the game
    #[arg(long, value_name = "POSITION")]
    pub start: Vec<String>,
    /// Value of any tag, or part of it: Annotator=blom
    ///
    /// With == the complete value must agree; the name alone finds games that have the
    /// tag. If you give the option several times, a game must match all of them.
    #[arg(long, value_name = "NAME=TEXT")]
    pub tag: Vec<String>,
    /// Conditions by their names, with their values, where an address has them instead of options.
    #[arg(skip)]
    pub params: Option<Vec<(String, Vec<String>)>>,
    /// What `@name` stands for in queries.
    #[arg(skip)]
    pub saved: SavedQueries,
}

impl FilterArgs {
    /// The options that are conditions, by their names: first those whose values are lists, then
    /// texts, then those about moves.
    fn conditions(&self) -> [(&'static str, &[String]); 37] {
        [
            ("variant", &self.variant),
            ("games", &self.games),
            ("result", &self.result),
            ("date", &self.date),
            ("month", &self.month),
            ("elo", &self.elo),
            ("welo", &self.welo),
            ("belo", &self.belo),
            ("melo", &self.melo),
            ("diff", &self.diff),
            ("eco", &self.eco),
            ("opening", &self.opening),
            ("time", &self.time),
            ("plies", &self.plies),
            ("file", &self.file),
            ("player", &self.player),
            ("white", &self.white),
            ("black", &self.black),
            ("won", &self.won),
            ("lost", &self.lost),
            ("event", &self.event),
            ("site", &self.site),
            ("composer", &self.composer),
            ("stipulation", &self.stipulation),
            ("source", &self.source),
            ("condition", &self.condition),
            ("keyword", &self.keyword),
            ("mode", &self.mode),
            ("comment", &self.comment),
            ("annotator", &self.annotator),
            ("round", &self.round),
            ("start", &self.start),
            ("clock", &self.clock),
            ("eval", &self.eval),
            ("loss", &self.loss),
            ("spent", &self.spent),
            ("nag", &self.nag),
        ]
    }

    /// All values that are given, by the names of their conditions. Several of a list are one.
    pub(super) fn values(&self) -> Vec<(&str, String)> {
        let options = self.conditions().into_iter();
        let params = self.params.iter().flatten();
        let params = params.map(|(name, values)| (&name[..], &values[..]));
        let mut found = Vec::new();
        for (name, values) in options
            .chain(params)
            .filter(|(_, values)| !values.is_empty())
        {
            match words::separator(name) {
                Some(separator) => found.push((name, values.join(separator))),
                None => found.extend(values.iter().map(|value| (name, value.clone()))),
            }
        }
        found
    }
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
    /// Draughts: number of men, White v Black: 3v2
    ///
    /// Both numbers at any one point of the game.
    #[arg(long, value_name = "WvB")]
    pub men: Option<String>,
    /// Draughts: number of kings, White v Black: 1v0
    ///
    /// With --men, both must hold at the same point of the game.
    #[arg(long, value_name = "WvB")]
    pub kings: Option<String>,
}

/// How alike positions must be.
pub(super) const IDENTITIES: &[(&str, Identity)] = &[
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
