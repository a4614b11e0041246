//! Facts about a step that traces record of entire games: how the pawns of a file stand beside
//! their own, when the queens had gone, how long a king stayed at home. What a trace has and what a
//! query asks are both determined here, so that they cannot disagree.

use super::{bounds::spread, game_summary::GameEvent, program::PlyTest};
use crate::games::view::{EMPTY, code_of};

/// Of White and Black.
pub(super) const PAWNS: [u8; 2] = [code_of('P'), code_of('p')];
pub(super) const QUEENS: [u8; 2] = [code_of('Q'), code_of('q')];
pub(super) const KINGS: [u8; 2] = [code_of('K'), code_of('k')];
pub(super) const KNIGHTS: [u8; 2] = [code_of('N'), code_of('n')];
/// At this many plies one after the other knights move, if that is recorded.
pub(super) const KNIGHTS_RUN: u32 = 3;
/// Where kings of chess stand at the start.
pub(super) const HOMES: [u8; 2] = [4, 60];

/// Pawns of a side on a file at a time.
#[derive(Debug, Clone, Copy)]
struct PawnShape {
    /// There are this many, from 1 to 3.
    least: u32,
    /// There are none of theirs on the files beside.
    is_isolated: bool,
    /// There is none of the other side on the file.
    is_open: bool,
    /// The files on which this is recorded, as bits.
    told: u8,
}

/// The shapes, by their numbers in keys.
///
/// Those are recorded that exclude most games for their bytes: a pawn that is merely isolated, or
/// two on a file, are in a fifth of all games on any file, and cost more than a byte a game each.
/// On files of the rim few ask for isolated pawns, which are common there.
const SHAPES: [PawnShape; 3] = [
    PawnShape {
        least: 1,
        is_isolated: true,
        is_open: true,
        told: 0b0011_1100,
    },
    PawnShape {
        least: 2,
        is_isolated: true,
        is_open: false,
        told: u8::MAX,
    },
    PawnShape {
        least: 3,
        is_isolated: false,
        is_open: false,
        told: u8::MAX,
    },
];

/// The squares of the first file; those of the others are beside it.
const FILE: u64 = 0x0101_0101_0101_0101;

/// The plies by which the queens have gone that are distinguished.
const GONE_BY: [u32; 5] = [10, 20, 30, 40, 60];
/// The plies from which on kings at home are distinguished.
const AT_HOME: [u32; 3] = [30, 40, 60];

impl PawnShape {
    /// The files on which pawns stand so, as bits, by the files where a side has one, two and three
    /// pawns, and where the other side has one.
    const fn files(self, own: [u8; 3], others: u8) -> u8 {
        let mut files = own[self.least as usize - 1] & self.told;
        if self.is_isolated {
            files &= !(own[0] << 1 | own[0] >> 1);
        }
        if self.is_open {
            files &= !others;
        }
        files
    }
}

/// The files with at least one, two, three of some pawns, as bits.
const fn files(pawns: u64) -> [u8; 3] {
    // The upper half of the board is laid on the lower one, three times.
    let (mut one, mut two, mut three) = (pawns, 0, 0);
    let mut half = 32;
    while half >= 8 {
        three |= three >> half | two & one >> half | one & two >> half;
        two |= two >> half | one & one >> half;
        one |= one >> half;
        half /= 2;
    }
    [one as u8, two as u8, three as u8]
}

/// The shapes of pawns that a game has had.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct PawnFiles {
    /// The files of White's and Black's, for each shape.
    ever: [[u8; SHAPES.len()]; 2],
}

impl PawnFiles {
    /// Looks at the pawns of White and of Black.
    pub(super) fn look(&mut self, pawns: [u64; 2]) {
        let [white, black] = pawns.map(files);
        let both = [(white, black[0]), (black, white[0])];
        for (ever, (own, others)) in self.ever.iter_mut().zip(both) {
            for (ever, shape) in ever.iter_mut().zip(&SHAPES) {
                *ever |= shape.files(own, others);
            }
        }
    }

