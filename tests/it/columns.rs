//! Columns answer as looking through every game does, whatever game it is.

use {
    crate::{
        faults::closed,
        support::{Base, one_in, run, sqlite},
    },
    plydex::{
        games::{
            AnyPosition, Budget,
            variant::{self, Variant},
        },
        import::ImportOptions,
        query::{GameCondition, pattern},
        search::{self, AccessPlan, ColumnUse, GameConditions, PatternQuery},
        store::Store,
    },
};

/// A sequence of numbers that a seed begins.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.0 >> 33) as usize % bound.max(1)
    }
}

/// The movetext of a game of legal moves.
fn random_game(start: &AnyPosition, dice: &mut Dice) -> String {
    let (mut at, mut text) = (start.clone(), String::new());
    for _ in 0..dice.below(120) {
        let Ok(mut moves) = at.moves(Budget::default()) else {
            break;
        };
        if moves.is_empty() {
            break;
        }
        let next = moves.swap_remove(dice.below(moves.len()));
        text.push_str(&next.names[0]);
        text.push(' ');
        at = next.behind;
    }
    text
}

/// A database of random games of variants that have a usual start.
fn archive(games: usize, rows: impl Iterator<Item = &'static Variant>) -> Base {
    let base = Base::new();
    let mut dice = Dice(7);
    for row in rows {
        let Some(start) = AnyPosition::start(row) else {
            continue;
        };
        let game = |number: usize| {
            let moves = random_game(&start, &mut dice);
            format!("[Event \"{number}\"]\n\n{moves}*\n\n")
        };
        let text: String = (0..games).map(game).collect();
        let options = ImportOptions {
            variant: Some(row.id),
            ..ImportOptions::default()
        };
        let summary = base.import_text(text.as_bytes(), options);
        assert!(summary.stored > 0, "{}: {summary:?}", row.name);
    }
    base
}

/// What can be asked of most games.
fn questions(dice: &mut Dice) -> Vec<String> {
    let mut all: Vec<String> = [
        "mate",
        "stalemate",
        "check",
        "ep",
        "castles:any",
        "capture",
        "end",
        "jumps:2..",
        "check stm:black for 2 step 2",
        "check for 2",
        "not check",
        "not mate and capture",
        "{ mate or stalemate }",
        "{ check stm:white } then capture",
        "pieces:..12",
        "men:3..v3..",
        "kings:1..v0",
        "material:KRvK",
        "material:KQvKR+",
        "imbalance:PvN",
        "promotes:Q",
        "promotes:N stm:white",
        "last:P mate",
        "last:captured:P stm:white",
        "last:castles:any",
        "last:jumps:1..",
        "move:O-O",
        "castles:O-O-O by:black",
        "moved:K captured:Q",
        "moved:P captured:R by:white",
        "captured:Q",
        "moved:NB captured:QR next captured:NB",
        "moved:R captured:B captured:R",
        "moved:P to:a-h8 by:white",
        "moved:P to:a-h1",
        "moved:P to:c8 captured:R",
        "last:moved:P last:to:h8",
        "Q=0 q=0 ply:..20",
        "Q=0 q=0 ply:..33",
        "Qq=0 ply:10..40",
        "Ke1 ply:40..",
        "ke8 Rh1 ply:30..",
        "Ke1 ply:50..70",
        "moved:N next moved:N next moved:N",
        "moved:N for 3",
        "moved:N next moved:N next moved:N next moved:B",
        "moved:N next captured:N next moved:P",
    ]
    .map(String::from)
    .into();
    let letters = b"KQRBNPMACEHkqrbnpmace";
    for _ in 0..400 {
        let letter = char::from(letters[dice.below(letters.len())]);
        let other = char::from(letters[dice.below(letters.len())]);
        let square = match dice.below(3) {
            0 => (1 + dice.below(50)).to_string(),
            _ => format!(
                "{}{}",
                char::from(b'a' + dice.below(8) as u8),
                1 + dice.below(8)
            ),
        };
        let number = dice.below(4);
        let file = dice.below(8) as u8;
        let [own, left, right] =
            [file, file.saturating_sub(1), (file + 1).min(7)].map(|file| char::from(b'a' + file));
        let pawn = if dice.below(2) == 0 { 'P' } else { 'p' };
        let against = if pawn == 'P' { 'p' } else { 'P' };
        let [one, two, three] = [(); 3].map(|()| char::from(b"KQRBNP"[dice.below(6)]));
        all.push(match dice.below(8) {
            0 => format!("{pawn}{own}={number}.."),
            1 => format!("{pawn}{own}={number}.. {pawn}{left}/{right}=0"),
            2 => format!("{pawn}{own} {pawn}{left}=0 {pawn}{right}=0 {against}{own}=0"),
            3 => format!("shiftx {{ {pawn}a=3.. }}"),
            4 => format!("either {{ {pawn}{own}=2.. {pawn}{left}/{right}=0 }} then capture"),
            5 => format!("moved:{one} next captured:{two} next moved:{three}"),
            6 => format!("moved:{one} captured:{two} next captured:{one} moved:{three}"),
            _ => format!("{pawn}{own}4 {pawn}{left}/{right}=0 {against}{own}=0 {against}=1.."),
        });
        all.push(match dice.below(12) {
            0 | 1 => format!("{letter}{square}"),
            2 => format!("{letter}={number}"),
            3 => format!("{letter}{square} {other}={number}.."),
            4 => format!("not {letter}{square}"),
            5 => format!("{letter}{square} or {other}=0"),
            6 => format!("{{ {letter}{square} or {other}=..{number} }}"),
            7 => format!("{letter}={other}"),
            8 => format!("moved:{} to:{square}", letter.to_ascii_uppercase()),
            9 => format!("from:{square} then {letter}{square}"),
            10 => format!("either {letter}{square} {other}"),
            _ => format!("{letter}{square} next {other}={number}"),
        });
    }
    all
}

