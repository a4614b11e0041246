//! From what is typed to what it means.

use clap::{CommandFactory, Parser};

use super::*;
use crate::base::record::Outcome;
use crate::cli::args::Args;
use crate::db::query::SortKey;

fn planned(line: &[&str]) -> Result<Plan, CliError> {
    let args = Args::try_parse_from(std::iter::once(&"plydex").chain(line))
        .unwrap_or_else(|error| panic!("{line:?}: {error}"));
    plan(args.command).map(|planned| planned.plan)
}

fn searched(line: &[&str]) -> SearchPlan {
    match planned(line) {
        Ok(Plan::Search(plan)) => plan,
        other => panic!("{line:?}: {other:?}"),
    }
}

/// The error of a line, with its hint.
fn refused(line: &[&str]) -> String {
    match planned(line) {
        Err(error) => error.to_string(),
        Ok(plan) => panic!("{line:?} was accepted: {plan:?}"),
    }
}

#[test]
fn clap_finds_no_fault_in_the_arguments() {
    Args::command().debug_assert();
}

#[test]
fn a_position_may_be_several_words() {
    let plan = searched(&["search", "e4", "c5", "Nf3", "--white", "Tal"]);
    let position = plan.query.position.expect("a position is asked for");
    assert_eq!(position.position.turn(), 1);
    assert!(position.ask_turn && position.ask_castling && position.ask_en_passant);
    assert_eq!(plan.query.filter.white.as_deref(), Some("Tal"));
    assert_eq!(plan.query.limit, Some(20));

    let fen = ["8/8/8/4k3/8/8/4P3/4K3", "w", "-", "-", "0", "1"];
    let line: Vec<&str> = std::iter::once("search").chain(fen).collect();
    assert!(searched(&line).query.position.is_some());
}

#[test]
fn absent_fields_are_not_asked_for() {
    let asked = |line: &[&str]| {
        let position = searched(line)
            .query
            .position
            .expect("a position is asked for");
        (
            position.ask_turn,
            position.ask_castling,
            position.ask_en_passant,
        )
    };
    let men = "8/8/8/4k3/8/8/4P3/4K3";
    assert_eq!(asked(&["search", men]), (false, false, false));
    assert_eq!(asked(&["search", men, "w"]), (true, false, false));
    assert_eq!(asked(&["search", men, "w", "-"]), (true, true, false));
    assert_eq!(
        asked(&["search", "e4", "--identity", "board"]),
        (true, false, false)
    );
    assert_eq!(
        asked(&["search", "e4", "--identity", "placement"]),
        (false, false, false)
    );
}

#[test]
fn filters_mean_what_they_say() {
    let plan = searched(&[
        "search",
        "--player",
        "Tal",
        "--player",
        "Botvinnik",
        "--result",
        "1-0,draw",
        "--result",
        "1/2-1/2",
        "--from",
        "1960",
        "--to",
        "1961-05",
        "--min-elo",
        "2000",
        "--eco",
        "B20-B29,C4",
        "--variant",
        "chess960",
        "--plies",
        "-60",
        "--sort",
        "date:desc",
        "--offset",
        "40",
        "--limit",
        "0",
        "--start",
        "startpos",
    ]);
    let filter = &plan.query.filter;
    assert_eq!(filter.players, ["Tal", "Botvinnik"]);
    assert_eq!(filter.results, [Outcome::First, Outcome::Draw]);
    assert_eq!(
        (filter.date_from, filter.date_to),
        (Some(19_600_000), Some(19_610_500))
    );
    assert_eq!(filter.eco, [(120, 129), (240, 249)]);
    assert_eq!(filter.variants.len(), 1);
    assert_eq!(filter.plies, Some((0, 60)));
    assert!(filter.start.is_some());
    assert_eq!(
        (plan.query.sort, plan.query.descending),
        (SortKey::Date, true)
    );
    assert_eq!((plan.query.offset, plan.query.limit), (40, None));
}

#[test]
fn a_date_may_lie_within_the_other() {
    searched(&["search", "--from", "1961-05", "--to", "1961"]);
    searched(&["search", "--from", "1961-05-31", "--to", "1961-05"]);
    assert!(refused(&["search", "--from", "1962", "--to", "1961"]).contains("--from"));
}

