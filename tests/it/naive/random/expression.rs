//! Queries as the definition of the language has them, and the plies and games that they find: all
//! plies of all lines, without an index and without columns.

use super::facts::Fact;
use super::scene::{Game, Ground, Line};
use super::sets::View;
use super::terms::{Holds, Term};

/// The words for other ways of looking at a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a word of the language"
)]
pub(super) struct Views {
    pub(super) either: bool,
    pub(super) mirror: bool,
    pub(super) rotate: bool,
    pub(super) shift_x: bool,
    pub(super) shift_y: bool,
}

/// A condition of one ply.
#[derive(Debug, Clone)]
pub(super) enum Cond {
    And(Vec<Self>),
    Or(Vec<Self>),
    Not(Box<Self>),
    Seen(Views, Box<Self>),
    /// A condition as it is seen and as it was written.
    Term(Term, Term),
}

/// A step of a sequence.
#[derive(Debug, Clone)]
pub(super) struct Step {
    pub(super) views: Views,
    pub(super) holds: Cond,
    pub(super) times: usize,
    pub(super) stride: usize,
    /// How many plies after the one before it begins at most; 0 is any number.
    pub(super) within: usize,
}

/// A query.
#[derive(Debug, Clone)]
pub(super) enum RandomQuery {
    And(Vec<Self>),
    Or(Vec<Self>),
    Not(Box<Self>),
    Seen(Views, Box<Self>),
    Sequence(Vec<Step>),
    Game(Fact),
}

impl Views {
    fn text(self) -> String {
        let words = [
            (self.either, "either "),
            (self.mirror, "mirror "),
            (self.rotate, "rotate "),
            (self.shift_x && self.shift_y, "shift "),
            (self.shift_x && !self.shift_y, "shiftx "),
            (self.shift_y && !self.shift_x, "shifty "),
        ];
        let words = words.into_iter().filter(|(is, _)| *is);
        words.map(|(_, word)| word).collect()
    }

    /// The ways that the words generate.
    fn all(self, ground: Ground) -> Vec<View> {
        let is_half = ground != Ground::Chess;
        let mut turned = vec![(false, false)];
        for (is_asked, flips, mirrors) in [
            (self.either, true, is_half),
            (self.mirror, false, true),
            (self.rotate, true, true),
        ] {
            for (own_flips, own_mirrors) in turned.clone() {
                let other = (own_flips ^ flips, own_mirrors ^ mirrors);
                if is_asked && !turned.contains(&other) {
                    turned.push(other);
                }
            }
        }
        let ways = |is_asked: bool| if is_asked { -7..8 } else { 0..1_i8 };
        let mut all = Vec::new();
        for (flips, mirrors) in turned {
            for x in ways(self.shift_x) {
                all.extend(ways(self.shift_y).map(|y| View {
                    flips,
                    mirrors,
                    by: (x, y),
                }));
            }
        }
        all
    }
}

/// Lists with one part less, or with one part that is smaller.
fn smaller_list<T: Clone>(
    inner: &[T],
    smaller: impl Fn(&T) -> Vec<T>,
    join: impl Fn(Vec<T>) -> T,
) -> Vec<T> {
    let mut all = inner.to_vec();
    for (at, one) in inner.iter().enumerate() {
        if inner.len() > 2 {
            let mut less = inner.to_vec();
            less.remove(at);
            all.push(join(less));
        }
        for other in smaller(one) {
            let mut less = inner.to_vec();
            less[at] = other;
            all.push(join(less));
        }
    }
    all
}

/// What is in a part, and the same part around something smaller.
fn smaller_box<T: Clone>(inner: &T, smaller: Vec<T>, around: impl Fn(Box<T>) -> T) -> Vec<T> {
    let smaller = smaller.into_iter().map(|one| around(Box::new(one)));
    std::iter::once(inner.clone()).chain(smaller).collect()
}

/// Parts that are joined.
fn joined(parts: &[String], word: &str) -> String {
    format!("( {} )", parts.join(word))
}

impl Cond {
    pub(super) fn term(term: Term) -> Self {
        Self::Term(term.clone(), term)
    }

    pub(super) fn text(&self) -> String {
        let texts = |inner: &[Self]| inner.iter().map(Self::text).collect::<Vec<_>>();
        match self {
            Self::And(inner) => joined(&texts(inner), " "),
            Self::Or(inner) => joined(&texts(inner), " or "),
            Self::Not(inner) => format!("not {}", inner.text()),
            Self::Seen(views, inner) => format!("{}( {} )", views.text(), inner.text()),
            Self::Term(term, _) => term.text(),
        }
    }

