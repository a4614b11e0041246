//! Bugs that were found and mended; each says what was wrong.

use {
    crate::{
        faults::{GAMES, archive, closed, text},
        support::{Base, one_in, run, sqlite},
    },
    plydex::{
        base::record::MovetextItem,
        games::{
            AnyPosition,
            draughts::{Draughts, rows::DraughtsVariant},
            notation::letters::ENGLISH,
            position_input::{self, ExpectedVariants},
        },
        query::PositionQuery,
        search::{self, AccessPlan, GameConditions, GameReader, MoveNotation, PatternQuery},
        store::Store,
    },
};

/// Of several known beginnings the first that was met was taken, not the longest.
#[test]
fn a_file_that_grows_again_and_again_gives_its_new_games_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let db = folder.path().join("games.db");
    let path = folder.path().join("games.pgn");
    let whole = archive(4);
    let games: Vec<usize> = whole.match_indices("[GameId ").map(|(at, _)| at).collect();
    for upto in 1..40 {
        std::fs::write(&path, &whole[..games[upto]]).expect("a file");
        let ran = run(&db, &["import", text(&path), "--format", "json"]);
        let summary: serde_json::Value = serde_json::from_str(&ran.out).expect("JSON");
        assert_eq!(
            (summary["stored"].as_u64(), summary["duplicate"].as_u64()),
            (Some(1), Some(upto as u64 - 1)),
            "{summary}"
        );
    }
}

/// The last chunk of a cut stream was filed with the piece of a game at its end,
/// so that the whole stream did not begin with it.
#[test]
fn a_cut_archive_is_completed_by_the_whole() {
    let folder = tempfile::tempdir().expect("a folder");
    let db = folder.path().join("games.db");
    let path = folder.path().join("games.pgn.zst");
    let whole = zstd::encode_all(archive(60).as_bytes(), 1).expect("packed");
    std::fs::write(&path, &whole[..whole.len() * 3 / 4]).expect("a file");
    run(&db, &["import", text(&path)]);
    std::fs::write(&path, &whole).expect("a file");
    run(&db, &["import", text(&path)]);
    let count = run(&db, &["search", "--count"]).out;
    let count: u64 = count.trim().parse().expect("a number");
    assert!((GAMES * 60..=GAMES * 60 + 1).contains(&count), "{count}");
}

/// More half points than games led out of the table of rating differences.
#[test]
fn a_tree_from_a_damaged_block_never_panics() {
    let (_folder, db) = closed();
    let connection = sqlite(&db);
    let (id, whole): (i64, Vec<u8>) = connection
        .query_row("SELECT id, data FROM hot_block LIMIT 1", [], |row| {
            Ok((row.get(0)?, row.get(1)?))
        })
        .expect("a block");
    let position = |line| {
        position_input::read_position(line, &ExpectedVariants::default())
            .expect("a position")
            .at
    };
    for at in (0..whole.len()).step_by(one_in(5)) {
        for flip in [0x01, 0xff] {
            let mut data = whole.clone();
            data[at] ^= flip;
            let update = "UPDATE hot_block SET data = ?2 WHERE id = ?1";
            connection
                .execute(update, rusqlite::params![id, data])
                .expect("an update");
            let store = Store::open(&db, &plydex::base::observe::CancellationToken::default())
                .expect("a database");
            for line in ["startpos", "e4", "d4", "e4 e5", "e4 c5"] {
                let position = PositionQuery::of(position(line));
                let _ = search::tree(&store, &position, &GameConditions::default(), ENGLISH);
            }
        }
    }
}

/// A tag spelled `date` was not looked for among the values kept as written.
#[test]
fn a_date_is_given_as_written_whatever_the_case_of_its_tag() {
    let base = Base::of(b"[date \"2026\"]\n\n1. e4 *\n");
    let header = GameReader::new(&base.store).header(1).expect("readable");
    assert_eq!(header.expect("a game").date, "2026");
}

/// The move number that contradicts the side to move ends the main line (M10)
/// but was not kept with the rest, so an export was read differently: here
/// White's second move became one of Black's.
#[test]
fn the_number_that_ends_the_main_line_is_kept_with_the_rest() {
    let pgn = "[FEN \"7k/8/8/8/8/8/8/K7 w - - 0 1\"]\n\n1. Ka2 foo 2. Kg7 Kb3 *\n";
    let base = Base::of(pgn.as_bytes());
    let game = &base.games()[0];
    assert_eq!(game.header.plies, 1);
    assert_eq!(game.items[2], MovetextItem::Rest("2. Kg7 Kb3".to_owned()));
    let mut text = String::new();
    plydex::pgn::writer::write(game, &mut text);
    assert_eq!(Base::of(text.as_bytes()).games()[0].header.plies, 1);
}

