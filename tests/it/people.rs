//! Spellings of one person, event or site count as one, and nothing is joined that contradicts.

use std::{collections::BTreeSet, fmt::Write as _};

use proptest::prelude::*;
use serde_json::Value;

use {
    crate::support::{Base, Ran, every_game, run, sqlite},
    plydex::{
        base::observe::CancellationToken,
        people::{NameGroups, NameSelection},
        search::NameQuery,
        store::{NameTable, Store},
    },
};

/// Games by their tags, each `White - Black; Name=value; …`, all of them with other moves.
fn games(lines: &[&str]) -> Vec<u8> {
    let mut text = String::new();
    for (number, line) in lines.iter().enumerate() {
        let mut parts = line.split("; ");
        let (white, black) = parts
            .next()
            .and_then(|names| names.split_once(" - "))
            .expect("names");
        let _ = writeln!(text, "[White \"{white}\"]\n[Black \"{black}\"]");
        for part in parts {
            let (name, value) = part.split_once('=').expect("a value");
            let _ = writeln!(text, "[{name} \"{value}\"]");
        }
        let moves = ["e4", "d4", "c4", "Nf3", "g3", "b3", "f4", "Nc3"][number % 8];
        let _ = writeln!(
            text,
            "\n1. {moves} a6 {} 1-0\n",
            "2. h3 h6 ".repeat(number / 8)
        );
    }
    text.into_bytes()
}

const SPELLINGS: &[&str] = &[
    "Carlsen, Magnus - Anand, V; Date=2013.11.09; Event=World Ch.; Site=Chennai",
    "Anand,V - Carlsen,M; Date=2014.11.08; Event=world ch; Site=Sochi, RUS",
    "CARLSEN M. - Karjakin, S; Date=2016.11.11; Event=World Ch; Site=Sochi RUS",
    "Magnus Carlsen - Caruana, F; Date=2018.11.09; Event=World-Ch; Site=https://x.org/Abc",
    "Nobody - Carlsen, Henrik; Date=2007.01.01; Event=Open; Site=https://x.org/aBC",
    "Šarić, I - Saric, I; Date=2010.01.01",
    "Müller, Karsten - Mueller, K; Date=2001.01.01",
    "Muller, Karsten - Nobody; Date=2001.01.01",
];

fn base(lines: &[&str]) -> Base {
    let base = Base::new();
    base.import_text(&games(lines), every_game());
    base
}

fn ask(base: &Base, args: &[&str]) -> Ran {
    run(base.store.path(), args)
}

fn json(base: &Base, args: &[&str]) -> Value {
    let ran = ask(base, &[args, &["--format", "json"]].concat());
    serde_json::from_str(&ran.out).unwrap_or_else(|error| panic!("{error}: {ran:?}"))
}

fn texts<'v>(value: &'v Value, field: &str) -> Vec<&'v str> {
    let values = value.as_array().expect("a list").iter();
    values
        .map(|value| value[field].as_str().expect("a text"))
        .collect()
}

#[test]
fn spellings_are_listed_under_one_name() {
    let base = base(SPELLINGS);
    let found = json(&base, &["players", "carlsen"]);
    assert_eq!(found["total"], 2);
    let magnus = &found["names"][0];
    assert_eq!(
        (&magnus["games"], &magnus["first_year"]),
        (&4.into(), &2013.into())
    );
    assert_eq!((&magnus["wins"], &magnus["losses"]), (&3.into(), &1.into()));
    assert_eq!(
        texts(&magnus["spellings"], "name"),
        [
            "CARLSEN M.",
            "Carlsen, Magnus",
            "Carlsen,M",
            "Magnus Carlsen"
        ]
    );
    assert_eq!(
        texts(&found["names"][1]["spellings"], "name"),
        ["Carlsen, Henrik"]
    );
    let ran = ask(&base, &["players", "carlsen", "--spellings"]);
    for part in ["shorter form", "same name", "2013–2018"] {
        assert!(ran.out.contains(part), "{part}: {}", ran.out);
    }
}

