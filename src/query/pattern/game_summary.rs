//! The summary of a main line: enough to show of most games that they cannot fulfil a query, and of
//! some queries which games do.

use super::shapes::{
    self, HOMES, KINGS, KNIGHTS, KNIGHTS_RUN, PAWNS, PawnFiles, QUEENS, side_of_king,
};
use crate::games::GameEnd;
use crate::games::view::{
    ANY, EMPTY, MoveDelta, MoveInfo, PositionView, PositionVisitor, VisitChoice,
};

/// What happened in a game, at whatever ply. Databases hold its [key](Self::key).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GameEvent {
    /// Checkmate.
    Mate,
    /// Stalemate.
    Stalemate,
    /// A capture in passing.
    EnPassant,
    /// A move whose boards before and after it allow several squares: what moved is not known for
    /// sure.
    Blurred,
    /// What is known of all games whose traces record pawns, queens, kings and captures as below;
    /// older traces do not.
    Detailed,
    /// A king, by its code, castled on a side: 1 the h-side, 2 the a-side.
    Castling(u8, u8),
    /// A piece became this one, by its code.
    Promotion(u8),
    /// The longest run of a side's moves that all give check: 0 White, 1 Black; from 1 to
    /// [`CHECKS_MAX`], which stands for more as well.
    Checks(usize, u8),
    /// Pawns of a side stood on a file in a shape, by its number.
    Pawns {
        /// The shape.
        shape: u8,
        /// 0 White, 1 Black.
        side: usize,
        /// From 0.
        file: u8,
    },
    /// The queens of both sides had gone, first in one of some stretches of plies, by its number.
    QueensGone(u8),
    /// A side's king stood at home, last in one of some stretches of plies, by its number.
    AtHome(usize, u8),
    /// Knights moved at three plies one after the other.
    KnightsRun,
    /// A piece took another, by their codes.
    Took(u8, u8),
}

/// The longest run of checks that is distinguished from longer ones.
pub const CHECKS_MAX: u8 = 15;

impl GameEvent {
    /// Whether a key is that of a promotion.
    pub const fn is_promotion(key: u16) -> bool {
        key >> 8 == Self::Promotion(0).key() >> 8
    }

    /// Whether traces record it: captures only if few games have them.
    pub const fn is_told(self) -> bool {
        match self {
            Self::Took(piece, taken) => shapes::is_told_capture(piece, taken),
            _ => true,
        }
    }

    /// Whether only [`Detailed`](Self::Detailed) traces record a key.
    pub const fn is_detail(key: u16) -> bool {
        key >> 8 >= 4
    }

    /// Its number in databases.
    pub const fn key(self) -> u16 {
        match self {
            Self::Mate => 0,
            Self::Stalemate => 1,
            Self::EnPassant => 2,
            Self::Blurred => 3,
            Self::Detailed => 4,
            Self::Castling(king, side) => 1 << 8 | (king as u16) << 2 | side as u16,
            Self::Promotion(code) => 2 << 8 | code as u16,
            Self::Checks(side, run) => 3 << 8 | (side as u16) << 4 | run as u16,
            Self::Pawns { shape, side, file } => {
                4 << 8 | (shape as u16) << 4 | (side as u16) << 3 | file as u16
            }
            Self::QueensGone(by) => 5 << 8 | by as u16,
            Self::AtHome(side, last) => 6 << 8 | (side as u16) << 4 | last as u16,
            Self::KnightsRun => 7 << 8,
            Self::Took(piece, taken) => 1 << 12 | (piece as u16) << 6 | taken as u16,
        }
    }
}

/// The places that kinds of pieces have in packed numbers of pieces, as they are met.
///
/// A game has some twenty different numbers of pieces, and other games have most of them as well,
/// so distinguishing known ones from new ones must be cheap. Of sixteen kinds they are one number;
/// there is no game that has more, but a database of several kinds of games may.
#[derive(Debug, Clone)]
pub struct PieceIndex {
    /// By code.
    places: [Option<u8>; 64],
    /// The codes that have a place.
    codes: Vec<u8>,
}

impl Default for PieceIndex {
    fn default() -> Self {
        Self {
            places: [None; 64],
            codes: Vec::with_capacity(Self::MOST),
        }
    }
}

impl PieceIndex {
    const MOST: usize = size_of::<u128>();

    /// What a piece adds to packed numbers; `None` if all places are taken, and not by its like.
    #[inline]
    fn unit(&mut self, code: u8) -> Option<u128> {
        let place = &mut self.places[usize::from(code & 63)];
        if place.is_none() && self.codes.len() < Self::MOST {
            *place = Some(self.codes.len() as u8);
            self.codes.push(code & 63);
        }
        place.map(|place| 1 << (8 * u32::from(place & 15)))
    }

