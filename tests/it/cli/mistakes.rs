//! What people type wrong: what is said then, and that what is proposed works.

use super::db;
use crate::support::run;

/// What is typed, a part of the message, a part of the hint, and the command that is meant.
type Mistake = (
    &'static [&'static str],
    &'static str,
    &'static str,
    &'static [&'static str],
);

const MISTAKES: &[Mistake] = &[
    // Moves.
    (
        &["search", "e4,e5"],
        "moves have no commas",
        "separate moves by blanks: e4 e5",
        &["search", "e4 e5"],
    ),
    (
        &["search", "e4 , e5"],
        "moves have no commas",
        "separate moves by blanks: e4 e5",
        &["search", "e4 e5"],
    ),
    (
        &["tree", "e4 e5 e6"],
        "no white pawn can go to e6",
        "plydex moves",
        &["moves", "e4 e5"],
    ),
    (
        &["search", "Qxf7#"],
        "cannot be played",
        "move:Qxf7# finds games",
        &["search", "move:Qxf7#"],
    ),
    // Words of a query.
    (
        &["search", "Q withn 6 R"],
        "",
        "did you mean `within`?",
        &[],
    ),
    (
        &["search", "withn 6"],
        "`withn`",
        "did you mean `within`?",
        &[],
    ),
    (
        &["search", "e4 adn e5"],
        "`adn`",
        "did you mean `and`?",
        &[],
    ),
    (
        &["search", "check adn mate"],
        "`adn`",
        "did you mean `and`? A name",
        &["search", "check and mate"],
    ),
    (
        &["search", "check orr mate"],
        "`orr`",
        "did you mean `or`?",
        &["search", "check or mate"],
    ),
    (
        &["search", "chekc"],
        "`chekc`",
        "did you mean `check`?",
        &["search", "check"],
    ),
    (
        &["search", "stalmate"],
        "`stalmate`",
        "did you mean `stalemate`?",
        &["search", "stalemate"],
    ),
    (
        &["search", "mate in 3"],
        "`in`",
        "stipulation:#3",
        &["search", "stipulation:#3"],
    ),
    (
        &["search", "check and"],
        "a condition is missing",
        "such as Pd4",
        &[],
    ),
    (&["search", "(check"], "bracket is not closed", "", &[]),
    (
        &["search", "check)"],
        "",
        "`)` closes a bracket that was not opened",
        &["search", "check"],
    ),
    // Conditions and their values.
    (
        &["search", "rating:2700"],
        "`rating:`",
        "did you mean elo:2700?",
        &["search", "elo:2700"],
    ),
    (
        &["search", "rating=2700"],
        "",
        "filters are written name:value: elo:2700",
        &["search", "elo:2700"],
    ),
    (
        &["search", "elo>2600"],
        "",
        "elo:2600..",
        &["search", "elo:2600.."],
    ),
    (
        &["search", "position=8/8/8/8/8/8/8/8"],
        "",
        "fen:8/8/8/8/8/8/8/8",
        &[],
    ),
    (
        &["search", "position:startpos"],
        "`position:`",
        "did you mean fen:startpos?",
        &["search", "fen:startpos"],
    ),
    (
        &["search", "tournament:London"],
        "`tournament:`",
        "event:London",
        &["search", "event:London"],
    ),
    (
        &["search", "plyer:fischer"],
        "`plyer:`",
        "player:fischer",
        &["search", "player:fischer"],
    ),
    (
        &["search", "elo:high"],
        "`high` is not a range",
        "2400..2600",
        &["search", "elo:2400..2600"],
    ),
    (
        &["search", "Sicilan"],
        "`Sicilan`",
        "did you mean opening:Sicilian?",
        &["search", "opening:Sicilian"],
    ),
    (
        &["search", "opening:Sicilan"],
        "no opening",
        "did you mean Sicilian?",
        &["search", "opening:Sicilian"],
    ),
    (
        &["search", "K+R v K"],
        "`K+R`",
        "material:KRvK",
        &["search", "material:KRvK"],
    ),
    (
        &["search", "KRPK"],
        "`KRPK`",
        "material:KRPvK",
        &["search", "material:KRPvK"],
    ),
    (
        &["search", "KR-KR"],
        "`KR-KR`",
        "material:KRvKR",
        &["search", "material:KRvKR"],
    ),
    (
        &["search", "player:"],
        "has no value",
        "without a space",
        &[],
    ),
    // Numbers and files where positions are.
    (
        &["delete", "91"],
        "neither a position nor a query",
        "games:91",
        &["search", "games:91"],
    ),
    (
        &["search", "#91"],
        "neither a position nor a query",
        "plydex show 91",
        &["show", "91"],
    ),
    (&["export", "e4 out.pgn"], "`out.", "export -o out.pgn", &[]),
    (
        &["export", "out.pgn"],
        "`out.pgn`",
        "plydex import out.pgn",
        &[],
    ),
    (
        &["search", "games.zip"],
        "`games.zip`",
        "plydex import games.zip",
        &[],
    ),
    // Numbers of games.
    (
        &["show", "Fischer"],
        "show: `Fischer` is not the number",
        "plydex search player:Fischer",
        &["search", "player:Fischer"],
    ),
    (
        &["show", "Fischer, R"],
        "not the number",
        "plydex search 'player:\"Fischer, R\"'",
        &["search", "player:\"Fischer, R\""],
    ),
    (&["show", "0"], "not the number", "#91", &["show", "91"]),
    (
        &["edit", "Fischer", "--tag", "Round=1"],
        "edit: `Fischer`",
        "player:Fischer",
        &[],
    ),
    // Options.
    (
        &["tree", "e4", "--rating", "2700"],
        "no option `--rating`",
        "--elo 2600..2700",
        &["tree", "e4", "--elo", "2600..2700"],
    ),
    (
        &["search", "--year", "1972"],
        "no option `--year`",
        "--date 1972..1975",
        &["search", "--date", "1972..1975"],
    ),
    (
        &["search", "--fen", "startpos"],
        "no option `--fen`",
        "without an option",
        &["search", "startpos"],
    ),
    (
        &["search", "--moves", "1.e4"],
        "no option `--moves`",
        "without an option",
        &["search", "1.e4"],
    ),
    (
        &["search", "--material", "KRvK"],
        "no option `--material`",
        "material:KRPvKR",
        &["search", "material:KRPvKR"],
    ),
    (
        &["search", "--time-control", "blitz"],
        "no option",
        "--time blitz",
        &["search", "--time", "blitz"],
    ),
    (
        &["search", "--limt", "5"],
        "no option `--limt`",
        "did you mean --limit?",
        &["search", "--limit", "5"],
    ),
    (
        &["search", "--xyzzy"],
        "no option `--xyzzy`",
        "plydex search --help",
        &["search", "--help"],
    ),
    (
        &["search", "--sort", "rating"],
        "`rating` is not a sort key",
        "did you mean elo?",
        &["search", "--sort", "elo"],
    ),
    (
        &["search", "--variant", "frisien"],
        "`frisien`",
        "did you mean frisian?",
        &["search", "--variant", "frisian"],
    ),
    (
        &["search", "--eco", "Sicilian"],
        "not an ECO code",
        "opening:Sicilian",
        &["search", "--opening", "Sicilian"],
    ),
    (
        &["search", "--eco", "B99-B10"],
        "wrong order",
        "",
        &["search", "--eco", "B10-B99"],
    ),
    (
        &["search", "--result", "1:0"],
        "not a result",
        "1-0",
        &["search", "--result", "1-0"],
    ),
    (
        &["search", "--format", "jason"],
        "jason",
        "json",
        &["search", "--format", "json"],
    ),
    (
        &["convert", "--------/pppppppp"],
        "read as an option",
        "convert -- --------/pppppppp",
        &[],
    ),
    // Commands.
    (
        &["serch", "e4"],
        "no command `serch`",
        "plydex search",
        &["search", "e4"],
    ),
    (
        &["games"],
        "no command `games`",
        "plydex search",
        &["search"],
    ),
    (
        &["load", "x.pgn"],
        "no command `load`",
        "plydex import",
        &[],
    ),
    (
        &["version"],
        "no command `version`",
        "plydex --version",
        &["--version"],
    ),
    (
        &["info", "other.db"],
        "one word too many",
        "--db other.db info",
        &["info"],
    ),
    (
        &["import", "nosuch.pgn"],
        "no such file",
        "check the spelling",
        &[],
    ),
    (&["undo", "99"], "no change 99", "plydex log", &["log"]),
    (
        &["sql", "SELECT * FROM games"],
        "no such table",
        "did you mean game?",
        &["sql", "SELECT * FROM game"],
    ),
];

#[test]
fn a_mistake_is_named_and_what_is_proposed_works() {
    assert!(MISTAKES.len() >= 60);
    let mut wrong = Vec::new();
    for &(typed, message, hint, meant) in MISTAKES {
        let ran = run(db(), typed);
        // All that is said behind the first line is a hint or shows the place.
        let is_said = ran.err.contains(message) && ran.err.contains(hint);
        if ran.status != Some(2) || !is_said {
            wrong.push(format!("{typed:?}: {message:?}, {hint:?}: {}", ran.err));
        }
        if !meant.is_empty() {
            let ran = run(db(), meant);
            if !matches!(ran.status, Some(0 | 1)) {
                wrong.push(format!("{meant:?}: {}", ran.err));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_file_of_games_is_no_database() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("x.pgn");
    std::fs::write(&file, "1. e4 e5 *\n").expect("a file");
    let ran = run(db(), &["merge", file.to_str().expect("UTF-8")]);
    assert_eq!(ran.status, Some(2));
    assert!(
        ran.err.contains("x.pgn: not a plydex database"),
        "{}",
        ran.err
    );
    assert!(
        ran.err.contains("`plydex import` reads files of games"),
        "{}",
        ran.err
    );
}
