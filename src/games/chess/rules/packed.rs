//! Main lines at little more than a byte a ply, unpacked without looking for
//! legal moves: a piece is named by its slot in its side's list, its move by four
//! bits.
//!
//! The lists start in the order of the squares (a1, b1, … h8). A captured piece's
//! slot is taken by the last piece of its list, so both sides of the format only
//! have to play the same moves. Four bits by role:
//!
//! | role | bits |
//! |---|---|
//! | pawn | 3 × promotion (0 none, 1 N, 2 B, 3 R, 4 Q) + direction (0 to the a-side, 1 straight, 2 to the h-side); 15 double step |
//! | knight, king | index into the eight steps; king: 8 castles with the rook on its h-side, 9 on its a-side, 10 null move |
//! | bishop | file of the target; +8 on the falling diagonal |
//! | rook | file of the target, or 8 + rank |
//! | queen | as a rook; "to its own file" says that the target follows in a byte of its own |
//!
//! A side of more than sixteen pieces does not fit; such games are stored
//! *wide*, two bytes a ply ([`Ply::bits`], little endian).

use super::{
    piece,
    ply::{Ply, PlyKind},
};

/// Knight steps in square numbers, clockwise from north-north-east.
const KNIGHT_STEPS: [i8; 8] = [17, 10, -6, -15, -17, -10, 6, 15];
/// King steps, clockwise from north.
const KING_STEPS: [i8; 8] = [8, 9, 1, -7, -8, -9, -1, 7];

const CASTLE_H_SIDE: u8 = 8;
const CASTLE_A_SIDE: u8 = 9;
const NULL: u8 = 10;
const DOUBLE_STEP: u8 = 15;

/// Step → index, for the packer; steps lie between -17 and 17.
const fn index_of(steps: [i8; 8]) -> [u8; 35] {
    let mut table = [0xff; 35];
    let mut i = 0;
    while i < 8 {
        table[(steps[i] + 17) as usize] = i as u8;
        i += 1;
    }
    table
}
const KNIGHT_INDEX: [u8; 35] = index_of(KNIGHT_STEPS);
const KING_INDEX: [u8; 35] = index_of(KING_STEPS);

/// The lists of pieces of both sides: which slot stands where.
#[derive(Debug, Clone)]
pub struct PieceLists {
    /// Unused slots are [`NOWHERE`].
    squares: [[u8; 16]; 2],
    count: [u8; 2],
}

const NOWHERE: u8 = 0xff;

impl PieceLists {
    /// The lists of a start position; `None` if a side has more than 16 pieces or
    /// no king (whose slot carries the null move).
    pub fn new(pieces: &[u8; 64]) -> Option<Self> {
        let mut slots = Self {
            squares: [[NOWHERE; 16]; 2],
            count: [0; 2],
        };
        let mut kings = [0; 2];
        for (square, &piece) in pieces.iter().enumerate() {
            if piece != piece::NONE {
                let color = piece::color(piece);
                let slot = slots.count[color];
                *slots.squares[color].get_mut(usize::from(slot))? = square as u8;
                slots.count[color] += 1;
                kings[color] += u8::from(piece::role(piece) == piece::KING);
            }
        }
        (kings == [1, 1]).then_some(slots)
    }

    #[inline]
    fn shift(&mut self, color: usize, slot: u8, to: u8) {
        self.squares[color & 1][usize::from(slot & 15)] = to;
    }

    /// The square of a side's piece by its slot.
    #[inline]
    pub const fn square(&self, color: usize, slot: u8) -> u8 {
        self.squares[color & 1][(slot & 15) as usize] & 63
    }

    /// The slot of a side's piece on a square; any if there is none.
    #[inline]
    pub fn slot_of(&self, color: usize, square: u8) -> u8 {
        const ONES: u128 = u128::MAX / 255;
        // The lowest byte of zeros is found by what it borrows.
        let apart = u128::from_le_bytes(self.squares[color & 1]) ^ (ONES * u128::from(square));
        let zeros = apart.wrapping_sub(ONES) & !apart & ONES << 7;
        (zeros.trailing_zeros() / 8) as u8 & 15
    }

