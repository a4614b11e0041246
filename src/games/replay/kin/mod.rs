//! Games that are kin to chess in motion: by shakmaty's rules crazyhouse, king of
//! the hill, three-check, five-check, atomic, antichess, horde and racing kings; by our own
//! those with archbishop and chancellor, xiangqi, and Othello.
//!
//! They are few beside those of chess, so this takes the simple way. Where shakmaty
//! plays, a ply has two bytes, a legal move is looked for by its code, and keys are
//! made anew from each position; the others have a packing and keys of their own.

pub mod code;

use shakmaty::{Color, Position as _, Role};

use crate::{
    games::{capablanca::rules as compound, othello::rules as othello, xiangqi::rules as xiangqi},
    key,
    position::{Kin, KinPly, KinPosition, Played},
};

/// A position in a replay.
#[derive(Debug, Clone)]
pub struct Replay {
    at: Kin,
}

/// What beside men and turn makes a position in these games: the men in hand and
/// the checks that were given, as a number to combine with a key. 0 where there
/// is nothing of the kind, so that such a position has the key of chess.
pub(crate) fn besides(position: &Played) -> u64 {
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
    for (side, given) in position.checks_given().into_iter().flatten().enumerate() {
        add(0x40 | side as u64, u64::from(given));
    }
    key
}

impl Replay {
    /// A replay from any position.
    pub const fn new(at: Kin) -> Self {
        Self { at }
    }

    /// The position.
    pub const fn at(&self) -> &Kin {
        &self.at
    }

    /// The code of a ply from here, as the index has it.
    pub fn code(&self, ply: KinPly) -> u16 {
        match (ply, &self.at.position) {
            (KinPly::Shakmaty(played), _) => code::of_move(played),
            (KinPly::Compound(played), KinPosition::Compound(_, position)) => {
                played.code(position.board())
            }
            (KinPly::Xiangqi(played), _) => played.code(),
            (KinPly::Othello(played), _) => u16::from(played),
            (KinPly::Null | KinPly::Compound(_), _) => code::NULL,
        }
    }

    /// The ply of a code; `None` if no ply from here has it.
    pub fn ply_of(&self, code: u16) -> Option<KinPly> {
        match &self.at.position {
            KinPosition::Shakmaty(_) if code == code::NULL => Some(KinPly::Null),
            KinPosition::Shakmaty(position) => {
                let legal = position.legal_moves();
                let found = legal.into_iter().find(|&m| code::of_move(m) == code);
                found.map(KinPly::Shakmaty)
            }
            KinPosition::Compound(_, position) => {
                compound::Ply::of_code(position.board(), code).map(KinPly::Compound)
            }
            KinPosition::Xiangqi(_) => xiangqi::Ply::of_code(code).map(KinPly::Xiangqi),
            KinPosition::Othello(_) => {
                let square = u8::try_from(code).ok();
                let known = square.filter(|&square| square <= othello::PASS);
                known.map(KinPly::Othello)
            }
        }
    }

    /// Takes the next ply off `bytes`; `None` at the end and where they are damaged.
    fn unpack(&self, bytes: &mut &[u8]) -> Option<KinPly> {
        match &self.at.position {
            KinPosition::Shakmaty(_) => {
                let (code, rest) = bytes.split_first_chunk::<2>()?;
                let ply = self.ply_of(u16::from_le_bytes(*code))?;
                *bytes = rest;
                Some(ply)
            }
            KinPosition::Compound(_, position) => {
                compound::pack::unpack(position, bytes).map(KinPly::Compound)
            }
            KinPosition::Xiangqi(position) => {
                xiangqi::pack::unpack(position, bytes).map(KinPly::Xiangqi)
            }
            KinPosition::Othello(position) => othello::unpack(position, bytes).map(KinPly::Othello),
        }
    }

    /// Plays the next ply of `bytes` and returns it.
    pub fn next_ply(&mut self, bytes: &mut &[u8]) -> Option<KinPly> {
        let ply = self.unpack(bytes)?;
        self.at.position.play(ply);
        Some(ply)
    }
}
