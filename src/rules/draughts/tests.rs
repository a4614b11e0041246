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
        let position = draughts_fen::parse(fen, &numbering).unwrap().position;
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
        let position = draughts_fen::parse(&cells[2], &numbering).unwrap().position;
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