    /// A move of a piece from a square that [`TARGETS`] does not give; castling is done at once.
    #[cold]
    fn rare(
        &mut self,
        (piece, from, code): (u8, u8, u8),
        color: usize,
        rooks: [Option<u8>; 2],
    ) -> Option<(u8, PlyKind)> {
        Some(match (piece::role(piece), code) {
            (piece::PAWN, _) => {
                let ahead: i8 = if color == 0 { 8 } else { -8 };
                let to = from.wrapping_add_signed(ahead).wrapping_add(code % 3);
                (
                    to.wrapping_sub(1) & 63,
                    Ply::kind_of_promotion(code / 3 + 1),
                )
            }
            (piece::KING, NULL) => (0, PlyKind::Null),
            (piece::KING, CASTLE_H_SIDE | CASTLE_A_SIDE) => {
                let rook = rooks[usize::from(code - CASTLE_H_SIDE)]? & 63;
                let slot = self.slot_of(color, from);
                let rook_slot = self.slot_of(color, rook);
                self.shift(color, slot, Ply::castled_king(from, rook));
                self.shift(color, rook_slot, Ply::castled_rook(from, rook));
                (rook, PlyKind::Castle)
            }
            (piece::KING, _) => (
                from.wrapping_add_signed(KING_STEPS[usize::from(code & 7)]) & 63,
                PlyKind::Plain,
            ),
            _ => return None,
        })
    }

    /// Takes the piece of a slot off the board. The slot whose piece has this one from now on.
    #[inline]
    pub fn take(&mut self, color: usize, slot: u8) -> u8 {
        let color = color & 1;
        self.count[color] = self.count[color].wrapping_sub(1);
        let last = self.count[color] & 15;
        let square = std::mem::replace(&mut self.squares[color][usize::from(last)], NOWHERE);
        if slot != last {
            self.shift(color, slot, square);
        }
        last
    }

    /// Reads the next ply off the front of `bytes`, and castles at once if it does: `piece` has
    /// the code of a piece by its slot and its square, `stands` whether something stands on a
    /// square, `rooks` are those that the side may castle with (h-side, a-side). `None` at the
    /// end, and where the bytes make no sense.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "it halves a search through all games")]
    pub fn read(
        &mut self,
        bytes: &mut &[u8],
        color: usize,
        piece: impl Fn(u8, u8) -> u8,
        stands: impl Fn(u8) -> bool,
        rooks: [Option<u8>; 2],
    ) -> Option<PackedPly> {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        let (slot, code) = (byte >> 4, byte & 15);
        let from = self.squares[color & 1][usize::from(slot)] & 63;
        let piece = piece(slot, from) & 15;
        let target = TARGETS[usize::from(piece)][usize::from(code)][usize::from(from)];
        let (to, kind) = if target != RARE {
            let to = target & 63;
            // Looked up, since nothing says beforehand what pawns will do.
            let kind = KINDS[usize::from(target >> 6)][usize::from(stands(to))];
            (to, kind)
        } else if piece::role(piece) == piece::QUEEN {
            let (&to, rest) = bytes.split_first()?;
            *bytes = rest;
            (to & 63, PlyKind::Plain)
        } else {
            self.rare((piece, from, code), color, rooks)?
        };
        Some(PackedPly::new(Ply::new(from, to, kind), piece, slot))
    }

    /// The ply that a byte is of a piece of a slot, by its code, if it goes to another square and
    /// does nothing else, provided that nothing is taken there. Most plies are such.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "it halves a search through all games")]
    pub fn quiet(&self, byte: u8, color: usize, piece: u8) -> Option<PackedPly> {
        let (slot, code) = (byte >> 4, byte & 15);
        let from = self.square(color, slot);
        let target = TARGETS[usize::from(piece & 15)][usize::from(code)][usize::from(from)];
        let kind = match target >> 6 {
            0 => PlyKind::Plain,
            3 => PlyKind::DoubleStep,
            _ => return None,
        };
        Some(PackedPly::new(
            Ply::new(from, target & 63, kind),
            piece,
            slot,
        ))
    }

    /// Sets a piece down where the ply that was read brings it. Castling is done already.
    #[inline]
    pub fn put_down(&mut self, step: PackedPly, color: usize) {
        let ply = step.ply();
        if !matches!(ply.kind(), PlyKind::Castle | PlyKind::Null) {
            self.shift(color, step.slot(), ply.to());
        }
    }
}

