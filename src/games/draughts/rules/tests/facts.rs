//! Every fact of every row is changed by hand here, and some vector must notice.

use super::{cells_of_line, rules_of};
use crate::games::{
    Budget, Counting,
    draughts::{
        notation::fen as draughts_fen,
        rules::{
            Directions, DraughtsRules, Landing, Priority, Promotion, Reach, Removal, moves, perft,
        },
    },
};

/// Whether all vectors of a variant up to some nodes hold under other rules.
fn vectors_hold(name: &str, rules: &DraughtsRules) -> bool {
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
                    let read =
                        crate::games::draughts::notation::moves::parse(text, numbering).unwrap();
                    (read.cells()[0], read.cells()[1])
                })
                .collect();
            expected.sort_unstable();
            found == expected
        }
    };
    include_str!("../../../../../tests/vectors/draughts_perft.csv")
        .lines()
        .skip(1)
        .all(perft_holds)
        && include_str!("../../../../../tests/vectors/draughts_vectors.csv")
            .lines()
            .skip(1)
            .chain(OWN_VECTORS.lines())
            .all(moves_hold)
}

/// Positions of our own where a wrong fact would pass all others. They pin what the
/// engine does today; only some were reasoned through by hand.
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
fn same_moves(right: &DraughtsRules, wrong: &DraughtsRules) -> bool {
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
    for variant in crate::games::draughts::rows::ALL {
        let right = variant.rules;
        if let Some(twin) = TWINS.iter().find(|twin| twin.0 == variant.name) {
            // The moves of another row, which has the vectors.
            let DraughtsRules {
                rows, first, goal, ..
            } = right;
            let expected = DraughtsRules {
                rows,
                first,
                goal,
                ..rules_of(twin.1).0
            };
            assert_eq!(right, expected, "{}", variant.name);
            continue;
        }
        let mut wrong = Vec::new();
        let mut change = |what: &'static str, rules: DraughtsRules| {
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
            change("reach", DraughtsRules { reach, ..right });
        }
        for landing in [Landing::Any, Landing::Behind, Landing::BehindLastKing] {
            change("landing", DraughtsRules { landing, ..right });
        }
        for removal in [Removal::After, Removal::AtOnce] {
            change("removal", DraughtsRules { removal, ..right });
        }
        for promotion in [Promotion::Pass, Promotion::Stop, Promotion::Continue] {
            change("promotion", DraughtsRules { promotion, ..right });
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
            change("priority", DraughtsRules { priority, ..right });
        }
        let may_reverse = !right.may_reverse;
        change(
            "may_reverse",
            DraughtsRules {
                may_reverse,
                ..right
            },
        );
        let men_take_kings = !right.men_take_kings;
        change(
            "men_take_kings",
            DraughtsRules {
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
