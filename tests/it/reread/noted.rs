//! Games that are stored already, and what other sources have noted of games that are read again.

use super::*;

/// A game of Ann and Bob: so many plies of it, with the day.
fn shuffled(day: u32, plies: usize) -> String {
    let moves = ["Nf3", "Nf6", "Ng1", "Ng8", "Nc3", "Nc6", "Nb1", "Nb8"];
    let moves = ["e4", "e5"].into_iter().chain(moves.into_iter().cycle());
    let moves: Vec<&str> = moves.take(plies).collect();
    format!(
        "[Event \"Match\"]\n[Date \"2001.02.0{day}\"]\n[White \"Ann, A\"]\n[Black \"Bob, B\"]\n\n{} *\n\n",
        moves.join(" ")
    )
}

#[test]
fn beginnings_of_games_are_skipped_again() {
    for (how, stored) in [(DuplicateAction::Best, 2), (DuplicateAction::Skip, 3)] {
        let base = Base::new();
        let [long, short] = ["long.pgn", "short.pgn"].map(|name| base.folder().join(name));
        fs::write(&long, shuffled(1, 60)).expect("a file");
        // Another game, the beginning of the first, the first itself.
        let text = [shuffled(2, 50), shuffled(1, 40), shuffled(1, 60)].concat();
        fs::write(&short, text).expect("a file");
        for path in [&long, &short] {
            let options = ImportOptions {
                duplicates: how,
                ..ImportOptions::default()
            };
            base.import(slice::from_ref(path), options);
        }
        let games = base.games();
        assert_eq!(games.len(), stored, "{how:?}");
        let report =
            again(&base, &source(short.clone()), ImportOptions::default()).expect("a reread");
        assert_eq!(report.sources[0].games, stored as u64 - 1, "{how:?}");
        assert_eq!(base.games(), games, "{how:?}");
        base.assert_sound();
    }
}

#[test]
fn what_other_sources_have_noted_stays_with_games_that_read_otherwise() {
    let base = Base::new();
    let [first, later] = ["a.pgn", "b.pgn"].map(|name| base.folder().join(name));
    let text = [1, 1, 2, 3].map(|day| shuffled(day, 40)).concat();
    fs::write(&first, text).expect("a file");
    fs::write(&later, [shuffled(3, 40), shuffled(2, 40)].concat()).expect("a file");
    for path in [&first, &later] {
        base.import(slice::from_ref(path), ImportOptions::default());
    }
    assert_eq!(base.games().len(), 3);
    // As games of another variant none is what it was, and one more is stored.
    let otherwise = ImportOptions {
        duplicates: DuplicateAction::Keep,
        ..variant("kingofthehill")
    };
    let report = again(&base, &source(first), otherwise).expect("a reread");
    assert_eq!(
        (report.sources[0].games_before, report.sources[0].games),
        (3, 4)
    );
    let place = |name: &str, number: u64| (name.to_owned(), number);
    assert_eq!(sources(&base, 5), [place("a.pgn", 2)]);
    assert_eq!(sources(&base, 6), [place("a.pgn", 3), place("b.pgn", 2)]);
    assert_eq!(sources(&base, 7), [place("a.pgn", 4), place("b.pgn", 1)]);
    base.assert_sound();
    assert_eq!(base.games().len(), 4);
}

#[test]
fn what_other_sources_have_noted_stays() {
    let base = Base::new();
    let [first, later, last] = ["a.pgn", "b.pgn", "c.pgn"].map(|name| base.folder().join(name));
    let text = [1, 1, 2].map(|day| shuffled(day, 40)).concat();
    fs::write(&first, text).expect("a file");
    fs::write(&later, [shuffled(2, 40), shuffled(3, 40)].concat()).expect("a file");
    fs::write(&last, [4, 2, 3].map(|day| shuffled(day, 40)).concat()).expect("a file");
    for path in [&first, &later, &last] {
        base.import(slice::from_ref(path), ImportOptions::default());
    }
    assert_eq!(base.games().len(), 4);
    let noted = |game: u64| sources(&base, game);
    let place = |name: &str, number: u64| (name.to_owned(), number);
    let of_second = [place("a.pgn", 3), place("b.pgn", 1), place("c.pgn", 2)];
    assert_eq!(noted(2), of_second);
    // All three games of the first source are stored now.
    let keep = ImportOptions {
        duplicates: DuplicateAction::Keep,
        ..ImportOptions::default()
    };
    let report = again(&base, &source(first), keep).expect("a reread");
    assert_eq!(
        (report.sources[0].games_before, report.sources[0].games),
        (2, 3)
    );
    // Two of them read as before, and have their numbers still.
    assert_eq!(base.games().len(), 5);
    assert_eq!(report.sources[0].first_game, Some(5));
    assert_eq!(noted(2), of_second);
    assert_eq!(noted(3), [place("b.pgn", 2), place("c.pgn", 3)]);
    assert_eq!(noted(4), [place("c.pgn", 1)]);
    assert_eq!(noted(5), [place("a.pgn", 2)]);
    base.assert_sound();
}
