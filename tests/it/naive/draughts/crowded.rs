//! Archives made so that the index takes each of its ways: positions that are
//! listed, structures that are crowded, captures that share a code.

use std::collections::BTreeSet;

use super::{
    MASKS, WAYS, asked, base_of, compare, compare_around, compare_filters, filters,
    game::{Branch, Known, Spec},
    oracle, with_near_misses, write,
};
use {
    crate::support::Base,
    plydex::{
        games::{
            Budget,
            draughts::{
                Draughts,
                replay::{code, structure},
                rows::ALL,
                rules::{
                    DraughtsBoard, DraughtsMove, DraughtsPiece, DraughtsPosition, key, moves,
                    must_capture,
                },
            },
            symmetry::Symmetry,
        },
        index::{SUMMED_GAMES_MIN, posting::Section},
    },
};

/// Numbers by chance, the same each time.
struct Dice(u64);

impl Dice {
    fn below(&mut self, below: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % below
    }
}

fn spec(variant: usize, dice: &mut Dice) -> Spec {
    Spec {
        variant,
        start: 0,
        drawn: None,
        choices: Vec::new(),
        branches: Vec::new(),
        setup: None,
        illegal: false,
        result: dice.below(7) as usize,
        elos: [0, 1].map(|_| 1800 + dice.below(10) as u16),
        year: 1990 + dice.below(5) as u16,
        names: [dice.below(4) as usize, dice.below(3) as usize],
    }
}

/// Games of all variants of a board. Half of them are endings, in which kings roam
/// and the structure stays: so it is crowded, and most positions are rare.
fn archive(board: DraughtsBoard, games: u64, dice: &mut Dice) -> Vec<Known> {
    let of_board: Vec<usize> = (0..ALL.len())
        .filter(|&at| ALL[at].rules.board == board)
        .collect();
    // One in which nothing is taken at once, whoever plays on: Kings alone of
    // White, so that the structure stays.
    let quiet = |&number: &u8| {
        let mut position = write::ending(board, number);
        of_board.iter().all(|&at| {
            [0, 1].into_iter().all(|turn| {
                position.set_turn(turn);
                !must_capture(&position, &ALL[at].rules)
            })
        })
    };
    let ending = (1..=85)
        .map(|third| third * 3)
        .find(quiet)
        .expect("an ending");
    let one = |number: u64, dice: &mut Dice| {
        let variant = of_board[number as usize / 2 % of_board.len()];
        let is_ending = number.is_multiple_of(2);
        let plies = if is_ending { 6 } else { dice.below(8) };
        let mut all = |count: u64, below| (0..count).map(|_| dice.below(below) as u8).collect();
        let choices: Vec<u8> = all(plies, if is_ending { 200 } else { 3 });
        let branches = match number % 20 {
            0 => vec![Branch {
                at: 1,
                choices: all(2, 5),
                inner: None,
            }],
            _ => vec![],
        };
        Known::new(Spec {
            start: if is_ending { ending } else { 0 },
            choices,
            branches,
            ..spec(variant, dice)
        })
    };
    (0..games).map(|number| one(number, dice)).collect()
}

/// Where the index has a position.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Path {
    /// Listed, in one or in several variants.
    Hot(bool),
    /// Filed by its own key.
    Crowded,
    /// To be found by replay.
    Replay,
}

fn path_of(base: &Base, board: DraughtsBoard, position: &DraughtsPosition) -> Path {
    let store = &base.store;
    let segment = store.segments().expect("segments")[0];
    let states = store
        .popular(&segment, key::of(position, board), 0)
        .expect("states");
    let structure = structure(position, board).key();
    let games = store
        .all_postings(&segment, Section::Structures, structure)
        .expect("postings");
    if !states.is_empty() {
        Path::Hot(states.len() > 1)
    } else if games.len() > segment.thresholds.replays_max {
        Path::Crowded
    } else {
        Path::Replay
    }
}