/// What a ply is, by the two bits above its target ([`TAKES`] and others), and whether something
/// stands there.
static KINDS: [[PlyKind; 2]; 4] = [
    [PlyKind::Plain; 2],
    [PlyKind::EnPassant, PlyKind::Plain],
    [PlyKind::Plain; 2],
    [PlyKind::DoubleStep; 2],
];

/// A ply off a packed line, and what it takes.
///
/// It is one word, since structs of bytes are handed on through memory, and to read there what
/// has just been written byte by byte costs as much as to play it: searches through all games
/// took 1.4 times as long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PackedPly(u64);

impl PackedPly {
    /// A ply of the piece of a slot, by its code, that takes nothing.
    #[inline]
    const fn new(ply: Ply, piece: u8, slot: u8) -> Self {
        Self(ply.bits() as u64 | (piece as u64) << 16 | (slot as u64) << 24)
    }

    /// The same, taking the piece of a slot of the other side, by its code.
    #[inline]
    pub const fn taking(self, piece: u8, slot: u8) -> Self {
        Self(self.0 & u32::MAX as u64 | (piece as u64) << 32 | (slot as u64) << 40)
    }

    /// The squares, and how.
    #[inline]
    pub const fn ply(self) -> Ply {
        Ply::of_bits(self.0 as u16)
    }

    /// The code of the piece that moves.
    #[inline]
    pub const fn piece(self) -> u8 {
        (self.0 >> 16) as u8
    }

    /// Its slot.
    #[inline]
    pub const fn slot(self) -> u8 {
        (self.0 >> 24) as u8
    }

    /// The code of the piece that is taken; [`piece::NONE`] if none is.
    #[inline]
    pub const fn taken(self) -> u8 {
        (self.0 >> 32) as u8
    }

    /// Its slot; 0 if there is none.
    #[inline]
    pub const fn taken_slot(self) -> u8 {
        (self.0 >> 40) as u8
    }

    /// The square of what it takes, if it takes something.
    #[inline]
    pub const fn captured(self) -> u8 {
        let ply = self.ply();
        match ply.kind() {
            PlyKind::EnPassant => ply.from() & 56 | ply.to() & 7,
            _ => ply.to(),
        }
    }
}

/// Where a piece goes: by its code, the four bits of its move, and its square. From [`TAKES`] on a
/// pawn takes, perhaps in passing, from [`STEPS_TWICE`] on it makes a double step; [`RARE`] is all
/// that needs more than this table.
static TARGETS: [[[u8; 64]; 16]; 16] = {
    let mut table = [[[RARE; 64]; 16]; 16];
    let mut piece = 0;
    while piece < 16 {
        let mut code = 0;
        while code < 16 {
            let mut from = 0;
            while from < 64 {
                table[piece][code][from] = target(piece as u8, code as u8, from as u8);
                from += 1;
            }
            code += 1;
        }
        piece += 1;
    }
    table
};

const TAKES: u8 = 64;
/// The table gives no target.
const RARE: u8 = 128;
const STEPS_TWICE: u8 = 192;

const fn target(piece: u8, code: u8, from: u8) -> u8 {
    match piece::role(piece) {
        piece::PAWN if code < 3 => {
            let ahead = if piece::color(piece) == 0 { 8 } else { -8 };
            let to = from
                .wrapping_add_signed(ahead)
                .wrapping_add(code)
                .wrapping_sub(1)
                & 63;
            if code == 1 { to } else { TAKES | to }
        }
        piece::PAWN if code == DOUBLE_STEP => {
            let ahead = if piece::color(piece) == 0 { 16 } else { -16 };
            STEPS_TWICE | from.wrapping_add_signed(ahead) & 63
        }
        piece::KNIGHT => from.wrapping_add_signed(KNIGHT_STEPS[(code & 7) as usize]) & 63,
        piece::KING if code < 8 => from.wrapping_add_signed(KING_STEPS[code as usize]) & 63,
        piece::BISHOP => {
            let files = (code & 7) as i8 - (from & 7) as i8;
            let by = if code < 8 { 9 } else { -7 };
            from.wrapping_add_signed(files * by) & 63
        }
        piece::QUEEN if code == from & 7 => RARE,
        piece::ROOK | piece::QUEEN => {
            if code < 8 {
                from & 56 | code
            } else {
                (code & 7) << 3 | from & 7
            }
        }
        _ => RARE,
    }
}

