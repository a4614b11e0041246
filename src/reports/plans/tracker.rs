//! Follows every piece of a position through the plies after it, and says which steps it sees.

use super::step::{PieceRoute, PlanStep, StepKind, StepPlace, letter_of, value_of};
use crate::games::{
    AnyPosition, BoardGame,
    view::{ANY, EMPTY, MoveDelta, MoveInfo, PositionView, PositionVisitor, VisitChoice, code_of},
    with_game,
};

/// Plies that a piece stays on a square where it stops, at least.
const STAY_PLIES: u32 = 5;

/// The balance of material that ends the window once it lasts for two quiet plies, in pawns.
const DECIDED: i32 = 2;

/// Which steps a game can have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StepRules {
    /// Pieces that move and capture one by one, as in chess.
    Pieces,
    /// Men that jump and are crowned, as in draughts.
    Men,
}

/// A place of a piece.
#[derive(Debug, Clone, Copy)]
struct PieceStop {
    square: u8,
    /// Since the position.
    ply: u32,
    by: Arrival,
}

/// How a piece came to a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Arrival {
    /// By a move of its choice.
    Free,
    /// It recaptured, or left a check.
    Forced,
    Castling,
    /// It captured, and was recaptured at once.
    Exchange,
}

/// A piece from the position on.
#[derive(Debug, Clone, Default)]
struct TrackedPiece {
    side: usize,
    code: u8,
    /// Where it stood at the position, and where it went.
    places: Vec<PieceStop>,
    gone: Option<u32>,
}

/// The last capture, if a recapture may follow.
#[derive(Debug, Clone, Copy)]
struct Capture {
    side: usize,
    piece: u8,
    taken: u8,
    square: u8,
    ply: u32,
    /// The place of the piece that took, among all.
    by: usize,
}

/// Captures that follow each other in draughts.
#[derive(Debug, Clone, Copy)]
struct Shot {
    first: usize,
    ply: u32,
    taken: [u8; 2],
}

const NONE: u8 = u8::MAX;

/// Follows the pieces of one game after the other.
#[derive(Debug)]
pub struct PieceTracker {
    rules: StepRules,
    codes: Vec<u8>,
    /// Where the window begins, in plies of the game, and how many it has.
    from: u32,
    window: u32,
    on: [u8; 128],
    occupied: [u128; 2],
    pieces: Vec<TrackedPiece>,
    live: usize,
    last_capture: Option<Capture>,
    /// Where the last ply took something.
    taken_at: Option<u8>,
    shot: Option<Shot>,
    balance: i32,
    quiet_plies: u32,
    plies: u32,
    steps: Vec<StepPlace>,
}

impl PieceTracker {
    /// A tracker of games by some rules, for a number of plies.
    pub fn new(rules: StepRules, window: u32) -> Self {
        let letters = match rules {
            StepRules::Pieces => "PNBRQKpnbrqk",
            StepRules::Men => "MKmk",
        };
        Self {
            rules,
            codes: letters.chars().map(code_of).collect(),
            from: 0,
            window,
            on: [NONE; 128],
            occupied: [0; 2],
            pieces: Vec::new(),
            live: 0,
            last_capture: None,
            taken_at: None,
            shot: None,
            balance: 0,
            quiet_plies: 0,
            plies: 0,
            steps: Vec::new(),
        }
    }

    /// The steps of a line from a ply on, in no certain order, and the plies that were seen of it.
    pub fn steps(&mut self, start: &AnyPosition, plies: &[u8], from: u32) -> (&[StepPlace], u32) {
        self.from = from;
        self.steps.clear();
        self.plies = 0;
        self.live = 0;
        with_game!(AnyPosition of start, at => at.show(plies, self));
        if self.live > 0 {
            self.note_shot();
            self.note_stops();
        }
        (&self.steps, self.plies)
    }

