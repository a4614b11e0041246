//! Against the tables: perft of engines, games of an oracle, FEN as people write it.

use super::{MoveError, Ranks, fen, resolve, write_san, write_uci, write_wxf};
use crate::{
    base::{diagnostic::Code, long_tests::one_in},
    games::{
        Budget, GameEnd, GamePosition,
        fairy::{
            Fairy,
            rows::FairyVariant,
            rules::{FairyPly, FairyPosition},
        },
        notation::fen::FenError,
        perft,
        registry::ALL,
        variant::Variant,
    },
};

fn position(variant: &'static FairyVariant, text: &str) -> FairyPosition {
    fen::read(variant, text)
        .unwrap_or_else(|error| panic!("{text}: {error}"))
        .0
}

/// The row of a game on a grid; `None` for other games.
fn known(name: &str) -> Option<&'static FairyVariant> {
    Variant::by_name(name)?.fairy()
}

fn row(name: &str) -> &'static FairyVariant {
    known(name).expect("a variant")
}

/// All rows of the perft table: variant, FEN, depth, nodes. The quick ones are tried in the tests
/// of the entire crate, with those of other games.
#[test]
#[ignore = "long: part of `just full`"]
fn all_depths_count_as_engines_do() {
    for line in include_str!("../../../../tests/vectors/chess_perft.csv").lines() {
        let cells: Vec<&str> = line.split(',').collect();
        let Some(row) = known(cells[0]) else {
            continue;
        };
        let at = position(row, cells[1]);
        let nodes: u64 = cells[3].parse().unwrap();
        let depth = cells[2].parse().unwrap();
        let counted = perft(&Fairy { row, at }, depth, Budget::default());
        assert_eq!(counted, Ok(nodes), "{line}");
    }
}

/// FEN of the oracle: castling by file letters in random arrays, an empty field
/// where a dash should be, reserves in another order.
fn same(variant: &'static FairyVariant, theirs: &str, ours: &FairyPosition) {
    let theirs = theirs
        .replace(" w  - ", " w - - ")
        .replace(" b  - ", " b - - ");
    let read = position(variant, &theirs);
    assert_eq!(fen::write(variant, &read), fen::write(variant, ours));
    assert_eq!(read, *ours);
}

#[test]
fn games_of_the_oracle_are_replayed_and_written() {
    let tables = [
        include_str!("../../../../tests/vectors/random_games.tsv"),
        include_str!("../../../../tests/vectors/compound_games.tsv"),
    ];
    let (mut seen, mut castlings) = (Vec::new(), 0);
    for line in tables.into_iter().flat_map(str::lines) {
        let cells: Vec<&str> = line.split('\t').collect();
        let Some(variant) = known(cells[0]) else {
            continue;
        };
        let mut now = position(variant, cells[1]);
        let sans = cells[3].split(' ');
        let ranks = Ranks::FromOne;
        for (uci, san) in cells[2].split(' ').zip(sans) {
            let ply = resolve(variant, &now, san, ranks);
            let ply = ply.unwrap_or_else(|error| panic!("{san}: {error} in {line}"));
            assert_eq!(resolve(variant, &now, uci, ranks), Ok(ply), "{uci}");
            assert_eq!(write_san(variant, &now, ply), san);
            assert_eq!(write_uci(variant, &now, ply), uci);
            castlings += u32::from(ply.way.is_castling());
            now.play(ply);
        }
        same(variant, cells[4], &now);
        seen.push(variant.name);
    }
    for row in ALL.iter().filter_map(Variant::fairy) {
        assert!(seen.contains(&row.name), "no game of {}", row.name);
    }
    assert!(castlings >= 20, "{castlings}");
}

#[test]
fn fens_are_read_as_the_table_says() {
    let mut rows = 0;
    for line in include_str!("../../../../tests/vectors/variant_fen.tsv").lines() {
        let cells: Vec<&str> = line.split('\t').collect();
        let Some(variant) = known(cells[0]) else {
            continue;
        };
        let read = fen::read(variant, cells[1]);
        if let Some(word) = cells[2].strip_prefix("err:") {
            assert_eq!(read.map_err(|error| error.word()).unwrap_err(), word);
        } else {
            let expected = if cells[2] == "same" {
                cells[1]
            } else {
                cells[2]
            };
            assert_eq!(fen::write(variant, &read.unwrap().0), expected);
        }
        rows += 1;
    }
    assert_eq!(rows, 10);
}

