//! The same game is stored once, however it comes; what only looks the same is stored.

mod edited;
mod reread;

use plydex::identity::DedupeOptions;
use std::{fmt::Write as _, path::Path};

use proptest::prelude::*;

use {
    crate::support::{Base, every_game, root, run},
    plydex::{
        base::{
            observe::NullObserver,
            record::{GameRecord, MovetextItem},
        },
        changes::{self},
        games::{AnyPosition, notation::letters::ENGLISH},
        import::{DuplicateAction, ImportOptions, ImportReport},
        pgn::writer,
        query::PositionQuery,
        search::{self, GameConditions},
    },
};

/// Moves of a long game, and of a short draw.
const LONG: &str = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 \
    8. c3 O-O 9. h3 Nb8 10. d4 Nbd7 11. Nbd2 Bb7 12. Bc2 Re8";

const SHORT: &str = "1. e4 e5 2. Nf3 Nf6 3. Nxe5 d6 4. Nf3 Nxe4";

#[test]
fn a_record_that_was_replaced_twice_is_replaced_once_more() {
    let base = Base::new();
    let best = ImportOptions {
        duplicates: DuplicateAction::Best,
        ..ImportOptions::default()
    };
    let with = |comment: &str, tags: &str| {
        let moves = LONG.replace("1. e4", &format!("1. e4 {{{comment}}}"));
        game(&format!("{TAGS}{tags}"), &moves)
    };
    base.import_text(game(TAGS, LONG).as_bytes(), best);
    base.import_text(with("one", "").as_bytes(), best);
    // Both are better than what stands for the first.
    let both = with("one word more", "") + &with("and another word more", ";WhiteElo=2500");
    let summary = base.import_text(both.as_bytes(), best);
    assert_eq!((summary.stored, summary.replaced), (2, 2));
    let again = base.import_text(format!("\n{}", with("three", "")).as_bytes(), best);
    assert_eq!(again.repeated_named[0].game, 4);
    base.assert_sound();
}

/// A game by its tags, separated by semicolons, and its moves.
fn game(tags: &str, moves: &str) -> String {
    let mut text = String::new();
    for tag in tags.split(';').filter(|tag| !tag.is_empty()) {
        let (name, value) = tag.split_once('=').expect("a value");
        let _ = writeln!(text, "[{name} \"{value}\"]");
    }
    let result = tags.split(';').find_map(|tag| tag.strip_prefix("Result="));
    format!("{text}\n{moves} {}\n\n", result.unwrap_or("*"))
}

/// Imports two texts as files of their own: what the second brought.
fn after(first: &str, second: &str) -> ImportReport {
    let base = Base::new();
    base.import_text(first.as_bytes(), ImportOptions::default());
    let path = base.folder().join("second.pgn");
    std::fs::write(&path, second).expect("a file");
    let summary = base.import(&[path], ImportOptions::default());
    base.assert_sound();
    assert_eq!(
        summary.seen,
        summary.stored + summary.duplicate + summary.rejected
    );
    summary
}

fn is_same(one: &str, other: &str) -> bool {
    let same = after(one, other).duplicate == 1;
    assert_eq!(
        after(other, one).duplicate == 1,
        same,
        "either way:\n{one}\n{other}"
    );
    same
}

const TAGS: &str = "Event=Casual Open;Site=Wien;Date=1998.05.04;Round=3;\
    White=Müller, Karsten;Black=Šarić, Ivan;Result=1-0";

/// Runs the program, which is to succeed.
fn done(db: &Path, args: &[&str]) -> String {
    let ran = run(db, args);
    assert_eq!(ran.status, Some(0), "{args:?} {ran:?}");
    ran.out
}

