//! Areas, ways of looking at them, and sets of squares by their definitions, square by square.

use shakmaty::{Square, attacks};

use super::scene::{Ground, Place, Scene, cased, squares};

/// A way of looking at a board: colours with top and bottom exchanged, left and right exchanged, and
/// moved to the right and up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct View {
    pub(super) flips: bool,
    pub(super) mirrors: bool,
    pub(super) by: (i8, i8),
}

impl View {
    /// A letter as it is seen.
    pub(super) fn letter(self, letter: char) -> char {
        match letter {
            'x' | '_' | '.' => letter,
            letter if !self.flips => letter,
            letter if letter.is_ascii_uppercase() => letter.to_ascii_lowercase(),
            letter => letter.to_ascii_uppercase(),
        }
    }

    /// Letters as they are seen.
    pub(super) fn letters(self, letters: &str) -> String {
        letters.chars().map(|letter| self.letter(letter)).collect()
    }

    /// A side as it is seen.
    pub(super) fn side(self, side: usize) -> usize {
        side ^ usize::from(self.flips)
    }
}

/// An area as it is written. What is not bounded is everywhere, wherever it is moved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Area {
    /// Files and ranks from 0, both ends included.
    Box(Option<(i8, i8)>, Option<(i8, i8)>),
    Light,
    Dark,
    /// Numbers of squares.
    Numbers(i8, i8),
}

impl Area {
    pub(super) fn text(self) -> String {
        let range = |bounds: Option<(i8, i8)>, name: &dyn Fn(i8) -> String| match bounds {
            None => String::new(),
            Some((from, to)) if from == to => name(from),
            Some((from, to)) => format!("{}-{}", name(from), name(to)),
        };
        match self {
            Self::Box(files, ranks) => {
                let file = |file: i8| char::from(b'a' + file as u8).to_string();
                let rank = |rank: i8| (rank + 1).to_string();
                range(files, &file) + &range(ranks, &rank)
            }
            Self::Light => "light".to_owned(),
            Self::Dark => "dark".to_owned(),
            Self::Numbers(from, to) => range(Some((from, to)), &|number| number.to_string()),
        }
    }

    pub(super) fn seen(self, view: View) -> Self {
        let turned = |bounds: Option<(i8, i8)>, turns: bool, by: i8| {
            bounds.map(|(from, to)| {
                let (from, to) = if turns {
                    (7 - to, 7 - from)
                } else {
                    (from, to)
                };
                (from + by, to + by)
            })
        };
        let changes = [
            view.flips,
            view.mirrors,
            (view.by.0 + view.by.1).rem_euclid(2) == 1,
        ];
        let is_other = changes.iter().filter(|is| **is).count() % 2 == 1;
        match self {
            Self::Box(files, ranks) => Self::Box(
                turned(files, view.mirrors, view.by.0),
                turned(ranks, view.flips, view.by.1),
            ),
            Self::Light if is_other => Self::Dark,
            Self::Dark if is_other => Self::Light,
            Self::Numbers(from, to) if view.flips => Self::Numbers(51 - to, 51 - from),
            other => other,
        }
    }

    fn has(self, place: Place) -> bool {
        let within =
            |bounds: Option<(i8, i8)>, at| bounds.is_none_or(|(from, to)| from <= at && at <= to);
        match self {
            Self::Box(files, ranks) => within(files, place.file) && within(ranks, place.rank),
            Self::Light => (place.file + place.rank) % 2 == 1,
            Self::Dark => (place.file + place.rank) % 2 == 0,
            Self::Numbers(from, to) => within(Some((from, to)), place.number),
        }
    }
}

/// The squares of a board that some areas have; all if there are none.
pub(super) fn mask(areas: &[Area], ground: Ground) -> u64 {
    if areas.is_empty() {
        return ground.all();
    }
    areas
        .iter()
        .fold(0, |all, area| all | mask_of(*area, ground))
}

fn mask_of(area: Area, ground: Ground) -> u64 {
    match (ground, area) {
        // What is beside the board is cut off.
        (Ground::Chess, Area::Box(files, ranks)) => {
            let within = |bounds: Option<(i8, i8)>| {
                let (from, to) = bounds.unwrap_or((0, 7));
                from.max(0)..=to.min(7)
            };
            let mut all = 0;
            for rank in within(ranks) {
                for file in within(files) {
                    all |= 1 << (8 * rank + file);
                }
            }
            all
        }
        (Ground::Chess, Area::Light) => shakmaty::Bitboard::LIGHT_SQUARES.into(),
        (Ground::Chess, Area::Dark) => shakmaty::Bitboard::DARK_SQUARES.into(),
        _ => {
            let places = ground.places();
            let inside = |at: &usize| area.has(places[*at]);
            (0..places.len())
                .filter(inside)
                .fold(0, |all, at| all | 1 << at)
        }
    }
}

