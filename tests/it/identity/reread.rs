//! Sources with games that were stored already are read again.

use std::path::Path;

use super::{LONG, TAGS, done, game};
use crate::support::{Base, run};

/// Where the games of a database stand, and what its sources had again.
fn standing(db: &Path) -> Vec<String> {
    let check = run(db, &["check"]);
    assert_eq!(check.status, Some(0), "{check:?}");
    let asked = [
        "SELECT game, white, variant, plies FROM game_list ORDER BY game",
        "SELECT s.name, r.number, r.games, r.game FROM repeated_game r JOIN source s \
         ON s.id = r.source ORDER BY s.id, r.number",
        "SELECT s.name, c.offset_bytes, c.first_number, c.first_game, c.games, c.repeated \
         FROM source_chunk c JOIN source s ON s.id = c.source \
         WHERE c.games + c.repeated > 0 ORDER BY s.id, c.offset_bytes",
        "SELECT sum(seen), sum(stored), sum(duplicate), sum(rejected) FROM import",
        "SELECT code, sum(count) FROM diagnostic_count GROUP BY code ORDER BY code",
    ];
    let answer = |asked: &&str| run(db, &["sql", asked, "--format", "csv"]).out;
    asked.iter().map(answer).collect()
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
    assert_eq!(imported[0].lines().count(), 1 + 7, "{imported:?}");
    for file in &files {
        let told = done(&db, &["reread", file]);
        assert_eq!(standing(&db), imported, "{file}");
        let is_first = file.ends_with("one.pgn");
        assert_eq!(told.contains("stored already"), !is_first, "{told}");
    }
    // As games of another variant they are others.
    for file in &files[1..] {
        done(&db, &["reread", file, "--variant", "atomic"]);
        assert_ne!(standing(&db)[0], imported[0], "{file}");
        done(&db, &["reread", file]);
        assert_eq!(standing(&db)[0], imported[0], "{file}");
    }
    // A game behind some that were skipped is found.
    let told = done(&db, &["reread", "#5", "--format", "json"]);
    assert!(told.contains("\"game\": 5"), "{told}");
    assert_eq!(standing(&db)[0], imported[0]);
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
    assert_eq!(standing(&db)[0].lines().count(), 1 + 7);
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
    assert_eq!(imported[1][0].lines().count(), 1 + 4);
    assert_ne!(imported[0], imported[1]);
    done(&db, &["reread", &file]);
    assert_eq!(standing(&db)[..2], imported[1][..2]);
    done(&fresh, &["reread", &file]);
    assert_eq!(standing(&fresh)[..2], imported[1][..2]);
}
