//! What a main line leaves behind, in short: enough to tell of most games that they cannot
//! fulfil a question, and of some questions which games do.

use super::sight::{ANY, Deed, EMPTY, Onlooker, Sight};
use crate::games::GameEnd;

/// What happened in a game, at whatever ply. Databases hold its [key](Self::key).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Happening {
    /// Checkmate.
    Mate,
    /// Stalemate.
    Stalemate,
    /// A capture in passing.
    EnPassant,
    /// A move of which the boards before and behind it tell several squares: what moved is
    /// not known for sure.
    Blurred,
    /// A king, by its code, castled on a side: 1 the h-side, 2 the a-side.
    Castling(u8, u8),
    /// A man became this one, by its code.
    Promotion(u8),
    /// The longest run of a side's moves that all give check: 0 White, 1 Black; from 1 to
    /// [`CHECKS_MAX`], which stands for more as well.
    Checks(usize, u8),
}

/// The longest run of checks that is told from longer ones.
pub const CHECKS_MAX: u8 = 15;

impl Happening {
    /// Its number in databases.
    pub const fn key(self) -> u16 {
        match self {
            Self::Mate => 0,
            Self::Stalemate => 1,
            Self::EnPassant => 2,
            Self::Blurred => 3,
            Self::Castling(king, side) => 1 << 8 | (king as u16) << 2 | side as u16,
            Self::Promotion(code) => 2 << 8 | code as u16,
            Self::Checks(side, run) => 3 << 8 | (side as u16) << 4 | run as u16,
        }
    }
}

/// What a game left behind.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GameTrace {
    /// The squares on which each man ever stood, by its code, ascending; men that never were
    /// there are left out.
    pub stood: Vec<(u8, u128)>,
    /// What happened, by keys, each once.
    pub happened: Vec<u16>,
    /// How many of each man were on the board at a time, one after the other: the number of
    /// kinds, then of each its code, ascending, and how many.
    pub counts: Vec<u8>,
}

impl GameTrace {
    /// Each of the [counts](Self::counts), without its length.
    pub fn each_count(&self) -> impl Iterator<Item = &[u8]> {
        let mut rest = &self.counts[..];
        std::iter::from_fn(move || {
            let (&kinds, more) = rest.split_first()?;
            let (one, more) = more.split_at_checked(2 * usize::from(kinds))?;
            rest = more;
            Some(one)
        })
    }
}

/// Takes the trace of a game that it is shown.
#[derive(Debug)]
pub struct Tracer {
    trace: GameTrace,
    /// The squares on which each man stood, by its code.
    stood: [u128; 64],
    /// The codes of the men that were there, as bits.
    present: u64,
    /// The men on the board when they were counted last, of both sides.
    men: Option<[u32; 2]>,
    /// The checks that each side is giving one after the other, and the most.
    checks: [(u8, u8); 2],
}

impl Default for Tracer {
    fn default() -> Self {
        Self {
            trace: GameTrace::default(),
            stood: [0; 64],
            present: 0,
            men: None,
            checks: [(0, 0); 2],
        }
    }
}

/// The codes whose bits are set, ascending.
fn codes(mut bits: u64) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let code = bits.trailing_zeros() as u8;
        bits &= bits.wrapping_sub(1);
        (code < 64).then_some(code)
    })
}

impl Tracer {
    /// Begins with another game.
    pub fn clear(&mut self) {
        self.trace.stood.clear();
        self.trace.happened.clear();
        self.trace.counts.clear();
        self.stood = [0; 64];
        self.present = 0;
        self.men = None;
        self.checks = [(0, 0); 2];
    }

    /// The trace of the game that was shown.
    pub fn finish(&mut self) -> &GameTrace {
        for side in 0..2 {
            let run = self.checks[side].1;
            if run > 0 {
                self.happens(Happening::Checks(side, run));
            }
        }
        let stood = codes(self.present).map(|code| (code, self.stood[usize::from(code)]));
        self.trace.stood.extend(stood);
        &self.trace
    }

    fn happens(&mut self, what: Happening) {
        if !self.trace.happened.contains(&what.key()) {
            self.trace.happened.push(what.key());
        }
    }

    fn look_at_men<S: Sight>(&mut self, sight: &S) {
        let mut known = 0;
        for code in codes(self.present) {
            let here = sight.men(code);
            self.stood[usize::from(code)] |= here;
            known |= here;
        }
        if known == sight.men(ANY[0]) | sight.men(ANY[1]) {
            return;
        }
        for code in (EMPTY + 1..64).filter(|code| !ANY.contains(code)) {
            let here = sight.men(code);
            if here != 0 {
                self.stood[usize::from(code)] |= here;
                self.present |= 1 << code;
            }
        }
    }

    fn count<S: Sight>(&mut self, sight: &S) {
        let begin = self.trace.counts.len();
        self.trace.counts.push(0);
        for code in codes(self.present) {
            let number = sight.men(code).count_ones() as u8;
            if number > 0 {
                self.trace.counts[begin] += 1;
                self.trace.counts.extend([code, number]);
            }
        }
    }

    fn look_at_move(&mut self, deed: &Deed) {
        if deed.promoted != 0 {
            self.happens(Happening::Promotion(deed.promoted));
        }
        if deed.castles != 0 {
            self.happens(Happening::Castling(deed.man, deed.castles));
        }
        if deed.en_passant {
            self.happens(Happening::EnPassant);
        }
        if deed.from & deed.from.wrapping_sub(1) != 0 || deed.to & deed.to.wrapping_sub(1) != 0 {
            self.happens(Happening::Blurred);
        }
    }
}

impl Onlooker for Tracer {
    #[inline]
    fn see<S: Sight>(&mut self, sight: &S) -> bool {
        let last = sight.last();
        match last {
            // One man has come to one square.
            Some(deed) if S::DEEDS_TELL_ALL && deed.castles | deed.promoted == 0 => {
                self.stood[usize::from(deed.man & 63)] |= deed.to;
            }
            _ => self.look_at_men(sight),
        }
        let men = ANY.map(|code| sight.men(code).count_ones());
        // What is on the board changes with the number of men, or by promotion.
        if self.men != Some(men) || last.is_some_and(|deed| deed.promoted != 0) {
            self.men = Some(men);
            self.count(sight);
        }
        if let Some(deed) = last {
            self.look_at_move(&deed);
        }
        let giver = sight.turn() & 1 ^ 1;
        let (run, most) = &mut self.checks[giver];
        *run = if sight.is_check() {
            (*run + 1).min(CHECKS_MAX)
        } else {
            0
        };
        *most = (*most).max(*run);
        if sight.deed().is_none_or(|deed| deed.man == EMPTY) {
            match sight.end() {
                Some(GameEnd::Checkmate) => self.happens(Happening::Mate),
                Some(GameEnd::Stalemate | GameEnd::LosingStalemate) => {
                    self.happens(Happening::Stalemate);
                }
                _ => {}
            }
        }
        true
    }
}
