//! What a query sees of a game: one position after the other, each with the move that
//! leaves it.

use crate::games::{
    BoardGame, GameEnd, MoveStyle,
    chess::basics::{Board, Color, Role},
    diagram::{Diagram, DiagramPiece, PieceGlyph},
    notation::letters::ENGLISH,
};

/// The codes of pieces in a query: 0 for empty squares, letters by their last six bits.
pub const EMPTY: u8 = 0;
/// Any piece of White, of Black.
pub const ANY: [u8; 2] = [27, 59];

/// The code of a letter, capital for White.
#[inline]
pub const fn code_of(letter: char) -> u8 {
    letter as u8 & 63
}

/// Whether a code stands for a piece, by the code of that.
pub(crate) const fn stands_for(code: u8, piece: u8) -> bool {
    code == piece
        || code == ANY[0] && piece < ANY[0] && piece > EMPTY
        || code == ANY[1] && piece > 32
}

/// The codes of a letter's piece, of both sides, as bits.
pub const fn both_sides(letter: char) -> u64 {
    1 << code_of(letter.to_ascii_uppercase()) | 1 << code_of(letter.to_ascii_lowercase())
}

/// The squares of each piece, by code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PieceSets {
    squares: [u128; 64],
    /// The codes of the pieces on the board, as bits.
    present: u64,
}

impl PieceSets {
    /// A board of these squares, all of them empty.
    pub const fn empty(board: u128) -> Self {
        let mut squares = [0; 64];
        squares[EMPTY as usize] = board;
        Self {
            squares,
            present: 0,
        }
    }

    /// Those of a board, whose squares are the numbers that the game has for them.
    pub fn of(diagram: &Diagram) -> Self {
        let places = || diagram.rows.iter().flatten();
        let played = places().filter_map(|place| place.square);
        let mut sets = Self::empty(played.fold(0, |board, square| board | 1 << square));
        for place in places() {
            if let (Some(square), Some(piece)) = (place.square, place.piece) {
                sets.put_drawn(piece, 1 << square);
            }
        }
        sets
    }

    /// Those of a board of chess.
    pub fn of_chess(board: &Board) -> Self {
        let mut sets = Self::empty(u64::MAX as u128);
        for (side, color) in Color::ALL.into_iter().enumerate() {
            for role in Role::ALL {
                let squares = board.by_piece(role.of(color));
                sets.put_drawn(
                    DiagramPiece::piece(role, side as u8),
                    u64::from(squares).into(),
                );
            }
        }
        sets
    }

    /// Puts pieces that are drawn so on empty squares.
    #[inline]
    pub const fn put_drawn(&mut self, piece: DiagramPiece, squares: u128) {
        let letter = letter_of(piece.letter, piece.shape, piece.side);
        self.put(code_of(letter), piece.side as usize, squares);
    }

    /// Puts pieces of a side (0 White, 1 Black) on empty squares.
    #[inline]
    pub const fn put(&mut self, code: u8, side: usize, squares: u128) {
        self.squares[(code & 63) as usize] |= squares;
        self.squares[ANY[side & 1] as usize] |= squares;
        self.squares[EMPTY as usize] &= !squares;
        self.present |= ((squares != 0) as u64) << (code & 63);
    }

    /// The squares of a piece, by code.
    #[inline]
    pub const fn pieces(&self, code: u8) -> u128 {
        self.squares[(code & 63) as usize]
    }

    /// The codes of the pieces on the board.
    pub fn codes(&self) -> impl Iterator<Item = u8> {
        let mut rest = self.present;
        std::iter::from_fn(move || {
            let code = rest.trailing_zeros() as u8;
            rest &= rest.wrapping_sub(1);
            (code < 64).then_some(code)
        })
    }

    /// The code of what stands on a square; [`EMPTY`] if nothing does.
    pub(crate) fn at(&self, square: u8) -> u8 {
        let mut codes = self.codes();
        let code = codes.find(|code| self.pieces(*code) >> (square & 127) & 1 == 1);
        code.unwrap_or(EMPTY)
    }
}

