//! Spellings of people, from names and their games alone.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::{
    cluster::{JoinReason, NameGroup, NameSpelling, group},
    decisions::Decisions,
    stats::SplitReason,
};
use crate::{
    blocks::facts::PackedFacts,
    store::{NameRule, NameTable},
};

/// A name with a game in each of some years, and a rating if it is not 0.
fn entry(id: u32, name: &str, games: &[(u32, u32)]) -> NameSpelling {
    let mut entry = NameSpelling::player(id, name);
    for &(year, white_elo) in games {
        let facts = PackedFacts {
            date: year * 10_000,
            white_elo,
            ..PackedFacts::default()
        };
        entry.career.add(&facts, true);
    }
    entry
}

/// Names with games in one year; they are numbered from 1.
fn entries(names: &[&str]) -> Vec<NameSpelling> {
    let numbered = names.iter().zip(1..);
    numbered
        .map(|(name, id)| entry(id, name, &[(2010, 0)]))
        .collect()
}

fn rule(one: u32, other: u32, is_same: bool) -> NameRule {
    NameRule {
        table: NameTable::Player,
        one,
        other,
        is_same,
    }
}

/// The spellings of each person, all in the order of the alphabet.
fn grouped(names: &[NameSpelling], rules: &[NameRule]) -> Vec<Vec<String>> {
    spelled(names, &group(names, &BTreeSet::new(), rules))
}

fn spelled(names: &[NameSpelling], people: &[NameGroup]) -> Vec<Vec<String>> {
    let mut all: Vec<Vec<String>> = people
        .iter()
        .map(|person| {
            let spellings = person.spellings.iter();
            let mut all: Vec<String> = spellings
                .map(|&(name, _)| names[name].name.to_string())
                .collect();
            all.sort_unstable();
            all
        })
        .collect();
    all.sort_unstable();
    all
}

fn doubts(names: &[NameSpelling], people: &[NameGroup], name: &str) -> Vec<(String, SplitReason)> {
    let has = |person: &&NameGroup| {
        person
            .spellings
            .iter()
            .any(|&(at, _)| &*names[at].name == name)
    };
    let person = people.iter().find(has).expect("a person");
    let apart = person.apart.iter();
    apart
        .map(|(at, why)| (names[*at].name.to_string(), why.clone()))
        .collect()
}

#[test]
fn spellings_of_one_person_are_joined() {
    let names = entries(&[
        "Carlsen, Magnus",
        "Carlsen,M",
        "M. Carlsen",
        "CARLSEN, MAGNUS",
        "Magnus Carlsen",
        "Carlsen",
        "Müller, Karsten",
        "Mueller, Karsten",
        "Muller, K",
        "Šarić, Ivan",
        "Saric, Ivan",
        "O'Kelly de Galway, Alberic",
        "OKelly de Galway, A",
    ]);
    let people = group(&names, &BTreeSet::new(), &[]);
    assert_eq!(
        people
            .iter()
            .map(|of| of.spellings.len())
            .collect::<Vec<_>>(),
        [6, 3, 2, 2]
    );
    let how: Vec<(&str, JoinReason)> = people[0]
        .spellings
        .iter()
        .map(|&(name, joined)| (&*names[name].name, joined))
        .collect();
    assert_eq!(
        how,
        [
            ("CARLSEN, MAGNUS", JoinReason::First),
            ("Carlsen", JoinReason::Bare),
            ("Carlsen, Magnus", JoinReason::Whole),
            ("Carlsen,M", JoinReason::Short),
            ("M. Carlsen", JoinReason::Whole),
            ("Magnus Carlsen", JoinReason::Whole),
        ]
    );
    assert_eq!(people[0].career.games, 6);
}

#[test]
fn what_fits_several_people_is_joined_to_none() {
    let names = entries(&[
        "Carlsen, Magnus",
        "Carlsen, Mads",
        "Carlsen,M",
        "CARLSEN M",
        "Carlsen",
    ]);
    let people = group(&names, &BTreeSet::new(), &[]);
    assert_eq!(
        spelled(&names, &people),
        [
            vec!["CARLSEN M", "Carlsen,M"],
            vec!["Carlsen"],
            vec!["Carlsen, Mads"],
            vec!["Carlsen, Magnus"],
        ]
    );
    assert_eq!(
        doubts(&names, &people, "Carlsen, Mads"),
        [
            ("CARLSEN M".to_owned(), SplitReason::Several),
            ("Carlsen".to_owned(), SplitReason::Several),
        ]
    );
}

