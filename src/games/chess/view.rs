//! Main lines of chess as queries see them: a replay of the squares of all pieces, without a
//! mailbox and without keys.

use std::sync::LazyLock;

use super::rules::{
    ChessBoard, Ply, PlyKind, board,
    packed::{PackedPly, PieceLists},
    piece,
};
use crate::games::view::{
    self, ANY, EMPTY, MoveDelta, MoveInfo, PositionView, PositionVisitor, VisitChoice, code_of,
};
use crate::games::{GameEnd, chess::basics::Position as _};

/// Where the squares of any piece of a side are among those of single pieces, which are at their
/// codes.
const SIDES: [usize; 2] = [7, 15];

/// The codes in queries, by the codes of pieces.
const CODES: [u8; 16] = {
    let letters = *b"?PNBRQK??pnbrqk?";
    let mut codes = [EMPTY; 16];
    let mut piece = 0;
    while piece < 16 {
        if letters[piece] != b'?' {
            codes[piece] = code_of(letters[piece] as char);
        }
        piece += 1;
    }
    codes[SIDES[0]] = ANY[0];
    codes[SIDES[1]] = ANY[1];
    codes
};

/// The reverse; 8, which no piece has, for what chess does not have.
const MEN: [u8; 64] = {
    let mut pieces = [8; 64];
    let mut piece = 16;
    while piece > 0 {
        piece -= 1;
        if piece != 8 {
            pieces[CODES[piece] as usize] = piece as u8;
        }
    }
    pieces
};

/// The piece that a code in queries stands for.
#[inline]
pub(super) const fn piece_of(code: u8) -> u8 {
    MEN[(code & 63) as usize]
}

/// A position of a main line.
#[derive(Debug, Clone)]
struct ChessView {
    lists: PieceLists,
    /// The codes of the pieces by their slots.
    kinds: [[u8; 16]; 2],
    /// The squares of pieces by their codes, and those of [`SIDES`].
    squares: [u64; 16],
    turn: usize,
    ply: u32,
    /// The rooks that may castle as long as nothing was played; a side that castles has the right.
    rooks: [[Option<u8>; 2]; 2],
    /// The square that was passed over when nothing was played.
    passed: Option<u8>,
    /// Whether a side has passed, perhaps while it was in check.
    has_null: bool,
    /// The ply that led here.
    last: Option<PackedPly>,
    /// The ply that leaves.
    next: Option<PackedPly>,
}

const fn bit(square: u8) -> u64 {
    1 << (square & 63)
}

impl ChessView {
    /// At the start of a line; `None` if its plies are not packed by slots.
    fn new(start: &ChessBoard) -> Option<Self> {
        let pieces = start.pieces();
        let lists = PieceLists::new(pieces)?;
        let (mut kinds, mut squares) = ([[piece::NONE; 16]; 2], [0; 16]);
        for (square, &piece) in pieces
            .iter()
            .enumerate()
            .filter(|(_, piece)| **piece != piece::NONE)
        {
            let (color, square) = (piece::color(piece), square as u8);
            squares[usize::from(piece & 15)] |= bit(square);
            squares[SIDES[color]] |= bit(square);
            kinds[color][usize::from(lists.slot_of(color, square))] = piece;
        }
        Some(Self {
            lists,
            kinds,
            squares,
            turn: start.turn(),
            ply: 0,
            rooks: start.castling().rooks(),
            passed: start.en_passant(),
            has_null: false,
            last: None,
            next: None,
        })
    }

    /// Reads the ply that leaves the position; a side (0 White, 1 Black) is to move in it.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "it halves a search through all games")]
    fn read<const US: usize>(&mut self, bytes: &mut &[u8]) -> Option<PackedPly> {
        let (kinds, [white, black]) = (&self.kinds, SIDES.map(|side| self.squares[side]));
        let piece = |slot: u8, _| kinds[US][usize::from(slot & 15)];
        let stands = |square: u8| (white | black) & bit(square) != 0;
        let step = self.lists.read(bytes, US, piece, stands, self.rooks[US])?;
        let theirs = if US == 0 { black } else { white };
        let square = step.captured();
        if theirs & bit(square) == 0 || step.ply().kind() == PlyKind::Null {
            return Some(step);
        }
        let slot = self.lists.slot_of(US ^ 1, square);
        Some(step.taking(self.kinds[US ^ 1][usize::from(slot)], slot))
    }

    /// Puts a piece on an empty square, or takes it away.
    #[inline]
    const fn exchange(&mut self, piece: u8, squares: u64) {
        self.squares[(piece & 15) as usize] ^= squares;
        self.squares[SIDES[piece::color(piece)]] ^= squares;
    }