#[test]
fn crowded_boards_are_answered_as_by_looking_through_them() {
    let mut dice = Dice(0x2545_f491_4f6c_dd1d);
    for board in DraughtsBoard::ALL {
        let games = archive(board, 1200, &mut dice);
        let base = base_of(&games, 2, None, &[]);
        compare_filters(&base, &games);
        let mut paths = BTreeSet::new();
        let filters = filters();
        for pick in 0..60 {
            let game = &games[pick * 19 % games.len()];
            let stop = &game.line[pick % game.line.len()];
            let path = path_of(&base, board, &stop.position);
            // A few of each way.
            if !paths.insert(path) && pick % 6 > 0 {
                continue;
            }
            if pick % 12 == 0 {
                compare_around(&base, &games, game, stop, pick);
                continue;
            }
            for (number, at) in with_near_misses(game, stop).into_iter().enumerate() {
                let mask = MASKS[(pick + number) % MASKS.len()];
                let filter = &filters[if number % 3 == 0 {
                    pick % filters.len()
                } else {
                    0
                }];
                let ways = WAYS[number % WAYS.len()];
                compare(&base, &games, asked(at, mask, ways), filter);
            }
        }
        let is_shared = ALL
            .iter()
            .filter(|variant| variant.rules.board == board)
            .count()
            > 1;
        let mut all = BTreeSet::from([Path::Hot(false), Path::Crowded]);
        if is_shared {
            all.insert(Path::Hot(true));
        }
        assert!(paths.is_superset(&all), "{board:?}: {paths:?}");
    }
}

/// Captures of one position that are equal in from, to and code, if chance
/// brings such a position about.
fn alike(variant: usize, dice: &mut Dice) -> Option<(DraughtsPosition, Vec<DraughtsMove>)> {
    let rules = &ALL[variant].rules;
    let board = rules.board;
    let mut cell = || board.cell_at(dice.below(u64::from(board.square_count())) as u8);
    let mut position = DraughtsPosition::empty(0);
    for number in 0..12 {
        let piece = DraughtsPiece {
            side: u8::from(number > 0),
            king: number == 0,
        };
        position.put(cell()?, piece);
    }
    let all = moves(&position, rules, Budget::default()).ok()?;
    let first = all.iter().find(|one| {
        all.iter().any(|two| {
            one.captured < two.captured && code::of_move(board, one) == code::of_move(board, two)
        })
    })?;
    let wanted = code::of_move(board, first);
    let alike = all.iter().filter(|m| code::of_move(board, m) == wanted);
    Some((position, alike.copied().collect()))
}

/// The code of a ply tells captures apart nearly always; where it does not, the
/// games are asked themselves.
#[test]
fn captures_that_share_a_code_are_counted_apart() {
    let mut dice = Dice(7);
    for name in ["international", "russian", "turkish", "canadian"] {
        let variant = ALL
            .iter()
            .position(|row| row.name == name)
            .expect("a variant");
        let (position, alike) = (0..200_000)
            .find_map(|_| alike(variant, &mut dice))
            .expect("kings can go many ways");
        // Once so few that they are found by replay, once with sums on record.
        for count in [3, SUMMED_GAMES_MIN + 40] {
            let games: Vec<Known> = (0..count)
                .filter_map(|number| {
                    let played = &alike[number % alike.len()];
                    let spec = Spec {
                        result: 0,
                        ..spec(variant, &mut dice)
                    };
                    Known::of_one_move(spec, &position, played)
                })
                .collect();
            assert_eq!(games.len(), count, "{name}");
            let base = base_of(&games, 1, None, &[]);
            let at = Draughts {
                position,
                ..Draughts::start(&ALL[variant])
            };
            for (number, &mask) in MASKS.iter().enumerate() {
                let ways = WAYS[number % WAYS.len()];
                compare(&base, &games, asked(at, mask, ways), &filters()[0]);
            }
            let turned = oracle::seen(ALL[variant].rules.board, &position, Symmetry::Rotate);
            let turned = Draughts {
                position: turned,
                ..at
            };
            compare(
                &base,
                &games,
                asked(turned, MASKS[0], WAYS[1]),
                &filters()[0],
            );
        }
    }
}
