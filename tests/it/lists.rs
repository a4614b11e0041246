//! Lists of many games: in every order what sorting all of them gives, and written
//! while they are found, in no more memory than a page of them takes.

use std::{
    cmp::Ordering,
    collections::HashMap,
    fmt::Write as _,
    io::{BufRead, BufReader, Read},
};

use proptest::prelude::*;

use {
    crate::support::{Base, every_game, game_ids, plydex, run, sqlite},
    plydex::{
        base::record::GameHeader,
        blocks::fingerprint::{self, Fingerprint, GAMES_PER_BLOCK},
        import::ImportOptions,
        query::{Page, SortKey},
        replay::FullGameReader,
        search::{self, AccessPlan, MoveNotation},
    },
};

const KEYS: [SortKey; 10] = [
    SortKey::Id,
    SortKey::Date,
    SortKey::Elo,
    SortKey::White,
    SortKey::Black,
    SortKey::Event,
    SortKey::Author,
    SortKey::Eco,
    SortKey::Plies,
    SortKey::Result,
];

const NAMES: [&str; 6] = ["", "?", "Tal", "tal", "Botvinnik", "Émile"];
const DATES: [&str; 4] = ["????.??.??", "1960.05.07", "1961.??.??", "1961.05.12"];
const ELOS: [&str; 3] = ["", "2500", "1800"];
const ECOS: [&str; 3] = ["?", "B18", "E99"];
const RESULTS: [&str; 4] = ["*", "1-0", "0-1", "1/2-1/2"];
const MOVES: [&str; 3] = ["", "1. e4", "1. e4 c6 2. d4"];

fn pgn(games: &[[usize; 9]]) -> String {
    let mut text = String::new();
    for &[
        event,
        white,
        black,
        date,
        white_elo,
        black_elo,
        eco,
        result,
        moves,
    ] in games
    {
        let pairs = [
            ("Event", NAMES[event % 6]),
            ("White", NAMES[white % 6]),
            ("Black", NAMES[black % 6]),
            ("Date", DATES[date % 4]),
            ("WhiteElo", ELOS[white_elo % 3]),
            ("BlackElo", ELOS[black_elo % 3]),
            ("ECO", ECOS[eco % 3]),
            ("Result", RESULTS[result % 4]),
        ];
        for (name, value) in pairs {
            let _ = writeln!(text, "[{name} \"{value}\"]");
        }
        let _ = writeln!(text, "\n{} {}\n", MOVES[moves % 3], RESULTS[result % 4]);
    }
    text
}

/// The value by which a game is ordered, if it is known.
fn value(game: &GameHeader, key: SortKey) -> Option<(u64, String)> {
    let number = |number: u64| Some((number, String::new()));
    let name = |name: &str| {
        let known = !matches!(name, "" | "?");
        known.then(|| (0, name.to_lowercase()))
    };
    match key {
        SortKey::Id => number(game.id),
        SortKey::Date => (game.date != DATES[0]).then(|| (0, game.date.replace('?', "0"))),
        SortKey::Elo => {
            let sum = game.white_elo.zip(game.black_elo);
            sum.and_then(|(white, black)| number(u64::from(white) + u64::from(black)))
        }
        SortKey::White => name(&game.white),
        SortKey::Black => name(&game.black),
        SortKey::Event => name(&game.event),
        // None of them is a problem, and they are compared to nothing.
        SortKey::Author | SortKey::Likeness => None,
        SortKey::Eco => {
            let opening = game.opening.as_ref()?;
            Some((
                0,
                format!("{} {}", opening.eco, opening.name).to_lowercase(),
            ))
        }
        SortKey::Plies => number(game.plies.into()),
        SortKey::Result => number(
            RESULTS
                .iter()
                .position(|result| *result == game.result)
                .unwrap_or(9) as u64,
        ),
    }
}

