use clap::Parser;

use super::*;
use crate::cli::args::Args;
use crate::cli::commands::Command;
use crate::cli::commands::help_tests::help;

fn planned(line: &[&str]) -> Result<ConvertPlan, CliError> {
    let args = Args::try_parse_from(["plydex", "convert"].iter().chain(line)).expect("parses");
    let Command::Convert(args) = args.command else {
        panic!("another command");
    };
    plan(&args, &mut Vec::new())
}

#[test]
fn targets() {
    let to = |name: &str| planned(&["e4", "--to", name]).map(|plan| plan.to);
    assert_eq!(to("fen").ok(), Some(ConvertTarget::Text(PositionForm::Fen)));
    assert_eq!(
        to("X-FEN").ok(),
        Some(ConvertTarget::Text(PositionForm::XFen))
    );
    assert_eq!(
        to("forsyth").ok(),
        Some(ConvertTarget::Text(PositionForm::Forsyth(ENGLISH)))
    );
    let greek =
        Language::by_code("el").map(|greek| ConvertTarget::Text(PositionForm::Forsyth(greek)));
    assert_eq!(to("forsyth:el").ok(), greek);
    assert_eq!(to("forsyth:Greek").ok(), greek);
    for wrong in ["pgn", "forsyth:xx", "hub"] {
        assert!(to(wrong).is_err(), "{wrong}");
    }
    let with = |to: &str, language: &str| {
        planned(&["e4", "--to", to, "--language", language]).map(|plan| plan.to)
    };
    assert_eq!(with("forsyth", "greek").ok(), greek);
    assert!(with("forsyth", "xx").is_err());
    // Said twice, or of what has no letters of its own.
    assert!(with("forsyth:de", "el").is_err());
    assert!(with("fen", "el").is_err());
    assert!(planned(&["W:W31:B19", "--to", "epd"]).is_ok());
    assert!(planned(&["W:W31:B19", "--to", "shredder"]).is_err());
    assert!(planned(&["W:W31:B19", "--to", "hub"]).is_ok());
}

#[test]
fn the_en_passant_field_has_one_custom_a_format() {
    let custom = |line: &[&str]| planned(line).map(|plan| plan.given.besides.en_passant).ok();
    assert_eq!(custom(&["e4"]), Some(EnPassant::Legal));
    assert_eq!(custom(&["e4", "--to", "xfen"]), Some(EnPassant::XFen));
    assert_eq!(custom(&["e4", "--ep", "fen"]), Some(EnPassant::Always));
    assert_eq!(custom(&["e4", "--to", "svg", "--ep", "fen"]), None);
}

#[test]
fn help_of_convert() {
    insta::assert_snapshot!(help("convert"), @"
    Write a position in another notation

    Usage: plydex convert [OPTIONS] [POSITION]...

    Arguments:
      [POSITION]...  Moves, a FEN, a diagram or `startpos` [default: startpos]

    Options:
          --variant <NAME>   Variant [default: the one that POSITION fits]
          --to <FORMAT>      fen, xfen, shredder, epd, forsyth:LANG, hub, board or svg [default: fen]
          --language <LANG>  Language of --to forsyth: de, fr, ru … [default: en]
          --ep <WHEN>        En passant square: legal, xfen or fen [default: legal]
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

#[test]
fn help_of_board() {
    insta::assert_snapshot!(help("board"), @"
    Draw a position, on the screen or as SVG

    Usage: plydex board [OPTIONS] [POSITION]...

    Arguments:
      [POSITION]...  Moves, a FEN, a diagram or `startpos` [default: startpos]

    Options:
          --variant <NAME>  Variant [default: the one that POSITION fits]
          --ascii           Draw the board with letters
          --black-below     Draw the board from Black's side
          --svg <FILE>      Write an SVG drawing to FILE; - is standard output
          --force           Replace FILE if it exists
      -h, --help            Print help (see more with '--help')

    Global options:
          --db <PATH>       Database file [env: PLYDEX_DB] [default: plydex.db]
          --color <WHEN>    Use colours: auto, always or never [default: auto]
      -q, --quiet           Print only data and errors
          --progress <HOW>  Show progress: auto, plain or never [default: auto]
          --no-pager        Do not show long answers in a pager
    ");
}
