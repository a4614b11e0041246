//! Main lines of chess as questions see them: a replay of the squares of all men, without a
//! mailbox and without keys.

use std::sync::LazyLock;

use super::rules::{
    Board, Ply, PlyKind, board, man,
    packed::{Lists, PackedPly},
};
use crate::games::{
    GameEnd,
    chess::basics::Position as _,
    pattern::{
        Deed, Onlooker, Sight,
        sight::{self, ANY, EMPTY, code_of},
    },
};

/// Where the squares of any man of a side are among those of single men, which are at their
/// codes; the empty ones are at 0.
const SIDES: [usize; 2] = [7, 15];

/// The codes of questions by the codes of men.
const CODES: [u8; 16] = {
    let letters = *b"?PNBRQK??pnbrqk?";
    let mut codes = [EMPTY; 16];
    let mut man = 0;
    while man < 16 {
        if letters[man] != b'?' {
            codes[man] = code_of(letters[man] as char);
        }
        man += 1;
    }
    codes[SIDES[0]] = ANY[0];
    codes[SIDES[1]] = ANY[1];
    codes
};

/// The other way round; 8, of which there are none, for what chess does not have.
const MEN: [u8; 64] = {
    let mut men = [8; 64];
    let mut man = 16;
    while man > 0 {
        man -= 1;
        if man != 8 {
            men[CODES[man] as usize] = man as u8;
        }
    }
    men
};

/// A position of a main line.
#[derive(Debug, Clone)]
struct Scan {
    lists: Lists,
    /// The codes of the men by their slots.
    kinds: [[u8; 16]; 2],
    /// The squares of men by their codes, and those of [`SIDES`].
    squares: [u64; 16],
    turn: usize,
    ply: u32,
    /// The rooks that may castle as long as nothing was played; whoever castles has the right.
    rooks: [[Option<u8>; 2]; 2],
    /// The square that was passed over when nothing was played.
    passed: Option<u8>,
    /// The ply that led here, and the code of what it took.
    last: Option<(PackedPly, u8)>,
    /// The ply that leaves.
    next: Option<(PackedPly, u8)>,
}

impl Scan {
    /// At the start of a line; `None` if its plies are not packed by slots.
    fn new(start: &Board) -> Option<Self> {
        let men = start.men();
        let lists = Lists::new(men)?;
        let (mut kinds, mut squares) = ([[man::NONE; 16]; 2], [0; 16]);
        for (square, &man) in men.iter().enumerate() {
            squares[usize::from(man & 15)] |= 1 << square;
            if man != man::NONE {
                squares[SIDES[man::color(man)]] |= 1 << square;
                kinds[man::color(man)][usize::from(lists.slot_at(square as u8))] = man;
            }
        }
        Some(Self {
            lists,
            kinds,
            squares,
            turn: start.turn(),
            ply: 0,
            rooks: start.castling().rooks(),
            passed: start.en_passant(),
            last: None,
            next: None,
        })
    }

    /// Reads the ply that leaves the position.
    #[inline]
    fn read(&mut self, bytes: &mut &[u8]) {
        let (us, kinds, empty) = (self.turn, &self.kinds, self.squares[0]);
        let man = |slot: u8, _| kinds[us][usize::from(slot & 15)];
        let stands = |square: u8| empty >> (square & 63) & 1 == 0;
        let read = self.lists.read(bytes, us, man, stands, self.rooks[us]);
        self.next = read.map(|ply| {
            let takes = !matches!(ply.kind, PlyKind::Castle | PlyKind::Null);
            let taken = if takes && stands(ply.captured()) {
                let slot = self.lists.slot_at(ply.captured());
                self.kinds[us ^ 1][usize::from(slot)]
            } else {
                man::NONE
            };
            (ply, taken)
        });
    }

    /// Moves a man, or puts it down, or takes it away: exchanges what is on some squares.
    #[inline]
    const fn exchange(&mut self, man: u8, squares: u64) {
        self.squares[(man & 15) as usize] ^= squares;
        self.squares[SIDES[man::color(man)]] ^= squares;
        self.squares[0] ^= squares;
    }

    /// Plays the ply that was read.
    #[inline]
    fn go(&mut self) {
        let Some((ply, taken)) = self.next else {
            return;
        };
        let us = self.turn;
        self.last = self.next;
        self.turn ^= 1;
        self.ply += 1;
        let bit = |square: u8| 1u64 << (square & 63);
        match ply.kind {
            PlyKind::Null => return,
            PlyKind::Castle => {
                let king = bit(ply.from) ^ bit(Ply::castled_king(ply.from, ply.to));
                let rook = bit(ply.to) ^ bit(Ply::castled_rook(ply.from, ply.to));
                self.exchange(man::of(us, man::KING), king);
                self.exchange(man::of(us, man::ROOK), rook);
                return;
            }
            _ => {}
        }
        let empty = self.squares[0];
        let stands = |square: u8| empty >> (square & 63) & 1 == 0;
        if let Some((square, slot, last)) = self.lists.play(&ply, us, stands) {
            self.exchange(taken, bit(square));
            let kinds = &mut self.kinds[us ^ 1];
            kinds[usize::from(slot & 15)] = kinds[usize::from(last & 15)];
        }
        let promotion = Ply::new(ply.from, ply.to, ply.kind).promotion();
        if promotion == man::NONE {
            self.exchange(ply.man, bit(ply.from) ^ bit(ply.to));
        } else {
            let man = man::of(us, promotion);
            self.exchange(ply.man, bit(ply.from));
            self.exchange(man, bit(ply.to));
            self.kinds[us][usize::from(ply.slot & 15)] = man;
        }
    }

