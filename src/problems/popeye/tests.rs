use super::*;

/// The problems of a text with their places; all that begins as one is one.
fn read(text: &str) -> Vec<(std::ops::Range<usize>, Composition)> {
    let found = super::read(text).into_iter();
    found
        .map(|(place, problem)| (place, problem.expect("a problem")))
        .collect()
}

fn one(text: &str) -> Composition {
    let mut found = read(text);
    assert_eq!(found.len(), 1, "{text}");
    found.remove(0).1
}

#[test]
fn the_three_languages_say_the_same() {
    let texts = [
        "begin\nauthor A. B\\\"uhler\norigin 12, Schwalbe 3, 1985\npieces white kc8 rf1a7 pb2\n black ke1 sg8\nstip #3\ncond circe\nopt vari\ntwin move c8 c7\nend\n",
        "anfang\nautor A. B\"uhler\nquelle 12, Schwalbe 3, 1985\nsteine weiss kc8 tf1a7 bb2\n schwarz ke1 sg8\nford #3\nbedi circe\nopti vari\nzwil move c8 c7\nende\n",
        "debut\nauteur A. B\\\"uhler\nsource 12, Schwalbe 3, 1985\npieces blanc rc8 tf1a7 pb2\n noir re1 cg8\nenonce #3\ncondition circe\noption vari\njumeau move c8 c7\nfin\n",
    ];
    let english = one(texts[0]);
    assert_eq!(english.authors, ["A. Bühler"]);
    assert_eq!(english.source, "12, Schwalbe 3, 1985");
    assert_eq!(english.date, "1985.??.??");
    assert_eq!(english.stipulation, "#3");
    assert_eq!(english.conditions, ["circe"]);
    assert_eq!(english.options, ["vari"]);
    assert_eq!(english.twins, [("b".to_owned(), "move c8 c7".to_owned())]);
    assert_eq!(
        english.diagram.text(),
        "white Kc8 Ra7 Pb2 Rf1 black Sg8 Ke1"
    );
    assert!(english.findings.is_empty(), "{:?}", english.findings);
    for text in &texts[1..] {
        let other = one(text);
        let language = english.language;
        assert_eq!(Composition { language, ..other }, english, "{text}");
    }
}

#[test]
fn problems_end_where_the_next_begins() {
    let text = "begin\n\nprot x.reg\n\nstip #1\npieces white kc1 sc6 bb6 black ka8\n\nnext\n\ntitle two\ntitle lines\nfors 8/8/8/8/8/8/8/K1k\nstip ser-h~1\n\nnextproblem\n\nend\n";
    let found = read(text);
    assert_eq!(found.len(), 2);
    assert_eq!(found[1].1.title, "two lines");
    assert_eq!(found[1].1.diagram.text(), "white Ka1 black Kc1");
    assert!(text[found[1].0.clone()].starts_with("next"));
    // A part of a file, as a reader of large ones sees it.
    let part = "weiteresproblem\nautor X\nforderung h#2\nsteine weiss ka1 schwarz kh8 db3\n";
    let (_, problem) = &read(part)[0];
    assert_eq!(problem.diagram.text(), "white Ka1 black Kh8 Qb3");
    assert_eq!(problem.turn(), crate::games::chess::basics::Color::Black);
}

#[test]
fn fairy_men_keep_their_names() {
    let problem = one(
        "begin\npieces white royal Pb7 Pd6 EHa2b3 black nb/ra1 black chameleon Q h8 neutral Pg5\nstip h=1\nend\n",
    );
    assert_eq!(
        problem.diagram.text(),
        "white royal Pb7 white Pd6 EHb3 EHa2 black chameleon Qh8 black NB/Ra1 neutral Pg5"
    );
    assert!(problem.findings.is_empty(), "{:?}", problem.findings);
    let target = one("begin\nstip ser-a=>b2\npieces white ka1\npieces white ka3\nend");
    assert_eq!(target.diagram.text(), "white Ka1");
    assert_eq!(
        target.target.map(|t| t.text()).as_deref(),
        Some("white Ka3")
    );
}

#[test]
fn fairy_men_have_their_english_names_in_every_language() {
    let english =
        one("begin\nstip h#2\npieces white kc8 gf1 lia7\n black ke1 lg8 eha1 rd3 n/ra2\nend");
    assert_eq!(
        english.diagram.text(),
        "white Kc8 LIa7 Gf1 black Lg8 Rd3 N/Ra2 EHa1 Ke1"
    );
    for text in [
        "anfang\nford h#2\nsteine weiss kc8 gf1 lia7\n schwarz ke1 hg8 rda1 td3 n/ta2\nende",
        "debut\nenonce h#2\npieces blanc rc8 sf1 lia7\n noir re1 lg8 eha1 td3 n/ta2\nfin",
    ] {
        let other = one(text);
        assert_eq!(other.diagram, english.diagram, "{text}");
        assert!(other.findings.is_empty(), "{:?}", other.findings);
    }
    let forsyth = one("debut\nenonce h#2\nforsyth 2R5/.LI6S/8/8/8/8/8/r6.rl\nfin");
    assert_eq!(forsyth.diagram.text(), "white Kc8 LIa7 Gh7 black Ka1 RNh1");
}

#[test]
fn what_is_no_statement_is_kept() {
    let problem = one("begin\npieces white ka1 zz9 black kh8\nstip #1\nend");
    assert_eq!(problem.findings.len(), 1);
    assert_eq!(problem.extra, [("pieces".to_owned(), "zz9".to_owned())]);
    let loose = one("begin\nhello, world\npieces white ka1\nend");
    assert_eq!(loose.comments, ["hello, world"]);
    assert!(read("begin\nend\n").is_empty());
}

#[test]
fn what_has_neither_men_nor_a_stipulation_is_no_problem() {
    for text in ["begin\nhello, world\nend", "begin\nauthor X\nremark y\nend"] {
        let found = super::read(text);
        assert!(matches!(&found[..], [(_, Err(_))]), "{text}: {found:?}");
    }
    for text in ["begin\nstip #2\nend", "begin\nforsyth 8/zz9\nend"] {
        one(text);
    }
}

#[test]
fn the_first_word_alone_is_no_input() {
    for text in [
        "Debut Ruy Lopez\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 1-0\n",
        "Begin here. My games 2020.\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 1-0\n",
        "BEGIN TRANSACTION;\nCREATE TABLE x(a);\nCOMMIT;\n",
        "BEGIN { FS=\":\" }\n{ print $1 }\nEND { print NR }\n",
        "deb https://example.org/apt stable main\n",
        "BEGIN LICENSE\nunder the condition that its author and title\nEND LICENSE\n",
        "Anfang einer Sammlung\nwhose pieces are few\n1. e4 e5\n",
        "begin\nremark nothing else\nend\n",
    ] {
        assert!(!is_input(text), "{text}");
        assert_eq!(explains(text), 0, "{text}");
    }
    for text in [
        "begin pieces white ka1 qb2 black kh8 stip #2 end",
        "BeginProblem\nStipulation h#2.5\nOption NoBoard\nForsyth 8/8/8/8/8/8/K7/7k\nEndProblem\n",
        "deb\nenonce ~1\npieces blanc rc8\n noir re1\nfin\n\nwhat was printed\nof it\nby whom\nand where\n",
        "anf\nautor A\n\nsteine weiss ka1\n\n  db2\n  tc3\nschwarz kh8\nende\n",
        "beg\n\nstip h#2\ncond circe\nend\n",
    ] {
        assert!(is_input(text), "{text}");
    }
}
