//! Queries that other programs have published, and the counts that python-chess has for them.

use std::{
    collections::BTreeMap,
    fs,
    io::{Read as _, Write as _},
    process::Command,
};

use {
    crate::support::{Base, beside, every_game, root, skip, vector},
    plydex::{
        query::{GameCondition, Ranges, pattern::parser},
        search::{self, AccessPlan, ColumnUse, GameConditions, PatternQuery},
    },
};

/// How many games of the shared archive have counts. python-chess reads 2,500 there: it ends two of
/// them at a blank line between tags and moves that it does not expect, and begins another.
const SHARED_GAMES: u64 = 2_498;
/// Bytes that have these games.
const SHARED_BYTES: u64 = 3_000_000;

/// A query with its counts.
struct Row {
    name: String,
    query: String,
    own: u64,
    shared: u64,
}

impl Row {
    /// The name that its definition has: a query that is written in two ways has one.
    fn defined(&self) -> &str {
        self.name.strip_suffix(", brackets").unwrap_or(&self.name)
    }
}

fn rows() -> Vec<Row> {
    let text = vector("published_queries.tsv");
    let lines = text.lines().filter(|line| !line.starts_with('#')).skip(1);
    let row = |line: &str| {
        let cells: Vec<&str> = line.split('\t').collect();
        let [name, query, own, shared] = cells[..] else {
            panic!("four cells: {line}");
        };
        Row {
            name: name.to_owned(),
            query: query.to_owned(),
            own: own.parse().expect("a number"),
            shared: shared.parse().expect("a number"),
        }
    };
    lines.map(row).collect()
}

/// The number of games, as the index has it and by a look at all.
fn counts(base: &Base, query: &str, filter: &GameConditions) -> [u64; 2] {
    let expr = parser::parse(query).expect(query);
    [ColumnUse::Always, ColumnUse::Never].map(|columns| {
        let mut asked = PatternQuery {
            columns,
            ..PatternQuery::of(query, expr.clone())
        };
        search::prepare(&base.store, (filter, None), &mut asked)
            .expect("a database")
            .expect(query);
        let query = AccessPlan {
            pattern: Some(asked),
            conditions: filter.clone(),
            ..AccessPlan::default()
        };
        search::count(&base.store, &query).expect("a number")
    })
}

/// Compares the counts of all queries; how many there were.
fn compare(base: &Base, filter: &GameConditions, expected: impl Fn(&Row) -> u64) -> usize {
    let (mut compared, mut wrong) = (0, Vec::new());
    for row in &rows() {
        let (found, expected) = (counts(base, &row.query, filter), expected(row));
        compared += 1;
        if found != [expected; 2] {
            wrong.push(format!(
                "{}: {found:?}, not {expected}: {}",
                row.name, row.query
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    compared
}

/// Says what was done, past the harness, which would keep it to itself.
fn say(what: &str) {
    let _ = writeln!(std::io::stderr(), "{what}");
}

#[test]
fn published_queries_find_their_games() {
    let games = root().join("tests/data/published_queries.pgn");
    let base = Base::new();
    base.import(&[games], every_game());
    let compared = compare(&base, &GameConditions::default(), |row| row.own);
    say(&format!("published queries: {compared} counts compared"));
    assert!(compared >= 58, "{compared}");
    // Each of them finds something here, so that a query that is never met is noticed.
    for row in rows() {
        assert!(row.own > 0, "{}", row.name);
    }
}

#[test]
fn published_queries_find_the_games_of_a_shared_archive() {
    let name = "published_queries_find_the_games_of_a_shared_archive";
    let Some(path) = beside("corpora/chess/otb.pgn.zst", name) else {
        return;
    };
    let file = fs::File::open(path).expect("an archive");
    let mut first = Vec::new();
    let unpacked = zstd::Decoder::new(file).expect("zstd");
    let read = unpacked.take(SHARED_BYTES).read_to_end(&mut first);
    read.expect("games");
    let base = Base::new();
    base.import_text(&first, every_game());
    assert!(base.store.last_game().expect("a number") > SHARED_GAMES);
    let filter = GameConditions::of([GameCondition::Number(Ranges::of(1, SHARED_GAMES))]);
    let compared = compare(&base, &filter, |row| row.shared);
    say(&format!(
        "published queries: {compared} counts of the shared archive compared"
    ));
}

/// The counts of the table are those of python-chess, where it is there.
#[test]
fn counts_of_published_queries_are_those_of_python_chess() {
    let name = "counts_of_published_queries_are_those_of_python_chess";
    let python = |args: &[&str]| Command::new("python3").args(args).output();
    let has_chess = python(&["-c", "import chess"]).is_ok_and(|ran| ran.status.success());
    if !has_chess {
        return skip(name, "python-chess is not there");
    }
    let [script, games] = [
        "tests/published_queries.py",
        "tests/data/published_queries.pgn",
    ]
    .map(|path| root().join(path).to_string_lossy().into_owned());
    let ran = python(&[&script, &games]).expect("python runs");
    assert!(
        ran.status.success(),
        "{}",
        String::from_utf8_lossy(&ran.stderr)
    );
    let said = String::from_utf8(ran.stdout).expect("text");
    let counts = said.lines().map(|line| {
        let (name, count) = line.split_once('\t').expect("a name and a number");
        (name, count.parse::<u64>().expect("a number"))
    });
    let mut counts: BTreeMap<&str, u64> = counts.collect();
    let rows = rows();
    for row in &rows {
        let count = counts.get(row.defined());
        assert_eq!(count, Some(&row.own), "{}", row.name);
    }
    say(&format!(
        "published queries: {} counts of python-chess compared",
        rows.len()
    ));
    counts.retain(|name, _| rows.iter().all(|row| row.defined() != *name));
    assert!(counts.is_empty(), "definitions without a query: {counts:?}");
}
