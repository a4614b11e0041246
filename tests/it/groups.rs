//! Games counted by what they have in common, trees in other orders, and words of comments:
//! each against what a list of all hits says.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use {
    crate::support::{Base, root, run},
    plydex::{
        base::record::MovetextItem,
        import::ImportOptions,
        search::{self, AccessPlan, MoveNotation},
    },
};

fn json(base: &Base, args: &[&str]) -> Value {
    let all = [args, &["--format", "json", "--limit", "0"]].concat();
    let ran = run(base.store.path(), &all);
    assert!(matches!(ran.status, Some(0 | 1)), "{ran:?}");
    serde_json::from_str(&ran.out).expect("JSON")
}

fn samples() -> Base {
    let base = Base::new();
    base.import(&[root().join("sample-data")], ImportOptions::default());
    base
}

/// What a hit has in common with others: a name, and whether the games are seen by Black.
fn common(hit: &Value, key: &str) -> Vec<(String, bool)> {
    let text = |name: &str| hit[name].as_str().unwrap_or_default().to_owned();
    let one = |name: String| vec![(name, false)];
    match key {
        "year" => {
            // However a date is written, the year has four digits.
            let date = text("date");
            let mut parts = date.split(|c: char| !c.is_ascii_digit());
            one(parts
                .find(|part| part.len() == 4)
                .unwrap_or_default()
                .to_owned())
        }
        "eco" | "opening" => {
            let part = if key == "eco" { "eco" } else { "name" };
            one(hit["opening"][part].as_str().unwrap_or_default().to_owned())
        }
        "move" => one(text("next_move")),
        "player" => {
            let names = BTreeSet::from([(text("white"), false), (text("black"), true)]);
            names.into_iter().collect()
        }
        "black" => vec![(text("black"), true)],
        _ => one(text(key)),
    }
}

#[test]
fn groups_are_what_a_list_of_all_games_has() {
    let base = samples();
    let asked: [&[&str]; 3] = [
        &["e4"],
        &["Pe4", "pe5", "variant:chess"],
        &["M32", "variant:international"],
    ];
    for words in asked {
        let hits = json(&base, &[&["search"], words].concat());
        let hits = hits["hits"].as_array().expect("hits");
        assert!(hits.len() > 1, "{words:?}");
        for key in [
            "result", "year", "eco", "opening", "player", "white", "black", "event", "site", "move",
        ] {
            let mut counts: BTreeMap<String, [u64; 3]> = BTreeMap::new();
            for hit in hits {
                let mut seen = BTreeSet::new();
                for (name, by_black) in common(hit, key) {
                    if !seen.insert(name.clone()) {
                        continue;
                    }
                    let [wins, loses] = if by_black {
                        ["0-1", "1-0"]
                    } else {
                        ["1-0", "0-1"]
                    };
                    let count = counts.entry(name).or_default();
                    count[0] += 1;
                    count[1] += u64::from(hit["result"] == wins);
                    count[2] += u64::from(hit["result"] == loses);
                }
            }
            let args = [&["search"], words, &["--group-by", key, "--exact-names"]].concat();
            let found = json(&base, &args);
            assert_eq!(found["all"]["games"], hits.len(), "{args:?}");
            let groups = found["groups"].as_array().expect("groups");
            let number = |group: &Value, name: &str| group[name].as_u64().expect("a number");
            let counted: BTreeMap<String, [u64; 3]> = groups
                .iter()
                .map(|group| {
                    let numbers = ["games", "won", "lost"].map(|name| number(group, name));
                    (group["name"].as_str().expect("a name").to_owned(), numbers)
                })
                .collect();
            assert_eq!(counted, counts, "{args:?}");
            let sizes: Vec<u64> = groups.iter().map(|group| number(group, "games")).collect();
            let is_ordered = sizes.is_sorted_by(|one, next| one >= next);
            assert!(is_ordered || key == "year", "{args:?}");
        }
    }
}

/// Games, won, drawn and lost, as a player sees the games that are listed.
fn of_player(hits: &[Value], player: &str) -> [u64; 4] {
    let mut counts = [0; 4];
    for hit in hits {
        let name = hit["white"].as_str().unwrap_or_default();
        let has_white = name.to_lowercase().contains(player);
        counts[0] += 1;
        match (hit["result"].as_str(), has_white) {
            (Some("1-0"), true) | (Some("0-1"), false) => counts[1] += 1,
            (Some("1/2-1/2"), _) => counts[2] += 1,
            (Some("1-0"), false) | (Some("0-1"), true) => counts[3] += 1,
            _ => {}
        }
    }
    counts
}

