//! The engine against `tests/vectors/draughts_*.csv`. Text is read here by the
//! notation, which asks the rules in turn; that is for tests only.

use super::*;
use crate::{
    notation::{draughts_fen, draughts_move::square::Numbering},
    variant::draughts::DraughtsVariant,
};

/// Leaves up to which a row is counted in every run.
const QUICK_NODES: u64 = 300_000;

/// Rules by the name of the vectors, some of which are for tests only.
pub(crate) fn rules_of(name: &str) -> (Rules, Numbering) {
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
            rules = Rules {
                board: rules.board,
                rows: rules.rows,
                ..international
            };
        }
        "turkish_king" => rules.promotion = Promotion::Continue,
        "turkish_stop" => rules.promotion = Promotion::Stop,
        _ => {}
    }
    (rules, Numbering::of(&variant.tag, rules.board))
}

/// The cells of a line of CSV; quotes only around whole cells.
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
    for line in include_str!("../../../tests/vectors/draughts_perft.csv")
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
#[ignore = "deep perft"]
fn perft_five_million() {
    perft_rows(|_, nodes| (QUICK_NODES + 1..=5_000_000).contains(&nodes));
}

#[test]
#[ignore = "deep perft"]
fn perft_deep() {
    perft_rows(|_, nodes| (5_000_001..=300_000_000).contains(&nodes));
}

#[test]
#[ignore = "deep perft"]
fn perft_very_deep() {
    perft_rows(|_, nodes| nodes > 300_000_000);
}

