//! What a line says of its positions beyond what stands on the board: how often each has stood, what
//! was promoted, where each piece has come from. It is made before the positions are tested, and only
//! for queries that need it.

use std::collections::HashMap;

use super::{
    Numbers,
    line_test::{LineStep, LineTest},
    ply_set::PlySet,
    program::Pattern,
};
use crate::games::{
    AnyPosition, BoardGame, Budget,
    view::{ANY, EMPTY, MoveInfo, PieceSets, code_of, stands_for},
    with_game,
};

/// How many labels a query may have: `~1` to `~4`.
pub(super) const LABELS_MAX: usize = 4;

/// What was found out about a line.
#[derive(Debug, Clone, Default)]
pub(super) struct LineHistory {
    /// Where facts of moves hold, by their numbers, and after them the tests of the line.
    pub(super) given: Vec<PlySet>,
    /// The squares of promoted pieces, by the ply.
    pub(super) promoted: Vec<u64>,
    /// The pieces, if the query has labels.
    pieces: Vec<PieceTrack>,
    /// The piece of each label, by its number there.
    pub(super) labelled: [usize; LABELS_MAX],
}

/// A piece from where it is first seen to where it is taken.
#[derive(Debug, Clone, Default)]
struct PieceTrack {
    /// The ply at which it is first seen.
    first: usize,
    /// From then on its square and its code.
    places: Vec<(u64, u8)>,
}

impl PieceTrack {
    fn at(&self, ply: usize) -> Option<(u64, u8)> {
        self.places.get(ply.checked_sub(self.first)?).copied()
    }
}

/// The use of a label: it is one of some pieces, by their codes, on one of some squares.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct LabelUse {
    /// Its number, from 0.
    pub(super) label: usize,
    /// The codes; any piece if there are none.
    pub(super) codes: Vec<u8>,
    /// The squares.
    pub(super) on: u64,
}

impl LabelUse {
    /// The square of the piece at a ply where it is so; otherwise none.
    fn square(&self, piece: &PieceTrack, ply: usize) -> u64 {
        let is_kind = |code| {
            let mut codes = self.codes.iter();
            self.codes.is_empty() || codes.any(|own| stands_for(*own, code))
        };
        match piece.at(ply) {
            Some((square, code)) if is_kind(code) => square & self.on,
            _ => 0,
        }
    }

    /// Whether it is so at some ply.
    fn is_ever(&self, piece: &PieceTrack) -> bool {
        let plies = piece.first..piece.first + piece.places.len();
        plies.into_iter().any(|ply| self.square(piece, ply) != 0)
    }
}

impl LineHistory {
    /// The square of the piece of a label, where it is such a piece on such a square.
    pub(super) fn labelled(&self, asked: &LabelUse, ply: u32) -> u64 {
        let piece = self.pieces.get(self.labelled[asked.label]);
        piece.map_or(0, |piece| asked.square(piece, ply as usize))
    }

    /// The history of a line, as far as a query needs it, after where facts of moves hold.
    pub(super) fn of(
        pattern: &Pattern,
        start: &AnyPosition,
        plies: &[u8],
        given: Vec<PlySet>,
    ) -> Self {
        let mut history = Self {
            given,
            ..Self::default()
        };
        if pattern.needs_history() {
            history.given.resize_with(pattern.facts, PlySet::default);
            with_game!(AnyPosition of start, at => history.record(pattern, at, plies));
        }
        history
    }