    fn set_up(&mut self, view: &impl PositionView) {
        self.on = [NONE; 128];
        self.occupied = ANY.map(|code| view.pieces(code));
        (self.last_capture, self.taken_at, self.shot) = (None, None, None);
        (self.balance, self.quiet_plies) = (0, 0);
        for at in 0..self.codes.len() {
            let code = self.codes[at];
            let mut squares = view.pieces(code);
            while squares != 0 {
                let square = squares.trailing_zeros() as u8;
                squares &= squares - 1;
                self.on[usize::from(square)] = self.live as u8;
                if self.live == self.pieces.len() {
                    self.pieces.push(TrackedPiece::default());
                }
                let piece = &mut self.pieces[self.live];
                (piece.side, piece.code, piece.gone) = (usize::from(code >> 5), code, None);
                piece.places.clear();
                piece.places.push(PieceStop {
                    square,
                    ply: 0,
                    by: Arrival::Free,
                });
                self.live += 1;
            }
        }
    }

    /// Takes pieces off the board that the last ply has taken elsewhere than where it ended.
    /// Whether the board is then the one that is seen.
    fn settle(&mut self, view: &impl PositionView, ply: u32) -> bool {
        for (side, any) in ANY.into_iter().enumerate() {
            let seen = view.pieces(any);
            let mut gone = self.occupied[side] & !seen;
            while gone != 0 {
                let square = gone.trailing_zeros() as usize;
                gone &= gone - 1;
                self.take(square, ply);
            }
            if self.occupied[side] != seen {
                return false;
            }
        }
        true
    }

    fn take(&mut self, square: usize, ply: u32) {
        let at = std::mem::replace(&mut self.on[square & 127], NONE);
        if let Some(piece) = self.pieces.get_mut(usize::from(at)) {
            piece.gone = Some(ply);
            self.occupied[piece.side] &= !(1 << square);
            let value = value_of(piece.code, self.rules == StepRules::Men);
            self.balance += if piece.side == 0 { -value } else { value };
        }
    }

    fn go(&mut self, from: u8, to: u8, place: PieceStop) -> Option<usize> {
        let at = std::mem::replace(&mut self.on[usize::from(from & 127)], NONE);
        let piece = self
            .pieces
            .get_mut(usize::from(at))
            .filter(|_| at != NONE)?;
        piece.places.push(place);
        let own = &mut self.occupied[piece.side];
        *own = *own & !(1 << from) | 1 << to;
        self.on[usize::from(to & 127)] = at;
        Some(usize::from(at))
    }

    fn note(&mut self, side: Option<usize>, kind: StepKind, ply: u32, route: PieceRoute) {
        self.add(StepPlace {
            step: PlanStep {
                side: side.map(|side| side as u8),
                kind,
            },
            ply,
            route,
            is_break: false,
        });
    }

    /// Adds a step, unless it was done at an earlier ply.
    fn add(&mut self, place: StepPlace) {
        match self.steps.iter_mut().find(|own| own.step == place.step) {
            None => self.steps.push(place),
            Some(own) if place.ply < own.ply => *own = place,
            Some(_) => {}
        }
    }

    /// Plays a ply of chess; `None` if it cannot be followed.
    fn play_chess(&mut self, view: &impl PositionView, m: MoveInfo, ply: u32) -> Option<()> {
        let side = view.turn() & 1;
        if m.piece == EMPTY {
            (self.last_capture, self.taken_at) = (None, None);
            return Some(());
        }
        let (from, to) = (m.from.trailing_zeros() as u8, m.to.trailing_zeros() as u8);
        let mut place = PieceStop {
            square: to,
            ply,
            by: Arrival::Castling,
        };
        if m.castles != 0 {
            let is_long = m.castles == 2;
            self.note(
                Some(side),
                StepKind::Castling { is_long },
                ply,
                PieceRoute::default(),
            );
            return self.castle(m, place);
        }
        let taken = m.taken.trailing_zeros() as u8;
        let is_capture = m.taken != 0;
        let is_recapture = is_capture && self.taken_at == Some(to);
        let is_forced = is_recapture || view.is_check();
        if is_capture && self.on[usize::from(to & 127)] != NONE {
            self.take(usize::from(to & 127), ply);
        }
        place.by = if is_forced {
            Arrival::Forced
        } else {
            Arrival::Free
        };
        let by = self.go(from, to, place)?;
        let is_pawn = letter_of(m.piece) == 'P';
        if m.promoted != EMPTY {
            let value = value_of(m.promoted, false) - value_of(m.piece, false);
            self.balance += if side == 0 { value } else { -value };
            self.pieces[by].code = m.promoted;
        }
        if is_pawn && !is_forced {
            self.note_pawn(view, (side, from, to), is_capture, ply);
        }
        match self.last_capture.take() {
            Some(first) if is_recapture && first.square == to => self.note_exchange(first),
            _ if is_capture && !is_recapture => {
                self.last_capture = Some(Capture {
                    side,
                    piece: m.piece,
                    taken,
                    square: to,
                    ply,
                    by,
                });
            }
            _ => {}
        }
        self.taken_at = is_capture.then_some(to);
        Some(())
    }

