//! Tests on sets of squares that depend on the position, on boards of chess.

use std::sync::LazyLock;

use crate::games::chess::basics::{Bitboard, attacks};

use super::{
    SetFunction, SquareExpr,
    attack_sets::{AttackCodes, EDGES, PIECES, ahead, first, pawn_attacks, sideways},
    line_history::{LabelUse, LineHistory},
};
use crate::games::view::{ANY, EMPTY, MoveInfo, PositionView, code_of};

/// All pieces of chess, each alone, and both sides'.
static EACH: LazyLock<[AttackCodes; 12]> = LazyLock::new(|| {
    let codes = PIECES.as_flattened();
    std::array::from_fn(|at| AttackCodes::of(&codes[at..=at]))
});
static ALL: LazyLock<AttackCodes> = LazyLock::new(|| AttackCodes::of(PIECES.as_flattened()));
/// The first rank.
const RANK: u64 = 0xff;

/// N squares of a set, or as many as of another, within a range.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SetTest {
    pub(super) set: SetNode,
    /// Those of another set, which are subtracted.
    pub(super) less: Option<SetNode>,
    pub(super) least: i64,
    pub(super) most: i64,
}

/// A move from a square of a set, or to one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct MoveSetTest {
    pub(super) set: SetNode,
    pub(super) is_from: bool,
}

/// A set on a board: pieces by their codes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum SetNode {
    Pieces {
        codes: Vec<u8>,
        on: u64,
    },
    Labelled(LabelUse),
    Function(SetFunction, Vec<Self>),
    /// Squares of files without own pawns, but with enemy pawns, by the side of "own".
    HalfOpen(usize),
    And(Box<Self>, Box<Self>),
    Without(Box<Self>, Box<Self>),
    Or(Box<Self>, Box<Self>),
}

/// The pieces of a position.
struct SetBoard<'s, S> {
    sight: &'s S,
    history: &'s LineHistory,
    /// By side: all pieces, and pawns.
    all: [u64; 2],
    pawns: [u64; 2],
}

/// Squares on any rank ahead of a side.
const fn all_ahead(set: u64, side: usize) -> u64 {
    let mut filled = ahead(set, side);
    let mut step = 0;
    while step < 6 {
        filled |= ahead(filled, side);
        step += 1;
    }
    filled
}

/// All squares of the files.
const fn files(set: u64) -> u64 {
    set | all_ahead(set, 0) | all_ahead(set, 1)
}

/// Squares next to some, these included.
const fn zone(set: u64) -> u64 {
    let row = set | sideways(set);
    row | ahead(row, 0) | ahead(row, 1)
}

/// Each square of a set.
fn squares(set: u64) -> impl Iterator<Item = u64> {
    Bitboard(set)
        .into_iter()
        .map(|square| 1 << u32::from(square))
}

impl SetTest {
    /// Whether it is so.
    pub(super) fn holds<S: PositionView>(&self, sight: &S, history: &LineHistory) -> bool {
        let board = SetBoard::of(sight, history);
        let count = |set: &SetNode| i64::from(board.squares(set).count_ones());
        let more = count(&self.set) - self.less.as_ref().map_or(0, count);
        self.least <= more && more <= self.most
    }
}

impl MoveSetTest {
    /// Whether a move is so that leaves the position.
    pub(super) fn holds<S: PositionView>(
        &self,
        sight: &S,
        next_move: &MoveInfo,
        history: &LineHistory,
    ) -> bool {
        let end = if self.is_from {
            next_move.from
        } else {
            next_move.to
        };
        end != 0 && end as u64 & SetBoard::of(sight, history).squares(&self.set) != 0
    }
}

impl<'s, S: PositionView> SetBoard<'s, S> {
    fn of(sight: &'s S, history: &'s LineHistory) -> Self {
        let of = |code: u8| sight.pieces(code) as u64;
        SetBoard {
            sight,
            history,
            all: ANY.map(of),
            pawns: ['P', 'p'].map(|letter| of(code_of(letter))),
        }
    }

    fn squares(&self, set: &SetNode) -> u64 {
        match set {
            SetNode::Pieces { codes, on } => self.standing(codes) & on,
            SetNode::Labelled(asked) => self.history.labelled(asked, self.sight.ply()),
            SetNode::HalfOpen(side) => files(self.pawns[side ^ 1]) & !files(self.pawns[*side]),
            SetNode::And(one, other) => match self.squares(one) {
                0 => 0,
                one => one & self.squares(other),
            },
            SetNode::Without(one, other) => match self.squares(one) {
                0 => 0,
                one => one & !self.squares(other),
            },
            SetNode::Or(one, other) => self.squares(one) | self.squares(other),
            SetNode::Function(function, sets) => self.function(*function, sets),
        }
    }

