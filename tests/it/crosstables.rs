//! Crosstables: which games are an event, what is missing, and values that FIDE's server of
//! tie-breaks gives for the same games.

use std::{
    fmt::Write as _,
    path::{Path, PathBuf},
};

use serde_json::Value;
use tempfile::TempDir;

use crate::support::run;

/// The players of the masters, with their ratings.
const MASTERS: &[(&str, u32)] = &[
    ("Adler, Anna", 2610),
    ("Brook, Ben", 2585),
    ("Crane, Carl", 2540),
    ("Dunlin, Dora", 2533),
    ("Egret, Emil", 2490),
    ("Finch, Fay", 2455),
];

/// Their games: White, Black, round, points of White.
const MASTERS_GAMES: &[(usize, usize, u32, &str)] = &[
    (5, 0, 1, "0-1"),
    (1, 4, 1, "1/2-1/2"),
    (3, 2, 1, "0-1"),
    (0, 4, 2, "1/2-1/2"),
    (3, 5, 2, "1/2-1/2"),
    (1, 2, 2, "0-1"),
    (3, 0, 3, "1-0"),
    (4, 2, 3, "1/2-1/2"),
    (1, 5, 3, "1/2-1/2"),
    (0, 2, 4, "1/2-1/2"),
    (1, 3, 4, "0-1"),
    (4, 5, 4, "1-0"),
    (1, 0, 5, "1/2-1/2"),
    (2, 5, 5, "1-0"),
    (4, 3, 5, "1/2-1/2"),
];

/// The players of the open, an odd number.
const OPEN: &[(&str, u32)] = &[
    ("Heron", 2400),
    ("Ibis", 2380),
    ("Jay", 2350),
    ("Kite", 2320),
    ("Lark", 2300),
    ("Martin", 2260),
    ("Nene", 2210),
    ("Owl", 2190),
    ("Plover", 2150),
];

const OPEN_GAMES: &[(usize, usize, u32, &str)] = &[
    (0, 4, 1, "1-0"),
    (5, 1, 1, "0-1"),
    (2, 6, 1, "1/2-1/2"),
    (7, 3, 1, "0-1"),
    (1, 0, 2, "1/2-1/2"),
    (3, 2, 2, "1-0"),
    (6, 8, 2, "1-0"),
    (4, 5, 2, "1-0"),
    (0, 3, 3, "1-0"),
    (2, 1, 3, "0-1"),
    (8, 4, 3, "1/2-1/2"),
    (5, 7, 3, "0-1"),
    (6, 0, 4, "0-1"),
    (1, 3, 4, "1/2-1/2"),
    (4, 2, 4, "1/2-1/2"),
    (7, 8, 4, "1-0"),
];

/// A database of some text, with each game as often as it is there.
fn base_of(text: &str) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let ending = if text.contains("GameType") {
        "pdn"
    } else {
        "pgn"
    };
    let file = folder.path().join(format!("games.{ending}"));
    std::fs::write(&file, text).expect("a file");
    let db = folder.path().join("games.db");
    let file = file.to_str().expect("a name");
    let imported = run(&db, &["import", "--duplicates", "keep", file]);
    assert_eq!(imported.status, Some(0), "{}", imported.err);
    (folder, db)
}

/// A game with some tags.
fn game(tags: &[(&str, &str)], result: &str) -> String {
    let mut text = String::new();
    for (name, value) in tags {
        let _ = writeln!(text, "[{name} \"{value}\"]");
    }
    let moves = if tags.iter().any(|(name, _)| *name == "Termination") {
        ""
    } else {
        "1. e4 e5 2. Nf3 Nc6 "
    };
    let _ = write!(text, "[Result \"{result}\"]\n\n{moves}{result}\n\n");
    text
}

/// The games of an event at a place, a day each round.
fn event(
    (name, site): (&str, &str),
    players: &[(&str, u32)],
    games: &[(usize, usize, u32, &str)],
) -> String {
    let games = games.iter().map(|&(white, black, round, result)| {
        let elo = [white, black].map(|player| players[player].1.to_string());
        let tags = [
            ("Event", name),
            ("Site", site),
            ("Date", &format!("2020.05.{round:02}")),
            ("Round", &round.to_string()),
            ("White", players[white].0),
            ("Black", players[black].0),
            ("WhiteElo", &elo[0]),
            ("BlackElo", &elo[1]),
        ];
        game(&tags, result)
    });
    games.collect()
}

