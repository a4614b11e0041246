//! Every kind of draughts in one database, and chess among them: random archives
//! are imported in several ways, and every answer is compared with that of
//! looking through all games.

mod crowded;
mod game;
mod oracle;
mod plain;
mod write;

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::{cases, imported, oracle::Row, oracle::sort, row_of};
use game::{Known, Played, Stop};
use oracle::Visit;
pub(super) use plain::plain_game;
use {
    crate::support::{Base, game_ids},
    plydex::{
        base::record::{MoveForm, Outcome},
        games::{
            AnyPosition, Budget,
            draughts::{Draughts, rows::ALL, rules as draughts, write as draughts_move},
            notation::letters::ENGLISH,
            symmetry::Symmetry,
            variant::Variant,
        },
        query::{GameCondition, Page, PositionQuery, PositionText, Ranges},
        search::{self, AccessPlan, GameConditions, MoveNotation, PatternQuery},
    },
};

/// Side to move, variant, variations: which are asked for or count.
const MASKS: &[[bool; 3]] = &[
    [true, false, false],
    [true, true, false],
    [false, false, false],
    [false, true, false],
    [true, false, true],
    [false, true, true],
];

/// In which ways of looking a position counts as well.
const WAYS: &[&[Symmetry]] = &[
    &[],
    &[Symmetry::Rotate],
    &[Symmetry::Mirror],
    &[Symmetry::Rotate, Symmetry::Mirror, Symmetry::Flip],
];

fn asked(at: Draughts, mask: [bool; 3], ways: &[Symmetry]) -> PositionQuery {
    let [ask_turn, ask_variant, in_variations] = mask;
    PositionQuery {
        ask_turn,
        // Two ways to ask for one kind.
        ask_variant: ask_variant && ask_turn,
        own_rules: ask_variant && !ask_turn,
        in_variations,
        symmetries: ways.to_vec(),
        ..PositionQuery::of(AnyPosition::from(at))
    }
}

/// A position, and those that are nearly it: the other side to move, another
/// variant of the board, half a turn, a move later.
fn with_near_misses(game: &Known, stop: &Stop) -> Vec<Draughts> {
    let variant = game.variant.expect("a game of draughts");
    let board = variant.rules.board;
    let at = Draughts {
        position: stop.position,
        ..Draughts::start(variant)
    };
    let mut turned = at;
    turned.position.set_turn(at.position.turn() ^ 1);
    let rotated = Draughts {
        position: oracle::seen(board, &at.position, Symmetry::Rotate),
        ..at
    };
    let mut all = vec![at, turned, rotated];
    let mut others = ALL.iter().filter(|other| other.rules.board == board);
    all.extend(others.next_back().map(|other| Draughts {
        position: at.position,
        ..Draughts::start(other)
    }));
    if let Some(first) = write::legal(&at.position, &variant.rules).first() {
        let mut next = at;
        next.position.play(first);
        all.push(next);
    }
    all
}

fn filters() -> Vec<GameConditions> {
    let none = GameConditions::default;
    let id = |name| Variant::by_name(name).expect("a variant").id;
    let start = |name, mask, ways| {
        let variant = Variant::by_name(name).and_then(Variant::draughts);
        let at = Draughts::start(variant.expect("a kind of draughts"));
        GameCondition::Start(PositionText::of(asked(at, mask, ways)))
    };
    vec![
        none(),
        GameConditions::of([GameCondition::Result(vec![Outcome::First])]),
        GameConditions::of([GameCondition::Variant(vec![
            id("russian"),
            id("english"),
            id("frisian"),
            id("armenian"),
        ])]),
        GameConditions::of([
            GameCondition::player("ann"),
            GameCondition::Date(Ranges::of(19_910_101, u32::MAX)),
        ]),
        GameConditions::of([
            GameCondition::elo(1804, u32::MAX),
            GameCondition::Plies(Ranges::of(3, 12)),
        ]),
        GameConditions::of([start("international", MASKS[0], WAYS[0])]),
        GameConditions::of([start("thai", MASKS[3], WAYS[1])]),
    ]
}

