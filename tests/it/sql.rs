//! `plydex sql` and `plydex unpack`: what is packed in games, as tables.

use std::{path::Path, process::Command};

use rusqlite::Connection;

use {
    crate::support::{Base, Ran, plydex, root, run, skip},
    plydex::{base::record::MovetextItem, import::ImportOptions},
};

/// A game with everything that the tables have, nested twice.
const NESTED: &str = r#"[White "A"]
[Black "B"]
[WhiteElo "2710"]

{before} 1. e4 {[%clk 1:30:05.5] [%eval 0.31,18] best} e5 $1 (1... c5 $6 2. Nf3 {open
line} (2. c3 d5 (2... Nf6 {[%emt 0:00:07]} 3. e5)) 2... d6) (1... e6) 2. Nf3 ; to the end
2... Nc6 $14 {[%eval #-3]} 3. Bb5 a6 1-0

[White "C"]
[Black "D"]
[WhiteElo "2400"]

1. d4 d5 {quiet} 1/2-1/2
"#;

fn sql(db: &Path, statement: &str) -> Ran {
    run(db, &["sql", "--format", "csv", "-q", statement])
}

/// The rows of an answer, without the names of its columns.
fn rows(db: &Path, statement: &str) -> Vec<String> {
    let ran = sql(db, statement);
    assert_eq!(ran.err, "", "{statement}");
    ran.out.lines().skip(1).map(str::to_owned).collect()
}

/// The columns of a table of a plain file, as texts.
fn read(file: &Path, statement: &str) -> Vec<Vec<String>> {
    let file = Connection::open(file).expect("a database");
    let mut statement = file.prepare(statement).expect("a statement");
    let columns = statement.column_count();
    let read = statement.query_map([], |row| {
        (0..columns)
            .map(|column| {
                Ok(match row.get_ref(column)? {
                    rusqlite::types::ValueRef::Null => String::new(),
                    rusqlite::types::ValueRef::Integer(number) => number.to_string(),
                    rusqlite::types::ValueRef::Real(number) => format!("{number:?}"),
                    other => other.as_str().expect("a text").to_owned(),
                })
            })
            .collect()
    });
    read.expect("rows").map(|row| row.expect("a row")).collect()
}

#[test]
fn every_table_has_the_rows_of_a_nested_game() {
    let base = Base::of(NESTED.as_bytes());
    let db = base.store.path();
    let comments = "SELECT path, ply, replace(text, char(10), '|'), kind FROM comments(1)";
    assert_eq!(
        rows(db, comments),
        [
            ",0,before,brace",
            ",1,\"[%clk 1:30:05.5] [%eval 0.31,18] best\",brace",
            "2.1,3,open|line,brace",
            "2.1/3.1/4.1,4,[%emt 0:00:07],brace",
            ",3, to the end,line",
            ",4,[%eval #-3],brace",
        ]
    );
    assert_eq!(
        rows(db, "SELECT path, ply, nag FROM nags WHERE game = 1"),
        [",2,1", "2.1,2,6", ",4,14"]
    );
    let inner = "2. c3 d5 (2... Nf6 {[%emt 0:00:07]} 3. e5)";
    assert_eq!(
        rows(
            db,
            "SELECT path, ply, depth, replace(text, char(10), '|') FROM variations"
        ),
        [
            format!("2.1,2,1,1... c5 $6 2. Nf3 {{open|line}} ({inner}) 2... d6"),
            format!("2.1/3.1,3,2,{inner}"),
            "2.1/3.1/4.1,4,3,2... Nf6 {[%emt 0:00:07]} 3. e5".to_owned(),
            "2.2,2,1,1... e6".to_owned(),
        ]
    );
    assert_eq!(
        rows(
            db,
            "SELECT path, ply, move, uci FROM moves WHERE game < 2 AND (path <> '' OR ply > 4)"
        ),
        [
            "2.1,2,c5,c7c5",
            "2.1,3,Nf3,g1f3",
            "2.1/3.1,3,c3,c2c3",
            "2.1/3.1,4,d5,d7d5",
            "2.1/3.1/4.1,4,Nf6,g8f6",
            "2.1/3.1/4.1,5,e5,e4e5",
            "2.1,4,d6,d7d6",
            "2.2,2,e6,e7e6",
            ",5,Bb5,f1b5",
            ",6,a6,a7a6",
        ]
    );
    assert_eq!(
        rows(db, "SELECT * FROM clocks"),
        ["1,,1,5405.5,clk", "1,2.1/3.1/4.1,4,7.0,emt"]
    );
    assert_eq!(
        rows(db, "SELECT * FROM evals"),
        ["1,,1,0.31,,18", "1,,4,,-3,"]
    );
    // A comment and the move before it share path and ply.
    assert_eq!(
        rows(
            db,
            "SELECT move FROM comments c JOIN moves m USING (game, path, ply) WHERE m.game = 1"
        ),
        ["e4", "Nf3", "Nf6", "Nf3", "Nc6"]
    );
}

#[test]
fn games_are_chosen_by_conditions_and_joins() {
    let base = Base::of(NESTED.as_bytes());
    let db = base.store.path();
    let count = |condition: &str| {
        let statement = format!("SELECT count(*) FROM comments {condition}");
        rows(db, &statement)[0].parse::<u64>().expect("a number")
    };
    assert_eq!(count(""), 7);
    for (condition, found) in [
        ("WHERE game = 1", 6),
        ("WHERE game = '2'", 1),
        ("WHERE game = 1.5", 0),
        ("WHERE game > 1.5", 1),
        ("WHERE game >= 1.5", 1),
        ("WHERE game <= 1.5", 6),
        ("WHERE game < 2", 6),
        ("WHERE game BETWEEN 1 AND 2", 7),
        ("WHERE game IN (1, 2, 9)", 7),
        ("WHERE game = 1 OR game = 2", 7),
        ("WHERE game = 0", 0),
        ("WHERE game = 3", 0),
        ("WHERE game = -1", 0),
        ("WHERE game > 9223372036854775806", 0),
        ("WHERE game IS NULL", 0),
        ("WHERE game = NULL", 0),
        ("WHERE game <> 1", 1),
        ("(2)", 1),
        ("(2) WHERE game = 1", 0),
        ("(NULL)", 0),
    ] {
        assert_eq!(count(condition), found, "{condition}");
    }
    let join =
        "SELECT g.id, count(*) FROM game g, comments c WHERE c.game = g.id AND g.white_elo > 2700";
    assert_eq!(rows(db, join), ["1,6"]);
    // By its number, not by going through all games for each.
    let plan = rows(db, &format!("EXPLAIN QUERY PLAN {join}")).join("\n");
    assert!(
        plan.contains("SCAN g") && plan.contains("SCAN c VIRTUAL TABLE INDEX 3:"),
        "{plan}"
    );
    let ordered = "SELECT game FROM comments ORDER BY game DESC LIMIT 1";
    assert_eq!(rows(db, ordered), ["2"]);
    let plan = rows(db, "EXPLAIN QUERY PLAN SELECT * FROM nags ORDER BY game").join("\n");
    assert!(!plan.contains("TEMP B-TREE"), "{plan}");
}

#[test]
fn positions_are_found_as_a_search_finds_them() {
    let base = Base::of(NESTED.as_bytes());
    let db = base.store.path();
    assert_eq!(rows(db, "SELECT * FROM positions('e4 e5')"), ["1,2,Nf3,0"]);
    assert_eq!(
        rows(
            db,
            "SELECT game, ply, next_move, in_variation FROM positions('1. e4 c5')"
        ),
        ["1,2,Nf3,1"]
    );
    assert_eq!(
        rows(
            db,
            "SELECT game, next_move FROM positions WHERE fen = 'd4 d5'"
        ),
        ["2,"]
    );
    assert!(rows(db, "SELECT * FROM positions(NULL)").is_empty());
    let by_column = "WITH asked (text) AS (VALUES ('e4'), ('d4'), ('c4')) \
        SELECT text, game FROM asked, positions(asked.text)";
    assert_eq!(rows(db, by_column), ["e4,1", "d4,2"]);
    // Games that reach two positions: the second is asked of each game of the first.
    let both = "SELECT a.game, a.ply, b.ply, b.in_variation \
        FROM positions('e4') a JOIN positions('1. e4 c5') b USING (game)";
    assert_eq!(rows(db, both), ["1,1,2,1"]);
    let plan = rows(db, &format!("EXPLAIN QUERY PLAN {both}")).join("\n");
    assert!(plan.contains("SCAN b VIRTUAL TABLE INDEX 2:"), "{plan}");
    for (game, found) in [
        ("1", 1),
        ("2", 0),
        ("9", 0),
        ("-1", 0),
        ("NULL", 0),
        ("'1'", 1),
        ("1.0", 1),
        ("1.5", 0),
    ] {
        let one = format!("SELECT count(*) FROM positions('e4') WHERE game = {game}");
        assert_eq!(rows(db, &one), [found.to_string()], "{game}");
    }
    let samples = Base::new();
    samples.import(&[root().join("sample-data")], ImportOptions::default());
    for moves in ["e4", "e4 e5", "d4 d5 c4", "32-28"] {
        let statement = format!("SELECT count(*) FROM positions('{moves}') WHERE NOT in_variation");
        let found = run(samples.store.path(), &["search", moves, "--count"]);
        assert_eq!(
            rows(samples.store.path(), &statement)[0],
            found.out.trim(),
            "{moves}"
        );
    }
}

/// The samples as the library gives them, item by item, against the tables.
#[test]
fn main_lines_agree_with_the_games_that_are_shown() {
    let base = Base::new();
    base.import(&[root().join("sample-data")], ImportOptions::default());
    let file = base.folder().join("tables.db");
    let out = file.to_str().expect("UTF-8");
    let ran = run(base.store.path(), &["unpack", "--moves", "--output", out]);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    let (mut moves, mut comments, mut nags, mut variations) = (vec![], vec![], vec![], vec![]);
    for game in base.games() {
        let (id, mut ply) = (game.header.id.to_string(), 0);
        for item in game.items {
            ply += usize::from(matches!(item, MovetextItem::Move(_)));
            let row = |text: String| vec![id.clone(), ply.to_string(), text];
            match item {
                MovetextItem::Move(text) => moves.push(row(text)),
                MovetextItem::Comment(text) | MovetextItem::LineComment(text) => {
                    comments.push(row(text));
                }
                MovetextItem::Nag(number) => nags.push(row(number.to_string())),
                MovetextItem::Variation(text) => variations.push(row(text)),
                MovetextItem::Word(_) | MovetextItem::Rest(_) => {}
            }
        }
    }
    assert!(moves.len() > 5000 && comments.len() > 40 && nags.len() > 80 && variations.len() > 5);
    let table = |columns: &str, table: &str| {
        let order = format!("SELECT game, ply, {columns} FROM {table} ORDER BY rowid");
        read(&file, &order)
    };
    assert_eq!(table("move", "moves WHERE path = ''"), moves);
    assert_eq!(table("text", "comments WHERE path = ''"), comments);
    assert_eq!(table("nag", "nags WHERE path = ''"), nags);
    assert_eq!(table("text", "variations WHERE depth = 1"), variations);
    // The games are those of the view, and the file has what statements give.
    let columns = "game, white, black, event, site, date, round, result, white_elo, black_elo, \
        eco, plies, variant, start_fen, opening_eco, opening_name";
    let listed = &format!("SELECT {columns} FROM games ORDER BY game");
    let view = &format!("SELECT {columns} FROM game_list ORDER BY game");
    assert_eq!(read(&file, listed), read(base.store.path(), view));
    for name in ["comments", "nags", "variations", "moves"] {
        let count = format!("SELECT count(*) FROM {name}");
        let here = &read(&file, &count)[0];
        assert_eq!(rows(base.store.path(), &count), here[..], "{name}");
    }
}

#[test]
fn positions_are_those_of_games_that_are_played_by_their_rules() {
    let game = |variant: &str| format!("[Variant \"{variant}\"]\n\n1. e4 e5 *\n\n");
    let games = ["Standard", "Crazyhouse", "Chess960", "Atomic"].map(game);
    let base = Base::of(games.concat().as_bytes());
    let db = base.store.path();
    for asked in ["e4 e5", "e4"] {
        let searched = run(db, &["search", asked, "--count"]).out;
        let counted = rows(db, &format!("SELECT count(*) FROM positions('{asked}')"));
        assert_eq!(counted, [searched.trim()], "{asked}");
        let one_by_one =
            "SELECT g.id FROM game g JOIN positions('e4') p ON p.game = g.id ORDER BY 1";
        assert_eq!(rows(db, one_by_one), ["1", "3"]);
    }
    // Where a database has none of the rules that are typed, the games on that board are asked.
    let czech = "[GameType \"29\"]\n\n1. c3-d4 *\n\n";
    let base = Base::of(format!("{}{czech}", game("Atomic")).as_bytes());
    let db = base.store.path();
    let diagram = "W:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12";
    let searched = run(db, &["search", diagram, "--count"]).out;
    let counted = rows(db, &format!("SELECT count(*) FROM positions('{diagram}')"));
    assert_eq!(counted, [searched.trim()]);
}

#[test]
fn columns_have_types() {
    let base = Base::of(NESTED.as_bytes());
    let file = base.folder().join("tables.db");
    let out = file.to_str().expect("UTF-8");
    assert_eq!(
        run(base.store.path(), &["unpack", "--output", out]).status,
        Some(0)
    );
    let types = "SELECT t.name, c.name FROM sqlite_schema t, pragma_table_info(t.name) c \
        WHERE t.type IN ('table', 'view') AND c.type = ''";
    for database in [&file, base.store.path()] {
        assert_eq!(read(database, types), Vec::<Vec<String>>::new());
    }
    let tables = read(
        &file,
        "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY 1",
    );
    let tables: Vec<&str> = tables.iter().map(|row| &row[0][..]).collect();
    assert_eq!(
        tables,
        ["clocks", "comments", "evals", "games", "nags", "variations"]
    );
    assert_eq!(
        read(&file, "SELECT seconds, typeof(seconds) FROM clocks"),
        [["5405.5", "real"], ["7.0", "real"]]
    );
}

#[test]
fn an_existing_file_is_unpacked_over_only_by_force() {
    let base = Base::of(NESTED.as_bytes());
    let file = base.folder().join("tables.db");
    std::fs::write(&file, "old").expect("a file");
    let out = file.to_str().expect("UTF-8");
    let ran = run(base.store.path(), &["unpack", "--output", out]);
    assert_eq!(ran.status, Some(2), "{ran:?}");
    assert!(
        ran.err.contains("already exists") && ran.err.contains("--force"),
        "{ran:?}"
    );
    assert_eq!(std::fs::read(&file).expect("a file"), b"old");
    let ran = run(base.store.path(), &["unpack", "--force", "--output", out]);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    assert_eq!(read(&file, "SELECT count(*) FROM comments"), [["7"]]);
    // Whatever goes through a file of its own.
    let packed = base.folder().join("tables.db.zst");
    let out = packed.to_str().expect("UTF-8");
    assert_eq!(
        run(base.store.path(), &["unpack", "--output", out]).status,
        Some(0)
    );
    let unpacked = zstd::decode_all(&std::fs::read(&packed).expect("a file")[..]).expect("zstd");
    assert_eq!(unpacked, std::fs::read(&file).expect("a file"));
}

#[test]
fn only_one_statement_that_reads_is_run() {
    let base = Base::of(NESTED.as_bytes());
    let db = base.folder().join("copy.db");
    let copy = db.to_str().expect("UTF-8");
    assert_eq!(run(base.store.path(), &["backup", copy]).status, Some(0));
    let content = || {
        let all = [
            "SELECT name, sql FROM sqlite_schema ORDER BY name",
            "SELECT * FROM game_list ORDER BY game",
            "SELECT * FROM player ORDER BY id",
            "PRAGMA user_version",
            "PRAGMA journal_mode",
        ];
        all.map(|statement| read(&db, statement))
    };
    let before = content();
    for (statement, said) in [
        ("DELETE FROM game", "only statements that read are run"),
        ("DELETE FROM game_row", "would delete rows of game_row"),
        (
            "UPDATE game_row SET eco = 'A00'",
            "would update rows of game_row",
        ),
        (
            "INSERT INTO player VALUES (9, 'x')",
            "would insert rows into player",
        ),
        ("DROP TABLE game_row", "would"),
        ("DROP TABLE game", "only statements that read are run"),
        ("CREATE TEMP TABLE x (y)", "would"),
        ("PRAGMA journal_mode = WAL", "would use PRAGMA journal_mode"),
        ("PRAGMA query_only = 0", "would use PRAGMA query_only"),
        ("PRAGMA user_version = 7", "would use PRAGMA user_version"),
        ("ATTACH 'other.db' AS o", "would attach other.db"),
        ("VACUUM", "would change the database"),
        ("VACUUM INTO 'other.db'", "would change the database"),
        ("COMMIT", "would begin or end a transaction"),
        ("SELECT 1; SELECT 2", "more than one statement"),
        ("SELECT 1; DROP TABLE player", "would"),
        ("", "the statement is empty"),
        (" -- nothing", "the statement is empty"),
        ("SELECT ?1", "parameters"),
        ("SELEC 1", "near \"SELEC\": syntax error"),
        (
            "SELECT elo FROM game",
            "hint: game has the columns id, white",
        ),
        (
            "SELECT a FROM comments",
            "hint: comments has the columns game, path, ply, text, kind",
        ),
        (
            "SELECT * FROM nagz",
            "variations, moves, clocks, evals, results, positions",
        ),
        ("SELECT * FROM positions", "positions needs a position"),
        (
            "SELECT * FROM positions('zz9')",
            "`zz9` is neither a FEN nor a move",
        ),
        ("SELECT abs('x', 1)", "wrong number of arguments"),
    ] {
        let ran = sql(&db, statement);
        assert_eq!(
            (ran.status, &ran.out[..]),
            (Some(2), ""),
            "{statement}: {ran:?}"
        );
        assert!(
            ran.err.contains(said) && ran.err.contains("hint: "),
            "{statement}: {}",
            ran.err
        );
    }
    assert_eq!(content(), before);
    assert!(!Path::new("other.db").exists());
    assert_eq!(sql(&db, "SELECT 1;  -- one").out, "1\n1\n");
    assert_eq!(sql(&db, "PRAGMA user_version").status, Some(0));
    assert_eq!(sql(&db, "SELECT 1 WHERE 0").status, Some(1));
}

#[test]
fn a_statement_may_come_from_standard_input() {
    let base = Base::of(NESTED.as_bytes());
    let question = base.folder().join("query.sql");
    std::fs::write(&question, "SELECT count(*) AS n\n  FROM moves;\n").expect("a file");
    let mut command = plydex(base.store.path(), &["sql", "--format", "jsonl", "-"]);
    let stdin = std::fs::File::open(&question).expect("a file");
    let ran: Ran = command.stdin(stdin).output().expect("a run").into();
    assert_eq!(
        (ran.status, &ran.out[..]),
        (Some(0), "{\"n\":16}\n"),
        "{ran:?}"
    );
}

/// Damage ends a statement with an error, and never as if there were fewer rows.
#[test]
fn damage_is_an_error_of_the_statement() {
    let base = Base::of(NESTED.as_bytes());
    let db = base.folder().join("copy.db");
    let copy = db.to_str().expect("UTF-8");
    assert_eq!(run(base.store.path(), &["backup", copy]).status, Some(0));
    let file = Connection::open(&db).expect("a database");
    file.execute_batch("UPDATE text_block SET data = zeroblob(length(data))")
        .expect("damage");
    drop(file);
    for statement in ["SELECT * FROM comments", "SELECT count(*) FROM comments(1)"] {
        let ran = sql(&db, statement);
        assert_eq!(ran.status, Some(2), "{ran:?}");
        assert!(
            ran.err.contains("damaged") && ran.err.contains("plydex check"),
            "{ran:?}"
        );
    }
    let out = base.folder().join("tables.db");
    let ran = run(&db, &["unpack", "--output", out.to_str().expect("UTF-8")]);
    assert_eq!(ran.status, Some(2), "{ran:?}");
    assert!(ran.err.contains("damaged") && !out.exists(), "{ran:?}");
}

/// The first Ctrl-C ends a statement that would take hours.
#[cfg(unix)]
#[test]
fn ctrl_c_ends_a_statement() {
    let base = Base::new();
    base.import(&[root().join("sample-data")], ImportOptions::default());
    let statement = "SELECT sum(a.ply * b.ply * c.ply) FROM moves a, moves b, moves c";
    let mut child = plydex(base.store.path(), &["sql", statement])
        .spawn()
        .expect("the program runs");
    std::thread::sleep(std::time::Duration::from_millis(500));
    assert!(
        child.try_wait().expect("a child").is_none(),
        "it takes long"
    );
    let kill = std::process::Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(kill.expect("kill").success());
    let ran: Ran = child.wait_with_output().expect("its end").into();
    assert_eq!((ran.status, &ran.out[..]), (Some(2), ""), "{ran:?}");
    assert!(ran.err.contains("interrupted"), "{ran:?}");
}

/// Who won, and how it was written: the same wherever it is shown. In English draughts Black,
/// who begins, is named first.
#[test]
fn results_of_draughts_are_shown_alike() {
    let game = |kind: u8, result: &str, moves: &str| {
        format!("[GameType \"{kind}\"]\n[Result \"{result}\"]\n\n1. {moves} {result}\n\n")
    };
    let base = Base::of(
        [
            game(20, "2-0", "32-28 19-23"),
            game(20, "0-1", "32-28 19-23"),
            game(20, "1-1", "32-28 19-23"),
            game(21, "0-1", "11-15 23-19"),
            game(21, "1-0", "11-15 23-19"),
            game(40, "*", "32-28 19-23"),
            "[Result \"1-0\"]\n\n1. e4 e5 1-0\n\n".to_owned(),
        ]
        .concat()
        .as_bytes(),
    );
    let expected = [
        ["1-0", "2-0"],
        ["0-1", "0-1"],
        ["1/2-1/2", "1-1"],
        ["1-0", "0-1"],
        ["0-1", "1-0"],
        ["*", "*"],
        ["1-0", "1-0"],
    ];
    let db = base.store.path();
    let told = |columns: &str, from: &str| {
        let asked = format!("SELECT {columns} FROM {from} ORDER BY game");
        let cells = |row: &String| row.split(',').map(str::to_owned).collect::<Vec<_>>();
        rows(db, &asked).iter().map(cells).collect::<Vec<_>>()
    };
    assert_eq!(told("result, result_written", "game_list"), expected);
    assert_eq!(told("result, result_written", "results"), expected);
    let file = base.folder().join("tables.db");
    let out = file.to_str().expect("UTF-8");
    assert_eq!(run(db, &["unpack", "--output", out]).status, Some(0));
    let unpacked = "SELECT result, result_written FROM games ORDER BY game";
    assert_eq!(read(&file, unpacked), expected);
    let json = run(db, &["search", "--limit", "0", "--format", "json"]).out;
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    let csv = run(db, &["search", "--limit", "0", "--format", "csv"]).out;
    let csv: Vec<&str> = csv.lines().collect();
    let at = |name: &str| csv[0].split(',').position(|own| own == name);
    let at = ["result", "result_written"].map(|name| at(name).expect("a column"));
    let table = run(db, &["search", "--limit", "0"]).out;
    for (game, [result, written]) in expected.into_iter().enumerate() {
        let hit = &json["hits"][game];
        assert_eq!(hit["result"], result);
        assert_eq!(hit["result_written"], written);
        let cells: Vec<&str> = csv[game + 1].split(',').collect();
        assert_eq!(at.map(|at| cells[at]), [result, written]);
        let number = (game + 1).to_string();
        let whole = run(db, &["show", &number, "--format", "json"]).out;
        let whole: serde_json::Value = serde_json::from_str(&whole).expect("JSON");
        assert_eq!(whole["header"]["result_written"], written);
        assert_eq!(
            (&whole["result"], &whole["result_written"]),
            (&result.into(), &written.into())
        );
        let both = format!("{} ({written})", result.replace("1/2-1/2", "½-½"));
        assert_eq!(table.contains(&both), result != written, "{table}");
        let shown = run(db, &["show", &number]).out;
        let winner = match result {
            "1-0" => "(White won)",
            "0-1" => "(Black won)",
            _ => "(drawn)",
        };
        assert_eq!(shown.contains(winner), result != written, "{shown}");
    }
}

/// A short statement can ask for more than there is memory: each bound is an error that names it.
#[test]
fn statements_that_need_too_much_are_refused_with_the_bound() {
    const VALUE: &str = "a text or blob has more than 64 MiB";
    const ROW: &str = "row 1 of the answer has more than 16 MiB";
    const MEMORY: &str = "the statement needs more memory than 128 MiB";
    const NUMBERS: &str = "WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM n LIMIT";
    let base = Base::of(NESTED.as_bytes());
    let db = base.store.path();
    let [texts, array, columns] = [
        format!("{NUMBERS} 9999) SELECT length(group_concat(hex(zeroblob(9000)))) FROM n"),
        format!("{NUMBERS} 9999) SELECT length(json_group_array(hex(zeroblob(9000)))) FROM n"),
        format!("SELECT {}", ["randomblob(30000000)"; 9].join(", ")),
    ];
    let cases = [
        ("SELECT hex(zeroblob(400000000))", VALUE),
        ("SELECT randomblob(1000000000)", VALUE),
        ("SELECT length(printf('%.*c', 1000000000, 'x'))", VALUE),
        (
            "SELECT replace(hex(zeroblob(20000000)), '00', 'abcd')",
            VALUE,
        ),
        (&texts, VALUE),
        (&array, MEMORY),
        (&columns, MEMORY),
        ("SELECT zeroblob(17000000)", ROW),
        ("SELECT hex(zeroblob(6000000)), hex(zeroblob(6000000))", ROW),
    ];
    for (statement, bound) in cases {
        for format in ["table", "json", "csv"] {
            let ran = run(db, &["sql", "--format", format, statement]);
            assert_eq!(ran.status, Some(2), "{statement}: {}", ran.err);
            assert!(ran.err.contains(bound), "{statement}: {}", ran.err);
            assert!(ran.err.contains("substr()"), "{}", ran.err);
        }
    }
    // What is within the bounds, or only sorted, is answered.
    let sorted = format!(
        "{NUMBERS} 100) SELECT i, length(b) FROM (SELECT i, randomblob(3000000) AS b FROM n \
         ORDER BY b) ORDER BY i LIMIT 1"
    );
    for (statement, answer) in [
        ("SELECT length(hex(zeroblob(30000000)))", "60000000"),
        (&sorted, "1,3000000"),
    ] {
        assert_eq!(rows(db, statement), [answer], "{statement}");
    }
    let long = run(
        db,
        &["sql", "--format", "csv", "SELECT hex(zeroblob(8000000))"],
    );
    assert_eq!(long.out.lines().nth(1).map(str::len), Some(16_000_000));
}

const DUCKDB: &str = r#"
import sys, sqlite3, duckdb
try:
    from duckdb_extensions import import_extension
    import_extension("sqlite_scanner")
except ImportError:
    pass
duck = duckdb.connect()
duck.execute("LOAD sqlite_scanner")
duck.execute(f"ATTACH '{sys.argv[1]}' AS games (TYPE sqlite, READ_ONLY)")
lite = sqlite3.connect(sys.argv[1])
for view, order in [("game_list", "game"), ("game", "id"), ("problem_list", "game"),
                    ("tag", "CAST(game AS BIGINT), CAST(ordinal AS BIGINT)")]:
    rows = [[tuple(map(str, row)) for row in rows.fetchall()] for rows in (
        lite.execute(f"SELECT * FROM {view} ORDER BY {order}"),
        duck.execute(f"SELECT * FROM games.{view} ORDER BY {order}"))]
    print(view, len(rows[0]), "alike" if rows[0] == rows[1] else "different")
"#;

/// `DuckDB` makes views its own, and means other things by some words of SQLite.
#[test]
fn duckdb_reads_the_views_as_sqlite_does() {
    let folder = tempfile::tempdir().expect("a folder");
    let db = folder.path().join("games.db");
    let samples = root().join("sample-data");
    let imported = run(&db, &["import", samples.to_str().expect("a name")]);
    assert_eq!(imported.status, Some(0), "{}", imported.err);
    let probe = Command::new("python3")
        .args(["-c", "import duckdb; duckdb.connect()"])
        .status();
    if !probe.is_ok_and(|status| status.success()) {
        return skip(
            "duckdb_reads_the_views_as_sqlite_does",
            "DuckDB is not there",
        );
    }
    let ran = Command::new("python3")
        .args(["-c", DUCKDB])
        .arg(&db)
        .output()
        .expect("Python");
    let (out, err) = (
        String::from_utf8_lossy(&ran.stdout),
        String::from_utf8_lossy(&ran.stderr),
    );
    if err.contains("Failed to download extension") || err.contains("not found") {
        return skip(
            "duckdb_reads_the_views_as_sqlite_does",
            "its extension for SQLite is not there",
        );
    }
    assert_eq!(
        out.lines().filter(|line| line.ends_with("alike")).count(),
        4,
        "{out}{err}"
    );
}