    /// Whether all of its conditions are such.
    pub(super) fn all_terms(&self, is_such: &dyn Fn(&Term) -> bool) -> bool {
        match self {
            Self::And(inner) | Self::Or(inner) => inner.iter().all(|one| one.all_terms(is_such)),
            Self::Not(inner) | Self::Seen(_, inner) => inner.all_terms(is_such),
            Self::Term(term, _) => is_such(term),
        }
    }

    /// In how many ways the board is looked at.
    fn ways(&self) -> usize {
        match self {
            Self::And(inner) | Self::Or(inner) => inner.iter().map(Self::ways).sum(),
            Self::Not(inner) => inner.ways(),
            Self::Seen(views, inner) => views.all(Ground::Chess).len() * inner.ways(),
            Self::Term(..) => 1,
        }
    }

    /// Whether some of it is moved over the board.
    pub(super) fn is_shifted(&self) -> bool {
        match self {
            Self::And(inner) | Self::Or(inner) => inner.iter().any(Self::is_shifted),
            Self::Not(inner) => inner.is_shifted(),
            Self::Seen(views, inner) => views.shift_x || views.shift_y || inner.is_shifted(),
            Self::Term(..) => false,
        }
    }

    /// The same with one part less, in each way.
    fn smaller(&self) -> Vec<Self> {
        match self {
            Self::And(inner) => smaller_list(inner, Self::smaller, Self::And),
            Self::Or(inner) => smaller_list(inner, Self::smaller, Self::Or),
            Self::Not(inner) => smaller_box(inner, inner.smaller(), Self::Not),
            Self::Seen(views, inner) => {
                smaller_box(inner, inner.smaller(), |inner| Self::Seen(*views, inner))
            }
            Self::Term(..) => Vec::new(),
        }
    }

    fn seen(&self, view: View) -> Self {
        let each = |inner: &[Self]| inner.iter().map(|one| one.seen(view)).collect();
        match self {
            Self::And(inner) => Self::And(each(inner)),
            Self::Or(inner) => Self::Or(each(inner)),
            Self::Not(inner) => Self::Not(Box::new(inner.seen(view))),
            Self::Seen(views, inner) => Self::Seen(*views, Box::new(inner.seen(view))),
            Self::Term(term, written) => Self::Term(term.seen(view), written.clone()),
        }
    }

    /// Whether it holds at each ply of a line that is asked for.
    fn plies(&self, line: &Line, wanted: &[bool]) -> Vec<bool> {
        let any = |inner: &mut dyn Iterator<Item = Self>| {
            let mut held = vec![false; wanted.len()];
            for one in inner {
                let open: Vec<bool> = (wanted.iter().zip(&held))
                    .map(|(wanted, held)| *wanted && !held)
                    .collect();
                if !open.contains(&true) {
                    break;
                }
                for (held, own) in held.iter_mut().zip(one.plies(line, &open)) {
                    *held |= own;
                }
            }
            held
        };
        match self {
            Self::And(inner) => inner.iter().fold(wanted.to_vec(), |held, one| {
                if held.contains(&true) {
                    one.plies(line, &held)
                } else {
                    held
                }
            }),
            Self::Or(inner) => any(&mut inner.iter().cloned()),
            Self::Not(inner) => {
                let held = inner.plies(line, wanted).into_iter();
                held.zip(wanted)
                    .map(|(held, wanted)| *wanted && !held)
                    .collect()
            }
            Self::Seen(views, inner) => {
                let views = views.all(line.scenes[0].ground).into_iter();
                any(&mut views.map(|view| inner.seen(view)))
            }
            Self::Term(term, written) => {
                let holds: Holds = term.meaning(written, line.scenes[0].ground);
                let scenes = line.scenes.iter().zip(wanted);
                scenes
                    .map(|(scene, wanted)| *wanted && holds(scene))
                    .collect()
            }
        }
    }
}

impl Step {
    fn text(&self) -> String {
        let begin = format!("{}{{ {} }}", self.views.text(), self.holds.text());
        match (self.times, self.stride) {
            (1, 1) => begin,
            (times, 1) => format!("{begin} for {times}"),
            (times, stride) => format!("{begin} for {times} step {stride}"),
        }
    }

