//! Looks through a game for the steps of a query.

use super::{
    Pattern, StepGap,
    line_history::LineHistory,
    ply_set::{self, PlySet, SequenceStep},
    prefilter::{MoveSequence, PositionFilter},
    program::{QueryPart, SeenPosition},
    required_material::RequiredMaterial,
};
use crate::games::view::{MoveDelta, PieceSets, PositionView, PositionVisitor, VisitChoice};
use crate::games::{AnyPosition, chess::basics::Board};

/// How far a game is looked through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MatchMode {
    /// To its end: all plies are wanted.
    End,
    /// Until it is known whether the query is fulfilled.
    Decided,
    /// The same, of a game without promotions: pieces that have gone do not come back.
    DecidedByMaterial,
}

/// What was seen of a game.
#[derive(Debug, Default)]
pub struct GameMatch {
    /// Where each condition holds.
    sets: Vec<PlySet>,
    /// Where each chain of steps begins.
    begins: Vec<PlySet>,
    /// How far each chain has come.
    progress: Vec<SequenceProgress>,
    /// Whether that is all that is wanted.
    is_quick: bool,
    /// What its line says of the positions beyond what stands there.
    history: LineHistory,
}

impl GameMatch {
    /// Says of the game that is to be looked through next where facts of its moves hold, by
    /// their numbers; of those that are not named nothing does.
    pub fn give(&mut self, given: Vec<PlySet>) {
        self.history = LineHistory::default();
        self.history.given = given;
    }

    /// Whether a chain of steps was found.
    pub(super) fn holds(&self, chain: usize) -> bool {
        if self.is_quick {
            self.progress[chain].is_done
        } else {
            !self.begins[chain].is_empty()
        }
    }

    /// Where it begins, if all plies are wanted.
    pub(super) fn begins(&self, chain: usize) -> &PlySet {
        &self.begins[chain]
    }
}

/// How far a chain of steps has come.
#[derive(Debug, Default)]
struct SequenceProgress {
    is_done: bool,
    /// The last ply at which the chain has come to each of its steps.
    reached: Vec<Option<u32>>,
}

impl SequenceProgress {
    fn clear(&mut self, steps: usize) {
        self.is_done = false;
        self.reached.clear();
        self.reached.resize(steps, None);
    }

    /// Looks at a ply; whether the chain is done with it.
    #[inline]
    fn advance(
        &mut self,
        chain: &[SequenceStep],
        ply: u32,
        mut holds: impl FnMut(usize) -> bool,
    ) -> bool {
        // The later steps first: none follows one of the same ply.
        for at in (0..chain.len()).rev() {
            let is_open = at == 0
                || match (self.reached[at - 1], chain[at].link) {
                    (None, _) => false,
                    (Some(_), StepGap::Then) => true,
                    (Some(before), StepGap::Within(plies)) => ply - before <= plies,
                };
            let is_wanted = is_open
                // What has come so far may go on from any later ply.
                && !(self.reached[at].is_some()
                    && matches!(chain.get(at + 1), Some(next) if next.link == StepGap::Then));
            if is_wanted && chain[at].any.iter().any(|&node| holds(node)) {
                self.reached[at] = Some(ply);
                self.is_done |= at + 1 == chain.len();
            }
        }
        self.is_done
    }
}

/// The standard start position of chess, as for a visitor that was shown all its pieces.
#[derive(Debug, Clone)]
pub(super) struct StandardStartView {
    counts: [u8; 64],
    sums: u64,
}

impl StandardStartView {
    /// That of a query for certain positions.
    pub(super) fn of(wanted: Option<&PositionFilter>) -> Self {
        let sets = PieceSets::of_chess(&Board::default());
        let mut start = Self {
            counts: [0; 64],
            sums: wanted.map_or(0, PositionFilter::empty),
        };
        for code in sets.codes() {
            let squares = sets.pieces(code);
            start.counts[usize::from(code & 63)] = squares.count_ones() as u8;
            for square in (0..64).filter(|square| squares >> square & 1 == 1) {
                let weight = wanted.map_or(0, |wanted| wanted.weight(code, square));
                start.sums = start.sums.wrapping_add(weight);
            }
        }
        start
    }
}

