//! Main lines of chess as questions see them: a replay with the squares of every man, and no
//! keys.

use super::{
    replay::{Replay, ReplayTally},
    rules::{Board, Ply, PlyKind, board, man},
};
use crate::games::{
    GameEnd,
    chess::basics::Position as _,
    pattern::{
        Deed, Onlooker, Sight,
        sight::{ANY, EMPTY, code_of},
    },
};

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
    codes
};

/// The squares of men, by the codes of questions.
#[derive(Debug, Clone)]
struct MenSquares([u64; 64]);

impl MenSquares {
    #[inline]
    fn change(&mut self, man: u8, square: u8) {
        let bit = 1 << (square & 63);
        self.0[usize::from(CODES[usize::from(man & 15)])] ^= bit;
        self.0[usize::from(ANY[man::color(man)])] ^= bit;
        self.0[usize::from(EMPTY)] ^= bit;
    }
}

impl ReplayTally for MenSquares {
    fn of(men: &[u8; 64], _: usize) -> Self {
        let mut squares = Self([0; 64]);
        squares.0[usize::from(EMPTY)] = u64::MAX;
        for (square, &man) in men.iter().enumerate() {
            if man != man::NONE {
                squares.change(man, square as u8);
            }
        }
        squares
    }

    #[inline]
    fn lift(&mut self, man: u8, square: u8) {
        self.change(man, square);
    }

    #[inline]
    fn put(&mut self, man: u8, square: u8) {
        self.change(man, square);
    }
}

/// A position of a main line.
struct ChessSight<'a> {
    at: &'a Replay<MenSquares>,
    next: Option<Ply>,
    last: Option<(Ply, u8, u8)>,
}

/// The man that a ply moves, and what it takes, by the codes of men.
fn moved(men: &[u8; 64], ply: Ply) -> (u8, u8) {
    let at = |square: u8| men[usize::from(square & 63)];
    match ply.kind() {
        PlyKind::Null => (man::NONE, man::NONE),
        PlyKind::Castle => (at(ply.from()), man::NONE),
        PlyKind::EnPassant => (at(ply.from()), at(ply.from() & 56 | ply.to() & 7)),
        _ => (at(ply.from()), at(ply.to())),
    }
}

/// A ply of known men as a question sees it.
fn deed(ply: Ply, mover: u8, taken: u8) -> Deed {
    let (from, to, kind) = (ply.from(), ply.to(), ply.kind());
    if kind == PlyKind::Null {
        return Deed::default();
    }
    let code = |man: u8| CODES[usize::from(man & 15)];
    let is_castling = kind == PlyKind::Castle;
    let goes = if is_castling {
        Ply::castled_king(from, to)
    } else {
        to
    };
    Deed {
        man: code(mover),
        from: 1 << from,
        to: 1 << goes,
        rook: if is_castling { 1 << to } else { 0 },
        taken: if taken == man::NONE {
            0
        } else {
            1 << code(taken)
        },
        jumps: u32::from(taken != man::NONE),
        promoted: match ply.promotion() {
            man::NONE => EMPTY,
            role => code(man::of(man::color(mover), role)),
        },
        castles: if is_castling {
            1 + u8::from(to < from)
        } else {
            0
        },
        en_passant: kind == PlyKind::EnPassant,
    }
}

fn is_check(at: &Replay<MenSquares>) -> bool {
    let (us, squares) = (at.side(), &at.tally().0);
    let of =
        |color: usize, role: u8| squares[usize::from(CODES[usize::from(man::of(color, role))])];
    let king = of(us, man::KING);
    if king == 0 {
        return false;
    }
    let mut roles = [0; 8];
    for role in man::PAWN..=man::KING {
        roles[usize::from(role)] = of(us ^ 1, role);
    }
    let (theirs, occupied) = (
        squares[usize::from(ANY[us ^ 1])],
        !squares[usize::from(EMPTY)],
    );
    board::attackers(
        &roles,
        theirs,
        us ^ 1,
        king.trailing_zeros() as u8,
        occupied,
    ) != 0
}

fn end(at: &Replay<MenSquares>) -> Option<GameEnd> {
    let position = at.to_position()?;
    if position.is_checkmate() {
        return Some(GameEnd::Checkmate);
    }
    position.is_stalemate().then_some(GameEnd::Stalemate)
}

impl Sight for ChessSight<'_> {
    const IS_WIDE: bool = false;

    #[inline]
    fn men(&self, code: u8) -> u128 {
        self.at.tally().0[usize::from(code & 63)].into()
    }

    #[inline]
    fn turn(&self) -> usize {
        self.at.side()
    }

    #[inline]
    fn ply(&self) -> u32 {
        self.at.plies()
    }

    #[inline]
    fn deed(&self) -> Option<Deed> {
        let ply = self.next?;
        let (mover, taken) = moved(self.at.men(), ply);
        Some(deed(ply, mover, taken))
    }

    fn last(&self) -> Option<Deed> {
        self.last.map(|(ply, mover, taken)| deed(ply, mover, taken))
    }

    fn is_check(&self) -> bool {
        is_check(self.at)
    }

    fn gives(&self) -> (bool, bool) {
        let Some(ply) = self.next else {
            return (false, false);
        };
        let mut after = self.at.clone();
        after.go(ply);
        let check = is_check(&after);
        (check, check && end(&after) == Some(GameEnd::Checkmate))
    }

    fn end(&self) -> Option<GameEnd> {
        end(self.at)
    }
}

/// Shows every position of a packed line to somebody.
pub(super) fn show(start: &Board, mut plies: &[u8], watch: &mut impl Onlooker) {
    let mut at: Replay<MenSquares> = Replay::of_board(start);
    let mut last = None;
    loop {
        let next = at.next(&mut plies);
        if !watch.see(&ChessSight {
            at: &at,
            next,
            last,
        }) {
            return;
        }
        let Some(ply) = next else {
            return;
        };
        let (mover, taken) = moved(at.men(), ply);
        last = Some((ply, mover, taken));
        at.go(ply);
    }
}
