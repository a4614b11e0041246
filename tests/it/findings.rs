//! What imports find wanting is shown where it stands, and can stop them.

use std::{io::Write as _, path::Path};

use {
    crate::support::{Base, run},
    plydex::{
        base::{diagnostic::Code, observe::CancellationToken},
        import::{
            ImportOptions, ImportReport,
            findings::{FindingQuery, FindingTotals, StoredFinding, each_finding},
        },
        store::StoreError,
    },
};

/// Game 2 has an illegal move, game 3 a word that is no move.
const GAMES: &str = "[White \"A\"]\n\n1. e4 e5 *\n\n[White \"B\"]\n\n1. e4 {é} Ng6 *\n\n\
                     [White \"C\"]\n\n1. e4 xyz e5 *\n";

fn found(base: &Base, asked: &FindingQuery) -> (Vec<StoredFinding>, FindingTotals) {
    let mut found = Vec::new();
    let mut take = |finding| -> Result<(), StoreError> {
        found.push(finding);
        Ok(())
    };
    let totals = each_finding(&base.store, asked, &CancellationToken::default(), &mut take);
    let totals = totals.expect("readable findings");
    (found, totals)
}

/// Source, line, column and word of each.
fn places(found: &[StoredFinding]) -> Vec<(String, u64, u64, &str)> {
    let place = |finding: &StoredFinding| {
        let (line, column) = (finding.line.expect("a line"), finding.column.expect("one"));
        let source = Path::new(&finding.source);
        let name = source.file_name().expect("a name").to_string_lossy();
        (name.into_owned(), line, column)
    };
    let word = |finding: &'_ StoredFinding| {
        let text = finding.text.as_deref().expect("a text");
        // Ends with the test.
        &*Box::leak(text[finding.word.clone()].to_owned().into_boxed_str())
    };
    found
        .iter()
        .map(|finding| {
            let (name, line, column) = place(finding);
            (name, line, column, word(finding))
        })
        .collect()
}

#[test]
fn findings_are_shown_in_files_compressed_ones_and_archives() {
    let base = Base::new();
    let path = |name: &str| base.folder().join(name);
    let other = |name: &str| GAMES.replace("White", name);
    std::fs::write(path("a.pgn"), other("Event")).expect("a file");
    let packed = zstd::encode_all(other("Site").as_bytes(), 1).expect("compressed");
    std::fs::write(path("b.pgn.zst"), packed).expect("a file");
    let mut inner = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default();
    for (name, tag) in [("x/c.pgn", "Round"), ("d.pgn", "Black")] {
        inner.start_file(name, options).expect("a member");
        inner.write_all(other(tag).as_bytes()).expect("a member");
    }
    let inner = inner.finish().expect("an archive").into_inner();
    let mut tar = tar::Builder::new(Vec::new());
    let mut header = tar::Header::new_gnu();
    header.set_size(inner.len() as u64);
    tar.append_data(&mut header, "in.zip", &inner[..])
        .expect("a member");
    std::fs::write(path("e.tar"), tar.into_inner().expect("an archive")).expect("a file");
    let utf16: Vec<u8> = std::iter::once(0xfeff)
        .chain(other("Annotator").encode_utf16())
        .flat_map(u16::to_le_bytes)
        .collect();
    std::fs::write(path("f.pgn"), utf16).expect("a file");
    let sources = ["a.pgn", "b.pgn.zst", "e.tar", "f.pgn"];
    base.import(&sources.map(path), ImportOptions::default());
    let (all, totals) = found(&base, &FindingQuery::default());
    assert_eq!((totals.total, totals.lost.len()), (10, 0), "{totals:?}");
    let names = ["a.pgn", "b.pgn.zst", "c.pgn", "d.pgn", "f.pgn"];
    let expected = names.iter().flat_map(|name| {
        [
            ((*name).to_owned(), 7, 11, "Ng6"),
            ((*name).to_owned(), 11, 7, "xyz"),
        ]
    });
    assert_eq!(places(&all), expected.collect::<Vec<_>>());
    assert_eq!(all[1].game_number, Some(3));
    let part = FindingQuery {
        source: Some("E.TAR/in.zip".into()),
        limit: Some(1),
        ..FindingQuery::default()
    };
    let (some, totals) = found(&base, &part);
    assert_eq!((some.len(), totals.total), (1, 4));
    assert_eq!(some[0].game, Some(8));
}

