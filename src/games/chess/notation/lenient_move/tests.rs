#![allow(clippy::print_stdout)] // figures of the ignored test

use proptest::prelude::*;

use super::*;
use crate::games::chess::notation::{fen, san};
use shakmaty::uci::UciMove;

fn position(text: &str) -> Chess {
    fen::read_position(text).expect(text).0
}

fn after(moves: &str) -> Chess {
    let mut position = Chess::default();
    for word in moves.split_whitespace() {
        let resolved = resolve(&position, word).expect(word);
        position = play(&position, resolved.moves[0]).expect("legal");
    }
    position
}

fn spelled(position: &Chess, word: &str) -> String {
    match resolve(position, word) {
        Ok(resolved) => {
            let mut position = position.clone();
            let mut words = Vec::new();
            for ply in resolved.moves {
                words.push(match ply {
                    Some(m) => san::write(&position, &m),
                    None => "--".to_owned(),
                });
                position = play(&position, ply).expect("legal");
            }
            words.extend(resolved.result);
            words.join(" ")
        }
        Err(stop) => match stop.error {
            MoveError::Illegal => "illegal".to_owned(),
            MoveError::Ambiguous => "ambiguous".to_owned(),
            MoveError::Unreadable => "no move".to_owned(),
        },
    }
}

#[test]
fn every_row_of_san_tsv() {
    let mut seen = 0;
    for line in include_str!("../../../../../tests/vectors/san.tsv")
        .lines()
        .skip(1)
    {
        seen += 1;
        let row: Vec<&str> = line.split('\t').collect();
        let position = position(row[0]);
        // This row is meant for a text known to be Greek.
        let greek = row[5]
            .contains("language is el")
            .then(|| Language::by_code("el"))
            .flatten();
        let result = resolve_in(&position, row[1], greek);
        if row[2] == "reject" {
            assert!(result.is_err(), "{line}: {result:?}");
            continue;
        }
        let resolved = result.unwrap_or_else(|error| panic!("{line}: {error:?}"));
        match resolved.moves[..] {
            [None] => assert_eq!(row[2], "0000"),
            [Some(m)] => {
                assert_eq!(san::uci(&position, m), row[2], "{line}");
                assert_eq!(
                    san::write(&position, &m).trim_end_matches(['+', '#']),
                    row[3],
                    "{line}"
                );
            }
            _ => panic!("{line}: {resolved:?}"),
        }
    }
    assert_eq!(seen, 62);
}

#[test]
fn castling_in_every_spelling() {
    let white = position("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    for word in [
        "O-O",
        "0-0",
        "o-o",
        "OO",
        "00",
        "oo",
        "О-О",
        "Ο-Ο",
        "O–O",
        "O—O",
        "O\u{2011}O",
        "0-0+",
        "Kg1",
        "e1g1",
        "E1G1",
        "e1h1",
        "Ke1-g1",
        "O-O!?",
    ] {
        assert_eq!(spelled(&white, word), "O-O", "{word}");
    }
    for word in [
        "O-O-O",
        "0-0-0",
        "000",
        "OOO",
        "o-o-o",
        "О–О–О",
        "Kc1",
        "e1c1",
        "e1a1",
    ] {
        assert_eq!(spelled(&white, word), "O-O-O", "{word}");
    }
    assert_eq!(spelled(&white, "0000"), "--");
}

#[test]
fn chess960_castling_by_squares_only_where_unambiguous() {
    let white = position("4k3/8/8/8/8/8/8/1R3KR1 w GB - 0 1");
    assert_eq!(spelled(&white, "f1g1"), "O-O");
    assert_eq!(spelled(&white, "Kg1"), "O-O");
    assert_eq!(spelled(&white, "f1b1"), "O-O-O");
    assert_eq!(spelled(&white, "Kc1"), "O-O-O");
    let free = position("4k3/8/8/8/8/8/8/5K1R w H - 0 1");
    assert_eq!(spelled(&free, "Kg1"), "Kg1");
    let m = legal_castle(&free);
    assert_eq!(san::uci(&free, m), "f1h1");
}

fn legal_castle(position: &Chess) -> Move {
    *position
        .legal_moves()
        .iter()
        .find(|m| m.is_castle())
        .expect("castling is legal")
}

