//! What must be true of a game's [trace](super::game_summary) if a query is to be fulfilled,
//! derived from the query by rule.

use super::{
    StepGap,
    board::BoardRules,
    game_summary::{CHECKS_MAX, GameEvent},
    move_test::MoveTest,
    ply_set::SequenceStep,
    program::{Pattern, PlyTest},
    shapes,
};
use crate::games::view::{ANY, EMPTY, both_sides};

/// What must be true of a trace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SummaryBound {
    /// Nothing is known.
    Open,
    /// All of these.
    All(Vec<Self>),
    /// One of these.
    Any(Vec<Self>),
    /// One of some pieces, their codes as bits, stood on one of some squares.
    Stood {
        /// The codes.
        pieces: u64,
        /// The squares.
        on: u128,
    },
    /// One of these happened, by [keys](GameEvent::key).
    Happened(Vec<u16>),
    /// At some time there were this many on the board.
    Counted(CountTest),
}

/// What must be true of how many of each piece are on the board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CountTest {
    /// All of these; nothing at all if there are none.
    All(Vec<Self>),
    /// One of these.
    Any(Vec<Self>),
    /// Not this.
    Not(Box<Self>),
    /// Of some pieces together, by their codes, from one number to another.
    Sum(Vec<u8>, u32, u32),
    /// How many more of some pieces than of others, from one number to another.
    More([Vec<u8>; 2], i32, i32),
}

/// What a chain of steps asks of a trace, and whether that is all it asks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SequenceBounds {
    /// What must be true.
    pub bound: SummaryBound,
    /// Whether it is enough.
    pub is_exact: bool,
}

impl SequenceBounds {
    const OPEN: Self = Self {
        bound: SummaryBound::Open,
        is_exact: false,
    };

    const fn exact(bound: SummaryBound) -> Self {
        Self {
            bound,
            is_exact: true,
        }
    }

    const fn needed(bound: SummaryBound) -> Self {
        Self {
            bound,
            is_exact: false,
        }
    }
}

impl Pattern {
    /// What each of its chains asks of a trace, in their order.
    pub fn bounds(&self) -> Vec<SequenceBounds> {
        let deriver = Deriver {
            board: self.board,
            rules: self.rules,
        };
        let of_chain = |chain: &Vec<SequenceStep>| {
            let known = self.of_chain(deriver, chain, None);
            if known.is_exact || !self.rules.takes_turns {
                return known;
            }
            // Either side may move where it begins; for each of them more is known.
            let sides = [0, 1].map(|turn| self.of_chain(deriver, chain, Some(turn)).bound);
            SequenceBounds::needed(any_bound(sides.into_iter()))
        };
        self.chains.iter().map(of_chain).collect()
    }

    /// What a chain asks if a side is to move where it begins, or whichever side is.
    fn of_chain(
        &self,
        deriver: Deriver,
        chain: &[SequenceStep],
        mut turn: Option<usize>,
    ) -> SequenceBounds {
        let (mut all, mut knights) = (Vec::new(), 0);
        for (at, step) in chain.iter().enumerate() {
            if at > 0 {
                turn = match step.link {
                    StepGap::Within(1) if chain[at - 1].times == 1 => turn.map(|turn| turn ^ 1),
                    _ => None,
                };
            }
            let nodes = || {
                let nodes = step.any.iter().map(|node| &self.nodes[*node]);
                nodes.flat_map(PlyTest::alternatives)
            };
            let any = any(nodes().map(|node| deriver.of_step(node, turn)).collect());
            if chain.len() == 1 && step.times == 1 {
                return any;
            }
            all.push(any.bound);
            let follows = at > 0 && step.link == StepGap::Within(1);
            let is_run = step.times == 1 || step.step == 1;
            knights = match (nodes().all(moves_knights), is_run) {
                (false, _) => 0,
                (true, false) => 1,
                (true, true) if follows => knights + step.times,
                (true, true) => step.times,
            };
            if knights >= shapes::KNIGHTS_RUN {
                all.push(SummaryBound::Happened(vec![GameEvent::KnightsRun.key()]));
            }
            if step.times > 1 {
                all.push(any_bound(nodes().map(|node| checks(node, step))));
            }
        }
        SequenceBounds::needed(all_bound(all))
    }
}

