//! What the arguments mean of the commands that open no database.

use crate::db::search::MoveNotation;
use crate::games::chess::notation::position_text::DiagramText;
use crate::games::opening_names::{OpeningQuery, has_words};
use crate::games::variant::{self, Variant};
use crate::games::{AnyPosition, FormExtras};

use super::args_rules::{EcoArgs, MovesArgs, PerftArgs, PositionInputArgs, VariantsArgs};
use super::backend;
use super::eco::EcoPlan;
use super::error::CliError;
use super::plan_query::writing;
use crate::query::{read, suggest};

/// The variant of a name that was typed.
pub fn variant(name: &str) -> Result<&'static Variant, CliError> {
    Variant::named(name).ok_or_else(|| {
        CliError::new(format!("`{}` is not a known variant", name.trim())).hint(
            match suggest::nearest(name, variant::ALL.iter().map(|row| row.name)) {
                Some(meant) => {
                    format!("did you mean {meant}? `plydex variants` lists all variants")
                }
                None => "`plydex variants` lists all variants".to_owned(),
            },
        )
    })
}

/// `variants`: which one, if one is named. Names may have blanks.
pub fn variants(args: &VariantsArgs) -> Result<Option<&'static Variant>, CliError> {
    let name = args.name.join(" ");
    (!name.is_empty()).then(|| variant(&name)).transpose()
}

/// `moves`: the position, and how they are written.
pub fn moves(
    args: &MovesArgs,
    warnings: &mut Vec<String>,
) -> Result<(AnyPosition, MoveNotation), CliError> {
    let PositionInput { at, .. } = given(&args.given, warnings)?;
    if args.notation.notation.is_some() && !at.has_forms() {
        return Err(CliError::new("--notation applies only to draughts")
            .hint("leave out --notation, or name the variant with --variant"));
    }
    Ok((at, writing(args.notation, &args.language)?))
}

/// `eco`: the position, or the openings.
pub fn eco(args: &EcoArgs, warnings: &mut Vec<String>) -> Result<EcoPlan, CliError> {
    let text = args.asked.join(" ");
    if text.trim().is_empty() {
        let error = CliError::new("no opening was given");
        return Err(
            error.hint("give a code (B90), words of a name (najdorf), moves (e4 c5) or a FEN")
        );
    }
    let named = args.variant.as_deref().map(variant).transpose()?;
    // What begins as a code of chess is one: `b4` is a move, `B4` is B40 to B49.
    let is_letter = matches!(text.trim(), "A" | "B" | "C" | "D" | "E");
    if named.is_none() && (is_letter || read::is_eco(&text)) {
        let codes = read::codes(&text).map_err(CliError::of_value)?;
        return Ok(EcoPlan::List(OpeningQuery {
            codes: codes.as_slice().to_vec(),
            texts: Vec::new(),
        }));
    }
    let error = match backend::read_typed(&text, named.as_slice(), warnings) {
        Ok(typed) => return Ok(EcoPlan::Position(Box::new(typed))),
        Err(error) => error,
    };
    if named.is_none()
        && let Some(codes) = codes(&text)
    {
        return Ok(EcoPlan::List(OpeningQuery {
            codes: codes?,
            texts: Vec::new(),
        }));
    }
    let asked = OpeningQuery {
        codes: Vec::new(),
        texts: vec![text.clone()],
    };
    // What has no digit is no mistyped move.
    let is_name = !text.contains(|c: char| c.is_ascii_digit()) && has_words(&text);
    if is_name || !asked.openings().is_empty() {
        return Ok(EcoPlan::List(asked));
    }
    Err(error)
}

/// The codes of a list of them, which is no position; `None` where nothing is meant as a code.
fn codes(text: &str) -> Option<Result<Vec<(u16, u16)>, CliError>> {
    let is_between = |c: char| c == ',' || c.is_whitespace();
    let words: Vec<&str> = (text.split(is_between))
        .filter(|word| !word.is_empty())
        .collect();
    // A code that there is not, such as `F10`; a letter and a digit are a square.
    let is_like_code = |word: &&str| {
        let digits = word.get(1..).unwrap_or_default();
        word.starts_with(|c: char| c.is_ascii_alphabetic())
            && (2..=3).contains(&digits.len())
            && digits.bytes().all(|byte| byte.is_ascii_digit())
    };
    let is_meant = |word: &&str| read::is_eco(word) || is_like_code(word);
    let is_letter = |word: &&str| matches!(*word, "A" | "B" | "C" | "D" | "E");
    let is_list =
        words.iter().any(is_meant) && (words.iter()).all(|word| is_meant(word) || is_letter(word));
    let read = || read::codes(&words.join(",")).map_err(CliError::of_value);
    is_list.then(|| read().map(|codes| codes.as_slice().to_vec()))
}

