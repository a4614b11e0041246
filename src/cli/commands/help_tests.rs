//! The help of commands that need no database.

use clap::CommandFactory;

use crate::cli::args::Args;

/// The help of a command at 100 columns.
pub(super) fn help(command: &str) -> String {
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
          --db <PATH>       Database file [env: PLYDEX_DB] [default: plydex.db]
          --color <WHEN>    Use colours: auto, always or never [default: auto]
      -q, --quiet           Print only data and errors
          --progress <HOW>  Show progress: auto, plain or never [default: auto]
          --no-pager        Do not show long answers in a pager
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
          --db <PATH>       Database file [env: PLYDEX_DB] [default: plydex.db]
          --color <WHEN>    Use colours: auto, always or never [default: auto]
      -q, --quiet           Print only data and errors
          --progress <HOW>  Show progress: auto, plain or never [default: auto]
          --no-pager        Do not show long answers in a pager
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
          --db <PATH>       Database file [env: PLYDEX_DB] [default: plydex.db]
          --color <WHEN>    Use colours: auto, always or never [default: auto]
      -q, --quiet           Print only data and errors
          --progress <HOW>  Show progress: auto, plain or never [default: auto]
          --no-pager        Do not show long answers in a pager
    ");
}
