//! The server for others: names, proxies, pages of other sites, encodings, tags, logs, several databases.

use std::io::{BufReader, Read as _, Write as _};
use std::process::Stdio;
use std::time::{Duration, Instant};

use super::client::{Answered, Server};
use super::{game, rated, serving};
use crate::support::{Base, every_game, plydex};

#[test]
fn names_are_allowed_one_by_one() {
    let (_base, server) = serving(&rated(), &["--allow-host", "Chess.Example.org"]);
    let status = |host: &str| {
        let head = format!("GET /lichess HTTP/1.1\r\nHost: {host}\r\n\r\n");
        server.send(head.as_bytes()).expect("an answer").status
    };
    assert_eq!(status("chess.example.org"), 200);
    assert_eq!(status("chess.example.org:8443"), 200);
    assert_eq!(status("localhost"), 200);
    assert_eq!(status("example.org"), 403);
    assert_eq!(status("0.0.0.0"), 403);
}

#[test]
fn pages_of_other_sites_ask_nothing_that_costs() {
    let (_base, server) = serving(&rated(), &[]);
    let status = |target: &str, headers: &str| server.ask("GET", target, headers).status;
    for foreign in [
        "Sec-Fetch-Site: cross-site\r\n",
        "Sec-Fetch-Site: same-site\r\n",
        "Origin: https://evil.org\r\n",
        "Origin: null\r\n",
    ] {
        for private in [
            "/v1/search",
            "/v1/tree",
            "/v1/games/1",
            "/v1/export.pgn",
            "/v1/databases",
        ] {
            assert_eq!(status(private, foreign), 403, "{private} {foreign}");
        }
        // What needs no database, and the API that is for other sites.
        for public in [
            "/",
            "/v1/variants",
            "/lichess",
            "/masters",
            "/player?player=Bo&color=white",
        ] {
            assert_eq!(status(public, foreign), 200, "{public} {foreign}");
        }
    }
    for own in [
        "",
        "Sec-Fetch-Site: same-origin\r\n",
        "Sec-Fetch-Site: none\r\n",
        "Origin: http://localhost\r\n",
        // A proxy has changed the header Host.
        "Sec-Fetch-Site: same-origin\r\nOrigin: https://chess.example.org\r\n",
    ] {
        assert_eq!(status("/v1/search", own), 200, "{own}");
    }
}

#[test]
fn answers_are_not_sent_twice() {
    let (base, server) = serving(&rated(), &[]);
    for target in ["/", "/app.js", "/v1/search", "/lichess", "/v1/games/1"] {
        let first = server.get(target);
        let tag = first.header("etag").expect("a tag").to_owned();
        let again = |known: &str| {
            let answered = server.ask("GET", target, &format!("If-None-Match: {known}\r\n"));
            (answered.status, answered.body.len())
        };
        assert_eq!(again(&tag), (304, 0), "{target}");
        assert_eq!(again(&format!("\"x\", {tag}")), (304, 0), "{target}");
        assert_eq!(again("*"), (304, 0), "{target}");
        assert_eq!(again("\"x\"").0, 200, "{target}");
    }
    // The tag of one answer says nothing of another.
    let tag = server.get("/v1/search");
    let tag = tag.header("etag").expect("a tag");
    for (target, status) in [
        ("/v1/games/999", 404),
        ("/v1/nothing", 404),
        ("/lichess?play=e2e5", 400),
        ("/v1/tree", 200),
    ] {
        for known in ["*", tag] {
            let answered = server.ask("GET", target, &format!("If-None-Match: {known}\r\n"));
            let status = if known == "*" && status == 200 {
                304
            } else {
                status
            };
            assert_eq!(answered.status, status, "{target}: {known}");
        }
    }
    // Another state of the database has other answers.
    let tag = server
        .get("/v1/search")
        .header("etag")
        .expect("a tag")
        .to_owned();
    base.import_text(game(&[("White", "New")], "1. d4").as_bytes(), every_game());
    let answered = server.ask("GET", "/v1/search", &format!("If-None-Match: {tag}\r\n"));
    assert_eq!(answered.status, 200);
    assert_ne!(answered.header("etag"), Some(&*tag));
}

#[test]
fn bodies_come_in_encodings_that_are_accepted() {
    let (_base, server) = serving(&rated(), &[]);
    for target in ["/v1/search", "/app.js", "/v1/export.pgn"] {
        let plain = server.get(target);
        assert_eq!(plain.header("vary"), Some("Accept-Encoding"), "{target}");
        assert_eq!(plain.header("content-encoding"), None);
        for name in ["gzip", "zstd"] {
            let head = format!(
                "GET {target} HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: br, {name}\r\n\
                Connection: close\r\n\r\n"
            );
            let mut stream = server.connect();
            stream.write_all(head.as_bytes()).expect("it listens");
            let mut all = Vec::new();
            stream.read_to_end(&mut all).expect("an answer");
            let end = memchr::memmem::find(&all, b"\r\n\r\n").expect("a head") + 4;
            let text = String::from_utf8_lossy(&all[..end]).to_lowercase();
            assert!(
                text.contains(&format!("content-encoding: {name}\r\n")),
                "{text}"
            );
            let mut body = String::new();
            match name {
                "gzip" => flate2::read::GzDecoder::new(&all[end..]).read_to_string(&mut body),
                _ => zstd::Decoder::new(&all[end..])
                    .expect("a frame")
                    .read_to_string(&mut body),
            }
            .expect("text");
            assert!(
                body == plain.body && all.len() - end < body.len() / 2,
                "{target}"
            );
        }
    }
}

