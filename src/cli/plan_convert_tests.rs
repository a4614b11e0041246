use clap::{CommandFactory, Parser};

use super::*;
use crate::cli::args::{Args, Command};

fn planned(line: &[&str]) -> Result<ConvertPlan, CliError> {
    let args = Args::try_parse_from(["plydex", "convert"].iter().chain(line)).expect("parses");
    let Command::Convert(args) = args.command else {
        panic!("another command");
    };
    convert(&args, &mut Vec::new())
}

#[test]
fn targets() {
    let to = |name: &str| planned(&["e4", "--to", name]).map(|plan| plan.to);
    assert_eq!(to("fen").ok(), Some(Target::Text(PositionForm::Fen)));
    assert_eq!(to("X-FEN").ok(), Some(Target::Text(PositionForm::XFen)));
    assert_eq!(
        to("forsyth").ok(),
        Some(Target::Text(PositionForm::Forsyth(ENGLISH)))
    );
    let greek = Language::by_code("el").map(|greek| Target::Text(PositionForm::Forsyth(greek)));
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
    assert!(planned(&["W:W31:B19", "--to", "epd"]).is_err());
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
fn help_of_convert() {
    insta::assert_snapshot!(help("convert"), @r#"
    Write a position in another notation

    Usage: plydex convert [OPTIONS] [POSITION]...

    Arguments:
      [POSITION]...  A FEN or EPD, a diagram in any language, a problem, `startpos`, or moves [default:
                     startpos]

    Options:
          --variant <NAME>   The game, by any name or `GameType` number [default: the one that POSITION
                             looks like]
          --to <FORMAT>      What to make of it [default: fen]
          --language <LANG>  The language of --to forsyth: de, fr, ru, el … [default: en]
          --ep <WHEN>        When the en passant square is written: legal (a capture is), xfen (a pawn
                             stands beside) or fen (after every double step) [default: legal; xfen for
                             --to xfen]
          --format <FORMAT>  How to give the answer: text or json [default: text]
      -h, --help             Print help

    Global options:
          --db <PATH>     The database file [env: PLYDEX_DB] [default: plydex.db]
          --color <WHEN>  When to use colours: auto, always or never; `NO_COLOR` is obeyed [default:
                          auto]
      -q, --quiet         Tell nothing but data and errors

    FORMAT is one of
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
      plydex convert '4k3/8/8/8/8/8/4P3/4K3 w - - id "x"; bm e2e4' --to epd
      plydex convert W:W31,32:B19,K20 --to hub
    "#);
}

#[test]
fn help_of_board() {
    insta::assert_snapshot!(help("board"), @r#"
    Draw a position, on the screen or as SVG

    Usage: plydex board [OPTIONS] [POSITION]...

    Arguments:
      [POSITION]...  A FEN or EPD, a diagram in any language, a problem, `startpos`, or moves [default:
                     startpos]

    Options:
          --variant <NAME>  The game, by any name or `GameType` number [default: the one that POSITION
                            looks like]
          --ascii           Draw with letters even where figurines could be shown
          --flip            Black below
          --svg <FILE>      Write an SVG drawing to FILE instead, - for standard output
          --force           Replace FILE if it is there already
      -h, --help            Print help

    Global options:
          --db <PATH>     The database file [env: PLYDEX_DB] [default: plydex.db]
          --color <WHEN>  When to use colours: auto, always or never; `NO_COLOR` is obeyed [default:
                          auto]
      -q, --quiet         Tell nothing but data and errors

    Examples:
      plydex board e4 c5 Nf3
      plydex board 'Π7/4ρ3/4Ι3/Ρ2Α4/8/8/8/5Π2'
      plydex board startpos --variant frisian --flip
      plydex board 960:0 --svg start.svg
    "#);
}
