//! Bits of a database that flip: whoever asks has the answer of before, or an error, and a
//! check sees it.

use plydex::changes;
use std::{
    fs::File,
    os::unix::fs::FileExt,
    path::{Path, PathBuf},
    sync::atomic::{AtomicUsize, Ordering},
};

use super::{GAMES, archive, assert_whole, closed, sqlite, text};
use {
    crate::support::{one_in, root, run},
    plydex::{
        base::observe::{CancellationToken, NullObserver},
        games::{
            notation::letters::ENGLISH,
            position_input::{self, ExpectedVariants},
        },
        import::{self, ImportOptions},
        pgn,
        query::{GameCondition, NameField, PositionQuery},
        search::{self, AccessPlan, GameConditions, GameReader, MoveNotation},
        store::{Store, StoreError},
    },
};

/// Bytes of a page of a new database.
const PAGE: usize = 4096;

/// Games of all kinds: comments, variations, draughts, a problem, positions.
const MIXED: &str = "[Event \"A\"]\n[Site \"Here\"]\n[Annotator \"Somebody\"]\n[White \"Tal\"]\n\n\
    1. e4 {Best by test} e5 (1... c5 $6 {sharp} 2. Nf3 (2. c3)) 2. Nf3 $1 Nc6 3. Bb5 *\n\n\
    [Event \"A\"]\n[White \"Tal\"]\n[Black \"Tal\"]\n[Result \"1-0\"]\n[WhiteElo \"2700\"]\n\n\
    1. d4 { [%clk 0:10:00] } d5 { [%clk 0:09:58] } 2. c4 { [%clk 0:09:50] } 1-0\n\n\
    [Variant \"atomic\"]\n[Opening \"Somewhat long, and met again\"]\n\n1. Nf3 f6 0-1\n\n\
    [FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n[SetUp \"1\"]\n\
    [Opening \"Somewhat long, and met again\"]\n\n1. e4 Kd7 1/2-1/2\n\n\
    [Opening \"Somewhat long, and met again\"]\n[Event \"D\"]\n[GameType \"20\"]\n\n1. 32-28 19-23 *\n";

/// Games that are asked for one by one; some of them are there.
const GAMES_ASKED: u64 = 12;

/// A small database, plain and closed.
fn small() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let pgn = folder.path().join("games.pgn");
    std::fs::write(&pgn, MIXED).expect("a file");
    let problem = root().join("sample-data/problems");
    let db = folder.path().join("games.db");
    let store = Store::create_or_open(&db, &CancellationToken::default()).expect("a database");
    let mut paths = vec![pgn];
    paths.extend(problem.exists().then_some(problem));
    import::import(&store, &paths, ImportOptions::default(), &NullObserver).expect("an import");
    drop(store);
    (folder, db)
}

/// What is asked, one answer after the other: each is told, or its error.
fn answers(db: &Path) -> Vec<Result<String, StoreError>> {
    let stop = CancellationToken::default();
    let store = match Store::open(db, &stop) {
        Ok(store) => store,
        Err(error) => return vec![Err(error)],
    };
    let mut told = Vec::new();
    let mut games = GameReader::new(&store);
    for game in 1..=GAMES_ASKED {
        told.push(games.game(game).map(|game| {
            let mut text = String::new();
            if let Some(game) = game {
                pgn::writer::write(&game, &mut text);
            }
            text
        }));
    }
    told.push(store.last_game().map(|last| last.to_string()));
    for line in ["startpos", "e4 e5", "e4 c5"] {
        let at = position_input::read_position(line, &ExpectedVariants::default())
            .expect("a position")
            .at;
        let position = PositionQuery {
            in_variations: true,
            ..PositionQuery::of(at)
        };
        let tree = search::tree(&store, &position, &GameConditions::default(), ENGLISH);
        told.push(tree.map(|tree| format!("{tree:?}")));
        let query = AccessPlan {
            position: Some(position),
            ..AccessPlan::default()
        };
        let found = search::search(&store, &query, MoveNotation::default());
        told.push(found.map(|found| format!("{found:?}")));
    }
    for filter in [
        GameConditions::of([GameCondition::white("tal")]),
        GameConditions::of([GameCondition::Name(NameField::Event, "a".to_owned())]),
    ] {
        let query = AccessPlan {
            conditions: filter,
            ..AccessPlan::default()
        };
        let found = search::search(&store, &query, MoveNotation::default());
        told.push(found.map(|found| format!("{found:?}")));
    }
    told.push(store.chunks("game-too-large").map(|all| format!("{all:?}")));
    told
}

