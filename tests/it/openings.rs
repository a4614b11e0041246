//! Openings by position: what is stored and asked for, against shakmaty and the tables of names alone.

use std::{
    collections::{BTreeSet, HashMap},
    fmt::Write as _,
    path::Path,
    sync::OnceLock,
};

use serde_json::Value;
use shakmaty::{
    Bitboard, ByColor, CastlingMode, Chess, EnPassantMode, FromSetup, Position, Setup,
    fen::{Epd, Fen},
    san::{San, SanPlus},
    variant::{Crazyhouse, KingOfTheHill, ThreeCheck, VariantPosition},
};

use {
    crate::{
        faults::{assert_trouble, text},
        support::{Base, every_game, root, run, sqlite},
    },
    plydex::{
        base::record::{GameRecord, MovetextItem},
        search::{self, AccessPlan, MoveNotation},
        store::StoreError,
    },
};

/// Code and name.
pub(crate) type Name = (String, String);

/// The plies of the longest line of the tables.
const PLIES_MAX: usize = 36;

/// The names of positions as the tables have them.
fn names() -> &'static HashMap<String, Name> {
    static NAMES: OnceLock<HashMap<String, Name>> = OnceLock::new();
    NAMES.get_or_init(|| {
        let mut names = HashMap::new();
        for table in ["a", "b", "c", "d", "e"] {
            let path = root().join(format!("src/games/chess/openings/{table}.tsv"));
            let rows = std::fs::read_to_string(path).expect("a table");
            for row in rows.lines().skip(1) {
                let cells: Vec<&str> = row.split('\t').collect();
                let at = cells[2].split(' ').filter(|word| !word.ends_with('.'));
                let at = at.fold(Chess::default(), |at, word| {
                    let san: San = word.parse().expect("a move");
                    let m = san.to_move(&at).expect("a legal move");
                    at.play(m).expect("a legal move")
                });
                names.insert(epd(&at), (cells[0].to_owned(), cells[1].to_owned()));
            }
        }
        names
    })
}

fn epd(at: &impl Position) -> String {
    Epd::from_position(at, EnPassantMode::Legal).to_string()
}

/// The last name of the positions of a line, looked for in those that are near its start.
pub(crate) fn last_name<'p>(line: impl Iterator<Item = &'p Chess>) -> Option<Name> {
    let named = line
        .take(PLIES_MAX + 1)
        .filter_map(|at| names().get(&epd(at)));
    named.last().cloned()
}

/// The same of a stored game of any variant that has names.
fn name_of(game: &GameRecord) -> Option<Name> {
    let mut at: VariantPosition = match (game.header.variant.as_str(), &game.header.start_fen) {
        ("chess" | "chess960", None) => Chess::default().into(),
        ("crazyhouse", None) => Crazyhouse::default().into(),
        ("kingofthehill", None) => KingOfTheHill::default().into(),
        ("threecheck", None) => ThreeCheck::default().into(),
        ("chess" | "chess960", Some(fen)) => {
            let setup: Setup = fen.parse::<Fen>().ok()?.into_setup();
            let mode = CastlingMode::detect(&setup);
            let at = Chess::from_setup(setup, mode);
            let at = at.or_else(shakmaty::PositionError::ignore_too_much_material);
            at.or_else(shakmaty::PositionError::ignore_impossible_check)
                .ok()?
                .into()
        }
        _ => return None,
    };
    // A position is one of chess where nothing is in hand and nobody gave check.
    let name = |at: &VariantPosition| {
        let setup = at.to_setup(EnPassantMode::Legal);
        let is_plain = setup
            .pockets
            .is_none_or(|pockets| pockets == ByColor::default())
            && setup
                .remaining_checks
                .is_none_or(|left| left == ByColor::default());
        let plain = Setup {
            pockets: None,
            remaining_checks: None,
            promoted: Bitboard::EMPTY,
            ..setup
        };
        let text = Epd::try_from_setup(plain).expect("an EPD").to_string();
        names().get(&text).filter(|_| is_plain).cloned()
    };
    let mut last = name(&at);
    let moves = game.items.iter().filter_map(|item| match item {
        MovetextItem::Move(san) => Some(san),
        _ => None,
    });
    for san in moves.take(PLIES_MAX) {
        if san == "--" {
            at = at.swap_turn().ok()?;
        } else {
            let san: San = san.parse().ok()?;
            at.play_unchecked(san.to_move(&at).ok()?);
        }
        last = name(&at).or(last);
    }
    last
}

