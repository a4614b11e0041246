//! What a question sees of a game: one position after the other, each with the move that
//! leaves it.

use super::squares::letter_of;
use crate::games::{Game, GameEnd, diagram::Diagram};

/// The codes of men in a question: 0 for empty squares, letters by their last six bits.
pub const EMPTY: u8 = 0;
/// Any man of White, of Black.
pub const ANY: [u8; 2] = [27, 59];

/// The code of a letter, capital for White.
#[inline]
pub const fn code_of(letter: char) -> u8 {
    letter as u8 & 63
}

/// The codes of a letter's man, of both sides, as bits.
pub const fn both_sides(letter: char) -> u64 {
    1 << code_of(letter.to_ascii_uppercase()) | 1 << code_of(letter.to_ascii_lowercase())
}

/// The squares of each man, by code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sets(pub [u128; 64]);

impl Sets {
    /// Those of a board, whose squares are the numbers that the game has for them.
    pub fn of(diagram: &Diagram) -> Self {
        let mut sets = [0; 64];
        for place in diagram.rows.iter().flatten() {
            let Some(square) = place.square else {
                continue;
            };
            let mut put = |code: u8| sets[usize::from(code)] |= 1 << square;
            match place.man {
                None => put(EMPTY),
                Some(man) => {
                    put(code_of(letter_of(man.letter, man.shape, man.side)));
                    put(ANY[usize::from(man.side & 1)]);
                }
            }
        }
        Self(sets)
    }

    /// The code of what stands on a square; [`EMPTY`] if nothing does.
    fn at(&self, square: u8) -> u8 {
        let is_here =
            |code: &u8| !ANY.contains(code) && self.0[usize::from(*code)] >> square & 1 == 1;
        (1..64).find(is_here).unwrap_or(EMPTY)
    }
}

/// A move as a question sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Deed {
    /// The code of the man that moves; 0 for none.
    pub man: u8,
    /// Its square; none of a drop.
    pub from: u128,
    /// Where it goes; of castling, where the king goes.
    pub to: u128,
    /// The square of the rook that castles.
    pub rook: u128,
    /// The codes of the men that are taken, as bits.
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

impl Deed {
    /// What has happened between two positions, told by their men alone.
    pub fn between(before: &Sets, after: &Sets, side: usize) -> Self {
        let own = |sets: &Sets| sets.0[usize::from(ANY[side & 1])];
        let theirs = |sets: &Sets| sets.0[usize::from(ANY[side & 1 ^ 1])];
        let left = own(before) & !own(after);
        let come = own(after) & !own(before);
        let mut gone = theirs(before) & !theirs(after);
        // Discs that turn are not taken, and the one that was set down is the move.
        let turned = gone & own(after) & !left;
        let is_turning = left == 0 && turned.count_ones() + 1 >= come.count_ones() && turned != 0;
        if is_turning {
            gone = 0;
        }
        let mut deed = Self {
            from: left,
            to: if is_turning { come & !turned } else { come },
            jumps: gone.count_ones(),
            ..Self::default()
        };
        let mut rest = gone;
        while rest != 0 {
            deed.taken |= 1 << before.at(rest.trailing_zeros() as u8);
            rest &= rest - 1;
        }
        let of = |letter: char| usize::from(code_of(cased(letter, side)));
        let (king, rook) = (of('K'), of('R'));
        let moved = |code: usize| before.0[code] & !after.0[code];
        // Of several rooks one may go to where another stood.
        let rooks = before.0[rook] != after.0[rook];
        if gone == 0 && moved(king) != 0 && rooks && before.0[king].is_power_of_two() {
            let is_a_side = after.0[rook] & !before.0[rook] > after.0[king];
            deed.castles = if is_a_side { 2 } else { 1 };
            deed.man = king as u8;
            deed.from = before.0[king];
            deed.to = after.0[king];
            deed.rook = moved(rook);
            return deed;
        }
        let arrived = deed.to.trailing_zeros() as u8;
        let now = if deed.to == 0 {
            EMPTY
        } else {
            after.at(arrived)
        };
        deed.man = match left {
            0 => now,
            _ => before.at(left.trailing_zeros() as u8),
        };
        if left != 0 && now != deed.man {
            deed.promoted = now;
        }
        deed.en_passant = usize::from(deed.man) == of('P') && gone != 0 && gone & deed.to == 0;
        deed
    }
}

/// The letter of a side's man: 0 White, 1 Black.
pub(super) const fn cased(letter: char, side: usize) -> char {
    if side == 0 {
        letter
    } else {
        letter.to_ascii_lowercase()
    }
}

/// A position of a game, as a question sees it.
pub trait Sight {
    /// Whether squares have numbers beyond 63.
    const IS_WIDE: bool;
    /// The squares of a man, by code.
    fn men(&self, code: u8) -> u128;
    /// The side to move: 0 White, 1 Black.
    fn turn(&self) -> usize;
    /// Plies from the start of the game.
    fn ply(&self) -> u32;
    /// The move that leaves it; `None` where the game ends.
    fn deed(&self) -> Option<Deed>;
    /// The move that led to it; `None` at the start.
    fn last(&self) -> Option<Deed>;
    /// Whether the side to move is in check.
    fn is_check(&self) -> bool;
    /// Whether the move that leaves it gives check, and mate.
    fn gives(&self) -> (bool, bool);
    /// Whether and how the game is over here.
    fn end(&self) -> Option<GameEnd>;
}

/// Somebody to whom positions are shown.
pub trait Onlooker {
    /// Looks at a position; whether to go on.
    fn see<S: Sight>(&mut self, sight: &S) -> bool;
}

/// A position of any game.
struct AnySight<'a, G> {
    at: &'a G,
    next: Option<&'a G>,
    sets: &'a Sets,
    ply: u32,
    deed: Option<Deed>,
    last: Option<Deed>,
}

impl<G: Game> Sight for AnySight<'_, G> {
    const IS_WIDE: bool = true;

    fn men(&self, code: u8) -> u128 {
        self.sets.0[usize::from(code & 63)]
    }

    fn turn(&self) -> usize {
        self.at.turn()
    }

    fn ply(&self) -> u32 {
        self.ply
    }

    fn deed(&self) -> Option<Deed> {
        self.deed
    }

    fn last(&self) -> Option<Deed> {
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

/// Shows every position of a packed line, as long as somebody wants to see more.
pub fn show<G: Game>(start: &G, mut plies: &[u8], watch: &mut impl Onlooker) {
    let (mut at, mut slots) = (start.clone(), start.slots());
    let (mut sets, mut last) = (at.sets(), None);
    for ply in 0.. {
        let next = at.unpack(&mut slots, &mut plies).map(|m| {
            let mut next = at.clone();
            next.play(m);
            next
        });
        let after = next.as_ref().map(Game::sets);
        let deed = after
            .as_ref()
            .map(|after| Deed::between(&sets, after, at.turn()));
        let goes_on = watch.see(&AnySight {
            at: &at,
            next: next.as_ref(),
            sets: &sets,
            ply,
            deed,
            last,
        });
        let (Some(next), Some(after), true) = (next, after, goes_on) else {
            return;
        };
        (at, sets, last) = (next, after, deed);
    }
}
