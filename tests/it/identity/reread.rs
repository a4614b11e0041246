//! Sources with games that were stored already are read again.

use std::path::Path;

use proptest::prelude::*;

use plydex::{
    base::observe::CancellationToken,
    search::{self, AccessPlan, GameReader},
    store::Store,
};

use super::{LONG, TAGS, done, game};
use crate::support::{Base, one_in, run};

/// The games of a database and where they stand, whatever their numbers are.
fn standing(db: &Path) -> Vec<String> {
    let check = run(db, &["check"]);
    assert_eq!(check.status, Some(0), "{check:?}");
    let store = Store::open(db, &CancellationToken::default()).expect("a database");
    let games = search::all_games(&store, &AccessPlan::default()).expect("games");
    let mut reader = GameReader::new(&store);
    let shown = games.into_iter().map(|id| {
        let game = reader.game(id).expect("a game").expect("a game");
        let mut places: Vec<String> = (store.places(id).expect("places").iter())
            .map(|place| format!("{} {}", place.file, place.number))
            .collect();
        places.sort_unstable();
        let header = &game.header;
        format!(
            "{} {} {} {places:?}",
            header.white, header.variant, header.plies
        )
    });
    let mut shown: Vec<String> = shown.collect();
    shown.sort_unstable();
    shown
}

/// Sources of games by their letters, some of which they have from each other.
fn sources(folder: &Path, texts: &[(&str, &str)]) -> Vec<String> {
    let path_of = |(name, games): &(&str, &str)| {
        let path = folder.join(name);
        let named = |letter: char| match letter {
            '-' => game("Event=Training;Result=1/2-1/2", LONG),
            _ => game(&TAGS.replace("Müller", &letter.to_string().repeat(2)), LONG),
        };
        let text: String = games.chars().map(named).collect();
        std::fs::write(&path, text).expect("a file");
        path.to_str().expect("a name").to_owned()
    };
    texts.iter().map(path_of).collect()
}

/// What was skipped is skipped again, in whatever way it was read in between, and others keep their
/// places.
#[test]
fn a_source_with_repeated_games_can_be_read_again() {
    let base = Base::new();
    let texts = [
        ("one.pgn", "ab--"),
        ("other.pgn", "bcabc---"),
        ("last.pgn", "cdac"),
        ("all.pgn", "badc"),
    ];
    let files = sources(base.folder(), &texts);
    let db = base.folder().join("own.db");
    for file in &files {
        done(&db, &["import", file]);
    }
    let imported = standing(&db);
    assert_eq!(imported.len(), 7, "{imported:?}");
    for file in &files {
        let told = done(&db, &["reread", file]);
        assert_eq!(standing(&db), imported, "{file}");
        let is_first = file.ends_with("one.pgn");
        assert_eq!(told.contains("stored already"), !is_first, "{told}");
    }
    // As games of another variant they are others.
    for file in &files[1..] {
        done(&db, &["reread", file, "--variant", "atomic"]);
        assert_ne!(standing(&db), imported, "{file}");
        done(&db, &["reread", file]);
        assert_eq!(standing(&db), imported, "{file}");
    }
    // A game behind some that were skipped is found.
    let store = Store::open(&db, &CancellationToken::default()).expect("a database");
    let is_there = |game: &u64| {
        let places = store.places(*game).expect("places");
        places
            .iter()
            .any(|place| (&place.file[..], place.number) == ("other.pgn", 8))
    };
    let games = search::all_games(&store, &AccessPlan::default()).expect("games");
    let behind = games.into_iter().find(is_there).expect("it is there");
    drop(store);
    let told = done(&db, &["reread", &format!("#{behind}"), "--format", "json"]);
    assert!(told.contains(&format!("\"game\": {behind}")), "{told}");
    assert_eq!(standing(&db), imported);
    // The same files bring nothing new.
    for file in &files {
        let again = done(&db, &["import", file, "--format", "json"]);
        assert!(again.contains("\"stored\": 0"), "{again}");
    }
}

#[test]
fn games_that_turn_out_to_be_stored_are_skipped() {
    let base = Base::new();
    let files = sources(
        base.folder(),
        &[("a.pgn", "ab-"), ("b.pgn", "-bca"), ("c.pgn", "ba")],
    );
    let [db, fresh] = ["own.db", "fresh.db"].map(|name| base.folder().join(name));
    for file in &files {
        done(&fresh, &["import", file]);
        let is_wrong = !file.ends_with("a.pgn");
        let args = ["import", file, "--variant", "atomic"];
        done(&db, if is_wrong { &args } else { &args[..2] });
    }
    assert_eq!(standing(&db).len(), 7);
    for file in &files[1..] {
        done(&db, &["reread", file, "--variant", "chess"]);
    }
    assert_eq!(standing(&db), standing(&fresh));
    // The last one has no game of its own any more, and can have them again.
    done(&db, &["reread", &files[2], "--variant", "atomic"]);
    done(&db, &["reread", &files[2], "--variant", "chess"]);
    assert_eq!(standing(&db), standing(&fresh));
}