#[test]
fn tags_tell_games_apart() {
    let whole = game(TAGS, LONG);
    for (from, to, expected) in [
        ("Müller, Karsten", "Mueller,K", true),
        ("Müller, Karsten", "Karsten Muller", true),
        ("Müller, Karsten", "Müller, Anna", false),
        ("Müller, Karsten", "?", false),
        ("Šarić, Ivan", "GM Saric I.", true),
        ("1998.05.04", "1998.??.??", true),
        ("1998.05.04", "????.??.??", false),
        ("1998.05.04", "1998.05.05", false),
        ("Casual Open", "Wien op", true),
        ("Round=3", "Round=?", true),
        ("Round=3", "Round=03", true),
        ("Round=3", "Round=3.1", true),
        ("Round=3", "Round=4", false),
        ("Result=1-0", "Result=*", true),
        ("Result=1-0", "Result=1/2-1/2", false),
        ("Result=1-0", "Result=1-0;WhiteElo=2500;ECO=C97", true),
    ] {
        let other = game(&TAGS.replace(from, to), LONG);
        // Where the event has other words too, nothing says when an undated game was played.
        let other = match to {
            "????.??.??" => other.replace("Casual Open", "Another"),
            _ => other,
        };
        assert_eq!(is_same(&whole, &other), expected, "{from} {to}");
    }
    let with = |tag: &str| game(&format!("{TAGS};{tag}"), LONG);
    for (one, other, expected) in [
        ("GameId=a1", "GameId=a1", true),
        ("GameId=a1", "GameId=a2", false),
        ("GameId=a1", "UTCTime=11:00:00", true),
        ("UTCTime=12:00:00", "UTCTime=11:00:00", false),
        ("Board=1", "Board=2", false),
        ("Annotator=A", "Annotator=B", true),
        ("WhiteFideId=100", "WhiteFideId=100", true),
        ("WhiteFideId=100", "WhiteFideId=200", false),
        ("WhiteFideId=100", "BlackFideId=100", true),
    ] {
        assert_eq!(is_same(&with(one), &with(other)), expected, "{one} {other}");
    }
    // The number of a game outweighs what its players are called, and that one is not known.
    for name in ["Somebody", "?", "anonymous"] {
        let renamed = with("GameId=a1").replace("Müller, Karsten", name);
        assert!(is_same(&with("GameId=a1"), &renamed), "{name}");
        let other = with("GameId=a2").replace("Müller, Karsten", name);
        assert!(!is_same(&with("GameId=a1"), &other), "{name}");
    }
    // So does the number that FIDE has given to somebody.
    let numbered = with("WhiteFideId=100");
    let renamed = numbered.replace("Müller, Karsten", "Polgar, Susan");
    assert!(is_same(&numbered, &renamed));
}

/// Once an initial is known to stand for a name, it stands for no other one.
#[test]
fn a_name_that_was_told_is_no_other_one() {
    for names in [
        ["Müller, K", "Müller, Karsten", "Müller, Klaus"],
        [
            "Müller, K (jun)",
            "Müller, Karsten",
            "Müller, Karsten (sen)",
        ],
    ] {
        let texts = names.map(|name| game(&TAGS.replace("Müller, Karsten", name), LONG));
        let summary = Base::new().import_text(texts.concat().as_bytes(), ImportOptions::default());
        assert_eq!((summary.stored, summary.duplicate), (2, 1), "{names:?}");
    }
}

/// Of the records that one source brings, the one stays that says in which round the game was
/// played: another round is another game.
#[test]
fn a_record_that_tells_more_stays() {
    let told = |from: &str, to: &str| game(&TAGS.replace(from, to), LONG);
    let texts = [
        told("Round=3", "Round=?"),
        told("Round=3", "Round=7"),
        told("Round=3", "Round=?"),
        game(TAGS, LONG),
        told("1998.05.04", "1998.??.??"),
    ];
    let base = Base::new();
    let path = base.folder().join("rounds.pgn");
    std::fs::write(&path, texts.concat()).expect("a file");
    let summary = base.import(std::slice::from_ref(&path), ImportOptions::default());
    assert_eq!(
        (summary.stored, summary.replaced, summary.duplicate),
        (3, 1, 2)
    );
    base.assert_sound();
    let db = base.folder().join("test.db");
    let rounds = || -> Vec<String> {
        let found = done(&db, &["search", "--format", "ndjson"]);
        let round = |line: &str| {
            let value: serde_json::Value = serde_json::from_str(line).expect("JSON");
            value["round"].as_str().expect("a round").to_owned()
        };
        found.lines().map(round).collect()
    };
    assert_eq!(rounds(), ["7", "3"]);
    // Read again, the same are passed over.
    let read = done(&db, &["reread", path.to_str().expect("a name")]);
    assert!(read.contains("2 games"), "{read}");
    assert_eq!(rounds(), ["7", "3"]);
    base.assert_sound();
    // The record without a round that gave way to one with it is no game of another round.
    let base_again = Base::new();
    let texts = [told("Round=3", "Round=?"), told("Round=3", "Round=7")].concat();
    base_again.import_text(texts.as_bytes(), ImportOptions::default());
    let other = base_again.folder().join("other.pgn");
    std::fs::write(
        &other,
        told("Round=3", "Round=8") + &told("Round=3", "Round=?"),
    )
    .expect("a file");
    let summary = base_again.import(&[other], ImportOptions::default());
    assert_eq!((summary.stored, summary.duplicate), (1, 1));
    base_again.assert_sound();
    // What has comments stays, and so does what an earlier source has brought.
    let commented = LONG.replace("1. e4", "1. e4 {best by test}");
    let poor = game(&TAGS.replace("Round=3", "Round=?"), &commented);
    for (first, second) in [
        (poor.clone() + &game(TAGS, LONG), String::new()),
        (told("Round=3", "Round=?"), game(TAGS, LONG)),
    ] {
        let base = Base::new();
        base.import_text(first.as_bytes(), ImportOptions::default());
        base.import_text(second.as_bytes(), ImportOptions::default());
        assert_eq!(base.store.last_game().expect("games"), 1);
    }
}