    /// Numbers of pieces as one; what can once be packed always can. `None` if some pieces have no
    /// place.
    pub fn pack(&mut self, pieces: impl Iterator<Item = (u8, u8)>) -> Option<u128> {
        let mut packed = 0;
        for (code, number) in pieces {
            packed += self.unit(code)? * u128::from(number);
        }
        Some(packed)
    }

    /// The codes, ascending, and numbers of pieces that were packed.
    pub fn pieces(&self, packed: u128) -> Vec<(u8, u8)> {
        let codes = self.codes.iter().copied();
        let pieces = codes.zip(packed.to_le_bytes());
        let mut pieces: Vec<(u8, u8)> = pieces.filter(|(_, number)| *number > 0).collect();
        pieces.sort_unstable();
        pieces
    }
}

/// The summary of a game.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GameSummary {
    /// The squares on which each piece ever stood, by its code, ascending; pieces that never were
    /// there are left out.
    pub stood: Vec<(u8, u128)>,
    /// What happened, by keys, each once.
    pub happened: Vec<u16>,
    /// How many of each piece were on the board at a time, [packed](PieceIndex).
    pub counts: Vec<u128>,
    /// Those that cannot be packed: codes, ascending, and numbers.
    pub other_counts: Vec<Vec<(u8, u8)>>,
}

/// Takes the trace of a game that it is shown.
#[derive(Debug)]
pub struct GameSummarizer {
    trace: GameSummary,
    /// They stay from one game to the next.
    places: PieceIndex,
    /// The squares on which each piece stood, by its code.
    stood: [u128; 64],
    /// The codes of the pieces that were there, as bits.
    present: u64,
    /// What is on the board, packed, where that is reported; and whether some of it has no place.
    packed: u128,
    is_unpacked: bool,
    /// The pieces on the board when they were counted last, of both sides.
    pieces: Option<[u32; 2]>,
    /// Whether pieces have come or gone since then, where that is reported.
    is_changed: bool,
    pawns: PawnFiles,
    has_had_no_queens: bool,
    /// Where positions are offered: the last ply, and whether each king is at home.
    ply: u32,
    is_at_home: [bool; 2],
    /// The last ply at which each was.
    last_at_home: [Option<u32>; 2],
    /// The plies up to this one at which knights moved one after the other, and the most.
    knights: (u32, u32),
    /// The side to move, where positions are offered.
    turn: usize,
    /// The checks that each side is giving one after the other, and the most.
    checks: [(u8, u8); 2],
}

impl Default for GameSummarizer {
    fn default() -> Self {
        Self {
            trace: GameSummary::default(),
            places: PieceIndex::default(),
            stood: [0; 64],
            present: 0,
            packed: 0,
            is_unpacked: false,
            pieces: None,
            is_changed: false,
            pawns: PawnFiles::default(),
            has_had_no_queens: false,
            ply: 0,
            is_at_home: [false; 2],
            last_at_home: [None; 2],
            knights: (0, 0),
            turn: 0,
            checks: [(0, 0); 2],
        }
    }
}

/// The codes whose bits are set, ascending.
fn codes(mut bits: u64) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let code = bits.trailing_zeros() as u8;
        bits &= bits.wrapping_sub(1);
        (code < 64).then_some(code)
    })
}

impl GameSummarizer {
    /// Begins with another game.
    pub fn clear(&mut self) {
        self.trace.stood.clear();
        self.trace.happened.clear();
        self.trace.counts.clear();
        self.trace.other_counts.clear();
        self.stood = [0; 64];
        self.present = 0;
        (self.packed, self.is_unpacked) = (0, false);
        self.pieces = None;
        self.is_changed = false;
        self.pawns = PawnFiles::default();
        self.has_had_no_queens = false;
        (self.is_at_home, self.last_at_home) = ([false; 2], [None; 2]);
        self.knights = (0, 0);
        self.checks = [(0, 0); 2];
    }

    /// The trace of the game that was shown, and the places of pieces in it.
    pub fn finish(&mut self) -> (&GameSummary, &PieceIndex) {
        for side in 0..2 {
            let run = self.checks[side].1;
            if run > 0 {
                self.happens(GameEvent::Checks(side, run));
            }
            if self.is_at_home[side] {
                self.last_at_home[side] = Some(self.ply);
            }
            let last = self.last_at_home[side];
            if let Some(what) = last.and_then(|last| shapes::at_home(side, last)) {
                self.happens(what);
            }
        }
        if self.knights.1 >= KNIGHTS_RUN {
            self.happens(GameEvent::KnightsRun);
        }
        let happened = &mut self.trace.happened;
        self.pawns.tell(|what| happened.push(what.key()));
        let stood = codes(self.present).map(|code| (code, self.stood[usize::from(code)]));
        self.trace.stood.extend(stood);
        (&self.trace, &self.places)
    }