    fn castle(&mut self, m: MoveInfo, place: PieceStop) -> Option<()> {
        let (king, rook) = (m.from.trailing_zeros() as u8, m.rook.trailing_zeros() as u8);
        let goes = place.square;
        let lands = if m.castles == 2 { goes + 1 } else { goes - 1 };
        // In Chess960 each may go where the other stands.
        let king = std::mem::replace(&mut self.on[usize::from(king & 127)], NONE);
        let rook = std::mem::replace(&mut self.on[usize::from(rook & 127)], NONE);
        for (at, square) in [(king, goes), (rook, lands)] {
            let piece = self
                .pieces
                .get_mut(usize::from(at))
                .filter(|_| at != NONE)?;
            let from = piece.places.last()?.square;
            self.occupied[piece.side] &= !(1 << from);
            piece.places.push(PieceStop { square, ..place });
        }
        for (at, square) in [(king, goes), (rook, lands)] {
            self.on[usize::from(square & 127)] = at;
            self.occupied[self.pieces[usize::from(at)].side] |= 1 << square;
        }
        (self.last_capture, self.taken_at) = (None, None);
        Some(())
    }

    fn note_pawn(
        &mut self,
        view: &impl PositionView,
        (side, from, to): (usize, u8, u8),
        is_capture: bool,
        ply: u32,
    ) {
        let kind = if is_capture {
            StepKind::PawnCapture {
                file: from & 7,
                square: to,
            }
        } else {
            StepKind::Push { square: to }
        };
        let pawns = view.pieces(code_of(if side == 0 { 'p' } else { 'P' })) as u64;
        let bit = 1_u64 << (to & 63);
        let beside = (bit & !FILE_A) >> 1 | (bit & !FILE_H) << 1;
        let attacked = if side == 0 { beside << 8 } else { beside >> 8 };
        self.add(StepPlace {
            step: PlanStep {
                side: Some(side as u8),
                kind,
            },
            ply,
            route: PieceRoute::new([from, to]),
            is_break: !is_capture && attacked & pawns != 0,
        });
    }

    fn note_exchange(&mut self, first: Capture) {
        let [gives, takes] = [first.piece, first.taken].map(letter_of);
        if gives == 'P' || takes == 'P' {
            return;
        }
        let arrival = self.pieces[first.by].places.last_mut();
        if let Some(place) = arrival.filter(|place| place.ply == first.ply) {
            place.by = Arrival::Exchange;
        }
        let light = |square: u8| ((square & 7) + (square >> 3)) & 1 == 1;
        if gives == takes {
            let is_light = (gives == 'B').then(|| light(first.square));
            let piece = gives;
            let kind = StepKind::Exchange { piece, is_light };
            self.note(None, kind, first.ply, PieceRoute::default());
        } else {
            let square = first.square;
            let kind = StepKind::UnequalExchange {
                gives,
                takes,
                square,
            };
            self.note(Some(first.side), kind, first.ply, PieceRoute::default());
        }
    }

    /// Plays a ply of draughts.
    fn play_draughts(&mut self, view: &impl PositionView, m: MoveInfo, ply: u32) -> Option<()> {
        let side = view.turn() & 1;
        let (from, to) = (m.from.trailing_zeros() as u8, m.to.trailing_zeros() as u8);
        if m.piece == EMPTY {
            return None;
        }
        let place = PieceStop {
            square: to,
            ply,
            by: if m.jumps > 0 {
                Arrival::Forced
            } else {
                Arrival::Free
            },
        };
        let by = self.go(from, to, place)?;
        if m.promoted != EMPTY {
            self.pieces[by].code = m.promoted;
            let value = value_of(m.promoted, true) - value_of(m.piece, true);
            self.balance += if side == 0 { value } else { -value };
            self.note(Some(side), StepKind::Crowning, ply, PieceRoute::default());
        }
        if m.jumps > 0 {
            let shot = self.shot.get_or_insert(Shot {
                first: side,
                ply,
                taken: [0; 2],
            });
            shot.taken[side] = shot.taken[side].saturating_add(m.jumps as u8);
        } else {
            self.note_shot();
            let piece = letter_of(m.piece);
            if piece == 'M' {
                let kind = StepKind::Piece { piece, square: to };
                self.note(Some(side), kind, ply, PieceRoute::new([from, to]));
            }
        }
        self.taken_at = (m.jumps > 0).then_some(to);
        Some(())
    }