    fn record<G: BoardGame>(&mut self, pattern: &Pattern, start: &G, mut plies: &[u8]) {
        let (mut at, mut slots) = (start.clone(), start.slots());
        let mut line = LineRecorder::new(start, &pattern.line_tests);
        let follows = pattern.needs_promoted || pattern.has_labels();
        let (needs_moves, needs_sets) = (
            follows || line.counts_quiet_plies,
            follows || line.needs_sets,
        );
        let mut sets = [at.sets(), PieceSets::empty(0)];
        let mut results = vec![PlySet::default(); pattern.line_tests.len()];
        let mut squares = Vec::new();
        if pattern.has_labels() {
            squares = self.set_up(&sets[0]);
        }
        if pattern.needs_promoted {
            self.promoted.push(0);
        }
        for ply in 0.. {
            line.arrive(&at, &sets[0]);
            for (test, holds) in pattern.line_tests.iter().zip(&mut results) {
                let is_met = match test {
                    LineTest::Repetition(times) => is_within(*times, line.times),
                    LineTest::Fifty(plies) => is_within(*plies, line.quiet_plies),
                    LineTest::Legal(asked) => asked.is_legal(&at, &sets[0], Budget::default()),
                    // It follows from what comes after.
                    LineTest::Sacrifice(_) => false,
                };
                if is_met {
                    holds.insert(ply);
                }
            }
            let Some(m) = at.unpack(&mut slots, &mut plies) else {
                break;
            };
            if !needs_moves {
                at.play(m);
                if needs_sets {
                    sets[0] = at.sets();
                }
                continue;
            }
            let mut next = at.clone();
            next.play(m);
            sets[1] = next.sets();
            let [before, after] = &sets;
            let info = MoveInfo::of_move(&at, m, [before, after]);
            line.go(&info);
            if let Some(promoted) = self.promoted.last() {
                let stayed = promoted & !lost(before, after);
                // What takes may leave the board with what it takes.
                let arrived = (info.to & after.pieces(ANY[at.turn() & 1])) as u64;
                let is_one = info.promoted != 0 || promoted & info.from as u64 != 0;
                let moved = if is_one { arrived } else { 0 };
                self.promoted.push(stayed & !(info.from as u64) | moved);
            }
            if pattern.has_labels() {
                self.follow(&mut squares, &info, [before, after], at.turn());
            }
            at = next;
            sets.swap(0, 1);
        }
        for (test, holds) in pattern.line_tests.iter().zip(&mut results) {
            if let LineTest::Sacrifice(asked) = test {
                *holds = asked.plies(&line.steps);
            }
        }
        self.given.extend(results);
    }

    /// Begins with the pieces of a start position; the number of each by its square.
    fn set_up(&mut self, sets: &PieceSets) -> Vec<Option<usize>> {
        let mut squares = vec![None; 128];
        for code in sets
            .codes()
            .filter(|code| !ANY.contains(code) && *code != EMPTY)
        {
            let mut on = sets.pieces(code);
            while on != 0 {
                let square = on.trailing_zeros() as usize;
                squares[square] = Some(self.pieces.len());
                self.pieces.push(PieceTrack {
                    first: 0,
                    places: vec![(1 << (square & 63), code)],
                });
                on &= on - 1;
            }
        }
        squares
    }

    /// Follows the pieces through a move.
    fn follow(
        &mut self,
        squares: &mut [Option<usize>],
        info: &MoveInfo,
        [before, after]: [&PieceSets; 2],
        side: usize,
    ) {
        let ply = self
            .pieces
            .iter()
            .map(|piece| piece.first + piece.places.len());
        let ply = ply.max().unwrap_or(0);
        let moved = squares_of(info.from)
            .next()
            .and_then(|from| squares[from].take());
        let rook = squares_of(info.rook)
            .next()
            .and_then(|from| squares[from].take());
        for square in squares_of(lost(before, after).into()) {
            squares[square] = None;
        }
        let own = after.pieces(ANY[side & 1]);
        if let Some(to) = squares_of(info.to & own).next() {
            squares[to] = Some(moved.unwrap_or_else(|| {
                self.pieces.push(PieceTrack {
                    first: ply,
                    places: Vec::new(),
                });
                self.pieces.len() - 1
            }));
        }
        if let Some(rook) = rook {
            let code = code_of(if side == 0 { 'R' } else { 'r' });
            let mut to = squares_of(after.pieces(code) & !before.pieces(code));
            if let Some(to) = to.next() {
                squares[to] = Some(rook);
            }
        }
        for (square, piece) in squares.iter().enumerate() {
            if let Some(piece) = piece {
                let places = &mut self.pieces[*piece].places;
                places.push((1 << (square & 63), after.at(square as u8)));
            }
        }
    }