#[test]
fn a_player_is_found_under_all_spellings() {
    let base = base(SPELLINGS);
    let database = sqlite(base.store.path());
    let counted = |spellings: &[&str], option: &str| -> i64 {
        let names: Vec<String> = spellings.iter().map(|name| format!("'{name}'")).collect();
        let set = format!(
            "(SELECT id FROM player WHERE name IN ({}))",
            names.join(", ")
        );
        let asked = match option {
            "--white" => format!("white IN {set}"),
            "--black" => format!("black IN {set}"),
            _ => format!("white IN {set} OR black IN {set}"),
        };
        let sql = format!("SELECT count(*) FROM game WHERE {asked}");
        database
            .query_row(&sql, [], |row| row.get(0))
            .expect("a number")
    };
    for typed in [
        "magnus",
        "carlsen, m",
        "mueller",
        "müller, karsten",
        "saric",
        "carlsen",
    ] {
        for option in ["--player", "--white", "--black"] {
            let filter = option.trim_start_matches('-');
            let found = json(&base, &["search", option, typed]);
            let names = found["names"].as_array().expect("names");
            let [taken] = &names[..] else {
                panic!("{found}")
            };
            assert_eq!(
                (&taken["filter"], &taken["typed"]),
                (&filter.into(), &typed.into())
            );
            let spellings: Vec<&str> = taken["spellings"]
                .as_array()
                .expect("a list")
                .iter()
                .map(|name| name.as_str().expect("a name"))
                .collect();
            assert!(spellings.len() > 1, "{typed}: {spellings:?}");
            let expected = counted(&spellings, option);
            assert_eq!(found["total"], expected, "{option} {typed}");
            assert_eq!(taken["games"], expected, "{option} {typed}");
            let ran = ask(&base, &["search", option, typed, "--count"]);
            assert_eq!(ran.out.trim(), expected.to_string());
            let ran = ask(&base, &["export", option, typed]);
            assert_eq!(ran.out.matches("[White ").count() as i64, expected);
            let tree = json(&base, &["tree", option, typed]);
            assert_eq!(tree["total"]["games"], expected);
            assert_eq!(tree["names"], found["names"]);
        }
    }
    // A part of a name finds the names that hold it, and their other spellings.
    let ran = ask(&base, &["search", "--player", "magnus", "--count"]);
    assert_eq!(
        (&*ran.out, &*ran.err),
        ("4\n", "magnus: 4 spellings of CARLSEN M., 4 games\n")
    );
    let ran = ask(&base, &["search", "--player", "carlsen", "--count"]);
    assert_eq!(ran.err, "carlsen: 5 spellings of 2 players, 5 games\n");
    // Of one spelling nothing needs to be said.
    let ran = ask(&base, &["search", "--player", "karjakin", "--count"]);
    assert_eq!((&*ran.out, &*ran.err), ("1\n", ""));
}

#[test]
fn games_are_deleted_that_a_search_with_the_same_names_finds() {
    for asked in [
        &["--player", "mueller"][..],
        &["--white", "magnus"],
        &["--black", "saric"],
        &["--event", "world-ch"],
        &["player:magnus"],
        &["--player", "magnus", "--exact-names"],
        &["--player", "nobodi"],
    ] {
        let base = base(SPELLINGS);
        let searched = json(&base, &[&["search"], asked].concat());
        let would = json(&base, &[&["delete"], asked].concat());
        assert_eq!(would["found"], searched["total"], "{asked:?}");
        assert_eq!(would["names"], searched["names"], "{asked:?}");
        let counted = ask(&base, &[&["search", "--count"], asked].concat());
        let deleted = ask(&base, &[&["delete", "--yes"], asked].concat());
        assert_eq!(deleted.err, counted.err, "{asked:?}");
        let left = json(&base, &[&["search"], asked].concat());
        assert_eq!(left["total"], 0, "{asked:?}");
    }
}

#[test]
fn names_are_as_written_where_this_is_asked() {
    let base = base(SPELLINGS);
    let ran = ask(
        &base,
        &["search", "--player", "magnus", "--exact-names", "--count"],
    );
    assert_eq!((&*ran.out, &*ran.err), ("2\n", ""));
    let ran = ask(
        &base,
        &["search", "--event", "world-ch", "--exact-names", "--count"],
    );
    assert_eq!(ran.out, "1\n");
    let ran = ask(
        &base,
        &["search", "--player", "saric", "--exact-names", "--count"],
    );
    assert_eq!(ran.out, "1\n");
}

#[test]
fn events_and_sites_are_joined_with_more_care() {
    let base = base(SPELLINGS);
    let events = json(&base, &["events"]);
    assert_eq!(events["names"][0]["games"], 4);
    assert_eq!(
        events["names"][0]["spellings"].as_array().map(Vec::len),
        Some(4)
    );
    assert!(events["names"][0].get("wins").is_none());
    let sites = json(&base, &["sites", "--sort", "name", "--limit", "0"]);
    let sites = sites["names"].as_array().expect("sites");
    let of = |text| {
        sites
            .iter()
            .find(|site| site["name"] == text)
            .expect("a site")
    };
    assert_eq!(of("Sochi RUS")["games"], 2);
    // Addresses are not names.
    assert_eq!(of("https://x.org/Abc")["games"], 1);
    assert_eq!(of("https://x.org/aBC")["games"], 1);
    let ran = ask(&base, &["search", "--event", "world-ch", "--count"]);
    assert_eq!(ran.out, "4\n");
    assert_eq!(ran.err, "world-ch: 4 spellings of World Ch, 4 games\n");
}

