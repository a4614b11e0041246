//! Finds where a game keeps a pawn structure or the pieces of an ending.

use super::{
    endings::{ENDING_PLIES, EndingFamily, EndingSpec},
    pawns::{NAMED_STRUCTURES, NamedStructure, PawnStructure},
};
use crate::games::{
    AnyPosition, BoardGame,
    symmetry::Symmetry,
    view::{EMPTY, MoveDelta, PositionView, PositionVisitor, VisitChoice, code_of},
    with_game,
};

/// Plies that a structure stays on the board, at least.
pub(super) const STRUCTURE_PLIES: u32 = 6;

/// The pawns, or the men of draughts, of White and Black that are searched for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SkeletonTarget {
    /// The squares.
    pub squares: [u128; 2],
    /// On these squares they are compared one by one, elsewhere only counted by file.
    pub exact: u128,
    /// How the skeleton that was asked for is seen here.
    pub symmetry: Symmetry,
}

impl SkeletonTarget {
    fn is_at(&self, squares: [u128; 2]) -> bool {
        if self.exact == u128::MAX {
            return self.squares == squares;
        }
        let counts = |set: u128| {
            let file = |at: u32| (set as u64 & FILE_A << at).count_ones();
            std::array::from_fn::<u32, 8, _>(|at| file(at as u32))
        };
        (0..2).all(|side| {
            let [own, seen] = [self.squares[side], squares[side]];
            (own ^ seen) & self.exact == 0 && counts(own) == counts(seen)
        })
    }

    fn counts(&self) -> [u32; 2] {
        self.squares.map(u128::count_ones)
    }
}

const FILE_A: u64 = 0x0101_0101_0101_0101;

/// What a board is tested for.
#[derive(Debug, Clone)]
pub enum StayTest {
    /// Pawns or men on certain squares.
    Skeleton {
        /// The ways in which it is searched for.
        targets: Vec<SkeletonTarget>,
        /// The codes of White's and Black's pawns or men.
        codes: [u8; 2],
        /// Plies that it must stay: 1 in draughts, where nearly every move changes the men.
        plies: u32,
    },
    /// A structure with a name, of either side.
    Named(&'static NamedStructure),
    /// The pieces of an ending, of either side.
    Ending(EndingSpec),
}

impl StayTest {
    /// Plies that it must stay.
    pub const fn plies(&self) -> u32 {
        match self {
            Self::Skeleton { plies, .. } => *plies,
            Self::Named(_) => STRUCTURE_PLIES,
            Self::Ending(_) => ENDING_PLIES,
        }
    }

    /// How the board is to be seen so that White has what is searched for.
    fn found(&self, view: &impl PositionView) -> Option<Symmetry> {
        match self {
            Self::Skeleton { targets, codes, .. } => {
                let squares = codes.map(|code| view.pieces(code));
                let found = targets.iter().find(|target| target.is_at(squares));
                found.map(|target| target.symmetry)
            }
            Self::Named(named) => {
                let at = pawns(view);
                if (named.test)(at) {
                    Some(Symmetry::None)
                } else {
                    (named.test)(at.flipped()).then_some(Symmetry::Flip)
                }
            }
            Self::Ending(spec) => {
                let family = EndingFamily::of(|code| view.pieces(code))?;
                let counts = pawn_counts(view);
                let [white, black] = counts;
                // Of equal pieces, the side with more pawns is looked at.
                let first = if spec.family.own == spec.family.other && black > white {
                    [Symmetry::Flip, Symmetry::None]
                } else {
                    [Symmetry::None, Symmetry::Flip]
                };
                first.into_iter().find(|symmetry| match symmetry {
                    Symmetry::None => spec.fits(family, counts),
                    _ => spec.fits(family.flipped(), [black, white]),
                })
            }
        }
    }

    /// Whether it cannot come to the board any more, as pieces are gone that it needs.
    fn is_over(&self, view: &impl PositionView) -> bool {
        let Self::Skeleton { targets, codes, .. } = self else {
            return false;
        };
        let left = codes.map(|code| view.pieces(code).count_ones());
        targets.iter().all(|target| {
            let needed = target.counts();
            needed[0] > left[0] || needed[1] > left[1]
        })
    }

