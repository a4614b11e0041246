//! From what is typed to what it means.

use clap::{CommandFactory, Parser};

use super::search::SearchPlan;
use super::*;
use crate::cli::args::Args;
use crate::games::variation_tree::PlyRef;
use crate::query::{GameCondition, PositionQuery, Query, SortKey};

fn planned(line: &[&str]) -> Result<Plan, CliError> {
    let args = Args::try_parse_from(std::iter::once(&"plydex").chain(line))
        .unwrap_or_else(|error| panic!("{line:?}: {error}"));
    args.command.plan().map(|(plan, _)| plan)
}

fn searched(line: &[&str]) -> SearchPlan {
    match planned(line) {
        Ok(Plan::Search(plan)) => *plan,
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

/// The position that a query asks for.
fn position_of(query: &Query) -> &PositionQuery {
    let position = query.position().and_then(|asked| asked.read.as_deref());
    position.expect("a position is asked for")
}

#[test]
fn a_position_may_be_several_words() {
    let plan = searched(&["search", "e4", "c5", "Nf3", "--white", "Tal"]);
    let position = position_of(&plan.query);
    assert_eq!(position.position.turn(), 1);
    assert!(position.ask_turn && position.ask_castling && position.ask_en_passant);
    let first = plan.query.required().next();
    assert_eq!(first, Some(&GameCondition::white("Tal")));
    assert_eq!(plan.query.page.limit, Some(20));

    let fen = ["8/8/8/4k3/8/8/4P3/4K3", "w", "-", "-", "0", "1"];
    let line: Vec<&str> = std::iter::once("search").chain(fen).collect();
    position_of(&searched(&line).query);
}

#[test]
fn absent_fields_are_not_asked_for() {
    let asked = |line: &[&str]| {
        let query = searched(line).query;
        let position = position_of(&query);
        (
            position.ask_turn,
            position.ask_castling,
            position.ask_en_passant,
        )
    };
    let fen = "8/8/8/4k3/8/8/4P3/4K3";
    assert_eq!(asked(&["search", fen]), (false, false, false));
    assert_eq!(asked(&["search", fen, "w"]), (true, false, false));
    assert_eq!(asked(&["search", fen, "w", "-"]), (true, true, false));
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
        "--since",
        "1960",
        "--until",
        "1961-05",
        "--min-elo",
        "2000",
        "--eco",
        "B20-B29,C4",
        "--variant",
        "chess960",
        "--plies",
        "..60",
        "--sort",
        "date:desc",
        "--offset",
        "40",
        "--limit",
        "0",
        "--start",
        "startpos",
    ]);
    let conditions = plan.query.required();
    let conditions: Vec<String> = conditions.map(ToString::to_string).collect();
    let start = "start:startpos";
    insta::assert_snapshot!(conditions.join(" "), @"player:Tal player:Botvinnik result:1-0,1/2-1/2 eco:B2,C4 variant:chess960 plies:..60 start:startpos date:1960..1961-05 elo:2000..");
    assert!(conditions.iter().any(|own| own == start));
    assert_eq!(
        (plan.query.page.sort, plan.query.page.descending),
        (SortKey::Date, true)
    );
    assert_eq!((plan.query.page.offset, plan.query.page.limit), (40, None));
}

#[test]
fn a_date_may_lie_within_the_other() {
    searched(&["search", "--since", "1961-05", "--until", "1961"]);
    searched(&["search", "--since", "1961-05-31", "--until", "1961-05"]);
    assert!(refused(&["search", "--since", "1962", "--until", "1961"]).contains("--since"));
}

