//! What the commands answer, over HTTP.

use serde_json::Value;

use super::{client::encoded, rated, serving};
use crate::support::{Base, root, run};

/// Questions with the same meaning as a command.
#[test]
fn answers_are_those_of_the_commands() {
    let base = Base::new();
    base.import(&[root().join("sample-data")], crate::support::every_game());
    let db = base.folder().join("test.db");
    let server = super::Server::start(&db, &[]);
    for (target, command) in [
        (
            "search?position=e4+c5&limit=3",
            &["search", "e4 c5", "--limit", "3"][..],
        ),
        (
            "search?player=fischer&sort=date:desc&offset=1",
            &[
                "search",
                "--player",
                "fischer",
                "--sort",
                "date:desc",
                "--offset",
                "1",
            ],
        ),
        (
            "search?player=fischer&player=spassky&result=1-0,0-1",
            &[
                "search", "--player", "fischer", "--player", "spassky", "--result", "1-0,0-1",
            ],
        ),
        (
            "search?position=32-28&variant=international",
            &["search", "32-28", "--variant", "international"],
        ),
        (
            "search?position=startpos&group-by=move",
            &["search", "startpos", "--group-by", "move"],
        ),
        (
            "search?where=Bd5+and+player:fischer",
            &["search", "Bd5 and player:fischer"],
        ),
        ("tree", &["tree"]),
        (
            "tree?position=e4&since=1960&until=1975&depth=2",
            &[
                "tree", "e4", "--since", "1960", "--until", "1975", "--depth", "2",
            ],
        ),
        ("tree?position=32-28&rotate", &["tree", "32-28", "--rotate"]),
        ("tree?position=32-28&rotate=false", &["tree", "32-28"]),
        ("tree?where=elo:1..", &["tree", "--where", "elo:1.."]),
        ("games/1", &["show", "1"]),
        ("games/1?language=de", &["show", "1", "--language", "de"]),
        ("games/1?ply=3", &["show", "1", "--ply", "3"]),
        ("variants", &["variants"]),
        ("players?limit=3", &["players", "--limit", "3"]),
        (
            "players?text=fischer&spellings&sort=name",
            &["players", "fischer", "--spellings", "--sort", "name"],
        ),
        ("events?limit=0", &["events", "--limit", "0"]),
        ("novelty?position=17", &["novelty", "17"]),
        (
            "novelty?player=fischer&limit=2",
            &["novelty", "--player", "fischer", "--limit", "2"],
        ),
        (
            "prepare?name=fischer&you=white&since=1970",
            &["prepare", "fischer", "--you", "white", "--since", "1970"],
        ),
        (
            "prepare?name=fischer&against=spassky&min-share=20&time=unknown",
            &[
                "prepare",
                "fischer",
                "--against",
                "spassky",
                "--min-share",
                "20",
                "--time",
                "unknown",
            ],
        ),
        (
            "report?position=e4&since=1900&window=20&setup=60",
            &[
                "report", "e4", "--since", "1900", "--window", "20", "--setup", "60",
            ],
        ),
        ("report?position=32-28", &["report", "32-28"]),
        (
            "structure?structure=french&until=2020",
            &["structure", "french", "--until", "2020"],
        ),
        (
            "structure?structure=e4+e5&width=files",
            &["structure", "e4 e5", "--width", "files"],
        ),
        (
            "crosstable?event=World+Championship&year=1972&tie-breaks=SB,WIN",
            &[
                "crosstable",
                "World Championship",
                "--year",
                "1972",
                "--tie-breaks",
                "SB,WIN",
            ],
        ),
        ("eco?position=najdorf", &["eco", "najdorf"]),
        ("eco?position=e4+c5", &["eco", "e4 c5"]),
    ] {
        let json: Vec<&str> = command
            .iter()
            .chain(&["--format", "json"])
            .copied()
            .collect();
        let expected: Value = serde_json::from_str(&run(&db, &json).out).expect("JSON");
        assert_eq!(server.json(&format!("/v1/{target}")), expected, "{target}");
    }
    for game in 1..=138 {
        let expected = run(&db, &["show", &game.to_string(), "--format", "tree"]).out;
        let expected: Value = serde_json::from_str(&expected).expect("JSON");
        let answer = server.json(&format!("/v1/games/{game}?form=tree"));
        assert_eq!(answer, expected, "{game}");
    }
    for game in ["1", "2"] {
        let expected = run(&db, &["show", game, "--format", "pgn"]).out;
        assert_eq!(server.get(&format!("/v1/games/{game}.pgn")).body, expected);
    }
}

