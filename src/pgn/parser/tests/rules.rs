//! The rules of `docs/reading-pgn.md`, by number.

use super::{items, one, read};

fn tags(text: &str) -> Vec<(String, String)> {
    one(&format!("{text}\n\n1. e4 *\n")).tags
}

fn pairs(found: &[(String, String)]) -> Vec<(&str, &str)> {
    found
        .iter()
        .map(|(name, value)| (name.as_str(), value.as_str()))
        .collect()
}

#[test]
fn l2_blanks_and_newlines() {
    for newline in ["\n", "\r\n", "\r"] {
        let text = "[Event \"x\"]\n[Site \"y\"]\n\n1. e4 ; a\ne5 *\n\n[Event \"z\"]\n\n1. d4 *\n";
        let games = read(text.replace('\n', newline).as_bytes());
        assert_eq!(games.len(), 2, "{newline:?}");
        assert_eq!(games[0].tags.len(), 2);
        assert_eq!(games[0].items, "1.e4 ; a e5");
    }
    assert_eq!(
        items("1.\u{a0}e4\u{a0}e5\u{200b}2.\u{feff}Nf3\u{2028}Nc6 *"),
        "1.e4 e5 2.Nf3 Nc6"
    );
    let latin = read(b"[Event \"x\"]\n\n1.\xA0e4\xA0e5 *");
    assert_eq!(latin[0].words, ["e4", "e5"]);
    let marked = read("\u{feff}[A \"x\"]\n\n1. e4 *\n\n\u{feff}[A \"y\"]\n\n1. d4 *".as_bytes());
    assert_eq!(marked.len(), 2);
    assert!(marked[1].diagnostics.is_empty(), "{marked:?}");
}

#[test]
fn l3_escape_only_in_column_one() {
    assert_eq!(items("1. e4\n% 2. d4 {\ne5 *"), "1.e4 e5");
    assert_eq!(items("1. e4 % d5\ne5 *"), "1.e4 d5 e5");
}

#[test]
fn l4_comments_end_where_they_should() {
    assert_eq!(
        items("1. e4 {a ; ( [Event \"x\"]\n\n b} e5 *"),
        "1.e4 {a ; ( [Event \"x\"]\n\n b} e5"
    );
    let lost = "[A \"1\"]\n\n1. e4 {oops e5 *\n\n[A \"2\"]\n\n1. d4 {fine} d5 *\n";
    let games = read(lost.as_bytes());
    assert_eq!(games.len(), 2);
    assert_eq!(games[0].items, "1.e4 {oops e5 *}");
    assert_eq!(games[0].diagnostics, ["unclosed-comment", "result-missing"]);
    assert_eq!(games[1].items, "1.d4 {fine} d5");
    // Without another comment, the brace that closes it may be its own.
    let own = read(b"[A \"1\"]\n\n1. e4 {x\n\n[A \"2\"]\n\n1. d4 } e5 *\n");
    assert_eq!(own.len(), 1);
}

#[test]
fn l5_line_comments() {
    assert_eq!(items("1. e4;best {by\ne5 *"), "1.e4 ;best {by e5");
}

#[test]
fn l6_numbers_are_maximal_runs() {
    assert_eq!(items("10000. e4 e5 *"), "10000.e4 e5");
    assert_eq!(items("1. e4 0000 2. 0-0 0-0-0 *"), "1.e4 0000 2.0-0 0-0-0");
    assert_eq!(
        items("1) e4 1) e5 2: Nf3 2:Nc6 3Bb5 *"),
        "1.e4 1.e5 2.Nf3 2.Nc6 3.Bb5"
    );
    assert_eq!(
        items("1... e5 2 . Nf3 3. ... a6 4….d4 5…d5 *"),
        "1.e5 2.Nf3 3.a6 4.d4 5.d5"
    );
    assert_eq!(items("99999999999. e4 *"), format!("{}.e4", u32::MAX));
}

