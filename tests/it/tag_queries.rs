//! Games asked for by any tag, against a look at the tags of every game.

use std::fmt::Write as _;

use proptest::prelude::*;

use {
    crate::support::{Base, game_ids},
    plydex::{
        base::record::{GameRecord, Outcome},
        query::{GameCondition, NameField, Ranges, TagQuery},
        search::{self, AccessPlan, GameConditions, MoveNotation},
    },
};

const NAMES: [&str; 11] = [
    "Event",
    "Annotator",
    "annotator",
    "Source",
    "Round",
    "Date",
    "WhiteElo",
    "Opening",
    "White",
    "ECO",
    "FEN",
];

/// Some stand in columns as they are, some only as they were written; long ones that
/// come again have a row of their own.
const VALUES: [&str; 16] = [
    "",
    "?",
    "Blom",
    "Čapek, Jan",
    "jan čapek and blom",
    "2019.05.31",
    "31.5.2019",
    "2500",
    "a value that is long enough to be kept once",
    "B18",
    "a \\\" and, [brackets]",
    "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
    "3.12",
    "13",
    "\u{212a}1",
    "İ3 Quarterfinal",
];

const TEXTS: [&str; 18] = [
    "",
    "blom",
    "ČAPEK jan",
    "2019",
    "5.2019",
    "250",
    "once KEPT",
    "nobody",
    "b1",
    "brackets] \"",
    "4k3",
    "3",
    "13",
    "3.12",
    "k",
    "I",
    "k1",
    "Quarter 3",
];

fn pgn(games: &[Vec<(usize, usize)>]) -> String {
    let mut text = String::new();
    for tags in games {
        for &(name, value) in tags {
            let _ = writeln!(text, "[{} \"{}\"]", NAMES[name], VALUES[value]);
        }
        text.push_str("[Result \"*\"]\n\n1. e4 *\n\n");
    }
    text
}

fn found(base: &Base, tags: Vec<TagQuery>) -> Vec<u64> {
    let query = AccessPlan {
        conditions: GameConditions::of(tags.into_iter().map(GameCondition::Tag)),
        ..AccessPlan::default()
    };
    let found = search::search(&base.store, &query, MoveNotation::default()).expect("an answer");
    assert_eq!(found.total, found.hits.len() as u64);
    found.hits.iter().map(|hit| hit.header.id).collect()
}

/// The games whose tags fit, by a look at each.
fn looked_for(all: &[GameRecord], asked: &TagQuery) -> Vec<u64> {
    let folded = asked.text.to_lowercase();
    let holds = |value: &str| {
        let value = value.to_lowercase();
        if asked.is_whole {
            return value == folded;
        }
        folded.split_whitespace().all(|word| value.contains(word))
    };
    let fits = |game: &&GameRecord| {
        let mut tags = game.tags.iter();
        tags.any(|(tag, value)| tag.eq_ignore_ascii_case(&asked.name) && holds(value))
    };
    let fitting = all.iter().filter(fits);
    fitting.map(|game| game.header.id).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn tags_are_found_as_they_stand(
        games in prop::collection::vec(
            prop::collection::vec((0..NAMES.len(), 0..VALUES.len()), 0..6), 1..12),
    ) {
        let base = Base::of(pgn(&games).as_bytes());
        let all = base.games();
        prop_assert_eq!(all.len(), games.len());
        for name in NAMES {
            for (text, is_whole) in TEXTS.iter().flat_map(|text| [(*text, false), (*text, true)]) {
                let tag = TagQuery { name: name.to_owned(), text: text.to_owned(), is_whole };
                let expected = looked_for(&all, &tag);
                prop_assert_eq!(found(&base, vec![tag]), expected, "{}={}", name, text);
            }
        }
    }
}

