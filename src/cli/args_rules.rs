//! What was typed for the commands that ask for rules alone and open no database:
//! `variants`, `moves`, `eco`, `perft`, `convert` and `board`.

use std::path::PathBuf;

use clap::Args as ClapArgs;

use super::args_output::{AnswerArgs, BoardStyleArgs, LanguageArgs, NotationArgs};
use super::value_parsers;
use crate::games::Counting;
use crate::games::chess::notation::fen::EnPassant;

/// A position to ask the rules about, and the game that it is of.
#[derive(Debug, Clone, Default, ClapArgs)]
pub struct PositionInputArgs {
    /// Moves, a FEN, a diagram or `startpos` [default: startpos]
    ///
    /// Moves begin at the start position. A diagram may be in any language. A line of
    /// EPD and a chess problem are read as well.
    #[arg(value_name = "POSITION")]
    pub position: Vec<String>,
    /// Variant [default: the one that POSITION fits]
    ///
    /// Any of its names, or its `GameType` number.
    #[arg(long, value_name = "NAME")]
    pub variant: Option<String>,
}

/// `plydex variants`.
#[derive(Debug, ClapArgs)]
#[command(after_long_help = "Examples:
  plydex variants                         all variants
  plydex variants frisian                 the rules of one in brief, and its start position
  plydex variants 25                      by its GameType in PDN")]
pub struct VariantsArgs {
    /// A variant, by any of its names or its `GameType` number
    #[arg(value_name = "NAME")]
    pub name: Vec<String>,
    /// How the answer is given.
    #[command(flatten)]
    pub answer: AnswerArgs,
}

/// `plydex moves`.
#[derive(Debug, ClapArgs)]
#[command(
    after_long_help = "Without --variant the position decides: a FEN with colons and moves from number
to number are draughts, and the squares and moves show which variant.

Examples:
  plydex moves e4 c5
  plydex moves 32-28 19-23
  plydex moves W:WK46:B37,K11,20 --notation full
  plydex moves startpos --variant turkish"
)]
pub struct MovesArgs {
    /// The position.
    #[command(flatten)]
    pub given: PositionInputArgs,
    /// How draughts moves are written.
    #[command(flatten)]
    pub notation: NotationArgs,
    /// The language of the moves.
    #[command(flatten)]
    pub language: LanguageArgs,
    /// How the answer is given.
    #[command(flatten)]
    pub answer: AnswerArgs,
}

/// `plydex eco`.
#[derive(Debug, ClapArgs)]
#[command(
    after_long_help = "A position is named by what stands on the board, not by the moves that led to it. The names are those of lichess-org/chess-openings, for chess and for the
variants that begin as chess does (crazyhouse, king of the hill, three-check).

Examples:
  plydex eco e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6
  plydex eco 'rnbqkb1r/1p2pppp/p2p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R w KQkq -'
  plydex eco B90                          all lines of a code, or B9, B90..B99, C42,B20
  plydex eco najdorf                      all lines with the word in their names"
)]
pub struct EcoArgs {
    /// Moves, a position, an ECO code or words of a name
    #[arg(required = true, value_name = "POSITION|CODE|NAME")]
    pub asked: Vec<String>,
    /// Variant [default: the one that POSITION fits]
    ///
    /// Any of its names, or its `GameType` number.
    #[arg(long, value_name = "NAME")]
    pub variant: Option<String>,
    /// How the answer is given.
    #[command(flatten)]
    pub answer: AnswerArgs,
}

/// `plydex perft`.
#[derive(Debug, Clone, ClapArgs)]
#[command(after_long_help = "Examples:
  plydex perft startpos --depth 5
  plydex perft e4 c5 --depth 4 --divide
  plydex perft --variant russian --depth 8")]
pub struct PerftArgs {
    /// The position.
    #[command(flatten)]
    pub given: PositionInputArgs,
    /// Plies to look ahead
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    #[arg(value_parser = value_parsers::whole::<u32>(0, 40))]
    pub depth: u32,
    /// Count each first move separately
    #[arg(long)]
    pub divide: bool,
    /// Equal captures: drop or keep [default: drop]
    ///
    /// These are draughts captures that differ only in their path: drop counts them
    /// once, keep counts each.
    #[arg(long = "equal-captures", value_name = "HOW")]
    #[arg(value_parser = value_parsers::one_of(COUNTINGS))]
    pub count: Option<Counting>,
    /// How the answer is given.
    #[command(flatten)]
    pub answer: AnswerArgs,
}

/// `plydex convert`.
#[derive(Debug, ClapArgs)]
#[command(after_long_help = "FORMAT is one of
  fen           the standard FEN; for draughts, the FEN of PDN
  xfen          with the en passant square wherever a pawn could capture by its move
  shredder      castling rights as the files of the rooks: HAha
  epd           four fields and the operations, sorted
  forsyth:LANG  the diagram with the piece letters of a language: forsyth:de
  hub           the position string of draughts engines
  board, svg    a drawing

Examples:
  plydex convert 'T7/4k3/4S3/K2L4/8/8/8/5T2'
  plydex convert e4 c5 --to forsyth:ru
  plydex convert 960:518 --to shredder
  plydex convert '4k3/8/8/8/8/8/4P3/4K3 w - - id \"x\"; bm e2e4' --to epd
  plydex convert W:W31,32:B19,K20 --to hub")]
pub struct ConvertArgs {
    /// The position.
    #[command(flatten)]
    pub given: PositionInputArgs,
    /// fen, xfen, shredder, epd, forsyth:LANG, hub, board or svg
    #[arg(long, value_name = "FORMAT", default_value = "fen")]
    pub to: String,
    /// Language of --to forsyth: de, fr, ru … [default: en]
    #[arg(long, value_name = "LANG")]
    pub language: Option<String>,
    /// En passant square: legal, xfen or fen [default: legal]
    ///
    /// It is written with legal if the capture is legal, with xfen if a pawn stands
    /// next to the one that moved, with fen after every double step. With --to xfen the
    /// default is xfen.
    #[arg(long, value_name = "WHEN", value_parser = value_parsers::one_of(EN_PASSANT))]
    pub ep: Option<EnPassant>,
    /// How the answer is given.
    #[command(flatten)]
    pub answer: AnswerArgs,
}

/// `plydex board`.
#[derive(Debug, ClapArgs)]
#[command(after_long_help = "Examples:
  plydex board e4 c5 Nf3
  plydex board 'Π7/4ρ3/4Ι3/Ρ2Α4/8/8/8/5Π2'
  plydex board startpos --variant frisian --black-below
  plydex board 960:0 --svg start.svg")]
pub struct BoardArgs {
    /// The position.
    #[command(flatten)]
    pub given: PositionInputArgs,
    /// How the board looks.
    #[command(flatten)]
    pub look: BoardStyleArgs,
    /// Write an SVG drawing to FILE; - is standard output
    #[arg(long, value_name = "FILE", conflicts_with = "ascii")]
    pub svg: Option<PathBuf>,
    /// Replace FILE if it exists
    #[arg(long, requires = "svg")]
    pub force: bool,
}

/// When the en passant square of a FEN is written: where a capture is legal, where a
/// pawn stands beside, or after every double step.
const EN_PASSANT: &[(&str, EnPassant)] = &[
    ("legal", EnPassant::Legal),
    ("xfen", EnPassant::XFen),
    ("fen", EnPassant::Always),
];

/// What counts as one capture of draughts: each set of captured pieces, or each path.
const COUNTINGS: &[(&str, Counting)] = &[("drop", Counting::Drop), ("keep", Counting::Keep)];
