//! How lines of moves are packed.

use std::fmt::Debug;

use super::GameNotation;
use crate::games::{Budget, key::Structure};

/// Moves packed into a line, a byte for most. The position type of each rule book
/// implements it.
pub trait GameCodec: GameNotation {
    /// What packing a line needs beside its positions: chess numbers its pieces.
    type Slots: Clone + Debug;

    /// The slots for a line from here.
    fn slots(&self) -> Self::Slots;

    /// Appends a move from here to a packed line.
    fn pack(&self, m: Self::Move, slots: &mut Self::Slots, out: &mut Vec<u8>);

    /// Takes a move from here off a packed line; `None` at its end and where the bytes
    /// are damaged.
    fn unpack(&self, slots: &mut Self::Slots, bytes: &mut &[u8]) -> Option<Self::Move>;

    /// Plays a move and brings the structure up to date; whether that has changed.
    #[inline]
    fn advance(&mut self, m: Self::Move, structure: &mut Structure) -> bool {
        self.play(m);
        let now = self.structure();
        std::mem::replace(structure, now) != now
    }

    /// Packs and plays the legal move that is [written](GameNotation::write_onto) just so. Where
    /// there is none, position, slots and what was appended are of no more use.
    fn take_exact(
        &mut self,
        word: &str,
        slots: &mut Self::Slots,
        out: &mut Vec<u8>,
    ) -> Option<Self::Move> {
        let (mut legal, mut written) = (Vec::new(), String::new());
        self.legal(Budget::default(), &mut legal).ok()?;
        let (m, behind) = legal.into_iter().find_map(|m| {
            let mut behind = self.clone();
            written.clear();
            behind.write_onto(m, &mut written);
            (written == word).then_some((m, behind))
        })?;
        self.pack(m, slots, out);
        *self = behind;
        Some(m)
    }
}
