//! From what is typed to what it means.

use clap::{CommandFactory, Parser};

use shakmaty::Position as _;

use super::*;
use crate::cli::args::Args;
use crate::query::SortKey;
use crate::record::Outcome;

fn planned(line: &[&str]) -> Result<Plan, CliError> {
    let args = Args::try_parse_from(std::iter::once(&"plydex").chain(line))
        .unwrap_or_else(|error| panic!("{line:?}: {error}"));
    plan(args.command, &args.global.db).map(|planned| planned.plan)
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
    assert_eq!(position.position.turn(), shakmaty::Color::Black);
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
        Ok(Plan::Tree(plan)) => assert_eq!(plan.position.position, Chess::default()),
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
        &["search", "--result", "2-0"],
        &["search", "--eco", "F00"],
        &["search", "--plies", "80-40"],
        &["search", "--sort", "rating"],
        &["search", "--white", ""],
        &["show", "1", "--ply", "4", "--format", "pgn"],
        &["show", "1", "--ascii", "--format", "json"],
        &["export", "--db", "a.db", "--output", "a.db"],
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

    error: --result: `2-0` is no result; write 1-0, 0-1, 1/2-1/2, draw or *

    error: --eco: `F00` is no ECO code; write C42, B20-B99, or a letter from A to E

    error: --plies: `80-40` runs backwards; write the smaller number first

    error: --sort: `rating` is no order; write one of id, date, elo, white, black, event, eco, plies, result

    error: --white is empty
    hint: write a name, or leave out --white

    error: --format pgn has no place for a board
    hint: leave out --ply, --ascii and --flip, or use --format text

    error: --format json gives the position as a FEN, not as a drawing
    hint: leave out --ascii and --flip; --ply N adds the position

    error: --output a.db is the database itself
    hint: name another file with --output

    error: standard input (-) is named twice
    hint: it can be read only once; leave out one -

    error: --divide needs a first move
    hint: use --depth 1 or more
    ");
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
