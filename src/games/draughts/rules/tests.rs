//! The engine against `tests/vectors/draughts_*.csv`. Text is read here by the
//! notation, which asks the rules in turn; that is for tests only.

mod facts;

use super::*;
use crate::games::draughts::{
    notation::{fen as draughts_fen, moves::square::Numbering},
    rows::DraughtsVariant,
};
use crate::games::{Budget, BudgetExceeded, Counting};

/// Leaves up to which a row is counted in every run.
const QUICK_NODES: u64 = 300_000;

/// Rules by the name of the vectors, some of which are for tests only.
pub(crate) fn rules_of(name: &str) -> (DraughtsRules, Numbering) {
    let base = match name {
        "thai12" => "thai",
        "spantsiretti_intl" => "spantsiretti",
        "turkish_king" | "turkish_stop" => "turkish",
        name => name,
    };
    let variant = DraughtsVariant::by_name(base).unwrap_or_else(|| panic!("{base}?"));
    let mut rules = variant.rules;
    match name {
        "thai12" => rules.rows = 3,
        "spantsiretti_intl" => {
            let international = DraughtsVariant::by_name("international").unwrap().rules;
            rules = DraughtsRules {
                board: rules.board,
                rows: rules.rows,
                ..international
            };
        }
        "turkish_king" => rules.promotion = Promotion::Continue,
        "turkish_stop" => rules.promotion = Promotion::Stop,
        _ => {}
    }
    (rules, variant.numbering())
}

/// The cells of a line of CSV; quotes only around entire cells.
pub(crate) fn cells_of_line(line: &str) -> Vec<String> {
    let mut cells = vec![String::new()];
    let mut quoted = false;
    for c in line.chars() {
        match c {
            '"' => quoted = !quoted,
            ',' if !quoted => cells.push(String::new()),
            c => cells.last_mut().unwrap().push(c),
        }
    }
    cells
}