fn masters() -> String {
    event(("Reed Masters", "Reed"), MASTERS, MASTERS_GAMES)
}

pub(crate) fn open() -> String {
    event(("Reed Open", "Reed"), OPEN, OPEN_GAMES)
}

fn table(db: &Path, args: &[&str]) -> Value {
    let args: Vec<&str> = ["crosstable"].iter().chain(args).copied().collect();
    let args: Vec<&str> = args.into_iter().chain(["--format", "json"]).collect();
    let ran = run(db, &args);
    assert!(ran.status <= Some(1), "{}", ran.err);
    serde_json::from_str(&ran.out).expect("JSON")
}

fn text(db: &Path, args: &[&str]) -> String {
    let args: Vec<&str> = ["crosstable"].iter().chain(args).copied().collect();
    run(db, &args).out
}

fn players(table: &Value) -> &Vec<Value> {
    table["players"].as_array().expect("players")
}

fn names(table: &Value) -> Vec<&str> {
    let players = players(table).iter();
    players
        .map(|player| player["name"].as_str().expect("a name"))
        .collect()
}

/// The values of a tie-break in the order of the table.
fn ties(table: &Value, of: &str) -> Vec<f64> {
    let players = players(table).iter();
    players
        .map(|player| player["ties"][of].as_f64().unwrap_or(f64::NAN))
        .collect()
}