/// Imports the games and looks at each.
fn base_of(games: &[Known], threads: usize, limit: Option<usize>, cuts: &[usize]) -> Base {
    let texts: Vec<&str> = games.iter().map(|game| game.pdn.as_str()).collect();
    let base = imported(&texts, threads, limit, cuts);
    for (game, read) in games.iter().zip(base.games()) {
        let header = &read.header;
        let variant = game.variant.map_or("chess", |variant| variant.name);
        assert_eq!(header.variant, variant, "{}", game.pdn);
        assert_eq!(header.plies, game.plies(), "{}", game.pdn);
        assert_eq!(read.outcome, game.outcome, "{}", game.pdn);
    }
    base
}

/// The names of a ply in the tree of a position: as its own variant writes it,
/// else the first variant of the board that has such a move.
fn names(at: &Draughts, turn: u8, played: Played) -> (String, String) {
    let numbering = at.variant.numbering();
    let squares = |from, to| {
        let mut text = String::new();
        numbering.write(from, &mut text);
        text.push('-');
        numbering.write(to, &mut text);
        (text.clone(), text)
    };
    let (from, to, captured) = match played {
        Played::Move(from, to, captured) => (from, to, captured),
        Played::Null => return ("...".to_owned(), "...".to_owned()),
        Played::Setup => return ("(set up)".to_owned(), "(set up)".to_owned()),
        Played::Placement(from, to) => return squares(from, to),
    };
    let mut position = at.position;
    position.set_turn(turn);
    let board = at.variant.rules.board;
    let others = ALL.iter().filter(|other| other.rules.board == board);
    for variant in std::iter::once(at.variant).chain(others) {
        let legal = write::legal(&position, &variant.rules);
        let is_it =
            |m: &&draughts::DraughtsMove| (m.from, m.to, m.captured) == (from, to, captured);
        if let Some(m) = legal.iter().find(is_it) {
            let at = Draughts {
                position,
                ..Draughts::start(variant)
            };
            let text = |form| draughts_move(&at, m, form, Budget::default()).expect("few captures");
            return (text(MoveForm::Short), text(MoveForm::Full));
        }
    }
    squares(from, to)
}

/// Whether the position is its own mirror image, and that was asked for.
fn is_alike(query: &PositionQuery) -> bool {
    let at = oracle::asked(query);
    let board = at.variant.rules.board;
    query.symmetries.contains(&Symmetry::Mirror)
        && board.is_full()
        && oracle::seen(board, &at.position, Symmetry::Mirror) == at.position
}

