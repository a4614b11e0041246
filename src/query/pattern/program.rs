//! A query about one board, made ready to be tested on every position of many games.

use std::cell::OnceCell;

use super::super::Ranges;
use super::{
    TextSpan,
    attack_test::AttackTest,
    board::BoardRules,
    line_history::{LABELS_MAX, LabelUse, LineHistory},
    line_test::LineTest,
    matcher::{GameMatch, StandardStartView},
    move_test::MoveTest,
    ply_set::{PlySet, SequenceStep},
    prefilter::{MoveSequence, PositionFilter},
    required_material::RequiredMaterial,
    set_test::{MoveSetTest, SetTest},
    shift_test::ShiftTest,
};
use crate::games::GameEnd;
use crate::games::view::{ANY, EMPTY, MoveInfo, PositionView};

/// What holds of a position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum PlyTest {
    All(Vec<Self>),
    Any(Vec<Self>),
    Not(Box<Self>),
    /// One of conditions that differ in the places of their pieces alone.
    Shifted(Box<ShiftTest>),
    /// N of some pieces on some squares.
    Pieces {
        codes: Vec<u8>,
        on: u128,
        least: u32,
        most: u32,
        /// The least is as many as there are squares.
        is_all: bool,
    },
    /// N more of some pieces than of others.
    Balance {
        codes: [Vec<u8>; 2],
        on: u128,
        least: i32,
        most: i32,
    },
    Turn(usize),
    Ply(u32, u32),
    Check,
    Mate,
    Stalemate,
    /// Pieces of its own side stand on all squares around the king that is to move: by the codes
    /// of the kings, and each square with those around it.
    ShutIn([u8; 2], Vec<(u128, u128)>),
    Attack(Box<AttackTest>),
    Set(Box<SetTest>),
    /// The values of pieces, by their codes: of some less those of others, within ranges.
    Value([Vec<(u8, i64)>; 2], Ranges<i64>),
    End,
    Move(Box<MoveTest>),
    Last(Box<MoveTest>),
    /// The move goes from a square of a set, or to one.
    MoveSet(Box<MoveSetTest>),
    /// A fact of the move, or a test of the line after these, by its number: it holds where the
    /// [history](LineHistory) of the line says so.
    Fact(usize),
}

/// Where some pieces stand, on some squares.
#[inline]
fn here<S: PositionView>(sight: &S, codes: &[u8], on: u128) -> u128 {
    if S::IS_WIDE {
        return codes.iter().fold(0, |all, code| all | sight.pieces(*code)) & on;
    }
    let pieces = |code: &u8| sight.pieces(*code) as u64;
    let all = codes.iter().fold(0, |all, code| all | pieces(code));
    (all & on as u64).into()
}

#[inline]
const fn ones<S: PositionView>(squares: u128) -> u32 {
    if S::IS_WIDE {
        squares.count_ones()
    } else {
        (squares as u64).count_ones()
    }
}

#[inline]
fn count<S: PositionView>(sight: &S, codes: &[u8], on: u128) -> u32 {
    ones::<S>(here(sight, codes, on))
}

/// A position that several conditions are tested on; its moves are made out once, if at all.
pub(super) struct SeenPosition<'s, S> {
    sight: &'s S,
    history: &'s LineHistory,
    next_move: OnceCell<Option<MoveInfo>>,
    last: OnceCell<Option<MoveInfo>>,
}

impl<'s, S> SeenPosition<'s, S> {
    pub(super) const fn new(sight: &'s S, history: &'s LineHistory) -> Self {
        Self {
            sight,
            history,
            next_move: OnceCell::new(),
            last: OnceCell::new(),
        }
    }
}

impl PlyTest {
    fn holds<S: PositionView>(&self, seen: &SeenPosition<'_, S>) -> bool {
        match self {
            Self::All(all) => all.iter().all(|node| node.is_met(seen)),
            Self::Any(any) => any.iter().any(|node| node.is_met(seen)),
            Self::Not(node) => !node.is_met(seen),
            single => single.is_met(seen),
        }
    }