/// Whether a check finds something wrong.
fn is_found(db: &Path) -> bool {
    let checked = Store::open(db, &CancellationToken::default())
        .and_then(|store| changes::check(&store, &NullObserver));
    checked.map_or(true, |report| !report.problems.is_empty())
}

/// Flips a bit in each of some bytes, one after the other; every byte has its turn for a check
/// once in so many.
fn flip(bytes: impl Iterator<Item = (u64, u8)>, check_every: usize) {
    let (folder, db) = small();
    let before: Vec<String> = answers(&db)
        .into_iter()
        .map(|answer| answer.expect("an answer"))
        .collect();
    assert!(!is_found(&db));
    let other = folder.path().join("flipped.db");
    std::fs::copy(&db, &other).expect("a copy");
    let whole = std::fs::read(&db).expect("a file");
    let flipped = AtomicUsize::new(0);
    for (at, bit) in bytes {
        let at = at % whole.len() as u64;
        // In place: nothing else of the file is written.
        let file = File::options().write(true).open(&other).expect("a file");
        let set = |byte: u8| file.write_all_at(&[byte], at).expect("a byte");
        set(whole[at as usize] ^ (1 << bit));
        let now = answers(&other);
        for (number, answer) in now.iter().enumerate() {
            if let Ok(answer) = answer {
                let is_same = before[number] == *answer;
                let was = &before[number];
                assert!(
                    is_same,
                    "byte {at}, bit {bit}: another answer:\n{answer}\n{was}"
                );
            }
        }
        if flipped
            .fetch_add(1, Ordering::Relaxed)
            .is_multiple_of(check_every)
        {
            assert!(is_found(&other), "byte {at}, bit {bit}: not found");
        }
        // Whatever a close has done to it.
        if std::fs::metadata(&other).expect("a file").len() == whole.len() as u64 {
            set(whole[at as usize]);
        }
        drop(file);
        if std::fs::read(&other).expect("a file") != whole {
            std::fs::write(&other, &whole).expect("a file");
        }
    }
}

#[test]
fn no_flipped_bit_changes_an_answer() {
    let mut rng = fastrand::Rng::with_seed(20_261_123);
    // The header has a meaning of its own, byte by byte.
    let header = (0..100).map(|at| (at, (at % 8) as u8));
    let random: Vec<(u64, u8)> = (0..200)
        .map(|_| (rng.u64(..1 << 40), rng.u8(0..8)))
        .collect();
    flip(header.chain(random), 8);
}

/// Every byte once, and some of them asked for everything: `just full`.
#[test]
#[ignore = "takes minutes"]
fn no_flipped_bit_changes_an_answer_wherever_it_is() {
    let (_folder, db) = small();
    let whole = std::fs::read(&db).expect("a file");
    let file = File::options().write(true).open(&db).expect("a file");
    let seen = Store::ask(&db, &CancellationToken::default(), |store| {
        for (at, byte) in whole.iter().enumerate().skip(100) {
            let set = |byte: u8| file.write_all_at(&[byte], at as u64).expect("a byte");
            set(byte ^ (1 << (at % 8)));
            let page = at as u32 / PAGE as u32 + 1;
            let (bad, _) = store.bad_pages(page, 1);
            assert_eq!(bad, [page], "byte {at}");
            set(*byte);
        }
        Ok::<_, StoreError>(())
    });
    seen.expect("a database");
    drop(file);
    let bytes = whole.len() as u64;
    flip(
        (0..100)
            .chain((100..bytes).step_by(61))
            .map(|at| (at, (at % 8) as u8)),
        8,
    );
}

