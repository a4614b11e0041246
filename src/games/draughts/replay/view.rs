//! Main lines of draughts as queries see them: a replay on the engine's four sets of cells,
//! with no keys and no check of what is legal.

use super::pack;
use crate::games::view::{ANY, EMPTY, MoveInfo, PieceSets, PositionView, PositionVisitor, code_of};
use crate::games::{
    GameDisplay, GameEnd, GamePosition,
    draughts::{
        Draughts,
        rules::{
            DraughtsPosition, DraughtsState, EngineMove,
            grid::{CellSet, EngineGrid, on_grid},
        },
    },
};

/// The codes of men and kings by side.
const MEN: [u8; 2] = [code_of('M'), code_of('m')];
const KINGS: [u8; 2] = [code_of('K'), code_of('k')];

/// A ply of a line.
#[derive(Debug, Clone, Copy)]
enum ViewPly<S> {
    Move(EngineMove<S>),
    /// The turn passes, or pieces are placed by hand.
    ByHand,
}

/// A position of a main line, with those around it.
struct DraughtsView<'a, S> {
    start: &'a Draughts,
    before: &'a DraughtsState<S>,
    at: &'a DraughtsState<S>,
    after: &'a DraughtsState<S>,
    ply: u32,
    next: Option<ViewPly<S>>,
    last: Option<ViewPly<S>>,
}

impl<S: CellSet> DraughtsView<'_, S> {
    fn with(&self, position: DraughtsPosition) -> Draughts {
        Draughts {
            position,
            ..*self.start
        }
    }

    fn sets(&self, at: &DraughtsState<S>) -> PieceSets {
        self.with(at.widen()).sets()
    }

    #[inline]
    fn deed_of(
        &self,
        before: &DraughtsState<S>,
        ply: ViewPly<S>,
        after: &DraughtsState<S>,
    ) -> MoveInfo {
        match ply {
            ViewPly::Move(ref m) => next_move(before, m),
            ViewPly::ByHand => {
                let side = usize::from(before.turn);
                MoveInfo::between(&self.sets(before), &self.sets(after), side)
            }
        }
    }
}

/// A move as a query sees it.
#[inline]
fn next_move<S: CellSet>(before: &DraughtsState<S>, m: &EngineMove<S>) -> MoveInfo {
    let side = usize::from(before.turn & 1);
    let taken = |of: S, code: u8| u64::from(!(of & m.captured).is_empty()) << code;
    // Only what takes can come back to where it began.
    if m.from == m.to && m.captured.is_empty() {
        return MoveInfo::default();
    }
    let is_king = before.kings.has(m.from);
    MoveInfo {
        piece: [MEN, KINGS][usize::from(is_king)][side],
        from: 1 << m.from,
        to: 1 << m.to,
        taken: taken(before.foe_men, MEN[side ^ 1]) | taken(before.foe_kings, KINGS[side ^ 1]),
        jumps: m.captured.count(),
        promoted: if m.promotes { KINGS[side] } else { EMPTY },
        ..MoveInfo::default()
    }
}

impl<S: CellSet> PositionView for DraughtsView<'_, S> {
    const IS_WIDE: bool = size_of::<S>() > 8;

    #[inline]
    fn pieces(&self, code: u8) -> u128 {
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
    fn next_move(&self) -> Option<MoveInfo> {
        Some(self.deed_of(self.at, self.next?, self.after))
    }

    #[inline]
    fn last(&self) -> Option<MoveInfo> {
        Some(self.deed_of(self.before, self.last?, self.at))
    }

    #[inline]
    fn is_set_up(&self) -> bool {
        matches!(self.last, Some(ViewPly::ByHand))
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

/// Shows every position of a packed line to a visitor.
pub(in crate::modules::games::draughts) fn show(
    start: &Draughts,
    plies: &[u8],
    watch: &mut impl PositionVisitor,
) {
    on_grid!(start.variant.rules.board, show_on(start, plies, watch));
}

fn show_on<G: EngineGrid>(start: &Draughts, mut plies: &[u8], watch: &mut impl PositionVisitor) {
    // The positions before, here and after take turns in three places; nothing is copied.
    let mut places = [start.position.narrow::<G::Set>(); 3];
    let [before, at, after] = &mut places;
    let (mut before, mut at, mut after) = (before, at, after);
    let mut last = None;
    for ply in 0.. {
        let next = ply_from::<G>(at, &mut plies, after);
        let goes_on = watch.see(&DraughtsView {
            start,
            before,
            at,
            after,
            ply,
            next,
            last,
        });
        if next.is_none() || !goes_on {
            return;
        }
        last = next;
        (before, at, after) = (at, after, before);
    }
}

/// The next ply of a line, which is played.
#[inline]
fn ply_from<G: EngineGrid>(
    at: &DraughtsState<G::Set>,
    plies: &mut &[u8],
    after: &mut DraughtsState<G::Set>,
) -> Option<ViewPly<G::Set>> {
    if pack::is_move(*plies.first()?) {
        let m = pack::unpack_move(at, G::BOARD, plies)?;
        *after = at.play(m.from, m.to, m.promotes, m.captured);
        return Some(ViewPly::Move(m));
    }
    let mut position = at.widen();
    let step = pack::unpack(&position, G::BOARD, plies)?;
    step.play(&mut position);
    *after = position.narrow();
    Some(ViewPly::ByHand)
}
