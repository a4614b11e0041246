//! What was typed to select games: a position, filters, and which of the games
//! found are given.

use clap::{Args as ClapArgs, ValueEnum};

/// What selects games, besides a position.
#[derive(Debug, Clone, Default, ClapArgs)]
#[command(next_help_heading = "Filters (all given ones must hold)")]
pub struct FilterArgs {
    /// One of the players; repeat it to ask for both
    #[arg(long, value_name = "NAME")]
    pub player: Vec<String>,
    /// White's name, or a part of it
    #[arg(long, value_name = "NAME")]
    pub white: Option<String>,
    /// Black's name, or a part of it
    #[arg(long, value_name = "NAME")]
    pub black: Option<String>,
    /// Name of the event, or a part of it
    #[arg(long, value_name = "NAME")]
    pub event: Option<String>,
    /// Name of the site, or a part of it
    #[arg(long, value_name = "NAME")]
    pub site: Option<String>,
    /// 1-0 (or white), 0-1 (or black), 1/2-1/2 (or draw), *; several with commas
    #[arg(
        long,
        visible_alias = "winner",
        value_name = "RESULT",
        value_delimiter = ','
    )]
    pub result: Vec<String>,
    /// Played on this date or later: 2019, 2019-05, 2019-05-31
    #[arg(long, value_name = "DATE")]
    pub from: Option<String>,
    /// Played on this date or earlier
    #[arg(long, value_name = "DATE")]
    pub to: Option<String>,
    /// Both players rated this or higher
    #[arg(long, value_name = "ELO")]
    pub min_elo: Option<u16>,
    /// Both players rated this or lower
    #[arg(long, value_name = "ELO")]
    pub max_elo: Option<u16>,
    /// ECO codes: C42, B20-B99, or a letter; several with commas
    #[arg(long, value_name = "ECO", value_delimiter = ',')]
    pub eco: Vec<String>,
    /// Variant of the game: chess, international, russian …; several with commas
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub variant: Vec<String>,
    /// Length in half-moves: 40, 40- (or more), -40 (or fewer), 40-80
    #[arg(long, value_name = "RANGE", allow_hyphen_values = true)]
    pub plies: Option<String>,
    /// Only games that start from this position
    #[arg(long, value_name = "POSITION")]
    pub start: Option<String>,
    /// Any tag, its value or a part of it: --tag Annotator=blom; with == the whole
    /// value; the name alone asks for games that have the tag; several are all asked for
    #[arg(long, value_name = "NAME=TEXT")]
    pub tag: Vec<String>,
}

/// How positions are compared.
#[derive(Debug, Clone, Default, ClapArgs)]
#[command(next_help_heading = "Position")]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is an option of its own"
)]
pub struct PositionArgs {
    /// A FEN (1 to 6 fields, or that of PDN), a diagram in any language, `startpos`, or
    /// moves such as `e4 c5 Nf3` or `32-28 19-23`
    #[arg(value_name = "POSITION", help_heading = "Arguments")]
    pub position: Vec<String>,
    /// What must agree: board is pieces and side to move, placement is pieces
    /// alone, legal is all of a FEN [default: legal]
    #[arg(long, value_name = "HOW", hide_possible_values = true)]
    pub identity: Option<IdentityArg>,
    /// Look into variations as well, not only at the moves played
    #[arg(long)]
    pub in_variations: bool,
    /// Find the position also turned by half a circle with colours exchanged
    #[arg(long)]
    pub rotate: bool,
    /// Find it also mirrored left to right (chess, and boards that play all squares)
    #[arg(long)]
    pub mirror: bool,
    /// Find it also with top and bottom and the colours exchanged (as --mirror)
    #[arg(long)]
    pub flip: bool,
    /// Find it also with all its men moved alike over the board (chess without
    /// castling rights); with the others, what these give is, too
    #[arg(long)]
    pub shift: bool,
    /// Find it also with the board laid down in all eight ways, colours kept (chess
    /// without pawns and castling rights)
    #[arg(long)]
    pub turn: bool,
    /// English draughts: the three-move ballot of this number or name, as a position
    #[arg(long, value_name = "BALLOT", conflicts_with = "position")]
    pub ballot: Option<String>,
    /// Draughts: men of White against men of Black, as 3v2, at some point of the game
    #[arg(long, value_name = "WvB")]
    pub men: Option<String>,
    /// Draughts: kings of White against kings of Black, as 1v0
    #[arg(long, value_name = "WvB")]
    pub kings: Option<String>,
}

/// How alike positions must be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum IdentityArg {
    /// Pieces, side to move, castling rights, en passant where it is legal.
    Legal,
    /// Pieces and side to move.
    Board,
    /// Pieces alone.
    Placement,
}

/// Which of the games found are given, and in which order.
#[derive(Debug, Clone, Default, ClapArgs)]
#[command(next_help_heading = "Order and paging")]
pub struct PageArgs {
    /// Games to give at most; 0 for all [default: 20 for search, all for export]
    #[arg(long, value_name = "N")]
    pub limit: Option<u64>,
    /// Games to leave out at the beginning
    #[arg(long, value_name = "N")]
    pub offset: Option<u64>,
    /// id, date, elo, white, black, event, eco, plies or result; with :desc
    /// the other way round [default: id, the order of import]
    #[arg(long, value_name = "KEY[:desc]")]
    pub sort: Option<String>,
}