    fn is_check(&self) -> bool {
        let (us, them) = (self.turn & 1, self.turn & 1 ^ 1);
        let of = |color: usize, role: u8| self.squares[usize::from(man::of(color, role))];
        let king = of(us, man::KING);
        if king == 0 {
            return false;
        }
        let mut roles = [0; 8];
        for role in man::PAWN..=man::KING {
            roles[usize::from(role)] = of(them, role);
        }
        let king = king.trailing_zeros() as u8;
        let theirs = self.squares[SIDES[them]];
        board::attackers(&roles, theirs, them, king, !self.squares[0]) != 0
    }

    /// How the game is over, if it is. Rights to castle make no difference: whoever may castle
    /// may move otherwise.
    fn end(&self) -> Option<GameEnd> {
        let mut men = [man::NONE; 64];
        for (man, squares) in self.squares.iter().enumerate() {
            if man != 0 && !SIDES.contains(&man) {
                let mut squares = *squares;
                while squares != 0 {
                    men[squares.trailing_zeros() as usize] = man as u8;
                    squares &= squares - 1;
                }
            }
        }
        let passed = match &self.last {
            None => self.passed,
            Some((ply, _)) => {
                (ply.kind == PlyKind::DoubleStep).then(|| u8::midpoint(ply.from, ply.to))
            }
        };
        let position = Board::assemble(&men, self.turn, [[None; 2]; 2], passed, (0, 1))?;
        if position.is_checkmate() {
            return Some(GameEnd::Checkmate);
        }
        position.is_stalemate().then_some(GameEnd::Stalemate)
    }
}

/// A ply as a question sees it.
#[inline]
fn deed((ply, taken): (PackedPly, u8)) -> Deed {
    let (from, to, kind) = (ply.from, ply.to, ply.kind);
    if kind == PlyKind::Null {
        return Deed::default();
    }
    let code = |man: u8| CODES[usize::from(man & 15)];
    let bit = |square: u8| u128::from(1u64 << (square & 63));
    let is_castling = kind == PlyKind::Castle;
    let goes = if is_castling {
        Ply::castled_king(from, to)
    } else {
        to
    };
    Deed {
        man: code(ply.man),
        from: bit(from),
        to: bit(goes),
        rook: if is_castling { bit(to) } else { 0 },
        taken: if taken == man::NONE {
            0
        } else {
            1 << code(taken)
        },
        jumps: u32::from(taken != man::NONE),
        promoted: match Ply::new(from, to, kind).promotion() {
            man::NONE => EMPTY,
            role => code(man::of(man::color(ply.man), role)),
        },
        castles: if is_castling {
            1 + u8::from(to < from)
        } else {
            0
        },
        en_passant: kind == PlyKind::EnPassant,
    }
}

impl Sight for Scan {
    const IS_WIDE: bool = false;
    const DEEDS_TELL_ALL: bool = true;

    #[inline]
    fn men(&self, code: u8) -> u128 {
        self.squares[usize::from(MEN[usize::from(code & 63)] & 15)].into()
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
    fn deed(&self) -> Option<Deed> {
        self.next.map(deed)
    }

    #[inline]
    fn moving(&self) -> (u8, u64) {
        let Some((ply, taken)) = &self.next else {
            return (EMPTY, 0);
        };
        let man = if ply.kind == PlyKind::Null {
            EMPTY
        } else {
            CODES[usize::from(ply.man & 15)]
        };
        (man, 1 << CODES[usize::from(taken & 15)])
    }

    #[inline]
    fn last(&self) -> Option<Deed> {
        self.last.map(deed)
    }

    fn is_check(&self) -> bool {
        self.is_check()
    }

    fn gives(&self) -> (bool, bool) {
        if self.next.is_none() {
            return (false, false);
        }
        let mut after = self.clone();
        after.go();
        let check = after.is_check();
        (check, check && after.end() == Some(GameEnd::Checkmate))
    }

    fn end(&self) -> Option<GameEnd> {
        self.end()
    }
}

/// Where nearly all games begin.
static USUAL: LazyLock<Option<(Board, Scan)>> = LazyLock::new(|| {
    let start = Board::initial();
    Scan::new(&start).map(|at| (start, at))
});

/// Shows every position of a packed line to somebody.
pub(super) fn show(start: &Board, mut plies: &[u8], watch: &mut impl Onlooker) {
    let usual = USUAL.as_ref().filter(|(usual, _)| usual == start);
    let at = usual.map_or_else(|| Scan::new(start), |(_, at)| Some(at.clone()));
    let Some(mut at) = at else {
        return sight::show(start, plies, watch);
    };
    loop {
        at.read(&mut plies);
        if !watch.see(&at) || at.next.is_none() {
            return;
        }
        at.go();
    }
}
