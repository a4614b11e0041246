//! The database is shared with whoever writes it, and left as it was.

use std::os::unix::fs::PermissionsExt as _;

use super::{client::Server, game, rated, serving};
use crate::support::run;

fn games(server: &Server) -> u64 {
    let answer = server.json("/lichess");
    ["white", "draws", "black"]
        .iter()
        .filter_map(|name| answer[name].as_u64())
        .sum()
}

#[test]
fn new_games_are_seen_and_the_file_is_plain_afterwards() {
    let (base, server) = serving(&rated(), &[]);
    assert_eq!(games(&server), 60);
    let more = base.folder().join("more.pgn");
    let db = base.folder().join("test.db");
    for round in 1..4 {
        let date = format!("2020.01.{round:02}");
        std::fs::write(&more, game(&[("Date", &date)], "1. c4 e5")).expect("a file");
        let ran = run(&db, &["import", &more.to_string_lossy()]);
        assert_eq!(ran.status, Some(0), "{}", ran.err);
        assert_eq!(games(&server), 60 + round);
        // The same once more, from what is known.
        assert_eq!(games(&server), 60 + round);
    }
    drop(base.store);
    let (status, said) = server.end("TERM");
    assert_eq!((status, said.as_str()), (Some(0), "ended\n"));
    let header = std::fs::read(&db).expect("a file");
    assert_eq!(header[18..20], [1, 1], "a rollback journal, as at rest");
}

#[test]
fn a_file_that_cannot_be_written_is_served() {
    let (base, server) = serving(&rated(), &[]);
    drop(server);
    let db = base.folder().join("test.db");
    let closed = base.folder().join("closed");
    std::fs::create_dir(&closed).expect("a folder");
    let copy = closed.join("games.db");
    std::fs::copy(&db, &copy).expect("a copy");
    let before = std::fs::read(&copy).expect("a file");
    let mode = |path, mode| {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).expect("a mode");
    };
    mode(&copy, 0o444);
    mode(&closed, 0o555);
    let server = Server::start(&copy, &[]);
    assert_eq!(games(&server), 60);
    assert_eq!(server.end("INT").0, Some(0));
    mode(&closed, 0o755);
    assert_eq!(std::fs::read(&copy).expect("a file"), before);
}

#[test]
fn what_cannot_be_served_is_an_error() {
    let (base, server) = serving(&rated(), &[]);
    let db = base.folder().join("test.db");
    let port = server.address.port().to_string();
    let taken = run(&db, &["serve", "--port", &port]);
    assert_eq!(taken.status, Some(2));
    assert!(taken.err.contains("cannot answer at"), "{}", taken.err);
    assert!(
        taken.err.contains("hint: name another port"),
        "{}",
        taken.err
    );
    let missing = run(&base.folder().join("none.db"), &["serve", "--port", "0"]);
    assert_eq!(missing.status, Some(2));
    assert!(!base.folder().join("none.db").exists());
    for (args, said) in [
        (
            &["--bind", "nowhere"][..],
            "--bind: `nowhere` is not an IP address",
        ),
        (&["--masters", "Pd4"], "--masters: "),
        (&["--lichess", "elo:high"], "--lichess: "),
        (&["--port", "70000"], "--port"),
    ] {
        let args: Vec<&str> = ["serve"].iter().chain(args).copied().collect();
        let ran = run(&db, &args);
        assert_eq!(ran.status, Some(2));
        assert!(ran.err.contains(said), "{args:?}: {}", ran.err);
    }
}

#[test]
fn a_replaced_file_is_the_new_one() {
    let (base, server) = serving(&rated(), &[]);
    assert_eq!(games(&server), 60);
    let other = crate::support::Base::of(game(&[], "1. d4 d5").as_bytes());
    let path = other.folder().join("test.db");
    drop(other.store);
    std::fs::rename(&path, base.folder().join("test.db"))
        .or_else(|_| {
            std::fs::copy(&path, base.folder().join("new.db"))?;
            std::fs::rename(base.folder().join("new.db"), base.folder().join("test.db"))
        })
        .expect("a file in its place");
    assert_eq!(games(&server), 1);
}