    /// The pieces that each label may be, all combinations of them; one if there are no labels. Of
    /// pieces that fulfil no use of a label one stands for all.
    pub(super) fn assignments(&self, pattern: &Pattern) -> Vec<[usize; LABELS_MAX]> {
        let mut all = vec![[usize::MAX; LABELS_MAX]];
        for label in 0..LABELS_MAX {
            let uses = pattern.label_uses.iter().filter(|one| one.label == label);
            let uses: Vec<&LabelUse> = uses.collect();
            if uses.is_empty() {
                continue;
            }
            let groups = pattern.label_groups.iter();
            let groups: Vec<_> = groups.filter(|group| group[0].label == label).collect();
            let pieces = self.pieces.iter().enumerate();
            let (mut fitting, mut others) = (Vec::new(), Vec::new());
            for (number, piece) in pieces {
                if uses.iter().any(|one| one.is_ever(piece)) {
                    let is_one =
                        |group: &&Vec<LabelUse>| group.iter().any(|one| one.is_ever(piece));
                    if groups.iter().all(is_one) {
                        fitting.push(number);
                    }
                } else if groups.is_empty() {
                    others.push(number);
                }
            }
            fitting.extend(others.first());
            let each = all.iter().flat_map(|known| {
                fitting.iter().map(|piece| {
                    let mut next = *known;
                    next[label] = *piece;
                    next
                })
            });
            all = each.collect();
        }
        all
    }
}

/// The numbers of some squares.
fn squares_of(mut on: u128) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let square = on.trailing_zeros() as usize;
        on &= on.wrapping_sub(1);
        (square < 128).then_some(square)
    })
}

/// The squares that a piece of a side has left, or on which another side stands now.
fn lost(before: &PieceSets, after: &PieceSets) -> u64 {
    let of = |side: usize| before.pieces(ANY[side]) & !after.pieces(ANY[side]);
    (of(0) | of(1)) as u64
}

const fn is_within((least, most): Numbers, value: u32) -> bool {
    least <= value && value <= most
}

/// Counts along a line.
struct LineRecorder {
    /// How often each position has stood, and the position at hand; where that matters.
    stood: Option<HashMap<(u64, u32), u32>>,
    times: u32,
    counts_quiet_plies: bool,
    /// Whether it matters what stands on the board.
    needs_sets: bool,
    has_sacrifices: bool,
    /// Plies since something was captured or a pawn or a man moved.
    quiet_plies: u32,
    /// What sacrifices are made out by.
    steps: Vec<LineStep>,
}

impl LineRecorder {
    fn new<G: BoardGame>(start: &G, tests: &[LineTest]) -> Self {
        let has = |is: fn(&LineTest) -> bool| tests.iter().any(is);
        let has_sacrifices = has(|test| matches!(test, LineTest::Sacrifice(_)));
        // The fifth field of a FEN counts these plies before the start.
        let fen = start.fen();
        let before = fen.split(' ').nth(4).and_then(|field| field.parse().ok());
        Self {
            stood: has(|test| matches!(test, LineTest::Repetition(_))).then(HashMap::new),
            times: 0,
            counts_quiet_plies: has(|test| matches!(test, LineTest::Fifty(_))),
            needs_sets: has_sacrifices || has(|test| matches!(test, LineTest::Legal(_))),
            has_sacrifices,
            quiet_plies: before.unwrap_or(0),
            steps: Vec::new(),
        }
    }

    fn arrive<G: BoardGame>(&mut self, at: &G, sets: &PieceSets) {
        if let Some(stood) = &mut self.stood {
            let times = stood.entry((at.key(), at.state())).or_default();
            *times += 1;
            self.times = *times;
        }
        if self.has_sacrifices {
            self.steps.push(LineStep::of(at.turn(), sets));
        }
    }

    fn go(&mut self, info: &MoveInfo) {
        let is_pawn = "PpMm".chars().any(|letter| code_of(letter) == info.piece);
        self.quiet_plies = if is_pawn || info.jumps > 0 {
            0
        } else {
            self.quiet_plies + 1
        };
    }
}
