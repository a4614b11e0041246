//! The board an import plays on: bitboards, a mailbox, and just enough legality
//! to determine which piece a written move means.
//!
//! shakmaty's `San::to_move` lists all legal candidates first; here the target's
//! attack set picks the pieces that can reach it and only those are tested, which
//! makes resolving and playing a ply about three times as fast (measured in
//! `benches/README.md`).

mod find;

use std::num::NonZeroU32;

use crate::games::chess::basics::{
    Bitboard, CastlingMode, Chess, Color, FromSetup, Position, Role, Setup, Square,
};
use shakmaty::attacks;

use super::{
    CastlingRooks, piece,
    ply::{Ply, PlyKind},
};

/// A position in play.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChessBoard {
    pieces: [u8; 64],
    roles: [u64; 8],
    colors: [u64; 2],
    turn: usize,
    castling: CastlingRooks,
    /// The square a pawn has just passed over, if it made a double step.
    en_passant: Option<u8>,
    /// Whether the side to move is in check.
    check: bool,
    halfmoves: u32,
    fullmoves: u32,
}

const fn bit(square: u8) -> u64 {
    1 << (square & 63)
}

const fn sq(square: u8) -> Square {
    Square::ALL[(square & 63) as usize]
}

fn squares(mut set: u64) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let square = set.trailing_zeros() as u8;
        set &= set.wrapping_sub(1);
        (square < 64).then_some(square)
    })
}

/// What a rook and a bishop see from every square of an empty board.
const fn lines(diagonal: bool) -> [u64; 64] {
    let mut lines = [0; 64];
    let mut from = 0;
    while from < 64 {
        let mut to = 0;
        while to < 64 {
            let files = (from % 8) as i32 - (to % 8) as i32;
            let ranks = (from / 8) as i32 - (to / 8) as i32;
            let seen = if diagonal {
                files == ranks || files == -ranks
            } else {
                files == 0 || ranks == 0
            };
            if from != to && seen {
                lines[from] |= 1 << to;
            }
            to += 1;
        }
        from += 1;
    }
    lines
}

static DIAGONALS: [u64; 64] = lines(true);
static STRAIGHTS: [u64; 64] = lines(false);

/// The squares on the lines through a square.
#[inline]
pub const fn lines_of(square: u8) -> u64 {
    DIAGONALS[(square & 63) as usize] | STRAIGHTS[(square & 63) as usize]
}

/// The squares that a piece other than a king attacks on an empty board, by its code and its square.
static ATTACKED: [[u64; 64]; 16] = {
    let (diagonals, straights) = (lines(true), lines(false));
    let mut attacked = [[0; 64]; 16];
    let mut from = 0;
    while from < 64 {
        let mut to = 0;
        while to < 64 {
            let files = (to % 8 - from as i32 % 8).abs();
            let ranks = to / 8 - from as i32 / 8;
            let mut side = 0;
            while side < 2 {
                if files == 1 && ranks == 1 - 2 * side as i32 {
                    attacked[piece::of(side, piece::PAWN) as usize][from] |= 1 << to;
                }
                if files * ranks.abs() == 2 {
                    attacked[piece::of(side, piece::KNIGHT) as usize][from] |= 1 << to;
                }
                side += 1;
            }
            to += 1;
        }
        let mut side = 0;
        while side < 2 {
            attacked[piece::of(side, piece::BISHOP) as usize][from] = diagonals[from];
            attacked[piece::of(side, piece::ROOK) as usize][from] = straights[from];
            attacked[piece::of(side, piece::QUEEN) as usize][from] =
                diagonals[from] | straights[from];
            side += 1;
        }
        from += 1;
    }
    attacked
};

/// Whether a piece other than a king, by its code, attacks a square from another.
#[inline]
pub fn does_attack(piece: u8, from: u8, square: u8, occupied: u64) -> bool {
    ATTACKED[usize::from(piece & 15)][usize::from(from & 63)] & bit(square) != 0
        && is_free(from, square, occupied)
}