/// Two files that share their first games were taken for one that has grown.
#[test]
fn files_that_share_their_first_game_keep_all_their_games() {
    let folder = tempfile::tempdir().expect("a folder");
    let db = folder.path().join("games.db");
    let game = |name: &str| format!("[Event \"{name}\"]\n\n1. e4 *\n\n");
    for (file, games) in [("a.pgn", ["one", "two"]), ("b.pgn", ["one", "three"])] {
        let path = folder.path().join(file);
        std::fs::write(&path, games.map(game).concat()).expect("a file");
        run(&db, &["import", text(&path)]);
    }
    assert_eq!(run(&db, &["search", "--count"]).out.trim(), "3");
    assert!(run(&db, &["show", "1"]).out.contains("b.pgn, game 1"));
}

/// Rows that were equal in all that orders them stood in another order each time.
#[test]
fn equal_rows_of_a_tree_keep_their_order() {
    // The same men, either side to move; both pass the turn.
    let men = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
    let game = |turn, moves| {
        format!("[FEN \"{men} {turn} KQkq - 0 1\"]\n[Result \"1-0\"]\n\n{moves} 1-0\n\n")
    };
    let text = game("b", "1... -- 2. e4") + &game("w", "1. -- e5");
    let base = Base::of(text.as_bytes());
    let start = AnyPosition::from(shakmaty::Chess::default());
    let query = PositionQuery {
        ask_turn: false,
        ..PositionQuery::of(start)
    };
    for _ in 0..40 {
        let tree =
            search::tree(&base.store, &query, &GameConditions::default(), ENGLISH).expect("a tree");
        let rows: Vec<(&str, Option<f64>)> = tree
            .moves
            .iter()
            .map(|row| (row.san.as_str(), row.score.score))
            .collect();
        // White's first: it has won with its move, Black has lost with the other.
        assert_eq!(rows, [("--", Some(1.0)), ("--", Some(0.0))]);
    }
}

/// Pages that begin behind the last number there is overflowed.
#[test]
fn a_page_far_behind_the_end_is_empty() {
    let (_folder, db) = closed();
    let last = u64::MAX.to_string();
    for query in [
        &[][..],
        &["startpos"],
        &["e4"],
        &["e4", "--result", "1-0"],
        &["--result", "1-0"],
        &["--sort", "date:desc"],
        &["e4", "--sort", "id:desc"],
    ] {
        let asked = |more: &[&str]| run(&db, &[&["search"], query, more].concat());
        let json = |ran: &crate::support::Ran| -> serde_json::Value {
            serde_json::from_str(&ran.out).expect("JSON")
        };
        let whole = json(&asked(&["--format", "json"]));
        let count = whole["total"].as_u64().expect("a number");
        assert!(count > 0, "{query:?}");
        for offset in [&last, "18446744073709551614", &count.to_string()] {
            for limit in ["0", "1", &last] {
                let page = ["--offset", offset, "--limit", limit, "--format", "json"];
                let ran = asked(&page);
                let told = format!("--offset {offset} leaves none of {count} games\n");
                assert_eq!((ran.status, &ran.err), (Some(1), &told), "{query:?}");
                let page = json(&ran);
                assert_eq!(page["total"].as_u64(), Some(count), "{query:?}");
                assert_eq!(page["hits"], serde_json::json!([]), "{query:?}");
            }
        }
    }
}

/// Chess whose tag names an opening, when that is a kind of draughts as well, was kept
/// as text.
#[test]
fn chess_under_the_name_of_an_opening_is_played() {
    for name in ["Spanish", "Italian", "Russian", "English"] {
        let text = format!("[Event \"?\"]\n[Variant \"{name}\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 *\n");
        let base = Base::of(text.as_bytes());
        base.assert_sound();
        let game = base.games().remove(0);
        assert_eq!(game.header.variant, "chess", "{name}");
        assert_eq!(game.header.plies, 5, "{name}");
        let found = base.store.diagnostics(game.header.id).expect("readable");
        let told = found.iter().any(|(code, _, detail)| {
            code == "variant-mismatch"
                && *detail == format!("{name} by its tags, chess by its moves")
        });
        assert!(told, "{found:?}");
    }
}

