//! Somebody who looks through a game for the moments of a question.

use super::{
    Link, Pattern,
    lanes::{MoveChain, WantedPositions},
    needs::NeededMen,
    program::{QuestionPart, SeenPosition},
    sight::{Glance, Offered, Onlooker, Sets, Sight},
    times::{self, ChainStep, Plies},
};
use crate::games::chess::basics::Board;

/// How far a game is looked through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LookUntil {
    /// To its end: all plies are wanted.
    End,
    /// Until it is known whether the question is fulfilled.
    Decided,
    /// The same, of a game in which nothing is promoted: men that have gone do not come back.
    DecidedByMen,
}

/// What was seen of a game.
#[derive(Debug, Default)]
pub struct GameSeen {
    /// Where each condition holds.
    sets: Vec<Plies>,
    /// Where each chain of moments begins.
    begins: Vec<Plies>,
    /// How far each chain has come.
    progress: Vec<ChainProgress>,
    /// Whether that is all that was asked.
    is_quick: bool,
    /// Where facts of its moves hold, by their numbers.
    given: Vec<Plies>,
}

impl GameSeen {
    /// Says of the game that is to be looked through next where facts of its moves hold, by
    /// their numbers; of those that are not named nothing does.
    pub fn give(&mut self, given: Vec<Plies>) {
        self.given = given;
    }

    /// Whether a chain of moments was found.
    pub(super) fn holds(&self, chain: usize) -> bool {
        if self.is_quick {
            self.progress[chain].is_done
        } else {
            !self.begins[chain].is_empty()
        }
    }

    /// Where it begins, if all plies were asked for.
    pub(super) fn begins(&self, chain: usize) -> &Plies {
        &self.begins[chain]
    }
}

/// How far a chain of moments has come.
#[derive(Debug, Default)]
struct ChainProgress {
    is_done: bool,
    /// The last ply at which the chain has come to each of its moments.
    reached: Vec<Option<u32>>,
}

impl ChainProgress {
    fn clear(&mut self, moments: usize) {
        self.is_done = false;
        self.reached.clear();
        self.reached.resize(moments, None);
    }

    /// Looks at a ply; whether the chain is done with it.
    #[inline]
    fn advance(
        &mut self,
        chain: &[ChainStep],
        ply: u32,
        mut holds: impl FnMut(usize) -> bool,
    ) -> bool {
        // The later moments first: none follows one of the same ply.
        for at in (0..chain.len()).rev() {
            let is_open = at == 0
                || match (self.reached[at - 1], chain[at].link) {
                    (None, _) => false,
                    (Some(_), Link::Then) => true,
                    (Some(before), Link::Within(plies)) => ply - before <= plies,
                };
            let is_wanted = is_open
                // What has come so far may go on from any later ply.
                && !(self.reached[at].is_some()
                    && matches!(chain.get(at + 1), Some(next) if next.link == Link::Then));
            if is_wanted && chain[at].any.iter().any(|&node| holds(node)) {
                self.reached[at] = Some(ply);
                self.is_done |= at + 1 == chain.len();
            }
        }
        self.is_done
    }
}

/// The usual start of chess, as somebody has it to whom all its men were told.
#[derive(Debug, Clone)]
pub(super) struct UsualStart {
    counts: [u8; 64],
    sums: u64,
}

