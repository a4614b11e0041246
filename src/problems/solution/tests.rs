use std::fmt::Write as _;

use shakmaty::fen::Fen;

use super::*;
use crate::{
    games::{
        chess::basics::{CastlingMode, Chess, Color},
        notation::letters::{ENGLISH, Language},
    },
    pgn::parser::{ItemKind, Parser, RawGame, RawItem, Syntax},
};

fn position(fen: &str) -> Chess {
    let fen: Fen = fen.parse().expect("a FEN");
    fen.into_position(CastlingMode::Standard).expect("legal")
}

fn rules_of_english() -> SolutionRules {
    SolutionRules::new(ENGLISH, Color::White, Color::White)
}

fn english(word: &str) -> String {
    Language::by_code("en-problem")
        .expect("known")
        .of_english(word)
}

fn printed(solution: &Solution, rules: SolutionRules, is_series: bool) -> String {
    let print = SolutionStyle {
        first_depth: rules.first_depth,
        is_series,
        letter: &english,
    };
    write(solution, print)
}

/// What is said of movetext is what the parser says of it.
fn items_are_those_of_the_parser(text: &str, raw: &RawGame) {
    let mut parsed = RawGame::default();
    Parser::variation(text.as_bytes(), Syntax::Pgn, &mut parsed);
    let items = |raw: &RawGame| {
        let items = raw.items.iter();
        let of_text = |item: &RawItem| match item.kind {
            ItemKind::VariationEnd => String::new(),
            _ => String::from_utf8_lossy(raw.text(text.as_bytes(), item)).into_owned(),
        };
        items
            .map(|item| (item.kind, of_text(item), item.value))
            .collect::<Vec<_>>()
    };
    assert_eq!(items(raw), items(&parsed), "{text}");
    let inside = |item: &RawItem| (item.offset + item.len) as usize <= text.len();
    assert!(raw.items.iter().all(inside), "{text}");
}

/// Reads, plays, and checks that text and movetext lead back to the same.
fn solved(fen: &str, text: &str, rules: SolutionRules, is_series: bool) -> (Solution, String) {
    let start = position(fen);
    let (played, refused) = play(read(text, rules.first_depth), &start, rules);
    assert!(refused.is_empty(), "{refused:?}");
    let out = printed(&played, rules, is_series);
    let again = |text: &str| play(read(text, rules.first_depth), &start, rules).0;
    assert_eq!(
        printed(&again(&out), rules, is_series),
        out,
        "text of {text}"
    );
    let black = crate::games::chess::basics::Position::turn(&start) == Color::Black;
    let SolutionText {
        text: movetext,
        raw,
    } = to_movetext(&played, &[], black);
    items_are_those_of_the_parser(&movetext, &raw);
    assert_eq!(
        to_movetext(&again(&out), &[], black).text,
        movetext,
        "movetext of {text}"
    );
    (played, out)
}

const GREEK: &str = "R7/4k3/4N3/K2B4/8/8/8/5R2 w - - 0 1";