#[test]
fn export_takes_all_and_tree_begins_at_the_start() {
    match planned(&["export", "--white", "Tal"]) {
        Ok(Plan::Export(plan)) => assert_eq!(plan.query.limit, None),
        other => panic!("{other:?}"),
    }
    match planned(&["tree"]) {
        Ok(Plan::Tree(plan)) => assert_eq!(
            plan.position.position,
            crate::games::AnyPosition::from(crate::games::chess::basics::Chess::default())
        ),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_board_is_drawn_where_one_is_asked_for() {
    let board = |line: &[&str]| match planned(line) {
        Ok(Plan::Show(plan)) => plan.board,
        other => panic!("{other:?}"),
    };
    assert_eq!(board(&["show", "42"]), None);
    let asked = board(&["show", "42", "--flip"]).expect("a board");
    assert!(asked.ply.is_none() && asked.style.flip && !asked.style.ascii);
    assert_eq!(
        board(&["show", "42", "--ply", "0"]).and_then(|board| board.ply),
        Some(0)
    );
}

#[test]
fn contradictions_name_the_option_to_use() {
    let lines: [&[&str]; 16] = [
        &["search", "--identity", "board"],
        &["search", "--in-variations"],
        &["search", "--count", "--limit", "5"],
        &["search", "--count", "--format", "csv"],
        &["search", "--min-elo", "2500", "--max-elo", "2400"],
        &["search", "--from", "soon"],
        &["search", "--result", "3-0"],
        &["search", "--eco", "F00"],
        &["search", "--plies", "80-40"],
        &["search", "--sort", "rating"],
        &["search", "--white", ""],
        &["show", "1", "--ply", "4", "--format", "pgn"],
        &["show", "1", "--ascii", "--format", "json"],
        &["import", "a.pgn", "--report", "-", "--format", "json"],
        &["import", "-", "-"],
        &["perft", "--depth", "0", "--divide"],
    ];
    let all: Vec<String> = lines.iter().map(|line| refused(line)).collect();
    insta::assert_snapshot!(all.join("\n\n"), @r"
    error: --identity needs a POSITION to look for
    hint: name one, such as `e4 c5 Nf3`, or leave out --identity

    error: --in-variations needs a POSITION to look for
    hint: name one, such as `e4 c5 Nf3`, or leave out --in-variations

    error: --count counts all games, so --limit says nothing
    hint: leave out --count or --limit

    error: --count prints a number, which has no such --format
    hint: leave out --count or --format

    error: --min-elo is above --max-elo
    hint: exchange --min-elo and --max-elo

    error: --from: `soon` is no date; write 2019, 2019-05 or 2019-05-31

    error: --result: `3-0` is no result; write 1-0, 0-1, 1/2-1/2, white, black, draw or *

    error: --eco: `F00` is no ECO code; write C42, B20-B99, or a letter from A to E

    error: --plies: `80-40` runs backwards; write the smaller number first

    error: --sort: `rating` is no order; write one of id, date, elo, white, black, event, eco, plies, result

    error: --white: `` has no word to look for
    hint: write a name, or leave out --white

    error: --format pgn has no place for a board
    hint: leave out --ply, --ascii and --flip, or use --format text

    error: --format json gives the position as a FEN, not as a drawing
    hint: leave out --ascii and --flip; --ply N adds the position

    error: --report - and --format json would both write to standard output
    hint: name a file with --report, or leave out --format json

    error: standard input (-) is named twice
    hint: it can be read only once; leave out one -

    error: --divide needs a first move
    hint: use --depth 1 or more
    ");
}

#[test]
fn texts_that_say_nothing_do_not_match_everything() {
    for option in ["--player", "--white", "--black", "--event", "--site"] {
        for text in ["", " ", ",", " ,\t"] {
            assert!(refused(&["search", option, text]).contains("no word to look for"));
        }
    }
    for text in ["", "\"", "“”", " ", "1.", "*", "{a comment}", "1-0 !"] {
        for line in [
            &["search", "--start", text] as &[&str],
            &["search", text],
            &["tree", text],
            &["search", "--variant", "international", "--start", text],
            &["search", "--variant", "xiangqi", "--start", text],
            &["search", "--variant", "atomic", text],
        ] {
            refused(line);
        }
    }
    for tag in ["", " ", "=x", "Annotator=", "Annotator= "] {
        refused(&["search", "--tag", tag]);
    }
    for option in [
        "--eco",
        "--variant",
        "--result",
        "--from",
        "--plies",
        "--men",
        "--kings",
        "--ballot",
        "--sort",
        "--language",
    ] {
        for text in ["", " ", ","] {
            refused(&["search", option, text]);
        }
    }
    insta::assert_snapshot!(refused(&["search", "--tag", "Annotator=,"]), @r"
    error: --tag: `,` has no word to look for in Annotator
    hint: --tag Annotator asks for all games with the tag, --tag Annotator== for those where it is empty
    ");
    insta::assert_snapshot!(refused(&["search", ""]), @r"
    error: the POSITION is empty
    hint: name one, such as `e4 c5 Nf3`, or leave it out
    ");
    let tags = searched(&["search", "--tag", "Annotator", "--tag", "Source=="])
        .query
        .filter
        .tags;
    assert!(!tags[0].is_whole && tags[1].is_whole);
}

#[test]
fn clap_refuses_what_has_no_meaning_at_all() {
    for line in [
        &["show", "0"] as &[&str],
        &["import"],
        &["perft"],
        &["search", "--format", "xml"],
        &["import", "a.pgn", "--threads", "0"],
    ] {
        assert!(
            Args::try_parse_from(std::iter::once(&"plydex").chain(line)).is_err(),
            "{line:?}"
        );
    }
}

/// The help of a command at 100 columns.
fn help(command: Option<&str>) -> String {
    let mut args = Args::command().term_width(100);
    args.build();
    let command = match command {
        Some(name) => args
            .find_subcommand_mut(name)
            .expect("the command is known"),
        None => &mut args,
    };
    command.render_help().to_string()
}

#[test]
fn help_of_all() {
    insta::assert_snapshot!(help(None), @"
    Finds any position of any game in your archives, at once

    Usage: plydex [OPTIONS] <COMMAND>

    Commands:
      import    Read games into the database
      search    Find games by position, players, dates, results …
      tree      Show the next moves from a position and how they scored
      show      Show one game, with a board if you like
      export    Write the games of a search as PGN or PDN
      info      Show what is in the database
      check     Check the database and compare its index with a replay of every game
      backup    Copy the database, even while others read and write it
      perft     Count the lines of legal moves to a depth, as engines do
      moves     List the legal moves of a position and draw it
      board     Draw a position, on the screen or as SVG
      convert   Write a position in another notation
      variants  List the variants of chess and draughts, or tell the rules of one
      help      Print this message or the help of the given subcommand(s)

    Options:
      -h, --help     Print help
      -V, --version  Print version

    Global options:
          --db <PATH>     The database file [env: PLYDEX_DB] [default: plydex.db]
          --color <WHEN>  When to use colours: auto, always or never; `NO_COLOR` is obeyed [default:
                          auto]
      -q, --quiet         Tell nothing but data and errors

    Examples:
      plydex import games.pgn.zst             read an archive into ./plydex.db
      plydex search e4 c5 Nf3 --result 1-0    games White won with the open Sicilian
      plydex tree e4 c5                       what was played next, and how it scored
      plydex show 42 --ply 20                 game 42 and its position after ten moves

    Exit status: 0 found or done, 1 nothing found, 2 trouble.
    ");
}

#[test]
fn help_of_search() {
    insta::assert_snapshot!(help(Some("search")), @r"
    Find games by position, players, dates, results …

    Usage: plydex search [OPTIONS] [POSITION]...

    Options:
      -h, --help  Print help

    Arguments:
      [POSITION]...  A FEN (1 to 6 fields, or that of PDN), a diagram in any language, `startpos`, or
                     moves such as `e4 c5 Nf3` or `32-28 19-23`

    Position:
          --identity <HOW>   What must agree: board is pieces and side to move, placement is pieces
                             alone, legal is all of a FEN [default: legal]
          --in-variations    Look into variations as well, not only at the moves played
          --rotate           Find the position also turned by half a circle with colours exchanged
          --mirror           Find it also mirrored left to right (chess, and boards that play all
                             squares)
          --flip             Find it also with top and bottom and the colours exchanged (as --mirror)
          --shift            Find it also with all its men moved alike over the board (chess without
                             castling rights); with the others, what these give is, too
          --turn             Find it also with the board laid down in all eight ways, colours kept
                             (chess without pawns and castling rights)
          --ballot <BALLOT>  English draughts: the three-move ballot of this number or name, as a
                             position
          --men <WvB>        Draughts: men of White against men of Black, as 3v2, at some point of the
                             game
          --kings <WvB>      Draughts: kings of White against kings of Black, as 1v0

    Filters (all given ones must hold):
          --player <NAME>     One of the players; repeat it to ask for both
          --white <NAME>      White's name, or a part of it
          --black <NAME>      Black's name, or a part of it
          --event <NAME>      Name of the event, or a part of it
          --site <NAME>       Name of the site, or a part of it
          --result <RESULT>   1-0 (or white), 0-1 (or black), 1/2-1/2 (or draw), *; several with commas
                              [alias: --winner]
          --from <DATE>       Played on this date or later: 2019, 2019-05, 2019-05-31
          --to <DATE>         Played on this date or earlier
          --min-elo <ELO>     Both players rated this or higher
          --max-elo <ELO>     Both players rated this or lower
          --eco <ECO>         ECO codes: C42, B20-B99, or a letter; several with commas
          --variant <NAME>    Variant of the game: chess, international, russian …; several with commas
          --plies <RANGE>     Length in half-moves: 40, 40- (or more), -40 (or fewer), 40-80
          --start <POSITION>  Only games that start from this position
          --tag <NAME=TEXT>   Any tag, its value or a part of it: --tag Annotator=blom; with == the
                              whole value; the name alone asks for games that have the tag; several are
                              all asked for

    Order and paging:
          --limit <N>          Games to give at most; 0 for all [default: 20 for search, all for export]
          --offset <N>         Games to leave out at the beginning
          --sort <KEY[:desc]>  id, date, elo, white, black, event, eco, plies or result; with :desc the
                               other way round [default: id, the order of import]

    Output:
          --notation <FORM>  How draughts moves are written: short (11x25), full (11x18x25, every
                             landing square) or algebraic (letters for every variant) [default: short]
          --language <LANG>  Write moves of chess with the letters of this language (de, fr, ru, el …),
                             or with figurines (figurine) [default: en]
          --count            Print the number of games alone
          --format <FORMAT>  How to give the games: table, json, ndjson, csv or pgn (draughts: PDN)
                             [default: table]

    Global options:
          --db <PATH>     The database file [env: PLYDEX_DB] [default: plydex.db]
          --color <WHEN>  When to use colours: auto, always or never; `NO_COLOR` is obeyed [default:
                          auto]
      -q, --quiet         Tell nothing but data and errors

    A game counts once, at the first time the position is on the board. Without
    POSITION the tags alone are searched. A FEN field that is left out is not asked for.

    Examples:
      plydex search e4 c5 Nf3 d6
      plydex search 1.e4 c5 --player carlsen --player nakamura --sort date:desc
      plydex search '8/8/8/4k3/8/8/4P3/4K3 w' --identity board --count
      plydex search 32-28 19-23 28x19 14x23 --variant international
      plydex search 'W:W31-50:B1-20' --rotate
      plydex search --eco B90-B99 --min-elo 2600 --from 2015 --format csv --limit 0
    ");
}

#[test]
fn every_option_explains_itself() {
    let mut args = Args::command();
    args.build();
    for command in args.get_subcommands() {
        assert!(command.get_about().is_some(), "{}", command.get_name());
        for arg in command.get_arguments() {
            assert!(
                arg.get_help().is_some(),
                "{} {}",
                command.get_name(),
                arg.get_id()
            );
        }
    }
}

#[test]
fn draughts_are_read_where_all_games_are_draughts_or_the_text_is() {
    use crate::cli::backend::read_typed;
    use crate::games::{AnyPosition, variant::Variant};
    let row = |name: &&str| Variant::by_name(name).expect(name);
    for (names, text, game) in [
        (&["chess", "english"][..], "e4", "chess"),
        (&["chess", "english"], "11-15", "draughts"),
        (&["english", "russian"], "11-15", "draughts"),
        (&["atomic", "english"], "e4", "kin"),
        (&["chess", "atomic"], "e4", "chess"),
        (&["atomic"], "e4", "kin"),
        (&[], "e4", "chess"),
        (&[], "32-28", "draughts"),
    ] {
        let rows = names.iter().map(row).collect();
        let read = read_typed(text, rows, &mut Vec::new()).expect(text);
        let found = match read.at {
            AnyPosition::Chess(_) => "chess",
            AnyPosition::Draughts(_) => "draughts",
            _ => "kin",
        };
        assert_eq!(found, game, "{names:?} {text}");
    }
}