#[test]
fn long_and_upper_case_spellings() {
    let start = Chess::default();
    for word in [
        "Ng1-f3", "Ng1f3", "N-f3", "G1F3", "g1f3", "nf3", "♘f3", "♞f3", "Nxf3", "Nf3+",
    ] {
        assert_eq!(spelled(&start, word), "Nf3", "{word}");
    }
    for word in [
        "E4", "Pe4", "pe4", "e2-e4", "e2–e4", "E2E4", "♙e4", "e4!?", "e4$1", "e4,",
    ] {
        assert_eq!(spelled(&start, word), "e4", "{word}");
    }
}

#[test]
fn captures() {
    let middle = after("e4 d5");
    for word in [
        "exd5", "ed", "exd", "ed5", "e:d5", "e4xd5", "e4d5", "ed:", "ed5:", "e×d5", "EXD5",
    ] {
        assert_eq!(spelled(&middle, word), "exd5", "{word}");
    }
    assert_eq!(
        resolve(&Chess::default(), "Nxf3").expect("read").findings,
        [Code::WrongCapture]
    );
    assert_eq!(resolve(&middle, "exd5").expect("read").findings, []);
    assert_eq!(
        resolve(&middle, "ed").expect("read").findings,
        [Code::MoveSpelling]
    );
}

#[test]
fn promotions() {
    let white = position("3n4/4P1k1/8/8/8/8/8/4K3 w - - 0 1");
    for word in [
        "e8=Q", "e8Q", "e8(Q)", "e8/Q", "e8=q", "e8q", "e7e8q", "e7-e8=Q", "e8=♕", "e8 = Q",
    ] {
        assert_eq!(spelled(&white, word), "e8=Q", "{word}");
    }
    assert_eq!(spelled(&white, "e8=N"), "e8=N+");
    assert_eq!(
        resolve(&white, "e8").expect("read").findings,
        [Code::AssumedQueen]
    );
    assert_eq!(
        resolve(&white, "ed").expect("read").findings,
        [Code::AssumedQueen]
    );
    assert_eq!(spelled(&white, "exd8=R"), "exd8=R");
}

#[test]
fn check_marks() {
    let black = after("f3 e5 g4");
    for word in [
        "Qh4#", "Qh4++", "Qh4mate", "Qh4ch", "Qh4", "Qh4+", "Qd8-h4#",
    ] {
        assert_eq!(spelled(&black, word), "Qh4#", "{word}");
    }
    let findings = |word| resolve(&black, word).expect("read").findings;
    assert_eq!(findings("Qf6#"), [Code::WrongCheckMark]);
    assert_eq!(findings("Qh4#"), []);
}

