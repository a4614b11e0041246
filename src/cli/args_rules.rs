//! What was typed for the commands that ask for rules alone and open no database:
//! `variants`, `moves`, `perft`, `convert` and `board`.

use std::path::PathBuf;

use clap::{Args as ClapArgs, ValueEnum};

use super::args_output::{AnswerArgs, LanguageArgs, NotationArgs};

/// A position to ask the rules about, and the game that it is of.
#[derive(Debug, Clone, Default, ClapArgs)]
pub struct GivenArgs {
    /// A FEN or EPD, a diagram in any language, a problem, `startpos`, or moves
    /// [default: startpos]
    #[arg(value_name = "POSITION")]
    pub position: Vec<String>,
    /// The game, by any name or `GameType` number [default: the one that POSITION
    /// looks like]
    #[arg(long, value_name = "NAME")]
    pub variant: Option<String>,
}

/// `plydex variants`.
#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  plydex variants                         all of them
  plydex variants frisian                 the rules of one in short, and its start
  plydex variants 25                      by its GameType in PDN")]
pub struct VariantsArgs {
    /// A variant by any of its names, or by the number of its `GameType`
    #[arg(value_name = "NAME")]
    pub name: Vec<String>,
    /// How the answer is given.
    #[command(flatten)]
    pub answer: AnswerArgs,
}

/// `plydex moves`.
#[derive(Debug, ClapArgs)]
#[command(
    after_help = "Without --variant a text that can be draughts is (a FEN with colons, moves from
number to number), and the squares and moves tell which kind.

Examples:
  plydex moves e4 c5
  plydex moves 32-28 19-23
  plydex moves W:WK46:B37,K11,20 --notation full
  plydex moves startpos --variant turkish"
)]
pub struct MovesArgs {
    /// The position.
    #[command(flatten)]
    pub given: GivenArgs,
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

/// `plydex perft`.
#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  plydex perft startpos --depth 5
  plydex perft e4 c5 --depth 4 --divide
  plydex perft --variant russian --depth 8")]
pub struct PerftArgs {
    /// The position.
    #[command(flatten)]
    pub given: GivenArgs,
    /// Half-moves to look ahead
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=40))]
    pub depth: u32,
    /// Count each first move apart
    #[arg(long)]
    pub divide: bool,
    /// Captures of draughts that differ in their path alone: drop counts them
    /// once, keep each [default: drop]
    #[arg(long, value_name = "HOW", hide_possible_values = true)]
    pub count: Option<Count>,
    /// How the answer is given.
    #[command(flatten)]
    pub answer: AnswerArgs,
}

/// `plydex convert`.
#[derive(Debug, ClapArgs)]
#[command(after_help = "FORMAT is one of
  fen           one spelling of every position; of draughts, the FEN of PDN
  xfen          en passant square wherever a pawn stands beside
  shredder      castling rights as letters of files: HAha
  epd           four fields and the operations, in order
  forsyth:LANG  the diagram with the piece letters of a language: forsyth:de
  hub           the string of draughts engines
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
    pub given: GivenArgs,
    /// What to make of it
    #[arg(long, value_name = "FORMAT", default_value = "fen")]
    pub to: String,
    /// The language of --to forsyth: de, fr, ru, el … [default: en]
    #[arg(long, value_name = "LANG")]
    pub language: Option<String>,
    /// When the en passant square is written: legal (a capture is), xfen (a pawn
    /// stands beside) or fen (after every double step) [default: legal; xfen for
    /// --to xfen]
    #[arg(long, value_name = "WHEN", hide_possible_values = true)]
    pub ep: Option<EpArg>,
    /// How the answer is given.
    #[command(flatten)]
    pub answer: AnswerArgs,
}

/// `plydex board`.
#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  plydex board e4 c5 Nf3
  plydex board 'Π7/4ρ3/4Ι3/Ρ2Α4/8/8/8/5Π2'
  plydex board startpos --variant frisian --flip
  plydex board 960:0 --svg start.svg")]
pub struct BoardArgs {
    /// The position.
    #[command(flatten)]
    pub given: GivenArgs,
    /// Draw with letters even where figurines could be shown
    #[arg(long)]
    pub ascii: bool,
    /// Black below
    #[arg(long)]
    pub flip: bool,
    /// Write an SVG drawing to FILE instead, - for standard output
    #[arg(long, value_name = "FILE", conflicts_with = "ascii")]
    pub svg: Option<PathBuf>,
    /// Replace FILE if it is there already
    #[arg(long, requires = "svg")]
    pub force: bool,
}

/// When the en passant square of a FEN is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum EpArg {
    /// Where a capture is legal.
    Legal,
    /// Where a pawn stands beside.
    Xfen,
    /// After every double step.
    Fen,
}

/// What counts as one capture of draughts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Count {
    /// Each set of captured pieces.
    Drop,
    /// Each path.
    Keep,
}