/// A text that is no position of the games that are asked for is an error, and not the
/// answer that there are no games.
#[test]
fn a_position_is_of_the_games_that_are_asked_for() {
    let (_folder, db) = closed();
    for command in ["search", "tree", "export"] {
        let unknown = run(&db, &[command, "e4", "--variant", "bughouse"]);
        assert_eq!(unknown.status, Some(2), "{unknown:?}");
        let said = "the moves of Bughouse are not supported";
        assert!(unknown.err.contains(said), "{}", unknown.err);
        let other = run(&db, &[command, "32-28 19-23", "--variant", "chess"]);
        assert_eq!(other.status, Some(2), "{other:?}");
        assert!(other.err.contains("`32-28` is not a move"), "{}", other.err);
    }
    // Their games can be asked for without a position.
    let all = run(&db, &["search", "--variant", "bughouse"]);
    assert_eq!(all.status, Some(1), "{all:?}");
}

/// Who asked for what a game does not have was told of another option that it does
/// not have either.
#[test]
fn the_hint_about_a_symmetry_names_none_that_is_not_there() {
    let (_folder, db) = closed();
    for variant in ["atomic", "racingkings", "fivecheck"] {
        for option in ["--rotate", "--mirror", "--flip"] {
            let ran = run(&db, &["search", "startpos", "--variant", variant, option]);
            assert_eq!(ran.status, Some(2), "{variant}");
            assert!(
                ran.err.contains(&format!("{option} is not possible in "))
                    && ran.err.contains(&format!("hint: leave out {option}\n")),
                "{}",
                ran.err
            );
        }
    }
    // Where another is there, it is named.
    let castling = run(
        &db,
        &["search", "startpos", "--variant", "gothic", "--mirror"],
    );
    assert!(
        castling.err.contains("--flip is always possible"),
        "{}",
        castling.err
    );
    // In a mirror a king would castle to another file: that is no symmetry of chess.
    for option in ["--mirror", "--rotate"] {
        let rights = "r3k3/8/8/8/8/8/8/4K2R w Kq - 0 1";
        let ran = run(&db, &["tree", rights, option]);
        assert_eq!(ran.status, Some(2), "{ran:?}");
        assert!(
            ran.err.contains("is not possible with castling rights"),
            "{}",
            ran.err
        );
        let bare = run(&db, &["tree", rights, option, "--identity", "board"]);
        assert_eq!(bare.status, Some(1), "{bare:?}");
        let flipped = run(&db, &["tree", rights, "--flip"]);
        assert_eq!(flipped.status, Some(1), "{flipped:?}");
    }
    let half = run(&db, &["search", "W:W31-50:B1-20", "--mirror"]);
    assert!(
        half.err.contains("can only be rotated, with --rotate"),
        "{}",
        half.err
    );
}

/// The next move of a game that numbers its squares from another corner was named
/// with the numbers of its variant, which `show` has nowhere.
#[test]
fn the_next_move_of_a_hit_is_that_of_its_game() {
    // The same moves, in the second game with numbers from the other corner of the row:
    // only so is its first one legal.
    let text = "[GameType \"21\"]\n\n1. 9-14 22-18 2. 5-9 *\n\n\
                [GameType \"21\"]\n\n1. 12-15 23-19 2. 8-12 *\n\n";
    let base = Base::of(text.as_bytes());
    base.assert_sound();
    let games = base.games();
    let start = Draughts::start(DraughtsVariant::by_name("english").expect("a variant"));
    let position = PositionQuery::of(AnyPosition::from(start));
    let by_position = AccessPlan {
        position: Some(position.clone()),
        ..AccessPlan::default()
    };
    let expr = "men:12v12".parse().expect("a query");
    let mut asked = PatternQuery::of("men:12v12", expr);
    search::prepare(&base.store, (&GameConditions::default(), None), &mut asked)
        .expect("a database")
        .expect("a board");
    let by_men = AccessPlan {
        pattern: Some(asked),
        ..AccessPlan::default()
    };
    for query in [by_position, by_men] {
        let hits = search::search(&base.store, &query, MoveNotation::default())
            .expect("an answer")
            .hits;
        let next: Vec<&str> = hits
            .iter()
            .filter_map(|hit| hit.next_move.as_deref())
            .collect();
        assert_eq!(next, ["9-14", "12-15"]);
        for (hit, game) in hits.iter().zip(&games) {
            assert_eq!(
                hit.next_move.clone().map(MovetextItem::Move).as_ref(),
                game.items.first()
            );
        }
    }
    // They are one move all the same, and the tree says so.
    let tree =
        search::tree(&base.store, &position, &GameConditions::default(), ENGLISH).expect("a tree");
    let moves: Vec<&str> = tree.moves.iter().map(|row| row.san.as_str()).collect();
    assert_eq!(moves, ["9-14"]);
}