    /// The same where most conditions are single ones.
    #[inline]
    pub(super) fn is_met<S: PositionView>(&self, seen: &SeenPosition<'_, S>) -> bool {
        let sight = seen.sight;
        match self {
            Self::All(_) | Self::Any(_) | Self::Not(_) => self.holds(seen),
            Self::Pieces {
                codes,
                on,
                least,
                most,
                is_all,
            } => {
                let here = here(sight, codes, *on);
                // Counting is dearer than these, which are most.
                match (*least, *most) {
                    (1, u32::MAX) => here != 0,
                    (0, 0) => here == 0,
                    (_, u32::MAX) if *is_all => here == *on,
                    (least, most) => {
                        let count = ones::<S>(here);
                        least <= count && count <= most
                    }
                }
            }
            Self::Balance {
                codes: [one, other],
                on,
                least,
                most,
            } => {
                let more = count(sight, one, *on) as i32 - count(sight, other, *on) as i32;
                *least <= more && more <= *most
            }
            Self::Shifted(test) => test.has_place(sight) && test.rest.holds(seen),
            Self::Turn(side) => sight.turn() == *side,
            Self::Ply(from, to) => *from <= sight.ply() && sight.ply() <= *to,
            Self::Check => sight.is_check(),
            // No side plays on from there, but a null move may be written.
            Self::Mate => is_over(sight) && sight.end() == Some(GameEnd::Checkmate),
            Self::Stalemate => {
                is_over(sight)
                    && matches!(
                        sight.end(),
                        Some(GameEnd::Stalemate | GameEnd::LosingStalemate)
                    )
            }
            Self::ShutIn(kings, around) => {
                let side = sight.turn() & 1;
                let (king, own) = (sight.pieces(kings[side]), sight.pieces(ANY[side]));
                (around.iter()).any(|(square, around)| *square == king && around & !own == 0)
            }
            Self::Attack(test) => test.holds(sight),
            Self::Set(test) => test.holds(sight, seen.history),
            Self::Value([plus, minus], ranges) => {
                let sum = |kinds: &[(u8, i64)]| {
                    let each = kinds.iter();
                    let each =
                        each.map(|(code, value)| value * i64::from(ones::<S>(sight.pieces(*code))));
                    each.sum::<i64>()
                };
                ranges.contains(sum(plus) - sum(minus))
            }
            Self::End => sight.next_move().is_none(),
            Self::Move(test) if !test.may_fit(sight.moving()) => false,
            Self::Move(test) => (seen.next_move.get_or_init(|| sight.next_move()).as_ref())
                .is_some_and(|next_move| test.fits(next_move, || sight.gives())),
            Self::Last(test) => (seen.last.get_or_init(|| sight.last()).as_ref())
                .is_some_and(|next_move| test.fits(next_move, || came(sight))),
            Self::MoveSet(test) => (seen.next_move.get_or_init(|| sight.next_move()).as_ref())
                .is_some_and(|next_move| test.holds(sight, next_move, seen.history)),
            Self::Fact(at) => {
                (seen.history.given.get(*at)).is_some_and(|given| given.has(sight.ply()))
            }
        }
    }

    /// The conditions of which one must hold.
    pub(super) fn alternatives(&self) -> &[Self] {
        match self {
            Self::Shifted(test) => &test.each,
            single => std::slice::from_ref(single),
        }
    }

    /// The last ply at which it can hold.
    pub(super) fn last_ply(&self) -> u32 {
        let each = |nodes: &[Self]| nodes.iter().map(Self::last_ply).collect::<Vec<_>>();
        match self {
            Self::All(nodes) => each(nodes).into_iter().min().unwrap_or(u32::MAX),
            Self::Any(nodes) => each(nodes).into_iter().max().unwrap_or(0),
            Self::Shifted(test) => test.rest.last_ply(),
            Self::Ply(_, last) => *last,
            _ => u32::MAX,
        }
    }