#[test]
fn what_lives_is_healthy_and_clocks_agree() {
    let (_base, server) = serving(&rated(), &[]);
    let answered = server.get("/healthz");
    assert_eq!((answered.status, &*answered.body), (200, "ok\n"));
    let date = answered.header("date").expect("a date");
    assert!(date.ends_with(" GMT"), "{date}");
    assert_eq!(server.ask("OPTIONS", "*", "").status, 204);
    assert_eq!(server.ask("HEAD", "/v1/search", "").status, 200);
}

#[test]
fn several_databases_have_names() {
    let bases = [Base::new(), Base::new()];
    bases[0].import_text(rated().as_bytes(), every_game());
    bases[1].import_text(
        game(&[("White", "Only")], "1. d4 d5").as_bytes(),
        every_game(),
    );
    let [club, masters] = bases.each_ref().map(|base| base.folder().join("test.db"));
    let second = format!("masters={}", masters.display());
    let first = club.with_file_name("club.db");
    std::fs::copy(&club, &first).expect("a copy");
    // The test's client names the first one itself, at the end.
    let server = Server::start(&first, &["--db", &second]);
    let databases = server.json("/v1/databases");
    let listed =
        serde_json::json!([{ "name": "masters", "games": 1 }, { "name": "club", "games": 60 }]);
    assert_eq!(databases["databases"], listed);
    let total = |target: &str| server.json(target)["total"].as_u64();
    assert_eq!(total("/v1/search"), Some(1));
    assert_eq!(total("/v1/search?database=club"), Some(60));
    assert_eq!(
        server.json("/v1/games/1?database=masters")["header"]["white"],
        "Only"
    );
    let unknown = server.get("/v1/search?database=other");
    assert_eq!(unknown.status, 400);
    assert!(
        unknown.body.contains("the databases are masters, club"),
        "{}",
        unknown.body
    );
    // Of the API of lichess each path has the database of its name, else the first.
    let games = |target: &str| {
        let found = server.json(target);
        ["white", "draws", "black"]
            .map(|name| found[name].as_u64().unwrap_or(0))
            .iter()
            .sum::<u64>()
    };
    assert_eq!(games("/masters"), 1);
    assert_eq!(games("/lichess"), 1);
    let ran = crate::support::run(&club, &["info", "--db", "x.db"]);
    assert_eq!(ran.status, Some(2));
    assert!(ran.err.contains("works on one database"), "{}", ran.err);
}

#[test]
fn requests_are_logged() {
    let (base, server) = serving(&rated(), &[]);
    drop(server);
    let db = base.folder().join("test.db");
    for (format, begins) in [("combined", "127.0.0.1 - - ["), ("json", "{\"time\":\"")] {
        let log = base.folder().join("log");
        let file = std::fs::File::create(&log).expect("a file");
        let args = ["serve", "--port", "0", "--log", format];
        let mut child = plydex(&db, &args)
            .stdout(Stdio::from(file))
            .spawn()
            .expect("it starts");
        let mut errors = BufReader::new(child.stderr.take().expect("a pipe"));
        let mut line = String::new();
        std::io::BufRead::read_line(&mut errors, &mut line).expect("a line");
        let address = line
            .trim_end()
            .rsplit_once("http://")
            .expect("an address")
            .1;
        let mut stream =
            std::net::TcpStream::connect(address.trim_end_matches('/')).expect("it listens");
        let head =
            "GET /v1/search?limit=0&x=%22 HTTP/1.1\r\nHost: localhost\r\nUser-Agent: a\r\n\r\n";
        stream.write_all(head.as_bytes()).expect("it listens");
        let answered = Answered::read(&mut BufReader::new(stream)).expect("an answer");
        assert_eq!(answered.status, 400);
        let until = Instant::now() + Duration::from_secs(10);
        let mut text = String::new();
        while !text.ends_with('\n') && Instant::now() < until {
            text = std::fs::read_to_string(&log).expect("text");
            std::thread::sleep(Duration::from_millis(20));
        }
        child.kill().expect("it runs");
        child.wait().expect("it ends");
        assert!(text.starts_with(begins), "{text}");
        assert!(
            text.contains("GET /v1/search?limit=0&x=%22 HTTP/1.1"),
            "{text}"
        );
        assert!(text.contains("400") && text.lines().count() == 1, "{text}");
    }
}

/// A client that half closes its connection has its answer, also a large one.
#[test]
fn half_closed_connections_are_answered() {
    let (_base, server) = serving(&rated(), &[]);
    for target in [
        "/v1/variants",
        "/v1/search?limit=0",
        "/v1/search?where=capture",
    ] {
        let mut stream = server.connect();
        let head = format!("GET {target} HTTP/1.1\r\nHost: localhost\r\n\r\n");
        stream.write_all(head.as_bytes()).expect("it listens");
        stream.shutdown(std::net::Shutdown::Write).expect("a half");
        let mut text = String::new();
        stream.read_to_string(&mut text).expect("an answer");
        assert!(text.starts_with("HTTP/1.1 200 OK"), "{target}: {text:.200}");
    }
}
