use std::fmt::Write as _;

use crate::games::chess::basics::Chess;
use proptest::prelude::*;

use super::*;
use crate::games::notation::letters::ENGLISH;

fn english(board: &Board) -> String {
    write(board, ENGLISH)
}

#[test]
fn every_row_of_the_vectors() {
    let mut seen = 0;
    for line in include_str!("../../../../tests/vectors/forsyth.tsv")
        .lines()
        .skip(1)
    {
        let row: Vec<&str> = line.split('\t').collect();
        let read = read(row[0]).unwrap_or_else(|error| panic!("{}: {error}", row[0]));
        assert_eq!(read.candidates.len().to_string(), row[5], "{}", row[0]);
        assert_eq!(read.language().code, row[6], "{}", row[0]);
        let all: Vec<String> = read
            .candidates
            .iter()
            .map(|candidate| {
                let codes: Vec<&str> = candidate.languages.iter().map(|l| l.code).collect();
                format!("{}={}", codes.join("/"), english(&candidate.board))
            })
            .collect();
        assert_eq!(all.join("; "), row[7], "{}", row[0]);
        let truth = Language::by_code(row[1]).expect(row[1]);
        let told = read_with(row[0], Some(truth)).expect("read before");
        assert_eq!(english(told.board()), row[2], "{}", row[0]);
        assert_eq!(
            read.warnings.contains(&Code::AmbiguousDiagram),
            row[5] != "1"
        );
        seen += 1;
    }
    assert_eq!(seen, 63);
}