#[test]
fn a_round_robin_has_the_values_of_the_server_of_fide() {
    let (_folder, db) = base_of(&masters());
    let all = "SB,WIN,WON,KS,BH,BH/C1,BH/M1,BPG,BWG,PS,ARO,TPR,PTP";
    let list = table(&db, &["Reed", "Masters", "--tie-breaks", all]);
    assert_eq!(names(&list)[0], "Crane, Carl");
    let default = table(&db, &["Reed", "Masters"]);
    let places = players(&default)
        .iter()
        .map(|player| player["place"].as_u64());
    assert_eq!(
        places.collect::<Vec<_>>(),
        (1..=6).map(Some).collect::<Vec<_>>()
    );
    assert_eq!(ties(&default, "SB"), [8.25, 6.5, 6.0, 5.25, 3.25, 2.25]);
    assert_eq!(ties(&default, "KS"), [2.0, 1.5, 1.5, 1.0, 1.0, 0.5]);
    assert_eq!(ties(&default, "WIN"), [3.0, 1.0, 2.0, 1.0, 0.0, 0.0]);
    assert_eq!(ties(&default, "DE")[1..3], [0.5, 0.5]);
    let performances = players(&default)
        .iter()
        .map(|player| player["performance"].as_i64().expect("one"));
    assert_eq!(
        performances.collect::<Vec<_>>(),
        [2775, 2617, 2608, 2521, 2377, 2312]
    );
    insta::assert_snapshot!(text(&db, &["reed masters", "2020"]), @r"
    Reed Masters   Reed, 2020.05.01–2020.05.05, round robin, 6 players, 15 of 15 games, 5 rounds

      #               Elo  1 2 3 4 5 6 Pts  DE   SB WIN  KS  TPR
      1 Crane, Carl  2540  * ½ 1 ½ 1 1 4.0     8.25   3   2 2775
      2 Egret, Emil  2490  ½ * ½ ½ ½ 1 3.0 0.5  6.5   1 1.5 2617
      3 Dunlin, Dora 2533  0 ½ * 1 1 ½ 3.0 0.5    6   2 1.5 2608
      4 Adler, Anna  2610  ½ ½ 0 * ½ 1 2.5     5.25   1   1 2521
      5 Brook, Ben   2585  0 ½ 0 ½ * ½ 1.5     3.25   0   1 2377
      6 Finch, Fay   2455  0 0 ½ 0 ½ * 1.0     2.25   0 0.5 2312
    ");
    assert_eq!(default["missing_games"], 0);
}

#[test]
fn a_swiss_tournament_has_places_only_if_free_rounds_are_assumed() {
    let (_folder, db) = base_of(&open());
    let bare = table(&db, &["Reed Open"]);
    assert_eq!(
        (&bare["kind"], &bare["is_complete"]),
        (&"swiss".into(), &false.into())
    );
    assert!(
        players(&bare)
            .iter()
            .all(|player| player["place"].is_null())
    );
    assert!(
        players(&bare)
            .iter()
            .all(|player| player["ties"]["BH"].is_null())
    );
    // By gacrux 1.11 of the TRF that the command writes, byes as H, Z and U.
    let list = table(&db, &["Reed Open", "--assume-bye", "1/2"]);
    assert_eq!(list["bye"], 0.5);
    let buchholz = [9.5, 7.5, 10.0, 6.5, 7.5, 6.0, 9.5, 7.5, 8.0];
    assert_eq!(ties(&list, "BH"), buchholz);
    let cut = [7.5, 7.0, 9.0, 4.0, 5.5, 5.5, 7.5, 6.5, 7.5];
    assert_eq!(ties(&list, "BH/C1"), cut);
    assert!(players(&list).iter().all(|player| player["place"].is_u64()));
    insta::assert_snapshot!(text(&db, &["Reed Open", "--assume-bye", "1/2"]), @r"
    Reed Open   Reed, 2020.05.01–2020.05.04, Swiss, 9 players, 16 of 16 games, 4 rounds

      #         Elo Pts BH/C1  BH WIN BPG  TPR
      1 Heron  2400 3.5   7.5 9.5   3   2 2639  +6w =2b +3w +5b
      2 Ibis   2380 3.0     7 7.5   2   2 2526  +9b =1w +7b =3w
      3 Kite   2320 2.5     9  10   2   3 2425  +4b +7w −1b =2b
      4 Owl    2190 2.5     4 6.5   2   1 2368  −3w .   +9b +8w
      5 Nene   2210 2.0   5.5 7.5   1   1 2300  =7b +8w .   −1w
      6 Lark   2300 2.0   5.5   6   1   2 2290  −1b +9w =8b =7w
      7 Jay    2350 1.0   7.5 9.5   0   2 2110  =5w −3b −2w =6b
      8 Plover 2150 1.0   6.5 7.5   0   2 1960  .   −5b =6w −4b
      9 Martin 2260 0.5   7.5   8   0   1 1490  −2w −6b −4w .

    4 times a player has no game in a round; each counts 0.5 points, which is assumed
    ");
    let refused = run(&db, &["crosstable", "Reed Open", "--assume-bye", "2"]);
    assert_eq!(refused.status, Some(2), "{}", refused.err);
    assert!(refused.err.contains("assume-bye"), "{}", refused.err);
}

#[test]
fn missing_games_are_counted_and_withhold_places() {
    let mut games: Vec<_> = MASTERS_GAMES.to_vec();
    // Without the game of Egret and Finch: Egret can still win it all, Finch be fifth.
    games.remove(11);
    let (_folder, db) = base_of(&event(("Reed", "Reed"), MASTERS, &games));
    let list = table(&db, &["reed"]);
    assert_eq!(
        (&list["games"], &list["expected_games"]),
        (&14.into(), &15.into())
    );
    let of = |name: &str| {
        let own = players(&list).iter().find(|player| player["name"] == name);
        own.expect(name).clone()
    };
    assert_eq!(of("Egret, Emil")["missing"], 1);
    assert_eq!(of("Crane, Carl")["place"], 1);
    assert_eq!(of("Egret, Emil")["place"], Value::Null);
    assert_eq!(of("Crane, Carl")["ties"]["SB"], Value::Null);
    insta::assert_snapshot!(text(&db, &["reed"]), @r"
    Reed   2020.05.01–2020.05.05, round robin, 6 players, 14 of 15 games, 5 rounds

      #               Elo  1 2 3 4 5 6    Pts Missing  TPR
      1 Crane, Carl  2540  * 1 ½ ½ 1 1  4.0/5         2775
      - Dunlin, Dora 2533  0 * 1 ½ 1 ½  3.0/5         2608
      - Adler, Anna  2610  ½ 0 * ½ ½ 1  2.5/5         2521
      - Egret, Emil  2490  ½ ½ ½ * ½ . ≥2.0/4       1 2567
      - Brook, Ben   2585  0 0 ½ ½ * ½  1.5/5         2377
      - Finch, Fay   2455  0 ½ 0 . ½ * ≥1.0/4       1 2374

    1 game is missing: places are given only where they cannot change it, and ties are not broken
    ");
}

#[test]
fn a_report_of_fide_has_its_columns() {
    let (_folder, db) = base_of(&open());
    let trf = text(
        &db,
        &["Reed Open", "--assume-bye", "1/2", "--format", "trf"],
    );
    let heron = trf
        .lines()
        .find(|line| line.starts_with("001    1 "))
        .expect("a player");
    assert_eq!(&heron[14..19], "Heron");
    assert_eq!(&heron[48..52], "2400");
    assert_eq!(&heron[80..84], " 3.5");
    assert_eq!(&heron[85..89], "   1");
    assert_eq!(&heron[91..99], "   5 w 1");
    let martin = trf
        .lines()
        .find(|line| line.contains("Martin"))
        .expect("a player");
    assert!(martin.ends_with("  0000 - H"), "{martin}");
    assert!(
        trf.contains("\n062 9\n") && trf.contains("\nXXR 4\n"),
        "{trf}"
    );
}

#[test]
fn rounds_are_compared_as_numbers_and_duplicates_count_once() {
    let mut pgn = String::new();
    for board in 1..=10 {
        for round in 1..=2 {
            let [white, black] = [format!("A{board}"), format!("B{board}")];
            let tags = [
                ("Event", "Cup"),
                ("Date", "2020.01.01"),
                ("Round", &format!("{round}.{board}")),
                ("White", if round == 1 { &white } else { &black }),
                ("Black", if round == 1 { &black } else { &white }),
            ];
            pgn.push_str(&game(&tags, "1-0"));
        }
    }
    let twice = [
        ("Event", "Twice"),
        ("Date", "2020.01.01"),
        ("Round", "1"),
        ("White", "C"),
        ("Black", "D"),
    ];
    pgn.push_str(&game(&twice, "1-0"));
    pgn.push_str(&game(&[&twice[..], &[("Annotator", "E")]].concat(), "1-0"));
    pgn.push_str(&game(
        &[
            &twice[..2],
            &[("Round", "2"), ("White", "D"), ("Black", "C")],
        ]
        .concat(),
        "1/2-1/2",
    ));
    let (_folder, db) = base_of(&pgn);
    let list = table(&db, &["Twice"]);
    assert_eq!(
        (&list["kind"], &list["games"]),
        (&"match".into(), &2.into())
    );
    assert_eq!(list["duplicates"], 1);
    assert_eq!(players(&list)[0]["points"], 1.5);
    assert_eq!(players(&list)[0]["place"], 1);
}

#[test]
fn several_events_of_a_name_are_listed_with_what_selects_each() {
    let mut pgn = masters();
    for (year, site) in [(2021, "Sedge"), (2022, "Sedge"), (2022, "Rush")] {
        for round in 1..=2 {
            let tags = [
                ("Event", "Reed Masters"),
                ("Site", site),
                ("Date", &format!("{year}.06.{round:02}")),
                ("Round", &round.to_string()),
                ("White", "Gull"),
                ("Black", "Heron"),
            ];
            pgn.push_str(&game(&tags, "1-0"));
        }
    }
    let (_folder, db) = base_of(&pgn);
    let list = table(&db, &["reed masters"]);
    assert_eq!(list["total"], 4);
    for event in list["events"].as_array().expect("events") {
        let options = event["options"].as_array().expect("options");
        let options: Vec<&str> = options
            .iter()
            .map(|option| option.as_str().expect("text"))
            .collect();
        let args: Vec<&str> = ["reed masters"].into_iter().chain(options).collect();
        let one = table(&db, &args);
        assert_eq!(one["games"], event["games"], "{args:?}");
        assert_eq!(one["site"], event["site"], "{args:?}");
        assert_eq!(one["first_date"], event["first_date"], "{args:?}");
    }
    let refused = run(&db, &["crosstable", "reed masters", "--format", "trf"]);
    assert_eq!(
        (refused.status, &refused.out[..]),
        (Some(2), ""),
        "{}",
        refused.err
    );
    let none = run(&db, &["crosstable", "Bulrush"]);
    assert_eq!(none.status, Some(1));
    assert!(
        none.err.contains("no event is called `Bulrush`"),
        "{}",
        none.err
    );
}

#[test]
fn an_event_that_moves_to_another_place_is_one() {
    let mut pgn = event(("Wader", "Marsh"), MASTERS, &MASTERS_GAMES[..3]);
    pgn.push_str(&event(("Wader", "Fen"), MASTERS, &MASTERS_GAMES[3..]));
    // The same players a year later are another one.
    let later = event(("Wader", "Fen"), MASTERS, MASTERS_GAMES).replace("2020.", "2021.");
    pgn.push_str(&later);
    let (_folder, db) = base_of(&pgn);
    let list = table(&db, &["Wader"]);
    assert_eq!(list["total"], 2, "{list}");
    let one = table(&db, &["Wader", "2020"]);
    assert_eq!(
        (&one["games"], &one["is_complete"]),
        (&15.into(), &true.into())
    );
}

#[test]
fn forfeits_count_for_points_and_not_for_performances() {
    let mut pgn = String::new();
    for &(white, black, round, result) in MASTERS_GAMES {
        let date = format!("2020.05.{round:02}");
        let round = round.to_string();
        let elo = [white, black].map(|player| MASTERS[player].1.to_string());
        let mut tags = vec![
            ("Event", "Reed"),
            ("Date", &date[..]),
            ("Round", &round[..]),
            ("White", MASTERS[white].0),
            ("Black", MASTERS[black].0),
            ("WhiteElo", &elo[0]),
            ("BlackElo", &elo[1]),
        ];
        if (white, black) == (2, 5) {
            tags.push(("Termination", "forfeit"));
        }
        pgn.push_str(&game(&tags, result));
    }
    let (_folder, db) = base_of(&pgn);
    let list = table(&db, &["Reed"]);
    let crane = &players(&list)[0];
    assert_eq!(
        (&crane["name"], &crane["points"]),
        (&"Crane, Carl".into(), &4.0.into())
    );
    // As the server of FIDE: the forfeit counts for SB in a round robin, not for TPR.
    assert_eq!(
        (&crane["ties"]["SB"], &crane["performance"]),
        (&8.25.into(), &2748.into())
    );
    let forfeits = crane["cells"].as_array().expect("games").iter();
    assert_eq!(
        forfeits.filter(|cell| cell["is_forfeit"] == true).count(),
        1
    );
    assert!(text(&db, &["Reed"]).contains("1 game decided without play"));
}

#[test]
fn teams_have_points_of_matches_and_of_boards() {
    let teams = ["Ash", "Birch", "Cedar", "Dogwood"];
    // Round, teams, results of the two boards; the first has White at the first.
    let matches = [
        (1, 0, 1, ["1-0", "1/2-1/2"]),
        (1, 2, 3, ["1/2-1/2", "1/2-1/2"]),
        (2, 0, 2, ["1-0", "1-0"]),
        (2, 1, 3, ["1-0", "0-1"]),
        (3, 0, 3, ["0-1", "0-1"]),
        (3, 1, 2, ["1-0", "1/2-1/2"]),
    ];
    let mut pgn = String::new();
    for (round, one, other, results) in matches {
        for (board, result) in results.into_iter().enumerate() {
            let mut sides = [one, other];
            if board == 1 {
                sides.reverse();
            }
            let names = sides.map(|team| format!("{}{}", teams[team], board + 1));
            let tags = [
                ("Event", "League"),
                ("Date", "2020.01.01"),
                ("Round", &format!("{round}.{}", board + 1)),
                ("White", &names[0]),
                ("Black", &names[1]),
                ("WhiteTeam", teams[sides[0]]),
                ("BlackTeam", teams[sides[1]]),
            ];
            pgn.push_str(&game(&tags, result));
        }
    }
    let (_folder, db) = base_of(&pgn);
    let list = table(&db, &["League"]);
    let rows = list["teams"].as_array().expect("teams");
    let of = |name: &str| {
        rows.iter()
            .find(|team| team["name"] == name)
            .expect("a team")
    };
    // Ash: 1.5-0.5, 1-1 (each won with White), 1-1; Birch: 0.5-1.5, 2-0, 1.5-0.5; and so on, by hand.
    let points: Vec<(f64, f64)> = teams
        .map(|team| {
            let team = of(team);
            (
                team["points"].as_f64().expect("points"),
                team["board_points"].as_f64().expect("points"),
            )
        })
        .to_vec();
    assert_eq!(points, [(4.0, 3.5), (4.0, 4.0), (2.0, 2.5), (2.0, 2.0)]);
    assert_eq!(of("Birch")["place"], 1);
    assert_eq!(of("Ash")["place"], 2);
    let player = players(&list)
        .iter()
        .find(|player| player["name"] == "Ash1")
        .expect("a player");
    assert_eq!(player["team"], "Ash");
}

#[test]
fn draughts_keep_the_points_that_were_written() {
    let game = |white: &str, black: &str, round: u32, result: &str| {
        format!(
            "[Event \"Delft\"]\n[Date \"2020.01.01\"]\n[Round \"{round}\"]\n[White \"{white}\"]\n\
             [Black \"{black}\"]\n[GameType \"20\"]\n[Result \"{result}\"]\n\n1. 32-28 19-23 {result}\n\n"
        )
    };
    let pdn = [
        game("A", "B", 1, "12-8"),
        game("C", "A", 2, "20-0"),
        game("B", "C", 3, "10-10"),
    ];
    let (_folder, db) = base_of(&pdn.concat());
    let list = table(&db, &["Delft"]);
    assert_eq!(
        (&list["is_by_written_points"], &list["win"]),
        (&true.into(), &20.0.into()),
        "{list}"
    );
    let points = players(&list)
        .iter()
        .map(|player| player["points"].as_f64().expect("points"));
    assert_eq!(names(&list), ["C", "B", "A"]);
    assert_eq!(points.collect::<Vec<_>>(), [30.0, 18.0, 12.0]);
    assert!(text(&db, &["Delft"]).contains("points as they are written"));
}

#[test]
fn names_of_sides_and_unknown_players_are_nobody() {
    let game = |white: &str, black: &str| {
        format!(
            "[Event \"Club\"]\n[Date \"2020.01.01\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n\
             [GameType \"21\"]\n[Result \"1-0\"]\n\n1. 11-15 23-19 1-0\n\n"
        )
    };
    let nobody = ["White", "Red", "Black", "", "?", "NN", "N.N."];
    let mut pdn = game("Ash", "Birch");
    for name in nobody {
        pdn += &game("Ash", name);
    }
    let (_folder, db) = base_of(&pdn);
    let list = table(&db, &["Club"]);
    assert_eq!(names(&list), ["Ash", "Birch"]);
    assert_eq!(list["unnamed"], nobody.len());
    for name in nobody {
        let ran = run(&db, &["prepare", name]);
        assert_eq!(ran.status, Some(2), "{name}: {}", ran.out);
        let why = if name.is_empty() {
            "the name of a player is empty"
        } else {
            "no player is called"
        };
        assert!(ran.err.contains(why), "{name}: {}", ran.err);
        assert!(!ran.err.contains("did you mean White"), "{}", ran.err);
    }
    assert_eq!(run(&db, &["prepare", "Ash"]).status, Some(0));
}

#[test]
fn the_table_after_a_round_has_no_later_game() {
    let (_folder, db) = base_of(&masters());
    let list = table(&db, &["Reed Masters", "--round", "2"]);
    assert_eq!(
        (&list["games"], &list["expected_games"]),
        (&6.into(), &6.into())
    );
    assert_eq!(
        (&list["until_round"], &list["is_complete"]),
        (&2.into(), &true.into())
    );
    assert_eq!(names(&list)[0], "Crane, Carl");
    assert_eq!(players(&list)[0]["points"], 2.0);
}

#[test]
fn a_page_is_written_as_other_outputs_are() {
    let pgn = masters().replace("Finch, Fay", "<b>Finch & Fay</b>");
    let (folder, db) = base_of(&pgn);
    let page = folder.path().join("reed.html");
    let page = page.to_str().expect("a name");
    let ran = run(&db, &["crosstable", "Reed Masters", "--html", page]);
    assert_eq!(ran.status, Some(0), "{}", ran.err);
    let html = std::fs::read_to_string(page).expect("a page");
    assert!(html.contains("&lt;b&gt;Finch &amp; Fay&lt;/b&gt;") && !html.contains("<b>"));
    assert!(html.starts_with("<!DOCTYPE html>") && html.ends_with("</html>\n"));
    let again = run(&db, &["crosstable", "Reed Masters", "--html", page]);
    assert_eq!(again.status, Some(2));
    assert!(again.err.contains("--force"), "{}", again.err);
    let onto = run(
        &db,
        &[
            "crosstable",
            "Reed Masters",
            "--force",
            "--html",
            db.to_str().expect("a name"),
        ],
    );
    assert_eq!(onto.status, Some(2), "{}", onto.err);
}
