//! The explorer of lichess: its counts against those of `plydex tree`, its filters against games
//! that are made for them.

use serde_json::Value;

use super::{client::encoded, game, rated, serving};
use crate::support::{Base, root, run};

/// White's wins, draws and Black's wins.
fn counts(answer: &Value) -> [u64; 3] {
    ["white", "draws", "black"].map(|name| answer[name].as_u64().expect(name))
}

fn sum(answer: &Value) -> u64 {
    counts(answer).iter().sum()
}

/// The moves of a tree that somebody played with a result: its counts.
fn expected(line: &Value) -> Option<(String, [u64; 3])> {
    let counts = ["white_wins", "draws", "black_wins"].map(|name| line[name].as_u64().expect(name));
    let san = line["san"].as_str().expect("a move").to_owned();
    (counts.iter().sum::<u64>() > 0).then_some((san, counts))
}

/// Every position of a line, in games of several kinds and also in one where a game ends.
#[test]
fn counts_are_those_of_the_tree() {
    let base = Base::new();
    base.import(
        &[root().join("sample-data/pgn")],
        crate::support::every_game(),
    );
    base.import_text(rated().as_bytes(), crate::support::every_game());
    let db = base.folder().join("test.db");
    let server = super::Server::start(&db, &[]);
    let line = [
        "e2e4", "c7c5", "g1f3", "d7d6", "d2d4", "c5d4", "f3d4", "g8f6", "b1c3", "a7a6",
    ];
    let start = "startpos moves ";
    for plies in 0..=line.len() {
        let moves = &line[..plies];
        let typed = if plies == 0 {
            "startpos".to_owned()
        } else {
            format!("{start}{}", moves.join(" "))
        };
        let tree = run(&db, &["tree", &typed, "--format", "json"]);
        let tree: Value = serde_json::from_str(&tree.out).expect("JSON");
        let lines = tree["moves"].as_array().expect("a list").iter();
        let mut expected: Vec<_> = lines.filter_map(expected).collect();
        for path in ["/masters", "/lichess"] {
            let target = format!("{path}?moves=500&play={}", moves.join(","));
            let answer = server.json(&target);
            let found = answer["moves"].as_array().expect("a list").iter();
            let mut found: Vec<_> = found
                .map(|line| {
                    (
                        line["san"].as_str().expect("a move").to_owned(),
                        counts(line),
                    )
                })
                .collect();
            let totals = expected.iter().fold([0; 3], |sums: [u64; 3], (_, counts)| {
                [0, 1, 2].map(|at| sums[at] + counts[at])
            });
            assert_eq!(counts(&answer), totals, "{target}");
            expected.sort();
            found.sort();
            assert_eq!(found, expected, "{target}");
        }
    }
}

#[test]
fn filters_split_the_games() {
    let (_base, server) = serving(&rated(), &[]);
    let count = |query: &str| sum(&server.json(&format!("/lichess?{query}")));
    assert_eq!(count(""), 60);
    let groups = [0, 1000, 1200, 1400, 1600, 1800, 2000, 2200, 2500];
    let by_group: Vec<u64> = groups
        .iter()
        .map(|group| count(&format!("ratings={group}")))
        .collect();
    // The means are 925 + 30 n.
    assert_eq!(by_group, [3, 7, 6, 7, 7, 6, 7, 10, 7]);
    assert_eq!(count("ratings=1000,2500"), 14);
    assert_eq!(count("ratings=1199"), 7);
    assert_eq!(count("ratings="), 0);
    // Seven controls by turns; what has none counts as classical, as 1800+30 does.
    let speeds = [
        "ultraBullet",
        "bullet",
        "blitz",
        "rapid",
        "classical",
        "correspondence",
    ];
    let by_speed: Vec<u64> = speeds
        .iter()
        .map(|speed| count(&format!("speeds={speed}")))
        .collect();
    assert_eq!(by_speed, [9, 9, 9, 9, 8 + 8, 8]);
    assert_eq!(count("speeds=bullet,blitz"), 18);
    assert_eq!(count("speeds="), 0);
    assert_eq!(count("modes=casual"), 12);
    assert_eq!(count("modes=rated"), 48);
    assert_eq!(count("modes=rated,casual"), 60);
    assert_eq!(count("since=2014-01&until=2014-12"), 15);
    assert_eq!(count("since=2014-02&until=2014-02"), 5);
    assert_eq!(sum(&server.json("/masters?since=2015&until=2016")), 30);
    let player = |query: &str| sum(&server.json(&format!("/player?{query}")));
    assert_eq!(player("player=Bo&color=black"), 30);
    assert_eq!(player("player=Bo&color=white"), 0);
    assert_eq!(player("player=carlsen3&color=white"), 9);
    assert_eq!(player("player=Bo&color=black&modes=casual"), 6);
}