    /// Whether it can change by a move that takes nothing.
    const fn asks_for_pawns(&self) -> bool {
        matches!(self, Self::Skeleton { .. } | Self::Named(_))
    }
}

fn pawns(view: &impl PositionView) -> PawnStructure {
    PawnStructure {
        own: view.pieces(code_of('P')) as u64,
        other: view.pieces(code_of('p')) as u64,
    }
}

fn pawn_counts(view: &impl PositionView) -> [u8; 2] {
    ['P', 'p'].map(|letter| view.pieces(code_of(letter)).count_ones().min(255) as u8)
}

/// Where a game has what was searched for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stay {
    /// The first ply of the stay.
    pub ply: u32,
    /// The ply at which it is over: that of a later position, or one after the last.
    pub end: u32,
    /// How the board is to be seen so that White has it.
    pub symmetry: Symmetry,
    /// The pawns of White and Black on the board.
    pub pawns: [u8; 2],
}

/// Finds the first stay of a game.
#[derive(Debug)]
pub struct StayFinder<'t> {
    test: &'t StayTest,
    /// The first ply that counts.
    from: u32,
    open: Option<Stay>,
    found: Vec<Stay>,
    changes: bool,
    last: u32,
}

impl<'t> StayFinder<'t> {
    /// A finder of stays.
    pub const fn new(test: &'t StayTest) -> Self {
        Self {
            test,
            from: 0,
            open: None,
            found: Vec::new(),
            changes: true,
            last: 0,
        }
    }

    /// The stays of a line that last long enough, in order: the first one seen from the side of
    /// the board that is asked for, and if it is mirrored those after it as well.
    pub fn stays(&mut self, start: &AnyPosition, plies: &[u8]) -> &[Stay] {
        (self.open, self.changes, self.last) = (None, true, 0);
        self.found.clear();
        with_game!(AnyPosition of start, at => at.show(plies, self));
        let end = self.last + 1;
        self.close(end);
        &self.found
    }

    fn close(&mut self, end: u32) {
        if let Some(stay) = self.open.take()
            && end - stay.ply >= self.test.plies()
        {
            self.found.push(Stay { end, ..stay });
        }
    }
}

impl PositionVisitor for StayFinder<'_> {
    fn see<S: PositionView>(&mut self, view: &S) -> bool {
        let ply = view.ply();
        self.last = ply;
        let found = self.test.found(view);
        if found != self.open.map(|stay| stay.symmetry) {
            self.close(ply);
            // A mirrored stay counts only once neither side can castle: perhaps a later one does.
            if self
                .found
                .last()
                .is_some_and(|stay| !stay.symmetry.mirrors())
            {
                return false;
            }
            self.open = found.filter(|_| ply >= self.from).map(|symmetry| Stay {
                ply,
                end: ply,
                symmetry,
                pawns: pawn_counts(view),
            });
        }
        found.is_some() || !self.test.is_over(view)
    }

    fn offer(&mut self, ply: u32, moving: MoveDelta, _: impl FnOnce() -> bool) -> VisitChoice {
        let is_wanted = std::mem::replace(
            &mut self.changes,
            may_change(moving, self.test.asks_for_pawns()),
        );
        self.last = ply;
        if is_wanted {
            VisitChoice::Wanted
        } else {
            VisitChoice::PassedBy
        }
    }
}

/// Whether a move can change the pawns, or take something.
fn may_change(moving: MoveDelta, asks_for_pawns: bool) -> bool {
    let is_pawn = moving.piece & 31 == code_of('P') & 31;
    moving.is_special || moving.taken & !(1 << EMPTY) != 0 || is_pawn && asks_for_pawns
}

/// The plies of a game in which structures count: later ones are endings.
const STRUCTURE_WINDOW: [u32; 2] = [20, 60];