/// What no game fulfils.
const NEVER: SummaryBound = SummaryBound::Any(Vec::new());

fn all_bound(bounds: Vec<SummaryBound>) -> SummaryBound {
    let mut all = Vec::new();
    for bound in bounds {
        match bound {
            SummaryBound::Open => {}
            SummaryBound::All(inner) => all.extend(inner),
            bound => all.push(bound),
        }
    }
    let mut known: Vec<SummaryBound> = Vec::new();
    for bound in all {
        // What no game has makes the others needless.
        if bound == NEVER {
            return bound;
        }
        if !known.contains(&bound) {
            known.push(bound);
        }
    }
    let mut all = known;
    match all.len() {
        0 => SummaryBound::Open,
        1 => all.remove(0),
        _ => SummaryBound::All(all),
    }
}

fn any_bound(bounds: impl Iterator<Item = SummaryBound>) -> SummaryBound {
    let mut any: Vec<SummaryBound> = Vec::new();
    for bound in bounds {
        match bound {
            SummaryBound::Open => return SummaryBound::Open,
            bound if bound == NEVER || any.contains(&bound) => {}
            bound => any.push(bound),
        }
    }
    if any.len() == 1 {
        any.remove(0)
    } else {
        SummaryBound::Any(any)
    }
}

fn any(inner: Vec<SequenceBounds>) -> SequenceBounds {
    let is_exact = inner.iter().all(|one| one.is_exact);
    let bound = any_bound(inner.into_iter().map(|one| one.bound));
    SequenceBounds { bound, is_exact }
}

/// Derives bounds on a board with these squares.
#[derive(Clone, Copy)]
struct Deriver {
    board: u128,
    rules: BoardRules,
}

impl Deriver {
    /// What a condition of one ply asks.
    fn of_step(self, test: &PlyTest, turn: Option<usize>) -> SequenceBounds {
        let (counts, is_all) = self.counts(test);
        if is_all {
            return SequenceBounds::exact(SummaryBound::Counted(counts));
        }
        let seen = self.seen(test, turn);
        if seen.is_exact || counts == CountTest::All(Vec::new()) {
            return seen;
        }
        SequenceBounds::needed(all_bound(vec![seen.bound, SummaryBound::Counted(counts)]))
    }