/// What a plain SQLite has written is no answer, and said to be so.
#[test]
fn a_page_of_another_program_is_refused() {
    let (_folder, db) = closed();
    let other = rusqlite::Connection::open(&db).expect("a database");
    other
        .execute_batch("UPDATE player SET name = name || '!' WHERE id = 3")
        .expect("an update");
    drop(other);
    let ran = run(&db, &["export"]);
    assert_eq!(ran.status, Some(2), "{ran:?}");
    assert!(
        ran.err.contains("page ") && ran.err.contains("check"),
        "{ran:?}"
    );
    let ran = run(&db, &["check"]);
    assert_eq!(ran.status, Some(2), "{ran:?}");
    assert!(
        ran.out.contains("page ") && ran.err.contains("--repair"),
        "{ran:?}"
    );
}

/// What somebody changes behind the checksums of pages is seen by those of games.
#[test]
fn a_change_of_a_game_is_seen_and_named() {
    for sql in [
        "UPDATE player SET name = name || '!' WHERE id = (SELECT white FROM game WHERE id = 7)",
        "UPDATE game_row SET round = '77' WHERE id = 7",
        "UPDATE game_row SET extra = replace(extra, '7', '8') WHERE id = 7",
        "UPDATE print_block SET data = zeroblob(length(data))",
    ] {
        let (_folder, db) = closed();
        let other = sqlite(&db);
        other.execute_batch(sql).expect("an update");
        drop(other);
        let ran = run(&db, &["show", "7"]);
        assert_eq!(ran.status, Some(2), "{sql}: {ran:?}");
        assert!(ran.err.contains("game 7"), "{sql}: {ran:?}");
        let ran = run(&db, &["check"]);
        assert!(
            ran.out.contains("game 7") || ran.out.contains("games 1 to 48"),
            "{sql}: {ran:?}"
        );
    }
}

#[test]
fn rows_that_nothing_refers_to_are_found() {
    for (sql, told) in [
        ("INSERT INTO player VALUES (9999, 'X')", "table player"),
        ("INSERT INTO text VALUES (9999, 'X')", "table text"),
        (
            "INSERT INTO tag_layout VALUES (9999, '[]')",
            "table tag_layout",
        ),
        ("CREATE INDEX own ON game_row (white)", "index own"),
        (
            "DROP INDEX source_chunk_by_game",
            "index source_chunk_by_game",
        ),
        (
            "DROP VIEW tag; CREATE VIEW tag AS SELECT 1 AS game",
            "view tag",
        ),
        (
            "DELETE FROM source_chunk",
            "table source_chunk: games 1 to 48",
        ),
        ("UPDATE import SET stored = 5, seen = 5", "table import"),
        (
            "UPDATE variant SET name = 'x' WHERE id = 3",
            "table variant: row 3",
        ),
        (
            "DELETE FROM print_block",
            "table print_block: games 1 to 48",
        ),
        (
            "INSERT INTO tail_block VALUES (1, zeroblob(32))",
            "table tail_block: a segment has the games of row 1",
        ),
    ] {
        let (_folder, db) = closed();
        let other = sqlite(&db);
        other.execute_batch(sql).expect("an update");
        drop(other);
        let ran = run(&db, &["check"]);
        assert_eq!(ran.status, Some(2), "{sql}: {ran:?}");
        assert!(ran.out.contains(told), "{sql}: {ran:?}");
    }
}

