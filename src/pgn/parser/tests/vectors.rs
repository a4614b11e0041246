//! The files of `tests/vectors/pgn_deviations.tsv`: games and words of each.

use std::path::Path;

use super::{one, read};

/// Files whose words are not the expected plies, as only the rules can distinguish the two: words
/// of each game, and why.
const WORDS: &[(&str, &str, &str)] = &[
    (
        "descriptive",
        "4",
        "descriptive notation is no chess move; refused by the rules",
    ),
    ("disamb_missing", "7", "the last word is ambiguous"),
    ("disamb_wrongfile", "4", "the third word fits no knight"),
    ("fen_bad", "2", "the start position cannot be read"),
    (
        "garbage8",
        "4/3",
        "bytes above ASCII may be a move in some encoding",
    ),
    ("garbage_token", "5/3", "`banana` is a word"),
    ("illegal_mid", "5/3", "`Nf6` is illegal"),
    (
        "nospace",
        "3",
        "`e4e5` is two moves or one in long algebraic notation",
    ),
    (
        "null_angle",
        "4",
        "`<>` stays a word, so that the replay ends there",
    ),
    ("null_e1e1", "4", "`Ke1` is illegal"),
    ("pct_mid", "5", "`not escape` are two words"),
];

#[test]
fn every_deviation_file() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vectors");
    let table = include_str!("../../../../tests/vectors/pgn_deviations.tsv");
    let mut cases = 0;
    let mut wrong = Vec::new();
    for line in table.lines().skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        let (case, file, games, plies) = (fields[0], fields[1], fields[2], fields[3]);
        let mut bytes = std::fs::read(folder.join(file)).expect("vector file");
        // The input module deletes NULs (L2), and with them makes UTF-8 of the
        // ASCII in UTF-16.
        bytes.retain(|&byte| byte != 0);
        let read = read(&bytes);
        let words = read
            .iter()
            .map(|game| game.words.len().to_string())
            .collect::<Vec<_>>();
        let words = words.join("/");
        let expected = WORDS
            .iter()
            .find(|(name, ..)| *name == case)
            .map_or(plies, |(_, words, _)| words);
        if read.len().to_string() != games || words != expected {
            wrong.push(format!(
                "{case}: {games} games {expected}, got {} {words}",
                read.len()
            ));
        }
        cases += 1;
    }
    assert_eq!(cases, 109);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Spellings that are no result in chess movetext, and why.
const NO_MARKER: &[&str] = &[
    "0-0", // castling or a double forfeit: the rules decide
    "draw",
    "White wins",
    "?",
    "", // tag values only
    "2-0",
    "1-1",
    "0-2", // draughts only
];

#[test]
fn every_result_spelling() {
    let table = include_str!("../../../../tests/vectors/results.tsv");
    for line in table.lines().skip(1) {
        let spelling = line.split('\t').next().expect("a field");
        let game = one(&format!("[Event \"x\"]\n\n1. e4 e5 {spelling}\n"));
        let expected = (!NO_MARKER.contains(&spelling)).then(|| spelling.to_owned());
        assert_eq!(game.termination, expected, "{spelling:?}");
        if expected.is_some() {
            assert_eq!(game.items, "1.e4 e5", "{spelling:?}");
        }
    }
}

#[test]
fn every_nag_symbol() {
    let table = include_str!("../../../../tests/vectors/nags.tsv");
    for line in table.lines().skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        for symbol in fields[2].split_whitespace() {
            // □ is both 7 and 8, ⨀ both zugzwangs: the first number stands.
            let expected = if fields[0] == "8" { "7" } else { fields[0] };
            let found = super::items(&format!("1. e4 {symbol} e5 *"));
            assert_eq!(found, format!("1.e4 ${expected} e5"), "{symbol}");
        }
    }
}
