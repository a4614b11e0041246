//! What is shown of positions that thousands of games reach is the same as a look at all of them shows.

use std::fmt::Write as _;

use {
    crate::support::{Base, every_game},
    plydex::{
        base::observe::NullObserver,
        changes::{self, TagEdit},
        games::{AnyPosition, Budget, notation::letters::ENGLISH},
        query::{GameCondition, Page, PositionQuery, Ranges},
        search::{self, AccessPlan, GameConditions, MoveNotation, PositionSummary, SummaryParts},
    },
};

/// A text of so many games that begin with 1. e4, a few of them of another variant.
fn text(games: usize) -> String {
    let mut random = fastrand::Rng::with_seed(11);
    let mut text = String::new();
    let replies = ["e5", "c5", "e6", "c6"];
    let thirds = ["Nf3", "Nc3", "d4", "f4", "Bc4"];
    for nth in 0..games {
        let result = *random
            .choice(&["1-0", "0-1", "1/2-1/2", "1-0", "0-1", "1/2-1/2", "*"])
            .expect("one");
        let reply = match nth {
            77 => "h5",
            78 => "a5",
            100..104 | 200 | 1499..1501 | 2500 | 3499..3502 => "e5",
            _ => replies[random.usize(..4)],
        };
        // A move of one game with a result, and of others without; and a move of one that has none.
        let (third, result) = match nth {
            100 => ("a3", "1-0"),
            101..104 => ("a3", "*"),
            200 => ("h3", "*"),
            // Moves of a game of another variant alone, and of one game besides.
            2500 => ("h4", "1-0"),
            1499 => ("a4", "0-1"),
            1500 => ("a4", "1-0"),
            3499 => ("b3", "0-1"),
            3500 => ("b3", "1-0"),
            3501 => ("b3", "*"),
            _ => (thirds[random.usize(..5)], result),
        };
        let is_other = nth % 1000 == 500;
        let year = if is_other {
            2022
        } else {
            random.u32(2021..2025)
        };
        let _ = write!(
            text,
            "[White \"W{nth}\"]\n[Black \"B{nth}\"]\n[Date \"{year}.01.{:02}\"]\n[Result \"{result}\"]\n",
            random.u32(1..9)
        );
        if random.u32(..9) > 0 {
            let [white, black] = [(); 2].map(|()| random.u32(2000..2100));
            let _ = write!(text, "[WhiteElo \"{white}\"]\n[BlackElo \"{black}\"]\n");
        }
        if is_other {
            text.push_str("[Variant \"Crazyhouse\"]\n");
        }
        let _ = write!(text, "\n1. e4 {reply} 2. {third} d6 {result}\n\n");
    }
    text
}

/// What is shown of the position behind some moves: shortly, by a look at all games, and under a filter
/// that they all pass.
fn shown(base: &Base, moves: &[&str], parts: SummaryParts) -> [PositionSummary; 3] {
    let (query, dated) = asked(moves);
    let all = SummaryParts {
        months: true,
        ..parts
    };
    [
        (GameConditions::default(), parts),
        (GameConditions::default(), all),
        (dated, parts),
    ]
    .map(|(filter, parts)| {
        let mut found = search::explore(&base.store, (&query, &filter), parts).expect("an answer");
        found.months.clear();
        found
    })
}

/// The position behind some moves, and a filter that all games pass.
fn asked(moves: &[&str]) -> (PositionQuery, GameConditions) {
    let mut at = AnyPosition::initial();
    for san in moves {
        let legal = at.moves(Budget::default()).expect("moves");
        let played = legal.into_iter().find(|found| found.names[0] == *san);
        at = played.expect("a legal move").behind;
    }
    let query = PositionQuery {
        own_rules: true,
        ..PositionQuery::of(at)
    };
    let dated = GameConditions::of([GameCondition::Date(Ranges::of(1, u32::MAX))]);
    (query, dated)
}

fn assert_agree(base: &Base) {
    let parts = [(4, 4, true), (4, 8, false), (15, 0, true), (0, 0, true)];
    for (top, recent, singles) in parts {
        let parts = SummaryParts {
            moves: 12,
            top,
            recent,
            singles,
            ..SummaryParts::default()
        };
        for moves in [&[][..], &["e4"], &["e4", "e5"], &["e4", "e5", "Nf3"]] {
            let [quick, all, filtered] = shown(base, moves, parts);
            assert_eq!(quick, all, "{moves:?} {parts:?}");
            assert_eq!(quick, filtered, "{moves:?} {parts:?}");
        }
    }
    for moves in [&[][..], &["e4"], &["e4", "e5"]] {
        let (query, dated) = asked(moves);
        let [quick, filtered] = [GameConditions::default(), dated]
            .map(|filter| search::tree(&base.store, &query, &filter, ENGLISH).expect("a tree"));
        assert_eq!(quick, filtered, "{moves:?}");
    }
    for moves in [&[][..], &["e4"], &["e4", "e5"]] {
        let (position, dated) = asked(moves);
        for (offset, limit) in [(0, Some(0)), (0, Some(20)), (490, Some(30)), (0, None)] {
            let [quick, filtered] = [GameConditions::default(), dated.clone()].map(|filter| {
                let query = AccessPlan {
                    position: Some(position.clone()),
                    conditions: filter,
                    page: Page {
                        offset,
                        limit,
                        ..Page::default()
                    },
                    ..AccessPlan::default()
                };
                let found = search::search(&base.store, &query, MoveNotation::default());
                let found = found.expect("an answer");
                let games = found.hits.into_iter().map(|hit| hit.header.id);
                (found.total, games.collect::<Vec<_>>())
            });
            assert_eq!(quick, filtered, "{moves:?} {offset} {limit:?}");
        }
    }
}

#[test]
fn leaders_tell_what_a_look_at_all_games_tells() {
    let base = Base::new();
    base.import_text(text(9000).as_bytes(), every_game());
    assert_agree(&base);
    // Facts of one game change, and a few games go.
    let tags = [
        ("WhiteElo", "2950"),
        ("Date", "2025.02.03"),
        ("Result", "*"),
    ];
    for (game, (name, value)) in (3000..).zip(tags) {
        let edit = TagEdit {
            name: name.to_owned(),
            value: Some(value.to_owned()),
        };
        changes::edit(
            &base.store,
            game,
            (&[edit], false),
            base.folder(),
            &NullObserver,
        )
        .expect("an edit");
    }
    assert_agree(&base);
    let gone = AccessPlan {
        // One of them is of another variant.
        conditions: GameConditions::of([GameCondition::Number(Ranges::union([
            (4000, 4010),
            (4501, 4501),
        ]))]),
        ..AccessPlan::default()
    };
    changes::delete(&base.store, &gone, "", &NullObserver).expect("a deletion");
    assert_agree(&base);
    base.assert_sound();
}
