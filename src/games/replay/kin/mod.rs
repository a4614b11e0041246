//! Games that are kin to chess in motion: by shakmaty's rules crazyhouse, king of
//! the hill, three-check, five-check, atomic, antichess, horde and racing kings; by our own
//! those with archbishop and chancellor, xiangqi, and Othello.
//!
//! They are few beside those of chess, so this takes the simple way. Where shakmaty
//! plays, a ply has two bytes, a legal move is looked for by its code, and keys are
//! made anew from each position; the others have a packing and keys of their own.

use crate::games::chess_variant::code;
use shakmaty::Position as _;

use crate::{
    games::{capablanca::rules as compound, othello::rules as othello, xiangqi::rules as xiangqi},
    position::{Kin, KinPly, KinPosition},
};

/// A position in a replay.
#[derive(Debug, Clone)]
pub struct Replay {
    at: Kin,
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