fn in_order(games: &[GameHeader], key: SortKey, descending: bool) -> Vec<u64> {
    let mut games: Vec<_> = games
        .iter()
        .map(|game| (value(game, key), game.id))
        .collect();
    games.sort_by(|(a, _), (b, _)| match (a, b) {
        (None, None) => Ordering::Equal,
        (None, _) => Ordering::Greater,
        (_, None) => Ordering::Less,
        (Some(a), Some(b)) if descending => b.cmp(a),
        (Some(a), Some(b)) => a.cmp(b),
    });
    games.into_iter().map(|(_, id)| id).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn pages_are_those_of_the_sorted_whole(
        games in prop::collection::vec(prop::array::uniform9(0_usize..12), 1..30),
        offset in 0_u64..8,
        limit in prop::option::of(0_u64..20),
        enough in 1_usize..6,
    ) {
        let base = Base::new();
        base.import_text(pgn(&games).as_bytes(), every_game());
        let all: Vec<GameHeader> = base.games().into_iter().map(|game| game.header).collect();
        prop_assert_eq!(all.len(), games.len());
        for (sort, descending) in KEYS.into_iter().flat_map(|key| [(key, false), (key, true)]) {
            let query = AccessPlan {
                page: Page { sort, descending, offset, limit, ..Page::default() },
                ..AccessPlan::default()
            };
            let mut expected = in_order(&all, sort, descending);
            expected.drain(..expected.len().min(offset as usize));
            expected.truncate(limit.map_or(usize::MAX, |limit| limit as usize));

            let found = search::search(&base.store, &query, MoveNotation::default()).expect("an answer");
            prop_assert_eq!(found.total, all.len() as u64);
            let ids: Vec<u64> = found.hits.iter().map(|hit| hit.header.id).collect();
            prop_assert_eq!(&ids, &expected, "{:?}", query);
            prop_assert_eq!(&game_ids(&base.store, &query).expect("numbers"), &expected);

            // An error of the store, or none where it is enough.
            let said = |count: usize| if count == enough { Err(None) } else { Ok(()) };
            let mut hits = Vec::new();
            let ended = search::each_hit(&base.store, &query, MoveNotation::default(), &mut |hit| {
                hits.push(hit);
                said(hits.len())
            });
            prop_assert!(matches!(ended, Ok(_) | Err(None)), "{:?}", ended);
            prop_assert_eq!(&hits[..], &found.hits[..enough.min(found.hits.len())]);
            let mut given = Vec::new();
            let ended = search::each_game(&base.store, &query, MoveNotation::default(), &mut |record| {
                given.push(record.game.header.id);
                said(given.len())
            });
            prop_assert!(matches!(ended, Ok(_) | Err(None)), "{:?}", ended);
            prop_assert_eq!(&given[..], &expected[..enough.min(expected.len())]);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    #[test]
    fn games_that_are_equal_in_a_key_are_sorted_by_the_next(
        games in prop::collection::vec(prop::array::uniform9(0_usize..6), 1..40),
        keys in prop::collection::vec((prop::sample::select(&KEYS[..]), any::<bool>()), 2..4),
    ) {
        let base = Base::new();
        base.import_text(pgn(&games).as_bytes(), every_game());
        let all: Vec<GameHeader> = base.games().into_iter().map(|game| game.header).collect();
        let query = AccessPlan {
            page: Page {
                sort: keys[0].0,
                descending: keys[0].1,
                then: keys[1..].to_vec(),
                ..Page::default()
            },
            ..AccessPlan::default()
        };
        // A stable sort by the last key first.
        let mut expected: Vec<u64> = all.iter().map(|game| game.id).collect();
        for &(key, descending) in keys.iter().rev() {
            let by_id: HashMap<u64, &GameHeader> = all.iter().map(|game| (game.id, game)).collect();
            let games: Vec<GameHeader> = expected.iter().map(|id| by_id[id].clone()).collect();
            expected = in_order(&games, key, descending);
        }
        prop_assert_eq!(game_ids(&base.store, &query).expect("numbers"), expected, "{:?}", keys);
    }
}

/// A database of so many games, each of which is long to tell.
fn long_names(games: usize, bytes: usize) -> Base {
    let base = Base::new();
    let text = "[Event \"x\"]\n[White \"Tal\"]\n\n1. e4 *\n\n".repeat(games);
    base.import_text(text.as_bytes(), ImportOptions::default());
    let store = sqlite(base.folder().join("test.db"));
    let name = "event ".repeat(bytes / 6);
    let changed = store.execute("UPDATE event SET name = ?1 WHERE name = 'x'", [name]);
    assert_eq!(changed, Ok(1));
    let mut games_of_it = FullGameReader::new(&base.store);
    let prints = (1..=games as u64).map(|game| games_of_it.sum(game).expect("a game"));
    let prints: Vec<Fingerprint> = prints.collect();
    store
        .execute("DELETE FROM print_block", [])
        .expect("a deletion");
    for (first, prints) in (1..)
        .step_by(GAMES_PER_BLOCK)
        .zip(prints.chunks(GAMES_PER_BLOCK))
    {
        let values = (first as i64, fingerprint::write(prints));
        store
            .execute("INSERT INTO print_block VALUES (?1, ?2)", values)
            .expect("fingerprints");
    }
    base
}

#[test]
fn long_lists_are_what_pages_are() {
    // More than the games by which the columns of a table are made.
    let base = long_names(1003, 60);
    let db = base.folder().join("test.db");
    for format in ["json", "ndjson", "csv", "pgn"] {
        for sort in ["id", "white:desc"] {
            let page = |offset: &str, limit: &str| {
                let line = [
                    "search", "e4", "--format", format, "--sort", sort, "--offset", offset,
                    "--limit", limit,
                ];
                let ran = run(&db, &line);
                assert_eq!(ran.status, Some(0), "{ran:?}");
                ran.out
            };
            assert_eq!(page("4", "0"), page("4", "999"), "{format} {sort}");
        }
    }
    let table = run(&db, &["search", "e4", "--limit", "0"]);
    let lines: Vec<&str> = table.out.lines().collect();
    assert_eq!(lines.len(), 1004);
    assert!(lines[0].starts_with("Game  White"), "{}", lines[0]);
    assert!(lines[1003].starts_with("1003  Tal"), "{}", lines[1003]);
    assert!(
        table.err.contains("1–1,003 of 1,003 games"),
        "{}",
        table.err
    );
}

#[test]
fn nobody_waits_for_the_whole_list() {
    let base = long_names(300, 6000);
    let db = base.folder().join("test.db");
    for format in ["json", "ndjson", "csv", "pgn"] {
        let mut child = plydex(&db, &["search", "--limit", "0", "--format", format])
            .spawn()
            .expect("the program runs");
        // More than a pipe and a buffer hold: who reads the first line and goes away
        // ends the program, which is no error.
        let mut line = String::new();
        let mut out = BufReader::with_capacity(100, child.stdout.take().expect("a pipe"));
        out.read_line(&mut line).expect("a line");
        assert!(!line.is_empty());
        drop(out);
        let ended = child.wait_with_output().expect("it ends");
        assert_eq!(ended.status.code(), Some(0), "{format}: {ended:?}");
        assert_eq!(String::from_utf8_lossy(&ended.stderr), "", "{format}");
    }
}

/// The most memory that a process has had until now, where the system tells.
fn peak_bytes(process: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes << 10)
}

#[test]
fn lists_are_not_held_in_memory() {
    let base = long_names(6_000, 12_000);
    let db = base.folder().join("test.db");
    for line in [
        &["search", "--format", "ndjson"] as &[&str],
        &["search", "--format", "json", "--sort", "white:desc"],
        &["search", "e4", "--format", "csv"],
        &["search"],
        &["export"],
    ] {
        let line = [line, &["--limit", "0"]].concat();
        let mut child = plydex(&db, &line).spawn().expect("the program runs");
        let mut out = child.stdout.take().expect("a pipe");
        let mut peak = 0;
        let mut part = vec![0; 1 << 16];
        // Asked between reads: while a pipe is full its writer lives.
        while out.read(&mut part).expect("output") > 0 {
            peak = peak.max(peak_bytes(child.id()).unwrap_or(0));
        }
        assert_eq!(child.wait().expect("it ends").code(), Some(0));
        assert!(
            peak < 60 << 20,
            "{line:?} takes {peak} bytes for a list of 72 MB"
        );
    }
}