/// A sound database comes back as it was; of a damaged one what is whole, and the rest is
/// named.
#[test]
fn a_repair_copies_what_is_whole() {
    let (folder, db) = closed();
    let new = folder.path().join("new.db");
    let ran = run(&db, &["check", "--repair", text(&new)]);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    assert!(
        ran.out
            .contains("48 games copied: 48 intact, 0 damaged, 0 lost"),
        "{ran:?}"
    );
    let is_same = run(&new, &["export"]).out == run(&db, &["export"]).out;
    assert!(is_same);
    assert_whole(&db, GAMES);
    assert_whole(&new, GAMES);
    // What is there is not replaced.
    let ran = run(&db, &["check", "--repair", text(&new)]);
    assert_eq!(ran.status, Some(2), "{ran:?}");
    // It knows what it has.
    let pgn = folder.path().join("games.pgn");
    std::fs::write(&pgn, archive(1)).expect("a file");
    let ran = run(&new, &["import", text(&pgn)]);
    assert!(ran.out.contains("skipped          48"), "{ran:?}");

    let whole = std::fs::read(&db).expect("a file");
    let exported = run(&db, &["export"]).out;
    let games = |text: &str| -> Vec<String> {
        let games = text
            .split("\n\n[")
            .map(|game| game.trim_start_matches('[').trim().to_owned());
        games.collect()
    };
    let pages = whole.len() / PAGE;
    let mut rng = fastrand::Rng::with_seed(7);
    for page in 1..pages {
        let mut bytes = whole.clone();
        let at = page * PAGE;
        if page % 2 == 0 {
            bytes[at..at + PAGE].fill_with(|| rng.u8(..));
        } else {
            bytes[at + rng.usize(0..PAGE)] ^= 1 << rng.u8(0..8);
        }
        std::fs::write(&db, &bytes).expect("a file");
        let _ = std::fs::remove_file(&new);
        let ran = run(&db, &["check", "--repair", text(&new)]);
        assert!(!ran.err.contains("panicked"), "page {}: {ran:?}", page + 1);
        if ran.status == Some(0) || ran.out.contains("copied") {
            let checked = run(&new, &["check"]);
            assert_eq!(
                checked.status,
                Some(0),
                "page {}: {ran:?} {checked:?}",
                page + 1
            );
            let now = games(&run(&new, &["export"]).out);
            let before = games(&exported);
            assert_eq!(now.len(), before.len(), "page {}: {ran:?}", page + 1);
            let same = now.iter().zip(&before).filter(|(a, b)| a == b).count();
            let told = format!(" {same} intact");
            let whole_games: usize = ran
                .out
                .split("copied: ")
                .nth(1)
                .and_then(|rest| rest.split(' ').next())
                .and_then(|count| count.parse().ok())
                .expect("a count");
            assert!(whole_games <= same, "page {}: {told}, {ran:?}", page + 1);
        } else {
            assert!(ran.err.contains("games.db"), "page {}: {ran:?}", page + 1);
        }
    }
}

/// Men that a drawn opening puts elsewhere are no damage.
#[test]
fn a_repair_keeps_drawn_openings() {
    let folder = tempfile::tempdir().expect("a folder");
    let [pdn, db, new] = ["games.pdn", "games.db", "new.db"].map(|name| folder.path().join(name));
    let game = "[Event \"A\"]\n[GameType \"25\"]\n\n1. a1-a5 a7-h4 2. c3-d4 d6-c5 *\n";
    std::fs::write(&pdn, game).expect("a file");
    assert_eq!(run(&db, &["import", text(&pdn)]).status, Some(0));
    assert!(run(&db, &["export"]).out.contains("d6-c5"));
    let ran = run(&db, &["check", "--repair", text(&new)]);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    assert_eq!(run(&new, &["export"]).out, run(&db, &["export"]).out);
}

/// A file that has lost its end, in the middle of a page or not, or the bytes that say that it
/// is a database.
#[test]
fn a_cut_file_is_no_answer_and_is_repaired() {
    let (folder, db) = closed();
    let whole = std::fs::read(&db).expect("a file");
    let exported = run(&db, &["export"]).out;
    let new = folder.path().join("new.db");
    let mut spoiled = whole.clone();
    spoiled[..16].fill(0);
    for (bytes, is_intact) in [
        (&whole[..whole.len() - 100], false),
        (&whole[..whole.len() - 2 * PAGE], false),
        (&spoiled, true),
    ] {
        std::fs::write(&db, bytes).expect("a file");
        let ran = run(&db, &["check"]);
        assert_eq!(ran.status, Some(2), "{ran:?}");
        assert!(ran.out.contains("page"), "{ran:?}");
        let ran = run(&db, &["export"]);
        assert!(ran.status == Some(2) || ran.out == exported, "{ran:?}");
        let _ = std::fs::remove_file(&new);
        let ran = run(&db, &["check", "--repair", text(&new)]);
        assert!(ran.out.contains(" copied: "), "{ran:?}");
        assert_eq!(run(&new, &["check"]).status, Some(0), "{ran:?}");
        if is_intact {
            assert_eq!(run(&new, &["export"]).out, exported);
        }
    }
}

