//! Collections of chess problems: every format is read whole, found by position,
//! shown as problemists print it, and written so that it reads back.

mod composers;
mod field;
mod real;
mod written;

use std::{fmt::Write as _, path::PathBuf};

use shakmaty::{CastlingMode, Chess, fen::Fen};

use {
    crate::support::{Base, game_ids, one_in, root, run, vector},
    plydex::{
        base::record::{GameRecord, MovetextItem},
        games::{AnyPosition, symmetry::Symmetry},
        import::ImportOptions,
        problems::{
            CollectionFormat, CollectionWriter, Composition, ParsedProblem, StoredProblem, lines,
            olive, popeye,
        },
        query::PositionQuery,
        search::{self, AccessPlan, GameReader, MoveNotation},
        store::StoreError,
    },
};

fn samples() -> Vec<PathBuf> {
    ["lines.problems", "popeye.inp", "collection.olv"]
        .map(|name| root().join("sample-data/problems").join(name))
        .to_vec()
}

fn base_of(paths: &[PathBuf]) -> Base {
    let base = Base::new();
    let _ = base.import(paths, ImportOptions::default());
    base.assert_sound();
    base
}

fn base_of_text(name: &str, text: &str) -> Base {
    let base = Base::new();
    let path = base.folder().join(name);
    std::fs::write(&path, text).expect("a file");
    let _ = base.import(&[path], ImportOptions::default());
    base.assert_sound();
    base
}

/// The problems of a database, as they are filed.
fn filed(base: &Base) -> Vec<StoredProblem> {
    let mut games = GameReader::new(&base.store);
    let last = base.store.last_game().expect("a number");
    let problem = |game| {
        let record = games.record(game).expect("readable").expect("a game");
        record.problem.expect("a problem")
    };
    (1..=last).map(problem).collect()
}

/// What a database exports in a format of problems.
fn collection(base: &Base, format: CollectionFormat) -> String {
    let mut writer = CollectionWriter::new(format);
    let mut text = String::new();
    search::each_game::<StoreError>(
        &base.store,
        &AccessPlan::default(),
        MoveNotation::default(),
        &mut |record| {
            if let Some(problem) = &record.problem {
                writer.problem(problem, &mut text);
            }
            Ok(())
        },
    )
    .expect("an export");
    writer.finish(&mut text);
    text
}

fn tag<'g>(game: &'g GameRecord, name: &str) -> &'g str {
    let found = game.tags.iter().find(|(other, _)| other == name);
    found.map_or("", |(_, value)| value)
}

fn chess(fen: &str) -> Chess {
    let fen: Fen = fen.parse().expect("a FEN");
    fen.into_position(CastlingMode::Standard).expect("legal")
}

fn asked(fen: &str) -> PositionQuery {
    PositionQuery {
        in_variations: true,
        ..PositionQuery::of(AnyPosition::from(chess(fen)))
    }
}

fn found(base: &Base, position: PositionQuery) -> Vec<u64> {
    let query = AccessPlan {
        position: Some(position),
        ..AccessPlan::default()
    };
    game_ids(&base.store, &query).expect("an answer")
}

/// The founding problem (specification B4), with its key and variations in Greek.
const SEED: &str = "(Π7/4ρ3/4Ι3/Ρ2Α4/8/8/8/5Π2) (5+1) Ματ σε 3 κινήσεις \
    1.Ιδ4! Ρδ7 (1...Ρδ6 2.Πδ8+ Ρε7 (2...Ρε5 3.Ιγ6#) (2...Ργ7 3.Ιε6#) 3.Ιγ6#) 2.Ιβ5 Ρε7 3.Πζ7#\n";

