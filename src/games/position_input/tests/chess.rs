//! Positions of chess in all the ways that people type them.

use super::*;
use crate::games::{FormExtras, PositionForm};

fn read(text: &str) -> Result<TypedPosition, PositionError> {
    read_position(text, &ExpectedVariants::default())
}

/// The position in four fields.
fn key(text: &str) -> String {
    let read = read(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    let fen = read.at.fen();
    let fields: Vec<&str> = fen.split(' ').take(4).collect();
    fields.join(" ")
}

#[test]
fn one_position_in_every_dress() {
    let sicilian = "rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq -";
    for text in [
        sicilian,
        "position fen rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2",
        "fen rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq -",
        "1.e4 c5 2.Nf3",
        "1. e4 c5 2. Nf3 *",
        "\"1.e4 c5 2.Nf3\"",
        "e4 c5 Nf3",
        "e2e4 c7c5 g1f3",
        "1 e2-e4 c7-c5 2 Ng1-f3",
        "1.e4! $1 c5 {Sicilian} 2.Sf3 1/2-1/2",
        "1.e4 1...c5 2.Nf3",
        "e4c5Nf3",
        "startpos moves e2e4 c7c5 g1f3",
        "position startpos moves e2e4 c7c5 g1f3",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 moves e4 c5 Nf3",
        "  \"rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2\"  ",
    ] {
        assert_eq!(key(text), sicilian, "{text}");
    }
}

/// A number that is none of the moves' asks something as well; those of moves are passed over as they
/// are written, also where they were copied from the middle of a game.
#[test]
fn numbers_among_moves_are_theirs_or_said() {
    let asked = |text: &str| requested_position(text, &ExpectedVariants::default());
    for text in [
        "1.e4 e5 2",
        "e4 e5 2",
        "e4 e5 2...",
        "e4 1...",
        "1 e4 e5 2 Nf3",
        "1.e4 2.e5 3.Nf3",
        "23. e4 e5 24. Nf3",
        "23 e4 e5 24 Nf3 24...",
        "23 e4 e5 24 Nf3 Nc6 25",
        "23... e4 e5",
        "23) e4 e5",
        "23: e4 e5",
        "e4 e5 5. Nf3",
        "e4 e5 {1972} Nf3",
        "e4 e5 $1 Nf3 1-0",
        "1.e4 e5 (1...c5 1972) 2.Nf3",
        "1.e4c5 2.Nf3",
        "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1157 moves 1157.e4 Ke6 1158.Kd2",
        "8/8/8/4k3/8/8/4P3/4K3 w - - 0 57 moves e4 57",
        "1. 32-28 19 - 23 2.28 x 19",
        "1. 32-28 19-23 2.",
        "3228 1923",
        "1. f5 2. d6 3. c3 4",
    ] {
        let read = asked(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let is_said = |warning: &Warning| matches!(warning, Warning::Said(_));
        let mut said = (read.warnings.iter())
            .filter(|warning| is_said(warning) && !warning.to_string().contains("1-0"));
        assert_eq!(said.next(), None, "{text}");
    }
    for (text, hint) in [
        ("e4 e5 1972", "moves:\"e4 e5\" and date:1972"),
        ("1972 e4", "moves:\"e4\" and date:1972"),
        ("1972.e4", "date:1972"),
        ("e4 1972 e5", "date:1972"),
        ("1. e4 e5 1972", "date:1972"),
        ("e4 e5 1972.08.03", "date:1972.08.03"),
        ("e4 c5 1970..", "date:1970.."),
        ("e4 c5 1970..1975", "date:1970..1975"),
        ("e4 e5 2600", "elo:2600.."),
        ("e4 12", "leave it out"),
        ("startpos moves e4 e5 12", "leave it out"),
        ("32-28 19-23 12", "leave it out"),
        (
            "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1 moves e4 1972",
            "name:value: date:1972",
        ),
    ] {
        let error = asked(text).expect_err(text);
        assert!(error.hint.contains(hint), "{text}: {}", error.hint);
        // In files it may be anything.
        assert!(read(text).is_ok() || text.starts_with("1."), "{text}");
    }
    for text in ["12 e4 e5", "1.e4 e5 12..."] {
        let read = asked(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let said = |warning: &Warning| warning.to_string().contains("not a move number");
        assert!(
            read.warnings.iter().any(said),
            "{text}: {:?}",
            read.warnings
        );
    }
}

/// A semicolon begins a comment, unless moves go on after it.
#[test]
fn moves_go_on_behind_semicolons() {
    let spanish = key("1.e4 e5 2.Nf3 Nc6 3.Bb5");
    for text in [
        "1.e4 e5; 2.Nf3 Nc6; 3.Bb5",
        "1. e4 e5;2. Nf3 Nc6;3. Bb5 ; good",
        "1.e4 e5 2.Nf3 Nc6 3.Bb5 ; 3...Ke5 is bad",
    ] {
        assert_eq!(key(text), spanish, "{text}");
    }
    let cut = read("1.e4 e5; 2.Nf3 Nc6; 3.Bb9").expect("a comment");
    assert_eq!(cut.moves, ["e4", "e5", "Nf3", "Nc6"]);
    let said = |warning: &Warning| warning.to_string().contains("semicolon");
    assert!(cut.warnings.iter().any(said), "{:?}", cut.warnings);
}

#[test]
fn starts() {
    let start = key("startpos");
    for text in [
        "960:518",
        "chess960:518",
        "Chess960 #518",
        "FRC:518",
        "position startpos",
    ] {
        assert_eq!(key(text), start, "{text}");
    }
    assert!(key("960:0").starts_with("bbqnnrkr/"));
    let error = read("960:960").expect_err("there are 960, from 0");
    assert_eq!(
        error.to_string(),
        "not a valid Chess960 start: `960` is not a number from 0 to 959"
    );
}

#[test]
fn moves_ask_for_everything_but_counters() {
    let line = read("1.e4").expect("readable");
    assert_eq!(
        line.fields,
        Fields {
            counters: false,
            ..Fields::ALL
        }
    );
    assert_eq!(line.moves, ["e4"]);
    let bare = read("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR").expect("readable");
    assert_eq!(bare.fields, Fields::default());
}

#[test]
fn the_side_that_is_not_named_is_the_one_that_can_move() {
    let placement = "b1Rkn2q/3p4/Pp1bp3/1P1p1p2/1Q1P1P2/3BN3/4N1PP/6K1";
    let bare = read(placement).expect("readable");
    assert_eq!(bare.at.turn(), 1, "Black is in check");
    assert_eq!(bare.fields, Fields::default());
    assert_eq!(bare.warnings, [Warning::Repaired(Code::MissingFields)]);
    let moved = read(&format!("{placement} moves Kxc8")).expect("readable");
    assert_eq!(moved.at.turn(), 0);
    // A user who names the side is taken at their word, as is one with no way out.
    for text in [&format!("{placement} w"), "8/8/8/8/8/8/R2k3R/R2K3R"] {
        let error = read(text).expect_err(text);
        assert!(error.message.contains("in check"), "{text}: {error}");
    }
}

#[test]
fn castling_and_promotion_words_survive() {
    assert_eq!(
        key("e4 e5 Nf3 Nc6 Bc4 Bc5 0-0"),
        key("e4 e5 Nf3 Nc6 Bc4 Bc5 O-O")
    );
    let promoted = "8/4P1k1/8/8/8/8/8/4K3 w - - 0 1 moves ";
    assert_eq!(
        key(&format!("{promoted}e8 = Q")),
        key(&format!("{promoted}e7e8q"))
    );
    assert_eq!(
        key(&format!("{promoted}e8 (Q)")),
        key(&format!("{promoted}e7e8q"))
    );
}

#[test]
fn errors_say_what_was_understood_and_where_it_broke() {
    let message = |text: &str| read(text).expect_err(text).to_string();
    assert_eq!(message(" "), "no position was given");
    assert_eq!(
        message("1.e4 c5 2.Nf9"),
        "move 2: `Nf9` is not a move (after 1.e4 c5)"
    );
    assert_eq!(
        message("e4 c5 Nf3 Ke6"),
        "move 2...: `Ke6` cannot be played: the black king on e8 cannot go to e6 (after 1.e4 c5 2.Nf3)"
    );
    assert_eq!(
        message("e5"),
        "move 1: `e5` cannot be played: no white pawn can go to e5 (in the start position)"
    );
    assert_eq!(message("hello"), "`hello` is neither a FEN nor a move");
    assert_eq!(
        message("8/8/8/ppppppppp/8/8/8/8 w"),
        "not a valid FEN: rank 5 of the FEN, `ppppppppp`, has 9 squares; it must have 8"
    );
    assert_eq!(
        message("8/8/8/4k3/8/8/8 w"),
        "not a valid FEN: the FEN has 7 ranks; a board has 8, separated by `/`"
    );
    assert!(message("8/8/8/4k3/8/8/8/4K3 b - - 0 1 moves Kf7").contains("in the given position"));
    assert!(
        read("hello")
            .expect_err("no move")
            .hint
            .contains("startpos")
    );
}

/// A score that was copied has them; without numbers they are meant, and are no moves.
#[test]
fn what_is_beside_moves_without_numbers_is_not_passed_over() {
    for (text, wrong) in [
        ("Nf3 {Nf6}", "`{Nf6}`"),
        ("Pe4 (pe5 or pc5)", "`(pe5`"),
        ("e4 e5 ; Nf3", "`;`"),
        ("e4 !e5", "`!e5`"),
    ] {
        let error = read(text).expect_err(text).to_string();
        assert!(error.contains(wrong), "{text}: {error}");
    }
    assert!(read("1. e4 {good} e5 (1... c5) 2. Nf3 ; fine").is_ok());
}

#[test]
fn a_diagram_in_every_language_and_dress() {
    let board = "R7/4k3/4N3/K2B4/8/8/8/5R2 w - -";
    for text in [
        "R7/4k3/4N3/K2B4/8/8/8/5R2",
        "Π7/4ρ3/4Ι3/Ρ2Α4/8/8/8/5Π2",
        "T7/4k3/4S3/K2L4/8/8/8/5T2",
        "(Π7/4ρ3/4Ι3/Ρ2Α4/8/8/8/5Π2) (5+1) Ματ σε 3 κινήσεις",
        "R7/4k3/4N3/K2B4/8/8/8/5R2 (5+1) #3",
        "R7/4k3/4N3/K2B4/8/8/8/5R2 White to play and mate in 3",
        "S. Loyd, Albion 1857: T7/4k3/4S3/K2L4/8/8/8/5T2 #3 1.Sd4!",
        "T7/4k3/4S3/K2L4/8/8/8/5T2 w - - 0 1",
        "T7/4k3/4S3/K2L4/8/8/8/5T2 w",
        "T11k7S3K2L33T2",
    ] {
        assert_eq!(key(text), board, "{text}");
    }
    let moved = "R7/4k3/8/K2B4/3N4/8/8/5R2 b - -";
    assert_eq!(key("T7/4k3/4S3/K2L4/8/8/8/5T2 w - - 0 1 moves Sd4"), moved);
    assert_eq!(key("Π7/4ρ3/4Ι3/Ρ2Α4/8/8/8/5Π2 moves Ιδ4"), moved);
    let help = read("T7/4k3/4S3/K2L4/8/8/8/5T2 h#2").expect("readable");
    assert!(help.fields.turn && help.at.turn() == 1);
    let bare = read("T7/4k3/4S3/K2L4/8/8/8/5T2").expect("readable");
    assert_eq!(bare.fields, Fields::default());
    assert!(bare.warnings.is_empty());
    assert_eq!(bare.aside.diagram.expect("a diagram").language.code, "de");
}

#[test]
fn diagrams_that_several_languages_have_say_so() {
    let read = read("T7/4k3/4P3/K2L4/8/8/8/5T2").expect("readable");
    assert!(
        read.warnings
            .contains(&Warning::Repaired(Code::AmbiguousDiagram))
    );
    let note =
        "the diagram is read as German (pawn P); it can also be Dutch (R7/4k3/4N3/K2B4/8/8/8/5R2)";
    assert!(read.warnings.contains(&Warning::Said(note.to_owned())));
}

#[test]
fn errors_of_diagrams() {
    let message = |text: &str| read(text).expect_err(text).to_string();
    assert_eq!(
        message("T7/4k3/4S3/K2L4/8/8/8/5T1"),
        "not a valid diagram: rank 1 of the diagram, `5T1`, has 7 squares; it must have 8"
    );
    assert!(message("8/8/8/8/8/8/8/8").starts_with("not a valid FEN: White has 0 kings"));
    assert!(message("4k3/8/8/8/8/8/8/4K3 x - -").starts_with("not a valid FEN: the side to move"));
}

#[test]
fn lines_of_epd_keep_their_operations() {
    let read = read("4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; id \"one\";").expect("readable");
    assert_eq!(read.aside.operations.len(), 2);
    assert!(read.warnings.is_empty());
}

#[test]
fn every_chess960_start_by_its_number() {
    let rows = include_str!("../../../../tests/vectors/chess960_start.tsv")
        .lines()
        .skip(1);
    for row in rows {
        let cells: Vec<&str> = row.split('\t').collect();
        let read = read(&format!("960:{}", cells[0])).expect(cells[0]);
        let written = |form| read.at.write_as(form, &FormExtras::default());
        assert_eq!(written(PositionForm::Fen).as_deref(), Some(cells[2]));
        assert_eq!(written(PositionForm::Shredder).as_deref(), Some(cells[3]));
    }
}

#[test]
fn moves_in_other_languages() {
    assert_eq!(
        key("1.e4 e5 2.Rf3 Rc6 3.Lb5"),
        key("1.e4 e5 2.Nf3 Nc6 3.Bb5")
    );
    assert_eq!(
        key("1.e4 e5 2.Sf3 Sc6 3.Lb5"),
        key("1.e4 e5 2.Nf3 Nc6 3.Bb5")
    );
    let start = read("startpos moves e2e4").expect("readable");
    // e3.
    assert_eq!(start.aside.double_step, Some(20));
}