/// What a question finds in the games of a variant, with columns and without; nothing if it
/// does not fit its board.
fn found(base: &Base, row: &'static Variant, text: &str) -> Option<[Vec<u64>; 2]> {
    let expr = pattern::parser::parse(text).ok()?;
    let mut asked = PatternQuery::of(text, expr);
    let filter = GameConditions::of([GameCondition::Variant(vec![row.id])]);
    search::prepare(&base.store, (&filter, None), &mut asked)
        .expect("a database")
        .ok()?;
    Some([ColumnUse::Always, ColumnUse::Never].map(|columns| {
        let asked = PatternQuery {
            columns,
            ..asked.clone()
        };
        let query = AccessPlan {
            pattern: Some(asked),
            conditions: filter.clone(),
            ..AccessPlan::default()
        };
        search::all_games(&base.store, &query).expect("an answer")
    }))
}

#[test]
fn columns_change_no_answer() {
    let mut dice = Dice(1);
    let rows: Vec<&Variant> = variant::ALL.iter().filter(|row| row.has_rules()).collect();
    // Games of several variants stand beside each other; with those of all, most of the time would be
    // spent on games that are not asked for.
    for rows in rows.chunks(4).step_by(one_in(5)) {
        let base = archive(10, rows.iter().copied());
        for row in rows {
            let (mut asked, mut with_games) = (0, 0);
            for text in questions(&mut dice) {
                if let Some([with, without]) = found(&base, row, &text) {
                    assert_eq!(with, without, "{}: {text}", row.name);
                    asked += 1;
                    with_games += usize::from(!with.is_empty());
                }
            }
            if AnyPosition::start(row).is_some() {
                assert!(
                    asked > 20 && with_games > 5,
                    "{}: {asked}, {with_games}",
                    row.name
                );
            }
        }
    }
}

/// Columns as they were built before they told of pawns, queens, kings and captures: the sign that
/// they do is another, which nobody knows.
#[test]
fn columns_that_tell_less_are_used_for_what_they_tell_and_brought_up() {
    let (_folder, db) = closed();
    let heads = || -> (i64, Vec<u8>) {
        let first = "SELECT id, data FROM column_block WHERE id >> 40 & 15 = 0 ORDER BY id LIMIT 1";
        let row = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(1)?));
        sqlite(&db).query_row(first, [], row).expect("a block")
    };
    let answers = || {
        let asked = [
            "Pd4 Pc/e=0 pd=0",
            "Pc=2.. Pb/d=0",
            "not Pc=2.. Pb/d=0",
            "Q=0 q=0 ply:..40",
            "Ke1 ply:30..",
            "moved:K captured:Q",
            "moved:P captured:R",
            "moved:N next moved:N next moved:N",
            "mate",
        ];
        asked.map(|text| run(&db, &["search", "--count", text]).out)
    };
    let (id, built) = heads();
    let expected = answers();
    assert!(
        expected.iter().any(|count| count.trim() != "0"),
        "{expected:?}"
    );
    // The sign is there of all games: its key, a set of one byte, and how many these are.
    let games: u64 = run(&db, &["search", "--count", "variant:standard"])
        .out
        .trim()
        .parse()
        .expect("a number");
    let mut sign = vec![4, 1];
    let mut rest = games;
    while rest >= 0x80 {
        sign.push(rest as u8 | 0x80);
        rest >>= 7;
    }
    sign.push(rest as u8);
    let mut older = built.clone();
    let signs: Vec<usize> = (0..older.len())
        .filter(|at| older[*at..].starts_with(&sign))
        .collect();
    assert_eq!(signs.len(), 1, "{games} games");
    older[signs[0]] = 5;
    let update = "UPDATE column_block SET data = ?2 WHERE id = ?1";
    sqlite(&db)
        .execute(update, rusqlite::params![id, older])
        .expect("an update");
    assert_eq!(answers(), expected);
    let checked = run(&db, &["check"]);
    assert_eq!(checked.status, Some(0), "{checked:?}");
    let brought_up = run(&db, &["reindex"]);
    assert_eq!(brought_up.status, Some(0), "{brought_up:?}");
    assert_eq!(heads().1, built);
    assert_eq!(answers(), expected);
    let again = run(&db, &["reindex"]).out;
    assert!(again.contains("up to date already"), "{again}");
}