/// Whether nothing stands between two squares of a line.
#[inline]
fn is_free(from: u8, to: u8, occupied: u64) -> bool {
    attacks::between(sq(from), sq(to)).0 & occupied == 0
}

/// Whether a line piece stands on the line through a king and a square: without one, leaving the
/// square opens no attack on the king. The pieces are those that go diagonally, and straight.
#[inline]
pub fn has_line_piece(king: u8, square: u8, [diagonal, straight]: [u64; 2]) -> bool {
    let (square_bit, at) = (bit(square), usize::from(king & 63));
    let pieces = if DIAGONALS[at] & square_bit != 0 {
        diagonal
    } else if STRAIGHTS[at] & square_bit != 0 {
        straight
    } else {
        return false;
    };
    pieces != 0 && attacks::ray(sq(king), sq(square)).0 & pieces != 0
}

/// The squares beside a king's.
#[inline]
pub fn king_steps(king: u8) -> u64 {
    attacks::king_attacks(sq(king)).0
}

/// The pieces that attack a square: those of `theirs`, who are of the side `them`, of all pieces by
/// their roles.
pub fn attackers(roles: &[u64; 8], theirs: u64, them: usize, square: u8, occupied: u64) -> u64 {
    let of = |role: u8| roles[usize::from(role)];
    let color = Color::from_white(them == 1);
    let found = attacks::knight_attacks(sq(square)).0 & of(piece::KNIGHT)
        | attacks::king_attacks(sq(square)).0 & of(piece::KING)
        | attacks::pawn_attacks(color, sq(square)).0 & of(piece::PAWN);
    let diagonal = DIAGONALS[usize::from(square & 63)] & (of(piece::BISHOP) | of(piece::QUEEN));
    let straight = STRAIGHTS[usize::from(square & 63)] & (of(piece::ROOK) | of(piece::QUEEN));
    let lines = squares((diagonal | straight) & theirs);
    let lines = lines.filter(|&from| is_free(from, square, occupied));
    lines.fold(found & theirs, |found, from| found | bit(from))
}

impl ChessBoard {
    /// The standard start position.
    pub fn initial() -> Self {
        Self::from_position(&Chess::default())
    }

    /// Takes over a legal position.
    pub fn from_position(position: &Chess) -> Self {
        let pieces = piece::codes(position.board());
        let mut board = Self {
            pieces,
            roles: [0; 8],
            colors: [0; 2],
            turn: usize::from(position.turn().is_black()),
            castling: CastlingRooks::of([[None; 2]; 2], |_| 0),
            en_passant: position.pseudo_legal_ep_square().map(u8::from),
            check: position.is_check(),
            halfmoves: position.halfmoves(),
            fullmoves: position.fullmoves().get(),
        };
        for (square, &piece) in pieces.iter().enumerate() {
            if piece != piece::NONE {
                board.roles[usize::from(piece::role(piece))] |= 1 << square;
                board.colors[piece::color(piece)] |= 1 << square;
            }
        }
        let rooks = CastlingRooks::squares_of(position.castles());
        board.castling = CastlingRooks::of(rooks, |color| board.king(color));
        board
    }

    /// The position as shakmaty knows it. `None` if the play led to what shakmaty refuses even when
    /// it is to ignore oddities (not seen so far).
    pub fn to_position(&self) -> Option<Chess> {
        let counters = (self.halfmoves, self.fullmoves);
        let rooks = self.castling.rooks();
        Self::assemble(&self.pieces, self.turn, rooks, self.en_passant, counters)
    }