    /// What has happened.
    pub(super) fn tell(self, mut happened: impl FnMut(GameEvent)) {
        for (side, ever) in self.ever.iter().enumerate() {
            for (shape, files) in (0..).zip(ever) {
                let mut rest = *files;
                while rest != 0 {
                    let file = rest.trailing_zeros() as u8;
                    happened(GameEvent::Pawns { shape, side, file });
                    rest &= rest - 1;
                }
            }
        }
    }
}

/// The queens of both sides had gone at a ply, if that is recorded.
pub(super) fn queens_gone(ply: u32) -> Option<GameEvent> {
    let at = GONE_BY.iter().position(|by| ply <= *by)?;
    Some(GameEvent::QueensGone(at as u8))
}

/// Whose king a piece is, by its code.
#[inline]
pub(super) const fn side_of_king(piece: u8) -> Option<usize> {
    if piece & 31 == KINGS[0] {
        Some((piece >> 5 & 1) as usize)
    } else {
        None
    }
}

/// A king stood at home at a ply for the last time, if that is recorded.
pub(super) fn at_home(side: usize, last: u32) -> Option<GameEvent> {
    let at = AT_HOME.iter().rposition(|from| *from <= last)?;
    Some(GameEvent::AtHome(side, at as u8))
}

/// Whether it is certain that a piece takes another, by their codes: what a king takes but pawns, rooks
/// and queens that pawns take, and queens that knights and bishops take. Each of these few games
/// have; what is exchanged for its like is taken in most, and knowing it spares little.
pub(super) const fn is_told_capture(piece: u8, taken: u8) -> bool {
    const fn worth(code: u8) -> u8 {
        match (code & 31) + b'@' {
            b'P' => 1,
            b'N' | b'B' => 3,
            b'R' => 5,
            b'Q' => 9,
            b'K' => 10,
            _ => 0,
        }
    }
    match (worth(piece), worth(taken)) {
        (10, 3..) => true,
        (piece @ 1..=3, taken @ 5..) => taken > piece + 3,
        _ => false,
    }
}

/// What conditions that hold at one ply ask of what traces record: for each requirement events, at
/// least one of which is necessary, and whether that is all.
pub(super) fn asked(tests: &[&PlyTest], board: u128) -> (Vec<Vec<u16>>, bool) {
    let told: Vec<SquareCountTest<'_>> =
        tests.iter().map(|test| SquareCountTest::of(test)).collect();
    let mut all = Vec::new();
    for side in 0..2 {
        for file in 0..8 {
            let known = PawnFileTest::of(&told, side, file);
            for (shape, of) in (0..).zip(SHAPES) {
                if of.told >> file & 1 == 1 && known.has(of) {
                    let key = GameEvent::Pawns { shape, side, file }.key();
                    if known.is_all(of, &told) {
                        return (vec![vec![key]], true);
                    }
                    all.push(vec![key]);
                }
            }
        }
    }
    let mut is_exact = false;
    let plies = tests.iter().fold((0, u32::MAX), |known, test| match test {
        PlyTest::Ply(from, to) => (known.0.max(*from), known.1.min(*to)),
        _ => known,
    });
    let are_gone = |code: &u8| (told.iter()).any(|told| told.has_none(*code, board));
    if QUEENS.iter().all(are_gone)
        && let Some(last) = GONE_BY.iter().position(|by| plies.1 <= *by)
    {
        let keys = 0..=last as u8;
        all.push(keys.map(|by| GameEvent::QueensGone(by).key()).collect());
        let only_that = |test: &&PlyTest| match test {
            PlyTest::Ply(..) => true,
            PlyTest::Pieces { codes, most: 0, .. } => {
                codes.iter().all(|code| QUEENS.contains(code))
            }
            _ => false,
        };
        is_exact = plies == (0, GONE_BY[last]) && tests.iter().all(only_that);
    }
    for side in 0..2 {
        let stands = |told: &SquareCountTest<'_>| told.stands(KINGS[side], 1 << HOMES[side]);
        if plies.0 >= AT_HOME[0] && told.iter().any(stands) {
            let from = AT_HOME.iter().rposition(|from| *from <= plies.0);
            let keys = from.unwrap_or(0)..AT_HOME.len();
            all.push(
                keys.map(|at| GameEvent::AtHome(side, at as u8).key())
                    .collect(),
            );
        }
    }
    (all, is_exact)
}