/// Writes a main line or reads it back: which piece has which number, while it is played. It holds
/// the lists only; the caller has the board.
#[derive(Debug, Clone)]
pub struct PieceNumbering(Option<PieceLists>);

impl PieceNumbering {
    /// For lines from this position.
    pub fn new(pieces: &[u8; 64]) -> Self {
        Self(PieceLists::new(pieces))
    }

    /// Appends a ply. `piece` is the piece that moves and `from` its square (those of its
    /// side's king in a null move), `captured` the square of a captured piece.
    #[inline]
    pub fn push(
        &mut self,
        ply: Ply,
        (piece, from): (u8, u8),
        captured: Option<u8>,
        out: &mut Vec<u8>,
    ) {
        let Some(slots) = &mut self.0 else {
            out.extend_from_slice(&ply.bits().to_le_bytes());
            return;
        };
        let color = piece::color(piece);
        let to = ply.to();
        let slot = slots.slot_of(color, from & 63);
        let step = || (to.wrapping_sub(from) as i8).wrapping_add(17) as usize;
        let code = match (ply.kind(), piece::role(piece)) {
            (PlyKind::Null, _) => {
                out.push(slot << 4 | NULL);
                return;
            }
            (PlyKind::Castle, _) => {
                let code = if to > from {
                    CASTLE_H_SIDE
                } else {
                    CASTLE_A_SIDE
                };
                let rook_slot = slots.slot_of(color, to);
                slots.shift(color, slot, Ply::castled_king(from, to));
                slots.shift(color, rook_slot, Ply::castled_rook(from, to));
                out.push(slot << 4 | code);
                return;
            }
            (PlyKind::DoubleStep, _) => DOUBLE_STEP,
            (_, piece::PAWN) => {
                let direction = (to & 7) + 1 - (from & 7);
                match ply.promotion() {
                    piece::NONE => direction,
                    promotion => 3 * (promotion - 1) + direction,
                }
            }
            (_, piece::KNIGHT) => KNIGHT_INDEX[step()],
            (_, piece::BISHOP) => {
                let rising = (to > from) == (to & 7 > from & 7);
                to & 7 | if rising { 0 } else { 8 }
            }
            (_, piece::KING) => KING_INDEX[step()],
            _ if from >> 3 == to >> 3 => to & 7,
            _ if from & 7 == to & 7 => 8 | to >> 3,
            _ => from & 7,
        };
        out.push(slot << 4 | code);
        if piece::role(piece) == piece::QUEEN && code == from & 7 {
            out.push(to);
        }
        if let Some(captured) = captured {
            slots.take(color ^ 1, slots.slot_of(color ^ 1, captured));
        }
        slots.shift(color, slot, to);
    }

    /// Takes the next ply off the front of `bytes`. `pieces` is the board before
    /// it, `color` the side to move, `rooks` the squares of its castling rooks
    /// (h-side, a-side). `None` at the end, and where the bytes make no sense.
    #[inline]
    pub fn next(
        &mut self,
        bytes: &mut &[u8],
        pieces: &[u8; 64],
        color: usize,
        rooks: [Option<u8>; 2],
    ) -> Option<Ply> {
        let Some(slots) = &mut self.0 else {
            let (head, rest) = bytes.split_first_chunk::<2>()?;
            *bytes = rest;
            return Ply::from_bits(u16::from_le_bytes(*head));
        };
        let stands = |square: u8| pieces[usize::from(square & 63)] != piece::NONE;
        let piece = |_, from: u8| pieces[usize::from(from)];
        let step = slots.read(bytes, color, piece, stands, rooks)?;
        let (ply, square) = (step.ply(), step.captured());
        if ply.kind() == PlyKind::Null {
            return Some(Ply::NULL);
        }
        if ply.kind() != PlyKind::Castle && stands(square) {
            slots.take(color ^ 1, slots.slot_of(color ^ 1, square));
        }
        slots.put_down(step, color);
        Some(ply)
    }
}
