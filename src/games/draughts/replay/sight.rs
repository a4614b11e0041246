//! Main lines of draughts as questions see them: a replay on the engine's four sets of cells,
//! with no keys and no look at what is legal.

use super::pack;
use crate::games::{
    Game, GameEnd,
    draughts::{
        Draughts,
        rules::{
            DraughtsState, EngineMove, Position,
            grid::{Bits, EngineGrid, on_grid},
        },
    },
    pattern::{
        Deed, Onlooker, Sets, Sight,
        sight::{ANY, EMPTY, code_of},
    },
};

/// The codes of men and kings by side.
const MEN: [u8; 2] = [code_of('M'), code_of('m')];
const KINGS: [u8; 2] = [code_of('K'), code_of('k')];

/// A ply of a line.
#[derive(Debug, Clone, Copy)]
enum ShownPly<S> {
    Move(EngineMove<S>),
    /// The turn passes, or pieces are placed by hand.
    ByHand,
}

/// A ply with the positions before and behind it.
type Passage<'a, S> = (&'a DraughtsState<S>, ShownPly<S>, &'a DraughtsState<S>);

/// A position of a main line.
struct DraughtsSight<'a, S> {
    start: &'a Draughts,
    at: &'a DraughtsState<S>,
    ply: u32,
    next: Option<(ShownPly<S>, &'a DraughtsState<S>)>,
    last: Option<(&'a DraughtsState<S>, ShownPly<S>)>,
}

impl<S: Bits> DraughtsSight<'_, S> {
    fn with(&self, position: Position) -> Draughts {
        Draughts {
            position,
            ..*self.start
        }
    }

    fn sets(&self, at: &DraughtsState<S>) -> Sets {
        self.with(at.widen()).sets()
    }

    #[inline]
    fn deed_of(&self, (before, ply, after): Passage<'_, S>) -> Deed {
        match ply {
            ShownPly::Move(ref m) => deed(before, m),
            ShownPly::ByHand => {
                let side = usize::from(before.turn);
                Deed::between(&self.sets(before), &self.sets(after), side)
            }
        }
    }
}

/// A move as a question sees it.
#[inline]
fn deed<S: Bits>(before: &DraughtsState<S>, m: &EngineMove<S>) -> Deed {
    let side = usize::from(before.turn & 1);
    let taken = |of: S, code: u8| u64::from(!(of & m.captured).is_empty()) << code;
    let deed = Deed {
        taken: taken(before.foe_men, MEN[side ^ 1]) | taken(before.foe_kings, KINGS[side ^ 1]),
        jumps: m.captured.count(),
        ..Deed::default()
    };
    // Of what comes back to where it began a comparison of boards sees nothing.
    if m.from == m.to {
        return deed;
    }
    let is_king = before.kings.has(m.from);
    Deed {
        man: [MEN, KINGS][usize::from(is_king)][side],
        from: 1 << m.from,
        to: 1 << m.to,
        promoted: if m.promotes { KINGS[side] } else { EMPTY },
        ..deed
    }
}

impl<S: Bits> Sight for DraughtsSight<'_, S> {
    const IS_WIDE: bool = size_of::<S>() > 8;

    #[inline]
    fn men(&self, code: u8) -> u128 {
        let at = self.at;
        let (men, kings) = if code >> 5 == at.turn {
            (at.men, at.kings)
        } else {
            (at.foe_men, at.foe_kings)
        };
        let all = self.start.variant.rules.board.cells();
        let is = |codes: [u8; 2]| codes.contains(&code);
        if is(MEN) {
            men.wide()
        } else if is(KINGS) {
            kings.wide()
        } else if is(ANY) {
            (men | kings).wide()
        } else if code == EMPTY {
            all & !(at.own() | at.foe()).wide()
        } else {
            0
        }
    }

    #[inline]
    fn turn(&self) -> usize {
        usize::from(self.at.turn)
    }

    #[inline]
    fn ply(&self) -> u32 {
        self.ply
    }

    #[inline]
    fn deed(&self) -> Option<Deed> {
        let (ply, after) = self.next?;
        Some(self.deed_of((self.at, ply, after)))
    }

    #[inline]
    fn last(&self) -> Option<Deed> {
        let (before, ply) = self.last?;
        Some(self.deed_of((before, ply, self.at)))
    }

    fn is_check(&self) -> bool {
        false
    }

    fn gives(&self) -> (bool, bool) {
        (false, false)
    }

    fn end(&self) -> Option<GameEnd> {
        self.with(self.at.widen()).outcome()
    }
}

/// Shows every position of a packed line to somebody.
pub(in crate::games::draughts) fn show(start: &Draughts, plies: &[u8], watch: &mut impl Onlooker) {
    on_grid!(start.variant.rules.board, show_on(start, plies, watch));
}

fn show_on<G: EngineGrid>(start: &Draughts, mut plies: &[u8], watch: &mut impl Onlooker) {
    let mut at: DraughtsState<G::Set> = start.position.narrow();
    let mut last = None;
    for ply in 0.. {
        let next = ply_from::<G>(&at, &mut plies);
        let goes_on = watch.see(&DraughtsSight {
            start,
            at: &at,
            ply,
            next: next.as_ref().map(|(ply, after)| (*ply, after)),
            last: last.as_ref().map(|(before, ply)| (before, *ply)),
        });
        let (Some((ply, after)), true) = (next, goes_on) else {
            return;
        };
        last = Some((at, ply));
        at = after;
    }
}

/// The next ply of a line, and the position behind it.
#[inline]
fn ply_from<G: EngineGrid>(
    at: &DraughtsState<G::Set>,
    plies: &mut &[u8],
) -> Option<(ShownPly<G::Set>, DraughtsState<G::Set>)> {
    if pack::is_move(*plies.first()?) {
        let m = pack::unpack_move(at, G::BOARD, plies)?;
        let after = at.play(m.from, m.to, m.promotes, m.captured);
        return Some((ShownPly::Move(m), after));
    }
    let mut position = at.widen();
    let step = pack::unpack(&position, G::BOARD, plies)?;
    step.play(&mut position);
    Some((ShownPly::ByHand, position.narrow()))
}
