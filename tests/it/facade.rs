//! The interface of the library, as a program uses it.

use std::{
    fs,
    io::Cursor,
    ops::ControlFlow,
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use plydex::{
    CancellationToken, Database, DuplicateAction, Error, ErrorKind, Event, ImportOptions, Observer,
    Outcome, Query, SortKey, TagEdit,
};

use crate::support::root;

const GAMES: &str = r#"[Event "First"]
[White "Anderssen"]
[Black "Kieseritzky"]
[Date "1851.06.21"]
[Result "1-0"]

1. e4 e5 2. f4 exf4 3. Bc4 { a gambit } (3. Nf3 g5) Qh4+ 1-0

[Event "Second"]
[White "Kieseritzky"]
[Black "Anderssen"]
[Date "1851.06.22"]
[Result "0-1"]

1. f3 e5 2. g4 Qh4# 0-1

[Event "Third"]
[White "Staunton"]
[Date "1851"]
[Result "*"]

1. d4 d5 *
"#;

fn database() -> (tempfile::TempDir, Database) {
    let folder = tempfile::tempdir().expect("a folder");
    let database = Database::create(folder.path().join("games.plydex")).expect("a database");
    let report = database
        .import_reader("games.pgn", Cursor::new(GAMES), &ImportOptions::default())
        .expect("an import");
    assert_eq!(report.stored, 3);
    (folder, database)
}

fn typed(text: &str) -> Query {
    Query::typed(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn kind<T>(result: Result<T, Error>) -> Option<ErrorKind> {
    result.err().map(|error| error.kind())
}

#[test]
fn games_are_found_as_they_are_counted() -> Result<(), Error> {
    let (_folder, database) = database();
    for (text, games) in [("e4 e5", 1), ("mate", 1), ("", 3), ("player:anderssen", 2)] {
        let query = typed(text);
        assert_eq!(database.count(&query)?, games, "{text}");
        let search = database.search(&query);
        assert_eq!(search.count()?, games);
        let hits = search.hits()?.collect::<Result<Vec<_>, _>>()?;
        assert_eq!(hits.len() as u64, games, "{text}");
        let all = database.games(&query)?.collect::<Result<Vec<_>, _>>()?;
        let numbers = |hit: &plydex::Hit| hit.header.id;
        assert!(
            hits.iter()
                .map(numbers)
                .eq(all.iter().map(plydex::Game::id))
        );
    }
    let newest = database
        .search(&Query::default())
        .sort_descending(SortKey::Date)
        .limit(1);
    let newest = newest.hits()?.next().expect("a game")?;
    assert_eq!(newest.header.event, "Second");
    Ok(())
}

#[test]
fn queries_are_built_and_joined() -> Result<(), Error> {
    let (_folder, database) = database();
    let count = |query: &Query| database.count(query);
    let [anderssen, staunton] = ["Anderssen", "Staunton"].map(Query::player);
    let all = Query::default;
    for (query, games) in [
        (anderssen.clone(), 2),
        (Query::white("Anderssen"), 1),
        (Query::black("Anderssen"), 1),
        (Query::event("First"), 1),
        (Query::outcome(Outcome::Draw), 0),
        (Query::outcome(Outcome::First), 1),
        (Query::tag("Event", "third"), 1),
        (Query::tag("Event", "thir"), 0),
        (Query::games(&[3, 1, 3]), 2),
        (Query::games(&[]), 0),
        (Query::elo(2000..), 0),
        (Query::elo(5..5), 0),
        (anderssen.clone().or(staunton.clone()), 3),
        (anderssen.clone().and(staunton.clone()), 0),
        (!anderssen.clone(), 1),
        (!anderssen.clone().and(typed("mate")), 2),
        (typed("e4 e5").or("mate".parse()?), 2),
        (!typed("mate").or(staunton.clone()), 1),
        (all().or(anderssen.clone()), 3),
        (all().and(anderssen), 2),
        (!all(), 0),
        (!!staunton, 1),
    ] {
        assert_eq!(count(&query)?, games, "{query}");
        let printed: Query = query.to_string().parse()?;
        assert_eq!(count(&printed)?, games, "{query}");
    }
    Ok(())
}

#[test]
fn a_game_is_its_text_and_its_positions() -> Result<(), Error> {
    let (_folder, database) = database();
    let game = database.game(1)?.expect("a game");
    assert_eq!(game.tag("White"), Some("Anderssen"));
    let plies: Vec<_> = game.positions().collect();
    let names: Vec<_> = plies.iter().map(|ply| ply.name.as_str()).collect();
    assert_eq!(names, ["e4", "e5", "f4", "exf4", "Bc4", "Qh4+"]);
    assert_eq!(plies[4].uci, "f1c4");
    assert!(plies[5].position.is_check());
    assert_eq!(plies.last().map(|ply| ply.number), Some(6));
    assert!(game.to_pgn().contains("3. Bc4 { a gambit } (3. Nf3 g5)"));
    // A position of a game is a query.
    let reached = Query::reaching(plies[1].position.clone());
    assert_eq!(database.count(&reached)?, 1);
    assert_eq!(database.tree(&reached)?.moves[0].san, "f4");
    assert!(database.game(99)?.is_none());
    Ok(())
}

#[test]
fn changes_are_undone() -> Result<(), Error> {
    let (_folder, database) = database();
    let all = Query::default();
    let deleted = database.delete(&typed("player:staunton"))?;
    assert_eq!((deleted.removed, database.count(&all)?), (1, 2));
    assert!(database.game(3)?.is_none());
    database.undo(deleted.change.expect("a change"))?;
    assert_eq!(database.count(&all)?, 3);
    let round = TagEdit {
        name: "Round".to_owned(),
        value: Some("2".to_owned()),
    };
    database.edit(2, &[round], false)?;
    assert_eq!(
        database
            .game(2)?
            .and_then(|game| game.tag("Round").map(str::to_owned)),
        Some("2".to_owned())
    );
    let kinds: Vec<_> = database
        .changes()?
        .iter()
        .map(|change| change.games)
        .collect();
    assert_eq!(kinds.len(), 4, "{kinds:?}");
    assert_eq!(kind(database.undo(99)), Some(ErrorKind::Refused));
    Ok(())
}

/// A query of a million answers ends when its iterator is dropped: the thread is joined then.
#[test]
fn dropping_an_iterator_ends_its_query() -> Result<(), Error> {
    let folder = tempfile::tempdir().expect("a folder");
    let database = Database::create(folder.path().join("many.plydex"))?;
    let games: String = (0..2000)
        .map(|n| format!("[Round \"{n}\"]\n\n1. e4 e5 *\n\n"))
        .collect::<Vec<_>>()
        .concat();
    database.import_reader("many.pgn", Cursor::new(games), &ImportOptions::default())?;
    let mut hits = database.search(&typed("e4 e5")).hits()?;
    assert_eq!(hits.next().expect("a game")?.header.id, 1);
    drop(hits);
    let mut games = database.games(&Query::default())?;
    assert_eq!(games.nth(1).expect("a game")?.id(), 2);
    drop(games);
    // The token of the database ends an iterator with an error.
    let stop = CancellationToken::default();
    let mut hits = database
        .with_cancellation(&stop)
        .search(&typed("e4 e5"))
        .hits()?;
    assert!(hits.next().is_some_and(|hit| hit.is_ok()));
    stop.cancel();
    let last = hits.last().expect("an error");
    assert_eq!(kind(last), Some(ErrorKind::Interrupted));
    Ok(())
}

struct Counter(Arc<AtomicU64>);

impl Observer for Counter {
    fn on(&self, event: Event<'_>) -> ControlFlow<()> {
        if let Event::GamesHandled { games } = event {
            self.0.fetch_add(games, Ordering::Relaxed);
        }
        ControlFlow::Continue(())
    }
}

#[test]
fn a_token_counts_in_whatever_order_it_is_given() {
    let (_folder, database) = database();
    let games = Arc::new(AtomicU64::new(0));
    let observer = || Counter(Arc::clone(&games));
    let stop = CancellationToken::default();
    let both = [
        database
            .clone()
            .with_observer(observer())
            .with_cancellation(&stop),
        database
            .clone()
            .with_cancellation(&stop)
            .with_observer(observer()),
    ];
    for database in &both {
        let text = "[Event \"More\"]\n\n1. c4 *\n";
        let more = database.import_reader("m.pgn", Cursor::new(text), &ImportOptions::default());
        assert!(more.is_ok(), "{more:?}");
    }
    assert_eq!(games.load(Ordering::Relaxed), 2);
    stop.cancel();
    for database in &both {
        assert_eq!(
            kind(database.delete(&typed("mate"))),
            Some(ErrorKind::Interrupted)
        );
    }
    assert_eq!(database.count(&Query::default()).ok(), Some(4));
}

#[test]
fn copies_are_new_files() -> Result<(), Box<dyn std::error::Error>> {
    let (folder, database) = database();
    let (copy, text) = (
        folder.path().join("copy.plydex"),
        folder.path().join("a.txt"),
    );
    database.back_up(&copy)?;
    assert_eq!(Database::open(&copy)?.count(&Query::default())?, 3);
    fs::write(&text, "not a database")?;
    for kept in [&copy, &text] {
        let before = fs::read(kept)?;
        assert_eq!(kind(database.back_up(kept)), Some(ErrorKind::Refused));
        assert_eq!(kind(database.repair(kept)), Some(ErrorKind::Refused));
        assert_eq!(fs::read(kept)?, before);
    }
    assert_eq!(
        kind(database.merge(&database, DuplicateAction::default())),
        Some(ErrorKind::Refused)
    );
    let nowhere = folder.path().join("none").join("copy.plydex");
    assert_eq!(kind(database.back_up(nowhere)), Some(ErrorKind::NotFound));
    Ok(())
}

#[test]
fn errors_say_what_they_are_about() {
    let (folder, database) = database();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("text.db"), "[Event \"x\"]\n").expect("a file");
    assert_eq!(
        kind(Database::open(path("none.db"))),
        Some(ErrorKind::NotFound)
    );
    assert_eq!(
        kind(Database::open(path("text.db"))),
        Some(ErrorKind::NotADatabase)
    );
    let missing: [PathBuf; 1] = [path("none.pgn")];
    let nothing = Database::at(path("new.db")).import(missing, &ImportOptions::default());
    assert_eq!(kind(nothing), Some(ErrorKind::Source));
    assert!(
        !path("new.db").exists(),
        "nothing is left of an import without games"
    );
    assert_eq!(
        kind(database.sql("DELETE FROM game_row")),
        Some(ErrorKind::Statement)
    );
    let error = "mate last:".parse::<Query>().expect_err("no query");
    assert!(error.span.end > 0 && !error.message.is_empty());
}

#[test]
fn games_of_a_text_need_no_database() -> Result<(), Error> {
    let text = "[Event \"a\"]\n\n1. e4 e5 2. Ke3 { no such move *\n\n[Event \"b\"]\n\n1. d4 *\n";
    let read = plydex::read_games(Cursor::new(text))?.collect::<Result<Vec<_>, _>>()?;
    let plies: Vec<_> = read
        .iter()
        .map(|(game, _)| game.positions().count())
        .collect();
    assert_eq!(plies[0], 2);
    let codes: Vec<_> = read[0].1.iter().map(|found| found.code.as_str()).collect();
    assert!(codes.contains(&"illegal-move"), "{codes:?}");
    // Thousands come while the text is still read; the first is there before the last.
    let many: String = (0..5000)
        .map(|n| format!("[Round \"{n}\"]\n\n1. e4 *\n\n"))
        .collect::<Vec<_>>()
        .concat();
    let mut games = plydex::read_games(Cursor::new(many))?;
    let (first, _) = games.next().expect("a game")?;
    assert_eq!((first.id(), first.tag("Round")), (1, Some("0")));
    assert_eq!(games.count(), 4999);
    let mut none = plydex::read_games(Cursor::new("no games here"))?;
    assert_eq!(none.next().and_then(kind), Some(ErrorKind::Source));
    assert!(none.next().is_none());
    Ok(())
}

/// The front page stays small: at most 150 names.
#[test]
fn the_interface_has_few_names() {
    let text = fs::read_to_string(root().join("src/lib.rs")).expect("lib.rs");
    let text = &text[text.find("pub use base::observe").expect("the interface")..];
    let is_name = |word: &&str| word.chars().all(|c| c.is_alphanumeric() || c == '_');
    let of_use = |part: &str| -> usize {
        let names = part.split_once(';').map_or(part, |(names, _)| names);
        let names = names
            .split([',', '{', '}'])
            .map(|name| name.rsplit("::").next());
        names
            .flatten()
            .map(str::trim)
            .filter(|name| !name.is_empty())
            .filter(is_name)
            .count()
    };
    let names: usize = text.split("pub use ").skip(1).map(of_use).sum();
    assert!((80..=150).contains(&names), "{names}");
}
