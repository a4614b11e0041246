//! Writes games of draughts as PDN 3.0, so that reading them again gives the
//! same games.
//!
//! What holds for PGN holds here: tags in stored order, comments and variations
//! as they were read, lines broken between words only. The differences:
//!
//! - Numbers belong to the side that begins, which is Black in some variants:
//!   `1. 11-15 23-19`; where only the other side's move follows, `1... 23-19`.
//! - A result that a reader could take for a move (`4-6`), or not know, stands in
//!   its tag alone, and the movetext ends with `*`, PDN's mark for the end of a game.
//! - A `%` opens a comment wherever there may be a blank, not only where a line
//!   begins.
//! - Comments that contain `}` can only be written to the end of their line, after
//!   a `;`, which is not PDN 3.0, but its readers' common ground.

use std::fmt::Write as _;

use super::{Movetext, is_after_result, text::Shape, write_tags};
use crate::{
    base::record::{Game, Item},
    pgn::tags::result::PDN_RESULTS,
};

/// How a game is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Options<'t> {
    /// The result as it shall stand behind the moves, in the style of the variant:
    /// `2-0`, `1-0`. One that is not among [`PDN_RESULTS`] is written `*`, as is an
    /// empty one; its tag keeps it.
    pub result: &'t str,
    /// Whether Black begins, so that White's moves are the second of each pair.
    /// Asked for only where a position is set up amid the moves.
    pub black_begins: bool,
}

/// Whether a result is one that ends movetext.
fn is_marker(result: &str) -> bool {
    result == "*" || PDN_RESULTS.contains(&result)
}

/// Appends a game and the blank line that follows it.
///
/// Of [`Game::first_move`], the number is that of the first pair, and the flag
/// says that its second side begins.
pub fn write(game: &Game, out: &mut String, options: Options<'_>) {
    write_tags(game, out, super::Options::default());
    let mut movetext = Movetext { out, column: 0 };
    let (mut number, mut second) = game.first_move;
    let mut interrupted = true;
    let mut after_result = false;
    let mut ended = false;
    for item in &game.items {
        match item {
            Item::Move(text) if text.starts_with('/') => {
                movetext.word(text);
                // A new position says who moves, perhaps the same side again.
                if let Some(black) = black_moves(text) {
                    let now_second = black != options.black_begins;
                    if second && !now_second {
                        number = number.saturating_add(1);
                    }
                    second = now_second;
                }
            }
            Item::Move(text) => {
                let mut word = String::with_capacity(text.len() + 6);
                // Behind a result a first move would begin the next game.
                let is_numbered = !(after_result && number == 1);
                if !second && is_numbered {
                    let _ = write!(word, "{number}. ");
                } else if interrupted && is_numbered {
                    let _ = write!(word, "{number}... ");
                }
                word.push_str(text);
                movetext.word(&word);
                if second {
                    number = number.saturating_add(1);
                }
                second = !second;
            }
            Item::Nag(value) => movetext.word(&format!("${value}")),
            Item::Comment(text) => comment(&mut movetext, text),
            Item::LineComment(text) => movetext.line_comments(text),
            Item::Variation(text) => {
                let closing = Shape::of(text).closing();
                movetext.word(&format!("({}{closing})", harmless(text)));
            }
            // The rest of the line would be gone with it.
            Item::Word(text) if text.starts_with('%') => comment(&mut movetext, text),
            Item::Word(text) => movetext.word(text),
            Item::Rest(text) => ended = rest(&mut movetext, text, options.result),
        }
        interrupted = !matches!(item, Item::Move(text) if !text.starts_with('/'))
            && !matches!(item, Item::Nag(_));
        after_result = is_after_result(item, after_result);
    }
    if !ended {
        movetext.word(if is_marker(options.result) {
            options.result
        } else {
            "*"
        });
    }
    if movetext.column > 0 {
        out.push('\n');
    }
    out.push('\n');
}

/// Whether Black moves in the position of `/FEN "B:…"/`, if it says.
fn black_moves(setup: &str) -> Option<bool> {
    let fen = setup.split('"').nth(1)?;
    match fen.trim_start().as_bytes().first()? {
        b'W' | b'w' => Some(false),
        b'B' | b'b' => Some(true),
        _ => None,
    }
}

fn comment(movetext: &mut Movetext<'_>, text: &str) {
    if text.contains('}') {
        movetext.line_comments(text);
    } else {
        movetext.word(&format!("{{{}}}", harmless(text)));
    }
}