    /// How much it costs to ask, beside others.
    pub(super) fn cost(&self) -> u32 {
        match self {
            Self::Turn(_) | Self::Ply(..) | Self::Fact(_) => 0,
            Self::Pieces { codes, .. } => codes.len() as u32,
            Self::Balance { codes, .. } => (codes[0].len() + codes[1].len()) as u32,
            Self::End => 2,
            Self::ShutIn(..) => 50,
            Self::Value(..) => 12,
            Self::Attack(_) => 200,
            Self::Set(_) => 150,
            Self::MoveSet(_) => 160,
            Self::Move(test) | Self::Last(test) if !test.check && !test.mate => 8,
            Self::Move(_) | Self::Last(_) => 100,
            Self::Check => 40,
            Self::Mate | Self::Stalemate => 9,
            Self::Not(node) => node.cost(),
            Self::Shifted(test) => 10 + test.rest.cost(),
            Self::All(nodes) | Self::Any(nodes) => nodes.iter().map(Self::cost).sum(),
        }
    }

    /// The uses of labels in it.
    pub(super) fn label_uses(&self) -> Vec<&LabelUse> {
        match self {
            Self::All(nodes) | Self::Any(nodes) => {
                nodes.iter().flat_map(Self::label_uses).collect()
            }
            Self::Not(node) => node.label_uses(),
            Self::Set(test) => test.label_uses(),
            Self::MoveSet(test) => test.label_uses(),
            _ => Vec::new(),
        }
    }

    /// Those without which it does not hold.
    pub(super) fn needed_labels(&self) -> Vec<&LabelUse> {
        match self {
            Self::All(nodes) => nodes.iter().flat_map(Self::needed_labels).collect(),
            Self::Set(test) => test.needed_label().into_iter().collect(),
            _ => Vec::new(),
        }
    }

    /// Whether it asks which pieces were pawns.
    pub(super) fn needs_promoted(&self) -> bool {
        match self {
            Self::All(nodes) | Self::Any(nodes) => nodes.iter().any(Self::needs_promoted),
            Self::Not(node) => node.needs_promoted(),
            Self::Shifted(test) => test.rest.needs_promoted(),
            Self::Set(test) => test.needs_promoted(),
            Self::MoveSet(test) => test.needs_promoted(),
            _ => false,
        }
    }

    /// N of some pieces on some squares.
    pub(super) const fn pieces(codes: Vec<u8>, on: u128, (least, most): (u32, u32)) -> Self {
        Self::Pieces {
            codes,
            on,
            least,
            most,
            is_all: least == on.count_ones(),
        }
    }
}

fn is_over<S: PositionView>(sight: &S) -> bool {
    sight
        .next_move()
        .is_none_or(|next_move| next_move.piece == EMPTY)
}

/// Whether the side to move has been given check, and mate.
fn came<S: PositionView>(sight: &S) -> (bool, bool) {
    let check = sight.is_check();
    let is_mate = || check && sight.end() == Some(GameEnd::Checkmate);
    (check, is_mate())
}

/// How the truth of a query follows from its parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Decision {
    All(Vec<Self>),
    Any(Vec<Self>),
    Not(Box<Self>),
    /// A chain of steps, by its number.
    Chain(usize),
    /// A fact about the game, by its number.
    Fact(usize),
}

/// A query made ready for one board.
#[derive(Debug, Clone)]
pub struct Pattern {
    /// The squares of the board.
    pub(super) board: u128,
    pub(super) rules: BoardRules,
    pub(super) decision: Decision,
    pub(super) nodes: Vec<PlyTest>,
    pub(super) chains: Vec<Vec<SequenceStep>>,
    /// Where conditions may hold at all.
    pub(super) wanted: Option<PositionFilter>,
    /// What it asks, if moves alone decide.
    pub(super) moves: Option<MoveSequence>,
    /// Without these it cannot be fulfilled.
    pub(super) needed: Option<RequiredMaterial>,
    /// What is on the board where most games begin, as those have it who look through them.
    pub(super) usual: Option<StandardStartView>,
    /// After it none holds.
    pub(super) last_ply: u32,
    /// How many facts the query names, of games and of moves.
    pub(super) facts: usize,
    /// Tests of the line as a whole; their numbers follow those of facts.
    pub(super) line_tests: Vec<LineTest>,
    /// The uses of labels, and groups of them: one of each group is needed.
    pub(super) label_uses: Vec<LabelUse>,
    pub(super) label_groups: Vec<Vec<LabelUse>>,
    /// Whether it matters which pieces were pawns.
    pub(super) needs_promoted: bool,
    /// Where each of them stands in the text.
    pub(super) spans: Vec<TextSpan>,
}