#[test]
fn the_greek_problem_is_replayed_and_found() {
    let base = base_of_text("seed.problems", SEED);
    let games = base.games();
    assert_eq!(games.len(), 1);
    let moves: Vec<&str> = games[0]
        .items
        .iter()
        .filter_map(|item| match item {
            MovetextItem::Move(san) => Some(san.as_str()),
            _ => None,
        })
        .collect();
    assert_eq!(moves, ["Nd4", "Kd7", "Nb5", "Ke7", "Rf7#"]);
    assert_eq!(tag(&games[0], "Stipulation"), "#3");
    for fen in [
        "R7/4k3/4N3/K2B4/8/8/8/5R2 w - - 0 1",
        // After the key, after each of Black's answers, and at the mates.
        "R7/4k3/8/K2B4/3N4/8/8/5R2 b - - 0 1",
        "R7/3k4/8/KN1B4/8/8/8/5R2 b - - 0 1",
        "R7/4kR2/8/KN1B4/8/8/8/8 b - - 0 1",
        "3R4/8/3k4/K2B4/3N4/8/8/5R2 b - - 0 1",
        "3R4/4k3/2N5/K2B4/8/8/8/5R2 b - - 0 1",
        "3R4/8/2N5/K2Bk3/8/8/8/5R2 b - - 0 1",
        "3R4/2k5/4N3/K2B4/8/8/8/5R2 b - - 0 1",
    ] {
        assert_eq!(found(&base, asked(fen)), [1], "{fen}");
    }
    // Mirrored: the same problem from the other side of the board.
    let mirrored = PositionQuery {
        symmetries: vec![Symmetry::Mirror],
        ..asked("7R/3k4/3N4/4B2K/8/8/8/2R5 w - - 0 1")
    };
    assert_eq!(found(&base, mirrored), [1]);
}

#[test]
fn lines_of_the_vectors_are_imported() {
    let text = vector("problem_lines.tsv");
    let mut checked = 0;
    for row in text.lines().skip(1) {
        let cells: Vec<&str> = row.split('\t').collect();
        let [line, placement, count, asked, _, expect] = cells[..] else {
            panic!("{row}");
        };
        let base = base_of_text("line.problems", &format!("{SEED}\n{line}\n"));
        let games = base.games();
        assert_eq!(games.len(), 2, "{line}: every line is a record");
        let game = &games[1];
        if expect.starts_with("err") {
            // Kept as text, and what is on it is no position.
            assert!(
                !tag(game, "Pieces").is_empty() || !tag(game, "FEN").is_empty(),
                "{line}"
            );
            assert_eq!(game.header.variant, "unknown", "{line}");
        } else {
            let fen = tag(game, "FEN");
            assert_eq!(fen.split(' ').next(), Some(placement), "{line}");
            assert_eq!(tag(game, "Stipulation"), asked, "{line}");
            let problem = &filed(&base)[1].problem;
            assert_eq!(problem.diagram.count_text(), format!("({count})"), "{line}");
        }
        checked += 1;
    }
    assert_eq!(checked, 10);
}

#[test]
fn stipulations_of_the_vectors_are_kept() {
    let mut text = String::new();
    let rows: Vec<String> = vector("stipulations.tsv")
        .lines()
        .skip(1)
        .map(|row| row.split('\t').next().expect("a cell").to_owned())
        .collect();
    for row in &rows {
        let _ = write!(
            text,
            "---\nalgebraic: {{white: [Ka1], black: [Kh8, Ph7]}}\nstipulation: '{row}'\n"
        );
    }
    let base = base_of_text("all.olv", &text);
    let games = base.games();
    assert_eq!(games.len(), rows.len());
    for (game, row) in games.iter().zip(&rows) {
        assert_eq!(tag(game, "Stipulation"), row.trim());
        let black = tag(game, "FEN").contains(" b ");
        let help = row.to_lowercase().starts_with("h#")
            || row.starts_with("h=")
            || row.starts_with("hza")
            || row.contains("ser-h");
        assert_eq!(black, help && !row.ends_with(".5"), "{row}");
    }
}