#[test]
fn the_longest_record_stands_in_the_way_of_a_better_short_one() {
    let base = Base::new();
    let best = ImportOptions {
        duplicates: DuplicateAction::Best,
        ..ImportOptions::default()
    };
    let longer = format!("{LONG} 13. Nf1 Bf8");
    base.import_text(game(TAGS, LONG).as_bytes(), ImportOptions::default());
    base.import_text(game(TAGS, &longer).as_bytes(), ImportOptions::default());
    let commented = LONG.replace("1. e4", "1. e4 {best by test}");
    let summary = base.import_text(game(TAGS, &commented).as_bytes(), best);
    assert_eq!((summary.stored, summary.duplicate), (0, 1));
    // Once the short one was removed for it, it stays away.
    let options = DedupeOptions {
        with_parts: true,
        ..DedupeOptions::default()
    };
    changes::dedupe(&base.store, options, "", &NullObserver).expect("a change");
    for (how, blanks) in [(ImportOptions::default(), "\n"), (best, "\n\n")] {
        let again = base.import_text((blanks.to_owned() + &game(TAGS, LONG)).as_bytes(), how);
        assert_eq!((again.stored, again.duplicate), (0, 1));
        assert_eq!(again.repeated_named[0].game, 2);
    }
    base.assert_sound();
}

#[test]
fn short_games_need_more() {
    let whole = game(TAGS, SHORT);
    for (from, to, expected) in [
        ("Müller, Karsten", "Mueller,K", true),
        ("1998.05.04", "1998.??.??", false),
        ("Casual Open", "casual open", true),
        ("Casual Open", "Wien op", false),
    ] {
        let other = game(&TAGS.replace(from, to), SHORT);
        assert_eq!(is_same(&whole, &other), expected, "{from} {to}");
    }
    // A game is not the same as one that goes on.
    assert!(!is_same(&whole, &game(TAGS, &format!("{SHORT} 5. d4"))));
    // From ten plies on, who says nothing but the year contradicts nobody; who says the day does
    // not say that it was that event.
    let longer = format!("{SHORT} 5. d4 d5");
    let whole = game(TAGS, &longer);
    let unknown = TAGS
        .replace("Casual Open", "?")
        .replace("Round=3", "Round=?");
    for (from, to, expected) in [
        ("1998.05.04", "1998.??.??", true),
        ("1998.05.04", "1997.??.??", false),
        ("1998.05.04", "????.??.??", false),
        ("Event=?", "Event=Open", true),
    ] {
        let other = unknown.replace(
            "1998.05.04",
            if from == "Event=?" {
                "1998.05.??"
            } else {
                "1998.05.04"
            },
        );
        let other = game(&other.replace(from, to), &longer);
        assert_eq!(is_same(&whole, &other), expected, "{from} {to}");
    }
    let day_alone = game(&unknown, &longer);
    let event_alone = game(
        &TAGS
            .replace("1998.05.04", "1998.??.??")
            .replace("Round=3", "Round=?"),
        &longer,
    );
    assert!(!is_same(&day_alone, &event_alone));
}

