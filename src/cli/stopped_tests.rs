//! A user who interrupts a query sees what was found until then.

use clap::Parser as _;
use serde_json::Value;

use super::args::{Args, Color};
use super::run;
use super::terminal::{Messages, TerminalInfo};
use crate::base::observe::CancellationToken;

/// At how many steps each command is stopped.
const MOMENTS: u64 = 24;

/// Fulfilled by some of the games.
const QUERY: &str = "moved:N next moved:P";

/// What a command prints before it ends, and whether it ends because the user stopped it.
pub(super) fn said(db: &str, args: &[&str], stop: &CancellationToken) -> (String, bool) {
    let all = ["plydex", "--db", db, "--quiet"].into_iter();
    let args = Args::try_parse_from(all.chain(args.iter().copied())).expect("arguments");
    let (screen, notes) = (
        TerminalInfo::of_stdout(Color::Never),
        Messages::new(Color::Never, true),
    );
    let mut out = Vec::new();
    let ran = run(args, &mut out, screen, notes, stop.clone());
    let is_stopped = match ran {
        Ok(_) => false,
        Err(error) if error.is_stopped() => true,
        Err(error) => panic!("{error}"),
    };
    (String::from_utf8(out).expect("text"), is_stopped)
}

/// A database of games of two plies.
fn games(folder: &std::path::Path) -> String {
    let path = |name: &str| folder.join(name).display().to_string();
    let mut moves = [
        ["Na", "3", "6"],
        ["Nc", "3", "6"],
        ["Nf", "3", "6"],
        ["Nh", "3", "6"],
    ]
    .to_vec();
    for file in ["a", "b", "c", "d", "e", "f", "g", "h"] {
        moves.extend([[file, "3", "6"], [file, "4", "5"]]);
    }
    let mut text = String::new();
    for player in 0..10 {
        for (number, [white, rank, _]) in moves.iter().enumerate() {
            for [black, _, other] in &moves {
                // In no order by name.
                let name = (player * 7 + number * 3) % 10;
                let moves = format!("1. {white}{rank} {black}{other} 1-0");
                let tags = format!("[White \"Player {name}\"]\n[Result \"1-0\"]");
                text.extend([&tags, "\n\n", &moves, "\n\n"]);
            }
        }
    }
    std::fs::write(path("games.pgn"), text).expect("written");
    let db = path("games.db");
    let imported = said(
        &db,
        &["import", &path("games.pgn")],
        &CancellationToken::default(),
    );
    assert!(!imported.1);
    db
}

/// Asserts that a list has some of the games of another, in its order.
fn assert_part(part: &Value, whole: &Value) {
    let numbers = |list: &Value| -> Vec<u64> {
        let games = list["hits"].as_array().expect("hits").iter();
        games
            .map(|hit| hit["id"].as_u64().expect("a number"))
            .collect()
    };
    let (part, whole) = (numbers(part), numbers(whole));
    let mut rest = whole.iter();
    let is_part = part.iter().all(|game| rest.any(|other| other == game));
    assert!(is_part, "{part:?} of {whole:?}");
}

/// Stops a command at many steps, and gives what it said and what it would have said; how often
/// a part was shown.
fn stopped(db: &str, args: &[&str], check: impl Fn(&Value, &Value)) -> usize {
    let counting = CancellationToken::at_look(u64::MAX);
    let (whole, is_stopped) = said(db, args, &counting);
    assert!(!is_stopped);
    let whole: Value = serde_json::from_str(&whole).expect("JSON");
    let looks = u64::MAX - counting.looks_left();
    assert!(looks > MOMENTS, "{args:?} looks {looks} times");
    let mut shown = 0;
    for step in 0..MOMENTS {
        let stop = CancellationToken::at_look(looks * step / MOMENTS);
        let (text, is_stopped) = said(db, args, &stop);
        if text.is_empty() {
            assert!(is_stopped);
            continue;
        }
        let part: Value = serde_json::from_str(&text).expect("JSON");
        assert_eq!(
            part["interrupted"].as_bool().unwrap_or_default(),
            is_stopped,
            "{args:?}"
        );
        if is_stopped {
            check(&part, &whole);
            shown += 1;
        } else {
            assert_eq!(part, whole);
        }
    }
    shown
}

#[test]
fn what_was_found_is_listed_whatever_was_asked() {
    let folder = tempfile::tempdir().expect("a folder");
    let db = games(folder.path());
    let start = "similar:rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R";
    let lists: &[&[&str]] = &[
        &[QUERY],
        &[QUERY, "--sort", "white"],
        &[QUERY, "--sort", "white,plies"],
        &["e4", "--where", "moved:P next moved:P"],
        &["e4", "--where", "moved:P next moved:P", "--sort", "white"],
        &[start],
        &["--white", "player 3", "--sort", "id:desc"],
        &["--result", "1-0"],
    ];
    for list in lists {
        let args = [&["search", "--format", "json", "--limit", "0"], *list].concat();
        let shown = stopped(&db, &args, |part, whole| {
            assert_part(part, whole);
            let listed = part["hits"].as_array().map_or(0, Vec::len) as u64;
            assert!(listed <= part["total"].as_u64().expect("a number"));
        });
        assert!(shown > 0, "{list:?}");
    }
}

/// A page of a part of the games is full as soon as that of all of them.
#[test]
fn a_sorted_page_of_what_was_found_is_full() {
    let folder = tempfile::tempdir().expect("a folder");
    let db = games(folder.path());
    let args = [
        "search", QUERY, "--sort", "white", "--limit", "3", "--format", "json",
    ];
    let shown = stopped(&db, &args, |part, _| {
        let listed = part["hits"].as_array().map_or(0, Vec::len) as u64;
        assert_eq!(listed, part["total"].as_u64().expect("a number").min(3));
    });
    assert!(shown > 0);
}

#[test]
fn what_was_found_is_counted_in_groups_and_trees() {
    let folder = tempfile::tempdir().expect("a folder");
    let db = games(folder.path());
    let groups = [
        "search",
        QUERY,
        "--group-by",
        "white",
        "--format",
        "json",
        "--limit",
        "0",
    ];
    let games = |value: &Value| value["games"].as_u64().expect("a number");
    let sum = |list: &Value| -> u64 { list.as_array().expect("a list").iter().map(games).sum() };
    let shown = stopped(&db, &groups, |part, whole| {
        assert!(games(&part["all"]) <= games(&whole["all"]));
        assert_eq!(games(&part["all"]), sum(&part["groups"]));
    });
    assert!(shown > 0);
    let tree = [
        "tree",
        "e4",
        "--where",
        "moved:P next moved:P",
        "--format",
        "json",
    ];
    let shown = stopped(&db, &tree, |part, whole| {
        assert!(games(&part["total"]) <= games(&whole["total"]));
        assert_eq!(games(&part["total"]), sum(&part["moves"]));
    });
    assert!(shown > 0);
}

/// A line with only a part of its games counted is not shown as if that were all.
#[test]
fn lines_of_a_file_are_shown_whole_or_not_at_all() {
    let folder = tempfile::tempdir().expect("a folder");
    let db = games(folder.path());
    let file = folder.path().join("lines.txt").display().to_string();
    std::fs::write(&file, format!("e4\n{QUERY}\nd4 d5\n")).expect("written");
    let args = ["search", "--each", &file, "--format", "json"];
    let groups = |value: &Value| value["groups"].as_array().expect("groups").clone();
    let shown = stopped(&db, &args, |part, whole| {
        assert!(groups(whole).starts_with(&groups(part)));
        assert!(groups(whole).len() > groups(part).len());
    });
    assert!(shown > 0);
}
