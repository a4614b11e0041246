//! Games of chess variants in motion, by shakmaty's rules: crazyhouse,
//! king of the hill, three-check, atomic, antichess, horde and racing kings.
//!
//! They are few beside those of chess, so this takes the simple way: two bytes a
//! ply, a legal move looked for by its code, keys made anew from each position.

pub mod code;
mod read;

pub use read::{InVariation, read, variation_in, variation_positions};

use shakmaty::{Color, Position as _, Role, variant::VariantPosition};

use super::{Walk, chess::State};
use crate::{
    key::{self, Structure},
    rules::chess::man,
};

/// A position in a replay.
#[derive(Debug, Clone)]
pub struct Replay {
    variant: u8,
    position: VariantPosition,
    ply: u32,
    key: u64,
    structure: Structure,
    /// What was taken off the bytes and is to be played next.
    pending: Option<Step>,
}

/// One ply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// A move.
    Move(shakmaty::Move),
    /// The turn passes.
    Null,
}

/// What beside men and turn makes a position in these games: the men in hand and
/// the checks that were given, as a number to combine with a key. 0 where there
/// is nothing of the kind, so that such a position has the key of chess.
fn besides(position: &VariantPosition) -> u64 {
    /// The first bits of the fraction of the square root of 3.
    const SEED: u64 = 0xbb67_ae85_84ca_a73b;
    let mut key = 0;
    let mut add = |place: u64, count: u64| {
        if count > 0 {
            key ^= key::mix(SEED ^ (place << 8 | count));
        }
    };
    if let Some(pockets) = position.pockets() {
        for (side, color) in Color::ALL.into_iter().enumerate() {
            for role in Role::ALL {
                let count = u64::from(*pockets.get(color).get(role));
                add((side as u64) << 4 | role as u64, count);
            }
        }
    }
    if let Some(checks) = position.remaining_checks() {
        for (side, color) in Color::ALL.into_iter().enumerate() {
            let given = 3_u64.saturating_sub(u64::from(u32::from(*checks.get(color))));
            add(0x40 | side as u64, given);
        }
    }
    key
}

impl Replay {
    /// A replay from any position of the variant with this number.
    pub fn new(variant: u8, position: VariantPosition) -> Self {
        let mut replay = Self {
            variant,
            position,
            ply: 0,
            key: 0,
            structure: Structure::default(),
            pending: None,
        };
        replay.find_keys();
        replay
    }

    fn find_keys(&mut self) {
        let men = man::codes(self.position.board());
        self.key = key::board_key(&men, self.turn()) ^ besides(&self.position);
        self.structure = Structure::of(&men);
    }

    /// The number of the variant.
    pub const fn variant(&self) -> u8 {
        self.variant
    }

    /// The position.
    pub const fn position(&self) -> &VariantPosition {
        &self.position
    }

    /// Plies played so far.
    pub const fn ply(&self) -> u32 {
        self.ply
    }

    /// What stands where, as man codes.
    pub fn men(&self) -> [u8; 64] {
        man::codes(self.position.board())
    }

    /// Whether men in hand and checks given are those of another position.
    pub fn has_what_is_besides(&self, other: &Self) -> bool {
        besides(&self.position) == besides(&other.position)
    }

    /// Whether somebody has men in hand or has given check, where that counts.
    pub fn has_besides(&self) -> bool {
        besides(&self.position) != 0
    }

    /// Takes the next ply off `bytes`; `None` at the end and where they are damaged.
    pub fn peek_step(&self, bytes: &mut &[u8]) -> Option<Step> {
        let (code, rest) = bytes.split_first_chunk::<2>()?;
        let step = self.step_of(u16::from_le_bytes(*code))?;
        *bytes = rest;
        Some(step)
    }

    /// The ply of a code; `None` if it is no legal move here.
    pub fn step_of(&self, code: u16) -> Option<Step> {
        if code == code::NULL {
            return Some(Step::Null);
        }
        let legal = self.position.legal_moves();
        let found = legal.into_iter().find(|&m| code::of_move(m) == code);
        found.map(Step::Move)
    }

    /// Plays a ply; a turn that cannot pass does not.
    pub fn play_step(&mut self, step: &Step) {
        match step {
            Step::Move(m) => self.position.play_unchecked(*m),
            Step::Null => {
                if let Ok(passed) = self.position.clone().swap_turn() {
                    self.position = passed;
                }
            }
        }
        self.ply += 1;
        self.find_keys();
    }

    /// Plays the next ply of `bytes` and returns it.
    pub fn next_step(&mut self, bytes: &mut &[u8]) -> Option<Step> {
        let step = self.peek_step(bytes)?;
        self.play_step(&step);
        Some(step)
    }
}

impl Step {
    /// Its code.
    pub fn code(&self) -> u16 {
        match self {
            Self::Move(m) => code::of_move(*m),
            Self::Null => code::NULL,
        }
    }
}

impl Walk for Replay {
    fn structure(&self) -> Structure {
        self.structure
    }

    fn board_key(&self) -> u64 {
        self.key
    }

    fn state_bits(&self) -> u32 {
        State::of(&self.position).bits()
    }

    fn turn(&self) -> usize {
        usize::from(self.position.turn().is_black())
    }

    fn peek(&mut self, bytes: &mut &[u8]) -> Option<u16> {
        self.pending = self.peek_step(bytes);
        self.pending.as_ref().map(Step::code)
    }

    fn play(&mut self, _code: u16) {
        if let Some(step) = self.pending.take() {
            self.play_step(&step);
        }
    }
}