#[test]
fn the_description_is_what_there_is() {
    let (_base, server) = serving(&rated(), &[]);
    let described = server.json("/v1/openapi.json");
    assert_eq!(described["openapi"], "3.1.0");
    let paths = described["paths"].as_object().expect("paths");
    assert_eq!(paths.len(), 18);
    let mut asked = 0;
    for (path, item) in paths {
        let path = path.replace("{game}", "1");
        for parameter in item["get"]["parameters"].as_array().expect("a list") {
            let name = parameter["name"].as_str().expect("a name");
            assert!(
                parameter["description"]
                    .as_str()
                    .is_some_and(|text| !text.is_empty()),
                "{name}"
            );
            if parameter["in"] == "path" {
                continue;
            }
            // Whatever the value is, the parameter is known.
            let answered = server.get(&format!("{path}?{name}=1"));
            let error = format!("there is no parameter `{name}`");
            assert!(!answered.body.contains(&error), "{path}: {}", answered.body);
            assert!(
                matches!(answered.status, 200 | 400),
                "{path}?{name}: {}",
                answered.body
            );
            asked += 1;
        }
        let unknown = server.get(&format!("{path}?nothing=1"));
        assert_eq!(unknown.status, 400, "{path}");
        assert_eq!(unknown.json()["error"], "there is no parameter `nothing`");
        // What an answer needs is said to be required.
        let parameters = item["get"]["parameters"].as_array().expect("a list");
        let mut asked_for = parameters
            .iter()
            .filter(|parameter| parameter["in"] == "query");
        let needs = asked_for.any(|parameter| parameter["required"] == true);
        let status = if needs { 400 } else { 200 };
        assert_eq!(server.get(&path).status, status, "{path}");
        let is_of_name = ["/eco", "/prepare", "/structure", "/crosstable"];
        let is_of_name = is_of_name.iter().any(|name| path.ends_with(name));
        assert_eq!(needs, is_of_name, "{path}");
    }
    assert!(asked > 80, "{asked}");
}

#[test]
fn pages_are_bounded() {
    let (_base, server) = serving(&rated(), &[]);
    assert_eq!(
        server.json("/v1/search?limit=0")["hits"]
            .as_array()
            .map(Vec::len),
        Some(60)
    );
}

/// Every variant that has a start: each legal move is played by its own name, and the squares
/// of moves and pieces are those of the drawing.
#[test]
fn positions_of_every_variant_can_be_played() {
    let (_base, server) = serving(&rated(), &[]);
    let mut played = 0;
    for variant in server.json("/v1/variants").as_array().expect("a list") {
        let name = variant["name"].as_str().expect("a name");
        let place = |play: &str| {
            server.get(&format!(
                "/v1/position?variant={name}&play={}",
                encoded(play)
            ))
        };
        let start = place("");
        if start.status == 400 {
            continue;
        }
        let at = start.json();
        let drawn = server
            .get(&format!("/v1/board.svg?variant={name}&flip=1"))
            .body;
        let is_drawn = |square: &Value| {
            let square = square.as_str().expect("a square");
            drawn.contains(&format!("<g data-square=\"{square}\">"))
        };
        for piece in at["pieces"].as_array().expect("a list") {
            assert!(is_drawn(&piece["square"]), "{name}: {piece}");
        }
        let moves = at["moves"].as_array().expect("a list");
        assert!(!moves.is_empty(), "{name}");
        for line in moves {
            let squares = line["squares"].as_array().expect("a list");
            assert!(
                !squares.is_empty() && squares.iter().all(is_drawn),
                "{name}: {line}"
            );
        }
        // The first and the last of them, on the board of the page.
        for line in [&moves[0], &moves[moves.len() - 1]] {
            let behind = place(line["uci"].as_str().expect("a move"));
            assert_eq!(behind.status, 200, "{name}: {line}");
            assert_ne!(behind.json()["to_move"], at["to_move"], "{name}: {line}");
            played += 1;
        }
    }
    assert!(played > 60, "{played}");
}