#[test]
fn glued_moves_and_results() {
    let start = Chess::default();
    assert_eq!(spelled(&start, "e4e5"), "e4 e5");
    assert_eq!(spelled(&start, "e4e52.Nf3Nc6"), "e4 e5 Nf3 Nc6");
    assert_eq!(spelled(&start, "e41-0"), "e4 1-0");
    assert_eq!(spelled(&start, "Nf31/2-1/2"), "Nf3 1/2-1/2");
    assert_eq!(spelled(&start, "e4*"), "e4 *");
    let castle = position("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    assert_eq!(spelled(&castle, "O-O1-0"), "O-O 1-0");
    assert_eq!(spelled(&castle, "O-OO-O-O"), "O-O O-O-O");
    assert!(
        resolve(&start, "e4e5")
            .expect("read")
            .findings
            .contains(&Code::MoveGlued)
    );
}

#[test]
fn long_glued_words_are_linear() {
    let start = Chess::default();
    let shuffle = "Nf3Nf6Ng1Ng8".repeat(2_000);
    assert_eq!(resolve(&start, &shuffle).expect("read").moves.len(), 8_000);
    assert!(resolve(&start, &"Nf3Nf6Ng1Ng8".repeat(8_000)).is_err());
    for hostile in [
        "a".repeat(60_000),
        "e4".repeat(30_000),
        "--".repeat(30_000),
        "O".repeat(60_000),
    ] {
        let _ = resolve(&start, &hostile);
    }
}

#[test]
fn null_moves() {
    for word in [
        "--", "---", "Z0", "z0", "null", "pass", "@@@@", "0000", "––",
    ] {
        assert_eq!(spelled(&Chess::default(), word), "--", "{word}");
    }
    let check = after("e4 e5 Nf3 f6 Nxe5 fxe5 Qh5");
    let error = resolve(&check, "--").expect_err("in check");
    assert_eq!(error.error, MoveError::Illegal);
    assert_eq!(error.reason.as_deref(), Some("a side in check cannot pass"));
}

#[test]
fn languages() {
    let start = Chess::default();
    for word in ["Sf3", "Cf3", "Кf3", "Ιζ3", "Jf3"] {
        assert_eq!(spelled(&start, word), "Nf3", "{word}");
    }
    let italian = after("e4 e5 Nf3 Nc6");
    for word in ["Lc4", "Fc4", "Ac4", "Сc4", "Αγ4", "bc4"] {
        assert_eq!(spelled(&italian, word), "Bc4", "{word}");
    }
    // Dutch knights share their letter with English pawns.
    let dutch = Language::by_code("nl");
    let resolved = resolve_in(&start, "Pf3", dutch).expect("read");
    let Some(m) = resolved.moves[0] else {
        panic!("a move")
    };
    assert_eq!(san::write(&start, &m), "Nf3");
    let king = position("4k3/8/8/8/8/8/8/4K1N1 w - - 0 1");
    assert_eq!(spelled(&king, "Крf2"), "Kf2");
}

/// A move of UCI as players by post write it.
fn in_numbers(uci: &str) -> String {
    let digit = |(at, c): (usize, char)| match (at, c) {
        (4, 'q') => '1',
        (4, 'r') => '2',
        (4, 'b') => '3',
        (4, 'n') => '4',
        (_, 'a'..='h') => char::from(b'1' + (c as u8 - b'a')),
        (_, digit) => digit,
    };
    uci.chars().enumerate().map(digit).collect()
}

#[test]
fn moves_in_numbers_alone() {
    let start = Chess::default();
    for (word, wanted) in [("5254", "e4"), ("7163+", "Nf3"), ("2133!", "Nc3")] {
        assert_eq!(spelled(&start, word), wanted, "{word}");
    }
    let castles = position("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    assert_eq!(spelled(&castles, "5171"), "O-O");
    assert_eq!(spelled(&castles, "5131"), "O-O-O");
    let promotes = position("8/4P2k/8/8/8/8/8/K7 w - - 0 1");
    for (word, wanted) in [("57581", "e8=Q"), ("57584", "e8=N"), ("5758", "e8=Q")] {
        assert_eq!(spelled(&promotes, word), wanted, "{word}");
    }
    // What cannot be played is a number and no illegal move.
    for word in ["1984", "1884", "5255", "52541", "52545", "52545755", "525"] {
        assert_eq!(spelled(&start, word), "no move", "{word}");
    }
}

#[test]
fn words_that_are_no_moves() {
    let start = Chess::default();
    for word in [
        "", "hello", "White", "ep", "e.p.", "#", "+", "N", "e", "Иf3", "♔", "@", "x", "1.",
    ] {
        assert_eq!(spelled(&start, word), "no move", "{word}");
    }
    assert_eq!(spelled(&start, "P@e4"), "illegal");
    assert_eq!(spelled(&start, "Bc5"), "illegal");
}

#[test]
fn reasons_name_men_and_squares() {
    let reason = |position: &Chess, word| match resolve(position, word) {
        Err(stop) if stop.reason.is_some() => stop.reason.unwrap_or_default(),
        other => panic!("{other:?}"),
    };
    let bishops = position("4k3/8/8/6B1/8/8/4B3/4K3 w - - 0 1");
    assert_eq!(
        reason(&bishops, "Bc5"),
        "no white bishop can reach c5; the bishops stand on e2 and g5"
    );
    assert_eq!(
        reason(&Chess::default(), "e5"),
        "no white pawn can go to e5"
    );
    assert_eq!(
        reason(&Chess::default(), "e7e5"),
        "the piece on e7 is black, but White is to move"
    );
    let knights = position("4k3/8/8/8/8/8/8/N1N1K3 w - - 0 1");
    assert_eq!(reason(&knights, "Nb3"), "it can be Nab3 or Ncb3");
    assert_eq!(
        reason(&Chess::default(), "O-O"),
        "White cannot castle kingside: there are pieces in the way"
    );
}

#[test]
fn pinned_men_do_not_make_a_move_ambiguous() {
    let pinned = position("4k3/4r3/8/8/8/8/4N3/N3K3 w - - 0 1");
    assert_eq!(spelled(&pinned, "Nc1"), "illegal");
    let pinned = position("4k3/4r3/8/8/8/8/4N3/1N2K3 w - - 0 1");
    assert_eq!(spelled(&pinned, "Nc3"), "Nc3");
}

proptest! {
    #[test]
    fn every_legal_move_resolves_in_every_spelling(choices in prop::collection::vec(any::<u16>(), 1..80)) {
        let mut position = Chess::default();
        for choice in choices {
            let moves = position.legal_moves();
            if moves.is_empty() { break; }
            let m = moves[usize::from(choice) % moves.len()];
            let short = san::write(&position, &m);
            let uci = san::uci(&position, m);
            let numeric = in_numbers(&uci);
            for word in [short.clone(), uci.to_uppercase(), uci, numeric, m.to_string()] {
                let resolved = resolve(&position, &word);
                prop_assert!(resolved.is_ok(), "{word}: {resolved:?}");
                prop_assert_eq!(&resolved.expect("checked").moves, &[Some(m)], "{}", word);
            }
            prop_assert_eq!(resolve(&position, &short).expect("legal").findings, []);
            position.play_unchecked(m);
        }
    }

    #[test]
    fn no_word_panics(word in "\\PC{0,30}") {
        let _ = resolve(&Chess::default(), &word);
    }

    #[test]
    fn no_nearly_move_panics(word in "[a-hA-HKQRBNPxX:=+#O0\\-1-8αζΡКр♘./()]{0,40}") {
        let _ = resolve(&Chess::default(), &word);
    }
}

#[test]
fn random_games_agree_with_their_oracle() {
    let mut seen = 0;
    for line in include_str!("../../../../../tests/vectors/random_games.tsv")
        .lines()
        .skip(1)
    {
        let row: Vec<&str> = line.split('\t').collect();
        if !matches!(row[0], "chess" | "chess960") {
            continue;
        }
        seen += 1;
        let mode = crate::games::chess::basics::CastlingMode::from_chess960(row[0] == "chess960");
        let mut game = position(row[1]);
        for (uci, expected) in row[2].split(' ').zip(row[3].split(' ')) {
            for word in [uci, expected] {
                let resolved = resolve(&game, word).unwrap_or_else(|error| panic!("{error:?}"));
                let Some(m) = resolved.moves[0] else {
                    panic!("a move")
                };
                assert_eq!(UciMove::from_move(m, mode).to_string(), uci, "{line}");
                assert_eq!(san::write(&game, &m), expected, "{line}");
            }
            let resolved = resolve(&game, expected).expect("resolved before");
            game = play(&game, resolved.moves[0]).expect("legal");
        }
        let last = fen::write(&game.to_setup(crate::games::chess::basics::EnPassantMode::Legal));
        assert_eq!(last, row[4], "{line}");
    }
    assert!(seen > 0);
}

#[test]
fn the_solution_of_the_greek_problem() {
    let mut position = position("R7/4k3/4N3/K2B4/8/8/8/5R2 w - - 0 1");
    let greek = Language::by_code("el").expect("in the table");
    for word in ["Ιδ4!", "Ρδ6", "Πδ8+", "Ρε7", "Ιγ6#"] {
        let ply = resolve_strictly_in(&position, word, greek).expect(word);
        assert_eq!(resolve(&position, word).expect(word).moves, [ply]);
        let Some(m) = ply else { panic!("{word}") };
        let plain = word.trim_end_matches('!');
        assert_eq!(greek.of_english(&san::write(&position, &m)), plain);
        position.play_unchecked(m);
    }
    assert!(position.is_checkmate());
}

#[test]
fn greek_captures_and_castling() {
    let castling = position("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    assert!(resolve(&castling, "Ο-Ο").is_ok());
    assert_eq!(resolve(&castling, "Πχα8+"), resolve(&castling, "Πxα8+"));
    assert!(resolve(&castling, "Πχα8+").is_ok());
}

/// The letters of every language, on every move of random games.
#[test]
fn what_is_written_in_a_language_is_read_in_it() {
    use crate::games::notation::{forsyth::tests::played, letters::LANGUAGES};
    let mut state = 7_u64;
    let mut next = || {
        state = state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (state >> 33) as u16
    };
    let promotions = position("3n2k1/4P3/8/8/8/8/8/4K3 w - - 0 1");
    let random = (0..40).map(|_| {
        let plies = next() % 120;
        let choices: Vec<u16> = (0..plies).map(|_| next()).collect();
        played(&choices)
    });
    for position in random.chain([promotions]) {
        for m in position.legal_moves() {
            for language in LANGUAGES.iter().filter(|language| language.in_movetext()) {
                let text = language.of_english(&san::write(&position, &m));
                let read = resolve_in(&position, &text, Some(language)).expect(&text);
                assert_eq!(read.moves, [Some(m)], "{text} {}", language.code);
            }
        }
    }
}