    /// What a condition asks of squares and of what happens; on a ply where a side is to
    /// move, if that is known.
    fn seen(self, test: &PlyTest, turn: Option<usize>) -> SequenceBounds {
        match test {
            PlyTest::All(inner) => {
                let turns = || inner.iter().filter_map(turn_of);
                if turns()
                    .chain(turn)
                    .any(|one| turns().chain(turn).any(|other| one != other))
                {
                    return SequenceBounds::needed(NEVER);
                }
                let turn = turns().next().or(turn);
                let (moves, told): (Vec<_>, Vec<_>) = (inner.iter())
                    .filter(|one| turn_of(one).is_none())
                    .partition(|one| matches!(one, PlyTest::Move(_)));
                // Conditions on one move in several words hold together.
                let moves = moves.iter().filter_map(|one| match one {
                    PlyTest::Move(test) => Some(&**test),
                    _ => None,
                });
                let joined = MoveTest::joined(moves);
                let is_joined = joined.as_ref().is_none_or(|(_, is_all)| *is_all);
                let joined = joined.map(|(test, _)| PlyTest::Move(Box::new(test)));
                let told: Vec<_> = told.into_iter().chain(&joined).collect();
                let (happened, is_all) = shapes::asked(&told, self.board);
                let happened = happened.into_iter().map(SummaryBound::Happened);
                if is_all && turns().next().is_none() {
                    return SequenceBounds::exact(all_bound(happened.collect()));
                }
                let seen: Vec<_> = told.iter().map(|one| self.seen(one, turn)).collect();
                // Whose turn it is is part of some of what happens.
                let is_exact = matches!((&told[..], &seen[..]), ([only], [bounded])
                    if bounded.is_exact && is_joined && (turns().count() == 0
                        || turns().count() == 1 && matches!(only, PlyTest::Check | PlyTest::Move(_))));
                SequenceBounds {
                    bound: all_bound(
                        seen.into_iter()
                            .map(|one| one.bound)
                            .chain(happened)
                            .collect(),
                    ),
                    is_exact,
                }
            }
            PlyTest::Any(inner) => any(inner.iter().map(|one| self.seen(one, turn)).collect()),
            PlyTest::Shifted(test) => {
                any((test.each.iter()).map(|one| self.seen(one, turn)).collect())
            }
            PlyTest::Pieces {
                codes,
                on,
                least,
                is_all,
                most,
            } => {
                let (happened, is_exact) = shapes::asked(&[test], self.board);
                if !happened.is_empty() {
                    return SequenceBounds {
                        bound: all_bound(
                            happened.into_iter().map(SummaryBound::Happened).collect(),
                        ),
                        is_exact,
                    };
                }
                // Of the entire board the numbers say more.
                if *least == 0 || codes.contains(&EMPTY) || *on == self.board {
                    return SequenceBounds::OPEN;
                }
                let pieces = spread(codes)
                    .iter()
                    .fold(0, |pieces, code| pieces | 1 << code);
                if *is_all && *least > 1 {
                    let each = squares(*on).map(|on| SummaryBound::Stood { pieces, on });
                    return SequenceBounds::needed(all_bound(each.collect()));
                }
                SequenceBounds {
                    bound: SummaryBound::Stood { pieces, on: *on },
                    is_exact: *least == 1 && *most == u32::MAX,
                }
            }
            PlyTest::Check => {
                let givers = turn.map_or(vec![0, 1], |turn| vec![turn & 1 ^ 1]);
                SequenceBounds::exact(runs(&givers, 1))
            }
            PlyTest::Mate => {
                SequenceBounds::exact(SummaryBound::Happened(vec![GameEvent::Mate.key()]))
            }
            PlyTest::Stalemate => {
                SequenceBounds::exact(SummaryBound::Happened(vec![GameEvent::Stalemate.key()]))
            }
            PlyTest::Move(test) => self.of_move(test, turn),
            PlyTest::Last(test) => SequenceBounds {
                is_exact: false,
                ..self.of_move(test, turn.map(|turn| turn & 1 ^ 1))
            },
            PlyTest::Not(_)
            | PlyTest::Balance { .. }
            | PlyTest::Turn(_)
            | PlyTest::Ply(..)
            | PlyTest::ShutIn(..)
            | PlyTest::Attack(_)
            | PlyTest::Set(_)
            | PlyTest::MoveSet(_)
            | PlyTest::Value(..)
            | PlyTest::Fact(_)
            | PlyTest::End => SequenceBounds::OPEN,
        }
    }