    /// Puts a shakmaty position together: `turn` is 0 for White, `rooks` the
    /// castling rooks as `[color][h-side, a-side]`, `counters` the half-move
    /// clock and the move number.
    pub fn assemble(
        pieces: &[u8; 64],
        turn: usize,
        rooks: [[Option<u8>; 2]; 2],
        en_passant: Option<u8>,
        counters: (u32, u32),
    ) -> Option<Chess> {
        let setup = Self::setup_of(pieces, turn, rooks, en_passant, counters);
        let mode = CastlingMode::detect(&setup);
        Chess::from_setup(setup, mode)
            .or_else(shakmaty::PositionError::ignore_invalid_ep_square)
            .or_else(shakmaty::PositionError::ignore_too_much_material)
            .or_else(shakmaty::PositionError::ignore_impossible_check)
            .ok()
    }

    /// What stands on the board, whether that can be or not.
    pub fn to_setup(&self) -> Setup {
        let counters = (self.halfmoves, self.fullmoves);
        let rooks = self.castling.rooks();
        Self::setup_of(&self.pieces, self.turn, rooks, self.en_passant, counters)
    }

    fn setup_of(
        pieces: &[u8; 64],
        turn: usize,
        rooks: [[Option<u8>; 2]; 2],
        en_passant: Option<u8>,
        counters: (u32, u32),
    ) -> Setup {
        let mut setup = Setup::empty();
        for (square, &piece) in pieces.iter().enumerate() {
            if let Ok(role) = Role::try_from(u32::from(piece::role(piece))) {
                let color = Color::from_white(piece::color(piece) == 0);
                setup.board.set_piece_at(sq(square as u8), role.of(color));
            }
        }
        setup.turn = Color::from_white(turn == 0);
        setup.castling_rights = rooks
            .iter()
            .flatten()
            .flatten()
            .map(|&rook| sq(rook))
            .collect::<Bitboard>();
        setup.ep_square = en_passant.map(sq);
        setup.halfmoves = counters.0;
        setup.fullmoves = NonZeroU32::new(counters.1).unwrap_or(NonZeroU32::MIN);
        setup
    }

    /// What stands where, as piece codes.
    pub const fn pieces(&self) -> &[u8; 64] {
        &self.pieces
    }

    /// The side to move: 0 White, 1 Black.
    pub const fn turn(&self) -> usize {
        self.turn
    }

    /// The castling rights of both sides.
    #[inline]
    pub const fn castling(&self) -> CastlingRooks {
        self.castling
    }

    /// The square just passed over by a double step beside an enemy pawn.
    #[inline]
    pub const fn en_passant(&self) -> Option<u8> {
        self.en_passant
    }

    /// Whether the side to move is in check.
    pub const fn is_check(&self) -> bool {
        self.check
    }

    /// Whether the king of the side that has just moved can be taken: after a pass in check.
    pub fn can_take_king(&self) -> bool {
        let them = self.turn ^ 1;
        self.attackers(self.king(them), self.turn, self.occupied(), 0) != 0
    }

    /// The number of the next move, and whether it is Black's.
    pub const fn move_number(&self) -> (u32, bool) {
        (self.fullmoves, self.turn == 1)
    }

    fn king(&self, color: usize) -> u8 {
        (self.roles[usize::from(piece::KING)] & self.colors[color]).trailing_zeros() as u8 & 63
    }

    const fn occupied(&self) -> u64 {
        self.colors[0] | self.colors[1]
    }

    /// The pieces of `role` of the side to move.
    const fn ours(&self, role: u8) -> u64 {
        self.roles[role as usize & 7] & self.colors[self.turn]
    }

    /// Pieces of `them` that attack `square` when `occupied` is occupied and the
    /// pieces on `gone` have left the board.
    fn attackers(&self, square: u8, them: usize, occupied: u64, gone: u64) -> u64 {
        attackers(
            &self.roles,
            self.colors[them] & !gone,
            them,
            square,
            occupied,
        )
    }

    /// Whether a line piece of `color` stands on the line through `king` and `square`.
    #[inline]
    fn has_line_piece(&self, king: u8, square: u8, color: usize) -> bool {
        let of = |role: u8| {
            let pieces = self.roles[usize::from(role)] | self.roles[usize::from(piece::QUEEN)];
            pieces & self.colors[color]
        };
        has_line_piece(king, square, [of(piece::BISHOP), of(piece::ROOK)])
    }

