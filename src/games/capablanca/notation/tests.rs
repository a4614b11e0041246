//! Against the tables: perft of engines, games of an oracle, FEN as people write it.

use super::{MoveError, fen, resolve, write_san, write_uci};
use crate::games::{
    capablanca::{
        rows::{ALL, Compound},
        rules::{Outcome, Ply, Position, perft},
    },
    notation::grid_fen::GridFenError,
};

fn position(variant: &'static Compound, text: &str) -> Position {
    fen::read(variant, text)
        .unwrap_or_else(|error| panic!("{text}: {error}"))
        .position
}

fn compound(name: &str) -> &'static Compound {
    Compound::by_name(name).expect("a variant")
}

/// Rows of the perft table: variant, FEN, depth, nodes.
fn counts(nodes_max: u64) -> u32 {
    let mut rows = 0;
    for line in include_str!("../../../../tests/vectors/chess_perft.csv").lines() {
        let cells: Vec<&str> = line.split(',').collect();
        let Some(variant) = Compound::by_name(cells[0]) else {
            continue;
        };
        let nodes: u64 = cells[3].parse().unwrap();
        if nodes <= nodes_max {
            let depth = cells[2].parse().unwrap();
            assert_eq!(perft(&position(variant, cells[1]), depth), nodes, "{line}");
            rows += 1;
        }
    }
    rows
}

#[test]
fn quick_depths_count_as_engines_do() {
    assert!(counts(100_000) >= 30);
}

#[test]
#[ignore = "long: part of `just full`"]
fn all_depths_count_as_engines_do() {
    assert_eq!(counts(u64::MAX), 47);
}

/// FEN of the oracle: castling by file letters in random arrays, an empty field
/// where a dash should be, reserves in another order.
fn same(variant: &'static Compound, theirs: &str, ours: &Position) {
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
    let (mut games, mut castlings) = (0, 0);
    for line in tables.into_iter().flat_map(str::lines) {
        let cells: Vec<&str> = line.split('\t').collect();
        let Some(variant) = Compound::by_name(cells[0]) else {
            continue;
        };
        let mut now = position(variant, cells[1]);
        let sans = cells[3].split(' ');
        for (uci, san) in cells[2].split(' ').zip(sans) {
            let ply = resolve(variant, &now, san);
            let ply = ply.unwrap_or_else(|error| panic!("{san}: {error} in {line}"));
            assert_eq!(resolve(variant, &now, uci), Ok(ply), "{uci}");
            assert_eq!(write_san(variant, &now, ply), san);
            assert_eq!(write_uci(variant, &now, ply), uci);
            castlings += u32::from(ply.way.is_castling());
            now.play(ply);
        }
        same(variant, cells[4], &now);
        games += 1;
    }
    assert_eq!(games, 37);
    assert!(castlings >= 20, "{castlings}");
}

#[test]
fn fens_are_read_as_the_table_says() {
    let mut rows = 0;
    for line in include_str!("../../../../tests/vectors/variant_fen.tsv").lines() {
        let cells: Vec<&str> = line.split('\t').collect();
        let Some(variant) = Compound::by_name(cells[0]) else {
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
            assert_eq!(fen::write(variant, &read.unwrap().position), expected);
        }
        rows += 1;
    }
    assert_eq!(rows, 8);
}

#[test]
fn inner_rooks_are_named_by_their_files() {
    let variant = compound("caparandom");
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
    let error = |name, text: &str| -> GridFenError {
        fen::read(compound(name), text).expect_err("an error")
    };
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
    let variant = compound("capablanca");
    for (text, outcome) in [
        ("k9/1Q8/2K7/10/10/10/10/10 b - -", Some(Outcome::Won(0))),
        ("k9/2Q7/2K7/10/10/10/10/10 b - -", Some(Outcome::Draw)),
        ("k9/2R7/2K7/10/10/10/10/10 b - -", None),
    ] {
        assert_eq!(position(variant, text).outcome(), outcome, "{text}");
    }
}

#[test]
fn moves_are_read_in_many_spellings() {
    let row = |name, fen: &str, text: &str| -> Result<String, MoveError> {
        let variant = compound(name);
        let now = position(variant, fen);
        resolve(variant, &now, text).map(|ply| write_uci(variant, &now, ply))
    };
    let castle = "r4k3r/10/10/10/10/10/10/R4K3R w KQkq - 0 1";
    for text in ["O-O", "0-0", "o–o+", "f1i1", "f1j1", "F1-I1", "j1f1"] {
        assert_eq!(row("capablanca", castle, text).as_deref(), Ok("f1i1"));
    }
    let embassy = "r3k4r/10/10/10/10/10/10/R3K4R w KQkq - 0 1";
    assert_eq!(row("embassy", embassy, "O-O-O").as_deref(), Ok("e1b1"));
    assert_eq!(row("caparandom", embassy, "O-O").as_deref(), Ok("e1j1"));
    let promotion = "k9/7P2/10/10/10/10/10/K9 w - - 0 1";
    for text in ["h8=C", "h8C", "h8(C)", "h7h8c", "h7-h8=C", "h8=E", "Ph8=c"] {
        assert_eq!(row("capablanca", promotion, text).as_deref(), Ok("h7h8c"));
    }
    assert_eq!(row("janus", promotion, "h8=J").as_deref(), Ok("h7h8j"));
    assert_eq!(row("janus", promotion, "h8=C"), Err(MoveError::Illegal));
    assert_eq!(row("capablanca", promotion, "h8"), Err(MoveError::Illegal));
    assert_eq!(
        row("capablanca", promotion, "hello"),
        Err(MoveError::Unreadable)
    );
    assert_eq!(row("capablanca", promotion, "--").as_deref(), Ok("0000"));
    let two = "k9/10/10/10/10/10/10/KN3N4 w - - 0 1";
    assert_eq!(row("capablanca", two, "Nd2"), Err(MoveError::Ambiguous));
    assert_eq!(row("capablanca", two, "Nbd2").as_deref(), Ok("b1d2"));
    let passing = "k9/10/10/pP8/10/10/10/K9 w - a6 0 1";
    for text in ["bxa6", "bxa6 e.p.", "bxa6ep", "ba6", "b5a6"] {
        assert_eq!(row("capablanca", passing, text).as_deref(), Ok("b5a6"));
    }
    let bishop = "k9/10/10/10/10/2p7/10/KB8 w - - 0 1";
    assert_eq!(row("capablanca", bishop, "be4").as_deref(), Ok("b1e4"));
    let start = compound("seirawan").start_fen;
    for text in ["Nf3/H", "Nf3H", "Nf3=H", "g1f3h", "Ng1-f3/H+", "Nf3/h"] {
        assert_eq!(row("seirawan", start, text).as_deref(), Ok("g1f3h"));
    }
    assert_eq!(row("seirawan", start, "Nf3").as_deref(), Ok("g1f3"));
}

#[test]
fn every_legal_move_is_read_back_from_each_spelling() {
    for variant in ALL {
        for seed in 0..12_u64 {
            let mut now = position(variant, variant.start_fen);
            for turn in 0..100 {
                let legal = now.legal();
                for &ply in &legal {
                    let san = write_san(variant, &now, ply);
                    let uci = write_uci(variant, &now, ply);
                    assert_eq!(resolve(variant, &now, &san), Ok(ply), "{san}");
                    assert_eq!(resolve(variant, &now, &uci), Ok(ply), "{uci}");
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
        assert_eq!(resolve(variant, &null, "--"), Ok(Ply::NULL));
    }
}