#[test]
fn one_position_in_three_languages_and_many_dresses() {
    for text in [
        "Π7/4ρ3/4Ι3/Ρ2Α4/8/8/8/5Π2",
        "T7/4k3/4S3/K2L4/8/8/8/5T2",
        "R7/4k3/4N3/K2B4/8/8/8/5R2",
        // An accent, Latin look-alikes, brackets and a full stop.
        "(Π7/4ρ3/4Ί3/P2A4/8/8/8/5Π2).",
        "Л7/4кр3/4К3/Кр2С4/8/8/8/5Л2",
        "„T7/4k3/4S3/K2L4/8/8/8/5T2/“",
        // Without slashes, empty squares at the end left out.
        "T11k7S3K2L33T2",
        "T7/4k3/4S3/K2L4/44/8/35/5T2",
    ] {
        let read = read(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(english(read.board()), "R7/4k3/4N3/K2B4/8/8/8/5R2", "{text}");
    }
    let read = read("Π7/4ρ3/4Ι3/P2A4/8/8/8/5Π2").expect("readable");
    assert_eq!(read.warnings, [Code::Homoglyph]);
}

#[test]
fn solutions_tell_dutch_from_german() {
    let mut read = read("T7/4k3/4P3/K2L4/8/8/8/5T2").expect("readable");
    assert_eq!(read.language().code, "de-seed");
    read.weigh_by_moves(&["Pd4", "Pg5"]);
    assert_eq!(read.language().code, "nl");
}

#[test]
fn refusals_tell_the_nearest_miss() {
    let word = |text: &str| read(text).expect_err(text).word();
    assert_eq!(word(" ( ) "), "empty");
    assert_eq!(word("8/8/8/8/8/8/8/8"), "kings");
    assert_eq!(word("8/8/8/4Ρ3/8/4ρ3/8/Σ7"), "pawn-backrank");
    assert_eq!(word("T7/4k3/4S3/K2L4/8/8/8/5T1"), "rank-width");
    assert_eq!(word("T7/4k3/4S3/K2L4/8/8/5T2"), "rank-count");
    assert_eq!(word("T7/4k3/4?3/K2L4/8/8/8/5T2"), "bad-char");
    assert_eq!(word("8/8/8/3Kk3/8/8/8/8"), "both-in-check");
    assert_eq!(word("99999999999999999999"), "bad-char");
    // A problem with nine pawns is odd, but it is one.
    let odd = read("4kq2/pppppppp/p7/8/8/8/PPPPPPPP/4K3").expect("readable");
    assert_eq!(odd.warnings[..], [Code::TooManyPawns]);
}

/// A position of random play: legal moves, each chosen by a byte.
pub(crate) fn played(choices: &[u16]) -> Chess {
    let mut position = Chess::default();
    for &choice in choices {
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        position.play_unchecked(moves[usize::from(choice) % moves.len()]);
    }
    position
}

/// Takes pieces off a board, but for the kings, until few are left.
fn thinned(board: &Board, seed: u64, pieces: usize) -> Board {
    let mut board = board.clone();
    let mut state = seed | 1;
    while board.occupied().count() > pieces {
        state = state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        let rest = board.occupied() & !board.kings();
        let at = (state >> 33) as usize % rest.count();
        if let Some(square) = rest.into_iter().nth(at) {
            board.discard_piece_at(square);
        }
    }
    board
}

proptest! {
    #[test]
    fn what_is_written_is_read(choices in prop::collection::vec(any::<u16>(), 0..120)) {
        let position = played(&choices);
        for language in LANGUAGES {
            let text = write(position.board(), language);
            let back = read_in(&text, language).expect("its own language");
            prop_assert_eq!(back.board(), position.board());
            let found = read(&text).expect("some language");
            prop_assert!(found.candidates.iter().any(|c| &c.board == position.board()));
        }
    }

    #[test]
    fn no_text_is_too_strange(text in "\\PC{0,80}") {
        let _ = read(&text);
    }
}

/// The table of docs/forsyth.md that says how well boards show their language.
#[test]
#[ignore = "long: part of `just full`"]
fn the_table_of_the_documentation_is_measured() {
    const POSITIONS: usize = 600;
    let mut state = 20_u64;
    let mut next = || {
        state = state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (state >> 33) as u16
    };
    let boards: Vec<Board> = (0..POSITIONS)
        .map(|_| {
            let plies = usize::from(next()) % 100;
            let choices: Vec<u16> = (0..plies).map(|_| next()).collect();
            played(&choices).board().clone()
        })
        .collect();
    let sparse: Vec<Board> = boards
        .iter()
        .map(|board| {
            loop {
                let thin = thinned(board, u64::from(next()), 4 + usize::from(next()) % 7);
                // Open lines must not make a board that no diagram can have.
                if super::detect::check(&thin).is_ok() {
                    break thin;
                }
            }
        })
        .collect();
    let mut table = String::from(
        "| language | one board: full | sparse | first is right: full | sparse | taken for |\n\
         |---|---|---|---|---|---|\n",
    );
    for language in distinct_languages() {
        let (mut cells, mut taken) = (Vec::new(), std::collections::BTreeMap::new());
        for boards in [&boards, &sparse] {
            let (mut single, mut right) = (0, 0);
            for board in boards {
                let read = read(&write(board, language)).expect("readable");
                single += usize::from(!read.is_ambiguous());
                if read.board() == board {
                    right += 1;
                } else {
                    *taken.entry(read.language().code).or_insert(0) += 1;
                }
            }
            let percent = |n: usize| format!("{:.0} %", n as f64 * 100.0 / boards.len() as f64);
            cells.push((percent(single), percent(right)));
        }
        let mut taken: Vec<_> = taken.into_iter().collect();
        taken.sort_by_key(|&(code, count)| (std::cmp::Reverse(count), code));
        let total = 2 * POSITIONS;
        let taken: Vec<String> = taken
            .iter()
            .filter(|(_, count)| count * 200 >= total)
            .map(|(code, count)| format!("{code} {:.0} %", *count as f64 * 100.0 / total as f64))
            .collect();
        let _ = writeln!(
            table,
            "| {} (`{}`) | {} | {} | {} | {} | {} |",
            language.name,
            language.code,
            cells[0].0,
            cells[1].0,
            cells[0].1,
            cells[1].1,
            if taken.is_empty() {
                "–".to_owned()
            } else {
                taken.join(", ")
            }
        );
    }
    let documented = include_str!("../../../../docs/forsyth.md");
    assert!(
        documented.contains(&table),
        "docs/forsyth.md has another table than this:\n{table}"
    );
}
