//! What attacks what, told by walking over the squares of a board.

use proptest::{prelude::*, sample::select};

use super::queries::{Part, Scene, area, fixed, is_of};

type Place = (usize, usize);

const STRAIGHT: [(i32, i32); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
const DIAGONAL: [(i32, i32); 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];
const LEAPS: [(i32, i32); 8] = [
    (1, 2),
    (2, 1),
    (2, -1),
    (1, -2),
    (-1, -2),
    (-2, -1),
    (-2, 1),
    (-1, 2),
];

fn step((file, rank): Place, (files, ranks): (i32, i32)) -> Option<Place> {
    let on_board = |at: usize, by: i32| usize::try_from(at as i32 + by).ok().filter(|at| *at < 8);
    Some((on_board(file, files)?, on_board(rank, ranks)?))
}

/// The directions in which a man goes, and whether it goes on.
fn ways(man: char) -> (Vec<(i32, i32)>, bool) {
    let all = [STRAIGHT, DIAGONAL].concat();
    match man.to_ascii_uppercase() {
        'K' => (all, false),
        'Q' => (all, true),
        'R' => (STRAIGHT.to_vec(), true),
        'B' => (DIAGONAL.to_vec(), true),
        'N' => (LEAPS.to_vec(), false),
        _ if man == 'P' => (vec![(-1, 1), (1, 1)], false),
        _ if man == 'p' => (vec![(-1, -1), (1, -1)], false),
        _ => (Vec::new(), false),
    }
}

/// The squares that one on a square attacks.
fn attacked(scene: &Scene, from: Place) -> Vec<Place> {
    let (ways, goes_on) = ways(scene.at(from));
    let mut found = Vec::new();
    for way in ways {
        let mut at = from;
        while let Some(next) = step(at, way) {
            found.push(next);
            at = next;
            if !goes_on || scene.at(at) != '.' {
                break;
            }
        }
    }
    found
}

fn places() -> impl Iterator<Item = Place> {
    (0..64).map(|at| (at % 8, at / 8))
}

/// Whether one that stands there looks through one man at another.
fn pins(scene: &Scene, from: Place, pinned: &str, behind: &str) -> bool {
    let (ways, goes_on) = ways(scene.at(from));
    goes_on
        && ways.into_iter().any(|way| {
            let (mut at, mut met) = (from, Vec::new());
            while let Some(next) = step(at, way) {
                at = next;
                if scene.at(at) != '.' {
                    met.push(scene.at(at));
                }
            }
            matches!(met[..], [one, other, ..] if is_of(pinned, one) && is_of(behind, other))
        })
}

/// Conditions on attacks.
pub(super) fn attacks() -> impl Strategy<Value = Part> {
    let men = || select(vec!["N", "p", "BQ", "r", "A", "a", "k", "Q", "P"]);
    let target = prop_oneof![
        2 => men().prop_map(|men| (men.to_owned(), men.to_owned(), Vec::new())),
        1 => area()
            .prop_filter("squares have digits", |(text, _)| text.contains(|c: char| c.is_ascii_digit()))
            .prop_map(|(text, squares)| (text, String::new(), squares)),
    ];
    let targets = prop::collection::vec(prop::collection::vec(target, 1..3), 1..3);
    let count = prop_oneof![
        2 => Just((String::new(), 1, 64)),
        1 => Just(("=0".to_owned(), 0, 0)),
        1 => Just(("=2..".to_owned(), 2, 64)),
    ];
    prop_oneof![
        3 => (men(), targets, count).prop_map(|(men, targets, (count, least, most))| {
            let texts = targets.iter().map(|any| {
                let names: Vec<&str> = any.iter().map(|(text, ..)| &**text).collect();
                names.join("/")
            });
            let texts: Vec<String> = texts.collect();
            fixed(format!("attacks:{men}:{}{count}", texts.join(",")), move |scene| {
                let those = places().filter(|at| is_of(men, scene.at(*at)));
                let attackers = those.filter(|at| {
                    let seen = attacked(scene, *at);
                    targets.iter().all(|any| any.iter().any(|(_, men, squares)| {
                        seen.iter().any(|at| is_of(men, scene.at(*at)) || squares.contains(at))
                    }))
                });
                (least..=most).contains(&attackers.count())
            })
        }),
        1 => (men(), men(), men()).prop_map(|(men, pinned, behind)| {
            fixed(format!("pins:{men}:{pinned}:{behind}"), move |scene| {
                let mut those = places().filter(|at| is_of(men, scene.at(*at)));
                those.any(|at| pins(scene, at, pinned, behind))
            })
        }),
        1 => (men(), area()).prop_map(|(men, (text, squares))| {
            fixed(format!("only:{men}:{text}"), move |scene| {
                places().all(|at| !is_of(men, scene.at(at)) || squares.contains(&at))
            })
        }),
    ]
}
