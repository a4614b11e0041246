//! The index against an oracle: random archives are imported in several ways,
//! and every answer is compared with that of looking through all games.

mod attacks;
mod draughts;
mod game;
mod oracle;
mod queries;
mod random;

use proptest::prelude::*;
use shakmaty::{Chess, Position};

use game::{Branch, Known, Spec, Tail};
use oracle::Row;
use {
    crate::support::{Base, every_game, game_ids, one_in},
    plydex::{
        base::{observe::NullObserver, record::Outcome},
        changes,
        games::{chess::rules::piece, key, notation::letters::ENGLISH},
        import::ImportOptions,
        index::{SegmentThresholds, posting::Section},
        query::{GameCondition, Page, PositionQuery, PositionText, Ranges, SortKey},
        replay,
        search::{self, AccessPlan, GameConditions, MoveNotation, ScoreSum},
    },
};

/// Which fields are asked for, and whether variations count.
const MASKS: &[[bool; 4]] = &[
    [true, true, true, false],
    [true, false, false, false],
    [false, false, false, false],
    [true, true, false, false],
    [false, true, true, false],
    [true, false, true, false],
    [true, true, true, true],
    [true, false, false, true],
    [false, false, false, true],
];

fn asked(position: &Chess, mask: [bool; 4]) -> PositionQuery {
    let [ask_turn, ask_castling, ask_en_passant, in_variations] = mask;
    PositionQuery {
        ask_turn,
        ask_castling,
        ask_en_passant,
        in_variations,
        ..PositionQuery::of(plydex::games::AnyPosition::from(position.clone()))
    }
}

/// A position and those that are nearly it.
fn with_near_misses(position: &Chess) -> Vec<Chess> {
    let mut all = vec![position.clone()];
    all.extend(position.clone().swap_turn());
    all.extend(game::without(position, true, false));
    all.extend(game::without(position, false, true));
    if let Some(m) = position.legal_moves().first() {
        let mut next = position.clone();
        next.play_unchecked(*m);
        all.push(next);
    }
    all
}

fn filters() -> Vec<GameConditions> {
    let none = GameConditions::default;
    let start = |query| GameCondition::Start(PositionText::of(query));
    vec![
        none(),
        GameConditions::of([GameCondition::Result(vec![Outcome::First, Outcome::Draw])]),
        GameConditions::of([GameCondition::player("ann")]),
        GameConditions::of([
            GameCondition::player("čapek jan"),
            GameCondition::elo(1804, u32::MAX),
        ]),
        GameConditions::of([GameCondition::white("adams"), GameCondition::black("Ann")]),
        GameConditions::of([GameCondition::Date(Ranges::of(19_910_101, 19_920_630))]),
        GameConditions::of([
            GameCondition::elo(0, 1805),
            GameCondition::Plies(Ranges::of(3, 12)),
        ]),
        GameConditions::of([GameCondition::Eco(Ranges::union([(0, 99), (200, 210)]))]),
        GameConditions::of([GameCondition::Opening(vec![
            "defense".to_owned(),
            "GAME".to_owned(),
        ])]),
        GameConditions::of([start(asked(&Chess::default(), MASKS[0]))]),
        GameConditions::of([start(asked(&game::start(1), MASKS[1]))]),
    ]
}

/// Imports texts of one game each, as one file or as several imports one after
/// another; each game becomes one.
fn imported(texts: &[&str], threads: usize, limit: Option<usize>, cuts: &[usize]) -> Base {
    let base = Base::new();
    let options = ImportOptions {
        threads: Some(threads),
        segment_plies_max: limit,
        ..every_game()
    };
    let mut from = 0;
    for &to in cuts.iter().chain([&texts.len()]) {
        let text = texts[from..to].concat();
        let summary = base.import_text(text.as_bytes(), options);
        assert_eq!(summary.seen, (to - from) as u64, "{text}");
        assert_eq!(
            summary.seen,
            summary.stored + summary.duplicate + summary.rejected
        );
        from = to;
    }
    base.assert_sound();
    base
}

fn base_of(games: &[Known], threads: usize, limit: Option<usize>, cuts: &[usize]) -> Base {
    let texts: Vec<&str> = games.iter().map(|game| game.pgn.as_str()).collect();
    imported(&texts, threads, limit, cuts)
}

fn row_of(san: &str, score: &ScoreSum) -> Row {
    Row {
        san: san.to_owned(),
        games: score.games,
        results: [
            score.no_result,
            score.white_wins,
            score.black_wins,
            score.draws,
        ],
        score: score.score,
        average: score.average_rating,
        years: score.first_year.zip(score.last_year),
    }
}