#[test]
fn a_capture_has_its_whole_path() {
    let (_base, server) = serving(&rated(), &[]);
    let fen = encoded("W:WK46,K20:B37,38,19,13,18,28,29,8,9");
    let at = server.json(&format!("/v1/position?variant=international&fen={fen}"));
    let moves = at["moves"].as_array().expect("a list");
    let paths: Vec<usize> = moves
        .iter()
        .filter_map(|line| line["squares"].as_array())
        .map(Vec::len)
        .collect();
    assert!(paths.iter().all(|&squares| squares == 8), "{at}");
    assert_eq!(at["numbered"], true);
    let promotion = encoded("8/P6k/8/8/8/8/8/K7 w - - 0 1");
    let at = server.json(&format!("/v1/position?fen={promotion}"));
    let letters: Vec<&str> = at["moves"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|line| line["promotion"].as_str())
        .collect();
    assert_eq!(letters.len(), 4);
    let mated = server.json("/v1/position?play=f2f3,e7e5,g2g4,d8h4");
    assert_eq!(
        (&mated["check"], &mated["end"]),
        (&true.into(), &"checkmate".into())
    );
    let named = server.json("/v1/position?play=e2e4,c7c5,a2a4,a7a5");
    let name = named["opening"]["name"].as_str().expect("a name");
    assert!(name.starts_with("Sicilian Defense"), "{name}");
}

/// What a game has set by hand is no move, but its words lead through it all the same.
#[test]
fn positions_that_are_set_by_hand_are_played() {
    let setup = "/FEN \"B:W28,31,33:B1,2,20\"/";
    let text = format!("[GameType \"20\"]\n\n1. 32-28 18-23 {setup} 20-24 *\n");
    let (_base, server) = serving(&text, &[]);
    let items = server.json("/v1/games/1")["items"].clone();
    let words: Vec<&str> = (items.as_array().expect("a list").iter())
        .filter_map(|item| item["move"].as_str())
        .collect();
    assert_eq!(words, ["32-28", "18-23", setup, "20-24"]);
    let play = encoded(&words.join(","));
    let at = server.json(&format!("/v1/position?variant=international&play={play}"));
    assert_eq!(at["fen"], "W:W28,31,33:B1,2,24");
    assert_eq!(at["line"][2]["squares"], serde_json::json!([]));
    let again: Vec<&str> = (at["line"].as_array().expect("a list").iter())
        .filter_map(|ply| ply["uci"].as_str())
        .collect();
    let again = encoded(&again.join(","));
    let same = server.json(&format!("/v1/position?variant=international&play={again}"));
    assert_eq!(same["fen"], at["fen"]);
    // Chess has nothing of the kind.
    let refused = server.get(&format!("/v1/position?play={}", encoded(setup)));
    assert_eq!(refused.status, 400);
}

