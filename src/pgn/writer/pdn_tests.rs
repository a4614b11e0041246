//! Games of draughts, written as PDN.

use super::*;
use crate::base::record::GameFormat;
use crate::base::record::{GameHeader, Outcome};

fn game(tags: &[(&str, &str)], items: Vec<MovetextItem>) -> GameRecord {
    GameRecord {
        header: GameHeader::default(),
        tags: tags
            .iter()
            .map(|&(name, value)| (name.to_owned(), value.to_owned()))
            .collect(),
        first_move: (1, false),
        items,
        outcome: Outcome::First,
        script: GameFormat::Pdn,
        ..GameRecord::default()
    }
}

fn moves(text: &str) -> Vec<MovetextItem> {
    text.split_whitespace()
        .map(|word| MovetextItem::Move(word.to_owned()))
        .collect()
}

fn text(game: &GameRecord, result: &str) -> String {
    let mut game = game.clone();
    game.pdn.result = result.to_owned();
    let mut out = String::new();
    write(&game, &mut out);
    out
}

fn movetext(items: Vec<MovetextItem>) -> String {
    text(&game(&[], items), "2-0")
}

#[test]
fn tags_and_moves() {
    let tags = [
        ("Event", "A \"B\" C:\\d"),
        ("GameType", "20"),
        ("Result", "2-0"),
    ];
    insta::assert_snapshot!(
        text(&game(&tags, moves("32-28 19-23 28x19 14x23")), "2-0"),
        @r#"
    [Event "A \"B\" C:\\d"]
    [GameType "20"]
    [Result "2-0"]

    1. 32-28 19-23 2. 28x19 14x23 2-0
    "#
    );
}

#[test]
fn numbers_after_interruptions() {
    let mut items = vec![MovetextItem::Comment("start".into())];
    items.extend(moves("32-28"));
    items.push(MovetextItem::Nag(1));
    items.extend(moves("19-23 28x19"));
    items.push(MovetextItem::Variation("2. 33-29 23x32".into()));
    items.extend(moves("14x23 37-32"));
    items.push(MovetextItem::LineComment(" to the end".into()));
    items.extend(moves("10-14 -- 5-10"));
    insta::assert_snapshot!(movetext(items), @"
    {start} 1. 32-28 $1 19-23 2. 28x19 (2. 33-29 23x32) 2... 14x23 3. 37-32
    ; to the end
    3... 10-14 4. -- 5-10 2-0
    ");
}

#[test]
fn the_second_side_may_begin() {
    let mut late = game(&[], moves("7-11 26-21 12-18"));
    late.first_move = (34, true);
    assert_eq!(text(&late, "1-1"), "34... 7-11 35. 26-21 12-18 1-1\n\n");
    assert_eq!(movetext(Vec::new()), "2-0\n\n");
}

#[test]
fn positions_set_up_say_who_moves() {
    let setup = |fen: &str| MovetextItem::Move(format!("/FEN \"{fen}\"/"));
    let mut items = moves("32-28");
    items.push(setup("W:W28,31:B1"));
    items.extend(moves("28-23"));
    items.push(setup("B::"));
    items.extend(moves("1-6 31-27"));
    items.push(setup("B:W27:B6"));
    items.extend(moves("6-11"));
    assert_eq!(
        movetext(items.clone()),
        "1. 32-28 /FEN \"W:W28,31:B1\"/ 2. 28-23 /FEN \"B::\"/ 2... 1-6 3. 31-27\n\
         /FEN \"B:W27:B6\"/ 3... 6-11 2-0\n\n"
    );
    let mut english = game(&[], items);
    english.pdn.black_begins = true;
    let written = text(&english, "1-0");
    assert!(written.starts_with("1. 32-28 /FEN \"W:W28,31:B1\"/ 1... 28-23 "));
}

#[test]
fn results_that_look_like_moves_stay_in_their_tag() {
    for (result, written) in [
        ("1-0", "1-0"),
        ("2-0", "2-0"),
        ("1-1", "1-1"),
        ("0-0", "0-0"),
        ("*", "*"),
        ("", "*"),
        ("4-6", "*"),
        ("1 1/2 - 1/2", "*"),
        ("1+ - 1-", "*"),
    ] {
        let written_game = text(&game(&[], moves("32-28")), result);
        assert_eq!(written_game, format!("1. 32-28 {written}\n\n"));
    }
}

#[test]
fn the_rest_is_verbatim_and_its_result_is_not_repeated() {
    let rest = |text_of: &str, result: &str| {
        let mut items = moves("32-28 19-23");
        items.push(MovetextItem::Rest(text_of.into()));
        text(&game(&[], items), result)
    };
    let start = "1. 32-28 19-23";
    assert_eq!(rest("40-1  2-0", "2-0"), format!("{start} 40-1  2-0\n\n"));
    assert_eq!(rest("40-1 4-6", "4-6"), format!("{start} 40-1 4-6\n\n"));
    assert_eq!(rest("40-1", "2-0"), format!("{start} 40-1 2-0\n\n"));
    assert_eq!(
        rest("40-1 {2-0", "2-0"),
        format!("{start} 40-1 {{2-0}} 2-0\n\n")
    );
    assert_eq!(
        rest("40-1 (3-8", "2-0"),
        format!("{start} 40-1 (3-8) 2-0\n\n")
    );
}

#[test]
fn nothing_opens_what_it_should_not() {
    let items = vec![
        MovetextItem::Comment("a } b\nc".into()),
        MovetextItem::Word("%hidden".into()),
        MovetextItem::Move("32-28".into()),
        MovetextItem::Comment("one\n[Event \"x\"]\n[%clk 0:01]".into()),
        MovetextItem::Comment("x".repeat(66)),
        MovetextItem::Word("[odd".into()),
    ];
    insta::assert_snapshot!(movetext(items), @r#"
    ;a } b
    ;c
    {%hidden} 1. 32-28 {one
     [Event "x"]
    [%clk 0:01]}
    {xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx} [odd 2-0
    "#);
}

proptest::proptest! {
    /// All that was given is present, in its order.
    #[test]
    fn nothing_is_lost(
        choices in proptest::collection::vec((0_u8..6, "[a-z0-9 -]{1,90}"), 0..60),
    ) {
        let items: Vec<_> = choices
            .into_iter()
            .map(|(kind, text)| match kind {
                0 => MovetextItem::Comment(text),
                1 => MovetextItem::Variation(text),
                2 => MovetextItem::Word(text.replace(' ', "_")),
                _ => MovetextItem::Move("32-28".to_owned()),
            })
            .collect();
        let written = movetext(items.clone());
        // A variation may be broken wherever it has a blank.
        let single_blanks = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let written = single_blanks(&written);
        let mut rest = written.as_str();
        for item in &items {
            let wanted = single_blanks(&match item {
                MovetextItem::Comment(text) => format!("{{{text}}}"),
                MovetextItem::Variation(text) => format!("({text})"),
                MovetextItem::Word(text) | MovetextItem::Move(text) => text.clone(),
                _ => continue,
            });
            let at = rest.find(&wanted);
            proptest::prop_assert!(at.is_some(), "{wanted} in {rest}");
            rest = &rest[at.unwrap_or_default() + wanted.len()..];
        }
        proptest::prop_assert!(rest.ends_with("2-0"));
    }
}
