#![allow(clippy::print_stdout)] // figures of the ignored test

use crate::games::chess::basics::{EnPassantMode, Position as _};
use proptest::prelude::*;
use shakmaty::zobrist::Zobrist64;

use super::*;

fn rows(text: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    text.lines().skip(1).map(|line| line.split('\t').collect())
}

fn write_shredder(setup: &Setup) -> String {
    let style = FenStyle {
        castling: Castling::Shredder,
        ..FenStyle::default()
    };
    write_with(setup, style)
}

#[test]
fn every_row_of_fen_tsv() {
    let mut seen = 0;
    for row in rows(include_str!("../../../../../tests/vectors/fen.tsv")) {
        seen += 1;
        let input = row[1].replace("\\t", "\t").replace("\\n", "\n");
        let result = read_position(&input);
        if let Some(word) = row[3].strip_prefix("err:") {
            let error = result.expect_err(&input);
            assert_eq!(error.word(), word, "row {}: {input}", row[0]);
            continue;
        }
        let (position, reading) = result.unwrap_or_else(|error| panic!("row {}: {error}", row[0]));
        assert_eq!(write(&reading.setup), row[4], "row {}", row[0]);
        assert_eq!(
            write(&position.to_setup(EnPassantMode::Legal)),
            row[4],
            "row {}",
            row[0]
        );
        assert_eq!(key4(&reading.setup), row[5], "row {}", row[0]);
        assert_eq!(
            write_shredder(&reading.setup).split(' ').nth(2),
            Some(row[6]),
            "row {}",
            row[0]
        );
        let codes: Vec<&str> = reading.warnings.iter().map(|code| code.as_str()).collect();
        assert_eq!(codes.join(" "), row[7].replace(',', " "), "row {}", row[0]);
        if !row[8].is_empty() {
            let Zobrist64(key) = position.zobrist_hash(EnPassantMode::PseudoLegal);
            assert_eq!(format!("{key:016x}"), row[8], "row {}", row[0]);
        }
    }
    assert_eq!(seen, 55);
}

#[test]
fn identity_is_the_first_four_fields() {
    for row in rows(include_str!("../../../../../tests/vectors/identity.tsv")) {
        let key = |text| key4(&read(text).expect("readable").setup);
        assert_eq!(key(row[1]) == key(row[2]), row[3] == "yes", "{}", row[0]);
        assert_eq!(
            (key(row[1]), key(row[2])),
            (row[4].to_owned(), row[5].to_owned())
        );
    }
}

#[test]
fn chess960_starts_round_trip_in_both_spellings() {
    for row in rows(include_str!(
        "../../../../../tests/vectors/chess960_start.tsv"
    )) {
        for text in [row[2], row[3]] {
            let (_, reading) = read_position(text).expect(text);
            assert_eq!(write(&reading.setup), row[2]);
            assert_eq!(write_shredder(&reading.setup), row[3]);
        }
    }
}

/// The rows of variants on the board of chess; the others have readers of their own.
#[test]
fn fens_of_variants_with_men_in_hand_and_checks() {
    let mut seen = 0;
    for row in rows(include_str!("../../../../../tests/vectors/variant_fen.tsv")) {
        let extras = match row[0] {
            "crazyhouse" => Extras::Pockets,
            "threecheck" => Extras::Checks(3),
            "fivecheck" => Extras::Checks(5),
            "chess" => {
                let error = read(row[1]).expect_err(row[1]);
                assert_eq!(Some(error.word()), row[2].strip_prefix("err:"));
                seen += 1;
                continue;
            }
            _ => continue,
        };
        if let Some(word) = row[2].strip_prefix("err:") {
            let error = read_variant(row[1], extras).expect_err(row[1]);
            assert_eq!(error.word(), word);
            seen += 1;
            continue;
        }
        let fen = read_variant(row[1], extras).expect(row[1]);
        assert_eq!(
            write_variant(&fen.setup, fen.checks, FenStyle::default()),
            row[2]
        );
        let again = read_variant(row[2], extras).expect(row[2]);
        assert_eq!(again.setup, fen.setup);
        assert_eq!(again.checks, fen.checks);
        seen += 1;
    }
    assert_eq!(seen, 11);
    let crowd = read_variant("4k3/8/8/8/8/8/8/4K3[Kq] w - -", Extras::Pockets);
    assert_eq!(
        crowd.expect_err("a king in hand").word(),
        "pocket-not-allowed"
    );
}