#[test]
fn what_contradicts_is_not_joined() {
    let doubt = |one: &[(u32, u32)], other: &[(u32, u32)]| {
        let names = [
            entry(1, "Müller, Hans", one),
            entry(2, "Mueller, Hans", other),
        ];
        let people = group(&names, &BTreeSet::new(), &[]);
        people[0].apart.first().map(|(_, why)| why.clone())
    };
    assert_eq!(doubt(&[(1925, 0)], &[(2000, 0)]), None);
    assert_eq!(
        doubt(&[(1924, 0)], &[(2000, 0)]),
        Some(SplitReason::Span(76))
    );
    assert_eq!(doubt(&[(2001, 2100), (2002, 2200)], &[(2002, 2700)]), None);
    assert_eq!(
        doubt(&[(2001, 2100), (2002, 2199)], &[(2002, 2700)]),
        Some(SplitReason::Ratings(2002, 2199, 2700))
    );
    assert_eq!(
        doubt(&[(2002, 2700)], &[(2002, 2199)]),
        Some(SplitReason::Ratings(2002, 2199, 2700))
    );
    assert_eq!(doubt(&[], &[(2002, 2199)]), None);
}

#[test]
fn people_who_play_each_other_are_two() {
    let names = entries(&["Müller, Hans", "Mueller, Hans", "MULLER, HANS"]);
    let people = group(&names, &BTreeSet::from([(0, 1)]), &[]);
    assert_eq!(people.len(), 3);
    assert_eq!(
        doubts(&names, &people, "MULLER, HANS"),
        [
            ("Mueller, Hans".to_owned(), SplitReason::Several),
            ("Müller, Hans".to_owned(), SplitReason::Several),
        ]
    );
}

#[test]
fn shorter_forms_need_games_at_about_the_time() {
    let of = |name: &str, year| {
        let names = [
            entry(1, "Meyer, Paul", &[(1990, 0)]),
            entry(2, name, &[(year, 0)]),
        ];
        group(&names, &BTreeSet::new(), &[]).len()
    };
    assert_eq!((of("Meyer,P", 2000), of("Meyer,P", 2001)), (1, 2));
    assert_eq!((of("Meyer", 1991), of("Meyer", 1992)), (1, 2));
    let names = [
        entry(1, "Meyer, Paul", &[(1990, 2700)]),
        entry(2, "Meyer, Georg", &[(1990, 2100)]),
        entry(3, "Meyer", &[(1990, 2720)]),
    ];
    assert_eq!(grouped(&names, &[]).len(), 3);
}

#[test]
fn a_contradiction_may_leave_one_person_whom_a_name_fits() {
    let names = [
        entry(1, "Carlsen, Magnus", &[(2014, 2860)]),
        entry(2, "Carlsen, Mads", &[(2014, 2100)]),
        entry(3, "Carlsen,M", &[(2014, 2850)]),
        // This may be either of the others, although they are long ago.
        entry(4, "Meyer, Paul", &[(1990, 0)]),
        entry(5, "Meyer, Peter", &[(1960, 0)]),
        entry(6, "Meyer,P", &[(1991, 0)]),
    ];
    assert_eq!(
        grouped(&names, &[]),
        [
            vec!["Carlsen, Mads"],
            vec!["Carlsen, Magnus", "Carlsen,M"],
            vec!["Meyer, Paul"],
            vec!["Meyer, Peter"],
            vec!["Meyer,P"],
        ]
    );
}

#[test]
fn ratings_and_games_tell_which_of_several_is_meant() {
    // As in a collection of master games: names in full until 1999, then with initials.
    let gary = |games: usize| {
        let mut all = vec![(1998, 2825); games];
        all.push((1999, 2851));
        all
    };
    let of = |gary: &[(u32, u32)], short: &[(u32, u32)]| {
        let names = [
            entry(1, "Kasparov, Gary", gary),
            entry(2, "Kasparov,Georgy", &[(2013, 0), (2013, 0)]),
            entry(3, "Garry Kasparov", &[(1997, 0)]),
            entry(4, "Kasparov,G", short),
            // By itself this says nothing: it goes with the other spelling of the same letters.
            entry(5, "Kasparov, G.", &[(2003, 0)]),
        ];
        let people = group(&names, &BTreeSet::new(), &[]);
        let of_gary = people
            .iter()
            .find(|of| of.spellings.iter().any(|at| at.0 == 0));
        let how = of_gary
            .unwrap()
            .spellings
            .iter()
            .find(|&&(name, _)| name == 3);
        (
            how.map(|&(_, joined)| joined),
            doubts(&names, &people, "Kasparov,Georgy"),
        )
    };
    let short = [(2000, 2849), (2000, 2851), (2021, 2700)];
    let (how, apart) = of(&gary(39), &short);
    assert_eq!(how, Some(JoinReason::ByRating));
    let outweighed = ("Kasparov,G".to_owned(), SplitReason::Outweighed);
    assert!(apart.contains(&outweighed), "{apart:?}");
    // One game less than twenty times those of another.
    assert_eq!(of(&gary(38), &short).0, None);
    // Ratings of another, none, or none of about these years.
    for short in [[(2000, 2750)], [(2000, 0)], [(2001, 2851)]] {
        assert_eq!(of(&gary(100), &short).0, None, "{short:?}");
    }
    assert_eq!(
        of(&gary(100), &[(2000, 2751)]).0,
        Some(JoinReason::ByRating)
    );
    // Where they have years in common, these count.
    assert_eq!(of(&gary(100), &[(1999, 2700), (2000, 2851)]).0, None);
}