/// Compares every answer about a position.
fn compare(base: &Base, games: &[Known], position: PositionQuery, filter: &GameConditions) {
    let store = &base.store;
    let place = format!(
        "{} {:?} {filter:?}",
        position.position.fen(),
        (
            position.ask_turn,
            position.ask_castling,
            position.ask_en_passant,
            position.in_variations
        ),
    );
    let expected = oracle::hits(games, &position, filter);
    let (total, ends, moves) = oracle::tree(games, &position, filter);
    let tree = search::tree(store, &position, filter, ENGLISH).expect("a tree");
    assert_eq!(row_of("", &tree.total), total, "{place}");
    assert_eq!(row_of("", &tree.ends_here), ends, "{place}");
    let mut rows: Vec<Row> = tree
        .moves
        .iter()
        .map(|m| row_of(&m.san, &m.score))
        .collect();
    oracle::sort(&mut rows);
    assert_eq!(rows, moves, "{place}");

    let query = AccessPlan {
        position: Some(position),
        conditions: filter.clone(),
        ..AccessPlan::default()
    };
    let found = search::search(store, &query, MoveNotation::default()).expect("an answer");
    let hits: Vec<oracle::Hit> = found
        .hits
        .iter()
        .map(|hit| {
            let ply = hit.ply.expect("a ply");
            (hit.header.id, ply, hit.next_move.clone(), hit.in_variation)
        })
        .collect();
    assert_eq!(hits, expected, "{place}");
    assert_eq!(found.total, expected.len() as u64, "{place}");
    assert_eq!(
        search::count(store, &query).expect("a number"),
        found.total,
        "{place}"
    );
    let ids: Vec<u64> = expected.iter().map(|hit| hit.0).collect();
    assert_eq!(game_ids(store, &query).expect("numbers"), ids, "{place}");
    let page = AccessPlan {
        page: Page {
            offset: 2,
            limit: Some(3),
            ..Page::default()
        },
        ..query
    };
    let page = search::search(store, &page, MoveNotation::default()).expect("a page");
    let wanted: Vec<u64> = ids.iter().skip(2).take(3).copied().collect();
    let given: Vec<u64> = page.hits.iter().map(|hit| hit.header.id).collect();
    assert_eq!((page.total, given), (found.total, wanted), "{place}");
}

/// Filters alone, and every order: ties as imported, pages of one whole.
fn compare_filters(base: &Base, games: &[Known]) {
    for filter in filters() {
        let expected: Vec<u64> = games
            .iter()
            .zip(1..)
            .filter(|(game, _)| oracle::passes(game, &filter))
            .map(|(_, id)| id)
            .collect();
        let query = AccessPlan {
            conditions: filter,
            ..AccessPlan::default()
        };
        assert_eq!(
            game_ids(&base.store, &query).expect("numbers"),
            expected,
            "{query:?}"
        );
        assert_eq!(
            search::count(&base.store, &query).expect("a number"),
            expected.len() as u64
        );
        let by_date = AccessPlan {
            page: Page {
                sort: SortKey::Date,
                descending: true,
                ..Page::default()
            },
            ..query.clone()
        };
        let mut dated = expected.clone();
        let date = |id: u64| games[id as usize - 1].spec.date;
        dated.sort_by_key(|&id| std::cmp::Reverse(date(id)));
        assert_eq!(game_ids(&base.store, &by_date).expect("numbers"), dated);
        let by_plies = AccessPlan {
            page: Page {
                sort: SortKey::Plies,
                offset: 1,
                limit: Some(5),
                ..Page::default()
            },
            ..query
        };
        let mut long = expected;
        long.sort_by_key(|&id| games[id as usize - 1].plies());
        let page: Vec<u64> = long.into_iter().skip(1).take(5).collect();
        assert_eq!(game_ids(&base.store, &by_plies).expect("numbers"), page);
    }
}

/// A few, or as many as `PROPTEST_CASES` asks for.
fn cases() -> u32 {
    let asked = std::env::var("PROPTEST_CASES").ok();
    asked
        .and_then(|cases| cases.parse().ok())
        .unwrap_or(8 / one_in(2) as u32)
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
        specs in game::specs(1..40),
        picks in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>()), 12),
        cut in 0.4_f64..1.0,
    ) {
        let games: Vec<Known> = specs.into_iter().map(Known::new).collect();
        let cut = (games.len() as f64 * cut) as usize;
        let bases = [
            base_of(&games, 1, None, &[]),
            base_of(&games, 3, Some(40), &[]),
            base_of(&games, 3, Some(40), &[cut]),
        ];
        let filters = filters();
        for base in &bases {
            compare_filters(base, &games);
        }
        for (at, (game, stop)) in picks.iter().enumerate() {
            let game = game.get(&games);
            let stop = if at % 3 == 0 && !game.inside.is_empty() {
                stop.get(&game.inside)
            } else {
                stop.get(&game.line)
            };
            for position in with_near_misses(&stop.position) {
                for (number, &mask) in MASKS.iter().enumerate() {
                    let filter = if number % 2 == 0 { &filters[0] } else { &filters[at % filters.len()] };
                    for base in &bases {
                        compare(base, &games, asked(&position, mask), filter);
                    }
                }
            }
        }
    }
}

