//! Games asked for by any tag, against a look at the tags of every game.

use std::fmt::Write as _;

use plydex::db::{
    query::{Filter, Query, TagQuery},
    search::{self, Writing},
};
use proptest::prelude::*;

use crate::support::Base;

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
const VALUES: [&str; 12] = [
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
];

const TEXTS: [&str; 11] = [
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
    let query = Query {
        filter: Filter {
            tags,
            ..Filter::default()
        },
        ..Query::default()
    };
    let found = search::search(&base.store, &query, Writing::default()).expect("an answer");
    assert_eq!(found.total, found.hits.len() as u64);
    found.hits.iter().map(|hit| hit.header.id).collect()
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
                let folded = text.to_lowercase();
                let holds = |value: &str| {
                    let value = value.to_lowercase();
                    if is_whole {
                        return value == folded;
                    }
                    folded.split_whitespace().all(|word| value.contains(word))
                };
                let expected: Vec<u64> = all
                    .iter()
                    .filter(|game| {
                        let mut tags = game.tags.iter();
                        tags.any(|(tag, value)| tag.eq_ignore_ascii_case(name) && holds(value))
                    })
                    .map(|game| game.header.id)
                    .collect();
                let tag = TagQuery { name: name.to_owned(), text: text.to_owned(), is_whole };
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