#[test]
fn a_path_has_the_games_that_it_is_given() {
    let filters = [
        "--masters",
        "elo:2200.. and date:2014..",
        "--lichess",
        "white:carlsen1",
    ];
    let (_base, server) = serving(&rated(), &filters);
    let count = |query: &str| sum(&server.json(query));
    // Those of White have 900 + 31 n and of Black 950 + 29 n: from game 44 on, but every fourth
    // is of 2013.
    assert_eq!(count("/masters"), 12);
    assert_eq!(count("/masters?since=2013&until=2014"), 4);
    assert_eq!(count("/lichess"), 9);
    assert_eq!(count("/player?player=Bo&color=black"), 4);
    assert_eq!(count("/player?player=carlsen2&color=white"), 0);
}

#[test]
fn lists_of_games_are_in_order() {
    let (_base, server) = serving(&rated(), &[]);
    let masters = server.json("/masters");
    let sums: Vec<u64> = masters["topGames"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|game| {
            ["white", "black"]
                .iter()
                .filter_map(|side| game[side]["rating"].as_u64())
                .sum()
        })
        .collect();
    assert_eq!(sums.len(), 15);
    assert!(sums.is_sorted_by(|one, next| one > next), "{sums:?}");
    assert_eq!(sums[0], 1850 + 60 * 59);
    let lichess = server.json("/lichess");
    let ids = |list: &str| -> Vec<String> {
        let games = lichess[list].as_array().expect("a list");
        games
            .iter()
            .map(|game| game["id"].as_str().expect("an id").to_owned())
            .collect()
    };
    let (top, recent) = (ids("topGames"), ids("recentGames"));
    assert_eq!(top, ["Game0059", "Game0058", "Game0057", "Game0056"]);
    assert_eq!(recent.len(), 4);
    assert!(recent.iter().all(|id| !top.contains(id)));
    let months: Vec<&str> = lichess["recentGames"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|game| game["month"].as_str().expect("a month"))
        .collect();
    assert!(months.is_sorted_by(|one, next| one >= next), "{months:?}");
    // Ratings that do not reach the top have no top games.
    let low = server.json("/lichess?ratings=1600");
    assert_eq!(low["topGames"], serde_json::json!([]));
    assert_eq!(low["recentGames"].as_array().map(Vec::len), Some(7));
    let history = server.json("/lichess/history?since=2013-01");
    let months = history["history"].as_array().expect("a list");
    assert_eq!(months.iter().map(sum).sum::<u64>(), 60);
    assert_eq!(months[0]["month"], "2013-01");
    assert_eq!(months.len(), 48);
}

#[test]
fn of_one_day_the_latest_games_are_the_newest() {
    // Files begin with the newest game, with the oldest, or with any.
    let hours: Vec<usize> = (0..24).collect();
    let down: Vec<usize> = hours.iter().rev().copied().collect();
    for order in [hours, down] {
        let games = order.iter().map(|hour| {
            let (id, time) = (format!("Hour{hour:04}"), format!("{hour:02}:30:00"));
            let tags = [("Date", "2018.10.26"), ("UTCTime", &time), ("GameId", &id)];
            game(&tags, "1. e4 e5")
        });
        let (_base, server) = serving(&games.collect::<String>(), &[]);
        let answer = server.json("/lichess?topGames=0&recentGames=3");
        let recent = answer["recentGames"].as_array().expect("a list");
        let ids: Vec<_> = recent.iter().map(|game| game["id"].clone()).collect();
        assert_eq!(ids, ["Hour0023", "Hour0022", "Hour0021"], "{order:?}");
    }
}

#[test]
fn castling_is_king_takes_rook() {
    let short = "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O Nf6";
    let long = "1. d4 d5 2. Nc3 Nf6 3. Bf4 Bf5 4. Qd2 e6 5. O-O-O";
    let pgn = game(&[], short) + &game(&[("Date", "2016.01.01")], long);
    let (_base, server) = serving(&pgn, &[]);
    for (play, san, uci) in [
        ("e2e4,e7e5,g1f3,b8c6,f1c4,f8c5", "O-O", "e1h1"),
        ("d2d4,d7d5,b1c3,g8f6,c1f4,c8f5,d1d2,e7e6", "O-O-O", "e1a1"),
    ] {
        let answer = server.json(&format!("/lichess?play={play}"));
        let line = &answer["moves"][0];
        assert_eq!(
            (line["san"].as_str(), line["uci"].as_str()),
            (Some(san), Some(uci))
        );
        assert_eq!(answer["recentGames"][0]["uci"], uci);
    }
    let behind = |castling| {
        server.json(&format!(
            "/lichess?play=e2e4,e7e5,g1f3,b8c6,f1c4,f8c5,{castling}"
        ))
    };
    assert_eq!(behind("e1g1"), behind("e1h1"));
    assert_eq!(sum(&behind("e1h1")), 1);
}