#[test]
fn games_say_who_is_another() {
    let base = base(&[
        // They play each other.
        "Müller, Hans - Mueller, Hans; Date=2001.01.01",
        // FIDE knows two.
        "Wang, Yue - A; Date=2001.01.01; WhiteFideId=8602000",
        "B - WANG YUE; Date=2002.01.01; BlackFideId=8602001",
        // And one of two names, in many games.
        "Polgar, Zsuzsa - A; Date=1990.01.01; WhiteFideId=700070",
        "Polgar, Susan - A; Date=2000.01.01; WhiteFideId=700070",
        "Polgar, Susan - B; Date=2001.01.01; WhiteFideId=700070",
        // Grandfather and grandson.
        "Short, John - A; Date=1901.01.01",
        "SHORT, John - A; Date=2001.01.01",
        // Far apart in one year.
        "Li, Chao - A; Date=2010.01.01; WhiteElo=2700",
        "LI, CHAO - A; Date=2010.06.01; WhiteElo=1800",
        // Two whom a shorter name fits.
        "Carlsen, Magnus - A; Date=2010.01.01",
        "Carlsen, Mads - A; Date=2010.01.01",
        "Carlsen, M - A; Date=2010.01.01",
    ]);
    let why = |typed: &str| {
        let found = json(&base, &["players", typed]);
        let names = found["names"].as_array().expect("names").clone();
        let why = names.iter().flat_map(|name| {
            let apart = name["kept_apart"].as_array().expect("a list").clone();
            apart
                .into_iter()
                .map(|apart| apart["reason"].as_str().expect("a text").to_owned())
        });
        (
            names.len(),
            why.collect::<BTreeSet<String>>()
                .into_iter()
                .collect::<Vec<_>>(),
        )
    };
    let one = |text: &str| vec![text.to_owned()];
    assert_eq!(why("muller"), (2, one("they played each other")));
    assert_eq!(why("wang"), (2, one("FIDE IDs 8602000 and 8602001")));
    assert_eq!(why("polgar"), (1, vec![]));
    assert_eq!(why("short"), (2, one("100 years from first to last game")));
    assert_eq!(why("chao"), (2, one("rated 1800 and 2700 in 2010")));
    assert_eq!(why("carlsen"), (3, one("fits several players")));
    assert_eq!(
        json(&base, &["players", "susan"])["names"][0]["fide_id"],
        700070
    );
    // Asked for by a name, the same is joined as in the list of all.
    let ran = ask(&base, &["search", "--player", "zsuzsa", "--count"]);
    assert_eq!(ran.out, "3\n");
    assert_eq!(ran.err, "zsuzsa: 2 spellings of Polgar, Susan, 3 games\n");
    let ran = ask(&base, &["search", "--player", "magnus", "--count"]);
    assert_eq!((&*ran.out, &*ran.err), ("1\n", ""));
    let ran = ask(&base, &["players", "--spellings", "carlsen"]);
    assert!(ran.out.contains("not: Carlsen, M"), "{}", ran.out);
}

