//! The names of openings along main lines: the keys of boards follow the moves, and nothing else is
//! played.

use super::names;
use crate::games::view::{MoveDelta, PositionView, PositionVisitor, VisitChoice};
use crate::games::{
    NamedOpening, OpeningNames,
    chess::{
        replay::state_bits,
        rules::{ChessBoard, piece},
        view::{self, piece_of},
    },
    key::polyglot,
};

/// The squares of the kings and rooks that may castle at the start, and of the rooks.
const CASTLING: [[(u64, u8); 2]; 2] = {
    const fn touched(king: u8, rook: u8) -> (u64, u8) {
        (1 << king | 1 << rook, rook)
    }
    [
        [touched(4, 7), touched(4, 0)],
        [touched(60, 63), touched(60, 56)],
    ]
};

/// What the moves of a line determine.
pub(super) enum FollowedLine {
    /// Its last name.
    Last(Option<&'static NamedOpening>),
    /// A name depends on whether a pawn can be taken in passing.
    Unsure,
}

/// Follows a line from the standard start position.
struct Follower {
    names: &'static OpeningNames,
    /// Positions that may have a name: their keys, and what was touched before.
    likely: Vec<(u64, u64)>,
    key: u64,
    /// The pawns of both sides.
    pawns: [u64; 2],
    /// The squares that pieces have left or gone to.
    touched: u64,
    /// How many further structures matter, and whether the last ply has made a new one.
    structures: usize,
    is_new: bool,
    /// Whether a pawn may perhaps be taken in passing.
    may_pass: bool,
    /// Whether a name depends on that.
    is_unsure: bool,
}

/// The last name of a main line from the standard start position; only that many structures after
/// the first matter.
pub(super) fn last_named(start: &ChessBoard, plies: &[u8], structures: usize) -> FollowedLine {
    let mut follower = Follower {
        names: names(),
        likely: Vec::with_capacity(names().plies_max() as usize + 1),
        key: polyglot::WHITE_TO_MOVE,
        pawns: [0; 2],
        touched: 0,
        structures,
        is_new: false,
        may_pass: false,
        is_unsure: false,
    };
    view::show(start, plies, &mut follower);
    if follower.is_unsure {
        FollowedLine::Unsure
    } else {
        FollowedLine::Last(follower.last())
    }
}

impl Follower {
    fn exchange(&mut self, piece: u8, square: u8) {
        let piece = piece_of(piece);
        self.key ^= polyglot::PIECES[usize::from(piece & 15)][usize::from(square & 63)];
        if piece::role(piece) == piece::PAWN {
            self.pawns[piece::color(piece)] ^= 1 << (square & 63);
        }
    }

    /// The last name: most positions before it have one as well, which need not be looked up.
    fn last(&self) -> Option<&'static NamedOpening> {
        let mut likely = self.likely.iter().rev();
        likely.find_map(|&(key, touched)| self.names.at(key, || state(touched)))
    }
}

/// What makes a position besides its board, where the pieces on some squares have moved.
fn state(touched: u64) -> u32 {
    let rooks =
        CASTLING.map(|sides| sides.map(|(squares, rook)| (touched & squares == 0).then_some(rook)));
    state_bits(rooks, None)
}

impl PositionVisitor for Follower {
    fn see<S: PositionView>(&mut self, _: &S) -> bool {
        false
    }

    #[inline]
    fn put(&mut self, piece: u8, square: u8) {
        self.exchange(piece, square);
    }

    #[inline]
    fn lift(&mut self, piece: u8, square: u8) {
        self.exchange(piece, square);
        self.touched |= 1 << (square & 63);
        self.is_new = true;
    }

    #[inline]
    fn shift(&mut self, piece: u8, from: u8, to: u8) {
        self.exchange(piece, from);
        self.exchange(piece, to);
        self.touched |= 1 << (from & 63) | 1 << (to & 63);
        let code = piece_of(piece);
        if piece::role(code) == piece::PAWN {
            self.is_new = true;
            let beside = [(to & 7 != 0, to.wrapping_sub(1)), (to & 7 != 7, to + 1)];
            let theirs = self.pawns[piece::color(code) ^ 1];
            self.may_pass = from.abs_diff(to) == 16
                && beside
                    .into_iter()
                    .any(|(is_on, square)| is_on && theirs >> (square & 63) & 1 == 1);
        }
    }

    #[inline]
    fn offer(&mut self, ply: u32, _: MoveDelta, _: impl FnOnce() -> bool) -> VisitChoice {
        if ply > 0 {
            self.key ^= polyglot::WHITE_TO_MOVE;
            if std::mem::take(&mut self.is_new) {
                let Some(left) = self.structures.checked_sub(1) else {
                    return VisitChoice::Enough;
                };
                self.structures = left;
            }
        } else {
            // Pieces that are put down at the start have gone nowhere.
            (self.touched, self.is_new) = (0, false);
        }
        if std::mem::take(&mut self.may_pass) && self.names.is_likely(self.key) {
            self.is_unsure = true;
            return VisitChoice::Enough;
        }
        if self.names.is_likely(self.key) {
            self.likely.push((self.key, self.touched));
        }
        if ply < self.names.plies_max() {
            VisitChoice::PassedBy
        } else {
            VisitChoice::Enough
        }
    }
}