#[test]
fn numbers_of_fide_join_and_part() {
    let with_id = |id, name, fide| {
        let mut entry = entry(id, name, &[(2010, 0)]);
        entry.career.add_fide_id(fide);
        entry
    };
    let mut names = vec![
        with_id(1, "Polgar, Zsuzsa", 700_070),
        with_id(2, "Polgar, Susan", 700_070),
        with_id(3, "Wang, Yue", 8_602_000),
        with_id(4, "WANG YUE", 8_602_001),
    ];
    assert_eq!(
        grouped(&names, &[]),
        [
            vec!["Polgar, Susan", "Polgar, Zsuzsa"],
            vec!["WANG YUE"],
            vec!["Wang, Yue"]
        ]
    );
    // Both forms of her name have shorter ones.
    names.extend(entries(&["Polgar,Zs", "Polgar,S"]));
    names[4].id = 5;
    names[5].id = 6;
    assert_eq!(
        grouped(&names, &[])[0],
        ["Polgar, Susan", "Polgar, Zsuzsa", "Polgar,S", "Polgar,Zs"]
    );
}

/// Entries of one name whose games distinguish players by their numbers, 0 for none: each with the
/// number and the games.
fn namesakes(id: u32, name: &str, numbers: &[(u32, usize)]) -> Vec<NameSpelling> {
    let entries = numbers.iter().map(|&(fide, games)| {
        let mut entry = entry(id, name, &vec![(2010, 0); games]);
        if fide > 0 {
            entry.career.add_fide_id(fide);
        }
        entry
    });
    entries.collect()
}

#[test]
fn namesakes_are_not_joined() {
    let by_games = |names: &[NameSpelling]| -> Vec<(u32, Option<u32>)> {
        let people = group(names, &BTreeSet::new(), &[]);
        let careers = people.iter().map(|person| &person.career);
        careers
            .map(|career| (career.games, career.fide_id()))
            .collect()
    };
    let (one, other) = (Some(8_602_000), Some(8_602_999));
    let with_shorter = |games: usize| {
        let mut names = namesakes(1, "Wang, Yi", &[(0, 2), (8_602_000, games), (8_602_999, 3)]);
        names.extend(namesakes(2, "Wang,Y", &[(0, 1)]));
        names
    };
    assert_eq!(
        by_games(&with_shorter(59)),
        [(59, one), (3, other), (2, None), (1, None)]
    );
    // A number of so few games may be a slip of the pen: the others are not in doubt for it.
    let names = with_shorter(60);
    assert_eq!(by_games(&names), [(63, one), (3, other)]);
    let people = group(&names, &BTreeSet::new(), &[]);
    assert_eq!(
        people[0].apart,
        [(2, SplitReason::FideIds(8_602_000, 8_602_999))]
    );
    assert_eq!(
        people[1].apart,
        [
            (1, SplitReason::FideIds(8_602_000, 8_602_999)),
            (0, SplitReason::Outweighed),
            (3, SplitReason::Outweighed),
        ]
    );
    // Ratings show whose the games without a number are.
    let mut names = namesakes(1, "Wang, Yi", &[(8_602_000, 4), (8_602_999, 3), (0, 0)]);
    for (entry, elo) in names.iter_mut().zip([2700, 1900, 2650]) {
        let facts = PackedFacts {
            date: 20_100_000,
            white_elo: elo,
            ..PackedFacts::default()
        };
        entry.career.add(&facts, true);
    }
    assert_eq!(by_games(&names), [(6, one), (4, other)]);
    // By hand they are one.
    let people = group(&names, &BTreeSet::new(), &[rule(1, 1, true)]);
    assert_eq!(people.len(), 1);
}