/// A game that comes back to a position by a set-up stood twice in the list of that
/// position: it was counted and shown twice.
#[test]
fn a_game_that_comes_back_to_a_structure_is_listed_once() {
    let game = |moves: &str| format!("[GameType \"20\"]\n\n{moves} *\n\n");
    let back = game("1. 32-28 /FEN \"W:W31-50:B1-20\"/ 1. 31-27");
    let text = back.repeat(5) + &game("1. 33-28").repeat(7);
    let base = Base::of(text.as_bytes());
    base.assert_sound();
    assert_eq!(base.games().len(), 12);
    let variant = plydex::games::draughts::rows::DraughtsVariant::by_name("international");
    let start = plydex::games::draughts::Draughts::start(variant.expect("a variant"));
    let query = PositionQuery::of(AnyPosition::from(start));
    let tree =
        search::tree(&base.store, &query, &GameConditions::default(), ENGLISH).expect("a tree");
    let moves: Vec<(&str, u64)> = (tree.moves.iter())
        .map(|one| (one.san.as_str(), one.score.games))
        .collect();
    assert_eq!(tree.total.games, 12);
    assert_eq!(moves, [("33-28", 7), ("32-28", 5)]);
}

/// What an export of a text gives, and the headers of its games.
fn exported(name: &str, text: &str) -> (String, crate::support::Base) {
    let base = crate::support::Base::new();
    let path = base.folder().join(name);
    std::fs::write(&path, text).expect("a file");
    let _ = base.import(&[path], plydex::import::ImportOptions::default());
    base.assert_sound();
    let db = base.folder().join("test.db");
    (crate::support::run(&db, &["export"]).out, base)
}

#[test]
fn what_cannot_be_read_is_exported_as_it_stood() {
    // Words of other languages, a drop that is none, names of tags.
    for text in [
        "[Event \"x\"]\n[Timezone \"CET\"]\n[WHITE \"abc\"]\n\n1. e4 e5 2. Tc4 Sf6 *\n\n",
        "[Event \"y\"]\n[Variant \"Crazyhouse\"]\n\n1. e4 e5 2. P@c5 d6 3. Lc4 {Der Läufer Lc4 und Tc4} *\n\n",
        "[Event \"z\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 xyz Tc4 Dd5 *\n\n",
    ] {
        let (out, base) = exported("a.pgn", text);
        assert_eq!(out, text);
        assert_eq!(exported("b.pgn", &out).0, text);
        let shown = crate::support::run(&base.folder().join("test.db"), &["show", "1"]).out;
        let rest = text.split("2. ").nth(1).expect("a rest");
        let rest = rest.trim_end().trim_end_matches('*').trim_end();
        assert!(shown.contains(rest) || text.contains("Nf3"), "{shown}");
    }
}

#[test]
fn the_date_of_servers_is_the_date_where_no_other_is_known() {
    let text = "[Event \"a\"]\n[UTCDate \"2016.12.31\"]\n\n1. e4 *\n\n\
        [Event \"b\"]\n[Date \"????.??.??\"]\n[UTCDate \"2017.01.01\"]\n\n1. e4 *\n\n\
        [Event \"c\"]\n[Date \"2015.??.??\"]\n[UTCDate \"2017.01.01\"]\n\n1. e4 *\n\n\
        [Event \"d\"]\n[Date \"\"]\n[UTCDate \"soon\"]\n\n1. e4 *\n\n";
    let (out, base) = exported("a.pgn", text);
    assert_eq!(out, text);
    let dates: Vec<String> = base
        .games()
        .into_iter()
        .map(|game| game.header.date)
        .collect();
    assert_eq!(dates, ["2016.12.31", "2017.01.01", "2015.??.??", ""]);
    let found = crate::support::run(
        &base.folder().join("test.db"),
        &[
            "search",
            "--count",
            "--from",
            "2016-12-31",
            "--to",
            "2017-01-01",
        ],
    );
    assert_eq!(found.out.trim(), "2");
}