/// Enough games of few openings that positions are popular and structures crowded:
/// men go out and home, so one diagram is met with many castling rights.
#[test]
fn crowded_openings_are_answered_as_by_looking_through_them() {
    let mut random = 0x2545_f491_4f6c_dd1d_u64;
    let mut next = move |below: u64| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        random % below
    };
    let games: Vec<Known> = (0..1500)
        .map(|number| {
            let plies = next(12) as usize;
            Known::new(Spec {
                start: if number % 10 == 0 {
                    1 + next(5) as usize
                } else {
                    0
                },
                // The first moves of a list are those of pieces; pawns come later.
                choices: {
                    let from = if number % 3 == 0 { 13 } else { 0 };
                    (0..plies).map(|_| from + next(6) as u8).collect()
                },
                branches: if number % 50 == 0 {
                    vec![Branch {
                        at: 1,
                        choices: vec![next(5) as u8, next(5) as u8],
                        inner: None,
                    }]
                } else {
                    vec![]
                },
                tail: Tail::Marker,
                result: next(4) as usize,
                elos: [1800 + next(10) as u16, 1800 + next(10) as u16],
                date: (1990 + next(5) as u32) * 10_000 + 101,
                names: [next(4) as usize, next(3) as usize],
                eco: None,
            })
        })
        .collect();
    let bases = [
        base_of(&games, 2, None, &[]),
        base_of(&games, 2, Some(2_000), &[1_100, 1_400]),
        base_of(&games, 2, Some(2_000), &[700]),
    ];
    // As in a segment of millions of games, where a position of few games has no list.
    let store = &bases[2].store;
    let segments = store.segments().expect("segments");
    let thresholds = SegmentThresholds {
        popular_min: 40,
        replays_max: 60,
    };
    let replaced = store
        .at_once(|| replay::replace_segments_with(store, &segments, thresholds, 2, &mut |_| ()));
    replaced.expect("one segment");
    let joined = store.segments().expect("segments")[0];
    assert_eq!(joined.games, games.len() as u64);
    assert_eq!(joined.thresholds, thresholds);
    let report = changes::check(store, &NullObserver).expect("a report");
    assert_eq!(report.problems, Vec::<String>::new());
    let mut listed = [0; 3];
    let (mut crowded, mut of_many_states) = (0, 0);
    let filters = filters();
    for (base, listed) in bases.iter().zip(&mut listed) {
        compare_filters(base, &games);
        for pick in (0..50).step_by(one_in(2)) {
            let game = &games[pick * 29 % games.len()];
            let stop = &game.line[pick % game.line.len()];
            match path_of(base, &stop.position) {
                Path::Crowded => crowded += 1,
                Path::Hot(states) => {
                    *listed += 1;
                    of_many_states += usize::from(states > 1);
                }
                Path::Replay => {}
            }
            for (number, position) in with_near_misses(&stop.position).iter().enumerate() {
                let mask = MASKS[(pick + number) % MASKS.len()];
                let filter = if pick % 4 == 0 {
                    &filters[pick / 4 % filters.len()]
                } else {
                    &filters[0]
                };
                compare(base, &games, asked(position, mask), filter);
            }
        }
    }
    assert!(crowded > 0, "some rare positions are in crowded structures");
    assert!(listed[2] > 0 && listed[2] < listed[0], "{listed:?}");
    assert!(
        of_many_states > 0,
        "some popular boards are met in several states"
    );
}

/// Where the index has a position.
enum Path {
    /// Listed, with that many states.
    Hot(usize),
    /// Filed by its own key.
    Crowded,
    /// To be found by replay.
    Replay,
}

fn path_of(base: &Base, position: &Chess) -> Path {
    let store = &base.store;
    let segment = store.segments().expect("segments")[0];
    let men = piece::codes(position.board());
    let board = key::board_key(&men, usize::from(position.turn().is_black()));
    let states = store.popular(&segment, board, 0).expect("states");
    let structure = key::Structure::of(&men).key();
    let games = store
        .all_postings(&segment, Section::Structures, structure)
        .expect("postings");
    if !states.is_empty() {
        Path::Hot(states.len())
    } else if games.len() > segment.thresholds.replays_max {
        Path::Crowded
    } else {
        Path::Replay
    }
}