pub(super) fn areas_text(areas: &[Area]) -> String {
    let texts: Vec<String> = areas.iter().map(|area| area.text()).collect();
    texts.join("/")
}

/// A set of squares that depends on the position.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Set {
    /// Pieces by letters, in areas.
    Men(String, Vec<Area>),
    /// A function by its name, of sets.
    Function(&'static str, Vec<Self>),
    /// The pieces of letters that stand on a set.
    On(String, Box<Self>),
    And(Box<Self>, Box<Self>),
    Without(Box<Self>, Box<Self>),
    Or(Box<Self>, Box<Self>),
}

/// The set of a position.
pub(super) type SetOf = Box<dyn Fn(&Scene) -> u64>;

impl Set {
    pub(super) fn text(&self) -> String {
        match self {
            Self::Men(letters, areas) if areas.is_empty() => letters.clone(),
            Self::Men(letters, areas) => format!("{letters}:{}", areas_text(areas)),
            Self::Function(name, sets) if sets.is_empty() => (*name).to_owned(),
            Self::Function(name, sets) => {
                let sets: Vec<String> = sets.iter().map(Self::text).collect();
                format!("{name}:{}", sets.join(","))
            }
            Self::On(letters, set) => format!("{letters}:{}", set.text()),
            Self::And(one, other) => format!("{}&{}", one.text(), other.text()),
            Self::Without(one, other) => format!("{}&!{}", one.text(), other.text()),
            Self::Or(one, other) => format!("{}|{}", one.text(), other.text()),
        }
    }

    pub(super) fn seen(&self, view: View) -> Self {
        let boxed = |set: &Self| Box::new(set.seen(view));
        match self {
            Self::Men(letters, areas) => Self::Men(
                view.letters(letters),
                areas.iter().map(|area| area.seen(view)).collect(),
            ),
            Self::Function(name, sets) => {
                Self::Function(name, sets.iter().map(|set| set.seen(view)).collect())
            }
            Self::On(letters, set) => Self::On(view.letters(letters), boxed(set)),
            Self::And(one, other) => Self::And(boxed(one), boxed(other)),
            Self::Without(one, other) => Self::Without(boxed(one), boxed(other)),
            Self::Or(one, other) => Self::Or(boxed(one), boxed(other)),
        }
    }

    /// What it is on a board of chess.
    pub(super) fn meaning(&self) -> SetOf {
        let both = |one: &Self, other: &Self| (one.meaning(), other.meaning());
        match self {
            Self::Men(letters, areas) => {
                let (letters, on) = (letters.clone(), mask(areas, Ground::Chess));
                Box::new(move |at| at.any_of(&letters) & on)
            }
            Self::Function(name, sets) => {
                let name = *name;
                let sets: Vec<SetOf> = sets.iter().map(Self::meaning).collect();
                Box::new(move |at| {
                    let sets: Vec<u64> = sets.iter().map(|set| set(at)).collect();
                    function(name, &sets, at)
                })
            }
            Self::On(letters, set) if **set == Self::Function("halfopen", Vec::new()) => {
                let letters = letters.clone();
                Box::new(move |at| {
                    [0, 1].into_iter().fold(0, |all, side| {
                        all | at.any_of(&letters) & at.side(side) & half_open(at, side)
                    })
                })
            }
            Self::On(letters, set) => {
                let (letters, set) = (letters.clone(), set.meaning());
                Box::new(move |at| at.any_of(&letters) & set(at))
            }
            Self::And(one, other) => {
                let (one, other) = both(one, other);
                Box::new(move |at| one(at) & other(at))
            }
            Self::Without(one, other) => {
                let (one, other) = both(one, other);
                Box::new(move |at| one(at) & !other(at))
            }
            Self::Or(one, other) => {
                let (one, other) = both(one, other);
                Box::new(move |at| one(at) | other(at))
            }
        }
    }
}

fn file(at: u32) -> i32 {
    at as i32 % 8
}

fn rank(at: u32) -> i32 {
    at as i32 / 8
}

/// Whether a square is nearer to where pawns of a side promote.
fn is_ahead(side: usize, from: u32, to: u32) -> bool {
    if side == 0 {
        rank(to) > rank(from)
    } else {
        rank(to) < rank(from)
    }
}

fn is_beside(one: u32, other: u32) -> bool {
    (file(one) - file(other)).abs() == 1
}

/// All squares that fit.
fn those(fits: impl Fn(u32) -> bool) -> u64 {
    (0..64)
        .filter(|at| fits(*at))
        .fold(0, |all, at| all | 1 << at)
}