fn stored(game: &GameRecord) -> Option<Name> {
    let opening = game.header.opening.clone();
    opening.map(|opening| (opening.eco, opening.name))
}

/// Compares every game of a database with a replay of its moves; how many have a name.
fn compare(base: &Base) -> usize {
    let mut named = 0;
    search::each_game(
        &base.store,
        &AccessPlan::default(),
        MoveNotation::default(),
        &mut |record| {
            let game = &record.game;
            if record.problem.is_none() {
                assert_eq!(stored(game), name_of(game), "game {}", game.header.id);
                named += usize::from(game.header.opening.is_some());
            }
            Ok::<_, StoreError>(())
        },
    )
    .expect("the games");
    named
}

#[test]
fn sample_games_have_the_last_name_of_their_positions() {
    let base = Base::new();
    for file in [
        "pgn/classics.pgn",
        "pgn/setup.pgn",
        "pgn/chess960.pgn",
        "pgn/broken.pgn",
    ] {
        let bytes = std::fs::read(root().join("sample-data").join(file)).expect("a sample");
        base.import_text(&bytes, every_game());
    }
    assert!(compare(&base) > 45);
}

/// Lines of the table that go on by chance, in all variants that have names, from the start and
/// from positions on the way.
#[test]
fn random_games_have_the_last_name_of_their_positions() {
    let mut random = fastrand::Rng::with_seed(20_261_124);
    let lines: Vec<&str> = include_str!("../../src/games/chess/openings/e.tsv")
        .lines()
        .chain(include_str!("../../src/games/chess/openings/c.tsv").lines())
        .filter_map(|row| row.split('\t').nth(2).filter(|moves| *moves != "pgn"))
        .collect();
    let tags = [
        "",
        "Crazyhouse",
        "King of the Hill",
        "Three-check",
        "Chess960",
    ];
    let mut pgn = String::new();
    for number in 0..600 {
        let words = lines[random.usize(..lines.len())].split(' ');
        let words: Vec<&str> = words.filter(|word| !word.ends_with('.')).collect();
        let mut at = Chess::default();
        let kept = random.usize(..=words.len());
        let mut line = Vec::new();
        for word in &words[..kept] {
            let m = word
                .parse::<San>()
                .expect("a move")
                .to_move(&at)
                .expect("legal");
            line.push(SanPlus::from_move_and_play_unchecked(&mut at, m).to_string());
        }
        let cut = if number % 5 == 1 {
            random.usize(..=line.len())
        } else {
            0
        };
        if cut > 0 {
            let mut start = Chess::default();
            for word in &words[..cut] {
                let m = word
                    .parse::<San>()
                    .expect("a move")
                    .to_move(&start)
                    .expect("legal");
                start.play_unchecked(m);
            }
            let _ = writeln!(
                pgn,
                "[FEN \"{}\"]",
                Fen::from_position(&start, EnPassantMode::Legal)
            );
        } else {
            let _ = writeln!(pgn, "[Variant \"{}\"]", tags[number % tags.len()]);
        }
        for _ in 0..random.usize(..8) {
            let moves = at.legal_moves();
            if moves.is_empty() {
                break;
            }
            let m = moves[random.usize(..moves.len())];
            line.push(SanPlus::from_move_and_play_unchecked(&mut at, m).to_string());
        }
        let _ = writeln!(pgn, "[Round \"{number}\"]\n\n{} *\n", line[cut..].join(" "));
    }
    let base = Base::new();
    let summary = base.import_text(pgn.as_bytes(), every_game());
    assert_eq!(summary.stored, 600);
    assert!(compare(&base) > 500);
}

