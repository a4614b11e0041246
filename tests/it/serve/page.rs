//! The files of the page, and what the page alone asks for. What readers do with it is tried in a
//! browser by `tests/page/run.sh`.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use serde_json::Value;
use sha2::{Digest as _, Sha256};

use super::client::encoded;
use super::serving;
use crate::support::{root, run};

/// Bytes of all that a browser loads, at most, and of the scripts of the page's own among them.
const BYTES_MAX: usize = 224 * 1024;
const SCRIPTS_MAX: usize = 120 * 1024;

/// Addresses that may stand in the files: names of namespaces, which nobody asks for.
const NAMES: [&str; 2] = ["http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"];

/// What lies in a folder below `web/`, by its path from there.
fn files(folder: &str) -> BTreeSet<String> {
    let entries = fs::read_dir(root().join("web").join(folder)).expect("a folder");
    let entries = entries.map(|entry| entry.expect("an entry"));
    let files = entries.filter(|entry| entry.path().is_file());
    files
        .map(|entry| format!("{folder}{}", entry.file_name().to_string_lossy()))
        .collect()
}

fn bytes(name: &str) -> Vec<u8> {
    fs::read(root().join("web").join(name)).expect("a file of the page")
}

fn text(name: &str) -> String {
    String::from_utf8(bytes(name)).expect("UTF-8")
}

/// What a browser loads: all but the notes about the files of others.
fn loaded() -> BTreeSet<String> {
    let all = files("").into_iter().chain(files("vendor/"));
    let is_code = |name: &String| {
        let kind = Path::new(name).extension().unwrap_or_default();
        ["html", "js", "css", "svg"]
            .iter()
            .any(|known| kind == *known)
    };
    all.filter(is_code).collect()
}

/// The texts in quotes behind some words.
fn named<'a>(text: &'a str, before: &'a str) -> impl Iterator<Item = &'a str> {
    text.split(before).skip(1).map(|rest| {
        let quote = rest.chars().next().expect("a quote");
        rest[1..].split(quote).next().expect("a text")
    })
}

#[test]
fn files_of_others_are_as_they_were_published() {
    let sums = text("vendor/SHA256SUMS");
    let mut known = BTreeSet::new();
    for line in sums.lines() {
        let (sum, name) = line.split_once("  ").expect("a sum and a name");
        let name = format!("vendor/{name}");
        let hash = Sha256::digest(bytes(&name));
        let found = hash.iter().fold(String::new(), |mut text, byte| {
            write!(text, "{byte:02x}").expect("memory");
            text
        });
        assert_eq!(found, sum, "{name}");
        known.insert(name);
    }
    let notes = ["vendor/README.md", "vendor/SHA256SUMS"];
    let others = files("vendor/");
    let others: BTreeSet<String> = others
        .into_iter()
        .filter(|name| !notes.contains(&name.as_str()))
        .collect();
    assert_eq!(known, others);
}

#[test]
fn every_file_is_served_and_named() {
    let (_base, server) = serving("", &[]);
    // From the page on, whatever names another file.
    let page = text("index.html");
    let mut reached: BTreeSet<String> = ["href=", "src="]
        .iter()
        .flat_map(|before| named(&page, before))
        .filter(|name| !name.starts_with(['#', '.', '?']))
        .map(str::to_owned)
        .collect();
    let mut waiting: Vec<String> = reached.iter().cloned().collect();
    while let Some(name) = waiting.pop() {
        if Path::new(&name).extension().is_none_or(|kind| kind != "js")
            || name.starts_with("vendor/")
        {
            continue;
        }
        let script = text(&name);
        // A picture of which parts are used.
        let pictures = named(&script, "href=").filter_map(|name| name.split_once('#'));
        reached.extend(pictures.map(|(name, _)| name.to_owned()));
        for import in script.split(" from './").skip(1) {
            let import = import.split('\'').next().unwrap_or_default();
            if reached.insert(import.to_owned()) {
                waiting.push(import.to_owned());
            }
        }
    }
    reached.insert("index.html".to_owned());
    assert_eq!(reached, loaded());
    for name in &reached {
        let path = match name.as_str() {
            "index.html" => "/".to_owned(),
            name => format!("/{name}"),
        };
        let answered = server.get(&path);
        assert_eq!(answered.status, 200, "{path}");
        assert_eq!(answered.body, text(name), "{path}");
        let kind = match Path::new(name).extension().and_then(|kind| kind.to_str()) {
            Some("html") => "text/html; charset=utf-8",
            Some("js") => "text/javascript; charset=utf-8",
            Some("css") => "text/css; charset=utf-8",
            _ => "image/svg+xml",
        };
        assert_eq!(answered.header("content-type"), Some(kind), "{path}");
        let policy = answered.header("content-security-policy");
        assert!(policy.is_some_and(|policy| policy.contains("default-src 'self'")));
        let tag = answered.header("etag").expect("a tag").to_owned();
        let again = server.ask("GET", &path, &format!("If-None-Match: {tag}\r\n"));
        assert_eq!(again.status, 304, "{path}");
    }
}

#[test]
fn nothing_leads_to_another_host() {
    for name in loaded() {
        let text = text(&name);
        for (at, _) in text.match_indices("//") {
            let start = text[..at].rfind(['"', '\'', '`', '(', ' ', '\n', '=']);
            let word = &text[start.map_or(0, |start| start + 1)..];
            let word = word.split(['"', '\'', '`', ')', ' ', '\n']).next();
            let word = word.unwrap_or_default();
            let is_address = word.contains("://") || word.starts_with("//");
            let is_comment = word.starts_with("//") && text[..at].ends_with(['\n', ' ']) || at == 0;
            assert!(
                !is_address || is_comment || NAMES.contains(&word),
                "{name}: {word}"
            );
        }
    }
}

