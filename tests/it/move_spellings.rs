//! Moves that are spelled in another way give the same game, and so do comments with braces of
//! their own.

use {
    crate::{
        spellings::imported,
        support::{Base, root, run},
    },
    plydex::import::{ImportOptions, ImportReport},
};

/// Games with every kind of move: captures, castling to both sides, promotions with check.
const GAMES: [&str; 3] = [
    "1. e4 Nc6 2. Nc3 Nf6 3. Nf3 d5 4. d4 Nxe4 5. Nxe4 dxe4 6. Bh6 gxh6 7. Ba6 exf3 8. Qd3 fxg2 \
     9. Qxh7 gxh1=Q+ 10. Kd2 Qxh2",
    "1. d4 Nf6 2. c4 e6 3. Nf3 d5 4. Nc3 c6 5. Bg5 Nbd7 6. e3 Qa5 7. Bd3 Bb4 8. O-O Bxc3 9. bxc3 O-O",
    "1. d4 d5 2. Nc3 Nc6 3. Bf4 Bf5 4. Qd2 Qd7 5. O-O-O O-O-O 6. Nb5 a6 7. Na7+ Nxa7",
];

/// A file of the field, the summary of its import and what is exported of it.
fn field(name: &str) -> (Base, ImportReport, String) {
    let base = Base::new();
    let done = base.import(
        &[root().join("tests/data/field").join(name)],
        ImportOptions::default(),
    );
    let out = run(base.store.path(), &["export"]).out;
    (base, done, out)
}

fn plies(base: &Base) -> Vec<u32> {
    let games = base.games().into_iter();
    games.map(|game| game.header.plies).collect()
}

fn count(done: &ImportReport, code: &str) -> u64 {
    let found = done.diagnostics.iter();
    found
        .filter(|(found, _)| found.as_str() == code)
        .map(|(_, count)| count)
        .sum()
}

/// The moves of the games that come of these, as they are exported.
fn written(games: &[String]) -> (Vec<String>, ImportReport) {
    let records: Vec<String> = games
        .iter()
        .map(|game| format!("[Event \"x\"]\n[Result \"*\"]\n\n{game} *\n\n"))
        .collect();
    let text = records.concat();
    let (base, done) = imported("a.pgn", &text);
    let out = run(base.store.path(), &["export"]).out;
    let moves = out.split("\n\n").skip(1).step_by(2);
    (moves.map(|text| text.replace('\n', " ")).collect(), done)
}

/// Words respelled, but for move numbers; `is_due` where a number stands before.
fn respelled(game: &str, spell: impl Fn(&str, bool) -> String) -> String {
    let mut is_due = false;
    let words = game.split_whitespace().map(|word| {
        let is_number = word.ends_with('.');
        let spelled = if is_number {
            word.to_owned()
        } else {
            spell(word, is_due)
        };
        is_due = is_number;
        spelled
    });
    words.collect::<Vec<_>>().join(" ")
}

/// A piece and its hint, and where it goes.
fn parted(word: &str) -> Option<(&str, &str)> {
    let bare = word.trim_end_matches('+');
    word.starts_with(|c: char| "NBRQK".contains(c))
        .then(|| word.split_at(bare.len() - 2))
}

/// Spells a word otherwise; whether a move number stands before it.
type Spell = fn(&str, bool) -> String;

#[test]
fn respelled_moves_give_the_same_games() {
    let (usual, done) = written(&GAMES.map(str::to_owned));
    assert_eq!(count(&done, "move-spelling"), 0);
    let spellings: [(&str, Spell); 9] = [
        ("+=Q", |word, _| word.replace("=Q+", "+=Q")),
        ("+Q", |word, _| word.replace("=Q+", "+Q")),
        ("+(Q)", |word, _| word.replace("=Q+", "+(Q)")),
        ("#/Q", |word, _| word.replace("=Q+", "#/Q")),
        ("Nb d7", |word, is_due| match parted(word) {
            Some((piece, to)) if is_due || piece != "N" => format!("{piece} {to}"),
            _ => word.to_owned(),
        }),
        ("B xc6", |word, _| match word.split_once('x') {
            Some((piece, to)) => format!("{piece} x{to}"),
            None => word.to_owned(),
        }),
        ("B x c6", |word, _| word.replace('x', " x ")),
        ("O -O", |word, _| word.replace("-O", " -O")),
        ("0 - 0", |word, _| {
            word.replace("-O", " - 0").replace('O', "0")
        }),
    ];
    for (name, spell) in spellings {
        let games = GAMES.map(|game| respelled(game, spell));
        let (moves, done) = written(&games);
        assert_eq!(moves, usual, "{name}: {games:?}");
        assert_eq!(
            (done.incomplete, count(&done, "unknown-word")),
            (0, 0),
            "{name}"
        );
        let said = count(&done, "move-spelling") + count(&done, "move-apart");
        // Blanks leave no doubt in castling.
        assert!(said > 0 || name.ends_with(['O', '0']), "{name}");
    }
}

/// A letter behind a move stays the sign of a novelty, and prose is prose.
#[test]
fn what_stands_apart_and_is_no_piece_stays_as_it_is() {
    for (text, wanted) in [
        ("1. e4 e5 2. Nf3 N Nc6", "1. e4 e5 2. Nf3 $146 Nc6 *"),
        ("1. e4 e5 2. Nf3 N d6", "1. e4 e5 2. Nf3 $146 d6 *"),
        (
            "1. e4 e5 2. Nf3 Nc6 D 3. Bb5",
            "1. e4 e5 2. Nf3 Nc6 $220 3. Bb5 *",
        ),
        ("1. e4 A e5 2. Nf3", "1. e4 A 1... e5 2. Nf3 *"),
    ] {
        assert_eq!(written(&[text.to_owned()]).0, [wanted], "{text}");
    }
}