/// A move as a query sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MoveInfo {
    /// The code of the piece that moves; 0 for none.
    pub piece: u8,
    /// Its square; none of a drop.
    pub from: u128,
    /// Where it goes; of castling, where the king goes.
    pub to: u128,
    /// The square of the rook that castles.
    pub rook: u128,
    /// The codes of the pieces that are taken, as bits.
    pub taken: u64,
    /// How many those are.
    pub jumps: u32,
    /// The code of what it becomes; 0 for nothing else.
    pub promoted: u8,
    /// 1 castling on the h-side, 2 on the a-side, 0 neither.
    pub castles: u8,
    /// A pawn takes where nothing stood.
    pub en_passant: bool,
}

impl MoveInfo {
    /// What has happened between two positions, determined by their pieces alone.
    pub fn between(before: &PieceSets, after: &PieceSets, side: usize) -> Self {
        let own = |sets: &PieceSets| sets.pieces(ANY[side & 1]);
        let theirs = |sets: &PieceSets| sets.pieces(ANY[side & 1 ^ 1]);
        let left = own(before) & !own(after);
        let come = own(after) & !own(before);
        let mut gone = theirs(before) & !theirs(after);
        // Discs that turn are not taken, and the one that was set down is the move.
        let turned = gone & own(after) & !left;
        let is_turning = left == 0 && turned.count_ones() + 1 >= come.count_ones() && turned != 0;
        if is_turning {
            gone = 0;
        }
        let mut next_move = Self {
            from: left,
            to: if is_turning { come & !turned } else { come },
            jumps: gone.count_ones(),
            ..Self::default()
        };
        let mut rest = gone;
        while rest != 0 {
            next_move.taken |= 1 << before.at(rest.trailing_zeros() as u8);
            rest &= rest - 1;
        }
        let of = |letter: char| code_of(cased(letter, side));
        let (king, rook) = (of('K'), of('R'));
        let moved = |code: u8| before.pieces(code) & !after.pieces(code);
        // Of several rooks one may go to where another stood.
        let rooks = before.pieces(rook) != after.pieces(rook);
        if gone == 0 && moved(king) != 0 && rooks && before.pieces(king).is_power_of_two() {
            let is_a_side = after.pieces(rook) & !before.pieces(rook) > after.pieces(king);
            next_move.castles = if is_a_side { 2 } else { 1 };
            next_move.piece = king;
            next_move.from = before.pieces(king);
            next_move.to = after.pieces(king);
            next_move.rook = moved(rook);
            return next_move;
        }
        let arrived = next_move.to.trailing_zeros() as u8;
        let now = if next_move.to == 0 {
            EMPTY
        } else {
            after.at(arrived)
        };
        next_move.piece = match left {
            0 => now,
            _ => before.at(left.trailing_zeros() as u8),
        };
        if left != 0 && now != next_move.piece {
            next_move.promoted = now;
        }
        next_move.en_passant = next_move.piece == of('P') && gone != 0 && gone & next_move.to == 0;
        next_move
    }
}

impl MoveInfo {
    /// A capture after which what took has left the board with what it took, by the squares between
    /// which the move goes.
    fn exploding(self, ends: u128, promoted: u8, side: usize, before: &PieceSets) -> Self {
        let from = ends & before.pieces(ANY[side & 1]);
        let to = ends & !from;
        if !from.is_power_of_two() || !to.is_power_of_two() {
            return self;
        }
        let piece = before.at(from.trailing_zeros() as u8);
        let is_pawn = piece == code_of(cased('P', side));
        Self {
            piece,
            from,
            to,
            promoted,
            en_passant: is_pawn && before.pieces(ANY[side & 1 ^ 1]) & to == 0,
            ..self
        }
    }

    /// A capture that ends where it began, where the boards do not show what took.
    fn coming_back(self, square: u128, [before, after]: [&PieceSets; 2]) -> Self {
        if !square.is_power_of_two() {
            return self;
        }
        let [piece, now] = [before, after].map(|sets| sets.at(square.trailing_zeros() as u8));
        Self {
            piece,
            from: square,
            to: square,
            promoted: if now == piece { EMPTY } else { now },
            ..self
        }
    }
}

/// The letter of a side's piece: 0 White, 1 Black.
pub(crate) const fn cased(letter: char, side: usize) -> char {
    if side == 0 {
        letter
    } else {
        letter.to_ascii_lowercase()
    }
}

