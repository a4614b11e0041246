use proptest::prelude::*;

use super::{square::Numbering, *};
use crate::games::Budget;
use crate::{
    base::{mix, record::MoveForm},
    games::draughts::{
        Draughts,
        notation::fen as draughts_fen,
        rows::{ALL, DraughtsVariant},
        rules::{DraughtsMove, DraughtsPosition, each_path, moves},
        write,
    },
};

const BUDGET: Budget = Budget(100_000);

#[derive(Clone, Copy)]
struct Table {
    at: Draughts,
    numbering: Numbering,
}

impl Table {
    fn new(name: &str, fen: &str) -> Self {
        let variant = DraughtsVariant::by_name(name).unwrap();
        Self::of(
            variant,
            draughts_fen::parse(fen, variant.numbering())
                .unwrap()
                .position,
        )
    }

    fn of(variant: &'static DraughtsVariant, position: DraughtsPosition) -> Self {
        let at = Draughts {
            position,
            ..Draughts::start(variant)
        };
        Self {
            at,
            numbering: variant.numbering(),
        }
    }

    fn read(&self, text: &str) -> Result<Vec<DraughtsMove>, DraughtsMoveError> {
        let rules = &self.at.variant.rules;
        let read = parse(text, self.numbering)?;
        resolve(&self.at.position, rules, read.cells(), read.taken, BUDGET)
    }

    fn write(&self, m: &DraughtsMove, form: MoveForm) -> String {
        write(&self.at, m, form, BUDGET).unwrap()
    }

    fn one(&self, text: &str) -> String {
        match self.read(text).unwrap().as_slice() {
            [m] => self.write(m, MoveForm::Full),
            several => panic!("{text}: {several:?}"),
        }
    }
}

#[test]
fn spellings_of_one_move() {
    let table = Table::new("international", "W:W31-50:B1-20");
    for text in [
        "32-28",
        "32x28",
        "32:28",
        "32 - 28",
        "3228",
        "32–28",
        "32‑28",
        "32-28!",
        "32-28?!",
        "32-28(!?)",
        "32-28*",
        "32X28",
    ] {
        assert_eq!(table.one(text), "32-28", "{text}");
    }
    let table = Table::new("english", "B:W21-32:B1-12");
    assert_eq!(table.one("09-13"), "9-13");
    let table = Table::new("russian", "W:Wa3:Bh8");
    for text in ["a3-b4", "a3b4", "A3-B4", "a3:b4"] {
        assert_eq!(table.one(text), "a3-b4");
    }
}

#[test]
fn nonsense_is_told_apart() {
    let table = Table::new("international", "W:W31-50:B1-20");
    assert!(matches!(
        table.read("32"),
        Err(DraughtsMoveError::Unreadable(_))
    ));
    assert!(matches!(
        table.read(""),
        Err(DraughtsMoveError::Unreadable(_))
    ));
    assert!(matches!(
        table.read("a1"),
        Err(DraughtsMoveError::Unreadable(_))
    ));
    assert!(matches!(
        table.read("e4"),
        Err(DraughtsMoveError::NoSuchSquare(_))
    ));
    assert!(matches!(
        table.read("328"),
        Err(DraughtsMoveError::Unreadable(_))
    ));
    assert!(matches!(
        table.read("0-0"),
        Err(DraughtsMoveError::NoSuchSquare(_))
    ));
    assert!(matches!(
        table.read("2-0"),
        Err(DraughtsMoveError::NoSuchSquare(_))
    ));
    assert!(matches!(
        table.read("51-1"),
        Err(DraughtsMoveError::NoSuchSquare(_))
    ));
    assert!(matches!(
        table.read("a2-b3"),
        Err(DraughtsMoveError::NoSuchSquare(_))
    ));
    assert_eq!(table.read("1-1"), Err(DraughtsMoveError::Illegal));
    assert_eq!(table.read("32-27x"), table.read("32-27"));
    let long = "1x".repeat(60);
    assert!(matches!(
        table.read(&long),
        Err(DraughtsMoveError::Unreadable(_))
    ));
}

/// Czech archives name squares that are passed over; pydraughts' test of a
/// capture whose middle squares come in another order.
#[test]
fn middle_squares_are_read_loosely() {
    let table = Table::new("czech", "W:WKa1:Bd4,g7");
    for text in ["a1xh8", "a1xe5xh8", "a1xf6xh8", "a1xf6xe5xh8", "a1xd4xh8"] {
        assert_eq!(table.one(text), "a1xe5xh8", "{text}");
    }
    assert_eq!(table.read("a1xc5xh8"), Err(DraughtsMoveError::Illegal));
    // Hub: from, to, captured pieces.
    assert_eq!(table.one("a1xh8xd4xg7"), "a1xe5xh8");
    assert_eq!(table.one("a1xh8 <g7,d4>"), "a1xe5xh8");
    assert_eq!(table.read("a1xh8<g7>"), Err(DraughtsMoveError::Illegal));
}

