//! Text made to cost more than it weighs. Anything quadratic here takes
//! minutes instead of a step.

use super::{Parser, RawGame, read};
use crate::base::limits::{ITEMS_PER_GAME_MAX, TAGS_PER_GAME_MAX};
use crate::base::long_tests::one_in;
use crate::pgn::parser::LimitExceeded;

/// Reads a text and returns games, items and diagnostics (also counted ones).
fn count(text: &[u8]) -> (usize, usize, usize) {
    let mut parser = Parser::new(text);
    let mut game = RawGame::default();
    let (mut games, mut items, mut found) = (0, 0, 0);
    while parser.next_game(&mut game) {
        games += 1;
        items += game.items.len();
        found += game.diagnostics.len() + game.diagnostics_dropped as usize;
    }
    (games, items, found)
}

fn with_head(body: &str) -> Vec<u8> {
    format!("[Event \"x\"]\n\n1. e4 {body}").into_bytes()
}

#[test]
fn deep_variations() {
    let deep = "(e4 ".repeat(10_000) + &")".repeat(10_000) + " e5 *";
    let (games, items, found) = count(&with_head(&deep));
    assert_eq!((games, items, found), (1, 30_002, 0));
    // Open ones replace nothing but each other: all are dropped.
    assert_eq!(count(&with_head(&"(".repeat(1_000_000))).1, 1);
    assert_eq!(count(&with_head(&"(e4 ".repeat(1_000_000))).1, 3_000_001);
    assert_eq!(count(&with_head(&")".repeat(1_000_000))), (1, 1, 1_000_001));
    assert_eq!(count(&with_head(&"()".repeat(1_000_000))).1, 1);
}

#[test]
fn unclosed_braces() {
    const N: usize = 1_000_000;
    assert_eq!(count(&with_head(&"{".repeat(N))).0, 1);
    assert_eq!(count(&with_head(&"}".repeat(N))).0, 1);
    assert_eq!(count(&with_head(&"{}".repeat(N))).1, N + 1);
    assert_eq!(count(&with_head(&"{[".repeat(N))).0, 1);
    let game = "\n\n[Event \"x\"]\n\n1. e4 { ";
    let text = game.repeat(100_000);
    assert_eq!(count(text.as_bytes()).0, 100_000);
    assert_eq!(count((text.clone() + "}").as_bytes()).0, 100_000);
    assert_eq!(
        count((text + "x}".repeat(1000).as_str()).as_bytes()).0,
        100_000
    );
    // A comment of many openings, closed in the end.
    let text = format!("{{{}}} e5 *", "{ [Event ".repeat(200_000));
    assert_eq!(count(&with_head(&text)), (1, 3, 0));
}

#[test]
fn unclosed_tags() {
    let many = 300_000 / one_in(3);
    for line in [
        "[Event \"\n",
        "[Event \"",
        "x [Event \"\n",
        "[Event\n",
        "[",
        "[\n",
        "[A",
        "[A [A \"x\" ",
        "[A \"x\"] e4 ",
        "[A \"x\\\"",
        "[Event \"a\nb\nc\n",
        "\"",
        "[ \"",
        "]\n",
        "[Event x] ",
        "[A 'x'] ",
        "\n>[A \"x\"",
    ] {
        let (games, ..) = count(line.repeat(many).as_bytes());
        assert!(games <= many, "{line:?}");
        count(&with_head(&line.repeat(many)));
    }
}

#[test]
fn endless_runs() {
    const N: usize = 5_000_000;
    for unit in [
        "a",
        "1",
        ".",
        "!",
        "$",
        " ",
        "\n",
        "\r",
        ">",
        "<",
        "<>",
        ";",
        "%",
        "*",
        "-",
        "=",
        "0",
        "+",
        "1-0",
        "1 ",
        "1 -",
        "1/2",
        "½",
        "…",
        "\u{a0}",
        "\u{feff}",
        "e4…",
        "* ",
        "1-0 1. ",
        "%\n",
        ";\n",
        "(1-0 ",
        "e8 ",
        "e8 = ",
        "*\n",
        "1-0{}",
        "< \n",
        "<a",
        "0-0",
        "\\",
        "O-O1-0",
        "> ",
        "\n> ",
        "a1\u{200b}",
    ] {
        let text = unit.repeat(N / 10 / unit.len());
        count(text.as_bytes());
        count(&with_head(&text));
        count(format!("{text}\n1. e4 e5 {text}").as_bytes());
    }
}