    fn standing(&self, codes: &[u8]) -> u64 {
        codes
            .iter()
            .fold(0, |all, code| all | self.sight.pieces(*code) as u64)
    }

    /// What is true of the pieces of each side in a set.
    fn of_sides(&self, set: u64, of: impl Fn(u64, usize) -> u64) -> u64 {
        let [white, black] = [0, 1].map(|side| match set & self.all[side] {
            0 => 0,
            own => of(own, side),
        });
        white | black
    }

    /// The same of the pawns.
    fn of_pawns(&self, set: u64, of: impl Fn(u64, u64, u64, usize) -> u64) -> u64 {
        let [white, black] = [0, 1].map(|side| match set & self.pawns[side] {
            0 => 0,
            pawns => of(pawns, self.pawns[side], self.pawns[side ^ 1], side),
        });
        white | black
    }

    fn function(&self, function: SetFunction, sets: &[SetNode]) -> u64 {
        let set = match sets.first() {
            Some(set) => self.squares(set),
            None => 0,
        };
        match function {
            SetFunction::Passed => self.of_pawns(set, |pawns, _, enemy, side| {
                let span = enemy | sideways(enemy);
                pawns & !all_ahead(span, side ^ 1)
            }),
            SetFunction::Isolated => {
                self.of_pawns(set, |pawns, own, _, _| pawns & !sideways(files(own)))
            }
            SetFunction::Doubled => self.of_pawns(set, |pawns, own, _, _| {
                pawns & (all_ahead(own, 0) | all_ahead(own, 1))
            }),
            SetFunction::Connected => self.of_pawns(set, |pawns, own, _, _| pawns & beside(own)),
            SetFunction::Backward => self.of_pawns(set, |pawns, own, enemy, side| {
                let has_neighbours = pawns & sideways(files(own));
                // A neighbour that is level or behind.
                let supported = sideways(own | all_ahead(own, side));
                let held = ahead(pawn_attacks(enemy, side ^ 1), side ^ 1);
                has_neighbours & !supported & held
            }),
            SetFunction::Hanging => {
                self.of_pawns(set, |pawns, own, enemy, _| pawns & hanging(own, enemy))
            }
            SetFunction::Chain => self.of_pawns(set, |pawns, own, _, side| {
                let defended = pawn_attacks(own, side);
                let defending = sideways(ahead(own, side ^ 1));
                pawns & (defended | defending)
            }),
            SetFunction::Outpost => self.of_sides(set, |pieces, side| {
                let ranks = if side == 0 {
                    RANK << 32 | RANK << 40
                } else {
                    RANK << 24 | RANK << 16
                };
                let enemy = self.pawns[side ^ 1];
                // Where an enemy pawn attacks from where it is, or from where it can go.
                let reached = sideways(all_ahead(enemy, side ^ 1));
                pieces & ranks & pawn_attacks(self.pawns[side], side) & !reached
            }),
            SetFunction::Defended => self.of_sides(set, |pieces, side| {
                pieces & self.attacked(self.all[side], 1)
            }),
            SetFunction::Undefended => self.of_sides(set, |pieces, side| {
                pieces & !self.attacked(self.all[side], 1)
            }),
            SetFunction::Loose => self.of_sides(set, |pieces, side| {
                let pieces = pieces & !self.kings(side);
                let attacked = pieces & self.attacked(self.all[side ^ 1], 1);
                match attacked {
                    0 => 0,
                    attacked => attacked & !self.attacked(self.all[side], 1),
                }
            }),
            SetFunction::Pinned => self.of_sides(set, |pieces, side| pieces & self.pinned(side)),
            SetFunction::Promoted => {
                let promoted = self.history.promoted.get(self.sight.ply() as usize);
                set & promoted.copied().unwrap_or_default()
            }
            SetFunction::Open => !files(self.pawns[0] | self.pawns[1]),
            SetFunction::HalfOpen => 0,
            SetFunction::Beside => beside(set),
            SetFunction::Stop => self.of_sides(set, ahead),
            SetFunction::Front => self.of_sides(set, all_ahead),
            SetFunction::Files => files(set),
            SetFunction::Ranks => {
                let mut ranks = 0;
                for row in 0..8 {
                    if set >> (8 * row) & RANK != 0 {
                        ranks |= RANK << (8 * row);
                    }
                }
                ranks
            }
            SetFunction::Around => zone(set) & !set,
            SetFunction::Zone => zone(set),
            SetFunction::Attacked(least) => self.attacked(set, least),
            SetFunction::Attackers(least) => self.attackers(set, least),
            SetFunction::Ray => self.ray(set, &sets[1..]),
            SetFunction::Between => {
                let others = sets.get(1).map_or(0, |set| self.squares(set));
                let mut found = 0;
                for one in squares(set) {
                    for other in squares(others) {
                        found |= attacks::between(first(one), first(other)).0;
                    }
                }
                found
            }
            SetFunction::LastFrom => self.sight.last().map_or(0, |last| last.from as u64),
            SetFunction::LastTo => self.sight.last().map_or(0, |last| last.to as u64),
        }
    }

