//! Replays packed main lines at some hundred million plies a second: no
//! legality, no bitboards, only a mailbox and the keys, updated ply by ply.

use std::sync::LazyLock;

use crate::games::chess::basics::{Chess, Position};

use super::rules::{Board, Ply, PlyKind, Slots, man};
use crate::games::key::{self, Structure, polyglot};
use crate::{
    games,
    games::{Cursor, Placement},
};

/// What beside the pieces and the side to move makes a position: castling
/// rights and the en passant file.
///
/// Four bits each hold a file + 1 (0 for none): the rooks of White's h-side and
/// a-side castling, Black's likewise, and the file on which en passant is legal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct State(u32);

impl State {
    /// Bits of the castling rights.
    pub const CASTLING: u32 = games::CASTLING;
    /// Bits of the en passant file.
    pub const EN_PASSANT: u32 = games::EN_PASSANT;

    /// The state of a whole position; en passant counts where it is legal.
    pub fn of<P: Position>(position: &P) -> Self {
        let mut bits = 0;
        for (i, color) in [
            crate::games::chess::basics::Color::White,
            crate::games::chess::basics::Color::Black,
        ]
        .into_iter()
        .enumerate()
        {
            for (j, side) in [
                crate::games::chess::basics::CastlingSide::KingSide,
                crate::games::chess::basics::CastlingSide::QueenSide,
            ]
            .into_iter()
            .enumerate()
            {
                if let Some(rook) = position.castles().rook(color, side) {
                    bits |= (u32::from(rook.file()) + 1) << (8 * i + 4 * j);
                }
            }
        }
        if let Some(square) = position.legal_ep_square() {
            bits |= (u32::from(square.file()) + 1) << 16;
        }
        Self(bits)
    }

    /// The state of stored bits.
    pub const fn from_bits(bits: u32) -> Self {
        Self(bits)
    }

    /// The twenty bits.
    pub const fn bits(self) -> u32 {
        self.0
    }
}

/// A position in a replay.
#[derive(Debug, Clone)]
pub struct Replay {
    men: [u8; 64],
    turn: usize,
    rooks: [[Option<u8>; 2]; 2],
    castling_squares: u64,
    /// The square just passed over by a double step beside an enemy pawn.
    passed: Option<u8>,
    key: u64,
    structure: Structure,
    ply: u32,
    slots: Slots,
}

static INITIAL: LazyLock<Replay> = LazyLock::new(|| Replay::new(&Chess::default()));

impl Replay {
    /// A replay from the usual start position.
    pub fn initial() -> Self {
        INITIAL.clone()
    }

    /// A replay from any position.
    pub fn new(start: &Chess) -> Self {
        let men = man::codes(start.board());
        let turn = usize::from(start.turn().is_black());
        let mut replay = Self {
            men,
            turn,
            rooks: [[None; 2]; 2],
            castling_squares: 0,
            passed: start.pseudo_legal_ep_square().map(u8::from),
            key: key::board_key(&men, turn),
            structure: Structure::of(&men),
            ply: 0,
            slots: Slots::new(&men),
        };
        for rook in start.castles().castling_rights() {
            let color = man::color(men[usize::from(rook)]);
            let king = start
                .board()
                .king_of(start_color(color))
                .map_or(0, u8::from);
            let rook = u8::from(rook);
            replay.rooks[color][usize::from(rook < king)] = Some(rook);
            replay.castling_squares |= 1 << rook | 1 << king;
        }
        replay
    }

    /// A replay from where an import's board stands.
    pub fn of_board(board: &Board) -> Self {
        let men = *board.men();
        let rooks = *board.rooks();
        let mut replay = Self {
            men,
            turn: board.turn(),
            rooks,
            castling_squares: 0,
            passed: board.en_passant(),
            key: key::board_key(&men, board.turn()),
            structure: Structure::of(&men),
            ply: 0,
            slots: Slots::new(&men),
        };
        replay.find_castling_squares();
        replay
    }

    /// What stands where, as man codes.
    #[inline]
    pub const fn men(&self) -> &[u8; 64] {
        &self.men
    }

    /// The side to move: 0 White, 1 Black.
    #[inline]
    pub const fn turn(&self) -> usize {
        self.turn
    }

    /// Plies played so far.
    #[inline]
    pub const fn ply(&self) -> u32 {
        self.ply
    }

    /// The key of pieces and side to move.
    #[inline]
    pub const fn board_key(&self) -> u64 {
        self.key
    }

    /// The pawns and the material.
    #[inline]
    pub const fn structure(&self) -> Structure {
        self.structure
    }

    /// Castling rights and legal en passant.
    pub fn state(&self) -> State {
        let mut bits = 0;
        for (i, rooks) in self.rooks.iter().enumerate() {
            for (j, rook) in rooks.iter().enumerate() {
                if let Some(rook) = rook {
                    bits |= (u32::from(rook & 7) + 1) << (8 * i + 4 * j);
                }
            }
        }
        if let Some(passed) = self.passed
            && self.is_en_passant_legal()
        {
            bits |= (u32::from(passed & 7) + 1) << 16;
        }
        State(bits)
    }