#[test]
fn three_customs_of_the_en_passant_field() {
    let field = |text: &str, en_passant| {
        let reading = read(text).expect(text);
        let setup = Setup {
            ep_square: reading.double_step,
            ..reading.setup
        };
        let style = FenStyle {
            en_passant,
            ..FenStyle::default()
        };
        let written = write_with(&setup, style);
        written.split(' ').nth(3).expect("a field").to_owned()
    };
    for (text, fields) in [
        // No pawn beside it; one beside it, but pinned; a legal capture.
        (
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
            ["-", "-", "e3"],
        ),
        ("8/8/8/K2pP2r/8/8/8/7k w - d6 0 1", ["-", "d6", "d6"]),
        ("k7/8/8/8/4Pp2/8/8/4K3 b - e3 0 1", ["e3", "e3", "e3"]),
    ] {
        let all = [EnPassant::Legal, EnPassant::XFen, EnPassant::Always];
        assert_eq!(all.map(|custom| field(text, custom)), fields, "{text}");
    }
}

#[test]
fn inner_rooks_are_named_by_file() {
    let reading = read("r3kr1r/8/8/8/8/8/8/R3KR1R w FAfa - 0 1").expect("readable");
    assert!(write(&reading.setup).contains(" FQfq "));
    let reading = read("r3kr1r/8/8/8/8/8/8/R3KR1R w HAha - 0 1").expect("readable");
    assert!(write(&reading.setup).contains(" KQkq "));
}

#[test]
fn every_epd_line_is_read() {
    let mut seen = 0;
    for row in rows(include_str!("../../../../../tests/vectors/epd.tsv")) {
        seen += 1;
        let (_, reading) = read_position(row[0]).expect(row[0]);
        assert_eq!(reading.operations.is_some(), seen != 4, "{}", row[0]);
    }
    assert_eq!(seen, 10);
    let first = "4k3/8/8/8/8/8/8/4K3 w - - bm Kd2; hmvc 3; fmvn 9;";
    let reading = read(first).expect("readable");
    assert_eq!(write(&reading.setup), "4k3/8/8/8/8/8/8/4K3 w - - 3 9");
    assert!(reading.fields.counters);
    assert_eq!(
        reading.operations.as_deref(),
        Some("bm Kd2; hmvc 3; fmvn 9;")
    );
    let perft = read("4k3/8/8/8/8/8/8/4K3 w - - 0 1 ;D1 20 ;D2 400").expect("readable");
    assert_eq!(perft.operations.as_deref(), Some(";D1 20 ;D2 400"));
    assert!(perft.warnings.is_empty());
}

#[test]
fn fields_say_what_was_there() {
    let fields = |text| read(text).expect("readable").fields;
    assert_eq!(fields("4k3/8/8/8/8/8/8/4K3"), Fields::default());
    assert_eq!(
        fields("4k3/8/8/8/8/8/8/4K3 w"),
        Fields {
            turn: true,
            ..Fields::default()
        }
    );
    assert_eq!(fields("4k3/8/8/8/8/8/8/4K3 w - - 0 1"), Fields::ALL);
}

#[test]
fn uci_moves_are_handed_on() {
    let reading = read("position startpos moves e2e4 e7e5").expect("readable");
    assert_eq!(reading.moves.as_deref(), Some("e2e4 e7e5"));
}

#[test]
fn three_rights_on_one_side_keep_the_outermost() {
    let reading = read("4k3/8/8/8/8/8/8/RR2K2R w BAH - 0 1").expect("readable");
    assert!(write(&reading.setup).contains(" KQ "));
    assert!(reading.warnings.contains(&Code::CastlingDropped));
}

