//! The rules of `docs/reading-pdn.md` one by one.

use super::{Seen, Syntax, read, read_with};
use crate::pgn::parser::{ItemKind, Parser, RawGame};

/// The games of a text in a file of draughts.
fn games(text: &str) -> Vec<Seen> {
    read_with(text.as_bytes(), Syntax::Pdn)
}

/// The only game of a movetext after a tag.
fn game(movetext: &str) -> Seen {
    let mut games = games(&format!("[GameType \"20\"]\n\n{movetext}\n"));
    assert_eq!(games.len(), 1, "{movetext:?}: {games:?}");
    games.remove(0)
}

fn items(movetext: &str) -> String {
    game(movetext).items
}

/// D1: every way to write a move is one word.
#[test]
fn moves() {
    for word in [
        "32-28",
        "32x23",
        "32:23",
        "06-11",
        "1 - 5",
        "3228",
        "a3b4",
        "A3-B4",
        "11x18x25",
        "a1:e5:h8",
        "9-18-27",
        "18:27:38",
        "32X23",
        "32‑28",
        "32–28",
        "32−28",
        "11x18",
        "l1-k2",
        "47x36 <42,29,14,31>",
        "5- 1",
        "21 -27",
        "32х23",
        "32×23",
        "f5",
    ] {
        assert_eq!(
            items(&format!("1. {word} 19-23 *")),
            format!("1.{word} 19-23")
        );
    }
    assert_eq!(items("5. 11x18 18x25 6. 1-6 *"), "5.11x18 18x25 6.1-6");
}

/// D2, and L6 of PGN: signs and digits of Chinese and Japanese.
#[test]
fn numbers_are_written_as_in_chinese_and_japanese() {
    for (text, expected) in [
        ("1、32-28 19-23 2、28x19 *", "1.32-28 19-23 2.28x19"),
        ("１．32-28 19-23 ２。 28x19 *", "1.32-28 19-23 2.28x19"),
        ("１２．c3-d4 d6-c5 １３、b2-c3 *", "12.c3-d4 d6-c5 13.b2-c3"),
    ] {
        assert_eq!(items(text), expected, "{text}");
    }
    let starred = games("1、32-28 19-23 *\n１．32-28 *\n");
    assert_eq!(starred.len(), 2, "{starred:?}");
}

/// D2, D3: numbers and moves that touch.
#[test]
fn glue() {
    assert_eq!(items("9.37-32 21,44-39 8-12 *"), "9.37-32 21.44-39 8-12");
    assert_eq!(items("25 . 29x18 1... 7-12 *"), "25.29x18 1.7-12");
    assert_eq!(items("4-822-17 12-16 *"), "4-8 22-17 12-16");
    assert_eq!(items("1-52x9 12-16 *"), "1-52x9 12-16");
    assert_eq!(items("07. 1- 7 2 -7 *"), "7.1- 7 2 -7");
    let mangled = game("40. 23x12 17x81 / 2-1 / 2");
    assert_eq!(mangled.items, "40.23x12 17x8");
    assert_eq!(mangled.termination.as_deref(), Some("1 / 2-1 / 2"));
    for text in ["40. 23x12 17x81/2-1/2", "40. 23x12 17x81/2 - 1/2"] {
        let glued = game(text);
        assert_eq!(glued.words, ["23x12", "17x8"]);
        assert_eq!(glued.termination.as_deref(), text.get(14..));
    }
    assert_eq!(game("1. b4xd61/2-1/2").words, ["b4xd6"]);
    let glued = game("40. 23x12 17x81-0");
    assert_eq!(glued.words, ["23x12", "17x8"]);
    assert_eq!(glued.termination.as_deref(), Some("1-0"));
}

