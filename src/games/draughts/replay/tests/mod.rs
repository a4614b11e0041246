//! Replays of draughts: packing, codes and reading, against plain play.

mod inferring;
mod packing;
mod reader;
mod reading;
mod sight;

use super::{DraughtsPly, DraughtsStart};
use crate::games::Budget;
use crate::{
    base::mix,
    games::draughts::{
        Draughts,
        notation::moves::square::Numbering,
        rows::{ALL, DraughtsVariant},
        rules::{
            DraughtsMove, DraughtsPiece, DraughtsPosition, DraughtsRules, board::cells_of, moves,
        },
    },
};

pub(super) fn variant(name: &str) -> &'static DraughtsVariant {
    DraughtsVariant::by_name(name).unwrap()
}

pub(super) fn numbering(variant: &DraughtsVariant) -> Numbering {
    variant.numbering()
}

pub(super) fn opening(variant: &'static DraughtsVariant) -> DraughtsStart {
    DraughtsStart::new(Draughts::start(variant))
}

/// A position of a variant.
pub(super) const fn placed(
    variant: &'static DraughtsVariant,
    position: DraughtsPosition,
) -> Draughts {
    Draughts {
        variant,
        position,
        corner: None,
    }
}

/// A sequence of numbers that a seed begins.
pub(super) struct Dice(pub(super) u64);

impl Dice {
    pub(super) fn below(&mut self, bound: usize) -> usize {
        self.0 = mix(self.0.wrapping_add(0x9e37_79b9_7f4a_7c15));
        (self.0 % bound.max(1) as u64) as usize
    }
}

/// A game by chance: before each move the position, its legal moves and the one
/// that is played.
pub(super) fn random_game(
    start: DraughtsPosition,
    rules: &DraughtsRules,
    dice: &mut Dice,
    mut each: impl FnMut(&DraughtsPosition, &[DraughtsMove], &DraughtsMove),
) -> DraughtsPosition {
    let mut position = start;
    for _ in 0..120 {
        let legal = moves(&position, rules, Budget::default()).unwrap();
        if legal.is_empty() {
            break;
        }
        // Captures of many pieces are what is hard.
        let chosen = (0..3)
            .map(|_| legal[dice.below(legal.len())])
            .max_by_key(|played| played.captured.count_ones())
            .unwrap();
        each(&position, &legal, &chosen);
        position.play(&chosen);
    }
    position
}

/// A position with some kings, by chance.
pub(super) fn random_position(rules: &DraughtsRules, dice: &mut Dice) -> DraughtsPosition {
    let mut position = DraughtsPosition::empty(dice.below(2) as u8);
    for cell in cells_of(rules.board.cells()) {
        if dice.below(4) == 0 {
            let side = dice.below(2) as u8;
            let king = dice.below(3) == 0;
            position.put(cell, DraughtsPiece { side, king });
        }
    }
    position
}