fn perft_rows(mut wanted: impl FnMut(&str, u64) -> bool) {
    let mut wrong = Vec::new();
    let mut rows = 0;
    for line in include_str!("../../../../tests/vectors/draughts_perft.csv")
        .lines()
        .skip(1)
    {
        let cells = cells_of_line(line);
        let [name, _, fen, depth, nodes, .., counting] = cells.as_slice() else {
            panic!("{line}");
        };
        let nodes: u64 = nodes.parse().unwrap();
        if !wanted(name, nodes) {
            continue;
        }
        rows += 1;
        let (rules, numbering) = rules_of(name);
        let position = draughts_fen::parse(fen, numbering).unwrap().position;
        let counting = match counting.as_str() {
            "keep" => Counting::Keep,
            "drop" => Counting::Drop,
            other => panic!("{other}"),
        };
        let depth = depth.parse().unwrap();
        let counted = perft(&position, &rules, depth, counting, Budget(5_000_000));
        if counted != Ok(nodes) {
            wrong.push(format!("{line}: {counted:?}"));
        }
    }
    assert!(rows > 0);
    assert!(
        wrong.is_empty(),
        "{} of {rows}:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

#[test]
fn perft_quick() {
    perft_rows(|_, nodes| nodes <= QUICK_NODES);
}

#[test]
#[ignore = "long: part of `just full`"]
fn perft_five_million() {
    perft_rows(|_, nodes| (QUICK_NODES + 1..=5_000_000).contains(&nodes));
}

#[test]
#[ignore = "long: part of `just full`"]
fn perft_deep() {
    perft_rows(|_, nodes| (5_000_001..=300_000_000).contains(&nodes));
}

#[test]
#[ignore = "long: part of `just full`"]
fn perft_very_deep() {
    perft_rows(|_, nodes| nodes > 300_000_000);
}

#[test]
fn legal_moves_of_the_vectors() {
    let mut wrong = Vec::new();
    for line in include_str!("../../../../tests/vectors/draughts_vectors.csv")
        .lines()
        .skip(1)
    {
        let cells = cells_of_line(line);
        let (rules, numbering) = rules_of(&cells[0]);
        let position = draughts_fen::parse(&cells[2], numbering).unwrap().position;
        let mut found: Vec<String> = moves(&position, &rules, Budget::default())
            .unwrap()
            .iter()
            .map(|m| {
                let mut text = String::new();
                numbering.write(m.from, &mut text);
                text.push(if m.is_capture() { 'x' } else { '-' });
                numbering.write(m.to, &mut text);
                text
            })
            .collect();
        found.sort();
        found.dedup();
        let mut expected: Vec<&str> = cells[3].split_whitespace().collect();
        expected.sort_unstable();
        if found != expected {
            wrong.push(format!("{line}: {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn position_of(name: &str, fen: &str) -> (DraughtsPosition, DraughtsRules) {
    let (rules, numbering) = rules_of(name);
    (draughts_fen::parse(fen, numbering).unwrap().position, rules)
}

/// `MoveGenPerfTest` of scaladraughts: 12.8 million points of a capture.
const EXTREME_FRISIAN: &str = "W:WK5:BK2,K4,K7,K8,K9,K10,K11,K13,K15,K16,K18,K19,K20,K21,K22,K24,\
    K27,K29,K30,K31,K32,K33,K35,K36,K38,K40,K41,K42,K43,K44,K47,K49";

#[test]
fn exploding_captures_are_an_error_and_no_stall() {
    let (position, rules) = position_of("frisian", EXTREME_FRISIAN);
    let since = std::time::Instant::now();
    assert_eq!(
        moves(&position, &rules, Budget::default()),
        Err(BudgetExceeded)
    );
    for counting in [Counting::Drop, Counting::Keep] {
        let counted = perft(&position, &rules, 1, counting, Budget::default());
        assert_eq!(counted, Err(BudgetExceeded));
    }
    assert_eq!(moves(&position, &rules, Budget(0)), Err(BudgetExceeded));
    assert!(since.elapsed().as_secs() < 20, "{:?}", since.elapsed());
    // What needs no list is known all the same.
    assert!(super::moves::can_move(&position, &rules) && must_capture(&position, &rules));
    assert_eq!(position.winner(&rules), None);
}

/// Every second square of every other row a king: worst cases of each board.
#[test]
fn boards_full_of_kings_are_answered_in_time() {
    for variant in crate::games::draughts::rows::ALL {
        let (rules, board) = (&variant.rules, variant.rules.board);
        for shape in 0..4_u8 {
            let mut position = DraughtsPosition::empty(0);
            for cell in board::cells_of(board.cells()) {
                let (row, column) = (board.row(cell), board.column(cell));
                let inside =
                    row > 0 && column > 0 && row + 1 < board.height() && column + 1 < board.width();
                let takes = match shape {
                    0 => row % 2 == 1,
                    1 => row % 2 == 1 && column % 4 < 2,
                    2 => (row + column) % 3 == 0,
                    _ => row % 4 < 2,
                };
                if inside && takes {
                    position.put(
                        cell,
                        DraughtsPiece {
                            side: 1,
                            king: true,
                        },
                    );
                } else if !inside && (row == 0 || shape % 2 == 1) {
                    position.put(
                        cell,
                        DraughtsPiece {
                            side: 0,
                            king: true,
                        },
                    );
                }
            }
            let since = std::time::Instant::now();
            let _ = moves(&position, rules, Budget::default());
            let seconds = since.elapsed().as_secs_f64();
            assert!(seconds < 10.0, "{} {shape}: {seconds}", variant.name);
        }
    }
}

/// The budget is for the worst positions only: remembering what was seen changes
/// no answer, only the time.
#[test]
fn a_capture_over_the_forgetful_limit_is_the_same() {
    // Long king captures with many ways; counted twice, by paths and by sets.
    let (position, rules) = position_of(
        "international",
        "W:WK46,K47,K5:B7,8,9,12,17,18,19,22,27,28,29,32,33,37,38,39,42",
    );
    let few = moves(&position, &rules, Budget(2_000));
    let many = moves(&position, &rules, Budget(50_000_000)).unwrap();
    assert!(few.is_err() || few == Ok(many.clone()));
    let mut ways = 0;
    for m in &many {
        each_path(&position, &rules, m, Budget(50_000_000), |_| {
            ways += 1;
            false
        })
        .unwrap();
    }
    let keep = perft(&position, &rules, 1, Counting::Keep, Budget(50_000_000)).unwrap();
    assert_eq!(ways, keep);
}

#[test]
fn goals() {
    // White is shut in.
    let shut = "W:W46:B41,37";
    let winner = |name, fen| {
        let (position, rules) = position_of(name, fen);
        position.winner(&rules)
    };
    assert_eq!(winner("international", shut), Some(BLACK));
    assert_eq!(winner("antidraughts", shut), Some(WHITE));
    assert_eq!(winner("antidraughts", "B:W31:B"), Some(BLACK));
    assert_eq!(winner("international", "B:W31:B"), Some(WHITE));
    assert_eq!(winner("breakthrough", shut), Some(BLACK));
    assert_eq!(winner("breakthrough", "B:WK1,31:B20"), Some(WHITE));
    assert_eq!(winner("international", "B:WK1,31:B20"), None);
    for variant in crate::games::draughts::rows::ALL {
        assert_eq!(
            DraughtsPosition::start(&variant.rules).winner(&variant.rules),
            None
        );
    }
}

#[test]
fn moves_between_are_those_of_the_whole_list() {
    for variant in crate::games::draughts::rows::ALL {
        let rules = &variant.rules;
        let mut position = DraughtsPosition::start(rules);
        let mut seed = 5_u64;
        for _ in 0..120 {
            let all = moves(&position, rules, Budget::default()).unwrap();
            for m in &all {
                let mut found = Vec::new();
                moves_between(
                    &position,
                    rules,
                    m.from,
                    m.to,
                    Budget::default(),
                    &mut found,
                )
                .unwrap();
                let mut expected = all.clone();
                expected.retain(|other| (other.from, other.to) == (m.from, m.to));
                assert_eq!(found, expected, "{}", variant.name);
            }
            seed = crate::base::mix(seed + 1);
            match all.get((seed >> 8) as usize % all.len().max(1)) {
                Some(m) => position.play(m),
                None => break,
            }
        }
    }
}