/// A database of the sample games, and its file.
fn samples() -> (tempfile::TempDir, std::path::PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let db = folder.path().join("games.db");
    let samples = root().join("sample-data");
    assert_eq!(run(&db, &["import", text(&samples)]).status, Some(0));
    (folder, db)
}

/// All games as they are listed.
fn listed(db: &Path, args: &[&str]) -> Vec<Value> {
    let ran = run(
        db,
        &[&["search", "--limit", "0", "--format", "json"], args].concat(),
    );
    let found: Value = serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("{ran:?}"));
    found["hits"].as_array().expect("hits").clone()
}

fn ids(games: &[Value]) -> Vec<u64> {
    games
        .iter()
        .filter_map(|game| game["id"].as_u64())
        .collect()
}

/// Words that a name holds, told in the plainest way: accents and apostrophes away.
fn holds(game: &Value, words: &[&str]) -> bool {
    let name = game["opening"]["name"].as_str().unwrap_or_default();
    let name = name
        .to_lowercase()
        .replace(['\'', '’'], "")
        .replace('ü', "u")
        .replace('é', "e");
    let has = |word: &&str| {
        name.split([' ', ':', ',', '-'])
            .any(|own| own.starts_with(*word))
    };
    words.iter().all(has)
}

#[test]
fn filters_ask_the_opening_and_not_the_tag() {
    let (_folder, db) = samples();
    let all = listed(&db, &[]);
    let by_name: [(&[&str], &[&str]); 8] = [
        (&["--opening", "najdorf"], &["najdorf"]),
        (
            &["--opening", "NAJDORF, sicilian"],
            &["najdorf", "sicilian"],
        ),
        (&["--opening", "King's Indian"], &["kings", "indian"]),
        (&["--opening", "king’s indian"], &["kings", "indian"]),
        (&["--opening", "Sicilian Defence"], &["sicilian", "defense"]),
        (&["opening:sicilian"], &["sicilian"]),
        (&["opening:\"ruy lopez\""], &["ruy", "lopez"]),
        (&["opening:“queen’s gambit”"], &["queens", "gambit"]),
    ];
    for (args, words) in by_name {
        let expected: Vec<Value> = all
            .iter()
            .filter(|game| holds(game, words))
            .cloned()
            .collect();
        assert!(!expected.is_empty(), "{args:?}");
        assert_eq!(ids(&listed(&db, args)), ids(&expected), "{args:?}");
    }
    let by_code: [(&[&str], &str, &str); 6] = [
        (&["--eco", "B90"], "B90", "B90"),
        (&["--eco", "B9"], "B90", "B99"),
        (&["--eco", "B90..B99"], "B90", "B99"),
        (&["--eco", "C"], "C00", "C99"),
        (&["eco:C60-C99"], "C60", "C99"),
        (&["D37"], "D37", "D37"),
    ];
    for (args, from, to) in by_code {
        let is_in = |game: &&Value| {
            let code = game["opening"]["eco"].as_str().unwrap_or_default();
            from <= code && code <= to
        };
        let expected: Vec<Value> = all.iter().filter(is_in).cloned().collect();
        assert_eq!(ids(&listed(&db, args)), ids(&expected), "{args:?}");
        assert!(!expected.is_empty() || args == ["D37"], "{args:?}");
    }
    // Any of several texts; names and codes together.
    let both = listed(&db, &["--opening", "najdorf", "--opening", "ruy lopez"]);
    let each = |text| listed(&db, &["--opening", text]).len();
    assert_eq!(both.len(), each("najdorf") + each("ruy lopez"));
    let of_code = listed(&db, &["--opening", "sicilian", "--eco", "B9"]);
    assert_eq!(ids(&of_code), ids(&listed(&db, &["--eco", "B9"])));
    // The tag stays a tag.
    let tagged = |game: &&Value| game["eco"] == "B99";
    let expected: Vec<Value> = all.iter().filter(tagged).cloned().collect();
    for args in [["--tag", "ECO=B99"].as_slice(), &["tag.ECO:B99"]] {
        assert_eq!(ids(&listed(&db, args)), ids(&expected), "{args:?}");
    }
}