/// The squares of a set that fit.
fn of_set(set: u64, fits: impl Fn(u32) -> bool) -> u64 {
    squares(set)
        .filter(|at| fits(*at))
        .fold(0, |all, at| all | 1 << at)
}

/// The squares that are so of some square of a set.
fn near(set: u64, is_so: impl Fn(u32, u32) -> bool) -> u64 {
    those(|at| squares(set).any(|own| is_so(own, at)))
}

fn half_open(at: &Scene, side: usize) -> u64 {
    let has = |side: usize, file_of: i32| squares(at.own('P', side)).any(|p| file(p) == file_of);
    those(|square| !has(side, file(square)) && has(side ^ 1, file(square)))
}

/// The pawns of a set of either side that fit, with their own and the enemy's pawns.
fn pawns(at: &Scene, set: u64, fits: impl Fn(u32, usize, &[u32], &[u32]) -> bool) -> u64 {
    [0, 1].into_iter().fold(0, |all, side| {
        let own: Vec<u32> = squares(at.own('P', side)).collect();
        let enemy: Vec<u32> = squares(at.own('P', side ^ 1)).collect();
        let pawns = set & at.own('P', side);
        all | of_set(pawns, |pawn| fits(pawn, side, &own, &enemy))
    })
}

/// The pieces of a set of either side that fit.
fn pieces(at: &Scene, set: u64, fits: impl Fn(u32, usize) -> bool) -> u64 {
    [0, 1].into_iter().fold(0, |all, side| {
        all | of_set(set & at.side(side), |piece| fits(piece, side))
    })
}

/// The square in front.
fn stop(side: usize, from: u32) -> Option<u32> {
    let to = if side == 0 {
        from + 8
    } else {
        from.checked_sub(8)?
    };
    (to < 64).then_some(to)
}

fn is_pawn_attack(at: &Scene, from: u32, to: u32) -> bool {
    at.seen[from as usize] >> to & 1 == 1
}

fn is_hanging(pawn: u32, own: &[u32], enemy: &[u32]) -> bool {
    let on = |those: &[u32], file_of: i32| -> Vec<u32> {
        let those = those.iter().copied();
        those.filter(|p| file(*p) == file_of).collect()
    };
    [file(pawn) - 1, file(pawn)].into_iter().any(|left| {
        let pair = [on(own, left), on(own, left + 1)].concat();
        on(own, left).len() == 1
            && on(own, left + 1).len() == 1
            && on(own, left - 1).is_empty()
            && on(own, left + 2).is_empty()
            && on(enemy, left).is_empty()
            && on(enemy, left + 1).is_empty()
            && (rank(pair[0]) - rank(pair[1])).abs() <= 1
    })
}

/// A piece without which an enemy slider would reach its king.
fn is_pinned(at: &Scene, piece: u32, side: usize) -> bool {
    let king = at.own('K', side);
    let without = at.of('x') & !(1 << piece);
    king.is_power_of_two()
        && king != 1 << piece
        && ['R', 'B', 'Q'].into_iter().any(|kind| {
            squares(at.own(kind, side ^ 1)).any(|by| {
                let (from, occupied) = (Square::new(by), without.into());
                let reached = match kind {
                    'R' => attacks::rook_attacks(from, occupied),
                    'B' => attacks::bishop_attacks(from, occupied),
                    _ => attacks::queen_attacks(from, occupied),
                };
                let between = attacks::between(from, Square::new(king.trailing_zeros()));
                u64::from(reached) & king != 0 && u64::from(between) >> piece & 1 == 1
            })
        })
}

/// Whether a line from a square meets one square of each set in turn, and no other piece.
fn meets(at: &Scene, from: u32, way: (i32, i32), sets: &[u64]) -> bool {
    let occupied = at.of('x');
    let (mut next, mut left) = ((file(from), rank(from)), sets);
    while let Some((wanted, rest)) = left.split_first() {
        next = (next.0 + way.0, next.1 + way.1);
        if !(0..8).contains(&next.0) || !(0..8).contains(&next.1) {
            return false;
        }
        let square = next.1 * 8 + next.0;
        if wanted >> square & 1 == 1 {
            left = rest;
        } else if occupied >> square & 1 == 1 {
            return false;
        }
    }
    true
}

fn ray(at: &Scene, sets: &[u64]) -> u64 {
    let ways = [-1, 0, 1].into_iter();
    let ways = ways.flat_map(|x| [-1, 0, 1].map(|y| (x, y)));
    let ways: Vec<(i32, i32)> = ways.filter(|way| *way != (0, 0)).collect();
    let (rooks, bishops) = (at.any_of("Rr"), at.any_of("Bb"));
    of_set(sets[0], |from| {
        let goes = |way: &(i32, i32)| {
            let is_diagonal = way.0 != 0 && way.1 != 0;
            let cannot = if is_diagonal { rooks } else { bishops };
            cannot >> from & 1 == 0
        };
        let mut ways = ways.iter().filter(|way| goes(way));
        ways.any(|way| meets(at, from, *way, &sets[1..]))
    })
}