    /// Where it begins, and how far behind that it ends. The words before a step cover all of it.
    fn begins(&self, line: &Line) -> Vec<bool> {
        let mut begins = vec![false; line.scenes.len()];
        for view in self.views.all(line.scenes[0].ground) {
            let held = self.holds.seen(view).plies(line, &vec![true; begins.len()]);
            for (at, begins) in begins.iter_mut().enumerate() {
                let mut plies = (0..self.times).map(|nth| at + nth * self.stride);
                *begins = *begins || plies.all(|ply| held.get(ply) == Some(&true));
            }
        }
        begins
    }
}

impl Step {
    fn smaller(&self) -> Vec<Self> {
        let mut all: Vec<Self> = (self.holds.smaller().into_iter())
            .map(|holds| Self {
                holds,
                ..self.clone()
            })
            .collect();
        if self.views != Views::default() {
            all.push(Self {
                views: Views::default(),
                ..self.clone()
            });
        }
        if self.times > 1 {
            all.push(Self {
                times: 1,
                stride: 1,
                ..self.clone()
            });
        }
        all
    }
}

/// The plies at which a sequence begins.
fn sequence(steps: &[Step], line: &Line) -> Vec<bool> {
    let mut next: Option<(Vec<bool>, usize)> = None;
    for step in steps.iter().rev() {
        let mut begins = step.begins(line);
        if let Some((later, within)) = next {
            for (at, begins) in begins.iter_mut().enumerate() {
                let end = at + (step.times - 1) * step.stride;
                let last = if within == 0 {
                    later.len()
                } else {
                    end + within
                };
                let mut after = (end + 1..=last).map(|ply| later.get(ply) == Some(&true));
                *begins = *begins && after.any(|is_one| is_one);
            }
        }
        next = Some((begins, step.within));
    }
    next.map(|(begins, _)| begins).unwrap_or_default()
}

/// Which games are searched for the positions that a query names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum World {
    /// Those of any game.
    Any,
    /// Those of chess.
    Chess,
}

impl RandomQuery {
    pub(super) fn text(&self) -> String {
        let texts = |inner: &[Self]| inner.iter().map(Self::text).collect::<Vec<_>>();
        match self {
            Self::And(inner) => joined(&texts(inner), " and "),
            Self::Or(inner) => joined(&texts(inner), " or "),
            Self::Not(inner) => format!("not {}", inner.text()),
            Self::Seen(views, inner) => format!("{}( {} )", views.text(), inner.text()),
            Self::Sequence(steps) => {
                let mut text = steps[0].text();
                for step in &steps[1..] {
                    let link = match step.within {
                        0 => "then".to_owned(),
                        1 => "next".to_owned(),
                        plies => format!("within {plies}"),
                    };
                    text = format!("{text} {link} {}", step.text());
                }
                text
            }
            Self::Game(fact) => fact.text(),
        }
    }

    /// The conditions of its steps.
    pub(super) fn conds(&self) -> Vec<&Cond> {
        match self {
            Self::And(inner) | Self::Or(inner) => inner.iter().flat_map(Self::conds).collect(),
            Self::Not(inner) | Self::Seen(_, inner) => inner.conds(),
            Self::Sequence(steps) => steps.iter().map(|step| &step.holds).collect(),
            Self::Game(_) => Vec::new(),
        }
    }

    /// In how many ways the board is looked at.
    pub(super) fn ways(&self) -> usize {
        let ways = |views: &Views| views.all(Ground::Chess).len();
        match self {
            Self::And(inner) | Self::Or(inner) => inner.iter().map(Self::ways).sum(),
            Self::Not(inner) => inner.ways(),
            Self::Seen(views, inner) => ways(views) * inner.ways(),
            Self::Sequence(steps) => (steps.iter())
                .map(|step| ways(&step.views) * step.holds.ways())
                .sum(),
            Self::Game(_) => 1,
        }
    }

    /// Whether some of it is moved over the board.
    pub(super) fn is_shifted(&self) -> bool {
        let is_moved = |views: &Views| views.shift_x || views.shift_y;
        match self {
            Self::And(inner) | Self::Or(inner) => inner.iter().any(Self::is_shifted),
            Self::Not(inner) => inner.is_shifted(),
            Self::Seen(views, inner) => is_moved(views) || inner.is_shifted(),
            Self::Sequence(steps) => {
                let mut steps = steps.iter();
                steps.any(|step| is_moved(&step.views) || step.holds.is_shifted())
            }
            Self::Game(_) => false,
        }
    }

