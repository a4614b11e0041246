//! What an import has stored is read again by readers of the modules before it.

use std::{fmt::Write as _, ops::Range};

use super::{DuplicateAction, ImportOptions, import};
use crate::{
    base::{
        observe::{CancellationToken, NullObserver},
        record::GameId,
    },
    index::{Block, posting::Section},
    replay::{self, ExternalSegmentBuilder},
    store::{IndexPart, RecordKind, Store},
};

/// A reader knows where games have no records, and looks again once some were written.
#[test]
fn games_without_records_are_passed_over() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = Store::create_or_open(
        &folder.path().join("test.db"),
        &CancellationToken::default(),
    );
    let store = store.expect("a database");
    let add = |games: &str| {
        let path = folder.path().join("games.pgn");
        std::fs::write(&path, games).expect("a file");
        let options = ImportOptions {
            duplicates: DuplicateAction::Keep,
            ..ImportOptions::default()
        };
        import(&store, &[path], options, &NullObserver).expect("an import");
    };
    let (plain, noted) = ("1. e4 e5 *\n\n", "1. e4 {best by test} e5 *\n\n");
    add(&[plain, plain, noted, plain, plain, plain].concat());
    let mut reader = store.records(RecordKind::Tree);
    let mut has = |games: Range<GameId>| -> Vec<bool> {
        let has = games.map(|game| reader.get(game).expect("a record or none").is_some());
        has.collect()
    };
    let expected = [false, false, true, false, false, false];
    assert_eq!(has(1..7), expected);
    assert_eq!(has(7..9), [false; 2]);
    add(&[plain, noted, noted, plain].concat());
    assert_eq!(has(1..7), expected);
    assert_eq!(has(7..11), [false, true, true, false]);
    assert_eq!(has(4..11), [false, false, false, false, true, true, false]);
}

/// Games that often share their openings; some have variations, and some begin elsewhere.
fn text() -> String {
    let mut text = String::new();
    for nth in 0..700 {
        let third = ["Nf3 Nc6", "Nc3 Nf6", "f4 exf4", "d4 exd4 3. Qxd4"][nth % 4];
        let fourth = ["Bc4", "a3", "h4 (4. g4 h6 5. Bh3)", "Rb1"][nth / 4 % 4];
        let tags = format!("[White \"{nth}\"]\n[WhiteElo \"{}\"]\n", 2000 + nth % 90);
        let start = if nth % 50 == 7 {
            "[FEN \"4k3/8/8/8/8/8/P7/4K3 w - - 0 1\"]\n\n1. a4 Kd7 *"
        } else {
            &format!("\n1. e4 e5 2. {third} 4. {fourth} 1-0")
        };
        let _ = write!(text, "{tags}{start}\n\n");
    }
    text
}

#[test]
fn a_large_segment_is_what_one_built_at_once_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.db");
    let store = Store::create_or_open(&path, &CancellationToken::default()).unwrap();
    let file = folder.path().join("games.pgn");
    std::fs::write(&file, text()).unwrap();
    import(&store, &[file], ImportOptions::default(), &NullObserver).unwrap();
    let games = store.last_game().unwrap();
    let expected = replay::rebuilt_segment(&store, 1, games, 2).unwrap();
    for (stretch, threads) in [(64, 1), (300, 3), (700, 2)] {
        let mut wide = ExternalSegmentBuilder::new(&store, 1, games, threads).unwrap();
        wide.stretch = stretch;
        let mut parts: Vec<(IndexPart, Block)> = Vec::new();
        let mut done = 0;
        let built = wide.build(
            &mut |part, block| {
                parts.push((part, block.clone()));
                Ok(())
            },
            &mut |games| done += games,
        );
        let built = built.unwrap();
        assert_eq!(done, games);
        assert_eq!(built.layouts, expected.layouts());
        assert_eq!(built.positions, expected.positions);
        let of = |wanted| {
            let blocks = parts.iter().filter(|(part, _)| *part == wanted);
            blocks.map(|(_, block)| block.clone()).collect::<Vec<_>>()
        };
        for (section, (_, blocks)) in Section::ALL.into_iter().zip(&expected.sections) {
            assert_eq!(of(IndexPart::Postings(section)), *blocks, "{section}");
        }
        assert_eq!(of(IndexPart::Popular), expected.popular);
        assert_eq!(of(IndexPart::TopGames), expected.top_games);
    }
}
