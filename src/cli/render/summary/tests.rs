use super::*;
use crate::base::diagnostic::Code;
use crate::database::ContainedGame;
use crate::database::VariantCount;
use crate::database::{
    AmbiguousFormat, DetectedLanguage, DuplicateGame, IncompleteGame, ReimportedDeletion,
    UnplayableSource,
};

#[test]
fn numbers_add_up() {
    let summary = ImportReport {
        sources: 3,
        seen: 279_100,
        stored: 279_090,
        duplicate: 4,
        repeated: 1,
        repeated_named: vec![DuplicateGame {
            source: "new.pgn".into(),
            number: 3,
            game: 17,
            deleted_by: None,
        }],
        deleted: 3,
        deletions: vec![
            ReimportedDeletion {
                change: 2,
                games: 1,
                can_be_undone: false,
            },
            ReimportedDeletion {
                change: 5,
                games: 2,
                can_be_undone: true,
            },
        ],
        restored: 0,
        restored_by: Vec::new(),
        replaced: 0,
        contained: 7,
        contained_named: vec![ContainedGame {
            game: 12,
            whole: 90,
        }],
        rejected: 6,
        plies: 23_256_520,
        positions: 23_535_610,
        diagnostics: vec![
            (Code::NullMove, 3),
            (Code::IllegalMove, 12),
            (Code::DupTag, 1),
            (Code::ResultMismatch, 1_204),
        ],
        interrupted: true,
        refused: None,
        unplayed: vec![UnplayableSource {
            source: "damas.txt".into(),
            unplayed: 58,
            games: 60,
        }],
        database_bytes: 110_234_112,
        sources_empty: Vec::new(),
        files_skipped: 0,
        files_skipped_named: Vec::new(),
        sources_repeated: vec!["again.pgn".into()],
        sources_missing: vec![
            MissingSource {
                source: "a.pgn".into(),
                games: 1,
                now: None,
            },
            MissingSource {
                source: "b.pgn".into(),
                games: 2,
                now: Some("c.pgn".into()),
            },
        ],
        unchanged_sources: vec!["old.pgn".into(), "-".into()],
        sources_failed: vec![
            ("cut.pgn.zst".into(), "file ends too early".into()),
            ("a.zip".into(), "a.zip: is a zip file".into()),
            ("-".into(), "-: damaged zstd data".into()),
        ],
        variants: vec![
            VariantCount {
                variant: Variant::CHESS,
                games: 200_000,
                ..VariantCount::default()
            },
            VariantCount {
                variant: 25,
                games: 79_090,
                inferred: 79_000,
                ambiguous: 120,
            },
        ],
        evaluations: Vec::new(),
        languages: vec![DetectedLanguage {
            language: "de",
            name: "German",
            games: 1_312,
            sources: 1,
            first_source: "partien.pgn".into(),
        }],
        incomplete: 12,
        formats: [("a", "pdn"), ("b", "pgn"), ("c", "pgn")]
            .map(|(name, format)| (name.into(), format))
            .into(),
        close_calls: vec![AmbiguousFormat {
            source: "-".into(),
            format: "pgn",
            could_be: "text",
        }],
        incomplete_named: vec![IncompleteGame {
            source: "games/tinsley.pdn".into(),
            number: 541,
            code: "illegal-move",
            detail: "32-28 at ply 123".into(),
        }],
    };
    let mut out = Vec::new();
    let elapsed = Duration::from_millis(12_300);
    write(
        &mut out,
        &TerminalInfo::plain(90),
        &summary,
        elapsed,
        60_000_000,
    )
    .expect("writes");
    insta::assert_snapshot!(String::from_utf8_lossy(&out), @"
    279,090 games stored from 3 sources in 12 s, 22,691 games/s, 4.9 MB/s
      read          279,100
      stored        279,090
      skipped             1  already in the database
      deleted             3  deleted before
      rejected            6

      plies      23,256,520
      positions  23,535,610
      database     110.2 MB

    Formats  pgn 2, pdn 1

    close call: standard input was read as pgn, it could be text: --as text

    deleted before: 1 game by change 2; `plydex optimize --purge` has given them up
    deleted before: 2 games by change 5; `plydex undo 5` brings back all that it deleted
    hint: import again with --restore-deleted to bring back the games of these sources

    stored already: game 3 of new.pgn is game 17

    stored twice: game 12 is the beginning of game 90
    stored twice: 2 more beginnings of games
    hint: `plydex dedupe --parts` lists them, and with --yes keeps the longer games alone

    Variants
      chess    200,000
      english   79,090  79,000 inferred, 120 of them could be another variant

    Languages of moves
      German  1,312 games  in partien.pgn

    already imported: old.pgn
    already imported: standard input

    nothing new in again.pgn

    failed: cut.pgn.zst: file ends too early
    failed: a.zip: is a zip file
    failed: standard input: damaged zstd data

    missing: a.pgn (1 game stays)
    moved: b.pgn to c.pgn, which has its 2 games
    `plydex delete --from-file NAME` deletes all games of a file, even those in other files

    Findings (1,220)
      Count  Severity  Code             Meaning
         12  error     illegal-move     move is not legal here; the game is kept and indexed
                                        up to it
      1,204  warning   result-mismatch  Result tag and termination marker differ; the marker
                                        stands unless it is *
          1  warning   dup-tag          tag name occurs twice; the last value counts, all are
                                        kept
          3  note      null-move        null move; the turn passes

    Incomplete games (12)
      Source       Game  Reason
      tinsley.pdn   541  illegal-move: 32-28 at ply 123
      --report FILE lists all of them

    warning: no move could be played in 58 of 60 games of damas.txt
    hint: --variant, --language or --as says how to read them

    interrupted: the games read so far are stored; the same command continues from there
    ");
}

#[test]
fn a_source_without_games_is_called_so() {
    let summary = ImportReport {
        sources: 2,
        sources_empty: vec!["notes.txt".into(), "-".into()],
        files_skipped: 4,
        files_skipped_named: ["a.txt", "b.txt", "c.txt", "d.txt"].map(Into::into).into(),
        ..ImportReport::default()
    };
    let mut out = Vec::new();
    write(
        &mut out,
        &TerminalInfo::plain(90),
        &summary,
        Duration::ZERO,
        9,
    )
    .expect("writes");
    let said = String::from_utf8_lossy(&out);
    assert!(
        said.ends_with(
            "\n\nno game found in notes.txt\nno game found in standard input\n\nskipped, \
             not recognised as games: a.txt, b.txt, c.txt and 1 more\n"
        ),
        "{said}"
    );
}