#[test]
fn inner_rooks_are_named_by_their_files() {
    let variant = row("caparandom");
    for (text, expected, shredder) in [
        (
            "r2k1r3r/10/10/10/10/10/10/R2K1R3R w FAfa - 0 1",
            "FQfq",
            "FAfa",
        ),
        (
            "r2k1r3r/10/10/10/10/10/10/R2K1R3R w JAja - 0 1",
            "KQkq",
            "JAja",
        ),
        ("r2k1r3r/10/10/10/10/10/10/R2K1R3R w KB - 0 1", "K", "J"),
    ] {
        let read = position(variant, text);
        let written = |text: String| text.split(' ').nth(2).unwrap().to_owned();
        assert_eq!(written(fen::write(variant, &read)), expected);
        assert_eq!(written(fen::write_shredder(variant, &read)), shredder);
    }
}

#[test]
fn what_cannot_be_is_refused() {
    let error =
        |name, text: &str| -> FenError { fen::read(row(name), text).expect_err("an error") };
    for (text, word) in [
        ("10/10/10/10/10/10/10/K9 w - -", "kings"),
        ("k9/10/10/10/10/10/10/K8P w - -", "pawn-backrank"),
        ("k8R/10/10/10/10/10/10/K9 w - -", "opposite-check"),
        ("k9/10/10/10/10/10/10/K8X w - -", "bad-char"),
        ("k9/10/10/10/10/10/10/K9[A] w - -", "pocket-not-allowed"),
        ("k9/10/10/10/10/10/10/K9 x", "turn"),
        ("k9/10/10/10/10/10/10/K9 w Z -", "castling"),
        ("k9/10/10/10/10/10/10/K9 w - z9", "ep"),
        ("k9/10/10/10/10/10/10/K9 w - - a", "halfmove"),
        ("k9/10/10/10/10/10/10/K9 w - - 0 b", "fullmove"),
        ("k9/10/10/10/10/10/10/K9 w - - 0 1 2", "extra-fields"),
        ("k9/10", "rank-count"),
        ("", "empty"),
    ] {
        assert_eq!(error("capablanca", text).word(), word, "{text}");
    }
    assert_eq!(
        error("seirawan", "k7/8/8/8/8/8/8/K7[Q] w - -").word(),
        "pocket-not-allowed"
    );
}

#[test]
fn games_end_in_mate_and_stalemate() {
    for (name, text, outcome) in [
        (
            "capablanca",
            "k9/1Q8/2K7/10/10/10/10/10 b - -",
            Some(GameEnd::Checkmate),
        ),
        (
            "capablanca",
            "k9/2Q7/2K7/10/10/10/10/10 b - -",
            Some(GameEnd::Stalemate),
        ),
        ("capablanca", "k9/2R7/2K7/10/10/10/10/10 b - -", None),
        // A piece in hand always has somewhere to go.
        ("capahouse", "k9/2Q7/2K7/10/10/10/10/10[n] b - -", None),
        // The general may neither face the other nor leave its palace.
        (
            "xiangqi",
            "3k5/4P4/9/9/9/9/9/9/9/4K4 b",
            Some(GameEnd::LosingStalemate),
        ),
        ("xiangqi", row("xiangqi").start_fen, None),
    ] {
        let row = row(name);
        let at = position(row, text);
        assert_eq!(Fairy { row, at }.outcome(), outcome, "{text}");
    }
}