#[test]
fn lines_are_counted_whatever_ends_them() {
    // Each has the ends of another system, and one file has all of them.
    let parts = [("White", "\n"), ("Event", "\r"), ("Site", "\r\n")];
    let games = parts.map(|(tag, end)| GAMES.replace("White", tag).replace('\n', end) + end);
    let base = Base::of(games.concat().as_bytes());
    let (all, _) = found(&base, &FindingQuery::default());
    let expected = [0, 12, 24].into_iter().flat_map(|before| {
        [("Ng6", 7, 11), ("xyz", 11, 7)].map(|(word, line, column)| {
            let name = "games.pgn".to_owned();
            (name, before + line, column, word)
        })
    });
    assert_eq!(places(&all), expected.collect::<Vec<_>>());
    // What refuses a game says the same line.
    let strict = Base::new();
    let path = strict.folder().join("games.pgn");
    std::fs::write(&path, games.concat()).expect("a file");
    let options = ImportOptions {
        strict: true,
        ..ImportOptions::default()
    };
    let refused = strict.import(&[path], options).refused.expect("a finding");
    assert_eq!((refused.line, refused.column), (Some(7), Some(11)));
}

#[test]
fn a_changed_source_is_named_once_and_its_findings_stay() {
    let base = Base::of(GAMES.as_bytes());
    let path = base.folder().join("games.pgn");
    std::fs::write(&path, GAMES.replace("e4", "d4")).expect("a file");
    let (all, totals) = found(&base, &FindingQuery::default());
    assert!(all.len() == 2 && all.iter().all(|finding| finding.text.is_none()));
    assert_eq!(totals.lost.len(), 1);
    assert!(totals.lost[0].reason.contains("has changed"), "{totals:?}");
    // What was added does not matter.
    std::fs::write(&path, GAMES.to_owned() + "\n[White \"D\"]\n\n1. c4 *\n").expect("a file");
    assert_eq!(found(&base, &FindingQuery::default()).1.lost, []);
    let ran = |args: &[&str]| run(&base.folder().join("test.db"), args);
    let shown = ran(&["diagnostics", "--severity", "error"]);
    assert_eq!(shown.status, Some(0), "{shown:?}");
    let text = shown.out.replace(&path.display().to_string(), "games.pgn");
    insta::assert_snapshot!(text, @"
    error[illegal-move]: move is not legal here; the game is kept and indexed up to it
      --> games.pgn:7:11 (game 2, number 2 in the database)
    7 | 1. e4 {é} Ng6 *
      |           ^^^ `Ng6`: no black knight can reach g6; the knights stand on b8 and g8

    Findings of import 1 (1)
      Count  Severity  Code          Meaning
          1  error     illegal-move  move is not legal here; the game is kept and indexed up to it
    ");
    std::fs::remove_file(&path).expect("it was there");
    let gone = ran(&["diagnostics", "--limit", "1"]);
    assert!(gone.err.contains("warning: ") && gone.err.contains("no such file"));
    assert!(gone.err.contains("1 of 2 findings"), "{}", gone.err);
    assert!(gone.out.contains("games.pgn:byte 4"), "{}", gone.out);
    let none = ran(&["diagnostics", "--code", "bad-fen"]);
    assert_eq!(none.status, Some(1));
    let missing = ran(&["diagnostics", "--import", "7"]);
    assert_eq!(missing.status, Some(2));
    assert!(missing.err.contains("there was no import 7"));
}

#[test]
fn notes_are_counted_where_none_is_listed() {
    // The queen needs no `x`.
    let base = Base::of(b"[White \"A\"]\n\n1. e4 d5 2. ed5 *\n");
    let (all, totals) = found(&base, &FindingQuery::default());
    assert!(all.is_empty() && totals.total == 0);
    let ran = run(&base.folder().join("test.db"), &["diagnostics"]);
    let is_counted = !totals.counts.is_empty();
    assert_eq!(ran.status, Some(i32::from(!is_counted)));
    assert_eq!(ran.out.contains("note"), is_counted);
}

fn strict(base: &Base, text: &str, threads: usize) -> ImportReport {
    let options = ImportOptions {
        threads: Some(threads),
        strict: true,
        ..ImportOptions::default()
    };
    base.import_text(text.as_bytes(), options)
}

#[test]
fn a_strict_import_ends_before_the_first_finding() {
    let good = |n: usize| {
        format!(
            "[White \"{n}\"]\n\n1. e4 e5 2. Nf3 {{{}}} *\n\n",
            "x".repeat(500)
        )
    };
    // Several chunks; the second has the game that is refused.
    let before = 3000;
    let bad = "[White \"B\"]\n\n1. e4 Ng6 *\n\n";
    let text = |bad: &str| -> String {
        let first: String = (0..before).map(good).collect();
        let rest: String = (before..2 * before).map(good).collect();
        first + bad + &rest
    };
    let mut summaries = Vec::new();
    for threads in [1, 4] {
        let base = Base::new();
        let summary = strict(&base, &text(bad), threads);
        let refused = summary.refused.clone().expect("a finding");
        let place = (refused.line, refused.column, refused.game_number);
        let line = before as u64 * 4 + 3;
        assert_eq!(place, (Some(line), Some(7), Some(before as u64 + 1)));
        assert_eq!(refused.severity, "error");
        assert_eq!(
            (summary.stored, summary.interrupted),
            (before as u64, false)
        );
        base.assert_sound();
        // Refused again, nothing is stored twice; once it is mended, the import goes on.
        let again = strict(&base, &text(bad), threads);
        assert!(again.refused.is_some());
        assert_eq!((again.stored, again.duplicate), (0, before as u64));
        let mended = strict(&base, &text(&bad.replace("Ng6", "Nf6")), threads);
        assert_eq!(mended.refused, None);
        assert_eq!(
            (mended.stored, mended.duplicate),
            (before as u64 + 1, before as u64)
        );
        base.assert_sound();
        summaries.push((refused.line, base.games().len()));
    }
    assert_eq!(summaries[0], summaries[1]);
}

#[test]
fn a_strict_import_of_a_bad_last_or_only_game_keeps_what_stands_before() {
    let base = Base::new();
    let good = "[White \"A\"]\n\n1. e4 e5 *\n\n";
    let last = strict(&base, &format!("{good}{good}[White \"B\"]\n\n1. e5 *\n"), 2);
    assert_eq!((last.stored, last.refused.is_some()), (2, true));
    let mended = strict(&base, &format!("{good}{good}[White \"B\"]\n\n1. e3 *\n"), 2);
    assert_eq!((mended.stored, mended.duplicate), (1, 2));
    let only = strict(&base, "[White \"C\"]\n\n1. e4 zzz e5 *\n", 2);
    assert_eq!((only.stored, only.seen), (0, 0));
    let path = base.folder().join("games.pgn");
    let ran = run(
        &base.folder().join("test.db"),
        &["import", "--strict", &path.display().to_string()],
    );
    assert_eq!(ran.status, Some(2));
    assert!(
        ran.err.contains("games.pgn:3:7: unknown-word in game 1"),
        "{}",
        ran.err
    );
    assert!(
        ran.out.contains("3 | 1. e4 zzz e5 *\n  |       ^^^"),
        "{}",
        ran.out
    );
    base.assert_sound();
}

/// Every game before the first finding is stored, wherever a source was cut before: in one that
/// has grown, without tags, and beside another source with the same beginning.
#[test]
fn a_strict_import_loses_nothing_before_the_first_finding() {
    let tagged = |n: usize| format!("[White \"{n}\"]\n\n1. e4 e5 {{{n}}} *\n\n");
    let bare = |n: usize| format!("1. e4 e5 {{{n}}} 2. Nf3 *\n\n");
    let of = |game: &dyn Fn(usize) -> String, games: std::ops::Range<usize>| -> String {
        games.map(game).collect()
    };
    for game in [&tagged as &dyn Fn(usize) -> String, &bare] {
        let (bad, good) = (game(50).replace("e5", "Ng6"), game(50));
        let text = |middle: &str| of(game, 0..50) + middle + &of(game, 51..80);
        let base = Base::new();
        assert_eq!(strict(&base, &of(game, 0..20), 2).stored, 20);
        base.assert_sound();
        // It has grown, and what is new has a game that is refused. Only tags show where a
        // stream without an end between games goes on.
        let grown = strict(&base, &text(&bad), 2);
        assert!(grown.refused.is_some());
        assert_eq!(grown.seen, grown.stored + grown.duplicate + grown.rejected);
        let known = grown.duplicate;
        assert_eq!(grown.stored + known, 50);
        base.assert_sound();
        let again = strict(&base, &text(&bad), 2);
        assert_eq!((again.stored, again.duplicate), (0, 50));
        let mended = strict(&base, &text(&good), 2);
        assert_eq!(
            (mended.refused, mended.stored, mended.duplicate),
            (None, 30, 50)
        );
        let last = strict(&base, &text(&good), 2);
        assert_eq!((last.stored, last.duplicate), (0, 80));
        base.assert_sound();
        // Another source that begins alike: these games are there.
        let base = Base::new();
        assert_eq!(strict(&base, &of(game, 0..51), 2).stored, 51);
        let other = strict(&base, &(of(game, 0..50) + &bad), 2);
        assert!(other.refused.is_some());
        assert_eq!((other.seen, other.stored + other.duplicate), (50, 50));
        base.assert_sound();
    }
}

#[test]
fn games_of_which_nothing_was_played_are_named() {
    let base = Base::new();
    let text = "[White \"A\"]\n\n1. q9w9 w7e3 *\n\n[White \"B\"]\n\n1. e5 e4 2. d4 *\n\n\
                [White \"C\"]\n\n*\n";
    let summary = base.import_text(text.as_bytes(), ImportOptions::default());
    assert_eq!(summary.incomplete, 2);
    let why: Vec<&str> = summary
        .incomplete_named
        .iter()
        .map(|game| game.detail.split(';').next().unwrap_or_default())
        .collect();
    assert_eq!(why, ["0 of 2 plies", "0 of 3 plies"]);
    let unplayed = &summary.unplayed[0];
    assert_eq!((unplayed.unplayed, unplayed.games), (2, 3));
    let played = base.import_text(b"[White \"D\"]\n\n1. e4 Ng6 *\n", ImportOptions::default());
    assert_eq!((played.incomplete, played.unplayed), (1, Vec::new()));
    assert!(!played.incomplete_named[0].detail.contains("0 of"));
}

/// What an import that was undone has found is nobody's concern, unless it is asked for.
#[test]
fn findings_of_an_import_that_was_undone_are_left_out() {
    let base = Base::of(GAMES.as_bytes());
    let path = base.folder().join("more.pgn");
    std::fs::write(&path, "[White \"D\"]\n\n1. e5 *\n").expect("a file");
    base.import(&[path], ImportOptions::default());
    let ran = |args: &[&str]| run(&base.folder().join("test.db"), args);
    let asked = |import: &[&str]| {
        let args = [&["diagnostics", "--format", "json"], import].concat();
        let told: serde_json::Value = serde_json::from_str(&ran(&args).out).expect("JSON");
        let counts = told["counts"].as_array().expect("counts").iter();
        let count: u64 = counts.filter_map(|of| of["count"].as_u64()).sum();
        let import = told["import"].as_u64();
        (
            told["total"].as_u64(),
            count,
            import,
            told["undone"].clone(),
        )
    };
    let (every, all) = (&["--import", "all"][..], asked(&["--import", "all"]));
    let (first, second) = (asked(&["--import", "1"]), asked(&["--import", "2"]));
    assert_eq!((all.0, first.0, second.0), (Some(3), Some(2), Some(1)));
    assert_eq!(asked(&[]), second);
    assert_eq!(ran(&["undo", "2"]).status, Some(0));
    let left = asked(every);
    assert_eq!((left.0, left.1), (first.0, first.1));
    assert_eq!(asked(&[]), first);
    let undone = asked(&["--import", "2"]);
    assert_eq!((undone.0, undone.1), (second.0, second.1));
    assert_eq!((&first.3, undone.3), (&false.into(), true.into()));
    let said = ran(&["diagnostics", "--import", "2"]).out;
    assert!(said.contains("import 2, which was undone"), "{said}");
    assert_eq!(ran(&["undo", "3"]).status, Some(0));
    assert_eq!(asked(every), all);
}

#[test]
fn a_result_is_contradicted_only_where_a_tag_says_another_one() {
    let text = "[White \"A\"]\n\n1. e4 e5 1-0\n\n[White \"B\"]\n[Result \"\"]\n\n1. e4 c5 0-1\n\n\
                [White \"C\"]\n[Result \"0-1\"]\n\n1. e4 e6 1-0\n\n[White \"D\"]\n[Result \"*\"]\n\n1. d4 d5 1-0\n";
    let base = Base::of(text.as_bytes());
    let (found, _) = found(&base, &FindingQuery::default());
    let games: Vec<_> = (found.iter())
        .filter(|finding| finding.code == "result-mismatch")
        .map(|finding| finding.game)
        .collect();
    assert_eq!(games, [Some(3), Some(4)]);
}

/// Names in Russian and moves in English, from DOS; each game says that its encoding was guessed.
#[test]
fn games_of_russian_dos_have_their_names() {
    // Чемпионат, Иванов, Петров.
    let game: &[u8] = b"[Event \"\x97\xa5\xac\xaf\xa8\xae\xad\xa0\xe2\"]\r\n\
        [White \"\x88\xa2\xa0\xad\xae\xa2\"]\r\n[Black \"\x8f\xa5\xe2\xe0\xae\xa2\"]\r\n\r\n\
        1. e4 e5 1-0\r\n\r\n";
    let plain: &[u8] = b"[Event \"x\"]\r\n\r\n1. e4 e5 *\r\n\r\n";
    // Лучше.
    let comment: &[u8] = b"[Event \"y\"]\r\n\r\n1. d4 {\x8b\xe3\xe7\xe8\xa5} d5 *\r\n";
    let base = Base::new();
    let path = base.folder().join("a.pgn");
    let games = [game, plain, comment].concat();
    std::fs::write(&path, games).expect("a file");
    let done = base.import(&[path], ImportOptions::default());
    let is_guess = |(code, _): &&(Code, u64)| *code == Code::EncodingGuess;
    let guessed = done.diagnostics.iter().find(is_guess);
    let written = run(base.store.path(), &["export"]).out;
    for part in ["[Event \"Чемпионат\"]", "Иванов", "Петров", "{Лучше}"] {
        assert!(written.contains(part), "{part}: {written}");
    }
    assert_eq!(guessed.map(|(_, count)| *count), Some(2));
}
