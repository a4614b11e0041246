//! Single games are read again.

use super::*;

#[test]
fn one_game_is_read_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("m.pdn");
    let base_of = |options| imported(folder.path(), "m.pdn", RUSSIAN.as_bytes(), options);
    let (base, fresh) = (base_of(variant("pool")), base_of(variant("russian")));
    let wrong = base.games();
    let report = again(&base, &RereadTarget::Game(14), variant("russian")).expect("a reread");
    assert_eq!(
        (report.sources[0].games, report.sources[0].game),
        (1, Some(14))
    );
    assert_eq!(report.sources[0].stored_text, None);
    let first = report.sources[0].first_game;
    assert_eq!((first, report.sources[0].last_game), (Some(28), first));
    let mut expected = wrong.clone();
    expected.remove(13);
    let mut right = fresh.games()[13].clone();
    right.header.id = 28;
    expected.push(right);
    assert_eq!(base.games(), expected);
    base.assert_sound();
    let before: Vec<String> = {
        let base = base_of(variant("pool"));
        contents(&base)
    };
    assert_undone(&base, report.change, &before);
    for game in [13, 15] {
        again(&base, &RereadTarget::Game(game), variant("russian")).expect("a reread");
    }
    assert_same(&base, &fresh);
    // It was read in the same place, and can be read from there once more.
    assert_eq!(sources(&base, 28), [("m.pdn".to_owned(), 2)]);
    let once_more = again(&base, &RereadTarget::Game(28), variant("russian"));
    assert_eq!(once_more.expect("a reread").change, None);
    let back = again(&base, &RereadTarget::Game(28), variant("pool")).expect("a reread");
    assert_eq!(back.sources[0].first_game, Some(31));
    assert_eq!(sources(&base, 31), [("m.pdn".to_owned(), 2)]);
    again(&base, &RereadTarget::Game(31), variant("russian")).expect("a reread");
    assert_same(&base, &fresh);
    // The game that it was is not there any more, and its import stands as long as this does.
    for (target, why) in [
        (RereadTarget::Game(14), "removed games"),
        (source(path.clone()), "removed games"),
    ] {
        let error = again(&base, &target, variant("pool")).expect_err("no reread");
        assert!(error.to_string().contains(why), "{error}");
    }
    let drafts = tempfile::tempdir().expect("a folder");
    let error = changes::undo(&base.store, 2, drafts.path(), &NullObserver);
    let error = error.expect_err("no undo").to_string();
    assert!(error.contains("has read game"), "{error}");

    // Without its source the stored text is read. No move could be played.
    let base = base_of(variant("international"));
    fs::remove_file(&path).expect("a file");
    for game in 13..=15 {
        let read = again(&base, &RereadTarget::Game(game), variant("russian"));
        let why = read.expect("a reread").sources.remove(0).stored_text;
        assert!(why.is_some_and(|why| why.contains("m.pdn")));
    }
    assert_same_games(&base, &fresh);
    base.assert_sound();
    let gone = ImportOptions {
        format: read_as("pdn").format,
        ..variant("russian")
    };
    let gone = again(&base, &RereadTarget::Game(28), gone);
    assert!(matches!(gone, Err(RereadError::Gone { .. })), "{gone:?}");
}

/// What was read from the stored text by mistake can be read back, for nothing else is left.
#[test]
fn a_mistake_about_a_stored_text_can_be_undone() {
    let points = "[White \"Blanc\"]\n\n1. 32-28 19-23 2. 28x19 14x23 1-1\n\n";
    let german = "[Event \"f4\"]\n\n1. f4 f5 2. Sf3 Sf6 3. e3 e6 4. Le2 Le7 5. Lb5 (5. Lc4) *\n\n";
    let check =
        "[Event \"b\"]\n\n1. d4 d5 2. Bf4 {Bg5} (2. Bg5 Bf5) 2... Bf5 3. Nf3 Nf6 4. Be5 1-0\n\n";
    let english = "[GameType \"21\"]\n\n1. 11-15 23-19 2. 8-11 22-17 1-0\n\n";
    let cases = [
        (
            "m.pdn",
            points,
            variant("international"),
            variant("xiangqi"),
        ),
        ("m.pgn", check, variant("chess"), variant("international")),
        ("m.pgn", check, variant("chess"), variant("english")),
        ("m.pdn", english, variant("english"), variant("frisian")),
        ("m.pdn", english, variant("english"), variant("chess")),
        ("m.pgn", check, language("en"), language("de")),
        ("m.pgn", check, language("en"), language("ru")),
        ("m.pgn", german, language("de"), language("fr")),
        ("m.pgn", GERMAN, language("de"), language("en")),
    ];
    for (at, (name, text, right, wrong)) in cases.into_iter().enumerate() {
        let folder = tempfile::tempdir().expect("a folder");
        let base = imported(folder.path(), name, text.as_bytes(), right);
        let games = base.games();
        fs::remove_file(folder.path().join(name)).expect("a file");
        let mut game = 13;
        for options in [wrong, right] {
            let read = again(&base, &RereadTarget::Game(game), options).expect("a reread");
            game = read.sources[0].first_game.unwrap_or(game);
        }
        let now = base.games();
        let now = now.iter().find(|now| now.header.id == game);
        let (now, before) = (now.expect("it is there"), &games[12]);
        assert_eq!(now.items, before.items, "{at}");
        assert_eq!(now.outcome, before.outcome, "{at}");
        assert_eq!(now.tags, before.tags, "{at}");
        assert_eq!(base.games().len(), games.len());
    }
}