/// The minimum that distinguishes moves.
#[derive(Debug, Clone, Copy)]
pub struct MoveDelta {
    /// The code of the piece that moves; [`EMPTY`] if nothing does.
    pub piece: u8,
    /// The codes of what is taken, as bits, perhaps among others.
    pub taken: u64,
    /// The squares to which something goes, perhaps among others.
    pub to: u128,
    /// It castles, promotes, or takes where nothing stood.
    pub is_special: bool,
}

impl MoveDelta {
    /// No move.
    pub const NOTHING: Self = Self {
        piece: EMPTY,
        taken: 0,
        to: 0,
        is_special: false,
    };
}

/// A position of a game, as a query sees it.
pub trait PositionView {
    /// Whether squares have numbers beyond 63.
    const IS_WIDE: bool;
    /// Whether all that changes on the board is reported ([`PositionVisitor::put`] and others), and
    /// positions are offered before they are shown.
    const IS_TOLD: bool = false;
    /// The squares of a piece, by code.
    fn pieces(&self, code: u8) -> u128;
    /// The side to move: 0 White, 1 Black.
    fn turn(&self) -> usize;
    /// Plies from the start of the game.
    fn ply(&self) -> u32;
    /// The move that leaves it; `None` where the game ends.
    fn next_move(&self) -> Option<MoveInfo>;
    /// The outline of that move.
    #[inline]
    fn moving(&self) -> MoveDelta {
        let next_move = self.next_move();
        next_move.map_or(MoveDelta::NOTHING, |next_move| MoveDelta {
            piece: next_move.piece,
            taken: next_move.taken,
            to: next_move.to | next_move.rook,
            is_special: next_move.castles | next_move.promoted != 0 || next_move.en_passant,
        })
    }
    /// That move as databases remember it: by the boards alone.
    #[inline]
    fn told(&self) -> Option<MoveInfo> {
        self.next_move()
    }
    /// The move that led to it; `None` at the start.
    fn last(&self) -> Option<MoveInfo>;
    /// Whether it was set up by hand: its pieces need not be those before it, even if they are as
    /// many.
    #[inline]
    fn is_set_up(&self) -> bool {
        false
    }
    /// Whether the side to move is in check.
    fn is_check(&self) -> bool;
    /// Whether the move that leaves it gives check, and mate.
    fn gives(&self) -> (bool, bool);
    /// Whether and how the game is over here.
    fn end(&self) -> Option<GameEnd>;
}

/// What a visitor wants when a position is offered to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VisitChoice {
    /// To see it.
    Wanted,
    /// To go on without it.
    PassedBy,
    /// Nothing more of the game.
    Enough,
}

/// A visitor that positions are shown to.
pub trait PositionVisitor {
    /// Whether it never wants to see a position that it is [offered](Self::offer): games that
    /// report what changes need not know then where all pieces of a kind are.
    const ASKS_FOR_MOVES_ALONE: bool = false;
    /// Looks at a position; whether to go on.
    fn see<S: PositionView>(&mut self, sight: &S) -> bool;
    /// Learns that the game begins where nearly all games of chess do; whether that is enough
    /// instead of [`put`](Self::put) for each piece.
    #[inline]
    fn begins_as_usual(&mut self) -> bool {
        false
    }
    /// Learns that a piece, by its code, is put on an empty square. Some games report all that
    /// changes on the board before they show a position, beginning with the pieces at the start.
    #[inline]
    fn put(&mut self, _piece: u8, _square: u8) {}
    /// Learns that a piece leaves a square.
    #[inline]
    fn lift(&mut self, _piece: u8, _square: u8) {}
    /// Learns that a piece goes from one square to another that is empty.
    #[inline]
    fn shift(&mut self, piece: u8, from: u8, to: u8) {
        self.lift(piece, from);
        self.put(piece, to);
    }
    /// Is offered the position at a ply that a move leaves (as [`PositionView::moving`] has it) and
    /// may ask whether the side to move is in check: games that report what changes show only what
    /// is wanted.
    #[inline]
    fn offer(
        &mut self,
        _ply: u32,
        _moving: MoveDelta,
        _is_check: impl FnOnce() -> bool,
    ) -> VisitChoice {
        VisitChoice::Wanted
    }
}

