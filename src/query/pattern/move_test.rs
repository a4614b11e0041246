//! What a query asks of a move, made ready for a board.

use crate::games::view::{MoveDelta, MoveInfo};

/// What a query asks of a move.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a condition of its own"
)]
pub(super) struct MoveTest {
    /// Codes of pieces, as bits; all by default.
    pub(super) pieces: u64,
    pub(super) from: u128,
    pub(super) to: u128,
    /// Castling may be written as king takes rook.
    pub(super) takes_rook: bool,
    /// One of these is taken; 0 asks nothing.
    pub(super) taken: u64,
    /// It takes this many.
    pub(super) jumps: (u32, u32),
    /// It becomes one of these; 0 asks nothing.
    pub(super) promoted: u64,
    /// It becomes nothing else.
    pub(super) stays: bool,
    /// Whether it comes from nowhere, if the query says.
    pub(super) is_drop: Option<bool>,
    /// What takes may leave the board at once: it need not have stood where it goes.
    pub(super) explodes: bool,
    /// Sides of castling as bits 1 and 2; 0 asks nothing.
    pub(super) castles: u8,
    /// It is no castling: a king goes to the square by a step of its own.
    pub(super) steps: bool,
    pub(super) en_passant: bool,
    pub(super) check: bool,
    pub(super) mate: bool,
}

impl MoveTest {
    pub(super) const ANY: Self = Self {
        pieces: !1,
        from: u128::MAX,
        to: u128::MAX,
        takes_rook: false,
        taken: 0,
        jumps: (0, u32::MAX),
        promoted: 0,
        stays: false,
        is_drop: None,
        explodes: false,
        castles: 0,
        steps: false,
        en_passant: false,
        check: false,
        mate: false,
    };

    /// What several conditions ask of one move at least, and whether that is all; `None` if there
    /// are none. Of what they contradict each other in, the first counts.
    pub(super) fn joined<'t>(tests: impl Iterator<Item = &'t Self>) -> Option<(Self, bool)> {
        let mut is_all = true;
        // 0 asks nothing.
        let mut both = |one: u64, other: u64| {
            let common = one & other;
            is_all &= common != 0 || one == 0 || other == 0;
            match (one, common) {
                (0, _) => other,
                (_, 0) => one,
                _ => common,
            }
        };
        let mut contradicts = false;
        let joined = tests.cloned().reduce(|one, other| {
            // A move may take several pieces, one of each kind that is wanted.
            contradicts |= one.taken != other.taken && one.taken != 0 && other.taken != 0
                || one
                    .is_drop
                    .zip(other.is_drop)
                    .is_some_and(|(one, other)| one != other);
            Self {
                pieces: one.pieces & other.pieces,
                from: one.from & other.from,
                to: one.to & other.to,
                takes_rook: one.takes_rook || other.takes_rook,
                taken: if one.taken == 0 {
                    other.taken
                } else {
                    one.taken
                },
                jumps: (
                    one.jumps.0.max(other.jumps.0),
                    one.jumps.1.min(other.jumps.1),
                ),
                promoted: both(one.promoted, other.promoted),
                stays: one.stays || other.stays,
                is_drop: one.is_drop.or(other.is_drop),
                explodes: one.explodes || other.explodes,
                castles: both(one.castles.into(), other.castles.into()) as u8,
                steps: one.steps || other.steps,
                en_passant: one.en_passant || other.en_passant,
                check: one.check || other.check,
                mate: one.mate || other.mate,
            }
        })?;
        Some((joined, is_all && !contradicts))
    }

    /// Whether a move fits, as far as its outline shows.
    #[inline]
    pub(super) const fn may_fit(&self, moving: MoveDelta) -> bool {
        self.pieces >> (moving.piece & 63) & 1 == 1
            && (self.taken == 0 || self.taken & moving.taken != 0)
            && (self.to == u128::MAX || self.to & moving.to != 0)
    }

    /// Whether a move fits; `gives` is whether it gives check, and mate.
    pub(super) fn fits(&self, next_move: &MoveInfo, gives: impl Fn() -> (bool, bool)) -> bool {
        let in_range = |(least, most): (u32, u32), value| least <= value && value <= most;
        // A null move has no piece; a drop comes from nowhere.
        let is_from = self.from == u128::MAX || next_move.from & self.from != 0;
        let goes = if self.takes_rook {
            next_move.to | next_move.rook
        } else {
            next_move.to
        };
        self.pieces >> (next_move.piece & 63) & 1 == 1
            && is_from
            && (self.to == u128::MAX || goes & self.to != 0)
            && (self.taken == 0 || next_move.taken & self.taken != 0)
            && in_range(self.jumps, next_move.jumps)
            && (self.promoted == 0 || self.promoted >> (next_move.promoted & 63) & 1 == 1)
            && !(self.stays && next_move.promoted != 0)
            && self
                .is_drop
                .is_none_or(|asked| asked == (next_move.from == 0))
            && (self.castles == 0 || self.castles & next_move.castles != 0)
            && !(self.steps && next_move.castles != 0)
            && (!self.en_passant || next_move.en_passant)
            && (!self.check || gives().0)
            && (!self.mate || gives().1)
    }
}