/// Two of one name whom only FIDE tells apart, and games that may be of either.
#[test]
fn namesakes_are_told_apart() {
    let base = base(&[
        "Wang, Yi - A; Date=2010.01.01; WhiteFideId=8602000",
        "B - Wang, Yi; Date=2010.02.01; BlackFideId=8602000",
        "Wang, Yi - Wang, Yi; Date=2010.03.01; WhiteFideId=8602000; BlackFideId=8602999",
        "Wang, Yi - C; Date=2010.04.01; WhiteFideId=8602999",
        "Wang, Yi - D; Date=2010.05.01",
        "Wang, Y - E; Date=2010.06.01",
    ]);
    let listed = |args: &[&str]| {
        let found = json(&base, &[&["players", "wang"], args].concat());
        let names = found["names"].as_array().expect("names").clone();
        let told = names.iter().map(|name| {
            let number = |field: &str| name[field].as_u64().unwrap_or_default();
            (number("games"), number("fide_id"), number("wins"))
        });
        told.collect::<Vec<_>>()
    };
    let apart = [(3, 8_602_000, 2), (2, 8_602_999, 1), (1, 0, 1), (1, 0, 1)];
    assert_eq!(listed(&[]), apart);

    // One of them is asked for by his number, as either side and in a question as well.
    let games = |args: &[&str]| {
        let found = json(&base, &[&["search"], args].concat());
        let hits = found["hits"].as_array().expect("hits").clone();
        let ids = hits.iter().map(|hit| hit["id"].as_u64().expect("a number"));
        ids.collect::<Vec<_>>()
    };
    assert_eq!(games(&["--player", "8602999"]), [3, 4]);
    assert_eq!(games(&["--black", "8602999"]), [3]);
    assert_eq!(games(&["player:8602000"]), [1, 2, 3]);
    assert_eq!(games(&["player:8602000 white:8602999"]), [0; 0]);
    assert_eq!(games(&["--player", "8602999", "a6"]), [3, 4]);
    assert_eq!(games(&["--player", "wang yi"]), [1, 2, 3, 4, 5]);
    assert_eq!(games(&["--player", "8602998"]), [0; 0]);
    let said = |args: &[&str]| ask(&base, &[&["search", "--count"], args].concat()).err;
    assert_eq!(
        said(&["--player", "8602999"]),
        "8602999: Wang, Yi (FIDE ID 8602999), 2 games\n"
    );
    assert_eq!(
        said(&["--player", "wang yi"]),
        "wang yi: 3 players, 5 games\n"
    );

    let grouped = json(&base, &["search", "--group-by", "player"]);
    let groups = grouped["groups"].as_array().expect("groups").iter();
    let wangs = groups.filter_map(|group| {
        let name = group["name"]
            .as_str()
            .filter(|name| name.starts_with("Wang"))?;
        Some((name.to_owned(), group["games"].as_u64()?))
    });
    let mut wangs: Vec<(String, u64)> = wangs.collect();
    wangs.sort();
    let of = |name: &str, games| (name.to_owned(), games);
    assert_eq!(
        wangs,
        [
            of("Wang, Y", 1),
            of("Wang, Yi", 1),
            of("Wang, Yi (FIDE ID 8602000)", 3),
            of("Wang, Yi (FIDE ID 8602999)", 2),
        ]
    );

    // Somebody knows better: they are one, who has played against himself once.
    let same = ["players", "--same", "Wang, Yi", "Wang, Yi"];
    let ran = ask(&base, &same);
    assert!(
        ran.err
            .starts_with("all games of `Wang, Yi` are of one player"),
        "{ran:?}"
    );
    assert_eq!(listed(&[])[0].0, 7);
    let ran = ask(&base, &["undo", "2"]);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    assert_eq!(listed(&[]), apart);
    let wrong = ask(&base, &["players", "--same", "Wang, Y", "Wang, Y"]);
    assert!(
        wrong
            .err
            .contains("these are already spellings of the same player"),
        "{wrong:?}"
    );

    // Or the number is wrong in a game.
    for game in ["3", "4"] {
        let tag = if game == "3" {
            "BlackFideId=8602000"
        } else {
            "WhiteFideId=8602000"
        };
        let ran = ask(&base, &["edit", game, "--tag", tag]);
        assert_eq!(ran.status, Some(0), "{ran:?}");
    }
    assert_eq!(listed(&[]).len(), 1);
}

#[test]
fn near_names_are_proposed() {
    let base = base(SPELLINGS);
    for (args, said) in [
        (
            ["search", "--player", "karjakni"],
            "no player is called `karjakni`; did you mean Karjakin, S?",
        ),
        (
            ["tree", "--white", "carlson"],
            "no player is called `carlson`; did you mean CARLSEN M. or Carlsen, Henrik?",
        ),
        (
            ["export", "--event", "wolrd"],
            "no event is called `wolrd`; did you mean World Ch?",
        ),
        (
            ["search", "--site", "chenai"],
            "no site is called `chenai`; did you mean Chennai?",
        ),
        (
            ["search", "--player", "zzzzzz"],
            "no player is called `zzzzzz`\n",
        ),
        (
            ["players", "carlson", "--spellings"],
            "no player is called `carlson`; did you mean",
        ),
    ] {
        let ran = ask(&base, &args);
        assert_eq!(ran.status, Some(1), "{args:?}: {ran:?}");
        assert!(ran.err.contains(said), "{args:?}: {}", ran.err);
    }
}

