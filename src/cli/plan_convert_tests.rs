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
    assert_eq!(to("fen").ok(), Some(Target::Fen));
    assert_eq!(to("X-FEN").ok(), Some(Target::XFen));
    assert_eq!(to("forsyth").ok(), Some(Target::Forsyth(ENGLISH)));
    let greek = Language::by_code("el").map(Target::Forsyth);
    assert_eq!(to("forsyth:el").ok(), greek);
    assert_eq!(to("forsyth:Greek").ok(), greek);
    for wrong in ["pgn", "forsyth:xx", "hub"] {
        assert!(to(wrong).is_err(), "{wrong}");
    }
    assert!(planned(&["W:W31:B19", "--to", "epd"]).is_err());
    assert!(planned(&["W:W31:B19", "--to", "hub"]).is_ok());
}

#[test]
fn the_en_passant_field_has_one_custom_a_format() {
    let custom = |line: &[&str]| planned(line).map(|plan| plan.en_passant).ok();
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
    insta::assert_snapshot!(help("convert"), @"");
}

#[test]
fn help_of_board() {
    insta::assert_snapshot!(help("board"), @"");
}
