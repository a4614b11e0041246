//! What the arguments mean of the commands that open no database.

use crate::base::record::MoveForm;
use crate::games::chess::notation::position_text::DiagramText;
use crate::games::notation::letters::Language;
use crate::games::variant::Variant;
use crate::games::{AnyPosition, Besides, Counting};

use super::args_output::TextFormat;
use super::args_rules::{Count, GivenArgs, MovesArgs, PerftArgs, VariantsArgs};
use super::backend;
use super::error::CliError;
use super::plan_query::output_language;

/// `variants`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VariantsPlan {
    /// Which one; `None` is all.
    pub variant: Option<&'static Variant>,
    /// Of the facts.
    pub format: TextFormat,
}

/// `moves`.
#[derive(Debug, Clone)]
pub struct MovesPlan {
    /// Whose moves.
    pub at: AnyPosition,
    /// How moves are written that have several forms.
    pub form: MoveForm,
    /// The language of those that have letters.
    pub language: &'static Language,
    /// Of the moves.
    pub format: TextFormat,
}

/// `perft`.
#[derive(Debug, Clone)]
pub struct PerftPlan {
    /// Where to begin.
    pub at: AnyPosition,
    /// Plies.
    pub depth: u32,
    /// What counts as one move.
    pub counting: Counting,
    /// Each first move apart.
    pub divide: bool,
    /// Of the numbers.
    pub format: TextFormat,
}

/// The variant of a name that was typed.
pub fn variant(name: &str) -> Result<&'static Variant, CliError> {
    Variant::named(name).ok_or_else(|| {
        CliError::new(format!("`{}` is no variant that is known", name.trim()))
            .hint("`plydex variants` lists all of them")
    })
}

/// `variants`: names may have blanks.
pub fn variants(args: &VariantsArgs) -> Result<VariantsPlan, CliError> {
    let name = args.name.join(" ");
    Ok(VariantsPlan {
        variant: (!name.is_empty()).then(|| variant(&name)).transpose()?,
        format: args.answer.format,
    })
}

/// `moves`.
pub fn moves(args: &MovesArgs, warnings: &mut Vec<String>) -> Result<MovesPlan, CliError> {
    let Given { at, .. } = given(&args.given, warnings)?;
    if args.notation.notation.is_some() && !at.has_forms() {
        return Err(
            CliError::new("--notation is for draughts; other games have one of their own")
                .hint("leave out --notation, or name the game with --variant"),
        );
    }
    Ok(MovesPlan {
        at,
        form: args.notation.notation.unwrap_or_default().into(),
        language: output_language(&args.language)?,
        format: args.answer.format,
    })
}

/// `perft`.
pub fn perft(args: &PerftArgs, warnings: &mut Vec<String>) -> Result<PerftPlan, CliError> {
    if args.divide && args.depth == 0 {
        return Err(CliError::new("--divide needs a first move").hint("use --depth 1 or more"));
    }
    let Given { at, .. } = given(&args.given, warnings)?;
    if args.count.is_some() && !at.has_ways() {
        return Err(
            CliError::new("--count is for draughts, where a capture can go several ways")
                .hint("leave out --count, or name the game with --variant"),
        );
    }
    Ok(PerftPlan {
        at,
        depth: args.depth,
        counting: match args.count {
            Some(Count::Keep) => Counting::Keep,
            Some(Count::Drop) | None => Counting::Drop,
        },
        divide: args.divide,
        format: args.answer.format,
    })
}

/// What was typed for a position, with all that it says.
#[derive(Debug, Clone)]
pub struct Given {
    /// The position.
    pub at: AnyPosition,
    /// What was said that the position does not keep.
    pub besides: Besides,
    /// What was said that a FEN does not say.
    pub diagram: Option<DiagramText>,
}