#[test]
fn lists_have_an_order_and_an_end() {
    let base = base(SPELLINGS);
    let names = |args: &[&str]| {
        let ran = ask(&base, &[&["players", "--format", "csv"], args].concat());
        let lines = ran.out.lines().skip(1);
        lines
            .map(|line| {
                line.rsplit_once("\",")
                    .map_or(line, |(name, _)| name)
                    .trim_start_matches('"')
                    .to_owned()
            })
            .collect::<Vec<_>>()
    };
    assert_eq!(
        names(&["--limit", "1"]),
        ["CARLSEN M.,4,4,2013,2018,,3,0,1,0.75,"]
    );
    let all = names(&["--sort", "name", "--limit", "0"]);
    let mut sorted = all.clone();
    sorted.sort_by_key(|name| name.to_lowercase());
    assert_eq!(all, sorted);
    let ran = ask(&base, &["players", "--limit", "2"]);
    assert!(ran.err.ends_with("--limit 0 shows all\n"), "{}", ran.err);
    let ran = ask(&base, &["players", "--sort", "size"]);
    assert_eq!(ran.status, Some(2));
    let ran = ask(
        &base,
        &["players", "--format", "csv", "--spellings", "magnus"],
    );
    assert_eq!(ran.out.lines().count(), 5);
    assert!(
        ran.out
            .starts_with("name,spelling,games,first_year,last_year,joined,fide_id\n")
    );
    let ran = ask(&base, &["players", ","]);
    assert_eq!(ran.status, Some(2));
}

const FAMILIES: &[&str] = &["Müller", "Mueller", "Li", "Wang", "Carlsen"];
const GIVEN: &[&str] = &["Magnus", "M", "Mads", "Li", "Wang", "Max Emil", "ME"];

fn name() -> impl Strategy<Value = String> {
    let (family, given) = (prop::sample::select(FAMILIES), prop::sample::select(GIVEN));
    (family, given, 0..4).prop_map(|(family, given, form)| match form {
        0 => format!("{family}, {given}"),
        1 => format!("{given} {family}"),
        2 => format!("{},{given}", family.to_uppercase()),
        _ => family.to_owned(),
    })
}

/// A number of FIDE, or a mark for none.
fn fide_id() -> impl Strategy<Value = &'static str> {
    prop::sample::select(&["0", "0", "1503014", "4600001"][..])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Who is asked for by a name has the same spellings as in the list of all.
    #[test]
    fn a_name_finds_what_the_list_has(
        pairs in prop::collection::vec((name(), fide_id(), name(), fide_id(), 1900..2020_u16), 1..40),
        typed in prop::sample::select(&["carlsen", "muller", "li", "magnus", "m", "1503014"][..]),
    ) {
        let lines: Vec<String> = pairs.iter()
            .map(|(white, white_id, black, black_id, year)| format!(
                "{white} - {black}; Date={year}.01.01; WhiteFideId={white_id}; BlackFideId={black_id}"
            ))
            .collect();
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let base = base(&lines);
        let wanted = NameQuery::of(typed);
        let spelled = |found: &NameGroups| -> Vec<Vec<(String, u32, Vec<u32>)>> {
            let groups = found.groups.iter().map(|group| {
                let names = group.spellings.iter().map(|&(name, _)| {
                    let career = &found.names[name].career;
                    (found.names[name].name.to_string(), career.games, career.fide_ids().to_vec())
                });
                names.collect()
            });
            let is_wanted = |(name, _, ids): &(String, u32, Vec<u32>)| {
                wanted.finds(name) || wanted.fide_id.is_some_and(|id| ids.contains(&id))
            };
            groups.filter(|names: &Vec<_>| names.iter().any(is_wanted)).collect()
        };
        let store = Store::open(base.store.path(), &CancellationToken::default()).expect("a database");
        let all = NameGroups::read(&store, NameTable::Player, None).expect("names");
        let finds = |name: &str| wanted.finds(name);
        let asked = NameSelection { name: &finds, fide_id: wanted.fide_id };
        let some = NameGroups::read(&store, NameTable::Player, Some(asked)).expect("names");
        prop_assert_eq!(spelled(&all), spelled(&some));
        // Every game has its two players, once each, or one against himself.
        let games: u32 = all.groups.iter().map(|group| group.career.games).sum();
        let players = pairs.iter().map(|(white, white_id, black, black_id, _)| {
            let has_several = |name: &String| {
                let with = |its: &String, id: &str| (its == name && id != "0").then(|| id.to_owned());
                let ids = pairs.iter().flat_map(|(white, white_id, black, black_id, _)| {
                    [with(white, white_id), with(black, black_id)]
                });
                ids.flatten().collect::<BTreeSet<String>>().len() > 1
            };
            let is_other = white != black || white_id != black_id && has_several(white);
            1 + u32::from(is_other)
        });
        prop_assert_eq!(games, players.sum::<u32>());
    }
}