/// A file whose first page is gone or is another's: the page of a new database serves.
#[test]
fn a_file_without_its_first_page_is_repaired() {
    let (folder, db) = closed();
    let whole = std::fs::read(&db).expect("a file");
    let exported = run(&db, &["export"]).out;
    let new = folder.path().join("new.db");
    for fill in [0, 0xff] {
        let mut spoiled = whole.clone();
        spoiled[..PAGE].fill(fill);
        std::fs::write(&db, &spoiled).expect("a file");
        assert_eq!(run(&db, &["export"]).status, Some(2));
        let _ = std::fs::remove_file(&new);
        let ran = run(&db, &["check", "--repair", text(&new)]);
        assert_eq!(ran.status, Some(0), "{ran:?}");
        assert_eq!(run(&new, &["check"]).status, Some(0), "{ran:?}");
        assert_eq!(run(&new, &["export"]).out, exported);
    }
    // Of what never was a database nothing is made.
    std::fs::write(&db, vec![0; whole.len()]).expect("a file");
    let _ = std::fs::remove_file(&new);
    let ran = run(&db, &["check", "--repair", text(&new)]);
    assert_eq!(ran.status, Some(2), "{ran:?}");
    assert!(!new.exists());
}

/// Whichever bit of the pages is wrong that say where the tables are, and wherever the file is cut
/// behind the first: the pages of a new database serve.
#[test]
fn a_file_that_has_lost_the_list_of_its_tables_is_repaired() {
    let (folder, db) = closed();
    let whole = std::fs::read(&db).expect("a file");
    let exported = run(&db, &["export"]).out;
    let new = folder.path().join("new.db");
    let repaired = |bytes: &[u8]| {
        std::fs::write(&db, bytes).expect("a file");
        let _ = std::fs::remove_file(&new);
        let ran = run(&db, &["check", "--repair", text(&new)]);
        assert!(ran.out.contains(" copied: "), "{ran:?}");
        assert_eq!(run(&new, &["check"]).status, Some(0), "{ran:?}");
        ran
    };
    let places = (16..18).chain(96..116).chain([3000, 4000]);
    for at in places.step_by(one_in(3)) {
        let mut spoiled = whole.clone();
        spoiled[at] ^= 1;
        let ran = repaired(&spoiled);
        assert_eq!(ran.status, Some(0), "{at}: {ran:?}");
        assert_eq!(run(&new, &["export"]).out, exported, "{at}");
    }
    // Below the first page there are others.
    let below = u32::from_be_bytes(*whole[108..].first_chunk().expect("four bytes")) as usize;
    let mut spoiled = whole.clone();
    spoiled[(below - 1) * PAGE..below * PAGE].fill(0);
    let ran = repaired(&spoiled);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    assert_eq!(run(&new, &["export"]).out, exported);
    for pages in (5..below + 2).step_by(one_in(2)) {
        let ran = repaired(&whole[..pages * PAGE]);
        assert!(ran.out.contains("games copied"), "{pages}: {ran:?}");
    }
}

/// A file that was written anew has its tables in other places than a new one, and says where.
#[test]
fn a_file_that_was_optimized_is_repaired() {
    let (_folder, db) = closed();
    assert_eq!(run(&db, &["optimize"]).status, Some(0));
    // The size of the pages, room for sums, the counter, the form of the schema, the version.
    let damaged = [16..17, 16..18, 20..21, 24..28, 44..48, 60..64, 0..100];
    let exported = run(&db, &["export"]).out;
    let whole = std::fs::read(&db).expect("a file");
    let new = db.with_extension("repaired");
    for damaged in damaged {
        let mut spoiled = whole.clone();
        spoiled[damaged.clone()].fill(0xa7);
        std::fs::write(&db, spoiled).expect("a file");
        let _ = std::fs::remove_file(&new);
        let ran = run(&db, &["check", "--repair", text(&new)]);
        assert_eq!(ran.status, Some(0), "{damaged:?}: {ran:?}");
        assert_eq!(run(&new, &["check"]).status, Some(0), "{damaged:?}");
        assert_eq!(run(&new, &["export"]).out, exported, "{damaged:?}");
    }
}