#[test]
fn indented_and_bracketed_solutions_are_the_same() {
    let texts = [
        "1.Nd4 !\n   1...Kd7\n      2.Nb5\n         2...Ke7\n            3.Rf7 #\n   1...Kd6\n      2.Rd8 +\n         2...Ke7\n            3.Nc6 #\n         2...Ke5\n            3.Nc6 #\n",
        "1.Nd4! Kd7 2.Nb5 Ke7 3.Rf7# 1...Kd6 2.Rd8+ Ke7 3.Nc6# 2...Ke5 3.Nc6#",
        "1.Sd4! Kd7 (1...Kd6 2.Rd8+ Ke7 (2...Ke5 3.Sc6#) 3.Sc6#) 2.Sb5 Ke7 3.Rf7#",
        "1.Se6-d4! (1...Ke7-d7 2.Sd4-b5 Kd7-e7 3.Rf1-f7 #)(1...Ke7-d6 2.Ra8-d8 + Kd6-e7/Kd6-e5 3.Sd4-c6 #)",
    ];
    let rules = rules_of_english();
    let solutions: Vec<String> = texts
        .iter()
        .map(|text| solved(GREEK, text, rules, false).1)
        .collect();
    insta::assert_snapshot!(solutions[0], @r"
    1.Sd4!
      1...Kd7 2.Sb5 Ke7 3.Rf7#
      1...Kd6 2.Rd8+
        2...Ke7 3.Sc6#
        2...Ke5 3.Sc6#
    ");
    for other in &solutions[1..] {
        assert_eq!(*other, solutions[0]);
    }
}

#[test]
fn set_play_tries_threats_and_zugzwang() {
    // Made up: a rook and a king against a king on the edge.
    let (_, text) = solved(
        "k7/8/2K5/8/8/8/1R6/8 w - - 0 1",
        "1...Ka7 2.Kc7 {wait}\n\n1.Kc7? zugzwang.\nbut 1...Ka7!\n\n1.Rb1! zugzwang.\n 1...Ka7 2.Kc7 Ka6 (2...Ka8 3.Ra1#)",
        rules_of_english(),
        false,
    );
    insta::assert_snapshot!(text, @r"
    1...Ka7 2.Kc7 {wait}

    1.Kc7? zugzwang.
    but
      1...Ka7!

    1.Rb1! zugzwang.
      1...Ka7 2.Kc7
        2...Ka6
        2...Ka8 3.Ra1#
    ");
    let (played, text) = solved(
        "6k1/8/6K1/8/8/8/8/R7 w - - 0 1",
        "1.Rb1! threat: 2.Rb8 #\n 1...Kf8 2.Rb8+ Ke7",
        rules_of_english(),
        false,
    );
    insta::assert_snapshot!(text, @r"
    1.Rb1! threat:
        2.Rb8#
      1...Kf8 2.Rb8+ Ke7
    ");
    assert_eq!(
        to_movetext(&played, &[], false).text,
        "1. Rb1 $1 Kf8 (1... -- 2. Rb8#) 2. Rb8+ Ke7"
    );
}

#[test]
fn help_play_and_series_play() {
    // Made up: the black king walks into a mate.
    let help = SolutionRules::new(ENGLISH, Color::Black, Color::Black);
    let (played, text) = solved(
        "8/8/8/8/8/5k2/8/R6K b - - 0 1",
        "1.Kf3-f2 Ra1-a3 2.Kf2-f1 Ra3-a1 #\n1.Kg3 Ra3+",
        help,
        false,
    );
    assert_eq!(text, "1.Kf2 Ra3 2.Kf1 Ra1+\n\n1.Kg3 Ra3+");
    assert_eq!(
        to_movetext(&played, &["two lines".to_owned()], true).text,
        "{two lines} 1... Kf2 (1... Kg3 2. Ra3+) 2. Ra3 Kf1 3. Ra1+"
    );
    let half = SolutionRules::new(ENGLISH, Color::Black, Color::White);
    let (played, text) = solved(
        "8/8/8/8/8/5k2/8/R6K w - - 0 1",
        "1...Ra1-a3 + 2.Kf2 Ra2+",
        half,
        false,
    );
    assert_eq!(text, "1...Ra3+ 2.Kf2 Ra2+");
    assert_eq!(to_movetext(&played, &[], false).text, "1. Ra3+ Kf2 2. Ra2+");
    let (played, text) = solved(
        "8/8/8/8/8/8/4P2k/K7 w - - 0 1",
        "1.e4 2.e5 3.e6 4.e7 5.e8=Q",
        rules_of_english(),
        true,
    );
    assert_eq!(text, "1.e4 2.e5 3.e6 4.e7 5.e8=Q");
    assert!(
        to_movetext(&played, &[], false)
            .text
            .starts_with("1. e4 -- 2. e5 --")
    );
}

#[test]
fn what_cannot_be_played_stays_text() {
    let start = position(GREEK);
    let rules = rules_of_english();
    let text = "a)\n1.Nd4! Kd7 2.Qh5 Kd8 3.Nb5 1...Kd6 2.Rd8+ Ke7 (a fine move) 3.Nc6#\n\nb) Ra8-->h8\n1.Nc7!";
    let (played, refused) = play(read(text, rules.first_depth), &start, rules);
    assert_eq!(refused, ["Qh5"]);
    assert_eq!(played.rest, "b) Ra8-->h8\n1.Nc7!");
    let out = printed(&played, rules, false);
    insta::assert_snapshot!(out, @r"
    a)
    1.Sd4!
      1...Kd7 {2.Qh5 Kd8 3.Nb5}
      1...Kd6 2.Rd8+ Ke7 {a fine move} 3.Sc6#

    b) Ra8-->h8
    1.Nc7!
    ");
    let (again, _) = play(read(&out, rules.first_depth), &start, rules);
    assert_eq!(printed(&again, rules, false), out);
    let (nothing, refused) = play(read("1.Qa1 Qa2", 2), &start, rules);
    assert!(nothing.is_empty() && refused == ["Qa1"], "{nothing:?}");
}

#[test]
fn hostile_solutions_are_cheap() {
    let mut deep = String::new();
    for n in 1..200_000 {
        let _ = write!(deep, "{n}.Kd{} ", n % 8 + 1);
    }
    let texts = [
        "(".repeat(TEXT_BYTES_MAX),
        "1.Nd4 (".repeat(100_000),
        "{".repeat(500_000),
        "1.a2/".repeat(100_000),
        "1...".repeat(200_000),
        "1.Ra1/Rb1/Rc1/Rd1 a1/b1/c1/d1 ".repeat(20_000),
        deep,
        "1.Nd4 Kd7 ".repeat(50_000),
        // A number and its dots far apart.
        format!("1.{}.Nd4", " ".repeat(TEXT_BYTES_MAX - 10)),
        // A pass that stands after many other first moves.
        "(1.Kb4)".repeat(49_000) + &"(1...Kd7)".repeat(49_000),
        // A long comment on what answers many moves.
        format!(
            "{}5.Kb5 {{{}}}",
            (1..5)
                .map(|n| format!("{n}.Ka1/Kb1/Kc1/Kd1/Ke1/Kf1 Ka8/Kb8/Kc8/Kd8/Ke8/Kf8 "))
                .collect::<Vec<_>>()
                .concat(),
            "x".repeat(TEXT_BYTES_MAX / 2)
        ),
    ];
    let start = position(GREEK);
    for text in texts {
        let begin = std::time::Instant::now();
        let read = read(&text, 2);
        let (played, _) = play(read, &start, rules_of_english());
        let _ = printed(&played, rules_of_english(), false);
        let movetext = to_movetext(&played, &[], false).text;
        assert!(movetext.len() <= 64 * text.len() + 512, "{}", &text[..40]);
        // Seconds where it was no more than linear; minutes or more where not.
        assert!(begin.elapsed().as_secs() < 60, "{}", &text[..40]);
    }
}

/// Alternatives of alternatives are kept as text before they outgrow it.
#[test]
fn alternatives_do_not_multiply_without_end() {
    let text = (1..30)
        .map(|n| format!("{n}.Ka1/Kb1/Kc1 Kh8/Kh7/Kh6 "))
        .collect::<Vec<_>>()
        .concat();
    let solution = read(&text, 2);
    assert!(
        solution.nodes.len() <= 2 * text.len() + 1,
        "{}",
        solution.nodes.len()
    );
    assert!(!solution.is_empty() || !solution.rest.is_empty());
}