#[test]
fn l6_numbers_are_written_as_in_chinese_and_japanese() {
    for (text, expected) in [
        ("1、e4 e5 2、Nf3 *", "1.e4 e5 2.Nf3"),
        ("1．e4 1．．．e5 2。 Nf3 2｡Nc6 *", "1.e4 1.e5 2.Nf3 2.Nc6"),
        ("１．e4 e5 １２、0-0 １３.d4 *", "1.e4 e5 12.0-0 13.d4"),
        ("１ e4 e5 ２Nf3 *", "1.e4 e5 2.Nf3"),
        ("1：e4 e5 2，Nf3 *", "1.e4 e5 2.Nf3"),
        ("1、炮二平五 马8进7 *", "1.炮二平五 马8进7"),
        // A year that is none of a move's numbers, a time and a month.
        ("1、e4 e5 ２０２４ Nf3 *", "1.e4 e5 ２０２４ Nf3"),
        ("1、e4 １月 *", "1.e4 １月"),
    ] {
        assert_eq!(items(text), expected, "{text}");
    }
    let games = read("1、e4 e5 1-0\n１、d4 d5 2、c4 0-1\n".as_bytes());
    assert_eq!(games.len(), 2);
    let games = read("1、e4 e5 2、Nf3\n1、d4 d5 2、c4\n".as_bytes());
    assert_eq!(games.len(), 2);
}

#[test]
fn m10b_digits_are_a_number_that_is_due_or_text() {
    for (text, expected) in [
        (
            "1. e4 e5 2. Nf3 9999 (2. d4) 1984 *",
            "1.e4 e5 2.Nf3 9999 ( 2.d4 ) 1984",
        ),
        ("1. e4 2014 e5 12 2. Nf3 *", "1.e4 2014 e5 12 2.Nf3"),
        (
            "1 e4 1 e5 2 Nf3 (2 d4 d5 3 c4 c6 4 Nc3) 2 Nc6 3 *",
            "1.e4 1.e5 2.Nf3 ( 2.d4 d5 3.c4 c6 4.Nc3 ) 2.Nc6",
        ),
        ("e4 e5 2 Nf3 3 Nc6 *", "e4 e5 2.Nf3 3.Nc6"),
        (
            "17 e4 e5 17a6 18…Nf6 20 ... d5 *",
            "17.e4 e5 17.a6 18.Nf6 20.d5",
        ),
        ("1. e4 e5 7 pawns *", "1.e4 e5 7 pawns"),
        ("4294967295. e4 7 e5 *", "4294967295.e4 7 e5"),
    ] {
        assert_eq!(items(text), expected, "{text}");
    }
}

#[test]
fn l7_results_stick_to_moves() {
    for (text, word, result) in [
        ("a6*", "a6", "*"),
        ("O-O1-0", "O-O", "1-0"),
        ("0-00-1", "0-0", "0-1"),
        ("Nf31/2-1/2", "Nf3", "1/2-1/2"),
        ("Qxf7#1-0", "Qxf7#", "1-0"),
        ("Ng1-f31/2", "Ng1-f3", "1/2"),
    ] {
        let game = one(&format!("[A \"x\"]\n\n1. {text}\n"));
        assert_eq!(
            (game.words.as_slice(), game.termination.as_deref()),
            (&[word.to_owned()][..], Some(result))
        );
    }
    assert_eq!(items("1. e4e5 2. Nf3Nc6 *"), "1.e4e5 2.Nf3Nc6");
    assert_eq!(items("1. 0-0-0 0-0 *"), "1.0-0-0 0-0");
}

#[test]
fn l8_l9_angles_and_stray_closers() {
    assert_eq!(items("1. e4 <reserved 5> e5 > < 2. d4 *"), "1.e4 e5 2.d4");
    let game = one("[A \"x\"]\n\n1. e4 ) e5 } ] *");
    assert_eq!(game.items, "1.e4 e5");
    assert_eq!(
        game.diagnostics,
        ["stray-closer", "stray-closer", "stray-closer"]
    );
}

#[test]
fn t1_tags_in_any_layout() {
    assert_eq!(
        pairs(&tags("  [ A  \"1\" ]  [B \"2\"][C\"3\"]\n\n{c}\n[D \"4\"]")),
        [("A", "1"), ("B", "2"), ("C", "3"), ("D", "4")]
    );
    // On the same line as the movetext, on either side.
    let games = read(b"[A \"1\"] 1. e4 * [A \"2\"] 1. d4 *");
    assert_eq!(games.len(), 2);
    assert_eq!(games[1].items, "1.d4");
}

#[test]
fn t2_names_keep_their_spelling() {
    let found = tags("[fen \"x\"]\n[White_Title-2 \"y\"]\n[White Elo \"2000\"]");
    assert_eq!(
        pairs(&found),
        [("fen", "x"), ("White_Title-2", "y"), ("White Elo", "2000")]
    );
}