#[test]
fn scores_are_those_of_the_player_who_is_asked_for() {
    let base = samples();
    let counts = |sum: &Value| {
        ["games", "won", "drawn", "lost"].map(|name| sum[name].as_u64().expect("a number"))
    };
    let mut seen = [0; 4];
    for player in ["fischer", "spassky", "lasker", "capablanca", "marshall"] {
        let hits = json(&base, &["search", "--player", player]);
        let wanted = of_player(hits["hits"].as_array().expect("hits"), player);
        for (sum, wanted) in seen.iter_mut().zip(wanted) {
            *sum += wanted;
        }
        let question = format!("player:{player} and variant:chess");
        for args in [
            &["search", "--player", player, "--group-by", "year"][..],
            &["search", &question, "--group-by", "result"],
        ] {
            let found = json(&base, args);
            assert_eq!(counts(&found["all"]), wanted, "{args:?}");
            assert_eq!(
                (&found["view"], &found["player"]),
                (&"player".into(), &player.into())
            );
            let groups = found["groups"].as_array().expect("groups").iter();
            let sums = groups
                .map(counts)
                .fold([0; 4], |all, one| [0, 1, 2, 3].map(|at| all[at] + one[at]));
            assert_eq!(sums, wanted, "{args:?}");
        }
        let tree = json(&base, &["tree", "--player", player]);
        assert_eq!(counts(&tree["total"]), wanted, "{player}");
        assert_eq!(tree["view"], "player");
        let whites = json(&base, &["tree", "--player", player, "--view", "white"]);
        assert_eq!(whites["view"], "white");
        assert_eq!(whites["total"]["games"], wanted[0]);
        // Both sides together are all.
        let sides = ["white", "black"].map(|side| {
            let args = [
                "search",
                "--player",
                player,
                "--side",
                side,
                "--group-by",
                "year",
            ];
            counts(&json(&base, &args)["all"])
        });
        assert_eq!([0, 1, 2, 3].map(|at| sides[0][at] + sides[1][at]), wanted);
    }
    assert!(seen[1] > 0 && seen[3] > 0, "{seen:?}");
    // Of two players the first; White's where not every game must have the player.
    let two = [
        "search",
        "--player",
        "spassky",
        "--player",
        "fischer",
        "--group-by",
        "result",
    ];
    assert_eq!(json(&base, &two)["player"], "spassky");
    let either = [
        "search",
        "player:fischer or player:lasker",
        "--group-by",
        "result",
    ];
    assert_eq!(json(&base, &either)["view"], "white");
    let without = ["search", "not player:fischer", "--group-by", "result"];
    assert_eq!(json(&base, &without)["view"], "white");
    let ran = run(
        base.store.path(),
        &["search", "--group-by", "year", "--view", "player"],
    );
    assert_eq!(ran.status, Some(2));
    assert!(
        ran.err.contains("--view player needs --player"),
        "{}",
        ran.err
    );
    let text = run(
        base.store.path(),
        &["search", "--player", "fischer", "--group-by", "year"],
    );
    assert!(text.out.starts_with("Fischer scored\n"), "{}", text.out);
}

#[test]
fn material_is_that_of_the_position_found() {
    let base = Base::of(
        b"[Result \"1-0\"]\n[FEN \"4k3/P7/8/8/8/8/5r2/R3K3 w - - 0 1\"]\n\n1. Kxf2 Kd7 2. a8=Q 1-0\n",
    );
    for (asked, name) in [
        ("move:Kxf2", "KRPvKR"),
        ("move:a8=Q", "KRPvK"),
        ("Q", "KQRvK"),
    ] {
        let found = json(&base, &["search", asked, "--group-by", "material"]);
        assert_eq!(found["groups"][0]["name"], name, "{asked}");
    }
    let base = Base::of(b"[GameType \"20\"]\n\n1. 32-28 19-23 2. 28x19 14x23 *\n");
    let found = json(&base, &["search", "m=19", "--group-by", "material"]);
    assert_eq!(found["groups"][0]["name"], "men:20v19 kings:0v0");
}

#[test]
fn spellings_of_a_player_are_one_group() {
    let game = |white: &str| format!("[White \"{white}\"]\n[Black \"B\"]\n\n1. e4 e5 *\n\n");
    let names = ["M\u{fc}ller, Hans", "Mueller, Hans", "Smyslov, Vasily"];
    let text: String = names.iter().map(|name| game(name)).collect();
    let base = Base::new();
    base.import_text(text.as_bytes(), crate::support::every_game());
    let groups = |args: &[&str]| {
        let found = json(&base, &[&["search", "--group-by", "white"], args].concat());
        found["groups"].as_array().map_or(0, Vec::len)
    };
    assert_eq!((groups(&[]), groups(&["--exact-names"])), (2, 3));
}

#[test]
fn what_cannot_be_counted_so_is_an_error() {
    let base = samples();
    for (args, says) in [
        (&["--group-by", "move"][..], "need a position"),
        (
            &["e4", "--group-by", "year", "--format", "pgn"],
            "only counts games",
        ),
        (&["e4", "--group-by", "colour"], "--group-by"),
    ] {
        let ran = run(base.store.path(), &[&["search"], args].concat());
        assert_eq!(ran.status, Some(2), "{args:?}");
        assert!(ran.err.contains(says), "{}", ran.err);
    }
}

