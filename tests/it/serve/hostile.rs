//! What no honest client sends, and clients that are slow, many or gone.

use std::io::{BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use shakmaty::{Chess, Position as _, uci::UciMove};

use super::client::{Answered, Server, encoded};
use super::{rated, serving};

#[test]
fn foreign_hosts_are_refused() {
    let (_base, server) = serving(&rated(), &[]);
    let status = |host: &str| {
        let head = format!("GET /lichess HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
        server.send(head.as_bytes()).expect("an answer").status
    };
    let port = server.address.port();
    for own in [
        "localhost",
        "127.0.0.1",
        "[::1]",
        "LOCALHOST.",
        "localhost:80",
    ] {
        assert_eq!(status(own), 200, "{own}");
    }
    assert_eq!(status(&format!("127.0.0.1:{port}")), 200);
    for foreign in [
        "example.org",
        "localhost.example.org",
        "192.168.1.1",
        "127.0.0.1.nip.io",
        "",
    ] {
        assert_eq!(status(foreign), 403, "{foreign}");
    }
}

#[test]
fn statuses_say_what_is_wrong() {
    let (_base, server) = serving(&rated(), &[]);
    for (target, status) in [
        ("/nothing", 404),
        ("/v1/", 404),
        ("/v1/nothing", 404),
        ("/v1/games/0", 404),
        ("/v1/games/61", 404),
        ("/v1/games/-1", 404),
        ("/v1/games/1.pgn.pgn", 404),
        ("/v1/games/99999999999999999999999", 404),
        ("/v1/search?nothing=1", 400),
        ("/v1/search?output=/tmp/x", 400),
        ("/v1/search?each=/etc/passwd", 400),
        ("/v1/search?each=/etc/passwd", 400),
        ("/v1/search?format=pgn", 400),
        ("/v1/tree?db=other.db", 400),
        ("/v1/search?min-elo=x", 400),
        ("/v1/search?position=e5", 400),
        ("/v1/position?fen=x", 400),
        ("/v1/position?play=e2e5", 400),
        ("/v1/position?variant=go", 400),
        ("/v1/eco", 400),
        ("/../../etc/passwd", 404),
        ("/%2e%2e/%2e%2e/etc/passwd", 404),
        ("/v1/../masters", 404),
        ("//masters", 404),
        ("/masters/pgn/", 400),
        ("/lichess?fen=%ff", 400),
        ("/v1/search?player=%ff", 400),
    ] {
        let answered = server.get(target);
        assert_eq!(answered.status, status, "{target}: {}", answered.body);
        if target.starts_with("/v1/") {
            assert!(answered.json()["error"].is_string(), "{target}");
        }
        assert!(!answered.body.contains("root:"), "{target}");
    }
    for verb in ["POST", "PUT", "DELETE", "TRACE", "BREW"] {
        let answered = server.ask(verb, "/masters", "Content-Length: 0\r\n");
        assert_eq!(
            (answered.status, answered.header("allow")),
            (405, Some("GET, HEAD, OPTIONS"))
        );
    }
    assert_eq!(server.ask("HEAD", "/masters", "").status, 200);
}

/// Words that mean something to SQL, to shells and to file systems mean nothing here.
#[test]
fn nonsense_is_a_name_like_any_other() {
    let (_base, server) = serving(&rated(), &[]);
    for text in [
        "'; DROP TABLE game; --",
        "\" OR 1=1 --",
        "Robert'); SELECT * FROM player",
        "../../../etc/passwd",
        "$(id)",
        "%s%n{}",
        "--output=/tmp/x",
        "-",
        "\u{202e}\u{1f600}",
    ] {
        let name = encoded(text);
        for target in [
            format!("/player?color=white&player={name}"),
            format!("/v1/search?player={name}"),
            format!("/v1/tree?white={name}&event={name}"),
            format!("/v1/search?where={name}"),
            format!("/lichess?play={name}"),
            format!("/v1/eco?position={name}"),
        ] {
            let status = server.get(&target).status;
            assert!(matches!(status, 200 | 400), "{target}: {status}");
        }
    }
    assert_eq!(server.json("/v1/search")["total"], 60);
}

#[test]
fn what_is_no_request_ends_the_connection() {
    let (_base, server) = serving(&rated(), &[]);
    let long = |length| format!("GET /{} HTTP/1.1\r\nHost: a\r\n\r\n", "a".repeat(length));
    let many = format!(
        "GET / HTTP/1.1\r\nHost: a\r\n{}\r\n",
        "A: b\r\n".repeat(10_000)
    );
    for (bytes, status) in [
        (b"nonsense\r\n\r\n".to_vec(), 400),
        (b"GET / HTTP/9.9\r\n\r\n".to_vec(), 505),
        (b"GET / HTTP/1.1\r\n\r\n".to_vec(), 400),
        (b"GET /\xff HTTP/1.1\r\nHost: a\r\n\r\n".to_vec(), 400),
        (long(9_000).into_bytes(), 414),
        (long(100_000).into_bytes(), 431),
        (many.into_bytes(), 431),
    ] {
        // Where more is sent than is read, the connection may end before the answer is seen.
        if let Ok(answered) = server.send(&bytes) {
            assert_eq!(answered.status, status);
            assert_eq!(answered.header("connection"), Some("close"));
        }
    }
    assert_eq!(server.get("/masters").status, 200);
}

#[test]
fn a_body_is_not_the_next_request() {
    let (_base, server) = serving(&rated(), &[]);
    let smuggled = "GET /masters HTTP/1.1\r\nHost: localhost\r\nContent-Length: 50\r\n\r\n\
        GET /v1/variants HTTP/1.1\r\nHost: localhost\r\n\r\n";
    let mut stream = server.connect();
    stream.write_all(smuggled.as_bytes()).expect("it listens");
    let mut text = String::new();
    let _ = stream.read_to_string(&mut text);
    assert_eq!(text.matches("HTTP/1.1 200").count(), 1, "{text}");
}

#[test]
fn requests_follow_each_other_on_a_connection() {
    let (_base, server) = serving(&rated(), &[]);
    let mut stream = server.connect();
    let one = "GET /masters?moves=0 HTTP/1.1\r\nHost: localhost\r\n\r\n";
    let last = "GET /nothing HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    stream
        .write_all(format!("{one}{one}{last}").as_bytes())
        .expect("it listens");
    let mut text = String::new();
    stream.read_to_string(&mut text).expect("text");
    assert_eq!(text.matches("HTTP/1.1 200").count(), 2, "{text}");
    assert_eq!(text.matches("HTTP/1.1 404").count(), 1, "{text}");
}

/// Connections that say nothing, say half of something, or never read hold nobody up.
#[test]
fn others_are_answered_meanwhile() {
    let (_base, server) = serving(&rated(), &[]);
    let mut idle = Vec::new();
    for number in 0..60 {
        let mut stream = server.connect();
        let begun = [
            "",
            "GET /mast",
            "GET /v1/variants HTTP/1.1\r\nHost: localhost\r\n\r\n",
        ];
        stream
            .write_all(begun[number % 3].as_bytes())
            .expect("it listens");
        idle.push(stream);
    }
    let since = Instant::now();
    for _ in 0..20 {
        assert_eq!(server.get("/lichess").status, 200);
    }
    assert!(
        since.elapsed() < Duration::from_secs(20),
        "{:?}",
        since.elapsed()
    );
    drop(idle);
    assert_eq!(server.end("TERM").0, Some(0));
}

#[test]
fn pages_of_other_hosts_may_ask_the_explorer_alone() {
    let (_base, server) = serving(&rated(), &[]);
    let origin = "Origin: https://example.org\r\n";
    let open = |target: &str| {
        let answered = server.ask("GET", target, origin);
        answered
            .header("access-control-allow-origin")
            .map(str::to_owned)
    };
    assert_eq!(open("/lichess").as_deref(), Some("*"));
    assert_eq!(open("/masters?fen=x").as_deref(), Some("*"));
    assert_eq!(open("/v1/search"), None);
    assert_eq!(open("/"), None);
    let before = format!(
        "{origin}Access-Control-Request-Headers: authorization\r\n\
        Access-Control-Request-Private-Network: true\r\n"
    );
    let answered = server.ask("OPTIONS", "/player", &before);
    assert_eq!(answered.status, 204);
    assert_eq!(
        answered.header("access-control-allow-headers"),
        Some("authorization")
    );
    assert_eq!(
        answered.header("access-control-allow-private-network"),
        Some("true")
    );
    let answered = server.ask("OPTIONS", "/v1/search", &before);
    assert_eq!(answered.header("access-control-allow-origin"), None);
}

/// Many positions, each of a few games: a deep tree of them takes its time.
fn random_games(games: usize) -> String {
    let mut random = fastrand::Rng::with_seed(7);
    let mut text = String::new();
    for game in 0..games {
        let mut at = Chess::default();
        let mut line = String::new();
        for _ in 0..80 {
            let mut legal: Vec<_> = at.legal_moves().into_iter().collect();
            if legal.is_empty() {
                break;
            }
            legal.sort_by_key(|m| UciMove::from_standard(*m).to_string());
            let m = legal[random.usize(..legal.len())];
            line.push_str(&UciMove::from_standard(m).to_string());
            line.push(' ');
            at.play_unchecked(m);
        }
        text.push_str(&super::game(&[("Round", &game.to_string())], &line));
    }
    text
}

/// A tree of all of them.
const DEEP: &str = "/v1/tree?depth=80&min-games=1";

/// Asks for that, in a thread of its own, until a question is under way.
fn asked(server: &Server) -> JoinHandle<std::io::Result<Answered>> {
    let mut stream = server.connect();
    let head = format!("GET {DEEP} HTTP/1.1\r\nHost: localhost\r\n\r\n");
    stream.write_all(head.as_bytes()).expect("it listens");
    let answer = thread::spawn(move || Answered::read(&mut BufReader::new(stream)));
    thread::sleep(Duration::from_millis(300));
    answer
}

#[test]
fn too_many_are_refused_and_those_who_go_away_hold_nobody_up() {
    /// Questions that wait at most.
    const WAITING_MAX: usize = 64;
    let (_base, server) = serving(&random_games(600), &[]);
    let head = format!("GET {DEEP} HTTP/1.1\r\nHost: localhost\r\n\r\n");
    let working = thread::available_parallelism().map_or(2, |count| count.get().max(2));
    let mut askers: Vec<TcpStream> = Vec::new();
    for _ in 0..working + WAITING_MAX + 4 {
        let mut stream = server.connect();
        stream.write_all(head.as_bytes()).expect("it listens");
        stream.set_nonblocking(true).expect("a socket");
        askers.push(stream);
    }
    let is_answered = |asker: &TcpStream| asker.peek(&mut [0]).is_ok_and(|read| read > 0);
    let until = Instant::now() + Duration::from_secs(20);
    while askers.iter().filter(|asker| is_answered(asker)).count() < 4 {
        assert!(Instant::now() < until, "nobody is refused");
        thread::sleep(Duration::from_millis(20));
    }
    let refused = askers.iter().position(is_answered).expect("one of four");
    let refused = askers.swap_remove(refused);
    refused.set_nonblocking(false).expect("a socket");
    let answered = Answered::read(&mut BufReader::new(refused)).expect("an answer");
    assert_eq!(answered.status, 503);
    assert_eq!(
        answered.json()["error"],
        "too many requests at the same time"
    );
    assert_eq!(answered.header("retry-after"), Some("1"));
    // Whatever the others have asked would take minutes.
    drop(askers);
    let until = Instant::now() + Duration::from_secs(15);
    while server.get("/lichess").status != 200 {
        assert!(Instant::now() < until, "somebody is held up");
        thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(server.end("TERM").0, Some(0));
}

/// Cheap look-ups, and what needs no database, come before any of the queries that keep all others busy.
#[test]
fn expensive_queries_delay_no_look_up() {
    let (_base, server) = serving(&random_games(600), &[]);
    let expensive: Vec<_> = (0..4).map(|_| asked(&server)).collect();
    for target in [
        "/v1/variants",
        "/v1/tree?position=e4",
        "/v1/search?position=1.e4+e5&limit=5",
        "/lichess?play=e2e4",
        "/v1/games/1",
        "/healthz",
        "/app.js",
    ] {
        assert_eq!(server.get(target).status, 200, "{target}");
    }
    assert!(
        expensive.iter().all(|answer| !answer.is_finished()),
        "the queries were not expensive"
    );
    drop(server);
    for answer in expensive {
        let _ = answer.join().expect("no panic");
    }
}

/// Kilobytes of memory that a server has.
#[cfg(target_os = "linux")]
fn resident_kib(server: &Server) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", server.id()));
    let status = status.expect("a process");
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kib = line.and_then(|line| line.split_whitespace().next());
    kib.and_then(|kib| kib.parse().ok()).expect("a number")
}

/// Eight clients that read 3 kB a second of an answer of many megabytes hold no memory, and are not
/// waited for for ever.
#[cfg(target_os = "linux")]
#[test]
#[ignore = "long: part of `just full`"]
fn slow_readers_hold_no_memory() {
    let (_base, server) = serving(&random_games(8000), &[]);
    assert_eq!(server.get("/lichess").status, 200);
    let before = resident_kib(&server);
    let head = "GET /v1/export.pgn HTTP/1.1\r\nHost: localhost\r\n\r\n";
    let mut readers: Vec<TcpStream> = Vec::new();
    for _ in 0..8 {
        let mut stream = server.connect();
        stream.write_all(head.as_bytes()).expect("it listens");
        readers.push(stream);
    }
    let (mut most, mut part, mut ended) = (0, [0; 3000], 0);
    for _ in 0..90 {
        thread::sleep(Duration::from_secs(1));
        readers.retain_mut(|reader| {
            let goes_on = reader.read(&mut part).is_ok_and(|read| read > 0);
            ended += usize::from(!goes_on);
            goes_on
        });
        most = most.max(resident_kib(&server));
        assert_eq!(server.get("/lichess").status, 200);
    }
    let grown = most.saturating_sub(before);
    assert!(grown <= 40 << 10, "{grown} KiB more than {before}");
    drop(readers);
    assert_eq!(server.end("TERM").0, Some(0));
}

/// After many connections and requests the server has no more memory than after the first ones.
#[cfg(target_os = "linux")]
#[test]
#[ignore = "long: part of `just full`"]
fn many_requests_leave_no_memory_behind() {
    let (_base, server) = serving(&rated(), &[]);
    let ask = |requests: usize| {
        let mut stream = BufReader::new(server.connect());
        for number in 0..requests {
            let target = ["/lichess", "/v1/variants", "/v1/search", "/nothing"][number % 4];
            let head = format!("GET {target} HTTP/1.1\r\nHost: localhost\r\n\r\n");
            stream
                .get_mut()
                .write_all(head.as_bytes())
                .expect("it listens");
            Answered::read(&mut stream).expect("an answer");
        }
    };
    (0..50).for_each(|_| ask(20));
    let before = resident_kib(&server);
    (0..10_000).for_each(|_| ask(20));
    let after = resident_kib(&server);
    assert!(after <= before + (5 << 10), "{before} KiB, then {after}");
}

#[test]
fn answers_under_way_are_finished_at_the_end() {
    let (_base, server) = serving(&random_games(20), &[]);
    let answer = asked(&server);
    server.signal("TERM");
    let answered = answer.join().expect("no panic").expect("an answer");
    assert_eq!(answered.status, 200);
    assert!(answered.body.contains("\"games\": 20,") && answered.body.ends_with("\n}\n"));
    assert_eq!(server.ended().0, Some(0));
}

#[test]
fn a_second_signal_ends_at_once_and_says_so() {
    let (_base, server) = serving(&random_games(600), &[]);
    let answer = asked(&server);
    server.signal("TERM");
    thread::sleep(Duration::from_millis(300));
    assert!(!answer.is_finished(), "it is not broken off by the first");
    // Nobody else is answered meanwhile.
    assert!(TcpStream::connect(server.address).is_err());
    server.signal("INT");
    let answered = answer.join().expect("no panic").expect("an answer");
    assert_eq!(answered.status, 503);
    assert_eq!(answered.json()["error"], "the server is ending");
    let (status, said) = server.ended();
    assert_eq!(status, Some(130), "{said}");
    assert!(said.contains("after the answers under way"), "{said}");
}
