//! Replays packed main lines at some hundred million plies a second: no
//! legality, no bitboards, only a mailbox and the keys, updated ply by ply.

use super::rules::{CastlingRooks, ChessBoard, PieceNumbering, Ply, PlyKind, piece};
use crate::games::{
    Cursor, Placement, chess,
    chess::basics::{Chess, Position as _},
    key::{self, Structure, polyglot},
};

/// What beside the pieces and the side to move makes a position, as bits: castling
/// rights and the en passant file.
///
/// Four bits each hold a file + 1 (0 for none): the rooks of White's h-side and
/// a-side castling, Black's likewise, and the file on which en passant is legal.
pub(crate) fn state_bits(rooks: [[Option<u8>; 2]; 2], en_passant: Option<u8>) -> u32 {
    let squares = rooks.into_iter().flatten().chain([en_passant]);
    let files = squares.map(|square| square.map_or(0, |square| u32::from(square & 7) + 1));
    files.zip(0..).map(|(file, at)| file << (4 * at)).sum()
}

/// A position in a replay.
#[derive(Debug, Clone)]
pub struct Replay {
    pieces: [u8; 64],
    turn: usize,
    castling: CastlingRooks,
    /// The square just passed over by a double step beside an enemy pawn.
    passed: Option<u8>,
    key: u64,
    structure: Structure,
    ply: u32,
    slots: PieceNumbering,
}

impl Replay {
    /// A replay from where an import's board stands.
    pub fn of_board(board: &ChessBoard) -> Self {
        let pieces = *board.pieces();
        Self {
            pieces,
            turn: board.turn(),
            castling: board.castling(),
            passed: board.en_passant(),
            key: key::board_key(&pieces, board.turn()),
            structure: Structure::of(&pieces),
            ply: 0,
            slots: PieceNumbering::new(&pieces),
        }
    }

    /// The position as shakmaty knows it; counters are not kept in a replay.
    pub fn to_position(&self) -> Option<Chess> {
        let rooks = self.castling.rooks();
        ChessBoard::assemble(&self.pieces, self.turn, rooks, self.passed, (0, 1))
    }

    #[inline]
    fn lift(&mut self, square: u8) -> u8 {
        let piece = std::mem::take(&mut self.pieces[usize::from(square & 63)]);
        self.key ^= polyglot::PIECES[usize::from(piece & 15)][usize::from(square & 63)];
        piece
    }

    #[inline]
    fn put(&mut self, square: u8, piece: u8) {
        self.pieces[usize::from(square & 63)] = piece;
        self.key ^= polyglot::PIECES[usize::from(piece & 15)][usize::from(square & 63)];
    }
}

impl Cursor for Replay {
    type Game = ChessBoard;

    fn other_side_key(&self) -> u64 {
        self.key ^ polyglot::WHITE_TO_MOVE
    }

    fn ply(&self) -> u32 {
        self.ply
    }

    fn placement(&self) -> Placement {
        chess::placement(&self.pieces)
    }

    /// Nearly all games are looked through here: no list is made of the pieces.
    #[inline]
    fn has_pieces_of(&self, other: &Self) -> bool {
        self.pieces == other.pieces
    }

    fn position(&self) -> Option<ChessBoard> {
        self.to_position().map(|at| ChessBoard::from_position(&at))
    }

    #[inline]
    fn structure(&self) -> Structure {
        self.structure
    }

    #[inline]
    fn board_key(&self) -> u64 {
        self.key
    }

    /// Whether the pawn that has just made a double step can legally be taken en passant is left to
    /// shakmaty: it is rare enough.
    fn state_bits(&self) -> u32 {
        let legal = |_: &u8| {
            self.to_position()
                .is_some_and(|at| at.legal_ep_square().is_some())
        };
        state_bits(self.castling.rooks(), self.passed.filter(legal))
    }

    #[inline]
    fn turn(&self) -> usize {
        self.turn
    }

    #[inline]
    fn peek(&mut self, bytes: &mut &[u8]) -> Option<u16> {
        let rooks = self.castling.rooks()[self.turn];
        let ply = self.slots.next(bytes, &self.pieces, self.turn, rooks)?;
        Some(ply.bits())
    }