#[test]
fn files_of_the_page_are_known_again() {
    let (_base, server) = serving(&rated(), &[]);
    let page = server.get("/");
    assert_eq!(
        (page.status, page.header("content-type")),
        (200, Some("text/html; charset=utf-8"))
    );
    let policy = page.header("content-security-policy").expect("a policy");
    assert!(policy.starts_with("default-src 'self'"), "{policy}");
    let tag = page.header("etag").expect("a tag");
    let known = server.ask("GET", "/", &format!("If-None-Match: {tag}\r\n"));
    assert_eq!((known.status, known.body.as_str()), (304, ""));
    let tags = [
        format!("W/{tag}"),
        "*".to_owned(),
        format!("\"1\", W/\"2\",{tag}"),
        format!("\"1\"\r\nIf-None-Match: W/{tag}"),
    ];
    for tags in tags {
        let known = server.ask("GET", "/", &format!("If-None-Match: {tags}\r\n"));
        assert_eq!((known.status, known.body.as_str()), (304, ""), "{tags}");
    }
    for tags in ["W/\"1\"", "\"*\"", "W/"] {
        let other = server.ask("GET", "/", &format!("If-None-Match: {tags}\r\n"));
        assert_eq!(other.status, 200, "{tags}");
    }
}

/// What a question was taken for is told as on the command line.
#[test]
fn notes_are_part_of_the_answer() {
    let (_base, server) = serving(&rated(), &[]);
    let notes = |target: &str| server.json(target)["notes"].clone();
    assert_eq!(notes("/v1/search?position=e4"), Value::Null);
    let read = notes(&format!("/v1/search?position={}", encoded("Pe4")));
    let read = read[0].as_str().expect("a note");
    assert!(read.starts_with("read as a position"), "{read}");
    let read = notes(&format!("/v1/tree?position={}", encoded("1.e4 e5 2.Sf3")));
    assert_eq!(read, Value::Null);
}

/// Conditions are parameters by their names, former names included; errors are those of queries.
#[test]
fn conditions_are_parameters() {
    let (base, server) = serving(&rated(), &[]);
    let games = |params: &str| server.json(&format!("/v1/search?{params}"))["total"].clone();
    for (params, same) in [
        ("has=WhiteElo", "where=has:WhiteElo"),
        ("tag.WhiteElo=2400", "where=tag.WhiteElo:2400"),
        ("moves=e4", "position=e4"),
        ("moves=e4&where=capture", "where=moves:e4+and+capture"),
        ("winner=white", "result=1-0"),
        ("time-class=unknown", "time=unknown"),
        ("from=1960", "since=1960"),
        ("min-elo=2000&max-elo=2500", "elo=2000..2500"),
        ("eco=B&eco=C", "eco=B,C"),
    ] {
        assert_eq!(games(params), games(same), "{params}");
        assert!(games(params).is_u64(), "{params}");
    }
    for (params, error) in [
        ("elo=x", "elo: `x` is not a range"),
        ("limit=x", "limit: write a number, 0 or more"),
        ("limit=1&limit=2", "limit: it can be given only once"),
        (
            "identity=x",
            "identity: `x` is not one of legal, board, placement",
        ),
        ("rotate=x", "rotate: `x` is neither true nor false"),
        (
            "any-variant&variant=chess",
            "any-variant cannot be combined with variant",
        ),
        ("material=KRvK", "there is no parameter `material`"),
    ] {
        let answer = server.get(&format!("/v1/search?{params}"));
        let found = answer.json()["error"]
            .as_str()
            .expect("an error")
            .to_owned();
        assert_eq!(answer.status, 400, "{params}");
        assert!(found.starts_with(error), "{params}: {found}");
    }
    let moved = server.get("/v1/sources");
    assert_eq!(moved.status, 404);
    assert_eq!(moved.json()["hint"], "ask /v1/databases");
    // What a saved query means may change.
    let mut file = base.folder().join("test.db").into_os_string();
    file.push(".queries");
    for query in ["mate", "not mate"] {
        std::fs::write(&file, format!("own = {query}\n")).expect("a file");
        assert_eq!(
            games("where=@own"),
            games(&format!("where={}", encoded(query)))
        );
        assert_eq!(
            games("position=@own+and+q"),
            games(&format!("where=({})+and+q", encoded(query)))
        );
    }
    let wrong = server.get("/v1/search?where=@owm");
    assert_eq!(wrong.json()["hint"], "did you mean @own?");
}