#[test]
fn one_long_everything() {
    let megabytes = "x ".repeat(10 << 20);
    assert_eq!(count(&with_head(&format!("{{{megabytes}}} e5 *"))).1, 3);
    assert_eq!(count(&with_head(&format!("; {megabytes}\ne5 *"))).1, 3);
    let tag = format!("[Event \"{megabytes}\"]\n\n1. e4 *\n\n[Event \"y\"]\n\n1. d4 *");
    let games = read(tag.as_bytes());
    assert_eq!(games.len(), 2);
    assert_eq!(
        games[0].tags[0].1.len(),
        crate::base::limits::TAG_VALUE_BYTES_MAX
    );
    assert_eq!(games[0].diagnostics, ["tag-truncated"]);
    let line = "1. e4 e5 2. Nf3 Nc6 ".repeat(1 << 19);
    assert_eq!(count(&with_head(&line)).1, (4 << 19) + 1);
}

#[test]
fn diagnostics_are_capped() {
    let mut parser_text = with_head(&") ".repeat(100));
    parser_text.extend(b"*");
    let mut parser = Parser::new(&parser_text);
    let mut game = RawGame::default();
    assert!(parser.next_game(&mut game));
    assert_eq!((game.diagnostics.len(), game.diagnostics_dropped), (20, 80));
    assert!(!parser.next_game(&mut game));
    assert_eq!(game.diagnostics_dropped, 0);
}

/// Past its budgets nothing more of a game is collected, and the next one is read.
#[test]
fn budgets() {
    let next = "\n[Event \"next\"]\n\n1. d4 *\n";
    let read = |game: &str| {
        let text = format!("[Event \"x\"]\n\n{game}{next}");
        let mut parser = Parser::new(text.as_bytes());
        let mut game = RawGame::default();
        assert!(parser.next_game(&mut game));
        let found = (game.excess, game.tags.len(), game.items.len());
        assert!(parser.next_game(&mut game));
        assert_eq!(game.tag(text.as_bytes(), "Event"), Some(&b"next"[..]));
        assert!(!parser.next_game(&mut game));
        found
    };
    let max = ITEMS_PER_GAME_MAX;
    assert_eq!(
        read(&format!("1. e4 {}", "$1".repeat(max - 1))),
        (None, 1, max)
    );
    for one in ["$1", "()", "(e4", "{}", "( "] {
        let (excess, _, items) = read(&format!("1. e4 {}", one.repeat(max + 1)));
        // What replaces nothing is dropped as it is read.
        let is_kept = one != "()";
        assert_eq!(
            (excess, items <= 1),
            (is_kept.then_some(LimitExceeded::Items), true),
            "{one}"
        );
    }
    let (excess, ..) = read(&format!("{} 1. e4 *", "{}".repeat(max + 1)));
    assert_eq!(excess, Some(LimitExceeded::Items));
    let max = TAGS_PER_GAME_MAX;
    let tags = |count: usize| "[A \"\"]\n".repeat(count) + "\n1. e4 *\n";
    let lone = |count: usize| {
        let text = tags(count) + next;
        let mut parser = Parser::new(text.as_bytes());
        let mut game = RawGame::default();
        assert!(parser.next_game(&mut game));
        (game.excess, game.tags.len(), game.items.len())
    };
    assert_eq!(lone(max), (None, max, 1));
    assert_eq!(lone(max + 1), (Some(LimitExceeded::Tags), max, 1));
}