    fn kings(&self, side: usize) -> u64 {
        self.standing(&[code_of(if side == 0 { 'K' } else { 'k' })])
    }

    fn occupied(&self) -> u64 {
        self.all[0] | self.all[1]
    }

    /// Each piece with what it attacks.
    fn attacks_of_each(&self) -> impl Iterator<Item = (u64, u64)> {
        let occupied = self.occupied();
        EACH.iter().flat_map(move |codes| {
            let kind = codes.on(self.sight);
            squares(kind.all()).map(move |at| (at, kind.within(at).attacked(occupied)))
        })
    }

    /// The pieces that attack at least some squares of a set.
    fn attackers(&self, set: u64, least: u8) -> u64 {
        if least == 1 {
            return ALL.on(self.sight).attackers(set, self.occupied());
        }
        self.attacks_of_each()
            .filter(|(_, seen)| (seen & set).count_ones() >= least.into())
            .fold(0, |all, (at, _)| all | at)
    }

    /// The squares that at least some pieces of a set attack.
    fn attacked(&self, set: u64, least: u8) -> u64 {
        if least <= 1 {
            return ALL.on(self.sight).within(set).attacked(self.occupied());
        }
        // By how many pieces a square is attacked, at most the least number: one bit each.
        let mut by = [0_u64; 16];
        let least = usize::from(least.min(16));
        for (_, seen) in self.attacks_of_each().filter(|(at, _)| at & set != 0) {
            for nth in (1..least).rev() {
                by[nth] |= by[nth - 1] & seen;
            }
            by[0] |= seen;
        }
        by[least - 1]
    }

    /// The pieces of a side that stand alone between their king and an enemy piece on its line.
    fn pinned(&self, side: usize) -> u64 {
        let occupied = self.occupied();
        let king = self.kings(side);
        if !king.is_power_of_two() {
            return 0;
        }
        let letters = if side == 0 {
            ['r', 'b', 'q']
        } else {
            ['R', 'B', 'Q']
        };
        let [rooks, bishops, queens] = letters.map(|letter| self.standing(&[code_of(letter)]));
        let at = first(king);
        let straight = attacks::rook_attacks(at, Bitboard(0)).0 & (rooks | queens);
        let diagonal = attacks::bishop_attacks(at, Bitboard(0)).0 & (bishops | queens);
        squares(straight | diagonal).fold(0, |all, by| {
            let between = attacks::between(at, first(by)).0 & occupied;
            let is_one = between.is_power_of_two();
            all | if is_one { between & self.all[side] } else { 0 }
        })
    }

    /// Squares of a set from which a line meets one square of each further set, and nothing else.
    fn ray(&self, first: u64, sets: &[SetNode]) -> u64 {
        const STEPS: [(i8, i8); 8] = [
            (1, 0),
            (0, 1),
            (-1, 0),
            (0, -1),
            (1, 1),
            (-1, 1),
            (-1, -1),
            (1, -1),
        ];
        let occupied = self.occupied();
        let targets: Vec<u64> = sets.iter().map(|set| self.squares(set)).collect();
        if targets.contains(&0) {
            return 0;
        }
        let lines = |letters: [char; 2]| self.standing(&letters.map(code_of));
        let (rooks, bishops) = (lines(['R', 'r']), lines(['B', 'b']));
        let meets = |from: u64, (right, up): (i8, i8)| {
            let is_diagonal = right != 0 && up != 0;
            if is_diagonal && from & rooks != 0 || !is_diagonal && from & bishops != 0 {
                return false;
            }
            let (mut at, mut next) = (from, 0);
            loop {
                if right > 0 && at & EDGES[1] != 0 || right < 0 && at & EDGES[0] != 0 {
                    return false;
                }
                let by = i32::from(right) + 8 * i32::from(up);
                at = if by > 0 { at << by } else { at >> -by };
                if at == 0 {
                    return false;
                }
                if at & targets[next] != 0 {
                    next += 1;
                    if next == targets.len() {
                        return true;
                    }
                } else if at & occupied != 0 {
                    return false;
                }
            }
        };
        squares(first)
            .filter(|from| STEPS.iter().any(|step| meets(*from, *step)))
            .fold(0, |all, at| all | at)
    }
}