#[test]
fn games_that_were_kept_are_kept_when_they_are_read_again() {
    let base = Base::new();
    let files = sources(base.folder(), &[("a.pgn", "aab"), ("b.pgn", "bac")]);
    let db = base.folder().join("own.db");
    done(
        &db,
        &["import", "--duplicates", "keep", &files[0], &files[1]],
    );
    let imported = standing(&db);
    for file in &files {
        done(&db, &["reread", file]);
        assert_eq!(standing(&db), imported);
    }
}

/// A file that has grown is two sources, of which the later one has games of the first again.
#[test]
fn sources_of_one_name_are_read_again_together() {
    let base = Base::new();
    let [db, fresh] = ["own.db", "fresh.db"].map(|name| base.folder().join(name));
    let (mut file, mut imported) = (String::new(), [&db, &fresh].map(|_| Vec::new()));
    for (db, imported) in [&db, &fresh].into_iter().zip(&mut imported) {
        for games in ["abc", "abcadb"] {
            file = sources(base.folder(), &[("m.pgn", games)]).remove(0);
            let wrong = if games == "abc" { "atomic" } else { "chess" };
            let variant = if db == &fresh { "chess" } else { wrong };
            done(db, &["import", &file, "--variant", variant]);
        }
        *imported = standing(db);
    }
    assert_eq!(imported[1].len(), 4);
    assert_ne!(imported[0], imported[1]);
    done(&db, &["reread", &file]);
    assert_eq!(standing(&db), imported[1]);
    done(&fresh, &["reread", &file]);
    assert_eq!(standing(&fresh), imported[1]);
}

/// The last change of a log.
fn last_change(db: &Path) -> String {
    let log = done(db, &["log", "--format", "json", "--limit", "1"]);
    let log: serde_json::Value = serde_json::from_str(&log).expect("JSON");
    log[0]["change"].to_string()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(6 / one_in(2) as u32))]

    /// Whatever was read again in whatever way before, an undo leads back, and another one there.
    #[test]
    fn rereads_are_undone(
        texts in prop::collection::vec("[abc-]{1,4}", 3),
        steps in prop::collection::vec((0..3_usize, 0..3_usize, 0..9_u64), 1..7),
    ) {
        let base = Base::new();
        let named: Vec<(&str, &str)> = ["a.pgn", "b.pgn", "c.pgn"].into_iter()
            .zip(texts.iter().map(String::as_str))
            .collect();
        let files = sources(base.folder(), &named);
        let db = base.folder().join("own.db");
        for file in &files {
            done(&db, &["import", file]);
        }
        for (file, variant, game) in steps {
            let before = standing(&db);
            // A source, or a game by its place among those that there are.
            let games = ids(&db);
            let target = match games.get(game as usize) {
                Some(game) => format!("#{game}"),
                None => files[file].clone(),
            };
            let variant = ["chess", "atomic", "kingofthehill"][variant];
            let ran = run(&db, &["reread", &target, "--variant", variant, "--format", "json"]);
            if ran.status != Some(0) {
                // A file with the text of another one has none of its own.
                let why = ["has removed games", "has the text of"];
                prop_assert!(why.iter().any(|why| ran.err.contains(why)), "{:?}", ran);
                prop_assert_eq!(standing(&db), before);
                continue;
            }
            let read: serde_json::Value = serde_json::from_str(&ran.out).expect("JSON");
            // What is said of its games is said of those that it has.
            let own = &read["sources"][0];
            let variants = own["variants"].as_array().expect("a list").iter();
            let games: u64 = variants.filter_map(|its| its[1].as_u64()).sum();
            prop_assert_eq!(own["games"].as_u64(), Some(games));
            prop_assert!(own["complete"].as_u64() <= Some(games));
            let after = standing(&db);
            if read["change"].is_null() {
                prop_assert_eq!(after, before);
                continue;
            }
            for state in [&before, &after] {
                done(&db, &["undo", &last_change(&db)]);
                prop_assert_eq!(&standing(&db), state);
            }
        }
    }
}

/// The numbers of the games that there are.
fn ids(db: &Path) -> Vec<u64> {
    let store = Store::open(db, &CancellationToken::default()).expect("a database");
    search::all_games(&store, &AccessPlan::default()).expect("games")
}
