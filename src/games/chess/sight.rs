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
        sight::{self, ANY, EMPTY, Glance, code_of},
    },
};

/// Where the squares of any man of a side are among those of single men, which are at their
/// codes.
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

/// A ply and what it takes.
#[derive(Debug, Clone, Copy)]
struct ScannedPly {
    ply: PackedPly,
    /// The code of the man that is taken, and its slot.
    taken: u8,
    taken_slot: u8,
}

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
    /// The ply that led here.
    last: Option<ScannedPly>,
    /// The ply that leaves.
    next: Option<ScannedPly>,
}

const fn bit(square: u8) -> u64 {
    1 << (square & 63)
}

impl Scan {
    /// At the start of a line; `None` if its plies are not packed by slots.
    fn new(start: &Board) -> Option<Self> {
        let men = start.men();
        let lists = Lists::new(men)?;
        let (mut kinds, mut squares) = ([[man::NONE; 16]; 2], [0; 16]);
        for (square, &man) in men.iter().enumerate().filter(|(_, man)| **man != man::NONE) {
            let (color, square) = (man::color(man), square as u8);
            squares[usize::from(man & 15)] |= bit(square);
            squares[SIDES[color]] |= bit(square);
            kinds[color][usize::from(lists.slot_of(color, square))] = man;
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

    /// Reads the ply that leaves the position, in which a side (0 White, 1 Black) is to move.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "it halves a search through all games")]
    fn read<const US: usize>(&mut self, bytes: &mut &[u8]) -> Option<ScannedPly> {
        let (kinds, [white, black]) = (&self.kinds, SIDES.map(|side| self.squares[side]));
        let man = |slot: u8, _| kinds[US][usize::from(slot & 15)];
        let stands = |square: u8| (white | black) & bit(square) != 0;
        let ply = self.lists.read(bytes, US, man, stands, self.rooks[US])?;
        let theirs = if US == 0 { black } else { white };
        let square = ply.captured();
        let (mut taken, mut taken_slot) = (man::NONE, 0);
        if theirs & bit(square) != 0 && ply.kind != PlyKind::Null {
            taken_slot = self.lists.slot_of(US ^ 1, square);
            taken = self.kinds[US ^ 1][usize::from(taken_slot)];
        }
        Some(ScannedPly {
            ply,
            taken,
            taken_slot,
        })
    }

    /// Puts a man on an empty square, or takes it away.
    #[inline]
    const fn exchange(&mut self, man: u8, squares: u64) {
        self.squares[(man & 15) as usize] ^= squares;
        self.squares[SIDES[man::color(man)]] ^= squares;
    }

    /// Plays a ply that was read, and tells somebody what changes.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "it halves a search through all games")]
    fn go<const US: usize>(&mut self, step: ScannedPly, tell: &mut impl Onlooker) {
        let ScannedPly {
            ply,
            taken,
            taken_slot,
        } = step;
        self.ply += 1;
        if taken != man::NONE {
            let square = ply.captured();
            let last = self.lists.take(US ^ 1, taken_slot);
            let kinds = &mut self.kinds[US ^ 1];
            kinds[usize::from(taken_slot & 15)] = kinds[usize::from(last & 15)];
            self.exchange(taken, bit(square));
            tell.lift(code(taken), square);
        }
        self.lists.put_down(&ply, US);
        let (mut man, from, mut to) = (ply.man, ply.from, ply.to);
        match ply.kind {
            PlyKind::Plain | PlyKind::EnPassant | PlyKind::DoubleStep => {
                self.exchange(man, bit(from) ^ bit(to));
                tell.shift(code(man), from, to);
                return;
            }
            PlyKind::Null => return,
            PlyKind::Castle => {
                let rook = man::of(US, man::ROOK);
                self.exchange(rook, bit(to) ^ bit(Ply::castled_rook(from, to)));
                tell.shift(code(rook), to, Ply::castled_rook(from, to));
                to = Ply::castled_king(from, to);
            }
            _ => man = man::of(US, Ply::new(from, to, ply.kind).promotion()),
        }
        self.exchange(ply.man, bit(from));
        self.exchange(man, bit(to));
        tell.lift(code(ply.man), from);
        tell.put(code(man), to);
        self.kinds[US][usize::from(ply.slot & 15)] = man;
    }

    /// Shows the position to which a ply has led, if somebody wants to see it, and goes on; the
    /// ply that was played, if the line does.
    ///
    /// Plies are written down for those who look only: to copy one from where it has just been
    /// written, byte by byte, costs as much as to play it.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "it halves a search through all games")]
    fn proceed<const US: usize>(
        &mut self,
        last: Option<ScannedPly>,
        plies: &mut &[u8],
        watch: &mut impl Onlooker,
    ) -> Option<ScannedPly> {
        let next = self.read::<US>(plies);
        if watch.wants(self.ply, moving(next)) {
            (self.turn, self.last, self.next) = (US, last, next);
            if !watch.see(self) {
                return None;
            }
        }
        let step = next?;
        self.go::<US>(step, watch);
        Some(step)
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
        let occupied = theirs | self.squares[SIDES[us]];
        board::attackers(&roles, theirs, them, king, occupied) != 0
    }

    /// How the game is over, if it is. Rights to castle make no difference: whoever may castle
    /// may move otherwise.
    fn end(&self) -> Option<GameEnd> {
        let mut men = [man::NONE; 64];
        for (man, squares) in self.squares.iter().enumerate() {
            if !SIDES.contains(&man) {
                let mut squares = *squares;
                while squares != 0 {
                    men[squares.trailing_zeros() as usize] = man as u8;
                    squares &= squares - 1;
                }
            }
        }
        let passed = match &self.last {
            None => self.passed,
            Some(ScannedPly { ply, .. }) => {
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

/// The code that questions have for a man.
#[inline]
const fn code(man: u8) -> u8 {
    CODES[(man & 15) as usize]
}

/// A ply at a glance.
#[inline]
const fn moving(next: Option<ScannedPly>) -> Glance {
    match next {
        None => Glance::NOTHING,
        Some(ScannedPly { ply, taken, .. }) => {
            let (man, to) = match ply.kind {
                PlyKind::Null => (EMPTY, 0),
                PlyKind::Castle => (code(ply.man), u64::MAX),
                _ => (code(ply.man), bit(ply.to)),
            };
            Glance {
                man,
                taken: 1 << code(taken),
                to: to as u128,
            }
        }
    }
}

/// A ply as a question sees it.
#[inline]
fn deed(ScannedPly { ply, taken, .. }: ScannedPly) -> Deed {
    let (from, to, kind) = (ply.from, ply.to, ply.kind);
    if kind == PlyKind::Null {
        return Deed::default();
    }
    let bit = |square: u8| u128::from(bit(square));
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
    fn deed(&self) -> Option<Deed> {
        self.next.map(deed)
    }

    #[inline]
    fn moving(&self) -> Glance {
        moving(self.next)
    }

    #[inline]
    fn last(&self) -> Option<Deed> {
        self.last.map(deed)
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
            after.go::<0>(step, &mut Nobody);
        } else {
            after.go::<1>(step, &mut Nobody);
        }
        (after.turn, after.last) = (self.turn ^ 1, self.next);
        let check = after.is_check();
        (check, check && after.end() == Some(GameEnd::Checkmate))
    }

    fn end(&self) -> Option<GameEnd> {
        self.end()
    }
}

/// Who needs not be told.
struct Nobody;

impl Onlooker for Nobody {
    fn see<S: Sight>(&mut self, _: &S) -> bool {
        false
    }
}

/// Where nearly all games begin.
static USUAL: LazyLock<Option<(Board, Scan)>> = LazyLock::new(|| {
    let start = Board::initial();
    Scan::new(&start).map(|at| (start, at))
});

/// Shows every position of a packed line to somebody.
pub(super) fn show(start: &Board, mut plies: &[u8], watch: &mut impl Onlooker) {
    let usual = USUAL.as_ref().filter(|(usual, _)| {
        usual.men() == start.men()
            && usual.turn() == start.turn()
            && usual.castling() == start.castling()
            && usual.en_passant() == start.en_passant()
    });
    let at = usual.map_or_else(|| Scan::new(start), |(_, at)| Some(at.clone()));
    let Some(mut at) = at else {
        return sight::show(start, plies, watch);
    };
    for (color, kinds) in at.kinds.iter().enumerate() {
        for (slot, &man) in (0..).zip(kinds).filter(|(_, man)| **man != man::NONE) {
            watch.put(code(man), at.lists.square(color, slot));
        }
    }
    let (mut last, mut is_blacks) = (None, at.turn == 1);
    loop {
        if !is_blacks {
            last = at.proceed::<0>(last, &mut plies, watch);
            if last.is_none() {
                return;
            }
        }
        is_blacks = false;
        last = at.proceed::<1>(last, &mut plies, watch);
        if last.is_none() {
            return;
        }
    }
}