/// The text with a blank before what would begin a tag section at the beginning
/// of a line: a reader that has lost its way takes heart from such lines. Commands
/// (`[%clk …]`) are none, and nothing that was read from a file has others.
fn harmless(text: &str) -> std::borrow::Cow<'_, str> {
    let opens = |line: &str| line.starts_with('[') && !line.starts_with("[%");
    if !text.split('\n').skip(1).any(opens) {
        return text.into();
    }
    let mut lines = String::with_capacity(text.len() + text.len() / 8);
    for (place, line) in text.split('\n').enumerate() {
        if place > 0 {
            lines.push('\n');
            if opens(line) {
                lines.push(' ');
            }
        }
        lines.push_str(line);
    }
    lines.into()
}

/// Writes what could not be played; whether it brought its own result.
fn rest(movetext: &mut Movetext<'_>, text: &str, result: &str) -> bool {
    movetext.rest(text);
    let shape = Shape::of(text);
    let last = shape.last_word();
    !last.is_empty() && (is_marker(last) || last == result)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::record::Script;
    use crate::base::record::{GameHeader, Outcome};

    fn game(tags: &[(&str, &str)], items: Vec<Item>) -> Game {
        Game {
            header: GameHeader::default(),
            tags: tags
                .iter()
                .map(|&(name, value)| (name.to_owned(), value.to_owned()))
                .collect(),
            first_move: (1, false),
            items,
            outcome: Outcome::First,
            script: Script::Pdn,
            ..Game::default()
        }
    }

    fn moves(text: &str) -> Vec<Item> {
        text.split_whitespace()
            .map(|word| Item::Move(word.to_owned()))
            .collect()
    }

    fn options(result: &str) -> Options<'_> {
        Options {
            result,
            black_begins: false,
        }
    }

    fn text(game: &Game, options: Options<'_>) -> String {
        let mut out = String::new();
        write(game, &mut out, options);
        out
    }

    fn movetext(items: Vec<Item>) -> String {
        text(&game(&[], items), options("2-0"))
    }

    #[test]
    fn tags_and_moves() {
        let tags = [
            ("Event", "A \"B\" C:\\d"),
            ("GameType", "20"),
            ("Result", "2-0"),
        ];
        insta::assert_snapshot!(
            text(&game(&tags, moves("32-28 19-23 28x19 14x23")), options("2-0")),
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
        let mut items = vec![Item::Comment("start".into())];
        items.extend(moves("32-28"));
        items.push(Item::Nag(1));
        items.extend(moves("19-23 28x19"));
        items.push(Item::Variation("2. 33-29 23x32".into()));
        items.extend(moves("14x23 37-32"));
        items.push(Item::LineComment(" to the end".into()));
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
        assert_eq!(
            text(&late, options("1-1")),
            "34... 7-11 35. 26-21 12-18 1-1\n\n"
        );
        assert_eq!(movetext(Vec::new()), "2-0\n\n");
    }

    #[test]
    fn positions_set_up_say_who_moves() {
        let setup = |fen: &str| Item::Move(format!("/FEN \"{fen}\"/"));
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
        let english = Options {
            result: "1-0",
            black_begins: true,
        };
        let written = text(&game(&[], items), english);
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
            let written_game = text(&game(&[], moves("32-28")), options(result));
            assert_eq!(written_game, format!("1. 32-28 {written}\n\n"));
        }
    }

    #[test]
    fn the_rest_is_verbatim_and_its_result_is_not_repeated() {
        let rest = |text_of: &str, result: &str| {
            let mut items = moves("32-28 19-23");
            items.push(Item::Rest(text_of.into()));
            text(&game(&[], items), options(result))
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
            Item::Comment("a } b\nc".into()),
            Item::Word("%hidden".into()),
            Item::Move("32-28".into()),
            Item::Comment("one\n[Event \"x\"]\n[%clk 0:01]".into()),
            Item::Comment("x".repeat(66)),
            Item::Word("[odd".into()),
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
        /// All that was given is there, in its order.
        #[test]
        fn nothing_is_lost(
            choices in proptest::collection::vec((0_u8..6, "[a-z0-9 -]{1,90}"), 0..60),
        ) {
            let items: Vec<_> = choices
                .into_iter()
                .map(|(kind, text)| match kind {
                    0 => Item::Comment(text),
                    1 => Item::Variation(text),
                    2 => Item::Word(text.replace(' ', "_")),
                    _ => Item::Move("32-28".to_owned()),
                })
                .collect();
            let written = movetext(items.clone());
            let mut rest = written.as_str();
            for item in &items {
                let wanted = match item {
                    Item::Comment(text) => format!("{{{text}}}"),
                    Item::Variation(text) => format!("({text})"),
                    Item::Word(text) | Item::Move(text) => text.clone(),
                    _ => continue,
                };
                let at = rest.find(&wanted);
                proptest::prop_assert!(at.is_some(), "{wanted} in {rest}");
                rest = &rest[at.unwrap_or_default() + wanted.len()..];
            }
            proptest::prop_assert!(rest.ends_with("2-0\n\n"));
        }
    }
}