    /// What a condition asks of the numbers of pieces on the board, and whether it asks nothing
    /// else.
    fn counts(self, test: &PlyTest) -> (CountTest, bool) {
        let nothing = || (CountTest::All(Vec::new()), false);
        let parts = |inner: &[PlyTest]| {
            let parts = inner.iter().map(|one| self.counts(one));
            let (parts, exact): (Vec<_>, Vec<_>) = parts.unzip();
            (parts, exact.iter().all(|is_exact| *is_exact))
        };
        let any = |inner: &[PlyTest]| {
            let (parts, is_exact) = parts(inner);
            if parts.contains(&CountTest::All(Vec::new())) {
                return nothing();
            }
            (CountTest::Any(parts), is_exact)
        };
        match test {
            PlyTest::All(inner) => {
                let (mut parts, is_exact) = parts(inner);
                parts.retain(|part| *part != CountTest::All(Vec::new()));
                (CountTest::All(parts), is_exact)
            }
            PlyTest::Any(inner) => any(inner),
            PlyTest::Shifted(test) => any(&test.each),
            PlyTest::Not(inner) => match self.counts(inner) {
                (test, true) => (CountTest::Not(Box::new(test)), true),
                _ => nothing(),
            },
            PlyTest::Pieces {
                codes,
                on,
                least,
                most,
                ..
            } => {
                let is_board = *on == self.board;
                if codes.contains(&EMPTY) || *least == 0 && !is_board {
                    return nothing();
                }
                // On some squares there cannot be more than on the board.
                let most = if is_board { *most } else { u32::MAX };
                (CountTest::Sum(spread(codes), *least, most), is_board)
            }
            PlyTest::Balance {
                codes: [one, other],
                on,
                least,
                most,
            } if *on == self.board && !one.contains(&EMPTY) && !other.contains(&EMPTY) => {
                let codes = [spread(one), spread(other)];
                (CountTest::More(codes, *least, *most), true)
            }
            _ => nothing(),
        }
    }
}

/// The codes of single kinds of pieces that some codes stand for.
pub(super) fn spread(codes: &[u8]) -> Vec<u8> {
    let kinds = |code: u8| match ANY.iter().position(|any| *any == code) {
        Some(side) => (1..=26).map(|letter| letter + 32 * side as u8).collect(),
        None => vec![code],
    };
    let mut codes: Vec<u8> = codes.iter().flat_map(|code| kinds(*code)).collect();
    codes.sort_unstable();
    codes.dedup();
    codes
}

const fn turn_of(test: &PlyTest) -> Option<usize> {
    match test {
        PlyTest::Turn(side) => Some(*side),
        _ => None,
    }
}

fn squares(mut on: u128) -> impl Iterator<Item = u128> {
    std::iter::from_fn(move || {
        let square = on & on.wrapping_neg();
        on &= on.wrapping_sub(1);
        (square != 0).then_some(square)
    })
}

/// Checks of some sides, at least that many one after the other.
fn runs(givers: &[usize], least: u8) -> SummaryBound {
    let keys = givers.iter().flat_map(|&side| {
        (least.min(CHECKS_MAX)..=CHECKS_MAX).map(move |run| GameEvent::Checks(side, run).key())
    });
    SummaryBound::Happened(keys.collect())
}

/// Whether a condition asks for a move of a knight.
fn moves_knights(test: &PlyTest) -> bool {
    match test {
        PlyTest::All(inner) => inner.iter().any(moves_knights),
        PlyTest::Move(test) => test.pieces & !both_sides('N') == 0,
        _ => false,
    }
}

/// How many checks must follow each other if a condition is to last.
fn checks(test: &PlyTest, step: &SequenceStep) -> SummaryBound {
    let inner = match test {
        PlyTest::All(inner) => &inner[..],
        test => std::slice::from_ref(test),
    };
    let turn = inner.iter().find_map(turn_of);
    let run = u8::try_from(step.times).unwrap_or(u8::MAX);
    match turn {
        Some(turn) if step.step == 2 && inner.contains(&PlyTest::Check) => {
            runs(&[turn & 1 ^ 1], run)
        }
        _ => SummaryBound::Open,
    }
}