impl Pattern {
    /// Whether positions are to be looked at, or facts alone decide.
    pub fn has_steps(&self) -> bool {
        !self.chains.is_empty()
    }

    /// Whether a game fulfils the query, as far as that follows from what is known of its parts;
    /// each is looked up when it matters.
    pub fn known(&self, part: &mut dyn FnMut(QueryPart) -> Option<bool>) -> Option<bool> {
        decide(&self.decision, part)
    }

    /// What is known of the entire query, from what is known of its parts.
    pub fn joined<T>(
        &self,
        part: &impl Fn(QueryPart) -> T,
        nothing_asked: &impl Fn() -> T,
        not: &impl Fn(T) -> T,
        and: &impl Fn(T, T) -> T,
    ) -> T {
        joined(&self.decision, part, nothing_asked, not, and)
    }

    /// Whether a game that was looked through fulfils the query.
    pub fn holds(&self, seen: &GameMatch, fact: &mut dyn FnMut(usize) -> bool) -> bool {
        let decided = decide(&self.decision, &mut |leaf| {
            Some(match leaf {
                QueryPart::Fact(at) => fact(at),
                QueryPart::Chain(at) => seen.holds(at),
            })
        });
        decided == Some(true)
    }

    /// Whether it matters if a game has promotions ([`MatchMode::DecidedByMaterial`]).
    ///
    /// [`MatchMode::DecidedByMaterial`]: super::matcher::MatchMode::DecidedByMaterial
    pub const fn needs_pieces(&self) -> bool {
        self.needed.is_some()
    }

    /// The same query, for which every position is looked at.
    #[must_use]
    pub fn without_shortcuts(&self) -> Self {
        Self {
            wanted: None,
            moves: None,
            needed: None,
            last_ply: u32::MAX,
            ..self.clone()
        }
    }

    /// Whether a line is to be gone through before its positions are tested.
    pub(super) const fn needs_history(&self) -> bool {
        !self.line_tests.is_empty() || self.needs_promoted || self.has_labels()
    }

    /// Whether pieces have labels.
    pub(super) const fn has_labels(&self) -> bool {
        !self.label_uses.is_empty()
    }

    /// The labels that may be any piece as far as the query shows, from 0.
    pub(super) fn unbound_labels(&self) -> impl Iterator<Item = usize> {
        let is_used = |label: &usize| self.label_uses.iter().any(|one| one.label == *label);
        let is_bound = |label: &usize| self.label_groups.iter().any(|all| all[0].label == *label);
        (0..LABELS_MAX).filter(move |label| is_used(label) && !is_bound(label))
    }

    /// Finds out which history of a line the query needs.
    pub(super) fn find_needs(&mut self) {
        self.needs_promoted = self.nodes.iter().any(PlyTest::needs_promoted);
        let uses = self.nodes.iter().flat_map(PlyTest::label_uses);
        self.label_uses = uses.cloned().collect();
        let mut groups = Vec::new();
        for step in needed_chains(&self.decision)
            .into_iter()
            .flat_map(|at| &self.chains[at])
        {
            let of_each = step
                .any
                .iter()
                .map(|node| self.nodes[*node].needed_labels());
            let of_each: Vec<Vec<&LabelUse>> = of_each.collect();
            for label in 0..LABELS_MAX {
                let has = |uses: &Vec<&LabelUse>| uses.iter().any(|one| one.label == label);
                if of_each.iter().all(has) {
                    let group = of_each.iter().flatten().filter(|one| one.label == label);
                    groups.push(group.map(|one| (*one).clone()).collect());
                }
            }
        }
        self.label_groups = groups;
    }

    /// Where each chain of steps stands in the text.
    pub fn spans(&self) -> &[TextSpan] {
        &self.spans
    }

    /// The sequences that all games fulfil which are found, by their numbers.
    pub fn required_chains(&self) -> Vec<usize> {
        let (mut found, mut open) = (Vec::new(), vec![&self.decision]);
        while let Some(decision) = open.pop() {
            match decision {
                Decision::All(all) => open.extend(all),
                Decision::Chain(at) => found.push(*at),
                Decision::Any(_) | Decision::Not(_) | Decision::Fact(_) => {}
            }
        }
        found
    }