    /// Notes captures that have ended, if both sides took: the side that was taken from first has
    /// offered them.
    fn note_shot(&mut self) {
        let Some(shot) = self.shot.take() else {
            return;
        };
        let offers = shot.first ^ 1;
        let [gives, takes] = [shot.taken[shot.first], shot.taken[offers]];
        if takes > 0 {
            let kind = StepKind::Shots { gives, takes };
            self.note(Some(offers), kind, shot.ply, PieceRoute::default());
        }
    }

    /// Finds where pieces have stopped.
    fn note_stops(&mut self) {
        if self.rules == StepRules::Men {
            return;
        }
        let pieces = std::mem::take(&mut self.pieces);
        for piece in &pieces[..self.live] {
            let letter = letter_of(piece.code);
            if letter != 'P' && piece.places.len() > 1 {
                self.note_stops_of(piece, letter);
            }
        }
        self.pieces = pieces;
    }

    fn note_stops_of(&mut self, piece: &TrackedPiece, letter: char) {
        let places = &piece.places;
        let mut start = 0;
        for (at, place) in places.iter().enumerate().skip(1) {
            let is_last = at + 1 == places.len();
            let left = places.get(at + 1).map(|next| next.ply).or(piece.gone);
            let stays = left.is_none_or(|left| left - place.ply >= STAY_PLIES);
            let is_stop = stays || is_last;
            if place.by == Arrival::Castling {
                start = at;
                continue;
            }
            if !is_stop || place.by == Arrival::Exchange {
                continue;
            }
            let first = std::mem::replace(&mut start, at);
            let is_forced = place.by == Arrival::Forced && first + 1 == at;
            if is_forced || places[first].square == place.square {
                continue;
            }
            let (ply, square) = (place.ply, place.square);
            let route = PieceRoute::new(places[first..=at].iter().map(|place| place.square));
            let side = Some(piece.side);
            if letter != 'R' {
                let kind = StepKind::Piece {
                    piece: letter,
                    square,
                };
                self.note(side, kind, ply, route);
                continue;
            }
            self.note(side, StepKind::RookFile { file: square & 7 }, ply, route);
            let rank = if piece.side == 0 {
                square >> 3
            } else {
                7 - (square >> 3)
            };
            match rank {
                2..=4 => self.note(side, StepKind::RookLift { square }, ply, route),
                6 => self.note(side, StepKind::SeventhRank, ply, route),
                _ => {}
            }
        }
    }
}

const FILE_A: u64 = 0x0101_0101_0101_0101;
const FILE_H: u64 = FILE_A << 7;

impl PositionVisitor for PieceTracker {
    fn see<S: PositionView>(&mut self, view: &S) -> bool {
        let ply = view.ply();
        if ply < self.from {
            return true;
        }
        let ply = ply - self.from;
        if ply == 0 {
            self.set_up(view);
        } else if !self.settle(view, ply - 1) || view.is_set_up() {
            return false;
        } else {
            self.plies = ply;
            let is_quiet = self.taken_at.is_none();
            self.quiet_plies = if self.balance.abs() >= DECIDED && is_quiet {
                self.quiet_plies + 1
            } else {
                0
            };
        }
        if ply == self.window || self.quiet_plies == 2 {
            return false;
        }
        let Some(m) = view.next_move() else {
            return false;
        };
        let played = match self.rules {
            StepRules::Pieces => self.play_chess(view, m, ply),
            StepRules::Men => self.play_draughts(view, m, ply),
        };
        played.is_some()
    }

    fn offer(&mut self, ply: u32, _: MoveDelta, _: impl FnOnce() -> bool) -> VisitChoice {
        if ply < self.from {
            VisitChoice::PassedBy
        } else {
            VisitChoice::Wanted
        }
    }
}