/// `perft`: where to begin.
pub fn perft(args: &PerftArgs, warnings: &mut Vec<String>) -> Result<AnyPosition, CliError> {
    if args.divide && args.depth == 0 {
        return Err(
            CliError::new("--divide needs a depth of 1 or more").hint("give a greater --depth")
        );
    }
    let PositionInput { at, .. } = given(&args.given, warnings)?;
    if args.count.is_some() && !at.has_ways() {
        return Err(CliError::new(
            "--equal-captures applies only to draughts, where captures can differ in their path",
        )
        .hint("leave out --equal-captures, or name the variant with --variant"));
    }
    Ok(at)
}

/// What was typed for a position, with all that it says.
#[derive(Debug, Clone)]
pub struct PositionInput {
    /// The position.
    pub at: AnyPosition,
    /// What was said that the position does not keep.
    pub besides: FormExtras,
    /// What was said that a FEN does not say.
    pub diagram: Option<DiagramText>,
}

/// Reads what was typed, of the game that was named or that it looks like.
pub(super) fn given(
    args: &PositionInputArgs,
    warnings: &mut Vec<String>,
) -> Result<PositionInput, CliError> {
    let text = args.position.join(" ");
    let text = if text.trim().is_empty() {
        "startpos"
    } else {
        text.as_str()
    };
    let named = args.variant.as_deref().map(variant).transpose()?;
    let read = backend::read_typed(text, named.as_slice(), warnings)?;
    Ok(PositionInput {
        at: read.at,
        besides: FormExtras {
            fields: read.fields,
            double_step: read.aside.double_step,
            operations: read.aside.operations,
            ..FormExtras::default()
        },
        diagram: read.aside.diagram,
    })
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use crate::cli::args::Args;

    /// The help of a command at 100 columns.
    fn help(command: &str) -> String {
        let mut args = Args::command().term_width(100);
        args.build();
        let command = args
            .find_subcommand_mut(command)
            .expect("the command is known");
        command.render_help().to_string()
    }

    #[test]
    fn help_of_moves() {
        insta::assert_snapshot!(help("moves"), @"
        List the legal moves of a position and draw it

        Usage: plydex moves [OPTIONS] [POSITION]...

        Arguments:
          [POSITION]...  Moves, a FEN, a diagram or `startpos` [default: startpos]

        Options:
              --variant <NAME>  Variant [default: the one that POSITION fits]
          -h, --help            Print help (see more with '--help')

        Output:
              --notation <FORM>  Draughts: short, full or algebraic [default: short]
              --language <LANG>  Chess piece letters: de, fr … or figurine [default: en]
              --format <FORMAT>  text or json [default: text]

        Global options:
              --db <PATH>     Database file [env: PLYDEX_DB] [default: plydex.db]
              --color <WHEN>  Use colours: auto, always or never [default: auto]
          -q, --quiet         Print only data and errors
        ");
    }

    #[test]
    fn help_of_perft() {
        insta::assert_snapshot!(help("perft"), @r"
        Count the lines of legal moves to a depth, as engines do

        Usage: plydex perft [OPTIONS] --depth <N> [POSITION]...

        Arguments:
          [POSITION]...  Moves, a FEN, a diagram or `startpos` [default: startpos]

        Options:
              --variant <NAME>        Variant [default: the one that POSITION fits]
              --depth <N>             Plies to look ahead
              --divide                Count each first move separately
              --equal-captures <HOW>  Equal captures: drop or keep [default: drop]
              --format <FORMAT>       text or json [default: text]
          -h, --help                  Print help (see more with '--help')

        Global options:
              --db <PATH>     Database file [env: PLYDEX_DB] [default: plydex.db]
              --color <WHEN>  Use colours: auto, always or never [default: auto]
          -q, --quiet         Print only data and errors
        ");
    }

    #[test]
    fn help_of_variants() {
        insta::assert_snapshot!(help("variants"), @"
        List the variants of chess and draughts, or explain the rules of one

        Usage: plydex variants [OPTIONS] [NAME]...

        Arguments:
          [NAME]...  A variant, by any of its names or its `GameType` number

        Options:
              --format <FORMAT>  text or json [default: text]
          -h, --help             Print help (see more with '--help')

        Global options:
              --db <PATH>     Database file [env: PLYDEX_DB] [default: plydex.db]
              --color <WHEN>  Use colours: auto, always or never [default: auto]
          -q, --quiet         Print only data and errors
        ");
    }
}