#[test]
fn legal_moves_of_the_vectors() {
    let mut wrong = Vec::new();
    for line in include_str!("../../../tests/vectors/draughts_vectors.csv")
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

/// Prints leaves a second; run with an optimised profile and `--nocapture`.
#[test]
#[ignore = "measures"]
fn perft_speed() {
    for (name, depth) in [
        ("international", 9),
        ("frisian", 8),
        ("english", 10),
        ("russian", 9),
        ("italian", 10),
        ("canadian", 8),
        ("turkish", 7),
    ] {
        let (rules, _) = rules_of(name);
        let start = Position::start(&rules);
        let since = std::time::Instant::now();
        let nodes = perft(&start, &rules, depth, Counting::Drop, Budget::default()).unwrap();
        let seconds = since.elapsed().as_secs_f64();
        println!(
            "{name} {depth}: {nodes}, {:.1} M/s",
            nodes as f64 / seconds / 1e6
        );
    }
}

fn position_of(name: &str, fen: &str) -> (Position, Rules) {
    let (rules, numbering) = rules_of(name);
    (draughts_fen::parse(fen, numbering).unwrap().position, rules)
}

/// `MoveGenPerfTest` of scaladraughts: 12.8 million points of a capture.
const EXTREME_FRISIAN: &str = "W:WK5:BK2,K4,K7,K8,K9,K10,K11,K13,K15,K16,K18,K19,K20,K21,K22,K24,\
    K27,K29,K30,K31,K32,K33,K35,K36,K38,K40,K41,K42,K43,K44,K47,K49";

#[test]
fn exploding_captures_are_an_error_and_no_stall() {
    let (position, rules) = position_of("frisian", EXTREME_FRISIAN);
    let mut out = vec![Move {
        from: 0,
        to: 0,
        promotes: false,
        captured: 0,
    }];
    let since = std::time::Instant::now();
    assert_eq!(
        moves_into(&position, &rules, Budget::default(), &mut out),
        Err(BudgetExceeded)
    );
    assert!(out.is_empty(), "a part of the moves was shown as the whole");
    for counting in [Counting::Drop, Counting::Keep] {
        let counted = perft(&position, &rules, 1, counting, Budget::default());
        assert_eq!(counted, Err(BudgetExceeded));
    }
    assert_eq!(moves(&position, &rules, Budget(0)), Err(BudgetExceeded));
    assert!(since.elapsed().as_secs() < 20, "{:?}", since.elapsed());
    // What needs no list is known all the same.
    assert!(can_move(&position, &rules) && must_capture(&position, &rules));
    assert_eq!(position.winner(&rules), None);
}

/// Every second square of every other row a king: worst cases of each board.
#[test]
fn boards_full_of_kings_are_answered_in_time() {
    for variant in crate::variant::draughts::ALL {
        let (rules, board) = (&variant.rules, variant.rules.board);
        for shape in 0..4_u8 {
            let mut position = Position::empty(0);
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
                        Piece {
                            side: 1,
                            king: true,
                        },
                    );
                } else if !inside && (row == 0 || shape % 2 == 1) {
                    position.put(
                        cell,
                        Piece {
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
    for variant in crate::variant::draughts::ALL {
        assert_eq!(Position::start(&variant.rules).winner(&variant.rules), None);
    }
}

/// Whether all vectors of a variant up to some nodes hold under other rules.
fn vectors_hold(name: &str, rules: &Rules) -> bool {
    let numbering = rules_of(name).1;
    let perft_holds = |line: &str| {
        let cells = cells_of_line(line);
        let nodes: u64 = cells[4].parse().unwrap();
        cells[0] != name || nodes > 20_000 || {
            let position = draughts_fen::parse(&cells[2], numbering).unwrap().position;
            let keep = if cells.last().unwrap() == "keep" {
                Counting::Keep
            } else {
                Counting::Drop
            };
            perft(
                &position,
                rules,
                cells[3].parse().unwrap(),
                keep,
                Budget(100_000),
            ) == Ok(nodes)
        }
    };
    let moves_hold = |line: &str| {
        let cells = cells_of_line(line);
        cells[0] != name || {
            let fen = cells[2].replace(';', ",");
            let position = draughts_fen::parse(&fen, numbering).unwrap().position;
            let mut found: Vec<_> = moves(&position, rules, Budget::default())
                .unwrap_or_default()
                .iter()
                .map(|m| (m.from, m.to))
                .collect();
            found.sort_unstable();
            found.dedup();
            // Same squares as the vector has, whatever the separator.
            let mut expected: Vec<_> = cells[3]
                .split_whitespace()
                .map(|text| {
                    let read = crate::notation::draughts_move::parse(text, numbering).unwrap();
                    (read.cells()[0], read.cells()[1])
                })
                .collect();
            expected.sort_unstable();
            found == expected
        }
    };
    include_str!("../../../tests/vectors/draughts_perft.csv")
        .lines()
        .skip(1)
        .all(perft_holds)
        && include_str!("../../../tests/vectors/draughts_vectors.csv")
            .lines()
            .skip(1)
            .chain(OWN_VECTORS.lines())
            .all(moves_hold)
}

/// Positions of our own where a wrong fact would pass all others; each reasoned
/// through by hand.
const OWN_VECTORS: &str = "\
english,two may be left for one,W:WK11:B8;15;K23,11x4 11x27
spanish,what was jumped bars the way,W:WK2:B6;13;21;23,2x10
spanish,a man is not crowned in passing,W:W23:BK21;K27,23x30
brazilian,a man passes the last row,W:Wh6:Be7;Kg7,h6xd6
spantsiretti,what was jumped bars the way,W:WKd2:BKh2;Ke3;Kd4;i5,d2xg1 d2xi1
armenian,kings move eight ways,W:WKh7:Bg6,h7xg8 h7xh8 h7xa7 h7xb7 h7xc7 h7xd7 h7xe7 h7xf7 h7xg7 \
h7xh6 h7xh5 h7xh4 h7xh3 h7xh2 h7xh1
armenian,kings move backwards too,W:WKh8:Bg7,h8xa8 h8xb8 h8xc8 h8xd8 h8xe8 h8xf8 h8xg8 h8xh7 h8xh6 \
h8xh5 h8xh4 h8xh3 h8xh2 h8xh1
armenian,kings move but do not capture diagonally,W:WKe2:Be3;g7,e2xh7
armenian,kings land anywhere behind a king,W:WKe3:BKe6,e3xe8 e3xe7
armenian,captured pieces leave at once,W:WKf4:Bb5;f5;h6;g7,f4xa5
armenian,a man goes on as a king,W:Wc6:Bc7;g8,c6xh8
armenian,most must be taken,W:WKh2:Bc2;h3;Kg4,h2xc1
armenian,kings have no precedence,W:Wh2;Kg8:Bg2,g8xg1 h2xf2
armenian,men take kings,W:Wf3:BKf4,f3xf5";

/// Rows whose moves are those of another row.
const TWINS: [(&str, &str); 6] = [
    ("poolunified", "pool"),
    ("jamaican", "pool"),
    ("portuguese", "spanish"),
    ("breakthrough", "international"),
    ("antidraughts", "international"),
    ("frysk", "frisian"),
];

/// Facts that say the same under the other facts of a row.
fn same_moves(right: &Rules, wrong: &Rules) -> bool {
    let mut rules = *wrong;
    if rules.removal == Removal::After {
        // What was jumped bars the way back.
        rules.may_reverse = right.may_reverse;
    }
    if rules.men_capture == Directions::FORWARD && rules.promotion != Promotion::Continue {
        // No capture leads on from the last row.
        rules.promotion = right.promotion;
    }
    if rules.reach == Reach::Short {
        // Short jumps land on other squares than those where pieces are jumped,
        // so captured ones are never in the way.
        rules.landing = right.landing;
        rules.removal = right.removal;
    }
    rules == *right
}

#[test]
fn every_fact_of_every_row_is_held_by_a_vector() {
    let mut unnoticed = Vec::new();
    for variant in crate::variant::draughts::ALL {
        let right = variant.rules;
        if let Some(twin) = TWINS.iter().find(|twin| twin.0 == variant.name) {
            // The moves of another row, which has the vectors.
            let Rules {
                rows, first, goal, ..
            } = right;
            let expected = Rules {
                rows,
                first,
                goal,
                ..rules_of(twin.1).0
            };
            assert_eq!(right, expected, "{}", variant.name);
            continue;
        }
        let mut wrong = Vec::new();
        let mut change = |what: &'static str, rules: Rules| {
            if !same_moves(&right, &rules) {
                wrong.push((what, rules));
            }
        };
        for directions in [
            Directions::FORWARD,
            Directions::DIAGONAL,
            Directions::ORTHOGONAL,
            Directions::FORWARD_SIDEWAYS,
            Directions::FORWARD_HALF,
            Directions::ALL,
        ] {
            let mut rules = right;
            rules.men_move = directions;
            change("men_move", rules);
            rules = right;
            rules.men_capture = directions;
            change("men_capture", rules);
            rules = right;
            rules.kings_move = directions;
            change("kings_move", rules);
            rules = right;
            rules.kings_capture = directions;
            change("kings_capture", rules);
        }
        for reach in [Reach::Short, Reach::Flying] {
            change("reach", Rules { reach, ..right });
        }
        for landing in [Landing::Any, Landing::Behind, Landing::BehindLastKing] {
            change("landing", Rules { landing, ..right });
        }
        for removal in [Removal::After, Removal::AtOnce] {
            change("removal", Rules { removal, ..right });
        }
        for promotion in [Promotion::Pass, Promotion::Stop, Promotion::Continue] {
            change("promotion", Rules { promotion, ..right });
        }
        for priority in [
            Priority::Free,
            Priority::Most,
            Priority::MostThenKings,
            Priority::Italian,
            Priority::Value {
                man: 100,
                king: 199,
            },
            Priority::Value {
                man: 100,
                king: 150,
            },
            Priority::Value {
                man: 100,
                king: 200,
            },
            Priority::WithKing,
        ] {
            change("priority", Rules { priority, ..right });
        }
        let may_reverse = !right.may_reverse;
        change(
            "may_reverse",
            Rules {
                may_reverse,
                ..right
            },
        );
        let men_take_kings = !right.men_take_kings;
        change(
            "men_take_kings",
            Rules {
                men_take_kings,
                ..right
            },
        );
        assert!(vectors_hold(variant.name, &right), "{}", variant.name);
        for (what, rules) in wrong {
            if vectors_hold(variant.name, &rules) {
                let facts = format!("{rules:?}");
                let fact = facts.split(&format!("{what}: ")).nth(1).unwrap();
                let fact = fact.split(", ").next().unwrap();
                unnoticed.push(format!("{}: {what} {fact}", variant.name));
            }
        }
    }
    assert!(unnoticed.is_empty(), "\n{}", unnoticed.join("\n"));
}