#[test]
fn export_takes_all_and_tree_begins_at_the_start() {
    match planned(&["export", "--white", "Tal"]) {
        Ok(Plan::Export(plan)) => assert_eq!(plan.query.page.limit, None),
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
    let asked = board(&["show", "42", "--black-below"]).expect("a board");
    assert!(asked.ply.is_none() && asked.look.flip && !asked.look.ascii);
    assert_eq!(
        board(&["show", "42", "--ply", "0"]).and_then(|board| board.ply),
        Some(PlyRef::default())
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
        &["search", "--since", "soon"],
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
    error: --identity needs a POSITION to search for
    hint: give one, such as `e4 c5 Nf3`, or leave out --identity

    error: --in-variations needs a POSITION to search for
    hint: give one, such as `e4 c5 Nf3`, or leave out --in-variations

    error: --count counts all games, so --limit has no effect
    hint: leave out --count or --limit

    error: --count prints only a number, not --format csv, pgn, fen or epd
    hint: leave out --count or --format

    error: --min-elo is above --max-elo
    hint: swap --min-elo and --max-elo

    error: --since: `soon` is not a date
    hint: write 2019, 2019-05, 2019-05-31, 2010..2019 or 2010..

    error: --result: `3-0` is not a result
    hint: write 1-0, 0-1, 1/2-1/2, white, black, draw or *

    error: --eco: `F00` is not an ECO code
    hint: write C42, B20..B99, or a letter from A to E

    error: --plies: `80-40` is in the wrong order
    hint: did you mean 40..80?

    error: --sort: `rating` is not a sort key; did you mean elo? The keys are id, date, elo, white, black, event, author, eco, plies, result

    error: --white: `` contains no word to search for
    hint: write a word, or leave the condition out

    error: --format pgn cannot include a board
    hint: leave out --ply, --ascii and --black-below, or use --format text

    error: --format json gives the position as a FEN, not as a drawing
    hint: leave out --ascii and --black-below; --ply N adds the position

    error: --report - and --format json would both write to standard output
    hint: name a file with --report, or leave out --format json

    error: standard input (-) is named twice
    hint: it can be read only once; leave out one -

    error: --divide needs a depth of 1 or more
    hint: give a greater --depth
    ");
}

#[test]
fn texts_that_say_nothing_do_not_match_everything() {
    for option in ["--player", "--white", "--black", "--event", "--site"] {
        for text in ["", " ", ",", " ,\t"] {
            assert!(refused(&["search", option, text]).contains("contains no word"));
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
        "--since",
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
    insta::assert_snapshot!(refused(&["search", "--tag", "Annotator=,"]), @r#"
    error: --tag: `,` contains no word to search for in Annotator
    hint: has:Annotator finds all games with the tag, 'tag.Annotator:=""' those where it is empty
    "#);
    insta::assert_snapshot!(refused(&["search", ""]), @"
    error: the POSITION is empty
    hint: give one, such as `e4 c5 Nf3`, or leave it out
    ");
    let plan = searched(&["search", "--tag", "Annotator", "--tag", "Source=="]);
    let tags: Vec<String> = plan
        .query
        .required()
        .map(|tag| format!("{tag:?}"))
        .collect();
    assert!(tags[0].ends_with("is_whole: false })") && tags[1].ends_with("is_whole: true })"));
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
    Imports chess and draughts games, and finds any position in them at once

    Usage: plydex [OPTIONS] <COMMAND>

    Commands:
      import       Read games into the database
      search       Find games by position, player, date, result …
      tree         Show the moves played from a position, and how they scored
      novelty      Find novelties: the first new move of each game
      report       Report on a position: its moves, plans, structures, players and model games
      structure    Report on a pawn structure or an ending, from whatever opening
      prepare      Prepare for a player: results, lines, changes, games lost
      repertoire   Compare a repertoire with the database to find gaps
      crosstable   Show the crosstable of an event, with what is missing
      show         Show one game, with a board on request
      export       Write the games of a search as PGN or PDN
      players      List the players, with their spellings
      events       List the events
      sites        List the sites
      diagnostics  List the findings of imports: warnings and errors in the data
      info         Show what is in the database
      check        Check the database and its index
      reread       Import a source or game again with other settings
      edit         Change tags of a game
      delete       Delete games; `undo` restores them
      dedupe       Find duplicate games and keep the best of each
      merge        Merge another database into this one
      optimize     Compact the file and speed up the index
      log          List the changes made to the database
      undo         Undo a change: an import, deletion, edit …
      reindex      Rebuild an index written by an older plydex
      backup       Back up the database, even while it is in use
      restore      Replace the database with a backup, keeping the old file
      sql          Run an SQL query over games, comments, moves …
      unpack       Write comments, variations … as plain tables of an SQLite file
      serve        Serve a web page and a Lichess-compatible explorer API
      board        Draw a position, on the screen or as SVG
      moves        List the legal moves of a position and draw it
      eco          Show what an opening is called, or list openings by code or name
      perft        Count the lines of legal moves to a depth, as engines do
      convert      Write a position in another notation
      variants     List the variants of chess and draughts, or explain the rules of one
      completions  Print a script that completes commands in your shell
      man          Print the manual page of a command, or write all pages
      help         Print this message or the help of the given subcommand(s)

    Options:
      -h, --help     Print help (see more with '--help')
      -V, --version  Print version

    Global options:
          --db <PATH>       Database file [env: PLYDEX_DB] [default: plydex.db]
          --color <WHEN>    Use colours: auto, always or never [default: auto]
      -q, --quiet           Print only data and errors
          --progress <HOW>  Show progress: auto, plain or never [default: auto]
          --no-pager        Do not show long answers in a pager

    The commands from import to serve share one database: --db PATH, else the
    environment variable PLYDEX_DB, else plydex.db in the current folder. The others
    need no database. `plydex COMMAND --help` explains a command with examples.

    Examples, with the sample games of plydex:
      plydex import sample-data               read them into plydex.db
      plydex search e4 c5 Nf3 --result 1-0    White's wins after 1.e4 c5 2.Nf3
      plydex search 1.e4 c5 2.Nf3 d6 3.d4     the Open Sicilian with 2...d6
      plydex search --player fischer          games of one player
      plydex search 32-28 17-22               a position of international draughts
      plydex tree e4 c5                       the next moves, and how they scored
      plydex show 91 --ply 10                 game 91, with the board at ply 10
      plydex export --eco C60-C99 > ruy.pgn   the games with the Ruy Lopez
      plydex moves e4 c5                      the legal moves of a position

    Data go to standard output, everything else to standard error.
    Exit status: 0 found or done, 1 nothing found, 2 error.
    ");
}

#[test]
fn help_of_search() {
    insta::assert_snapshot!(help(Some("search")), @r"
    Find games by position, player, date, result …

    Usage: plydex search [OPTIONS] [POSITION]...

    Arguments:
      [POSITION]...  Moves (e4 c5 Nf3, 32-28 19-23), a FEN or a diagram

    Options:
      -h, --help  Print help (see more with '--help')

    Position:
          --identity <HOW>   How strictly to match: legal, board, placement [default: legal]
          --in-variations    Search variations too, not only the moves played
          --any-variant      Also variants that use the same board under other rules
          --rotate           Also rotated by 180 degrees, colours exchanged
          --mirror           Also mirrored left to right
          --flip             Also flipped top to bottom, colours exchanged
          --shift            Also shifted to any other place on the board
          --orientations     Also in all eight orientations, colours kept
          --ballot <BALLOT>  English draughts: three-move ballot, by number or name
          --ending <ENDING>  Chess: kind of ending, such as rook, pawn or `RvR`
          --value <RANGE>    Chess: White's material less Black's, in pawns: 3.., ..-2
          --men <WvB>        Draughts: number of men, White v Black: 3v2
          --kings <WvB>      Draughts: number of kings, White v Black: 1v0
          --where <QUERY>    Only games that also match this query

    Filters (a game must meet all of them):
          --games <RANGE>       Numbers of games: 17, 20..25, 100..; several with commas
          --file <NAME>         Source file name, or part of it
          --player <NAME>       Name or FIDE ID of either player; repeat to require both
          --white <NAME>        Name of White, part of it, or FIDE ID
          --black <NAME>        Name of Black, part of it, or FIDE ID
          --won <NAME>          Name of the player who won, part of it, or FIDE ID
          --lost <NAME>         Name of the player who lost, part of it, or FIDE ID
          --event <NAME>        Name of the event, or part of it
          --site <NAME>         Name of the site, or part of it
          --composer <NAME>     Chess problems: name of a composer; twice for a joint problem
          --stipulation <TEXT>  Chess problems: #2, h#3.5, `mate in 3` …; h# for any number
          --source <NAME>       Chess problems: where printed, or part of it
          --condition <NAME>    Chess problems: a fairy condition, or part of it
          --keyword <NAME>      Chess problems: a theme, or part of it
          --result <RESULT>     1-0, 0-1, 1/2-1/2, *, or several
          --date <RANGE>        Date: 2019, 2019-05, 2010..2019 or 2010..
          --month <RANGE>       Month, if it is known: 12 or 6..8
          --elo <RANGE>         Ratings of both players: 2600.. or 2400..2500
          --welo <RANGE>        Rating of White
          --belo <RANGE>        Rating of Black
          --melo <RANGE>        Mean rating of both players
          --diff <RANGE>        Difference of the ratings, in either direction
          --eco <ECO>           ECO codes: C42, B20..B99 or B; several with commas
          --opening <NAME>      Words of an opening's name; with several, any of them
          --variant <NAME>      Variant: chess, russian …; several with commas
          --time <CLASS>        Time control: bullet, blitz, rapid …; several with commas
          --mode <MODE>         rated or casual, as the event is called
          --clock <RANGE>       Seconds left after some move: ..30, 30.. or 10..30
          --eval <RANGE>        Evaluation after a move, in pawns: 2.., ..-2 or -0.3..0.3
          --loss <RANGE>        Evaluation that a move lost, in pawns: 3.. or 1.5..3
          --spent <RANGE>       Seconds spent on a move: 60.., ..5 or 10..30
          --nag <GLYPH>         Glyph at a move: ??, 4 or !?,5; several with commas
          --comment <TEXT>      Words of a comment, also inside variations
          --annotator <NAME>    Name of the annotator, or part of it
          --round <TEXT>        Round, as the tag has it
          --plies <RANGE>       Length in plies: 40, 40.., ..40 or 40..80
          --start <POSITION>    Start position of the game
          --exact-names         Do not add other spellings of the names
          --since <DATE>        Earliest date: 2019, 2019-05 or 2019-05-31
          --until <DATE>        Latest date
          --min-elo <ELO>       Both players rated this or higher
          --max-elo <ELO>       Both players rated this or lower
          --tag <NAME=TEXT>     Value of any tag, or part of it: Annotator=blom

    Order and paging:
          --limit <N>          At most N games, 0 for all [default: 20; export: all]
          --offset <N>         Games to skip at the beginning
          --sort <KEY[:desc]>  Sort by date, elo … or date:desc,white [default: id]

    Output:
          --notation <FORM>  Draughts: short, full or algebraic [default: short]
          --language <LANG>  Chess piece letters: de, fr … or figurine [default: en]
          --count            Print only the number of games
          --explain          Explain how the query runs, and print only the number of games
          --board            Draw the position found in each game
          --group-by <KEY>   Count the games by result, year, eco, player, move …, or two of these
          --side <SIDE>      Only games in which the player has this side
          --view <VIEW>      Count the scores of: player or white
          --each <FILE>      Count the games for each line of a file
          --format <FORMAT>  table, json, ndjson, csv, pgn, fen or epd [default: table]

    Global options:
          --db <PATH>       Database file [env: PLYDEX_DB] [default: plydex.db]
          --color <WHEN>    Use colours: auto, always or never [default: auto]
      -q, --quiet           Print only data and errors
          --progress <HOW>  Show progress: auto, plain or never [default: auto]
          --no-pager        Do not show long answers in a pager
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
    use crate::cli::args::position::read_typed;
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
        let rows: Vec<_> = names.iter().map(row).collect();
        let read = read_typed(text, &rows, &mut Vec::new()).expect(text);
        let found = match read.at {
            AnyPosition::Chess(_) => "chess",
            AnyPosition::Draughts(_) => "draughts",
            _ => "kin",
        };
        assert_eq!(found, game, "{names:?} {text}");
    }
}

/// Scripts go on with the options as they were called before each had one meaning.
#[test]
fn former_names_of_options_still_work() {
    for (former, now) in [
        ("show 42 --flip", "show 42 --black-below"),
        ("board e4 --flip", "board e4 --black-below"),
        (
            "search --from 1960 --to 1962",
            "search --since 1960 --until 1962",
        ),
        ("search --turn", "search --orientations"),
    ] {
        let parsed = |line: &str| {
            let words = ["plydex"].into_iter().chain(line.split(' '));
            format!("{:?}", Args::try_parse_from(words).expect(former))
        };
        assert_eq!(parsed(former), parsed(now));
    }
    let now = [Some("show"), Some("board"), Some("search"), Some("perft")]
        .map(help)
        .concat();
    for former in ["--from ", "--turn ", "--count <"] {
        assert!(!now.contains(former), "{former}");
    }
}

/// A row of the table of conditions is all that a word, an option and a parameter need, and a
/// definition all that a word for other conditions needs.
#[test]
fn a_row_is_all_that_a_condition_needs() {
    use crate::query::{pattern::Expr, words};
    let (name, value) = ("opening-tag", "ruy");
    let expected = GameCondition::read(name, value)
        .expect("a name")
        .expect("a value");
    let plan = searched(&["search", &format!("--{name}"), value]);
    assert_eq!(plan.query.required().collect::<Vec<_>>(), [&expected]);
    let expr: Expr = format!("{name}:{value}").parse().expect("a query");
    assert!(matches!(expr, Expr::Game(own, _) if own == expected));
    let openapi = crate::cli::serve::openapi::description().to_string();
    assert!(openapi.contains(&format!("\"name\":\"{name}\"")));
    let hint = words::unknown("openin-tag", value).hint.expect("a hint");
    assert!(hint.contains("opening-tag:ruy"), "{hint}");
    let word: Expr = "fixed-centre".parse().expect("a query");
    assert_eq!(word.to_string(), "fixed-centre");
    let plan = searched(&["search", "fixed-centre not mate"]);
    assert!(plan.query.has_pattern());
}