/// A position that is set up in the middle of a game may have other pieces, as many as before.
#[test]
fn pieces_of_positions_that_are_set_up_are_counted() {
    let base = Base::new();
    let games = [
        "[GameType \"25\"]\n[FEN \"W:W32,K31:B12,K1\"]\n\n/FEN \"W:WK32,K29:BK2,14\"/ 1. g1-d4 *\n\n",
        "[GameType \"25\"]\n[FEN \"W:W32,K31:B12,K1\"]\n\n1. b2-a3 *\n\n",
    ];
    base.import_text(games.concat().as_bytes(), ImportOptions::default());
    for (query, wanted) in [
        ("kings:2v1", 1),
        ("men:0v1 kings:2v1", 1),
        ("men:1v1", 2),
        ("K=2", 1),
    ] {
        for query in [query.to_owned(), format!("in:variations and {query}")] {
            let found = run(base.store.path(), &["search", &query, "--count"]);
            assert_eq!(found.out.trim(), wanted.to_string(), "{query}: {found:?}");
        }
    }
    base.assert_sound();
}

/// Segments that are joined keep the columns that they had, with which they answer as before; games
/// that are given up afterwards are in none.
#[test]
fn joined_segments_keep_their_columns() {
    let base = Base::new();
    let row = variant::ALL.iter().find(|row| row.name == "chess");
    let row = row.expect("chess");
    let start = AnyPosition::start(row).expect("a start");
    let mut dice = Dice(11);
    // Each too small to be merged with those before it at once.
    for games in [200, 90, 40] {
        let game = |number| {
            let moves = random_game(&start, &mut dice);
            format!("[Event \"{number}\"]\n\n{moves}*\n\n")
        };
        let text: String = (0..games).map(game).collect();
        base.import_text(text.as_bytes(), ImportOptions::default());
    }
    let ranges = |store: &Store| {
        let segments = store.segments().expect("segments");
        let ranges = segments.iter().flat_map(|segment| {
            let ranges = store.column_ranges(segment).expect("column ranges");
            ranges.into_iter().map(|range| range.games)
        });
        (segments.len(), ranges.collect::<Vec<u64>>())
    };
    assert_eq!(ranges(&base.store), (3, vec![200, 90, 40]));
    let texts = questions(&mut dice);
    let ask = || -> Vec<[Vec<u64>; 2]> {
        let answers = texts.iter().filter_map(|text| found(&base, row, text));
        answers.collect()
    };
    let before = ask();
    assert!(before.len() > 20, "{} questions", before.len());
    let db = base.store.path().to_path_buf();
    let done = run(&db, &["optimize"]);
    assert_eq!(done.status, Some(0), "{done:?}");
    assert_eq!(ranges(&base.store), (1, vec![200, 90, 40]));
    let checked = run(&db, &["check"]);
    assert_eq!(checked.status, Some(0), "{checked:?}");
    let after = ask();
    assert_eq!(after, before);
    assert!(after.iter().all(|[with, without]| with == without));
    for args in [
        &["delete", "--games", "250", "--yes"][..],
        &["optimize", "--purge", "--in-place"],
        &["check"],
    ] {
        let done = run(&db, args);
        assert_eq!(done.status, Some(0), "{done:?}");
    }
    assert_eq!(ranges(&base.store).1, [200, 90, 40]);
    for ([with, without], [before, _]) in ask().into_iter().zip(before) {
        assert_eq!(with, without);
        let left: Vec<u64> = before.into_iter().filter(|game| *game != 250).collect();
        assert_eq!(with, left);
    }
}