#[test]
fn every_tag_that_is_asked_for_must_be_there() {
    let games = "[Annotator \"Blom\"]\n[Source \"a book\"]\n\n1. e4 *\n\n\
                 [Annotator \"Blom\"]\n\n1. e4 *\n\n[Source \"a book\"]\n\n1. e4 *\n\n";
    let base = Base::of(games.as_bytes());
    let tag = |name: &str, text: &str| TagQuery {
        name: name.to_owned(),
        text: text.to_owned(),
        is_whole: false,
    };
    assert_eq!(found(&base, vec![tag("annotator", "blom")]), [1, 2]);
    let both = vec![tag("Annotator", ""), tag("Source", "BOOK")];
    assert_eq!(found(&base, both), [1]);
    let whole = |text| TagQuery {
        is_whole: true,
        ..tag("Source", text)
    };
    assert_eq!(found(&base, vec![whole("A Book")]), [1, 3]);
    assert_eq!(found(&base, vec![whole("book")]), [0_u64; 0]);
    assert_eq!(found(&base, vec![tag("Opening", "")]), [0_u64; 0]);
}

/// More games than a block of facts has and than are looked at together, of more layouts than can
/// be passed over; which layout is usual changes on the way.
fn many_games() -> String {
    let mut text = String::new();
    for number in 0..6000 {
        let mut tag = |name: &str, value: &str| {
            let _ = writeln!(text, "[{name} \"{value}\"]");
        };
        tag("Event", if number % 3 == 0 { "Open" } else { "Cup" });
        tag("Date", &format!("{}.01.01", 1900 + number % 120));
        if !(2000..2600).contains(&number) {
            match number % 50 {
                0 => tag("Round", "Final, Kiel"),
                1 => tag("Round", "3 \u{212a}"),
                _ => tag("Round", &format!("{}.{}", number % 13, number % 7)),
            }
        }
        match number % 97 {
            0 => tag("WhiteElo", "about 2400"),
            1..70 => tag("WhiteElo", &format!("{}", 2300 + number % 200)),
            _ => {}
        }
        if number % 11 == 0 || (3000..4500).contains(&number) {
            tag("Annotator", if number % 2 == 0 { "Blom" } else { "Čapek" });
        }
        if number % 5 == 0 {
            tag(&format!("Field{}", number % 90), "something");
        }
        let result = ["1-0", "0-1", "1/2-1/2", "*"][number % 4];
        let _ = writeln!(text, "[Result \"{result}\"]\n\n1. e4 {result}\n");
    }
    text
}

#[test]
fn tags_of_many_games_are_found_as_by_looking_at_each() {
    let base = Base::of(many_games().as_bytes());
    let all = base.games();
    assert_eq!(all.len(), 6000);
    let asked = [
        ("Round", "3"),
        ("Round", "12.5"),
        ("Round", "k"),
        ("Round", "kiel"),
        ("Round", "final kiel"),
        ("Round", ""),
        ("Annotator", "blom"),
        ("Annotator", "čapek"),
        ("Annotator", ""),
        ("WhiteElo", "24"),
        ("WhiteElo", "2400"),
        ("WhiteElo", "about"),
        ("WhiteElo", ""),
        ("Event", "open"),
        ("Date", "1950"),
        ("Field85", "thing"),
        ("Field5", "thing"),
        ("Field7", "thing"),
    ];
    for ((name, text), is_whole) in asked.iter().flat_map(|tag| [(tag, false), (tag, true)]) {
        let tag = TagQuery {
            name: (*name).to_owned(),
            text: (*text).to_owned(),
            is_whole,
        };
        let expected = looked_for(&all, &tag);
        assert_eq!(found(&base, vec![tag.clone()]), expected, "{name}={text}");
        // Among games of which few are asked for the tag, and far from each other.
        let filter = GameConditions::of([
            GameCondition::Result(vec![Outcome::First]),
            GameCondition::Date(Ranges::of(19_520_101, 19_531_231)),
            GameCondition::Name(NameField::Event, "cup".to_owned()),
            GameCondition::Tag(tag),
        ]);
        let is_among = |id: &u64| {
            let number = *id as usize - 1;
            number.is_multiple_of(4)
                && !number.is_multiple_of(3)
                && (52..=53).contains(&(number % 120))
        };
        let expected: Vec<u64> = expected.into_iter().filter(is_among).collect();
        let query = AccessPlan {
            conditions: filter,
            ..AccessPlan::default()
        };
        let ids = game_ids(&base.store, &query).expect("numbers");
        assert_eq!(ids, expected, "{name}={text}");
        let count = search::count(&base.store, &query).expect("a number");
        assert_eq!(count, expected.len() as u64);
    }
}