    /// Plays a ply that was read, and reports what changes to a visitor.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "it halves a search through all games")]
    fn go<const US: usize>(&mut self, step: PackedPly, tell: &mut impl PositionVisitor) {
        let (ply, taken) = (step.ply(), step.taken());
        self.ply += 1;
        if taken != piece::NONE {
            let square = step.captured();
            let last = self.lists.take(US ^ 1, step.taken_slot());
            let kinds = &mut self.kinds[US ^ 1];
            kinds[usize::from(step.taken_slot() & 15)] = kinds[usize::from(last & 15)];
            self.exchange(taken, bit(square));
            tell.lift(code(taken), square);
        }
        self.lists.put_down(step, US);
        let (mut piece, from, mut to) = (step.piece(), ply.from(), ply.to());
        match ply.kind() {
            PlyKind::Plain | PlyKind::EnPassant | PlyKind::DoubleStep => {
                self.exchange(piece, bit(from) ^ bit(to));
                tell.shift(code(piece), from, to);
                return;
            }
            PlyKind::Null => {
                self.has_null = true;
                return;
            }
            PlyKind::Castle => {
                let rook = piece::of(US, piece::ROOK);
                self.exchange(rook, bit(to) ^ bit(Ply::castled_rook(from, to)));
                tell.shift(code(rook), to, Ply::castled_rook(from, to));
                to = Ply::castled_king(from, to);
                self.exchange(piece, bit(from) ^ bit(to));
                tell.shift(code(piece), from, to);
                return;
            }
            _ => piece = piece::of(US, ply.promotion()),
        }
        self.exchange(step.piece(), bit(from));
        self.exchange(piece, bit(to));
        tell.lift(code(step.piece()), from);
        tell.put(code(piece), to);
        self.kinds[US][usize::from(step.slot() & 15)] = piece;
    }

    /// The next ply, if it takes nothing and is nothing special.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "it halves a search through all games")]
    fn quiet<const US: usize>(&self, plies: &[u8]) -> Option<PackedPly> {
        let byte = *plies.first()?;
        let piece = self.kinds[US][usize::from(byte >> 4)];
        let step = self.lists.quiet(byte, US, piece)?;
        let is_taking = self.squares[SIDES[US ^ 1]] & bit(step.ply().to()) != 0;
        (!is_taking).then_some(step)
    }

    /// Shows a position to a visitor; whether to go on.
    #[inline(never)]
    fn shown<const US: usize>(
        &mut self,
        last: Option<PackedPly>,
        next: Option<PackedPly>,
        watch: &mut impl PositionVisitor,
    ) -> bool {
        (self.turn, self.last, self.next) = (US, last, next);
        watch.see(self)
    }

    /// Offers a visitor the position that a ply has led to, and goes on; the ply that was
    /// played, if the line goes on.
    ///
    /// Plies are written down for those who look only: to copy one from where it has just been
    /// written, byte by byte, costs as much as to play it.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "it halves a search through all games")]
    fn proceed<const US: usize, W: PositionVisitor>(
        &mut self,
        last: Option<PackedPly>,
        plies: &mut &[u8],
        watch: &mut W,
    ) -> Option<PackedPly> {
        if let Some(step) = self.quiet::<US>(plies) {
            let ply = step.ply();
            let glance = MoveDelta {
                piece: code(step.piece()),
                taken: 1 << EMPTY,
                to: bit(ply.to()).into(),
                is_special: false,
            };
            match watch.offer(self.ply, glance, || self.is_checked::<US>(last)) {
                VisitChoice::PassedBy => {}
                VisitChoice::Wanted if self.shown::<US>(last, Some(step), watch) => {}
                VisitChoice::Wanted | VisitChoice::Enough => return None,
            }
            *plies = plies.get(1..)?;
            self.ply += 1;
            self.lists.put_down(step, US);
            let both = bit(ply.from()) ^ bit(ply.to());
            if !W::ASKS_FOR_MOVES_ALONE {
                self.squares[usize::from(step.piece() & 15)] ^= both;
            }
            self.squares[SIDES[US]] ^= both;
            watch.shift(glance.piece, ply.from(), ply.to());
            return Some(step);
        }
        let next = self.read::<US>(plies);
        match watch.offer(self.ply, moving(next), || self.is_checked::<US>(last)) {
            VisitChoice::PassedBy => {}
            VisitChoice::Wanted if self.shown::<US>(last, next, watch) => {}
            VisitChoice::Wanted | VisitChoice::Enough => return None,
        }
        let step = next?;
        self.go::<US>(step, watch);
        Some(step)
    }

    /// The square of a side's king, if it has one.
    fn king(&self, color: usize) -> Option<u8> {
        let king = self.squares[usize::from(piece::of(color, piece::KING))];
        (king != 0).then(|| king.trailing_zeros() as u8)
    }