#[test]
fn names_that_are_none_are_refused_with_what_may_be_meant() {
    let (_folder, db) = samples();
    assert_trouble(
        &run(&db, &["search", "--opening", "nadjorf"]),
        &["no opening is called `nadjorf`", "Najdorf", "hint:"],
    );
    assert_trouble(
        &run(&db, &["search", "opening:sicillian"]),
        &["no opening is called `sicillian`", "Sicilian"],
    );
    assert_trouble(
        &run(&db, &["search", "--opening", "zzzzqqqq"]),
        &["no opening is called `zzzzqqqq`"],
    );
    assert_trouble(&run(&db, &["search", "--eco", "F00"]), &["--eco", "F00"]);
    let either = run(&db, &["search", "Najdorf"]);
    assert_eq!(either.status, Some(0), "{either:?}");
    assert!(
        either
            .err
            .contains("read as: opening:Najdorf or player:Najdorf"),
        "{either:?}"
    );
}

#[test]
fn sql_has_the_openings() {
    let (_folder, db) = samples();
    let other = sqlite(&db);
    let asked = "SELECT id, opening_eco || ' ' || opening_name FROM game ORDER BY id";
    let mut rows = other.prepare(asked).expect("a statement");
    let rows = rows.query_map([], |row| {
        Ok((row.get::<_, i64>(0)?.unsigned_abs(), row.get(1)?))
    });
    let rows: Vec<(u64, Option<String>)> =
        rows.expect("rows").map(|row| row.expect("a row")).collect();
    let all = listed(&db, &[]);
    assert_eq!(rows.len(), all.len());
    for ((id, name), game) in rows.iter().zip(&all) {
        assert_eq!(game["id"], *id);
        let opening = &game["opening"];
        let expected = opening["eco"]
            .as_str()
            .map(|eco| format!("{eco} {}", opening["name"].as_str().expect("a name")));
        // Problems are shown as such.
        if game.get("stipulation").is_none() {
            assert_eq!(*name, expected, "game {id}");
        }
    }
    assert!(rows.iter().filter(|(_, name)| name.is_some()).count() > 45);
}

/// Every row has a small number, and there are no more names than games have.
#[test]
fn a_check_names_a_wrong_opening_and_reindex_mends_it() {
    let (_folder, db) = samples();
    let before = listed(&db, &[]);
    let other = sqlite(&db);
    let change = |sql: &str| assert_eq!(other.execute(sql, []).expect("a statement"), 1);
    change("UPDATE opening SET name = 'A00 Nonsense' WHERE id = 1");
    let check = run(&db, &["check"]);
    assert_eq!(check.status, Some(2), "{check:?}");
    assert!(check.out.contains("A00 Nonsense"), "{check:?}");
    // By the same table it is damage, which a reindex leaves alone.
    assert!(run(&db, &["reindex"]).out.contains("up to date already"));
    // From another table of names it is what that says.
    change("UPDATE opening_table SET hash = hash + 1");
    assert_eq!(run(&db, &["check"]).status, Some(0));
    let reindex = run(&db, &["reindex"]);
    assert!(reindex.out.contains("openings of "), "{reindex:?}");
    assert_eq!(listed(&db, &[]), before);
    assert_eq!(run(&db, &["check"]).status, Some(0));
    assert!(run(&db, &["reindex"]).out.contains("up to date already"));
    // A row that has another opening than its facts.
    change(
        "UPDATE game_row SET opening = NULL WHERE id = (SELECT min(id) FROM game_row WHERE opening > 0)",
    );
    let check = run(&db, &["check"]);
    assert_eq!(check.status, Some(2));
    assert!(
        check.out.contains("its row and its packed facts differ"),
        "{check:?}"
    );
}