impl Pattern {
    /// A visitor that looks through a game and answers afterwards.
    pub fn watcher<'p>(&'p self, seen: &'p mut GameMatch, until: MatchMode) -> AnyMatcher<'p> {
        let is_quick =
            until != MatchMode::End && self.chains.iter().flatten().all(|step| step.times == 1);
        seen.is_quick = is_quick;
        if is_quick {
            seen.progress
                .resize_with(self.chains.len(), SequenceProgress::default);
            for (progress, chain) in seen.progress.iter_mut().zip(&self.chains) {
                progress.clear(chain.len());
            }
        } else {
            seen.sets.resize_with(self.nodes.len(), PlySet::default);
            seen.begins.resize_with(self.chains.len(), PlySet::default);
            seen.sets.iter_mut().for_each(PlySet::clear);
        }
        let watcher = Matcher {
            pattern: self,
            seen,
            wanted: self.wanted.as_ref(),
            summed: self.wanted.as_ref().filter(|wanted| wanted.has_sums()),
            needed: (self.needed.as_ref())
                .filter(|_| is_quick && until == MatchMode::DecidedByMaterial),
            counts: [0; 64],
            is_hopeless: false,
            last_ply: self.last_ply,
            sums: self.wanted.as_ref().map_or(0, PositionFilter::empty),
            came: MoveDelta::NOTHING,
        };
        match self.moves.as_ref().filter(|_| is_quick) {
            None => AnyMatcher::OfPositions(watcher),
            Some(chain) => AnyMatcher::OfMoves(MoveMatcher {
                chain,
                come: 0,
                watcher,
            }),
        }
    }
}

/// The simplest visitor that is enough for a query.
#[derive(Debug)]
pub enum AnyMatcher<'p> {
    /// Moves alone decide.
    OfMoves(MoveMatcher<'p>),
    /// Positions are looked at.
    OfPositions(Matcher<'p>),
}

/// Looks through a game.
#[derive(Debug)]
pub struct Matcher<'p> {
    pattern: &'p Pattern,
    seen: &'p mut GameMatch,
    wanted: Option<&'p PositionFilter>,
    /// The same where sums are to be kept.
    summed: Option<&'p PositionFilter>,
    /// The pieces that must be there, how many there are of each, by code, and whether there are
    /// not enough any more.
    needed: Option<&'p RequiredMaterial>,
    counts: [u8; 64],
    is_hopeless: bool,
    last_ply: u32,
    /// Of the board, as `wanted` has them.
    sums: u64,
    /// The move that led to the position, if `wanted` asks for it.
    came: MoveDelta,
}

impl Matcher<'_> {
    /// Puts the steps of the game together.
    pub fn finish(self) {
        if self.seen.is_quick {
            return;
        }
        for (begins, chain) in self.seen.begins.iter_mut().zip(&self.pattern.chains) {
            *begins = ply_set::begins(chain, &self.seen.sets);
        }
    }

    /// Looks at a position; whether it decides the query.
    #[inline]
    fn decides<S: PositionView>(&mut self, sight: &S) -> bool {
        let (seen, nodes) = (
            SeenPosition::new(sight, &self.seen.history),
            &self.pattern.nodes,
        );
        if !self.seen.is_quick {
            for (node, set) in nodes.iter().zip(&mut self.seen.sets) {
                if node.is_met(&seen) {
                    set.insert(sight.ply());
                }
            }
            return false;
        }
        let mut is_news = false;
        for (chain, progress) in self.pattern.chains.iter().zip(&mut self.seen.progress) {
            if !progress.is_done {
                is_news |= progress.advance(chain, sight.ply(), |node| nodes[node].is_met(&seen));
            }
        }
        is_news && self.is_decided()
    }

    /// Whether what was found decides the query, whatever else follows.
    fn is_decided(&self) -> bool {
        let known = self.pattern.known(&mut |part| match part {
            QueryPart::Chain(at) => self.seen.progress[at].is_done.then_some(true),
            QueryPart::Fact(_) => None,
        });
        known.is_some()
    }
}

impl PositionVisitor for Matcher<'_> {
    #[inline]
    fn see<S: PositionView>(&mut self, sight: &S) -> bool {
        !self.decides(sight) && sight.ply() < self.last_ply
    }

    #[inline]
    fn begins_as_usual(&mut self) -> bool {
        let Some(usual) = &self.pattern.usual else {
            return false;
        };
        (self.counts, self.sums) = (usual.counts, usual.sums);
        true
    }

    #[inline]
    fn put(&mut self, piece: u8, square: u8) {
        if self.needed.is_some() {
            self.counts[usize::from(piece & 63)] += 1;
        }
        if let Some(wanted) = self.summed {
            self.sums = self.sums.wrapping_add(wanted.weight(piece, square));
        }
    }

    #[inline]
    fn lift(&mut self, piece: u8, square: u8) {
        if let Some(needed) = self.needed.filter(|needed| needed.counts(piece)) {
            let count = &mut self.counts[usize::from(piece & 63)];
            *count = count.saturating_sub(1);
            self.is_hopeless = !needed.are_there(&self.counts);
        }
        if let Some(wanted) = self.summed {
            self.sums = self.sums.wrapping_sub(wanted.weight(piece, square));
        }
    }

    #[inline]
    fn shift(&mut self, piece: u8, from: u8, to: u8) {
        if let Some(wanted) = self.summed {
            let gain = wanted
                .weight(piece, to)
                .wrapping_sub(wanted.weight(piece, from));
            self.sums = self.sums.wrapping_add(gain);
        }
    }

    #[inline]
    fn offer(
        &mut self,
        ply: u32,
        moving: MoveDelta,
        _is_check: impl FnOnce() -> bool,
    ) -> VisitChoice {
        if self.is_hopeless {
            return VisitChoice::Enough;
        }
        let may_hold = match self.wanted {
            None => true,
            Some(wanted) => {
                let may_hold = wanted.may_hold(self.sums, ply, moving, &self.came);
                if wanted.asks_of_last {
                    self.came = moving;
                }
                may_hold
            }
        };
        // After the last ply a look ends it.
        let is_wanted = may_hold || ply >= self.last_ply;
        if is_wanted {
            VisitChoice::Wanted
        } else {
            VisitChoice::PassedBy
        }
    }
}

