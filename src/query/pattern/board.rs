//! The board of a game, as far as queries need it.

use super::{Geometry, LETTERS};
use crate::games::view::{both_sides, letter_of};
use crate::games::{self, AnyPosition, diagram::Diagram, variant::Variant};

/// A board that a query is about.
#[derive(Debug, Clone)]
pub struct BoardSpec {
    pub(super) ground: Geometry,
    /// The codes of its pieces, as bits.
    pieces: u64,
    /// Letters that FENs have for pieces whose own letters are others, in capitals, with these: the
    /// horses of xiangqi are `N` there and `H` otherwise.
    aliases: Vec<(char, char)>,
    pub(super) crowns: bool,
    /// Whether its pieces move as those of chess do.
    pub(super) moves_as_chess: bool,
    /// Whether pieces in hand are set down.
    pub(super) has_drops: bool,
    pub(super) title: &'static str,
    pub(super) row: &'static Variant,
}

/// What the rules of a game say of all its moves, as far as bounds need it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct BoardRules {
    /// Whether the sides move in turn.
    pub(super) takes_turns: bool,
    /// The squares on which pawns that come there become something else.
    pub(super) promoting: u128,
}

impl BoardSpec {
    /// What its rules say.
    pub(super) const fn rules(&self) -> BoardRules {
        BoardRules {
            takes_turns: self.moves_as_chess,
            promoting: if self.moves_as_chess {
                0xff00_0000_0000_00ff
            } else {
                0
            },
        }
    }

    /// That of a position: of its game all positions have the same.
    pub fn of(position: &AnyPosition) -> Self {
        let diagram = position.diagram();
        let row = position.variant();
        let crowns = games::crowns(row);
        let mut pieces = 0;
        let aliases = aliases(position, &diagram);
        for piece in diagram
            .rows
            .iter()
            .flatten()
            .filter_map(|place| place.piece)
        {
            pieces |= both_sides(letter_of(piece.letter, piece.shape, piece.side));
        }
        if crowns {
            pieces |= both_sides('M') | both_sides('K');
        } else if aliases.is_empty()
            && !diagram.files.is_empty()
            && (pieces & both_sides('P') != 0 || pieces & both_sides('K') != 0)
        {
            pieces |= "KQRBNP"
                .chars()
                .fold(0, |pieces, letter| pieces | both_sides(letter));
        }
        Self {
            ground: Geometry::of(&diagram),
            pieces,
            aliases,
            crowns,
            moves_as_chess: games::moves_as_chess(row),
            has_drops: position.fen().contains('['),
            title: row.title,
            row,
        }
    }

    /// Whether a side has a king even where none is written.
    pub(super) fn always_has_king(&self, side: usize) -> bool {
        !self.crowns && games::always_has_king(self.row, side)
    }

    /// Whether what takes can leave the board with what it takes.
    pub(super) const fn explodes(&self) -> bool {
        games::captures_explode(self.row)
    }

    /// The letter that a piece has here, in the case that it was written in.
    pub(super) fn own(&self, letter: char) -> char {
        let mut aliases = self.aliases.iter();
        match aliases.find(|(of_fen, _)| *of_fen == letter.to_ascii_uppercase()) {
            Some((_, own)) if letter.is_ascii_lowercase() => own.to_ascii_lowercase(),
            Some((_, own)) => *own,
            None => letter,
        }
    }

    /// What to do about a letter that none of its pieces has.
    pub(super) fn letters_hint(&self) -> String {
        if self.moves_as_chess {
            return LETTERS.to_owned();
        }
        let letters: Vec<String> = ('A'..='Z')
            .filter(|letter| self.has(*letter))
            .map(String::from)
            .collect();
        format!("its pieces are {}", letters.join(", "))
    }

    /// Whether it has pieces with a letter.
    pub(super) fn has(&self, letter: char) -> bool {
        self.pieces & both_sides(letter) != 0
    }
}

/// The letters of a FEN that are no letters of the pieces, each in the case of its side, in capitals,
/// with the letters of these.
fn aliases(position: &AnyPosition, diagram: &Diagram) -> Vec<(char, char)> {
    let fen = position.fen();
    let board = fen.split(' ').next().unwrap_or_default();
    let letters = board.chars().filter(char::is_ascii_alphabetic);
    let pieces = diagram
        .rows
        .iter()
        .flatten()
        .filter_map(|place| place.piece);
    let pieces: Vec<(char, u8)> = pieces
        .map(|piece| (letter_of(piece.letter, piece.shape, piece.side), piece.side))
        .collect();
    let own = |letter: char| {
        pieces
            .iter()
            .any(|(own, _)| own.eq_ignore_ascii_case(&letter))
    };
    let mut aliases = Vec::new();
    for (letter, (piece, side)) in letters.zip(&pieces) {
        if letter.is_ascii_uppercase() != (*side == 0) || piece.is_ascii_uppercase() != (*side == 0)
        {
            return Vec::new();
        }
        let pair = (letter.to_ascii_uppercase(), piece.to_ascii_uppercase());
        if pair.0 != pair.1 && !own(letter) && !aliases.contains(&pair) {
            aliases.push(pair);
        }
    }
    aliases
}