/// A condition as far as it says how many of some pieces stand on some squares.
#[derive(Debug, Clone)]
struct SquareCountTest<'t> {
    codes: &'t [u8],
    on: u128,
    least: u32,
    most: u32,
    is_all: bool,
}

impl<'t> SquareCountTest<'t> {
    fn of(test: &'t PlyTest) -> Self {
        match test {
            PlyTest::Pieces {
                codes,
                on,
                least,
                most,
                is_all,
            } => Self {
                codes,
                on: *on,
                least: *least,
                most: *most,
                is_all: *is_all,
            },
            // It says nothing.
            _ => Self {
                codes: &[],
                on: 0,
                least: 0,
                most: u32::MAX,
                is_all: false,
            },
        }
    }

    /// On which squares none of a piece stands.
    fn without(&self, code: u8) -> u128 {
        if self.codes == [EMPTY] {
            return if self.is_all { self.on } else { 0 };
        }
        if self.most == 0 && spread(self.codes).contains(&code) {
            return self.on;
        }
        0
    }

    /// Whether there is none of a piece on the entire board.
    fn has_none(&self, code: u8, board: u128) -> bool {
        self.without(code) & board == board
    }

    /// Whether one of a piece stands on a square.
    fn stands(&self, code: u8, square: u128) -> bool {
        self.codes == [code] && self.on & square != 0 && (self.is_all || self.on == square)
    }

    /// How many of a piece stand on some squares at least.
    fn at_least(&self, code: u8, on: u128) -> u32 {
        if self.codes != [code] {
            0
        } else if self.is_all {
            (self.on & on).count_ones()
        } else if self.on & !on == 0 {
            self.least
        } else {
            0
        }
    }
}

/// What a query asks of the pawns of a file.
#[derive(Debug)]
struct PawnFileTest {
    code: u8,
    /// Its squares, and those of the files beside it.
    on: u128,
    beside: u128,
    /// How many there are at least.
    least: u32,
    is_isolated: bool,
    is_open: bool,
}

impl PawnFileTest {
    fn of(told: &[SquareCountTest<'_>], side: usize, file: u8) -> Self {
        let squares = |file: u8| u128::from(FILE << file);
        let left = file.checked_sub(1).map_or(0, squares);
        let right = if file < 7 { squares(file + 1) } else { 0 };
        let (on, beside) = (squares(file), left | right);
        let code = PAWNS[side];
        let without = |code: u8| told.iter().fold(0, |all, one| all | one.without(code));
        let least = told.iter().map(|one| one.at_least(code, on)).max();
        Self {
            code,
            on,
            beside,
            least: least.unwrap_or(0),
            is_isolated: beside & !without(code) == 0,
            is_open: on & !without(PAWNS[side ^ 1]) == 0,
        }
    }

    /// Whether the pawns have a shape.
    const fn has(&self, shape: PawnShape) -> bool {
        shape.least <= self.least
            && (self.is_isolated || !shape.is_isolated)
            && (self.is_open || !shape.is_open)
    }

    /// Whether conditions ask for a shape that they have, and nothing else.
    fn is_all(&self, shape: PawnShape, told: &[SquareCountTest<'_>]) -> bool {
        told.iter().all(|one| {
            let is_own = one.codes == [self.code];
            let counts = is_own && one.on == self.on && one.most == u32::MAX;
            let clears = |squares: u128| one.most == 0 && one.on & !squares == 0;
            counts && one.least == shape.least
                || is_own && shape.is_isolated && clears(self.beside)
                || shape.is_open && one.codes == [other(self.code)] && clears(self.on)
        })
    }
}

/// The pawn of the other side.
const fn other(pawn: u8) -> u8 {
    pawn ^ PAWNS[0] ^ PAWNS[1]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A condition on pawns: of a side, the files and ranks of its squares as bits, the least and
    /// the most.
    type Asked = (usize, u8, u8, u32, u32);

    fn condition() -> impl Strategy<Value = Asked> {
        let files = prop_oneof![
            (0u32..8).prop_map(|file| 1u8 << file),
            (0u32..7).prop_map(|file| 0b101u8 << file),
            any::<u8>(),
        ];
        let ranks = prop_oneof![3 => Just(u8::MAX), 1 => any::<u8>()];
        let counts = prop_oneof![
            Just((0, 0)),
            (1u32..5).prop_map(|least| (least, u32::MAX)),
            Just((1, 2)),
        ];
        (0..2usize, files, ranks, counts)
            .prop_map(|(side, files, ranks, (least, most))| (side, files, ranks, least, most))
    }

    fn squares(files: u8, ranks: u8) -> u128 {
        let all = (0..64).filter(|square| files >> (square % 8) & ranks >> (square / 8) & 1 == 1);
        all.fold(0, |all, square| all | 1 << square)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4000))]