/// Reads what was typed, of the game that was named or that it looks like.
pub(super) fn given(args: &GivenArgs, warnings: &mut Vec<String>) -> Result<Given, CliError> {
    let text = args.position.join(" ");
    let text = if text.trim().is_empty() {
        "startpos"
    } else {
        text.as_str()
    };
    let named = args.variant.as_deref().map(variant).transpose()?;
    let read = backend::read_typed(text, named.into_iter().collect(), warnings)?;
    Ok(Given {
        at: read.at,
        besides: Besides {
            fields: read.fields,
            double_step: read.aside.double_step,
            operations: read.aside.operations,
            ..Besides::default()
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
          [POSITION]...  A FEN or EPD, a diagram in any language, a problem, `startpos`, or moves [default:
                         startpos]

        Options:
              --variant <NAME>  The game, by any name or `GameType` number [default: the one that POSITION
                                looks like]
          -h, --help            Print help

        Output:
              --notation <FORM>  How draughts moves are written: short (11x25), full (11x18x25, every
                                 landing square) or algebraic (letters for every variant) [default: short]
              --language <LANG>  Write moves of chess with the letters of this language (de, fr, ru, el …),
                                 or with figurines (figurine) [default: en]
              --format <FORMAT>  How to give the answer: text or json [default: text]

        Global options:
              --db <PATH>     The database file [env: PLYDEX_DB] [default: plydex.db]
              --color <WHEN>  When to use colours: auto, always or never; `NO_COLOR` is obeyed [default:
                              auto]
          -q, --quiet         Tell nothing but data and errors

        Without --variant a text that can be draughts is (a FEN with colons, moves from
        number to number), and the squares and moves tell which kind.

        Examples:
          plydex moves e4 c5
          plydex moves 32-28 19-23
          plydex moves W:WK46:B37,K11,20 --notation full
          plydex moves startpos --variant turkish
        ");
    }

    #[test]
    fn help_of_perft() {
        insta::assert_snapshot!(help("perft"), @"
        Count the lines of legal moves to a depth, as engines do

        Usage: plydex perft [OPTIONS] --depth <N> [POSITION]...

        Arguments:
          [POSITION]...  A FEN or EPD, a diagram in any language, a problem, `startpos`, or moves [default:
                         startpos]

        Options:
              --variant <NAME>   The game, by any name or `GameType` number [default: the one that POSITION
                                 looks like]
              --depth <N>        Half-moves to look ahead
              --divide           Count each first move apart
              --count <HOW>      Captures of draughts that differ in their path alone: drop counts them
                                 once, keep each [default: drop]
              --format <FORMAT>  How to give the answer: text or json [default: text]
          -h, --help             Print help

        Global options:
              --db <PATH>     The database file [env: PLYDEX_DB] [default: plydex.db]
              --color <WHEN>  When to use colours: auto, always or never; `NO_COLOR` is obeyed [default:
                              auto]
          -q, --quiet         Tell nothing but data and errors

        Examples:
          plydex perft startpos --depth 5
          plydex perft e4 c5 --depth 4 --divide
          plydex perft --variant russian --depth 8
        ");
    }

    #[test]
    fn help_of_variants() {
        insta::assert_snapshot!(help("variants"), @"
        List the variants of chess and draughts, or tell the rules of one

        Usage: plydex variants [OPTIONS] [NAME]...

        Arguments:
          [NAME]...  A variant by any of its names, or by the number of its `GameType`

        Options:
              --format <FORMAT>  How to give the answer: text or json [default: text]
          -h, --help             Print help

        Global options:
              --db <PATH>     The database file [env: PLYDEX_DB] [default: plydex.db]
              --color <WHEN>  When to use colours: auto, always or never; `NO_COLOR` is obeyed [default:
                              auto]
          -q, --quiet         Tell nothing but data and errors

        Examples:
          plydex variants                         all of them
          plydex variants frisian                 the rules of one in short, and its start
          plydex variants 25                      by its GameType in PDN
        ");
    }
}