#[test]
fn t3_values_as_meant() {
    for (text, value) in [
        (r#"[A "Joe "Blow" Cup"]"#, "Joe \"Blow\" Cup"),
        (r#"[A "C:\temp\new"]"#, r"C:\temp\new"),
        (r#"[A "C:\temp\"]"#, r"C:\temp\"),
        (r#"[A "say \"hi\" \\ "]"#, r#"say "hi" \ "#),
        (r#"[A "x] y"]"#, "x] y"),
        (r#"[A "x"] y"]"#, "x\"] y"),
        ("[A \"x\"", "x"),
        ("[A \"x]", "x"),
        ("[A \"x", "x"),
        ("[A \"x\ny\"]", "x y"),
        ("[A \"x  \r\n  y\r\nz\"]", "x y z"),
        ("[A 'x']", "x"),
        ("[A x]", "x"),
        ("[A x\"]", "x"),
        ("[A]", ""),
        ("[A \"\"]", ""),
        ("[A \"\" ]", ""),
    ] {
        assert_eq!(pairs(&tags(text)), [("A", value)], "{text}");
        assert_eq!(
            pairs(&tags(&format!("{text}\n[B \"2\"]"))),
            [("A", value), ("B", "2")],
            "{text}"
        );
    }
    assert_eq!(pairs(&tags("[A \"x [B \"y\"]")), [("A", "x"), ("B", "y")]);
    assert_eq!(pairs(&tags("[A \"x\"][B \"y\"]")), [("A", "x"), ("B", "y")]);
}

#[test]
fn t4_t5_names_twice() {
    let game = one("[A \"1\"]\n[a \"2\"]\n\n1. e4 *");
    assert_eq!(pairs(&game.tags), [("A", "1"), ("a", "2")]);
    assert_eq!(game.diagnostics, ["dup-tag"]);
    let games = read(b"[A \"1\"]\n[B \"1\"]\n\n[A \"2\"]\n\n[B \"2\"]\n\n1. e4 *");
    assert_eq!(games.len(), 2);
    assert_eq!(games[1].tags.len(), 2);
    assert_eq!(games[0].diagnostics, ["result-missing"]);
}

#[test]
fn m1_m2_where_games_end() {
    assert_eq!(items("1. e4\n\n\ne5\n\n2. d4 *"), "1.e4 e5 2.d4");
    let mid = one("[A \"x\"]\n\n1. e4 1-0 e5 0-1\n");
    assert_eq!(
        (mid.items.as_str(), mid.termination.as_deref()),
        ("1.e4 =1-0 e5", Some("0-1"))
    );
    assert_eq!(mid.diagnostics, ["result-mid"]);
    // Remarks after the result belong to the finished game.
    let remarks = read(b"[A \"x\"]\n\n1. e4 1-0 {resigns} (1. d4 d5) $1 ; x\n\n1. c4 *");
    assert_eq!(remarks.len(), 2);
    assert_eq!(remarks[0].items, "1.e4 {resigns} ( 1.d4 d5 ) $1 ; x");
    assert_eq!(remarks[0].termination.as_deref(), Some("1-0"));
    assert!(remarks[0].diagnostics.is_empty());
    let prose = one("[A \"x\"]\n\n1. e4 1-0 Black resigns\n");
    assert_eq!(prose.termination.as_deref(), Some("1-0"));
}

#[test]
fn m2b_new_game_without_tags() {
    let games = read(b"1. e4 e5 1-0\n1. d4 d5 *\n\nAnd another one:\n1... c5 2. Nf3\n");
    assert_eq!(games.len(), 3);
    assert_eq!(games[1].items, "1.d4 d5");
    assert_eq!(games[2].items, "{And another one:} 1.c5 2.Nf3");
    assert_eq!(games[2].diagnostics, ["loose-text", "result-missing"]);
    // In a variation a result is text, unless the game is over after it.
    let inner = one("[A \"x\"]\n\n1. e4 (1. d4 1-0) e5 *\n");
    assert_eq!(inner.items, "1.e4 ( 1.d4 =1-0 ) e5");
    let open = one("[A \"x\"]\n\n1. e4 (1. d4 (1. c4 1-0\n");
    assert_eq!(open.items, "1.e4 ( 1.d4 ( 1.c4 ) )");
    assert_eq!(open.termination.as_deref(), Some("1-0"));
    assert_eq!(open.diagnostics, ["unclosed-rav"]);
}

#[test]
fn m4_null_moves_are_words() {
    assert_eq!(
        items("1. -- Z0 2. @@@@ null 3. pass 0000 4. P@e4 @e4 *"),
        "1.-- Z0 2.@@@@ null 3.pass 0000 4.P@e4 @e4"
    );
}

#[test]
fn m4b_null_moves_stand_among_moves() {
    // How many are played.
    for (nulls, text, wanted) in [
        (
            1,
            "1. e4 e5 (1... -- 2. d4) 2. -- Nf6 *",
            "1.e4 e5 ( 1.-- 2.d4 ) 2.-- Nf6",
        ),
        (2, "1. e4 -- $1 2. d4 {x} -- *", "1.e4 -- $1 2.d4 {x} --"),
        (2, "1. e4 Z0 zz 2. d4 pass *", "1.e4 Z0 $22 2.d4 pass"),
        (1, "1. e4 e5 Good!\n2. -- Nf6 *", "1.e4 e5 Good! 2.-- Nf6"),
        (1, "1. e4\n--\n2. d4 *", "1.e4 -- 2.d4"),
        // Words and dashes of sentences.
        (
            0,
            "1. e4 e5 and now -- surprisingly -- over *",
            "1.e4 e5 and now -- surprisingly -- over",
        ),
        (0, "1. e4 -- surprisingly! *", "1.e4 -- surprisingly!"),
        (0, "1. e4 e5 could pass, or *", "1.e4 e5 could pass, or"),
        (0, "1. e4 e5 null and void *", "1.e4 e5 null and void"),
        (0, "1. e4 e5 Black: Pass! *", "1.e4 e5 Black: Pass!"),
        (
            0,
            "1. e4 e5 vs. {1600} --- Fri *",
            "1.e4 e5 vs. {1600} --- Fri",
        ),
        (0, "1. e4 e5 сказал -- просто *", "1.e4 e5 сказал -- просто"),
        // A line between paragraphs, and what stands after the result.
        (0, "1. e4 e5\n\n---\n\n2. d4 *", "1.e4 e5 2.d4"),
        (0, "1. e4 e5 1-0 ---\nbye -- see", "1.e4 e5 bye -- see"),
    ] {
        let game = one(text);
        assert_eq!(game.items, wanted, "{text}");
        let is_null = |word: &&String| matches!(&word[..], "--" | "---" | "Z0" | "pass");
        let played = game.words.iter().filter(is_null).count();
        assert_eq!(played, nulls, "{text}: {:?}", game.words);
    }
}

#[test]
fn m5b_numbers_can_be_moves_of_chess() {
    for (text, wanted) in [
        ("1. 5254 5755 2. 7163 2836 *", "1.5254 5755 2.7163 2836"),
        (
            "1.5254! 5755 {x} 2.7163 (2.4244) 2836 *",
            "1.5254 $1 5755 {x} 2.7163 ( 2.4244 ) 2836",
        ),
        (
            "1. 5254 (4244 4745) 5755 resigns *",
            "1.5254 ( 4244 4745 ) 5755 resigns",
        ),
        ("12. 57581 2735 *", "12.57581 2735"),
        // Numbers of moves, years, ratings.
        ("1. e4 e5 1111. d4 *", "1.e4 e5 1111.d4"),
        ("1110. e4 e5 1111 d4 *", "1110.e4 e5 1111.d4"),
        ("1. e4 e5 1984 2. d4 *", "1.e4 e5 1984 2.d4"),
        ("1. e4 e5 London 1884 2. d4 *", "1.e4 e5 London 1884 2.d4"),
        ("1. e4 e5 1884 in London *", "1.e4 e5 1884 in London"),
        ("1. e4 e5 (1884) 2. d4 *", "1.e4 e5 {1884} 2.d4"),
    ] {
        assert_eq!(items(text), wanted, "{text}");
    }
    // Without tags the first of them shows what they are.
    assert_eq!(
        read(b"Hello\n\n1. 5254 5755 2. 7163\n\n1. 4244 4745 *").len(),
        2
    );
    assert_eq!(read(b"1. 1884 London\n2. 1885 Paris\n").len(), 0);
}

#[test]
fn m8_promotion_is_one_word() {
    for (text, word) in [
        ("e8 = Q Kf6", "e8 = Q"),
        ("e8 =Q Kf6", "e8 =Q"),
        ("e8= Q Kf6", "e8= Q"),
        ("e8(Q) Kf6", "e8(Q)"),
        ("exd8(N)+ Kf6", "exd8(N)"),
        ("e7-e8(Q) Kf6", "e7-e8(Q)"),
        ("e8/Q Kf6", "e8/Q"),
        ("e8=Q+ Kf6", "e8=Q+"),
        ("e8 Kf6", "e8"),
    ] {
        assert_eq!(
            items(&format!("1. {text} *")),
            format!("1.{word} Kf6"),
            "{text}"
        );
    }
    assert_eq!(items("1. e8 (1. e8=R) Kf6 *"), "1.e8 ( 1.e8=R ) Kf6");
    assert_eq!(items("1. e8 = Kf6 *"), "1.e8 $10 Kf6");
}

#[test]
fn m9_m11_remarks_are_consumed() {
    assert_eq!(
        items("1. e4 ch e5 dbl ch 2. Qf7 mate d5 + Ke7 ++ Qf6 # *"),
        "1.e4 e5 2.Qf7 d5 Ke7 Qf6"
    );
    assert_eq!(
        items("1. exd6 e.p. Kd7 ep 2. exd6e.p. exd6ep *"),
        "1.exd6 Kd7 2.exd6 exd6"
    );
}

#[test]
fn m12_variations() {
    let text = "[A \"x\"]\n\n1. e4 (1. d4 {a (b} d5 (1... Nf6) 2. c4) e5 () *";
    let game = one(text);
    assert_eq!(game.items, "1.e4 ( 1.d4 {a (b} d5 ( 1.Nf6 ) 2.c4 ) e5");
    let mut parser = super::Parser::new(text.as_bytes());
    let mut raw = super::RawGame::default();
    assert!(parser.next_game(&mut raw));
    let start = raw
        .items
        .iter()
        .find(|item| item.kind == super::ItemKind::VariationStart);
    let inner = raw.text(text.as_bytes(), start.expect("a variation"));
    assert_eq!(inner, b"1. d4 {a (b} d5 (1... Nf6) 2. c4");

    let first = one("[A \"x\"]\n\n(1. d4 (1. c4) d5) 1. e4 *");
    assert_eq!(first.items, "1.e4");
    assert_eq!(first.diagnostics, ["rav-first"]);
    let open = read(b"[A \"x\"]\n\n1. e4 (1. d4\n\n[A \"y\"]\n\n1. c4 *");
    assert_eq!(open.len(), 2);
    assert_eq!(open[0].items, "1.e4 ( 1.d4 )");
    assert_eq!(open[0].diagnostics, ["unclosed-rav", "result-missing"]);
    assert_eq!(
        items("1. e4 e5 (better is 1... c5) 2. Nf3 *"),
        "1.e4 e5 ( better is 1.c5 ) 2.Nf3"
    );
}

#[test]
fn signs_may_touch_a_move() {
    for (sign, nag) in [
        ("+/-", 16),
        ("-/+", 17),
        ("+/=", 14),
        ("=/+", 15),
        ("+=", 14),
        ("=+", 15),
        ("+-", 18),
        ("-+", 19),
        ("+--", 20),
        ("=", 10),
    ] {
        let text = format!("1. e4{sign} e5 2. Nf3{sign} O-O{sign} 3. e8=Q{sign} *");
        let said = format!("1.e4 ${nag} e5 2.Nf3 ${nag} O-O ${nag} 3.e8=Q ${nag}");
        assert_eq!(items(&text), said, "{text}");
    }
    assert_eq!(items("1. Bb5++- *"), "1.Bb5+ $18");
    // Half of a promotion, of a move, castling.
    assert_eq!(
        items("1. e8= Q a1=Q 2. e2- 0-0-0 *"),
        "1.e8= Q a1=Q 2.e2- 0-0-0"
    );
}

#[test]
fn suffixes_and_signs_become_nags() {
    assert_eq!(
        items("1. e4! e5 ?? 2. Nf3!? Nc6 ?! *"),
        "1.e4 $1 e5 $4 2.Nf3 $5 Nc6 $6"
    );
    let long = one("[A \"x\"]\n\n1. e4!!! e5?!? *");
    assert_eq!(long.items, "1.e4 $3 e5 $6");
    assert_eq!(long.diagnostics, ["suffix-long", "suffix-long"]);
    assert_eq!(
        items("1. e4 += e5 $14 2. Nf3± Nc6 ∞ N 3. Nd4 D *"),
        "1.e4 $14 e5 $14 2.Nf3 $16 Nc6 $13 $146 3.Nd4 $220"
    );
    let glyphs = one("[A \"x\"]\n\n1. e4 $ e5 $65535 2. Nf3 $65536 Nc6 $99999999999 *");
    assert_eq!(
        glyphs.items,
        "1.e4 e5 $65535 2.Nf3 =$65536 Nc6 =$99999999999"
    );
    assert_eq!(
        glyphs.diagnostics,
        ["unknown-word", "nag-range", "nag-range"]
    );
    // The same signs are a forfeit at the very end only.
    let forfeit = one("[A \"x\"]\n\n1. e4 +/- e5 +/-\n");
    assert_eq!(
        (forfeit.items.as_str(), forfeit.termination.as_deref()),
        ("1.e4 $16 e5", Some("+/-"))
    );
}

#[test]
fn castling_is_one_word() {
    for word in [
        "O-O",
        "O-O-O+",
        "0-0",
        "o-o",
        "OO",
        "О-О",
        "Ο–Ο",
        "O‑O",
        "0–0",
        "0—0—0",
        "O−O#",
    ] {
        assert_eq!(
            items(&format!("1. {word} Kf8 *")),
            format!("1.{word} Kf8"),
            "{word}"
        );
    }
}

#[test]
fn m17_wrappers_and_prelude() {
    let game = one("[pgn][Event \"x\"]\n\n1. e4 e5 *[/pgn]");
    assert_eq!(
        (game.items.as_str(), game.termination.as_deref()),
        ("1.e4 e5", Some("*"))
    );
    let page = one("<pre>\n[Event \"x\"]\n\n1. e4 e5 *\n</pre>\n");
    assert_eq!(
        (page.words.len(), page.diagnostics.as_slice()),
        (2, &["wrapper"][..])
    );
    let mail = read(b"From: me [Bob]\n\n> [A \"x\"]\n> [B \"y\"]\n>\n> 1. e4 e5\n> 2. Nf3 *\n>\n> [A \"z\"]\n>\n> 1. d4 *\n");
    assert_eq!(mail.len(), 2);
    assert_eq!(mail[0].tags.len(), 2);
    assert_eq!(mail[0].items, "1.e4 e5 2.Nf3");
    assert_eq!(mail[0].diagnostics, ["wrapper", "prelude"]);
    assert_eq!(one("Game of 12. March 2020 1. e4 e5 *").words, ["e4", "e5"]);
    assert_eq!(one("e4 e5 Nf3 *").words, ["e4", "e5", "Nf3"]);
    for none in [
        "",
        " \n",
        "just text",
        "{a comment}",
        "1-0",
        "12. March",
        "%\n",
        "(",
        "[",
        "]",
    ] {
        assert_eq!(read(none.as_bytes()).len(), 0, "{none:?}");
    }
}

#[test]
fn k2_comments_before_the_first_move() {
    assert_eq!(items("{intro} 1. {pre} e4 *"), "{intro} {pre} 1.e4");
    let game = one("{before the tags}\n[A \"x\"]\n{between}\n[B \"y\"]\n\n1. e4 *");
    assert_eq!(game.items, "{before the tags} {between} 1.e4");
    assert_eq!(game.tags.len(), 2);
}

/// The shortcut for plain moves and the automaton read the same: no-break
/// spaces keep a text from the former.
#[test]
fn plain_moves_are_read_like_all_others() {
    let text = "1.e4 e5 2. Nf3 Nc6 3.Bb5+ 3...a6 4.O-O b8=Q 5. exd6 N 12.Qxf7# ed 6.e4e5 \
                a1 = Q 7.d8 (7. e4 O-O-O+) 8.R1a3 -- h8 =N Kf2 D 9 c4 0000 10.a4 ch N+ Q= +- e4+- ";
    let expected = "1.e4 e5 2.Nf3 Nc6 3.Bb5+ 3.a6 4.O-O b8=Q 5.exd6 $146 12.Qxf7# ed 6.e4e5";
    let plain = items(&format!("{text} *"));
    assert!(plain.starts_with(expected), "{plain}");
    for moves in [
        "1.e4 e5 2.Nf3 Nc6 3. Bb5+ a6 4.O-O Qxf7#",
        "e2e4 R1a3 7.Ng1xf3 O-O-O+ d6",
        "12.e4 13. e5",
    ] {
        assert_eq!(
            items(&format!("{moves} *")),
            items(&format!("{} *", moves.replace(' ', "\u{a0}")))
        );
    }
}