        #[test]
        fn what_is_asked_of_pawns_follows_from_the_position(
            pawns in prop::array::uniform2(prop::collection::vec(8u32..56, 0..9)),
            asked in prop::collection::vec(condition(), 1..4),
        ) {
            let pawns = pawns.map(|all| all.iter().fold(0u64, |all, square| all | 1 << square));
            let mut files = PawnFiles::default();
            files.look(pawns);
            let mut told = Vec::new();
            files.tell(|what| told.push(what.key()));
            let tests: Vec<PlyTest> = (asked.iter())
                .map(|(side, files, ranks, least, most)| {
                    PlyTest::pieces(vec![PAWNS[*side]], squares(*files, *ranks), (*least, *most))
                })
                .collect();
            let holds = asked.iter().all(|(side, files, ranks, least, most)| {
                let count = (u128::from(pawns[*side]) & squares(*files, *ranks)).count_ones();
                (*least..=*most).contains(&count)
            });
            let (needed, is_exact) = super::asked(&tests.iter().collect::<Vec<_>>(), u64::MAX.into());
            let are_there = needed.iter().all(|any| any.iter().any(|key| told.contains(key)));
            prop_assert!(are_there || !holds, "{asked:?}");
            prop_assert!(!is_exact || are_there == holds, "{asked:?}");
        }
    }

    #[test]
    fn a_game_may_be_asked_for_any_ply() {
        for ply in 0..100 {
            for (told, asked) in [(ply, 10), (ply, 20), (ply, 35), (ply, 60)] {
                let tests = [
                    PlyTest::pieces(QUEENS.to_vec(), u64::MAX.into(), (0, 0)),
                    PlyTest::Ply(0, asked),
                ];
                let (needed, _) = super::asked(&tests.iter().collect::<Vec<_>>(), u64::MAX.into());
                let key = queens_gone(told).map(GameEvent::key);
                let is_needed = needed.iter().flatten().any(|needed| Some(*needed) == key);
                assert!(is_needed || told > asked, "{told} {asked}");
                let tests = [
                    PlyTest::pieces(vec![KINGS[0]], 1 << HOMES[0], (1, u32::MAX)),
                    PlyTest::Ply(asked, u32::MAX),
                ];
                let (needed, _) = super::asked(&tests.iter().collect::<Vec<_>>(), u64::MAX.into());
                let key = at_home(0, told).map(GameEvent::key);
                let is_needed = needed.iter().flatten().any(|needed| Some(*needed) == key);
                assert!(
                    is_needed || told < asked || needed.is_empty(),
                    "{told} {asked}"
                );
            }
        }
    }
}