    /// Whether the king of a side that is to move is in check, to which a ply has led.
    #[inline]
    fn is_checked<const US: usize>(&self, last: Option<PackedPly>) -> bool {
        let Some(king) = self.king(US) else {
            return false;
        };
        if let Some(step) = last
            && let ply = step.ply()
            && matches!(ply.kind(), PlyKind::Plain | PlyKind::DoubleStep)
            && !self.has_null
        {
            // What went there attacks the king, or opens a line behind it.
            let of = |role: u8| self.squares[usize::from(piece::of(US ^ 1, role))];
            let lines = [piece::BISHOP, piece::ROOK].map(|role| of(role) | of(piece::QUEEN));
            let occupied = self.squares[SIDES[0]] | self.squares[SIDES[1]];
            return board::does_attack(step.piece(), ply.to(), king, occupied)
                || board::has_line_piece(king, ply.from(), lines) && self.is_attacked(king, US);
        }
        self.is_attacked(king, US)
    }

    /// Whether a square is attacked by the side that is not `us`.
    fn is_attacked(&self, square: u8, us: usize) -> bool {
        self.is_attacked_without(0, square, us)
    }

    /// Likewise, as if there was nothing on some squares.
    fn is_attacked_without(&self, gone: u64, square: u8, us: usize) -> bool {
        let them = us ^ 1;
        let mut roles = [0; 8];
        for role in piece::PAWN..=piece::KING {
            roles[usize::from(role)] = self.squares[usize::from(piece::of(them, role))];
        }
        let theirs = self.squares[SIDES[them]];
        let occupied = (theirs | self.squares[SIDES[us]]) & !gone;
        board::attackers(&roles, theirs, them, square, occupied) != 0
    }

    fn is_check(&self) -> bool {
        let us = self.turn & 1;
        self.king(us).is_some_and(|king| self.is_attacked(king, us))
    }

    /// Whether the side to move certainly has a move, so that no search is needed: it is not in
    /// check, and a pawn that no line piece could pin to its king has a free square before it; or
    /// its king has somewhere to go.
    fn surely_moves(&self) -> bool {
        let us = self.turn & 1;
        let Some(king) = self.king(us) else {
            return false;
        };
        let pawns = self.squares[usize::from(piece::of(us, piece::PAWN))] & !board::lines_of(king);
        let ahead = if us == 0 { pawns << 8 } else { pawns >> 8 };
        let occupied = self.squares[SIDES[0]] | self.squares[SIDES[1]];
        if ahead & !occupied != 0 && !self.is_check() {
            return true;
        }
        let mut steps = board::king_steps(king) & !self.squares[SIDES[us]];
        while steps != 0 {
            if !self.is_attacked_without(bit(king), steps.trailing_zeros() as u8, us) {
                return true;
            }
            steps &= steps - 1;
        }
        false
    }

    /// How the game is over, if it is. Castling rights make no difference: a side that may castle
    /// has another move, too.
    fn end(&self) -> Option<GameEnd> {
        if self.surely_moves() {
            return None;
        }
        let mut pieces = [piece::NONE; 64];
        for (piece, squares) in self.squares.iter().enumerate() {
            if !SIDES.contains(&piece) {
                let mut squares = *squares;
                while squares != 0 {
                    pieces[squares.trailing_zeros() as usize] = piece as u8;
                    squares &= squares - 1;
                }
            }
        }
        let passed = match &self.last {
            None => self.passed,
            Some(step) => {
                let ply = step.ply();
                (ply.kind() == PlyKind::DoubleStep).then(|| u8::midpoint(ply.from(), ply.to()))
            }
        };
        let position = ChessBoard::assemble(&pieces, self.turn, [[None; 2]; 2], passed, (0, 1))?;
        if position.is_checkmate() {
            return Some(GameEnd::Checkmate);
        }
        position.is_stalemate().then_some(GameEnd::Stalemate)
    }
}

/// The code that queries have for a piece.
#[inline]
pub(super) const fn code(piece: u8) -> u8 {
    CODES[(piece & 15) as usize]
}

/// The outline of a ply.
#[inline]
const fn moving(next: Option<PackedPly>) -> MoveDelta {
    match next {
        None => MoveDelta::NOTHING,
        Some(step) => {
            let (ply, piece) = (step.ply(), code(step.piece()));
            let (piece, to) = match ply.kind() {
                PlyKind::Null => (EMPTY, 0),
                PlyKind::Castle => (piece, u64::MAX),
                _ => (piece, bit(ply.to())),
            };
            MoveDelta {
                piece,
                taken: 1 << code(step.taken()),
                to: to as u128,
                is_special: !matches!(ply.kind(), PlyKind::Plain | PlyKind::DoubleStep),
            }
        }
    }
}