/// D4: results of all systems end a game.
#[test]
fn results() {
    for result in [
        "1-0",
        "0-1",
        "1/2-1/2",
        "2-0",
        "0-2",
        "1-1",
        "0-0",
        "½-½",
        "1 / 2-1 / 2",
        "1+ - 1-",
        "1- - 1+",
        "1 1/2 - 1/2",
        "1.01-0.99",
        "-",
        "*",
        "0.5-0.5",
        "1 - 0",
        "1/2",
        "2:0",
    ] {
        let seen = game(&format!("1. 32-28 19-23 {result}"));
        assert_eq!(seen.items, "1.32-28 19-23", "{result}");
        assert_eq!(seen.termination.as_deref(), Some(result));
        assert!(
            seen.diagnostics.is_empty(),
            "{result}: {:?}",
            seen.diagnostics
        );
        let seen = game(&format!("1. 32-28 {result} {{done}}"));
        assert_eq!(seen.items, "1.32-28 {done}", "{result}");
        assert_eq!(seen.termination.as_deref(), Some(result));
    }
    // Only the tag shows that these are no moves.
    for result in ["4-6", "1-9", "38-26"] {
        let tagged = format!("[GameType \"20\"]\n[Result \"{result}\"]\n\n1. 32-28 {result}\n");
        let seen = &games(&tagged)[0];
        assert_eq!(seen.termination.as_deref(), Some(result));
        let commented = tagged.replace(&format!(" {result}\n"), &format!(" {result} {{x}}\n"));
        assert_eq!(games(&commented)[0].termination.as_deref(), Some(result));
        assert_eq!(game(&format!("1. 32-28 {result}")).words, ["32-28", result]);
        let early = tagged.replace("1. 32-28", &format!("1. {result} 32-28"));
        assert_eq!(games(&early)[0].words, [result, "32-28"]);
    }
    // In the middle they are text, and the game goes on.
    let mid = game("1. 32-28 2-0 19-23 0-2");
    assert_eq!(mid.items, "1.32-28 =2-0 19-23");
    assert_eq!(mid.diagnostics, ["result-mid"]);
    assert_eq!(items("1. 2-0"), "");
    assert_eq!(
        items("1. 32-28 (1. 33-29 2-0) 19-23 *"),
        "1.32-28 ( 1.33-29 =2-0 ) 19-23"
    );
}

/// D5: the star.
#[test]
fn stars() {
    let glued = game("5. 15-24 27-20* {28-19 loses} 6. 4-8 26-22 * 1/2-1/2");
    assert_eq!(glued.items, "5.15-24 27-20 $7 {28-19 loses} 6.4-8 26-22 $7");
    assert_eq!(glued.termination.as_deref(), Some("1/2-1/2"));
    assert_eq!(
        items("1. 32-28 * 19-23 2. 28x19 *"),
        "1.32-28 $7 19-23 2.28x19"
    );
    assert_eq!(
        items("1. 32-28 19-23 * {x} $3 2. 28x19 *"),
        "1.32-28 19-23 $7 {x} $3 2.28x19"
    );
    assert_eq!(
        items("1. 32-28 (1. 33-29 *) 19-23 *"),
        "1.32-28 ( 1.33-29 $7 ) 19-23"
    );
    for text in [
        "32-28 19-23 *\n\n33-29 *",
        "1. 32-28 19-23 * 1. 33-29 *",
        "1. 32-28 * {x} 1. 33-29",
        "1. 32-28 *\n1. 33-29 *",
        "1. 32-28 *\n\n1. 33-29",
    ] {
        let games = games(text);
        assert_eq!(games.len(), 2, "{text:?}: {games:?}");
        assert_eq!(games[0].termination.as_deref(), Some("*"));
    }
}

/// D5, D6: marks, glyphs, text without braces.
#[test]
fn marks_and_text() {
    assert_eq!(
        items("1. 32-28!? 19-23(!?!!!) 2. 28x19(?) $7 14x23! *"),
        "1.32-28 $5 19-23 $5 2.28x19 $2 $7 14x23 $1"
    );
    let text = game("1. 8-11Redoverstepped the time control. 22-17 White resigns 1-0");
    assert_eq!(
        text.items,
        "1.8-11 {Redoverstepped the time control.} 22-17 {White resigns}"
    );
    assert_eq!(text.diagnostics, ["loose-text", "loose-text"]);
    let nested = game("1. 33-29 { nested { comment } } 19-23 *");
    assert_eq!(nested.items, "1.33-29 { nested { comment } 19-23");
    assert_eq!(nested.diagnostics, ["stray-closer"]);
    assert_eq!(
        items("1. 33-29 ; to the end\n19-23 % also\n*"),
        "1.33-29 ; to the end 19-23 ; also"
    );
    assert_eq!(
        items("1. 33-29\\r\n19-23\\r\n\\n2. 29x18&nbsp;12x23 *"),
        "1.33-29 19-23 2.29x18 12x23"
    );
}