#[test]
fn promotions_behind_a_check_sign_are_played() {
    let (base, done, out) = field("promotion_after_check_sign.pgn");
    assert_eq!((plies(&base), done.incomplete), (vec![18], 0));
    assert!(out.contains("9. Qxh7 gxh1=Q+ *"), "{out}");
    assert_eq!(count(&done, "move-spelling"), 1);
}

#[test]
fn moves_with_blanks_are_played_and_told() {
    let (base, done, out) = field("blanks_within_moves.pgn");
    assert_eq!((plies(&base), done.incomplete), (vec![26, 8], 0));
    assert!(out.contains("12. a3 Nbd7 13. Qd2"), "{out}");
    assert_eq!(count(&done, "move-apart"), 1);
}

#[test]
fn braces_behind_backslashes_are_part_of_the_comment() {
    let (base, done, out) = field("escaped_brace.pgn");
    assert_eq!((plies(&base), done.incomplete), (vec![4], 0));
    assert!(
        out.contains("{A comment with braces: ab{cd\\}ef} 1. e4"),
        "{out}"
    );
    // What is exported reads back.
    let (again, _) = imported("b.pgn", &out);
    assert_eq!(run(again.store.path(), &["export"]).out, out);
}

/// A backslash before the last brace is a backslash.
#[test]
fn a_comment_may_end_with_a_backslash() {
    for (comment, wanted) in [
        ("{C:\\} e5 {x}", "{C:\\} 1... e5 {x}"),
        ("{C:\\} e5", "{C:\\} 1... e5"),
        ("{a\\}b\\}c} e5", "{a\\}b\\}c} 1... e5"),
        ("{a\\\\} e5", "{a\\\\} 1... e5"),
    ] {
        let (moves, _) = written(&[format!("1. e4 {comment}")]);
        assert_eq!(moves, [format!("1. e4 {wanted} *")]);
    }
    // The next game is another one.
    let text = "[Event \"a\"]\n\n1. e4 {C:\\} e5 *\n\n[Event \"b\"]\n\n1. d4 } d5 *\n";
    let (base, _) = imported("a.pgn", text);
    assert_eq!(plies(&base), [2, 2]);
}

#[test]
fn a_game_that_ends_in_an_unknown_word_is_incomplete() {
    for (moves, incomplete) in [
        ("1. e4 e5 2. Nf3 Nc6", 0),
        ("1. e4 e5 2. Nf3 N?6", 1),
        ("1. e4 e5 2. Nf3 Qx", 1),
        ("1. e4 e5 Nxx 2. Nf3", 0),
        ("1. e4 e5 2. Nf3 Black resigns", 0),
        ("1. e4 e5 (1... c5 qq) 2. Nf3", 0),
    ] {
        let (_, done) = written(&[moves.to_owned()]);
        assert_eq!(done.incomplete, incomplete, "{moves}");
        assert_eq!(done.incomplete_named.len() as u64, incomplete);
    }
}

#[test]
fn xiangqi_is_read_as_winboard_writes_it() {
    let (base, done, out) = field("xiangqi_winboard.pgn");
    assert_eq!((plies(&base), done.incomplete), (vec![112], 0));
    assert_eq!(base.games()[0].header.variant, "xiangqi");
    assert!(out.contains("1. Cbe3 Hc8"), "{out}");
    // What is exported has ranks from 1.
    let (again, done) = imported("b.pgn", &out);
    assert_eq!((plies(&again), done.incomplete), (vec![112], 0));
}

/// `P5+1` says nothing of which soldier of a file it is; what follows does.
#[test]
fn ambiguous_moves_of_xiangqi_are_resolved_by_what_follows() {
    let fen = "3k5/9/4P4/9/4P4/9/p8/9/9/5K3 w - - 0 1";
    let game = |moves: &str| {
        format!("[Event \"x\"]\n[Variant \"xiangqi\"]\n[FEN \"{fen}\"]\n\n{moves} *\n")
    };
    // Beside a soldier on the ninth rank the king cannot go ahead.
    for (moves, undecided) in [
        ("1. P5+1 K4+1 2. +P+1", 0),
        ("1. P5+1 P1+1 2. Pd9", 0),
        ("1. P5+1 P1+1", 1),
    ] {
        let (base, done) = imported("a.pgn", &game(moves));
        let words = moves.split_whitespace().filter(|word| !word.ends_with('.'));
        assert_eq!(plies(&base), [words.count() as u32], "{moves}: {done:?}");
        assert_eq!(count(&done, "undecided-move"), undecided, "{moves}");
    }
}

/// Squares of two digits each, without any sign: of which kind is told by the moves.
#[test]
fn draughts_in_numbers_without_signs_are_read() {
    let (base, done, out) = field("four_digits.pdn");
    assert_eq!((plies(&base), done.incomplete), (vec![4], 0));
    let header = &base.games()[0].header;
    assert_eq!(header.variant, "english");
    assert!(out.contains("inferred"), "{out}");
    assert!(out.contains("1. 24-20 11-16 2. 20x11 7x16"), "{out}");
    // Years are none.
    let (_, done) = imported("a.pgn", "1. 2011 2012\n\n[Event \"x\"]\n\n1. e4 *\n");
    assert_eq!(done.seen, 1, "{done:?}");
}