    #[inline]
    fn lift(&mut self, square: u8) -> u8 {
        let piece = std::mem::take(&mut self.pieces[usize::from(square & 63)]);
        self.roles[usize::from(piece::role(piece))] &= !bit(square);
        self.colors[piece::color(piece)] &= !bit(square);
        piece
    }

    #[inline]
    fn put(&mut self, square: u8, piece: u8) {
        self.pieces[usize::from(square & 63)] = piece;
        self.roles[usize::from(piece::role(piece))] |= bit(square);
        self.colors[piece::color(piece)] |= bit(square);
    }

    /// The piece that moves in a ply and its square; in a null move its side's king.
    #[inline]
    pub fn mover(&self, ply: Ply) -> (u8, u8) {
        let from = match ply.kind() {
            PlyKind::Null => self.king(self.turn),
            _ => ply.from(),
        };
        (self.pieces[usize::from(from & 63)], from)
    }

    /// The square of the piece that a ply would take, if any.
    #[inline]
    pub fn captured(&self, ply: Ply) -> Option<u8> {
        match ply.kind() {
            PlyKind::Castle | PlyKind::Null => None,
            PlyKind::EnPassant => Some(ply.from() & 56 | ply.to() & 7),
            _ => (self.pieces[usize::from(ply.to())] != piece::NONE).then_some(ply.to()),
        }
    }

    /// Plays a legal ply.
    #[inline]
    pub fn play(&mut self, ply: Ply) {
        let (from, to, kind) = (ply.from(), ply.to(), ply.kind());
        let us = self.turn;
        self.turn ^= 1;
        self.en_passant = None;
        self.halfmoves = self.halfmoves.saturating_add(1);
        self.fullmoves = self.fullmoves.saturating_add(us as u32);
        if kind == PlyKind::Null {
            self.check = false;
            return;
        }
        if self.castling.is_touched(from, to) {
            let kings = [self.king(0), self.king(1)];
            self.castling.lose(from, to, |color| kings[color]);
        }
        if kind == PlyKind::Castle {
            let king = self.lift(from);
            let rook = self.lift(to);
            self.put(Ply::castled_king(from, to), king);
            self.put(Ply::castled_rook(from, to), rook);
            self.check = self.attackers(self.king(us ^ 1), us, self.occupied(), 0) != 0;
            return;
        }
        let mut piece = self.lift(from);
        if kind == PlyKind::EnPassant {
            self.lift(from & 56 | to & 7);
        } else if self.pieces[usize::from(to)] != piece::NONE {
            self.lift(to);
            self.halfmoves = 0;
        }
        if piece::role(piece) == piece::PAWN {
            self.halfmoves = 0;
            if kind == PlyKind::DoubleStep {
                let passed = u8::midpoint(from, to);
                // Kept only where an enemy pawn stands beside: the rest is noise.
                let color = Color::from_white(us == 0);
                let takers = attacks::pawn_attacks(color, sq(passed)).0;
                if takers & self.roles[usize::from(piece::PAWN)] & self.colors[us ^ 1] != 0 {
                    self.en_passant = Some(passed);
                }
            } else if ply.promotion() != piece::NONE {
                piece = piece::of(us, ply.promotion());
            }
        }
        self.put(to, piece);
        self.check = self.gives_check(us, piece, from, to, kind);
    }

    /// Whether the piece that has just gone `from` → `to` gives check, itself or
    /// by opening a line.
    #[inline]
    fn gives_check(&self, us: usize, piece: u8, from: u8, to: u8, kind: PlyKind) -> bool {
        let king = self.king(us ^ 1);
        does_attack(piece, to, king, self.occupied())
            || ((kind == PlyKind::EnPassant || self.has_line_piece(king, from, us))
                && self.attackers(king, us, self.occupied(), 0) != 0)
    }
}
