//! Random queries.

use super::expression::{Cond, RandomQuery, Step, Views};
use super::facts::{self, Fact, Scope};
use super::scene::{Game, Ground};
use super::sets::{Area, Set};
use super::terms::{ANY, MoveTerm, Numbers, Target, Term};

/// In how many ways a query looks at the board at most: the program has a limit, and time as well.
const WAYS_MAX: usize = 120;

/// What makes random queries about one board.
pub(super) struct Maker<'r> {
    pub(super) random: &'r mut fastrand::Rng,
    pub(super) scope: Scope<'r>,
    pub(super) ground: Ground,
    /// Nothing is asked of positions and moves.
    pub(super) is_of_facts: bool,
}

impl Maker<'_> {
    fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        from[self.random.usize(..from.len())].clone()
    }

    fn one_in(&mut self, many: u32) -> bool {
        self.random.u32(..many) == 0
    }

    fn some<T>(&mut self, most: usize, mut make: impl FnMut(&mut Self) -> T) -> Vec<T> {
        (0..self.random.usize(1..=most))
            .map(|_| make(self))
            .collect()
    }

    fn area(&mut self) -> Area {
        let pair = |maker: &mut Self| {
            let (one, other) = (maker.random.i8(0..8), maker.random.i8(0..8));
            (one.min(other), one.max(other))
        };
        if self.ground == Ground::International {
            let (one, other) = (self.random.i8(1..51), self.random.i8(1..51));
            let to = if self.random.bool() {
                one
            } else {
                one.max(other)
            };
            return Area::Numbers(one.min(to), to);
        }
        let (file, rank) = (self.random.i8(0..8), self.random.i8(0..8));
        match self.random.u8(..11) {
            // On half of a board only its dark squares have names.
            0..4 if self.ground == Ground::Russian => {
                let file = file - (file + rank) % 2;
                let file = if file < 0 { file + 2 } else { file };
                Area::Box(Some((file, file)), Some((rank, rank)))
            }
            0..4 => Area::Box(Some((file, file)), Some((rank, rank))),
            4 | 5 => Area::Box(Some((file, file)), None),
            6 | 7 => Area::Box(None, Some((rank, rank))),
            8 if self.ground == Ground::Chess => self.pick(&[Area::Light, Area::Dark]),
            _ => Area::Box(Some(pair(self)), Some(pair(self))),
        }
    }

    fn areas(&mut self) -> Vec<Area> {
        let mut areas = self.some(2, Self::area);
        // A shade stands alone.
        if areas
            .iter()
            .any(|area| matches!(area, Area::Light | Area::Dark))
        {
            areas.truncate(1);
        }
        areas
    }

    fn count(&mut self, most: i64) -> Numbers {
        match self.random.u8(..6) {
            0..3 => (1, ANY),
            3 => {
                let number = self.random.i64(0..most);
                (number, number)
            }
            4 => (self.random.i64(1..=most), ANY),
            _ => (0, self.random.i64(0..most)),
        }
    }

    fn numbers(&mut self, from: i64, to: i64) -> Numbers {
        let (one, other) = (self.random.i64(from..=to), self.random.i64(from..=to));
        match self.random.u8(..4) {
            0 => (one.min(other), ANY),
            1 => (from.min(0), one.max(other)),
            _ => (one.min(other), one.max(other)),
        }
    }

    fn letters(&mut self) -> String {
        let letters: Vec<char> = "KQRBNPPkqrbnppAax".chars().collect();
        let rows = ["QR", "bn", "BN", "RQBN", "qr"];
        if self.one_in(5) {
            return self.pick(&rows).to_owned();
        }
        self.pick(&letters).to_string()
    }

    fn pieces(&mut self) -> String {
        let kinds: Vec<char> = "QRBNPP".chars().collect();
        let count = self.random.usize(..3);
        (0..count).map(|_| self.pick(&kinds)).collect()
    }

    fn sides(&mut self, kings: bool) -> [String; 2] {
        let king = if kings { "K" } else { "" };
        let both = [(); 2].map(|()| format!("{king}{}", self.pieces()));
        if both.iter().all(String::is_empty) {
            ["R".to_owned(), "B".to_owned()]
        } else {
            both
        }
    }

    /// A set whose text may stand within another.
    fn prime(&mut self, depth: usize) -> Set {
        const OF_PAWNS: [&str; 7] = [
            "passed",
            "isolated",
            "doubled",
            "connected",
            "backward",
            "hanging",
            "chain",
        ];
        const OF_PIECES: [&str; 5] = ["outpost", "defended", "undefended", "loose", "pinned"];
        const MAPS: [&str; 12] = [
            "beside",
            "stop",
            "front",
            "files",
            "ranks",
            "around",
            "zone",
            "attacked",
            "attacked2",
            "attacked3",
            "attackers",
            "attackers2",
        ];
        if depth == 0 || self.one_in(6) {
            let letters = self.letters();
            let areas = if self.one_in(3) {
                self.areas()
            } else {
                Vec::new()
            };
            return Set::Men(letters, areas);
        }
        let pawns = || ["P", "p", "Pp"];
        match self.random.u8(..12) {
            0..4 => {
                let areas = if self.one_in(3) {
                    self.areas()
                } else {
                    Vec::new()
                };
                let inner = if depth > 1 && self.one_in(4) {
                    self.prime(depth - 1)
                } else {
                    Set::Men(self.pick(&pawns()).to_owned(), areas)
                };
                Set::Function(self.pick(&OF_PAWNS), vec![inner])
            }
            4 | 5 => Set::Function(self.pick(&OF_PIECES), vec![self.prime(depth - 1)]),
            6..8 => Set::Function(self.pick(&MAPS), vec![self.prime(depth - 1)]),
            8 => {
                let sets =
                    (0..self.random.usize(2..4)).map(|_| Set::Men(self.letters(), Vec::new()));
                Set::Function("ray", sets.collect())
            }
            9 => {
                let sets = [(); 2].map(|()| Set::Men(self.letters(), Vec::new()));
                Set::Function("between", sets.to_vec())
            }
            _ => {
                let names = ["open", "halfopen", "lastfrom", "lastto", "open"];
                let inner = Set::Function(self.pick(&names), Vec::new());
                Set::On(self.letters(), Box::new(inner))
            }
        }
    }

    fn set(&mut self) -> Set {
        let on = |maker: &mut Self| {
            let set = maker.prime(2);
            let is_map = matches!(set, Set::Function(..));
            if is_map && maker.one_in(3) {
                let letters = if maker.one_in(3) {
                    maker.pick(&["_", "."]).to_owned()
                } else {
                    maker.letters()
                };
                Set::On(letters, Box::new(set))
            } else {
                set
            }
        };
        let function = |maker: &mut Self| loop {
            let set = on(maker);
            if !matches!(set, Set::Men(..)) {
                return set;
            }
        };
        let first = function(self);
        match self.random.u8(..6) {
            0 => Set::And(Box::new(first), Box::new(on(self))),
            1 => Set::Without(Box::new(first), Box::new(on(self))),
            2 => Set::Or(Box::new(first), Box::new(on(self))),
            _ => first,
        }
    }

    fn move_term(&mut self) -> MoveTerm {
        let kinds: Vec<char> = "KQRBNP".chars().collect();
        let kind = self.pick(&kinds);
        match self.random.u8(..12) {
            0 | 1 => {
                let at = (self.random.i8(0..8), self.random.i8(0..8));
                let takes = kind != 'P' && self.one_in(3);
                MoveTerm::Written(
                    kind,
                    takes,
                    Area::Box(Some((at.0, at.0)), Some((at.1, at.1))),
                )
            }
            2 | 3 => MoveTerm::Moved(
                self.pick(&["K", "Q", "R", "B", "N", "P", "BN", "QR"])
                    .to_owned(),
            ),
            4 => MoveTerm::Captured(self.pick(&["Q", "R", "B", "N", "P", "BN"]).to_owned()),
            5 => MoveTerm::Promotes(self.pick(&['Q', 'N', 'R'])),
            6 => MoveTerm::From(self.areas()),
            7 => MoveTerm::To(self.areas()),
            8 => MoveTerm::Castles(self.pick(&[None, Some(true), Some(false)])),
            9 => self.pick(&[MoveTerm::InPassing, MoveTerm::Capture, MoveTerm::Quiet]),
            10 => MoveTerm::Capture,
            _ => MoveTerm::Jumps(self.pick(&[(0, 0), (1, ANY), (0, 1)])),
        }
    }

    fn target(&mut self) -> Target {
        if self.one_in(3) {
            let (file, rank) = (self.random.i8(0..8), self.random.i8(0..8));
            let area = match self.random.u8(..3) {
                0 => Area::Box(None, Some((rank, rank))),
                1 => Area::Box(Some((0, file)), Some((rank, rank))),
                _ => Area::Box(Some((file, file)), Some((rank, rank))),
            };
            return Target::On(area);
        }
        Target::Men(
            self.pick(&["N", "p", "BQ", "r", "A", "a", "k", "Q", "P"])
                .to_owned(),
        )
    }

    fn chess_term(&mut self) -> Term {
        let men = ["N", "p", "BQ", "r", "A", "a", "k", "Q", "P"];
        match self.random.u8(..40) {
            0..6 => {
                let letters = if self.one_in(8) {
                    "_".to_owned()
                } else {
                    self.letters()
                };
                let on = self.some(2, Self::areas);
                let most = if on.iter().flatten().count() > 1 {
                    3
                } else {
                    2
                };
                Term::Men(letters, on, self.count(most))
            }
            6 => Term::Men(self.letters(), Vec::new(), self.count(4)),
            7 => {
                let letters = ["QR", "BN", "qrbn", "P", "p", "RBN", "x"];
                Term::AsMany(
                    self.pick(&letters).to_owned(),
                    self.pick(&letters).to_owned(),
                )
            }
            8 | 9 => {
                let targets = self.some(2, |maker| maker.some(2, Self::target));
                Term::Attacks(self.pick(&men).to_owned(), targets, self.count(2))
            }
            10 => Term::Pins([(); 3].map(|()| self.pick(&men).to_owned())),
            11 => Term::Only(self.pick(&men).to_owned(), self.areas()),
            12..19 => Term::Set(self.set(), self.count(3)),
            19 => {
                let more = self.pick(&[(0, 0), (1, 1), (1, ANY), (0, 2)]);
                Term::More(self.set(), Set::Men(self.letters(), Vec::new()), more)
            }
            20 => Term::Material(self.sides(true), self.one_in(2), self.one_in(2)),
            21 => Term::Imbalance(self.sides(false), self.one_in(2)),
            22 => {
                let endings = ["", "R", "B", "N", "RR", "Q", "BN", "QB"];
                Term::Ending([self.pick(&endings), self.pick(&endings)])
            }
            23 => {
                let side = self.pick(&[None, Some(0), Some(1)]);
                let (from, to) = if side.is_some() { (0, 40) } else { (-12, 12) };
                let mut numbers = self.numbers(from, to);
                if side.is_none() && self.one_in(2) {
                    numbers.0 = i64::MIN;
                }
                Term::Value(side, numbers)
            }
            24 => Term::Pair(self.random.usize(..2), self.one_in(2)),
            25 => self.pick(&[
                Term::OppositeBishops,
                Term::Smothered,
                Term::Mate,
                Term::Stalemate,
            ]),
            26 => self.pick(&[Term::Double, Term::Discovered, Term::Check]),
            27..31 => Term::Move(self.move_term()),
            31 | 32 => Term::Last(self.move_term()),
            33 => match self.random.u8(..3) {
                0 => Term::Clock(self.numbers(0, 100)),
                1 => Term::Eval(self.numbers(-60, 60)),
                _ => Term::Loss(self.numbers(-60, 60)),
            },
            34 => {
                let games: Vec<&Game> = self
                    .scope
                    .games
                    .iter()
                    .filter(|game| game.is_chess())
                    .collect();
                let positions = &self.pick(&games).lines[0].positions;
                let at = &positions[self.random.usize(..positions.len().min(16))];
                let fen = super::corpus::fen(at);
                let fields: Vec<&str> = fen.split(' ').take(2).collect();
                Term::Position(fields.join(" "))
            }
            _ => self.plain_term(),
        }
    }

    /// Conditions of every game.
    fn plain_term(&mut self) -> Term {
        match self.random.u8(..5) {
            0 => Term::Turn(self.random.usize(..2)),
            1 => Term::End,
            2 => Term::Pieces(self.numbers(2, 32)),
            _ => Term::Ply(self.numbers(0, 50)),
        }
    }

    fn draughts_term(&mut self) -> Term {
        let count = |maker: &mut Self| maker.numbers(0, 20);
        match self.random.u8(..8) {
            0..3 => {
                let letter = self
                    .pick(&["M", "m", "K", "k", "A", "a", "x", "_"])
                    .to_owned();
                Term::Men(letter, self.some(2, Self::areas), self.count(4))
            }
            3 | 4 => Term::Counts(self.one_in(3), [count(self), count(self)]),
            5 => Term::Move(MoveTerm::Jumps(self.numbers(0, 3))),
            6 => Term::Last(MoveTerm::Jumps(self.numbers(0, 3))),
            _ => self.plain_term(),
        }
    }

    fn cond(&mut self, depth: usize) -> Cond {
        if depth == 0 || self.one_in(2) {
            return Cond::term(match self.ground {
                Ground::Chess => self.chess_term(),
                _ => self.draughts_term(),
            });
        }
        match self.random.u8(..7) {
            0..3 => Cond::And(self.two_or_three(|maker| maker.cond(depth - 1))),
            3 | 4 => Cond::Or(self.two_or_three(|maker| maker.cond(depth - 1))),
            5 => Cond::Not(Box::new(self.cond(depth - 1))),
            _ => {
                let inner = self.cond(depth - 1);
                match self.views(&[&inner], inner.is_shifted()) {
                    views if views == Views::default() => inner,
                    views => Cond::Seen(views, Box::new(inner)),
                }
            }
        }
    }

    fn two_or_three<T>(&mut self, mut make: impl FnMut(&mut Self) -> T) -> Vec<T> {
        (0..self.random.usize(2..4)).map(|_| make(self)).collect()
    }

    /// Ways of looking at conditions that have them.
    fn views(&mut self, all: &[&Cond], has_shift: bool) -> Views {
        let each = |is_such: &dyn Fn(&Term) -> bool| all.iter().all(|one| one.all_terms(is_such));
        if !each(&Term::may_be_seen) {
            return Views::default();
        }
        let may_be_turned = each(&Term::may_be_turned);
        let is_chess = self.ground == Ground::Chess;
        let mut views = Views {
            either: self.one_in(2),
            rotate: !is_chess && self.one_in(2),
            ..Views::default()
        };
        if may_be_turned && is_chess {
            views.mirror = self.one_in(3);
            views.rotate = self.one_in(4);
            if !has_shift {
                views.shift_x = self.one_in(6);
                views.shift_y = self.one_in(16);
            }
        }
        views
    }

    fn step(&mut self, depth: usize) -> Step {
        let holds = self.cond(depth);
        let views = if self.one_in(4) {
            self.views(&[&holds], holds.is_shifted())
        } else {
            Views::default()
        };
        let (times, stride) = if self.one_in(5) {
            (self.random.usize(2..4), self.random.usize(1..3))
        } else {
            (1, 1)
        };
        Step {
            views,
            holds,
            times,
            stride,
            within: self.random.usize(..5),
        }
    }

    fn sequence(&mut self) -> RandomQuery {
        let steps = if self.one_in(4) {
            self.random.usize(2..4)
        } else {
            1
        };
        let depth = if steps == 1 { 2 } else { 1 };
        RandomQuery::Sequence((0..steps).map(|_| self.step(depth)).collect())
    }

    fn asked(&mut self, depth: usize) -> RandomQuery {
        if depth == 0 || self.one_in(2) {
            return if self.is_of_facts || self.one_in(3) {
                RandomQuery::Game(facts::random(self.random, self.scope))
            } else {
                self.sequence()
            };
        }
        match self.random.u8(..6) {
            0 | 1 => RandomQuery::And(self.two_or_three(|maker| maker.asked(depth - 1))),
            2 | 3 => RandomQuery::Or(self.two_or_three(|maker| maker.asked(depth - 1))),
            4 => RandomQuery::Not(Box::new(self.asked(depth - 1))),
            _ => {
                let inner = self.asked(depth - 1);
                let conds = inner.conds();
                match self.views(&conds, inner.is_shifted()) {
                    views if views == Views::default() || conds.is_empty() => inner,
                    views => RandomQuery::Seen(views, Box::new(inner)),
                }
            }
        }
    }

    /// A query that does not look at the board in too many ways.
    pub(super) fn query(&mut self) -> RandomQuery {
        loop {
            let asked = self.any_query();
            if asked.ways() <= WAYS_MAX {
                return asked;
            }
        }
    }

    /// A query: most have conditions on games that options can have.
    fn any_query(&mut self) -> RandomQuery {
        let mut all = Vec::new();
        match self.ground {
            Ground::Chess => {}
            Ground::Russian => all.push(RandomQuery::Game(Fact::of_variant("russian"))),
            Ground::International => all.push(RandomQuery::Game(Fact::of_variant("international"))),
        }
        for _ in 0..self.pick(&[0, 1, 1, 1, 2, 2]) {
            all.push(RandomQuery::Game(facts::random(self.random, self.scope)));
        }
        if all.is_empty() || !self.one_in(5) {
            all.push(self.asked(2));
        }
        RandomQuery::And(all)
    }
}