/// The Royal Tour, second game of the PDN article.
#[test]
fn short_captures_may_mean_several_and_full_ones_one() {
    let fen = "W:W27,19,18,11,7,6,5:B28,26,25,20,17,10,9,4,3,2.";
    let mut table = Table::new("english", fen);
    let played = "19-15 10x19 5-1 3x10 11-8 4x11 27-24 20x27 18-14 9x18 1-5 2x9";
    for text in played.split(' ') {
        let found = table.read(text).unwrap();
        assert_eq!(found.len(), 1, "{text}");
        table.at.position.play(&found[0]);
    }
    let found = table.read("5x32").unwrap();
    assert_eq!(found.len(), 4);
    let longest = "5x14x7x16x23x14x21x30x23x32";
    // Its circle can be run through both ways: one move.
    let other_way = "5x14x7x16x23x30x21x14x23x32";
    assert_eq!(table.read(longest), table.read(other_way));
    assert_eq!(table.one(longest), other_way);
    for m in found {
        let text = table.write(&m, MoveForm::Short);
        assert!(text.len() > 4, "{text}");
        assert_eq!(table.read(&text), Ok(vec![m]));
    }
}

#[test]
fn a_wrong_corner_is_probed_with_another() {
    let table = Table::new("international", "W:W31-50:B1-20");
    let from_below = Table {
        numbering: table.numbering.with_number_corner(1),
        ..table
    };
    assert!(from_below.read("32-28").is_err());
    assert_eq!(from_below.read("19-23"), table.read("32-28"));
}

/// A position some random plies into a game, and one with random pieces.
fn tables() -> impl Strategy<Value = (usize, u64, usize)> {
    (0..ALL.len(), any::<u64>(), 0..90_usize)
}

fn table_of(variant: usize, mut seed: u64, plies: usize) -> Option<Table> {
    let variant = &ALL[variant];
    let rules = variant.rules;
    let board = rules.board;
    let mut position = DraughtsPosition::start(&rules);
    for _ in 0..plies {
        seed = mix(seed.wrapping_add(1));
        let legal = moves(&position, &rules, BUDGET).ok()?;
        // Kings make the captures that are hard to write.
        if let Some(cell) = board.cell_at((seed >> 32) as u8 % board.square_count())
            && let Some(mut piece) = position.at(cell)
            && seed.is_multiple_of(16)
        {
            piece.king = true;
            position.put(cell, piece);
            continue;
        }
        match legal.get((seed >> 8) as usize % legal.len().max(1)) {
            Some(chosen) => position.play(chosen),
            None => break,
        }
    }
    Some(Table::of(variant, position))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn every_move_is_read_back_from_each_of_its_spellings((variant, seed, plies) in tables()) {
        let Some(table) = table_of(variant, seed, plies) else { return Ok(()) };
        let Ok(legal) = moves(&table.at.position, &table.at.variant.rules, BUDGET) else { return Ok(()) };
        for m in legal {
            for form in [MoveForm::Short, MoveForm::Full, MoveForm::Algebraic] {
                let text = table.write(&m, form);
                prop_assert_eq!(table.read(&text), Ok(vec![m]), "{}", text);
            }
            // Every way is read as the move whose way it is.
            let mut ways = Vec::new();
            each_path(&table.at.position, &table.at.variant.rules, &m, BUDGET, |path| {
                ways.push(path.clone());
                ways.len() > 20
            }).unwrap();
            prop_assert!(!ways.is_empty());
            for way in ways {
                prop_assert_eq!(way.landings.last(), Some(&m.to));
                let mut cells = vec![m.from];
                cells.extend(&way.landings);
                let read = resolve(&table.at.position, &table.at.variant.rules, &cells, None, BUDGET);
                prop_assert_eq!(read.as_deref(), Ok(&[m][..]));
            }
            // Between in any order, captured pieces named.
            let text = format!("{}<{}>", table.write(&m, MoveForm::Short), {
                let mut list = String::new();
                for cell in crate::games::draughts::rules::board::cells_of(m.captured) {
                    table.numbering.write(cell, &mut list);
                    list.push(',');
                }
                list
            });
            if m.is_capture() {
                prop_assert_eq!(table.read(&text), Ok(vec![m]), "{}", text);
            }
        }
    }

    #[test]
    fn any_text_is_answered(text in "\\PC*", squares in "[0-9a-lxX:<>, -]*") {
        for variant in ALL {
            let table = Table::new(variant.name, "W:W:B");
            let _ = table.read(&text);
            let _ = table.read(&squares);
        }
    }
}