#[test]
fn moves_are_read_in_many_spellings() {
    let read = |name, fen: &str, text: &str| -> Result<String, MoveError> {
        let variant = row(name);
        let now = position(variant, fen);
        resolve(variant, &now, text, Ranks::Either).map(|ply| write_uci(variant, &now, ply))
    };
    let castle = "r4k3r/10/10/10/10/10/10/R4K3R w KQkq - 0 1";
    for text in ["O-O", "0-0", "o–o+", "f1i1", "f1j1", "F1-I1", "j1f1"] {
        assert_eq!(read("capablanca", castle, text).as_deref(), Ok("f1i1"));
    }
    let embassy = "r3k4r/10/10/10/10/10/10/R3K4R w KQkq - 0 1";
    assert_eq!(read("embassy", embassy, "O-O-O").as_deref(), Ok("e1b1"));
    assert_eq!(read("caparandom", embassy, "O-O").as_deref(), Ok("e1j1"));
    let promotion = "k9/7P2/10/10/10/10/10/K9 w - - 0 1";
    for text in ["h8=C", "h8C", "h8(C)", "h7h8c", "h7-h8=C", "h8=E", "Ph8=c"] {
        assert_eq!(read("capablanca", promotion, text).as_deref(), Ok("h7h8c"));
    }
    assert_eq!(read("janus", promotion, "h8=J").as_deref(), Ok("h7h8j"));
    assert_eq!(read("janus", promotion, "h8=C"), Err(MoveError::Illegal));
    assert_eq!(read("capablanca", promotion, "h8"), Err(MoveError::Illegal));
    assert_eq!(
        read("capablanca", promotion, "hello"),
        Err(MoveError::Unreadable)
    );
    assert_eq!(read("capablanca", promotion, "--").as_deref(), Ok("0000"));
    let two = "k9/10/10/10/10/10/10/KN3N4 w - - 0 1";
    assert_eq!(read("capablanca", two, "Nd2"), Err(MoveError::Ambiguous));
    assert_eq!(read("capablanca", two, "Nbd2").as_deref(), Ok("b1d2"));
    let passing = "k9/10/10/pP8/10/10/10/K9 w - a6 0 1";
    for text in ["bxa6", "bxa6 e.p.", "bxa6ep", "ba6", "b5a6"] {
        assert_eq!(read("capablanca", passing, text).as_deref(), Ok("b5a6"));
    }
    let bishop = "k9/10/10/10/10/2p7/10/KB8 w - - 0 1";
    assert_eq!(read("capablanca", bishop, "be4").as_deref(), Ok("b1e4"));
    let start = row("seirawan").start_fen;
    for text in ["Nf3/H", "Nf3H", "Nf3=H", "g1f3h", "Ng1-f3/H+", "Nf3/h"] {
        assert_eq!(read("seirawan", start, text).as_deref(), Ok("g1f3h"));
    }
    assert_eq!(read("seirawan", start, "Nf3").as_deref(), Ok("g1f3"));
}

/// A move as ICCS has it, ranks from 0: `H2-E2`.
fn iccs(variant: &FairyVariant, ply: FairyPly) -> String {
    let grid = variant.facts.board.grid;
    let [from, to] = [ply.from, ply.to].map(|square| {
        let file = char::from(b'A' + grid.file(square));
        format!("{file}{}", grid.rank(square))
    });
    format!("{from}-{to}")
}

#[test]
fn every_legal_move_is_read_back_from_each_spelling() {
    for variant in ALL.iter().filter_map(Variant::fairy) {
        for seed in (0..12_u64).step_by(one_in(4)) {
            let mut now = position(variant, variant.start_fen);
            for turn in 0..100 {
                let legal = now.legal();
                for &ply in &legal {
                    let san = write_san(variant, &now, ply);
                    let uci = write_uci(variant, &now, ply);
                    let mut texts = vec![(san, Ranks::Either), (uci, Ranks::FromOne)];
                    if variant.is_eastern() {
                        let iccs = iccs(variant, ply);
                        texts.push((iccs.to_lowercase(), Ranks::FromZero));
                        texts.push((iccs, Ranks::Either));
                        texts.push((write_wxf(variant, &now, ply), Ranks::Either));
                    }
                    for (text, ranks) in texts {
                        assert_eq!(resolve(variant, &now, &text, ranks), Ok(ply), "{text}");
                    }
                    assert!(now.is_legal(ply));
                }
                if legal.is_empty() {
                    break;
                }
                let choice = crate::base::mix(seed << 8 | turn) % legal.len() as u64;
                now.play(legal[choice as usize]);
            }
        }
        let null = position(variant, variant.start_fen);
        let read = resolve(variant, &null, "--", Ranks::Either);
        assert_eq!(read, Ok(FairyPly::NULL));
    }
}