/// D7: moves that are not known.
#[test]
fn unknown_moves() {
    assert_eq!(items("41. - - 42. 1-6 *"), "41.- - 42.1-6");
    assert_eq!(items("1. ... 7-12 2. 1-7 *"), "1.7-12 2.1-7");
    assert_eq!(items("1. 32-28 ... 2. 37-32 *"), "1.32-28 ... 2.37-32");
    assert_eq!(items("1. 32-28 {x} ... 19-23 *"), "1.32-28 {x} 19-23");
}

/// D8: positions set up.
#[test]
fn setups() {
    assert_eq!(
        items("1. 32-28 /FEN \"B:W28,31-36:B1-20\"/ 19-23 /FEN \"B::\"/ *"),
        "1.32-28 /B:W28,31-36:B1-20/ 19-23 /B::/"
    );
}

/// D9: variations.
#[test]
fn variations() {
    assert_eq!(
        items("32-28 19-23 (18-23 38-32 (37-32? 23-29! { Black wins }) 12-18) 28x19 14x23"),
        "32-28 19-23 ( 18-23 38-32 ( 37-32 $2 23-29 $1 { Black wins } ) 12-18 ) 28x19 14x23"
    );
    assert_eq!(
        items("4. 9-13 1-5 ( { text } 4... 1-6) 5. 2-7 *"),
        "4.9-13 1-5 ( { text } 4.1-6 ) 5.2-7"
    );
    assert_eq!(
        items("1. 9-13 (only text) () ({one}) 1-5 *"),
        "1.9-13 {only text} {one} 1-5"
    );
    let first = game("( ( 1. g3-h4 b6-a5 ) ) 1. c3-d4 *");
    assert_eq!(first.items, "{ 1. g3-h4 b6-a5 } 1.c3-d4");
    assert_eq!(game("1. 9-13 (1. 9-14").items, "1.9-13 ( 1.9-14 )");
}

/// R1, R2: where records begin.
#[test]
fn records() {
    let found = games(
        "[Event \"a\"]\n1. 9-13 0-1[Event \"b\"]\n1. 9-14 1-0\n\n36x27 1-0\n\n[FEN \"W:W1:B2\"] *\n[FEN \"W:W1:B3\"] *\n",
    );
    assert_eq!(found.len(), 5, "{found:?}");
    assert_eq!(found[2].words, ["36x27"]);
    assert_eq!(found[4].tags[0].1, "W:W1:B3");
    // Only the last one shows that it is of draughts.
    assert_eq!(read(b"1.32-28 1/2-1/2")[0].words, ["32-28"]);
    assert_eq!(read(b"32-28 19-23 28x19")[0].words.len(), 3);
    assert_eq!(
        games("[Event \"a\"]\n\n[Event \"b\"]\n[Event \"c\"]\n1. 9-13").len(),
        2
    );
    assert_eq!(games("1. ... 7-12 *").len(), 1);
    assert!(games("no game here\n").is_empty());
}

/// R3: tags as they come.
#[test]
fn tags() {
    let names = |text: &str| -> Vec<String> {
        let games = games(text);
        assert_eq!(games.len(), 1, "{text}: {games:?}");
        games[0]
            .tags
            .iter()
            .map(|(name, value)| format!("{name}={value}"))
            .collect()
    };
    assert_eq!(
        names(
            "[Событие \"a [b]\"] [Сайт \"\"] [Результат «1 / 2-1 / 2»] [GameType\" 20 \"] 1. 9-13"
        ),
        [
            "Событие=a [b]",
            "Сайт=",
            "Результат=1 / 2-1 / 2",
            "GameType= 20 "
        ]
    );
    assert_eq!(
        names("[Event       “x y”]\n[Site „z”]\n1. 9-13"),
        ["Event=x y", "Site=z"]
    );
    assert_eq!(
        names("[&#x00c9;v&#x00e9;nement \"d&#x00e9;fi &x;\"]\\r\n[Type de jeu \"20\"]\\r\n1. 9-13"),
        ["&#x00c9;v&#x00e9;nement=défi &x;", "Type de jeu=20"]
    );
    assert_eq!(
        names("[Event \"x\"]\\n[Site \"y\"]\\n\\n1. 9-13 *\\n"),
        ["Event=x", "Site=y"]
    );
    let text = b"[Event \"a\"]\n[Event \"b\"]\n1. 9-13";
    let mut raw = RawGame::default();
    assert!(Parser::with_hint(text, Syntax::Pdn).next_game(&mut raw));
    assert_eq!(raw.tag(text, "event"), Some(&b"a"[..]), "the first counts");
}

