//! The index against looking through all games.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::{line, record, variants, words};
use {
    crate::support::{Base, one_in},
    plydex::{
        games::{
            AnyPosition, Budget, chess_variant::ChessVariantKind, notation::letters::ENGLISH,
            symmetry::Symmetry, variant::Rules,
        },
        import::ImportOptions,
        query::PositionQuery,
        search::{self, AccessPlan, GameConditions, MoveNotation},
    },
};

/// A game that is known move by move.
struct Known {
    /// The positions with the move that is played there; none at the end.
    stops: Vec<(AnyPosition, Option<String>)>,
    text: String,
}

impl Known {
    fn new(variant: usize, choices: &[u8]) -> Self {
        let all: Vec<AnyPosition> = variants().collect();
        let start = &all[variant % all.len()];
        let line = line(start, choices);
        let text = record(start.variant(), None, "*", &words(&line));
        let last = match line.last() {
            Some((at, word)) => after(at, word),
            None => start.clone(),
        };
        let stops = line.into_iter().map(|(at, word)| (at, Some(word)));
        let stops = stops.chain([(last, None)]).collect();
        Self { stops, text }
    }
}

/// The position behind a move.
fn after(at: &AnyPosition, word: &str) -> AnyPosition {
    let moves = at.moves(Budget::default()).expect("few");
    let found = moves.into_iter().find(|next| next.names[0] == word);
    found.expect("legal").behind
}

/// What makes a position: the fields of its FEN, the board's family with them.
fn fields(at: &AnyPosition) -> [String; 4] {
    let fen = at.fen();
    let mut fields = fen.split(' ').map(str::to_owned);
    let [placement, turn, castling, ep] =
        std::array::from_fn(|_| fields.next().unwrap_or_default());
    // Janus has a letter of its own for a man that others have, too.
    let placement = placement.replace('J', "A").replace('j', "a");
    // Checks given stand behind the square of en passant, and variants of chess
    // itself are one family.
    let family = match at.variant().fairy() {
        Some(_) if (at.variant().files, at.variant().ranks) == (10, 8) => "10x8",
        Some(row) => row.name,
        None if at.variant().start_fen.is_some_and(|fen| fen.contains('k'))
            && at.variant().files == 8 =>
        {
            "chess"
        }
        None => at.variant().name,
    };
    let checks = fields
        .next()
        .filter(|text| text.contains('+'))
        .unwrap_or_default();
    // What counts is how many were given.
    let checks = match at.variant().rules {
        Rules::ChessVariant(ChessVariantKind::Checks(all)) => checks
            .split('+')
            .map(|left| all - left.parse::<u8>().expect("a number"))
            .map(|given| given.to_string())
            .collect::<Vec<_>>()
            .join("+"),
        _ => "0+0".to_owned(),
    };
    let placement = placement.replace("[]", "").replace('~', "");
    [format!("{family} {placement} {checks}"), turn, castling, ep]
}

fn same(one: &AnyPosition, other: &AnyPosition, asked: [bool; 3]) -> bool {
    let (one, other) = (fields(one), fields(other));
    one[0] == other[0] && (0..3).all(|field| !asked[field] || one[field + 1] == other[field + 1])
}

/// Whether a game is played by the rules of a position.
fn is_of_its_rules(game: &Known, at: &AnyPosition) -> bool {
    game.stops[0].0.variant().rules == at.variant().rules
}

fn compare(base: &Base, games: &[Known], at: &AnyPosition, asked: [bool; 3], symmetry: Symmetry) {
    for own_rules in [false, true] {
        compare_in(base, games, at, (asked, own_rules), symmetry);
    }
}