/// A position of any game.
struct AnyPositionView<'a, G> {
    at: &'a G,
    next: Option<&'a G>,
    sets: &'a PieceSets,
    ply: u32,
    next_move: Option<MoveInfo>,
    told: Option<MoveInfo>,
    last: Option<MoveInfo>,
}

impl<G: BoardGame> PositionView for AnyPositionView<'_, G> {
    const IS_WIDE: bool = true;

    fn pieces(&self, code: u8) -> u128 {
        self.sets.pieces(code)
    }

    fn turn(&self) -> usize {
        self.at.turn()
    }

    fn ply(&self) -> u32 {
        self.ply
    }

    fn next_move(&self) -> Option<MoveInfo> {
        self.next_move
    }

    fn told(&self) -> Option<MoveInfo> {
        self.told
    }

    fn last(&self) -> Option<MoveInfo> {
        self.last
    }

    fn is_check(&self) -> bool {
        self.at.is_check()
    }

    fn gives(&self) -> (bool, bool) {
        self.next.map_or((false, false), |next| {
            (next.is_check(), next.outcome() == Some(GameEnd::Checkmate))
        })
    }

    fn end(&self) -> Option<GameEnd> {
        self.at.outcome()
    }
}

/// A move between two boards: as the boards alone show it, and as it is.
fn moves_between<G: BoardGame>(at: &G, m: G::Move, boards: [&PieceSets; 2]) -> [MoveInfo; 2] {
    let told = MoveInfo::between(boards[0], boards[1], at.turn());
    if told.jumps == 0 || told.to != 0 {
        return [told; 2];
    }
    let ends = at.marks(m).ends;
    if told.from == 0 {
        return [told.coming_back(ends, boards); 2];
    }
    let written = at.write(m, MoveStyle::Usual, ENGLISH);
    let letter = written
        .split_once('=')
        .and_then(|(_, rest)| rest.chars().next());
    let promoted = letter.map_or(EMPTY, |letter| code_of(cased(letter, at.turn())));
    [told, told.exploding(ends, promoted, at.turn(), boards[0])]
}

impl MoveInfo {
    /// A move from one position to another, whose pieces are known.
    pub(crate) fn of_move<G: BoardGame>(at: &G, m: G::Move, boards: [&PieceSets; 2]) -> Self {
        let [_, of_move] = moves_between(at, m, boards);
        of_move
    }
}

/// Shows every position of a packed line, as long as the visitor wants to see more.
pub fn show<G: BoardGame>(start: &G, mut plies: &[u8], watch: &mut impl PositionVisitor) {
    let (mut at, mut slots) = (start.clone(), start.slots());
    // Of this position and the next, by turns.
    let (mut sets, mut last) = ([at.sets(), PieceSets::empty(0)], None);
    for ply in 0.. {
        let [now, then] = [ply as usize % 2, (ply as usize + 1) % 2];
        let next = at.unpack(&mut slots, &mut plies).map(|m| {
            let mut next = at.clone();
            next.play(m);
            (m, next)
        });
        let deeds = next.as_ref().map(|(m, next)| {
            sets[then] = next.sets();
            moves_between(&at, *m, [&sets[now], &sets[then]])
        });
        let next_move = deeds.map(|[_, next_move]| next_move);
        let next = next.map(|(_, next)| next);
        let goes_on = watch.see(&AnyPositionView {
            at: &at,
            next: next.as_ref(),
            sets: &sets[now],
            ply,
            next_move,
            told: deeds.map(|[told, _]| told),
            last,
        });
        let (Some(next), true) = (next, goes_on) else {
            return;
        };
        (at, last) = (next, next_move);
    }
}
/// The letter that a query has for a piece of a diagram.
pub(crate) const fn letter_of(letter: char, shape: PieceGlyph, side: u8) -> char {
    match (shape, side) {
        (PieceGlyph::Disc, 0) => 'M',
        (PieceGlyph::Disc, _) => 'm',
        (PieceGlyph::Crowned, 0) => 'K',
        (PieceGlyph::Crowned, _) => 'k',
        _ => letter,
    }
}