/// The squares of a function.
fn function(name: &str, sets: &[u64], at: &Scene) -> u64 {
    let set = sets.first().copied().unwrap_or(0);
    let least = name.trim_start_matches(char::is_alphabetic);
    let least: usize = least.parse().unwrap_or(1);
    let is_attacked = |square: u32, side: usize| at.attackers(square, at.side(side)) > 0;
    match name.trim_end_matches(char::is_numeric) {
        "passed" => pawns(at, set, |pawn, side, _, enemy| {
            !enemy
                .iter()
                .any(|other| (file(pawn) - file(*other)).abs() <= 1 && is_ahead(side, pawn, *other))
        }),
        "isolated" => pawns(at, set, |pawn, _, own, _| {
            !own.iter().any(|other| is_beside(pawn, *other))
        }),
        "doubled" => pawns(at, set, |pawn, _, own, _| {
            own.iter()
                .any(|other| file(pawn) == file(*other) && pawn != *other)
        }),
        "connected" => pawns(at, set, |pawn, _, own, _| {
            own.iter()
                .any(|other| is_beside(pawn, *other) && (rank(pawn) - rank(*other)).abs() <= 1)
        }),
        "backward" => pawns(at, set, |pawn, side, own, enemy| {
            let beside: Vec<&u32> = own
                .iter()
                .filter(|other| is_beside(pawn, **other))
                .collect();
            let stop = stop(side, pawn);
            !beside.is_empty()
                && beside.iter().all(|other| is_ahead(side, pawn, **other))
                && stop
                    .is_some_and(|stop| enemy.iter().any(|other| is_pawn_attack(at, *other, stop)))
        }),
        "hanging" => pawns(at, set, |pawn, _, own, enemy| is_hanging(pawn, own, enemy)),
        "chain" => pawns(at, set, |pawn, _, own, _| {
            own.iter()
                .any(|other| is_pawn_attack(at, pawn, *other) || is_pawn_attack(at, *other, pawn))
        }),
        "outpost" => pieces(at, set, |piece, side| {
            let from_home = if side == 0 {
                rank(piece)
            } else {
                7 - rank(piece)
            };
            let comes = |other: u32| is_beside(piece, other) && is_ahead(side, piece, other);
            matches!(from_home, 4 | 5)
                && at.attackers(piece, at.own('P', side)) > 0
                && !squares(at.own('P', side ^ 1)).any(comes)
        }),
        "defended" => pieces(at, set, is_attacked),
        "undefended" => pieces(at, set, |piece, side| !is_attacked(piece, side)),
        "loose" => pieces(at, set, |piece, side| {
            at.of(cased('K', side)) >> piece & 1 == 0
                && is_attacked(piece, side ^ 1)
                && !is_attacked(piece, side)
        }),
        "pinned" => pieces(at, set, |piece, side| is_pinned(at, piece, side)),
        "open" => those(|square| !squares(at.any_of("Pp")).any(|p| file(p) == file(square))),
        "beside" => near(set, |own, to| {
            is_beside(own, to) && (rank(own) - rank(to)).abs() <= 1
        }),
        "stop" => [0, 1].into_iter().fold(0, |all, side| {
            let stops = squares(set & at.side(side)).filter_map(|from| stop(side, from));
            stops.fold(all, |all, to| all | 1 << to)
        }),
        "front" => [0, 1].into_iter().fold(0, |all, side| {
            all | near(set & at.side(side), |own, to| {
                file(own) == file(to) && is_ahead(side, own, to)
            })
        }),
        "files" => near(set, |own, to| file(own) == file(to)),
        "ranks" => near(set, |own, to| rank(own) == rank(to)),
        "around" => zone(set) & !set,
        "zone" => zone(set),
        "attacked" => those(|square| at.attackers(square, set) >= least),
        "attackers" => of_set(at.of('x'), |from| {
            (at.seen[from as usize] & set).count_ones() as usize >= least
        }),
        "ray" => ray(at, sets),
        "between" => squares(set).fold(0, |all, one| {
            squares(sets[1]).fold(all, |all, other| {
                all | u64::from(attacks::between(Square::new(one), Square::new(other)))
            })
        }),
        "lastfrom" => at.last.map_or(0, |last| last.from),
        "lastto" => at.last.map_or(0, |last| last.to),
        other => panic!("no function is called {other}"),
    }
}

/// Squares next to some, these included.
fn zone(set: u64) -> u64 {
    near(set, |own, to| {
        (file(own) - file(to))
            .abs()
            .max((rank(own) - rank(to)).abs())
            <= 1
    })
}