    fn happens(&mut self, what: GameEvent) {
        if !self.trace.happened.contains(&what.key()) {
            self.trace.happened.push(what.key());
        }
    }

    fn look_at_pieces<S: PositionView>(&mut self, sight: &S) {
        let mut known = 0;
        for code in codes(self.present) {
            let here = sight.pieces(code);
            self.stood[usize::from(code)] |= here;
            known |= here;
        }
        if known == sight.pieces(ANY[0]) | sight.pieces(ANY[1]) {
            return;
        }
        for code in (EMPTY + 1..64).filter(|code| !ANY.contains(code)) {
            let here = sight.pieces(code);
            if here != 0 {
                self.stood[usize::from(code)] |= here;
                self.present |= 1 << code;
            }
        }
    }

    /// Notes how many of each piece there are.
    fn count<S: PositionView>(&mut self, sight: &S) {
        let present = self.present;
        let pieces = || {
            let pieces = codes(present).map(|code| (code, sight.pieces(code).count_ones() as u8));
            pieces.filter(|(_, number)| *number > 0)
        };
        match self.places.pack(pieces()) {
            Some(packed) => self.trace.counts.push(packed),
            None => self.trace.other_counts.push(pieces().collect()),
        }
    }

    /// Looks at what changes only when pieces come and go, except in games that report nothing.
    fn look_at_shapes<S: PositionView>(&mut self, sight: &S) {
        self.pawns.look(PAWNS.map(|code| sight.pieces(code) as u64));
        if !self.has_had_no_queens && QUEENS.iter().all(|code| sight.pieces(*code) == 0) {
            self.has_had_no_queens = true;
            if let Some(what) = shapes::queens_gone(sight.ply()) {
                self.happens(what);
            }
        }
        let taking = if S::IS_TOLD {
            sight.last()
        } else {
            sight.told()
        };
        if let Some(next_move) = taking {
            for taken in codes(next_move.taken) {
                let what = GameEvent::Took(next_move.piece, taken);
                if what.is_told() {
                    self.happens(what);
                }
            }
        }
    }

    fn look_at_move(&mut self, next_move: &MoveInfo) {
        if next_move.promoted != 0 {
            self.happens(GameEvent::Promotion(next_move.promoted));
        }
        if next_move.castles != 0 {
            self.happens(GameEvent::Castling(next_move.piece, next_move.castles));
        }
        if next_move.en_passant {
            self.happens(GameEvent::EnPassant);
        }
        if next_move.from & next_move.from.wrapping_sub(1) != 0
            || next_move.to & next_move.to.wrapping_sub(1) != 0
        {
            self.happens(GameEvent::Blurred);
        }
    }
}

impl GameSummarizer {
    /// Counts checks that follow each other: whether a side has just given one.
    #[inline]
    fn count_check(&mut self, giver: usize, is_check: bool) {
        let (run, most) = &mut self.checks[giver & 1];
        *run = if is_check {
            (*run + 1).min(CHECKS_MAX)
        } else {
            0
        };
        *most = (*most).max(*run);
    }

    /// Counts moves of knights that follow each other, of a piece that moves.
    #[inline]
    fn count_knights(&mut self, piece: u8) {
        let (run, most) = &mut self.knights;
        *run = if piece & 31 == KNIGHTS[0] {
            *run + 1
        } else {
            0
        };
        *most = (*most).max(*run);
    }

    /// Whether what is on the board has changed, in all but squares, since it was counted last.
    fn has_changed<S: PositionView>(&mut self, sight: &S) -> bool {
        if S::IS_TOLD {
            return std::mem::take(&mut self.is_changed);
        }
        self.look_at_pieces(sight);
        let pieces = ANY.map(|code| sight.pieces(code).count_ones());
        let is_promoted = || sight.last().is_some_and(|last| last.promoted != 0);
        self.pieces.replace(pieces) != Some(pieces) || sight.is_set_up() || is_promoted()
    }
}

impl PositionVisitor for GameSummarizer {
    fn see<S: PositionView>(&mut self, sight: &S) -> bool {
        if !S::IS_TOLD || sight.ply() == 0 {
            self.turn = sight.turn() & 1;
            self.count_check(self.turn ^ 1, sight.is_check());
        }
        let has_changed = self.has_changed(sight);
        if has_changed {
            // What was reported of pieces that come and go is already counted.
            if S::IS_TOLD && !self.is_unpacked {
                self.trace.counts.push(self.packed);
            } else {
                self.count(sight);
            }
        }
        if !S::IS_TOLD {
            for side in 0..2 {
                if sight.pieces(KINGS[side]) >> HOMES[side] & 1 == 1 {
                    self.last_at_home[side] = Some(sight.ply());
                }
            }
        }
        if has_changed || !S::IS_TOLD {
            self.look_at_shapes(sight);
        }
        let next_move = sight.told();
        if let Some(next_move) = next_move {
            self.look_at_move(&next_move);
            if !S::IS_TOLD {
                self.count_knights(next_move.piece);
            }
        }
        if next_move.is_none_or(|next_move| next_move.piece == EMPTY) {
            match sight.end() {
                Some(GameEnd::Checkmate) => self.happens(GameEvent::Mate),
                Some(GameEnd::Stalemate | GameEnd::LosingStalemate) => {
                    self.happens(GameEvent::Stalemate);
                }
                _ => {}
            }
        }
        true
    }

