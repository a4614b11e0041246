//! What was typed about how an answer is given, by several commands alike.

use clap::{Args as ClapArgs, ValueEnum};

use crate::base::record::MoveForm;
use crate::cli::args::value_parsers;

/// How a short answer is given.
#[derive(Debug, Clone, Copy, Default, ClapArgs)]
pub struct AnswerArgs {
    /// text or json
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: TextFormat,
}

/// Formats of short answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum TextFormat {
    /// For reading.
    #[default]
    Text,
    /// One JSON object.
    Json,
}

/// In which language moves are written.
#[derive(Debug, Clone, Default, ClapArgs)]
#[command(next_help_heading = "Output")]
pub struct LanguageArgs {
    /// Chess piece letters: de, fr … or figurine [default: en]
    ///
    /// Chess moves are written with the piece letters of this language (de, fr, ru, el
    /// …), or with figurines.
    #[arg(long, value_name = "LANG")]
    pub language: Option<String>,
}

/// In which form moves of draughts are written.
#[derive(Debug, Clone, Copy, Default, ClapArgs)]
#[command(next_help_heading = "Output")]
pub struct NotationArgs {
    /// Draughts: short, full or algebraic [default: short]
    ///
    /// How moves are written: short is 11x25, full is 11x18x25 with every landing
    /// square, algebraic has letters for the squares of every variant.
    #[arg(long, value_name = "FORM", value_parser = value_parsers::one_of(FORMS))]
    pub notation: Option<MoveForm>,
}

/// How draughts moves are written: from and to, with more only where these fit several
/// captures; every square where a capture turns; squares by letter and number whatever
/// the variant uses.
pub(crate) const FORMS: &[(&str, MoveForm)] = &[
    ("short", MoveForm::Short),
    ("full", MoveForm::Full),
    ("algebraic", MoveForm::Algebraic),
];

/// How a board looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ClapArgs)]
pub struct BoardStyleArgs {
    /// Draw the board with letters
    #[arg(long)]
    pub ascii: bool,
    /// Draw the board from Black's side
    #[arg(long = "black-below", alias = "flip")]
    pub flip: bool,
}

/// Formats of answers that are tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum TableFormat {
    /// Aligned columns, for reading.
    #[default]
    Table,
    /// One JSON object.
    Json,
    /// Comma-separated values with a heading line.
    Csv,
}