/// A ply as a query sees it.
#[inline]
fn next_move(step: PackedPly) -> MoveInfo {
    let (ply, taken) = (step.ply(), step.taken());
    let (from, to, kind) = (ply.from(), ply.to(), ply.kind());
    if kind == PlyKind::Null {
        return MoveInfo::default();
    }
    let bit = |square: u8| u128::from(bit(square));
    let is_castling = kind == PlyKind::Castle;
    let goes = if is_castling {
        Ply::castled_king(from, to)
    } else {
        to
    };
    MoveInfo {
        piece: code(step.piece()),
        from: bit(from),
        to: bit(goes),
        rook: if is_castling { bit(to) } else { 0 },
        taken: if taken == piece::NONE {
            0
        } else {
            1 << code(taken)
        },
        jumps: u32::from(taken != piece::NONE),
        promoted: match ply.promotion() {
            piece::NONE => EMPTY,
            role => code(piece::of(piece::color(step.piece()), role)),
        },
        castles: if is_castling {
            1 + u8::from(to < from)
        } else {
            0
        },
        en_passant: kind == PlyKind::EnPassant,
    }
}

impl PositionView for ChessView {
    const IS_WIDE: bool = false;
    const IS_TOLD: bool = true;

    #[inline]
    fn pieces(&self, code: u8) -> u128 {
        let squares = if code == EMPTY {
            !(self.squares[SIDES[0]] | self.squares[SIDES[1]])
        } else {
            self.squares[usize::from(MEN[usize::from(code & 63)] & 15)]
        };
        squares.into()
    }

    #[inline]
    fn turn(&self) -> usize {
        self.turn
    }

    #[inline]
    fn ply(&self) -> u32 {
        self.ply
    }

    #[inline]
    fn next_move(&self) -> Option<MoveInfo> {
        self.next.map(next_move)
    }

    #[inline]
    fn moving(&self) -> MoveDelta {
        moving(self.next)
    }

    #[inline]
    fn last(&self) -> Option<MoveInfo> {
        self.last.map(next_move)
    }

    fn is_check(&self) -> bool {
        self.is_check()
    }

    fn gives(&self) -> (bool, bool) {
        let Some(step) = self.next else {
            return (false, false);
        };
        let mut after = self.clone();
        if self.turn == 0 {
            after.go::<0>(step, &mut NullVisitor);
        } else {
            after.go::<1>(step, &mut NullVisitor);
        }
        (after.turn, after.last) = (self.turn ^ 1, self.next);
        let check = after.is_check();
        (check, check && after.end() == Some(GameEnd::Checkmate))
    }

    fn end(&self) -> Option<GameEnd> {
        self.end()
    }
}

/// A visitor that needs to know nothing.
struct NullVisitor;

impl PositionVisitor for NullVisitor {
    fn see<S: PositionView>(&mut self, _: &S) -> bool {
        false
    }
}

/// Where nearly all games begin.
static USUAL: LazyLock<Option<(ChessBoard, ChessView)>> = LazyLock::new(|| {
    let start = ChessBoard::initial();
    ChessView::new(&start).map(|at| (start, at))
});

/// Where nearly all games begin, if a game begins there.
fn usual(start: &ChessBoard) -> Option<&'static ChessView> {
    let (usual, scan) = USUAL.as_ref()?;
    let is_usual = usual.pieces() == start.pieces()
        && usual.turn() == start.turn()
        && usual.castling() == start.castling()
        && usual.en_passant() == start.en_passant();
    is_usual.then_some(scan)
}

/// Whether a line from there reports only what differs from where nearly all games begin.
pub(super) fn is_usual(start: &ChessBoard) -> bool {
    usual(start).is_some()
}

/// Shows every position of a packed line to a visitor.
pub(super) fn show(start: &ChessBoard, mut plies: &[u8], watch: &mut impl PositionVisitor) {
    let usual = usual(start);
    let at = usual.map_or_else(|| ChessView::new(start), |at| Some(at.clone()));
    let Some(mut at) = at else {
        return view::show(start, plies, watch);
    };
    let is_known = usual.is_some() && watch.begins_as_usual();
    for (color, kinds) in at.kinds.iter().enumerate().filter(|_| !is_known) {
        for (slot, &piece) in (0..).zip(kinds).filter(|(_, piece)| **piece != piece::NONE) {
            watch.put(code(piece), at.lists.square(color, slot));
        }
    }
    let (mut last, mut is_blacks) = (None, at.turn == 1);
    loop {
        if !is_blacks {
            last = at.proceed::<0, _>(last, &mut plies, watch);
            if last.is_none() {
                return;
            }
        }
        is_blacks = false;
        last = at.proceed::<1, _>(last, &mut plies, watch);
        if last.is_none() {
            return;
        }
    }
}
