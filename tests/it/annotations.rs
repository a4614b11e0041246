//! Novelties that are noted in games.

use std::path::Path;

use crate::{support::run, trees::base_of};

/// Exports all games, with their novelties if that is asked for.
fn exported(db: &Path, args: &[&str]) -> String {
    let ran = run(db, args);
    assert_eq!(ran.status, Some(0), "{}", ran.err);
    ran.out
}

/// The words of a text.
fn words(text: &str) -> Vec<&str> {
    text.split_whitespace().collect()
}

/// Notes novelties, and reads the games again: they are the same but for the notes.
fn note(games: &str, notes: &[(&str, &str)]) {
    let (_folder, db) = base_of(games);
    let plain = exported(&db, &["export"]);
    let noted = exported(&db, &["novelty", "--annotate"]);
    let mut bare = words(&noted).join(" ");
    for (move_text, comment) in notes {
        let note = format!(" {{{comment}}}");
        let glyph = format!("{move_text} $146");
        assert_eq!(bare.matches(&glyph).count(), 1, "{glyph}: {noted}");
        assert_eq!(bare.matches(&note).count(), 1, "{note}: {noted}");
        bare = bare.replace(&note, "").replace(&glyph, move_text);
    }
    assert!(!bare.contains("$146") && !bare.contains("N;"), "{noted}");
    // A move after a comment has its number again.
    let without_numbers = |text: &str| {
        let words = words(text);
        let kept = words.into_iter().filter(|word| !word.ends_with("..."));
        kept.map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(without_numbers(&bare), without_numbers(&plain));
    let (_again, db) = base_of(&noted);
    assert_eq!(words(&exported(&db, &["export"])), words(&noted));
    // What is noted is not noted twice.
    assert_eq!(exported(&db, &["novelty", "--annotate"]), noted);
}

#[test]
fn novelties_of_chess_are_noted_and_all_else_stays() {
    let game = |white: &str, black: &str, year: u32, line: &str| {
        format!("[White \"{white}\"]\n[Black \"{black}\"]\n[Date \"{year}.??.??\"]\n\n{line} *\n\n")
    };
    let games = [
        game("Ash, A", "Birch, B", 1990, "1. e4 c5 2. Nf3 d6"),
        game("Cedar, C", "{Elm}, D", 1995, "1. e4 c5 2. Nf3 d6 3. d4"),
        game("Doe", "Fir", 1993, "1. e4 c5 2. Nf3 Nc6"),
        game(
            "Gale",
            "Hill",
            2000,
            "1. e4 c5 2. Nf3 e6! {own} (2... g6 {why} 3. d4 $14) 3. d4 $1 cxd4",
        ),
    ];
    note(
        &games.concat(),
        &[
            ("Nc6", "N; 1 game before: 2...d6 (1), last Ash–Birch 1990"),
            ("3. d4", "N; 1 game before, last Ash–Birch 1990"),
            (
                "e6 $1",
                "N; 3 games before: 2...d6 (2), 2...Nc6 (1), last Cedar–|Elm| 1995",
            ),
        ],
    );
}

#[test]
fn novelties_of_draughts_are_noted_in_pdn() {
    let game = |white: &str, year: &str, line: &str| {
        format!("[White \"{white}\"]\n[Black \"Ash\"]\n[GameType \"20\"]\n{year}\n{line} *\n\n")
    };
    let date = |year: u32| format!("[Date \"{year}.01.01\"]\n");
    let games = [
        game(
            "Birch",
            &date(1990),
            "1. 32-28 19-23 2. 28x19 14x23 3. 37-32",
        ),
        game(
            "Cedar",
            &date(1991),
            "1. 32-28 19-23 2. 28x19 14x23 {recaptures} 3. 33-28",
        ),
        game("Doe", &date(1992), "1. 32-28 18-22 2. 37-32"),
    ];
    note(
        &games.concat(),
        &[
            (
                "3. 33-28",
                "N; 1 game before: 3.37-32 (1), last Birch–Ash 1990",
            ),
            (
                "18-22",
                "N; 2 games before: 1...19-23 (2), last Cedar–Ash 1991",
            ),
        ],
    );
}

#[test]
fn games_without_a_date_are_compared_with_all_others() {
    let games = "[White \"A\"]\n\n1. e4 e5 *\n\n[White \"B\"]\n\n1. e4 c5 *\n\n";
    let (_folder, db) = base_of(games);
    let noted = exported(&db, &["novelty", "1", "--annotate"]);
    assert!(
        words(&noted)
            .join(" ")
            .ends_with("1. e4 e5 $146 {N; 1 other game: 1...c5 (1), last B–?} *"),
        "{noted}"
    );
    let list = run(&db, &["novelty", "1", "--format", "json"]);
    assert!(list.out.contains("\"last\": {"), "{}", list.out);
    for args in [
        &["novelty", "--annotate", "--format", "csv"][..],
        &["novelty", "--output", "x.pgn"],
    ] {
        let ran = run(&db, args);
        assert_eq!(ran.status, Some(2), "{}", ran.out);
    }
}