/// Where the last games are lost, imports have not stored them, and their file can be read again.
#[test]
fn what_is_repaired_is_sound_however_little_it_is() {
    let (folder, db) = closed();
    let whole = std::fs::read(&db).expect("a file");
    let new = folder.path().join("new.db");
    for pages in (8..whole.len() / PAGE).step_by(3) {
        std::fs::write(&db, &whole[..pages * PAGE]).expect("a file");
        let _ = std::fs::remove_file(&new);
        let ran = run(&db, &["check", "--repair", text(&new)]);
        assert!(ran.out.contains("copied: "), "{pages}: {ran:?}");
        let checked = run(&new, &["check"]);
        assert_eq!(checked.status, Some(0), "{pages}: {ran:?} {checked:?}");
    }
}

/// A page of which nothing is left is no page that was never written.
#[test]
fn an_empty_page_is_no_answer() {
    let (_folder, db) = closed();
    let whole = std::fs::read(&db).expect("a file");
    let asked: [&[&str]; 3] = [
        &["export"],
        &["search", "Pe4", "--format", "ndjson"],
        &["sql", "SELECT * FROM moves"],
    ];
    let answers = asked.map(|asked| run(&db, asked).out);
    for page in 1..whole.len() / PAGE {
        let mut spoiled = whole.clone();
        spoiled[page * PAGE..(page + 1) * PAGE].fill(0);
        if spoiled == whole {
            continue;
        }
        std::fs::write(&db, spoiled).expect("a file");
        let checked = run(&db, &["check"]);
        assert_eq!(checked.status, Some(2), "page {}: {checked:?}", page + 1);
        for (asked, answer) in asked.iter().zip(&answers) {
            let ran = run(&db, asked);
            let is_right = ran.status == Some(2) || ran.out == *answer;
            assert!(is_right, "page {}: {asked:?}: {ran:?}", page + 1);
        }
    }
}

/// Any byte of the rows of games: the others are whole, none is left out, and the new database is
/// sound.
#[test]
fn a_wrong_byte_in_the_rows_costs_the_games_in_its_page_at_most() {
    let (folder, db) = closed();
    let whole = std::fs::read(&db).expect("a file");
    let new = folder.path().join("new.db");
    let sql = "SELECT name, pageno FROM dbstat WHERE pagetype = 'leaf' AND name IN \
        ('game_row', 'import', 'source', 'diagnostic_count', 'repeated_game', 'tag_layout')";
    let pages: Vec<usize> = {
        let file = rusqlite::Connection::open(&db).expect("a database");
        let mut asked = file.prepare(sql).expect("a question");
        let rows = asked.query_map([], |row| row.get::<_, i64>(1));
        rows.expect("rows")
            .map(|page| page.expect("a page") as usize)
            .collect()
    };
    assert!(pages.len() >= 5, "{pages:?}");
    let mut rng = fastrand::Rng::with_seed(11);
    for &page in &pages {
        // The header of the page, and some of its cells, which stand at its end.
        let cells: Vec<usize> = (0..10).map(|_| rng.usize(3000..4080)).collect();
        for at in (0..8).chain(cells).step_by(one_in(3)) {
            let mut spoiled = whole.clone();
            spoiled[(page - 1) * PAGE + at] ^= 1 << rng.u8(0..8);
            std::fs::write(&db, &spoiled).expect("a file");
            let _ = std::fs::remove_file(&new);
            let ran = run(&db, &["check", "--repair", text(&new)]);
            assert!(
                ran.out.contains("48 games copied"),
                "page {page}, {at}: {ran:?}"
            );
            let checked = run(&new, &["check"]);
            assert_eq!(
                checked.status,
                Some(0),
                "page {page}, {at}: {ran:?} {checked:?}"
            );
        }
    }
}