#[test]
fn samples_are_shown_as_journals_print_them() {
    let base = base_of(&samples());
    let db = base.folder().join("test.db");
    let shown = |args: &[&str]| {
        let ran = run(&db, args);
        assert_eq!(ran.status, Some(0), "{ran:?}");
        let samples = root().join("sample-data");
        ran.out
            .replace(samples.to_str().expect("UTF-8"), "[samples]")
    };
    insta::assert_snapshot!(shown(&["search"]), @"
    Game  Composer                    Stipulation  Date     Source           Plies
       1  Plydex                      #2           2026     Samples 2026         3
       2  Πλύδεξ                      #2           2026     Δείγματα 2026        3
       3  Plydex                      h#1          2026     Proben 2026          2
       4  Anna Müster                 #2           2026     7, Proben, 2026      0
       5  Anna Müster                 ser-#2       2026     8, Proben, 2026      0
       6  Sample, Sam & Muster, Änne  ser-#2       2026.11  Samples              3
       7  Sample, Sam                 h#1          2026     Samples              2
       8  Sample, Sam                 hs#2         2026     Samples              0
    ");
    insta::assert_snapshot!(shown(&["show", "1"]), @"
      Plydex
      Samples 2026

        ┌─────────────────┐
      8 │ · · · · · · · · │
      7 │ · · · · · · · · │
      6 │ · · · · · · · · │
      5 │ · · · · · · · · │
      4 │ · · · · · · · · │
      3 │ · · · · · ♔ · · │
      2 │ ♖ · · · · · · · │
      1 │ · · · · · · · ♚ │
        └─────────────────┘
          a b c d e f g h
        (2+1)            #2

      1.Kg3! zugzwang. 1...Kg1 2.Ra1#
      1.Kf2? Kh2!

      Game 1

    Read from [samples]/problems/lines.problems, game 1
      ambiguous at byte 0: Plydex, Samples 2026, 8/8/8/8/8/5K2/R7/7k (2+1) #2 1.Kg3! zugzwang. 1...Kg1 2.Ra1#
    ");
    insta::assert_snapshot!(shown(&["show", "6"]), @"
      Sample, Sam & Muster, Änne
      Samples, 2, no. 11, 2026.11
      2nd Honourable Mention, Samples

        ┌─────────────────┐
      8 │ · · · · · · · · │
      7 │ · · · · · · · · │
      6 │ · · · · · · · · │
      5 │ · · · · · · · · │
      4 │ · · · · · · · · │
      3 │ · · · · · ♔ · · │
      2 │ ♖ · · · · · · · │
      1 │ · · · · · · · ♚ │
        └─────────────────┘
          a b c d e f g h
        (2+1)        ser-#2

      Keywords Series play, Miniature

      The moves of problem one, without waiting for an answer.

      1.Kg3 2.Ra1 #

      Game 6

    Read from [samples]/problems/collection.olv, game 1
    ");
    insta::assert_snapshot!(shown(&["show", "8"]), @"
      Sample, Sam
      Samples, 2026

        +-------------------------+
      8 | k  .  .  .  .  .  .  .  |
      7 | .  .  .  P  .  .  .  .  |
      6 | .  .  .  .  .  .  .  .  |
      5 | .  .  .  =N .  .  .  .  |
      4 | .  .  .  .  .  .  .  .  |
      3 | .  .  K  .  .  .  .  .  |
      2 | .  .  .  .  .  .  .  .  |
      1 | G  .  .  .  .  .  .  .  |
        +-------------------------+
          a  b  c  d  e  f  g  h
        (3+1+1)                hs#2

      Conditions Circe
      Pieces white royal Pd7 white Kc3 Ga1 black Ka8 neutral Nd5
      Options SetPlay

      1.Ka8-b8 Nd5-f6   2.Kb8-c8 d7-d8=G #

      Game 8

    Read from [samples]/problems/collection.olv, game 3
    ");
    insta::assert_snapshot!(shown(&["export", "--format", "problem"]), @"
    Plydex, Samples 2026, 8/8/8/8/8/5K2/R7/7k (2+1) #2 1.Kg3! zugzwang. 1...Kg1 2.Ra1#
    1.Kf2? Kh2!

    Πλύδεξ, Δείγματα 2026
    8/8/8/8/8/2Ρ5/7Π/ρ7 (2+1) Ματ σε 2 κινήσεις 1.Ρβ3! Ρβ1 2.Πθ1#

    Plydex, Proben 2026, T7/8/8/8/8/6K1/8/6k1 (2+1) Hilfsmatt in 1 Zug
    1.Kh1 Ta1#
    Anna Müster, 7, Proben, 2026, 8/8/8/8/8/5K2/T7/7k (2+1) #2
    Anna Müster, 8, Proben, 2026, 8/8/8/3g4/8/5K2/R7/7k (2+2) ser-#2
    Sam Sample & Änne Muster, Samples, 2, 11, 2026, 8/8/8/8/8/5K2/R7/7k (2+1) ser-#2 1.Kg3 2.Ra1 #
    Sam Sample, Samples, 2026, R7/8/8/8/8/6K1/8/6k1 (2+1) h#1 a) 1.Kg1-h1 Ra8-a1 # b) wRa8-->b8 1.Kg1-h1 Rb8-b1 #
    Sam Sample, Samples, 2026, k7/3P4/8/3=N4/8/2K5/8/G7 [white royal Pd7] (3+1+1) hs#2 1.Ka8-b8 Nd5-f6 2.Kb8-c8 d7-d8=G #
    ");
}

/// The problems without what no format has to keep: in which language it was read.
fn essences(base: &Base) -> Vec<Composition> {
    let language = Composition::default().language;
    let plain = |filed: StoredProblem| Composition {
        language,
        ..filed.problem
    };
    filed(base).into_iter().map(plain).collect()
}

#[test]
fn what_is_written_reads_back() {
    let mut texts = vec![base_of(&samples())];
    texts.push(base_of_text("seed.problems", SEED));
    for base in &texts {
        let db = base.folder().join("test.db");
        let before = essences(base);
        same(
            &exported(base, &["--format", "olive"], "again.olv"),
            &before,
        );
        same(&exported(base, &[], "again.pgn"), &before);
        // Lines keep the diagram, what is asked and the solution.
        let text = run(&db, &["export", "--format", "problem"]).out;
        let problems = lines::read(&text);
        assert_eq!(problems.len(), before.len(), "{text}");
        for ((_, after), before) in problems.iter().zip(&before) {
            let after = after.as_ref().expect("nothing stands above a problem");
            assert_eq!(after.diagram, before.diagram);
            assert_eq!(after.stipulation, before.stipulation);
        }
    }
}

/// The problems of an export with these options, read back under a name.
fn exported(base: &Base, options: &[&str], name: &str) -> Vec<Composition> {
    let db = base.folder().join("test.db");
    let text = run(&db, &[&["export"], options].concat()).out;
    essences(&base_of_text(name, &text))
}

/// Asserts that two lists are the same, and names the first that are not.
fn same(after: &[Composition], before: &[Composition]) {
    assert_eq!(after.len(), before.len());
    for (after, before) in after.iter().zip(before) {
        assert_eq!(after, before);
    }
}

/// A format, the names of its files, and what reads it.
type CollectionRow = (
    CollectionFormat,
    &'static str,
    fn(&str) -> Vec<ParsedProblem>,
);

const COLLECTIONS: [CollectionRow; 3] = [
    (CollectionFormat::Lines, "problems", lines::read),
    (CollectionFormat::Popeye, "inp", popeye::read),
    (CollectionFormat::Olive, "olv", olive::read),
];

#[test]
fn records_are_written_as_they_came() {
    let text = |name: &str| {
        let path = root().join("sample-data/problems").join(name);
        std::fs::read_to_string(path).expect("a sample")
    };
    let names = ["lines.problems", "popeye.inp", "collection.olv"];
    let all = base_of(&samples());
    for ((format, ending, _), name) in COLLECTIONS.into_iter().zip(names) {
        let text = text(name);
        let alone = base_of_text(&format!("one.{ending}"), &text);
        assert_eq!(collection(&alone, format), text, "{name}");
        // Among others they stand as they came, too.
        let among = collection(&all, format);
        let body = text.trim_end().trim_end_matches("EndProblem").trim_end();
        assert!(
            among.contains(body) || format == CollectionFormat::Popeye,
            "{among}"
        );
        assert_eq!(
            base_of_text(&format!("all.{ending}"), &among).games().len(),
            8
        );
    }
    // What is not the first of an input begins with another word, and is so written back.
    let popeye = "BeginProblem\nstip #2\npieces white Kc3 Ra2 black Ka1\n\
        NextProblem % twice\nstip h#1\npieces white Kc3 Ra2 black Kb1\nEndProblem\n";
    let base = base_of_text("two.inp", popeye);
    assert_eq!(collection(&base, CollectionFormat::Popeye), popeye);
    let db = base.folder().join("test.db");
    let second = run(&db, &["show", "2", "--format", "popeye"]).out;
    insta::assert_snapshot!(second, @"
    beginproblem % twice
    stip h#1
    pieces white Kc3 Ra2 black Kb1
    EndProblem
    ");
}

#[test]
fn everything_of_a_problem_is_kept() {
    let yaml = "---\nalgebraic:\n  white: [Kc3, Royal Pd7, Ra2]\n  black: [Ka1]\nauthors: ['A; B', C]\n\
        stipulation: 'h#1.5'\nkeywords: [Model mate; echo, Miniature]\n\
        comments: [\"a {brace}\\n\\nand a [line\", two]\n\
        twins: {b: 'Move a1 b1; a2 b2', zero: ''}\nsolution: |\n  {Zuerst:}\n  b)  1...Ka1-b1 ?? }\n\
        odd: {deep: [1, 2]}\n";
    let base = base_of_text("all.olv", yaml);
    let problem = &filed(&base)[0].problem;
    assert_eq!(problem.authors, ["A; B", "C"]);
    assert_eq!(problem.keywords, ["Model mate; echo", "Miniature"]);
    assert_eq!(problem.comments, ["a {brace}\n\nand a [line", "two"]);
    assert_eq!(problem.solution, "{Zuerst:}\nb)  1...Ka1-b1 ?? }\n");
    assert_eq!(problem.twins[0].1, "Move a1 b1; a2 b2");
    for (format, name) in [("pgn", "a.pgn"), ("olive", "a.olv")] {
        same(
            &exported(&base, &["--format", format], name),
            &essences(&base),
        );
    }
    // From PGN it is a problem again, and out of the players.
    let db = base.folder().join("test.db");
    let pgn = run(&db, &["export"]).out;
    let again = base_of_text("again.pgn", &pgn);
    let db = again.folder().join("test.db");
    let ids = |args: &[&str]| run(&db, &[&["search", "--count"], args].concat()).out;
    assert_eq!(ids(&["--author", "a b"]).trim(), "1");
    assert_eq!(ids(&["--player", "b"]).trim(), "0");
    let players = run(
        &db,
        &["sql", "--format", "csv", "SELECT count(*) FROM player"],
    );
    assert_eq!(players.out, "count(*)\n0\n", "{players:?}");
}

#[test]
fn problems_are_found_by_their_fields() {
    let base = base_of(&samples());
    let db = base.folder().join("test.db");
    let found = |args: &[&str]| {
        let ran = run(&db, &[&["search", "--format", "csv"], args].concat());
        let lines = ran.out.lines().skip(1);
        let ids: Vec<u64> = lines
            .map(|line| {
                line.split(',')
                    .next()
                    .expect("a cell")
                    .parse()
                    .expect("a number")
            })
            .collect();
        ids
    };
    assert_eq!(found(&["--author", "sample"]), [6, 7, 8]);
    assert_eq!(found(&["--author", "sample", "--author", "muster"]), [6]);
    assert_eq!(found(&["--stipulation", "#2"]), [1, 2, 4]);
    assert_eq!(found(&["--stipulation", "2#", "--author", "plydex"]), [1]);
    assert_eq!(found(&["--stipulation", "h#"]), [3, 7]);
    assert_eq!(found(&["--stipulation", "ser-"]), [5, 6]);
    assert_eq!(found(&["--condition", "circe"]), [5, 8]);
    assert_eq!(found(&["--keyword", "miniature"]), [6]);
    assert_eq!(found(&["--source", "proben"]), [3, 4, 5]);
    assert_eq!(found(&["--tag", "Keywords=miniature"]), [6]);
    // By the first composer.
    assert_eq!(found(&["--sort", "author"]), [4, 5, 1, 3, 6, 7, 8, 2]);
    assert_eq!(found(&["--sort", "author:desc"]), [2, 6, 7, 8, 1, 3, 4, 5]);
    assert!(found(&["--player", "sample"]).is_empty());
    assert!(found(&["--black", "#2"]).is_empty());
    let list = run(
        &db,
        &[
            "sql",
            "--format",
            "csv",
            "SELECT game, authors, play, goal, moves, conditions, twins, diagram FROM problem_list WHERE game > 5",
        ],
    );
    insta::assert_snapshot!(list.out, @r#"
    game,authors,play,goal,moves,conditions,twins,diagram
    6,"Sample, Sam & Muster, Änne",series,#,2.0,,0,8/8/8/8/8/5K2/R7/7k w - - 0 1
    7,"Sample, Sam",help,#,1.0,,1,R7/8/8/8/8/6K1/8/6k1 b - - 0 1
    8,"Sample, Sam",help-self,#,2.0,Circe,0,k7/3P4/8/3=N4/8/2K5/8/G7
    "#);
}

#[test]
fn diagrams_that_cannot_be_played_are_found() {
    let text = "k7/3P4/8/3=N4/8/2K5/8/G7 hs#2\n\n8/8/8/3S4/8/8/8/K7 #2\n\n\
        8/8/8/3N4/8/5S2/8/K6k #2\n\n8/8/8/3(!n)4/8/8/8/K5(EH)k h#2\n\n*2q7/8/8/8/8/8/8/K6k #1\n\n\
        8/8/8/3S4/8/8/8/K6k #2\n";
    let base = base_of_text("fairy.problems", text);
    let db = base.folder().join("test.db");
    let found = |text: &str| {
        let ran = run(&db, &["search", "--format", "csv", text]);
        assert!(ran.status < Some(2), "{text}: {ran:?}");
        let lines = ran.out.lines().skip(1);
        lines
            .map(|line| line.split(',').next().expect("a cell").to_owned())
            .collect::<Vec<_>>()
            .join(" ")
    };
    assert_eq!(found("k7/3P4/8/3=N4/8/2K5/8/G7"), "1");
    assert_eq!(found("k7/3P4/8/3(!N)4/8/2K5/8/G7"), "1");
    assert_eq!(found("white Pd7 Kc3 Ga1 black Ka8 neutral Nd5"), "1");
    // A king is missing.
    assert_eq!(found("8/8/8/3S4/8/8/8/K7"), "2");
    assert_eq!(found("8/8/8/3N4/8/8/8/K7"), "2");
    assert_eq!(found("8/8/8/3N4/8/8/8/K7 w - - 0 1"), "2");
    // A nightrider beside a knight.
    assert_eq!(found("8/8/8/3N4/8/5S2/8/K6k"), "3");
    assert_eq!(found("8/8/8/3=N4/8/8/8/K5.EHk"), "4");
    assert_eq!(found("*2q7/8/8/8/8/8/8/K6k"), "5");
    assert_eq!(found("8/8/8/3S4/8/8/8/K6k"), "6");
    assert_eq!(found("8/8/8/3S4/8/8/8/KG5k"), "");
    // Images of what is stored; no other moves over the board, which ask for a position.
    for (image, option) in [
        ("7k/4P3/8/4=N3/8/5K2/8/7G", "--mirror"),
        ("g7/8/2k5/8/3=n4/8/3p4/K7", "--flip"),
        ("7g/8/5k2/8/4=n3/8/4p3/7K", "--rotate"),
    ] {
        assert_eq!(found(image), "");
        let ran = run(&db, &["search", "--count", image, option]);
        assert_eq!(ran.out.trim(), "1", "{option}: {ran:?}");
    }
    let ran = run(&db, &["search", "k7/3P4/8/3=N4/8/2K5/8/G7", "--shift"]);
    assert_eq!(ran.status, Some(2), "{ran:?}");
    let castling = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    let ran = run(&db, &["search", castling, "--mirror"]);
    assert!(
        ran.status == Some(2) && ran.err.contains("castling"),
        "{ran:?}"
    );
    // With other filters, and among games that reach a position.
    let ran = run(
        &db,
        &[
            "search",
            "--count",
            "8/8/8/3N4/8/8/8/K7",
            "--stipulation",
            "h#",
        ],
    );
    assert_eq!(ran.out.trim(), "0");
    let pgn = "[FEN \"8/8/8/3N4/8/8/8/K7 w - - 0 1\"]\n\n*\n";
    let base = base_of_text("one.pgn", pgn);
    let ran = run(
        &base.folder().join("test.db"),
        &["search", "--count", "8/8/8/3N4/8/8/8/K7"],
    );
    assert_eq!(ran.out.trim(), "1");
}

/// Pieces of chess that are listed are the board that Forsyth's notation gives.
#[test]
fn lists_of_pieces_are_boards() {
    let text = "8/8/8/8/8/5K2/R7/7k #2\n\n8/8/8/3G4/8/5K2/R7/7k #2\n\n7k/R7/5K2/8/8/8/8/8 #2\n\n\
        8/8/8/8/8/5S2/R7/K6k h#2\n";
    let base = base_of_text("ordinary.problems", text);
    let db = base.folder().join("test.db");
    let found = |text: &str, options: &[&str]| {
        let ran = run(
            &db,
            &[&["search", "--format", "csv", text], options].concat(),
        );
        assert!(
            ran.status < Some(2) && !ran.err.contains("warning"),
            "{text}: {ran:?}"
        );
        let lines = ran.out.lines().skip(1);
        let games = lines.map(|line| line.split(',').next().expect("a cell").to_owned());
        games.collect::<Vec<_>>().join(" ")
    };
    for (list, board) in [
        ("white Kf3 Ra2 black Kh1", "8/8/8/8/8/5K2/R7/7k"),
        ("black Kh1 white Ka1 Ra2 Sf3", "8/8/8/8/8/5N2/R7/K6k"),
    ] {
        let own = found(list, &[]);
        assert!(!own.is_empty(), "{list}");
        for options in [&[][..], &["--orientations"], &["--flip"], &["--shift"]] {
            assert_eq!(found(list, options), found(board, options), "{list}");
        }
    }
    assert_eq!(found("white Kf3 Ra2 black Kh1", &["--orientations"]), "1 3");
}

#[test]
fn options_that_mean_nothing_are_refused() {
    let base = base_of(&samples());
    let db = base.folder().join("test.db");
    for (args, says) in [
        (
            vec![
                "search",
                "--shift",
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            ],
            "--shift needs",
        ),
        (
            vec![
                "search",
                "--orientations",
                "8/8/8/8/8/2k5/2p5/2K5 w - - 0 1",
            ],
            "--orientations needs",
        ),
        (
            vec!["tree", "--shift", "8/8/8/8/8/2k5/8/2K5 w - - 0 1"],
            "--shift cannot be combined with tree",
        ),
        (vec!["search", "--shift"], "--shift needs a POSITION"),
    ] {
        let ran = run(&db, &args);
        assert_eq!(ran.status, Some(2), "{ran:?}");
        assert!(ran.err.contains(says), "{ran:?}");
    }
    let moved = run(
        &db,
        &[
            "search",
            "--shift",
            "--orientations",
            "8/8/8/3k4/8/1R1K4/8/8 w - - 0 1",
        ],
    );
    assert_eq!(moved.status, Some(1), "{moved:?}");
}

#[test]
fn hostile_collections_are_cheap() {
    let many = "---\nalgebraic: {white: [Ka1], black: [Kh8]}\nsolution: \"";
    let part = one_in(4);
    let texts = [
        (
            "deep.olv",
            format!("algebraic: {}", "[".repeat(2_000_000 / part)),
        ),
        (
            "long.olv",
            format!("{many}{}\"\n", "1.Kb1 (".repeat(500_000 / part)),
        ),
        (
            "bomb.olv",
            format!(
                "algebraic: &a [x]\nb: [{}]\n",
                "*a,".repeat(1_000_000 / part)
            ),
        ),
        (
            "dashes.olv",
            format!("algebraic:\n{}", "---\n".repeat(500_000 / part)),
        ),
        (
            "next.inp",
            format!("begin\n{}", "next\nstip #1\n".repeat(20_000 / part)),
        ),
        (
            "pieces.inp",
            format!(
                "begin\npieces white {}\nend\n",
                "ka1 ".repeat(500_000 / part)
            ),
        ),
        (
            "newlines.problems",
            format!("8/8/8/8/8/5K2/R7/7k #2\n{}", "\n".repeat(3_000_000 / part)),
        ),
        ("one.problems", "8/8/8/8/8/8/8/8 ".repeat(200_000 / part)),
        (
            "blank.problems",
            format!(
                "8/8/8/8/8/5K2/R7/7k #2\n{}",
                "\n1.Kg3".repeat(200_000 / part)
            ),
        ),
    ];
    for (name, text) in texts {
        let begin = std::time::Instant::now();
        let base = base_of_text(name, &text);
        let _ = base.store.last_game().expect("readable");
        // What is not linear takes minutes, or hours.
        assert!(
            begin.elapsed().as_secs() < 60,
            "{name}: {:?}",
            begin.elapsed()
        );
    }
}