    /// Whether the pawn that has just made a double step can legally be taken
    /// in passing; rare enough to ask shakmaty.
    fn is_en_passant_legal(&self) -> bool {
        self.to_position()
            .is_some_and(|position| position.legal_ep_square().is_some())
    }

    /// The position as shakmaty knows it; counters are not kept in a replay.
    pub fn to_position(&self) -> Option<Chess> {
        Board::assemble(&self.men, self.turn, &self.rooks, self.passed, (0, 1))
    }

    /// Plays the next ply of `bytes` and returns it; `None` at the end.
    #[inline]
    pub fn step(&mut self, bytes: &mut &[u8]) -> Option<Ply> {
        let ply = self.peek(bytes)?;
        self.play(ply);
        Some(ply)
    }

    /// Takes the next ply off `bytes` without playing it: it must be played next.
    #[inline]
    pub fn peek(&mut self, bytes: &mut &[u8]) -> Option<Ply> {
        self.slots
            .next(bytes, &self.men, self.turn, self.rooks[self.turn])
    }

    /// Plays a ply that [`Self::peek`] gave.
    #[inline]
    pub fn play(&mut self, ply: Ply) {
        let (from, to, kind) = (ply.from(), ply.to(), ply.kind());
        let us = self.turn;
        self.turn ^= 1;
        self.ply += 1;
        self.key ^= polyglot::WHITE_TO_MOVE;
        self.passed = None;
        if kind == PlyKind::Null {
            return;
        }
        if self.castling_squares & (1 << from | 1 << to) != 0 {
            self.lose_castling(from, to);
        }
        let man = self.lift(from);
        if kind == PlyKind::Castle {
            let rook = self.lift(to);
            self.put(Ply::castled_king(from, to), man);
            self.put(Ply::castled_rook(from, to), rook);
            return;
        }
        let captured = if kind == PlyKind::EnPassant {
            from & 56 | to & 7
        } else {
            to
        };
        if self.men[usize::from(captured)] != man::NONE {
            let taken = self.lift(captured);
            self.structure.lift(taken, captured);
        }
        if man::role(man) != man::PAWN {
            self.put(to, man);
            return;
        }
        self.structure.lift(man, from);
        if ply.promotion() == man::NONE {
            self.structure.put(man, to);
            self.put(to, man);
            if kind == PlyKind::DoubleStep {
                let theirs = man::of(us ^ 1, man::PAWN);
                let beside = |square: u8, file: u8| {
                    to & 7 != file && self.men[usize::from(square & 63)] == theirs
                };
                if beside(to.wrapping_sub(1), 0) || beside(to + 1, 7) {
                    self.passed = Some(u8::midpoint(from, to));
                }
            }
        } else {
            let man = man::of(us, ply.promotion());
            self.structure.put(man, to);
            self.put(to, man);
        }
    }

    #[inline]
    fn lift(&mut self, square: u8) -> u8 {
        let man = std::mem::take(&mut self.men[usize::from(square & 63)]);
        self.key ^= polyglot::PIECES[usize::from(man & 15)][usize::from(square & 63)];
        man
    }

    #[inline]
    fn put(&mut self, square: u8, man: u8) {
        self.men[usize::from(square & 63)] = man;
        self.key ^= polyglot::PIECES[usize::from(man & 15)][usize::from(square & 63)];
    }

    #[cold]
    fn lose_castling(&mut self, from: u8, to: u8) {
        for color in 0..2 {
            let moves_king = self.men[usize::from(from)] == man::of(color, man::KING);
            for rook in &mut self.rooks[color] {
                if *rook == Some(from) || *rook == Some(to) || moves_king {
                    *rook = None;
                }
            }
        }
        self.find_castling_squares();
    }

    /// The squares of kings and rooks that have a right left.
    fn find_castling_squares(&mut self) {
        self.castling_squares = 0;
        for color in 0..2 {
            let rooks = self.rooks[color];
            if rooks != [None; 2] {
                let king = self
                    .men
                    .iter()
                    .position(|&man| man == man::of(color, man::KING));
                self.castling_squares |= 1 << king.unwrap_or(0);
                for rook in rooks.into_iter().flatten() {
                    self.castling_squares |= 1 << rook;
                }
            }
        }
    }
}

impl Cursor for Replay {
    type Game = Board;

    fn other_side_key(&self) -> u64 {
        self.key ^ key::polyglot::WHITE_TO_MOVE
    }

    fn ply(&self) -> u32 {
        self.ply
    }

    fn placement(&self) -> Placement {
        games::chess::placement(&self.men)
    }

    /// Nearly all games are looked through here: no list is made of the men.
    #[inline]
    fn has_men_of(&self, other: &Self) -> bool {
        self.men == other.men
    }