#[test]
fn games_of_nobody_are_as_many_as_they_are() {
    let nobody = game("Event=Training;Result=1/2-1/2", LONG);
    let summary = after(&nobody.repeat(2), &nobody.repeat(3));
    assert_eq!((summary.duplicate, summary.stored), (2, 1));
    let other = nobody.replace("Training", "Match");
    assert_eq!(after(&nobody, &other).duplicate, 0);
    let commented = nobody.replace("1. e4", "1. e4 {best by test}");
    assert_eq!(after(&nobody, &commented).duplicate, 0);
    assert_eq!(after(&commented, &format!("{commented}\n")).duplicate, 1);
    // What has columns of its own is stored as well, whoever played, and where nobody moved.
    let unplayed = game("Event=Match;White=Aa, A;Black=Bb, B;Result=1-0", "");
    for whole in [&nobody, &unplayed] {
        let with = |tag: &str| whole.replacen('\n', &format!("\n{tag}\n"), 1);
        for (one, other) in [
            (r#"[ECO "C60"]"#, r#"[ECO "C95"]"#),
            (r#"[ECO "C60"]"#, r#"[ECO "C60h"]"#),
            (r#"[WhiteElo "2500"]"#, r#"[WhiteElo "2510"]"#),
            (r#"[BlackElo "2500"]"#, r#"[BlackElo "strong"]"#),
            (r#"[Date "1998.??.??"]"#, r#"[Date "in spring"]"#),
        ] {
            assert!(!is_same(&with(one), &with(other)), "{one} {other}");
            assert!(!is_same(whole, &with(one)), "{one}");
            let spaced = with(one).replace("[Event", "\n[Event");
            assert!(is_same(&with(one), &spaced), "{one}");
        }
    }
    // Positions likewise.
    let position = "[FEN \"8/8/8/8/8/5K2/R7/7k w - - 0 1\"]\n[SetUp \"1\"]\n\n*\n\n";
    let summary = after(&position.repeat(2), &position.repeat(3));
    assert_eq!((summary.duplicate, summary.stored), (2, 1));
}

#[test]
fn a_start_that_is_spelled_out_is_the_usual_one() {
    let usual = game(TAGS, LONG);
    let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let spelled = game(&format!("{TAGS};SetUp=1;FEN={fen}"), LONG);
    assert!(is_same(&usual, &spelled));
    let later = spelled
        .replace("0 1\"]", "4 7\"]")
        .replace("1. e4", "7. e4");
    assert!(is_same(&usual, &later));
    let chess960 = game(&format!("{TAGS};Variant=Chess960;SetUp=1;FEN={fen}"), LONG);
    assert!(!is_same(&usual, &chess960));
}

/// Sample games of a folder.
fn samples(folder: &str) -> Vec<GameRecord> {
    let base = Base::new();
    base.import(&[root().join("sample-data").join(folder)], every_game());
    base.games()
}

#[test]
fn an_export_brings_nothing_new() {
    for folder in ["pgn", "pdn", "."] {
        let base = Base::new();
        let before = base.import(
            &[root().join("sample-data").join(folder)],
            ImportOptions::default(),
        );
        let mut text = String::new();
        base.games()
            .iter()
            .for_each(|game| writer::write(game, &mut text));
        let again = base.import_text(text.as_bytes(), ImportOptions::default());
        let new: Vec<String> = base.games()[before.stored as usize..]
            .iter()
            .map(|game| format!("{:?}", game.tags))
            .collect();
        assert!(new.is_empty(), "{folder}: {new:#?}");
        assert_eq!(again.seen, again.stored + again.duplicate);
        base.assert_sound();
    }
}

#[test]
fn ends_of_lines_and_wrapping_do_not_count() {
    let mut texts: Vec<(String, String)> = Vec::new();
    for folder in ["pgn", "pdn", "problems"] {
        let files = std::fs::read_dir(root().join("sample-data").join(folder)).expect("a folder");
        for file in files {
            let file = file.expect("a file").path();
            let name = file
                .file_name()
                .expect("a name")
                .to_string_lossy()
                .into_owned();
            if let Ok(text) = std::fs::read_to_string(&file) {
                texts.push((name, text));
            }
        }
    }
    // Nobody, or no time, is named: all must be equal, but for white space.
    let comments =
        "1. a3 {one comment\nof two lines, [%clk 0:01:00]} a6 {[%clk 0:02:00]\n} (1... b6 {so}) *";
    for tags in [
        "[Event \"?\"]",
        "[White \"Line\"]\n[Black \"6.Be3\"]",
        "[Result \"*\"]\n[Black \"?\"]",
    ] {
        texts.push(("a.pgn".into(), format!("{tags}\n\n{comments}\n\n")));
    }
    for (name, text) in texts.into_iter().filter(|(name, _)| name != "README.md") {
        let base = Base::new();
        let unix = text.replace("\r\n", "\n");
        let copies = [
            unix.clone(),
            unix.replace('\n', "\r\n"),
            unix.replace("two lines,", "two\n   lines,\n"),
        ];
        for (nth, copy) in copies.iter().enumerate() {
            let path = base.folder().join(format!("{nth}-{name}"));
            std::fs::write(&path, copy).expect("a file");
            let read = base.import(&[path], ImportOptions::default());
            assert!(nth == 0 || read.stored == 0, "{name} {nth}: {read:?}");
        }
        base.assert_sound();
    }
    let other = format!(
        "[Event \"?\"]\n\n{}\n\n",
        comments.replace("lines", "words")
    );
    assert!(!is_same(
        &format!("[Event \"?\"]\n\n{comments}\n\n"),
        &other
    ));
}

#[test]
fn of_moves_that_are_not_played_the_words_count() {
    let moves = format!("{LONG} 13. Qa8 Nf3 14. Be3 1-0");
    let whole = game(TAGS, &moves);
    for (from, to, expected) in [
        ("1. e4", "1. e4 {best by test}", true),
        ("1. e4", "1. e4! $14", true),
        ("Nf3 14.", "Nf3\n14.", true),
        ("Nf3 14.", "Nf3 {so}\r\n(13... a5 14. Qb8) 14.", true),
        ("Nf3 14.", "Nf3!? 14.", true),
        ("14. Be3", "14. Be2", false),
        ("14. Be3", "", false),
    ] {
        let other = game(TAGS, &moves.replace(from, to));
        assert_eq!(is_same(&whole, &other), expected, "{from} {to}");
    }
}

/// The tree of moves of the start, as far as it is counted.
fn tree_of(base: &Base) -> String {
    let position = PositionQuery::of(AnyPosition::initial());
    let tree = search::tree(&base.store, &position, &GameConditions::default(), ENGLISH);
    let mut tree = tree.expect("a tree");
    // In which order games came, their numbers say, and nothing else.
    for game in tree
        .moves
        .iter_mut()
        .filter_map(|played| played.game.as_mut())
    {
        game.id = 0;
    }
    format!("{tree:?}")
}

#[test]
fn however_an_archive_comes_each_game_is_there_once() {
    let games = samples("pgn/classics.pgn");
    let written = |games: &[GameRecord]| {
        let mut text = String::new();
        for game in games {
            writer::write(game, &mut text);
        }
        text
    };
    let all = written(&games);
    let clean = Base::of(all.as_bytes());
    // The newest first, with ten more on top.
    let base = Base::of(written(&games[10..]).as_bytes());
    let more = base.import_text(all.as_bytes(), ImportOptions::default());
    assert_eq!((more.stored, more.duplicate), (10, games.len() as u64 - 10));
    assert_eq!(tree_of(&base), tree_of(&clean));
    // Other line ends, other breaks of lines, and twice in one stream.
    let wide = all.replace("\n\n", "\x01").replace("]\n", "]\x01");
    let wide = wide
        .replace('\n', " ")
        .replace('\x01', "\n\n")
        .replace("]\n\n[", "]\n[");
    for text in [
        all.replace('\n', "\r\n"),
        wide,
        all.replace("[Event ", "\n[Event "),
        all.repeat(2),
    ] {
        let again = base.import_text(text.as_bytes(), ImportOptions::default());
        assert_eq!(again.stored, 0, "{:?}", again.repeated_named.last());
        assert_eq!(again.seen, again.duplicate);
    }
    // Two collections that overlap.
    let (one, other) = (written(&games[..30]), written(&games[20..]));
    let both = Base::new();
    for (name, text) in [("one.pgn", &one), ("other.pgn", &other)] {
        let path = both.folder().join(name);
        std::fs::write(&path, text).expect("a file");
        both.import(&[path], ImportOptions::default());
    }
    assert_eq!(tree_of(&both), tree_of(&clean));
    both.assert_sound();
    // Each knows where it was.
    let places = both.store.places(25).expect("places");
    let places: Vec<_> = places
        .iter()
        .map(|place| (&place.file[..], place.number))
        .collect();
    assert_eq!(places, [("one.pgn", 25), ("other.pgn", 5)]);
    let places = both.store.places(31).expect("places");
    let places: Vec<_> = places
        .iter()
        .map(|place| (&place.file[..], place.number))
        .collect();
    assert_eq!(places, [("other.pgn", 11)]);
}

#[test]
fn skipped_games_are_named_and_can_be_kept() {
    let base = Base::new();
    let path = base.folder().join("twice.pgn");
    std::fs::write(&path, game(TAGS, LONG).repeat(3)).expect("a file");
    let file = path.to_str().expect("a name");
    let db = base.folder().join("own.db");
    let ran = run(&db, &["import", file]);
    let told = format!("stored already: game 2 of {file} is game 1");
    assert!(ran.out.contains(&told), "{ran:?}");
    assert!(ran.out.contains("skipped           2"), "{ran:?}");
    let shown = run(&db, &["show", "1"]);
    for place in ["game 1", "game 2", "game 3"] {
        assert!(
            shown.out.contains(&format!("twice.pgn, {place}")),
            "{shown:?}"
        );
    }
    assert_eq!(run(&db, &["check"]).status, Some(0));
    let again = run(&db, &["import", file]);
    assert!(again.out.contains("skipped           3"), "{again:?}");
    let other = base.folder().join("every.db");
    let ran = run(&other, &["import", "--duplicates", "keep", file]);
    assert!(ran.out.contains("stored            3"), "{ran:?}");
}

#[test]
fn a_copy_of_a_file_is_another_source_of_its_games() {
    let base = Base::new();
    let named = |name: &str| game(&TAGS.replace("Müller, Karsten", name), LONG);
    let [a, b, c] = ["Aa, A", "Bb, B", "Cc, C"].map(named);
    let write = |name: &str, text: String| {
        let path = base.folder().join(name);
        std::fs::write(&path, text).expect("a file");
        path
    };
    let one = write("one.pgn", [&b[..], &a].concat());
    // Its second game is stored already.
    let other = write("other.pgn", [&c[..], &b, &a].concat());
    base.import(&[one, other], ImportOptions::default());
    let copy = write("copy.pgn", [&c[..], &b, &a].concat());
    for _ in 0..2 {
        let summary = base.import(std::slice::from_ref(&copy), ImportOptions::default());
        assert_eq!((summary.stored, summary.duplicate), (0, 3));
    }
    base.assert_sound();
    let places = |game| {
        let places = base.store.places(game).expect("places").into_iter();
        let places = places.map(|place| (place.file, place.number));
        places.collect::<Vec<_>>()
    };
    let named = |file: &str, number| (file.to_owned(), number);
    assert_eq!(
        places(1),
        [
            named("one.pgn", 1),
            named("other.pgn", 2),
            named("copy.pgn", 2)
        ]
    );
    assert_eq!(places(3), [named("other.pgn", 1), named("copy.pgn", 1)]);
}

/// Beginnings of games are stored, and named with what goes on from them.
#[test]
fn beginnings_of_games_are_named() {
    let base = Base::new();
    let db = base.folder().join("own.db");
    let short = LONG.rsplit_once("12.").expect("a move").0;
    let other = TAGS.replace("1998.05.04", "1998.05.05");
    let import = |name: &str, games: &[String], how: &str| {
        let path = base.folder().join(name);
        std::fs::write(&path, games.concat()).expect("a file");
        let name = path.to_str().expect("a name");
        let args = ["import", name, "--duplicates", how, "--format", "json"];
        let told = done(&db, &args);
        let told: serde_json::Value = serde_json::from_str(&told).expect("JSON");
        let named = told["contained_named"].as_array().expect("games").iter();
        let pairs = named.map(|pair| (pair["game"].as_u64(), pair["whole"].as_u64()));
        let pairs: Vec<(u64, u64)> = pairs.filter_map(|(game, whole)| game.zip(whole)).collect();
        assert_eq!(told["contained"].as_u64(), Some(pairs.len() as u64));
        assert_eq!(told["rejected"].as_u64(), Some(0));
        pairs
    };
    // A shorter one on another day, or of fewer moves than tell a game, is another.
    let first = [game(TAGS, LONG), game(&other, short), game(TAGS, SHORT)];
    assert_eq!(import("a.pgn", &first, "skip"), []);
    assert_eq!(import("b.pgn", &[game(TAGS, short)], "skip"), [(4, 1)]);
    assert_eq!(import("c.pgn", &[game(&other, LONG)], "skip"), [(2, 5)]);
    // What was there before is not named again, nor by who wants all games.
    let third = TAGS.replace("1998.05.04", "1998.05.06");
    assert_eq!(import("d.pgn", &[game(&third, short)], "skip"), []);
    assert_eq!(import("e.pgn", &[game(&third, LONG)], "keep"), []);
    let path = base.folder().join("b.pgn");
    let text = std::fs::read_to_string(&path).expect("a file");
    std::fs::write(&path, [&game(TAGS, LONG)[..], &text].concat()).expect("a file");
    let fresh = base.folder().join("fresh.db");
    let told = done(&fresh, &["import", path.to_str().expect("a name")]);
    assert!(
        told.contains("stored twice: game 2 is the beginning of game 1"),
        "{told}"
    );
    assert!(told.contains("`plydex dedupe --parts`"), "{told}");
    done(&fresh, &["dedupe", "--parts", "--yes"]);
    let left = done(
        &fresh,
        &["sql", "SELECT game FROM game_list", "--format", "csv"],
    );
    assert_eq!(left, "game\n1\n");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// In whatever pieces, order and number of times games come, each is there once.
    #[test]
    fn pieces_make_up_the_whole(
        pieces in prop::collection::vec((0_usize..40, 1_usize..12, 1_usize..3), 1..6),
        threads in 1_usize..4,
    ) {
        let games = samples("pgn/classics.pgn");
        let base = Base::new();
        let mut expected = std::collections::BTreeSet::new();
        for (at, &(from, count, times)) in pieces.iter().enumerate() {
            let mut text = String::new();
            for _ in 0..times {
                let piece = games.iter().skip(from).take(count);
                piece.for_each(|game| writer::write(game, &mut text));
            }
            expected.extend(from..(from + count).min(games.len()));
            let path = base.folder().join(format!("{at}.pgn"));
            std::fs::write(&path, text).expect("a file");
            let options = ImportOptions { threads: Some(threads), commit_games_max: Some(5), ..ImportOptions::default() };
            let summary = base.import(&[path], options);
            prop_assert_eq!(summary.seen, summary.stored + summary.duplicate);
        }
        prop_assert_eq!(base.games().len(), expected.len());
        base.assert_sound();
    }

    /// Whether a base's games are all at hand, or read as they are asked for, changes nothing.
    #[test]
    fn games_that_are_read_as_they_are_asked_for_are_all_that_count(
        imports in prop::collection::vec(
            (prop::collection::vec((0_usize..40, 1_usize..8, 0_usize..3, 0_usize..3), 1..8), 0_usize..3),
            1..4,
        ),
        threads in 1_usize..4,
    ) {
        let games = samples("pgn/classics.pgn");
        let bases = [None, Some(0)].map(|known_games_max| (Base::new(), known_games_max));
        for (nth, (files, how)) in imports.iter().enumerate() {
            let texts: Vec<String> = files.iter().map(|&(from, count, cut, day)| {
                let mut text = String::new();
                for game in games.iter().skip(from).take(count) {
                    let mut game = game.clone();
                    // Some are only the beginning, of those some on a day of its own.
                    game.items.retain(|item| matches!(item, MovetextItem::Move(_)));
                    game.items.truncate(game.items.len().saturating_sub(cut));
                    for (_, date) in game.tags.iter_mut().filter(|(name, _)| name == "Date") {
                        *date = format!("1999.01.0{}", day + 1);
                    }
                    writer::write(&game, &mut text);
                }
                text
            }).collect();
            let told = bases.each_ref().map(|(base, known_games_max)| {
                let paths: Vec<_> = texts.iter().enumerate().map(|(at, text)| {
                    let path = base.folder().join(format!("{nth}-{at}.pgn"));
                    std::fs::write(&path, text).expect("a file");
                    path
                }).collect();
                let options = ImportOptions {
                    duplicates: [DuplicateAction::Skip, DuplicateAction::Best, DuplicateAction::Keep][*how],
                    threads: Some(threads),
                    known_games_max: *known_games_max,
                    commit_games_max: Some(5),
                    ..ImportOptions::default()
                };
                let summary = base.import(&paths, options);
                let named = summary.repeated_named.iter().map(|its| (its.number, its.game));
                let named: Vec<_> = named.collect();
                (summary.stored, summary.duplicate, summary.replaced, named, summary.contained_named)
            });
            prop_assert_eq!(&told[0], &told[1]);
        }
        prop_assert_eq!(bases[0].0.games(), bases[1].0.games());
        bases[1].0.assert_sound();
    }
}