/// R4: the syntax of each game, and of what does not show it.
#[test]
fn syntaxes() {
    let syntaxes = |text: &[u8], hint| {
        let mut parser = Parser::with_hint(text, hint);
        let mut raw = RawGame::default();
        let mut found = Vec::new();
        while parser.next_game(&mut raw) {
            found.push(raw.syntax);
        }
        found
    };
    let text =
        b"[A \"1\"]\n\n1. e4 *\n\n[A \"2\"]\n\n1. 32-28 *\n\n[A \"3\"]\n\n1-0\n\n[A \"4\"]\n";
    let (chess, draughts) = (Syntax::Pgn, Syntax::Pdn);
    assert_eq!(syntaxes(text, chess), [chess, draughts, chess, chess]);
    assert_eq!(
        syntaxes(text, draughts),
        [chess, draughts, draughts, draughts]
    );
}

#[test]
fn insides_of_variations() {
    let mut raw = RawGame::default();
    let text = b"4... 1-6 (5. 2-7) 2-0 3-8";
    Parser::variation(text, Syntax::Pdn, &mut raw);
    let words = raw.items.iter().filter(|item| item.kind == ItemKind::Word);
    assert_eq!(words.count(), 3);
    assert_eq!(raw.items[0].value, 4);
}

/// Games and items of a text, without looking at them: to write down nested
/// variations would take longer than to read them.
fn count(text: &str, hint: Syntax) -> (usize, usize) {
    let mut parser = Parser::with_hint(text.as_bytes(), hint);
    let mut raw = RawGame::default();
    let (mut games, mut items) = (0, 0);
    while parser.next_game(&mut raw) {
        games += 1;
        items += raw.items.len();
    }
    (games, items)
}

/// Text made to hurt takes no longer than it must.
#[test]
fn hostile() {
    let count_in = |body: &str| {
        let text = format!("[GameType \"20\"]\n\n1. 32-28 {body}");
        count(&text, Syntax::Pdn)
    };
    let deep = "(32-28 ".repeat(10_000) + &")".repeat(10_000) + " 1-6 *";
    assert_eq!(count_in(&deep), (1, 30_002));
    assert_eq!(count_in(&"(32-28 ".repeat(1_000_000)), (1, 3_000_001));
    for unit in [
        "(",
        ")",
        "()",
        "{",
        "}",
        "{}",
        "({",
        "({}",
        "* ",
        "* {x",
        "* {x} ",
        "*{}",
        "! ",
        "1-",
        "1",
        "1-1 ",
        "/FEN \"",
        "<",
        "<1",
        "- ",
        ". ",
        "a",
        "a1",
        "x ",
        "4-822-17",
        "123-",
        "17x81 / 2-1 / 2 ",
        "1-a1-",
        "a1-1x",
        "17x81/2",
        "&",
        "&#",
        "\\n",
        "[",
        "[\u{2}",
        "[&",
        "[é",
        "[é \"",
        "“",
        "[a “",
        "1. ",
        "½",
        "2-0 {",
        "2-0 {} ",
        "4-6 {}",
        ";",
        "% ",
        "\n\n",
        "x1 ",
        "<1> ",
        "1 ",
        "\u{a0}",
    ] {
        count_in(&unit.repeat(300_000));
        count(&unit.repeat(300_000), Syntax::Pgn);
        count(&unit.repeat(300_000), Syntax::Pdn);
    }
    for head in ["(", "((", "({}", "* ", "(1-6 "] {
        count_in(&(head.repeat(100_000) + &"{}".repeat(100_000) + &")".repeat(100_000)));
    }
}
