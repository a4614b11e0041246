use std::collections::HashMap;

use shakmaty::{Chess, EnPassantMode, Position, fen::Epd, san::San};

use super::{TABLES, names};
use crate::games::{AnyPosition, NamedOpening, position_input, variant::Variant};

/// Code and name of each position of the tables, by shakmaty alone.
fn by_epd() -> HashMap<String, [&'static str; 2]> {
    let mut named = HashMap::new();
    for row in TABLES.iter().flat_map(|table| table.lines().skip(1)) {
        let cells: Vec<&str> = row.split('\t').collect();
        let [eco, name, moves] = cells[..] else {
            panic!("three cells in {row}");
        };
        let other = named.insert(epd_of(moves), [eco, name]);
        assert_eq!(other, None, "{row} has the position of another");
    }
    named
}

/// Moves without numbers or with such, played by shakmaty.
fn played(moves: &str) -> Chess {
    let words = moves.split(' ').filter(|word| !word.ends_with('.'));
    words.fold(Chess::default(), |at, word| {
        let san: San = word.parse().expect("a move");
        let m = san.to_move(&at).expect("a legal move");
        at.play(m).expect("a legal move")
    })
}

fn epd_of(moves: &str) -> String {
    Epd::from_position(&played(moves), EnPassantMode::Legal).to_string()
}

fn typed(text: &str, variant: &str) -> AnyPosition {
    let rows = vec![Variant::by_name(variant).expect("a variant")];
    let read = position_input::read_position(text, &position_input::ExpectedVariants { rows });
    read.expect("a position").at
}

fn name_of(text: &str, variant: &str) -> Option<[&'static str; 2]> {
    let named = typed(text, variant).named_opening();
    named.map(|found| [found.eco, found.name])
}

#[test]
fn every_line_is_the_name_of_its_position() {
    let by_epd = by_epd();
    assert_eq!(names().all().len(), 3807);
    assert_eq!(by_epd.len(), 3807);
    for (number, opening) in (0..).zip(names().all()) {
        assert_eq!(opening.number, number);
        assert_eq!(
            by_epd[&epd_of(opening.moves)],
            [opening.eco, opening.name],
            "{opening:?}"
        );
        let at = AnyPosition::from(played(opening.moves));
        assert_eq!(at.named_opening(), Some(opening));
    }
}

/// Every position on the way of every line has the name that the tables give it, if any.
#[test]
fn no_position_has_the_name_of_another() {
    let by_epd = by_epd();
    let mut unnamed = 0;
    for opening in names().all().iter().step_by(3) {
        let words: Vec<&str> = opening.moves.split(' ').collect();
        for count in 1..words.len() {
            let moves = words[..count].join(" ");
            let at = AnyPosition::from(played(&moves));
            let named = at.named_opening().map(|found| [found.eco, found.name]);
            assert_eq!(named, by_epd.get(&epd_of(&moves)).copied(), "{moves}");
            unnamed += u32::from(named.is_none());
        }
    }
    assert!(unnamed > 100, "{unnamed}");
}

#[test]
fn moves_in_another_order_have_the_same_name() {
    let orders = [
        ("Nf3 c5 e4 d6", "e4 c5 Nf3 d6", "B50"),
        ("Nf3 Nf6 c4 e6 Nc3 d5 d4", "d4 d5 c4 e6 Nc3 Nf6 Nf3", "D37"),
        ("c4 Nf6 d4 g6 Nc3 Bg7 e4", "d4 Nf6 c4 g6 Nc3 Bg7 e4", "E70"),
        ("d4 e6 e4", "e4 e6 d4", "C00"),
        ("d4 c6 e4 d5", "e4 c6 d4 d5", "B12"),
        ("c4 e6 Nc3 d5 d4", "d4 d5 c4 e6 Nc3", "D31"),
        ("Nf3 Nc6 e4 e5 Bb5", "e4 e5 Nf3 Nc6 Bb5", "C60"),
        ("c4 d5 Nf3", "Nf3 d5 c4", "A09"),
        ("d4 Nf6 Nc3 d5", "d4 d5 Nc3 Nf6", "A45"),
        ("d4 g6 e4 Bg7", "e4 g6 d4 Bg7", "B06"),
        (
            "Nf3 Nf6 d4 d6 c4 g6 Nc3 Bg7 e4",
            "d4 Nf6 c4 g6 Nc3 Bg7 e4 d6 Nf3",
            "E90",
        ),
    ];
    for (one, other, eco) in orders {
        let named = [one, other].map(|moves| name_of(moves, "chess"));
        assert_eq!(named[0], named[1], "{one}");
        assert_eq!(named[0].map_or("", |[eco, _]| eco), eco, "{one}");
    }
}

#[test]
fn castling_rights_make_another_position() {
    let with = "rnbqkb1r/1p2pppp/p2p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R w KQkq - 0 6";
    let najdorf = "Sicilian Defense: Najdorf Variation";
    assert_eq!(name_of(with, "chess"), Some(["B90", najdorf]));
    // Counters do not matter.
    let later = with.replace("0 6", "4 17");
    assert_eq!(name_of(&later, "chess"), Some(["B90", najdorf]));
    let without = with.replace("KQkq", "-");
    assert_eq!(name_of(&without, "chess"), None);
    let black = with.replace(" w ", " b ");
    assert_eq!(name_of(&black, "chess"), None);
}

#[test]
fn games_that_begin_as_chess_have_its_names_where_they_are_asked_for() {
    let sicilian = Some(["B20", "Sicilian Defense"]);
    for variant in [
        "chess",
        "chess960",
        "crazyhouse",
        "threecheck",
        "kingofthehill",
    ] {
        assert_eq!(name_of("e4 c5", variant), sicilian, "{variant}");
    }
    for variant in ["atomic", "antichess", "fivecheck", "gothic"] {
        assert_eq!(name_of("e4", variant), None, "{variant}");
    }
    // A pawn in hand, a check that was given: nothing of that is in chess.
    let moves = "e4 d5 exd5 c6 dxc6 Nxc6";
    assert!(name_of(moves, "kingofthehill").is_some());
    assert_eq!(name_of(moves, "crazyhouse"), None);
    let moves = "e4 c5 Nf3 d6 Bb5+";
    assert!(name_of(moves, "chess").is_some());
    assert_eq!(name_of(moves, "threecheck"), None);
    assert_eq!(name_of("32-28", "international"), None);
}

/// The start has no name; all positions after the last named one have that name.
#[test]
fn a_line_has_its_last_name() {
    let mut at = crate::games::chess::rules::ChessBoard::initial();
    let (mut slots, mut plies) = (crate::games::GameCodec::slots(&at), Vec::new());
    let start = AnyPosition::from(at.clone());
    let mut told: Vec<Option<&NamedOpening>> = vec![start.last_named(&plies)];
    for word in "a3 a6 h3 h6 e4 e5".split(' ') {
        let m = super::quick_san::resolve(&at, word.as_bytes()).expect("a move");
        crate::games::GameCodec::pack(&at, m, &mut slots, &mut plies);
        at.play(m);
        told.push(start.last_named(&plies));
    }
    let told: Vec<_> = told.iter().map(|found| found.map(|f| f.name)).collect();
    let anderssen = Some("Anderssen's Opening");
    let creepy = Some("Creepy Crawly Formation: Classical Defense");
    assert_eq!(told[..3], [None, anderssen, anderssen]);
    assert_eq!(told[6], told[5], "{creepy:?}");
}