#[test]
fn the_page_is_small() {
    let sum: usize = loaded().iter().map(|name| bytes(name).len()).sum();
    assert!(sum <= BYTES_MAX, "{sum} bytes");
    let own = loaded().into_iter();
    let is_script = |name: &str| Path::new(name).extension().is_some_and(|kind| kind == "js");
    let own = own.filter(|name| is_script(name) && !name.starts_with("vendor/"));
    let sum: usize = own.map(|name| bytes(&name).len()).sum();
    assert!(sum <= SCRIPTS_MAX, "{sum} bytes");
}

#[test]
fn a_position_tells_the_line_that_led_to_it() {
    let (_base, server) = serving("", &[]);
    let answer = server.json("/v1/position?play=e4,c7c5,Nf3");
    let line = answer["line"].as_array().expect("moves");
    let told =
        |name: &str| -> Vec<&str> { line.iter().map(|m| m[name].as_str().expect(name)).collect() };
    assert_eq!(told("san"), ["e4", "c5", "Nf3"]);
    assert_eq!(told("uci"), ["e2e4", "c7c5", "g1f3"]);
    assert_eq!(line[2]["squares"], serde_json::json!(["g1", "f3"]));
    // Where squares have letters, a capture in draughts tells them as well.
    let fen = encoded("W:Wc3:Bd4,f6");
    let answer = server.json(&format!("/v1/position?variant=russian&fen={fen}"));
    let moves = answer["moves"].as_array().expect("moves");
    let squares: Vec<&Value> = moves.iter().map(|m| &m["squares"]).collect();
    assert_eq!(squares, [&serde_json::json!(["c3", "e5", "g7"])]);
}

/// What the page plays of a game: its moves as the game has them, and as the server names them.
#[test]
fn null_moves_of_games_are_played() {
    let (_base, server) = serving("1. e4 -- 2. d4 d5 3. Nc3 *\n", &[]);
    let game = server.json("/v1/games/1");
    let items = game["items"].as_array().expect("items");
    let moves: Vec<&str> = items
        .iter()
        .filter_map(|item| item["move"].as_str())
        .collect();
    assert_eq!(moves, ["e4", "--", "d4", "d5", "Nc3"]);
    let fen = "rnbqkbnr/ppp1pppp/8/3p4/3PP3/2N5/PPP2PPP/R1BQKBNR b KQkq - 1 3";
    for play in [
        &moves.join(","),
        "e2e4,0000,d2d4,d7d5,b1c3",
        "e4,Z0,d4,d5,Nc3",
    ] {
        let at = server.json(&format!("/v1/position?play={play}"));
        assert_eq!(at["fen"], fen, "{play}");
        let passed = &at["line"][1];
        assert_eq!(
            (&passed["san"], &passed["uci"]),
            (&"--".into(), &"0000".into())
        );
        assert_eq!(passed["squares"], serde_json::json!([]));
    }
    // As the tree names them.
    let tree = server.json("/v1/tree?position=e4");
    let uci = tree["moves"][0]["uci"].as_str().expect("a move");
    let behind = server.json(&format!("/lichess?play=e2e4,{uci}"));
    assert_eq!(
        behind["moves"],
        serde_json::json!([]),
        "nobody has a result"
    );
    // In check nobody passes.
    let refused = server.get("/v1/position?play=e4,e5,Qh5,Nc6,Qxf7%2B,--");
    assert_eq!(refused.status, 400);
    let draughts = "variant=international&play=32-28";
    for word in ["--", "..."] {
        let at = server.json(&format!("/v1/position?{draughts},{word},31-26"));
        let passed = &at["line"][1];
        assert_eq!(passed["uci"], "...", "{word}");
        assert_eq!(passed["squares"], serde_json::json!([]), "{word}");
    }
}

/// The games with a position that fulfil a question as well are those that both find.
#[test]
fn a_position_and_a_question_find_the_games_of_both() {
    let (base, server) = serving("", &[]);
    base.import(&[root().join("sample-data")], crate::support::every_game());
    let db = base.folder().join("test.db");
    let ids = |args: &[&str]| -> BTreeSet<u64> {
        let mut all = vec!["search", "--limit", "0", "--format", "json"];
        all.extend(args);
        let found: Value = serde_json::from_str(&run(&db, &all).out).expect("JSON");
        let hits = found["hits"].as_array().expect("hits");
        hits.iter()
            .map(|hit| hit["id"].as_u64().expect("a number"))
            .collect()
    };
    let (played, question) = (["e4", "e5"], "castles:O-O by:white and date:1900..");
    let (with, fulfilling) = (ids(&played), ids(&[question]));
    let expected: BTreeSet<u64> = with.intersection(&fulfilling).copied().collect();
    assert!(!expected.is_empty() && expected.len() < with.len());
    assert_eq!(ids(&["e4", "e5", "--where", question]), expected);
    let target = format!("position=e4+e5&where={}", encoded(question));
    let found = server.json(&format!("/v1/search?{target}"));
    assert_eq!(found["total"], expected.len());
    let tree = server.json(&format!("/v1/tree?{target}"));
    assert_eq!(tree["total"]["games"], expected.len());
    let exported = server.get(&format!("/v1/export.pgn?{target}"));
    let written = run(&db, &["export", "e4", "e5", "--where", question]);
    assert_eq!(exported.body, written.out);
    assert_eq!(exported.body.matches("[White ").count(), expected.len());
    let refused = run(&db, &["search", "--where", "material:KRvK", "--men", "1v1"]);
    let why = "`men:` has no meaning in Chess\n  (men:1v1) and (material:KRvK)\n   ^^^^^^^\n";
    assert!(refused.err.contains(why), "{}", refused.err);
}
