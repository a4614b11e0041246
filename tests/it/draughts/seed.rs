//! The example of the article on PDN, as it was and as a translation program left
//! it: the one is read exactly, the other as far as it goes.

use super::corpora::Imported;
use {
    crate::support::{game_ids, root},
    plydex::{
        base::{
            diagnostic::LocatedDiagnostic,
            record::{GameRecord, MovetextItem, Outcome},
        },
        games::{
            position_input::{self, ExpectedVariants},
            variant::Variant,
        },
        query::PositionQuery,
        search::AccessPlan,
    },
};

fn vector(name: &str) -> Imported {
    Imported::new(&root().join("tests/vectors").join(name))
}

fn moves(game: &GameRecord) -> Vec<&str> {
    let items = game.items.iter();
    items
        .filter_map(|item| match item {
            MovetextItem::Move(text) => Some(text.as_str()),
            _ => None,
        })
        .collect()
}

/// The words of a file's record that are moves, as it writes them.
fn written(record: &str) -> Vec<&str> {
    let movetext = record.split("\n\n").nth(1).expect("movetext");
    let words = movetext.split_whitespace();
    words
        .filter(|word| word.contains(['-', 'x']) && !word.contains('/') && *word != "1-0")
        .map(|word| word.trim_end_matches('*'))
        .collect()
}

/// The games in which a line of a variant is played, by number.
fn found(file: &Imported, variant: &str, line: &str) -> Vec<u64> {
    let rows = Variant::by_name(variant).into_iter().collect();
    let read = position_input::read_position(line, &ExpectedVariants { rows }).expect("a position");
    let query = AccessPlan {
        position: Some(PositionQuery::of(read.at)),
        ..AccessPlan::default()
    };
    game_ids(&file.base.store, &query).expect("numbers")
}

#[test]
fn the_repaired_example_is_read_exactly() {
    let file = vector("pdn_seed_repaired.pdn");
    let text = std::fs::read_to_string(root().join("tests/vectors/pdn_seed_repaired.pdn"));
    let text = text.expect("a file").replace("\r\n", "\n");
    let starts: Vec<usize> = text.match_indices("[Event ").map(|(at, _)| at).collect();
    assert_eq!((file.games.len(), starts.len()), (3, 3));
    for (game, &start) in file.games.iter().zip(&starts) {
        // Signs of captures are put right, and of several ways that take the same
        // pieces one is written; what was moved and taken is the same.
        let bare = |word: &str| {
            let mut squares: Vec<String> = word.split(['x', '-']).map(str::to_owned).collect();
            let last = squares.len() - 1;
            squares[1..last].sort();
            squares.join("-")
        };
        let ours: Vec<String> = moves(game).into_iter().map(bare).collect();
        let theirs: Vec<String> = written(&text[start..]).into_iter().map(bare).collect();
        assert_eq!(ours, theirs, "{}", game.header.event);
    }
    let facts: Vec<_> = file
        .games
        .iter()
        .map(|game| {
            (
                game.header.variant.as_str(),
                game.header.plies,
                game.outcome,
            )
        })
        .collect();
    assert_eq!(
        facts,
        [
            ("english", 20, Outcome::Draw),
            // Nine are taken in one move: `1-0`, and White has won.
            ("english", 13, Outcome::First),
            ("international", 80, Outcome::Draw),
        ]
    );
    let severe = |report: &&LocatedDiagnostic| report.severity != "note";
    let reports: Vec<&LocatedDiagnostic> = file.reports.iter().filter(severe).collect();
    assert!(reports.is_empty(), "{reports:?}");
    file.base.assert_sound();
    for (variant, line, games) in [
        ("english", "startpos moves 11-15 23-18 8-11", &[1][..]),
        (
            "english",
            "B:W27,24,18,11,7,6,1:B28,26,25,20,17,4,9,10,3,2",
            &[],
        ),
        ("english", "B:W32:BK1", &[]),
        (
            "english",
            "W:W27,19,18,11,7,6,5:B28,26,25,20,17,10,9,4,3,2",
            &[2],
        ),
        ("english", "B:WK32:B17,25,26,28", &[]),
        ("international", "startpos moves 32-28 17-22 28x17", &[3]),
        ("international", "startpos", &[3]),
        ("frisian", "startpos", &[3]),
        ("english", "startpos", &[1]),
    ] {
        assert_eq!(found(&file, variant, line), games, "{variant} {line}");
    }
    // The last position of the second game is found, too.
    let last = plydex::search::GameReader::new(&file.base.store).board_at(2, None);
    let last = last.expect("a readable game").expect("a position").fen;
    assert_eq!(found(&file, "english", &last), [2]);
}

#[test]
fn the_mangled_example_is_read_to_its_end() {
    let file = Imported::new(&root().join("sample-data/pdn/mangled.pdn"));
    file.base.assert_sound();
    let facts: Vec<_> = file
        .games
        .iter()
        .map(|game| {
            (
                game.header.variant.as_str(),
                game.header.plies,
                game.outcome,
            )
        })
        .collect();
    assert_eq!(
        facts,
        [
            ("english", 20, Outcome::Draw),
            // `1-52x9` is two moves, as only the board can tell.
            ("english", 13, Outcome::First),
            ("international", 80, Outcome::Draw),
        ]
    );
    let repaired = vector("pdn_seed_repaired.pdn");
    for (game, whole) in file.games.iter().zip(&repaired.games) {
        assert!(
            moves(whole).starts_with(&moves(game)),
            "{}",
            game.header.event
        );
    }
    let told = |game: u64| -> Vec<&str> {
        let reports = file.reports.iter();
        let of_game = reports.filter(|report| report.game == Some(game));
        let mut codes: Vec<&str> = of_game.map(|report| report.code).collect();
        codes.dedup();
        codes
    };
    assert_eq!(told(1), ["tag-syntax", "result-mid"]);
    assert_eq!(told(2), ["tag-syntax", "move-glued"]);
    assert_eq!(told(3), ["tag-syntax"]);
}