#[test]
fn messages_name_field_text_and_what_is_allowed() {
    let message = |text| read_position(text).expect_err(text).to_string();
    assert_eq!(
        message("8/8/8/9p/8/8/8/8 w"),
        "rank 5 of the FEN has `9`; allowed are KQRBNP, kqrbnp and the digits 1 to 8"
    );
    assert_eq!(
        message("8/8/8/ppppppppp/8/8/8/8 w"),
        "rank 5 of the FEN, `ppppppppp`, has 9 squares; it must have 8"
    );
    assert_eq!(
        message("4k3/8/8/8/8/8/4r3/4K3 b - - 0 1"),
        "the white king is in check, but the other side is to move"
    );
}

#[test]
fn a_board_full_of_queens_is_refused_not_a_crash() {
    let text = "kQ1Q1Q1Q/8/Q1Q1Q1Q1/1Q1Q1Q1Q/Q1Q1Q1Q1/1Q1Q1Q1Q/Q1Q1Q1Q1/KQ1Q1Q1Q w - - 0 1";
    if let Ok((position, _)) = read_position(text) {
        assert!(position.legal_moves().len() < 270);
    }
}

proptest! {
    #[test]
    fn what_play_reaches_survives_writing(choices in prop::collection::vec(any::<u16>(), 0..120)) {
        let mut position = Chess::default();
        for choice in choices {
            let moves = position.legal_moves();
            if moves.is_empty() { break; }
            position.play_unchecked(moves[usize::from(choice) % moves.len()]);
        }
        let setup = position.to_setup(EnPassantMode::Legal);
        let (again, reading) = read_position(&write(&setup)).expect("own text");
        prop_assert!(reading.warnings.is_empty(), "{:?}", reading.warnings);
        prop_assert_eq!(&reading.setup, &setup);
        prop_assert_eq!(again, position);
        prop_assert_eq!(read(&write_shredder(&setup)).expect("own text").setup, setup);
    }

    #[test]
    fn no_text_panics(text in "\\PC{0,80}") {
        let _ = read_position(&text);
    }

    #[test]
    fn no_nearly_fen_panics(text in "[kqrbnpKQRBNP1-8/]{10,72} [wb] [KQkqA-Ha-h-]{1,4} [a-h][1-8] [0-9-]{1,12} [0-9]{1,3}") {
        let _ = read_position(&text);
    }
}

/// FENs of positions that games reach, with all that a FEN can have.
fn played() -> impl proptest::strategy::Strategy<Value = String> {
    use proptest::prelude::*;
    proptest::collection::vec(any::<u16>(), 0..60).prop_map(|choices| {
        use crate::games::chess::basics::Position as _;
        let mut at = crate::games::chess::basics::Chess::default();
        for choice in choices {
            let moves = at.legal_moves();
            if moves.is_empty() {
                break;
            }
            let m = moves[usize::from(choice) % moves.len()];
            at.play_unchecked(m);
        }
        let mode = crate::games::chess::basics::EnPassantMode::Always;
        shakmaty::fen::Fen::from_position(&at, mode).to_string()
    })
}

proptest::proptest! {
    /// The quick path gives what the lenient one gives, or nothing.
    #[test]
    fn quick_and_lenient_agree(
        fen in played(),
        at in proptest::prelude::any::<proptest::sample::Index>(),
        other in "[ -~]|[a-h1-8/KQkqRrPp wb-]{0,3}",
        len in 0_usize..3,
    ) {
        proptest::prop_assert!(
            quick::read(&fen).is_none_or(|quick| Ok(quick) == read_leniently(&fen, Extras::None))
        );
        let from = at.index(fen.len() + 1);
        let to = (from + len).min(fen.len());
        let damaged = format!("{}{other}{}", &fen[..from], &fen[to..]);
        if let Some(quick) = quick::read(&damaged) {
            proptest::prop_assert_eq!(Ok(quick), read_leniently(&damaged, Extras::None), "{}", damaged);
        }
    }
}

#[test]
fn usual_fens_take_the_quick_path() {
    for fen in [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQ - 12 40",
        "8/8/8/K2pP3/8/8/8/7k w - d6 0 1",
        "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
    ] {
        assert!(quick::read(fen).is_some(), "{fen}");
    }
}