/// The tree that looking through the games gives.
fn tree_of(query: &PositionQuery, visits: &[Visit<'_>]) -> (Row, Row, Vec<(String, Row)>) {
    let at = oracle::asked(query);
    let board = at.variant.rules.board;
    let mut groups: BTreeMap<(u8, Played), Vec<Visit<'_>>> = BTreeMap::new();
    let mut ends = Vec::new();
    for visit in visits {
        let (.., stop, _, way) = visit;
        match stop.next {
            Some(played) => {
                let turn = stop.position.turn() ^ u8::from(way.swaps_colours());
                let played = oracle::seen_ply(board, played, *way);
                groups.entry((turn, played)).or_default().push(*visit);
            }
            None => ends.push(*visit),
        }
    }
    // Where the position is the same in the mirror, moves are what they are there.
    if is_alike(query) {
        let mut merged: BTreeMap<(u8, Played), Vec<Visit<'_>>> = BTreeMap::new();
        for ((turn, played), mut visits) in groups {
            let other = (turn, oracle::seen_ply(board, played, Symmetry::Mirror));
            let name = [other, (turn, played)]
                .into_iter()
                .find(|name| merged.contains_key(name));
            merged
                .entry(name.unwrap_or((turn, played)))
                .or_default()
                .append(&mut visits);
        }
        groups = merged;
    }
    let rows = groups.into_iter().map(|((turn, played), visits)| {
        let (short, full) = names(at, turn, played);
        (full, oracle::row(&short, &visits))
    });
    let mut rows: Vec<_> = rows.collect();
    sorted(&mut rows);
    (oracle::row("", visits), oracle::row("", &ends), rows)
}

fn sorted(rows: &mut [(String, Row)]) {
    let mut plain: Vec<Row> = rows.iter().map(|(_, row)| row.clone()).collect();
    sort(&mut plain);
    rows.sort_by_key(|(full, row)| (plain.iter().position(|other| other == row), full.clone()));
}

/// Compares every answer about a position.
fn compare(base: &Base, games: &[Known], position: PositionQuery, filter: &GameConditions) {
    let store = &base.store;
    let at = oracle::asked(&position);
    let place = format!(
        "{} {} turn {} variant {} variations {} {:?} {filter:?}",
        at.variant.name,
        position.position.fen(),
        position.ask_turn,
        position.ask_variant || position.own_rules,
        position.in_variations,
        position.symmetries,
    );
    let visits = oracle::visits(games, &position, filter);
    let (total, ends, mut moves) = tree_of(&position, &visits);
    let tree = search::tree(store, &position, filter, ENGLISH).expect("a tree");
    assert_eq!(row_of("", &tree.total), total, "{place}");
    assert_eq!(row_of("", &tree.ends_here), ends, "{place}");
    let rows = tree.moves.iter();
    let mut rows: Vec<_> = rows
        .map(|m| (m.uci.clone(), row_of(&m.san, &m.score)))
        .collect();
    if is_alike(&position) {
        // Of moves that are the same, the tree names the one played most.
        for (full, row) in rows.iter_mut().chain(&mut moves) {
            full.clear();
            row.san.clear();
        }
        sorted(&mut moves);
    }
    sorted(&mut rows);
    assert_eq!(rows, moves, "{place}");

    let query = AccessPlan {
        position: Some(position),
        conditions: filter.clone(),
        ..AccessPlan::default()
    };
    let found = search::search(store, &query, MoveNotation::default()).expect("an answer");
    let expected: Vec<_> = visits
        .iter()
        .map(|(id, game, stop, inside, way)| {
            (*id, Some(stop.ply), next_of(game, stop), *inside, *way)
        })
        .collect();
    let hits: Vec<_> = found
        .hits
        .into_iter()
        .map(|hit| {
            (
                hit.header.id,
                hit.ply,
                hit.next_move,
                hit.in_variation,
                hit.symmetry,
            )
        })
        .collect();
    assert_eq!(hits, expected, "{place}");
    assert_eq!(found.total, expected.len() as u64, "{place}");
    compare_numbers(
        base,
        query,
        &visits.iter().map(|visit| visit.0).collect::<Vec<_>>(),
    );
}

/// The next move as a hit tells it: as its own game would write it.
fn next_of(game: &Known, stop: &Stop) -> Option<String> {
    let variant = game.variant.expect("a game of draughts");
    let at = Draughts {
        position: stop.position,
        ..Draughts::start(variant)
    };
    Some(names(&at, at.position.turn(), stop.next?).0)
}

/// Counts, numbers and pages of a query that finds these games.
fn compare_numbers(base: &Base, query: AccessPlan, ids: &[u64]) {
    let store = &base.store;
    assert_eq!(
        search::count(store, &query).expect("a number"),
        ids.len() as u64,
        "{query:?}"
    );
    assert_eq!(game_ids(store, &query).expect("numbers"), ids, "{query:?}");
    let page = AccessPlan {
        page: Page {
            offset: 2,
            limit: Some(3),
            ..Page::default()
        },
        ..query
    };
    let wanted: Vec<u64> = ids.iter().skip(2).take(3).copied().collect();
    assert_eq!(game_ids(store, &page).expect("numbers"), wanted, "{page:?}");
}

/// Asks for the pieces of a position instead of the position.
fn compare_material(base: &Base, games: &[Known], stop: &Stop, filter: &GameConditions) {
    let count = |set: u128| set.count_ones() as u8;
    let at = &stop.position;
    let men = Some((count(at.men(0)), count(at.men(1))));
    let kings = Some((count(at.kings(0)), count(at.kings(1))));
    for (men, kings, either_side) in [
        (men, kings, false),
        (men, None, true),
        (None, kings, true),
        (men, kings, true),
    ] {
        let expected = oracle::material(games, [men, kings], either_side, filter);
        let counts = [("men", men), ("kings", kings)].into_iter();
        let counts = counts.filter_map(|(name, count)| {
            let (white, black) = count?;
            Some(format!("{name}:{white}v{black}"))
        });
        let text = counts.collect::<Vec<_>>().join(" ");
        let text = if either_side {
            format!("rotate ({text})")
        } else {
            text
        };
        let mut asked = PatternQuery::of(&text, text.parse().expect("a query"));
        let prepared = search::prepare(&base.store, (filter, None), &mut asked);
        if prepared.expect("a database").is_err() {
            assert!(expected.is_empty(), "{text}");
            continue;
        }
        let query = AccessPlan {
            pattern: Some(asked),
            conditions: filter.clone(),
            ..AccessPlan::default()
        };
        let found =
            search::search(&base.store, &query, MoveNotation::default()).expect("an answer");
        let hits: Vec<_> = found
            .hits
            .iter()
            .map(|hit| (hit.header.id, hit.ply, hit.next_move.clone()))
            .collect();
        let expected: Vec<_> = expected
            .iter()
            .map(|(id, game, stop)| (*id, Some(stop.ply), next_of(game, stop)))
            .collect();
        assert_eq!(hits, expected, "{query:?}");
        compare_numbers(
            base,
            query,
            &expected.iter().map(|hit| hit.0).collect::<Vec<_>>(),
        );
    }
}

/// Filters alone.
fn compare_filters(base: &Base, games: &[Known]) {
    for filter in filters() {
        let numbered = games.iter().zip(1..);
        let ids: Vec<u64> = numbered
            .filter(|(game, _)| oracle::passes(game, &filter))
            .map(|(_, id)| id)
            .collect();
        let query = AccessPlan {
            conditions: filter,
            ..AccessPlan::default()
        };
        compare_numbers(base, query, &ids);
    }
}

/// Asks everything about some positions of some games.
fn compare_around(base: &Base, games: &[Known], game: &Known, stop: &Stop, turn: usize) {
    let filters = filters();
    for (number, at) in with_near_misses(game, stop).into_iter().enumerate() {
        for (more, &mask) in MASKS.iter().enumerate() {
            let filter = match (number + more) % 3 {
                0 => &filters[turn % filters.len()],
                _ => &filters[0],
            };
            let ways = WAYS[(turn + number + more) % WAYS.len()];
            compare(base, games, asked(at, mask, ways), filter);
        }
    }
    compare_material(base, games, stop, &filters[turn % filters.len()]);
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: cases(),
        max_shrink_iters: 200,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn random_archives_are_answered_as_by_looking_through_them(
        specs in game::specs(20..90),
        picks in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>()), 12),
        cut in 0.4_f64..1.0,
    ) {
        let games: Vec<Known> = specs.into_iter().map(Known::new).collect();
        let cut = (games.len() as f64 * cut) as usize;
        let bases = [
            base_of(&games, 1, None, &[]),
            base_of(&games, 3, Some(150), &[cut]),
        ];
        let of_draughts: Vec<&Known> = games.iter().filter(|game| game.variant.is_some()).collect();
        for base in &bases {
            compare_filters(base, &games);
            for (at, (game, stop)) in picks.iter().enumerate() {
                if of_draughts.is_empty() {
                    continue;
                }
                let game = game.get(&of_draughts);
                let stop = if at % 3 == 0 && !game.inside.is_empty() {
                    stop.get(&game.inside)
                } else {
                    stop.get(&game.line)
                };
                compare_around(base, &games, game, stop, at);
            }
        }
    }
}