/// What a game has reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReachedEnding {
    /// What is left, White's pieces first.
    pub family: EndingFamily,
    /// White's pawns less Black's.
    pub pawn_difference: i8,
    /// The ply of its first position.
    pub ply: u32,
}

/// Finds the structures with names and the endings that a game reaches.
#[derive(Debug, Default)]
pub struct ReachScan {
    /// Positions before are not looked at.
    from: u32,
    changes: bool,
    last: u32,
    /// Since when each structure stands, of White and of Black.
    since: [[Option<u32>; 2]; NAMED_STRUCTURES.len()],
    /// Which side has had it, as bits.
    reached: [u8; NAMED_STRUCTURES.len()],
    pawns: PawnStructure,
    ending: Option<(EndingFamily, u32)>,
    counts: [u8; 2],
    endings: Vec<ReachedEnding>,
}

impl ReachScan {
    /// Looks at a line from a ply on: which sides had which structures of
    /// [`NAMED_STRUCTURES`] (bit 0 White, bit 1 Black), for six plies between plies 20 and 60, and the
    /// endings, each once.
    pub fn scan(
        &mut self,
        start: &AnyPosition,
        plies: &[u8],
        from: u32,
    ) -> (&[u8; NAMED_STRUCTURES.len()], &[ReachedEnding]) {
        let endings = std::mem::take(&mut self.endings);
        *self = Self {
            from,
            changes: true,
            endings,
            ..Self::default()
        };
        self.endings.clear();
        with_game!(AnyPosition of start, at => at.show(plies, self));
        let end = self.last + 1;
        self.close_structures(end, None);
        self.close_ending(end);
        (&self.reached, &self.endings)
    }

    /// Ends the stays of structures that other pawns do not have.
    fn close_structures(&mut self, ply: u32, next: Option<PawnStructure>) {
        let [first, last] = STRUCTURE_WINDOW;
        let (from, end) = (first.max(self.from), ply.min(last + 1));
        for (at, named) in NAMED_STRUCTURES.iter().enumerate() {
            for side in 0..2 {
                let seen = |at: PawnStructure| if side == 0 { at } else { at.flipped() };
                let stands = next.is_some_and(|next| (named.test)(seen(next)));
                if let Some(since) = self.since[at][side]
                    && !stands
                {
                    self.since[at][side] = None;
                    if end.saturating_sub(since.max(from)) >= STRUCTURE_PLIES {
                        self.reached[at] |= 1 << side;
                    }
                } else if stands && self.since[at][side].is_none() {
                    self.since[at][side] = Some(ply);
                }
            }
        }
    }

    fn close_ending(&mut self, ply: u32) {
        let Some((family, since)) = self.ending.take() else {
            return;
        };
        let is_new = self.endings.iter().all(|own| own.family != family);
        if is_new && ply - since >= ENDING_PLIES {
            let [white, black] = self.counts;
            self.endings.push(ReachedEnding {
                family,
                pawn_difference: white as i8 - black as i8,
                ply: since,
            });
        }
    }
}

impl PositionVisitor for ReachScan {
    fn see<S: PositionView>(&mut self, view: &S) -> bool {
        let ply = view.ply();
        self.last = ply;
        let pawns = pawns(view);
        if pawns != self.pawns {
            self.pawns = pawns;
            if ply <= STRUCTURE_WINDOW[1] + 1 {
                self.close_structures(ply, Some(pawns));
            }
        }
        let family = EndingFamily::of(|code| view.pieces(code));
        if family != self.ending.map(|(family, _)| family) {
            self.close_ending(ply);
            self.ending = family.map(|family| (family, ply));
            self.counts = pawn_counts(view);
        }
        true
    }

    fn offer(&mut self, ply: u32, moving: MoveDelta, _: impl FnOnce() -> bool) -> VisitChoice {
        if ply < self.from {
            return VisitChoice::PassedBy;
        }
        let is_wanted = std::mem::replace(&mut self.changes, may_change(moving, true));
        self.last = ply;
        if is_wanted {
            VisitChoice::Wanted
        } else {
            VisitChoice::PassedBy
        }
    }
}
