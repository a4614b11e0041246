//! Sources in which games of several kinds stand together, and say nothing of it.

use std::fmt::Write as _;

use plydex::{
    base::record::MovetextItem,
    games::draughts::{notation::moves::square::Numbering, rows::DraughtsVariant},
    pgn::writer,
};

use super::random_line;
use crate::support::Base;

/// A random game in PDN without a word about what it is.
fn random_game(variant: &DraughtsVariant, names: Numbering, number: usize) -> String {
    let seed = (number as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mut text = String::new();
    for (_, played) in random_line(variant, seed, 100) {
        names.write(played.from, &mut text);
        text.push(if played.is_capture() { 'x' } else { '-' });
        names.write(played.to, &mut text);
        text.push(' ');
    }
    format!("[Event \"mixed\"]\n[Round \"{number}\"]\n\n{text}*\n\n")
}

/// Random games of a kind, as it usually names its squares.
fn games_of(name: &str, count: usize) -> Vec<String> {
    let variant = DraughtsVariant::by_name(name).expect("a kind");
    named_games(name, variant.numbering(), count)
}

fn named_games(name: &str, names: Numbering, count: usize) -> Vec<String> {
    let variant = DraughtsVariant::by_name(name).expect("a kind");
    let games = (0..count).map(|number| random_game(variant, names, number));
    games.collect()
}

/// The kinds by which games of a source were played, in order; all must be whole, and be
/// so again when they are exported and imported.
fn played_whole(text: &str) -> Vec<String> {
    let base = Base::of(text.as_bytes());
    base.assert_sound();
    let games = base.games();
    for game in &games {
        let rest = game
            .items
            .iter()
            .find(|it| matches!(it, MovetextItem::Rest(_)));
        assert_eq!(rest, None, "{:?}", game.header);
    }
    let mut exported = String::new();
    for game in &games {
        writer::write(game, &mut exported);
    }
    let again = Base::of(exported.as_bytes()).games();
    for (game, again) in games.iter().zip(&again) {
        assert_eq!(
            (&game.header.variant, &game.items),
            (&again.header.variant, &again.items)
        );
    }
    games.into_iter().map(|game| game.header.variant).collect()
}

#[test]
fn every_game_of_a_mixed_source_is_played_whole() {
    for (few, many) in [
        ("czech", "russian"),
        ("frisian", "international"),
        ("italian", "english"),
    ] {
        let mut text = String::new();
        let (few_games, many_games) = (games_of(few, 20), games_of(many, 30));
        for game in few_games.iter().chain(&many_games) {
            let _ = write!(text, "{game}");
        }
        let played = played_whole(&text);
        assert_eq!(played.len(), 50);
        let right = |played: &[String], wanted| played.iter().filter(|it| *it == wanted).count();
        assert!(right(&played[..20], few) >= 18, "{few}: {played:?}");
        assert!(right(&played[20..], many) >= 28, "{many}: {played:?}");
    }
}

/// English games in letters, with A1 at either side's left; games of the kinds that are
/// written in letters in numbers.
#[test]
fn squares_that_are_named_otherwise_are_read() {
    let variant = |name| DraughtsVariant::by_name(name).expect("a kind").numbering();
    let letters = |corner| {
        let names = variant("english").with_letters(true);
        ("english", names.with_letter_corner(corner))
    };
    let numbers = |name| (name, variant(name).with_letters(false));
    for (name, names) in [
        letters(0),
        letters(3),
        numbers("russian"),
        numbers("brazilian"),
        numbers("czech"),
    ] {
        let text = named_games(name, names, 30).concat();
        assert_eq!(played_whole(&text), [name; 30], "{names:?}");
    }
}

/// A move that is not legal is no sign of other rules where the game goes on as the
/// others do.
#[test]
fn a_slip_stays_one() {
    let mut text = games_of("english", 30).concat();
    text.push_str("[Event \"slip\"]\n\n1. 11-15 23-19 2. 8-11 22-17 3. 9-14 17-13 4. 2-3 *\n");
    let games = Base::of(text.as_bytes()).games();
    let slip = games.last().expect("31 games");
    assert_eq!(
        (slip.header.variant.as_str(), slip.header.plies),
        ("english", 6)
    );
}

/// Turkish men go straight on, from rows where chess has none: their games need no tags. Games
/// of chess whose moves are written by their squares stay chess.
#[test]
fn turkish_games_are_told_from_chess_without_tags() {
    let games = games_of("turkish", 12);
    for sign in ["-", ""] {
        // As they are, and as long as a game is that was broken off.
        for moves in [100, 6, 2] {
            let cut = |game: &String| {
                let (tags, text) = game.split_once("\n\n").expect("tags");
                let words: Vec<&str> = text.split_whitespace().take(moves).collect();
                let words = words.join(" ").replace('-', sign).replace('*', "");
                format!("{tags}\n\n{words} *\n\n")
            };
            let text: String = games.iter().map(cut).collect();
            let base = Base::of(text.as_bytes());
            let stored = base.games();
            assert_eq!(stored.len(), 12);
            for game in stored {
                assert_eq!(game.header.variant, "turkish", "{game:?}");
                let is_rest = |item: &MovetextItem| matches!(item, MovetextItem::Rest(_));
                assert!(!game.items.iter().any(is_rest), "{game:?}");
            }
        }
    }
    let chess = [
        "1. a2-a3 h7-h6 2. a3-a4 h6-h5 3. a4-a5 h5-h4 4. a1-a4 h8-h5",
        "1. e2e4 e7e5 2. d1h5 b8c6 3. f1c4 g8f6 4. h5f7",
        "1. h2-h4 a7-a5 2. h1-h3 a8-a6 3. h3-e3 a6-e6 4. e3xe6",
    ];
    let texts = chess.map(|moves| format!("[Event \"chess\"]\n\n{moves} *\n\n"));
    // Alone, and among Turkish games.
    let beside = texts.concat() + &games.concat();
    for text in texts.iter().chain([&texts.concat(), &beside]) {
        let base = Base::of(text.as_bytes());
        let stored = base.games();
        let mut found = 0;
        for game in stored.iter().filter(|game| game.header.event == "chess") {
            assert_eq!(game.header.variant, "chess", "{game:?}");
            assert!(game.header.plies >= 7, "{game:?}");
            found += 1;
        }
        assert!(found > 0);
    }
}