    #[inline]
    fn put(&mut self, piece: u8, square: u8) {
        self.present |= 1 << (piece & 63);
        self.stood[usize::from(piece & 63)] |= 1 << (square & 127);
        self.is_changed = true;
        if let Some(side) = side_of_king(piece) {
            self.is_at_home[side] |= square == HOMES[side];
        }
        match self.places.unit(piece) {
            Some(unit) => self.packed = self.packed.wrapping_add(unit),
            None => self.is_unpacked = true,
        }
    }

    #[inline]
    fn lift(&mut self, piece: u8, _square: u8) {
        self.is_changed = true;
        if let Some(unit) = self.places.unit(piece) {
            self.packed = self.packed.wrapping_sub(unit);
        }
    }

    #[inline]
    fn shift(&mut self, piece: u8, from: u8, to: u8) {
        self.stood[usize::from(piece & 63)] |= 1 << (to & 127);
        if let Some(side) = side_of_king(piece) {
            if from == HOMES[side] {
                self.last_at_home[side] = Some(self.ply);
            }
            self.is_at_home[side] = to == HOMES[side];
        }
    }

    #[inline]
    fn offer(
        &mut self,
        ply: u32,
        moving: MoveDelta,
        is_check: impl FnOnce() -> bool,
    ) -> VisitChoice {
        self.ply = ply;
        self.count_knights(moving.piece);
        if ply > 0 {
            self.turn ^= 1;
            self.count_check(self.turn ^ 1, is_check());
        }
        if ply == 0 || self.is_changed || moving.is_special || moving.piece == EMPTY {
            VisitChoice::Wanted
        } else {
            VisitChoice::PassedBy
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;
    use crate::games::view;
    use crate::games::{
        BoardGame, Budget, GameCodec, GamePosition, chess::rules::ChessBoard,
        language::ExpectedNotation, variant::ALL,
    };

    const STARTS: [&str; 6] = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "4k2r/P6P/8/3pP3/8/8/p6p/4K2R w Kk d6 0 1",
        "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1",
        "7k/8/8/8/1b2q3/8/3NPP2/4K2R b K - 0 1",
        "3qk3/8/8/8/8/2n5/8/R3KQ1R w KQ - 0 1",
        "8/2P1k3/8/8/3Rr3/8/1p1K4/8 w - - 0 1",
    ];

    proptest! {
        #[test]
        fn what_is_told_is_what_is_seen(
            start in 0..STARTS.len(),
            choices in prop::collection::vec(any::<prop::sample::Index>(), 0..120),
            null in 0usize..200,
            // How many places pieces have that are not there.
            placed in 0u8..16,
        ) {
            let read = <ChessBoard as BoardGame>::start_of_fen(&ALL[0], STARTS[start], ExpectedNotation::default());
            let start = read.unwrap().0.at;
            let (mut at, mut slots, mut line) = (start.clone(), GameCodec::slots(&start), Vec::new());
            for (ply, choice) in choices.iter().enumerate() {
                let mut legal = Vec::new();
                at.legal(Budget::default(), &mut legal).unwrap();
                if legal.is_empty() {
                    break;
                }
                let m = if ply == null { ChessBoard::NULL } else { *choice.get(&legal) };
                at.pack(m, &mut slots, &mut line);
                GamePosition::play(&mut at, m);
            }
            let (mut told, mut seen) = (GameSummarizer::default(), GameSummarizer::default());
            for tracer in [&mut told, &mut seen] {
                for code in 0..placed {
                    tracer.places.unit(b'a' + code);
                }
            }
            start.show(&line, &mut told);
            view::show(&start, &line, &mut seen);
            // What happened at one ply may be reported in another order.
            let [told, seen] = [&mut told, &mut seen].map(|tracer| {
                let (trace, places) = tracer.finish();
                let packed = trace.counts.iter().map(|packed| places.pieces(*packed));
                let counts: BTreeSet<_> = packed.chain(trace.other_counts.clone()).collect();
                let mut happened = trace.happened.clone();
                happened.sort_unstable();
                (trace.stood.clone(), happened, counts)
            });
            prop_assert_eq!(told, seen);
        }
    }
}