impl Deriver {
    /// What a move asks, that a side makes if that is known.
    fn of_move(self, test: &MoveTest, turn: Option<usize>) -> SequenceBounds {
        if test.explodes {
            return SequenceBounds::OPEN;
        }
        let king = both_sides('K');
        let own = turn.map_or(u64::MAX, pieces_of);
        let kings = test.pieces & king & own;
        let bits = |bits: u64| (1..64u8).filter(move |code| bits >> code & 1 == 1);
        let mut all = Vec::new();
        let mut plain = MoveTest::ANY;
        let mut tells_side = test.castles != 0;
        if test.castles != 0 {
            let sides = [1, 2].into_iter().filter(|side| test.castles & side != 0);
            let keys = sides.flat_map(|side| {
                bits(kings).map(move |code| GameEvent::Castling(code, side).key())
            });
            all.push(SummaryBound::Happened(keys.collect()));
            // It is kings that castle.
            (plain.castles, plain.pieces) = (test.castles, test.pieces);
        } else {
            // Castling may be written as king takes rook.
            let may_differ = test.takes_rook && test.pieces & king != 0;
            if test.from != u128::MAX && !may_differ {
                let (pieces, on) = (test.pieces & own, test.from);
                all.push(SummaryBound::Stood { pieces, on });
            }
            if test.to != u128::MAX && !may_differ {
                let (pieces, on) = ((test.pieces | test.promoted) & own, test.to);
                // What a pawn becomes may be anything, where the query does not say.
                let climbers = both_sides('P') | both_sides('M');
                if test.stays || test.promoted != 0 || test.pieces & climbers == 0 {
                    all.push(SummaryBound::Stood { pieces, on });
                }
            }
            // On the last rank pawns become something else.
            let pawns = both_sides('P');
            if test.promoted == 0
                && test.pieces & own & !pawns == 0
                && test.to & !self.rules.promoting == 0
            {
                let pieces = sides_of(test.pieces & own) & !pawns & !1;
                let keys = bits(pieces).map(|code| GameEvent::Promotion(code).key());
                all.push(SummaryBound::Happened(keys.collect()));
                all.push(SummaryBound::Stood {
                    pieces,
                    on: test.to,
                });
            }
        }
        if test.taken != 0 {
            let pairs = bits(test.pieces & own)
                .flat_map(|piece| bits(test.taken).map(move |taken| GameEvent::Took(piece, taken)));
            let pairs: Vec<GameEvent> = pairs.collect();
            if pairs.iter().all(|pair| pair.is_told()) {
                let keys = pairs.into_iter().map(GameEvent::key);
                all.push(SummaryBound::Happened(keys.collect()));
                (plain.pieces, plain.taken) = (test.pieces, test.taken);
                tells_side = true;
            }
        }
        if test.promoted != 0 {
            let keys = bits(test.promoted & own).map(|code| GameEvent::Promotion(code).key());
            all.push(SummaryBound::Happened(keys.collect()));
            plain.promoted = test.promoted;
        }
        if test.en_passant {
            all.push(SummaryBound::Happened(vec![GameEvent::EnPassant.key()]));
            plain.en_passant = true;
        }
        if test.mate {
            all.push(SummaryBound::Happened(vec![GameEvent::Mate.key()]));
        }
        if test.check {
            let givers = turn.map_or(vec![0, 1], |turn| vec![turn & 1]);
            all.push(runs(&givers, 1));
        }
        let is_told = turn.is_none() || tells_side;
        SequenceBounds {
            is_exact: all.len() == 1 && is_told && plain == *test,
            bound: all_bound(all),
        }
    }
}

/// The codes of all pieces of the sides that some pieces are of, as bits.
const fn sides_of(pieces: u64) -> u64 {
    let mut all = 0;
    let mut side = 0;
    while side < 2 {
        if pieces & pieces_of(side) != 0 {
            all |= pieces_of(side);
        }
        side += 1;
    }
    all
}

/// The codes of a side's pieces, as bits.
pub(super) const fn pieces_of(side: usize) -> u64 {
    // Letters of White have codes 1 to 26, those of Black 33 to 58.
    if side & 1 == 0 {
        0xffff_fffe
    } else {
        !0xffff_ffff
    }
}

impl CountTest {
    /// The codes that it names.
    pub fn codes(&self) -> Vec<u8> {
        let mut codes = match self {
            Self::All(inner) | Self::Any(inner) => inner.iter().flat_map(Self::codes).collect(),
            Self::Not(inner) => inner.codes(),
            Self::Sum(codes, ..) => codes.clone(),
            Self::More(codes, ..) => codes.concat(),
        };
        codes.sort_unstable();
        codes.dedup();
        codes
    }
}

#[cfg(test)]
mod tests;