/// Looks at the moves of a game alone, where they are reported.
#[derive(Debug)]
pub struct MoveMatcher<'p> {
    chain: &'p MoveSequence,
    /// How far it has come.
    come: u64,
    watcher: Matcher<'p>,
}

impl MoveMatcher<'_> {
    /// As [`Matcher::finish`].
    pub fn finish(self) {
        self.watcher.finish();
    }
}

impl PositionVisitor for MoveMatcher<'_> {
    const ASKS_FOR_MOVES_ALONE: bool = true;

    fn see<S: PositionView>(&mut self, sight: &S) -> bool {
        self.watcher.see(sight)
    }

    #[inline]
    fn begins_as_usual(&mut self) -> bool {
        self.watcher.begins_as_usual()
    }

    #[inline]
    fn put(&mut self, piece: u8, square: u8) {
        self.watcher.put(piece, square);
    }

    #[inline]
    fn lift(&mut self, piece: u8, square: u8) {
        self.watcher.lift(piece, square);
    }

    #[inline]
    fn shift(&mut self, _piece: u8, _from: u8, _to: u8) {}

    #[inline]
    fn offer(
        &mut self,
        _ply: u32,
        moving: MoveDelta,
        _is_check: impl FnOnce() -> bool,
    ) -> VisitChoice {
        // What has begun may end without those that have gone meanwhile.
        if self.watcher.is_hopeless && self.come == 0 {
            return VisitChoice::Enough;
        }
        self.come = self.chain.go_on(self.come, moving);
        if self.chain.is_done(self.come) {
            self.watcher.seen.progress[0].is_done = true;
            return VisitChoice::Enough;
        }
        VisitChoice::PassedBy
    }
}

/// Looks through a packed line from a position for what a query asks for; of a query with labels with
/// the pieces that the history has for them.
fn scan(
    start: &AnyPosition,
    plies: &[u8],
    asked: &Pattern,
    seen: &mut GameMatch,
    until: MatchMode,
) {
    match asked.watcher(seen, until) {
        AnyMatcher::OfMoves(mut watcher) => {
            start.show(plies, &mut watcher);
            watcher.finish();
        }
        AnyMatcher::OfPositions(mut watcher) => {
            start.show(plies, &mut watcher);
            watcher.finish();
        }
    }
}

impl Pattern {
    /// Looks through a packed line from a position with all pieces that labels can stand for, as long
    /// as `each`, which receives what was seen, wants to go on.
    fn scan_line(
        &self,
        (start, plies): (&AnyPosition, &[u8]),
        seen: &mut GameMatch,
        until: MatchMode,
        mut each: impl FnMut(&GameMatch) -> bool,
    ) {
        if !self.needs_history() {
            scan(start, plies, self, seen, until);
            each(seen);
            return;
        }
        let given = std::mem::take(&mut seen.history.given);
        seen.history = LineHistory::of(self, start, plies, given);
        for labelled in seen.history.assignments(self) {
            seen.history.labelled = labelled;
            scan(start, plies, self, seen, until);
            if !each(seen) {
                return;
            }
        }
    }

    /// Whether a packed line from a position fulfils the query, if the facts of the game are such.
    pub fn is_fulfilled(
        &self,
        line: (&AnyPosition, &[u8]),
        seen: &mut GameMatch,
        until: MatchMode,
        fact: &mut dyn FnMut(usize) -> bool,
    ) -> bool {
        let mut is_fulfilled = false;
        self.scan_line(line, seen, until, |seen| {
            is_fulfilled = self.holds(seen, fact);
            !is_fulfilled
        });
        is_fulfilled
    }

    /// The plies of a packed line from a position at which what fulfils the query begins.
    pub fn fulfilled_plies(
        &self,
        line: (&AnyPosition, &[u8]),
        seen: &mut GameMatch,
        fact: &mut dyn FnMut(usize) -> bool,
    ) -> PlySet {
        let mut plies = PlySet::default();
        self.scan_line(line, seen, MatchMode::End, |seen| {
            plies.add(&self.plies(seen, fact));
            true
        });
        plies
    }
}