/// Squares at most one rank away on adjacent files.
const fn beside(set: u64) -> u64 {
    let column = set | ahead(set, 0) | ahead(set, 1);
    sideways(column)
}

/// Pawns that are a pair alone on adjacent files, without an own pawn on the files next to these
/// and without an enemy pawn on the two.
fn hanging(own: u64, enemy: u64) -> u64 {
    let mut found = 0;
    for first in 0..7 {
        let pair = EDGES[0] << first | EDGES[0] << (first + 1);
        let outer = sideways(pair) & !pair;
        let is_one = |file: u64| (own & file).is_power_of_two();
        if is_one(EDGES[0] << first)
            && is_one(EDGES[0] << (first + 1))
            && own & outer == 0
            && enemy & pair == 0
            && own & pair & beside(own & pair) == own & pair
        {
            found |= own & pair;
        }
    }
    found
}

/// How many squares a set has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SetCount {
    /// A number in this range.
    In((u32, u32)),
    /// As many as another set, and a number in this range.
    Relative {
        /// The other set.
        to: SquareExpr,
        /// How many more.
        plus: (u32, u32),
    },
}

impl SetTest {
    /// The labels in it.
    pub(super) fn label_uses(&self) -> Vec<&LabelUse> {
        let mut found = self.set.label_uses();
        found.extend(self.less.iter().flat_map(SetNode::label_uses));
        found
    }

    /// The use of a label without which it does not hold.
    pub(super) const fn needed_label(&self) -> Option<&LabelUse> {
        match (&self.set, &self.less, self.least) {
            (SetNode::Labelled(asked), None, 1..) => Some(asked),
            _ => None,
        }
    }

    /// Whether it asks which pieces were pawns.
    pub(super) fn needs_promoted(&self) -> bool {
        self.set.needs_promoted() || self.less.as_ref().is_some_and(SetNode::needs_promoted)
    }
}

impl MoveSetTest {
    /// As [`SetTest::label_uses`].
    pub(super) fn label_uses(&self) -> Vec<&LabelUse> {
        self.set.label_uses()
    }

    /// As [`SetTest::needs_promoted`].
    pub(super) fn needs_promoted(&self) -> bool {
        self.set.needs_promoted()
    }
}

impl SetNode {
    fn inner(&self) -> Vec<&Self> {
        match self {
            Self::Pieces { .. } | Self::Labelled(_) | Self::HalfOpen(_) => Vec::new(),
            Self::Function(_, sets) => sets.iter().collect(),
            Self::And(one, other) | Self::Without(one, other) | Self::Or(one, other) => {
                vec![one, other]
            }
        }
    }

    fn label_uses(&self) -> Vec<&LabelUse> {
        match self {
            Self::Labelled(asked) => vec![asked],
            _ => self
                .inner()
                .into_iter()
                .flat_map(Self::label_uses)
                .collect(),
        }
    }

    fn needs_promoted(&self) -> bool {
        matches!(self, Self::Function(SetFunction::Promoted, _))
            || self.inner().into_iter().any(Self::needs_promoted)
    }

    /// The pieces of which it is a part, and where they stand; `None` where it is not known.
    pub(super) fn chosen_from(&self) -> Option<(&Vec<u8>, u64)> {
        match self {
            Self::Pieces { codes, on } if !codes.contains(&EMPTY) => Some((codes, *on)),
            Self::Function(function, sets) if function.is_filter() => {
                sets.first().and_then(Self::chosen_from)
            }
            Self::And(one, other) => one.chosen_from().or_else(|| other.chosen_from()),
            Self::Without(one, _) => one.chosen_from(),
            _ => None,
        }
    }
}