#[test]
fn xiangqi_fens_may_end_early_and_have_odd_generals() {
    let xiangqi = row("xiangqi");
    for (text, word) in [
        ("9/9/9/9/9/9/9/9/9/4K4 w", "kings"),
        ("4k4/9/9/9/9/9/9/9/9/K8 w", "kings"),
        ("4k4/9/9/9/9/9/9/9/9/3QK4 w", "bad-char"),
        ("4k4/9/9/9/9/9/9/9/9/3K4 w", "rank-width"),
        ("4k4/9/9/9/9/9/9/9/3K5 w", "rank-count"),
        ("4k4/9/9/9/9/9/9/9/9/3K5 w KQkq - 0 1", "halfmove"),
    ] {
        assert_eq!(fen::read(xiangqi, text).unwrap_err().word(), word, "{text}");
    }
    let facing = fen::read(xiangqi, "4k4/9/9/9/9/9/9/9/9/4K4 w - - 0 1").unwrap();
    assert_eq!(facing.2, [Code::ImpossibleCheck]);
}

/// The examples are of Fairy-Stockfish.
#[test]
fn wxf_is_read_and_written() {
    let xiangqi = row("xiangqi");
    let read = |now: &FairyPosition, text: &str, ranks| resolve(xiangqi, now, text, ranks);
    let uci = |now: &FairyPosition, ply: Result<FairyPly, MoveError>| {
        ply.map(|ply| write_uci(xiangqi, now, ply))
    };
    let start = xiangqi.start_fen;
    let tandems = "4k4/9/9/4C4/9/4C4/9/2P6/2P3P2/3K2P2 w - - 0 1";
    let soldiers = "4k4/9/2P1P4/2P1P4/2P6/9/9/4B4/4A4/2BAK4 w - - 0 1";
    for (text, squares, wxf) in [
        (start, "h3e3", "C2=5"),
        (start, "b1c3", "H8+7"),
        (start, "a4a5", "P9+1"),
        (start, "b3b10", "C8+7"),
        (start, "e1e2", "K5+1"),
        (start, "c1e3", "E7+5"),
        (tandems, "e5e1", "C--4"),
        (tandems, "e5a5", "C-=9"),
        (tandems, "e7a7", "C+=9"),
        (tandems, "e7e9", "C++2"),
        (tandems, "g2g3", "13+1"),
        (tandems, "c3c4", "17+1"),
        (soldiers, "c6b6", "37=8"),
        (soldiers, "e7f7", "25=4"),
        (soldiers, "e2f1", "A5-4"),
        (soldiers, "e3g1", "E5-3"),
    ] {
        let now = position(xiangqi, text);
        let ply = read(&now, squares, Ranks::FromOne).expect(squares);
        assert_eq!(write_wxf(xiangqi, &now, ply), wxf, "{squares}");
        assert_eq!(read(&now, wxf, Ranks::Either), Ok(ply), "{wxf}");
    }
    let black = position(xiangqi, "4k4/9/1c5c1/9/9/9/9/9/9/3K5 b");
    for text in ["C2=5", "c2=5", "C2.5", "b8e8", "B7-E7", "b7e7"] {
        let ranks = if text == "b7e7" {
            Ranks::FromZero
        } else {
            Ranks::Either
        };
        let ply = read(&black, text, ranks);
        assert_eq!(uci(&black, ply).as_deref(), Ok("b8e8"), "{text}");
    }
    for (text, chinese, squares) in [
        (start, "炮二平五", "h3e3"),
        (start, "砲２平５", "h3e3"),
        (start, "馬八進七", "b1c3"),
        (start, "相七进五", "c1e3"),
        (start, "兵九进1", "a4a5"),
        (tandems, "前炮平九", "e7a7"),
        (tandems, "後砲退四", "e5e1"),
        (soldiers, "后七平八", "c6b6"),
        (soldiers, "五兵平八", "c6b6"),
        (soldiers, "二兵平四", "e7f7"),
        (soldiers, "后五平四", "e7f7"),
    ] {
        let now = position(xiangqi, text);
        let ply = read(&now, chinese, Ranks::Either);
        assert_eq!(uci(&now, ply).as_deref(), Ok(squares), "{chinese}");
    }
    let front = position(xiangqi, tandems);
    let ply = read(&front, "+C=9", Ranks::Either);
    assert_eq!(uci(&front, ply).as_deref(), Ok("e7a7"));
    assert_eq!(
        read(&front, "C5=9", Ranks::Either),
        Err(MoveError::Ambiguous)
    );
    assert_eq!(read(&front, "R5=9", Ranks::Either), Err(MoveError::Illegal));
    for text in ["", "x", "C", "Cz9", "17", "é3e4", "Cé", "C2=0"] {
        let found = read(&front, text, Ranks::Either);
        assert_eq!(found, Err(MoveError::Unreadable), "{text}");
    }
}