#[test]
fn trees_are_ordered_and_cut_as_asked() {
    let base = samples();
    let all = json(&base, &["tree"]);
    let moves = |tree: &Value| tree["moves"].as_array().expect("moves").clone();
    assert_eq!(all["moves_omitted"], 0);
    for (sort, field, ascends) in [
        ("games", "games", false),
        ("games:asc", "games", true),
        ("score", "score", false),
        ("rating", "average_rating", false),
        ("performance:asc", "performance", true),
        ("year", "last_year", false),
    ] {
        let sorted = moves(&json(&base, &["tree", "--sort", sort]));
        let values: Vec<Option<f64>> = sorted.iter().map(|line| line[field].as_f64()).collect();
        let known: Vec<f64> = values.iter().map_while(|value| *value).collect();
        assert!(values[known.len()..].iter().all(Option::is_none), "{sort}");
        assert!(
            known.is_sorted_by(|one, next| if ascends { one <= next } else { one >= next }),
            "{sort}: {known:?}"
        );
        let names = |moves: &[Value]| -> BTreeSet<String> {
            moves.iter().map(|line| line["uci"].to_string()).collect()
        };
        assert_eq!(names(&sorted), names(&moves(&all)), "{sort}");
    }
    let sorted = moves(&json(&base, &["tree", "--sort", "move"]));
    assert!(sorted.is_sorted_by_key(|line| line["san"].to_string()));
    let few = run(
        base.store.path(),
        &[
            "tree",
            "--min-games",
            "2",
            "--limit",
            "2",
            "--format",
            "json",
        ],
    );
    let few: Value = serde_json::from_str(&few.out).expect("JSON");
    let kept: Vec<Value> = (moves(&all).into_iter())
        .filter(|line| line["games"].as_u64() >= Some(2))
        .collect();
    assert!(kept.len() > 2);
    assert_eq!(moves(&few), kept[..2]);
    assert_eq!(few["total"], all["total"]);
    assert_eq!(few["moves_omitted"], moves(&all).len() - 2);
}

/// The comments of a variation's text.
fn inside(variation: &str) -> Vec<String> {
    let parts = variation.split('{').skip(1);
    parts
        .filter_map(|part| part.split_once('}').map(|(text, _)| text.to_lowercase()))
        .collect()
}

#[test]
fn words_are_found_in_comments_and_nowhere_else() {
    let base = samples();
    let mut comments: BTreeMap<u64, Vec<String>> = BTreeMap::new();
    search::each_game::<plydex::store::StoreError>(
        &base.store,
        &AccessPlan::default(),
        MoveNotation::default(),
        &mut |record| {
            let of_game = comments.entry(record.game.header.id).or_default();
            for item in &record.game.items {
                match item {
                    MovetextItem::Comment(text) | MovetextItem::LineComment(text) => {
                        of_game.push(text.to_lowercase());
                    }
                    MovetextItem::Variation(text) => of_game.extend(inside(text)),
                    _ => {}
                }
            }
            Ok(())
        },
    )
    .expect("games");
    let mut words: BTreeMap<String, usize> = BTreeMap::new();
    for text in comments.values().flatten() {
        for word in text
            .split(|c: char| !c.is_alphabetic())
            .filter(|word| word.len() > 3)
        {
            *words.entry(word.to_owned()).or_default() += 1;
        }
    }
    assert!(words.len() > 20, "{words:?}");
    for word in words.keys().step_by(words.len() / 20 + 1) {
        let expected: Vec<u64> = (comments.iter())
            .filter(|(_, texts)| texts.iter().any(|text| text.contains(word)))
            .map(|(id, _)| *id)
            .collect();
        let found = json(&base, &["search", "--comment", word]);
        let found: Vec<u64> = found["hits"]
            .as_array()
            .expect("hits")
            .iter()
            .filter_map(|hit| hit["id"].as_u64())
            .collect();
        assert_eq!(found, expected, "{word}");
    }
}

#[test]
fn comments_are_found_where_they_stand() {
    let base = Base::of(
        b"{Before all} 1. e4 e5 {A quiet move} 2. Nf3 (2. f4 {The King's Gambit} exf4 {taken}) Nc6 *

[Event \"other\"]

1. d4 {quiet} d5 {MOVE} *
",
    );
    let plies = |args: &[&str]| -> Vec<(u64, u64)> {
        let found = json(&base, &[&["search"], args].concat());
        let hits = found["hits"].as_array().expect("hits");
        let number = |hit: &Value, name: &str| hit[name].as_u64().expect("a number");
        hits.iter()
            .map(|hit| (number(hit, "id"), number(hit, "ply")))
            .collect()
    };
    assert_eq!(plies(&["--comment", "before"]), [(1, 0)]);
    assert_eq!(plies(&["--comment", "QUIET move"]), [(1, 2)]);
    assert_eq!(plies(&["--comment", "quiet"]), [(1, 2), (2, 1)]);
    assert_eq!(
        plies(&["--comment", "quiet", "--comment", "move"]),
        [(1, 2), (2, 1)]
    );
    assert_eq!(plies(&["--comment", "gambit"]), [(1, 2)]);
    assert_eq!(plies(&["--comment", "gambit taken"]), []);
    assert_eq!(plies(&["comment:quiet and Pd4"]), [(2, 1)]);
    assert_eq!(plies(&["not comment:quiet"]), []);
    let ran = run(base.store.path(), &["search", "--comment", ","]);
    assert_eq!(ran.status, Some(2));
}