#[test]
fn openings_stay_right_whatever_is_done() {
    let (folder, db) = samples();
    let by_name = |db: &Path| {
        let games = listed(db, &[]).into_iter();
        let mut all: Vec<String> = games
            .map(|game| {
                format!(
                    "{} {} {} {}",
                    game["white"], game["date"], game["plies"], game["opening"]
                )
            })
            .collect();
        all.sort();
        all
    };
    let before = by_name(&db);
    let ran = |db: &Path, args: &[&str]| {
        let ran = run(db, args);
        assert_eq!(ran.status, Some(0), "{args:?}: {ran:?}");
        assert_eq!(run(db, &["check"]).status, Some(0), "{args:?}");
    };
    ran(&db, &["edit", "91", "--tag", "ECO=A00"]);
    assert_eq!(by_name(&db), before);
    ran(&db, &["undo", "2"]);
    let source = root().join("sample-data/pgn/classics.pgn");
    ran(&db, &["reread", text(&source), "--language", "en"]);
    assert_eq!(by_name(&db), before);
    let merged = folder.path().join("merged.db");
    let thrice: Vec<String> = before.iter().flat_map(|name| [name; 3]).cloned().collect();
    for _ in 0..3 {
        ran(&merged, &["merge", text(&db), "--duplicates", "keep"]);
    }
    assert_eq!(by_name(&merged), thrice);
    ran(&merged, &["dedupe", "--yes"]);
    let copy = folder.path().join("copy.db");
    assert_eq!(
        run(&db, &["check", "--repair", text(&copy)]).status,
        Some(0)
    );
    assert_eq!(by_name(&copy), before);
    assert_eq!(run(&copy, &["check"]).status, Some(0));
}

/// What was meant as codes is no move of draughts.
#[test]
fn codes_are_listed_or_refused_as_codes() {
    let base = Base::new();
    let db = base.folder().join("test.db");
    let codes = |asked: &[&str]| -> BTreeSet<String> {
        let ran = run(&db, &[&["eco", "--format", "json"], asked].concat());
        assert_eq!(ran.status, Some(0), "{asked:?}: {}", ran.err);
        let list: serde_json::Value = serde_json::from_str(&ran.out).expect("JSON");
        let list = list["openings"].as_array().expect("openings").iter();
        list.map(|line| line["eco"].as_str().expect("a code").to_owned())
            .collect()
    };
    let two = BTreeSet::from(["B20", "C42"].map(str::to_owned));
    for asked in [
        &["C42,B20"][..],
        &["C42 B20"],
        &["C42", "B20"],
        &["c42, b20"],
    ] {
        assert_eq!(codes(asked), two, "{asked:?}");
    }
    assert_eq!(codes(&["E98-E99,A00"]).len(), 3);
    assert!(codes(&["A1", "A2"]).contains("A29"));
    for (asked, wrong) in [
        ("F10", "`F10` is not an ECO code"),
        ("E100", "`E100` is not an ECO code"),
        ("C42,F10", "`F10` is not an ECO code"),
        ("C42 B99-B20", "wrong order"),
        ("", "no opening was given"),
        (" ", "no opening was given"),
        // A move that is none.
        ("e4 F10", "move 1...: `F10` is not a move"),
    ] {
        let ran = run(&db, &["eco", asked]);
        assert_eq!(ran.status, Some(2), "{asked}");
        assert!(ran.err.contains(wrong), "{asked}: {}", ran.err);
    }
    let nothing = run(&db, &["eco", ""]).err;
    assert!(
        nothing.contains("a code (B90), words of a name"),
        "{nothing}"
    );
    // Squares stay squares.
    let moves = run(&db, &["eco", "e4 c5"]);
    assert!(moves.out.contains("Sicilian Defense"), "{}", moves.out);
    // As what it was read is said where that game has no names.
    for (asked, game) in [("f5", "Othello"), ("Ke2", "Xiangqi"), ("e4-e5", "Xiangqi")] {
        let ran = run(&db, &["eco", asked]);
        assert_eq!(ran.status, Some(1), "{asked}: {ran:?}");
        assert!(ran.out.contains(game), "{asked}: {ran:?}");
    }
    let lone = run(&db, &["eco", "8/8/8/4k3/8/8/4P3/4K3 w - -"]).out;
    assert_eq!(lone.trim(), "the position has no name");
}
