//! Boards whose states and sides to move each have a list of games: the lists together say what every
//! game says, at its first visit.

use std::{collections::BTreeMap, fmt::Write as _};

use serde_json::Value;

use crate::support::{Base, every_game, run};

/// How many games reach a board so, their moves, and the move that is played there first.
type WayThere = (usize, &'static str, &'static str);

/// Boards, and ways there.
const BOARDS: [(&str, &[WayThere]); 2] = [
    (
        "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR",
        &[
            (330, "1. e4 e5 2. Nf3", "Nf3"),
            (280, "1. e4 e5 2. Nc3 Nf6", "Nc3"),
            // Black is to move.
            (20, "1. e3 e5 2. e4 Nc6", "Nc6"),
            // Each side is to move once.
            (12, "1. e3 e5 2. e4 Be7 3. Nf3 Bd6 4. Ng1 Bf8 5. Nf3", "Be7"),
            (5, "1. e4 e5 2. Be2 Nf6 3. Bd3 Ng8 4. Bf1 Nc6", "Be2"),
            // Nobody may castle, the first time or the second.
            (10, "1. e3 e5 2. Ke2 Ke7 3. Ke1 Ke8 4. e4 d6", "d6"),
            (9, "1. e4 e5 2. Ke2 Ke7 3. Ke1 Ke8 4. Nc3", "Ke2"),
        ],
    ),
    (
        "rnbqkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RNBQKBNR",
        &[
            (540, "1. d4 d5 2. c4", "c4"),
            // Too few for a list.
            (3, "1. d3 d5 2. d4 c6", "c6"),
            (2, "1. d4 d5 2. Bd2 Nf6 3. Be3 Ng8 4. Bc1 e6", "Bd2"),
            (2, "1. d3 d5 2. d4 Bd7 3. Nf3 Be6 4. Ng1 Bc8 5. Nf3", "Bd7"),
        ],
    ),
];

fn text(random: &mut fastrand::Rng) -> String {
    let ways = BOARDS.iter().flat_map(|(_, ways)| *ways);
    let mut ways: Vec<&str> = ways
        .flat_map(|(games, line, _)| std::iter::repeat_n(*line, *games))
        .collect();
    random.shuffle(&mut ways);
    let mut text = String::new();
    for (nth, line) in ways.into_iter().enumerate() {
        let result = *random.choice(&["1-0", "0-1", "1/2-1/2"]).expect("one");
        let (elo, year) = (random.u32(2000..2800), random.u32(1990..2020));
        let _ = write!(
            text,
            "[White \"W{nth}\"]\n[Black \"B{nth}\"]\n[Date \"{year}.01.01\"]\n[Result \"{result}\"]\n\
             [WhiteElo \"{elo}\"]\n[BlackElo \"2400\"]\n\n{line} {result}\n\n"
        );
    }
    text
}

fn json(base: &Base, args: &[&str]) -> Value {
    let ran = run(base.store.path(), args);
    assert!(matches!(ran.status, Some(0 | 1)), "{args:?}: {ran:?}");
    serde_json::from_str(&ran.out).expect("JSON")
}

/// The hits of all pages of so many games.
fn pages(base: &Base, board: &str, limit: usize) -> Vec<Value> {
    let mut all = Vec::new();
    loop {
        let (limit, offset) = (limit.to_string(), all.len().to_string());
        let page = [
            "search", board, "--format", "json", "--limit", &limit, "--offset", &offset,
        ];
        let ran = run(base.store.path(), &page);
        let page: Value = serde_json::from_str(&ran.out).expect("JSON");
        let hits = page["hits"].as_array().expect("hits");
        if hits.is_empty() {
            return all;
        }
        all.extend(hits.iter().cloned());
    }
}

/// Compares what lists and their sums say with a look at each game.
fn compare(base: &Base, board: &str) -> Value {
    let looked_at = json(base, &["search", board, "--format", "json", "--limit", "0"]);
    let hits = looked_at["hits"].as_array().expect("hits");
    for limit in [7, 300] {
        assert_eq!(&pages(base, board, limit), hits, "{limit} a page");
    }
    let count = run(base.store.path(), &["search", board, "--count"]).out;
    assert_eq!(count.trim(), hits.len().to_string());
    let tree = json(base, &["tree", board, "--format", "json"]);
    // Under a condition that every game fulfils each is looked at.
    let looked_at = json(base, &["tree", board, "--format", "json", "--plies", "1.."]);
    assert_eq!(tree["total"], looked_at["total"]);
    assert_eq!(tree["moves"], looked_at["moves"]);
    assert_eq!(tree["total"]["games"], hits.len());
    compare_filtered(base, board);
    tree
}

/// Compares the trees of games that pass a filter with what the games have played that a search finds
/// under it.
fn compare_filtered(base: &Base, board: &str) {
    let filters: [&[&str]; 4] = [
        &["--elo", "2300.."],
        &["--welo", "2700..", "--date", "2000.."],
        &["--result", "1-0", "--plies", "..4"],
        &["--games", "5..400"],
    ];
    for filter in filters {
        let of = |command: &str, further: &[&str]| {
            json(
                base,
                &[&[command, board, "--format", "json"], further, filter].concat(),
            )
        };
        let found = of("search", &["--limit", "0"]);
        let mut expected: BTreeMap<&str, [u64; 4]> = BTreeMap::new();
        for hit in found["hits"].as_array().expect("hits") {
            let Some(played) = hit["next_move"].as_str() else {
                continue;
            };
            let won = ["1-0", "1/2-1/2", "0-1"].map(|result| u64::from(hit["result"] == result));
            let counts = expected.entry(played).or_default();
            for (count, more) in counts.iter_mut().zip([&[1], &won[..]].concat()) {
                *count += more;
            }
        }
        let tree = of("tree", &[]);
        assert_eq!(tree["total"]["games"], found["total"], "{board} {filter:?}");
        let counted: BTreeMap<&str, [u64; 4]> = (tree["moves"].as_array().expect("moves").iter())
            .map(|played| {
                let count = |name: &str| played[name].as_u64().expect("a number");
                let counts = ["games", "white_wins", "draws", "black_wins"].map(count);
                (played["san"].as_str().expect("a move"), counts)
            })
            .collect();
        assert_eq!(counted, expected, "{board} {filter:?}");
    }
}

#[test]
fn lists_of_one_board_count_each_game_once_and_where_it_comes_first() {
    let mut random = fastrand::Rng::with_seed(7);
    let base = Base::new();
    base.import_text(text(&mut random).as_bytes(), every_game());
    for (board, ways) in BOARDS {
        let tree = compare(&base, board);
        let moves = tree["moves"].as_array().expect("moves");
        for (games, line, next) in ways {
            let played = moves.iter().find(|played| played["san"] == *next);
            let counted = played.map(|played| &played["games"]);
            assert_eq!(counted, Some(&(*games).into()), "{line}");
        }
    }
    // Removed games are in the lists still.
    for removed in ["1..9", "300..310"] {
        let removed = format!("games:{removed}");
        let ran = run(base.store.path(), &["delete", "--yes", &removed]);
        assert_eq!(ran.status, Some(0), "{ran:?}");
        for (board, _) in BOARDS {
            compare(&base, board);
        }
    }
}