    fn position(&self) -> Option<Board> {
        self.to_position().map(|at| Board::from_position(&at))
    }

    #[inline]
    fn structure(&self) -> Structure {
        self.structure
    }

    #[inline]
    fn board_key(&self) -> u64 {
        self.key
    }

    fn state_bits(&self) -> u32 {
        self.state().bits()
    }

    #[inline]
    fn turn(&self) -> usize {
        self.turn
    }

    #[inline]
    fn peek(&mut self, bytes: &mut &[u8]) -> Option<u16> {
        Self::peek(self, bytes).map(Ply::bits)
    }

    #[inline]
    fn play(&mut self, code: u16) {
        Self::play(self, Ply::from_bits(code).unwrap_or(Ply::NULL));
    }
}

const fn start_color(color: usize) -> crate::games::chess::basics::Color {
    if color == 0 {
        crate::games::chess::basics::Color::White
    } else {
        crate::games::chess::basics::Color::Black
    }
}

#[cfg(test)]
mod tests {
    use crate::games::chess::basics::EnPassantMode;
    use shakmaty::zobrist::Zobrist64;

    use super::*;

    fn random(state: &mut u64) -> u64 {
        *state ^= *state << 13;
        *state ^= *state >> 7;
        *state ^= *state << 17;
        *state
    }

    /// Pack a random game with the import's board, replay it, compare every
    /// position and key with shakmaty's.
    fn round_trip(start: &Chess, state: &mut u64) {
        let mut position = start.clone();
        let mut slots = Slots::new(&man::codes(start.board()));
        let mut bytes = Vec::new();
        let mut positions = vec![position.clone()];
        let mut board = Board::from_position(start);
        for _ in 0..300 {
            let legal = position.legal_moves();
            if legal.is_empty() {
                break;
            }
            let castles = legal.iter().find(|m| m.is_castle());
            let m = *castles.unwrap_or(&legal[(random(state) % legal.len() as u64) as usize]);
            let ply = Ply::from_move(&m).expect("no drops in chess");
            slots.push(ply, board.mover(ply), board.captured(ply), &mut bytes);
            board.play(ply);
            position.play_unchecked(m);
            positions.push(position.clone());
        }
        let mut replay = Replay::new(start);
        let mut rest = bytes.as_slice();
        for (ply, position) in positions.iter().enumerate() {
            let replayed = replay.to_position().expect("legal play");
            assert_eq!(replayed.board(), position.board());
            assert_eq!(replayed, *position);
            assert_eq!(replay.state(), State::of(position));
            let fresh = Replay::new(position);
            assert_eq!(replay.board_key(), fresh.board_key());
            assert_eq!(replay.structure(), fresh.structure());
            let Zobrist64(polyglot) = position.zobrist_hash(EnPassantMode::Legal);
            assert_eq!(polyglot_key(&replay), polyglot);
            assert_eq!(replay.step(&mut rest).is_some(), ply + 1 < positions.len());
        }
    }

    /// The whole Polyglot key, for comparison with shakmaty's.
    fn polyglot_key(replay: &Replay) -> u64 {
        let state = replay.state().bits();
        let mut key = replay.board_key();
        for right in 0..4 {
            if state >> (4 * right) & 15 != 0 {
                key ^= polyglot::CASTLING[right];
            }
        }
        if state >> 16 != 0 {
            key ^= polyglot::EN_PASSANT[(state >> 16) as usize - 1];
        }
        key
    }

    #[test]
    fn damage_that_moves_pawns_off_the_board_does_no_harm() {
        let bytes = [
            0x16, 0x00, 0x16, 0x10, 0x10, 0x10, 0x12, 0x12, 0x10, 0x10, 0x10, 0x12, 0x52, 0x10,
            0x10, 0x10, 0x12, 0x52, 0x12, 0x12,
        ];
        let (mut replay, mut rest, mut plies) = (Replay::initial(), &bytes[..], 0);
        while replay.step(&mut rest).is_some() {
            plies += 1;
        }
        assert!(plies <= bytes.len());
    }

    #[test]
    fn packed_games_replay_to_the_same_positions_and_keys() {
        let mut state = 0x1234_5678_9abc_def1;
        for _ in 0..100 {
            round_trip(&Chess::default(), &mut state);
        }
    }

    #[test]
    fn crowded_boards_are_packed_wide() {
        let fen = "rnbqkbnr/pppppppp/8/8/QQQQQQQQ/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let start: Chess = fen
            .parse::<shakmaty::fen::Fen>()
            .expect("a FEN")
            .into_position(crate::games::chess::basics::CastlingMode::Standard)
            .or_else(shakmaty::PositionError::ignore_too_much_material)
            .expect("a position");
        assert!(Slots::new(&man::codes(start.board())).is_wide());
        round_trip(&start, &mut 0x77);
    }
}