/// What a FEN lacks is not compared, and a side to move that it lacks is White.
#[test]
fn a_fen_may_lack_its_last_fields() {
    let pgn = game(&[], "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O Nf6")
        + &game(
            &[],
            "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. Ke2 Nf6 5. Ke1 Ng8 6. d3 d6",
        )
        + &game(&[("Variant", "Crazyhouse")], "1. e4 e5 2. Nf3 Nc6");
    let (_base, server) = serving(&pgn, &[]);
    let count = |path: &str, fen: &str, rest: &str| {
        let target = format!("{path}&fen={}{rest}", encoded(fen));
        sum(&server.json(&target))
    };
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
    for path in ["/masters?", "/lichess?", "/player?player=x&color=white"] {
        let all = if path.starts_with("/player") { 0 } else { 2 };
        for fields in ["", " w", " w KQkq", " w KQkq -", " w KQkq - 0 1"] {
            assert_eq!(
                count(path, &format!("{start}{fields}"), ""),
                all,
                "{path} {fields}"
            );
        }
        for fields in [" b", " w -", " w Kkq - 0 1"] {
            assert_eq!(
                count(path, &format!("{start}{fields}"), ""),
                0,
                "{path} {fields}"
            );
        }
    }
    // In one of them White's king moves there and back, and may castle no more.
    let both = "r1bqk1nr/pppp1ppp/2n5/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQK2R";
    assert_eq!(count("/lichess?", both, ""), 2);
    assert_eq!(count("/lichess?", &format!("{both} w KQkq"), ""), 2);
    assert_eq!(count("/lichess?", &format!("{both} w kq"), ""), 1);
    for castling in ["e1g1", "e1h1"] {
        assert_eq!(count("/lichess?", both, &format!("&play={castling}")), 1);
    }
    assert_eq!(count("/lichess?", start, "&play=e2e4,e7e5"), 2);
    assert_eq!(count("/lichess?variant=crazyhouse", start, ""), 1);
    assert_eq!(
        count(
            "/lichess?variant=racingKings",
            "8/8/8/8/8/8/krbnNBRK/qrbnNBRQ",
            ""
        ),
        0
    );
}

#[test]
fn chess960_and_other_variants_have_their_own_games() {
    let fen = "nqbbrkrn/pppppppp/8/8/8/8/PPPPPPPP/NQBBRKRN w GEge - 0 1";
    let set_up = [("SetUp", "1"), ("FEN", fen), ("Variant", "Chess960")];
    let drops = [("Variant", "Crazyhouse"), ("Date", "2017.01.01")];
    let pgn =
        game(&set_up, "1. e4 e5 2. O-O") + &game(&drops, "1. e4 d5 2. exd5 Qxd5 3. Nc3 Qd8 4. @e4");
    let (_base, server) = serving(&pgn, &[]);
    let fen = encoded(fen);
    let answer = server.json(&format!(
        "/lichess?variant=chess960&fen={fen}&play=e2e4,e7e5"
    ));
    assert_eq!(answer["moves"][0]["uci"], "f1g1", "{answer}");
    assert_eq!(sum(&server.json("/lichess")), 0);
    let play = "e2e4,d7d5,e4d5,d8d5,b1c3,d5d8";
    let answer = server.json(&format!("/lichess?variant=crazyhouse&play={play}"));
    assert_eq!(answer["moves"][0]["uci"], "P@e4", "{answer}");
    let answer = server.json(&format!("/lichess?variant=crazyhouse&play={play},P@e4"));
    assert_eq!(sum(&answer), 0);
}