    /// The same with one part less, in each way.
    pub(super) fn smaller(&self) -> Vec<Self> {
        match self {
            Self::And(inner) => smaller_list(inner, Self::smaller, Self::And),
            Self::Or(inner) => smaller_list(inner, Self::smaller, Self::Or),
            Self::Not(inner) => smaller_box(inner, inner.smaller(), Self::Not),
            Self::Seen(views, inner) => {
                smaller_box(inner, inner.smaller(), |inner| Self::Seen(*views, inner))
            }
            Self::Sequence(steps) => {
                let mut all = Vec::new();
                for (at, step) in steps.iter().enumerate() {
                    if steps.len() > 1 {
                        let mut less = steps.clone();
                        less.remove(at);
                        all.push(Self::Sequence(less));
                    }
                    for smaller in step.smaller() {
                        let mut less = steps.clone();
                        less[at] = smaller;
                        all.push(Self::Sequence(less));
                    }
                }
                all
            }
            Self::Game(_) => Vec::new(),
        }
    }

    fn seen(&self, view: View) -> Self {
        let each = |inner: &[Self]| inner.iter().map(|one| one.seen(view)).collect();
        match self {
            Self::And(inner) => Self::And(each(inner)),
            Self::Or(inner) => Self::Or(each(inner)),
            Self::Not(inner) => Self::Not(Box::new(inner.seen(view))),
            Self::Seen(views, inner) => Self::Seen(*views, Box::new(inner.seen(view))),
            Self::Sequence(steps) => Self::Sequence(
                (steps.iter())
                    .map(|step| Step {
                        holds: step.holds.seen(view),
                        ..step.clone()
                    })
                    .collect(),
            ),
            Self::Game(fact) => Self::Game(fact.clone()),
        }
    }

    /// Whether it is true of a line of a game.
    fn holds(&self, number: usize, game: &Game, line: &Line) -> bool {
        match self {
            Self::And(inner) => inner.iter().all(|one| one.holds(number, game, line)),
            Self::Or(inner) => inner.iter().any(|one| one.holds(number, game, line)),
            Self::Not(inner) => !inner.holds(number, game, line),
            Self::Seen(views, inner) => {
                let mut views = views.all(line.scenes[0].ground).into_iter();
                views.any(|view| inner.seen(view).holds(number, game, line))
            }
            Self::Sequence(steps) => sequence(steps, line).contains(&true),
            Self::Game(fact) => fact.holds(number, game, line),
        }
    }

    /// Whether it asks nothing of positions.
    fn is_of_facts(&self) -> bool {
        match self {
            Self::And(inner) | Self::Or(inner) => inner.iter().all(Self::is_of_facts),
            Self::Not(inner) => inner.is_of_facts(),
            Self::Seen(..) | Self::Sequence(_) => false,
            Self::Game(_) => true,
        }
    }

    /// A position limits the games that are searched, unless something else will do.
    fn world(&self) -> World {
        let is_chess = match self {
            Self::And(inner) => inner.iter().any(|one| one.world() == World::Chess),
            Self::Or(inner) => inner.iter().all(|one| one.world() == World::Chess),
            Self::Not(inner) | Self::Seen(_, inner) => inner.world() == World::Chess,
            Self::Sequence(_) => false,
            Self::Game(fact) => fact.is_position(),
        };
        if is_chess { World::Chess } else { World::Any }
    }

    /// Whether it names a position that games reach.
    fn has_position(&self) -> bool {
        match self {
            Self::And(inner) | Self::Or(inner) => inner.iter().any(Self::has_position),
            Self::Not(inner) | Self::Seen(_, inner) => inner.has_position(),
            Self::Sequence(_) => false,
            Self::Game(fact) => fact.is_position(),
        }
    }

    /// The numbers of the games that it finds, from 1.
    pub(super) fn games(
        &self,
        games: &[Game],
        in_variations: bool,
        variant: Option<&str>,
    ) -> Vec<u64> {
        // Where lines are looked through, positions are looked for on their boards.
        let is_of_chess = !self.is_of_facts()
            || self.world() == World::Chess
            || in_variations && self.has_position();
        let is_searched = |game: &Game| match variant {
            Some(variant) => game.variant == variant,
            None => !is_of_chess || game.is_chess(),
        };
        let lines = |game: &Game| if in_variations { game.lines.len() } else { 1 };
        let found = games.iter().enumerate().filter(|(at, game)| {
            let mut lines = game.lines[..lines(game)].iter();
            is_searched(game) && lines.any(|line| self.holds(at + 1, game, line))
        });
        found.map(|(at, _)| at as u64 + 1).collect()
    }
}
