//! The server, started as a process of its own and asked over real sockets.

pub(crate) mod client;
mod clients;
mod deployed;
mod explorer;
mod hostile;
mod page;
mod sharing;
mod v1;
mod wire;

use std::fmt::Write as _;

use crate::support::Base;

use client::Server;

/// A game of some tags, which may have been given before: the last counts.
pub(super) fn game(tags: &[(&str, &str)], moves: &str) -> String {
    let usual = [
        ("Event", "Rated Blitz game"),
        ("Site", "?"),
        ("Date", "2015.03.01"),
        ("Round", "-"),
        ("White", "Ada"),
        ("Black", "Bo"),
        ("Result", "1-0"),
    ];
    let mut text = String::new();
    let given = |name: &str| tags.iter().rev().find(|(own, _)| *own == name);
    for (name, value) in usual {
        let value = given(name).map_or(value, |(_, value)| value);
        writeln!(text, "[{name} \"{value}\"]").expect("memory");
    }
    let is_usual = |name: &str| usual.iter().any(|(own, _)| *own == name);
    for (name, value) in tags.iter().filter(|(name, _)| !is_usual(name)) {
        writeln!(text, "[{name} \"{value}\"]").expect("memory");
    }
    let result = given("Result").map_or("1-0", |(_, value)| value);
    writeln!(text, "\n{moves} {result}\n").expect("memory");
    text
}

/// Rated games of several years, speeds and strengths; each plays `1. e4`, and no two are the
/// same.
pub(super) fn rated() -> String {
    let mut text = String::new();
    let replies = ["e5", "c5", "e6", "c6", "d6", "Nf6"];
    let controls = ["15+0", "60+0", "180+2", "600+5", "1800+30", "1/86400", "-"];
    for number in 0..60_usize {
        let (white, black) = (900 + 31 * number, 950 + 29 * number);
        let date = format!(
            "{}.{:02}.{:02}",
            2013 + number % 4,
            1 + number % 12,
            1 + number % 28
        );
        let result = ["1-0", "0-1", "1/2-1/2"][number % 3];
        let site = format!("https://lichess.org/Game{number:04}");
        let event = if number % 5 == 0 {
            "Casual game"
        } else {
            "Rated game"
        };
        let (white, black) = (white.to_string(), black.to_string());
        let who = format!("Carlsen{}", number % 7);
        let tags = [
            ("Event", event),
            ("Site", &*site),
            ("Date", &date),
            ("White", &who),
            ("Black", if number % 2 == 0 { "Bo" } else { "Cy" }),
            ("Result", result),
            ("WhiteElo", &white),
            ("BlackElo", &black),
            ("TimeControl", controls[number % controls.len()]),
        ];
        let line = format!(
            "1. e4 {} 2. Nf3 a6 3. {}",
            replies[number % 6],
            ["a3", "h3"][number % 2]
        );
        text.push_str(&game(&tags, &line));
    }
    text
}

/// A server over games, with its database.
pub(super) fn serving(pgn: &str, args: &[&str]) -> (Base, Server) {
    let base = Base::new();
    base.import_text(pgn.as_bytes(), crate::support::every_game());
    let server = Server::start(&base.folder().join("test.db"), args);
    (base, server)
}
