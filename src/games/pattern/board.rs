//! The board of a game, as far as questions need it.

use super::{Geometry, sight::both_sides, squares::letter_of};
use crate::games::{self, AnyPosition, variant::Variant};

/// A board about which something is asked.
#[derive(Debug, Clone)]
pub struct AskedBoard {
    pub(super) ground: Geometry,
    /// The codes of its men, as bits.
    men: u64,
    pub(super) crowns: bool,
    /// Whether its men move as those of chess do.
    pub(super) moves_as_chess: bool,
    /// Whether men in hand are set down.
    pub(super) has_drops: bool,
    pub(super) title: &'static str,
    pub(super) row: &'static Variant,
}

impl AskedBoard {
    /// That of a position: of its game all positions have the same.
    pub fn of(position: &AnyPosition) -> Self {
        let diagram = position.diagram();
        let row = position.variant();
        let crowns = games::crowns(row);
        let mut men = 0;
        for man in diagram.rows.iter().flatten().filter_map(|place| place.man) {
            men |= both_sides(letter_of(man.letter, man.shape, man.side));
        }
        if crowns {
            men |= both_sides('M') | both_sides('K');
        } else if !diagram.files.is_empty() {
            let fen = position.fen();
            let board = fen.split(' ').next().unwrap_or_default();
            let letters = board.chars().filter(char::is_ascii_alphabetic);
            men |= letters.fold(0, |men, letter| men | both_sides(letter));
            if men & both_sides('P') != 0 || men & both_sides('K') != 0 {
                men |= "KQRBNP"
                    .chars()
                    .fold(0, |men, letter| men | both_sides(letter));
            }
        }
        Self {
            ground: Geometry::of(&diagram),
            men,
            crowns,
            moves_as_chess: games::moves_as_chess(row),
            has_drops: position.fen().contains('['),
            title: row.title,
            row,
        }
    }

    /// Whether what takes can leave the board with what it takes.
    pub(super) const fn explodes(&self) -> bool {
        games::captures_explode(self.row)
    }

    /// Whether it has men with a letter.
    pub(super) fn has(&self, letter: char) -> bool {
        self.men & both_sides(letter) != 0
    }
}