#[test]
fn consultations_and_accounts_are_names_of_their_own() {
    let names = entries(&[
        "Short, Nigel",
        "Short,Nigel:Baptie,Justin",
        "short",
        "DrNykterstein",
        "drnykterstein",
        "NN",
        "N.N.",
        "?",
    ]);
    assert_eq!(grouped(&names, &[]).len(), 7);
}

/// Names of few people, in all spellings.
fn name() -> impl Strategy<Value = String> {
    let family = prop::sample::select(vec!["Müller", "Mueller", "Li", "Carlsen", "Meyer"]);
    let given = prop::sample::select(vec!["", "M", "Magnus", "Mads", "Max Emil", "ME", "Li"]);
    (family, given, 0..3).prop_map(|(family, given, form)| match (given, form) {
        ("", _) => family.to_owned(),
        (given, 0) => format!("{family}, {given}"),
        (given, 1) => format!("{given} {family}"),
        (given, _) => format!("{},{given}", family.to_uppercase()),
    })
}

prop_compose! {
    fn some_names()(
        texts in prop::collection::btree_set(name(), 2..12),
        games in prop::collection::vec((prop::sample::select(vec![1900, 1950, 2000, 2010]),
            prop::sample::select(vec![0, 2000, 2700]),
            prop::collection::btree_map(0..4_u32, prop::sample::select(vec![1_u32, 30]), 1..4)), 12),
    ) -> Vec<NameSpelling> {
        let numbered = texts.iter().zip(&games).zip(1..);
        numbered.flat_map(|((text, &(year, elo, ref namesakes)), id)| {
            namesakes.iter().map(move |(&fide, &games)| {
                let mut entry = entry(id, text, &vec![(year, elo); games as usize]);
                if fide > 0 {
                    entry.career.add_fide_id(fide * 1000);
                }
                entry
            })
        }).collect()
    }
}

proptest! {
    #[test]
    fn the_order_of_names_does_not_matter(
        names in some_names(),
        clash in (0..12_usize, 0..12_usize),
        shuffle in any::<u64>(),
    ) {
        let clashes = |shuffled: &[NameSpelling]| {
            let at = |place: usize| {
                let met = names.get(place)?;
                shuffled.iter().position(|entry| entry == met)
            };
            let pair = at(clash.0).zip(at(clash.1)).filter(|(one, other)| one != other);
            pair.map(|(one, other)| (one.min(other), one.max(other))).into_iter().collect()
        };
        let rules = [rule(1, 2, false)];
        let people = group(&names, &clashes(&names), &rules);
        let mut shuffled = names.clone();
        fastrand::Rng::with_seed(shuffle).shuffle(&mut shuffled);
        let others = group(&shuffled, &clashes(&shuffled), &rules);
        prop_assert_eq!(spelled(&names, &people), spelled(&shuffled, &others));
        // Every name is a person's, once.
        let all: usize = people.iter().map(|person| person.spellings.len()).sum();
        prop_assert_eq!(all, names.len());
        // No player has played himself.
        for (one, other) in clashes(&names) {
            let has = |person: &NameGroup, at| person.spellings.iter().any(|&(name, _)| name == at);
            prop_assert!(!people.iter().any(|person| has(person, one) && has(person, other)));
        }
    }

    #[test]
    fn decisions_win(
        names in some_names(),
        rules in prop::collection::vec((1..12_u32, 1..12_u32, any::<bool>()), 0..8),
    ) {
        let rules: Vec<NameRule> = rules
            .into_iter()
            .filter(|(one, other, is_same)| one != other || *is_same)
            .map(|(one, other, is_same)| rule(one, other, is_same))
            .collect();
        let people = group(&names, &BTreeSet::new(), &rules);
        let decisions = Decisions::of(&rules);
        // Of namesakes all are meant.
        let people_of = |id: u32| -> BTreeSet<usize> {
            let has = |person: &NameGroup| person.spellings.iter().any(|&(at, _)| names[at].id == id);
            (0..people.len()).filter(|&nth| has(&people[nth])).collect()
        };
        let last = names.iter().map(|entry| entry.id).max().unwrap_or(0);
        for one in 1..=last {
            for other in 1..=one {
                let (own, others) = (people_of(one), people_of(other));
                match decisions.are_same(one, other) {
                    Some(true) => prop_assert_eq!((own.len(), own), (1, others), "{} {}", one, other),
                    Some(false) => prop_assert!(own.is_disjoint(&others), "{} {}", one, other),
                    None => {}
                }
            }
        }
        if let Some(last) = rules.last() {
            let asked = decisions.are_same(last.one, last.other);
            prop_assert_eq!(asked, Some(last.is_same));
        }
    }
}