    #[inline]
    fn play(&mut self, code: u16) {
        let ply = Ply::from_bits(code).unwrap_or(Ply::NULL);
        let (from, to, kind) = (ply.from(), ply.to(), ply.kind());
        let us = self.turn;
        self.turn ^= 1;
        self.ply += 1;
        self.key ^= polyglot::WHITE_TO_MOVE;
        self.passed = None;
        if kind == PlyKind::Null {
            return;
        }
        if self.castling.is_touched(from, to) {
            let king = |color| {
                let king = piece::of(color, piece::KING);
                let found = self.pieces.iter().position(|&piece| piece == king);
                found.map_or(0, |square| square as u8)
            };
            self.castling.lose(from, to, king);
        }
        let piece = self.lift(from);
        if kind == PlyKind::Castle {
            let rook = self.lift(to);
            self.put(Ply::castled_king(from, to), piece);
            self.put(Ply::castled_rook(from, to), rook);
            return;
        }
        let captured = if kind == PlyKind::EnPassant {
            from & 56 | to & 7
        } else {
            to
        };
        if self.pieces[usize::from(captured)] != piece::NONE {
            let taken = self.lift(captured);
            self.structure.lift(taken, captured);
        }
        if piece::role(piece) != piece::PAWN {
            self.put(to, piece);
            return;
        }
        self.structure.lift(piece, from);
        if ply.promotion() == piece::NONE {
            self.structure.put(piece, to);
            self.put(to, piece);
            if kind == PlyKind::DoubleStep {
                let theirs = piece::of(us ^ 1, piece::PAWN);
                let beside = |square: u8, file: u8| {
                    to & 7 != file && self.pieces[usize::from(square & 63)] == theirs
                };
                if beside(to.wrapping_sub(1), 0) || beside(to + 1, 7) {
                    self.passed = Some(u8::midpoint(from, to));
                }
            }
        } else {
            let piece = piece::of(us, ply.promotion());
            self.structure.put(piece, to);
            self.put(to, piece);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::games::chess::basics::{CastlingSide, Color, EnPassantMode, File};
    use shakmaty::zobrist::{Zobrist64, ZobristValue as _};

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
        let mut slots = PieceNumbering::new(&piece::codes(start.board()));
        let mut bytes = Vec::new();
        let mut positions = vec![position.clone()];
        let mut board = ChessBoard::from_position(start);
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
        let mut replay = Replay::of_board(&ChessBoard::from_position(start));
        let mut rest = bytes.as_slice();
        for (ply, position) in positions.iter().enumerate() {
            let replayed = replay.to_position().expect("legal play");
            assert_eq!(replayed.board(), position.board());
            assert_eq!(replayed, *position);
            assert_eq!(replay.state_bits(), state_of(position));
            let fresh = Replay::of_board(&ChessBoard::from_position(position));
            assert_eq!(replay.board_key(), fresh.board_key());
            assert_eq!(replay.structure(), fresh.structure());
            let Zobrist64(polyglot) = position.zobrist_hash(EnPassantMode::Legal);
            assert_eq!(polyglot_key(&replay), polyglot);
            assert_eq!(step(&mut replay, &mut rest), ply + 1 < positions.len());
        }
    }

    fn step(replay: &mut Replay, bytes: &mut &[u8]) -> bool {
        let code = replay.peek(bytes);
        code.inspect(|&code| replay.play(code)).is_some()
    }

    fn state_of(position: &Chess) -> u32 {
        let rooks = CastlingRooks::squares_of(position.castles());
        state_bits(rooks, position.legal_ep_square().map(u8::from))
    }

    /// The complete Polyglot key, for comparison with shakmaty's.
    fn polyglot_key(replay: &Replay) -> u64 {
        let state = replay.state_bits();
        let mut key = Zobrist64(replay.board_key());
        let rights = Color::ALL
            .into_iter()
            .flat_map(|color| CastlingSide::ALL.map(|side| (color, side)));
        for (at, (color, side)) in rights.enumerate() {
            if state >> (4 * at) & 15 != 0 {
                key ^= Zobrist64::zobrist_for_castling_right(color, side);
            }
        }
        if state >> 16 != 0 {
            key ^= Zobrist64::zobrist_for_en_passant_file(File::new((state >> 16) - 1));
        }
        key.0
    }

    #[test]
    fn damage_that_moves_pawns_off_the_board_does_no_harm() {
        let bytes = [
            0x16, 0x00, 0x16, 0x10, 0x10, 0x10, 0x12, 0x12, 0x10, 0x10, 0x10, 0x12, 0x52, 0x10,
            0x10, 0x10, 0x12, 0x52, 0x12, 0x12,
        ];
        let (mut replay, mut rest, mut plies) =
            (Replay::of_board(&ChessBoard::initial()), &bytes[..], 0);
        while step(&mut replay, &mut rest) {
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
        round_trip(&start, &mut 0x77);
    }
}