    /// Whether facts choose between parts of the query, and are not all necessary.
    pub fn has_choices(&self) -> bool {
        fn has(decision: &Decision, is_choice: bool) -> bool {
            match decision {
                Decision::All(all) => all.iter().any(|one| has(one, is_choice)),
                Decision::Any(any) => any.iter().any(|one| has(one, true)),
                Decision::Not(one) => has(one, true),
                Decision::Chain(_) => false,
                Decision::Fact(_) => is_choice,
            }
        }
        has(&self.decision, false)
    }

    /// The plies that make a game fulfil the query: where those of its chains begin that
    /// hold and are not denied.
    pub fn plies(&self, seen: &GameMatch, fact: &mut dyn FnMut(usize) -> bool) -> PlySet {
        let mut plies = PlySet::default();
        told(&self.decision, seen, fact, &mut plies);
        plies
    }
}

/// A part of a query that is true of a game or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QueryPart {
    /// A fact about the game, by its number.
    Fact(usize),
    /// A chain of steps, by its number.
    Chain(usize),
}

fn joined<T>(
    decision: &Decision,
    part: &impl Fn(QueryPart) -> T,
    nothing_asked: &impl Fn() -> T,
    not: &impl Fn(T) -> T,
    and: &impl Fn(T, T) -> T,
) -> T {
    let of = |one: &Decision| joined(one, part, nothing_asked, not, and);
    match decision {
        Decision::All(all) => all.iter().map(of).reduce(and).unwrap_or_else(nothing_asked),
        // One is true unless all are not.
        Decision::Any(any) => not(any
            .iter()
            .map(|one| not(of(one)))
            .reduce(and)
            .unwrap_or_else(nothing_asked)),
        Decision::Not(one) => not(of(one)),
        Decision::Chain(at) => part(QueryPart::Chain(*at)),
        Decision::Fact(at) => part(QueryPart::Fact(*at)),
    }
}

/// Whether a query is true as far as its leaves are known.
pub(super) fn decide(
    decision: &Decision,
    leaf: &mut dyn FnMut(QueryPart) -> Option<bool>,
) -> Option<bool> {
    match decision {
        Decision::All(inner) | Decision::Any(inner) => {
            // One that is false decides what all must be, one that is true what one must be.
            let decisive = matches!(decision, Decision::Any(_));
            let mut known = Some(!decisive);
            for one in inner {
                match decide(one, leaf) {
                    Some(is) if is == decisive => return Some(is),
                    Some(_) => {}
                    None => known = None,
                }
            }
            known
        }
        Decision::Not(one) => decide(one, leaf).map(|is| !is),
        Decision::Chain(at) => leaf(QueryPart::Chain(*at)),
        Decision::Fact(at) => leaf(QueryPart::Fact(*at)),
    }
}

/// Adds the plies of those parts of a query that are true; whether the query is.
fn told(
    decision: &Decision,
    seen: &GameMatch,
    fact: &mut dyn FnMut(usize) -> bool,
    plies: &mut PlySet,
) -> bool {
    match decision {
        Decision::All(all) => {
            let mut own = PlySet::default();
            let is_true = all.iter().all(|one| told(one, seen, fact, &mut own));
            if is_true {
                plies.add(&own);
            }
            is_true
        }
        Decision::Any(any) => {
            let mut is_true = false;
            for one in any {
                is_true |= told(one, seen, fact, plies);
            }
            is_true
        }
        Decision::Not(one) => !told(one, seen, fact, &mut PlySet::default()),
        Decision::Chain(at) => {
            plies.add(seen.begins(*at));
            seen.holds(*at)
        }
        Decision::Fact(at) => fact(*at),
    }
}

/// The chains without which a query is not fulfilled.
fn needed_chains(decision: &Decision) -> Vec<usize> {
    match decision {
        Decision::All(all) => all.iter().flat_map(needed_chains).collect(),
        Decision::Chain(at) => vec![*at],
        Decision::Any(_) | Decision::Not(_) | Decision::Fact(_) => Vec::new(),
    }
}

/// The codes of any piece, of both sides.
pub(super) const ANYBODY: [u8; 2] = ANY;