impl UsualStart {
    /// That of a question that asks for certain positions.
    pub(super) fn of(wanted: Option<&WantedPositions>) -> Self {
        let sets = Sets::of_chess(&Board::default());
        let mut start = Self {
            counts: [0; 64],
            sums: wanted.map_or(0, WantedPositions::empty),
        };
        for code in sets.codes() {
            let squares = sets.men(code);
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
    /// Somebody who looks through a game and answers afterwards.
    pub fn watcher<'p>(&'p self, seen: &'p mut GameSeen, until: LookUntil) -> AnyWatcher<'p> {
        let is_quick =
            until != LookUntil::End && self.chains.iter().flatten().all(|moment| moment.times == 1);
        seen.is_quick = is_quick;
        if is_quick {
            seen.progress
                .resize_with(self.chains.len(), ChainProgress::default);
            for (progress, chain) in seen.progress.iter_mut().zip(&self.chains) {
                progress.clear(chain.len());
            }
        } else {
            seen.sets.resize_with(self.nodes.len(), Plies::default);
            seen.begins.resize_with(self.chains.len(), Plies::default);
            seen.sets.iter_mut().for_each(Plies::clear);
        }
        let watcher = Watcher {
            pattern: self,
            seen,
            wanted: self.wanted.as_ref(),
            summed: self.wanted.as_ref().filter(|wanted| wanted.has_sums()),
            needed: (self.needed.as_ref()).filter(|_| is_quick && until == LookUntil::DecidedByMen),
            counts: [0; 64],
            is_hopeless: false,
            last_ply: self.last_ply,
            sums: self.wanted.as_ref().map_or(0, WantedPositions::empty),
        };
        match self.moves.as_ref().filter(|_| is_quick) {
            None => AnyWatcher::OfPositions(watcher),
            Some(chain) => AnyWatcher::OfMoves(MoveWatcher {
                chain,
                come: 0,
                watcher,
            }),
        }
    }
}

/// Whoever is enough for a question.
#[derive(Debug)]
pub enum AnyWatcher<'p> {
    /// Moves alone tell.
    OfMoves(MoveWatcher<'p>),
    /// Positions are looked at.
    OfPositions(Watcher<'p>),
}

/// Looks through a game.
#[derive(Debug)]
pub struct Watcher<'p> {
    pattern: &'p Pattern,
    seen: &'p mut GameSeen,
    wanted: Option<&'p WantedPositions>,
    /// The same where sums are to be kept.
    summed: Option<&'p WantedPositions>,
    /// The men that must be there, how many there are of each, by code, and whether there are
    /// not enough any more.
    needed: Option<&'p NeededMen>,
    counts: [u8; 64],
    is_hopeless: bool,
    last_ply: u32,
    /// Of the board, as `wanted` has them.
    sums: u64,
}

impl Watcher<'_> {
    /// Puts the moments of the game together.
    pub fn finish(self) {
        if self.seen.is_quick {
            return;
        }
        for (begins, chain) in self.seen.begins.iter_mut().zip(&self.pattern.chains) {
            *begins = times::begins(chain, &self.seen.sets);
        }
    }

    /// Looks at a position; whether it decides the question.
    #[inline]
    fn decides<S: Sight>(&mut self, sight: &S) -> bool {
        let (seen, nodes) = (
            SeenPosition::new(sight, &self.seen.given),
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

    /// Whether what was found decides the question, whatever else will be.
    fn is_decided(&self) -> bool {
        let known = self.pattern.known(&mut |part| match part {
            QuestionPart::Chain(at) => self.seen.progress[at].is_done.then_some(true),
            QuestionPart::Fact(_) => None,
        });
        known.is_some()
    }
}

impl Onlooker for Watcher<'_> {
    #[inline]
    fn see<S: Sight>(&mut self, sight: &S) -> bool {
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
    fn put(&mut self, man: u8, square: u8) {
        if self.needed.is_some() {
            self.counts[usize::from(man & 63)] += 1;
        }
        if let Some(wanted) = self.summed {
            self.sums = self.sums.wrapping_add(wanted.weight(man, square));
        }
    }

    #[inline]
    fn lift(&mut self, man: u8, square: u8) {
        if let Some(needed) = self.needed.filter(|needed| needed.counts(man)) {
            let count = &mut self.counts[usize::from(man & 63)];
            *count = count.saturating_sub(1);
            self.is_hopeless = !needed.are_there(&self.counts);
        }
        if let Some(wanted) = self.summed {
            self.sums = self.sums.wrapping_sub(wanted.weight(man, square));
        }
    }

    #[inline]
    fn shift(&mut self, man: u8, from: u8, to: u8) {
        if let Some(wanted) = self.summed {
            let gain = wanted
                .weight(man, to)
                .wrapping_sub(wanted.weight(man, from));
            self.sums = self.sums.wrapping_add(gain);
        }
    }

    #[inline]
    fn offer(&mut self, ply: u32, moving: Glance, _is_check: impl FnOnce() -> bool) -> Offered {
        if self.is_hopeless {
            return Offered::Enough;
        }
        // Behind the last ply a look ends it.
        let is_wanted = (self.wanted).is_none_or(|wanted| wanted.may_hold(self.sums, ply, moving))
            || ply >= self.last_ply;
        if is_wanted {
            Offered::Wanted
        } else {
            Offered::PassedBy
        }
    }
}

/// Looks at the moves of a game alone, where they are told.
#[derive(Debug)]
pub struct MoveWatcher<'p> {
    chain: &'p MoveChain,
    /// How far it has come.
    come: u64,
    watcher: Watcher<'p>,
}

impl MoveWatcher<'_> {
    /// As [`Watcher::finish`].
    pub fn finish(self) {
        self.watcher.finish();
    }
}

impl Onlooker for MoveWatcher<'_> {
    const ASKS_FOR_MOVES_ALONE: bool = true;

    fn see<S: Sight>(&mut self, sight: &S) -> bool {
        self.watcher.see(sight)
    }

    #[inline]
    fn begins_as_usual(&mut self) -> bool {
        self.watcher.begins_as_usual()
    }

    #[inline]
    fn put(&mut self, man: u8, square: u8) {
        self.watcher.put(man, square);
    }

    #[inline]
    fn lift(&mut self, man: u8, square: u8) {
        self.watcher.lift(man, square);
    }

    #[inline]
    fn shift(&mut self, _man: u8, _from: u8, _to: u8) {}

    #[inline]
    fn offer(&mut self, _ply: u32, moving: Glance, _is_check: impl FnOnce() -> bool) -> Offered {
        // What has begun may end without those that have gone meanwhile.
        if self.watcher.is_hopeless && self.come == 0 {
            return Offered::Enough;
        }
        self.come = self.chain.go_on(self.come, moving);
        if self.chain.is_done(self.come) {
            self.watcher.seen.progress[0].is_done = true;
            return Offered::Enough;
        }
        Offered::PassedBy
    }
}