#[test]
fn games_have_ids_that_find_them() {
    let pgn = rated() + &game(&[("White", "Nobody")], "1. f3 e5 2. g4 Qh4#");
    let (_base, server) = serving(&pgn, &[]);
    for path in ["/masters", "/master"] {
        let of_lichess = server.get(&format!("{path}/pgn/Game0017"));
        assert_eq!(of_lichess.status, 200);
        assert_eq!(
            of_lichess.header("content-type"),
            Some("application/x-chess-pgn; charset=utf-8")
        );
        assert!(
            of_lichess.body.contains("https://lichess.org/Game0017"),
            "{}",
            of_lichess.body
        );
    }
    let numbered = server.json("/masters?play=f2f3");
    let id = numbered["topGames"][0]["id"].as_str().expect("an id");
    assert_eq!(id, "z0000000");
    assert!(
        server
            .get(&format!("/masters/pgn/{id}"))
            .body
            .contains("Nobody")
    );
    // Game 17 has a name of its own, and is not found by its number.
    for (id, status) in [
        ("H0000000", 404),
        ("zzzzzzzz", 404),
        ("x", 400),
        ("..%2F..%2Fa", 400),
    ] {
        assert_eq!(
            server.get(&format!("/masters/pgn/{id}")).status,
            status,
            "{id}"
        );
    }
}

#[test]
fn games_without_a_result_count_nowhere() {
    let pgn = game(&[("Result", "*")], "1. e4 e5") + &game(&[("Date", "2016.01.01")], "1. e4 c5");
    let (_base, server) = serving(&pgn, &[]);
    let answer = server.json("/lichess?play=e2e4");
    assert_eq!(counts(&answer), [1, 0, 0]);
    assert_eq!(answer["moves"].as_array().map(Vec::len), Some(1));
    assert_eq!(answer["recentGames"].as_array().map(Vec::len), Some(1));
    // Behind the last move of a game there is nothing to count.
    assert_eq!(sum(&server.json("/lichess?play=e2e4,c7c5")), 0);
}

/// They are left out of means as well, and a move that one game with a result played has that game.
#[test]
fn games_without_a_result_are_in_no_mean() {
    let pgn = game(&[("Result", "*"), ("WhiteElo", "2600")], "1. e4 e5")
        + &game(&[("Date", "2016.01.01"), ("WhiteElo", "2000")], "1. e4 c5");
    let (_base, server) = serving(&pgn, &[]);
    for path in ["/lichess", "/masters"] {
        let answer = server.json(path);
        let line = &answer["moves"][0];
        assert_eq!(line["averageRating"], 2000, "{path}");
        assert_eq!(line["game"]["white"]["rating"], 2000, "{path}");
    }
}

/// Whoever is to move, the opponents are those of the player.
#[test]
fn opponents_are_those_of_the_player() {
    let tags = [
        ("White", "Strong"),
        ("Black", "Weak"),
        ("WhiteElo", "2800"),
        ("BlackElo", "2000"),
    ];
    let (_base, server) = serving(&game(&tags, "1. e4 e5 2. Nf3"), &[]);
    for (player, color, numbers) in [
        ("Strong", "white", [2000, 2800]),
        ("Weak", "black", [2800, 2000]),
    ] {
        for play in ["", "e2e4", "e2e4,e7e5"] {
            let target = format!("/player?player={player}&color={color}&play={play}");
            let line = &server.json(&target)["moves"][0];
            let found = ["averageOpponentRating", "performance"].map(|name| line[name].as_i64());
            assert_eq!(found, numbers.map(Some), "{target}");
        }
    }
}

/// Names of variants as lichess' own server takes them, whoever sends them.
#[test]
fn variants_have_several_names() {
    let (_base, server) = serving(&rated(), &[]);
    for name in [
        "3check",
        "threeCheck",
        "Three-check",
        "kingofthehill",
        "King of the Hill",
        "racingkings",
        "Standard",
        "From Position",
        "Fischer Random",
        "Crazyhouse",
    ] {
        let answered = server.get(&format!("/lichess?variant={}", encoded(name)));
        assert_eq!(answered.status, 200, "{name}: {}", answered.body);
    }
    for name in ["3checks", "capablanca", "international", "chess 960x"] {
        let answered = server.get(&format!("/lichess?variant={}", encoded(name)));
        assert_eq!(answered.status, 400, "{name}");
    }
}

/// Two wins and a loss are 66.67 per cent, between two rows of FIDE's table.
#[test]
fn the_performance_of_a_player_is_interpolated() {
    let games = ["1-0", "1-0", "0-1"].iter().zip(1..).map(|(result, nth)| {
        let date = format!("2015.03.0{nth}");
        let tags = [
            ("White", "Aa, B"),
            ("WhiteElo", "1400"),
            ("BlackElo", "1500"),
            ("Result", *result),
            ("Date", &date),
        ];
        game(&tags, "1. e4 e5 2. Nf3")
    });
    let (_base, server) = serving(&games.collect::<String>(), &[]);
    let answer = server.json("/player?player=Aa,_B&color=white");
    assert_eq!(answer["moves"][0]["performance"], 1622, "{answer}");
}