fn compare_in(
    base: &Base,
    games: &[Known],
    at: &AnyPosition,
    (asked, own_rules): ([bool; 3], bool),
    symmetry: Symmetry,
) {
    let mut sought = vec![at.clone()];
    if let Some(seen) = at.transformed(symmetry) {
        sought.push(seen);
    }
    let query = PositionQuery {
        symmetries: vec![symmetry],
        ask_turn: asked[0],
        ask_castling: asked[1],
        ask_en_passant: asked[2],
        own_rules,
        ..PositionQuery::of(at.clone())
    };
    let (mut expected, mut others) = (Vec::new(), BTreeMap::new());
    for (game, id) in games.iter().zip(1_u64..) {
        let found = game
            .stops
            .iter()
            .position(|(stop, _)| sought.iter().any(|sought| same(stop, sought, asked)));
        if own_rules && found.is_some() && !is_of_its_rules(game, at) {
            *others.entry(game.stops[0].0.variant().name).or_insert(0) += 1;
        } else if let Some(ply) = found {
            expected.push((id, ply as u32, game.stops[ply].1.clone()));
        }
    }
    let tree =
        search::tree(&base.store, &query, &GameConditions::default(), ENGLISH).expect("a tree");
    let query = AccessPlan {
        position: Some(query),
        ..AccessPlan::default()
    };
    let hits = search::search(&base.store, &query, MoveNotation::default())
        .expect("an answer")
        .hits;
    let found: Vec<_> = hits
        .into_iter()
        .map(|hit| (hit.header.id, hit.ply.expect("a ply"), hit.next_move))
        .collect();
    let elsewhere = search::elsewhere(&base.store, &query).expect("an answer");
    let told = elsewhere.iter().map(|found| (found.variant, found.games));
    let place = at.fen();
    assert_eq!(
        told.collect::<BTreeMap<_, _>>(),
        others,
        "{place} {asked:?}"
    );
    let count = search::count(&base.store, &query).expect("a count");
    assert_eq!(count, expected.len() as u64, "{place} {asked:?}");
    assert_eq!(found, expected, "{place} {asked:?} {symmetry:?}");
    assert_eq!(tree.total.games, expected.len() as u64, "{place}");
    // As it stands, the moves of the tree are those that the games have; where it looks
    // the same in another way, some are added up.
    if sought.len() == 1 || symmetry == Symmetry::None {
        let mut counted: BTreeMap<String, u64> = BTreeMap::new();
        for next in expected.into_iter().filter_map(|(_, _, next)| next) {
            *counted.entry(next).or_default() += 1;
        }
        let mut branches: BTreeMap<String, u64> = BTreeMap::new();
        for branch in tree.moves {
            *branches.entry(branch.san).or_default() += branch.score.games;
        }
        if asked[0] && asked[1] && asked[2] {
            assert_eq!(branches, counted, "{place}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 12 / one_in(3) as u32,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn random_archives_are_answered_as_by_looking_through_them(
        specs in prop::collection::vec((0_usize..64, prop::collection::vec(0_u8..6, 0..60)), 1..30),
        picks in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>()), 20),
    ) {
        let games: Vec<Known> = specs.iter().map(|(variant, choices)| Known::new(*variant, choices)).collect();
        let text: String = games.iter().map(|game| game.text.as_str()).collect();
        let base = Base::new();
        base.import_text(text.as_bytes(), ImportOptions { segment_plies_max: Some(200), ..ImportOptions::default() });
        base.assert_sound();
        for (number, (game, stop)) in picks.iter().enumerate() {
            let (at, _) = stop.get(&game.get(&games).stops);
            let symmetry = [Symmetry::None, Symmetry::Mirror, Symmetry::Flip, Symmetry::Rotate][number % 4];
            for asked in [[true; 3], [true, false, false], [false; 3]] {
                compare(&base, &games, at, asked, symmetry);
            }
        }
    }
}

/// Enough games of few moves that positions are popular: sums and lists answer.
#[test]
fn crowded_openings_are_answered_as_by_looking_through_them() {
    let all = variants().count() as u32;
    let each = 100 / one_in(2) as u32;
    let games: Vec<Known> = (0..each * all)
        .map(|number| {
            let choice = |at: u32| (plydex_mix(number << 4 | at) % 3) as u8;
            let choices: Vec<u8> = (0..number % 7).map(choice).collect();
            Known::new((number / each) as usize, &choices)
        })
        .collect();
    let text: String = games.iter().map(|game| game.text.as_str()).collect();
    let base = Base::of(text.as_bytes());
    base.assert_sound();
    for number in (0..games.len()).step_by(37) {
        let stops = &games[number].stops;
        let (at, _) = &stops[number % stops.len()];
        for asked in [[true; 3], [false; 3]] {
            for symmetry in [Symmetry::None, Symmetry::Mirror] {
                compare_in(&base, &games, at, (asked, number % 2 == 1), symmetry);
            }
        }
    }
}

fn plydex_mix(number: u32) -> u32 {
    let mut x = number.wrapping_mul(0x9e37_79b1) ^ 0x5bd1_e995;
    x ^= x >> 15;
    x.wrapping_mul(0x85eb_ca6b) >> 8
}
