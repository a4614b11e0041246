//! Games that are kin to chess in motion: by shakmaty's rules crazyhouse, king of
//! the hill, three-check, five-check, atomic, antichess, horde and racing kings; by our own
//! those with archbishop and chancellor, xiangqi, and Othello.
//!
//! They are few beside those of chess, so this takes the simple way. Where shakmaty
//! plays, a ply has two bytes, a legal move is looked for by its code, and keys are
//! made anew from each position; the others have a packing and keys of their own.

pub mod code;

use shakmaty::{Color, Position as _, Role};

use super::{Walk, chess::State};
use crate::{
    key::{self, Structure},
    position::{Kin, KinPly, KinPosition, Played},
    rules::{chess::man, compound, othello, xiangqi},
};

/// A position in a replay.
#[derive(Debug, Clone)]
pub struct Replay {
    at: Kin,
    ply: u32,
    key: u64,
    structure: Structure,
    /// What was taken off the bytes and is to be played next.
    pending: Option<KinPly>,
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

/// The key of men, what is besides and the side to move.
fn key_of(position: &KinPosition) -> u64 {
    match position {
        KinPosition::Shakmaty(position) => {
            let men = man::codes(position.board());
            let turn = usize::from(position.turn().is_black());
            key::board_key(&men, turn) ^ besides(position)
        }
        KinPosition::Compound(_, position) => position.key(),
        KinPosition::Xiangqi(position) => position.key(),
        KinPosition::Othello(position) => position.key(),
    }
}

fn structure_of(position: &KinPosition) -> Structure {
    match position {
        KinPosition::Shakmaty(position) => Structure::of(&man::codes(position.board())),
        KinPosition::Compound(_, position) => position.structure(),
        KinPosition::Xiangqi(position) => position.structure(),
        KinPosition::Othello(position) => position.structure(),
    }
}

impl Replay {
    /// A replay from any position.
    pub fn new(at: Kin) -> Self {
        Self {
            key: key_of(&at.position),
            structure: structure_of(&at.position),
            at,
            ply: 0,
            pending: None,
        }
    }

    /// The position.
    pub const fn at(&self) -> &Kin {
        &self.at
    }

    /// Plies played so far.
    pub const fn ply(&self) -> u32 {
        self.ply
    }

    /// The board key of the same men with the other side to move.
    pub fn other_side_key(&self) -> u64 {
        match &self.at.position {
            KinPosition::Shakmaty(_) => self.key ^ key::polyglot::WHITE_TO_MOVE,
            other => key_of(&other.passed()),
        }
    }

    /// Whether the same men stand on the same squares of the same board, with
    /// the same in hand and as many checks given, whoever is to move.
    pub fn has_men_of(&self, other: &Self) -> bool {
        match (&self.at.position, &other.at.position) {
            (KinPosition::Shakmaty(own), KinPosition::Shakmaty(other)) => {
                man::codes(own.board()) == man::codes(other.board())
                    && besides(own) == besides(other)
            }
            (KinPosition::Compound(_, own), KinPosition::Compound(_, other)) => {
                let reserve = |position: &compound::Position| {
                    [0, 1].map(|side| {
                        [compound::man::ARCHBISHOP, compound::man::CHANCELLOR]
                            .map(|role| position.has_in_reserve(side, role))
                    })
                };
                own.board() == other.board()
                    && own.men() == other.men()
                    && reserve(own) == reserve(other)
            }
            (KinPosition::Xiangqi(own), KinPosition::Xiangqi(other)) => own.men() == other.men(),
            (KinPosition::Othello(own), KinPosition::Othello(other)) => {
                [0, 1].map(|side| own.discs(side)) == [0, 1].map(|side| other.discs(side))
            }
            _ => false,
        }
    }

    /// Whether exactly these men of chess (as man codes) stand on the board, and
    /// nothing else makes the position.
    pub fn has_men_of_chess(&self, men: &[u8; 64]) -> bool {
        match &self.at.position {
            KinPosition::Shakmaty(own) => man::codes(own.board()) == *men && besides(own) == 0,
            _ => false,
        }
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

    /// Appends a ply from here to a packed line.
    pub fn pack(&self, ply: KinPly, out: &mut Vec<u8>) {
        match (ply, &self.at.position) {
            (KinPly::Compound(ply), KinPosition::Compound(_, position)) => {
                compound::pack::pack(ply, position, out);
            }
            (KinPly::Xiangqi(ply), KinPosition::Xiangqi(position)) => {
                xiangqi::pack::pack(ply, position, out);
            }
            (KinPly::Othello(ply), _) => othello::pack(ply, out),
            _ => out.extend(self.code(ply).to_le_bytes()),
        }
    }

    /// Takes the next ply off `bytes`; `None` at the end and where they are damaged.
    pub fn unpack(&self, bytes: &mut &[u8]) -> Option<KinPly> {
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

    /// Plays a ply; a turn that cannot pass does not.
    pub fn play_ply(&mut self, ply: KinPly) {
        self.at.position.play(ply);
        self.ply += 1;
        self.key = key_of(&self.at.position);
        self.structure = structure_of(&self.at.position);
    }

    /// Plays the next ply of `bytes` and returns it.
    pub fn next_ply(&mut self, bytes: &mut &[u8]) -> Option<KinPly> {
        let ply = self.unpack(bytes)?;
        self.play_ply(ply);
        Some(ply)
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
        match &self.at.position {
            KinPosition::Shakmaty(position) => State::of(position).bits(),
            KinPosition::Compound(_, position) => position.state_bits(),
            KinPosition::Xiangqi(_) | KinPosition::Othello(_) => 0,
        }
    }

    fn turn(&self) -> usize {
        self.at.position.turn()
    }

    fn peek(&mut self, bytes: &mut &[u8]) -> Option<u16> {
        self.pending = self.unpack(bytes);
        self.pending.map(|ply| self.code(ply))
    }

    fn play(&mut self, _code: u16) {
        if let Some(ply) = self.pending.take() {
            self.play_ply(ply);
        }
    }

    fn may_go_back(&self) -> bool {
        matches!(self.at.position, KinPosition::Shakmaty(_))
    }
}
